//! A text as a [`Game`]: its positions are words, its moves are choices, and the machine plays.

use std::any::Any;
use std::convert::Infallible;
use std::fmt;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use foregone_rules::kit::Board;
use foregone_rules::promise::{Encode, Symmetry};
use foregone_rules::{Game, Invalid, Outcome, Side, Value};

use crate::actions::Numbering;
use crate::budget::Budget;
use crate::choices::{CROWDED, Choice, Choices, MAX_MOVES};
use crate::code::Code;
use crate::key::{Key, KeyImages};
use crate::machine::{
    Field, Machine, Memory, Place, Program, TooLarge, Word, Words, completing, emit,
};
use crate::native::Native;
use crate::points::{Banked, points};
use crate::progress::{Counted, RaisedBy, Weights, weights};
use crate::reach::reach;
use crate::results::values;
use crate::state::Position;
use crate::symmetry::{Images, symmetries};
use crate::typed::{Layout, MAX_SCORE, Number, Rules, SideRules, Stuck};
use crate::words::move_in_words;
use crate::{interpret, notation, picture};

/// What was found out about a game from its rules, and proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Derived {
    /// Why play cannot loop; `None` if nothing was found that every move raises.
    pub raised_by: Option<RaisedBy>,
    /// Whether the search for it was given up, since there is too much to look through.
    pub too_large: bool,
    /// The number of ways to rename cells that leave the rules as they are, without a change too.
    pub symmetries: u64,
    /// Whether the sides are exchanged by some of them.
    pub exchanges: bool,
    /// Whether there are kinds of pieces that the rules never tell apart; they count as one.
    pub merges: bool,
    /// The number of bits of a position's key; `None` if it has more than 128.
    pub bits: Option<u32>,
    /// Whether play may go on without end, and what that is worth changes in the course of a game.
    pub endless_changes: bool,
}

/// A game that was written as text: with positions of N words, and a machine of R registers, of which
/// K are kept at each of D open choices.
pub struct TextGame<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> {
    pub(crate) inner: Arc<Inner<S, N>>,
}

/// For most games: few kinds of pieces on at most 64 cells.
pub type Small = TextGame<u64, 3, 16, 3, 3>;
/// For games with more kinds of pieces, with counts, or with many choices in a move.
pub type Large = TextGame<u64, 16, 64, 48, 12>;
/// For boards of more than 64 cells.
pub type Wide = TextGame<u128, 16, 64, 48, 12>;

pub(crate) struct Inner<S, const N: usize> {
    rules: Rules,
    pub program: Program<S>,
    /// Native code for the program, once that has run for a while; `None` if there can be none.
    pub native: OnceLock<Option<Box<dyn Native>>>,
    /// How often the program has run without it.
    pub runs: AtomicU32,
    start: [S; N],
    /// The smallest and the largest value of a position, for the first player.
    values: [i32; 2],
    /// What happens to each side if it cannot move.
    without_move: [WithoutMove; 2],
    /// The names of the sides, a word each.
    sides: [String; 2],
    board: Board,
    /// The number of each set of pieces where positions are numbers.
    piece_numbers: Vec<i16>,
    /// `None` if moves have no numbers.
    numbering: Option<Numbering>,
    /// `None` if positions have no codes.
    code: Option<Code>,
    /// `None` if positions have no numbers of few bits.
    key: Option<Key<S>>,
    /// `None` if no pieces are points.
    points: Option<Banked<S>>,
    /// See [`Inner::weights`].
    weights: OnceLock<(Option<Weights>, bool)>,
    /// See [`Inner::images`].
    images: OnceLock<Images<S>>,
    /// See [`TextGame::key_images`].
    key_images: OnceLock<Option<KeyImages>>,
    /// See [`TextGame::misplayed`].
    misplayed: OnceLock<String>,
}

impl<S: Word, const N: usize> Inner<S, N> {
    /// Weights whose sum every move raises, `None` if none were found; and whether the budget was spent. Found when first
    /// asked for.
    fn progress(&self) -> &(Option<Weights>, bool) {
        self.weights.get_or_init(|| {
            let budget = Budget::new(Budget::PROGRESS);
            (weights(&self.rules, &budget), budget.is_spent())
        })
    }

