//! Holds a game to its rules and its promises on thousands of positions, the test that every game
//! must pass.
//!
//! The positions are met in games played at random from a seed. Each check compares a promise with
//! the plain rules alone, so that a wrong promise becomes a failed test and never a wrong answer.
//!
//! ```
//! use foregone_rules::{Conform, games::Mnk};
//!
//! let report = Conform::new(&Mnk::tic_tac_toe()).notation().acyclic().encode().symmetry().finish();
//! println!("{}", report.unwrap());
//! ```

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Debug, Display};

use crate::bands::{Band, Banded, Block, Loose};
use crate::drawing::Drawing;
use crate::game::{Game, Outcome, Side, Value};
use crate::promise::{
    Acyclic, Bank, Banked, Candidates, Encode, Evaluate, Indexed, Merged, Notation, Order, Picture,
    Symmetry,
};
use crate::sample::{Dice, Sample, positions};
use crate::scene::Area;

/// A promise that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The promise: `Game` for the rules themselves, else the name of the trait.
    pub promise: &'static str,
    /// Where: the moves from the start, and the state's debug text.
    pub position: String,
    /// What was expected there.
    pub expected: String,
    /// What was found instead.
    pub found: String,
}

impl Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { promise, position, expected, found } = self;
        write!(f, "{promise} is broken {position}: expected {expected}, found {found}")
    }
}

impl std::error::Error for Broken {}

/// What was checked and found right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many different positions were looked at.
    pub positions: usize,
    /// The promises that were checked, `Game` first.
    pub promises: Vec<&'static str>,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} hold on {} positions", self.promises.join(", "), self.positions)
    }
}

/// A check of a game's promises under way; see the [module](self).
pub struct Conform<'g, G: Game> {
    game: &'g G,
    samples: Vec<Sample<G>>,
    promises: Vec<&'static str>,
    broken: Option<Broken>,
}

type Check = Result<(), (String, String)>;

/// A scene whose places can be picked to make every legal move.
fn pickable<G: Picture>(game: &G, state: &G::State) -> Check {
    let scene = game.scene(state);
    hold(!scene.shapes.is_empty(), "something to see", || "no shapes".to_owned())?;
    let usual = game.scene(&game.start()).places;
    same("as many places as at the start,", usual.len(), scene.places.len())?;
    for (place, usual) in scene.places.iter().zip(&usual) {
        same("a place where it is at the start,", usual.area, place.area)?;
        for Area { x, y, width, height } in [place.area, place.spot] {
            let inside = x >= 0.0 && y >= 0.0 && width > 0.0 && height > 0.0;
            let inside = inside && x + width <= scene.width + 0.01;
            let inside = inside && y + height <= scene.height + 0.01;
            hold(inside, "a place within the scene", || format!("{place:?}"))?;
        }
    }
    if game.outcome(state).is_some() {
        return Ok(());
    }
    let mut known = HashMap::new();
    for mv in game.moves(state) {
        let mut clicks = game.clicks(state, mv);
        let places = clicks.iter().copied().chain(game.destination(state, mv));
        let there = places.max().is_none_or(|last| last < scene.places.len());
        hold(there, &format!("{mv} to pick places that there are"), || format!("{clicks:?}"))?;
        clicks.sort_unstable();
        if !clicks.is_empty()
            && let Some(other) = known.insert(clicks.clone(), mv)
        {
            let found = || format!("{clicks:?} for both");
            hold(false, &format!("{mv} and {other} to pick different places"), found)?;
        }
    }
    Ok(())
}

