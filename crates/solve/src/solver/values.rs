//! Analysis by search for values, with distances only if they are wanted; see [`crate::exact`].

use std::time::{Duration, Instant};

use foregone_rules::sort::by_rank;
use foregone_rules::{Distance, Finer, Game, Value, Worth};

use super::haste::Haste;
use super::known::Knowing;
use super::line::{Keeping, hardest};
use super::{Analysis, Ask, Method, Question, Request};
use crate::control::{Control, Halted};
use crate::exact::{Distances, Options, Proven, Valuing, keeps, move_values};
use crate::found::Found;
use crate::moves::{after, ended_by, finished, listed, outcome};
use crate::tables::leaves::Leaf;

/// The work of counting the replies to moves that hold a draw: a tenth of a second.
const FOR_REPLIES: u64 = 1 << 20;

/// The values of a position and of all its moves; then their distances, if they are wanted. `distant` are known
/// worths with distances.
pub(super) fn analyse_values<G: Game>(
    question: Question<'_, G>,
    valuer: &mut dyn Valuing<G>,
    distant: Option<Leaf<'_, G::State>>,
    analysis: &mut Analysis<G::Move>,
) {
    let Question { declared, state, request, control, known, started, .. } = question;
    let game = &declared.game;
    let valuer = &mut Knowing { known, valuer };
    if let Some(worth) = finished(game, state) {
        analysis.found = Some(Found::Proven(worth));
        return;
    }
    let wanted = request.distances;
    let new = || Distances::new(declared, control, for_distances(control) / 2, distant);
    let mut distances = wanted.then(|| [new(), new()]);
    let mut haste = Haste::new(declared, control);
    let mut for_values = None;
    let found = find_values(question, valuer, analysis).and_then(|value| {
        match &mut distances {
            Some(by) => find_distances(question, valuer, by, value, analysis)?,
            None if request.moves => {
                analysis.hasten(&mut haste, state)?;
                // Where other distances are not known, moves that win at once still have theirs.
                for (mv, found) in
                    analysis.moves.iter_mut().filter(|(_, found)| found.value().0 > 0)
                {
                    if let Some(worth) = ended_by(game, state, *mv) {
                        *found = Found::Proven(worth);
                        if worth.value() == value {
                            analysis.found = Some(*found);
                        }
                    }
                }
            }
            None => {}
        }
        for_values = Some(valuer.nodes());
        if request.moves {
            let book = known.filter(|_| analysis.method == Method::Book);
            valuer.allow(FOR_REPLIES);
            let drawn = hardest(game, state, &analysis.moves, &mut |child| match book {
                Some(book) => book.moves(child).ok().flatten(),
                None => {
                    let value = value.seen_from(analysis.turn, game.turn(child));
                    holding(game, valuer, child, value, control).ok()
                }
            });
            if !drawn.is_empty() {
                analysis.hardest = drawn;
            }
            valuer.allow(u64::MAX);
        }
        Ok(value)
    });
    let nodes = distances.iter().flatten().map(Distances::nodes).sum::<u64>();
    analysis.nodes = for_values.unwrap_or_else(|| valuer.nodes()) + nodes;
    analysis.time = started.elapsed();
    let distances = distances.map(|[of_position, _]| of_position);
    analysis.halted = found
        .and_then(|value| {
            // What comes after a book takes longer than all that it says.
            let book = known.filter(|_| analysis.method == Method::Book);
            let mut by = Keeping { game, control, valuer, distances, haste, book };
            match request.line {
                true => {
                    by.line(state, value, analysis.preferred(), request.seed, &mut analysis.line)
                }
                false => Ok(()),
            }
        })
        .err();
}

/// With a time limit, distances may take a quarter of the time of values, and this moment, or a
/// twentieth of the limit if that is less: it is short where others wait.
const MOMENT: Duration = Duration::from_millis(100);

/// They may in any case come this soon, or in a tenth of the limit if that is sooner.
const SOON: Duration = Duration::from_millis(500);

/// Asks a question by the finest variant of a game, whose values tell distances as well. With a time limit the values of the
/// game itself come first, and distances only if they take hardly longer.
pub(crate) fn by_finest<G: Finer>(
    question: Question<'_, G>,
    ask: Ask<'_, G>,
    analysis: &mut Analysis<G::Move>,
) {
    let Question { declared, state, .. } = question;
    let (game, mover) = (&declared.game, analysis.turn);
    let finest = game.finest();
    if finest.max_value() == game.max_value() || outcome(game, state).is_some() {
        return ask(question, analysis);
    }
    let finest = &declared.searching(finest);
    // The values tell them.
    let request = &Request { distances: false, ..*question.request };
    // What files say are values of the game itself.
    let mut control = question.control.clone().clamped(game.max_value());
    let mut known = None;
    if let Some(left) = control.time_left() {
        let begun = Instant::now();
        let mut plain = analysis.clone();
        ask(Question { request, ..question }, &mut plain);
        if plain.halted.is_some() {
            *analysis = plain;
            return;
        }
        let spent = begun.elapsed();
        let moment = spent / 4 + MOMENT.min(left / 20);
        let soon = SOON.min(left / 10).saturating_sub(spent);
        control = control.with_time(moment.max(soon).min(left.saturating_sub(spent)));
        known = Some(plain);
    }
    let question =
        Question { declared: finest, known: None, request, control: &control, ..question };
    ask(question, analysis);
    // Without the answer of the finest variant, draws are still draws of it.
    let mut coarse = false;
    if let Some(known) = known {
        let nodes = known.nodes + analysis.nodes;
        coarse = analysis.halted.is_some();
        if coarse {
            *analysis = known;
        }
        analysis.nodes = nodes;
    }
    let proven = |found: &mut Found, worth: &dyn Fn(Value) -> Worth| match *found {
        Found::Value(value) if !coarse || value == Value(0) => *found = Found::Proven(worth(value)),
        // A move that ends the game, in the unit of the finest variant.
        Found::Proven(ended) if !coarse => *found = Found::Proven(worth(ended.value())),
        _ => {}
    };
    let here = |value| game.worth_by(state, value);
    analysis.found.iter_mut().for_each(|found| proven(found, &here));
    if let Some((low, high)) = analysis.bounds.take() {
        match [low, high].map(|bound| here(bound).value()) {
            [low, high] if low == high => analysis.found = Some(Found::Value(low)),
            [low, high] => analysis.bounds = Some((low, high)),
        }
    }
    for (mv, found) in &mut analysis.moves {
        let child = after(game, state, *mv);
        let next = game.turn(&child);
        proven(found, &|value| {
            game.worth_by(&child, value.seen_from(mover, next)).backed_up(next, mover)
        });
    }
}

