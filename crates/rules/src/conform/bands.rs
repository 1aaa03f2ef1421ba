//! Checks of [`Banded`].

use std::cell::Cell;
use std::collections::HashSet;

use super::{Check, Conform, children, hold, numbered, plain_value, same};
use crate::game::{Game, Outcome, Value};
use crate::promise::{Band, Banded, Bank, Block, Loose};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Banded`]:
    /// - The blocks of a layer contain each of its numbers once.
    /// - The bands of the position's block contain each of its numbers once and agree with the
    ///   rules on every state. In a block of many bands, only the first ones and the position's own
    ///   are checked.
    /// - Moves lead to lower layers or to earlier waves.
    /// - Endless play with nothing banked is a draw.
    /// - No value is beyond [`most_in`](Banded::most_in), if plain search finds it in 2000
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
                let most = game.most_in(layer + 1);
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
            same("the total of numbers in the blocks to be", game.size(layer), next)?;
            let block_of =
                |index: u64| &blocks[blocks.partition_point(|block| block.numbers.end <= index)];
            let block = block_of(index);
            let mut listed = HashSet::new();
            let mut result = Ok(());
            game.bands(layer, block, &mut |band| {
                let here =
                    (0..u64::from(band.len)).any(|nth| band.first + nth * band.step == index);
                if result.is_ok() && (listed.len() < 400 || here) {
                    result = check_band(game, layer, block, band, &block_of, &mut listed);
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

/// Checks a band against the rules, and adds its numbers to `listed`.
fn check_band<'b, G: Banded>(
    game: &G,
    layer: u32,
    block: &Block,
    band: &Band<'_>,
    block_of: &impl Fn(u64) -> &'b Block,
    listed: &mut HashSet<u64>,
) -> Check {
    // For each place its moves: layer and number, whether the turn passes, and the gain.
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
    for mv in &band.moves {
        let of = || format!("{mv:?}");
        let last = mv.first + mv.step * u64::from(mv.len.saturating_sub(1));
        hold(mv.len > 0 && last < game.size(mv.layer), "target places to be numbers", of)?;
        let targets = mv.places.iter(band.len).all(|(_, to)| to < mv.len);
        hold(targets, &format!("targets below {}", mv.len), of)?;
    }
    Ok(())
}
