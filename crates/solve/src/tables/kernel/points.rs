//! Positions one by one, whose moves lead to lower layers.

use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{Bank, Block, Distance, Indexed, Side, Value, Worth};

use super::super::cell::{OPEN, code, worth};
use super::super::known::Known;
use super::super::preference::Preference;
use super::super::same_endless;
use super::loops::{Loops, Settling};
use super::{Ask, Beginning, Begun, Failed, Kernel, View, joined};
use crate::moves;
use crate::subject::Subject;

/// Numbers in a block: fewer in small layers, so that there is work for all.
const BLOCK: std::ops::RangeInclusive<u64> = 16..=1 << 14;
/// Blocks of a small layer.
const BLOCKS: u64 = 256;
/// Blocks of a large layer: a list of them has to fit into memory.
const MAX: u64 = 1 << 20;

/// Positions one by one; cells are worths as codes.
pub struct Points<'a, G: Indexed> {
    /// The game.
    pub subject: Subject<'a, G>,
    /// What the table stores.
    pub values: Values,
}

/// A block that waits for answers.
struct Half<'k, 'a, G: Indexed> {
    points: &'k Points<'a, G>,
    layer: u32,
    part: Range<u64>,
    /// The best worth so far of each position.
    best: Vec<Preference>,
    waiting: Vec<Waiting>,
    /// For each of these, the place of its answer.
    answers: Vec<usize>,
    /// Whether endless play is worth 0 everywhere.
    zero: bool,
}

/// A move that leads to a position that is not at hand.
struct Waiting {
    place: u32,
    after: Move,
}

/// A move and what it changes.
#[derive(Clone, Copy)]
pub(in crate::tables) struct Move {
    /// Whether the turn passes to the other side.
    pub passes: bool,
    /// The points that are banked after it, for the side to move then.
    pub banked: Value,
    /// What endless play is worth to the one who moves, without banked points.
    endless: Value,
}

/// A number at the other end of a move within a layer, and whether the move gives the turn to the other side: in
/// one word, so that lists are sorted fast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::tables) struct Neighbour(u64);

impl Neighbour {
    /// The number must be below 2^63.
    pub const fn new(number: u64, passes: bool) -> Neighbour {
        Neighbour(number << 1 | passes as u64)
    }

    pub const fn number(self) -> u64 {
        self.0 >> 1
    }

    pub const fn passes(self) -> bool {
        self.0 & 1 == 1
    }
}

impl<G: Indexed> Points<'_, G> {
    /// Calls `visit` for each move with the layer and the number that it leads to. The worth of a position
    /// that is over; [`Preference::NONE`] if there are moves.
    #[inline]
    pub(in crate::tables) fn look(
        &self,
        state: &G::State,
        endless: Value,
        mut visit: impl FnMut((u32, u64), Move) -> Result<(), Failed>,
    ) -> Result<Preference, Failed> {
        let game = self.subject.game;
        let mover = game.turn(state);
        if let Some(outcome) = game.outcome(state) {
            return Ok(Preference::of(Worth::finished(outcome, mover), endless));
        }
        let bare = G::Bank::unbanked(game, state);
        let mut moves = 0u64;
        game.each_successor(state, |_, child| {
            moves += 1;
            let after = G::Bank::unbanked(game, child);
            same_endless(&self.subject, self.values, [&bare, &after])?;
            let (passes, banked) = (game.turn(child) != mover, G::Bank::banked(game, child));
            visit(game.index(child), Move { passes, banked, endless })
        })?;
        match moves {
            0 => Err(moves::none(game, state, self.subject.written).into()),
            _ => Ok(Preference::NONE),
        }
    }

    /// Checks a move that stays in its layer: it must not bank points.
    #[inline]
    pub(in crate::tables) fn stays(&self, state: &G::State, mv: Move) -> Result<(), Failed> {
        match mv.banked {
            Value(0) => Ok(()),
            _ => Err(Failed::BanksWithin { position: self.subject.position(state) }),
        }
    }

    /// Lists the predecessors of a number within its layer, once each.
    pub(in crate::tables) fn list_before(
        &self,
        layer: u32,
        number: u64,
        before: &mut Vec<Neighbour>,
    ) -> Result<(), Failed> {
        let game = self.subject.game;
        let Some(state) = game.state(layer, number) else { return Ok(()) };
        let turn = game.turn(&state);
        let all = game.predecessors(&state);
        let all =
            all.ok_or_else(|| Failed::Predecessors { position: self.subject.position(&state) })?;
        let neighbour = |earlier| Neighbour::new(game.index(earlier).1, game.turn(earlier) != turn);
        before.extend(all.iter().map(neighbour));
        before.sort_unstable();
        before.dedup();
        Ok(())
    }

    /// The code of a number when all results of its layer are settled; `zero` says whether endless play
    /// is worth 0 everywhere.
    pub(in crate::tables) fn result(
        &self,
        layer: u32,
        number: u64,
        known: &Known<'_>,
        zero: bool,
    ) -> Result<u32, Failed> {
        let (best, settled) = (known.best(number), known.is_settled(number));
        if settled && best == Preference::NONE {
            return Ok(OPEN);
        }
        let game = self.subject.game;
        let endless = match zero {
            true => Value(0),
            false => game.state(layer, number).map_or(Value(0), |state| self.endless(&state)),
        };
        let worth = if settled { best.worth(endless) } else { Worth::endless(endless) };
        code(self.values.keep(worth, endless))
    }

    /// The value of endless play for the mover, without banked points.
    #[inline]
    pub(in crate::tables) fn endless(&self, state: &G::State) -> Value {
        let game = self.subject.game;
        let bare = G::Bank::unbanked(game, state);
        game.endless(&bare).value_for(game.turn(&bare))
    }

    /// The worth of a move for the one who makes it, from the worth of the position after it, in a lower
    /// layer.
    #[inline]
    pub(in crate::tables) fn exit(&self, mv: Move, below: Worth) -> Preference {
        // Ranks restart in each layer.
        let distance = match self.values {
            Values::ScoreRank => Distance::Plies(0),
            _ => below.distance(),
        };
        let worth = Worth::new(Value(below.value().0 + mv.banked.0), distance);
        let next = if mv.passes { Side::Second } else { Side::First };
        Preference::of(worth.backed_up(next, Side::First), mv.endless)
    }

    /// The worth of a move, from the cell of the position after it; `NONE` if there is no such position.
    #[inline]
    pub(super) fn before(&self, mv: Move, cell: u32) -> Preference {
        match cell {
            OPEN => Preference::NONE,
            cell => self.exit(mv, worth(cell)),
        }
    }
}

