//! Graphs and whole frontiers as arrays of numpy: the fastest way to bring a game from Python.

use foregone::{Outcome, Side, Worth};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{exception, wrong};
use crate::rows::Rows;
use crate::running::Limits;
use crate::unfold::{Unfolded, Watch};

/// Imports numpy before the first array, so that an exception on the way is one of Python.
pub fn numpy(py: Python<'_>) -> PyResult<()> {
    py.check_signals()?;
    py.import("numpy").map(drop)
}

/// Values and distances as arrays; -1 is no distance.
pub fn arrays<'p>(py: Python<'p>, worths: &[Worth]) -> PyResult<Bound<'p, PyTuple>> {
    numpy(py)?;
    let values = worths.iter().map(|worth| worth.value().0);
    let plies = |worth: &Worth| worth.distance().plies().map_or(-1, |plies| plies as i32);
    let values = PyArray1::from_iter(py, values);
    let distances = PyArray1::from_iter(py, worths.iter().map(plies));
    PyTuple::new(py, [values, distances])
}

fn sides(py: Python<'_>, turns: &[i64]) -> PyResult<Vec<Side>> {
    let side = |(at, turn): (usize, &i64)| match turn {
        0 => Ok(Side::First),
        1 => Ok(Side::Second),
        _ => Err(wrong(py, format!("found turn {turn} at place {at}, expected 0 or 1"))),
    };
    turns.iter().enumerate().map(side).collect()
}

fn outcome(py: Python<'_>, outcome: i64) -> PyResult<Outcome> {
    let fits = i32::try_from(outcome).map(Outcome);
    fits.map_err(|_| wrong(py, format!("the outcome {outcome} is too large")))
}

/// Solves a graph of numbered positions: the moves of position n lead to `targets[offsets[n]:offsets[n + 1]]`; a
/// position without moves is over, with its outcome. Gives arrays of values and distances.
#[pyfunction]
#[pyo3(signature = (offsets, targets, turns, outcomes, endless = 0, seconds = None, memory = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn solve_graph<'p>(
    py: Python<'p>,
    offsets: PyReadonlyArray1<'p, i64>,
    targets: PyReadonlyArray1<'p, i64>,
    turns: PyReadonlyArray1<'p, i64>,
    outcomes: PyReadonlyArray1<'p, i64>,
    endless: i32,
    seconds: Option<f64>,
    memory: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'p, PyTuple>> {
    let (offsets, targets) = (offsets.as_slice()?, targets.as_slice()?);
    let (turns, outcomes) = (turns.as_slice()?, outcomes.as_slice()?);
    let number = |(at, target): (usize, &i64)| {
        u32::try_from(*target).map_err(|_| {
            wrong(
                py,
                format!("found target {target} at place {at}, expected the number of a position"),
            )
        })
    };
    let offset = |offset: &i64| {
        u64::try_from(*offset)
            .map_err(|_| wrong(py, format!("found offset {offset}, expected one from 0")))
    };
    if offsets.len() != turns.len() + 1 || outcomes.len() != turns.len() {
        let why = format!(
            "found {} offsets, {} turns and {} outcomes, expected one offset more than turns, and as many outcomes as turns",
            offsets.len(),
            turns.len(),
            outcomes.len()
        );
        return Err(wrong(py, why));
    }
    let ended = outcomes.iter().zip(offsets.windows(2));
    let ended = ended.map(|(found, ends)| match ends[0] == ends[1] {
        true => outcome(py, *found).map(Some),
        false => Ok(None),
    });
    let unfolded = Unfolded {
        offsets: offsets.iter().map(offset).collect::<PyResult<_>>()?,
        targets: targets.iter().enumerate().map(number).collect::<PyResult<_>>()?,
        turns: sides(py, turns)?,
        outcomes: ended.collect::<PyResult<_>>()?,
    };
    let limits = Limits { seconds, memory, positions: None, progress };
    let (_, worths) = unfolded.solve(py, &limits, endless)?;
    arrays(py, &worths)
}

/// A game unfolded frontier by frontier, solved; rows are the bytes of states.
#[pyclass(frozen, module = "foregone._foregone")]
pub struct Frontiers {
    rows: Rows,
    worths: Vec<Worth>,
}

