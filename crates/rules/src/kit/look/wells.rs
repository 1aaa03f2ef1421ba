//! An upright board into which stones fall: a column is a place, its lowest empty cell the spot.

use super::{add_decided, add_piece};
use crate::kit::{Board, Cells};
use crate::show::{Area, Ink, Place, Scene, Shape};

/// The board as shapes.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    let Board { columns, rows, .. } = *board;
    let mut scene = Scene::board(columns, rows, &board.column_labels, &board.row_labels);
    let areas: Vec<Area> =
        board.spots.iter().map(|spot| scene.square(spot.column, spot.row)).collect();
    for (at, area) in areas.iter().enumerate() {
        scene.shapes.push(Shape::Disc(area.middle(), 0.4, Ink::Hollow));
        add_piece(&mut scene, board, cells, at, *area);
    }
    for column in 0..columns {
        let of_column = (0..rows).map(|row| row * columns + column);
        let is_taken = |cell: &usize| cells.taken() >> cell & 1 == 1;
        let stones = of_column.clone().filter(is_taken).count();
        let top = areas[column];
        let spot = of_column.rev().nth(stones).map_or(top, |cell| areas[cell]);
        let count = match stones {
            1 => "1 stone".to_owned(),
            _ => format!("{stones} stones"),
        };
        let name = format!("column {}, {count}", board.column_labels[column]);
        let area = Area { height: rows as f32, ..top };
        scene.places.push(Place { name, area, spot, taken: stones == rows, beside: None });
    }
    add_decided(&mut scene, &areas, decided);
    scene
}
