//! What all positions of a game say, ply by ply.

use serde::Serialize;

use super::flow::{Choice, Flow, lines, place};
use super::kinds::{Kind, kinds};
use crate::any::Session;
use crate::control::{Control, Halted};
use crate::strong::Map;

/// What all positions say; exact.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Whole {
    /// The number of positions.
    pub positions: u64,
    /// Their number if those that are alike by symmetry count once; `None` if the game has no symmetry.
    pub alike: Option<u64>,
    /// Whether play can come to a position again.
    pub loops: bool,
    /// The number of different games; `None` if there are too many to follow, or play can loop.
    pub games: Option<f64>,
    /// The least number of moves of a game; `None` if no game ends.
    pub shortest: Option<u32>,
    /// Sums over all positions.
    pub all: Ply,
    /// What is so after each number of moves; a position counts where it can first arise.
    pub plies: Vec<Ply>,
    /// Games of random moves.
    pub random: Flow,
    /// Games of best moves.
    pub perfect: Flow,
    /// The win of either side that takes longest; `None` if nothing is won.
    pub longest: Option<Longest>,
    /// Sorts of moves, and how often they are good.
    pub kinds: Vec<Kind>,
}

/// Positions after a number of moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Ply {
    /// The number of moves.
    pub ply: u32,
    /// The number of different lines of play; `None` if there are too many to follow, or play can loop.
    pub lines: Option<f64>,
    /// The number of positions.
    pub positions: u64,
    /// Positions in which play is over.
    pub over: u64,
    /// Positions that the first player wins, that are drawn, and that the second player wins.
    pub results: [u64; 3],
    /// The moves of all positions.
    pub moves: u64,
    /// Positions with at least two moves.
    pub choices: u64,
    /// Those of them in which exactly one move keeps the value.
    pub only: u64,
    /// Those of them in which every move keeps the value.
    pub free: u64,
    /// The moves of these positions.
    pub choosable: u64,
    /// How many of them give away value.
    pub wrong: u64,
}

impl Ply {
    fn add(&mut self, other: &Ply) {
        self.lines = self.lines.zip(other.lines).map(|(a, b)| a + b);
        self.positions += other.positions;
        self.over += other.over;
        self.moves += other.moves;
        self.choices += other.choices;
        self.only += other.only;
        self.free += other.free;
        self.choosable += other.choosable;
        self.wrong += other.wrong;
        for (sum, more) in self.results.iter_mut().zip(other.results) {
            *sum += more;
        }
    }

    /// The mean number of moves where play goes on.
    pub fn branching(&self) -> f64 {
        share(self.moves, self.positions - self.over)
    }

    /// The share of drawn positions.
    pub fn drawn(&self) -> f64 {
        share(self.results[1], self.positions)
    }

    /// The shares of choices with exactly one good move, and with good moves alone.
    pub fn only_and_free(&self) -> [f64; 2] {
        [share(self.only, self.choices), share(self.free, self.choices)]
    }

    /// The share of moves at choices that give away value.
    pub fn risk(&self) -> f64 {
        share(self.wrong, self.choosable)
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// A win that takes as long as any.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Longest {
    /// The number of plies to the end.
    pub plies: u32,
    /// The position in the game's notation.
    pub position: String,
    /// Moves that lead to it.
    pub moves: Vec<String>,
}

impl Whole {
    pub(super) fn of(
        map: &Map,
        session: &dyn Session,
        seed: u64,
        control: &Control,
    ) -> Result<Whole, Halted> {
        let mut plies = count(map);
        let lines = lines(map, control)?;
        // Lines can be longer than the shortest way to any position.
        let longest = lines.as_ref().map_or(0, |(lines, _)| lines.len());
        for ply in plies.len()..longest {
            plies.push(Ply { ply: ply as u32, ..Ply::default() });
        }
        let of_plies = lines.iter().flat_map(|(lines, _)| lines);
        plies.iter_mut().zip(of_plies).for_each(|(ply, lines)| ply.lines = Some(*lines));
        let mut all = Ply { lines: lines.as_ref().map(|_| 0.0), ..Ply::default() };
        plies.iter().for_each(|ply| all.add(ply));
        let over = (0..map.positions()).find(|number| map.is_over(*number));
        let decided = |number: &usize| map.worth(*number).value().0 != 0;
        let plies_to_end = |number: &usize| map.worth(*number).distance().plies().unwrap_or(0);
        // The first of those that take as long.
        let longest = (0..map.positions()).filter(decided).rev().max_by_key(plies_to_end);
        let longest = longest.filter(|number| plies_to_end(number) > 0).map(|number| {
            let there = session.at(map, number);
            let plies = plies_to_end(&number);
            Longest { plies, position: there.position(), moves: there.played() }
        });
        Ok(Whole {
            positions: map.positions() as u64,
            alike: map.alike(),
            loops: map.has_loops(),
            games: lines.map(|(_, games)| games),
            shortest: over.map(|number| map.ply(number)),
            all,
            random: Flow::of(map, Choice::Random, control)?,
            perfect: Flow::of(map, Choice::Perfect, control)?,
            longest,
            kinds: kinds(map, session, seed, control)?,
            plies,
        })
    }
}

fn count(map: &Map) -> Vec<Ply> {
    let mut plies: Vec<Ply> = Vec::new();
    for number in 0..map.positions() {
        let ply = map.ply(number);
        if plies.len() <= ply as usize {
            plies.push(Ply { ply, ..Ply::default() });
        }
        let here = &mut plies[ply as usize];
        here.positions += 1;
        here.results[place(map, number)] += 1;
        let moves = map.moves(number).len() as u64;
        here.over += u64::from(moves == 0);
        here.moves += moves;
        if moves > 1 {
            let value = map.worth(number).value();
            let good = map.moves(number).filter(|(_, worth)| worth.value() == value).count() as u64;
            here.choices += 1;
            here.only += u64::from(good == 1);
            here.free += u64::from(good == moves);
            here.choosable += moves;
            here.wrong += moves - good;
        }
    }
    plies
}
