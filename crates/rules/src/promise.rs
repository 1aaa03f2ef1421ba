//! What a game can say of itself beyond its rules, one trait a promise.
//!
//! A promise makes solving faster or output nicer, and never decides an answer: a solver that uses
//! one must give what it would give without it. Each is held against the plain rules by
//! [`Conform`](crate::Conform), in the test of every game that makes it.
//!
//! A promise may depend on a game's parameters: then [`Acyclic::is_acyclic`] and its like say whether
//! this very variant makes it.

use crate::drawing::{Cell, Drawing};
use crate::family::Invalid;
use crate::game::{Game, Outcome, Value};
use crate::scene::Scene;

/// A position as one line of text that a person can type, both ways.
///
/// Without it a position is written as the moves that lead to it from the start.
pub trait Notation: Game {
    /// The position as one line of text.
    fn format(&self, state: &Self::State) -> String;

    /// The position that a text tells of. Any text is allowed to come in.
    ///
    /// # Errors
    /// Where the text is not a position of this game: what was found, and what was expected.
    fn parse(&self, text: &str) -> Result<Self::State, Invalid>;
}

/// [`Notation`] without what it asks of the game.
pub struct Written<G: Game> {
    /// See [`Notation::format`].
    pub format: fn(&G, &G::State) -> String,
    /// See [`Notation::parse`].
    pub parse: fn(&G, &str) -> Result<G::State, Invalid>,
}

impl<G: Game> Clone for Written<G> {
    fn clone(&self) -> Written<G> {
        *self
    }
}

impl<G: Game> Copy for Written<G> {}

impl<G: Notation> Default for Written<G> {
    fn default() -> Written<G> {
        Written { format: G::format, parse: G::parse }
    }
}

impl<G: Game> Written<G> {
    /// A position as text: as debug text where there is no notation.
    pub fn text(written: Option<Written<G>>, game: &G, state: &G::State) -> String {
        match written {
            Some(written) => (written.format)(game, state),
            None => format!("{state:?}"),
        }
    }
}

/// A position as a picture. Without it a position shows as its debug text.
pub trait Picture: Game {
    /// The board for a terminal, with the squares marked that a move may choose.
    fn draw(&self, state: &Self::State) -> Drawing;

    /// The board as shapes, with the places that a person can pick; the same board as squares and
    /// text where nothing better is given.
    fn scene(&self, state: &Self::State) -> Scene {
        Scene::of(&self.draw(state))
    }

    /// The places of the [`scene`](Picture::scene), by number, that are picked to make a legal
    /// move, in any order; none where a move is chosen by its text alone. No two moves have the
    /// same. Where nothing else is given, the square that bears the move's text.
    fn clicks(&self, state: &Self::State, mv: Self::Move) -> Vec<usize> {
        let Drawing::Grid(grid) = self.draw(state) else { return Vec::new() };
        let text = mv.to_string();
        let named = |cell: &Cell| cell.target && cell.text == text;
        grid.cells.iter().position(named).into_iter().collect()
    }

    /// The place where a legal move ends, if it is none of those that are picked.
    fn destination(&self, _state: &Self::State, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// Whether the legal moves are best shown by the positions that they lead to.
    fn choose_by_preview(&self, _state: &Self::State) -> bool {
        false
    }
}

/// A number that rises with every move: the game cannot loop.
///
/// Depth-first search needs it, or else has to watch for loops itself.
pub trait Acyclic: Game {
    /// A number that is smaller than that of every position one move later.
    fn progress(&self, state: &Self::State) -> u32;

    /// Whether the promise holds for these parameters of the game.
    fn is_acyclic(&self) -> bool {
        true
    }
}

/// An opinion on a position that is not over, in the unit of the game's outcomes and seen by the
/// first player. Depth-limited search uses it; without it such a position counts as level.
pub trait Evaluate: Game {
    /// What the position looks worth without looking ahead.
    fn evaluate(&self, state: &Self::State) -> Outcome;
}

/// A symmetry of the game: one position stands for all that are alike.
///
/// The representative is worth the same to its mover as the position is to its own, distance
/// included. Points that are banked stay as they are: what leaves them out is [`Banked`].
pub trait Symmetry: Game {
    /// The position that stands for all those that are like `state`. Its own representative is
    /// itself.
    fn representative(&self, state: &Self::State) -> Self::State;

