//! A game together with its promises, so that one solver serves games with many promises and games
//! with none.
//!
//! [`Declare`] lists the promises of a game. Each is stored as a function, or as an engine for the
//! technique that it makes possible ([`ValueSearch`], [`Tables`], [`Proofs`]).

use foregone_rules::promise::{Declare, Promises};
use foregone_rules::{
    Actions, Acyclic, Banded, Drawing, Encode, Evaluate, Finer, Game, Indexed, Measure, Merged,
    NoBank, Notation, Order, Picture, PliesLeft, Scene, SearchHints, Symmetry, Value, Worth,
    Written,
};

use crate::book::Books;
use crate::checks::Checks;
use crate::exact::{ByCode, BySearch, InOrder, OwnHints, ValueSearch, WithEndgame};
use crate::prove::{ByKeys, Proofs};
use crate::search::{MoveOrder, Opinion};
use crate::solver::{ByFinest, by_finest};
use crate::strong::Like;
use crate::tables::{Dense, Keyed, Tables};
use crate::tree::Representative;

/// Whether this is the module for browsers.
const IN_BROWSER: bool = cfg!(target_family = "wasm");

/// A game and its promises beyond the rules.
///
/// ```
/// use foregone::{Declared, games::Mnk, promise::Promises};
///
/// let all = Declared::new(Mnk::tic_tac_toe());
/// // Only some of them, for example to measure the effect of a promise.
/// let some = Declared::plain(Mnk::tic_tac_toe()).with(|game| game.acyclic());
/// # let _ = (all, some);
/// ```
pub struct Declared<G: Game> {
    pub(crate) game: G,
    pub(crate) notation: Option<Written<G>>,
    pub(crate) picture: Option<Pictures<G>>,
    pub(crate) actions: Option<Numbered<G>>,
    /// The measure of progress, if play cannot loop.
    pub(crate) measure: Option<Measure<G>>,
    /// An upper limit for the length of play, if play cannot loop.
    pub(crate) plies_left: Option<PliesLeft<G>>,
    pub(crate) opinion: Option<Opinion<G>>,
    pub(crate) order: Option<MoveOrder<G>>,
    pub(crate) symmetry: Option<Representative<G>>,
    /// The same for strong solving.
    pub(crate) alike: Like<G>,
    pub(crate) values: Option<&'static dyn ValueSearch<G>>,
    pub(crate) tables: Option<Box<dyn Tables<G>>>,
    pub(crate) proofs: Option<&'static dyn Proofs<G>>,
    pub(crate) books: Option<&'static dyn Books<G>>,
    /// The finest variant, and what its values say.
    pub(crate) finer: Option<FinestOf<G>>,
    /// Who checks tables and proofs.
    pub(crate) checks: Checks<G>,
}

/// [`Finer`] for any [`Game`], as functions.
pub(crate) struct FinestOf<G: Game> {
    pub finest: fn(&G) -> G,
    pub worth_by: fn(&G, &G::State, Value) -> Worth,
    pub ask: ByFinest<G>,
}

/// How many numbers a game has for moves, and the number of a move: [`Actions`] for any [`Game`].
pub(crate) type Numbered<G> = (fn(&G) -> usize, fn(&G, <G as Game>::Move) -> usize);

/// Appends what stands on the board as numbers.
pub(crate) type Contents<G> = fn(&G, &<G as Game>::State, &mut Vec<i16>);

/// What a game shows: [`Picture`] for any [`Game`], as functions.
pub(crate) struct Pictures<G: Game> {
    /// None in a browser, where nothing asks for it and room is short; so are the contents.
    pub draw: Option<fn(&G, &G::State) -> Drawing>,
    pub contents: Option<Contents<G>>,
    pub scene: fn(&G, &G::State) -> Scene,
    pub clicks: fn(&G, &G::State, G::Move) -> Vec<usize>,
    pub destination: fn(&G, &G::State, G::Move) -> Option<usize>,
    pub steps: fn(&G, &G::State, G::Move) -> Vec<Scene>,
    pub choose_by_preview: fn(&G, &G::State) -> bool,
}

impl<G: Game> Declared<G> {
    /// A game with all promises of its type.
    pub fn new(game: G) -> Declared<G>
    where
        G: Declare,
    {
        let mut checks = Checks::NONE;
        G::declare(&mut checks);
        let declared = Declared::plain(game).with(|declared| G::declare(declared));
        Declared { checks, ..declared }
    }

