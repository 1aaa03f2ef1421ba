//! Lines of play that spread over all positions at once: how long games last and how they end if moves are drawn by
//! chance, without playing any.

use foregone_rules::Side;
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
/// that are there; `share` says how they go on: into which part each move takes them.
fn follow(
    map: &Map,
    control: &Control,
    whole: bool,
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
        if moves > MAX_MOVES || whole && open < ENOUGH {
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
            for &(to, part) in &parts {
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
    let open = follow(map, control, false, &mut takes, &mut |ply, number, mass| {
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
            let endless = map.endless(number);
            let best = map.moves(number).map(|(_, worth)| worth.key(endless)).max();
            let good = |key: i64| choice == Choice::Random || Some(key) == best;
            parts.extend(
                map.moves(number)
                    .filter(|(_, worth)| good(worth.key(endless)))
                    .map(|(to, _)| (to, 0.0)),
            );
            let part = 1.0 / parts.len().max(1) as f64;
            parts.iter_mut().for_each(|each| each.1 = part);
        };
        let mut ends: Vec<f64> = Vec::new();
        let (mut results, mut mistakes, mut turns) = ([0.0; 3], 0.0, 0.0);
        let open = follow(map, control, true, &mut takes, &mut |ply, number, mass| {
            if map.is_over(number) {
                ends.resize(ends.len().max(ply as usize + 1), 0.0);
                ends[ply as usize] += mass;
                results[(1 - map.value(number).signum()) as usize] += mass;
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
    let value = map.worth(number).value().0.signum();
    (1 - if map.turn(number) == Side::First { value } else { -value }) as usize
}
