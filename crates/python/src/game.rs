//! Games by their names, or from rules as text.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use foregone::any::{AnyGame, describe, name_of_rules};
use foregone::family::written_specification;
use foregone::record::threads::{each, lock};
use foregone::survey::{Wanted, survey};
use foregone::{Invalid, Method, Progress, Registry, Report, Request, Session, TextError};
use foregone_cli::{file_and_parameters, read_rules};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple, PyType};

use crate::answer::Answer;
use crate::errors::{invalid, wrong};
use crate::position::{Moves, Position, Solve};
use crate::proof::Proof;
use crate::running::{Limits, run};
use crate::table::Table;

pub static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

/// A game with its parameters.
#[pyclass(frozen, module = "foregone")]
pub struct Game {
    pub game: Arc<dyn AnyGame>,
    /// How to make it again.
    pub again: String,
    /// A session at the start, which keeps what was solved.
    start: Mutex<Box<dyn Session>>,
}

impl Game {
    pub fn new(py: Python<'_>, game: Arc<dyn AnyGame>, again: String) -> PyResult<Game> {
        let start = game.open(None, "").map_err(|error| invalid(py, &error))?;
        Ok(Game { game, again, start: Mutex::new(start) })
    }

    /// A session at the start.
    pub fn session(&self) -> Box<dyn Session> {
        lock(&self.start).fork()
    }

    /// Keeps what a session has found.
    fn keep(&self, session: &dyn Session) {
        let mut fork = session.fork();
        if fork.go(None, "").is_ok() {
            *lock(&self.start) = fork;
        }
    }
}

/// The game with this name, such as "kalah" or "kalah(pits=4,stones=3)", or in a file, such as "my-game.rules"; parameters
/// can be given by name.
#[pyfunction]
#[pyo3(signature = (name, /, **parameters))]
pub fn game(py: Python<'_>, name: &str, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let specification = with_parameters(name, parameters)?;
    if let Ok((file, given)) = file_and_parameters(&specification)
        && file.ends_with(RULES)
    {
        return of_text(py, file, &read(py, file)?, &given);
    }
    let game = REGISTRY.game(&specification).map_err(|error| invalid(py, &error))?;
    Game::new(py, game, specification)
}

/// So many positions of a game are worth the attempt to solve all of it first.
const MANY: usize = 5;

/// The time of this attempt.
const SOON: Duration = Duration::from_secs(3);

/// The ending of files with rules.
const RULES: &str = ".rules";

fn read(py: Python<'_>, file: &str) -> PyResult<String> {
    read_rules(file).map_err(|error| wrong(py, error))
}

/// A game from its text.
fn of_text(py: Python<'_>, name: &str, text: &str, given: &[(&str, &str)]) -> PyResult<Game> {
    let game = foregone::text_game(name, text, given).map_err(|error| match error {
        TextError::Text(problems) => wrong(py, problems.shown(name)),
        TextError::Parameter(error) => invalid(py, &error),
        other => wrong(py, other),
    })?;
    Game::new(py, game, written_specification(&name_of_rules(text), given))
}

/// The names of all games, families and texts that come with the package.
#[pyfunction]
pub fn games() -> Vec<String> {
    REGISTRY.names().map(str::to_owned).collect()
}

/// A game from its rules: their text, or a file whose name ends in .rules; parameters can be given by name.
#[pyfunction]
#[pyo3(signature = (text_or_path, /, name = None, **parameters))]
pub fn rules(
    py: Python<'_>,
    text_or_path: PathBuf,
    name: Option<&str>,
    parameters: Option<&Bound<'_, PyDict>>,
) -> PyResult<Game> {
    let given = texts(parameters)?;
    let given: Vec<_> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let given_text = text_or_path.to_string_lossy();
    match given_text.ends_with(RULES) && !given_text.contains('\n') {
        true => of_text(py, name.unwrap_or(&given_text), &read(py, &given_text)?, &given),
        false => of_text(py, name.unwrap_or("game"), &given_text, &given),
    }
}

