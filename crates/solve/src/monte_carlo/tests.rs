use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use foregone_rules::games::{ConnectFour, Kalah, Mnk, ThreeMensMorris};
use foregone_rules::promise::Promises;
use foregone_rules::sample::{self, Dice};
use foregone_rules::{Game, Notation, Outcome, Side};
use foregone_trial::{Graph, game};

use super::*;
use crate::solver::Solver;
use crate::strong::Strong;

/// What is proven at these positions is what perfect play leads to. Returns how much that is.
fn true_proofs<G: Game>(declared: &Declared<G>, states: impl Iterator<Item = G::State>) -> usize {
    let game = &declared.game;
    let mut proven = 0;
    for (seed, state) in states.enumerate() {
        if game.outcome(&state).is_some() {
            continue;
        }
        let strong = Strong::solve_from(game, &state, &Control::default()).unwrap();
        let mover = game.turn(&state);
        for games in [0, 30, 3_000] {
            let control = Control::default().with_positions(games);
            let dice = &mut Dice::new(seed as u64);
            let chances = think_of(declared, &state, dice, &control).unwrap();
            assert_eq!(chances.moves.len(), game.moves(&state).count());
            assert!(chances.best < chances.moves.len());
            assert!(u64::from(chances.games) <= games);
            let worth = |mv| {
                let next = game.play(&state, mv);
                strong.worth(&next).unwrap().value().seen_from(game.turn(&next), mover)
            };
            if chances.proven {
                let best = game.moves(&state).map(worth).max();
                assert_eq!(best, Some(worth(chances.moves[chances.best].mv)), "{state:?}");
            }
            for each in chances.moves {
                assert!((0.0..=1.0).contains(&each.chance), "{}", each.chance);
                if let Some(found) = each.found {
                    assert_eq!(found.value(), worth(each.mv), "{state:?} {}", each.mv);
                    proven += 1;
                }
            }
        }
    }
    proven
}

fn sampled<G: Game>(declared: &Declared<G>) -> usize {
    let states = sample::positions(&declared.game, 60, 7).into_iter();
    true_proofs(declared, states.map(|sample| sample.state))
}

#[test]
fn what_is_proven_is_true() {
    for declared in [Declared::new(Mnk::tic_tac_toe()), Declared::plain(Mnk::tic_tac_toe())] {
        let proven = sampled(&declared);
        assert!(proven > 100, "{proven}");
    }
    // Points, extra turns, and loops.
    assert!(sampled(&Declared::new(game::<Kalah>(&[("pits", "3"), ("stones", "2")]))) > 20);
    assert!(sampled(&Declared::plain(game::<Kalah>(&[("pits", "2"), ("stones", "2")]))) > 20);
    assert!(sampled(&Declared::new(game::<ThreeMensMorris>(&[]))) > 20);
    let small = [("columns", "4"), ("rows", "4")];
    assert!(sampled(&Declared::new(game::<ConnectFour>(&small))) > 20);
    let graphs = (0..40).map(|seed| {
        let graph = Graph::new(seed).with_loops(seed);
        let states = 0..graph.moves.len() as u8;
        true_proofs(&Declared::plain(graph), states)
    });
    assert!(graphs.sum::<usize>() > 300);
}

fn chosen<G: Game>(declared: &Arc<Declared<G>>, state: &G::State, control: &Control) -> String {
    let dice = &mut Dice::new(5);
    let chances = think_of(declared, state, dice, control).unwrap();
    chances.moves[chances.best].mv.to_string()
}

/// A few lost games say little: the chance stays near that of all moves.
#[test]
fn a_few_games_do_not_make_a_chance_of_nothing() {
    let declared =
        Arc::new(Declared::new(game::<Mnk>(&[("columns", "7"), ("rows", "7"), ("line", "5")])));
    let control = Control::default().with_positions(150);
    for seed in 0..5 {
        let chances =
            think_of(&declared, &declared.game.start(), &mut Dice::new(seed), &control).unwrap();
        let open = || chances.moves.iter().filter(|each| each.found.is_none());
        assert_eq!(open().count(), 49);
        assert!(open().any(|each| (1..5).contains(&each.games)));
        let extreme = open().find(|each| !(0.3..0.7).contains(&each.chance));
        assert_eq!(extreme, None);
    }
}

