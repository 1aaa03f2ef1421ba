//! Symmetries of a game, found and proven: ways to rename the cells, and perhaps the sides, that leave
//! the rules as they are.
//!
//! Candidates are the renamings of cells that keep neighbours ([`automorphisms`]). One is proven if
//! the rules with all names changed are the same rules ([`Renaming`]), but for the order of what has
//! none. What is not proven is not used.

mod alike;
mod automorphism;
mod image;
mod order;
mod rename;
mod terms;
#[cfg(test)]
mod tests;

pub(crate) use alike::{alike, alike_but_for_results};
pub(crate) use image::{CellMap, Images};

use automorphism::automorphisms;
use rename::Renaming;

use crate::budget::Budget;
use crate::progress::Weights;
use crate::typed::{Number, Piece, Rules, SideRules, Sign};

/// A symmetry: where each cell goes, and whether the sides are exchanged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    pub to: Vec<u8>,
    pub exchange: bool,
}

impl Symmetry {
    fn is_identity(&self) -> bool {
        !self.exchange && (0..).zip(&self.to).all(|(cell, to)| cell == *to)
    }

    /// First this one, then another.
    fn then(&self, other: &Symmetry) -> Symmetry {
        Symmetry {
            to: self.to.iter().map(|cell| other.to[usize::from(*cell)]).collect(),
            exchange: self.exchange != other.exchange,
        }
    }
}

/// The most symmetries of a game.
const MAX: usize = 200;

/// The proven symmetries but the identity: with it they are a group. The sides are not exchanged if
/// there are weights that every move raises: then few positions are reached with the sides
/// exchanged, too. Weights have to stay the same.
pub(crate) fn symmetries(
    rules: &Rules,
    weights: Option<&Weights>,
    budget: &Budget,
) -> Vec<Symmetry> {
    all(rules, weights, budget).unwrap_or_default()
}

/// [`symmetries`]; `None` if they need more steps than the budget has.
fn all(rules: &Rules, weights: Option<&Weights>, budget: &Budget) -> Option<Vec<Symmetry>> {
    let same_cells: Vec<u8> = (0..rules.board.cells.len() as u8).collect();
    let possible = rules.possible();
    let both =
        |piece: &Piece| piece.sets.iter().all(|set| possible[*set] == possible[piece.sets[0]]);
    let exchanged = Renaming::new(rules, &same_cells, true).endless(&rules.endless);
    let is_even = match (&rules.endless, &exchanged) {
        (Number::Value(value), _) => *value == 0,
        // What one side has more than the other.
        (Number::Calculate(Sign::Minus, a, b), Number::Calculate(Sign::Minus, c, d)) => {
            a == d && b == c
        }
        _ => false,
    };
    let may_exchange = is_even && weights.is_none() && rules.pieces.iter().all(both);
    // Names are numbered twice here, as they are below.
    let renaming = Renaming::new(rules, &same_cells, false).with_terms(budget);
    let terms = renaming.within(budget, &rules.sides)?;
    let before = Renaming::new(rules, &same_cells, false).within(budget, &terms)?;
    let keeps = |to: &[u8], exchange: bool| {
        let after = Renaming::new(rules, to, exchange).within(budget, &terms);
        after.is_some_and(|[first, second]| {
            let [first, second] = if exchange { [second, first] } else { [first, second] };
            same(&before[0], &first) && same(&before[1], &second)
        })
    };
    let mut proven = Vec::new();
    for to in automorphisms(&rules.board, budget)? {
        if weights.is_some_and(|weights| !weights.are_kept_by(&to)) {
            continue;
        }
        for exchange in [false, true] {
            if (!exchange || may_exchange) && keeps(&to, exchange) {
                proven.push(Symmetry { to: to.clone(), exchange });
            }
        }
    }
    proven.retain(|symmetry| !symmetry.is_identity());
    // Some may be there, and others have found the budget spent.
    (!budget.is_spent()).then(|| close(proven))
}

/// All that can be made of some symmetries; if that is too many, of the first of them.
fn close(proven: Vec<Symmetry>) -> Vec<Symmetry> {
    if let Some(all) = closed(&proven) {
        return all;
    }
    let (mut all, mut generators) = (Vec::new(), Vec::new());
    for one in proven {
        if !all.contains(&one) {
            generators.push(one);
            let Some(more) = closed(&generators) else { break };
            all = more;
        }
    }
    all
}

/// All that can be made of some symmetries; `None` if that is too many.
fn closed(generators: &[Symmetry]) -> Option<Vec<Symmetry>> {
    let mut all = generators.to_vec();
    let mut at = 0;
    while let Some(one) = all.get(at).cloned().filter(|_| all.len() <= MAX) {
        for other in generators {
            let both = one.then(other);
            if !both.is_identity() && !all.contains(&both) {
                all.push(both);
            }
        }
        at += 1;
    }
    Some(all).filter(|all| all.len() <= MAX)
}

/// Whether sides play by the same rules.
fn same(one: &SideRules, other: &SideRules) -> bool {
    (&one.moves, &one.end, &one.stuck) == (&other.moves, &other.end, &other.stuck)
}

#[cfg(test)]
mod known {
    use super::*;
    use crate::progress::weights;
    use crate::{Text, shipped};

    /// The number of symmetries of a shipped text, the identity included, and whether sides are
    /// exchanged.
    fn of(name: &str, given: &[(&str, &str)]) -> (usize, bool) {
        let source = shipped(name).unwrap().source;
        let rules = Text::parse(source).unwrap().rules(given).unwrap();
        let budget = Budget::new(Budget::SYMMETRY);
        let weights = weights(&rules, &Budget::new(Budget::PROGRESS));
        let all = symmetries(&rules, weights.as_ref(), &budget);
        (all.len() + 1, all.iter().any(|symmetry| symmetry.exchange))
    }

