//! Native code for the moves of a game. It comes from another crate, which installs a compiler for the
//! programs of the machine here; without one, and until a game has played for a while, the machine runs
//! them.

use std::any::Any;
use std::sync::OnceLock;
use std::sync::atomic::Ordering;

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use crate::choices::Choices;
pub use crate::choices::MAX_MOVES;
use crate::game::{LONG_SEARCHES, TextGame};
use crate::machine::{Program, Word};

/// Native code for a program: what the machine does, in the same order, for positions in which a side is
/// to move. Positions have as many words as the compiler was told.
pub trait Native: Send + Sync {
    /// The moves with the positions after them: for each its choices as a number, then the words of the
    /// position. They are taken in one part or two, as long as `take` wants more.
    fn successors(&self, side: usize, state: &[u64], take: &mut dyn FnMut(&[u64]) -> bool);

    /// The moves: for each its choices as a number. They are taken as those of
    /// [`successors`](Native::successors).
    fn moves(&self, side: usize, state: &[u64], take: &mut dyn FnMut(&[u64]) -> bool);

    /// Whether there is a move.
    fn can_move(&self, side: usize, state: &[u64]) -> bool;

    /// The cells with which a side wins at once; `None` if the program does not tell.
    fn wins(&self, side: usize, state: &[u64]) -> Option<u64>;

    /// The cells with which a set completes a row, if that is how moves win at once.
    fn completing(&self, side: usize, own: u64) -> Option<u64>;

    /// Puts the position after a move into `next`, which is the position before it until then.
    fn play(&self, side: usize, state: &[u64], choices: u64, next: &mut [u64]);
}

/// Native code for a program whose positions have a number of words; `None` if there can be none.
pub type Compiler = fn(&Program<u64>, usize) -> Option<Box<dyn Native>>;

static COMPILER: OnceLock<(Compiler, u32)> = OnceLock::new();

/// From now on games get native code from a compiler, once their program has run so often. The first that
/// is installed stays.
pub fn install(compiler: Compiler, runs: u32) {
    let _ = COMPILER.set((compiler, runs));
}

/// How many positions are looked at before native code is used.
const TRIALS: usize = 200;

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    TextGame<S, N, R, K, D>
{
    /// Native code, and a position as it reads it; `None` if there is none.
    #[inline]
    pub(crate) fn native<'a>(&'a self, state: &'a [S; N]) -> Option<(&'a dyn Native, &'a [u64])> {
        if !LONG_SEARCHES {
            return None;
        }
        let state: &[u64; N] = (state as &dyn Any).downcast_ref()?;
        match self.inner.native.get() {
            Some(native) => Some((native.as_deref()?, state)),
            None => self.warm_up(),
        }
    }

    /// Counts a run, and at last compiles.
    #[cold]
    fn warm_up<T>(&self) -> Option<T> {
        let enough = COMPILER
            .get()
            .is_none_or(|(_, runs)| self.inner.runs.fetch_add(1, Ordering::Relaxed) == *runs);
        if enough {
            self.compile();
        }
        None
    }

    /// From now on the game uses native code, if there can be any; whether it does.
    pub fn compile(&self) -> bool {
        if self.inner.native.get().is_none() {
            let native = self.translated().filter(|native| self.agrees_with(&**native));
            let _ = self.inner.native.set(native);
        }
        matches!(self.inner.native.get(), Some(Some(_)))
    }

    /// Native code as it comes from the compiler.
    fn translated(&self) -> Option<Box<dyn Native>> {
        let program = (&self.inner.program as &dyn Any).downcast_ref();
        program.zip(COMPILER.get()).and_then(|(code, (compile, _))| compile(code, N))
    }

    /// Whether the compiler makes code that finds what the machine finds in random games; `None` if it makes none. Code
    /// that does not is never used: it is an error of the compiler, which its tests look for.
    pub fn native_agrees(&self) -> Option<bool> {
        Some(self.agrees_with(&*self.translated()?))
    }

    /// The game does without native code, unless it uses some.
    pub fn stay(&self) {
        let _ = self.inner.native.set(None);
    }

    /// Whether native code finds what the machine finds in random games.
    fn agrees_with(&self, native: &dyn Native) -> bool {
        let (mut dice, mut state) = (Dice::new(1), self.start());
        for _ in 0..TRIALS {
            let side = self.side(&state);
            let Some(words) = (&state as &dyn Any).downcast_ref::<[u64; N]>() else { return false };
            let found: Vec<(Choices, [S; N])> = self.run_successors(&state).collect();
            let mut seen = Vec::new();
            native.successors(side, words, &mut |entries| {
                seen.extend_from_slice(entries);
                true
            });
            let entries = seen.chunks_exact(1 + N);
            let same = |((mv, next), entry): (&(Choices, [S; N]), &[u64])| {
                let mut played = *words;
                native.play(side, words, mv.0, &mut played);
                let next = (next as &dyn Any).downcast_ref::<[u64; N]>();
                mv.0 == entry[0] && next.is_some_and(|next| *next == entry[1..] && *next == played)
            };
            let mut moves = Vec::new();
            native.moves(side, words, &mut |choices| {
                moves.extend_from_slice(choices);
                true
            });
            let agrees = entries.len() == found.len()
                && found.iter().zip(entries).all(same)
                && self.run_moves(&state).map(|mv| mv.0).eq(moves)
                && native.can_move(side, words) == self.run_can_move(side, &state)
                && native.wins(side, words)
                    == self.run_wins(side, &state).map(|all| all.number() as u64);
            if !agrees {
                return false;
            }
            // Also after a pass, which is in no program.
            let next: Vec<[S; N]> = self.successors(&state).map(|(_, next)| next).collect();
            let on = next.len().checked_sub(1).map(|last| next[dice.below(last + 1)]);
            state = on.filter(|next| self.outcome(next).is_none()).unwrap_or_else(|| self.start());
        }
        true
    }
}
