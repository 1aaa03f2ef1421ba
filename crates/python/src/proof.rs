//! Proofs of a position's value: made here, checked by the rules alone.

use std::path::PathBuf;

use foregone::check::proofs::ProofVerdict;
use foregone::prove::Unproven;
use foregone::record::Table as File;
use foregone::record::proof::Claim;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::{file, halted, invalid, wrong};
use crate::files::{Opened, game_of, make_room};
use crate::game::Game;
use crate::position::{Again, Moves};
use crate::running::{Limits, run};

/// A proof in a file. After a `with` block it is closed.
#[pyclass(frozen, module = "foregone")]
pub struct Proof {
    game: Py<Game>,
    file: Opened,
}

/// Opens a proof; its game is the one that it names.
#[pyfunction]
pub fn open_proof(py: Python<'_>, path: PathBuf) -> PyResult<Proof> {
    let table = File::open(&path).map_err(|error| file(py, &path, error))?;
    let game = game_of(py, &table)?;
    if !game.get().game.is_proof(&table) {
        return Err(wrong(py, format!("{} is not a proof about this game", path.display())));
    }
    Ok(Proof { game, file: Opened::new(table, path) })
}

/// Makes a proof of a position's value, or of a claim: (0 or 1 for the player, the least value that it gets).
#[allow(clippy::too_many_arguments)]
pub fn prove(
    py: Python<'_>,
    game: Py<Game>,
    path: PathBuf,
    position: Option<&str>,
    moves: Option<Moves>,
    claim: Option<(usize, i32)>,
    seconds: Option<f64>,
    memory: Option<u64>,
    force: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Proof> {
    make_room(&path, force)?;
    let claims = match claim {
        None => Vec::new(),
        Some((player @ 0..=1, at_least)) => vec![Claim { first: player == 0, at_least }],
        Some((player, _)) => {
            return Err(wrong(py, format!("found player {player}, expected 0 or 1")));
        }
    };
    let mut session = game.get().session();
    let moves = moves.unwrap_or_default().text();
    session.go(position, &moves).map_err(|error| invalid(py, &error))?;
    let limits = Limits { seconds, memory, progress, ..Limits::default() };
    let target = path.clone();
    let made = run(py, &limits, move |control| session.prove(&target, claims, control))?;
    made.map_err(|error| match error {
        Unproven::Halted(why) => halted(py, &why),
        Unproven::File(error) => file(py, &path, error),
        other => wrong(py, other),
    })?;
    let table = File::open(&path).map_err(|error| file(py, &path, error))?;
    Ok(Proof { game, file: Opened::new(table, path) })
}

/// What checking a proof or a table has found. It is true if the file is right.
#[pyclass(frozen, get_all, module = "foregone")]
pub struct Checked {
    /// Whether everything in the file was shown to be right.
    pub right: bool,
    /// Why not.
    pub why: Option<String>,
    /// The positions that were visited, if it is right.
    pub positions: Option<u64>,
}

#[pymethods]
impl Checked {
    fn __bool__(&self) -> bool {
        self.right
    }

    fn __repr__(&self) -> String {
        match (&self.why, self.positions) {
            (Some(why), _) => format!("Checked(right=False, why={why:?})"),
            (None, positions) => {
                format!("Checked(right=True, positions={})", positions.unwrap_or(0))
            }
        }
    }
}

#[pymethods]
impl Proof {
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

    /// What it says, in words.
    #[getter]
    fn claims(&self) -> PyResult<Vec<String>> {
        let (unit, proof) = (self.game.get().game.unit(), self.file.get()?);
        let claims = proof.manifest().proof.as_ref().map(|proof| proof.claims.as_slice());
        Ok(claims.unwrap_or_default().iter().map(|claim| claim.words(unit)).collect())
    }

    /// The size of the file in bytes.
    #[getter]
    fn bytes(&self) -> PyResult<u64> {
        Ok(self.file.get()?.size()?)
    }

    /// Checks it by the rules alone.
    #[pyo3(signature = (*, memory = None, progress = None))]
    fn check(
        &self,
        py: Python<'_>,
        memory: Option<u64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Checked> {
        let (session, table) = (self.game.get().session(), self.file.get()?);
        let limits = Limits { memory, progress, ..Limits::default() };
        let verdict = run(py, &limits, move |control| session.check(&table, control))?;
        Ok(match verdict.map_err(|error| file(py, &self.file.path, error))? {
            ProofVerdict::Proven { positions, .. } => {
                Checked { right: true, why: None, positions: Some(positions) }
            }
            flawed => Checked { right: false, why: Some(flawed.to_string()), positions: None },
        })
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_raised))]
    fn __exit__(&self, _raised: &Bound<'_, PyTuple>) {
        self.file.close();
    }

    /// Pickles as the file's path.
    fn __reduce__<'p>(slf: &Bound<'p, Self>) -> PyResult<Again<'p, (PathBuf,)>> {
        slf.get().file.again(slf.py(), "open_proof")
    }

    fn __repr__(&self) -> String {
        let game = self.game.get().game.specification();
        match self.claims() {
            Ok(claims) => format!("<Proof about {game}: {}>", claims.join("; ")),
            Err(_) => format!("<Proof about {game}, closed>"),
        }
    }
}
