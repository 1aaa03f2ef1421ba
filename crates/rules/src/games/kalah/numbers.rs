//! Numbers and bands of positions for tables. A layer is the number of stones in the pits; a tile
//! has the positions whose rows have two given classes (see `rows`).

use super::hints::MANY;
use super::rows::{Class, Rows};
use super::sowing::nearness_of;
use super::{Capture, End, Kalah, Rest};
use crate::game::{Game, Outcome, Side, Value};
use crate::kit::{Number, Pits, stones_in, stones_of};
use crate::promise::{Band, BandMove, Banded, Block, Loose, Places};
use crate::promise::{Indexed, Line, PointBank, Split, Target, Way};

impl Kalah {
    /// The numbering of rows, the same for both sides; computed on first use.
    #[inline]
    fn numbered(&self) -> &Rows {
        let max = 2 * u32::from(self.pits) * u32::from(self.stones);
        self.rows.get_or_init(|| Rows::new(self.pits.into(), max))
    }

    /// The first number, in its layer, of the tile in which the mover's row has class `own` and the
    /// other side's row has class `other`. A tile is one range of numbers. Positions of a layer are
    /// sorted by the mover's stones, then the mover's class, then the other class, then the other
    /// side's row, then the mover's row.
    #[inline]
    fn tile(&self, own: Class, other: Class) -> u64 {
        let rows = self.numbered();
        let before = rows.before(own).wrapping_mul(rows.all(other.stones));
        let (less, _) = self.less(own.stones + other.stones)[own.stones as usize];
        less.wrapping_add(before).wrapping_add(rows.len(own).wrapping_mul(rows.before(other)))
    }

    /// For positions with `stones` stones: by number n, how many positions have fewer than n stones
    /// on the mover's side, and how many tiles.
    #[inline]
    fn less(&self, stones: u32) -> &[(u64, u32)] {
        self.less[stones as usize].get_or_init(|| {
            let rows = self.numbered();
            let (mut positions, mut tiles) = (0, 0);
            let with = |own: u32| {
                let before = (positions, tiles);
                let other = stones - own;
                // If this overflows, the layer has no numbers.
                positions = rows.all(own).wrapping_mul(rows.all(other)).wrapping_add(positions);
                tiles += (rows.nearest(own) + 1) * (rows.nearest(other) + 1);
                before
            };
            (0..=stones).map(with).collect()
        })
    }

    /// The classes of the tile of a number.
    fn tile_of(&self, layer: u32, index: u64) -> [Class; 2] {
        let rows = self.numbered();
        let less = self.less(layer);
        let stones = less.partition_point(|(less, _)| *less <= index) as u32 - 1;
        let index = index - less[stones as usize].0;
        let all = rows.all(layer - stones);
        let own = rows.class(stones, index / all);
        let number = (index - rows.before(own) * all) / rows.len(own);
        [own, rows.class(layer - stones, number)]
    }

    /// The position with these rows, the mover's first, and nothing banked.
    const fn with_rows(own: u64, other: u64) -> Pits {
        Pits { pits: [own, other], stores: [0, 0], turn: Side::First }
    }

    /// The block of a tile. (The classes of rows with s stones are those with a nearness from 0 to
    /// (pits - 1) s, and all of them have rows.)
    #[inline(always)]
    fn block(&self, own: Class, other: Class) -> u32 {
        let others = self.numbered().nearest(other.stones) + 1;
        let (_, before) = self.less(own.stones + other.stones)[own.stones as usize];
        before + own.near * others + other.near
    }

    /// Where a move leads that many positions share, from the rows after it: the own row by class and
    /// place, the other row by class. Its target places are the places of the other side's row in its
    /// class.
    #[inline(always)]
    fn led_to(&self, (own, place): (Class, u32), other: Class, again: bool, gain: u32) -> Way {
        let over = match self.end {
            End::Either => own.stones == 0 || other.stones == 0,
            // The next player to move has no stones.
            End::Mover => [other, own][usize::from(again)].stones == 0,
        };
        let gain = gain as i32;
        if over {
            // The remaining stones are gained or lost, and it is the other side's turn.
            let [own, other] = [own, other].map(|class| class.stones as i32);
            let rest = match self.rest {
                Rest::Owner => own - other,
                Rest::Mover => own + other,
                Rest::None => 0,
            };
            return Way { to: None, gain: gain + rest };
        }
        // Numbers of a tile with the same other row follow each other.
        let line = Line { nth: place, len: self.numbered().len(other) as u32, across: again };
        let [first, second] = if again { [own, other] } else { [other, own] };
        let (layer, block) = (own.stones + other.stones, self.block(first, second));
        Way { to: Some(Target { layer, block, line }), gain }
    }

    /// The moves of all rows with `stones` stones; computed on first use.
    fn moves_of(&self, stones: u32) -> &RowMoves {
        self.row_moves[stones as usize].get_or_init(|| {
            let mut all = RowMoves::default();
            for row in &self.numbered().of_stones(stones).rows {
                all.begins.push(all.moves.len() as u32);
                for pit in (0..self.pits).filter(|pit| stones_in(*row, *pit) > 0) {
                    self.add_moves(&mut all.moves, *row, pit);
                }
            }
            all.begins.push(all.moves.len() as u32);
            all
        })
    }

