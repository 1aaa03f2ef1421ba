//! Games from text: known values hold, and each agrees with its twin in Rust on every position.

use std::collections::BTreeMap;
use std::sync::Arc;

use foregone::check::{Options, Provenance, Subject, check};

use foregone::family::{Family, specification};
use foregone::games::{
    Awari, ConnectFour, FoxAndHounds, Hex, Kalah, Mnk, Reversi, ThreeMensMorris,
};
use foregone::record::{Table, Values};
use foregone::sample::Dice;
use foregone::tables::Plan;
use foregone::text::{Loaded, Text, shipped};
use foregone::{AnyGame, Control, Game, Method, Registry, Request, Session, reference, text_game};
use foregone_trial::Folder;

/// How many positions that are not over have this side to move, number of moves, value and distance.
type Census = BTreeMap<(usize, usize, String), usize>;

fn census<G: Game>(game: &G) -> Census {
    let mut census = Census::new();
    for (state, worth) in reference::worths(game, &game.start()) {
        if game.outcome(&state).is_none() {
            let moves = game.moves(&state).count();
            let key = (game.turn(&state).index(), moves, worth.to_string());
            *census.entry(key).or_default() += 1;
        }
    }
    census
}

fn census_of_text(name: &str, given: &[(&str, &str)]) -> Census {
    let source = shipped(name).unwrap().source;
    match Text::parse(source).unwrap().load(given).unwrap() {
        Loaded::Small(game) => census(&game),
        Loaded::Large(game) => census(&game),
        Loaded::Wide(game) => census(&game),
    }
}

/// A text agrees with a game in Rust: they have as many positions of each kind and worth.
fn agree<F: Family>(name: &str, given: &[(&str, &str)], native: &[(&str, &str)]) {
    let game = F::with(native).unwrap();
    let expected = census(&game);
    assert!(expected.len() > 5);
    let found = census_of_text(name, given);
    assert!(found == expected, "{name} {given:?} and {} differ", specification(&game));
}

#[test]
fn texts_agree_with_their_twins() {
    agree::<Mnk>("tic-tac-toe", &[], &[]);
    agree::<Mnk>("misere-tic-tac-toe", &[], &[("misere", "true")]);
    agree::<ThreeMensMorris>("three-mens-morris", &[], &[]);
    let small = [("columns", "4"), ("rows", "4")];
    agree::<ConnectFour>("connect-four", &small, &small);
    for size in ["4", "6"] {
        agree::<FoxAndHounds>("fox-and-hounds", &[("size", size)], &[("size", size)]);
    }
    agree::<Reversi>("reversi", &[("size", "4")], &[("size", "4")]);
    for (pits, stones) in [("2", "2"), ("2", "3"), ("3", "1")] {
        let given = [("pits", pits), ("stones", stones)];
        agree::<Awari>("awari", &given, &[&given[..], &[("slam", "void")]].concat());
    }
    agree::<Hex>("hex", &[("size", "3")], &[("size", "3")]);
    for capture in ["always", "nonempty"] {
        for (pits, stones) in [("2", "2"), ("2", "3"), ("3", "1"), ("3", "2")] {
            let given = [("pits", pits), ("stones", stones), ("capture", capture)];
            agree::<Kalah>("kalah", &given, &given);
        }
    }
}

/// Whether games from text have these values for the first player.
fn hold(known: &[(&str, i32)]) {
    let registry = Registry::standard();
    for (text, value) in known {
        let game = registry.game(text).unwrap();
        let request = Request::default().with_moves(false);
        let control = Control::default().with_memory(1 << 30);
        let report = game.session().solve(&request, &control);
        assert_eq!((report.value, report.proven), (Some(*value), true), "{text}");
    }
}

/// The least number that is none of these.
fn mex(mut others: Vec<u32>) -> u32 {
    others.sort_unstable();
    others.into_iter().fold(0, |least, other| least + u32::from(other == least))
}

