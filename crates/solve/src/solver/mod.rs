//! One interface for all games and methods: the worth of a position, the worth of every move, and a
//! principal variation.

mod analysis;
mod auto;
mod estimate;
mod haste;
mod known;
mod line;
mod race;
mod request;
mod search;
mod strong;
mod table;
mod values;

use std::sync::Arc;
use std::time::Instant;

use foregone_record::Table;
use foregone_rules::Game;
use foregone_rules::promise::Declare;

use self::analysis::Picked;
pub use self::analysis::{Analysis, Source};
pub(crate) use self::estimate::DEEPEST;
pub(crate) use self::haste::{Haste, ONCE};
pub use self::known::Advice;
use self::known::Known;
pub use self::request::{Method, Request};
use self::search::analyse_by_search;
pub(crate) use self::values::by_finest;
use self::values::{analyse_values, for_values, value_options};
use crate::control::{Control, Halted, counted};
use crate::declared::Declared;
use crate::exact::Given;
use crate::search::Kept;
use crate::strong::Strong;
use crate::tables::endgame::{Endgame, Store};
use crate::tables::leaves::{Leaf, Leaves};

/// A request about a position, and its limits.
pub(crate) struct Question<'a, G: Game> {
    declared: &'a Declared<G>,
    state: &'a G::State,
    request: &'a Request,
    control: &'a Control,
    /// The endgame table of earlier searches, and for later ones.
    endgame: &'a Store,
    /// What files say, which a search asks first; `None` if they are not asked.
    known: Option<Known<'a, G>>,
    started: Instant,
}

