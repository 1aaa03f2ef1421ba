//! Short lessons on how games are solved, each with a board that the reader plays on. A lesson is made from its
//! address alone, as the other pages are; what it shows is calculated, by the plain rules or by the solver.

mod alpha_beta;
mod backwards;
mod chance;
mod example;
mod list;
mod memory;
mod minimax;
mod numbers;
mod proof;
pub mod puzzle;
mod task;
mod tree;

use std::sync::OnceLock;

use foregone::{Invalid, Session, Side};
use maud::{Markup, html};
use serde::Deserialize;

use crate::address::query;
use crate::draw::svg;
use crate::service::{Deadline, Service};
use crate::view::board::Clicking;
use crate::view::clicks::{chosen, fitting};
use crate::view::frame::{Reply, frame, wrong};
use crate::words::{Voice, choice};

pub use self::list::{LESSONS, Lesson};

/// What an address of a lesson says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Fields {
    pub lesson: String,
    /// Where the board begins, if not at the start of the lesson.
    pub position: String,
    /// The moves made, joined by commas.
    pub moves: String,
    /// The places that are picked.
    pub pick: String,
    /// How far the lesson has come.
    pub step: String,
    /// What was seen before.
    pub seen: String,
    /// Of a task: the game, the moves to its position, the question, the moves that are right, and their checksums.
    pub game: String,
    pub line: String,
    pub ask: String,
    pub answer: String,
    pub accept: String,
}

/// The names of its fields.
pub const NAMES: [&str; 11] = [
    "lesson", "position", "moves", "pick", "step", "seen", "game", "line", "ask", "answer",
    "accept",
];

/// What `lesson` is for a puzzle, and for a task of a teacher.
const PUZZLE: &str = "puzzle";
pub const TASK: &str = "task";

/// The longest text of a field, and the most steps.
const LONGEST: usize = 400;
const MAX_STEPS: usize = 999;

impl Fields {
    /// The address of this page.
    fn link(&self) -> String {
        let fields = [
            ("lesson", &self.lesson),
            ("position", &self.position),
            ("moves", &self.moves),
            ("pick", &self.pick),
            ("step", &self.step),
            ("seen", &self.seen),
            ("game", &self.game),
            ("line", &self.line),
            ("ask", &self.ask),
            ("answer", &self.answer),
            ("accept", &self.accept),
        ];
        let fields = fields.into_iter().filter(|(_, text)| !text.is_empty());
        format!("learn.html?{}", query(fields))
    }

    /// The beginning of a lesson.
    fn of(lesson: &str) -> Fields {
        Fields { lesson: lesson.to_owned(), ..Fields::default() }
    }

    /// This board after one more move.
    fn after(&self, mv: &str) -> Fields {
        let moves =
            if self.moves.is_empty() { mv.to_owned() } else { self.moves.clone() + "," + mv };
        Fields { moves, pick: String::new(), ..self.clone() }
    }

    fn step(&self) -> usize {
        self.step.parse().unwrap_or(0).min(MAX_STEPS)
    }

    /// This address at a step.
    fn at(&self, step: usize) -> Fields {
        let step = if step == 0 { String::new() } else { step.to_string() };
        Fields { step, ..self.clone() }
    }
}

/// What a lesson answers to its address.
enum Answer {
    Shown(Shown),
    /// Another address has the answer.
    Go(Fields),
}

/// A lesson at some step.
struct Shown {
    /// What it teaches here.
    text: Markup,
    /// Whose turn it is, or what was just done.
    status: String,
    board: Markup,
    /// What is below both, in the whole width.
    below: Markup,
    /// What was learned, once the lesson is done.
    done: Option<&'static str>,
}

