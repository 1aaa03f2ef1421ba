//! Random texts: every method, table, proof and check agrees with plain strong solving of what the plain interpreter
//! plays, where nothing is merged and nothing is derived; or refuses. A few hundred by default; as many as the variable
//! `TEXTS` says, beginning with the seed `FROM` (`just random-texts`). With the variable `JIT` all play by native code.

use std::collections::HashSet;

use foregone::book::BookPlan;
use foregone::check::{Options, Subject, Symmetries, Verdict, check};
use foregone::record::Table;
use foregone::tables::Plan;
use foregone::text::{Interpreted, Text, with_game};
use foregone::{
    Control, Game, Method, Request, Side, Value, Worth, promise::Symmetry, reference, text_game,
};
use foregone_trial::{Folder, texts};

/// Games with more positions, or more moves in one, are left out: for each move that it plays, the plain interpreter
/// lists all.
const MAX: usize = 400;

/// What the start is worth to the first player, and how many positions can arise; `None` if they are too many.
fn truth<G: Game>(game: &G) -> Option<(i32, Worth, usize)> {
    let start = game.start();
    let (mut known, mut open) = (HashSet::from([start]), vec![start]);
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_none() {
            if game.moves(&state).count() > MAX {
                return None;
            }
            let next = game.successors(&state).map(|(_, next)| next);
            open.extend(next.filter(|next| known.insert(*next)));
        }
        if known.len() > MAX {
            return None;
        }
    }
    let worth = reference::worths(game, &start)[&start];
    let Value(value) = worth.value().seen_from(game.turn(&start), Side::First);
    Some((value, worth, known.len()))
}

/// How many of each kind agreed.
#[derive(Debug, Default)]
struct Counts {
    texts: usize,
    games: usize,
    symmetric: usize,
    merging: usize,
    positions: usize,
    methods: usize,
    tables: usize,
    proofs: usize,
    books: usize,
}

fn is_right(file: &std::path::Path, options: Options) -> Result<(), String> {
    match check(file, options, |_| |_| true).map_err(|error| error.to_string())?.subject {
        Subject::Table { verdict, .. } | Subject::Book { verdict, .. } => match verdict {
            Verdict::Right(_) => Ok(()),
            other => Err(other.to_string()),
        },
        Subject::Proof { verdict, .. } if verdict.is_proven() => Ok(()),
        Subject::Proof { verdict, .. } => Err(verdict.to_string()),
        Subject::Unknown(why) => Err(why),
    }
}

/// Holds a text against the truth.
fn hold(text: &str, folder: &Folder, counts: &mut Counts) -> Result<(), String> {
    counts.texts += 1;
    let Ok(loaded) = Text::parse(text).and_then(|text| text.load(&[])) else { return Ok(()) };
    let (truth, images, native) = with_game!(&loaded, game => {
        (truth(&Interpreted::new(game.clone())), Symmetry::images(game), game.native_agrees())
    });
    // Code that plays otherwise is never used, which would hide it.
    if native == Some(false) {
        return Err("native code plays otherwise".to_owned());
    }
    let Some((value, worth, positions)) = truth else { return Ok(()) };
    counts.games += 1;
    counts.symmetric += usize::from(images > 1);
    counts.merging += usize::from(images == u64::MAX);
    counts.positions += positions;
    let game = text_game("random", text, &[]).map_err(|error| error.to_string())?;
    let control = Control::default().with_memory(8 << 20).with_positions(1 << 20);
    let mut session = game.open(None, "").map_err(|error| error.to_string())?;
    for (name, method) in Method::ALL {
        if matches!(method, Method::Table | Method::Book) {
            continue;
        }
        let request = Request::default().with_method(method).with_remember(true).with_moves(false);
        let report = game.session().solve(&request, &control);
        let mover = if report.to_move == "first" { value } else { -value };
        match report.value {
            Some(found) if report.proven && found == mover => counts.methods += 1,
            // It refuses games that may loop, or without keys.
            None if report.halted.is_some() && method != Method::Strong => continue,
            found => return Err(format!("{name}: {found:?} {:?}, not {mover}", report.halted)),
        }
        let plies = worth.distance().plies();
        if method == Method::Strong && report.distance != plies {
            return Err(format!("{name}: {:?} plies, not {plies:?}", report.distance));
        }
    }
    session.solve(&Request::default(), &control);
    let [table, proof, book] = ["table", "proof", "book"].map(|name| folder.file(name));
    for file in [&table, &proof, &book] {
        let _ = std::fs::remove_file(file);
    }
    let trusted = foregone::check::Effort {
        symmetries: Symmetries::Trusted,
        ..foregone::check::Effort::default()
    };
    let all = [
        Options::default(),
        Options { plain: true, ..Options::default() },
        Options { compiled: true, ..Options::default() },
        Options { compiled: true, effort: trusted, ..Options::default() },
    ];
    if let Some(tables) = game.tables() {
        let plan = Plan::new(tables.usual());
        if tables.build(&table, &plan, &control, &mut |_, _| {}).is_ok() {
            for options in all {
                is_right(&table, options).map_err(|why| format!("table, {options:?}: {why}"))?;
            }
            counts.tables += 1;
        }
    }
    if session.prove(&proof, Vec::new(), &control).is_ok() {
        for options in [all[1], all[3]] {
            is_right(&proof, options).map_err(|why| format!("proof, {options:?}: {why}"))?;
        }
        counts.proofs += 1;
    }
    if game.build_book(&book, BookPlan { plies: 2, threads: 1 }, &control).is_ok() {
        for options in [all[1], all[3]] {
            is_right(&book, options).map_err(|why| format!("book, {options:?}: {why}"))?;
        }
        let book = Table::open(&book).map_err(|error| error.to_string())?;
        let mut session = game.session();
        session.consult(std::sync::Arc::new(book));
        let report = session.solve(&Request::default().with_method(Method::Book), &control);
        let mover = if report.to_move == "first" { value } else { -value };
        if report.value.is_some_and(|found| found != mover) {
            return Err(format!("book: {:?}, not {mover}", report.value));
        }
        counts.books += 1;
    }
    Ok(())
}

#[test]
fn everything_agrees_on_random_texts() {
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |number| number.parse().expect("a number"))
    };
    if std::env::var_os("JIT").is_some() {
        foregone_jit::install_after(0);
    }
    // Others than those of the tests of symmetry.
    let (wanted, from) = (number("TEXTS", 250), number("FROM", 1_000_000));
    let (folder, mut counts) = (Folder::new(), Counts::default());
    for seed in from..from + wanted {
        let text = texts::text(seed);
        if let Err(why) = hold(&text, &folder, &mut counts) {
            panic!("{seed}: {why}\n{text}");
        }
        if seed % 1_000 == 999 {
            println!("to seed {seed}: {counts:?}");
        }
    }
    println!("{counts:?}");
    let part = wanted as usize / 10;
    let few = [counts.symmetric, counts.tables, counts.proofs, counts.books];
    assert!(counts.games > 4 * part && few.iter().all(|count| *count > part), "{counts:?}");
}
