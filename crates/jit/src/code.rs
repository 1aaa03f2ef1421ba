//! The native code of a program: its functions, and how they are called.

use std::mem::{MaybeUninit, transmute};

use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{AbiParam, Signature};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{FuncId, Module, default_libcall_names};
use foregone_text::machine::{Program, WinsAt};
use foregone_text::native::{MAX_MOVES, Native};

use crate::helpers::Overflow;
use crate::translate::{Purpose, translate};

/// The moves for which there is room without an allocation.
const ROOM: usize = 32;
/// The words of a move with its position, at most.
const ENTRY: usize = 1 + 16;

/// From the position: writes moves from the second address on, up to the third; hands them to the list
/// whenever that place is full, and returns the end of what is there then.
type Moves = unsafe extern "C" fn(*const u64, *mut u64, *mut u64, *mut Overflow) -> *mut u64;
/// From the position, a word.
type Look = unsafe extern "C" fn(*const u64) -> u64;
/// From a set to cells.
type Completing = extern "C" fn(u64) -> u64;
/// From the position, by choices, to the next position; 0 if they are no move.
type Play = unsafe extern "C" fn(*const u64, *mut u64, u64) -> u64;

/// What native code there is for a side.
struct Side {
    successors: Moves,
    moves: Moves,
    can_move: Look,
    play: Play,
    wins: Option<Look>,
    completing: Option<Completing>,
}

/// The native code of a program.
pub(crate) struct Code {
    sides: [Side; 2],
    /// The words of a position that the code reads.
    read: usize,
    /// The words of a position that is written: as many, and zeros.
    words: usize,
    /// Kept, since the code refers to its tables.
    _program: Box<Program<u64>>,
    /// Kept, since it is the code.
    _memory: Memory,
}

/// Where the code is; `None` once it is freed.
struct Memory(Option<JITModule>);

// SAFETY: the code is only read and run, which writes nothing but what its caller lends it.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: its functions are only called by way of the `Code` that it is a part of.
        self.0.take().into_iter().for_each(|module| unsafe { module.free_memory() });
    }
}

/// Whether the tables of a program are as long as native code, which does not look, takes them to be.
fn is_sound(program: &Program<u64>) -> bool {
    // For each cell, and for none.
    program.tables.iter().all(|table| table.len() > 64)
        && program
            .sow_tables
            .iter()
            .all(|table| table.added.len() >= table.last.len() * table.words)
        && program.words.len < ENTRY
}

impl Code {
    /// Native code for a program; `None` if there can be none.
    pub fn new(program: &Program<u64>, words: usize) -> Option<Code> {
        if !is_sound(program) {
            return None;
        }
        let program = Box::new(program.clone());
        let mut flags = settings::builder();
        flags.set("opt_level", "speed").ok()?;
        for off in [
            "enable_verifier",
            "is_pic",
            "use_colocated_libcalls",
            "unwind_info",
            "enable_probestack",
        ] {
            flags.set(off, "false").ok()?;
        }
        let flags = settings::Flags::new(flags);
        let target = cranelift_native::builder().ok()?.finish(flags).ok()?;
        let module = JITModule::new(JITBuilder::with_isa(target, default_libcall_names()));
        let read = program.words.len;
        let mut memory = Memory(Some(module));
        let module = memory.0.as_mut()?;
        let mut functions = |side| functions(&program, words, side, module);
        let ids = [functions(0)?, functions(1)?];
        module.finalize_definitions().ok()?;
        let address = |id| module.get_finalized_function(id);
        // SAFETY: `translate` gives a function the parameters that its purpose says.
        let sides = ids.map(|[successors, moves, can_move, play, wins, completing]| unsafe {
            Some(Side {
                successors: transmute::<*const u8, Moves>(address(successors?)),
                moves: transmute::<*const u8, Moves>(address(moves?)),
                can_move: transmute::<*const u8, Look>(address(can_move?)),
                play: transmute::<*const u8, Play>(address(play?)),
                wins: wins.map(|wins| transmute::<*const u8, Look>(address(wins))),
                completing: completing
                    .map(|completing| transmute::<*const u8, Completing>(address(completing))),
            })
        });
        let [Some(first), Some(second)] = sides else { return None };
        let sides = [first, second];
        Some(Code { sides, read, words, _program: program, _memory: memory })
    }

