//! The moves of a position as a list. The list respects the memory limit, even if a game yields
//! moves without end.

use std::mem::size_of;

use foregone_rules::{Game, Written};

use crate::control::{Control, Halted, Progress};

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

/// The error for a position that is not over and has no moves.
#[cold]
pub(crate) fn none<G: Game>(game: &G, state: &G::State, written: Option<Written<G>>) -> Halted {
    Halted::NoMoves { position: Written::text(written, game, state) }
}
