//! `foregone solve`: the value of a position under perfect play, its distance, and the best moves.

use std::collections::HashSet;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use foregone::any::report::ResultReport;
use foregone::control::{Checkpoint, counted, grouped};
use foregone::{AnyGame, Halted, Method, Registry, Report, Request, Session};

use crate::args::{Limited, Memory, Place, Refused, has_folder, number};
use crate::progress::Working;
use crate::tables::Consult;
use crate::terminal;
use foregone_page::words::{KEEPS, Voice, by_preference, choice, is_best_line, percent, signed};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// auto, table (if there is one), strong, search, proof (proof-number search, for deep forced wins),
    /// minimax, negamax or alphabeta (these three remember positions only if --memory is given)
    #[arg(long, default_value = "auto", value_parser = method)]
    method: Method,
    /// Depth limit (minimax, negamax, alphabeta, search); the result is then an estimate
    #[arg(long, value_name = "PLIES", value_parser = number(1..=10_000_u32))]
    depth: Option<u32>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    consult: Consult,
    /// Number of threads for a search (not with strong)
    #[arg(long, value_name = "N", value_parser = number(1..=1024_u16))]
    threads: Option<u16>,
    /// Make searches find distances too, after the values
    #[arg(long)]
    distances: bool,
    /// Time limit, such as 10s or 5m; if nothing is proven by then, auto gives estimates
    #[arg(long, value_name = "TIME", value_parser = crate::args::time, allow_hyphen_values = true)]
    time: Option<Duration>,
    /// Compute only the position's value, if that is faster
    #[arg(long)]
    value_only: bool,
    /// Solve endgames of up to N stones first, in games that can, such as Kalah [default: as many as pay]
    #[arg(long, value_name = "N", value_parser = number(0..=255_u32))]
    endgame: Option<u32>,
    /// Keep what --method search finds out about values in this file, after a minute, then about every ten minutes,
    /// and at the end; go on from it if it exists
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Choose among equally good moves of the line at random, with this seed [default: the first]
    #[arg(long, value_parser = number(0_u64..))]
    seed: Option<u64>,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

fn method(text: &str) -> Result<Method, String> {
    choice(text, "a method", &Method::ALL)
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    if args.method == Method::Strong {
        if args.depth.is_some() {
            let message = "strong solving has no depth limit: leave out --depth, or use \
                           --method alphabeta, minimax, negamax or search";
            return Err(Refused(message.into()).into());
        }
        if args.threads.is_some_and(|threads| threads > 1) {
            let message = "strong solving runs on one thread: leave out --threads, or use \
                           --method search, alphabeta, minimax or negamax";
            return Err(Refused(message.into()).into());
        }
    }
    if args.method == Method::Proof && args.depth.is_some() {
        let message =
            "proof-number search has no depth limit: leave out --depth, or use --method search";
        return Err(Refused(message.into()).into());
    }
    if args.method == Method::Table && args.depth.is_some() {
        return Err(Refused("a table gives exact values: leave out --depth".into()).into());
    }
    let game = crate::args::game(registry, &args.place.game)?;
    if args.method == Method::Proof && !game.has_value_search() {
        return Err(no_proof(registry, &*game).into());
    }
    if args.checkpoint.is_some()
        && (args.method != Method::Search || args.depth.is_some() || !game.has_value_search())
    {
        return Err(Refused(no_checkpoint(&*game)).into());
    }
    args.checkpoint.as_deref().map_or(Ok(()), has_folder)?;
    if args.endgame.is_some()
        && (!matches!(args.method, Method::Auto | Method::Search)
            || args.depth.is_some()
            || !game.has_endgame())
    {
        return Err(Refused(no_endgame(registry, &*game)).into());
    }
    let mut session = args.consult.open(&*game, &args.place)?;
    let checkpoint = args.checkpoint.clone().map(|file| Checkpoint {
        file,
        job: format!("{}, {}", game.specification(), session.position()),
        rules: game.id().rules.map(str::to_owned),
    });
    let request = Request::default()
        .with_method(args.method)
        .with_depth(args.depth)
        .with_remember(args.memory.memory.is_some())
        .with_threads(usize::from(args.threads.unwrap_or(1)))
        .with_endgame(args.endgame)
        .with_moves(!args.value_only)
        .with_line(!args.value_only)
        .with_seed(args.seed)
        .with_distances(args.distances)
        .with_estimate(args.method == Method::Auto);
    let report = {
        let working = Working::start();
        let control = args.memory.control(&working).with_time(args.time);
        let control = control.with_checkpoint(checkpoint);
        session.solve(&request, &control)
    };
    match &report.halted {
        Some(Halted::NoTable) => {
            let message = "no table of this game: use --table FILE, or set FOREGONE_TABLES to a \
                           folder that has one";
            Err(Refused(message.into()).into())
        }
        Some(halted) if halted.is_wrong_request() => Err(halted.clone().into()),
        _ => show(&*game, &*session, &report, args.depth, args.json),
    }
}

