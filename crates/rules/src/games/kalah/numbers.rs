//! Numbers and bands of positions for tables. A layer is the number of stones in the pits; a tile
//! has the positions whose rows have two given classes (see `rows`).

use super::hints::MANY;
use super::rows::{Class, Rows};
use super::{Capture, End, Kalah, Rest};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{Number, Pits, stones_in, stones_of};
use crate::promise::{Band, BandMove, Banded, Block, Loose, Places};
use crate::promise::{Indexed, Line, PointBank, Target};

impl Kalah {
    /// The numbering of rows, the same for both sides; computed on first use.
    #[inline]
    fn numbered(&self) -> &Rows {
        let most = 2 * u32::from(self.pits) * u32::from(self.stones);
        self.rows.get_or_init(|| Rows::new(self.pits.into(), most))
    }

    /// The first number, in its layer, of the tile in which the mover's row has class `own` and the
    /// other side's row has class `other`. A tile is one range of numbers. Positions of a layer are
    /// sorted by the mover's stones, then the mover's class, then the other class, then the other
    /// side's row, then the mover's row.
    #[inline]
    fn tile(&self, own: Class, other: Class) -> u64 {
        let rows = self.numbered();
        let before = rows.before(own).wrapping_mul(rows.all(other.stones));
        self.less(own.stones + other.stones)[own.stones as usize]
            .wrapping_add(before)
            .wrapping_add(rows.len(own).wrapping_mul(rows.before(other)))
    }

    /// For positions with `stones` stones: by number n, how many positions have fewer than n stones
    /// on the mover's side.
    #[inline]
    fn less(&self, stones: u32) -> &[u64] {
        self.less[stones as usize].get_or_init(|| {
            let rows = self.numbered();
            let mut sum = 0;
            let with = |own: u32| {
                let before = sum;
                // If this overflows, the layer has no numbers.
                sum = rows.all(own).wrapping_mul(rows.all(stones - own)).wrapping_add(before);
                before
            };
            (0..=stones).map(with).collect()
        })
    }

    /// The classes of the tile of a number.
    fn tile_of(&self, layer: u32, index: u64) -> [Class; 2] {
        let rows = self.numbered();
        let less = self.less(layer);
        let stones = less.partition_point(|less| *less <= index) as u32 - 1;
        let index = index - less[stones as usize];
        let all = rows.all(layer - stones);
        let own = rows.class(stones, index / all);
        let number = (index - rows.before(own) * all) / rows.len(own);
        [own, rows.class(layer - stones, number)]
    }

    /// The position with these rows, the mover's first, and nothing banked.
    const fn with_rows(own: u64, other: u64) -> Pits {
        Pits { pits: [own, other], stores: [0, 0], turn: Side::First }
    }

    /// How many tiles of a layer are before one of them. (The classes of rows with s stones are those
    /// with a nearness from 0 to (pits - 1) s, and all of them have rows.)
    #[inline]
    fn tiles_before(&self, own: Class, other: Class) -> u32 {
        let (own_stones, stones) = (u64::from(own.stones), u64::from(own.stones + other.stones));
        let far = u64::from(self.pits) - 1;
        let less = own_stones.saturating_sub(1);
        // The sum of (far s + 1) (far (stones - s) + 1) over all s below the own stones.
        let pairs = stones * less * own_stones / 2
            - less * own_stones * (2 * own_stones).saturating_sub(1) / 6;
        let before = own_stones * (far * stones + 1) + far * far * pairs;
        let others = u64::from(self.numbered().nearest(other.stones)) + 1;
        (before + u64::from(own.near) * others + u64::from(other.near)) as u32
    }

    /// A move that many positions share, from the rows after it: the own row by class and place,
    /// the other row by class. Its target places are the places of the other side's row in its
    /// class.
    #[inline]
    fn led_to(
        &self,
        (own, place): (Class, u64),
        other: Class,
        again: bool,
        gain: u32,
    ) -> BandMove<'_> {
        let over = match self.end {
            End::Either => own.stones == 0 || other.stones == 0,
            // The next player to move has no stones.
            End::Mover => [other, own][usize::from(again)].stones == 0,
        };
        let (places, gain) = (Places::Same, gain as i32);
        if over {
            // The remaining stones are gained or lost, and it is the other side's turn.
            let [own, other] = [own, other].map(|class| class.stones as i32);
            let gain = gain
                + match self.rest {
                    Rest::Owner => own - other,
                    Rest::Mover => own + other,
                    Rest::None => 0,
                };
            return BandMove { to: None, passes: true, gain, places };
        }
        // Numbers of a tile with the same other row follow each other.
        let line =
            Line { nth: place as u32, len: self.numbered().len(other) as u32, across: again };
        let [first, second] = if again { [own, other] } else { [other, own] };
        let block = self.tiles_before(first, second);
        let to = Some(Target { layer: own.stones + other.stones, block, line });
        BandMove { to, passes: !again, gain, places }
    }

    /// Adds the moves of a pit, for all positions with this row of the mover and a row of class
    /// `other` on the other side.
    fn common<'g>(&'g self, band: &mut Band<'g>, own: u64, other: Class, pit: u8) {
        let stones = stones_in(own, pit);
        let rows = self.numbered();
        let sowing = &self.sowings[usize::from(pit)][usize::from(stones)];
        let sown = (own & !(0xff << (8 * pit))) + sowing.own;
        let last = self.last_hole(pit, stones);
        let gain = u32::from(sowing.store);
        if last < self.pits && stones_in(sown, last) == 1 {
            let opposite = self.pits - 1 - last;
            let left = rows.place(sown & !(0xff << (8 * last)));
            for taken in 0..=other.stones {
                if taken * u32::from(opposite) > other.near {
                    break;
                }
                let pairs = rows.without(other, opposite.into(), taken);
                if pairs.is_empty() {
                    continue;
                }
                let takes = taken > 0 || self.capture == Capture::Always;
                let (left, gain) =
                    if takes { (left, gain + taken + 1) } else { (rows.place(sown), gain) };
                let mv = self.led_to(left, other.without(opposite.into(), taken), false, gain);
                band.moves.push(BandMove { places: Places::Pairs(pairs), ..mv });
            }
            return;
        }
        let sown = rows.place(sown);
        // The number of stones that go beyond the own store.
        let beyond = u32::from(stones).saturating_sub(u32::from(self.pits - pit));
        let mv = self.led_to(sown, other.with_more(beyond), last == self.pits, gain);
        let places = match beyond {
            0 => Places::Same,
            beyond => Places::To(rows.more(other, beyond)),
        };
        band.moves.push(BandMove { places, ..mv });
    }
}

