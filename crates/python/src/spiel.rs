//! OpenSpiel's games: unfolded by their own states, each known by a key, and solved as a graph.
//!
//! A key is a text that `str(state)` and the side to move make, or a function of Python. Whether equal keys mean equal
//! positions is not taken on trust: with `check`, every time that two histories come to the same key, the two states
//! are compared: side to move, legal actions, end and returns, and the same one ply on. Keys are kept as digests of 128
//! bits, so that a position takes some dozens of bytes, however long its text is.

use std::sync::Arc;

use foregone::{Game as _, Graph, Outcome, Side, Worth};
use hashbrown::HashTable;
use pyo3::exceptions::PyKeyError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};
use xxhash_rust::xxh3::{Xxh3Default, xxh3_128};

use crate::errors::{exception, wrong};
use crate::own::worth;
use crate::running::Limits;
use crate::unfold::{Unfolded, Watch};

/// Bytes of a state of OpenSpiel that waits to be expanded, roughly.
const WAITING: u64 = 1_000;

/// What the rules say of a state.
#[derive(PartialEq, Eq)]
struct Facts {
    player: i32,
    actions: Vec<i64>,
    /// The returns of the first player, scaled; only at the end.
    outcome: Option<i32>,
}

impl Facts {
    fn of(state: &Bound<'_, PyAny>, scale: i32) -> PyResult<Facts> {
        let py = state.py();
        if state.call_method0(intern!(py, "is_terminal"))?.is_truthy()? {
            let returns: Vec<f64> = state.call_method0(intern!(py, "returns"))?.extract()?;
            let result = returns.first().copied().unwrap_or(0.0) * f64::from(scale);
            if result.fract() != 0.0 || result.abs() > f64::from(Outcome::LIMIT) {
                let why = format!(
                    "a game ends with {returns:?}, expected whole numbers: give a larger `scale`, such as 2"
                );
                return Err(wrong(py, why));
            }
            return Ok(Facts { player: -1, actions: Vec::new(), outcome: Some(result as i32) });
        }
        let player: i32 = state.call_method0(intern!(py, "current_player"))?.extract()?;
        if !(0..2).contains(&player) {
            return Err(wrong(
                py,
                format!(
                    "player {player} is to move, expected 0 or 1: chance or simultaneous moves cannot be solved"
                ),
            ));
        }
        let actions = state.call_method0(intern!(py, "legal_actions"))?.extract()?;
        Ok(Facts { player, actions, outcome: None })
    }

    fn digest(&self, hasher: &mut Xxh3Default) {
        hasher.update(&self.player.to_le_bytes());
        hasher.update(&self.outcome.unwrap_or(i32::MIN).to_le_bytes());
        hasher.update(&(self.actions.len() as u64).to_le_bytes());
        for action in &self.actions {
            hasher.update(&action.to_le_bytes());
        }
    }
}

fn child<'p>(state: &Bound<'p, PyAny>, action: i64) -> PyResult<Bound<'p, PyAny>> {
    state.call_method1(intern!(state.py(), "child"), (action,))
}

/// The facts of a state and of those after its actions, as a number.
fn outlook(state: &Bound<'_, PyAny>, facts: &Facts, scale: i32) -> PyResult<u64> {
    let mut hasher = Xxh3Default::new();
    facts.digest(&mut hasher);
    for action in &facts.actions {
        Facts::of(&child(state, *action)?, scale)?.digest(&mut hasher);
    }
    Ok(hasher.digest())
}

/// Digests of keys with their numbers.
#[derive(Default)]
struct Keys {
    digests: Vec<u128>,
    numbers: HashTable<u32>,
}

impl Keys {
    fn find(&self, digest: u128) -> Option<u32> {
        self.numbers.find(digest as u64, |number| self.digests[*number as usize] == digest).copied()
    }

    fn add(&mut self, digest: u128) -> u32 {
        let number = self.digests.len() as u32;
        self.digests.push(digest);
        let Keys { digests, numbers } = self;
        numbers.insert_unique(digest as u64, number, |number| digests[*number as usize] as u64);
        number
    }
}

/// The key of a state as a digest.
struct Key<'p>(Option<Bound<'p, PyAny>>);

impl Key<'_> {
    fn digest(&self, state: &Bound<'_, PyAny>) -> PyResult<u128> {
        let py = state.py();
        match &self.0 {
            Some(key) => {
                let key = key.call1((state,))?;
                match key.cast::<PyString>() {
                    Ok(text) => Ok(xxh3_128(text.to_cow()?.as_bytes())),
                    Err(_) => Ok(xxh3_128(key.repr()?.to_cow()?.as_bytes())),
                }
            }
            None => {
                let player: i64 = state.call_method0(intern!(py, "current_player"))?.extract()?;
                let text = state.str()?;
                let mut bytes = text.to_cow()?.into_owned().into_bytes();
                bytes.extend_from_slice(&player.to_le_bytes());
                Ok(xxh3_128(&bytes))
            }
        }
    }
}

