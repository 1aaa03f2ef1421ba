//! `foregone report`: what a game is like, for those who make games; and how its value changes with its parameters.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anyhow::Context;
use foregone::control::counted;
use foregone::record::disk::Disk;
use foregone::record::write::aside;
use foregone::survey::{Survey, Wanted, survey};
use foregone::{AnyGame, Control, Halted, Registry, Request, Side, Value};
use foregone_page::survey::{page, sections};
use foregone_page::words::Voice;
use serde::Serialize;
use serde_json::Map;

use crate::args::{Memory, Place, Refused, may_write, number, time};
use crate::progress::Working;
use crate::tables::Consult;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, or a file with its rules
    game: String,
    /// Solve the game with other parameters instead, such as size=3..5,capture=always,never, and draw a grid
    #[arg(
        long, value_name = "NAME=VALUES", value_parser = Varied::parse_all,
        conflicts_with_all = ["files", "positions", "games", "puzzles", "seed"]
    )]
    vary: Option<VariedList>,
    /// A game with more positions is judged by games of players alone
    #[arg(long, value_name = "N", default_value_t = 10_000_000, value_parser = number(1..=1_000_000_000_u64))]
    positions: u64,
    /// Number of games of each player; strong players play fewer
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number(1..=100_000_u32))]
    games: u32,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(0..=1_000_u32))]
    puzzles: u32,
    /// Time to solve the first position, if not all positions are solved, and each game of --vary
    #[arg(long, value_name = "TIME", default_value = "20s", value_parser = time, allow_hyphen_values = true)]
    time: Duration,
    /// Seed of the games
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// What to write
    #[arg(long, value_enum, default_value_t = Format::Text, value_name = "FORMAT", conflicts_with = "json")]
    format: Format,
    /// The file to write, instead of the terminal
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing file
    #[arg(long)]
    force: bool,
    /// Write JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    consult: Consult,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Tables in words
    Text,
    /// A page with charts, in one file
    Html,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    if let Some(file) = &args.output {
        may_write(file, args.force)?;
    }
    let (written, halted) = match &args.vary {
        Some(varied) => (vary(registry, args, &varied.0)?, None),
        None => report(registry, args)?,
    };
    match &args.output {
        None => write!(terminal::out(), "{written}")?,
        Some(file) => {
            let written = anstream::adapter::strip_str(&written).to_string();
            aside(&Disk::default(), file, |to| to.write_all(written.as_bytes()))
                .with_context(|| format!("cannot write {}", file.display()))?;
            writeln!(terminal::out(), "{}", file.display())?;
        }
    }
    if let Some(why) = halted {
        terminal::note(&format!("the report is incomplete: {why}"));
    }
    Ok(())
}

/// The report, and why it is incomplete.
fn report(registry: &Registry, args: &Args) -> anyhow::Result<(String, Option<String>)> {
    let game = crate::args::game(registry, &args.game)?;
    let place = Place { game: args.game.clone(), position: None, moves: String::new() };
    let mut session = args.consult.open(&*game, &place)?;
    let mut wanted = Wanted::default();
    (wanted.positions, wanted.games, wanted.seed) = (args.positions, args.games, args.seed);
    (wanted.puzzles, wanted.time) = (args.puzzles as usize, args.time);
    let working = Working::start();
    let control = args.memory.control(&working);
    let found = survey(&*game, &mut *session, wanted, &control, &mut |step| {
        working.note(step.to_owned());
    });
    drop(working);
    let written = match args.format {
        _ if args.json => format!("{}\n", serde_json::to_string_pretty(&found)?),
        Format::Html => page(&*game, &found),
        Format::Text => {
            let why =
                found.halted.as_ref().map(|why| format!("\n  The report is incomplete: {why}\n"));
            text(&*game, &found) + &why.unwrap_or_default()
        }
    };
    Ok((written, found.halted))
}

fn text(game: &dyn AnyGame, found: &Survey) -> String {
    let mut all = format!("{}\n", terminal::heading(game));
    for section in sections(game, found) {
        all += &format!("\n{}\n", terminal::bold(section.title));
        if !section.says.is_empty() {
            let rows = section
                .says
                .iter()
                .map(|[name, text, known]| vec![name.clone(), text.clone(), terminal::dim(known)]);
            all += &terminal::rows(rows.collect());
        }
        for rows in &section.tables {
            let head: Vec<&str> = rows[0].iter().map(String::as_str).collect();
            let right: Vec<usize> = (1..head.len()).collect();
            all += &terminal::table(&head, rows[1..].to_vec(), &right);
        }
    }
    all
}

