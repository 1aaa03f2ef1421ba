//! The moves of a position as a list. The list respects the memory limit, even if a game yields
//! moves without end.

use std::mem::size_of;

use foregone_rules::{Game, Outcome, Worth, Written};

use crate::control::{Control, Halted, Progress};
use crate::found::Found;

/// Sorts pairs by their first, compiled once for each type of pairs.
pub(crate) fn sort_by_first<K: Ord + Copy, T>(list: &mut [(K, T)]) {
    list.sort_unstable_by_key(|(key, _)| *key);
}

/// Replaces the content of `list` by the moves of a position; `done` is the number of positions
/// solved so far, for progress.
///
/// # Errors
/// If the list exceeds the memory limit, or `control` stops the run.
#[inline]
pub(crate) fn gather<G: Game>(
    game: &G,
    state: &G::State,
    list: &mut Vec<G::Move>,
    control: &Control,
    done: u64,
) -> Result<(), Halted> {
    list.clear();
    list.extend(game.moves(state).take(Control::INTERVAL as usize));
    match list.len() < Control::INTERVAL as usize {
        true => Ok(()),
        false => gather_many(game, state, list, control, done),
    }
}

/// The moves of a position, for code that is not hot.
///
/// # Errors
/// See [`gather`].
#[inline(never)]
pub(crate) fn listed<G: Game>(
    game: &G,
    state: &G::State,
    control: &Control,
) -> Result<Vec<G::Move>, Halted> {
    let mut list = Vec::new();
    gather(game, state, &mut list, control, 0)?;
    Ok(list)
}

/// Like [`gather`] for many moves: checks `control` from time to time.
#[cold]
fn gather_many<G: Game>(
    game: &G,
    state: &G::State,
    list: &mut Vec<G::Move>,
    control: &Control,
    done: u64,
) -> Result<(), Halted> {
    let phase = "listing the moves of a position";
    list.clear();
    for mv in game.moves(state) {
        if (list.len() as u64).is_multiple_of(Control::INTERVAL) {
            control.report(Progress { phase, done, total: None, bounds: None })?;
            // A full list is copied to one of twice the size; both exist for a moment.
            let bytes = 3 * list.len() as u64 * size_of::<G::Move>().max(1) as u64;
            control.check_memory(bytes, phase, done)?;
        }
        list.push(mv);
    }
    Ok(())
}

/// The position after a move, for code that is not hot: what makes a move is in the program once for all of it.
#[inline(never)]
pub(crate) fn after<G: Game>(game: &G, state: &G::State, mv: G::Move) -> G::State {
    game.play(state, mv)
}

/// The result of a position, for code that is not hot, as [`after`].
#[inline(never)]
pub(crate) fn outcome<G: Game>(game: &G, state: &G::State) -> Option<Outcome> {
    game.outcome(state)
}

/// What a position is worth in which the game is over; `None` if play goes on.
pub(crate) fn finished<G: Game>(game: &G, state: &G::State) -> Option<Worth> {
    Some(Worth::finished(outcome(game, state)?, game.turn(state)))
}

/// What a move is worth that ends the game, for the side that makes it; `None` if play goes on.
pub(crate) fn ended_by<G: Game>(game: &G, state: &G::State, mv: G::Move) -> Option<Worth> {
    let child = after(game, state, mv);
    Some(finished(game, &child)?.backed_up(game.turn(&child), game.turn(state)))
}

/// The moves that end the game with the best result there is: no search need tell them. Of a game whose moves never end
/// the first ones are looked at.
#[inline(never)]
pub(crate) fn wins_at_once<G: Game>(game: &G, state: &G::State) -> Vec<(G::Move, Found)> {
    let win = |mv| {
        let worth = ended_by(game, state, mv)?;
        (worth.value().0 >= game.max_value()).then_some((mv, Found::Proven(worth)))
    };
    game.moves(state).take(Control::INTERVAL as usize).filter_map(win).collect()
}

/// The error for a position that is not over and has no moves.
#[cold]
pub(crate) fn none<G: Game>(game: &G, state: &G::State, written: Option<Written<G>>) -> Halted {
    Halted::NoMoves { position: Written::text(written, game, state) }
}
