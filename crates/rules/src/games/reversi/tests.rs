use super::*;
use crate::conform::Conform;
use crate::promise::Notation;
use crate::sample::{Dice, positions};

fn boards() -> impl Iterator<Item = Reversi> {
    [4, 6, 8].into_iter().flat_map(|size| [false, true].map(|count| Reversi::of(size, count)))
}

#[test]
fn keeps_its_promises() {
    for game in boards() {
        let report = Conform::new(&game).declared().finish();
        report.unwrap_or_else(|broken| panic!("{} {}: {broken}", game.size, game.empties_count));
    }
}

const DIRECTIONS: [(i32, i32); 8] =
    [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The rules once more, square by square: for each square on which a disc can be placed, what it turns
/// over.
fn plain(size: i32, state: &Stones) -> Vec<(u8, u64)> {
    let at = |row: i32, column: i32| {
        let is_square = (0..size).contains(&row) && (0..size).contains(&column);
        is_square.then(|| 1u64 << (row * size + column))
    };
    let mut found = Vec::new();
    for square in 0..size * size {
        let mut turned = 0;
        for (down, right) in DIRECTIONS {
            let along =
                (1..).map_while(|nth| at(square / size + nth * down, square % size + nth * right));
            let mut run = 0;
            for disc in along {
                if state.waiting & disc == 0 {
                    turned |= if state.to_move & disc != 0 { run } else { 0 };
                    break;
                }
                run |= disc;
            }
        }
        if turned != 0 && state.taken() >> square & 1 == 0 {
            found.push((square as u8, turned));
        }
    }
    found
}

#[test]
fn words_turn_over_what_a_walk_along_the_lines_does() {
    for game in boards() {
        for sample in positions(&game, 2000, 3) {
            let state = sample.state;
            let expected = plain(i32::from(game.size), &state);
            if expected.is_empty() {
                let passed = Stones { turn: state.turn.other(), ..state.with(0) };
                let is_over = plain(i32::from(game.size), &passed).is_empty();
                assert_eq!(game.outcome(&state).is_some(), is_over, "{}", game.format(&state));
                continue;
            }
            let found = game.moves(&state).map(|mv| match mv {
                Placing::At(square) => {
                    let next = game.play(&state, mv);
                    (game.bit(square), next.waiting & state.waiting)
                }
                Placing::Word(_) => panic!("a pass in {}", game.format(&state)),
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{}", game.format(&state));
        }
    }
}

#[test]
fn stable_discs_are_never_turned_over() {
    let mut dice = Dice::new(5);
    let mut stable = 0;
    for game in boards() {
        for sample in positions(&game, 3000, 4) {
            let mut state = sample.state;
            let kept = Side::BOTH.map(|side| game.stable(state.of(side), state.of(side.other())));
            stable += kept.iter().map(|discs| discs.count_ones()).sum::<u32>();
            while game.outcome(&state).is_none() {
                let moves: Vec<_> = game.moves(&state).collect();
                state = game.play(&state, moves[dice.below(moves.len())]);
            }
            for side in Side::BOTH {
                let lost = kept[side.index()] & !state.of(side);
                assert_eq!(lost, 0, "{}", game.format(&sample.state));
            }
        }
    }
    assert!(stable > 1000, "{stable}");
}

#[test]
fn full_lines_and_edges_make_discs_stable() {
    let game = Reversi::of(4, false);
    for (text, expected) in [
        ("..../.OX./.XO./.... X", 0),
        ("X.../.XX./.XO./.... X", 1),
        ("XXO./.XX./.XO./.... X", 2),
        // The upper edge, and below it those with such a neighbour in every direction.
        ("XXXX/XXX./.XO./.... X", 4 + 3),
        ("XXXX/XOX./.XO./.... X", 4 + 1),
        // All lines are full.
        ("XOOO/XOOX/XOOX/XXXX X", 9),
    ] {
        let state = game.parse(text).unwrap();
        assert_eq!(game.stable(state.to_move, state.waiting).count_ones(), expected, "{text}");
    }
}

#[test]
fn empty_squares_count_for_the_winner_if_they_are_to() {
    for (size, text, [nobody, winner]) in [
        (4, "XXXX/XXXX/XXXX/XX.. X", [14, 16]),
        (4, "OOOO/OOOO/OOOO/XXX. X", [-9, -10]),
        (4, "XXXX/XXXX/OOOO/OOOO X", [0, 0]),
    ] {
        for (count, outcome) in [(false, nobody), (true, winner)] {
            let game = Reversi::of(size, count);
            let state = game.parse(text).unwrap();
            assert_eq!(game.outcome(&state), Some(Outcome(outcome)), "{text}");
            // It is the same whoever would be to move.
            let state = Stones { turn: Side::Second, ..state.with(0) };
            assert_eq!(game.outcome(&state), Some(Outcome(outcome)), "{text}");
        }
    }
}

#[test]
fn bad_positions_are_refused() {
    let game = Reversi::of(4, false);
    for (text, expected) in [
        ("..../.OX./.X../.... X", "four squares in the middle"),
        ("..../.OX./.XO./.... Y", "X or O"),
        ("..../.OX./.XO. X", "rows of"),
        ("..../.OXX/.XO./..... X", "4 cells"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}

#[test]
fn boards_of_programs_for_othello_are_read() {
    let game = Reversi::new(8).unwrap();
    let start =
        game.parse("......../......../......../...OX.../...XO.../......../......../........ X");
    let one = format!("{}OX------XO{}", "-".repeat(27), "-".repeat(27));
    for text in [
        format!("{one} X"),
        format!("{one}*"),
        one.replace('X', "*") + " *",
        one.replace('X', "b").replace('O', "w") + " b",
        one.replace('-', ".") + "x",
        format!("8 {} *", one.replace('X', "*")),
    ] {
        assert_eq!(game.parse(&text), start, "{text}");
    }
    for text in [format!("{one} ?"), format!("-{one} X"), one.clone(), one.replace('X', "?") + " X"]
    {
        assert!(game.parse(&text).is_err(), "{text}");
    }
    let sideless = game.parse(&one).unwrap_err().to_string();
    assert!(sideless.contains("the side to move behind the 64 cells"), "{sideless}");
}
