//! The proof that all ways to move raise weights: what can be on each cell is followed through every
//! statement.

use super::Weights;
use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::interpret;
use crate::typed::{Rules, Set, Statement, Truth, choices};

/// What can be on the cells: for each kind that can have been there before the move, and each that can be there now, the
/// cells where both can be. The last kind is "empty".
#[derive(Clone, Debug, PartialEq, Eq)]
struct Contents {
    kinds: usize,
    cells: Vec<Cells>,
}

impl Contents {
    /// On all cells any of these kinds, or empty.
    fn unknown(possible: &[bool], all: Cells) -> Contents {
        let kinds = possible.len() + 1;
        let mut contents = Contents { kinds, cells: vec![0; kinds * kinds] };
        for kind in (0..kinds).filter(|kind| possible.get(*kind) != Some(&false)) {
            *contents.both_mut(kind, kind) = all;
        }
        contents
    }

    /// The cells that can have had one kind, and can have another one now.
    fn both(&self, before: usize, now: usize) -> Cells {
        self.cells[before * self.kinds + now]
    }

    fn both_mut(&mut self, before: usize, now: usize) -> &mut Cells {
        &mut self.cells[before * self.kinds + now]
    }

    /// The cells where a kind can be now.
    fn now(&self, kind: usize) -> Cells {
        (0..self.kinds).fold(0, |all, before| all | self.both(before, kind))
    }

    /// The cells where something else can be now.
    fn other_than(&self, kind: usize) -> Cells {
        let others = (0..self.kinds).filter(|other| *other != kind);
        others.fold(0, |all, other| all | self.now(other))
    }

    /// The kinds that can be on a cell now.
    fn at(&self, cell: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.kinds).filter(move |kind| self.now(*kind) & bit(cell) != 0)
    }

    /// What is there now becomes what was there before.
    fn begin(&mut self) {
        let now: Vec<Cells> = (0..self.kinds).map(|kind| self.now(kind)).collect();
        self.cells.fill(0);
        now.into_iter().enumerate().for_each(|(kind, cells)| *self.both_mut(kind, kind) = cells);
    }

    /// One of these kinds, a bit each, is on a cell now.
    fn only(&mut self, cell: usize, kinds: u16) {
        for now in (0..self.kinds).filter(|now| kinds >> now & 1 == 0) {
            (0..self.kinds).for_each(|before| *self.both_mut(before, now) &= !bit(cell));
        }
    }

    /// A kind comes to the cells of `must`, and may come to those of `may`.
    fn put(&mut self, kind: usize, [may, must]: [Cells; 2]) {
        for before in 0..self.kinds {
            let there = (0..self.kinds).fold(0, |all, now| all | self.both(before, now));
            (0..self.kinds).for_each(|now| *self.both_mut(before, now) &= !must);
            *self.both_mut(before, kind) |= there & (may | must);
        }
    }

    /// Whether what is on a cell now is what was there before.
    fn is_old(&self, cell: usize) -> bool {
        let changed =
            |before: usize, now: usize| before != now && self.both(before, now) & bit(cell) != 0;
        !(0..self.kinds).any(|before| (0..self.kinds).any(|now| changed(before, now)))
    }
}

/// What is known in the middle of a move.
#[derive(Clone)]
pub(super) struct Path {
    contents: Contents,
    /// The value of each name: the cells that may be in it, and those that must.
    locals: Vec<Option<[Cells; 2]>>,
    /// Sets that are not empty now.
    not_empty: Vec<Set>,
    /// How much the sum has risen at least beside what the cells tell.
    so_far: i64,
}

pub(super) struct Proof<'a> {
    rules: &'a Rules,
    weights: &'a Weights,
    /// How much the sum has to rise.
    by: i64,
    budget: &'a Budget,
    /// The steps for a look at what can have been and can be there: one for few kinds.
    pairs: u64,
}

impl Path {
    /// The beginning of a move: anything that can be on the board.
    pub fn new(rules: &Rules, locals: usize) -> Path {
        Path {
            contents: Contents::unknown(&rules.possible(), rules.board.all()),
            locals: vec![None; locals],
            not_empty: Vec::new(),
            so_far: 0,
        }
    }
}

impl<'a> Proof<'a> {
    pub fn new(rules: &'a Rules, weights: &'a Weights, by: i64, budget: &'a Budget) -> Proof<'a> {
        let kinds = rules.layout.pieces as u64 + 1;
        Proof { rules, weights, by, budget, pairs: 1 + kinds * kinds / 16 }
    }
}

impl Proof<'_> {
    fn empty(&self) -> usize {
        self.rules.layout.pieces
    }

