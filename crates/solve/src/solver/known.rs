//! What files say of positions before anything is searched: a book all of the first moves, a proof what a side gets and
//! by which move. A search goes on from there.

use foregone_record::{Error, Table};
use foregone_rules::{Game, Side, Value};

use super::line::{hardest, line};
use super::{Analysis, Question, Solver, Source};
use crate::control::Halted;
use crate::declared::Declared;
use crate::exact::{ANY_VALUE, Proven, Valuing};
use crate::found::Found;
use crate::moves::{after, finished, outcome};

/// What files say; `None` if they do not say it.
type Looked<T> = Result<Option<T>, Error>;

/// Positions that are looked up to answer one question about a proof, where a side moves several times in a row.
const LOOKS: u32 = 10_000;

/// What a [proof](Solver::consult) says of a position, with the moves as `M`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Advice<M = String> {
    /// The side to move has a move in it.
    Move {
        /// The move.
        mv: M,
        /// The largest number of moves that this side still needs, if it is proven to win; 0 otherwise.
        left: u32,
        /// Whether no move is better.
        best: bool,
    },
    /// The other side has an answer in it to each move.
    Answers,
}

impl<M> Advice<M> {
    /// With the move converted.
    pub(crate) fn map<N>(self, into: impl FnOnce(M) -> N) -> Advice<N> {
        match self {
            Advice::Move { mv, left, best } => Advice::Move { mv: into(mv), left, best },
            Advice::Answers => Advice::Answers,
        }
    }
}

/// The files about a game.
pub(super) struct Known<'a, G: Game> {
    pub declared: &'a Declared<G>,
    /// About the game or its finest variant.
    pub book: Option<&'a Table>,
    pub proof: Option<&'a Table>,
}

impl<G: Game> Clone for Known<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Known<'_, G> {}

