//! Any game behind text: what front ends see, so that none of them names a game.
//!
//! Generic code is compiled for each game behind this line; before it there are only [`AnyGame`]
//! and [`Session`], which take and give text.

use std::path::Path;
use std::sync::Arc;

use foregone_check::proofs::ProofVerdict;
use foregone_check::{Coverage, Effort, Verdict};
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::{Error, Table, Values};
use foregone_rules::family::{About, Family, Invalid, specification};
use foregone_rules::sample::Dice;
use foregone_rules::{Drawing, Game, Outcome, Scene, Side, Value, Written};

use crate::any::registry::did_you_mean;
use crate::any::report::{
    MoveReport, NodeReport, PlyReport, Report, ResultReport, SearchReport, TreeReport, TreeRequest,
};
use crate::control::{Control, Halted, Progress};
use crate::declared::Declared;
use crate::exact::Options;
use crate::found::Found;
use crate::play::Player;
use crate::prove::{ByValues, Size, Unproven};
use crate::search::Opinion;
use crate::solver::{Request, Solver};
use crate::tables::{Failed, Needs, Plan, Tables};
use crate::tree::{Census, Judged, Tree};

/// The longest text that is read as a position or as moves, in bytes.
pub const LONGEST_TEXT: usize = 1 << 16;

/// A game of which all that is known comes as text.
pub trait AnyGame: Send + Sync {
    /// What people should know of its family.
    fn about(&self) -> &About;

    /// Its name with all parameters; the name alone if there are none.
    fn specification(&self) -> String;

    /// What its values count; see [`About::unit`].
    fn unit(&self) -> &'static str;

    /// What the first and the second player are called.
    fn sides(&self) -> [&'static str; 2];

    /// What has to do with tables of this game, where it numbers its positions.
    fn tables(&self) -> Option<&dyn AnyTables>;

    /// Whether values alone can be searched for: it promises
    /// [`SearchHints`](foregone_rules::SearchHints), and these parameters keep the promise.
    fn foresees(&self) -> bool;

    /// A session at a position (the start if there is none), after some moves from there.
    ///
    /// # Errors
    /// If a text says no position, or a move is not legal: what was expected.
    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid>;
}

/// Tables of a game, behind text.
pub trait AnyTables: Send + Sync {
    /// What a table of this game keeps if nothing is said: as much as can be kept.
    fn usual(&self) -> Values;

    /// What building a table will take, where so much memory is allowed.
    ///
    /// # Errors
    /// If that is more than can be counted.
    fn needs(&self, plan: &Plan, memory: u64) -> Result<Needs, Failed>;

