//! Progress of long work on a terminal, and how Ctrl-C stops it.

use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;

use foregone::Control;
use foregone::control::{Listener, Progress};
use foregone::record::threads::lock;
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use foregone_page::words::signed;

/// Shorter work shows no progress.
const SOON: Duration = Duration::from_millis(300);

/// The progress line if the total is known, and if it is not.
const TOWARDS: &str =
    "{spinner} {msg} {bar:24} {human_pos} of {human_len} positions, {rate}/s, {eta} left";
const ONWARDS: &str = "{spinner} {msg}: {human_pos} positions, {rate}/s, {elapsed}";

/// The progress line of a match.
const GAMES: &str = "{spinner} {bar:24} {human_pos} of {human_len} games, {eta} left: {msg}";

/// Long work: shows progress on a terminal, and stops at Ctrl-C or SIGTERM.
pub struct Working {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

/// Whether there is long work for Ctrl-C to stop; otherwise it ends the program.
static BUSY: AtomicBool = AtomicBool::new(false);

/// What is printed if Ctrl-C ends the program.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// Keeps what is printed if Ctrl-C ends the program while no long work is done.
pub fn keep_last_words(words: String) {
    stop();
    *lock(&LAST_WORDS) = words;
}

/// What Ctrl-C sets while long work is done; SIGTERM does the same.
fn stop() -> &'static Arc<AtomicBool> {
    static STOP: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    STOP.get_or_init(|| {
        let stop = Arc::new(AtomicBool::new(false));
        let asked = stop.clone();
        // If the handler cannot be set, either ends the program at once.
        let _ = ctrlc::set_handler(move || {
            let again = asked.swap(true, Ordering::Relaxed);
            if again || !BUSY.load(Ordering::SeqCst) {
                let words = lock(&LAST_WORDS);
                if !words.is_empty() {
                    // The standard output may be locked by what waits for a line.
                    anstream::eprintln!("\n{words}");
                }
                std::process::exit(1);
            }
        });
        stop
    })
}

impl Working {
    /// Begins long work.
    pub fn start() -> Working {
        // Before signals are caught, so that none that is caught ends the program instead of the work.
        BUSY.store(true, Ordering::SeqCst);
        let stop = stop();
        // The bar counts from the beginning, but is shown only if the work takes long.
        Working { bar: ProgressBar::hidden(), stop: stop.clone() }
    }

    /// Shows a text as the current step.
    pub fn note(&self, text: String) {
        self.bar.set_message(text);
    }

    /// A control that stops at Ctrl-C or SIGTERM and shows nothing.
    pub fn quiet(&self) -> Control {
        Control::default().with_stop(self.stop.clone())
    }

    /// Shows how many games of a match have ended, and how it stands.
    pub fn tally(&self, done: u64, games: u64, stands: String) {
        if !io::stderr().is_terminal() {
            return;
        }
        if self.bar.length().is_none() {
            self.bar.set_style(style(GAMES));
            self.bar.set_length(games);
        }
        show_if_long(&self.bar);
        self.bar.set_message(stands);
        self.bar.set_position(done);
    }

    /// A control that stops at Ctrl-C or SIGTERM and shows progress.
    pub fn control(&self) -> Control {
        let bar = self.bar.clone();
        let shown = Mutex::new(("", None, None));
        let terminal = io::stderr().is_terminal();
        let listener: Listener = Arc::new(move |progress: Progress| {
            if !terminal {
                return;
            }
            show_if_long(&bar);
            let mut shown = lock(&shown);
            let (phase, total, bounds) = *shown;
            *shown = (progress.phase, progress.total, progress.bounds);
            if (phase, total) != (progress.phase, progress.total) {
                match progress.total {
                    Some(total) => {
                        bar.set_style(style(TOWARDS));
                        bar.set_length(total);
                    }
                    None => {
                        bar.set_style(style(ONWARDS));
                        bar.unset_length();
                    }
                }
                bar.reset();
            }
            if (phase, bounds) != (progress.phase, progress.bounds) {
                bar.set_message(match progress.bounds {
                    Some((low, high)) => {
                        let [low, high] = [low, high].map(|value| signed(value.0));
                        format!("{}, value between {low} and {high}", progress.phase)
                    }
                    None => progress.phase.to_owned(),
                });
            }
            bar.set_position(progress.done);
        });
        self.quiet().with_listener(listener)
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        BUSY.store(false, Ordering::SeqCst);
        self.stop.store(false, Ordering::Relaxed);
    }
}

/// Shows the progress once the work has taken long.
fn show_if_long(bar: &ProgressBar) {
    if bar.is_hidden() && bar.elapsed() > SOON {
        bar.set_draw_target(ProgressDrawTarget::stderr());
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // An error of the display must not stop the work.
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)
}
