//! A game tree as a picture: boards, each with what perfect play from it leads to, and the moves between them.

use std::collections::{BTreeSet, HashMap};

use foregone::any::report::{MoveReport, NodeReport, Report};
use foregone::family::Invalid;
use foregone::{Control, Request, Session, Side};

use super::graph::{Board, Graph, Line, MAX, Mark};
use crate::words::signed;

/// The most boards if no depth is asked for.
const USUAL: usize = 120;

/// The most boards without an end in a row.
const IN_ROW: usize = 9;

/// The moves of the best line that are opened in a tree that is too large.
const AHEAD: usize = 6;

/// The most shapes that a page draws.
const SHAPES: usize = 30_000;

/// The boards without a result after which no more are solved.
const MISSES: usize = 3;

/// The nodes that a reader has opened, or closed, each by `0` and the numbers of the moves to it: `0.3.1`.
pub type Turned = BTreeSet<String>;

/// Which positions are one board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    /// Those that several lines of play reach.
    Equal,
    /// Those, and their images under the symmetries of the game.
    Symmetric,
}

/// The rows of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// By plies from the start.
    Start,
    /// By plies to the end of the game under perfect play; lines are best moves alone.
    End,
}

/// What a picture shows.
pub struct Wanted<'t> {
    /// Plies; `None` for as many as a picture has room for.
    pub depth: Option<u32>,
    pub merge: Option<Merge>,
    pub rows: Rows,
    /// What alpha-beta prunes.
    pub tree: Option<&'t NodeReport>,
    /// The names of the sides, and what values count.
    pub sides: [&'t str; 2],
    pub unit: &'t str,
}

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum Undrawn {
    #[error("there are more than {MAX} boards, too many for a picture")]
    Large,
    #[error("the plies to the end cannot be found")]
    Ends,
    #[error(transparent)]
    Move(#[from] Invalid),
}

/// A position of the picture.
struct Spot<'t> {
    session: Box<dyn Session>,
    row: usize,
    node: Option<&'t NodeReport>,
    result: Option<Found>,
    /// Where clicks lead, as of a board, and how many moves are hidden.
    link: Option<String>,
    below: Option<String>,
    hidden: usize,
}

/// What perfect play from a position leads to, for the side to move.
#[derive(Clone, Copy)]
struct Found {
    value: i32,
    /// Plies to the end; `None` if there is none, or if it is not known.
    distance: Option<u32>,
    endless: bool,
}

/// Moves from one position to another.
struct Moves {
    from: usize,
    to: usize,
    moves: Vec<String>,
    /// Whether the same side moves again.
    again: bool,
}

/// The positions to some depth.
struct Picture<'t> {
    wanted: &'t Wanted<'t>,
    spots: Vec<Spot<'t>>,
    /// The number of each position by its name, in a merged picture.
    numbers: HashMap<String, usize>,
    lines: Vec<Moves>,
}

/// The positions that follow from the session's, and the ply after which they are left out. Values are there if those of
/// all boards are found.
///
/// # Errors
/// If there are too many for a picture, or no results to arrange them by.
pub fn picture(
    session: &dyn Session,
    wanted: &Wanted<'_>,
    control: &Control,
) -> Result<(Graph, Option<u32>), Undrawn> {
    let mut picture = Picture::new(session, wanted);
    let cut = picture.grow_rows(wanted.depth)?;
    if !picture.solve(0, control) {
        picture.spots.iter_mut().for_each(|spot| spot.result = None);
    }
    if wanted.rows == Rows::End {
        picture.arrange()?;
    }
    Ok((picture.finish(), cut))
}

