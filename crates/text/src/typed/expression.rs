//! Expressions: every one is a set of cells, a number or a truth, and what is known is folded.

use std::sync::Arc;

use super::build::{Builder, Built, Kind, Setting};
use super::tree::*;
use crate::board::{self, Cells, Shape, bit};
use crate::problem::{Span, did_you_mean};
use crate::syntax::{self, End, Expr, ExprKind, Token};

/// A value of any kind.
pub(super) enum Value {
    Set(Set),
    Number(Number),
    Truth(Truth),
    /// A word of a parameter.
    Word(String),
}

impl Value {
    fn kind(&self) -> &'static str {
        match self {
            Value::Set(_) => "a set of cells",
            Value::Number(_) => "a number",
            Value::Truth(_) => "a condition",
            Value::Word(_) => "a word",
        }
    }
}

/// The names of sets that every game has.
pub(crate) const SETS: [&str; 8] =
    ["mine", "theirs", "empty", "all", "edge", "corners", "dark", "light"];

/// Functions, with their arguments.
pub(crate) const FUNCTIONS: [(&str, &str); 19] = [
    ("row", "row(number)"),
    ("column", "column(number)"),
    ("cell", "cell(name), or cell(column, row)"),
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

/// Words that cannot be names.
pub(super) const RESERVED: [&str; 40] = [
    "mine", "theirs", "empty", "all", "edge", "corners", "dark", "light", "row", "column", "cell",
    "cells", "count", "line", "flood", "ray", "between", "beyond", "hop", "jumped", "around",
    "beside", "full", "opposite", "sow", "no", "not", "and", "or", "their", "choose", "let", "if",
    "else", "either", "for", "put", "clear", "again", "ways",
];

impl Builder<'_> {
    pub fn set(&mut self, expr: &Expr) -> Built<Set> {
        match self.any_value(expr)? {
            Value::Set(set) => Ok(set),
            other => {
                self.fail(expr.span, format!("expected a set of cells, found {}", other.kind()))
            }
        }
    }

    pub fn number(&mut self, expr: &Expr) -> Built<Number> {
        match self.any_value(expr)? {
            Value::Number(number) => Ok(number),
            Value::Set(_) => self.fail(
                expr.span,
                "expected a number, found a set of cells; `count(...)` gives its size",
            ),
            other => self.fail(expr.span, format!("expected a number, found {}", other.kind())),
        }
    }

    pub fn truth(&mut self, expr: &Expr) -> Built<Truth> {
        match self.any_value(expr)? {
            Value::Truth(truth) => Ok(truth),
            Value::Set(set) => Ok(any(set)),
            Value::Number(_) => {
                self.fail(expr.span, "expected a condition, found a number; compare it, as in `... > 0`")
            }
            Value::Word(word) => {
                self.fail(expr.span, format!("expected a condition, found the word `{word}`; compare it, as in `parameter == {word}`"))
            }
        }
    }

    /// A value of whichever kind.
    pub fn any_value(&mut self, expr: &Expr) -> Built<Value> {
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(Number::Value(*number))),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Call { name, arguments } => self.call(name, arguments, expr.span),
            ExprKind::Not(inner) => Ok(Value::Truth(not(self.truth(inner)?))),
            ExprKind::Negative(inner) => Ok(Value::Number(negative(self.number(inner)?))),
            ExprKind::Binary { sign, place, left, right } => {
                self.binary(*sign, *place, left, right)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Built<Value> {
        if let Some(local) = self.locals.iter_mut().rev().find(|local| local.name == name) {
            local.used = true;
            let slot = local.slot;
            return match local.kind {
                Kind::Set => Ok(Value::Set(Set::Local(slot))),
                Kind::Number => Ok(Value::Number(Number::Local(slot))),
                Kind::Truth => Ok(Value::Truth(Truth::Local(slot))),
                Kind::Direction(_) => self.fail(
                    span,
                    format!("`{name}` is a direction; `{name}(set)` is what lies there"),
                ),
            };
        }
        match self.settings.get(name) {
            Some(Setting::Number(number)) => return Ok(Value::Number(Number::Value(*number))),
            Some(Setting::Word(word)) => return Ok(Value::Word(word.clone())),
            None => {}
        }
        let side = self.side;
        let (theirs, bare) = match name.strip_prefix("their ") {
            Some(bare) => (true, bare),
            None => (false, name),
        };
        let mut numbers = 0;
        for number in &self.tree.numbers {
            if number.name.text == bare {
                let of = if number.each { side ^ usize::from(theirs) } else { 0 };
                return Ok(Value::Number(Number::State(numbers + of)));
            }
            numbers += if number.each { 2 } else { 1 };
        }
        if theirs {
            return self.fail(
                span,
                format!("`their` needs the name of a number that each side has, found `{bare}`"),
            );
        }
        if let Some(piece) = self.pieces.iter().find(|piece| piece.name == name) {
            return Ok(Value::Set(union(piece.sets.iter().map(|set| Set::State(*set)).collect())));
        }
        if let Some(mark) = self.tree.marks.iter().position(|mark| mark.text == name) {
            return Ok(Value::Set(Set::State(self.layout.pieces + mark)));
        }
        if let Some(zone) = self.tree.zones.iter().find(|zone| zone.name.text == name) {
            if self.within.iter().any(|other| other == name) {
                return self.fail(span, format!("the zone `{name}` contains itself"));
            }
            let cells = if side == 1 { zone.second.as_ref() } else { None };
            let cells = cells.unwrap_or(&zone.cells);
            self.within.push(name.to_owned());
            let set = self.set(cells);
            self.within.pop();
            return Ok(Value::Set(set?));
        }
        if let Some(set) = self.built_in_set(name) {
            return Ok(Value::Set(set));
        }
        // Names of pieces by letter, cells by name, words of parameters.
        let mut letters = name.chars();
        if let (Some(letter), None) = (letters.next(), letters.next())
            && let Some(set) = self.set_of_letter(letter)
        {
            return Ok(Value::Set(Set::State(set)));
        }
        if let Some(cell) = self.board.cell(name) {
            return Ok(Value::Set(Set::Cells(bit(cell))));
        }
        let words = self.tree.parameters.iter().filter_map(|parameter| match &parameter.range {
            syntax::Range::Words(words) => Some(words),
            syntax::Range::Numbers { .. } => None,
        });
        if words.flatten().any(|word| word.text == name) {
            return Ok(Value::Word(name.to_owned()));
        }
        let near = self.near(name);
        self.fail(span, format!("nothing is called `{name}`{near}"))
    }

    /// The set of the pieces with a letter.
    pub fn set_of_letter(&self, letter: char) -> Option<usize> {
        let of = |piece: &super::build::Piece| {
            let at = piece.letters.iter().position(|each| *each == letter)?;
            Some(piece.sets[at])
        };
        self.pieces.iter().find_map(of)
    }

    fn built_in_set(&self, name: &str) -> Option<Set> {
        let all = self.board.all();
        let by = |holds: &dyn Fn(usize, usize) -> bool| {
            let cells = self.board.cells.iter().enumerate();
            let cells = cells.filter(|(_, cell)| holds(cell.column, cell.row));
            Set::Cells(cells.fold(0, |set, (at, _)| set | bit(at)))
        };
        let (last_column, last_row) = (self.board.columns - 1, self.board.rows - 1);
        Some(match name {
            "mine" => self.pieces_of(self.side),
            "theirs" => self.pieces_of(1 - self.side),
            "empty" => {
                minus(Set::Cells(all), union((0..self.layout.pieces).map(Set::State).collect()))
            }
            "all" => Set::Cells(all),
            "edge" => by(&|column, row| {
                column == 0 || row == 0 || column == last_column || row == last_row
            }),
            "corners" => by(&|column, row| {
                (column == 0 || column == last_column) && (row == 0 || row == last_row)
            }),
            // a1 is dark.
            "dark" => by(&|column, row| (column + last_row - row) % 2 == 0),
            "light" => by(&|column, row| (column + last_row - row) % 2 == 1),
            _ => return None,
        })
    }

    /// The pieces of a side; pieces of neither side count for none.
    fn pieces_of(&self, side: usize) -> Set {
        let owned = self.pieces.iter().filter(|piece| piece.sets.len() == 2);
        union(owned.map(|piece| Set::State(piece.sets[side])).collect())
    }

    /// The known name nearest to another.
    fn near(&self, name: &str) -> String {
        let locals = self.locals.iter().map(|local| local.name.as_str());
        let tree = self.tree;
        let names = locals
            .chain(self.settings.keys().map(String::as_str))
            .chain(tree.pieces.iter().map(|piece| piece.name.text.as_str()))
            .chain(tree.counts.iter().map(|count| count.name.text.as_str()))
            .chain(tree.numbers.iter().map(|number| number.name.text.as_str()))
            .chain(tree.marks.iter().map(|mark| mark.text.as_str()))
            .chain(tree.ways.iter().map(|way| way.name.text.as_str()))
            .chain(tree.zones.iter().map(|zone| zone.name.text.as_str()))
            .chain(SETS)
            .chain(FUNCTIONS.iter().map(|(name, _)| *name))
            .chain(self.board.cells.iter().map(|cell| cell.name.as_str()));
        did_you_mean(name, names)
    }

    /// The number of a direction by its name, or by that of a way.
    pub fn direction(&self, name: &str) -> Option<usize> {
        let local = self.locals.iter().rev().find(|local| local.name == name);
        if let Some(Kind::Direction(direction)) = local.map(|local| local.kind) {
            return Some(direction);
        }
        let way = self.tree.ways.iter().find(|way| way.name.text == name);
        let name = way.map_or(name, |way| &way.directions[self.side].text);
        self.board.directions.iter().position(|(each, _)| *each == name)
    }

    fn step(&self, direction: usize, of: Set) -> Set {
        stepped(self.board.directions[direction].1.clone().into(), of)
    }

    fn call(&mut self, name: &Token, arguments: &[Expr], span: Span) -> Built<Value> {
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
        Ok(match text {
            "row" | "column" => {
                let [at] = self.arguments(text, arguments, span)?;
                let number = self.known_number(at)?;
                let rows = self.board.rows as i64;
                let cells = self.board.cells.iter().enumerate().filter(|(_, cell)| match text {
                    "column" => cell.column as i64 + 1 == number,
                    _ => rows - cell.row as i64 == number,
                });
                let cells: Cells = cells.fold(0, |set, (at, _)| set | bit(at));
                if cells == 0 {
                    return self.fail(at.span, format!("the board has no {text} {number}"));
                }
                Value::Set(Set::Cells(cells))
            }
            "cell" if arguments.len() == 2 => {
                let (column, row) =
                    (self.known_number(&arguments[0])?, self.known_number(&arguments[1])?);
                let rows = self.board.rows as i64;
                let is = |cell: &board::Cell| {
                    cell.column as i64 + 1 == column && rows - cell.row as i64 == row
                };
                match self.board.cells.iter().position(is) {
                    Some(cell) => Value::Set(Set::Cells(bit(cell))),
                    None => {
                        return self.fail(
                            span,
                            format!("the board has no cell in column {column}, row {row}"),
                        );
                    }
                }
            }
            "cell" => {
                let [at] = self.arguments(text, arguments, span)?;
                let number = match &at.kind {
                    ExprKind::Name(name) if self.board.cell(name).is_some() => {
                        self.board.cell(name)
                    }
                    _ => {
                        let number = self.known_number(at)?;
                        usize::try_from(number - 1)
                            .ok()
                            .filter(|cell| *cell < self.board.cells.len())
                    }
                };
                match number {
                    Some(cell) => Value::Set(Set::Cells(bit(cell))),
                    None => {
                        return self.fail(
                            at.span,
                            format!("the board has {} cells", self.board.cells.len()),
                        );
                    }
                }
            }
            "cells" => {
                let [from, to] = self.arguments(text, arguments, span)?;
                let (from, to) = (self.known_number(from)?, self.known_number(to)?);
                let count = self.board.cells.len() as i64;
                if from < 1 || to < from || to > count {
                    return self.fail(
                        span,
                        format!("expected cells from 1 to {count}, found {from} to {to}"),
                    );
                }
                Value::Set(Set::Cells(
                    (from..=to).fold(0, |set, cell| set | bit(cell as usize - 1)),
                ))
            }
            "count" => {
                let [of] = self.arguments(text, arguments, span)?;
                Value::Number(match self.set(of)? {
                    Set::Cells(cells) => Number::Value(cells.count_ones().into()),
                    of => Number::Size(Box::new(of)),
                })
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
                if !(2..=board::MOST_CELLS as i64).contains(&length) {
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
                let rays = self.rays(directions.as_deref());
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
                let rays = self.rays(directions.as_deref());
                let most = if matches!(text, "hop" | "jumped") { 1 } else { board::MOST_CELLS };
                Value::Set(fold_set(match text {
                    "between" | "jumped" => Set::Between { from, through, to, rays, most },
                    _ => Set::Beyond { from, through, to, rays, most },
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
        self.fail(span, format!("expected `{usual}`, found {} arguments", all.len()))
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
    fn joined(&self, directions: &[usize]) -> Arc<[Cells]> {
        let all = |cell: usize| {
            directions
                .iter()
                .fold(0, |set, direction| set | self.board.directions[*direction].1[cell])
        };
        (0..self.board.cells.len()).map(all).collect()
    }

    fn rays(&self, directions: Option<&[usize]>) -> Rays {
        let keep = |direction: usize| directions.is_none_or(|all| all.contains(&direction));
        let rays = self.board.rays.iter().map(|rays| {
            let kept = rays.iter().filter(|ray| keep(ray.direction));
            kept.map(|ray| ray.cells.clone().into()).collect()
        });
        rays.collect()
    }

    /// All straight rows of `length` cells; with directions, only those along one of them.
    fn rows(&self, length: usize, directions: Option<&[usize]>) -> Arc<[Cells]> {
        let keep = |line: &[u8]| {
            directions.is_none_or(|all| {
                let along = |from: u8, to: u8, direction: &usize| {
                    self.board.directions[*direction].1[usize::from(from)] & bit(to.into()) != 0
                };
                all.iter().any(|direction| {
                    along(line[0], line[1], direction) || along(line[1], line[0], direction)
                })
            })
        };
        let lines = self.board.lines.iter().filter(|line| keep(line));
        let rows = lines.flat_map(|line| line.windows(length));
        let mut rows: Vec<Cells> =
            rows.map(|row| row.iter().fold(0, |set, cell| set | bit(usize::from(*cell)))).collect();
        rows.sort_unstable();
        rows.dedup();
        rows.into()
    }

    fn binary(
        &mut self,
        sign: syntax::Sign,
        place: Span,
        left: &Expr,
        right: &Expr,
    ) -> Built<Value> {
        use syntax::Sign as S;
        let (one, other) = match sign {
            S::Or | S::And => {
                let (one, other) = (self.truth(left), self.truth(right));
                let parts = vec![one?, other?];
                return Ok(Value::Truth(if sign == S::Or { either(parts) } else { all_of(parts) }));
            }
            _ => (self.any_value(left), self.any_value(right)),
        };
        let (one, other) = (one?, other?);
        Ok(match (sign, one, other) {
            (S::Union, Value::Set(one), Value::Set(other)) => Value::Set(union(vec![one, other])),
            (S::Both, Value::Set(one), Value::Set(other)) => Value::Set(both(vec![one, other])),
            (S::Minus, Value::Set(one), Value::Set(other)) => Value::Set(minus(one, other)),
            (S::Equal, Value::Set(one), Value::Set(other)) => Value::Truth(same(one, other)),
            (S::Unequal, Value::Set(one), Value::Set(other)) => Value::Truth(not(same(one, other))),
            (S::Equal, Value::Word(one), Value::Word(other)) => {
                Value::Truth(Truth::Known(one == other))
            }
            (S::Unequal, Value::Word(one), Value::Word(other)) => {
                Value::Truth(Truth::Known(one != other))
            }
            (_, Value::Number(one), Value::Number(other)) => match sign {
                S::Plus => Value::Number(calculate(Sign::Plus, one, other)),
                S::Minus => Value::Number(calculate(Sign::Minus, one, other)),
                S::Times => Value::Number(calculate(Sign::Times, one, other)),
                S::Divide => Value::Number(calculate(Sign::Divide, one, other)),
                S::Remainder => Value::Number(calculate(Sign::Remainder, one, other)),
                S::Equal => Value::Truth(equal(one, other)),
                S::Unequal => Value::Truth(not(equal(one, other))),
                S::Less => Value::Truth(less(one, other)),
                S::Greater => Value::Truth(less(other, one)),
                S::AtMost => Value::Truth(not(less(other, one))),
                S::AtLeast => Value::Truth(not(less(one, other))),
                _ => {
                    return self.fail(place, "expected sets of cells on both sides, found numbers");
                }
            },
            (S::Plus, Value::Set(_), Value::Set(_)) => {
                return self.fail(place, "sets are joined by `|`, not by `+`");
            }
            (_, one, other) if one.kind() == other.kind() => {
                return self.fail(place, format!("this sign is not for {}", one.kind()));
            }
            (_, one, other) => {
                let message = format!(
                    "expected the same kind on both sides, found {} and {}",
                    one.kind(),
                    other.kind()
                );
                return self.fail(left.span.to(right.span), message);
            }
        })
    }

    /// The value of an end for the side that moves.
    pub fn value_of(end: End) -> i64 {
        match end {
            End::Win => 1,
            End::Lose => -1,
            End::Draw => 0,
        }
    }
}

pub(super) fn any(set: Set) -> Truth {
    match set {
        Set::Cells(cells) => Truth::Known(cells != 0),
        set => Truth::Any(set),
    }
}

pub(super) fn not(truth: Truth) -> Truth {
    match truth {
        Truth::Known(known) => Truth::Known(!known),
        Truth::Not(inner) => *inner,
        truth => Truth::Not(Box::new(truth)),
    }
}

fn same(one: Set, other: Set) -> Truth {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => Truth::Known(one == other),
        // The operands of a sign that allows their exchange are sorted.
        (one, other) if one <= other => Truth::Same(one, other),
        (one, other) => Truth::Same(other, one),
    }
}

fn equal(one: Number, other: Number) -> Truth {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Truth::Known(one == other),
        (one, other) if one <= other => Truth::Equal(one, other),
        (one, other) => Truth::Equal(other, one),
    }
}

fn less(one: Number, other: Number) -> Truth {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Truth::Known(one < other),
        (one, other) => Truth::Less(one, other),
    }
}

fn all_of(parts: Vec<Truth>) -> Truth {
    joined(parts, false)
}

fn either(parts: Vec<Truth>) -> Truth {
    joined(parts, true)
}

/// The conjunction of truths, or, with `decides`, their disjunction.
fn joined(parts: Vec<Truth>, decides: bool) -> Truth {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Truth::Known(known) if known == decides => return part,
            Truth::Known(_) => {}
            Truth::All(inner) if !decides => flat.extend(inner),
            Truth::Either(inner) if decides => flat.extend(inner),
            part => flat.push(part),
        }
    }
    match flat.len() {
        0 => Truth::Known(!decides),
        1 => flat.remove(0),
        _ if decides => Truth::Either(flat),
        _ => Truth::All(flat),
    }
}

fn negative(number: Number) -> Number {
    match number {
        Number::Value(value) => Number::Value(-value),
        Number::Negative(inner) => *inner,
        number => Number::Negative(Box::new(number)),
    }
}

fn calculate(sign: Sign, one: Number, other: Number) -> Number {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Number::Value(sign.of(one, other)),
        (one, other) => Number::Calculate(sign, Box::new(one), Box::new(other)),
    }
}

pub(super) fn union(parts: Vec<Set>) -> Set {
    let mut known = 0;
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Set::Cells(cells) => known |= cells,
            Set::Union(inner) => {
                for each in inner {
                    match each {
                        Set::Cells(cells) => known |= cells,
                        each => flat.push(each),
                    }
                }
            }
            part => flat.push(part),
        }
    }
    if known != 0 || flat.is_empty() {
        flat.push(Set::Cells(known));
    }
    flat.sort();
    flat.dedup();
    if flat.len() == 1 { flat.remove(0) } else { Set::Union(flat) }
}

pub(super) fn both(parts: Vec<Set>) -> Set {
    let mut known = Cells::MAX;
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Set::Cells(cells) => known &= cells,
            Set::Both(inner) => {
                for each in inner {
                    match each {
                        Set::Cells(cells) => known &= cells,
                        each => flat.push(each),
                    }
                }
            }
            part => flat.push(part),
        }
    }
    if known == 0 || flat.is_empty() {
        return Set::Cells(known);
    }
    if known != Cells::MAX {
        flat.push(Set::Cells(known));
    }
    flat.sort();
    flat.dedup();
    if flat.len() == 1 { flat.remove(0) } else { Set::Both(flat) }
}

