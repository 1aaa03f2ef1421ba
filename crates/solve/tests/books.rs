//! Books: each value is that of strong solving, however they are made; and false ones are found.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use foregone::book::BookPlan;
use foregone::check::{Fault, Flaw, Options, Subject, Verdict, check};
use foregone::record::Table;
use foregone::sample::Dice;
use foregone::tables::Failed;
use foregone::{AnyGame, Control, Halted, Method, Registry, Request};
use foregone_rules::{Distance, Value, Worth};
use foregone_trial::{Folder, forged};

/// Games of each kind with a book's number of moves: with distances, with banked points, with symmetries that exchange
/// the sides, from text.
const GAMES: [(&str, u32); 7] = [
    ("connect-four(columns=4,rows=4)", 5),
    ("connect-four(columns=4,rows=4,score=stones)", 3),
    ("kalah(pits=3,stones=2)", 4),
    ("nim", 3),
    ("hex(size=3)", 3),
    ("hexapawn", 2),
    ("cram(columns=4,rows=3)", 2),
];

fn build(game: &dyn AnyGame, file: &Path, plies: u32, threads: usize) {
    let plan = BookPlan { plies, threads };
    game.build_book(file, plan, &Control::default()).unwrap();
}

/// What the checker says of a book: whether what follows by the rules is right, and how many values do not.
fn checked(file: &Path) -> (Verdict<String>, u64) {
    let options = Options { plain: true, ..Options::default() };
    match check(file, options, |_| |_| true).unwrap().subject {
        Subject::Book { verdict, taken, .. } => (verdict, taken),
        other => panic!("{other:?}"),
    }
}

#[test]
fn books_say_what_strong_solving_says() {
    let (place, registry) = (Folder::new(), Registry::standard());
    let mut by_book = HashMap::new();
    for (name, plies) in GAMES {
        let game = registry.game(name).unwrap();
        let [file, other] = ["one.book", "other.book"].map(|name| place.file(name));
        build(&*game, &file, plies, 1);
        build(&*game, &other, plies, 3);
        let bytes = std::fs::read(&file).unwrap();
        assert!(bytes == std::fs::read(&other).unwrap(), "{name}");
        std::fs::remove_file(&other).unwrap();
        assert!(checked(&file).0.is_right(), "{name}");
        let table = Arc::new(Table::open(&file).unwrap());
        game.is_book(&table).unwrap();
        let verified = game.verify_book(&table, None, 1, &Control::default()).unwrap();
        assert_eq!(verified.wrong, None, "{name}");
        assert_eq!(verified.positions, checked(&file).1, "{name}");
        let sample = game.verify_book(&table, Some(5), 2, &Control::default()).unwrap();
        assert_eq!((sample.positions, sample.wrong), (5, None), "{name}");
        let (mut plain, mut looking, mut dice) = (game.session(), game.session(), Dice::new(7));
        looking.consult(table);
        for _ in 0..60 {
            let moves = plain.moves();
            // Somewhat beyond the book, too.
            if moves.is_empty() || plain.played().len() > plies as usize + 1 {
                plain.go(None, "").unwrap();
                looking.go(None, "").unwrap();
                continue;
            }
            let found = looking.solve(&Request::default(), &Control::default());
            let request = Request::default().with_method(Method::Strong);
            let expected = plain.solve(&request, &Control::default());
            assert_eq!(found.halted, None);
            assert_eq!(found.value, expected.value, "{name} {:?}", plain.played());
            let inside = plain.played().len() < plies as usize;
            assert!(!inside || found.method == "book", "{name} {}", found.method);
            *by_book.entry(name).or_insert(0) += usize::from(found.method == "book");
            for (found, expected) in found.moves.iter().zip(&expected.moves) {
                assert_eq!(found.mv, expected.mv);
                assert_eq!(found.result.value, expected.result.value, "{name}");
                // Stones tell plies.
                if inside && name.starts_with("connect-four") {
                    assert_eq!(found.result.distance, expected.result.distance, "{name}");
                }
            }
            if inside && name.starts_with("connect-four") {
                assert_eq!((found.distance, found.best), (expected.distance, expected.best));
            }
            let mv = &moves[dice.below(moves.len())];
            plain.play(mv).unwrap();
            looking.play(mv).unwrap();
        }
    }
    assert!(GAMES.iter().all(|(name, _)| by_book[name] > 5), "{by_book:?}");
}

