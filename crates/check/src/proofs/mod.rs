//! Checks proofs: visits everything that can arise from the position of a proof while its side
//! follows the proof.
//!
//! Each position of that side must be in the proof with a bound as strong as needed there, its move
//! must be legal, and play must end with what is claimed. If endless play is worth less, a
//! number falls with every move of the side, so that play does end (`Proofs.v`).
//!
//! The walk, for each claim: it *comes to* the root. If the other side moves there, *all answers*
//! are made, also for consecutive moves of that side (`rows`), until the side of the claim moves or
//! play is over. The positions in which the side of the claim moves have *arrived*: each is *looked
//! up*, its entry must be strong enough, and if it is new it is *open*. While any is open, its move
//! is made, and the walk comes to the next position.

mod entries;
mod verdict;
mod walk;

use foregone_record::format::manifest::MAX_VALUE;
use foregone_record::proof::Claim;
use foregone_record::{Error, Table};
use foregone_rules::Encode;

pub use self::entries::{Entries, MAX_BITS};
pub use self::verdict::ProofVerdict;
use self::walk::Checker;
pub(crate) use self::walk::{End, flaw};
use crate::images::{Images, Walk, lists};
use crate::{Effort, OnProgress, plain};

/// Checks a proof about a position, on one thread.
///
/// # Errors
/// If the file is damaged, is not a proof, or exceeds the memory limit; or checking was stopped.
pub fn check<G: Encode>(
    game: &G,
    table: &Table,
    root: &G::State,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<ProofVerdict<G::State>, Error> {
    let merged = check_merged(game, table, root, effort, on_progress)?;
    // All positions are visited as they are, too, if their images are to be visited and cannot be listed.
    if merged.is_proven() && effort.symmetries.are_checked(table) && !lists(game) {
        let plain = plain::check_proof(game, table, root, effort, on_progress)?;
        return Ok(if plain.is_proven() { merged } else { plain });
    }
    Ok(merged)
}

/// [`check`], with images if they are listed.
fn check_merged<G: Encode>(
    game: &G,
    table: &Table,
    root: &G::State,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<ProofVerdict<G::State>, Error> {
    let checks_images = effort.symmetries.are_checked(table) && lists(game);
    let images = checks_images.then(|| Images::new(game, Walk::Part));
    let entries = Entries::read(game, table, effort)?;
    let mut checker = Checker::new(game, images, entries, effort, on_progress);
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

/// The claims of a proof.
///
/// # Errors
/// If it is not a proof, or its claims are not valid.
pub(crate) fn claims(table: &Table) -> Result<&[Claim], Error> {
    let damaged = |why: &str| Err(Error::Damaged(why.to_owned()));
    let Some(proof) = &table.manifest().proof else { return damaged("it is not a proof") };
    if proof.claims.is_empty() || proof.claims.len() > 2 {
        return damaged("it has no claims, or more than two");
    }
    // Later bounds are this plus banked points, so none of them can overflow.
    if proof.claims.iter().any(|claim| claim.at_least.unsigned_abs() > MAX_VALUE) {
        return damaged("it claims a value that no game has");
    }
    Ok(&proof.claims)
}
