//! A game together with the promises that it makes, so that one solver serves games that promise
//! much and games that promise nothing.
//!
//! Rust can't ask of a type whether it implements a trait; the author of a game says so, one word a
//! promise, where the game is registered.

use foregone_check::proofs::ProofVerdict;
use foregone_check::{Coverage, Effort, Verdict};
use foregone_record::proof::{self, Entry, ProofManifest};
use foregone_record::read::state_of;
use foregone_record::write::Target;
use foregone_record::{Error, Table};
use foregone_rules::games::Measure;
use foregone_rules::{
    Acyclic, Banded, Bank, Drawing, Encode, Evaluate, Game, Indexed, NoBank, Notation, Order,
    Picture, Scene, SearchHints, Symmetry, Value, Worth, Written,
};

use crate::build::{self, Failed, How, Needs, Plan};
use crate::control::{Control, Halted};
use crate::exact::{ANY_VALUE, Exact, Options, Proven};
use crate::leaves::{Leaf, Leaves};
use crate::prove::{self, Begun, ByStrong, Oracle, Size, Unproven};
use crate::search::{Judgement, Opinion};
use crate::tree::Representative;

/// [`Picture`] without what it asks of the game.
pub(crate) struct Pictured<G: Game> {
    pub draw: fn(&G, &G::State) -> Drawing,
    pub scene: fn(&G, &G::State) -> Scene,
    pub clicks: fn(&G, &G::State, G::Move) -> Vec<usize>,
    pub destination: fn(&G, &G::State, G::Move) -> Option<usize>,
    pub choose_by_preview: fn(&G, &G::State) -> bool,
}

/// What has to do with tables, without what it asks of the game.
pub(crate) struct Tables<G: Game> {
    pub banks: fn(&G) -> bool,
    pub needs: fn(&G, bool, &Plan, u64) -> Result<Needs, Failed>,
    pub build: BuildTable<G>,
    pub is_of: fn(&G, &Table, &str) -> Result<(), Error>,
    pub probe: ProbeTable<G>,
    pub leaf: LookUp<G>,
    pub state: StateOf<G>,
    pub verify: VerifyTable<G>,
    pub coverage: fn(&G, &Table) -> Coverage,
}

