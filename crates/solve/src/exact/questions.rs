//! Which question comes next: is the value at least n?
//!
//! Most searches are short and get the questions that suit any value. A long search pays for each question, so
//! it begins with a guess and goes on from there in growing steps (galloping search, Bentley and Yao 1976).

use foregone_rules::Value;
use serde::{Deserialize, Serialize};

/// The number of questions far from a guess that come after the two farthest.
const NEARER: usize = 4;

/// The questions about one value.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Questions {
    guess: Option<i32>,
    /// What to ask before the guess, the last first.
    #[serde(default)]
    early: Vec<i32>,
    /// How far the next question is from the bound of the last answer, and whether that was a yes; `None`
    /// before the question of the guess is answered.
    step: Option<(i32, bool)>,
    /// Whether yes and no have both been answers since the guess.
    turned: bool,
}

impl Questions {
    /// The questions that begin at a guess, if there is one.
    pub fn from(guess: Option<Value>) -> Questions {
        Questions { guess: guess.map(|Value(guess)| guess), ..Questions::default() }
    }

    /// The questions that begin at a guess, but first far from it on both sides of a value from `low` to `high`, then
    /// nearer. These answers come soon: a search that ends early has bounds to show.
    pub fn from_afar(guess: Value, low: Value, high: Value) -> Questions {
        let far = (high.0.saturating_sub(low.0) / 4).max(1);
        let aside = |far: i32| [guess.0.saturating_add(far), guess.0.saturating_sub(far)];
        let early = [far / 4, far / 2, far].map(|far| aside(far.max(1))).concat();
        Questions { early, ..Questions::from(Some(guess)) }
    }

    /// The questions in an order where those far from the guess come before it, unless it is answered.
    pub fn narrowing(self, low: Value, high: Value) -> Questions {
        match self.guess {
            Some(guess) if self.early.is_empty() && self.step.is_none() => {
                Questions::from_afar(Value(guess), low, high)
            }
            _ => self,
        }
    }

    /// Whether they begin at a guess.
    pub fn guided(&self) -> bool {
        self.guess.is_some()
    }

    /// The next question about a value from `low` to `high`, which differ.
    pub fn next(&self, low: i32, high: i32) -> i32 {
        let Some(guess) = self.guess else { return unguided(low, high) };
        let question = match self.step {
            _ if !self.early.is_empty() => self.early[self.early.len() - 1],
            None => guess,
            _ if self.turned => (i64::from(low) + i64::from(high) + 1).div_euclid(2) as i32,
            Some((step, true)) => low.saturating_add(step),
            Some((step, false)) => high.saturating_sub(step.saturating_sub(1)),
        };
        question.clamp(low + 1, high)
    }

    /// Takes notice of an answer to a question. True if there are now answers far from a guess on both sides of it.
    pub fn answered(&mut self, yes: bool) -> bool {
        if self.early.pop().is_some() {
            return self.early.len() == NEARER;
        }
        self.turned |= self.step.is_some_and(|(_, before)| before != yes);
        self.step = Some((self.step.map_or(1, |(step, _)| step.saturating_mul(2)), yes));
        false
    }
}

/// The next question without a guess: first the sign, since most values are small, then a third of the way
/// from the bound nearer to 0 (Pons uses nearly the same order).
fn unguided(low: i32, high: i32) -> i32 {
    // Without bounds from the game the difference would overflow an `i32`.
    let third = ((i64::from(high) - i64::from(low) + 2) / 3) as i32;
    match () {
        () if low < 1 && high >= 1 => 1,
        () if low < 0 && high >= 0 => 0,
        () if low >= 0 => low + third,
        () => high - third + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every value is found, from every guess, by questions between the bounds.
    #[test]
    fn questions_close_in() {
        for value in -20..=20 {
            let near = (-25..=25).map(|guess| (Some(guess), false));
            let far = (-25..=25).map(|guess| (Some(guess), true));
            for (guess, far) in near.chain(far).chain([(None, false)]) {
                let (mut low, mut high) = (-20, 20);
                let mut questions = match guess {
                    Some(guess) if far => {
                        Questions::from_afar(Value(guess), Value(low), Value(high))
                    }
                    guess => Questions::from(guess.map(Value)),
                };
                let mut asked = 0;
                while low < high {
                    let question = questions.next(low, high);
                    assert!(low < question && question <= high, "{low}..{high}: {question}");
                    let yes = value >= question;
                    if yes {
                        low = question
                    } else {
                        high = question - 1
                    }
                    questions.answered(yes);
                    asked += 1;
                }
                assert_eq!(low, value);
                let away = guess.map_or(40, |guess| guess.clamp(-20, 20).abs_diff(value));
                let max = 3 + 2 * (away + 1).ilog2() + if far { 6 } else { 0 };
                assert!(asked <= max, "{value} from {guess:?}: {asked}");
            }
        }
    }

    /// A search that goes on asks from afar again, until the guess has an answer.
    #[test]
    fn questions_narrow_again() {
        let (low, high) = (Value(-32), Value(38));
        let mut questions = Questions::from(Some(Value(2))).narrowing(low, high);
        let mut asked = Vec::new();
        for _ in 0..7 {
            let question = questions.next(low.0, high.0);
            asked.push(question);
            questions.answered(question <= 2);
        }
        assert_eq!(asked, [-15, 19, -6, 10, -2, 6, 2]);
        assert_eq!(questions.clone().narrowing(low, high).next(2, 5), questions.next(2, 5));
    }

    #[test]
    fn bounds_may_be_as_wide_as_numbers_are() {
        let (least, max) = (Value(-i32::MAX), Value(i32::MAX));
        let afar = |guess| Questions::from_afar(Value(guess), least, max);
        let near = [None, Some(i32::MIN), Some(3), Some(i32::MAX)];
        let near = near.map(|guess| Questions::from(guess.map(Value)));
        for mut questions in near.into_iter().chain([i32::MIN, 3, i32::MAX].map(afar)) {
            for yes in [true, true, false, true] {
                let question = questions.next(-i32::MAX, i32::MAX);
                assert!(question > -i32::MAX);
                questions.answered(yes);
            }
        }
    }
}
