//! A game that makes every promise and keeps it. Its functions are fields, so that a flaw is one field
//! with another function in it.

use std::fmt;
use std::ops::Range;

use foregone_rules::{
    Acyclic, Area, Band, BandMove, Banded, Banked, Block, Candidates, Drawing, Encode, Evaluate,
    Game, Grid, Indexed, Ink, Invalid, Line, Loose, Notation, Order, Outcome, Picture, Places,
    PointBank, Scene, SearchHints, Shape, Side, Split, Symmetry, Target, Value, Way,
};

/// Sticks, and a token on a row of fields. A move takes a stick (which banks a point where the token is
/// at an end of the row) or moves the token by one and throws a stick away; or it throws two sticks
/// away, and the same side moves again. When no stick is left, the side to move gets a point more
/// unless the token is at an end.
///
/// Positions are alike if the row or the sides are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub left: u8,
    pub token: u16,
    pub lead: i32,
    pub turn: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Take,
    Wait,
    Left,
    Right,
}

/// A move, and how it shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move(pub Kind, pub &'static str);

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.1)
    }
}

const MOVES: [Move; 4] = [
    Move(Kind::Take, "take"),
    Move(Kind::Wait, "wait"),
    Move(Kind::Left, "left"),
    Move(Kind::Right, "right"),
];

/// A function that sees bands.
pub type Visit<'v, 'g> = &'v mut dyn FnMut(&Band<'g>);

macro_rules! toy {
    ($($name:ident($($type:ty),*) -> $result:ty;)*) => {
        /// The game, by its size and its functions.
        pub struct Toy {
            pub sticks: u8,
            pub fields: u16,
            $(pub $name: fn(&Toy, $($type),*) -> $result,)*
            pub bands: for<'g> fn(&'g Toy, u32, &Block, Visit<'_, 'g>),
        }

        impl Toy {
            /// The game that keeps its promises.
            pub fn new() -> Toy {
                Toy { sticks: 5, fields: 4, $($name: right::$name,)* bands: right::bands }
            }
        }
    };
}

