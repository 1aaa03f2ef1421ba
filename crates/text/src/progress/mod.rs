//! Whether play of a game can loop: a number that every move raises, found and proven.
//!
//! The number is the sum of a weight for each piece, by its kind and cell. Candidates are: every piece
//! counts (games in which pieces are only placed), every piece counts less than nothing (each move
//! takes one), and pieces that go ahead in a direction (and are worth less than nothing, so that taking
//! one raises the number too). A candidate is proven by going through all ways to move with all cells
//! that can be chosen; of the rest of the position is known only what the choices say. What is not
//! proven is not used.

mod against;
mod proof;

pub(crate) use self::against::against;
use self::proof::{Path, Proof};
use crate::board::{Board, Cell, Cells, cells};
use crate::budget::Budget;
use crate::results::{Bounds, bounds};
use crate::symmetry::alike;
use crate::typed::{Block, Number, Piece, Rules, Set, SideRules, Sign, Statement, Stuck, Truth};

/// The weight of each kind of piece on each cell, and of an empty cell, which is 0, last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Weights {
    of: Vec<Vec<i64>>,
    /// What makes the sum of a position not negative.
    base: i64,
    pub raised_by: RaisedBy,
    /// The side whose moves raise them, if those of the other one only never lower them.
    pub side: Option<usize>,
    /// What counts instead, each with 1 or -1.
    pub counted: Vec<(Counted, i64)>,
}

/// What moves raise or lower beside pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counted {
    /// A number of the position.
    Number(usize),
    /// The sum of a count over all cells.
    Count(usize),
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
        Weights { of, base, raised_by, side: None, counted: Vec::new() }
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
    if let Some(counted) = counting(rules) {
        let mut weights = Weights::new(RaisedBy::Counting, vec![vec![0; board]; pieces], board);
        // A number is within -127..255, and there are as many of a count as cells, at most 128.
        weights.base = 1 << 16;
        return Some(Weights { counted, ..weights });
    }
    // The pieces of each side by direction, one side after the other.
    // Less than 0 on all cells, also of drawings, whose columns are far apart.
    let far = |cell: &Cell| cell.row.max(cell.column);
    let max = rules.board.cells.iter().map(far).max().unwrap_or(0).max(board);
    let lost = -2 * max as i64;
    let ahead = |found: &[Vec<i64>], side: usize| {
        // Pieces of neither side go where the first one's go.
        let neither = |piece: &Piece| piece.sets.first().copied().filter(|_| side == 0);
        let own =
            |piece: &Piece| piece.of_sides().map(|sets| sets[side]).or_else(|| neither(piece));
        let own: Vec<usize> = rules.pieces.iter().filter_map(own).collect();
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

/// A number, or that of both sides, or the sum of a count, that every move raises, or that every move lowers.
fn counting(rules: &Rules) -> Option<Vec<(Counted, i64)>> {
    let number = |at: usize| Counted::Number(at);
    let pairs = rules.pairs().map(|(first, second)| vec![number(first), number(second)]);
    let seconds: Vec<usize> = rules.pairs().flat_map(|(first, second)| [first, second]).collect();
    let single = (0..rules.numbers.len()).filter(|at| !seconds.contains(at));
    let counts = (0..rules.counts.len()).map(|at| vec![Counted::Count(at)]);
    let mut all = single.map(|at| vec![number(at)]).chain(pairs).chain(counts);
    all.find_map(|counted| {
        let mut rising = [1, -1].into_iter().filter(|sign| {
            rules.sides.iter().all(|side| {
                let mut rising =
                    Rising { rules, counted: &counted, sign: *sign, chosen: Vec::new() };
                rising.choices(&side.moves);
                changes_nothing(&side.end) && rising.block(&side.moves) == Some(true)
            })
        });
        let sign = rising.next()?;
        Some(counted.iter().map(|one| (*one, sign)).collect())
    })
}

/// Whether all ways to move raise something, times a sign.
struct Rising<'a> {
    rules: &'a Rules,
    counted: &'a [Counted],
    sign: i64,
    /// For each name whether it is a choice, and of which numbers; of one cell if there are none.
    chosen: Vec<(usize, Option<Bounds>)>,
}

