//! Depth-first search (alpha-beta with a window of one value) for the question whether the value is
//! at least n.
//!
//! Before a position's moves are searched, the stored bounds of all positions after them are looked
//! up: one of them often answers the question (enhanced transposition cutoff, Plaat and others 1996).
//! The history heuristic (Schaeffer 1989) orders the rest.

use std::sync::atomic::Ordering;

use foregone_rules::{Game, Side, Value};

use super::bounds::seen_before;
use super::hints::Hints;
use super::run::{Ahead, Entered, KeptIn, Memo, Run, Scratch, Stop};
use crate::control::Halted;

/// The limit of what is learned of a kind of move, in both directions; so it only breaks ties of
/// the game's own order. (More weight does harm: on Connect Four 6x6 61 million nodes become 120 if
/// it can outweigh 2 points of the 16 for a threat, and 213 with 4; without learning it is 89.)
const MAX_LEARNED: i32 = 256;

/// A position is searched by one thread alone if those at its depth take fewer positions than this, on the
/// average: a mark that all threads read costs as much as a few positions.
const WORTH_SHARING: u64 = 256;

/// Marks a move that another thread is searching; scores of games are larger.
const PUT_OFF: i32 = i32::MIN;

impl<G: Game, H: Hints<G>> Run<'_, G, H> {
    /// Answers the question for a position that is not over.
    pub fn ask(&mut self, state: &G::State, question: i32) -> Result<i32, Stop> {
        let _over = self.begin()?;
        let answer = self.search(state, None, question, 0);
        self.sum_up();
        answer
    }

    /// Is the value at least `question`? If so, a lower bound that is; if not, an upper bound that
    /// is below. The position's place in the tables may be known.
    pub fn search(
        &mut self,
        state: &G::State,
        memo: Option<Memo>,
        question: i32,
        depth: u32,
    ) -> Result<i32, Stop> {
        let (first, low, high) = match self.enter(state, question)? {
            Entered::Answer(answer) => return Ok(answer),
            Entered::Open { first, low, high } => (first, low, high),
        };
        let visited = self.nodes;
        let memo = memo.unwrap_or_else(|| self.memo(state));
        let known = self.recall(&memo);
        if known.0 >= question || known.1 < question {
            self.scratch.moves.truncate(first);
            return Ok(if known.0 >= question { known.0 } else { known.1 });
        }
        let ahead = self.scratch.ahead.len();
        let looks = memo.kept_in != KeptIn::Near;
        let mut best = low;
        if looks {
            best = self.look_ahead(state, question, (first, ahead), low);
        }
        if best < question {
            let ahead = looks.then_some(ahead);
            best = self.try_moves(state, question, (first, ahead), best, depth)?;
        }
        self.scratch.moves.truncate(first);
        self.scratch.ahead.truncate(ahead);
        // Moves that the game left out are worth at most `low`.
        let bounds = match best >= question {
            true => (best, i32::MAX),
            false => (i32::MIN, best.min(high)),
        };
        self.keep(memo, bounds, self.nodes - visited + 1);
        Ok(best.min(high))
    }

    /// The best of the known answers of the moves from `first` on. Unless it is a yes, these moves
    /// are removed; the positions after the others are put from `begin` on.
    fn look_ahead(
        &mut self,
        state: &G::State,
        question: i32,
        (first, begin): (usize, usize),
        low: i32,
    ) -> i32 {
        let game = self.game;
        let mover = game.turn(state);
        // First the bounds from the game and the table places of the rest, so that all memory accesses
        // overlap, then the stored bounds.
        let mut best = low;
        let mut kept = first;
        for at in first..self.scratch.moves.len() {
            let mv = self.scratch.moves[at];
            let child = game.play(state, mv.1);
            let again = game.turn(&child) == mover;
            let (Value(low), Value(high)) = H::quick_bounds(game, &child);
            let (least, max) = seen_before((low, high), again);
            if least >= question {
                return least;
            }
            if max < question {
                best = best.max(max);
                continue;
            }
            let memo = self.memo(&child);
            self.prefetch(&memo);
            self.scratch.ahead.push(Ahead { child, memo, again });
            self.scratch.moves[kept] = mv;
            kept += 1;
        }
        self.scratch.moves.truncate(kept);
        kept = 0;
        for at in 0..self.scratch.moves.len() - first {
            let ahead = &self.scratch.ahead[begin + at];
            let (least, max) = seen_before(self.recall(&ahead.memo), ahead.again);
            if least >= question {
                return best.max(least);
            }
            if max < question {
                best = best.max(max);
                continue;
            }
            if kept < at {
                self.scratch.ahead[begin + kept] = self.scratch.ahead[begin + at];
                self.scratch.moves[first + kept] = self.scratch.moves[first + at];
            }
            kept += 1;
        }
        self.scratch.ahead.truncate(begin + kept);
        self.scratch.moves.truncate(first + kept);
        best
    }

    /// The best answer of the moves from `first` on; stops at the first yes. The positions after them are
    /// from `ahead` on, if they were looked up.
    fn try_moves(
        &mut self,
        state: &G::State,
        question: i32,
        (first, ahead): (usize, Option<usize>),
        low: i32,
        depth: u32,
    ) -> Result<i32, Stop> {
        if depth >= self.longest {
            self.halted = Some(Halted::Deep { limit: self.longest });
            return Err(Stop);
        }
        let game = self.game;
        let mover = game.turn(state);
        let Scratch { learned, moves, .. } = &mut *self.scratch;
        let end = moves.len();
        if end - first > 1 {
            for (promise, mv) in &mut moves[first..] {
                *promise += H::priority(game, state, *mv);
                *promise = 2 * MAX_LEARNED * *promise + learned[H::history_slot(game, state, *mv)];
            }
        }
        let mut best = low;
        let mut at = first;
        while at < end {
            // Selects the most promising of the rest; few are needed, so sorting would not pay.
            let moves = &mut self.scratch.moves;
            let max = |next: usize, other: usize| {
                if moves[other].0 > moves[next].0 { other } else { next }
            };
            let next = (at + 1..end).fold(at, max);
            moves.swap(at, next);
            let (promise, mv) = moves[at];
            let (child, memo) = match ahead {
                Some(ahead) => {
                    if next > at {
                        self.scratch.ahead.swap(ahead + at - first, ahead + next - first);
                    }
                    let Ahead { child, memo, .. } = self.scratch.ahead[ahead + at - first];
                    (child, Some(memo))
                }
                None => (game.play(state, mv), None),
            };
            let answer = match game.outcome(&child) {
                Some(outcome) => outcome.value_for(mover).0,
                None => {
                    let may_wait = at > first && promise != PUT_OFF;
                    match self.answer((&child, memo), mover, question, depth + 1, may_wait)? {
                        Some(answer) => answer,
                        None => {
                            self.scratch.moves[at].0 = PUT_OFF;
                            continue;
                        }
                    }
                }
            };
            best = best.max(answer);
            if answer >= question {
                self.learn(state, first, at);
                break;
            }
            at += 1;
        }
        Ok(best)
    }

    /// The answer of the position after a move of `mover`. `None` if another thread is searching it
    /// and it `may_wait`.
    #[inline]
    fn answer(
        &mut self,
        (child, memo): (&G::State, Option<Memo>),
        mover: Side,
        question: i32,
        depth: u32,
        may_wait: bool,
    ) -> Result<Option<i32>, Stop> {
        let shared = self.shared;
        let busy =
            shared.busy.as_ref().filter(|_| self.scratch.sizes[depth as usize] >= WORTH_SHARING);
        let mine = busy.zip(memo.and_then(|memo| memo.far()));
        let mine = mine.map(|(busy, place)| busy.slot(shared.far.whole(place)));
        if let Some((slot, mark)) = mine {
            if may_wait && slot.load(Ordering::Relaxed) == mark {
                return Ok(None);
            }
            slot.store(mark, Ordering::Relaxed);
        }
        let before = self.nodes;
        let again = self.game.turn(child) == mover;
        let asked = if again { question } else { 1 - question };
        let answer = match (mine, memo) {
            (Some((slot, _)), Some(memo)) => {
                let answer = self.search_together(child, memo, asked, depth);
                slot.store(0, Ordering::Relaxed);
                answer
            }
            _ => self.search(child, memo, asked, depth),
        };
        let answer = answer.map(|answer| if again { answer } else { -answer });
        let size = &mut self.scratch.sizes[depth as usize];
        *size = (*size * 7 + (self.nodes - before)) / 8;
        answer.map(Some)
    }

    /// Like `search`, for a position that other threads may search at the same time: if another has the
    /// answer first, it is taken from the table.
    fn search_together(
        &mut self,
        state: &G::State,
        memo: Memo,
        question: i32,
        depth: u32,
    ) -> Result<i32, Stop> {
        let (moves, ahead) = (self.scratch.moves.len(), self.scratch.ahead.len());
        let place = self.scratch.path.len();
        self.scratch.path.push((memo, question));
        let mut answer = self.search(state, Some(memo), question, depth);
        self.scratch.path.truncate(place);
        if answer.is_err() && self.answered == Some(place) {
            self.answered = None;
            // What the search has left there.
            self.scratch.moves.truncate(moves);
            self.scratch.ahead.truncate(ahead);
            answer = self.search(state, Some(memo), question, depth);
        }
        answer
    }

    /// Learns from a cut-off: the move at `at` caused it, those before it were tried in vain.
    fn learn(&mut self, state: &G::State, first: usize, at: usize) {
        let tried = (at - first) as i32;
        let Scratch { learned, moves, .. } = &mut *self.scratch;
        for (_, vain) in &moves[first..at] {
            let learned = &mut learned[H::history_slot(self.game, state, *vain)];
            *learned -= 1 + *learned / MAX_LEARNED;
        }
        let learned = &mut learned[H::history_slot(self.game, state, moves[at].1)];
        *learned += tried - tried * *learned / MAX_LEARNED;
    }
}
