//! From rules to instructions, once for each side: what is known is in tables and constants, tests
//! become jumps, and what belongs together becomes one instruction.

use std::sync::Arc;

use super::layout::{Field, Words};
use super::op::{Op, Place, REGISTERS, Register};
use super::shorten::{any_move, has_no_choice, only_local, tabulated};
use super::word::Word;
use crate::board::{Cells, bit, cells};
use crate::choices::MOST_CHOICES;
use crate::interpret;
use crate::typed::{Block, Number, Rays, Rules, Set, Sign, Statement, Stuck, Truth, choices, open};

/// The most instructions of a program; a power of two.
pub(crate) const MOST_OPS: usize = 1 << 12;

/// A program.
#[derive(Clone, Debug)]
pub(crate) struct Program<S> {
    /// The instructions; `Fail` follows the last one. A fixed length spares a check at each.
    pub code: Box<[Op; MOST_OPS]>,
    pub constants: Box<[S; 256]>,
    /// For one cell and one place more, for no cell: the cells that it leads to.
    pub tables: Vec<Vec<S>>,
    pub rows: Vec<Rows<S>>,
    pub rays: Vec<Vec<Vec<Vec<S>>>>,
    pub permutations: Vec<Vec<u8>>,
    pub sowings: Vec<Vec<u8>>,
    pub sow_tables: Vec<SowTable<S>>,
    /// The bytes of a count on some cells.
    pub masks: Vec<Masks<S>>,
    pub words: Words,
    pub all: S,
    /// For each side, where its parts begin.
    pub entries: [Entries; 2],
    /// The registers that have to be as before when another choice is tried: the position, and
    /// names whose values change.
    pub kept: usize,
    /// The number of registers in use.
    pub registers: usize,
    /// The most choices that can be open at a time.
    pub open: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entries {
    /// Moves with what follows.
    pub moves: Place,
    /// What has to be known of moves: whether they are legal.
    pub legal: Place,
    /// Whether there is a move.
    pub any: Place,
    /// Whether that takes no choice.
    pub any_at_once: bool,
    /// The result of a side that cannot move.
    pub stuck: Place,
}

/// The rows of a length: as masks, and, where the board allows, as shifts.
#[derive(Clone, Debug)]
pub(crate) struct Rows<S> {
    pub masks: Vec<S>,
    /// For each direction: the cells from which a row begins, and the distance of its cells.
    pub runs: Vec<(S, u32)>,
    pub length: u32,
}

/// The bytes of a count on some cells: in each word those that count, and a number to add, since a
/// byte is a count minus the smallest one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Masks<S> {
    pub words: Vec<(Register, S)>,
    pub plus: i64,
}

/// What a sowing adds to the counts, by the cell that it begins from and the number that is sown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SowTable<S> {
    /// The first word of the counts.
    pub first: usize,
    /// How many words they are.
    pub words: usize,
    /// Numbers below this one are in the table.
    pub numbers: usize,
    /// For each cell and number: what is added to each word.
    pub added: Vec<S>,
    /// For each cell and number: the last cell.
    pub last: Vec<u8>,
    /// In each byte 127 minus the largest count: adding it shows counts that are too large.
    pub room: S,
    /// The highest bit of each byte.
    pub high: S,
    /// The sowing one by one: where each cell leads to, and the cells that are left out.
    pub next: Vec<u8>,
    pub skip: S,
}

/// Why rules cannot be a program; the limits are far beyond board games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TooLarge(pub &'static str);

type Emitted<T> = Result<T, TooLarge>;

/// A place that a jump goes to, once it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Target(usize);

struct Emitter<'a, S> {
    rules: &'a Rules,
    ops: Vec<Op>,
    constants: Vec<S>,
    program: Program<S>,
    /// For each target, its place, and the jumps that wait for it.
    targets: Vec<(Option<Place>, Vec<usize>)>,
    /// The register of each local.
    locals: Vec<Register>,
    /// The first register that is free.
    next: usize,
    /// Where `stop` goes.
    loops: Vec<Target>,
    /// Names that hold one cell by the rules, but several here.
    several: Vec<usize>,
}

