use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::Notation;

#[test]
fn keeps_its_promises() {
    for men in [3, 5, 9] {
        for flying in [true, false] {
            let game = NineMensMorris::of(men, flying);
            let conform = Conform::new(&game).notation().picture().encode().encode_merged();
            let conform = conform.symmetry().indexed();
            let report = conform.finish();
            report.unwrap_or_else(|broken| panic!("{}: {broken}", specification(&game)));
        }
    }
}

#[test]
fn the_board_is_what_it_should_be() {
    let game = NineMensMorris::of(9, true);
    let ways: u32 = game.next_to.iter().map(|next| next.count_ones()).sum();
    assert_eq!(ways, 2 * 32, "32 pieces of line");
    assert!(game.mills.iter().flatten().all(|mill| mill.count_ones() == 2));
    let images = |set: u32| (0..16).map(move |symmetry| numbers::orbits().image(symmetry, set));
    let different: std::collections::HashSet<_> = images(0b1_0000_1001).collect();
    assert_eq!((numbers::orbits().symmetries(), different.len()), (16, 16));
    for line in LINES {
        for image in images(set_of(line)) {
            assert!(LINES.iter().any(|line| set_of(*line) == image), "lines stay lines");
        }
    }
}

#[test]
fn equivalent_sets_have_one_number() {
    let orbits = numbers::orbits();
    for (first, second) in [(0, 2), (1, 1), (2, 2), (3, 2), (2, 4)] {
        let mut seen = 0;
        for number in 0..orbits.size(first, second) {
            let Some([one, other]) = orbits.pair(number, first, second) else { continue };
            assert_eq!([one.count_ones(), other.count_ones(), one & other], [first, second, 0]);
            let images = (0..16).map(|at| [one, other].map(|set| orbits.image(at, set)));
            let images: std::collections::HashSet<_> = images.collect();
            seen += images.len() as u64;
            for [one, other] in images {
                assert_eq!(orbits.number([one, other], [one, other].map(u32::count_ones)), number);
            }
        }
        let choose = crate::kit::choose;
        assert_eq!(seen, choose(24, first) * choose(24 - first, second), "each pair has one");
    }
}

#[test]
fn mills_take_and_men_fly() {
    let game = NineMensMorris::of(9, true);
    let moves = |text: &str| -> Vec<String> {
        let state = game.parse(text).unwrap();
        game.moves(&state).map(|mv| mv.to_string()).collect()
    };
    // X closes a7-d7-g7; O's mill on row 1 is safe while there is another man.
    let all = moves("XX./.../.../....../.../..O/OOO 5 5 X");
    assert!(all.contains(&"g7xf2".to_owned()) && !all.contains(&"g7xa1".to_owned()), "{all:?}");
    assert!(!all.contains(&"g7".to_owned()), "a man has to be taken");
    // If all men are in mills, any may be taken.
    let all = moves("XX./.../.../.....X/.../.../OOO 0 0 X");
    assert!(all.contains(&"g4-g7xa1".to_owned()), "{all:?}");
    // Three men fly to any of 16 points; one of these moves closes a mill and can take either of
    // two men.
    assert_eq!(moves("X.X/.../.../X...../.../OO./OOO 0 0 X").len(), 3 * 16 + 1);
    let walking = NineMensMorris::of(9, false);
    let state = walking.parse("X.X/.../.../X...../.../OO./OOO 0 0 X").unwrap();
    assert_eq!(walking.moves(&state).count(), 4);
}

#[test]
fn a_side_with_two_men_or_no_move_has_lost() {
    let game = NineMensMorris::of(9, true);
    for (text, over) in [
        ("XX./.../.../....../.../OO./OOO 0 0 X", true),
        ("XX./.../.../....../.../OO./OOO 0 0 O", false),
        ("X../.../.../....../.../.../... 8 9 O", false),
        // X shut in at the corners: a7, g7, a1, g1 with O on all points next to them.
        ("XOX/.../.../O....O/.../.../XOX 0 0 X", true),
    ] {
        let state = game.parse(text);
        let over = over.then_some(Outcome::win(Side::Second));
        assert_eq!(game.outcome(&state.unwrap()), over, "{text}");
    }
}

#[test]
fn bad_positions_are_refused() {
    let game = NineMensMorris::of(9, true);
    for (text, expected) in [
        ("", "rows of"),
        (".../.../.../.../.../.../... 9 9 X", "6 cells in this row"),
        ("Z../.../.../....../.../.../... 9 9 X", "`.`, `X` or `O`"),
        (".../.../.../....../.../.../... 10 9 X", "0 to 9"),
        (".../.../.../....../.../.../... 9 8 X", "as many"),
        (".../.../.../....../.../.../... 8 9 X", "as many"),
        ("XXX/XXX/XXX/XXX.../.../.../... 0 0 X", "at most 9 men"),
        (".../.../.../....../.../.../... 9 9 Z", "the side to move"),
    ] {
        let error = game.parse(text).unwrap_err();
        assert!(error.expected.contains(expected), "{text}: {error}");
    }
}
