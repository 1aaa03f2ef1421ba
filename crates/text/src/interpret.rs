//! The plain interpreter: what the rules mean, statement by statement. The compiled code is held
//! against it.
//!
//! A block is run again for each combination of choices. A script says which option to take at each
//! choice; where it ends, the first option is taken. So nothing has to be undone.

use std::cell::RefCell;
use std::collections::HashSet;

use crate::board::{Cells, bit, cells};
use crate::budget::Budget;
use crate::choices::{Choice, Choices, LARGEST, MAX_CHOICES, MAX_MOVES};
use crate::fault::{Fault, is_there};
use crate::state::Position;
use crate::typed::{
    Block, Layout, MAX_PREFERRED, MAX_SCORE, Number, Rays, Rules, Set, Statement, Stuck, Truth,
};

/// A loop runs at most this often.
pub(crate) const MAX_TIMES: i64 = 256;

/// How a block goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    Next,
    /// Out of the innermost loop.
    Stop,
    /// These choices are no move.
    Illegal,
    /// The game ends, with this value for the side that moves.
    Finished(i32),
}

#[derive(Clone, Copy, Debug)]
enum Local {
    Set(Cells),
    Number(i64),
    Truth(bool),
}

/// One run of a block.
struct Run<'a> {
    layout: &'a Layout,
    position: Position,
    locals: Vec<Local>,
    /// The option to take at each choice, and how many options there were.
    script: Vec<(usize, usize)>,
    at: usize,
    choices: Choices,
    again: bool,
    /// By what the move is preferred to others.
    preferred: i64,
    /// What looking at parts takes steps of; the run ends if none are left.
    budget: &'a Budget,
    /// The statements that were run, if that is asked for.
    seen: Option<&'a Seen>,
}

/// Statements that were run, by their places in memory.
#[derive(Debug, Default)]
pub(crate) struct Seen(RefCell<HashSet<*const Statement>>);

impl Seen {
    /// How many they are.
    pub fn count(&self) -> usize {
        self.0.borrow().len()
    }
}

