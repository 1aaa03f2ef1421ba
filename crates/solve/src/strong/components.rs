//! Solves games in which the value of endless play differs between positions.
//!
//! All positions of a strongly connected component (Tarjan 1972) have the same value of play
//! without end. A component is settled as a whole, after the components that it leads to. Within a
//! component this is retrograde analysis as elsewhere, except that it starts from every move out of
//! the component, with any distance, and not from finished positions alone.
//!
//! Play that leaves a component may go on without end in another, for another value. Then no
//! distance shows progress; the order in which positions are settled does.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::mem::size_of;

use foregone_rules::{Distance, Value, Worth};

use super::blocks::Blocks;
use super::settle::{SETTLING, SORTING, Settling, size};
use super::step::{Step, Steps};
use crate::control::Halted;

/// No component, not found, or not settled yet.
const NONE: u32 = u32::MAX;

/// A move with a known worth, as a queue entry: the size of its difference from endless play,
/// the largest first; its plies, the fewest first ([`NONE`] if play does not end); the number of
/// the position it is made from; whether the difference is a gain.
type News = (i64, Reverse<u32>, Reverse<u32>, bool);

/// The state of settling components.
struct Components<S> {
    back: Steps<S>,
    component: Blocks<u32>,
    /// The number of moves with unknown worth, for each position.
    open: Blocks<u32>,
    /// The place of each position in the order of settling.
    settled: Blocks<u32>,
    next: u32,
    news: BinaryHeap<News>,
}

impl<S: Step> Settling<'_, S> {
    /// Settles all positions, and returns the order.
    pub(super) fn by_components(&mut self) -> Result<Blocks<u32>, Halted> {
        let count = self.worths.len();
        let back = self.backwards()?;
        // The lists below at their longest; and each step may be a queue entry.
        let lists = 6 * Blocks::<u32>::bytes_for(count) + (count * size_of::<(u32, u64)>()) as u64;
        let news = (2 * self.steps.steps.len() * size_of::<News>()) as u64;
        self.check_memory(back.bytes() + 2 * lists + news)?;
        let mut all = Components {
            back,
            component: Blocks::filled(NONE, count),
            open: Blocks::filled(0, count),
            settled: Blocks::filled(NONE, count),
            next: 0,
            news: BinaryHeap::new(),
        };
        // The order in which positions are found, and the earliest one that each leads back to. All
        // positions are reached from position 0.
        let mut found = Blocks::filled(NONE, count);
        let mut lowest = Blocks::filled(NONE, count);
        let (mut order, mut components) = (0, 0);
        // Positions without a component; the current path, with the next step of each position.
        let (mut open, mut path): (Vec<u32>, Vec<(u32, u64)>) = (Vec::new(), Vec::new());
        let mut enter = Some(0);
        loop {
            if let Some(number) = enter.take() {
                let at = number as usize;
                self.report(SORTING, order as usize, self.steps.count(at) as usize)?;
                found.set(at, order);
                lowest.set(at, order);
                order += 1;
                open.push(number);
                path.push((number, self.steps.from.get(at)));
            }
            let Some((number, step)) = path.last_mut() else { break };
            let at = *number as usize;
            if *step < self.steps.from.get(at + 1) {
                let child = self.steps.steps.get(*step as usize).number();
                *step += 1;
                if found.get(child) == NONE {
                    enter = Some(child as u32);
                } else if all.component.get(child) == NONE {
                    let earlier = lowest.get(at).min(found.get(child));
                    lowest.set(at, earlier);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                let earlier = lowest.get(*before as usize).min(lowest.get(at));
                lowest.set(*before as usize, earlier);
            }
            if lowest.get(at) == found.get(at) {
                let begin = open.iter().rposition(|member| *member as usize == at).unwrap_or(0);
                let members = open.split_off(begin);
                for member in &members {
                    all.component.set(*member as usize, components);
                }
                components += 1;
                self.settle(&mut all, &members)?;
            }
        }
        Ok(all.settled)
    }

    /// Settles a component.
    fn settle(&mut self, all: &mut Components<S>, members: &[u32]) -> Result<(), Halted> {
        for number in members {
            let at = *number as usize;
            self.report(SETTLING, all.next as usize, self.steps.count(at) as usize)?;
            all.open.set(at, self.steps.count(at));
            if self.steps.count(at) == 0 {
                all.settle(at);
            }
            for step in self.steps.of(at) {
                if all.component.get(step.number()) != all.component.get(at) {
                    let worth = step.worth(self.worths.get(step.number()));
                    all.announce(at, worth, (self.endless)(at));
                }
            }
        }
        while let Some((size, Reverse(plies), Reverse(number), more)) = all.news.pop() {
            let at = number as usize;
            if all.settled.get(at) != NONE {
                continue;
            }
            let left = all.open.get_mut(at);
            *left = if more { 0 } else { *left - 1 };
            if *left > 0 {
                continue;
            }
            let Value(endless) = (self.endless)(at);
            let value = i64::from(endless) + if more { size } else { -size };
            let distance = if plies == NONE { Distance::Endless } else { Distance::Plies(plies) };
            let worth = Worth::new(Value(value as i32), distance);
            self.worths.set(at, worth);
            all.settle(at);
            self.report(SETTLING, all.next as usize, all.back.count(at) as usize)?;
            for place in all.back.from.get(at)..all.back.from.get(at + 1) {
                let step = all.back.steps.get(place as usize);
                let before = step.number();
                let within = all.component.get(before) == all.component.get(at);
                if within && all.settled.get(before) == NONE {
                    all.announce(before, step.worth(worth), (self.endless)(before));
                }
            }
        }
        for number in members {
            if all.settled.get(*number as usize) == NONE {
                all.settle(*number as usize);
            }
        }
        Ok(())
    }
}

impl<S> Components<S> {
    fn settle(&mut self, at: usize) {
        self.settled.set(at, self.next);
        self.next += 1;
    }

    /// Adds the worth of a move to the queue. A move to endless play of the same value is
    /// equivalent to a move within the component: it leaves the position open.
    fn announce(&mut self, at: usize, worth: Worth, endless: Value) {
        let size = size(worth, endless);
        if size != 0 || !worth.is_endless() {
            let plies = worth.distance().plies().unwrap_or(NONE);
            self.news.push((size.abs(), Reverse(plies), Reverse(at as u32), size > 0));
        }
    }
}