/// The error if a search is not kept in a file.
fn no_checkpoint(game: &dyn AnyGame) -> String {
    match game.has_value_search() {
        true => "only --method search without --depth keeps a checkpoint: use these, or leave out --checkpoint"
            .to_owned(),
        false => format!(
            "{} has no search that keeps a checkpoint: leave out --checkpoint. `foregone table build` is \
             resumable, too",
            game.specification()
        ),
    }
}

/// The error if no search begins with an endgame table.
fn no_endgame(registry: &Registry, game: &dyn AnyGame) -> String {
    match game.has_endgame() {
        true => "only the methods search and auto, without --depth, begin with an endgame table: use one, or leave out --endgame"
            .to_owned(),
        false => {
            let games = games_with(registry, |game| game.has_endgame());
            format!(
                "{} has no endgame table for a search: leave out --endgame. Games that have one: {}",
                game.specification(),
                games.join(", ")
            )
        }
    }
}

/// The names of the games that have something.
fn games_with(registry: &Registry, has: impl Fn(&dyn AnyGame) -> bool) -> Vec<String> {
    let names = registry.families().map(|about| about.name.clone());
    names.filter(|name| registry.game(name).is_ok_and(|game| has(&*game))).collect()
}

/// The error if the game cannot be searched by proof numbers.
fn no_proof(registry: &Registry, game: &dyn AnyGame) -> Refused {
    let games = games_with(registry, |game| game.has_value_search());
    let name = &game.about().name;
    Refused(match games.contains(name) {
        false if game.id().rules.is_some() => format!(
            "proof-number search needs a game of which it is proven that play ends, with keys of at most 64 \
             bits; {name} is none (`foregone rules check` says why): use another --method"
        ),
        true => format!(
            "proof-number search needs a game that cannot loop, and {} can: use other parameters, or \
             another --method",
            game.specification()
        ),
        false => format!(
            "proof-number search does not work for {name}: use another --method. It works for {}",
            games.join(", ")
        ),
    })
}

/// Shows a report; an error if it does not answer the question. A limit is none if the value is known.
pub fn show(
    game: &dyn AnyGame,
    session: &dyn Session,
    report: &Report,
    depth: Option<u32>,
    json: bool,
) -> anyhow::Result<()> {
    let mut out = terminal::out();
    if json {
        writeln!(out, "{}", serde_json::to_string_pretty(report)?)?;
    } else {
        writeln!(out, "{}\n", terminal::heading(game))?;
        let voice = Voice::new(game, terminal::side);
        writeln!(out, "{}", terminal::position(session, voice))?;
        let depth = depth.or(report.lookahead);
        let headline = voice.headline(report, session.turn(), depth);
        write!(out, "{}", terminal::fit(&in_words(report, headline)))?;
        let known = &game.about().known;
        let at_start = session.began_at_start() && session.played().is_empty();
        if at_start && !known.is_empty() && !report.moves.is_empty() {
            let words = known.split_whitespace().map(str::to_owned);
            write!(out, "\nknown before\n{}", terminal::wrap(words))?;
        }
    }
    out.flush()?;
    drop(out);
    match &report.halted {
        None => Ok(()),
        Some(halted) if halted.is_limit() && report.proven => {
            terminal::note(&halted.to_string());
            Ok(())
        }
        Some(halted) if halted.is_limit() => Err(Limited(halted.to_string()).into()),
        Some(halted) => Err(halted.clone().into()),
    }
}