/// A game has one book for all of its variants whose values follow from those of the finest.
#[test]
fn one_book_serves_results_and_stones() {
    let (place, registry) = (Folder::new(), Registry::standard());
    let games = ["result", "stones"]
        .map(|score| registry.game(&format!("connect-four(columns=4,rows=4,score={score})")));
    let [results, stones] = games.map(Result::unwrap);
    let files = ["results", "stones"].map(|name| place.file(name));
    build(&*results, &files[0], 2, 1);
    build(&*stones, &files[1], 2, 1);
    assert!(std::fs::read(&files[0]).unwrap() == std::fs::read(&files[1]).unwrap());
    let book = Table::open(&files[0]).unwrap();
    assert_eq!(book.manifest().game, stones.specification());
    let other = registry.game("connect-four(columns=5,rows=4)").unwrap();
    assert!(other.is_book(&book).is_err());
    assert!(results.tables().unwrap().is_of(&book).is_err());
}

#[test]
fn books_that_are_stopped_go_on() {
    let place = Folder::new();
    let game = Registry::standard().game("connect-four(columns=4,rows=4)").unwrap();
    let [file, whole] = ["stopped.book", "whole.book"].map(|name| place.file(name));
    build(&*game, &whole, 4, 1);
    let plan = BookPlan { plies: 4, threads: 1 };
    for stops in 1.. {
        let stop = Arc::new(AtomicBool::new(false));
        let (stopping, solved) = (stop.clone(), Arc::new(AtomicU64::new(0)));
        let counting = solved.clone();
        let control = Control::default().with_stop(stop).with_listener(Arc::new(move |told| {
            let solves = told.phase == "solving the horizon";
            if solves && counting.fetch_add(1, Ordering::Relaxed) == 10 {
                stopping.store(true, Ordering::Relaxed);
            }
        }));
        match game.build_book(&file, plan, &control) {
            Err(Failed::Halted(Halted::Stopped { done, .. })) => assert_eq!(done, 11 * stops),
            built => {
                built.unwrap();
                assert!(stops > 3);
                break;
            }
        }
        // Another book at the same place is refused.
        let other = BookPlan { plies: 3, threads: 1 };
        let refused = game.build_book(&file, other, &Control::default());
        assert!(matches!(refused, Err(Failed::File(_))), "{refused:?}");
    }
    assert!(std::fs::read(&file).unwrap() == std::fs::read(&whole).unwrap());
}

/// A book of more moves than the game has ends with the game, also if it names four billion.
#[test]
fn books_may_reach_beyond_the_game() {
    let place = Folder::new();
    let game = Registry::standard().game("nim(heaps=1-2)").unwrap();
    let file = place.file("whole.book");
    build(&*game, &file, u32::MAX, 1);
    let (verdict, taken) = checked(&file);
    assert!(verdict.is_right() && taken == 0, "{verdict}");
}

#[test]
fn games_that_loop_have_no_books() {
    let game = Registry::standard().game("three-mens-morris").unwrap();
    let plan = BookPlan { plies: 2, threads: 1 };
    let refused = game.build_book(&Folder::new().file("no.book"), plan, &Control::default());
    assert!(matches!(refused, Err(Failed::NoBook)), "{refused:?}");
}

