//! The moves of a position as a list: never more than the memory has room for, even if a game's
//! moves do not end.

use std::mem::size_of;

use foregone_rules::{Game, Written};

use crate::control::{Control, Halted, Progress};

/// Puts the moves of a position into a list, in place of what is there; `done` is how many positions
/// the solver has dealt with.
///
/// # Errors
/// If the list would not fit the memory, or the control says to stop.
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

/// The same where there are many: looks up from time to time.
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
            // A list that is full doubles, and is there twice while it does.
            let bytes = 3 * list.len() as u64 * size_of::<G::Move>().max(1) as u64;
            control.check_memory(bytes, phase, done)?;
        }
        list.push(mv);
    }
    Ok(())
}

/// What to say of a position that is not over and has no moves.
#[cold]
pub(crate) fn none<G: Game>(game: &G, state: &G::State, written: Option<Written<G>>) -> Halted {
    Halted::NoMoves { position: Written::text(written, game, state) }
}
