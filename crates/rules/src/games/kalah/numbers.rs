//! The numbers of Kalah's positions in a table, and all of them band by band: a layer is the stones
//! left, a tile the positions whose rows are of two classes (see `rows`).

use super::hints::MANY;
use super::rows::{Class, Rows};
use super::{Capture, End, Kalah, Rest, State, stones_in, stones_of};
use crate::game::{Game, Side, Value};
use crate::kit::Number;
use crate::promise::{Band, BandMove, Banded, Block, Loose, Places};
use crate::promise::{Indexed, PointBank};

impl Kalah {
    /// How the rows of either side are numbered, made when first asked for.
    #[inline]
    fn numbered(&self) -> &Rows {
        let most = 2 * u32::from(self.pits) * u32::from(self.stones);
        self.rows.get_or_init(|| Rows::new(self.pits.into(), most))
    }

    /// The first number, in the layer of all their stones, of the positions whose mover has a row of
    /// one class and whose other side has one of another. Rows of all classes go by the mover's
    /// stones, then by the other side's row, then by the mover's, class by class: a tile of two
    /// classes lies in one piece.
    #[inline]
    fn tile(&self, own: Class, other: Class) -> u64 {
        let rows = self.numbered();
        let before = rows.before(own).wrapping_mul(rows.all(other.stones));
        self.less(own.stones + other.stones)[own.stones as usize]
            .wrapping_add(before)
            .wrapping_add(rows.len(own).wrapping_mul(rows.before(other)))
    }

    /// For so many stones, by those of the mover: how many positions there are with less of them on
    /// the mover's side.
    #[inline]
    fn less(&self, stones: u32) -> &[u64] {
        self.less[stones as usize].get_or_init(|| {
            let rows = self.numbered();
            let mut sum = 0;
            let with = |own: u32| {
                let before = sum;
                // Layers that have more have no numbers.
                sum = rows.all(own).wrapping_mul(rows.all(stones - own)).wrapping_add(before);
                before
            };
            (0..=stones).map(with).collect()
        })
    }

    /// The classes of the tile that a number is in.
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
    const fn with_rows(own: u64, other: u64) -> State {
        State { pits: [own, other], stores: [0, 0], turn: Side::First }
    }

    /// What a move that many positions share leads to, by what is left of the rows: the layer, the
    /// number of the place 0 and from one to the next, whether the turn passes, and what is gained.
    /// The places are those of the other side's row in its class.
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
            // Who moves next has none left.
            End::Mover => [other, own][usize::from(again)].stones == 0,
        };
        let places = Places::Same;
        let gain = gain as i32;
        if over {
            // Swept: what is left is gained or lost, and it is the other side's turn.
            let [own, other] = [own, other].map(|class| class.stones as i32);
            let gain = gain
                + match self.rest {
                    Rest::Owner => own - other,
                    Rest::Mover => own + other,
                    Rest::None => 0,
                };
            return BandMove { layer: 0, first: 0, step: 0, passes: true, gain, places };
        }
        let layer = own.stones + other.stones;
        match again {
            true => {
                let first = self.tile(own, other) + place;
                let step = self.numbered().len(own);
                BandMove { layer, first, step, passes: false, gain, places }
            }
            false => {
                let first = self.tile(other, own) + place * self.numbered().len(other);
                BandMove { layer, first, step: 1, passes: true, gain, places }
            }
        }
    }

    /// The moves of a pit of all positions that have this row of the mover, and a row of one class on
    /// the other side.
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
        // So many stones go beyond the own store.
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

    /// The stones left in the pits.
    fn layers(&self) -> u32 {
        2 * u32::from(self.pits) * u32::from(self.stones) + 1
    }

    fn size(&self, layer: u32) -> u64 {
        let all = self.fewer(layer + 1);
        if all >= MANY { u64::MAX } else { all - self.fewer(layer) }
    }

    #[inline]
    fn layer(&self, state: &State) -> u32 {
        state.pits.iter().map(|row| u32::from(stones_of(*row))).sum()
    }

    /// The pits, the mover's first; what is in the stores is banked.
    #[inline]
    fn index(&self, state: &State) -> (u32, u64) {
        let rows = self.numbered();
        let stones = self.layer(state);
        if stones >= self.layers() {
            // A position can be set up that has more stones than the game: it has no layer.
            return (stones, 0);
        }
        let [(own, own_place), (other, other_place)] =
            Kalah::rows(state).map(|row| rows.place(row));
        let place = other_place.wrapping_mul(rows.len(own)).wrapping_add(own_place);
        let index = self.tile(own, other).wrapping_add(place);
        (own.stones + other.stones, index)
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
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
    /// All stones left.
    fn most_in(&self, layers: u32) -> i32 {
        layers as i32
    }

    /// Tiles, those first whose stones lie nearest to the stores: a sowing that banks nothing brings
    /// them nearer.
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
                        blocks.push(Block { wave: wave as u32, numbers: begin..begin + size });
                    }
                }
            }
        }
        blocks
    }

    /// A row of the mover with all rows of a class on the other side is a band.
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        let rows = self.numbered();
        let [own, other] = self.tile_of(layer, block.numbers.start);
        let over = own.stones == 0 || self.end == End::Either && other.stones == 0;
        let (step, len) = (rows.len(own), rows.len(other) as u32);
        let mut band = Band::default();
        for (row, first) in
            rows.told(own.stones).rows[rows.places(own)].iter().zip(block.numbers.start..)
        {
            band.begin(first, step, len);
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
                // Round to the own side again: too much changes, and it is rare.
                for (place, other) in (0..).zip(&rows.told(other.stones).rows[rows.places(other)]) {
                    let state = Kalah::with_rows(*row, *other);
                    let next = self.play(&state, Number(pit));
                    let passes = next.turn != state.turn;
                    let gain = Kalah::lead(&next);
                    band.loose.push(Loose { place, to: self.index(&next), passes, gain });
                }
            }
            visit(&band);
        }
    }
}
