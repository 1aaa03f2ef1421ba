//! The claims that the project stands for, proven and checked: docs/results.md lists them, and
//! `foregone prove GAME -o FILE` makes each.

use foregone::any::AnyGame;
use foregone::check::Effort;
use foregone::check::proofs::ProofVerdict;
use foregone::record::Table;
use foregone::record::proof::Claim;
use foregone::tables::Plan;
use foregone::{Control, Registry};

/// Proves what the start is worth, and checks it: these claims, `side` and what it gets at least, with
/// this many positions in the proof.
fn proven(game: &str, claims: &[(&str, i32)], entries: Option<u64>) {
    let name = game.replace(|letter: char| !letter.is_alphanumeric(), "-");
    let file = std::env::temp_dir().join(format!("foregone-{name}-{}.proof", std::process::id()));
    let session = Registry::standard().game(game).unwrap().session();
    let control = Control::default().with_memory(1 << 30);
    let (contents, size) = session.prove(&file, Vec::new(), &control).unwrap();
    let claim =
        |(side, at_least): &(&str, i32)| Claim { first: *side == "first", at_least: *at_least };
    assert_eq!(contents.claims, claims.iter().map(claim).collect::<Vec<_>>(), "{game}");
    let table = Table::open(&file).unwrap();
    let checked = session.check(&table, &Control::default()).unwrap();
    let ProofVerdict::Proven { entries: found, .. } = checked else {
        panic!("{game}: {checked:?}")
    };
    assert_eq!(found, size.entries);
    if let Some(entries) = entries {
        assert_eq!(found, entries, "{game}");
    }
    std::fs::remove_file(&file).unwrap();
}

/// The checker itself would check them by the game that they name.
#[test]
fn files_of_another_game_or_position_are_refused() {
    let folder = foregone_trial::Folder::new();
    let (proof, table) = (folder.file("a.proof"), folder.file("a.table"));
    let (registry, control) = (Registry::standard(), Control::default());
    let nim = registry.game("nim").unwrap();
    nim.session().prove(&proof, Vec::new(), &control).unwrap();
    let plan = Plan::new(nim.tables().unwrap().usual());
    nim.tables().unwrap().build(&table, &plan, &control, &mut |_, _| {}).unwrap();
    let [proof, table] = [&proof, &table].map(|file| Table::open(file).unwrap());
    let verify = |game: &dyn AnyGame| {
        let tables = game.tables().unwrap();
        tables.verify(&table, Effort::default(), &|_| true).map(|verdict| verdict.is_right())
    };
    let check = |game: &dyn AnyGame, moves| {
        let checked = game.open(None, moves).unwrap().check(&proof, &control);
        checked.map(|verdict| verdict.is_proven())
    };
    assert!(verify(&*nim).unwrap() && check(&*nim, "").unwrap());
    for other in ["nim(misere=true)", "tic-tac-toe", "hexapawn"] {
        let other = registry.game(other).unwrap();
        assert!(
            verify(&*other).is_err() && check(&*other, "").is_err(),
            "{}",
            other.specification()
        );
    }
    let first = nim.session().moves().remove(0);
    assert!(check(&*nim, &first).is_err());
    assert!(nim.session().check(&table, &control).is_err());
    assert!(nim.tables().unwrap().verify(&proof, Effort::default(), &|_| true).is_err());
}

#[test]
fn tic_tac_toe_is_a_draw() {
    proven("tic-tac-toe", &[("first", 0), ("second", 0)], Some(101));
}

#[test]
fn quantum_tic_tac_toe_gives_the_first_player_one_against_a_half() {
    proven("quantum-tic-tac-toe", &[("first", 1), ("second", -1)], Some(85_556));
}

#[test]
fn fox_and_hounds_is_won_by_the_hounds_in_every_variant() {
    proven("fox-and-hounds", &[("second", 1)], Some(627));
    for stuck in ["draw", "pass", "lose"] {
        for fox in ["b", "d", "f", "h"] {
            for (first, hounds) in [("fox", "second"), ("hounds", "first")] {
                let game = format!("fox-and-hounds(stuck={stuck},first={first},fox={fox})");
                proven(&game, &[(hounds, 1)], None);
            }
        }
    }
}

/// What the rules foretell of a side is proven all the same: the first player, who moves again before the
/// other can have two in a row, cannot but win.
#[test]
fn what_is_foreseen_is_proven() {
    let game = "connect-four(columns=3,rows=3,line=2)";
    proven(game, &[("first", 1)], None);
}

#[test]
fn kalah_4_4_gives_the_first_player_two_stones_more() {
    proven("kalah(pits=4,stones=4)", &[("first", 2), ("second", -2)], Some(24_773));
}

#[test]
fn connect_four_on_small_boards_is_a_draw() {
    let draw = [("first", 0), ("second", 0)];
    proven("connect-four(columns=5,rows=5)", &draw, Some(87_586));
    proven("connect-four(columns=6,rows=5)", &draw, Some(881_386));
}
