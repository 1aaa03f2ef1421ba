//! Warnings: definitions that are never used, one cell that is compared with a whole set, and signs that people read in two
//! ways. `a | b - c` means `(a | b) - c`, and `a & b | c` means `(a & b) | c`; a text that means the other reading is a
//! game, but not the one that its author has in mind.

use super::format::KEYWORDS;
use super::{Line, Token};
use crate::problem::Problem;

/// The items with expressions.
const ITEMS: [&str; 7] = ["zone", "define", "require", "start", "move", "end", "endless"];

/// An operand or a sign of a chain: the tokens from the first to the last.
type Part<'a> = &'a [Token];

/// What is no error, and surely not meant.
pub(crate) fn warnings(items: &[Line]) -> Vec<Problem> {
    let mut found = Vec::new();
    let has_expressions = |item: &&Line| ITEMS.contains(&&*item.tokens[0].text);
    items.iter().filter(has_expressions).for_each(|item| look(item, &mut found));
    found.extend(unused(items));
    // The module for browsers has no room for it.
    if !cfg!(target_family = "wasm") {
        items.iter().for_each(|item| compared(item, &mut Vec::new(), &mut found));
    }
    found
}

/// Comparisons of a chosen cell with all pieces of a side or all empty cells, which hold only if that is one cell; `chosen`
/// are the choices so far.
fn compared<'a>(line: &'a Line, chosen: &mut Vec<&'a str>, found: &mut Vec<Problem>) {
    if let [word, name, from, ..] = &line.tokens[..]
        && ["choose", "for"].contains(&&*word.text)
        && from.text == "in"
    {
        chosen.push(&name.text);
    }
    for (at, three) in line.tokens.windows(3).enumerate() {
        let [cell, sign, set] = three else { continue };
        let is_alone =
            line.tokens.get(at + 3).is_none_or(|next| !is_sign(next) && next.text != "(");
        let not = if sign.text == "!=" { "not " } else { "" };
        if ["==", "!="].contains(&&*sign.text)
            && chosen.contains(&&*cell.text)
            && ["mine", "theirs", "empty", "all"].contains(&&*set.text)
            && is_alone
        {
            let [cell_name, set_name] = [&cell.text, &set.text];
            let message = format!(
                "this compares one cell with all cells of `{set_name}`; for one of them, write `{not}{cell_name} & {set_name}`"
            );
            found.push(Problem::new(cell.span.to(set.span), message));
        }
    }
    line.children.iter().for_each(|line| compared(line, chosen, found));
}

/// Definitions whose names stand nowhere else. If they have parameters, nothing has looked at them.
fn unused(items: &[Line]) -> impl Iterator<Item = Problem> + '_ {
    fn times(lines: &[Line], name: &str) -> usize {
        let of = |line: &Line| {
            let here = line.tokens.iter().filter(|token| token.text == name).count();
            here + times(&line.children, name)
        };
        lines.iter().map(of).sum()
    }
    let names = items.iter().filter(|item| item.tokens[0].text == "define");
    names.filter_map(|item| item.tokens.get(1)).filter(|name| times(items, &name.text) == 1).map(
        |name| {
            let message =
                format!("`{}` is never used, so that its mistakes are not found", name.text);
            Problem::new(name.span, message)
        },
    )
}

fn look(line: &Line, found: &mut Vec<Problem>) {
    let mut at = 0;
    while at < line.tokens.len() {
        at += chain(&line.tokens[at..], found).max(1);
    }
    line.children.iter().for_each(|line| look(line, found));
}

fn is_sign(token: &Token) -> bool {
    ["|", "&", "-"].contains(&&*token.text)
}

