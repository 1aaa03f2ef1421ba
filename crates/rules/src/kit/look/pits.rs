//! Two rows of pits with seeds, and a store for each side.

use crate::game::Side;
use crate::kit::{Board, Cells};
use crate::show::{Area, Cell, Drawing, Ink, Part, Place, Scene, Shape};

/// The number of the count of a pit's seeds; the store comes after the last pit.
fn count(board: &Board, side: Side, pit: usize) -> usize {
    side.index() * (board.columns + 1) + pit
}

/// Three lines: the second player's pits from right to left, the stores, the first player's pits.
pub(super) fn draw(board: &Board, cells: &Cells) -> Drawing {
    let pits = board.columns;
    let seeds = |side, pit| cells.count(count(board, side, pit));
    let all = Side::BOTH.into_iter().flat_map(|side| (0..=pits).map(move |pit| seeds(side, pit)));
    let width = all.map(u32::from).sum::<u32>().to_string().len();
    let number = |side, pit| {
        let text = seeds(side, pit).to_string();
        [Part::Plain(" ".repeat(width - text.len())), Part::Cell(Cell::owned(text, side))]
    };
    let gap = |width| Part::Plain(" ".repeat(width));
    let row = |side: Side| {
        let order = move |at| if side == Side::First { at } else { pits - 1 - at };
        let numbers = (0..pits).flat_map(|at| [gap(1)].into_iter().chain(number(side, order(at))));
        [gap(width)].into_iter().chain(numbers).collect()
    };
    let [first, second] = Side::BOTH.map(|side| number(side, pits));
    let between = [gap(pits * (width + 1) + 1)];
    Drawing::Sketch(vec![
        row(Side::Second),
        second.into_iter().chain(between).chain(first).collect(),
        row(Side::First),
    ])
}

/// The board as shapes: the first player's pits are below, from left to right, its store on the
/// right. Above each pit is room for a mark.
pub(super) fn scene(board: &Board, cells: &Cells) -> Scene {
    let pits = board.columns;
    const MARK: f32 = 0.5;
    let mut scene = Scene::new(pits as f32 + 2.4, 2.8 + 2.0 * MARK);
    let plate = Area::new(0.0, 0.3, scene.width, 2.2 + 2.0 * MARK);
    scene.shapes.push(Shape::Plate(plate, 0.4, Ink::Board));
    for side in Side::BOTH {
        for pit in 0..pits {
            let seeds = cells.count(count(board, side, pit));
            let (column, row) = match side {
                Side::First => (pit, 1),
                Side::Second => (pits - 1 - pit, 0),
            };
            let square = Area::square(column, row);
            let y = square.y + 0.35 + MARK * (row + 1) as f32;
            let area = Area { x: square.x + 1.2, y, ..square };
            scene.shapes.push(Shape::Disc(area.middle(), 0.44, Ink::Hollow));
            add_seeds(&mut scene, area.within(0.1), seeds);
            let y = if row == 0 { 0.15 } else { scene.height - 0.15 };
            let label = Shape::Text([area.middle()[0], y], 0.26, seeds.to_string(), Ink::Label);
            scene.shapes.push(label);
            let name = format!("pit {} of {}: {seeds}", pit + 1, board.sides[side.index()]);
            scene.corner(Area { y: area.y - 0.06, ..area }, (pit + 1).to_string());
            let beside = Some(Area::new(area.x, area.y - MARK + 0.02, 1.0, MARK));
            scene.places.push(Place { name, area, spot: area, taken: seeds > 0, beside });
        }
    }
    for side in Side::BOTH {
        let seeds = cells.count(count(board, side, pits));
        let x = if side == Side::First { scene.width - 1.1 } else { 0.1 };
        let area = Area::new(x, 0.45, 1.0, 1.9 + 2.0 * MARK);
        scene.shapes.push(Shape::Plate(area.within(0.08), 0.4, Ink::Hollow));
        let room = Area { height: area.height - 0.5, ..area };
        add_seeds(&mut scene, room.within(0.12), seeds);
        let middle = [area.middle()[0], area.y + area.height - 0.35];
        scene.shapes.push(Shape::Text(middle, 0.36, seeds.to_string(), Ink::Of(side)));
        scene.place(format!("store of {}: {seeds}", board.sides[side.index()]), area, true);
    }
    scene
}

/// Adds seeds in rows in an area; at most 30, so that they do not become too small.
fn add_seeds(scene: &mut Scene, area: Area, seeds: u16) {
    const MAX: u16 = 30;
    let seeds = usize::from(seeds.min(MAX));
    let fits = |columns: &usize| {
        let size = area.width / *columns as f32;
        (area.height / size) as usize * columns >= seeds
    };
    let columns = (2..).find(fits).unwrap_or(2);
    let size = area.width / columns as f32;
    let rows = seeds.div_ceil(columns);
    let top = area.middle()[1] - rows as f32 * size / 2.0;
    for nth in 0..seeds {
        let in_row = columns.min(seeds - nth / columns * columns);
        let left = area.middle()[0] - in_row as f32 * size / 2.0;
        let x = left + ((nth % columns) as f32 + 0.5) * size;
        let y = top + ((nth / columns) as f32 + 0.5) * size;
        scene.shapes.push(Shape::Disc([x, y], size.min(0.3) * 0.42, Ink::Seed));
    }
}
