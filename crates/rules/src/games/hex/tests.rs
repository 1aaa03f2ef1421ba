use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::{Candidates, Notation, SearchHints};
use crate::sample::{Dice, positions};

fn boards() -> impl Iterator<Item = Hex> {
    let square = (1..=8).flat_map(|size| [false, true].map(|swap| Hex::of([size; 2], swap)));
    square.chain([[1, 16], [4, 3], [3, 5], [9, 7], [16, 4]].map(|size| Hex::of(size, false)))
}

#[test]
fn keeps_its_promises() {
    for game in boards() {
        let report = Conform::new(&game).declared().finish();
        report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
    }
}

/// Whether a side has its chain, by geometry: hexagons touch if their middles lie one apart.
fn is_joined([columns, rows]: [i32; 2], stones: u64, side: Side) -> bool {
    let place = |cell: i32| {
        let [column, row] = [cell % columns, cell / columns].map(f64::from);
        (column + row / 2.0, row * 0.75f64.sqrt())
    };
    let line = |cell: i32| if side == Side::First { cell / columns } else { cell % columns };
    let last = if side == Side::First { rows - 1 } else { columns - 1 };
    let cells = columns * rows;
    let has = |cell: &i32| stones >> cell & 1 == 1;
    let mut reached: Vec<i32> = (0..cells).filter(|cell| has(cell) && line(*cell) == 0).collect();
    let mut at = 0;
    while let Some(from) = reached.get(at).copied() {
        let (x, y) = place(from);
        let touching = (0..cells).filter(|to| {
            let (right, down) = place(*to);
            has(to) && !reached.contains(to) && ((right - x).hypot(down - y) - 1.0).abs() < 0.01
        });
        let touching: Vec<_> = touching.collect();
        reached.extend(touching);
        at += 1;
    }
    reached.iter().any(|cell| line(*cell) == last)
}

#[test]
fn full_boards_have_one_chain_and_it_is_that_of_geometry() {
    let mut dice = Dice::new(2);
    let sizes = (1..=8).map(|size| [size; 2]).chain([[4, 3], [3, 5], [9, 7], [16, 4], [1, 16]]);
    for size in sizes {
        let game = Hex::of(size, false);
        let all = game.board.all() as u64;
        for _ in 0..300 {
            let first = dice.roll() & all;
            let has = |stones, side| {
                let found = game.has_chain(stones, side);
                let expected = is_joined(size.map(i32::from), stones, side);
                assert_eq!(found, expected, "{size:?} {stones:x} {side:?}");
                found
            };
            assert!(
                has(first, Side::First) != has(all & !first, Side::Second),
                "{size:?} {first:x}"
            );
            has(first & dice.roll(), Side::First);
            has(dice.roll() & dice.roll() & all, Side::Second);
            // The mirror image across the diagonal joins the edges of the other side.
            if size[0] == size[1] {
                assert_eq!(has(first, Side::First), has(game.mirrored(first), Side::Second));
            }
        }
    }
}

