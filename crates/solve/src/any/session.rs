//! A game in play, behind text.

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
use crate::prove::{Size, Unproven};
use crate::solver::Request;

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

    /// Goes to another position as [`AnyGame::open`](super::AnyGame::open) does, with what has been solved so far. Where
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
