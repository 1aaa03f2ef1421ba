//! Random games from a position to the end.

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome, Side, Value, Written};

use super::guide::Guide;
use super::sign;
use crate::chance::LONGEST;
use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::moves;
use crate::search::Opinion;
use std::marker::PhantomData;

/// The greatest length if the game has an evaluation, which then decides.
const SHORT: usize = 24;

/// In one of so many moves, all moves are equally likely; in the others, the move whose kind has done best is made.
const ANY: usize = 3;

/// How a kind of moves has done.
#[derive(Clone, Copy, Default)]
struct Record {
    /// Wins minus losses of its mover.
    wins: f32,
    games: f32,
}

/// Random games, and what is learned from them.
pub(super) struct Playouts<'g, G: Game, H> {
    game: &'g G,
    control: &'g Control,
    pace: Pace,
    opinion: Option<Opinion<G>>,
    notation: Option<Written<G>>,
    /// The number of games.
    pub games: u64,
    /// By the kind of a move, for either side.
    learned: [Vec<Record>; 2],
    list: Vec<(i32, G::Move)>,
    /// The kinds of the moves of the game, and who made them.
    played: Vec<(Side, usize)>,
    guide: PhantomData<H>,
}

impl<'g, G: Game, H: Guide<G>> Playouts<'g, G, H> {
    pub fn new(declared: &'g Declared<G>, control: &'g Control) -> Self {
        let Declared { game, opinion, notation, .. } = declared;
        let (opinion, notation, pace) = (*opinion, *notation, Pace::new());
        let records = || vec![Record::default(); H::kinds(game)];
        let learned = [records(), records()];
        let (list, played) = (Vec::new(), Vec::new());
        let guide = PhantomData;
        Playouts { game, control, pace, games: 0, opinion, notation, learned, list, played, guide }
    }

    /// Notes a move that leads to where a random game begins.
    pub fn note(&mut self, side: Side, state: &G::State, mv: G::Move) {
        if !self.learned[0].is_empty() {
            self.played.push((side, H::kind(self.game, state, mv)));
        }
    }

    /// The outcome of a random game, from which the kinds of its moves learn.
    ///
    /// # Errors
    /// If a limit of the control is reached, or the game breaks its rules.
    pub fn play(&mut self, state: &G::State, dice: &mut Dice) -> Result<Outcome, Halted> {
        let outcome = self.random_game(*state, dice)?;
        self.learn(outcome);
        Ok(outcome)
    }

    /// Takes an outcome into account for the moves that were noted.
    pub fn learn(&mut self, outcome: Outcome) {
        let wins = sign(outcome) as f32;
        for (side, kind) in self.played.drain(..) {
            let record = &mut self.learned[side.index()][kind];
            record.games += 1.0;
            record.wins += if side == Side::First { wins } else { -wins };
        }
    }

    fn random_game(&mut self, mut here: G::State, dice: &mut Dice) -> Result<Outcome, Halted> {
        let game = self.game;
        for ply in 0..LONGEST {
            if let Some(outcome) = game.outcome(&here) {
                return Ok(outcome);
            }
            if let Some(opinion) = self.opinion.filter(|_| ply >= SHORT) {
                return Ok(opinion(game, &here));
            }
            let turn = game.turn(&here);
            self.list.clear();
            let (low, high) = H::bounds_and_moves(game, &here, &mut self.list);
            if low >= high {
                return Ok(low.outcome_for(turn));
            }
            if self.list.is_empty() {
                return Err(moves::none(game, &here, self.notation));
            }
            self.check(self.list.len() as u64)?;
            let mv = self.pick(turn, &here, dice);
            self.note(turn, &here, mv);
            here = game.play(&here, mv);
        }
        Ok(game.endless(&here))
    }

    /// Looks at the limits from time to time: after so many more moves.
    ///
    /// # Errors
    /// If one is reached.
    pub fn check(&mut self, more: u64) -> Result<(), Halted> {
        if !self.pace.is_up(more) {
            return Ok(());
        }
        let (phase, done) = ("playing random games", self.games);
        self.control.report(Progress { phase, done, total: None, bounds: None })
    }

    /// A move of the list.
    fn pick(&self, turn: Side, here: &G::State, dice: &mut Dice) -> G::Move {
        let records = &self.learned[turn.index()];
        let any = dice.below(self.list.len());
        if records.is_empty() || dice.below(ANY) == 0 {
            return self.list[any].1;
        }
        // From a random place on, so that among equals each is as likely.
        let (early, late) = self.list.split_at(any);
        let mut best = (f32::NEG_INFINITY, self.list[any].1);
        for (_, mv) in late.iter().chain(early) {
            let Record { wins, games } = records[H::kind(self.game, here, *mv)];
            let mean = wins / (games + 1.0);
            if mean > best.0 {
                best = (mean, *mv);
            }
        }
        best.1
    }
}

/// A value as the first player sees it.
pub(super) fn outcome_bounds((low, high): (Value, Value), turn: Side) -> (i32, i32) {
    match turn {
        Side::First => (low.0, high.0),
        Side::Second => (-high.0, -low.0),
    }
}
