//! The page to play and analyse a game. It shows what is known of its address; the browser asks again
//! for what is missing.

use std::sync::Arc;

use foregone::{AnyGame, Invalid, Player, Report, Side};

use super::clicks::{chosen, fitting};
use super::frame::{HOME, Reply, wrong};
use super::record::Record;
use crate::address::{Address, Fields, LONGEST, MAX_MOVES};
use crate::route::Queue;
use crate::service::{Deadline, Service};
use crate::words::Voice;

/// The most moves of the computer in a row.
const MAX_REPLIES: usize = 60;

/// What is missing on a page, in the order of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The computer's move.
    Move,
    /// The value of the position after this many moves.
    Value(usize),
}

/// A wrong text from a field, and the error.
#[derive(Default)]
pub(super) struct Refused {
    pub field: &'static str,
    pub text: String,
    pub why: String,
}

/// A page being made.
pub(super) struct Page<'d> {
    pub(super) service: &'d Service,
    pub game: Arc<dyn AnyGame>,
    pub address: Address,
    pub record: Record,
    pub need: Option<Need>,
    pub(super) refused: Refused,
}

/// Answers a request at once. If the queue is full, the page does not ask for missing work at once.
pub fn play(service: &Service, fields: &Fields, queue: Queue, deadline: &Deadline) -> Reply {
    let page = match Page::open(service, fields, deadline) {
        Ok(page) => page,
        Err(reply) => return *reply,
    };
    page.reply(queue, deadline)
}

/// Works on what is missing, and gives the address of the result; `None` if that takes more
/// than the fast lane allows, or it was stopped.
pub fn work(service: &Service, fields: &Fields, quick: bool, deadline: &Deadline) -> Option<Reply> {
    let mut page = match Page::open(service, fields, deadline) {
        Ok(page) => page,
        Err(reply) => return Some(*reply),
    };
    let name = page.game.specification();
    match page.find_need() {
        None => {}
        Some(Need::Move) => {
            let (game, here) = (&*page.game, &mut page.record.here);
            let player = page.address.player(here.turn())?;
            let next = if quick {
                page.address.after(&service.choose_at_once(player, game, &mut **here, deadline)?)
            } else {
                let (mv, proven) = service.choose(player, game, &mut **here, deadline).ok()?;
                let mut next = page.address.after(&mv);
                if player == Player::Perfect && !proven {
                    next.guesses.push(page.address.at);
                }
                next
            };
            return Some(Reply::Go(next.link()));
        }
        Some(Need::Value(_)) if quick => return None,
        Some(Need::Value(at)) => {
            let session = &mut page.record.here;
            let moves = page.address.moves[..at].join(" ");
            if session.go(page.address.position.as_deref(), &moves).is_ok() {
                match at == page.address.at || !page.game.has_value_search() {
                    true => drop(service.think(&mut **session, &name, deadline)),
                    false => service.value(&mut **session, &name, deadline),
                }
            }
        }
    }
    Some(Reply::Go(page.address.link()))
}

