//! What a game from text promises: how positions are written, drawn and numbered.

use foregone_rules::kit::Board;
use foregone_rules::promise::{
    Actions, Acyclic, Candidates, Encode, NoBank, Notation, Picture, Promises, SearchHints,
    Symmetry,
};
use foregone_rules::show::{Drawing, Scene};
use foregone_rules::{Game, Invalid, Value};

use crate::actions::Numbering;
use crate::choices::{Choice, Choices};
use crate::game::TextGame;
use crate::machine::{Word, Words};
use crate::{notation, picture};

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Notation
    for TextGame<S, N, R, K, D>
{
    fn format(&self, state: &[S; N]) -> String {
        notation::format(self.rules(), self.side_names(), &self.unpack(state))
    }

    fn parse(&self, text: &str) -> Result<[S; N], Invalid> {
        let position = notation::parse(self.rules(), self.side_names(), text)?;
        Ok(self.pack(&position))
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Picture
    for TextGame<S, N, R, K, D>
{
    fn draw(&self, state: &[S; N]) -> Drawing {
        let board: &Board = self.board();
        let mut targets = vec![false; board.len()];
        if self.outcome(state).is_none() {
            for place in self.moves(state).filter_map(|mv| self.places(mv).pop()) {
                // Stores are no cells of the kit's board.
                targets.get_mut(place).into_iter().for_each(|target| *target = true);
            }
        }
        let on_board = picture::on_board(self.rules(), &self.unpack(state));
        let drawing = match &self.rules().board.sketch {
            Some(sketch) => picture::sketch(sketch, board, &on_board, &targets),
            None => board.draw(&on_board, &targets),
        };
        drawing.with_caption(self.caption(state, &|_| false))
    }

    fn scene(&self, state: &[S; N]) -> Scene {
        let (rules, position) = (self.rules(), self.unpack(state));
        let mut scene = self.board().scene(&picture::on_board(rules, &position), &[]);
        if !picture::shows_numbers(rules) {
            picture::add_counts(rules, &position, &mut scene);
            picture::add_hands(rules, &position, &mut scene);
            // What will be moved next is nothing when the game is over.
            if self.outcome(state).is_none() {
                picture::add_beside(rules, &position, &mut scene);
            }
        }
        scene.with_caption(self.caption(state, &|name| picture::draws(rules, name)))
    }

    /// For each cell the number of its piece; then for each mark whether it is there; then the counts of the cells, and
    /// the other numbers.
    fn contents(&self, state: &[S; N], out: &mut Vec<i16>) {
        let (rules, position) = (self.rules(), self.unpack(state));
        let cells = rules.board.cells.len();
        let (pieces, marks) = position.sets.split_at(rules.layout.pieces);
        let first = out.len();
        out.resize(first + cells, 0);
        for (set, number) in pieces.iter().zip(self.piece_numbers()) {
            (0..cells).filter(|at| set >> at & 1 == 1).for_each(|at| out[first + at] = *number);
        }
        for set in marks {
            out.extend((0..cells).map(|at| (set >> at & 1) as i16));
        }
        let small = |number: &i32| (*number).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        out.extend(position.counts.iter().flatten().chain(&position.numbers).map(small));
    }

    /// The cells that are chosen, in their order. Moves that differ only in other choices, in words and numbers,
    /// have the same.
    fn clicks(&self, _: &[S; N], mv: Choices) -> Vec<usize> {
        mv.iter().filter_map(|choice| self.place(choice)).collect()
    }

    fn clicks_decide(&self) -> bool {
        false
    }
}

/// Only promised of games with few enough moves.
impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Actions
    for TextGame<S, N, R, K, D>
{
    fn actions(&self) -> usize {
        self.numbering().map_or(0, Numbering::count)
    }

    fn action(&self, mv: Choices) -> usize {
        self.numbering().map_or(0, |numbering| numbering.number(mv))
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Symmetry
    for TextGame<S, N, R, K, D>
{
    fn representative(&self, state: &[S; N]) -> [S; N] {
        if self.images().are_none() {
            return *state;
        }
        self.guard(state);
        self.images().least(self.words(), state)
    }

    /// Pieces that are not told apart can be of any kind on each cell.
    fn images(&self) -> u64 {
        match self.images().merges() {
            true => u64::MAX,
            false => self.images().count(),
        }
    }

    fn image(&self, state: &[S; N], number: u64) -> Option<[S; N]> {
        self.images().nth(self.words(), state, number)
    }

    fn exchanges(&self) -> bool {
        self.images().exchange()
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Acyclic
    for TextGame<S, N, R, K, D>
{
    fn progress(&self, state: &[S; N]) -> u32 {
        self.progress_of(state)
    }

    fn is_acyclic(&self) -> bool {
        self.cannot_loop()
    }
}

/// Keys are codes. Whether a move ends the game at once is known before it is searched, and which moves
/// are good is learned.
impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> SearchHints
    for TextGame<S, N, R, K, D>
{
    fn key_bits(&self) -> u32 {
        let of_code = || self.code().map_or(1, |code| code.open_bits.clamp(1, u64::BITS));
        self.short_key().map_or_else(of_code, |key| key.bits)
    }

    /// Positions with a result are not looked up.
    #[inline]
    fn key(&self, state: &[S; N]) -> Option<(u64, Value)> {
        match Words::result(state[Words::REST]) {
            Some(_) => None,
            None => self.number_of(state),
        }
    }

    fn near_end(&self, _: &[S; N]) -> bool {
        false
    }

    #[inline]
    fn quick_bounds(&self, state: &[S; N]) -> (Value, Value) {
        self.bounds_of(state)
    }

    #[inline]
    fn bounds_and_moves(
        &self,
        state: &[S; N],
        moves: &mut Candidates<'_, Choices>,
    ) -> (Value, Value) {
        let (least, max) = self.bounds_of(state);
        if least < max {
            self.each_move(state, |mv| {
                moves.push(0, mv);
                !moves.is_full()
            });
        }
        (least, max)
    }

    #[inline]
    fn priority(&self, state: &[S; N], mv: Choices) -> i32 {
        self.promise_of(state, mv)
    }

    fn history_slots(&self) -> usize {
        2 << 14
    }

    #[inline]
    fn history_slot(&self, state: &[S; N], mv: Choices) -> usize {
        self.turn(state).index() << 14 | mv.ends()
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Encode
    for TextGame<S, N, R, K, D>
{
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        self.code().map_or(0, |code| code.bits)
    }

    fn encode(&self, state: &[S; N]) -> u128 {
        self.code().map_or(0, |code| code.encode(self.words(), state))
    }

    fn decode(&self, code: u128) -> [S; N] {
        match self.code() {
            Some(codes) => self.pack(&codes.decode(self.rules(), code)),
            None => self.start(),
        }
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>
    TextGame<S, N, R, K, D>
{
    /// What the board does not show, in lines, but what the picture shows.
    fn caption(&self, state: &[S; N], is_shown: &dyn Fn(&str) -> bool) -> Vec<String> {
        let rules = self.rules();
        match picture::shows_numbers(rules) && rules.marks.is_empty() {
            true => Vec::new(),
            false => {
                let position = self.unpack(state);
                notation::beside_the_board(rules, self.side_names(), &position, is_shown)
            }
        }
    }

    /// The places of the cells that a move chooses, in order; none if it has other choices.
    fn places(&self, mv: Choices) -> Vec<usize> {
        mv.iter().map(|choice| self.place(choice)).collect::<Option<_>>().unwrap_or_default()
    }

    /// The place of a cell that is chosen; `None` if the choice is another.
    fn place(&self, choice: Choice) -> Option<usize> {
        match choice {
            Choice::Cell(cell) => Some(picture::place(self.rules(), cell.into())),
            Choice::Number(_) | Choice::Label(_) => None,
        }
    }

    /// Whether exact search can be used.
    pub(crate) fn has_hints(&self) -> bool {
        let few_bits = || self.code().is_some_and(|code| code.open_bits <= u64::BITS);
        self.cannot_loop() && (self.short_key().is_some() || few_bits())
    }

    /// Tells what this game promises, which depends on its text.
    pub fn promise(&self, promises: &mut impl Promises<Self>) {
        promises.notation();
        promises.picture();
        promises.symmetry();
        if self.numbering().is_some() {
            promises.actions();
        }
        if self.code().is_some() {
            promises.encode();
            promises.keyed();
            promises.tables_by_key();
        }
        if self.cannot_loop() {
            promises.acyclic();
        }
        if self.has_hints() {
            promises.search_hints();
        }
    }
}
