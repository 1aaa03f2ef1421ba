//! The manifest: what a file is about, where its parts are and what its cells mean. JSON, read
//! strictly: what cannot be is refused before anything is looked up.

use foregone_rules::{Distance, Outcome, Value, Worth};
use serde::{Deserialize, Serialize};

use super::block::{BLOCK, BlockEntry};
use super::checksum::Checksum;
use super::head::HEAD;
use super::keys::{self, KeyBlockEntry};
use crate::error::{Error, damaged};
use crate::proof::ProofManifest;
use crate::words::shown;

/// The largest distance that is read.
const MOST_PLIES: u32 = 1 << 30;

/// The largest value that is read: half of what a game may have, so that sums stay numbers.
pub const MOST_VALUE: u32 = Outcome::LIMIT as u32 / 2;

/// The most numbers that all layers have together; more than any disk holds, and exact in JSON.
const MOST_NUMBERS: u64 = 1 << 53;

/// The most worths that a layer has: of the 65,536 cells, 0 is for no position, and one is not used.
pub const MOST_WORTHS: usize = u16::MAX as usize - 1;

/// The most keys that a file lists, so that the entries of their blocks fit into memory.
const MOST_KEYS: u64 = 1 << 36;

/// What a table keeps of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Values {
    /// Whether it is won, drawn or lost.
    Wdl,
    /// Its value.
    Score,
    /// Its value and its distance.
    #[serde(rename = "score+distance")]
    ScoreDistance,
    /// Its value beyond what is banked, and a rank: it falls, within a layer, along a move that keeps a
    /// value above that of play without end, and along every answer that keeps one below. It shows that
    /// play makes progress; it is no distance.
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

    /// What a table of this kind keeps of a worth, where play without end is worth `endless`: 0 for
    /// plies that it does not keep.
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

    /// Whether a table of this kind shows nothing unless play is seen to make progress.
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

/// What stands in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The program that wrote the file, with its version.
    pub program: String,
    /// The game with all its parameters.
    pub game: String,
    /// A fingerprint of its rules.
    pub fingerprint: Checksum,
    /// What is kept of each position.
    pub values: Values,
    /// The layers, from 0; games end in the lowest.
    pub layers: Vec<LayerPart>,
    /// Where the keys are, if positions are listed by keys: all layers are of these then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<KeysPart>,
    /// What is claimed, if the file is a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofManifest>,
}

/// A layer of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerPart {
    /// How many numbers it has.
    pub size: u64,
    /// How many of them stand for a position.
    pub positions: u64,
    /// The bytes of a cell: 1 or 2.
    pub width: u8,
    /// Where its blocks begin, counted from the file's beginning.
    pub offset: u64,
    /// How many bytes its blocks have; their entries follow.
    pub bytes: u64,
    /// The checksum of the entries.
    pub entries: Checksum,
    /// What cells from 1 on mean: a value for the side to move, and plies; null for play without
    /// end. They rise by value, then by plies.
    pub worths: Vec<(i32, Option<u32>)>,
}

/// Where the keys are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KeysPart {
    /// Where their blocks begin, counted from the file's beginning.
    pub offset: u64,
    /// How many bytes the blocks have; their entries follow.
    pub bytes: u64,
    /// The checksum of the entries.
    pub entries: Checksum,
}

impl LayerPart {
    /// How many cells a block has.
    pub fn cells(&self) -> u64 {
        BLOCK as u64 / u64::from(self.width.max(1))
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.size.div_ceil(self.cells())
    }

    /// How many bytes the entries of the blocks have.
    pub fn entries_bytes(&self) -> u64 {
        self.blocks() * BlockEntry::SIZE as u64
    }

    /// The worths that cells from 1 on stand for.
    pub fn worths(&self) -> Vec<Worth> {
        self.worths.iter().map(|worth| worth_of(*worth)).collect()
    }
}

impl KeysPart {
    /// How many bytes the entries of the blocks of `count` keys have.
    pub const fn entries_bytes(count: u64) -> u64 {
        keys::blocks(count) * KeyBlockEntry::SIZE as u64
    }
}

/// A worth as a manifest has it.
pub fn written(worth: Worth) -> (i32, Option<u32>) {
    (worth.value().0, worth.distance().plies())
}

/// The worth that a manifest writes so.
pub fn worth_of((value, plies): (i32, Option<u32>)) -> Worth {
    match plies {
        Some(plies) => Worth::new(Value(value), Distance::Plies(plies)),
        None => Worth::endless(Value(value)),
    }
}

/// Worths stand in a layer in this order: by value, then by plies, play without end last.
pub fn worth_order(worth: Worth) -> (Value, u32) {
    (worth.value(), worth.distance().plies().unwrap_or(u32::MAX))
}

impl Manifest {
    /// Reads a manifest that stands at `offset`, and checks all that can be checked of it alone.
    ///
    /// # Errors
    /// If it is no manifest of a file of this length.
    pub fn read(text: &[u8], offset: u64) -> Result<Manifest, Error> {
        let wrong = |error: serde_json::Error| damaged(shown(&error.to_string()));
        let manifest: Manifest = serde_json::from_slice(text).map_err(wrong)?;
        // An array could stand for an object, and null for what is not there: there is one way only.
        let told: serde_json::Value = serde_json::from_slice(text).map_err(wrong)?;
        if serde_json::to_value(&manifest).map_err(wrong)? != told {
            return Err(damaged("its manifest has another form than manifests have"));
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
            // Any one of these is small enough to add.
            numbers += layer.size.min(MOST_NUMBERS + 1);
            if layer.positions > layer.size || numbers > MOST_NUMBERS {
                return wrong("has more positions than there can be");
            }
            let large = |(value, plies): &(i32, Option<u32>)| {
                value.unsigned_abs() > MOST_VALUE || plies.is_some_and(|plies| plies > MOST_PLIES)
            };
            let most = if layer.width == 1 { u8::MAX.into() } else { MOST_WORTHS };
            if layer.worths.len() > most {
                return wrong("has more worths than its cells can tell apart");
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
        // Every key is that of a position.
        let whole = |layer: &LayerPart| layer.positions == layer.size;
        if self.keys.is_some() && !self.layers.iter().all(whole) {
            return Err(damaged("it lists more keys than positions"));
        }
        if self.keys.is_some() && self.layers.iter().any(|layer| layer.size > MOST_KEYS) {
            return Err(damaged("it lists more keys than there can be"));
        }
        if self.proof.is_some() && self.values != Values::ScoreDistance {
            return Err(damaged("a proof has other values than score+distance"));
        }
        match (&self.keys, &self.proof, &self.layers[..]) {
            (None, None, _) | (Some(_), None, [_]) => Ok(()),
            (Some(_), Some(_), [bounds, moves]) if bounds.size == moves.size => Ok(()),
            _ => Err(damaged("it lists other positions than it has")),
        }
    }

    /// Where the last of its parts ends, if each begins where the one before ends.
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

    /// How many numbers its layers have.
    pub fn numbers(&self) -> u64 {
        self.layers.iter().map(|layer| layer.size).sum()
    }

    /// How many positions it says it has.
    pub fn positions(&self) -> u64 {
        self.layers.iter().map(|layer| layer.positions).sum()
    }
}
