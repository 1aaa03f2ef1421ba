//! Rules with other names: cells are renamed, and perhaps sides exchanged. What has no order is
//! sorted, and the names in blocks are numbered anew, so that the same rules are equal.
//!
//! A name that is left as it was could be taken for another one. So each operation lists all of its fields
//! here, each name passes by one of the small functions of [`Renaming`], and rules in which a name of a block
//! has not passed are given up.

use std::sync::Arc;

use super::order::Touched;
use super::terms::Terms;
use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::fault::{Fault, is_there};
use crate::typed::{
    Block, Number, Part, Piece, Rays, Rules, Set, SideRules, Sign, Statement, Stuck, Truth, sort,
};

/// Names of blocks have numbers from here on once they have passed.
pub(super) const RENAMED: usize = 1 << 12;

/// The most parts of statements that are looked at to sort them: blocks within blocks are looked at again.
const MAX_LOOKS: u64 = 1 << 14;

/// New names of cells, sets and numbers.
pub(super) struct Renaming<'a> {
    to: &'a [u8],
    sets: Vec<usize>,
    numbers: Vec<usize>,
    /// The new number of each name that has a value.
    names: Vec<Option<usize>>,
    /// How many more parts of statements may be looked at to sort them.
    looks: u64,
    /// Whether questions for the cells of a set are written by [`Terms`].
    terms: Option<Terms<'a>>,
}

