//! Calls: functions of sets and numbers, steps in directions, counts on cells.

use std::sync::Arc;

use super::build::{Builder, Built};
use super::expression::Value;
use super::fold::*;
use super::tree::*;
use crate::board::{self, Cells, Shape, bit};
use crate::problem::{Span, did_you_mean};
use crate::syntax::{Expr, ExprKind, Token};

/// Functions, with their arguments.
pub(crate) const FUNCTIONS: [(&str, &str); 20] = [
    ("row", "row(number), or row(cell)"),
    ("column", "column(number), or column(cell)"),
    ("cell", "cell(number), or cell(column, row)"),
    ("index", "index(cell)"),
    ("cells", "cells(first, last)"),
    ("count", "count(set)"),
    ("line", "line(set, length), then maybe directions"),
    ("flood", "flood(from, within), then maybe directions"),
    ("ray", "ray(from, through), then maybe directions"),
    ("between", "between(from, through, to), then maybe directions"),
    ("beyond", "beyond(from, through, to), then maybe directions"),
    ("hop", "hop(from, over, to), then maybe directions"),
    ("jumped", "jumped(from, over, to), then maybe directions"),
    ("around", "around(set)"),
    ("beside", "beside(set)"),
    ("full", "full(set)"),
    ("opposite", "opposite(set)"),
    ("sow", "sow(cell), or sow(cell, skip)"),
    ("min", "min(number, number)"),
    ("max", "max(number, number)"),
];

