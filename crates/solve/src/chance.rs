//! Random games after each move (Abramson 1990), which compare moves that a search cannot tell apart.

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome};

use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::moves::{self, gather};

/// The number of random games after each move.
const PLAYOUTS: usize = 200;

/// The greatest length of a random game, in plies.
pub(crate) const LONGEST: usize = 400;

/// Random games stop after this many generated moves.
pub(crate) const ENOUGH: u64 = 1 << 23;

/// The mean result of random games after each move, for its mover. They take little time, so the
/// time limit only counts after `least` generated moves. Negative infinity for a move without a
/// finished game.
///
/// # Errors
/// If it is stopped, or the game breaks its rules.
pub(crate) fn chance_games<G: Game>(
    declared: &Declared<G>,
    state: &G::State,
    moves: &[G::Move],
    dice: &mut Dice,
    (control, least): (&Control, u64),
) -> Result<Vec<f64>, Halted> {
    let patient = control.clone().without_time();
    let (pace, list) = (Pace::new(), Vec::new());
    let mut chance = Chance { declared, control, patient, pace, list, looked: 0, least };
    let mover = declared.game.turn(state);
    let mut sums = vec![(0i64, 0u32); moves.len()];
    // The moves take turns, so that all have the same number of games when time runs out.
    'all: for _ in 0..PLAYOUTS {
        for (mv, (sum, games)) in moves.iter().zip(&mut sums) {
            match chance.play(declared.game.play(state, *mv), dice) {
                Ok(outcome) => *sum += i64::from(outcome.value_for(mover).0),
                Err(Halted::Time { .. }) => break 'all,
                Err(halted) => return Err(halted),
            }
            *games += 1;
        }
        if chance.looked > ENOUGH {
            break;
        }
    }
    // A move without a game comes last.
    let mean = |(sum, games)| match games {
        0 => f64::NEG_INFINITY,
        games => sum as f64 / f64::from(games),
    };
    Ok(sums.into_iter().map(mean).collect())
}

/// The state of running random games.
struct Chance<'a, G: Game> {
    declared: &'a Declared<G>,
    control: &'a Control,
    /// `control` without its time limit.
    patient: Control,
    pace: Pace,
    list: Vec<G::Move>,
    /// The number of generated moves, and the number from which the time limit counts.
    looked: u64,
    least: u64,
}

impl<G: Game> Chance<'_, G> {
    /// The outcome of a game with random moves; if it is too long, the value of endless play.
    fn play(&mut self, mut here: G::State, dice: &mut Dice) -> Result<Outcome, Halted> {
        let Declared { game, notation, .. } = self.declared;
        for _ in 0..LONGEST {
            if let Some(outcome) = game.outcome(&here) {
                return Ok(outcome);
            }
            gather(game, &here, &mut self.list, &self.patient, 0)?;
            if self.list.is_empty() {
                return Err(moves::none(game, &here, *notation));
            }
            self.looked += self.list.len() as u64;
            if self.pace.is_up(self.list.len() as u64) {
                let (phase, done) = ("playing chance games", self.looked);
                let progress = Progress { phase, done, total: None, bounds: None };
                match self.control.report(progress) {
                    Err(Halted::Time { .. }) if self.looked <= self.least => {}
                    reported => reported?,
                }
            }
            here = game.play(&here, self.list[dice.below(self.list.len())]);
        }
        Ok(game.endless(&here))
    }
}
