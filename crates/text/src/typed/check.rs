//! What a block can do: how many choices it makes, how many steps it takes, and whether two ways to
//! move can be told apart by their choices.

use std::sync::Arc;

use super::parts::Part;
use super::tree::*;
use crate::board::{Cells, MAX_CELLS};
use crate::budget::Budget;
use crate::choices::{LARGEST, MAX_CHOICES};
use crate::interpret::MAX_TIMES;

/// The least and the largest number of choices in a block, whether it runs to its end or the game ends in it.
pub(crate) fn choices(block: &[Statement]) -> [usize; 2] {
    let Made { least, max, ended } = Made::of(block);
    [least.min(ended), max]
}

/// The number of choices that are made in a block.
#[derive(Clone, Copy)]
struct Made {
    /// The least number of those who come to its end.
    least: usize,
    max: usize,
    /// The least number of those who leave it before: as the game ends, or a loop does.
    ended: usize,
}

impl Made {
    const NONE: Made = Made::just(0);
    /// Of no way.
    const NEVER: Made = Made { least: usize::MAX, max: 0, ended: usize::MAX };

    const fn just(count: usize) -> Made {
        Made { least: count, max: count, ended: usize::MAX }
    }

    fn of(block: &[Statement]) -> Made {
        block
            .iter()
            .fold(Made::NONE, |before, statement| before.then(Made::of_statement(statement)))
    }

    fn then(self, next: Made) -> Made {
        Made {
            least: self.least.saturating_add(next.least),
            max: self.max.saturating_add(next.max),
            ended: self.ended.min(self.least.saturating_add(next.ended)),
        }
    }

    fn or(self, other: Made) -> Made {
        Made {
            least: self.least.min(other.least),
            max: self.max.max(other.max),
            ended: self.ended.min(other.ended),
        }
    }

    fn of_statement(statement: &Statement) -> Made {
        let each = |blocks: &[Block]| {
            blocks.iter().map(|block| Made::of(block)).fold(Made::NEVER, Made::or)
        };
        // Ways that leave a round go on after the loop.
        let looped = |body: &Block, [least, max]: [usize; 2]| {
            let round = Made::of(body);
            let least =
                if least == 0 { 0 } else { round.least.saturating_mul(least).min(round.ended) };
            let ended = if max == 0 { usize::MAX } else { round.ended };
            Made { least, max: round.max.saturating_mul(max), ended }
        };
        match statement {
            Statement::Choose { .. } | Statement::Pick { .. } => Made::just(1),
            Statement::If { condition: _, then, otherwise } => {
                Made::of(then).or(Made::of(otherwise))
            }
            Statement::Either { alternatives, labels } => {
                Made::just(usize::from(!labels.is_empty())).then(each(alternatives))
            }
            Statement::For { body, .. } => looped(body, [0, MAX_CELLS]),
            Statement::Repeat { times: Number::Value(times), body } => {
                looped(body, [(*times).clamp(0, MAX_TIMES) as usize; 2])
            }
            Statement::Repeat { times: _, body } => looped(body, [0, MAX_TIMES as usize]),
            Statement::Stop | Statement::Finish(_) => Made { least: usize::MAX, max: 0, ended: 0 },
            Statement::SetLocal { .. }
            | Statement::NumberLocal { .. }
            | Statement::TruthLocal { .. }
            | Statement::Require(_)
            | Statement::Put { .. }
            | Statement::Clear(_)
            | Statement::Mark { .. }
            | Statement::Move { .. }
            | Statement::Permute { .. }
            | Statement::SetCount { .. }
            | Statement::SetNumber { .. }
            | Statement::Prefer(_)
            | Statement::Sow { .. }
            | Statement::Again => Made::NONE,
        }
    }
}

/// The largest number of choices and alternatives that have something left to try at a time.
pub(crate) fn open(block: &[Statement]) -> usize {
    choices(block)[1].min(MAX_CHOICES).saturating_add(unnamed(block))
}

/// At most this many are [`open`].
pub(crate) const MAX_OPEN: usize = 12;

