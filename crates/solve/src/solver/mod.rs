//! One question, whatever the game and the method: what is this position worth, what is every move
//! worth, and how does best play go on?

mod auto;
mod estimate;
mod race;

use std::collections::HashSet;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone_record::{Error, Table, Values};
use foregone_rules::sample::Dice;
use foregone_rules::{Game, Invalid, Side, Value, Worth};

use crate::control::{Control, Halted, counted};
use crate::declared::Declared;
use crate::exact::Valuing;
use crate::exact::{Options, Proven, move_value};
use crate::found::Found;
use crate::moves::gather;
use crate::search::{Algorithm, Kept, Search, Seen};
use crate::strong::Strong;
use crate::tables::leaves::{Leaf, Leaves};

/// A way to solve a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Strong solving if that is quickly done, else search or search by proof numbers, whichever
    /// is sooner done; search, if there is a depth limit.
    #[default]
    Auto,
    /// A table on disk; only if there is one that has the position.
    Table,
    /// Every position that can arise; see [`Strong`].
    Strong,
    /// Alpha-beta with a memory and with all that the game promises.
    Search,
    /// Search by proof numbers, which is sooner done with deep forced wins: values alone, of games
    /// with [`SearchHints`](foregone_rules::SearchHints).
    Proof,
    /// Plain minimax; see [`Algorithm::Minimax`].
    Minimax,
    /// Plain negamax; see [`Algorithm::Negamax`].
    Negamax,
    /// Plain alpha-beta; see [`Algorithm::AlphaBeta`].
    AlphaBeta,
}

impl Method {
    /// Every method with its name.
    pub const ALL: [(&'static str, Method); 8] = [
        ("auto", Method::Auto),
        ("table", Method::Table),
        ("strong", Method::Strong),
        ("search", Method::Search),
        ("proof", Method::Proof),
        ("minimax", Method::Minimax),
        ("negamax", Method::Negamax),
        ("alphabeta", Method::AlphaBeta),
    ];

    const fn algorithm(self) -> Option<Algorithm> {
        match self {
            Method::Auto | Method::Table | Method::Strong => None,
            Method::Minimax => Some(Algorithm::Minimax),
            Method::Negamax => Some(Algorithm::Negamax),
            Method::Search | Method::Proof | Method::AlphaBeta => Some(Algorithm::AlphaBeta),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Method::ALL.iter().find(|(_, method)| method == self);
        f.pad(named.map_or("", |(name, _)| name))
    }
}

impl FromStr for Method {
    type Err = Invalid;

    fn from_str(text: &str) -> Result<Method, Invalid> {
        let named = Method::ALL.iter().find(|(name, _)| *name == text);
        named.map(|(_, method)| *method).ok_or_else(|| {
            let names: Vec<_> = Method::ALL.iter().map(|(name, _)| *name).collect();
            Invalid::new(text, format!("a method: {}", names.join(", ")))
        })
    }
}

/// How a position is to be solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Break lines of play off after so many plies: what is found is an estimate, unless all of
    /// them end before.
    pub depth: Option<u32>,
    /// Whether minimax, negamax and alpha-beta remember positions (search always does).
    pub remember: bool,
    /// On how many threads to search; strong solving uses one.
    pub threads: usize,
    /// Positions with at most so much left, in the game's own measure, are remembered by number
    /// (where values are searched for and the game numbers its positions); a size that suits the
    /// game if nothing is given.
    pub endgame: Option<u32>,
    /// Whether to find what every move is worth too, where the position's own value could be found
    /// faster without.
    pub moves: bool,
    /// Whether to look for a line of best play.
    pub line: bool,
    /// Whether [`Method::Search`] is to find distances too where it could find values alone much
    /// faster: in games with [`SearchHints`](foregone_rules::SearchHints), without a depth limit. All
    /// other methods find distances anyway.
    pub distances: bool,
    /// Whether [`Method::Auto`] is to end with estimates of all moves where nothing could be proven
    /// within the limits. A quarter of the time is kept for them.
    pub estimate: bool,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            method: Method::Auto,
            depth: None,
            remember: false,
            threads: 1,
            endgame: None,
            moves: true,
            line: true,
            distances: false,
            estimate: false,
        }
    }
}

