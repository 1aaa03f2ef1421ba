//! Whether a set has a cell, as a truth that does not depend on how the set was written: one of some
//! terms holds, each a list of cells that have to be in a set, or must not. `mine & e(mine)` and
//! `mine & w(mine)` are different sets, but if one has a cell, so has the other.

use std::collections::BTreeSet;

use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::typed::{Set, Truth};

/// A cell of a set without parts, and whether it is there.
type Literal = (Set, usize, bool);

/// Literals that hold together.
type Term = BTreeSet<Literal>;

/// Terms of which one holds. None of them follows from another.
type Disjunction = BTreeSet<Term>;

/// The most terms of a truth.
const MAX: usize = 128;

/// At most this part of a budget is for terms, since a question may need very many.
const PART: u64 = 4;

/// The terms of all questions of a game.
pub(super) struct Terms<'a> {
    /// The number of cells of the board.
    board: usize,
    budget: &'a Budget,
    /// What has to be left of the budget.
    rest: u64,
}

impl<'a> Terms<'a> {
    pub fn new(board: usize, budget: &'a Budget) -> Terms<'a> {
        Terms { board, budget, rest: budget.left() - budget.left() / PART }
    }

    /// Whether a set has a cell; `None` if that needs too many terms, or cannot be said by them.
    pub fn any(&self, set: &Set) -> Option<Truth> {
        let never = Disjunction::new();
        let all =
            (0..self.board).try_fold(never, |all, cell| self.or(all, self.has(set, cell)?))?;
        let literal = |(set, cell, there): Literal| {
            let here = Truth::Any(Set::Both(vec![Set::Cells(bit(cell)), set]));
            if there { here } else { Truth::Not(Box::new(here)) }
        };
        let term = |term: Term| Truth::All(term.into_iter().map(literal).collect());
        Some(Truth::Either(all.into_iter().map(term).collect()))
    }

    /// When a cell is in a set.
    fn has(&self, set: &Set, cell: usize) -> Option<Disjunction> {
        self.steps(1)?;
        let never = Disjunction::new();
        let always = || Disjunction::from([Term::new()]);
        match set {
            Set::Cells(here) => Some(if here & bit(cell) != 0 { always() } else { never }),
            Set::State(_) => Some(Disjunction::from([Term::from([(set.clone(), cell, true)])])),
            Set::Union(parts) => {
                parts.iter().try_fold(never, |all, part| self.or(all, self.has(part, cell)?))
            }
            Set::Both(parts) => {
                parts.iter().try_fold(always(), |all, part| self.and(&all, &self.has(part, cell)?))
            }
            Set::Minus(one, other) => {
                self.and(&self.has(one, cell)?, &self.not(&self.has(other, cell)?)?)
            }
            Set::Step { table, of } => {
                let mut from = (0..table.len()).filter(|from| table[*from] & bit(cell) != 0);
                from.try_fold(never, |all, from| self.or(all, self.has(of, from)?))
            }
            Set::Rows { rows, within } => {
                let mut rows = rows.iter().filter(|row| **row & bit(cell) != 0);
                rows.try_fold(never, |all, row| self.or(all, self.has_all(within, *row)?))
            }
            Set::Local(_)
            | Set::Flood { .. }
            | Set::Ray { .. }
            | Set::Between { .. }
            | Set::Beyond { .. }
            | Set::Full { .. } => None,
        }
    }

    fn has_all(&self, set: &Set, wanted: Cells) -> Option<Disjunction> {
        let always = Disjunction::from([Term::new()]);
        cells(wanted).try_fold(always, |all, cell| self.and(&all, &self.has(set, cell)?))
    }

    fn or(&self, one: Disjunction, other: Disjunction) -> Option<Disjunction> {
        other.into_iter().try_fold(one, |all, term| self.with(all, term))
    }

    fn and(&self, one: &Disjunction, other: &Disjunction) -> Option<Disjunction> {
        let contradicts = |term: &Term| {
            term.iter().any(|(set, cell, there)| term.contains(&(set.clone(), *cell, !there)))
        };
        let mut pairs = one.iter().flat_map(|one| other.iter().map(move |other| one | other));
        pairs.try_fold(Disjunction::new(), |all, term| match contradicts(&term) {
            true => self.steps(1).map(|()| all),
            false => self.with(all, term),
        })
    }

    fn not(&self, all: &Disjunction) -> Option<Disjunction> {
        let negated = |(set, cell, there): &Literal| Term::from([(set.clone(), *cell, !there)]);
        let always = Disjunction::from([Term::new()]);
        all.iter().try_fold(always, |all, term| self.and(&all, &term.iter().map(negated).collect()))
    }

    /// Adds a term, unless it follows from another, and takes away those that follow from it.
    fn with(&self, mut all: Disjunction, term: Term) -> Option<Disjunction> {
        if !all.iter().any(|other| other.is_subset(&term)) {
            all.retain(|other| !other.is_superset(&term));
            all.insert(term);
        }
        self.steps(1 + all.len())?;
        (all.len() <= MAX).then_some(all)
    }

    /// Takes steps, as long as enough is left.
    fn steps(&self, count: usize) -> Option<()> {
        let count = count as u64;
        (self.budget.left() > self.rest + count).then(|| self.budget.take(count)).flatten()
    }
}
