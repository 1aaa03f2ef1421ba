//! Sorts of moves: what a move is called without its cells, and the cells that it names. A sort that is never good, or
//! never needed, is a rule that a designer may leave out.

use std::collections::{BTreeMap, BTreeSet};

use foregone_rules::sample::Dice;
use serde::Serialize;

use crate::any::Session;
use crate::control::{Control, Halted, Progress};
use crate::strong::Map;

/// A word of moves: a way to move, such as `swap`, or a cell, such as `a1`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Kind {
    /// The word.
    pub word: String,
    /// Positions with a choice in which a move has it.
    pub positions: u64,
    /// Those of them in which such a move keeps the value.
    pub good: u64,
    /// Those of them in which no other move keeps the value.
    pub needed: u64,
}

/// The most positions that are looked at: a sample, if there are more.
const MAX: usize = 20_000;

/// All words of moves, those that are needed most rarely first.
pub(super) fn kinds(
    map: &Map,
    session: &dyn Session,
    seed: u64,
    control: &Control,
) -> Result<Vec<Kind>, Halted> {
    let mut dice = Dice::new(seed);
    let count = map.positions();
    let numbers: BTreeSet<usize> = match count <= MAX {
        true => (0..count).collect(),
        false => {
            let mut some = BTreeSet::new();
            while some.len() < MAX {
                some.insert(dice.below(count));
            }
            some
        }
    };
    let mut found: BTreeMap<String, Kind> = BTreeMap::new();
    let total = Some(numbers.len() as u64);
    for (done, number) in numbers.into_iter().enumerate() {
        let progress = Progress { phase: "sorts of moves", done: done as u64, total, bounds: None };
        control.report(progress)?;
        if map.moves(number).len() < 2 {
            continue;
        }
        let value = map.worth(number).value();
        let good: Vec<bool> = map.moves(number).map(|(_, worth)| worth.value() == value).collect();
        let texts = session.at(map, number).moves();
        let words: Vec<BTreeSet<&str>> = texts.iter().map(|text| words(text)).collect();
        let all: BTreeSet<&str> = words.iter().flatten().copied().collect();
        for word in all {
            let mut of = words.iter().zip(&good);
            let keeps = of.any(|(words, good)| *good && words.contains(word));
            let others =
                words.iter().zip(&good).any(|(words, good)| *good && !words.contains(word));
            let kind = found.entry(word.to_owned()).or_default();
            kind.positions += 1;
            kind.good += u64::from(keeps);
            kind.needed += u64::from(keeps && !others);
        }
    }
    let mut kinds: Vec<Kind> =
        found.into_iter().map(|(word, kind)| Kind { word, ..kind }).collect();
    kinds.sort_by_key(|kind| (kind.needed, kind.good));
    Ok(kinds)
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect()
}
