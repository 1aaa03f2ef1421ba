//! A game drawn at random: a graph of positions with loops, extra turns, several moves to the same
//! position, and results of many sizes.

use foregone_rules::sample::Dice;
use foregone_rules::{Encode, Game, Indexed, NoBank, Outcome, Side, Symmetry};

/// See the file's text.
#[derive(Clone, Debug)]
pub struct Graph {
    /// By position: where its moves lead to.
    pub moves: Vec<Vec<u8>>,
    /// By position: who moves.
    pub turns: Vec<Side>,
    /// By position: the result, if the game is over.
    pub outcomes: Vec<Option<Outcome>>,
    /// By position: what endless play is worth there; a draw if nothing is said.
    pub endless: Vec<Outcome>,
}

impl Graph {
    /// A graph of 2 to 41 positions.
    pub fn new(seed: u64) -> Graph {
        let mut dice = Dice::new(seed);
        let size = 2 + dice.below(40);
        let largest = [0, 1, 1, 3][dice.below(4)];
        let branching = 1 + dice.below(4);
        let ends = 2 + dice.below(6);
        let (moves, turns, outcomes, endless) = (vec![], vec![], vec![], vec![]);
        let mut graph = Graph { moves, turns, outcomes, endless };
        for _ in 0..size {
            graph.turns.push(Side::BOTH[dice.below(2)]);
            let over = dice.below(ends) == 0;
            let result = dice.below(2 * largest + 1) as i32 - largest as i32;
            graph.outcomes.push(over.then_some(Outcome(result)));
            let count = 1 + dice.below(branching);
            graph.moves.push((0..count).map(|_| dice.below(size) as u8).collect());
        }
        graph
    }

    /// The same, where endless play is worth so much everywhere.
    pub fn with_endless(self, outcome: i32) -> Graph {
        Graph { endless: vec![Outcome(outcome); self.moves.len()], ..self }
    }

    /// The same, where endless play is worth something between -2 and 2 in each component: among
    /// positions that lead to each other it is the same.
    pub fn with_loops(self, seed: u64) -> Graph {
        let mut dice = Dice::new(!seed);
        let reached: Vec<_> = (0..self.moves.len() as u8).map(|from| self.reached(from)).collect();
        let mut endless: Vec<Outcome> = Vec::new();
        for (at, mine) in reached.iter().enumerate() {
            let together = |earlier: &usize| mine[*earlier] && reached[*earlier][at];
            endless.push(match (0..at).find(together) {
                Some(earlier) => endless[earlier],
                None => Outcome(dice.below(5) as i32 - 2),
            });
        }
        Graph { endless, ..self }
    }

    /// The same, where every move leads to a position with a higher number, so that play cannot loop.
    pub fn without_loops(mut self) -> Graph {
        let size = self.moves.len();
        for (at, moves) in self.moves.iter_mut().enumerate() {
            let later = (size - at - 1).max(1);
            moves.iter_mut().for_each(|to| *to = (at + 1 + usize::from(*to) % later) as u8);
        }
        if let Some(last) = self.outcomes.last_mut() {
            last.get_or_insert(Outcome::DRAW);
        }
        self
    }

    /// By position: whether play can come to it.
    fn reached(&self, from: u8) -> Vec<bool> {
        let mut reached = vec![false; self.moves.len()];
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[usize::from(state)], true)
                && self.outcomes[usize::from(state)].is_none()
            {
                open.extend(&self.moves[usize::from(state)]);
            }
        }
        reached
    }
}

impl Game for Graph {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }

    fn turn(&self, state: &u8) -> Side {
        self.turns[usize::from(*state)]
    }

    fn outcome(&self, state: &u8) -> Option<Outcome> {
        self.outcomes[usize::from(*state)]
    }

    fn max_value(&self) -> i32 {
        let results = self.outcomes.iter().flatten().chain(&self.endless);
        results.map(|Outcome(result)| result.abs()).max().unwrap_or(0)
    }

    fn moves(&self, state: &u8) -> impl Iterator<Item = u8> {
        0..self.moves[usize::from(*state)].len() as u8
    }

    fn play(&self, state: &u8, mv: u8) -> u8 {
        self.moves[usize::from(*state)][usize::from(mv)]
    }

    fn endless(&self, state: &u8) -> Outcome {
        self.endless.get(usize::from(*state)).copied().unwrap_or(Outcome::DRAW)
    }
}

impl Encode for Graph {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        8
    }

    fn encode(&self, state: &u8) -> u128 {
        (*state).into()
    }

    /// A key that no position has gives the last.
    fn decode(&self, packed: u128) -> u8 {
        (packed as u8).min(self.moves.len() as u8 - 1)
    }
}

impl Symmetry for Graph {}

impl Indexed for Graph {
    type Bank = NoBank;

    fn layers(&self) -> u32 {
        1
    }

    fn size(&self, _: u32) -> u64 {
        self.moves.len() as u64
    }

    fn index(&self, state: &u8) -> (u32, u64) {
        (0, (*state).into())
    }

    fn state(&self, _: u32, index: u64) -> Option<u8> {
        Some(index as u8)
    }
}
