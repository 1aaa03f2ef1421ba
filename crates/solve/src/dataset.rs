//! Positions with the truth about them, to learn from and to measure by: a sample of all positions of a solved game, or, of a
//! larger one, positions of games between players that err, as far as each can be solved.

use std::collections::{BTreeMap, HashSet};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Duration;

use foregone_record::format::checksum::Checksum;
use foregone_rules::Side;
use foregone_rules::sample::Dice;
use serde::{Deserialize, Serialize};

use crate::any::report::Report;
use crate::any::{AnyGame, Session, describe};
use crate::control::{Control, Halted, Progress};
use crate::play::Player;
use crate::solver::Request;
use crate::strong::Map;

/// Which positions are wanted.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Wanted {
    /// How many, at most.
    pub positions: usize,
    /// Equal seeds give equal positions, unless one of a large game is not solved in the time.
    pub seed: u64,
    /// Whether as many positions are taken of each ply.
    pub by_ply: bool,
    /// Whether as many are taken of each value.
    pub by_value: bool,
    /// A game with more positions is not solved as a whole.
    pub whole: u64,
    /// The time to solve a position of such a game.
    pub time: Duration,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            positions: 10_000,
            seed: 1,
            by_ply: false,
            by_value: false,
            whole: 10_000_000,
            time: Duration::from_secs(2),
        }
    }
}

/// A position and what is true of it. Values are those for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Row {
    /// The position in the game's notation.
    pub position: String,
    /// Moves that lead to it.
    pub line: Vec<String>,
    /// What stands on the board, as numbers; empty if the game has none.
    pub cells: Vec<i32>,
    /// The board, as a terminal shows it.
    pub board: String,
    /// The board, who is to move and the legal moves, in English.
    pub text: String,
    /// The position that stands for all that are alike by symmetry.
    pub alike: String,
    /// The number of moves that lead to it.
    pub ply: u32,
    /// `first` or `second`.
    pub turn: String,
    /// Its value.
    pub value: i32,
    /// The plies of perfect play; `None` if it does not end, or they are not known.
    pub plies: Option<u32>,
    /// All legal moves.
    pub legal: Vec<String>,
    /// What each of them is worth.
    pub values: Vec<i32>,
    /// The plies of perfect play after each of them, the move included.
    pub distances: Vec<Option<u32>>,
    /// The moves that keep the value, and win soonest or lose latest where plies are known.
    pub best: Vec<String>,
    /// How it was found: `all positions` or `search`.
    pub found: String,
    /// How hard it is to find a good move: `free` if every move keeps the value, `only` if one does, else `easy` if at
    /// least half of them do, or `hard`.
    pub difficulty: String,
}

/// What [`Row::found`] says of a game that was solved whole.
pub const WHOLE: &str = "all positions";

/// What it says of a position that was solved for itself.
const SEARCHED: &str = "search";

impl Row {
    /// The row of a position, without values.
    fn of(game: &dyn AnyGame, there: &dyn Session) -> Row {
        Row {
            position: there.position(),
            line: there.played(),
            cells: there.contents().into_iter().map(i32::from).collect(),
            board: there.drawing().to_string(),
            text: describe::position(game, there),
            alike: there.representative(),
            ply: there.played().len() as u32,
            turn: if there.turn() == Side::First { "first" } else { "second" }.to_owned(),
            value: 0,
            plies: None,
            legal: Vec::new(),
            values: Vec::new(),
            distances: Vec::new(),
            best: Vec::new(),
            found: SEARCHED.to_owned(),
            difficulty: String::new(),
        }
    }

    /// The row of a position that was solved, with all its moves.
    fn solved(game: &dyn AnyGame, there: &dyn Session, report: &Report) -> Row {
        let results = || report.moves.iter().map(|mv| &mv.result);
        let row = Row {
            value: report.value.unwrap_or(0),
            plies: report.distance,
            legal: report.moves.iter().map(|mv| mv.mv.clone()).collect(),
            values: results().map(|result| result.value).collect(),
            distances: results().map(|result| result.distance).collect(),
            best: report.best.clone(),
            ..Row::of(game, there)
        };
        row.graded()
    }

    /// The row of a position with a number, with what the map says.
    fn mapped(game: &dyn AnyGame, there: &dyn Session, map: &Map, number: usize) -> Row {
        let worth = map.worth(number);
        let moves: Vec<_> = map.moves(number).map(|(_, worth)| worth).collect();
        let legal = there.moves();
        let best = map.best(number).into_iter().map(|place| legal[place].clone()).collect();
        let row = Row {
            value: worth.value().0,
            plies: worth.distance().plies(),
            values: moves.iter().map(|worth| worth.value().0).collect(),
            distances: moves.iter().map(|worth| worth.distance().plies()).collect(),
            legal,
            best,
            found: WHOLE.to_owned(),
            ..Row::of(game, there)
        };
        row.graded()
    }

    fn graded(self) -> Row {
        let good = self.values.iter().filter(|value| **value == self.value).count();
        let difficulty = match good {
            all if all == self.values.len() => "free",
            1 => "only",
            good if 2 * good >= self.values.len() => "easy",
            _ => "hard",
        };
        Row { difficulty: difficulty.to_owned(), ..self }
    }