/// The largest number of alternatives in a row that are no choice of the move.
fn unnamed(block: &[Statement]) -> usize {
    let of = |statement: &Statement| {
        let within = statement.blocks().map(|block| unnamed(block)).max().unwrap_or(0);
        match statement {
            Statement::Either { labels, .. } => within.saturating_add(labels.is_empty().into()),
            Statement::For { .. } => within.saturating_mul(MAX_CELLS),
            Statement::Repeat { times: Number::Value(times), .. } => {
                within.saturating_mul((*times).clamp(0, MAX_TIMES) as usize)
            }
            Statement::Repeat { .. } => within.saturating_mul(MAX_TIMES as usize),
            _ => within,
        }
    };
    block.iter().map(of).fold(0, usize::saturating_add)
}

/// At most this many steps are taken for one move.
pub(super) const MAX_STEPS: u64 = 1 << 14;

/// At most this many steps are taken for all moves of a position.
pub(super) const MAX_WORK: u64 = 1 << 23;

/// The largest number of steps for one move on a board of `cells`: a statement is one, and so is a look at some 256 cells.
pub(super) fn steps(block: &[Statement], cells: usize) -> u64 {
    let steps = |block: &[Statement]| steps(block, cells);
    let within = |statement: &Statement| match statement {
        Statement::If { then, otherwise, .. } => steps(then).max(steps(otherwise)),
        Statement::Either { alternatives, .. } => {
            alternatives.iter().map(|each| steps(each)).max().unwrap_or(0)
        }
        Statement::For { body, .. } => steps(body).saturating_mul(cells as u64),
        Statement::Repeat { times, body } => {
            let times = if let Number::Value(times) = times { *times } else { MAX_TIMES };
            steps(body).saturating_mul(times.clamp(0, MAX_TIMES) as u64)
        }
        _ => 0,
    };
    let own = |statement: &Statement| {
        let parts = statement.parts().into_iter().map(Part::cost).sum::<u64>();
        1 + parts / 16
    };
    let of = |statement: &Statement| within(statement).saturating_add(own(statement));
    block.iter().map(of).fold(0, u64::saturating_add)
}

/// The largest number of statements that run for all moves of a position.
pub(super) fn work(moves: &[Statement], locals: usize, cells: usize, budget: &Budget) -> u64 {
    ways(moves, locals, cells, budget).saturating_mul(steps(moves, cells).max(1))
}

/// The largest number of ways to make the choices of all moves of a position.
pub(super) fn ways(moves: &[Statement], locals: usize, cells: usize, budget: &Budget) -> u64 {
    let cells = cells as u64;
    Sizes { cells, locals: vec![cells; locals], budget }.ways(moves)
}

/// The largest number of cells of each name.
#[derive(Clone)]
struct Sizes<'a> {
    cells: u64,
    locals: Vec<u64>,
    budget: &'a Budget,
}

