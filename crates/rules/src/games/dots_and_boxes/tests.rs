use super::*;
use crate::conform::Conform;
use crate::promise::{Notation, Picture};
use crate::show::Drawing;

#[test]
fn keeps_its_promises() {
    for (columns, rows) in [(1, 1), (2, 1), (1, 3), (2, 2), (3, 2), (3, 3), (5, 4), (21, 1), (5, 5)]
    {
        let game = DotsAndBoxes::of(columns, rows).unwrap();
        let report = Conform::new(&game).declared().finish();
        report.unwrap_or_else(|broken| panic!("{columns}x{rows}: {broken}"));
    }
}

#[test]
fn boxes_are_four_edges_around_each() {
    let game = DotsAndBoxes::of(2, 1).unwrap();
    // Edges 1 2 above, 3 4 5 upright, 6 7 below.
    assert_eq!(game.boxes, [0b0101101, 0b1011010]);
    assert_eq!(game.beside[3], [0b0101101, 0b1011010]);
    assert_eq!(game.beside[0], [0b0101101, 0]);
    let large = DotsAndBoxes::of(5, 4).unwrap();
    assert_eq!(large.board.len(), 49);
    let uses = |edge: usize| large.boxes.iter().filter(|set| *set >> edge & 1 == 1).count();
    assert_eq!((0..49).map(uses).sum::<usize>(), 4 * 20);
    assert_eq!((0..49).filter(|edge| uses(*edge) == 1).count(), 2 * (5 + 4));
}

#[test]
fn who_completes_a_box_moves_again() {
    let game = DotsAndBoxes::of(2, 1).unwrap();
    let play = |text: &str, edge: u8| {
        let state = game.play(&game.parse(text).unwrap(), Number(edge - 1));
        (game.format(&state), game.outcome(&state).map(|Outcome(outcome)| outcome))
    };
    assert_eq!(play("../.../.. 0 0 first", 4), ("../.X./.. 0 0 second".to_owned(), None));
    assert_eq!(play("X./XX./.. 0 0 second", 6), ("X./XX./X. 0 1 second".to_owned(), None));
    // One edge, two boxes.
    assert_eq!(play("XX/X.X/XX 0 0 first", 4), ("XX/XXX/XX 2 0 first".to_owned(), Some(2)));
    assert_eq!(play("XX/XX./XX 1 0 second", 5), ("XX/XXX/XX 1 1 second".to_owned(), Some(0)));
}

/// What each position is worth with nothing banked, by all moves and by those worth trying, on all sets of
/// edges: from the last edges on, as every set comes after those that it is part of.
fn worths(game: &DotsAndBoxes, tried: impl Fn(u64) -> u64) -> Vec<i8> {
    let mut worths = vec![0i8; 1 << game.board.len()];
    for edges in (0..game.all()).rev() {
        let after =
            |edge: u8| match (worths[(edges | 1 << edge) as usize], game.completed(edges, edge)) {
                (worth, 0) => -worth,
                (worth, boxes) => worth + boxes as i8,
            };
        worths[edges as usize] = Bits(tried(edges)).map(after).max().unwrap();
    }
    worths
}

#[test]
fn there_is_a_best_move_among_those_worth_trying_in_every_position() {
    for (columns, rows, known) in
        [(1, 1, -1), (5, 1, -1), (2, 2, 2), (3, 2, -2), (2, 3, -2), (4, 2, 2), (3, 3, -3)]
    {
        let game = DotsAndBoxes::of(columns, rows).unwrap();
        let all = worths(&game, |edges| game.all() & !edges);
        assert_eq!(all[0], known, "{columns}x{rows}");
        let few = worths(&game, |edges| game.worth_trying(edges));
        assert!(all == few, "{columns}x{rows}");
    }
}

#[test]
fn bad_positions_are_refused() {
    let game = DotsAndBoxes::of(2, 1).unwrap();
    for (text, expected) in [
        ("../.../.. first", "boxes of the first player"),
        ("../.../.. 1 0 first", "at most 0 boxes in all"),
        ("XX/XXX/XX 2 1 first", "at most 2 boxes in all"),
        ("../../.. 0 0 first", "3 cells in this row"),
        ("../.../.. 0 3 first", "0 to 2 boxes of the second player"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
    assert!(DotsAndBoxes::of(6, 5).is_err());
    assert!(DotsAndBoxes::of(5, 5).is_ok());
}

#[test]
fn the_picture_tells_the_score() {
    let game = DotsAndBoxes::of(2, 1).unwrap();
    let state = game.parse("XX/XX./X. 1 0 first").unwrap();
    let Drawing::Lines(lines) = game.draw(&state) else { panic!("lines") };
    assert_eq!(lines, ["+---+---+", "| # |   5", "+---+ 7 +", "", "first 1, second 0"]);
}
