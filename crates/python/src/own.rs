//! Games written in Python: unfolded breadth first, a position becoming a number in a dictionary, and then solved as a
//! graph of numbers.

use std::sync::Arc;

use foregone::{Graph, Outcome, Side, Worth};
use pyo3::exceptions::{PyAttributeError, PyKeyError, PyTypeError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyFrozenSet, PyIterator, PyList, PyTuple};

use crate::errors::{exception, wrong};
use crate::running::Limits;
use crate::unfold::{OFTEN, Unfolded, Watch};

/// Bytes of a position besides its own object: a place in the dictionary and in the list, its number, its worth.
const BESIDE: u64 = 150;

/// The functions of a game.
struct Rules<'p> {
    turn: Bound<'p, PyAny>,
    outcome: Bound<'p, PyAny>,
    moves: Bound<'p, PyAny>,
    play: Bound<'p, PyAny>,
}

/// The whole number that Python gives, also as a float or a number of numpy.
pub fn whole(value: &Bound<'_, PyAny>) -> Option<i32> {
    value.extract::<i32>().ok().or_else(|| {
        let float = value.extract::<f64>().ok()?;
        (float.fract() == 0.0 && float.abs() < f64::from(i32::MAX)).then_some(float as i32)
    })
}

pub fn side_of(turn: &Bound<'_, PyAny>) -> Option<Side> {
    match turn.extract::<i32>() {
        Ok(0) => Some(Side::First),
        Ok(1) => Some(Side::Second),
        _ => None,
    }
}

/// What a game does wrong at a state.
fn faulty(state: &Bound<'_, PyAny>, what: &str) -> PyErr {
    let shown = state.repr().map_or("?".to_owned(), |text| text.to_string());
    let shown: String = shown.chars().take(200).collect();
    wrong(state.py(), format!("at the state {shown}: {what}"))
}

/// Positions with their numbers.
struct Numbers<'p> {
    numbers: Bound<'p, PyDict>,
    states: Bound<'p, PyList>,
    key: Option<Bound<'p, PyAny>>,
    bytes: u64,
    getsizeof: Bound<'p, PyAny>,
}

impl<'p> Numbers<'p> {
    fn key(&self, state: &Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
        match &self.key {
            Some(key) => key.call1((state,)),
            None => Ok(state.clone()),
        }
    }

    /// Looks at signals and limits now and then.
    fn tick(&self, unfolded: &Unfolded, watch: &mut Watch<'_>) -> PyResult<()> {
        let found = self.states.len();
        watch.tick(self.states.py(), found, || {
            self.bytes.saturating_add(unfolded.bytes() + BESIDE * found as u64)
        })
    }

    /// The number of a state; a new one gets the next.
    fn number(&mut self, state: Bound<'p, PyAny>) -> PyResult<u32> {
        let key = self.key(&state)?;
        let found = self.numbers.get_item(&key).map_err(|error| unhashable(error, &key))?;
        match found {
            Some(number) => number.extract(),
            None => {
                let number = self.states.len();
                let small = u32::try_from(number).ok().filter(|number| *number < 1 << 31);
                let small = small.ok_or_else(|| {
                    exception(
                        key.py(),
                        "PositionLimit",
                        "more than 2^31 positions can arise".to_owned(),
                    )
                })?;
                if number % OFTEN < 4 {
                    // A sample, for the estimate of all.
                    let size = deep_size(&self.getsizeof, &state, 3)?;
                    self.bytes = self.bytes.saturating_add(size.saturating_mul(OFTEN as u64 / 4));
                }
                self.numbers.set_item(key, small)?;
                self.states.append(state)?;
                Ok(small)
            }
        }
    }
}

