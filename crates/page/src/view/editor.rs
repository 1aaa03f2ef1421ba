//! A game of one's own: its rules as text, what is wrong with them, and how it begins. The address
//! holds the text, compressed.

use std::sync::LazyLock;

use foregone::any::{name_of_rules, rules_of_name};
use foregone::text::{LONGEST, Loaded, PREFIX, Problem, Problems, SHIPPED, Span, Text, shipped};
use foregone::{AnyGame, Invalid, text_game};
use maud::{Markup, html};
use serde::Deserialize;

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, query};
use crate::assets::{GRAMMAR, LANGUAGE};
use crate::draw::svg;
use crate::words::{Voice, derived};

/// The fields of the address.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    /// A game with rules as text: by its name, or by a name that holds them.
    game: String,
    /// The rules, as they are typed.
    text: Option<String>,
}

/// The names of the fields.
pub const NAMES: [&str; 2] = ["game", "text"];

/// The text that an editor without one begins with.
const BEGIN: &str = "tic-tac-toe";

/// The most moves that are listed.
const MAX_MOVES: usize = 24;

/// The texts that come with the program, by name, and their titles.
static TITLES: LazyLock<Vec<(&str, String)>> = LazyLock::new(|| {
    let title =
        |source| Text::parse(source).map_or_else(|_| String::new(), |text| text.title().to_owned());
    SHIPPED.iter().map(|text| (text.name, title(text.source))).collect()
});

/// The address of the editor with the rules of a game.
pub fn link(name: &str) -> String {
    format!("rules.html?{}", query([("game", name)]))
}

/// The editor.
pub fn show(fields: &Fields) -> Reply {
    if let Some(text) = &fields.text {
        // Forms send line ends as two characters.
        return Reply::Go(link(&name_of_rules(&text.replace("\r\n", "\n"))));
    }
    let name = if fields.game.is_empty() { BEGIN } else { &fields.game };
    match game_and_source(name) {
        Ok((game, source)) => Reply::Page(page(&source, &game)),
        Err(error) => Reply::Wrong(wrong("These rules cannot be read", &error.to_string(), None)),
    }
}

/// The name of the game that a name means, and its rules: those that the name holds, or those of a
/// text that comes with the program.
fn game_and_source(name: &str) -> Result<(String, String), Invalid> {
    if let Some(source) = rules_of_name(name) {
        return source.map(|source| (name.to_owned(), source));
    }
    let found =
        shipped(name).map(|text| (format!("{PREFIX}{}", text.name), text.source.to_owned()));
    found.ok_or_else(|| {
        let names: Vec<_> = SHIPPED.iter().map(|text| text.name).collect();
        let near = foregone::any::did_you_mean(name.strip_prefix(PREFIX).unwrap_or(name), &names);
        Invalid::new(name, format!("the name of a game that is written as text{near}"))
    })
}

fn page(source: &str, name: &str) -> Markup {
    let title = "Your own game";
    let lines = source.lines().count().clamp(16, 40);
    let body = html! {
        div.editor {
            div {
                h1 { (title) }
                p {
                    "A game is a page of text. Change this one, or begin with another: the board and "
                    "any mistakes appear next to it. The address keeps what you write."
                }
                form action="rules.html" method="get" id="rules" hx-get="rules.html" hx-target="#preview"
                    hx-trigger="input delay:400ms, submit" hx-select="#preview" hx-swap="outerHTML"
                    hx-replace-url="true" hx-sync="this:replace" {
                    label for="text" { "The rules" }
                    div.sheet {
                        textarea id="text" name="text" rows=(lines) spellcheck="false" autocapitalize="off"
                            autocomplete="off" autocorrect="off" maxlength=(LONGEST) { (source) }
                    }
                    p id="help" data-grammar=(GRAMMAR) data-document=(LANGUAGE) {
                        "Put the cursor on a word to see what it means. "
                        a href=(LANGUAGE) target="_blank" { "One document" }
                        " explains the whole language."
                    }
                    button type="submit" { "Show" }
                }
                details.card id="begin" {
                    summary { "Begin with another game" }
                    ul.names {
                        @for (name, title) in TITLES.iter() {
                            li { a href=(link(name)) { (title) } }
                        }
                    }
                }
            }
            (preview(source, name))
        }
    };
    frame(title, None, &body)
}

