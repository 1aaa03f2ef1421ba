//! Depth-first proof-number search (df-pn, Nagai 2002) for the question whether the value is at
//! least n.
//!
//! Every position has two numbers: at least how many positions are still to be settled for the
//! answer yes (proof number), and for the answer no (disproof number). The search always continues
//! where the smaller one is, and so prefers narrow lines of play to promising ones. If all moves
//! have to fail, the number is the largest of theirs plus one for every other move (weak proof
//! numbers, Ueda and others 2008), because a sum would count transpositions again and again. A line
//! is left only when another one is better by a quarter (Pawlewicz and Lew 2007).
//!
//! Answers are stored as bounds, as in the other search, and numbers in [`opinions`](super::opinions).

use foregone_rules::{Game, Value};

use super::bounds::seen_before;
use super::hints::Hints;
use super::opinions::{NEVER, Numbers};
use super::run::{Entered, KeptIn, Memo, Open, Run, Stop};
use crate::control::Halted;

/// The result of searching a position.
enum Outlook {
    /// The answer, as a bound of the value.
    Answer(i32),
    /// No answer within the limits.
    Open(Numbers),
}

/// Which open move to search next.
struct Choice {
    /// The place of the move with the smallest proof number.
    next: usize,
    /// The second smallest proof number.
    second: u32,
    /// The numbers of the position itself.
    here: Numbers,
}

impl<G: Game, H: Hints<G>> Run<'_, G, H> {
    /// Answers the question for a position that is not over.
    pub fn ask_by_proof(&mut self, state: &G::State, question: i32) -> Result<i32, Stop> {
        let _over = self.begin()?;
        let memo = self.memo(state);
        let outlook = self.prove(state, question, memo, (NEVER, NEVER), 0);
        self.sum_up();
        match outlook? {
            Outlook::Answer(answer) => Ok(answer),
            Outlook::Open(_) => Err(Stop),
        }
    }

    /// Searches until there is an answer or either number reaches its limit.
    fn prove(
        &mut self,
        state: &G::State,
        question: i32,
        memo: Memo,
        limits: Numbers,
        depth: u32,
    ) -> Result<Outlook, Stop> {
        if memo.kept_in == KeptIn::Nothing {
            // Without stored numbers the search would not progress.
            return self.search(state, Some(memo), question, depth).map(Outlook::Answer);
        }
        if depth >= self.longest {
            self.halted = Some(Halted::Deep { limit: self.longest });
            return Err(Stop);
        }
        let (first_move, low, high) = match self.enter(state, question)? {
            Entered::Answer(answer) => return Ok(Outlook::Answer(answer)),
            Entered::Open { first, low, high } => (first, low, high),
        };
        let first = self.scratch.open.len();
        let mut best = self.open_moves(state, question, first_move, low);
        let visited = self.nodes;
        loop {
            if best >= question || self.scratch.open.len() == first {
                self.scratch.open.truncate(first);
                let bounds = match best >= question {
                    true => (best, i32::MAX),
                    false => (i32::MIN, best.min(high)),
                };
                self.keep(memo, bounds, self.nodes - visited + 1);
                return Ok(Outlook::Answer(best.min(high)));
            }
            let Choice { next, second, here } = self.easiest(first);
            if here.0 >= limits.0 || here.1 >= limits.1 {
                self.scratch.open.truncate(first);
                self.shared.opinions.set(self.identity(memo, question), here);
                return Ok(Outlook::Open(here));
            }
            let others = (self.scratch.open.len() - first) as u32 - 1;
            let Open { child, memo: there, again, numbers } = self.scratch.open[next];
            let yes = limits.0.min((second + second / 4).max(second + 1));
            let no = limits.1.saturating_sub(others).max(numbers.1 + 1);
            let outlook = match again {
                true => self.prove(&child, question, there, (yes, no), depth + 1)?,
                false => match self.prove(&child, 1 - question, there, (no, yes), depth + 1)? {
                    Outlook::Answer(answer) => Outlook::Answer(-answer),
                    Outlook::Open((yes, no)) => Outlook::Open((no, yes)),
                },
            };
            match outlook {
                Outlook::Open(numbers) => self.scratch.open[next].numbers = numbers,
                Outlook::Answer(answer) => {
                    best = best.max(answer);
                    self.scratch.open.swap_remove(next);
                }
            }
        }
    }

    /// Replaces the moves from `first` on by the open moves: those that may answer yes. Returns the
    /// best known answer; if it is a yes, it is the only result that counts.
    #[inline]
    fn open_moves(&mut self, state: &G::State, question: i32, first: usize, low: i32) -> i32 {
        let game = self.game;
        let mover = game.turn(state);
        let mut best = low;
        for at in first..self.scratch.moves.len() {
            let child = game.play(state, self.scratch.moves[at].1);
            let again = game.turn(&child) == mover;
            let (least, max, memo) = match game.outcome(&child) {
                Some(outcome) => {
                    let Value(value) = outcome.value_for(mover);
                    (value, value, None)
                }
                None => {
                    let memo = self.memo(&child);
                    let (Value(low), Value(high)) = H::quick_bounds(game, &child);
                    let known = self.recall(&memo);
                    let closest = (low.max(known.0), high.min(known.1));
                    let (least, max) = seen_before(closest, again);
                    (least, max, Some(memo))
                }
            };
            if least >= question {
                best = least;
                break;
            }
            match memo {
                Some(memo) if max >= question => {
                    let child_question = if again { question } else { 1 - question };
                    let numbers = self.shared.opinions.get(self.identity(memo, child_question));
                    let numbers = numbers.unwrap_or((1, 1));
                    let numbers = if again { numbers } else { (numbers.1, numbers.0) };
                    self.scratch.open.push(Open { child, memo, again, numbers });
                }
                _ => best = best.max(max),
            }
        }
        self.scratch.moves.truncate(first);
        best
    }

    /// The open move from `first` on that is the easiest to prove.
    #[inline]
    fn easiest(&self, first: usize) -> Choice {
        let open = &self.scratch.open;
        let (mut next, mut second, mut worst) = (first, NEVER, 0);
        for (at, each) in open.iter().enumerate().skip(first) {
            worst = worst.max(each.numbers.1);
            let easiest = open[next].numbers.0;
            if each.numbers.0 < easiest {
                (next, second) = (at, easiest);
            } else if at != next {
                second = second.min(each.numbers.0);
            }
        }
        let others = (open.len() - first) as u32 - 1;
        Choice { next, second, here: (open[next].numbers.0, (worst + others).min(NEVER - 1)) }
    }
}
