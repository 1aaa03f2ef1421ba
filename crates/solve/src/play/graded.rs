//! Players that err as people do. They see their own move and the answer to it; the rest they judge by Monte Carlo tree
//! search of a few random games, and take a move with a chance that grows with the number of games that tried it, which
//! are the more, the better it seemed (as in the games that AlphaZero learned from: Silver et al. 2018). So a move whose
//! fault lies deep is taken for a good one now and then, and one that loses at once is not, if another is there.

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use super::choice::Choice;
use crate::control::{Control, Halted};
use crate::monte_carlo::{self, Chance, Chances};
use crate::solver::Solver;

/// How well such a player plays.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grade {
    /// The number of random games.
    pub games: u64,
    /// A move is as likely as the number of games that tried it, raised to this power; `None`: the best is taken.
    pub power: Option<i32>,
}

impl Grade {
    pub const EASY: Grade = Grade { games: 20, power: Some(1) };
    pub const MEDIUM: Grade = Grade { games: 400, power: Some(3) };
    pub const HARD: Grade = Grade { games: 4_000, power: None };
}

/// The move of such a player.
///
/// # Errors
/// If it is stopped, the game breaks its rules, or there is no memory for the moves.
pub(super) fn choose<G: Game>(
    grade: Grade,
    solver: &mut Solver<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Choice<G::Move>, Halted> {
    let declared = solver.declared().clone();
    // Search may hold another win for as good.
    if let Some(win) = Choice::to_win(&declared.game, state, dice) {
        return Ok(win);
    }
    let control = control.clone().with_positions(grade.games.min(control.positions()));
    let Chances { moves, best, proven, .. } =
        monte_carlo::think_of(&declared, state, dice, &control)?;
    let sign = |mv: &Chance<G::Move>| mv.found.map_or(0, |found| found.value().0.signum());
    let at = match grade.power {
        Some(power) if !proven && sign(&moves[best]) <= 0 => {
            let weight = |mv: &Chance<G::Move>| match sign(mv) {
                -1 => 0.0,
                _ => f64::from(mv.games.max(1)).powi(power),
            };
            pick(moves.iter().map(weight), dice).unwrap_or(best)
        }
        _ => best,
    };
    Ok(Choice { mv: moves[at].mv, found: moves[at].found, best: proven && at == best })
}

/// A place, each with a chance in proportion to its weight; `None` if all are 0.
fn pick(weights: impl Iterator<Item = f64> + Clone, dice: &mut Dice) -> Option<usize> {
    const STEPS: usize = 1 << 30;
    let all: f64 = weights.clone().sum();
    let mut left = all * dice.below(STEPS) as f64 / STEPS as f64;
    let mut last = None;
    for (at, weight) in weights.enumerate().filter(|(_, weight)| *weight > 0.0) {
        last = Some(at);
        if left < weight {
            break;
        }
        left -= weight;
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_up_as_their_weights_say() {
        let mut dice = Dice::new(3);
        let mut counts = [0; 4];
        for _ in 0..4_000 {
            counts[pick([1.0, 0.0, 2.0, 1.0].into_iter(), &mut dice).unwrap()] += 1;
        }
        assert!(counts[1] == 0 && (1_800..2_200).contains(&counts[2]), "{counts:?}");
        assert_eq!(pick([0.0, 0.0].into_iter(), &mut dice), None);
    }
}
