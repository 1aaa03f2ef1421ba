//! Rules with other names: cells are renamed, and perhaps sides exchanged. What has no order is
//! sorted, and the names in blocks are numbered anew, so that the same rules are equal.

use std::sync::Arc;

use super::terms::Terms;
use crate::board::{Cells, bit, cells};
use crate::typed::{
    Block, Number, Piece, Rays, Rules, Set, SideRules, Sign, Statement, Stuck, Truth,
};

/// New names of cells, sets and numbers.
pub(super) struct Renaming<'a> {
    to: &'a [u8],
    sets: Vec<usize>,
    numbers: Vec<usize>,
    /// The new number of each name that is in use.
    names: Vec<Option<usize>>,
    /// Whether questions for the cells of a set are written by [`Terms`].
    terms: Option<Terms>,
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
        Renaming { to, sets, numbers, names: Vec::new(), terms: None }
    }

    /// Writes questions for the cells of a set by [`Terms`], too.
    pub fn with_terms(mut self) -> Self {
        self.terms = Some(Terms::new(self.to.len()));
        self
    }

    /// The rules of both sides; `None` if the order of cells matters.
    pub fn sides(&mut self, sides: &[SideRules; 2]) -> Option<[SideRules; 2]> {
        Some([self.side(&sides[0])?, self.side(&sides[1])?])
    }

    fn side(&mut self, side: &SideRules) -> Option<SideRules> {
        self.names = vec![None; side.locals];
        Some(SideRules {
            moves: self.block(&side.moves)?,
            end: self.block(&side.end)?,
            stuck: match &side.stuck {
                Stuck::Never => Stuck::Never,
                Stuck::Ends(block) => Stuck::Ends(self.block(block)?),
                Stuck::Passes(block) => Stuck::Passes(self.block(block)?),
            },
            locals: side.locals,
        })
    }

    /// A block; the names that it sets first are its own.
    fn block(&mut self, block: &Block) -> Option<Block> {
        let before = self.names.clone();
        let renamed: Option<Block> =
            block.iter().map(|statement| self.statement(statement)).collect();
        self.names = before;
        renamed.map(sort_cases)
    }

    /// The number of a name that gets a value.
    fn set_name(&mut self, local: usize) -> usize {
        let free = self.names.iter().flatten().count();
        *self.names[local].get_or_insert(free)
    }

    /// The number of a name that has a value.
    fn name(&self, local: usize) -> usize {
        self.names.get(local).copied().flatten().unwrap_or(usize::MAX - local)
    }

    fn statement(&mut self, statement: &Statement) -> Option<Statement> {
        Some(match statement {
            // Its cells come in order.
            Statement::For { .. } => return None,
            Statement::Choose { local, from } => {
                let from = self.set(from);
                Statement::Choose { local: self.set_name(*local), from }
            }
            Statement::Pick { local, from, to } => {
                Statement::Pick { local: *local, from: self.number(from), to: self.number(to) }
            }
            Statement::SetLocal { local, value } => {
                let value = self.set(value);
                Statement::SetLocal { local: self.set_name(*local), value }
            }
            Statement::NumberLocal { local, value } => {
                let value = self.number(value);
                Statement::NumberLocal { local: self.set_name(*local), value }
            }
            Statement::TruthLocal { local, value } => {
                let value = self.truth(value);
                Statement::TruthLocal { local: self.set_name(*local), value }
            }
            Statement::Require(condition) => Statement::Require(self.truth(condition)),
            Statement::If { condition, then, otherwise } => Statement::If {
                condition: self.truth(condition),
                then: self.block(then)?,
                otherwise: self.block(otherwise)?,
            },
            Statement::Either { alternatives, labels } => {
                let mut alternatives: Vec<Block> =
                    alternatives.iter().map(|each| self.block(each)).collect::<Option<_>>()?;
                // Neither the order of moves nor their names matter.
                alternatives.sort();
                Statement::Either { alternatives, labels: vec![0; labels.len()] }
            }
            Statement::Repeat { times, body } => {
                Statement::Repeat { times: self.number(times), body: self.block(body)? }
            }
            Statement::Stop => Statement::Stop,
            Statement::Put { set, on } => Statement::Put { set: self.sets[*set], on: self.set(on) },
            Statement::Clear(on) => Statement::Clear(self.set(on)),
            Statement::Mark { set, value } => {
                Statement::Mark { set: self.sets[*set], value: self.set(value) }
            }
            Statement::Move { from, to } => {
                Statement::Move { from: self.set(from), to: self.set(to) }
            }
            Statement::Permute { table } => Statement::Permute { table: self.steps(table) },
            Statement::SetCount { count, cell, change, value } => Statement::SetCount {
                count: *count,
                cell: self.set(cell),
                change: *change,
                value: self.number(value),
            },
            Statement::SetNumber { number, value } => {
                Statement::SetNumber { number: self.numbers[*number], value: self.number(value) }
            }
            Statement::Sow { local, count, from, skip, next } => {
                let (from, skip) = (self.set(from), self.set(skip));
                let (local, next) = (self.set_name(*local), self.steps(next));
                Statement::Sow { local, count: *count, from, skip, next }
            }
            Statement::Again => Statement::Again,
            Statement::Finish(value) => Statement::Finish(self.number(value)),
        })
    }

    fn cells(&self, set: Cells) -> Cells {
        cells(set).fold(0, |all, cell| all | bit(self.to[cell].into()))
    }

    /// A cell for each cell.
    fn steps(&self, table: &[u8]) -> Arc<[u8]> {
        let mut renamed = table.to_vec();
        for (from, to) in table.iter().enumerate() {
            renamed[usize::from(self.to[from])] = self.to[usize::from(*to)];
        }
        renamed.into()
    }

    /// A set for each cell.
    fn table(&self, table: &[Cells]) -> Arc<[Cells]> {
        let mut renamed = table.to_vec();
        for (from, to) in table.iter().enumerate() {
            renamed[usize::from(self.to[from])] = self.cells(*to);
        }
        renamed.into()
    }

    fn rays(&self, rays: &Rays) -> Rays {
        let mut renamed = rays.to_vec();
        for (from, rays) in rays.iter().enumerate() {
            let ray =
                |ray: &Arc<[u8]>| ray.iter().map(|cell| self.to[usize::from(*cell)]).collect();
            let mut rays: Vec<Arc<[u8]>> = rays.iter().map(ray).collect();
            rays.sort();
            renamed[usize::from(self.to[from])] = rays;
        }
        renamed.into()
    }

    fn boxed(&self, set: &Set) -> Box<Set> {
        Box::new(self.set(set))
    }

    fn sorted(&self, parts: &[Set]) -> Vec<Set> {
        let mut parts: Vec<Set> = parts.iter().map(|part| self.set(part)).collect();
        parts.sort();
        parts
    }

    fn set(&self, set: &Set) -> Set {
        match set {
            Set::Cells(cells) => Set::Cells(self.cells(*cells)),
            Set::State(set) => Set::State(self.sets[*set]),
            Set::Local(local) => Set::Local(self.name(*local)),
            Set::Union(parts) => Set::Union(self.sorted(parts)),
            Set::Both(parts) => Set::Both(self.sorted(parts)),
            Set::Minus(one, other) => Set::Minus(self.boxed(one), self.boxed(other)),
            Set::Step { table, of } => Set::Step { table: self.table(table), of: self.boxed(of) },
            Set::Rows { rows, within } => {
                let mut rows: Vec<Cells> = rows.iter().map(|row| self.cells(*row)).collect();
                rows.sort_unstable();
                Set::Rows { rows: rows.into(), within: self.boxed(within) }
            }
            Set::Flood { from, within, table } => Set::Flood {
                from: self.boxed(from),
                within: self.boxed(within),
                table: self.table(table),
            },
            Set::Ray { from, through, rays } => Set::Ray {
                from: self.boxed(from),
                through: self.boxed(through),
                rays: self.rays(rays),
            },
            Set::Between { from, through, to, rays, most } => Set::Between {
                from: self.boxed(from),
                through: self.boxed(through),
                to: self.boxed(to),
                rays: self.rays(rays),
                most: *most,
            },
            Set::Beyond { from, through, to, rays, most } => Set::Beyond {
                from: self.boxed(from),
                through: self.boxed(through),
                to: self.boxed(to),
                rays: self.rays(rays),
                most: *most,
            },
            Set::Full { count, of } => Set::Full { count: *count, of: self.boxed(of) },
        }
    }

    pub fn number(&self, number: &Number) -> Number {
        let boxed = |number: &Number| Box::new(self.number(number));
        match number {
            Number::Value(value) => Number::Value(*value),
            Number::Local(local) => Number::Local(self.name(*local)),
            Number::State(number) => Number::State(self.numbers[*number]),
            Number::Size(set) => Number::Size(self.boxed(set)),
            Number::Sum { count, over } => Number::Sum { count: *count, over: self.boxed(over) },
            Number::Negative(inner) => Number::Negative(boxed(inner)),
            Number::Calculate(sign, one, other) => {
                let mut both = [boxed(one), boxed(other)];
                if matches!(sign, Sign::Plus | Sign::Times | Sign::Least | Sign::Most) {
                    both.sort();
                }
                let [one, other] = both;
                Number::Calculate(*sign, one, other)
            }
        }
    }

    fn truth(&self, truth: &Truth) -> Truth {
        let sorted = |parts: &[Truth]| {
            let mut parts: Vec<Truth> = parts.iter().map(|part| self.truth(part)).collect();
            parts.sort();
            parts
        };
        match truth {
            Truth::Known(known) => Truth::Known(*known),
            Truth::Local(local) => Truth::Local(self.name(*local)),
            Truth::Any(set) => {
                let set = self.set(set);
                let terms = self.terms.as_ref().and_then(|terms| terms.any(&set));
                terms.unwrap_or_else(|| Truth::Any(either_way(set)))
            }
            Truth::Same(one, other) => {
                let mut both = [self.set(one), self.set(other)];
                both.sort();
                let [one, other] = both;
                Truth::Same(one, other)
            }
            Truth::Equal(one, other) => {
                let mut both = [self.number(one), self.number(other)];
                both.sort();
                let [one, other] = both;
                Truth::Equal(one, other)
            }
            Truth::Less(one, other) => Truth::Less(self.number(one), self.number(other)),
            Truth::Not(inner) => Truth::Not(Box::new(self.truth(inner))),
            Truth::All(parts) => Truth::All(sorted(parts)),
            Truth::Either(parts) => Truth::Either(sorted(parts)),
        }
    }
}

