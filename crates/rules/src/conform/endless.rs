//! Checks that endless play has the same outcome at all positions of a loop.
//!
//! The sampled positions are divided into strongly connected components (Tarjan 1972), by the moves
//! between them.

use std::collections::HashMap;

use super::{Conform, children};
use crate::game::{Game, Outcome};

/// No number yet.
const NONE: usize = usize::MAX;

impl<G: Game> Conform<'_, G> {
    /// The positions where [`Game::endless`] differs from the first position of their component,
    /// each with that position and its outcome of endless play.
    pub(super) fn unequal_loops(&self) -> HashMap<G::State, (G::State, Outcome)> {
        let game = self.game;
        let endless: Vec<_> = self.samples.iter().map(|each| game.endless(&each.state)).collect();
        if endless.windows(2).all(|two| two[0] == two[1]) {
            return HashMap::new();
        }
        let states = self.samples.iter().map(|each| each.state);
        let numbers: HashMap<G::State, usize> = states.zip(0..).collect();
        let next = |number: usize| -> Vec<usize> {
            let state = &self.samples[number].state;
            children(game, state).filter_map(|(_, child)| numbers.get(&child).copied()).collect()
        };
        let component = components(self.samples.len(), next);
        let mut first = vec![NONE; component.len()];
        let mut unequal = HashMap::new();
        for (number, component) in component.into_iter().enumerate() {
            let first = &mut first[component];
            if *first == NONE {
                *first = number;
            } else if endless[number] != endless[*first] {
                let other = (self.samples[*first].state, endless[*first]);
                unequal.insert(self.samples[number].state, other);
            }
        }
        unequal
    }
}

/// For each of `count` nodes, the number of its strongly connected component.
fn components(count: usize, next: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut component = vec![NONE; count];
    // For each node, its place in depth-first order, and the lowest place that it leads back to.
    let (mut found, mut lowest) = (vec![NONE; count], vec![NONE; count]);
    let (mut order, mut components) = (0, 0);
    // Nodes without a component yet; nodes of the current path, each with its remaining children.
    let (mut open, mut path) = (Vec::new(), Vec::new());
    for root in 0..count {
        if found[root] != NONE {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                (found[node], lowest[node]) = (order, order);
                order += 1;
                open.push(node);
                path.push((node, next(node)));
            }
            let Some((node, left)) = path.last_mut() else { break };
            let node = *node;
            match left.pop() {
                Some(child) if found[child] == NONE => enter = Some(child),
                Some(child) if component[child] == NONE => {
                    lowest[node] = lowest[node].min(found[child]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    if let Some((before, _)) = path.last() {
                        lowest[*before] = lowest[*before].min(lowest[node]);
                    }
                    if lowest[node] == found[node] {
                        while let Some(member) = open.pop() {
                            component[member] = components;
                            if member == node {
                                break;
                            }
                        }
                        components += 1;
                    }
                }
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::Dice;

    /// Two nodes are in one component if and only if each leads to the other.
    #[test]
    fn nodes_share_a_component_if_each_leads_to_the_other() {
        for seed in 0..500 {
            let mut dice = Dice::new(seed);
            let count = 1 + dice.below(12);
            let edge = |_| (dice.below(count), dice.below(count));
            let edges: Vec<_> = (0..count + count / 2).map(edge).collect();
            let after =
                |from: usize| edges.iter().filter(move |edge| edge.0 == from).map(|edge| edge.1);
            let mut leads: Vec<Vec<bool>> =
                (0..count).map(|from| (0..count).map(|to| from == to).collect()).collect();
            for _ in 0..count {
                for from in 0..count {
                    for middle in after(from) {
                        let further = leads[middle].clone();
                        leads[from].iter_mut().zip(further).for_each(|(to, more)| *to |= more);
                    }
                }
            }
            let component = components(count, |node| after(node).collect());
            for one in 0..count {
                for other in 0..count {
                    let together = leads[one][other] && leads[other][one];
                    assert_eq!(together, component[one] == component[other], "{seed}");
                }
            }
        }
    }
}
