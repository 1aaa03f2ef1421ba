//! `foregone tree`: the game tree of the textbooks, counted, searched, and written as text, as a picture, for
//! Graphviz, or as JSON.

use std::fmt::Write as _;
use std::io::Write;
use std::time::Duration;

use foregone::any::report::{NodeReport, SearchReport, TreeReport};
use foregone::control::{counted, grouped};
use foregone::{AnyGame, Registry, Session, Side, TreeRequest};

use crate::args::{Memory, Place, Refused, number};
use crate::progress::Working;
use crate::terminal;
use foregone_page::draw::tree::{self, Undrawn, Wanted, picture};
use foregone_page::words::{Voice, signed};

/// How long the values of a picture are looked for; it is without them if that is not enough.
const PATIENCE: Duration = Duration::from_secs(20);

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// Number of plies [default: the most that have at most a million nodes]
    #[arg(long, value_name = "PLIES", value_parser = number(0..=10_000_u32))]
    depth: Option<u32>,
    /// Write JSON
    #[arg(long)]
    json: bool,
    /// What to write
    #[arg(long, value_enum, default_value = "text", conflicts_with = "json")]
    format: Format,
    /// Draw only one board for all positions that are alike (needs --format svg)
    #[arg(long, value_enum, value_name = "WHICH")]
    merge: Option<Merge>,
    /// With --merge: how boards are arranged
    #[arg(long, value_enum, value_name = "ORDER", default_value = "start", requires = "merge")]
    rows: Rows,
    /// Fade what alpha-beta need not look at (needs --format svg)
    #[arg(long, conflicts_with = "merge")]
    pruned: bool,
    /// Number of lines of the tree to draw as text
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = number(0_usize..))]
    lines: usize,
    #[command(flatten)]
    memory: Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Format {
    /// Counts, the upper part of the tree, and what pruning saves
    Text,
    /// A graph for Graphviz
    Dot,
    /// A picture of the boards, each with who wins from there and the plies to the end
    Svg,
}

/// Which positions are one board of a picture.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Merge {
    /// Those that several lines of play reach
    Equal,
    /// Those, and their images under the symmetries of the game
    Symmetric,
}

/// The rows of a picture.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Rows {
    /// By plies from the start
    Start,
    /// By plies to the end of the game under perfect play; lines are best moves alone
    End,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let (game, session) = args.place.open(registry)?;
    if args.format == Format::Svg {
        return draw_boards(&*game, &*session, args);
    }
    for (option, given) in [("--merge", args.merge.is_some()), ("--pruned", args.pruned)] {
        if given {
            return Err(Refused(format!("{option} is for pictures: add --format svg")).into());
        }
    }
    let report = {
        let working = Working::start();
        let request = TreeRequest { depth: args.depth };
        session.tree(&request, &args.memory.control(&working))
    };
    let mut out = terminal::out();
    let in_text = args.format == Format::Text && !args.json;
    if in_text {
        write!(out, "{}", terminal::fit(&in_words(&*game, &report, args.lines)))?;
        out.flush()?;
    }
    if args.json {
        // Of a tree that is too large, the counts alone; of a run that was halted, those so far.
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
        out.flush()?;
    }
    if let Some(halted) = report.halted {
        return Err(halted.into());
    }
    if in_text || args.json {
        return Ok(());
    }
    let Some(tree) = &report.tree else {
        let nodes = grouped(report.plies.iter().map(|ply| ply.nodes).fold(0, u128::saturating_add));
        let message = format!(
            "the tree has {nodes} nodes, too many to write: choose a smaller --depth, or leave it \
             out"
        );
        return Err(Refused(message).into());
    };
    Ok(write!(out, "{}", dot(&report, tree))?)
}

