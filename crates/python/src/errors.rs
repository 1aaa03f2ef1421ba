//! Errors as exceptions of `foregone.errors`.

use std::io::ErrorKind::{NotFound, OutOfMemory};
use std::path::Path;

use foregone::record;
use foregone::tables::Failed;
use foregone::{Halted, Invalid};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyType;

/// The number of this error, as Python's `errno` has it.
const NOT_FOUND: i32 = 2;

/// An exception of this package, by its name.
pub fn exception(py: Python<'_>, name: &str, message: String) -> PyErr {
    let class = py.import("foregone.errors").and_then(|errors| errors.getattr(name));
    match class.and_then(|class| Ok(class.cast_into::<PyType>()?)) {
        Ok(class) => PyErr::from_type(class, message),
        Err(error) => error,
    }
}

/// A wrong text or argument.
pub fn wrong(py: Python<'_>, message: impl ToString) -> PyErr {
    exception(py, "InvalidInput", message.to_string())
}

pub fn invalid(py: Python<'_>, error: &Invalid) -> PyErr {
    wrong(py, error)
}

/// Why a solver ended without an answer.
pub fn halted(py: Python<'_>, halted: &Halted) -> PyErr {
    use Halted::*;
    let name = match halted {
        Stopped { .. } => return PyKeyboardInterrupt::new_err(halted.to_string()),
        Time { .. } => "TimeLimit",
        Memory { .. } | Table { .. } | Endgame { .. } | Thread { .. } => "MemoryLimit",
        Positions { .. } | Deep { .. } => "PositionLimit",
        Loops { .. } => "Loops",
        Damaged { .. } | Checkpoint { .. } | Unkept { .. } => "DamagedFile",
        _ => "InvalidInput",
    };
    exception(py, name, halted.to_string())
}

/// A file that cannot be read or written, or is not what it should be.
pub fn file(py: Python<'_>, path: &Path, error: record::Error) -> PyErr {
    match error {
        // Python makes it a FileNotFoundError or what else it is.
        record::Error::Io(error) if error.kind() == OutOfMemory => {
            exception(py, "MemoryLimit", error.to_string())
        }
        record::Error::Io(error) => {
            let why = error.to_string();
            let why = why.split(" (os error").next().unwrap_or(&why).to_owned();
            let path = path.display().to_string();
            let number = error.raw_os_error();
            match number.or((error.kind() == NotFound).then_some(NOT_FOUND)) {
                Some(number) => PyOSError::new_err((number, why, path)),
                None => PyOSError::new_err(format!("{path}: {why}")),
            }
        }
        error => exception(py, "DamagedFile", format!("{}: {error}", path.display())),
    }
}

/// Why a table was not built.
pub fn failed(py: Python<'_>, path: &Path, failed: Failed) -> PyErr {
    match failed {
        Failed::Halted(why) => halted(py, &why),
        Failed::File(error) => file(py, path, error),
        other => wrong(py, other),
    }
}
