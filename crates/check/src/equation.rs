//! When an entry of a table is right: it follows, by the rules, from the entries of the positions that
//! the moves lead to. What must hold besides, so that entries that agree with each other are true,
//! depends on what the table keeps:
//!
//! - **distances**: play without end has to be worth the same to the first player before and after each
//!   move, and an entry without end has to have that value. What is worth more or less rests on smaller
//!   distances, and what is left is worth as much (`Distances.v`). Not where points are banked:
//!   distances then belong to no number.
//! - **values alone**: a measure of progress has to rise with every move, or two false entries could
//!   support each other in a loop (`Progress.v`). A sign alone does not carry banked points
//!   (`Banked.v`).
//! - **values with ranks**: the rank falls along a move that keeps more than play without end is worth,
//!   and along every answer that keeps less, so that play leaves the layer or ends (`Rank.v`).

use std::cmp::Ordering;

use foregone_record::Values;
use foregone_rules::{Distance, Game, Side, Value, Worth};

use crate::verdict::Unshown;

/// What a table says of a position.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// The worth to the mover, beyond what is banked.
    pub worth: Worth,
    /// The layer of the position.
    pub layer: u32,
    /// What the mover has banked.
    pub banked: i32,
}

/// What a table says of a position that a move leads to.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// What it says of the position.
    pub said: Said,
    /// Whether the measure of progress is larger there than before the move. It need not be found out
    /// where distances or ranks are kept.
    pub rises: bool,
}

/// What was found out about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It follows from the others.
    Right,
    /// This follows from the others instead.
    Wrong(Worth),
    /// A move leads to a position that has no entry.
    Open,
    /// The game is not over, and there is no move.
    Stuck,
    /// It follows from the others, but that does not show it to be true, for a reason.
    Unshown(&'static str),
}

const NO_PROGRESS: &str = "it keeps values without distances, and play is not seen to make progress: \
                           a game that may loop needs a table with score+distance or score+rank";
const LAYER_RISES: &str = "a move leads to a higher layer";
const ENDLESS_CHANGES: &str = "a move changes what play without end is worth, and distances show nothing \
                               then";
const GAIN_STAYS: &str = "a move banks points and stays in its layer";

/// Whether what a table keeps can be shown at all of a game that banks points or not.
///
/// # Errors
/// If it cannot, the reason.
pub fn showable<S>(values: Values, banks: bool) -> Result<(), Unshown<S>> {
    let why = match values {
        Values::Wdl if banks => {
            "the game banks points, and a sign alone does not carry them: the table has to keep score"
        }
        Values::ScoreDistance if banks => {
            "the game banks points, so distances belong to no number: the table has to keep score or \
             score+rank"
        }
        _ => return Ok(()),
    };
    Err(Unshown { why, position: None })
}

/// Whether an entry follows from those that the moves lead to, where play without end is worth `endless`
/// to the mover beyond what is banked. `look_up` gives what the table says of a position, `None` if it
/// has no entry.
///
/// It establishes, for each position that it accepts, the hypotheses of the theorems on tables:
/// `checked_over`, `checked_closed` and `checked_best` of `Distances.v` and `Progress.v`, those of `Rank.v`,
/// and what is named below; of positions that are merged they are `checked_entry` and `checked_value` in
/// `Merging.v`, and `checked_score` in `Banked.v`.
///
/// # Errors
/// What `look_up` returns.
#[inline]
pub fn check<G: Game, E>(
    game: &G,
    values: Values,
    state: &G::State,
    here: Said,
    endless: Value,
    mut look_up: impl FnMut(&G::State) -> Result<Option<Reached>, E>,
) -> Result<Found, E> {
    let mover = game.turn(state);
    let compare = |right: Worth| match right == here.worth {
        true => Found::Right,
        false => Found::Wrong(right),
    };
    // Hypothesis `checked_over`.
    if let Some(outcome) = game.outcome(state) {
        let Value(value) = outcome.value_for(mover);
        let end = Worth::new(Value(value - here.banked), Distance::Plies(0));
        return Ok(compare(values.keep(end, endless)));
    }
    // A call through a table of functions keeps the loop below small, which is 5 % faster.
    if values == Values::ScoreRank {
        return follows_with_rank(game, state, (here, endless), &mut look_up);
    }
    let mut best: Option<Worth> = None;
    let (mut rise, mut even) = (true, true);
    for mv in game.moves(state) {
        // Hypothesis `checked_closed`.
        let child = game.play(state, mv);
        let Some(reached) = look_up(&child)? else { return Ok(Found::Open) };
        let After { worth, rises, .. } = After::new(reached, game.turn(&child), mover, here.banked);
        rise &= rises;
        even &= game.endless(&child) == game.endless(state);
        best = Some(match best {
            Some(best) if best.key(endless) > worth.key(endless) => best,
            _ => worth,
        });
    }
    // Hypotheses `checked_best` and `checked_most`.
    let Some(best) = best else { return Ok(Found::Stuck) };
    Ok(match compare(values.keep(best, endless)) {
        // Hypothesis `checked_progress`.
        Found::Right if values.need_progress() && !rise => Found::Unshown(NO_PROGRESS),
        // A worth without a distance is what play without end is worth (`Worth` in `Game.v`).
        Found::Right if here.worth.is_endless() && here.worth.value() != endless => {
            Found::Wrong(Worth::endless(endless))
        }
        // Hypothesis `checked_even`.
        Found::Right if !values.need_progress() && !even => Found::Unshown(ENDLESS_CHANGES),
        found => found,
    })
}