/// The size of an object with what it holds, some levels down.
fn deep_size(
    getsizeof: &Bound<'_, PyAny>,
    object: &Bound<'_, PyAny>,
    levels: u32,
) -> PyResult<u64> {
    let mut size: u64 = getsizeof.call1((object,))?.extract()?;
    if levels == 0 {
        return Ok(size);
    }
    let holds = object.is_instance_of::<PyTuple>() || object.is_instance_of::<PyFrozenSet>();
    let mut parts = Vec::new();
    if holds {
        parts.extend(object.try_iter()?.collect::<PyResult<Vec<_>>>()?);
    } else if !is_plain(object)? {
        // The fields of an object, such as a dataclass.
        if let Some(fields) = object.getattr_opt("__dict__")? {
            parts.extend(fields.call_method0("values")?.try_iter()?.collect::<PyResult<Vec<_>>>()?);
        }
        if let Some(names) = object.getattr_opt("__slots__")?
            && let Ok(names) = names.extract::<Vec<String>>()
        {
            for name in names {
                parts.extend(object.getattr_opt(name)?);
            }
        }
    }
    for part in parts {
        size = size.saturating_add(deep_size(getsizeof, &part, levels - 1)?);
    }
    Ok(size)
}

fn unhashable(error: PyErr, key: &Bound<'_, PyAny>) -> PyErr {
    match error.is_instance_of::<PyTypeError>(key.py()) {
        true => faulty(
            key,
            &format!("{error}; states must be hashable: a tuple or a string, for example"),
        ),
        false => error,
    }
}

/// `start` may be a function or a value.
fn start_of<'p>(game: &Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
    let start = game.getattr("start")?;
    if start.is_callable() { start.call0() } else { Ok(start) }
}

/// Solves every position of a game that is written in Python: an object with `start`, `turn(state)`, `outcome(state)`,
/// `moves(state)` and `play(state, move)`, or `expand(state)` instead of the last four.
///
/// - `start`: another first state than the game's.
/// - `key`: merges the states that it gives the same key. They must have the same future, the side to move included.
/// - `endless`: the first player's result if play never ends.
/// - `seconds`, `memory` (bytes), `positions`: limits; they raise TimeLimit, MemoryLimit, PositionLimit.
/// - `progress`: a function of phase, positions done, and all positions or None; True for a bar.
#[pyfunction]
#[pyo3(signature = (game, /, *, start = None, key = None, endless = 0, seconds = None, memory = None, positions = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn solve(
    py: Python<'_>,
    game: Bound<'_, PyAny>,
    start: Option<Bound<'_, PyAny>>,
    key: Option<Bound<'_, PyAny>>,
    endless: i32,
    seconds: Option<f64>,
    memory: Option<u64>,
    positions: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Solution> {
    let needed = |name: &str| {
        game.getattr(name).map_err(|error| {
            if !error.is_instance_of::<PyAttributeError>(py) {
                return error;
            }
            let found = game.get_type().name().map_or("?".to_owned(), |name| name.to_string());
            wrong(py, format!(
                "the game {found} has no `{name}`: expected start, turn, outcome, moves and play \
                 (or expand instead of the last four)"
            ))
        })
    };
    let start = match start {
        Some(start) => start,
        None => {
            needed("start")?;
            start_of(&game)?
        }
    };
    let limits = Limits { seconds, memory, positions, progress };
    let mut watch = Watch::new(py, &limits)?;
    let getsizeof = py.import("sys")?.getattr("getsizeof")?;
    let (dict, list) = (PyDict::new(py), PyList::empty(py));
    let mut numbers = Numbers { numbers: dict, states: list, key, bytes: 0, getsizeof };
    let mut unfolded = Unfolded::new();
    numbers.number(start)?;
    let expand = game.getattr_opt("expand")?;
    let rules = match expand {
        Some(_) => None,
        None => Some(Rules {
            turn: needed("turn")?,
            outcome: needed("outcome")?,
            moves: needed("moves")?,
            play: needed("play")?,
        }),
    };
    let mut at = 0;
    while at < numbers.states.len() {
        let state = numbers.states.get_item(at)?;
        at += 1;
        match (&rules, &expand) {
            (Some(rules), _) => by_rules(rules, &state, &mut numbers, &mut unfolded, &mut watch)?,
            (None, Some(expand)) => {
                by_expand(expand, &state, &mut numbers, &mut unfolded, &mut watch)?
            }
            (None, None) => unreachable!("one of them is there"),
        }
        unfolded.offsets.push(unfolded.targets.len() as u64);
    }
    let Numbers { numbers, states, key, .. } = numbers;
    let (graph, worths) = unfolded.solve(py, &limits, endless)?;
    Ok(Solution {
        game: game.unbind(),
        numbers: numbers.unbind(),
        states: states.unbind(),
        key: key.map(Bound::unbind),
        graph,
        worths,
        endless,
    })
}

