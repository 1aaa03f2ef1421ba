//! Strong solving of any game: the worth of every position that can arise.
//!
//! Two steps, both from the rules alone. Step one finds the positions, breadth first, with the
//! numbers of their successors. Step two computes worths backwards:
//!
//! - If every move leads to a position found later than its own (all games in which a position can
//!   only arise at one ply): from the last position to the first.
//! - Otherwise, if there is a topological order (Kahn 1962): in reverse topological order.
//! - Otherwise the game loops: retrograde analysis (Ströhlein 1970, Thompson 1986), from the
//!   finished positions back over the moves, the largest results first, quick ones before slow
//!   ones. A position is settled as won as soon as one move wins a result of the current size, and
//!   as lost or drawn when the last of its moves is settled. Positions that are never settled are
//!   endless play.
//!
//! Wins and losses are relative to the value of endless play, mostly 0. If that differs between
//! positions, each strongly connected component is settled as a whole, after the components it
//! leads to (`components.rs`).

mod blocks;
mod components;
mod explore;
mod graph;
mod map;
mod settle;
mod step;

use std::fmt;

use foregone_rules::{Bank, Encode, Game, Merged, Symmetry, Value, Worth, Written};

pub use self::graph::Graph;
pub use self::map::Map;

use self::blocks::Blocks;
pub(crate) use self::explore::Like;
use self::explore::{Outlook, Positions, endless_at, explore};
use self::settle::{Settling, size};
use self::step::{Banking, Plain, Step};
use crate::control::{Control, Halted, Pace};

/// Whether alike positions are merged where many can arise: not in a browser, where the code for it takes room.
const MERGES: bool = cfg!(not(target_family = "wasm"));

/// The most positions that are all solved where some are alike; few in tests, so that these merge them.
const WHOLE: u64 = if cfg!(test) { 1 << 10 } else { 1 << 20 };

/// A strong solution: the worth of every position that can arise from a root.
pub struct Strong<G: Game> {
    positions: Positions<G::State>,
    worths: Blocks<Worth>,
    /// The order of settling, if the value of endless play differs between positions.
    settled: Option<Blocks<u32>>,
    /// Whether only representatives have a worth.
    merged: bool,
}

impl<G: Game> fmt::Debug for Strong<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Strong {{ positions: {} }}", self.positions())
    }
}

/// The result of strong solving with a limit on the number of positions.
pub(crate) enum Quickly<G: Game> {
    /// The game is small enough.
    Solved(Strong<G>),
    /// The game looks too large.
    Not {
        /// The expected number of positions, at least.
        expected: u64,
    },
}

impl<G: Game> Quickly<G> {
    /// The solution. Without a limit there always is one.
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
    /// If a limit of `control` is reached, or it is stopped.
    pub fn solve(game: &G, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_from(game, &game.start(), control)
    }

    /// Solves every position that can arise from `state`.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or it is stopped.
    pub fn solve_from(game: &G, state: &G::State, control: &Control) -> Result<Strong<G>, Halted> {
        Strong::solve_written(game, state, None, None, control)
    }

    /// Like [`solve_from`](Strong::solve_from), with a notation for positions in errors. Where more than
    /// [`WHOLE`] positions can arise and `like` gives representatives, only these have a worth.
    pub(crate) fn solve_written(
        game: &G,
        state: &G::State,
        like: Like<G>,
        written: Option<Written<G>>,
        control: &Control,
    ) -> Result<Strong<G>, Halted> {
        let max = if MERGES && like.is_some() { WHOLE } else { u64::MAX };
        match Strong::solve_quickly(game, state, written, control, max)? {
            Quickly::Not { .. } if MERGES && like.is_some() => {
                Strong::solve_merged::<Plain>(game, state, like, written, control, u64::MAX)?
                    .solved()
            }
            quickly => quickly.solved(),
        }
    }