toy! {
    start() -> State;
    turn(&State) -> Side;
    outcome(&State) -> Option<Outcome>;
    moves(&State) -> Vec<Move>;
    play(&State, Move) -> State;
    successors(&State) -> Vec<(Move, State)>;
    visited(&State) -> Vec<(Move, State)>;
    endless(&State) -> Outcome;
    format(&State) -> String;
    parse(&str) -> Result<State, Invalid>;
    draw(&State) -> Drawing;
    scene(&State) -> Scene;
    contents(&State) -> Vec<i16>;
    clicks(&State, Move) -> Vec<usize>;
    destination(&State, Move) -> Option<usize>;
    progress(&State) -> u32;
    plies_left(&State) -> Option<u32>;
    is_acyclic() -> bool;
    evaluate(&State) -> Outcome;
    representative(&State) -> State;
    exchanges() -> bool;
    images() -> u64;
    image(&State, u64) -> Option<State>;
    banked(&State) -> Value;
    unbanked(&State) -> State;
    bits() -> u32;
    encode(&State) -> u128;
    decode(u128) -> State;
    layers() -> u32;
    size(u32) -> u64;
    index(&State) -> (u32, u64);
    layer(&State) -> u32;
    state(u32, u64) -> Option<State>;
    states(u32, Range<u64>) -> Vec<(u64, State)>;
    layers_after(u32) -> Vec<u32>;
    predecessors(&State) -> Option<Vec<State>>;
    merges() -> bool;
    max_value_in(u32) -> i32;
    blocks(u32) -> Vec<Block>;
    across() -> bool;
    order(&State, Move) -> i32;
    key_bits() -> u32;
    key(&State) -> Option<(u64, Value)>;
    quick_bounds(&State) -> (Value, Value);
    bounds_and_moves(&State, &mut Candidates<'_, Move>) -> (Value, Value);
    priority(&State, Move) -> i32;
    endgame(&State) -> u32;
    history_slots() -> usize;
    history_slot(&State, Move) -> usize;
}

/// What the functions are in the game that keeps its promises.
pub mod right {
    use super::*;

    /// Which of alike fields the token is on: how far from the nearer end.
    pub fn nearest(toy: &Toy, token: u16) -> u64 {
        token.min(toy.fields - 1 - token).into()
    }

    pub fn nearests(toy: &Toy) -> u64 {
        toy.fields.div_ceil(2).into()
    }

    pub fn start(toy: &Toy) -> State {
        State { left: toy.sticks, token: toy.fields / 2 - 1, lead: 0, turn: Side::First }
    }

    pub fn turn(_: &Toy, state: &State) -> Side {
        state.turn
    }

    /// What the side to move gets in the end beyond what is banked.
    pub fn bonus(toy: &Toy, token: u16) -> Value {
        Value(i32::from(nearest(toy, token) > 0))
    }

    pub fn outcome(toy: &Toy, state: &State) -> Option<Outcome> {
        let bonus = bonus(toy, state.token).outcome_for(state.turn);
        (state.left == 0).then_some(Outcome(state.lead + bonus.0))
    }

    /// What it yields of a position that is over must not be used: `play` fails.
    pub fn moves(toy: &Toy, state: &State) -> Vec<Move> {
        let legal = |mv: &Move| match mv.0 {
            Kind::Take => true,
            Kind::Wait => state.left >= 2,
            Kind::Left => state.token > 0,
            Kind::Right => state.token + 1 < toy.fields,
        };
        MOVES.into_iter().filter(legal).collect()
    }

    pub fn successors(toy: &Toy, state: &State) -> Vec<(Move, State)> {
        (toy.moves)(toy, state).into_iter().map(|mv| (mv, (toy.play)(toy, state, mv))).collect()
    }

    pub fn visited(toy: &Toy, state: &State) -> Vec<(Move, State)> {
        (toy.successors)(toy, state)
    }

    pub fn play(toy: &Toy, state: &State, mv: Move) -> State {
        let State { left, token, lead, turn } = *state;
        let other = turn.other();
        match mv.0 {
            Kind::Take => {
                let gain = Value(1 - bonus(toy, token).0).outcome_for(turn).0;
                State { left: left - 1, lead: lead + gain, turn: other, token }
            }
            Kind::Wait => State { left: left - 2, ..*state },
            Kind::Left => State { left: left - 1, token: token - 1, turn: other, lead },
            Kind::Right => State { left: left - 1, token: token + 1, turn: other, lead },
        }
    }

    /// Nothing but what is banked.
    pub fn endless(_: &Toy, state: &State) -> Outcome {
        Outcome(state.lead)
    }

    pub fn format(_: &Toy, state: &State) -> String {
        let State { left, token, lead, turn } = state;
        format!("{left} {token} {lead} {turn:?}")
    }

    pub fn parse(toy: &Toy, text: &str) -> Result<State, Invalid> {
        let parsed = || {
            let words: Vec<_> = text.split(' ').collect();
            let [left, token, lead, turn] = words[..] else { return None };
            let [left, token] = [left, token].map(str::parse);
            let turn = Side::BOTH.into_iter().find(|side| format!("{side:?}") == turn)?;
            Some(State {
                left: left.ok()? as u8,
                token: token.ok()?,
                lead: lead.parse().ok()?,
                turn,
            })
        };
        let state = parsed().filter(|state| state.token < toy.fields && format(toy, state) == text);
        state.ok_or_else(|| Invalid::new(text, "a position"))
    }

    pub fn draw(toy: &Toy, _: &State) -> Drawing {
        let mut grid =
            Grid::new(toy.fields.into(), vec![Default::default(); 2 * usize::from(toy.fields)]);
        grid.row_labels = vec!["1".to_owned(), "2".to_owned()];
        Drawing::Grid(grid)
    }

    /// A square for each field, which fill the scene.
    pub fn scene(toy: &Toy, state: &State) -> Scene {
        let mut scene = Scene::new(toy.fields.into(), 2.0);
        for column in 0..usize::from(toy.fields) {
            let area = Area { height: 2.0, ..Area::square(column, 0) };
            scene.place(column.to_string(), area, usize::from(state.token) == column);
        }
        scene.shapes.push(Shape::Disc([0.5, 0.5], 0.5, Ink::Seed));
        scene
    }

    pub fn contents(_: &Toy, state: &State) -> Vec<i16> {
        vec![state.left.into(), state.token as i16, state.lead as i16]
    }

    pub fn clicks(_: &Toy, state: &State, mv: Move) -> Vec<usize> {
        let token = usize::from(state.token);
        match mv.0 {
            // Once would begin a move to the right.
            Kind::Take => vec![token, token],
            Kind::Wait => vec![],
            Kind::Left => vec![token - 1],
            Kind::Right => vec![token, token + 1],
        }
    }

    pub fn destination(_: &Toy, state: &State, mv: Move) -> Option<usize> {
        (mv.0 == Kind::Wait).then_some(state.token.into())
    }

    pub fn progress(_: &Toy, state: &State) -> u32 {
        u8::MAX.abs_diff(state.left).into()
    }

    pub fn plies_left(_: &Toy, state: &State) -> Option<u32> {
        Some(state.left.into())
    }

    pub fn is_acyclic(_: &Toy) -> bool {
        true
    }

    /// Must not be asked for where play is over.
    pub fn evaluate(_: &Toy, state: &State) -> Outcome {
        Outcome(if state.left == 0 { i32::MAX } else { -Outcome::LIMIT })
    }

    pub fn representative(toy: &Toy, state: &State) -> State {
        let token = nearest(toy, state.token) as u16;
        State { token, lead: banked(toy, state).0, turn: Side::First, ..*state }
    }

    pub fn images(_: &Toy) -> u64 {
        4
    }

    /// The field reflected, the sides exchanged, or both.
    pub fn image(toy: &Toy, state: &State, number: u64) -> Option<State> {
        let reflected = State { token: toy.fields - 1 - state.token, ..*state };
        let image = if number.is_multiple_of(2) { *state } else { reflected };
        match number / 2 {
            0 => Some(image),
            1 => Some(State { lead: -image.lead, turn: image.turn.other(), ..image }),
            _ => None,
        }
    }

    pub fn exchanges(_: &Toy) -> bool {
        true
    }

    pub fn banked(_: &Toy, state: &State) -> Value {
        Outcome(state.lead).value_for(state.turn)
    }

    pub fn unbanked(_: &Toy, state: &State) -> State {
        State { lead: 0, ..*state }
    }

    pub fn bits(_: &Toy) -> u32 {
        33
    }

    pub fn encode(_: &Toy, state: &State) -> u128 {
        let State { left, token, lead, turn } = *state;
        let words = [left.into(), token, (lead + 128) as u16, turn.index() as u16];
        let widths = [8, 16, 8, 1];
        words.into_iter().zip(widths).fold(0, |all, (word, width)| all << width | u128::from(word))
    }

    pub fn decode(toy: &Toy, code: u128) -> State {
        State {
            left: (code >> 25) as u8,
            token: ((code >> 9) as u16).min(toy.fields - 1),
            lead: i32::from((code >> 1) as u8) - 128,
            turn: Side::BOTH[code as usize & 1],
        }
    }

    pub fn layers(toy: &Toy) -> u32 {
        u32::from(toy.sticks) / 2 + 1
    }

    /// How many numbers there are for a number of sticks: every second stands for no position.
    pub fn width(toy: &Toy) -> u64 {
        2 * nearests(toy)
    }

    pub fn size(toy: &Toy, _: u32) -> u64 {
        2 * width(toy)
    }

    pub fn place(toy: &Toy, left: u8, nearest: u64) -> (u32, u64) {
        (u32::from(left) / 2, u64::from(left) % 2 * width(toy) + 2 * nearest)
    }

    pub fn index(toy: &Toy, state: &State) -> (u32, u64) {
        place(toy, state.left, nearest(toy, state.token))
    }

    pub fn layer(_: &Toy, state: &State) -> u32 {
        u32::from(state.left) / 2
    }

    pub fn state(toy: &Toy, layer: u32, index: u64) -> Option<State> {
        let left = (2 * u64::from(layer) + index / width(toy)) as u8;
        let token = (index % width(toy) / 2) as u16;
        let is_there = layer < layers(toy) && index < size(toy, layer) && index.is_multiple_of(2);
        is_there.then_some(State { left, token, lead: 0, turn: Side::First })
    }

    pub fn states(toy: &Toy, layer: u32, part: Range<u64>) -> Vec<(u64, State)> {
        part.filter_map(|index| Some((index, (toy.state)(toy, layer, index)?))).collect()
    }

    pub fn layers_after(_: &Toy, layer: u32) -> Vec<u32> {
        (layer.saturating_sub(1)..=layer).collect()
    }

    /// With an odd number of sticks no move leads here from the same layer.
    pub fn predecessors(toy: &Toy, state: &State) -> Option<Vec<State>> {
        let earlier = earlier(toy, state).into_iter();
        Some(earlier.filter(|earlier| earlier.left / 2 == state.left / 2).collect())
    }

    pub fn merges(_: &Toy) -> bool {
        true
    }

    pub fn max_value_in(_: &Toy, layers: u32) -> i32 {
        2 * layers as i32
    }

    /// See [`bands`].
    pub fn across(toy: &Toy) -> bool {
        nearests(toy) as usize <= LEN
    }

    pub fn blocks(toy: &Toy, _: u32) -> Vec<Block> {
        let (width, places) = (width(toy), if across(toy) { nearests(toy) as u32 } else { 2 });
        [0..width, width..2 * width]
            .into_iter()
            .zip(0..)
            .map(|(numbers, wave)| Block { wave, numbers, places, region: 0 })
            .collect()
    }

    /// Wider boards than this have a band for each field.
    const LEN: usize = 64;

    const fn pairs(from: u32, to: u32) -> [(u32, u32); LEN] {
        let (mut pairs, mut at) = ([(0, 0); LEN], 0);
        while at < LEN as u32 {
            pairs[at as usize] = (from + at, to + at);
            at += 1;
        }
        pairs
    }

    /// Where the token is at an end, and where it is not.
    static ENDS: [u8; LEN] = {
        let mut ends = [1; LEN];
        ends[0] = 0;
        ends
    };
    static DOWN: [(u32, u32); LEN] = pairs(1, 0);
    static UP: [(u32, u32); LEN] = pairs(0, 1);
    static SAME: [u32; LEN] = {
        let (mut same, mut at) = ([0; LEN], 0);
        while at < LEN {
            same[at] = at as u32;
            at += 1;
        }
        same
    };

    /// A move to a line of the block with a number of sticks; the turn passes, and nothing is banked.
    fn to<'g>(left: u8, line: Line, places: Places<'g>) -> BandMove<'g> {
        let to = Target { layer: u32::from(left / 2), block: u32::from(left % 2), line };
        BandMove { to: Some(to), passes: true, gain: 0, places }
    }

    /// A band has all fields, or only one on a wide board.
    pub fn bands<'g>(toy: &'g Toy, layer: u32, block: &Block, visit: Visit<'_, 'g>) {
        let left = (2 * u64::from(layer) + block.numbers.start / width(toy)) as u8;
        let fields = nearests(toy) as u32;
        match across(toy) {
            true => wide(toy, left, fields, visit),
            false => narrow(toy, left, fields, visit),
        }
    }

    /// Every second number is one of a field.
    fn wide<'g>(toy: &'g Toy, left: u8, len: u32, visit: Visit<'_, 'g>) {
        let mut band = Band::default();
        let line = |nth| Line { nth, len, across: true };
        // What is said of moves of places that are missing does not matter.
        band.begin(1, len);
        band.missing = (0..len).collect();
        band.moves.push(to(0, line(0), Places::Same));
        visit(&band);
        band.begin(0, len);
        if left == 0 {
            band.over = (0..len).map(|place| (place, bonus(toy, place as u16))).collect();
            visit(&band);
            return;
        }
        let rest = len as usize - 1;
        if left >= 2 {
            band.moves.push(BandMove { passes: false, ..to(left - 2, line(0), Places::Same) });
        }
        // A stick is taken.
        let target = to(left - 1, line(0), Places::Same).to;
        band.ways.extend([1, 0].map(|gain| Way { to: target, gain }));
        let (which, stay) = (&ENDS[..len as usize], &SAME[..len as usize]);
        band.splits.push(Split { passes: true, which, to: stay, ways: 0..2 });
        for places in [&DOWN[..rest], &UP[..rest]] {
            band.moves.push(to(left - 1, line(0), Places::Pairs(places)));
        }
        // Beyond the middle the token is as near to the other end.
        let last = place(toy, left - 1, rest as u64);
        band.loose.push(Loose { place: rest as u32, to: last, passes: true, gain: 0 });
        // Where no position is, there is no such move.
        band.moves.push(to(left - 1, line(1), Places::To(&SAME[..len as usize])));
        visit(&band);
    }

    /// A field, and a number without a position.
    pub fn narrow<'g>(toy: &'g Toy, left: u8, fields: u32, visit: Visit<'_, 'g>) {
        for nth in 0..fields {
            let mut band = Band::default();
            let line = |nth| Line { nth, len: 2, across: false };
            band.begin(nth, 2);
            band.missing.push(1);
            if left == 0 {
                band.over.push((0, bonus(toy, nth as u16)));
                visit(&band);
                continue;
            }
            if left >= 2 {
                band.moves
                    .push(BandMove { passes: false, ..to(left - 2, line(nth), Places::Same) });
            }
            let gain = bonus(toy, nth as u16).0;
            let stay = to(left - 1, line(nth), Places::Same);
            band.moves.push(BandMove { gain: 1 - gain, ..stay });
            if nth > 0 {
                band.moves.push(to(left - 1, line(nth - 1), Places::Same));
            }
            let up = (nth + 1).min(fields - 1);
            band.moves.push(to(left - 1, line(up), Places::Same));
            visit(&band);
        }
    }

    /// All positions one move earlier, of whatever layer.
    pub fn earlier(toy: &Toy, state: &State) -> Vec<State> {
        let State { left, token, lead, turn } = *state;
        let other = turn.other();
        let gain = Value(1 - bonus(toy, token).0).outcome_for(other).0;
        let mut all = vec![
            State { left: left + 1, lead: lead - gain, turn: other, token },
            State { left: left + 2, ..*state },
        ];
        let moved = |token| State { left: left + 1, turn: other, token, lead };
        all.extend((token + 1 < toy.fields).then(|| moved(token + 1)));
        all.extend(token.checked_sub(1).map(moved));
        all
    }

    pub fn order(_: &Toy, _: &State, mv: Move) -> i32 {
        mv.0 as i32
    }

    pub fn key_bits(_: &Toy) -> u32 {
        4
    }

    pub fn key(toy: &Toy, state: &State) -> Option<(u64, Value)> {
        let number = u64::from(state.left) * nearests(toy) + nearest(toy, state.token);
        Some((number, banked(toy, state)))
    }

    pub fn quick_bounds(toy: &Toy, state: &State) -> (Value, Value) {
        let (Value(banked), max) = (banked(toy, state), i32::from(state.left) + 1);
        (Value(banked - max), Value(banked + max))
    }

    /// With one stick left, the value itself; it gives no moves then.
    pub fn bounds_and_moves(
        toy: &Toy,
        state: &State,
        list: &mut Candidates<'_, Move>,
    ) -> (Value, Value) {
        if state.left == 1 {
            let value = |mv| {
                let child = play(toy, state, mv);
                outcome(toy, &child).map(|outcome| outcome.value_for(state.turn))
            };
            let best = moves(toy, state).into_iter().filter_map(value).max();
            return best.map_or((Value(0), Value(0)), |best| (best, best));
        }
        moves(toy, state).into_iter().for_each(|mv| list.push(0, mv));
        quick_bounds(toy, state)
    }

    pub fn priority(_: &Toy, _: &State, _: Move) -> i32 {
        1 << 20
    }

    pub fn endgame(toy: &Toy, state: &State) -> u32 {
        layer(toy, state)
    }

    pub fn history_slots(_: &Toy) -> usize {
        4
    }

    pub fn history_slot(_: &Toy, _: &State, mv: Move) -> usize {
        mv.0 as usize
    }
}