/// Builds a table; see [`build::build`].
pub(crate) type BuildTable<G> =
    fn(&G, &str, bool, &Target, &Plan, &Control, Told<'_>) -> Result<(), Failed>;

/// The position of a number in a layer of a table.
pub(crate) type StateOf<G> = fn(&G, &Table, u32, u64) -> Result<Option<<G as Game>::State>, Error>;

/// Looks a position up; see [`Leaves::worth`].
pub(crate) type LookUp<G> = fn(&G, Leaves<'_>, &<G as Game>::State) -> Option<Worth>;

/// Derives every entry again; see [`foregone_check`].
pub(crate) type VerifyTable<G> = fn(
    &G,
    &Table,
    Option<Measure<G>>,
    Effort,
    Heard<'_>,
) -> Result<Verdict<<G as Game>::State>, Error>;

/// Looks a position up; see [`Table::probe`].
pub(crate) type ProbeTable<G> = fn(&G, &Table, &<G as Game>::State) -> Result<Option<Worth>, Error>;

/// Hears of every finished layer, with how many bytes there are.
pub(crate) type Told<'a> = &'a mut dyn FnMut(u32, u64);

/// Hears how many positions were checked, and says whether to go on.
pub(crate) type Heard<'a> = &'a (dyn Fn(u64) -> bool + Sync);

/// What has to do with proofs, without what it asks of the game.
pub(crate) struct Proofs<G: Game> {
    pub begin: fn(&G, &str, &Target) -> Result<Begun, Unproven>,
    pub prove: Prove<G>,
    pub prove_strongly: ProveStrongly<G>,
    pub check: CheckProof<G>,
    pub advice: Advice<G>,
}

/// Writes a proof; see [`prove::prove`].
pub(crate) type Prove<G> = fn(
    &G,
    &<G as Game>::State,
    ProofManifest,
    &mut dyn Oracle<G>,
    Begun,
    &Control,
) -> Result<(ProofManifest, Size), Unproven>;

/// The same by solving all positions.
pub(crate) type ProveStrongly<G> = fn(
    &G,
    &<G as Game>::State,
    ProofManifest,
    Begun,
    &Control,
) -> Result<(ProofManifest, Size), Unproven>;

/// The move of a proof; see [`proof::advice`].
pub(crate) type Advice<G> =
    fn(&G, &Table, usize, &<G as Game>::State) -> Result<Option<(<G as Game>::Move, Entry)>, Error>;

/// Checks a proof; see [`foregone_check::proofs::check`].
pub(crate) type CheckProof<G> = fn(
    &G,
    &str,
    &Table,
    &<G as Game>::State,
    u64,
    Heard<'_>,
) -> Result<ProofVerdict<<G as Game>::State>, Error>;

/// A game and what it promises beyond its rules.
///
/// ```
/// use foregone::{Offer, games::Mnk};
///
/// let offer = Offer::new(Mnk::tic_tac_toe()).notation().picture().acyclic().symmetric();
/// ```
pub struct Offer<G: Game> {
    pub(crate) game: G,
    pub(crate) notation: Option<Written<G>>,
    pub(crate) picture: Option<Pictured<G>>,
    /// The measure of progress, if play cannot loop.
    pub(crate) measure: Option<Measure<G>>,
    pub(crate) opinion: Option<Opinion<G>>,
    pub(crate) judgement: Option<Judgement<G>>,
    pub(crate) symmetry: Option<Representative<G>>,
    pub(crate) valuer: Option<NewValuer<G>>,
    pub(crate) tables: Option<Tables<G>>,
    pub(crate) proofs: Option<Proofs<G>>,
}

/// Values of one position after the other, within limits.
pub(crate) type Valuer<'a, G> = Box<dyn Valuing<G> + 'a>;

/// Makes a [`Valuer`] of a game.
pub(crate) type NewValuer<G> = for<'a> fn(
    &'a G,
    &'a Control,
    Options,
    Option<Leaf<'a, <G as Game>::State>>,
    Option<Written<G>>,
) -> Result<Valuer<'a, G>, Halted>;

/// [`Exact`] without what it asks of the game.
pub(crate) trait Valuing<G: Game> {
    fn bounds_within(&mut self, state: &G::State, known: (Value, Value)) -> Proven;
    fn least(&self, state: &G::State) -> Value;
    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted>;
    fn nodes(&self) -> u64;
    fn work(&self) -> u64;
    fn allow(&mut self, work: u64);

    fn bounds(&mut self, state: &G::State) -> Proven {
        self.bounds_within(state, ANY_VALUE)
    }
}

impl<G: SearchHints> Valuing<G> for Exact<'_, G> {
    fn bounds_within(&mut self, state: &G::State, known: (Value, Value)) -> Proven {
        Exact::bounds_within(self, state, known)
    }

    fn least(&self, state: &G::State) -> Value {
        Exact::least(self, state)
    }

    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        Exact::at_least(self, state, value)
    }

    fn nodes(&self) -> u64 {
        Exact::nodes(self)
    }

    fn work(&self) -> u64 {
        Exact::work(self)
    }

    fn allow(&mut self, work: u64) {
        Exact::allow(self, work);
    }
}

impl<G: Game> Offer<G> {
    /// A game that promises nothing but its rules.
    pub fn new(game: G) -> Offer<G> {
        Offer {
            game,
            notation: None,
            picture: None,
            measure: None,
            opinion: None,
            judgement: None,
            symmetry: None,
            valuer: None,
            tables: None,
            proofs: None,
        }
    }

    /// Whether play cannot come back to a position.
    pub(crate) fn cannot_loop(&self) -> bool {
        self.measure.is_some()
    }

    /// The game is [`Notation`].
    pub fn notation(self) -> Self
    where
        G: Notation,
    {
        Offer { notation: Some(Written::default()), ..self }
    }

    /// The game is [`Picture`].
    pub fn picture(self) -> Self
    where
        G: Picture,
    {
        let picture = Pictured {
            draw: G::draw,
            scene: G::scene,
            clicks: G::clicks,
            destination: G::destination,
            choose_by_preview: G::choose_by_preview,
        };
        Offer { picture: Some(picture), ..self }
    }

    /// The game is [`Acyclic`] (where its parameters let the promise hold).
    pub fn acyclic(self) -> Self
    where
        G: Acyclic,
    {
        let measure: Option<Measure<G>> = self.game.is_acyclic().then_some(G::progress);
        Offer { measure, ..self }
    }