impl<G: Game> Known<'_, G> {
    /// What the rules or a book say of a position: `None` if it is not over, and beyond the book.
    fn found(self, state: &G::State) -> Looked<Found> {
        let Declared { game, books, finer, .. } = self.declared;
        if let Some(worth) = finished(game, state) {
            return Ok(Some(match finer {
                Some(_) => Found::Proven(worth),
                None => Found::Value(worth.value()),
            }));
        }
        let Some((book, books)) = self.book.zip(*books) else { return Ok(None) };
        Ok(books.value(game, book, state)?.map(|value| match finer {
            Some(finer) => Found::Proven((finer.worth_by)(game, state, value)),
            None => Found::Value(value),
        }))
    }

    /// All moves of a position with what a book says of them; `None` if one leads beyond the book.
    pub(super) fn moves(self, state: &G::State) -> Looked<Vec<(G::Move, Found)>> {
        let game = &self.declared.game;
        let mut moves = Vec::new();
        for mv in game.moves(state) {
            let child = after(game, state, mv);
            let Some(found) = self.found(&child)? else { return Ok(None) };
            let (next, mover) = (game.turn(&child), game.turn(state));
            moves.push((
                mv,
                match found {
                    Found::Proven(worth) => Found::Proven(worth.backed_up(next, mover)),
                    found => Found::Value(found.value().seen_from(next, mover)),
                },
            ));
        }
        Ok(Some(moves))
    }

    /// Bounds of the value of a position, for the side to move.
    fn bounds(self, state: &G::State) -> Result<(Value, Value), Error> {
        let game = &self.declared.game;
        if let Some(found) = self.found(state)? {
            return Ok((found.value(), found.value()));
        }
        let (mut low, mut high) = ANY_VALUE;
        for (number, side) in self.claims() {
            let mut looks = LOOKS;
            let Some(least) = self.claimed((number, side), state, &mut looks)? else { continue };
            let max = game.max_value();
            (low, high) = (low.max(Value(-max)), high.min(Value(max)));
            match game.turn(state) == side {
                true => low = low.max(least),
                false => high = high.min(Value(-least.0)),
            }
        }
        if low > high {
            return Err(impossible());
        }
        Ok((low, high))
    }

    /// The claims of the proof: their numbers, and for whom they are.
    fn claims(self) -> impl Iterator<Item = (usize, Side)> {
        let proof = self.proof.and_then(|proof| proof.manifest().proof.as_ref());
        let claims = proof.map_or(&[][..], |proof| &proof.claims);
        claims.iter().map(|claim| claim.side()).enumerate()
    }

    /// What the side of a claim gets at least. Where the other side moves, the proof has an answer to each move.
    fn claimed(
        self,
        (number, side): (usize, Side),
        state: &G::State,
        looks: &mut u32,
    ) -> Looked<Value> {
        let Declared { game, proofs, .. } = self.declared;
        if let Some(outcome) = outcome(game, state) {
            return Ok(Some(outcome.value_for(side)));
        }
        let Some((proof, proofs)) = self.proof.zip(*proofs) else { return Ok(None) };
        if game.turn(state) == side {
            return proofs.bound(game, proof, number, state);
        }
        let mut least = None;
        for child in game.moves(state).map(|mv| after(game, state, mv)) {
            let Some(left) = looks.checked_sub(1) else { return Ok(None) };
            *looks = left;
            let Some(value) = self.claimed((number, side), &child, looks)? else { return Ok(None) };
            least = Some(least.map_or(value, |least: Value| least.min(value)));
        }
        Ok(least)
    }

    /// The value of a position, if it is known.
    fn value(self, state: &G::State) -> Looked<Value> {
        let (low, high) = self.bounds(state)?;
        Ok((low == high).then_some(low))
    }

    /// What the proof says of a position; `None` if it does not say anything.
    fn advice(self, state: &G::State) -> Looked<Advice<G::Move>> {
        let Declared { game, proofs, .. } = self.declared;
        let Some((proof, proofs)) = self.proof.zip(*proofs) else { return Ok(None) };
        if outcome(game, state).is_some() {
            return Ok(None);
        }
        let mut advice = None;
        for (number, side) in self.claims() {
            if side != game.turn(state) {
                let answers = self.claimed((number, side), state, &mut { LOOKS })?.is_some();
                advice = advice.or(answers.then_some(Advice::Answers));
            } else if let Some((mv, entry)) = proofs.advice(game, proof, number, state)? {
                let (value, bound) =
                    (self.value(state)?, proofs.bound(game, proof, number, state)?);
                let best = value.is_some() && value == bound;
                return Ok(Some(Advice::Move { mv, left: entry.rank, best }));
            }
        }
        Ok(advice)
    }

    /// The move of a proof, if nothing is better.
    fn best(self, state: &G::State) -> Looked<G::Move> {
        Ok(match self.advice(state)? {
            Some(Advice::Move { mv, best: true, .. }) => Some(mv),
            _ => None,
        })
    }

    /// Which file says the value of a position.
    fn source(self, state: &G::State) -> Looked<Source> {
        Ok(match self.found(state)? {
            Some(_) => Some(Source::Book),
            None => self.value(state)?.map(|_| Source::Proof),
        })
    }
}

fn impossible() -> Error {
    Error::Damaged("a proof of what cannot be".to_owned())
}

fn damaged(error: Error) -> Halted {
    Halted::Damaged { why: error.to_string() }
}

