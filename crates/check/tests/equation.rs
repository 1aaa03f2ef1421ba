//! When one entry of a table follows from those after it, kind by kind: each condition alone.

use foregone_check::equation::{Found, Reached, Said, check, showable};
use foregone_record::{Listed, Values};
use foregone_rules::{Distance, Outcome, Side, Value, Worth};
use foregone_trial::Graph;

const FIRST: Side = Side::First;
const SECOND: Side = Side::Second;

/// The position asked about, where the first player moves: in layer 5.
const LAYER: u32 = 5;

fn worth(value: i32, plies: u32) -> Worth {
    Worth::new(Value(value), Distance::Plies(plies))
}

/// What a table says of a position that a move leads to, and who moves there; play makes progress.
fn reached(turn: Side, layer: u32, worth: Worth, banked: i32) -> (Side, Reached) {
    (turn, Reached { said: Said { worth, layer, banked }, rises: true })
}

/// The same without progress.
fn stays((turn, reached): (Side, Reached)) -> (Side, Reached) {
    (turn, Reached { rises: false, ..reached })
}

/// Checks an entry of which the moves lead to these; `banked` is what the mover has banked.
fn found(values: Values, entry: Worth, banked: i32, after: &[(Side, Reached)]) -> Found {
    let turns = after.iter().map(|(turn, _)| *turn);
    let graph = Graph {
        moves: vec![(1..=after.len() as u8).collect()],
        turns: [FIRST].into_iter().chain(turns).collect(),
        outcomes: vec![None; after.len() + 1],
        endless: vec![],
    };
    let here = Said { worth: entry, layer: LAYER, banked };
    let look_up = |state: &u8| Ok::<_, ()>(Some(after[usize::from(*state) - 1].1));
    check(&graph, (values, Listed::All), &0, here, Value(0), look_up).unwrap()
}

fn is_unshown(found: Found, words: &str) -> bool {
    matches!(found, Found::Unshown(why) if why.contains(words))
}

#[test]
fn what_can_be_shown_of_banked_points() {
    let why = |values, banks| showable(values, banks).err().unwrap_or_default();
    for (_, values) in Values::ALL {
        assert_eq!(why(values, false), "");
    }
    assert!(why(Values::Wdl, true).contains("a sign cannot be added"));
    assert!(why(Values::ScoreDistance, true).contains("a number has no single distance"));
    assert_eq!([why(Values::Score, true), why(Values::ScoreRank, true)], ["", ""]);
}

#[test]
fn a_position_that_is_over() {
    let over = |turn| Graph {
        moves: vec![vec![]],
        turns: vec![turn],
        outcomes: vec![Some(Outcome(5))],
        endless: vec![],
    };
    let check = |turn, values, worth, banked| {
        let here = Said { worth, layer: LAYER, banked };
        check(&over(turn), (values, Listed::All), &0, here, Value(0), |_| Err(())).unwrap()
    };
    assert_eq!(check(FIRST, Values::Score, worth(3, 0), 2), Found::Right);
    assert_eq!(check(SECOND, Values::Score, worth(-7, 0), 2), Found::Right);
    assert_eq!(check(FIRST, Values::ScoreDistance, worth(5, 1), 0), Found::Wrong(worth(5, 0)));
    assert_eq!(check(FIRST, Values::Score, worth(5, 0), 2), Found::Wrong(worth(3, 0)));
    assert_eq!(check(FIRST, Values::Wdl, worth(1, 0), 0), Found::Right);
}

#[test]
fn an_entry_is_missing_or_there_is_no_move() {
    let wrong = |values| found(values, worth(0, 0), 0, &[]);
    assert!(Values::ALL.iter().all(|(_, values)| wrong(*values) == Found::Stuck));
    let graph =
        Graph { moves: vec![vec![0]], turns: vec![FIRST], outcomes: vec![None], endless: vec![] };
    let here = Said { worth: worth(0, 0), layer: LAYER, banked: 0 };
    let found =
        check(&graph, (Values::Score, Listed::All), &0, here, Value(0), |_| Ok::<_, ()>(None));
    assert_eq!(found, Ok(Found::Open));
}

#[test]
fn distances() {
    let after = [
        stays(reached(SECOND, LAYER, worth(-1, 3), 0)),
        stays(reached(SECOND, LAYER, worth(-1, 5), 0)),
        stays(reached(FIRST, LAYER + 1, worth(0, 1), 0)),
    ];
    let check = |entry| found(Values::ScoreDistance, entry, 0, &after);
    assert_eq!(check(worth(1, 4)), Found::Right);
    assert_eq!(check(worth(1, 6)), Found::Wrong(worth(1, 4)));
    assert_eq!(check(worth(0, 2)), Found::Wrong(worth(1, 4)));
}

#[test]
fn values_alone_need_progress_along_every_move() {
    let good = reached(SECOND, LAYER, worth(-2, 0), 0);
    let bad = reached(SECOND, LAYER, worth(2, 0), 0);
    for after in [[good, stays(bad)], [stays(bad), good], [stays(good), bad]] {
        assert!(is_unshown(found(Values::Score, worth(2, 0), 0, &after), "no measure"));
        // What is wrong is wrong nevertheless.
        let wrong = found(Values::Score, worth(1, 0), 0, &after);
        assert_eq!(wrong, Found::Wrong(worth(2, 0)));
    }
    assert_eq!(found(Values::Score, worth(2, 0), 0, &[good, bad]), Found::Right);
    let sign = |value| reached(SECOND, LAYER, worth(value, 0), 0);
    assert_eq!(found(Values::Wdl, worth(1, 0), 0, &[sign(-1)]), Found::Right);
    assert!(is_unshown(found(Values::Wdl, worth(1, 0), 0, &[stays(sign(-1))]), "no measure"));
}