    /// Builds a table, or goes on with one that was begun; `told` hears of every finished layer with
    /// how many bytes there are.
    ///
    /// # Errors
    /// If it was stopped or cannot be written; what was finished is kept.
    fn build(
        &self,
        target: &Path,
        plan: &Plan,
        control: &Control,
        told: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed>;

    /// Opens a table of this very game.
    ///
    /// # Errors
    /// If it cannot be read, is damaged, or is of another game or other rules.
    fn open(&self, path: &Path) -> Result<Table, Error>;

    /// Derives every entry of a table again; `heard` is told how many are done, and says whether to
    /// go on.
    ///
    /// # Errors
    /// If the table is damaged, or it was stopped.
    fn verify(
        &self,
        table: &Table,
        effort: Effort,
        heard: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error>;

    /// What a table covers of the game.
    fn coverage(&self, table: &Table) -> Coverage;

    /// The position of a number in a layer of a table, as text; `None` if there is none.
    ///
    /// # Errors
    /// If that stands in the table, and it is damaged.
    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error>;
}

/// A game in play: a position, how it came about, and what has been solved so far.
pub trait Session: Send {
    /// The position as text.
    fn position(&self) -> String;

    /// The position as a picture for a terminal.
    fn drawing(&self) -> Drawing;

    /// The position as shapes and places.
    fn scene(&self) -> Scene;

    /// Who is to move; in a finished game, would be.
    fn turn(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// What play without end is worth, if it goes on among positions like this one; see
    /// [`foregone_rules::Game::endless`].
    fn endless(&self) -> Outcome;

    /// The legal moves; none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// The same with what of the [`scene`](Session::scene) is picked to make them.
    fn options(&self) -> Vec<MoveOption>;

    /// Whether the legal moves are best shown by the positions that they lead to.
    fn choose_by_preview(&self) -> bool;

    /// The moves played in this session.
    fn played(&self) -> Vec<String>;

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal: which moves are.
    fn play(&mut self, text: &str) -> Result<(), Invalid>;

    /// Takes the last move back; false if there is none.
    fn undo(&mut self) -> bool;

    /// Looks positions up in a table from now on, which is one of this very game.
    fn consult(&mut self, table: Arc<Table>);

    /// Writes a proof of what the position is worth, or of these claims, and tells what it claims.
    ///
    /// # Errors
    /// If a claim does not hold, a limit is reached, or it cannot be written.
    fn prove(
        &self,
        target: &Path,
        claims: Vec<Claim>,
        control: &Control,
    ) -> Result<(ProofManifest, Size), Unproven>;

    /// Checks a proof about the position.
    ///
    /// # Errors
    /// If it is damaged, or none of this game.
    fn check(&self, table: &Table, control: &Control) -> Result<ProofVerdict<String>, Error>;

    /// The move that a proof has for the position, for the claim with a number, and how many moves of
    /// that side are left at most, where the claim is a win; `None` if it has none.
    ///
    /// # Errors
    /// If it is damaged.
    fn advice(&self, table: &Table, claim: usize) -> Result<Option<(String, u32)>, Error>;

    /// Whether the game's usual start is where it began.
    fn began_at_start(&self) -> bool;

    /// Goes to another position as [`AnyGame::open`] does, with what has been solved so far. Where
    /// that fails, nothing has changed.
    ///
    /// # Errors
    /// If a text says no position, or a move is not legal: what was expected.
    fn go(&mut self, position: Option<&str>, moves: &str) -> Result<(), Invalid>;

    /// Another session at the same position, which shares what has been solved so far.
    fn fork(&self) -> Box<dyn Session>;

    /// How many bytes what has been solved takes.
    fn bytes(&self) -> u64;

    /// Solves the position. A run that is halted reports what it had found; see
    /// [`Report::halted`].
    fn solve(&mut self, request: &Request, control: &Control, dice: Option<&mut Dice>) -> Report;

    /// The move that a player would make.
    ///
    /// # Errors
    /// If the player could not decide within the control's limits.
    ///
    /// # Panics
    /// If the game is over.
    fn choose(
        &mut self,
        player: Player,
        dice: &mut Dice,
        control: &Control,
    ) -> Result<MoveChoice, Halted>;

    /// Looks at the game tree below the position. A run that is halted reports the plies it had
    /// counted; see [`TreeReport::halted`].
    fn tree(&self, request: &TreeRequest, control: &Control) -> TreeReport;
}

/// A legal move, as text and on the board; see [`Picture`](foregone_rules::Picture).
#[derive(Clone, Debug)]
pub struct MoveOption {
    /// The move.
    pub mv: String,
    /// The places that are picked to make it, in any order; none where it has to be named.
    pub clicks: Vec<usize>,
    /// The place where it ends, if that is another.
    pub destination: Option<usize>,
}

/// A move that a player has chosen, as text.
#[derive(Clone, Debug)]
pub struct MoveChoice {
    /// The move.
    pub mv: String,
    /// What the player takes it to be worth, where it thought at all.
    pub result: Option<ResultReport>,
}

/// What front ends ask of a game beside its rules.
pub(crate) struct Named<G: Game> {
    pub declared: Arc<Declared<G>>,
    pub about: About,
    pub specification: String,
    pub unit: &'static str,
    pub sides: [&'static str; 2],
}

impl<F: Family> Named<F> {
    /// A game of a family.
    pub fn family(declared: Declared<F>) -> Named<F> {
        let (specification, sides) = (specification(&declared.game), declared.game.sides());
        let unit = declared.game.unit();
        Named { declared: declared.into(), about: F::ABOUT, specification, unit, sides }
    }
}

impl<G: Game> Named<G> {
    /// A game of which only the name is known.
    pub fn plain(name: &'static str, declared: Declared<G>) -> Named<G> {
        let about = About::plain(name);
        let (unit, sides) = (about.unit, ["first", "second"]);
        let (declared, specification) = (declared.into(), name.to_owned());
        Named { declared, about, specification, unit, sides }
    }
}

/// A [`Named`] game, shared with its sessions.
pub(crate) struct Shared<G: Game>(pub Arc<Named<G>>);

impl<G: Game> AnyGame for Shared<G> {
    fn about(&self) -> &About {
        &self.0.about
    }

    fn specification(&self) -> String {
        self.0.specification.clone()
    }

    fn unit(&self) -> &'static str {
        self.0.unit
    }

    fn sides(&self) -> [&'static str; 2] {
        self.0.sides
    }

    fn tables(&self) -> Option<&dyn AnyTables> {
        self.0.declared.tables.as_ref().map(|_| self as &dyn AnyTables)
    }

    fn foresees(&self) -> bool {
        self.0.declared.values.is_some()
    }

    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid> {
        Ok(Box::new(Play::open(
            self.0.clone(),
            Solver::new(self.0.declared.clone()),
            position,
            moves,
        )?))
    }
}

impl<G: Game> Shared<G> {
    fn promised(&self) -> &dyn Tables<G> {
        self.0.declared.tables.as_deref().expect("a game without numbers has no tables")
    }
}

impl<G: Game> AnyTables for Shared<G> {
    fn usual(&self) -> Values {
        let declared = &self.0.declared;
        match self.promised().banks() {
            false => Values::ScoreDistance,
            true if declared.cannot_loop() => Values::Score,
            true => Values::ScoreRank,
        }
    }

    fn needs(&self, plan: &Plan, memory: u64) -> Result<Needs, Failed> {
        self.promised().needs(&self.0.declared.game, self.0.declared.cannot_loop(), plan, memory)
    }

    fn build(
        &self,
        target: &Path,
        plan: &Plan,
        control: &Control,
        told: &mut dyn FnMut(u32, u64),
    ) -> Result<(), Failed> {
        let Named { declared, specification, .. } = &*self.0;
        let (game, acyclic) = (&declared.game, declared.cannot_loop());
        self.promised().build(game, specification, acyclic, &target.into(), plan, control, told)
    }

    fn open(&self, path: &Path) -> Result<Table, Error> {
        let table = Table::open(path)?;
        self.promised().is_of(&self.0.declared.game, &table, &self.0.specification)?;
        Ok(table)
    }

    fn verify(
        &self,
        table: &Table,
        effort: Effort,
        heard: &(dyn Fn(u64) -> bool + Sync),
    ) -> Result<Verdict<String>, Error> {
        let Declared { game, notation, measure, .. } = &*self.0.declared;
        let verdict = self.promised().verify(game, table, *measure, effort, heard)?;
        Ok(verdict.named(|state| Written::text(*notation, game, state)))
    }

    fn coverage(&self, table: &Table) -> Coverage {
        self.promised().coverage(&self.0.declared.game, table)
    }

    fn position(&self, table: &Table, layer: u32, index: u64) -> Result<Option<String>, Error> {
        let game = &self.0.declared.game;
        let state = self.promised().state(game, table, layer, index)?;
        Ok(state.map(|state| Written::text(self.0.declared.notation, game, &state)))
    }
}

/// A session of one game.
struct Play<G: Game> {
    named: Arc<Named<G>>,
    /// The positions from the one the session began at; never empty.
    line: Vec<G::State>,
    /// The moves between them.
    moves: Vec<G::Move>,
    /// How many of those were given as the position, and are not to be taken back.
    given: usize,
    solver: Solver<G>,
}

impl<G: Game> Play<G> {
    /// The most nodes that a tree is built of, and the most plies.
    const LARGEST_TREE: u128 = 1_000_000;
    const DEEPEST_TREE: u32 = 500;

    fn open(
        named: Arc<Named<G>>,
        solver: Solver<G>,
        position: Option<&str>,
        moves: &str,
    ) -> Result<Play<G>, Invalid> {
        for text in position.into_iter().chain([moves]) {
            if text.len() > LONGEST_TEXT {
                return Err(Invalid::new(text, format!("at most {LONGEST_TEXT} bytes")));
            }
        }
        let start = named.declared.game.start();
        let mut play = Play { named, line: vec![start], moves: Vec::new(), given: 0, solver };
        match (position, play.named.declared.notation) {
            (None, _) => {}
            (Some(text), Some(written)) => {
                play.line = vec![(written.parse)(&play.named.declared.game, text)?];
            }
            // Without a notation a position is the moves that lead to it.
            (Some(text), None) => {
                play.play_all(text)?;
                play.given = play.moves.len();
            }
        }
        play.play_all(moves)?;
        Ok(play)
    }

    fn game(&self) -> &G {
        &self.named.declared.game
    }

    fn state(&self) -> &G::State {
        self.line.last().expect("a session is at a position")
    }

    fn side(&self, side: Side) -> String {
        self.named.sides[side.index()].to_owned()
    }

    fn legal(&self) -> Vec<G::Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.game().moves(self.state()).collect(),
        }
    }

    /// Plays moves parted by commas or spaces; a single word that is no move, a character each.
    fn play_all(&mut self, text: &str) -> Result<(), Invalid> {
        let words: Vec<&str> =
            text.split(|c: char| c.is_whitespace() || c == ',').filter(|w| !w.is_empty()).collect();
        let before = self.moves.len();
        let refused = words.iter().try_for_each(|word| self.play(word));
        let ([run], Err(refused)) = (&words[..], &refused) else { return refused };
        let mut letters = run.chars().map(|letter| self.play(letter.encode_utf8(&mut [0; 4])));
        match letters.try_for_each(|played| played) {
            // Not even the first letter is a move: the word was meant as one.
            Err(_) if self.moves.len() == before => Err(refused.clone()),
            played => played,
        }
    }

    fn node(&self, mv: Option<G::Move>, tree: &Tree<'_, G>) -> NodeReport {
        let outcome = tree.outcome();
        let judge = |opinion: Opinion<G>| opinion(self.game(), tree.state());
        NodeReport {
            mv: mv.map(|mv| mv.to_string()),
            to_move: self.side(tree.turn()),
            outcome: outcome.map(|outcome| outcome.0),
            value: outcome.or_else(|| self.named.declared.opinion.map(judge)).map(|value| value.0),
            pruned: !tree.looked_at(),
            children: tree
                .children()
                .iter()
                .map(|(mv, child)| self.node(Some(*mv), child))
                .collect(),
        }
    }
}

fn result_report(found: Found) -> ResultReport {
    let proven = found.proven();
    ResultReport {
        value: found.value().0,
        result: found.is_proven().then(|| found.value().verdict().to_string()),
        distance: proven.and_then(|worth| worth.distance().plies()),
        endless: proven.is_some_and(|worth| worth.is_endless()),
    }
}

impl<G: Game> Session for Play<G> {
    fn position(&self) -> String {
        match self.named.declared.notation {
            Some(written) => (written.format)(self.game(), self.state()),
            None => self.moves.iter().map(G::Move::to_string).collect::<Vec<_>>().join(" "),
        }
    }

