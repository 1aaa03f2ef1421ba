//! A position as a picture.

use crate::game::Game;
use crate::show::{Cell, Drawing, Scene};

/// A position as a picture. Without it a position shows as its debug text.
pub trait Picture: Game {
    /// The board for a terminal, with the squares marked that a move may choose.
    fn draw(&self, state: &Self::State) -> Drawing;

    /// The board as shapes, with the places that a person can pick; the same board as squares and
    /// text where nothing better is given.
    fn scene(&self, state: &Self::State) -> Scene {
        Scene::of(&self.draw(state))
    }

    /// The places of the [`scene`](Picture::scene), by number, that are picked to make a legal
    /// move, in any order; none where a move is chosen by its text alone. No two moves have the
    /// same. Where nothing else is given, the square that bears the move's text.
    fn clicks(&self, state: &Self::State, mv: Self::Move) -> Vec<usize> {
        let Drawing::Grid(grid) = self.draw(state) else { return Vec::new() };
        let text = mv.to_string();
        let named = |cell: &Cell| cell.target && cell.text == text;
        grid.cells.iter().position(named).into_iter().collect()
    }

    /// The place where a legal move ends, if it is none of those that are picked.
    fn destination(&self, _state: &Self::State, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// Whether the legal moves are best shown by the positions that they lead to.
    fn choose_by_preview(&self, _state: &Self::State) -> bool {
        false
    }
}
