//! False tables that agree with themselves are searched for: on random graphs with loops, extra turns,
//! scores and draws of both kinds, entries begin as random worths and are given, again and again, what
//! the local rules derive, until nothing changes. Whatever is not true then is refused.

mod common;

use std::collections::HashMap;

use common::{Table, Values, endless, reference};
use foregone_check::equation::{self, Found, Reached, Said};
use foregone_check::{Effort, Verdict, dense, keyed, plain};
use foregone_record::Listed;
use foregone_record::format::{fingerprint, fingerprint_keyed};
use foregone_record::read::Bytes;
use foregone_rules::sample::Dice;
use foregone_rules::{Distance, Encode, Game, Indexed, Outcome, Side, Value, Worth};
use foregone_trial::{Forged, Graph};

/// A worth that a table of this kind may hold.
fn any(values: Values, dice: &mut Dice) -> Worth {
    let value = Value(dice.below(7) as i32 - 3);
    let worth = Worth::new(value, Distance::Plies(dice.below(12) as u32));
    match (values, dice.below(4)) {
        (Values::ScoreDistance, 0) => Worth::endless(value),
        _ => values.keep(worth, Value(0)),
    }
}

/// What the local rules derive for a position of a graph, in a table of these values.
fn derive(graph: &Graph, values: Values, table: &[Worth], state: u8) -> Worth {
    let said = |state: u8| Said { worth: table[usize::from(state)], layer: 0, banked: 0 };
    let look_up = |child: &u8| Ok::<_, ()>(Some(Reached { said: said(*child), rises: true }));
    match equation::check(
        graph,
        (values, Listed::All),
        &state,
        said(state),
        endless(graph, &state),
        look_up,
    ) {
        Ok(Found::Wrong(right)) => right,
        other => {
            assert!(matches!(other, Ok(Found::Right | Found::Unshown(_))), "{other:?}");
            table[usize::from(state)]
        }
    }
}

/// Applies the local rules in random order until nothing changes; `None` if that does not come about.
fn fixpoint(graph: &Graph, values: Values, dice: &mut Dice) -> Option<Vec<Worth>> {
    let size = graph.moves.len();
    let mut table: Vec<Worth> = (0..size).map(|_| any(values, dice)).collect();
    for _ in 0..60 {
        for _ in 0..size {
            let state = dice.below(size) as u8;
            table[usize::from(state)] = derive(graph, values, &table, state);
        }
        let stays = |state| derive(graph, values, &table, state) == table[usize::from(state)];
        if (0..size as u8).all(stays) {
            return Some(table);
        }
    }
    None
}

#[test]
fn a_table_that_agrees_with_itself_and_is_false_is_refused() {
    let mut counts: HashMap<(&str, bool), u32> = HashMap::new();
    for seed in 0..2_000 {
        // Endless play is worth the same everywhere, mostly nothing.
        let graph = Graph::new(seed).with_endless([0, 0, -2, 1][seed as usize % 4]);
        let states = 0..graph.moves.len() as u8;
        let truth = reference(&graph, states.clone());
        for (_, values) in Values::ALL {
            let mut dice = Dice::new(seed);
            for _ in 0..3 {
                let Some(table) = fixpoint(&graph, values, &mut dice) else { continue };
                let is_true = |state: u8| {
                    let (found, right) = (table[usize::from(state)], truth[&state]);
                    match values {
                        Values::ScoreDistance => found == right,
                        _ => found.value() == values.keep(right, found.value()).value(),
                    }
                };
                let is_true = states.clone().all(is_true);
                *counts.entry((values.name(), is_true)).or_default() += 1;
                check_all(&graph, values, &table, is_true);
            }
        }
    }
    // Without distances, false tables that agree with themselves are common; with them there are none,
    // and the check is exact: what agrees is true.
    let count = |values: Values, is_true| counts.get(&(values.name(), is_true)).copied();
    for values in [Values::Wdl, Values::Score] {
        assert!(count(values, false) > Some(1_000), "{counts:?}");
    }
    for values in [Values::ScoreDistance, Values::ScoreRank] {
        assert_eq!(count(values, false), None, "{counts:?}");
        assert!(count(values, true) > Some(1_000), "{counts:?}");
    }
}