fn texts(parameters: Option<&Bound<'_, PyDict>>) -> PyResult<Vec<(String, String)>> {
    let parameters = parameters.into_iter().flat_map(|given| given.iter());
    parameters
        .map(|(name, value)| Ok((name.extract()?, value.str()?.to_string().to_lowercase())))
        .collect()
}

/// `name(a=1,b=2)`, from `name` or `name(a=1)`.
fn with_parameters(name: &str, parameters: Option<&Bound<'_, PyDict>>) -> PyResult<String> {
    let given = texts(parameters)?;
    let given: Vec<_> = given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let added = written_specification("", &given);
    Ok(match (name.strip_suffix(')'), added.strip_prefix('(')) {
        (Some(begun), Some(more)) => format!("{begun},{more}"),
        _ => name.to_owned() + &added,
    })
}

#[pymethods]
impl Game {
    /// The name with all parameters.
    #[getter]
    pub fn name(&self) -> String {
        self.game.specification()
    }

    /// The name for people.
    #[getter]
    fn title(&self) -> String {
        self.game.title().to_owned()
    }

    /// What its values count.
    #[getter]
    fn unit(&self) -> String {
        self.game.unit().to_owned()
    }

    /// The names of both sides, the first player's first.
    #[getter]
    fn sides(&self) -> (String, String) {
        let [first, second] = self.game.sides();
        (first.to_owned(), second.to_owned())
    }

    /// What it is about, in words.
    #[getter]
    fn summary(&self) -> String {
        self.game.about().summary.to_string()
    }

    /// The rules in plain English, how the game is set up, who plays, and how moves and positions are written.
    #[getter]
    fn description(&self) -> String {
        describe::rules(&*self.game)
    }

    /// How many numbers there are for moves; `None` if its moves have no numbers.
    #[getter]
    fn actions(&self) -> Option<usize> {
        self.game.actions()
    }

    /// The largest value that a result can have.
    #[getter]
    fn max_value(&self) -> i32 {
        self.game.max_value()
    }

    /// The position that it starts from.
    #[getter]
    fn start(slf: &Bound<'_, Self>) -> Position {
        Position::new(slf, slf.get().session())
    }

    /// A position, in the game's notation, after some moves.
    #[pyo3(signature = (text = None, *, moves = None))]
    fn position(
        slf: &Bound<'_, Self>,
        text: Option<&str>,
        moves: Option<Moves>,
    ) -> PyResult<Position> {
        let mut session = slf.get().session();
        let moves = moves.unwrap_or_default();
        session.go(text, &moves.text()).map_err(|error| invalid(slf.py(), &error))?;
        Ok(Position::new(slf, session))
    }

