//! The game tree as the founding texts drew it: every node with the value that both sides can be sure
//! of, and the nodes that alpha-beta prunes.

use foregone::any::report::{NodeReport, TreeReport};
use foregone::{Control, Session, Side, TreeRequest};
use maud::{Markup, html};

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::draw::svg;
use crate::service::{Deadline, Service};
use crate::words::{Voice, signed};

/// The most nodes that a page shows.
const MAX_NODES: u128 = 700;

/// The most plies at once.
const DEEPEST: u32 = 12;

pub fn show(service: &Service, fields: &Fields, deadline: &Deadline) -> Reply {
    let refuse = |why: String| Reply::Wrong(wrong("This tree cannot be shown", &why, None));
    let address = match Address::read(fields) {
        Ok(address) => address,
        Err(why) => return refuse(why),
    };
    let opened = service.open(&address.game).and_then(|(game, mut session)| {
        session.go(address.position.as_deref(), &address.moves[..address.at].join(" "))?;
        Ok((game, session))
    });
    let (game, session) = match opened {
        Ok(opened) => opened,
        Err(error) => return refuse(error.to_string()),
    };
    let report = grow(&*session, &service.small(deadline));
    let name = service.registry.title(&*game);
    let voice = Voice::on_page(&*game);
    let body = html! {
        div.intro {
            h1 { "Game tree of " (name) }
            p {
                "Each move with what both sides can be sure of after it, as " b { (voice.the(Side::First)) }
                " sees it. A question mark: the tree ends before that is known. Moves that alpha-beta need not \
                 look at are struck through. Open a node to look below it."
            }
            p { a.button href=(address.link()) { "Back to the board" } }
        }
        div.table {
            section.play {
                (svg::still(&session.scene(), "The position at the root"))
                (counts(&report))
            }
            section.side {
                div.card.tree {
                    @match &report.tree {
                        Some(tree) => (node(tree, &report.sides[0], voice, &address, 0)),
                        None => p { "There are too many moves to draw a tree." },
                    }
                }
            }
        }
    };
    Reply::Page(frame(&format!("Tree of {name}"), None, &body))
}

/// The tree to the depth that a page has room for.
fn grow(session: &dyn Session, control: &Control) -> TreeReport {
    let mut report = session.tree(&TreeRequest { depth: Some(1) }, control);
    for depth in 2..=DEEPEST {
        let counts: Vec<_> = report.plies.iter().map(|ply| ply.nodes).collect();
        let [.., before, last] = counts[..] else { break };
        // The next ply grows by about the same factor as this one.
        let next = last * last.div_ceil(before.max(1));
        if report.complete || counts.iter().sum::<u128>() + next > MAX_NODES {
            break;
        }
        let deeper = session.tree(&TreeRequest { depth: Some(depth) }, control);
        let total: u128 = deeper.plies.iter().map(|ply| ply.nodes).sum();
        if deeper.tree.is_none() || total > 2 * MAX_NODES {
            break;
        }
        report = deeper;
    }
    report
}

fn counts(report: &TreeReport) -> Markup {
    html! {
        table.values {
            thead { tr { th { "ply" } th { "nodes" } th { "positions" } th { "games over" } } }
            tbody {
                @for ply in &report.plies {
                    tr {
                        td { (ply.ply) } td { (ply.nodes) } td { (ply.positions) }
                        td { (ply.finished) }
                    }
                }
            }
        }
        @if let (Some(minimax), Some(alphabeta)) = (&report.minimax, &report.alphabeta) {
            p {
                "Minimax looks at " b { (minimax.nodes) } " nodes, alpha-beta at "
                b { (alphabeta.nodes) } ": both find " b { (signed(minimax.value)) }
                @if !report.complete { " by what these plies show" } "."
            }
        }
    }
}

/// What is known of a node, as the first player sees it.
#[derive(Clone, Copy)]
struct Seen {
    low: i32,
    high: i32,
    /// By the game's evaluation where the tree ends.
    guess: Option<i32>,
}

impl Seen {
    /// What is known of a node from those below it. `first` is the name of the first side.
    fn of(node: &NodeReport, first: &str) -> Seen {
        let below: Vec<_> = node.children.iter().map(|child| Seen::of(child, first)).collect();
        let best = |values: &mut dyn Iterator<Item = i32>| match node.to_move == first {
            true => values.max(),
            false => values.min(),
        };
        let ends = node.outcome.map_or((i32::MIN, i32::MAX), |outcome| (outcome, outcome));
        let guesses: Option<Vec<_>> = below.iter().map(|seen| seen.guess).collect();
        Seen {
            low: best(&mut below.iter().map(|seen| seen.low)).unwrap_or(ends.0),
            high: best(&mut below.iter().map(|seen| seen.high)).unwrap_or(ends.1),
            guess: guesses.and_then(|all| best(&mut all.into_iter())).or(node.value),
        }
    }

    /// Its look, and its text.
    fn chip(self) -> (&'static str, String) {
        match (self.low == self.high, self.guess) {
            (true, _) => {
                let kind = match self.low {
                    0 => "draw",
                    1.. => "win",
                    _ => "loss",
                };
                (kind, signed(self.low))
            }
            (false, Some(guess)) => ("guess", signed(guess) + "?"),
            (false, None) => ("guess", "?".to_owned()),
        }
    }
}

fn node(tree: &NodeReport, first: &str, voice: Voice<'_>, address: &Address, depth: u32) -> Markup {
    let (kind, value) = Seen::of(tree, first).chip();
    let turn = if tree.to_move == first { Side::First } else { Side::Second };
    let name = html! {
        span.pruned[tree.pruned] {
            (tree.mv.as_deref().unwrap_or("here"))
            " " span class={ "chip " (kind) } { (value) }
            @if tree.outcome.is_some() { " " small { "over" } }
            @else { " " small { (voice.name(turn)) " to move" } }
            @if tree.pruned { " " small { "left out" } }
        }
    };
    html! {
        @if tree.children.is_empty() {
            div.leaf { (name)
                @if tree.outcome.is_none() {
                    " " a href=(address.tree()) { "look below" }
                }
            }
        } @else {
            details open[depth <= 1] {
                summary { (name) }
                @for child in &tree.children {
                    @let below = child.mv.as_deref().map_or_else(|| address.clone(), |mv| address.after(mv));
                    (node(child, first, voice, &below, depth + 1))
                }
            }
        }
    }
}
