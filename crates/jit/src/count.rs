//! Counts and numbers: bytes in the words of a position.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use foregone_text::machine::{Field, Register, Sign};

use crate::helpers::Helper;
use crate::translate::{Open, Translator};

impl Translator<'_, '_> {
    /// The bytes of a count: they follow each other, cell by cell.
    fn bytes(&self, count: u8) -> (&[Field], Register, usize) {
        let fields = &self.program.words.counts[usize::from(count)];
        (fields, fields[0].word, fields.len().div_ceil(8))
    }

    /// The set without the cells that a count does not have.
    fn counted(&mut self, set: Value, count: u8) -> Value {
        match self.bytes(count).0.len() {
            64 => set,
            cells => self.build.ins().band_imm(set, (1i64 << cells) - 1),
        }
    }

    /// The byte of a cell that the count has.
    fn byte_at(&mut self, count: u8, cell: Value) -> Value {
        let (_, first, words) = self.bytes(count);
        let mut word = self.get(first + words as Register - 1);
        for at in (0..words - 1).rev() {
            let here = self.get(first + at as Register);
            let end = 8 * (at as i64 + 1);
            let below = self.build.ins().icmp_imm(IntCC::UnsignedLessThan, cell, end);
            word = self.build.ins().select(below, here, word);
        }
        // A shift looks at the lowest six bits.
        let shift = self.build.ins().ishl_imm(cell, 3);
        let byte = self.build.ins().ushr(word, shift);
        self.build.ins().band_imm(byte, 0xff)
    }

    /// The number of a cell that the count has.
    pub fn count_at(&mut self, count: u8, cell: Value) -> Value {
        let least = self.bytes(count).0[0].least;
        let byte = self.byte_at(count, cell);
        self.build.ins().iadd_imm(byte, i64::from(least))
    }

    /// The number of the first cell of a register; 0 if the count does not have it.
    pub fn count_at_first(&mut self, count: u8, of: Register) -> Value {
        let (cell, cells) = (self.cell(of), self.bytes(count).0.len());
        let (number, none) = (self.count_at(count, cell), self.int(0));
        let has = self.build.ins().icmp_imm(IntCC::UnsignedLessThan, cell, cells as i64);
        self.build.ins().select(has, number, none)
    }

    pub fn sum(&mut self, over: Value, count: u8) -> Value {
        let over = self.counted(over, count);
        self.fold(over, |it, sum, cell| {
            let more = it.count_at(count, cell);
            it.build.ins().iadd(sum, more)
        })
    }

    /// The cells of a set whose number is not 0.
    pub fn full(&mut self, of: Value, count: u8) -> Value {
        let of = self.counted(of, count);
        self.fold(of, |it, all, cell| {
            let number = it.count_at(count, cell);
            let is_full = it.build.ins().icmp_imm(IntCC::NotEqual, number, 0);
            let is_full = it.build.ins().uextend(I64, is_full);
            let set = it.build.ins().ishl(is_full, cell);
            it.build.ins().bor(all, set)
        })
    }

    /// The cells whose byte is not 0.
    pub fn full_bytes(&mut self, count: u8) -> Value {
        const LOW: i64 = 0x7f7f_7f7f_7f7f_7f7f;
        let (_, first, words) = self.bytes(count);
        let mut all = self.int(0);
        for at in 0..words {
            // The highest bit of each byte that is not 0; then these bits side by side.
            let word = self.get(first + at as Register);
            let high = self.build.ins().band_imm(word, LOW);
            let high = self.build.ins().iadd_imm(high, LOW);
            let high = self.build.ins().bor(high, word);
            let high = self.build.ins().band_imm(high, !LOW);
            let bits = self.build.ins().ushr_imm(high, 7);
            let bits = self.build.ins().imul_imm(bits, 0x0102_0408_1020_4080);
            let bits = self.build.ins().ushr_imm(bits, 56);
            let bits = self.build.ins().ishl_imm(bits, 8 * at as i64);
            all = self.build.ins().bor(all, bits);
        }
        all
    }

