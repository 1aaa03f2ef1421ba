//! Whether play of a game can loop: a number that every move raises, found and proven.
//!
//! The number is the sum of a weight for each piece, by its kind and cell. Candidates are: every piece
//! counts (games in which pieces are only placed), every piece counts less than nothing (each move
//! takes one), and pieces that go ahead in a direction (and are worth less than nothing, so that taking
//! one raises the number too). A candidate is proven by going through all ways to move with all cells
//! that can be chosen; of the rest of the position is known only what the choices say. What is not
//! proven is not used.

use crate::board::{Cells, bit, cells};
use crate::interpret;
use crate::typed::{Block, Rules, Set, Statement, Truth};

/// The weight of each kind of piece on each cell, and of an empty cell, which is 0, last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    of: Vec<Vec<i64>>,
    /// What makes the sum of a position not negative.
    base: i64,
}

impl Weights {
    fn new(mut of: Vec<Vec<i64>>, cells: usize) -> Weights {
        // Each cell holds one piece at most.
        let least = |cell: usize| of.iter().map(|kind| kind[cell]).min().unwrap_or(0).min(0);
        let base = -(0..cells).map(least).sum::<i64>();
        of.push(vec![0; cells]);
        Weights { of, base }
    }

    /// The sum of a position; it rises with every move.
    pub fn sum<S: crate::machine::Word>(&self, sets: &[S]) -> u32 {
        let mut sum = self.base;
        for (set, weights) in sets.iter().zip(&self.of) {
            sum += cells(set.cells()).map(|cell| weights[cell]).sum::<i64>();
        }
        u32::try_from(sum).unwrap_or(u32::MAX)
    }
}

/// At most so many calculations with sets are made for a game.
const MOST_STEPS: u32 = 400_000;

/// Weights that every move of both sides raises; `None` if none were found.
pub(crate) fn weights(rules: &Rules) -> Option<Weights> {
    let (pieces, board) = (rules.layout.pieces, rules.board.cells.len());
    if pieces == 0 || pieces > 12 {
        return None;
    }
    let rises = |weights: &Weights, side: usize| {
        let own = &rules.sides[side];
        let mut proof = Proof { rules, weights, steps: 0 };
        let start = Path {
            contents: vec![Contents::unknown(pieces); board],
            locals: vec![None; own.locals],
            so_far: 0,
        };
        changes_nothing(&own.end) && proof.rises(&own.moves, start, &[])
    };
    for each in [1, -1] {
        let uniform = Weights::new(vec![vec![each; board]; pieces], board);
        if rises(&uniform, 0) && rises(&uniform, 1) {
            return Some(uniform);
        }
    }
    // The pieces of each side by direction, one side after the other.
    let lost = -2 * board as i64;
    let mut found = vec![vec![lost; board]; pieces];
    for side in 0..2 {
        let own: Vec<usize> = rules
            .pieces
            .iter()
            .filter(|piece| piece.sets.len() == 2)
            .map(|piece| piece.sets[side])
            .collect();
        let ahead = rules.board.directions.iter().find_map(|(_, to)| {
            let mut of = found.clone();
            for set in &own {
                of[*set] = (0..board).map(|cell| lost - steps_ahead(to, cell)).collect();
            }
            let weights = Weights::new(of.clone(), board);
            rises(&weights, side).then_some(of)
        });
        found = ahead?;
    }
    let weights = Weights::new(found, board);
    (rises(&weights, 0) && rises(&weights, 1)).then_some(weights)
}

/// How many steps a direction leads on from a cell; at most the number of cells, if it is a ring.
fn steps_ahead(to: &[Cells], cell: usize) -> i64 {
    let next = |at: &usize| cells(to[*at]).next();
    std::iter::successors(Some(cell), next).take(to.len()).count() as i64
}

fn changes_nothing(block: &Block) -> bool {
    block.iter().all(|statement| match statement {
        Statement::If { then, otherwise, .. } => {
            changes_nothing(then) && changes_nothing(otherwise)
        }
        Statement::SetLocal { .. }
        | Statement::NumberLocal { .. }
        | Statement::TruthLocal { .. }
        | Statement::Finish(_) => true,
        _ => false,
    })
}

/// What can be on a cell: for each kind that can have been there before the move (the last one is
/// "empty"), the kinds that can be there now, a bit each; 0 if it cannot have been there.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Contents([u16; 13]);

impl Contents {
    fn unknown(pieces: usize) -> Contents {
        let mut all = [0; 13];
        (0..=pieces).for_each(|kind| all[kind] = 1 << kind);
        Contents(all)
    }

    /// The kinds that can be there now.
    fn now(&self) -> u16 {
        self.0.iter().fold(0, |all, now| all | now)
    }

    /// One of these kinds is there now.
    fn only(&mut self, kinds: u16) {
        self.0.iter_mut().for_each(|now| *now &= kinds);
    }

    fn becomes(&mut self, kind: usize) {
        self.0.iter_mut().filter(|now| **now != 0).for_each(|now| *now = 1 << kind);
    }

