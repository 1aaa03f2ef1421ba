//! Positions one by one, whose moves lead to lower layers.

use std::ops::Range;

use foregone_record::Values;
use foregone_rules::{Bank, Block, Distance, Indexed, Side, Value, Worth};

use super::super::cell::{OPEN, code, worth};
use super::super::preference::Preference;
use super::super::same_endless;
use super::{Ask, AtHand, Failed, Kernel, joined};
use crate::moves;
use crate::subject::Subject;

/// Numbers in a block.
const BLOCK: u64 = 1 << 14;

/// Positions one by one; cells are worths as codes.
pub struct Points<'a, G: Indexed> {
    /// The game.
    pub subject: Subject<'a, G>,
    /// What the table stores.
    pub values: Values,
}

/// The best worth so far of each position, and what waits for answers.
pub struct Begun {
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
struct Move {
    /// Whether the turn passes to the other side.
    passes: bool,
    /// The points that are banked after it, for the side to move then.
    banked: Value,
    /// What endless play is worth to the one who moves, without banked points.
    endless: Value,
}

impl<G: Indexed> Points<'_, G> {
    /// The worth of a move for the one who makes it, from the cell of the position after it; `NONE` if
    /// there is no such position.
    #[inline]
    fn before(&self, mv: Move, cell: u32) -> Preference {
        if cell == OPEN {
            return Preference::NONE;
        }
        let below = worth(cell);
        // Ranks restart in each layer.
        let distance = match self.values {
            Values::ScoreRank => Distance::Plies(0),
            _ => below.distance(),
        };
        let worth = Worth::new(Value(below.value().0 + mv.banked.0), distance);
        let next = if mv.passes { Side::Second } else { Side::First };
        Preference::of(worth.backed_up(next, Side::First), mv.endless)
    }
}

/// The value of endless play for the mover, without banked points.
fn endless_of<G: Indexed>(game: &G, state: &G::State) -> Value {
    let bare = G::Bank::unbanked(game, state);
    game.endless(&bare).value_for(game.turn(&bare))
}

impl<G: Indexed> Kernel for Points<'_, G> {
    type Cell = u32;
    type Begun = Begun;

    fn blocks(&self, layer: u32) -> Vec<Block> {
        let size = self.subject.game.size(layer);
        let block = |first| Block { wave: 0, numbers: first..size.min(first + BLOCK) };
        (0..size).step_by(BLOCK as usize).map(block).collect()
    }

    fn begin(
        &self,
        layer: u32,
        part: Range<u64>,
        hand: &impl AtHand<u32>,
    ) -> Result<(Begun, Vec<Ask>), Failed> {
        let game = self.subject.game;
        let mut best = vec![Preference::NONE; (part.end - part.start) as usize];
        let (mut rows, mut waiting, mut zero) = (Vec::new(), Vec::new(), true);
        for (index, state) in game.states(layer, part.clone()) {
            let place = (index - part.start) as u32;
            let (mover, endless) = (game.turn(&state), endless_of(game, &state));
            zero &= endless == Value(0);
            if let Some(outcome) = game.outcome(&state) {
                best[place as usize] = Preference::of(Worth::finished(outcome, mover), endless);
                continue;
            }
            let bare = G::Bank::unbanked(game, &state);
            let (mut here, mut moves) = (Preference::NONE, 0u64);
            game.each_successor(&state, |_, child| {
                moves += 1;
                let after = G::Bank::unbanked(game, child);
                same_endless(&self.subject, self.values, [&bare, &after])?;
                let (passes, banked) = (game.turn(child) != mover, G::Bank::banked(game, child));
                let (mv, (lower, number)) = (Move { passes, banked, endless }, game.index(child));
                match hand.cell(lower, number) {
                    Some(cell) => here = here.max(self.before(mv, cell)),
                    None => {
                        rows.push(Ask::one(lower, number));
                        waiting.push(Waiting { place, after: mv });
                    }
                }
                Ok::<(), Failed>(())
            })?;
            if moves == 0 {
                return Err(moves::none(game, &state, self.subject.written).into());
            }
            best[place as usize] = here;
        }
        let (asks, answers) = joined(&rows);
        Ok((Begun { best, waiting, answers, zero }, asks))
    }

    fn end(
        &self,
        layer: u32,
        part: Range<u64>,
        begun: Begun,
        answers: &[u32],
        _: &impl AtHand<u32>,
    ) -> Result<Vec<u32>, Failed> {
        let Begun { mut best, waiting, answers: places, zero } = begun;
        for (Waiting { place, after }, at) in waiting.into_iter().zip(places) {
            let best = &mut best[place as usize];
            *best = (*best).max(self.before(after, answers[at]));
        }
        let game = self.subject.game;
        let cell = |(best, index): (Preference, u64)| {
            if best == Preference::NONE {
                return Ok(OPEN);
            }
            let state = |index| game.state(layer, index);
            let endless = match zero {
                true => Value(0),
                false => state(index).map_or(Value(0), |state| endless_of(game, &state)),
            };
            code(self.values.keep(best.worth(endless), endless))
        };
        best.into_iter().zip(part).map(cell).collect()
    }

    /// A worth that does not fit is no cell.
    fn check(&self, _: u32) -> Result<(), Failed> {
        Ok(())
    }

    fn worth(&self, cell: u32) -> Option<Worth> {
        (cell != OPEN).then(|| worth(cell))
    }
}
