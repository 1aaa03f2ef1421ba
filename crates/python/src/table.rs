//! Tables of every position: built, looked up one position or a million at a time, read as arrays, checked.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use foregone::any::{AnyTables, Unprobed};
use foregone::check::{Effort, Verdict};
use foregone::record::write::unfinished;
use foregone::record::{Table as File, Values};
use foregone::tables::Plan;
use foregone::{Method, Request, Session, Worth};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::{PyIndexError, PyKeyError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};

use crate::errors::{failed, file, invalid, wrong};
use crate::game::{Game, REGISTRY};
use crate::graph::numpy;
use crate::own;
use crate::position::Position;
use crate::proof::Checked;
use crate::running::{Limits, run};

/// A position as a `Position` or in the game's notation.
#[derive(FromPyObject)]
pub enum At<'p> {
    Position(Bound<'p, Position>),
    Text(String),
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

/// A table of every position of a game, in a file.
#[pyclass(frozen, mapping, module = "foregone")]
pub struct Table {
    game: Py<Game>,
    table: Arc<File>,
    path: PathBuf,
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
    Ok(Table { game, table: Arc::new(table), path })
}

/// The game of a file.
pub fn game_of(py: Python<'_>, table: &File) -> PyResult<Py<Game>> {
    let id = table.manifest().id();
    let game = REGISTRY.game_of_file(id).map_err(|error| wrong(py, error))?;
    let again = match id.rules {
        None => id.name.to_owned(),
        Some(rules) => {
            let parameters = id.name.find('(').map_or("", |at| &id.name[at..]);
            foregone::any::name_of_rules(rules) + parameters
        }
    };
    Py::new(py, Game::new(py, game, again)?)
}

/// Makes room for a new file: if `force`, also where there is one, or where one was begun.
pub fn make_room(path: &Path, force: bool) -> PyResult<()> {
    if !force && path.exists() {
        let why = format!("{} exists: give force=True to replace it", path.display());
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, why).into());
    }
    if !force {
        return Ok(());
    }
    let begun = unfinished(path);
    if begun.is_dir() {
        std::fs::remove_dir_all(&begun)?;
    } else if begun.exists() {
        std::fs::remove_file(&begun)?;
    }
    Ok(())
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
    force: bool,
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
    let plan = Plan { values, layers, threads };
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

    fn has_distances(&self) -> bool {
        self.table.manifest().values == Values::ScoreDistance
    }

    fn one(&self, py: Python<'_>, at: &At<'_>) -> PyResult<Option<Worth>> {
        self.many(py, vec![at.text_in(py, self.game.get())?.to_owned()]).map(|worths| worths[0])
    }

    fn many(&self, py: Python<'_>, texts: Vec<String>) -> PyResult<Vec<Option<Worth>>> {
        let (game, table) = (&self.game.get().game, &self.table);
        let found = py.detach(|| {
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            game.tables().expect("it was there before").probe_all(table, &texts)
        });
        found.map_err(|error| match error {
            Unprobed::Position { .. } => wrong(py, error),
            Unprobed::File(error) => file(py, &self.path, error),
        })
    }

    fn worth<'p>(&self, py: Python<'p>, worth: Worth) -> PyResult<Bound<'p, PyAny>> {
        own::worth(py, worth, self.has_distances())
    }

    fn plies(&self, worth: Worth) -> i32 {
        let plies = worth.distance().plies().filter(|_| self.has_distances());
        plies.map_or(-1, |plies| plies as i32)
    }

    fn count(&self) -> u64 {
        self.table.manifest().layers.iter().map(|layer| layer.positions).sum()
    }
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
        self.path.clone()
    }

    /// What it stores: wdl, score, score+distance or score+rank.
    #[getter]
    fn stores(&self) -> &'static str {
        self.table.manifest().values.name()
    }

    /// The number of its layers.
    #[getter]
    fn layers(&self) -> usize {
        self.table.manifest().layers.len()
    }

    /// The size of the file in bytes.
    #[getter]
    fn bytes(&self) -> PyResult<u64> {
        Ok(self.table.size()?)
    }

    fn __len__(&self) -> usize {
        self.count() as usize
    }

    fn __getitem__<'p>(&self, py: Python<'p>, position: At<'p>) -> PyResult<Bound<'p, PyAny>> {
        match self.one(py, &position)? {
            Some(worth) => self.worth(py, worth),
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
        match self.one(py, &position)? {
            Some(worth) => Ok(Some(self.worth(py, worth)?)),
            None => Ok(default),
        }
    }

    fn __contains__(&self, py: Python<'_>, position: At<'_>) -> PyResult<bool> {
        Ok(self.one(py, &position)?.is_some())
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
        let worths = self.many(py, texts)?;
        if let Some(at) = worths.iter().position(Option::is_none) {
            return Err(PyKeyError::new_err(format!("position {at} is not in the table")));
        }
        let worths: Vec<_> = worths.into_iter().flatten().collect();
        let values = PyArray1::from_iter(py, worths.iter().map(|worth| worth.value().0));
        let distances = PyArray1::from_iter(py, worths.iter().map(|worth| self.plies(*worth)));
        PyTuple::new(py, [values, distances])
    }

    /// The answer for a position, with all moves and a line, from the table alone.
    #[pyo3(signature = (position = None))]
    fn solve(&self, py: Python<'_>, position: Option<At<'_>>) -> PyResult<crate::answer::Answer> {
        let mut session: Box<dyn Session> = self.game.get().session();
        session.consult(self.table.clone());
        let text = position.as_ref().map(|at| at.text_in(py, self.game.get())).transpose()?;
        session.go(text, "").map_err(|error| invalid(py, &error))?;
        let request = Request { method: Method::Table, ..Request::default() };
        let (session, report) = run(py, &Limits::default(), move |control| {
            let report = session.solve(&request, control, None);
            (session, report)
        })?;
        if let Some(why) = &report.halted {
            return Err(crate::errors::halted(py, why));
        }
        crate::answer::Answer::new(py, &*session, report)
    }

    /// The numbers of blocks of each layer, and the numbers of a block: what `batch` takes.
    fn blocks(&self) -> Vec<u64> {
        self.table.manifest().layers.iter().map(|layer| layer.blocks()).collect()
    }

    /// All positions in arrays of up to `size`: see `foregone.arrays.batches`.
    #[pyo3(signature = (size = 65_536, *, encode = None))]
    fn batches<'p>(
        slf: &Bound<'p, Self>,
        size: usize,
        encode: Option<&Bound<'p, PyAny>>,
    ) -> PyResult<Bound<'p, PyAny>> {
        let batches = slf.py().import("foregone.arrays")?.getattr("batches")?;
        batches.call1((slf, size, encode))
    }

    /// One block of a layer: numbers, values, distances of its positions; and positions by `encode` (text or cells)
    /// with turns, or `None`.
    #[pyo3(signature = (layer, block, encode = None))]
    fn block<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        block: u64,
        encode: Option<&str>,
    ) -> PyResult<Bound<'p, PyTuple>> {
        numpy(py)?;
        let parts = &self.table.manifest().layers;
        let part = parts.get(layer as usize).filter(|part| block < part.blocks());
        let part = part.ok_or_else(|| PyIndexError::new_err("there is no such block"))?;
        let first = block * part.cells();
        let read = py.detach(|| {
            let cells = self.table.block(layer, block)?;
            let worths: Vec<_> = self
                .table
                .worths(layer)
                .iter()
                .map(|worth| (worth.value().0, self.plies(*worth)))
                .collect();
            let used = cells.iter().filter(|cell| **cell != 0).count();
            let mut columns =
                (Vec::with_capacity(used), Vec::with_capacity(used), Vec::with_capacity(used));
            for (at, cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != 0) {
                let (value, plies) = worths[usize::from(*cell) - 1];
                columns.0.push(first as i64 + at as i64);
                columns.1.push(value);
                columns.2.push(plies);
            }
            Ok(columns)
        });
        let (numbers, values, distances) = read.map_err(|error| file(py, &self.path, error))?;
        let (positions, turns) = match encode {
            None => (py.None().into_bound(py), py.None().into_bound(py)),
            Some("text") => self.texts(py, layer, &numbers)?,
            Some("cells") => self.cells(py, layer, &numbers)?,
            Some(other) => {
                return Err(wrong(
                    py,
                    format!("found `{other}`, expected an encoding: text, cells or None"),
                ));
            }
        };
        let arrays = [
            PyArray1::from_vec(py, numbers).into_any(),
            PyArray1::from_vec(py, values).into_any(),
            PyArray1::from_vec(py, distances).into_any(),
        ];
        let [numbers, values, distances] = arrays;
        PyTuple::new(py, [numbers, values, distances, positions, turns])
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
        let effort = Effort { threads: threads.max(1), memory: memory.unwrap_or(default.memory) };
        let (game, table) = (self.game.get().game.clone(), self.table.clone());
        let total = self.count();
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
        Ok(match verdict.map_err(|error| file(py, &self.path, error))? {
            Verdict::Right(_) => Checked { right: true, why: None, positions: Some(total) },
            Verdict::False(flaw) => flawed(flaw.to_string()),
            Verdict::Unshown(unshown) => flawed(unshown.to_string()),
        })
    }

    /// Pickles as the file's path.
    fn __reduce__<'p>(slf: &Bound<'p, Self>) -> PyResult<(Bound<'p, PyAny>, (PathBuf,))> {
        Ok((
            slf.py().import("foregone._foregone")?.getattr("open_table")?,
            (slf.get().path.clone(),),
        ))
    }

    fn __repr__(&self) -> String {
        let game = self.game.get().game.specification();
        format!("<Table of {game}: {} positions, {}>", self.count(), self.stores())
    }
}

