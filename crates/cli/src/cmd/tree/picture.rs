//! The tree as a picture: boards with what perfect play from them leads to, and the moves between them.

use std::collections::HashMap;
use std::time::Duration;

use foregone::any::report::NodeReport;
use foregone::{Control, Request, Session};
use foregone_page::draw::graph::{Board, Graph, Line, MAX, Mark};
use foregone_page::words::signed;

use super::{Merge, Rows};
use crate::args::Refused;

/// The most boards if no depth is asked for.
const USUAL: usize = 120;

/// The most boards without an end in a row.
const IN_ROW: usize = 9;

/// How long values are looked for; a picture is without them if that is not enough.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a picture shows.
pub struct Wanted<'t> {
    /// Plies; `None` for as many as a picture has room for.
    pub depth: Option<u32>,
    pub merge: Option<Merge>,
    pub rows: Rows,
    /// What alpha-beta prunes.
    pub tree: Option<&'t NodeReport>,
}

/// A position of the picture.
struct Spot<'t> {
    session: Box<dyn Session>,
    row: usize,
    node: Option<&'t NodeReport>,
    result: Option<Found>,
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
    merge: Option<Merge>,
    spots: Vec<Spot<'t>>,
    /// The number of each position by its name, in a merged picture.
    numbers: HashMap<String, usize>,
    lines: Vec<Moves>,
}

/// The positions that follow from the session's, and the ply after which they are left out.
///
/// # Errors
/// If there are too many for a picture, or no results to arrange them by.
pub fn picture(
    session: &dyn Session,
    unit: &str,
    wanted: Wanted<'_>,
    control: &Control,
) -> anyhow::Result<(Graph, Option<u32>)> {
    let Wanted { depth, merge, rows, tree } = wanted;
    let mut picture =
        Picture { merge, spots: Vec::new(), numbers: HashMap::new(), lines: Vec::new() };
    picture.add(session.fork(), 0, tree);
    let (mut done, mut cut) = (0, depth);
    for row in 0..depth.unwrap_or(u32::MAX) {
        let (boards, lines) = (picture.spots.len(), picture.lines.len());
        if done == boards {
            cut = None;
            break;
        }
        let asked = depth.is_some() || row == 0;
        let fits = picture.grow(done, if asked { MAX } else { USUAL })?;
        if !fits && asked {
            let hint = if merge.is_some() { "" } else { ", or --merge symmetric" };
            let message = format!(
                "there are more than {MAX} boards, too many for a picture: choose a smaller --depth{hint}"
            );
            return Err(Refused(message).into());
        }
        if !fits {
            picture.spots.truncate(boards);
            picture.lines.truncate(lines);
            cut = Some(row);
            break;
        }
        done = boards;
    }
    picture.solve(control);
    if rows == Rows::End {
        picture.arrange()?;
    }
    Ok((picture.finish(unit), cut))
}

impl<'t> Picture<'t> {
    /// The number of a position.
    fn add(
        &mut self,
        session: Box<dyn Session>,
        row: usize,
        node: Option<&'t NodeReport>,
    ) -> usize {
        let new = self.spots.len();
        let name = match self.merge {
            None => None,
            Some(Merge::Equal) => Some(session.position()),
            Some(Merge::Symmetric) => Some(session.representative()),
        };
        let number = name.map_or(new, |name| *self.numbers.entry(name).or_insert(new));
        if number == new {
            self.spots.push(Spot { session, row, node, result: None });
        }
        number
    }

    /// Adds all moves of the positions from `first` on; `false` as soon as there are more than `max`.
    fn grow(&mut self, first: usize, max: usize) -> anyhow::Result<bool> {
        for from in first..self.spots.len() {
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
        }
        Ok(true)
    }

    /// Finds the results of all positions, or of none if they cannot be proven in time.
    fn solve(&mut self, control: &Control) {
        let control = control.clone().with_time(PATIENCE);
        let found: Option<Vec<_>> =
            self.spots.iter_mut().map(|spot| result(&mut *spot.session, &control)).collect();
        for (spot, found) in self.spots.iter_mut().zip(found.unwrap_or_default()) {
            spot.result = Some(found);
        }
    }

    /// Arranges the positions by plies to the end, those without an end last, and keeps the best moves alone.
    fn arrange(&mut self) -> anyhow::Result<()> {
        let results: Option<Vec<Found>> = self.spots.iter().map(|spot| spot.result).collect();
        let unknown =
            || Refused("the plies to the end cannot be found: use --rows start".to_owned());
        let results = results.ok_or_else(unknown)?;
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

    fn finish(self, unit: &str) -> Graph {
        let mut boards = Vec::new();
        for Spot { session, row, node, result } in &self.spots {
            let class = if node.is_some_and(|node| node.pruned) { "cut" } else { "" };
            let over = session.outcome().is_some();
            let (kind, label) = result.map_or(("", None), |found| {
                let (kind, words) = found.words(unit, over);
                (kind, Some(words))
            });
            let title = [&session.position(), label.as_deref().unwrap_or("")].join(" ");
            boards.push(Board {
                scene: session.scene(),
                title: title.trim().to_owned(),
                row: *row,
                turn: (!over).then(|| session.turn()),
                mark: Mark { class, kind, label },
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
        match self.merge {
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
    /// The kind of the result, and the result in words as short as a board is wide.
    fn words(self, unit: &str, over: bool) -> (&'static str, String) {
        let (kind, word) = match (self.value, over) {
            (0, _) => ("draw", "draw"),
            (1.., true) => ("win", "won"),
            (1.., false) => ("win", "win"),
            (_, true) => ("loss", "lost"),
            (_, false) => ("loss", "loss"),
        };
        let word = if unit == "result" { word.to_owned() } else { signed(self.value) };
        let words = match self.distance {
            Some(plies) if !over => format!("{word} in {plies}"),
            None if self.endless && self.value == 0 => "endless".to_owned(),
            None if self.endless => format!("{word}, endless"),
            _ => word,
        };
        (kind, words)
    }
}