impl Sizes<'_> {
    /// The largest number of ways to make the choices of a block; very many if the budget is spent.
    fn ways(&mut self, block: &[Statement]) -> u64 {
        block.iter().fold(1, |all: u64, statement| all.saturating_mul(self.ways_of(statement)))
    }

    fn ways_of(&mut self, statement: &Statement) -> u64 {
        if self.budget.take(1 + self.locals.len() as u64 / 16).is_none() {
            return u64::MAX;
        }
        match statement {
            Statement::Choose { local, from } => {
                let ways = self.max(from);
                self.locals[*local] = 1;
                ways
            }
            Statement::Pick { from: Number::Value(from), to: Number::Value(to), .. } => {
                to.saturating_sub(*from).saturating_add(1).clamp(0, LARGEST + 1) as u64
            }
            Statement::Pick { .. } => LARGEST as u64 + 1,
            Statement::SetLocal { local, value } => {
                self.locals[*local] = self.max(value);
                1
            }
            Statement::Sow { local, .. } => {
                self.locals[*local] = 1;
                1
            }
            Statement::If { then, otherwise, .. } => {
                self.each([then, otherwise]).into_iter().max().unwrap_or(1)
            }
            Statement::Either { alternatives, .. } => {
                self.each(alternatives).into_iter().fold(0, u64::saturating_add)
            }
            Statement::For { local, over, body } => {
                let times = self.max(over);
                self.locals[*local] = 1;
                self.ways_of_loop(body, times)
            }
            Statement::Repeat { times, body } => {
                let times = if let Number::Value(times) = times { *times } else { MAX_TIMES };
                self.ways_of_loop(body, times.clamp(0, MAX_TIMES) as u64)
            }
            _ => 1,
        }
    }

    /// The ways of blocks of which one is run.
    fn each<'b>(&mut self, blocks: impl IntoIterator<Item = &'b Block>) -> Vec<u64> {
        let before = self.clone();
        let ways = blocks.into_iter().map(|block| {
            let mut after = before.clone();
            let ways = after.ways(block);
            let both = self.locals.iter_mut().zip(after.locals);
            both.for_each(|(max, size)| *max = (*max).max(size));
            ways
        });
        ways.collect()
    }

    fn ways_of_loop(&mut self, body: &Block, times: u64) -> u64 {
        // What is set in one round is there in the next one.
        let ways = loop {
            let before = self.clone();
            let ways = self.ways(body);
            let grown: Vec<usize> = (0..self.locals.len())
                .filter(|local| self.locals[*local] > before.locals[*local])
                .collect();
            if grown.is_empty() || self.budget.is_spent() {
                break ways;
            }
            *self = before;
            grown.into_iter().for_each(|local| self.locals[local] = self.cells);
        };
        let max = if choices(body)[0] > 0 { MAX_CHOICES as u64 } else { u64::MAX };
        ways.saturating_pow(times.min(max).min(64) as u32)
    }

    fn max(&self, set: &Set) -> u64 {
        max_cells(set, self.cells, &|local| self.locals[local])
    }
}

/// The largest number of cells of a set on a board of `cells` cells; `local` says it of names.
pub(crate) fn max_cells(set: &Set, cells: u64, local: &dyn Fn(usize) -> u64) -> u64 {
    let max_of = |set: &Set| max_cells(set, cells, local);
    let each = |table: &[Cells]| table.iter().map(|cells| cells.count_ones()).max();
    let max = match set {
        Set::Cells(known) => known.count_ones().into(),
        Set::Local(at) => local(*at),
        Set::State(_) | Set::Rows { .. } | Set::Flood { .. } => cells,
        Set::Union(parts) => parts.iter().map(max_of).sum(),
        Set::Both(parts) => parts.iter().map(max_of).min().unwrap_or(0),
        Set::Minus(of, _) | Set::Full { of, .. } => max_of(of),
        Set::Step { table, of } => max_of(of) * u64::from(each(table).unwrap_or(0)),
        Set::Ray { from, rays, .. } | Set::Between { from, rays, .. } => {
            let length = |rays: &Vec<Arc<[u8]>>| rays.iter().map(|ray| ray.len()).sum::<usize>();
            max_of(from) * rays.iter().map(length).max().unwrap_or(0) as u64
        }
        Set::Beyond { from, rays, .. } => {
            max_of(from) * rays.iter().map(Vec::len).max().unwrap_or(0) as u64
        }
    };
    max.min(cells)
}

/// Whether the choices of two ways to move always differ; `follows` if more choices may follow.
pub(super) fn differ(
    one: &[Statement],
    other: &[Statement],
    follows: bool,
    pieces: usize,
    budget: &Budget,
) -> bool {
    let ([a, b], [c, d]) = (choices(one), choices(other));
    if !follows && (b < c || d < a) {
        return true;
    }
    match (first_choice(one), first_choice(other)) {
        (Some(one), Some(other)) => {
            budget.take(one.size() * other.size()).is_some() && apart(one, other, pieces)
        }
        _ => false,
    }
}

