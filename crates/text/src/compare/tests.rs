//! Texts that looked symmetric and were not, and random texts: the machine, and what is derived, are held against the
//! plain interpreter on all positions.

use foregone_rules::Game;
use foregone_trial::texts;

use crate::budget::Budget;
use crate::fault::{Fault, with};
use crate::symmetry::symmetries;
use crate::{Loaded, Text};

/// Compares all positions of a text, up to a number; `None` if it is no game.
fn compared(text: &str, max: usize) -> Option<Result<usize, String>> {
    Some(match Text::parse(text).ok()?.load(&[]).ok()? {
        Loaded::Small(game) => game.compare_all(max),
        Loaded::Large(game) => game.compare_all(max),
        Loaded::Wide(game) => game.compare_all(max),
    })
}

/// Whether a text shows that symmetry, progress or the machine is wrong.
fn is_wrong(text: &str) -> bool {
    let never = |error: &String| error.contains("stuck never");
    compared(text, 3_000).is_some_and(|result| result.is_err_and(|error| !never(&error)))
}

const HOSTILE: [(&str, &str, Fault); 3] = [
    ("collide", include_str!("../../tests/hostile/collide.rules"), Fault::PickKeepsItsNumber),
    ("sowmany", include_str!("../../tests/hostile/sowmany.rules"), Fault::SowTakesTheFirst),
    ("casesow", include_str!("../../tests/hostile/casesow.rules"), Fault::SowChangesNoName),
];

/// Each was believed to have a symmetry that it does not have.
#[test]
fn texts_that_only_look_symmetric_have_no_symmetry() {
    for (name, text, fault) in HOSTILE {
        // What is known of the cells of a text that cannot be loaded is asked of a like one.
        let text = text.replace("sow(all)", "sow(full(all) | all)");
        assert!(!is_wrong(&text), "{name}");
        assert!(
            with(fault, || is_wrong(&text)),
            "{name} does not show the fault that it was written for"
        );
    }
}

/// The generator would have found each of the three faults.
#[test]
fn random_texts_find_each_fault_that_was_there() {
    for (name, _, fault) in HOSTILE {
        let found = (0..12_000).find(|seed| {
            let text = texts::text(*seed);
            with(fault, || is_wrong(&text))
        });
        assert!(found.is_some(), "{name}");
    }
}

/// The text without the lines that an error does not need.
fn shortened(text: &str) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    while let Some(shorter) = (0..lines.len()).find_map(|at| {
        let mut fewer = lines.clone();
        fewer.remove(at);
        is_wrong(&fewer.join("\n")).then_some(fewer)
    }) {
        lines = shorter;
    }
    lines.join("\n")
}

/// Symmetry, progress and the machine are right on all positions of random texts.
#[test]
fn what_is_derived_from_random_texts_holds() {
    let (mut games, mut positions, mut symmetric) = (0, 0, 0);
    for seed in 0..6_000 {
        let text = texts::text(seed);
        let Some(result) = compared(&text, 1_000) else { continue };
        match result {
            Ok(more) => positions += more,
            Err(error) if error.contains("stuck never") => continue,
            Err(_) => {
                let text = shortened(&text);
                panic!("{seed}: {:?}\n{text}\n", compared(&text, 1_000))
            }
        }
        games += 1;
        let rules = Text::parse(&text).unwrap().rules(&[]).unwrap();
        symmetric +=
            usize::from(!symmetries(&rules, None, &Budget::new(Budget::SYMMETRY)).is_empty());
    }
    let many = games > 4_000 && positions > 60_000 && symmetric > 1_000;
    assert!(many, "{games} games, {positions} positions, {symmetric} with symmetries");
}

/// Solvers compare one position in some thousands with its images: put back, each fault is met.
#[test]
fn the_guard_of_solvers_meets_each_fault() {
    for (name, text, fault) in HOSTILE {
        let text = text.replace("sow(all)", "sow(full(all) | all)");
        let met = || {
            let loaded = Text::parse(&text).unwrap().load(&[]).unwrap();
            match &loaded {
                Loaded::Small(game) => game.compare_all_with_images(),
                Loaded::Large(game) => game.compare_all_with_images(),
                Loaded::Wide(game) => game.compare_all_with_images(),
            }
            loaded.misplayed().map(str::to_owned)
        };
        assert_eq!(met(), None, "{name}");
        let why = with(fault, met).unwrap();
        assert!(why.contains("count as alike, and are not"), "{why}");
    }
}

/// The share of positions that are compared.
#[test]
fn the_guard_takes_one_position_in_some_thousands() {
    let taken =
        (0..1_000_000u64).filter(|word| super::is_guarded(&[*word, word ^ 0x5555]).is_some());
    assert!((150..400).contains(&taken.count()));
}

/// The machine and the interpreter stop at the same move, and say so.
#[test]
fn positions_with_too_many_moves_are_told() {
    let text = |cells: usize| {
        let rules = format!(
            "game Crowd\nboard {cells} 2\npiece man X\nnumber n = 0 in 0..1\nstuck draws\nmove\n  choose a in \
             all\n  if n == 1\n    choose b in all\n    choose c in all\n    put man on a | b | c\n  n = 1\nend\n  if \
             count(man) > 0: win\n"
        );
        Text::parse(&rules).unwrap().load(&[]).unwrap()
    };
    for (cells, is_crowded) in [(20, false), (26, true)] {
        let Loaded::Small(game) = text(cells) else { panic!("a small game") };
        let plain = crate::Interpreted::new(game.clone());
        let (_, next) = game.successors(&game.start()).next().unwrap();
        assert!(game.misplayed().is_none());
        assert_eq!(game.moves(&next).count(), (8 * cells.pow(3)).min(65_535));
        assert!(game.successors(&next).eq(plain.successors(&next)));
        assert_eq!(game.misplayed().is_some(), is_crowded);
        assert_eq!(text(cells).is_as_written().is_err(), is_crowded);
    }
}

/// Statements after a move, and those that only ask whether a player can move, were run without being counted; rows of
/// a board counted as one step. So a text of one kilobyte was compared for half a minute.
#[test]
fn all_that_is_run_to_compare_takes_steps() {
    let compared = |moves: &str, end: &str| {
        let text = format!(
            "game P\nboard 11 11\npiece man X O\nstuck loses\nmove\n  choose at in empty\n{moves}  put man on at\n\
             end\n  if count(man) > 40: draw\n{end}"
        );
        let loaded = Text::parse(&text).unwrap().load(&[]).unwrap();
        loaded.compare(200, &Budget::new(1 << 20)).unwrap()
    };
    let ways = ["n", "s", "e", "w"];
    let lines = |form: &dyn Fn(&str) -> String| ways.map(form).concat().repeat(10);
    let end = lines(&|way| format!("  if line(mine, 3) & {way}(line(theirs, 3)): win\n"));
    let moves =
        lines(&|way| format!("  require count(line(empty, 11) & {way}(line(theirs, 11))) == 0\n"));
    let light = compared("", "");
    for (moves, end) in [("", &end[..]), (&moves, "")] {
        let heavy = compared(moves, end);
        assert!(heavy > 0 && 10 * heavy < light, "{heavy} {light}");
    }
}