impl Game for Toy {
    type State = State;
    type Move = Move;

    fn start(&self) -> State {
        (self.start)(self)
    }
    fn turn(&self, state: &State) -> Side {
        (self.turn)(self, state)
    }
    fn outcome(&self, state: &State) -> Option<Outcome> {
        (self.outcome)(self, state)
    }
    fn moves(&self, state: &State) -> impl Iterator<Item = Move> {
        (self.moves)(self, state).into_iter()
    }
    fn play(&self, state: &State, mv: Move) -> State {
        (self.play)(self, state, mv)
    }
    fn successors(&self, state: &State) -> impl Iterator<Item = (Move, State)> {
        (self.successors)(self, state).into_iter()
    }
    fn each_successor<E>(
        &self,
        state: &State,
        mut visit: impl FnMut(Move, &State) -> Result<(), E>,
    ) -> Result<(), E> {
        (self.visited)(self, state).into_iter().try_for_each(|(mv, next)| visit(mv, &next))
    }
    fn endless(&self, state: &State) -> Outcome {
        (self.endless)(self, state)
    }
}

foregone_rules::declare!(Toy);

impl Notation for Toy {
    fn format(&self, state: &State) -> String {
        (self.format)(self, state)
    }
    fn parse(&self, text: &str) -> Result<State, Invalid> {
        (self.parse)(self, text)
    }
}

