//! Points joined by lines.

use super::{add_decided, add_piece, add_place};
use crate::kit::{Board, Cells};
use crate::show::{Area, Ink, Scene, Shape};

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    let mut scene =
        Scene::board(board.columns, board.rows, &board.column_labels, &board.row_labels);
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| scene.square(spot.column, spot.row)).collect();
    for [from, to] in &board.ties {
        let [from, to] = [from, to].map(|cell| areas[*cell].middle());
        scene.shapes.push(Shape::Line(from, to, 0.05, Ink::Edge));
    }
    if let Some(most) = board.counts.iter().map(|count| count.max).max() {
        scene.hands([cells.count(0), cells.count(1)], most, board.rows as f32);
    }
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.12, Ink::Edge));
        add_piece(&mut scene, board, cells, at, *area);
        add_place(&mut scene, board, cells, at, *area, true);
    }
    add_decided(&mut scene, &areas, decided);
    scene
}
