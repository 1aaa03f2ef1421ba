//! Lines of play that spread over all positions at once: how long games last and how they end if moves are drawn by
//! chance, without playing any.

use serde::Serialize;

use super::games::Lengths;
use crate::control::{Control, Halted, Progress};
use crate::strong::Map;

/// Which moves are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// Any, each as likely.
    Random,
    /// Any of the best, each as likely: those that keep the value, and win quickest or lose slowest.
    Perfect,
}

/// How games end whose moves are chosen by chance; exact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Flow {
    /// The number of plies.
    pub length: Lengths,
    /// The shares of games that the first player wins, that are drawn, and that the second player wins.
    pub results: [f64; 3],
    /// The share of games that had not ended when the count stopped: play that can loop may go on.
    pub open: f64,
    /// The mean number of moves in a game that give away value.
    pub mistakes: f64,
    /// The mean number of moves in a game after which somebody else would win, or nobody.
    pub turns: f64,
}

/// The positions that moves lead to, and the part of the games that each gets.
type Parts = Vec<(usize, f64)>;

/// The most moves that are followed, and the share of games that may stay open.
const MAX_MOVES: u64 = 300_000_000;
const ENOUGH: f64 = 1e-9;

/// Follows the play from the first position, ply by ply. `visit` hears of each ply, position, and share or number of games
/// that are there; `takes` says how they go on: which part of them each move takes. `enough` is the share that may stay open.
fn follow(
    map: &Map,
    control: &Control,
    enough: f64,
    takes: &mut dyn FnMut(usize, &mut Parts),
    visit: &mut dyn FnMut(u32, usize, f64),
) -> Result<f64, Halted> {
    let count = map.positions();
    control.check_memory(24 * count as u64, COUNTING, count as u64)?;
    let (mut here, mut there) = (vec![0.0; count], vec![0.0; count]);
    let (mut now, mut next): (Vec<u32>, Vec<u32>) = (vec![0], Vec::new());
    here[0] = 1.0;
    let (mut ply, mut moves, mut parts) = (0, 0, Vec::new());
    while !now.is_empty() {
        let open: f64 = now.iter().map(|number| here[*number as usize]).sum();
        if moves > MAX_MOVES || open < enough {
            return Ok(open);
        }
        let progress = Progress { phase: COUNTING, done: moves, total: None, bounds: None };
        control.report(progress)?;
        for number in now.drain(..) {
            let number = number as usize;
            let mass = std::mem::take(&mut here[number]);
            visit(ply, number, mass);
            if map.is_over(number) {
                continue;
            }
            parts.clear();
            takes(number, &mut parts);
            moves += parts.len() as u64;
            // What is too small for a number would be listed again and again: 0 says that a position is not listed.
            for &(to, part) in parts.iter().filter(|(_, part)| mass * part > f64::MIN_POSITIVE) {
                if there[to] == 0.0 {
                    next.push(to as u32);
                }
                there[to] += mass * part;
            }
        }
        std::mem::swap(&mut here, &mut there);
        std::mem::swap(&mut now, &mut next);
        ply += 1;
    }
    Ok(0.0)
}

const COUNTING: &str = "counting games";

/// The number of different lines of play of each length, and of those that end the game; `None` if there are too many to
/// follow, or play can loop.
pub(super) fn lines(map: &Map, control: &Control) -> Result<Option<(Vec<f64>, f64)>, Halted> {
    if map.has_loops() {
        return Ok(None);
    }
    let (mut all, mut games): (Vec<f64>, f64) = (Vec::new(), 0.0);
    let mut takes = |number: usize, parts: &mut Parts| {
        parts.extend(map.moves(number).map(|(to, _)| (to, 1.0)));
    };
    let open = follow(map, control, 0.0, &mut takes, &mut |ply, number, mass| {
        all.resize(all.len().max(ply as usize + 1), 0.0);
        all[ply as usize] += mass;
        games += if map.is_over(number) { mass } else { 0.0 };
    })?;
    // Too many for a number are not counted.
    Ok((open == 0.0 && all.iter().sum::<f64>().is_finite()).then_some((all, games)))
}