impl<'a> Run<'a> {
    fn new(layout: &'a Layout, position: &Position, locals: usize, budget: &'a Budget) -> Run<'a> {
        Run {
            layout,
            position: position.clone(),
            locals: vec![Local::Truth(false); locals],
            script: Vec::new(),
            at: 0,
            choices: Choices::NONE,
            again: false,
            preferred: 0,
            budget,
            seen: None,
        }
    }

    /// Takes steps. Where they are too many, the run ends at its next statement.
    fn count(&self, parts: usize) {
        let _ = self.budget.take(parts as u64);
    }

    /// The cells of a set that is gone through.
    fn each(&self, of: Cells) -> impl Iterator<Item = usize> + use<> {
        self.count(of.count_ones() as usize / 8);
        cells(of)
    }

    /// Begins again from a position, with the same script.
    fn begin(&mut self, position: &Position) {
        self.position.become_like(position);
        self.locals.fill(Local::Truth(false));
        (self.at, self.choices, self.again) = (0, Choices::NONE, false);
        self.preferred = 0;
    }

    /// Takes one of some options.
    fn option(&mut self, count: usize) -> usize {
        if self.at == self.script.len() {
            self.script.push((0, count));
        }
        self.at += 1;
        self.script[self.at - 1].0
    }

    fn choose(&mut self, choice: Choice) -> Flow {
        if self.choices.len() == MAX_CHOICES {
            return Flow::Illegal;
        }
        self.choices = self.choices.with(choice);
        Flow::Next
    }

    fn block(&mut self, block: &Block) -> Flow {
        for statement in block {
            match self.statement(statement) {
                Flow::Next => {}
                flow => return flow,
            }
        }
        Flow::Next
    }

    /// What a statement does: one arm for each kind.
    fn statement(&mut self, statement: &Statement) -> Flow {
        self.count(1);
        if self.budget.is_spent() {
            return Flow::Illegal;
        }
        if let Some(Seen(seen)) = self.seen {
            seen.borrow_mut().insert(std::ptr::from_ref(statement));
        }
        match statement {
            Statement::Choose { local, from } => {
                let from = self.set(from);
                if from == 0 {
                    return Flow::Illegal;
                }
                let option = self.option(from.count_ones() as usize);
                let cell = cells(from).nth(option).unwrap_or(0);
                self.locals[*local] = Local::Set(bit(cell));
                return self.choose(Choice::Cell(cell as u8));
            }
            Statement::Pick { local, from, to } => {
                let (from, to) = (self.number(from).max(0), self.number(to).min(LARGEST));
                if from > to {
                    return Flow::Illegal;
                }
                let number = from + self.option((to - from + 1) as usize) as i64;
                self.locals[*local] = Local::Number(number);
                return self.choose(Choice::Number(number as u8));
            }
            Statement::SetLocal { local, value } => {
                self.locals[*local] = Local::Set(self.set(value))
            }
            Statement::NumberLocal { local, value } => {
                self.locals[*local] = Local::Number(self.number(value));
            }
            Statement::TruthLocal { local, value } => {
                self.locals[*local] = Local::Truth(self.truth(value));
            }
            Statement::Require(condition) => {
                if !self.truth(condition) {
                    return Flow::Illegal;
                }
            }
            Statement::If { condition, then, otherwise } => {
                let block = if self.truth(condition) { then } else { otherwise };
                return self.block(block);
            }
            Statement::Either { alternatives, labels } => {
                let option = self.option(alternatives.len());
                if let Some(label) = labels.get(option)
                    && self.choose(Choice::Label(*label)) == Flow::Illegal
                {
                    return Flow::Illegal;
                }
                return self.block(&alternatives[option]);
            }
            Statement::For { local, over, body } => {
                for cell in self.each(self.set(over)) {
                    self.locals[*local] = Local::Set(bit(cell));
                    match self.block(body) {
                        Flow::Next => {}
                        Flow::Stop => break,
                        flow => return flow,
                    }
                }
            }
            Statement::Repeat { times, body } => {
                for _ in 0..self.number(times).min(MAX_TIMES) {
                    match self.block(body) {
                        Flow::Next => {}
                        Flow::Stop => break,
                        flow => return flow,
                    }
                }
            }
            Statement::Stop => return Flow::Stop,
            Statement::Put { set, on } => {
                let on = self.set(on);
                self.position.put(self.layout, *set, on);
            }
            Statement::Clear(on) => {
                let on = self.set(on);
                self.position.clear(self.layout, on);
            }
            Statement::Mark { set, value } => self.position.sets[*set] = self.set(value),
            Statement::Move { from, to } => {
                let (from, to) = (self.set(from), self.set(to));
                if from.count_ones() != 1 || to.count_ones() != 1 {
                    return Flow::Illegal;
                }
                let [from, to] = [from, to].map(|cell| cell.trailing_zeros() as usize);
                self.position.carry(self.layout, from, to);
            }
            Statement::Permute { table } => self.position.permute(table),
            Statement::SetCount { count, cell, change, value } => {
                let (on, value) = (self.set(cell), self.number(value));
                let [least, max] = self.layout.counts[*count];
                for cell in self.each(on) {
                    let before = i64::from(self.position.counts[*count][cell]);
                    let after = change.map_or(value, |sign| sign.of(before, value));
                    if after < least.into() || after > max.into() {
                        return Flow::Illegal;
                    }
                    self.position.counts[*count][cell] = after as i32;
                }
            }
            Statement::SetNumber { number, value } => {
                let value = self.number(value);
                let [least, max] = self.layout.numbers[*number];
                if value < least.into() || value > max.into() {
                    return Flow::Illegal;
                }
                self.position.numbers[*number] = value as i32;
            }
            Statement::Prefer(number) => {
                self.preferred = self.number(number);
                if !(0..=MAX_PREFERRED).contains(&self.preferred) {
                    return Flow::Illegal;
                }
            }
            Statement::Sow { local, count, from, skip, next } => {
                let skip = self.set(skip);
                let from = self.set(from);
                // Of several cells none is the first.
                if from.count_ones() != 1 && !(from != 0 && is_there(Fault::SowTakesTheFirst)) {
                    return Flow::Illegal;
                }
                let from = from.trailing_zeros() as usize;
                let [least, max] = self.layout.counts[*count];
                let counts = &mut self.position.counts[*count];
                let mut left = std::mem::replace(&mut counts[from], 0);
                let mut at = from;
                if least > 0 || (0..next.len()).all(|cell| skip & bit(cell) != 0) {
                    return Flow::Illegal;
                }
                while left > 0 {
                    at = sown_to(at, skip, next);
                    counts[at] += 1;
                    left -= 1;
                    if counts[at] > max {
                        return Flow::Illegal;
                    }
                }
                self.locals[*local] = Local::Set(bit(at));
            }
            Statement::Again => self.again = true,
            Statement::Finish(value) => {
                let value = self.number(value).clamp(-MAX_SCORE, MAX_SCORE);
                return Flow::Finished(value as i32);
            }
        }
        Flow::Next
    }

    fn set(&self, set: &Set) -> Cells {
        self.count(1);
        match set {
            Set::Cells(cells) => *cells,
            Set::State(set) => self.position.sets[*set],
            Set::Local(local) => match self.locals[*local] {
                Local::Set(set) => set,
                _ => 0,
            },
            Set::Union(parts) => parts.iter().fold(0, |all, part| all | self.set(part)),
            Set::Both(parts) => parts.iter().fold(Cells::MAX, |all, part| all & self.set(part)),
            Set::Minus(one, other) => self.set(one) & !self.set(other),
            Set::Step { table, of } => {
                self.each(self.set(of)).fold(0, |all, cell| all | table[cell])
            }
            Set::Rows { rows, within } => {
                let within = self.set(within);
                self.count(rows.len() / 8);
                rows.iter().filter(|row| within & **row == **row).fold(0, |all, row| all | row)
            }
            Set::Flood { from, within, table } => {
                let within = self.set(within);
                let mut reached = self.set(from) & within;
                loop {
                    self.count(1);
                    let stepped = self.each(reached).fold(0, |all, cell| all | table[cell]);
                    let more = (reached | stepped) & within;
                    if more == reached {
                        return reached;
                    }
                    reached = more;
                }
            }
            Set::Ray { from, through, rays } => {
                let through = self.set(through);
                self.count(rays.cells as usize / 4);
                let along = |ray: &[u8]| {
                    let on = ray.iter().map(|cell| bit((*cell).into()));
                    on.take_while(|cell| through & cell != 0).fold(0, |all, cell| all | cell)
                };
                each_ray(self.set(from), rays).fold(0, |all, ray| all | along(ray))
            }
            Set::Between { from, through, to, rays, max } => {
                let ends = (self.set(through), self.set(to), *max);
                each_ray(self.set(from), rays).fold(0, |all, ray| all | behind(ray, ends).0)
            }
            Set::Beyond { from, through, to, rays, max } => {
                let ends = (self.set(through), self.set(to), *max);
                each_ray(self.set(from), rays).fold(0, |all, ray| all | behind(ray, ends).1)
            }
            Set::Full { count, of } => {
                let full = |cell: &usize| self.position.counts[*count][*cell] != 0;
                self.each(self.set(of)).filter(full).fold(0, |all, cell| all | bit(cell))
            }
        }
    }

    fn number(&self, number: &Number) -> i64 {
        match number {
            Number::Value(value) => *value,
            Number::Local(local) => match self.locals[*local] {
                Local::Number(number) => number,
                _ => 0,
            },
            Number::State(number) => self.position.numbers[*number].into(),
            Number::Size(set) => self.set(set).count_ones().into(),
            Number::Sum { count, over } => {
                let count = &self.position.counts[*count];
                self.each(self.set(over)).map(|cell| i64::from(count[cell])).sum()
            }
            Number::Negative(inner) => self.number(inner).wrapping_neg(),
            Number::Calculate(sign, one, other) => sign.of(self.number(one), self.number(other)),
        }
    }

    fn truth(&self, truth: &Truth) -> bool {
        match truth {
            Truth::Known(known) => *known,
            Truth::Local(local) => matches!(self.locals[*local], Local::Truth(true)),
            Truth::Any(set) => self.set(set) != 0,
            Truth::Same(one, other) => self.set(one) == self.set(other),
            Truth::Equal(one, other) => self.number(one) == self.number(other),
            Truth::Less(one, other) => self.number(one) < self.number(other),
            Truth::Not(inner) => !self.truth(inner),
            Truth::All(parts) => parts.iter().all(|part| self.truth(part)),
            Truth::Either(parts) => parts.iter().any(|part| self.truth(part)),
        }
    }
}

