//! Principal variations.

use std::collections::HashSet;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Value};

use crate::control::{Control, Halted};
use crate::exact::Valuing;
use crate::found::Found;
use crate::moves::gather;

/// Follows best moves from a position until the game is over, a position repeats, or `moves`
/// returns `None`.
pub(super) fn line<G: Game>(
    game: &G,
    state: &G::State,
    mut dice: Option<&mut Dice>,
    mut moves: impl FnMut(&G::State) -> Option<Vec<(G::Move, Found)>>,
) -> Vec<G::Move> {
    let mut here = *state;
    let mut seen = HashSet::from([here]);
    let mut line = Vec::new();
    while let Some(moves) = moves(&here) {
        let endless = game.endless(&here).value_for(game.turn(&here));
        let key = |found: &Found| found.key(endless);
        let Some(best) = moves.iter().map(|(_, found)| key(found)).max() else { break };
        let best: Vec<_> = moves.iter().filter(|(_, found)| key(found) == best).collect();
        let (mv, _) = *best[dice.as_mut().map_or(0, |dice| dice.below(best.len()))];
        here = game.play(&here, mv);
        line.push(mv);
        if !seen.insert(here) {
            break;
        }
    }
    line
}

/// Follows moves that keep the value: these are much cheaper to find than the values of all moves.
pub(super) fn line_of_values<G: Game>(
    game: &G,
    state: &G::State,
    mut value: Value,
    (valuer, control): (&mut dyn Valuing<G>, &Control),
    mut dice: Option<&mut Dice>,
    line: &mut Vec<G::Move>,
) -> Option<Halted> {
    let mut here = *state;
    while game.outcome(&here).is_none() {
        let mover = game.turn(&here);
        let (mut moves, mut keeping) = (Vec::new(), Vec::new());
        if let Err(halted) = gather(game, &here, &mut moves, control, 0) {
            return Some(halted);
        }
        for mv in moves {
            let child = game.play(&here, mv);
            let Value(after) = value.seen_from(game.turn(&child), mover);
            // The mover keeps its value if the other side gets at most the negated value.
            let keeps = match game.turn(&child) == mover {
                true => valuer.at_least(&child, Value(after)),
                false => valuer.at_least(&child, Value(after + 1)).map(|more| !more),
            };
            match keeps {
                Ok(true) => keeping.push(mv),
                Ok(false) => {}
                Err(halted) => return Some(halted),
            }
            if !keeping.is_empty() && dice.is_none() {
                break;
            }
        }
        let at = dice.as_mut().map_or(0, |dice| dice.below(keeping.len()));
        // Some move keeps the value, unless the game breaks a promise.
        let Some(&mv) = keeping.get(at) else { break };
        line.push(mv);
        let next = game.play(&here, mv);
        value = value.seen_from(game.turn(&next), mover);
        here = next;
    }
    None
}
