//! The values of a position and of its moves: one question after another, until the bounds meet.

use foregone_rules::sort::by_rank;
use foregone_rules::{Candidates, Game, Outcome, Value};

use super::questions::Questions;
use super::{BOUNDS_FIRST, Exact, Hints, NEVER, WORTH_GUESSING};
use crate::control::Halted;
use crate::moves::gather;

/// How far a search for a value has come.
#[derive(Clone)]
pub(super) struct Asked<S> {
    pub state: S,
    /// The proven bounds.
    pub low: Value,
    pub high: Value,
    pub questions: Questions,
    /// The numbers of positions at which it gets an endgame table and a guess; [`NEVER`] if it has it or needs none.
    pub layers_at: u64,
    pub guess_at: u64,
}

/// Proven bounds of a position's value; both are the value, unless the search was halted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proven {
    /// The value is at least this.
    pub low: Value,
    /// The value is at most this.
    pub high: Value,
    /// Why the bounds differ; `None` if they are equal.
    pub halted: Option<Halted>,
}

impl Proven {
    fn value(self) -> Result<Value, Halted> {
        self.halted.map_or(Ok(self.low), Err)
    }
}

impl<G: Game, H: Hints<G>> Exact<'_, G, H> {
    /// The value of a position.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn value(&mut self, state: &G::State) -> Result<Value, Halted> {
        self.bounds(state).value()
    }

    /// A lower bound on the value of a position for both sides, without any search.
    pub fn least(&self, state: &G::State) -> Value {
        let hint = H::quick_bounds(self.game, state);
        let foreseen = H::bounds(self.game, state);
        let (low, high) = (hint.0.max(foreseen.0), hint.1.min(foreseen.1));
        low.min(Value(-high.0))
    }

    /// The tightest bounds of a position's value within the limits.
    pub fn bounds(&mut self, state: &G::State) -> Proven {
        self.bounds_within(state, ANY_VALUE, None)
    }

    /// Like [`bounds`](Exact::bounds), given known bounds and perhaps a guess of the value.
    pub(crate) fn bounds_within(
        &mut self,
        state: &G::State,
        known: (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        if let Some(outcome) = self.game.outcome(state) {
            let value = outcome.value_for(self.game.turn(state));
            return Proven { low: value, high: value, halted: None };
        }
        let (low, high) = H::bounds(self.game, state);
        let (low, high) = (low.max(known.0), high.min(known.1));
        // Within a time limit, bounds are wanted before the table, which may take all of the time.
        let (layers_after, guess_after) =
            if self.control.has_time_limit() { (BOUNDS_FIRST, 1) } else { (1, WORTH_GUESSING) };
        let asked = self.asked.take().filter(|asked| asked.state == *state);
        let mut asked = asked.unwrap_or_else(|| Asked {
            state: *state,
            low,
            high,
            questions: Questions::from(guess),
            layers_at: self.nodes + layers_after * self.long,
            guess_at: self.nodes + guess_after * self.long,
        });
        // The bounds are of this call: others may have proven more meanwhile.
        (asked.low, asked.high) = (asked.low.max(low), asked.high.min(high));
        if self.by_proof {
            (asked.layers_at, asked.guess_at) = (NEVER, NEVER);
        }
        let mut halted = self.resume(&mut asked).err();
        let begun = self.nodes;
        while asked.low < asked.high && halted.is_none() {
            halted = self.ask_once(&mut asked).err();
        }
        if self.nodes > begun && (halted.is_some() || self.saves(state)) {
            halted = self.save().err().or(halted);
        }
        let proven = Proven { low: asked.low, high: asked.high, halted };
        if proven.halted.is_some() {
            self.asked = Some(asked);
        }
        proven
    }

    /// Asks the next question, or does what is due before.
    fn ask_once(&mut self, asked: &mut Asked<G::State>) -> Result<(), Halted> {
        let question = asked.questions.next(asked.low.0, asked.high.0);
        let pause =
            asked.layers_at.min(asked.guess_at).min(self.more_layers_at).min(self.look_at());
        match self.ask(&asked.state, question, Some((asked.low, asked.high)), pause)? {
            Some(answer) => {
                match answer >= question {
                    true => asked.low = Value(answer).min(asked.high),
                    false => asked.high = Value(answer).max(asked.low),
                }
                let has_bounds = asked.questions.answered(answer >= question);
                if has_bounds && asked.layers_at < NEVER {
                    asked.layers_at = self.nodes;
                }
            }
            None => {
                if self.nodes >= asked.layers_at.min(self.more_layers_at) {
                    self.add_layers(&asked.state)?;
                    asked.layers_at = NEVER;
                }
                if self.nodes >= asked.guess_at {
                    asked.guess_at = NEVER;
                    let afar = self.control.has_time_limit();
                    match self.guess(&asked.state) {
                        Some(guess) if afar => {
                            asked.questions = Questions::from_afar(guess, asked.low, asked.high);
                        }
                        Some(guess) => asked.questions = Questions::from(Some(guess)),
                        None if afar => asked.layers_at = self.nodes,
                        None => {}
                    }
                }
            }
        }
        self.note(asked);
        self.save_if_due()
    }

    /// Whether the value of a position is at least `value`: one question instead of several.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        self.save_if_due()?;
        match self.game.outcome(state) {
            Some(outcome) => Ok(outcome.value_for(self.game.turn(state)) >= value),
            None => {
                let mut long = if self.by_proof { NEVER } else { self.nodes + self.long };
                loop {
                    let layers_at = long.min(self.more_layers_at);
                    let answer = self.ask(state, value.0, None, layers_at.min(self.look_at()))?;
                    if let Some(answer) = answer {
                        return Ok(answer >= value.0);
                    }
                    if self.nodes >= layers_at {
                        self.add_layers(state)?;
                        long = if self.nodes >= long { NEVER } else { long };
                    }
                    self.save_if_due()?;
                }
            }
        }
    }

    /// The value of a move for the side that makes it, given that it is at most `max`, for example
    /// the value of the position.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn move_value(
        &mut self,
        state: &G::State,
        mv: G::Move,
        max: Value,
    ) -> Result<Value, Halted> {
        let game = self.game;
        move_value(game, state, mv, max, |child, known| self.bounds_within(child, known, None))
    }

    /// The values of all moves, in the order of the game, for the side that makes them.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or a line of play is too long.
    pub fn moves(&mut self, state: &G::State) -> Result<Vec<(G::Move, Value)>, Halted> {
        if self.game.outcome(state).is_some() {
            return Ok(Vec::new());
        }
        let max = self.value(state)?;
        let (game, mut moves, mut values) = (self.game, Vec::new(), Vec::new());
        gather(game, state, &mut moves, self.control, self.nodes)?;
        let order = self.order(state, &moves);
        let tell = |_, _| {};
        move_values(
            game,
            state,
            (&moves, &order),
            max,
            &mut values,
            tell,
            |child, known, guess| self.bounds_within(child, known, guess),
        )?;
        Ok(values)
    }

    /// The places of moves, the most promising first.
    pub(crate) fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        // With very many moves, the order matters less than the time to find it.
        const MAX: usize = 1 << 10;
        let mut listed = Vec::new();
        H::bounds_and_moves(self.game, state, &mut Candidates::at_most(&mut listed, MAX));
        let promise = |mv: &G::Move| {
            let listed = listed.iter().find(|(_, each)| each == mv);
            listed.map(|(promise, _)| i64::from(*promise + H::priority(self.game, state, *mv)))
        };
        let mut order: Vec<usize> = (0..moves.len()).collect();
        // Moves that the game leaves out are the worst.
        by_rank(&mut order, &|at| promise(&moves[*at]).map_or(i64::MAX, |promise| -promise));
        order
    }
}

