//! What a table's file holds: see `docs/format.md`.
//!
//! ```text
//! head    64 bytes: magic, version, where the contents are, how long, their checksum
//! layers  each: its blocks, then an entry for every block
//! contents  JSON: the game, a fingerprint of its rules, the layers and what their cells mean
//! ```
//!
//! A position's cell is the number of its worth in the layer's list of worths; 0 stands for numbers
//! that no position has. Cells have one or two bytes; a block of them is compressed for itself.

use std::io;

use foregone_rules::sample::positions;
use foregone_rules::{Bank, Distance, Game, Indexed, Merged, Packed, Symmetry, Value, Worth};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64, xxh3_64_with_seed};

use crate::keys::KeyContents;
use crate::proof::ProofContents;
use crate::words::shown;

/// The first bytes of every file.
pub const MAGIC: [u8; 8] = *b"FOREGONE";

/// The version of the format that this crate reads and writes.
pub const VERSION: u32 = 1;

/// The bytes before the first layer.
pub const HEAD: usize = 64;

/// The bytes of a block's entry: where it ends, counted from the first block, and its checksum.
pub const ENTRY: usize = 16;

/// The bytes of cells in a block, but for the last of a layer.
pub const BLOCK: usize = 16 << 10;

/// The longest contents that are read, in bytes.
pub const LONGEST: u64 = 64 << 20;

/// What a table says of each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Values {
    /// Whether it is won, drawn or lost.
    Wdl,
    /// Its value.
    Score,
    /// Its value and how soon it comes about.
    #[serde(rename = "score+distance")]
    ScoreDistance,
}

