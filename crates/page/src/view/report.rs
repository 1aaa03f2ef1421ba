//! What a game is like, on the page: the report of the command, as far as the time to think goes.

use foregone::survey::{Wanted, survey};
use maud::html;

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::draw::svg;
use crate::service::{Deadline, Service};
use crate::survey::body;

/// A game with more positions is judged by games of players.
const POSITIONS: u64 = 500_000;

/// The number of games of each player.
const GAMES: u32 = 20;

pub fn show(service: &Service, fields: &Fields, deadline: &Deadline) -> Reply {
    let (game, mut session) = match service.open(&fields.game) {
        Ok(opened) => opened,
        Err(error) => {
            let why = error.to_string();
            return Reply::Wrong(wrong("There is nothing to report on", &why, None));
        }
    };
    let mut wanted = Wanted::default();
    (wanted.positions, wanted.games, wanted.puzzles) = (POSITIONS, GAMES, 3);
    (wanted.threads, wanted.time) = (service.threads, deadline.left() / 4);
    let found = survey(&*game, &mut *session, wanted, &service.control(deadline), &mut |_| {});
    let title = format!("{}: what the game is like", service.registry.title(&*game));
    let body = html! {
        div.report {
            h1 { (title) }
            p { a.button href=(Address::new(fields.game.clone()).link()) { "To the board" } }
            (body(&*game, &found, svg::still))
            p.dim {
                "Every number has a definition in the documents. With more time, "
                code { "foregone report \"" (game.specification()) "\"" } " says more."
            }
        }
    };
    Reply::Page(frame(&title, None, &body))
}