/// The cell of the next seed in a sowing; not all cells may be left out.
pub(crate) fn sown_to(from: usize, skip: Cells, next: &[u8]) -> usize {
    let mut at = usize::from(next[from]);
    while skip & bit(at) != 0 {
        at = next[at].into();
    }
    at
}

fn each_ray(from: Cells, rays: &Rays) -> impl Iterator<Item = &[u8]> {
    cells(from).flat_map(|cell| rays[cell].iter().map(|ray| &ray[..]))
}

/// The cells of `through` at the beginning of a ray, if at least one and at most `max` of them are
/// followed by a cell of `to`; and that cell.
fn behind(ray: &[u8], (through, to, max): (Cells, Cells, usize)) -> (Cells, Cells) {
    let mut passed = 0;
    for (count, cell) in ray.iter().enumerate() {
        let cell = bit((*cell).into());
        if count > 0 && to & cell != 0 {
            return (passed, cell);
        }
        if through & cell == 0 || count == max {
            break;
        }
        passed |= cell;
    }
    (0, 0)
}

/// A set that does not depend on the position.
pub(crate) fn known(set: &Set) -> Cells {
    Run::new(&Layout::default(), &Position::default(), 0, &Budget::unlimited()).set(set)
}

/// A position after a block without choices; `None` if it breaks a range.
pub(crate) fn run_plainly(
    block: &Block,
    locals: usize,
    layout: &Layout,
    position: &Position,
) -> Option<Position> {
    let budget = Budget::unlimited();
    let mut run = Run::new(layout, position, locals, &budget);
    let flow = run.block(block);
    (flow == Flow::Next).then_some(run.position)
}

