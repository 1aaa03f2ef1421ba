//! That a renaming forgets no name: texts with their cells and sides renamed at will are the renamed games.

use std::collections::BTreeSet;

use foregone_rules::sample::Dice;
use foregone_trial::texts;

use super::rename::{RENAMED, Renaming};
use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::interpret;
use crate::state::Position;
use crate::typed::{Number, Piece, Rules};
use crate::{SHIPPED, Text};

/// The position with its cells renamed and, if that is asked for, the sides exchanged.
fn image(rules: &Rules, position: &Position, to: &[u8], exchange: bool) -> Position {
    let moved = |set: &Cells| cells(*set).fold(0, |all, cell| all | bit(to[cell].into()));
    let mut after = position.clone();
    after.sets = position.sets.iter().map(moved).collect();
    for (counts, before) in after.counts.iter_mut().zip(&position.counts) {
        to.iter().zip(before).for_each(|(to, count)| counts[usize::from(*to)] = *count);
    }
    if exchange {
        for [first, second] in rules.pieces.iter().filter_map(Piece::of_sides) {
            after.sets.swap(first, second);
        }
        rules.pairs().for_each(|(first, second)| after.numbers.swap(first, second));
        after.turn = 1 - position.turn;
        after.result = position.result.map(|result| -result);
    }
    after
}

/// Rules with all names changed are the game with all names changed, whether that is a symmetry or not: each name has
/// passed.
fn renamed_rules_play_the_renamed_game(rules: &Rules, dice: &mut Dice, plies: usize) -> bool {
    let mut to: Vec<u8> = (0..rules.board.cells.len() as u8).collect();
    (1..to.len()).for_each(|at| to.swap(at, dice.below(at + 1)));
    let exchange = dice.below(2) == 0 && rules.endless == Number::Value(0);
    let terms = dice.below(2) == 0;
    let renaming = Renaming::new(rules, &to, exchange);
    let budget = Budget::new(Budget::SYMMETRY);
    let mut renaming = if terms { renaming.with_terms(&budget) } else { renaming };
    let Some([first, second]) = renaming.sides(&rules.sides) else { return false };
    let mut sides = if exchange { [second, first] } else { [first, second] };
    sides.iter_mut().for_each(|side| side.locals = 2 * RENAMED);
    let renamed = Rules { sides, ..rules.clone() };
    let all = |rules: &Rules, position: &Position| -> BTreeSet<String> {
        let all = interpret::moves(rules, position);
        all.iter().map(|(_, next)| format!("{next:?}")).collect()
    };
    let mut position = rules.start.clone();
    for _ in 0..plies {
        let there = image(rules, &position, &to, exchange);
        let outcome =
            interpret::outcome(rules, &position).map(|value| if exchange { -value } else { value });
        assert_eq!(outcome, interpret::outcome(&renamed, &there));
        if outcome.is_some() {
            break;
        }
        let next = interpret::moves(rules, &position);
        let images =
            next.iter().map(|(_, next)| format!("{:?}", image(rules, next, &to, exchange)));
        assert_eq!(images.collect::<BTreeSet<_>>(), all(&renamed, &there), "{position:?}");
        let Some((_, next)) = next.get(dice.below(next.len().max(1))) else { break };
        position = next.clone();
    }
    true
}

#[test]
fn shipped_texts_play_alike_with_all_names_changed() {
    let mut dice = Dice::new(3);
    let mut renamed = 0;
    for shipped in SHIPPED {
        let rules = Text::parse(shipped.source).unwrap().rules(&[]).unwrap();
        for _ in 0..3 {
            renamed += usize::from(renamed_rules_play_the_renamed_game(&rules, &mut dice, 12));
        }
    }
    assert!(renamed > 100, "{renamed}");
}

#[test]
fn random_texts_play_alike_with_all_names_changed() {
    let mut dice = Dice::new(4);
    let mut renamed = 0;
    for seed in 0..2_000 {
        let Ok(rules) = Text::parse(&texts::text(seed)).and_then(|text| text.rules(&[])) else {
            continue;
        };
        renamed += usize::from(renamed_rules_play_the_renamed_game(&rules, &mut dice, 6));
    }
    assert!(renamed > 500, "{renamed}");
}