impl Rising<'_> {
    fn bounds(&self, number: &Number) -> Bounds {
        let chosen = |(local, bounds): &(usize, Option<Bounds>)| {
            bounds.filter(|_| *number == Number::Local(*local))
        };
        let known = self.chosen.iter().find_map(chosen);
        known.unwrap_or_else(|| bounds(&self.rules.layout, self.rules.board.cells.len(), number))
    }

    /// Finds the names that are choices and nothing else.
    fn choices(&mut self, block: &Block) {
        for statement in block {
            match statement {
                Statement::Choose { local, .. } => self.chosen.push((*local, None)),
                Statement::Pick { local, from, to } => {
                    let bounds = [self.bounds(from)[0], self.bounds(to)[1]];
                    self.chosen.push((*local, Some(bounds)));
                }
                _ => {}
            }
            statement.blocks().for_each(|block| self.choices(block));
        }
        for statement in block {
            let set = match statement {
                Statement::Choose { .. } | Statement::Pick { .. } => None,
                other => other.effect().local,
            };
            self.chosen.retain(|(local, _)| Some(*local) != set);
        }
    }

    /// Whether all ways through a block raise it; `None` if one may lower it.
    fn block(&self, block: &Block) -> Option<bool> {
        let mut rises = false;
        for statement in block {
            // No way goes on behind a condition that never holds.
            if matches!(statement, Statement::Require(Truth::Known(false))) {
                return Some(true);
            }
            rises |= self.statement(statement)?;
        }
        Some(rises)
    }

    fn statement(&self, statement: &Statement) -> Option<bool> {
        Some(match statement {
            Statement::SetNumber { number, value }
                if self.counted.contains(&Counted::Number(*number)) =>
            {
                self.raised(*number, value)? > 0
            }
            Statement::SetCount { count, cell, change, value }
                if self.counted.contains(&Counted::Count(*count)) =>
            {
                let [low, high] = self.bounds(value);
                let by = match change {
                    Some(Sign::Plus) => [low, high],
                    Some(Sign::Minus) => [-high, -low],
                    _ => return None,
                };
                // Of a set without cells nothing changes.
                let is_cell = |(local, numbers): &(usize, Option<Bounds>)| {
                    numbers.is_none() && *cell == Set::Local(*local)
                };
                self.least(by)? > 0 && self.chosen.iter().any(is_cell)
            }
            // Counts go along, and one takes the place of another.
            Statement::Move { .. } | Statement::Sow { .. }
                if matches!(self.counted, [Counted::Count(_)]) =>
            {
                return None;
            }
            Statement::Finish(_) => true,
            Statement::If { then, otherwise, .. } => {
                let both = [then, otherwise].map(|block| self.block(block));
                both[0]? & both[1]?
            }
            Statement::Either { alternatives, .. } => {
                let each = alternatives.iter().map(|block| self.block(block));
                each.collect::<Option<Vec<bool>>>()?.into_iter().all(|rises| rises)
            }
            // A loop may not run at all.
            other => {
                other.blocks().try_for_each(|block| self.block(block).map(drop))?;
                false
            }
        })
    }

    /// How much a new value raises a number at least; `None` if it may lower it.
    fn raised(&self, number: usize, value: &Number) -> Option<i128> {
        let own = Number::State(number);
        let by = match value {
            Number::Calculate(Sign::Plus, one, by) if **one == own => self.bounds(by),
            Number::Calculate(Sign::Plus, by, one) if **one == own => self.bounds(by),
            Number::Calculate(Sign::Minus, one, by) if **one == own => {
                let [low, high] = self.bounds(by);
                [-high, -low]
            }
            _ => return None,
        };
        self.least(by)
    }

    fn least(&self, by: Bounds) -> Option<i128> {
        let least = if self.sign > 0 { by[0] } else { -by[1] };
        Some(least).filter(|least| *least >= 0)
    }
}

fn moves_again(block: &Block) -> bool {
    block.iter().any(|statement| statement.any(&|within| within.effect().again))
}

/// For each way to go ahead, how far ahead each cell is.
fn ways_ahead(board: &Board) -> Vec<Vec<i64>> {
    let place = |of: fn(&Cell) -> usize, sign: i64| {
        board.cells.iter().map(|cell| sign * of(cell) as i64).collect()
    };
    let straight: [Vec<i64>; 4] = [
        place(|cell| cell.row, -1),
        place(|cell| cell.row, 1),
        place(|cell| cell.column, 1),
        place(|cell| cell.column, -1),
    ];
    let [up, down, right, left] = &straight;
    let sum = |[one, other]: [&Vec<i64>; 2]| one.iter().zip(other).map(|(a, b)| a + b).collect();
    let aslant = [[up, right], [up, left], [down, right], [down, left]].map(sum);
    // The steps that remain in a direction; at most the number of cells, if it is a ring.
    let steps = |to: &[Cells], cell: usize| {
        let next = |at: &usize| cells(to[*at]).next();
        std::iter::successors(Some(cell), next).take(to.len()).count() as i64
    };
    let along = |(_, to): &(&str, Vec<Cells>)| (0..to.len()).map(|cell| -steps(to, cell)).collect();
    let along = board.directions.iter().map(along);
    straight.into_iter().chain(along).chain(aslant).collect()
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
                let counted = weights.counted.iter().map(|(counted, sign)| {
                    sign * match counted {
                        Counted::Number(at) => i64::from(position.numbers[*at]),
                        Counted::Count(at) => {
                            position.counts[*at].iter().map(|n| i64::from(*n)).sum()
                        }
                    }
                });
                weights.sum::<u128>(&position.sets).wrapping_add_signed(counted.sum::<i64>() as i32)
            };
            let mut dice = foregone_rules::sample::Dice::new(7);
            for _ in 0..30 {
                let mut position = rules.start.clone();
                while interpret::outcome(&rules, &position).is_none() {
                    let moves = interpret::moves(&rules, &position);
                    for (mv, next) in &moves {
                        let pass = mv.len() == 0 || next.result.is_some();
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
            "cylinder-four",
            "kayles",
            "marseillais-tic-tac-toe",
            "nim",
            "santorini",
            "toads-and-frogs",
            "wythoff",
            "y",
        ] {
            assert!(found.contains(&name), "{name} is none of {found:?}");
        }
        for name in
            ["achi", "dobutsu-shogi", "pong-hau-ki", "pop-out", "three-mens-morris", "teeko"]
        {
            assert!(!found.contains(&name), "{name}");
        }
    }
}
