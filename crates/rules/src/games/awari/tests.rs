use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::{Indexed, Notation, Picture};
use crate::sample::positions;

fn variants(pits: u8, stones: u8) -> impl Iterator<Item = Awari> {
    SLAMS.into_iter().map(move |(_, slam)| Awari::of(pits, stones, slam))
}

#[test]
fn keeps_its_promises() {
    for (pits, stones) in [(1, 1), (1, 12), (2, 2), (2, 7), (3, 3), (6, 4), (8, 12)] {
        for game in variants(pits, stones) {
            let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
            assert_eq!(numbered, (pits, stones) != (8, 12));
            let report = Conform::sampled(&game, 2000, 3).declared().finish();
            report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
        }
    }
}

/// A plain implementation of a move, stone by stone: the pits counterclockwise from the mover's
/// left, the number of captured stones, and whether the opponent then has stones.
fn plain(game: &Awari, state: &Pits, pit: usize) -> (Vec<u8>, u8, bool) {
    let pits = usize::from(game.pits);
    let mut all = flat(game, state);
    let mut hand = std::mem::take(&mut all[pit]);
    let mut at = pit;
    while hand > 0 {
        at = (at + 1) % (2 * pits);
        if at != pit {
            all[at] += 1;
            hand -= 1;
        }
    }
    let (uncaptured, mut taken) = (all.clone(), 0);
    while at >= pits && (all[at] == 2 || all[at] == 3) {
        taken += std::mem::take(&mut all[at]);
        at -= 1;
    }
    let feeds = |all: &[u8]| all[pits..].iter().any(|stones| *stones > 0);
    match game.slam {
        Slam::Void if !feeds(&all) => (uncaptured.clone(), 0, feeds(&uncaptured)),
        _ => (all.clone(), taken, feeds(&all)),
    }
}

/// All pits, the mover's first.
fn flat(game: &Awari, state: &Pits) -> Vec<u8> {
    let rows = state.rows();
    rows.iter().flat_map(|row| (0..game.pits).map(|pit| stones_in(*row, pit))).collect()
}

#[test]
fn a_sowing_as_an_addition_is_a_sowing_stone_by_stone() {
    let mut forced = [0, 0];
    for (pits, stones) in [(1, 1), (1, 9), (2, 5), (3, 2), (6, 1), (6, 4), (6, 12), (8, 12)] {
        for game in variants(pits, stones) {
            for sample in positions(&game, 1000, u64::from(stones)) {
                let state = &sample.state;
                let own = flat(&game, state);
                let filled = (0..usize::from(pits)).filter(|pit| own[*pit] > 0);
                let (feeding, others): (Vec<_>, Vec<_>) =
                    filled.partition(|pit| plain(&game, state, *pit).2);
                let expected = match game.slam {
                    Slam::Forbidden if feeding.is_empty() => others,
                    _ => feeding,
                };
                let name = specification(&game);
                let from = game.format(state);
                let moves: Vec<_> = game.moves(state).map(|Number(pit)| pit.into()).collect();
                assert_eq!(moves, expected, "{name} {from}");
                assert_eq!(moves.is_empty(), game.outcome(state).is_some(), "{name} {from}");
                for pit in moves {
                    let (mut pits_after, taken, feeds) = plain(&game, state, pit);
                    let next = game.play(state, Number(pit as u8));
                    pits_after.rotate_left(pits.into());
                    assert_eq!(flat(&game, &next), pits_after, "{name} {from}: {pit}");
                    let mover = state.turn.index();
                    assert_eq!(next.stores[mover], state.stores[mover] + taken);
                    crate::kit::pits::check_steps(&game, state, Number(pit as u8));
                    assert_eq!(next.stores[1 - mover], state.stores[1 - mover]);
                    assert_eq!(next.turn, state.turn.other());
                    forced[game.slam as usize] += usize::from(!feeds);
                }
            }
        }
    }
    assert!(forced[0] > 100 && forced[1] == 0, "{forced:?}");
}

