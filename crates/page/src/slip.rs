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

    /// The mistake of a move that has made one result of another: values, and plies if they are known.
    pub fn between(best: (Value, Option<u32>), played: (Value, Option<u32>)) -> Option<Slip> {
        let [had, got] = [best.0, played.0].map(Value::verdict);
        let later = best.1.zip(played.1).map_or(0, |(best, played)| best.abs_diff(played));
        match had {
            _ if had != got => Some(Slip::Result(had, got)),
            _ if best.0 != played.0 => Some(Slip::Value(best.0.0 - played.0.0)),
            Verdict::Win if later > 0 => Some(Slip::Later(later)),
            Verdict::Loss if later > 0 => Some(Slip::Sooner(later)),
            _ => None,
        }
    }

    /// The mistake of a move, if it is proven.
    pub fn of(report: &Report, mv: &str) -> Option<Slip> {
        let played = &report.moves.iter().find(|each| each.mv == mv)?.result;
        let best = &report.moves.iter().find(|each| report.best.contains(&each.mv))?.result;
        if !report.proven || played.result.is_none() || best.result.is_none() {
            return None;
        }
        let [best, played] = [best, played].map(|of| (Value(of.value), of.distance));
        Slip::between(best, played)
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

    /// Also by the values of two positions alone.
    #[test]
    fn plies_tell_slower_wins_and_quicker_losses_apart() {
        let between =
            |value, best, played| Slip::between((Value(value), best), (Value(value), played));
        assert_eq!(between(-1, Some(6), Some(2)), Some(Slip::Sooner(4)));
        assert_eq!(between(1, Some(3), Some(9)), Some(Slip::Later(6)));
        assert_eq!(between(0, Some(3), Some(9)), None);
        assert_eq!(between(1, Some(3), None), None);
        let worse = Slip::between((Value(1), Some(3)), (Value(-1), Some(8)));
        assert_eq!(worse, Some(Slip::Result(Verdict::Win, Verdict::Loss)));
    }
}
