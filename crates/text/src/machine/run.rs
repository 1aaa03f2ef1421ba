//! The machine: runs a program from a position, one move after the other. At a choice it notes what
//! is left to choose; when a move is complete, the last choice that has something left is tried
//! again.

use std::borrow::BorrowMut;
use std::marker::PhantomData;
use std::sync::atomic::Ordering;

use super::layout::{AGAIN, Field, Words};
use super::op::{Op, Place, REGISTERS, Register};
use super::program::{MAX_OPS, Program};
use super::steps::{behind, each_cell, each_ray, has_row, step};
use super::word::Word;
use crate::choices::{Choice, Choices, LARGEST, MAX_CHOICES, MAX_MOVES};
use crate::typed::MAX_SCORE;

/// What is left to choose at a choice. It has no padding: then a new machine is a block of zeros.
#[derive(Clone, Copy)]
struct Frame<S, const K: usize> {
    kept: [S; K],
    choices: u64,
    /// The cells; or the first number, and in the second byte the last one.
    rest: S,
    then: Then,
}

/// What to do with what is left, in one word: where to go on (16 bits), the register for what is
/// chosen (8 bits), and what it is.
#[derive(Clone, Copy)]
struct Then(u64);

impl Then {
    const CELLS: u64 = 0;
    const NUMBERS: u64 = 1;
    const ALTERNATIVE: u64 = 2;

    const fn new(place: usize, to: Register, what: u64) -> Then {
        Then(place as u64 & 0xffff | (to as u64) << 16 | what << 24)
    }

    const fn place(self) -> usize {
        (self.0 & 0xffff) as usize
    }

    const fn to(self) -> Register {
        (self.0 >> 16) as Register
    }

    const fn what(self) -> u64 {
        self.0 >> 24
    }
}

/// What a run writes to: R registers, and D places for open choices, each with a copy of the first K
/// registers.
#[derive(Clone, Copy)]
pub(crate) struct Memory<S, const R: usize, const K: usize, const D: usize> {
    registers: [S; R],
    frames: [Frame<S, K>; D],
}

impl<S: Word, const R: usize, const K: usize, const D: usize> Memory<S, R, K, D> {
    /// Memory without a position.
    pub const BLANK: Self = Memory {
        registers: [S::ZERO; R],
        frames: [Frame { kept: [S::ZERO; K], choices: 0, rest: S::ZERO, then: Then(0) }; D],
    };

    /// Puts a position into the first registers.
    #[inline(always)]
    pub fn hold<const N: usize>(&mut self, position: &[S; N]) {
        copy_apart(&mut self.registers, position);
    }
}

/// A run of a program in a memory, which it owns or borrows: a borrowed one is never copied. A run that
/// is `LED` makes the choices of one move only.
pub(crate) struct Machine<'p, S, M, const LED: bool, const R: usize, const K: usize, const D: usize>
{
    pub(super) program: &'p Program<S>,
    pub memory: M,
    open: usize,
    place: usize,
    /// The choices of the move that is complete.
    pub choices: Choices,
    /// The choices to make, if the run is led.
    led: Choices,
    is_led: bool,
    begun: bool,
    /// How many moves were made before.
    made: u32,
    size: PhantomData<Memory<S, R, K, D>>,
}

impl<'p, S: Word, M, const LED: bool, const R: usize, const K: usize, const D: usize>
    Machine<'p, S, M, LED, R, K, D>
