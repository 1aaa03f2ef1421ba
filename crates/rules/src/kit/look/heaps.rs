//! Heaps of sticks: a row for each heap, a place for each stick.

use crate::kit::{Board, Cells};
use crate::show::{Area, Drawing, Ink, Scene, Shape};

/// The heaps as lines of text.
pub(super) fn draw(board: &Board, cells: &Cells) -> Drawing {
    let line = |heap: usize| {
        let sticks = usize::from(cells.count(heap));
        format!("{}: {} {sticks}", board.name(heap), "|".repeat(sticks))
    };
    Drawing::Lines((0..board.len()).map(line).collect())
}

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells) -> Scene {
    const STEP: f32 = 0.4;
    let max = |heap: usize| board.counts[heap].max;
    let widest = (0..board.len()).map(max).max().unwrap_or(0).max(5);
    let mut scene = Scene::new(f32::from(widest) * STEP + 1.2, board.len() as f32 * 1.1 + 0.1);
    let plate = Area::new(0.0, 0.0, scene.width, scene.height);
    scene.shapes.push(Shape::Plate(plate, 0.2, Ink::Board));
    for heap in 0..board.len() {
        let (sticks, y) = (cells.count(heap), heap as f32 * 1.1 + 0.1);
        let label = format!("{}:", board.name(heap));
        scene.shapes.push(Shape::Text([0.35, y + 0.5], 0.35, label, Ink::Label));
        for stick in 0..max(heap) {
            let area = Area::new(0.7 + STEP * f32::from(stick), y, STEP, 1.0);
            let what = if stick < sticks { "stick" } else { "empty" };
            if stick < sticks {
                let x = area.middle()[0];
                scene.shapes.push(Shape::Line([x, y + 0.15], [x, y + 0.85], 0.12, Ink::Seed));
            }
            scene.place(format!("heap {}, {what} {}", board.name(heap), stick + 1), area, false);
        }
    }
    scene
}
