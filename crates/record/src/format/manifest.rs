//! The manifest: the game of a file, the place of its parts and the meaning of its cells. It is
//! JSON, parsed strictly: an invalid manifest is refused before any look-up.

use foregone_rules::{Distance, Value, Worth};
use serde::{Deserialize, Serialize};

use super::checksum::Checksum;
use super::head::HEAD;
use super::keys::{self, KeyBlockEntry};
use super::layer::{LayerPart, worth_order};
use super::proof::ProofManifest;
use crate::error::{Error, damaged};
use crate::words::shown;

/// The largest distance that is accepted.
const MAX_PLIES: u32 = 1 << 30;

/// The largest absolute value that is accepted: half of what a game may have, so that sums cannot
/// overflow.
pub const MAX_VALUE: u32 = 1 << 29;

/// The most numbers of all layers together: more than any disk holds, and exact in JSON.
const MAX_NUMBERS: u64 = 1 << 53;

/// The most worths of a layer: of the 65,536 values of a cell, 0 means no position, and one is
/// unused.
pub const MAX_WORTHS: usize = u16::MAX as usize - 1;

/// The most keys in a file, so that the entries of their blocks fit into memory.
const MAX_KEYS: u64 = 1 << 36;

/// What a table stores for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Values {
    /// Win, draw or loss.
    Wdl,
    /// Its value.
    Score,
    /// Its value and its distance.
    #[serde(rename = "score+distance")]
    ScoreDistance,
    /// Its value without banked points, and a rank. Within a layer, the rank falls along one move
    /// that keeps a value better than endless play, and along every move in a position with a
    /// value worse than endless play. It proves that play makes progress; it is not a distance.
    #[serde(rename = "score+rank")]
    ScoreRank,
}

impl Values {
    /// Every kind with its name.
    pub const ALL: [(&'static str, Values); 4] = [
        ("wdl", Values::Wdl),
        ("score", Values::Score),
        ("score+distance", Values::ScoreDistance),
        ("score+rank", Values::ScoreRank),
    ];

    /// The part of a worth that a table of this kind stores, with plies 0 if it stores no plies;
    /// `endless` is the value of endless play.
    pub fn keep(self, worth: Worth, endless: Value) -> Worth {
        let value = worth.value();
        match self {
            Values::Wdl => Worth::new(Value(value.0.signum()), Distance::Plies(0)),
            Values::Score => Worth::new(value, Distance::Plies(0)),
            Values::ScoreRank if value == endless => Worth::new(value, Distance::Plies(0)),
            Values::ScoreDistance | Values::ScoreRank => worth,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Values::ALL.iter().find(|(_, values)| *values == self).map_or("", |(name, _)| name)
    }

    /// Whether checking a table of this kind needs a measure of progress.
    pub fn need_progress(self) -> bool {
        matches!(self, Values::Wdl | Values::Score)
    }

    /// Whether a table of this kind can hold a worth.
    fn holds(self, worth: Worth) -> bool {
        match self {
            Values::Wdl | Values::Score => self.keep(worth, Value(0)) == worth,
            Values::ScoreDistance => true,
            Values::ScoreRank => !worth.is_endless(),
        }
    }
}

/// A manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program that wrote the file, with its version.
    pub program: String,
    /// The game with all its parameters.
    pub game: String,
    /// Its rules, if it was written as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
    /// A fingerprint of its rules.
    pub fingerprint: Checksum,
    /// What the file stores for each position.
    pub values: Values,
    /// The layers, from 0; games end in the lowest.
    pub layers: Vec<LayerPart>,
    /// The place of the keys, if the file lists positions by keys; then all layers are about these
    /// positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<KeysPart>,
    /// If the file is a book: it has the positions that at most this many moves from the start lead to. The values
    /// after so many moves follow from nothing in the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub horizon: Option<u32>,
    /// The claims, if the file is a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofManifest>,
}

/// The game of a file: its name with all parameters and, if it was written as text, its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameId<'a> {
    /// The name with all parameters.
    pub name: &'a str,
    /// The rules as text.
    pub rules: Option<&'a str>,
}

/// A game in Rust.
impl<'a, S: AsRef<str> + ?Sized> From<&'a S> for GameId<'a> {
    fn from(name: &'a S) -> GameId<'a> {
        GameId { name: name.as_ref(), rules: None }
    }
}

/// The place of the keys.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeysPart {
    /// The offset of their blocks in the file.
    pub offset: u64,
    /// The length of the blocks in bytes; their entries follow.
    pub bytes: u64,
    /// The checksum of the entries.
    pub entries: Checksum,
    /// Which positions are listed.
    #[cfg_attr(
        not(target_family = "wasm"),
        serde(default, skip_serializing_if = "Listed::is_all")
    )]
    #[cfg_attr(target_family = "wasm", serde(skip))]
    pub listed: Listed,
}

/// Which of the positions that can arise from the start a table lists by keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Listed {
    /// All of them.
    #[default]
    All,
    /// Those in which the game is not over: the rules say what the others are worth.
    Open,
    /// Of these, those that arise while nobody passes over a win at once. Where a move ends the game with the largest
    /// value that there is, other moves are not followed: they change neither the value nor the distance.
    InPlay,
}

impl Listed {
    /// Whether nothing is left out.
    pub fn is_all(&self) -> bool {
        *self == Listed::All
    }

