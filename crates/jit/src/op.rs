//! Each instruction of the machine, as Cranelift's.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, StackSlotData, StackSlotKind, Value};
use foregone_text::machine::{
    AGAIN, HAS_RESULT, MAX_CHOICES, MAX_SCORE, Op, Place, REGISTERS, RESULT, Register, SowTable,
    Words,
};

use crate::helpers::Helper;
use crate::translate::{Done, MAX_DONE, Open, Purpose, TooLarge, Translator};

/// Where translation goes on after an instruction.
enum On {
    /// At the next one.
    Next,
    /// The block has ended.
    Ended,
}

impl Translator<'_, '_> {
    /// The instructions from a place to where a block ends.
    pub fn run(&mut self, first: usize, mut open: Open) -> Done {
        let mut at = first;
        loop {
            let op = *self.program.code.get(at).ok_or(TooLarge)?;
            self.done += 1;
            if self.done > MAX_DONE {
                return Err(TooLarge);
            }
            if let Some((to, value)) = self.value(op) {
                self.set(to, value);
            } else if let Op::Choose { .. } | Op::Pick { .. } | Op::Fork { .. } = op
                && at != first
            {
                // Where a choice goes on is known by its place, so it is translated once.
                return self.go_to(at, &open);
            } else if let On::Ended = self.step(op, at, &mut open)? {
                return Ok(());
            }
            at += 1;
        }
    }

    /// The value of an instruction that calculates one, and the register that gets it. One arm for each.
    fn value(&mut self, op: Op) -> Option<(Register, Value)> {
        let program = self.program;
        Some(match op {
            Op::Constant { to, constant } => (to, self.constant(constant)),
            Op::Copy { to, from } => (to, self.get(from)),
            Op::And { to, one, other } => (to, self.both(one, other)),
            Op::Or { to, one, other } => (to, self.either(one, other)),
            Op::Minus { to, one, other } => {
                let (one, other) = (self.get(one), self.get(other));
                (to, self.and_not(one, other))
            }
            Op::AndConstant { to, one, constant } => (to, self.with_constant(one, constant)),
            Op::OrConstant { to, one, constant } => {
                let (one, other) = (self.get(one), self.constant(constant));
                (to, self.build.ins().bor(one, other))
            }
            Op::Outside { to, of, constant } => {
                let (all, of) = (self.constant(constant), self.get(of));
                (to, self.and_not(all, of))
            }
            Op::Neither { to, one, other, constant } => {
                let (all, either) = (self.constant(constant), self.either(one, other));
                (to, self.and_not(all, either))
            }
            Op::Up { to, of, by, constant } => {
                let from = self.with_constant(of, constant);
                (to, self.build.ins().ishl_imm(from, i64::from(by)))
            }
            Op::Down { to, of, by, constant } => {
                let from = self.with_constant(of, constant);
                (to, self.build.ins().ushr_imm(from, i64::from(by)))
            }
            Op::LookUp { to, of, table } => {
                let cell = self.cell(of);
                (to, self.look_up(&program.tables[usize::from(table)], cell))
            }
            Op::Step { to, of, table } => {
                let (of, table) = (self.get(of), &program.tables[usize::from(table)]);
                let all = self.fold(of, |it, all, cell| {
                    let more = it.look_up(table, cell);
                    it.build.ins().bor(all, more)
                });
                (to, all)
            }
            Op::Rows { to, within, rows } => {
                let within = self.get(within);
                let rows = self.address(&program.rows[usize::from(rows)]);
                (to, self.call(Helper::Rows, &[within, rows]))
            }
            Op::Flood { to, from, within, table } => {
                let (from, within) = (self.get(from), self.get(within));
                let table = self.address(&program.tables[usize::from(table)]);
                (to, self.call(Helper::Flood, &[from, within, table]))
            }
            Op::Ray { to, from, through, rays } => {
                let (from, through) = (self.get(from), self.get(through));
                let rays = self.address(&program.rays[usize::from(rays)]);
                (to, self.call(Helper::Ray, &[from, through, rays]))
            }
            Op::Between { to, from, through, end, rays, max }
            | Op::Beyond { to, from, through, end, rays, max } => {
                let [from, through, end] = [from, through, end].map(|each| self.get(each));
                let rays = self.address(&program.rays[usize::from(rays)]);
                let max = self.int(max.into());
                let is_between = matches!(op, Op::Between { .. });
                let helper = if is_between { Helper::Between } else { Helper::Beyond };
                (to, self.call(helper, &[from, through, end, rays, max]))
            }
            Op::Full { to, of, count } => {
                let of = self.get(of);
                (to, self.full(of, count))
            }
            Op::FullConstant { to, constant, count } => {
                let (full, all) = (self.full_bytes(count), self.constant(constant));
                (to, self.build.ins().band(full, all))
            }
            Op::Size { to, of } => {
                let of = self.get(of);
                (to, self.build.ins().popcnt(of))
            }
            Op::SumConstant { to, masks } => (to, self.sum_constant(masks)),
            Op::CountAt { to, of, count } => (to, self.count_at_first(count, of)),
            Op::Sum { to, over, count } => {
                let over = self.get(over);
                (to, self.sum(over, count))
            }
            Op::Field { to, field } => (to, self.field(field)),
            Op::Calculate { to, sign, one, other } => {
                let (one, other) = (self.get(one), self.get(other));
                (to, self.calculate(sign, one, other))
            }
            _ => return None,
        })
    }