    /// Like [`solve_from`](Strong::solve_from), if at most `max` positions can arise, with
    /// few enough moves for that number.
    pub(crate) fn solve_quickly(
        game: &G,
        state: &G::State,
        written: Option<Written<G>>,
        control: &Control,
        max: u64,
    ) -> Result<Quickly<G>, Halted> {
        Strong::solve_merged::<Plain>(game, state, None, written, control, max)
    }

    /// Solves every position that can arise from `state`, one for each symmetry class: only the
    /// representatives have a worth.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or it is stopped.
    pub fn solve_up_to_symmetry(
        game: &G,
        state: &G::State,
        control: &Control,
    ) -> Result<Strong<G>, Halted>
    where
        G: Symmetry,
    {
        let like: Like<G> =
            Some(|game, state| Merged { state: game.representative(state), offset: Value(0) });
        Strong::solve_merged::<Plain>(game, state, like, None, control, u64::MAX)?.solved()
    }

    /// Like [`solve_up_to_symmetry`](Strong::solve_up_to_symmetry), and without banked points
    /// ([`Merged`]). If the game banks points, distances are known only if the value of play
    /// without end includes banked points.
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
        quickly(game, state, Some(Merged::of), None, control, u64::MAX)?.solved()
    }

    fn solve_merged<S: Step>(
        game: &G,
        state: &G::State,
        like: Like<G>,
        written: Option<Written<G>>,
        control: &Control,
        max: u64,
    ) -> Result<Quickly<G>, Halted> {
        let mut outlook = Outlook::new(max);
        let Some((positions, steps, worths)) =
            explore::<G, S>(game, state, like, written, control, &mut outlook)?
        else {
            return Ok(Quickly::Not { expected: outlook.expected });
        };
        let endless = |number| endless_at(game, &positions.states.get(number));
        let settling = Settling {
            taken: positions.bytes() + steps.bytes() + worths.bytes(),
            steps,
            worths,
            endless: &endless,
            control,
            pace: Pace::new(),
        };
        let (worths, settled) = settling.settle_all()?;
        let merged = like.is_some();
        Ok(Quickly::Solved(Strong { positions, worths, settled, merged }))
    }

    /// The worth of a position; `None` if it cannot arise.
    pub fn worth(&self, state: &G::State) -> Option<Worth> {
        Some(self.worths.get(self.positions.number(state)? as usize))
    }

    /// The number of positions that can arise.
    pub fn positions(&self) -> u64 {
        self.worths.len() as u64
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        let settled = self.settled.as_ref().map_or(0, Blocks::bytes);
        self.positions.bytes() + self.worths.bytes() + settled
    }

    /// Whether only representatives have a worth.
    pub(crate) fn is_merged(&self) -> bool {
        MERGES && self.merged
    }

    /// Whether endless play has the same value for the first player everywhere.
    pub(crate) fn is_even(&self) -> bool {
        self.settled.is_none()
    }

    /// A number that proves progress towards the end of play, or towards endless play
    /// elsewhere: if a side gets more in a position than by endless play there, the number
    /// falls along some value-preserving move of that side, and along every move of the other side.
    /// `None` if the position cannot arise.
    pub(crate) fn rank(&self, game: &G, state: &G::State) -> Option<u64> {
        let number = self.positions.number(state)? as usize;
        if let Some(settled) = &self.settled {
            return Some(settled.get(number).into());
        }
        // Larger results are settled first.
        let worth = self.worths.get(number);
        let size = u64::from(u32::MAX) - size(worth, endless_at(game, state)).unsigned_abs();
        Some(size << 32 | u64::from(worth.distance().plies().unwrap_or(u32::MAX)))
    }

    /// All positions with their worths, in breadth-first order.
    pub fn iter(&self) -> impl Iterator<Item = (&G::State, Worth)> {
        self.positions.states.iter().zip(self.worths.iter().copied())
    }
}

#[cfg(test)]
mod tests;