fn by_rules<'p>(
    rules: &Rules<'p>,
    state: &Bound<'p, PyAny>,
    numbers: &mut Numbers<'p>,
    unfolded: &mut Unfolded,
    watch: &mut Watch<'_>,
) -> PyResult<()> {
    numbers.tick(unfolded, watch)?;
    let turn = rules.turn.call1((state,))?;
    let side = side_of(&turn);
    let side = side.ok_or_else(|| faulty(state, &format!("turn gives {turn}, expected 0 or 1")))?;
    let outcome = rules.outcome.call1((state,))?;
    unfolded.turns.push(side);
    if !outcome.is_none() {
        let number = whole(&outcome);
        let wrong =
            || faulty(state, &format!("outcome gives {outcome}, expected a whole number or None"));
        unfolded.outcomes.push(Some(Outcome(number.ok_or_else(wrong)?)));
        return Ok(());
    }
    unfolded.outcomes.push(None);
    let before = unfolded.targets.len();
    for mv in moves_of(&rules.moves, state)? {
        let child = rules.play.call1((state, mv?))?;
        if child.is(state) && !is_plain(state)? {
            return Err(faulty(
                state,
                "play gives the state itself: it must leave it unchanged and give another",
            ));
        }
        unfolded.targets.push(numbers.number(child)?);
        numbers.tick(unfolded, watch)?;
    }
    some_moves(state, unfolded.targets.len() - before)
}

fn by_expand<'p>(
    expand: &Bound<'p, PyAny>,
    state: &Bound<'p, PyAny>,
    numbers: &mut Numbers<'p>,
    unfolded: &mut Unfolded,
    watch: &mut Watch<'_>,
) -> PyResult<()> {
    numbers.tick(unfolded, watch)?;
    let expanded = expand.call1((state,))?;
    let parts = expanded.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>, Bound<'_, PyAny>)>();
    let (turn, outcome, children) = parts.map_err(|_| {
        faulty(state, "expand must give the turn, the outcome or None, and the next states")
    })?;
    let side = side_of(&turn);
    unfolded
        .turns
        .push(side.ok_or_else(|| faulty(state, &format!("turn is {turn}, expected 0 or 1")))?);
    if !outcome.is_none() {
        let wrong =
            || faulty(state, &format!("the outcome is {outcome}, expected a whole number or None"));
        unfolded.outcomes.push(Some(Outcome(whole(&outcome).ok_or_else(wrong)?)));
        return Ok(());
    }
    unfolded.outcomes.push(None);
    let before = unfolded.targets.len();
    for child in children.try_iter()? {
        unfolded.targets.push(numbers.number(child?)?);
        numbers.tick(unfolded, watch)?;
    }
    some_moves(state, unfolded.targets.len() - before)
}

/// Whether an object is of Python's own types, such as a tuple. None that can be hashed can be changed.
fn is_plain(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(object.get_type().module()? == "builtins")
}

fn moves_of<'p>(
    moves: &Bound<'p, PyAny>,
    state: &Bound<'p, PyAny>,
) -> PyResult<Bound<'p, PyIterator>> {
    let found = moves.call1((state,))?;
    found.try_iter().map_err(|_| faulty(state, &format!("moves gives {found}, expected a list")))
}

fn some_moves(state: &Bound<'_, PyAny>, count: usize) -> PyResult<()> {
    match count {
        0 => Err(faulty(state, "the game is not over, but there is no move")),
        _ => Ok(()),
    }
}