/// What answers a question. Through a pointer, since it is large and called from two places.
pub(crate) type Ask<'a, G> = &'a dyn Fn(Question<'_, G>, &mut Analysis<<G as Game>::Move>);

/// [`by_finest`] of a game that has a finer variant.
pub(crate) type ByFinest<G> = fn(Question<'_, G>, Ask<'_, G>, &mut Analysis<<G as Game>::Move>);

impl<'a, G: Game> Question<'a, G> {
    /// What a search for values is given.
    fn given(self, leaf: Option<Leaf<'a, G::State>>) -> Given<'a, G> {
        Given { leaf, notation: self.declared.notation, endgame: Some(self.endgame) }
    }

    /// How to ask by the finest variant of the game, if it says more of all moves than the game itself: their distances.
    fn finest(self) -> Option<ByFinest<G>> {
        let is_proven = self.known.is_none_or(|known| known.proof.is_some());
        let wants = self.request.moves && self.request.depth.is_none() && !is_proven;
        self.declared.finer.as_ref().filter(|_| wants).map(|finer| finer.ask)
    }
}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Question<'_, G> {}

/// Solving a game of a known type in one call.
///
/// ```
/// use foregone::games::ConnectFour;
/// use foregone::{Distance, Found, Game, Solve, Value};
///
/// let game = ConnectFour::new(4, 4)?;
/// let analysis = game.clone().solve();
/// assert_eq!(analysis.found.map(|found| found.value()), Some(Value(0)));
/// let first = analysis.best()[0];
/// let after = game.play(&game.start(), first);
/// # let _ = after;
/// # Ok::<(), foregone::Invalid>(())
/// ```
pub trait Solve: Declare + Sized {
    /// A solver with all promises of the game: it solves any position, and keeps what it finds.
    fn solver(self) -> Solver<Self> {
        Solver::new(Declared::new(self))
    }

    /// Solves the game from its start, within the limits of [`Control::default`].
    fn solve(self) -> Analysis<Self::Move> {
        let start = self.start();
        self.solver().analyse(&start, &Request::default(), &Control::default())
    }
}

impl<G: Declare> Solve for G {}

/// Solves positions of one game, and keeps strong solutions for later requests. A clone shares the
/// game and the known results.
///
/// ```
/// use foregone::{Control, Declared, Game, Request, Solver, Value, games::Mnk};
///
/// let mut solver = Solver::new(Declared::new(Mnk::tic_tac_toe()));
/// let start = solver.game().start();
/// let analysis = solver.analyse(&start, &Request::default(), &Control::default());
/// assert_eq!(analysis.found.map(|found| found.value()), Some(Value(0)));
/// ```
pub struct Solver<G: Game> {
    declared: Arc<Declared<G>>,
    strong: Option<Arc<Strong<G>>>,
    endgame: Endgame,
    table: Option<Arc<Table>>,
    book: Option<Arc<Table>>,
    proof: Option<Arc<Table>>,
}

impl<G: Game> Clone for Solver<G> {
    fn clone(&self) -> Solver<G> {
        let Solver { declared, strong, endgame, table, book, proof } = self;
        let (declared, strong, endgame) = (declared.clone(), strong.clone(), endgame.clone());
        let (table, book, proof) = (table.clone(), book.clone(), proof.clone());
        Solver { declared, strong, endgame, table, book, proof }
    }
}

impl<G: Game> Solver<G> {
    /// The largest number of positions that [`Method::Auto`] solves strongly if play cannot loop;
    /// it takes a second or two.
    pub const QUICK: u64 = 4_000_000;

    /// A solver of a game, without any results yet.
    pub fn new(declared: impl Into<Arc<Declared<G>>>) -> Solver<G> {
        let (declared, endgame) = (declared.into(), Endgame::default());
        Solver { declared, strong: None, endgame, table: None, book: None, proof: None }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.declared.game
    }

    /// The game with its promises.
    pub(crate) fn declared(&self) -> &Arc<Declared<G>> {
        &self.declared
    }

    /// Solves a position.
    pub fn analyse(
        &mut self,
        state: &G::State,
        request: &Request,
        control: &Control,
    ) -> Analysis<G::Move> {
        let declared = &*self.declared.clone();
        let started = Instant::now();
        let endgame = Store::new(self.endgame.clone());
        // A search that is asked for searches.
        let asks = matches!(request.method, Method::Auto | Method::Book);
        let (book, proof) = (self.book.clone(), self.proof.clone());
        let known = Known { declared, book: book.as_deref(), proof: proof.as_deref() };
        let known = asks.then_some(known);
        let whole =
            Question { declared, state, request, control, endgame: &endgame, known, started };
        let estimates = request.estimate
            && request.depth.is_none()
            && matches!(request.method, Method::Auto | Method::Search);
        let quarters = if estimates { 3 } else { 4 };
        let mut control = control.clone().with_quarters_of_time(quarters);
        if request.method != Method::Search {
            control = control.with_checkpoint(None);
        }
        let control = &control;
        let question = Question { control, ..whole };
        let (picked, halted) = self.pick(question);
        let method = picked.method;
        let mut analysis = Analysis::begun(&declared.game, state, picked, halted);
        match method {
            _ if analysis.halted.is_some() => {}
            Method::Table => self.analyse_by_table(question, &mut analysis),
            Method::Book if declared.finer.is_some() => {
                self.analyse_by_book(question, &mut analysis);
            }
            Method::Strong => self.analyse_strongly(question, &mut analysis),
            _ => {
                let table = self.table.clone();
                match Leaves::of(table.as_deref(), control.memory() / 4) {
                    Ok(leaves) => self.analyse_above(leaves, question, &mut analysis),
                    Err(error) => {
                        analysis.halted = Some(Halted::Damaged { why: error.to_string() })
                    }
                }
            }
        }
        let limited = matches!(&analysis.halted, Some(Halted::Time { .. } | Halted::Memory { .. }));
        let ended = analysis.halted.as_ref().is_some_and(|halted| {
            halted.is_limit() || matches!(halted, Halted::Stopped { .. } | Halted::Deep { .. })
        });
        if ended && asks && analysis.found.is_none() {
            self.fall_back(state, &mut analysis);
        }
        if estimates && limited && !analysis.names_a_move(request) {
            estimate::estimate(whole, &mut analysis);
        }
        if ended && analysis.halted.is_some() && request.depth.is_none() {
            analysis.win_at_once(&declared.game, state, request);
        }
        if analysis.time.is_zero() {
            analysis.time = question.started.elapsed();
        }
        self.endgame = endgame.into_inner();
        analysis
    }

    /// Solves a position by a search, with the table's positions as leaves.
    fn analyse_above(
        &mut self,
        leaves: Option<Leaves<'_>>,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let Question { declared, request, control, .. } = question;
        let game = &declared.game;
        // The memory of the table's layers is not available to the search.
        let taken = leaves.map_or(0, |leaves| leaves.bytes());
        let rest = control.clone().with_memory(control.memory().saturating_sub(taken));
        let question = Question { control: &rest, ..question };
        let look_up = declared
            .tables
            .as_ref()
            .zip(leaves)
            .map(|(tables, leaves)| move |state: &G::State| tables.leaf(game, leaves, state));
        let leaf = look_up.as_ref().map(|look_up| -> Leaf<'_, G::State> { look_up });
        // Searches for distances need leaves that have them.
        let distant = leaf.filter(|_| leaves.is_some_and(|leaves| leaves.distances()));
        let by_proof = analysis.method == Method::Proof;
        let by_values = match analysis.method {
            Method::Auto => return self.analyse_by_auto(question, [leaf, distant], analysis),
            Method::Search => request.depth.is_none(),
            Method::Book => true,
            _ => by_proof,
        };
        let Some(values) = declared.values.filter(|_| by_values) else {
            let kept = &mut Kept::default();
            return analyse_by_search(question, distant, kept, None, analysis);
        };
        let options = value_options(request, by_proof);
        let ask: Ask<'_, G> = &|question, analysis| {
            let (game, share) = (&question.declared.game, for_values(request, question.control));
            match values.valuer(game, &share, options, question.given(leaf)) {
                Ok(mut valuer) => analyse_values(question, &mut *valuer, distant, analysis),
                Err(halted) => analysis.halted = Some(halted),
            }
        };
        match question.finest().filter(|_| leaf.is_none() && !by_proof) {
            Some(by_finest) => by_finest(question, ask, analysis),
            None => ask(question, analysis),
        }
    }

    /// The method and the reason for it, and an error if the request is impossible.
    fn pick(&self, question: Question<'_, G>) -> (Picked, Option<Halted>) {
        let Question { declared, state, request, .. } = question;
        let picked = |method, why: &str, source| Picked { method, why: why.to_owned(), source };
        let requested = |method| picked(method, "as requested", None);
        let source = self.source(state);
        match (request.method, request.depth) {
            (Method::Auto, Some(depth)) => {
                let depth = counted(depth.into(), "ply", "plies");
                let why = format!("a depth limit of {depth} was given");
                (Picked { method: Method::Search, why, source: None }, None)
            }
            (Method::Auto | Method::Table, None)
                if self.looks_up(state) && self.table_suits(request) =>
            {
                let why = "the table contains the position";
                (picked(Method::Table, why, Some(Source::Table)), None)
            }
            (Method::Auto | Method::Book, None) if self.is_in_book(state, request.distances) => {
                (picked(Method::Book, "all moves are in it", Some(Source::Book)), None)
            }
            (Method::Book, _) => (requested(Method::Book), Some(Halted::NotInBook)),
            (Method::Table, depth) => {
                let halted = match &self.table {
                    _ if depth.is_some() => Halted::TableDepth,
                    None => Halted::NoTable,
                    Some(_) => Halted::NotInTable,
                };
                (requested(Method::Table), Some(halted))
            }
            (Method::Auto | Method::Strong, None) if self.solved(state) => {
                (picked(Method::Strong, "it was solved before", Some(Source::Before)), None)
            }
            // A damaged file is asked, too, so that the analysis says so.
            (Method::Auto, None) if declared.values.is_some() && !matches!(source, Ok(None)) => {
                let source = source.ok().flatten();
                let why = format!("the value is in the {}", source.map_or("file", Source::name));
                (picked(Method::Search, &why, source), None)
            }
            (Method::Auto, None) if !request.strong => {
                (picked(Method::Search, "all positions were too many before", None), None)
            }
            (Method::Auto, None) => (picked(Method::Auto, "", None), None),
            (Method::Proof, depth) if depth.is_some() || declared.values.is_none() => {
                (requested(Method::Proof), Some(Halted::NoProof))
            }
            (method, _) => (requested(method), None),
        }
    }

    /// The memory of the stored results, in bytes.
    pub fn bytes(&self) -> u64 {
        self.strong.as_ref().map_or(0, |strong| strong.bytes()) + self.endgame.held()
    }

    /// Uses a table, a book or a proof from now on. It must belong to exactly this game, a book to its
    /// [finest](foregone_rules::promise::Finer) variant. What it says is believed.
    pub fn consult(&mut self, table: Arc<Table>) {
        let manifest = table.manifest();
        match (manifest.horizon, &manifest.proof) {
            (Some(_), _) => self.book = Some(table),
            (_, Some(_)) => self.proof = Some(table),
            (None, None) => self.table = Some(table),
        }
    }
}

#[cfg(test)]
mod tests;
