//! Games of players of graded strength: how long they last, how they end, how often the players err, and how much skill
//! pays.

use std::collections::HashMap;
use std::sync::Mutex;

use foregone_record::threads::{each, lock};
use foregone_rules::Side;
use foregone_rules::sample::Dice;
use serde::Serialize;

use super::{Survey, Wanted};
use crate::any::Session;
use crate::control::{Control, Halted};
use crate::play::Player;
use crate::strong::Map;

/// How long games last, in plies.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Lengths {
    /// The mean length.
    pub mean: f64,
    /// The shortest game.
    pub shortest: u32,
    /// Half of the games are not longer.
    pub median: u32,
    /// The longest game.
    pub longest: u32,
    /// Each length that occurs, with its share of the games.
    pub shares: Vec<(u32, f64)>,
}

impl Lengths {
    /// Of the weights of games by their length.
    pub(super) fn new(weights: &[f64]) -> Lengths {
        let all: f64 = weights.iter().sum();
        let lengths = weights.iter().enumerate().filter(|(_, weight)| **weight > 0.0);
        let shares: Vec<(u32, f64)> =
            lengths.map(|(plies, weight)| (plies as u32, weight / all)).collect();
        let mut below = 0.0;
        let median = shares.iter().find(|(_, share)| {
            below += share;
            below >= 0.5 - 1e-12
        });
        Lengths {
            mean: shares.iter().map(|(plies, share)| f64::from(*plies) * share).sum(),
            shortest: shares.first().map_or(0, |first| first.0),
            median: median.map_or(0, |median| median.0),
            longest: shares.last().map_or(0, |last| last.0),
            shares,
        }
    }
}

/// Games of a player against itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Played {
    /// The player's name.
    pub player: &'static str,
    /// The number of games.
    pub games: u32,
    /// How long they last.
    pub length: Lengths,
    /// The shares of games that the first player wins, that are drawn, and that the second player wins.
    pub results: [f64; 3],
    /// The points of the first player from 0 to 1, where a draw counts half.
    pub points: f64,
    /// The [interval] of 95 % around them.
    pub interval: [f64; 2],
    /// What all positions say about these games; `None` if they are not known.
    pub judged: Option<Judged>,
}

/// Games as they look to somebody who knows the value of every position; means over the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Judged {
    /// Moves in a game that give away value.
    pub mistakes: f64,
    /// The share of such moves among those where a move could give away value and one could keep it.
    pub errors: f64,
    /// Moves after which somebody else would win, or nobody.
    pub turns: f64,
    /// The part of the game after which that does not happen again, from 0 to 1.
    pub decided: f64,
}

/// How a player fares against a weaker one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rung {
    /// The player's name.
    pub player: &'static str,
    /// The name of its opponent.
    pub opponent: &'static str,
    /// The number of games.
    pub games: u32,
    /// The points of the player from 0 to 1, where a draw counts half.
    pub points: f64,
    /// The [interval] of 95 % around them.
    pub interval: [f64; 2],
}

/// The players, each with the number of games that are played for one of [`Wanted::games`]: strong ones think longer.
const PLAYERS: [(&str, Player, f64); 4] = [
    ("random", Player::Random, 10.0),
    ("easy", Player::Easy, 1.0),
    ("medium", Player::Medium, 0.5),
    ("hard", Player::Hard, 0.2),
];

/// A longer game is play without end, and so is one that comes to a position for the third time.
const LONGEST: usize = 500;

/// The interval in which the true share of points lies with 95 % confidence (Wilson 1927). For draws it is wider than
/// needed.
pub fn interval(points: f64, games: u64) -> [f64; 2] {
    const Z: f64 = 1.96;
    let games = games as f64;
    if games == 0.0 {
        return [0.0, 1.0];
    }
    let middle = points + Z * Z / (2.0 * games);
    let half = Z * ((points * (1.0 - points) + Z * Z / (4.0 * games)) / games).sqrt();
    let whole = 1.0 + Z * Z / games;
    [(middle - half) / whole, (middle + half) / whole].map(|bound| bound.clamp(0.0, 1.0))
}

