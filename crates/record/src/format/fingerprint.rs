//! A fingerprint of a game's rules: a hash of turns, outcomes, moves and numbers in positions of
//! random games. Rules that differ in any of these have different fingerprints.
//!
//! It detects early that a file belongs to other rules. No verdict depends on it: a checker derives
//! everything again.

use foregone_rules::sample::walk;
use foregone_rules::{Encode, Game, Indexed};
use xxhash_rust::xxh3::Xxh3;

use super::checksum::Checksum;
use super::keys::key_of;

/// Positions after this many moves say nothing more.
const MAX_MOVES: usize = 1 << 20;

/// The fingerprint of a game that numbers its positions.
pub fn fingerprint<G: Indexed>(game: &G) -> Checksum {
    fingerprint_by(game, game.layers(), |state| {
        let (layer, index) = game.index(state);
        [layer.into(), index]
    })
}

/// The fingerprint of a game whose positions are listed by the keys of their representatives.
pub fn fingerprint_keyed<G: Encode>(game: &G) -> Checksum {
    fingerprint_by(game, 1, |state| {
        let key = key_of(game, state);
        [(key >> 64) as u64, key as u64]
    })
}

fn fingerprint_by<G: Game>(
    game: &G,
    layers: u32,
    place: impl Fn(&G::State) -> [u64; 2],
) -> Checksum {
    let mut hash = Xxh3::new();
    let mut number = |number: u64| hash.update(&number.to_le_bytes());
    number(layers.into());
    let mut moves = 0;
    walk(game, 2_000, 20, &mut |state, _, next| {
        moves += next.len();
        if moves > MAX_MOVES {
            return false;
        }
        place(state).into_iter().for_each(&mut number);
        number(game.turn(state) as u64);
        match game.outcome(state) {
            Some(outcome) => number(outcome.0 as u32 as u64),
            None => {
                next.iter().for_each(|(_, after)| place(after).into_iter().for_each(&mut number))
            }
        }
        true
    });
    Checksum(hash.digest())
}