    /// The name of a field in which this row contradicts the true one of its position; `None` if there is none. A row that a
    /// search found may lack plies, since it had less time than the true one; then its best moves are those that keep the
    /// value.
    pub fn contradicts(&self, other: &Row) -> Option<&'static str> {
        fn sorted<T: Ord>(all: impl Iterator<Item = T>) -> Vec<T> {
            let mut all: Vec<T> = all.collect();
            all.sort_unstable();
            all
        }
        let values = |row: &Row| sorted(row.legal.iter().cloned().zip(row.values.iter().copied()));
        let plies =
            |row: &Row| sorted(row.legal.iter().cloned().zip(row.distances.iter().copied()));
        let (own, others) = (plies(self), plies(other));
        let may_lack = other.found != WHOLE;
        let false_plies =
            |own: Option<u32>, other: Option<u32>| own != other && !(may_lack && own.is_none());
        let differ =
            own.iter().zip(&others).any(|((_, one), (_, other))| false_plies(*one, *other));
        let lengths = [self.values.len(), self.distances.len()] != [self.legal.len(); 2];
        let best = |row: &Row| sorted(row.best.iter().cloned());
        let keeping = || {
            let kept = self.legal.iter().zip(&self.values).filter(|(_, kept)| **kept == self.value);
            sorted(kept.map(|(mv, _)| mv.clone()))
        };
        let lacks = own.iter().any(|(_, plies)| plies.is_none());
        Some(match () {
            () if self.position != other.position => "position",
            () if self.cells != other.cells => "cells",
            () if self.board != other.board => "board",
            () if self.text != other.text => "text",
            () if self.alike != other.alike => "alike",
            () if (self.ply, &self.turn) != (other.ply, &other.turn) => "ply or turn",
            () if self.value != other.value => "value",
            () if lengths || values(self) != values(other) => "legal or values",
            () if false_plies(self.plies, other.plies) => "plies",
            () if differ => "distances",
            () if best(self) != best(other) && !(may_lack && lacks && best(self) == keeping()) => {
                "best"
            }
            () if self.found != other.found => "found",
            () if self.difficulty != other.difficulty => "difficulty",
            () => return None,
        })
    }

    /// The memory that it takes, roughly.
    fn bytes(&self) -> u64 {
        let texts = self.line.iter().chain(&self.legal).chain(&self.best);
        let lengths = texts.map(|text| 24 + text.len()).sum::<usize>();
        let whole = [&self.position, &self.board, &self.text, &self.alike].map(String::len);
        let numbers = 4 * self.cells.len() + 12 * self.legal.len();
        (size_of::<Row>() + lengths + whole.iter().sum::<usize>() + numbers) as u64
    }

    /// `train`, `validation` or `test`: 80, 10 and 10 percent, by a checksum of what is alike, so that no position of one
    /// part is the image of one in another.
    pub fn split(&self, game: &str) -> &'static str {
        let sum = Checksum::of(format!("{game} {}", self.alike).as_bytes()).to_string();
        let digits = sum.bytes().take(6).fold(0u32, |all, digit| {
            all.wrapping_mul(16).wrapping_add(char::from(digit).to_digit(16).unwrap_or(0))
        });
        match digits % 10 {
            0 => "test",
            1 => "validation",
            _ => "train",
        }
    }
}

/// Gives the rows of a game to `keep`, in the order of their plies, until it breaks; the number of positions that were not
/// solved in the time.
///
/// # Errors
/// If it is stopped, or a limit is reached.
pub fn rows(
    game: &dyn AnyGame,
    wanted: Wanted,
    control: &Control,
    keep: &mut dyn FnMut(Row) -> ControlFlow<()>,
) -> Result<u64, Halted> {
    let session = game.session();
    match session.map(wanted.whole, control) {
        Ok(Ok(map)) => {
            sampled(&map, game, wanted, control, keep)?;
            Ok(0)
        }
        Ok(Err(_)) | Err(Halted::Memory { .. } | Halted::Positions { .. }) => {
            let (rows, open) = searched(game, wanted, control)?;
            let _ = rows.into_iter().try_for_each(keep);
            Ok(open)
        }
        Err(halted) => Err(halted),
    }
}

/// Derives rows again, to compare them with those of a file.
pub struct Truth<'a> {
    game: &'a dyn AnyGame,
    session: Box<dyn Session>,
    map: Option<Map>,
}

