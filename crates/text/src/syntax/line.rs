//! Lines of text with their tokens, as a tree: the lines that are indented more belong to the line
//! before them. A wrong line is reported, and does not hide mistakes in other lines.

use super::parse::STATEMENTS;
use crate::problem::{Problem, Span};

/// A word, a number or a sign.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub text: String,
    pub span: Span,
}

/// A line, with the lines that belong to it.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub tokens: Vec<Token>,
    /// The text without comment.
    pub text: String,
    /// From the first to the last token.
    pub span: Span,
    /// The number of spaces before the first word.
    pub indent: usize,
    pub children: Vec<Line>,
}

impl Line {
    /// The words of the line, parted by spaces: for letters of pieces and drawings.
    pub fn words(&self) -> Vec<Token> {
        let mut words: Vec<Token> = Vec::new();
        let mut within = false;
        for (column, character) in self.text.chars().enumerate() {
            if character.is_whitespace() {
                within = false;
                continue;
            }
            if !within {
                let span = Span { line: self.span.line, column, length: 0 };
                words.push(Token { text: String::new(), span });
                within = true;
            }
            if let Some(word) = words.last_mut() {
                word.text.push(character);
                word.span.length += 1;
            }
        }
        words
    }

    /// The text after its first word.
    pub fn rest(&self) -> &str {
        let text = self.text.trim();
        text.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim())
    }
}

/// At most this many levels of indentation.
const DEEPEST: usize = 24;

/// Signs of more than one character.
const LONG: [&str; 8] = ["==", "!=", "<=", ">=", "+=", "-=", "..", "->"];

/// The lines of a text as a tree.
pub(crate) fn lines(text: &str, problems: &mut Vec<Problem>) -> Vec<Line> {
    // The open lines, each with its indentation.
    let mut open: Vec<(usize, Line)> = Vec::new();
    let mut tops = Vec::new();
    for (number, raw) in text.lines().enumerate() {
        if let Some(column) = raw.chars().position(|c| c == '\r') {
            let message =
                "found a carriage return within a line: save the text with other line ends";
            problems.push(Problem::new(Span { line: number, column, length: 1 }, message));
            return Vec::new();
        }
        let (body, _) = split_comment(raw);
        let indent = body.chars().take_while(|c| c.is_whitespace()).count();
        let tokens = tokens(body, number, problems);
        let Some(span) = tokens.first().zip(tokens.last()).map(|(a, b)| a.span.to(b.span)) else {
            continue;
        };
        if body.chars().take(indent).any(|c| c != ' ') {
            let place = Span { line: number, column: 0, length: indent };
            problems.push(Problem::new(
                place,
                "expected spaces before the first word, no tabs or other blanks",
            ));
        }
        while open.last().is_some_and(|(other, _)| *other >= indent) {
            close(&mut open, &mut tops);
        }
        if open.len() >= DEEPEST {
            problems.push(Problem::new(span, format!("lines are nested more than {DEEPEST} deep")));
            return tops;
        }
        open.push((
            indent,
            Line { tokens, text: body.to_owned(), span, indent, children: Vec::new() },
        ));
    }
    while !open.is_empty() {
        close(&mut open, &mut tops);
    }
    tops
}

/// Reports lines that are not indented like the first one. Drawings need not be.
pub(crate) fn check_even(lines: &[Line], expected: usize, problems: &mut Vec<Problem>) {
    for line in lines.iter().filter(|line| line.indent != expected) {
        let message = match expected {
            0 => "expected no spaces before this line".to_owned(),
            _ => format!(
                "expected {expected} spaces before this line, as before line {}",
                lines[0].span.line + 1
            ),
        };
        problems.push(Problem::new(line.span, message));
    }
}

/// Gives the last open line to the line that it belongs to.
fn close(open: &mut Vec<(usize, Line)>, tops: &mut Vec<Line>) {
    if let Some((_, line)) = open.pop() {
        open.last_mut().map_or(tops, |(_, parent)| &mut parent.children).push(line);
    }
}

/// The text before `#`, and what follows.
pub(super) fn split_comment(line: &str) -> (&str, Option<&str>) {
    let (body, comment) = line.split_once('#').map_or((line, None), |(a, b)| (a, Some(b)));
    (body.trim_end(), comment)
}

/// Whether a character shows nothing, or changes the order or the lines in which others are shown: two texts would look
/// alike and not be the same.
pub(crate) fn is_invisible(c: char) -> bool {
    match c {
        '\t' => false,
        '\u{ad}'
        | '\u{34f}'
        | '\u{61c}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{180e}'
        | '\u{200b}'..='\u{200f}' => true,
        '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{2800}'
        | '\u{3164}'
        | '\u{feff}' => true,
        '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}' => true,
        c => c.is_control(),
    }
}

pub(super) fn tokens(text: &str, line: usize, problems: &mut Vec<Problem>) -> Vec<Token> {
    let characters: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(&first) = characters.get(at) {
        if is_invisible(first) {
            let message =
                format!("found an invisible character, {}: remove it", first.escape_unicode());
            problems.push(Problem::new(Span { line, column: at, length: 1 }, message));
        }
        if first.is_whitespace() || is_invisible(first) {
            at += 1;
            continue;
        }
        let is_word = |c: &char| (c.is_alphanumeric() || *c == '_') && !is_invisible(*c);
        let long =
            LONG.iter().find(|sign| sign.chars().eq(characters[at..].iter().take(2).copied()));
        let length = match long {
            _ if is_word(&first) => characters[at..].iter().take_while(|c| is_word(c)).count(),
            Some(sign) => sign.len(),
            None => 1,
        };
        let span = Span { line, column: at, length };
        tokens.push(Token { text: characters[at..at + length].iter().collect(), span });
        at += length;
    }
    tokens
}