impl<G: Game> Solver<G> {
    /// What files say.
    pub(super) fn known(&self) -> Known<'_, G> {
        let (book, proof) = (self.book.as_deref(), self.proof.as_deref());
        Known { declared: &self.declared, book, proof }
    }

    /// Whether a book has a position and all that its moves lead to, with distances if they are wanted. Also if it
    /// is damaged, so that the analysis says so.
    pub(super) fn is_in_book(&self, state: &G::State, distances: bool) -> bool {
        let (known, declared) = (self.known(), &self.declared);
        let suits = !distances || declared.finer.is_some();
        suits
            && known.book.is_some()
            && outcome(&declared.game, state).is_none()
            && !matches!(known.found(state), Ok(None))
            && !matches!(known.moves(state), Ok(None))
    }

    /// The file that says the value of a position that is not over.
    pub(super) fn source(&self, state: &G::State) -> Looked<Source> {
        match outcome(&self.declared.game, state) {
            Some(_) => Ok(None),
            None => self.known().source(state),
        }
    }

    /// What the proof says of a position.
    ///
    /// # Errors
    /// If it is damaged.
    pub(crate) fn advice(&self, state: &G::State) -> Looked<Advice<G::Move>> {
        self.known().advice(state)
    }

    /// The move of a proof and its value, if nothing is better; `None` where a table, a book or an earlier solution says
    /// more.
    ///
    /// # Errors
    /// If the file is damaged.
    pub(crate) fn proven_move(&self, state: &G::State) -> Result<Option<(G::Move, Value)>, Halted> {
        let known = self.known();
        if self.looks_up(state) || self.is_in_book(state, false) || self.solved(state) {
            return Ok(None);
        }
        let best = known.best(state).and_then(|mv| Ok(mv.zip(known.value(state)?)));
        best.map_err(damaged)
    }

    pub(super) fn analyse_by_book(
        &self,
        Question { declared, state, request, started, .. }: Question<'_, G>,
        analysis: &mut Analysis<G::Move>,
    ) {
        let known = self.known();
        match known.found(state).and_then(|found| Ok((found, known.moves(state)?))) {
            Ok((found, moves)) => {
                (analysis.found, analysis.moves) = (found, moves.unwrap_or_default());
                analysis.nodes = 1 + analysis.moves.len() as u64;
            }
            Err(error) => analysis.halted = Some(damaged(error)),
        }
        let game = &declared.game;
        let moves = &mut |state: &G::State| known.moves(state).ok().flatten();
        analysis.hardest = hardest(game, state, &analysis.moves, moves);
        if request.line {
            // To the end of the book.
            analysis.line = line(game, state, request.seed, true, moves);
        }
        analysis.time = started.elapsed();
    }

    /// What files say of a position about which a search has found nothing in its limits.
    pub(super) fn fall_back(&self, state: &G::State, analysis: &mut Analysis<G::Move>) {
        let known = self.known();
        if let Ok(Some(value)) = known.value(state) {
            analysis.found = Some(Found::Value(value));
            (analysis.bounds, analysis.source) = (None, self.source(state).ok().flatten());
            let best = known.best(state).ok().flatten();
            let new = best.filter(|best| analysis.moves.iter().all(|(mv, _)| mv != best));
            analysis.moves.extend(new.map(|mv| (mv, Found::Value(value))));
        }
    }
}

/// A search that asks files first.
pub(super) struct Knowing<'a, 'v, G: Game> {
    pub known: Option<Known<'a, G>>,
    pub valuer: &'a mut (dyn Valuing<G> + 'v),
}

impl<G: Game> Knowing<'_, '_, G> {
    fn known(&self, state: &G::State) -> Result<(Value, Value), Halted> {
        self.known.map_or(Ok(ANY_VALUE), |known| known.bounds(state).map_err(damaged))
    }
}

impl<G: Game> Valuing<G> for Knowing<'_, '_, G> {
    fn bounds_within(
        &mut self,
        state: &G::State,
        (low, high): (Value, Value),
        guess: Option<Value>,
    ) -> Proven {
        match self.known(state) {
            Ok((least, most)) if least < most && low <= most && high >= least => {
                self.valuer.bounds_within(state, (low.max(least), high.min(most)), guess)
            }
            Ok((least, most)) if least == most => Proven { low: least, high: most, halted: None },
            Ok(_) => Proven { low, high, halted: Some(damaged(impossible())) },
            Err(halted) => Proven { low, high, halted: Some(halted) },
        }
    }

    /// Moves whose values are known come first.
    fn order(&self, state: &G::State, moves: &[G::Move]) -> Vec<usize> {
        let mut order = self.valuer.order(state, moves);
        let best = self.known.and_then(|known| known.best(state).ok().flatten());
        let at = best.and_then(|best| order.iter().position(|at| moves[*at] == best));
        if let Some(at) = at {
            order[..=at].rotate_right(1);
        }
        order
    }

    fn least(&self, state: &G::State) -> Value {
        self.valuer.least(state)
    }

    fn at_least(&mut self, state: &G::State, value: Value) -> Result<bool, Halted> {
        match self.known(state)? {
            (low, _) if low >= value => Ok(true),
            (_, high) if high < value => Ok(false),
            _ => self.valuer.at_least(state, value),
        }
    }

    fn nodes(&self) -> u64 {
        self.valuer.nodes()
    }

    fn work(&self) -> u64 {
        self.valuer.work()
    }

    fn allow(&mut self, work: u64) {
        self.valuer.allow(work);
    }

    fn best(&mut self, state: &G::State) -> Result<Option<G::Move>, Halted> {
        self.known.map_or(Ok(None), |known| known.best(state).map_err(damaged))
    }
}
