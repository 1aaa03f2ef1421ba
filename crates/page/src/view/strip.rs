//! The boards of a game from one move to another, with the steps of each move between them: what the script shows
//! one after the other, as a page of its own.

use foregone::{Invalid, show::Scene};
use maud::html;

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::draw::svg;
use crate::service::Service;

/// The most steps of a move, and the most boards.
const MAX_STEPS: usize = 40;
const MAX_BOARDS: usize = 120;

/// The names of its fields: `at` is the number of moves after which the strip begins.
pub const NAMES: [&str; 4] = ["game", "position", "moves", "at"];

/// The address of the strip of a game up to the position that is shown, from its start.
pub fn link(address: &Address) -> String {
    format!("strip.html?{}", address.place())
}

/// A board, and the move that it is a step of.
struct Step {
    scene: Scene,
    words: String,
    /// Whether the move is complete.
    whole: bool,
}

pub fn show(service: &Service, fields: &Fields) -> Reply {
    let refuse = |why: String| Reply::Wrong(wrong("These boards cannot be shown", &why, None));
    let address = match Address::read(fields) {
        Ok(address) => address,
        Err(why) => return refuse(why),
    };
    let from = if fields.at.is_empty() { 0 } else { address.at };
    let (title, steps) = match boards(service, &address, from) {
        Ok(found) => found,
        Err(error) => return refuse(error.to_string()),
    };
    let body = html! {
        div.intro {
            h1 { (title) ", board by board" }
            p { a.button href=(address.seen_at(address.moves.len()).link()) { "Back to the board" } }
        }
        ol.strip {
            @for step in &steps {
                li.whole[step.whole] { (svg::still(&step.scene, &step.words)) p { (step.words) } }
            }
        }
    };
    Reply::Page(frame(&format!("{title}, board by board"), None, &body))
}

fn boards(
    service: &Service,
    address: &Address,
    from: usize,
) -> Result<(String, Vec<Step>), Invalid> {
    let (game, mut session) = service.open(&address.game)?;
    session.go(address.position.as_deref(), "")?;
    let mut steps = vec![Step { scene: session.scene(), words: "Start".to_owned(), whole: true }];
    for (at, mv) in (1..).zip(&address.moves) {
        session.play(mv)?;
        let words = format!("{at}. {mv}");
        let step = |scene, whole| Step { scene, words: words.clone(), whole };
        if at > from && steps.len() < MAX_BOARDS {
            steps.extend(
                session.steps().into_iter().take(MAX_STEPS).map(|scene| step(scene, false)),
            );
        }
        if at == from {
            steps.clear();
        }
        if at >= from && steps.len() < MAX_BOARDS {
            steps.push(step(session.scene(), true));
        }
    }
    Ok((service.registry.title(&*game).to_owned(), steps))
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone::Registry;

    #[test]
    fn a_sowing_is_shown_stone_by_stone() {
        let service = Service::new(Registry::standard(), 1 << 28, 1, None);
        let count = |at: &str, moves: &str| {
            let (moves, at) = (moves.to_owned(), at.to_owned());
            let fields = Fields { game: "kalah".to_owned(), moves, at, ..Fields::default() };
            match show(&service, &fields) {
                Reply::Page(page) => page.into_string().matches("<svg").count(),
                reply => panic!("{reply:?}"),
            }
        };
        // The start, four stones, and what the move leads to.
        assert_eq!(count("", "3"), 6);
        assert_eq!(count("1", "3,1"), 6);
        assert_eq!(count("2", "3,1"), 1);
    }

    #[test]
    fn what_cannot_be_shown_says_why() {
        let service = Service::new(Registry::standard(), 1 << 28, 1, None);
        for (game, moves, at) in [("kalar", "", ""), ("kalah", "9", ""), ("kalah", "3", "2")] {
            let [game, moves, at] = [game, moves, at].map(str::to_owned);
            let fields = Fields { game, moves, at, ..Fields::default() };
            assert!(matches!(show(&service, &fields), Reply::Wrong(_)));
        }
    }
}
