//! Making proofs: a move for every reachable position in which the claim's side moves, with little
//! effort to keep their number small. [`foregone_record::proof`] defines proofs, and
//! `foregone_check` checks them.

mod choose;
mod engine;
mod oracle;
mod tape;
#[cfg(test)]
mod tests;

use std::num::NonZeroU16;
use std::path::PathBuf;

use foregone_record::format::fingerprint_keyed;
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::write::Target;
use foregone_record::{Error, GameId, KeyMap, TableWriter, Values};
use foregone_rules::{Distance, Encode, Side, Value, Worth};

use crate::control::{Control, Halted};
use crate::subject::Misplayed;
use choose::Proving;
pub(crate) use engine::{ByKeys, Proofs};
pub(crate) use oracle::{ByStrong, ByValues, Oracle};
pub use tape::Tape;
pub(crate) use tape::tape;

/// Why there is no proof.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Unproven {
    /// It was stopped, or would exceed a limit.
    #[error(transparent)]
    Halted(#[from] Halted),
    /// It could not be written.
    #[error(transparent)]
    File(#[from] Error),
    /// A game from text is not played as its text says.
    #[error(transparent)]
    Misplayed(#[from] Misplayed),
    /// The claim is false.
    #[error("the claim is false: the {side} player cannot be sure of {at_least} or more")]
    False {
        /// `first` or `second`.
        side: &'static str,
        /// The claimed value.
        at_least: i32,
    },
    /// The game has no keys for its positions, so it has no proofs.
    #[error("proofs need a game that packs its positions into keys, and this game does not")]
    Keys,
    /// There is nothing to claim.
    #[error("there is nothing to prove: no play has another result")]
    Nothing,
    /// The game's keys or numbers do not fit into a proof.
    #[error("a proof of this game is not possible: {0}")]
    Room(&'static str),
}

/// The size of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The number of positions with a move.
    pub entries: u64,
    /// The size of the file in bytes.
    pub bytes: u64,
}

/// The claims for a position of value `value`, seen by `mover`: each side gets at least its value.
/// A side whose value is not above `least`, the least possible result, needs no proof.
fn claims(value: Value, least: Value, mover: Side) -> Vec<Claim> {
    let claim = |side: Side| {
        let at_least = value.seen_from(mover, side);
        let first = side == Side::First;
        (at_least > least).then_some(Claim { first, at_least: at_least.0 })
    };
    Side::BOTH.into_iter().filter_map(claim).collect()
}

/// An unfinished proof file. It is opened first, so that an unwritable path fails at once. It is
/// deleted unless it is finished.
pub(crate) struct Begun {
    target: PathBuf,
    building: Option<TableWriter>,
}

impl Begun {
    /// Begins a proof about a game.
    ///
    /// # Errors
    /// If the keys are too long, or the file cannot be written.
    pub fn new<'a, G: Encode>(
        game: &G,
        id: impl Into<GameId<'a>>,
        target: impl Into<Target>,
    ) -> Result<Begun, Unproven> {
        let target = target.into();
        if game.bits() > 127 {
            return Err(Unproven::Room("its keys have more than 127 bits"));
        }
        let print = fingerprint_keyed(game);
        let building = TableWriter::open(&target, id, print, Values::ScoreDistance)?;
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

/// Writes a proof of claims about a position, or of its value if there are no claims. Returns the
/// manifest with the claims, and the size.
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

/// What the proof stores for a position of the claim's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Note {
    /// The side gets at least this much, without banked points.
    at_least: i32,
    /// The number of its move, from 1.
    mv: NonZeroU16,
    /// The largest number of moves left for the side, including this one; `None` until the position
    /// is known to be needed.
    left: Option<NonZeroU16>,
}

impl Note {
    /// A note with the move of index `mv`, from 0; `None` if that is too large.
    fn new(at_least: i32, mv: usize) -> Option<Note> {
        let mv = NonZeroU16::MIN.checked_add(u16::try_from(mv).ok()?)?;
        Some(Note { at_least, mv, left: None })
    }

    /// The number of the move, from 0.
    fn number(self) -> u16 {
        self.mv.get() - 1
    }
}

// A note fits into one word, so that a slot of the book has two.
const _: () = assert!(size_of::<Option<Note>>() == 8);

/// A position of a finished proof. The key is two words instead of a `u128`, so that alignment does
/// not add a fourth word.
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

/// The needed positions, sorted by key.
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
