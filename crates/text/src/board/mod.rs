//! A board: its cells, their names and places, and the ways from cell to cell.
//!
//! All shapes become the same tables, so that nothing else depends on the shape: for each direction
//! the cells that it leads to, and for each cell the rays that leave it.

mod drawing;

/// A set of cells: bit n is cell n.
pub(crate) type Cells = u128;

/// At most this many cells.
pub(crate) const MAX_CELLS: usize = 128;

/// At most this many columns, as they are letters.
const MAX_COLUMNS: usize = 26;

/// The cell with this number.
pub(crate) const fn bit(cell: usize) -> Cells {
    1 << cell
}

/// The cells of a set, in order.
pub(crate) fn cells(mut set: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

/// The shape of a board, for pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Rectangle {
        layers: usize,
    },
    /// Squares, the edges between them, and the joints of edges.
    Edged,
    Hexagons,
    Ring {
        stores: bool,
    },
    Points,
}

/// A cell and its place in the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cell {
    pub name: String,
    pub column: usize,
    /// From the top.
    pub row: usize,
}

/// The cells that follow each other in a direction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ray {
    /// The number of its direction in [`Board::directions`].
    pub direction: usize,
    pub cells: Vec<u8>,
}

/// A board. Cells are numbered row by row from the top; those of a ring one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub shape: Shape,
    pub columns: usize,
    pub rows: usize,
    pub cells: Vec<Cell>,
    /// For each direction its name, and for each cell the cells that it leads to.
    pub directions: Vec<(&'static str, Vec<Cells>)>,
    /// The numbers of the directions between cells that touch along an edge.
    pub edges: Vec<usize>,
    /// For each cell, the rays that leave it.
    pub rays: Vec<Vec<Ray>>,
    /// The straight lines of at least two cells, as long as possible; those that close go around almost twice, so that
    /// each row of cells in it stands there, once from each of its cells on.
    pub lines: Vec<Vec<u8>>,
    /// How a board of points is drawn in its text.
    pub sketch: Option<Sketch>,
}

/// The drawing of a board of points: its lines, and where the points are.
#[derive(Clone, Debug)]
pub(crate) struct Sketch {
    pub rows: Vec<Vec<char>>,
    /// For each cell, its first column, its row and its length.
    pub places: Vec<[usize; 3]>,
    /// Whether all points are `o`, so that the drawing does not name them.
    pub nameless: bool,
}

/// Steps in the plane, by name: column to the right, row down.
const COMPASS: [(&str, [isize; 2]); 8] = [
    ("n", [0, -1]),
    ("s", [0, 1]),
    ("e", [1, 0]),
    ("w", [-1, 0]),
    ("ne", [1, -1]),
    ("sw", [-1, 1]),
    ("nw", [-1, -1]),
    ("se", [1, 1]),
];

/// Steps between hexagons: each row is half a cell further to the right than the row above.
const AROUND_HEXAGON: [(&str, [isize; 2]); 6] = [
    ("e", [1, 0]),
    ("w", [-1, 0]),
    ("ne", [1, -1]),
    ("sw", [-1, 1]),
    ("nw", [0, -1]),
    ("se", [0, 1]),
];

/// Between layers: up and down, alone and with a step in the plane.
const BETWEEN_LAYERS: [(&str, [isize; 3]); 18] = [
    ("up", [0, 0, 1]),
    ("down", [0, 0, -1]),
    ("up_n", [0, -1, 1]),
    ("down_s", [0, 1, -1]),
    ("up_s", [0, 1, 1]),
    ("down_n", [0, -1, -1]),
    ("up_e", [1, 0, 1]),
    ("down_w", [-1, 0, -1]),
    ("up_w", [-1, 0, 1]),
    ("down_e", [1, 0, -1]),
    ("up_ne", [1, -1, 1]),
    ("down_sw", [-1, 1, -1]),
    ("up_sw", [-1, 1, 1]),
    ("down_ne", [1, -1, -1]),
    ("up_nw", [-1, -1, 1]),
    ("down_se", [1, 1, -1]),
    ("up_se", [1, 1, 1]),
    ("down_nw", [-1, -1, -1]),
];

/// The name of a cell by its column and its row from below: `a1`.
fn name_of(column: usize, row: usize) -> String {
    format!("{}{}", char::from(b'a' + (column % MAX_COLUMNS) as u8), row + 1)
}

