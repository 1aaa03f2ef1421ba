//! What the terminal shows: colours, boards, tables, progress, errors. Colours and progress are
//! left out where the output is no terminal.

use std::fmt;
use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use comfy_table::{Cell, CellAlignment, Table};
use foregone::control::{Listener, Progress};
use foregone::{Control, Drawing, Session, Side, Verdict};
use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use owo_colors::{AnsiColors, OwoColorize, Style};

use crate::words::{Voice, signed};

/// The widest that running text gets, in characters.
const WIDTH: usize = 80;

/// The colours of the two sides, told apart by the colour-blind too; letters tell the rest.
const SIDES: [AnsiColors; 2] = [AnsiColors::BrightCyan, AnsiColors::BrightYellow];

pub fn out() -> anstream::AutoStream<io::StdoutLock<'static>> {
    anstream::AutoStream::auto(io::stdout().lock())
}

/// A line that was typed, of any bytes; of one that is longer than any move, the beginning.
pub fn read_line() -> io::Result<Option<String>> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let most = foregone::any::LONGEST_TEXT as u64;
    if (&mut input).take(most).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let mut rest = line.clone();
    while !rest.is_empty() && !rest.ends_with(b"\n") {
        rest.clear();
        (&mut input).take(most).read_until(b'\n', &mut rest)?;
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// A line that is to be read at once.
pub fn say(text: &str) -> io::Result<()> {
    let mut out = out();
    writeln!(out, "{text}")?;
    out.flush()
}

pub fn error(error: &anyhow::Error) {
    let mut err = anstream::stderr().lock();
    let label = "error:".style(Style::new().red().bold()).to_string();
    // A terminal that is gone cannot be told of it.
    let _ = writeln!(err, "{label} {error:#}");
}

/// A word in the colour of a side.
pub fn side(text: &str, side: Side) -> String {
    text.style(Style::new().color(SIDES[side.index()]).bold()).to_string()
}

pub fn bold(text: &str) -> String {
    text.style(Style::new().bold()).to_string()
}

pub fn dim(text: &str) -> String {
    text.style(Style::new().dimmed()).to_string()
}

/// A text in the colour of a result.
pub fn verdict(text: &str, verdict: Option<Verdict>) -> String {
    let style = match verdict {
        Some(Verdict::Win) => Style::new().green(),
        Some(Verdict::Loss) => Style::new().red(),
        Some(Verdict::Draw) => Style::new().yellow(),
        None => Style::new().dimmed(),
    };
    text.style(style).to_string()
}

/// A board, indented, each side's pieces in its colour.
pub fn board(drawing: &Drawing) -> String {
    let paint = |cell: &foregone::Cell, text: &str| match cell.owner {
        Some(owner) => side(text, owner),
        None if cell.target => dim(text),
        None => text.to_owned(),
    };
    drawing.render(&paint).iter().map(|line| format!("  {line}\n")).collect()
}

/// The board and a line that says whose turn it is or how the game has ended.
pub fn position(session: &dyn Session, voice: Voice<'_>) -> String {
    format!("{}  {}\n", board(&session.drawing()), voice.status(session))
}

/// Rows in columns, the first row bold; columns of `right` are aligned to the right.
pub fn table(head: &[&str], rows: Vec<Vec<String>>, right: &[usize]) -> String {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::NOTHING);
    table.set_header(head.iter().map(|text| Cell::new(bold(text))));
    table.add_rows(rows);
    for at in right {
        if let Some(column) = table.column_mut(*at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}

/// Words joined by spaces in lines that fit a terminal, indented by two.
pub fn wrap(words: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for word in words {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH - 2 {
            text.push('\n');
            width = 0;
        }
        text += if width == 0 { "  " } else { " " };
        text += &word;
        width += 1 + length;
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// Work that is done this soon shows no progress.
const SOON: Duration = Duration::from_millis(300);

/// How progress shows: towards a number that is known, and if none is.
const TOWARDS: &str =
    "{spinner} {msg} {bar:24} {human_pos} of {human_len} positions, {rate}/s, {eta} left";
const ONWARDS: &str = "{spinner} {msg}: {human_pos} positions, {rate}/s, {elapsed}";

/// Long work: shows progress on a terminal, and listens to Ctrl-C and to a polite kill.
pub struct Working {
    bar: ProgressBar,
    stop: Arc<AtomicBool>,
}

/// Whether long work is under way that Ctrl-C should stop; else it ends the program.
static BUSY: AtomicBool = AtomicBool::new(false);

impl Working {
    /// Begins long work.
    pub fn start() -> Working {
        static HANDLER: std::sync::OnceLock<Arc<AtomicBool>> = std::sync::OnceLock::new();
        let stop = HANDLER.get_or_init(|| {
            let stop = Arc::new(AtomicBool::new(false));
            let asked = stop.clone();
            // A polite kill asks for the same. Without a handler either ends the program at once,
            // which is as good as can be had.
            let _ = ctrlc::set_handler(move || {
                let again = asked.swap(true, Ordering::Relaxed);
                if again || !BUSY.load(Ordering::Relaxed) {
                    std::process::exit(1);
                }
            });
            stop
        });
        stop.store(false, Ordering::Relaxed);
        BUSY.store(true, Ordering::Relaxed);
        // The bar counts from the beginning, and shows when the work turns out to be long.
        Working { bar: ProgressBar::hidden(), stop: stop.clone() }
    }

    /// Says what the work is at, until it comes to something else.
    pub fn note(&self, text: String) {
        self.bar.set_message(text);
    }

    /// Control that is stopped by Ctrl-C or a polite kill and shows progress.
    pub fn control(&self) -> Control {
        let bar = self.bar.clone();
        let shown = std::sync::Mutex::new(("", None));
        let terminal = io::stderr().is_terminal();
        let listener: Listener = Arc::new(move |progress: Progress| {
            if !terminal {
                return;
            }
            if bar.is_hidden() && bar.elapsed() > SOON {
                bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            let mut shown = shown.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            let (phase, bounds) = *shown;
            *shown = (progress.phase, progress.bounds);
            if phase != progress.phase {
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
            if *shown != (phase, bounds) {
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
        Control::default().with_stop(self.stop.clone()).with_listener(listener)
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        BUSY.store(false, Ordering::Relaxed);
    }
}

fn style(template: &str) -> ProgressStyle {
    let rate = |state: &ProgressState, text: &mut dyn fmt::Write| {
        // Progress that cannot be shown is no reason to stop the work.
        let _ = write!(text, "{}", HumanCount(state.per_sec() as u64));
    };
    let style = ProgressStyle::with_template(template);
    style.unwrap_or_else(|_| ProgressStyle::default_bar()).with_key("rate", rate)
}