    /// The sum of the bytes that masks select, and a number.
    pub fn sum_constant(&mut self, masks: u8) -> Value {
        const PAIRS: i64 = 0x00ff_00ff_00ff_00ff;
        let masks = &self.program.masks[usize::from(masks)];
        let mut sum = self.int(masks.plus);
        for (word, mask) in &masks.words {
            let word = self.get(*word);
            let bytes = self.build.ins().band_imm(word, *mask as i64);
            let even = self.build.ins().band_imm(bytes, PAIRS);
            let odd = self.build.ins().ushr_imm(bytes, 8);
            let odd = self.build.ins().band_imm(odd, PAIRS);
            let pairs = self.build.ins().iadd(even, odd);
            let more = self.build.ins().imul_imm(pairs, 0x0001_0001_0001_0001);
            let more = self.build.ins().ushr_imm(more, 48);
            sum = self.build.ins().iadd(sum, more);
        }
        sum
    }

    /// A number beside the board.
    pub fn field(&mut self, field: u8) -> Value {
        let Field { word, shift, least, .. } = self.program.words.numbers[usize::from(field)];
        let word = self.get(word);
        let byte = self.build.ins().ushr_imm(word, i64::from(shift));
        let byte = self.build.ins().band_imm(byte, 0xff);
        self.build.ins().iadd_imm(byte, i64::from(least))
    }

    pub fn set_field(&mut self, field: u8, value: Value, open: &Open) {
        let field = self.program.words.numbers[usize::from(field)];
        let byte = self.in_range(&field, value, open);
        let word = self.get(field.word);
        let rest = self.build.ins().band_imm(word, !(0xff << field.shift));
        let there = self.build.ins().ishl_imm(byte, i64::from(field.shift));
        let word = self.build.ins().bor(rest, there);
        self.set(field.word, word);
    }

    /// The byte of a number; goes back if it is out of the range of a field.
    fn in_range(&mut self, field: &Field, value: Value, open: &Open) -> Value {
        let byte = self.build.ins().iadd_imm(value, -i64::from(field.least));
        let range = i64::from(field.max) - i64::from(field.least);
        let fits = self.build.ins().icmp_imm(IntCC::UnsignedLessThanOrEqual, byte, range);
        self.unless(false, fits, open);
        byte
    }

    /// Puts a byte on a cell that the count has.
    pub fn set_byte(&mut self, count: u8, cell: Value, byte: Value) {
        let (_, first, words) = self.bytes(count);
        let shift = self.build.ins().ishl_imm(cell, 3);
        let there = self.build.ins().ishl(byte, shift);
        let mask = self.int(0xff);
        let mask = self.build.ins().ishl(mask, shift);
        let at = self.build.ins().ushr_imm(cell, 3);
        for word in 0..words {
            let before = self.get(first + word as Register);
            let rest = self.and_not(before, mask);
            let after = self.build.ins().bor(rest, there);
            let here = self.build.ins().icmp_imm(IntCC::Equal, at, word as i64);
            let after = self.build.ins().select(here, after, before);
            self.set(first + word as Register, after);
        }
    }

    /// Sets the counts of the cells of a set, or changes them by a number.
    pub fn set_counts(
        &mut self,
        (on, value): (Value, Value),
        count: u8,
        sign: Option<Sign>,
        open: &Open,
    ) {
        let (on, field) = (self.counted(on, count), self.bytes(count).0[0]);
        self.each_cell(on, |it, cell| {
            let value = match sign {
                None => value,
                Some(sign) => {
                    let before = it.count_at(count, cell);
                    it.calculate(sign, before, value)
                }
            };
            let byte = it.in_range(&field, value, open);
            it.set_byte(count, cell, byte);
        });
    }

    pub fn calculate(&mut self, sign: Sign, one: Value, other: Value) -> Value {
        match sign {
            Sign::Plus => self.build.ins().iadd(one, other),
            Sign::Minus => self.build.ins().isub(one, other),
            Sign::Times => self.build.ins().imul(one, other),
            Sign::Least => self.build.ins().smin(one, other),
            Sign::Most => self.build.ins().smax(one, other),
            Sign::Divide => self.call(Helper::Divide, &[one, other]),
            Sign::Remainder => self.call(Helper::Remainder, &[one, other]),
        }
    }
}
