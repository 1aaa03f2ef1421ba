//! Positions as pictures.

use crate::game::Game;
use crate::show::{Cell, Drawing, Scene};

/// Positions as pictures. Without it, a position is shown as its debug text.
pub trait Picture: Game {
    /// The board for a terminal; squares that a move may choose are marked.
    fn draw(&self, state: &Self::State) -> Drawing;

    /// Appends what stands on the board as numbers, for programs that learn: as many for every position of the
    /// game, and enough to tell positions with the same side to move apart. The default appends none.
    fn contents(&self, _state: &Self::State, _out: &mut Vec<i16>) {}

    /// The board as shapes, with the places that a person can click. The default shows the
    /// board of [`draw`](Picture::draw) as squares and text.
    fn scene(&self, state: &Self::State) -> Scene {
        Scene::of(&self.draw(state))
    }

    /// The places of the [`scene`](Picture::scene), by number, that are clicked to make a legal
    /// move; none if the move is chosen only by its text. Different moves have different places, or
    /// the same places in another order: the order of clicks decides only between those. The places
    /// of one move must not be among those of another: a piece that leaves the board, where others
    /// step, is clicked twice. The default is the square that shows the move's text.
    fn clicks(&self, state: &Self::State, mv: Self::Move) -> Vec<usize> {
        let Drawing::Grid(grid) = self.draw(state) else { return Vec::new() };
        let text = self.move_text(mv);
        let named = |cell: &Cell| cell.target && cell.text == text;
        grid.cells.iter().position(named).into_iter().collect()
    }

    /// Whether clicks alone decide, as [`clicks`](Picture::clicks) says. If not, moves may have the same places
    /// in the same order, and are then chosen by their texts. The default is that they decide.
    fn clicks_decide(&self) -> bool {
        true
    }

    /// The place where a legal move ends, if it is not one of the clicked places.
    fn destination(&self, _state: &Self::State, _mv: Self::Move) -> Option<usize> {
        None
    }

    /// The board while a legal move is made, one scene after the other, without those before and after it:
    /// a scene for each stone that is sown, for example. None if a move is one step, which is the default.
    fn steps(&self, _state: &Self::State, _mv: Self::Move) -> Vec<Scene> {
        Vec::new()
    }

    /// Whether the legal moves are best shown as pictures of the positions that they lead to.
    fn choose_by_preview(&self, _state: &Self::State) -> bool {
        false
    }
}
