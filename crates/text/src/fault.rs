//! Faults that were in this crate, to be put back in tests: a generator of texts has to find each of them.

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    /// A number that is chosen keeps the number of its name in renamed rules.
    PickKeepsItsNumber,
    /// Of several cells to sow from, the first is taken.
    SowTakesTheFirst,
    /// A sowing counts as if it gave no name a value.
    SowChangesNoName,
}

/// Whether a fault is there. It never is outside of tests.
#[cfg(not(test))]
pub(crate) const fn is_there(_: Fault) -> bool {
    false
}

#[cfg(test)]
pub(crate) use within_tests::{is_there, with};

#[cfg(test)]
mod within_tests {
    use std::cell::Cell;

    use super::Fault;

    thread_local!(static THERE: Cell<Option<Fault>> = const { Cell::new(None) });

    pub(crate) fn is_there(fault: Fault) -> bool {
        THERE.get() == Some(fault)
    }

    /// Runs something with a fault.
    pub(crate) fn with<T>(fault: Fault, run: impl FnOnce() -> T) -> T {
        THERE.set(Some(fault));
        let result = run();
        THERE.set(None);
        result
    }
}
