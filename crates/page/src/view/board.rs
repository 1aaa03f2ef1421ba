//! The board of a page: its places and links, the values of moves, and the last move.

use std::collections::BTreeSet;

use foregone::any::MoveOption;
use foregone::any::report::MoveReport;
use foregone::{
    Report, Session, Value,
    game::Verdict,
    show::{Area, Ink, Scene, Shape},
};
use maud::{Markup, html};

use super::clicks::{fitting, is_whole};
use super::page::{Need, Page};
use super::record::result_words;
use crate::address::Address;
use crate::draw::svg::{self, Hint, Overlay};
use crate::words::{by_preference, percent, signed};

/// The most moves that are shown as the boards that they lead to.
const MAX_PREVIEWS: usize = 16;

/// What clicks on a board lead to.
pub struct Clicking<'c> {
    /// The moves that a person may make; none if nobody may.
    pub options: &'c [MoveOption],
    /// The places that are picked.
    pub picked: &'c [usize],
    /// The address after a move.
    pub after: &'c dyn Fn(&str) -> String,
    /// The address with these places picked.
    pub picking: &'c dyn Fn(Vec<usize>) -> String,
}

impl Clicking<'_> {
    /// The overlay of every place of the board. `hint` says what the best of some moves is worth.
    pub fn overlays(
        &self,
        scene: &Scene,
        hint: impl Fn(&[&MoveOption]) -> Option<Hint>,
    ) -> Vec<Overlay> {
        let mut by_place: Vec<Vec<&MoveOption>> = vec![Vec::new(); scene.places.len()];
        for option in self.options {
            for place in option.clicks.iter().collect::<BTreeSet<_>>() {
                by_place[*place].push(option);
            }
        }
        let overlay = |place: usize| {
            let picked = self.picked.contains(&place);
            let mut overlay = Overlay { picked, ..Overlay::default() };
            let mut clicks = [self.picked, &[place]].concat();
            let mut found = fitting(&by_place[place], &clicks);
            // A move may come back to a place that it began with.
            let goes_on = |option: &&MoveOption| option.clicks.starts_with(&clicks);
            if picked && (found.is_empty() || !found.iter().all(goes_on)) {
                let others = self.picked.iter().copied().filter(|each| *each != place);
                overlay.link = Some(((self.picking)(others.collect()), "picked".to_owned()));
                return overlay;
            }
            if found.is_empty() {
                // Another beginning instead of the one that is picked.
                clicks = vec![place];
                found = fitting(&by_place[place], &clicks);
            }
            let whole = match found[..] {
                [] => return overlay,
                [option] if is_whole(option, &clicks) => Some(option),
                _ => None,
            };
            // Where moves of several stones end, a mark would not say whose it is.
            let begins = |option: &&MoveOption| option.clicks.starts_with(&clicks);
            overlay.hint =
                if whole.is_some() || found.iter().any(begins) { hint(&found) } else { None };
            overlay.next = clicks.len() > 1;
            overlay.legal = whole.is_some() && !overlay.next;
            overlay.link = Some(match whole {
                Some(option) => {
                    let end = option.destination.and_then(|place| scene.places.get(place));
                    let end = end.map(|place| place.name.split(':').next().unwrap_or_default());
                    let end = end.map_or(String::new(), |name| format!(", ends at {name}"));
                    ((self.after)(&option.mv), format!("play {}{end}", option.mv))
                }
                None => ((self.picking)(clicks), "pick".to_owned()),
            });
            overlay.destination = whole
                .and_then(|option| option.destination)
                .and_then(|destination| scene.places.get(destination))
                .map(|place| place.spot);
            overlay
        };
        (0..scene.places.len()).map(overlay).collect()
    }
}

