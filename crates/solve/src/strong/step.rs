//! Moves between positions as the solver keeps them: numbers, a few bytes each.

use foregone_rules::{Side, Value, Worth};

use super::blocks::Blocks;

/// A move, as the solver keeps it.
pub(super) trait Step: Copy {
    /// To the position with this number, whether the player who moves there is the one who moved
    /// before, and what the move banks.
    fn new(number: u32, again: bool, gain: i32) -> Self;

    /// The number of the position.
    fn number(self) -> usize;

    /// The same move, kept at the position that it leads to, with the number of the one before.
    fn back(self, number: u32) -> Self;

    /// The worth of this step, for who makes it, to a position of this worth.
    fn worth(self, worth: Worth) -> Worth;
}

/// A move in a game of which positions are whole.
#[derive(Clone, Copy)]
pub(super) struct Plain(u32);

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

    /// Whose turn it is really does not matter, only whether it is the same player's.
    #[inline]
    fn worth(self, worth: Worth) -> Worth {
        let next = if self.0 & 1 == 1 { Side::First } else { Side::Second };
        worth.backed_up(next, Side::First)
    }
}

/// A move that may bank points, where positions are kept without what is banked.
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

/// The moves between positions, as numbers: those of position n are `steps[from[n]..from[n + 1]]`.
pub(super) struct Steps<S> {
    pub from: Blocks<u64>,
    pub steps: Blocks<S>,
    /// Whether every step leads to a higher number.
    pub rising: bool,
    /// Whether play without end is worth the same to the first player before and after every step: a
    /// step that banks points changes it.
    pub even: bool,
}

impl<S: Step> Steps<S> {
    pub fn of(&self, number: usize) -> impl Iterator<Item = S> + '_ {
        (self.from.get(number)..self.from.get(number + 1)).map(|at| self.steps.get(at as usize))
    }

    pub fn count(&self, number: usize) -> u32 {
        (self.from.get(number + 1) - self.from.get(number)) as u32
    }

    pub fn bytes(&self) -> u64 {
        self.from.bytes() + self.steps.bytes()
    }
}