impl Picture for Toy {
    fn draw(&self, state: &State) -> Drawing {
        (self.draw)(self, state)
    }
    fn scene(&self, state: &State) -> Scene {
        (self.scene)(self, state)
    }
    fn contents(&self, state: &State, out: &mut Vec<i16>) {
        out.extend((self.contents)(self, state));
    }
    fn clicks(&self, state: &State, mv: Move) -> Vec<usize> {
        (self.clicks)(self, state, mv)
    }
    fn destination(&self, state: &State, mv: Move) -> Option<usize> {
        (self.destination)(self, state, mv)
    }
}

impl Acyclic for Toy {
    fn progress(&self, state: &State) -> u32 {
        (self.progress)(self, state)
    }
    fn plies_left(&self, state: &State) -> Option<u32> {
        (self.plies_left)(self, state)
    }
    fn is_acyclic(&self) -> bool {
        (self.is_acyclic)(self)
    }
}

impl Evaluate for Toy {
    fn evaluate(&self, state: &State) -> Outcome {
        (self.evaluate)(self, state)
    }
}

impl Symmetry for Toy {
    fn representative(&self, state: &State) -> State {
        (self.representative)(self, state)
    }
    fn exchanges(&self) -> bool {
        (self.exchanges)(self)
    }
    fn images(&self) -> u64 {
        (self.images)(self)
    }
    fn image(&self, state: &State, number: u64) -> Option<State> {
        (self.image)(self, state, number)
    }
}