/// The value of a block for its side, if it ends the game.
fn finish(
    rules: &Rules,
    side: usize,
    block: &Block,
    position: &Position,
    budget: &Budget,
) -> Option<i32> {
    match Run::new(&rules.layout, position, rules.sides[side].locals, budget).block(block) {
        Flow::Finished(value) => Some(value),
        _ => None,
    }
}

/// A result for the first player, from the value for a side.
fn for_first(side: usize, value: i32) -> i32 {
    if side == 0 { value } else { -value }
}

/// The result of a position after a move of `side`, if the game is over; for the first player.
pub(crate) fn result_after(
    rules: &Rules,
    side: usize,
    position: &Position,
    budget: &Budget,
) -> Option<i32> {
    let end = &rules.sides[side].end;
    finish(rules, side, end, position, budget).map(|value| for_first(side, value))
}

/// A number of a position, within [`MAX_SCORE`].
pub(crate) fn score(rules: &Rules, position: &Position, number: &Number) -> i32 {
    let budget = Budget::unlimited();
    let run = Run::new(&rules.layout, position, 0, &budget);
    run.number(number).clamp(-MAX_SCORE, MAX_SCORE) as i32
}

/// Visits all choices of a side with the positions that they lead to and by what they are preferred, in order, until
/// `visit` returns `false`, or the budget is spent.
fn each_way(
    rules: &Rules,
    side: usize,
    position: &Position,
    (budget, seen): (&Budget, Option<&Seen>),
    mut visit: impl FnMut(Choices, &Position, i64) -> bool,
) {
    let own = &rules.sides[side];
    let mut run = Run::new(&rules.layout, position, own.locals, budget);
    run.seen = seen;
    loop {
        let flow = run.block(&own.moves);
        if flow != Flow::Illegal {
            let again = run.again;
            let next = &mut run.position;
            next.turn = if again { side } else { 1 - side };
            next.result = match flow {
                Flow::Finished(value) => Some(for_first(side, value)),
                Flow::Next | Flow::Stop | Flow::Illegal => result_after(rules, side, next, budget),
            };
            if !visit(run.choices, &run.position, run.preferred) {
                return;
            }
        }
        // The last choice that has another option takes it.
        loop {
            let Some((option, count)) = run.script.pop() else { return };
            if option + 1 < count {
                run.script.push((option + 1, count));
                break;
            }
        }
        if budget.is_spent() {
            return;
        }
        run.begin(position);
    }
}

