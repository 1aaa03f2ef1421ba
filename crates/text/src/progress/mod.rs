//! Whether play of a game can loop: a number that every move raises, found and proven.
//!
//! The number is the sum of a weight for each piece, by its kind and cell. Candidates are: every piece
//! counts (games in which pieces are only placed), every piece counts less than nothing (each move
//! takes one), and pieces that go ahead in a direction (and are worth less than nothing, so that taking
//! one raises the number too). A candidate is proven by going through all ways to move with all cells
//! that can be chosen; of the rest of the position is known only what the choices say. What is not
//! proven is not used.

mod proof;

use self::proof::{Path, Proof};
use crate::board::{Board, Cell, Cells, cells};
use crate::budget::Budget;
use crate::results::bounds;
use crate::symmetry::alike;
use crate::typed::{Block, Number, Piece, Rules, SideRules, Sign, Statement, Stuck};

/// The weight of each kind of piece on each cell, and of an empty cell, which is 0, last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    of: Vec<Vec<i64>>,
    /// What makes the sum of a position not negative.
    base: i64,
    pub raised_by: RaisedBy,
    /// The side whose moves raise them, if those of the other one only never lower them.
    pub side: Option<usize>,
    /// Numbers of the position that count instead, each with 1 or -1.
    pub numbers: Vec<(usize, i64)>,
}

/// Why every move raises the weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RaisedBy {
    /// Every move adds a piece to the board.
    Placing,
    /// Every move takes a piece from the board.
    Taking,
    /// Every move raises a number of the position, or lowers it.
    Counting,
    /// Pieces only go ahead.
    GoingAhead,
    /// The pieces of one side only go ahead, and the sides take turns.
    OneGoingAhead,
}

impl Weights {
    fn new(raised_by: RaisedBy, mut of: Vec<Vec<i64>>, cells: usize) -> Weights {
        // Each cell holds one piece at most.
        let least = |cell: usize| of.iter().map(|kind| kind[cell]).min().unwrap_or(0).min(0);
        let base = -(0..cells).map(least).sum::<i64>();
        of.push(vec![0; cells]);
        Weights { of, base, raised_by, side: None, numbers: Vec::new() }
    }

    /// Whether they are the same for kinds of pieces that the rules do not tell apart.
    fn are_kept_by_kinds(&self, alike: &[usize]) -> bool {
        alike.iter().enumerate().all(|(kind, first)| self.of[kind] == self.of[*first])
    }

    /// Whether they stay the same if cells go where `to` says.
    pub fn are_kept_by(&self, to: &[u8]) -> bool {
        self.of.iter().all(|kind| {
            let mut cells = kind.iter().zip(to);
            cells.all(|(weight, to)| *weight == kind[usize::from(*to)])
        })
    }

    /// The sum of a position; it rises with every move.
    pub fn sum<S: crate::machine::Word>(&self, sets: &[S]) -> u32 {
        let mut sum = self.base;
        for (set, weights) in sets.iter().zip(&self.of) {
            sum += cells(set.cells()).map(|cell| weights[cell]).sum::<i64>();
        }
        u32::try_from(sum).unwrap_or(u32::MAX)
    }
}

/// Weights that every move of both sides raises; `None` if none were found.
pub(crate) fn weights(rules: &Rules, budget: &Budget) -> Option<Weights> {
    find(rules, budget).filter(|weights| weights.are_kept_by_kinds(&alike(rules)))
}

