//! A position as shapes, and as places that a person can click, so that a page can show and play
//! any game and a file can show it.
//!
//! Coordinates start at the top left; the unit is the side of a square of the board. A shape has no
//! colour: it says what it means ([`Ink`]), and the code that shows the scene chooses colours.

use super::{Cell, Drawing, Grid};
use crate::game::Side;

/// What a position looks like.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scene {
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
    /// The shapes, from back to front.
    pub shapes: Vec<Shape>,
    /// The places that can be clicked, or have a name when pointed at. All positions of a game have
    /// the same places.
    pub places: Vec<Place>,
}

/// A shape of a scene.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A rectangle and the radius of its rounded corners.
    Plate(Area, f32, Ink),
    /// A filled circle: centre, radius.
    Disc([f32; 2], f32, Ink),
    /// A circle that is not filled: centre, radius, width of the line.
    Ring([f32; 2], f32, f32, Ink),
    /// A straight line between two points: both points, width.
    Line([f32; 2], [f32; 2], f32, Ink),
    /// Text: middle, height of the letters.
    Text([f32; 2], f32, String, Ink),
    /// Monospaced text: start of the first line, height of a line.
    Typed([f32; 2], f32, String, Ink),
}

/// The meaning of a shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// The board.
    Board,
    /// A square of the board, or a light one.
    Square,
    /// A dark square.
    Dark,
    /// A hollow in the board.
    Hollow,
    /// A line of the board.
    Edge,
    /// Something that belongs to a side.
    Of(Side),
    /// Text on something that belongs to a side.
    On(Side),
    /// Something that belongs to no side.
    Seed,
    /// Something that belongs to the side whose move made it; a position alone does not say which.
    Made,
    /// Text beside the board or its pieces.
    Label,
    /// A mark of what decided the game, or of a choice to be made.
    Mark,
}

/// A rectangle.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    /// The left edge.
    pub x: f32,
    /// The upper edge.
    pub y: f32,
    /// The width.
    pub width: f32,
    /// The height.
    pub height: f32,
}

impl Area {
    /// A rectangle with this left edge, upper edge, width and height.
    pub const fn new(x: f32, y: f32, width: f32, height: f32) -> Area {
        Area { x, y, width, height }
    }

    /// The square of a board in a column and a row, from 0.
    pub const fn square(column: usize, row: usize) -> Area {
        Area::new(column as f32, row as f32, 1.0, 1.0)
    }

    /// The middle.
    pub const fn middle(self) -> [f32; 2] {
        [self.x + self.width / 2.0, self.y + self.height / 2.0]
    }

    /// The rectangle without `margin` on every side.
    pub const fn within(self, margin: f32) -> Area {
        let less = 2.0 * margin;
        Area::new(self.x + margin, self.y + margin, self.width - less, self.height - less)
    }
}

/// A place on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    /// Its name and what is there, in words: `5, X`.
    pub name: String,
    /// Its area.
    pub area: Area,
    /// The part of the area where a piece is or would be.
    pub spot: Area,
    /// Whether something is there that must stay visible.
    pub taken: bool,
    /// Where a mark beside the place goes, such as what a move is worth; `None` if on the spot, or in its corner if that
    /// is taken.
    pub beside: Option<Area>,
}

impl Scene {
    /// An empty scene of this size.
    pub fn new(width: f32, height: f32) -> Scene {
        Scene { width, height, ..Scene::default() }
    }

    /// A drawing as shapes: a board of squares, each a place with its contents; or text.
    pub fn of(drawing: &Drawing) -> Scene {
        match drawing {
            Drawing::Grid(grid) => Scene::of_grid(grid),
            Drawing::Lines(_) | Drawing::Sketch(_) => {
                let lines = drawing.render(&|_, text| text.to_owned());
                const LETTER: f32 = 0.2;
                const LINE: f32 = 0.4;
                let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
                let height = LINE * lines.len() as f32;
                let mut scene = Scene::new(LETTER * longest.max(10) as f32 + LINE, height + LINE);
                for (nth, line) in lines.into_iter().enumerate() {
                    let from = [LINE / 2.0, LINE * (nth as f32 + 1.0)];
                    scene.shapes.push(Shape::Typed(from, LINE, line, Ink::Label));
                }
                scene
            }
        }
    }

