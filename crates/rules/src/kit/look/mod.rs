//! Pictures of boards, for a terminal and as shapes: one file for each kind of board.

mod edges;
mod heaps;
mod hexes;
mod pits;
mod points;
mod squares;
mod walls;
mod wells;

use super::{Board, Cells, Face, Feature, Look, Piece};
use crate::game::Side;
use crate::show::{Area, Cell, Drawing, Grid, Ink, Scene, Shape};

/// The board for a terminal; `targets` are the cells that show the name of a move.
pub(super) fn draw(board: &Board, cells: &Cells, targets: &[bool]) -> Drawing {
    match board.look {
        // Where some squares are no cells, those that are show it.
        Look::Squares if board.len() < board.columns * board.rows => {
            grid(board, cells, targets, "·")
        }
        Look::Squares | Look::Wells => grid(board, cells, targets, ""),
        Look::Checkered | Look::Points => grid(board, cells, targets, "·"),
        Look::Hexes => hexes::draw(board, cells, targets),
        Look::Edges => edges::draw(board, cells, targets),
        Look::Walls => walls::draw(board, cells, targets),
        Look::Heaps => heaps::draw(board, cells),
        Look::Pits => pits::draw(board, cells),
    }
}

/// The board as shapes; `decided` has the ends of the lines to be marked.
pub(super) fn scene(board: &Board, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
    match board.look {
        Look::Squares | Look::Checkered => squares::scene(board, cells, decided),
        Look::Points => points::scene(board, cells, decided),
        Look::Wells => wells::scene(board, cells, decided),
        Look::Hexes => hexes::scene(board, cells, decided),
        Look::Edges => edges::scene(board, cells),
        Look::Walls => walls::scene(board, cells),
        Look::Heaps => heaps::scene(board, cells),
        Look::Pits => pits::scene(board, cells),
    }
}

/// A cell for a terminal.
fn cell(board: &Board, cells: &Cells, at: usize, is_target: bool, empty: &str) -> Cell {
    match cells.piece(at) {
        Some(piece) => {
            let piece = &board.pieces[piece];
            let disc = piece.face == Face::Disc && piece.side.is_some();
            Cell { text: piece.letter.to_string(), owner: piece.side, target: false, disc }
        }
        None if is_target => Cell::target(board.name(at)),
        None => Cell { text: empty.to_owned(), ..Cell::default() },
    }
}

/// Squares in rows; `empty` is the text of an empty cell.
fn grid(board: &Board, cells: &Cells, targets: &[bool], empty: &str) -> Drawing {
    let mut squares = vec![Cell::default(); board.columns * board.rows];
    for (at, spot) in board.spots.iter().enumerate() {
        let square = &mut squares[spot.row * board.columns + spot.column];
        *square = cell(board, cells, at, targets[at], empty);
    }
    let mut grid = Grid::new(board.columns, squares);
    grid.column_labels.clone_from(&board.column_labels);
    grid.row_labels.clone_from(&board.row_labels);
    Drawing::Grid(grid)
}

/// The names of what is on a cell, or `empty`.
fn what(board: &Board, cells: &Cells, at: usize) -> String {
    let names: Vec<_> = cells.pieces(at).map(|piece| &board.pieces[piece].name[..]).collect();
    if names.is_empty() { "empty".to_owned() } else { names.join(", ") }
}

/// Adds the piece on a cell, if there is one.
fn add_piece(scene: &mut Scene, board: &Board, cells: &Cells, at: usize, area: Area) {
    let Some(piece) = cells.piece(at).map(|piece| &board.pieces[piece]) else { return };
    let letter = piece.symbol.clone().unwrap_or_else(|| piece.letter.to_string());
    let is_featured = |piece: &Piece| matches!(piece.face, Face::Feature(_));
    match (piece.face, piece.side) {
        (_, None) if board.pieces.iter().any(is_featured) => {
            let here = cells.pieces(at).map(|piece| board.pieces[piece].face);
            let has = here.filter_map(|face| match face {
                Face::Feature(feature) => Some(feature),
                _ => None,
            });
            add_featured(scene, &has.collect::<Vec<_>>(), area);
        }
        (Face::Cover, side) => {
            let ink = side.map_or(Ink::Seed, Ink::Of);
            scene.shapes.push(Shape::Plate(area.within(0.04), 0.06, ink));
        }
        (Face::Mark, Some(side)) => scene.mark(area, side),
        (Face::Letter, Some(side)) => scene.piece(area, side, &letter),
        (_, Some(side)) => scene.piece(area, side, ""),
        (face, None) => {
            let radius = area.width.min(area.height) * 0.38;
            scene.shapes.push(Shape::Disc(area.middle(), radius, Ink::Seed));
            if face == Face::Letter {
                let ink = Ink::On(Side::First);
                scene.shapes.push(Shape::Text(area.middle(), radius * 1.1, letter, ink));
            }
        }
    }
}

/// Adds a piece that is told from others by its features.
pub fn add_featured(scene: &mut Scene, has: &[Feature], area: Area) {
    let [large, dark, round, hollow] =
        [Feature::Large, Feature::Dark, Feature::Round, Feature::Hollow].map(|f| has.contains(&f));
    let half = area.width.min(area.height) * if large { 0.42 } else { 0.27 };
    let mut shape = |half: f32, ink: Ink| {
        let [x, y] = area.middle();
        scene.shapes.push(match round {
            true => Shape::Disc([x, y], half, ink),
            false => Shape::Plate(Area::new(x - half, y - half, 2.0 * half, 2.0 * half), 0.03, ink),
        });
    };
    shape(half, Ink::Seed);
    if !dark {
        shape(half - 0.04, Ink::Dark);
    }
    if hollow {
        shape(half * 0.5, Ink::Seed);
        shape(half * 0.5 - 0.04, Ink::Square);
    }
}

/// Adds a cell as a place, with its name in the corner if `named` and the board has no labels.
fn add_place(scene: &mut Scene, board: &Board, cells: &Cells, at: usize, area: Area, named: bool) {
    let name = board.name(at);
    let is_taken = cells.piece(at).is_some();
    if named && board.column_labels.is_empty() {
        scene.corner(area, name);
    }
    scene.place(format!("{name}, {}", what(board, cells, at)), area, is_taken);
}

/// Adds the lines that decided the game, from one cell's area to another's.
fn add_decided(scene: &mut Scene, areas: &[Area], decided: &[[usize; 2]]) {
    for [from, to] in decided {
        scene.through(areas[*from], areas[*to]);
    }
}
