use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::Indexed;
use crate::promise::{Notation, Picture};
use crate::sample::Dice;

fn variants(pits: u8, stones: u8) -> impl Iterator<Item = Kalah> {
    let all = CAPTURES.iter().flat_map(|(_, capture)| {
        ENDS.iter().flat_map(move |(_, end)| RESTS.map(|(_, rest)| (*capture, *end, rest)))
    });
    all.map(move |(capture, end, rest)| Kalah::of(pits, stones, capture, end, rest))
}

#[test]
fn keeps_its_promises() {
    for (pits, stones) in [(1, 1), (1, 12), (2, 2), (3, 3), (6, 4), (8, 12)] {
        for game in variants(pits, stones) {
            let conform = Conform::sampled(&game, 2000, 3).notation().picture().acyclic();
            let conform = conform.evaluate().encode_merged().symmetry().banked().order();
            // The largest boards have too many positions for numbers.
            let numbered = (0..game.layers()).all(|layer| game.size(layer) < u64::MAX);
            assert_eq!(numbered, pits < 8);
            let conform =
                if numbered { conform.indexed().measured_numbers().banded() } else { conform };
            let report = conform.search_hints().finish();
            report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
        }
    }
}

/// A plain implementation of a move, stone by stone, to compare with the additions of words.
fn plain(game: &Kalah, state: &Pits, pit: u8) -> Pits {
    let pits = usize::from(game.pits);
    let round = 2 * pits + 1;
    let mover = state.turn;
    let mut spots = vec![0u8; round];
    for at in 0..pits {
        spots[at] = stones_in(state.pits[mover.index()], at as u8);
        spots[pits + 1 + at] = stones_in(state.pits[mover.other().index()], at as u8);
    }
    spots[pits] = state.stores[mover.index()];
    let mut at = usize::from(pit);
    let mut hand = std::mem::take(&mut spots[at]);
    while hand > 0 {
        at = (at + 1) % round;
        spots[at] += 1;
        hand -= 1;
    }
    let opposite = 2 * pits - at.min(pits);
    let empty = spots[opposite] == 0;
    if at < pits && spots[at] == 1 && (game.capture == Capture::Always || !empty) {
        spots[pits] += 1 + std::mem::take(&mut spots[opposite]);
        spots[at] = 0;
    }
    let turn = if at == pits { mover } else { mover.other() };
    let own: u8 = spots[..pits].iter().sum();
    let other: u8 = spots[pits + 1..].iter().sum();
    let mut stores = [spots[pits], state.stores[mover.other().index()]];
    let over = match game.end {
        End::Either => own == 0 || other == 0,
        End::Mover => (if turn == mover { own } else { other }) == 0,
    };
    if over {
        match game.rest {
            Rest::Owner => {
                stores[0] += own;
                stores[1] += other;
            }
            Rest::Mover => stores[0] += own + other,
            Rest::None => {}
        }
        spots.fill(0);
    }
    let turn = if over { mover.other() } else { turn };
    let row = |from: usize| {
        (0..pits).rev().fold(0u64, |row, pit| row << 8 | u64::from(spots[from + pit]))
    };
    let mut next = Pits { pits: [row(0), row(pits + 1)], stores, turn };
    if mover == Side::Second {
        next.pits.swap(0, 1);
        next.stores.swap(0, 1);
    }
    next
}

#[test]
fn a_sowing_as_an_addition_is_a_sowing_stone_by_stone() {
    for (pits, stones) in [(1, 1), (1, 9), (2, 5), (3, 2), (6, 4), (6, 12), (8, 12)] {
        for game in variants(pits, stones) {
            for sample in crate::sample::positions(&game, 1000, u64::from(stones)) {
                if game.outcome(&sample.state).is_some() {
                    continue;
                }
                for Number(pit) in game.moves(&sample.state) {
                    let expected = plain(&game, &sample.state, pit);
                    let found = game.play(&sample.state, Number(pit));
                    let from = game.format(&sample.state);
                    assert_eq!(found, expected, "{} {from}: {pit}", specification(&game));
                    crate::kit::pits::check_steps(&game, &sample.state, Number(pit));
                }
            }
        }
    }
}

#[test]
fn positions_are_read_as_the_founding_text_writes_them() {
    let game = Kalah::of(2, 2, Capture::Always, End::Either, Rest::Owner);
    let state = game.parse("[0,1,3,0,2,2] second").unwrap();
    assert_eq!(game.format(&state), "0 1 3 0 2 2 second");
    // The position is over, so the remaining stones go to their side.
    let state = game.parse("0 0 3 0 2 2 first").unwrap();
    assert_eq!(game.format(&state), "0 0 3 0 0 4 first");
    for (text, expected) in [
        ("", "6 numbers"),
        ("1 2 3 first", "6 numbers"),
        ("0 1 3 0 2 2", "6 numbers"),
        ("0 1 3 0 2 2 third", "first or second"),
        ("0 1 3 0 -2 2 first", "0 to 255 stones in pit 2"),
        ("0 1 3 0 999999999999 2 first", "0 to 255 stones in pit 2"),
        ("100 100 100 0 2 2 first", "at most 255 stones in all"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}

#[test]
fn the_picture_is_three_aligned_lines() {
    let game = Kalah::of(6, 4, Capture::Always, End::Either, Rest::Owner);
    let state = game.parse("4 0 2 0 0 1 15 2 10 0 2 0 13 22 first").unwrap();
    let lines = "   13  0  2  0 10  2\n22                   15\n    4  0  2  0  0  1";
    let drawing = game.draw(&state);
    assert_eq!(drawing.to_string(), lines);
    let firsts = drawing.cells().filter(|cell| cell.owner == Some(Side::First));
    let firsts: Vec<_> = firsts.map(|cell| cell.text.as_str()).collect();
    assert_eq!(firsts, ["15", "4", "0", "2", "0", "0", "1"]);
}

#[test]
fn nearness_counts_every_pit() {
    let mut dice = Dice::new(7);
    for _ in 0..1000 {
        let row = u64::from_le_bytes(std::array::from_fn(|_| dice.below(32) as u8));
        let expected: u32 = (0..8).map(|pit| u32::from(stones_in(row, pit)) * u32::from(pit)).sum();
        assert_eq!(nearness_of(row), expected, "{row:x}");
    }
    assert_eq!(nearness_of(255 << 56), 7 * 255);
}
