//! `foregone grade`: how a program plays against opponents of four strengths, and the first position in which it lost
//! what it had. For teachers, and for those who write such a program.

use std::io::Write;
use std::time::Duration;

use foregone::control::counted;
use foregone::{AnyGame, Control, Halted, Registry, Request, Side};
use foregone_page::players::Who;
use foregone_page::slip::Slip;
use foregone_page::words::{Voice, counted_plies};
use serde::Serialize;

use super::player::Contestant;
use super::record::{OnIllegal, Played, Record};
use super::score::{self, Score};
use super::{Args, Contest};
use crate::args::{Memory, number, time};
use crate::progress::Working;
use crate::terminal;

/// The opponents, the weakest first.
const OPPONENTS: [Who; 4] = [Who::Easy, Who::Medium, Who::Hard, Who::Perfect];

#[derive(clap::Args)]
pub struct GradeArgs {
    /// The game, or a file with its rules
    #[arg(long)]
    game: String,
    /// What starts the program, such as "python3 pupil.py"; it reads a question and writes a move, line by line
    /// (docs/json.md)
    #[arg(long, value_name = "COMMAND", value_parser = Contestant::program)]
    program: Contestant,
    /// Number of random openings against each opponent; each is played twice, with the sides exchanged
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number(1..=100_000_u64))]
    openings: u64,
    /// Number of random moves of an opening
    #[arg(long, value_name = "PLIES", default_value_t = 2, value_parser = number(0..=1_000_u32))]
    plies: u32,
    /// Time for each move, and for the truth about each position
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time, allow_hyphen_values = true)]
    think: Duration,
    /// Seed of the openings and of the opponents' choices
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// Write JSON, with the moves of all games
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

/// The games against one opponent.
#[derive(Serialize)]
struct Level {
    opponent: &'static str,
    #[serde(flatten)]
    score: Score,
    /// Where it first lost what it had, of the games that it did not win and of what could be proven.
    mistake: Option<Mistake>,
    games: Vec<Played>,
}

/// A move that gave something away.
#[derive(Serialize)]
struct Mistake {
    /// The number of the game, from 1.
    game: u64,
    /// The moves before it, and the position.
    moves: Vec<String>,
    position: String,
    #[serde(rename = "move")]
    mv: String,
    /// What it did.
    words: String,
    /// The moves that were best.
    best: Vec<String>,
}

pub fn run(registry: &Registry, args: &GradeArgs) -> anyhow::Result<()> {
    let game = &*crate::args::game(registry, &args.game)?;
    let working = Working::start();
    let mut levels = Vec::new();
    for opponent in OPPONENTS {
        levels.push(level(game, args, opponent, &working)?);
    }
    drop(working);
    let mut out = terminal::out();
    if args.json {
        let program = args.program.name();
        let report = serde_json::json!({
            "game": game.specification(), "program": program, "seed": args.seed, "opponents": levels,
        });
        return Ok(writeln!(out, "{report:#}")?);
    }
    write!(out, "{}\n\n{}", terminal::heading(game), table(&levels))?;
    let played: Vec<_> = levels.iter().flat_map(|level| &level.games).collect();
    write!(out, "{}", score::faults(&played, OnIllegal::Loss))?;
    // Such a program has shown nothing of how it plays.
    if played.iter().all(|game| !game.faults.is_empty()) {
        return Ok(writeln!(out, "\nIt lost every game by a reply that is no legal move.")?);
    }
    writeln!(out, "\n{}", verdict(&levels))?;
    match levels.iter().find_map(|level| Some((level, level.mistake.as_ref()?))) {
        Some((level, mistake)) => write!(out, "\n{}", in_words(game, level, mistake)?)?,
        None => writeln!(out, "No move was proven to be a mistake.")?,
    }
    Ok(())
}

