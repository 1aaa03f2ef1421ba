//! The fifth lesson: solving from the ends of a game backwards, which works where play can go on for ever. All
//! positions of Mu torere are shown, up to symmetry, and settled round by round.

use std::collections::HashMap;
use std::sync::OnceLock;

use foregone::sort::by_rank;
use foregone::{Invalid, Session, Side, show::Scene};
use maud::html;

use super::{Answer, Fields, Shown, board, kept, open, picked_move, status, step_link};
use crate::draw::svg;
use crate::service::Service;

pub const GAME: &str = "mu-torere";

/// A position, and what was found out about it.
struct Spot {
    /// The position that stands for it and for its images.
    name: String,
    text: String,
    turn: Side,
    scene: Scene,
    next: Vec<usize>,
    /// The round in which it was settled, and whether the side to move wins.
    settled: Option<(usize, bool)>,
}

/// All positions of the game, settled from the ends backwards.
struct Solved {
    spots: Vec<Spot>,
    /// The last round that settled anything.
    rounds: usize,
}

impl Solved {
    /// All positions that can be reached, up to symmetry and exchange of the players, and the moves between them.
    fn explore(session: Box<dyn Session>) -> Result<Solved, Invalid> {
        let mut places = HashMap::from([(session.representative(), 0)]);
        let mut open = vec![session];
        let mut spots: Vec<Spot> = Vec::new();
        while spots.len() < open.len() {
            let session = open[spots.len()].fork();
            let mut next = Vec::new();
            for mv in session.moves() {
                let mut after = session.fork();
                after.play(&mv)?;
                let fresh = places.len();
                let place = *places.entry(after.representative()).or_insert(fresh);
                if place == fresh {
                    open.push(after);
                }
                next.push(place);
            }
            let lost = session.outcome().map(|outcome| outcome.value_for(session.turn()).0 < 0);
            spots.push(Spot {
                name: session.representative(),
                text: session.position(),
                turn: session.turn(),
                scene: session.scene(),
                next,
                settled: lost.map(|lost| (0, !lost)),
            });
        }
        Ok(Solved { spots, rounds: 0 })
    }

    /// Settles, round by round, what follows from the rounds before: a position is won if a move leads to one that
    /// is lost for the other side, and lost if all moves lead to positions that are won for it.
    fn settle(&mut self) {
        for round in 1.. {
            let wins = |spot: usize| self.spots[spot].settled.map(|(_, wins)| wins);
            let follows = |spot: &Spot| match &spot.next[..] {
                _ if spot.settled.is_some() => None,
                next if next.iter().any(|next| wins(*next) == Some(false)) => Some(true),
                next if next.iter().all(|next| wins(*next) == Some(true)) => Some(false),
                _ => None,
            };
            let found: Vec<Option<bool>> = self.spots.iter().map(follows).collect();
            if found.iter().all(Option::is_none) {
                return;
            }
            for (spot, found) in self.spots.iter_mut().zip(found) {
                if let Some(wins) = found {
                    spot.settled = Some((round, wins));
                }
            }
            self.rounds = round;
        }
    }

