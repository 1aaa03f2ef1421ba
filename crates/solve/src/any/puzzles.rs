//! Puzzles: positions in which exactly one move wins, or holds the draw. They come from games of players that err as
//! people do, and each is proven to have one solution.

use std::collections::HashSet;
use std::time::Duration;

use foregone_rules::Side;
use foregone_rules::sample::Dice;
use serde::Serialize;

use super::game::AnyGame;
use super::report::Report;
use super::session::Session;
use crate::control::{Control, Halted};
use crate::play::Player;
use crate::solver::{Method, Request};

/// What puzzles are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Wanted {
    /// Wins in this many moves of the side to move; `None` for wins of at least two moves, and draws that one move holds.
    pub moves_to_win: Option<u32>,
    /// The number of puzzles.
    pub count: usize,
    /// Equal seeds give equal puzzles, unless a position takes very long.
    pub seed: u64,
}

impl Wanted {
    /// See the fields.
    pub const fn new(moves_to_win: Option<u32>, count: usize, seed: u64) -> Wanted {
        Wanted { moves_to_win, count, seed }
    }
}

/// A position with exactly one move that keeps its result.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Puzzle {
    /// The position in the game's notation; empty if that is the start.
    pub position: String,
    /// A line of play that leads to it.
    pub moves: Vec<String>,
    /// The name of the side to move.
    pub to_move: String,
    /// `win` or `draw`.
    pub goal: &'static str,
    /// The number of moves that the side to move needs to win; `None` for a draw, or if it is not known.
    pub moves_to_win: Option<u32>,
    /// The only move.
    pub solution: String,
    /// Perfect play from here, with the only move first.
    pub line: Vec<String>,
    /// `easy`, `medium` or `hard`: the weakest player that finds the move in most of ten tries.
    pub difficulty: &'static str,
    /// The wrong move that players try most often; `None` if none was tried.
    pub tempting: Option<String>,
}

/// A game with more positions is not solved as a whole.
const POSITIONS: u64 = 2_000_000;

/// The time for the values of one position. What takes longer is left out, so that a slow machine may find others.
const TIME: Duration = Duration::from_secs(2);

/// The number of times that each player tries a puzzle.
const TRIES: u64 = 10;

/// Looks for puzzles of a game until there are enough, or it has gone on for long without one. `found` hears of each.
///
/// # Errors
/// If it is stopped: what was found by then has been heard of.
pub fn find(
    game: &dyn AnyGame,
    session: &mut dyn Session,
    wanted: Wanted,
    control: &Control,
    found: &mut dyn FnMut(Puzzle),
) -> Result<usize, Halted> {
    let mut seen = HashSet::new();
    let (mut count, mut barren) = (0, 0);
    // Small games are solved once and for all; in others that would be tried again for each position.
    while session.undo() {}
    let few = control.clone().with_positions(POSITIONS).with_time(5 * TIME);
    let whole = session.solve(&Request::default().with_line(false), &few);
    if let Some(halted @ Halted::Stopped { .. }) = whole.halted {
        return Err(halted);
    }
    let request = Request::default().with_strong(whole.halted.is_none());
    for round in 0.. {
        if count == wanted.count || barren > 200 {
            break;
        }
        barren += 1;
        let mut dice = Dice::new(wanted.seed.wrapping_mul(0x9E37_79B9).wrapping_add(round));
        while session.undo() {}
        let strength = [Player::Easy, Player::Medium, Player::Random][dice.below(3)];
        while session.outcome().is_none() && session.played().len() < 300 {
            let choice = session.choose(strength, &mut dice, control)?;
            if session.play(&choice.mv).is_err() {
                break;
            }
        }
        // The last positions are the quickest to solve, and a win in few moves is near the end; one of a game is enough.
        let reach = wanted.moves_to_win.map_or(20, |moves| 2 * moves + 8);
        for _ in 0..reach {
            if !session.undo() {
                break;
            }
            if !seen.insert(session.representative()) {
                continue;
            }
            match puzzle(game, session, wanted, request, control)? {
                Solved::Puzzle(puzzle) => {
                    (count, barren) = (count + 1, 0);
                    found(*puzzle);
                    break;
                }
                Solved::Other => {}
                Solved::TooHard => break,
            }
        }
    }
    Ok(count)
}

enum Solved {
    Puzzle(Box<Puzzle>),
    Other,
    TooHard,
}

