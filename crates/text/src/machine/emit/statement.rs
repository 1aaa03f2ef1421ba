//! Statements as instructions.

use super::{Emitted, Emitter, known, set_register};
use crate::machine::op::{Op, Register};
use crate::machine::word::Word;
use crate::typed::{Block, MAX_SCORE, Number, Set, Sign, Statement, Truth};

impl<S: Word> Emitter<'_, S> {
    /// The instructions of a statement: one arm for each kind.
    pub(super) fn statement(&mut self, statement: &Statement) -> Emitted<()> {
        match statement {
            Statement::Choose { local, from } => {
                let from = self.value(from)?;
                self.op(Op::Choose { to: self.locals[*local], from })
            }
            Statement::Pick { local, from, to } => {
                let (from, last) = (self.number(from)?, self.number(to)?);
                self.op(Op::Pick { to: self.locals[*local], from, last })
            }
            Statement::SetLocal { local, value } => {
                self.assign(&Set::Local(*local), self.locals[*local], value)
            }
            Statement::NumberLocal { local, value } => {
                let from = self.number(value)?;
                self.op(Op::Copy { to: self.locals[*local], from })
            }
            Statement::TruthLocal { local, value } => self.truth_local(*local, value),
            Statement::Require(Truth::Any(set)) if !matches!(set, Set::Rows { .. }) => {
                let of = self.value(set)?;
                self.op(Op::FailIfEmpty { of })
            }
            Statement::Require(condition) => {
                let fine = self.target();
                self.branch(condition, true, fine)?;
                self.op(Op::Fail)?;
                self.set(fine)
            }
            Statement::If { condition, then, otherwise } => {
                self.if_statement(condition, then, otherwise)
            }
            Statement::Either { alternatives, labels } => self.either(alternatives, labels),
            Statement::For { local, over, body } => self.for_each(*local, over, body),
            Statement::Repeat { times, body } => self.repeat(times, body),
            Statement::Stop => match self.loops.last() {
                Some(done) => self.jump(Op::Jump { place: 0 }, *done),
                None => Ok(()),
            },
            Statement::Put { set, on } => self.put(*set, on),
            Statement::Clear(on) => self.clear(on),
            Statement::Mark { set, value } => {
                self.assign(&Set::State(*set), set_register(*set), value)
            }
            Statement::Move { from, to } => {
                let (from, onto) = (self.value(from)?, self.value(to)?);
                self.op(Op::Carry { from, onto })
            }
            Statement::Permute { table } => {
                let table = known(&mut self.program.permutations, table.to_vec())?;
                self.op(Op::Permute { table })
            }
            Statement::SetCount { count, cell, change, value } => {
                let (on, value) = (self.value(cell)?, self.number(value)?);
                let count = *count as u8;
                match change {
                    None => self.op(Op::SetCount { on, value, count }),
                    Some(sign) => self.op(Op::ChangeCount { on, value, count, sign: *sign }),
                }
            }
            Statement::SetNumber { number, value } => {
                let value = self.number(value)?;
                self.op(Op::SetField { value, field: *number as u8 })
            }
            Statement::Prefer(value) => {
                let value = self.number(value)?;
                // The field after those of the position.
                self.op(Op::SetField { value, field: self.rules.layout.numbers.len() as u8 })
            }
            Statement::Sow { local, from, skip, next, .. } => self.sow(*local, from, skip, next),
            Statement::Again => self.op(Op::Again),
            Statement::Finish(Number::Value(value)) => {
                let constant =
                    self.constant(S::from_number((*value).clamp(-MAX_SCORE, MAX_SCORE)))?;
                self.op(Op::FinishConstant { constant })
            }
            Statement::Finish(value) => {
                let value = self.number(value)?;
                self.op(Op::Finish { value })
            }
        }
    }

    /// Gives a set, which is in a register, a value. The value may be made of the set as it was, so the
    /// register is written last.
    fn assign(&mut self, set: &Set, to: Register, value: &Set) -> Emitted<()> {
        if !value.contains(set) {
            return self.value_to(value, to);
        }
        let from = self.register()?;
        self.value_to(value, from)?;
        self.op(Op::Copy { to, from })
    }

    /// 1 or 0 in a register.
    fn truth_local(&mut self, local: usize, value: &Truth) -> Emitted<()> {
        let to = self.locals[local];
        let (no, done) = (self.target(), self.target());
        self.branch(value, false, no)?;
        let constant = self.constant(S::ONE)?;
        self.op(Op::Constant { to, constant })?;
        self.jump(Op::Jump { place: 0 }, done)?;
        self.set(no)?;
        let constant = self.constant(S::ZERO)?;
        self.op(Op::Constant { to, constant })?;
        self.set(done)
    }

    /// One block or the other.
    fn if_statement(&mut self, condition: &Truth, then: &Block, otherwise: &Block) -> Emitted<()> {
        let (no, done) = (self.target(), self.target());
        self.branch(condition, false, no)?;
        self.block(then)?;
        if !otherwise.is_empty() {
            self.jump(Op::Jump { place: 0 }, done)?;
        }
        self.set(no)?;
        self.block(otherwise)?;
        self.set(done)
    }

    /// Alternatives, one after the other; with labels each is a choice.
    fn either(&mut self, alternatives: &[Block], labels: &[u8]) -> Emitted<()> {
        let done = self.target();
        for (at, body) in alternatives.iter().enumerate() {
            let label = labels.get(at).copied();
            let rest = self.target();
            let last = at + 1 == alternatives.len();
            if !last {
                self.jump(Op::Fork { place: 0 }, rest)?;
            }
            if let Some(label) = label {
                self.op(Op::Label { label })?;
            }
            self.block(body)?;
            if !last {
                self.jump(Op::Jump { place: 0 }, done)?;
                self.set(rest)?;
            }
        }
        self.set(done)
    }

    /// A loop over the cells of a set.
    fn for_each(&mut self, local: usize, over: &Set, body: &Block) -> Emitted<()> {
        let rest = self.kept_register()?;
        self.value_to(over, rest)?;
        let (top, done) = (self.target(), self.target());
        self.set(top)?;
        self.jump(Op::Next { to: self.locals[local], rest, place: 0 }, done)?;
        self.loops.push(done);
        self.block(body)?;
        self.loops.pop();
        self.jump(Op::Jump { place: 0 }, top)?;
        self.set(done)
    }

    /// A loop of a number of rounds.
    fn repeat(&mut self, times: &Number, body: &Block) -> Emitted<()> {
        let number = self.kept_register()?;
        let max = Number::Value(crate::interpret::MAX_TIMES);
        let times = Number::Calculate(Sign::Least, Box::new(times.clone()), Box::new(max));
        let from = self.number(&times)?;
        self.op(Op::Copy { to: number, from })?;
        let (top, done) = (self.target(), self.target());
        self.set(top)?;
        self.jump(Op::CountDown { number, place: 0 }, done)?;
        self.loops.push(done);
        self.block(body)?;
        self.loops.pop();
        self.jump(Op::Jump { place: 0 }, top)?;
        self.set(done)
    }

    /// Pieces in place of others.
    fn put(&mut self, set: usize, on: &Set) -> Emitted<()> {
        let on = self.value(on)?;
        if self.rules.layout.pieces == 2 {
            let (set, other) = (set_register(set), set_register(1 - set));
            return self.op(Op::PutOne { set, other, on });
        }
        // Put first: the cells may be the register of one of the others, which is empty afterwards.
        let to = set_register(set);
        self.op(Op::Or { to, one: to, other: on })?;
        for other in (0..self.rules.layout.pieces).filter(|other| *other != set) {
            self.op(Op::Minus { to: set_register(other), one: set_register(other), other: on })?;
        }
        Ok(())
    }

    /// No pieces on cells.
    fn clear(&mut self, on: &Set) -> Emitted<()> {
        let on = self.value(on)?;
        if self.rules.layout.pieces == 2 {
            return self.op(Op::ClearBoth { on });
        }
        for set in (0..self.rules.layout.pieces).map(set_register) {
            self.op(Op::Minus { to: set, one: set, other: on })?;
        }
        Ok(())
    }

    /// A sowing: by a table if it can be one.
    fn sow(&mut self, local: usize, from: &Set, skip: &Set, next: &[u8]) -> Emitted<()> {
        if let Some(table) = self.sow_table(skip, next) {
            let from = self.value(from)?;
            let table = known(&mut self.program.sow_tables, table)?;
            return self.op(Op::SowByTable { to: self.locals[local], from, table });
        }
        let (from, skip) = (self.value(from)?, self.value(skip)?);
        let sowing = known(&mut self.program.sowings, next.to_vec())?;
        self.op(Op::Sow { to: self.locals[local], from, skip, sowing })
    }
}