#[pymethods]
impl Frontiers {
    fn __len__(&self) -> usize {
        self.worths.len()
    }

    /// All states, as rows of bytes.
    fn rows<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyArray2<u8>>> {
        numpy(py)?;
        self.rows.bytes().to_pyarray(py).reshape([self.rows.len(), self.rows.width()])
    }

    fn arrays<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyTuple>> {
        arrays(py, &self.worths)
    }

    /// The numbers of states; -1 if one cannot arise.
    fn numbers<'p>(
        &self,
        py: Python<'p>,
        rows: PyReadonlyArray2<'p, u8>,
    ) -> PyResult<Bound<'p, PyArray1<i64>>> {
        let number = |row: &[u8]| self.rows.find(row).map_or(-1, i64::from);
        Ok(PyArray1::from_iter(py, rows.as_slice()?.chunks(self.rows.width()).map(number)))
    }
}

/// Unfolds a game from its first states by `expand`, which gets rows of bytes and gives turns, outcomes, counts of
/// moves, and the rows after them.
#[pyfunction]
#[pyo3(signature = (start, expand, endless = 0, chunk = 131_072, seconds = None, memory = None, positions = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn unfold_frontiers(
    py: Python<'_>,
    start: PyReadonlyArray2<'_, u8>,
    expand: Bound<'_, PyAny>,
    endless: i32,
    chunk: usize,
    seconds: Option<f64>,
    memory: Option<u64>,
    positions: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Frontiers> {
    type Parts<'p> = (
        PyReadonlyArray1<'p, i64>,
        PyReadonlyArray1<'p, i64>,
        PyReadonlyArray1<'p, i64>,
        PyReadonlyArray2<'p, u8>,
    );
    let first = start.as_slice()?;
    let width = start.as_array().ncols();
    if first.is_empty() {
        return Err(wrong(py, "found no state to start from, expected at least one"));
    }
    let limits = Limits { seconds, memory, positions, progress };
    let mut watch = Watch::new(py, &limits)?;
    let mut rows = Rows::new(width);
    rows.add_all(first, &mut Vec::new());
    let mut unfolded = Unfolded::new();
    let mut at = 0;
    while at < rows.len() {
        watch.look(
            py,
            rows.len(),
            rows.memory() + 3 * 4 * unfolded.targets.len() as u64 + 40 * rows.len() as u64,
        )?;
        let end = rows.len().min(at + chunk.max(1));
        let states =
            rows.bytes()[at * width..end * width].to_pyarray(py).reshape([end - at, width])?;
        let (turns, outcomes, counts, children) =
            expand.call1((states,))?.extract::<Parts<'_>>()?;
        let (turns, outcomes, counts) =
            (turns.as_slice()?, outcomes.as_slice()?, counts.as_slice()?);
        let total: i128 = counts.iter().map(|count| i128::from(*count)).sum();
        let found = children.as_array().nrows();
        let right = [turns.len(), outcomes.len(), counts.len()].iter().all(|len| *len == end - at);
        if !right
            || counts.iter().any(|count| *count < 0)
            || total != found as i128
            || found > 0 && children.as_array().ncols() != width
        {
            let why = format!(
                "for {} states, expand gives {} turns, {} outcomes, {} counts with the sum {total}, and {found} next states: \
                 expected one of each for each state, and as many next states as the sum",
                end - at,
                turns.len(),
                outcomes.len(),
                counts.len()
            );
            return Err(wrong(py, why));
        }
        unfolded.turns.extend(sides(py, turns)?);
        let children = children.as_slice()?;
        let mut sum = unfolded.targets.len() as u64;
        for (count, result) in counts.iter().zip(outcomes) {
            sum += *count as u64;
            unfolded.offsets.push(sum);
            let over = if *count == 0 { Some(outcome(py, *result)?) } else { None };
            unfolded.outcomes.push(over);
        }
        rows.add_all(children, &mut unfolded.targets);
        if rows.len() >= 1 << 31 {
            return Err(exception(
                py,
                "PositionLimit",
                "more than 2^31 positions can arise".to_owned(),
            ));
        }
        at = end;
    }
    let (_, worths) = unfolded.solve(py, &limits, endless)?;
    Ok(Frontiers { rows, worths })
}
