//! Checks of [`Picture`].

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt::Display;

use super::{Check, Conform, hold, same};
use crate::game::Game;
use crate::promise::Picture;
use crate::show::{Area, Drawing, Scene};

impl<G: Game> Conform<'_, G> {
    /// Checks [`Picture`]: pictures are not empty; each position has its own numbers, as many as the
    /// others; all scenes have the same places, within the scene; different legal moves click
    /// different places, or in another order, none of them among those of another, if clicks decide; the steps of a move are on the same board.
    pub fn picture(self) -> Self
    where
        G: Picture,
    {
        let usual = contents(self.game, &self.game.start()).len();
        let seen = RefCell::new(HashMap::new());
        self.check("Picture", |game, state| {
            let drawing = game.draw(state);
            if let Drawing::Grid(grid) = &drawing {
                let rows = grid.cells.len() / grid.columns.max(1);
                same("a whole number of rows, squares", rows * grid.columns, grid.cells.len())?;
                let labels = grid.row_labels.len();
                hold(labels == 0 || labels == rows, "a label for each row", || labels.to_string())?;
            }
            let text = drawing.to_string();
            hold(!text.trim().is_empty(), "something to see", || format!("{text:?}"))?;
            let numbers = contents(game, state);
            same("as many numbers as at the start,", usual, numbers.len())?;
            if !numbers.is_empty() {
                let other = seen.borrow_mut().insert((game.turn(state), numbers), *state);
                let alone = other.is_none_or(|other| other == *state);
                hold(alone, "other numbers for another position", || {
                    format!("those of {other:?}")
                })?;
            }
            clickable(game, state)
        })
    }
}

/// What stands on the board as numbers.
fn contents<G: Picture>(game: &G, state: &G::State) -> Vec<i16> {
    let mut numbers = Vec::new();
    game.contents(state, &mut numbers);
    numbers
}

/// Checks the places of a scene, and the clicks of every legal move.
fn clickable<G: Picture>(game: &G, state: &G::State) -> Check {
    let scene = game.scene(state);
    hold(!scene.shapes.is_empty(), "something to see", || "no shapes".to_owned())?;
    let usual = game.scene(&game.start()).places;
    same("as many places as at the start,", usual.len(), scene.places.len())?;
    for (place, usual) in scene.places.iter().zip(&usual) {
        same("a place where it is at the start,", usual.area, place.area)?;
        for Area { x, y, width, height } in [place.area, place.spot] {
            let inside = x >= 0.0 && y >= 0.0 && width > 0.0 && height > 0.0;
            let inside = inside && x + width <= scene.width + 0.01;
            let inside = inside && y + height <= scene.height + 0.01;
            hold(inside, "a place within the scene", || format!("{place:?}"))?;
        }
    }
    if game.outcome(state).is_some() {
        return Ok(());
    }
    let mut known = HashMap::new();
    for mv in game.moves(state) {
        let clicks = game.clicks(state, mv);
        let places = clicks.iter().copied().chain(game.destination(state, mv));
        let there = places.max().is_none_or(|last| last < scene.places.len());
        hold(there, &format!("{mv} to click places of the scene"), || format!("{clicks:?}"))?;
        for step in game.steps(state, mv) {
            let size = |scene: &Scene| (scene.width, scene.height);
            same("a board as large in each step,", size(&scene), size(&step))?;
            same("as many places in each step,", scene.places.len(), step.places.len())?;
        }
        if game.clicks_decide()
            && !clicks.is_empty()
            && let Some(other) = known.insert(clicks.clone(), mv)
        {
            let found = || format!("{clicks:?} for both");
            hold(false, &format!("{mv} and {other} to click different places"), found)?;
        }
    }
    within(&known)
}

/// No move's places may be among those of another: after its clicks the other would still be possible.
fn within<M: Display>(known: &HashMap<Vec<usize>, M>) -> Check {
    let most = known.keys().map(Vec::len).max().unwrap_or(0);
    for (clicks, mv) in known.iter().filter(|(clicks, _)| clicks.len() < most) {
        let is_within = |other: &&Vec<usize>| {
            let mut left = (*other).clone();
            clicks.len() < other.len()
                && clicks.iter().all(|click| {
                    let at = left.iter().position(|place| place == click);
                    at.map(|at| left.swap_remove(at)).is_some()
                })
        };
        if let Some(other) = known.keys().find(is_within) {
            let what = format!("{mv} to click places that are not among those of {}", known[other]);
            hold(false, &what, || format!("{clicks:?} and {other:?}"))?;
        }
    }
    Ok(())
}
