//! The fourth lesson: different orders of moves lead to the same position, so a solver that remembers positions has
//! much less to do. The reader reaches a position in two ways.

use std::collections::HashMap;
use std::sync::OnceLock;

use foregone::control::grouped;
use foregone::{Invalid, Session};
use maud::html;

use super::example::GAME;
use super::{Answer, Fields, Shown, board, kept, open, status};
use crate::service::Service;

/// A position that some orders of moves lead to.
struct Reached {
    session: Box<dyn Session>,
    orders: u64,
}

/// The positions after each number of moves, by their text. `allowed` says which moves are made.
fn reached(
    session: Box<dyn Session>,
    allowed: impl Fn(usize, &str) -> bool,
) -> Result<Vec<HashMap<String, Reached>>, Invalid> {
    let start = HashMap::from([(session.position(), Reached { session, orders: 1 })]);
    let mut plies = vec![start];
    loop {
        let ply = plies.len() - 1;
        let mut next: HashMap<String, Reached> = HashMap::new();
        for Reached { session, orders } in plies[ply].values() {
            for mv in session.moves().into_iter().filter(|mv| allowed(ply, mv)) {
                let mut after = session.fork();
                after.play(&mv)?;
                let fresh = || Reached { session: after.fork(), orders: 0 };
                next.entry(after.position()).or_insert_with(fresh).orders += orders;
            }
        }
        if next.is_empty() {
            return Ok(plies);
        }
        plies.push(next);
    }
}

/// How many nodes the tree has after each number of moves, and how many positions.
fn counts(service: &Service) -> Result<&'static [(u64, usize)], Invalid> {
    static COUNTS: OnceLock<Vec<(u64, usize)>> = OnceLock::new();
    let counts = kept(&COUNTS, || {
        let (_, session) = service.open(GAME)?;
        let plies = reached(session, |_, _| true)?;
        let count = |ply: &HashMap<String, Reached>| {
            (ply.values().map(|reached| reached.orders).sum(), ply.len())
        };
        Ok(plies.iter().map(count).collect())
    });
    counts.map(Vec::as_slice)
}

/// In how many orders the moves of a game can be made.
fn orders(service: &Service, played: &[String]) -> Result<u64, Invalid> {
    let (_, session) = service.open(GAME)?;
    let plies = reached(session, |ply, mv| {
        let of_side = played.iter().skip(ply % 2).step_by(2);
        ply < played.len() && of_side.into_iter().any(|each| each == mv)
    })?;
    let last = if plies.len() > played.len() { plies.last() } else { None };
    Ok(last.map_or(0, |ply| ply.values().map(|reached| reached.orders).sum()))
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let session = open(service, GAME, "", fields)?;
    let played = session.played();
    let ways = orders(service, &played)?;
    // The first way, with which the reader compares another.
    let first: Vec<String> = fields.seen.split(',').map(str::to_owned).collect();
    let first = Fields { moves: first.join(","), ..Fields::default() };
    let first = open(service, GAME, "", &first).ok().filter(|first| first.played().len() >= 3);
    let found = first.as_ref().is_some_and(|first| {
        first.position() == session.position() && first.played() != session.played()
    });
    let counts = counts(service)?;
    let (nodes, positions) =
        counts.iter().fold((0, 0), |(nodes, positions), ply| (nodes + ply.0, positions + ply.1));
    let text = html! {
        p {
            "A tree counts a position once for every order of moves that leads to it. A solver that " b { "remembers" }
            " what it has solved (in a transposition table, by the position) solves it once."
        }
        @match &first {
            None => p.task {
                b { "Your turn: " } "play three moves or more on the empty board, for both sides. Then press \"Keep this position\"."
            },
            Some(first) => p.task {
                b { "Your turn: " } "reach the position after " b { (first.played().join(" ")) } " again, by another "
                "order of moves. Both sides keep their squares."
            },
        }
        @if played.len() >= 3 {
            p { (ways) @if ways == 1 { " order" } @else { " orders" } " of moves lead to the position on the board." }
            @if first.is_none() {
                @let keep = Fields { seen: played.join(","), moves: String::new(), ..fields.clone() };
                p { a.button id="keep" href=(keep.link()) { "Keep this position" } }
            }
        }
        @if let (Some(first), false) = (&first, found) {
            @if played.len() >= first.played().len() {
                p id="other" {
                    @if first.played() == played { "You played the same order again: try another one." }
                    @else { "This is another position." } " "
                    a.button href=(Fields { moves: String::new(), ..fields.clone() }.link()) { "Clear the board" }
                }
            }
        }
    };
    let below = html! {
        div.card {
            h2 { "Tic-tac-toe, move by move" }
            div.scroll tabindex="0" role="region" aria-label="Nodes and positions" { table.values {
                thead { tr { th { "moves made" } th { "nodes of the tree" } th { "positions" } th { "nodes per position" } } }
                tbody {
                    @for (ply, (nodes, positions)) in counts.iter().enumerate() {
                        tr.best[ply == played.len()] {
                            td { (ply) } td { (grouped(*nodes)) } td { (grouped(*positions as u64)) }
                            td { (format!("{:.1}", *nodes as f64 / *positions as f64)) }
                        }
                    }
                    tr { th { "all" } td { (grouped(nodes)) } td { (grouped(positions as u64)) }
                        td { (format!("{:.1}", nodes as f64 / positions as f64)) } }
                }
            } }
            p.dim { "Turned and mirrored boards are alike, too: a solver that knows this has still less to do." }
        }
    };
    let after = |mv: &str| fields.after(mv).link();
    Ok(Answer::Shown(Shown {
        text,
        status: status(service, GAME, &*session)?,
        board: board(&*session, fields, &after),
        below,
        done: found.then_some(
            "Two orders, one position: a solver that remembers it solves it only once. In larger games this saves far more.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;

    #[test]
    fn the_counts_are_those_of_the_whole_game() {
        let service = service();
        let counts = counts(&service).unwrap();
        assert_eq!(counts.iter().map(|(nodes, _)| nodes).sum::<u64>(), 549_946);
        assert_eq!(counts.iter().map(|(_, positions)| positions).sum::<usize>(), 5_478);
        assert_eq!(counts.len(), 10);
    }

    #[test]
    fn orders_are_counted_by_the_rules() {
        let service = service();
        let count = |moves: &str| {
            let played: Vec<_> = moves.split(' ').map(str::to_owned).collect();
            orders(&service, &played).unwrap()
        };
        assert_eq!(count("1 5 9"), 2);
        assert_eq!(count("1 2 3 4 5 6"), 36);
        // X has a row in the end: the move that completes it is the last.
        assert_eq!(count("1 4 2 5 3"), 3 * 2 * 2);
    }

    #[test]
    fn another_order_makes_it_done() {
        let service = service();
        let fields = Fields { seen: "1,5,9".to_owned(), ..Fields::of("memory") };
        for (moves, done) in [("1,5,9", false), ("9,5,1", true), ("1,5,8", false)] {
            let (_, page) =
                page_of(&service, &Fields { moves: moves.to_owned(), ..fields.clone() });
            assert_eq!(page.contains("id=\"learned\""), done, "{moves}");
            assert_eq!(page.contains("id=\"other\""), !done, "{moves}");
        }
    }
}