    fn drawing(&self) -> Drawing {
        match &self.named.declared.picture {
            Some(picture) => picture.draw(self.game(), self.state()),
            None => Drawing::Lines(vec![format!("{:?}", self.state())]),
        }
    }

    fn scene(&self) -> Scene {
        match &self.named.declared.picture {
            Some(picture) => picture.scene(self.game(), self.state()),
            None => Scene::of(&self.drawing()),
        }
    }

    fn options(&self) -> Vec<MoveOption> {
        let option = |mv: &G::Move| match &self.named.declared.picture {
            Some(picture) => MoveOption {
                mv: mv.to_string(),
                clicks: picture.clicks(self.game(), self.state(), *mv),
                destination: picture.destination(self.game(), self.state(), *mv),
            },
            None => MoveOption { mv: mv.to_string(), clicks: Vec::new(), destination: None },
        };
        self.legal().iter().map(option).collect()
    }

    fn choose_by_preview(&self) -> bool {
        let picture = self.named.declared.picture;
        picture.is_some_and(|picture| picture.choose_by_preview(self.game(), self.state()))
    }

    fn consult(&mut self, table: Arc<Table>) {
        self.solver.consult(table);
    }

    fn prove(
        &self,
        target: &Path,
        claims: Vec<Claim>,
        control: &Control,
    ) -> Result<(ProofManifest, Size), Unproven> {
        let Named { declared, specification, .. } = &*self.named;
        let (game, root) = (&declared.game, self.state());
        let proofs = declared.proofs.ok_or(Unproven::Keys)?;
        let notation = declared.notation.filter(|_| !self.began_at_start());
        let position = notation.map(|written| (written.format)(game, &self.line[0]));
        let moves = self.moves.iter().map(G::Move::to_string).collect();
        let contents = ProofManifest { position, moves, claims };
        let begun = proofs.begin(game, specification, &target.into())?;
        let Some(values) = declared.values else {
            return proofs.prove(game, root, contents, None, begun, control);
        };
        // Half of the memory is for the search, half for the proof. Only the first search is heard of.
        let (bytes, quiet) = (control.memory() / 2, Arc::default());
        let search = control.clone().with_memory(bytes).with_quiet(Arc::clone(&quiet));
        let valuer = values.valuer(game, &search, Options::default(), None, declared.notation)?;
        let mut oracle = ByValues { valuer, bytes, quiet };
        proofs.prove(game, root, contents, Some(&mut oracle), begun, control)
    }