/// A tree whose nodes open and close: `link` is the address with some nodes turned, `place` that of the board after these
/// moves from where the session began. All are open at first if there is
/// room; else those along the best line. Values are there where they are found, or are `known` of the first board.
///
/// # Errors
/// If a move cannot be made.
pub fn browse(
    session: &dyn Session,
    wanted: &Wanted<'_>,
    turned: &Turned,
    link: &dyn Fn(&Turned) -> String,
    place: &dyn Fn(Vec<String>) -> String,
    known: &Report,
    control: &Control,
) -> Result<Graph, Undrawn> {
    let mut picture = Picture::new(session, wanted);
    let mut best = None;
    if picture.grow_rows(None)?.is_some() {
        picture = Picture::new(session, wanted);
        best = Some(known.line.iter().take(AHEAD).cloned().collect::<Vec<_>>());
    }
    // Large boards take the room of several.
    let room = (SHAPES / session.scene().shapes.len().max(1)).clamp(AHEAD, USUAL * 3);
    let whole = best.is_none();
    if whole {
        picture = Picture::new(session, wanted);
    }
    // Of each node the numbers of its moves, and whether the best line leads to it.
    let mut paths = vec![("0".to_owned(), true)];
    let mut at = 0;
    while at < picture.spots.len() {
        let (path, on_line) = paths[at].clone();
        let Spot { session, row, .. } = &picture.spots[at];
        let (row, moves) = (*row, session.moves());
        let usual =
            whole || at == 0 || on_line && best.as_ref().is_some_and(|best| row < best.len());
        let mut open = usual != turned.contains(&path);
        if open && !moves.is_empty() {
            open = picture.expand(at, room)?;
            paths.extend(moves.iter().enumerate().take(picture.spots.len() - paths.len()).map(
                |(nth, mv)| {
                    let is_best = best.as_ref().and_then(|best| best.get(row)) == Some(mv);
                    (format!("{path}.{nth}"), on_line && is_best)
                },
            ));
        }
        picture.spots[at].below = Some(place(picture.spots[at].session.played()));
        if !moves.is_empty() {
            let mut turned = turned.clone();
            if !turned.remove(&path) {
                turned.insert(path);
            }
            picture.spots[at].link = Some(link(&turned));
            picture.spots[at].hidden = if open { 0 } else { moves.len() };
        }
        at += 1;
    }
    picture.know(known);
    picture.solve(MISSES, control);
    Ok(picture.finish())
}