impl Builder<'_> {
    /// One arm for each function.
    pub(super) fn call(&mut self, name: &Token, arguments: &[Expr], span: Span) -> Built<Value> {
        let text = name.text.as_str();
        if let Some(direction) = self.direction(text) {
            if let Some(local) = self.locals.iter_mut().rev().find(|local| local.name == text) {
                local.used = true;
            }
            let [of] = self.arguments(text, arguments, span)?;
            let of = self.set(of)?;
            return Ok(Value::Set(self.step(direction, of)));
        }
        if let Some(count) = self.tree.counts.iter().position(|count| count.name.text == text) {
            let [over] = self.arguments(text, arguments, span)?;
            let over = self.set(over)?;
            return Ok(Value::Number(Number::Sum { count, over: Box::new(over) }));
        }
        let tree = self.tree;
        if let Some(define) = tree.defines.iter().find(|define| define.name.text == text) {
            return self.expand(define, arguments, span);
        }
        Ok(match text {
            "row" | "column" | "cell" | "cells" | "index" => {
                self.by_place(text, arguments, span)?
            }
            "count" => {
                let [of] = self.arguments(text, arguments, span)?;
                Value::Number(size(self.set(of)?))
            }
            "min" | "max" => {
                let [one, other] = self.arguments(text, arguments, span)?;
                let (one, other) = (self.number(one)?, self.number(other)?);
                let sign = if text == "min" { Sign::Least } else { Sign::Most };
                Value::Number(calculate(sign, one, other))
            }
            "line" => {
                let ([within, length], directions) = self.with_directions(text, arguments, span)?;
                let within = self.set(within)?;
                let length = self.known_number(length)?;
                if !(2..=board::MAX_CELLS as i64).contains(&length) {
                    return self.fail(arguments[1].span, "expected a length of at least 2");
                }
                let rows = self.rows(length as usize, directions.as_deref());
                Value::Set(rows_within(rows, within))
            }
            "flood" => {
                let ([from, within], directions) = self.with_directions(text, arguments, span)?;
                let (from, within) = (self.set(from)?, self.set(within)?);
                let directions = directions.unwrap_or_else(|| self.board.edges.clone());
                let table = self.joined(&directions);
                Value::Set(fold_set(Set::Flood {
                    from: Box::new(from),
                    within: Box::new(within),
                    table,
                }))
            }
            "ray" => {
                let ([from, through], directions) = self.with_directions(text, arguments, span)?;
                let (from, through) = (self.set(from)?, self.set(through)?);
                let rays = self.rays(directions.as_deref(), span)?;
                Value::Set(fold_set(Set::Ray {
                    from: Box::new(from),
                    through: Box::new(through),
                    rays,
                }))
            }
            "between" | "beyond" | "hop" | "jumped" => {
                let ([from, through, to], directions) =
                    self.with_directions(text, arguments, span)?;
                let (from, through, to) = (
                    Box::new(self.set(from)?),
                    Box::new(self.set(through)?),
                    Box::new(self.set(to)?),
                );
                let rays = self.rays(directions.as_deref(), span)?;
                let max = if matches!(text, "hop" | "jumped") { 1 } else { board::MAX_CELLS };
                Value::Set(fold_set(match text {
                    "between" | "jumped" => Set::Between { from, through, to, rays, max },
                    _ => Set::Beyond { from, through, to, rays, max },
                }))
            }
            "around" | "beside" => {
                let [of] = self.arguments(text, arguments, span)?;
                let of = self.set(of)?;
                let directions = match text {
                    "beside" => self.board.edges.clone(),
                    _ => (0..self.board.directions.len()).collect(),
                };
                Value::Set(stepped(self.joined(&directions), of))
            }
            "opposite" => {
                let [of] = self.arguments(text, arguments, span)?;
                let of = self.set(of)?;
                let Shape::Ring { stores } = self.board.shape else {
                    return self.fail(span, "only cells of a ring have an opposite cell");
                };
                let count = self.board.cells.len();
                let last = count - 1 - usize::from(stores);
                // Stores have none; the first one would be opposite to itself.
                let is_store = |cell: usize| stores && (cell == last / 2 || cell > last);
                let across = |cell: usize| if is_store(cell) { 0 } else { bit(last - cell) };
                Value::Set(stepped((0..count).map(across).collect(), of))
            }
            "full" => {
                let [of] = self.arguments(text, arguments, span)?;
                let of = self.set(of)?;
                if self.layout.counts.len() != 1 {
                    return self.fail(span, "`full` needs a game with one `count`");
                }
                Value::Set(Set::Full { count: 0, of: Box::new(of) })
            }
            "sow" => return self.fail(span, "`sow` stands alone: `let last = sow(cell, skip)`"),
            other => {
                let names = FUNCTIONS.iter().map(|(name, _)| *name);
                let directions: Vec<_> =
                    self.board.directions.iter().map(|(name, _)| *name).collect();
                let ways = self.tree.ways.iter().map(|way| way.name.text.as_str());
                let counts = self.tree.counts.iter().map(|count| count.name.text.as_str());
                let near = did_you_mean(other, names.chain(directions).chain(ways).chain(counts));
                let message = format!("no direction and no function is called `{other}`{near}");
                return self.fail(name.span, message);
            }
        })
    }

    /// Cells by the numbers of their places, and such numbers of a cell.
    fn by_place(&mut self, text: &str, arguments: &[Expr], span: Span) -> Built<Value> {
        match (text, arguments) {
            ("cell", [column, row]) => {
                let (column, row) = (self.placed("column", column)?, self.placed("row", row)?);
                match (column, row) {
                    (Value::Set(column), Value::Set(row)) => match both(vec![column, row]) {
                        Set::Cells(0) => self.fail(span, "the board has no cell there"),
                        cell => Ok(Value::Set(cell)),
                    },
                    _ => self.fail(span, "expected the numbers of a column and a row"),
                }
            }
            ("cells", _) => {
                let [from, to] = self.arguments(text, arguments, span)?;
                let (from, to) = (self.known_number(from)?, self.known_number(to)?);
                let count = self.board.cells.len() as i64;
                if from < 1 || to < from || to > count {
                    return self.fail(
                        span,
                        format!("expected cells from 1 to {count}, found {from} to {to}"),
                    );
                }
                let cells = (from..=to).fold(0, |set, cell| set | bit(cell as usize - 1));
                Ok(Value::Set(Set::Cells(cells)))
            }
            _ => {
                let [at] = self.arguments(text, arguments, span)?;
                self.placed(text, at)
            }
        }
    }

    /// The cells of a row or column, or the cell, with a number; of a cell, the number of its row, its column, or its own.
    fn placed(&mut self, text: &str, at: &Expr) -> Built<Value> {
        if let ("cell", ExprKind::Name(name)) = (text, &at.kind)
            && let Some(cell) = self.board.cell(name)
        {
            return Ok(Value::Set(Set::Cells(bit(cell))));
        }
        let board = &self.board;
        // What is between squares is in no row and no column.
        let is_edged = board.shape == Shape::Edged;
        let part = if is_edged { 2 } else { 1 };
        let places = board.cells.iter().enumerate().map(|(number, cell)| match text {
            "row" | "column" if is_edged && board.squares_of(number) > 1 => 0,
            "row" => (board.rows - 1 - cell.row) / part + 1,
            "column" => cell.column / part + 1,
            _ => number + 1,
        });
        let places: Vec<usize> = places.collect();
        // The cells whose number has a binary digit 1.
        let digit = |nth: u32| {
            let has = |(_, place): &(usize, &usize)| *place >> nth & 1 == 1;
            places.iter().enumerate().filter(has).fold(0, |set, (cell, _)| set | bit(cell))
        };
        let last = places.iter().max().copied().unwrap_or(0);
        let digits = usize::BITS - last.leading_zeros();
        let value = |number: i64| Number::Value(number);
        match (text, self.any_value(at)?) {
            ("row" | "column" | "index", Value::Set(of)) => {
                self.spend(of.size() * u64::from(digits), at.span)?;
                let part = |nth| {
                    let count = size(both(vec![of.clone(), Set::Cells(digit(nth))]));
                    calculate(Sign::Times, value(1 << nth), count)
                };
                let sum = |all, nth| calculate(Sign::Plus, all, part(nth));
                Ok(Value::Number((0..digits).fold(value(0), sum)))
            }
            ("row" | "column" | "cell", Value::Number(Number::Value(number))) => {
                let is = |(_, place): &(usize, &usize)| **place as i64 == number && number > 0;
                let found = places.iter().enumerate().filter(is);
                match found.fold(0, |set, (cell, _)| set | bit(cell)) {
                    // What a parameter makes of it may be none.
                    0 if is_written_out(&at.kind) => {
                        let gaps = match self.board.shape {
                            Shape::Rectangle { layers: 2.. } => {
                                ", counted with the gaps between boards"
                            }
                            _ => "",
                        };
                        let message =
                            format!("the board has no {text} {number}; the last is {last}{gaps}");
                        self.fail(at.span, message)
                    }
                    cells => Ok(Value::Set(Set::Cells(cells))),
                }
            }
            ("row" | "column" | "cell", Value::Number(number)) => {
                // Each binary digit of the number keeps half of the cells.
                let (given, local) = (self.local_before(at.span)?, self.local_before(at.span)?);
                self.say_before(Statement::NumberLocal { local: given, value: number });
                self.say_before(Statement::SetLocal { local, value: Set::Cells(self.board.all()) });
                let keep = |value| vec![Statement::SetLocal { local, value }];
                for nth in 0..digits {
                    let halved = calculate(Sign::Divide, Number::Local(given), value(1 << nth));
                    let odd = equal(calculate(Sign::Remainder, halved, value(2)), value(1));
                    let cells = Set::Cells(digit(nth));
                    self.say_before(Statement::If {
                        condition: odd,
                        then: keep(both(vec![Set::Local(local), cells.clone()])),
                        otherwise: keep(minus(Set::Local(local), cells)),
                    });
                }
                let [below, above] = [
                    less(Number::Local(given), value(1)),
                    less(value(last as i64), Number::Local(given)),
                ];
                self.say_before(Statement::If {
                    condition: either(vec![below, above]),
                    then: keep(Set::Cells(0)),
                    otherwise: Vec::new(),
                });
                Ok(Value::Set(Set::Local(local)))
            }
            ("index", _) => self.fail(at.span, "expected a cell, whose number is wanted"),
            (_, Value::Set(_)) => {
                self.fail(at.span, "expected the number of a cell, found a set of cells")
            }
            _ => self.fail(at.span, "expected a number or a cell"),
        }
    }

    /// A fixed number of arguments.
    fn arguments<'e, const N: usize>(
        &mut self,
        name: &str,
        all: &'e [Expr],
        span: Span,
    ) -> Built<[&'e Expr; N]> {
        if all.len() == N {
            return Ok(std::array::from_fn(|at| &all[at]));
        }
        let usual = FUNCTIONS.iter().find(|(each, _)| *each == name);
        let usual = usual.map_or(format!("{name}(set)"), |(_, usual)| (*usual).to_owned());
        self.miscounted(&usual, all.len(), span)
    }

    /// The problem with another number of arguments than a call needs.
    pub(super) fn miscounted<T>(&mut self, usual: &str, count: usize, span: Span) -> Built<T> {
        let s = if count == 1 { "" } else { "s" };
        self.fail(span, format!("expected `{usual}`, found {count} argument{s}"))
    }

    /// A fixed number of arguments, then names of directions.
    fn with_directions<'e, const N: usize>(
        &mut self,
        name: &str,
        all: &'e [Expr],
        span: Span,
    ) -> Built<([&'e Expr; N], Option<Vec<usize>>)> {
        let (plain, directions) = all.split_at(N.min(all.len()));
        let plain = self.arguments(name, plain, span)?;
        if directions.is_empty() {
            return Ok((plain, None));
        }
        let mut found = Vec::new();
        for each in directions {
            let direction = match &each.kind {
                ExprKind::Name(name) => self.direction(name),
                _ => None,
            };
            match direction {
                Some(direction) => found.push(direction),
                None => return self.fail(each.span, "expected a direction, such as n or se"),
            }
        }
        found.sort_unstable();
        found.dedup();
        Ok((plain, Some(found)))
    }

    /// The cells that any of some directions leads to.
    pub(super) fn joined(&mut self, directions: &[usize]) -> Arc<[Cells]> {
        let board = &self.board;
        let all = |cell: usize| {
            directions.iter().fold(0, |set, direction| set | board.directions[*direction].1[cell])
        };
        let make = || (0..board.cells.len()).map(all).collect();
        self.tables.steps.entry(directions.to_vec()).or_insert_with(make).clone()
    }

    fn rays(&mut self, directions: Option<&[usize]>, span: Span) -> Built<Rays> {
        let keep = |direction: usize| directions.is_none_or(|all| all.contains(&direction));
        let key = directions.map(<[usize]>::to_vec);
        if let Some(rays) = self.tables.rays.get(&key) {
            return Ok(rays.clone());
        }
        let from = self.board.rays.iter().map(|rays| {
            let kept = rays.iter().filter(|ray| keep(ray.direction));
            kept.map(|ray| ray.cells.clone().into()).collect()
        });
        let rays: Rays = from.collect();
        self.spend(rays.cells / 16 + 1, span)?;
        self.tables.rays.insert(key, rays.clone());
        Ok(rays)
    }

    /// All straight rows of `length` cells; with directions, only those along one of them.
    fn rows(&mut self, length: usize, directions: Option<&[usize]>) -> Arc<[Cells]> {
        let board = &self.board;
        let keep = |line: &[u8]| {
            directions.is_none_or(|all| {
                let along = |from: u8, to: u8, direction: &usize| {
                    board.directions[*direction].1[usize::from(from)] & bit(to.into()) != 0
                };
                all.iter().any(|direction| {
                    along(line[0], line[1], direction) || along(line[1], line[0], direction)
                })
            })
        };
        let make = || {
            let lines = board.lines.iter().filter(|line| keep(line));
            let rows = lines.flat_map(|line| line.windows(length));
            let set = |row: &[u8]| row.iter().fold(0, |set, cell| set | bit(usize::from(*cell)));
            // A line that closes comes to its first cell again.
            let rows = rows.map(set).filter(|row| row.count_ones() as usize == length);
            let mut rows: Vec<Cells> = rows.collect();
            rows.sort_unstable();
            rows.dedup();
            rows.into()
        };
        let place = (length, directions.map(<[usize]>::to_vec));
        self.tables.rows.entry(place).or_insert_with(make).clone()
    }
}

/// Whether an expression is a number of the text, and nothing is calculated.
fn is_written_out(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Negative(of) => is_written_out(&of.kind),
        kind => matches!(kind, ExprKind::Number(_)),
    }
}
