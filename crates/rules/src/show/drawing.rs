//! A position as squares or text, which a terminal or a page can draw.

use std::fmt::{self, Display};

use crate::game::Side;

/// What a position looks like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// A board of squares.
    Grid(Grid),
    /// Lines of text, to be shown unchanged.
    Lines(Vec<String>),
    /// Lines of text with cells in them, each line in its parts.
    Sketch(Vec<Vec<Part>>),
}

/// A part of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Text between cells.
    Plain(String),
    /// A cell; its text has one line.
    Cell(Cell),
}

/// A board of squares, row by row from the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    /// The number of squares in a row; at least 1.
    pub columns: usize,
    /// The squares; a whole number of rows.
    pub cells: Vec<Cell>,
    /// The label below each column; empty if there are none.
    pub column_labels: Vec<String>,
    /// The label left of each row; empty if there are none.
    pub row_labels: Vec<String>,
    /// Lines of text below the board.
    pub caption: Vec<String>,
}

/// A square of a board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    /// The text on the square, or its name if a move may choose it; `\n` separates lines.
    pub text: String,
    /// The side whose piece is on the square; `None` if there is none.
    pub owner: Option<Side>,
    /// Whether a move may choose it.
    pub target: bool,
    /// Whether the text is the letter of a plain disc.
    pub disc: bool,
}

impl Cell {
    /// A square with something of a side on it.
    pub fn owned(text: impl Into<String>, owner: Side) -> Cell {
        Cell { text: text.into(), owner: Some(owner), ..Cell::default() }
    }

    /// A square that a move may choose, with its name.
    pub fn target(name: impl Into<String>) -> Cell {
        Cell { text: name.into(), target: true, ..Cell::default() }
    }

    fn lines(&self) -> impl Iterator<Item = &str> {
        self.text.split('\n')
    }

    fn width(&self) -> usize {
        self.lines().map(|line| line.chars().count()).max().unwrap_or(0)
    }
}

impl Grid {
    /// A board without labels.
    pub fn new(columns: usize, cells: Vec<Cell>) -> Grid {
        assert!(columns > 0 && cells.len().is_multiple_of(columns), "a board has whole rows");
        let (column_labels, row_labels, caption) = (Vec::new(), Vec::new(), Vec::new());
        Grid { columns, cells, column_labels, row_labels, caption }
    }

    fn render(&self, paint: &dyn Fn(&Cell, &str) -> String) -> Vec<String> {
        let labels = self.column_labels.iter().map(|label| label.chars().count());
        let width = self.cells.iter().map(Cell::width).chain(labels).max().unwrap_or(1).max(1);
        let height = self.cells.iter().map(|cell| cell.lines().count()).max().unwrap_or(1);
        let margin = self.row_labels.iter().map(|label| label.chars().count()).max();
        let indent = |label: &str| match margin {
            Some(margin) => format!("{label:>margin$} "),
            None => String::new(),
        };
        let border = format!(
            "{}+{}",
            indent(""),
            format!("{}+", "-".repeat(width + 2)).repeat(self.columns)
        );
        let mut lines = vec![border.clone()];
        for (row, cells) in self.cells.chunks(self.columns).enumerate() {
            for at in 0..height {
                let label = if at == (height - 1) / 2 { self.row_labels.get(row) } else { None };
                let mut line = indent(label.map_or("", String::as_str)) + "|";
                for cell in cells {
                    let above = (height - cell.lines().count()) / 2;
                    let text = at.checked_sub(above).and_then(|at| cell.lines().nth(at));
                    let text = text.unwrap_or("");
                    let spare = width - text.chars().count();
                    let painted = if text.is_empty() { String::new() } else { paint(cell, text) };
                    let left = spare.div_ceil(2);
                    line += &format!(" {:left$}{painted}{:right$} |", "", "", right = spare - left);
                }
                lines.push(line);
            }
            lines.push(border.clone());
        }
        if !self.column_labels.is_empty() {
            let labels = self.column_labels.iter().map(|label| format!("{label:^width$}"));
            lines.push(format!("{}  {}", indent(""), labels.collect::<Vec<_>>().join("   ")));
        }
        let caption = self.caption.iter().map(|line| indent("") + line);
        lines.into_iter().chain(caption).map(|line| line.trim_end().to_owned()).collect()
    }
}

impl Drawing {
    /// Adds lines of text below.
    pub fn with_caption(mut self, caption: Vec<String>) -> Drawing {
        match &mut self {
            Drawing::Grid(grid) => grid.caption.extend(caption),
            Drawing::Lines(lines) => lines.extend(caption),
            Drawing::Sketch(lines) => {
                lines.extend(caption.into_iter().map(|line| vec![Part::Plain(line)]));
            }
        }
        self
    }

    /// The cells in the order of the picture; none if it is plain text.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let (grid, sketch) = match self {
            Drawing::Grid(grid) => (&grid.cells[..], &[][..]),
            Drawing::Sketch(lines) => (&[][..], &lines[..]),
            Drawing::Lines(_) => (&[][..], &[][..]),
        };
        fn cell(part: &Part) -> Option<&Cell> {
            match part {
                Part::Cell(cell) => Some(cell),
                Part::Plain(_) => None,
            }
        }
        grid.iter().chain(sketch.iter().flatten().filter_map(cell))
    }

    /// The picture as lines of text. Each piece of text on a square passes through `paint`, which
    /// may add colour but no width.
    pub fn render(&self, paint: &dyn Fn(&Cell, &str) -> String) -> Vec<String> {
        match self {
            Drawing::Grid(grid) => grid.render(paint),
            Drawing::Lines(lines) => lines.clone(),
            Drawing::Sketch(lines) => {
                let part = |part: &Part| match part {
                    Part::Plain(text) => text.clone(),
                    Part::Cell(cell) => paint(cell, &cell.text),
                };
                let line = |line: &Vec<Part>| line.iter().map(part).collect::<String>();
                lines.iter().map(|parts| line(parts).trim_end().to_owned()).collect()
            }
        }
    }
}

impl Display for Drawing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = self.render(&|_, text| text.to_owned());
        f.write_str(&lines.join("\n"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_has_borders_labels_and_cells_of_one_size() {
        let cells = vec![
            Cell::owned("X", Side::First),
            Cell::target("10"),
            Cell::default(),
            Cell::owned("x1\nx3", Side::First),
        ];
        let mut grid = Grid::new(2, cells);
        grid.row_labels = vec!["2".into(), "1".into()];
        grid.column_labels = vec!["a".into(), "b".into()];
        let expected = "  +----+----+
2 |  X | 10 |
  |    |    |
  +----+----+
1 |    | x1 |
  |    | x3 |
  +----+----+
    a    b";
        assert_eq!(Drawing::Grid(grid).to_string(), expected);
    }
}