/// The class of worths, `foregone.Worth`.
pub fn worth(py: Python<'_>, worth: Worth, with_distance: bool) -> PyResult<Bound<'_, PyAny>> {
    static CLASS: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let class = CLASS
        .get_or_try_init(py, || py.import("foregone.worth")?.getattr("Worth").map(Bound::unbind))?;
    let plies = worth.distance().plies().filter(|_| with_distance);
    class.bind(py).call1((worth.value().0, plies, with_distance && worth.is_endless()))
}

/// A move, the state after it, and what it is worth to its mover.
struct Choice<'p> {
    name: Bound<'p, PyAny>,
    next: Bound<'p, PyAny>,
    worth: Worth,
}

/// The worth of every position of a game in Python.
#[pyclass(frozen, mapping, module = "foregone")]
pub struct Solution {
    game: Py<PyAny>,
    numbers: Py<PyDict>,
    states: Py<PyList>,
    key: Option<Py<PyAny>>,
    graph: Arc<Graph>,
    worths: Vec<Worth>,
    endless: i32,
}

impl Solution {
    fn number(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let py = state.py();
        let key = match &self.key {
            Some(key) => &key.bind(py).call1((state,))?,
            None => state,
        };
        match self.numbers.bind(py).get_item(key)? {
            Some(number) => Ok(Some(number.extract()?)),
            None => Ok(None),
        }
    }

    fn known(&self, state: &Bound<'_, PyAny>) -> PyResult<usize> {
        self.number(state)?.ok_or_else(|| PyKeyError::new_err(state.clone().unbind()))
    }

    /// What a move from one position to another is worth to its mover.
    fn after(&self, from: usize, to: u32) -> Worth {
        use foregone::Game;
        let turn = |number: u32| self.graph.turn(&number);
        self.worths[to as usize].backed_up(turn(to), turn(from as u32))
    }

    /// The moves of a state (the next states, if the game has only `expand`), the states after them, and what they are
    /// worth to the mover. The state itself is asked: another one with the same key may have other moves.
    fn options<'p>(&self, state: &Bound<'p, PyAny>) -> PyResult<Vec<Choice<'p>>> {
        use foregone::Game;
        let py = state.py();
        let number = self.known(state)?;
        if self.graph.outcome(&(number as u32)).is_some() {
            return Ok(Vec::new());
        }
        let game = self.game.bind(py);
        let choice = |name: Bound<'p, PyAny>, next: Bound<'p, PyAny>| {
            let to = self.number(&next)?.ok_or_else(|| faulty(state, "it has other moves now"))?;
            Ok(Choice { name, worth: self.after(number, to as u32), next })
        };
        if let Some(moves) = game.getattr_opt("moves")? {
            let play = game.getattr("play")?;
            let each = moves_of(&moves, state)?.map(|mv| {
                let mv = mv?;
                let next = play.call1((state, &mv))?;
                choice(mv, next)
            });
            return each.collect();
        }
        let expanded = game.call_method1("expand", (state,))?;
        let next = expanded.get_item(2)?;
        next.try_iter()?
            .map(|next| {
                let next = next?;
                choice(next.clone(), next)
            })
            .collect()
    }

    fn order(&self, number: usize, worth: Worth) -> i64 {
        use foregone::Game;
        worth.key(Outcome(self.endless).value_for(self.graph.turn(&(number as u32))))
    }
}

#[pymethods]
impl Solution {
    fn __len__(&self) -> usize {
        self.worths.len()
    }