    /// What a conditional jump looks at, whether it jumps if that is 0, and where to.
    fn condition(&mut self, op: Op) -> Option<(Value, bool, Place)> {
        Some(match op {
            Op::IfEmpty { of, place } => (self.get(of), true, place),
            Op::IfAny { of, place } => (self.get(of), false, place),
            Op::IfApart { one, other, place } => (self.both(one, other), true, place),
            Op::IfMeet { one, other, place } => (self.both(one, other), false, place),
            Op::IfApartConstant { one, constant, place } => {
                (self.with_constant(one, constant), true, place)
            }
            Op::IfMeetConstant { one, constant, place } => {
                (self.with_constant(one, constant), false, place)
            }
            Op::IfEqual { one, other, place } => {
                (self.compared(IntCC::Equal, one, other), false, place)
            }
            Op::IfUnequal { one, other, place } => {
                (self.compared(IntCC::NotEqual, one, other), false, place)
            }
            Op::IfEqualConstant { one, constant, place }
            | Op::IfUnequalConstant { one, constant, place } => {
                let (one, other) = (self.get(one), self.constant(constant));
                let equal = self.build.ins().icmp(IntCC::Equal, one, other);
                (equal, matches!(op, Op::IfUnequalConstant { .. }), place)
            }
            Op::IfLess { one, other, place } => {
                (self.compared(IntCC::SignedLessThan, one, other), false, place)
            }
            Op::IfNotLess { one, other, place } => {
                (self.compared(IntCC::SignedLessThan, one, other), true, place)
            }
            Op::IfRow { within, rows, place } | Op::IfNoRow { within, rows, place } => {
                let within = self.get(within);
                let any = self.has_row(&self.program.rows[usize::from(rows)], within);
                (any, matches!(op, Op::IfNoRow { .. }), place)
            }
            _ => return None,
        })
    }