/// Bounds that hold for every value.
pub(crate) const ANY_VALUE: (Value, Value) = (Value(-Outcome::LIMIT), Value(Outcome::LIMIT));

/// The value of a move that is at most `max`; `bounds` finds bounds of a position, given known
/// ones.
fn move_value<G: Game>(
    game: &G,
    state: &G::State,
    mv: G::Move,
    max: Value,
    bounds: impl FnOnce(&G::State, (Value, Value)) -> Proven,
) -> Result<Value, Halted> {
    let child = game.play(state, mv);
    let (mover, next) = (game.turn(state), game.turn(&child));
    let max = max.seen_from(mover, next);
    let known = match next == mover {
        true => (ANY_VALUE.0, max),
        false => (max, ANY_VALUE.1),
    };
    Ok(bounds(&child, known).value()?.seen_from(next, mover))
}

/// The values of moves that are worth at most `max`, in the order of the moves: if the search is halted, those
/// that are known. They are searched in another order, the most promising first; the first question about each is
/// whether it is as good as the one before. `on_value` receives each value as soon as it is known.
pub(crate) fn move_values<G: Game>(
    game: &G,
    state: &G::State,
    (moves, order): (&[G::Move], &[usize]),
    max: Value,
    values: &mut Vec<(G::Move, Value)>,
    mut on_value: impl FnMut(G::Move, Value),
    mut bounds: impl FnMut(&G::State, (Value, Value), Option<Value>) -> Proven,
) -> Result<(), Halted> {
    let mut found = vec![None; moves.len()];
    let mut guess = max;
    let mut halted = Ok(());
    for at in order {
        let mover = game.turn(state);
        let value = move_value(game, state, moves[*at], max, |child, known| {
            // Is the move at least as good as the one before?
            let next = game.turn(child);
            let Value(question) = guess.seen_from(mover, next);
            bounds(child, known, Some(Value(question + i32::from(next != mover))))
        });
        match value {
            Ok(value) => {
                guess = value;
                found[*at] = Some(value);
                on_value(moves[*at], value);
            }
            Err(reason) => {
                halted = Err(reason);
                break;
            }
        }
    }
    values.extend(moves.iter().zip(found).filter_map(|(mv, value)| Some((*mv, value?))));
    halted
}