    /// Whether a representative may have the sides exchanged: then the other side may be to move
    /// there. Whether a player moves again must be seen before a position is replaced by its
    /// representative.
    fn exchanges(&self) -> bool {
        false
    }
}

/// Points that a player keeps whatever comes, such as the stones in Kalah's stores.
///
/// What a position is worth is what its mover has banked plus what the same position is worth with
/// nothing banked. That holds for values alone: a distance depends on what is banked, because who
/// wins hurries, and so does the sign of a value.
pub trait Banked: Game {
    /// What the mover has banked, less what the other side has.
    fn banked(&self, state: &Self::State) -> Value;

    /// The same position with nothing banked.
    fn unbanked(&self, state: &Self::State) -> Self::State;
}

/// What the numbers of positions leave out: [`NoBank`], nothing, or [`PointBank`], what is banked.
pub trait Bank<G: Game + ?Sized>: 'static {
    /// Whether points are ever banked.
    const BANKS: bool;
    /// What the mover has banked, less what the other side has.
    fn banked(game: &G, state: &G::State) -> Value;
    /// The same position with nothing banked.
    fn unbanked(game: &G, state: &G::State) -> G::State;
}

/// Of a game that banks no points.
#[derive(Clone, Copy, Debug)]
pub struct NoBank;

impl<G: Game> Bank<G> for NoBank {
    const BANKS: bool = false;

    #[inline]
    fn banked(_: &G, _: &G::State) -> Value {
        Value(0)
    }

    #[inline]
    fn unbanked(_: &G, state: &G::State) -> G::State {
        *state
    }
}

/// Of a game that is [`Banked`]: states that differ only in what is banked share a number.
#[derive(Clone, Copy, Debug)]
pub struct PointBank;

impl<G: Banked> Bank<G> for PointBank {
    const BANKS: bool = true;

    #[inline]
    fn banked(game: &G, state: &G::State) -> Value {
        game.banked(state)
    }

    #[inline]
    fn unbanked(game: &G, state: &G::State) -> G::State {
        game.unbanked(state)
    }
}

/// A state as a number of few bits, both ways, exactly: different states have different numbers.
///
/// This is promised of states with nothing [banked](Encode::Bank); where the game has a
/// [`Symmetry`], of representatives alone.
pub trait Encode: Game {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// How many bits the numbers need: every one is below `2^bits`. At most 128.
    fn bits(&self) -> u32;
    /// The number of a state.
    fn encode(&self, state: &Self::State) -> u128;
    /// The state of a number that [`encode`](Encode::encode) gave. Any other below `2^bits` may come in
    /// too, from a file for one: it gives some state.
    fn decode(&self, code: u128) -> Self::State;
}

/// A position as files merge it with others: without what is banked, up to symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Merged<S> {
    /// The representative, with nothing banked.
    pub state: S,
    /// What the mover has banked: the position's value, less that of the representative.
    pub offset: Value,
}

impl<S> Merged<S> {
    /// The position that stands for a state.
    #[inline]
    pub fn of<G: Encode<State = S> + Symmetry>(game: &G, state: &S) -> Merged<S> {
        let offset = G::Bank::banked(game, state);
        let state = game.representative(&G::Bank::unbanked(game, state));
        Merged { state, offset }
    }
}

/// A dense number of each state inside a layer, both ways.
///
/// Strong solving needs no hashing then: a layer is an array. A layer may hold numbers that stand
/// for no state; moves never lead to a higher layer.
///
/// Where points are [banked](Indexed::Bank), states that differ only in them share a number, and the
/// state that a number gives back has nothing banked. Where alike states are merged
/// ([`merges`](Indexed::merges)), they share a number too, and it gives back one of them.
pub trait Indexed: Game {
    /// What the numbers leave out.
    type Bank: Bank<Self>;
    /// The number of layers; the last positions of a game lie in the lowest.
    fn layers(&self) -> u32;
    /// How many numbers a layer has; [`u64::MAX`] where that is too large for a number.
    fn size(&self, layer: u32) -> u64;
    /// The layer of a state and its number there.
    fn index(&self, state: &Self::State) -> (u32, u64);
    /// The layer of a state; games override it where that takes less than its number.
    #[inline]
    fn layer(&self, state: &Self::State) -> u32 {
        self.index(state).0
    }
    /// The state that has a number, if there is one.
    fn state(&self, layer: u32, index: u64) -> Option<Self::State>;

