//! The verdict on a proof.

use std::fmt;

use foregone_record::words::{counted, grouped};
use serde_json::json;

/// The verdict on a proof; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict<S> {
    /// All claims hold.
    Proven {
        /// The number of positions in the proof.
        entries: u64,
        /// The number of visited positions, of both sides.
        positions: u64,
    },
    /// It is not proven.
    Flawed {
        /// The position where it fails; `None` if an entry has no position.
        position: Option<S>,
        /// Why.
        why: String,
    },
}

impl<S> ProofVerdict<S> {
    /// Converts the position to text.
    pub fn named(self, name: impl FnOnce(&S) -> String) -> ProofVerdict<String> {
        match self {
            ProofVerdict::Proven { entries, positions } => {
                ProofVerdict::Proven { entries, positions }
            }
            ProofVerdict::Flawed { position, why } => {
                ProofVerdict::Flawed { position: position.as_ref().map(name), why }
            }
        }
    }

    /// Whether all claims hold.
    pub fn is_proven(&self) -> bool {
        matches!(self, ProofVerdict::Proven { .. })
    }
}

impl ProofVerdict<String> {
    /// As fields of a report.
    pub fn fields(&self) -> serde_json::Value {
        match self {
            ProofVerdict::Proven { entries, positions } => {
                json!({"verdict": "right", "entries": entries, "positions": positions})
            }
            ProofVerdict::Flawed { position, why } => {
                json!({"verdict": "false", "position": position, "why": why})
            }
        }
    }
}

impl fmt::Display for ProofVerdict<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofVerdict::Proven { entries, positions } => write!(
                f,
                "{} checked, {} in the proof",
                counted(*positions, "position", "positions"),
                grouped(*entries)
            ),
            ProofVerdict::Flawed { position: Some(position), why } => {
                write!(f, "at `{position}`, {why}")
            }
            ProofVerdict::Flawed { position: None, why } => f.write_str(why),
        }
    }
}
