//! Checks a game's rules and promises on thousands of positions; every game must pass this test.
//!
//! The positions come from random games with a seed. Each check compares a promise only with the
//! plain rules, so that a wrong promise becomes a failed test and never a wrong answer.
//!
//! ```
//! use foregone_rules::{Conform, games::Mnk};
//!
//! let report =
//! Conform::new(&Mnk::tic_tac_toe()).notation().acyclic().encode().symmetry().finish();
//! println!("{}", report.unwrap());
//! ```

mod actions;
mod acyclic;
mod bands;
mod declared;
mod encode;
mod endless;
mod finer;
mod indexed;
mod notation;
mod picture;
mod search;
mod symmetry;

use std::collections::HashSet;
use std::fmt::{self, Debug, Display};

use crate::game::{Game, Outcome, Side, Value};
use crate::promise::Indexed;
use crate::sample::{Sample, positions};

/// A promise that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The promise: the name of its trait, `Game` for the rules themselves.
    pub promise: &'static str,
    /// The position: the moves from the start, and the state's debug text.
    pub position: String,
    /// What was expected there.
    pub expected: String,
    /// What was found there.
    pub found: String,
}

impl Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { promise, position, expected, found } = self;
        write!(f, "{promise} is broken {position}: expected {expected}, found {found}")
    }
}

impl std::error::Error for Broken {}

/// The promises that were checked and hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many different positions were checked.
    pub positions: usize,
    /// The promises that were checked, `Game` first.
    pub promises: Vec<&'static str>,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} hold on {} positions", self.promises.join(", "), self.positions)
    }
}

/// A check of a game's promises; see the [module](self).
pub struct Conform<'g, G: Game> {
    game: &'g G,
    samples: Vec<Sample<G>>,
    promises: Vec<&'static str>,
    broken: Option<Broken>,
    /// Whether the game may loop: `false` after [`Acyclic`](crate::Acyclic) was checked.
    can_loop: bool,
}

type Check = Result<(), Flaw>;

/// What was expected, and what was found.
type Flaw = (String, String);

/// An error if `found` differs from `expected`; `what` names the expected value.
fn same<T: PartialEq + Debug>(what: &str, expected: T, found: T) -> Check {
    if expected == found {
        return Ok(());
    }
    Err((format!("{what} {expected:?}"), format!("{found:?}")))
}

fn hold(holds: bool, expected: &str, found: impl FnOnce() -> String) -> Check {
    if holds { Ok(()) } else { Err((expected.to_owned(), found())) }
}

impl<'g, G: Game> Conform<'g, G> {
    /// Checks the rules themselves, on the positions of 4000 random plies.
    pub fn new(game: &'g G) -> Conform<'g, G> {
        Conform::sampled(game, 4000, 1)
    }

    /// Checks the rules themselves, on the positions of `plies` random plies from `seed`.
    pub fn sampled(game: &'g G, plies: usize, seed: u64) -> Conform<'g, G> {
        let mut met = HashSet::new();
        let samples = positions(game, plies.max(1), seed);
        let samples = samples.into_iter().filter(|sample| met.insert(sample.state)).collect();
        let conform = Conform { game, samples, promises: Vec::new(), broken: None, can_loop: true };
        let unequal = conform.unequal_loops();
        conform.check("Game", |game, state| {
            rules(game, state)?;
            match unequal.get(state) {
                Some((other, expected)) => {
                    let what = format!("the outcome of endless play at {other:?}, on its loop,");
                    same(&what, *expected, game.endless(state))
                }
                None => Ok(()),
            }
        })
    }

    /// The promises that were checked.
    ///
    /// # Errors
    /// The first promise that does not hold.
    pub fn finish(self) -> Result<Report, Broken> {
        match self.broken {
            None => Ok(Report { positions: self.samples.len(), promises: self.promises }),
            Some(broken) => Err(broken),
        }
    }

    fn check(mut self, promise: &'static str, check: impl Fn(&G, &G::State) -> Check) -> Self {
        if self.broken.is_some() {
            return self;
        }
        self.promises.push(promise);
        for Sample { state, path } in &self.samples {
            if let Err((expected, found)) = check(self.game, state) {
                let path: Vec<_> = path.iter().map(G::Move::to_string).collect();
                let position = match path.len() {
                    0 => format!("at the start, {state:?}"),
                    _ => format!("after {}, {state:?}", path.join(" ")),
                };
                self.broken = Some(Broken { promise, position, expected, found });
                break;
            }
        }
        self
    }
}

/// Whether the sizes of all layers fit in a `u64`.
fn numbered<G: Indexed>(game: &G) -> bool {
    (0..game.layers()).all(|layer| game.size(layer) < u64::MAX)
}

/// The result seen by the side to move; `None` if the game is not over.
fn mover_result<G: Game>(game: &G, state: &G::State) -> Option<i32> {
    game.outcome(state).map(|outcome| outcome.value_for(game.turn(state)).0)
}

/// All moves, each with the position after it; none if the game is over.
fn children<'a, G: Game>(
    game: &'a G,
    state: &'a G::State,
) -> impl Iterator<Item = (G::Move, G::State)> + 'a {
    let over = game.outcome(state).is_some();
    let moves = (!over).then(|| game.moves(state)).into_iter().flatten();
    moves.map(|mv| (mv, game.play(state, mv)))
}