impl Board {
    /// A rectangle in one or more layers, which stand side by side.
    pub fn rectangle(columns: usize, rows: usize, layers: usize) -> Result<Board, String> {
        let count = size(&[columns, rows, layers])?;
        if columns * layers > MAX_COLUMNS {
            return Err(format!(
                "the board has {} columns, expected at most {MAX_COLUMNS}",
                columns * layers
            ));
        }
        let place = |cell: usize| {
            let (row, column) = (cell / (columns * layers), cell % (columns * layers));
            [column % columns, row, column / columns]
        };
        let number =
            |[column, row, layer]: [usize; 3]| row * columns * layers + layer * columns + column;
        let flat = COMPASS.iter().map(|(name, [x, y])| (*name, [*x, *y, 0]));
        let steep = BETWEEN_LAYERS.iter().filter(|_| layers > 1).copied();
        let sizes = [columns, rows, layers];
        let directions = flat.chain(steep).map(|(name, by)| {
            let step = |cell: usize| {
                let from = place(cell);
                let mut to = [0; 3];
                for axis in 0..3 {
                    to[axis] = from[axis].checked_add_signed(by[axis])?;
                    (to[axis] < sizes[axis]).then_some(())?;
                }
                Some(number(to))
            };
            (name, (0..count).map(|cell| step(cell).map_or(0, bit)).collect())
        });
        let cell = |cell: usize| {
            let [column, row, layer] = place(cell);
            // A gap between layers.
            Cell {
                name: name_of(layer * columns + column, rows - 1 - row),
                column: layer * (columns + 1) + column,
                row,
            }
        };
        let shape = Shape::Rectangle { layers };
        let (all, directions) = ((0..count).map(cell).collect(), directions.collect());
        let up_and_down = [COMPASS.len(), COMPASS.len() + 1].into_iter().filter(|_| layers > 1);
        let edges = (0..4).chain(up_and_down).collect();
        Ok(Board::new(shape, columns * layers + layers - 1, rows, all, directions, edges))
    }

    /// Rectangles side by side, with no way from one to another.
    pub fn copies(columns: usize, rows: usize, count: usize) -> Result<Board, String> {
        let mut board = Board::rectangle(columns, rows, count)?;
        board.directions.truncate(COMPASS.len());
        board.edges.truncate(4);
        board.find_rays();
        Ok(board)
    }

    /// A rectangle whose last column touches the first; if it is a torus, the last row, too.
    pub fn closed(columns: usize, rows: usize, torus: bool) -> Result<Board, String> {
        let board = Board::rectangle(columns, rows, 1)?;
        if columns < 3 || torus && rows < 3 {
            return Err("what touches itself needs at least 3 cells on its way around".to_owned());
        }
        let directions = COMPASS.iter().map(|(name, [x, y])| {
            let step = |cell: &Cell| {
                let column = (cell.column + columns).saturating_add_signed(*x) % columns;
                let row = (cell.row + rows).saturating_add_signed(*y);
                (torus || (rows..2 * rows).contains(&row)).then(|| row % rows * columns + column)
            };
            (*name, board.cells.iter().map(|cell| step(cell).map_or(0, bit)).collect())
        });
        let directions = directions.collect();
        Ok(Board::new(board.shape, columns, rows, board.cells, directions, board.edges))
    }

    /// A rectangle of squares with cells between them: an edge between two, a joint between four. `a1e` is the edge to the
    /// right of a1, `a1n` the one above it, `a1ne` the joint after both.
    pub fn edged(columns: usize, rows: usize) -> Result<Board, String> {
        size(&[columns, rows])?;
        let mut board = Board::rectangle(2 * columns - 1, 2 * rows - 1, 1)?;
        for cell in &mut board.cells {
            let (column, row) = (cell.column, board.rows - 1 - cell.row);
            let side = ["", "e", "n", "ne"][(column & 1) + 2 * (row & 1)];
            cell.name = name_of(column / 2, row / 2) + side;
        }
        board.shape = Shape::Edged;
        board.find_rays();
        Ok(board)
    }

    /// How many squares a cell of such a board belongs to: 1, 2 for an edge, 4 for a joint.
    pub fn squares_of(&self, cell: usize) -> u8 {
        let Cell { column, row, .. } = self.cells[cell];
        1 << ((column & 1) + (row & 1))
    }

    /// The columns and rows as people count them.
    pub fn size(&self) -> [usize; 2] {
        let halved = self.shape == Shape::Edged;
        [self.columns, self.rows].map(|count| if halved { count.div_ceil(2) } else { count })
    }