/// Games of taking away follow the theory of Bouton, Wythoff, and Sprague and Grundy.
#[test]
fn games_of_taking_away_follow_their_theory() {
    let sign = |number: u32| if number == 0 { -1 } else { 1 };
    let mut known = Vec::new();
    for (heaps, sticks) in [(1, 4), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1)] {
        let sum = (sticks..sticks + heaps).fold(0, |sum, heap| sum ^ heap);
        known.push((format!("text:nim(heaps={heaps},sticks={sticks})"), sign(sum)));
    }
    // Each cold position has the least number that is in none before it.
    let cold = |one: usize, other: usize| {
        let mut used = [false; 32];
        (0..11).any(|difference| {
            let least = used.iter().position(|used| !used).unwrap();
            used[least] = true;
            used[least + difference] = true;
            [one.min(other), one.max(other)] == [least, least + difference]
        })
    };
    for columns in 1..=8 {
        for rows in 1..=columns {
            let value = if cold(columns - 1, rows - 1) { -1 } else { 1 };
            known.push((format!("wythoff(columns={columns},rows={rows})"), value));
        }
    }
    let mut rows = vec![0];
    for pins in 1..=9usize {
        let apart = |taken: usize| (0..=pins - taken).map(move |left| (left, pins - taken - left));
        let next = (1..=2.min(pins)).flat_map(apart);
        rows.push(mex(next
            .map(|(left, right): (usize, usize)| rows[left] ^ rows[right])
            .collect()));
        known.push((format!("kayles(pins={pins})"), sign(rows[pins])));
        if pins < 6 {
            known.push((format!("kayles(pins={pins},rows=2)"), -1));
            known.push((format!("kayles(pins={pins},rows=3)"), sign(rows[pins])));
        }
    }
    assert_eq!(rows, [0, 1, 2, 3, 1, 4, 3, 2, 1, 4]);
    let known: Vec<_> = known.iter().map(|(name, value)| (&name[..], *value)).collect();
    hold(&known);
}

/// Michael Bain's data set of King and Rook against King (UCI Machine Learning Repository, 1994) counts positions with Black to
/// move by the moves to checkmate, one of all that are alike; six of them stand there twice. The 27 in which Black is
/// checkmate are over, so that the table leaves them out.
#[test]
fn a_king_and_a_rook_take_as_long_as_known() {
    let folder = Folder::new();
    let game = Registry::standard().game("king-and-rook(size=8)").unwrap();
    let (file, tables) = (folder.file("table"), game.tables().unwrap());
    let plan = Plan::new(tables.usual());
    tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
    let table = Table::open(&file).unwrap();
    let mut lost = [0; 17];
    for cell in table.layer(0).unwrap() {
        let worth = usize::from(cell).checked_sub(1).map(|at| table.worths(0)[at]);
        if let Some(worth) = worth.filter(|worth| worth.value().0 == -1) {
            lost[worth.distance().plies().unwrap() as usize / 2] += 1;
        }
    }
    [2, 6, 9, 11, 13, 14].into_iter().for_each(|moves: usize| lost[moves] += 1);
    let known =
        [0, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390];
    assert_eq!(lost, known);
}

/// Published values, and those of docs/results.md, which has the sources.
#[test]
fn known_values_of_texts_hold() {
    hold(&[
        ("text:hexapawn", -1),
        ("text:domineering(rows=4,columns=4)", 1),
        ("text:domineering(rows=5,columns=5)", -1),
        ("text:domineering(rows=6,columns=6)", 1),
        ("text:domineering(rows=7,columns=7)", 1),
        ("text:domineering(rows=7,columns=6)", -1),
        ("text:breakthrough(rows=4,columns=4)", -1),
        ("text:breakthrough(rows=5,columns=4)", -1),
        ("text:clobber(rows=4,columns=4)", 1),
        ("text:clobber(rows=5,columns=4)", 1),
        ("text:cram(rows=4,columns=4)", -1),
        ("text:cram(rows=5,columns=5)", -1),
        ("text:col(rows=5,columns=5)", -1),
        ("text:snort(rows=5,columns=5)", 1),
        ("text:amazons", 1),
        ("text:order-and-chaos", 1),
        ("text:pentago", 1),
        ("text:dodgem", 1),
        ("text:chomp", 1),
        ("text:chomp(rows=3,columns=4)", 1),
        ("text:hex(size=3)", 1),
        ("text:hex(columns=3,rows=4)", -1),
        ("text:three-mens-morris", 1),
        ("text:achi", 1),
        ("text:achi(men=3)", 1),
        ("text:achi(men=3,early=nothing)", 0),
        ("text:pong-hau-ki", 0),
        ("text:konane", -1),
        ("text:mu-torere", 0),
        ("text:dots-and-boxes", 2),
        ("text:hare-and-hounds", 1),
        ("text:l-game", 0),
        ("text:bridg-it", 1),
        ("text:bridg-it(size=2)", 1),
        ("text:score-four", 1),
        ("text:quixo", 1),
        ("text:baghchal", 1),
        ("text:checkers", 0),
        ("text:dara", -1),
        ("text:quarto(size=2)", -1),
        ("text:ohvalhu", 6),
    ]);
}

