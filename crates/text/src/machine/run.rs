//! The machine: runs a program from a position, one move after the other. At a choice it notes what
//! is left to choose; when a move is complete, the last choice that has something left is tried
//! again.

use super::emit::{Program, Rows};
use super::layout::{Field, Words};
use super::op::{Op, Place, Register};
use super::word::Word;
use crate::choices::{Choice, Choices, LARGEST, MOST_CHOICES};

/// What is left to choose at a choice.
#[derive(Clone, Copy)]
struct Frame<S, const K: usize> {
    kept: [S; K],
    choices: Choices,
    place: Place,
    left: Left<S>,
}

#[derive(Clone, Copy)]
enum Left<S> {
    Cells(Register, S),
    Numbers(Register, i64, i64),
    Alternative,
}

/// A run of a program: with R registers, of which K are kept at a choice, and at most D open
/// choices. Small ones begin faster. A run that is `LED` makes the choices of one move only.
pub(crate) struct Machine<'p, S, const LED: bool, const R: usize, const K: usize, const D: usize> {
    program: &'p Program<S>,
    registers: [S; R],
    frames: [Frame<S, K>; D],
    open: usize,
    place: usize,
    /// The choices of the move that is complete.
    pub choices: Choices,
    /// The choices to make, if the run is led.
    led: Choices,
    begun: bool,
}

