//! Squares, the edges between them, and the joints of edges, on which something may stand, too, such as a wall. In the grid,
//! squares have an even column and row, joints an odd one of both.

use super::{add_piece, add_place, cell};
use crate::kit::{Board, Cells};
use crate::show::{Cell, Drawing, Ink, Part, Scene, Shape};

/// The width of an edge; a square and an edge have 1.
const EDGE: f32 = 0.24;

/// What covers an edge reaches this far over the joint.
const JOIN: f32 = 0.1;

/// Rows of squares with rows of edges between them.
pub(super) fn draw(board: &Board, cells: &Cells, targets: &[bool]) -> Drawing {
    let squares = board.spots.iter().filter(|spot| (spot.column | spot.row) & 1 == 0);
    let width = 2 + squares.map(|spot| spot.name.len()).max().unwrap_or(1);
    let part = |column: usize, row: usize| {
        let Some(at) = board.at(column, row) else {
            return Part::Plain(" ".repeat(if column & 1 == 0 { width } else { 1 }));
        };
        let is_square = (column | row) & 1 == 0;
        let mut cell: Cell =
            cell(board, cells, at, targets[at] && is_square, if is_square { "·" } else { " " });
        cell.text = match (column & 1, row & 1) {
            (0, 0) => format!("{:^width$}", cell.text),
            (0, _) => cell.text.repeat(width),
            (_, 1) if cell.text == " " => "+".to_owned(),
            _ => cell.text,
        };
        Part::Cell(cell)
    };
    let labels = |row: usize| board.row_labels.get(row / 2).filter(|_| row & 1 == 0);
    let margin = board.row_labels.iter().map(String::len).max().map_or(0, |most| most + 1);
    let line = |row: usize| {
        let label = labels(row).map_or("", String::as_str);
        let left = Part::Plain(format!("{label:>margin$} "));
        [left].into_iter().chain((0..board.columns).map(|column| part(column, row))).collect()
    };
    let mut lines: Vec<Vec<Part>> = (0..board.rows).map(line).collect();
    let names = board.column_labels.iter().map(|label| format!("{label:^width$} "));
    let names = format!("{:margin$} {}", "", names.collect::<String>());
    lines.push(vec![Part::Plain(names.trim_end().to_owned())]);
    Drawing::Sketch(lines)
}

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells) -> Scene {
    let halved = |count: usize| count.div_ceil(2);
    let (columns, rows) = (halved(board.columns), halved(board.rows));
    let mut scene = Scene::board(columns, rows, &board.column_labels, &board.row_labels);
    for (at, spot) in board.spots.iter().enumerate() {
        let inner = scene.square(spot.column / 2, spot.row / 2).within(EDGE / 2.0);
        let mut area = inner;
        if spot.column & 1 == 1 {
            (area.x, area.width) = (inner.x + inner.width, EDGE);
        }
        if spot.row & 1 == 1 {
            (area.y, area.height) = (inner.y + inner.height, EDGE);
        }
        if area == inner {
            scene.shapes.push(Shape::Plate(inner, 0.06, Ink::Square));
        }
        // A wall over several edges and their joints is drawn as one.
        let mut whole = area;
        if spot.row & 1 > spot.column & 1 {
            (whole.x, whole.width) = (area.x - JOIN, area.width + 2.0 * JOIN);
        } else if spot.column & 1 > spot.row & 1 {
            (whole.y, whole.height) = (area.y - JOIN, area.height + 2.0 * JOIN);
        }
        add_piece(&mut scene, board, cells, at, whole);
        add_place(&mut scene, board, cells, at, area, false);
    }
    scene
}