/// What was found out about a position.
#[derive(Clone, Debug)]
pub struct Analysis<M> {
    /// The side to move, whose view everything is.
    pub turn: Side,
    /// What the position is worth; `None` if solving was halted before that was known.
    pub found: Option<Found>,
    /// What play without end is worth to the side to move.
    pub endless: Value,
    /// Between which values the position's was proven to lie when solving was halted.
    pub bounds: Option<(Value, Value)>,
    /// Every legal move with what it leads to, that ply counted; of a halted search, the moves
    /// that were finished.
    pub moves: Vec<(M, Found)>,
    /// Of the best moves, those that come nearer to where play goes on without end for their value,
    /// where going on here would be worth less; none if distances tell.
    pub nearer: Vec<M>,
    /// How many plies estimates look ahead that stand in for what could not be proven.
    pub ahead: Option<u32>,
    /// How chance games end, in the mean, after moves of which the estimates are the same and the
    /// best, for the side that makes them; none if the game has an opinion of its own.
    pub chances: Vec<(M, f64)>,
    /// A line of best play: to the end of the game, to a position that came up before (where play
    /// is endless), or to the depth limit.
    pub line: Vec<M>,
    /// The method that was used, never [`Method::Auto`].
    pub method: Method,
    /// Why that one, and what it did.
    pub why: String,
    /// How many different positions were solved or remembered, if that was counted.
    pub positions: Option<u64>,
    /// How many positions were visited for the moves' values, each as often as it was.
    pub nodes: u64,
    /// How long that took; the line is looked for afterwards.
    pub time: Duration,
    /// Why there is no result, or only a part of it (what was found is right all the same).
    pub halted: Option<Halted>,
}

impl<M: Copy> Analysis<M> {
    /// All moves that are as good as the best, distance included, in the order of the game. Where
    /// chance games were played, those of them that these like best; where no distance tells which
    /// moves come nearer to what they are worth, those that do.
    pub fn best(&self) -> Vec<M> {
        if !self.nearer.is_empty() {
            return self.nearer.clone();
        }
        let most = self.chances.iter().map(|(_, mean)| *mean).max_by(f64::total_cmp);
        if let Some(most) = most {
            let best = self.chances.iter().filter(|(_, mean)| *mean == most);
            return best.map(|(mv, _)| *mv).collect();
        }
        // In a halted search the best moves may be missing.
        let known = self.found.map(|found| found.value());
        let key = |found: &Found| found.key(self.endless);
        let best = self.moves.iter().map(|(_, found)| key(found)).max();
        let moves = self
            .moves
            .iter()
            .filter(|(_, found)| Some(key(found)) == best && Some(found.value()) == known);
        moves.map(|(mv, _)| *mv).collect()
    }
}

/// What is asked, and within which limits.
struct Question<'a, G: Game> {
    declared: &'a Declared<G>,
    state: &'a G::State,
    request: &'a Request,
    control: &'a Control,
    asked: Instant,
}

impl<G: Game> Clone for Question<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Question<'_, G> {}

/// Solves positions of one game, and keeps what it has solved strongly for the next question. A
/// copy shares the game and what is known so far.
///
/// ```
/// use foregone::{Control, Declared, Game, Request, Solver, Value, games::Mnk};
///
/// let mut solver = Solver::new(Declared::new(Mnk::tic_tac_toe()));
/// let start = solver.game().start();
/// let analysis = solver.analyse(&start, &Request::default(), &Control::default(), None);
/// assert_eq!(analysis.found.map(|found| found.value()), Some(Value(0)));
/// ```
pub struct Solver<G: Game> {
    declared: Arc<Declared<G>>,
    strong: Option<Arc<Strong<G>>>,
    table: Option<Arc<Table>>,
}

impl<G: Game> Clone for Solver<G> {
    fn clone(&self) -> Solver<G> {
        let Solver { declared, strong, table } = self;
        Solver { declared: declared.clone(), strong: strong.clone(), table: table.clone() }
    }
}

impl<G: Game> Solver<G> {
    /// Up to how many positions [`Method::Auto`] solves a game strongly that cannot loop: a second or
    /// two.
    pub const QUICK: u64 = 4_000_000;