/// The mismatch of one thing expected and another found, if it is one.
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
    /// Checks the rules themselves on positions of 4000 plies of random play, ready for promises.
    pub fn new(game: &'g G) -> Conform<'g, G> {
        Conform::sampled(game, 4000, 1)
    }

    /// The same on as many positions, met in games that grow from this seed.
    pub fn sampled(game: &'g G, plies: usize, seed: u64) -> Conform<'g, G> {
        let mut met = HashSet::new();
        let samples = positions(game, plies.max(1), seed);
        let samples = samples.into_iter().filter(|sample| met.insert(sample.state)).collect();
        let conform = Conform { game, samples, promises: Vec::new(), broken: None };
        conform.check("Game", rules)
    }

    /// What was checked, or the first promise that was found broken.
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

    /// Checks [`Notation`]: what is formatted parses to the same state; parsing damaged texts
    /// gives an error or a position, never a panic.
    pub fn notation(self) -> Self
    where
        G: Notation,
    {
        self.check("Notation", |game, state| {
            let text = game.format(state);
            hold(!text.contains(['\n', '\r']), "one line of text", || format!("{text:?}"))?;
            same(&format!("`{text}` to parse to"), Ok(*state), game.parse(&text))?;
            let mut dice = Dice::new(text.len() as u64);
            let mut letters: Vec<char> = text.chars().collect();
            let at = dice.below(letters.len().max(1));
            if let Some(letter) = letters.get_mut(at) {
                *letter = ['.', 'X', '9', ' ', '/', ',', 'é', '-'][dice.below(8)];
            }
            letters.truncate(dice.below(2 * letters.len() + 1).max(1));
            let damaged: String = letters.into_iter().collect();
            if let Ok(other) = game.parse(&damaged) {
                let again = game.format(&other);
                same(&format!("`{again}` to parse to"), Ok(other), game.parse(&again))?;
            }
            Ok(())
        })
    }

    /// Checks [`Picture`]: there is one of every position, and it has something to see; the places
    /// are the same everywhere and lie within it; legal moves pick different ones.
    pub fn picture(self) -> Self
    where
        G: Picture,
    {
        self.check("Picture", |game, state| {
            let drawing = game.draw(state);
            if let Drawing::Grid(grid) = &drawing {
                let rows = grid.cells.len() / grid.columns.max(1);
                same("a whole number of rows, squares", rows * grid.columns, grid.cells.len())?;
                let labels = grid.row_labels.len();
                hold(labels == 0 || labels == rows, "a label for each row", || labels.to_string())?;
            }
            let text = drawing.to_string();
            hold(!text.trim().is_empty(), "something to see", || format!("{text:?}"))?;
            pickable(game, state)
        })
    }

    /// Checks [`Acyclic`]: the rank rises with every move (where the promise holds at all).
    pub fn acyclic(self) -> Self
    where
        G: Acyclic,
    {
        if !self.game.is_acyclic() {
            return self;
        }
        self.check("Acyclic", |game, state| {
            let here = game.progress(state);
            for (mv, child) in children(game, state) {
                let there = game.progress(&child);
                let expected = format!("a rank above {here} after {mv}");
                hold(there > here, &expected, || there.to_string())?;
            }
            Ok(())
        })
    }

    /// Checks [`Evaluate`]: an opinion within the range of outcomes.
    pub fn evaluate(self) -> Self
    where
        G: Evaluate,
    {
        self.check("Evaluate", |game, state| match game.outcome(state) {
            Some(_) => Ok(()),
            None => in_range(game.evaluate(state)),
        })
    }

    /// Checks [`Encode`]: the number is within its bits, gives the state back, and belongs to no
    /// other state that was met.
    pub fn encode(self) -> Self
    where
        G: Encode,
    {
        self.check_code(|_, state| *state)
    }

    /// Checks [`Encode`] of what stands for positions in files: representatives, with nothing banked.
    pub fn encode_merged(self) -> Self
    where
        G: Encode + Symmetry,
    {
        self.check_code(|game, state| Merged::of(game, state).state)
    }

    fn check_code(self, representative: impl Fn(&G, &G::State) -> G::State) -> Self
    where
        G: Encode,
    {
        self.check("Encode", |game, state| {
            let state = representative(game, state);
            let code = game.encode(&state);
            let bits = game.bits();
            hold(bits <= 128, "at most 128 bits", || bits.to_string())?;
            let fits = bits == 128 || code >> bits == 0;
            hold(fits, &format!("a number below 2^{bits}"), || code.to_string())?;
            same(&format!("{code} to decode to"), state, game.decode(code))?;
            // Any other number gives some state, too.
            let mut dice = Dice::new(code as u64);
            let other = (0..4).fold(0, |all, _| all << 32 | dice.below(1 << 32) as u128);
            let other = if bits == 128 { other } else { other & ((1 << bits) - 1) };
            game.decode(other);
            (0..bits).for_each(|bit| _ = game.decode(code ^ 1 << bit));
            Ok(())
        })
    }

    /// Checks [`Symmetry`]: a representative is its own; it is over when the state is, with the same
    /// result for its mover; it has the same side to move, unless sides may be exchanged; and the
    /// moves of both lead to positions with the same representatives, each as often, with the same
    /// player moving again or not. (By induction over the length of play, this is what makes their
    /// worths the same.)
    pub fn symmetry(self) -> Self
    where
        G: Symmetry,
    {
        self.check("Symmetry", |game, state| {
            let like = game.representative(state);
            let again = game.representative(&like);
            same("the representative of a representative to be", like, again)?;
            if !game.exchanges() {
                let what = "the same side to move in the representative,";
                same(what, game.turn(state), game.turn(&like))?;
            }
            let what = "the mover's result, as in the representative,";
            same(what, mover_result(game, &like), mover_result(game, state))?;
            let reached = |from: &G::State| {
                let mut reached: HashMap<(G::State, bool), usize> = HashMap::new();
                for (_, child) in children(game, from) {
                    let again = game.turn(&child) == game.turn(from);
                    *reached.entry((game.representative(&child), again)).or_default() += 1;
                }
                reached
            };
            same("children like the representative's,", reached(&like), reached(state))
        })
    }

    /// Checks [`Banked`]: with nothing banked a position is the same but for the points: the same side
    /// moves, it is over when the other is, with a result that differs by what is banked, and each move
    /// leads to the same position but for the points, and gains as many.
    pub fn banked(self) -> Self
    where
        G: Banked,
    {
        self.check("Banked", |game, state| {
            let (bare, Value(banked)) = (game.unbanked(state), game.banked(state));
            same("nothing banked in the position without,", Value(0), game.banked(&bare))?;
            same("the position without a bank to be its own,", bare, game.unbanked(&bare))?;
            same("the same side to move without a bank,", game.turn(state), game.turn(&bare))?;
            let shifted = mover_result(game, &bare).map(|value| value + banked);
            let what = "the mover's result, with what is banked added,";
            same(what, shifted, mover_result(game, state))?;
            let reached = |from: &G::State, banked: i32| -> Vec<_> {
                let reached = children(game, from).map(|(mv, child)| {
                    let Value(then) =
                        game.banked(&child).seen_from(game.turn(&child), game.turn(from));
                    (mv.to_string(), game.unbanked(&child), then - banked)
                });
                reached.collect()
            };
            same("moves as without a bank,", reached(&bare, 0), reached(state, banked))
        })
    }

    /// Checks [`Indexed`]: layer and number are in range and give the state back; no move leads to
    /// a higher layer; a number drawn at random gives nothing or a state that has this number.
    pub fn indexed(self) -> Self
    where
        G: Indexed,
    {
        self.check("Indexed", |game, state| {
            let (layer, index) = game.index(state);
            let layers = game.layers();
            same("the layer of the position,", layer, game.layer(state))?;
            hold(layer < layers, &format!("a layer below {layers}"), || layer.to_string())?;
            let size = game.size(layer);
            let expected = format!("a number below {size} in layer {layer}");
            hold(index < size, &expected, || index.to_string())?;
            let number = format!("number {index} of layer {layer} to be");
            let Some(back) = game.state(layer, index) else {
                return Err((format!("{number} {state:?}"), "nothing".to_owned()));
            };
            match game.merges() {
                false => same(&number, G::Bank::unbanked(game, state), back)?,
                true => {
                    let (here, there) = (game.index(state), game.index(&back));
                    same("the state of a number to have it,", here, there)?;
                    same("nothing banked there,", Value(0), G::Bank::banked(game, &back))?;
                }
            }
            let Value(banked) = G::Bank::banked(game, state);
            let ways = |state: &G::State, banked: i32| -> Vec<_> {
                if let Some(outcome) = game.outcome(state) {
                    return vec![(0, 0, outcome.value_for(game.turn(state)).0 - banked)];
                }
                let mover = game.turn(state);
                let way = |mv| {
                    let child = game.play(state, mv);
                    let (layer, index) = game.index(&child);
                    let after = G::Bank::banked(game, &child).seen_from(game.turn(&child), mover);
                    (layer, index, after.0 - banked)
                };
                let mut ways: Vec<_> = game.moves(state).map(way).collect();
                ways.sort_unstable();
                ways
            };
            same("moves to lead to the same numbers,", ways(state, banked), ways(&back, 0))?;
            for earlier in game.predecessors(state).unwrap_or_default() {
                let there = game.outcome(&earlier).is_none() && game.index(&earlier).0 == layer;
                hold(there, "earlier positions of the same layer", || format!("{earlier:?}"))?;
                let leads = children(game, &earlier).any(|(_, child)| child == *state);
                hold(leads, "a move from an earlier position", || format!("{earlier:?}"))?;
            }
            let lowest = game.lowest_after(layer);
            for (mv, child) in children(game, state) {
                if game.index(&child).0 == layer
                    && let Some(earlier) = game.predecessors(&child)
                {
                    let told = earlier.contains(state);
                    hold(told, &format!("to be told of before {child:?}"), || mv.to_string())?;
                }
                let (lower, _) = game.index(&child);
                let expected = format!("a layer from {lowest} to {layer} after {mv}");
                hold((lowest..=layer).contains(&lower), &expected, || lower.to_string())?;
            }
            let part = index..size.min(index + 5);
            let told: Vec<_> = game.states(layer, part.clone()).collect();
            let single = |index| Some((index, game.state(layer, index)?));
            same("states as their numbers tell,", part.filter_map(single).collect(), told)?;
            let mut dice = Dice::new(index);
            let layer = dice.below(layers as usize) as u32;
            if game.size(layer) > 0 {
                let index = dice.roll() % game.size(layer);
                if let Some(other) = game.state(layer, index) {
                    same(
                        &format!("the number of {other:?} to be"),
                        (layer, index),
                        game.index(&other),
                    )?;
                }
            }
            Ok(())
        })
    }

    /// Checks that [`Acyclic`] measures all positions alike that share a number of [`Indexed`] (where
    /// the promise holds at all): whoever sees the measure rise along a move may look at what the move
    /// leads to, instead of the position that its number gives back.
    pub fn measured_numbers(self) -> Self
    where
        G: Acyclic + Indexed,
    {
        if !self.game.is_acyclic() {
            return self;
        }
        self.check("Acyclic and Indexed", |game, state| {
            let (layer, index) = game.index(state);
            match game.state(layer, index) {
                Some(back) => {
                    same("the measure of its number,", game.progress(&back), game.progress(state))
                }
                None => Ok(()),
            }
        })
    }

    /// Checks [`Banded`]: the blocks of a layer hold each of its numbers once; the bands
    /// of the block that the position is in (its own and the first of them, where they are very many)
    /// hold each of its numbers once, and tell of every state what the rules say; moves lead to lower
    /// layers and earlier waves; and no position is worth more than [`most`](Banded::most), wherever
    /// plain search finds its value in a few thousand positions.
    pub fn banded(self) -> Self
    where
        G: Banded,
    {
        // Blocks are listed whole, so layers that are very large are left out; some positions do.
        let (largest, looked_at) = (1 << 21, Cell::new(0));
        self.check("Banded", |game, state| {
            let (layer, index) = game.index(state);
            if game.size(layer) > largest || looked_at.get() >= 300 {
                return Ok(());
            }
            looked_at.set(looked_at.get() + 1);
            if let Some(Value(value)) = plain_value(game, state, &mut 2_000) {
                let Value(banked) = G::Bank::banked(game, state);
                let most = game.most(layer + 1);
                let expected = format!("a value of at most {most} to either side in layer {layer}");
                hold((value - banked).abs() <= most, &expected, || (value - banked).to_string())?;
            }
            let mut blocks = game.blocks(layer);
            let rise = blocks.is_sorted_by_key(|block| block.wave);
            hold(rise, "blocks of earlier waves to come first", || format!("layer {layer}"))?;
            blocks.sort_unstable_by_key(|block| block.numbers.start);
            let mut next = 0;
            for block in &blocks {
                let fits = block.numbers.start == next && !block.numbers.is_empty();
                hold(fits, &format!("a block of numbers from {next} on"), || format!("{block:?}"))?;
                next = block.numbers.end;
            }
            same("the blocks to have all numbers, in all", game.size(layer), next)?;
            let block_of =
                |index: u64| &blocks[blocks.partition_point(|block| block.numbers.end <= index)];
            let block = block_of(index);
            let mut told = HashSet::new();
            let mut result = Ok(());
            game.bands(layer, block, &mut |band| {
                let here =
                    (0..u64::from(band.len)).any(|nth| band.first + nth * band.step == index);
                if result.is_ok() && (told.len() < 400 || here) {
                    result = check_band(game, layer, block, band, &block_of, &mut told);
                }
            });
            result?;
            let all = told.len() as u64 == block.numbers.end - block.numbers.start;
            let told_of = told.contains(&index) && (all || told.len() >= 400);
            hold(told_of, "bands of all numbers of a block", || {
                format!("{} of {block:?}", told.len())
            })
        })
    }

    /// Checks [`Order`]: every legal move can be asked for, and is judged the same twice.
    pub fn order(self) -> Self
    where
        G: Order,
    {
        self.check("Order", |game, state| {
            if game.outcome(state).is_some() {
                return Ok(());
            }
            game.moves(state).try_for_each(|mv| {
                same("the same judgement of a move,", game.order(state, mv), game.order(state, mv))
            })
        })
    }
}

/// Checks what a band says of its states.
fn check_band<'b, G: Banded>(
    game: &G,
    layer: u32,
    block: &Block,
    band: &Band<'_>,
    block_of: &impl Fn(u64) -> &'b Block,
    told: &mut HashSet<u64>,
) -> Check {
    // Of each place, where its moves lead to, whether the turn passes, and what is gained.
    let mut ways: Vec<Vec<(u32, u64, bool, i32)>> = vec![Vec::new(); band.len as usize];
    for mv in &band.moves {
        for (from, to) in mv.places.iter(band.len) {
            let to = (mv.layer, mv.first + u64::from(to) * mv.step);
            ways[from as usize].push((to.0, to.1, mv.passes, mv.gain));
        }
    }
    for Loose { place, to, passes, gain } in band.loose.iter().copied() {
        ways[place as usize].push((to.0, to.1, passes, gain));
    }
    for (place, mut ways) in (0..band.len).zip(ways) {
        let index = band.first + u64::from(place) * band.step;
        let at = || format!("number {index} of layer {layer}");
        hold(block.numbers.contains(&index), "a number of the block", at)?;
        hold(told.insert(index), "each number once", at)?;
        let state = game.state(layer, index);
        let missing = band.missing.contains(&place);
        same(&format!("whether {} is missing, as", at()), state.is_none(), missing)?;
        let Some(state) = state else { continue };
        let mover = game.turn(&state);
        let over = band.over.iter().find(|(over, _)| *over == place).map(|(_, value)| value.0);
        let outcome = game.outcome(&state).map(|outcome| outcome.value_for(mover).0);
        same(&format!("the result of {}, {state:?}, as", at()), outcome, over)?;
        if over.is_some() {
            continue;
        }
        ways.retain(|(layer, index, ..)| game.state(*layer, *index).is_some());
        ways.sort_unstable();
        let way = |(_, child): (G::Move, G::State)| {
            let (layer, index) = game.index(&child);
            let turn = game.turn(&child);
            (layer, index, turn != mover, G::Bank::banked(game, &child).seen_from(turn, mover).0)
        };
        let mut plain: Vec<_> = children(game, &state).map(way).collect();
        plain.sort_unstable();
        same(&format!("the moves of {}, {state:?}, as", at()), &plain, &ways)?;
        for (lower, to, ..) in plain {
            let earlier = lower < layer || lower == layer && block_of(to).wave < block.wave;
            hold(earlier, &format!("moves of {} to lead to earlier waves", at()), || {
                format!("{to} of layer {lower}")
            })?;
        }
    }
    Ok(())
}

