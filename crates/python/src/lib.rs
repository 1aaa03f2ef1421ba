//! The native part of the Python package `foregone`: games by their names, answers, tables, proofs, games unfolded by
//! Python. What is pure convenience is in Python, beside it.

mod answer;
mod block;
mod ending;
mod errors;
mod files;
mod game;
mod graph;
mod own;
mod position;
mod proof;
mod rows;
mod running;
mod spiel;
mod table;
mod unfold;

use pyo3::prelude::*;

/// Nothing here relies on the lock of the interpreter.
#[pymodule(gil_used = false)]
fn _foregone(module: &Bound<'_, PyModule>) -> PyResult<()> {
    #[cfg(feature = "full")]
    foregone_jit::install();
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<game::Game>()?;
    module.add_class::<position::Position>()?;
    module.add_class::<answer::Answer>()?;
    module.add_class::<answer::MoveAnswer>()?;
    module.add_function(wrap_pyfunction!(game::game, module)?)?;
    module.add_function(wrap_pyfunction!(game::games, module)?)?;
    module.add_function(wrap_pyfunction!(game::rules, module)?)?;
    module.add_class::<own::Solution>()?;
    module.add_class::<graph::Frontiers>()?;
    module.add_class::<spiel::SpielSolution>()?;
    module.add_function(wrap_pyfunction!(spiel::solve_spiel, module)?)?;
    module.add_class::<table::Table>()?;
    module.add_class::<proof::Proof>()?;
    module.add_class::<proof::Checked>()?;
    module.add_function(wrap_pyfunction!(proof::open_proof, module)?)?;
    module.add_function(wrap_pyfunction!(table::open_table, module)?)?;
    module.add_function(wrap_pyfunction!(own::solve, module)?)?;
    module.add_function(wrap_pyfunction!(graph::solve_graph, module)?)?;
    module.add_function(wrap_pyfunction!(graph::unfold_frontiers, module)?)?;
    module.add_function(wrap_pyfunction!(command, module)?)?;
    let ending = wrap_pyfunction!(ending::ending, module)?;
    module.py().import("atexit")?.call_method1("register", (ending,))?;
    Ok(())
}

/// The command line: its arguments without the name of the program; its exit status.
#[pyfunction]
fn command(py: Python<'_>, arguments: Vec<std::ffi::OsString>) -> u8 {
    let arguments = std::iter::once("foregone".into()).chain(arguments);
    py.detach(|| foregone_cli::run_with(foregone::Registry::standard(), arguments))
}
