//! The one trait that a game must implement, and the types of its results.
//!
//! Two kinds of result have different types, because mixing them up is the classic error of game
//! solvers: an [`Outcome`] is absolute (always the first player's view), a [`Value`] is relative
//! (the view of the side to move). `value_for` and `outcome_for` convert between them. A [`Worth`]
//! is a value together with the distance to the end. Only [`Value::seen_from`] passes a result from
//! a position back to its predecessor.

use std::fmt::{self, Debug, Display};
use std::hash::Hash;

/// One of the two players. `First` is the player who moves first from the usual start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The player who makes the first move of the game.
    First,
    /// The other player.
    Second,
}

impl Side {
    /// Both sides, in the order of their [`index`](Side::index).
    pub const BOTH: [Side; 2] = [Side::First, Side::Second];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::First => Side::Second,
            Side::Second => Side::First,
        }
    }

    /// 0 for the first player, 1 for the second.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The result of a finished game, seen by the first player: positive if the first player won,
/// negative if the second player won, 0 for a draw.
///
/// Each game has its own unit (a plain win is 1, Kalah counts stones, quantum tic-tac-toe counts
/// half-points). The magnitude is at most [`Outcome::LIMIT`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Outcome(pub i32);

impl Outcome {
    /// A game that ends without a winner.
    pub const DRAW: Outcome = Outcome(0);
    /// The largest magnitude that an outcome may have. Worths are compared as a value in the upper 31 bits of 64
    /// and a distance in the lower 33.
    pub const LIMIT: i32 = (1 << 30) - 1;

    /// A win by one unit for `side`.
    #[inline]
    pub const fn win(side: Side) -> Outcome {
        match side {
            Side::First => Outcome(1),
            Side::Second => Outcome(-1),
        }
    }

    /// The same result seen by `side`.
    #[inline]
    pub const fn value_for(self, side: Side) -> Value {
        match side {
            Side::First => Value(self.0),
            Side::Second => Value(-self.0),
        }
    }
}

/// A result seen by the side to move: positive is good for it. Same unit as [`Outcome`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub i32);

impl Value {
    /// The same result seen by the first player, if this value is seen by `side`.
    #[inline]
    pub const fn outcome_for(self, side: Side) -> Outcome {
        match side {
            Side::First => Outcome(self.0),
            Side::Second => Outcome(-self.0),
        }
    }

    /// Converts this value from the view of `from` to the view of `to`: the sign changes if they
    /// differ.
    ///
    /// If a move leads to a position where `next` is to move and the value is `v`, the move is
    /// worth `v.seen_from(next, mover)` to the mover. Only this function passes a result from a
    /// position back to its predecessor.
    #[inline]
    pub const fn seen_from(self, from: Side, to: Side) -> Value {
        if from as u8 == to as u8 { self } else { Value(-self.0) }
    }

    /// Whether this is a win, a loss or a draw.
    #[inline]
    pub const fn verdict(self) -> Verdict {
        match self.0 {
            1.. => Verdict::Win,
            0 => Verdict::Draw,
            _ => Verdict::Loss,
        }
    }
}

/// The sign of a [`Value`], in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// The side to move loses.
    Loss,
    /// Neither side wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Verdict::Loss => "loss",
            Verdict::Draw => "draw",
            Verdict::Win => "win",
        })
    }
}

/// The distance to the end of the game if both sides play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Distance {
    /// The number of plies (moves of either side) until the game is over; 0 if it is over.
    Plies(u32),
    /// The game never ends.
    Endless,
}

impl Distance {
    /// The number of plies, or `None` if play never ends.
    pub const fn plies(self) -> Option<u32> {
        match self {
            Distance::Plies(plies) => Some(plies),
            Distance::Endless => None,
        }
    }
}

