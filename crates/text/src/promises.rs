//! What a game from text promises: how positions are written, drawn and numbered.

use foregone_rules::kit::Board;
use foregone_rules::promise::{
    Acyclic, Candidates, Encode, NoBank, Notation, Picture, Promises, SearchHints, Symmetry,
};
use foregone_rules::show::{Drawing, Scene};
use foregone_rules::{Game, Invalid, Value};

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
        drawing.with_caption(self.caption(state))
    }

    fn scene(&self, state: &[S; N]) -> Scene {
        let on_board = picture::on_board(self.rules(), &self.unpack(state));
        self.board().scene(&on_board, &[]).with_caption(self.caption(state))
    }

    /// The cells that are chosen. A move with other choices, or with the same cells in another order
    /// than another move, is chosen by its text.
    fn clicks(&self, state: &[S; N], mv: Choices) -> Vec<usize> {
        let places = self.places(mv);
        let sorted = |mut places: Vec<usize>| {
            places.sort_unstable();
            places
        };
        let own = sorted(places.clone());
        let alone =
            self.moves(state).filter(|other| sorted(self.places(*other)) == own).count() == 1;
        if alone { places } else { Vec::new() }
    }
}

impl<S: Word, const N: usize, const R: usize, const K: usize, const D: usize> Symmetry
    for TextGame<S, N, R, K, D>
{
    fn representative(&self, state: &[S; N]) -> [S; N] {
        self.images().least(self.words(), state)
    }

    /// Pieces that are not told apart can be of any kind on each cell.
    fn images(&self) -> u64 {
        match self.images().merges() {
            true => u64::MAX,
            false => self.images().count(),
        }
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
        self.code().map_or(1, |code| code.open_bits.clamp(1, u64::BITS))
    }

    /// Positions with a result are not looked up.
    #[inline]
    fn key(&self, state: &[S; N]) -> Option<(u64, Value)> {
        let open = Words::result(state[Words::REST]).is_none();
        open.then(|| (self.encode(&self.representative(state)) as u64, Value(0)))
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
        for mv in self.moves(state) {
            if moves.is_full() {
                break;
            }
            moves.push(0, mv);
        }
        self.bounds_of(state)
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
    /// What the board does not show, in lines.
    fn caption(&self, state: &[S; N]) -> Vec<String> {
        let rules = self.rules();
        // Two rows of pits show their counts.
        match picture::shows_counts(rules) && rules.marks.is_empty() && rules.numbers.is_empty() {
            true => Vec::new(),
            false => notation::beside_the_board(rules, self.side_names(), &self.unpack(state)),
        }
    }

    /// The places of the cells that a move chooses, in order; none if it has other choices.
    fn places(&self, mv: Choices) -> Vec<usize> {
        let place = |choice| match choice {
            Choice::Cell(cell) => Some(picture::place(self.rules(), cell.into())),
            Choice::Number(_) | Choice::Label(_) => None,
        };
        mv.iter().map(place).collect::<Option<_>>().unwrap_or_default()
    }

    /// Whether exact search can be used.
    pub(crate) fn has_hints(&self) -> bool {
        self.cannot_loop() && self.code().is_some_and(|code| code.open_bits <= u64::BITS)
    }

    /// Tells what this game promises, which depends on its text.
    pub fn promise(&self, promises: &mut impl Promises<Self>) {
        promises.notation();
        promises.picture();
        promises.symmetry();
        if self.code().is_some() {
            promises.encode();
            promises.keyed();
        }
        if self.cannot_loop() {
            promises.acyclic();
        }
        if self.has_hints() {
            promises.search_hints();
        }
    }
}
