//! Whether positions that share an entry are alike: a representative and all of its images under the symmetries that
//! the game lists. If the result, the value of endless play and the successors of each image are images of those of
//! the representative, then play from both is the same play (`Images.v`), whatever found the symmetry.

use std::collections::HashMap;

use foregone_record::Table;
use foregone_rules::{Bank, Encode, Value};

/// Whether a check relies on the symmetries of a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Symmetries {
    /// They are checked if the file carries the rules, since then they were derived from what the file says.
    #[default]
    ByFile,
    /// They are checked.
    Checked,
    /// They are trusted.
    Trusted,
}

impl Symmetries {
    /// Whether they are checked for this file.
    pub fn are_checked(self, table: &Table) -> bool {
        match self {
            Symmetries::ByFile => table.manifest().rules.is_some(),
            Symmetries::Checked => true,
            Symmetries::Trusted => false,
        }
    }
}

/// What is wrong where a position and its images are not alike.
pub(crate) const UNLIKE: &str = "the position and one of its images are not alike by the rules, so that nothing \
                                 follows from an entry for both (an error of the program that derived the symmetry)";

/// Whether a game lists its symmetries, so that they can be checked one by one. A game that has none lists them.
pub(crate) fn lists<G: Encode>(game: &G) -> bool {
    let images = game.images();
    images == 1 || game.image(&game.start(), images - 1).is_some()
}

/// Which positions a walk visits.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Walk {
    /// All that can arise: a table.
    Whole,
    /// Those to which some moves lead: a proof.
    Part,
}

/// The images of the positions of a game.
pub(crate) struct Images<'a, G> {
    game: &'a G,
    count: u64,
    walk: Walk,
}

/// A successor as it is seen from a position: whether the mover moves again, which of the representatives that the
/// moves lead to it belongs to, and what the mover banks.
type Seen = (bool, usize, i64);

impl<'a, G: Encode> Images<'a, G> {
    pub fn new(game: &'a G, walk: Walk) -> Images<'a, G> {
        Images { game, count: game.images(), walk }
    }

    fn each(&self, state: &G::State) -> impl Iterator<Item = Option<G::State>> {
        (0..self.count).map(|number| self.game.image(state, number))
    }

    /// Whether a position is an image of its representative.
    pub fn has(&self, state: &G::State) -> bool {
        let bare = G::Bank::unbanked(self.game, state);
        self.each(&self.game.representative(&bare)).any(|image| image == Some(bare))
    }

    /// Whether a representative with nothing banked is alike to all of its images: hypotheses `checked_itself`,
    /// `checked_key`, `checked_result`, `checked_pays`, `checked_moves` and `checked_reached` of `Images.v`. The first
    /// image is the representative itself.
    pub fn are_alike(&self, state: &G::State) -> bool {
        let game = self.game;
        if !self.is_decoded(state) || game.image(state, 0) != Some(*state) {
            return false;
        }
        if self.count == 1 {
            return self.leads_to_representatives(state);
        }
        let Some(reached) = self.reached(state) else { return false };
        let expected = self.seen(state, &reached);
        expected.is_some()
            && self.each(state).skip(1).all(|image| {
                image.is_some_and(|image| {
                    game.representative(&image) == *state
                        && self.result(&image) == self.result(state)
                        && endless(game, &image) == endless(game, state)
                        && self.seen(&image, &reached) == expected
                })
            })
    }

    /// Whether all moves lead to positions that stand for themselves: all that is to be seen of a game without
    /// symmetries.
    fn leads_to_representatives(&self, state: &G::State) -> bool {
        let game = self.game;
        game.outcome(state).is_some()
            || game.successors(state).all(|(_, child)| {
                let bare = G::Bank::unbanked(game, &child);
                game.representative(&bare) == bare
                    && (self.walk == Walk::Whole || self.is_decoded(&bare))
            })
    }

    /// Whether the key of a representative gives it back.
    fn is_decoded(&self, like: &G::State) -> bool {
        self.game.decode(self.game.encode(like)) == *like
    }

    /// The result of a position for its mover, if it is over.
    fn result(&self, state: &G::State) -> Option<Value> {
        let outcome = self.game.outcome(state)?;
        Some(outcome.value_for(self.game.turn(state)))
    }

    /// All images of the representatives that the moves of a position lead to; `None` if some are unlike.
    fn reached(&self, state: &G::State) -> Option<Reached<G::State>> {
        let game = self.game;
        let mut reached = Reached { images: HashMap::new(), results: Vec::new() };
        if game.outcome(state).is_some() {
            return Some(reached);
        }
        for (_, child) in game.successors(state) {
            let like = game.representative(&G::Bank::unbanked(game, &child));
            if reached.images.contains_key(&like) {
                continue;
            }
            let number = reached.results.len();
            reached.results.push(self.result(&like));
            // Where all are visited, this is seen there.
            let seen_later = self.walk == Walk::Whole;
            if !seen_later && !self.is_decoded(&like) {
                return None;
            }
            for image in self.each(&like) {
                let image = image?;
                if !seen_later && game.representative(&image) != like {
                    return None;
                }
                reached.images.insert(image, number);
            }
        }
        Some(reached)
    }

    /// What the moves of a position lead to, by the representatives of `reached`; `None` if one leads to no image of
    /// them, or to one with another result.
    fn seen(&self, state: &G::State, reached: &Reached<G::State>) -> Option<Vec<Seen>> {
        let game = self.game;
        if game.outcome(state).is_some() {
            return Some(Vec::new());
        }
        let (mover, Value(banked)) = (game.turn(state), G::Bank::banked(game, state));
        let mut seen = Vec::new();
        for (_, child) in game.successors(state) {
            let bare = G::Bank::unbanked(game, &child);
            let number = *reached.images.get(&bare)?;
            // Whether positions that go on are over is seen where they are checked themselves.
            let result = reached.results[number];
            if result.is_some() && self.result(&bare) != result {
                return None;
            }
            let next = game.turn(&child);
            let Value(then) = G::Bank::banked(game, &child).seen_from(next, mover);
            seen.push((next == mover, number, i64::from(then) - i64::from(banked)));
        }
        seen.sort_unstable();
        seen.dedup();
        Some(seen)
    }
}

/// The representatives that the moves of a position lead to.
struct Reached<S> {
    /// The number of the representative of each image.
    images: HashMap<S, usize>,
    /// The result of each representative that is over, for its mover.
    results: Vec<Option<Value>>,
}

/// The value of endless play for the mover.
fn endless<G: Encode>(game: &G, state: &G::State) -> Value {
    game.endless(state).value_for(game.turn(state))
}
