//! Scenes as SVG: for the page, where style sheets colour them and places can be clicked, and for
//! files, which bring their colours along.

use foregone::{
    Side,
    show::{Area, Ink, Place, Scene, Shape},
};
use maud::{Markup, PreEscaped, html};

/// The side of a square, in units of the picture.
const SCALE: f32 = 100.0;

/// The colours of a picture in a file, by class.
const COLOURS: [(&str, &str); 13] = [
    ("board", "#d9cbb3"),
    ("square", "#fbf7ef"),
    ("dark", "#c9b595"),
    ("hollow", "#b39b78"),
    ("edge", "#6b5a43"),
    ("first", "#0b6fa4"),
    ("second", "#c4571a"),
    ("on-first", "#ffffff"),
    ("on-second", "#ffffff"),
    ("seed", "#3d3327"),
    ("made", "#b39b78"),
    ("label", "#5c5245"),
    ("mark", "#7a3fa0"),
];

/// What a page adds to a place of the board.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    /// The address after a click, and its effect in words.
    pub link: Option<(String, String)>,
    /// The value of the move that a click makes.
    pub hint: Option<Hint>,
    /// Whether a click there makes a move.
    pub legal: bool,
    /// Whether it is already clicked.
    pub picked: bool,
    /// Whether a click goes on with the move of the clicks so far.
    pub next: bool,
    /// The place where the move of the clicks ends.
    pub destination: Option<Area>,
}

/// The value of a move as a mark: a shape and a sign for each result.
#[derive(Clone, Debug)]
pub struct Hint {
    /// `win`, `draw`, `loss` or `guess`.
    pub kind: &'static str,
    pub sign: String,
    pub words: String,
}

fn class(ink: Ink) -> &'static str {
    match ink {
        Ink::Board => "board",
        Ink::Square => "square",
        Ink::Dark => "dark",
        Ink::Hollow => "hollow",
        Ink::Edge => "edge",
        Ink::Of(Side::First) => "first",
        Ink::Of(Side::Second) => "second",
        Ink::On(Side::First) => "on-first",
        Ink::On(Side::Second) => "on-second",
        Ink::Seed => "seed",
        Ink::Made => "made",
        Ink::Label => "label",
        Ink::Mark => "mark",
    }
}

/// A length as it is written: a tenth of a unit is finer than any screen.
fn length(value: f32) -> String {
    format!("{:.1}", value * SCALE).trim_end_matches(".0").to_owned()
}

pub(super) fn shape(shape: &Shape) -> Markup {
    let l = |value: &f32| length(*value);
    html! {
        @match shape {
            Shape::Plate(Area { x, y, width, height }, round, ink) => {
                rect class={ "f-" (class(*ink)) } x=(l(x)) y=(l(y)) width=(l(width))
                    height=(l(height)) rx=(l(round)) {}
            }
            Shape::Disc([x, y], radius, ink) => {
                circle class={ "f-" (class(*ink)) } cx=(l(x)) cy=(l(y)) r=(l(radius)) {}
            }
            Shape::Ring([x, y], radius, width, ink) => {
                circle class={ "s-" (class(*ink)) } cx=(l(x)) cy=(l(y)) r=(l(radius))
                    stroke-width=(l(width)) fill="none" {}
            }
            Shape::Line([x, y], [to_x, to_y], width, ink) => {
                line class={ "s-" (class(*ink)) } x1=(l(x)) y1=(l(y)) x2=(l(to_x)) y2=(l(to_y))
                    stroke-width=(l(width)) stroke-linecap="round" {}
            }
            Shape::Text([x, y], size, text, ink) => {
                text class={ "f-" (class(*ink)) } x=(l(x)) y=(l(&(y + size * 0.36)))
                    font-size=(l(size)) text-anchor="middle" { (text) }
            }
            Shape::Typed([x, y], size, text, ink) => {
                text class={ "typed f-" (class(*ink)) } x=(l(x)) y=(l(&(y + size * 0.3)))
                    font-size=(l(&(size * 0.8))) xml:space="preserve" { (text) }
            }
        }
    }
}

pub fn view_box(scene: &Scene) -> String {
    let margin = 0.06;
    let [left, width, height] =
        [-margin, scene.width + 2.0 * margin, scene.height + 2.0 * margin].map(length);
    format!("{left} {left} {width} {height}")
}