    /// An instruction that jumps, chooses, or changes the position. One arm for each.
    fn step(&mut self, op: Op, here: usize, open: &mut Open) -> Done<On> {
        let at = here + 1;
        if let Some((value, if_zero, place)) = self.condition(op) {
            self.branch(value, if_zero, place, at, open)?;
            return Ok(On::Ended);
        }
        match op {
            Op::Jump { place } => {
                self.go_to(place.into(), open)?;
                return Ok(On::Ended);
            }
            Op::Next { to, rest, place } => {
                let (set, on) = (self.get(rest), self.build.create_block());
                let there = self.block(place.into(), open)?;
                self.build.ins().brif(set, on, &[], there, &[]);
                self.build.switch_to_block(on);
                let (cell, less) = (self.build.ins().ctz(set), self.without_lowest(set));
                self.set_cell(to, cell);
                self.set(rest, less);
            }
            Op::CountDown { number, place } => {
                let (left, on) = (self.get(number), self.build.create_block());
                let there = self.block(place.into(), open)?;
                let some = self.build.ins().icmp_imm(IntCC::SignedGreaterThan, left, 0);
                self.build.ins().brif(some, on, &[], there, &[]);
                self.build.switch_to_block(on);
                let less = self.build.ins().iadd_imm(left, -1);
                self.set(number, less);
            }
            Op::PutOne { set, other, on } => {
                // The cells may be the register of a set that changes.
                let (own, on) = (self.either(set, on), self.get(on));
                self.set(set, own);
                self.clear(other, on);
            }
            Op::ClearBoth { on } => {
                let on = self.get(on);
                self.clear(Words::SETS as Register, on);
                self.clear(Words::SETS as Register + 1, on);
            }
            Op::Carry { from, onto } if self.program.words.counts.is_empty() => {
                self.carry(from, onto, open);
            }
            Op::Carry { from, onto } => self.alone(here, &[from, onto], None, open),
            Op::Permute { table: _ } => self.alone(here, &[], None, open),
            Op::Sow { to, from, skip, .. } => self.alone(here, &[from, skip], Some(to), open),
            Op::SowByTable { to, from, table } => {
                self.sow(here, (to, from), &self.program.sow_tables[usize::from(table)], open);
            }
            Op::SetCount { on, value, count } => {
                let what = (self.get(on), self.get(value));
                self.set_counts(what, count, None, open);
            }
            Op::ChangeCount { on, value, count, sign } => {
                let what = (self.get(on), self.get(value));
                self.set_counts(what, count, Some(sign), open);
            }
            Op::SetField { value, field } => {
                let value = self.get(value);
                self.set_field(field, value, open);
            }
            Op::Choose { .. } | Op::Pick { .. } | Op::Label { .. } if open.made == MAX_CHOICES => {
                self.fail(open);
                return Ok(On::Ended);
            }
            Op::Choose { to, from } => self.choose_cell(at, (to, from), open),
            Op::Pick { to, from, last } => self.choose_number(at, to, (from, last), open),
            Op::Label { label } => self.choose_label(label, open),
            Op::Fork { place } => self.fork(at, place.into(), open)?,
            Op::Fail => {
                self.fail(open);
                return Ok(On::Ended);
            }
            Op::FailIfEmpty { of } => {
                let of = self.get(of);
                self.unless(false, of, open);
            }
            Op::Again => {
                let rest = self.get(Words::REST as Register);
                let rest = self.build.ins().bor_imm(rest, 1 << AGAIN);
                self.set(Words::REST as Register, rest);
            }
            Op::Finish { value } => {
                let [least, max] = [-MAX_SCORE, MAX_SCORE].map(|score| self.int(score));
                let value = self.get(value);
                let value = self.build.ins().smax(value, least);
                let value = self.build.ins().smin(value, max);
                self.finish(value, open);
                return Ok(On::Ended);
            }
            Op::FinishConstant { constant } => {
                let value = self.constant(constant);
                self.finish(value, open);
                return Ok(On::Ended);
            }
            Op::Done => {
                self.done(open);
                return Ok(On::Ended);
            }
            // It has a value, or a condition.
            _ => return Err(TooLarge),
        }
        Ok(On::Next)
    }

    fn both(&mut self, one: Register, other: Register) -> Value {
        let (one, other) = (self.get(one), self.get(other));
        self.build.ins().band(one, other)
    }