/// The cells of the first choice, if it is always the same and nothing has changed before.
fn first_choice(block: &[Statement]) -> Option<&Set> {
    let mut names = Vec::new();
    for statement in block {
        match statement {
            Statement::Choose { from, .. } => {
                return names.iter().all(|name| !from.mentions(*name)).then_some(from);
            }
            Statement::SetLocal { local, .. }
            | Statement::NumberLocal { local, .. }
            | Statement::TruthLocal { local, .. } => names.push(*local),
            Statement::Require(_) => {}
            _ => return None,
        }
    }
    None
}

/// Whether two sets surely have no cell in common. The first `pieces` sets of a position never have
/// one.
pub(crate) fn apart(one: &Set, other: &Set, pieces: usize) -> bool {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => one & other == 0,
        (Set::State(one), Set::State(other)) => one != other && *one < pieces && *other < pieces,
        (Set::Union(parts), other) | (other, Set::Union(parts)) => {
            parts.iter().all(|part| apart(part, other, pieces))
        }
        (Set::Both(parts), other) | (other, Set::Both(parts)) => {
            parts.iter().any(|part| apart(part, other, pieces))
        }
        (Set::Minus(kept, without), other) | (other, Set::Minus(kept, without)) => {
            apart(kept, other, pieces) || within(other, without)
        }
        (Set::Full { of, .. }, other)
        | (other, Set::Full { of, .. })
        | (Set::Ray { through: of, .. } | Set::Between { through: of, .. }, other)
        | (other, Set::Ray { through: of, .. } | Set::Between { through: of, .. })
        | (Set::Beyond { to: of, .. }, other)
        | (other, Set::Beyond { to: of, .. }) => apart(of, other, pieces),
        (Set::Rows { within, .. }, other) | (other, Set::Rows { within, .. }) => {
            apart(within, other, pieces)
        }
        _ => false,
    }
}