    /// Equal parts of a board are exchanged; of more symmetries than are kept, some are.
    #[test]
    fn parts_of_a_board_that_are_apart_are_alike() {
        let of = |board: &str, moves: &str| {
            let text = format!("game T\nboard {board}\npiece man x\nstuck loses\nmove\n{moves}");
            let rules = Text::parse(&text).unwrap().rules(&[]).unwrap();
            let weights = weights(&rules, &Budget::new(Budget::PROGRESS));
            symmetries(&rules, weights.as_ref(), &Budget::new(Budget::SYMMETRY)).len() + 1
        };
        let dominoes = "  choose at in empty & w(empty)\n  put man on at | e(at)\n";
        let single = "  choose at in empty\n  put man on at\n";
        // Each part can be mirrored, and three parts have six orders.
        assert_eq!(of("11 2 without column(4) | column(8)", dominoes), 2 * 2 * 2 * 6);
        assert_eq!(of("7 2 without column(4)", single), 4 * 4 * 2);
        // 4 * 4 * 4 * 6 are too many: the six orders, and one mirror for each part.
        assert_eq!(of("11 2 without column(4) | column(8)", single), 2 * 2 * 2 * 6);
        assert_eq!(of("3 2 copies 3", single), 2 * 2 * 2 * 6);
        assert_eq!(of("1 1 copies 5", single), 120);
        // 8 * 8 * 8 * 6 of the board are too many to look at, but not those that the rules keep.
        assert_eq!(of("11 3 without column(4) | column(8)", dominoes), 2 * 2 * 2 * 6);
    }

    /// Statements that may change places are one set of statements, and a loop whose rounds may change places has no order.
    #[test]
    fn only_an_order_that_matters_spoils_symmetries() {
        let of = |within: &str| {
            let text = format!(
                "game T\nboard 3 3\npiece man X O\nmark seen\nstuck draws\nmove\n  choose at in empty\n  put man on at\n\
                 {within}"
            );
            let rules = Text::parse(&text).unwrap_or_else(|why| panic!("{why}\n{text}"));
            let rules = rules.rules(&[]).unwrap();
            let weights = weights(&rules, &Budget::new(Budget::PROGRESS));
            assert!(weights.is_some(), "each move adds a man: {within}");
            symmetries(&rules, weights.as_ref(), &Budget::new(Budget::SYMMETRY)).len() + 1
        };
        let lets = "  let up = n(at)\n  let down = s(at)\n";
        let sums = "  let a = 0\n  if row(1) & at: a += 1\n  if row(3) & at: a += 1\n";
        for (all, within) in [
            // Without east and west.
            (4, format!("{lets}  if up & mine and down & mine: win\n")),
            (4, format!("{sums}  if a == 2: win\n")),
            (4, "  if n(at) & mine: win\n  if s(at) & mine: win\n".to_owned()),
            (8, "  for x in mine\n    if no beside(x) & empty: win\n".to_owned()),
            (8, "  let held = at\n  for x in mine\n    if no beside(x) & empty: held = held | x\n  if count(held) == 3: win\n".to_owned()),
            (8, "  for x in mine\n    if no beside(x) & empty: seen = seen | x\n".to_owned()),
            (8, "  for x in mine\n    let near = beside(x)\n    require near & empty\n".to_owned()),
            // The first or the last one counts.
            (1, "  for x in mine\n    if no beside(x) & empty: stop\n    seen = seen | x\n".to_owned()),
            (1, "  let held = at\n  for x in mine\n    if x & held: held = beside(x)\n  if count(held) == 3: win\n".to_owned()),
            (1, "  let last = at\n  for x in mine\n    last = x\n  if last & row(1): win\n".to_owned()),
            (1, "  for x in mine\n    if no beside(x) & empty: win\n    seen = seen | x\n".to_owned()),
            (2, "  if n(at) & mine: win\n  if s(at) & mine: lose\n".to_owned()),
            (2, "  let a = 1\n  if row(1) & at: a += 1\n  if row(3) & at: a = a * 2\n  if a == 2: win\n".to_owned()),
        ] {
            assert_eq!(of(&within), all, "{within}");
        }
    }

    #[test]
    fn pieces_that_are_not_told_apart() {
        let of = |name: &str| {
            let source = shipped(name).unwrap().source;
            alike(&Text::parse(source).unwrap().rules(&[]).unwrap())
        };
        assert_eq!(of("domineering"), [0, 0]);
        assert_eq!(of("tic-tac-toe"), [0, 1]);
        // Dots and strokes; but boxes are counted.
        assert_eq!(of("dots-and-boxes"), [0, 0, 2, 3]);
    }

    #[test]
    fn symmetries_of_known_games() {
        assert_eq!(of("tic-tac-toe", &[]), (8, false));
        assert_eq!(of("three-mens-morris", &[]), (16, true));
        assert_eq!(of("breakthrough", &[]), (2, false));
        assert_eq!(of("connect-four", &[]), (2, false));
        // A domino is placed by its lower or its left cell, which no renaming of cells keeps.
        assert_eq!(of("domineering", &[]), (1, false));
        assert_eq!(of("hex", &[("size", "3")]), (2, false));
        assert_eq!(of("reversi", &[]), (8, false));
        assert_eq!(of("kalah", &[]), (2, true));
        assert_eq!(of("mu-torere", &[]), (32, true));
        assert_eq!(of("pong-hau-ki", &[]), (4, true));
        assert_eq!(of("dodgem", &[]), (2, true));
        assert_eq!(of("fox-and-hounds", &[]), (1, false));
        // Its square is looked for from the lower left.
        assert_eq!(of("teeko", &[]), (16, true));
    }
}
