//! Opponents, from perfect to careless. They choose at random, from a seed, among moves of equal
//! worth.

use std::fmt;

use foregone_rules::Game;
use foregone_rules::sample::Dice;

use crate::control::{Control, Halted};
use crate::monte_carlo;
use crate::moves::{self, listed, outcome};
use crate::play::choice::Choice;
use crate::play::graded::{self, Grade};
use crate::play::{deepening, perfect};
use crate::solver::{Method, Request, Solver};

/// A player for one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Player {
    /// Wins as quickly and loses as slowly as possible, as far as is seen in the time; in a draw it leaves the opponent
    /// the fewest moves that hold it.
    Perfect,
    /// Sees its own move and the answer, judges the rest by a few random games, and errs the more, the deeper a fault lies.
    Easy,
    /// As easy, with twenty times as many random games, and surer of what they show.
    Medium,
    /// Monte Carlo tree search of 4,000 random games.
    Hard,
    /// Monte Carlo tree search until the time is up, after a quarter of it for a proof.
    MonteCarlo,
    /// Searches with iterative deepening until the time is up, at least two plies.
    Deepening,
    /// Searches `depth` plies with alpha-beta.
    AlphaBeta {
        /// The depth in plies, at least 1.
        depth: u32,
    },
    /// Searches `depth` plies with minimax: plays as alpha-beta does, but more slowly.
    Minimax {
        /// The depth in plies, at least 1.
        depth: u32,
    },
    /// Plays any legal move.
    Random,
    /// Plays the first legal move.
    First,
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Perfect => f.write_str("perfect"),
            Player::Easy => f.write_str("easy"),
            Player::Medium => f.write_str("medium"),
            Player::Hard => f.write_str("hard"),
            Player::MonteCarlo => f.write_str("Monte Carlo tree search"),
            Player::Deepening => f.write_str("looking as far ahead as time allows"),
            Player::AlphaBeta { depth } => write!(f, "alpha-beta, {depth} plies deep"),
            Player::Minimax { depth } => write!(f, "minimax, {depth} plies deep"),
            Player::Random => f.write_str("random"),
            Player::First => f.write_str("first legal move"),
        }
    }
}

impl Player {
    /// Whether the player uses all the time that it is given; others are limited by their depth.
    pub const fn takes_time(self) -> bool {
        matches!(self, Player::Perfect | Player::MonteCarlo | Player::Deepening)
    }
}

impl Player {
    /// The move of this player in a position that is not over.
    ///
    /// # Errors
    /// If solving is halted.
    ///
    /// # Panics
    /// If the game is over.
    pub fn choose<G: Game>(
        self,
        solver: &mut Solver<G>,
        state: &G::State,
        dice: &mut Dice,
        control: &Control,
    ) -> Result<Choice<G::Move>, Halted> {
        let (method, depth) = match self {
            Player::First | Player::Random => {
                let declared = solver.declared();
                let moves = listed(&declared.game, state, control)?;
                if moves.is_empty() && outcome(&declared.game, state).is_none() {
                    return Err(moves::none(&declared.game, state, declared.notation));
                }
                let at = if self == Player::First { 0 } else { dice.below(moves.len()) };
                let best = moves.len() == 1;
                return Ok(Choice { mv: moves[at], found: None, best });
            }
            Player::Perfect => return perfect::choose(solver, state, dice, control),
            Player::Easy => return graded::choose(Grade::EASY, solver, state, dice, control),
            Player::Medium => return graded::choose(Grade::MEDIUM, solver, state, dice, control),
            Player::Hard => return graded::choose(Grade::HARD, solver, state, dice, control),
            Player::MonteCarlo => return monte_carlo::choose(solver, state, dice, control),
            Player::Deepening => {
                return deepening::choose(solver, state, dice, control);
            }
            Player::AlphaBeta { depth } => (Method::Search, Some(depth)),
            Player::Minimax { depth } => (Method::Minimax, Some(depth)),
        };
        let request = Request { method, depth, line: false, ..Request::default() };
        let analysis = solver.analyse(state, &request, control);
        match analysis.halted {
            Some(halted) => Err(halted),
            None => {
                let best = analysis.best();
                Ok(Choice::of(best[dice.below(best.len())], &analysis))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declared::Declared;
    use foregone_rules::games::Mnk;
    use foregone_rules::promise::Promises;
    use foregone_rules::{Notation, Outcome, Side};

    fn play(first: Player, second: Player, seed: u64) -> Outcome {
        let game = Mnk::tic_tac_toe();
        let mut solver = Solver::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
        let mut dice = Dice::new(seed);
        let mut state = game.start();
        loop {
            if let Some(outcome) = game.outcome(&state) {
                return outcome;
            }
            let player = if game.turn(&state) == Side::First { first } else { second };
            let control = Control::default();
            let choice = player.choose(&mut solver, &state, &mut dice, &control).unwrap();
            state = game.play(&state, choice.mv);
        }
    }

    #[test]
    fn the_perfect_player_never_loses_and_beats_the_careless() {
        let mut won = 0;
        for seed in 0..200 {
            assert!(play(Player::Perfect, Player::Random, seed) >= Outcome::DRAW);
            assert!(play(Player::Random, Player::Perfect, seed) <= Outcome::DRAW);
            assert_eq!(play(Player::Perfect, Player::Perfect, seed), Outcome::DRAW);
            let deep = Player::AlphaBeta { depth: 9 };
            assert_eq!(play(deep, Player::Perfect, seed), Outcome::DRAW);
            won += i32::from(play(Player::Perfect, Player::First, seed) == Outcome(1));
        }
        assert_eq!(won, 200);
    }

    #[test]
    fn equal_moves_come_up_as_the_seed_says() {
        let choose = |seed| {
            let mut solver =
                Solver::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
            let (mut dice, start, control) =
                (Dice::new(seed), solver.game().start(), Control::default());
            let choice = Player::Perfect.choose(&mut solver, &start, &mut dice, &control);
            choice.unwrap().mv.to_string()
        };
        let chosen: std::collections::HashSet<_> = (0..100).map(choose).collect();
        assert_eq!(chosen.len(), 4, "after a corner, only the centre holds the draw");
        assert_eq!(choose(7), choose(7));
    }

    #[test]
    fn a_win_in_one_is_taken_and_a_loss_is_delayed() {
        for (text, best) in [("XX./OO./... X", "3"), ("XX./OO./..X O", "6"), ("X.X/.O./... O", "2")]
        {
            let state = Mnk::tic_tac_toe().parse(text).unwrap();
            for player in
                [Player::Perfect, Player::AlphaBeta { depth: 2 }, Player::Minimax { depth: 2 }]
            {
                let mut solver =
                    Solver::new(Declared::plain(Mnk::tic_tac_toe()).with(|it| it.acyclic()));
                let mut dice = Dice::new(1);
                let control = Control::default();
                let choice = player.choose(&mut solver, &state, &mut dice, &control);
                assert_eq!(choice.unwrap().mv.to_string(), best, "{text} {player}");
            }
        }
    }
}