impl Flow {
    pub(super) fn of(map: &Map, choice: Choice, control: &Control) -> Result<Flow, Halted> {
        let mut takes = |number: usize, parts: &mut Parts| {
            let best = (choice == Choice::Perfect).then(|| map.best(number));
            let part = 1.0 / best.as_ref().map_or(map.moves(number).len(), Vec::len) as f64;
            let taken = |place: &usize| best.as_ref().is_none_or(|best| best.contains(place));
            let moves = map.moves(number).enumerate().filter(|(place, _)| taken(place));
            parts.extend(moves.map(|(_, (to, _))| (to, part)));
        };
        let mut ends: Vec<f64> = Vec::new();
        let (mut results, mut mistakes, mut turns) = ([0.0; 3], 0.0, 0.0);
        let open = follow(map, control, ENOUGH, &mut takes, &mut |ply, number, mass| {
            if map.is_over(number) {
                ends.resize(ends.len().max(ply as usize + 1), 0.0);
                ends[ply as usize] += mass;
                results[place(map, number)] += mass;
            } else if choice == Choice::Random {
                let [wrong, turning] = faults(map, number);
                mistakes += mass * wrong;
                turns += mass * turning;
            }
        })?;
        Ok(Flow { length: Lengths::new(&ends), results, open, mistakes, turns })
    }
}

/// The shares of the moves of a position that give away value, and that change who wins.
fn faults(map: &Map, number: usize) -> [f64; 2] {
    let value = map.worth(number).value();
    let (mut wrong, mut turning) = (0, 0);
    for (_, worth) in map.moves(number) {
        wrong += usize::from(worth.value() < value);
        turning += usize::from(worth.value().0.signum() != value.0.signum());
    }
    [wrong, turning].map(|count| count as f64 / map.moves(number).len() as f64)
}

/// The result of a position for the first player, as a place among won, drawn and lost.
pub(super) fn place(map: &Map, number: usize) -> usize {
    (1 - map.value(number).signum()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Declared;
    use foregone_rules::{Game, Outcome, Side};

    /// One of 64 counters is taken at each move, of which one ends the game: shares soon are too small for numbers.
    struct Long;

    impl Game for Long {
        type State = u16;
        type Move = u8;

        fn start(&self) -> u16 {
            0
        }

        fn turn(&self, _: &u16) -> Side {
            Side::First
        }

        fn outcome(&self, state: &u16) -> Option<Outcome> {
            (*state == 400).then_some(Outcome(1))
        }

        fn moves(&self, _: &u16) -> impl Iterator<Item = u8> {
            0..64
        }

        /// All moves but one begin again.
        fn play(&self, state: &u16, mv: u8) -> u16 {
            if mv == 0 { state + 1 } else { 0 }
        }
    }

    #[test]
    fn shares_that_are_too_small_are_left_out_and_listed_once() {
        let control = Control::default();
        let (map, _) = Map::draw(&Declared::plain(Long), &0, 1_000, &control).unwrap().unwrap();
        let mut listed = 0;
        let mut takes = |number: usize, parts: &mut Parts| {
            let part = 1.0 / map.moves(number).len() as f64;
            parts.extend(map.moves(number).map(|(to, _)| (to, part)));
        };
        let mut last = None;
        let open = follow(&map, &control, ENOUGH, &mut takes, &mut |ply, number, mass| {
            assert!(mass > 0.0 && last != Some((ply, number)));
            last = Some((ply, number));
            listed += 1;
        });
        assert!((open.unwrap() - 1.0).abs() < 1e-6);
        // Each ply lists a position at most once: some 170 have a share that is a number.
        let plies = u64::from(last.unwrap().0);
        assert!(listed < 200 * plies, "{listed} in {plies} plies");
    }
}