impl Table {
    fn none(&self, layer: u32, number: i64) -> PyErr {
        PyIndexError::new_err(format!("number {number} of layer {layer} is no position"))
    }

    fn texts<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        numbers: &[i64],
    ) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyAny>)> {
        let mut texts = Vec::with_capacity(numbers.len());
        let mut turns = Vec::with_capacity(numbers.len());
        for &number in numbers {
            let (engine, at) = (self.engine(), number as u64);
            let text = engine
                .position(&self.table, layer, at)
                .map_err(|error| file(py, &self.path, error))?;
            let turn =
                engine.turn(&self.table, layer, at).map_err(|error| file(py, &self.path, error))?;
            let (text, turn) = text.zip(turn).ok_or_else(|| self.none(layer, number))?;
            texts.push(text);
            turns.push(turn.index() as i8);
        }
        Ok((PyList::new(py, texts)?.into_any(), PyArray1::from_vec(py, turns).into_any()))
    }

    /// What stands on the board as numbers: see `Position.cells`.
    fn cells<'p>(
        &self,
        py: Python<'p>,
        layer: u32,
        numbers: &[i64],
    ) -> PyResult<(Bound<'p, PyAny>, Bound<'p, PyAny>)> {
        let engine = self.engine();
        let (all, turns) = py
            .detach(|| {
                let mut all = Vec::new();
                let mut turns = Vec::with_capacity(numbers.len());
                for &number in numbers {
                    let turn = engine.contents(&self.table, layer, number as u64, &mut all)?;
                    if turns.is_empty() {
                        all.reserve(all.len() * numbers.len());
                    }
                    turns.push(turn.map(|turn| turn.index() as i8));
                }
                Ok((all, turns))
            })
            .map_err(|error| file(py, &self.path, error))?;
        if let Some(at) = turns.iter().position(Option::is_none) {
            return Err(self.none(layer, numbers[at]));
        }
        let turns: Vec<i8> = turns.into_iter().flatten().collect();
        let width = all.len() / numbers.len().max(1);
        if width == 0 && !numbers.is_empty() {
            return Err(wrong(py, "the board of this game has no numbers: use encode=\"text\""));
        }
        let cells: Bound<'_, PyArray2<i16>> =
            PyArray1::from_vec(py, all).reshape([numbers.len(), width])?;
        Ok((cells.into_any(), PyArray1::from_vec(py, turns).into_any()))
    }
}
