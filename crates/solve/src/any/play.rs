//! A session of one game.

use std::path::Path;
use std::sync::Arc;

use foregone_check::Effort;
use foregone_check::proofs::ProofVerdict;
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::{Error, Table};
use foregone_rules::family::Invalid;
use foregone_rules::sample::Dice;
use foregone_rules::{Drawing, Game, Outcome, Scene, Side, Value};

use super::moves::{play_all, read_record};
use super::named::Named;
use super::nearest::did_you_mean;
use super::report::{MoveReport, Report, ResultReport, TreeReport, TreeRequest};
use super::session::{MoveChoice, MoveOption, Session};
use crate::control::{Control, Halted, Progress};
use crate::exact::{Given, Options};
use crate::found::Found;
use crate::moves::{after, outcome};
use crate::play::Player;
use crate::prove::{ByValues, Proofs, Size, Tape, Unproven};
use crate::solver::{Advice, Request, Solver};
use crate::strong::Map;
use crate::subject::makes;
use crate::twin::{Order, Twin};

/// The longest accepted text for a position or for moves, in bytes.
pub const LONGEST_TEXT: usize = 1 << 16;

/// A session of one game.
pub(super) struct Play<G: Game> {
    pub(super) named: Arc<Named<G>>,
    /// The positions since the first one of the session; never empty.
    line: Vec<G::State>,
    /// The moves between them.
    moves: Vec<G::Move>,
    /// The number of moves that came with the position; undo stops before them.
    given: usize,
    solver: Solver<G>,
}

impl<G: Game> Play<G> {
    pub(super) fn open(
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
        let (position, moves) = &read_record(position, moves);
        let position = position.as_deref();
        let start = named.declared.game.start();
        let mut play = Play { named, line: vec![start], moves: Vec::new(), given: 0, solver };
        match (position, play.named.declared.notation) {
            (None, _) => {}
            (Some(text), Some(written)) => {
                play.line = vec![(written.parse)(&play.named.declared.game, text)?];
            }
            // Without a notation, a position is written as the moves that lead to it.
            (Some(text), None) => {
                play_all(&mut play, text)?;
                play.given = play.moves.len();
            }
        }
        play_all(&mut play, moves)?;
        Ok(play)
    }

