//! What a game is like: its length, how its positions are won, how many decisions count, how strong and weak players
//! fare. Exact, from all positions, where they can be solved; else from games of players, with intervals.
//!
//! `docs/report.md` defines each number. Several come from others: the measures of games by Browne (2008) and those of
//! Ludii, and the pie rule's question.

mod flow;
mod games;
mod kinds;
mod whole;

use std::collections::BTreeSet;
use std::time::Duration;

use foregone_rules::{Side, Value};
use serde::Serialize;

pub use self::flow::Flow;
pub use self::games::{Judged, Lengths, Played, Rung, interval};
pub use self::kinds::Kind;
pub use self::whole::{Longest, Ply, Whole};
use crate::any::puzzles::{self, Puzzle};
use crate::any::report::{MoveReport, Report};
use crate::any::{AnyGame, Session};
use crate::control::{Control, Halted};
use crate::solver::Request;
use crate::strong::Map;

/// How much is looked at.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Wanted {
    /// A game with more positions than this is judged by games alone.
    pub positions: u64,
    /// The number of games of each player.
    pub games: u32,
    /// The number of puzzles.
    pub puzzles: usize,
    /// Equal seeds give equal games.
    pub seed: u64,
    /// The time to solve the first position of a game with more positions.
    pub time: Duration,
    /// How many games are played at once; it changes nothing else.
    pub threads: usize,
}

impl Default for Wanted {
    fn default() -> Wanted {
        Wanted {
            positions: 10_000_000,
            games: 100,
            puzzles: 10,
            seed: 1,
            time: Duration::from_secs(20),
            threads: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

/// What a game is like.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Survey {
    /// The game with all its parameters.
    pub game: String,
    /// Its title.
    pub title: String,
    /// The unit of values.
    pub unit: String,
    /// The names of the first and the second player.
    pub sides: [String; 2],
    /// The first position and its moves.
    pub start: Start,
    /// What the pie rule would make of it; `None` if not all moves are proven.
    pub pie: Option<Pie>,
    /// What all positions say; `None` if there are too many.
    pub whole: Option<Whole>,
    /// The number of positions that were expected when there were too many.
    pub expected: Option<u64>,
    /// Games of each player against itself, from the weakest to the strongest.
    pub players: Vec<Played>,
    /// How each player fares against the one before it.
    pub ladder: Vec<Rung>,
    /// Positions with one right move.
    pub puzzles: Vec<Puzzle>,
    /// Why something is missing; `None` if nothing is.
    pub halted: Option<String>,
}

/// The first position; values are those for the first player.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Start {
    /// The proven value; `None` if it is not known.
    pub value: Option<i32>,
    /// The proven bounds, if some are known and the value is not.
    pub bounds: Option<[i32; 2]>,
    /// The plies of perfect play; `None` if it does not end, or they are not known.
    pub plies: Option<u32>,
    /// All moves.
    pub moves: Vec<First>,
    /// A line of best play by both sides, as far as it is known, and at most [`LINE`] moves of it.
    pub line: Vec<String>,
    /// Whether play goes on after the line.
    pub goes_on: bool,
}

/// The longest line of best play that is given.
pub const LINE: usize = 60;

/// A first move; values are those for the first player.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct First {
    /// The move.
    #[serde(rename = "move")]
    pub mv: String,
    /// The proven value; `None` if it is not known.
    pub value: Option<i32>,
    /// The plies of perfect play, the move included.
    pub plies: Option<u32>,
    /// What random games give the side that makes the move, from 0 to 1, if the value is not known.
    pub chance: Option<f64>,
}

impl Start {
    fn of_map(map: &Map, session: &dyn Session) -> Start {
        let first = |value: Value| Some(value.outcome_for(map.turn(0)).0);
        let moves = session.moves().into_iter().zip(map.moves(0)).map(|(mv, (_, worth))| First {
            mv,
            value: first(worth.value()),
            plies: worth.distance().plies(),
            chance: None,
        });
        let plies = map.worth(0).distance().plies();
        let (mut there, mut number, mut line) = (session.fork(), 0, Vec::new());
        let mut seen = BTreeSet::new();
        // Play without end is followed until it comes back to a position.
        while line.len() < LINE && seen.insert(number) {
            let Some(place) = map.best(number).into_iter().next() else { break };
            let Some((next, _)) = map.moves(number).nth(place) else { break };
            let mv = there.moves().swap_remove(place);
            if there.play(&mv).is_err() {
                break;
            }
            line.push(mv);
            number = next;
        }
        let goes_on = there.outcome().is_none();
        Start {
            value: Some(map.value(0)),
            bounds: None,
            plies,
            moves: moves.collect(),
            line,
            goes_on,
        }
    }