fn draw_boards(game: &dyn AnyGame, session: &dyn Session, args: &Args) -> anyhow::Result<()> {
    let working = Working::start();
    let control = args.memory.control(&working);
    let report = args.pruned.then(|| session.tree(&TreeRequest { depth: args.depth }, &control));
    if let Some(halted) = report.as_ref().and_then(|report| report.halted.clone()) {
        return Err(halted.into());
    }
    let pruned = report.as_ref().and_then(|report| report.tree.as_ref());
    if args.pruned && pruned.is_none() {
        let message = "the tree is too large for alpha-beta: choose a smaller --depth";
        return Err(Refused(message.to_owned()).into());
    }
    let merge = args.merge.map(|merge| match merge {
        Merge::Equal => tree::Merge::Equal,
        Merge::Symmetric => tree::Merge::Symmetric,
    });
    let rows = match args.rows {
        Rows::Start => tree::Rows::Start,
        Rows::End => tree::Rows::End,
    };
    let (sides, unit) = (game.sides(), game.unit());
    let wanted = Wanted { depth: args.depth, merge, rows, tree: pruned, sides, unit };
    let drawn = picture(session, &wanted, &control.with_time(PATIENCE));
    let (graph, cut) = drawn.map_err(|undrawn| {
        let hint = match undrawn {
            Undrawn::Large if merge.is_some() => ": choose a smaller --depth",
            Undrawn::Large => ": choose a smaller --depth, or --merge symmetric",
            Undrawn::Ends => ": use --rows start",
            Undrawn::Move(_) => "",
        };
        Refused(format!("{undrawn}{hint}"))
    })?;
    drop(working);
    if let (Some(ply), None) = (cut, args.depth) {
        let plies = counted(ply.into(), "ply", "plies");
        anstream::eprintln!("the picture shows {plies}; play goes on (--depth shows more)");
    }
    let title = format!("Game tree of {}: {}", game.title(), session.position());
    Ok(write!(terminal::out(), "{}", graph.file(&title))?)
}

fn in_words(game: &dyn AnyGame, report: &TreeReport, max: usize) -> String {
    let mut text = format!("{}\n\n", terminal::heading(game));
    if let Some(tree) = &report.tree {
        let mut drawn = Vec::new();
        // The most whole plies that fit, and at least one.
        let mut depth = 1;
        while depth < report.depth && nodes_to(report, depth + 1) <= max as u128 {
            depth += 1;
        }
        let node = |node: &NodeReport| match (node.outcome, node.value) {
            (Some(outcome), _) => format!("over: {}", signed(outcome)),
            (None, Some(value)) => format!("{} to move, {}", node.to_move, signed(value)),
            (None, None) => format!("{} to move", node.to_move),
        };
        drawn.push(node(tree));
        draw(tree, "", depth, &node, &mut drawn);
        let hidden = drawn.len().saturating_sub(max.max(1));
        drawn.truncate(max.max(1));
        drawn.iter().for_each(|line| text += &format!("  {line}\n"));
        if hidden > 0 || depth < report.depth {
            let shown = drawn.len() as u128;
            let more = nodes_to(report, report.depth).saturating_sub(shown);
            let _ = writeln!(text, "  … {} more nodes", grouped(more));
        }
        text.push('\n');
    }
    text += &counts(report);
    if report.halted.is_some() {
        text += " known so far\n";
    } else if let (Some(minimax), Some(alphabeta)) = (&report.minimax, &report.alphabeta) {
        text.push('\n');
        let first = Voice::new(game, terminal::side).the(Side::First);
        text += &searches(report, &first, minimax, alphabeta);
    } else {
        text += "\nThe tree is too large to search node by node: use `foregone solve`.\n";
    }
    text
}

fn nodes_to(report: &TreeReport, depth: u32) -> u128 {
    let plies = report.plies.iter().take_while(|ply| ply.ply <= depth);
    plies.map(|ply| ply.nodes).fold(0, u128::saturating_add)
}

fn draw(
    tree: &NodeReport,
    indent: &str,
    depth: u32,
    node: &dyn Fn(&NodeReport) -> String,
    lines: &mut Vec<String>,
) {
    if depth == 0 {
        return;
    }
    for (at, child) in tree.children.iter().enumerate() {
        let last = at + 1 == tree.children.len();
        let (branch, below) = if last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        let mv = child.mv.as_deref().unwrap_or_default();
        lines.push(format!("{indent}{branch}{}  {}", terminal::bold(mv), node(child)));
        draw(child, &format!("{indent}{below}"), depth - 1, node, lines);
    }
}

