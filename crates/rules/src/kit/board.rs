//! A board as data: its cells, their names, the pieces and counts, and its look.

use super::code::Code;
use super::symmetry::Symmetries;
use super::{Cells, Number, Square, look};
use crate::game::Side;
use crate::show::{Drawing, Scene};

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Squares side by side.
    Squares,
    /// A checkerboard; the cells are all squares, or the dark ones.
    Checkered,
    /// Points, joined by [ties](Board::ties).
    Points,
    /// Hollows in an upright board; stones fall from above. A place is a whole column.
    Wells,
    /// Hexagons; each row is shifted to the right by half a cell against the row above.
    Hexes,
    /// The edges of a grid of boxes.
    Edges,
    /// Squares where column and row are even, and the edges between them elsewhere.
    Walls,
    /// Heaps of sticks, side by side in text, one below the other in a picture. A place is a stick;
    /// places are numbered heap by heap, with the largest number of sticks of each heap.
    Heaps,
    /// Two rows of pits with seeds, and a store for each side. The last two places are the stores.
    Pits,
}

/// How a piece is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// A disc with its letter.
    Letter,
    /// A plain disc.
    Disc,
    /// A cross for the first player, a ring for the second.
    Mark,
    /// It fills its cell.
    Cover,
    /// A feature of another piece on the cell, which is small, light, square and whole without any.
    Feature(Feature),
}

/// How pieces differ that belong to nobody.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Feature {
    /// Larger than others.
    Large,
    /// Darker than others.
    Dark,
    /// Round instead of square.
    Round,
    /// With a hole.
    Hollow,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// Its letter in text; the lower case is also accepted.
    pub letter: char,
    /// Its name: `fox`.
    pub name: String,
    /// The side that owns it; `None` if no side does.
    pub side: Option<Side>,
    /// How it is drawn.
    pub face: Face,
    /// What a picture shows instead of the letter.
    pub symbol: Option<String>,
}

impl Piece {
    /// A piece that is drawn as a disc with its letter.
    pub fn new(letter: char, name: &str, side: Option<Side>) -> Piece {
        Piece { letter, name: name.to_owned(), side, face: Face::Letter, symbol: None }
    }

    /// Draws the piece as `face`.
    #[must_use]
    pub fn face(self, face: Face) -> Piece {
        Piece { face, ..self }
    }

    /// Draws the piece with this sign instead of its letter.
    #[must_use]
    pub fn symbol(self, symbol: &str) -> Piece {
        Piece { face: Face::Letter, symbol: Some(symbol.to_owned()), ..self }
    }

    /// The stones of two sides, with their letters as names.
    pub fn stones(letters: [&str; 2], face: Face) -> [Piece; 2] {
        Side::BOTH.map(|side| {
            let letter = letters[side.index()];
            Piece::new(letter.chars().next().unwrap_or('?'), letter, Some(side)).face(face)
        })
    }
}

/// The number of each piece: 1, 2, ... for the first player's, -1, -2, ... for the second player's. Neutral pieces are
/// numbered after the owned ones.
pub fn piece_numbers(sides: &[Option<Side>]) -> Vec<i16> {
    let count = |side: Option<Side>| sides.iter().filter(|each| **each == side).count() as i16;
    let owned = count(Some(Side::First)).max(count(Some(Side::Second)));
    let mut next = [1, 1, owned + 1];
    let number = |side: &Option<Side>| {
        let (place, sign) = side.map_or((2, 1), |side| (side.index(), [1, -1][side.index()]));
        next[place] += 1;
        sign * (next[place] - 1)
    };
    sides.iter().map(number).collect()
}

/// A number that is part of a position, beside its pieces: men in hand, seeds in a pit, points.
#[derive(Clone, Debug)]
pub struct Count {
    /// What is counted: `men in hand for X`.
    pub name: String,
    /// Its maximum.
    pub max: u16,
    /// Whether it is banked, so that codes leave it out.
    pub banked: bool,
}

/// A cell of a board.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub name: String,
    pub column: usize,
    pub row: usize,
}

/// How positions are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// The rows from the top, a letter a cell, then the counts.
    Rows,
    /// A list of cells for each piece, then the counts.
    Lists,
    /// The counts, joined by a letter.
    Counts(char),
}

/// A board: at most [`Cells::MAX`] cells, row by row from the top.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) look: Look,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) spots: Vec<Spot>,
    pub(super) column_labels: Vec<String>,
    pub(super) row_labels: Vec<String>,
    pub(super) ties: Vec<[usize; 2]>,
    /// Whether the edges of hexagons are drawn as those of the sides.
    pub(super) edged: bool,
    pub(super) pieces: Vec<Piece>,
    /// The number of each piece where positions are numbers.
    numbers: [i16; Cells::MAX_PIECES],
    pub(super) counts: Vec<Count>,
    pub(super) sides: [String; 2],
    pub(super) form: Form,
    symmetries: Symmetries,
    code: Code,
}

