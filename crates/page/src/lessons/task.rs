//! Tasks for a class: a position, a question, and the moves that answer it, all in one address. Who opens it sees the
//! board and the question, and is told whether a move is right. The address has checksums of the right moves, so that
//! they cannot be read there by chance.

use foregone::{Invalid, Request, Session};
use maud::html;

use super::{Answer, Fields, Shown, board, picked_move};
use crate::service::{Deadline, Service};
use crate::words::Voice;

/// The question if a task has none.
const USUAL: &str = "Which move is best?";

/// The checksum of a move in a position, in hexadecimal digits (FNV-1a, 32 bits).
fn checksum(position: &str, mv: &str) -> String {
    let bytes = position.bytes().chain([0]).chain(mv.bytes());
    let hash = bytes
        .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{hash:08x}")
}

/// The moves that hold the value of a position; where all lose, those that lose last.
fn best(
    service: &Service,
    session: &mut dyn Session,
    deadline: &Deadline,
) -> Result<Vec<String>, Invalid> {
    let request = Request::default().with_line(false);
    let report = session.solve(&request, &service.small(deadline));
    let value =
        report.value.filter(|_| report.proven && report.moves.len() == session.moves().len());
    let holds = |value: i32| report.moves.iter().filter(move |each| each.result.value == value);
    match value {
        Some(..0) => Ok(report.preferred),
        Some(value) => Ok(holds(value).map(|each| each.mv.clone()).collect()),
        None => Err(Invalid::new(
            "no moves",
            "the moves that are right: finding them takes too long here, so please name them",
        )),
    }
}

pub(super) fn show(
    service: &Service,
    fields: &Fields,
    deadline: &Deadline,
) -> Result<Answer, Invalid> {
    let (game, mut session) = service.open(&fields.game)?;
    let from = (!fields.position.is_empty()).then_some(&fields.position[..]);
    session.go(from, &fields.line.replace(',', " "))?;
    let position = session.position();
    if fields.accept.is_empty() {
        let legal = session.moves();
        let typed = fields.answer.split([',', ' ']).filter(|mv| !mv.is_empty());
        let mut right: Vec<String> = typed.map(str::to_owned).collect();
        if right.is_empty() {
            right = best(service, &mut *session, deadline)?;
        }
        if let Some(mv) = right.iter().find(|mv| !legal.contains(mv)) {
            let moves = legal.join(" ");
            return Err(Invalid::new(mv.as_str(), format!("one of the legal moves: {moves}")));
        }
        if right.is_empty() {
            return Err(Invalid::new("a game that is over", "a position with a move to ask for"));
        }
        let sums: Vec<_> = right.iter().map(|mv| checksum(&position, mv)).collect();
        return Ok(Answer::Go(Fields {
            answer: String::new(),
            accept: sums.join("."),
            ..fields.clone()
        }));
    }
    let tried: Vec<&str> = fields.moves.split(',').filter(|mv| !mv.is_empty()).take(1).collect();
    let asked = Voice::on_page(&*game).status(&*session);
    if let Some(mv) = picked_move(&*session, fields).filter(|_| tried.is_empty()) {
        return Ok(Answer::Go(fields.after(&mv)));
    }
    let is_right = tried.first().is_some_and(|mv| {
        let sum = checksum(&position, mv);
        fields.accept.split('.').any(|each| each == sum)
    });
    let again = Fields { moves: String::new(), pick: String::new(), ..fields.clone() };
    let drawn = match tried.first() {
        None => board(&*session, fields, &|mv| fields.after(mv).link()),
        Some(mv) => {
            session.play(mv)?;
            crate::draw::svg::still(&session.scene(), &format!("Board: {}", session.position()))
        }
    };
    Ok(Answer::Shown(Shown {
        text: html! {
            p id="task" { b { (if fields.ask.is_empty() { USUAL } else { &fields.ask }) } }
            @if is_right {
                p id="solved" role="status" { b { "Right." } }
            } @else if let Some(mv) = tried.first() {
                p id="wrong" role="status" { b { "Not " (mv) "." } " Try another move." }
            }
            p.controls {
                @if !tried.is_empty() { a.button id="again" href=(again.link()) { "Try again" } }
                button.button type="button" id="copy-task" hidden { "Copy the address of this task" }
            }
        },
        status: asked,
        board: drawn,
        below: html! {},
        done: None,
    }))
}

#[cfg(test)]
mod tests {
    use super::super::tests::{page_of, service};
    use super::super::{TASK, show as lesson};
    use super::*;
    use crate::view::frame::Reply;

    fn task(line: &str, answer: &str, moves: &str) -> Fields {
        let [line, answer, moves] = [line, answer, moves].map(str::to_owned);
        let (lesson, game) = (TASK.to_owned(), "tic-tac-toe".to_owned());
        Fields { lesson, game, line, answer, moves, ..Fields::default() }
    }

    #[test]
    fn a_task_accepts_the_moves_that_are_right_and_hides_them() {
        let service = service();
        // X has a corner; only the middle holds the draw.
        let (fields, page) = page_of(&service, &task("1", "", ""));
        assert!(fields.accept.len() == 8 && page.contains("Which move is best?"), "{page}");
        let try_move = |fields: &Fields, mv: &str| page_of(&service, &fields.after(mv)).1;
        assert!(try_move(&fields, "5").contains("id=\"solved\""));
        assert!(try_move(&fields, "9").contains("id=\"wrong\""));
        // What the teacher says is right.
        let (fields, _) = page_of(&service, &task("", "1, 3", ""));
        assert!(try_move(&fields, "3").contains("id=\"solved\""));
        assert!(try_move(&fields, "5").contains("id=\"wrong\""));
        let sums = [checksum("a", "b"), checksum("ab", "")];
        assert!(sums[0] != sums[1] && sums.iter().all(|sum| sum.len() == 8));
    }

    #[test]
    fn a_task_without_an_answer_is_refused() {
        let service = service();
        let refused = |fields: Fields| match lesson(
            &service,
            &fields,
            &Deadline::after(std::time::Duration::from_secs(9)),
        ) {
            Reply::Wrong(page) => page.into_string(),
            _ => panic!("{fields:?}"),
        };
        assert!(refused(task("", "77", "")).contains("legal moves"));
        assert!(refused(task("1,2,3,4,5,6,7", "", "")).contains("over"));
        let game = "connect-four(columns=8,rows=7)".to_owned();
        assert!(refused(Fields { game, ..task("", "", "") }).contains("the moves that are right"));
    }
}