/// What a table says of a position, `None` if it has no entry.
type LookUp<'a, S, E> = &'a mut dyn FnMut(&S) -> Result<Option<Reached>, E>;

/// Whether an entry of a table with ranks follows from what its moves lead to: hypotheses
/// `checked_closed`, `checked_most`, `checked_best`, `checked_delay`, `checked_layers` and `checked_gains`
/// of `Rank.v`.
fn follows_with_rank<G: Game, E>(
    game: &G,
    state: &G::State,
    (here, endless): (Said, Value),
    look_up: LookUp<'_, G::State, E>,
) -> Result<Found, E> {
    let mover = game.turn(state);
    let mut ranks: Option<Ranks> = None;
    let mut unshown = None;
    for mv in game.moves(state) {
        // Hypothesis `checked_closed`.
        let child = game.play(state, mv);
        let Some(reached) = look_up(&child)? else { return Ok(Found::Open) };
        let after = After::new(reached, game.turn(&child), mover, here.banked);
        // Hypotheses `checked_layers` and `checked_gains`.
        if after.layer > here.layer {
            unshown = Some(LAYER_RISES);
        } else if after.gain != 0 && after.layer == here.layer {
            unshown = Some(GAIN_STAYS);
        }
        let value = after.worth.value();
        ranks.get_or_insert(Ranks::new(value)).add(value, after, here);
    }
    // Hypotheses `checked_best` and `checked_most`.
    let Some(ranks) = ranks else { return Ok(Found::Stuck) };
    Ok(match (ranks.most == here.worth.value() && ranks.fall(here, endless), unshown) {
        (false, _) => Found::Wrong(ranks.right(endless)),
        (true, Some(why)) => Found::Unshown(why),
        (true, None) => Found::Right,
    })
}

/// What comes of a move, seen by who makes it.
#[derive(Clone, Copy)]
struct After {
    /// What it is worth beyond what was banked before.
    worth: Worth,
    /// What it banks.
    gain: i32,
    /// The layer and the rank of the position that it leads to.
    layer: u32,
    rank: u32,
    /// Whether the measure of progress rises.
    rises: bool,
}

impl After {
    #[inline]
    fn new(reached: Reached, next: Side, mover: Side, banked: i32) -> After {
        let Reached { said: Said { worth, layer, banked: there }, rises } = reached;
        let rank = worth.distance().plies().unwrap_or(0);
        let Value(gain) = Value(there).seen_from(next, mover);
        let gain = gain - banked;
        let worth = worth.backed_up(next, mover);
        let worth = match gain {
            0 => worth,
            _ => Worth::new(Value(worth.value().0 + gain), worth.distance()),
        };
        After { worth, gain, layer, rank, rises }
    }
}

/// What was seen of the ranks after the moves that are worth the most. The rank counts as 0 where a
/// move leaves the layer.
struct Ranks {
    most: Value,
    /// Whether one of the moves leaves the layer or goes to a smaller rank; whether all do.
    one_falls: bool,
    all_fall: bool,
    least: u32,
    largest: u32,
}

impl Ranks {
    fn new(most: Value) -> Ranks {
        Ranks { most, one_falls: false, all_fall: true, least: u32::MAX, largest: 0 }
    }

    fn add(&mut self, value: Value, after: After, here: Said) {
        if value < self.most {
            return;
        }
        if value > self.most {
            *self = Ranks::new(value);
        }
        let before = here.worth.distance().plies().unwrap_or(0);
        let leaves = after.layer < here.layer;
        let rank = if leaves { 0 } else { after.rank };
        self.one_falls |= leaves || rank < before;
        self.all_fall &= leaves || rank < before;
        (self.least, self.largest) = (self.least.min(rank), self.largest.max(rank));
    }

    /// Whether ranks fall as they have to: the end of hypothesis `checked_best` where the value is above
    /// that of play without end, hypothesis `checked_delay` where it is below. (If it is the same, the
    /// rank is 0: there is one way to write a table.)
    fn fall(&self, here: Said, endless: Value) -> bool {
        match self.most.cmp(&endless) {
            Ordering::Greater => self.one_falls,
            Ordering::Equal => here.worth.distance() == Distance::Plies(0),
            Ordering::Less => self.all_fall,
        }
    }

    /// The worth, with a rank that would do.
    fn right(&self, endless: Value) -> Worth {
        let rank = match self.most.cmp(&endless) {
            Ordering::Greater => self.least.saturating_add(1),
            Ordering::Equal => 0,
            Ordering::Less => self.largest.saturating_add(1),
        };
        Worth::new(self.most, Distance::Plies(rank))
    }
}