/// Whether a set is surely part of another.
fn within(one: &Set, other: &Set) -> bool {
    one == other
        || match (one, other) {
            (Set::Cells(one), Set::Cells(other)) => one & !other == 0,
            (Set::Union(parts), other) => parts.iter().all(|part| within(part, other)),
            (one, Set::Union(parts)) => parts.iter().any(|part| within(one, part)),
            (Set::Both(parts), other) => parts.iter().any(|part| within(part, other)),
            (Set::Minus(kept, _), other) => within(kept, other),
            (Set::Ray { through: of, .. } | Set::Between { through: of, .. }, other)
            | (Set::Beyond { to: of, .. }, other) => within(of, other),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The work of one move of a text.
    fn work_of(moves: &str) -> u64 {
        let text = format!("game Work\nboard 4 4\npiece x X O\nstuck loses\nmove\n{moves}");
        let rules = crate::Text::parse(&text).unwrap().rules(&[]).unwrap();
        let budget = Budget::new(Budget::READING);
        work(&rules.sides[0].moves, rules.sides[0].locals, 16, &budget)
    }

    #[test]
    fn work_is_bounded_by_ways_and_steps() {
        assert_eq!(work_of("  choose at in empty\n  put x on at\n"), 16 * 2);
        let step = "  choose at in mine\n  choose to in beside(at)\n  move at -> to\n";
        assert_eq!(work_of(step), 16 * 4 * 3);
        let either = "  either a\n    choose at in mine\n    clear at\n  or b\n    choose n in 2..4\n    if n == 3: clear mine\n";
        assert_eq!(work_of(either), (16 + 3) * 4);
        let repeat =
            "  let at = a1\n  repeat 3\n    choose to in beside(at)\n    at = to\n  put x on at\n";
        assert_eq!(work_of(repeat), 4 * 4 * 4 * 9);
        // In a later round, `at` may be several cells.
        let grow =
            "  let at = a1\n  repeat 2\n    choose to in at\n    at = beside(to)\n  put x on at\n";
        assert_eq!(work_of(grow), 16 * 16 * 7);
    }

    /// A hostile text: all that a position allows would take years.
    #[test]
    fn too_much_work_is_refused() {
        let problems = |moves: String| {
            let text = format!("game Work\nboard 8 8\npiece x X O\nstuck loses\nmove\n{moves}");
            crate::Text::parse(&text).unwrap_err().to_string()
        };
        let choices: String =
            (0..7).map(|n| format!("  choose c{n} in empty\n  put x on c{n}\n")).collect();
        assert!(problems(choices).contains("too many ways"));
        let open = "  for c in empty\n    either\n      choose d in mine\n      clear d\n    or\n      choose d in theirs\n      clear d\n";
        assert!(problems(open.to_owned()).contains("give them words"));
    }

    /// A hostile text: so many loops that their product has more than 64 bits.
    #[test]
    fn nested_loops_are_refused() {
        let text = |depth: usize, within: &str| {
            let mut text = "game T\nboard 2 2\npiece x X O\nstuck loses\n".to_owned();
            let nested = |depth: usize| {
                let line = |at: usize| format!("{}repeat 256\n", "  ".repeat(at + 1));
                (0..depth).map(line).collect::<String>() + &"  ".repeat(depth + 1)
            };
            if within == "start" {
                text += &format!("start\n{}put X on a1\n", nested(depth));
            }
            text += "move\n  choose at in empty\n  put x on at\n";
            if within == "move" {
                text += &format!("{}put x on at\n", nested(depth));
            }
            crate::Text::parse(&text).map(drop).map_err(|problems| problems.to_string())
        };
        for within in ["start", "move"] {
            assert_eq!(text(1, within), Ok(()));
            for depth in 3..16 {
                let problems = text(depth, within).unwrap_err();
                assert!(problems.contains("steps"), "{within} {depth}: {problems}");
            }
        }
    }

    /// Found by a random text: a way in which the game ends early makes fewer choices than others.
    #[test]
    fn ways_that_end_early_make_fewer_choices() {
        let text = |first: &str| {
            let text = format!(
                "game T\nboard 2 2\npiece man X O\nstuck loses\nmove\n  choose at in empty\n  put man on at\n  \
                 either\n    {first}\n    choose c in mine\n    clear c\n  or\n    put man on all\n"
            );
            crate::Text::parse(&text).map(drop).map_err(|problems| problems.to_string())
        };
        assert_eq!(text("clear a1"), Ok(()));
        assert!(text("if theirs: win").unwrap_err().contains("same choices"));
        let loops = "game T\nboard 2 2\npiece man X O\nstuck loses\nmove\n  repeat 2\n    if mine: stop\n    \
                     choose c in empty\n    put man on c\n";
        let rules = crate::Text::parse(loops).unwrap().rules(&[]).unwrap();
        assert_eq!(choices(&rules.sides[0].moves), [0, 2]);
    }

    /// What was found by a reviewer: the sets were compared as if nothing had changed before.
    #[test]
    fn choices_after_changes_are_not_told_apart() {
        let text = "game T\nboard 2 2\npiece man X O\nstuck loses\nstart\n  put X on a1 | b1\nmove\n  either\n    \
                    choose at in mine\n    clear at\n  or\n    clear mine\n    choose at in empty & row(1)\n    \
                    put man on at\n";
        let problems = crate::Text::parse(text).unwrap_err().to_string();
        assert!(problems.contains("same choices") || problems.contains("words"), "{problems}");
    }

    #[test]
    fn sets_of_different_pieces_are_apart() {
        let (mine, theirs) = (Set::State(0), Set::State(1));
        let both = Set::Union(vec![mine.clone(), theirs.clone()]);
        let empty = Set::Minus(Box::new(Set::Cells(511)), Box::new(both.clone()));
        assert!(apart(&mine, &theirs, 2));
        assert!(!apart(&mine, &theirs, 1), "a mark may be anywhere");
        assert!(apart(&empty, &mine, 2) && apart(&both, &empty, 2));
        assert!(!apart(&mine, &mine, 2) && !apart(&both, &mine, 2));
        let corner = Set::Both(vec![Set::Cells(1), mine.clone()]);
        assert!(apart(&corner, &Set::Both(vec![Set::Cells(6), mine]), 2));
    }
}