    /// A rhombus of hexagons.
    pub fn hexagons(columns: usize, rows: usize) -> Result<Board, String> {
        let board = Board::rectangle(columns, rows, 1)?;
        let directions = AROUND_HEXAGON.map(|(name, by)| {
            let step = |cell: &Cell| {
                let column = cell.column.checked_add_signed(by[0]).filter(|at| *at < columns)?;
                let row = cell.row.checked_add_signed(by[1]).filter(|at| *at < rows)?;
                Some(row * columns + column)
            };
            (name, board.cells.iter().map(|cell| step(cell).map_or(0, bit)).collect())
        });
        // Rows from above, as in other programs.
        let named = |cell: &Cell| Cell { name: name_of(cell.column, cell.row), ..cell.clone() };
        let cells = board.cells.iter().map(named).collect();
        Ok(Board::new(Shape::Hexagons, columns, rows, cells, directions.into(), (0..6).collect()))
    }

    /// A ring of pits, the first player's half below from left to right. With stores, the last pit
    /// of each half is one.
    pub fn ring(count: usize, stores: bool) -> Result<Board, String> {
        size(&[count])?;
        if count < 2 || count % 2 == 1 {
            return Err(format!("a ring of {count} cells, expected an even number from 2"));
        }
        let half = count / 2;
        let shift = usize::from(stores);
        let cell = |cell: usize| {
            let column = if cell < half { cell + shift } else { count - 1 - cell };
            Cell { name: (cell + 1).to_string(), column, row: usize::from(cell < half) }
        };
        let next = (0..count).map(|cell| bit((cell + 1) % count)).collect();
        let previous = (0..count).map(|cell| bit((cell + count - 1) % count)).collect();
        let directions = vec![("next", next), ("previous", previous)];
        let cells = (0..count).map(cell).collect();
        let shape = Shape::Ring { stores };
        let mut board = Board::new(shape, half + shift, 2, cells, directions, vec![0, 1]);
        // Around a ring nothing is straight.
        board.lines.clear();
        Ok(board)
    }