/// Each kind of change to a right book: the checker sees all but those at the horizon, which only solving shows.
#[test]
fn false_books_are_found() {
    let place = Folder::new();
    let game = Registry::standard().game("connect-four(columns=4,rows=4)").unwrap();
    let file = place.file("right.book");
    build(&*game, &file, 3, 1);
    let book = Table::open(&file).unwrap();
    let keys = book.all_keys().unwrap();
    let worths: Vec<_> = (0..keys.len()).map(|at| book.get(0, at as u64).unwrap()).collect();
    let (verdict, taken) = checked(&file);
    let Verdict::Right(counts) = verdict else { panic!("{verdict}") };
    let inner = counts.total().positions();
    assert_eq!(inner + taken, keys.len() as u64);
    let write = |horizon, keys: &[u128], worths: &[Option<Worth>]| {
        let mut manifest = book.manifest().clone();
        manifest.horizon = horizon;
        let bytes = forged::file(manifest, [&forged::layer(0, worths)], Some(&forged::keys(keys)));
        let file = place.file("forged.book");
        std::fs::write(&file, bytes).unwrap();
        file
    };
    assert!(checked(&write(Some(3), &keys, &worths)).0.is_right());
    let (mut derived, mut solved) = (0, 0);
    for at in 0..keys.len() {
        let mut forged = worths.clone();
        let Value(value) = worths[at].unwrap().value();
        forged[at] = Some(Worth::new(Value(value + 1), Distance::Plies(0)));
        let file = write(Some(3), &keys, &forged);
        if checked(&file).0.is_right() {
            // No move to it is best, so that nothing else in the book depends on it.
            let forged = Table::open(&file).unwrap();
            let verified = game.verify_book(&forged, None, 1, &Control::default()).unwrap();
            assert!(verified.wrong.is_some(), "{at}");
            // What no game can end with is seen without solving.
            let mut larger = worths.clone();
            larger[at] = Some(Worth::new(Value(99), Distance::Plies(0)));
            let (verdict, _) = checked(&write(Some(3), &keys, &larger));
            let Verdict::False(Flaw::Entry { fault, .. }) = verdict else { panic!("{verdict}") };
            assert_eq!(fault, Fault::TooLarge, "{at}");
            solved += 1;
        } else {
            derived += 1;
        }
        let (mut fewer, mut rest) = (keys.clone(), worths.clone());
        fewer.remove(at);
        rest.remove(at);
        assert!(!checked(&write(Some(3), &fewer, &rest)).0.is_right(), "{at}");
    }
    assert!(derived >= inner && solved > 0, "{derived} {solved}");
    let (mut more, mut others) = (keys.clone(), worths.clone());
    more.push(keys[keys.len() - 1] + 1);
    others.push(worths[0]);
    assert!(!checked(&write(Some(3), &more, &others)).0.is_right());
    for horizon in [0, 2, 4, u32::MAX] {
        assert!(!checked(&write(Some(horizon), &keys, &worths)).0.is_right(), "{horizon}");
    }
    // Without a horizon it is a table, in which most moves lead to no entry.
    let options = Options::default();
    let report = check(&write(None, &keys, &worths), options, |_| |_| true).unwrap();
    assert!(matches!(report.subject, Subject::Table { verdict: Verdict::False(_), .. }));
}

/// The books that come with Foregone are right, and answer where they should.
#[test]
fn shipped_books_are_right() {
    let registry = Registry::standard();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("books");
    let files = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path());
    let books = files.filter(|file| file.extension().is_some_and(|ending| ending == "book"));
    let mut count = 0;
    for file in books {
        let options = Options { compiled: true, ..Options::default() };
        let subject = check(&file, options, |_| |_| true).unwrap().subject;
        let Subject::Book { horizon, verdict, .. } = subject else { panic!("{subject:?}") };
        assert!(verdict.is_right(), "{}: {verdict}", file.display());
        let book = Table::open(&file).unwrap();
        // One for each of the rules of a game is called otherwise.
        let name = file.file_stem().unwrap().to_str().unwrap();
        let game = registry.game(name).or_else(|_| registry.game(&book.manifest().game)).unwrap();
        game.is_book(&book).unwrap();
        let verified = game.verify_book(&book, Some(3), 1, &Control::default()).unwrap();
        assert_eq!((verified.positions, verified.wrong), (3, None), "{name}");
        // It is found by the game's name, and used until its end.
        let (mut session, mut dice) = (game.session(), Dice::new(3));
        for _ in 0..horizon {
            let report = session.solve(&Request::default().with_line(false), &Control::default());
            assert_eq!((report.method.as_str(), report.halted), ("book", None), "{name}");
            assert_eq!(report.moves.len(), session.moves().len());
            let moves = session.moves();
            session.play(&moves[dice.below(moves.len())]).unwrap();
        }
        // A search that is asked for searches.
        let request = Request::default().with_method(Method::Search).with_line(false);
        let searched =
            game.session().solve(&request, &Control::default().with_time(Duration::ZERO));
        assert_ne!(searched.method, "book");
        count += 1;
    }
    assert!(count > 5);
}

/// The last position of a book has a value, but its moves lead beyond the book: without time for them, they have
/// estimates, none of which is better than what is known.
#[test]
fn moves_beyond_a_book_have_estimates() {
    let mut session = Registry::standard().game("kalah").unwrap().open(None, "362113").unwrap();
    let request = Request::default().with_estimate(true);
    // It takes minutes.
    let report = session.solve(&request, &Control::default().with_time(Duration::from_secs(1)));
    assert_eq!((report.value, report.proven), (Some(2), true));
    assert_eq!(report.moves.len(), session.moves().len());
    assert!(report.moves.iter().all(|each| each.result.value <= 2), "{:?}", report.moves);
    assert!(report.moves.iter().all(|each| each.result.result.is_none()));
}
