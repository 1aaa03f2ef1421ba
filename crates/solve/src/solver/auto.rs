//! [`Method::Auto`]: tries cheap methods first, in growing rounds, before the expensive one.
//!
//! Strong solving gives most information, and solves small games at once, so it comes first. If
//! play cannot loop, it is given up when the game looks too large for it, and a search does the
//! rest. If a search can answer the whole request, both take turns: each round allows strong
//! solving four times as many positions as before, and the search as much work; strong solving then
//! has a quarter of the memory. Where the values of a finer variant tell distances, strong solving is
//! worth it only for very small games. Turns are measured in positions and moves, never in time, so that
//! the same request always gets the same answer.

use foregone_rules::Game;

use super::race::Race;
use super::search::{analyse_by_search, search_for};
use super::values::{analyse_values, for_values, value_options};
use super::{Analysis, Ask, Method, Question, Solver};
use crate::control::{Control, Halted, counted};
use crate::declared::Declared;
use crate::exact::Options;
use crate::exact::{ValueSearch, Valuing};
use crate::search::Kept;
use crate::strong::{Quickly, Strong};
use crate::tables::leaves::Leaf;

/// The number of positions for strong solving in the first round.
const FIRST_ROUND: u64 = 1 << 14;

/// The most positions for strong solving where a search finds distances, too, and hardly later.
const FEW: u64 = 1 << 16;

/// The work of a search for values per position of strong solving; the two then take about the same
/// time.
const WORK: u64 = 8;

/// The memory limit of proof-number search for its turns.
const FOR_PROOF: u64 = 256 << 20;

/// The result of a round of strong solving.
enum Round {
    Solved,
    /// It needs more positions.
    More,
    /// It would take too long, or too much memory.
    Never,
}

impl<G: Game> Solver<G> {
    /// Solves a position by the method that suits it best.
    pub(super) fn analyse_by_auto(
        &mut self,
        question: Question<'_, G>,
        [leaf, distant]: [Option<Leaf<'_, G::State>>; 2],
        analysis: &mut Analysis<G::Move>,
    ) {
        let Question { declared, request, control, .. } = question;
        analysis.method = Method::Strong;
        if !declared.cannot_loop() {
            analysis.why = "play may loop, so all positions have to be solved".to_owned();
            self.analyse_strongly(question, analysis);
            let merged = self.strong.as_ref().is_some_and(|strong| strong.is_merged());
            match analysis.positions {
                Some(count) if count <= Self::QUICK && !merged => analysis.why = only(count),
                _ => {}
            }
            return;
        }
        let values = declared.values;
        // Only strong solving finds distances, which are worth a short wait.
        let alone = values.is_some() && request.moves;
        let whole = control.memory();
        let (first, others) = if alone { (whole, whole) } else { (whole / 4, whole - whole / 4) };
        let quick = control.clone().with_memory(first).with_quarters_of_time(1);
        let rest = control.clone().with_memory(others);
        let question = Question { control: &rest, ..question };
        let halves = shares(&for_values(request, &rest));
        let mut rival = match values {
            _ if alone => Rival::Nobody,
            None => Rival::Search(Kept::default()),
            Some(values) => {
                race(question, &halves, values, leaf).map_or(Rival::Nobody, Rival::Race)
            }
        };
        let finest = question.finest().filter(|_| leaf.is_none());
        let most = if alone && finest.is_some() { FEW } else { Self::QUICK };
        let mut max = if rival.is_nobody() { most } else { FIRST_ROUND };
        loop {
            match self.round(question, &quick, max) {
                Ok(Round::Solved) => {
                    self.analyse_strongly(question, analysis);
                    analysis.why = only(analysis.nodes);
                    return;
                }
                Ok(Round::More) if max < most => {}
                Ok(_) => break,
                Err(halted) => {
                    analysis.halted = Some(halted);
                    return;
                }
            }
            if rival.wins(question, distant, max, analysis) {
                return;
            }
            max = (4 * max).min(most);
        }
        let why = "not all positions can be kept in memory, and play cannot loop";
        (analysis.method, analysis.why) = (Method::Search, why.to_owned());
        match (rival, values) {
            (Rival::Race(mut race), _) => {
                race.allow(u64::MAX);
                by_values(question, &mut race, distant, analysis);
            }
            (Rival::Nobody, Some(values)) => {
                let ask: Ask<'_, G> = &|question, analysis| {
                    let shares = shares(&for_values(request, question.control));
                    match race(question, &shares, values, leaf) {
                        Ok(mut race) => by_values(question, &mut race, distant, analysis),
                        // The memory is too small for both searches.
                        Err(_) => {
                            let control = if alone { question.control } else { control };
                            let question = Question { control, ..question };
                            alpha_beta(question, values, [leaf, distant], analysis)
                        }
                    }
                };
                match finest {
                    Some(by_finest) => by_finest(question, ask, analysis),
                    None => ask(question, analysis),
                }
            }
            (rival, _) => {
                analyse_by_search(question, distant, &mut rival.kept(), None, analysis);
            }
        }
    }