    /// Solves a position, the start if none is given; `moves` are made first.
    ///
    /// - `method`: auto, strong (every position that can arise), table, search, proof, or one that looks ahead by `depth`
    ///   plies (minimax, alphabeta).
    /// - `seconds`, `memory` (bytes): limits. A run that reaches one gives the bounds that are proven.
    /// - `threads`: how many search together, where the method can use them.
    /// - `distances`: plies, too, where only values would be found.
    /// - `value_only`: the value without the moves and the line, which is faster.
    /// - `estimate`: where nothing can be proven, give each move a chance, by random games.
    /// - `progress`: a function of phase, positions done, and all positions or None; True for a bar.
    #[pyo3(signature = (*, position = None, moves = None, method = "auto", seconds = None, memory = None, threads = 1, depth = None, distances = false, value_only = false, estimate = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn solve(
        slf: &Bound<'_, Self>,
        position: Option<&str>,
        moves: Option<Moves>,
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
        let mut session = slf.get().session();
        session
            .go(position, &moves.unwrap_or_default().text())
            .map_err(|error| invalid(slf.py(), &error))?;
        let (session, answer) = solve.run(slf.py(), session)?;
        slf.get().keep(&*session);
        Ok(answer)
    }

    /// Solves many positions, given as texts or as positions of this game, and returns an answer for each, in their order.
    ///
    /// If the game is small, all of it is solved once. What is not known within the limits has no value: see
    /// `Answer.halted`.
    ///
    /// - `seconds`: the time for each position; None for as long as it takes.
    /// - `threads`: how many positions are solved at once.
    /// - `memory` (bytes): the limit for each thread.
    /// - `value_only`, `distances`, `estimate`, `progress`: as for `solve`; the progress counts positions of the list.
    #[pyo3(signature = (positions, *, seconds = None, memory = None, threads = 1, distances = false, value_only = false, estimate = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn solve_many(
        slf: &Bound<'_, Self>,
        positions: &Bound<'_, PyAny>,
        seconds: Option<f64>,
        memory: Option<u64>,
        threads: usize,
        distances: bool,
        value_only: bool,
        estimate: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Vec<Answer>> {
        let py = slf.py();
        if threads == 0 {
            return Err(wrong(py, "found 0 threads, expected at least 1"));
        }
        let texts = positions.try_iter()?.map(|each| Ok(each?.str()?.to_string()));
        let texts = texts.collect::<PyResult<Vec<String>>>()?;
        let time = Limits { seconds, ..Limits::default() }.time(py)?;
        let request = Request::default()
            .with_moves(!value_only)
            .with_line(!value_only)
            .with_distances(distances)
            .with_estimate(estimate);
        let start = Mutex::new(slf.get().session());
        let limits = Limits { memory, progress, ..Limits::default() };
        let (solved, start) = run(py, &limits, move |control| {
            if texts.len() >= MANY {
                let request = Request::default().with_method(Method::Strong).with_line(false);
                let soon = control.clone().with_time(time.map_or(SOON, |time| time.min(SOON)));
                lock(&start).solve(&request, &soon);
            }
            let done = AtomicU64::new(0);
            let solve = |at: usize| {
                let mut session = lock(&start).fork();
                session.go(Some(&texts[at]), "").map_err(|why| (at, why))?;
                let quiet = control.clone().with_listener(Arc::new(|_| {}));
                let report = session.solve(&request, &quiet.with_time(time));
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                let total = Some(texts.len() as u64);
                // If this ends the run, what follows ends at once.
                let _ = control.report(Progress { phase: "solving", done, total, bounds: None });
                Ok((session, report))
            };
            let solved: Vec<Result<_, (usize, Invalid)>> = each(threads, texts.len(), &solve);
            (solved, start)
        })?;
        slf.get().keep(&**lock(&start));
        let answer = |solved: Result<(Box<dyn Session>, Report), (usize, Invalid)>| match solved {
            Ok((session, report)) => Answer::new(py, &*session, report),
            Err((at, why)) => {
                let found = format!("position {at}: {}", why.found);
                Err(invalid(py, &Invalid::new(found, why.expected)))
            }
        };
        solved.into_iter().map(answer).collect()
    }

    /// Reports what the game is like, as a dict with the fields of docs/json.md: who wins, how long games last, how many
    /// decisions count. docs/report.md defines every number.
    ///
    /// - `positions`: a game with more is judged by games of players alone.
    /// - `games`, `puzzles`, `seed`: how many, and which.
    /// - `seconds`: the time to solve the first position, if not all positions are solved.
    #[pyo3(signature = (*, positions = None, games = None, puzzles = None, seed = None, seconds = None, memory = None, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn report<'py>(
        slf: &Bound<'py, Self>,
        positions: Option<u64>,
        games: Option<u32>,
        puzzles: Option<usize>,
        seed: Option<u64>,
        seconds: Option<f64>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let usual = Wanted::default();
        let mut wanted = usual;
        wanted.positions = positions.unwrap_or(usual.positions);
        wanted.games = games.unwrap_or(usual.games);
        wanted.puzzles = puzzles.unwrap_or(usual.puzzles);
        wanted.seed = seed.unwrap_or(usual.seed);
        let time = Limits { seconds, ..Limits::default() }.time(py)?;
        wanted.time = time.unwrap_or(usual.time);
        let game = slf.get().game.clone();
        let limits = Limits { memory, progress, ..Limits::default() };
        let found = run(py, &limits, move |control| {
            let found = survey(&*game, &mut *game.session(), wanted, control, &mut |_| {});
            serde_json::to_string(&found)
        })?;
        let text = found.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        py.import("json")?.call_method1("loads", (text,))
    }

    /// Builds a table of every position in a file, or goes on with one that was begun.
    ///
    /// - `values`: what it stores: wdl, score, score+distance or score+rank; None for the most that the game allows.
    /// - `layers`: the number of layers, from the end of the game.
    /// - `threads`, `memory` (bytes): as for `solve`; too little memory raises MemoryLimit.
    /// - `all`: in a game that loops, positions that only come after a win at once was passed over are kept as well.
    /// - `force`: replaces a file, and what was begun.
    #[pyo3(signature = (path, *, values = None, layers = None, threads = 1, memory = None, all = false, force = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn build_table(
        slf: Py<Self>,
        py: Python<'_>,
        path: PathBuf,
        values: Option<&str>,
        layers: Option<u32>,
        threads: usize,
        memory: Option<u64>,
        all: bool,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Table> {
        let how = (force, all);
        crate::table::build_table(py, slf, path, values, layers, threads, memory, how, progress)
    }

    /// Makes a proof of a position's value in a file, of the start if none is given; or of a claim: the player, 0 or 1,
    /// and the least value that it gets. `force` replaces a file.
    #[pyo3(signature = (path, *, position = None, moves = None, claim = None, seconds = None, memory = None, force = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn prove(
        slf: Py<Self>,
        py: Python<'_>,
        path: PathBuf,
        position: Option<&str>,
        moves: Option<Moves>,
        claim: Option<(usize, i32)>,
        seconds: Option<f64>,
        memory: Option<u64>,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Proof> {
        crate::proof::prove(py, slf, path, position, moves, claim, seconds, memory, force, progress)
    }

    /// Pickles as the name, or as the rules.
    fn __reduce__<'p>(slf: &Bound<'p, Self>) -> PyResult<(Bound<'p, PyAny>, (String,))> {
        let make = slf.py().import("foregone")?.getattr("game")?;
        Ok((make, (slf.get().again.clone(),)))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Game>().is_ok_and(|other| self.is_same(other.get()))
    }

    fn __hash__(&self) -> u64 {
        self.hashed()
    }

    fn __repr__(&self) -> String {
        let name = self.game.specification();
        match self.again.starts_with("rules:") {
            true => format!("<game {name} from rules>"),
            false => format!("foregone.game({name:?})"),
        }
    }

    fn __str__(&self) -> String {
        self.game.specification()
    }

    /// Refuses the constructor with a hint.
    #[new]
    #[pyo3(signature = (*_arguments, **_named))]
    #[classmethod]
    fn refuse(
        class: &Bound<'_, PyType>,
        _arguments: &Bound<'_, PyTuple>,
        _named: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Game> {
        Err(wrong(class.py(), "games are made by foregone.game(\"name\") or foregone.rules(text)"))
    }
}

impl Game {
    /// A hash of what is the same in games that are the same.
    pub fn hashed(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        let id = self.game.id();
        (id.name, id.rules).hash(&mut hasher);
        hasher.finish()
    }

    /// Whether it is the same game by the same rules.
    pub fn is_same(&self, other: &Game) -> bool {
        let (a, b) = (self.game.id(), other.game.id());
        a.name == b.name && a.rules == b.rules
    }
}
