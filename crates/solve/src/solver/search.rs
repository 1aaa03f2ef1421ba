//! Analysis by depth-first search, with distances; see [`crate::search`].

use foregone_rules::Game;

use super::line::line;
use super::{Analysis, Method, Question};
use crate::search::{Algorithm, Kept, Search, Seen};
use crate::tables::leaves::Leaf;

/// The search for a request and a search method, without a depth limit.
pub(super) fn search_for<'a, G: Game>(
    question: Question<'a, G>,
    method: Method,
    leaf: Option<Leaf<'a, G::State>>,
) -> Search<'a, G> {
    let Question { declared, request, control, .. } = question;
    let algorithm = method.algorithm().unwrap_or(Algorithm::AlphaBeta);
    let mut search = Search::new(&declared.game, algorithm).with_threads(request.threads);
    search = search.with_leaf(leaf);
    if request.remember || method == Method::Search {
        search = search.with_memory(control.memory());
    }
    if let Some(opinion) = declared.opinion {
        search = search.with_opinion(opinion);
    }
    if let Some(written) = declared.notation {
        search = search.with_notation(written);
    }
    if method == Method::Search {
        if let Some(order) = declared.order {
            search = search.with_order(order);
        }
        if let Some(representative) = declared.symmetry {
            search = search.with_representative(representative);
        }
    }
    if declared.cannot_loop() {
        search = search.without_loops();
    }
    search
}

/// Searches for worths, including distances, unless `seen` has the result already.
pub(super) fn analyse_by_search<G: Game>(
    question: Question<'_, G>,
    leaf: Option<Leaf<'_, G::State>>,
    kept: &mut Kept<G::State>,
    seen: Option<Seen<G::Move>>,
    analysis: &mut Analysis<G::Move>,
) {
    let Question { declared, state, request, control, started, .. } = question;
    let method = analysis.method;
    let mut run = |state: &G::State, depth: Option<u32>| -> Seen<G::Move> {
        let search = search_for(question, method, leaf);
        match depth {
            Some(depth) => search.with_depth(depth).run_on(state, control, kept),
            None => search.run_on(state, control, kept),
        }
    };
    let seen = seen.unwrap_or_else(|| run(state, request.depth));
    analysis.found = seen.found();
    analysis.nodes = seen.nodes;
    analysis.positions = seen.remembered;
    analysis.halted = seen.halted;
    analysis.moves = seen.moves.clone();
    analysis.time = started.elapsed();
    let mut first = Some(seen.moves);
    let mut plies = 0;
    if !request.line || analysis.halted.is_some() {
        return;
    }
    let mut halted = None;
    analysis.line = line(&declared.game, state, request.seed, false, &mut |state| {
        let left = request.depth.map(|depth| depth.saturating_sub(plies));
        plies += 1;
        if first.is_some() || left == Some(0) {
            return first.take();
        }
        let seen = run(state, left);
        halted = seen.halted;
        halted.is_none().then_some(seen.moves)
    });
    analysis.halted = halted;
}
