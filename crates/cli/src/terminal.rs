//! Output to a terminal: colours, boards, tables, errors. Other output has no colours.

use std::io::{self, BufRead, Read, Write};

use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use foregone::{AnyGame, Session, Side, game::Verdict, show::Drawing};
use owo_colors::{AnsiColors, OwoColorize, Style};

use foregone_page::words::Voice;

/// The width of text in characters, at least and at most on a terminal, and elsewhere.
const WIDTHS: [usize; 2] = [20, 100];
const WIDTH: usize = 80;

/// The width of the terminal; `None` if the output is none.
fn width() -> Option<usize> {
    let (_, columns) = console::Term::stdout().size_checked()?;
    Some(usize::from(columns).clamp(WIDTHS[0], WIDTHS[1]))
}

/// The colours of the two sides. Colour-blind people can tell them apart, and the letters differ too.
const SIDES: [AnsiColors; 2] = [AnsiColors::BrightCyan, AnsiColors::BrightYellow];

pub fn out() -> anstream::AutoStream<io::StdoutLock<'static>> {
    anstream::AutoStream::auto(io::stdout().lock())
}

/// Reads a line of any bytes, cut off if it is longer than any move; `None` at the end of the input.
pub fn read_line() -> io::Result<Option<String>> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    let max = foregone::any::LONGEST_TEXT as u64;
    if (&mut input).take(max).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let mut rest = line.clone();
    while !rest.is_empty() && !rest.ends_with(b"\n") {
        rest.clear();
        (&mut input).take(max).read_until(b'\n', &mut rest)?;
    }
    Ok(Some(String::from_utf8_lossy(&line).into_owned()))
}

/// Prints a line and flushes it.
pub fn say(text: &str) -> io::Result<()> {
    let mut out = out();
    writeln!(out, "{text}")?;
    out.flush()
}

pub fn error(error: &anyhow::Error) {
    labelled("error:", Style::new().red().bold(), &format!("{error:#}"));
}

/// What is no error, but good to know.
pub fn note(text: &str) {
    labelled("note:", Style::new().bold(), text);
}