fn has_way(rules: &Rules, side: usize, position: &Position, budget: &Budget) -> bool {
    let mut found = false;
    each_way(rules, side, position, (budget, None), |_, _, _| {
        found = true;
        false
    });
    found
}

/// Whether a side that passes if it cannot move is to move, cannot, and the other side can.
fn passes(rules: &Rules, position: &Position, budget: &Budget) -> bool {
    let side = position.turn;
    matches!(rules.sides[side].stuck, Stuck::Passes(_))
        && !has_way(rules, side, position, budget)
        && has_way(rules, 1 - side, position, budget)
}

/// The moves of a position, with the positions that they lead to. A pass is a move without choices.
pub(crate) fn moves(rules: &Rules, position: &Position) -> Vec<(Choices, Position)> {
    moves_within(rules, position, &Budget::unlimited(), None).unwrap_or_default()
}

/// [`moves`], and what statements are run; `None` if that spends a budget. If there are more than [`MAX_MOVES`], the list
/// has one more than that, and no others.
pub(crate) fn moves_within(
    rules: &Rules,
    position: &Position,
    budget: &Budget,
    seen: Option<&Seen>,
) -> Option<Vec<(Choices, Position)>> {
    let mut all = Vec::new();
    if position.result.is_some() {
        return Some(all);
    }
    let mut preferred = Vec::new();
    each_way(rules, position.turn, position, (budget, seen), |choices, next, by| {
        all.push((choices, next.clone()));
        if rules.prefers {
            preferred.push(by);
        }
        all.len() <= MAX_MOVES
    });
    if let Some(most) = preferred.iter().max()
        && all.len() <= MAX_MOVES
    {
        let mut by = preferred.iter();
        all.retain(|_| by.next() == Some(most));
    }
    if all.is_empty() && passes(rules, position, budget) {
        all.push((Choices::NONE, Position { turn: 1 - position.turn, ..position.clone() }));
    }
    (!budget.is_spent()).then_some(all)
}

/// The result of a position for the first player, if the game is over.
pub(crate) fn outcome(rules: &Rules, position: &Position) -> Option<i32> {
    outcome_within(rules, position, &Budget::unlimited()).unwrap_or_default()
}

/// [`outcome`]; `None` if that spends a budget.
pub(crate) fn outcome_within(
    rules: &Rules,
    position: &Position,
    budget: &Budget,
) -> Option<Option<i32>> {
    if position.result.is_some() {
        return Some(position.result);
    }
    let side = position.turn;
    let outcome = match &rules.sides[side].stuck {
        Stuck::Never => None,
        Stuck::Ends(_) | Stuck::Passes(_)
            if has_way(rules, side, position, budget) || passes(rules, position, budget) =>
        {
            None
        }
        Stuck::Ends(block) | Stuck::Passes(block) => {
            let value = finish(rules, side, block, position, budget).unwrap_or(0);
            Some(for_first(side, value))
        }
    };
    (!budget.is_spent()).then_some(outcome)
}
