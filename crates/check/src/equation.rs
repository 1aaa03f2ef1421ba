//! When an entry of a table is right: by the rules, it follows from the entries of the positions
//! that the moves lead to. Consistent entries are true only under further conditions, which depend
//! on what the table stores:
//!
//! - **distances**: no move may change the value of endless play for the first player, and an
//!   entry without end must have that value. Better and worse values depend on smaller distances,
//!   and all others are equal to that value (`Distances.v`). This is not possible if the game banks
//!   points, because distances are then not determined by numbers.
//! - **values alone**: a measure of progress must rise with every move, because otherwise two false
//!   entries could support each other in a loop (`Progress.v`). A sign cannot be combined with
//!   banked points (`Banked.v`).
//! - **values with ranks**: the rank falls along one move if the value is better than play without
//!   end, and along every move if it is worse, so that play leaves the layer or ends (`Rank.v`).

use std::cmp::Ordering;

use foregone_record::{Listed, Values};
use foregone_rules::{Distance, Game, Side, Value, Worth};

/// The entry of a table for a position.
#[derive(Clone, Copy, Debug)]
pub struct Said {
    /// The worth for the mover, without banked points.
    pub worth: Worth,
    /// The layer of the position.
    pub layer: u32,
    /// The mover's banked points.
    pub banked: i32,
}

/// The entry of a table for a position that a move leads to.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// The entry of the position.
    pub said: Said,
    /// Whether the move raises the measure of progress. Not used if the table has distances or
    /// ranks.
    pub rises: bool,
}

/// The result of checking an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It follows from the others.
    Right,
    /// It is false: this follows from the others.
    Wrong(Worth),
    /// A move leads to a position that has no entry.
    Open,
    /// The game is not over, but there is no move.
    Stuck,
    /// It follows from the others, but that does not prove it, for this reason.
    Unshown(&'static str),
}

const NO_PROGRESS: &str = "it keeps values without distances, and no measure proves that play ends: \
                           a game that may loop needs a table with score+distance or score+rank";
const LAYER_RISES: &str = "a move leads to a higher layer";
const ENDLESS_CHANGES: &str =
    "a move changes the value of endless play, so distances prove nothing";
const GAIN_STAYS: &str = "a move banks points and stays in its layer";

/// Whether a table with these values can be checked at all; `banks` if the game banks points.
///
/// # Errors
/// The reason, if it cannot.
pub fn showable(values: Values, banks: bool) -> Result<(), &'static str> {
    let why = match values {
        Values::Wdl if banks => {
            "the game banks points, and a sign cannot be added to them: the table needs score"
        }
        Values::ScoreDistance if banks => {
            "the game banks points, so a number has no single distance: the table needs score or \
             score+rank"
        }
        _ => return Ok(()),
    };
    Err(why)
}

/// The worth of a position in which a move wins at once (`at_once` in `InPlay.v`): no result is larger, and none comes
/// sooner.
pub fn at_once<G: Game>(game: &G, state: &G::State) -> Option<Worth> {
    let (mover, endless) = (game.turn(state), game.endless(state));
    let wins = |child: &G::State| {
        let value = game.outcome(child)?.value_for(mover);
        let most = value.0 >= game.max_value() && value > endless.value_for(mover);
        (most && game.endless(child) == endless).then(|| Worth::new(value, Distance::Plies(1)))
    };
    game.successors(state).find_map(|(_, child)| wins(&child))
}

