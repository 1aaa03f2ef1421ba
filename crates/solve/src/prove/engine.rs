//! Proofs of any [`Game`], as a trait object.

use foregone_check::Effort;
use foregone_check::proofs::Entries;
use foregone_record::proof::{self, Claim, Entry, ProofManifest};
use foregone_record::write::Target;
use foregone_record::{Error, Table};
use foregone_rules::{Encode, Game, Value};

use super::{Begun, ByStrong, Oracle, Size, Tape, Unproven, prove, tape};
use crate::control::Control;
use crate::subject::{Subject, makes};
use crate::twin::Order;

/// Writing, reading and checking proofs of a game.
pub(crate) trait Proofs<G: Game>: Send + Sync {
    /// Begins a proof.
    fn begin(&self, subject: Subject<'_, G>, target: &Target) -> Result<Begun, Unproven>;

    /// Writes a proof about a position; `oracle` gives values. If it is `None`, all positions are
    /// solved.
    fn prove(
        &self,
        game: &G,
        root: &G::State,
        manifest: ProofManifest,
        oracle: Option<&mut dyn Oracle<G>>,
        begun: Begun,
        control: &Control,
    ) -> Result<(ProofManifest, Size), Unproven>;

    /// Checks that a file is a proof about exactly this game; what it proves is not checked.
    fn is_of(&self, subject: Subject<'_, G>, table: &Table) -> Result<(), Error>;

    /// The move of a proof for a position and the claim with index `claim`.
    fn advice(
        &self,
        game: &G,
        table: &Table,
        claim: usize,
        state: &G::State,
    ) -> Result<Option<(G::Move, Entry)>, Error>;

    /// The tape of a claim with its index; see [`tape`].
    fn tape(
        &self,
        order: Order<'_, G>,
        table: &Table,
        claim: (usize, Claim),
        line: &[G::State],
        control: &Control,
    ) -> Result<Option<Tape>, Unproven>;

    /// What the mover gets at least by a proof, if it is the side of the claim with index `claim`.
    fn bound(
        &self,
        game: &G,
        table: &Table,
        claim: usize,
        state: &G::State,
    ) -> Result<Option<Value>, Error>;
}

/// Proofs that store positions by their keys.
pub(crate) struct ByKeys;

impl<G: Encode> Proofs<G> for ByKeys {
    fn begin(&self, subject: Subject<'_, G>, target: &Target) -> Result<Begun, Unproven> {
        makes()?;
        Begun::new(subject.game, subject.id, target)
    }

    fn prove(
        &self,
        game: &G,
        root: &G::State,
        manifest: ProofManifest,
        oracle: Option<&mut dyn Oracle<G>>,
        begun: Begun,
        control: &Control,
    ) -> Result<(ProofManifest, Size), Unproven> {
        makes()?;
        match oracle {
            Some(oracle) => prove(game, root, manifest, oracle, begun, control),
            None => {
                let mut oracle = ByStrong::new(game, root, control)?;
                prove(game, root, manifest, &mut oracle, begun, control)
            }
        }
    }

    fn is_of(&self, subject: Subject<'_, G>, table: &Table) -> Result<(), Error> {
        table.is_proof_of(subject.game, subject.id)
    }

    fn advice(
        &self,
        game: &G,
        table: &Table,
        claim: usize,
        state: &G::State,
    ) -> Result<Option<(G::Move, Entry)>, Error> {
        proof::advice(game, table, claim, state)
    }

    fn tape(
        &self,
        order: Order<'_, G>,
        table: &Table,
        (index, claim): (usize, Claim),
        line: &[G::State],
        control: &Control,
    ) -> Result<Option<Tape>, Unproven> {
        makes()?;
        // In memory, since the walk comes to entries in no order.
        let memory = control.memory() / 2;
        let game = order.game;
        let entries = Entries::read(game, table, Effort { memory, ..Effort::default() })?;
        let rest = control.memory().saturating_sub(entries.bytes());
        let advice =
            |state: &G::State| proof::advice_of(game, index, state, |key| Ok(entries.find(key)));
        tape(order, advice, claim, line, &control.clone().with_memory(rest))
    }

    fn bound(
        &self,
        game: &G,
        table: &Table,
        claim: usize,
        state: &G::State,
    ) -> Result<Option<Value>, Error> {
        proof::bound(game, table, claim, state)
    }
}