    fn may_become(&mut self, kind: usize) {
        self.0.iter_mut().filter(|now| **now != 0).for_each(|now| *now |= 1 << kind);
    }
}

/// What is known in the middle of a move.
#[derive(Clone)]
struct Path {
    contents: Vec<Contents>,
    /// The value of each name: the cells that may be in it, and those that must.
    locals: Vec<Option<[Cells; 2]>>,
    /// How much the sum has risen at least, before the board was turned.
    so_far: i64,
}

struct Proof<'a> {
    rules: &'a Rules,
    weights: &'a Weights,
    steps: u32,
}

impl Proof<'_> {
    fn empty(&self) -> usize {
        self.rules.layout.pieces
    }

    /// The cells that may be in a set, and those that must.
    fn set(&mut self, path: &Path, set: &Set) -> [Cells; 2] {
        self.steps += 1;
        let all = self.rules.board.all();
        match set {
            Set::Cells(cells) => [*cells, *cells],
            Set::State(set) if *set < self.empty() => {
                let kind = 1u16 << set;
                let cells_where = |holds: &dyn Fn(u16) -> bool| {
                    let there = |(cell, contents): (usize, &Contents)| {
                        if holds(contents.now()) { bit(cell) } else { 0 }
                    };
                    path.contents.iter().enumerate().map(there).fold(0, |all, cell| all | cell)
                };
                [cells_where(&|now| now & kind != 0), cells_where(&|now| now == kind)]
            }
            Set::State(_) => [all, 0],
            Set::Local(local) => path.locals[*local].unwrap_or([all, 0]),
            Set::Union(parts) => parts.iter().fold([0, 0], |[may, must], part| {
                let [more, sure] = self.set(path, part);
                [may | more, must | sure]
            }),
            Set::Both(parts) => parts.iter().fold([all, all], |[may, must], part| {
                let [more, sure] = self.set(path, part);
                [may & more, must & sure]
            }),
            Set::Minus(one, other) => {
                let ([may, must], [out, surely]) = (self.set(path, one), self.set(path, other));
                [may & !surely, must & !out]
            }
            Set::Rows { within, .. } => [self.set(path, within)[0], 0],
            Set::Full { of, .. } => [self.set(path, of)[0], 0],
            // The rest grows with all that it is made of.
            set => {
                let mut may = set.clone();
                let mut must = set.clone();
                let parts: Vec<[Cells; 2]> = crate::machine::parts(set)
                    .into_iter()
                    .map(|part| self.set(path, part))
                    .collect();
                let ends = parts.iter();
                for (part, [most, _]) in
                    crate::machine::parts_mut(&mut may).into_iter().zip(ends.clone())
                {
                    *part = Set::Cells(*most);
                }
                for (part, [_, least]) in crate::machine::parts_mut(&mut must).into_iter().zip(ends)
                {
                    *part = Set::Cells(*least);
                }
                [interpret::known(&may), interpret::known(&must)]
            }
        }
    }

    /// Whether a condition holds, if that is known.
    fn truth(&mut self, path: &Path, truth: &Truth) -> Option<bool> {
        match truth {
            Truth::Known(known) => Some(*known),
            Truth::Any(set) => match self.set(path, set) {
                [0, _] => Some(false),
                [_, 0] => None,
                _ => Some(true),
            },
            Truth::Not(inner) => self.truth(path, inner).map(|holds| !holds),
            _ => None,
        }
    }

    /// How much the sum has risen at least.
    fn risen(&self, path: &Path) -> i64 {
        let of = |(cell, contents): (usize, &Contents)| {
            let mut least: Option<i64> = None;
            for (before, now) in contents.0.iter().enumerate() {
                for kind in (0..=self.empty()).filter(|kind| now >> kind & 1 == 1) {
                    let change = self.weights.of[kind][cell] - self.weights.of[before][cell];
                    least = Some(least.map_or(change, |least| least.min(change)));
                }
            }
            least.unwrap_or(0)
        };
        path.so_far + path.contents.iter().enumerate().map(of).sum::<i64>()
    }

    /// Whether all ways to go on from here, through these blocks, raise the sum.
    fn rises(&mut self, block: &[Statement], path: Path, then: &[&[Statement]]) -> bool {
        if self.steps > MOST_STEPS {
            return false;
        }
        let Some((statement, rest)) = block.split_first() else {
            return match then.split_last() {
                Some((next, later)) => self.rises(next, path, later),
                None => self.risen(&path) > 0,
            };
        };
        let mut path = path;
        match statement {
            Statement::Choose { local, from } => {
                let [may, _] = self.set(&path, from);
                cells(may).all(|cell| {
                    let mut path = path.clone();
                    path.locals[*local] = None;
                    // What can be on the cell, since it is chosen.
                    let mut kinds = 0;
                    for kind in (0..=self.empty()).map(|kind| 1u16 << kind) {
                        let mut here = path.clone();
                        here.contents[cell].only(kind);
                        if here.contents[cell].now() != 0
                            && self.set(&here, from)[0] & bit(cell) != 0
                        {
                            kinds |= kind;
                        }
                    }
                    path.contents[cell].only(kinds);
                    path.locals[*local] = Some([bit(cell); 2]);
                    kinds == 0 || self.rises(rest, path, then)
                })
            }
            Statement::SetLocal { local, value } => {
                path.locals[*local] = Some(self.set(&path, value));
                self.rises(rest, path, then)
            }
            Statement::Pick { .. }
            | Statement::NumberLocal { .. }
            | Statement::TruthLocal { .. }
            | Statement::Mark { .. }
            | Statement::SetCount { .. }
            | Statement::SetNumber { .. }
            | Statement::Again => self.rises(rest, path, then),
            Statement::Require(truth) => {
                self.truth(&path, truth) == Some(false) || self.rises(rest, path, then)
            }
            Statement::If { condition, then: yes, otherwise } => {
                let holds = self.truth(&path, condition);
                let later: Vec<&[Statement]> = then.iter().copied().chain([rest]).collect();
                (holds == Some(false) || self.rises(yes, path.clone(), &later))
                    && (holds == Some(true) || self.rises(otherwise, path, &later))
            }
            Statement::Either { alternatives, .. } => {
                let later: Vec<&[Statement]> = then.iter().copied().chain([rest]).collect();
                alternatives.iter().all(|body| self.rises(body, path.clone(), &later))
            }
            Statement::Put { set, on } => {
                let on = self.set(&path, on);
                self.put(&mut path, *set, on);
                self.rises(rest, path, then)
            }
            Statement::Clear(on) => {
                let on = self.set(&path, on);
                self.put(&mut path, self.empty(), on);
                self.rises(rest, path, then)
            }
            Statement::Move { from, to } => {
                let ([from, sure], [to, sure_to]) = (self.set(&path, from), self.set(&path, to));
                let one = from == sure && to == sure_to && from.count_ones() == 1;
                if !one || to.count_ones() != 1 {
                    return false;
                }
                let cell = from.trailing_zeros() as usize;
                let now = path.contents[cell].now();
                (0..=self.empty()).filter(|kind| now >> kind & 1 == 1).all(|kind| {
                    let mut path = path.clone();
                    path.contents[cell].only(1 << kind);
                    self.put(&mut path, self.empty(), [from, from]);
                    self.put(&mut path, kind, [to, to]);
                    self.rises(rest, path, then)
                })
            }
            Statement::Permute { .. } => {
                // Where pieces are does not matter if all cells have the same weight.
                let even = |weights: &Vec<i64>| weights.iter().all(|weight| *weight == weights[0]);
                if !self.weights.of.iter().all(even) {
                    return false;
                }
                path.so_far = self.risen(&path);
                let unknown = Contents::unknown(self.empty());
                path.contents.iter_mut().for_each(|contents| *contents = unknown);
                path.locals.iter_mut().for_each(|local| *local = None);
                self.rises(rest, path, then)
            }
            Statement::Finish(_) => self.risen(&path) > 0,
            Statement::For { .. } | Statement::Repeat { .. } | Statement::Stop => false,
            Statement::Sow { local, .. } => {
                path.locals[*local] = None;
                self.rises(rest, path, then)
            }
        }
    }

    fn put(&self, path: &mut Path, kind: usize, [may, must]: [Cells; 2]) {
        for cell in cells(may) {
            match must & bit(cell) != 0 {
                true => path.contents[cell].becomes(kind),
                false => path.contents[cell].may_become(kind),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Position;
    use crate::{SHIPPED, Text};

    /// In random games every move raises the number that was found, and these games have one.
    #[test]
    fn numbers_that_were_found_rise() {
        let mut found = Vec::new();
        for (name, source) in SHIPPED {
            let rules = Text::parse(source).unwrap().rules(&[]).unwrap();
            let Some(weights) = weights(&rules) else { continue };
            found.push(*name);
            let sum = |position: &Position| weights.sum::<u128>(&position.sets);
            let mut dice = foregone_rules::sample::Dice::new(7);
            for _ in 0..30 {
                let mut position = rules.start.clone();
                while interpret::outcome(&rules, &position).is_none() {
                    let moves = interpret::moves(&rules, &position);
                    for (mv, next) in &moves {
                        let pass = mv.len() == 0;
                        assert!(pass || sum(next) > sum(&position), "{name}");
                    }
                    position = moves[dice.below(moves.len())].1.clone();
                }
            }
        }
        for name in
            ["breakthrough", "hexapawn", "tic-tac-toe", "clobber", "hex", "domineering", "reversi"]
        {
            assert!(found.contains(&name), "{name} is none of {found:?}");
        }
        for name in ["achi", "pong-hau-ki", "three-mens-morris", "fox-and-hounds"] {
            assert!(!found.contains(&name), "{name}");
        }
    }
}
