//! Estimates for a position without a proof within the limits: a search of some plies for every
//! move, and random games.

use foregone_rules::sample::Dice;
use foregone_rules::{Distance, Game, Worth};

use super::search::search_for;
use super::{Analysis, Method, Question};
use crate::control::Halted;
use crate::found::{Estimate, Found};
use crate::monte_carlo::think_of;
use crate::search::Seen;

/// The greatest depth of iterative deepening, in plies.
pub(crate) const DEEPEST: u32 = 200;

/// The number of positions to search if there is no time limit.
const ENOUGH: u64 = 1 << 22;

/// Adds estimates of all moves to the result of a halted run. What is proven stays.
pub(super) fn estimate<G: Game>(question: Question<'_, G>, analysis: &mut Analysis<G::Move>) {
    let Question { declared, state, request, control, .. } = question;
    // Half of the remaining time is for random games.
    let half = control.clone().with_quarters_of_time(2);
    let Some((depth, mut seen)) = look_ahead(Question { control: &half, ..question }) else {
        return;
    };
    let known = analysis.found.filter(|found| found.is_proven());
    for (mv, found) in &mut seen.moves {
        let proven = analysis.moves.iter().find(|(each, found)| each == mv && found.is_proven());
        if let Some((_, proven)) = proven {
            *found = *proven;
        } else if let Some(known) = known.map(Found::value).filter(|most| found.value() > *most) {
            // No move is worth more than its position.
            *found = Found::Estimate(Estimate::new(Worth::new(known, Distance::Plies(depth))));
        }
    }
    analysis.found = known.or(seen.found());
    let is_proven = seen.found().is_some_and(Found::is_proven);
    analysis.moves = seen.moves;
    if is_proven {
        // All lines of play end within the search depth.
        (analysis.halted, analysis.bounds, analysis.method) = (None, None, Method::Search);
        return;
    }
    analysis.ahead = Some(depth).filter(|_| known.is_none());
    let mut dice = Dice::new(request.seed.unwrap_or(0));
    let Ok(mut chances) = think_of(declared, state, &mut dice, control) else { return };
    for (mv, found) in &mut analysis.moves {
        let proven = chances.moves.iter().find(|each| each.mv == *mv).and_then(|each| each.found);
        if let Some(proven) = proven.filter(|_| !found.is_proven()) {
            *found = proven;
        }
    }
    // No move can be worth more than the best result there is, nor the position than its moves.
    let wins = |found: &Found| found.is_proven() && found.value().0 >= declared.game.max_value();
    let moves = || analysis.moves.iter().map(|(_, found)| *found);
    let all = moves().all(Found::is_proven);
    let best = moves().map(Found::value).max().filter(|_| all);
    if let Some(found) = moves().find(wins).or(best.map(Found::Value)) {
        (analysis.found, analysis.bounds, analysis.ahead) = (Some(found), None, None);
        analysis.halted = analysis.halted.take().filter(|_| !all);
        analysis.moves.retain(|(_, found)| found.is_proven());
        return;
    }
    // Most games tried the best, or nearly so. Who reads the chances takes the largest.
    chances.best = chances.likeliest;
    analysis.chances = Some(chances);
}

/// The deepest finished search within the limits, and its depth in plies.
fn look_ahead<G: Game>(question: Question<'_, G>) -> Option<(u32, Seen<G::Move>)> {
    let Question { state, control, .. } = question;
    let mut deepest = None;
    let mut left = if control.has_time_limit() { u64::MAX } else { ENOUGH };
    // On a busy machine the time may be over already: one move ahead is always looked.
    let untimed = control.clone().without_time();
    for depth in 1..=DEEPEST {
        let search = search_for(question, Method::Search, None).with_depth(depth).with_nodes(left);
        let seen = search.run(state, if depth == 1 { &untimed } else { control });
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
    use std::time::Instant;

    use super::*;
    use crate::control::Control;
    use crate::declared::Declared;
    use crate::solver::{Picked, Request, Solver};
    use crate::tables::endgame::Store;
    use foregone_rules::Args;
    use foregone_rules::games::{ConnectFour, Mnk, NineMensMorris};
    use foregone_rules::promise::Promises;
    use foregone_rules::{Family, Outcome, Side, Value};

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

    /// Two ways of one move each, longer than any search looks ahead.
    struct Corridors;

    impl Game for Corridors {
        type State = (u32, bool);
        type Move = bool;

        fn start(&self) -> (u32, bool) {
            (0, false)
        }
        fn turn(&self, &(ply, _): &(u32, bool)) -> Side {
            if ply.is_multiple_of(2) { Side::First } else { Side::Second }
        }
        fn outcome(&self, &(ply, _): &(u32, bool)) -> Option<Outcome> {
            (ply > DEEPEST + 50).then_some(Outcome::win(Side::Second))
        }
        fn moves(&self, &(ply, left): &(u32, bool)) -> impl Iterator<Item = bool> {
            [left, !left].into_iter().take(if ply == 0 { 2 } else { 1 })
        }
        fn play(&self, &(ply, _): &(u32, bool), left: bool) -> (u32, bool) {
            (ply + 1, left)
        }
    }

    #[test]
    fn moves_that_random_games_prove_prove_the_position() {
        let (declared, state) = (&Declared::plain(Corridors), &Corridors.start());
        let (request, control) = (&Request::default(), &Control::default());
        let endgame = &Store::default();
        let question = Question {
            declared,
            state,
            request,
            control,
            endgame,
            known: None,
            started: Instant::now(),
        };
        let picked = Picked { method: Method::Search, why: String::new(), source: None };
        let mut analysis = Analysis::begun(&Corridors, state, picked, Some(Halted::NotInTable));
        estimate(question, &mut analysis);
        assert_eq!(analysis.found, Some(Found::Value(Value(-1))));
        assert!(analysis.moves.iter().all(|(_, found)| *found == Found::Value(Value(-1))));
        assert_eq!((analysis.moves.len(), analysis.halted), (2, None));
        assert!(analysis.chances.is_none() && analysis.ahead.is_none());
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