    fn either(&mut self, one: Register, other: Register) -> Value {
        let (one, other) = (self.get(one), self.get(other));
        self.build.ins().bor(one, other)
    }

    fn with_constant(&mut self, one: Register, constant: u8) -> Value {
        let (one, other) = (self.get(one), self.constant(constant));
        self.build.ins().band(one, other)
    }

    fn compared(&mut self, order: IntCC, one: Register, other: Register) -> Value {
        let (one, other) = (self.get(one), self.get(other));
        self.build.ins().icmp(order, one, other)
    }

    /// Takes cells out of a set.
    fn clear(&mut self, set: Register, on: Value) {
        let pieces = self.get(set);
        let pieces = self.and_not(pieces, on);
        self.set(set, pieces);
    }

    /// Takes what is on one cell to another, without counts.
    fn carry(&mut self, from: Register, onto: Register, open: &Open) {
        let (from, onto) = (self.get(from), self.get(onto));
        for set in [from, onto] {
            let size = self.build.ins().popcnt(set);
            let is_one = self.build.ins().icmp_imm(IntCC::Equal, size, 1);
            self.unless(false, is_one, open);
        }
        let both = self.build.ins().bor(from, onto);
        for set in (Words::SETS..Words::SETS + self.program.words.pieces).map(|at| at as Register) {
            let pieces = self.get(set);
            let there = self.build.ins().band(pieces, from);
            let rest = self.and_not(pieces, both);
            let moved = self.build.ins().bor(rest, onto);
            let pieces = self.build.ins().select(there, moved, rest);
            self.set(set, pieces);
        }
    }

    /// Sows by a table; what the table does not have, and its end, one by one.
    fn sow(
        &mut self,
        here: usize,
        (to, from): (Register, Register),
        table: &SowTable<u64>,
        open: &Open,
    ) {
        let set = self.get(from);
        let size = self.build.ins().popcnt(set);
        let is_one = self.build.ins().icmp_imm(IntCC::Equal, size, 1);
        self.unless(false, is_one, open);
        let cell = self.cell(from);
        let number = self.count_at(0, cell);
        let row = self.build.ins().imul_imm(cell, table.numbers as i64);
        let row = self.build.ins().iadd(row, number);
        let below = IntCC::UnsignedLessThan;
        let few = self.build.ins().icmp_imm(below, number, table.numbers as i64);
        let known = self.build.ins().icmp_imm(below, row, table.last.len() as i64);
        let quick = self.build.ins().band(few, known);
        let [by_table, slowly, on] = [(); 3].map(|()| self.build.create_block());
        self.build.ins().brif(quick, by_table, &[], slowly, &[]);
        self.build.switch_to_block(slowly);
        self.alone(here, &[from], Some(to), open);
        self.build.ins().jump(on, &[]);
        self.build.switch_to_block(by_table);
        let zero = self.int(0);
        self.set_byte(0, cell, zero);
        let first = self.build.ins().imul_imm(row, table.words as i64);
        let mut too_large = zero;
        for word in 0..table.words {
            let at = self.build.ins().iadd_imm(first, word as i64);
            let (register, added) =
                ((table.first + word) as Register, self.look_up(&table.added, at));
            let seeds = self.get(register);
            let seeds = self.build.ins().iadd(seeds, added);
            self.set(register, seeds);
            let over = self.build.ins().iadd_imm(seeds, table.room as i64);
            let over = self.build.ins().band_imm(over, table.high as i64);
            too_large = self.build.ins().bor(too_large, over);
        }
        self.unless(true, too_large, open);
        let last = self.look_up_byte(&table.last, row);
        self.set_cell(to, last);
        self.cells.clear();
        self.build.ins().jump(on, &[]);
        self.build.switch_to_block(on);
    }