/// The value of a position that is not over, and the values of its moves if they are wanted.
fn find_values<G: Game>(
    Question { declared, state, request, control, .. }: Question<'_, G>,
    valuer: &mut dyn Valuing<G>,
    analysis: &mut Analysis<G::Move>,
) -> Result<Value, Halted> {
    let game = &declared.game;
    let Proven { low, high, halted } = valuer.bounds(state);
    match low == high {
        true => analysis.found = Some(Found::Value(low)),
        false => analysis.bounds = Some((low, high)),
    }
    halted.map_or(Ok(()), Err)?;
    if request.moves {
        let moves = listed(game, state, control)?;
        let (mut order, mut values) = (valuer.order(state, &moves), Vec::new());
        // A move that keeps the value comes first: those before it may take longer than there is time.
        by_rank(&mut order, &|at| i64::from(ended_by(game, state, moves[*at]).is_none()));
        for at in 0..order.len() {
            let child = after(game, state, moves[order[at]]);
            let (mover, next) = (game.turn(state), game.turn(&child));
            if keeps(valuer, &child, low.seen_from(mover, next), next == mover)? {
                order[..=at].rotate_right(1);
                break;
            }
        }
        let moves = (&moves[..], &order[..]);
        let tell = |mv, value| control.tell_move(|| game.move_text(mv), value);
        let found =
            move_values(game, state, moves, low, &mut values, tell, |child, known, guess| {
                valuer.bounds_within(child, known, guess)
            });
        let value = |(mv, value)| (mv, Found::Value(value));
        analysis.moves.extend(values.into_iter().map(value));
        found?;
    }
    Ok(low)
}

/// The moves of a position with a value: those that keep it, and those that do not.
fn holding<G: Game>(
    game: &G,
    valuer: &mut dyn Valuing<G>,
    state: &G::State,
    value: Value,
    control: &Control,
) -> Result<Vec<(G::Move, Found)>, Halted> {
    let moves = listed(game, state, control)?;
    let holds = |mv| {
        let child = after(game, state, mv);
        let (mover, next) = (game.turn(state), game.turn(&child));
        let keeps = keeps(valuer, &child, value.seen_from(mover, next), next == mover)?;
        Ok((mv, Found::Value(Value(value.0 - i32::from(!keeps)))))
    };
    moves.into_iter().map(holds).collect()
}

/// The distances of the position and of its moves, the best first. What is remembered of one value is of no use
/// for another, so there are two searches: for the value of the position, and for all others.
fn find_distances<G: Game>(
    Question { declared, state, .. }: Question<'_, G>,
    valuer: &mut dyn Valuing<G>,
    [best, others]: &mut [Distances<'_, G>; 2],
    value: Value,
    analysis: &mut Analysis<G::Move>,
) -> Result<(), Halted> {
    let (game, mover) = (&declared.game, analysis.turn);
    let plies = best.plies(valuer, state, value)?;
    analysis.found = Some(Found::Proven(Worth::new(value, Distance::Plies(plies))));
    let mut order: Vec<_> = analysis.moves.iter_mut().collect();
    by_rank(&mut order, &|(_, found)| -i64::from(found.value().0));
    for (mv, found) in order {
        let child = after(game, state, *mv);
        let next = game.turn(&child);
        let after = found.value().seen_from(mover, next);
        let by = if found.value() == value { &mut *best } else { &mut *others };
        let plies = by.plies(valuer, &child, after)?;
        *found = Found::Proven(Worth::new(after, Distance::Plies(plies)).backed_up(next, mover));
    }
    Ok(())
}

/// The memory for distances, of all memory.
fn for_distances(control: &Control) -> u64 {
    control.memory() / 4
}

/// The limits of a search for values: without what [`analyse_values`] needs for distances.
pub(super) fn for_values(request: &Request, control: &Control) -> Control {
    let distances = if request.distances { for_distances(control) } else { 0 };
    control.clone().with_memory(control.memory() - distances)
}

/// The options of a search for values, from a request.
pub(super) fn value_options(request: &Request, by_proof: bool) -> Options {
    Options { threads: request.threads, endgame: request.endgame, by_proof }
}