impl Indexed for Kalah {
    type Bank = PointBank;

    /// A layer is the number of stones in the pits.
    fn layers(&self) -> u32 {
        2 * u32::from(self.pits) * u32::from(self.stones) + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let all = self.fewer(layer + 1);
        if all >= MANY { u64::MAX } else { all - self.fewer(layer) }
    }

    #[inline]
    fn layer(&self, state: &Pits) -> u32 {
        state.pits.iter().map(|row| u32::from(stones_of(*row))).sum()
    }

    /// The pits, the mover's first; the stones in the stores are banked.
    #[inline]
    fn index(&self, state: &Pits) -> (u32, u64) {
        let rows = self.numbered();
        let stones = self.layer(state);
        if stones >= self.layers() {
            // A set-up position can have more stones than the game; it has no layer.
            return (stones, 0);
        }
        let [(own, own_place), (other, other_place)] = state.rows().map(|row| rows.place(row));
        let place = other_place.wrapping_mul(rows.len(own)).wrapping_add(own_place);
        let index = self.tile(own, other).wrapping_add(place);
        (own.stones + other.stones, index)
    }

    fn state(&self, layer: u32, index: u64) -> Option<Pits> {
        let rows = self.numbered();
        let [own, other] = self.tile_of(layer, index);
        let place = index - self.tile(own, other);
        let (own_place, other_place) = (place % rows.len(own), place / rows.len(own));
        Some(Kalah::with_rows(rows.row(own, own_place), rows.row(other, other_place)))
    }

    /// The sides are exchanged so that the mover's row comes first.
    fn merges(&self) -> bool {
        true
    }
}

impl Banded for Kalah {
    /// All stones in the pits.
    fn most_in(&self, layers: u32) -> i32 {
        layers as i32
    }

    /// A block is a tile. Tiles with the largest total nearness come first, because a sowing that
    /// banks nothing increases nearness.
    fn blocks(&self, layer: u32) -> Vec<Block> {
        let rows = self.numbered();
        let nearest = rows.nearest(layer);
        let mut blocks = Vec::new();
        for (wave, near) in (0..=nearest).rev().enumerate() {
            for stones in 0..=layer {
                let others = rows.nearest(layer - stones);
                for own in near.saturating_sub(others)..=near.min(rows.nearest(stones)) {
                    let own = Class { stones, near: own };
                    let other = Class { stones: layer - stones, near: near - own.near };
                    let (begin, size) = (self.tile(own, other), rows.len(own) * rows.len(other));
                    if size > 0 {
                        // A move mostly gives the turn, so that the sides are exchanged, and changes
                        // the rows by a few stones.
                        let [stones, near] =
                            [own.stones.max(other.stones), own.near.max(other.near)];
                        let region = u64::from(stones) << 32 | u64::from(near);
                        let (wave, numbers) = (wave as u32, begin..begin + size);
                        let places = rows.len(other) as u32;
                        blocks.push(Block { wave, numbers, places, region });
                    }
                }
            }
        }
        blocks
    }

    fn across(&self) -> bool {
        true
    }

    /// A band has one row of the mover and all rows of a class on the other side.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        let rows = self.numbered();
        let [own, other] = self.tile_of(layer, block.numbers.start);
        let over = own.stones == 0 || self.end == End::Either && other.stones == 0;
        let len = rows.len(other) as u32;
        let mut band = Band::default();
        for (nth, row) in (0..).zip(&rows.of_stones(own.stones).rows[rows.places(own)]) {
            band.begin(nth, len);
            if over {
                band.over.extend((0..len).map(|place| (place, Value(0))));
                visit(&band);
                continue;
            }
            for pit in (0..self.pits).filter(|pit| stones_in(*row, *pit) > 0) {
                if stones_in(*row, pit) <= 2 * self.pits - pit {
                    self.common(&mut band, *row, other, pit);
                    continue;
                }
                // A sowing that reaches the own side again is rare, and changes too much for a
                // common move.
                let others = &rows.of_stones(other.stones).rows[rows.places(other)];
                for (place, other) in (0..).zip(others) {
                    let state = Kalah::with_rows(*row, *other);
                    let next = self.play(&state, Number(pit));
                    let passes = next.turn != state.turn;
                    let Outcome(gain) = next.lead();
                    band.loose.push(Loose { place, to: self.index(&next), passes, gain });
                }
            }
            visit(&band);
        }
    }
}
