//! Principal variations.

use std::collections::HashSet;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Value};

use super::haste::Haste;
use super::known::Known;
use crate::control::{Control, Halted};
use crate::exact::{Distances, Valuing, keeps};
use crate::found::Found;
use crate::moves::gather;

/// The moves of a position with what was found of them.
type Moves<'a, G> =
    &'a mut dyn FnMut(&<G as Game>::State) -> Option<Vec<(<G as Game>::Move, Found)>>;

/// Follows best moves from a position, of equal ones the first or by the seed, until the game is over, a position repeats, or `moves`
/// returns `None`.
pub(super) fn line<G: Game>(
    game: &G,
    state: &G::State,
    seed: Option<u64>,
    moves: Moves<'_, G>,
) -> Vec<G::Move> {
    let mut dice = seed.map(Dice::new);
    let mut here = *state;
    let mut seen = HashSet::from([here]);
    let mut line = Vec::new();
    while let Some(moves) = moves(&here) {
        let endless = game.endless(&here).value_for(game.turn(&here));
        let key = |found: &Found| found.key(endless);
        let Some(best) = moves.iter().map(|(_, found)| key(found)).max() else { break };
        let best: Vec<_> = moves.iter().filter(|(_, found)| key(found) == best).collect();
        let (mv, _) = *best[dice.as_mut().map_or(0, |dice| dice.below(best.len()))];
        here = game.play(&here, mv);
        line.push(mv);
        if !seen.insert(here) {
            break;
        }
    }
    line
}

/// Of moves that hold a draw, those after which the opponent has the fewest replies that hold it; none if the position
/// is no draw, some replies are not known, or all moves are as good.
pub(super) fn hardest<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[(G::Move, Found)],
    mut replies: impl FnMut(&G::State) -> Option<Vec<(G::Move, Found)>>,
) -> Vec<G::Move> {
    let endless = game.endless(state).value_for(game.turn(state));
    let best = moves.iter().map(|(_, found)| found.key(endless)).max();
    let best: Vec<_> = moves.iter().filter(|(_, found)| Some(found.key(endless)) == best).collect();
    if best.len() < 2 || best[0].1.value() != endless {
        return Vec::new();
    }
    let mut counts = Vec::with_capacity(best.len());
    for (mv, _) in &best {
        let child = game.play(state, *mv);
        counts.push(match game.outcome(&child) {
            // The draw would be certain.
            Some(_) => usize::MAX,
            None => {
                let Some(replies) = replies(&child) else { return Vec::new() };
                let most = replies.iter().map(|(_, found)| found.value()).max();
                replies.iter().filter(|(_, found)| Some(found.value()) == most).count()
            }
        });
    }
    let fewest = counts.iter().min();
    if counts.iter().all(|count| Some(count) == fewest) {
        return Vec::new();
    }
    let kept = best.iter().zip(&counts).filter(|(_, count)| Some(*count) == fewest);
    kept.map(|((mv, _), _)| *mv).collect()
}

/// Play that keeps a value, by a search for values: much cheaper than the values of all moves.
pub(super) struct Keeping<'s, 'v, G: Game> {
    pub game: &'s G,
    pub control: &'s Control,
    pub valuer: &'s mut (dyn Valuing<G> + 'v),
    /// The search for distances; `None` if any move will do that keeps the value.
    pub distances: Option<Distances<'s, G>>,
    /// The search for short wins, where there is none for distances.
    pub haste: Haste<'s, G>,
    /// The book that a line follows, and with which it ends; `None` if it goes on to the end of the game.
    pub book: Option<Known<'s, G>>,
}

/// Positions and moves that are looked at for short wins, for each move of a line.
const HASTE: u64 = 1 << 18;

impl<G: Game> Keeping<'_, '_, G> {
    /// Adds the moves of best play from a position with a value to a line, whose first move is one of these if there are some.
    pub fn line(
        &mut self,
        state: &G::State,
        mut value: Value,
        mut first: Vec<G::Move>,
        seed: Option<u64>,
        line: &mut Vec<G::Move>,
    ) -> Result<(), Halted> {
        let (mut here, mut dice) = (*state, seed.map(Dice::new));
        while self.game.outcome(&here).is_none() && !self.has_left_the_book(&here) {
            let mover = self.game.turn(&here);
            let given = std::mem::take(&mut first);
            let mut best = match self.distances {
                _ if !given.is_empty() => given,
                None => self.soonest(&here, value, seed.is_none())?,
                Some(_) => self.keeping(&here, value, false)?,
            };
            if let Some(distances) = self.distances.as_mut().filter(|_| best.len() > 1) {
                let wins = value > self.game.endless(&here).value_for(mover);
                let plies = distances.plies(self.valuer, &here, value)?;
                let mut found = Vec::new();
                for mv in best {
                    let child = self.game.play(&here, mv);
                    let value = value.seen_from(mover, self.game.turn(&child));
                    let mut at_most = |max| distances.at_most(self.valuer, &child, value, max);
                    // The one who wins takes no longer, all others no shorter.
                    let is_best = match wins {
                        true => at_most(plies - 1)?,
                        false => plies < 2 || !at_most(plies - 2)?,
                    };
                    if is_best {
                        found.push(mv);
                    }
                }
                best = found;
            }
            let at = dice.as_mut().map_or(0, |dice| dice.below(best.len()));
            // Some move keeps the value, unless the game breaks a promise.
            let Some(&mv) = best.get(at) else { break };
            line.push(mv);
            here = self.game.play(&here, mv);
            value = value.seen_from(mover, self.game.turn(&here));
        }
        Ok(())
    }

    fn has_left_the_book(&self, state: &G::State) -> bool {
        self.book.is_some_and(|book| matches!(book.moves(state), Ok(None)))
    }

    /// Moves that keep a value, and win soonest or lose latest as far as is soon seen; the first alone if that is enough.
    fn soonest(
        &mut self,
        state: &G::State,
        value: Value,
        first: bool,
    ) -> Result<Vec<G::Move>, Halted> {
        let (mut all, mover) = (Vec::new(), self.game.turn(state));
        gather(self.game, state, &mut all, self.control, 0)?;
        let (endless, count) = (self.game.endless(state).value_for(mover), all.len());
        let wins = value > endless;
        // A move that wins in time keeps the value; of the others that is not known yet.
        if wins {
            self.haste.restrict(state, value, &mut all, HASTE)?;
            if all.len() < count {
                return Ok(all);
            }
        }
        let mut keeping = self.keeping(state, value, first && value >= endless)?;
        if !wins {
            self.haste.restrict(state, value, &mut keeping, HASTE)?;
        }
        Ok(keeping)
    }

    /// The moves that keep a value; the first alone if that is enough.
    fn keeping(
        &mut self,
        state: &G::State,
        value: Value,
        first: bool,
    ) -> Result<Vec<G::Move>, Halted> {
        if self.distances.is_none()
            && let Some(best) = self.valuer.best(state)?
        {
            return Ok(vec![best]);
        }
        let (mut moves, mut keeping) = (Vec::new(), Vec::new());
        gather(self.game, state, &mut moves, self.control, 0)?;
        let mover = self.game.turn(state);
        for mv in moves {
            let child = self.game.play(state, mv);
            let next = self.game.turn(&child);
            let after = value.seen_from(mover, next);
            if keeps(self.valuer, &child, after, next == mover)? {
                keeping.push(mv);
                if first {
                    break;
                }
            }
        }
        Ok(keeping)
    }
}