/// Has all checkers look at a table: what is false is not right, and with distances or ranks what
/// agrees with itself is.
fn check_all(graph: &Graph, values: Values, table: &[Worth], is_true: bool) {
    let game = "graph";
    let layers = [table.iter().map(|worth| Some(*worth)).collect::<Vec<_>>()];
    let print = fingerprint(graph);
    let forged =
        Forged { game, fingerprint: print, values, layers: &layers, keys: None, proof: None };
    let file = Table::read(Bytes(forged.bytes())).unwrap();
    let effort = Effort::default();
    let arises = reference(graph, [graph.start()]);
    let right = |(state, right): (&u8, &Worth)| {
        let found = table[usize::from(*state)];
        let exact = values == Values::ScoreDistance;
        let kept = values.keep(*right, found.value());
        if exact { found == *right } else { found.value() == kept.value() }
    };
    let arises_true = arises.iter().all(right);
    // In a graph there is no measure of progress; one that is claimed is seen not to rise.
    for measure in [None, Some((|_: &Graph, state: &u8| (*state).into()) as _)] {
        let merged = dense::check(graph, &file, measure, effort, &|_| true).unwrap();
        let plainly = plain::check_dense(graph, &file, measure, effort, &|_| true).unwrap();
        // The plain check is of what can arise.
        for (verdict, is_true) in [(merged, is_true), (plainly, arises_true)] {
            match verdict {
                Verdict::Right(_) => assert!(is_true, "{graph:?} {table:?}"),
                Verdict::Unshown(_) => assert!(values.need_progress()),
                Verdict::False(_) => panic!("it agrees with itself: {verdict:?}"),
            }
        }
    }
    assert_eq!(graph.layers(), 1);
    // The same by keys: of what can arise.
    let mut keys: Vec<u128> = arises.keys().map(|state| graph.encode(state)).collect();
    keys.sort_unstable();
    let worth = |key: &u128| Some(table[*key as usize]);
    let layers = [keys.iter().map(worth).collect::<Vec<_>>()];
    let (print, keys) = (fingerprint_keyed(graph), Some(&keys[..]));
    let forged = Forged { game, fingerprint: print, values, layers: &layers, keys, proof: None };
    let file = Table::read(Bytes(forged.bytes())).unwrap();
    let verdict = keyed::check(graph, &file, None, effort, &|_| true).unwrap();
    match verdict {
        Verdict::Right(_) => assert!(arises_true, "{graph:?} {table:?}"),
        Verdict::Unshown(_) => assert!(values.need_progress()),
        Verdict::False(_) => panic!("it agrees with itself: {verdict:?}"),
    }
}

