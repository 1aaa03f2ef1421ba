//! Tests in a text: `test "d2 d4": moves a b; value win 3` says what holds after these moves, or at this position.

use super::Line;
use super::parse::Parsed;
use crate::problem::{Problem, Span};

/// What the author of a text expects of a position; `foregone rules test` looks whether it is so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Test {
    /// Where it stands.
    pub span: Span,
    /// Moves from the start, or a position in the game's notation.
    pub at: String,
    /// All legal moves; none if the game is over.
    pub moves: Option<Vec<String>>,
    /// The value for the side to move, with perfect play.
    pub value: Option<Expected>,
    /// The plies of perfect play to the end.
    pub plies: Option<u32>,
}

/// An expected value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// More than 0.
    Win,
    /// 0.
    Draw,
    /// Less than 0.
    Loss,
    /// This number.
    Score(i32),
}

impl Expected {
    /// Whether a value is as expected.
    pub fn is(self, value: i32) -> bool {
        match self {
            Expected::Win => value > 0,
            Expected::Draw => value == 0,
            Expected::Loss => value < 0,
            Expected::Score(score) => value == score,
        }
    }

    fn parse(word: &str) -> Option<Expected> {
        Some(match word {
            "win" => Expected::Win,
            "draw" => Expected::Draw,
            "loss" => Expected::Loss,
            number => Expected::Score(number.parse().ok()?),
        })
    }
}

pub(super) fn test(line: &Line) -> Parsed<Test> {
    let wrong = |message: &str| Err(Problem::new(line.span, message));
    let quoted = line.text.split_once('"').and_then(|(_, text)| text.split_once('"'));
    let Some((at, rest)) = quoted.and_then(|(at, rest)| Some((at, rest.trim().strip_prefix(':')?)))
    else {
        return wrong(
            "expected `test \"moves or a position\": ...`, where `moves`, `value` or both follow, parted by `;`",
        );
    };
    let mut test =
        Test { span: line.span, at: at.trim().to_owned(), moves: None, value: None, plies: None };
    for part in rest.split(';') {
        let mut words = part.split_whitespace();
        match words.next() {
            Some("moves") if test.moves.is_none() => {
                test.moves = Some(words.map(str::to_owned).collect());
            }
            Some("value") if test.value.is_none() => {
                test.value = words.next().and_then(Expected::parse);
                let plies = words.next().map(str::parse);
                if test.value.is_none() || words.next().is_some() || matches!(plies, Some(Err(_))) {
                    return wrong(
                        "expected `value` with win, draw, loss or a number, and maybe the plies to the end",
                    );
                }
                test.plies = plies.and_then(Result::ok);
            }
            _ => {
                return wrong("expected `moves` with all legal moves, or `value win 3`, each once");
            }
        }
    }
    Ok(test)
}