    /// Weights whose sum every move raises; `None` if none were found.
    fn weights(&self) -> Option<&Weights> {
        self.progress().0.as_ref()
    }

    /// The symmetries that were found and proven. Found when first asked for.
    fn images(&self) -> &Images<S> {
        self.images.get_or_init(|| {
            let budget = Budget::new(Budget::SYMMETRY);
            Images::new(&self.rules, &symmetries(&self.rules, self.weights(), &budget))
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum WithoutMove {
    Never,
    Ends,
    Passes,
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Clone
    for TextGame<S, N, R, K, D>
{
    fn clone(&self) -> Self {
        TextGame { inner: self.inner.clone() }
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> fmt::Debug
    for TextGame<S, N, R, K, D>
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TextGame").finish_non_exhaustive()
    }
}

/// By numbers; [`Game::move_text`] has the names.
impl fmt::Display for Choices {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, choice) in self.iter().enumerate() {
            let dash = if at > 0 { "-" } else { "" };
            match choice {
                Choice::Cell(cell) => write!(f, "{dash}{}", cell + 1)?,
                Choice::Number(number) => write!(f, "{dash}{number}")?,
                Choice::Label(label) => write!(f, "{dash}way{}", label + 1)?,
            }
        }
        if self.len() == 0 { f.write_str("pass") } else { Ok(()) }
    }
}

/// Whether all is found that long searches gain from. Visitors of the page need not load that.
pub(crate) const LONG_SEARCHES: bool = cfg!(not(target_family = "wasm"));

/// Whether the machine that makes one move is another one.
const LED: bool = cfg!(not(target_family = "wasm"));

/// A run through all moves in a memory of its own.
type Owning<'p, S, const R: usize, const K: usize, const D: usize> =
    Machine<'p, S, Memory<S, R, K, D>, false, R, K, D>;

/// A run through all moves in a memory that is lent.
type Runs<'p, 'm, S, const R: usize, const K: usize, const D: usize> =
    Machine<'p, S, &'m mut Memory<S, R, K, D>, false, R, K, D>;

/// The moves of a position, one after the other.
pub(crate) struct Moves<'p, S, const R: usize, const K: usize, const D: usize> {
    run: Owning<'p, S, R, K, D>,
    /// A pass, instead of the moves of the run.
    pass: bool,
}

impl<S: Word, const R: usize, const K: usize, const D: usize> Iterator for Moves<'_, S, R, K, D> {
    type Item = Choices;

    #[inline]
    fn next(&mut self) -> Option<Choices> {
        if self.run.next() {
            return Some(self.run.choices);
        }
        std::mem::take(&mut self.pass).then_some(Choices::NONE)
    }
}

/// The moves of a position with the positions after them.
pub(crate) struct Successors<'p, S, const N: usize, const R: usize, const K: usize, const D: usize>
{
    run: Owning<'p, S, R, K, D>,
    /// The position after a pass, instead of the moves of the run.
    pass: Option<[S; N]>,
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Iterator
    for Successors<'_, S, N, R, K, D>
{
    type Item = (Choices, [S; N]);

    #[inline]
    fn next(&mut self) -> Option<(Choices, [S; N])> {
        if self.run.next() {
            return Some((self.run.choices, self.run.position()));
        }
        self.pass.take().map(|next| (Choices::NONE, next))
    }
}

/// What native code has found, or what a run finds.
enum Either<T, I> {
    Found(std::vec::IntoIter<T>),
    Run(I),
}

impl<T, I: Iterator<Item = T>> Iterator for Either<T, I> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Either::Found(found) => found.next(),
            Either::Run(run) => run.next(),
        }
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    TextGame<S, N, R, K, D>
{
    /// The game of some rules; `None` if it needs more words or a larger machine.
    pub(crate) fn new(rules: &Rules, sides: [&str; 2]) -> Result<Option<Self>, TooLarge> {
        if rules.board.cells.len() > S::BITS as usize {
            return Ok(None);
        }
        let Some(program) = emit::<S>(rules, N)? else { return Ok(None) };
        if program.registers > R || program.kept > K || program.open > D {
            return Ok(None);
        }
        let start = program.words.pack(&rules.start);
        let without_move = [0, 1].map(|side: usize| match rules.sides[side].stuck {
            Stuck::Never => WithoutMove::Never,
            Stuck::Ends(_) => WithoutMove::Ends,
            Stuck::Passes(_) => WithoutMove::Passes,
        });
        let (board, code) = (picture::board(rules, sides), Code::new(rules));
        let (key, points) = match LONG_SEARCHES {
            true => {
                let reach = reach(rules, &Budget::new(Budget::EMITTING));
                let points = points(rules, &reach);
                let key = Key::new(rules, &program.words, &reach, points.as_ref());
                (key, points.map(|points| Banked::new(rules, &points, &reach)))
            }
            false => (None, None),
        };
        let piece_numbers = picture::piece_numbers(rules);
        let numbering = Numbering::new(rules);
        let values = values(rules);
        let sides = sides.map(str::to_owned);
        let rules = rules.clone();
        let inner = Inner {
            rules,
            program,
            native: OnceLock::new(),
            runs: AtomicU32::new(0),
            start,
            values,
            without_move,
            sides,
            board,
            piece_numbers,
            numbering,
            code,
            key,
            points,
            weights: OnceLock::new(),
            images: OnceLock::new(),
            key_images: OnceLock::new(),
            misplayed: OnceLock::new(),
        };
        Ok(Some(TextGame { inner: Arc::new(inner) }))
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.inner.rules
    }

    pub(crate) fn words(&self) -> &Words {
        &self.inner.program.words
    }

    pub(crate) fn side_names(&self) -> [&str; 2] {
        self.inner.sides.each_ref().map(String::as_str)
    }

    pub(crate) fn board(&self) -> &Board {
        &self.inner.board
    }

    pub(crate) fn code(&self) -> Option<&Code> {
        self.inner.code.as_ref()
    }

    /// How positions become numbers for exact search.
    pub(crate) fn short_key(&self) -> Option<&Key<S>> {
        self.inner.key.as_ref().filter(|_| LONG_SEARCHES)
    }

    /// What the symmetries do to short keys; `None` if they are no changes of their bits.
    fn key_images(&self) -> Option<&KeyImages> {
        let find = || self.short_key()?.images(self.words(), self.images().maps()?);
        self.inner.key_images.get_or_init(find).as_ref()
    }

    fn points(&self) -> Option<&Banked<S>> {
        self.inner.points.as_ref().filter(|_| LONG_SEARCHES)
    }

    /// The number of a position for exact search, and the points that its value has more.
    #[inline]
    pub(crate) fn number_of(&self, state: &[S; N]) -> Option<(u64, Value)> {
        let mut state = *state;
        let lead = self.take_points(&mut state);
        if let (Some(key), Some(images)) = (self.short_key(), self.key_images()) {
            if !self.images().are_none() {
                self.guard(&state);
                self.images().merge(&mut state);
            }
            return Some((images.least(key.of(self.words(), &state)?), Value(lead)));
        }
        state = self.representative(&state);
        // The sides may have been exchanged.
        self.take_points(&mut state);
        let number = match self.short_key() {
            Some(key) => key.of(self.words(), &state)?,
            None => self.encode(&state) as u64,
        };
        Some((number, Value(lead)))
    }

    /// Whether there are pieces that are points.
    #[cfg(test)]
    pub(crate) fn has_points(&self) -> bool {
        self.points().is_some()
    }

    /// Makes all points those of the first player; how many more the side to move had.
    #[inline]
    fn take_points(&self, state: &mut [S; N]) -> i32 {
        let Some(points) = self.points() else { return 0 };
        let lead = points.take(state);
        if self.side(state) == 0 { lead } else { -lead }
    }

    /// A number that rises with every move, if one was found; 0 if not. After a move that ends the game
    /// it is the largest.
    pub(crate) fn progress_of(&self, state: &[S; N]) -> u32 {
        let Some(weights) = self.inner.weights() else { return 0 };
        if Words::result(state[Words::REST]).is_some() {
            return u32::MAX;
        }
        let mut sum = weights.sum(&state[Words::SETS..][..self.words().sets]);
        let value = |field: &Field| i64::from(field.value(state));
        for (counted, sign) in &weights.counted {
            let value = match counted {
                Counted::Number(number) => value(&self.words().numbers[*number]),
                Counted::Count(count) => self.words().counts[*count].iter().map(value).sum(),
            };
            sum = sum.wrapping_add_signed((value * sign) as i32);
        }
        let side = self.side(state);
        if let Some(raising) = weights.side {
            return 2 * sum + u32::from(side == raising);
        }
        // After a pass nothing has changed, but the other side can move.
        let passes = self.inner.without_move[side] == WithoutMove::Passes;
        2 * sum + u32::from(passes && self.can_move(side, state))
    }

    pub(crate) fn images(&self) -> &Images<S> {
        self.inner.images()
    }

    /// See [`Loaded::tree`](crate::Loaded::tree).
    pub(crate) fn tree(&self, position: Option<&str>) -> Result<String, Invalid> {
        #[derive(Debug)]
        #[expect(dead_code, reason = "its fields are printed")]
        struct Tree<'a> {
            cells: usize,
            layout: &'a Layout,
            endless: &'a Number,
            start: Position,
            sides: &'a [SideRules; 2],
        }
        let Rules { board, layout, endless, sides, start, .. } = self.rules();
        let start = match position {
            None => start.clone(),
            Some(text) => notation::parse(self.rules(), self.side_names(), text)?,
        };
        Ok(format!("{:?}", Tree { cells: board.cells.len(), layout, endless, start, sides }))
    }

