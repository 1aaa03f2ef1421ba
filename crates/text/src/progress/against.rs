//! Which lines of a text stand against the proof that play ends: those without whose ways to move it would be found. Each
//! line that changes something is tried, with a condition before it that never holds.

use super::weights;
use crate::budget::Budget;
use crate::interpret;
use crate::syntax::{self, Line};
use crate::text::Text;

/// A condition that never holds, as a line.
const NEVER: &str = "require all - all";

/// Lines that change nothing by themselves.
const HARMLESS: [&str; 4] = ["choose", "let", "prefer", "require"];

/// Lines, from 0, of a text whose play is not proven to end with these parameters: one without whose ways it would be, or
/// else all that move a piece, if that is so without all of them. None if there are no such lines.
pub(crate) fn against(text: &Text, given: &[(&str, &str)]) -> Vec<usize> {
    let items = syntax::lines(text.source(), &mut Vec::new());
    let mut leaves = Vec::new();
    items
        .iter()
        .filter(|item| item.tokens[0].text == "move")
        .for_each(|item| find(item, &mut leaves));
    let budget = Budget::new(Budget::PROGRESS);
    let ends_without = |lines: &[&Line]| ends(text, lines, given, &budget);
    if let Some(line) = leaves.iter().find(|line| ends_without(&[line])) {
        return vec![line.span.line];
    }
    leaves.retain(|line| line.tokens[0].text == "move");
    let all = if ends_without(&leaves) { leaves } else { Vec::new() };
    all.iter().map(|line| line.span.line).collect()
}

/// The lines within a line that have none within them, and change something.
fn find<'a>(line: &'a Line, leaves: &mut Vec<&'a Line>) {
    for child in &line.children {
        if child.children.is_empty() && !HARMLESS.contains(&&*child.tokens[0].text) {
            leaves.push(child);
        }
        find(child, leaves);
    }
}

/// Whether play is proven to end, and begins, if no way to move comes to these lines.
fn ends(text: &Text, without: &[&Line], given: &[(&str, &str)], budget: &Budget) -> bool {
    let line = |(number, line): (usize, &str)| {
        let before = without.iter().find(|line| line.span.line == number);
        let never = before.map(|line| format!("{}{NEVER}\n", " ".repeat(line.indent)));
        format!("{}{line}\n", never.unwrap_or_default())
    };
    let source: String = text.source().lines().enumerate().map(line).collect();
    let rules = Text::parse(&source).and_then(|text| text.rules(given));
    rules.is_ok_and(|rules| {
        weights(&rules, budget).is_some() && !interpret::moves(&rules, &rules.start).is_empty()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines against the proof of a text with these ways to move.
    fn lines(moves: &str) -> Vec<String> {
        let head = "game T\nboard 3 3\npiece man X O\nnumber n = 0 in 0..99\nstuck loses\n";
        let source = format!("{head}move\n{moves}");
        let text = Text::parse(&source).unwrap();
        let words = |line: usize| source.lines().nth(line).unwrap().trim().to_owned();
        against(&text, &[]).into_iter().map(words).collect()
    }

    #[test]
    fn the_lines_without_which_play_would_end_are_found() {
        let drop = "either drop\n    choose at in empty\n    put man on at\n";
        let step = "or step\n    choose from in mine\n    choose to in around(from) & empty\n    move from -> to\n";
        let of =
            |ways: &[&str]| lines(&ways.iter().map(|way| format!("  {way}")).collect::<String>());
        assert_eq!(of(&[drop, step]), ["move from -> to"]);
        assert_eq!(of(&[drop, step, &step.replace("or step", "or leap")]), ["move from -> to"; 2]);
        assert_eq!(of(&[drop, "or pass\n    pass\n"]), ["pass"]);
        // Numbers are counted on the way, too.
        let count = |ways: &str| lines(&format!("  either count\n    n += 1\n{ways}")).join(", ");
        assert_eq!(count("  or man\n    choose at in mine\n    clear at\n"), "clear at");
        assert_eq!(count("  or set\n    n = 3\n  or jump\n    n += 2\n"), "n = 3");
        // There is no game without the line.
        assert!(of(&["choose at in all\n", "clear at\n"]).is_empty());
    }
}
