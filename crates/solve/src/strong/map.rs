//! A solved game as a map: every position that can arise by its number, what it is worth, and the moves between
//! them. It sees only numbers, so that what is computed of whole games exists once for all of them.

use std::collections::HashSet;

use foregone_rules::{Game, Outcome, Side, Value, Worth};

use super::blocks::Blocks;
use super::explore::{FINDING, Outlook, endless_at, explore};
use super::settle::Settling;
use super::step::{Plain, Step, Steps};
use crate::control::{Control, Halted, Pace};
use crate::declared::Declared;
use crate::tree::Representative;

/// All positions of a solved game, numbered in the order of their plies; 0 is the first.
pub struct Map {
    steps: Steps<Plain>,
    worths: Blocks<Worth>,
    turns: Vec<Side>,
    /// The least number of moves that lead to each position.
    plies: Vec<u32>,
    /// A position with a move that leads to each; that of the first one is itself.
    parents: Vec<u32>,
    endless: Endless,
    loops: bool,
    alike: Option<u64>,
}

/// What play without end is worth.
enum Endless {
    /// The same everywhere.
    Everywhere(Outcome),
    /// Something else in other positions: for the side to move in each, and the order in which they were settled.
    Differs(Vec<Value>, Blocks<u32>),
}

/// A map with its positions, or the number that is expected if they are too many.
type Drawn<S> = Result<(Map, Blocks<S>), u64>;

impl Map {
    /// The map of all positions that can arise from `state`, and the positions themselves; `Err` of the number that is
    /// expected if they are more than `max`.
    pub(crate) fn draw<G: Game>(
        declared: &Declared<G>,
        state: &G::State,
        max: u64,
        control: &Control,
    ) -> Result<Drawn<G::State>, Halted> {
        let game = &declared.game;
        let mut outlook = Outlook::new(max);
        let Some((positions, steps, worths)) =
            explore::<G, Plain>(game, state, None, declared.notation, control, &mut outlook)?
        else {
            return Ok(Err(outlook.expected));
        };
        let count = worths.len();
        let taken = positions.bytes() + 2 * steps.bytes() + worths.bytes();
        control.check_memory(taken + 17 * count as u64, FINDING, count as u64)?;
        // The representative of a position may be one that cannot arise, if sides are exchanged.
        let classes = |image: Representative<G>| {
            let each = size_of::<G::State>() as u64 + 8;
            let mut elsewhere = HashSet::new();
            let mut own = 0;
            for state in positions.states.iter() {
                let image = image(game, state);
                if image == *state {
                    own += 1;
                } else if positions.number(&image).is_none() {
                    elsewhere.insert(image);
                    let taken = taken + elsewhere.capacity() as u64 * each;
                    control.check_memory(taken, FINDING, count as u64)?;
                }
            }
            Ok(own + elsewhere.len() as u64)
        };
        let alike = declared.symmetry.map(classes).transpose()?;
        let endless = |number| endless_at(game, &positions.states.get(number));
        let kept = steps.clone();
        let mut settling =
            Settling { taken, steps, worths, endless: &endless, control, pace: Pace::new() };
        let loops = !kept.rising && settling.sorted()?.is_none();
        let (worths, settled) = settling.settle_all()?;
        let endless = match settled {
            None => Endless::Everywhere(game.endless(state)),
            Some(order) => Endless::Differs((0..count).map(endless).collect(), order),
        };
        let mut map = Map {
            steps: kept,
            worths,
            turns: vec![game.turn(state); count],
            plies: vec![0; count],
            parents: vec![0; count],
            endless,
            loops,
            alike,
        };
        map.find();
        Ok(Ok((map, positions.states)))
    }

    /// Says of each position how it was found. Numbers are given in that order, so the first move to a number that is
    /// higher than all before is the one that found it.
    fn find(&mut self) {
        let mut found = 0;
        for number in 0..self.worths.len() {
            for at in self.steps.from.get(number)..self.steps.from.get(number + 1) {
                let step = self.steps.steps.get(at as usize);
                if step.number() > found {
                    found = step.number();
                    let turn = self.turns[number];
                    self.turns[found] = if step.again() { turn } else { turn.other() };
                    self.plies[found] = self.plies[number] + 1;
                    self.parents[found] = number as u32;
                }
            }
        }
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.worths.len()
    }

    /// The least number of moves that lead to a position.
    pub fn ply(&self, number: usize) -> u32 {
        self.plies[number]
    }

    /// The side to move.
    pub fn turn(&self, number: usize) -> Side {
        self.turns[number]
    }

    /// What a position is worth for the side to move.
    pub fn worth(&self, number: usize) -> Worth {
        self.worths.get(number)
    }

    /// The value of a position for the first player.
    pub fn value(&self, number: usize) -> i32 {
        self.worth(number).value().outcome_for(self.turn(number)).0
    }