    /// What was found out about the game from its rules.
    pub(crate) fn derived(&self) -> Derived {
        let raised_by = self.inner.weights().map(|weights| weights.raised_by);
        let constant = matches!(self.rules().endless, Number::Value(_));
        Derived {
            raised_by,
            too_large: raised_by.is_none() && self.inner.progress().1,
            symmetries: self.images().count(),
            exchanges: self.images().exchange(),
            merges: self.images().merges(),
            bits: self.code().map(|code| code.bits),
            endless_changes: raised_by.is_none() && !constant,
        }
    }

    /// Two positions that count as alike and are not, if a solver has met some, or that one has too many moves.
    pub(crate) fn misplayed(&self) -> Option<&str> {
        let crowded = self.inner.program.crowded.load(Ordering::Relaxed).then_some(CROWDED);
        self.inner.misplayed.get().map(String::as_str).or(crowded)
    }

    /// Whether the start has too many moves.
    pub(crate) fn is_crowded(&self) -> bool {
        let _ = self.moves(&self.start()).count();
        self.misplayed().is_some()
    }

    pub(crate) fn note_misplayed(&self, why: String) {
        // The first one counts.
        let _ = self.inner.misplayed.set(why);
    }

    /// The least and the largest value that a position can have for the side to move: its result if it
    /// is over by its last move, the largest if a move is seen to win at once.
    #[inline]
    pub(crate) fn bounds_of(&self, state: &[S; N]) -> (Value, Value) {
        let side = self.side(state);
        let result = Words::result(state[Words::REST]);
        let [least, max] = result.map_or(self.inner.values, |result| [result; 2]);
        let (least, max) = if side == 0 { (least, max) } else { (-max, -least) };
        if result.is_none()
            && let Some(points) = self.points()
            && points.fits(state)
        {
            let left = points.left(state);
            let lead = points.lead(state) * if side == 0 { 1 } else { -1 };
            return (Value(lead - left), Value(lead + left));
        }
        let wins = result.is_none() && self.wins_at_once(state) == Some(true);
        (Value(if wins { max } else { least }), Value(max))
    }

