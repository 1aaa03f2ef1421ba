//! Kinds of pieces that the rules never tell apart, such as the dominoes of both sides in Domineering:
//! positions that differ only in them are alike.
//!
//! At first all kinds are in one class. A question for some kinds splits each class into those that it
//! asks for and the others.

use crate::machine::parts;
use crate::typed::{Block, Number, Piece, Rules, Set, Statement, Stuck, Truth};

/// For each kind of piece the first kind that the rules do not tell from it, mostly itself.
pub(crate) fn alike(rules: &Rules) -> Vec<usize> {
    let mut classes = Classes(vec![0; rules.layout.pieces]);
    for side in &rules.sides {
        classes.block(&side.moves);
        classes.block(&side.end);
        match &side.stuck {
            Stuck::Never => {}
            Stuck::Ends(block) | Stuck::Passes(block) => classes.block(block),
        }
    }
    classes.number(&rules.endless);
    let Classes(mut classes) = classes;
    // If the players are exchanged, alike kinds have to stay alike.
    let mut exchanged = classes.clone();
    for [first, second] in rules.pieces.iter().filter_map(Piece::of_sides) {
        exchanged.swap(first, second);
    }
    let count = classes.len();
    classes.iter_mut().zip(exchanged).for_each(|(class, other)| *class += count * other);
    let first = |class: &usize| classes.iter().position(|other| other == class).unwrap_or(0);
    classes.iter().map(first).collect()
}

/// The class of each kind.
struct Classes(Vec<usize>);

impl Classes {
    /// The rules ask for pieces of any of these kinds.
    fn ask(&mut self, kinds: &[usize]) {
        let new = self.0.len();
        let asked =
            |kind: usize, class: usize| if kinds.contains(&kind) { class + new } else { class };
        self.0 = self.0.iter().enumerate().map(|(kind, class)| asked(kind, *class)).collect();
        // The same classes, numbered from 0 again.
        let mut numbers: Vec<usize> = self.0.clone();
        numbers.sort_unstable();
        numbers.dedup();
        self.0.iter_mut().for_each(|class| *class = numbers.partition_point(|other| other < class));
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            self.statement(statement);
            statement.blocks().for_each(|block| self.block(block));
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Choose { from: set, .. }
            | Statement::SetLocal { value: set, .. }
            | Statement::For { over: set, .. }
            | Statement::Put { on: set, .. }
            | Statement::Clear(set)
            | Statement::Mark { value: set, .. } => self.set(set),
            Statement::Move { from: one, to: other }
            | Statement::Sow { from: one, skip: other, .. } => {
                self.set(one);
                self.set(other);
            }
            Statement::Pick { from, to, .. } => {
                self.number(from);
                self.number(to);
            }
            Statement::SetCount { cell, value, .. } => {
                self.set(cell);
                self.number(value);
            }
            Statement::NumberLocal { value, .. }
            | Statement::SetNumber { value, .. }
            | Statement::Repeat { times: value, .. }
            | Statement::Finish(value) => self.number(value),
            Statement::TruthLocal { value: truth, .. }
            | Statement::Require(truth)
            | Statement::If { condition: truth, .. } => self.truth(truth),
            Statement::Either { .. }
            | Statement::Stop
            | Statement::Permute { .. }
            | Statement::Again => {}
        }
    }

    fn truth(&mut self, truth: &Truth) {
        match truth {
            Truth::Known(_) | Truth::Local(_) => {}
            Truth::Any(set) => self.set(set),
            Truth::Same(one, other) => {
                self.set(one);
                self.set(other);
            }
            Truth::Equal(one, other) | Truth::Less(one, other) => {
                self.number(one);
                self.number(other);
            }
            Truth::Not(inner) => self.truth(inner),
            Truth::All(parts) | Truth::Either(parts) => {
                parts.iter().for_each(|part| self.truth(part));
            }
        }
    }

    fn number(&mut self, number: &Number) {
        match number {
            Number::Value(_) | Number::Local(_) | Number::State(_) => {}
            Number::Size(set) | Number::Sum { over: set, .. } => self.set(set),
            Number::Negative(inner) => self.number(inner),
            Number::Calculate(_, one, other) => {
                self.number(one);
                self.number(other);
            }
        }
    }

    fn set(&mut self, set: &Set) {
        let kind = |set: &Set| match set {
            Set::State(kind) => Some(*kind),
            _ => None,
        };
        match set {
            Set::State(kind) => self.ask(&[*kind]),
            Set::Union(parts) => {
                self.ask(&parts.iter().filter_map(kind).collect::<Vec<_>>());
                let others = parts.iter().filter(|part| kind(part).is_none());
                others.for_each(|part| self.set(part));
            }
            set => parts(set).into_iter().for_each(|part| self.set(part)),
        }
    }
}