impl<G: Indexed> Kernel<u32> for Points<'_, G> {
    fn after(&self, layer: u32) -> Vec<u32> {
        self.subject.game.layers_after(layer)
    }

    fn size(&self, layer: u32) -> u64 {
        self.subject.game.size(layer)
    }

    fn blocks(&self, layer: u32) -> Vec<Block> {
        let size = self.subject.game.size(layer);
        let each = (size / BLOCKS).clamp(*BLOCK.start(), *BLOCK.end()).max(size / MAX);
        let block = |first| Block {
            wave: 0,
            numbers: first..size.min(first + each),
            places: 1,
            region: first,
        };
        (0..size).step_by(each as usize).map(block).collect()
    }

    fn takes_parts(&self) -> bool {
        true
    }

    fn begin<'k>(&'k self, layer: u32, part: Range<u64>, view: &View<u32>) -> Beginning<'k, u32> {
        let game = self.subject.game;
        let mut best = vec![Preference::NONE; (part.end - part.start) as usize];
        let (mut rows, mut waiting, mut zero) = (Vec::new(), Vec::new(), true);
        for (index, state) in game.states(layer, part.clone()) {
            let (place, endless) = ((index - part.start) as u32, self.endless(&state));
            zero &= endless == Value(0);
            let mut here = Preference::NONE;
            let over = self.look(&state, endless, |(lower, number), mv| {
                match view.cell(lower, number) {
                    Some(cell) => here = here.max(self.before(mv, cell)),
                    None => {
                        rows.push(Ask::one(lower, number));
                        waiting.push(Waiting { place, after: mv });
                    }
                }
                Ok(())
            })?;
            best[place as usize] = here.max(over);
        }
        let (asks, answers) = joined(&rows);
        let half = Half { points: self, layer, part, best, waiting, answers, zero };
        Ok((Box::new(half), asks))
    }

    fn settling<'k>(
        &'k self,
        layer: u32,
        numbers: Range<u64>,
    ) -> Option<Box<dyn Settling<u32> + 'k>> {
        let stays = self.subject.game.layers_after(layer).contains(&layer);
        stays.then(|| Box::new(Loops::new(self, layer, numbers)) as Box<dyn Settling<u32> + 'k>)
    }

    /// A worth that does not fit is no cell.
    fn check(&self, _: u32) -> Result<(), Failed> {
        Ok(())
    }

    fn worth(&self, cell: u32) -> Option<Worth> {
        (cell != OPEN).then(|| worth(cell))
    }

    fn cell(&self, worth: Option<Worth>) -> Result<u32, Failed> {
        worth.map_or(Ok(OPEN), code)
    }
}

impl<G: Indexed> Begun<u32> for Half<'_, '_, G> {
    fn end(self: Box<Self>, answers: &[u32], _: &View<u32>) -> Result<Vec<u32>, Failed> {
        let Half { points, layer, part, mut best, waiting, answers: places, zero } = *self;
        for (Waiting { place, after }, at) in waiting.into_iter().zip(places) {
            let best = &mut best[place as usize];
            *best = (*best).max(points.before(after, answers[at]));
        }
        let game = points.subject.game;
        let cell = |(best, index): (Preference, u64)| {
            if best == Preference::NONE {
                return Ok(OPEN);
            }
            let state = |index| game.state(layer, index);
            let endless = match zero {
                true => Value(0),
                false => state(index).map_or(Value(0), |state| points.endless(&state)),
            };
            code(points.values.keep(best.worth(endless), endless))
        };
        best.into_iter().zip(part).map(cell).collect()
    }
}
