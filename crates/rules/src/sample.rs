//! Random numbers and random positions from a seed; equal seeds give equal results on every
//! machine.

use crate::game::Game;

/// A small random number generator with a seed: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// A generator; equal seeds give equal numbers.
    pub const fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// A random number of 64 bits.
    pub const fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A random number below `n`; all are equally likely to within 2^-32.
    ///
    /// # Panics
    /// If `n` is 0.
    pub const fn below(&mut self, n: usize) -> usize {
        assert!(n > 0, "a choice among none");
        ((self.roll() as u128 * n as u128) >> 64) as usize
    }
}

/// A position of a random game, and its path.
pub struct Sample<G: Game> {
    /// The position.
    pub state: G::State,
    /// The moves that lead to it from the start.
    pub path: Vec<G::Move>,
}

/// The largest number of plies of a random game (a game that can loop may never end).
const LONGEST: usize = 1000;

/// `count` positions of games in which every move is chosen at random. The first is the start;
/// finished positions are included; positions may repeat.
pub fn positions<G: Game>(game: &G, count: usize, seed: u64) -> Vec<Sample<G>> {
    let mut samples = Vec::with_capacity(count);
    walk(game, count, seed, &mut |state, path, _| {
        samples.push(Sample { state: *state, path: path.to_vec() });
        true
    });
    samples
}

/// What looks at a position, its path and its successors; `false` ends the walk.
pub type Visit<'a, S, M> = &'a mut dyn FnMut(&S, &[M], &[(M, S)]) -> bool;

/// Visits [`positions`], each with its path and its [successors](Game::successors), of which a finished position has
/// none, until `visit` returns `false`.
pub fn walk<G: Game>(game: &G, count: usize, seed: u64, visit: Visit<'_, G::State, G::Move>) {
    let mut dice = Dice::new(seed);
    let (mut state, mut path) = (game.start(), Vec::new());
    for _ in 0..count {
        let next: Vec<_> = match game.outcome(&state) {
            Some(_) => Vec::new(),
            None => game.successors(&state).collect(),
        };
        if !visit(&state, &path, &next) {
            return;
        }
        if next.is_empty() || path.len() >= LONGEST {
            (state, path) = (game.start(), Vec::new());
        } else {
            let (mv, after) = next[dice.below(next.len())];
            state = after;
            path.push(mv);
        }
    }
}