/// A parameter and the values that it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Varied {
    name: String,
    values: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct VariedList(Vec<Varied>);

/// The most changes of the result that are listed one by one.
const MAX_TURNS: usize = 12;

/// The most games of a grid.
const MAX_GAMES: usize = 1_000;

impl Varied {
    /// `size=3..5,capture=always,never`: what has no `=` is one more value.
    fn parse_all(text: &str) -> Result<VariedList, String> {
        let mut all: Vec<Varied> = Vec::new();
        for part in text.split(',') {
            let (name, values) = match part.split_once('=') {
                Some((name, values)) => (Some(name), values),
                None => (None, part),
            };
            let values = match values.split_once("..") {
                None => vec![values.to_owned()],
                Some((from, to)) => match (from.parse::<u32>(), to.parse::<u32>()) {
                    (Ok(from), Ok(to)) if from <= to && to - from < MAX_GAMES as u32 => {
                        (from..=to).map(|value| value.to_string()).collect()
                    }
                    _ => return Err(format!("expected numbers such as 3..5, found `{values}`")),
                },
            };
            match (name, all.last_mut()) {
                (Some(name), _) => all.push(Varied { name: name.to_owned(), values }),
                (None, Some(last)) => last.values.extend(values),
                (None, None) => {
                    return Err(format!("expected NAME=VALUES, such as size=3..5, found `{part}`"));
                }
            }
        }
        let games =
            all.iter().fold(1, |games: usize, varied| games.saturating_mul(varied.values.len()));
        match games <= MAX_GAMES {
            true => Ok(VariedList(all)),
            false => Err(format!("expected at most {MAX_GAMES} games, found {games}")),
        }
    }
}

/// A game of the grid.
#[derive(Clone, Debug, Serialize)]
struct Variant {
    game: String,
    /// The varied parameters by their names.
    parameters: Map<String, serde_json::Value>,
    /// Their values, in the order that was asked for.
    #[serde(skip)]
    place: Vec<String>,
    /// The value for the first player; null if it is not known.
    value: Option<i32>,
    /// The plies of perfect play.
    plies: Option<u32>,
    /// What is known, in words.
    result: String,
    /// Why the game cannot be played with these parameters; null if it can.
    error: Option<String>,
}

/// The values of a game with other parameters.
fn vary(registry: &Registry, args: &Args, varied: &[Varied]) -> anyhow::Result<String> {
    if args.format == Format::Html {
        return Err(
            Refused("--vary writes a grid as text or JSON, not as a page".to_owned()).into()
        );
    }
    let working = Working::start();
    let control = args.memory.control(&working);
    let mut places: Vec<Vec<String>> = vec![Vec::new()];
    for each in varied {
        let longer = places.iter().flat_map(|place| {
            each.values.iter().map(move |value| [&place[..], std::slice::from_ref(value)].concat())
        });
        places = longer.collect();
    }
    let mut variants = Vec::new();
    for place in &places {
        working.note(format!(
            "{} of {}",
            variants.len() + 1,
            counted(places.len() as u64, "game", "games")
        ));
        variants.push(variant(registry, args, varied, place, &control)?);
    }
    drop(working);
    if variants.iter().all(|variant| variant.error.is_some()) {
        let why = variants.first().and_then(|variant| variant.error.clone());
        return Err(Refused(why.unwrap_or_default()).into());
    }
    if args.json {
        return Ok(format!("{}\n", serde_json::to_string_pretty(&variants)?));
    }
    Ok(grid(varied, &variants))
}