impl<'a> Renaming<'a> {
    /// Cells go where `to` says; pieces and numbers of the sides are exchanged if that is asked for.
    pub fn new(rules: &Rules, to: &'a [u8], exchange: bool) -> Renaming<'a> {
        let mut sets: Vec<usize> = (0..rules.layout.sets).collect();
        let mut numbers: Vec<usize> = (0..rules.numbers.len()).collect();
        if exchange {
            for [first, second] in rules.pieces.iter().filter_map(Piece::of_sides) {
                sets.swap(first, second);
            }
            rules.pairs().for_each(|(first, second)| numbers.swap(first, second));
        }
        Renaming { to, sets, numbers, names: Vec::new(), looks: MAX_LOOKS, terms: None }
    }

    /// Writes questions for the cells of a set by [`Terms`], too.
    pub fn with_terms(mut self, budget: &'a Budget) -> Self {
        self.terms = Some(Terms::new(self.to.len(), budget));
        self
    }

    /// [`sides`](Self::sides), for as many steps as they have parts and tables; `None` also if that are too many.
    pub fn within(mut self, budget: &Budget, sides: &[SideRules; 2]) -> Option<[SideRules; 2]> {
        // Each part is renamed, sorted and compared, a table too.
        budget.take(sides.iter().map(|side| cost(side, self.to.len())).sum())?;
        self.sides(sides)
    }

    /// The rules of both sides; `None` if the order of cells matters.
    pub fn sides(&mut self, sides: &[SideRules; 2]) -> Option<[SideRules; 2]> {
        let mut renamed = sides.clone();
        renamed.iter_mut().try_for_each(|side| self.side(side))?;
        Some(renamed)
    }

    /// A number of the position.
    pub fn endless(&mut self, number: &Number) -> Number {
        let mut renamed = number.clone();
        self.number(&mut renamed);
        renamed
    }

    fn side(&mut self, side: &mut SideRules) -> Option<()> {
        if side.locals > RENAMED {
            return None;
        }
        self.names = vec![None; side.locals];
        let SideRules { moves, end, stuck, locals: _ } = side;
        let stuck = match stuck {
            Stuck::Never => None,
            Stuck::Ends(block) | Stuck::Passes(block) => Some(block),
        };
        for block in [moves, end].into_iter().chain(stuck) {
            self.block(block)?;
            if !block.iter().all(has_passed) {
                return None;
            }
        }
        Some(())
    }

    fn cell(&self, cell: &mut u8) {
        *cell = self.to[usize::from(*cell)];
    }

    fn cells(&self, set: &mut Cells) {
        *set = cells(*set).fold(0, |all, cell| all | bit(self.to[cell].into()));
    }

    fn set_of_position(&self, set: &mut usize) {
        *set = self.sets[*set];
    }

    fn number_of_position(&self, number: &mut usize) {
        *number = self.numbers[*number];
    }

    /// A name that gets a value.
    fn named(&mut self, local: &mut usize) {
        let free = RENAMED + self.names.iter().flatten().count();
        *local = *self.names[*local % RENAMED].get_or_insert(free);
    }

    /// A name that has a value.
    fn name(&self, local: &mut usize) {
        if let Some(renamed) = self.names.get(*local % RENAMED).copied().flatten() {
            *local = renamed;
        }
    }

    /// A cell for each cell.
    fn steps(&self, table: &mut Arc<[u8]>) {
        let mut renamed = table.to_vec();
        for (from, to) in (0..).zip(table.iter()) {
            let (mut from, mut to) = (from, *to);
            self.cell(&mut from);
            self.cell(&mut to);
            renamed[usize::from(from)] = to;
        }
        *table = renamed.into();
    }

    /// A set for each cell.
    fn table(&self, table: &mut Arc<[Cells]>) {
        let mut renamed = table.to_vec();
        for (from, to) in (0..).zip(table.iter()) {
            let (mut from, mut to) = (from, *to);
            self.cell(&mut from);
            self.cells(&mut to);
            renamed[usize::from(from)] = to;
        }
        *table = renamed.into();
    }

    /// Rays for each cell, which have no order.
    fn rays(&self, rays: &mut Rays) {
        let mut renamed = rays.to_vec();
        for (from, rays) in (0..).zip(rays.iter()) {
            let ray = |ray: &Arc<[u8]>| {
                let mut ray = ray.to_vec();
                ray.iter_mut().for_each(|cell| self.cell(cell));
                ray.into()
            };
            let mut rays: Vec<Arc<[u8]>> = rays.iter().map(ray).collect();
            sort(&mut rays);
            let mut from = from;
            self.cell(&mut from);
            renamed[usize::from(from)] = rays;
        }
        *rays = renamed.into_iter().collect();
    }

    /// Rows, which have no order.
    fn rows(&self, rows: &mut Arc<[Cells]>) {
        let mut renamed = rows.to_vec();
        renamed.iter_mut().for_each(|row| self.cells(row));
        renamed.sort_unstable();
        *rows = renamed.into();
    }

    /// A block; the names that it sets first are its own.
    fn block(&mut self, block: &mut Block) -> Option<()> {
        let before = self.names.clone();
        let renamed = self.in_order(block);
        self.names = before;
        sort_cases(block);
        renamed
    }

    /// Renames statements, and sorts those that may change places by what they are. Names get their numbers afterwards.
    fn in_order(&mut self, block: &mut Block) -> Option<()> {
        let touched: Vec<_> = block.iter().map(Touched::of).collect();
        let mut from = 0;
        while from < block.len() {
            let may_join = |to: &usize| {
                let with = |other: &Option<Touched>| {
                    let (one, other) = (touched[*to].as_ref()?, other.as_ref()?);
                    one.may_change_places_with(other).then_some(())
                };
                touched[from..*to].iter().all(|other| with(other).is_some())
            };
            let to = (from + 1..block.len()).find(|to| !may_join(to)).unwrap_or(block.len());
            self.run(&mut block[from..to])?;
            from = to;
        }
        Some(())
    }

    /// Renames statements of which none asks for what another one changes, sorted by what they are if each is the first.
    /// What is left as it is has fewer symmetries.
    fn run(&mut self, run: &mut [Statement]) -> Option<()> {
        let looks = self.looks.checked_sub(run.iter().map(Statement::size).sum());
        let Some(looks) = looks.filter(|_| run.len() > 1) else {
            return run.iter_mut().try_for_each(|statement| self.statement(statement));
        };
        self.looks = looks;
        let before = self.names.clone();
        let keyed = run.iter().map(|statement| {
            let mut first = statement.clone();
            self.statement(&mut first)?;
            self.names.clone_from(&before);
            Some((first, statement.clone()))
        });
        let mut keyed = keyed.collect::<Option<Vec<_>>>()?;
        sort(&mut keyed);
        for (place, (first, statement)) in run.iter_mut().zip(keyed) {
            *place = first;
            match (&mut *place, statement) {
                // But for its name it is as the first one would be.
                (Statement::SetLocal { local, .. }, Statement::SetLocal { local: before, .. }) => {
                    *local = before;
                    self.named(local);
                }
                (_, statement) => {
                    *place = statement;
                    self.statement(place)?;
                }
            }
        }
        Some(())
    }

    fn statement(&mut self, statement: &mut Statement) -> Option<()> {
        match statement {
            Statement::Choose { local, from } => {
                self.set(from);
                self.named(local);
            }
            Statement::Pick { local, from, to } => {
                self.number(from);
                self.number(to);
                if !is_there(Fault::PickKeepsItsNumber) {
                    self.named(local);
                }
            }
            Statement::SetLocal { local, value } => {
                self.set(value);
                self.named(local);
            }
            Statement::NumberLocal { local, value } => {
                self.number(value);
                self.named(local);
            }
            Statement::TruthLocal { local, value } => {
                self.truth(value);
                self.named(local);
            }
            Statement::Require(condition) => self.truth(condition),
            Statement::If { condition, then, otherwise } => {
                self.truth(condition);
                self.block(then)?;
                self.block(otherwise)?;
            }
            Statement::Either { alternatives, labels } => {
                alternatives.iter_mut().try_for_each(|each| self.block(each))?;
                // Neither the order of moves nor their names matter.
                sort(alternatives);
                labels.fill(0);
            }
            Statement::For { local, over, body } => {
                let outer = |name: usize| self.names[name % RENAMED].is_some();
                if !Touched::of_block(body)?.may_come_in_any_order(outer) {
                    return None;
                }
                self.set(over);
                self.named(local);
                self.block(body)?;
            }
            Statement::Repeat { times, body } => {
                self.number(times);
                self.block(body)?;
            }
            Statement::Stop | Statement::Again => {}
            Statement::Put { set, on } => {
                self.set_of_position(set);
                self.set(on);
            }
            Statement::Clear(on) => self.set(on),
            Statement::Mark { set, value } => {
                self.set_of_position(set);
                self.set(value);
            }
            Statement::Move { from, to } => {
                self.set(from);
                self.set(to);
            }
            Statement::Permute { table } => self.steps(table),
            Statement::SetCount { count: _, cell, change: _, value } => {
                self.set(cell);
                self.number(value);
            }
            Statement::SetNumber { number, value } => {
                self.number_of_position(number);
                self.number(value);
            }
            Statement::Sow { local, count: _, from, skip, next } => {
                self.set(from);
                self.set(skip);
                self.steps(next);
                self.named(local);
            }
            Statement::Prefer(value) | Statement::Finish(value) => self.number(value),
        }
        Some(())
    }

    fn set(&self, set: &mut Set) {
        set.parts_mut().into_iter().for_each(|part| self.set(part));
        match set {
            Set::Cells(cells) => self.cells(cells),
            Set::State(set) => self.set_of_position(set),
            Set::Local(local) => self.name(local),
            Set::Union(parts) | Set::Both(parts) => sort(parts),
            Set::Minus(_, _) | Set::Full { count: _, of: _ } => {}
            Set::Step { table, of: _ } | Set::Flood { from: _, within: _, table } => {
                self.table(table);
            }
            Set::Rows { rows, within: _ } => self.rows(rows),
            Set::Ray { from: _, through: _, rays }
            | Set::Between { from: _, through: _, to: _, rays, max: _ }
            | Set::Beyond { from: _, through: _, to: _, rays, max: _ } => self.rays(rays),
        }
    }

    fn number(&self, number: &mut Number) {
        match number {
            Number::Value(_) => {}
            Number::Local(local) => self.name(local),
            Number::State(number) => self.number_of_position(number),
            Number::Size(set) | Number::Sum { count: _, over: set } => self.set(set),
            Number::Negative(inner) => self.number(inner),
            Number::Calculate(sign, one, other) => {
                self.number(one);
                self.number(other);
                let either_first = match sign {
                    Sign::Plus | Sign::Times | Sign::Least | Sign::Most => true,
                    Sign::Minus | Sign::Divide | Sign::Remainder => false,
                };
                if either_first && one > other {
                    std::mem::swap(one, other);
                }
            }
        }
    }

    fn truth(&self, truth: &mut Truth) {
        match truth {
            Truth::Known(_) => {}
            Truth::Local(local) => self.name(local),
            Truth::Any(set) => {
                self.set(set);
                let terms = self.terms.as_ref().and_then(|terms| terms.any(set));
                *truth = terms.unwrap_or_else(|| Truth::Any(either_way(set.clone())));
            }
            Truth::Same(one, other) => {
                self.set(one);
                self.set(other);
                if one > other {
                    std::mem::swap(one, other);
                }
            }
            Truth::Equal(one, other) => {
                self.number(one);
                self.number(other);
                if one > other {
                    std::mem::swap(one, other);
                }
            }
            Truth::Less(one, other) => {
                self.number(one);
                self.number(other);
            }
            Truth::Not(inner) => self.truth(inner),
            Truth::All(parts) | Truth::Either(parts) => {
                parts.iter_mut().for_each(|part| self.truth(part));
                sort(parts);
            }
        }
    }
}

/// The steps of renaming rules.
fn cost(side: &SideRules, cells: usize) -> u64 {
    fn within(part: Part<'_>, cells: u64) -> u64 {
        let own = match part {
            Part::Set(Set::Step { .. } | Set::Flood { .. }) => cells,
            Part::Set(Set::Rows { rows, .. }) => rows.len() as u64,
            Part::Set(
                Set::Ray { rays, .. } | Set::Between { rays, .. } | Set::Beyond { rays, .. },
            ) => rays.cells,
            _ => 4,
        };
        own + part.parts().into_iter().map(|part| within(part, cells)).sum::<u64>()
    }
    fn of(statement: &Statement, cells: u64) -> u64 {
        let parts = statement.parts().into_iter().map(|part| within(part, cells));
        4 + parts.chain(statement.blocks().flatten().map(|inner| of(inner, cells))).sum::<u64>()
    }
    let stuck = match &side.stuck {
        Stuck::Never => None,
        Stuck::Ends(block) | Stuck::Passes(block) => Some(block),
    };
    let blocks = [&side.moves, &side.end].into_iter().chain(stuck);
    blocks.flatten().map(|statement| of(statement, cells as u64)).sum()
}

/// Whether all names of a statement have passed.
fn has_passed(statement: &Statement) -> bool {
    fn within(part: Part<'_>) -> bool {
        let local = match part {
            Part::Set(Set::Local(local))
            | Part::Number(Number::Local(local))
            | Part::Truth(Truth::Local(local)) => *local,
            part => return part.parts().into_iter().all(within),
        };
        local >= RENAMED
    }
    is_there(Fault::PickKeepsItsNumber)
        || statement.effect().local.is_none_or(|local| local >= RENAMED)
            && statement.parts().into_iter().all(within)
            && statement.blocks().flatten().all(has_passed)
}

/// Cases, of which one at most is run whatever their order, are sorted: statements `if` one after the
/// other that ask whether the same chosen cell is in sets without a common cell.
fn sort_cases(block: &mut Block) {
    let mut from = 0;
    while from < block.len() {
        let mut to = from;
        let mut all = 0;
        let of = case(block, from).map(|(local, _)| local);
        while let Some((local, cells)) = case(block, to)
            && Some(local) == of
            && all & cells == 0
        {
            all |= cells;
            to += 1;
        }
        if to > from + 1 {
            let mut cases = block[from..to].to_vec();
            sort(&mut cases);
            block[from..to].iter_mut().zip(cases).for_each(|(place, case)| *place = case);
        }
        from = to.max(from + 1);
    }
}

/// The name and the cells of a case; the name is a choice that nothing changes.
fn case(block: &Block, at: usize) -> Option<(usize, Cells)> {
    let Statement::If { condition: Truth::Any(Set::Both(parts)), then: _, otherwise } =
        block.get(at)?
    else {
        return None;
    };
    let [Set::Cells(cells), Set::Local(local)] = parts[..] else { return None };
    let chosen = |statement: &Statement| matches!(statement, Statement::Choose { local: other, from: _ } if *other == local);
    let (before, after) = block.split_at(at);
    let first = before.iter().position(chosen)?;
    let mut others = before[first + 1..].iter().chain(after);
    (otherwise.is_empty() && !others.any(|statement| statement.sets(local)))
        .then_some((local, cells))
}

/// A set of which only is asked whether it is empty. If it is the cells of one set that are connected
/// to those of another, either of them may come first.
fn either_way(set: Set) -> Set {
    let Set::Both(parts) = &set else { return set };
    let is_flood = |part: &Set| matches!(part, Set::Flood { .. });
    let Some(at) = parts.iter().position(is_flood) else { return set };
    let mut rest = parts.clone();
    let Set::Flood { from, within, table } = rest.remove(at) else { return set };
    if !is_mutual(&table) {
        return set;
    }
    let rest = if rest.len() == 1 { rest.remove(0) } else { Set::Both(rest) };
    let mut ends = [*from, rest];
    if ends[0] > ends[1] {
        ends.reverse();
    }
    let [from, rest] = ends;
    Set::Both(vec![rest, Set::Flood { from: Box::new(from), within, table }])
}

/// Whether each cell is a neighbour of its neighbours.
fn is_mutual(table: &[Cells]) -> bool {
    let mut each = table.iter().enumerate();
    each.all(|(from, to)| cells(*to).all(|to| table[to] & bit(from) != 0))
}