    fn __getitem__<'p>(&self, state: Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
        worth(state.py(), self.worths[self.known(&state)?], true)
    }

    #[pyo3(signature = (state, default = None))]
    fn get<'p>(
        &self,
        state: Bound<'p, PyAny>,
        default: Option<Bound<'p, PyAny>>,
    ) -> PyResult<Option<Bound<'p, PyAny>>> {
        match self.number(&state)? {
            Some(number) => Ok(Some(worth(state.py(), self.worths[number], true)?)),
            None => Ok(default),
        }
    }

    fn __contains__(&self, state: Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.number(&state)?.is_some())
    }

    fn __iter__<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyIterator>> {
        self.states.bind(py).try_iter()
    }

    /// All states, in the order in which they were found.
    fn keys<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyList>> {
        self.states.bind(py).get_slice(0, self.worths.len()).into_pyobject(py).map_err(Into::into)
    }

    /// The worths of all states.
    fn values<'p>(&self, py: Python<'p>) -> PyResult<Vec<Bound<'p, PyAny>>> {
        self.worths.iter().map(|each| worth(py, *each, true)).collect()
    }

    /// All states with their worths.
    fn items<'p>(&self, py: Python<'p>) -> PyResult<Vec<(Bound<'p, PyAny>, Bound<'p, PyAny>)>> {
        let states = self.states.bind(py);
        let worths = self.worths.iter().enumerate();
        worths.map(|(at, each)| Ok((states.get_item(at)?, worth(py, *each, true)?))).collect()
    }

    /// The state that the game starts from.
    #[getter]
    fn start<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyAny>> {
        self.states.bind(py).get_item(0)
    }

    /// The value of the start, for the side to move there.
    #[getter]
    fn value(&self) -> i32 {
        self.worths[0].value().0
    }

    /// The plies from the start to the end; `None` if play is endless.
    #[getter]
    fn distance(&self) -> Option<u32> {
        self.worths[0].distance().plies()
    }

    /// The number of positions from which perfect play is endless.
    #[getter]
    fn endless(&self) -> usize {
        self.worths.iter().filter(|each| each.is_endless()).count()
    }

    /// What each move is worth to the side that moves, as a dictionary. If the game has only `expand`, by next state.
    fn moves<'p>(&self, state: Bound<'p, PyAny>) -> PyResult<Bound<'p, PyDict>> {
        let out = PyDict::new(state.py());
        for choice in self.options(&state)? {
            out.set_item(choice.name, worth(state.py(), choice.worth, true)?)?;
        }
        Ok(out)
    }

    /// The best moves (the best next states, if the game has only `expand`), each once.
    fn best<'p>(&self, state: Bound<'p, PyAny>) -> PyResult<Vec<Bound<'p, PyAny>>> {
        let number = self.known(&state)?;
        let options = self.options(&state)?;
        let order = |choice: &Choice<'_>| self.order(number, choice.worth);
        let best = options.iter().map(order).max();
        let mut names: Vec<Bound<'p, PyAny>> = Vec::new();
        for choice in options.into_iter().filter(|choice| Some(order(choice)) == best) {
            let mut known = false;
            for name in &names {
                known |= name.eq(&choice.name)?;
            }
            if !known {
                names.push(choice.name);
            }
        }
        Ok(names)
    }

    /// A line of best play from a state: the states, up to the end or to a repeated one.
    #[pyo3(signature = (state = None))]
    fn line<'p>(
        &self,
        py: Python<'p>,
        state: Option<Bound<'p, PyAny>>,
    ) -> PyResult<Vec<Bound<'p, PyAny>>> {
        let mut state = match state {
            Some(state) => state,
            None => self.start(py)?,
        };
        let mut seen = std::collections::HashSet::new();
        let mut line = Vec::new();
        loop {
            let number = self.known(&state)?;
            if !seen.insert(number) {
                return Ok(line);
            }
            line.push(state.clone());
            let options = self.options(&state)?.into_iter().rev();
            let best = options.max_by_key(|choice| self.order(number, choice.worth));
            match best {
                Some(best) => state = best.next,
                None => return Ok(line),
            }
        }
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.game)?;
        visit.call(&self.numbers)?;
        visit.call(&self.states)?;
        self.key.as_ref().map_or(Ok(()), |key| visit.call(key))
    }

    /// Values and distances (-1 where play is endless) as arrays of numpy, in the order of the states.
    fn arrays<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyTuple>> {
        crate::graph::arrays(py, &self.worths)
    }

    fn __repr__(&self) -> String {
        let distance = self.distance().map_or("None".to_owned(), |plies| plies.to_string());
        format!(
            "<Solution of {} positions: value={}, distance={distance}>",
            self.worths.len(),
            self.value()
        )
    }
}