    /// Whether play is over.
    pub fn is_over(&self, number: usize) -> bool {
        self.steps.count(number) == 0
    }

    /// The value of endless play for the side to move.
    fn endless(&self, number: usize) -> Value {
        match &self.endless {
            Endless::Everywhere(outcome) => outcome.value_for(self.turn(number)),
            Endless::Differs(values, _) => values[number],
        }
    }

    /// The places of the best moves among those of a position, as [`Analysis::best`](crate::Analysis::best) has them: they keep
    /// the value, win soonest or lose latest, and come nearer to endless play elsewhere if that is where the value is from.
    pub fn best(&self, number: usize) -> Vec<usize> {
        let (here, endless) = (self.worth(number), self.endless(number));
        let key = self.moves(number).map(|(_, worth)| worth.key(endless)).max();
        let places = || self.moves(number).enumerate();
        if let Endless::Differs(_, order) = &self.endless
            && here.is_endless()
            && here.value() > endless
        {
            let nearer = |to: usize, worth| worth == here && order.get(to) < order.get(number);
            let nearer: Vec<usize> = places()
                .filter(|(_, (to, worth))| nearer(*to, *worth))
                .map(|(place, _)| place)
                .collect();
            if !nearer.is_empty() {
                return nearer;
            }
        }
        let best = places().filter(|(_, (_, worth))| Some(worth.key(endless)) == key);
        best.map(|(place, _)| place).collect()
    }

    /// The moves of a position in the order of the rules: the number of the position after each, and what the move is
    /// worth for the side that makes it.
    pub fn moves(&self, number: usize) -> impl ExactSizeIterator<Item = (usize, Worth)> + '_ {
        self.steps
            .of(number)
            .map(|step| (step.number(), step.worth(self.worths.get(step.number()))))
    }

    /// Whether play can come to a position again.
    pub fn has_loops(&self) -> bool {
        self.loops
    }

    /// The number of positions if those that are alike by symmetry count once; `None` if the game has no symmetry.
    pub fn alike(&self) -> Option<u64> {
        self.alike
    }

    /// The shortest way to a position: the place of each move among those of its position.
    pub fn path(&self, number: usize) -> Vec<usize> {
        let (mut path, mut at) = (Vec::new(), number);
        while at != 0 {
            let parent = self.parents[at] as usize;
            path.extend(self.steps.of(parent).position(|step| step.number() == at));
            at = parent;
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use foregone_trial as trial;
    use std::collections::HashMap;

    #[test]
    fn maps_agree_with_the_rules_and_the_reference() {
        for seed in 0..200 {
            let game = trial::Graph::new(seed).with_endless([0, 0, 1][seed as usize % 3]);
            let start = game.start();
            let control = Control::default();
            let worths = reference::worths(&game, &start);
            let declared = Declared::plain(game);
            let game = &declared.game;
            let drawn = |max| Map::draw(&declared, &start, max, &control).unwrap();
            let (map, positions) = drawn(1 << 20).unwrap();
            assert_eq!(map.positions(), worths.len());
            // Plies, by the rules alone.
            let mut plies = HashMap::from([(start, 0)]);
            let mut row = vec![start];
            while !row.is_empty() {
                let mut next = Vec::new();
                for state in row.iter().filter(|state| game.outcome(state).is_none()) {
                    for child in game.moves(state).map(|mv| game.play(state, mv)) {
                        let ply = plies[state] + 1;
                        plies.entry(child).or_insert_with(|| {
                            next.push(child);
                            ply
                        });
                    }
                }
                row = next;
            }
            for number in 0..map.positions() {
                let state = positions.get(number);
                assert_eq!(map.worth(number), worths[&state], "seed {seed}");
                assert_eq!((map.ply(number), map.turn(number)), (plies[&state], game.turn(&state)));
                assert_eq!(map.is_over(number), game.outcome(&state).is_some());
                let by_path = map.path(number).into_iter().fold(start, |state, place| {
                    game.play(&state, game.moves(&state).nth(place).unwrap())
                });
                assert_eq!(by_path, state);
                if map.is_over(number) {
                    assert_eq!(Some(Outcome(map.value(number))), game.outcome(&state));
                    continue;
                }
                let children: Vec<_> = game.moves(&state).map(|mv| game.play(&state, mv)).collect();
                assert_eq!(map.moves(number).len(), children.len());
                for ((at, worth), child) in map.moves(number).zip(children) {
                    assert_eq!(positions.get(at), child);
                    assert_eq!(
                        worth,
                        worths[&child].backed_up(game.turn(&child), game.turn(&state))
                    );
                }
            }
            assert_eq!(drawn(1).is_err(), map.positions() > 1);
        }
    }
}
