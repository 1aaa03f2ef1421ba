//! Estimates for a position without a proof within the limits: a search of some plies for every
//! move, and random games.

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use super::search::search_for;
use super::{Analysis, Method, Question};
use crate::control::Halted;
use crate::found::Found;
use crate::monte_carlo::think_of;
use crate::search::Seen;

/// The greatest depth of iterative deepening, in plies.
pub(crate) const DEEPEST: u32 = 200;

/// The number of positions to search if there is no time limit.
const ENOUGH: u64 = 1 << 22;

/// Adds estimates of all moves to the result of a halted run. Proven moves keep their values.
pub(super) fn estimate<G: Game>(question: Question<'_, G>, analysis: &mut Analysis<G::Move>) {
    let Question { declared, state, request, control, .. } = question;
    // Half of the remaining time is for random games.
    let half = control.clone().with_quarters_of_time(2);
    let Some((depth, mut seen)) = look_ahead(Question { control: &half, ..question }) else {
        return;
    };
    for (mv, found) in &mut seen.moves {
        let proven = analysis.moves.iter().find(|(each, found)| each == mv && found.is_proven());
        if let Some((_, proven)) = proven {
            *found = *proven;
        }
    }
    analysis.found = seen.found();
    analysis.moves = seen.moves;
    if analysis.found.is_some_and(Found::is_proven) {
        // All lines of play end within the search depth.
        (analysis.halted, analysis.bounds, analysis.method) = (None, None, Method::Search);
        return;
    }
    analysis.ahead = Some(depth);
    let mut dice = Dice::new(request.seed.unwrap_or(0));
    let Ok(chances) = think_of(declared, state, &mut dice, control) else { return };
    for (mv, found) in &mut analysis.moves {
        let proven = chances.moves.iter().find(|each| each.mv == *mv).and_then(|each| each.found);
        if let Some(proven) = proven.filter(|_| !found.is_proven()) {
            *found = proven;
        }
    }
    // No move can be worth more than the best result there is.
    let wins = |found: &Found| found.is_proven() && found.value().0 >= declared.game.max_value();
    if let Some((_, win)) = analysis.moves.iter().find(|(_, found)| wins(found)) {
        (analysis.found, analysis.bounds, analysis.ahead) = (Some(*win), None, None);
        analysis.moves.retain(|(_, found)| found.is_proven());
        return;
    }
    analysis.chances = Some(chances);
}

/// The deepest finished search within the limits, and its depth in plies.
fn look_ahead<G: Game>(question: Question<'_, G>) -> Option<(u32, Seen<G::Move>)> {
    let Question { state, control, .. } = question;
    let mut deepest = None;
    let mut left = if control.has_time_limit() { u64::MAX } else { ENOUGH };
    for depth in 1..=DEEPEST {
        let search = search_for(question, Method::Search, None).with_depth(depth).with_nodes(left);
        let seen = search.run(state, control);
        left = left.saturating_sub(seen.nodes);
        match seen.halted {
            None => {}
            // Stopped by the user, who does not want to wait for estimates.
            Some(Halted::Stopped { .. }) => return None,
            Some(_) => break,
        }
        let proven = seen.found().is_none_or(Found::is_proven);
        deepest = Some((depth, seen));
        if proven {
            break;
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;
    use crate::declared::Declared;
    use crate::solver::{Request, Solver};
    use foregone_rules::Args;
    use foregone_rules::games::{ConnectFour, Mnk, NineMensMorris};
    use foregone_rules::promise::Promises;
    use foregone_rules::{Family, Value};

    fn analyse<F: Family>(
        declared: Declared<F>,
        control: &Control,
        estimate: bool,
    ) -> Analysis<F::Move> {
        let start = declared.game.start();
        let request = Request { estimate, ..Request::default() };
        Solver::new(declared).analyse(&start, &request, control)
    }

    #[test]
    fn where_nothing_is_proven_every_move_has_an_estimate() {
        // Too little memory for anything, so that no clock decides.
        let control = Control::default().with_memory(1 << 20);
        let declared = || {
            let args = Args::new(&NineMensMorris::ABOUT, []).unwrap();
            Declared::plain(NineMensMorris::create(&args).unwrap()).with(|it| {
                it.notation();
                it.symmetry();
            })
        };
        let analysis = analyse(declared(), &control, true);
        assert!(matches!(analysis.halted, Some(Halted::Memory { .. })), "{:?}", analysis.halted);
        assert_eq!(analysis.moves.len(), 24);
        assert!(analysis.moves.iter().all(|(_, found)| matches!(found, Found::Estimate(_))));
        assert!(matches!(analysis.found, Some(Found::Estimate(_))), "{:?}", analysis.found);
        assert!(analysis.ahead.is_some_and(|depth| depth >= 3), "{:?}", analysis.ahead);
        let chances = analysis.chances.as_ref().unwrap();
        assert!(chances.moves.len() == 24 && chances.games > 0);
        assert_eq!(analysis.best(), [chances.moves[chances.best].mv]);
        // Nobody asked for them.
        let analysis = analyse(declared(), &control, false);
        assert!(analysis.found.is_none() && analysis.moves.is_empty() && analysis.ahead.is_none());
    }

    #[test]
    fn a_game_that_ends_within_sight_is_proven_after_all() {
        let given = [("columns", "8"), ("rows", "8"), ("line", "1")];
        let game = Mnk::create(&Args::new(&Mnk::ABOUT, given).unwrap()).unwrap();
        let analysis = analyse(Declared::plain(game), &Control::default().with_memory(100), true);
        assert_eq!(analysis.halted, None);
        assert_eq!(
            analysis.found.map(|found| (found.is_proven(), found.value())),
            Some((true, Value(1)))
        );
    }

    #[test]
    fn whoever_stops_it_is_not_kept_waiting() {
        let args = Args::new(&ConnectFour::ABOUT, []).unwrap();
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let control = Control::default().with_stop(stop);
        let declared = Declared::plain(ConnectFour::create(&args).unwrap()).with(|it| it.acyclic());
        let analysis = analyse(declared, &control, true);
        assert!(matches!(analysis.halted, Some(Halted::Stopped { .. })));
        assert!(analysis.moves.is_empty());
    }
}
