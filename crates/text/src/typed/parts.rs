//! What each operation is made of, and what it changes: the one table that symmetry, progress, cases and the machine go
//! by. No match here has an arm for all others,
//! so that a new operation must be entered.

use super::tree::{Block, Number, Set, Statement, Truth};
use crate::fault::{Fault, is_there};

/// A part of a statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part<'a> {
    Set(&'a Set),
    Number(&'a Number),
    Truth(&'a Truth),
}

/// What a statement does by itself; its blocks have effects of their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The name that gets a value.
    pub local: Option<usize>,
    /// Whether the move is chosen by it.
    pub chooses: bool,
    /// What it changes of the position.
    pub pieces: bool,
    pub marks: bool,
    pub counts: bool,
    pub numbers: bool,
    /// Whether it can make the choices no move.
    pub refuses: bool,
    /// Whether the side that moves goes on.
    pub again: bool,
}

impl Effect {
    /// Whether the position or the move is another one after it.
    pub fn does_something(&self) -> bool {
        let changes = self.pieces || self.marks || self.counts || self.numbers;
        changes || self.chooses || self.refuses || self.again
    }
}

impl Statement {
    /// The sets, numbers and conditions that it is made of.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Statement::Choose { local: _, from: set }
            | Statement::SetLocal { local: _, value: set }
            | Statement::For { local: _, over: set, body: _ }
            | Statement::Put { set: _, on: set }
            | Statement::Clear(set)
            | Statement::Mark { set: _, value: set } => vec![Part::Set(set)],
            Statement::Move { from: one, to: other }
            | Statement::Sow { local: _, count: _, from: one, skip: other, next: _ } => {
                vec![Part::Set(one), Part::Set(other)]
            }
            Statement::Pick { local: _, from, to } => vec![Part::Number(from), Part::Number(to)],
            Statement::SetCount { count: _, cell, change: _, value } => {
                vec![Part::Set(cell), Part::Number(value)]
            }
            Statement::NumberLocal { local: _, value }
            | Statement::SetNumber { number: _, value }
            | Statement::Repeat { times: value, body: _ }
            | Statement::Prefer(value)
            | Statement::Finish(value) => vec![Part::Number(value)],
            Statement::TruthLocal { local: _, value: truth }
            | Statement::Require(truth)
            | Statement::If { condition: truth, then: _, otherwise: _ } => {
                vec![Part::Truth(truth)]
            }
            Statement::Either { alternatives: _, labels: _ }
            | Statement::Stop
            | Statement::Permute { table: _ }
            | Statement::Again => Vec::new(),
        }
    }

    /// The blocks within it.
    pub fn blocks(&self) -> impl Iterator<Item = &Block> {
        let (one, all): ([Option<&Block>; 2], &[Block]) = match self {
            Statement::If { condition: _, then, otherwise } => ([Some(then), Some(otherwise)], &[]),
            Statement::Either { alternatives, labels: _ } => ([None; 2], alternatives),
            Statement::For { local: _, over: _, body } | Statement::Repeat { times: _, body } => {
                ([Some(body), None], &[])
            }
            Statement::Choose { .. }
            | Statement::Pick { .. }
            | Statement::SetLocal { .. }
            | Statement::NumberLocal { .. }
            | Statement::TruthLocal { .. }
            | Statement::Require(_)
            | Statement::Stop
            | Statement::Put { .. }
            | Statement::Clear(_)
            | Statement::Mark { .. }
            | Statement::Move { .. }
            | Statement::Permute { .. }
            | Statement::SetCount { .. }
            | Statement::SetNumber { .. }
            | Statement::Sow { .. }
            | Statement::Prefer(_)
            | Statement::Again
            | Statement::Finish(_) => ([None; 2], &[]),
        };
        one.into_iter().flatten().chain(all)
    }

    /// What it does by itself.
    pub fn effect(&self) -> Effect {
        let none = Effect::default();
        let named = |local: &usize| Effect { local: Some(*local), ..none };
        match self {
            Statement::Choose { local, .. } | Statement::Pick { local, .. } => {
                Effect { chooses: true, refuses: true, ..named(local) }
            }
            Statement::SetLocal { local, .. }
            | Statement::NumberLocal { local, .. }
            | Statement::TruthLocal { local, .. }
            | Statement::For { local, .. } => named(local),
            Statement::Require(_) => Effect { refuses: true, ..none },
            Statement::Either { .. } => Effect { chooses: true, ..none },
            Statement::Put { .. } | Statement::Clear(_) => Effect { pieces: true, ..none },
            Statement::Mark { .. } => Effect { marks: true, ..none },
            Statement::Move { .. } => Effect { pieces: true, counts: true, refuses: true, ..none },
            Statement::Permute { .. } => Effect { pieces: true, marks: true, counts: true, ..none },
            Statement::SetCount { .. } => Effect { counts: true, refuses: true, ..none },
            Statement::SetNumber { .. } | Statement::Prefer(_) => {
                Effect { numbers: true, refuses: true, ..none }
            }
            Statement::Sow { .. } if is_there(Fault::SowChangesNoName) => none,
            Statement::Sow { local, .. } => Effect { counts: true, refuses: true, ..named(local) },
            Statement::Again => Effect { again: true, ..none },
            Statement::If { .. }
            | Statement::Repeat { .. }
            | Statement::Stop
            | Statement::Finish(_) => none,
        }
    }

    /// Whether something holds for it or a statement within it.
    pub fn any(&self, holds: &dyn Fn(&Statement) -> bool) -> bool {
        holds(self) || self.blocks().flatten().any(|within| within.any(holds))
    }

    /// Whether it or a statement within it gives a name a value.
    pub fn sets(&self, local: usize) -> bool {
        self.any(&|statement| statement.effect().local == Some(local))
    }
}