#[test]
fn a_win_in_one_is_taken_and_a_loss_in_one_is_blocked_without_any_time() {
    let given = [("columns", "7"), ("rows", "7"), ("line", "5")];
    let control = Control::default().with_time(Duration::ZERO);
    for plain in [true, false] {
        let game = game::<Mnk>(&given);
        let declared = Arc::new(if plain { Declared::plain(game) } else { Declared::new(game) });
        for (row, turn, best) in [("XXXX...", "X", "5"), ("XXXX.O.", "O", "5")] {
            let others = if turn == "X" { "OOOO.../" } else { "OOO...X/" };
            let text = format!("{row}/......./{others}......./......./......./....... {turn}");
            let state = declared.game.parse(&text).unwrap();
            assert_eq!(chosen(&declared, &state, &control), best, "{text}");
        }
    }
}

#[test]
fn a_proven_win_comes_to_its_end() {
    // Three men's morris can loop: a player that is content with any proven win could walk in a circle.
    let declared = Arc::new(Declared::new(game::<ThreeMensMorris>(&[])));
    let game = &declared.game;
    let strong = Strong::solve(game, &Control::default()).unwrap();
    for seed in 0..10 {
        let (mut state, mut dice) = (game.start(), Dice::new(seed));
        let mut plies = 0;
        while game.outcome(&state).is_none() && plies < 60 {
            let mv = if game.turn(&state) == Side::First {
                let control = Control::default().with_positions(20_000);
                let chances = think_of(&declared, &state, &mut dice, &control).unwrap();
                chances.moves[chances.best].mv
            } else {
                let moves: Vec<_> = game.moves(&state).collect();
                let worth = |mv: &_| strong.worth(&game.play(&state, *mv)).unwrap();
                // The longest resistance.
                *moves
                    .iter()
                    .max_by_key(|mv| worth(mv).distance().plies().unwrap_or(u32::MAX))
                    .unwrap()
            };
            state = game.play(&state, mv);
            plies += 1;
        }
        assert_eq!(game.outcome(&state), Some(Outcome(1)), "{seed}");
    }
}

#[test]
fn limits_hold() {
    let declared = Declared::new(game::<ConnectFour>(&[]));
    let start = declared.game.start();
    let think = |control: &Control| think_of(&declared, &start, &mut Dice::new(1), control);
    let stopped = Control::default().with_stop(Arc::new(AtomicBool::new(true)));
    assert!(matches!(think(&stopped), Err(Halted::Stopped { .. })));
    let tiny = think(&Control::default().with_memory(10));
    assert!(matches!(tiny, Err(Halted::Memory { .. })), "{tiny:?}");
    // With room for few positions the games go on.
    let few = Control::default().with_memory(20 << 10).with_positions(5_000);
    let chances = think(&few).unwrap();
    assert_eq!((chances.moves.len(), chances.games), (7, 5_000));
    assert_eq!(chances.moves[chances.best].mv.to_string(), "4");
    // Some games are played whatever the time.
    let late = think(&Control::default().with_time(Duration::ZERO)).unwrap();
    assert!((100..5_000).contains(&late.games), "{}", late.games);
    // Equal seeds, equal thoughts.
    assert_eq!(think(&few).unwrap(), chances);
}

#[test]
fn it_draws_tic_tac_toe_against_perfect_play_and_beats_the_careless() {
    let declared = Arc::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
    let game = &declared.game;
    let mut solver = Solver::new(declared.clone());
    let mut won = 0;
    for seed in 0..20 {
        for (side, other) in [(Side::First, Player::Perfect), (Side::Second, Player::Random)] {
            let (mut state, mut dice) = (game.start(), Dice::new(seed));
            let outcome = loop {
                if let Some(outcome) = game.outcome(&state) {
                    break outcome;
                }
                let control = Control::default().with_positions(1_000);
                let mv = match game.turn(&state) == side {
                    true => {
                        let chances = think_of(&declared, &state, &mut dice, &control).unwrap();
                        chances.moves[chances.best].mv
                    }
                    false => {
                        other
                            .choose(&mut solver, &state, &mut dice, &Control::default())
                            .unwrap()
                            .mv
                    }
                };
                state = game.play(&state, mv);
            };
            assert!(outcome.value_for(side).0 >= 0, "{seed} {other}");
            won += outcome.value_for(side).0;
        }
    }
    assert!(won >= 12, "{won}");
}
