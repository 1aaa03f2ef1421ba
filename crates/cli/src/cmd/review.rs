//! `foregone review`: the moves of a game, each with what it was worth and what it gave away.

use std::io::Write;
use std::time::Duration;

use foregone::control::counted;
use foregone::{AnyGame, Halted, Registry, Report, Request, Side};
use serde_json::json;

use super::solve;
use crate::args::{Memory, Place, Refused, time};
use crate::progress::Working;
use crate::tables::Consult;
use crate::terminal;
use foregone_page::slip::Slip;
use foregone_page::words::{Voice, counted_plies};

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Time limit for each position; if nothing is proven by then, its moves get estimates
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time,
          allow_hyphen_values = true)]
    think: Duration,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    consult: Consult,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

/// A move of the game, and the report on the position before it.
struct Ply {
    turn: Side,
    mv: String,
    report: Report,
}

impl Ply {
    fn slip(&self) -> Option<Slip> {
        Slip::of(&self.report, &self.mv)
    }
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.place.game)?;
    let plies = plies(&*game, args)?;
    let mut out = terminal::out();
    if args.json {
        let moves: Vec<_> = plies.iter().map(|ply| fields(ply, &*game)).collect();
        let report = json!({"game": game.specification(), "unit": game.unit(), "moves": moves});
        return Ok(writeln!(out, "{report:#}")?);
    }
    write!(out, "{}\n\n{}", terminal::heading(&*game), table(&plies, &*game))?;
    Ok(writeln!(out, "\n{}", summary(&plies))?)
}

/// How many moves were mistakes; a move is only judged where the values are proven.
fn summary(plies: &[Ply]) -> String {
    let judged = plies.iter().filter(|ply| ply.report.proven).count();
    let slips = match plies.iter().filter(|ply| ply.slip().is_some()).count() as u64 {
        0 => "no mistake".to_owned(),
        some => counted(some, "mistake", "mistakes"),
    };
    let moves = counted(plies.len() as u64, "move", "moves");
    match judged {
        0 => format!("{moves}: none judged, since nothing is proven"),
        _ if judged == plies.len() => format!("{moves}: {slips}"),
        _ => format!("{moves}: {judged} judged, {slips}; of the others nothing is proven"),
    }
}

/// Plays the game again, and solves each position of it.
fn plies(game: &dyn AnyGame, args: &Args) -> anyhow::Result<Vec<Ply>> {
    let mut session = args.consult.open(game, &args.place)?;
    let played = session.played();
    if played.is_empty() {
        return Err(Refused("expected the moves of a game: use --moves".to_owned()).into());
    }
    while session.undo() {}
    let working = Working::start();
    let request = Request::default().with_line(false).with_estimate(true);
    let mut plies = Vec::new();
    for (at, mv) in played.into_iter().enumerate() {
        working.note(format!("move {}", at + 1));
        let control = args.memory.control(&working).with_time(args.think);
        let report = session.solve(&request, &control);
        if let Some(halted @ Halted::Stopped { .. }) = report.halted {
            return Err(halted.into());
        }
        let turn = session.turn();
        session.play(&mv)?;
        plies.push(Ply { turn, mv, report });
    }
    Ok(plies)
}

fn table(plies: &[Ply], game: &dyn AnyGame) -> String {
    let scored = game.unit() != "result";
    let voice = Voice::new(game, terminal::side);
    let mut head = vec!["", "side", "move", "result"];
    if scored {
        head.push(game.unit());
    }
    head.extend(["plies", "", "best"]);
    let rows = plies.iter().enumerate().map(|(at, ply)| {
        let mut row = vec![(at + 1).to_string(), voice.name(ply.turn), ply.mv.clone()];
        match ply.report.moves.iter().find(|each| each.mv == ply.mv) {
            Some(each) => row.extend(solve::cells(&each.result, scored, true)),
            None => row.extend(vec![String::new(); 2 + usize::from(scored)]),
        }
        if let Some(slip) = ply.slip() {
            let (sign, words) = slip.say(game.unit(), counted_plies);
            row.extend([format!("{sign} {words}"), ply.report.best.join(" ")]);
        }
        row
    });
    let right = if scored { vec![0, 4, 5] } else { vec![0, 4] };
    terminal::table(&head, rows.collect(), &right)
}

fn fields(ply: &Ply, game: &dyn AnyGame) -> serde_json::Value {
    let worth = ply.report.moves.iter().find(|each| each.mv == ply.mv);
    json!({
        "move": ply.mv,
        "to_move": game.sides()[ply.turn.index()],
        "value": worth.map(|each| each.result.value),
        "result": worth.and_then(|each| each.result.result.as_ref()),
        "distance": worth.and_then(|each| each.result.distance),
        "endless": worth.is_some_and(|each| each.result.endless),
        "chance": worth.and_then(|each| each.chance),
        "best": ply.report.best,
        "proven": ply.report.proven,
        "mistake": ply.slip().map(|slip| slip.say(game.unit(), counted_plies).1),
    })
}
