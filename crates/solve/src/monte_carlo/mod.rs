//! Monte Carlo tree search (Coulom 2006) by upper confidence bounds (UCT: Kocsis and Szepesvári 2006): random
//! games show which moves are promising, and a tree of the promising ones grows.
//!
//! What is proven is backed up, too (MCTS-Solver: Winands, Björnsson and Saito 2008; with bounds for more than
//! wins and losses: Cazenave and Saffidine 2010). So the tree never misses a win in one, and moves that are
//! proven to be worse are not tried again. Loops prove nothing: a game that goes on for too long counts as
//! endless play, as an opinion.
//!
//! Hints of a game ([`SearchHints`](foregone_rules::SearchHints)), if it has any, leave out moves that cannot
//! matter, and settle positions before they are over. In random games, moves are preferred that did well in
//! earlier ones (MAST: Finnsson and Björnsson 2008).

mod guide;
mod playout;
#[cfg(test)]
mod tests;
mod tree;
mod walk;

use std::time::Duration;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome};

pub(crate) use self::guide::Guide;
use self::playout::Playouts;
use self::walk::Walk;
use crate::control::{Control, Halted};
use crate::declared::Declared;
use crate::found::Found;
use crate::play::{Choice, Player};
use crate::solver::Solver;

/// The number of random games if there is no time limit.
const ENOUGH: u64 = 100_000;

/// An opinion about a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chance<M> {
    /// The move.
    pub mv: M,
    /// The chance of its mover to win, from 0 to 1; a draw counts as half a win. If few games tried it, it is near that of
    /// all moves.
    pub chance: f64,
    /// The number of games that tried it.
    pub games: u32,
    /// Its value, if that is proven.
    pub found: Option<Found>,
}

/// What Monte Carlo tree search thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Chances<M> {
    /// All moves, in the order of the rules.
    pub moves: Vec<Chance<M>>,
    /// The place of the best move in the list.
    pub best: usize,
    /// The place of the move with the largest chance: the best, or one that fewer games tried.
    pub(crate) likeliest: usize,
    /// Whether it is proven that no move is better than this.
    pub proven: bool,
    /// The number of random games.
    pub games: u32,
}

/// Thinks about a position that is not over until time is up.
///
/// # Errors
/// If it is stopped, the game breaks its rules, or there is no memory for the moves.
pub(crate) fn think<G: Game>(
    declared: &Declared<G>,
    guide: Guide<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Chances<G::Move>, Halted> {
    let game = &declared.game;
    let mut walk = Walk::new(game, guide, declared.notation, state, control)?;
    let mut playouts = Playouts::new(declared, guide, control);
    let max = if control.has_time_limit() { u32::MAX.into() } else { ENOUGH };
    let max = max.min(control.positions());
    // Every move and every answer to it is looked at, whatever the time.
    let mut open = walk.look_at_answers(state, control)?;
    while open && playouts.games < max {
        match walk.try_once(state, &mut playouts, dice) {
            Err(Halted::Time { .. }) => break,
            tried => tried?,
        }
        playouts.games += 1;
        open = !walk.is_settled();
    }
    Ok(walk.chances(playouts.games as u32, game.endless(state).value_for(game.turn(state))))
}

/// What random games show of a position, with the game's hints if it has any.
///
/// # Errors
/// See [`think`].
pub(crate) fn think_of<G: Game>(
    declared: &Declared<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Chances<G::Move>, Halted> {
    let guide = declared.values.map_or(Guide::PLAIN, |values| values.guide());
    think(declared, guide, state, dice, control)
}

/// The fraction of the time that is reserved for a proof: one in this many parts.
const FOR_PROOF: u32 = 4;

/// The time for a proof if there is no time limit.
const WITHOUT_LIMIT: Duration = Duration::from_secs(1);

/// The move of a player who looks for a proof first, and then trusts random games. Where all moves lose, as far as is
/// known alike, random games tell which makes it hardest for an opponent who errs.
///
/// # Errors
/// See [`think`].
pub(crate) fn choose<G: Game>(
    solver: &mut Solver<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Choice<G::Move>, Halted> {
    let time = control.time_left().map_or(WITHOUT_LIMIT, |left| left / FOR_PROOF);
    let proven = Player::Perfect.choose(solver, state, dice, &control.clone().with_time(time));
    let endless = solver.game().endless(state).value_for(solver.game().turn(state));
    let found = match &proven {
        Err(
            Halted::Time { .. }
            | Halted::Memory { .. }
            | Halted::Positions { .. }
            | Halted::Table { .. }
            | Halted::Thread { .. }
            | Halted::Deep { .. },
        ) => None,
        Ok(Choice { found: Some(Found::Value(value)), .. })
            if *value < endless && solver.game().max_value() == 1 =>
        {
            Some(Found::Value(*value))
        }
        _ => return proven,
    };
    let declared = solver.declared().clone();
    let Chances { moves, best, proven, .. } = think_of(&declared, state, dice, control)?;
    let best_found = found.or(moves[best].found);
    Ok(Choice { mv: moves[best].mv, found: best_found, best: proven || found.is_some() })
}

/// The sign of an outcome as the first player sees it.
fn sign(outcome: Outcome) -> i32 {
    outcome.0.signum()
}
