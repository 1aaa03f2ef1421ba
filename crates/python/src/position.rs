//! Positions: immutable, with the moves from there, pictures, and answers.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Mutex, PoisonError};

use foregone::any::describe;
use foregone::sample::Dice;
use foregone::{Method, Request, Session};
use foregone_page::draw::svg;
use foregone_page::players::{Who, choose};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::answer::{Answer, MoveAnswer};
use crate::errors::{halted, invalid, wrong};
use crate::game::Game;
use crate::running::{Limits, run};

/// How many plies alpha-beta and minimax look ahead, as `foregone match` has it.
const DEPTH: u32 = 4;

/// Moves as one text, with spaces or commas between, or as a list of texts.
pub enum Moves {
    Text(String),
    List(Vec<String>),
}

impl<'py> FromPyObject<'_, 'py> for Moves {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Moves> {
        if let Ok(text) = given.extract() {
            return Ok(Moves::Text(text));
        }
        given.extract().map(Moves::List).map_err(|_| {
            let found = found(&given);
            PyTypeError::new_err(format!(
                "found {found}, expected moves as a text, such as \"1 2\", or as a list of texts"
            ))
        })
    }
}

/// How an object looks in an error.
pub fn found(object: &Bound<'_, PyAny>) -> String {
    let shown = object.repr().map_or("?".to_owned(), |text| text.to_string());
    shown.chars().take(200).collect()
}

impl Default for Moves {
    fn default() -> Moves {
        Moves::Text(String::new())
    }
}

impl Moves {
    pub fn text(&self) -> String {
        match self {
            Moves::Text(text) => text.clone(),
            Moves::List(list) => list.join(","),
        }
    }

    /// The moves, one by one.
    fn each(&self) -> Vec<&str> {
        let between = |c: char| c.is_whitespace() || c == ',';
        match self {
            Moves::Text(text) => text.split(between).filter(|word| !word.is_empty()).collect(),
            Moves::List(list) => list.iter().map(String::as_str).collect(),
        }
    }
}

/// The arguments of `solve`.
pub struct Solve<'a> {
    pub method: &'a str,
    pub seconds: Option<f64>,
    pub memory: Option<u64>,
    pub threads: usize,
    pub depth: Option<u32>,
    pub distances: bool,
    pub value_only: bool,
    pub estimate: bool,
    pub progress: Option<Py<PyAny>>,
}

impl Solve<'_> {
    /// Solves; a halted run is an answer too, but a request that no limit would make possible is an error.
    pub fn run(
        self,
        py: Python<'_>,
        mut session: Box<dyn Session>,
    ) -> PyResult<(Box<dyn Session>, Answer)> {
        let method: Method = self.method.parse().map_err(|error| invalid(py, &error))?;
        if self.threads == 0 {
            return Err(wrong(py, "found 0 threads, expected at least 1"));
        }
        let request = Request::default()
            .with_method(method)
            .with_depth(self.depth)
            .with_threads(self.threads)
            .with_moves(!self.value_only)
            .with_line(!self.value_only)
            .with_distances(self.distances)
            .with_estimate(self.estimate);
        let limits = Limits {
            seconds: self.seconds,
            memory: self.memory,
            progress: self.progress,
            ..Limits::default()
        };
        let (session, report) = run(py, &limits, move |control| {
            let report = session.solve(&request, control);
            (session, report)
        })?;
        if let Some(why) = report.halted.as_ref().filter(|why| why.is_wrong_request()) {
            return Err(halted(py, why));
        }
        let answer = Answer::new(py, &*session, report)?;
        Ok((session, answer))
    }
}

/// How pickle makes something again: a function and its arguments.
pub type Again<'p, A> = (Bound<'p, PyAny>, A);

/// A position of a game. It does not change: a move gives another one.
#[pyclass(frozen, module = "foregone")]
pub struct Position {
    game: Py<Game>,
    session: Mutex<Box<dyn Session>>,
    text: String,
}

impl Position {
    pub fn new(game: &Bound<'_, Game>, session: Box<dyn Session>) -> Position {
        let text = session.position();
        Position { game: game.clone().unbind(), session: Mutex::new(session), text }
    }

