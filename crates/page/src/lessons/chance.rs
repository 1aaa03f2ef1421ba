//! The sixth lesson: Monte Carlo search. The reader has random games played, chooses a move by them, and learns where they
//! mislead.

use std::sync::OnceLock;

use foregone::control::counted;
use foregone::sample::Dice;
use foregone::{Control, Invalid, Request, Session, Side};
use maud::html;

use super::example::{GAME, meaning, signed};
use super::{Answer, Fields, Shown, board, mark, open, picked_move, step_link};
use crate::service::Service;

/// X is to move. Random games like the centre best, which only draws; a corner wins.
pub const POSITION: &str = "O../.../.X. X";

/// How many random games begin with each move, at each step.
const GAMES: [u32; 5] = [0, 1, 10, 100, 500];

/// The points of every move at each step. Random games are the same for every reader, so they are played once.
static POINTS: [OnceLock<Vec<f64>>; GAMES.len()] = [const { OnceLock::new() }; GAMES.len()];

/// The points of the side to move in random games from a position: 1 for a win, a half for a draw.
fn points(session: &dyn Session, side: Side, games: u32, dice: &mut Dice) -> Result<f64, Invalid> {
    let mut points = 0.0;
    for _ in 0..games {
        let mut game = session.fork();
        while game.outcome().is_none() {
            let moves = game.moves();
            game.play(&moves[dice.below(moves.len())])?;
        }
        let result = game.outcome().map_or(0, |outcome| outcome.0);
        let result = if side == Side::First { result } else { -result };
        points += (f64::from(result) + 1.0) / 2.0;
    }
    Ok(points)
}

pub fn show(service: &Service, fields: &Fields) -> Result<Answer, Invalid> {
    let session = open(service, GAME, POSITION, &Fields::default())?;
    let unplayed = Fields { moves: String::new(), pick: String::new(), ..fields.clone() };
    if let Some(mv) = picked_move(&*session, fields) {
        return Ok(Answer::Go(unplayed.after(&mv)));
    }
    let step = fields.step().min(GAMES.len() - 1);
    let games = GAMES[step];
    let side = session.turn();
    let after = |mv: &String| {
        let mut after = session.fork();
        after.play(mv).map(|()| after)
    };
    let moves = session.moves();
    let won = match POINTS[step].get() {
        Some(won) => won,
        None => {
            let of = |(at, mv)| points(&*after(mv)?, side, games, &mut Dice::new(at));
            let won = (0..).zip(&moves).map(of).collect::<Result<Vec<f64>, Invalid>>()?;
            POINTS[step].get_or_init(|| won)
        }
    };
    let mut rows = Vec::new();
    for (mv, won) in moves.iter().zip(won) {
        let value = after(mv)?.solve(&Request::default(), &Control::default()).value;
        // The value is that of O, who moves next.
        rows.push((mv.clone(), won / f64::from(games.max(1)), -value.unwrap_or(0)));
    }
    let best = rows.iter().map(|row| row.2).max().unwrap_or(0);
    let likely = rows.iter().max_by(|a, b| a.1.total_cmp(&b.1)).map_or("", |row| &row.0);
    let tried = rows.iter().find(|row| row.0 == fields.moves);
    let done = tried.is_some_and(|row| row.2 == best && step > 0);
    let text = html! {
        p {
            "Most games are too large to look at every way they can end. " b { "Monte Carlo search" } " asks chance: from each move it plays "
            "games with random moves to the end, and counts. A win is a point, a draw half a point."
        }
        p.controls {
            @let next = (step + 1 < GAMES.len()).then_some(step + 1);
            @let count = GAMES[next.unwrap_or(step)];
            @let words = if count == 1 { "One random game for each move".to_owned() } else { format!("{count} for each move") };
            (step_link(&unplayed, "more", &words, next))
        }
        p.task {
            b { "Your turn: " }
            @if step == 0 { "let random games be played. " }
            @else { "which move do you choose for " (mark(side)) "? Click on it. " }
            @if step > 0 && step + 1 < GAMES.len() { "So few games say little: try more, and see how the numbers change." }
        }
        @if let Some((mv, _, value)) = tried.filter(|_| step > 0 && !done) {
            p.error id="wrong" role="alert" {
                "Perfect play after " (mv) " leads to " (signed(*value)) " (" (meaning(*value)) "). "
                @if mv == likely { "It has the best share, since most of O's answers are mistakes. A good player does not make them. " }
                "There is a better move."
            }
        }
        @if done {
            p id="right" {
                "Right: " (fields.moves) " wins. "
                @if fields.moves != likely { "Its share is smaller than that of " (likely) ": a share is an opinion, not a value. " } b { "Monte Carlo tree search" } " keeps a tree of what it has seen, and tries again and again the moves "
                "that did well, of both sides. So its random games get better, and in the end it finds the right move; how "
                "sure one can be, it does not say. Foregone calls such a number an estimate."
            }
        }
    };
    let below = html! {
        div.card {
            h2 { (counted(games.into(), "random game", "random games")) " for each move" }
            div.scroll tabindex="0" role="region" aria-label="Results of random games" { table.values {
                thead { tr { th { "move" } th { (mark(side)) "'s score" } @if done { th { "perfect play" } } } }
                tbody {
                    @for (mv, share, value) in &rows {
                        tr.best[mv == likely && games > 0] {
                            td { (mv) }
                            td { @if games > 0 { (format!("{:.0} %", share * 100.0)) } @else { "?" } }
                            @if done { td { (signed(*value)) } }
                        }
                    }
                }
            } }
        }
    };
    let status = match done {
        true => format!("{} wins by {}", mark(side), fields.moves),
        false => format!("{} to move", mark(side)),
    };
    Ok(Answer::Shown(Shown {
        text,
        status,
        board: board(&*session, fields, &|mv| unplayed.after(mv).link()),
        below,
        done: done.then_some(
            "Random games give an opinion about any position, at once. Only a search to the end gives its value.",
        ),
    }))
}

#[cfg(test)]
mod tests {
    use super::super::Fields;
    use super::super::tests::{page_of, service};
    use super::GAMES;

    #[test]
    fn random_games_mislead_and_the_winning_move_ends_it() {
        let service = service();
        let of = |step: usize, moves: &str| Fields {
            moves: moves.to_owned(),
            ..Fields::of("chance").at(step)
        };
        // The centre has the best share, and is refused; the corner wins.
        let last = GAMES.len() - 1;
        let (_, page) = page_of(&service, &of(last, "5"));
        assert!(page.contains("id=\"wrong\"") && page.contains("best share"), "{page}");
        let (_, page) = page_of(&service, &of(last, "9"));
        assert!(page.contains("id=\"wrong\"") && !page.contains("best share"), "{page}");
        let (_, page) = page_of(&service, &of(last, "7"));
        assert!(page.contains("id=\"learned\"") && page.contains("id=\"right\""), "{page}");
        // Without games there is nothing to choose by.
        assert!(!page_of(&service, &of(0, "7")).1.contains("id=\"learned\""));
    }
}
