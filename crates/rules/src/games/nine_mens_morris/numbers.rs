//! Numbers of positions up to symmetry, for tables; a layer has given numbers of men in hand and on
//! the board.

use std::sync::OnceLock;

use super::{ALL, NineMensMorris, POINTS, State, board};
use crate::game::Side;
use crate::kit::{Bits, Orbits};
use crate::promise::{Indexed, NoBank};

/// The layers of the game with `men` men a side, and the orbits of sets of men.
#[derive(Clone, Debug)]
pub(super) struct Numbers {
    men: u8,
    orbits: &'static Orbits,
    layers: Vec<Layer>,
    /// The number of the layer, by men in hand and men on the board, the mover's first.
    numbers: Vec<u32>,
}

/// The positions with these men in hand and on the board, the mover's first. If no men are in hand,
/// the layer also has the positions with the numbers of men exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    hand: u8,
    men: [u8; 2],
    /// The layers that moves lead to.
    after: Vec<u32>,
}

/// The sets of men up to the symmetries of the board; all games share them, and they are computed
/// on first use.
pub(super) fn orbits() -> &'static Orbits {
    static ORBITS: OnceLock<Orbits> = OnceLock::new();
    ORBITS.get_or_init(|| {
        let board = board();
        let symmetries = board.symmetries();
        let maps = (0..symmetries.len()).map(|nth| symmetries.map(nth).to_vec());
        Orbits::new(POINTS as u32, maps.collect())
    })
}

impl Numbers {
    pub fn new(men: u8) -> Numbers {
        let mut numbers =
            Numbers { men, orbits: orbits(), layers: Vec::new(), numbers: Vec::new() };
        numbers.number_layers();
        numbers
    }

    fn number_layers(&mut self) {
        let side = self.men + 1;
        self.numbers = vec![u32::MAX; usize::from(2 * side - 1) * usize::from(side).pow(2)];
        // With no men in hand, a slide only exchanges the mover's and the other side's numbers of
        // men, so both orders share a layer.
        for max in 0..side {
            for least in 0..=max {
                let here = self.layers.len() as u32;
                let men = [max, least];
                for men in [men, [least, max]] {
                    let at = self.place_of(0, men);
                    self.numbers[at] = here;
                }
                // A slide, or the capture of a man of either side.
                let one = [max.saturating_sub(1), least];
                let other = [max, least.saturating_sub(1)];
                self.push_layer(0, men, [men, one, other].map(|men| (0, men)));
            }
        }
        for hand in 1..=2 * self.men {
            let [own, other] = Numbers::views(hand).map(|hand| self.men - hand);
            for men in (0..=own).flat_map(|own| (0..=other).map(move |other| [own, other])) {
                let at = self.place_of(hand, men);
                self.numbers[at] = self.layers.len() as u32;
                // The mover places a man, and may capture one; then the other side moves.
                let [own, other] = men;
                let after = [other, other.saturating_sub(1)].map(|other| [other, own + 1]);
                self.push_layer(hand, men, after.map(|men| (hand - 1, men)));
            }
        }
    }

    /// Adds a layer, whose moves lead to positions with these men in hand and on the board.
    fn push_layer<const N: usize>(&mut self, hand: u8, men: [u8; 2], after: [(u8, [u8; 2]); N]) {
        let number = |(hand, men)| self.numbers[self.place_of(hand, men)];
        let mut after = after.map(number).to_vec();
        after.sort_unstable();
        after.dedup();
        self.layers.push(Layer { hand, men, after });
    }

    /// The men in hand of the mover and of the other side, if both have `hand` together.
    fn views(hand: u8) -> [u8; 2] {
        let mut hands = NineMensMorris::hands(hand);
        hands.rotate_left(Numbers::mover(hand).index());
        hands
    }

    /// The side to move while men are in hand; with none in hand, the side of states of numbers.
    const fn mover(hand: u8) -> Side {
        Side::BOTH[hand as usize % 2]
    }

    const fn place_of(&self, hand: u8, [own, other]: [u8; 2]) -> usize {
        let side = self.men as usize + 1;
        (hand as usize * side + own as usize) * side + other as usize
    }
}

impl Indexed for NineMensMorris {
    type Bank = NoBank;

    /// Layers are sorted by men in hand, then by the larger number of men on the board, so that the
    /// lowest layers have all positions with at most n men a side.
    fn layers(&self) -> u32 {
        self.numbers.layers.len() as u32
    }

    fn size(&self, layer: u32) -> u64 {
        let Layer { hand, men: [own, other], .. } = self.numbers.layers[layer as usize];
        let [own, other] = [own, other].map(u32::from);
        let also = if hand == 0 && own != other { self.numbers.orbits.size(other, own) } else { 0 };
        self.numbers.orbits.size(own, other) + also
    }

    /// The mover's men and the other side's, up to symmetry and exchange of sides. If no men are in
    /// hand, positions whose mover has more men come before those whose mover has fewer.
    fn index(&self, state: &State) -> (u32, u64) {
        let [own, other] = [state.turn, state.turn.other()].map(|side| state.men[side.index()]);
        let counts = [own, other].map(u32::count_ones);
        let hand = state.hand[0] + state.hand[1];
        let layer =
            self.numbers.numbers[self.numbers.place_of(hand, counts.map(|count| count as u8))];
        let fewer = hand == 0 && counts[0] < counts[1];
        let before = if fewer { self.numbers.orbits.size(counts[1], counts[0]) } else { 0 };
        (layer, before + self.numbers.orbits.number([own, other], counts))
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let Layer { hand, men: [own, other], .. } = self.numbers.layers[layer as usize];
        let [mut own, mut other] = [own, other].map(u32::from);
        let mut index = index;
        if hand == 0 && index >= self.numbers.orbits.size(own, other) {
            index -= self.numbers.orbits.size(own, other);
            (own, other) = (other, own);
        }
        let turn = Numbers::mover(hand);
        let mut men = self.numbers.orbits.pair(index, own, other)?;
        men.rotate_right(turn.index());
        Some(State { men, hand: NineMensMorris::hands(hand), turn })
    }

    fn merges(&self) -> bool {
        true
    }

    /// Captures and placements lead to other layers, so only slides and flights that close no mill
    /// are taken back.
    fn predecessors(&self, state: &State) -> Option<Vec<State>> {
        let mut all = Vec::new();
        if state.hand != [0, 0] {
            return Some(all);
        }
        let moved = state.turn.other();
        let men = state.men[moved.index()];
        let empty = ALL & !(state.men[0] | state.men[1]);
        let flies = self.flying && men.count_ones() == 3;
        for to in Bits(u64::from(men)).filter(|to| !self.closes(men & !(1 << to), *to)) {
            let reach = if flies { ALL } else { self.next_to[usize::from(to)] };
            for from in Bits(u64::from(reach & empty)) {
                let mut earlier = State { turn: moved, ..*state };
                earlier.men[moved.index()] = men ^ (1 << to) ^ (1 << from);
                // With two men the game was already over.
                if earlier.men[moved.index()].count_ones() >= 3 {
                    all.push(earlier);
                }
            }
        }
        Some(all)
    }

    fn layers_after(&self, layer: u32) -> Vec<u32> {
        self.numbers.layers[layer as usize].after.clone()
    }
}
