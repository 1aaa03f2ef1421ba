//! The form to begin a game. It is made from the parameters in the registry, so a new game needs nothing here.

use std::collections::HashMap;

use foregone::family::written_specification;
use foregone::{
    Registry, Side,
    family::{Facts, Setting, Valid},
};
use maud::{Markup, html};

use super::frame::{Reply, frame, with_code, wrong};
use crate::address::{Address, DEEPEST};
use crate::players::Who;
use crate::words::{capital, full_name, no_parameter};

/// The prefix of a game's own parameters, which tells them from other fields.
pub const OWN: &str = "p.";

/// The names of the other fields of the form.
pub const NAMES: [&str; 5] = ["game", "first", "second", "depth", "hints"];

/// Begins the game that a form asks for.
pub fn begin(registry: &Registry, fields: &HashMap<String, String>) -> Reply {
    let text = |name: &str| fields.get(name).map_or("", String::as_str);
    let name = text("game");
    let about = match registry.game(name) {
        Ok(game) => game.about().clone(),
        Err(error) => {
            let why = error.to_string();
            return Reply::Wrong(wrong("There is no such game", &why, None));
        }
    };
    let own: Vec<_> =
        about.parameters.iter().map(|parameter| format!("{OWN}{}", parameter.name)).collect();
    let unknown = |name: &&String| name.starts_with(OWN) && !own.contains(name);
    if let Some(name) = fields.keys().filter(unknown).min() {
        let why = no_parameter(name, &about.name, &own);
        return Reply::Wrong(wrong("This address cannot be read", &why, None));
    }
    let mut errors = Vec::new();
    let mut address = Address::new(&about.name);
    for (at, name) in ["first", "second"].into_iter().enumerate() {
        match Who::parse(text(name)) {
            _ if text(name).is_empty() => {}
            Ok(who) => address.players[at] = who,
            Err(why) => errors.push((name, why)),
        }
    }
    match text("depth").parse() {
        _ if text("depth").is_empty() => {}
        Ok(depth) if (1..=DEEPEST).contains(&depth) => address.depth = depth,
        _ => errors.push(("depth", format!("expected a number from 1 to {DEEPEST}"))),
    }
    address.hints = text("hints") == "on";
    let given = about
        .parameters
        .iter()
        .zip(&own)
        .map(|(parameter, field)| (&parameter.name[..], text(field)));
    let given: Vec<_> = given.filter(|(_, value)| !value.is_empty()).collect();
    let specification = written_specification(&about.name, &given);
    match registry.game(&specification) {
        Ok(game) if errors.is_empty() => {
            address.game = game.specification();
            return Reply::Go(address.link());
        }
        Ok(_) => {}
        Err(error) => {
            // The error is shown beside the field with the wrong text, or above the form.
            let wrong = |parameter: &&Setting| {
                let name = &parameter.name;
                let value = text(&format!("{OWN}{name}"));
                error.found == format!("{name}={value}")
                    || !value.is_empty() && error.found == value
            };
            let field = about.parameters.iter().find(wrong).map_or("", |parameter| &parameter.name);
            errors.push((field, error.to_string()));
        }
    }
    let sides = registry.game(&about.name);
    let sides = sides.as_ref().map_or(["first", "second"], |game| game.sides());
    let form = new_game(&about, &specification, sides, &address, &errors);
    let body = html! { div.notice { h1 { (about.title) } (form) } };
    Reply::Wrong(frame(&about.title, None, &body))
}

/// The form that begins a game of a family, filled in with one of them.
pub fn new_game(
    about: &Facts,
    specification: &str,
    sides: [&str; 2],
    address: &Address,
    errors: &[(&str, String)],
) -> Markup {
    let inside = specification.split_once('(').map_or("", |(_, rest)| rest.trim_end_matches(')'));
    let value = |name: &str| {
        let given = inside.split(',').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        given.unwrap_or("").to_owned()
    };
    let error = |name: &str| errors.iter().find(|(field, _)| *field == name).map(|(_, why)| why);
    let problem = |name: &str| {
        html! { @if let Some(why) = error(name) { p.error role="alert" { (with_code(&capital(why))) } } }
    };
    html! {
        form.settings action="new.html" method="get" {
            input type="hidden" name="game" value=(about.name);
            @for (at, side) in Side::BOTH.into_iter().enumerate() {
                @let name = ["first", "second"][at];
                label {
                    span { (capital(&full_name(sides[side.index()]).1)) @if at == 0 { " (starts)" } }
                    select name=(name) id={ "set-" (name) } {
                        @for (who_name, who, what) in Who::ALL {
                            option value=(who_name) selected[address.players[at] == who] { (what) }
                        }
                    }
                }
                (problem(name))
            }
            details open[error("depth").is_some()] {
                summary { "Advanced" }
                label {
                    span title="plies" { "Moves that alpha-beta and minimax look ahead" }
                    input id="set-depth" type="number" name="depth" min="1" max=(DEEPEST) value=(address.depth);
                }
                (problem("depth"))
            }
            @for parameter in &about.parameters {
                label {
                    span { (capital(&parameter.name.replace('_', " "))) small { (parameter.meaning) } }
                    (input(parameter, &value(&parameter.name)))
                }
                (problem(&parameter.name))
            }
            (problem(""))
            label.check {
                input id="set-hints" type="checkbox" name="hints" value="on" checked[address.hints];
                span { "Show what moves are worth" }
            }
            button { "Begin" }
        }
    }
}

fn input(parameter: &Setting, value: &str) -> Markup {
    let name = format!("{OWN}{}", parameter.name);
    let chosen = if value.is_empty() { &parameter.default } else { value };
    html! {
        @match &parameter.valid {
            Valid::Number { min, max, step } => {
                input id={ "set-" (name) } type="number" name=(name) min=(min) max=(max) step=(step) value=(chosen);
            }
            Valid::Choice(words) => {
                select id={ "set-" (name) } name=(name) {
                    @for word in words { option selected[word == chosen] { (word) } }
                }
            }
            Valid::Flag => {
                select id={ "set-" (name) } name=(name) {
                    @for word in ["false", "true"] { option selected[word == chosen] { (word) } }
                }
            }
            Valid::Text(valid) => {
                input id={ "set-" (name) } name=(name) value=(chosen) title=(valid) maxlength="200" autocomplete="off";
            }
        }
    }
}
