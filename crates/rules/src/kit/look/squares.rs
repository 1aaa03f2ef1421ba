//! Squares side by side.

use super::{add_decided, add_piece, add_place};
use crate::kit::{Board, Cells, Look};
use crate::show::{Area, Ink, Scene, Shape};

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    let mut scene =
        Scene::board(board.columns, board.rows, &board.column_labels, &board.row_labels);
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| scene.square(spot.column, spot.row)).collect();
    if board.look == Look::Checkered {
        for (row, column) in
            (0..board.rows).flat_map(|row| (0..board.columns).map(move |column| (row, column)))
        {
            let ink = if board.at(column, row).is_some() { Ink::Dark } else { Ink::Square };
            let plate = Shape::Plate(scene.square(column, row), 0.0, ink);
            scene.shapes.push(plate);
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
