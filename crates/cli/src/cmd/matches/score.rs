//! How a match stands.

use std::collections::BTreeSet;
use std::fmt;

use foregone::control::counted;
use foregone::survey::interval;
use serde::Serialize;

use super::record::{Fault, OnIllegal, Played, Settings};
use crate::terminal;

/// Games won, drawn and lost by the player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
    /// The part of the points that the player has, from 0 to 1; a draw counts half.
    pub points: f64,
    /// The interval of 95 % around it.
    pub low: f64,
    pub high: f64,
}

impl Score {
    pub fn of(games: &[&Played]) -> Score {
        let count = |result: i32| games.iter().filter(|game| game.result == result).count() as u32;
        let (won, drawn, lost) = (count(1), count(0), count(-1));
        let points = f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost)).max(1.0);
        let [low, high] = interval(points, games.len() as u64);
        Score { won, drawn, lost, points, low, high }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Score { won, drawn, lost, .. } = self;
        write!(f, "{won} won, {drawn} drawn, {lost} lost")
    }
}

/// The score of the player, as first, as second, and in all.
pub fn table(settings: &Settings, games: &[&Played]) -> String {
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let row = |name: &str, games: &[&Played]| {
        let Score { won, drawn, lost, points, low, high } = Score::of(games);
        let counts = [won, drawn, lost].map(|count| count.to_string());
        let range = format!("{} to {}", percent(low), percent(high));
        let points = if games.is_empty() { "-".to_owned() } else { percent(points) };
        [vec![name.to_owned()], counts.to_vec(), vec![points, range]].concat()
    };
    let [first, second] = [true, false].map(|first| -> Vec<&Played> {
        games.iter().copied().filter(|game| game.moved_first() == first).collect()
    });
    let Settings { player, opponent, .. } = settings;
    let rows =
        vec![row("moving first", &first), row("moving second", &second), row("all games", games)];
    let head = ["", "won", "drawn", "lost", "points", "95 % interval"];
    format!(
        "{} against {}\n\n{}{}",
        terminal::bold(player),
        terminal::bold(opponent),
        terminal::table(&head, rows, &[1, 2, 3, 4]),
        faults(games, settings.on_illegal)
    )
}

/// How many replies of each program were wrong, and the first; empty if none was.
pub fn faults(games: &[&Played], on_illegal: OnIllegal) -> String {
    let all = || games.iter().flat_map(|game| game.faults.iter().map(move |fault| (game, fault)));
    let names: BTreeSet<&str> = all().map(|(_, fault)| &fault.player[..]).collect();
    let mut out = String::new();
    for name in names {
        let of_name = || all().filter(|(_, fault)| fault.player == name);
        let what = match on_illegal {
            OnIllegal::Count => "a random move was made instead",
            OnIllegal::Loss | OnIllegal::Stop => "each lost the game",
        };
        let count = counted(of_name().count() as u64, "wrong reply", "wrong replies");
        if let Some((game, fault)) = of_name().next() {
            let Fault { ply, error, .. } = fault;
            let (game, made) = (game.number + 1, counted(*ply as u64, "move", "moves"));
            out += &format!(
                "\n{name}: {count}, {what}. The first, in game {game}, {made} after the opening: {error}\n"
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_is_that_of_wilson() {
        // The value for 8 of 10 in the literature: 0.490 to 0.943.
        let [low, high] = interval(0.8, 10);
        assert!((low - 0.490).abs() < 1e-3 && (high - 0.943).abs() < 1e-3, "{low} {high}");
        let [low, high] = interval(1.0, 100);
        assert!((0.95..0.97).contains(&low) && high <= 1.0 + 1e-12, "{low} {high}");
        assert_eq!(interval(0.0, 0), [0.0, 1.0]);
    }
}
