//! The players by name.

use foregone::Player;

use crate::words::choice;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Human,
    Perfect,
    MonteCarlo,
    Deepening,
    AlphaBeta,
    Minimax,
    Random,
    First,
}

impl Who {
    /// All players with their names and descriptions.
    pub const ALL: [(&'static str, Who, &'static str); 8] = [
        ("human", Who::Human, "a person"),
        ("perfect", Who::Perfect, "perfect: plays the best moves"),
        ("mcts", Who::MonteCarlo, "Monte Carlo tree search, as long as time allows"),
        ("deepening", Who::Deepening, "looks as far ahead as time allows"),
        ("alphabeta", Who::AlphaBeta, "alpha-beta: looks some plies ahead"),
        ("minimax", Who::Minimax, "minimax: the same without pruning"),
        ("random", Who::Random, "random: any legal move"),
        ("first", Who::First, "first: the first legal move"),
    ];

    /// Reads the name of a player. The error names the nearest.
    pub fn parse(text: &str) -> Result<Who, String> {
        choice(text, "a player", &Who::ALL.map(|(name, who, _)| (name, who)))
    }

    pub fn name(self) -> &'static str {
        Who::ALL.iter().find(|(_, who, _)| *who == self).map_or("", |(name, ..)| name)
    }

    /// The computer player; `None` for a person.
    pub fn player(self, depth: u32) -> Option<Player> {
        match self {
            Who::Human => None,
            Who::Perfect => Some(Player::Perfect),
            Who::MonteCarlo => Some(Player::MonteCarlo),
            Who::Deepening => Some(Player::Deepening),
            Who::AlphaBeta => Some(Player::AlphaBeta { depth }),
            Who::Minimax => Some(Player::Minimax { depth }),
            Who::Random => Some(Player::Random),
            Who::First => Some(Player::First),
        }
    }
}
