//! Where pieces and marks can ever stand, from the start of the game: a bound that is found in the rules without playing.

use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::typed::{Block, Rules, Set, Statement};

/// Bounds that hold in all positions that moves lead to from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// For each set the cells that it may ever hold.
    pub sets: Vec<Cells>,
    /// The cells whose pieces may ever change.
    pub changing: Cells,
}

/// The bounds; all cells if they would take too many steps.
pub(crate) fn reach(rules: &Rules, budget: &Budget) -> Reach {
    let all = rules.board.all();
    let locals = rules.sides.iter().map(|side| side.locals).max().unwrap_or(0);
    let mut found = Finder {
        start: &rules.start.sets,
        sets: rules.start.sets.clone(),
        changing: 0,
        locals: vec![0; locals],
        pieces: rules.layout.pieces,
        all,
        budget,
    };
    loop {
        let before = (found.sets.clone(), found.changing);
        for side in &rules.sides {
            found.locals.fill(0);
            // Names may be set after they are used, in a loop.
            loop {
                let before = found.locals.clone();
                for block in [&side.moves, &side.end] {
                    found.block(block);
                }
                if found.locals == before {
                    break;
                }
            }
        }
        if budget.is_spent() {
            return Reach { sets: vec![all; rules.layout.sets], changing: all };
        }
        if before == (found.sets.clone(), found.changing) {
            return Reach { sets: found.sets, changing: found.changing };
        }
    }
}

struct Finder<'b> {
    start: &'b [Cells],
    sets: Vec<Cells>,
    changing: Cells,
    /// What each name may hold.
    locals: Vec<Cells>,
    pieces: usize,
    all: Cells,
    budget: &'b Budget,
}

impl Finder<'_> {
    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
            statement.blocks().for_each(|block| self.block(block));
        }
    }

    /// What a statement does by itself.
    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Choose { local, from: set }
            | Statement::SetLocal { local, value: set }
            | Statement::For { local, over: set, body: _ } => self.locals[*local] |= self.most(set),
            Statement::Sow { local, .. } => self.locals[*local] = self.all,
            Statement::Put { set, on } => {
                let on = self.most(on);
                self.sets[*set] |= on;
                self.changing |= on;
            }
            Statement::Clear(set) => self.changing |= self.most(set),
            Statement::Mark { set, value } => self.sets[*set] |= self.most(value),
            Statement::Move { from, to } => {
                let (from, to) = (self.most(from), self.most(to));
                self.changing |= from | to;
                for set in &mut self.sets[..self.pieces] {
                    *set |= if *set & from != 0 { to } else { 0 };
                }
            }
            Statement::Permute { table } => {
                let moved = |set: Cells| {
                    cells(set).fold(0, |all, cell| {
                        all | bit(table.get(cell).map_or(cell, |to| (*to).into()))
                    })
                };
                self.sets.iter_mut().for_each(|set| *set |= moved(*set));
                let is_moved =
                    |cell: &usize| table.get(*cell).is_some_and(|to| usize::from(*to) != *cell);
                self.changing |=
                    cells(self.all).filter(is_moved).fold(0, |all, cell| all | bit(cell));
            }
            Statement::Pick { .. }
            | Statement::NumberLocal { .. }
            | Statement::TruthLocal { .. }
            | Statement::Require(_)
            | Statement::If { .. }
            | Statement::Either { .. }
            | Statement::Repeat { .. }
            | Statement::Stop
            | Statement::SetCount { .. }
            | Statement::SetNumber { .. }
            | Statement::Prefer(_)
            | Statement::Again
            | Statement::Finish(_) => {}
        }
    }

    /// The most cells that a set can have.
    fn most(&self, set: &Set) -> Cells {
        if self.budget.take(set.cost()).is_none() {
            return self.all;
        }
        self.bound(set)
    }

    fn bound(&self, set: &Set) -> Cells {
        match set {
            Set::Cells(cells) => *cells,
            Set::State(set) => self.sets[*set],
            Set::Local(local) => self.locals[*local],
            Set::Union(parts) => parts.iter().fold(0, |all, part| all | self.bound(part)),
            Set::Both(parts) => parts.iter().fold(self.all, |all, part| all & self.bound(part)),
            Set::Minus(kept, without) => self.bound(kept) & !self.least(without),
            Set::Step { table, of } => cells(self.bound(of)).fold(0, |all, cell| all | table[cell]),
            Set::Rows { rows: _, within } | Set::Flood { from: _, within, table: _ } => {
                self.bound(within)
            }
            Set::Ray { from: _, through, rays: _ }
            | Set::Between { from: _, through, to: _, rays: _, max: _ } => self.bound(through),
            Set::Beyond { from: _, through: _, to, rays: _, max: _ } => self.bound(to),
            Set::Full { count: _, of } => self.bound(of),
        }
    }

    /// Cells that a set has in any case: those of pieces that never change are free for no other.
    fn least(&self, set: &Set) -> Cells {
        match set {
            Set::Cells(cells) => *cells,
            Set::State(set) if *set < self.pieces => self.start[*set] & !self.changing,
            Set::Union(parts) => parts.iter().fold(0, |all, part| all | self.least(part)),
            Set::Both(parts) => parts.iter().fold(self.all, |all, part| all & self.least(part)),
            _ => 0,
        }
    }
}
