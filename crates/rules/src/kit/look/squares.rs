//! Squares side by side.

use super::{add_decided, add_piece, add_place};
use crate::kit::board::Spot;
use crate::kit::{Board, Cells, Look};
use crate::show::{Area, Ink, Scene, Shape};

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    let mut scene =
        Scene::board(board.columns, board.rows, &board.column_labels, &board.row_labels);
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| scene.square(spot.column, spot.row)).collect();
    if board.look == Look::Checkered {
        let whole =
            Area { width: board.columns as f32, height: board.rows as f32, ..scene.square(0, 0) };
        scene.shapes.push(Shape::Plate(whole, 0.0, Ink::Square));
        // If all squares are cells, the lower left one is dark.
        let is_whole = board.spots.len() == board.columns * board.rows;
        let is_dark = |spot: &&Spot| !is_whole || (spot.column + board.rows - spot.row) % 2 == 1;
        for spot in board.spots.iter().filter(is_dark) {
            let square = scene.square(spot.column, spot.row);
            scene.shapes.push(Shape::Plate(square, 0.0, Ink::Dark));
        }
    }
    for (at, area) in areas.iter().enumerate() {
        if board.look == Look::Squares {
            scene.shapes.push(Shape::Plate(area.within(0.02), 0.06, Ink::Square));
        }
        add_piece(&mut scene, board, cells, at, *area);
        // A mark fills its square.
        add_place(&mut scene, board, cells, at, *area, cells.piece(at).is_none());
    }
    add_decided(&mut scene, &areas, decided);
    scene
}
