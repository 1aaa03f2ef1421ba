//! What makes search fast: bridges, and the cells that must be played.
//!
//! Two stones that have two empty cells next to both form a *bridge*: whoever tries to part them by one of
//! the cells is answered on the other. So does a stone one row from an edge. A side whose stones are joined
//! from edge to edge by bridges that share no cell has won, if the other side is to move. And where the
//! other side would win so by one more stone, a move has to be that cell or one of those bridges' cells:
//! anything else leaves all of it in place. Hayward and van Rijswijck call that the must-play region
//! (*Hex and combinatorics*, 2006).

use super::{Hex, SWAP};
use crate::game::{Side, Value};
use crate::kit::{Bits, Chains, Placing, Stones, Symmetries, Ternary, image};
use crate::promise::{Candidates, SearchHints};

/// With so few empty cells a position is near the end of the game.
const NEAR: u32 = 8;

/// How many steps it is worth to be in the way of the other side once.
const IN_THE_WAY: i32 = 1;

/// This far from an edge, cells are not told apart.
const FARTHEST: i32 = 10;

const WIN: (Value, Value) = (Value(1), Value(1));
const LOSS: (Value, Value) = (Value(-1), Value(-1));
const OPEN: (Value, Value) = (Value(-1), Value(1));

/// What hints take from tables.
#[derive(Clone, Debug)]
pub(super) struct Hints {
    /// What positions are remembered by; `None` if that would not fit a word.
    keys: Option<Ternary>,
    /// The board and its mirror image across the diagonal; `None` if it is not as wide as high.
    diagonal: Option<Symmetries>,
    /// By cell: the cells that form a bridge with it, each with the two cells between.
    bridges: Vec<Vec<(u8, u64)>>,
    /// By cell: its distance from the centre, in half cells.
    distance: Vec<i32>,
}

impl Hints {
    pub fn new([columns, rows]: [usize; 2], chains: &Chains) -> Hints {
        let cells = columns * rows;
        let bridge = |cell: usize, other: usize| {
            let between = chains.next_to(cell) & chains.next_to(other);
            let apart = cell != other && chains.next_to(cell) >> other & 1 == 0;
            (apart && between.count_ones() == 2).then_some((other as u8, between))
        };
        let bridges =
            |cell: usize| (0..cells).filter_map(|other| bridge(cell, other)).collect::<Vec<_>>();
        let mirror = |cell: usize| (cell % columns * columns + cell / columns) as u8;
        let diagonal = (columns == rows).then(|| {
            let images = vec![(0..cells as u8).collect(), (0..cells).map(mirror).collect()];
            Symmetries::new(cells, images)
        });
        let off = |line: usize, lines: usize| (2 * line as i32 + 1 - lines as i32).abs();
        let distance = |cell: usize| off(cell % columns, columns) + off(cell / columns, rows);
        Hints {
            keys: Ternary::new(cells),
            diagonal,
            bridges: (0..cells).map(bridges).collect(),
            distance: (0..cells).map(distance).collect(),
        }
    }

    #[inline]
    pub fn mirrored(&self, cells: u64) -> u64 {
        self.diagonal.as_ref().map_or(cells, |both| image(&both.tables()[0], cells))
    }
}

impl SearchHints for Hex {
    fn key_bits(&self) -> u32 {
        self.hints.keys.as_ref().map_or(64, Ternary::bits)
    }

    /// The stones of the side to move and those of the other, as if the first player were to move where the
    /// board can be mirrored; of both images, the smaller. While a swap is possible, positions are not
    /// remembered. (How many stones there are tells who is to move, where it cannot be mirrored.)
    fn key(&self, state: &Stones) -> Option<(u64, Value)> {
        let keys = self.hints.keys.as_ref()?;
        if self.swap && state.taken().count_ones() <= 1 {
            return None;
        }
        let sets = [state.to_move, state.waiting];
        let sets = match state.turn {
            Side::First => sets,
            Side::Second => sets.map(|stones| self.mirrored(stones)),
        };
        Some((keys.of(self.board.symmetries().smallest(sets)), Value(0)))
    }

    #[inline]
    fn near_end(&self, state: &Stones) -> bool {
        self.empty(state).count_ones() <= NEAR
    }

    /// A cell for each side, and swapping.
    fn history_slots(&self) -> usize {
        2 * 64 + 1
    }

    #[inline]
    fn history_slot(&self, state: &Stones, mv: Placing) -> usize {
        match mv {
            Placing::At(cell) => state.turn.index() << 6 | usize::from(self.bit(cell)),
            Placing::Word(_) => 2 * 64,
        }
    }

