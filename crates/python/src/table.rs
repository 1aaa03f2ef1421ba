//! Tables of every position: built, looked up one position or a million at a time, checked.

use std::path::PathBuf;

use foregone::any::{AnyTables, Unprobed};
use foregone::check::{Effort, Verdict};
use foregone::record::{Table as File, Values};
use foregone::tables::Plan;
use foregone::{Method, Request, Session, Worth};
use numpy::PyArray1;
use pyo3::exceptions::{PyKeyError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::block::Source;
use crate::errors::{failed, file, invalid, wrong};
use crate::files::{Opened, game_of, make_room};
use crate::game::Game;
use crate::graph::numpy;
use crate::own;
use crate::position::{Again, Position, found};
use crate::proof::Checked;
use crate::running::{Limits, run};

/// A position as a `Position` or in the game's notation.
pub enum At<'p> {
    Position(Bound<'p, Position>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for At<'py> {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<At<'py>> {
        if let Ok(text) = given.extract() {
            return Ok(At::Text(text));
        }
        given.cast::<Position>().map(|position| At::Position(position.to_owned())).map_err(|_| {
            let found = found(&given);
            PyTypeError::new_err(format!(
                "found {found}, expected a Position, or a position as text"
            ))
        })
    }
}

impl At<'_> {
    /// The position as text; an error if it is one of another game.
    fn text_in(&self, py: Python<'_>, game: &Game) -> PyResult<&str> {
        match self {
            At::Text(text) => Ok(text),
            At::Position(position) => {
                let of = position.get().rules();
                match of.get().is_same(game) {
                    true => Ok(position.get().text()),
                    false => Err(wrong(
                        py,
                        format!(
                            "found a position of {}, expected one of {}",
                            of.get().name(),
                            game.name()
                        ),
                    )),
                }
            }
        }
    }
}

/// A table of every position of a game, in a file. After a `with` block it is closed.
#[pyclass(frozen, mapping, module = "foregone")]
pub struct Table {
    game: Py<Game>,
    file: Opened,
}

/// The tables of a game that has them.
fn tables<'g>(py: Python<'_>, game: &'g Game) -> PyResult<&'g dyn AnyTables> {
    game.game.tables().ok_or_else(|| {
        wrong(
            py,
            format!(
                "{} has no tables: its positions have no numbers and no keys",
                game.game.specification()
            ),
        )
    })
}

/// Opens a table; its game is the one that it names.
#[pyfunction]
#[pyo3(signature = (path, game = None))]
pub fn open_table(py: Python<'_>, path: PathBuf, game: Option<Py<Game>>) -> PyResult<Table> {
    let table = File::open(&path).map_err(|error| file(py, &path, error))?;
    if table.manifest().proof.is_some() {
        return Err(wrong(py, format!("{} is a proof, expected a table", path.display())));
    }
    let game = match game {
        Some(game) => game,
        None => game_of(py, &table)?,
    };
    tables(py, game.get())?.is_of(&table).map_err(|error| file(py, &path, error))?;
    Ok(Table { game, file: Opened::new(table, path) })
}

/// Builds the table of a game, or goes on with an unfinished one.
#[allow(clippy::too_many_arguments)]
pub fn build_table(
    py: Python<'_>,
    game: Py<Game>,
    path: PathBuf,
    values: Option<&str>,
    layers: Option<u32>,
    threads: usize,
    memory: Option<u64>,
    (force, all): (bool, bool),
    progress: Option<Py<PyAny>>,
) -> PyResult<Table> {
    let engine = tables(py, game.get())?;
    let values = match values {
        None => engine.usual(),
        Some(name) => {
            let found = Values::ALL.iter().find(|(each, _)| *each == name);
            let names: Vec<_> = Values::ALL.iter().map(|(each, _)| *each).collect();
            let expected =
                || wrong(py, format!("found `{name}`, expected values: {}", names.join(", ")));
            found.ok_or_else(expected)?.1
        }
    };
    if layers == Some(0) || threads == 0 {
        return Err(wrong(py, "found 0, expected at least 1 layer and 1 thread"));
    }
    make_room(&path, force)?;
    let plan = Plan { values, layers, threads, all };
    let limits = Limits { memory, progress, ..Limits::default() };
    let (built, target) = (game.get().game.clone(), path.clone());
    run(py, &limits, move |control| {
        let engine = built.tables().expect("it was there before");
        engine.build(&target, &plan, control, &mut |_, _| {})
    })?
    .map_err(|why| failed(py, &path, why))?;
    open_table(py, path, Some(game))
}