fn puzzle(
    game: &dyn AnyGame,
    session: &mut dyn Session,
    wanted: Wanted,
    request: Request,
    control: &Control,
) -> Result<Solved, Halted> {
    let ask = |session: &mut dyn Session, request: Request| {
        let report = session.solve(&request, &control.clone().with_time(TIME));
        match report.halted {
            Some(halted @ Halted::Stopped { .. }) => Err(halted),
            Some(_) => Ok(Err(Solved::TooHard)),
            None => Ok(only(&report).map(|mv| (report, mv)).ok_or(Solved::Other)),
        }
    };
    // A look as deep as the win leaves most positions out.
    if let Some(moves) = wanted.moves_to_win {
        let depth = (2 * moves).saturating_sub(1);
        let look = Request::default().with_method(Method::Search).with_depth(Some(depth));
        let seen = session.solve(&look.with_line(false), &control.clone().with_time(TIME));
        // A line that ends no sooner counts as a draw there, unless the game has an opinion of it.
        if seen.halted.is_none() && seen.value.is_some_and(|value| value <= 0) {
            return Ok(Solved::Other);
        }
    }
    // Values alone are found sooner, and most positions are no puzzle by them.
    if let Err(other) = ask(session, request.with_line(false))? {
        return Ok(other);
    }
    let (report, solution) = match ask(session, request.with_distances(true))? {
        Ok(found) => found,
        Err(other) => return Ok(other),
    };
    let wins = report.value.is_some_and(|value| value > 0);
    // The mover makes every other move, the first and the last, unless somebody moves twice.
    let moves_to_win = report.distance.filter(|_| wins).map(|plies| plies.div_ceil(2));
    let fits = match wanted.moves_to_win {
        Some(wanted) => moves_to_win == Some(wanted),
        None => !wins || moves_to_win.is_some_and(|moves| moves > 1),
    };
    if !fits {
        return Ok(Solved::Other);
    }
    let (difficulty, tempting) = tried(session, &solution, control)?;
    Ok(Solved::Puzzle(Box::new(Puzzle {
        position: session.position(),
        moves: session.played(),
        to_move: game.sides()[session.turn().index()].to_owned(),
        goal: if wins { "win" } else { "draw" },
        moves_to_win,
        solution,
        line: report.line,
        difficulty,
        tempting,
    })))
}

/// The only move that keeps a win, or a draw where all others lose.
fn only(report: &Report) -> Option<String> {
    let value = report.value.filter(|_| report.proven)?.signum();
    if value < 0 || report.moves.len() < 3 {
        return None;
    }
    let signs =
        || report.moves.iter().map(|each| (each.result.value.signum(), &each.result.result));
    if signs().any(|(_, result)| result.is_none()) {
        return None;
    }
    let mut best = report.moves.iter().filter(|each| each.result.value.signum() == value);
    let (only, none) = (best.next()?, best.next());
    none.is_none().then(|| only.mv.clone())
}

/// How hard a move is to find, and the wrong move that is tried most often.
fn tried(
    session: &mut dyn Session,
    solution: &str,
    control: &Control,
) -> Result<(&'static str, Option<String>), Halted> {
    let mut wrong: Vec<(String, u32)> = Vec::new();
    let mut difficulty = "hard";
    for (player, name) in [(Player::Medium, "medium"), (Player::Easy, "easy")] {
        let mut right = 0;
        for seed in 0..TRIES {
            let mv = session.choose(player, &mut Dice::new(seed), control)?.mv;
            if mv == solution {
                right += 1;
            } else if let Some((_, times)) = wrong.iter_mut().find(|(tried, _)| *tried == mv) {
                *times += 1;
            } else {
                wrong.push((mv, 1));
            }
        }
        if 2 * right > TRIES {
            difficulty = name;
        }
    }
    // Of those tried as often, the first that was tried.
    let most = wrong.iter().map(|(_, times)| *times).max();
    let tempting = wrong.into_iter().find(|(_, times)| Some(*times) == most);
    Ok((difficulty, tempting.map(|(mv, _)| mv)))
}

impl Puzzle {
    /// What is asked, with the name of a side for people: `X to move and win in 3 moves`.
    pub fn task(&self, side: &str) -> String {
        match (self.goal, self.moves_to_win) {
            ("win", Some(1)) => format!("{side} to move and win in 1 move"),
            ("win", Some(moves)) => format!("{side} to move and win in {moves} moves"),
            ("win", None) => format!("{side} to move and win"),
            _ => format!("{side} to move and hold the draw"),
        }
    }

    /// The side to move.
    pub fn side(&self, game: &dyn AnyGame) -> Side {
        if self.to_move == game.sides()[0] { Side::First } else { Side::Second }
    }
}