    fn check(&self, table: &Table, control: &Control) -> Result<ProofVerdict<String>, Error> {
        let Named { declared, specification, .. } = &*self.named;
        let Some(proofs) = &declared.proofs else {
            return Err(Error::Kind {
                found: "a proof",
                expected: "a game of which there are any",
            });
        };
        let game = &declared.game;
        let heard = |done| {
            let phase = "checking the proof";
            control.report(Progress { phase, done, total: None, bounds: None }).is_ok()
        };
        let effort = Effort { threads: 1, memory: control.memory() };
        let checked = proofs.check(game, specification, table, self.state(), effort, &heard)?;
        Ok(checked.named(|state| Written::text(declared.notation, game, state)))
    }

    fn advice(&self, table: &Table, claim: usize) -> Result<Option<(String, u32)>, Error> {
        let Some(proofs) = &self.named.declared.proofs else { return Ok(None) };
        let advice = proofs.advice(self.game(), table, claim, self.state())?;
        Ok(advice.map(|(mv, entry)| (mv.to_string(), entry.rank)))
    }

    fn began_at_start(&self) -> bool {
        self.line[0] == self.game().start()
    }

    fn go(&mut self, position: Option<&str>, moves: &str) -> Result<(), Invalid> {
        *self = Play::open(self.named.clone(), self.solver.clone(), position, moves)?;
        Ok(())
    }

