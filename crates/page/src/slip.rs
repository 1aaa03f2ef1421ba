//! What a move gave away.

use foregone::record::words::amount;
use foregone::{Report, Value, game::Verdict};

/// The mistake of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slip {
    /// A worse result than the best.
    Result(Verdict, Verdict),
    /// A smaller value than the best, by this much.
    Value(i32),
    /// A win that comes this many plies later than the best.
    Later(u32),
    /// A loss that comes this many plies sooner than it need.
    Sooner(u32),
}

impl Slip {
    /// The sign for it in chess, and words; `counted` says how many plies.
    pub fn say(self, unit: &str, counted: fn(u32) -> String) -> (&'static str, String) {
        match self {
            Slip::Result(best, _) => ("??", format!("throws the {best} away")),
            Slip::Value(less) => ("?", format!("gives {} away", amount(less.unsigned_abs(), unit))),
            Slip::Later(plies) => ("?!", format!("wins {} later", counted(plies))),
            Slip::Sooner(plies) => ("?!", format!("loses {} sooner", counted(plies))),
        }
    }

    /// The mistake of a move that has made one value of another.
    pub fn between(best: Value, played: Value) -> Option<Slip> {
        let [had, got] = [best, played].map(Value::verdict);
        match () {
            () if had != got => Some(Slip::Result(had, got)),
            () if best != played => Some(Slip::Value(best.0 - played.0)),
            () => None,
        }
    }

    /// The mistake of a move, if it is proven.
    pub fn of(report: &Report, mv: &str) -> Option<Slip> {
        let played = &report.moves.iter().find(|each| each.mv == mv)?.result;
        let best = &report.moves.iter().find(|each| report.best.contains(&each.mv))?.result;
        if !report.proven || played.result.is_none() || best.result.is_none() {
            return None;
        }
        let had = Value(best.value).verdict();
        let worse = Slip::between(Value(best.value), Value(played.value));
        match (best.distance, played.distance) {
            _ if worse.is_some() => worse,
            (Some(best), Some(played)) if best != played => match had {
                Verdict::Win => Some(Slip::Later(best.abs_diff(played))),
                Verdict::Loss => Some(Slip::Sooner(best.abs_diff(played))),
                Verdict::Draw => None,
            },
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use foregone::{Control, Registry, Request};

    fn slip(game: &str, moves: &str, mv: &str) -> Option<Slip> {
        let game = Registry::standard().game(game).unwrap();
        let mut session = game.open(None, moves).unwrap();
        let report = session.solve(&Request::default(), &Control::default());
        Slip::of(&report, mv)
    }

    #[test]
    fn mistakes_are_told_apart() {
        assert_eq!(slip("tic-tac-toe", "1", "5"), None);
        assert_eq!(slip("tic-tac-toe", "1", "2"), Some(Slip::Result(Verdict::Draw, Verdict::Loss)));
        // 9 wins at once, 7 threatens twice and wins two plies later.
        assert_eq!(slip("tic-tac-toe", "5,2,1,4", "9"), None);
        assert_eq!(slip("tic-tac-toe", "5,2,1,4", "7"), Some(Slip::Later(2)));
        let kalah = slip("kalah(pits=2,stones=2)", "", "1");
        let other = slip("kalah(pits=2,stones=2)", "", "2");
        assert!(matches!((kalah, other), (None, Some(_)) | (Some(_), None)), "{kalah:?} {other:?}");
    }
}