impl<'d> Page<'d> {
    /// The page of an address, or what to reply instead.
    fn open(
        service: &'d Service,
        fields: &Fields,
        deadline: &Deadline,
    ) -> Result<Page<'d>, Box<Reply>> {
        let refuse = |title: &str, why: String, instead: Option<(&str, &str)>| {
            Box::new(Reply::Wrong(wrong(title, &why, instead)))
        };
        let mut address = Address::read(fields)
            .map_err(|why| refuse("This address cannot be read", why, None))?;
        if address.game.is_empty() {
            return Err(Box::new(Reply::Go(HOME.to_owned())));
        }
        let (game, session) = service
            .open(&address.game)
            .map_err(|error| refuse("There is no such game", error.to_string(), None))?;
        // Moves as people write them, which the command reads: with numbers, spaces, or nothing between them.
        if (address.moves.len() == 1 || fields.moves.contains([' ', '.']))
            && let Ok(read) = game.open(address.position.as_deref(), &fields.moves)
            && read.played() != address.moves
        {
            address = Address { at: read.played().len(), moves: read.played(), ..address };
        }
        let mut refused = Refused::default();
        match Page::typed(&*game, &address, fields) {
            Ok(None) => {}
            Ok(Some(link)) => return Err(Box::new(Reply::Go(link))),
            Err(why) => refused = why,
        }
        let start = Address { position: None, ..address.back_to(0) }.link();
        let valued = address.hints || address.review;
        let record = Record::replay(service, &*game, session, &address, valued, deadline).map_err(
            |error| {
                let instead = Some((start.as_str(), "Start this game again"));
                refuse("This game cannot be shown", error.to_string(), instead)
            },
        )?;
        address.moves = record.plies.iter().filter_map(|ply| ply.mv.clone()).collect();
        Ok(Page { service, game, address, record, need: None, refused })
    }

    /// The address after texts that were typed in.
    fn typed(
        game: &dyn AnyGame,
        address: &Address,
        fields: &Fields,
    ) -> Result<Option<String>, Refused> {
        let all = [
            ("mv", &fields.mv),
            ("look", &fields.look),
            ("set", &fields.set),
            ("line", &fields.line),
        ];
        let Some((field, text)) =
            all.into_iter().find_map(|(field, text)| Some((field, text.as_ref()?.trim())))
        else {
            return Ok(None);
        };
        let refused = |error: Invalid| Refused {
            field,
            text: text.chars().take(LONGEST).collect(),
            why: error.to_string(),
        };
        if text.len() > LONGEST {
            return Err(refused(Invalid::new(text, format!("at most {LONGEST} bytes"))));
        }
        let before = address.moves[..address.at].join(" ");
        let from =
            |position: Option<&str>, moves: &str| game.open(position, moves).map_err(refused);
        let mut waits = field == "look";
        let next = match field {
            "mv" | "look" => {
                let session = from(address.position.as_deref(), &format!("{before} {text}"))?;
                Address { moves: session.played(), ..address.back_to(address.at) }
            }
            "set" => {
                let position = (!text.is_empty()).then_some(text);
                let turn = from(position, "")?.turn();
                // Whoever sets up a position wants to see it first.
                waits = address.player(turn).is_some();
                Address {
                    position: position.map(str::to_owned),
                    moves: Vec::new(),
                    ..address.clone()
                }
            }
            _ => {
                let session = from(address.position.as_deref(), text)?;
                Address { moves: session.played(), ..address.clone() }
            }
        };
        let next = next.seen_at(next.moves.len().min(MAX_MOVES));
        Ok(Some(Address { stop: waits, ..next }.link()))
    }

    /// Whether the computer is to move now.
    pub(super) fn computer_moves(&self) -> bool {
        let here = &self.record.here;
        here.outcome().is_none()
            && self.at_end()
            && self.address.at < MAX_MOVES
            && !self.address.stop
            && self.refused.why.is_empty()
            && self.address.player(here.turn()).is_some()
    }

    fn find_need(&self) -> Option<Need> {
        let at = self.address.at;
        let unknown = |at: usize| {
            let ply = &self.record.plies[at];
            ply.answer.is_none() && ply.outcome.is_none()
        };
        match () {
            () if self.computer_moves() => Some(Need::Move),
            () if self.address.stop => None,
            () if self.address.hints && unknown(at) => Some(Need::Value(at)),
            () if self.address.review => self.record.missing().map(Need::Value),
            () => None,
        }
    }

    fn reply(mut self, queue: Queue, deadline: &Deadline) -> Reply {
        let options = self.record.here.options();
        if let Some(option) = chosen(&options, &self.address.clicks) {
            return Reply::Go(self.address.after(&option.mv).link());
        }
        if fitting(&options.iter().collect::<Vec<_>>(), &self.address.clicks).is_empty() {
            self.address.clicks.clear();
        }
        let watched = Side::BOTH.into_iter().all(|side| self.address.player(side).is_some());
        if self.computer_moves()
            && !watched
            && let Some(next) = self.answered(deadline)
        {
            return Reply::Go(next.link());
        }
        self.need = self.find_need();
        Reply::Page(self.render(queue, watched))
    }

    /// The address after the computer's moves, if it makes any at once.
    fn answered(&mut self, deadline: &Deadline) -> Option<Address> {
        let (game, session) = (&*self.game, &mut self.record.here);
        let mut next = self.address.clone();
        for _ in 0..MAX_REPLIES {
            let Some(player) = next.player(session.turn()) else { break };
            if session.outcome().is_some() {
                break;
            }
            let Some(mv) = self.service.choose_at_once(player, game, &mut **session, deadline)
            else {
                break;
            };
            if session.play(&mv).is_err() {
                break;
            }
            next = next.after(&mv);
        }
        (next.moves.len() > self.address.moves.len()).then_some(next)
    }

    pub(super) fn voice(&self) -> Voice<'_> {
        Voice::on_page(&*self.game)
    }

    /// The known values of the position, if hints are shown.
    pub fn answer(&self) -> Option<&Report> {
        let ply = &self.record.plies[self.address.at];
        ply.answer.as_deref().filter(|_| self.address.hints)
    }
}