    /// A solver of a game that knows nothing yet.
    pub fn new(declared: impl Into<Arc<Declared<G>>>) -> Solver<G> {
        Solver { declared: declared.into(), strong: None, table: None }
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.declared.game
    }

    /// The game with its promises.
    pub(crate) fn declared(&self) -> &Arc<Declared<G>> {
        &self.declared
    }

    /// Solves a position. Where several moves are equally good, the line goes on with one that the
    /// dice pick; without dice, with the first.
    pub fn analyse(
        &mut self,
        state: &G::State,
        request: &Request,
        control: &Control,
        mut dice: Option<&mut Dice>,
    ) -> Analysis<G::Move> {
        let declared = &*self.declared.clone();
        let asked = Instant::now();
        let whole = Question { declared, state, request, control, asked };
        let estimates = request.estimate && (request.method, request.depth) == (Method::Auto, None);
        let quarters = if estimates { 3 } else { 4 };
        let control = &control.clone().with_quarters_of_time(quarters);
        let question = Question { control, ..whole };
        let (method, why, halted) = self.pick(question);
        let mut analysis = Analysis {
            turn: declared.game.turn(state),
            found: None,
            endless: declared.game.endless(state).value_for(declared.game.turn(state)),
            bounds: None,
            moves: Vec::new(),
            nearer: Vec::new(),
            ahead: None,
            chances: Vec::new(),
            line: Vec::new(),
            method,
            why,
            positions: None,
            nodes: 0,
            time: Duration::ZERO,
            halted,
        };
        let searches = !matches!(method, Method::Table | Method::Strong);
        let table = self.table.clone().filter(|_| searches);
        let leaves =
            table.as_ref().map_or(Ok(None), |table| Leaves::of(table, control.memory() / 4));
        let leaves = leaves.unwrap_or_else(|error| {
            analysis.halted = Some(Halted::Damaged { why: error.to_string() });
            None
        });
        // What the table's layers take is no longer there for the search.
        let taken = leaves.map_or(0, |leaves| leaves.bytes());
        let rest = control.clone().with_memory(control.memory().saturating_sub(taken));
        let question = Question { control: &rest, ..question };
        let look_up = declared.tables.as_ref().zip(leaves).map(|(tables, leaves)| {
            move |state: &G::State| tables.leaf(&declared.game, leaves, state)
        });
        let leaf = look_up.as_ref().map(|look_up| -> Leaf<'_, G::State> { look_up });
        // Searches for distances need leaves that have them.
        let distant = leaf.filter(|_| leaves.is_some_and(|leaves| leaves.distances()));
        let values = declared.values.filter(|_| match method {
            Method::Search => !request.distances && request.depth.is_none(),
            method => method == Method::Proof,
        });
        let again = dice.as_deref_mut();
        match method {
            _ if analysis.halted.is_some() => {}
            Method::Table => self.analyse_by_table(question, &mut analysis, again),
            Method::Strong => self.analyse_strongly(question, &mut analysis, again),
            Method::Auto => self.analyse_by_auto(question, [leaf, distant], &mut analysis, again),
            _ => match values {
                Some(values) => {
                    let options = value_options(request, method == Method::Proof);
                    match values.valuer(
                        &declared.game,
                        question.control,
                        options,
                        leaf,
                        declared.notation,
                    ) {
                        Ok(mut valuer) => {
                            analyse_values(question, &mut *valuer, &mut analysis, again)
                        }
                        Err(halted) => analysis.halted = Some(halted),
                    }
                }
                None => {
                    let kept = &mut Kept::default();
                    analyse_by_search(question, distant, kept, None, &mut analysis, again);
                }
            },
        }
        let limited = matches!(&analysis.halted, Some(Halted::Time { .. } | Halted::Memory { .. }));
        if estimates && limited && analysis.found.is_none() {
            estimate::estimate(whole, &mut analysis, dice);
        }
        if analysis.time.is_zero() {
            analysis.time = question.asked.elapsed();
        }
        analysis
    }

    /// The method to begin with and why, or why there is none.
    fn pick(&self, question: Question<'_, G>) -> (Method, String, Option<Halted>) {
        let Question { declared, state, request, .. } = question;
        let why = match (request.method, request.depth) {
            (Method::Auto, Some(depth)) => {
                let why =
                    format!("a depth limit of {} was given", counted(depth.into(), "ply", "plies"));
                return (Method::Search, why, None);
            }
            (Method::Auto | Method::Table, None) if self.looks_up(state) => {
                return (Method::Table, "the table has the position".to_owned(), None);
            }
            (Method::Table, depth) => {
                let halted = match &self.table {
                    _ if depth.is_some() => Halted::TableDepth,
                    None => Halted::NoTable,
                    Some(_) => Halted::NotInTable,
                };
                return (Method::Table, "as asked for".to_owned(), Some(halted));
            }
            (Method::Auto, None) if self.solved(state) => {
                return (Method::Strong, "it was solved before".to_owned(), None);
            }
            (Method::Auto, None) => String::new(),
            (Method::Proof, depth) if depth.is_some() || declared.values.is_none() => {
                return (Method::Proof, "as asked for".to_owned(), Some(Halted::NoProof));
            }
            _ => "as asked for".to_owned(),
        };
        (request.method, why, None)
    }

    /// How many bytes what it has solved takes.
    pub fn bytes(&self) -> u64 {
        self.strong.as_ref().map_or(0, |strong| strong.bytes())
    }

    /// Looks positions up in a table of this very game from now on.
    pub fn consult(&mut self, table: Arc<Table>) {
        self.table = Some(table);
    }

    /// What the table says of a position.
    fn look_up(&self, state: &G::State) -> Result<Option<Found>, Error> {
        let Declared { game, tables, .. } = &*self.declared;
        let (Some(table), Some(tables)) = (&self.table, tables) else { return Ok(None) };
        let worth = tables.probe(game, table, state)?;
        Ok(worth.map(|worth| match table.manifest().values {
            Values::ScoreDistance => Found::Proven(worth),
            Values::Score | Values::ScoreRank | Values::Wdl => Found::Value(worth.value()),
        }))
    }

    fn looks_up(&self, state: &G::State) -> bool {
        // A table that is damaged is told of when it is looked up in.
        !matches!(self.look_up(state), Ok(None))
    }

    fn analyse_by_table(
        &self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
        dice: Option<&mut Dice>,
    ) {
        let Question { declared, state, request, asked, .. } = question;
        let game = &declared.game;
        let mut broken = None;
        let mut nodes = 0;
        let mut found = |state: &G::State| {
            nodes += 1;
            self.look_up(state).unwrap_or_else(|error| {
                broken = Some(Halted::Damaged { why: error.to_string() });
                None
            })
        };
        let mut moves = |state: &G::State| -> Option<Vec<(G::Move, Found)>> {
            if game.outcome(state).is_some() {
                return None;
            }
            let mover = game.turn(state);
            let reached = |mv| {
                let child = game.play(state, mv);
                let next = game.turn(&child);
                let found = match found(&child)? {
                    Found::Proven(worth) => Found::Proven(worth.backed_up(next, mover)),
                    found => Found::Value(found.value().seen_from(next, mover)),
                };
                Some((mv, found))
            };
            game.moves(state).map(reached).collect()
        };
        analysis.moves = moves(state).unwrap_or_default();
        if request.line {
            analysis.line = line(game, state, dice, moves);
        }
        analysis.found = found(state);
        analysis.nodes = nodes;
        analysis.halted = broken;
        analysis.time = asked.elapsed();
    }

    fn solved(&self, state: &G::State) -> bool {
        self.strong.as_ref().is_some_and(|strong| strong.worth(state).is_some())
    }

    fn analyse_strongly(
        &mut self,
        question: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
        dice: Option<&mut Dice>,
    ) {
        let Question { declared, state, request, control, asked } = question;
        let game = &declared.game;
        if !self.solved(state) {
            match Strong::solve_written(game, state, declared.notation, control) {
                Ok(strong) => self.strong = Some(Arc::new(strong)),
                Err(halted) => {
                    analysis.halted = Some(halted);
                    return;
                }
            }
        }
        let Some(strong) = &self.strong else { return };
        let worth = |state: &G::State| strong.worth(state).expect("it can arise, so it is solved");
        let moves = |state: &G::State| -> Vec<(G::Move, Found)> {
            if game.outcome(state).is_some() {
                return Vec::new();
            }
            let mover = game.turn(state);
            let reached = |mv| {
                let child = game.play(state, mv);
                (mv, Found::Proven(worth(&child).backed_up(game.turn(&child), mover)))
            };
            game.moves(state).map(reached).collect()
        };
        // Of moves that keep a value that play without end has elsewhere, those that come nearer.
        let nearer = |state: &G::State, moves: &[(G::Move, Found)]| -> Vec<G::Move> {
            let here = worth(state);
            let endless = game.endless(state).value_for(game.turn(state));
            if !here.is_endless() || here.value() <= endless {
                return Vec::new();
            }
            let left = |state: &G::State| strong.left(game, state);
            let comes = |(mv, found): &&(G::Move, Found)| {
                *found == Found::Proven(here) && left(&game.play(state, *mv)) < left(state)
            };
            moves.iter().filter(comes).map(|(mv, _)| *mv).collect()
        };
        analysis.found = Some(Found::Proven(worth(state)));
        analysis.moves = moves(state);
        analysis.nearer = nearer(state, &analysis.moves);
        analysis.positions = Some(strong.positions());
        analysis.nodes = strong.positions();
        analysis.time = asked.elapsed();
        if request.line {
            analysis.line = line(game, state, dice, |state| {
                let mut moves = moves(state);
                let nearer = nearer(state, &moves);
                moves.retain(|(mv, _)| nearer.is_empty() || nearer.contains(mv));
                Some(moves)
            });
        }
    }
}

/// Follows best moves from a position until the game is over, a position comes up again or nothing
/// more is known.
fn line<G: Game>(
    game: &G,
    state: &G::State,
    mut dice: Option<&mut Dice>,
    mut moves: impl FnMut(&G::State) -> Option<Vec<(G::Move, Found)>>,
) -> Vec<G::Move> {
    let mut here = *state;
    let mut seen = HashSet::from([here]);
    let mut line = Vec::new();
    while let Some(moves) = moves(&here) {
        let endless = game.endless(&here).value_for(game.turn(&here));
        let key = |found: &Found| found.key(endless);
        let Some(best) = moves.iter().map(|(_, found)| key(found)).max() else { break };
        let best: Vec<_> = moves.iter().filter(|(_, found)| key(found) == best).collect();
        let (mv, _) = *best[dice.as_mut().map_or(0, |dice| dice.below(best.len()))];
        here = game.play(&here, mv);
        line.push(mv);
        if !seen.insert(here) {
            break;
        }
    }
    line
}

/// The values of a position and of all its moves, without distances.
fn analyse_values<G: Game>(
    question: Question<'_, G>,
    valuer: &mut dyn Valuing<G>,
    analysis: &mut Analysis<G::Move>,
    dice: Option<&mut Dice>,
) {
    let Question { declared, state, request, control, asked } = question;
    let game = &declared.game;
    let over = game.outcome(state).map(|outcome| Worth::finished(outcome, analysis.turn));
    if let Some(worth) = over {
        analysis.found = Some(Found::Proven(worth));
        return;
    }
    let Proven { low, high, halted } = valuer.bounds(state);
    analysis.halted = halted;
    match low == high {
        true => analysis.found = Some(Found::Value(low)),
        false => analysis.bounds = Some((low, high)),
    }
    if request.moves && analysis.halted.is_none() {
        let mut moves = Vec::new();
        analysis.halted = gather(game, state, &mut moves, control, 0).err();
        for mv in moves {
            let value =
                move_value(game, state, mv, low, |child, known| valuer.bounds_within(child, known));
            match value {
                Ok(value) => analysis.moves.push((mv, Found::Value(value))),
                Err(halted) => {
                    analysis.halted = Some(halted);
                    break;
                }
            }
        }
    }
    analysis.nodes = valuer.nodes();
    analysis.time = asked.elapsed();
    if request.line && analysis.halted.is_none() {
        let line = &mut analysis.line;
        analysis.halted = line_of_values(game, state, low, (valuer, control), dice, line);
    }
}

/// Follows moves that keep the value, which are far cheaper to find than the values of all moves.
fn line_of_values<G: Game>(
    game: &G,
    state: &G::State,
    mut value: Value,
    (valuer, control): (&mut dyn Valuing<G>, &Control),
    mut dice: Option<&mut Dice>,
    line: &mut Vec<G::Move>,
) -> Option<Halted> {
    let mut here = *state;
    while game.outcome(&here).is_none() {
        let mover = game.turn(&here);
        let (mut moves, mut keeping) = (Vec::new(), Vec::new());
        if let Err(halted) = gather(game, &here, &mut moves, control, 0) {
            return Some(halted);
        }
        for mv in moves {
            let child = game.play(&here, mv);
            let Value(after) = value.seen_from(game.turn(&child), mover);
            // The mover keeps its value if the other side gets no more than the rest.
            let keeps = match game.turn(&child) == mover {
                true => valuer.at_least(&child, Value(after)),
                false => valuer.at_least(&child, Value(after + 1)).map(|more| !more),
            };
            match keeps {
                Ok(true) => keeping.push(mv),
                Ok(false) => {}
                Err(halted) => return Some(halted),
            }
            if !keeping.is_empty() && dice.is_none() {
                break;
            }
        }
        let at = dice.as_mut().map_or(0, |dice| dice.below(keeping.len()));
        // Some move keeps the value, unless the game breaks a promise.
        let Some(&mv) = keeping.get(at) else { break };
        line.push(mv);
        let next = game.play(&here, mv);
        value = value.seen_from(game.turn(&next), mover);
        here = next;
    }
    None
}

/// How to search for values as a request says.
fn value_options(request: &Request, by_proof: bool) -> Options {
    Options { threads: request.threads, endgame: request.endgame, by_proof }
}

/// The search that a question asks for, by one of the methods that are searches, to the end.
fn search_for<'a, G: Game>(
    question: Question<'a, G>,
    method: Method,
    leaf: Option<Leaf<'a, G::State>>,
) -> Search<'a, G> {
    let Question { declared, request, control, .. } = question;
    let algorithm = method.algorithm().unwrap_or(Algorithm::AlphaBeta);
    let mut search = Search::new(&declared.game, algorithm).with_threads(request.threads);
    search = search.with_leaf(leaf);
    if request.remember || method == Method::Search {
        search = search.with_memory(control.memory());
    }
    if let Some(opinion) = declared.opinion {
        search = search.with_opinion(opinion);
    }
    if let Some(written) = declared.notation {
        search = search.with_notation(written);
    }
    if method == Method::Search {
        if let Some(judgement) = declared.judgement {
            search = search.with_judgement(judgement);
        }
        if let Some(representative) = declared.symmetry {
            search = search.with_representative(representative);
        }
    }
    if declared.cannot_loop() {
        search = search.without_loops();
    }
    search
}