/// What follows from the rules.
fn preview(source: &str, name: &str) -> Markup {
    html! {
        section id="preview" aria-live="polite" aria-label="What follows from the rules" {
            @match Text::parse(source).and_then(|text| text.load(&[]).map(|loaded| (text, loaded))) {
                Err(problems) => {
                    h2 { "Not yet a game" }
                    (wrong_lines(&problems, source))
                }
                Ok((text, loaded)) => (begins(&text, &loaded, source, name)),
            }
        }
    }
}

fn wrong_lines(problems: &Problems, source: &str) -> Markup {
    html! { ul.problems { @for problem in problems.iter() { (wrong_line(problem, source)) } } }
}

/// A problem, and the line that it is in with a mark under the place.
fn wrong_line(problem: &Problem, source: &str) -> Markup {
    let Span { line, column, length } = problem.span;
    let text = source.lines().nth(line).unwrap_or("");
    let place = |from: usize, count: usize| text.chars().skip(from).take(count).collect::<String>();
    html! {
        li {
            p { "Line " (line + 1) ": " (problem.message) }
            @if !text.trim().is_empty() {
                pre { (place(0, column)) mark { (place(column, length)) } (place(column + length, LONGEST_LINE)) }
            }
        }
    }
}

/// The most characters of a line that are shown after its mistake.
const LONGEST_LINE: usize = 60;

/// How the game begins.
fn begins(text: &Text, loaded: &Loaded, source: &str, name: &str) -> Markup {
    let game = match text_game(name, source, &[]) {
        Ok(game) => game,
        Err(error) => return html! { p.error { (error) } },
    };
    let session = match game.open(None, "") {
        Ok(session) => session,
        Err(error) => return html! { p.error { (error) } },
    };
    let moves = session.moves();
    let title = text.title();
    html! {
        h2 { (title) }
        div.board-preview { (svg::still(&session.scene(), &format!("The start of {title}"))) }
        p {
            @match session.outcome() {
                Some(_) => "The game is over before the first move. Is a number out of its range?",
                None => {
                    (Voice::on_page(&*game).name(session.turn())) " to move, with " (moves.len())
                    @if moves.len() == 1 { " move: " } @else { " moves: " }
                    @for (at, mv) in moves.iter().take(MAX_MOVES).enumerate() {
                        @if at > 0 { ", " }
                        code { (mv) }
                    }
                    @if moves.len() > MAX_MOVES { ", …" }
                }
            }
        }
        p.actions {
            a.button href=(Address::new(name).link()) { "Play" }
            " "
            a.button href=(Address { hints: true, ..Address::new(name) }.link()) { "What every move is worth" }
        }
        @if let Some(warnings) = text.warnings() {
            h3 { "No errors, but is it meant?" }
            (wrong_lines(&warnings, source))
        }
        ul.derived {
            @for line in derived(text, loaded, &[]).iter().filter(|line| !line.is_empty()) {
                li { (line) }
            }
        }
        (settings(&*game))
    }
}

fn settings(game: &dyn AnyGame) -> Markup {
    let parameters = &game.about().parameters;
    html! {
        @if !parameters.is_empty() {
            p.dim {
                "Shown with the usual "
                @for (at, parameter) in parameters.iter().filter(|each| !each.default.is_empty()).enumerate() {
                    @if at > 0 { ", " }
                    (parameter.name) " " (parameter.default)
                }
                "; on the page of the game others can be chosen."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_that_are_read_in_two_ways_are_shown() {
        let rules = "game Apart\nboard 3 1\npiece stone X\nstuck loses\nmove\n  choose at in empty - a1 & b1 | c1\n  put stone on at\n";
        let shown = preview(rules, &name_of_rules(rules)).into_string();
        assert!(shown.contains("is it meant?") && shown.contains("Line 6"), "{shown}");
        assert!(
            !preview(&rules.replace("- a1 & b1 | c1", "- a1"), "")
                .into_string()
                .contains("is it meant?")
        );
    }
}