/// An unfolding in progress.
struct Unfolding<'p> {
    key: Key<'p>,
    keys: Keys,
    /// Where each position was first found: the number of the one before, and the action; the first has itself.
    from: Vec<(u32, i32)>,
    facts: Vec<(i32, Option<i32>)>,
    /// The outlook of each position, with `check`.
    outlooks: Vec<u64>,
    check: bool,
    scale: i32,
    waiting: Vec<(u32, Py<PyAny>)>,
}

impl Unfolding<'_> {
    /// The number of a state that an action leads to; a new one waits to be expanded.
    fn number(&mut self, state: Bound<'_, PyAny>, from: (u32, i32)) -> PyResult<u32> {
        let py = state.py();
        let digest = self.key.digest(&state)?;
        if let Some(number) = self.keys.find(digest) {
            if self.check {
                let facts = Facts::of(&state, self.scale)?;
                if outlook(&state, &facts, self.scale)? != self.outlooks[number as usize] {
                    return Err(self.unsound(py, &state, number)?);
                }
            }
            return Ok(number);
        }
        if self.keys.digests.len() as u64 >= 1 << 31 {
            return Err(exception(
                py,
                "PositionLimit",
                "more than 2^31 positions can arise".to_owned(),
            ));
        }
        let facts = Facts::of(&state, self.scale)?;
        if self.check {
            self.outlooks.push(outlook(&state, &facts, self.scale)?);
        }
        let number = self.keys.add(digest);
        self.from.push(from);
        self.facts.push((facts.player, facts.outcome));
        if facts.outcome.is_none() {
            self.waiting.push((number, state.unbind()));
        }
        Ok(number)
    }

    /// Two histories with the same key and different futures.
    fn unsound(&self, py: Python<'_>, state: &Bound<'_, PyAny>, number: u32) -> PyResult<PyErr> {
        let mut earlier = Vec::new();
        let mut at = number;
        while self.from[at as usize].0 != at {
            earlier.push(self.from[at as usize].1);
            at = self.from[at as usize].0;
        }
        earlier.reverse();
        let later: Vec<i64> = state.call_method0("history")?.extract()?;
        let text = state.str()?;
        let why = format!(
            "two histories lead to states with the same key and different futures: {earlier:?} and {later:?}; give a `key` \
             that tells them apart. The later one leads to:\n{text}"
        );
        let class = py.import("foregone.errors")?.getattr("UnsoundKey")?;
        Ok(PyErr::from_value(class.call1((why, (earlier, later)))?))
    }

    fn bytes(&self, targets: usize) -> u64 {
        let positions = self.from.len() as u64;
        positions * (16 + 6 + 8 + 12 + 8 + 30)
            + 20 * targets as u64
            + WAITING * self.waiting.len() as u64
    }
}