fn find(rules: &Rules, budget: &Budget) -> Option<Weights> {
    let (pieces, board) = (rules.layout.pieces, rules.board.cells.len());
    if pieces > 12 {
        return None;
    }
    let rises_by = |weights: &Weights, side: usize, by: i64| {
        let own = &rules.sides[side];
        let mut proof = Proof::new(rules, weights, by, budget);
        let start = Path::new(rules, own.locals);
        changes_nothing(&own.end) && proof.rises(&own.moves, start, &[])
    };
    let rises = |weights: &Weights, side: usize| rises_by(weights, side, 1);
    for (each, raised_by) in [(1, RaisedBy::Placing), (-1, RaisedBy::Taking)] {
        let uniform = Weights::new(raised_by, vec![vec![each; board]; pieces], board);
        if rises(&uniform, 0) && rises(&uniform, 1) {
            return Some(uniform);
        }
    }
    if let Some(numbers) = counting(rules) {
        let mut weights = Weights::new(RaisedBy::Counting, vec![vec![0; board]; pieces], board);
        // The largest number is 255, the least -127.
        weights.base = 512;
        return Some(Weights { numbers, ..weights });
    }
    // The pieces of each side by direction, one side after the other.
    // Less than 0 on all cells, also of drawings, whose columns are far apart.
    let far = |cell: &Cell| cell.row.max(cell.column);
    let max = rules.board.cells.iter().map(far).max().unwrap_or(0).max(board);
    let lost = -2 * max as i64;
    let ahead = |found: &[Vec<i64>], side: usize| {
        let sides = rules.pieces.iter().filter_map(Piece::of_sides);
        let own: Vec<usize> = sides.map(|sets| sets[side]).collect();
        ways_ahead(&rules.board).into_iter().find_map(|ahead| {
            let mut of = found.to_vec();
            for set in &own {
                of[*set] = ahead.iter().map(|steps| lost + steps).collect();
            }
            let weights = Weights::new(RaisedBy::GoingAhead, of.clone(), board);
            rises(&weights, side).then_some((weights, of))
        })
    };
    let begin = vec![vec![lost; board]; pieces];
    if let Some((_, first)) = ahead(&begin, 0)
        && let Some((both, _)) = ahead(&first, 1)
        && rises(&both, 0)
    {
        return Some(both);
    }
    // One side goes ahead, the other one moves as it likes, but in turns.
    let in_turns = |side: usize| {
        let passes = |side: &SideRules| matches!(side.stuck, Stuck::Passes(_));
        !moves_again(&rules.sides[1 - side].moves) && !rules.sides.iter().any(passes)
    };
    (0..2).filter(|side| in_turns(*side)).find_map(|side| {
        let (weights, _) = ahead(&vec![vec![0; board]; pieces], side)?;
        rises_by(&weights, 1 - side, 0).then_some({
            let raised_by = RaisedBy::OneGoingAhead;
            Weights { side: Some(side), raised_by, ..weights }
        })
    })
}

/// A number, or that of both sides, that every move raises, or that every move lowers.
fn counting(rules: &Rules) -> Option<Vec<(usize, i64)>> {
    let pairs = rules.pairs().map(|(first, second)| vec![first, second]);
    let seconds: Vec<usize> = rules.pairs().flat_map(|(first, second)| [first, second]).collect();
    let single = (0..rules.numbers.len()).filter(|at| !seconds.contains(at)).map(|at| vec![at]);
    let mut all = single.chain(pairs);
    all.find_map(|numbers| {
        let signs = [1, -1].into_iter();
        let mut rising = signs.filter(|sign| {
            rules.sides.iter().all(|side| {
                changes_nothing(&side.end)
                    && counts(rules, &numbers, *sign, &side.moves) == Some(true)
            })
        });
        let sign = rising.next()?;
        Some(numbers.iter().map(|number| (*number, sign)).collect())
    })
}

/// Whether all ways through a block raise numbers, times a sign; `None` if one may lower them.
fn counts(rules: &Rules, numbers: &[usize], sign: i64, block: &Block) -> Option<bool> {
    let mut rises = false;
    for statement in block {
        rises |= match statement {
            Statement::SetNumber { number, value } if numbers.contains(number) => {
                raise(rules, *number, value, sign)? > 0
            }
            Statement::Finish(_) => true,
            Statement::If { then, otherwise, .. } => {
                let both = [then, otherwise].map(|block| counts(rules, numbers, sign, block));
                both[0]? & both[1]?
            }
            Statement::Either { alternatives, .. } => {
                let each = alternatives.iter().map(|block| counts(rules, numbers, sign, block));
                each.collect::<Option<Vec<bool>>>()?.into_iter().all(|rises| rises)
            }
            // A loop may not run at all.
            other => {
                let mut blocks = other.blocks();
                blocks.try_for_each(|block| counts(rules, numbers, sign, block).map(drop))?;
                false
            }
        };
    }
    Some(rises)
}

