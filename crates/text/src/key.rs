//! Positions as numbers of at most 64 bits, for the tables of exact search. They need not be turned back into
//! positions, so that they leave out what the rest tells: cells that never change, pieces where they cannot stand
//! ([`reach`]), and, where pieces lie on each other, all that is below the highest piece but its kind.
//!
//! All of this is held against each position: one that it does not fit has no number.

use std::ops::Range;

use crate::board::{Cells, cells};
use crate::machine::{Word, Words, each_cell, shift_of};
use crate::points::Points;
use crate::reach::Reach;
use crate::symmetry::{CellMap, alike};
use crate::typed::{Rules, Set, SideRules, Statement};

/// How positions become numbers.
#[derive(Clone, Debug)]
pub(crate) struct Key<S> {
    parts: Vec<Part<S>>,
    stacks: Option<Stacks<S>>,
    pub bits: u32,
}

/// A set, as bits of the number.
#[derive(Clone, Debug)]
struct Part<S> {
    word: usize,
    /// The cells that become bits, and other cells that the set always holds.
    cells: S,
    always: S,
    bits: u32,
    /// Which bit each cell is; `None` if they are as in the set.
    to: Option<CellMap<S>>,
}

/// Pieces that lie on each other: a cell has one only if it is one of the lowest or the cell below has one.
#[derive(Clone, Debug)]
struct Stacks<S> {
    lowest: S,
    /// The cells that have one above, and how far that is.
    below: S,
    up: u32,
    is_down: bool,
    /// The words of the kinds of pieces: the first and the last one.
    kinds: [usize; 2],
    pieces: Range<usize>,
}

impl<S: Word> Stacks<S> {
    /// Puts what tells all stacks in place of the first and the last kind of pieces: of the first, its cells and the lowest
    /// free ones; of the last, the highest cells that are full. The last kind has all other cells. Whether they are stacks.
    #[inline]
    fn shorten<const N: usize>(&self, state: &mut [S; N]) -> bool {
        let taken = state[self.pieces.clone()].iter().fold(S::ZERO, |all, set| all | *set);
        let under = taken & self.below;
        let next = self.lowest | if self.is_down { under >> self.up } else { under << self.up };
        let [first, last] = self.kinds;
        state[first] |= next & !taken;
        state[last] = taken & !self.below;
        taken & !next == S::ZERO
    }
}

impl<S: Word> Key<S> {
    /// The numbers of positions in which all points are the first player's; `None` if they need more than 64 bits.
    pub fn new(
        rules: &Rules,
        words: &Words,
        reach: &Reach,
        points: Option<&Points>,
    ) -> Option<Key<S>> {
        let mut alike = alike(rules);
        if let Some(Points { sets: [first, second], .. }) = points {
            alike[*second] = *first;
        }
        // Of kinds that are one there is no last one to have the highest cells.
        let stacks = stacks(rules, reach)
            .filter(|stacks| stacks.kinds.iter().all(|kind| alike[*kind] == *kind));
        let size = rules.board.cells.len();
        let part = |set: usize, free: Cells, always: Cells| {
            let at: Vec<usize> = cells(free).collect();
            let in_place = at.iter().enumerate().all(|(bit, cell)| bit == *cell);
            let mut to = vec![0; size];
            at.iter().enumerate().for_each(|(bit, cell)| to[*cell] = bit as u8);
            Part {
                word: Words::SETS + set,
                cells: S::from_cells(free),
                always: S::from_cells(always),
                bits: at.len() as u32,
                to: (!in_place).then(|| CellMap::new(&to)),
            }
        };
        let kinds = (0..rules.layout.pieces).filter(|set| alike[*set] == *set);
        let mut parts: Vec<Part<S>> = kinds
            .map(|kind| {
                let join = |of: &[Cells]| {
                    (0..alike.len())
                        .filter(|set| alike[*set] == kind)
                        .fold(0, |all, set| all | of[set])
                };
                let (held, start) = (join(&reach.sets), join(&rules.start.sets));
                match &stacks {
                    Some(stacks) if stacks.kinds[1] == kind => part(kind, held & !stacks.below, 0),
                    _ => part(kind, held & reach.changing, start & !reach.changing),
                }
            })
            .collect();
        parts.extend(
            (rules.layout.pieces..rules.layout.sets).map(|mark| part(mark, reach.sets[mark], 0)),
        );
        let fields = words.fields();
        let bits =
            parts.iter().map(|part| part.bits).chain(fields.map(|field| field.bits())).sum::<u32>()
                + 1;
        let stacks = stacks.map(|stacks| Stacks {
            lowest: S::from_cells(stacks.lowest),
            below: S::from_cells(stacks.below),
            up: stacks.up.unsigned_abs(),
            is_down: stacks.up < 0,
            kinds: stacks.kinds.map(|kind| Words::SETS + kind),
            pieces: Words::SETS..Words::SETS + rules.layout.pieces,
        });
        (bits <= u64::BITS).then_some(Key { parts, stacks, bits })
    }

    /// The number of a position; `None` if it has none, since no play leads to it.
    #[inline]
    pub fn of<const N: usize>(&self, words: &Words, state: &[S; N]) -> Option<u64> {
        let mut state = *state;
        let mut key = Words::turn(state[Words::REST]) as u64;
        if let Some(stacks) = &self.stacks
            && !stacks.shorten(&mut state)
        {
            return None;
        }
        for part in &self.parts {
            let set = state[part.word];
            if set & !part.cells != part.always {
                return None;
            }
            let set = set & part.cells;
            let bits = part.to.as_ref().map_or(set, |to| to.set(set));
            key = key << part.bits | bits.number() as u64;
        }
        let fields = words.fields();
        Some(
            fields.fold(key, |key, field| key << field.bits() | field.byte(&state).number() as u64),
        )
    }
}