/// Where endless play is not worth the same everywhere, ranks are checked by what it is worth at each
/// position; distances are not shown to be true.
#[test]
fn play_without_end_may_differ_from_loop_to_loop() {
    let mut counts: HashMap<(&str, &str), u32> = HashMap::new();
    for seed in 0..1_500 {
        let graph = Graph::new(seed).with_loops(seed);
        let states = 0..graph.moves.len() as u8;
        let values_of = by_component(&graph);
        let worth_there = |state: &u8| Game::endless(&graph, state);
        let even = |state: u8| {
            let moves = &graph.moves[usize::from(state)];
            graph.outcomes[usize::from(state)].is_some()
                || moves.iter().all(|to| worth_there(to) == worth_there(&state))
        };
        let even = states.clone().all(even);
        for values in [Values::ScoreDistance, Values::ScoreRank] {
            let mut dice = Dice::new(seed);
            for _ in 0..3 {
                let Some(table) = fixpoint(&graph, values, &mut dice) else { continue };
                let layers = [table.iter().map(|worth| Some(*worth)).collect::<Vec<_>>()];
                let fingerprint = fingerprint(&graph);
                let forged = Forged {
                    game: "graph",
                    fingerprint,
                    values,
                    layers: &layers,
                    keys: None,
                    proof: None,
                };
                let file = Table::read(Bytes(forged.bytes())).unwrap();
                let verdict = dense::check(&graph, &file, None, Effort::default(), &|_| true);
                let is_true = states.clone().all(|state| {
                    table[usize::from(state)].value() == values_of[usize::from(state)]
                });
                let word = match verdict.unwrap() {
                    Verdict::Right(_) => {
                        assert!(is_true, "{seed} {table:?}");
                        "right"
                    }
                    Verdict::Unshown(unshown) => {
                        assert!(!even && values == Values::ScoreDistance, "{unshown:?}");
                        "unshown"
                    }
                    Verdict::False(flaw) => panic!("it agrees with itself: {flaw:?}"),
                };
                *counts.entry((values.name(), word)).or_default() += 1;
            }
        }
    }
    let count = |values: Values, word| counts.get(&(values.name(), word)).copied();
    assert!(count(Values::ScoreDistance, "unshown") > Some(300), "{counts:?}");
    assert!(count(Values::ScoreRank, "right") > Some(1_000), "{counts:?}");
}

/// The value of each position by its definition: for each bound, whether the mover can hold play to
/// ends that are worth as much, or to loops where endless play is. Loops that are good enough may
/// be gone round for ever, so they are never lost: what is lost is found from the ends, component by
/// component.
fn by_component(graph: &Graph) -> Vec<Value> {
    let size = graph.moves.len() as u8;
    let turn = |state: u8| graph.turns[usize::from(state)];
    let mut values = vec![Value(i32::MIN); usize::from(size)];
    for bound in -4..=4 {
        // Where the first player gets at least so much: greatest set in loops that are good for it,
        // least in others. Components above wait for those below, so all are gone through again.
        let good = |state: u8| Game::endless(graph, &state).0 >= bound;
        let component = components(graph);
        let mut holds: Vec<bool> = (0..size).map(good).collect();
        for at in 0..=component.iter().copied().max().unwrap_or(0) {
            let members: Vec<u8> =
                (0..size).filter(|state| component[usize::from(*state)] == at).collect();
            for _ in 0..=members.len() {
                for state in &members {
                    let after = |to: &u8| holds[usize::from(*to)];
                    let moves = &graph.moves[usize::from(*state)];
                    let held = match graph.outcomes[usize::from(*state)] {
                        Some(Outcome(outcome)) => outcome >= bound,
                        None if turn(*state) == Side::First => moves.iter().any(after),
                        None => moves.iter().all(after),
                    };
                    holds[usize::from(*state)] = held;
                }
            }
        }
        for state in (0..size).filter(|state| holds[usize::from(*state)]) {
            values[usize::from(state)] = Outcome(bound).value_for(turn(state));
        }
    }
    values
}

/// The component of each position, numbered so that play never leads to a higher number.
fn components(graph: &Graph) -> Vec<usize> {
    let size = graph.moves.len();
    let reached = |from: usize| {
        let (mut reached, mut open) = (vec![false; size], vec![from as u8]);
        while let Some(state) = open.pop() {
            let at = usize::from(state);
            if !std::mem::replace(&mut reached[at], true) && graph.outcomes[at].is_none() {
                open.extend(&graph.moves[at]);
            }
        }
        reached
    };
    let reached: Vec<_> = (0..size).map(reached).collect();
    // Who reaches more comes later; of those that reach as many, each is alone or reaches all others.
    let mut order: Vec<usize> = (0..size).collect();
    let many = |at: &usize| reached[*at].iter().filter(|reached| **reached).count();
    order.sort_by_key(many);
    let mut component = vec![usize::MAX; size];
    let mut next = 0;
    for at in order {
        if component[at] == usize::MAX {
            for other in 0..size {
                if reached[at][other] && reached[other][at] {
                    component[other] = next;
                }
            }
            next += 1;
        }
    }
    component
}
