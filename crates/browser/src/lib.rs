//! The pages of Foregone for a browser without a server, as a WebAssembly module (WASI preview 1). A worker of the
//! browser writes a question to the module's input, calls [`foregone_answer`], and reads the answer from its output;
//! both are JSON. So no memory is shared by address, and nothing here is unsafe but the name of that function.

// The module is not part of itself.
#[cfg(not(target_family = "wasm"))]
pub mod folder;

use std::io::{Read, Write};
use std::path::Path;
use std::sync::{LazyLock, Mutex};
use std::time::{Duration, Instant};

use foregone::Registry;
use foregone::record::threads::lock;
use foregone_page::route::{Queue, Route};
use foregone_page::service::{Deadline, Service};
use foregone_page::view::frame::Reply;
use foregone_page::view::progress;
use serde::{Deserialize, Serialize};

/// The memory for all questions and stored results, in bytes, if `FOREGONE_MEMORY` does not say. `FOREGONE_THREADS` is the
/// number of threads of a question, 1 if it is not there; a thread that the host does not start is done without.
const MEMORY: u64 = 512 << 20;

/// A file with this name is there while a question should end.
const STOP: &str = "/stop";

/// The beginning of a line of the errors that has progress.
const PROGRESS: &str = "progress ";

/// The folder of tables, below the root.
pub const TABLES: &str = "tables";

/// A question.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The path of the page below the root, such as `play.html`.
    pub path: String,
    /// What follows the question mark of its address.
    #[serde(default)]
    pub query: String,
    /// How to answer.
    pub how: How,
    /// The time limit in milliseconds.
    pub millis: u64,
}

/// How to answer a question.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// With what is known or quickly found.
    Quickly,
    /// After some time to think.
    Slowly,
}

/// The answer to a question.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// A page.
    Page(String),
    /// A page that says what is wrong with the question.
    Wrong(String),
    /// Another address has the answer.
    Go(String),
    /// There is no such page.
    Missing,
    /// It needs time to think, or was stopped.
    Later,
}

/// All that was solved since the module was started.
static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    let given = |name| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let memory = given("FOREGONE_MEMORY").unwrap_or(MEMORY);
    let threads = given("FOREGONE_THREADS").map_or(1, |threads| threads.max(1) as usize);
    let tables = Some(Path::new("/").join(TABLES)).filter(|folder| folder.is_dir());
    let mut service = Service::new(Registry::standard(), memory, 1, tables);
    service.threads = threads;
    service
});

/// Answers a question.
pub fn answer(question: &Question) -> Answer {
    let route = match Route::parse(&question.path, &question.query) {
        None => return Answer::Missing,
        Some(Err(reply)) => return reply.into(),
        Some(Ok(route)) => route,
    };
    let told = Mutex::new(Instant::now());
    let deadline = Deadline::after(Duration::from_millis(question.millis)).with_ending(move || {
        tell_progress(&mut lock(&told));
        Path::new(STOP).exists()
    });
    let reply = match question.how {
        How::Quickly => route.at_once(&SERVICE, Queue::default(), &deadline),
        How::Slowly => route.think(&SERVICE, &deadline),
    };
    reply.map_or(Answer::Later, Answer::from)
}

/// Writes how far the question has come, as a part of a page, in a line of the errors; not too often.
fn tell_progress(told: &mut Instant) {
    const OFTEN: Duration = Duration::from_millis(300);
    if told.elapsed() < OFTEN {
        return;
    }
    *told = Instant::now();
    if let Some(so_far) = SERVICE.any_so_far() {
        eprintln!("{PROGRESS}{}", progress::part(Some(&so_far)).into_string());
    }
}

impl From<Reply> for Answer {
    fn from(reply: Reply) -> Answer {
        match reply {
            Reply::Page(page) => Answer::Page(page.into_string()),
            Reply::Wrong(page) => Answer::Wrong(page.into_string()),
            Reply::Go(address) => Answer::Go(address),
        }
    }
}

/// Reads a question from the input and writes its answer to the output. Gives 0, or 1 if the question cannot be
/// read or the answer not be written.
#[allow(unsafe_code, reason = "the host calls it by this name, which nothing else has")]
#[unsafe(no_mangle)]
pub extern "C" fn foregone_answer() -> u32 {
    let mut text = String::new();
    let read = std::io::stdin().lock().read_to_string(&mut text);
    let Some(question) = read.ok().and_then(|_| serde_json::from_str(&text).ok()) else { return 1 };
    let Ok(answer) = serde_json::to_vec(&answer(&question)) else { return 1 };
    let mut output = std::io::stdout().lock();
    u32::from(output.write_all(&answer).and_then(|()| output.flush()).is_err())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(path: &str, query: &str, how: How) -> Answer {
        answer(&Question { path: path.to_owned(), query: query.to_owned(), how, millis: 10_000 })
    }

    #[test]
    fn pages_are_those_of_the_server() {
        let Answer::Page(home) = ask("index.html", "", How::Quickly) else { panic!() };
        assert!(home.contains("play.html?game=tic-tac-toe"), "{home}");
        let Answer::Page(page) = ask("play.html", "game=tic-tac-toe&hints=on", How::Quickly) else {
            panic!()
        };
        assert!(page.contains("Draw in 9 moves."), "{page}");
        assert_eq!(ask("nowhere.html", "", How::Quickly), Answer::Missing);
        assert!(matches!(ask("play.html", "gmae=nim", How::Quickly), Answer::Wrong(_)));
    }

    #[test]
    fn what_takes_long_is_thought_about() {
        let query = "game=kalah(pits=3,stones=3)&hints=on&wait=on";
        assert_eq!(ask("play.html", query, How::Quickly), Answer::Later);
        let Answer::Go(address) = ask("play.html", query, How::Slowly) else { panic!() };
        let query = address.strip_prefix("play.html?").unwrap();
        let Answer::Page(page) = ask("play.html", query, How::Quickly) else { panic!() };
        assert!(page.contains("id=\"status\"") && !page.contains("Not known yet."), "{page}");
    }

    #[test]
    fn questions_are_read_strictly() {
        let text = r#"{"path": "play.html", "query": "game=nim", "how": "slowly", "millis": 5}"#;
        assert_eq!(serde_json::from_str::<Question>(text).unwrap().how, How::Slowly);
        let odd = text.replace("slowly", "never");
        assert!(serde_json::from_str::<Question>(&odd).is_err());
    }
}
