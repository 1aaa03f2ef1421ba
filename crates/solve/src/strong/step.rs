//! Moves between numbered positions, in a few bytes each.

use foregone_rules::{Side, Value, Worth};

use super::blocks::Blocks;

/// A stored move.
pub(super) trait Step: Copy {
    /// A move to the position with this number; `again` if the same side moves there; `gain` is the
    /// points that the move banks.
    fn new(number: u32, again: bool, gain: i32) -> Self;

    /// The number of the position.
    fn number(self) -> usize;

    /// The reversed move, stored at its target, with the number of its origin.
    fn back(self, number: u32) -> Self;

    /// The worth of this step for its mover, given the worth of the target.
    fn worth(self, worth: Worth) -> Worth;
}

/// A move in a game whose positions include all points.
#[derive(Clone, Copy)]
pub(super) struct Plain(u32);

impl Plain {
    /// Whether the same side moves again.
    pub fn again(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Step for Plain {
    #[inline]
    fn new(number: u32, again: bool, _: i32) -> Plain {
        Plain(number << 1 | u32::from(again))
    }

    #[inline]
    fn number(self) -> usize {
        (self.0 >> 1) as usize
    }

    #[inline]
    fn back(self, number: u32) -> Plain {
        Plain(number << 1 | self.0 & 1)
    }

    /// The actual side does not matter, only whether it is the same one.
    #[inline]
    fn worth(self, worth: Worth) -> Worth {
        let next = if self.again() { Side::First } else { Side::Second };
        worth.backed_up(next, Side::First)
    }
}

/// A move that may bank points, between positions stored without banked points.
#[derive(Clone, Copy)]
pub(super) struct Banking(Plain, i32);

impl Step for Banking {
    fn new(number: u32, again: bool, gain: i32) -> Banking {
        Banking(Plain::new(number, again, 0), gain)
    }

    fn number(self) -> usize {
        self.0.number()
    }

    fn back(self, number: u32) -> Banking {
        Banking(self.0.back(number), self.1)
    }

    fn worth(self, worth: Worth) -> Worth {
        let worth = self.0.worth(worth);
        Worth::new(Value(worth.value().0.saturating_add(self.1)), worth.distance())
    }
}

/// The moves between positions: those of position n are `steps[from[n]..from[n + 1]]`.
#[derive(Clone)]
pub(super) struct Steps<S> {
    pub from: Blocks<u64>,
    pub steps: Blocks<S>,
    /// Whether every step leads to a higher number.
    pub rising: bool,
    /// Whether no step changes the value of endless play for the first player; a step that
    /// banks points changes it.
    pub even: bool,
}

impl<S: Step> Steps<S> {
    #[inline]
    pub fn of(&self, number: usize) -> impl ExactSizeIterator<Item = S> + '_ {
        let from = self.from.get(number) as usize..self.from.get(number + 1) as usize;
        from.map(|at| self.steps.get(at))
    }

    pub fn count(&self, number: usize) -> u32 {
        (self.from.get(number + 1) - self.from.get(number)) as u32
    }

    pub fn bytes(&self) -> u64 {
        self.from.bytes() + self.steps.bytes()
    }
}