pub(super) fn minus(one: Set, other: Set) -> Set {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => Set::Cells(one & !other),
        (one, Set::Cells(0)) => one,
        (Set::Cells(0), _) => Set::Cells(0),
        (one, other) => Set::Minus(Box::new(one), Box::new(other)),
    }
}

fn stepped(table: Arc<[Cells]>, of: Set) -> Set {
    fold_set(Set::Step { table, of: Box::new(of) })
}

fn rows_within(rows: Arc<[Cells]>, within: Set) -> Set {
    match rows.is_empty() {
        true => Set::Cells(0),
        false => fold_set(Set::Rows { rows, within: Box::new(within) }),
    }
}

/// A set whose parts are known is known.
fn fold_set(set: Set) -> Set {
    let known = |part: &Set| matches!(part, Set::Cells(_));
    let folds = match &set {
        Set::Step { of, .. } => known(of),
        Set::Rows { within, .. } => known(within),
        Set::Flood { from, within, .. } => known(from) && known(within),
        Set::Ray { from, through, .. } => known(from) && known(through),
        Set::Between { from, through, to, .. } | Set::Beyond { from, through, to, .. } => {
            known(from) && known(through) && known(to)
        }
        _ => false,
    };
    match folds {
        true => Set::Cells(crate::interpret::known(&set)),
        false => set,
    }
}
