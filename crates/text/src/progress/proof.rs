//! The proof that all ways to move raise weights: what can be on each cell is followed through every
//! statement.

use super::Weights;
use crate::board::{Cells, bit, cells};
use crate::interpret;
use crate::typed::{Rules, Set, Statement, Truth, choices};

/// What can be on a cell: for each kind that can have been there before the move (the last one is
/// "empty"), the kinds that can be there now, a bit each; 0 if it cannot have been there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Contents([u16; 13]);

impl Contents {
    /// Any of these kinds, or empty.
    fn unknown(possible: &[bool]) -> Contents {
        let mut all = [0; 13];
        let kinds = (0..).zip(possible.iter().chain([&true])).filter(|(_, can)| **can);
        kinds.for_each(|(kind, _)| all[kind] = 1 << kind);
        Contents(all)
    }

    /// The kinds that can be there now.
    fn now(&self) -> u16 {
        self.0.iter().fold(0, |all, now| all | now)
    }

    /// What is there now becomes what was there before.
    fn begin(&mut self) {
        let now = self.now();
        (0..).zip(&mut self.0).for_each(|(kind, there)| *there = now & 1 << kind);
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
pub(super) struct Path {
    contents: Vec<Contents>,
    /// The value of each name: the cells that may be in it, and those that must.
    locals: Vec<Option<[Cells; 2]>>,
    /// Sets that are not empty now.
    not_empty: Vec<Set>,
    /// How much the sum has risen at least beside what the cells tell.
    so_far: i64,
}

/// The most calculations with sets for one candidate.
const MOST_STEPS: u32 = 400_000;

pub(super) struct Proof<'a> {
    rules: &'a Rules,
    weights: &'a Weights,
    /// How much the sum has to rise.
    by: i64,
    steps: u32,
}

impl Path {
    /// The beginning of a move: anything that can be on the board.
    pub fn new(rules: &Rules, locals: usize) -> Path {
        Path {
            contents: vec![Contents::unknown(&rules.possible()); rules.board.cells.len()],
            locals: vec![None; locals],
            not_empty: Vec::new(),
            so_far: 0,
        }
    }
}

impl<'a> Proof<'a> {
    pub fn new(rules: &'a Rules, weights: &'a Weights, by: i64) -> Proof<'a> {
        Proof { rules, weights, by, steps: 0 }
    }
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
            Set::Rows { within: of, .. }
            | Set::Full { of, .. }
            // With more cells to go to, the way there may be shorter.
            | Set::Between { through: of, .. }
            | Set::Beyond { to: of, .. } => [self.set(path, of)[0], 0],
            // Both grow with all that they are made of.
            set @ (Set::Step { .. } | Set::Flood { .. } | Set::Ray { .. }) => {
                let mut may = set.clone();
                let mut must = set.clone();
                let parts: Vec<[Cells; 2]> = set
                    .parts()
                    .into_iter()
                    .map(|part| self.set(path, part))
                    .collect();
                let ends = parts.iter();
                for (part, [most, _]) in
                    may.parts_mut().into_iter().zip(ends.clone())
                {
                    *part = Set::Cells(*most);
                }
                for (part, [_, least]) in must.parts_mut().into_iter().zip(ends)
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
    pub fn rises(&mut self, block: &[Statement], path: Path, then: &[&[Statement]]) -> bool {
        if self.steps > MOST_STEPS {
            return false;
        }
        let Some((statement, rest)) = block.split_first() else {
            return match then.split_last() {
                Some((next, later)) => self.rises(next, path, later),
                None => self.risen(&path) >= self.by,
            };
        };
        let mut path = path;
        match statement {
            Statement::Choose { local, from } => {
                let [may, _] = self.set(&path, from);
                cells(may).all(|cell| {
                    let mut path = path.clone();
                    path.locals[*local] = None;
                    path.not_empty.retain(|set| !set.mentions(*local));
                    let kinds = self.kinds_within(&path, cell, from);
                    path.contents[cell].only(kinds);
                    path.locals[*local] = Some([bit(cell); 2]);
                    kinds == 0 || self.rises(rest, path, then)
                })
            }
            Statement::SetLocal { local, value } => {
                path.locals[*local] = Some(self.set(&path, value));
                path.not_empty.retain(|set| !set.mentions(*local));
                self.rises(rest, path, then)
            }
            Statement::Mark { .. } | Statement::SetCount { .. } => {
                path.not_empty.clear();
                self.rises(rest, path, then)
            }
            Statement::Pick { .. }
            | Statement::NumberLocal { .. }
            | Statement::TruthLocal { .. }
            | Statement::SetNumber { .. }
            | Statement::Again => self.rises(rest, path, then),
            Statement::Require(truth) => {
                let holds = self.truth(&path, truth);
                if let Truth::Any(set) = truth {
                    path.not_empty.push(set.clone());
                }
                holds == Some(false) || self.rises(rest, path, then)
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
                let gain = if path.not_empty.contains(on) { self.least_gain(&path, on) } else { 0 };
                let on = self.set(&path, on);
                self.put(&mut path, self.empty(), on);
                if gain > 0 {
                    // What comes later is counted from here.
                    path.so_far = self.risen(&path) + gain;
                    path.contents.iter_mut().for_each(Contents::begin);
                }
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
                path.not_empty.clear();
                let unknown = Contents::unknown(&self.rules.possible());
                path.contents.iter_mut().for_each(|contents| *contents = unknown);
                path.locals.iter_mut().for_each(|local| *local = None);
                self.rises(rest, path, then)
            }
            // Play does not go on.
            Statement::Finish(_) => true,
            Statement::For { .. } | Statement::Repeat { .. } => {
                choices(std::slice::from_ref(statement))[1] == 0
                    && self.after_loop(statement, &mut path)
                    && self.rises(rest, path, then)
            }
            Statement::Stop => false,
            Statement::Sow { local, .. } => {
                path.locals[*local] = None;
                path.not_empty.clear();
                self.rises(rest, path, then)
            }
        }
    }

    /// The kinds that can be on a cell that is in a set.
    fn kinds_within(&mut self, path: &Path, cell: usize, set: &Set) -> u16 {
        let mut kinds = 0;
        for kind in (0..=self.empty()).map(|kind| 1u16 << kind) {
            let mut here = path.clone();
            here.contents[cell].only(kind);
            if here.contents[cell].now() != 0 && self.set(&here, set)[0] & bit(cell) != 0 {
                kinds |= kind;
            }
        }
        kinds
    }

    /// How much the sum rises at least if a set that is not empty becomes empty; 0 if some of its cells
    /// are known, since their contents tell that.
    fn least_gain(&mut self, path: &Path, set: &Set) -> i64 {
        let [may, must] = self.set(path, set);
        let mut gain = |cell: usize| {
            let contents = &path.contents[cell];
            let within = self.kinds_within(path, cell, set);
            let now = (0..=self.empty()).filter(|kind| within >> kind & 1 == 1);
            // Only a cell that has not changed yet: else its change is counted from what was there.
            let is_old = contents.0.iter().enumerate().all(|(kind, now)| now & !(1 << kind) == 0);
            let least = now.map(|kind| -self.weights.of[kind][cell]).min();
            least.filter(|_| is_old).unwrap_or(i64::MIN)
        };
        match must {
            0 => cells(may).map(&mut gain).min().unwrap_or(0).max(0),
            _ => 0,
        }
    }

    /// What is known after a loop without choices, whether it runs or not; `false` if too little.
    fn after_loop(&mut self, statement: &Statement, path: &mut Path) -> bool {
        self.forget(statement, path);
        // Marks and counts may have changed, too.
        path.not_empty.clear();
        // What one round changes may lead the next one to change more; all sets end at the whole board.
        for _ in 0..=self.rules.board.cells.len() {
            let before = path.contents.clone();
            if !self.may_run(statement, path) {
                return false;
            }
            if path.contents == before {
                return true;
            }
        }
        false
    }

    /// Names that a loop sets may be anything.
    fn forget(&self, statement: &Statement, path: &mut Path) {
        if let Some(local) = statement.effect().local {
            path.locals[local] = None;
        }
        statement.blocks().flatten().for_each(|statement| self.forget(statement, path));
    }

    /// Adds what a statement may do; `false` if that is not known.
    fn may_run(&mut self, statement: &Statement, path: &mut Path) -> bool {
        match statement {
            Statement::Put { set, on } => {
                let [may, _] = self.set(path, on);
                self.put(path, *set, [may, 0]);
                true
            }
            Statement::Clear(on) => {
                let [may, _] = self.set(path, on);
                self.put(path, self.empty(), [may, 0]);
                true
            }
            Statement::Move { .. } | Statement::Permute { .. } | Statement::Finish(_) => false,
            other => {
                let mut within = other.blocks().flatten();
                within.all(|statement| self.may_run(statement, path))
            }
        }
    }

    fn put(&self, path: &mut Path, kind: usize, [may, must]: [Cells; 2]) {
        path.not_empty.clear();
        for cell in cells(may) {
            match must & bit(cell) != 0 {
                true => path.contents[cell].becomes(kind),
                false => path.contents[cell].may_become(kind),
            }
        }
    }
}