fn in_range(outcome: Outcome, max: i32) -> Check {
    let expected = format!("a result within ±{max}");
    hold((-max..=max).contains(&outcome.0), &expected, || outcome.0.to_string())
}

/// Checks what holds for every game.
fn rules<G: Game>(game: &G, state: &G::State) -> Check {
    if *state == game.start() {
        same("the first player's turn at the start,", Side::First, game.turn(state))?;
    }
    if let Some(outcome) = game.outcome(state) {
        return in_range(outcome, game.max_value().min(Outcome::LIMIT));
    }
    let Outcome(endless) = game.endless(state);
    let max = game.max_value().min(Outcome::LIMIT);
    let expected = format!("an outcome of endless play within ±{max}");
    hold((-max..=max).contains(&endless), &expected, || endless.to_string())?;
    let mut texts = HashSet::new();
    let mut successors = game.successors(state);
    for mv in game.moves(state) {
        let text = game.move_text(mv);
        let word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ',');
        hold(word, "a move to show as one word without commas", || format!("{text:?}"))?;
        let what = format!("{text} to lead each time to");
        same(&what, game.play(state, mv), game.play(state, mv))?;
        let next = successors.next();
        hold(
            next == Some((mv, game.play(state, mv))),
            "successors to be the moves in order",
            || {
                next.map_or("none".to_owned(), |(other, state)| {
                    format!("{other}, {state:?} for {mv}")
                })
            },
        )?;
        hold(texts.insert(text.clone()), "moves with different texts", || format!("{text} twice"))?;
    }
    hold(successors.next().is_none(), "as many successors as moves", || "more".to_owned())?;
    let mut successors = game.successors(state);
    let visited = game.each_successor(state, |mv, next| match successors.next() {
        Some(one) if one == (mv, *next) => Ok(()),
        _ => Err(()),
    });
    let all = visited.is_ok() && successors.next().is_none();
    hold(all, "each successor to be visited in order", || "others".to_owned())?;
    hold(!texts.is_empty(), "a legal move, as the game is not over", || "none".to_owned())
}

/// The value by plain search; `None` if `budget` positions are not enough.
fn plain_value<G: Game>(game: &G, state: &G::State, budget: &mut usize) -> Option<Value> {
    *budget = budget.checked_sub(1)?;
    let mover = game.turn(state);
    if let Some(outcome) = game.outcome(state) {
        return Some(outcome.value_for(mover));
    }
    let mut best: Option<Value> = None;
    for mv in game.moves(state) {
        let child = game.play(state, mv);
        let value = plain_value(game, &child, budget)?.seen_from(game.turn(&child), mover);
        best = best.max(Some(value));
    }
    best
}