where
    M: BorrowMut<Memory<S, R, K, D>>,
{
    /// A run that begins at a place, with the position that is in the memory.
    #[inline(always)]
    pub fn new(program: &'p Program<S>, place: Place, memory: M) -> Self {
        Machine {
            program,
            memory,
            open: 0,
            place: place.into(),
            choices: Choices::NONE,
            led: Choices::NONE,
            is_led: LED,
            begun: false,
            made: 0,
            size: PhantomData,
        }
    }

    #[inline(always)]
    pub(super) fn registers(&self) -> &[S; R] {
        &self.memory.borrow().registers
    }

    #[inline(always)]
    pub(super) fn registers_mut(&mut self) -> &mut [S; R] {
        &mut self.memory.borrow_mut().registers
    }

    /// This run, led by these choices.
    pub fn led_by(self, led: Choices) -> Self {
        Machine { led, is_led: true, ..self }
    }

    /// In a browser this is known while it runs, so that all visitors load 10 kB less.
    #[inline(always)]
    fn is_led(&self) -> bool {
        if cfg!(target_family = "wasm") { self.is_led } else { LED }
    }

    /// The position now.
    #[inline]
    pub fn position<const N: usize>(&self) -> [S; N] {
        *self.position_here()
    }

    /// The position now, where it is.
    #[inline]
    pub fn position_here<const N: usize>(&self) -> &[S; N] {
        self.registers().first_chunk().expect("positions have fewer words than there are registers")
    }

    #[inline(always)]
    pub fn get(&self, register: Register) -> S {
        self.registers()[usize::from(register) % R]
    }

    #[inline(always)]
    pub(super) fn set(&mut self, register: Register, value: S) {
        self.registers_mut()[usize::from(register) % R] = value;
    }

    #[inline(always)]
    pub(super) fn field(&self, field: &Field) -> i64 {
        let byte = self.registers()[usize::from(field.word) % R] >> field.shift.into();
        (byte.number() & 0xff) + i64::from(field.least)
    }

    /// Sets a field; `false` if the value is out of its range.
    #[inline(always)]
    pub(super) fn set_field(&mut self, field: &Field, value: i64) -> bool {
        let shift = u32::from(field.shift);
        let word = &mut self.registers_mut()[usize::from(field.word) % R];
        let value_there = S::from_number(value.wrapping_sub(field.least.into()) & 0xff) << shift;
        *word = *word & !(S::from_number(0xff) << shift) | value_there;
        value >= field.least.into() && value <= field.max.into()
    }

    /// Notes what is left at a choice; `false` if there are too many.
    #[inline(always)]
    fn push(&mut self, then: Then, rest: S) -> bool {
        let (open, choices) = (self.open, self.choices.0);
        let Memory { registers, frames } = self.memory.borrow_mut();
        let Some(frame) = frames.get_mut(open) else { return false };
        copy_apart(&mut frame.kept, registers);
        (frame.choices, frame.then, frame.rest) = (choices, then, rest);
        self.open += 1;
        true
    }

    /// Goes back to the last choice that has something left; `false` if there is none.
    #[inline(always)]
    fn back(&mut self) -> bool {
        let Some(at) = self.open.checked_sub(1) else { return false };
        let Memory { registers, frames } = self.memory.borrow_mut();
        let frame = &mut frames[at];
        registers[..K].copy_from_slice(&frame.kept);
        let (then, rest, choices) = (frame.then, frame.rest, Choices(frame.choices));
        let to = usize::from(then.to()) % R;
        self.place = then.place();
        match then.what() {
            Then::CELLS => {
                let cell = rest.lowest();
                frame.rest = rest.without_lowest();
                registers[to] = S::ONE << cell;
                self.open -= usize::from(frame.rest == S::ZERO);
                self.choices = choices.with(Choice::Cell(cell as u8));
            }
            Then::NUMBERS => {
                let (number, last) = (rest.number() & 0xff, rest.number() >> 8 & 0xff);
                frame.rest = S::from_number(last << 8 | (number + 1));
                registers[to] = S::from_number(number);
                self.open -= usize::from(number == last);
                self.choices = choices.with(Choice::Number(number as u8));
            }
            _ => {
                self.open -= 1;
                self.choices = choices;
            }
        }
        true
    }

    /// Goes on to the next complete move; `false` if there is none.
    pub fn next(&mut self) -> bool {
        if self.begun {
            self.made += 1;
            if !self.back() || self.made == MAX_MOVES as u32 && self.is_crowded() {
                return false;
            }
        }
        self.begun = true;
        while !self.run() || self.is_led() && self.choices != self.led {
            if !self.back() {
                return false;
            }
        }
        true
    }

    /// Notes that there are too many moves.
    #[cold]
    fn is_crowded(&self) -> bool {
        self.program.crowded.store(true, Ordering::Relaxed);
        true
    }

    /// Runs until a move is complete; `false` if the choices are no move. One arm for each instruction, in one function, so
    /// that the compiler makes one jump table.
    fn run(&mut self) -> bool {
        let program = self.program;
        let code = &*program.code;
        let mut place = self.place;
        loop {
            // By reference: each arm loads only what it needs.
            let op = &code[place % MAX_OPS];
            place += 1;
            match *op {
                Op::Constant { to, constant } => {
                    self.set(to, program.constants[usize::from(constant)])
                }
                Op::Copy { to, from } => self.set(to, self.get(from)),
                Op::And { to, one, other } => self.set(to, self.get(one) & self.get(other)),
                Op::Or { to, one, other } => self.set(to, self.get(one) | self.get(other)),
                Op::Minus { to, one, other } => self.set(to, self.get(one) & !self.get(other)),
                Op::AndConstant { to, one, constant } => {
                    self.set(to, self.get(one) & program.constants[usize::from(constant)]);
                }
                Op::OrConstant { to, one, constant } => {
                    self.set(to, self.get(one) | program.constants[usize::from(constant)]);
                }
                Op::Outside { to, of, constant } => {
                    self.set(to, program.constants[usize::from(constant)] & !self.get(of));
                }
                Op::Neither { to, one, other, constant } => {
                    let either = self.get(one) | self.get(other);
                    self.set(to, program.constants[usize::from(constant)] & !either);
                }
                Op::Up { to, of, by, constant } => {
                    let from = self.get(of) & program.constants[usize::from(constant)];
                    self.set(to, from << by.into());
                }
                Op::Down { to, of, by, constant } => {
                    let from = self.get(of) & program.constants[usize::from(constant)];
                    self.set(to, from >> by.into());
                }
                Op::LookUp { to, of, table } => {
                    let cell = self.get(of).lowest() as usize;
                    self.set(to, program.tables[usize::from(table)][cell]);
                }
                Op::Step { to, of, table } => {
                    self.set(to, step(&program.tables[usize::from(table)], self.get(of)))
                }
                Op::Rows { to, within, rows } => {
                    let within = self.get(within);
                    let masks = program.rows[usize::from(rows)].masks.iter();
                    let all = masks.filter(|mask| within & **mask == **mask);
                    self.set(to, all.fold(S::ZERO, |all, mask| all | *mask));
                }
                Op::Flood { to, from, within, table } => {
                    let (table, within) = (&program.tables[usize::from(table)], self.get(within));
                    let mut reached = self.get(from) & within;
                    let mut front = reached;
                    while front != S::ZERO {
                        front = step(table, front) & within & !reached;
                        reached |= front;
                    }
                    self.set(to, reached);
                }
                Op::Ray { to, from, through, rays } => {
                    let through = self.get(through);
                    let mut all = S::ZERO;
                    each_ray(self.get(from), &program.rays[usize::from(rays)], |ray| {
                        for cell in ray {
                            if through & *cell == S::ZERO {
                                break;
                            }
                            all |= *cell;
                        }
                    });
                    self.set(to, all);
                }
                Op::Between { to, from, through, end, rays, max } => {
                    let ends = (self.get(through), self.get(end), max);
                    let mut all = S::ZERO;
                    each_ray(self.get(from), &program.rays[usize::from(rays)], |ray| {
                        all |= behind(ray, ends).0
                    });
                    self.set(to, all);
                }
                Op::Beyond { to, from, through, end, rays, max } => {
                    let ends = (self.get(through), self.get(end), max);
                    let mut all = S::ZERO;
                    each_ray(self.get(from), &program.rays[usize::from(rays)], |ray| {
                        all |= behind(ray, ends).1
                    });
                    self.set(to, all);
                }
                Op::Full { to, of, count } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let mut full = S::ZERO;
                    each_cell(self.get(of), |cell| {
                        if fields.get(cell as usize).is_some_and(|field| self.field(field) != 0) {
                            full |= S::ONE << cell;
                        }
                    });
                    self.set(to, full);
                }
                Op::FullConstant { to, constant, count } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let words = fields.len().div_ceil(S::BITS as usize / 8);
                    let first = usize::from(fields[0].word);
                    let bytes = |at: usize| {
                        S::from_number(self.registers()[(first + at) % R].full_bytes() as i64)
                    };
                    let full = (0..words)
                        .fold(S::ZERO, |all, at| all | bytes(at) << (at as u32 * S::BITS / 8));
                    self.set(to, full & program.constants[usize::from(constant)]);
                }
                Op::SumConstant { to, masks } => {
                    let masks = &program.masks[usize::from(masks)];
                    let sum = |(word, mask): &(Register, S)| (self.get(*word) & *mask).byte_sum();
                    let sum = masks.words.iter().map(sum).sum::<i64>() + masks.plus;
                    self.set(to, S::from_number(sum));
                }
                Op::CountAt { to, of, count } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let field = fields.get(self.get(of).lowest() as usize);
                    self.set(to, S::from_number(field.map_or(0, |field| self.field(field))));
                }
                Op::Size { to, of } => self.set(to, S::from_number(self.get(of).count().into())),
                Op::Sum { to, over, count } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let mut sum = 0;
                    each_cell(self.get(over), |cell| {
                        sum += fields.get(cell as usize).map_or(0, |field| self.field(field))
                    });
                    self.set(to, S::from_number(sum));
                }
                Op::Field { to, field } => {
                    let number = self.field(&program.words.numbers[usize::from(field)]);
                    self.set(to, S::from_number(number));
                }
                Op::Calculate { to, sign, one, other } => {
                    let result = sign.of(self.get(one).number(), self.get(other).number());
                    self.set(to, S::from_number(result));
                }
                Op::Jump { place: there } => place = there.into(),
                Op::IfEmpty { of, place: there } => {
                    if self.get(of) == S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfAny { of, place: there } => {
                    if self.get(of) != S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfApart { one, other, place: there } => {
                    if self.get(one) & self.get(other) == S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfMeet { one, other, place: there } => {
                    if self.get(one) & self.get(other) != S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfApartConstant { one, constant, place: there } => {
                    if self.get(one) & program.constants[usize::from(constant)] == S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfMeetConstant { one, constant, place: there } => {
                    if self.get(one) & program.constants[usize::from(constant)] != S::ZERO {
                        place = there.into();
                    }
                }
                Op::IfEqual { one, other, place: there } => {
                    if self.get(one) == self.get(other) {
                        place = there.into();
                    }
                }
                Op::IfUnequal { one, other, place: there } => {
                    if self.get(one) != self.get(other) {
                        place = there.into();
                    }
                }
                Op::IfEqualConstant { one, constant, place: there } => {
                    if self.get(one) == program.constants[usize::from(constant)] {
                        place = there.into();
                    }
                }
                Op::IfUnequalConstant { one, constant, place: there } => {
                    if self.get(one) != program.constants[usize::from(constant)] {
                        place = there.into();
                    }
                }
                Op::IfLess { one, other, place: there } => {
                    if self.get(one).number() < self.get(other).number() {
                        place = there.into();
                    }
                }
                Op::IfNotLess { one, other, place: there } => {
                    if self.get(one).number() >= self.get(other).number() {
                        place = there.into();
                    }
                }
                Op::IfRow { within, rows, place: there } => {
                    if has_row(&program.rows[usize::from(rows)], self.get(within)) {
                        place = there.into();
                    }
                }
                Op::IfNoRow { within, rows, place: there } => {
                    if !has_row(&program.rows[usize::from(rows)], self.get(within)) {
                        place = there.into();
                    }
                }
                Op::Next { to, rest, place: there } => {
                    let left = self.get(rest);
                    match left == S::ZERO {
                        true => place = there.into(),
                        false => {
                            self.set(to, S::ONE << left.lowest());
                            self.set(rest, left.without_lowest());
                        }
                    }
                }
                Op::CountDown { number, place: there } => {
                    let left = self.get(number).number();
                    match left > 0 {
                        true => self.set(number, S::from_number(left - 1)),
                        false => place = there.into(),
                    }
                }
                Op::PutOne { set, other, on } => {
                    let on = self.get(on);
                    self.set(other, self.get(other) & !on);
                    self.set(set, self.get(set) | on);
                }
                Op::ClearBoth { on } => {
                    let on = self.get(on);
                    for set in [Words::SETS, Words::SETS + 1].map(|set| set as Register) {
                        self.set(set, self.get(set) & !on);
                    }
                }
                Op::Carry { from, onto } => {
                    if !self.carry(from, onto) {
                        return false;
                    }
                }
                Op::Permute { table } => self.permute(&program.permutations[usize::from(table)]),
                Op::SetCount { on, value, count } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let value = self.get(value).number();
                    let mut on = self.get(on);
                    while on != S::ZERO {
                        let fits = fields
                            .get(on.lowest() as usize)
                            .is_none_or(|field| self.set_field(field, value));
                        if !fits {
                            return false;
                        }
                        on = on.without_lowest();
                    }
                }
                Op::ChangeCount { on, value, count, sign } => {
                    let fields = &program.words.counts[usize::from(count)];
                    let value = self.get(value).number();
                    let mut on = self.get(on);
                    while on != S::ZERO {
                        if let Some(field) = fields.get(on.lowest() as usize)
                            && !self.set_field(field, sign.of(self.field(field), value))
                        {
                            return false;
                        }
                        on = on.without_lowest();
                    }
                }
                Op::SetField { value, field } => {
                    let value = self.get(value).number();
                    if !self.set_field(&program.words.numbers[usize::from(field)], value) {
                        return false;
                    }
                }
                Op::Sow { to, from, skip, sowing } => {
                    match self.sow(from, skip, &program.sowings[usize::from(sowing)]) {
                        Some(cell) => self.set(to, cell),
                        None => return false,
                    }
                }
                Op::SowByTable { to, from, table } => {
                    match self.sow_by_table(from, &program.sow_tables[usize::from(table)]) {
                        Some(cell) => self.set(to, cell),
                        None => return false,
                    }
                }
                Op::Choose { to, from } => {
                    let from = self.get(from);
                    if from == S::ZERO || self.choices.len() == MAX_CHOICES {
                        return false;
                    }
                    let cell = if self.is_led() {
                        match self.led.get(self.choices.len()) {
                            Some(Choice::Cell(cell)) if from >> cell.into() & S::ONE != S::ZERO => {
                                cell.into()
                            }
                            _ => return false,
                        }
                    } else {
                        let rest = from.without_lowest();
                        if rest != S::ZERO && !self.push(Then::new(place, to, Then::CELLS), rest) {
                            return false;
                        }
                        from.lowest()
                    };
                    self.choices = self.choices.with(Choice::Cell(cell as u8));
                    self.set(to, S::ONE << cell);
                }
                Op::Pick { to, from, last } => {
                    let (from, last) =
                        (self.get(from).number().max(0), self.get(last).number().min(LARGEST));
                    if from > last || self.choices.len() == MAX_CHOICES {
                        return false;
                    }
                    let number = if self.is_led() {
                        match self.led.get(self.choices.len()) {
                            Some(Choice::Number(number))
                                if (from..=last).contains(&number.into()) =>
                            {
                                number.into()
                            }
                            _ => return false,
                        }
                    } else {
                        let rest = S::from_number(last << 8 | (from + 1));
                        if from < last && !self.push(Then::new(place, to, Then::NUMBERS), rest) {
                            return false;
                        }
                        from
                    };
                    self.choices = self.choices.with(Choice::Number(number as u8));
                    self.set(to, S::from_number(number));
                }
                Op::Fork { place: there } => {
                    if !self.push(Then::new(there.into(), 0, Then::ALTERNATIVE), S::ZERO) {
                        return false;
                    }
                }
                Op::Label { label } => {
                    if self.choices.len() == MAX_CHOICES {
                        return false;
                    }
                    let choice = Choice::Label(label);
                    if self.is_led() && self.led.get(self.choices.len()) != Some(choice) {
                        return false;
                    }
                    self.choices = self.choices.with(choice);
                }
                Op::Fail => return false,
                Op::FailIfEmpty { of } => {
                    if self.get(of) == S::ZERO {
                        return false;
                    }
                }
                Op::Again => self.registers_mut()[Words::REST] |= S::ONE << AGAIN,
                Op::Finish { value } => {
                    let value = self.get(value).number().clamp(-MAX_SCORE, MAX_SCORE);
                    self.finish(S::from_number(value));
                    return true;
                }
                Op::FinishConstant { constant } => {
                    self.finish(program.constants[usize::from(constant)]);
                    return true;
                }
                Op::Done => {
                    self.finish_turn();
                    return true;
                }
            }
        }
    }

    /// The game ends with a value for the side that moves.
    #[inline]
    fn finish(&mut self, value: S) {
        let (word, value) = (self.registers()[Words::REST], value.number() as i32);
        let value = if Words::turn(word) == 0 { value } else { value.wrapping_neg() };
        self.registers_mut()[Words::REST] = Words::with_result(word, value);
        self.finish_turn();
    }

    /// The other side moves next, unless the same side moves again.
    #[inline(always)]
    fn finish_turn(&mut self) {
        let word = &mut self.registers_mut()[Words::REST];
        let again = *word >> AGAIN & S::ONE;
        *word = (*word ^ S::ONE ^ again) & !(S::ONE << AGAIN);
    }

    /// Takes what is on one cell to another; `false` if they are not one cell each.
    fn carry(&mut self, from: Register, onto: Register) -> bool {
        let program = self.program;
        let words = &program.words;
        let (from, onto) = (self.get(from), self.get(onto));
        if from.count() != 1 || onto.count() != 1 {
            return false;
        }
        if from == onto {
            return true;
        }
        let (old, new) = (S::ONE << from.lowest(), S::ONE << onto.lowest());
        for set in Words::SETS..Words::SETS + words.pieces {
            let word = &mut self.registers_mut()[set];
            let there = *word & old != S::ZERO;
            *word = *word & !(old | new) | if there { new } else { S::ZERO };
        }
        for fields in &words.counts {
            let (old, new) = (&fields[from.lowest() as usize], &fields[onto.lowest() as usize]);
            let value = self.field(old);
            self.set_field(new, value);
            self.set_field(old, old.least.into());
        }
        true
    }

    fn permute(&mut self, table: &[u8]) {
        let program = self.program;
        let words = &program.words;
        for set in Words::SETS..Words::SETS + words.sets {
            let mut all = S::ZERO;
            each_cell(self.registers()[set], |cell| all |= S::ONE << table[cell as usize].into());
            self.registers_mut()[set] = all;
        }
        for fields in &words.counts {
            let before = *self.registers();
            for (from, to) in table.iter().enumerate() {
                let field = &fields[from];
                let byte = before[usize::from(field.word)] >> field.shift.into();
                let value = (byte.number() & 0xff) + i64::from(field.least);
                self.set_field(&fields[usize::from(*to)], value);
            }
        }
    }
}