/// The tokens of a line that are not read yet.
pub(crate) struct Tokens<'a> {
    left: &'a [Token],
    /// Where the line ends.
    end: Span,
}

/// An error for a word that begins a statement.
pub(super) fn new_name(name: &Token) -> Result<(), Problem> {
    match STATEMENTS.contains(&name.text.as_str()) {
        true => {
            let message = format!("`{}` begins a statement: choose another name", name.text);
            Err(Problem::new(name.span, message))
        }
        false => Ok(()),
    }
}

impl<'a> Tokens<'a> {
    pub fn new(line: &'a Line) -> Tokens<'a> {
        let Span { line: number, column, length } = line.span;
        let end = Span { line: number, column: column + length, length: 1 };
        Tokens { left: &line.tokens, end }
    }

    /// The next token, or an empty one at the end.
    pub fn peek(&self) -> &'a str {
        self.left.first().map_or("", |token| &token.text)
    }

    /// The place of the next token.
    pub fn span(&self) -> Span {
        self.left.first().map_or(self.end, |token| token.span)
    }

    pub fn is_done(&self) -> bool {
        self.left.is_empty()
    }

    pub fn next(&mut self) -> Option<&'a Token> {
        let (first, left) = self.left.split_first()?;
        self.left = left;
        Some(first)
    }

    /// Takes the next token if it is this one.
    pub fn eat(&mut self, text: &str) -> bool {
        let is = self.peek() == text && !self.left.is_empty();
        if is {
            self.left = &self.left[1..];
        }
        is
    }

    /// Takes this token.
    pub fn expect(&mut self, text: &str) -> Result<(), Problem> {
        match self.eat(text) {
            true => Ok(()),
            false => Err(self.found(&format!("`{text}`"))),
        }
    }

    /// A problem with the next token.
    pub fn found(&self, expected: &str) -> Problem {
        let message = match self.peek() {
            "" => format!("expected {expected} at the end of the line"),
            found => format!("expected {expected}, found `{found}`"),
        };
        Problem::new(self.span(), message)
    }

    /// Expects the end of the line.
    pub fn end(&self) -> Result<(), Problem> {
        match self.is_done() {
            true => Ok(()),
            false => Err(self.beyond("the end of the line")),
        }
    }

    /// A problem with what stands after a complete expression.
    pub fn beyond(&self, expected: &str) -> Problem {
        match self.peek() {
            "=" => Problem::new(self.span(), "found `=`; to compare, write `==`"),
            "else" => Problem::new(self.span(), "found `else`, which begins a line of its own"),
            ".." => Problem::new(
                self.span(),
                "found `..`, which stands in `choose n in 1..3` alone; `repeat 3` does something 3 times",
            ),
            word @ ("in" | "is") => {
                let message =
                    format!("found `{word}`; whether a cell is one of others is `cell & others`");
                Problem::new(self.span(), message)
            }
            _ => self.found(expected),
        }
    }

    /// Takes a name that is given here: none by which a statement begins, since a line could then be read in two ways.
    pub fn new_name(&mut self, expected: &str) -> Result<Token, Problem> {
        let name = self.name(expected)?;
        new_name(&name).map(|()| name)
    }

    /// Takes a name.
    pub fn name(&mut self, what: &str) -> Result<Token, Problem> {
        let is_name = self.peek().starts_with(|c: char| c.is_alphabetic() || c == '_');
        match self.left.first().filter(|_| is_name) {
            Some(token) => {
                self.next();
                Ok(token.clone())
            }
            None => Err(self.found(what)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(lines: &[Line]) -> String {
        let one = |line: &Line| match line.children.is_empty() {
            true => line.tokens[0].text.clone(),
            false => format!("{}({})", line.tokens[0].text, shape(&line.children)),
        };
        lines.iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn indented_lines_belong_to_the_line_before() {
        let mut problems = Vec::new();
        let lines = lines("a\n  b # c\n    c\n\n    d\n  e\nf", &mut problems);
        assert_eq!(shape(&lines), "a(b(c d) e) f");
        assert!(problems.is_empty());
    }

    #[test]
    fn uneven_indentation_is_a_problem() {
        for (text, column) in [("a\n    b\n  c\n", 2), ("a\n\tb", 0)] {
            let mut problems = Vec::new();
            let lines = lines(text, &mut problems);
            check_even(&lines[0].children, lines[0].children[0].indent, &mut problems);
            assert_eq!(problems.len(), 1, "{text:?} {problems:?}");
            assert_eq!(problems[0].span.column, column, "{text:?}");
        }
        let mut problems = Vec::new();
        check_even(&lines(" a", &mut Vec::new()), 0, &mut problems);
        assert_eq!(problems.len(), 1);
    }

    #[test]
    fn tokens_know_their_places() {
        let mut problems = Vec::new();
        let lines = lines("put b on row(rows)|a1..3 -> x", &mut problems);
        let texts: Vec<_> = lines[0].tokens.iter().map(|token| &token.text[..]).collect();
        let expected = ["put", "b", "on", "row", "(", "rows", ")", "|", "a1", "..", "3", "->", "x"];
        assert_eq!(texts, expected);
        assert_eq!(lines[0].tokens[8].span, Span { line: 0, column: 19, length: 2 });
        assert_eq!(lines[0].words()[3].text, "row(rows)|a1..3");
    }
}
