//! Choosing a move if a game cannot be solved: search one ply deeper until the time is up
//! (iterative deepening, Slate and Atkin 1977). If the game has no evaluation, random games decide
//! between moves with equal results (Abramson 1990).

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use crate::chance::{ENOUGH, chance_games};
use crate::control::{Control, Halted};
use crate::declared::Declared;
use crate::play::choice::Choice;
use crate::solver::{Analysis, DEEPEST, Method, Request, Solver};

/// The depth in plies that is always searched, whatever the time: the own move and the reply. So it
/// finds a win in one, and avoids a loss in one if another move exists.
const ALWAYS: u32 = 2;

/// The move that looks best within the time limit.
///
/// # Errors
/// If it is stopped, or two plies exceed the memory limit.
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
        solver.analyse(state, &request, control)
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
    Ok(Choice::of(mv, &seen))
}

/// The move with the best mean result of random games for its mover.
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