    fn new(
        shape: Shape,
        columns: usize,
        rows: usize,
        cells: Vec<Cell>,
        directions: Vec<(&'static str, Vec<Cells>)>,
        edges: Vec<usize>,
    ) -> Board {
        let mut board = Board {
            shape,
            columns,
            rows,
            cells,
            directions,
            edges,
            rays: Vec::new(),
            lines: Vec::new(),
            sketch: None,
        };
        board.find_rays();
        board
    }

    /// Rays and lines of boards on which a direction leads to at most one cell.
    fn find_rays(&mut self) {
        let directions = &self.directions;
        let follow = |cell: usize, direction: usize| {
            let mut at = cell;
            let mut all = Vec::new();
            while let Some(next) = cells(directions[direction].1[at]).next() {
                if next == cell || all.len() > MAX_CELLS {
                    break;
                }
                all.push(next as u8);
                at = next;
            }
            all
        };
        let rays = |cell: usize| {
            let ray = |direction| Ray { direction, cells: follow(cell, direction) };
            (0..directions.len()).map(ray).filter(|ray| !ray.cells.is_empty()).collect()
        };
        self.rays = (0..self.cells.len()).map(rays).collect();
        // Directions stand in opposite pairs; a line begins where its opposite leads nowhere.
        let starts = |direction: usize| {
            (0..self.cells.len()).filter(move |cell| directions[direction ^ 1].1[*cell] == 0)
        };
        let line = |direction: usize| {
            starts(direction).map(move |cell| {
                let mut line = vec![cell as u8];
                line.extend(follow(cell, direction));
                line
            })
        };
        let around = |direction: usize| {
            (0..self.cells.len()).filter_map(move |cell| {
                let line = follow(cell, direction);
                let last = usize::from(*line.last()?);
                let closes = directions[direction].1[last] == bit(cell);
                let is_least = line.iter().all(|other| usize::from(*other) > cell);
                let again = || line[..line.len() - 1].iter().copied();
                let all = || {
                    [cell as u8]
                        .into_iter()
                        .chain(line.iter().copied())
                        .chain([cell as u8])
                        .chain(again())
                };
                (closes && is_least).then(|| all().collect())
            })
        };
        let pairs = || (0..directions.len()).step_by(2);
        let lines = pairs().flat_map(line).chain(pairs().flat_map(around));
        // With edges, those of the squares.
        let of_squares = |line: Vec<u8>| -> Vec<u8> {
            let stays =
                |cell: &u8| self.shape != Shape::Edged || self.squares_of(usize::from(*cell)) == 1;
            line.into_iter().filter(stays).collect()
        };
        let lines = lines.map(of_squares).filter(|line| line.len() > 1);
        self.lines = lines.collect();
    }

    /// All cells.
    pub fn all(&self) -> Cells {
        Cells::MAX >> (MAX_CELLS - self.cells.len())
    }

    /// The cell with a name.
    pub fn cell(&self, name: &str) -> Option<usize> {
        self.cells.iter().position(|cell| cell.name == name)
    }

    /// The same board without some cells.
    pub fn without(&self, left_out: Cells) -> Board {
        let kept: Vec<usize> = cells(self.all() & !left_out).collect();
        let renamed = |set: Cells| {
            let inside =
                |(new, old): (usize, &usize)| if set & bit(*old) != 0 { bit(new) } else { 0 };
            kept.iter().enumerate().map(inside).fold(0, |all, cell| all | cell)
        };
        let directions = self
            .directions
            .iter()
            .map(|(name, to)| (*name, kept.iter().map(|old| renamed(to[*old])).collect()));
        let cells = kept.iter().map(|old| self.cells[*old].clone()).collect();
        let directions = directions.collect();
        let Board { shape, columns, rows, .. } = *self;
        Board::new(shape, columns, rows, cells, directions, self.edges.clone())
    }
}

fn size(sizes: &[usize]) -> Result<usize, String> {
    let count = sizes.iter().try_fold(1usize, |all, size| all.checked_mul(*size));
    match count {
        Some(count) if (1..=MAX_CELLS).contains(&count) => Ok(count),
        Some(0) => Err("the board has no cells".to_owned()),
        _ => Err(format!(
            "the board has more than {MAX_CELLS} cells (those that are left out count, too)"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::lines;

    fn drawing(text: &str) -> Board {
        Board::drawing(&lines(text, &mut Vec::new())).unwrap()
    }

    fn step(board: &Board, direction: &str, from: &str) -> String {
        let (_, to) = board.directions.iter().find(|(name, _)| *name == direction).unwrap();
        let names = cells(to[board.cell(from).unwrap()]).map(|cell| &board.cells[cell].name[..]);
        names.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn a_rectangle_has_eight_directions_and_all_lines() {
        let board = Board::rectangle(3, 3, 1).unwrap();
        assert_eq!(board.cells[0].name, "a3");
        assert_eq!(step(&board, "n", "a1"), "a2");
        assert_eq!(step(&board, "se", "b2"), "c1");
        assert_eq!(step(&board, "e", "c2"), "");
        // Rows, columns, and diagonals of two and three.
        assert_eq!(board.lines.len(), 3 + 3 + 3 + 3);
        assert_eq!(board.rays[4].len(), 8);
        assert!(Board::rectangle(0, 3, 1).is_err());
        assert!(Board::rectangle(usize::MAX, 3, 1).is_err());
        assert!(Board::rectangle(27, 1, 1).is_err());
    }

    #[test]
    fn lines_go_on_around_a_cylinder_and_a_torus() {
        let board = Board::closed(4, 3, false).unwrap();
        assert_eq!(step(&board, "e", "d1"), "a1");
        assert_eq!(step(&board, "nw", "a1"), "d2");
        assert_eq!(step(&board, "n", "a3"), "");
        // In each row 7 cells one after the other; columns and diagonals as long as the rows are many.
        let lengths = |of: usize| board.lines.iter().filter(|line| line.len() == of).count();
        assert_eq!((lengths(7), lengths(3), board.lines.len()), (3, 12, 15));
        let torus = Board::closed(3, 4, true).unwrap();
        assert_eq!(step(&torus, "n", "a4"), "a1");
        assert_eq!(step(&torus, "ne", "c4"), "a1");
        // A diagonal comes back after all 12 cells.
        let longest = torus.lines.iter().max_by_key(|line| line.len()).unwrap();
        assert_eq!(longest.len(), 23);
        // Without the cell at which it closes, a row is a line with two ends.
        let open = board.without(bit(0));
        assert_eq!(step(&open, "e", "d3"), "");
        assert_eq!(open.rays[0].iter().find(|ray| ray.direction == 2).unwrap().cells, [1, 2]);
        assert!(Board::closed(2, 3, false).is_err() && Board::closed(3, 2, true).is_err());
    }

    #[test]
    fn a_cube_has_thirteen_kinds_of_lines() {
        let board = Board::rectangle(3, 3, 3).unwrap();
        assert_eq!(board.cells.len(), 27);
        // The rows of three of a cube of 3x3x3.
        assert_eq!(board.lines.iter().filter(|line| line.len() == 3).count(), 49);
        assert_eq!(step(&board, "up", "a1"), "d1");
        assert_eq!(step(&board, "e", "c1"), "");
    }

    #[test]
    fn copies_are_apart() {
        let board = Board::copies(3, 3, 2).unwrap();
        let one = Board::rectangle(3, 3, 1).unwrap();
        assert_eq!([step(&board, "e", "b1"), step(&board, "e", "c1")].join("-"), "c1-");
        assert_eq!(step(&board, "ne", "d1"), "e2");
        assert_eq!(board.directions.len(), one.directions.len());
        assert_eq!(board.lines.len(), 2 * one.lines.len());
        assert_eq!(board.cells[3].column, 4, "a gap between them");
        assert!(Board::copies(3, 3, 9).is_err() && Board::copies(8, 8, 3).is_err());
    }

    #[test]
    fn squares_have_edges_between_them() {
        let board = Board::edged(3, 2).unwrap();
        let names: Vec<_> = board.cells.iter().map(|cell| &cell.name[..]).collect();
        assert_eq!(names.join(" "), "a2 a2e b2 b2e c2 a1n a1ne b1n b1ne c1n a1 a1e b1 b1e c1");
        for (direction, from, to) in
            [("n", "a1", "a1n"), ("n", "a1n", "a2"), ("e", "a1n", "a1ne"), ("ne", "a1", "a1ne")]
        {
            assert_eq!(step(&board, direction, from), to, "{direction} of {from}");
        }
        assert_eq!([0, 1, 6].map(|cell| board.squares_of(cell)), [1, 2, 4]);
        assert_eq!(board.size(), [3, 2]);
        // Two rows, three columns, and two diagonals each way.
        assert_eq!(board.lines.len(), 2 + 3 + 4, "{:?}", board.lines);
        assert!(Board::edged(7, 7).is_err() && Board::edged(usize::MAX, 1).is_err());
    }

    #[test]
    fn hexagons_touch_six_others() {
        let board = Board::hexagons(3, 3).unwrap();
        assert_eq!(board.cells[1].name, "b1");
        let around = |name: &str| {
            board.directions.iter().map(|(each, _)| step(&board, each, name)).collect::<String>()
        };
        assert_eq!(around("b2"), "c2a2c1a3b1b3");
        assert_eq!(around("a1"), "b1a2");
    }

    #[test]
    fn a_ring_closes() {
        let board = Board::ring(14, true).unwrap();
        assert_eq!(step(&board, "next", "14"), "1");
        assert_eq!(step(&board, "previous", "1"), "14");
        let place = |name: &str| {
            let cell = &board.cells[board.cell(name).unwrap()];
            (cell.column, cell.row)
        };
        // Pit 13 faces pit 1.
        assert_eq!((place("1"), place("13")), ((1, 1), (1, 0)));
        assert_eq!((place("7"), place("14")), ((7, 1), (0, 0)));
        assert!(Board::ring(7, false).is_err());
    }

    #[test]
    fn cells_can_be_left_out() {
        let board = Board::rectangle(3, 3, 1).unwrap();
        let board = board.without(bit(4));
        assert_eq!(board.cells.len(), 8);
        assert_eq!(step(&board, "n", "b1"), "");
        assert_eq!(step(&board, "e", "a3"), "b3");
        assert!(board.lines.iter().all(|line| line.len() == 3 || line.len() == 2));
    }

    #[test]
    fn a_drawing_is_read_as_points_and_lines() {
        let board = drawing("o---o---o\n|\\  |  /|\n| \\ | / |\n|  \\|/  |\no---o---o\n");
        assert_eq!(board.cells.len(), 6);
        assert_eq!(step(&board, "se", "a2"), "b1");
        assert_eq!(step(&board, "sw", "c2"), "b1");
        assert_eq!(step(&board, "se", "b2"), "");
        assert_eq!(board.lines.len(), 2 + 3 + 2);
        let crossed = drawing("a b\n X\nc d\n");
        assert_eq!(step(&crossed, "se", "a"), "d");
        assert_eq!(step(&crossed, "sw", "b"), "c");
    }

    #[test]
    fn lines_can_be_listed() {
        let board = drawing("a b c\n  d\nline a b c\nline a d\n");
        assert_eq!(step(&board, "e", "a"), "b");
        assert_eq!(step(&board, "se", "a"), "d");
        assert_eq!(board.rays[0].len(), 2);
        assert_eq!(board.rays[0][0].cells, [1, 2]);
        for wrong in ["line a b", "a b\nline a x", "a a\n", "a b\nline a", "a?b"] {
            assert!(Board::drawing(&lines(wrong, &mut Vec::new())).is_err(), "{wrong}");
        }
    }
}