/// Whether a block makes a choice.
pub(crate) fn has_choice(block: &[Statement]) -> bool {
    block.iter().any(|statement| statement.any(&|within| within.effect().chooses))
}

/// The sets that a set is made of, borrowed as it is.
macro_rules! sets_of {
    ($set:expr, $iter:ident) => {
        match $set {
            Set::Cells(_) | Set::State(_) | Set::Local(_) => Vec::new(),
            Set::Union(parts) | Set::Both(parts) => parts.$iter().collect(),
            Set::Minus(one, other) => vec![one, other],
            Set::Step { table: _, of } | Set::Full { count: _, of } => vec![of],
            Set::Rows { rows: _, within } => vec![within],
            Set::Flood { from, within, table: _ } => vec![from, within],
            Set::Ray { from, through, rays: _ } => vec![from, through],
            Set::Between { from, through, to, rays: _, max: _ }
            | Set::Beyond { from, through, to, rays: _, max: _ } => vec![from, through, to],
        }
    };
}

impl Set {
    /// The sets that it is made of.
    pub fn parts(&self) -> Vec<&Set> {
        sets_of!(self, iter)
    }

    /// [`parts`](Set::parts), to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Set> {
        sets_of!(self, iter_mut)
    }

    /// How many sets it is made of, itself included.
    pub fn size(&self) -> u64 {
        1 + self.parts().into_iter().map(Set::size).sum::<u64>()
    }

    /// The steps of calculating it once, at most (see [`Budget`](crate::budget::Budget)).
    pub fn cost(&self) -> u64 {
        let cells = |count: usize| count as u64 / 16 + 1;
        let own = match self {
            Set::Cells(_) | Set::State(_) | Set::Local(_) => 1,
            Set::Union(parts) | Set::Both(parts) => parts.len() as u64,
            Set::Minus(_, _) => 1,
            Set::Step { table, of: _ } => cells(table.len()),
            // Each round may reach one cell more, and look at the neighbours of all.
            Set::Flood { from: _, within: _, table } => cells(2 * table.len() * table.len()),
            Set::Rows { rows, within: _ } => cells(rows.len()),
            Set::Ray { from: _, through: _, rays }
            | Set::Between { from: _, through: _, to: _, rays, max: _ }
            | Set::Beyond { from: _, through: _, to: _, rays, max: _ } => rays.cells / 16 + 1,
            Set::Full { count: _, of: _ } => 4,
        };
        own + self.parts().into_iter().map(Set::cost).sum::<u64>()
    }

    /// Whether it depends on a name.
    pub fn mentions(&self, local: usize) -> bool {
        self.contains(&Set::Local(local))
    }

    /// Whether it is made of another set.
    pub fn contains(&self, other: &Set) -> bool {
        self == other || self.parts().into_iter().any(|part| part.contains(other))
    }
}

impl Number {
    /// The sets and numbers that it is made of.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Number::Value(_) | Number::Local(_) | Number::State(_) => Vec::new(),
            Number::Size(set) | Number::Sum { count: _, over: set } => vec![Part::Set(set)],
            Number::Negative(inner) => vec![Part::Number(inner)],
            Number::Calculate(_, one, other) => vec![Part::Number(one), Part::Number(other)],
        }
    }
}

impl Truth {
    /// What it is made of.
    pub fn parts(&self) -> Vec<Part<'_>> {
        match self {
            Truth::Known(_) | Truth::Local(_) => Vec::new(),
            Truth::Any(set) => vec![Part::Set(set)],
            Truth::Same(one, other) => vec![Part::Set(one), Part::Set(other)],
            Truth::Equal(one, other) | Truth::Less(one, other) => {
                vec![Part::Number(one), Part::Number(other)]
            }
            Truth::Not(inner) => vec![Part::Truth(inner)],
            Truth::All(parts) | Truth::Either(parts) => parts.iter().map(Part::Truth).collect(),
        }
    }
}

impl Part<'_> {
    /// How many parts it is made of, itself included.
    pub fn size(self) -> u64 {
        1 + self.parts().into_iter().map(Part::size).sum::<u64>()
    }

    /// The steps of calculating it once, at most.
    pub fn cost(self) -> u64 {
        match self {
            Part::Set(set) => set.cost(),
            part => 1 + part.parts().into_iter().map(Part::cost).sum::<u64>(),
        }
    }
}

impl Statement {
    /// How many parts it is made of, itself and its blocks included.
    pub fn size(&self) -> u64 {
        let parts = self.parts().into_iter().map(Part::size);
        let within = self.blocks().flatten().map(Statement::size);
        1 + parts.chain(within).sum::<u64>()
    }
}

impl<'a> Part<'a> {
    /// The parts of a part.
    pub fn parts(self) -> Vec<Part<'a>> {
        match self {
            Part::Set(set) => set.parts().into_iter().map(Part::Set).collect(),
            Part::Number(number) => number.parts(),
            Part::Truth(truth) => truth.parts(),
        }
    }
}
