//! What the fuzz targets share: files of right form with right checksums, whatever they say, and what
//! positions are worth by the plain rules.

use std::collections::HashMap;

use foregone::reference;
use foregone_record::format::Values;
use foregone_record::format::checksum::Checksum;
use foregone_record::proof::ProofManifest;
use foregone_rules::family::specification;
use foregone_rules::{Args, Family, Game, Worth};
use foregone_trial::Forged;

/// A game of a family by its parameters.
pub fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// What positions that can arise are worth.
pub fn worths<G: Game>(game: &G) -> HashMap<G::State, Worth> {
    reference::worths(game, &game.start())
}

/// A file of a game that says this.
pub fn file<F: Family>(
    game: &F,
    fingerprint: Checksum,
    values: Values,
    layers: &[Vec<Option<Worth>>],
    keys: Option<&[u128]>,
    proof: Option<ProofManifest>,
) -> Vec<u8> {
    Forged { game: &specification(game), fingerprint, values, layers, keys, proof }.bytes()
}