impl Page<'_> {
    /// The overlay of every place of the board.
    fn overlays(&self, scene: &Scene, options: &[MoveOption]) -> Vec<Overlay> {
        let address = &self.address;
        let open = self.need != Some(Need::Move);
        let turn = self.record.here.turn();
        let person = open && (address.player(turn).is_none() || address.stop || !self.at_end());
        let clicking = Clicking {
            options: if person { options } else { &[] },
            picked: &address.clicks,
            after: &|mv| address.after(mv).link(),
            picking: &|clicks| Address { clicks, ..address.clone() }.link(),
        };
        let results = self.answer();
        let order = results.map(by_preference);
        clicking.overlays(scene, |fitting| {
            let report = results?;
            let known = fitting.iter().filter_map(|option| find(report, &option.mv));
            let best = known.min_by(order.as_ref()?);
            best.map(|each| self.hint(each))
        })
    }

    /// Where the last move was made.
    fn last_spots(&self) -> Vec<Area> {
        let Some(before) = self.address.at.checked_sub(1) else { return Vec::new() };
        let mut session = self.record.here.fork();
        if !session.undo() {
            return Vec::new();
        }
        let mv = &self.address.moves[before];
        let options = session.options();
        let Some(option) = options.into_iter().find(|option| option.mv == *mv) else {
            return Vec::new();
        };
        // The position before the move shows where it was made.
        let places = session.scene().places;
        let all = option.clicks.into_iter().chain(option.destination);
        all.filter_map(|place| Some(places.get(place)?.spot)).collect()
    }

    /// A scene in which what a move has made belongs to who made it.
    fn owned(&self, mut scene: Scene) -> Scene {
        let mut session = self.record.here.fork();
        let is_made = |shape: &Shape| matches!(shape, Shape::Plate(_, _, Ink::Made));
        while scene.shapes.iter().any(is_made) && session.undo() {
            let before = session.scene().shapes;
            for shape in scene.shapes.iter_mut().filter(|shape| !before.contains(shape)) {
                if let Shape::Plate(_, _, ink @ Ink::Made) = shape {
                    *ink = Ink::Of(session.turn());
                }
            }
        }
        scene
    }

    pub(super) fn board(&self, options: &[MoveOption]) -> Markup {
        let scene = self.owned(self.record.here.scene());
        let overlays = self.overlays(&scene, options);
        let title = format!("Board: {}", self.record.here.position());
        svg::board(&scene, &title, &overlays, &self.last_spots())
    }

    /// Moves as the positions that they lead to.
    pub(super) fn previews(&self, options: &[&MoveOption]) -> Markup {
        html! {
            div.outlook {
                @for (option, scene) in self.after_each(options) {
                    a.card href=(self.address.after(&option.mv).link()) {
                        @let names: Vec<_> = scene.places.iter().map(|place| place.name.as_str()).collect();
                        (svg::still(&scene, &names.join("; ")))
                        span { (option.mv) (self.chip(&option.mv)) }
                    }
                }
            }
        }
    }

    /// Whether pictures tell some moves apart that clicks do not, such as which piece to hand over.
    pub(super) fn are_told_by_pictures(&self, options: &[&MoveOption]) -> bool {
        let clicks = &self.address.clicks;
        if !(2..=MAX_PREVIEWS).contains(&options.len())
            || !options.iter().all(|option| is_whole(option, clicks))
        {
            return false;
        }
        let pictures = self.after_each(options).map(|(_, scene)| svg::shapes(&scene).into_string());
        pictures.collect::<BTreeSet<_>>().len() == options.len()
    }

    /// Moves with the boards that they lead to.
    fn after_each<'o>(
        &self,
        options: &[&'o MoveOption],
    ) -> impl Iterator<Item = (&'o MoveOption, Scene)> {
        options.iter().filter_map(|option| {
            let mut next = self.record.here.fork();
            next.play(&option.mv).ok().map(|()| (*option, next.scene()))
        })
    }

    /// What a move is worth, beside its name.
    pub(super) fn chip(&self, mv: &str) -> Markup {
        let found = self.answer().and_then(|report| find(report, mv));
        html! {
            @if let Some(each) = found {
                @let hint = self.hint(each);
                " " span class={ "chip " (hint.kind) } title=(hint.words) { (hint.sign) }
            }
        }
    }

    pub(super) fn hint(&self, each: &MoveReport) -> Hint {
        let are_told = self.answer().is_some_and(|report| report.chance().is_some());
        hint(each, self.game.unit(), are_told)
    }
}

/// A board with what each move is worth, as a picture for a file.
pub fn valued(session: &dyn Session, report: &Report) -> String {
    let (scene, options) = (session.scene(), session.options());
    let nowhere = |_: &str| String::new();
    let clicking =
        Clicking { options: &options, picked: &[], after: &nowhere, picking: &|_| String::new() };
    let order = by_preference(report);
    let overlays = clicking.overlays(&scene, |fitting| {
        let known = fitting.iter().filter_map(|option| find(report, &option.mv));
        let best = known.min_by(&order);
        best.map(|each| hint(each, &report.unit, report.chance().is_some()))
    });
    svg::valued(&scene, &report.position, &overlays)
}

/// What a move is worth, as a mark; by its chance, if chances are told.
fn hint(each: &MoveReport, unit: &str, are_told: bool) -> Hint {
    let result = &each.result;
    let chance = each.chance.filter(|_| are_told && result.result.is_none());
    let verdict = Value(result.value).verdict();
    let (kind, letter) = match (result.result.is_some(), verdict) {
        (false, _) => ("guess", "≈"),
        (true, Verdict::Win) => ("win", "W"),
        (true, Verdict::Draw) => ("draw", "D"),
        (true, Verdict::Loss) => ("loss", "L"),
    };
    let sign = match (unit, result.distance) {
        _ if kind == "guess" => match chance {
            Some(chance) => percent(chance),
            None => format!("≈{}", signed(result.value)),
        },
        ("result", Some(plies)) => format!("{letter}{plies}"),
        ("result", None) if result.endless => format!("{letter}∞"),
        ("result", None) => letter.to_owned(),
        _ => signed(result.value),
    };
    let words = match chance {
        Some(chance) => format!("a chance of {}", percent(chance)),
        None => result_words(result, unit),
    };
    Hint { kind, sign, words }
}

/// What the signs of moves mean: one of each kind that is there. Percentages have a sentence of their own.
pub(super) fn legend(hints: impl Iterator<Item = Hint>) -> String {
    let mut seen = BTreeSet::new();
    let mut words: Vec<String> = Vec::new();
    for Hint { sign, words: meaning, .. } in hints.filter(|hint| !hint.sign.ends_with('%')) {
        if seen.insert(sign.chars().next()) {
            words.push(format!("{sign}: {meaning}"));
        }
    }
    words.join("; ")
}

fn find<'r>(report: &'r Report, mv: &str) -> Option<&'r MoveReport> {
    report.moves.iter().find(|each| each.mv == mv)
}