/// What a picture in a file needs to be read without the page.
pub(super) fn look() -> Markup {
    let colours = COLOURS
        .map(|(class, colour)| format!(".f-{class}{{fill:{colour}}}.s-{class}{{stroke:{colour}}}"));
    let fonts = "text{font-family:system-ui,sans-serif;font-weight:600}\
                 .typed{font-family:ui-monospace,monospace;font-weight:400}";
    html! { style { (fonts) (PreEscaped(colours.concat())) } }
}

/// A picture for a file, with its own colours.
pub fn file(scene: &Scene, title: &str) -> String {
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view_box(scene))
            width=(length(scene.width * 0.6)) height=(length(scene.height * 0.6)) role="img" {
            title { (title) }
            (look())
            @for each in &scene.shapes { (shape(each)) }
        }
    };
    picture.into_string() + "\n"
}

/// The colours of badges in a file.
const BADGES: &str = ".badge circle,.badge rect,.badge polygon{stroke:#fffdf8;stroke-width:2;stroke-linejoin:round}\
                      .badge text{fill:#fffdf8}.badge.win{fill:#1c6b3a}.badge.draw{fill:#5b5b6b}.badge.loss{fill:#a12a2a}\
                      .badge.guess{fill:#fffdf8}.badge.guess circle{stroke:#5c5245;stroke-dasharray:5 4}\
                      .badge.guess text{fill:#2b2722}";

/// A picture for a file, with what moves are worth on the places where they are made.
pub fn valued(scene: &Scene, title: &str, overlays: &[Overlay]) -> String {
    let hints = scene.places.iter().zip(overlays);
    let hints = hints.filter_map(|(place, overlay)| Some((place, overlay.hint.as_ref()?)));
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(view_box(scene))
            width=(length(scene.width * 0.6)) height=(length(scene.height * 0.6)) role="img" {
            title { (title) }
            (look())
            style { (BADGES) }
            @for each in &scene.shapes { (shape(each)) }
            @for (place, hint) in hints { (badge(hint, place)) }
        }
    };
    picture.into_string()
}

/// A small picture of a board, without the names of its squares and the lines of text below it.
pub fn thumbnail(scene: &Scene, title: &str) -> Markup {
    let top = |shape: &Shape| match shape {
        Shape::Typed([_, y], size, ..) => Some(y - size),
        _ => None,
    };
    let below = scene.shapes.iter().filter_map(top).fold(scene.height, f32::min);
    let board = Scene { width: scene.width, height: below, ..Scene::default() };
    html! {
        svg.still viewBox=(view_box(&board)) role="img" aria-label=(title) { (shapes(scene)) }
    }
}

/// The shapes of a small picture: without the names of squares and lines of text.
pub fn shapes(scene: &Scene) -> Markup {
    let is_text = |shape: &&Shape| {
        matches!(shape, Shape::Text(.., Ink::Label | Ink::Edge) | Shape::Typed(..))
    };
    html! { @for each in scene.shapes.iter().filter(|shape| !is_text(shape)) { (shape(each)) } }
}

/// A picture without links.
pub fn still(scene: &Scene, title: &str) -> Markup {
    html! {
        svg.still viewBox=(view_box(scene)) role="img" aria-label=(title) {
            @for each in &scene.shapes { (shape(each)) }
        }
    }
}

