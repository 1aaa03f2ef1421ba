//! Strong solving of any game: the worth of every position that can arise.
//!
//! Two steps, both from the rules alone. First the positions are found, breadth first, and with
//! each the numbers of those that its moves lead to. Then worths are worked out backwards:
//!
//! - Where every move leads to a position found later than its own (all games in which a position
//!   can only arise at one ply), from the last position to the first.
//! - Else in an order in which every position comes before those it leads to, if there is one
//!   (Kahn 1962).
//! - Else the game loops: retrograde analysis (Ströhlein 1970, Thompson 1986), from the finished
//!   positions back over the moves, the largest results first, quick ones before slow ones. A
//!   position is settled as won as soon as one move wins so much, and as lost or drawn when the
//!   last of its moves is settled. What is never settled goes on without end.
//!
//! What is won and lost counts from what play without end is worth, mostly 0. If that is not the same
//! everywhere, positions that lead to each other are settled together, those that play comes to last
//! before all others (`components.rs`).

mod blocks;
mod components;
mod explore;
mod settle;
mod step;

use std::fmt;

use foregone_rules::{Bank, Encode, Game, Merged, Symmetry, Value, Worth, Written};

use self::blocks::Blocks;
use self::explore::{Outlook, Positions, explore};
use self::settle::{Settling, size};
use self::step::{Banking, Plain, Step};
use crate::control::{Control, Halted, Pace};

/// The worth of every position that can arise from one.
pub struct Strong<G: Game> {
    positions: Positions<G::State>,
    worths: Blocks<Worth>,
    /// When each position was settled, if play without end is not worth the same everywhere.
    settled: Option<Blocks<u32>>,
}

impl<G: Game> fmt::Debug for Strong<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strong {{ positions: {} }}", self.positions())
    }
}

/// What came of trying whether a game is small.
pub(crate) enum Quickly<G: Game> {
    /// It is.
    Solved(Strong<G>),
    /// It is not.
    Not {
        /// How many positions are to be expected, at least.
        expected: u64,
    },
}

impl<G: Game> Quickly<G> {
    /// What was solved; a game that no number of positions was too many for is.
    fn solved(self) -> Result<Strong<G>, Halted> {
        match self {
            Quickly::Solved(strong) => Ok(strong),
            Quickly::Not { .. } => Err(Halted::Positions { limit: u64::MAX }),
        }
    }
}

impl<G: Game> Strong<G> {
    /// Solves every position that can arise from the start.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve(game: &G, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_from(game, &game.start(), control)
    }

    /// Solves every position that can arise from `state`.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve_from(game: &G, state: &G::State, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_written(game, state, None, control)
    }

    /// The same, with a notation to name positions in.
    pub(crate) fn solve_written(
        game: &G,
        state: &G::State,
        written: Option<Written<G>>,
        control: &Control,
    ) -> Result<Strong<G>, Halted> {
        Strong::solve_quickly(game, state, written, control, u64::MAX)?.solved()
    }

    /// The same if at most so many positions can arise, and few enough moves for their number.
    pub(crate) fn solve_quickly(
        game: &G,
        state: &G::State,
        written: Option<Written<G>>,
        control: &Control,
        most: u64,
    ) -> Result<Quickly<G>, Halted> {
        let like = |_: &G, state: &G::State| Merged { state: *state, offset: Value(0) };
        Strong::solve_merged::<Plain>(game, state, like, written, control, most)
    }

    /// Solves every position that can arise from `state`, one for all that are alike: of those alone
    /// the worth is known.
    ///
    /// # Errors
    /// If the control's limits are reached, or it says to stop.
    pub fn solve_up_to_symmetry(
        game: &G,
        state: &G::State,
        control: &Control,
    ) -> Result<Strong<G>, Halted>
    where
        G: Symmetry,
    {
        let like = |game: &G, state: &G::State| {
            let state = game.representative(state);
            Merged { state, offset: Value(0) }
        };
        Strong::solve_merged::<Plain>(game, state, like, None, control, u64::MAX)?.solved()
    }

    /// The same with nothing banked, too ([`Merged`]). Of a game that banks points distances are known
    /// only if play without end is worth what is banked, too.
    pub(crate) fn solve_bare(
        game: &G,
        state: &G::State,
        control: &Control,
    ) -> Result<Strong<G>, Halted>
    where
        G: Encode,
    {
        let quickly = match G::Bank::BANKS {
            true => Strong::solve_merged::<Banking>,
            false => Strong::solve_merged::<Plain>,
        };
        quickly(game, state, Merged::of, None, control, u64::MAX)?.solved()
    }

    fn solve_merged<S: Step>(
        game: &G,
        state: &G::State,
        like: impl Fn(&G, &G::State) -> Merged<G::State>,
        written: Option<Written<G>>,
        control: &Control,
        most: u64,
    ) -> Result<Quickly<G>, Halted> {
        let mut outlook = Outlook::new(most);
        let Some((positions, steps, worths)) =
            explore::<G, S>(game, state, like, written, control, &mut outlook)?
        else {
            return Ok(Quickly::Not { expected: outlook.expected });
        };
        let mut settling = Settling {
            taken: positions.bytes() + steps.bytes() + worths.bytes(),
            steps,
            worths,
            endless: |number| endless_at(game, &positions.states.get(number)),
            control,
            pace: Pace::new(),
        };
        let mut settled = None;
        if !settling.steps.even {
            settled = Some(settling.by_components()?);
        } else if settling.steps.rising {
            settling.sweep(None)?;
        } else {
            match settling.sorted()? {
                Some(order) => settling.sweep(Some(&order))?,
                None => settling.retrograde()?,
            }
        }
        let worths = settling.worths;
        Ok(Quickly::Solved(Strong { positions, worths, settled }))
    }

    /// The worth of a position; `None` if it cannot arise.
    pub fn worth(&self, state: &G::State) -> Option<Worth> {
        Some(self.worths.get(self.positions.number(state)? as usize))
    }

    /// How many positions can arise.
    pub fn positions(&self) -> u64 {
        self.worths.len() as u64
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        let settled = self.settled.as_ref().map_or(0, Blocks::bytes);
        self.positions.bytes() + self.worths.bytes() + settled
    }

    /// Whether play without end is worth the same to the first player wherever it goes on.
    pub(crate) fn is_even(&self) -> bool {
        self.settled.is_none()
    }

    /// A number that shows that play comes to an end, or to where it may go on without: if a side
    /// gets more in a position than play without end is worth to it there, the number falls along
    /// some move of that side that keeps what it gets, and along every move of the other side.
    /// `None` if the position cannot arise.
    pub(crate) fn rank(&self, game: &G, state: &G::State) -> Option<u64> {
        let number = self.positions.number(state)? as usize;
        if let Some(settled) = &self.settled {
            return Some(settled.get(number).into());
        }
        // What wins more is settled first.
        let worth = self.worths.get(number);
        let size = u64::from(u32::MAX) - size(worth, endless_at(game, state)).unsigned_abs();
        Some(size << 32 | u64::from(worth.distance().plies().unwrap_or(u32::MAX)))
    }

    /// All positions with their worths, in the order in which they can first arise.
    pub fn iter(&self) -> impl Iterator<Item = (&G::State, Worth)> {
        self.positions.states.iter().zip(self.worths.iter().copied())
    }
}

/// What play without end is worth to the mover of a position.
fn endless_at<G: Game>(game: &G, state: &G::State) -> Value {
    game.endless(state).value_for(game.turn(state))
}

#[cfg(test)]
mod tests;