impl Table {
    fn engine(&self) -> &dyn AnyTables {
        self.game.get().game.tables().expect("a table was opened only if the game has them")
    }

    fn one(&self, py: Python<'_>, table: &File, at: &At<'_>) -> PyResult<Option<Worth>> {
        let text = at.text_in(py, self.game.get())?.to_owned();
        self.many(py, table, vec![text]).map(|worths| worths[0])
    }

    fn many(
        &self,
        py: Python<'_>,
        table: &File,
        texts: Vec<String>,
    ) -> PyResult<Vec<Option<Worth>>> {
        let engine = self.engine();
        let found = py.detach(|| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            engine.probe_all(table, &texts)
        });
        found.map_err(|error| match error {
            Unprobed::File(error) => file(py, &self.file.path, error),
            other => wrong(py, other),
        })
    }
}

fn has_distances(table: &File) -> bool {
    table.manifest().values == Values::ScoreDistance
}

/// The distance as arrays have it: -1 if play is endless, or the table has none.
pub fn plies(table: &File, worth: Worth) -> i32 {
    let plies = worth.distance().plies().filter(|_| has_distances(table));
    plies.map_or(-1, |plies| plies as i32)
}

fn count(table: &File) -> u64 {
    table.manifest().layers.iter().map(|layer| layer.positions).sum()
}

#[pymethods]
impl Table {
    /// The game.
    #[getter]
    fn game(&self, py: Python<'_>) -> Py<Game> {
        self.game.clone_ref(py)
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.file.path.clone()
    }

