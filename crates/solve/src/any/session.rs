//! A game in progress, behind a text interface.

use std::path::Path;
use std::sync::Arc;

use foregone_check::proofs::ProofVerdict;
use foregone_record::proof::{Claim, ProofManifest};
use foregone_record::{Error, Table};
use foregone_rules::family::Invalid;
use foregone_rules::sample::Dice;
use foregone_rules::{Drawing, Outcome, Scene, Side};

use super::report::{Report, ResultReport, TreeReport, TreeRequest};
use crate::control::{Control, Halted};
use crate::play::Player;
use crate::prove::{Size, Tape, Unproven};
use crate::solver::{Advice, Request};
use crate::strong::Map;
use crate::twin::Twin;

/// A game in progress: a position, the moves so far, and what has been solved so far.
pub trait Session: Send {
    /// The position as text.
    fn position(&self) -> String;

    /// The position that stands for this one and for all its images under the symmetries of the game, as text; the
    /// position itself if the game has no symmetries or no notation.
    fn representative(&self) -> String;

    /// The position as a picture for a terminal.
    fn drawing(&self) -> Drawing;

    /// What stands on the board as numbers, see [`Picture::contents`](foregone_rules::promise::Picture::contents).
    /// Empty if the game has none.
    fn contents(&self) -> Vec<i16>;

    /// The position as shapes and places, for graphical front ends.
    fn scene(&self) -> Scene;

    /// The side to move, also if the game is over.
    fn turn(&self) -> Side;

    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;

    /// The value of endless play from here; see [`foregone_rules::Game::endless`].
    fn endless(&self) -> Outcome;

    /// The legal moves; none if the game is over.
    fn moves(&self) -> Vec<String>;

    /// The numbers of the legal moves, in their order; `None` if the game has no
    /// [`Actions`](foregone_rules::Actions).
    fn actions(&self) -> Option<Vec<usize>>;

    /// The legal moves with the places of the [`scene`](Session::scene) to pick for each.
    fn options(&self) -> Vec<MoveOption>;

    /// The board while the last move was made, one scene after the other, without those before and after it;
    /// none if it was one step.
    fn steps(&self) -> Vec<Scene>;

    /// Whether a front end should show moves as the positions after them.
    fn choose_by_preview(&self) -> bool;

    /// The moves played in this session.
    fn played(&self) -> Vec<String>;

    /// Makes a move.
    ///
    /// # Errors
    /// If it is not legal. The error lists the legal moves.
    fn play(&mut self, text: &str) -> Result<(), Invalid>;

    /// Takes back the last move; `false` if there is none.
    fn undo(&mut self) -> bool;

    /// Uses a table, a book or a proof from now on; see [`Solver::consult`](crate::Solver::consult).
    fn consult(&mut self, table: Arc<Table>);

    /// Writes a proof of these claims, or of the position's value if `claims` is empty. Returns the
    /// manifest with the claims, and the size.
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
    /// If it is damaged, or not a proof of this game.
    fn check(&self, table: &Table, control: &Control) -> Result<ProofVerdict<String>, Error>;

    /// The claim with this index of a proof about the position, as a [`Tape`], in the order of the game's twin if there is
    /// one; `None` if the proof has no entry for a position that can arise.
    ///
    /// # Errors
    /// If it is damaged, or not a proof of this game, or its twin has other rules, or a limit is reached.
    fn tape(
        &self,
        table: &Table,
        claim: usize,
        twin: Option<&mut Twin>,
        control: &Control,
    ) -> Result<Option<Tape>, Unproven>;

    /// What the proof that is [consulted](Session::consult) says of the position; `None` if it does not say anything.
    ///
    /// # Errors
    /// If it is damaged.
    fn advice(&self) -> Result<Option<Advice>, Error>;

    /// Whether the session began at the start of the game.
    fn began_at_start(&self) -> bool;

    /// Goes to another position as [`AnyGame::open`](super::AnyGame::open) does, and keeps what has
    /// been solved. Changes nothing on error.
    ///
    /// # Errors
    /// If a text is not a position, or a move is not legal. The error says what was expected.
    fn go(&mut self, position: Option<&str>, moves: &str) -> Result<(), Invalid>;

    /// Another session at the same position, which shares what has been solved so far.
    fn fork(&self) -> Box<dyn Session>;

    /// The memory of what has been solved, in bytes.
    fn bytes(&self) -> u64;

    /// Solves the position. A halted run reports its partial results; see [`Report::halted`].
    fn solve(&mut self, request: &Request, control: &Control) -> Report;

    /// The move that `player` chooses.
    ///
    /// # Errors
    /// If the player cannot decide within the limits of `control`.
    ///
    /// # Panics
    /// If the game is over.
    fn choose(
        &mut self,
        player: Player,
        dice: &mut Dice,
        control: &Control,
    ) -> Result<MoveChoice, Halted>;

    /// All positions that can arise from here, with what each is worth; `Err` of the number that is expected if they are
    /// more than `max`.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or it is stopped.
    fn map(&self, max: u64, control: &Control) -> Result<Result<Map, u64>, Halted>;

    /// Examines the game tree below the position. A halted run reports the plies it counted; see
    /// [`TreeReport::halted`].
    fn tree(&self, request: &TreeRequest, control: &Control) -> TreeReport;
}

impl dyn Session + '_ {
    /// A session at the position with a number of the [`map`](Session::map) from here.
    pub(crate) fn at(&self, map: &Map, number: usize) -> Box<dyn Session> {
        let mut there = self.fork();
        for place in map.path(number) {
            // Moves are in the order of the rules, as those of the map.
            if there.play(&there.moves()[place]).is_err() {
                break;
            }
        }
        there
    }
}

/// A legal move, as text and on the board; see [`Picture`](foregone_rules::Picture).
#[derive(Clone, Debug)]
pub struct MoveOption {
    /// The move.
    pub mv: String,
    /// The places to pick for it, in any order; empty if the move has to be named.
    pub clicks: Vec<usize>,
    /// The place where it ends, if that is not among `clicks`.
    pub destination: Option<usize>,
}

/// A move chosen by a player, as text.
#[derive(Clone, Debug)]
pub struct MoveChoice {
    /// The move.
    pub mv: String,
    /// The player's result for it; `None` if the player did not search.
    pub result: Option<ResultReport>,
    /// Whether it is proven that no move is better.
    pub best: bool,
}