    fn fork(&self) -> Box<dyn Session> {
        Box::new(Play {
            named: self.named.clone(),
            line: self.line.clone(),
            moves: self.moves.clone(),
            given: self.given,
            solver: self.solver.clone(),
        })
    }

    fn bytes(&self) -> u64 {
        self.solver.bytes()
    }

    fn turn(&self) -> Side {
        self.game().turn(self.state())
    }

    fn outcome(&self) -> Option<Outcome> {
        self.game().outcome(self.state())
    }

    fn endless(&self) -> Outcome {
        self.game().endless(self.state())
    }

    fn moves(&self) -> Vec<String> {
        self.legal().iter().map(G::Move::to_string).collect()
    }

    fn played(&self) -> Vec<String> {
        self.moves[self.given..].iter().map(G::Move::to_string).collect()
    }

    fn play(&mut self, text: &str) -> Result<(), Invalid> {
        let legal = self.legal();
        match legal.iter().find(|mv| mv.to_string().eq_ignore_ascii_case(text)) {
            Some(mv) => {
                let next = self.game().play(self.state(), *mv);
                self.line.push(next);
                self.moves.push(*mv);
                Ok(())
            }
            None => {
                let before = match self.played().last() {
                    Some(last) => format!(" after {last}"),
                    None => String::new(),
                };
                Err(Invalid::new(
                    text,
                    match legal.is_empty() {
                        true if self.outcome().is_none() => format!(
                            "a legal move{before}, but there is none, though the game is not over: \
                             its rules are broken"
                        ),
                        true => format!("no move: the game is over{before}"),
                        false => {
                            let moves = self.moves();
                            let words: Vec<&str> = moves.iter().map(String::as_str).collect();
                            let nearest = did_you_mean(text, &words);
                            format!("a legal move{before}: {}{nearest}", listed(&moves))
                        }
                    },
                ))
            }
        }
    }

    fn undo(&mut self) -> bool {
        if self.moves.len() == self.given {
            return false;
        }
        self.moves.pop();
        self.line.pop();
        true
    }

    fn solve(&mut self, request: &Request, control: &Control, dice: Option<&mut Dice>) -> Report {
        let state = *self.state();
        let analysis = self.solver.analyse(&state, request, control, dice);
        let found = analysis.found.map(result_report);
        let best = analysis.best();
        Report {
            game: self.named.specification.clone(),
            position: self.position(),
            to_move: self.side(analysis.turn),
            value: found.as_ref().map(|found| found.value),
            unit: self.named.unit.to_owned(),
            result: found.as_ref().and_then(|found| found.result.clone()),
            distance: found.as_ref().and_then(|found| found.distance),
            endless: found.is_some_and(|found| found.endless),
            without_end: analysis.endless.0,
            proven: analysis.found.is_some_and(Found::is_proven),
            lookahead: analysis.ahead,
            bounds: analysis.bounds.map(|(Value(low), Value(high))| [low, high]),
            moves: analysis
                .moves
                .iter()
                .map(|(mv, found)| {
                    let chance = analysis.chances.iter().find(|(each, _)| each == mv);
                    let chance = chance.map(|(_, mean)| *mean);
                    MoveReport { mv: mv.to_string(), result: result_report(*found), chance }
                })
                .collect(),
            best: best.iter().map(G::Move::to_string).collect(),
            line: analysis.line.iter().map(G::Move::to_string).collect(),
            method: analysis.method.to_string(),
            positions: analysis.positions,
            nodes: analysis.nodes,
            seconds: analysis.time.as_secs_f64(),
            why: analysis.why,
            halted: analysis.halted,
        }
    }

