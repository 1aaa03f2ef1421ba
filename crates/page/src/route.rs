//! Which page a path and its parameters ask for, and the answer. The server and the browser's own edition both
//! ask here, so that the same address shows the same page in both.

use std::collections::{HashMap, HashSet};

use serde::de::DeserializeOwned;

use crate::address::{self, Fields};
use crate::lessons;
use crate::service::{Deadline, Service};
use crate::view::frame::{Reply, wrong};
#[cfg(not(target_family = "wasm"))]
use crate::view::report;
use crate::view::{editor, form, home, page, progress, strip, tree, values};
use crate::words::{no_parameter, shown};

/// A page that is asked for.
#[derive(Clone, Debug)]
pub enum Route {
    /// All games, or those that a text finds.
    Home(home::Fields),
    /// A game, to play and analyse.
    Play(Fields),
    /// The form for a new game was sent.
    New(HashMap<String, String>),
    /// A lesson, or the list of lessons.
    Learn(lessons::Fields),
    /// A game of one's own.
    Rules(editor::Fields),
    /// How far a question has come.
    Progress(Fields),
    /// The boards of a game, one after the other.
    Strip(Fields),
    /// The game tree.
    Tree(Fields),
    /// The counts of a table.
    Table(Fields),
    /// What a game is like. It takes too much of a module for browsers.
    #[cfg(not(target_family = "wasm"))]
    Report(Fields),
}

/// How many questions wait for a worker, as far as visitors are told.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queue {
    /// The number of questions that wait.
    pub waiting: usize,
    /// Whether there was no room for this one.
    pub full: bool,
}

/// The names of all pages, in a folder those of their files. The first is at the root, too.
pub const PAGES: [&str; 9] =
    ["index", "play", "new", "learn", "rules", "progress", "strip", "tree", "table"];

/// A wrong parameter: its name, as far as it is shown, and what is wrong.
pub type Refused = (String, String);

/// The first unknown or repeated name of a query, so that a typing error does not silently change the question.
/// Names that begin with `others` are known, too.
pub fn refused<N: AsRef<str>>(
    path: &str,
    query: &str,
    names: &[N],
    others: Option<&str>,
) -> Option<Refused> {
    let mut seen = HashSet::new();
    for (name, _) in form_urlencoded::parse(query.as_bytes()) {
        let other = others.is_some_and(|others| name.starts_with(others));
        if !other && !names.iter().any(|known| known.as_ref() == name) {
            return Some((shown(&name), no_parameter(&name, path, names)));
        }
        if seen.contains(&name) {
            let name = shown(&name);
            let why = format!("`{name}` is given twice: give it once");
            return Some((name, why));
        }
        seen.insert(name);
    }
    None
}

/// Reads the parameters of a page: those of some names, and others with a prefix that the page checks itself.
fn read<T: DeserializeOwned>(
    path: &str,
    query: &str,
    names: &[&str],
    others: Option<&str>,
) -> Result<T, Reply> {
    match refused(path, query, names, others) {
        Some((_, why)) => Err(unreadable(&why)),
        None => serde_urlencoded::from_str(query).map_err(|error| unreadable(&error.to_string())),
    }
}

/// The page for an address that cannot be read.
pub fn unreadable(why: &str) -> Reply {
    Reply::Wrong(wrong("This address cannot be read", why, None))
}

impl Route {
    /// The page of a path below the root, such as `play.html`, with its query; `None` if there is no such page.
    ///
    /// # Errors
    /// A page that says what is wrong with the query.
    pub fn parse(path: &str, query: &str) -> Option<Result<Route, Reply>> {
        let name = path.trim_start_matches('/');
        let name = name.strip_suffix(".html").unwrap_or(name);
        let typed = || [&address::NAMES[..], &address::TYPED[..]].concat();
        let fields = |names: &[&str]| read(path, query, names, None);
        Some(match name {
            "" | "index" => read(path, query, &home::NAMES, None).map(Route::Home),
            "play" => fields(&typed()).map(Route::Play),
            "new" => read(path, query, &form::NAMES, Some(form::OWN)).map(Route::New),
            "learn" => read(path, query, &lessons::NAMES, None).map(Route::Learn),
            "rules" => read(path, query, &editor::NAMES, None).map(Route::Rules),
            "progress" => fields(&["game", "position", "moves"]).map(Route::Progress),
            "strip" => fields(&strip::NAMES).map(Route::Strip),
            "tree" => fields(&[&address::NAMES[..], &address::TREE[..]].concat()).map(Route::Tree),
            "table" => fields(&["game"]).map(Route::Table),
            #[cfg(not(target_family = "wasm"))]
            "report" => fields(&["game"]).map(Route::Report),
            _ => return None,
        })
    }