#[test]
fn sizes_are_written_shortly_and_fit_the_board() {
    let of = |given: &[(&str, &str)]| Hex::with(given).map(|game| specification(&game));
    for (given, name) in [
        (&[("size", "3")][..], "hex(size=3,swap=false)"),
        (&[("columns", "5"), ("rows", "5"), ("swap", "true")], "hex(size=5,swap=true)"),
        (&[("columns", "5")], "hex(columns=5,rows=4,swap=false)"),
        (&[("size", "6"), ("rows", "2")], "hex(columns=6,rows=2,swap=false)"),
    ] {
        assert_eq!(of(given).unwrap(), name);
    }
    for (given, part) in [
        (&[("columns", "9"), ("rows", "8")][..], "at most 64 cells"),
        (&[("columns", "5"), ("swap", "true")], "as many columns as rows"),
        (&[("columns", "17")], "a number from 1 to 16"),
    ] {
        let error = of(given).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn a_decided_game_shows_its_chain() {
    let game = Hex::of([3; 2], false);
    let state = game.parse("OX./XXO/XOO X").unwrap_err();
    assert!(state.expected.contains("already has its chain"), "{state}");
    let state = game.parse("OX./XXO/XO. O").unwrap();
    assert_eq!(game.outcome(&state), Some(Outcome::win(Side::First)));
    assert_eq!(game.decided(&state), [[1, 3], [3, 6]]);
    let state = game.parse("OX./XX./.O. X").unwrap_err();
    assert!(state.expected.contains("one X more") || state.expected.contains("as many"), "{state}");
    let state = game.parse("OX./XXO/... O").unwrap();
    assert_eq!((game.outcome(&state), game.decided(&state)), (None, vec![]));
}

#[test]
fn the_first_stone_can_be_taken_over_once() {
    let moves = |game: &Hex, state: &Stones| game.moves(state).map(|mv| mv.to_string()).collect();
    for (swap, expected) in
        [(true, "a1 b1 c1 a2 b2 c2 a3 c3 swap"), (false, "a1 b1 c1 a2 b2 c2 a3 c3")]
    {
        let game = Hex::of([3; 2], swap);
        let state = game.parse(".../.../.X. O").unwrap();
        let all: Vec<String> = moves(&game, &state);
        assert_eq!(all.join(" "), expected);
    }
    let game = Hex::of([3; 2], true);
    let state = game.play(&game.parse(".../.../.X. O").unwrap(), SWAP);
    assert_eq!(game.format(&state), ".../..O/... X");
    assert_eq!(moves(&game, &state).len(), 8);
    for (text, is_position) in [
        (".X./..O/... X", true),
        (".X./..O/... O", true),
        (".../OO./.X. X", true),
        (".../OO./.X. O", false),
        (".../.../... O", false),
    ] {
        assert_eq!(game.parse(text).is_ok(), is_position, "{text}");
        let plain = Hex::of([3; 2], false).parse(text).is_ok();
        assert_eq!(plain, text == ".X./..O/... X", "{text}");
    }
}

#[test]
fn bridges_win_and_show_what_must_be_played() {
    let game = Hex::of([4; 2], false);
    let hints = |text: &str| {
        let mut list = Vec::new();
        let state = game.parse(text).unwrap();
        let (low, high) = game.bounds_and_moves(&state, &mut Candidates::new(&mut list));
        let moves: Vec<_> = list.iter().map(|(_, mv)| mv.to_string()).collect();
        (low.0, high.0, moves.join(" "))
    };
    // X at c2 and b3 touch, and a bridge leads from each to its edge.
    assert_eq!(hints("..../..X./.X../...O O"), (-1, -1, String::new()));
    // The bridge to the lower edge is blocked. X threatens to go on by a4 or by d3; both ways have the
    // bridge to the upper edge in common, and nothing else.
    assert_eq!(hints("..../..X./.X../.O.. O"), (-1, 1, "c1 d1".to_owned()));
    // Nobody threatens anything yet.
    let (low, high, moves) = hints("..../..../..../.... X");
    assert_eq!((low, high, moves.split(' ').count()), (-1, 1, 16));
}

/// What hints say of who has won is right on sampled positions that end soon enough, and the moves that
/// they leave out are lost: [`Conform`] compares them with the whole tree. Here, that they say it often.
#[test]
fn hints_settle_most_late_positions() {
    let game = Hex::of([4; 2], false);
    let samples = positions(&game, 4000, 7);
    let late = samples.iter().filter(|sample| {
        game.outcome(&sample.state).is_none() && sample.state.taken().count_ones() >= 4
    });
    let (mut all, mut settled) = (0, 0);
    for sample in late {
        let mut list = Vec::new();
        let (low, high) = game.bounds_and_moves(&sample.state, &mut Candidates::new(&mut list));
        all += 1;
        settled += u32::from(low == high);
    }
    assert!(settled > all * 3 / 4, "{settled} of {all}");
}
