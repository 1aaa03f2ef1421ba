//! The edges of a grid of boxes: dots stand where both column and row of the grid are even, boxes
//! where both are odd, edges elsewhere.

use crate::game::Side;
use crate::kit::{Board, Cells};
use crate::show::{Area, Drawing, Ink, Scene, Shape};

/// Dots, the edges that are drawn, and the names of those that may be; below, the points of both sides,
/// if the board counts them.
pub(super) fn draw(board: &Board, cells: &Cells, targets: &[bool]) -> Drawing {
    let width = (0..board.len()).map(|at| board.name(at).len()).max().unwrap_or(1) + 2;
    let text = |column: usize, row: usize| {
        let edge = board.at(column, row);
        let is_drawn = edge.is_some_and(|at| cells.taken() >> at & 1 == 1);
        let name = edge.filter(|at| targets[*at]).map_or("", |at| board.name(at));
        let name = format!("{name:^width$}");
        match (column % 2, row % 2) {
            (0, 0) => "+".to_owned(),
            (1, 0) if is_drawn => "-".repeat(width),
            (0, _) if is_drawn => "|".to_owned(),
            // The name of an upright edge takes its place and the box on its right.
            (0, _) if column + 1 == board.columns => name.trim().to_owned(),
            (0, _) => name.trim().chars().next().map_or(" ".to_owned(), String::from),
            (_, 0) => name,
            _ if is_boxed(board, cells, column, row) => format!("{:^width$}", "#"),
            _ => {
                let left = board.at(column - 1, row).filter(|at| targets[*at]);
                let rest = left.map_or("", |at| &board.name(at)[1..]);
                format!("{rest:width$}")
            }
        }
    };
    let line = |row| (0..board.columns).map(|column| text(column, row)).collect::<String>();
    let mut lines: Vec<_> = (0..board.rows).map(|row| line(row).trim_end().to_owned()).collect();
    let points: Vec<_> = points(board, cells).map(|(_, points)| points).collect();
    if !points.is_empty() {
        lines.extend([String::new(), points.join(", ")]);
    }
    Drawing::Lines(lines)
}

/// The points of each side, in words; none if the board does not count them.
fn points<'b>(board: &'b Board, cells: &'b Cells) -> impl Iterator<Item = (Side, String)> {
    let sides = Side::BOTH.into_iter().take(board.counts.len());
    sides.map(|side| (side, format!("{} {}", board.sides[side.index()], cells.count(side.index()))))
}

/// Whether all four edges of a box are drawn.
fn is_boxed(board: &Board, cells: &Cells, column: usize, row: usize) -> bool {
    let around = [(column, row - 1), (column - 1, row), (column + 1, row), (column, row + 1)];
    let edges = around.iter().filter_map(|(column, row)| board.at(*column, *row));
    edges.fold(0, |set, at| set | 1u128 << at) & !cells.taken() == 0
}

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells) -> Scene {
    const MARGIN: f32 = 0.35;
    const LINE: f32 = 0.4;
    // Room for the points.
    const WIDEST: f32 = 2.2;
    let length = |dots: usize| (dots / 2) as f32 + 2.0 * MARGIN;
    let mut scene = Scene::new(length(board.columns).max(WIDEST), length(board.rows));
    let plate = Area::new(0.0, 0.0, scene.width, scene.height);
    scene.shapes.push(Shape::Plate(plate, 0.1, Ink::Board));
    let left = (scene.width - length(board.columns)) / 2.0 + MARGIN;
    let [x_of, y_of] = [left, MARGIN].map(|first| move |at: usize| at as f32 / 2.0 + first);
    for (column, row) in pairs(board, 1) {
        if is_boxed(board, cells, column, row) {
            let area = Area::new(x_of(column) - 0.5, y_of(row) - 0.5, 1.0, 1.0);
            scene.shapes.push(Shape::Plate(area.within(0.1), 0.1, Ink::Made));
        }
    }
    for at in 0..board.len() {
        let (column, row) = board.place(at);
        let [x, y] = [x_of(column), y_of(row)];
        let is_drawn = cells.taken() >> at & 1 == 1;
        let (along, across) = if row % 2 == 0 { (0.5, 0.0) } else { (0.0, 0.5) };
        let ends = [[x - along, y - across], [x + along, y + across]];
        let (width, ink) = if is_drawn { (0.1, Ink::Seed) } else { (0.02, Ink::Hollow) };
        scene.shapes.push(Shape::Line(ends[0], ends[1], width, ink));
        let (wide, high) = if row % 2 == 0 { (0.7, 0.36) } else { (0.36, 0.7) };
        let area = Area::new(x - wide / 2.0, y - high / 2.0, wide, high);
        if !is_drawn {
            let middle = if row % 2 == 0 { [x, y - 0.2] } else { [x + 0.2, y] };
            let name = board.name(at).to_owned();
            scene.shapes.push(Shape::Text(middle, 0.16, name, Ink::Label));
        }
        let what = if is_drawn { "drawn" } else { "empty" };
        scene.place(format!("{}, {what}", board.name(at)), area, is_drawn);
    }
    for (column, row) in pairs(board, 0) {
        scene.shapes.push(Shape::Disc([x_of(column), y_of(row)], 0.09, Ink::Edge));
    }
    for (side, points) in points(board, cells) {
        let x = scene.width * [0.25, 0.75][side.index()];
        let middle = [x, length(board.rows) + LINE / 2.0];
        scene.shapes.push(Shape::Text(middle, LINE * 0.6, points, Ink::Of(side)));
        scene.height = length(board.rows) + LINE;
    }
    scene
}

/// The columns and rows of the grid that are both even, or both odd.
fn pairs(board: &Board, odd: usize) -> impl Iterator<Item = (usize, usize)> + use<> {
    let (columns, rows) = (board.columns, board.rows);
    (odd..rows)
        .step_by(2)
        .flat_map(move |row| (odd..columns).step_by(2).map(move |column| (column, row)))
}
