//! `foregone explain`: a walk through a proof, in which you make the other side's moves and the proof
//! answers; or a picture of a small proof. Or the tape of a proof or a table, for other checkers.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use foregone::check::proofs::ProofVerdict;
use foregone::control::counted;
use foregone::record::proof::{Claim, ProofManifest, has_to_end};
use foregone::record::{Listed, Table, Values};
use foregone::solver::Advice;
use foregone::{AnyGame, Control, Registry, Session, Twin, Value};

use crate::args::{Memory, Refused};
use crate::progress::Working;
use crate::tables::{WITH_A_BOOK, kind_of};
use crate::terminal;
use foregone_page::draw::graph::{Board, Graph, Line, MAX, Mark};
use foregone_page::words::Voice;

#[derive(clap::Args)]
pub struct Args {
    /// The file from `foregone prove`, or from `foregone table build` for a tape
    file: PathBuf,
    /// The side whose claim to walk through, if the proof has two claims: first or second [default: the
    /// first claim]
    #[arg(long, value_name = "SIDE", value_parser = ["first", "second"])]
    side: Option<String>,
    /// A walk, or a picture of a small proof
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// A walk at the terminal
    Text,
    /// A graph for Graphviz
    Dot,
    /// Boards and lines
    Svg,
    /// The moves alone (of a table, all values and plies), in the order of a walk, behind the rules: for programs that
    /// check them by other means
    Tape,
}

/// The mark of boards and lines in which the proof moves.
const KEPT: &str = "path";

/// A proof that is walked through.
struct Walk {
    claim: Claim,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let file = || args.file.display().to_string();
    let table = Table::open(&args.file).with_context(file)?;
    let Some(contents) = table.manifest().proof.clone() else {
        if args.format == Format::Tape && table.manifest().horizon.is_none() && args.side.is_none()
        {
            let game = registry.game_of_file(table.manifest().id()).with_context(file)?;
            let control = &args.memory.control(&Working::start());
            let twin = twin(registry, &*game, &table);
            return tape_of_table(&*game, twin, &table, control).with_context(file);
        }
        let kind = kind_of(&table);
        let hint = match table.manifest().horizon {
            Some(_) => WITH_A_BOOK,
            None => "`foregone table probe` and `table stats` read it",
        };
        return Err(Refused(format!("{} is {kind}, expected a proof: {hint}", file())).into());
    };
    let game = registry.game_of_file(table.manifest().id()).with_context(file)?;
    let ProofManifest { position, moves, claims } = &contents;
    let mut session = game.open(position.as_deref(), &moves.join(","))?;
    let table = Arc::new(table);
    let working = Working::start();
    if args.format == Format::Tape {
        let side = args.side.as_deref();
        let control = &args.memory.control(&working);
        // Readers of proofs know Connect Four as it is: that is faster.
        let is_known = game.specification().starts_with("connect-four(");
        let twin = if is_known { None } else { twin(registry, &*game, &table) };
        return write_tape(&*game, twin, &*session, &table, side, control).with_context(file);
    }
    session.consult(table.clone());
    let checked = session.check(&table, &args.memory.control(&working));
    drop(working);
    match checked.with_context(file)? {
        ProofVerdict::Proven { .. } => {}
        flawed => anyhow::bail!("{}: {flawed}", file()),
    }
    let asked = |claim: &Claim| is_asked(claim, args.side.as_deref());
    let claim = *claims.iter().find(|claim| asked(claim)).ok_or_else(|| {
        let side = args.side.as_deref().unwrap_or_default();
        let words = contents.words(game.unit(), &session.position());
        Refused(format!("the proof claims nothing about the {side} player; it claims that {words}"))
    })?;
    let walk = Walk { claim };
    match args.format {
        Format::Text => walk.talk(&mut *session, Voice::new(&*game, terminal::side)),
        format => {
            let shown = ProofManifest { claims: vec![claim], ..contents.clone() };
            let words = shown.words(game.unit(), &session.position());
            let title = format!("{}: {words}", game.title());
            let graph = walk.graph(&*session)?;
            let mut out = terminal::out();
            match format {
                Format::Svg => write!(out, "{}", graph.file(&title))?,
                _ => write!(out, "{}", dot(&graph, &title))?,
            }
            Ok(())
        }
    }
}

fn is_asked(claim: &Claim, side: Option<&str>) -> bool {
    side.is_none_or(|side| (side == "first") == claim.first)
}

