//! From rules to instructions, once for each side: what is known is in tables and constants, tests
//! become jumps, and what belongs together becomes one instruction.

mod branch;
mod count;
mod number;
mod set;
mod statement;

use std::sync::Arc;

use self::set::rows_of;
pub(crate) use self::set::shift_of;
use super::layout::Words;
use super::op::{Op, Place, REGISTERS, Register};
use super::program::{Entries, MAX_OPS, Program, Rows, TooLarge, WinsAt};
use super::shorten::any_move;
use super::word::Word;
use crate::board::Cells;
use crate::budget::Budget;
use crate::choices::MAX_CHOICES;
use crate::typed::{Block, Rays, Rules, Statement, Stuck, choices, has_choice, open};
use crate::win::{Wins, wins};

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
    /// The names that may hold several cells by the rules.
    may_hold_more: Vec<bool>,
    /// Names that hold one cell by the rules, but several here.
    several: Vec<usize>,
    budget: Budget,
}

/// The program of a game whose positions have `position` words; `None` if they need more.
pub(crate) fn emit<S: Word>(rules: &Rules, position: usize) -> Emitted<Option<Program<S>>> {
    let words = Words::new(&rules.layout, rules.prefers, rules.board.cells.len(), S::BITS);
    if words.len > position {
        return Ok(None);
    }
    let program = Program {
        code: Box::new([Op::Fail; MAX_OPS]),
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
        crowded: Arc::default(),
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
        may_hold_more: may_hold_more(rules),
        several: Vec::new(),
        budget: Budget::new(Budget::EMITTING),
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
        let legal = emitter.legal(&own.moves);
        emitter.block(&legal)?;
        emitter.op(Op::Done)?;
        entries.any = emitter.here()?;
        // Choices that are not made are not counted, so this is only for moves with few.
        let any = match choices(&own.moves)[1] <= MAX_CHOICES {
            true => any_move(&legal, &mut emitter.several),
            false => legal,
        };
        entries.any_at_once = !has_choice(&any);
        emitter.block(&any)?;
        emitter.op(Op::Done)?;
        emitter.several.clear();
        entries.stuck = emitter.here()?;
        if let Stuck::Ends(block) | Stuck::Passes(block) = &own.stuck {
            emitter.block(block)?;
        }
        emitter.op(Op::Done)?;
        // A move that wins may be one that another is preferred to.
        entries.wins = wins(rules, side)
            .filter(|_| !rules.prefers)
            .map(|wins| emitter.wins(wins))
            .transpose()?;
        emitter.program.entries[side] = entries;
    }
    let Emitter { ops, constants, mut program, .. } = emitter;
    program.code[..ops.len()].copy_from_slice(&ops);
    program.constants[..constants.len()].copy_from_slice(&constants);
    Ok(Some(program))
}

/// For each name whether it may hold several cells, or none: choices, sowing and loops give it one.
fn may_hold_more(rules: &Rules) -> Vec<bool> {
    fn note(statement: &Statement, all: &mut [bool]) {
        if let Statement::SetLocal { local, value: _ } = statement {
            all[*local] = true;
        }
        statement.blocks().flatten().for_each(|within| note(within, all));
    }
    let mut all = vec![false; rules.sides.iter().map(|side| side.locals).max().unwrap_or(0)];
    for side in &rules.sides {
        let stuck = match &side.stuck {
            Stuck::Ends(block) | Stuck::Passes(block) => Some(block),
            Stuck::Never => None,
        };
        let blocks = [&side.moves, &side.end].into_iter().chain(stuck);
        blocks.flatten().for_each(|statement| note(statement, &mut all));
    }
    all
}

/// Names that change after they are set, or are set in a loop: how often each is assigned.
fn assignments(block: &Block, within_loop: bool, times: &mut [u32]) {
    for statement in block {
        let loops = matches!(statement, Statement::For { .. } | Statement::Repeat { .. });
        let within_loop = within_loop || loops;
        if let Some(local) = statement.effect().local {
            times[local] += if within_loop { 2 } else { 1 };
        }
        statement.blocks().for_each(|block| assignments(block, within_loop, times));
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
            true => Err(TooLarge(
                "the rules have too many names that hold a value: a loop over directions has its names once for each \
                 direction",
            )),
            false => Ok(()),
        }
    }

    fn op(&mut self, op: Op) -> Emitted<()> {
        self.ops.push(op);
        match self.ops.len() >= MAX_OPS {
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
        self.budget.take(rays.cells).ok_or(TooLarge("the rays of a board are too long"))?;
        let rays: Vec<Vec<Vec<S>>> = rays
            .iter()
            .map(|rays| rays.iter().map(|ray| ray.iter().map(cell).collect()).collect())
            .collect();
        known(&mut self.program.rays, rays)
    }

    /// Finds the cells on which one more piece wins.
    fn wins(&mut self, wins: Wins) -> Emitted<WinsAt> {
        let place = self.here()?;
        let cells = self.value(&wins.cells)?;
        self.op(Op::Done)?;
        let rows = match wins.rows {
            Some((own, rows)) => Some((set_register(own), self.rows(&rows)?)),
            None => None,
        };
        Ok(WinsAt { place, cells, rows })
    }

    fn block(&mut self, block: &Block) -> Emitted<()> {
        for statement in block {
            let before = self.next;
            self.statement(statement)?;
            self.next = before;
        }
        Ok(())
    }

    /// Whether a statement decides what is legal.
    fn decides(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Move { from, to } => !self.is_one_cell(from) || !self.is_one_cell(to),
            Statement::Stop | Statement::Finish(_) => true,
            other => {
                let effect = other.effect();
                effect.chooses
                    || effect.refuses
                    || other.blocks().flatten().any(|inner| self.decides(inner))
            }
        }
    }

    /// The statements of a block up to the last one that decides what is legal.
    fn legal(&self, block: &Block) -> Block {
        let last = block.iter().rposition(|statement| self.decides(statement));
        let mut kept = block[..last.map_or(0, |last| last + 1)].to_vec();
        match kept.last_mut() {
            Some(Statement::Either { alternatives, .. }) => {
                alternatives.iter_mut().for_each(|each| *each = self.legal(each));
            }
            Some(Statement::If { then, otherwise, .. }) => {
                *then = self.legal(then);
                *otherwise = self.legal(otherwise);
            }
            _ => {}
        }
        kept
    }

    /// A register that keeps its value when another choice is tried: for loops.
    fn kept_register(&mut self) -> Emitted<Register> {
        // Everything up to it is kept too.
        let register = self.register()?;
        self.program.kept = self.program.kept.max(usize::from(register) + 1);
        Ok(register)
    }
}

/// The register of a set of the position.
fn set_register(set: usize) -> Register {
    (Words::SETS + set) as Register
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
        _ => unreachable!("it is no jump"),
    }
}
