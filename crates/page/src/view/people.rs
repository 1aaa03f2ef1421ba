//! What people choose around the board: who plays, and what a class is asked.

use foregone::Side;
use maud::{Markup, html};

use super::page::Page;
use crate::address::Address;
use crate::lessons::TASK;
use crate::players::Who;
use crate::words::{capital, full_name};

/// The fields of an address that say who plays.
const FIELDS: [&str; 2] = ["first", "second"];

/// The opponents that a person chooses from; the form for a new game has more.
const OPPONENTS: [(Who, &str); 5] = [
    (Who::Easy, "Computer: easy"),
    (Who::Medium, "Computer: medium"),
    (Who::Hard, "Computer: hard"),
    (Who::Perfect, "Computer: perfect"),
    (Who::Human, "a friend"),
];

impl Page<'_> {
    /// Who plays: a choice for each side that the computer plays, or for the second of two people.
    pub(super) fn opponents(&self) -> Markup {
        let players = self.address.players;
        let is_person = players.map(|who| who == Who::Human);
        let alone = is_person != [true, true];
        let chosen = |side: Side| match is_person {
            [true, true] => side == Side::Second,
            _ => !is_person[side.index()],
        };
        let swapped = Address { players: [players[1], players[0]], ..self.address.clone() };
        html! {
            form.players id="players" action="play.html" method="get" {
                @for (name, value) in self.address.fields() {
                    @let is_chosen = Side::BOTH.iter().any(|side| chosen(*side) && name == FIELDS[side.index()]);
                    @if !is_chosen { input type="hidden" name=(name) value=(value); }
                }
                @for side in Side::BOTH {
                    @let who = players[side.index()];
                    span {
                        span.dot.first[side == Side::First].second[side == Side::Second] {}
                        " " (capital(&full_name(self.game.sides()[side.index()]).1)) ": "
                        @if chosen(side) {
                            select name=(FIELDS[side.index()]) aria-label={ "Who plays " (full_name(self.game.sides()[side.index()]).1) } {
                                @for (each, words) in OPPONENTS {
                                    option value=(each.name()) selected[each == who] { (words) }
                                }
                                @if !OPPONENTS.iter().any(|(each, _)| *each == who) {
                                    option value=(who.name()) selected { "Computer: " (who.name()) }
                                }
                            }
                        } @else if alone { b { "you" } } @else { b { "a person" } }
                    }
                }
                noscript { button { "Change" } }
                @if is_person[0] != is_person[1] {
                    a.button id="swap" href=(swapped.link()) { "Swap sides" }
                }
            }
        }
    }

    /// A form that makes a task of the position, for a class.
    pub(super) fn task(&self) -> Markup {
        let here = &*self.record.here;
        let position = self.address.position.clone().unwrap_or_default();
        let line = self.address.moves[..self.address.at].join(",");
        let hidden = [
            ("lesson", TASK),
            ("game", &self.address.game),
            ("position", &position),
            ("line", &line),
        ];
        html! {
            @if here.outcome().is_none() {
                details.card id="class" {
                    summary { "For teachers" }
                    form action="learn.html" method="get" {
                        @for (name, value) in hidden { input type="hidden" name=(name) value=(value); }
                        p { label { "Question" input name="ask" value="Which move is best?" maxlength="200"; } }
                        p { label { "Moves that are right. If you name none: those that hold the value, or lose last" input name="answer" autocomplete="off"; } }
                        button { "Make a task of this position" }
                    }
                    p.dim { "Its address is for the class: it shows the board and the question, and says whether a move is right." }
                    p { button id="projector" type="button" hidden { "Large, for a projector (Escape ends it)" } }
                }
            }
        }
    }
}
