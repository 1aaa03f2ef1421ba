//! Each instruction of the machine, as Cranelift's.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, StackSlotData, StackSlotKind, Value};
use foregone_text::machine::{
    LARGEST, MAX_CHOICES, MAX_SCORE, Op, REGISTERS, Register, SowTable, Words,
};

use crate::helpers::Helper;
use crate::translate::{Done, MAX_DONE, Open, Purpose, TooLarge, Translator};

/// What tells in a choice a number and a label from a cell.
const NUMBER: i64 = 128;
const LABEL: i64 = 192;

impl Translator<'_, '_> {
    /// The instructions from a place to where a block ends. One arm for each instruction.
    pub fn run(&mut self, first: usize, mut open: Open) -> Done {
        let (program, mut at) = (self.program, first);
        loop {
            let (here, op) = (at, *program.code.get(at).ok_or(TooLarge)?);
            at += 1;
            self.done += 1;
            if self.done > MAX_DONE {
                return Err(TooLarge);
            }
            match op {
                Op::Constant { to, constant } => {
                    let value = self.constant(constant);
                    self.set(to, value);
                }
                Op::Copy { to, from } => {
                    let value = self.get(from);
                    self.set(to, value);
                }
                Op::And { to, one, other } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let both = self.build.ins().band(one, other);
                    self.set(to, both);
                }
                Op::Or { to, one, other } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let either = self.build.ins().bor(one, other);
                    self.set(to, either);
                }
                Op::Minus { to, one, other } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let rest = self.and_not(one, other);
                    self.set(to, rest);
                }
                Op::AndConstant { to, one, constant } => {
                    let (one, other) = (self.get(one), self.constant(constant));
                    let both = self.build.ins().band(one, other);
                    self.set(to, both);
                }
                Op::OrConstant { to, one, constant } => {
                    let (one, other) = (self.get(one), self.constant(constant));
                    let either = self.build.ins().bor(one, other);
                    self.set(to, either);
                }
                Op::Outside { to, of, constant } => {
                    let (all, of) = (self.constant(constant), self.get(of));
                    let rest = self.and_not(all, of);
                    self.set(to, rest);
                }
                Op::Neither { to, one, other, constant } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let either = self.build.ins().bor(one, other);
                    let all = self.constant(constant);
                    let rest = self.and_not(all, either);
                    self.set(to, rest);
                }
                Op::Up { to, of, by, constant } | Op::Down { to, of, by, constant } => {
                    let (of, all) = (self.get(of), self.constant(constant));
                    let from = self.build.ins().band(of, all);
                    let moved = match op {
                        Op::Up { .. } => self.build.ins().ishl_imm(from, i64::from(by)),
                        _ => self.build.ins().ushr_imm(from, i64::from(by)),
                    };
                    self.set(to, moved);
                }
                Op::LookUp { to, of, table } => {
                    let cell = self.cell(of);
                    let cells = self.look_up(&program.tables[usize::from(table)], cell);
                    self.set(to, cells);
                }
                Op::Step { to, of, table } => {
                    let (of, table) = (self.get(of), &program.tables[usize::from(table)]);
                    let all = self.fold(of, |it, all, cell| {
                        let more = it.look_up(table, cell);
                        it.build.ins().bor(all, more)
                    });
                    self.set(to, all);
                }
                Op::Rows { to, within, rows } => {
                    let within = self.get(within);
                    let rows = self.address(&program.rows[usize::from(rows)]);
                    let all = self.call(Helper::Rows, &[within, rows]);
                    self.set(to, all);
                }
                Op::Flood { to, from, within, table } => {
                    let (from, within) = (self.get(from), self.get(within));
                    let table = self.address(&program.tables[usize::from(table)]);
                    let all = self.call(Helper::Flood, &[from, within, table]);
                    self.set(to, all);
                }
                Op::Ray { to, from, through, rays } => {
                    let (from, through) = (self.get(from), self.get(through));
                    let rays = self.address(&program.rays[usize::from(rays)]);
                    let all = self.call(Helper::Ray, &[from, through, rays]);
                    self.set(to, all);
                }
                Op::Between { to, from, through, end, rays, max }
                | Op::Beyond { to, from, through, end, rays, max } => {
                    let [from, through, end] = [from, through, end].map(|each| self.get(each));
                    let rays = self.address(&program.rays[usize::from(rays)]);
                    let max = self.int(max.into());
                    let helper = match op {
                        Op::Between { .. } => Helper::Between,
                        _ => Helper::Beyond,
                    };
                    let all = self.call(helper, &[from, through, end, rays, max]);
                    self.set(to, all);
                }
                Op::Full { to, of, count } => {
                    let of = self.get(of);
                    let full = self.full(of, count);
                    self.set(to, full);
                }
                Op::FullConstant { to, constant, count } => {
                    let (full, all) = (self.full_bytes(count), self.constant(constant));
                    let full = self.build.ins().band(full, all);
                    self.set(to, full);
                }
                Op::Size { to, of } => {
                    let of = self.get(of);
                    let size = self.build.ins().popcnt(of);
                    self.set(to, size);
                }
                Op::SumConstant { to, masks } => {
                    let sum = self.sum_constant(masks);
                    self.set(to, sum);
                }
                Op::CountAt { to, of, count } => {
                    let number = self.count_at_first(count, of);
                    self.set(to, number);
                }
                Op::Sum { to, over, count } => {
                    let over = self.get(over);
                    let sum = self.sum(over, count);
                    self.set(to, sum);
                }
                Op::Field { to, field } => {
                    let number = self.field(field);
                    self.set(to, number);
                }
                Op::Calculate { to, sign, one, other } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let result = self.calculate(sign, one, other);
                    self.set(to, result);
                }
                Op::Jump { place } => return self.go_to(place.into(), &open),
                Op::IfEmpty { of, place } | Op::IfAny { of, place } => {
                    let of = self.get(of);
                    let if_zero = matches!(op, Op::IfEmpty { .. });
                    return self.branch(of, if_zero, place, at, &open);
                }
                Op::IfApart { one, other, place } | Op::IfMeet { one, other, place } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let both = self.build.ins().band(one, other);
                    let if_zero = matches!(op, Op::IfApart { .. });
                    return self.branch(both, if_zero, place, at, &open);
                }
                Op::IfApartConstant { one, constant, place }
                | Op::IfMeetConstant { one, constant, place } => {
                    let (one, other) = (self.get(one), self.constant(constant));
                    let both = self.build.ins().band(one, other);
                    let if_zero = matches!(op, Op::IfApartConstant { .. });
                    return self.branch(both, if_zero, place, at, &open);
                }
                Op::IfEqual { one, other, place } | Op::IfUnequal { one, other, place } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let equal = self.build.ins().icmp(IntCC::Equal, one, other);
                    let if_zero = matches!(op, Op::IfUnequal { .. });
                    return self.branch(equal, if_zero, place, at, &open);
                }
                Op::IfEqualConstant { one, constant, place }
                | Op::IfUnequalConstant { one, constant, place } => {
                    let (one, other) = (self.get(one), self.constant(constant));
                    let equal = self.build.ins().icmp(IntCC::Equal, one, other);
                    let if_zero = matches!(op, Op::IfUnequalConstant { .. });
                    return self.branch(equal, if_zero, place, at, &open);
                }
                Op::IfLess { one, other, place } | Op::IfNotLess { one, other, place } => {
                    let (one, other) = (self.get(one), self.get(other));
                    let less = self.build.ins().icmp(IntCC::SignedLessThan, one, other);
                    let if_zero = matches!(op, Op::IfNotLess { .. });
                    return self.branch(less, if_zero, place, at, &open);
                }
                Op::IfRow { within, rows, place } | Op::IfNoRow { within, rows, place } => {
                    let within = self.get(within);
                    let any = self.has_row(&program.rows[usize::from(rows)], within);
                    let if_zero = matches!(op, Op::IfNoRow { .. });
                    return self.branch(any, if_zero, place, at, &open);
                }
                Op::Next { to, rest, place } => {
                    let (set, on) = (self.get(rest), self.build.create_block());
                    let there = self.block(place.into(), &open)?;
                    self.build.ins().brif(set, on, &[], there, &[]);
                    self.build.switch_to_block(on);
                    let cell = self.build.ins().ctz(set);
                    let less = self.without_lowest(set);
                    self.set_cell(to, cell);
                    self.set(rest, less);
                }
                Op::CountDown { number, place } => {
                    let (left, on) = (self.get(number), self.build.create_block());
                    let there = self.block(place.into(), &open)?;
                    let some = self.build.ins().icmp_imm(IntCC::SignedGreaterThan, left, 0);
                    self.build.ins().brif(some, on, &[], there, &[]);
                    self.build.switch_to_block(on);
                    let less = self.build.ins().iadd_imm(left, -1);
                    self.set(number, less);
                }
                Op::PutOne { set, other, on } => {
                    let on = self.get(on);
                    let theirs = self.get(other);
                    let theirs = self.and_not(theirs, on);
                    self.set(other, theirs);
                    let own = self.get(set);
                    let own = self.build.ins().bor(own, on);
                    self.set(set, own);
                }
                Op::ClearBoth { on } => {
                    let on = self.get(on);
                    for set in [Words::SETS, Words::SETS + 1].map(|set| set as Register) {
                        let pieces = self.get(set);
                        let pieces = self.and_not(pieces, on);
                        self.set(set, pieces);
                    }
                }
                Op::Carry { from, onto } if program.words.counts.is_empty() => {
                    self.carry(from, onto, &open);
                }
                Op::Carry { from, onto } => self.alone(here, &[from, onto], None, &open),
                Op::Permute { table: _ } => self.alone(here, &[], None, &open),
                Op::Sow { to, from, skip, .. } => {
                    self.alone(here, &[from, skip], Some(to), &open);
                }
                Op::SowByTable { to, from, table } => {
                    self.sow(here, (to, from), &program.sow_tables[usize::from(table)], &open);
                }
                Op::SetCount { on, value, count } => {
                    let what = (self.get(on), self.get(value));
                    self.set_counts(what, count, None, &open);
                }
                Op::ChangeCount { on, value, count, sign } => {
                    let what = (self.get(on), self.get(value));
                    self.set_counts(what, count, Some(sign), &open);
                }
                Op::SetField { value, field } => {
                    let value = self.get(value);
                    self.set_field(field, value, &open);
                }
                // Where a choice goes on is known by its place, so it is translated once.
                Op::Choose { .. } | Op::Pick { .. } | Op::Fork { .. } if here != first => {
                    return self.go_to(here, &open);
                }
                Op::Choose { .. } | Op::Pick { .. } | Op::Label { .. }
                    if open.made == MAX_CHOICES =>
                {
                    self.fail(&open);
                    return Ok(());
                }
                Op::Choose { to, from } => {
                    let from = self.get(from);
                    let cell = match self.purpose {
                        Purpose::Play => {
                            let cell = self.next_led();
                            let there = self.build.ins().ushr(from, cell);
                            let there = self.build.ins().band_imm(there, 1);
                            let bits = IntCC::UnsignedLessThan;
                            let is_cell = self.build.ins().icmp_imm(bits, cell, 64);
                            let zero = self.int(0);
                            let there = self.build.ins().select(is_cell, there, zero);
                            self.unless(false, there, &open);
                            cell
                        }
                        _ => {
                            self.unless(false, from, &open);
                            let less = |it: &mut Self, rest| it.without_lowest(rest);
                            let more = |_: &mut Self, rest| rest;
                            let rest = self.each(at, from, &mut open, (less, more));
                            self.build.ins().ctz(rest)
                        }
                    };
                    self.choose(cell, &mut open);
                    self.set_cell(to, cell);
                }
                Op::Pick { to, from, last } => {
                    let [least, max] = [0, LARGEST].map(|number| self.int(number));
                    let from = self.get(from);
                    let from = self.build.ins().smax(from, least);
                    let last = self.get(last);
                    let last = self.build.ins().smin(last, max);
                    let fits = self.build.ins().icmp(IntCC::SignedLessThanOrEqual, from, last);
                    self.unless(false, fits, &open);
                    let number = match self.purpose {
                        Purpose::Play => {
                            let led = self.next_led();
                            let number = self.build.ins().iadd_imm(led, -NUMBER);
                            for (one, other) in [(from, number), (number, last)] {
                                let order = IntCC::SignedLessThanOrEqual;
                                let fits = self.build.ins().icmp(order, one, other);
                                self.unless(false, fits, &open);
                            }
                            number
                        }
                        _ => {
                            let less = |it: &mut Self, number| it.build.ins().iadd_imm(number, 1);
                            let more = |it: &mut Self, number| {
                                let order = IntCC::SignedLessThanOrEqual;
                                it.build.ins().icmp(order, number, last)
                            };
                            self.each(at, from, &mut open, (less, more))
                        }
                    };
                    let byte = self.build.ins().iadd_imm(number, NUMBER);
                    self.choose(byte, &mut open);
                    self.set(to, number);
                }
                Op::Fork { place } => {
                    let (resume, body) = (self.build.create_block(), self.build.create_block());
                    let kept = self.keep();
                    self.build.ins().jump(body, &[]);
                    self.build.switch_to_block(resume);
                    self.restore(&kept);
                    self.go_to(place.into(), &open)?;
                    self.build.switch_to_block(body);
                    open.places.push((at, open.made));
                    self.resume.insert(open.places.clone(), resume);
                }
                Op::Label { label } => {
                    let byte = self.int(LABEL + i64::from(label));
                    if let Purpose::Play = self.purpose {
                        let led = self.next_led();
                        let same = self.build.ins().icmp(IntCC::Equal, led, byte);
                        self.unless(false, same, &open);
                    }
                    self.choose(byte, &mut open);
                }
                Op::Fail => {
                    self.fail(&open);
                    return Ok(());
                }
                Op::FailIfEmpty { of } => {
                    let of = self.get(of);
                    self.unless(false, of, &open);
                }
                Op::Again => {
                    let rest = self.get(Words::REST as Register);
                    let rest = self.build.ins().bor_imm(rest, 4);
                    self.set(Words::REST as Register, rest);
                }
                Op::Finish { value } => {
                    let [least, max] = [-MAX_SCORE, MAX_SCORE].map(|score| self.int(score));
                    let value = self.get(value);
                    let value = self.build.ins().smax(value, least);
                    let value = self.build.ins().smin(value, max);
                    self.finish(value, &open);
                    return Ok(());
                }
                Op::FinishConstant { constant } => {
                    let value = self.constant(constant);
                    self.finish(value, &open);
                    return Ok(());
                }
                Op::Done => {
                    self.done(&open);
                    return Ok(());
                }
            }
        }
    }

    /// All registers and choices as they are, for another choice.
    fn keep(&mut self) -> [Value; REGISTERS + 2] {
        std::array::from_fn(|at| match at {
            REGISTERS => self.build.use_var(self.choices),
            at if at > REGISTERS => self.build.use_var(self.led),
            at => self.get(at as Register),
        })
    }

    fn restore(&mut self, kept: &[Value; REGISTERS + 2]) {
        for (at, value) in kept.iter().enumerate() {
            match at {
                REGISTERS => self.build.def_var(self.choices, *value),
                at if at > REGISTERS => self.build.def_var(self.led, *value),
                at => self.set(at as Register, *value),
            }
        }
    }

    /// A loop over what can be chosen, from the first on: what comes after each, and whether it is there. The loop is open
    /// from here on.
    fn each(
        &mut self,
        at: usize,
        first: Value,
        open: &mut Open,
        (after, is_there): (impl Fn(&mut Self, Value) -> Value, impl Fn(&mut Self, Value) -> Value),
    ) -> Value {
        let [head, resume, body] = [(); 3].map(|()| self.build.create_block());
        let outer = self.back(open);
        let (kept, cells) = (self.keep(), self.cells.clone());
        let here = self.build.append_block_param(head, I64);
        self.build.ins().jump(head, &[BlockArg::Value(first)]);
        self.build.switch_to_block(head);
        let next = after(self, here);
        self.build.ins().jump(body, &[]);
        self.build.switch_to_block(resume);
        self.restore(&kept);
        let is_there = is_there(self, next);
        self.build.ins().brif(is_there, head, &[BlockArg::Value(next)], outer, &[]);
        self.build.switch_to_block(body);
        self.restore(&kept);
        self.cells = cells;
        open.places.push((at, open.made));
        self.resume.insert(open.places.clone(), resume);
        here
    }

    /// The next choice to make.
    fn next_led(&mut self) -> Value {
        let led = self.build.use_var(self.led);
        let choice = self.build.ins().ushr_imm(led, 56);
        let led = self.build.ins().ishl_imm(led, 8);
        self.build.def_var(self.led, led);
        choice
    }

    fn choose(&mut self, byte: Value, open: &mut Open) {
        let choices = self.build.use_var(self.choices);
        let choices = self.build.ins().ishl_imm(choices, 8);
        let choices = self.build.ins().bor(choices, byte);
        self.build.def_var(self.choices, choices);
        open.made += 1;
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
        let upper = self.build.ins().ishl_imm(value, 32);
        let rest = self.get(Words::REST as Register);
        let rest = self.build.ins().bor(rest, upper);
        let rest = self.build.ins().bor_imm(rest, 2);
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
        let again = self.build.ins().ushr_imm(rest, 2);
        let again = self.build.ins().band_imm(again, 1);
        let turned = self.build.ins().bxor(turned, again);
        self.build.ins().band_imm(turned, !4)
    }

    pub fn answer(&mut self, number: i64) {
        let number = self.int(number);
        self.build.ins().return_(&[number]);
    }
}
