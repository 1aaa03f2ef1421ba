//! Checks books: derives the value of each position again, but for those at the horizon, whose values nothing in the
//! file shows. It is the check of a table of the game that ends at the horizon, with the values of the file as results
//! (`Progress.v`, and `Banked.v` if points are banked).

use std::collections::HashSet;
use std::convert::Infallible;

use foregone_record::read::state_of;
use foregone_record::{Error, Listed, Table};
use foregone_rules::{Bank, Encode, Measure, Value};

use crate::equation::{self, Reached, Said};
use crate::images::{Images, UNLIKE, Walk, lists};
use crate::verdict::{Counts, Fault, Flaw, Tally, Unshown, Verdict};
use crate::{Effort, OnProgress, Progress, check_memory, list_bytes};

/// The positions between two reports of progress.
const OFTEN: u64 = 1 << 12;

/// What a check of a book has found.
pub struct Checked<S> {
    /// The verdict, which counts the derived positions alone.
    pub verdict: Verdict<S>,
    /// The positions at the horizon, whose values were taken from the file.
    pub taken: u64,
}

/// Checks all values of a book but those at its horizon; `plain`, without merging positions.
///
/// # Errors
/// If the file is damaged or exceeds the memory limit, or checking was stopped.
pub fn check<G: Encode>(
    game: &G,
    book: &Table,
    measure: Option<Measure<G>>,
    (effort, plain): (Effort, bool),
    on_progress: OnProgress<'_>,
) -> Result<Checked<G::State>, Error> {
    let none = || Error::Kind { found: "a table", expected: "a book" };
    let horizon = book.manifest().horizon.ok_or_else(none)?;
    let size = book.manifest().layers.first().map_or(0, |layer| layer.size);
    // For each position its key and cell, and a place in the lists below.
    let each = (size_of::<u128>() + size_of::<u16>() + size_of::<bool>()) as u64;
    check_memory(each.saturating_mul(size), effort)?;
    let (keys, cells) = (book.all_keys()?, book.layer(0)?);
    let mut checking = Checking {
        game,
        book,
        measure,
        reached: vec![false; keys.len()],
        keys,
        cells,
        images: if plain { None } else { images(game, book, effort) },
        plain,
        effort,
    };
    checking.run(horizon, on_progress)
}

/// The images of positions, if they are to be compared.
fn images<'a, G: Encode>(game: &'a G, book: &Table, effort: Effort) -> Option<Images<'a, G>> {
    let asked = effort.symmetries.are_checked(book) && lists(game);
    asked.then(|| Images::new(game, Walk::Whole))
}

struct Checking<'a, G: Encode> {
    game: &'a G,
    book: &'a Table,
    measure: Option<Measure<G>>,
    keys: Vec<u128>,
    cells: Vec<u16>,
    /// Whether play leads to a position with this key.
    reached: Vec<bool>,
    /// If positions are compared with their images.
    images: Option<Images<'a, G>>,
    plain: bool,
    effort: Effort,
}