/// Solves a game of OpenSpiel.
#[pyfunction]
#[pyo3(signature = (game, key = None, check = true, scale = 1, endless = 0, seconds = None, memory = None, positions = None, progress = None))]
#[allow(clippy::too_many_arguments)]
pub fn solve_spiel(
    py: Python<'_>,
    game: Bound<'_, PyAny>,
    key: Option<Bound<'_, PyAny>>,
    check: bool,
    scale: i32,
    endless: i32,
    seconds: Option<f64>,
    memory: Option<u64>,
    positions: Option<u64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<SpielSolution> {
    if scale < 1 {
        return Err(wrong(py, format!("found a scale of {scale}, expected at least 1")));
    }
    let limits = Limits { seconds, memory, positions, progress };
    let mut watch = Watch::new(py, &limits)?;
    let kept_key = key.clone().map(Bound::unbind);
    let mut all = Unfolding {
        key: Key(key),
        keys: Keys::default(),
        from: Vec::new(),
        facts: Vec::new(),
        outlooks: Vec::new(),
        check,
        scale,
        waiting: Vec::new(),
    };
    // The moves of each position, in the order in which they are expanded.
    let mut places: Vec<(u64, u32)> = Vec::new();
    let mut found: Vec<u32> = Vec::new();
    all.number(game.call_method0("new_initial_state")?, (0, 0))?;
    // The last one found comes first, so that few states wait.
    while let Some((number, state)) = all.waiting.pop() {
        watch.tick(py, all.from.len(), || all.bytes(found.len()))?;
        let state = state.into_bound(py);
        let actions: Vec<i64> = state.call_method0(intern!(py, "legal_actions"))?.extract()?;
        let first = found.len() as u64;
        for action in &actions {
            let after = child(&state, *action)?;
            found.push(all.number(after, (number, *action as i32))?);
        }
        if places.len() <= number as usize {
            places.resize(all.from.len().max(number as usize + 1), (0, 0));
        }
        places[number as usize] = (first, actions.len() as u32);
    }
    let count = all.from.len();
    places.resize(count, (0, 0));
    let mut unfolded = Unfolded::new();
    unfolded.targets.reserve_exact(found.len());
    for ((player, outcome), (first, moves)) in all.facts.iter().zip(&places) {
        unfolded
            .targets
            .extend_from_slice(&found[*first as usize..*first as usize + *moves as usize]);
        unfolded.offsets.push(unfolded.targets.len() as u64);
        unfolded.outcomes.push(outcome.map(Outcome));
        unfolded.turns.push(if *player == 1 { Side::Second } else { Side::First });
    }
    drop(found);
    drop(places);
    let Unfolding { keys, .. } = all;
    let (graph, worths) = unfolded.solve(py, &limits, endless)?;
    Ok(SpielSolution { game: game.unbind(), key: kept_key, keys, graph, worths, endless, scale })
}

/// The worth of every position of a game of OpenSpiel.
#[pyclass(frozen, mapping, module = "foregone.openspiel")]
pub struct SpielSolution {
    game: Py<PyAny>,
    key: Option<Py<PyAny>>,
    keys: Keys,
    graph: Arc<Graph>,
    worths: Vec<Worth>,
    endless: i32,
    scale: i32,
}

impl SpielSolution {
    fn number(&self, state: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        let key = Key(self.key.as_ref().map(|key| key.bind(state.py()).clone()));
        Ok(self.keys.find(key.digest(state)?))
    }

    fn known(&self, state: &Bound<'_, PyAny>) -> PyResult<u32> {
        self.number(state)?.ok_or_else(|| PyKeyError::new_err(state.to_string()))
    }

    /// The legal actions of a state with what they are worth to the player who acts. The state itself is asked: another
    /// one with the same key may have other actions.
    fn after(&self, state: &Bound<'_, PyAny>) -> PyResult<Vec<(i64, Worth)>> {
        let number = self.known(state)?;
        if self.graph.outcome(&number).is_some() {
            return Ok(Vec::new());
        }
        let mover = self.graph.turn(&number);
        let actions: Vec<i64> = state.call_method0("legal_actions")?.extract()?;
        let each = actions.into_iter().map(|action| {
            let to = self.known(&child(state, action)?)?;
            Ok((action, self.worths[to as usize].backed_up(self.graph.turn(&to), mover)))
        });
        each.collect()
    }
}

#[pymethods]
impl SpielSolution {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<PyAny> {
        self.game.clone_ref(py)
    }

    /// What the returns were multiplied by to make them whole.
    #[getter]
    fn scale(&self) -> i32 {
        self.scale
    }

    fn __len__(&self) -> usize {
        self.worths.len()
    }

    fn __contains__(&self, state: Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.number(&state)?.is_some())
    }

    /// The worth of a state for the player to move; at the end, for the first player.
    fn __getitem__<'p>(&self, state: Bound<'p, PyAny>) -> PyResult<Bound<'p, PyAny>> {
        worth(state.py(), self.worths[self.known(&state)? as usize], true)
    }

    /// The value of the start, for the player to move there.
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

    /// The worth of each legal action, for the player who acts.
    fn actions<'p>(&self, state: Bound<'p, PyAny>) -> PyResult<Bound<'p, PyDict>> {
        let out = PyDict::new(state.py());
        for (action, each) in self.after(&state)? {
            out.set_item(action, worth(state.py(), each, true)?)?;
        }
        Ok(out)
    }

    /// The best actions, by value and distance; by the value alone if `by_value`.
    #[pyo3(signature = (state, *, by_value = false))]
    fn best(&self, state: Bound<'_, PyAny>, by_value: bool) -> PyResult<Vec<i64>> {
        let number = self.known(&state)?;
        let endless = Outcome(self.endless).value_for(self.graph.turn(&number));
        let order = |worth: &Worth| match by_value {
            true => i64::from(worth.value().0),
            false => worth.key(endless),
        };
        let after = self.after(&state)?;
        let best = after.iter().map(|(_, worth)| order(worth)).max();
        let best = after.into_iter().filter(|(_, worth)| Some(order(worth)) == best);
        Ok(best.map(|(action, _)| action).collect())
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.game)?;
        self.key.as_ref().map_or(Ok(()), |key| visit.call(key))
    }

    /// Values and distances (-1 where play is endless) of all positions as arrays of numpy, for the player to move.
    fn arrays<'p>(&self, py: Python<'p>) -> PyResult<Bound<'p, PyTuple>> {
        crate::graph::arrays(py, &self.worths)
    }

    fn __repr__(&self) -> String {
        let distance = self.distance().map_or("None".to_owned(), |plies| plies.to_string());
        format!(
            "<SpielSolution of {} positions: value={}, distance={distance}>",
            self.worths.len(),
            self.value()
        )
    }
}