    /// The cells that may be in a set, and those that must.
    fn set(&mut self, path: &Path, set: &Set) -> [Cells; 2] {
        let all = self.rules.board.all();
        // Anything may be in it, once the budget is spent.
        let steps = if matches!(set, Set::State(_)) { self.pairs } else { 1 };
        if self.budget.take(steps).is_none() {
            return [all, 0];
        }
        match set {
            Set::Cells(cells) => [*cells, *cells],
            Set::State(set) if *set < self.empty() => {
                let may = path.contents.now(*set);
                [may, may & !path.contents.other_than(*set)]
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
            Set::Rows { within: of, .. } | Set::Full { of, .. } => [self.set(path, of)[0], 0],
            // With more cells to go to, the way there may be shorter.
            Set::Between { from, through: of, rays, .. }
            | Set::Beyond { from, to: of, rays, .. } => {
                let [from, of] = [from, of].map(|set| self.set(path, set)[0]);
                let along = u64::from(from.count_ones()) * rays.cells;
                if self.budget.take(1 + along / (16 * rays.len() as u64)).is_none() {
                    return [all, 0];
                }
                let ahead =
                    cells(from).flat_map(|cell| rays[cell].iter().flat_map(|ray| ray.iter()));
                let ahead = ahead.fold(0, |all, cell| all | bit(usize::from(*cell)));
                [of & ahead, 0]
            }
            // Both grow with all that they are made of.
            set @ (Set::Step { .. } | Set::Flood { .. } | Set::Ray { .. }) => {
                // Parts are calculated below, and the set itself twice.
                if self.budget.take(set.cost()).is_none() {
                    return [all, 0];
                }
                let mut may = set.clone();
                let mut must = set.clone();
                let parts: Vec<[Cells; 2]> =
                    set.parts().into_iter().map(|part| self.set(path, part)).collect();
                let ends = parts.iter();
                for (part, [max, _]) in may.parts_mut().into_iter().zip(ends.clone()) {
                    *part = Set::Cells(*max);
                }
                for (part, [_, least]) in must.parts_mut().into_iter().zip(ends) {
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
        let looks: u64 =
            path.contents.cells.iter().map(|cells| u64::from(cells.count_ones())).sum();
        // Callers see that the budget is spent.
        let _ = self.budget.take(self.pairs + looks / 2);
        // What stays changes nothing, and most cells may stay; `i64::MAX` where nothing can be.
        let stays = (0..=self.empty()).fold(0, |all, kind| all | path.contents.both(kind, kind));
        let mut least = vec![i64::MAX; self.rules.board.cells.len()];
        cells(stays).for_each(|cell| least[cell] = 0);
        for before in 0..=self.empty() {
            for now in (0..=self.empty()).filter(|now| *now != before) {
                let [from, to] = [before, now].map(|kind| &self.weights.of[kind][..]);
                for cell in cells(path.contents.both(before, now)) {
                    least[cell] = least[cell].min(to[cell] - from[cell]);
                }
            }
        }
        path.so_far + least.into_iter().filter(|change| *change != i64::MAX).sum::<i64>()
    }

    /// Whether all ways to go on from here, through these blocks, raise the sum: one arm for each kind of statement.
    pub fn rises(&mut self, block: &[Statement], path: Path, then: &[&[Statement]]) -> bool {
        // A copy of what is known, and what the statement changes.
        if self.budget.take(7 + self.pairs).is_none() {
            return false;
        }
        let Some((statement, rest)) = block.split_first() else {
            return match then.split_last() {
                Some((next, later)) => self.rises(next, path, later),
                None => self.risen(&path) >= self.by && !self.budget.is_spent(),
            };
        };
        let mut path = path;
        match statement {
            Statement::Choose { local, from } => {
                let [may, _] = self.set(&path, from);
                path.locals[*local] = None;
                path.not_empty.retain(|set| !set.mentions(*local));
                cells(may).all(|cell| {
                    let kinds = self.kinds_within(&mut path, cell, from);
                    let mut path = path.clone();
                    path.contents.only(cell, kinds);
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
            | Statement::Prefer(_)
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
                let gain =
                    if path.not_empty.contains(on) { self.least_gain(&mut path, on) } else { 0 };
                let on = self.set(&path, on);
                self.put(&mut path, self.empty(), on);
                if gain > 0 {
                    // What comes later is counted from here.
                    path.so_far = self.risen(&path) + gain;
                    path.contents.begin();
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
                let now: Vec<usize> = path.contents.at(cell).collect();
                now.into_iter().all(|kind| {
                    let mut path = path.clone();
                    path.contents.only(cell, 1 << kind);
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
                path.contents = Contents::unknown(&self.rules.possible(), self.rules.board.all());
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

    /// The kinds that can be on a cell that is in a set, a bit each. The path is as before afterwards.
    fn kinds_within(&mut self, path: &mut Path, cell: usize, set: &Set) -> u16 {
        let before = path.contents.clone();
        let mut kinds = 0;
        let now: Vec<usize> = before.at(cell).collect();
        let _ = self.budget.take(self.pairs * now.len() as u64);
        for kind in now {
            path.contents.only(cell, 1 << kind);
            if self.set(path, set)[0] & bit(cell) != 0 {
                kinds |= 1 << kind;
            }
            path.contents.cells.copy_from_slice(&before.cells);
        }
        kinds
    }

    /// How much the sum rises at least if a set that is not empty becomes empty; 0 if some of its cells
    /// are known, since their contents tell that.
    fn least_gain(&mut self, path: &mut Path, set: &Set) -> i64 {
        let [may, must] = self.set(path, set);
        let mut gain = |cell: usize| {
            let within = self.kinds_within(path, cell, set);
            let now = (0..=self.empty()).filter(|kind| within >> kind & 1 == 1);
            // Only a cell that has not changed yet: else its change is counted from what was there.
            let least = now.map(|kind| -self.weights.of[kind][cell]).min();
            least.filter(|_| path.contents.is_old(cell)).unwrap_or(i64::MIN)
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
            Statement::Move { .. } | Statement::Permute { .. } => false,
            other => {
                let mut within = other.blocks().flatten();
                within.all(|statement| self.may_run(statement, path))
            }
        }
    }

    fn put(&self, path: &mut Path, kind: usize, cells: [Cells; 2]) {
        path.not_empty.clear();
        path.contents.put(kind, cells);
    }
}