impl<'t> Picture<'t> {
    fn new(session: &dyn Session, wanted: &'t Wanted<'t>) -> Picture<'t> {
        let mut picture =
            Picture { wanted, spots: Vec::new(), numbers: HashMap::new(), lines: Vec::new() };
        picture.add(session.fork(), 0, wanted.tree);
        picture
    }

    /// The number of a position.
    fn add(
        &mut self,
        session: Box<dyn Session>,
        row: usize,
        node: Option<&'t NodeReport>,
    ) -> usize {
        let new = self.spots.len();
        let name = match self.wanted.merge {
            None => None,
            Some(Merge::Equal) => Some(session.position()),
            Some(Merge::Symmetric) => Some(session.representative()),
        };
        let number = name.map_or(new, |name| *self.numbers.entry(name).or_insert(new));
        if number == new {
            self.spots.push(Spot {
                session,
                row,
                node,
                result: None,
                link: None,
                below: None,
                hidden: 0,
            });
        }
        number
    }

    /// Adds whole rows, and returns the row after which they are left out, if any.
    fn grow_rows(&mut self, depth: Option<u32>) -> Result<Option<u32>, Undrawn> {
        let mut done = 0;
        for row in 0..depth.unwrap_or(u32::MAX) {
            let (boards, lines) = (self.spots.len(), self.lines.len());
            if done == boards {
                return Ok(None);
            }
            let asked = depth.is_some() || row == 0;
            let max = if asked { MAX } else { USUAL };
            let mut fits = true;
            for from in done..boards {
                fits = fits && self.expand(from, max)?;
            }
            if !fits && asked {
                return Err(Undrawn::Large);
            }
            if !fits {
                self.spots.truncate(boards);
                self.lines.truncate(lines);
                return Ok(Some(row));
            }
            done = boards;
        }
        Ok(depth)
    }

    /// Adds all moves of a position; `false` as soon as there are more than `max` positions.
    fn expand(&mut self, from: usize, max: usize) -> Result<bool, Undrawn> {
        let Spot { session, row, node, .. } = &self.spots[from];
        let (session, row, node) = (session.fork(), row + 1, *node);
        let mut leading = HashMap::new();
        for (at, mv) in session.moves().into_iter().enumerate() {
            let mut next = session.fork();
            next.play(&mv)?;
            let again = next.turn() == session.turn();
            let to = self.add(next, row, node.and_then(|node| node.children.get(at)));
            let line = *leading.entry(to).or_insert(self.lines.len());
            if line == self.lines.len() {
                self.lines.push(Moves { from, to, moves: Vec::new(), again });
            }
            self.lines[line].moves.push(mv);
            if self.spots.len() > max {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes over what is known of the first position and its moves.
    fn know(&mut self, report: &Report) {
        let proven = report.value.filter(|_| report.proven);
        let first = |value| Found { value, distance: report.distance, endless: report.endless };
        self.spots[0].result = proven.map(first);
        for line in self.lines.iter().filter(|line| line.from == 0) {
            let of =
                |each: &&MoveReport| line.moves.contains(&each.mv) && each.result.result.is_some();
            if let Some(MoveReport { result, .. }) = report.moves.iter().find(of) {
                let value = if line.again { result.value } else { -result.value };
                let distance = result.distance.map(|plies| plies.saturating_sub(1));
                self.spots[line.to].result =
                    Some(Found { value, distance, endless: result.endless });
            }
        }
    }

    /// Finds the results of positions that can be proven within the limits, the last rows first; after some `misses` it
    /// looks only for ends of play. Whether all were found.
    fn solve(&mut self, misses: usize, control: &Control) -> bool {
        let mut missed = 0;
        for spot in self.spots.iter_mut().rev().filter(|spot| spot.result.is_none()) {
            if missed <= misses || spot.session.outcome().is_some() {
                spot.result = result(&mut *spot.session, control);
                missed += usize::from(spot.result.is_none());
            }
        }
        missed == 0
    }

    /// Arranges the positions by plies to the end, those without an end last, and keeps the best moves alone.
    fn arrange(&mut self) -> Result<(), Undrawn> {
        let results: Option<Vec<Found>> = self.spots.iter().map(|spot| spot.result).collect();
        let results = results.ok_or(Undrawn::Ends)?;
        let mut rows: Vec<u32> = results.iter().filter_map(|result| result.distance).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut without_end = 0;
        for (spot, result) in self.spots.iter_mut().zip(&results) {
            spot.row = match result.distance {
                Some(plies) => rows.partition_point(|row| *row < plies),
                None => {
                    without_end += 1;
                    rows.len() + (without_end - 1) / IN_ROW
                }
            };
        }
        self.lines.retain(|line| {
            let (from, to) = (results[line.from], results[line.to]);
            let value = if line.again { to.value } else { -to.value };
            from.value == value
                && from.distance.is_some()
                && from.distance == to.distance.map(|plies| plies + 1)
        });
        Ok(())
    }

    fn finish(self) -> Graph {
        let mut boards = Vec::new();
        for Spot { session, row, node, result, link, below, hidden } in self.spots {
            let class = if node.is_some_and(|node| node.pruned) { "cut" } else { "" };
            let over = session.outcome().is_some();
            let (kind, label) = result.map_or(("", None), |found| {
                let (kind, words) = found.words(self.wanted, session.turn(), over);
                (kind, Some(words))
            });
            let title = [&session.position(), label.as_deref().unwrap_or("")].join(" ");
            boards.push(Board {
                scene: session.scene(),
                title: title.trim().to_owned(),
                row,
                turn: (!over).then(|| session.turn()),
                mark: Mark { class, kind, label },
                link,
                below,
                hidden,
            });
        }
        let line = |Moves { from, to, mut moves, .. }: Moves| {
            if moves.len() > 4 {
                moves.truncate(3);
                moves.push("…".to_owned());
            }
            Line { from, to, mv: moves.join(" "), class: boards[to].mark.class }
        };
        let lines = self.lines.into_iter().map(line).collect();
        match self.wanted.merge {
            None => Graph::tree(boards, lines),
            Some(_) => Graph::rows(boards, lines),
        }
    }
}

/// `None` if it is not known.
fn result(session: &mut dyn Session, control: &Control) -> Option<Found> {
    if let Some(outcome) = session.outcome() {
        let value = outcome.value_for(session.turn()).0;
        return Some(Found { value, distance: Some(0), endless: false });
    }
    let report = session.solve(&Request::default(), control);
    let value = report.value.filter(|_| report.proven)?;
    Some(Found { value, distance: report.distance, endless: report.endless })
}

impl Found {
    /// Who wins, as a class; and the result in words as short as a board is wide.
    fn words(self, wanted: &Wanted<'_>, turn: Side, over: bool) -> (&'static str, String) {
        let winner = if self.value > 0 { turn } else { turn.other() };
        let name = match wanted.sides[winner.index()] {
            "first" => "1st",
            "second" => "2nd",
            name => name,
        };
        let (kind, word) = match (self.value, wanted.unit) {
            (0, _) => ("draw", "draw".to_owned()),
            (_, "result") => (["first", "second"][winner.index()], name.to_owned()),
            (value, _) => {
                let points = signed(value.saturating_abs());
                (["first", "second"][winner.index()], format!("{name} {points}"))
            }
        };
        let words = match self.distance {
            _ if over && wanted.unit == "result" && self.value != 0 => format!("{word} won"),
            Some(plies) if !over => format!("{word} in {plies}"),
            None if self.endless && self.value == 0 => "endless".to_owned(),
            None if self.endless => format!("{word}, endless"),
            None if wanted.unit == "result" && self.value != 0 => format!("{word} wins"),
            _ => word,
        };
        (kind, words)
    }
}
