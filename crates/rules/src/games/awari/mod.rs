//! Awari (oware, wari, awele), with 1 to 8 pits on a side and 1 to 12 stones in each.
//!
//! **Sources of the variants.**
//!
//! | slam | |
//! | --- | --- |
//! | forbidden | the default: John W. Romein and Henri E. Bal, *Awari is Solved* (ICGA Journal 25(3), 2002) and *Solving the Game of Awari using Parallel Retrograde Analysis* (IEEE Computer 36(10), 2003), as in their score database (Vrije Universiteit Amsterdam 2024): "not allowed to remove all stones of the opponent (leaving it no move), unless it is the only move available" |
//! | void | the abapa rules of tournaments, in which a grand slam captures nothing; also the rule of Wikipedia's article on oware |
//!
//! Tournaments stop when a player has more than half of all stones; here the game goes on. In both
//! variants endless play divides the stones evenly, as in the solution (in tournaments each side
//! gets the stones on its side).
//!
//! **Moves** are the number of the pit, from 1, counted from the mover's left. **Positions** are
//! the first player's pits and captured stones, the second player's pits and captured stones, and
//! the side to move: `4 4 4 4 4 0 0 5 5 5 5 4 4 0 second`.
//!
//! **Known.** With the default rules the game is a draw (Romein and Bal 2002). They count
//! 889,063,398,406 reachable positions: the start, and all positions with at most 48 stones, except
//! 47, and an empty pit on the side that has just moved.
//!
//! A side's pits are the bytes of one word. `numbers` has the numbers of positions in a table.

mod numbers;
mod sowing;
#[cfg(test)]
mod tests;

use self::numbers::Numbers;
use self::sowing::{Sowing, Sown};
use crate::family::{About, Args, Family, Group, Invalid, Parameter};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{Bits, Board, Cells, Number, OnBoard, Pits, stones_in, stones_of};
use crate::promise::{Actions, Banked, Encode, Evaluate, Order, PointBank, Symmetry};

/// The rule for a move that would capture all stones of the opponent (a grand slam), and for a
/// player who cannot give stones to an opponent without stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slam {
    /// A move that leaves the opponent without stones is allowed only if every move does; it
    /// captures as usual.
    Forbidden,
    /// A grand slam captures nothing. If no move gives stones to an opponent without any, the game
    /// is over.
    Void,
}

const SLAMS: [(&str, Slam); 2] = [("forbidden", Slam::Forbidden), ("void", Slam::Void)];

/// Awari.
///
#[doc = include_str!("rules.txt")]
#[derive(Clone, Debug)]
pub struct Awari {
    pits: u8,
    stones: u8,
    slam: Slam,
    board: Board,
    sowings: Vec<Vec<Sowing>>,
    numbers: Numbers,
}

impl Game for Awari {
    type State = Pits;
    type Move = Number;

    fn start(&self) -> Pits {
        Pits::start(self.pits, self.stones)
    }

    #[inline]
    fn turn(&self, state: &Pits) -> Side {
        state.turn
    }

    #[inline]
    fn outcome(&self, state: &Pits) -> Option<Outcome> {
        let [own, other] = state.rows();
        let over = own == 0 || other == 0 && self.slam == Slam::Void && self.playable(state) == 0;
        let [first, second] = state.pits.map(|row| i32::from(stones_of(row)));
        over.then(|| Outcome(state.lead().0 + first - second))
    }

    #[inline]
    fn moves(&self, state: &Pits) -> impl Iterator<Item = Number> {
        Bits(self.playable(state)).map(Number)
    }

    #[inline]
    fn play(&self, state: &Pits, Number(pit): Number) -> Pits {
        let Sown { own, other, taken } = self.sown(state.rows(), pit);
        let mover = state.turn;
        let mut next = Pits { pits: [own, other], turn: mover.other(), ..*state };
        if mover == Side::Second {
            next.pits.swap(0, 1);
        }
        next.stores[mover.index()] += taken;
        next
    }

    fn max_value(&self) -> i32 {
        self.total() as i32
    }

    #[inline]
    fn endless(&self, state: &Pits) -> Outcome {
        state.lead()
    }
}

impl Actions for Awari {
    fn actions(&self) -> usize {
        self.pits.into()
    }

    fn action(&self, mv: Self::Move) -> usize {
        mv.0.into()
    }
}

impl Awari {
    /// The game with `pits` pits on a side and `stones` stones in each.
    fn of(pits: u8, stones: u8, slam: Slam) -> Awari {
        let total = 2 * u32::from(pits) * u32::from(stones);
        Awari {
            pits,
            stones,
            slam,
            board: Board::pits(pits.into(), total as u16),
            sowings: sowing::all(pits),
            numbers: Numbers::new(2 * u32::from(pits), total),
        }
    }