/// The result of perfect play, seen by the side to move: a [`Value`] and the [`Distance`] to it.
///
/// The side to move prefers the worth with the highest [`key`](Worth::key), which depends on the
/// value of endless play at the position ([`Game::endless`]). A higher value is better. Equal
/// values above that of endless play are better in fewer plies; other equal values are better in
/// more plies, and best if play never ends. So a side that gets more than endless play minimises
/// plies; its opponent maximises them; if both get exactly as much, both maximise them.
///
/// ```
/// use foregone_rules::{Distance, Value, Worth};
///
/// let quick_win = Worth::new(Value(1), Distance::Plies(3));
/// let slow_win = Worth::new(Value(1), Distance::Plies(5));
/// let draw = Worth::new(Value(0), Distance::Plies(4));
/// let endless = Worth::endless(Value(0));
/// let slow_loss = Worth::new(Value(-1), Distance::Plies(6));
/// let quick_loss = Worth::new(Value(-1), Distance::Plies(2));
/// let mut all = [draw, quick_win, slow_loss, endless, quick_loss, slow_win];
/// all.sort_by_key(|worth| worth.key(Value(0)));
/// assert_eq!(all, [quick_loss, slow_loss, draw, endless, slow_win, quick_win]);
/// // If endless play is a win, a slow win is better than a quick one.
/// assert!(slow_win.key(Value(1)) > quick_win.key(Value(1)));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Worth {
    value: i32,
    /// [`Worth::ENDLESS`] if play never ends.
    plies: u32,
}

impl Worth {
    const ENDLESS: u32 = u32::MAX;

    /// The worth of endless play with this value.
    #[inline]
    pub const fn endless(Value(value): Value) -> Worth {
        Worth { value, plies: Worth::ENDLESS }
    }

    /// A value with its distance.
    #[inline]
    pub const fn new(value: Value, distance: Distance) -> Worth {
        let plies = match distance {
            Distance::Plies(plies) => plies,
            Distance::Endless => Worth::ENDLESS,
        };
        Worth { value: value.0, plies }
    }

    /// The worth of a finished game, seen by `side`.
    #[inline]
    pub const fn finished(outcome: Outcome, side: Side) -> Worth {
        Worth { value: outcome.value_for(side).0, plies: 0 }
    }

    /// The value, seen by the side to move.
    #[inline]
    pub const fn value(self) -> Value {
        Value(self.value)
    }

    /// The distance to the end of the game.
    #[inline]
    pub const fn distance(self) -> Distance {
        match self.plies {
            Worth::ENDLESS => Distance::Endless,
            plies => Distance::Plies(plies),
        }
    }

    /// Whether play never ends.
    #[inline]
    pub const fn is_endless(self) -> bool {
        self.plies == Worth::ENDLESS
    }

    /// The worth, for `mover`, of a move that leads to a position of this worth for `next`.
    ///
    /// The value is converted ([`Value::seen_from`]); the distance grows by one ply.
    #[inline]
    pub const fn backed_up(self, next: Side, mover: Side) -> Worth {
        let Value(value) = Value(self.value).seen_from(next, mover);
        Worth { value, plies: self.plies.saturating_add(1) }
    }

    /// A number that orders worths by the preference of the side to move, in a position where
    /// endless play has the value `endless`.
    #[inline]
    pub const fn key(self, endless: Value) -> i64 {
        let plies = self.plies as i64;
        ((self.value as i64) << 33) + if self.value > endless.0 { -plies } else { plies }
    }
}

/// `+3 in 5 plies`, `0 without end`.
impl Display for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.value > 0 { "+" } else { "" };
        write!(f, "{sign}{}", self.value)?;
        match self.plies {
            Worth::ENDLESS => f.write_str(" without end"),
            1 => f.write_str(" in 1 ply"),
            plies => write!(f, " in {plies} plies"),
        }
    }
}

impl Debug for Worth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.distance() {
            Distance::Plies(plies) => write!(f, "{:+} in {plies}", self.value),
            Distance::Endless => write!(f, "{:+} endless", self.value),
        }
    }
}