    /// What it stores: wdl, score, score+distance or score+rank.
    #[getter]
    fn stores(&self) -> PyResult<&'static str> {
        Ok(self.file.get()?.manifest().values.name())
    }

    /// The number of its layers.
    #[getter]
    fn layers(&self) -> PyResult<usize> {
        Ok(self.file.get()?.manifest().layers.len())
    }

    /// The size of the file in bytes.
    #[getter]
    fn bytes(&self) -> PyResult<u64> {
        Ok(self.file.get()?.size()?)
    }

    fn __len__(&self) -> PyResult<usize> {
        Ok(count(&*self.file.get()?) as usize)
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) {
        self.file.close();
    }

    /// The table for other programs, as a stream of Arrow: see `foregone.arrays.Batch.arrow`.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'p>(
        slf: &Bound<'p, Self>,
        requested_schema: Option<Bound<'p, PyAny>>,
    ) -> PyResult<Bound<'p, PyAny>> {
        let stream = slf.py().import("foregone.arrays")?.getattr("stream")?;
        stream.call1((slf, requested_schema))
    }

    fn __getitem__<'p>(&self, py: Python<'p>, position: At<'p>) -> PyResult<Bound<'p, PyAny>> {
        let table = self.file.get()?;
        match self.one(py, &table, &position)? {
            Some(worth) => own::worth(py, worth, has_distances(&table)),
            None => Err(PyKeyError::new_err(position.text_in(py, self.game.get())?.to_owned())),
        }
    }

    #[pyo3(signature = (position, default = None))]
    fn get<'p>(
        &self,
        py: Python<'p>,
        position: At<'p>,
        default: Option<Bound<'p, PyAny>>,
    ) -> PyResult<Option<Bound<'p, PyAny>>> {
        let table = self.file.get()?;
        match self.one(py, &table, &position)? {
            Some(worth) => own::worth(py, worth, has_distances(&table)).map(Some),
            None => Ok(default),
        }
    }

    fn __contains__(&self, py: Python<'_>, position: At<'_>) -> PyResult<bool> {
        Ok(self.one(py, &*self.file.get()?, &position)?.is_some())
    }

    /// Values and distances of many positions, as arrays of numpy. A distance is -1 if play is endless, or the table
    /// has no distances.
    fn probe<'p>(
        &self,
        py: Python<'p>,
        positions: &Bound<'p, PyAny>,
    ) -> PyResult<Bound<'p, PyTuple>> {
        numpy(py)?;
        let mut texts = Vec::with_capacity(positions.len().unwrap_or(0));
        for each in positions.try_iter()? {
            let at = each?.extract::<At<'_>>()?;
            texts.push(at.text_in(py, self.game.get())?.to_owned());
        }
        let table = self.file.get()?;
        let worths = self.many(py, &table, texts)?;
        if let Some(at) = worths.iter().position(Option::is_none) {
            return Err(PyKeyError::new_err(format!("position {at} is not in the table")));
        }
        let worths: Vec<_> = worths.into_iter().flatten().collect();
        let values = PyArray1::from_iter(py, worths.iter().map(|worth| worth.value().0));
        let distances = PyArray1::from_iter(py, worths.iter().map(|worth| plies(&table, *worth)));
        PyTuple::new(py, [values, distances])
    }

    /// The answer for a position, with all moves and a line, from the table alone.
    #[pyo3(signature = (position = None))]
    fn solve(&self, py: Python<'_>, position: Option<At<'_>>) -> PyResult<crate::answer::Answer> {
        let mut session: Box<dyn Session> = self.game.get().session();
        session.consult(self.file.get()?);
        let text = position.as_ref().map(|at| at.text_in(py, self.game.get())).transpose()?;
        session.go(text, "").map_err(|error| invalid(py, &error))?;
        let request = Request::default().with_method(Method::Table);
        let (session, report) = run(py, &Limits::default(), move |control| {
            let report = session.solve(&request, control);
            (session, report)
        })?;
        if let Some(why) = &report.halted {
            return Err(crate::errors::halted(py, why));
        }
        crate::answer::Answer::new(py, &*session, report)
    }

    /// The number of blocks of each layer: what `block` takes.
    fn blocks(&self) -> PyResult<Vec<u64>> {
        Ok(self.file.get()?.manifest().layers.iter().map(|layer| layer.blocks()).collect())
    }

    /// All positions in arrays of up to `size`: see `foregone.arrays.batches`.
    #[pyo3(signature = (size = 65_536, *, encode = None, possible = false))]
    fn batches<'p>(
        slf: &Bound<'p, Self>,
        size: usize,
        encode: Option<&Bound<'p, PyAny>>,
        possible: bool,
    ) -> PyResult<Bound<'p, PyAny>> {
        let batches = slf.py().import("foregone.arrays")?.getattr("batches")?;
        batches.call1((slf, size, encode, possible))
    }

    /// One block of a layer: numbers, values, distances of its positions; and positions by `encode` (text or cells)
    /// with turns, or `None`; `possible` as for `batches`.
    #[pyo3(signature = (layer, block, encode = None, possible = false))]
    fn block<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        block: u64,
        encode: Option<&str>,
        possible: bool,
    ) -> PyResult<Bound<'p, PyTuple>> {
        let table = self.file.get()?;
        let source = Source { engine: self.engine(), table: &table, path: &self.file.path };
        source.block(py, layer, block, encode, possible)
    }

    /// Derives every entry again from the rules: `right`, `why`, and the position of a flaw.
    #[pyo3(signature = (threads = 1, memory = None, progress = None))]
    fn verify(
        &self,
        py: Python<'_>,
        threads: usize,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Checked> {
        let default = Effort::default();
        let effort =
            Effort { threads: threads.max(1), memory: memory.unwrap_or(default.memory), ..default };
        let (game, table) = (self.game.get().game.clone(), self.file.get()?);
        let total = count(&table);
        let limits = Limits { progress, ..Limits::default() };
        let verdict = run(py, &limits, move |control| {
            let engine = game.tables().expect("it was there before");
            engine.verify(&table, effort, &|done| {
                let progress = foregone::Progress {
                    phase: "checking",
                    done,
                    total: Some(total),
                    bounds: None,
                };
                control.report(progress).is_ok()
            })
        })?;
        let flawed = |why| Checked { right: false, why: Some(why), positions: None };
        Ok(match verdict.map_err(|error| file(py, &self.file.path, error))? {
            Verdict::Right(_) => Checked { right: true, why: None, positions: Some(total) },
            Verdict::False(flaw) => flawed(flaw.to_string()),
            Verdict::Unshown(unshown) => flawed(unshown.to_string()),
        })
    }

    /// Pickles as the file's path.
    fn __reduce__<'p>(slf: &Bound<'p, Self>) -> PyResult<Again<'p, (PathBuf,)>> {
        slf.get().file.again(slf.py(), "open_table")
    }

    fn __repr__(&self) -> String {
        let game = self.game.get().game.specification();
        match self.file.get() {
            Ok(table) => {
                let stores = table.manifest().values.name();
                format!("<Table of {game}: {} positions, {stores}>", count(&table))
            }
            Err(_) => format!("<Table of {game}, closed>"),
        }
    }
}