#[test]
#[ignore = "four minutes"]
fn long_values_of_texts_hold() {
    hold(&[
        ("text:breakthrough(rows=5,columns=5)", -1),
        ("text:clobber(rows=5,columns=5)", -1),
        ("text:cram(rows=6,columns=5)", 1),
    ]);
}

/// Tables and proofs of texts carry their rules, so the checker needs nothing else.
#[test]
fn tables_and_proofs_of_texts_are_right() {
    let (registry, folder) = (Registry::standard(), Folder::new());
    let games = [
        "text:hexapawn",
        "text:tic-tac-toe",
        "text:reversi(size=4)",
        "text:kalah(pits=2,stones=2)",
        "text:three-mens-morris",
        "text:fox-and-hounds(size=4)",
        "text:dots-and-boxes(rows=1,columns=2)",
        "text:pong-hau-ki",
        "text:mu-torere",
        "text:dodgem",
        "text:konane(size=4)",
        "text:wild-tic-tac-toe",
    ];
    let options = Options { plain: true, ..Options::default() };
    for name in games {
        let game = registry.game(name).unwrap();
        let (table, proof) = (folder.file("table"), folder.file("proof"));
        let tables = game.tables().unwrap();
        let plan = Plan::new(tables.usual());
        let control = Control::default().with_memory(1 << 30);
        tables.build(&table, &plan, &control, &mut |_, _| {}).unwrap();
        let session = game.session();
        session.prove(&proof, Vec::new(), &control).unwrap();
        for file in [table, proof] {
            let report = check(&file, options, |_| |_| true).unwrap();
            let rules = report.rules.unwrap();
            assert_eq!(Text::parse(&rules).unwrap().bare(), rules, "{name}");
            match report.subject {
                Subject::Table { verdict, plainly, .. } => {
                    assert!(verdict.is_right(), "{name}: {verdict}");
                    assert!(plainly.is_some_and(|positions| positions > 20), "{name}");
                }
                Subject::Proof { verdict, .. } => assert!(verdict.is_proven(), "{name}: {verdict}"),
                other => panic!("{name}: {other:?}"),
            }
        }
    }
}

/// A table belongs to every text with the same rules, and to no other.
#[test]
fn a_table_is_of_its_rules() {
    let folder = Folder::new();
    let source = shipped("hexapawn").unwrap().source;
    let game = |name: &str, source: &str| text_game(name, source, &[]).unwrap();
    let mine = game("somewhere/mine.rules", source);
    let file = folder.file("table");
    let tables = mine.tables().unwrap();
    let plan = Plan::new(tables.usual());
    tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
    let table = Table::open(&file).unwrap();
    let is_of = |game: Arc<dyn AnyGame>| {
        game.tables().unwrap().is_of(&table).map_err(|error| error.to_string())
    };
    let commented = format!("# Mine.\n{}", source.replace(" & theirs)", "   & theirs) # captures"));
    assert_eq!(is_of(game("other", &commented)), Ok(()));
    assert_eq!(is_of(Registry::standard().game("hexapawn").unwrap()), Ok(()));
    for (from, to) in [("& theirs", "- mine"), ("stuck loses", "stuck wins"), ("pawn ", "man ")] {
        let error = is_of(game("mine", &source.replace(from, to)));
        assert!(error.is_err_and(|error| error.contains("by another text")), "{to}");
    }
    let error = is_of(game("mine", &source.replace("Hexapawn", "Pawns"))).unwrap_err();
    assert!(error.contains("hexapawn(columns=3,rows=3)"), "{error}");
    let opened = Registry::empty().game_of_file(table.manifest().id()).unwrap();
    assert_eq!(opened.specification(), "hexapawn(columns=3,rows=3)");
    opened.tables().unwrap().is_of(&table).unwrap();
}

