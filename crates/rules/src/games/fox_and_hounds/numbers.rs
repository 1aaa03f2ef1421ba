//! Numbers of positions for tables, and their bands: first the hounds, then the fox's square.

use std::ops::Range;
use std::sync::OnceLock;

use super::progress::Progress;
use super::{FoxAndHounds, State, Stuck, bit};
use crate::game::Value;
use crate::kit::Bits;
use crate::promise::{Band, BandMove, Banded, Block, Indexed, Line, NoBank, Places, Target};

/// The number of sets of hounds in a block of bands.
const SETS_IN_BLOCK: u64 = 256;

/// The most blocks of a wave: on the largest boards they have more sets, so that a list of them fits into memory.
const MAX_BLOCKS: u64 = 1 << 18;

impl FoxAndHounds {
    /// All dark squares.
    const fn all(&self) -> u128 {
        u128::MAX >> (128 - self.squares() as u32)
    }

    /// The numbering of sets of hounds; all games of a size share it, and it is computed on first
    /// use.
    #[inline]
    fn progress(&self) -> &'static Progress {
        static ALL: [OnceLock<Progress>; 9] = [const { OnceLock::new() }; 9];
        let half = u32::from(self.half());
        ALL[half as usize].get_or_init(|| Progress::new(half, 2 * half, half))
    }

    /// The number of sets of hounds of a layer.
    fn sets(&self, layer: u32) -> u64 {
        self.progress().sets(self.progress().farthest() - layer)
    }

    /// The number of indices of a layer with the same side to move: half of the layer.
    fn half_of(&self, layer: u32) -> u64 {
        self.sets(layer) * u64::from(self.squares())
    }

    /// The number of sets of hounds in a block of bands.
    fn sets_in_block(&self, layer: u32) -> u64 {
        self.sets(layer).div_ceil(MAX_BLOCKS).max(SETS_IN_BLOCK)
    }

    /// The numbers of all squares of the fox, for a set of hounds with a number.
    fn band(&self, layer: u32, fox_to_move: bool, set: u64) -> Target {
        let sets = self.sets_in_block(layer);
        let before = if fox_to_move { self.sets(layer).div_ceil(sets) } else { 0 };
        let (block, nth) = ((before + set / sets) as u32, (set % sets) as u32);
        let line = Line { nth, len: u32::from(self.squares()), across: false };
        Target { layer, block, line }
    }

    /// The diagonal neighbours of the squares of a set.
    fn beside(&self, set: u128) -> u128 {
        let set = set & self.all();
        let half = self.half();
        let [left, right] = self.slanted.map(|squares| set & squares);
        let straight = set << half | set >> half;
        let slanted =
            left << (half - 1) | left >> (half + 1) | right << (half + 1) | right >> (half - 1);
        (straight | slanted) & self.all()
    }
}

impl Indexed for FoxAndHounds {
    type Bank = NoBank;

    /// A layer is the total number of rows that the hounds can still advance.
    fn layers(&self) -> u32 {
        self.progress().farthest() + 1
    }

    /// Numbers are ordered by side to move (hounds first), hounds and fox; a number with the fox on
    /// a hound has no state.
    fn size(&self, layer: u32) -> u64 {
        2 * self.half_of(layer)
    }

    /// Each set of hounds is computed once for all squares of the fox.
    fn states(&self, layer: u32, part: Range<u64>) -> impl Iterator<Item = (u64, State)> {
        let (half, squares) = (self.half_of(layer), u64::from(self.squares()));
        let far = self.progress().farthest() - layer;
        let mut known = (u64::MAX, 0);
        part.filter_map(move |index| {
            let (number, fox) = (index % half / squares, (index % half % squares) as u8);
            if number != known.0 {
                known = (number, self.progress().set(far, number));
            }
            let state = State { hounds: known.1, fox, fox_to_move: index >= half };
            (state.hounds & bit(fox) == 0).then_some((index, state))
        })
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        (layer.saturating_sub(1)..=layer).collect()
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let (far, number) = self.progress().index(state.hounds);
        let layer = self.progress().farthest() - far;
        let before = if state.fox_to_move { self.half_of(layer) } else { 0 };
        (layer, before + number * u64::from(self.squares()) + u64::from(state.fox))
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        self.states(layer, index..index + 1).next().map(|(_, state)| state)
    }
}

impl Banded for FoxAndHounds {
    fn max_value_in(&self, _: u32) -> i32 {
        1
    }

    /// First the blocks with the hounds to move, then those with the fox to move, because moves of
    /// the fox stay in the layer.
    fn blocks(&self, layer: u32) -> Vec<Block> {
        let half = self.half_of(layer);
        let size = self.sets_in_block(layer) * u64::from(self.squares());
        let cut = |wave: u32| {
            let from = u64::from(wave) * half;
            let starts = (from..from + half).step_by(size as usize);
            starts.map(move |start| Block {
                wave,
                numbers: start..(start + size).min(from + half),
                places: self.squares().into(),
                region: start - from,
            })
        };
        cut(0).chain(cut(1)).collect()
    }

    /// A band has all squares of the fox.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        let (half, squares) = (self.half_of(layer), u64::from(self.squares()));
        let fox_to_move = block.numbers.start >= half;
        let far = self.progress().farthest() - layer;
        let sets = block.numbers.start % half / squares..;
        let lines = 0..((block.numbers.end - block.numbers.start) / squares) as u32;
        let all_hounds = self.progress().sets_from(far, sets.start);
        let mut band = Band::default();
        for (nth, (set, hounds)) in lines.zip(sets.zip(all_hounds)) {
            band.begin(nth, squares as u32);
            band.missing.extend(Bits(hounds).map(u32::from));
            let home = (bit(self.half()) - 1) & !hounds;
            let shut_in = !self.beside(!hounds) & !hounds & !home & self.all();
            let value = |win: bool| Value(if win == fox_to_move { 1 } else { -1 });
            let over = |set: u128, value: Value| Bits(set).map(move |at| (u32::from(at), value));
            band.over.extend(over(home, value(true)).chain(over(shut_in, value(false))));
            if fox_to_move {
                // The same hounds, to move.
                let to = Some(self.band(layer, false, set));
                let way = |pairs: &'g Vec<(u32, u32)>| BandMove {
                    to,
                    passes: true,
                    gain: 0,
                    places: Places::Pairs(pairs),
                };
                band.moves.extend(self.steps.iter().map(way));
            } else {
                let mut goals = 0;
                self.progress().steps(hounds, far, &self.ahead, |to, number| {
                    goals |= bit(to);
                    band.moves.push(BandMove {
                        to: Some(self.band(layer - 1, true, number)),
                        passes: true,
                        gain: 0,
                        places: Places::Same,
                    });
                });
                // The hounds are stuck if the fox stands on their only goal, or if they have none.
                if goals & goals.wrapping_sub(1) == 0 {
                    let stuck = if goals == 0 { self.all() } else { goals };
                    let value = if self.stuck == Stuck::Draw { Value(0) } else { Value(-1) };
                    band.over.extend(over(stuck & !(hounds | home | shut_in), value));
                }
            }
            visit(&band);
        }
    }
}
