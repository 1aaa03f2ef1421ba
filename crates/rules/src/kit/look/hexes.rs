//! Hexagons in rows, each row half a cell further to the right than the one above.

use super::{add_decided, add_piece, cell};
use crate::game::Side;
use crate::kit::{Board, Cells};
use crate::show::{Area, Drawing, Ink, Scene, Shape};

/// Rows of text, each shifted to the right, with the letters of the columns above.
pub(super) fn draw(board: &Board, cells: &Cells, targets: &[bool]) -> Drawing {
    let texts = (0..board.len()).map(|at| cell(board, cells, at, targets[at], "·").text);
    let texts: Vec<_> = texts.collect();
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1);
    let mut lines = Vec::new();
    for row in 0..board.rows {
        let of_row = (0..board.len()).filter(|at| board.spots[*at].row == row);
        let words = of_row.map(|at| format!("{:^width$}", texts[at]));
        let words: Vec<_> = words.collect();
        let indent = " ".repeat(row * (width + 1) / 2);
        lines.push(format!("{indent}{}", words.join(" ")).trim_end().to_owned());
    }
    Drawing::Lines(lines)
}

/// The board as shapes: cells are discs that nearly touch. The edges that the first player joins are
/// above and below, those of the second player left and right.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    const DOWN: f32 = 0.87;
    const MARGIN: f32 = 0.3;
    let (columns, rows) = (board.columns as f32, board.rows as f32);
    let width = columns + (rows - 1.0) / 2.0 + 2.0 * MARGIN;
    let height = (rows - 1.0) * DOWN + 1.0 + 2.0 * MARGIN;
    let mut scene = Scene::new(width, height);
    scene.shapes.push(Shape::Plate(Area::new(0.0, 0.0, width, height), 0.2, Ink::Board));
    let area = |column: f32, row: f32| {
        Area::new(MARGIN + column + row / 2.0, MARGIN + row * DOWN, 1.0, 1.0)
    };
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| area(spot.column as f32, spot.row as f32)).collect();
    let corner = |right: bool, down: bool| {
        let x = if right { columns - 0.5 } else { -0.5 };
        let y = if down { rows - 0.4 } else { -0.6 };
        area(x, y).middle()
    };
    for down in [false, true] {
        let ends = [corner(false, down), corner(true, down)];
        scene.shapes.push(Shape::Line(ends[0], ends[1], 0.12, Ink::Of(Side::First)));
    }
    for right in [false, true] {
        let ends = [corner(right, false), corner(right, true)];
        scene.shapes.push(Shape::Line(ends[0], ends[1], 0.12, Ink::Of(Side::Second)));
    }
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.48, Ink::Square));
        if cells.piece(at).is_none() {
            let name = board.name(at).to_owned();
            scene.shapes.push(Shape::Text(area.middle(), 0.24, name, Ink::Edge));
        }
        add_piece(&mut scene, board, cells, at, *area);
        let what = super::what(board, cells, at);
        let name = format!("{}, {what}", board.name(at));
        scene.place(name, *area, cells.piece(at).is_some());
    }
    add_decided(&mut scene, &areas, decided);
    scene
}
