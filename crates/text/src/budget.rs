//! How much work a text may make: steps are counted, and no clock is looked at, so that all machines agree on what is
//! read, and on what is derived.
//!
//! A step is about what it takes to look at one part of a rule, or at 16 cells of a board. The comment at each limit
//! says what the texts that come with this crate need.

use std::cell::Cell;

/// Steps that may still be taken.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: Cell<u64>,
}

impl Budget {
    /// For reading: names, copies for directions, zones, and what is known at once. (Konane 8x8 takes 2,762.)
    pub const READING: u64 = 1 << 19;
    /// For making instructions of the rules: tables for each cell.
    pub const EMITTING: u64 = 1 << 21;
    /// For finding numbers that every move raises. (Konane 8x8 takes 11,830,824.)
    pub const PROGRESS: u64 = 16 << 20;
    /// For finding symmetries. (Score Four takes 1,446,080.)
    pub const SYMMETRY: u64 = 1 << 21;
    /// For comparing the machine with the interpreter on random games.
    pub const COMPARING: u64 = 1 << 21;

    /// A budget of some steps.
    pub const fn new(all: u64) -> Budget {
        Budget { left: Cell::new(all) }
    }

    /// Without a limit.
    pub const fn unlimited() -> Budget {
        Budget::new(u64::MAX)
    }

    /// Takes steps; `None` if they are more than what is left, which is nothing then.
    pub fn take(&self, steps: u64) -> Option<()> {
        let left = self.left.get().checked_sub(steps);
        self.left.set(left.unwrap_or(0));
        left.map(|_| ())
    }

    /// The steps that may still be taken.
    pub fn left(&self) -> u64 {
        self.left.get()
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::weights;
    use crate::symmetry::symmetries;
    use crate::typed;
    use crate::{SHIPPED, Text};

    /// The steps that a text takes of a budget.
    fn taken(all: u64, run: impl FnOnce(&Budget)) -> u64 {
        let budget = Budget::new(all);
        run(&budget);
        all - budget.left()
    }

    /// The largest boards that its parameters allow, one parameter after the other.
    fn largest(text: &Text) -> Vec<Vec<(String, String)>> {
        use foregone_rules::Valid;
        let mut all = vec![Vec::new()];
        let mut together = Vec::new();
        for setting in text.facts("x").parameters {
            if let Valid::Number { max, .. } = setting.valid {
                let given = (setting.name.clone(), max.to_string());
                together.push(given.clone());
                all.push(vec![given]);
            }
        }
        all.push(together);
        all
    }

    /// The limits are above what the largest boards of all shipped texts need.
    #[test]
    fn shipped_texts_need_a_part_of_each_budget() {
        let mut max = [(0, String::new()), (0, String::new()), (0, String::new())];
        for shipped in SHIPPED {
            let text = Text::parse(shipped.source).unwrap();
            for given in largest(&text) {
                let pairs: Vec<_> = given.iter().map(|(a, b)| (&a[..], &b[..])).collect();
                let Ok(rules) = text.rules(&pairs) else { continue };
                let settings = text.settings(&pairs).unwrap();
                let mut found = None;
                let steps = [
                    taken(Budget::READING, |budget| {
                        typed::build(text.tree(), &settings, budget).unwrap();
                    }),
                    taken(Budget::PROGRESS, |budget| found = weights(&rules, budget)),
                    taken(Budget::SYMMETRY, |budget| {
                        symmetries(&rules, found.as_ref(), budget);
                    }),
                ];
                for (max, steps) in max.iter_mut().zip(steps) {
                    *max = max.clone().max((steps, format!("{} {pairs:?}", shipped.name)));
                }
            }
        }
        for ((steps, name), all) in
            max.iter().zip([Budget::READING, Budget::PROGRESS, Budget::SYMMETRY])
        {
            assert!((1_000..all).contains(steps), "{name} takes {steps} steps of {all}");
        }
    }
}
