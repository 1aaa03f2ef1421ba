//! A board as data: its cells, what they are called, what may stand on them and how it looks.

use super::code::Code;
use super::symmetry::Symmetries;
use super::{Cells, Number, Square};
use crate::game::Side;

/// How a board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// Squares side by side.
    Squares,
    /// Dark and light squares in turn; those that are cells are dark.
    Checkered,
    /// Points, joined by [ties](Board::ties).
    Points,
    /// Hollows in an upright board, into which stones fall from above. A place is a whole column.
    Wells,
    /// Hexagons, each row half a cell further to the right than the one above.
    Hexes,
    /// The edges of a grid of boxes.
    Edges,
    /// Heaps of sticks, side by side in text, one below the other in a picture. A place is a stick: all
    /// of the first heap, then those of the second and so on, as many as each can have.
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
    /// A cross of the first player, a ring of the second.
    Mark,
}

/// A kind of piece.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What stands for it in text; its lower case, too.
    pub letter: char,
    /// What it is called: `fox`.
    pub name: String,
    /// Whose it is; `None` if it is nobody's.
    pub side: Option<Side>,
    /// How it is drawn.
    pub face: Face,
}

impl Piece {
    /// A piece that is drawn as a disc with its letter.
    pub fn new(letter: char, name: &str, side: Option<Side>) -> Piece {
        Piece { letter, name: name.to_owned(), side, face: Face::Letter }
    }

    /// The same, drawn in another way.
    #[must_use]
    pub fn face(self, face: Face) -> Piece {
        Piece { face, ..self }
    }

    /// The stones of two sides, called by their letters.
    pub fn stones(letters: [&str; 2], face: Face) -> [Piece; 2] {
        Side::BOTH.map(|side| {
            let letter = letters[side.index()];
            Piece::new(letter.chars().next().unwrap_or('?'), letter, Some(side)).face(face)
        })
    }
}

/// A number that a position has beside its pieces: men in hand, seeds in a pit, points.
#[derive(Clone, Debug)]
pub struct Count {
    /// What is counted: `men in hand for X`.
    pub name: String,
    /// The most that it can be.
    pub most: u16,
    /// Whether codes leave it out, because it is banked.
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
    /// For each piece, the cells that it stands on.
    Lists,
    /// The counts, joined by a letter.
    Counts(char),
}

/// A board: at most [`Cells::MOST`] cells, row by row from the top.
#[derive(Clone, Debug)]
pub struct Board {
    pub(super) look: Look,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) spots: Vec<Spot>,
    pub(super) column_labels: Vec<String>,
    pub(super) row_labels: Vec<String>,
    pub(super) ties: Vec<[usize; 2]>,
    pub(super) pieces: Vec<Piece>,
    pub(super) counts: Vec<Count>,
    pub(super) sides: [String; 2],
    pub(super) form: Form,
    symmetries: Symmetries,
    code: Code,
}

impl Board {
    /// A board of squares, called by their numbers from 1.
    pub fn squares(columns: usize, rows: usize) -> Board {
        Board::grid(Look::Squares, columns, rows, |_, _| true)
    }