    /// The answer, if it takes little time; `None` if it needs [`think`](Self::think).
    pub fn at_once(&self, service: &Service, queue: Queue, deadline: &Deadline) -> Option<Reply> {
        match self {
            Route::Home(fields) => Some(home::home(service.cards(), &fields.find)),
            Route::New(fields) => Some(form::begin(&service.registry, fields)),
            Route::Learn(fields) => Some(lessons::show(service, fields, deadline)),
            Route::Rules(fields) => Some(editor::show(fields)),
            Route::Progress(fields) => Some(progress::show(service, fields)),
            Route::Strip(fields) => Some(strip::show(service, fields)),
            Route::Tree(fields) => Some(tree::show(service, fields, deadline)),
            Route::Table(_) => None,
            #[cfg(not(target_family = "wasm"))]
            Route::Report(_) => None,
            Route::Play(fields) if fields.wait == "on" => {
                page::work(service, fields, true, deadline)
            }
            Route::Play(fields) => Some(page::play(service, fields, queue, deadline)),
        }
    }

    /// The answer, if it can be found in the time to think.
    pub fn think(&self, service: &Service, deadline: &Deadline) -> Option<Reply> {
        match self {
            Route::Play(fields) => page::work(service, fields, false, deadline),
            Route::Table(fields) => Some(values::show(service, fields, deadline)),
            #[cfg(not(target_family = "wasm"))]
            Route::Report(fields) => Some(report::show(service, fields, deadline)),
            _ => None,
        }
    }

    /// What is shown if there is no answer now; `None` if that is an error.
    pub fn meanwhile(&self, service: &Service, queue: Queue, deadline: &Deadline) -> Option<Reply> {
        match self {
            Route::Play(fields) => Some(page::play(service, fields, queue, deadline)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::SHOWN;

    fn why(path: &str, query: &str) -> Option<String> {
        match Route::parse(path, query).unwrap() {
            Err(Reply::Wrong(page)) => Some(page.into_string()),
            Err(_) => unreachable!(),
            Ok(_) => None,
        }
    }

    #[test]
    fn unknown_parameters_are_named_with_the_nearest() {
        let near = why("/play.html", "game=nim&hint=on").unwrap();
        assert!(
            near.contains(
                "<code>hint</code> is not a parameter of /play.html: it has game, position"
            ),
            "{near}"
        );
        assert!(near.contains("did you mean <code>hints</code>?"));
        assert!(
            why("/", "x=1")
                .unwrap()
                .contains("<code>x</code> is not a parameter of /: it has find")
        );
        assert!(why("/tree.html", "game=nim&wait=on").is_some());
        assert_eq!(why("/new", "game=nim&p.heaps=1-2"), None);
        assert!(Route::parse("/nowhere", "x=1").is_none());
        assert!(why("/play", "game=nim&game=nim").unwrap().contains("given twice"));
        assert_eq!(why("/play", "game=nim&&"), None);
    }

    #[test]
    fn every_page_has_its_name_in_the_list() {
        for name in PAGES {
            assert!(matches!(Route::parse(&format!("/{name}.html"), ""), Some(Ok(_))), "{name}");
        }
    }

    #[test]
    fn long_names_are_not_repeated_whole() {
        let query = format!("{}=1", "x".repeat(60_000));
        let (name, why) = refused("/play", &query, &["game"], None).unwrap();
        assert!(name.len() == SHOWN && why.len() < 400, "{why}");
        let query = format!("p.{0}=1&p.{0}=2", "x".repeat(20_000));
        assert!(refused("/new", &query, &["game"], Some("p.")).unwrap().1.len() < 400);
    }
}