    fn with<T>(&self, look: impl FnOnce(&dyn Session) -> T) -> T {
        look(&**self.session.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn fork(&self) -> Box<dyn Session> {
        self.with(|session| session.fork())
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    pub fn rules(&self) -> &Py<Game> {
        &self.game
    }
}

#[pymethods]
impl Position {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The number of the side to move: 0 for the first player, 1 for the second. Also if the game is over.
    #[getter]
    fn turn(&self) -> usize {
        self.with(|session| session.turn().index())
    }

    /// The name of the side to move.
    #[getter]
    fn to_move(&self) -> String {
        let turn = self.turn();
        self.game.get().game.sides()[turn].to_owned()
    }

    /// The result, seen by the first player; `None` if the game is not over.
    #[getter]
    fn outcome(&self) -> Option<i32> {
        self.with(|session| session.outcome().map(|outcome| outcome.0))
    }

    /// Whether the game is over.
    #[getter]
    fn is_over(&self) -> bool {
        self.outcome().is_some()
    }

    /// The legal moves.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.with(|session| session.moves())
    }

    /// The numbers of the legal moves, in their order, below `game.actions`; `None` if moves have no numbers.
    #[getter]
    fn actions(&self) -> Option<Vec<usize>> {
        self.with(|session| session.actions())
    }

    /// What stands on the board as numbers, for learning, as many for every position: for each cell the kind of its piece,
    /// from 1, negative if the second player owns it, and 0 if it is empty; then other numbers, such as men in hand. In
    /// games of pits the numbers of stones.
    #[getter]
    fn cells(&self) -> Vec<i16> {
        self.with(|session| session.contents())
    }

    /// The moves made since the start, or since the position that was given.
    #[getter]
    fn played(&self) -> Vec<String> {
        self.with(|session| session.played())
    }

    /// The position after one move, or several, as a list or with spaces or commas between.
    fn play(&self, py: Python<'_>, moves: Moves) -> PyResult<Position> {
        let mut session = self.fork();
        for text in moves.each() {
            session.play(text).map_err(|error| invalid(py, &error))?;
        }
        Ok(Position::new(self.game.bind(py), session))
    }

    /// Solves the position; the options are those of `Game.solve`.
    #[pyo3(signature = (*, method = "auto", seconds = None, memory = None, threads = 1, depth = None, distances = false, value_only = false, estimate = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        &self,
        py: Python<'_>,
        method: &str,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: usize,
        depth: Option<u32>,
        distances: bool,
        value_only: bool,
        estimate: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Answer> {
        let solve = Solve {
            method,
            seconds,
            memory,
            threads,
            depth,
            distances,
            value_only,
            estimate,
            progress,
        };
        let (session, answer) = solve.run(py, self.fork())?;
        *self.session.lock().unwrap_or_else(PoisonError::into_inner) = session;
        Ok(answer)
    }

    /// The move that a player of Foregone chooses: "random", "first", "easy", "medium", "hard", or "mcts", "deepening" and
    /// "perfect", which think for so many seconds. The choice is by chance from `seed`, for each position anew.
    #[pyo3(signature = (player, *, seed = 0, seconds = 1.0, memory = None))]
    fn choose(
        &self,
        py: Python<'_>,
        player: &str,
        seed: u64,
        seconds: Option<f64>,
        memory: Option<u64>,
    ) -> PyResult<String> {
        let who = Who::parse(player).map_err(|why| wrong(py, why))?;
        let Some(player) = who.player(DEPTH) else {
            return Err(wrong(
                py,
                "found \"human\", expected a player of Foregone, such as \"easy\"",
            ));
        };
        if self.is_over() {
            return Err(wrong(py, format!("the game is over at {}", self.text)));
        }
        let seconds = seconds.filter(|_| player.takes_time());
        let limits = Limits { seconds, memory, ..Limits::default() };
        let mut dice = Dice::new(seed);
        let mut dice = self.text.bytes().fold(Dice::new(dice.roll()), |mut dice, byte| {
            Dice::new(dice.roll() ^ u64::from(byte))
        });
        let mut session = self.fork();
        let chosen =
            run(py, &limits, move |control| choose(player, &mut *session, &mut dice, control))?;
        chosen.map(|chosen| chosen.choice.mv).map_err(|why| halted(py, &why))
    }

    /// The position in plain English: the board, the last move, who is to move, and the legal moves or how the game ended.
    #[getter]
    fn description(&self) -> String {
        self.with(|session| describe::position(&*self.game.get().game, session))
    }

    /// The board as text.
    #[getter]
    fn picture(&self) -> String {
        self.with(|session| session.drawing().to_string())
    }

    /// The board as an SVG picture.
    fn svg(&self) -> String {
        self.with(|session| svg::file(&session.scene(), &session.position()))
    }

    fn _repr_svg_(&self) -> String {
        self.svg()
    }

    /// Pickles as the game and the position's notation, or its moves.
    fn __reduce__<'p>(slf: &Bound<'p, Self>) -> PyResult<Again<'p, (Py<Game>, String)>> {
        let make = slf.py().import("foregone")?.getattr("_position")?;
        Ok((make, (slf.get().game.clone_ref(slf.py()), slf.get().text.clone())))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Position>().is_ok_and(|other| {
            let other = other.get();
            self.text == other.text && self.game.get().is_same(other.game.get())
        })
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.text, self.game.get().hashed()).hash(&mut hasher);
        hasher.finish()
    }

    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let game = self.game.bind(py).repr()?;
        Ok(format!("{game}.position({})", PyString::new(py, &self.text).repr()?))
    }

    #[new]
    #[pyo3(signature = (*_arguments))]
    fn refuse(_arguments: &Bound<'_, pyo3::types::PyTuple>) -> PyResult<Position> {
        Err(PyTypeError::new_err("positions are made by game.start or game.position(text)"))
    }
}

/// A table of all moves for a notebook.
pub fn table(py: Python<'_>, answer: &Answer) -> PyResult<String> {
    let mut out = format!("<p>{}</p>", escaped(&answer.words()));
    if !answer.moves(py).is_empty() {
        out += "<table><tr><th>move</th><th>result</th><th>plies</th></tr>";
        for each in answer.moves(py) {
            let each = each.cast::<MoveAnswer>()?.get();
            let [words, plies] = each.cells(answer.unit());
            let name = escaped(each.name());
            let name = match answer.is_best(py, each.name())? {
                true => format!("<b>{name}</b>"),
                false => name,
            };
            out += &format!("<tr><td>{name}</td><td>{}</td><td>{plies}</td></tr>", escaped(&words));
        }
        out += "</table>";
    }
    Ok(out)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
