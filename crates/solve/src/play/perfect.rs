//! Perfect play that fights: among the moves that keep the value, the quickest win and the slowest loss; in a draw the
//! move after which the opponent has the fewest moves that hold it; and where nothing tells two losing moves apart, the
//! one with which random games do best.

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use super::Choice;
use crate::control::{Control, Halted};
use crate::found::Found;
use crate::monte_carlo::think_of;
use crate::moves::listed;
use crate::solver::{Haste, ONCE, Request, Solver};

/// Random games that tell losing moves apart.
const GAMES: u64 = 4_000;

/// The move of the perfect player.
///
/// # Errors
/// If solving is halted.
pub(super) fn choose<G: Game>(
    solver: &mut Solver<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Choice<G::Move>, Halted> {
    if let Some(win) = Choice::to_win(solver.game(), state, dice) {
        return Ok(win);
    }
    if let Some((mv, value)) = solver.proven_move(state)? {
        let declared = solver.declared().clone();
        let game = &declared.game;
        let mut soonest = listed(game, state, control)?;
        let count = soonest.len();
        // The proof may win later than a move that it does not name.
        if value > game.endless(state).value_for(game.turn(state)) {
            Haste::new(&declared, control).restrict(state, value, &mut soonest, ONCE)?;
        }
        let mv = if soonest.len() < count { soonest[dice.below(soonest.len())] } else { mv };
        return Ok(Choice { mv, found: Some(Found::Value(value)), best: true });
    }
    let analysis = solver.analyse(state, &Request::default().with_line(false), control);
    // In a halted analysis some move may be known that keeps the value.
    let mut best = analysis.preferred();
    let Some(found) = analysis.found.filter(|found| found.is_proven() && !best.is_empty()) else {
        // What is not found was halted.
        return Err(analysis.halted.unwrap_or(Halted::NotInTable));
    };
    let (value, endless) = (found.value(), analysis.endless);
    if best.len() > 1 && value < endless && !matches!(found, Found::Proven(_)) {
        let limits = control.clone().with_positions(GAMES).with_quarters_of_time(2);
        if let Ok(chances) = think_of(&solver.declared().clone(), state, dice, &limits) {
            let kept = chances.moves.iter().filter(|each| best.contains(&each.mv));
            let hardest = kept.max_by(|one, other| one.chance.total_cmp(&other.chance));
            best = hardest.map_or(best.clone(), |each| vec![each.mv]);
        }
    }
    Ok(Choice::of(best[dice.below(best.len())], &analysis))
}