impl<G: Encode> Checking<'_, G> {
    fn run(
        &mut self,
        horizon: u32,
        on_progress: OnProgress<'_>,
    ) -> Result<Checked<G::State>, Error> {
        let game = self.game;
        let progress = Progress::new(on_progress);
        let mut tally = Tally::new(self.book.manifest().values);
        let (mut seen, mut front, mut done, mut taken) = (HashSet::new(), Vec::new(), 0u64, 0u64);
        if self.images.as_ref().is_some_and(|images| !images.has(&game.start())) {
            let unshown = Unshown { why: UNLIKE, position: Some(game.start()) };
            return Ok(Checked { verdict: Verdict::Unshown(unshown), taken });
        }
        let start = self.visited(&game.start());
        seen.insert(start);
        front.push(start);
        for ply in 0..=horizon {
            // The file may name any number of moves.
            if front.is_empty() {
                break;
            }
            let mut next = Vec::new();
            for state in std::mem::take(&mut front) {
                done += 1;
                if done.is_multiple_of(OFTEN) {
                    progress.add(OFTEN)?;
                }
                let Some(here) = self.said(&state) else {
                    let (position, fault) = (Some(state), Fault::Missing);
                    return Ok(Checked::of(Flaw::Entry { place: None, position, fault }, taken));
                };
                let alike = self.images.as_ref().is_none_or(|images| images.are_alike(&state));
                if alike && ply == horizon && game.outcome(&state).is_none() {
                    let whole = here.worth.value().0.saturating_add(here.banked);
                    if whole.saturating_abs() > game.max_value() {
                        let (position, fault) = (Some(state), Fault::TooLarge);
                        return Ok(Checked::of(
                            Flaw::Entry { place: None, position, fault },
                            taken,
                        ));
                    }
                    taken += 1;
                    continue;
                }
                let found = match alike {
                    true => self.entry(&state, here, &mut |child| {
                        if seen.insert(child) {
                            next.push(child);
                        }
                    }),
                    false => equation::Found::Unshown(UNLIKE),
                };
                tally.take(done, None, (&state, here.worth), found);
                if let Some((_, flaw)) = tally.flaw.take() {
                    return Ok(Checked::of(flaw, taken));
                }
                let bytes = (seen.capacity() * (size_of::<G::State>() + 1)) as u64;
                check_memory(bytes + list_bytes(&next, 1), self.effort)?;
            }
            front = next;
        }
        if let Some(at) = self.reached.iter().position(|reached| !reached) {
            let position = state_of(game, self.keys[at]);
            let fault = if position.is_some() { Fault::Unreached } else { Fault::NoPosition };
            let place = Some((0, at as u64));
            return Ok(Checked::of(Flaw::Entry { place, position, fault }, taken));
        }
        self.book.check_worths(0, Some(&self.cells))?;
        let unshown = |(_, unshown): (u64, Unshown<G::State>)| Verdict::Unshown(unshown);
        let right = || Verdict::Right(Counts { layers: vec![tally.count] });
        Ok(Checked { verdict: tally.unshown.map_or_else(right, unshown), taken })
    }

    /// The position that is visited for one.
    fn visited(&self, state: &G::State) -> G::State {
        match self.plain {
            true => *state,
            false => self.game.representative(&G::Bank::unbanked(self.game, state)),
        }
    }

    /// What the book says of a position; `None` if it has no entry.
    fn said(&mut self, state: &G::State) -> Option<Said> {
        let bare = self.game.representative(&G::Bank::unbanked(self.game, state));
        let at = self.keys.binary_search(&self.game.encode(&bare)).ok()?;
        self.reached[at] = true;
        let cell = usize::from(*self.cells.get(at)?);
        let worth = *self.book.worths(0).get(cell.checked_sub(1)?)?;
        let Value(banked) = G::Bank::banked(self.game, state);
        Some(Said { worth, layer: 0, banked })
    }

    /// Whether the entry of a position follows from those that its moves lead to, which are visited.
    fn entry(
        &mut self,
        state: &G::State,
        here: Said,
        visit: &mut dyn FnMut(G::State),
    ) -> equation::Found {
        let (game, measure, values) = (self.game, self.measure, self.book.manifest().values);
        let bare = G::Bank::unbanked(game, state);
        let endless = game.endless(&bare).value_for(game.turn(&bare));
        let look_up = |child: &G::State| {
            visit(self.visited(child));
            let rises = measure.is_some_and(|of| of(game, child) > of(game, state));
            Ok(self.said(child).map(|said| Reached { said, rises }))
        };
        let found = equation::check::<G, Infallible>(
            game,
            (values, Listed::All),
            state,
            here,
            endless,
            look_up,
        );
        let Ok(found) = found;
        found
    }
}

impl<S> Checked<S> {
    fn of(flaw: Flaw<S>, taken: u64) -> Checked<S> {
        Checked { verdict: Verdict::False(flaw), taken }
    }
}