    fn of_report(report: &Report, turn: Side) -> Start {
        let first = |value: i32| Value(value).outcome_for(turn).0;
        let moves = report.moves.iter().map(|MoveReport { mv, result, chance, .. }| First {
            mv: mv.clone(),
            value: result.result.as_ref().map(|_| first(result.value)),
            plies: result.distance,
            chance: *chance,
        });
        let bounds = report.bounds.map(|bounds| bounds.map(first));
        Start {
            value: report.value.filter(|_| report.result.is_some()).map(first),
            bounds: bounds.map(|[a, b]| [a.min(b), a.max(b)]),
            plies: report.distance,
            moves: moves.collect(),
            line: report.line.iter().take(LINE).cloned().collect(),
            goes_on: report.goes_on || report.line.len() > LINE,
        }
    }
}

/// The pie rule: after the first move the other player may change sides.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pie {
    /// The value for the player who makes the first move.
    pub value: i32,
    /// The first moves that reach it; among lost ones those that are lost latest.
    pub moves: Vec<String>,
}

/// Looks at a game. `heard` hears what comes next. A run that is stopped keeps what it has found.
pub fn survey(
    game: &dyn AnyGame,
    session: &mut dyn Session,
    wanted: Wanted,
    control: &Control,
    heard: &mut dyn FnMut(&str),
) -> Survey {
    let mut survey = Survey {
        game: game.specification(),
        title: game.title().to_owned(),
        unit: game.unit().to_owned(),
        sides: game.sides().map(str::to_owned),
        start: Start::default(),
        pie: None,
        whole: None,
        expected: None,
        players: Vec::new(),
        ladder: Vec::new(),
        puzzles: Vec::new(),
        halted: None,
    };
    if let Err(halted) = survey.fill(game, session, wanted, control, heard) {
        survey.halted = Some(halted.to_string());
    }
    survey
}

impl Survey {
    fn fill(
        &mut self,
        game: &dyn AnyGame,
        session: &mut dyn Session,
        wanted: Wanted,
        control: &Control,
        heard: &mut dyn FnMut(&str),
    ) -> Result<(), Halted> {
        heard("all positions");
        let map = match session.map(wanted.positions, control) {
            Ok(Ok(map)) => Some(map),
            Ok(Err(expected)) => {
                self.expected = Some(expected);
                None
            }
            // A game that does not fit the memory is judged by games.
            Err(Halted::Memory { .. } | Halted::Positions { .. }) => None,
            Err(halted) => return Err(halted),
        };
        self.start = match &map {
            Some(map) => Start::of_map(map, session),
            None => {
                heard("the first position");
                let soon = control.clone().with_time(wanted.time);
                let mut report = session.solve(&Request::default().with_estimate(true), &soon);
                match report.halted.take() {
                    Some(halted @ Halted::Stopped { .. }) => return Err(halted),
                    Some(halted) => self.halted = Some(halted.to_string()),
                    None => {}
                }
                Start::of_report(&report, session.turn())
            }
        };
        self.pie = pie(&self.start);
        if let Some(map) = &map {
            self.whole = Some(Whole::of(map, session, wanted.seed, control)?);
        }
        games::fill(self, session, map.as_ref(), wanted, control, heard)?;
        heard("puzzles");
        let mut found = Vec::new();
        let all = puzzles::Wanted::new(None, wanted.puzzles, wanted.seed);
        let ended = puzzles::find(game, session, all, control, &mut |puzzle| found.push(puzzle));
        self.puzzles = found;
        ended.map(|_| ())
    }
}

/// What the pie rule makes of the values of the first moves: the other player takes the better side.
fn pie(start: &Start) -> Option<Pie> {
    let values: Option<Vec<i32>> = start.moves.iter().map(|mv| mv.value).collect();
    let fairest = values?.into_iter().map(i32::abs).min()?;
    let fair = || start.moves.iter().filter(|mv| mv.value.map(i32::abs) == Some(fairest));
    // A decided game is the fairer the longer it lasts.
    let latest = fair().filter_map(|mv| mv.plies).max().filter(|_| fairest != 0);
    let moves = fair().filter(|mv| latest.is_none() || mv.plies == latest);
    Some(Pie { value: -fairest, moves: moves.map(|mv| mv.mv.clone()).collect() })
}