/// The page of a lesson, or the list of all.
pub fn show(service: &Service, fields: &Fields, deadline: &Deadline) -> Reply {
    if fields.lesson.is_empty() {
        return Reply::Page(list(service));
    }
    let refuse = |why: String| {
        let instead = Some(("learn.html", "All lessons"));
        let what = if fields.lesson == TASK { "task" } else { "lesson" };
        Reply::Wrong(wrong(&format!("This {what} cannot be shown"), &why, instead))
    };
    let texts = [&fields.position, &fields.moves, &fields.pick, &fields.step, &fields.seen];
    let of_task = [&fields.line, &fields.ask, &fields.answer, &fields.accept];
    if texts.into_iter().chain(of_task).any(|text| text.len() > LONGEST) {
        return refuse(format!("a text is longer than {LONGEST} bytes"));
    }
    let extra = match fields.lesson.as_str() {
        PUZZLE => Some(("Puzzle", puzzle::show(service, fields))),
        TASK => Some(("Task", task::show(service, fields, deadline))),
        _ => None,
    };
    if let Some((title, answer)) = extra {
        return match answer {
            Ok(Answer::Shown(shown)) => Reply::Page(framed(title, &html! {}, &shown, &html! {})),
            Ok(Answer::Go(fields)) => Reply::Go(fields.link()),
            Err(error) => refuse(error.to_string()),
        };
    }
    let names = LESSONS.each_ref().map(|lesson| (lesson.name, lesson));
    let lesson = match choice(&fields.lesson, "a lesson", &names) {
        Ok(lesson) => lesson,
        Err(why) => return refuse(why),
    };
    match (lesson.show)(service, fields) {
        Ok(Answer::Shown(shown)) => Reply::Page(page(lesson, &shown)),
        Ok(Answer::Go(fields)) => Reply::Go(fields.link()),
        Err(error) => refuse(error.to_string()),
    }
}

fn list(service: &Service) -> Markup {
    let picture = |lesson: &Lesson| {
        let [game, position] = lesson.picture;
        let session = open(service, game, position, &Fields::default()).ok()?;
        Some(svg::still(&session.scene(), ""))
    };
    let body = html! {
        div.intro {
            h1 { "How games are solved" }
            p { "Eight short lessons. You play in each one." }
            p { (puzzle::today()) }
        }
        ol.lessons {
            @for lesson in &LESSONS {
                li.card data-lesson=(lesson.name) {
                    div.picture aria-hidden="true" { @if let Some(picture) = picture(lesson) { (picture) } }
                    div {
                        a href=(Fields::of(lesson.name).link()) { h2 { (lesson.title) } }
                        p { (lesson.about) }
                        p.dim { (lesson.minutes) " minutes" span.tick hidden { " · done" } }
                    }
                }
            }
        }
    };
    frame("Learn", None, &body)
}

fn page(lesson: &Lesson, shown: &Shown) -> Markup {
    let number = LESSONS.iter().take_while(|other| other.name != lesson.name).count() + 1;
    let next = LESSONS.get(number);
    let place = html! { small { "lesson " (number) " of " (LESSONS.len()) } };
    let links = html! {
        @if let Some(learned) = shown.done {
            p.learned id="learned" data-lesson=(lesson.name) { b { "Done. " } (learned) }
            @let [question, answer] = lesson.question;
            details id="question" { summary { (question) } p { (answer) } }
        }
        p.controls {
            a.button href=(Fields::of(lesson.name).link()) { "The lesson from its start" }
            @match next {
                Some(next) => a.button.on[shown.done.is_some()] id="next-lesson" href=(Fields::of(next.name).link()) {
                    "Next: " (next.title)
                },
                None => {
                    a.button.on[shown.done.is_some()] href="rules.html" { "Make a game of your own" }
                    a.button href="learn.html" { "All lessons" }
                }
            }
        }
    };
    framed(lesson.title, &place, shown, &links)
}

/// A page with a board, a text beside it, and links below the text.
fn framed(title: &str, place: &Markup, shown: &Shown, links: &Markup) -> Markup {
    let body = html! {
        div.table {
            section.play.teaching aria-label="Board" {
                h1 { (title) (place) }
                p.status id="status" role="status" { (shown.status) }
                (shown.board)
            }
            div.side {
                section.card.lesson aria-label="Lesson" {
                    (shown.text)
                    (links)
                }
            }
        }
        (shown.below)
    };
    frame(title, None, &body)
}

/// A session of a game at a position, after the moves of an address.
fn open(
    service: &Service,
    game: &str,
    position: &str,
    fields: &Fields,
) -> Result<Box<dyn Session>, Invalid> {
    let (_, mut session) = service.open(game)?;
    session.go((!position.is_empty()).then_some(position), &fields.moves.replace(',', " "))?;
    Ok(session)
}

/// A link to another step of a lesson; without an address where there is no such step.
fn step_link(fields: &Fields, id: &str, words: &str, to: Option<usize>) -> Markup {
    html! {
        @match to {
            Some(to) => a.button id=(id) href=(fields.at(to).link()) { (words) },
            None => span.button.off { (words) },
        }
    }
}

