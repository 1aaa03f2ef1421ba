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
    add_hands(&mut scene, board, cells);
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.12, Ink::Edge));
        add_piece(&mut scene, board, cells, at, *area);
        add_place(&mut scene, board, cells, at, *area, true);
    }
    add_decided(&mut scene, &areas, decided);
    scene
}

/// Adds the men in hand on the right of the board, the first player's from below.
fn add_hands(scene: &mut Scene, board: &Board, cells: &Cells) {
    const WIDTH: f32 = 0.5;
    let Some(most) = board.counts.iter().map(|count| count.max).max() else { return };
    let half = board.rows as f32 / 2.0;
    let step = (half / f32::from(most.max(1))).min(WIDTH);
    let [x, y] = [scene.width + WIDTH / 2.0, scene.height / 2.0];
    for side in Side::BOTH.into_iter().take(board.counts.len()) {
        let down = if side == Side::First { 1.0 } else { -1.0 };
        for nth in 0..cells.count(side.index()) {
            let y = y + down * (half - (f32::from(nth) + 0.5) * step);
            scene.shapes.push(Shape::Disc([x, y], step * 0.44, Ink::Of(side)));
        }
    }
    scene.width += WIDTH;
}