    /// Adds the move of a pit.
    fn add_moves(&self, moves: &mut Vec<RowMove>, own: u64, pit: u8) {
        let stones = stones_in(own, pit);
        let place = |row| {
            let (class, place) = self.numbered().place(row);
            (class, place as u32)
        };
        if stones > 2 * self.pits - pit {
            // It changes too much for a common move, and is rare.
            moves.push(RowMove { row: place(own), gain: 0, how: How::Around { pit } });
            return;
        }
        let sowing = &self.sowings[usize::from(pit)][usize::from(stones)];
        let sown = (own & !(0xff << (8 * pit))) + sowing.own;
        let (last, gain) = (sowing.last, sowing.store);
        if last < self.pits && stones_in(sown, last) == 1 {
            let opposite = self.pits - 1 - last;
            let left = place(sown & !(0xff << (8 * last)));
            moves.push(RowMove { row: left, gain, how: How::Capture { opposite } });
            if self.capture == Capture::Nonempty {
                moves.push(RowMove { row: place(sown), gain, how: How::Miss });
            }
            return;
        }
        // The number of stones that go beyond the own store.
        let beyond = stones.saturating_sub(self.pits - pit);
        let how = How::Sow { beyond, again: last == self.pits };
        moves.push(RowMove { row: place(sown), gain, how });
    }

    /// Adds a capture to a band, for all other rows of a class; `miss` is the move if nothing is taken, if
    /// that is no capture.
    fn capture<'g>(
        &'g self,
        band: &mut Band<'g>,
        RowMove { row, gain, .. }: RowMove,
        miss: Option<RowMove>,
        other: Class,
        opposite: u8,
    ) {
        let rows = self.numbered();
        let (which, to) = rows.without(other, opposite.into());
        let begin = band.ways.len();
        for taken in 0..=other.stones {
            if taken * u32::from(opposite) > other.near {
                break;
            }
            let rest = other.without(opposite.into(), taken);
            band.ways.push(match miss {
                // No other row has as many stones there.
                _ if rest.near > rows.nearest(rest.stones) => Way { to: None, gain: 0 },
                Some(miss) if taken == 0 => self.led_to(miss.row, rest, false, gain.into()),
                _ => self.led_to(row, rest, false, u32::from(gain) + taken + 1),
            });
        }
        band.splits.push(Split { passes: true, which, to, ways: begin..band.ways.len() });
    }
}

impl Kalah {
    /// Adds the moves of a pit whose sowing reaches the own side again, one by one.
    fn around(&self, band: &mut Band<'_>, row: u64, other: Class, pit: u8) {
        let rows = self.numbered();
        let others = &rows.of_stones(other.stones).rows[rows.places(other)];
        for (place, other) in (0..).zip(others) {
            let state = Kalah::with_rows(row, *other);
            let next = self.play(&state, Number(pit));
            let passes = next.turn != state.turn;
            let Outcome(gain) = next.lead();
            band.loose.push(Loose { place, to: self.index(&next), passes, gain });
        }
    }
}

/// The moves of all rows with equally many stones, whatever the other side has.
#[derive(Clone, Debug, Default)]
pub(super) struct RowMoves {
    moves: Vec<RowMove>,
    /// Where those of each row begin, and where all end.
    begins: Vec<u32>,
}

/// A move of a row.
#[derive(Clone, Copy, Debug)]
struct RowMove {
    /// The own row after it.
    row: (Class, u32),
    /// The stones that are sown into the store.
    gain: u8,
    how: How,
}

#[derive(Clone, Copy, Debug)]
enum How {
    /// The first `beyond` pits of the other side get a stone each.
    Sow { beyond: u8, again: bool },
    /// The last stone and the opposite ones are taken.
    Capture { opposite: u8 },
    /// After a capture: the same move, if the opposite pit is empty and the last stone stays.
    Miss,
    /// The sowing reaches the own side again.
    Around { pit: u8 },
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
        let [own, other] = state.rows();
        let own_stones = u32::from(stones_of(own));
        let (first, second) = (rows.by_rank(own_stones), rows.by_rank(stones - own_stones));
        if let (Some(first), Some(second)) = (first, second) {
            // As below, with fewer and smaller tables.
            let (before, len) = first.class(nearness_of(own));
            let [own, other] = [first.numbers[rows.rank(own)], second.numbers[rows.rank(other)]];
            let (less, _) = self.less(stones)[own_stones as usize];
            let [before, len, own, other] = [before, len, own, other].map(u64::from);
            let earlier = before * second.numbers.len() as u64 + len * other;
            return (stones, less + earlier + own - before);
        }
        let ((own, own_place), (other, other_place)) = (rows.place(own), rows.place(other));
        let place = other_place.wrapping_mul(rows.len(own)).wrapping_add(own_place);
        let index = self.tile(own, other).wrapping_add(place);
        (stones, index)
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
    fn max_value_in(&self, layers: u32) -> i32 {
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
        let moves = self.moves_of(own.stones);
        for (nth, at) in (0..).zip(rows.places(own)) {
            let row = &rows.of_stones(own.stones).rows[at];
            band.begin(nth, len);
            if over {
                band.over.extend((0..len).map(|place| (place, Value(0))));
                visit(&band);
                continue;
            }
            let moves = &moves.moves[moves.begins[at] as usize..moves.begins[at + 1] as usize];
            for (nth, mv) in moves.iter().enumerate() {
                match mv.how {
                    How::Sow { beyond, again } => {
                        let sown = other.with_more(beyond.into());
                        let Way { to, gain } = self.led_to(mv.row, sown, again, mv.gain.into());
                        let places = match beyond {
                            0 => Places::Same,
                            beyond => Places::To(rows.more(other, beyond.into())),
                        };
                        // If the game is over, it is nobody's turn again.
                        let passes = !again || to.is_none();
                        band.moves.push(BandMove { to, passes, gain, places });
                    }
                    How::Capture { opposite } => {
                        let miss = moves.get(nth + 1).filter(|mv| matches!(mv.how, How::Miss));
                        self.capture(&mut band, *mv, miss.copied(), other, opposite);
                    }
                    How::Miss => {}
                    How::Around { pit } => self.around(&mut band, *row, other, pit),
                }
            }
            visit(&band);
        }
    }
}