    /// All states of a part of a layer with their numbers, in order; games override it where going
    /// from one to the next is cheaper than finding each by its number.
    fn states(
        &self,
        layer: u32,
        part: std::ops::Range<u64>,
    ) -> impl Iterator<Item = (u64, Self::State)> {
        part.filter_map(move |index| Some((index, self.state(layer, index)?)))
    }

    /// The lowest layer that moves lead to from a layer.
    fn lowest_after(&self, _layer: u32) -> u32 {
        0
    }

    /// The positions of the same layer that are not over and from which one move leads to `state`,
    /// some more than once; `None` if the game does not tell. Layers in which play can loop are
    /// solved many times faster with it.
    fn predecessors(&self, _state: &Self::State) -> Option<Vec<Self::State>> {
        None
    }

    /// Whether states share a number that are alike: by symmetry, or with the sides exchanged. Each has
    /// moves to states of the same numbers, and results are the same for the side to move.
    fn merges(&self) -> bool {
        false
    }
}

/// Which moves to try first.
pub trait Order: Game {
    /// How promising a move looks: the highest is tried first. Any number is allowed.
    fn order(&self, state: &Self::State, mv: Self::Move) -> i32;
}

/// What a depth-first search for values wants to know of a position before it tries any move.
///
/// This is what makes search fast: a key that is one word, bounds that often settle a position at
/// once, and few moves, the best first.
pub trait SearchHints: Acyclic {
    /// How many bits the keys need: every one is below `2^bits`. From 1 to 64.
    fn key_bits(&self) -> u32;

    /// A key and what the mover has over it: the value of a position, less the offset, is the same
    /// for all positions with the same key. Nothing where a position has no key; it is then not
    /// remembered.
    fn key(&self, state: &Self::State) -> Option<(u64, Value)>;

    /// Whether the position is so near the end that it is quickly searched again. Such positions
    /// are remembered apart from others, in little memory; there the processor is fastest.
    fn near_end(&self, state: &Self::State) -> bool;

    /// A lower and an upper bound of the value of any position, one that is over included, that
    /// cost next to nothing to tell. A search asks for them before it looks the position up.
    #[inline]
    fn quick_bounds(&self, _state: &Self::State) -> (Value, Value) {
        (Value(-Outcome::LIMIT), Value(Outcome::LIMIT))
    }

    /// A lower and an upper bound of the value of a position that is not over. Where they differ,
    /// `moves` is given moves enough that the best of their values, or the lower bound where that
    /// is more, is the value of the position.
    fn bounds_and_moves(
        &self,
        state: &Self::State,
        moves: &mut Candidates<'_, Self::Move>,
    ) -> (Value, Value);

    /// A number for a position, and what the mover has over all others with this number: like a
    /// key, but numbers have few gaps, and those of positions with less left come first. Nothing
    /// where a position has no number. Values less the offset must be within ±126.
    #[inline]
    fn dense_index(&self, _state: &Self::State) -> Option<(u64, Value)> {
        None
    }

    /// How many numbers there are of positions with at most so much left, in the game's own
    /// measure.
    fn dense_len(&self, _left: u32) -> u64 {
        0
    }

    /// How many kinds of moves are told apart when a search learns which of them turn out well.
    fn history_slots(&self) -> usize;

    /// The kind of a move, below [`kinds`](SearchHints::kinds).
    fn history_slot(&self, state: &Self::State, mv: Self::Move) -> usize;
}

/// Where [`SearchHints::bounds_and_moves`] puts its moves, each with how promising it looks.
pub struct Candidates<'a, M> {
    list: &'a mut Vec<(i32, M)>,
}

impl<'a, M> Candidates<'a, M> {
    /// Candidates are put at the end of a list.
    pub fn new(list: &'a mut Vec<(i32, M)>) -> Candidates<'a, M> {
        Candidates { list }
    }

    /// Adds a move; those with the highest promise, a number within ±2^20, are tried first. What a
    /// search learns about a move's kind decides between equals.
    #[inline]
    pub fn push(&mut self, promise: i32, mv: M) {
        self.list.push((promise, mv));
    }
}