/// Reads the chain of operands and signs that tokens begin with, and what is in its brackets; the number of its tokens.
fn chain(tokens: &[Token], found: &mut Vec<Problem>) -> usize {
    // Operands, with a sign between two of them.
    let (mut parts, mut at): (Vec<Part<'_>>, usize) = (Vec::new(), 0);
    loop {
        let length = operand(&tokens[at..], found);
        if length == 0 {
            break;
        }
        parts.push(&tokens[at..at + length]);
        at += length;
        match tokens.get(at) {
            Some(sign) if is_sign(sign) => parts.push(std::slice::from_ref(sign)),
            _ => break,
        }
        at += 1;
    }
    let odd = |three: &[Part<'_>]| {
        let [one, first, two, second, three] = three else { return None };
        let later = match (&*first[0].text, &*second[0].text) {
            ("|", "-") | ("-", "|") | ("&", "|") => false,
            ("|" | "-", "&") => true,
            _ => return None,
        };
        let [one, two, three] = [one, two, three].map(|part| shown(part));
        Some(match later {
            true => format!("({one} {} {two}) {} {three}", first[0].text, second[0].text),
            false => format!("{one} {} ({two} {} {three})", first[0].text, second[0].text),
        })
    };
    if let Some(other) = parts.windows(5).step_by(2).find_map(odd)
        && let [first, .., last] = parts[..]
    {
        // Of a longer chain the other reading is one of many.
        let other = if parts.len() == 5 { format!(", or `{other}`") } else { String::new() };
        let message = format!("this means `{}`; write the brackets{other}", meant(&parts));
        found.extend(last.last().map(|last| Problem::new(first[0].span.to(last.span), message)));
    }
    at
}

/// A chain with the brackets that it means: `&` binds more strongly than `|` and `-`, which are read from the left.
fn meant(parts: &[Part<'_>]) -> String {
    let mut terms = parts.split(|part| part[0].text != "&" && is_sign(&part[0]) && part.len() == 1);
    let mut signs =
        parts.iter().filter(|part| part.len() == 1 && is_sign(&part[0]) && part[0].text != "&");
    let term = |parts: &[Part<'_>]| {
        let text = parts.iter().map(|part| shown(part)).collect::<Vec<_>>().join(" ");
        if parts.len() > 1 { format!("({text})") } else { text }
    };
    let mut all = terms.next().map_or(String::new(), term);
    let mut before = "";
    for next in terms {
        let sign = signs.next().map_or("", |sign| &*sign[0].text);
        if !["", sign].contains(&before) {
            all = format!("({all})");
        }
        all += &format!(" {sign} {}", term(next));
        before = sign;
    }
    all
}

/// The number of tokens of an operand: a name, a number, a call, or what is in brackets; 0 if there is none.
fn operand(tokens: &[Token], found: &mut Vec<Problem>) -> usize {
    let is_word = |token: &Token| {
        token.text.starts_with(|c: char| c.is_alphanumeric() || c == '_')
            && !KEYWORDS.contains(&&*token.text)
    };
    let mut at = usize::from(tokens.first().is_some_and(is_word));
    if at == 1 && tokens[0].text == "their" && tokens.get(1).is_some_and(is_word) {
        at = 2;
    }
    if tokens.get(at).is_some_and(|token| token.text == "(") {
        at += 1;
        while tokens.get(at).is_some_and(|token| token.text != ")") {
            at += chain(&tokens[at..], found).max(1);
        }
        at = (at + 1).min(tokens.len());
    }
    at
}

/// Tokens as their author would write them.
fn shown(tokens: &[Token]) -> String {
    let mut text = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let after_bracket = at == 0 || ["(", ".."].contains(&&*tokens[at - 1].text);
        let apart = !after_bracket && ![",", ")", "(", ".."].contains(&&*token.text);
        text += if apart { " " } else { "" };
        text += &token.text;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::line::lines;
    use super::warnings;

    fn of(expression: &str) -> Vec<String> {
        let text = format!("move\n  choose to in {expression}\n");
        warnings(&lines(&text, &mut Vec::new()))
            .into_iter()
            .map(|problem| problem.message)
            .collect()
    }

    #[test]
    fn both_readings_are_named() {
        for (text, meant, other) in [
            ("a | b - c", "(a | b) - c", "a | (b - c)"),
            ("a - b | c", "(a - b) | c", "a - (b | c)"),
            ("a & b | c", "(a & b) | c", "a & (b | c)"),
            ("a | b & c", "a | (b & c)", "(a | b) & c"),
            ("a - n(b, 2) & c", "a - (n(b, 2) & c)", "(a - n(b, 2)) & c"),
            ("x | n(a | their men - c)", "(a | their men) - c", "a | (their men - c)"),
            (
                "row(1..2) | (a) - (b | c)",
                "(row(1..2) | (a)) - (b | c)",
                "row(1..2) | ((a) - (b | c))",
            ),
            ("(a | b) & c | d", "((a | b) & c) | d", "(a | b) & (c | d)"),
            ("a & b | c & d", "(a & b) | (c & d)", ""),
            ("a | b - c | d", "((a | b) - c) | d", ""),
        ] {
            let other = if other.is_empty() { String::new() } else { format!(", or `{other}`") };
            let expected = format!("this means `{meant}`; write the brackets{other}");
            assert_eq!(of(text), [expected], "{text}");
        }
    }

    #[test]
    fn definitions_that_are_never_used_are_named() {
        let text = "define near(S) = around(S)\ndefine far(S) = all - near(S)\nmove\n  choose at in near(mine)\n";
        let found = warnings(&lines(text, &mut Vec::new()));
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].span.line == 1 && found[0].message.contains("`far` is never used"));
    }

    #[test]
    fn a_cell_that_is_compared_with_a_whole_set_is_named() {
        let of = |condition: &str| {
            let text = format!(
                "move\n  choose to in all\n  require {condition}\nend\n  if x == mine: win\n"
            );
            let found = warnings(&lines(&text, &mut Vec::new()));
            found.into_iter().map(|problem| problem.message).collect::<Vec<_>>()
        };
        assert!(of("to == empty")[0].ends_with("write `to & empty`"));
        assert!(of("c1 == b2 or to != mine")[0].ends_with("write `not to & mine`"));
        for fine in ["to & mine", "to == mine & king", "mine == to", "x == mine", "to == a1"] {
            assert_eq!(of(fine), [""; 0], "{fine}");
        }
    }

    #[test]
    fn what_is_read_in_one_way_is_not_named() {
        for text in [
            "a | b | c",
            "a & b - c",
            "a - b - c",
            "(a | b) - c",
            "a | (b - c)",
            "cell(1, size - 1) | b",
            "size - 1 + 2 * 3",
            "a if b | c == d - e and f & g",
            "((((",
            "| - & |",
            "",
        ] {
            assert_eq!(of(text), [""; 0], "{text}");
        }
        let drawing = "board\n  o | o - o\n  | & - |\n";
        assert_eq!(warnings(&lines(drawing, &mut Vec::new())), []);
    }
}
