//! A text in the usual form: two spaces for each level, one space between words, none before `,`.
//! Only spaces and empty lines change, never a word.

use super::line::{Token, split_comment, tokens};

/// The parts whose lines are prose.
pub(crate) const PROSE: [&str; 3] = ["about", "source", "known"];

/// The parts whose words are parted by spaces alone.
const WORDS: [&str; 5] = ["game", "unit", "sides", "piece", "test"];

/// Words before which and after which a sign is no function or operator of theirs.
pub(super) const KEYWORDS: [&str; 26] = [
    "ring", "cylinder", "torus", "hexagons", "copies", "in", "on", "if", "and", "or", "not", "no",
    "let", "require", "prefer", "choose", "put", "clear", "move", "score", "repeat", "for", "else",
    "by", "without", "board",
];

/// What a part of a text is for, by its first word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Prose,
    Words,
    /// Lines below are a drawing.
    Drawing,
    Picture,
    Statements,
}

/// A line with its comment, as it stands in the text.
struct Line<'a> {
    indent: usize,
    body: &'a str,
    comment: Option<&'a str>,
    /// Whether an empty line stands before it.
    apart: bool,
}

/// The text in the usual form, with its comments or without them.
pub(crate) fn formatted(text: &str, comments: bool) -> String {
    let mut out = String::new();
    // The indentation of the open lines.
    let mut open: Vec<usize> = Vec::new();
    let mut part = Part::Statements;
    // How a drawing is shifted: from the first of these columns to the second.
    let mut shift: Option<[usize; 2]> = None;
    let all = lines(text, comments);
    for (at, line) in all.iter().enumerate() {
        // A comment of its own stands like the line that follows.
        let place = all[at..].iter().find(|line| !line.body.is_empty());
        let indent = place.map_or(0, |line| line.indent);
        while open.last().is_some_and(|other| *other >= indent) {
            open.pop();
        }
        if line.apart && !out.is_empty() {
            out.push('\n');
        }
        let mut column = 2 * open.len();
        if !line.body.is_empty() {
            if open.is_empty() {
                (part, shift) = (part_of(line.body, &all[at + 1..]), None);
            } else if part == Part::Drawing {
                let below = all[at..].iter().filter(|line| !line.body.is_empty());
                let below = below.take_while(|line| line.indent > open[0]);
                let least = below.map(|line| line.indent).min().unwrap_or(0);
                let [from, to] = *shift.get_or_insert([least, 2]);
                column = line.indent.saturating_sub(from) + to;
            }
            if part != Part::Drawing || open.is_empty() {
                open.push(indent);
            }
        }
        out.extend(std::iter::repeat_n(' ', column));
        match (part, open.len()) {
            (Part::Drawing, 1) if indent > 0 => out.push_str(line.body),
            (Part::Prose | Part::Words, _) => out.push_str(&words(line.body)),
            (Part::Picture, _) if line.body.contains(" as ") => out.push_str(&words(line.body)),
            _ => out.push_str(&signs(line.body)),
        }
        if let Some(comment) = line.comment {
            let gap = if line.body.is_empty() { "" } else { "  " };
            let space = if comment.is_empty() { "" } else { " " };
            out += &format!("{gap}#{space}{comment}");
        }
        out.push('\n');
    }
    out
}

/// The lines that say something.
fn lines(text: &str, comments: bool) -> Vec<Line<'_>> {
    let mut lines = Vec::new();
    let mut apart = false;
    for raw in text.lines() {
        let (body, comment) = split_comment(raw);
        let comment = comment.filter(|_| comments).map(str::trim);
        let indent = body.chars().take_while(|c| c.is_whitespace()).count();
        let body = body.trim();
        if body.is_empty() && comment.is_none() {
            apart |= comments;
            continue;
        }
        lines.push(Line { indent, body, comment, apart });
        apart = false;
    }
    lines
}

fn part_of(body: &str, below: &[Line<'_>]) -> Part {
    let head = tokens(body, 0, &mut Vec::new());
    let first = head.first().map_or("", |token| &token.text[..]);
    let below = below.iter().filter(|line| !line.body.is_empty());
    let mut below = below.take_while(|line| line.indent > 0);
    match first {
        _ if PROSE.contains(&first) => Part::Prose,
        _ if WORDS.contains(&first) => Part::Words,
        "board" => Part::Drawing,
        "picture" => Part::Picture,
        "start" => {
            let is_statement =
                |line: &Line<'_>| is_statement(&tokens(line.body, 0, &mut Vec::new()));
            match below.any(is_statement) {
                true => Part::Statements,
                false => Part::Drawing,
            }
        }
        _ => Part::Statements,
    }
}

/// Whether a line below `start` is a statement; if none is, they are a drawing.
pub(super) fn is_statement(tokens: &[Token]) -> bool {
    let begins = ["put", "for", "if", "repeat", "let", "clear"];
    tokens.len() > 1 && begins.contains(&&tokens[0].text[..])
        || tokens.iter().any(|token| token.text == "=")
}

fn words(body: &str) -> String {
    body.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A line of tokens.
fn signs(body: &str) -> String {
    let tokens = tokens(body, 0, &mut Vec::new());
    let mut line = String::new();
    // What follows `:` of a parameter or number is prose.
    let parameter = matches!(tokens.first(), Some(first) if ["parameter", "number", "require"].contains(&&first.text[..]));
    for (at, token) in tokens.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| &tokens[before]);
        if before.is_some_and(|before| is_apart(&tokens[..at], before, token)) {
            line.push(' ');
        }
        line.push_str(&token.text);
        if token.text == ":" && parameter {
            let rest: String = body.chars().skip(token.span.column + 1).collect();
            let rest = words(&rest);
            return if rest.is_empty() { line } else { line + " " + &rest };
        }
    }
    line
}

/// Whether a space parts two tokens; `line` is all up to the first of them.
fn is_apart(line: &[Token], before: &Token, token: &Token) -> bool {
    let is_word = |token: &Token| token.text.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_value =
        |token: &Token| token.text == ")" || is_word(token) && !KEYWORDS.contains(&&token.text[..]);
    match (&before.text[..], &token.text[..]) {
        (_, "," | ";" | ":" | ")" | "..") | ("(" | "..", _) => false,
        (_, "(") => !is_value(before) || before.text == ")",
        // A sign before a number: only after another sign or a keyword.
        ("-", _) => line.len() > 1 && is_value(&line[line.len() - 2]),
        _ => true,
    }
}
