//! The positions that a position becomes by the symmetries of its game, and the least of them, which
//! stands for all.

use std::cmp::Ordering;

use super::{Symmetry, alike};
use crate::machine::{Field, Word, Words};
use crate::typed::{Piece, Rules};

/// The symmetries of a game, ready for positions of words.
#[derive(Clone, Debug)]
pub(crate) struct Images<S> {
    all: Vec<Image<S>>,
    exchange: bool,
    /// The pieces that the sides exchange, by their words.
    sets: Vec<(usize, usize)>,
    /// The numbers that they exchange.
    numbers: Vec<(usize, usize)>,
    /// The words of kinds of pieces, and the word of a kind that the rules do not tell from each.
    alike: Vec<(usize, usize)>,
}

#[derive(Clone, Debug)]
struct Image<S> {
    cells: CellMap<S>,
    to: Vec<u8>,
    exchange: bool,
}

impl<S: Word> Image<S> {
    fn new(symmetry: &Symmetry) -> Image<S> {
        let (to, exchange) = (symmetry.to.clone(), symmetry.exchange);
        Image { cells: CellMap::new(&to), to, exchange }
    }

    /// A position with its cells moved; the sides have been exchanged before.
    fn of<const N: usize>(&self, words: &Words, state: &[S; N]) -> [S; N] {
        let mut after = *state;
        for set in &mut after[Words::SETS..][..words.sets] {
            *set = self.cells.set(*set);
        }
        self.move_counts(words, state, &mut after);
        after
    }

    fn move_counts<const N: usize>(&self, words: &Words, state: &[S; N], after: &mut [S; N]) {
        for fields in &words.counts {
            for (field, to) in fields.iter().zip(&self.to) {
                set_byte(after, &fields[usize::from(*to)], field.byte(state));
            }
        }
    }

    /// Puts a position with its cells moved in the place of another with the same first word, if it is less: most are not,
    /// which one set or two show.
    fn replace_if_less<const N: usize>(&self, words: &Words, state: &[S; N], least: &mut [S; N]) {
        let mut order = Ordering::Equal;
        let mut after = *state;
        for at in Words::SETS..Words::SETS + words.sets {
            after[at] = self.cells.set(state[at]);
            if order == Ordering::Equal {
                order = after[at].cmp(&least[at]);
                if order == Ordering::Greater {
                    return;
                }
            }
        }
        self.move_counts(words, state, &mut after);
        if order == Ordering::Less || after < *least {
            *least = after;
        }
    }
}

/// Cells that become others: for each byte of a set, and each value of the byte, where they go.
#[derive(Clone, Debug)]
pub(crate) struct CellMap<S> {
    bytes: Vec<[S; 256]>,
}

impl<S: Word> CellMap<S> {
    /// Where each cell goes.
    pub fn new(to: &[u8]) -> CellMap<S> {
        let mut bytes = vec![[S::ZERO; 256]; to.len().div_ceil(8)];
        for (at, table) in bytes.iter_mut().enumerate() {
            for (byte, there) in table.iter_mut().enumerate() {
                for (bit, to) in to[8 * at..].iter().take(8).enumerate() {
                    if byte >> bit & 1 != 0 {
                        *there |= S::ONE << u32::from(*to);
                    }
                }
            }
        }
        CellMap { bytes }
    }

    /// The set that a set becomes.
    #[inline]
    pub fn set(&self, set: S) -> S {
        let mut shift = 0;
        self.bytes.iter().fold(S::ZERO, |all, table| {
            let byte = (set >> shift).number() as u8;
            shift += 8;
            all | table[usize::from(byte)]
        })
    }
}

impl<S: Word> Images<S> {
    pub fn new(rules: &Rules, all: &[Symmetry]) -> Images<S> {
        let pairs = rules.pieces.iter().filter_map(Piece::of_sides);
        Images {
            all: all.iter().map(Image::new).collect(),
            exchange: all.iter().any(|symmetry| symmetry.exchange),
            sets: pairs.map(|[a, b]| (Words::SETS + a, Words::SETS + b)).collect(),
            numbers: rules.pairs().collect(),
            alike: alike(rules)
                .iter()
                .enumerate()
                .filter(|(kind, first)| kind != *first)
                .map(|(kind, first)| (Words::SETS + kind, Words::SETS + first))
                .collect(),
        }
    }