    /// All stones of the game.
    fn total(&self) -> u32 {
        2 * u32::from(self.pits) * u32::from(self.stones)
    }

    /// The pits that the mover may sow from, a bit for each.
    #[inline]
    fn playable(&self, state: &Pits) -> u16 {
        let rows = state.rows();
        let holds = |pit: &u8| stones_in(rows[0], *pit) != 0;
        let leaves = |pit: &u8| self.leaves(rows, *pit);
        let set = |set, pit: u8| set | 1 << pit;
        let leaving = (0..self.pits).filter(holds).filter(leaves).fold(0, set);
        match self.slam {
            Slam::Forbidden if leaving == 0 => (0..self.pits).filter(holds).fold(0, set),
            _ => leaving,
        }
    }
}

impl Family for Awari {
    const ABOUT: About = About {
        name: "awari",
        title: "Awari",
        summary: "sow stones around the pits, capture twos and threes",
        group: Group::Sowing,
        rules: include_str!("rules.txt"),
        move_notation: "the number of the pit from 1, counted from the mover's left",
        position_notation: "first player's pits and captured stones, second player's pits and \
                            captured stones, side to move: `4 4 4 4 4 0 0 5 5 5 5 4 4 0 second`",
        known: "With the default rules the game is a draw (Romein and Bal 2002).",
        unit: "stones",
        parameters: &[
            Parameter::number("pits", [1, 8], "6", "pits on a side"),
            Parameter::number("stones", [1, 12], "4", "stones in each pit at the start"),
            Parameter::choice(
                "slam",
                &["forbidden", "void"],
                "a capture of all the opponent's stones is allowed only if there is no other move \
                 (forbidden), or captures nothing (void)",
            ),
        ],
    };

    fn create(args: &Args) -> Result<Awari, Invalid> {
        let number = |name| args.number(name) as u8;
        Ok(Awari::of(number("pits"), number("stones"), SLAMS[args.choice("slam")].1))
    }

    fn arguments(&self) -> Vec<String> {
        let slam = SLAMS.iter().find(|(_, slam)| *slam == self.slam).map_or("", |(name, _)| name);
        vec![self.pits.to_string(), self.stones.to_string(), slam.to_owned()]
    }
}

impl OnBoard for Awari {
    fn board(&self) -> &Board {
        &self.board
    }

    fn cells(&self, state: &Pits) -> Cells {
        state.cells(self.pits)
    }

    fn state_of(&self, cells: &Cells) -> Result<Pits, String> {
        Pits::of_cells(cells, self.pits, self.total())
    }

    fn move_cells(&self, state: &Pits, Number(pit): Number) -> Vec<usize> {
        vec![state.cell(self.pits, pit)]
    }

    fn steps(&self, state: &Pits, Number(pit): Number) -> Vec<Cells> {
        state.sowing(self.pits, pit, false, false)
    }

    /// Where the last stone falls.
    fn landing(&self, state: &Pits, Number(pit): Number) -> Option<usize> {
        let last = self.last_pit(pit, stones_in(state.pits[state.turn.index()], pit));
        let all = 2 * usize::from(self.pits);
        Some((usize::from(last) + state.turn.index() * usize::from(self.pits)) % all)
    }
}

impl Evaluate for Awari {
    /// The difference of the captured stones.
    fn evaluate(&self, state: &Pits) -> Outcome {
        state.lead()
    }
}

impl Order for Awari {
    /// Captures first, the largest first, then pits on the right.
    #[inline]
    fn order(&self, state: &Pits, Number(pit): Number) -> i32 {
        let Sown { taken, .. } = self.sown(state.rows(), pit);
        i32::from(taken) * 16 + i32::from(pit)
    }
}

impl Encode for Awari {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        16 * u32::from(self.pits)
    }

    /// The pits of the representative, in which nothing is captured and the first player is to
    /// move.
    #[inline]
    fn encode(&self, state: &Pits) -> u128 {
        state.encode(self.pits)
    }

    fn decode(&self, code: u128) -> Pits {
        Pits::decode(code, self.pits, self.total())
    }
}

impl Symmetry for Awari {
    /// The same position with the mover as the first player: the board after a half turn.
    #[inline]
    fn representative(&self, state: &Pits) -> Pits {
        state.with_mover_first()
    }

    fn exchanges(&self) -> bool {
        true
    }

    fn images(&self) -> u64 {
        2
    }

    fn image(&self, state: &Pits, number: u64) -> Option<Pits> {
        match number {
            0 => Some(*state),
            1 => Some(state.turned()),
            _ => None,
        }
    }
}

impl Banked for Awari {
    /// The difference of the captured stones.
    #[inline]
    fn banked(&self, state: &Pits) -> Value {
        state.banked()
    }

    #[inline]
    fn unbanked(&self, state: &Pits) -> Pits {
        state.unbanked()
    }
}