    fn choose(
        &mut self,
        player: Player,
        dice: &mut Dice,
        control: &Control,
    ) -> Result<MoveChoice, Halted> {
        let state = *self.state();
        let choice = player.choose(&mut self.solver, &state, dice, control)?;
        Ok(MoveChoice { mv: choice.mv.to_string(), result: choice.found.map(result_report) })
    }

    fn tree(&self, request: &TreeRequest, control: &Control) -> TreeReport {
        let declared = &self.named.declared;
        let mut plies: Vec<PlyReport> = Vec::new();
        let mut nodes = 0u128;
        let mut complete = true;
        let mut halted = None;
        // Nodes are kept twice, as what is searched and as what is told of.
        let node = size_of::<Tree<'_, G>>() + size_of::<G::Move>() + size_of::<NodeReport>() + 64;
        let room = u128::from(control.memory()) / node as u128;
        let mut small = true;
        let census = Census::new(self.game(), *self.state(), declared.symmetry, control);
        let census = match declared.notation {
            Some(written) => census.with_notation(written),
            None => census,
        };
        for ply in census {
            let ply = match ply {
                Ok(ply) => ply,
                Err(reason) => {
                    halted = Some(reason);
                    break;
                }
            };
            let number = plies.len() as u32;
            let sum = nodes.saturating_add(ply.nodes);
            let enough = match request.depth {
                Some(depth) => number > depth,
                None => number > 1 && (sum > Self::LARGEST_TREE || number > Self::DEEPEST_TREE),
            };
            if enough {
                complete = false;
                break;
            }
            nodes = sum;
            small &= sum <= room.min(Self::LARGEST_TREE) && number <= Self::DEEPEST_TREE;
            plies.push(PlyReport {
                ply: number,
                nodes: ply.nodes,
                positions: ply.positions,
                up_to_symmetry: ply.merged.map(|merged| merged.positions),
                finished: ply.finished,
                finished_up_to_symmetry: ply.merged.map(|merged| merged.finished),
            });
        }
        let depth = plies.len().saturating_sub(1) as u32;
        let mut report = TreeReport {
            game: self.named.specification.clone(),
            position: self.position(),
            sides: self.named.sides.map(str::to_owned),
            depth,
            complete: complete && halted.is_none(),
            plies,
            tree: None,
            minimax: None,
            alphabeta: None,
            halted,
        };
        if small && report.halted.is_none() {
            let tree = Tree::from(self.game(), *self.state()).cut(depth);
            let opinion = |state: &G::State| {
                let endless = || self.game().endless(state);
                declared.opinion.map_or_else(endless, |opinion| opinion(self.game(), state))
            };
            let told = |judged: Judged<G::Move>| SearchReport {
                best: judged.best.map(|mv| mv.to_string()),
                value: judged.outcome.0,
                nodes: judged.nodes,
            };
            report.minimax = Some(told(tree.minimax(&opinion)));
            report.alphabeta = Some(told(tree.alpha_beta(&opinion)));
            report.tree = Some(self.node(None, &tree));
        }
        report
    }
}

/// Words joined by commas, of many only the first.
fn listed(words: &[String]) -> String {
    const MOST: usize = 40;
    match words.len() > MOST {
        true => format!("{}, … ({} in all)", words[..MOST].join(", "), words.len()),
        false => words.join(", "),
    }
}

/// A value in words: `a win by 3 stones`, `a draw`, `a loss`.
pub fn in_words(value: Value, unit: &str) -> String {
    let verdict = value.verdict();
    match (value.0.unsigned_abs(), unit) {
        (0, _) | (_, "result") => format!("a {verdict}"),
        (1, unit) => format!("a {verdict} by 1 {}", unit.strip_suffix('s').unwrap_or(unit)),
        (size, unit) => format!("a {verdict} by {size} {unit}"),
    }
}
