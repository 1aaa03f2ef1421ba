//! The page on which a game is played and analysed. What it shows depends on its address and on
//! what is known at the moment; what is missing is asked for again and shown when it comes.

use std::sync::Arc;

use foregone::any::MoveOption;
use foregone::{AnyGame, Invalid, Player, Report, Side};
use maud::{DOCTYPE, Markup, html};

use super::address::{Address, Fields, LONGEST, MOST_MOVES};
use super::board::{chosen, holds};
use super::desk::{Answer, Desk, Patience};
use super::form;
use super::record::Record;
use crate::words::{Voice, preference, signed};

/// So many moves of the computer are made for one of a person, where it moves again and again.
const MOST_REPLIES: usize = 60;

/// What comes of a request.
pub enum Reply {
    Page(Markup),
    /// The request was wrong: a page that says how.
    Wrong(Markup),
    /// Another address has what was asked for.
    Go(String),
}

/// What is missing on a page, in the order in which it is worked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// The computer's move.
    Move,
    /// The value of the position after so many moves.
    Value(usize),
}

/// What was typed into a field that cannot be taken, and why.
#[derive(Default)]
struct Refused {
    field: &'static str,
    text: String,
    why: String,
}

/// A frame for any page; without scripts, `refresh` leads on after so many seconds.
pub fn frame(title: &str, refresh: Option<(&str, u32)>, body: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="htmx-config" content="defaultTimeout:1800000";
                title { (title) " · Foregone" }
                link rel="stylesheet" href="/assets/style.css";
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                script src="/assets/htmx.min.js" defer {}
                script src="/assets/page.js" defer {}
                @if let Some((address, seconds)) = refresh {
                    noscript {
                        meta http-equiv="refresh" content={ (seconds) ";url=" (address) };
                    }
                }
            }
            body hx-boost:inherited="target:#page, select:#page, swap:outerHTML" {
                header.top {
                    a.name href="/" { "Foregone" }
                    nav aria-label="Pages" {
                        a href="/" { "Games" }
                        a href="/api/v1/" { "API" }
                    }
                }
                main id="page" data-title={ (title) " · Foregone" } { (body) }
            }
        }
    }
}

/// A page that says what is wrong with a request.
pub fn wrong(title: &str, why: &str, instead: Option<(&str, &str)>) -> Markup {
    frame(
        title,
        None,
        &html! {
            div.notice {
                h1 { (title) }
                p.error role="alert" { (why) }
                p {
                    @if let Some((link, text)) = instead { a.button href=(link) { (text) } " " }
                    a.button href="/" { "All games" }
                }
            }
        },
    )
}

/// A page being made.
pub(super) struct Page<'d> {
    desk: &'d Desk,
    pub game: Arc<dyn AnyGame>,
    pub address: Address,
    pub record: Record,
    pub need: Option<Need>,
    refused: Refused,
}

/// Answers a request in the quick lane. With `busy`, work that is missing is not to be asked for at
/// once.
pub fn play(desk: &Desk, fields: &Fields, busy: bool, patience: &Patience) -> Reply {
    let page = match Page::open(desk, fields, patience) {
        Ok(page) => page,
        Err(reply) => return *reply,
    };
    page.reply(busy, patience)
}

/// Works on what is missing, and says where the result is to be seen; `None` if that takes more
/// than the quick lane allows, or it was told to stop.
pub fn work(desk: &Desk, fields: &Fields, quick: bool, patience: &Patience) -> Option<Reply> {
    let mut page = match Page::open(desk, fields, patience) {
        Ok(page) => page,
        Err(reply) => return Some(*reply),
    };
    let name = page.game.specification();
    match page.find_need() {
        None => {}
        Some(Need::Move) => {
            let here = &mut page.record.here;
            let player = page.address.player(here.turn())?;
            let next = if quick {
                page.address.after(&desk.choose_at_once(player, &mut **here, &name, patience)?)
            } else {
                let (mv, proven) = desk.choose(player, &mut **here, &name, patience).ok()?;
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
                desk.think(&mut **session, &name, patience);
            }
        }
    }
    Some(Reply::Go(page.address.link()))
}