    /// What is left out, in words.
    pub fn left_out(self) -> Option<&'static str> {
        match self {
            Listed::All => None,
            Listed::Open => Some("positions in which the game is over"),
            Listed::InPlay => Some(
                "positions in which the game is over, and those that only come after a win at once was passed over",
            ),
        }
    }
}

impl KeysPart {
    /// The length of the entries of the blocks of `count` keys, in bytes.
    pub const fn entries_bytes(count: u64) -> u64 {
        keys::blocks(count) * KeyBlockEntry::SIZE as u64
    }
}

impl Manifest {
    /// Reads a manifest at `offset`, and checks everything that the manifest alone allows.
    ///
    /// # Errors
    /// If it is not a manifest of a file of this length.
    pub fn read(text: &[u8], offset: u64) -> Result<Manifest, Error> {
        let wrong = |error: serde_json::Error| damaged(shown(&error.to_string()));
        let manifest: Manifest = serde_json::from_slice(text).map_err(wrong)?;
        // Serde accepts an array for an object, and null for a missing field; only one form is
        // valid.
        let parsed: serde_json::Value = serde_json::from_slice(text).map_err(wrong)?;
        if serde_json::to_value(&manifest).map_err(wrong)? != parsed {
            return Err(damaged("its manifest does not have the usual form"));
        }
        manifest.check_layers()?;
        manifest.check_keys()?;
        match manifest.end() {
            Some(end) if end == offset => Ok(manifest),
            _ => Err(damaged("its parts do not fit together")),
        }
    }

    /// Values and distances are bounded: hypotheses `checked_finite`, `checked_bound` and
    /// `checked_limit` of the theorems in `docs/soundness`.
    fn check_layers(&self) -> Result<(), Error> {
        let mut numbers = 0u64;
        for (number, layer) in self.layers.iter().enumerate() {
            let wrong = |what: &str| Err(damaged(format!("layer {number} {what}")));
            if !(1..=2).contains(&layer.width) {
                return wrong("has cells of neither 1 nor 2 bytes");
            }
            // Limited, so that the sum cannot overflow.
            numbers += layer.size.min(MAX_NUMBERS + 1);
            if layer.positions > layer.size || numbers > MAX_NUMBERS {
                return wrong("has more positions than there can be");
            }
            let large = |(value, plies): &(i32, Option<u32>)| {
                value.unsigned_abs() > MAX_VALUE || plies.is_some_and(|plies| plies > MAX_PLIES)
            };
            let max = if layer.width == 1 { u8::MAX.into() } else { MAX_WORTHS };
            if layer.worths.len() > max {
                return wrong("has more worths than its cells can hold");
            }
            if layer.worths.iter().any(large) {
                return wrong("has a worth that no game has");
            }
            let worths = layer.worths();
            if !worths.iter().all(|worth| self.values.holds(*worth)) {
                return wrong(&format!(
                    "has a worth that `{}` has no room for",
                    self.values.name()
                ));
            }
            if !worths.is_sorted_by(|a, b| worth_order(*a) < worth_order(*b)) {
                return wrong("has worths out of order");
            }
        }
        if self.layers.is_empty() {
            return Err(damaged("it has no layers"));
        }
        Ok(())
    }

    fn check_keys(&self) -> Result<(), Error> {
        // Every key has a position.
        let whole = |layer: &LayerPart| layer.positions == layer.size;
        if self.keys.is_some() && !self.layers.iter().all(whole) {
            return Err(damaged("it lists more keys than positions"));
        }
        if self.keys.is_some() && self.layers.iter().any(|layer| layer.size > MAX_KEYS) {
            return Err(damaged("it lists more keys than there can be"));
        }
        if self.proof.is_some() && self.values != Values::ScoreDistance {
            return Err(damaged("a proof has other values than score+distance"));
        }
        let listed = self.keys.as_ref().map_or(Listed::All, |keys| keys.listed);
        let plain = self.proof.is_none() && self.values == Values::ScoreDistance;
        if listed != Listed::All && !plain {
            return Err(damaged("it leaves out positions, but is no table of score+distance"));
        }
        if self.horizon.is_some() && (self.values, self.keys.is_none()) != (Values::Score, false) {
            return Err(damaged("a book has no keys, or other values than score"));
        }
        match (&self.keys, &self.proof, &self.layers[..]) {
            (None, None, _) | (Some(_), None, [_]) => Ok(()),
            (Some(_), Some(_), [bounds, moves])
                if bounds.size == moves.size && self.horizon.is_none() =>
            {
                Ok(())
            }
            _ => Err(damaged("its keys and layers do not fit together")),
        }
    }

    /// The end of the last part; `None` if a part does not begin at the end of the previous one.
    fn end(&self) -> Option<u64> {
        let mut next = HEAD as u64;
        for layer in &self.layers {
            let length = layer.bytes.checked_add(layer.entries_bytes())?;
            next = next.checked_add(length).filter(|_| layer.offset == next)?;
        }
        if let Some(keys) = &self.keys {
            let count = self.layers.first()?.size;
            let length = keys.bytes.checked_add(KeysPart::entries_bytes(count))?;
            next = next.checked_add(length).filter(|_| keys.offset == next)?;
        }
        Some(next)
    }

    /// The game of the file.
    pub fn id(&self) -> GameId<'_> {
        GameId { name: &self.game, rules: self.rules.as_deref() }
    }

    /// The count of numbers in all layers.
    pub fn numbers(&self) -> u64 {
        self.layers.iter().map(|layer| layer.size).sum()
    }

    /// The number of positions that it states.
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.positions).sum()
    }
}
