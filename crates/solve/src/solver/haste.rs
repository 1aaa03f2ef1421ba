//! Among moves that keep the value, those that win soonest or lose latest: "does the winner get there within n plies?"
//! for growing n (iterative deepening, D. Slate and L. Atkin 1977). The value is known, so each question is one of yes or
//! no, and a few plies are seen at once even where the whole distance would take minutes.

use foregone_rules::{Game, Side, Value};

use crate::control::{Control, Halted, Pace, Progress};
use crate::declared::Declared;
use crate::exact::Known;
use crate::moves::{after, gather};
use crate::remembered::Remembered;

/// Positions and moves that are looked at once for the moves of a position: a tenth of a second.
pub(crate) const ONCE: u64 = 1 << 20;

/// The bytes for what is remembered of them.
const BYTES: u64 = 32 << 20;

/// More plies than are ever seen.
const FAR: i32 = 200;

/// A search for short wins.
pub(crate) struct Haste<'s, G: Game> {
    declared: &'s Declared<G>,
    control: &'s Control,
    /// The side that gets more than by endless play, and at least how much.
    winner: Side,
    value: Value,
    /// For positions in which the winner moves, and for the others: bounds of the plies that are enough.
    seen: [Remembered<G::State, Known>; 2],
    /// The number of positions and moves that may still be looked at.
    left: u64,
    nodes: u64,
    pace: Pace,
}

impl<'s, G: Game> Haste<'s, G> {
    /// A search within the limits of `control`.
    pub fn new(declared: &'s Declared<G>, control: &'s Control) -> Haste<'s, G> {
        let seen = [(); 2].map(|()| Remembered::new(BYTES / 2));
        let (winner, value) = (Side::First, Value(0));
        Haste { declared, control, winner, value, seen, left: 0, nodes: 0, pace: Pace::new() }
    }

    /// Restricts moves that keep the value of a position to those that win soonest or lose latest, as far as `work`, a
    /// number of positions and moves, shows; leaves them all if the value is that of endless play.
    ///
    /// # Errors
    /// If it is stopped, or the game breaks its rules.
    pub fn restrict(
        &mut self,
        state: &G::State,
        value: Value,
        moves: &mut Vec<G::Move>,
        work: u64,
    ) -> Result<(), Halted> {
        let game = &self.declared.game;
        let mover = game.turn(state);
        let endless = game.endless(state).value_for(mover);
        if value == endless || moves.len() < 2 {
            return Ok(());
        }
        let wins = value > endless;
        let winner = if wins { mover } else { mover.other() };
        self.follow(winner, value.seen_from(mover, winner));
        self.left = work;
        for plies in 0..self.longest(state) {
            let mut soon = Vec::new();
            for &mv in &*moves {
                match self.within(&after(game, state, mv), plies) {
                    Ok(true) => soon.push(mv),
                    Ok(false) => {}
                    Err(
                        halted @ (Halted::Stopped { .. }
                        | Halted::NoMoves { .. }
                        | Halted::Misplayed { .. }),
                    ) => return Err(halted),
                    // As far as was seen.
                    Err(_) => return Ok(()),
                }
            }
            match wins {
                true if !soon.is_empty() => *moves = soon,
                false if soon.len() < moves.len() => moves.retain(|mv| !soon.contains(mv)),
                true => continue,
                // All of them lose at the same time.
                false => return Ok(()),
            }
            if wins || moves.len() == 1 {
                return Ok(());
            }
        }
        Ok(())
    }

    /// From now on this side gets at least this.
    fn follow(&mut self, winner: Side, value: Value) {
        if (winner, value) != (self.winner, self.value) {
            self.seen.iter_mut().for_each(Remembered::clear);
            (self.winner, self.value) = (winner, value);
        }
    }

    /// The most plies that play from here can take.
    fn longest(&self, state: &G::State) -> i32 {
        let left = self.declared.plies_left.and_then(|left| left(&self.declared.game, state));
        left.map_or(FAR, |plies| plies.min(FAR as u32) as i32)
    }

    /// Whether the winner gets there within so many plies.
    fn within(&mut self, state: &G::State, plies: i32) -> Result<bool, Halted> {
        let game = &self.declared.game;
        if let Some(outcome) = game.outcome(state) {
            return Ok(outcome.value_for(self.winner) >= self.value);
        }
        if plies == 0 {
            return Ok(false);
        }
        let moves = game.turn(state) == self.winner;
        let key = self.declared.symmetry.map_or(*state, |like| like(game, state));
        let (least, most) = match self.seen[usize::from(moves)].find(&key) {
            Some(Known::Within(bounds)) => *bounds,
            _ => (0, i32::MAX),
        };
        if plies >= most || plies < least {
            return Ok(plies >= most);
        }
        self.nodes += 1;
        if self.pace.is_up(1) {
            let (phase, done) = ("looking for short wins", self.nodes);
            self.control.report(Progress { phase, done, total: None, bounds: None })?;
        }
        let mut list = Vec::new();
        gather(game, state, &mut list, self.control, self.nodes)?;
        let work = 1 + list.len() as u64;
        self.left = self.left.checked_sub(work).ok_or(Halted::Positions { limit: self.nodes })?;
        let mut found = !moves;
        for mv in list {
            if self.within(&after(game, state, mv), plies - 1)? == moves {
                found = moves;
                break;
            }
        }
        let known = if found { (least, plies) } else { (plies + 1, most) };
        self.seen[usize::from(moves)].keep(key, Known::Within(known));
        Ok(found)
    }
}
