//! From a program of the machine to a function of Cranelift.
//!
//! Which choices are open at a place of a program is known before it runs: so a choice becomes a loop,
//! and the machine's stack disappears. A place that is reached with different choices open is translated
//! once for each. What a choice does not change is taken from before it.

use std::collections::HashMap;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{
    Block, BlockArg, Function, InstBuilder, MemFlags, SigRef, Signature, Value,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use foregone_text::machine::{Op, Place, Program, REGISTERS, Register, Rows, WinsAt};

use crate::helpers::Helper;

/// The most blocks, and instructions of the machine, of a function: the code of rules that choose in loops
/// would grow without end.
const MAX_BLOCKS: usize = 1 << 10;
pub(crate) const MAX_DONE: usize = 1 << 12;
/// The most rows that are looked at without a loop.
const FEW: usize = 24;

/// What a function is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Purpose {
    /// Moves with the positions after them, of so many words each.
    Successors(usize),
    Moves,
    /// Whether there is a move.
    CanMove,
    /// The cells of a register, where the program is done, with which rows are completed.
    Wins(WinsAt),
    /// Not the program: the cells with which a set completes rows.
    Completing(u8),
    /// The position after the move with some choices.
    Play,
}

impl Purpose {
    fn parameters(self) -> usize {
        match self {
            Purpose::Successors(_) | Purpose::Moves => 4,
            Purpose::CanMove | Purpose::Wins(_) | Purpose::Completing(_) => 1,
            Purpose::Play => 3,
        }
    }
}

/// The choices of which something is left, by the places behind them and how many were made before; and
/// how many were made.
#[derive(Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Open {
    pub places: Vec<(usize, usize)>,
    pub made: usize,
}

/// The program cannot be native code.
pub(crate) struct TooLarge;

pub(crate) type Done<T = ()> = Result<T, TooLarge>;

pub(crate) struct Translator<'a, 'b> {
    pub build: FunctionBuilder<'b>,
    pub program: &'a Program<u64>,
    pub purpose: Purpose,
    pub side: usize,
    /// Whether a side may move again.
    pub again: bool,
    registers: Vec<Variable>,
    pub choices: Variable,
    /// The choices to make: the next one in the highest byte.
    pub led: Variable,
    /// Where the next move is written.
    pub out: Variable,
    pub parameters: Vec<Value>,
    /// By the number of words that a helper takes.
    signatures: HashMap<usize, SigRef>,
    /// By place and open choices.
    blocks: HashMap<(usize, Open), Block>,
    waiting: Vec<(usize, Open)>,
    /// Where the last of some open choices goes on.
    pub resume: HashMap<Vec<(usize, usize)>, Block>,
    pub end: Block,
    /// How many instructions were translated.
    pub done: usize,
    /// The numbers of the cells that registers hold, as far as they are known in this block.
    pub cells: HashMap<Register, Value>,
}

/// The function of a side that begins at a place.
pub(crate) fn translate(
    program: &Program<u64>,
    (purpose, side, place): (Purpose, usize, Place),
    signature: impl Fn(usize) -> Signature,
    body: &mut Function,
) -> Done {
    body.signature = signature(purpose.parameters());
    let mut context = FunctionBuilderContext::new();
    let mut build = FunctionBuilder::new(body, &mut context);
    let (entry, end) = (build.create_block(), build.create_block());
    build.append_block_params_for_function_params(entry);
    build.switch_to_block(entry);
    let parameters = build.block_params(entry).to_vec();
    let signatures =
        (2..=5).map(|words| (words, build.import_signature(signature(words)))).collect();
    let registers = (0..REGISTERS).map(|_| build.declare_var(I64)).collect();
    let [choices, led, out] = [(); 3].map(|()| build.declare_var(I64));
    let mut translator = Translator {
        build,
        program,
        purpose,
        side,
        again: program.code.contains(&Op::Again),
        registers,
        choices,
        led,
        out,
        parameters,
        signatures,
        blocks: HashMap::new(),
        waiting: Vec::new(),
        resume: HashMap::new(),
        end,
        done: 0,
        cells: HashMap::new(),
    };
    translator.whole(place.into())?;
    translator.build.seal_all_blocks();
    translator.build.finalize();
    Ok(())
}

