//! The players by name, and how they choose.

use foregone::any::MoveChoice;
use foregone::sample::Dice;
use foregone::solver::Advice;
use foregone::{Control, Halted, Player, Session};

use crate::words::choice;

/// Who plays a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    Human,
    Perfect,
    Easy,
    Medium,
    Hard,
    MonteCarlo,
    Deepening,
    AlphaBeta,
    Minimax,
    Random,
    First,
}

impl Who {
    /// All players with their names and descriptions.
    pub const ALL: [(&'static str, Who, &'static str); 11] = [
        ("human", Who::Human, "A person"),
        ("easy", Who::Easy, "Easy: sees what happens in two moves, and errs often"),
        ("medium", Who::Medium, "Medium: errs where it takes a deep look"),
        ("hard", Who::Hard, "Hard: errs seldom"),
        ("perfect", Who::Perfect, "Perfect: plays the best moves, as far as they are proven"),
        ("mcts", Who::MonteCarlo, "Monte Carlo tree search, as long as time allows"),
        ("deepening", Who::Deepening, "Deepening: looks as far ahead as time allows"),
        ("alphabeta", Who::AlphaBeta, "Alpha-beta: looks some moves ahead"),
        ("minimax", Who::Minimax, "Minimax: the same without pruning"),
        ("random", Who::Random, "Random: any legal move"),
        ("first", Who::First, "First: the first legal move"),
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
            Who::Easy => Some(Player::Easy),
            Who::Medium => Some(Player::Medium),
            Who::Hard => Some(Player::Hard),
            Who::MonteCarlo => Some(Player::MonteCarlo),
            Who::Deepening => Some(Player::Deepening),
            Who::AlphaBeta => Some(Player::AlphaBeta { depth }),
            Who::Minimax => Some(Player::Minimax { depth }),
            Who::Random => Some(Player::Random),
            Who::First => Some(Player::First),
        }
    }
}

/// A move that a player has chosen.
pub struct Chosen {
    pub choice: MoveChoice,
    /// Why `perfect` found no proven move, and what the move comes from instead.
    pub instead: Option<(Halted, &'static str)>,
}

/// The move of a player. `perfect` has half of the time to find a proven move; where it finds none, its move comes
/// from the session's proof, or from Monte Carlo tree search.
///
/// # Errors
/// If it was stopped, or a limit is too low for the player.
///
/// # Panics
/// If the game is over.
pub fn choose(
    player: Player,
    session: &mut dyn Session,
    dice: &mut Dice,
    control: &Control,
) -> Result<Chosen, Halted> {
    let own = |choice| Chosen { choice, instead: None };
    if player != Player::Perfect {
        return session.choose(player, dice, control).map(own);
    }
    let halted = match session.choose(player, dice, &control.clone().with_quarters_of_time(2)) {
        Err(halted) if !matches!(halted, Halted::Stopped { .. }) => halted,
        choice => return choice.map(own),
    };
    let (choice, from) = match session.advice() {
        Ok(Some(Advice::Move { mv, best, .. })) => {
            (MoveChoice { mv, result: None, best }, "the proof")
        }
        _ => (session.choose(Player::MonteCarlo, dice, control)?, "Monte Carlo tree search"),
    };
    Ok(Chosen { choice, instead: Some((halted, from)) })
}