    /// Whether a move wins at once; `None` if that is not known without making it.
    #[inline]
    pub(crate) fn wins_at_once(&self, state: &[S; N]) -> Option<bool> {
        let side = self.side(state);
        self.inner.program.entries[side].wins?;
        if let Some((code, words)) = self.native(state) {
            return Some(code.wins(side, words)? != 0);
        }
        Some(self.run_wins(side, state)? != S::ZERO)
    }

    /// The cells with which a side wins at once.
    #[inline]
    pub(crate) fn run_wins(&self, side: usize, state: &[S; N]) -> Option<S> {
        let program = &self.inner.program;
        let wins = program.entries[side].wins?;
        let complete = wins.rows.map_or(program.all, |(own, rows)| {
            completing(&program.rows[usize::from(rows)], state[usize::from(own)])
        });
        if complete == S::ZERO {
            return Some(complete);
        }
        let mut memory = Memory::<S, R, 0, 0>::BLANK;
        memory.hold(state);
        let mut run = Runs::new(program, wins.place, &mut memory);
        run.next();
        Some(run.get(wins.cells) & complete)
    }

    /// How promising a move looks: how many rows lack one piece after it, then how many rows go through its cell.
    #[inline]
    pub(crate) fn promise_of(&self, state: &[S; N], mv: Choices) -> i32 {
        let program = &self.inner.program;
        let wins = program.entries[self.side(state)].wins;
        let (Some((own, rows)), Some(Choice::Cell(cell))) =
            (wins.and_then(|wins| wins.rows), mv.get(0))
        else {
            return 0;
        };
        let rows = &program.rows[usize::from(rows)];
        let at = S::ONE << cell.into();
        let pieces = &state[Words::SETS..][..program.words.pieces];
        let taken = pieces.iter().fold(at, |all, set| all | *set);
        let own = state[usize::from(own)] | at;
        let native = self
            .native(state)
            .and_then(|(code, _)| code.completing(self.side(state), own.number() as u64));
        let threats =
            native.map_or_else(|| completing(rows, own), |all| S::from_number(all as i64));
        let threats = threats & !taken;
        16 * threats.count() as i32 + i32::from(rows.through[usize::from(cell)])
    }