impl Banked for Toy {
    fn banked(&self, state: &State) -> Value {
        (self.banked)(self, state)
    }
    fn unbanked(&self, state: &State) -> State {
        (self.unbanked)(self, state)
    }
}

impl Encode for Toy {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        (self.bits)(self)
    }
    fn encode(&self, state: &State) -> u128 {
        (self.encode)(self, state)
    }
    fn decode(&self, code: u128) -> State {
        (self.decode)(self, code)
    }
}

impl Indexed for Toy {
    type Bank = PointBank;

    fn layers(&self) -> u32 {
        (self.layers)(self)
    }
    fn size(&self, layer: u32) -> u64 {
        (self.size)(self, layer)
    }
    fn index(&self, state: &State) -> (u32, u64) {
        (self.index)(self, state)
    }
    fn layer(&self, state: &State) -> u32 {
        (self.layer)(self, state)
    }
    fn state(&self, layer: u32, index: u64) -> Option<State> {
        (self.state)(self, layer, index)
    }
    fn states(&self, layer: u32, part: Range<u64>) -> impl Iterator<Item = (u64, State)> {
        (self.states)(self, layer, part).into_iter()
    }
    fn layers_after(&self, layer: u32) -> Vec<u32> {
        (self.layers_after)(self, layer)
    }
    fn predecessors(&self, state: &State) -> Option<Vec<State>> {
        (self.predecessors)(self, state)
    }
    fn merges(&self) -> bool {
        (self.merges)(self)
    }
}