/// How much a new value raises a number at least, times a sign; `None` if it may lower it.
fn raise(rules: &Rules, number: usize, value: &Number, sign: i64) -> Option<i128> {
    let own = Number::State(number);
    let bounds = |by: &Number| bounds(&rules.layout, rules.board.cells.len(), by);
    let by = match value {
        Number::Calculate(Sign::Plus, one, by) if **one == own => bounds(by),
        Number::Calculate(Sign::Plus, by, one) if **one == own => bounds(by),
        Number::Calculate(Sign::Minus, one, by) if **one == own => {
            let [low, high] = bounds(by);
            [-high, -low]
        }
        _ => return None,
    };
    let least = if sign > 0 { by[0] } else { -by[1] };
    Some(least).filter(|least| *least >= 0)
}

fn moves_again(block: &Block) -> bool {
    block.iter().any(|statement| statement.any(&|within| within.effect().again))
}

/// For each way to go ahead, how far ahead each cell is.
fn ways_ahead(board: &Board) -> Vec<Vec<i64>> {
    let place = |of: fn(&Cell) -> usize, sign: i64| {
        board.cells.iter().map(|cell| sign * of(cell) as i64).collect()
    };
    let places = [
        place(|cell| cell.row, -1),
        place(|cell| cell.row, 1),
        place(|cell| cell.column, 1),
        place(|cell| cell.column, -1),
    ];
    // The steps that are left in a direction; at most the number of cells, if it is a ring.
    let left = |to: &[Cells], cell: usize| {
        let next = |at: &usize| cells(to[*at]).next();
        std::iter::successors(Some(cell), next).take(to.len()).count() as i64
    };
    let along = |(_, to): &(&str, Vec<Cells>)| (0..to.len()).map(|cell| -left(to, cell)).collect();
    places.into_iter().chain(board.directions.iter().map(along)).collect()
}

fn changes_nothing(block: &Block) -> bool {
    !block.iter().any(|statement| statement.any(&|within| within.effect().does_something()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interpret;
    use crate::state::Position;
    use crate::{SHIPPED, Shipped, Text};

    /// What was known to have cells before a loop may have none after it.
    #[test]
    fn a_loop_may_empty_a_set() {
        let text = |within: &str| {
            let text = format!(
                "game T\nboard 3 1\npiece s X O\nmark m\nstuck draws\nstart\n  put X on a1\n  put O on c1\nmove\n  \
                 choose from in mine\n  require mine & m\n{within}  clear mine & m\n  if from == a1: draw\n"
            );
            let rules = Text::parse(&text).unwrap().rules(&[]).unwrap();
            weights(&rules, &Budget::new(Budget::PROGRESS)).is_some()
        };
        assert!(text(""), "every move takes a piece");
        assert!(!text("  repeat 1\n    m = m - all\n"), "nothing may be taken");
    }

    /// In random games every move raises the number that was found, and these games have one.
    #[test]
    fn numbers_that_were_found_rise() {
        let mut found = Vec::new();
        for Shipped { name, source, .. } in SHIPPED {
            let rules = Text::parse(source).unwrap().rules(&[]).unwrap();
            let budget = Budget::new(Budget::PROGRESS);
            let Some(weights) = weights(&rules, &budget) else { continue };
            found.push(*name);
            let sum = |position: &Position| {
                let numbers = weights.numbers.iter();
                let counted = numbers.map(|(at, sign)| i64::from(position.numbers[*at]) * sign);
                weights.sum::<u128>(&position.sets).wrapping_add_signed(counted.sum::<i64>() as i32)
            };
            let mut dice = foregone_rules::sample::Dice::new(7);
            for _ in 0..30 {
                let mut position = rules.start.clone();
                while interpret::outcome(&rules, &position).is_none() {
                    let moves = interpret::moves(&rules, &position);
                    for (mv, next) in &moves {
                        let pass = mv.len() == 0;
                        let by = u32::from(weights.side.is_none_or(|side| side == position.turn));
                        assert!(pass || sum(next) >= sum(&position) + by, "{name}");
                    }
                    position = moves[dice.below(moves.len())].1.clone();
                }
            }
        }
        for name in [
            "dots-and-boxes",
            "konane",
            "fox-and-hounds",
            "breakthrough",
            "hexapawn",
            "tic-tac-toe",
            "clobber",
            "hex",
            "domineering",
            "reversi",
        ] {
            assert!(found.contains(&name), "{name} is none of {found:?}");
        }
        for name in ["achi", "pong-hau-ki", "three-mens-morris", "teeko"] {
            assert!(!found.contains(&name), "{name}");
        }
    }
}