impl Translator<'_, '_> {
    fn whole(&mut self, place: usize) -> Done {
        if let Purpose::Completing(rows) = self.purpose {
            let completing = self.completing(rows, self.parameters[0]);
            self.build.ins().return_(&[completing]);
            // Nobody comes here.
            self.build.switch_to_block(self.end);
            self.answer(0);
            return Ok(());
        }
        for at in 0..REGISTERS {
            let value = match at < self.program.words.len {
                true => self.load(self.parameters[0], at),
                false => self.int(0),
            };
            self.set(at as Register, value);
        }
        let none = self.int(1);
        self.build.def_var(self.choices, none);
        if let Purpose::Play = self.purpose {
            // What is above the first choice goes.
            let (led, above) = (self.parameters[2], self.build.ins().clz(self.parameters[2]));
            let led = self.build.ins().ishl(led, above);
            let led = self.build.ins().ishl_imm(led, 1);
            self.build.def_var(self.led, led);
        }
        if let Purpose::Successors(_) | Purpose::Moves = self.purpose {
            self.build.def_var(self.out, self.parameters[1]);
        }
        self.go_to(place, &Open::default())?;
        while let Some((place, open)) = self.waiting.pop() {
            let block = self.blocks[&(place, open.clone())];
            self.build.switch_to_block(block);
            self.cells.clear();
            self.run(place, open)?;
        }
        self.build.switch_to_block(self.end);
        let result = match self.purpose {
            Purpose::Successors(_) | Purpose::Moves => self.build.use_var(self.out),
            _ => self.int(0),
        };
        self.build.ins().return_(&[result]);
        Ok(())
    }

    pub fn int(&mut self, number: i64) -> Value {
        self.build.ins().iconst(I64, number)
    }

    pub fn constant(&mut self, at: u8) -> Value {
        self.int(self.program.constants[usize::from(at)] as i64)
    }

    pub fn get(&mut self, register: Register) -> Value {
        self.build.use_var(self.registers[usize::from(register)])
    }

    pub fn set(&mut self, register: Register, value: Value) {
        self.cells.remove(&register);
        self.build.def_var(self.registers[usize::from(register)], value);
    }

    /// A register gets the set of one cell.
    pub fn set_cell(&mut self, register: Register, cell: Value) {
        let one = self.int(1);
        let set = self.build.ins().ishl(one, cell);
        self.set(register, set);
        self.cells.insert(register, cell);
    }

    /// The number of the first cell in a register; 64 if there is none.
    pub fn cell(&mut self, register: Register) -> Value {
        match self.cells.get(&register) {
            Some(cell) => *cell,
            None => {
                let set = self.get(register);
                self.build.ins().ctz(set)
            }
        }
    }

    pub fn and_not(&mut self, one: Value, other: Value) -> Value {
        let other = self.build.ins().bnot(other);
        self.build.ins().band(one, other)
    }

    /// The word at a place behind an address.
    pub fn load(&mut self, address: Value, at: usize) -> Value {
        self.build.ins().load(I64, MemFlags::trusted(), address, 8 * at as i32)
    }

    pub fn store(&mut self, value: Value, address: Value, at: usize) {
        self.build.ins().store(MemFlags::trusted(), value, address, 8 * at as i32);
    }

    /// An entry of a table.
    pub fn look_up(&mut self, table: &[u64], at: Value) -> Value {
        let base = self.int(table.as_ptr() as i64);
        let offset = self.build.ins().ishl_imm(at, 3);
        let address = self.build.ins().iadd(base, offset);
        self.build.ins().load(I64, MemFlags::trusted().with_readonly(), address, 0)
    }

    pub fn look_up_byte(&mut self, table: &[u8], at: Value) -> Value {
        let base = self.int(table.as_ptr() as i64);
        let address = self.build.ins().iadd(base, at);
        self.build.ins().uload8(I64, MemFlags::trusted().with_readonly(), address, 0)
    }

    pub fn call(&mut self, helper: Helper, words: &[Value]) -> Value {
        let address = self.int(helper.address() as i64);
        let signature = self.signatures[&helper.words()];
        let call = self.build.ins().call_indirect(signature, address, words);
        self.build.inst_results(call)[0]
    }

    pub fn address<T>(&mut self, of: &T) -> Value {
        self.int(std::ptr::from_ref(of) as i64)
    }

    /// The block of a place.
    pub fn block(&mut self, place: usize, open: &Open) -> Done<Block> {
        let key = (place, open.clone());
        if let Some(block) = self.blocks.get(&key) {
            return Ok(*block);
        }
        if self.blocks.len() >= MAX_BLOCKS {
            return Err(TooLarge);
        }
        let block = self.build.create_block();
        self.blocks.insert(key.clone(), block);
        self.waiting.push(key);
        Ok(block)
    }

    pub fn go_to(&mut self, place: usize, open: &Open) -> Done {
        let block = self.block(place, open)?;
        self.build.ins().jump(block, &[]);
        Ok(())
    }

    /// Where the last open choice goes on.
    pub fn back(&self, open: &Open) -> Block {
        if open.places.is_empty() { self.end } else { self.resume[&open.places] }
    }

    pub fn fail(&mut self, open: &Open) {
        let back = self.back(open);
        self.build.ins().jump(back, &[]);
    }