/// Plays the games against one opponent.
fn level(
    game: &dyn AnyGame,
    args: &GradeArgs,
    who: Who,
    working: &Working,
) -> anyhow::Result<Level> {
    let asked = Args {
        game: args.game.clone(),
        player: args.program.clone(),
        opponent: Contestant::parse(who.name()).map_err(anyhow::Error::msg)?,
        openings: args.openings,
        plies: args.plies,
        think: args.think,
        depth: 4,
        longest: 500,
        seed: args.seed,
        on_illegal: OnIllegal::Loss,
        threads: 1,
        record: None,
        json: false,
        memory: args.memory.clone(),
    };
    let mut record = Record::open(None, &asked.settings(game))?;
    let contest = Contest { game, args: &asked, control: working.quiet() };
    let games = 2 * args.openings;
    contest.play(&mut record, games, working)?;
    let played: Vec<Played> = record.played(games).into_iter().cloned().collect();
    if (played.len() as u64) < games {
        return Err(Halted::Stopped { phase: "playing", done: played.len() as u64 }.into());
    }
    let score = Score::of(&played.iter().collect::<Vec<_>>());
    let mut mistake = None;
    for each in played.iter().filter(|each| each.result < 1) {
        let control = args.memory.control(working).with_time(args.think);
        mistake = first_mistake(game, each, &control)?;
        if mistake.is_some() {
            break;
        }
    }
    Ok(Level { opponent: who.name(), score, mistake, games: played })
}

/// The first move of the program that is proven to have made its result worse.
fn first_mistake(
    game: &dyn AnyGame,
    played: &Played,
    control: &Control,
) -> anyhow::Result<Option<Mistake>> {
    let request = Request::default().with_line(false);
    let side = if played.moved_first() { Side::First } else { Side::Second };
    let mut session = game.open(None, &played.opening.join(" "))?;
    for mv in &played.moves {
        if session.turn() == side {
            let report = session.solve(&request, control);
            if let Some(halted @ Halted::Stopped { .. }) = report.halted {
                return Err(halted.into());
            }
            let slip = Slip::of(&report, mv);
            if let Some(slip @ (Slip::Result(..) | Slip::Value(_))) = slip {
                let (_, words) = slip.say(game.unit(), counted_plies);
                return Ok(Some(Mistake {
                    game: played.number + 1,
                    moves: session.played(),
                    position: session.position(),
                    mv: mv.clone(),
                    words,
                    best: report.best,
                }));
            }
        }
        session.play(mv)?;
    }
    Ok(None)
}

fn table(levels: &[Level]) -> String {
    let rows = levels.iter().map(|Level { opponent, score, .. }| {
        let Score { won, drawn, lost, points, .. } = score;
        let counts = [won, drawn, lost].map(u32::to_string);
        [vec![(*opponent).to_owned()], counts.to_vec(), vec![format!("{:.0} %", 100.0 * points)]]
            .concat()
    });
    terminal::table(&["against", "won", "drawn", "lost", "points"], rows.collect(), &[1, 2, 3, 4])
}

/// Whom it beats: the opponents, from the weakest on, against which it has more than half of the points.
fn verdict(levels: &[Level]) -> String {
    let beaten: Vec<_> = levels.iter().take_while(|level| level.score.points > 0.5).collect();
    let next = levels.get(beaten.len()).map(|level| (level.opponent, level.score.points));
    let beaten = beaten.last().map(|level| level.opponent);
    match (beaten, next) {
        (None, Some((next, 0.5))) => format!("It is as strong as {next}."),
        (None, _) => "It is weaker than easy.".to_owned(),
        (Some(beaten), None) => format!("It is stronger than {beaten}."),
        (Some(beaten), Some((next, 0.5))) => {
            format!("It is stronger than {beaten}, and as strong as {next}.")
        }
        (Some(beaten), Some((next, _))) => {
            format!("It is stronger than {beaten}, and weaker than {next}.")
        }
    }
}

fn in_words(game: &dyn AnyGame, level: &Level, mistake: &Mistake) -> anyhow::Result<String> {
    let session = game.open(None, &mistake.moves.join(" "))?;
    let voice = Voice::new(game, terminal::side);
    let made = counted(mistake.moves.len() as u64, "move", "moves");
    let best = mistake.best.join(" ");
    Ok(format!(
        "Where it first lost what it had: against {}, game {}, after {made}:\n\n{}\n{}\n\nIt played {}, which {}. \
         Best: {best}.\n\n  foregone review {} --moves \"{}\"\n",
        level.opponent,
        mistake.game,
        terminal::board(&session.drawing()),
        voice.status(&*session),
        terminal::bold(&mistake.mv),
        mistake.words,
        shlex::try_quote(&game.specification())?,
        [&mistake.moves[..], std::slice::from_ref(&mistake.mv)].concat().join(" "),
    ))
}