/// What is calculated once and kept.
fn kept<T>(
    place: &'static OnceLock<T>,
    make: impl FnOnce() -> Result<T, Invalid>,
) -> Result<&'static T, Invalid> {
    match place.get() {
        Some(kept) => Ok(kept),
        None => make().map(|made| place.get_or_init(|| made)),
    }
}

/// The places that an address has picked.
fn picked(fields: &Fields) -> Vec<usize> {
    fields.pick.split(',').filter_map(|text| text.parse().ok()).collect()
}

/// The move that the picked places make, if they make one.
fn picked_move(session: &dyn Session, fields: &Fields) -> Option<String> {
    chosen(&session.options(), &picked(fields)).map(|option| option.mv.clone())
}

/// A board on which the reader makes moves; `after` is the address after a move.
fn board(session: &dyn Session, fields: &Fields, after: &dyn Fn(&str) -> String) -> Markup {
    let (scene, options) = (session.scene(), session.options());
    let mut clicks = picked(fields);
    if fitting(&options.iter().collect::<Vec<_>>(), &clicks).is_empty() {
        clicks.clear();
    }
    let picking = |clicks: Vec<usize>| {
        let pick = clicks.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        Fields { pick, ..fields.clone() }.link()
    };
    let clicking = Clicking { options: &options, picked: &clicks, after, picking: &picking };
    let overlays = clicking.overlays(&scene, |_| None);
    svg::board(&scene, &format!("Board: {}", session.position()), &overlays, &[])
}

/// Whose turn it is, or the result.
fn status(service: &Service, game: &str, session: &dyn Session) -> Result<String, Invalid> {
    let (game, _) = service.open(game)?;
    Ok(Voice::on_page(&*game).status(session))
}

/// The name of a side of tic-tac-toe, the game of most lessons.
fn mark(side: Side) -> &'static str {
    match side {
        Side::First => "X",
        Side::Second => "O",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone::Registry;

    fn soon() -> Deadline {
        Deadline::after(std::time::Duration::from_secs(20))
    }

    /// The page of some fields, after redirects.
    pub(super) fn page_of(service: &Service, fields: &Fields) -> (Fields, String) {
        let mut fields = fields.clone();
        for _ in 0..9 {
            match show(service, &fields, &soon()) {
                Reply::Page(page) => return (fields, page.into_string()),
                Reply::Go(link) => {
                    let query = link.strip_prefix("learn.html?").unwrap();
                    fields = serde_urlencoded::from_str(query).unwrap();
                }
                Reply::Wrong(page) => panic!("{}", page.into_string()),
            }
        }
        panic!("too many redirects");
    }

    pub(super) fn service() -> Service {
        Service::new(Registry::standard(), 1 << 28, 1, None)
    }

    #[test]
    fn all_lessons_begin_and_none_is_done_at_once() {
        let service = service();
        assert!(matches!(show(&service, &Fields::default(), &soon()), Reply::Page(_)));
        for lesson in &LESSONS {
            let (_, page) = page_of(&service, &Fields::of(lesson.name));
            let [game, position] = lesson.picture;
            open(&service, game, position, &Fields::default()).unwrap();
            assert!(page.contains(lesson.title) && !page.contains("id=\"learned\""), "{page}");
        }
    }

    #[test]
    fn odd_addresses_are_errors() {
        let service = service();
        let long = "1,".repeat(LONGEST);
        let of = |lesson: &str, moves: &str, position: &str| {
            let [lesson, moves, position] = [lesson, moves, position].map(str::to_owned);
            show(&service, &Fields { lesson, moves, position, ..Fields::default() }, &soon())
        };
        for (lesson, moves, position) in [
            ("mimimax", "", ""),
            ("tree", "x", ""),
            ("tree", &long, ""),
            ("memory", "1,1", ""),
            ("backwards", "", "nowhere"),
            ("proof", "99", ""),
            ("numbers", "9,9", ""),
        ] {
            assert!(matches!(of(lesson, moves, position), Reply::Wrong(_)), "{lesson} {moves}");
        }
        // What has no meaning is taken as the beginning.
        for step in ["-1", "x", "99999"] {
            for lesson in &LESSONS {
                let fields = Fields {
                    step: step.to_owned(),
                    pick: "7,x,99".to_owned(),
                    seen: "9,x,-1".to_owned(),
                    ..Fields::of(lesson.name)
                };
                assert!(matches!(show(&service, &fields, &soon()), Reply::Page(_) | Reply::Go(_)));
            }
        }
    }
}