impl<G: crate::SearchHints> Conform<'_, G> {
    /// Checks [`SearchHints`](crate::SearchHints): keys and numbers are in range, and positions that share
    /// one (finished ones too) have the same value but for their offsets; kinds of moves are in range;
    /// hints and bounds hold; and where they leave it open, the moves that are given decide the value.
    /// Values are those of plain search wherever that takes at most a few thousand positions.
    pub fn search_hints(self) -> Self {
        // What is known of each key: a position that has it, and its value less its offset.
        let known: RefCell<HashMap<u64, (G::State, i32)>> = RefCell::default();
        let numbered: RefCell<HashMap<u64, (G::State, i32)>> = RefCell::default();
        self.check("SearchHints", |game, state| {
            for (mv, _) in children(game, state) {
                let (kind, kinds) = (game.history_slot(state, mv), game.history_slots());
                hold(kind < kinds, &format!("a kind below {kinds}"), || kind.to_string())?;
            }
            let key = game.key(state);
            let bits = game.key_bits();
            if let Some((key, _)) = key {
                let fits = (1..=64).contains(&bits) && (bits == 64 || key >> bits == 0);
                hold(fits, &format!("a key below 2^{bits}"), || key.to_string())?;
            }
            let number = game.dense_index(state);
            if let Some((number, _)) = number {
                let all = game.dense_len(u32::MAX);
                hold(number < all, &format!("a number below {all}"), || number.to_string())?;
            }
            let Some(Value(value)) = plain_value(game, state, &mut 5_000) else { return Ok(()) };
            let (Value(low), Value(high)) = game.quick_bounds(state);
            let hinted = (low..=high).contains(&value);
            hold(hinted, &format!("a hint around {value}"), || format!("{low}..={high}"))?;
            if let Some((number, Value(offset))) = number {
                let mut numbered = numbered.borrow_mut();
                let (other, expected) = *numbered.entry(number).or_insert((*state, value - offset));
                let what = format!("the same value as {other:?}, which has the same number,");
                same(&what, expected, value - offset)?;
                let fits = (-126..=126).contains(&expected);
                hold(fits, "a value within ±126", || expected.to_string())?;
            }
            if let Some((key, Value(offset))) = key {
                let mut known = known.borrow_mut();
                let (other, expected) = *known.entry(key).or_insert((*state, value - offset));
                let what = format!("the same value as {other:?}, which has the same key,");
                same(&what, expected, value - offset)?;
            }
            if game.outcome(state).is_some() {
                return Ok(());
            }
            let mut list = Vec::new();
            let (Value(low), Value(high)) =
                game.bounds_and_moves(state, &mut Candidates::new(&mut list));
            let around = (low..=high).contains(&value);
            hold(around, &format!("bounds around {value}"), || format!("{low}..={high}"))?;
            if low == high {
                return Ok(());
            }
            let values = list.iter().map(|(_, mv)| {
                let child = game.play(state, *mv);
                let value = plain_value(game, &child, &mut 5_000);
                value.map(|value| value.seen_from(game.turn(&child), game.turn(state)).0)
            });
            match values.collect::<Option<Vec<_>>>() {
                Some(values) => {
                    let best = values.into_iter().fold(low, i32::max);
                    same("the best of the moves that are given to be worth", value, best)
                }
                None => Ok(()),
            }
        })
    }
}