    /// Adds lines of text below.
    pub fn with_caption(mut self, caption: Vec<String>) -> Scene {
        const LINE: f32 = 0.3;
        // A letter is about 0.6 of its height wide.
        let max = caption.iter().map(|line| line.chars().count()).max().unwrap_or(0) as f32;
        let size = LINE.min(self.width / (0.65 * max.max(1.0)));
        for line in caption {
            self.height += size * 1.3;
            let from = [0.05, self.height - size * 0.35];
            self.shapes.push(Shape::Typed(from, size, line, Ink::Label));
        }
        self
    }

    fn of_grid(grid: &Grid) -> Scene {
        let rows = grid.cells.len() / grid.columns;
        let mut scene = Scene::board(grid.columns, rows, &grid.column_labels, &grid.row_labels);
        for (at, Cell { text, owner, .. }) in grid.cells.iter().enumerate() {
            let area = scene.square(at % grid.columns, at / grid.columns);
            scene.shapes.push(Shape::Plate(area.within(0.02), 0.06, Ink::Square));
            let ink = owner.map_or(Ink::Label, Ink::Of);
            let lines: Vec<&str> = text.split('\n').collect();
            let longest = lines.iter().map(|line| line.chars().count()).max().unwrap_or(0);
            let max = if owner.is_some() { 0.7 } else { 0.3 };
            let size = (1.4 / longest.max(1) as f32).min(0.8 / lines.len() as f32).min(max);
            let [x, y] = area.middle();
            let top = y - size * (lines.len() - 1) as f32 / 2.0;
            for (nth, line) in lines.iter().enumerate().filter(|(_, line)| !line.is_empty()) {
                let middle = [x, top + size * nth as f32];
                scene.shapes.push(Shape::Text(middle, size, (*line).to_owned(), ink));
            }
            scene.place(text.replace('\n', " "), area, owner.is_some());
        }
        scene
    }

    /// An empty board of squares with labels below its columns and left of its rows, if there are
    /// any.
    pub fn board(
        columns: usize,
        rows: usize,
        column_labels: &[String],
        row_labels: &[String],
    ) -> Scene {
        const MARGIN: f32 = 0.4;
        let margin = |labels: &[String]| if labels.is_empty() { 0.0 } else { MARGIN };
        let mut scene = Scene::new(
            columns as f32 + 2.0 * margin(row_labels),
            rows as f32 + 2.0 * margin(column_labels),
        );
        let [left, top] = [margin(row_labels), margin(column_labels)];
        let plate = Area::new(left, top, columns as f32, rows as f32);
        scene.shapes.push(Shape::Plate(plate, 0.08, Ink::Board));
        for (nth, label) in column_labels.iter().enumerate() {
            let middle = [left + nth as f32 + 0.5, top + rows as f32 + MARGIN / 2.0];
            scene.shapes.push(Shape::Text(middle, MARGIN * 0.7, label.clone(), Ink::Label));
        }
        for (nth, label) in row_labels.iter().enumerate() {
            let middle = [left / 2.0, top + nth as f32 + 0.5];
            scene.shapes.push(Shape::Text(middle, MARGIN * 0.7, label.clone(), Ink::Label));
        }
        scene
    }

    /// The square of a [`board`](Scene::board) in a column and a row, from 0.
    pub fn square(&self, column: usize, row: usize) -> Area {
        let plate = self.shapes.iter().find_map(|shape| match shape {
            Shape::Plate(area, _, Ink::Board) => Some(*area),
            _ => None,
        });
        let [left, top] = plate.map_or([0.0, 0.0], |area| [area.x, area.y]);
        Area::new(left + column as f32, top + row as f32, 1.0, 1.0)
    }

    /// Adds a place whose spot is its whole area; `taken` says whether something is there.
    pub fn place(&mut self, name: impl Into<String>, area: Area, taken: bool) {
        self.places.push(Place { name: name.into(), area, spot: area, taken, beside: None });
    }

