//! Points joined by lines.

use super::{add_decided, add_piece, add_place};
use crate::game::Side;
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
    if board.at(board.columns / 2, board.rows / 2).is_none() {
        add_hands(&mut scene, board, cells);
    }
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.12, Ink::Edge));
        add_piece(&mut scene, board, cells, at, *area);
        add_place(&mut scene, board, cells, at, *area, true);
    }
    add_decided(&mut scene, &areas, decided);
    scene
}

/// Adds the men in hand, in the empty middle of the board, the first player's below.
fn add_hands(scene: &mut Scene, board: &Board, cells: &Cells) {
    let [x, y] = scene.square(board.columns / 2, board.rows / 2).middle();
    for side in Side::BOTH.into_iter().take(board.counts.len()) {
        let y = y + if side == Side::First { 0.4 } else { -0.4 };
        for nth in 0..cells.count(side.index()) {
            let x = x + (f32::from(nth) - 4.0) * 0.22;
            scene.shapes.push(Shape::Disc([x, y], 0.1, Ink::Of(side)));
        }
    }
}