fn labelled(label: &str, style: Style, text: &str) {
    // If standard error is closed, the message is lost.
    let _ = writeln!(anstream::stderr().lock(), "{} {text}", label.style(style));
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

/// The first line of all output about a game: its title, and its name with all parameters.
pub fn heading(game: &dyn AnyGame) -> String {
    let (title, specification) = (game.title(), game.specification());
    let fits = title.chars().count() + specification.len() + 2 <= width().unwrap_or(usize::MAX);
    if fits {
        return format!("{}  {}", bold(title), dim(&specification));
    }
    // A parameter is not broken.
    let parts = specification.split_inclusive(',').map(dim).collect::<Vec<_>>();
    format!("{}\n  {}", bold(title), parts.join("\n    "))
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

/// Discs of the two sides, for terminals that have them.
const DISCS: [&str; 2] = ["●", "○"];

/// A board, indented, with the pieces in the colours of their sides; with discs and closed lines if the terminal has
/// them.
pub fn board(drawing: &Drawing) -> String {
    let has_signs = console::Term::stdout().features().wants_emoji();
    let paint = |cell: &foregone::show::Cell, text: &str| match cell.owner {
        Some(owner) if cell.disc && has_signs => side(DISCS[owner.index()], owner),
        Some(owner) => side(text, owner),
        None if cell.target => dim(text),
        None => text.to_owned(),
    };
    let mut lines = drawing.render(&paint);
    if has_signs && matches!(drawing, Drawing::Grid(_)) {
        close(&mut lines);
    }
    lines.iter().map(|line| format!("  {line}\n")).collect()
}

/// Closes the lines of a grid.
fn close(lines: &mut [String]) {
    let is_border = |line: &String| line.trim_start().starts_with('+');
    let Some(last) = lines.iter().rposition(is_border) else { return };
    for (at, line) in lines[..=last].iter_mut().enumerate() {
        if !is_border(line) {
            *line = line.replace('|', "│");
            continue;
        }
        let [left, cross, right] = match at {
            0 => ['┌', '┬', '┐'],
            _ if at == last => ['└', '┴', '┘'],
            _ => ['├', '┼', '┤'],
        };
        let [first, end] = [line.find('+'), line.rfind('+')];
        let closed = line.char_indices().map(|(at, sign)| match sign {
            '-' => '─',
            '+' if Some(at) == first => left,
            '+' if Some(at) == end => right,
            '+' => cross,
            other => other,
        });
        *line = closed.collect();
    }
}

/// The board, and whose turn it is or the result; with the disc of the side to move if there are discs.
pub fn position(session: &dyn Session, voice: Voice<'_>) -> String {
    let (drawing, turn) = (session.drawing(), session.turn());
    let has_disc = session.outcome().is_none() && drawing.cells().any(|cell| cell.disc);
    let disc = match has_disc && console::Term::stdout().features().wants_emoji() {
        true => side(DISCS[turn.index()], turn) + " ",
        false => String::new(),
    };
    format!("{}  {disc}{}\n", board(&drawing), voice.status(session))
}

/// Rows in columns.
pub fn rows(rows: Vec<Vec<String>>) -> String {
    table(&[], rows, &[])
}

/// Rows in columns, below a bold head; columns of `right` are aligned to the right. On a terminal that is too narrow for
/// the words of all columns, each row becomes lines.
pub fn table(head: &[&str], rows: Vec<Vec<String>>, right: &[usize]) -> String {
    let mut table = Table::new();
    if !head.is_empty() {
        table.set_header(head.iter().map(|text| Cell::new(bold(text))));
    }
    table.load_style(comfy_table::presets::NOTHING);
    if let Some(width) = width() {
        let words = |at: usize| {
            let cells = rows.iter().filter_map(|row| Some(longest_word(row.get(at)?)));
            cells.chain(head.get(at).map(|text| longest_word(text))).max().unwrap_or(0)
        };
        let count = rows.iter().map(Vec::len).max().unwrap_or(0);
        if !head.is_empty() && (0..count).map(|at| words(at) + 2).sum::<usize>() > width {
            return rows.iter().map(|row| stacked(head, row)).collect::<Vec<_>>().join("\n");
        }
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width as u16 - 1);
    }
    table.add_rows(rows);
    for at in right {
        if let Some(column) = table.column_mut(*at) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.lines().map(|line| format!(" {}\n", line.trim_end())).collect()
}

/// The width of the longest word of a text.
fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(console::measure_text_width).max().unwrap_or(0)
}

/// Names, each with a text beside it, whose lines begin below one another.
pub fn list<N: AsRef<str>>(items: &[(N, String)]) -> String {
    let names = items.iter().map(|(name, _)| name.as_ref().len()).max().unwrap_or(0);
    let line = |(name, text): &(N, String)| {
        let (name, gap) = (name.as_ref(), " ".repeat(names - name.as_ref().len() + 2));
        let text = lines(text.split_whitespace(), names + 2, width());
        format!("{}{gap}{}\n", bold(name), text.trim_start())
    };
    items.iter().map(line).collect()
}

/// The cells of a row below one another, each after its head; empty ones are left out.
fn stacked(head: &[&str], row: &[String]) -> String {
    let cells = head.iter().zip(row).filter(|(_, cell)| !cell.trim().is_empty());
    let cell = |(head, cell): (&&str, &String)| match head.is_empty() {
        true => fit(&format!("  {cell}\n")),
        false => fit(&format!("  {}: {cell}\n", bold(head))),
    };
    cells.map(cell).collect()
}

/// A text without words that the terminal would break: lines that are too long go on below.
pub fn fit(text: &str) -> String {
    let width = width();
    let fitted = |line: &str| {
        let plain = line.trim_end();
        if width.is_none_or(|width| console::measure_text_width(plain) <= width) {
            return plain.to_owned();
        }
        lines(plain.split_whitespace(), plain.len() - plain.trim_start().len(), width)
    };
    text.split('\n').map(fitted).collect::<Vec<_>>().join("\n")
}

/// Words joined by spaces in lines that fit a terminal, indented by two.
pub fn wrap(words: impl IntoIterator<Item = String>) -> String {
    let words: Vec<String> = words.into_iter().collect();
    match words.is_empty() {
        true => String::new(),
        false => lines(words.iter().map(String::as_str), 2, width().or(Some(WIDTH))) + "\n",
    }
}

/// Words joined by spaces, in lines of this width with an indent.
fn lines<'w>(words: impl Iterator<Item = &'w str>, indent: usize, width: Option<usize>) -> String {
    let mut text = " ".repeat(indent);
    let mut column = indent;
    for word in words {
        let length = console::measure_text_width(word);
        if column > indent && width.is_some_and(|width| column + 1 + length > width) {
            text += "\n";
            text += &" ".repeat(indent);
            column = indent;
        } else if column > indent {
            text.push(' ');
            column += 1;
        }
        text += word;
        column += length;
    }
    text
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_grid_has_closed_lines() {
        let mut lines = [
            "  +---+---+",
            "1 | X |   |",
            "  +---+---+",
            "2 |   | - |",
            "  +---+---+",
            "    a   b",
        ]
        .map(str::to_owned);
        super::close(&mut lines);
        let closed = [
            "  ┌───┬───┐",
            "1 │ X │   │",
            "  ├───┼───┤",
            "2 │   │ - │",
            "  └───┴───┘",
            "    a   b",
        ];
        assert_eq!(lines, closed);
    }
}
