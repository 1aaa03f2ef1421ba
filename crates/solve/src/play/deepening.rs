//! A move where a game cannot be solved: look one ply further again and again until the time is up
//! (iterative deepening, Slate and Atkin 1977), and let chance games decide between moves that
//! look the same in a game without an evaluation of its own (Abramson 1990).

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome};

use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::moves::{self, gather};
use crate::play::Choice;
use crate::solver::{Analysis, Method, Request, Solver};

/// So far is always looked, whatever the time: one's own next move and the answer to it. So a win in
/// one is seen, and a loss in one where there is another move.
const ALWAYS: u32 = 2;

/// So far is looked at most.
pub(crate) const DEEPEST: u32 = 200;

/// How many chance games are played after each move, and for how many plies at most.
const PLAYOUTS: usize = 200;
const LONGEST: usize = 400;

/// After so many moves looked at there were chance games enough.
const ENOUGH: u64 = 1 << 23;

/// The move that looks best by what can be seen within the control's time.
///
/// # Errors
/// If it is told to stop, or two plies are too much for the memory.
pub(crate) fn choose<G: Game>(
    solver: &mut Solver<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Choice<G::Move>, Halted> {
    let declared = solver.declared().clone();
    let mut look = |depth, control: &Control| {
        let request = Request {
            method: Method::Search,
            depth: Some(depth),
            line: false,
            ..Request::default()
        };
        solver.analyse(state, &request, control, None)
    };
    let mut seen: Analysis<_> = look(ALWAYS, &control.clone().without_time());
    if let Some(halted) = seen.halted {
        return Err(halted);
    }
    for depth in ALWAYS + 1..=DEEPEST {
        if seen.found.is_none_or(|found| found.is_proven()) || seen.moves.len() == 1 {
            break;
        }
        let deeper = look(depth, control);
        match deeper.halted {
            None => seen = deeper,
            Some(halted @ Halted::Stopped { .. }) => return Err(halted),
            Some(_) => break,
        }
    }
    let best = seen.best();
    let proven = seen.found.is_some_and(|found| found.is_proven());
    let mv = match declared.opinion.is_some() || proven || best.len() == 1 {
        true => best[dice.below(best.len())],
        false => by_chance(&declared, state, &best, dice, control)?,
    };
    let found = seen.moves.iter().find(|(each, _)| *each == mv);
    Ok(Choice { mv, found: found.map(|(_, found)| *found) })
}

/// The move after which chance games end best for who makes it.
fn by_chance<G: Game>(
    declared: &Declared<G>,
    state: &G::State,
    moves: &[G::Move],
    dice: &mut Dice,
    control: &Control,
) -> Result<G::Move, Halted> {
    let means = chance_games(declared, state, moves, dice, (control, ENOUGH))?;
    let best = moves.iter().zip(means).rev().max_by(|(_, one), (_, other)| one.total_cmp(other));
    Ok(best.map_or(moves[0], |(mv, _)| *mv))
}

/// What chance games after each move end with, in the mean, for who makes it. They take little time;
/// until they have looked at `least` moves they take it even if it is up. Negative infinity for moves
/// for which there was no time at all.
///
/// # Errors
/// If it is told to stop, or the game breaks its rules.
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
    // All moves take turns, so that each has as many games when there is no time for more.
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
    // Of a move without a game nothing is hoped.
    let mean = |(sum, games)| match games {
        0 => f64::NEG_INFINITY,
        games => sum as f64 / f64::from(games),
    };
    Ok(sums.into_iter().map(mean).collect())
}

/// Chance games under way.
struct Chance<'a, G: Game> {
    declared: &'a Declared<G>,
    control: &'a Control,
    /// The same without a time limit.
    patient: Control,
    pace: Pace,
    list: Vec<G::Move>,
    /// How many moves were looked at, and until how many the time does not matter.
    looked: u64,
    least: u64,
}

impl<G: Game> Chance<'_, G> {
    /// How a game ends in which all moves are chosen by chance; if it takes too long, what play
    /// without end is worth there.
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

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::games::{ConnectFour, Kalah, Mnk, QuantumTicTacToe};
    use foregone_rules::promise::Promises;
    use foregone_rules::{Args, Family, Notation};
    use std::sync::Arc;
    use std::time::Duration;

    fn game<F: Family>(given: &[(&str, &str)]) -> F {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    }

    fn chosen<G: Game>(declared: &Arc<Declared<G>>, state: &G::State, time: Duration) -> String {
        let control = Control::default().with_memory(1 << 26).with_time(time);
        let choice =
            choose(&mut Solver::new(declared.clone()), state, &mut Dice::new(5), &control).unwrap();
        choice.mv.to_string()
    }

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_blocked_without_any_time() {
        let declared = Arc::new(Declared::plain(game::<Mnk>(&[
            ("columns", "7"),
            ("rows", "7"),
            ("line", "5"),
        ])));
        for (row, turn, best) in [("XXXX...", "X", "5"), ("XXXX.O.", "O", "5")] {
            let others = if turn == "X" { "OOOO.../" } else { "OOO...X/" };
            let text = format!("{row}/......./{others}......./......./......./....... {turn}");
            let state = declared.game.parse(&text).unwrap();
            assert_eq!(chosen(&declared, &state, Duration::ZERO), best, "{text}");
        }
        let declared = Arc::new(
            Declared::plain(game::<ConnectFour>(&[("columns", "9"), ("rows", "6")]))
                .with(|it| it.acyclic()),
        );
        let mut state = declared.game.start();
        for _ in 0..3 {
            for column in ["4", "9"] {
                let mv = declared.game.moves(&state).find(|mv| mv.to_string() == column);
                state = declared.game.play(&state, mv.unwrap());
            }
        }
        assert_eq!(chosen(&declared, &state, Duration::ZERO), "4");
    }

    #[test]
    fn chance_games_and_evaluations_find_sound_moves() {
        let declared = Arc::new(Declared::plain(game::<Mnk>(&[("columns", "5"), ("rows", "5")])));
        let inner = ["7", "8", "9", "12", "13", "14", "17", "18", "19"];
        for seed in 0..6 {
            let (start, dice) = (declared.game.start(), &mut Dice::new(seed));
            let control = Control::default().with_time(Duration::ZERO);
            let choice =
                choose(&mut Solver::new(declared.clone()), &start, dice, &control).unwrap();
            assert!(inner.contains(&choice.mv.to_string().as_str()), "{seed}: {}", choice.mv);
        }
        // Taking nine stones beats all else, and is seen by the stores alone.
        let kalah = Arc::new(Declared::plain(game::<Kalah>(&[])).with(|it| {
            it.acyclic();
            it.evaluate();
        }));
        let state = kalah.game.parse("1 0 0 4 4 0 5 5 5 5 1 9 1 8 first").unwrap();
        assert_eq!(chosen(&kalah, &state, Duration::ZERO), "1");
        let quantum =
            Arc::new(Declared::plain(game::<QuantumTicTacToe>(&[])).with(|it| it.acyclic()));
        assert!(!chosen(&quantum, &quantum.game.start(), Duration::ZERO).is_empty());
    }
}
