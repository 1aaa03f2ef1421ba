//! The part of a manifest that says what a proof proves.

use serde::{Deserialize, Serialize};

/// The subject of a proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofManifest {
    /// The position, in the game's notation; `None` for the start.
    pub position: Option<String>,
    /// Moves made from there.
    pub moves: Vec<String>,
    /// The claims, at most two.
    pub claims: Vec<Claim>,
}

/// The claim that a side gets at least some value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Whether it is about the first player.
    pub first: bool,
    /// The value, in the game's unit, for that side.
    pub at_least: i32,
}