    /// The cells of a grid that a condition on column and row (from the top, from 0) picks, called by
    /// their numbers from 1.
    ///
    /// # Panics
    /// If there are more than [`Cells::MOST`].
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
            pieces: Vec::new(),
            counts: Vec::new(),
            sides: ["first".to_owned(), "second".to_owned()],
            form: Form::Rows,
            symmetries: Symmetries::default(),
            code: Code::default(),
        };
        assert!(board.len() <= Cells::MOST, "at most {} cells", Cells::MOST);
        board.recoded().symmetric(|column, row| [(column, row)])
    }

    /// An upright board into which stones fall; cells are called by their columns.
    pub fn wells(columns: usize, rows: usize) -> Board {
        let mut board = Board::grid(Look::Wells, columns, rows, |_, _| true);
        board.column_labels = (1..=columns).map(|column| column.to_string()).collect();
        for spot in &mut board.spots {
            spot.name.clone_from(&board.column_labels[spot.column]);
        }
        board
    }

    /// Heaps with at most so many sticks each, written with `-` between them.
    pub fn heaps(most: &[u8]) -> Board {
        let mut board = Board::grid(Look::Heaps, 1, most.len(), |_, _| true);
        board.form = Form::Counts('-');
        board.counts(most.iter().enumerate().map(|(nth, most)| Count {
            name: format!("sticks in heap {}", nth + 1),
            most: (*most).into(),
            banked: false,
        }))
    }

    /// Two rows of pits with a store behind each. The counts are the first player's pits and its store,
    /// then the second player's; cells are the pits in this order. Stores are banked.
    pub fn pits(pits: usize, most: u16) -> Board {
        let mut board = Board::grid(Look::Pits, pits, 2, |_, _| true);
        board.form = Form::Counts(' ');
        let counts = Side::BOTH.into_iter().flat_map(|side| {
            let side = ["the first player", "the second player"][side.index()];
            let pit = (1..=pits).map(move |pit| (format!("stones in pit {pit} of {side}"), false));
            pit.chain([(format!("stones in the store of {side}"), true)])
        });
        let counts: Vec<_> = counts.collect();
        board.counts(counts.into_iter().map(|(name, banked)| Count { name, most, banked }))
    }

    /// The same with cells called `a1`, `b1`, ...: columns from the left, rows from below, or from above
    /// if `from_above`; and with these letters and numbers beside the board.
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

    /// The same with these kinds of pieces.
    #[must_use]
    pub fn pieces(mut self, pieces: impl IntoIterator<Item = Piece>) -> Board {
        self.pieces = pieces.into_iter().collect();
        assert!(self.pieces.len() <= Cells::MOST_PIECES, "at most {}", Cells::MOST_PIECES);
        self.recoded()
    }

    /// The same with these counts.
    #[must_use]
    pub fn counts(mut self, counts: impl IntoIterator<Item = Count>) -> Board {
        self.counts = counts.into_iter().collect();
        assert!(self.counts.len() <= Cells::MOST_COUNTS, "at most {}", Cells::MOST_COUNTS);
        self.recoded()
    }

    /// The same with a number of men that each side has in hand: count 0 for the first player, 1 for the
    /// second.
    #[must_use]
    pub fn in_hand(self, most: u16) -> Board {
        let sides = self.sides.clone();
        self.counts(sides.map(|side| Count {
            name: format!("men in hand for {side}"),
            most,
            banked: false,
        }))
    }

    /// The same with sides of these names.
    #[must_use]
    pub fn sides(mut self, names: [&str; 2]) -> Board {
        self.sides = names.map(str::to_owned);
        self
    }

    /// The same with lines between pairs of cells.
    #[must_use]
    pub fn ties(mut self, ties: impl IntoIterator<Item = [usize; 2]>) -> Board {
        self.ties = ties.into_iter().collect();
        self
    }

    /// The same, written as a list of cells for each piece.
    #[must_use]
    pub fn written_as_lists(mut self) -> Board {
        self.form = Form::Lists;
        self
    }

    /// The same with symmetries: all images of a column and a row, its own first. Images that are not
    /// on the board for every cell are left out.
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

    /// The same with the symmetries of a rectangle, or of a square if it is one.
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

    /// The same with the mirror image as its symmetry: left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Board {
        let last = self.columns - 1;
        self.symmetric(move |column, row| [(column, row), (last - column, row)])
    }

    /// How many cells there are.
    #[expect(clippy::len_without_is_empty, reason = "a board has cells")]
    pub fn len(&self) -> usize {
        self.spots.len()
    }

    /// The set of all cells.
    pub fn all(&self) -> u128 {
        u128::MAX >> (Cells::MOST - self.len())
    }

    /// The cell in a column and a row from the top, from 0; `None` if there is none.
    pub fn at(&self, column: usize, row: usize) -> Option<usize> {
        self.spots.iter().position(|spot| (spot.column, spot.row) == (column, row))
    }

    /// Column and row of a cell, from the top left, from 0.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (self.spots[cell].column, self.spots[cell].row)
    }

    /// What a cell is called.
    pub fn name(&self, cell: usize) -> &str {
        &self.spots[cell].name
    }

    /// For each cell, the cells that one of some steps (columns to the right, rows down) leads to.
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
        let counted = counted.map(|(nth, count)| (nth, count.most)).collect();
        debug_assert!(counts.count() <= Cells::MOST_COUNTS);
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