/// The rules of a two-player game of perfect information without chance: two types and five
/// functions.
///
/// These seven items are enough to solve, tabulate, prove and play the game. The parameters of a
/// game (the size of its board, its variants) are fields of the type that implements this trait.
///
/// A state must hold everything that the future of the game depends on, and nothing else: two
/// positions with equal futures are solved only once if they are equal states. The number of states
/// reachable from any state is finite; a game may loop.
///
/// ```
/// use foregone_rules::{Game, Outcome, Side};
///
/// /// One heap; a move takes one or two sticks; the player who takes the last one wins.
/// struct Sticks(u8);
///
/// impl Game for Sticks {
///     type State = (u8, Side);
///     type Move = u8;
///
///     fn start(&self) -> Self::State {
///         (self.0, Side::First)
///     }
///     fn turn(&self, &(_, side): &Self::State) -> Side {
///         side
///     }
///     fn outcome(&self, &(left, side): &Self::State) -> Option<Outcome> {
///         (left == 0).then(|| Outcome::win(side.other()))
///     }
///     fn moves(&self, &(left, _): &Self::State) -> impl Iterator<Item = u8> {
///         1..=left.min(2)
///     }
///     fn play(&self, &(left, side): &Self::State, taken: u8) -> Self::State {
///         (left - taken, side.other())
///     }
/// }
/// ```
pub trait Game: Send + Sync + 'static {
    /// A position: a small value. Moves are not undone; the position is copied instead.
    type State: Copy + Eq + Hash + Debug + Send + Sync;
    /// A move. It displays as its [text](Game::move_text), or as a text that serves developers if the
    /// game writes its moves itself.
    type Move: Copy + Eq + Display + Send + Sync;

    /// The position that the game starts from. The first player is to move there.
    fn start(&self) -> Self::State;

    /// The side to move; if the game is over, the side whose turn it would be.
    fn turn(&self, state: &Self::State) -> Side;

    /// The result, if the game is over; `None` if it is not.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// The legal moves. There is at least one in every position that is not over. If the game is
    /// over, the iterator is not used.
    fn moves(&self, state: &Self::State) -> impl Iterator<Item = Self::Move>;

    /// The position after a legal move. The side to move may stay the same (an extra turn).
    fn play(&self, state: &Self::State, mv: Self::Move) -> Self::State;

    /// The text of a move that people read and type. Different moves of a position have different
    /// texts, without spaces and commas.
    fn move_text(&self, mv: Self::Move) -> String {
        mv.to_string()
    }

    /// The legal moves in the order of [`moves`](Game::moves), each with the position after it.
    ///
    /// A game can override it, and [`each_successor`](Game::each_successor), if it finds moves and
    /// positions faster together.
    #[inline]
    fn successors(&self, state: &Self::State) -> impl Iterator<Item = (Self::Move, Self::State)> {
        self.moves(state).map(|mv| (mv, self.play(state, mv)))
    }

    /// Shows `visit` each legal move, in order, with the position after it, until it returns an error.
    /// A loop over [`successors`](Game::successors), faster if finding them needs more
    /// memory than an iterator should carry.
    ///
    /// # Errors
    /// The error of `visit`.
    #[inline]
    fn each_successor<E>(
        &self,
        state: &Self::State,
        mut visit: impl FnMut(Self::Move, &Self::State) -> Result<(), E>,
    ) -> Result<(), E> {
        self.successors(state).try_for_each(|(mv, next)| visit(mv, &next))
    }

    /// The largest magnitude that an outcome can have. Searches for values start with this window.
    /// A game with only wins, losses and draws may return 1.
    fn max_value(&self) -> i32 {
        Outcome::LIMIT
    }

    /// The outcome of endless play in a loop through this position. It must be the same at all
    /// positions of a loop; outside loops it has no meaning. Both sides compare distances by it
    /// (see [`Worth`]).
    ///
    /// The default is a draw.
    #[inline]
    fn endless(&self, _state: &Self::State) -> Outcome {
        Outcome::DRAW
    }
}
