//! Positions and results in words, the same on a terminal and on the page.

use std::cmp::Ordering;
use std::collections::HashSet;

pub use foregone::any::describe::{capital, full_name};
use foregone::any::did_you_mean;
use foregone::any::report::{MoveReport, ResultReport};
use foregone::control::counted;
use foregone::record::words::amount;
use foregone::text::{Derived, Loaded, RaisedBy, Text};
use foregone::{AnyGame, Report, Session, Side, game::Verdict};

/// The words of one game: its sides and its unit.
#[derive(Clone, Copy)]
pub struct Voice<'g> {
    pub sides: [&'g str; 2],
    pub unit: &'g str,
    /// Colours the name of a side.
    pub paint: fn(&str, Side) -> String,
    /// Says how many plies: as moves, or with the exact word.
    pub counted: fn(u32) -> String,
}

impl<'g> Voice<'g> {
    pub fn new(game: &'g dyn AnyGame, paint: fn(&str, Side) -> String) -> Voice<'g> {
        Voice { sides: game.sides(), unit: game.unit(), paint, counted: counted_plies }
    }

    /// For people who play: plies are moves.
    pub fn on_page(game: &'g dyn AnyGame) -> Voice<'g> {
        Voice { counted: counted_moves, ..Voice::new(game, |name, _| name.to_owned()) }
    }

    /// A side at the beginning of a sentence: `X`, `Hounds`, `First player`.
    pub fn name(self, side: Side) -> String {
        let (_, name) = self.full_name(side);
        (self.paint)(&capital(&name), side)
    }

    /// A side within a sentence: `X`, `the hounds`, `the first player`.
    pub fn the(self, side: Side) -> String {
        let (article, name) = self.full_name(side);
        article.to_owned() + &(self.paint)(&name, side)
    }

    /// The article and the name of a side.
    fn full_name(self, side: Side) -> (&'static str, String) {
        full_name(self.sides[side.index()])
    }

    /// `X wins`, `Hounds win`.
    pub fn wins(self, winner: Side) -> String {
        self.does(winner, "win")
    }

    /// `X gets`, `Hounds get`.
    pub fn does(self, side: Side, verb: &str) -> String {
        format!("{} {verb}{}", self.name(side), self.ending(side))
    }

    /// A side as the subject of a sentence: `X gets`, `the hounds get`.
    pub fn the_does(self, side: Side, verb: &str) -> String {
        format!("{} {verb}{}", self.the(side), self.ending(side))
    }

    /// The ending of a verb: `s` or nothing.
    fn ending(self, side: Side) -> &'static str {
        if self.sides[side.index()].ends_with('s') { "" } else { "s" }
    }

    /// ` by 3 stones`; empty if the game has only results.
    fn size(self, value: i32) -> String {
        match self.unit {
            "result" => String::new(),
            unit => format!(" by {}", amount(value.unsigned_abs(), unit)),
        }
    }

    /// ` stones`; empty if the game has only results.
    fn unit(self) -> String {
        if self.unit == "result" { String::new() } else { format!(" {}", self.unit) }
    }

    /// Whose turn it is, or the result.
    pub fn status(self, session: &dyn Session) -> String {
        match session.outcome() {
            None => format!("{} to move", self.name(session.turn())),
            Some(outcome) => {
                let value = outcome.value_for(Side::First);
                match value.verdict() {
                    Verdict::Draw => "Draw".to_owned(),
                    Verdict::Win => self.wins(Side::First) + &self.size(value.0),
                    Verdict::Loss => self.wins(Side::Second) + &self.size(value.0),
                }
            }
        }
    }

    /// The winner, by how much, and in how many plies; `None` if it is not known or the game is over.
    pub fn headline(self, report: &Report, mover: Side, depth: Option<u32>) -> Option<String> {
        let won = report.moves.iter().filter(|each| each.result.result.is_some());
        let least = won.map(|each| each.result.value).max().filter(|value| *value > 0);
        let more = if self.unit == "result" { "" } else { " or more" };
        if let (Some(least), false) = (least, report.proven) {
            return Some(format!("{}{}{more}.", self.wins(mover), self.size(least)));
        }
        // Bounds that say nothing are left out where there is an opinion.
        let told = |[low, high]: &[i32; 2]| low + high != 0 || report.chance().is_none();
        if let Some([low, high]) = report.bounds.filter(told) {
            // Who wins is known, and not by how much.
            let winner =
                (low > 0).then_some((mover, low)).or((high < 0).then_some((mover.other(), high)));
            if let Some((winner, least)) = winner {
                return Some(format!("{}{}{more}.", self.wins(winner), self.size(least)));
            }
            let (low, high) = (signed(low), signed(high));
            return Some(format!(
                "Not proven: value between {low} and {high}{} for {}.",
                self.unit(),
                self.the(mover)
            ));
        }
        let value = report.value?;
        if !report.proven {
            let mover = self.the(mover);
            if let Some(chance) = report.chance() {
                let chance = percent(chance);
                return Some(format!(
                    "Not proven: by random games, {mover} has a chance of {chance}."
                ));
            }
            let depth = depth.map_or(String::new(), |depth| {
                format!(" from looking {} ahead", (self.counted)(depth))
            });
            let value = signed(value) + &self.unit();
            return Some(format!("Not proven: {value} for {mover} is an estimate{depth}."));
        }
        let when = match report.distance {
            Some(0) => return None,
            Some(plies) => format!(" in {}", (self.counted)(plies)),
            None if report.endless => " by endless play".to_owned(),
            None => String::new(),
        };
        let winner = if value > 0 { mover } else { mover.other() };
        Some(match value {
            0 => format!("Draw{when}."),
            _ => format!("{}{}{when}.", self.wins(winner), self.size(value)),
        })
    }
}

/// A value with its sign; 0 has none.
pub fn signed(value: i32) -> String {
    if value == 0 { "0".to_owned() } else { format!("{value:+}") }
}

/// A number of plies in words.
pub fn counted_plies(plies: u32) -> String {
    counted(plies.into(), "ply", "plies")
}

/// A number of plies as people say it.
pub fn counted_moves(plies: u32) -> String {
    counted(plies.into(), "move", "moves")
}

/// Whether the line of a report is a best one. If a result counts and not how soon it comes, a search that found no plies may
/// give a line in which the loser does not defend longest.
pub fn is_best_line(unit: &str, value: Option<i32>, plies: Option<u32>) -> bool {
    unit != "result" || value.is_none_or(|value| value == 0) || plies.is_some()
}

/// What a line is called that is not a best one.
pub const KEEPS: &str = "A line that keeps the value";

/// A chance from 0 to 1, in percent.
pub fn percent(chance: f64) -> String {
    format!("{:.0} %", 100.0 * chance)
}

/// A part of a whole, in percent.
pub fn share(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A sort key: smaller for results that the mover prefers. `without_end` is the value of endless play
/// for the mover.
pub fn preference(result: &ResultReport, without_end: i32) -> (i32, i64) {
    let plies = result.distance.map_or(i64::MAX, i64::from);
    let sooner = result.value > without_end;
    (-result.value, if sooner { plies } else { -plies })
}

/// The order of moves by what their mover prefers: those that perfect play chooses, then by their chances, of which a move
/// whose value is known has none, half of one or a whole one.
pub fn by_preference(report: &Report) -> impl Fn(&&MoveReport, &&MoveReport) -> Ordering + '_ {
    let best: HashSet<&str> = report.preferred.iter().map(String::as_str).collect();
    let are_chances = report.chance().is_some();
    move |one, other| {
        let chosen = |each: &MoveReport| best.contains(&each.mv[..]);
        let key = |each: &MoveReport| preference(&each.result, report.without_end);
        let chance = |each: &MoveReport| {
            let known = f64::from(1 + each.result.value.signum()) / 2.0;
            if are_chances { each.chance.unwrap_or(known) } else { 0.0 }
        };
        let by_choice = chosen(other).cmp(&chosen(one));
        by_choice
            .then(chance(other).total_cmp(&chance(one)))
            .then_with(|| key(one).cmp(&key(other)))
    }
}

/// What was found out about the game of a text with these parameters, in words: on loops, on the lines that spoil the proof
/// that there are none (which may be empty), on symmetries, and on keys.
pub fn derived(text: &Text, loaded: &Loaded, given: &[(&str, &str)]) -> [String; 4] {
    let derived = loaded.derived();
    let Derived { raised_by, too_large, symmetries, exchanges, merges, bits, endless_changes } =
        derived;
    let loops = match raised_by {
        Some(RaisedBy::Placing) => "Play cannot loop: every move adds a piece.",
        Some(RaisedBy::Taking) => "Play cannot loop: every move takes a piece away.",
        Some(RaisedBy::Counting) => "Play cannot loop: every move raises a number, or lowers it.",
        Some(RaisedBy::GoingAhead) => "Play cannot loop: pieces only go ahead.",
        Some(RaisedBy::OneGoingAhead) => {
            "Play cannot loop: the pieces of one side only go ahead, and the sides take turns."
        }
        None if too_large => {
            "It is not proven that play ends: the board is too large to look through all moves. A number that every \
             move raises would prove it at once. Exact search, and tables in little memory, need that; every other \
             way to solve the game works."
        }
        None => {
            "It is not proven that play ends: not every move is sure to add a piece, take one, go ahead, or \
             raise a number. Exact search, and tables in little memory, need that; every other way to solve the \
             game works. A number that every move raises would prove it."
        }
    };
    let is_open = raised_by.is_none() && !too_large;
    let spoilt = if is_open { spoilt(text, given) } else { String::new() };
    let mut symmetries = match (symmetries, exchanges) {
        (1, _) => "No symmetry was found.".to_owned(),
        (count, false) => {
            format!("Up to {count} positions are alike by symmetry, and solved once.")
        }
        (count, true) => format!(
            "Up to {count} positions are alike by symmetry and exchange of the players, and solved once."
        ),
    };
    if merges {
        symmetries += " Kinds of pieces that the rules never tell apart count as one.";
    }
    let keys = match bits {
        Some(bits) if endless_changes => format!(
            "A position is a key of {bits} bits: proofs can be made, but no tables, since what endless play is \
             worth changes in the course of a game."
        ),
        Some(bits) => format!("A position is a key of {bits} bits: tables and proofs can be made."),
        None => "Positions need keys of more than 128 bits: no tables and no proofs can be made."
            .to_owned(),
    };
    [loops.to_owned(), spoilt, symmetries, keys]
}

/// Which lines of a text spoil the proof that play ends, in words; empty if there are no such lines. The module for browsers
/// has no room for it.
fn spoilt(text: &Text, given: &[(&str, &str)]) -> String {
    if cfg!(target_family = "wasm") {
        return String::new();
    }
    let lines: Vec<String> = text.against_proof(given).iter().map(usize::to_string).collect();
    let where_to = match &lines[..] {
        [] => return String::new(),
        [line] => format!("line {line}"),
        [lines @ .., last] => format!("the lines {} and {last}", lines.join(", ")),
    };
    format!("Without the moves that come to {where_to} of the text, play would be proven to end.")
}

/// Reads one of some words. The error lists them and names the nearest.
pub fn choice<T: Copy>(text: &str, what: &str, words: &[(&str, T)]) -> Result<T, String> {
    if let Some((_, choice)) = words.iter().find(|(word, _)| *word == text) {
        return Ok(*choice);
    }
    let words: Vec<_> = words.iter().map(|(word, _)| *word).collect();
    Err(format!("expected {what}: {}{}", words.join(", "), did_you_mean(text, &words)))
}

/// The longest part of an unknown name in a message, in characters.
pub const SHOWN: usize = 40;

/// The part of a name that a message shows.
pub fn shown(name: &str) -> String {
    name.chars().take(SHOWN).collect()
}

/// The message about an unknown name.
pub fn no_parameter<N: AsRef<str>>(name: &str, whose: &str, known: &[N]) -> String {
    let name = &shown(name);
    let known: Vec<&str> = known.iter().map(AsRef::as_ref).collect();
    let expected = match known.is_empty() {
        true => "it has none".to_owned(),
        false => format!("it has {}{}", known.join(", "), did_you_mean(name, &known)),
    };
    format!("`{name}` is not a parameter of {whose}: {expected}")
}

#[cfg(test)]
mod tests {
    use foregone::{Control, Registry, Request};