fn counts(report: &TreeReport) -> String {
    let number = |count: u128| match count {
        u128::MAX => "over 10^38".to_owned(),
        count => grouped(count),
    };
    let symmetric = report.plies.iter().any(|ply| ply.up_to_symmetry.is_some());
    let row = |name: String, counts: [Option<u128>; 5]| {
        let [nodes, positions, up_to_symmetry, finished, merged] = counts;
        let mut row = vec![name];
        let columns = if symmetric {
            vec![nodes, positions, up_to_symmetry, finished, merged]
        } else {
            vec![nodes, positions, finished]
        };
        row.extend(columns.into_iter().map(|count| count.map_or(String::new(), number)));
        row
    };
    let all = report.plies.iter().map(|ply| {
        [
            Some(ply.nodes),
            Some(ply.positions.into()),
            ply.up_to_symmetry.map(u128::from),
            Some(ply.finished),
            ply.finished_up_to_symmetry,
        ]
    });
    let all: Vec<_> = all.collect();
    let sum = std::array::from_fn(|at| {
        all.iter().try_fold(0u128, |sum, counts| Some(sum.saturating_add(counts[at]?)))
    });
    let mut rows: Vec<_> =
        all.iter().enumerate().map(|(ply, counts)| row(ply.to_string(), *counts)).collect();
    rows.push(row("all".into(), sum));
    let head: &[&str] = if symmetric {
        &["ply", "nodes", "positions", "up to symmetry", "games ended", "merged *"]
    } else {
        &["ply", "nodes", "positions", "games ended"]
    };
    let right: Vec<usize> = (0..head.len()).collect();
    let mut text = terminal::table(head, rows, &right);
    if symmetric {
        text += " * at every step, moves to symmetric positions count as one\n";
    }
    if !report.complete {
        let _ = writeln!(text, " (play goes on after ply {})", report.depth);
    }
    text
}

fn searches(
    report: &TreeReport,
    first: &str,
    minimax: &SearchReport,
    alphabeta: &SearchReport,
) -> String {
    let row = |name: &str, search: &SearchReport| {
        let part = 100.0 * search.nodes as f64 / minimax.nodes.max(1) as f64;
        let best = search.best.clone().unwrap_or_default();
        vec![
            name.to_owned(),
            signed(search.value),
            best,
            grouped(search.nodes),
            format!("{part:.1} %"),
        ]
    };
    let rows = vec![row("minimax", minimax), row("alpha-beta", alphabeta)];
    let mut text =
        terminal::table(&["search", "value", "move", "nodes visited", "of all"], rows, &[1, 3, 4]);
    if report.complete {
        let _ = writeln!(text, " values for {first}");
    } else {
        let depth = report.depth;
        let _ = writeln!(text, " values for {first}, estimated at ply {depth}: not proven");
    }
    text
}

/// The tree as a graph for Graphviz.
fn dot(report: &TreeReport, tree: &NodeReport) -> String {
    let mut text = format!("// {} from {}\n", report.game, report.position.escape_debug());
    text += "digraph tree {\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n";
    let mut next = 0;
    dot_node(tree, &mut next, &mut text);
    text + "}\n"
}

fn dot_node(node: &NodeReport, next: &mut u64, text: &mut String) -> u64 {
    let number = *next;
    *next += 1;
    let label = match (node.outcome, node.value) {
        (Some(outcome), _) => format!("over: {}", signed(outcome)),
        (None, Some(value)) => format!("{}\\n{}", node.to_move, signed(value)),
        (None, None) => node.to_move.clone(),
    };
    let over = if node.outcome.is_some() { ", style=\"rounded,filled\"" } else { "" };
    let _ = writeln!(text, "  n{number} [label=\"{label}\"{over}];");
    for child in &node.children {
        let mv = child.mv.as_deref().unwrap_or_default().replace(['"', '\\'], "'");
        let below = dot_node(child, next, text);
        let _ = writeln!(text, "  n{number} -> n{below} [label=\"{mv}\"];");
    }
    number
}
