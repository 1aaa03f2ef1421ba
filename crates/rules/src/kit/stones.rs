//! Stones of two sides, one kind each.

use super::Cells;
use crate::game::Side;

/// The stones of two sides, as sets of cells, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stones {
    /// The stones of the side to move.
    pub to_move: u64,
    /// The stones of the other side, which moved last.
    pub waiting: u64,
    /// The side to move.
    pub turn: Side,
}

impl Stones {
    /// No stones; the first player is to move.
    pub const NONE: Stones = Stones { to_move: 0, waiting: 0, turn: Side::First };

    /// The position with these stones. The first side is to move if both sides have equally many;
    /// otherwise it has one more, and the second side is to move.
    pub const fn of_both(first: u64, second: u64) -> Stones {
        if first.count_ones() == second.count_ones() {
            Stones { to_move: first, waiting: second, turn: Side::First }
        } else {
            Stones { to_move: second, waiting: first, turn: Side::Second }
        }
    }

    /// The stones of both sides.
    #[inline]
    pub const fn taken(&self) -> u64 {
        self.to_move | self.waiting
    }

    /// The stones of a side.
    #[inline]
    pub fn of(&self, side: Side) -> u64 {
        if side == self.turn { self.to_move } else { self.waiting }
    }

    /// The position after the side to move has put down `stones`.
    #[inline]
    pub const fn with(&self, stones: u64) -> Stones {
        Stones { to_move: self.waiting, waiting: self.to_move | stones, turn: self.turn.other() }
    }

    /// The same position with `change` applied to the stones of both sides.
    pub fn map(&self, change: impl Fn(u64) -> u64) -> Stones {
        Stones { to_move: change(self.to_move), waiting: change(self.waiting), turn: self.turn }
    }

    /// The position as cells: piece 0 is the first side's stone, piece 1 the second's.
    pub fn cells(&self) -> Cells {
        Cells::new(self.turn).with(0, self.of(Side::First)).with(1, self.of(Side::Second))
    }

    /// The position with these [`cells`](Stones::cells), with any number of stones of each side.
    pub fn on(cells: &Cells) -> Stones {
        let sets = [cells.set(0), cells.set(1)].map(|set| set as u64);
        let [to_move, waiting] = [cells.turn, cells.turn.other()].map(|side| sets[side.index()]);
        Stones { to_move, waiting, turn: cells.turn }
    }

    /// The position with these cells in a game where the sides put down one stone each in turn.
    ///
    /// # Errors
    /// If the numbers of stones do not fit the side to move; the error says what fits.
    pub fn of_cells(cells: &Cells, letters: [&str; 2]) -> Result<Stones, String> {
        let state = Stones::on(cells);
        let counts = Side::BOTH.map(|side| state.of(side).count_ones());
        if counts[0] == counts[1] + cells.turn.index() as u32 {
            return Ok(state);
        }
        let [x, o] = letters;
        let should = match cells.turn {
            Side::First => format!("as many {x} as {o} if {x} is to move"),
            Side::Second => format!("one {x} more than {o} if {o} is to move"),
        };
        Err(format!("{should} (not {} and {})", counts[0], counts[1]))
    }
}