    /// The number of symmetries, the identity included.
    pub fn count(&self) -> u64 {
        self.all.len() as u64 + 1
    }

    /// Whether there are pieces that the rules do not tell apart.
    pub fn merges(&self) -> bool {
        !self.alike.is_empty()
    }

    /// Whether some of them exchange the sides.
    pub fn exchange(&self) -> bool {
        self.exchange
    }

    /// The image of a position under a symmetry; 0 is the identity. `None` if there is no such symmetry, or kinds of
    /// pieces count as one, which makes more positions alike than the symmetries do.
    pub fn nth<const N: usize>(
        &self,
        words: &Words,
        state: &[S; N],
        number: u64,
    ) -> Option<[S; N]> {
        (!self.merges() && number < self.count()).then(|| self.of(words, state, number))
    }

    /// The image of a position under a symmetry of which there are [`count`](Self::count), without merging kinds.
    pub fn of<const N: usize>(&self, words: &Words, state: &[S; N], number: u64) -> [S; N] {
        let at = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let image = at.and_then(|at| self.all.get(at));
        image.map_or(*state, |image| self.image(image, words, state))
    }

    /// Where each cell goes by each of them; `None` if one exchanges the sides.
    pub fn maps(&self) -> Option<impl Iterator<Item = &[u8]>> {
        (!self.exchange).then(|| self.all.iter().map(|image| &image.to[..]))
    }

    /// Whether each position is its own representative.
    pub fn are_none(&self) -> bool {
        self.all.is_empty() && self.alike.is_empty()
    }

    /// The least of a position and its images. The first word says who is to move, so that the sides are exchanged in all
    /// images that may be the least, or in none.
    pub fn least<const N: usize>(&self, words: &Words, state: &[S; N]) -> [S; N] {
        let turned = if self.exchange() { self.exchanged(words, state) } else { *state };
        let exchange = turned[Words::REST] < state[Words::REST];
        let from = if exchange { &turned } else { state };
        let mut images = self.all.iter().filter(|image| image.exchange == exchange);
        let mut least = match exchange {
            true => images.next().map_or(*state, |image| image.of(words, from)),
            false => *state,
        };
        self.merge(&mut least);
        for image in images {
            if self.merges() {
                let mut image = image.of(words, from);
                self.merge(&mut image);
                least = least.min(image);
            } else {
                image.replace_if_less(words, from, &mut least);
            }
        }
        least
    }

    /// Pieces that the rules do not tell apart become one kind.
    #[inline]
    pub fn merge<const N: usize>(&self, state: &mut [S; N]) {
        for (kind, first) in &self.alike {
            state[*first] |= state[*kind];
            state[*kind] = S::ZERO;
        }
    }

    fn image<const N: usize>(&self, image: &Image<S>, words: &Words, state: &[S; N]) -> [S; N] {
        match image.exchange {
            true => image.of(words, &self.exchanged(words, state)),
            false => image.of(words, state),
        }
    }

    /// A position with the sides exchanged on the same cells.
    fn exchanged<const N: usize>(&self, words: &Words, state: &[S; N]) -> [S; N] {
        let mut after = *state;
        self.sets.iter().for_each(|(first, second)| after.swap(*first, *second));
        for (first, second) in &self.numbers {
            let (first, second) = (&words.numbers[*first], &words.numbers[*second]);
            set_byte(&mut after, first, second.byte(state));
            set_byte(&mut after, second, first.byte(state));
        }
        after[Words::REST] = Words::exchanged(after[Words::REST]);
        after
    }
}

fn set_byte<S: Word, const N: usize>(state: &mut [S; N], field: &Field, value: S) {
    let word = &mut state[usize::from(field.word)];
    *word = *word & !(S::from_number(0xff) << field.shift.into()) | value << field.shift.into();
}