    use super::*;

    fn report(value: i32, distance: Option<u32>) -> Report {
        let mut report = Report::default();
        (report.value, report.distance) = (Some(value), distance);
        (report.endless, report.proven) = (distance.is_none(), true);
        report
    }

    #[test]
    fn play_without_end_is_told_of_with_what_it_is_worth() {
        let paint = |name: &str, _| name.to_owned();
        let seeds =
            Voice { sides: ["North", "hounds"], unit: "stones", paint, counted: counted_plies };
        let plain = Voice { unit: "result", ..seeds };
        for (voice, value, distance, words) in [
            (plain, 0, None, "Draw by endless play."),
            (plain, 1, None, "North wins by endless play."),
            (seeds, 0, None, "Draw by endless play."),
            (seeds, 2, None, "North wins by 2 stones by endless play."),
            (seeds, -1, None, "Hounds win by 1 stone by endless play."),
            (seeds, -1, Some(3), "Hounds win by 1 stone in 3 plies."),
        ] {
            let words_said = voice.headline(&report(value, distance), Side::First, None);
            assert_eq!(words_said.as_deref(), Some(words));
        }
    }

    /// What is worth more than endless play is better soon, all else late.
    #[test]
    fn moves_are_in_order_of_preference() {
        let result = |value, distance: Option<u32>| ResultReport {
            value,
            result: None,
            distance,
            endless: distance.is_none(),
        };
        for (without_end, right) in [
            (0, [(1, Some(2)), (1, Some(5)), (0, None), (0, Some(9)), (0, Some(1))]),
            (1, [(1, Some(5)), (1, Some(2)), (0, None), (0, Some(9)), (0, Some(1))]),
            (-1, [(1, Some(2)), (1, Some(5)), (0, Some(1)), (0, Some(9)), (0, None)]),
        ] {
            let mut all = right.map(|(value, distance)| result(value, distance));
            all.reverse();
            all.sort_by_key(|result| preference(result, without_end));
            assert_eq!(all.map(|result| (result.value, result.distance)), right);
        }
    }

    /// Also where some moves have chances, and others values: sorting would panic if it were not.
    #[test]
    fn the_order_of_moves_is_total() {
        let game = Registry::standard().game("chomp").unwrap();
        let mut report = game.session().solve(&Request::default(), &Control::default());
        report.proven = false;
        let mut number = 1_u32;
        for each in &mut report.moves {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            each.result.value = (number >> 28) as i32 % 3 - 1;
            each.result.distance = (number >> 24 & 3 > 0).then_some(number >> 20 & 3);
            each.chance = (number >> 16 & 1 > 0).then(|| f64::from(number >> 8 & 7) / 7.0);
        }
        let estimated = report.moves.iter().find(|each| each.chance.is_some());
        report.best = estimated.map(|each| each.mv.clone()).into_iter().collect();
        assert!(report.chance().is_some());
        let all: Vec<&MoveReport> = report.moves.iter().collect();
        let order = by_preference(&report);
        for one in &all {
            for other in &all {
                assert_eq!(order(one, other), order(other, one).reverse());
                let larger = all.iter().filter(|third| order(other, third).is_le());
                if order(one, other).is_le() {
                    larger.for_each(|third| assert!(order(one, third).is_le()));
                }
            }
        }
    }
}
