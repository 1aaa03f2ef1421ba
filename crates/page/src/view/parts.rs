//! The parts of the page of a game, from top to bottom.

use foregone::any::MoveOption;
use foregone::control::counted;
use foregone::family::{Setting, Valid};
use foregone::{Report, Side};
use maud::{Markup, html};

use super::board::legend;
use super::clicks::{fitting, is_whole};
use super::frame::{frame, with_code};
use super::page::{Need, Page};
use super::{editor, form, progress, strip};
use crate::address::{Address, LONGEST, query};
use crate::players::Who;
use crate::route::Queue;
use crate::words::{KEEPS, by_preference, capital, is_best_line};

/// The most moves that are listed.
const MAX_LISTED: usize = 500;

impl Page<'_> {
    /// The whole page.
    pub(super) fn render(&self, queue: Queue, watched: bool) -> Markup {
        let here = &*self.record.here;
        let voice = self.voice();
        let status = match self.need {
            Some(Need::Move) => "Thinking…".to_owned(),
            _ => voice.status(here) + self.verdict(),
        };
        let waiting = self.need.map(|_| self.address.waiting());
        let refresh = waiting.as_deref().map(|address| (address, if queue.full { 5 } else { 0 }));
        let title = format!("{} – {status}", self.name());
        let options = here.options();
        let body = html! {
            @if let Some(waiting) = &waiting {
                @let trigger = match (queue.full, watched) {
                    (true, _) => "load delay:3s",
                    (false, true) => "load delay:600ms",
                    (false, false) => "load",
                };
                div id="waiting" hx-get=(waiting) hx-trigger=(trigger) hx-target="#page"
                    hx-select="#page" hx-swap="outerHTML" hx-replace-url="true" {}
            }
            // What links would have to repeat: many moves are steps of this form.
            form id="here" action="play.html" method="get" {
                @for (name, value) in self.address.fields() {
                    @if name != "at" { input type="hidden" name=(name) value=(value); }
                }
            }
            div.table {
                section.play aria-label="Board" data-strip=(strip::link(&self.address)) {
                    h1 { (self.name()) small { (self.parameters()) } }
                    (self.opponents())
                    (self.status(&status))
                    (self.note(queue))
                    @if here.choose_by_preview() && here.outcome().is_none() {
                        p { "Choose what it becomes:" }
                        (self.previews(&options.iter().collect::<Vec<_>>()))
                    }
                    (self.board(&options))
                    (self.controls())
                    (self.choices(&options))
                }
                div.side {
                    @if self.address.hints { (self.value()) }
                    (self.proof())
                    (self.rules())
                    (self.played())
                    (self.texts())
                    (self.task())
                    (study())
                    (self.new_game())
                    (self.more())
                }
            }
        };
        frame(&title, refresh, &body)
    }

    /// The game's name for people.
    fn name(&self) -> &str {
        self.service.registry.title(&*self.game)
    }

    /// The parameters that are not as usual, in words: a flag says its name if it is set.
    fn parameters(&self) -> String {
        let all = self.game.specification();
        let all = all.split_once('(').map_or("", |(_, all)| all.trim_end_matches(')'));
        let usual = |pair: &&str| {
            // A number without a default is only given if it is not as others imply.
            let depends = |each: &Setting| {
                each.default.is_empty() && !matches!(each.valid, Valid::Number { .. })
            };
            let of = |each: &Setting| {
                let given = pair.split_once('=').filter(|(name, _)| *name == each.name);
                given.is_some_and(|(_, value)| depends(each) || value == each.default)
            };
            !self.game.about().parameters.iter().any(of)
        };
        let words = all.split(',').filter(usual).filter_map(|pair| match pair.split_once('=') {
            Some((_, "false")) => None,
            Some((name, "true")) => Some(name.to_owned()),
            _ => Some(pair.replace('=', " ")),
        });
        words.collect::<Vec<_>>().join(", ").replace('_', " ")
    }

    /// What the end of the game means to a person who plays alone; empty before it.
    fn verdict(&self) -> &'static str {
        let outcome = self.record.here.outcome();
        let value = outcome.zip(self.person()).map(|(outcome, side)| outcome.value_for(side).0);
        match value.map(i32::signum) {
            Some(1) => ": you won!",
            Some(-1) => ": you lost",
            _ => "",
        }
    }

    /// The side of the only person who plays.
    fn person(&self) -> Option<Side> {
        match self.address.players.map(|who| who == Who::Human) {
            [true, false] => Some(Side::First),
            [false, true] => Some(Side::Second),
            _ => None,
        }
    }

    fn status(&self, status: &str) -> Markup {
        let here = &*self.record.here;
        let over = here.outcome().is_some();
        html! {
            p.status.over[over] id="status" role="status" {
                @if !over && self.need != Some(Need::Move) {
                    span.dot.first[here.turn() == Side::First].second[here.turn() == Side::Second] {}
                }
                (status)
                @if !self.address.clicks.is_empty() {
                    (self.next_choice())
                    a.button id="unpick" href=(Address { clicks: Vec::new(), ..self.address.clone() }.link()) {
                        "Cancel" kbd { "Esc" }
                    }
                }
                @if self.need.is_some() {
                    a.button id="stop" href=(Address { stop: true, ..self.address.clone() }.link()) {
                        "Stop"
                    }
                } @else if self.address.stop && !over {
                    a.button href=(self.address.seen_at(self.address.at).link()) { "Go on" }
                } @else if over && !self.address.review && self.person().is_some() {
                    a.button id="mistakes" href=(self.analysed()) { "Find the mistakes" }
                }
            }
        }
    }

    /// What goes on, in a line that is always there, so that the board stands still.
    fn note(&self, queue: Queue) -> Markup {
        let guessed = self.address.guesses.last().is_some_and(|at| at + 1 == self.address.at);
        html! {
            div.note {
                @if let Some(need) = self.need {
                    @let at = match need { Need::Move => self.address.at, Need::Value(at) => at };
                    @if queue.full { "Too many questions are waiting. The page tries again. " }
                    @else if queue.waiting > 0 {
                        (counted(queue.waiting as u64, "question is", "questions are")) " before yours. "
                    }
                    @else if need != Need::Move { "Working out values… " }
                    div hx-get=(progress::link(&self.address.seen_at(at))) hx-trigger="every 500ms"
                        hx-select="#progress" { (progress::part(None)) }
                } @else {
                    @if self.at_end() && guessed {
                        span.mark title="The computer chose its last move without a proof: the time to think was over." {
                            "estimate"
                        }
                        " "
                    }
                    @if let Some(before) = self.record.came_before() {
                        "This position was on the board before, "
                        @if before == 0 { "at the start." } @else { "after " (counted(before as u64, "move", "moves")) "." }
                    }
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
                button.button type="button" id="sound" hidden aria-pressed="false" { "Sound" }
                a.button id="new" href=(address.back_to(0).link()) { "New game" kbd { "n" } }
            }
        }
    }

    /// What a person chooses after the places that were clicked.
    fn next_choice(&self) -> &'static str {
        let (options, clicks) = (self.record.here.options(), &self.address.clicks);
        let fitting = fitting(&options.iter().collect::<Vec<_>>(), clicks);
        if fitting.len() > 1 && fitting.iter().all(|option| is_whole(option, clicks)) {
            return ": choose a move below";
        }
        match fitting.iter().any(|option| option.clicks.starts_with(clicks)) {
            true => ": choose where",
            // The place was clicked to which a piece goes.
            false => ": choose from where",
        }
    }

    /// The number of moves after a person undoes one.
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
        let (all, clicks) = (options.iter().collect::<Vec<_>>(), &self.address.clicks);
        let fitting = fitting(&all, clicks);
        let list = html! {
            ul.moves {
                @for option in fitting.iter().take(MAX_LISTED) {
                    li { a.button href=(self.address.after(&option.mv).link()) {
                        (option.mv) (self.chip(&option.mv))
                    } }
                }
                @if let Some(more @ 1..) = fitting.len().checked_sub(MAX_LISTED) {
                    li { (more) " more: type the move" }
                }
            }
        };
        // Where moves can be made on the board, the list is for those who would rather read.
        let hidden = !fitting.iter().any(|option| is_whole(option, clicks));
        html! {
            @if hidden {
                details.choices id="choices" {
                    summary {
                        (counted(fitting.len() as u64, "legal move", "legal moves"))
                        @if !clicks.is_empty() { " from what is picked" }
                    }
                    (list)
                }
            } @else if !here.choose_by_preview() && self.are_told_by_pictures(&fitting) {
                div.choices { (self.previews(&fitting)) }
            } @else { div.choices { (list) } }
            (self.field("mv", "Type a move", "Play", options.first().map_or("", |option| &option.mv)))
        }
    }

    /// A form with one field, and the error of the text typed into it.
    fn field(&self, name: &'static str, label: &str, verb: &str, example: &str) -> Markup {
        let refused = (self.refused.field == name).then_some(&self.refused);
        // A position is changed more easily than written.
        let usual = if name == "set" { example } else { "" };
        let text = refused.map_or(usual, |refused| refused.text.as_str());
        let problem = format!("{name}-problem");
        html! {
            form.field action="play.html" method="get" {
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
                    p.error id=(problem) role="alert" { (with_code(&capital(&refused.why))) }
                }
            }
        }
    }

    /// The value of the position and of every move.
    fn value(&self) -> Markup {
        let here = &*self.record.here;
        let Some(report) = self.answer() else {
            return html! {
                section.card.value aria-label="Value" {
                    h2 { "Value" }
                    @if here.outcome().is_some() { p { "The game is over: " (self.voice().status(here)) "." } }
                    @else { p { "Not known yet." } }
                }
            };
        };
        let voice = self.voice();
        let headline = voice.headline(report, here.turn(), report.lookahead);
        let legal = if here.outcome().is_some() { 0 } else { here.moves().len() };
        let settled = report.moves.iter().filter(|each| each.result.result.is_some()).count();
        let open = legal.saturating_sub(settled);
        let mut moves: Vec<_> = report.moves.iter().collect();
        moves.sort_by(by_preference(report));
        html! {
            section.card.value aria-label="Value" {
                h2 { "Value" }
                @if let Some(headline) = headline {
                    p.headline title="Moves of both sides are counted: plies." { (headline) }
                } @else if report.halted.is_some() && report.value.is_none() {
                    p.dim { "Nothing more could be found in the time to think." }
                }
                @if report.proven && open > 0 {
                    p.dim {
                        "The value is proven; " (counted(open as u64, "move", "moves"))
                        " could not be settled in the time to think."
                    }
                }
                @if report.chance().is_some() {
                    p.dim { "Percentages come from random games and prove nothing. A draw counts half a win." }
                }
                div.scroll tabindex="0" role="region" aria-label="Values of all moves" { table.values {
                    thead { tr { th { "move" } th { "worth" } th { "this move" } } }
                    tbody {
                        @for each in &moves {
                            @let hint = self.hint(each);
                            tr.best[report.preferred.contains(&each.mv)] {
                                td { a href=(self.address.after(&each.mv).link()) { (each.mv) } }
                                td { span class={ "chip " (hint.kind) } { (hint.sign) } }
                                td { (hint.words) }
                            }
                        }
                    }
                } }
                p.dim {
                    (legend(moves.iter().map(|each| self.hint(each))))
                    @if report.preferred.len() < report.best.len() { "; bold: what perfect play chooses" }
                }
                @if !report.line.is_empty() {
                    @let is_best = report.endless || is_best_line(&report.unit, report.value, report.distance);
                    h3 { (if is_best { "Best line" } else { KEEPS }) }
                    p.line {
                        @for (at, mv) in report.line.iter().enumerate().take(60) {
                            button form="here" name="look" value=(report.line[..=at].join(" ")) {
                                (mv)
                            }
                            " "
                        }
                        // Books and tables of some moves end before the game does.
                        @if report.goes_on || report.line.len() > 60 { "…" }
                        @if report.endless { "and so on, round and round" }
                    }
                }
                p.dim { (how(report)) }
            }
        }
    }

    /// The address of this game with what every move was worth.
    fn analysed(&self) -> String {
        Address { review: true, hints: true, stop: false, ..self.address.clone() }.link()
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
                        href=(self.analysed()) {
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
                summary { "Set up a position, or play a list of moves" }
                p { code.position { (if position.is_empty() { "the start" } else { &position }) } }
                p { button id="setup" type="button" hidden data-sides=(self.game.sides().join(" ")) { "Set up on the board" } }
                div id="tray" {}
                (self.field("set", "Set up a position", "Set up", &position))
                @if !about.position_notation.is_empty() { p.dim { (with_code(&about.position_notation)) } }
                (self.field("line", "Play a list of moves", "Play", &self.address.moves.join(" ")))
                @if !about.move_notation.is_empty() {
                    p.dim {
                        "A move is " (with_code(&about.move_notation))
                        @if let Some(mv) = self.record.here.moves().first() { ", here for example " code { (mv) } }
                    }
                }
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

    /// The rules, open at the start of a game. The script closes them for those who have seen them before.
    fn rules(&self) -> Markup {
        let about = self.game.about();
        let fresh = self.address.moves.is_empty() && self.address.position.is_none();
        html! {
            details.card id="about" open[fresh] data-game=(about.name) {
                summary { "How it is played" }
                @for part in about.rules.split("\n\n") { p { (part) } }
                @if !about.known.is_empty() { h2 { "What is known" } p { (about.known.replace(" plies", " moves")) } }
            }
        }
    }

    /// Where else to look at this game.
    fn more(&self) -> Markup {
        html! {
            @if self.service.table(&*self.game).is_some() {
                p { a href={ "table.html?" (query([("game", &self.address.game)])) } {
                    "All positions of this game, counted"
                } }
            }
            // A browser alone has no surveys.
            @if cfg!(not(target_family = "wasm")) {
                p { a href={ "report.html?" (query([("game", &self.address.game)])) } { "What this game is like: its length, its decisions, how fair it is" } }
            }
            @if self.game.id().rules.is_some() {
                p { a href=(editor::link(&self.game.about().name)) { "The rules as text, to change them" } }
            }
            p { a href=(self.address.tree()) { "The game tree from here, and what pruning leaves out" } }
            @if self.service.api {
                p { "For programs: " a href={ "api/v1/solve?" (self.address.place()) } hx-boost="false" { "this position as JSON" } ", "
                    a href="api/v1/" hx-boost="false" { "the API" } }
            }
        }
    }
}

/// What a reader keeps of a game. The script shows it, since without it there is nothing.
fn study() -> Markup {
    html! {
        details.card id="study" hidden {
            summary { "Notes, saved games and copies" }
            label for="note" { "A note on this position" }
            textarea id="note" rows="3" maxlength="4000" {}
            div.controls {
                button.button type="button" id="copy-link" { "Copy link" }
                button.button type="button" id="copy-moves" { "Copy moves" }
                button.button type="button" id="copy-position" { "Copy position" }
                button.button type="button" id="copy-svg" { "Copy as SVG" }
                button.button type="button" id="copy-image" { "Copy as image" }
                button.button type="button" id="save-image" { "Save as image" }
            }
            form.field id="save" {
                label for="save-name" { "Keep this game in this browser, with its notes" }
                input id="save-name" maxlength="100" placeholder="Its name" autocomplete="off";
                button { "Save" }
            }
            ul.saved id="saved" {}
            div.controls {
                button.button type="button" id="export" { "Saved games to a file" }
                label.button for="import" { "Games or moves from a file" input type="file" id="import" accept="application/json,.json,text/plain,.txt"; }
            }
            p id="study-told" role="status" {}
        }
    }
}

/// The method and the work of a report.
fn how(report: &Report) -> String {
    let positions = foregone::control::counted(report.nodes, "position", "positions");
    let seconds = report.seconds;
    if report.chance().is_some() {
        return format!("By random games, after {seconds:.1} s without a proof");
    }
    let source = report.source.as_deref().unwrap_or_default();
    let how = match (source, &report.method[..]) {
        ("before", _) => return "Solved before.".to_owned(),
        ("table" | "book", method) if method == source => return format!("From the {source}."),
        ("", "strong") => "By solving all positions".to_owned(),
        ("", "proof") => "By proof numbers".to_owned(),
        ("", method) => format!("By {method}"),
        _ => format!("From the {source}, the other moves by search"),
    };
    let seconds =
        if seconds < 0.01 { "less than 0.01".to_owned() } else { format!("{seconds:.2}") };
    format!("{how}: {positions} in {seconds} s")
}