/// Does one instruction that changes the position, and puts its result into a register; `false` if that is
/// not possible.
pub fn alone<S: Word>(program: &Program<S>, place: usize, registers: &mut [S; REGISTERS]) -> bool {
    let mut memory = Memory::<S, REGISTERS, 0, 0> { registers: *registers, frames: [] };
    let mut run: Machine<'_, S, _, false, REGISTERS, 0, 0> = Machine::new(program, 0, &mut memory);
    let done = match program.code[place] {
        Op::Carry { from, onto } => run.carry(from, onto),
        Op::Permute { table } => {
            run.permute(&program.permutations[usize::from(table)]);
            true
        }
        Op::Sow { to, from, skip, sowing } => {
            let last = run.sow(from, skip, &program.sowings[usize::from(sowing)]);
            last.inspect(|last| run.set(to, *last)).is_some()
        }
        Op::SowByTable { to, from, table } => {
            let last = run.sow_by_table(from, &program.sow_tables[usize::from(table)]);
            last.inspect(|last| run.set(to, *last)).is_some()
        }
        _ => false,
    };
    *registers = memory.registers;
    done
}

/// Copies word by word, as far as both go. One load of two words that were just stored apart would wait
/// until both are in the cache, which takes as long as several instructions of the machine (a walk
/// through tic-tac-toe: 22 ns a node with `copy_from_slice`, 15 ns so).
#[inline(always)]
fn copy_apart<S: Word>(to: &mut [S], from: &[S]) {
    to.iter_mut().zip(from).for_each(|(to, from)| *to = std::hint::black_box(*from));
}
