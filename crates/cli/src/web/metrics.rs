//! What is counted, in the format of Prometheus.

use std::fmt::Write as _;
use std::time::Duration;

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// The kind of the metrics' text.
pub const CONTENT: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The seconds that tell answers apart.
const SECONDS: [f64; 9] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    page: &'static str,
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Page {
    page: &'static str,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Game {
    game: String,
}

/// What the server is like at a moment.
#[derive(Clone, Copy, Debug, Default)]
pub struct Now {
    pub connections: usize,
    /// Questions that are worked on, and that wait, for a worker.
    pub worked_on: usize,
    pub waiting: usize,
    /// The answers that are kept, and the bytes of all that is.
    pub answers: usize,
    pub kept: u64,
}

type Gauges = [(Gauge, fn(&Now) -> u64); 5];

/// What is counted.
pub struct Metrics {
    registry: Registry,
    requests: Family<Asked, Counter>,
    seconds: Family<Page, Histogram>,
    questions: Family<Game, Counter>,
    slow: Counter,
    gauges: Gauges,
}

impl Metrics {
    pub fn new() -> Metrics {
        let mut registry = Registry::with_prefix("foregone");
        let requests = Family::default();
        registry.register("requests", "Requests by page and status", requests.clone());
        let seconds: Family<Page, Histogram> =
            Family::new_with_constructor(|| Histogram::new(SECONDS));
        let words = "How long answers take";
        registry.register_with_unit("answers", words, Unit::Seconds, seconds.clone());
        let questions = Family::default();
        registry.register("questions", "Questions about positions by game", questions.clone());
        let slow = Counter::default();
        registry.register("slow", "Requests of more than a second", slow.clone());
        let mut gauge = |name: &str, words: &str, of: fn(&Now) -> u64| {
            let gauge = Gauge::default();
            registry.register(name, words, gauge.clone());
            (gauge, of)
        };
        let gauges: Gauges = [
            gauge("connections", "Open connections", |now| now.connections as u64),
            gauge("worked_on", "Questions that workers work on", |now| now.worked_on as u64),
            gauge("waiting", "Questions that wait for a worker", |now| now.waiting as u64),
            gauge("kept_answers", "Answers that are kept", |now| now.answers as u64),
            gauge("kept_bytes", "Memory of what was solved", |now| now.kept),
        ];
        Metrics { registry, requests, seconds, questions, slow, gauges }
    }

    /// Counts an answer.
    pub fn answered(&self, page: &'static str, status: u16, time: Duration) {
        self.requests.get_or_create(&Asked { page, status }).inc();
        self.seconds.get_or_create(&Page { page }).observe(time.as_secs_f64());
        if time > super::watch::SLOW {
            self.slow.inc();
        }
    }

    /// Counts a question about a game.
    pub fn asked(&self, game: &str) {
        self.questions.get_or_create(&Game { game: game.to_owned() }).inc();
    }

    /// All of it as text.
    pub fn written(&self, now: &Now) -> String {
        for (gauge, of) in &self.gauges {
            gauge.set(of(now).try_into().unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        // The process itself, under the names that all programs use.
        let process = process();
        for (name, words, value) in [
            ("process_resident_memory_bytes", "Memory of the process", process.memory),
            ("process_open_fds", "Open file descriptors", process.files),
        ] {
            if let Some(value) = value {
                let _ =
                    writeln!(text, "# HELP {name} {words}.\n# TYPE {name} gauge\n{name} {value}");
            }
        }
        // Writing into a text does not fail.
        let _ = text::encode(&mut text, &self.registry);
        text
    }
}

struct Process {
    memory: Option<u64>,
    files: Option<u64>,
}

fn process() -> Process {
    use sysinfo::{ProcessRefreshKind, ProcessesToUpdate, System};
    let mut system = System::new();
    let memory = sysinfo::get_current_pid().ok().and_then(|own| {
        let memory = ProcessRefreshKind::nothing().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[own]), false, memory);
        Some(system.process(own)?.memory())
    });
    let files = std::fs::read_dir("/proc/self/fd").ok().map(|files| files.count() as u64);
    Process { memory, files }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_is_written() {
        let metrics = Metrics::new();
        metrics.answered("play", 200, Duration::from_millis(2));
        metrics.answered("play", 400, Duration::from_secs(2));
        metrics.asked("kalah");
        let text = metrics.written(&Now { connections: 3, ..Now::default() });
        for line in [
            "foregone_requests_total{page=\"play\",status=\"200\"} 1",
            "foregone_answers_seconds_count{page=\"play\"} 2",
            "foregone_questions_total{game=\"kalah\"} 1",
            "foregone_slow_total 1",
            "foregone_connections 3",
            "# EOF",
        ] {
            assert!(text.lines().any(|each| each == line), "{line}: {text}");
        }
    }
}
