//! Numbers as instructions.

use super::{Emitted, Emitter};
use crate::machine::op::{Op, Register};
use crate::machine::word::Word;
use crate::typed::{Number, Set, Sign};

impl<S: Word> Emitter<'_, S> {
    /// A number in a register.
    pub(super) fn number(&mut self, number: &Number) -> Emitted<Register> {
        match number {
            Number::Local(local) => Ok(self.locals[*local]),
            number => {
                let to = self.register()?;
                let before = self.next;
                self.make_number(number, to)?;
                self.next = before;
                Ok(to)
            }
        }
    }

    pub(super) fn make_number(&mut self, number: &Number, to: Register) -> Emitted<()> {
        match number {
            Number::Value(value) => {
                let constant = self.constant(S::from_number(*value))?;
                self.op(Op::Constant { to, constant })
            }
            Number::Local(local) => self.op(Op::Copy { to, from: self.locals[*local] }),
            Number::State(field) => self.op(Op::Field { to, field: *field as u8 }),
            Number::Size(of) => {
                let of = self.value(of)?;
                self.op(Op::Size { to, of })
            }
            Number::Sum { count, over } => match &**over {
                Set::Cells(cells) => {
                    let masks = self.masks(*count, *cells)?;
                    self.op(Op::SumConstant { to, masks })
                }
                over if self.is_one_cell(over) => {
                    let of = self.value(over)?;
                    self.op(Op::CountAt { to, of, count: *count as u8 })
                }
                over => {
                    let over = self.value(over)?;
                    self.op(Op::Sum { to, over, count: *count as u8 })
                }
            },
            Number::Negative(inner) => {
                let zero = self.number(&Number::Value(0))?;
                let other = self.number(inner)?;
                self.op(Op::Calculate { to, sign: Sign::Minus, one: zero, other })
            }
            Number::Calculate(sign, one, other) => {
                let (one, other) = (self.number(one)?, self.number(other)?);
                self.op(Op::Calculate { to, sign: *sign, one, other })
            }
        }
    }
}
