//! The game tree from a position: boards that open and close, what perfect play from each leads to, what alpha-beta need
//! not look at, and how many nodes each search looks at.

use foregone::any::report::TreeReport;
use foregone::{Control, Request, Session, TreeRequest};
use maud::{Markup, html};

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::draw::tree::{Merge, Rows, Turned, Wanted, browse, picture};
use crate::service::{Deadline, Service};
use crate::words::signed;

/// The most nodes that are searched one by one.
const MAX_NODES: u128 = 700;

/// The most positions that are looked at for the first board.
const FIRST: u64 = 1_000_000;

/// The most plies at once.
const DEEPEST: u32 = 12;

/// The longest list of turned nodes, in bytes.
const LONGEST: usize = 2000;

/// What is shown: a name in addresses, and words.
const SHOWN: [(&str, &str); 3] = [
    ("", "All moves"),
    ("pruned", "What alpha-beta leaves out"),
    ("merged", "One board for positions that are alike"),
];

pub fn show(service: &Service, fields: &Fields, deadline: &Deadline) -> Reply {
    let refuse = |why: &str| Reply::Wrong(wrong("This tree cannot be shown", why, None));
    let address = match Address::read(fields) {
        Ok(address) => address,
        Err(why) => return refuse(&why),
    };
    let opened = service.open(&address.game).and_then(|(game, mut session)| {
        session.go(address.position.as_deref(), &address.moves[..address.at].join(" "))?;
        Ok((game, session))
    });
    let (game, session) = match opened {
        Ok(opened) => opened,
        Err(error) => return refuse(&error.to_string()),
    };
    let how = fields.show.as_str();
    if !SHOWN.iter().any(|(name, _)| *name == how) {
        return refuse("show: expected pruned or merged");
    }
    let turned: Turned =
        fields.open.split(',').filter(|path| path.starts_with('0')).map(str::to_owned).collect();
    if fields.open.len() > LONGEST {
        return refuse("too many nodes are open: close some, or begin at a later position");
    }

    let control = service.small(deadline);
    let report = grow(&*session, &control);
    let wanted = Wanted {
        depth: None,
        merge: (how == "merged").then_some(Merge::Symmetric),
        rows: Rows::Start,
        tree: report.tree.as_ref().filter(|_| how == "pruned"),
        sides: game.sides(),
        unit: game.unit(),
    };
    let link = |how: &str, turned: &Turned| address.tree_as(how, turned);
    let place = |moves: Vec<String>| Address { at: moves.len(), moves, ..address.clone() }.link();
    let graph = match wanted.merge {
        Some(_) => picture(&*session, &wanted, &control).map(|(graph, _)| graph),
        None => {
            // The first board and its moves are worth more work than the others.
            let known = service.at_once(&mut *session.fork(), &game.specification(), deadline);
            let known = known.unwrap_or_else(|| {
                let control = service.small(deadline).with_positions(FIRST);
                session.fork().solve(&Request::default(), &control).into()
            });
            browse(
                &*session,
                &wanted,
                &turned,
                &|turned| link(how, turned),
                &place,
                &known,
                &control,
            )
        }
    };
    let name = service.registry.title(&*game);
    let body = html! {
        div.intro {
            h1 { "Game tree of " (name) }
            p {
                "Each board says who wins from there if both sides play best, and after how many moves, if that is known. A click on a \
                 board opens or closes what follows; a number says how many moves are hidden. A click on a result leads \
                 to its board. Drag the tree to see the rest of it."
                @if how == "pruned" { " Alpha-beta does not look at what is pale: that cannot change the value." }
            }
            div.controls {
                a.button href=(address.link()) { "Back to the board" }
                @for (each, words) in SHOWN {
                    a.button.on[each == how] href=(link(each, &Turned::new())) { (words) }
                }
            }
        }
        div.controls id="zoom" hidden {
            button data-zoom="0.8" aria-label="Smaller" { "−" }
            button data-zoom="1.25" aria-label="Larger" { "+" }
            button data-zoom="fit" { "All" }
            button id="save-svg" { "Save as SVG" }
        }
        @match graph {
            Ok(graph) => {
                @let [width, _] = graph.size();
                figure.diagram.card id="tree" data-show=(how) tabindex="0" aria-label="Game tree" hx-target="#tree" hx-select="#tree"
                    hx-swap="outerHTML show:none" {
                    svg viewBox=(graph.view_box()) width=(format!("{:.0}", width * 0.6)) data-root=(graph.root() / width) role="group" {
                        (graph.markup())
                    }
                }
            }
            Err(error) => p.error { (error) },
        }
        (counts(&report))
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
        @if let (Some(minimax), Some(alphabeta)) = (&report.minimax, &report.alphabeta) {
            p {
                "Minimax looks at " b { (minimax.nodes) } " nodes, alpha-beta at "
                b { (alphabeta.nodes) } ": both find " b { (signed(minimax.value)) }
                @if !report.complete { ", seen " (report.depth) " moves ahead" } "."
            }
        }
        table.values {
            thead { tr { th { "move" } th { "nodes" } th { "positions" } th { "games over" } } }
            tbody {
                @for ply in &report.plies {
                    tr {
                        td { (ply.ply) } td { (ply.nodes) } td { (ply.positions) }
                        td { (ply.finished) }
                    }
                }
            }
        }
    }
}
