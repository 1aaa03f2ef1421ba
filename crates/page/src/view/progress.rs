//! What is known of a question while it is thought about: a part of the page of a game, which asks for it again and
//! again.

use foregone::control::counted;
use foregone::{Invalid, Value};
use maud::{Markup, html};

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::service::{Service, SoFar};
use crate::words::signed;

/// The address of what is known of the question about a position.
pub fn link(address: &Address) -> String {
    format!("progress.html?{}", address.place())
}

pub fn show(service: &Service, fields: &Fields) -> Reply {
    let so_far = || -> Result<Option<SoFar>, Invalid> {
        let (game, mut session) = service.open(&fields.game)?;
        let position = Some(fields.position.as_str()).filter(|text| !text.is_empty());
        session.go(position, &fields.moves.replace(',', " "))?;
        Ok(service.so_far(&game.specification(), &session.position()))
    };
    match so_far() {
        Ok(so_far) => Reply::Page(frame("Progress", None, &part(so_far.as_ref()))),
        Err(error) => Reply::Wrong(wrong("There is no progress", &error.to_string(), None)),
    }
}

/// The part itself; empty if nobody thinks.
pub fn part(so_far: Option<&SoFar>) -> Markup {
    html! {
        div id="progress" { @if let Some(so_far) = so_far { (told(so_far)) } }
    }
}

fn told(so_far: &SoFar) -> Markup {
    let (passed, whole) = (so_far.begun.elapsed().as_secs_f64(), so_far.end.whole().as_secs_f64());
    html! {
        progress max=(format!("{whole:.1}")) value=(format!("{:.1}", passed.min(whole)))
            aria-label="Time to think" {}
        span.dim {
            " " (format!("{:.0} of at most {whole:.0} s", passed.min(whole).floor()))
            @if so_far.done > 0 { ": " (so_far.phase) ", " (counted(so_far.done, "position", "positions")) }
            "."
            // When moves are found, bounds are those of the next one, as the other side sees them.
            @let bounds = so_far.bounds.filter(|(low, high)| low < high && so_far.moves.is_empty());
            @if let Some((Value(low), Value(high))) = bounds {
                " The value is between " b { (signed(low)) } " and " b { (signed(high)) } "."
            }
        }
        @if !so_far.moves.is_empty() {
            span.settled {
                " Found: "
                @for (mv, value) in &so_far.moves {
                    (mv) " " span class={ "chip " (value.verdict()) } { (signed(value.0)) } " "
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::service::Deadline;
    use foregone::Registry;
    use std::time::Duration;

    #[test]
    fn bounds_and_moves_are_told_while_a_question_is_thought_about() {
        let service = Service::new(Registry::standard(), 1 << 30, 1, None);
        let game = "kalah(pits=6,stones=3)";
        let (opened, mut session) = service.open(game).unwrap();
        let name = opened.specification();
        let fields = Fields { game: game.to_owned(), ..Fields::default() };
        let shown = || match show(&service, &fields) {
            Reply::Page(page) => page.into_string(),
            reply => panic!("{reply:?}"),
        };
        assert!(shown().contains("<div id=\"progress\"></div>"), "nobody thinks");
        let mut told = Vec::new();
        std::thread::scope(|scope| {
            let thinks = scope.spawn(|| {
                // However slow the machine is.
                service.think(&mut *session, &name, &Deadline::after(Duration::from_secs(3600)))
            });
            while !thinks.is_finished() {
                told.push(shown());
                std::thread::sleep(Duration::from_millis(5));
            }
            assert!(thinks.join().unwrap().halted.is_none());
        });
        let any = |words: &str| told.iter().any(|page| page.contains(words));
        assert!(any("Time to think") && any("of at most 3600 s"));
        assert!(any("The value is between") || any("Found: "), "{:?}", told.last());
        assert!(shown().contains("<div id=\"progress\"></div>"), "nobody thinks any more");
    }
}