/// Searches for worths, distances included, unless the position was searched already.
fn analyse_by_search<G: Game>(
    question: Question<'_, G>,
    leaf: Option<Leaf<'_, G::State>>,
    kept: &mut Kept<G::State>,
    seen: Option<Seen<G::Move>>,
    analysis: &mut Analysis<G::Move>,
    dice: Option<&mut Dice>,
) {
    let Question { declared, state, request, control, asked } = question;
    let method = analysis.method;
    let mut run = |state: &G::State, depth: Option<u32>| -> Seen<G::Move> {
        let search = search_for(question, method, leaf);
        match depth {
            Some(depth) => search.with_depth(depth).run_on(state, control, kept),
            None => search.run_on(state, control, kept),
        }
    };
    let seen = seen.unwrap_or_else(|| run(state, request.depth));
    analysis.found = seen.found();
    analysis.nodes = seen.nodes;
    analysis.positions = seen.remembered;
    analysis.halted = seen.halted;
    analysis.moves = seen.moves.clone();
    analysis.time = asked.elapsed();
    let mut first = Some(seen.moves);
    let mut plies = 0;
    if !request.line || analysis.halted.is_some() {
        return;
    }
    let mut halted = None;
    analysis.line = line(&declared.game, state, dice, |state| {
        let left = request.depth.map(|depth| depth.saturating_sub(plies));
        plies += 1;
        if first.is_some() || left == Some(0) {
            return first.take();
        }
        let seen = run(state, left);
        halted = seen.halted;
        halted.is_none().then_some(seen.moves)
    });
    analysis.halted = halted;
}

#[cfg(test)]
mod tests;
