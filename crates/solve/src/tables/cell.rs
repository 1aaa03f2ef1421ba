//! A worth as 32 bits, while its layer is solved: the value in the upper half, the plies in the
//! lower.

use foregone_rules::{Distance, Value, Worth};

use super::Failed;

/// The worth of a number is not known yet, or no position has that number.
pub(super) const OPEN: u32 = 0;

/// The largest absolute value and the largest distance that fit into a table.
pub(super) const MAX_VALUE: i32 = (1 << 14) - 1;
pub(super) const MAX_PLIES: u32 = (1 << 16) - 3;
const ENDLESS: u32 = MAX_PLIES + 1;

/// The code of a worth.
///
/// # Errors
/// [`Failed::Worth`] if the worth does not fit.
pub(super) fn code(worth: Worth) -> Result<u32, Failed> {
    let value = worth.value().0;
    let plies = match worth.distance() {
        Distance::Plies(plies) if plies <= MAX_PLIES => plies,
        Distance::Endless => ENDLESS,
        Distance::Plies(_) => return Err(Failed::Worth(format!("{worth:?}"))),
    };
    if value.abs() > MAX_VALUE {
        return Err(Failed::Worth(format!("{worth:?}")));
    }
    Ok(((value + MAX_VALUE + 1) as u32) << 16 | plies)
}

/// The worth of a code.
pub(super) fn worth(code: u32) -> Worth {
    let value = Value((code >> 16) as i32 - MAX_VALUE - 1);
    match code & 0xffff {
        ENDLESS => Worth::endless(value),
        plies => Worth::new(value, Distance::Plies(plies)),
    }
}