/// Cases, of which one at most is run whatever their order, are sorted: statements `if` one after the
/// other that ask whether the same chosen cell is in sets without a common cell.
fn sort_cases(mut block: Block) -> Block {
    let mut from = 0;
    while from < block.len() {
        let mut to = from;
        let mut all = 0;
        let of = case(&block, from).map(|(local, _)| local);
        while let Some((local, cells)) = case(&block, to)
            && Some(local) == of
            && all & cells == 0
        {
            all |= cells;
            to += 1;
        }
        block[from..to].sort();
        from = to.max(from + 1);
    }
    block
}

/// The name and the cells of a case; the name is a choice that nothing changes.
fn case(block: &Block, at: usize) -> Option<(usize, Cells)> {
    let Statement::If { condition: Truth::Any(Set::Both(parts)), otherwise, .. } = block.get(at)?
    else {
        return None;
    };
    let [Set::Cells(cells), Set::Local(local)] = parts[..] else { return None };
    let chosen = |statement: &Statement| matches!(statement, Statement::Choose { local: other, .. } if *other == local);
    let changed = |statement: &Statement| matches!(statement, Statement::SetLocal { local: other, .. } if *other == local);
    fn any(block: &Block, is: &dyn Fn(&Statement) -> bool) -> bool {
        block
            .iter()
            .any(|statement| is(statement) || statement.blocks().any(|block| any(block, is)))
    }
    let chosen = block[..at].iter().any(chosen);
    (otherwise.is_empty() && chosen && !any(block, &changed)).then_some((local, cells))
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
    ends.sort();
    let [from, rest] = ends;
    Set::Both(vec![rest, Set::Flood { from: Box::new(from), within, table }])
}

/// Whether each cell is a neighbour of its neighbours.
fn is_mutual(table: &[Cells]) -> bool {
    let mut each = table.iter().enumerate();
    each.all(|(from, to)| cells(*to).all(|to| table[to] & bit(from) != 0))
}