    /// A game without promises: solvers use its rules alone.
    pub fn plain(game: G) -> Declared<G> {
        Declared {
            game,
            notation: None,
            picture: None,
            actions: None,
            measure: None,
            plies_left: None,
            opinion: None,
            order: None,
            symmetry: None,
            alike: None,
            values: None,
            tables: None,
            proofs: None,
            books: None,
            finer: None,
            checks: Checks::NONE,
        }
    }

    /// Another variant with the same promises to searches.
    pub(crate) fn searching(&self, game: G) -> Declared<G> {
        Declared {
            notation: self.notation,
            measure: self.measure,
            plies_left: self.plies_left,
            symmetry: self.symmetry,
            alike: self.alike,
            values: self.values,
            ..Declared::plain(game)
        }
    }

    /// Marks a game that the checker can make from what stands in its files.
    pub(crate) fn known_to_the_checker(self) -> Declared<G> {
        Declared { checks: Checks::ByChecker, ..self }
    }

    /// Adds promises.
    pub fn with(mut self, promises: impl FnOnce(&mut Declared<G>)) -> Declared<G> {
        promises(&mut self);
        self
    }

    /// Sets the search for values, if the game is acyclic with these parameters.
    fn search_by(&mut self, search: &'static dyn ValueSearch<G>)
    where
        G: Acyclic,
    {
        self.acyclic();
        self.values = self.cannot_loop().then_some(search);
    }

    /// Whether play cannot repeat a position.
    pub(crate) fn cannot_loop(&self) -> bool {
        self.measure.is_some()
    }
}

impl<G: Game> Promises<G> for Declared<G> {
    fn actions(&mut self)
    where
        G: Actions,
    {
        self.actions = Some((G::actions, G::action));
    }

    fn notation(&mut self)
    where
        G: Notation,
    {
        self.notation = Some(Written::default());
    }

    fn picture(&mut self)
    where
        G: Picture,
    {
        self.picture = Some(Pictures {
            draw: if IN_BROWSER { None } else { Some(G::draw) },
            contents: if IN_BROWSER { None } else { Some(G::contents) },
            scene: G::scene,
            clicks: G::clicks,
            destination: G::destination,
            steps: G::steps,
            choose_by_preview: G::choose_by_preview,
        });
    }

    fn acyclic(&mut self)
    where
        G: Acyclic,
    {
        self.measure = self.game.is_acyclic().then_some(G::progress);
        self.plies_left = self.game.is_acyclic().then_some(G::plies_left);
    }

    fn evaluate(&mut self)
    where
        G: Evaluate,
    {
        self.opinion = Some(G::evaluate);
    }

    fn order(&mut self)
    where
        G: Order,
    {
        self.order = Some(G::order);
    }

    fn symmetry(&mut self)
    where
        G: Symmetry,
    {
        let merges = self.game.images() > 1;
        self.symmetry = merges.then_some(G::representative);
        // In a browser all positions are solved: the code for it takes room.
        if !IN_BROWSER && merges {
            self.alike =
                Some(|game, state| Merged { state: game.representative(state), offset: Value(0) });
        }
    }

    fn encode(&mut self)
    where
        G: Encode,
    {
        self.proofs = Some(&ByKeys);
        self.books = Some(&ByKeys);
    }

    fn finer(&mut self)
    where
        G: Finer,
    {
        self.finer = Some(FinestOf { finest: G::finest, worth_by: G::worth_by, ask: by_finest });
    }

    fn tables_by_key(&mut self)
    where
        G: Encode<Bank = NoBank>,
    {
        self.tables = Some(Box::new(Keyed));
    }

    fn tables_by_number(&mut self)
    where
        G: Indexed,
    {
        self.tables = Some(Box::new(Dense::<G>::plain()));
    }

    fn tables_in_bands(&mut self)
    where
        G: Banded,
    {
        self.tables = Some(Box::new(Dense::<G>::in_bands()));
    }

    fn searchable(&mut self)
    where
        G: Acyclic + Encode,
    {
        self.search_by(&BySearch::<ByCode>::NEW);
    }

    fn searchable_in_order(&mut self)
    where
        G: Acyclic + Encode + Order,
    {
        self.search_by(&BySearch::<ByCode<InOrder>>::NEW);
    }

    fn search_hints(&mut self)
    where
        G: SearchHints,
    {
        self.search_by(&BySearch::<OwnHints>::NEW);
    }

    fn search_with_endgame(&mut self)
    where
        G: SearchHints + Banded,
    {
        self.search_by(&BySearch::<WithEndgame>::NEW);
    }
}
