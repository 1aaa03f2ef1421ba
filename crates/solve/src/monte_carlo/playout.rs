//! Random games from a position to the end.

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Outcome, Side, Written};

use super::guide::Guide;
use super::sign;
use crate::chance::LONGEST;
use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::moves;
use crate::search::Opinion;

/// The greatest length if the game has an evaluation, which then decides.
const SHORT: usize = 24;

/// One move in this many is made at random; the others by the kind that has done best.
const ANY: usize = 3;

/// Moves to look at whatever the time, so that a machine with other work has an estimate as well: some milliseconds.
const LEAST: u64 = 1 << 14;

/// How a kind of moves has done.
#[derive(Clone, Copy, Default)]
struct Record {
    /// Wins minus losses of its mover.
    wins: f32,
    games: f32,
}

/// Random games, and what is learned from them.
pub(super) struct Playouts<'g, G: Game> {
    game: &'g G,
    guide: Guide<G>,
    control: &'g Control,
    pace: Pace,
    opinion: Option<Opinion<G>>,
    notation: Option<Written<G>>,
    /// The number of games.
    pub games: u64,
    /// The number of moves that were looked at.
    looked: u64,
    /// By the kind of a move, for either side.
    learned: [Vec<Record>; 2],
    /// The moves of a position, with their kinds.
    list: Vec<(i32, G::Move)>,
    /// The kinds of the moves of the game, and who made them.
    played: Vec<(Side, usize)>,
}

impl<'g, G: Game> Playouts<'g, G> {
    pub fn new(declared: &'g Declared<G>, guide: Guide<G>, control: &'g Control) -> Self {
        let records = || vec![Record::default(); (guide.kinds)(&declared.game)];
        Playouts {
            game: &declared.game,
            guide,
            control,
            pace: Pace::new(),
            opinion: declared.opinion,
            notation: declared.notation,
            games: 0,
            looked: 0,
            learned: [records(), records()],
            list: Vec::new(),
            played: Vec::new(),
        }
    }

    /// Notes a move that leads to where a random game begins.
    pub fn note(&mut self, side: Side, state: &G::State, mv: G::Move) {
        if !self.learned[0].is_empty() {
            self.played.push((side, (self.guide.kind)(self.game, state, mv)));
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
            let (low, high) = (self.guide.by_kind)(game, &here, &mut self.list);
            if low >= high {
                return Ok(low.outcome_for(turn));
            }
            if self.list.is_empty() {
                return Err(moves::none(game, &here, self.notation));
            }
            self.check(self.list.len() as u64)?;
            let (kind, mv) = self.pick(turn, dice);
            if !self.learned[0].is_empty() {
                self.played.push((turn, kind as usize));
            }
            here = game.play(&here, mv);
        }
        Ok(game.endless(&here))
    }

    /// Looks at the limits from time to time; `more` moves were made since the last call.
    ///
    /// # Errors
    /// If one is reached.
    pub fn check(&mut self, more: u64) -> Result<(), Halted> {
        self.looked += more;
        if !self.pace.is_up(more) {
            return Ok(());
        }
        let (phase, done) = ("playing random games", self.games);
        match self.control.report(Progress { phase, done, total: None, bounds: None }) {
            Err(Halted::Time { .. }) if self.looked <= LEAST => Ok(()),
            reported => reported,
        }
    }

    /// A move of the list, with its kind.
    fn pick(&self, turn: Side, dice: &mut Dice) -> (i32, G::Move) {
        let records = &self.learned[turn.index()];
        let any = dice.below(self.list.len());
        if records.is_empty() || dice.below(ANY) == 0 {
            return self.list[any];
        }
        // From a random place on, so that among equals each is as likely.
        let (early, late) = self.list.split_at(any);
        let mut best = (f32::NEG_INFINITY, self.list[any]);
        for chosen in late.iter().chain(early) {
            let Record { wins, games } = records[chosen.0 as usize];
            let mean = wins / (games + 1.0);
            if mean > best.0 {
                best = (mean, *chosen);
            }
        }
        best.1
    }
}