/// The symmetries of a game, as changes of the bits of its keys: a few words to look up, where positions have many.
pub(crate) struct KeyImages(Vec<CellMap<u64>>);

impl KeyImages {
    /// The number of the position that stands for all that are like the one with this number.
    #[inline]
    pub fn least(&self, number: u64) -> u64 {
        self.0.iter().fold(number, |least, image| least.min(image.set(number)))
    }
}

impl<S: Word> Key<S> {
    /// What symmetries, by where each cell goes, do to the bits of a number; `None` if one is no change of bits.
    pub fn images<'m>(
        &self,
        words: &Words,
        symmetries: impl Iterator<Item = &'m [u8]>,
    ) -> Option<KeyImages> {
        let images = symmetries.map(|to| Some(CellMap::new(&self.bits_moved(words, to)?)));
        images.collect::<Option<_>>().map(KeyImages)
    }

    /// Where each bit of a number goes if the cells go to others.
    fn bits_moved(&self, words: &Words, to: &[u8]) -> Option<Vec<u8>> {
        let to_cell = |cell: u32| u32::from(to[cell as usize]);
        if let Some(Stacks { below, up, is_down, .. }) = &self.stacks {
            let above = |cell: u32| if *is_down { cell - up } else { cell + up };
            let mut keeps = true;
            each_cell(*below, |cell| {
                let at = to_cell(cell);
                keeps &= *below >> at & S::ONE != S::ZERO && above(at) == to_cell(above(cell));
            });
            if !keeps {
                return None;
            }
        }
        // From the lowest bit on, in the opposite order.
        let (mut moved, mut first) = (vec![0; self.bits as usize], 0);
        let mut move_bits = |from: u32, to: u32, bits: u32| {
            (0..bits).for_each(|bit| moved[(from + bit) as usize] = (to + bit) as u8);
        };
        for number in words.own_numbers().iter().rev() {
            move_bits(first, first, number.bits());
            first += number.bits();
        }
        for fields in words.counts.iter().rev() {
            let bits = fields[0].bits();
            let last = fields.len() as u32 - 1;
            for cell in 0..=last {
                move_bits(
                    first + (last - cell) * bits,
                    first + (last - to_cell(cell)) * bits,
                    bits,
                );
            }
            first += (last + 1) * bits;
        }
        for part in self.parts.iter().rev() {
            let bit_of = |cell: u32| match &part.to {
                Some(to) => to.set(S::ONE << cell).lowest(),
                None => cell,
            };
            let mut keeps = true;
            each_cell(part.cells, |cell| {
                let at = to_cell(cell);
                keeps &= part.cells >> at & S::ONE != S::ZERO;
                if keeps {
                    move_bits(first + bit_of(cell), first + bit_of(at), 1);
                }
            });
            if !keeps {
                return None;
            }
            first += part.bits;
        }
        // The side to move.
        move_bits(first, first, 1);
        Some(moved)
    }
}

/// What is known of stacks: see [`Stacks`].
struct Found {
    lowest: Cells,
    below: Cells,
    up: i32,
    kinds: [usize; 2],
}

/// The stacks of a game in which a move puts one piece on a cell that is one of the lowest or lies on a piece, and nothing
/// else changes pieces; `None` if its rules have another form, or there are not two kinds of pieces.
fn stacks(rules: &Rules, reach: &Reach) -> Option<Found> {
    let possible = rules.possible();
    let kinds: Vec<usize> = (0..possible.len()).filter(|kind| possible[*kind]).collect();
    let kinds: [usize; 2] = kinds.try_into().ok()?;
    let held = reach.sets[kinds[0]];
    let [one, other] = [0, 1].map(|side: usize| step_up(&rules.sides[side]));
    let ((up, from), _) = one.filter(|found| Some(*found) == other).zip(other)?;
    let below = from & held;
    let above = if up > 0 { below << up } else { below >> -up };
    let stand = rules.start.sets[..rules.layout.pieces].iter().any(|set| *set != 0);
    (kinds.map(|kind| reach.sets[kind]) == [held; 2] && above & !held == 0 && !stand)
        .then_some(Found { lowest: held & !above, below, up, kinds })
}

/// The shift from pieces to the cells on them, if a side chooses its cells so.
fn step_up(side: &SideRules) -> Option<(i32, Cells)> {
    let [Statement::Choose { local, from }, Statement::Put { set: _, on: Set::Local(on) }] =
        &side.moves[..]
    else {
        return None;
    };
    let is_changed =
        side.end.iter().any(|statement| statement.any(&|within| within.effect().pieces));
    if on != local || is_changed { None } else { step_within(from) }
}

/// The shift of a part of a set that is made of known cells and of one step from pieces.
fn step_within(set: &Set) -> Option<(i32, Cells)> {
    match set {
        Set::Union(parts) => match &parts[..] {
            [Set::Cells(_), Set::Step { table, of: _ }]
            | [Set::Step { table, of: _ }, Set::Cells(_)] => shift_of(table),
            _ => None,
        },
        Set::Both(parts) => parts.iter().find_map(step_within),
        Set::Minus(kept, _) => step_within(kept),
        _ => None,
    }
}
