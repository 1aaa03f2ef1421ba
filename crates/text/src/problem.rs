//! What is wrong with a text, and where. All problems of a text are reported at once.

use std::fmt;

use foregone_rules::sort::by_rank;

use crate::syntax::is_invisible;

/// A place in a text: a part of one line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// The line, from 0.
    pub line: usize,
    /// The first character, from 0.
    pub column: usize,
    /// The number of characters.
    pub length: usize,
}

impl Span {
    /// The part of a line from the beginning of this span to the end of a later one.
    pub(crate) fn to(self, last: Span) -> Span {
        let end = if last.line == self.line { last.column + last.length } else { 0 };
        Span { length: end.saturating_sub(self.column).max(self.length), ..self }
    }
}

/// One thing that is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub span: Span,
    /// What was found, and what was expected.
    pub message: String,
}

impl Problem {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> Problem {
        Problem { span, message: message.into() }
    }
}

/// The problems of a text, in the order of their places; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problems {
    problems: Vec<Problem>,
    /// The lines that they are in, with their numbers.
    lines: Vec<(usize, String)>,
}

impl Problems {
    /// At most this many problems are kept.
    pub(crate) const MAX: usize = 20;

    /// At most this many characters of a line are shown.
    const WIDEST: usize = 120;

    /// The problems of `text`; at least one.
    pub(crate) fn new(text: &str, mut problems: Vec<Problem>) -> Problems {
        by_rank(&mut problems, &|Problem { span, .. }| {
            (span.line as i64) << 32 | span.column as i64
        });
        problems.dedup();
        problems.truncate(Problems::MAX);
        let shown = |number: usize| problems.iter().any(|problem| problem.span.line == number);
        let lines = text.lines().enumerate().filter(|(number, _)| shown(*number));
        // A terminal would obey control characters.
        let visible = |c: char| if is_invisible(c) { '\u{fffd}' } else { c };
        let cut = |line: &str| line.chars().take(Problems::WIDEST).map(visible).collect();
        let lines = lines.map(|(number, line)| (number, cut(line))).collect();
        Problems { problems, lines }
    }

    /// The problems, in the order of their places.
    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.problems.iter()
    }

    /// The problems for people: place, message, and the line with a mark under the place. `name` is
    /// that of the file.
    ///
    /// ```
    /// let problems = foregone_text::Text::parse("game Nothing\nbord 3 3\n").unwrap_err();
    /// let shown = problems.shown("nothing.rules");
    /// assert!(shown.starts_with("nothing.rules:2:1: "), "{shown}");
    /// assert!(shown.contains("  2 | bord 3 3\n    | ^^^^"), "{shown}");
    /// ```
    pub fn shown(&self, name: &str) -> String {
        self.problems.iter().map(|problem| self.one(problem, name)).collect::<Vec<_>>().join("\n\n")
    }

    fn one(&self, problem: &Problem, name: &str) -> String {
        let Span { line, column, length } = problem.span;
        let number = (line + 1).to_string();
        let head = format!("{name}:{number}:{}: {}", column + 1, problem.message);
        let Some((_, text)) = self.lines.iter().find(|(each, _)| *each == line) else {
            return head;
        };
        let margin = " ".repeat(number.len());
        let room = Problems::WIDEST.saturating_sub(column);
        // Tabs keep their width.
        let before = text.chars().take(column).map(|c| if c == '\t' { c } else { ' ' });
        let before: String = before.collect();
        let mark = "^".repeat(length.clamp(1, room.max(1)));
        match room {
            0 => format!("{head}\n  {number} | {text}…"),
            _ => format!("{head}\n  {number} | {text}\n  {margin} | {before}{mark}"),
        }
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown("line"))
    }
}

impl std::error::Error for Problems {}

/// A question with the word nearest to `text`; empty if none is near.
pub(crate) fn did_you_mean<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> String {
    let max = text.chars().count().div_ceil(3);
    let near = words.into_iter().map(|word| (edits(text, word), word));
    match near.filter(|(edits, _)| *edits <= max).min_by_key(|(edits, _)| *edits) {
        Some((_, word)) => format!("; did you mean `{word}`?"),
        None => String::new(),
    }
}

/// A number with commas between groups of three digits.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |at: usize| at > 0 && (digits.len() - at).is_multiple_of(3);
    let each = digits.char_indices().map(|(at, digit)| match comma(at) {
        true => format!(",{digit}"),
        false => digit.to_string(),
    });
    each.collect()
}

/// The longest word that is compared: a text may have hundreds of wrong words and of names.
const LONGEST_WORD: usize = 24;

/// The edit distance of two words, where the exchange of two neighbours is one edit; the largest
/// number if the words are long or differ much in length.
fn edits(one: &str, other: &str) -> usize {
    let letters = |word: &str| word.chars().take(2 * LONGEST_WORD).collect::<Vec<char>>();
    let (one, other) = (letters(one), letters(other));
    if one.len().abs_diff(other.len()) > LONGEST_WORD / 3 || one.len() > LONGEST_WORD {
        return usize::MAX;
    }
    let mut rows: Vec<Vec<usize>> = vec![(0..=other.len()).collect()];
    for at in 1..=one.len() {
        let mut row = vec![at];
        for to in 1..=other.len() {
            let same = usize::from(one[at - 1] != other[to - 1]);
            let mut least =
                (rows[at - 1][to] + 1).min(row[to - 1] + 1).min(rows[at - 1][to - 1] + same);
            if at > 1 && to > 1 && one[at - 1] == other[to - 2] && one[at - 2] == other[to - 1] {
                least = least.min(rows[at - 2][to - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[one.len()][other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_are_proposed() {
        assert_eq!(edits("board", "bord"), 1);
        assert_eq!(edits("mien", "mine"), 1);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(did_you_mean("thiers", ["mine", "theirs"]), "; did you mean `theirs`?");
        assert_eq!(did_you_mean("x", ["mine", "theirs"]), "");
        let long = "a".repeat(LONGEST_WORD + 1);
        assert_eq!(did_you_mean(&long, [long.as_str()]), "");
    }

    #[test]
    fn the_mark_is_under_the_place() {
        let span = Span { line: 1, column: 4, length: 2 };
        let problems = Problems::new("one\n\tab cd\n", vec![Problem::new(span, "wrong")]);
        assert_eq!(problems.shown("x"), "x:2:5: wrong\n  2 | \tab cd\n    | \t   ^^");
        let problems = Problems::new("one\n\x1b[1m\n", vec![Problem::new(span, "wrong")]);
        assert!(problems.shown("x").contains("2 | \u{fffd}[1m\n"), "{problems}");
        let far = Span { line: 0, column: 500, length: 3 };
        let problems = Problems::new(&"a".repeat(600), vec![Problem::new(far, "wrong")]);
        assert!(problems.to_string().ends_with("a…"));
    }
}
