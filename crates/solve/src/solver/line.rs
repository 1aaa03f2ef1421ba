//! Principal variations.

use std::collections::HashSet;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Value};

use super::haste::Haste;
use super::known::Known;
use crate::control::{Control, Halted};
use crate::exact::{Distances, Valuing, keeps};
use crate::found::Found;
use crate::moves::{after, listed, outcome};

/// Follows best moves from a position, of equal ones the first or by the seed, until the game is over, a position repeats, or `moves`
/// returns `None`. In draws the hardest moves are taken if replies are `known` without search.
pub(super) fn line<G: Game>(
    game: &G,
    state: &G::State,
    seed: Option<u64>,
    known: bool,
    moves: Replies<'_, G>,
) -> Vec<G::Move> {
    let mut dice = seed.map(Dice::new);
    let mut here = *state;
    let mut seen = HashSet::from([here]);
    let mut line = Vec::new();
    while let Some(all) = moves(&here) {
        let endless = game.endless(&here).value_for(game.turn(&here));
        let keys: Vec<i64> = all.iter().map(|(_, found)| found.key(endless)).collect();
        let mut best: Vec<_> = most(&keys).into_iter().map(|at| all[at].0).collect();
        let hardest = if known { hardest(game, &here, &all, moves) } else { Vec::new() };
        if !hardest.is_empty() {
            best = hardest;
        }
        if best.is_empty() {
            break;
        }
        let mv = best[dice.as_mut().map_or(0, |dice| dice.below(best.len()))];
        here = after(game, &here, mv);
        line.push(mv);
        if !seen.insert(here) {
            break;
        }
    }
    line
}

/// The moves of a position with what is known of them; `None` if that is not known of all.
pub(super) type Replies<'a, G> =
    &'a mut dyn FnMut(&<G as Game>::State) -> Option<Vec<(<G as Game>::Move, Found)>>;

/// Of moves that hold a draw, those after which the opponent has the fewest replies that hold it; none if the position
/// is no draw, some replies are not known, or all moves are as good.
pub(super) fn hardest<G: Game>(
    game: &G,
    state: &G::State,
    moves: &[(G::Move, Found)],
    replies: Replies<'_, G>,
) -> Vec<G::Move> {
    let endless = game.endless(state).value_for(game.turn(state));
    let keys: Vec<i64> = moves.iter().map(|(_, found)| found.key(endless)).collect();
    let mut count = |at: usize| {
        let child = after(game, state, moves[at].0);
        match outcome(game, &child) {
            // The draw would be certain.
            Some(_) => Some(usize::MAX),
            // All that keep the value, however soon.
            None => replies(&child).map(|all| {
                most(&all.iter().map(|(_, found)| i64::from(found.value().0)).collect::<Vec<_>>())
                    .len()
            }),
        }
    };
    let drawn = |at: usize| moves[at].1.value() == endless;
    fewest(&keys, &drawn, &mut count).into_iter().map(|at| moves[at].0).collect()
}

/// The places of the largest numbers.
fn most(numbers: &[i64]) -> Vec<usize> {
    let most = numbers.iter().max();
    (0..numbers.len()).filter(|at| Some(&numbers[*at]) == most).collect()
}

/// Of the places with the largest keys, those with the smallest counts; none if that are all.
fn fewest(
    keys: &[i64],
    is_drawn: &dyn Fn(usize) -> bool,
    count: &mut dyn FnMut(usize) -> Option<usize>,
) -> Vec<usize> {
    let best = most(keys);
    if best.len() < 2 || !is_drawn(best[0]) {
        return Vec::new();
    }
    let Some(counts) = best.iter().map(|at| count(*at)).collect::<Option<Vec<_>>>() else {
        return Vec::new();
    };
    let least = counts.iter().min().copied();
    let kept: Vec<usize> = best
        .iter()
        .zip(counts)
        .filter(|(_, count)| Some(*count) == least)
        .map(|(at, _)| *at)
        .collect();
    if kept.len() == best.len() { Vec::new() } else { kept }
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
const EACH: u64 = 1 << 18;

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
        while outcome(self.game, &here).is_none() && !self.has_left_the_book(&here) {
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
                    let child = after(self.game, &here, mv);
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
            here = after(self.game, &here, mv);
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
        let (mut all, mover) = (listed(self.game, state, self.control)?, self.game.turn(state));
        let (endless, count) = (self.game.endless(state).value_for(mover), all.len());
        let wins = value > endless;
        // A move that wins in time keeps the value; of the others that is not known yet.
        if wins {
            self.haste.restrict(state, value, &mut all, EACH)?;
            if all.len() < count {
                return Ok(all);
            }
        }
        let mut keeping = self.keeping(state, value, first && value >= endless)?;
        if !wins {
            self.haste.restrict(state, value, &mut keeping, EACH)?;
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
        let (moves, mut keeping) = (listed(self.game, state, self.control)?, Vec::new());
        let mover = self.game.turn(state);
        for mv in moves {
            let child = after(self.game, state, mv);
            let next = self.game.turn(&child);
            if keeps(self.valuer, &child, value.seen_from(mover, next), next == mover)? {
                keeping.push(mv);
                if first {
                    break;
                }
            }
        }
        Ok(keeping)
    }
}