    /// The game is [`Evaluate`].
    pub fn evaluate(self) -> Self
    where
        G: Evaluate,
    {
        Offer { opinion: Some(G::evaluate), ..self }
    }

    /// The game is [`Order`].
    pub fn order(self) -> Self
    where
        G: Order,
    {
        Offer { judgement: Some(G::order), ..self }
    }

    /// The game is [`SearchHints`], and so [`Acyclic`]: search finds values many times faster (where
    /// the game's parameters let it be [`Acyclic`]).
    pub fn search_hints(self) -> Self
    where
        G: SearchHints,
    {
        let valuer: NewValuer<G> = |game, control, options, leaf, written| {
            let exact = Exact::with(game, control, options)?;
            Ok(Box::new(exact.with_leaf(leaf).with_notation(written)))
        };
        let offer = self.acyclic();
        Offer { valuer: offer.cannot_loop().then_some(valuer), ..offer }
    }

    /// The game is [`Indexed`]: there can be tables of it.
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        let tables = Tables {
            banks: |_: &G| G::Bank::BANKS,
            needs: |game, ranked, plan, _| build::needs(game, &How::plain(ranked), plan),
            build: |game, name, ranked, target, plan, control, told| {
                build::build(game, name, &How::plain(ranked), target, plan, control, told)
            },
            is_of: |game, table, name| table.is_of(game, name),
            probe: |game, table, state| table.probe(game, state),
            leaf: |game, leaves, state| leaves.worth(game, state),
            state: |game, _, layer, index| Ok(game.state(layer, index)),
            verify: foregone_check::dense::check,
            coverage: foregone_check::dense::coverage,
        };
        Offer { tables: Some(tables), ..self }
    }

    /// The game is [`Banded`], and so [`Indexed`]: tables are built many times faster (where the
    /// game's parameters let it be [`Acyclic`]).
    pub fn banded(self) -> Self
    where
        G: Banded,
    {
        let mut offer = self.indexed();
        if let Some(tables) = &mut offer.tables {
            tables.needs = |game, ranked, plan, _| build::needs(game, &How::banded(ranked), plan);
            tables.build = |game, name, ranked, target, plan, control, told| {
                build::build(game, name, &How::banded(ranked), target, plan, control, told)
            };
        }
        offer
    }

    /// The game is [`Encode`] and has a [`Symmetry`], and banks no points: there can be tables of it
    /// that list all positions that can arise, as far as memory allows.
    pub fn listed(self) -> Self
    where
        G: Encode<Bank = NoBank> + Symmetry + Clone,
    {
        let tables = Tables {
            banks: |_: &G| false,
            needs: |_, _, plan, memory| build::needs_listed(plan, memory),
            build: |game, name, ranked, target, plan, control, told| {
                build::build_listed(game, name, ranked, target, plan, control, told)
            },
            is_of: |game, table, name| table.is_keyed_of(game, name),
            probe: |game, table, state| table.find(game, state),
            leaf: |_, _, _| None,
            state: |game: &G, table, _, index| {
                let key = table.keys_from(index)?.first().copied();
                Ok(key.and_then(|key| state_of(game, key)))
            },
            verify: foregone_check::keyed::check,
            coverage: |_, _| foregone_check::keyed::COVERAGE,
        };
        Offer { tables: Some(tables), ..self }
    }

    /// The game is [`Encode`] and has a [`Symmetry`]: there can be proofs of what its positions are worth.
    pub fn provable(self) -> Self
    where
        G: Encode + Symmetry + Clone,
    {
        let proofs = Proofs {
            begin: |game, name, target| Begun::new(game, name, target),
            prove: prove::prove,
            prove_strongly: |game, root, contents, begun, control| {
                let mut oracle = ByStrong::new(game, root, control)?;
                prove::prove(game, root, contents, &mut oracle, begun, control)
            },
            check: |game, name, table, root, memory, heard| {
                table.is_proof_of(game, name)?;
                let effort = Effort { threads: 1, memory };
                foregone_check::proofs::check(game, table, root, effort, heard)
            },
            advice: proof::advice,
        };
        Offer { proofs: Some(proofs), ..self }
    }

    /// The game has a [`Symmetry`]: searches remember alike positions as one.
    pub fn symmetric(self) -> Self
    where
        G: Symmetry,
    {
        Offer { symmetry: Some(G::representative), ..self }
    }
}
