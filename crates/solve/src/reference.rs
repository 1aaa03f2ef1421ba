//! The plain solvers that every other one is held against: as short as they can be, and slow.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Debug;

use foregone_rules::{Game, Worth};

/// What perfect play leads to from `state`: minimax with a memory, for games that do not loop.
///
/// `None` if play can come back to a position.
///
/// # Panics
/// If the game breaks its rules: a position that is not over has no move.
pub fn worth<G: Game>(game: &G, state: &G::State) -> Option<Worth> {
    minimax(game, state, &mut HashMap::new())
}

/// The worth of a position, remembered; a position that is being looked at is remembered without.
fn minimax<G: Game>(
    game: &G,
    state: &G::State,
    memory: &mut HashMap<G::State, Option<Worth>>,
) -> Option<Worth> {
    match memory.entry(*state) {
        Entry::Occupied(known) => return *known.get(),
        Entry::Vacant(new) => new.insert(None),
    };
    let mover = game.turn(state);
    let worth = match game.outcome(state) {
        Some(outcome) => Worth::finished(outcome, mover),
        None => {
            let mut best = None;
            for mv in game.moves(state) {
                let child = game.play(state, mv);
                let worth = minimax(game, &child, memory)?.backed_up(game.turn(&child), mover);
                best = best.max(Some(worth));
            }
            best.unwrap_or_else(|| broken(state))
        }
    };
    memory.insert(*state, Some(worth));
    Some(worth)
}

/// What perfect play leads to from every position that can arise from `state`, in any game.
///
/// Positions are first taken to be draws by endless play, unless they are over. Then each is given,
/// again and again, the best of what its moves lead to, until nothing changes: after n rounds every
/// position has its worth in the game that is broken off after n plies.
///
/// # Panics
/// If the game breaks its rules: a position that is not over has no move.
pub fn worths<G: Game>(game: &G, state: &G::State) -> HashMap<G::State, Worth> {
    let judge = |state: &G::State| match game.outcome(state) {
        Some(outcome) => Worth::finished(outcome, game.turn(state)),
        None => Worth::ENDLESS_DRAW,
    };
    let mut worths = HashMap::from([(*state, judge(state))]);
    let mut open = vec![*state];
    while let Some(state) = open.pop() {
        let over = game.outcome(&state).is_some();
        let moves = (!over).then(|| game.moves(&state)).into_iter().flatten();
        for child in moves.map(|mv| game.play(&state, mv)) {
            if let Entry::Vacant(new) = worths.entry(child) {
                new.insert(judge(&child));
                open.push(child);
            }
        }
    }
    loop {
        let better = |(state, worth): (&G::State, &Worth)| {
            let mover = game.turn(state);
            let reached = |child: G::State| worths[&child].backed_up(game.turn(&child), mover);
            let best = match game.outcome(state) {
                Some(_) => Some(*worth),
                None => game.moves(state).map(|mv| reached(game.play(state, mv))).max(),
            };
            (*state, best.unwrap_or_else(|| broken(state)))
        };
        let next: HashMap<_, _> = worths.iter().map(better).collect();
        if next == worths {
            return worths;
        }
        worths = next;
    }
}

/// What is held against others must not guess.
fn broken<S: Debug>(state: &S) -> ! {
    panic!("the game is not over at {state:?}, but has no legal move there: its rules are broken")
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::{Distance, Value, games::Mnk};
    use foregone_trial::Stuck;

    #[test]
    #[should_panic(expected = "the game is not over at 3, but has no legal move there")]
    fn a_game_without_moves_has_no_worth() {
        worth(&Stuck, &0);
    }

    #[test]
    #[should_panic(expected = "the game is not over at 3, but has no legal move there")]
    fn a_game_without_moves_has_no_worths() {
        worths(&Stuck, &0);
    }

    #[test]
    fn both_ways_agree_on_tic_tac_toe() {
        let game = Mnk::tic_tac_toe();
        let all = worths(&game, &game.start());
        assert_eq!(all.len(), 5478);
        assert!(all.iter().all(|(state, found)| worth(&game, state) == Some(*found)));
        assert_eq!(all[&game.start()], Worth::new(Value(0), Distance::Plies(9)));
    }
}