/// The text that has the rules of a game, unless the file carries its rules.
fn twin(registry: &Registry, game: &dyn AnyGame, table: &Table) -> Option<Twin> {
    match table.manifest().rules {
        Some(_) => None,
        None => Twin::of(registry, &game.specification()),
    }
}

/// Writes the claims of a proof as tapes: of each a line with the game, or with the tree of its rules; a line with the
/// claim; and the entries.
fn write_tape(
    game: &dyn AnyGame,
    mut twin: Option<Twin>,
    session: &dyn Session,
    table: &Table,
    side: Option<&str>,
    control: &Control,
) -> anyhow::Result<()> {
    // As it is: what is for terminals would leave out bytes.
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    let rules = rules_line(game, twin.as_ref(), table)?;
    let claims = table.manifest().proof.iter().flat_map(|contents| &contents.claims);
    for (index, claim) in claims.enumerate() {
        if !is_asked(claim, side) {
            continue;
        }
        let tape = session.tape(table, index, twin.as_mut(), control)?;
        let tape =
            tape.context("the proof lacks an entry, or one side moves too often in a row")?;
        let moves: Vec<_> = tape.moves.iter().map(usize::to_string).collect();
        writeln!(out, "tape 1\n{rules}")?;
        writeln!(
            out,
            "claim {} {} moves [{}] longest {} most {} entries {} bytes {}",
            if claim.first { "first" } else { "second" },
            claim.at_least,
            moves.join(", "),
            tape.longest,
            tape.most,
            tape.count,
            tape.entries.len()
        )?;
        out.write_all(&tape.entries)?;
    }
    Ok(out.flush()?)
}

/// The second line of a tape: the game, or the tree of the rules that the file carries, or of its twin.
fn rules_line(game: &dyn AnyGame, twin: Option<&Twin>, table: &Table) -> anyhow::Result<String> {
    let manifest = table.manifest();
    let position = manifest.proof.as_ref().and_then(|proof| proof.position.as_deref());
    let Some(rules) = &manifest.rules else {
        anyhow::ensure!(
            position.is_none(),
            "tapes of games in Rust begin at the start of the game"
        );
        return Ok(match twin {
            Some(twin) => format!("rules {}", twin.tree()),
            None => format!("game {}", game.specification()),
        });
    };
    let text = foregone::text::Text::parse(rules).map_err(anyhow::Error::msg)?;
    let name = game.specification();
    let (_, given) = crate::args::file_and_parameters(&name)?;
    let loaded = text.load(&given).map_err(anyhow::Error::msg)?;
    Ok(format!("rules {}", loaded.tree(position)?))
}

fn tape_of_table(
    game: &dyn AnyGame,
    mut twin: Option<Twin>,
    table: &Table,
    control: &Control,
) -> anyhow::Result<()> {
    let values = table.manifest().values;
    if values != Values::ScoreDistance {
        let name = values.name();
        let why = format!("a tape needs a table with score+distance, and this one has {name}");
        return Err(Refused(why).into());
    }
    let tape = crate::tables::tables(game)?.tape(table, twin.as_mut(), control)?;
    let why = match table.listed() {
        Listed::InPlay => "a tape needs all positions: build the table with --all",
        Listed::All | Listed::Open => {
            "a tape needs the whole game, and this table has a part of it"
        }
    };
    let tape = tape.context(why)?;
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    writeln!(out, "tape 1\n{}", rules_line(game, twin.as_ref(), table)?)?;
    writeln!(out, "table positions {} bytes {}", tape.count, tape.entries.len())?;
    out.write_all(&tape.entries)?;
    Ok(out.flush()?)
}

impl Walk {
    /// The move of the proof and the number of its moves left; `None` if its side is not to move.
    fn advice(&self, session: &dyn Session) -> anyhow::Result<Option<(String, u32)>> {
        if session.outcome().is_some() || session.turn() != self.claim.side() {
            return Ok(None);
        }
        match session.advice()? {
            Some(Advice::Move { mv, left, .. }) => Ok(Some((mv, left))),
            _ => anyhow::bail!("the proof has no move here"),
        }
    }