impl Board {
    /// A board of squares; their names are their numbers from 1.
    pub fn squares(columns: usize, rows: usize) -> Board {
        Board::grid(Look::Squares, columns, rows, |_, _| true)
    }

    /// A board whose cells are the places of a grid where `is_cell` holds for column and row (from
    /// the top, from 0); their names are their numbers from 1.
    ///
    /// # Panics
    /// If there are more than [`Cells::MAX`].
    pub fn grid(
        look: Look,
        columns: usize,
        rows: usize,
        is_cell: impl Fn(usize, usize) -> bool,
    ) -> Board {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (column, row)));
        let cells = all.filter(|&(column, row)| is_cell(column, row));
        let spots = cells.enumerate().map(|(nth, (column, row))| Spot {
            name: Number(nth as u8).to_string(),
            column,
            row,
        });
        let board = Board {
            look,
            columns,
            rows,
            spots: spots.collect(),
            column_labels: Vec::new(),
            row_labels: Vec::new(),
            ties: Vec::new(),
            edged: false,
            pieces: Vec::new(),
            numbers: [0; Cells::MAX_PIECES],
            counts: Vec::new(),
            sides: ["first".to_owned(), "second".to_owned()],
            form: Form::Rows,
            symmetries: Symmetries::default(),
            code: Code::default(),
        };
        assert!(board.len() <= Cells::MAX, "at most {} cells", Cells::MAX);
        board.recoded().symmetric(|column, row| [(column, row)])
    }

    /// A board whose cells have these names and places (column and row, from the top, from 0), in this
    /// order.
    ///
    /// # Panics
    /// If there are more than [`Cells::MAX`], or two at the same place.
    pub fn named<'a>(
        look: Look,
        places: impl IntoIterator<Item = (&'a str, usize, usize)>,
    ) -> Board {
        let spot = |(name, column, row): (&str, _, _)| Spot { name: name.to_owned(), column, row };
        let spots: Vec<Spot> = places.into_iter().map(spot).collect();
        let columns = spots.iter().map(|spot| spot.column + 1).max().unwrap_or(0);
        let rows = spots.iter().map(|spot| spot.row + 1).max().unwrap_or(0);
        assert!(spots.len() <= Cells::MAX, "at most {} cells", Cells::MAX);
        let mut places: Vec<_> = spots.iter().map(|spot| (spot.column, spot.row)).collect();
        places.sort_unstable();
        assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "a cell at each place");
        Board { columns, rows, spots, ..Board::grid(look, 0, 0, |_, _| false) }.recoded()
    }

    /// The same board with at least so many columns and rows, where cells at its border are left out.
    #[must_use]
    pub fn spanning(self, columns: usize, rows: usize) -> Board {
        Board { columns: self.columns.max(columns), rows: self.rows.max(rows), ..self }
    }

    /// The board in a terminal with these pieces; `targets` says for each cell whether it shows the
    /// name of a move.
    pub fn draw(&self, cells: &Cells, targets: &[bool]) -> Drawing {
        look::draw(self, cells, targets)
    }

    /// Appends what stands on the board as numbers: for each cell the [number](piece_numbers) of its piece, 0 if it is
    /// empty, unless the board only has counts; then the counts.
    pub fn contents(&self, cells: &Cells, out: &mut Vec<i16>) {
        if !self.pieces.is_empty() {
            let first = out.len();
            out.resize(first + self.len(), 0);
            for (mut set, number) in cells.sets().iter().copied().zip(self.numbers) {
                while set != 0 {
                    out[first + set.trailing_zeros() as usize] = number;
                    set &= set - 1;
                }
            }
        }
        out.extend((0..self.counts.len()).map(|nth| cells.count(nth) as i16));
    }

    /// The board as shapes with these pieces, with marks between these pairs of cells.
    pub fn scene(&self, cells: &Cells, decided: &[[usize; 2]]) -> Scene {
        look::scene(self, cells, decided)
    }

    /// An upright board into which stones fall; the name of a cell is the number of its column.
    pub fn wells(columns: usize, rows: usize) -> Board {
        let mut board = Board::grid(Look::Wells, columns, rows, |_, _| true);
        board.column_labels = (1..=columns).map(|column| column.to_string()).collect();
        for spot in &mut board.spots {
            spot.name.clone_from(&board.column_labels[spot.column]);
        }
        board
    }

    /// Heaps of at most `max` sticks each, written with `-` between them.
    pub fn heaps(max: &[u8]) -> Board {
        let mut board = Board::grid(Look::Heaps, 1, max.len(), |_, _| true);
        board.form = Form::Counts('-');
        board.counts(max.iter().enumerate().map(|(nth, max)| Count {
            name: format!("sticks in heap {}", nth + 1),
            max: (*max).into(),
            banked: false,
        }))
    }

    /// Two rows of `pits` pits with a store at the end of each. The counts are the first player's
    /// pits and store, then the second player's; cells are the pits in this order. Stores are
    /// banked.
    pub fn pits(pits: usize, max: u16) -> Board {
        let mut board = Board::grid(Look::Pits, pits, 2, |_, _| true);
        board.form = Form::Counts(' ');
        let counts = Side::BOTH.into_iter().flat_map(|side| {
            let side = ["the first player", "the second player"][side.index()];
            let pit = (1..=pits).map(move |pit| (format!("stones in pit {pit} of {side}"), false));
            pit.chain([(format!("stones in the store of {side}"), true)])
        });
        let counts: Vec<_> = counts.collect();
        board.counts(counts.into_iter().map(|(name, banked)| Count { name, max, banked }))
    }

    /// Draws whose edges they are: the first player's above and below, the second's left and right.
    #[must_use]
    pub fn edged(mut self) -> Board {
        self.edged = true;
        self
    }

    /// Names the cells `a1`, `b1`, ..., and with these letters and numbers beside
    /// it. Columns count from the left; rows count from below, or from above if `from_above`.
    #[must_use]
    pub fn lettered(mut self, from_above: bool) -> Board {
        let rows = self.rows;
        let row_of = |row: usize| if from_above { row } else { rows - 1 - row } as u8;
        let letter = |column: usize| char::from(b'a' + column as u8).to_string();
        self.column_labels = (0..self.columns).map(letter).collect();
        self.row_labels = (0..rows).map(|row| (u16::from(row_of(row)) + 1).to_string()).collect();
        for spot in &mut self.spots {
            let square = Square { column: spot.column as u8, row: row_of(spot.row) };
            spot.name = square.to_string();
        }
        self
    }

    /// Adds a label for each column and row beside it, from the top left.
    #[must_use]
    pub fn labelled(mut self, columns: Vec<String>, rows: Vec<String>) -> Board {
        (self.column_labels, self.row_labels) = (columns, rows);
        self
    }

    /// Sets the kinds of pieces.
    #[must_use]
    pub fn pieces(mut self, pieces: impl IntoIterator<Item = Piece>) -> Board {
        self.pieces = pieces.into_iter().collect();
        assert!(self.pieces.len() <= Cells::MAX_PIECES, "at most {}", Cells::MAX_PIECES);
        let sides: Vec<_> = self.pieces.iter().map(|piece| piece.side).collect();
        self.numbers[..sides.len()].copy_from_slice(&piece_numbers(&sides));
        self.recoded()
    }

    /// Sets the counts.
    #[must_use]
    pub fn counts(mut self, counts: impl IntoIterator<Item = Count>) -> Board {
        self.counts = counts.into_iter().collect();
        assert!(self.counts.len() <= Cells::MAX_COUNTS, "at most {}", Cells::MAX_COUNTS);
        self.recoded()
    }

    /// Adds at most `max` men in hand for each side: count 0 for the first player,
    /// 1 for the second.
    #[must_use]
    pub fn in_hand(self, max: u16) -> Board {
        let sides = self.sides.clone();
        self.counts(sides.map(|side| Count {
            name: format!("men in hand for {side}"),
            max,
            banked: false,
        }))
    }

    /// Names the sides.
    #[must_use]
    pub fn sides(mut self, names: [&str; 2]) -> Board {
        self.sides = names.map(str::to_owned);
        self
    }

    /// Draws lines between these pairs of cells.
    #[must_use]
    pub fn ties(mut self, ties: impl IntoIterator<Item = [usize; 2]>) -> Board {
        self.ties = ties.into_iter().collect();
        self
    }

    /// Writes positions as a list of cells for each piece.
    #[must_use]
    pub fn written_as_lists(mut self) -> Board {
        self.form = Form::Lists;
        self
    }

    /// Adds symmetries: `images` gives all images of a column and a row, itself
    /// first. A symmetry that takes some cell off the board is left out. Boards with symmetries have
    /// at most 64 cells.
    #[must_use]
    pub fn symmetric<I: IntoIterator<Item = (usize, usize)>>(
        mut self,
        images: impl Fn(usize, usize) -> I,
    ) -> Board {
        let images: Vec<Vec<_>> = self
            .spots
            .iter()
            .map(|spot| images(spot.column, spot.row).into_iter().collect())
            .collect();
        let count = images.first().map_or(1, Vec::len);
        let maps = (0..count).filter_map(|nth| {
            let cells = images.iter().map(|images| self.at(images[nth].0, images[nth].1));
            cells.map(|cell| cell.map(|cell| cell as u8)).collect::<Option<Vec<u8>>>()
        });
        self.symmetries = Symmetries::new(self.len(), maps.collect());
        self
    }

    /// Adds the symmetries of a rectangle, or of a square if it is one.
    #[must_use]
    pub fn rectangular(self) -> Board {
        let (columns, rows) = (self.columns, self.rows);
        self.symmetric(move |column, row| {
            let turns = if columns == rows { 2 } else { 1 };
            let images = (0..4 * turns).map(move |nth| {
                let (column, row) = if nth < 4 { (column, row) } else { (row, column) };
                let column = if nth & 1 == 1 { columns - 1 - column } else { column };
                (column, if nth & 2 == 2 { rows - 1 - row } else { row })
            });
            images.collect::<Vec<_>>()
        })
    }

    /// Adds one symmetry: left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Board {
        let last = self.columns - 1;
        self.symmetric(move |column, row| [(column, row), (last - column, row)])
    }

    /// A kind of piece, by its number.
    pub fn piece(&self, number: usize) -> &Piece {
        &self.pieces[number]
    }

    /// The number of cells.
    #[expect(clippy::len_without_is_empty, reason = "a board has cells")]
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// The set of all cells.
    pub fn all(&self) -> u128 {
        u128::MAX >> (Cells::MAX - self.len())
    }

    /// The cell at a column and a row (from the top, from 0); `None` if there is none.
    pub fn at(&self, column: usize, row: usize) -> Option<usize> {
        self.spots.iter().position(|spot| (spot.column, spot.row) == (column, row))
    }

    /// Column and row of a cell, from 0 at the top left.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (self.spots[cell].column, self.spots[cell].row)
    }

    /// The name of a cell.
    pub fn name(&self, cell: usize) -> &str {
        &self.spots[cell].name
    }

    /// For each cell, the cells that one of `steps` (columns to the right, rows down) leads to.
    pub fn neighbours(&self, steps: &[(isize, isize)]) -> Vec<u128> {
        let reached = |spot: &Spot| {
            let cells = steps.iter().filter_map(|(right, down)| {
                self.at(
                    spot.column.checked_add_signed(*right)?,
                    spot.row.checked_add_signed(*down)?,
                )
            });
            cells.fold(0, |set, cell| set | 1 << cell)
        };
        self.spots.iter().map(reached).collect()
    }

    /// For each cell, the cells that [ties](Board::ties) join to it.
    pub fn tied(&self) -> Vec<u128> {
        let mut sets = vec![0; self.len()];
        for &[one, other] in &self.ties {
            sets[one] |= 1 << other;
            sets[other] |= 1 << one;
        }
        sets
    }

    /// The symmetries, the identity first.
    pub fn symmetries(&self) -> &Symmetries {
        &self.symmetries
    }

    pub(super) fn code(&self) -> &Code {
        &self.code
    }

    fn recoded(mut self) -> Board {
        let counts = self.counts.iter().filter(|count| !count.banked);
        let cells = if self.pieces.is_empty() { 0 } else { self.len() };
        let counted = (0..).zip(&self.counts).filter(|(_, count)| !count.banked);
        let counted = counted.map(|(nth, count)| (nth, count.max)).collect();
        debug_assert!(counts.count() <= Cells::MAX_COUNTS);
        self.code = Code::new(self.pieces.len(), cells, counted);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_has_eight_symmetries_and_a_rectangle_four() {
        for (columns, rows, count) in [(3, 3, 8), (4, 3, 4), (1, 2, 4)] {
            let board = Board::squares(columns, rows).rectangular();
            let all = board.symmetries();
            assert_eq!(all.len(), count);
            for nth in 0..count {
                let mut images = all.map(nth).to_vec();
                images.sort_unstable();
                assert!(images.iter().enumerate().all(|(at, to)| at == usize::from(*to)));
            }
            assert!(all.map(0).iter().enumerate().all(|(at, to)| at == usize::from(*to)));
        }
    }

    #[test]
    fn cells_are_found_by_place_and_step() {
        let board = Board::grid(Look::Checkered, 4, 4, |column, row| (column + row) % 2 == 0);
        let board = board.lettered(true);
        assert_eq!(board.len(), 8);
        assert_eq!(board.name(2), "b2");
        assert_eq!((board.at(1, 1), board.at(1, 0)), (Some(2), None));
        let ahead = board.neighbours(&[(-1, 1), (1, 1)]);
        assert_eq!((ahead[0], ahead[1]), (1 << 2, 1 << 2 | 1 << 3));
    }
}
