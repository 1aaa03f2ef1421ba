//! What native code calls: instructions whose work is a loop over tables, which Rust compiles as well.
//!
//! What they get by reference are tables of the program that [`Code`](crate::code::Code) keeps, and places
//! that a caller of native code lends it for the call.

use foregone_text::machine::{
    Program, REGISTERS, Rays, Rows, Sign, alone, behind, completing, each_ray, has_row, step,
};

/// The functions that native code calls, by what it calls them for. Each takes words and gives a word.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Helper {
    /// Appends moves to a list: its address, the first word, the end; not 0 if there are too many.
    Flush,
    /// A set, the address of rows.
    HasRow,
    /// A set, the address of rows.
    Rows,
    /// A set, the address of rows.
    Completing,
    /// Two sets, the address of a table.
    Flood,
    /// Two sets, the address of rays.
    Ray,
    /// Three sets, the address of rays, a length.
    Between,
    /// As [`Helper::Between`].
    Beyond,
    /// Two numbers.
    Divide,
    /// Two numbers.
    Remainder,
    /// The addresses of the program and of all registers, the place of an instruction; 0 if it fails.
    Alone,
}

impl Helper {
    /// How many words it takes.
    pub fn words(self) -> usize {
        match self {
            Helper::HasRow | Helper::Rows | Helper::Completing => 2,
            Helper::Divide | Helper::Remainder => 2,
            Helper::Flush | Helper::Flood | Helper::Ray | Helper::Alone => 3,
            Helper::Between | Helper::Beyond => 5,
        }
    }

    pub fn address(self) -> u64 {
        let address = match self {
            Helper::Flush => flush as *const (),
            Helper::HasRow => any_row as *const (),
            Helper::Rows => all_rows as *const (),
            Helper::Completing => completed as *const (),
            Helper::Flood => flood as *const (),
            Helper::Ray => ray as *const (),
            Helper::Between => between as *const (),
            Helper::Beyond => beyond as *const (),
            Helper::Divide => divide as *const (),
            Helper::Remainder => remainder as *const (),
            Helper::Alone => by_itself as *const (),
        };
        address as u64
    }
}

/// Moves that did not fit into the place that native code fills.
#[derive(Default)]
pub(crate) struct Overflow {
    pub words: Vec<u64>,
    /// From this number of words on there are too many moves.
    pub max: usize,
}

unsafe extern "C" fn flush(list: &mut Overflow, first: *const u64, end: *const u64) -> u64 {
    // SAFETY: native code has written the words from `first` to `end`, in one place.
    let written = unsafe { std::slice::from_raw_parts(first, end.offset_from(first) as usize) };
    list.words.extend_from_slice(written);
    (list.words.len() >= list.max).into()
}

extern "C" fn any_row(within: u64, rows: &Rows<u64>) -> u64 {
    has_row(rows, within).into()
}

extern "C" fn all_rows(within: u64, rows: &Rows<u64>) -> u64 {
    let masks = rows.masks.iter().filter(|mask| within & **mask == **mask);
    masks.fold(0, |all, mask| all | mask)
}

extern "C" fn completed(own: u64, rows: &Rows<u64>) -> u64 {
    completing(rows, own)
}

extern "C" fn flood(from: u64, within: u64, table: &Vec<u64>) -> u64 {
    let mut reached = from & within;
    let mut front = reached;
    while front != 0 {
        front = step(table, front) & within & !reached;
        reached |= front;
    }
    reached
}

extern "C" fn ray(from: u64, through: u64, rays: &Rays<u64>) -> u64 {
    let mut all = 0;
    each_ray(from, rays, |ray| {
        all |= ray.iter().take_while(|cell| through & **cell != 0).fold(0, |all, cell| all | cell);
    });
    all
}

extern "C" fn between(from: u64, through: u64, end: u64, rays: &Rays<u64>, max: u64) -> u64 {
    let (mut all, ends) = (0, (through, end, max as u8));
    each_ray(from, rays, |ray| all |= behind(ray, ends).0);
    all
}

extern "C" fn beyond(from: u64, through: u64, end: u64, rays: &Rays<u64>, max: u64) -> u64 {
    let (mut all, ends) = (0, (through, end, max as u8));
    each_ray(from, rays, |ray| all |= behind(ray, ends).1);
    all
}

extern "C" fn divide(one: u64, other: u64) -> u64 {
    Sign::Divide.of(one as i64, other as i64) as u64
}

extern "C" fn remainder(one: u64, other: u64) -> u64 {
    Sign::Remainder.of(one as i64, other as i64) as u64
}

extern "C" fn by_itself(
    program: &Program<u64>,
    registers: &mut [u64; REGISTERS],
    place: u64,
) -> u64 {
    alone(program, place as usize, registers).into()
}