    /// Runs strong solving with a limit of `max` positions.
    fn round(
        &mut self,
        question: Question<'_, G>,
        quick: &Control,
        max: u64,
    ) -> Result<Round, Halted> {
        let Question { declared, state, .. } = question;
        match Strong::solve_quickly(&declared.game, state, declared.notation, quick, max) {
            Ok(Quickly::Solved(strong)) => {
                self.strong = Some(strong.into());
                Ok(Round::Solved)
            }
            Ok(Quickly::Not { expected }) if expected <= Self::QUICK => Ok(Round::More),
            Ok(Quickly::Not { .. }) | Err(Halted::Time { .. } | Halted::Memory { .. }) => {
                Ok(Round::Never)
            }
            Err(halted) => Err(halted),
        }
    }
}

/// The search that takes turns with strong solving.
enum Rival<'a, G: Game> {
    Nobody,
    /// Finds distances.
    Search(Kept<G::State>),
    /// Finds values.
    Race(Race<'a, G>),
}

impl<G: Game> Rival<'_, G> {
    /// Takes a turn, as long as strong solving takes for `max` positions; returns whether that was
    /// enough for the whole answer.
    fn wins(
        &mut self,
        question: Question<'_, G>,
        distant: Option<Leaf<'_, G::State>>,
        max: u64,
        analysis: &mut Analysis<G::Move>,
    ) -> bool {
        let why = |halted: Option<&Halted>| match halted {
            None => "it was faster than solving all positions",
            Some(_) => "side by side with solving all positions",
        };
        let Question { state, control, .. } = question;
        match self {
            Rival::Nobody => false,
            Rival::Search(kept) => {
                let search = search_for(question, Method::Search, distant).with_nodes(max);
                let seen = search.run_on(state, control, kept);
                let wins = is_final(seen.halted.as_ref());
                if wins {
                    analysis.method = Method::Search;
                    analysis.why = why(seen.halted.as_ref()).to_owned();
                    analyse_by_search(question, distant, kept, Some(seen), analysis);
                }
                wins
            }
            Rival::Race(race) => {
                race.allow(WORK * max);
                let proven = race.bounds(state);
                let wins = is_final(proven.halted.as_ref());
                if wins {
                    race.allow(u64::MAX);
                    analysis.why = why(proven.halted.as_ref()).to_owned();
                    by_values(question, race, distant, analysis);
                }
                wins
            }
        }
    }

    fn is_nobody(&self) -> bool {
        matches!(self, Rival::Nobody)
    }

    /// The transposition tables of a search.
    fn kept(self) -> Kept<G::State> {
        match self {
            Rival::Search(kept) => kept,
            _ => Kept::default(),
        }
    }
}

/// Whether the result of a turn is final: it is not if the search needs more work, or failed where
/// strong solving may still succeed.
fn is_final(halted: Option<&Halted>) -> bool {
    use Halted::{Deep, Loops, Memory, Positions, Thread};
    !matches!(
        halted,
        Some(Positions { .. } | Deep { .. } | Loops { .. } | Memory { .. } | Thread { .. })
    )
}

/// The limits of alpha-beta and proof-number search.
fn shares(control: &Control) -> [Control; 2] {
    let for_proof = (control.memory() / 4).min(FOR_PROOF);
    [control.memory() - for_proof, for_proof].map(|memory| control.clone().with_memory(memory))
}

/// A race of alpha-beta and proof-number search.
fn race<'a, G: Game>(
    question: Question<'a, G>,
    [share, for_proof]: &'a [Control; 2],
    values: &'static dyn ValueSearch<G>,
    leaf: Option<Leaf<'a, G::State>>,
) -> Result<Race<'a, G>, Halted> {
    let Question { declared: Declared { game, .. }, request, .. } = question;
    let (options, given) = (value_options(request, false), question.given(leaf));
    let alpha_beta = values.valuer(game, share, options, given)?;
    let options = Options { by_proof: true, ..Options::default() };
    Ok(Race::new(alpha_beta, values.valuer(game, for_proof, options, given)?))
}

fn by_values<G: Game>(
    question: Question<'_, G>,
    race: &mut Race<'_, G>,
    distant: Option<Leaf<'_, G::State>>,
    analysis: &mut Analysis<G::Move>,
) {
    analysis.method = Method::Search;
    analyse_values(question, race, distant, analysis);
    if race.by_proof == Some(true) {
        analysis.method = Method::Proof;
    }
}

/// Alpha-beta alone.
fn alpha_beta<G: Game>(
    question: Question<'_, G>,
    values: &'static dyn ValueSearch<G>,
    [leaf, distant]: [Option<Leaf<'_, G::State>>; 2],
    analysis: &mut Analysis<G::Move>,
) {
    let Question { declared, request, control, .. } = question;
    let (options, share) = (value_options(request, false), for_values(request, control));
    match values.valuer(&declared.game, &share, options, question.given(leaf)) {
        Ok(mut valuer) => analyse_values(question, &mut *valuer, distant, analysis),
        Err(halted) => analysis.halted = Some(halted),
    }
}

fn only(positions: u64) -> String {
    format!("only {} can arise", counted(positions, "position", "positions"))
}
