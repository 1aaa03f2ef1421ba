//! Hexagons in rows, each row half a cell further to the right than the one above.

use super::{add_decided, add_piece, cell};
use crate::game::Side;
use crate::kit::{Board, Cells};
use crate::show::{Area, Drawing, Ink, Place, Scene, Shape};

/// Rows of text, each shifted to the right. Around them, small letters say whose edges they are, if they are somebody's.
pub(super) fn draw(board: &Board, cells: &Cells, targets: &[bool]) -> Drawing {
    let texts = (0..board.len()).map(|at| cell(board, cells, at, targets[at], "·").text);
    let texts: Vec<_> = texts.collect();
    // An odd width makes half a cell, with the space between, a whole number of letters.
    let width = texts.iter().map(|text| text.chars().count()).max().unwrap_or(1) | 1;
    let owner = |side: Side| {
        let piece = board.pieces.iter().find(|piece| piece.side == Some(side));
        piece.map_or(' ', |piece| piece.letter.to_ascii_lowercase())
    };
    let join = |row: usize, words: Vec<String>| {
        let words = words.iter().map(|word| format!("{word:^width$}")).collect::<Vec<_>>();
        (" ".repeat(row * width.div_ceil(2)), words.join(" "))
    };
    let across = |row: usize| {
        let (indent, words) = join(row, vec![owner(Side::First).to_string(); board.columns]);
        format!("{indent}  {words}").trim_end().to_owned()
    };
    let left = left(board);
    let row = |row: usize| {
        let of_row = (0..board.len()).filter(|at| board.spots[*at].row == row);
        let of_row: Vec<_> = of_row.map(|at| (board.spots[at].column, &texts[at])).collect();
        let columns = of_row.iter().map(|(column, _)| *column);
        let (first, last) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        // Cells that the board does not have leave room.
        let text = |column: usize| {
            of_row
                .iter()
                .find(|(at, _)| *at == column)
                .map_or(String::new(), |(_, text)| (*text).clone())
        };
        let (indent, words) = join(2 * first + row + 1 - left, (first..=last).map(text).collect());
        match board.edged {
            true => format!("{indent}{edge} {words} {edge}", edge = owner(Side::Second)),
            false => format!("{indent}{words}"),
        }
    };
    let mut lines: Vec<String> = (0..board.rows).map(row).collect();
    if board.edged {
        lines.insert(0, across(0));
        lines.push(across(board.rows + 1));
    }
    Drawing::Lines(lines)
}

/// How far to the right the first cell of all rows begins, in halves of a cell.
fn left(board: &Board) -> usize {
    board.spots.iter().map(|spot| 2 * spot.column + spot.row).min().unwrap_or(0)
}

/// The board as shapes: cells are discs that nearly touch. The edges of the first player, if there
/// are any, are above and below, those of the second player left and right.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    const DOWN: f32 = 0.87;
    const MARGIN: f32 = 0.45;
    let (columns, rows) = (board.columns as f32, board.rows as f32);
    let left = left(board) as f32 / 2.0;
    let ends = board.spots.iter().map(|spot| (2 * spot.column + spot.row) as f32 / 2.0 + 1.0);
    let width = ends.fold(0.0, f32::max) - left + 2.0 * MARGIN;
    let height = (rows - 1.0) * DOWN + 1.0 + 2.0 * MARGIN;
    let mut scene = Scene::new(width, height);
    scene.shapes.push(Shape::Plate(Area::new(0.0, 0.0, width, height), 0.2, Ink::Board));
    let area = |column: f32, row: f32| {
        Area::new(MARGIN + column + row / 2.0 - left, MARGIN + row * DOWN, 1.0, 1.0)
    };
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| area(spot.column as f32, spot.row as f32)).collect();
    let corner = |right: bool, down: bool| {
        let x = if right { columns - 0.5 } else { -0.5 };
        let y = if down { rows - 0.4 } else { -0.6 };
        area(x, y).middle()
    };
    for down in [false, true].into_iter().filter(|_| board.edged) {
        let ends = [corner(false, down), corner(true, down)];
        scene.shapes.push(Shape::Line(ends[0], ends[1], 0.12, Ink::Of(Side::First)));
    }
    for right in [false, true].into_iter().filter(|_| board.edged) {
        let ends = [corner(right, false), corner(right, true)];
        scene.shapes.push(Shape::Line(ends[0], ends[1], 0.12, Ink::Of(Side::Second)));
    }
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.48, Ink::Square));
        if cells.piece(at).is_none() {
            // Low enough to stay visible below what is said of a move.
            let [x, y] = area.middle();
            let name = board.name(at).to_owned();
            scene.shapes.push(Shape::Text([x, y + 0.35], 0.18, name, Ink::Edge));
        }
        add_piece(&mut scene, board, cells, at, *area);
        let what = super::what(board, cells, at);
        let name = format!("{}, {what}", board.name(at));
        // Rows overlap; their places must not.
        let place = area.within((1.0 - DOWN) / 2.0);
        scene.places.push(Place {
            name,
            area: place,
            spot: *area,
            taken: cells.piece(at).is_some(),
            beside: None,
        });
    }
    add_decided(&mut scene, &areas, decided);
    scene
}
