//! What solving a position gives, as frozen classes with the fields of docs/json.md.

use foregone::any::report::MoveReport;
use foregone::{Report, Session};
use foregone_page::view::board::valued;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// A legal move and its result, seen by the side that makes it.
#[pyclass(frozen, eq, hash, module = "foregone")]
#[derive(PartialEq, Eq, Hash)]
pub struct MoveAnswer {
    #[pyo3(get)]
    r#move: String,
    #[pyo3(get)]
    value: i32,
    #[pyo3(get)]
    result: Option<String>,
    #[pyo3(get)]
    distance: Option<u32>,
    #[pyo3(get)]
    endless: bool,
    /// The bits of the chance.
    chance_bits: Option<u64>,
}

#[pymethods]
impl MoveAnswer {
    #[getter]
    fn chance(&self) -> Option<f64> {
        self.chance_bits.map(f64::from_bits)
    }

    fn __repr__(&self) -> String {
        let MoveAnswer { r#move, value, .. } = self;
        let distance = self.distance.map_or("None".to_owned(), |plies| plies.to_string());
        format!(
            "MoveAnswer(move={move:?}, value={value}, distance={distance}, endless={})",
            truth(self.endless)
        )
    }
}

impl From<&MoveReport> for MoveAnswer {
    fn from(MoveReport { mv, result, chance, .. }: &MoveReport) -> MoveAnswer {
        MoveAnswer {
            r#move: mv.clone(),
            value: result.value,
            result: result.result.clone(),
            distance: result.distance,
            endless: result.endless,
            chance_bits: chance.map(f64::to_bits),
        }
    }
}

/// The result of perfect play from a position, seen by the side to move.
#[pyclass(frozen, get_all, module = "foregone")]
pub struct Answer {
    game: String,
    position: String,
    to_move: String,
    value: Option<i32>,
    unit: String,
    result: Option<String>,
    distance: Option<u32>,
    endless: bool,
    proven: bool,
    lookahead: Option<u32>,
    bounds: Option<(i32, i32)>,
    moves: Py<PyTuple>,
    best: Py<PyTuple>,
    /// The moves from which perfect play chooses: the best; in a draw, if that is soon known, those after which
    /// the opponent has the fewest replies that hold it.
    preferred: Py<PyTuple>,
    line: Py<PyTuple>,
    method: String,
    /// Where the value comes from if it was known before: "table", "book", "proof" or "before"; None if it was
    /// searched for.
    source: Option<String>,
    positions: Option<u64>,
    nodes: u64,
    seconds: f64,
    /// Why the answer is missing or incomplete, in words.
    halted: Option<String>,
    /// What `foregone solve --json` writes.
    json: String,
    /// The board with the values of moves, as SVG.
    svg: String,
}

impl Answer {
    /// The answer for the position of a session.
    pub fn new(py: Python<'_>, session: &dyn Session, report: Report) -> PyResult<Answer> {
        let moves = report.moves.iter().map(|each| Bound::new(py, MoveAnswer::from(each)));
        let moves = moves.collect::<PyResult<Vec<_>>>()?;
        let json =
            serde_json::to_string(&report).expect("a report has no maps with keys of other types");
        let svg = valued(session, &report);
        Ok(Answer {
            moves: PyTuple::new(py, moves)?.unbind(),
            best: PyTuple::new(py, &report.best)?.unbind(),
            preferred: PyTuple::new(py, &report.preferred)?.unbind(),
            line: PyTuple::new(py, &report.line)?.unbind(),
            bounds: report.bounds.map(|[low, high]| (low, high)),
            halted: report.halted.map(|why| why.to_string()),
            json,
            svg,
            game: report.game,
            position: report.position,
            to_move: report.to_move,
            value: report.value,
            unit: report.unit,
            result: report.result,
            distance: report.distance,
            endless: report.endless,
            proven: report.proven,
            lookahead: report.lookahead,
            method: report.method,
            source: report.source,
            positions: report.positions,
            nodes: report.nodes,
            seconds: report.seconds,
        })
    }
}

#[pymethods]
impl Answer {
    /// All fields as `foregone solve --json` has them.
    fn to_dict<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyDict>> {
        Ok(py.import("json")?.call_method1("loads", (&self.json,))?.cast_into()?)
    }

    /// The answer for one move.
    fn __getitem__<'p>(&self, py: Python<'p>, mv: &str) -> PyResult<Bound<'p, PyAny>> {
        for each in self.moves.bind(py) {
            if each.cast::<MoveAnswer>()?.get().r#move == mv {
                return Ok(each);
            }
        }
        Err(pyo3::exceptions::PyKeyError::new_err(mv.to_owned()))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let number =
            |value: Option<i64>| value.map_or("None".to_owned(), |value| value.to_string());
        let mut out = format!(
            "Answer(value={}, distance={}, endless={}, proven={}",
            number(self.value.map(i64::from)),
            number(self.distance.map(i64::from)),
            truth(self.endless),
            truth(self.proven)
        );
        if let Some((low, high)) = self.bounds {
            out += &format!(", bounds=({low}, {high})");
        }
        if let Some(why) = &self.halted {
            out += &format!(", halted={why:?}");
        }
        Ok(out + &format!(", best={})", self.best.bind(py).repr()?))
    }

    /// The board with the values of moves.
    fn _repr_svg_(&self) -> &str {
        &self.svg
    }

    /// The board with the values of moves, and a table of them, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.svg.clone() + &crate::position::table(py, self)?)
    }
}

impl Answer {
    pub fn moves<'p>(&self, py: Python<'p>) -> &Bound<'p, PyTuple> {
        self.moves.bind(py)
    }

    pub fn is_best(&self, py: Python<'_>, mv: &str) -> PyResult<bool> {
        self.best.bind(py).contains(mv)
    }

    pub fn words(&self) -> String {
        let Some(value) = self.value else {
            return match self.bounds {
                Some((low, high)) => format!("between {low} and {high} for {}", self.to_move),
                None => "not known".to_owned(),
            };
        };
        let words = foregone::any::in_words(foregone::Value(value), &self.unit);
        let to_move = &self.to_move;
        match (self.proven, self.distance, self.endless) {
            (false, ..) => format!("perhaps {words} for {to_move}"),
            (_, _, true) => format!("{words} for {to_move} by endless play"),
            (_, Some(plies), _) => format!("{words} for {to_move} in {plies} plies"),
            _ => format!("{words} for {to_move}"),
        }
    }
}

impl MoveAnswer {
    pub fn cells(&self, unit: &str) -> [String; 2] {
        let words = match &self.result {
            Some(_) => foregone::any::in_words(foregone::Value(self.value), unit),
            None => match self.chance_bits {
                Some(bits) => format!("{:.0} % (an opinion)", f64::from_bits(bits) * 100.0),
                None => {
                    "perhaps ".to_owned()
                        + &foregone::any::in_words(foregone::Value(self.value), unit)
                }
            },
        };
        let plies = match self.distance {
            _ if self.endless => "without end".to_owned(),
            Some(plies) => plies.to_string(),
            None => String::new(),
        };
        [words, plies]
    }

    pub fn name(&self) -> &str {
        &self.r#move
    }
}

impl Answer {
    pub fn unit(&self) -> &str {
        &self.unit
    }
}

/// As Python writes it.
pub fn truth(value: bool) -> &'static str {
    if value { "True" } else { "False" }
}