    fn bounds_and_moves(
        &self,
        state: &Stones,
        moves: &mut Candidates<'_, Placing>,
    ) -> (Value, Value) {
        let empty = self.empty(state);
        // A swap turns everything round.
        if self.swap && state.to_move == 0 && state.taken().count_ones() <= 1 {
            if self.can_swap(state) {
                moves.push(0, SWAP);
            }
            let distance = |cell: u8| self.hints.distance[usize::from(cell)];
            Bits(empty).for_each(|cell| moves.push(-distance(cell), Placing::At(self.cell(cell))));
            return OPEN;
        }
        let (side, other) = (state.turn, state.turn.other());
        if self.bridged(state.waiting, empty, other).is_some() {
            return LOSS;
        }
        let with = |stones: u64, cell: u8, side: Side| {
            self.bridged(stones | 1 << cell, empty & !(1 << cell), side)
        };
        if Bits(empty).any(|cell| with(state.to_move, cell, side).is_some()) {
            return WIN;
        }
        let (mut must, mut in_the_way) = (empty, [0; 64]);
        for cell in Bits(empty) {
            if let Some(between) = with(state.waiting, cell, other) {
                let region = between | 1 << cell;
                must &= region;
                if must == 0 {
                    return LOSS;
                }
                Bits(region).for_each(|cell| in_the_way[usize::from(cell)] += IN_THE_WAY);
            }
        }
        let ways = [(state.to_move, side), (state.waiting, other)]
            .map(|(stones, side)| self.two_distances(stones, empty, side));
        for cell in Bits(must) {
            let at = usize::from(cell);
            let promise = in_the_way[at] - ways[0][at] - ways[1][at];
            moves.push(promise, Placing::At(self.cell(cell)));
        }
        OPEN
    }
}

impl Hex {
    #[inline]
    fn empty(&self, state: &Stones) -> u64 {
        self.board.all() as u64 & !state.taken()
    }

    /// If the stones of a side are joined from edge to edge by touching and by bridges that share no
    /// cell: the cells of these bridges. Not every such way is found.
    fn bridged(&self, stones: u64, empty: u64, side: Side) -> Option<u64> {
        let [near, far] = self.edges[side.index()];
        let is_free = |between: u64, way: u64| between & !empty == 0 && between & way == 0;
        let to_edge = |cell: u8, edge: u64| self.chains.next_to(cell.into()) & edge;
        // By cell: the cells of the bridges on the way from the near edge.
        let mut ways = [0u64; 64];
        let mut reached = self.chains.joined(near, stones);
        for cell in Bits(stones & !reached) {
            let between = to_edge(cell, near);
            if between.count_ones() == 2 && is_free(between, 0) && reached >> cell & 1 == 0 {
                let chain = self.chains.joined(1 << cell, stones);
                Bits(chain).for_each(|cell| ways[usize::from(cell)] = between);
                reached |= chain;
            }
        }
        let mut open = reached;
        while open != 0 {
            let cell = open.trailing_zeros() as u8;
            open &= open - 1;
            let way = ways[usize::from(cell)];
            if far >> cell & 1 == 1 {
                return Some(way);
            }
            let between = to_edge(cell, far);
            if between.count_ones() == 2 && is_free(between, way) {
                return Some(way | between);
            }
            for &(next, between) in &self.hints.bridges[usize::from(cell)] {
                if stones & !reached & 1 << next != 0 && is_free(between, way) {
                    let chain = self.chains.joined(1 << next, stones);
                    Bits(chain).for_each(|cell| ways[usize::from(cell)] = way | between);
                    reached |= chain;
                    open |= chain;
                }
            }
        }
        None
    }

    /// By empty cell: how far a side is from joining its edges there, as van Rijswijck counts it (*Are bees
    /// better than fruitflies?*, 2000). As the other side blocks the best way on, a cell is one further
    /// from an edge than the second nearest of those next to it, where stones of the side join all cells
    /// around their chain.
    fn two_distances(&self, stones: u64, empty: u64, side: Side) -> [i32; 64] {
        let mut next_to = [0; 64];
        for cell in Bits(empty) {
            next_to[usize::from(cell)] = self.chains.next_to(cell.into()) & empty;
        }
        let mut left = stones;
        let edges = self.edges[side.index()];
        let mut nearest = edges.map(|edge| edge & empty);
        while left != 0 {
            let chain = self.chains.joined(left & left.wrapping_neg(), left);
            left &= !chain;
            let around = self.chains.around(chain) & empty;
            Bits(around).for_each(|cell| next_to[usize::from(cell)] |= around);
            for (nearest, edge) in nearest.iter_mut().zip(edges) {
                *nearest |= if chain & edge != 0 { around } else { 0 };
            }
        }
        let mut distances = [0; 64];
        for nearest in nearest {
            let (mut layer, mut done, mut once, mut twice) = (nearest, 0, 0, 0);
            for distance in 1..=FARTHEST {
                let reached = if distance < FARTHEST { layer } else { empty & !done };
                for cell in Bits(reached) {
                    distances[usize::from(cell)] += distance;
                    let next = next_to[usize::from(cell)] & !(1 << cell);
                    twice |= once & next;
                    once |= next;
                }
                done |= reached;
                layer = twice & !done;
            }
        }
        distances
    }
}