    /// Lets the machine do one instruction that reads some registers beside the position.
    fn alone(&mut self, here: usize, reads: &[Register], to: Option<Register>, open: &Open) {
        let size = 8 * REGISTERS as u32;
        let slot = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
        let slot = self.build.create_sized_stack_slot(slot);
        let place = self.build.ins().stack_addr(I64, slot, 0);
        let position = (0..self.program.words.len).map(|at| at as Register);
        for register in position.clone().chain(reads.iter().copied()) {
            let value = self.get(register);
            self.store(value, place, register.into());
        }
        let (program, at) = (self.address(self.program), self.int(here as i64));
        let fits = self.call(Helper::Alone, &[program, place, at]);
        self.unless(false, fits, open);
        for register in position.chain(to) {
            let value = self.load(place, register.into());
            self.set(register, value);
        }
    }

    /// The game ends with a value for the side that moves.
    fn finish(&mut self, value: Value, open: &Open) {
        let value = if self.side == 0 { value } else { self.build.ins().ineg(value) };
        let upper = self.build.ins().ishl_imm(value, i64::from(RESULT));
        let rest = self.get(Words::REST as Register);
        let rest = self.build.ins().bor(rest, upper);
        let rest = self.build.ins().bor_imm(rest, 1 << HAS_RESULT);
        self.set(Words::REST as Register, rest);
        self.done(open);
    }

    /// A move is complete.
    fn done(&mut self, open: &Open) {
        let words = match self.purpose {
            Purpose::CanMove => return self.answer(1),
            Purpose::Wins(wins) => {
                let mut cells = self.get(wins.cells);
                if let Some((own, rows)) = wins.rows {
                    let own = self.get(own);
                    let completing = self.completing(rows, own);
                    cells = self.build.ins().band(cells, completing);
                }
                self.build.ins().return_(&[cells]);
                return;
            }
            // It has no program.
            Purpose::Completing(_) => return self.answer(0),
            Purpose::Moves => 0,
            Purpose::Successors(words) => words,
            Purpose::Play => self.program.words.len,
        };
        let choices = self.build.use_var(self.choices);
        if let Purpose::Play = self.purpose {
            let same = self.build.ins().icmp(IntCC::Equal, choices, self.parameters[2]);
            self.unless(false, same, open);
            self.write(self.parameters[1], 0, words);
            return self.answer(1);
        }
        let out = self.build.use_var(self.out);
        self.store(choices, out, 0);
        self.write(out, 1, words);
        let next = self.build.ins().iadd_imm(out, 8 * (1 + words as i64));
        self.build.def_var(self.out, next);
        let back = self.back(open);
        let full = self.build.create_block();
        let is_full = self.build.ins().icmp(IntCC::Equal, next, self.parameters[2]);
        self.build.ins().brif(is_full, full, &[], back, &[]);
        self.build.switch_to_block(full);
        let (list, first) = (self.parameters[3], self.parameters[1]);
        let too_many = self.call(Helper::Flush, &[list, first, next]);
        self.build.def_var(self.out, first);
        self.build.ins().brif(too_many, self.end, &[], back, &[]);
    }

    /// Writes the position with the other side to move; words that the position does not have are 0.
    fn write(&mut self, address: Value, first: usize, words: usize) {
        for at in 0..words {
            let value = match at {
                Words::REST => self.turned(),
                at if at < self.program.words.len => self.get(at as Register),
                _ => self.int(0),
            };
            self.store(value, address, first + at);
        }
    }

    /// The first word when a move is complete: the other side is next, unless the same side moves again.
    fn turned(&mut self) -> Value {
        let rest = self.get(Words::REST as Register);
        let turned = self.build.ins().bxor_imm(rest, 1);
        if !self.again {
            return turned;
        }
        let again = self.build.ins().ushr_imm(rest, i64::from(AGAIN));
        let again = self.build.ins().band_imm(again, 1);
        let turned = self.build.ins().bxor(turned, again);
        self.build.ins().band_imm(turned, !(1 << AGAIN))
    }

    pub fn answer(&mut self, number: i64) {
        let number = self.int(number);
        self.build.ins().return_(&[number]);
    }
}