/// A board whose places can be pointed at and picked, one overlay for each place; the last move was
/// made where `played` says.
pub fn board(scene: &Scene, title: &str, overlays: &[Overlay], played: &[Area]) -> Markup {
    // Where anything that is free is a move, marks would say nothing.
    let is_free = |(place, overlay): (&Place, &Overlay)| !place.taken && overlay.link.is_none();
    let are_few = scene.places.iter().zip(overlays).any(is_free);
    let board = html! {
        svg.board viewBox=(view_box(scene)) role="group" aria-label=(title) {
            g aria-hidden="true" {
                @for each in &scene.shapes { (shape(each)) }
                @for spot in played { (outline("played", *spot)) }
            }
            @for (at, (place, overlay)) in scene.places.iter().zip(overlays).enumerate() {
                @let spot = place.spot;
                @if are_few && overlay.legal && overlay.hint.is_none() && !place.taken { (legal(spot)) }
                @if overlay.picked { (outline("picked", spot)) }
                @let words = overlay.hint.as_ref().map(|hint| format!(", {}", hint.words));
                @let words = words.unwrap_or_default();
                @match &overlay.link {
                    Some((href, what)) => {
                        a.place.next[overlay.next] id={ "place-" (at) } href=(href)
                            aria-label={ (place.name) ": " (what) (words) } {
                            title { (place.name) ": " (what) (words) }
                            (outline("touch", place.area))
                            @if let Some(area) = overlay.destination { (outline("lands", area)) }
                        }
                    }
                    None => {
                        g.place id={ "place-" (at) } tabindex="-1" role="img"
                            aria-label={ (place.name) @if overlay.picked { ", picked" } } {
                            (outline("touch", place.area))
                        }
                    }
                }
                @if let Some(hint) = &overlay.hint { (badge(hint, place)) }
            }
        }
    };
    // On a phone a long board stands upright.
    match scene.width > 2.0 * scene.height {
        true => html! { div.upright { (board) } },
        false => board,
    }
}

/// A dot where a click makes a move.
fn legal(spot: Area) -> Markup {
    let [x, y] = spot.middle().map(length);
    html! { circle.legal cx=(x) cy=(y) r=(length(spot.width.min(spot.height) * 0.1)) {} }
}

fn outline(class: &str, area: Area) -> Markup {
    let Area { x, y, width, height } = area.within(0.03);
    html! {
        rect class=(class) x=(length(x)) y=(length(y)) width=(length(width))
            height=(length(height)) rx=(length(0.12)) {}
    }
}

/// A circle for a win, a square for a draw, a triangle for a loss, a dashed circle for a guess.
/// Where something stands it is smaller and in a corner.
fn badge(hint: &Hint, place: &Place) -> Markup {
    let Place { spot, taken, beside, .. } = place;
    let whole = |area: &Area| area.width.min(area.height).min(1.0);
    let (size, [x, y]) = match beside {
        Some(area) => (whole(area) * 0.9, area.middle()),
        None if *taken => {
            let size = whole(spot) * 0.36;
            (size, [spot.x + spot.width - size * 0.6, spot.y + spot.height - size * 0.6])
        }
        None => (whole(spot) * 0.56, spot.middle()),
    };
    let l = length;
    let letters = hint.sign.chars().count().max(2) as f32;
    let font = (size * 1.02 / letters).min(size * 0.5);
    let lower = if hint.kind == "loss" { size * 0.12 } else { 0.0 };
    html! {
        g class={ "badge " (hint.kind) } aria-hidden="true" {
            @match hint.kind {
                "draw" => {
                    rect x=(l(x - size * 0.45)) y=(l(y - size * 0.45)) width=(l(size * 0.9))
                        height=(l(size * 0.9)) rx=(l(size * 0.14)) {}
                }
                "loss" => {
                    polygon points={
                        (l(x)) "," (l(y - size * 0.62)) " " (l(x + size * 0.66)) ","
                        (l(y + size * 0.5)) " " (l(x - size * 0.66)) "," (l(y + size * 0.5))
                    } {}
                }
                _ => { circle cx=(l(x)) cy=(l(y)) r=(l(size * 0.52)) {} }
            }
            text x=(l(x)) y=(l(y + font * 0.36 + lower)) font-size=(l(font))
                text-anchor="middle" { (hint.sign) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_games_write_is_escaped() {
        let mut scene = Scene::new(1.0, 1.0);
        let text = "<script>&\"".to_owned();
        scene.shapes.push(Shape::Text([0.5, 0.5], 0.3, text.clone(), Ink::Label));
        scene.place(text.clone(), Area::square(0, 0), false);
        let overlay = Overlay { link: Some((text.clone(), text.clone())), ..Overlay::default() };
        for picture in [
            file(&scene, &text),
            still(&scene, &text).into_string(),
            board(&scene, &text, &[overlay], &[]).into_string(),
        ] {
            assert!(!picture.contains("<script"), "{picture}");
            assert!(picture.contains("&lt;script&gt;&amp;"), "{picture}");
        }
    }
}
