//! `foregone puzzles`: positions in which exactly one move wins, or holds the draw.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use foregone::any::puzzles::{Puzzle, Wanted, find};
use foregone::control::counted;
use foregone::record::disk::Disk;
use foregone::record::write::aside;
use foregone::{AnyGame, Halted, Registry};
use serde_json::json;

use crate::args::{Memory, Place, Refused, may_write, number};
use crate::progress::Working;
use crate::tables::Consult;
use crate::terminal;
use foregone_page::draw::sheet::{self, Problem};
use foregone_page::words::Voice;

#[derive(clap::Args)]
pub struct Args {
    /// The game, or a file with its rules
    game: String,
    /// Wins in this many moves of the side to move [default: at least 2, and draws that one move holds]
    #[arg(long, value_name = "N", value_parser = number(1..=50_u32))]
    moves_to_win: Option<u32>,
    /// Number of puzzles
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(1..=1_000_u32))]
    count: u32,
    /// Equal seeds give equal puzzles
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// The file to write: a sheet to print if it ends with .svg, else JSON
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

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    if let Some(file) = &args.output {
        if file.extension().is_some_and(|end| end != "svg" && end != "json") {
            let why = format!(
                "{}: puzzles are written to files that end in .json or .svg",
                file.display()
            );
            return Err(Refused(why).into());
        }
        may_write(file, args.force)?;
    }
    let game = crate::args::game(registry, &args.game)?;
    let place = Place { game: args.game.clone(), position: None, moves: String::new() };
    let mut session = args.consult.open(&*game, &place)?;
    let wanted = Wanted::new(args.moves_to_win, args.count as usize, args.seed);
    let mut puzzles = Vec::new();
    let working = Working::start();
    let control = args.memory.control(&working);
    let found = find(&*game, &mut *session, wanted, &control, &mut |puzzle| {
        puzzles.push(puzzle);
        working.note(format!("{} of {} puzzles", puzzles.len(), args.count));
    });
    drop(working);
    match found {
        // What was found is written.
        Err(Halted::Stopped { .. }) if !puzzles.is_empty() => {}
        Err(halted) => return Err(halted.into()),
        Ok(0) => {
            let why = "found no such position in 200 games: try other --moves-to-win, a smaller board, or --table";
            return Err(Refused(why.to_owned()).into());
        }
        Ok(_) => {}
    }
    if puzzles.len() < args.count as usize {
        let found = counted(puzzles.len() as u64, "puzzle", "puzzles");
        eprintln!("note: found {found}, and no more in 200 games");
    }
    let written = match &args.output {
        None if args.json => in_json(&*game, &puzzles),
        None => return show(&*game, &puzzles),
        Some(file) if file.extension().is_some_and(|end| end == "svg") => sheet(&*game, &puzzles)?,
        Some(_) => in_json(&*game, &puzzles),
    };
    match &args.output {
        None => Ok(write!(terminal::out(), "{written}")?),
        Some(file) => {
            aside(&Disk::default(), file, |to| to.write_all(written.as_bytes()))
                .with_context(|| format!("cannot write {}", file.display()))?;
            let count = counted(puzzles.len() as u64, "puzzle", "puzzles");
            Ok(writeln!(terminal::out(), "{}: {count}", file.display())?)
        }
    }
}

fn in_json(game: &dyn AnyGame, puzzles: &[Puzzle]) -> String {
    let all = json!({"game": game.specification(), "unit": game.unit(), "puzzles": puzzles});
    format!("{all:#}\n")
}

/// What is asked, and the answer with the moves that follow.
fn words(game: &dyn AnyGame, puzzle: &Puzzle) -> [String; 2] {
    let voice = Voice::new(game, |name, _| name.to_owned());
    // A win is shown to its end.
    let shown = puzzle.moves_to_win.map_or(12, |moves| 2 * moves as usize);
    let mut line = puzzle.line.iter().take(shown).cloned().collect::<Vec<_>>().join(" ");
    if puzzle.line.len() > shown {
        line += " …";
    }
    [puzzle.task(&voice.name(puzzle.side(game))), line]
}

fn sheet(game: &dyn AnyGame, puzzles: &[Puzzle]) -> anyhow::Result<String> {
    let mut problems = Vec::new();
    for puzzle in puzzles {
        let session = game.open(None, &puzzle.moves.join(" "))?;
        let [task, solution] = words(game, puzzle);
        let (scene, mover) = (session.scene(), session.turn());
        problems.push(Problem { scene, mover, task, solution });
    }
    Ok(sheet::file(&format!("{}: puzzles", game.title()), &problems))
}

fn show(game: &dyn AnyGame, puzzles: &[Puzzle]) -> anyhow::Result<()> {
    let mut out = terminal::out();
    writeln!(out, "{}\n", terminal::heading(game))?;
    for (at, puzzle) in puzzles.iter().enumerate() {
        let session = game.open(None, &puzzle.moves.join(" "))?;
        let [task, _] = words(game, puzzle);
        let (number, moves) = (at + 1, puzzle.moves.join(" "));
        let head = format!("{number}. {task} ({}; after {moves})", puzzle.difficulty);
        writeln!(out, "{}", terminal::fit(&head))?;
        writeln!(out, "{}", terminal::board(&session.drawing()))?;
    }
    writeln!(out, "Solutions")?;
    for (at, puzzle) in puzzles.iter().enumerate() {
        let [_, line] = words(game, puzzle);
        writeln!(out, "{}", terminal::fit(&format!("{:>3}. {line}", at + 1)))?;
    }
    Ok(())
}
