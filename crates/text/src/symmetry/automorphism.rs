//! Renamings of the cells of a board that keep neighbours.

use crate::board::{Board, bit};
use crate::budget::Budget;

/// The most renamings that are listed.
const MAX: usize = 500;

/// Where each cell goes, for every renaming of the cells that keeps which cells touch along an edge
/// and which are neighbours otherwise; first those that exchange equal parts of the board. If there are too many, some of
/// them. `None` if the budget is spent.
pub(super) fn automorphisms(board: &Board, budget: &Budget) -> Option<Vec<Vec<u8>>> {
    let cells = board.cells.len() as u64;
    budget.take(cells * cells)?;
    let relations = Relations::new(board);
    let order = in_order(&relations);
    let mut search = Search {
        degrees: (0..board.cells.len()).map(|cell| relations.degrees(cell)).collect(),
        relations,
        order,
        to: Vec::new(),
        found: Vec::new(),
        budget,
    };
    search.extend(0);
    let mut found = search.relations.exchanges();
    search.found.retain(|to| !found.contains(to));
    found.extend(search.found);
    (!budget.is_spent()).then_some(found)
}

/// How each two cells are related: 0 if they are no neighbours.
struct Relations {
    of: Vec<Vec<u8>>,
}

impl Relations {
    fn new(board: &Board) -> Relations {
        let cells = board.cells.len();
        let mut of = vec![vec![0; cells]; cells];
        for (number, (_, to)) in board.directions.iter().enumerate() {
            let kind = if board.edges.contains(&number) { 1 } else { 2 };
            for (from, to) in to.iter().enumerate() {
                for cell in (0..cells).filter(|cell| to & bit(*cell) != 0) {
                    of[from][cell] |= kind;
                    of[cell][from] |= kind;
                }
            }
        }
        Relations { of }
    }

    /// Renamings that exchange two parts of the board, which have no neighbours in one another.
    fn exchanges(&self) -> Vec<Vec<u8>> {
        let cells = self.of.len();
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for cell in 0..cells {
            if parts.iter().any(|part| part.contains(&cell)) {
                continue;
            }
            let mut part = vec![cell];
            let mut at = 0;
            while let Some(from) = part.get(at).copied() {
                let near = |to: &usize| self.of[from][*to] != 0 && !part.contains(to);
                let next: Vec<usize> = (0..cells).filter(near).collect();
                part.extend(next);
                at += 1;
            }
            part.sort_unstable();
            parts.push(part);
        }
        let exchange = |pair: &[Vec<usize>]| {
            let [one, other] = pair else { return None };
            let alike = |(a, b): (&usize, &usize)| {
                one.iter().zip(other).all(|(c, d)| self.of[*a][*c] == self.of[*b][*d])
            };
            let mut to: Vec<u8> = (0..cells as u8).collect();
            one.iter().zip(other).for_each(|(a, b)| to.swap(*a, *b));
            (one.len() == other.len() && one.iter().zip(other).all(alike)).then_some(to)
        };
        parts.windows(2).filter_map(exchange).collect()
    }

    /// The number of neighbours of each kind.
    fn degrees(&self, cell: usize) -> [usize; 4] {
        let mut degrees = [0; 4];
        self.of[cell].iter().for_each(|kind| degrees[usize::from(*kind)] += 1);
        degrees
    }
}

/// The cells, each after a neighbour if it has one: then wrong renamings end early.
fn in_order(relations: &Relations) -> Vec<usize> {
    let cells = relations.of.len();
    let mut order: Vec<usize> = Vec::with_capacity(cells);
    while order.len() < cells {
        let left = (0..cells).filter(|cell| !order.contains(cell));
        let known =
            |cell: &usize| order.iter().filter(|other| relations.of[*cell][**other] != 0).count();
        let next = left.max_by_key(|cell| (known(cell), std::cmp::Reverse(*cell)));
        order.extend(next);
    }
    order
}

struct Search<'a> {
    relations: Relations,
    /// For each cell the number of its neighbours of each kind.
    degrees: Vec<[usize; 4]>,
    order: Vec<usize>,
    /// Where the first cells in order go.
    to: Vec<usize>,
    found: Vec<Vec<u8>>,
    budget: &'a Budget,
}

impl Search<'_> {
    /// Finds the renamings that go on from what is settled; `false` if that is enough.
    fn extend(&mut self, at: usize) -> bool {
        let cells = self.order.len();
        if at == cells {
            let mut to = vec![0; cells];
            self.order.iter().zip(&self.to).for_each(|(from, there)| to[*from] = *there as u8);
            self.found.push(to);
            return self.found.len() < MAX;
        }
        let cell = self.order[at];
        let degrees = self.degrees[cell];
        for there in 0..cells {
            // All cells before this one may be compared.
            if self.budget.take(1 + at as u64 / 8).is_none() {
                return false;
            }
            let of = &self.relations.of;
            let mut before = self.order.iter().zip(&self.to);
            if self.to.contains(&there)
                || self.degrees[there] != degrees
                || !before.all(|(from, to)| of[cell][*from] == of[there][*to])
            {
                continue;
            }
            self.to.push(there);
            let all = self.extend(at + 1);
            self.to.pop();
            if !all {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_the_symmetries_of_their_shape() {
        let count = |board: Result<Board, String>| {
            let budget = Budget::new(Budget::SYMMETRY);
            automorphisms(&board.unwrap(), &budget).unwrap().len()
        };
        assert_eq!(count(Board::rectangle(3, 3, 1)), 8);
        assert_eq!(count(Board::rectangle(3, 4, 1)), 4);
        assert_eq!(count(Board::rectangle(8, 8, 1)), 8);
        assert_eq!(count(Board::rectangle(1, 5, 1)), 2);
        assert_eq!(count(Board::rectangle(3, 3, 3)), 48);
        assert_eq!(count(Board::hexagons(3, 3)), 4);
        assert_eq!(count(Board::hexagons(3, 4)), 2);
        assert_eq!(count(Board::ring(14, true)), 28);
    }
}