pub(super) fn fill(
    survey: &mut Survey,
    session: &mut dyn Session,
    map: Option<&Map>,
    wanted: Wanted,
    control: &Control,
    heard: &mut dyn FnMut(&str),
) -> Result<(), Halted> {
    let count = |share: f64| (f64::from(wanted.games) * share).ceil() as u32;
    while session.undo() {}
    let start = Mutex::new(session.fork());
    // Each game has dice of its own, so that threads change nothing.
    let play_all = |count: u32, players: &(dyn Fn(u32) -> [Player; 2] + Sync)| {
        let one = |number: usize| {
            let dice = Dice::new(wanted.seed.wrapping_mul(0x9E37_79B9).wrapping_add(number as u64));
            let session = lock(&start).fork();
            Table { session, map, dice, control }.play(players(number as u32))
        };
        each(wanted.threads, count as usize, &one).into_iter().collect::<Result<Vec<_>, _>>()
    };
    for (name, player, share) in PLAYERS {
        heard(&format!("games of {name} players"));
        let games = play_all(count(share), &|_| [player; 2])?;
        survey.players.push(played(name, &games, map.is_some()));
    }
    for pair in PLAYERS.windows(2) {
        let [(weaker, opponent, _), (name, player, share)] = [pair[0], pair[1]];
        heard(&format!("{name} against {weaker}"));
        let first = |number: u32| number.is_multiple_of(2);
        // As many games with each side.
        let games = play_all(count(share).next_multiple_of(2), &|number| match first(number) {
            true => [player, opponent],
            false => [opponent, player],
        })?;
        let points = (0..).zip(&games).map(|(number, game)| {
            let result = game.result.signum();
            f64::from(1 + if first(number) { result } else { -result }) / 2.0
        });
        let points = points.sum::<f64>() / games.len().max(1) as f64;
        let (games, interval) = (games.len() as u32, interval(points, games.len() as u64));
        survey.ladder.push(Rung { player: name, opponent: weaker, games, points, interval });
    }
    Ok(())
}

/// A game that was played.
struct Game {
    plies: usize,
    result: i32,
    /// Moves that gave away value, moves that could have, changes of the winner, and the ply after the last of these.
    mistakes: usize,
    choices: usize,
    turns: usize,
    decided: usize,
}

/// Where games are played.
struct Table<'a> {
    session: Box<dyn Session>,
    map: Option<&'a Map>,
    dice: Dice,
    control: &'a Control,
}

impl Table<'_> {
    /// A game from the first position between the first and the second player.
    fn play(mut self, players: [Player; 2]) -> Result<Game, Halted> {
        let mut game = Game { plies: 0, result: 0, mistakes: 0, choices: 0, turns: 0, decided: 0 };
        let mut number = 0;
        let mut seen: HashMap<String, u8> = HashMap::new();
        while self.session.outcome().is_none() && game.plies < LONGEST {
            let times = seen.entry(self.session.position()).or_default();
            *times += 1;
            if *times == 3 {
                break;
            }
            let player = players[usize::from(self.session.turn() == Side::Second)];
            let mv = self.session.choose(player, &mut self.dice, self.control)?.mv;
            let place = self.session.moves().iter().position(|each| *each == mv).unwrap_or(0);
            game.plies += 1;
            if let Some(map) = self.map {
                number = judge(map, number, place, &mut game);
            }
            if self.session.play(&mv).is_err() {
                break;
            }
        }
        game.result = self.session.outcome().unwrap_or_else(|| self.session.endless()).0;
        Ok(game)
    }
}

/// Judges a move, and returns the number of the position after it.
fn judge(map: &Map, number: usize, place: usize, game: &mut Game) -> usize {
    let value = map.worth(number).value();
    let Some((to, worth)) = map.moves(number).nth(place) else { return number };
    let could = map.moves(number).any(|(_, worth)| worth.value() < value);
    game.choices += usize::from(could);
    game.mistakes += usize::from(worth.value() < value);
    if worth.value().0.signum() != value.0.signum() {
        game.turns += 1;
        game.decided = game.plies;
    }
    to
}

fn played(player: &'static str, games: &[Game], is_judged: bool) -> Played {
    let count = games.len() as f64;
    let mean =
        |number: &dyn Fn(&Game) -> f64| games.iter().map(number).sum::<f64>() / count.max(1.0);
    let mut weights = vec![0.0; games.iter().map(|game| game.plies + 1).max().unwrap_or(0)];
    games.iter().for_each(|game| weights[game.plies] += 1.0);
    let share = |sign: i32| mean(&|game| f64::from(u8::from(game.result.signum() == sign)));
    let results = [share(1), share(0), share(-1)];
    let points = results[0] + results[1] / 2.0;
    let choices: usize = games.iter().map(|game| game.choices).sum();
    let mistakes: usize = games.iter().map(|game| game.mistakes).sum();
    let judged = Judged {
        mistakes: mistakes as f64 / count.max(1.0),
        errors: mistakes as f64 / choices.max(1) as f64,
        turns: mean(&|game| game.turns as f64),
        decided: mean(&|game| game.decided as f64 / game.plies.max(1) as f64),
    };
    Played {
        player,
        games: games.len() as u32,
        length: Lengths::new(&weights),
        results,
        points,
        interval: interval(points, games.len() as u64),
        judged: is_judged.then_some(judged),
    }
}
