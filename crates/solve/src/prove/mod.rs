//! Making proofs: a move for every position in which the side moves that a claim is about, as few of
//! them as is easily had. [`foregone_record::proof`] says what a
//! proof is, and `foregone_check` checks it.

mod choose;
mod engine;
mod oracle;
#[cfg(test)]
mod tests;

use std::num::NonZeroU16;
use std::path::PathBuf;

use foregone_record::format::fingerprint_keyed;
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::write::Target;
use foregone_record::{Error, KeyMap, TableWriter, Values};
use foregone_rules::{Distance, Encode, Side, Value, Worth};

use crate::control::{Control, Halted};
use choose::Proving;
pub(crate) use engine::{ByKeys, Proofs};
pub(crate) use oracle::{ByStrong, ByValues, Oracle};

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// It was stopped, or would have gone over a limit.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written.
    #[error(transparent)]
    File(#[from] Error),
    /// What is claimed does not hold.
    #[error("the {side} player does not get at least {at_least}: that cannot be proven")]
    False {
        /// `first` or `second`.
        side: &'static str,
        /// What was claimed.
        at_least: i32,
    },
    /// The game has no keys for its positions, so that there are no proofs of it.
    #[error("this game does not pack its positions, so there are no proofs of it")]
    Keys,
    /// Nothing can be claimed.
    #[error("every result is as good for either side: there is nothing to prove")]
    Nothing,
    /// The game's positions have no keys with a bit to spare, or more worths than a proof can hold.
    #[error("proofs have no room for this game: {0}")]
    Room(&'static str),
}

/// How large a proof is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// How many positions have a move in it.
    pub entries: u64,
    /// How many bytes the file has.
    pub bytes: u64,
}

/// What may be proven of a position of value `value`, seen by `mover`: that it is worth so much, to
/// either side. What no result can be below needs no proof.
fn claims(value: Value, least: Value, mover: Side) -> Vec<Claim> {
    let claim = |side: Side| {
        let at_least = value.seen_from(mover, side);
        let first = side == Side::First;
        (at_least > least).then_some(Claim { first, at_least: at_least.0 })
    };
    Side::BOTH.into_iter().filter_map(claim).collect()
}

/// A file that is to be a proof, begun so early that it is not found out late that it cannot be
/// written. What was begun of it is taken away unless it is finished.
pub(crate) struct Begun {
    target: PathBuf,
    building: Option<TableWriter>,
}

impl Begun {
    /// Begins a proof about a game.
    ///
    /// # Errors
    /// If there is no room for its keys, or it cannot be written.
    pub fn new<G: Encode>(
        game: &G,
        specification: &str,
        target: impl Into<Target>,
    ) -> Result<Begun, Unproven> {
        let target = target.into();
        if game.bits() > 127 {
            return Err(Unproven::Room("keys of positions may have 127 bits"));
        }
        let print = fingerprint_keyed(game);
        let building = TableWriter::open(&target, specification, print, Values::ScoreDistance)?;
        Ok(Begun { target: target.path().to_owned(), building: Some(building) })
    }

    /// Writes it.
    fn finish(mut self, contents: ProofManifest, all: &[Kept]) -> Result<Size, Unproven> {
        if let Some(building) = &mut self.building {
            write(building, contents, all)?;
        }
        if let Some(building) = self.building.take() {
            building.finish(2)?;
        }
        let bytes = std::fs::metadata(&self.target).map_err(Error::from)?.len();
        Ok(Size { entries: all.len() as u64, bytes })
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        if let Some(building) = self.building.take() {
            building.discard();
        }
    }
}

/// Writes a proof of claims about a position, if there are none of what it is worth, and tells what
/// it claims.
///
/// # Errors
/// If a claim does not hold, or a limit is reached, or it cannot be written.
pub(crate) fn prove<G: Encode>(
    game: &G,
    root: &G::State,
    mut contents: ProofManifest,
    oracle: &mut dyn Oracle<G>,
    begun: Begun,
    control: &Control,
) -> Result<(ProofManifest, Size), Unproven> {
    if contents.claims.is_empty() {
        let mover = game.turn(root);
        let (value, least) = match game.outcome(root) {
            Some(outcome) => (outcome.value_for(mover), Value(i32::MIN)),
            None => oracle.value(root)?,
        };
        contents.claims = claims(value, least, mover);
    }
    if contents.claims.is_empty() {
        return Err(Unproven::Nothing);
    }
    let mut book = KeyMap::new(game.bits() + 1);
    for (number, claim) in contents.claims.iter().enumerate() {
        let can_loop = oracle.can_loop();
        let mut proving = Proving::new(game, root, (number, *claim), can_loop, &mut book, control);
        proving.choose(root, oracle)?;
        proving.keep(root)?;
    }
    let size = begun.finish(contents.clone(), &kept(book))?;
    Ok((contents, size))
}

/// What is known of a position of the side that is proven for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    /// It gets at least so much there, with nothing banked.
    at_least: i32,
    /// By the move with this number, from 1.
    mv: NonZeroU16,
    /// How many moves of the side are left at most, this one too; `None` while it is not known that
    /// the position is needed.
    left: Option<NonZeroU16>,
}

impl Note {
    /// A bound, and the number of a move from 0; `None` if that is too large.
    fn new(at_least: i32, mv: usize) -> Option<Note> {
        let mv = NonZeroU16::MIN.checked_add(u16::try_from(mv).ok()?)?;
        Some(Note { at_least, mv, left: None })
    }

    /// The number of the move, from 0.
    fn number(self) -> u16 {
        self.mv.get() - 1
    }
}

// A slot of the book has two words.
const _: () = assert!(size_of::<Option<Note>>() == 8);

/// A position of a finished proof: its key in two words, so that it takes no more than three.
struct Kept {
    key: [u64; 2],
    note: Note,
}

impl Kept {
    fn new(key: u128, note: Note) -> Kept {
        Kept { key: [(key >> 64) as u64, key as u64], note }
    }

    fn key(&self) -> u128 {
        u128::from(self.key[0]) << 64 | u128::from(self.key[1])
    }
}

/// Those that are needed, by their keys.
fn kept(book: KeyMap<Note>) -> Vec<Kept> {
    let needed = book.drain().filter(|(_, note)| note.left.is_some());
    let mut kept: Vec<_> = needed.map(|(key, note)| Kept::new(key, note)).collect();
    kept.sort_unstable_by_key(|kept| kept.key);
    kept
}

fn write(
    building: &mut TableWriter,
    contents: ProofManifest,
    all: &[Kept],
) -> Result<(), Unproven> {
    building.set_proof(contents);
    let size = all.len() as u64;
    let note = |at: u64| all.get(at as usize).map(|kept| kept.note);
    let worth = |value, plies| Worth::new(Value(value), Distance::Plies(plies));
    let left = |note: Note| note.left.map_or(0, |left| u32::from(left.get()) - 1);
    building
        .write_layer_by(0, size, 1, &|at| note(at).map(|note| worth(note.at_least, left(note))))?;
    building
        .write_layer_by(1, size, 1, &|at| note(at).map(|note| worth(note.number().into(), 0)))?;
    building.write_keys(all.iter().map(Kept::key))?;
    Ok(())
}
