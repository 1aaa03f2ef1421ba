//! A move where a game cannot be solved: look one ply further again and again until the time is up
//! (iterative deepening, Slate and Atkin 1977), and let chance games decide between moves that
//! look the same in a game without an evaluation of its own (Abramson 1990).

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Value};

use crate::analysis::{Analysis, Method, Request, Solver};
use crate::control::{Control, Halted};
use crate::offer::Offer;
use crate::player::Choice;

/// So far is always looked, whatever the time: one's own next move and the answer to it. So a win in
/// one is seen, and a loss in one where there is another move.
const ALWAYS: u32 = 2;

/// So far is looked at most.
const DEEPEST: u32 = 200;

/// How many chance games are played after each move, and for how many plies at most.
const PLAYOUTS: usize = 200;
const LONGEST: usize = 400;

/// The move that looks best by what can be seen within the control's time.
///
/// # Errors
/// Where it is told to stop, or two plies are too much for the memory.
pub(crate) fn choose<G: Game>(
    offer: &Offer<G>,
    solver: &mut Solver<G>,
    state: &G::State,
    dice: &mut Dice,
    control: &Control,
) -> Result<Choice<G::Move>, Halted> {
    let mut look = |depth, control: &Control| {
        let request = Request {
            method: Method::Search,
            depth: Some(depth),
            line: false,
            ..Request::default()
        };
        solver.analyse(offer, state, &request, control, None)
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
    let mv = match offer.opinion.is_some() || proven || best.len() == 1 {
        true => best[dice.below(best.len())],
        false => by_chance(&offer.game, state, &best, dice),
    };
    let found = seen.moves.iter().find(|(each, _)| *each == mv);
    Ok(Choice { mv, found: found.map(|(_, found)| *found) })
}

/// The move after which chance games end best for who makes it.
fn by_chance<G: Game>(game: &G, state: &G::State, moves: &[G::Move], dice: &mut Dice) -> G::Move {
    let mover = game.turn(state);
    let mut best = (i64::MIN, moves[0]);
    for mv in moves {
        let mut sum = 0;
        for _ in 0..PLAYOUTS {
            let mut here = game.play(state, *mv);
            for _ in 0..LONGEST {
                if let Some(outcome) = game.outcome(&here) {
                    let Value(value) = outcome.value_for(mover);
                    sum += i64::from(value);
                    break;
                }
                let count = game.moves(&here).count();
                let mv = game.moves(&here).nth(dice.below(count));
                here = game.play(&here, mv.expect("there are so many moves"));
            }
        }
        if sum > best.0 {
            best = (sum, *mv);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::games::{ConnectFour, Kalah, Mnk, QuantumTicTacToe};
    use foregone_rules::{Args, Family, Notation};
    use std::time::Duration;

    fn game<F: Family>(given: &[(&str, &str)]) -> F {
        F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
    }

    fn chosen<G: Game>(offer: &Offer<G>, state: &G::State, time: Duration) -> String {
        let control = Control::default().with_memory(1 << 26).with_time(time);
        let choice =
            choose(offer, &mut Solver::default(), state, &mut Dice::new(5), &control).unwrap();
        choice.mv.to_string()
    }

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_in_one_is_blocked_without_any_time() {
        let offer = Offer::new(game::<Mnk>(&[("columns", "7"), ("rows", "7"), ("line", "5")]));
        for (row, turn, best) in [("XXXX...", "X", "5"), ("XXXX.O.", "O", "5")] {
            let others = if turn == "X" { "OOOO.../" } else { "OOO...X/" };
            let text = format!("{row}/......./{others}......./......./......./....... {turn}");
            let state = offer.game.parse(&text).unwrap();
            assert_eq!(chosen(&offer, &state, Duration::ZERO), best, "{text}");
        }
        let offer = Offer::new(game::<ConnectFour>(&[("columns", "9"), ("rows", "6")])).ranked();
        let mut state = offer.game.start();
        for _ in 0..3 {
            for column in ["4", "9"] {
                let mv = offer.game.moves(&state).find(|mv| mv.to_string() == column);
                state = offer.game.play(&state, mv.unwrap());
            }
        }
        assert_eq!(chosen(&offer, &state, Duration::ZERO), "4");
    }

    #[test]
    fn chance_games_and_evaluations_find_sound_moves() {
        let offer = Offer::new(game::<Mnk>(&[("columns", "5"), ("rows", "5"), ("line", "5")]));
        assert_eq!(chosen(&offer, &offer.game.start(), Duration::ZERO), "13", "the middle");
        // Taking nine stones beats all else, and is seen by the stores alone.
        let kalah = Offer::new(game::<Kalah>(&[])).ranked().evaluate();
        let state = kalah.game.parse("1 0 0 4 4 0 5 5 5 5 1 9 1 8 first").unwrap();
        assert_eq!(chosen(&kalah, &state, Duration::ZERO), "1");
        let quantum = Offer::new(game::<QuantumTicTacToe>(&[])).ranked();
        assert!(!chosen(&quantum, &quantum.game.start(), Duration::ZERO).is_empty());
    }
}
