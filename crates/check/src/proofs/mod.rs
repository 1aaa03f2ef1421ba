//! Checks proofs: from the position that a proof is about, everything is gone through that can arise
//! while its side keeps to it.
//!
//! Each position of the side that play comes to has to be in the proof with a claim as strong as is
//! needed there, its move has to be legal, and play has to end with what is claimed. Where play without
//! end would be worth less, a number falls with every move of the side, so that play does end
//! (`Proofs.v`).
//!
//! The walk, for each claim: play *comes to* the root. If the other side moves there, *all answers* are
//! made, also those in rows of moves (`rows`), until the side of the claim moves or play is over. The
//! positions in which the side moves have *arrived*: each is *looked up*, its entry has to be enough,
//! and if it is new it is *open*. While any is open, its move is made, and play comes to what follows.

mod entries;
mod verdict;
mod walk;

use foregone_record::format::manifest::MOST_VALUE;
use foregone_record::proof::Claim;
use foregone_record::{Error, Table};
use foregone_rules::Encode;

pub(crate) use self::entries::Entries;
pub use self::verdict::ProofVerdict;
use self::walk::Checker;
pub(crate) use self::walk::{End, flaw};
use crate::{Effort, OnProgress};

/// Keys of positions have at most so many bits: those of a proof have one more.
pub const MOST_BITS: u32 = 127;

/// Checks a proof about a position. It is checked on one thread.
///
/// # Errors
/// If the file is damaged, is no proof, or needs more memory than allowed; or checking was stopped.
pub fn check<G: Encode>(
    game: &G,
    table: &Table,
    root: &G::State,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<ProofVerdict<G::State>, Error> {
    let mut checker = Checker::new(game, Entries::read(game, table, effort)?, effort, on_progress);
    let claims = claims(table)?;
    let checked =
        (0..).zip(claims).try_for_each(|(number, claim)| checker.claim(number, *claim, root));
    match checked.and_then(|()| checker.ends()) {
        Ok(()) => Ok(checker.entries.all_needed(game, table)?.unwrap_or(ProofVerdict::Proven {
            entries: checker.entries.len(),
            positions: checker.positions,
        })),
        Err(End::Flaw(state, why)) => Ok(ProofVerdict::Flawed { position: Some(state), why }),
        Err(End::Error(error)) => Err(error),
    }
}

/// What a proof claims.
///
/// # Errors
/// If it is no proof, or claims what it cannot.
pub(crate) fn claims(table: &Table) -> Result<&[Claim], Error> {
    let damaged = |why: &str| Err(Error::Damaged(why.to_owned()));
    let Some(proof) = &table.manifest().proof else { return damaged("it is no proof") };
    if proof.claims.is_empty() || proof.claims.len() > 2 {
        return damaged("it claims nothing, or too much");
    }
    // Bounds on the way are this and what is banked: none of them can overflow.
    if proof.claims.iter().any(|claim| claim.at_least.unsigned_abs() > MOST_VALUE) {
        return damaged("it claims what no game has");
    }
    Ok(&proof.claims)
}