impl<'d> Page<'d> {
    /// The page of an address, or what to reply instead.
    fn open(desk: &'d Desk, fields: &Fields, patience: &Patience) -> Result<Page<'d>, Box<Reply>> {
        let refuse = |title: &str, why: String, instead: Option<(&str, &str)>| {
            Box::new(Reply::Wrong(wrong(title, &why, instead)))
        };
        let mut address = Address::read(fields)
            .map_err(|why| refuse("This address cannot be read", why, None))?;
        let (game, session) = desk
            .open(&address.game)
            .map_err(|error| refuse("There is no such game", error.to_string(), None))?;
        let mut refused = Refused::default();
        match Page::typed(&*game, &address, fields) {
            Ok(None) => {}
            Ok(Some(link)) => return Err(Box::new(Reply::Go(link))),
            Err(why) => refused = why,
        }
        let start = Address { position: None, ..address.back_to(0) }.link();
        let valued = address.hints || address.review;
        let record =
            Record::replay(desk, &*game, session, &address, valued, patience).map_err(|error| {
                let instead = Some((start.as_str(), "Start this game anew"));
                refuse("This game cannot be played so", error.to_string(), instead)
            })?;
        address.moves = record.plies.iter().filter_map(|ply| ply.mv.clone()).collect();
        Ok(Page { desk, game, address, record, need: None, refused })
    }

    /// Where texts that were typed in lead to.
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
        let next = match field {
            "mv" | "look" => {
                let session = from(address.position.as_deref(), &format!("{before} {text}"))?;
                Address { moves: session.played(), ..address.back_to(address.at) }
            }
            "set" => {
                let position = (!text.is_empty()).then_some(text);
                from(position, "")?;
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
        let next = next.seen_at(next.moves.len().min(MOST_MOVES));
        Ok(Some(Address { stop: field == "look", ..next }.link()))
    }

    /// Whether the computer is to move now.
    fn computer_moves(&self) -> bool {
        let here = &self.record.here;
        here.outcome().is_none()
            && self.at_end()
            && self.address.at < MOST_MOVES
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

    fn reply(mut self, busy: bool, patience: &Patience) -> Reply {
        let clicks = self.record.here.options();
        if let Some(option) = chosen(&clicks, &self.address.clicks) {
            return Reply::Go(self.address.after(&option.mv).link());
        }
        if !clicks.iter().any(|option| holds(option, &self.address.clicks)) {
            self.address.clicks.clear();
        }
        let watched = Side::BOTH.into_iter().all(|side| self.address.player(side).is_some());
        if self.computer_moves()
            && !watched
            && let Some(next) = self.answered(patience)
        {
            return Reply::Go(next.link());
        }
        self.need = self.find_need();
        Reply::Page(self.render(busy, watched))
    }

    /// The address after the computer's moves, if it makes any at once.
    fn answered(&mut self, patience: &Patience) -> Option<Address> {
        let name = self.game.specification();
        let session = &mut self.record.here;
        let mut next = self.address.clone();
        for _ in 0..MOST_REPLIES {
            let Some(player) = next.player(session.turn()) else { break };
            if session.outcome().is_some() {
                break;
            }
            let Some(mv) = self.desk.choose_at_once(player, &mut **session, &name, patience) else {
                break;
            };
            if session.play(&mv).is_err() {
                break;
            }
            next = next.after(&mv);
        }
        (next.moves.len() > self.address.moves.len()).then_some(next)
    }

    fn voice(&self) -> Voice<'_> {
        Voice::new(&*self.game, |name, _| name.to_owned())
    }

    /// What is known of the position, if that is to be shown.
    pub fn answer(&self) -> Option<&Answer> {
        let ply = &self.record.plies[self.address.at];
        ply.answer.as_deref().filter(|_| self.address.hints)
    }

    fn render(&self, busy: bool, watched: bool) -> Markup {
        let here = &*self.record.here;
        let voice = self.voice();
        let status = match self.need {
            Some(Need::Move) => "Thinking…".to_owned(),
            _ => voice.status(here),
        };
        let waiting = self.need.map(|_| self.address.waiting());
        let refresh = waiting.as_deref().map(|address| (address, if busy { 5 } else { 0 }));
        let title = format!("{} – {status}", self.name());
        let options = here.options();
        let body = html! {
            @if let Some(waiting) = &waiting {
                @let trigger = match (busy, watched) {
                    (true, _) => "load delay:3s",
                    (false, true) => "load delay:600ms",
                    (false, false) => "load",
                };
                div id="waiting" hx-get=(waiting) hx-trigger=(trigger) hx-target="#page"
                    hx-select="#page" hx-swap="outerHTML" hx-replace-url="true" {}
            }
            // What links would have to repeat: many moves are steps of this form.
            form id="here" action="/play" method="get" {
                @for (name, value) in self.address.fields() {
                    @if name != "at" { input type="hidden" name=(name) value=(value); }
                }
            }
            div.table {
                section.play aria-label="Board" {
                    h1 { (self.name()) small { (self.parameters()) } }
                    (self.status(&status, busy))
                    @if here.choose_by_preview() && here.outcome().is_none() { (self.choose_by_preview(&options)) }
                    (self.board(&options))
                    (self.controls())
                    (self.choices(&options))
                }
                div.side {
                    @if self.address.hints { (self.value()) }
                    (self.played())
                    (self.texts())
                    (self.new_game())
                    (self.about())
                }
            }
        };
        frame(&title, refresh, &body)
    }

    /// The name that people call the game by.
    fn name(&self) -> &'static str {
        self.desk.registry.called(&self.game.specification()).unwrap_or(self.game.about().name)
    }

    /// The game's parameters as its name has them.
    fn parameters(&self) -> String {
        let all = self.game.specification();
        let all = all.split_once('(').map_or("", |(_, all)| all.trim_end_matches(')'));
        all.replace(',', ", ").replace('=', " ")
    }

    fn status(&self, status: &str, busy: bool) -> Markup {
        let here = &*self.record.here;
        let queue = self.desk.queue();
        let over = here.outcome().is_some();
        html! {
            p.status.over[over] id="status" role="status" {
                @if !over && self.need != Some(Need::Move) {
                    span.dot.first[here.turn() == Side::First].second[here.turn() == Side::Second] {}
                }
                (status)
                @if !self.address.clicks.is_empty() { ": choose where" }
                @if self.at_end() && self.address.guesses.last().is_some_and(|at| at + 1 == self.address.at) {
                    small { "The computer could not prove its last move in the time to think." }
                }
                @if self.need.is_some() {
                    @if self.need != Some(Need::Move) { small { "Working out values…" } }
                    @if busy { small { "too many are waiting; this is tried again" } }
                    @else if queue > 0 { small { (queue) " in the queue" } }
                    a.button id="stop" href=(Address { stop: true, ..self.address.clone() }.link()) {
                        "Stop"
                    }
                } @else if self.address.stop && !over {
                    a.button href=(self.address.seen_at(self.address.at).link()) { "Go on" }
                }
            }
        }
    }

    /// Whether the last position of the game is shown.
    pub fn at_end(&self) -> bool {
        self.address.at == self.address.moves.len()
    }

    fn controls(&self) -> Markup {
        let address = &self.address;
        let (at, last) = (address.at, address.moves.len());
        let undo = self.undo();
        let step = |id: &str, label: &str, sign: &str, to: Option<usize>| {
            html! {
                @match to {
                    Some(to) => {
                        a.button id=(id) href=(address.seen_at(to).link()) aria-label=(label)
                            title=(label) { (sign) }
                    }
                    None => span.button.off aria-hidden="true" { (sign) }
                }
            }
        };
        html! {
            div.controls role="toolbar" aria-label="Game" {
                (step("to-start", "To the start", "«", (at > 0).then_some(0)))
                (step("back", "A move back", "‹", at.checked_sub(1)))
                (step("forward", "A move forward", "›", (at < last).then_some(at + 1)))
                (step("to-end", "To the end", "»", (at < last).then_some(last)))
                @match undo {
                    Some(to) => a.button id="undo" href=(address.back_to(to).link()) { "Undo" kbd { "u" } },
                    None => span.button.off { "Undo" },
                }
                a.button.on[address.hints] id="hints" role="button"
                    aria-pressed=(if address.hints { "true" } else { "false" })
                    href=(Address { hints: !address.hints, stop: false, ..address.clone() }.link()) {
                    "Hints" kbd { "h" }
                }
                a.button id="new" href=(address.back_to(0).link()) { "New game" kbd { "n" } }
            }
        }
    }

    /// How many moves are left when a person takes theirs back.
    fn undo(&self) -> Option<usize> {
        let moves = self.address.at;
        let people = |at: &usize| self.address.player(self.record.plies[*at].turn).is_none();
        (0..moves).rev().find(people).or(moves.checked_sub(1))
    }

    /// The legal moves as links, and a field to type one.
    fn choices(&self, options: &[MoveOption]) -> Markup {
        let here = &*self.record.here;
        if here.outcome().is_some() || self.computer_moves() {
            return html! {};
        }
        let all = html! {
            ul.moves {
                @for option in options {
                    li { a.button href=(self.address.after(&option.mv).link()) {
                        (option.mv) (self.chip(&option.mv))
                    } }
                }
            }
        };
        // Where moves can be made on the board, the list is for those who would rather read.
        let hidden = options.iter().all(|option| !option.clicks.is_empty());
        html! {
            @if hidden { details.choices id="choices" { summary { (options.len()) " legal moves" } (all) } }
            @else { div.choices { (all) } }
            (self.field("mv", "Type a move", "Play", options.first().map_or("", |option| &option.mv)))
        }
    }

    /// A form with one field, which says what was wrong with what was typed.
    fn field(&self, name: &'static str, label: &str, verb: &str, example: &str) -> Markup {
        let refused = (self.refused.field == name).then_some(&self.refused);
        let text = refused.map_or("", |refused| refused.text.as_str());
        let problem = format!("{name}-problem");
        html! {
            form.field action="/play" method="get" {
                @for (name, value) in self.address.fields() {
                    input type="hidden" name=(name) value=(value);
                }
                label for={ "field-" (name) } { (label) }
                input id={ "field-" (name) } name=(name) value=(text) placeholder=(example)
                    maxlength=(LONGEST) autocomplete="off" spellcheck="false"
                    aria-invalid=[refused.map(|_| "true")]
                    aria-describedby=[refused.map(|_| &problem)];
                button { (verb) }
                @if let Some(refused) = refused {
                    p.error id=(problem) role="alert" { (refused.why) }
                }
            }
        }
    }

    /// What the position is worth, and what every move is.
    fn value(&self) -> Markup {
        let here = &*self.record.here;
        let Some(answer) = self.answer() else {
            return html! {
                section.card.value aria-label="Value" {
                    h2 { "Value" }
                    @if here.outcome().is_some() { p { "The game is over." } }
                    @else { p { "Not known yet." } }
                }
            };
        };
        let voice = self.voice();
        let report = answer.shown();
        let depth = answer.opinion.as_ref().map(|(depth, _)| *depth);
        let headline = voice.headline(&answer.report, here.turn(), None);
        let opinion =
            answer.opinion.as_ref().and_then(|(_, seen)| voice.headline(seen, here.turn(), depth));
        let mut moves: Vec<_> = report.moves.iter().collect();
        moves.sort_by_key(|each| preference(&each.result, report.without_end));
        html! {
            section.card.value aria-label="Value" {
                h2 { "Value" }
                @if let Some(opinion) = opinion {
                    p.headline { (opinion) }
                    p.dim { "It could not be proven in the time to think." }
                    @if let Some([low, high]) = answer.report.bounds {
                        p.dim { "Proven is a value from " (signed(low)) " to " (signed(high)) "." }
                    }
                } @else if let Some(headline) = headline {
                    p.headline { (headline) }
                } @else if answer.report.halted.is_some() && answer.report.value.is_none() {
                    p.dim { "Nothing more could be found in the time to think." }
                }
                div.scroll tabindex="0" role="region" aria-label="Values of all moves" { table.values {
                    thead { tr { th { "move" } th { "worth" } th { "for the player to move" } } }
                    tbody {
                        @for each in &moves {
                            @let hint = self.hint(&each.result);
                            tr.best[report.best.contains(&each.mv)] {
                                td { a href=(self.address.after(&each.mv).link()) { (each.mv) } }
                                td { span class={ "chip " (hint.kind) } { (hint.sign) } }
                                td { (hint.words) }
                            }
                        }
                    }
                } }
                @if !report.line.is_empty() {
                    h3 { "Best line" }
                    p.line {
                        @for (at, mv) in report.line.iter().enumerate().take(60) {
                            button form="here" name="look" value=(report.line[..=at].join(" ")) {
                                (mv)
                            }
                            " "
                        }
                        @if report.line.len() > 60 { "…" }
                        @if report.endless { "and so on, round and round" }
                    }
                }
                p.dim { (how(report)) }
            }
        }
    }

    fn played(&self) -> Markup {
        let address = &self.address;
        if address.moves.is_empty() {
            return html! {};
        }
        let voice = self.voice();
        let chart = self.record.chart(voice, address).filter(|_| address.hints || address.review);
        let unknown = self.record.missing().is_some();
        html! {
            section.card aria-label="Game so far" {
                h2 { "Game" }
                (self.record.list(voice, address))
                @if let Some(chart) = chart { (chart) }
                @if unknown && !address.review {
                    p { a.button id="review"
                        href=(Address { review: true, hints: true, stop: false, ..address.clone() }.link()) {
                        "Analyse every move"
                    } }
                }
            }
        }
    }

    /// Fields for positions and lists of moves.
    fn texts(&self) -> Markup {
        let open = matches!(self.refused.field, "set" | "line");
        let about = self.game.about();
        let position = self.record.here.position();
        html! {
            details.card id="texts" open[open] {
                summary { "Position and moves as text" }
                p { code.position { (if position.is_empty() { "the start" } else { &position }) } }
                (self.field("set", "Set up a position", "Set up", &position))
                @if !about.position_notation.is_empty() { p.dim { (about.position_notation) } }
                (self.field("line", "Play a list of moves", "Play", &self.address.moves.join(" ")))
                @if !about.move_notation.is_empty() { p.dim { "A move is " (about.move_notation) } }
            }
        }
    }

    fn new_game(&self) -> Markup {
        html! {
            details.card id="settings" {
                summary { "Players and rules of the game" }
                (form::new_game(self.game.about(), &self.game.specification(), self.game.sides(), &self.address, &[]))
            }
        }
    }

    fn about(&self) -> Markup {
        let about = self.game.about();
        html! {
            details.card id="about" {
                summary { "How it is played" }
                @if !about.rules.is_empty() { p { (about.rules) } }
                @if !about.known.is_empty() { h3 { "What is known" } p { (about.known) } }
            }
            @if self.desk.table(&*self.game).is_some() {
                @let game = form_urlencoded::byte_serialize(self.address.game.as_bytes());
                p { a href={ "/table?game=" (game.collect::<String>()) } {
                    "All positions of this game, counted"
                } }
            }
            p { a href=(self.address.tree()) { "The game tree from here, and what pruning leaves out" } }
        }
    }
}

/// How a report was found.
fn how(report: &Report) -> String {
    let positions = foregone::control::counted(report.nodes, "position", "positions");
    let seconds = report.seconds;
    format!("By {}: {positions} in {seconds:.2} s", report.method)
}
