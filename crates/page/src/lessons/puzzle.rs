//! Puzzles: positions in which exactly one move wins. They stand in a file that `results/puzzles` makes with
//! `foregone puzzles`, so that nothing is solved here. The day says which one is today's.

use foregone::{Invalid, Side};
use maud::{Markup, html};

use super::{Answer, Fields, Shown, board, open, picked_move};
use crate::address::Address;
use crate::players::Who;
use crate::service::Service;
use crate::words::Voice;

/// A line of the file.
pub(super) struct Puzzle {
    game: &'static str,
    moves: &'static str,
    goal: &'static str,
    moves_to_win: &'static str,
    solution: &'static str,
    line: &'static str,
    difficulty: &'static str,
}

/// All puzzles.
pub(super) fn all() -> Vec<Puzzle> {
    let line = |line: &'static str| {
        let mut parts = line.split('|');
        let mut next = || parts.next().unwrap_or_default();
        Puzzle {
            game: next(),
            moves: next(),
            goal: next(),
            moves_to_win: next(),
            solution: next(),
            line: next(),
            difficulty: next(),
        }
    };
    include_str!("puzzles.txt").lines().map(line).collect()
}

/// The address of the first puzzle; the script makes it today's, of so many.
pub fn today() -> Markup {
    let first = Fields { lesson: super::PUZZLE.to_owned(), ..Fields::default() };
    html! { a.button id="today" data-puzzles=(all().len()) href=(first.at(1).link()) { "Puzzle of the day" } }
}

pub(super) fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let puzzles = all();
    let number = if fields.step.is_empty() { 1 } else { fields.step() };
    let puzzle = number.checked_sub(1).and_then(|at| puzzles.get(at)).ok_or_else(|| {
        Invalid::new(&*fields.step, format!("the number of a puzzle: 1 to {}", puzzles.len()))
    })?;
    let (game, mut session) = service.open(puzzle.game)?;
    session.go(None, &puzzle.moves.replace(',', " "))?;
    let position = session.position();
    let mover = session.turn();
    let asked = Voice::on_page(&*game).name(mover);
    let session = open(service, puzzle.game, &position, fields)?;
    if let Some(mv) = picked_move(&*session, fields) {
        return Ok(Answer::Go(fields.after(&mv)));
    }
    let tried = session.played();
    let solved = tried.first().is_some_and(|mv| mv == puzzle.solution);
    let again = Fields { moves: String::new(), pick: String::new(), ..fields.clone() };
    let play = Address {
        position: Some(position),
        moves: tried.clone(),
        at: tried.len(),
        players: if session.turn() == Side::First {
            [Who::Perfect, Who::Human]
        } else {
            [Who::Human, Who::Perfect]
        },
        ..Address::new(puzzle.game)
    };
    let title = service.registry.title(&*game);
    let text = html! {
        p {
            span.dot.first[mover == Side::First].second[mover == Side::Second] {}
            b { " " (asked) " to move and " @if puzzle.goal == "win" { "win in " (puzzle.moves_to_win) " moves" } @else { "hold the draw" } } "."
            @if puzzle.goal == "win" { " The moves of the other side are not counted." } }
        p.dim {
            a href=(Address::new(puzzle.game).link()) target="_blank" { (title) } ", " (puzzle.difficulty)
            ". Exactly one move does it: that is proven."
        }
        details {
            summary { "How it is played" }
            @for part in game.about().rules.split("\n\n") { p { (part) } }
        }
        @if solved {
            p id="solved" role="status" { b { "Right." } " It could go on: " (puzzle.line) "." }
            p { a.button href=(play.link()) { "Play it out against the computer" } }
        } @else if !tried.is_empty() {
            p id="wrong" role="status" { b { "Not this one." } " After " (tried[0]) " the " (puzzle.goal) " is gone." }
            p.controls {
                a.button id="again" href=(again.link()) { "Try again" }
                a.button href=(Address { hints: true, players: [Who::Human; 2], ..play }.link()) { "See why" }
            }
        }
        p id="streak" data-number=(number) hidden {}
    };
    let number_of = |number: usize| {
        let to = Fields { moves: String::new(), pick: String::new(), ..fields.at(number) };
        to.link()
    };
    let next = number % puzzles.len() + 1;
    Ok(Answer::Shown(Shown {
        text,
        status: if tried.is_empty() {
            "Find the move.".to_owned()
        } else if solved {
            "Solved.".to_owned()
        } else {
            "Not solved.".to_owned()
        },
        board: if tried.is_empty() {
            board(&*session, fields, &|mv| fields.after(mv).link())
        } else {
            crate::draw::svg::still(&session.scene(), &format!("Board: {}", session.position()))
        },
        below: html! {
            p.controls {
                a.button id="next-puzzle" href=(number_of(next)) { "Next puzzle" }
                span.dim { "Puzzle " (number) " of " (puzzles.len()) ". More of any game: " code { "foregone puzzles GAME" } }
            }
        },
        done: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::service;
    use super::*;
    use foregone::{Control, Request};

    #[test]
    fn each_puzzle_has_the_move_that_the_file_says() {
        let service = service();
        let puzzles = all();
        assert!(puzzles.len() >= 40, "{}", puzzles.len());
        for puzzle in &puzzles {
            let (_, mut session) = service.open(puzzle.game).unwrap();
            session.go(None, &puzzle.moves.replace(',', " ")).unwrap();
            // The distance that the file says is at most nine plies: a search looks no further.
            let request = Request::default().with_distances(true).with_line(false);
            let report = session.solve(&request, &Control::default());
            let goal = i32::from(puzzle.goal == "win");
            let kept = report.moves.iter().filter(|each| each.result.value >= goal);
            let kept: Vec<_> = kept.map(|each| &each.mv[..]).collect();
            assert_eq!(kept, [puzzle.solution], "{}: {}", puzzle.game, puzzle.moves);
            let moves = report.distance.map(|plies| plies.div_ceil(2).to_string());
            assert_eq!(moves.as_deref(), Some(puzzle.moves_to_win), "{}", puzzle.moves);
        }
    }
}
