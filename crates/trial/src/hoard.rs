//! A game drawn at random that both loops and banks points: a graph in layers, in which a move stays
//! in its layer and gains nothing, or leads to a lower one and may gain or lose points for good.

use foregone_rules::sample::Dice;
use foregone_rules::{
    Bank, Banked, Encode, Game, Indexed, Outcome, PointBank, Side, Symmetry, Value,
};

/// See the file's text.
#[derive(Clone, Debug)]
pub struct Hoard {
    nodes: Vec<Node>,
    /// By layer: its first node; and the number of nodes.
    layers: Vec<u8>,
}

#[derive(Clone, Debug)]
struct Node {
    layer: u32,
    turn: Side,
    /// What the first player gets beyond what is banked, if play is over.
    outcome: Option<i32>,
    /// What the first player gets beyond what is banked by endless play.
    endless: i32,
    /// Where moves lead to, and what the mover gains.
    moves: Vec<(u8, i32)>,
}

/// A node, and what the first player has banked, less what the second has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    node: u8,
    lead: i32,
}

impl Hoard {
    /// A game of 1 to 4 layers of up to 12 nodes, in which endless play is worth what is banked.
    pub fn new(seed: u64) -> Hoard {
        let mut dice = Dice::new(seed);
        let count = 1 + dice.below(4) as u32;
        let (ends, branching, leaving) = (2 + dice.below(6), 1 + dice.below(3), 2 + dice.below(4));
        let mut game = Hoard { nodes: Vec::new(), layers: vec![0] };
        for layer in 0..count {
            let first = game.nodes.len();
            let size = 1 + dice.below(12);
            for _ in 0..size {
                let over = dice.below(ends) == 0;
                let outcome = over.then(|| dice.below(5) as i32 - 2);
                let moves = (0..1 + dice.below(branching)).map(|_| {
                    match layer > 0 && dice.below(leaving) == 0 {
                        true => (dice.below(first) as u8, dice.below(7) as i32 - 3),
                        false => ((first + dice.below(size)) as u8, 0),
                    }
                });
                let moves = moves.collect();
                let turn = Side::BOTH[dice.below(2)];
                game.nodes.push(Node { layer, turn, outcome, endless: 0, moves });
            }
            game.layers.push(game.nodes.len() as u8);
        }
        // The start is the last node, where the first player moves.
        if let Some(last) = game.nodes.last_mut() {
            (last.turn, last.outcome) = (Side::First, None);
        }
        game
    }

    /// The same, where endless play is worth so much besides.
    pub fn with_endless(mut self, beyond: i32) -> Hoard {
        self.nodes.iter_mut().for_each(|node| node.endless = beyond);
        self
    }

    /// The same, where endless play is worth something between -2 and 2 besides, the same in each
    /// layer.
    pub fn with_loops(mut self, seed: u64) -> Hoard {
        let mut dice = Dice::new(!seed);
        let beyond: Vec<i32> = self.layers.iter().map(|_| dice.below(5) as i32 - 2).collect();
        self.nodes.iter_mut().for_each(|node| node.endless = beyond[node.layer as usize]);
        self
    }

    /// By node, what the mover gets beyond what is banked: layer by layer, what it is in play that is broken off after more and more plies
    /// within the layer, until that stays as it is.
    ///
    /// (In play that is broken off anywhere, a player would wait in a loop and take points with the
    /// last ply, before the other side can answer.)
    ///
    /// # Panics
    /// If it never stays as it is.
    pub fn values(&self) -> Vec<i32> {
        let over = |node: &Node| node.outcome.map(|outcome| Outcome(outcome).value_for(node.turn));
        let endless = |node: &Node| Outcome(node.endless).value_for(node.turn);
        let begin = |node: &Node| over(node).unwrap_or_else(|| endless(node)).0;
        let mut values: Vec<i32> = self.nodes.iter().map(begin).collect();
        for layer in self.layers.windows(2) {
            let layer = usize::from(layer[0])..usize::from(layer[1]);
            let round = |values: &[i32]| -> Vec<i32> {
                self.nodes[layer.clone()].iter().map(|node| self.best(node, values)).collect()
            };
            let mut rounds = 0;
            loop {
                let next = round(&values);
                if next == values[layer.clone()] {
                    break;
                }
                values[layer.clone()].copy_from_slice(&next);
                rounds += 1;
                assert!(rounds < 10_000, "values go on changing");
            }
        }
        values
    }

    fn best(&self, node: &Node, values: &[i32]) -> i32 {
        if let Some(outcome) = node.outcome {
            return Outcome(outcome).value_for(node.turn).0;
        }
        let worth = |(to, gain): &(u8, i32)| {
            let there = usize::from(*to);
            gain + Value(values[there]).seen_from(self.nodes[there].turn, node.turn).0
        };
        node.moves.iter().map(worth).max().unwrap_or(0)
    }

    /// The position at a node, with this lead of the first player.
    pub fn at(&self, node: u8, lead: i32) -> State {
        State { node, lead }
    }

    fn node(&self, state: &State) -> &Node {
        &self.nodes[usize::from(state.node)]
    }
}

impl Game for Hoard {
    type State = State;
    type Move = u8;

    fn start(&self) -> State {
        State { node: self.nodes.len() as u8 - 1, lead: 0 }
    }

    fn turn(&self, state: &State) -> Side {
        self.node(state).turn
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.node(state).outcome.map(|beyond| Outcome(state.lead + beyond))
    }

    fn moves(&self, state: &State) -> impl Iterator<Item = u8> {
        0..self.node(state).moves.len() as u8
    }

    fn play(&self, state: &State, mv: u8) -> State {
        let here = self.node(state);
        let (node, gain) = here.moves[usize::from(mv)];
        State { node, lead: state.lead + Value(gain).outcome_for(here.turn).0 }
    }

    fn endless(&self, state: &State) -> Outcome {
        Outcome(state.lead + self.node(state).endless)
    }
}

impl Banked for Hoard {
    fn banked(&self, state: &State) -> Value {
        Outcome(state.lead).value_for(self.turn(state))
    }

    fn unbanked(&self, state: &State) -> State {
        State { lead: 0, ..*state }
    }
}

impl Symmetry for Hoard {}

impl Encode for Hoard {
    type Bank = PointBank;

    fn bits(&self) -> u32 {
        8
    }

    fn encode(&self, state: &State) -> u128 {
        state.node.into()
    }

    fn decode(&self, packed: u128) -> State {
        State { node: (packed as u8).min(self.nodes.len() as u8 - 1), lead: 0 }
    }
}

impl Indexed for Hoard {
    type Bank = PointBank;

    fn layers(&self) -> u32 {
        self.layers.len() as u32 - 1
    }

    fn size(&self, layer: u32) -> u64 {
        let layer = layer as usize;
        u64::from(self.layers[layer + 1] - self.layers[layer])
    }

    fn index(&self, state: &State) -> (u32, u64) {
        let layer = self.node(state).layer;
        (layer, u64::from(state.node - self.layers[layer as usize]))
    }

    fn state(&self, layer: u32, index: u64) -> Option<State> {
        let node = self.layers[layer as usize] + index as u8;
        Some(PointBank::unbanked(self, &State { node, lead: 0 }))
    }
}