fn variant(
    registry: &Registry,
    args: &Args,
    varied: &[Varied],
    place: &[String],
    control: &Control,
) -> anyhow::Result<Variant> {
    let (name, given) = crate::args::file_and_parameters(&args.game)?;
    let kept = given.into_iter().filter(|(name, _)| varied.iter().all(|each| each.name != *name));
    let own = varied.iter().zip(place).map(|(each, value)| (each.name.as_str(), value.as_str()));
    let all: Vec<String> = kept.chain(own).map(|(name, value)| format!("{name}={value}")).collect();
    let mut variant = Variant {
        game: format!("{name}({})", all.join(",")),
        parameters: varied
            .iter()
            .zip(place)
            .map(|(each, value)| (each.name.clone(), value.as_str().into()))
            .collect(),
        place: place.to_vec(),
        value: None,
        plies: None,
        result: String::new(),
        error: None,
    };
    let game = match crate::args::game(registry, &variant.game) {
        Ok(game) => game,
        Err(error) => {
            variant.result = "-".to_owned();
            variant.error = Some(error.to_string());
            return Ok(variant);
        }
    };
    variant.game = game.specification();
    let mut session = game.session();
    let request = Request::default().with_moves(false).with_line(false).with_distances(true);
    let report = session.solve(&request, &control.clone().with_time(args.time));
    if let Some(halted @ Halted::Stopped { .. }) = report.halted {
        return Err(halted.into());
    }
    variant.result = "?".to_owned();
    if let Some(value) = report.value.filter(|_| report.proven || report.result.is_some()) {
        let first = Value(value).outcome_for(session.turn()).0;
        let voice = Voice::new(&*game, |name, _| name.to_owned());
        let winner = if first > 0 { Side::First } else { Side::Second };
        let mut words = if first == 0 { "draw".to_owned() } else { voice.name(winner) };
        if first != 0 && game.unit() != "result" {
            words += &format!(" +{}", first.abs());
        }
        if let Some(plies) = report.distance {
            words += &format!(" ({plies})");
        }
        (variant.value, variant.plies, variant.result) = (Some(first), report.distance, words);
    }
    Ok(variant)
}

/// The last parameter in columns, the others in rows; below it, where the winner changes.
fn grid(varied: &[Varied], variants: &[Variant]) -> String {
    let Some((last, others)) = varied.split_last() else { return String::new() };
    let names: Vec<String> = others.iter().map(|each| each.name.clone()).collect();
    let columns = last.values.iter().map(|value| format!("{}={value}", last.name));
    let head: Vec<String> = names.into_iter().chain(columns).collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let width = last.values.len();
    let rows = variants.chunks(width).map(|row| {
        let own = row[0].place[..others.len()].iter().cloned();
        own.chain(row.iter().map(|variant| variant.result.clone())).collect()
    });
    let mut text = terminal::table(&head, rows.collect(), &[]);
    text +=
        "\n  In brackets: plies, where they are known. ?: not solved in --time. -: not allowed.\n";
    if variants.iter().any(|variant| variant.result == "?") {
        text += "  A text is solved sooner if it is proven that play ends: `foregone rules check` says whether it is.\n";
    }
    let sign = |variant: &Variant| variant.value.map(i32::signum);
    // Neighbours differ in one parameter by one step.
    let (mut step, mut counts, mut turns) = (1, Vec::new(), Vec::new());
    for (nth, each) in varied.iter().enumerate().rev() {
        let (mut known, before) = (0, turns.len());
        for at in 0..variants.len() {
            let Some(other) = variants.get(at + step) else { continue };
            let one = &variants[at];
            let is_next = at / step % each.values.len() + 1 < each.values.len();
            let Some((was, is)) = sign(one).zip(sign(other)).filter(|_| is_next) else { continue };
            known += 1;
            if was != is {
                let others = varied.iter().zip(&one.place).filter(|(of, _)| of.name != each.name);
                let others: String =
                    others.map(|(of, value)| format!("{}={value}: ", of.name)).collect();
                turns.push(format!(
                    "  {others}{}={} to {}: {} to {}\n",
                    each.name, one.place[nth], other.place[nth], one.result, other.result
                ));
            }
        }
        let changed = turns.len() - before;
        counts.push(format!("  {}: in {changed} of {known} steps\n", each.name));
        step *= each.values.len();
    }
    if !turns.is_empty() {
        counts.reverse();
        // More would be longer than the grid.
        let shown = if turns.len() <= MAX_TURNS { turns } else { counts };
        text += &format!("\n{}\n{}", terminal::bold("Where the result changes"), shown.concat());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_varied_by_ranges_and_words() {
        let parsed = Varied::parse_all("goal=3..5,capture=always,never").unwrap().0;
        let values = |at: usize| parsed[at].values.join(" ");
        assert_eq!((&*parsed[0].name, values(0)), ("goal", "3 4 5".to_owned()));
        assert_eq!((&*parsed[1].name, values(1)), ("capture", "always never".to_owned()));
        for wrong in ["", "3..5", "a=5..3", "a=1..9999999", "a=x..y", "a=1..100,b=1..100"] {
            assert!(Varied::parse_all(wrong).is_err(), "{wrong}");
        }
    }
}