/// The report as text.
fn in_words(report: &Report, headline: Option<String>) -> String {
    let mut text = String::new();
    if let Some(headline) = headline {
        text += &format!("{headline}\n\n");
    }
    if report.proven && report.halted.is_some() {
        text += "The value is proven; what else was asked is not complete.\n\n";
    }
    if !report.moves.is_empty() {
        match report.lookahead {
            Some(depth) => text += &estimated(depth, report),
            None if report.value.is_none() => text += "Known so far:\n",
            None => {}
        }
        text += &moves(report);
        text += "\n";
    }
    if !report.line.is_empty() {
        let part = if report.halted.is_some() { " so far" } else { "" };
        let line = report.line.iter().cloned().chain(report.goes_on.then(|| "...".to_owned()));
        let is_best = !report.proven
            || report.endless
            || is_best_line(&report.unit, report.value, report.distance);
        let name = if is_best { "Best line" } else { KEEPS }.to_lowercase();
        text += &format!("{name}{part}\n{}", terminal::wrap(line));
        if report.endless && report.halted.is_none() {
            text += "  and so on, without end\n";
        }
        text += "\n";
    }
    if report.halted.is_some() && report.nodes == 0 {
        return text;
    }
    let positions = report.positions.filter(|_| report.method == "strong");
    let work = match positions {
        Some(1) => "1 position solved".to_owned(),
        Some(positions) => format!("all {} positions solved", grouped(positions)),
        None => counted(report.nodes, "position", "positions") + " visited",
    };
    // A search for values alone is faster; mention the option for distances.
    let soon = report.moves.iter().any(|each| each.result.distance.is_some());
    let asks = report.method == "search" && report.proven && report.halted.is_none();
    let more = match asks && !report.moves.is_empty() && !soon && !report.endless {
        true => "; --distances finds the plies",
        false => "",
    };
    let how =
        format!("{} ({}): {work} in {:.2} s{more}", report.method, report.why, report.seconds);
    text + &terminal::dim(&how) + "\n"
}

/// Where estimates come from.
pub fn estimated(depth: u32, report: &Report) -> String {
    let depth = counted(depth.into(), "ply", "plies");
    let games = match report.moves.iter().any(|each| each.chance.is_some()) {
        true => ", and chances to win from random games",
        false => "",
    };
    format!("Estimates from looking {depth} ahead{games}:\n")
}

/// Every move, the best first.
pub fn moves(report: &Report) -> String {
    let mut moves: Vec<_> = report.moves.iter().collect();
    let best: HashSet<&str> = report.preferred.iter().map(String::as_str).collect();
    moves.sort_by(by_preference(report));
    let scored = report.unit != "result";
    let mut head = vec!["best", "move", "result"];
    if scored {
        head.push(&report.unit);
    }
    // Values alone and estimates have no distances.
    if moves.iter().any(|each| each.result.distance.is_some() || each.result.endless) {
        head.push("plies");
    }
    let width = head.len();
    let chances = moves.iter().any(|each| each.chance.is_some());
    if chances {
        head.push("chance");
    }
    let rows = moves.into_iter().map(|each| {
        let mark = if best.contains(&each.mv[..]) { "*" } else { "" };
        let mut row = vec![mark.to_owned(), each.mv.clone()];
        row.extend(cells(&each.result, scored, chances));
        row.truncate(width);
        if chances {
            row.push(each.chance.map_or(String::new(), percent));
        }
        row
    });
    let right: Vec<usize> = (3..head.len()).collect();
    terminal::table(&head, rows.collect(), &right)
}

/// The result of a move as cells of the table of moves. With `chances`, an estimate of 0 says nothing.
pub fn cells(result: &ResultReport, scored: bool, chances: bool) -> Vec<String> {
    let verdict = result.result.as_ref().map(|_| foregone::Value(result.value).verdict());
    let word = match &result.result {
        Some(word) => word.clone(),
        None if chances && !scored && result.value == 0 => "?".to_owned(),
        None => signed(result.value) + "?",
    };
    let mut cells = vec![terminal::verdict(&word, verdict)];
    if scored {
        cells.push(signed(result.value));
    }
    cells.push(match result.distance {
        Some(plies) => plies.to_string(),
        None if result.endless => "endless".into(),
        None => String::new(),
    });
    cells
}