    /// Runs a function that lists moves, with entries of so many words; takes them in one or two parts.
    fn list(
        &self,
        function: Moves,
        state: &[u64],
        entry: usize,
        take: &mut dyn FnMut(&[u64]) -> bool,
    ) {
        assert!(state.len() >= self.read && entry <= ENTRY);
        let mut room = [const { MaybeUninit::<u64>::uninit() }; ROOM * ENTRY];
        let first = room.as_mut_ptr().cast::<u64>();
        let mut more = Overflow { words: Vec::new(), max: (MAX_MOVES + 1) * entry };
        // SAFETY: the code reads the words of a position, of which there are enough; it writes whole entries from
        // `first` on, and none behind the end, which is a whole number of entries away.
        let last = unsafe {
            let end = function(state.as_ptr(), first, first.add(ROOM * entry), &mut more);
            std::slice::from_raw_parts(first, end.offset_from(first) as usize)
        };
        if more.words.is_empty() || take(&more.words) {
            take(last);
        }
    }
}

/// The functions of a side, in the order of [`Side`]; `None` if the program is too large for one.
fn functions(
    program: &Program<u64>,
    words: usize,
    side: usize,
    module: &mut JITModule,
) -> Option<[Option<FuncId>; 6]> {
    let entries = program.entries[side];
    let call_conv = module.isa().default_call_conv();
    let signature = |words| Signature {
        params: vec![AbiParam::new(I64); words],
        returns: vec![AbiParam::new(I64)],
        call_conv,
    };
    let completing = |wins: WinsAt| Some((Purpose::Completing(wins.rows?.1), side, wins.place));
    let all = [
        Some((Purpose::Successors(words), side, entries.moves)),
        Some((Purpose::Moves, side, entries.legal)),
        Some((Purpose::CanMove, side, entries.any)),
        Some((Purpose::Play, side, entries.moves)),
        entries.wins.map(|wins| (Purpose::Wins(wins), side, wins.place)),
        entries.wins.and_then(completing),
    ];
    let mut ids = [None; 6];
    for (id, what) in ids.iter_mut().zip(all) {
        let Some(what) = what else { continue };
        let mut context = module.make_context();
        translate(program, what, signature, &mut context.func).ok()?;
        let made = module.declare_anonymous_function(&context.func.signature).ok()?;
        module.define_function(made, &mut context).ok()?;
        *id = Some(made);
    }
    Some(ids)
}

impl Native for Code {
    fn successors(&self, side: usize, state: &[u64], take: &mut dyn FnMut(&[u64]) -> bool) {
        self.list(self.sides[side].successors, state, 1 + self.words, take);
    }

    fn moves(&self, side: usize, state: &[u64], take: &mut dyn FnMut(&[u64]) -> bool) {
        self.list(self.sides[side].moves, state, 1, take);
    }

    fn can_move(&self, side: usize, state: &[u64]) -> bool {
        assert!(state.len() >= self.read);
        // SAFETY: the code reads no more words than there are.
        unsafe { (self.sides[side].can_move)(state.as_ptr()) != 0 }
    }

    fn wins(&self, side: usize, state: &[u64]) -> Option<u64> {
        assert!(state.len() >= self.read);
        // SAFETY: as above.
        self.sides[side].wins.map(|wins| unsafe { wins(state.as_ptr()) })
    }

    fn completing(&self, side: usize, own: u64) -> Option<u64> {
        self.sides[side].completing.map(|completing| completing(own))
    }

    fn play(&self, side: usize, state: &[u64], choices: u64, next: &mut [u64]) {
        assert!(state.len() >= self.read && next.len() >= self.read);
        // SAFETY: as above; and it writes as many words at most.
        unsafe { (self.sides[side].play)(state.as_ptr(), next.as_mut_ptr(), choices) };
    }
}