    /// Goes back unless a value is 0, or is not.
    pub fn unless(&mut self, zero: bool, value: Value, open: &Open) {
        let (on, back) = (self.build.create_block(), self.back(open));
        let (not_zero, zero) = if zero { (back, on) } else { (on, back) };
        self.build.ins().brif(value, not_zero, &[], zero, &[]);
        self.build.switch_to_block(on);
    }

    /// Jumps to a place if a value is 0, or is not.
    pub fn branch(
        &mut self,
        value: Value,
        if_zero: bool,
        place: Place,
        at: usize,
        open: &Open,
    ) -> Done {
        let (there, on) = (self.block(place.into(), open)?, self.block(at, open)?);
        let (not_zero, zero) = if if_zero { (on, there) } else { (there, on) };
        self.build.ins().brif(value, not_zero, &[], zero, &[]);
        Ok(())
    }

    /// Does something with the number of each cell of a set.
    pub fn each_cell(&mut self, set: Value, mut visit: impl FnMut(&mut Self, Value)) {
        let [head, body, done] = [(); 3].map(|()| self.build.create_block());
        let rest = self.build.append_block_param(head, I64);
        self.build.ins().jump(head, &[BlockArg::Value(set)]);
        self.build.switch_to_block(head);
        self.build.ins().brif(rest, body, &[], done, &[]);
        self.build.switch_to_block(body);
        let cell = self.build.ins().ctz(rest);
        visit(self, cell);
        let rest = self.without_lowest(rest);
        self.build.ins().jump(head, &[BlockArg::Value(rest)]);
        self.build.switch_to_block(done);
    }

    pub fn without_lowest(&mut self, set: Value) -> Value {
        let less = self.build.ins().iadd_imm(set, -1);
        self.build.ins().band(set, less)
    }

    /// Folds the cells of a set into a word.
    pub fn fold(
        &mut self,
        set: Value,
        mut more: impl FnMut(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (sum, zero) = (self.build.declare_var(I64), self.int(0));
        self.build.def_var(sum, zero);
        self.each_cell(set, |it, cell| {
            let before = it.build.use_var(sum);
            let after = more(it, before, cell);
            it.build.def_var(sum, after);
        });
        self.build.use_var(sum)
    }

    /// The cells with which a set completes a row.
    pub fn completing(&mut self, rows: u8, own: Value) -> Value {
        let rows = &self.program.rows[usize::from(rows)];
        if rows.runs.is_empty() {
            let rows = self.address(rows);
            return self.call(Helper::Completing, &[own, rows]);
        }
        let mut all = self.int(0);
        for &(from, by) in &rows.runs {
            let owns: Vec<Value> = (0..rows.length)
                .map(|at| self.build.ins().ushr_imm(own, i64::from(by * at)))
                .collect();
            // Those before each gap, and those behind it.
            let mut before = vec![self.int(from as i64)];
            for own in &owns[..owns.len() - 1] {
                let last = before[before.len() - 1];
                before.push(self.build.ins().band(last, *own));
            }
            let mut behind = None;
            for gap in (0..rows.length).rev() {
                let at = gap as usize;
                let begins = match behind {
                    None => before[at],
                    Some(behind) => self.build.ins().band(before[at], behind),
                };
                let cells = self.build.ins().ishl_imm(begins, i64::from(by * gap));
                all = self.build.ins().bor(all, cells);
                behind = Some(match behind {
                    None => owns[at],
                    Some(behind) => self.build.ins().band(behind, owns[at]),
                });
            }
        }
        all
    }

    /// Whether a row is within a set: not 0 if one is.
    pub fn has_row(&mut self, rows: &Rows<u64>, within: Value) -> Value {
        if rows.runs.is_empty() && rows.masks.len() > FEW {
            let rows = self.address(rows);
            return self.call(Helper::HasRow, &[within, rows]);
        }
        let mut any = self.int(0);
        if rows.runs.is_empty() {
            for mask in &rows.masks {
                let here = self.build.ins().band_imm(within, *mask as i64);
                let here = self.build.ins().icmp_imm(IntCC::Equal, here, *mask as i64);
                let here = self.build.ins().uextend(I64, here);
                any = self.build.ins().bor(any, here);
            }
        }
        for &(from, by) in &rows.runs {
            // Each step doubles the length of the rows that are seen, as far as that goes.
            let (mut seen, mut length) = (within, 1);
            while length < rows.length {
                let step = length.min(rows.length - length);
                let moved = self.build.ins().ushr_imm(seen, i64::from(step * by));
                seen = self.build.ins().band(seen, moved);
                length += step;
            }
            let seen = self.build.ins().band_imm(seen, from as i64);
            any = self.build.ins().bor(any, seen);
        }
        any
    }
}
