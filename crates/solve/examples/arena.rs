//! Two players against each other, from random openings, each opening with both colours.
//!
//! `cargo run --release --example arena -- connect-four mcts deepening 1.0 50 4`: the time for a move in seconds, the
//! number of openings, and the plies of an opening.

use std::time::Duration;

use foregone::sample::Dice;
use foregone::{AnyGame, Control, Halted, Player, Registry, Side};

/// The longest game, in plies; it is a draw then.
const LONGEST: usize = 300;

fn player(name: &str) -> Player {
    match name {
        "perfect" => Player::Perfect,
        "mcts" => Player::MonteCarlo,
        "deepening" => Player::Deepening,
        "random" => Player::Random,
        other => panic!("{other} is not a player"),
    }
}

/// The sign of the result for the first player.
fn play(
    game: &dyn AnyGame,
    opening: &[String],
    players: [Player; 2],
    time: Duration,
    dice: &mut Dice,
) -> Result<i32, Halted> {
    // Each has a session of its own, and what it has found.
    let mut sessions = [0, 1].map(|_| game.open(None, &opening.join(" ")).expect("an opening"));
    for _ in 0..LONGEST {
        if let Some(outcome) = sessions[0].outcome() {
            return Ok(outcome.0.signum());
        }
        let at = sessions[0].turn().index();
        let control = Control::default().with_memory(1 << 30).with_time(time);
        let choice = match sessions[at].choose(players[at], dice, &control) {
            Err(_) if players[at] == Player::Perfect => {
                sessions[at].choose(Player::Deepening, dice, &control)?
            }
            choice => choice?,
        };
        for session in &mut sessions {
            session.play(&choice.mv).expect("a legal move");
        }
    }
    Ok(0)
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [game, one, other, seconds, openings, plies] = &words[..] else {
        panic!("expected GAME PLAYER PLAYER SECONDS OPENINGS PLIES");
    };
    let registry = Registry::standard();
    let game = registry.game(game).unwrap_or_else(|error| panic!("{error}"));
    let pair = [player(one), player(other)];
    let time = Duration::from_secs_f64(seconds.parse().expect("seconds"));
    let openings: u64 = openings.parse().expect("a number of openings");
    let plies: usize = plies.parse().expect("a number of plies");
    let (mut won, mut drawn, mut lost) = (0, 0, 0);
    for seed in 0..openings {
        let mut dice = Dice::new(seed);
        let opening = loop {
            let mut session = game.open(None, "").expect("the start");
            for _ in 0..plies {
                let moves = session.moves();
                if !moves.is_empty() {
                    session.play(&moves[dice.below(moves.len())]).expect("a legal move");
                }
            }
            if session.outcome().is_none() {
                break session.played();
            }
        };
        for side in Side::BOTH {
            let players = if side == Side::First { pair } else { [pair[1], pair[0]] };
            let value = play(&*game, &opening, players, time, &mut dice);
            let value = value.unwrap_or_else(|why| panic!("{why}"));
            match if side == Side::First { value } else { -value } {
                1 => won += 1,
                0 => drawn += 1,
                _ => lost += 1,
            }
        }
        let points = f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
        eprintln!("{one}: {won} won, {drawn} drawn, {lost} lost: {:.0} %", 100.0 * points);
    }
    let points = f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
    println!(
        "{}: {one} against {other}: {won} won, {drawn} drawn, {lost} lost: {:.0} %",
        game.title(),
        100.0 * points
    );
}
