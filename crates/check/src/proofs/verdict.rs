//! What came of checking a proof.

use std::fmt;

use foregone_record::words::{counted, grouped};
use serde_json::json;

/// What came of checking a proof; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProofVerdict<S> {
    /// Everything that is claimed holds.
    Proven {
        /// How many positions of the proof there are.
        entries: u64,
        /// How many positions were gone through, the other side's too.
        positions: u64,
    },
    /// It is not proven.
    Flawed {
        /// The position where it fails; `None` if an entry is that of no position.
        position: Option<S>,
        /// Why.
        why: String,
    },
}

impl<S> ProofVerdict<S> {
    /// The same with a text for the position.
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

    /// Whether everything that is claimed holds.
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