/// What is banked before and after, by whoever moves there, counts as gained.
#[test]
fn points_that_are_banked() {
    for (after, value) in [
        // The mover had 2, and has 3: it gains 1 besides what is to come.
        (reached(FIRST, 0, worth(4, 0), 3), 5),
        (reached(SECOND, 0, worth(-4, 0), -3), 5),
        (reached(FIRST, 0, worth(4, 0), 2), 4),
        (reached(SECOND, 0, worth(4, 0), -2), -4),
        (reached(SECOND, 0, worth(4, 0), 0), -6),
    ] {
        assert_eq!(found(Values::Score, worth(value, 0), 2, &[after]), Found::Right);
        let other = found(Values::Score, worth(value + 1, 0), 2, &[after]);
        assert_eq!(other, Found::Wrong(worth(value, 0)));
    }
    // A gain changes no distance.
    let after = reached(SECOND, 0, worth(-4, 6), -1);
    let check = found(Values::ScoreRank, worth(5, 0), 0, &[after]);
    assert_eq!(check, Found::Right);
}

#[test]
fn layers_and_gains_of_tables_with_ranks() {
    let check = |layer, banked| {
        let after = reached(SECOND, layer, worth(0, 0), banked);
        let value = -banked;
        found(Values::ScoreRank, worth(value, if value == 0 { 0 } else { 1 }), 0, &[after])
    };
    assert_eq!(check(LAYER - 1, 0), Found::Right);
    assert_eq!(check(LAYER, 0), Found::Right);
    assert_eq!([check(LAYER - 1, 1), check(LAYER - 1, -1)], [Found::Right; 2]);
    assert!(is_unshown(check(LAYER + 1, 0), "a higher layer"));
    for gain in [-2, -1, 1, 2] {
        assert!(is_unshown(check(LAYER, -gain), "banks points and stays"), "{gain}");
    }
    // Ranks besides do not matter: nothing needs progress.
    let after = stays(reached(SECOND, LAYER, worth(-3, 4), 0));
    assert_eq!(found(Values::ScoreRank, worth(3, 5), 0, &[after]), Found::Right);
}

#[test]
fn ranks_fall() {
    // A position of the other side in the same layer, or the one below, by the mover's value.
    let here = |value: i32, rank| reached(SECOND, LAYER, worth(-value, rank), 0);
    let below = |value: i32, rank| reached(SECOND, LAYER - 1, worth(-value, rank), 0);
    let (yes, wrong) = (Found::Right, |value, rank| Found::Wrong(worth(value, rank)));
    for (entry, after, expected) in [
        // Of moves that keep a win, one has to fall.
        (worth(2, 4), &[here(2, 3)][..], yes),
        (worth(2, 4), &[here(2, 4)], wrong(2, 5)),
        (worth(2, 4), &[here(2, 5)], wrong(2, 6)),
        (worth(2, 4), &[here(2, 3), here(2, 9)], yes),
        (worth(2, 4), &[here(2, 9), here(2, 3)], yes),
        (worth(2, 4), &[here(2, 9), here(2, 7)], wrong(2, 8)),
        (worth(2, 0), &[below(2, 9)], yes),
        (worth(2, 0), &[below(2, 0)], yes),
        (worth(2, 0), &[here(2, 0)], wrong(2, 1)),
        // Others do not count, whether they come before or after.
        (worth(2, 4), &[here(2, 4), here(1, 3)], wrong(2, 5)),
        (worth(2, 4), &[here(1, 3), here(2, 4)], wrong(2, 5)),
        (worth(2, 4), &[here(1, 9), here(2, 3)], yes),
        (worth(2, 4), &[here(2, 3), here(1, 9)], yes),
        // Of moves that keep a loss, all have to fall.
        (worth(-2, 4), &[here(-2, 3)], yes),
        (worth(-2, 4), &[here(-2, 4)], wrong(-2, 5)),
        (worth(-2, 4), &[here(-2, 5)], wrong(-2, 6)),
        (worth(-2, 4), &[here(-2, 3), here(-2, 9)], wrong(-2, 10)),
        (worth(-2, 4), &[here(-2, 9), here(-2, 3)], wrong(-2, 10)),
        (worth(-2, 4), &[here(-2, 3), here(-2, 1)], yes),
        (worth(-2, 4), &[here(-2, 3), here(-3, 9)], yes),
        (worth(-2, 4), &[here(-3, 9), here(-2, 3)], yes),
        (worth(-2, 0), &[below(-2, 9)], yes),
        (worth(-2, 0), &[below(-2, 9), here(-2, 2)], wrong(-2, 3)),
        (worth(-2, 4), &[below(-2, 9), here(-2, 4)], wrong(-2, 5)),
        // A draw needs none.
        (worth(0, 0), &[here(0, 0)], yes),
        (worth(0, 0), &[here(0, 0), here(-1, 0)], yes),
        // Another value than the best is wrong, whatever the ranks.
        (worth(1, 4), &[here(2, 3)], wrong(2, 4)),
        (worth(3, 4), &[here(2, 3)], wrong(2, 4)),
        (worth(1, 4), &[here(0, 3)], wrong(0, 0)),
        (worth(2, 4), &[here(2, 4), below(2, 9)], yes),
        (worth(3, 4), &[here(2, 7), below(2, 9)], wrong(2, 1)),
    ] {
        let found = found(Values::ScoreRank, entry, 0, after);
        assert_eq!(found, expected, "{entry:?} {after:?}");
    }
}