impl<'p, S: Word, const LED: bool, const R: usize, const K: usize, const D: usize>
    Machine<'p, S, LED, R, K, D>
{
    /// A run from a position that begins at a place.
    #[inline]
    pub fn new<const N: usize>(
        program: &'p Program<S>,
        place: Place,
        position: &[S; N],
    ) -> Machine<'p, S, LED, R, K, D> {
        let mut registers = [S::ZERO; R];
        registers[..N].copy_from_slice(position);
        let frame =
            Frame { kept: [S::ZERO; K], choices: Choices::NONE, place: 0, left: Left::Alternative };
        Machine {
            program,
            registers,
            frames: [frame; D],
            open: 0,
            place: place.into(),
            choices: Choices::NONE,
            led: Choices::NONE,
            begun: false,
        }
    }

    /// The same run, led by these choices.
    pub fn led_by(self, led: Choices) -> Self {
        Machine { led, ..self }
    }

    /// The position now.
    #[inline]
    pub fn position<const N: usize>(&self) -> [S; N] {
        let mut position = [S::ZERO; N];
        position.copy_from_slice(&self.registers[..N]);
        position
    }

    #[inline(always)]
    fn get(&self, register: Register) -> S {
        self.registers[usize::from(register) % R]
    }

    #[inline(always)]
    fn set(&mut self, register: Register, value: S) {
        self.registers[usize::from(register) % R] = value;
    }

    #[inline(always)]
    fn field(&self, field: &Field) -> i64 {
        let byte = self.registers[usize::from(field.word) % R] >> field.shift.into();
        (byte.number() & 0xff) + i64::from(field.least)
    }

    /// Sets a field; `false` if the value is out of its range.
    #[inline(always)]
    fn set_field(&mut self, field: &Field, value: i64) -> bool {
        let shift = u32::from(field.shift);
        let word = &mut self.registers[usize::from(field.word) % R];
        let value_there = S::from_number(value.wrapping_sub(field.least.into()) & 0xff) << shift;
        *word = *word & !(S::from_number(0xff) << shift) | value_there;
        value >= field.least.into() && value <= field.most.into()
    }

    /// Notes what is left at a choice; `false` if there are too many.
    #[inline(always)]
    fn push(&mut self, place: usize, left: Left<S>) -> bool {
        let kept = self.program.kept;
        let Some(frame) = self.frames.get_mut(self.open) else { return false };
        frame.kept[..kept].copy_from_slice(&self.registers[..kept]);
        frame.choices = self.choices;
        frame.place = place as Place;
        frame.left = left;
        self.open += 1;
        true
    }

    /// Goes back to the last choice that has something left; `false` if there is none.
    #[inline(always)]
    fn back(&mut self) -> bool {
        let Some(at) = self.open.checked_sub(1) else { return false };
        let kept = self.program.kept;
        let frame = &mut self.frames[at];
        self.registers[..kept].copy_from_slice(&frame.kept[..kept]);
        self.place = frame.place.into();
        self.choices = frame.choices;
        match &mut frame.left {
            Left::Cells(to, rest) => {
                let cell = rest.lowest();
                *rest = rest.without_lowest();
                let (to, done) = (*to, *rest == S::ZERO);
                self.open -= usize::from(done);
                self.choices = self.choices.with(Choice::Cell(cell as u8));
                self.set(to, S::ONE << cell);
            }
            Left::Numbers(to, next, last) => {
                let (to, number, done) = (*to, *next, *next == *last);
                *next += 1;
                self.open -= usize::from(done);
                self.choices = self.choices.with(Choice::Number(number as u8));
                self.set(to, S::from_number(number));
            }
            Left::Alternative => self.open -= 1,
        }
        true
    }

    /// Goes on to the next complete move; `false` if there is none.
    pub fn next(&mut self) -> bool {
        if self.begun && !self.back() {
            return false;
        }
        self.begun = true;
        while !self.run() || LED && self.choices != self.led {
            if !self.back() {
                return false;
            }
        }
        true
    }

    /// Runs until a move is complete; `false` if the choices are no move.
    fn run(&mut self) -> bool {
        let program = self.program;
        let last = program.words.last;
        let mut place = self.place;
        loop {
            let op = program.ops[place];
            place += 1;
            match op {
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
                Op::Between { to, from, through, end, rays, most } => {
                    let ends = (self.get(through), self.get(end), most);
                    let mut all = S::ZERO;
                    each_ray(self.get(from), &program.rays[usize::from(rays)], |ray| {
                        all |= behind(ray, ends).0
                    });
                    self.set(to, all);
                }
                Op::Beyond { to, from, through, end, rays, most } => {
                    let ends = (self.get(through), self.get(end), most);
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
                Op::Carry { from, onto } => self.carry(from, onto),
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
                Op::Choose { to, from } => {
                    let from = self.get(from);
                    if from == S::ZERO || self.choices.len() == MOST_CHOICES {
                        return false;
                    }
                    let cell = if LED {
                        match self.led.get(self.choices.len()) {
                            Some(Choice::Cell(cell)) if from >> cell.into() & S::ONE != S::ZERO => {
                                cell.into()
                            }
                            _ => return false,
                        }
                    } else {
                        let rest = from.without_lowest();
                        if rest != S::ZERO && !self.push(place, Left::Cells(to, rest)) {
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
                    if from > last || self.choices.len() == MOST_CHOICES {
                        return false;
                    }
                    let number = if LED {
                        match self.led.get(self.choices.len()) {
                            Some(Choice::Number(number))
                                if (from..=last).contains(&number.into()) =>
                            {
                                number.into()
                            }
                            _ => return false,
                        }
                    } else {
                        if from < last && !self.push(place, Left::Numbers(to, from + 1, last)) {
                            return false;
                        }
                        from
                    };
                    self.choices = self.choices.with(Choice::Number(number as u8));
                    self.set(to, S::from_number(number));
                }
                Op::Fork { place: there } => {
                    if !self.push(there.into(), Left::Alternative) {
                        return false;
                    }
                }
                Op::Label { label } => {
                    if self.choices.len() == MOST_CHOICES {
                        return false;
                    }
                    let choice = Choice::Label(label);
                    if LED && self.led.get(self.choices.len()) != Some(choice) {
                        return false;
                    }
                    self.choices = self.choices.with(choice);
                }
                Op::Fail => return false,
                Op::Again => self.registers[last] |= S::ONE << 2,
                Op::Finish { value } => {
                    let value = self.get(value).number() as i32;
                    let word = self.registers[last];
                    let value = if Words::turn(word) == 0 { value } else { value.wrapping_neg() };
                    self.registers[last] = Words::with_result(word, value);
                    self.finish_turn();
                    return true;
                }
                Op::Done => {
                    self.finish_turn();
                    return true;
                }
            }
        }
    }

    /// The other side moves next, unless the same side moves again (bit 2).
    #[inline(always)]
    fn finish_turn(&mut self) {
        let word = &mut self.registers[self.program.words.last];
        let again = *word >> 2 & S::ONE;
        *word = (*word ^ S::ONE ^ again) & !(S::ONE << 2);
    }

    fn carry(&mut self, from: Register, onto: Register) {
        let words = &self.program.words;
        let (from, onto) = (self.get(from), self.get(onto));
        if from == S::ZERO || onto == S::ZERO || from.lowest() == onto.lowest() {
            return;
        }
        let (old, new) = (S::ONE << from.lowest(), S::ONE << onto.lowest());
        for set in 0..words.pieces {
            let word = &mut self.registers[set];
            let there = *word & old != S::ZERO;
            *word = *word & !(old | new) | if there { new } else { S::ZERO };
        }
        for fields in &words.counts {
            let (old, new) = (&fields[from.lowest() as usize], &fields[onto.lowest() as usize]);
            let value = self.field(old);
            self.set_field(new, value);
            self.set_field(old, old.least.into());
        }
    }

    fn permute(&mut self, table: &[u8]) {
        let words = &self.program.words;
        for set in 0..words.sets {
            let mut all = S::ZERO;
            each_cell(self.registers[set], |cell| all |= S::ONE << table[cell as usize].into());
            self.registers[set] = all;
        }
        for fields in &words.counts {
            let before = self.registers;
            for (from, to) in table.iter().enumerate() {
                let field = &fields[from];
                let byte = before[usize::from(field.word)] >> field.shift.into();
                let value = (byte.number() & 0xff) + i64::from(field.least);
                self.set_field(&fields[usize::from(*to)], value);
            }
        }
    }

    /// Sows, and returns the last cell; `None` if that is not possible.
    fn sow(&mut self, from: Register, skip: Register, next: &[u8]) -> Option<S> {
        let fields = &self.program.words.counts[0];
        let (from, skip) = (self.get(from), self.get(skip));
        if from == S::ZERO || fields[0].least > 0 || skip & self.program.all == self.program.all {
            return None;
        }
        let mut at = from.lowest() as usize;
        let mut left = self.field(&fields[at]);
        self.set_field(&fields[at], 0);
        while left > 0 {
            at = next[at].into();
            if skip >> at as u32 & S::ONE != S::ZERO {
                continue;
            }
            let more = self.field(&fields[at]) + 1;
            if !self.set_field(&fields[at], more) {
                return None;
            }
            left -= 1;
        }
        Some(S::ONE << at as u32)
    }
}

#[inline(always)]
fn each_cell<S: Word>(mut set: S, mut visit: impl FnMut(u32)) {
    while set != S::ZERO {
        visit(set.lowest());
        set = set.without_lowest();
    }
}

#[inline]
fn step<S: Word>(table: &[S], of: S) -> S {
    let mut all = S::ZERO;
    each_cell(of, |cell| all |= table[cell as usize]);
    all
}

fn each_ray<S: Word>(from: S, rays: &[Vec<Vec<S>>], mut visit: impl FnMut(&[S])) {
    each_cell(from, |cell| {
        if let Some(rays) = rays.get(cell as usize) {
            rays.iter().for_each(|ray| visit(ray));
        }
    });
}

/// As in the interpreter: what is passed on a ray to an end, and the end.
fn behind<S: Word>(ray: &[S], (through, end, most): (S, S, u8)) -> (S, S) {
    let mut passed = S::ZERO;
    for (count, cell) in ray.iter().enumerate() {
        if count > 0 && end & *cell != S::ZERO {
            return (passed, *cell);
        }
        if through & *cell == S::ZERO || count == usize::from(most) {
            break;
        }
        passed |= *cell;
    }
    (S::ZERO, S::ZERO)
}

#[inline]
fn has_row<S: Word>(rows: &Rows<S>, within: S) -> bool {
    if rows.runs.is_empty() {
        return rows.masks.iter().any(|mask| within & *mask == *mask);
    }
    rows.runs.iter().any(|(from, by)| {
        let mut run = within & *from;
        for at in 1..rows.length {
            run = run & within >> (by * at);
        }
        run != S::ZERO
    })
}