/// The result as its mover sees it; `None` if the game is not over.
fn mover_result<G: Game>(game: &G, state: &G::State) -> Option<i32> {
    game.outcome(state).map(|outcome| outcome.value_for(game.turn(state)).0)
}

/// Every move with where it leads; none where the game is over.
fn children<'a, G: Game>(
    game: &'a G,
    state: &'a G::State,
) -> impl Iterator<Item = (G::Move, G::State)> + 'a {
    let over = game.outcome(state).is_some();
    let moves = (!over).then(|| game.moves(state)).into_iter().flatten();
    moves.map(|mv| (mv, game.play(state, mv)))
}

fn in_range(outcome: Outcome) -> Check {
    let range = -Outcome::LIMIT..=Outcome::LIMIT;
    let expected = format!("a result within ±{}", Outcome::LIMIT);
    hold(range.contains(&outcome.0), &expected, || outcome.0.to_string())
}

/// What every game must keep to.
fn rules<G: Game>(game: &G, state: &G::State) -> Check {
    if *state == game.start() {
        same("the first player's turn at the start,", Side::First, game.turn(state))?;
    }
    if let Some(outcome) = game.outcome(state) {
        return in_range(outcome);
    }
    let mut texts = HashSet::new();
    for mv in game.moves(state) {
        let text = mv.to_string();
        let word = !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c == ',');
        hold(word, "a move to show as one word without commas", || format!("{text:?}"))?;
        same(&format!("{text} to lead twice to"), game.play(state, mv), game.play(state, mv))?;
        hold(texts.insert(text.clone()), "moves with different texts", || format!("{text} twice"))?;
    }
    hold(!texts.is_empty(), "a legal move, as the game is not over", || "none".to_owned())
}

/// The value by plain search, or nothing when `budget` positions do not suffice.
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