/// Whether an entry follows from those that the moves lead to. `endless` is the value of play
/// without end for the mover, without banked points. `look_up` gives the entry of a position,
/// `None` if it has none; it is not asked for positions that a table leaves out, as `listed` says.
///
/// For each position that it accepts, it establishes the hypotheses of the theorems on tables:
/// `checked_over`, `checked_closed` and `checked_best` of `Distances.v` and `Progress.v`, those of
/// `Rank.v`, and those named below; for merged positions they are `checked_entry` and
/// `checked_value` in `Merging.v`, and `checked_score` in `Banked.v`.
///
/// # Errors
/// What `look_up` returns.
#[inline]
pub fn check<G: Game, E>(
    game: &G,
    (values, listed): (Values, Listed),
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
    if listed == Listed::InPlay
        && let Some(right) = at_once(game, state)
    {
        return Ok(compare(right));
    }
    // A dynamic call keeps the loop below small, which is 5 % faster.
    if values == Values::ScoreRank {
        return follows_with_rank(game, state, (here, endless), &mut look_up);
    }
    let mut best: Option<Worth> = None;
    let (mut rise, mut even) = (true, true);
    let seen = game.each_successor(state, |_, child| {
        // Hypothesis `checked_closed`.
        let over = if listed.is_all() { None } else { game.outcome(child) };
        let reached = match over {
            Some(outcome) => {
                let worth = Worth::finished(outcome, game.turn(child));
                Some(Reached { said: Said { worth, layer: 0, banked: 0 }, rises: false })
            }
            None => look_up(child).map_err(Unseen::Error)?,
        };
        let Some(reached) = reached else { return Err(Unseen::Open) };
        let After { worth, rises, .. } = After::new(reached, game.turn(child), mover, here.banked);
        rise &= rises;
        even &= game.endless(child) == game.endless(state);
        best = Some(match best {
            Some(best) if best.key(endless) > worth.key(endless) => best,
            _ => worth,
        });
        Ok(())
    });
    match seen {
        Ok(()) => {}
        Err(Unseen::Open) => return Ok(Found::Open),
        Err(Unseen::Error(error)) => return Err(error),
    }
    // Hypotheses `checked_best` and `checked_most`.
    let Some(best) = best else { return Ok(Found::Stuck) };
    Ok(match compare(values.keep(best, endless)) {
        // Hypothesis `checked_progress`.
        Found::Right if values.need_progress() && !rise => Found::Unshown(NO_PROGRESS),
        // A worth without a distance has the value of endless play (`Worth` in `Game.v`).
        Found::Right if here.worth.is_endless() && here.worth.value() != endless => {
            Found::Wrong(Worth::endless(endless))
        }
        // Hypothesis `checked_even`.
        Found::Right if !values.need_progress() && !even => Found::Unshown(ENDLESS_CHANGES),
        found => found,
    })
}

/// Why the moves of a position were not all seen.
enum Unseen<E> {
    /// One leads to a position without an entry.
    Open,
    /// The table cannot be read.
    Error(E),
}

/// The entry of a position, `None` if it has none.
type LookUp<'a, S, E> = &'a mut dyn FnMut(&S) -> Result<Option<Reached>, E>;

/// Whether an entry of a table with ranks follows from those that its moves lead to: hypotheses
/// `checked_closed`, `checked_most`, `checked_best`, `checked_delay`, `checked_layers` and
/// `checked_gains` of `Rank.v`.
fn follows_with_rank<G: Game, E>(
    game: &G,
    state: &G::State,
    (here, endless): (Said, Value),
    look_up: LookUp<'_, G::State, E>,
) -> Result<Found, E> {
    let mover = game.turn(state);
    let mut ranks: Option<Ranks> = None;
    let mut unshown = None;
    for (_, child) in game.successors(state) {
        // Hypothesis `checked_closed`.
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
    Ok(match (ranks.max == here.worth.value() && ranks.fall(here, endless), unshown) {
        (false, _) => Found::Wrong(ranks.right(endless)),
        (true, Some(why)) => Found::Unshown(why),
        (true, None) => Found::Right,
    })
}

/// The result of a move, for the side that makes it.
#[derive(Clone, Copy)]
struct After {
    /// Its worth, without the points banked before it.
    worth: Worth,
    /// The points that it banks.
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

/// The ranks after the moves of largest value. The rank counts as 0 if a move leaves the layer.
struct Ranks {
    max: Value,
    /// Whether one of the moves leaves the layer or goes to a smaller rank; whether all do.
    one_falls: bool,
    all_fall: bool,
    least: u32,
    largest: u32,
}

impl Ranks {
    fn new(max: Value) -> Ranks {
        Ranks { max, one_falls: false, all_fall: true, least: u32::MAX, largest: 0 }
    }

    fn add(&mut self, value: Value, after: After, here: Said) {
        if value < self.max {
            return;
        }
        if value > self.max {
            *self = Ranks::new(value);
        }
        let before = here.worth.distance().plies().unwrap_or(0);
        let leaves = after.layer < here.layer;
        let rank = if leaves { 0 } else { after.rank };
        self.one_falls |= leaves || rank < before;
        self.all_fall &= leaves || rank < before;
        (self.least, self.largest) = (self.least.min(rank), self.largest.max(rank));
    }

    /// Whether ranks fall as required: the end of hypothesis `checked_best` if the value is better
    /// than endless play, hypothesis `checked_delay` if it is worse. (If it is equal, the rank
    /// is 0, so that each table has only one form.)
    fn fall(&self, here: Said, endless: Value) -> bool {
        match self.max.cmp(&endless) {
            Ordering::Greater => self.one_falls,
            Ordering::Equal => here.worth.distance() == Distance::Plies(0),
            Ordering::Less => self.all_fall,
        }
    }

    /// A right worth, with a sufficient rank.
    fn right(&self, endless: Value) -> Worth {
        let rank = match self.max.cmp(&endless) {
            Ordering::Greater => self.least.saturating_add(1),
            Ordering::Equal => 0,
            Ordering::Less => self.largest.saturating_add(1),
        };
        Worth::new(self.max, Distance::Plies(rank))
    }
}