    fn talk(&self, session: &mut dyn Session, voice: Voice<'_>) -> anyhow::Result<()> {
        let (side, other) = (self.claim.side(), self.claim.side().other());
        let claimed = self.claim.words(voice.unit);
        // Add the game's own name of the side to "the first player".
        let named = match voice.sides[side.index()] {
            "first" | "second" => String::new(),
            _ => format!(" ({})", voice.the(side)),
        };
        terminal::say(&format!("Proven: {claimed}{named}; you move for {}.\n", voice.the(other)))?;
        let mut made = 0;
        // How many moves were made before each of yours.
        let mut yours = Vec::new();
        loop {
            terminal::say(&format!(
                "\n{}\n{}\n",
                terminal::board(&session.drawing()),
                voice.status(session)
            ))?;
            if session.outcome().is_some() {
                return Ok(());
            }
            if let Some((mv, left)) = self.advice(session)? {
                let endless = session.endless().value_for(self.claim.side());
                let left = match has_to_end(Value(self.claim.at_least), endless) {
                    true if left == 0 => " (the last move of this side)".to_owned(),
                    true => {
                        let left = counted(left.into(), "more move", "more moves");
                        format!(" (at most {left} of this side to the end)")
                    }
                    false => String::new(),
                };
                terminal::say(&format!("{}: {}{left}\n", voice.name(side), terminal::bold(&mv)))?;
                session.play(&mv)?;
                made += 1;
                continue;
            }
            let legal = session.moves().join(" ");
            terminal::say(&format!("{legal}\n(a move, undo or quit) > "))?;
            let Some(line) = terminal::read_line()? else { return Ok(()) };
            match line.trim() {
                "" => {}
                "q" | "quit" => return Ok(()),
                "u" | "undo" => {
                    // Back to the last position in which you moved.
                    let Some(yours) = yours.pop() else {
                        terminal::say("there is no move to undo\n")?;
                        continue;
                    };
                    while made > yours && session.undo() {
                        made -= 1;
                    }
                }
                text => match session.play(text) {
                    Ok(()) => {
                        yours.push(made);
                        made += 1;
                    }
                    Err(error) => terminal::say(&format!("{error}\n"))?,
                },
            }
        }
    }

    /// All positions that the proof reaches, in rows by the number of moves to them.
    fn graph(&self, start: &dyn Session) -> anyhow::Result<Graph> {
        // The side of the proof has one move in each of its positions.
        let class = |session: &dyn Session| match session.turn() == self.claim.side() {
            true => KEPT,
            false => "",
        };
        let board = |session: &dyn Session, row: usize| Board {
            scene: session.scene(),
            title: session.position(),
            row,
            turn: session.outcome().is_none().then(|| session.turn()),
            mark: Mark { class: class(session), ..Mark::default() },
            ..Board::default()
        };
        let mut numbers = HashMap::from([(start.position(), 0)]);
        let mut boards = vec![board(start, 0)];
        let mut sessions = vec![start.fork()];
        let mut lines = Vec::new();
        let mut at = 0;
        while at < boards.len() {
            let session = sessions[at].fork();
            let moves = match self.advice(&*session)? {
                Some((mv, _)) => vec![mv],
                None => session.moves(),
            };
            for mv in moves {
                let mut next = session.fork();
                next.play(&mv)?;
                let new = boards.len();
                let number = *numbers.entry(next.position()).or_insert(new);
                if number == new {
                    boards.push(board(&*next, boards[at].row + 1));
                    sessions.push(next);
                }
                lines.push(Line { from: at, to: number, mv, class: class(&*session) });
                if boards.len() > MAX {
                    let message = format!(
                        "the proof reaches more than {MAX} positions, too many for a picture: use --format text"
                    );
                    return Err(Refused(message).into());
                }
            }
            at += 1;
        }
        Ok(Graph::rows(boards, lines))
    }
}

/// The positions as a graph for Graphviz: those in which the proof moves are round.
fn dot(graph: &Graph, title: &str) -> String {
    let plain = |text: &str| text.replace(['"', '\\'], "'");
    let mut text = format!("// {}\ndigraph proof {{\n", title.escape_debug());
    text += "  node [shape=box, fontname=\"monospace\"];\n";
    for (number, board) in graph.boards().iter().enumerate() {
        let shape =
            if board.mark.class == KEPT { ", style=rounded, color=\"#1a7f37\"" } else { "" };
        let _ = writeln!(text, "  n{number} [label=\"{}\"{shape}];", plain(&board.title));
    }
    for Line { from, to, mv, .. } in graph.lines() {
        let _ = writeln!(text, "  n{from} -> n{to} [label=\"{}\"];", plain(mv));
    }
    text + "}\n"
}