    /// Adds the men that each side has in hand on the right of a board of this height, the first player's from below;
    /// `most` have room.
    pub fn hands(&mut self, hands: [u16; 2], most: u16, height: f32) {
        const WIDTH: f32 = 0.5;
        let half = height / 2.0;
        let step = (half / f32::from(most.max(1))).min(WIDTH);
        let [x, y] = [self.width + WIDTH / 2.0, self.height / 2.0];
        for (side, down) in Side::BOTH.into_iter().zip([1.0, -1.0]) {
            for nth in 0..hands[side.index()] {
                let y = y + down * (half - (f32::from(nth) + 0.5) * step);
                self.shapes.push(Shape::Disc([x, y], step * 0.44, Ink::Of(side)));
            }
        }
        self.width += WIDTH;
    }

    /// Adds the name of a place in its upper left corner.
    pub fn corner(&mut self, area: Area, name: impl Into<String>) {
        let middle = [area.x + 0.13, area.y + 0.14];
        self.shapes.push(Shape::Text(middle, 0.16, name.into(), Ink::Edge));
    }

    /// Adds a cross that fills most of an area.
    pub fn cross(&mut self, area: Area, ink: Ink) {
        let arm = area.width.min(area.height) * 0.3;
        let [x, y] = area.middle();
        let width = arm * 0.42;
        self.shapes.push(Shape::Line([x - arm, y - arm], [x + arm, y + arm], width, ink));
        self.shapes.push(Shape::Line([x - arm, y + arm], [x + arm, y - arm], width, ink));
    }

    /// Adds a ring that fills most of an area.
    pub fn ring(&mut self, area: Area, ink: Ink) {
        let radius = area.width.min(area.height) * 0.31;
        self.shapes.push(Shape::Ring(area.middle(), radius, radius * 0.36, ink));
    }

    /// Adds the mark of a side on a square: a cross for the first, a ring for the second.
    pub fn mark(&mut self, area: Area, side: Side) {
        match side {
            Side::First => self.cross(area, Ink::Of(side)),
            Side::Second => self.ring(area, Ink::Of(side)),
        }
    }

    /// Adds a piece of a side, with a letter on it if there is one.
    pub fn piece(&mut self, area: Area, side: Side, letter: &str) {
        let radius = area.width.min(area.height) * 0.38;
        self.shapes.push(Shape::Disc(area.middle(), radius, Ink::Of(side)));
        if !letter.is_empty() {
            let text = Shape::Text(area.middle(), radius * 1.1, letter.to_owned(), Ink::On(side));
            self.shapes.push(text);
        }
    }

    /// Adds a line from the middle of one area to the middle of another.
    pub fn through(&mut self, from: Area, to: Area) {
        self.shapes.push(Shape::Line(from.middle(), to.middle(), 0.08, Ink::Mark));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_a_place_for_each_square() {
        let cells = vec![
            Cell::owned("X", Side::First),
            Cell::target("2"),
            Cell::default(),
            Cell::owned("x1\nx3", Side::Second),
        ];
        let mut grid = Grid::new(2, cells);
        grid.row_labels = vec!["2".into(), "1".into()];
        let scene = Scene::of(&Drawing::Grid(grid));
        let names: Vec<_> = scene.places.iter().map(|place| place.name.as_str()).collect();
        assert_eq!(names, ["X", "2", "", "x1 x3"]);
        assert_eq!(scene.places[3].area, scene.square(1, 1));
        let texts = scene.shapes.iter().filter(|shape| matches!(shape, Shape::Text(..)));
        assert_eq!(texts.count(), 2 + 1 + 1 + 2, "labels and what stands on squares");
    }

    #[test]
    fn text_stays_text() {
        let scene = Scene::of(&Drawing::Lines(vec!["  4 4".into(), "0".into()]));
        assert!(scene.places.is_empty());
        assert!(
            matches!(&scene.shapes[0], Shape::Typed(_, _, text, Ink::Label) if text == "  4 4")
        );
    }
}
