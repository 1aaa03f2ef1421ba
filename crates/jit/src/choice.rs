//! Choices: loops over what can be chosen, or the choices of the move that is to be played.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};
use foregone_text::machine::{LABEL, LARGEST, NUMBER, REGISTERS, Register};

use crate::translate::{Done, Open, Purpose, Translator};

impl Translator<'_, '_> {
    pub fn choose_cell(&mut self, at: usize, (to, from): (Register, Register), open: &mut Open) {
        let from = self.get(from);
        let cell = if let Purpose::Play = self.purpose {
            let cell = self.next_led();
            let there = self.build.ins().ushr(from, cell);
            let there = self.build.ins().band_imm(there, 1);
            let is_cell = self.build.ins().icmp_imm(IntCC::UnsignedLessThan, cell, 64);
            let zero = self.int(0);
            let there = self.build.ins().select(is_cell, there, zero);
            self.unless(false, there, open);
            cell
        } else {
            self.unless(false, from, open);
            let less = |it: &mut Self, rest| it.without_lowest(rest);
            let rest = self.each(at, from, open, (less, |_: &mut Self, rest| rest));
            self.build.ins().ctz(rest)
        };
        self.choose(cell, open);
        self.set_cell(to, cell);
    }

    pub fn choose_number(
        &mut self,
        at: usize,
        to: Register,
        (from, last): (Register, Register),
        open: &mut Open,
    ) {
        let [least, max] = [0, LARGEST].map(|number| self.int(number));
        let (from, last) = (self.get(from), self.get(last));
        let from = self.build.ins().smax(from, least);
        let last = self.build.ins().smin(last, max);
        let fits =
            |it: &mut Self, number| it.build.ins().icmp(IntCC::SignedLessThanOrEqual, number, last);
        let number = if let Purpose::Play = self.purpose {
            let led = self.next_led();
            let number = self.build.ins().iadd_imm(led, -i64::from(NUMBER));
            let begun = self.build.ins().icmp(IntCC::SignedGreaterThanOrEqual, number, from);
            self.unless(false, begun, open);
            let fits = fits(self, number);
            self.unless(false, fits, open);
            number
        } else {
            let some = fits(self, from);
            self.unless(false, some, open);
            let more = |it: &mut Self, number| it.build.ins().iadd_imm(number, 1);
            self.each(at, from, open, (more, fits))
        };
        let byte = self.build.ins().iadd_imm(number, i64::from(NUMBER));
        self.choose(byte, open);
        self.set(to, number);
    }

    pub fn choose_label(&mut self, label: u8, open: &mut Open) {
        let byte = self.int(i64::from(LABEL + label));
        if let Purpose::Play = self.purpose {
            let led = self.next_led();
            let same = self.build.ins().icmp(IntCC::Equal, led, byte);
            self.unless(false, same, open);
        }
        self.choose(byte, open);
    }

    /// First what follows; then what is at a place.
    pub fn fork(&mut self, at: usize, place: usize, open: &mut Open) -> Done {
        let (resume, body) = (self.build.create_block(), self.build.create_block());
        let kept = self.keep();
        self.build.ins().jump(body, &[]);
        self.build.switch_to_block(resume);
        self.restore(&kept);
        self.go_to(place, open)?;
        self.build.switch_to_block(body);
        open.places.push((at, open.made));
        self.resume.insert(open.places.clone(), resume);
        Ok(())
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
}