    fn of(service: &Service) -> Result<&'static Solved, Invalid> {
        static SOLVED: OnceLock<Solved> = OnceLock::new();
        kept(&SOLVED, || {
            let (_, session) = service.open(GAME)?;
            let mut solved = Solved::explore(session)?;
            solved.settle();
            Ok(solved)
        })
    }

    /// What is known of a position after some rounds; after the last, the rest are draws.
    fn label(&self, spot: &Spot, round: usize) -> (&'static str, String) {
        match spot.settled.filter(|(settled, _)| *settled <= round) {
            Some((0, _)) => ("loss", "lost".to_owned()),
            Some((plies, true)) => ("win", format!("wins in {plies}")),
            Some((plies, false)) => ("loss", format!("loses in {plies}")),
            None if round > self.rounds => ("draw", "draw".to_owned()),
            None => ("", "?".to_owned()),
        }
    }
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let session = open(service, GAME, &fields.position, fields)?;
    if let Some(mv) = picked_move(&*session, fields) {
        return Ok(Answer::Go(fields.after(&mv)));
    }
    let solved = Solved::of(service)?;
    let last = solved.rounds + 1;
    let round = fields.step().min(last);
    let here = session.representative();
    let known = solved.spots.iter().find(|spot| spot.name == here);
    let label = known.map(|spot| solved.label(spot, round));
    let mut shown: Vec<&Spot> = solved.spots.iter().collect();
    let when = |spot: &&Spot| {
        spot.settled.map_or(i64::MAX, |(round, wins)| 2 * round as i64 + i64::from(wins))
    };
    by_rank(&mut shown, &when);
    let settled = |round: usize| {
        let known = |spot: &&Spot| spot.settled.is_some_and(|(settled, _)| settled <= round);
        solved.spots.iter().filter(known).count()
    };
    let go = |id: &str, words: &str, to| step_link(fields, id, words, to);
    let text = html! {
        p {
            "A man moves along a line to the empty point, to the centre only if a man of the other player stands beside "
            "it on the ring; a player who cannot move loses. The men can move back and forth for ever, so the game tree "
            "has no end, and minimax from the start never finishes."
        }
        p {
            "So begin at the " b { "ends" } ", where the game is over. Round 0: the positions in which the side to move has no move are lost. "
            "Each further round: a position is " b { "won" } " if some move leads to a position that is lost for the other "
            "side, and " b { "lost" } " if all moves lead to positions that are won for it."
        }
        div.steps {
            p.controls {
                (go("step-back", "Back", round.checked_sub(1)))
                (go("step-on", "Next round", (round < last).then_some(round + 1)))
            }
            p id="round" aria-live="polite" {
                b { @if round < last { "Round " (round) ": " } @else { "No further round finds anything: " } }
                (settled(round)) " of " (solved.spots.len()) " positions are settled."
                @if round == last { " In the others neither side can force an end: play goes on for ever, a draw." }
            }
        }
        p.task {
            b { "Your turn: " } "choose a position below, and play it for both sides."
            @if let Some((_, words)) = &label {
                @if words == "?" { " It is not settled yet." }
                @else { " The board: " b { (words) } "." }
            }
        }
    };
    let below = html! {
        section.card {
            h2 { "The " (shown.len()) " positions" }
            p { "Every other position is one of these: turned, mirrored, or with the men exchanged. The bar has the colour of the side to move." }
            ul.spots {
                @for (nth, spot) in shown.iter().enumerate() {
                    @let (kind, words) = solved.label(spot, round);
                    @let at = Fields { position: spot.text.clone(), moves: String::new(), pick: String::new(), ..fields.clone() };
                    li.now[spot.name == here] {
                        a class={ "turn-" (["first", "second"][spot.turn.index()]) } id={ "spot-" (nth) } href=(at.link()) {
                            (svg::thumbnail(&spot.scene, &spot.text))
                            span class={ "chip " (kind) } { (words) }
                        }
                    }
                }
            }
        }
    };
    Ok(Answer::Shown(Shown {
        text,
        status: status(service, GAME, &*session)?,
        board: board(&*session, fields, &|mv| fields.after(mv).link()),
        below,
        done: (round == last).then_some(
            "This is retrograde analysis. Chess endgame tables are made this way, and so are Foregone's.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::*;
    use foregone::{Control, Request};

    #[test]
    fn rounds_are_the_distances_of_the_solver() {
        let service = service();
        let solved = Solved::of(&service).unwrap();
        let (game, _) = service.open(GAME).unwrap();
        assert_eq!(solved.spots.len(), 43);
        assert_eq!(solved.rounds, 5);
        for spot in &solved.spots {
            let mut session = game.open(Some(&spot.text), "").unwrap();
            if session.outcome().is_some() {
                assert_eq!(spot.settled, Some((0, false)));
                continue;
            }
            let report = session.solve(&Request::default(), &Control::default());
            let found = spot.settled.map(|(round, wins)| (if wins { 1 } else { -1 }, round as u32));
            let value = report.value.unwrap();
            assert_eq!(
                found.unwrap_or((0, 0)),
                (value, report.distance.unwrap_or(0)),
                "{}",
                spot.text
            );
            assert_eq!(found.is_none(), report.endless, "{}", spot.text);
        }
    }

    #[test]
    fn the_last_round_makes_it_done() {
        let service = service();
        let last = Solved::of(&service).unwrap().rounds + 1;
        for step in 0..=last {
            let (_, page) = page_of(&service, &Fields::of("backwards").at(step));
            assert_eq!(page.contains("id=\"learned\""), step == last);
            assert_eq!(page.contains("chip draw"), step == last);
        }
    }
}
