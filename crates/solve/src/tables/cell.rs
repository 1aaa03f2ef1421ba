//! A worth in the 32 bits of a cell, while its layer is solved: the value above, the plies below.

use foregone_rules::{Distance, Value, Worth};

use super::Failed;

/// Nothing is known of a number yet, or no position has it.
pub(super) const OPEN: u32 = 0;

/// The largest value, and the largest distance, that a table has room for.
pub(super) const MOST_VALUE: i32 = (1 << 14) - 1;
pub(super) const MOST_PLIES: u32 = (1 << 16) - 3;
const ENDLESS: u32 = MOST_PLIES + 1;

/// The code of a worth.
///
/// # Errors
/// If there is none: [`Failed::Worth`].
pub(super) fn code(worth: Worth) -> Result<u32, Failed> {
    let value = worth.value().0;
    let plies = match worth.distance() {
        Distance::Plies(plies) if plies <= MOST_PLIES => plies,
        Distance::Endless => ENDLESS,
        Distance::Plies(_) => return Err(Failed::Worth(format!("{worth:?}"))),
    };
    if value.abs() > MOST_VALUE {
        return Err(Failed::Worth(format!("{worth:?}")));
    }
    Ok(((value + MOST_VALUE + 1) as u32) << 16 | plies)
}

/// The worth of a code.
pub(super) fn worth(code: u32) -> Worth {
    let value = Value((code >> 16) as i32 - MOST_VALUE - 1);
    match code & 0xffff {
        ENDLESS => Worth::endless(value),
        plies => Worth::new(value, Distance::Plies(plies)),
    }
}
