//! Plain solvers that all others are tested against: as short as possible, and slow.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Debug;

use foregone_rules::{Game, Worth};

/// The worth of `state` under perfect play, by minimax with a memory, for games that do not loop.
///
/// `None` if play can repeat a position.
///
/// # Panics
/// If the game breaks its rules: a position that is not over has no move.
pub fn worth<G: Game>(game: &G, state: &G::State) -> Option<Worth> {
    minimax(game, state, &mut HashMap::new())
}

/// The worth of a position, from memory if known. A position whose search is still running has
/// `None` in memory.
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
                best = better(game, state, best, worth);
            }
            best.unwrap_or_else(|| broken(state))
        }
    };
    memory.insert(*state, Some(worth));
    Some(worth)
}

/// The worths under perfect play of all positions that can arise from `state`, in any game.
///
/// At first all positions count as endless play, unless they are over. Each round then gives
/// every position the best worth that its moves lead to, until nothing changes: after n rounds
/// every position has its worth in the game that stops after n plies.
///
/// If the value of endless play differs between positions, cycles come first: the positions of
/// a cycle converge before the positions that lead to it start. (Otherwise a wrong worth of an
/// early round could circulate for ever in an earlier cycle.)
///
/// # Panics
/// If the game breaks its rules: a position that is not over has no move.
pub fn worths<G: Game>(game: &G, state: &G::State) -> HashMap<G::State, Worth> {
    let first = |state: &G::State| match game.outcome(state) {
        Some(outcome) => Worth::finished(outcome, game.turn(state)),
        None => Worth::endless(game.endless(state).value_for(game.turn(state))),
    };
    let all = reached(game, state);
    let one = all.iter().all(|each| game.endless(each) == game.endless(state));
    // If a position leads to another, but not back, more positions can arise from it. So groups in
    // order of that count are in a valid order: two positions of one group either lead to each
    // other or are independent.
    let mut groups: BTreeMap<usize, Vec<G::State>> = BTreeMap::new();
    for each in &all {
        groups.entry(if one { 0 } else { reached(game, each).len() }).or_default().push(*each);
    }
    let mut worths = HashMap::new();
    for group in groups.into_values() {
        worths.extend(group.iter().map(|state| (*state, first(state))));
        loop {
            let round = |state: &G::State| {
                let mover = game.turn(state);
                let reached = |child: G::State| worths[&child].backed_up(game.turn(&child), mover);
                let best = match game.outcome(state) {
                    Some(_) => Some(first(state)),
                    None => game
                        .moves(state)
                        .map(|mv| reached(game.play(state, mv)))
                        .fold(None, |best, worth| better(game, state, best, worth)),
                };
                (*state, best.unwrap_or_else(|| broken(state)))
            };
            let next: Vec<_> = group.iter().map(round).collect();
            if next.iter().all(|(state, worth)| worths[state] == *worth) {
                break;
            }
            worths.extend(next);
        }
    }
    worths
}

/// The better of two worths for the mover of a position.
fn better<G: Game>(game: &G, state: &G::State, best: Option<Worth>, worth: Worth) -> Option<Worth> {
    let endless = game.endless(state).value_for(game.turn(state));
    best.into_iter().chain([worth]).max_by_key(|worth| worth.key(endless))
}

/// The positions that can arise from `state`, including itself.
fn reached<G: Game>(game: &G, state: &G::State) -> HashSet<G::State> {
    let mut all = HashSet::from([*state]);
    let mut open = vec![*state];
    while let Some(state) = open.pop() {
        let over = game.outcome(&state).is_some();
        let moves = (!over).then(|| game.moves(&state)).into_iter().flatten();
        open.extend(moves.map(|mv| game.play(&state, mv)).filter(|child| all.insert(*child)));
    }
    all
}

/// A reference must not guess.
fn broken<S: Debug>(state: &S) -> ! {
    panic!("the game is not over at {state:?}, but has no legal move there: its rules are broken")
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone_rules::{Distance, Outcome, Side, Value, games::Mnk};
    use foregone_trial::{Graph, Stuck};

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

    /// Who may wait in a loop does not hope for ever for what the other side is going to prevent. Of 0,
    /// where the first player waits (for nothing) or goes to 1; there endless play would be worth
    /// 5, but the second player ends it with -1.
    #[test]
    fn what_comes_later_is_known_before() {
        let graph = Graph {
            moves: vec![vec![0, 1], vec![1, 2], vec![]],
            turns: vec![Side::First, Side::Second, Side::First],
            outcomes: vec![None, None, Some(Outcome(-1))],
            endless: [0, 5, 0].map(Outcome).to_vec(),
        };
        let all = worths(&graph, &0);
        assert_eq!(all[&0], Worth::endless(Value(0)));
        assert_eq!(all[&1], Worth::new(Value(1), Distance::Plies(1)));
    }

    /// Who gets more than by endless play hurries, the other delays, and both delay what they
    /// would get by it anyway: of 0, whose moves lead to the same result in 1, 2 or 3 plies.
    #[test]
    fn distances_are_compared_with_play_without_end() {
        for (turn, endless, plies) in [
            (Side::First, 0, 1),
            (Side::First, 1, 3),
            (Side::First, 2, 3),
            (Side::Second, 0, 3),
            (Side::Second, 1, 3),
            (Side::Second, 2, 1),
        ] {
            let graph = Graph {
                moves: vec![vec![3, 2, 1], vec![2], vec![3], vec![]],
                turns: vec![turn; 4],
                outcomes: vec![None, None, None, Some(Outcome(1))],
                endless: vec![Outcome(endless); 4],
            };
            let right = Worth::new(Outcome(1).value_for(turn), Distance::Plies(plies));
            assert_eq!(worths(&graph, &0)[&0], right, "{turn:?} {endless}");
            assert_eq!(worth(&graph, &0), Some(right), "{turn:?} {endless}");
        }
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
