//! Conditions as jumps.

use super::{Emitted, Emitter, Target};
use crate::machine::op::{Op, Register};
use crate::machine::word::Word;
use crate::typed::{Number, Set, Truth};

impl<S: Word> Emitter<'_, S> {
    /// Jumps if a condition is as `when` says: one arm for each kind of condition.
    pub(super) fn branch(&mut self, truth: &Truth, when: bool, target: Target) -> Emitted<()> {
        let place = 0;
        match truth {
            Truth::Known(known) if *known == when => self.jump(Op::Jump { place }, target),
            Truth::Known(_) => Ok(()),
            Truth::Local(local) => {
                let of = self.locals[*local];
                self.jump(
                    if when { Op::IfAny { of, place } } else { Op::IfEmpty { of, place } },
                    target,
                )
            }
            Truth::Any(Set::Rows { rows, within }) => {
                let within = self.value(within)?;
                let rows = self.rows(rows)?;
                let op = match when {
                    true => Op::IfRow { within, rows, place },
                    false => Op::IfNoRow { within, rows, place },
                };
                self.jump(op, target)
            }
            Truth::Any(Set::Both(parts)) if parts.len() == 2 => {
                let op = match &parts[..] {
                    [Set::Cells(cells), one] | [one, Set::Cells(cells)] => {
                        let constant = self.constant(S::from_cells(*cells))?;
                        let one = self.value(one)?;
                        match when {
                            true => Op::IfMeetConstant { one, constant, place },
                            false => Op::IfApartConstant { one, constant, place },
                        }
                    }
                    parts => {
                        let (one, other) = (self.value(&parts[0])?, self.value(&parts[1])?);
                        match when {
                            true => Op::IfMeet { one, other, place },
                            false => Op::IfApart { one, other, place },
                        }
                    }
                };
                self.jump(op, target)
            }
            Truth::Any(set) => {
                let of = self.value(set)?;
                self.jump(
                    if when { Op::IfAny { of, place } } else { Op::IfEmpty { of, place } },
                    target,
                )
            }
            Truth::Same(Set::Cells(cells), one) | Truth::Same(one, Set::Cells(cells)) => {
                let one = self.value(one)?;
                self.equal_constant(one, S::from_cells(*cells), when, target)
            }
            Truth::Equal(Number::Value(value), one) | Truth::Equal(one, Number::Value(value)) => {
                let one = self.number(one)?;
                self.equal_constant(one, S::from_number(*value), when, target)
            }
            Truth::Same(one, other) => {
                let (one, other) = (self.value(one)?, self.value(other)?);
                self.equal(one, other, when, target)
            }
            Truth::Equal(one, other) => {
                let (one, other) = (self.number(one)?, self.number(other)?);
                self.equal(one, other, when, target)
            }
            Truth::Less(one, other) => {
                let (one, other) = (self.number(one)?, self.number(other)?);
                let op = match when {
                    true => Op::IfLess { one, other, place },
                    false => Op::IfNotLess { one, other, place },
                };
                self.jump(op, target)
            }
            Truth::Not(inner) => self.branch(inner, !when, target),
            Truth::All(parts) if when => self.each(parts, false, target),
            Truth::Either(parts) if !when => self.each(parts, true, target),
            Truth::All(parts) | Truth::Either(parts) => {
                for part in parts {
                    let before = self.next;
                    self.branch(part, when, target)?;
                    self.next = before;
                }
                Ok(())
            }
        }
    }

    /// Jumps if no part is as `unless` says.
    pub(super) fn each(&mut self, parts: &[Truth], unless: bool, target: Target) -> Emitted<()> {
        let over = self.target();
        for part in parts {
            let before = self.next;
            self.branch(part, unless, over)?;
            self.next = before;
        }
        self.jump(Op::Jump { place: 0 }, target)?;
        self.set(over)
    }

    pub(super) fn equal(
        &mut self,
        one: Register,
        other: Register,
        when: bool,
        target: Target,
    ) -> Emitted<()> {
        let place = 0;
        let op = match when {
            true => Op::IfEqual { one, other, place },
            false => Op::IfUnequal { one, other, place },
        };
        self.jump(op, target)
    }

    pub(super) fn equal_constant(
        &mut self,
        one: Register,
        value: S,
        when: bool,
        target: Target,
    ) -> Emitted<()> {
        let (constant, place) = (self.constant(value)?, 0);
        let op = match when {
            true => Op::IfEqualConstant { one, constant, place },
            false => Op::IfUnequalConstant { one, constant, place },
        };
        self.jump(op, target)
    }
}