impl Values {
    /// Every kind with its name.
    pub const ALL: [(&'static str, Values); 3] =
        [("wdl", Values::Wdl), ("score", Values::Score), ("score+distance", Values::ScoreDistance)];

    /// What a table of this kind keeps of a worth: without distances, as if the end were now.
    pub fn keep(self, worth: Worth) -> Worth {
        let value = worth.value();
        match self {
            Values::Wdl => Worth::new(Value(value.0.signum()), Distance::Plies(0)),
            Values::Score => Worth::new(value, Distance::Plies(0)),
            Values::ScoreDistance => worth,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Values::ALL.iter().find(|(_, values)| *values == self).map_or("", |(name, _)| name)
    }
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum Broken {
    /// It could not be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is no table at all.
    #[error("this is no file of Foregone: it does not begin with `FOREGONE`")]
    Magic,
    /// It is a table of another format.
    #[error("the file has format {found}, expected {VERSION}: another version of Foregone made it")]
    Version {
        /// The version that it names.
        found: u32,
    },
    /// A layer has more worths than cells can tell apart.
    #[error("its positions have {worths} different worths, and 65,534 can be told apart")]
    Many {
        /// How many there are.
        worths: usize,
    },
    /// Somebody else is building it.
    #[error("it is being built already: {} is in use", .0.display())]
    Busy(std::path::PathBuf),
    /// It was changed, or cut short.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// It is a proof where a table was expected, or the other way round, and the like.
    #[error("the file holds {found}, expected {expected}")]
    Kind {
        /// What it holds.
        found: &'static str,
        /// What was to be read.
        expected: &'static str,
    },
    /// It tells of another game, or of other rules.
    #[error("the file is of {}, expected {expected}", shown(.found))]
    Game {
        /// What it is of.
        found: String,
        /// What was to be looked up.
        expected: String,
    },
}

/// What stands in a table's contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contents {
    /// The game with all its parameters.
    pub game: String,
    /// A fingerprint of its rules, in hexadecimal digits.
    pub fingerprint: String,
    /// What is kept of each position.
    pub values: Values,
    /// The layers, from 0; games end in the lowest.
    pub layers: Vec<LayerContents>,
    /// The keys of the positions, where they are listed: all layers are of these then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub keys: Option<KeyContents>,
    /// What is claimed, where the file is a proof.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofContents>,
}

/// A layer of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LayerContents {
    /// How many numbers it has.
    pub size: u64,
    /// How many of them stand for a position.
    pub positions: u64,
    /// The bytes of a cell: 1 or 2.
    pub width: u8,
    /// Where its blocks begin, counted from the file's beginning.
    pub offset: u64,
    /// How many bytes its blocks have; the entries follow.
    pub bytes: u64,
    /// The checksum of its entries.
    pub entries: u64,
    /// What cells from 1 on mean: a value for the side to move, and plies; null for play without
    /// end.
    pub worths: Vec<(i32, Option<u32>)>,
}

impl LayerContents {
    /// How many cells a block has.
    pub fn cells(&self) -> u64 {
        BLOCK as u64 / u64::from(self.width.max(1))
    }

    /// How many blocks there are.
    pub fn blocks(&self) -> u64 {
        self.size.div_ceil(self.cells())
    }
}

/// The head of a file whose contents are this text and stand so many bytes from its beginning.
pub fn head(offset: u64, contents: &[u8]) -> [u8; HEAD] {
    let mut head = Vec::with_capacity(HEAD);
    head.extend(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend([0; 4]);
    for number in [offset, contents.len() as u64, xxh3_64(contents)] {
        head.extend(number.to_le_bytes());
    }
    head.extend(xxh3_64(&head).to_le_bytes());
    let mut whole = [0; HEAD];
    whole[..head.len()].copy_from_slice(&head);
    whole
}

/// A worth as contents have it.
pub fn written(worth: Worth) -> (i32, Option<u32>) {
    (worth.value().0, worth.distance().plies())
}

/// Worths stand in a layer in this order: by value, play without end last of those of its value.
pub fn worth_order(worth: Worth) -> (Value, u32) {
    (worth.value(), worth.distance().plies().unwrap_or(u32::MAX))
}

/// The checksum of a block, which knows where it belongs.
pub fn checksum(bytes: &[u8], layer: u32, block: u64) -> u64 {
    xxh3_64_with_seed(bytes, block << 16 ^ u64::from(layer))
}

/// A fingerprint of a game's rules: what they say of positions met in random play. Rules that
/// differ anywhere there, or number positions otherwise, have another.
pub fn fingerprint<G: Indexed>(game: &G) -> u64 {
    fingerprint_by(game, game.layers(), |state| {
        let (layer, index) = game.index(state);
        [layer.into(), index]
    })
}

/// The same of a game whose positions are listed by the keys of their representatives.
pub fn fingerprint_listed<G: Packed + Symmetry>(game: &G) -> u64 {
    fingerprint_by(game, 1, |state| {
        let key = key_of(game, state);
        [(key >> 64) as u64, key as u64]
    })
}

/// The key by which a position is listed.
pub fn key_of<G: Packed + Symmetry>(game: &G, state: &G::State) -> u128 {
    game.pack(&Merged::of(game, state).state)
}

/// The representative that a key stands for; nothing where it stands for none. Any key may come in.
pub fn state_of<G: Packed + Symmetry>(game: &G, key: u128) -> Option<G::State> {
    let bits = game.bits();
    let state = (bits >= 128 || key >> bits == 0).then(|| game.unpack(key))?;
    (game.pack(&state) == key).then_some(state)
}

fn fingerprint_by<G: Game>(game: &G, layers: u32, place: impl Fn(&G::State) -> [u64; 2]) -> u64 {
    let mut hash = Xxh3::new();
    let mut number = |number: u64| hash.update(&number.to_le_bytes());
    number(layers.into());
    for sample in positions(game, 2_000, 20) {
        let state = &sample.state;
        place(state).into_iter().for_each(&mut number);
        number(game.turn(state) as u64);
        match game.outcome(state) {
            Some(outcome) => number(outcome.0 as u32 as u64),
            None => {
                for mv in game.moves(state) {
                    place(&game.play(state, mv)).into_iter().for_each(&mut number);
                }
            }
        }
    }
    hash.digest()
}

/// The worth of a position, by that of the one that its number gives back, with nothing banked.
pub fn with_banked<G: Indexed>(game: &G, state: &G::State, worth: Worth) -> Worth {
    match G::Bank::banked(game, state) {
        Value(0) => worth,
        Value(banked) => Worth::new(Value(worth.value().0 + banked), worth.distance()),
    }
}

/// A position's worth as the plain rules have it from what its moves lead to; nothing where one of
/// those is missing.
pub fn derived<G: Game>(
    game: &G,
    state: &G::State,
    mut child: impl FnMut(&G::State) -> Option<Worth>,
) -> Option<Worth> {
    let mover = game.turn(state);
    if let Some(outcome) = game.outcome(state) {
        return Some(Worth::finished(outcome, mover));
    }
    let mut best = None;
    for mv in game.moves(state) {
        let next = game.play(state, mv);
        best = best.max(Some(child(&next)?.before(game.turn(&next), mover)));
    }
    best
}