/// The program of a game whose positions have `position` words; `None` if they need more.
pub(crate) fn emit<S: Word>(rules: &Rules, position: usize) -> Emitted<Option<Program<S>>> {
    let words = Words::new(&rules.layout, rules.board.cells.len(), S::BITS);
    if words.len > position {
        return Ok(None);
    }
    let program = Program {
        code: Box::new([Op::Fail; MOST_OPS]),
        constants: Box::new([S::ZERO; 256]),
        tables: Vec::new(),
        rows: Vec::new(),
        rays: Vec::new(),
        permutations: Vec::new(),
        sowings: Vec::new(),
        sow_tables: Vec::new(),
        masks: Vec::new(),
        words,
        all: S::from_cells(rules.board.all()),
        entries: [Entries::default(); 2],
        kept: position,
        registers: position,
        open: 0,
    };
    let mut emitter = Emitter {
        rules,
        ops: Vec::new(),
        constants: Vec::new(),
        program,
        targets: Vec::new(),
        locals: Vec::new(),
        next: 0,
        loops: Vec::new(),
        several: Vec::new(),
    };
    for side in 0..2 {
        let own = &rules.sides[side];
        emitter.set_locals(position, own.locals, &own.moves)?;
        let mut entries = Entries { moves: emitter.here()?, ..Entries::default() };
        emitter.program.open = emitter.program.open.max(open(&own.moves));
        emitter.block(&own.moves)?;
        emitter.block(&own.end)?;
        emitter.op(Op::Done)?;
        entries.legal = emitter.here()?;
        let legal = legal(&own.moves);
        emitter.block(&legal)?;
        emitter.op(Op::Done)?;
        entries.any = emitter.here()?;
        // Choices that are not made are not counted, so this is only for moves with few.
        let any = match choices(&own.moves)[1] <= MOST_CHOICES {
            true => any_move(&legal, &mut emitter.several),
            false => legal,
        };
        entries.any_at_once = has_no_choice(&any);
        emitter.block(&any)?;
        emitter.op(Op::Done)?;
        emitter.several.clear();
        entries.stuck = emitter.here()?;
        if let Stuck::Ends(block) | Stuck::Passes(block) = &own.stuck {
            emitter.block(block)?;
        }
        emitter.op(Op::Done)?;
        emitter.program.entries[side] = entries;
    }
    let Emitter { ops, constants, mut program, .. } = emitter;
    program.code[..ops.len()].copy_from_slice(&ops);
    program.constants[..constants.len()].copy_from_slice(&constants);
    Ok(Some(program))
}

/// The statements of a block up to the last one that decides what is legal.
fn legal(block: &Block) -> Block {
    let decides = |statement: &Statement| match statement {
        Statement::Choose { .. }
        | Statement::Pick { .. }
        | Statement::Require(_)
        | Statement::Either { .. }
        | Statement::SetCount { .. }
        | Statement::SetNumber { .. }
        | Statement::Sow { .. }
        | Statement::Stop
        | Statement::Finish(_) => true,
        Statement::If { then, otherwise, .. } => {
            !legal(then).is_empty() || !legal(otherwise).is_empty()
        }
        Statement::For { body, .. } | Statement::Repeat { body, .. } => !legal(body).is_empty(),
        _ => false,
    };
    let last = block.iter().rposition(decides);
    let mut kept = block[..last.map_or(0, |last| last + 1)].to_vec();
    match kept.last_mut() {
        Some(Statement::Either { alternatives, .. }) => {
            alternatives.iter_mut().for_each(|each| *each = legal(each));
        }
        Some(Statement::If { then, otherwise, .. }) => {
            *then = legal(then);
            *otherwise = legal(otherwise);
        }
        _ => {}
    }
    kept
}