    /// The smallest and the largest value of a position, for the first player.
    pub(crate) fn results(&self) -> [i32; 2] {
        self.inner.values
    }

    pub(crate) fn cannot_loop(&self) -> bool {
        self.inner.weights().is_some()
    }

    pub(crate) fn numbering(&self) -> Option<&Numbering> {
        self.inner.numbering.as_ref()
    }

    pub(crate) fn piece_numbers(&self) -> &[i16] {
        &self.inner.piece_numbers
    }

    pub(crate) fn unpack(&self, state: &[S; N]) -> Position {
        self.words().unpack(state)
    }

    pub(crate) fn pack(&self, position: &Position) -> [S; N] {
        self.words().pack(position)
    }

    #[inline]
    pub(crate) fn side(&self, state: &[S; N]) -> usize {
        Words::turn(state[Words::REST])
    }

    fn run(&self, place: Place, state: &[S; N]) -> Owning<'_, S, R, K, D> {
        let mut run = Machine::new(&self.inner.program, place, Memory::BLANK);
        run.memory.hold(state);
        run
    }

    /// The moves of a position, but a pass.
    #[inline]
    pub(crate) fn run_moves(&self, state: &[S; N]) -> Moves<'_, S, R, K, D> {
        let entries = self.inner.program.entries[self.side(state)];
        Moves { run: self.run(entries.legal, state), pass: false }
    }

    /// The moves of a position with the positions after them, but a pass.
    #[inline]
    pub(crate) fn run_successors(&self, state: &[S; N]) -> Successors<'_, S, N, R, K, D> {
        let entries = self.inner.program.entries[self.side(state)];
        Successors { run: self.run(entries.moves, state), pass: None }
    }

    /// Whether a side can move.
    #[inline]
    fn can_move(&self, side: usize, state: &[S; N]) -> bool {
        match self.native(state) {
            Some((code, words)) => code.can_move(side, words),
            None => self.run_can_move(side, state),
        }
    }

    #[inline]
    pub(crate) fn run_can_move(&self, side: usize, state: &[S; N]) -> bool {
        let entries = self.inner.program.entries[side];
        if entries.any_at_once {
            let mut memory = Memory::<S, R, 0, 0>::BLANK;
            memory.hold(state);
            return Runs::new(&self.inner.program, entries.any, &mut memory).next();
        }
        self.run(entries.any, state).next()
    }

    /// Whether a side that passes if it cannot move is to move, cannot, and the other side can.
    #[inline]
    fn passes(&self, state: &[S; N]) -> bool {
        let side = self.side(state);
        self.inner.without_move[side] == WithoutMove::Passes
            && !self.can_move(side, state)
            && self.can_move(1 - side, &self.turned(state))
    }

    /// Shows the moves, as long as more are wanted.
    #[inline]
    pub(crate) fn each_move(&self, state: &[S; N], mut visit: impl FnMut(Choices) -> bool) {
        let (mut goes_on, mut count) = (true, 0);
        match (self.words().preferred(), self.native(state)) {
            (Some(by), _) => {
                goes_on = self.preferred(state, by).into_iter().all(|(mv, _)| visit(mv));
            }
            (None, Some((code, words))) => code.moves(self.side(state), words, &mut |choices| {
                count += choices.len();
                goes_on = choices.iter().all(|each| visit(Choices(*each))) && self.has_room(count);
                goes_on
            }),
            (None, None) => goes_on = self.run_moves(state).all(&mut visit),
        }
        if goes_on && self.passes(state) {
            visit(Choices::NONE);
        }
    }

    /// Shows all ways to move with the positions after them, but a pass.
    #[inline]
    fn each_way<E>(
        &self,
        state: &[S; N],
        mut visit: impl FnMut(Choices, &[S; N]) -> Result<(), E>,
    ) -> Result<(), E> {
        if let Some((code, words)) = self.native(state) {
            let (mut seen, mut count) = (Ok(()), 0);
            code.successors(self.side(state), words, &mut |entries| {
                for entry in entries.chunks_exact(1 + N) {
                    let next = entry.last_chunk::<N>().expect("an entry is longer");
                    let next = (next as &dyn Any).downcast_ref::<[S; N]>();
                    seen =
                        visit(Choices(entry[0]), next.expect("native code has words of 64 bits"));
                    count += 1;
                    if seen.is_err() {
                        return false;
                    }
                }
                self.has_room(count)
            });
            return seen;
        }
        let entries = self.inner.program.entries[self.side(state)];
        let mut memory = Memory::<S, R, K, D>::BLANK;
        memory.hold(state);
        let mut run = Runs::new(&self.inner.program, entries.moves, &mut memory);
        while run.next() {
            visit(run.choices, run.position_here())?;
        }
        Ok(())
    }

    /// Of all ways to move those that are preferred, by the number in a field of the positions after them.
    #[cold]
    fn preferred(&self, state: &[S; N], by: &Field) -> Vec<(Choices, [S; N])> {
        let mut all = Vec::new();
        let _ = self.each_way(state, |mv, next| {
            all.push((mv, *next));
            Ok::<(), Infallible>(())
        });
        let most = all.iter().map(|(_, next)| by.value(next)).max();
        all.retain(|(_, next)| Some(by.value(next)) == most);
        all.iter_mut().for_each(|(_, next)| by.clear(next));
        all
    }

    /// Whether all ways to move are moves, and the machine shows them one by one.
    #[inline]
    fn runs(&self, state: &[S; N]) -> bool {
        self.words().preferred().is_none() && self.native(state).is_none()
    }

    /// Whether a position may have more moves than these; notes it if not.
    fn has_room(&self, moves: usize) -> bool {
        if moves > MAX_MOVES {
            self.inner.program.crowded.store(true, Ordering::Relaxed);
        }
        moves <= MAX_MOVES
    }

    /// The same position with the other side to move.
    fn turned(&self, state: &[S; N]) -> [S; N] {
        let mut turned = *state;
        turned[Words::REST] ^= S::ONE;
        turned
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Game
    for TextGame<S, N, R, K, D>
{
    type State = [S; N];
    type Move = Choices;

    fn start(&self) -> [S; N] {
        self.inner.start
    }

    #[inline]
    fn turn(&self, state: &[S; N]) -> Side {
        Side::BOTH[self.side(state)]
    }

    #[inline]
    fn outcome(&self, state: &[S; N]) -> Option<Outcome> {
        if let Some(result) = Words::result(state[Words::REST]) {
            return Some(Outcome(result));
        }
        let side = self.side(state);
        if self.inner.without_move[side] == WithoutMove::Never {
            return None;
        }
        let entries = self.inner.program.entries[side];
        if self.can_move(side, state) || self.passes(state) {
            return None;
        }
        let mut end = self.run(entries.stuck, state);
        end.next();
        let result = Words::result(end.position::<N>()[Words::REST]);
        Some(Outcome(result.unwrap_or(0)))
    }

    #[inline]
    fn moves(&self, state: &[S; N]) -> impl Iterator<Item = Choices> {
        if self.runs(state) {
            return Either::Run(Moves { pass: self.passes(state), ..self.run_moves(state) });
        }
        let mut found = Vec::new();
        self.each_move(state, |mv| {
            found.push(mv);
            true
        });
        Either::Found(found.into_iter())
    }

    #[inline]
    fn play(&self, state: &[S; N], mv: Choices) -> [S; N] {
        if mv == Choices::NONE && self.passes(state) {
            return self.turned(state);
        }
        let mut next = *state;
        if let Some((code, words)) = self.native(state) {
            if let Some(next) = (&mut next as &mut dyn Any).downcast_mut::<[u64; N]>() {
                code.play(self.side(state), words, mv.0, next);
            }
        } else {
            let place = self.inner.program.entries[self.side(state)].moves;
            let mut memory = Memory::<S, R, K, D>::BLANK;
            memory.hold(state);
            let mut run: Machine<'_, S, _, LED, R, K, D> =
                Machine::new(&self.inner.program, place, &mut memory).led_by(mv);
            run.next();
            next = run.position();
        }
        if let Some(by) = self.words().preferred() {
            by.clear(&mut next);
        }
        next
    }

    #[inline]
    fn successors(&self, state: &[S; N]) -> impl Iterator<Item = (Choices, [S; N])> {
        let pass = self.passes(state).then(|| self.turned(state));
        if self.runs(state) {
            return Either::Run(Successors { pass, ..self.run_successors(state) });
        }
        let mut found = Vec::new();
        let _ = self.each_successor(state, |mv, next| {
            found.push((mv, *next));
            Ok::<(), Infallible>(())
        });
        Either::Found(found.into_iter())
    }

    #[inline]
    fn each_successor<E>(
        &self,
        state: &[S; N],
        mut visit: impl FnMut(Choices, &[S; N]) -> Result<(), E>,
    ) -> Result<(), E> {
        match self.words().preferred() {
            Some(by) => {
                self.preferred(state, by).into_iter().try_for_each(|(mv, next)| visit(mv, &next))?
            }
            None => self.each_way(state, &mut visit)?,
        }
        match self.passes(state) {
            true => visit(Choices::NONE, &self.turned(state)),
            false => Ok(()),
        }
    }

    fn move_text(&self, mv: Choices) -> String {
        move_in_words(&self.inner.rules, mv)
    }

    fn max_value(&self) -> i32 {
        let [least, max] = self.inner.values;
        max.max(-least).max(1)
    }

    fn endless(&self, state: &[S; N]) -> Outcome {
        let rules = &self.inner.rules;
        Outcome(match rules.endless {
            Number::Value(value) => value.clamp(-MAX_SCORE, MAX_SCORE) as i32,
            _ => interpret::score(rules, &self.unpack(state), &rules.endless),
        })
    }
}