    /// The texts of moves.
    fn texts<'m>(&self, moves: impl IntoIterator<Item = &'m G::Move>) -> Vec<String> {
        moves.into_iter().map(|mv| self.game().move_text(*mv)).collect()
    }

    /// What reads proofs of this game, if a file is one.
    fn proofs(&self, table: &Table) -> Result<&'static dyn Proofs<G>, Error> {
        let none = Error::Kind {
            found: "a proof",
            expected: "a game that packs its positions into keys, as proofs need",
        };
        let proofs = self.named.declared.proofs.ok_or(none)?;
        proofs.is_of(self.named.subject(), table).map(|()| proofs)
    }

    pub(super) fn game(&self) -> &G {
        &self.named.declared.game
    }

    pub(super) fn state(&self) -> &G::State {
        self.line.last().expect("a session is at a position")
    }

    pub(super) fn side(&self, side: Side) -> String {
        self.named.sides[side.index()].to_owned()
    }

    fn legal(&self) -> Vec<G::Move> {
        match self.outcome() {
            Some(_) => Vec::new(),
            None => self.game().moves(self.state()).collect(),
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
            None => self.texts(&self.moves).join(" "),
        }
    }

    fn representative(&self) -> String {
        let declared = &self.named.declared;
        match declared.notation.zip(declared.symmetry) {
            Some((written, image)) => {
                (written.format)(self.game(), &image(self.game(), self.state()))
            }
            None => self.position(),
        }
    }

    fn drawing(&self) -> Drawing {
        self.named.drawing(self.state())
    }

    fn contents(&self) -> Vec<i16> {
        let mut out = Vec::new();
        self.named.contents(self.state(), &mut out);
        out
    }

    fn scene(&self) -> Scene {
        match &self.named.declared.picture {
            Some(picture) => (picture.scene)(self.game(), self.state()),
            None => Scene::of(&self.drawing()),
        }
    }

    fn options(&self) -> Vec<MoveOption> {
        let option = |mv: &G::Move| match &self.named.declared.picture {
            Some(picture) => MoveOption {
                mv: self.game().move_text(*mv),
                clicks: (picture.clicks)(self.game(), self.state(), *mv),
                destination: (picture.destination)(self.game(), self.state(), *mv),
            },
            None => {
                MoveOption { mv: self.game().move_text(*mv), clicks: Vec::new(), destination: None }
            }
        };
        self.legal().iter().map(option).collect()
    }

    fn steps(&self) -> Vec<Scene> {
        let picture = self.named.declared.picture.as_ref();
        match (picture, &self.line[..], self.moves.last()) {
            (Some(picture), [.., before, _], Some(mv)) => (picture.steps)(self.game(), before, *mv),
            _ => Vec::new(),
        }
    }

    fn choose_by_preview(&self) -> bool {
        let picture = self.named.declared.picture.as_ref();
        picture.is_some_and(|picture| (picture.choose_by_preview)(self.game(), self.state()))
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
        makes()?;
        let (declared, root) = (&self.named.declared, self.state());
        let game = &declared.game;
        let proofs = declared.proofs.ok_or(Unproven::Keys)?;
        self.named.filed.is_as_written()?;
        let notation = declared.notation.filter(|_| !self.began_at_start());
        let position = notation.map(|written| (written.format)(game, &self.line[0]));
        let moves = self.texts(&self.moves);
        let contents = ProofManifest { position, moves, claims };
        let control = &self.named.filed.guarded(control);
        let begun = proofs.begin(self.named.subject(), &target.into())?;
        let Some(values) = declared.values else {
            return proofs.prove(game, root, contents, None, begun, control);
        };
        // Half of the memory is for the search, half for the proof. Only the first search reports
        // progress.
        let (bytes, quiet) = (control.memory() / 2, Arc::default());
        let search = control.clone().with_memory(bytes).with_quiet(Arc::clone(&quiet));
        let given = Given { leaf: None, notation: declared.notation, endgame: None };
        let valuer = values.valuer(game, &search, Options::default(), given)?;
        let mut oracle = ByValues { valuer, bytes, quiet };
        proofs.prove(game, root, contents, Some(&mut oracle), begun, control)
    }

    fn check(&self, table: &Table, control: &Control) -> Result<ProofVerdict<String>, Error> {
        // The checker would check a file of another game by that game.
        self.proofs(table)?;
        let on_progress = |done| {
            let phase = "checking the proof";
            control.report(Progress { phase, done, total: None, bounds: None }).is_ok()
        };
        let effort = Effort { memory: control.memory(), ..Effort::default() };
        let (checks, subject) = (&self.named.declared.checks, self.named.subject());
        checks.proof(subject, table, self.state(), effort, &on_progress)
    }

    fn tape(
        &self,
        table: &Table,
        claim: usize,
        twin: Option<&mut Twin>,
        control: &Control,
    ) -> Result<Option<Tape>, Unproven> {
        let proofs = self.proofs(table)?;
        let claims = table.manifest().proof.iter().flat_map(|proof| &proof.claims);
        let Some(claimed) = claims.copied().nth(claim) else { return Ok(None) };
        let order = Order { game: self.game(), twin };
        proofs.tape(order, table, (claim, claimed), &self.line, control)
    }

    fn advice(&self) -> Result<Option<Advice>, Error> {
        let advice = self.solver.advice(self.state())?;
        Ok(advice.map(|advice| advice.map(|mv| self.game().move_text(mv))))
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
        self.texts(&self.legal())
    }

    fn actions(&self) -> Option<Vec<usize>> {
        let (_, number) = self.named.declared.actions?;
        Some(self.legal().into_iter().map(|mv| number(self.game(), mv)).collect())
    }

    fn played(&self) -> Vec<String> {
        self.texts(&self.moves[self.given..])
    }

    fn play(&mut self, text: &str) -> Result<(), Invalid> {
        let legal = self.legal();
        match legal.iter().find(|mv| self.game().move_text(**mv).eq_ignore_ascii_case(text)) {
            Some(mv) => {
                let next = after(self.game(), self.state(), *mv);
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
                            "a legal move{before}, but there is none although the game is not over: \
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

    fn solve(&mut self, request: &Request, control: &Control) -> Report {
        let state = *self.state();
        let control = &self.named.filed.guarded(control);
        let mut analysis = self.solver.analyse(&state, request, control);
        if let Some(why) = self.named.filed.misplayed() {
            analysis.distrust(Halted::Misplayed { why });
        }
        let found = analysis.found.map(result_report);
        let best = analysis.best();
        let endless = found.as_ref().is_some_and(|found| found.endless);
        let game = self.game();
        let last = analysis.line.iter().fold(*self.state(), |state, mv| after(game, &state, *mv));
        Report {
            game: self.named.specification.clone(),
            position: self.position(),
            to_move: self.side(analysis.turn),
            value: found.as_ref().map(|found| found.value),
            unit: self.named.unit.to_owned(),
            result: found.as_ref().and_then(|found| found.result.clone()),
            distance: found.as_ref().and_then(|found| found.distance),
            endless,
            without_end: analysis.endless.0,
            proven: analysis.found.is_some_and(Found::is_proven),
            lookahead: analysis.ahead,
            bounds: analysis.bounds.map(|(Value(low), Value(high))| [low, high]),
            moves: analysis
                .moves
                .iter()
                .map(|(mv, found)| {
                    let all = analysis.chances.iter().flat_map(|chances| &chances.moves);
                    let chance = all.into_iter().find(|each| each.mv == *mv);
                    let tried = chance.filter(|each| each.games > 0 || each.found.is_some());
                    let chance = tried.filter(|_| !found.is_proven()).map(|each| each.chance);
                    MoveReport {
                        mv: self.game().move_text(*mv),
                        result: result_report(*found),
                        chance,
                    }
                })
                .collect(),
            best: self.texts(&best),
            preferred: self.texts(&analysis.preferred()),
            goes_on: !endless && outcome(game, &last).is_none(),
            line: self.texts(&analysis.line),
            method: analysis.method.to_string(),
            positions: analysis.positions,
            nodes: analysis.nodes,
            seconds: analysis.time.as_secs_f64(),
            why: analysis.why,
            source: analysis.found.and(analysis.source).map(|source| source.name().to_owned()),
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
        Ok(MoveChoice {
            mv: self.game().move_text(choice.mv),
            result: choice.found.map(result_report),
            best: choice.best,
        })
    }

    fn map(&self, max: u64, control: &Control) -> Result<Result<Map, u64>, Halted> {
        // Only programs that make files and reports need all positions at once.
        if makes().is_err() {
            return Ok(Err(u64::MAX));
        }
        let drawn = Map::draw(&self.named.declared, self.state(), max, control)?;
        Ok(drawn.map(|(map, _)| map))
    }

    fn tree(&self, request: &TreeRequest, control: &Control) -> TreeReport {
        self.report_tree(request, control)
    }
}

/// Words joined by commas; only the first 40 of a long list.
fn listed(words: &[String]) -> String {
    const MAX: usize = 40;
    match words.len() > MAX {
        true => format!("{}, … ({} in all)", words[..MAX].join(", "), words.len()),
        false => words.join(", "),
    }
}