impl<'a> Truth<'a> {
    /// From all positions of the game, if they are at most `whole`, or `None` if there are more; or, without a number, from
    /// a search for each row.
    ///
    /// # Errors
    /// If it is stopped, or a limit is reached.
    pub fn of(
        game: &'a dyn AnyGame,
        whole: Option<u64>,
        control: &Control,
    ) -> Result<Option<Truth<'a>>, Halted> {
        let session = game.session();
        Ok(match whole {
            None => Some(Truth { game, session, map: None }),
            Some(whole) => match session.map(whole, control)? {
                Ok(map) => Some(Truth { game, session, map: Some(map) }),
                Err(_) => None,
            },
        })
    }

    /// The row of the position that some moves lead to.
    ///
    /// # Errors
    /// If a move is not legal, the game is over after them, or they are not solved within the limits.
    pub fn row(&mut self, line: &[String], control: &Control) -> Result<Row, Box<dyn Error>> {
        let session = &mut *self.session;
        while session.undo() {}
        let mut number = 0;
        for mv in line {
            if let Some(map) = &self.map {
                let place = session.moves().iter().position(|legal| legal == mv);
                let next = place.and_then(|place| map.moves(number).nth(place));
                (number, _) = next.ok_or_else(|| format!("{mv:?} is not a legal move"))?;
            }
            session.play(mv)?;
        }
        if session.outcome().is_some() {
            return Err("the game is over".into());
        }
        if let Some(map) = &self.map {
            return Ok(Row::mapped(self.game, session, map, number));
        }
        let mut report = session.solve(&Request::default().with_line(false), control);
        match report.halted.take() {
            Some(halted) => Err(halted.into()),
            None => Ok(Row::solved(self.game, session, &report)),
        }
    }
}

/// What is said of the work.
const FINDING: &str = "positions of the dataset";

fn told(control: &Control, done: usize, wanted: Wanted) -> Result<(), Halted> {
    let (done, total) = (done as u64, Some(wanted.positions as u64));
    control.report(Progress { phase: FINDING, done, total, bounds: None })
}

/// Positions of a solved game, as many of each stratum as possible.
fn sampled(
    map: &Map,
    game: &dyn AnyGame,
    wanted: Wanted,
    control: &Control,
    keep: &mut dyn FnMut(Row) -> ControlFlow<()>,
) -> Result<(), Halted> {
    let mut strata: BTreeMap<(u32, i32), Vec<u32>> = BTreeMap::new();
    for number in (0..map.positions()).filter(|number| !map.is_over(*number)) {
        let ply = if wanted.by_ply { map.ply(number) } else { 0 };
        let value = if wanted.by_value { map.worth(number).value().0 } else { 0 };
        strata.entry((ply, value)).or_default().push(number as u32);
    }
    let mut dice = Dice::new(wanted.seed);
    let mut strata: Vec<Vec<u32>> = strata.into_values().collect();
    let mut chosen = Vec::new();
    // The small strata give all they have, and the others share the rest.
    strata.sort_by_key(Vec::len);
    let count = strata.len();
    for (at, mut stratum) in strata.into_iter().enumerate() {
        let share = (wanted.positions - chosen.len()).div_ceil(count - at).min(stratum.len());
        for place in 0..share {
            let other = place + dice.below(stratum.len() - place);
            stratum.swap(place, other);
        }
        chosen.extend(stratum.into_iter().take(share));
    }
    chosen.sort_unstable();
    let session = game.session();
    for (done, number) in chosen.into_iter().enumerate() {
        told(control, done, wanted)?;
        let there = session.at(map, number as usize);
        let row = Row::mapped(game, &*there, map, number as usize);
        if keep(row).is_break() {
            break;
        }
    }
    Ok(())
}

/// Positions of games between players that err, each solved for itself.
fn searched(
    game: &dyn AnyGame,
    wanted: Wanted,
    control: &Control,
) -> Result<(Vec<Row>, u64), Halted> {
    let (session, mut dice) = (&mut *game.session(), Dice::new(wanted.seed));
    let (mut rows, mut seen, mut open, mut barren) = (Vec::new(), HashSet::new(), 0, 0);
    let mut bytes = 0;
    while rows.len() < wanted.positions && barren < 200 {
        barren += 1;
        while session.undo() {}
        let player = [Player::Random, Player::Easy, Player::Medium][dice.below(3)];
        while session.outcome().is_none() && session.played().len() < 300 {
            let mv = session.choose(player, &mut dice, control)?.mv;
            if session.play(&mv).is_err() {
                break;
            }
        }
        // One position of a game, the nearer to its end the likelier to be solved.
        let plies = session.played().len();
        for _ in 0..=dice.below(plies.max(1)) {
            session.undo();
        }
        if session.outcome().is_some() || !seen.insert(session.representative()) {
            continue;
        }
        told(control, rows.len(), wanted)?;
        let request = Request::default().with_line(false);
        let mut report = session.solve(&request, &control.clone().with_time(wanted.time));
        let halted = report.halted.take();
        let known = report.proven && report.moves.iter().all(|mv| mv.result.result.is_some());
        match (report.value, halted) {
            (_, Some(halted @ Halted::Stopped { .. })) => return Err(halted),
            (Some(_), None) if known => {
                barren = 0;
                let row = Row::solved(game, session, &report);
                bytes += row.bytes();
                control.check_memory(bytes, FINDING, rows.len() as u64)?;
                rows.push(row);
            }
            _ => open += 1,
        }
    }
    rows.sort_by(|a, b| (a.ply, &a.position).cmp(&(b.ply, &b.position)));
    Ok((rows, open))
}