/// The predecessors are exactly the positions of the layer from which a move leads here.
#[test]
fn all_predecessors_are_listed() {
    for game in variants(2, 2).chain(variants(3, 1)) {
        for layer in 0..game.layers() {
            let all = || game.states(layer, 0..game.size(layer)).map(|(_, state)| state);
            let mut leads: Vec<(u64, u64)> = Vec::new();
            for state in all().filter(|state| game.outcome(state).is_none()) {
                let next = game.moves(&state).map(|mv| game.index(&game.play(&state, mv)));
                let next = next.filter(|(to, _)| *to == layer);
                leads.extend(next.map(|(_, to)| (game.index(&state).1, to)));
            }
            let mut listed: Vec<(u64, u64)> = Vec::new();
            for state in all() {
                let before = game.predecessors(&state).unwrap().into_iter();
                listed.extend(before.map(|earlier| (game.index(&earlier).1, game.index(&state).1)));
            }
            leads.sort_unstable();
            listed.sort_unstable();
            assert_eq!(listed, leads, "{} {layer}", specification(&game));
        }
    }
}

#[test]
fn a_side_without_stones_must_be_given_some() {
    let moves = |slam, text: &str| {
        let game = Awari::of(6, 4, slam);
        let state = game.parse(text).unwrap();
        let moves: Vec<_> = game.moves(&state).map(|mv| mv.to_string()).collect();
        (moves.join(" "), game.outcome(&state).map(|Outcome(outcome)| outcome))
    };
    use Slam::{Forbidden, Void};
    // The other side has no stones: only the last two pits reach it.
    let fed = "1 1 1 0 2 1 20 0 0 0 0 0 0 22 first";
    assert_eq!(moves(Forbidden, fed), ("5 6".into(), None));
    assert_eq!(moves(Void, fed), ("5 6".into(), None));
    // No move gives it any.
    let starved = "2 1 0 0 0 0 20 0 0 0 0 0 0 25 first";
    assert_eq!(moves(Forbidden, starved), ("1 2".into(), None));
    assert_eq!(moves(Void, starved), ("".into(), Some(-2)));
    // Pit 6 would capture all: the example of the rule in the score database's notes.
    let choice = "1 0 0 0 0 1 21 1 0 0 0 0 0 24 first";
    assert_eq!(moves(Forbidden, choice), ("1".into(), None));
    assert_eq!(moves(Void, choice), ("1 6".into(), None));
    let only = "0 0 0 0 0 1 22 1 0 0 0 0 0 24 first";
    assert_eq!(moves(Forbidden, only), ("6".into(), None));
    // A player to move without stones ends the game.
    let empty = "0 0 0 0 0 0 20 1 2 0 0 0 0 25 first";
    assert_eq!(moves(Forbidden, empty), ("".into(), Some(-8)));
    assert_eq!(moves(Void, empty), ("".into(), Some(-8)));
}

#[test]
fn bad_positions_are_refused() {
    let game = Awari::of(2, 2, Slam::Forbidden);
    for (text, expected) in [
        ("", "6 numbers"),
        ("1 2 3 first", "6 numbers"),
        ("0 1 3 0 2 2", "6 numbers"),
        ("0 1 3 0 2 2 third", "first or second"),
        ("0 1 3 0 -2 2 first", "0 to 8 stones in pit 2"),
        ("0 9 0 0 0 0 first", "0 to 8 stones in pit 2"),
        ("2 2 1 2 2 0 first", "at most 8 stones in all"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_last_stone_is_shown_where_it_falls() {
    let game = Awari::of(3, 4, Slam::Forbidden);
    let state = game.parse("1 5 0 0 2 6 1 0 second").unwrap();
    // From pit 2 of the second player: its pit 3, the first player's three, its pit 1, and pit 3
    // again.
    assert_eq!(game.destination(&state, Number(1)), Some(5));
    assert_eq!(game.destination(&state, Number(0)), Some(5));
}