impl Banded for Toy {
    fn max_value_in(&self, layers: u32) -> i32 {
        (self.max_value_in)(self, layers)
    }
    fn blocks(&self, layer: u32) -> Vec<Block> {
        (self.blocks)(self, layer)
    }
    fn across(&self) -> bool {
        (self.across)(self)
    }
    fn bands<'g>(&'g self, layer: u32, block: &Block, visit: &mut dyn FnMut(&Band<'g>)) {
        (self.bands)(self, layer, block, visit);
    }
}

impl Order for Toy {
    fn order(&self, state: &State, mv: Move) -> i32 {
        (self.order)(self, state, mv)
    }
}

impl SearchHints for Toy {
    fn key_bits(&self) -> u32 {
        (self.key_bits)(self)
    }
    fn key(&self, state: &State) -> Option<(u64, Value)> {
        (self.key)(self, state)
    }
    fn near_end(&self, _: &State) -> bool {
        false
    }
    fn quick_bounds(&self, state: &State) -> (Value, Value) {
        (self.quick_bounds)(self, state)
    }
    fn bounds_and_moves(&self, state: &State, moves: &mut Candidates<'_, Move>) -> (Value, Value) {
        (self.bounds_and_moves)(self, state, moves)
    }
    fn priority(&self, state: &State, mv: Move) -> i32 {
        (self.priority)(self, state, mv)
    }
    fn endgame(&self, state: &State) -> u32 {
        (self.endgame)(self, state)
    }
    fn history_slots(&self) -> usize {
        (self.history_slots)(self)
    }
    fn history_slot(&self, state: &State, mv: Move) -> usize {
        (self.history_slot)(self, state, mv)
    }
}
