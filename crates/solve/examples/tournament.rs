//! A tournament: every player against every other, on both sides.
//!
//! `cargo run --release --example tournament -- "connect-four(columns=5,rows=4)"`

use std::time::Duration;

use foregone::sample::Dice;
use foregone::{AnyGame, Control, Halted, Player, Registry, Side};

/// How many games each pair plays with each colour.
const GAMES: u64 = 4;

const PLAYERS: [Player; 4] = [
    Player::Perfect,
    Player::AlphaBeta { depth: 4 },
    Player::AlphaBeta { depth: 1 },
    Player::Random,
];

/// Who wins a game: its value for the first player. A game that goes on for too long is a draw.
fn play(game: &dyn AnyGame, players: [Player; 2], dice: &mut Dice) -> Result<i32, Halted> {
    let mut session = game.open(None, "").expect("the start is a position");
    for _ in 0..500 {
        if let Some(outcome) = session.outcome() {
            return Ok(outcome.0.signum());
        }
        let control = Control::default().with_time(Duration::from_secs(5));
        let choice = session.choose(players[session.turn().index()], dice, &control)?;
        session.play(&choice.mv).expect("players make legal moves");
    }
    Ok(0)
}

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_else(|| "tic-tac-toe".to_owned());
    let game = Registry::standard().game(&wanted).unwrap_or_else(|error| panic!("{error}"));
    println!("{}, {GAMES} games with each colour: points of the player on the left", game.title());
    let mut dice = Dice::new(1);
    for (nth, one) in PLAYERS.iter().enumerate() {
        for other in &PLAYERS[nth + 1..] {
            let mut points = 0.0;
            for side in Side::BOTH.into_iter().cycle().take(2 * GAMES as usize) {
                let players = if side == Side::First { [*one, *other] } else { [*other, *one] };
                let value = play(&*game, players, &mut dice).unwrap_or_else(|why| panic!("{why}"));
                let value = if side == Side::First { value } else { -value };
                points += f64::from(value + 1) / 2.0;
            }
            println!("  {one} against {other}: {points} of {}", 2 * GAMES);
            if *one == Player::Perfect && wanted == "tic-tac-toe" {
                assert!(points >= GAMES as f64, "perfect play does not lose");
            }
        }
    }
}
