//! `foregone solve`: what perfect play leads to, in how many plies, by which moves.

use std::io::Write;
use std::time::Duration;

use foregone::any::report::{MoveReport, ResultReport};
use foregone::control::{counted, grouped};
use foregone::sample::Dice;
use foregone::{AnyGame, Halted, Method, Registry, Report, Request, Session};

use crate::args::{Memory, Place, Refused, choice};
use crate::progress::Working;
use crate::tables::Consult;
use crate::terminal;
use crate::words::{Voice, preference, signed};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// auto, table (if there is one), strong, search, proof (by proof numbers: for deep forced wins),
    /// minimax, negamax or alphabeta (these three remember positions only if --memory is given)
    #[arg(long, default_value = "auto", value_parser = method)]
    method: Method,
    /// Look only this many plies ahead (minimax, negamax, alphabeta, search); the result is then an
    /// estimate
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    depth: Option<u32>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    consult: Consult,
    /// Number of threads to search on (not with strong)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Let search find distances too; without them it is much faster
    #[arg(long)]
    distances: bool,
    /// Stop after this time, such as 10s or 5m, with what is proven by then; if nothing is, auto ends with
    /// estimates
    #[arg(long, value_name = "TIME", value_parser = crate::args::time)]
    time: Option<Duration>,
    /// Find the value of the position alone, without its moves, if that is faster
    #[arg(long)]
    value_only: bool,
    /// Let search keep positions with at most N left (of Kalah, stones in the pits, at most 23) in a table
    /// by number, in games that number them [default: what suits the game]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=255))]
    endgame: Option<u32>,
    /// Let the line take one of equally good moves at random, from this seed
    #[arg(long)]
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
    if args.method == Method::Proof && (args.depth.is_some() || args.distances) {
        let message = "search by proof numbers finds whole values alone: leave out --depth and \
                       --distances, or use --method search";
        return Err(Refused(message.into()).into());
    }
    if args.method == Method::Table && args.depth.is_some() {
        return Err(Refused("a table gives exact values: leave --depth away".into()).into());
    }
    let game = registry.game(&args.place.game)?;
    if args.method == Method::Proof && !game.foresees() {
        return Err(no_proof(registry, &*game).into());
    }
    let mut session = args.consult.open(registry, &args.place)?;
    let request = Request {
        method: args.method,
        depth: args.depth,
        remember: args.memory.memory.is_some(),
        threads: usize::from(args.threads.unwrap_or(1)),
        endgame: args.endgame,
        moves: !args.value_only,
        line: !args.value_only,
        distances: args.distances,
        estimate: true,
    };
    let report = {
        let working = Working::start();
        let mut dice = args.seed.map(Dice::new);
        let control = args.memory.control(&working);
        let control = match args.time {
            Some(time) => control.with_time(time),
            None => control,
        };
        session.solve(&request, &control, dice.as_mut())
    };
    match &report.halted {
        Some(Halted::NoTable) => {
            let message = "no table was given: use --table FILE, or name a folder with a table of \
                           this game in FOREGONE_TABLES";
            Err(Refused(message.into()).into())
        }
        Some(halted) if halted.is_wrong_request() => Err(halted.clone().into()),
        _ => show(&*game, &*session, &report, args.depth, args.json),
    }
}

/// What to say where search by proof numbers cannot be had.
fn no_proof(registry: &Registry, game: &dyn AnyGame) -> Refused {
    let has = |name: &&str| registry.game(name).is_ok_and(|game| game.foresees());
    let games: Vec<_> = registry.families().map(|about| about.name).filter(has).collect();
    let name = game.about().name;
    Refused(match games.contains(&name) {
        true => format!(
            "{} can loop, so that it cannot be searched by proof numbers: use other parameters, or \
             another --method",
            game.specification()
        ),
        false => format!(
            "{name} cannot be searched by proof numbers: use another --method. Games that can be: {}",
            games.join(", ")
        ),
    })
}

/// Shows what was found out about a position; an error if that is not everything.
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
        write!(out, "{}", in_words(report, headline))?;
    }
    out.flush()?;
    drop(out);
    match &report.halted {
        None => Ok(()),
        Some(halted) => Err(halted.clone().into()),
    }
}

/// The findings as people read them.
fn in_words(report: &Report, headline: Option<String>) -> String {
    let mut text = String::new();
    if let Some(headline) = headline {
        text += &format!("{headline}\n\n");
    }
    if !report.moves.is_empty() {
        match report.lookahead {
            Some(depth) => {
                let depth = counted(depth.into(), "ply", "plies");
                text += &format!("What looking {depth} ahead finds:\n");
            }
            None if report.value.is_none() => text += "Known so far:\n",
            None => {}
        }
        text += &moves(report);
        text += "\n";
    }
    if !report.line.is_empty() {
        let part = if report.halted.is_some() { " so far" } else { "" };
        text += &format!("best line{part}\n{}", terminal::wrap(report.line.iter().cloned()));
        if report.endless && report.halted.is_none() {
            text += "  and so on, round and round\n";
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
    // Values alone are found faster; say that distances can be had.
    let soon = report.moves.iter().any(|each| each.result.distance.is_some());
    let asks = report.method == "search" && report.proven;
    let more = match asks && !report.moves.is_empty() && !soon && !report.endless {
        true => "; --distances finds how soon",
        false => "",
    };
    let how =
        format!("{} ({}): {work} in {:.2} s{more}", report.method, report.why, report.seconds);
    text + &terminal::dim(&how) + "\n"
}

/// Every move, the best first.
pub fn moves(report: &Report) -> String {
    let mut moves: Vec<_> = report.moves.iter().collect();
    let best = |mv: &str| report.best.iter().any(|best| best == mv);
    let by_chance = |each: &MoveReport| each.chance.unwrap_or(f64::NEG_INFINITY);
    moves.sort_by(|one, other| by_chance(other).total_cmp(&by_chance(one)));
    moves.sort_by_key(|each| preference(&each.result, report.without_end));
    let scored = report.unit != "result";
    let mut head = vec!["", "move", "result"];
    if scored {
        head.push(&report.unit);
    }
    // Values alone, or estimates, have no distance to show.
    if moves.iter().any(|each| each.result.distance.is_some() || each.result.endless) {
        head.push("plies");
    }
    let width = head.len();
    let chances = moves.iter().any(|each| each.chance.is_some());
    if chances {
        head.push("chance games");
    }
    let rows = moves.into_iter().map(|each| {
        let mark = if best(&each.mv) { "*" } else { "" };
        let mut row = vec![mark.to_owned(), each.mv.clone()];
        row.extend(cells(&each.result, scored));
        row.truncate(width);
        if chances {
            row.push(each.chance.map_or(String::new(), |mean| format!("{mean:+.2}")));
        }
        row
    });
    let right: Vec<usize> = (3..head.len()).collect();
    terminal::table(&head, rows.collect(), &right)
}

/// The result of a move as cells of a table.
pub fn cells(result: &ResultReport, scored: bool) -> Vec<String> {
    let verdict = result.result.as_ref().map(|_| foregone::Value(result.value).verdict());
    let word = match &result.result {
        Some(word) => word.clone(),
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