/// Names that change after they are set, or are set in a loop: how often each is assigned.
fn assignments(block: &Block, within_loop: bool, times: &mut [u32]) {
    let mut assign = |local: usize| times[local] += if within_loop { 2 } else { 1 };
    for statement in block {
        match statement {
            Statement::Choose { local, .. }
            | Statement::Pick { local, .. }
            | Statement::SetLocal { local, .. }
            | Statement::NumberLocal { local, .. }
            | Statement::TruthLocal { local, .. }
            | Statement::Sow { local, .. } => assign(*local),
            _ => {}
        }
    }
    for statement in block {
        match statement {
            Statement::If { then, otherwise, .. } => {
                assignments(then, within_loop, times);
                assignments(otherwise, within_loop, times);
            }
            Statement::Either { alternatives, .. } => {
                alternatives.iter().for_each(|each| assignments(each, within_loop, times));
            }
            Statement::For { local, body, .. } => {
                times[*local] += 2;
                assignments(body, true, times);
            }
            Statement::Repeat { body, .. } => assignments(body, true, times),
            _ => {}
        }
    }
}

impl<S: Word> Emitter<'_, S> {
    /// Gives every local a register; those that change come right after the position.
    fn set_locals(&mut self, position: usize, count: usize, moves: &Block) -> Emitted<()> {
        let mut times = vec![0; count];
        assignments(moves, false, &mut times);
        let changing = (0..count).filter(|local| times[*local] > 1);
        let steady = (0..count).filter(|local| times[*local] <= 1);
        self.locals = vec![0; count];
        let kept = position + changing.clone().count();
        for (at, local) in changing.chain(steady).enumerate() {
            self.locals[local] = (position + at) as Register;
        }
        self.next = position + count;
        self.program.registers = self.program.registers.max(self.next);
        self.program.kept = self.program.kept.max(kept);
        match self.next + 8 > REGISTERS {
            true => Err(TooLarge("the rules have too many names")),
            false => Ok(()),
        }
    }

    fn op(&mut self, op: Op) -> Emitted<()> {
        self.ops.push(op);
        match self.ops.len() >= MOST_OPS {
            true => Err(TooLarge("the rules are too long")),
            false => Ok(()),
        }
    }

    fn here(&self) -> Emitted<Place> {
        Place::try_from(self.ops.len()).map_err(|_| TooLarge("the rules are too long"))
    }

    fn register(&mut self) -> Emitted<Register> {
        self.next += 1;
        self.program.registers = self.program.registers.max(self.next);
        match self.next > REGISTERS {
            true => Err(TooLarge("an expression is too large")),
            false => Ok(self.next as Register - 1),
        }
    }

    fn target(&mut self) -> Target {
        self.targets.push((None, Vec::new()));
        Target(self.targets.len() - 1)
    }

    /// The target is here.
    fn set(&mut self, target: Target) -> Emitted<()> {
        let here = self.here()?;
        let (place, waiting) = &mut self.targets[target.0];
        *place = Some(here);
        for at in std::mem::take(waiting) {
            *place_of(&mut self.ops[at]) = here;
        }
        Ok(())
    }

    /// A jump to a target.
    fn jump(&mut self, op: Op, target: Target) -> Emitted<()> {
        let at = self.ops.len();
        self.op(op)?;
        match self.targets[target.0].0 {
            Some(place) => *place_of(&mut self.ops[at]) = place,
            None => self.targets[target.0].1.push(at),
        }
        Ok(())
    }

    fn constant(&mut self, value: S) -> Emitted<u8> {
        let known = self.constants.iter().position(|each| *each == value);
        if known.is_none() {
            self.constants.push(value);
        }
        index(known.unwrap_or(self.constants.len() - 1))
    }

    fn table(&mut self, table: &Arc<[Cells]>) -> Emitted<u8> {
        let mut table: Vec<S> = table.iter().map(|cells| S::from_cells(*cells)).collect();
        table.resize(S::BITS as usize + 1, S::ZERO);
        known(&mut self.program.tables, table)
    }

    fn rows(&mut self, masks: &Arc<[Cells]>) -> Emitted<u8> {
        let rows = rows_of(masks);
        let same = |each: &Rows<S>| each.masks == rows.masks;
        let at = self.program.rows.iter().position(same);
        if at.is_none() {
            self.program.rows.push(rows);
        }
        index(at.unwrap_or(self.program.rows.len() - 1))
    }

    fn rays(&mut self, rays: &Rays) -> Emitted<u8> {
        let cell = |cell: &u8| S::ONE << u32::from(*cell);
        let rays: Vec<Vec<Vec<S>>> = rays
            .iter()
            .map(|rays| rays.iter().map(|ray| ray.iter().map(cell).collect()).collect())
            .collect();
        known(&mut self.program.rays, rays)
    }

    fn block(&mut self, block: &Block) -> Emitted<()> {
        for statement in block {
            let before = self.next;
            self.statement(statement)?;
            self.next = before;
        }
        Ok(())
    }

    fn statement(&mut self, statement: &Statement) -> Emitted<()> {
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
                let to = self.locals[*local];
                self.value_to(value, to)
            }
            Statement::NumberLocal { local, value } => {
                let from = self.number(value)?;
                self.op(Op::Copy { to: self.locals[*local], from })
            }
            Statement::TruthLocal { local, value } => {
                let to = self.locals[*local];
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
            Statement::Either { alternatives, labels } => {
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
            Statement::For { local, over, body } => {
                let rest = self.kept_register()?;
                self.value_to(over, rest)?;
                let (top, done) = (self.target(), self.target());
                self.set(top)?;
                self.jump(Op::Next { to: self.locals[*local], rest, place: 0 }, done)?;
                self.loops.push(done);
                self.block(body)?;
                self.loops.pop();
                self.jump(Op::Jump { place: 0 }, top)?;
                self.set(done)
            }
            Statement::Repeat { times, body } => {
                let number = self.kept_register()?;
                let most = Number::Value(crate::interpret::MOST_TIMES);
                let times = Number::Calculate(Sign::Least, Box::new(times.clone()), Box::new(most));
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
            Statement::Stop => match self.loops.last() {
                Some(done) => self.jump(Op::Jump { place: 0 }, *done),
                None => Ok(()),
            },
            Statement::Put { set, on } => {
                let on = self.value(on)?;
                if self.rules.layout.pieces == 2 {
                    let (set, other) = (set_register(*set), set_register(1 - *set));
                    return self.op(Op::PutOne { set, other, on });
                }
                for other in (0..self.rules.layout.pieces).filter(|other| other != set) {
                    self.op(Op::Minus {
                        to: set_register(other),
                        one: set_register(other),
                        other: on,
                    })?;
                }
                let set = set_register(*set);
                self.op(Op::Or { to: set, one: set, other: on })
            }
            Statement::Clear(on) => {
                let on = self.value(on)?;
                if self.rules.layout.pieces == 2 {
                    return self.op(Op::ClearBoth { on });
                }
                for set in (0..self.rules.layout.pieces).map(set_register) {
                    self.op(Op::Minus { to: set, one: set, other: on })?;
                }
                Ok(())
            }
            Statement::Mark { set, value } => self.value_to(value, set_register(*set)),
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
            Statement::Sow { local, from, skip, next, .. } => {
                if let Some(table) = self.sow_table(skip, next) {
                    let from = self.value(from)?;
                    let table = known(&mut self.program.sow_tables, table)?;
                    return self.op(Op::SowByTable { to: self.locals[*local], from, table });
                }
                let (from, skip) = (self.value(from)?, self.value(skip)?);
                let sowing = known(&mut self.program.sowings, next.to_vec())?;
                self.op(Op::Sow { to: self.locals[*local], from, skip, sowing })
            }
            Statement::Again => self.op(Op::Again),
            Statement::Finish(Number::Value(value)) => {
                let constant = self.constant(S::from_number(*value))?;
                self.op(Op::FinishConstant { constant })
            }
            Statement::Finish(value) => {
                let value = self.number(value)?;
                self.op(Op::Finish { value })
            }
        }
    }

    /// A register that keeps its value when another choice is tried: for loops.
    fn kept_register(&mut self) -> Emitted<Register> {
        // Everything up to it is kept too.
        let register = self.register()?;
        self.program.kept = self.program.kept.max(usize::from(register) + 1);
        Ok(register)
    }

    /// Jumps if a condition is as `when` says.
    fn branch(&mut self, truth: &Truth, when: bool, target: Target) -> Emitted<()> {
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
            Truth::Any(Set::Both(parts))
                if let [Set::Cells(cells), one] | [one, Set::Cells(cells)] = &parts[..] =>
            {
                let constant = self.constant(S::from_cells(*cells))?;
                let one = self.value(one)?;
                let op = match when {
                    true => Op::IfMeetConstant { one, constant, place },
                    false => Op::IfApartConstant { one, constant, place },
                };
                self.jump(op, target)
            }
            Truth::Any(Set::Both(parts)) if parts.len() == 2 => {
                let (one, other) = (self.value(&parts[0])?, self.value(&parts[1])?);
                let op = match when {
                    true => Op::IfMeet { one, other, place },
                    false => Op::IfApart { one, other, place },
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
    fn each(&mut self, parts: &[Truth], unless: bool, target: Target) -> Emitted<()> {
        let over = self.target();
        for part in parts {
            let before = self.next;
            self.branch(part, unless, over)?;
            self.next = before;
        }
        self.jump(Op::Jump { place: 0 }, target)?;
        self.set(over)
    }

    fn equal(&mut self, one: Register, other: Register, when: bool, target: Target) -> Emitted<()> {
        let place = 0;
        let op = match when {
            true => Op::IfEqual { one, other, place },
            false => Op::IfUnequal { one, other, place },
        };
        self.jump(op, target)
    }

    fn equal_constant(
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

    /// The bytes of a count on some cells.
    fn masks(&mut self, count: usize, over: Cells) -> Emitted<u8> {
        let mut masks = Masks { words: Vec::new(), plus: 0 };
        for cell in cells(over) {
            let Field { word, shift, least, .. } = self.program.words.counts[count][cell];
            let byte = S::from_number(0xff) << shift.into();
            masks.plus += i64::from(least);
            match masks.words.last_mut().filter(|(each, _)| *each == word) {
                Some((_, mask)) => *mask |= byte,
                None => masks.words.push((word, byte)),
            }
        }
        known(&mut self.program.masks, masks)
    }

    /// The table of a sowing that leaves out the same cells always; `None` if counts are too large for
    /// it, or not from 0.
    fn sow_table(&self, skip: &Set, next: &[u8]) -> Option<SowTable<S>> {
        const LARGEST: i32 = 112;
        let Set::Cells(skip) = skip else { return None };
        let fields = self.program.words.counts.first()?;
        let (board, most) = (self.rules.board.cells.len(), fields.first()?.most);
        let all_skipped = skip & self.rules.board.all() == self.rules.board.all();
        if fields[0].least != 0 || most > LARGEST || all_skipped {
            return None;
        }
        let (first, last) = (fields.first()?.word.into(), usize::from(fields.last()?.word));
        let (words, numbers) = (last + 1 - first, (most as usize).min(2 * board) + 1);
        let mut table = SowTable {
            first,
            words,
            numbers,
            added: Vec::with_capacity(board * numbers * words),
            last: Vec::with_capacity(board * numbers),
            room: every_byte((127 - most) as u64),
            high: every_byte(0x80),
            next: next.to_vec(),
            skip: S::from_cells(*skip),
        };
        for from in 0..board {
            let (mut at, mut added) = (from, vec![S::ZERO; words]);
            for number in 0..numbers {
                if number > 0 {
                    at = interpret::sown_to(at, *skip, next);
                    let Field { word, shift, .. } = fields[at];
                    let word = &mut added[usize::from(word) - first];
                    let byte = (*word >> shift.into()).number() & 0xff;
                    *word = *word & !(S::from_number(0xff) << shift.into())
                        | S::from_number(byte + 1) << shift.into();
                }
                table.added.extend(&added);
                table.last.push(at as u8);
            }
        }
        Some(table)
    }

    /// A set in a register.
    fn value(&mut self, set: &Set) -> Emitted<Register> {
        match set {
            Set::State(set) => Ok(set_register(*set)),
            Set::Local(local) => Ok(self.locals[*local]),
            set => {
                let to = self.register()?;
                self.value_to(set, to)?;
                Ok(to)
            }
        }
    }

    /// Puts a set into a register. Registers that are needed on the way are free again afterwards.
    fn value_to(&mut self, set: &Set, to: Register) -> Emitted<()> {
        let before = self.next;
        match self.table_of(set) {
            Some((table, local)) => {
                let (of, table) = (self.locals[local], known(&mut self.program.tables, table)?);
                self.op(Op::LookUp { to, of, table })?;
            }
            None => self.make(set, to)?,
        }
        self.next = before;
        Ok(())
    }

    /// A set as a table, if it depends on one cell alone; and the name of this cell.
    fn table_of(&self, set: &Set) -> Option<(Vec<S>, usize)> {
        if matches!(set, Set::Cells(_) | Set::Local(_) | Set::State(_)) {
            return None;
        }
        let local = only_local(set).filter(|local| self.is_one_cell(&Set::Local(*local)))?;
        let mut table = tabulated(set, local, self.rules.board.cells.len());
        let none = table.pop().unwrap_or(0);
        let mut table: Vec<S> = table.into_iter().map(S::from_cells).collect();
        table.resize(S::BITS as usize, S::ZERO);
        table.push(S::from_cells(none));
        Some((table, local))
    }

    fn make(&mut self, set: &Set, to: Register) -> Emitted<()> {
        match set {
            Set::Cells(cells) => {
                let constant = self.constant(S::from_cells(*cells))?;
                self.op(Op::Constant { to, constant })
            }
            Set::State(from) => self.op(Op::Copy { to, from: set_register(*from) }),
            Set::Local(local) => self.op(Op::Copy { to, from: self.locals[*local] }),
            Set::Union(parts) => {
                // What depends on the same cell alone is one table.
                let by_table = |part: &Set| self.table_of(part).map(|(_, local)| local);
                let first = parts.iter().find_map(by_table);
                let (tables, mut rest): (Vec<Set>, Vec<Set>) = parts
                    .iter()
                    .cloned()
                    .partition(|part| first.is_some() && by_table(part) == first);
                match tables.len() {
                    0 => {}
                    1 => rest.extend(tables),
                    _ => rest.push(Set::Union(tables)),
                }
                self.fold(&rest, to, |to, one, other| Op::Or { to, one, other })
            }
            Set::Both(parts) => self.fold(parts, to, |to, one, other| Op::And { to, one, other }),
            Set::Minus(one, other) => {
                if let (Set::Cells(cells), Set::Union(parts)) = (&**one, &**other)
                    && let [one, other] = &parts[..]
                {
                    let constant = self.constant(S::from_cells(*cells))?;
                    let (one, other) = (self.value(one)?, self.value(other)?);
                    return self.op(Op::Neither { to, one, other, constant });
                }
                if let Set::Cells(cells) = &**one {
                    let constant = self.constant(S::from_cells(*cells))?;
                    let of = self.value(other)?;
                    return self.op(Op::Outside { to, of, constant });
                }
                let (one, other) = (self.value(one)?, self.value(other)?);
                self.op(Op::Minus { to, one, other })
            }
            Set::Step { table, of } => self.step(table, of, to),
            Set::Rows { rows, within } => {
                let within = self.value(within)?;
                let rows = self.rows(rows)?;
                self.op(Op::Rows { to, within, rows })
            }
            Set::Flood { from, within, table } => {
                let (from, within) = (self.value(from)?, self.value(within)?);
                let table = self.table(table)?;
                self.op(Op::Flood { to, from, within, table })
            }
            Set::Ray { from, through, rays } => {
                let (from, through) = (self.value(from)?, self.value(through)?);
                let rays = self.rays(rays)?;
                self.op(Op::Ray { to, from, through, rays })
            }
            Set::Between { from, through, to: end, rays, most } => {
                let (from, through, end) =
                    (self.value(from)?, self.value(through)?, self.value(end)?);
                let rays = self.rays(rays)?;
                self.op(Op::Between { to, from, through, end, rays, most: *most as u8 })
            }
            Set::Beyond { from, through, to: end, rays, most } => {
                let (from, through, end) =
                    (self.value(from)?, self.value(through)?, self.value(end)?);
                let rays = self.rays(rays)?;
                self.op(Op::Beyond { to, from, through, end, rays, most: *most as u8 })
            }
            Set::Full { count, of }
                if let Set::Cells(cells) = &**of
                    && self.rules.layout.counts[*count][0] == 0 =>
            {
                let constant = self.constant(S::from_cells(*cells))?;
                self.op(Op::FullConstant { to, constant, count: *count as u8 })
            }
            Set::Full { count, of } => {
                let of = self.value(of)?;
                self.op(Op::Full { to, of, count: *count as u8 })
            }
        }
    }

    /// Joins the parts of a set by an instruction for two.
    fn fold(
        &mut self,
        parts: &[Set],
        to: Register,
        op: fn(Register, Register, Register) -> Op,
    ) -> Emitted<()> {
        let (known, parts): (Vec<&Set>, Vec<&Set>) =
            parts.iter().partition(|part| matches!(part, Set::Cells(_)));
        let mut so_far: Option<Register> = None;
        for part in parts {
            let next = self.value(part)?;
            if let Some(before) = so_far {
                self.op(op(to, before, next))?;
                so_far = Some(to);
            } else {
                so_far = Some(next);
            }
        }
        match (so_far, known.first()) {
            (Some(one), Some(Set::Cells(cells))) => {
                let constant = self.constant(S::from_cells(*cells))?;
                match op(0, 0, 0) {
                    Op::And { .. } => self.op(Op::AndConstant { to, one, constant }),
                    _ => self.op(Op::OrConstant { to, one, constant }),
                }
            }
            (None, Some(set)) => self.make(set, to),
            (Some(from), None) if from != to => self.op(Op::Copy { to, from }),
            _ => Ok(()),
        }
    }

    /// The cells that a table gives: as a shift if it is one, as a look-up if there is one cell.
    fn step(&mut self, table: &Arc<[Cells]>, of: &Set, to: Register) -> Emitted<()> {
        let is_one = self.is_one_cell(of);
        let of = self.value(of)?;
        let shift = shift_of(table);
        if let Some((by, from)) = shift {
            let constant = self.constant(S::from_cells(from))?;
            let op = match by {
                0.. => Op::Up { to, of, by: by as u8, constant },
                _ => Op::Down { to, of, by: -by as u8, constant },
            };
            return self.op(op);
        }
        let table = self.table(table)?;
        self.op(if is_one { Op::LookUp { to, of, table } } else { Op::Step { to, of, table } })
    }

    /// Whether a set has one cell at most: a name that only choices, sowing and loops set.
    fn is_one_cell(&self, set: &Set) -> bool {
        fn may_hold_more(block: &Block, local: usize) -> bool {
            block.iter().any(|statement| match statement {
                Statement::SetLocal { local: at, .. } => *at == local,
                Statement::For { body, .. } | Statement::Repeat { body, .. } => {
                    may_hold_more(body, local)
                }
                Statement::If { then, otherwise, .. } => {
                    may_hold_more(then, local) || may_hold_more(otherwise, local)
                }
                Statement::Either { alternatives, .. } => {
                    alternatives.iter().any(|each| may_hold_more(each, local))
                }
                _ => false,
            })
        }
        let Set::Local(local) = set else { return false };
        if self.several.contains(local) {
            return false;
        }
        self.rules.sides.iter().all(|side| {
            let stuck = match &side.stuck {
                Stuck::Ends(block) | Stuck::Passes(block) => Some(block),
                Stuck::Never => None,
            };
            let mut blocks = [&side.moves, &side.end].into_iter().chain(stuck);
            !blocks.any(|block| may_hold_more(block, *local))
        })
    }

    /// A number in a register.
    fn number(&mut self, number: &Number) -> Emitted<Register> {
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

    fn make_number(&mut self, number: &Number, to: Register) -> Emitted<()> {
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
            Number::Sum { count, over } if let Set::Cells(cells) = &**over => {
                let masks = self.masks(*count, *cells)?;
                self.op(Op::SumConstant { to, masks })
            }
            Number::Sum { count, over } if self.is_one_cell(over) => {
                let of = self.value(over)?;
                self.op(Op::CountAt { to, of, count: *count as u8 })
            }
            Number::Sum { count, over } => {
                let over = self.value(over)?;
                self.op(Op::Sum { to, over, count: *count as u8 })
            }
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

/// The register of a set of the position.
fn set_register(set: usize) -> Register {
    (Words::SETS + set) as Register
}

/// A word with the same number in every byte.
fn every_byte<S: Word>(byte: u64) -> S {
    let half = byte * 0x0101_0101_0101_0101;
    (0..S::BITS as usize / 64).fold(S::ZERO, |all, at| all | S::from_half(half, at))
}

fn index(at: usize) -> Emitted<u8> {
    u8::try_from(at).map_err(|_| TooLarge("the rules have too many tables and constants"))
}

/// The number of an item in a list, to which it is added if it is new.
fn known<T: PartialEq>(all: &mut Vec<T>, item: T) -> Emitted<u8> {
    let at = all.iter().position(|each| *each == item);
    if at.is_none() {
        all.push(item);
    }
    index(at.unwrap_or(all.len() - 1))
}

/// The place in a jump.
fn place_of(op: &mut Op) -> &mut Place {
    match op {
        Op::Jump { place }
        | Op::IfEmpty { place, .. }
        | Op::IfAny { place, .. }
        | Op::IfApart { place, .. }
        | Op::IfMeet { place, .. }
        | Op::IfApartConstant { place, .. }
        | Op::IfMeetConstant { place, .. }
        | Op::IfEqual { place, .. }
        | Op::IfUnequal { place, .. }
        | Op::IfEqualConstant { place, .. }
        | Op::IfUnequalConstant { place, .. }
        | Op::IfLess { place, .. }
        | Op::IfNotLess { place, .. }
        | Op::IfRow { place, .. }
        | Op::IfNoRow { place, .. }
        | Op::Next { place, .. }
        | Op::CountDown { place, .. }
        | Op::Fork { place } => place,
        other => unreachable!("{other:?} is no jump"),
    }
}

/// The shift that a table is, if it is one: by how much, and for which cells.
fn shift_of(table: &[Cells]) -> Option<(i32, Cells)> {
    let mut by = None;
    let mut from = 0;
    for (cell, to) in table.iter().enumerate() {
        match to.count_ones() {
            0 => continue,
            1 => {}
            _ => return None,
        }
        let here = to.trailing_zeros() as i32 - cell as i32;
        if by.is_some_and(|by| by != here) {
            return None;
        }
        by = Some(here);
        from |= bit(cell);
    }
    by.map(|by| (by, from))
}

/// Rows as masks, and as runs of equal steps where that takes fewer.
fn rows_of<S: Word>(masks: &[Cells]) -> Rows<S> {
    let length = masks.first().map_or(0, |mask| mask.count_ones());
    let mut runs: Vec<(Cells, u32)> = Vec::new();
    let mut even = true;
    for mask in masks {
        let all: Vec<usize> = cells(*mask).collect();
        let by = all[1] - all[0];
        even &= all.windows(2).all(|pair| pair[1] - pair[0] == by);
        match runs.iter_mut().find(|(_, each)| *each == by as u32) {
            Some((from, _)) => *from |= bit(all[0]),
            None => runs.push((bit(all[0]), by as u32)),
        }
    }
    let runs = if even && runs.len() * 2 <= masks.len() { runs } else { Vec::new() };
    Rows {
        masks: masks.iter().map(|mask| S::from_cells(*mask)).collect(),
        runs: runs.into_iter().map(|(from, by)| (S::from_cells(from), by)).collect(),
        length,
    }
}
