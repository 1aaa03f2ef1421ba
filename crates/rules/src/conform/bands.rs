//! Checks of [`Banded`].

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

use super::{Check, Conform, Flaw, children, hold, numbered, plain_value, same};
use crate::game::{Game, Outcome, Value};
use crate::promise::{Band, Banded, Bank, Block, Line, Loose, Split, Target};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Banded`]:
    /// - The blocks of a layer contain each of its numbers once.
    /// - The bands of the position's block contain each of its numbers once and agree with the
    ///   rules on every state. In a block of many bands, only the first ones and the position's own
    ///   are checked.
    /// - Moves lead to lower layers or to earlier waves.
    /// - Endless play with nothing banked is a draw.
    /// - No value is beyond [`max_value_in`](Banded::max_value_in), if plain search finds it in 2000
    ///   positions.
    pub fn banded(self) -> Self
    where
        G: Banded,
    {
        if !self.game.is_acyclic() || !numbered(self.game) {
            return self;
        }
        // All numbers of a block may be listed, so very large layers are skipped; 300 positions are
        // enough.
        let (largest, looked_at) = (1 << 21, Cell::new(0));
        let blocks = Blocks { game: self.game, sorted: RefCell::default() };
        self.check("Banded", |game, state| {
            let (layer, index) = game.index(state);
            if game.size(layer) > largest || looked_at.get() >= 300 {
                return Ok(());
            }
            looked_at.set(looked_at.get() + 1);
            let endless = game.endless(&G::Bank::unbanked(game, state));
            same("endless play with nothing banked to be", Outcome::DRAW, endless)?;
            if let Some(Value(value)) = plain_value(game, state, &mut 2_000) {
                let Value(banked) = G::Bank::banked(game, state);
                let max = game.max_value_in(layer + 1);
                let expected = format!("a value of at most {max} to either side in layer {layer}");
                hold((value - banked).abs() <= max, &expected, || (value - banked).to_string())?;
            }
            let rise = game.blocks(layer).is_sorted_by_key(|block| block.wave);
            hold(rise, "blocks of earlier waves to come first", || format!("layer {layer}"))?;
            let here = blocks.of(layer);
            let mut next = 0;
            for block in &*here {
                let fits = block.numbers.start == next && !block.numbers.is_empty();
                hold(fits, &format!("a block of numbers from {next} on"), || format!("{block:?}"))?;
                next = block.numbers.end;
            }
            same("the total of numbers in the blocks to be", game.size(layer), next)?;
            let block = containing(&here, index);
            hold(block.is_some(), "a block with the position", || format!("number {index}"))?;
            let Some(block) = block else { return Ok(()) };
            let mut listed = HashSet::new();
            let mut result = Ok(());
            game.bands(layer, block, &mut |band| {
                if result.is_err() {
                    return;
                }
                let line = Line { nth: band.nth, len: band.len, across: game.across() };
                let has = |(first, step): (u64, u64)| {
                    (0..u64::from(line.len)).any(|place| first + place * step == index)
                };
                if listed.len() < 400 || numbers(block, line).is_none_or(has) {
                    result = check_band(&blocks, layer, (block, line), band, &mut listed);
                }
            });
            result?;
            let all = listed.len() as u64 == block.numbers.end - block.numbers.start;
            let complete = listed.contains(&index) && (all || listed.len() >= 400);
            hold(complete, "bands of all numbers of a block", || {
                format!("{} of {block:?}", listed.len())
            })
        })
    }
}

/// The layer of a target, its first number, and the difference between neighbours.
type Found = (u32, u64, u64);

/// The blocks of all layers, sorted by numbers.
struct Blocks<'g, G> {
    game: &'g G,
    sorted: RefCell<BTreeMap<u32, Rc<[Block]>>>,
}

impl<G: Banded> Blocks<'_, G> {
    fn of(&self, layer: u32) -> Rc<[Block]> {
        let sorted = || {
            let mut blocks = self.game.blocks(layer);
            blocks.sort_unstable_by_key(|block| block.numbers.start);
            Rc::from(blocks)
        };
        Rc::clone(self.sorted.borrow_mut().entry(layer).or_insert_with(sorted))
    }

    /// Finds a target, of which `places` are used.
    fn target(
        &self,
        to: Option<Target>,
        mut places: impl Iterator<Item = u32>,
    ) -> Result<Option<Found>, Flaw> {
        let Some(Target { layer, block, line }) = to else { return Ok(None) };
        let found = self.of(layer).get(block as usize).and_then(|block| numbers(block, line));
        let found = found.filter(|_| self.game.across() || !line.across);
        let of = || format!("{to:?}");
        hold(found.is_some(), "target places to be a line of a block", of)?;
        hold(places.all(|to| to < line.len), &format!("targets below {}", line.len), of)?;
        Ok(found.map(|(first, step)| (layer, first, step)))
    }
}

/// The block with a number.
fn containing(blocks: &[Block], number: u64) -> Option<&Block> {
    blocks.get(blocks.partition_point(|block| block.numbers.end <= number))
}

/// The numbers of a line: the first, and the difference between neighbours; `None` if the block has no such
/// line.
fn numbers(block: &Block, line: Line) -> Option<(u64, u64)> {
    let size = block.numbers.end - block.numbers.start;
    let fits = line.len > 0 && size.is_multiple_of(line.len.into());
    let has = fits && u64::from(line.nth) < size / u64::from(line.len);
    let (first, step) = line.offsets(size);
    has.then_some((block.numbers.start + first, step))
}

/// Checks a band against the rules, and adds its numbers to `listed`.
fn check_band<G: Banded>(
    blocks: &Blocks<'_, G>,
    layer: u32,
    (block, line): (&Block, Line),
    band: &Band<'_>,
    listed: &mut HashSet<u64>,
) -> Check {
    let game = blocks.game;
    let here = numbers(block, line).filter(|_| line.len == block.places);
    hold(here.is_some(), &format!("a line of {block:?}"), || format!("{line:?}"))?;
    let (first, step) = here.unwrap_or_default();
    // For each place its moves: layer and number, whether the turn passes, and the gain. Without a layer:
    // the game is over after the move.
    type Ways = Vec<(Option<(u32, u64)>, bool, i32)>;
    let mut ways: Vec<Ways> = vec![Vec::new(); line.len as usize];
    let number = |found: Option<Found>, to: u32| {
        found.map(|(layer, first, step)| (layer, first + u64::from(to) * step))
    };
    for mv in &band.moves {
        let to = blocks.target(mv.to, mv.places.iter(line.len).map(|(_, to)| to))?;
        for (from, place) in mv.places.iter(line.len) {
            ways[from as usize].push((number(to, place), mv.passes, mv.gain));
        }
    }
    for Split { passes, which, to, ways: those } in &band.splits {
        let of = || format!("{band:?}");
        let complete = [which.len(), to.len()] == [line.len as usize; 2];
        hold(complete, &format!("a way from each of {} places", line.len), of)?;
        let those = band.ways.get(those.clone()).unwrap_or_default();
        let known = which.iter().all(|which| usize::from(*which) < those.len());
        hold(known, &format!("one of {} ways from each place", those.len()), of)?;
        for (nth, way) in those.iter().enumerate() {
            let here = || (0..which.len()).filter(|place| usize::from(which[*place]) == nth);
            let target = blocks.target(way.to, here().map(|place| to[place]))?;
            for place in here() {
                ways[place].push((number(target, to[place]), *passes, way.gain));
            }
        }
    }
    for Loose { place, to, passes, gain } in band.loose.iter().copied() {
        ways[place as usize].push((Some(to), passes, gain));
    }
    for (place, mut ways) in (0..line.len).zip(ways) {
        let index = first + u64::from(place) * step;
        let at = || format!("number {index} of layer {layer}");
        hold(block.numbers.contains(&index), "a number of the block", at)?;
        hold(listed.insert(index), "each number once", at)?;
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
        let exists = |to: Option<(u32, u64)>| {
            to.is_none_or(|(layer, index)| game.state(layer, index).is_some())
        };
        ways.retain(|(to, ..)| exists(*to));
        let mut plain = Vec::new();
        for (_, child) in children(game, &state) {
            let (to, turn) = (game.index(&child), game.turn(&child));
            let Value(gain) = G::Bank::banked(game, &child).seen_from(turn, mover);
            let (passes, over) = (turn != mover, game.outcome(&child));
            let earlier = || {
                let there = blocks.of(layer);
                let before = |there: &Block| there.wave < block.wave;
                to.0 < layer || to.0 == layer && containing(&there, to.1).is_some_and(before)
            };
            hold(earlier(), &format!("moves of {} to lead to earlier waves", at()), || {
                format!("{} of layer {}", to.1, to.0)
            })?;
            // A game may say only that it is over, if nothing else decides.
            let drawn = over.is_some_and(|over| over.value_for(mover) == Value(gain));
            let only = (None, passes, gain);
            match ways.iter().position(|way| drawn && *way == only) {
                Some(at) => drop(ways.swap_remove(at)),
                None => plain.push((Some(to), passes, gain)),
            }
        }
        plain.sort_unstable();
        ways.sort_unstable();
        same(&format!("the moves of {}, {state:?}, as", at()), &plain, &ways)?;
    }
    Ok(())
}