/// The check of a file says whose rules it carries.
#[test]
fn files_say_whose_rules_they_carry() {
    let folder = Folder::new();
    let of = |rules: &str| {
        let (game, file) = (text_game("mine", rules, &[]).unwrap(), folder.file("table"));
        let _ = std::fs::remove_file(&file);
        let tables = game.tables().unwrap();
        let plan = Plan::new(tables.usual());
        tables.build(&file, &plan, &Control::default(), &mut |_, _| {}).unwrap();
        let report = check(&file, Options::default(), |_| |_| true).unwrap();
        (report.provenance, report.checks_symmetry)
    };
    let hexapawn = shipped("hexapawn").unwrap().source;
    let named = |title: &str| hexapawn.replace("game Hexapawn", &format!("game {title}"));
    assert_eq!(of(hexapawn), (Provenance::Shipped, true));
    assert_eq!(of(&format!("# Mine.\n{hexapawn}")), (Provenance::Shipped, true));
    assert_eq!(of(&hexapawn.replace("stuck loses", "stuck draws")), (Provenance::Differs, true));
    assert_eq!(of(&named("Connect Four")), (Provenance::Differs, true));
    assert_eq!(of(&named("Pawns")), (Provenance::Own, true));
    // A letter that looks like another one makes another name.
    assert_eq!(of(&named("Hex\u{430}pawn")), (Provenance::Own, true));
}

/// An error names a position as people write it, and no file rests on rules that cannot be played.
#[test]
fn no_table_of_rules_that_do_not_fit() {
    let folder = Folder::new();
    let built = |game: Arc<dyn AnyGame>| {
        let (file, plan) = (folder.file("table"), Plan::new(Values::ScoreDistance));
        let tables = game.tables().unwrap();
        let built = tables.build(&file, &plan, &Control::default(), &mut |_, _| {});
        assert!(!file.exists());
        built.unwrap_err().to_string()
    };
    let error = built(Registry::standard().game("text:awari(pits=2,stones=1)").unwrap());
    assert!(error.contains("it changes at seeds:1,1,1,1 captured:0,0 first"), "{error}");
    let stuck = "game Stuck\nboard 2 1\npiece man w b\nstuck never\nstart\n  put w on a1\nmove\n  \
                 choose to in empty & beside(mine)\n  put man on to\n";
    let error = built(text_game("stuck", stuck, &[]).unwrap());
    assert!(error.starts_with("no move is left at"), "{error}");
}

/// A text with the name of a game in Rust, and texts under their own names.
#[test]
fn texts_are_found_by_name() {
    let registry = Registry::standard();
    let called = |text: &str| registry.game(text).unwrap().specification();
    assert_eq!(called("breakthrough(rows=6)"), "breakthrough(rows=6,columns=5)");
    assert_eq!(called("text:breakthrough"), "breakthrough(rows=5,columns=5)");
    assert_eq!(called("text:kalah"), "text:kalah(pits=6,stones=4,capture=always)");
    assert!(called("kalah").starts_with("kalah("));
    let error = |text: &str| registry.game(text).err().unwrap().to_string();
    assert!(error("breakthru").contains("did you mean `breakthrough`?"), "{}", error("breakthru"));
    assert!(error("clobber(row=4)").contains("did you mean `rows`?"));
    assert!(error("clobber(rows=40)").contains("a number from"));
    // Only the standard registry has the texts.
    assert!(Registry::empty().game("breakthrough").is_err());
}

/// What search knows of the positions of play must not be taken for known of others: discs that float, dots that lack.
#[test]
fn positions_that_no_play_leads_to_are_solved_right() {
    let mut dice = Dice::new(7);
    for (name, letters) in [
        ("text:connect-four(columns=4,rows=4)", ".XO"),
        ("text:dots-and-boxes(columns=2,rows=1)", ".*xAB"),
        ("text:hex(size=3)", ".XO"),
        ("text:tic-tac-toe", ".XO"),
    ] {
        let game = Registry::standard().game(name).unwrap();
        let mut session = game.session();
        let start = session.position();
        let letters: Vec<char> = letters.chars().collect();
        let mut solved = 0;
        for _ in 0..150 {
            let (board, rest) = start.split_once(' ').unwrap();
            let change = |dice: &mut Dice, letter: char| match letter {
                '/' => '/',
                letter if dice.below(3) > 0 => letter,
                _ => letters[dice.below(letters.len())],
            };
            let board: String = board.chars().map(|letter| change(&mut dice, letter)).collect();
            if session.go(Some(&format!("{board} {rest}")), "").is_err() {
                continue;
            }
            let value = |session: &mut dyn Session, method| {
                let report =
                    session.solve(&Request::default().with_method(method), &Control::default());
                (report.value, report.proven)
            };
            let plain = value(&mut *session, Method::Strong);
            assert_eq!(
                value(&mut *session, Method::Search),
                plain,
                "{name} {}",
                session.position()
            );
            solved += usize::from(plain.1);
        }
        assert!(solved > 100, "{name} {solved}");
    }
}
