//! Perfect play that fights: among the moves that keep the value, the quickest win and the slowest loss; in a draw the
//! move after which the opponent has the fewest moves that hold it; and where nothing tells two losing moves apart, the
//! one with which random games do best.

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use super::Choice;
use crate::control::{Control, Halted};
use crate::found::Found;
use crate::monte_carlo::think_of;
use crate::solver::{Haste, Request, Solver};

/// Positions and moves that are looked at for short wins if there is no time limit: a second or two.
const ENOUGH: u64 = 1 << 24;

/// Positions that are looked at to count the replies to a move.
const FOR_REPLIES: u64 = 1 << 20;

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
    if let Some((mv, value)) = solver.proven_move(state)? {
        let declared = solver.declared().clone();
        let game = &declared.game;
        let mut soonest: Vec<_> = game.moves(state).collect();
        let count = soonest.len();
        // The proof may win later than a move that it does not name.
        if value > game.endless(state).value_for(game.turn(state)) {
            let mut haste = Haste::new(&declared, control, control.memory() / 8);
            haste.restrict(state, value, &mut soonest, ENOUGH)?;
        }
        let mv = if soonest.len() < count { soonest[dice.below(soonest.len())] } else { mv };
        return Ok(Choice { mv, found: Some(Found::Value(value)), best: true });
    }
    let analysis = solver.analyse(state, &Request::default().with_line(false), control);
    let (Some(found), None) = (analysis.found, analysis.halted.clone()) else {
        // What is not found was halted.
        return Err(analysis.halted.unwrap_or(Halted::NotInTable));
    };
    let mut best = analysis.best();
    let (value, endless) = (found.value(), analysis.endless);
    if let Found::Value(value) = found {
        let declared = solver.declared().clone();
        let mut haste = Haste::new(&declared, control, control.memory() / 8);
        haste.restrict(state, value, &mut best, ENOUGH)?;
    }
    if best.len() > 1 && value == endless {
        fewest_replies(solver, state, &mut best, control);
    } else if best.len() > 1 && value < endless && !matches!(found, Found::Proven(_)) {
        let limits = control.clone().with_positions(GAMES).with_quarters_of_time(2);
        if let Ok(chances) = think_of(&solver.declared().clone(), state, dice, &limits) {
            let kept = chances.moves.iter().filter(|each| best.contains(&each.mv));
            let hardest = kept.max_by(|one, other| one.chance.total_cmp(&other.chance));
            best = hardest.map_or(best.clone(), |each| vec![each.mv]);
        }
    }
    Ok(Choice::of(best[dice.below(best.len())], &analysis))
}

/// Keeps the moves after which the opponent has the fewest replies of the same value, if all replies are soon known.
fn fewest_replies<G: Game>(
    solver: &mut Solver<G>,
    state: &G::State,
    best: &mut Vec<G::Move>,
    control: &Control,
) {
    let mut counts = Vec::with_capacity(best.len());
    for &mv in &*best {
        let child = solver.game().play(state, mv);
        let limits = control.clone().with_positions(FOR_REPLIES).with_quarters_of_time(1);
        let replies = match solver.game().outcome(&child) {
            // The draw would be certain.
            Some(_) => Some(usize::MAX),
            None => {
                let after = solver.analyse(&child, &Request::default().with_line(false), &limits);
                let value = after.found.filter(|found| found.is_proven() && after.halted.is_none());
                let holds = |found: &Found, value: Found| found.value() == value.value();
                value.map(|value| {
                    after.moves.iter().filter(|(_, found)| holds(found, value)).count()
                })
            }
        };
        match replies {
            Some(replies) => counts.push(replies),
            None => return,
        }
    }
    let fewest = counts.iter().min().copied();
    let mut counts = counts.into_iter();
    best.retain(|_| counts.next() == fewest);
}
