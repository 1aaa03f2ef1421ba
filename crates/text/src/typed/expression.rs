//! Expressions: every one is a set of cells, a number or a truth, and what is known is folded.

use super::build::{Builder, Built, Kind, Reported, Setting};
use super::call::FUNCTIONS;
use super::fold::*;
use super::parts::Part;
use super::tree::*;
use crate::board::{Shape, bit};
use crate::problem::{Problems, Span, did_you_mean};
use crate::syntax::{self, End, Expr, ExprKind};

/// A value of any kind.
#[derive(Clone)]
pub(super) enum Value {
    Set(Set),
    Number(Number),
    Truth(Truth),
    /// A word of a parameter.
    Word(String),
}

impl Value {
    /// How many parts it is made of.
    fn size(&self) -> u64 {
        match self {
            Value::Set(set) => set.size(),
            Value::Number(number) => Part::Number(number).size(),
            Value::Truth(truth) => Part::Truth(truth).size(),
            Value::Word(_) => 1,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Value::Set(_) => "a set of cells",
            Value::Number(_) => "a number",
            Value::Truth(_) => "a condition",
            Value::Word(_) => "a word",
        }
    }
}

/// What other languages call some values.
const ELSEWHERE: [(&str, &str); 6] = [
    ("none", "`all - all` is a set without cells"),
    ("nothing", "`all - all` is a set without cells"),
    ("true", "a test is asked for by itself, as in `if at: win`"),
    ("false", "a test is asked for by itself, as in `if no at: win`"),
    ("win", "it is a statement, as in `if at: win`"),
    ("lose", "it is a statement, as in `if at: lose`"),
];

/// The names of sets that every game has.
pub(crate) const SETS: [&str; 8] =
    ["mine", "theirs", "empty", "all", "edge", "corners", "dark", "light"];

/// The names of sets that a board with edges has, too. Elsewhere they are free.
const OF_EDGES: [(&str, u8); 3] = [("squares", 1), ("edges", 2), ("joints", 4)];

/// Words that cannot be names.
const RESERVED: [&str; 45] = [
    "mine", "theirs", "empty", "all", "edge", "corners", "dark", "light", "row", "column", "cell",
    "cells", "count", "line", "flood", "ray", "between", "beyond", "hop", "jumped", "around",
    "beside", "full", "opposite", "sow", "no", "not", "and", "or", "their", "choose", "let", "if",
    "else", "either", "for", "put", "clear", "again", "ways", "index", "min", "max", "in", "on",
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
        self.spend(1, expr.span)?;
        match &expr.kind {
            ExprKind::Number(number) => Ok(Value::Number(Number::Value(*number))),
            ExprKind::Name(name) => self.name(name, expr.span),
            ExprKind::Call { name, arguments } => {
                // Tables are made, and what is known is calculated.
                let cells = self.board.cells.len() as u64;
                self.spend(1 + cells * cells / 64, expr.span)?;
                self.call(name, arguments, expr.span)
            }
            ExprKind::Not(inner) => Ok(Value::Truth(not(self.truth(inner)?))),
            ExprKind::Negative(inner) => Ok(Value::Number(negative(self.number(inner)?))),
            ExprKind::If { condition, then, otherwise } => {
                self.conditional(condition, then, otherwise, expr.span)
            }
            ExprKind::Binary { sign, place, left, right } => {
                self.binary(*sign, *place, left, right)
            }
        }
    }

    fn name(&mut self, name: &str, span: Span) -> Built<Value> {
        if let Some((_, value)) = self.given.iter().find(|(given, _)| given == name) {
            let value = value.clone();
            self.spend(value.size(), span)?;
            return Ok(value);
        }
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
            let is_piece = self.pieces.iter().any(|piece| piece.name == bare);
            let instead = format!("; of pieces it is `theirs & {bare}`");
            let message = format!(
                "`their` needs the name of a number that each side has, found `{bare}`{}",
                if is_piece { &instead } else { "" }
            );
            return self.fail(span, message);
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
            return Ok(Value::Set(self.zone(zone, side, span)?));
        }
        let tree = self.tree;
        if let Some(define) = tree.defines.iter().find(|define| define.name.text == name) {
            return self.expand(define, &[], span);
        }
        if self.before_positions && ["mine", "theirs", "empty"].contains(&name) {
            let message =
                format!("`{name}` depends on the position, and here are parameters alone");
            return self.fail(span, message);
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
        let is_direction = self.board.directions.iter().any(|(each, _)| *each == name)
            || self.tree.ways.iter().any(|way| way.name.text == name);
        if is_direction {
            let message = format!("`{name}` is a direction; `{name}(set)` is what lies there");
            return self.fail(span, message);
        }
        let of_move = self.tree.moves.iter().flatten().any(|statement| statement.names(name));
        if self.looking && of_move {
            let message = format!(
                "`{name}` is a name of `move`, and unknown here: a `mark` keeps cells, and `win` may stand in `move`, too"
            );
            return self.fail(span, message);
        }
        let is = |(word, _): &&(&str, &str)| *word == name;
        let is_count = self.tree.counts.iter().any(|count| count.name.text == name);
        let elsewhere = ELSEWHERE.iter().chain(&FUNCTIONS).find(is);
        let elsewhere =
            elsewhere.or(is_count.then_some(&("", "a count stands with its cell: `c(cell)`")));
        let near = match elsewhere {
            Some((_, ours)) => format!(": {ours}"),
            None if OF_EDGES.iter().any(|(each, _)| *each == name) => {
                format!(": `board 5 5 with edges` has `{name}`")
            }
            None => self.near(name),
        };
        self.fail(span, format!("nothing is called `{name}`{near}"))
    }

    /// What a definition stands for here. It sees its parameters and what stands at the top of the text, but no names of
    /// the block that uses it.
    pub(super) fn expand(
        &mut self,
        define: &syntax::Define,
        arguments: &[Expr],
        span: Span,
    ) -> Built<Value> {
        let name = &define.name.text;
        if self.within.contains(name) {
            return self.fail(span, format!("`{name}` is defined by itself"));
        }
        if arguments.len() != define.parameters.len() {
            let names: Vec<&str> =
                define.parameters.iter().map(|each| each.text.as_str()).collect();
            let usual = match names.is_empty() {
                true => name.clone(),
                false => format!("{name}({})", names.join(", ")),
            };
            return self.miscounted(&usual, arguments.len(), span);
        }
        let mut given = Vec::new();
        for (parameter, argument) in define.parameters.iter().zip(arguments) {
            given.push((parameter.text.clone(), self.any_value(argument)?));
        }
        let given = std::mem::replace(&mut self.given, given);
        let locals = std::mem::take(&mut self.locals);
        self.within.push(name.clone());
        let value = self.any_value(&define.body);
        self.within.pop();
        (self.given, self.locals) = (given, locals);
        value
    }

    /// The cells of a zone, which are resolved once for each side.
    fn zone(&mut self, zone: &syntax::Zone, side: usize, span: Span) -> Built<Set> {
        let place = (zone.name.span.line, side);
        if let Some(set) = self.zones.get(&place).cloned() {
            let set = set.ok_or(Reported)?;
            self.spend(set.size(), span)?;
            return Ok(set);
        }
        let cells = if side == 1 { zone.second.as_ref() } else { None };
        self.within.push(zone.name.text.clone());
        let (given, before) = (std::mem::take(&mut self.given), self.before.take());
        let set = self.set(cells.unwrap_or(&zone.cells));
        (self.given, self.before) = (given, before);
        self.within.pop();
        self.zones.insert(place, set.as_ref().ok().cloned());
        let set = set?;
        self.spend(set.size(), span)?;
        Ok(set)
    }

    /// The set of the pieces with a letter.
    pub fn set_of_letter(&self, letter: char) -> Option<usize> {
        let of = |piece: &super::build::Piece| {
            let at = piece.letters.iter().position(|each| *each == letter)?;
            Some(piece.sets[at])
        };
        self.pieces.iter().find_map(of)
    }

    /// Whether a name is a word of the language.
    pub(super) fn is_word(&self, name: &str) -> bool {
        RESERVED.contains(&name) || self.between_squares(name).is_some()
    }

    /// To how many squares the cells of a set belong, on a board with edges.
    fn between_squares(&self, name: &str) -> Option<u8> {
        let found = OF_EDGES.iter().find(|(each, _)| *each == name);
        found.filter(|_| self.board.shape == Shape::Edged).map(|(_, squares)| *squares)
    }

    fn built_in_set(&self, name: &str) -> Option<Set> {
        let all = self.board.all();
        if let Some(squares) = self.between_squares(name) {
            let of = |cell: &usize| self.board.squares_of(*cell) == squares;
            let cells = (0..self.board.cells.len()).filter(of);
            return Some(Set::Cells(cells.fold(0, |set, cell| set | bit(cell))));
        }
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
            "dark" | "light" => {
                let part = if self.board.shape == Shape::Edged { 2 } else { 1 };
                let odd = usize::from(name == "light");
                by(&|column, row| {
                    let up = last_row - row;
                    (column / part + up / part) % 2 == odd && (column | up) % part == 0
                })
            }
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
        // Of more mistakes none is shown, and each is compared with every name.
        if self.problems.len() >= Problems::MAX {
            return String::new();
        }
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
            .chain(tree.defines.iter().map(|define| define.name.text.as_str()))
            .chain(self.given.iter().map(|(name, _)| name.as_str()))
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

    pub(super) fn step(&mut self, direction: usize, of: Set) -> Set {
        stepped(self.joined(&[direction]), of)
    }

    /// One of two values. If a position decides, a statement before the one that is made keeps it under a name.
    fn conditional(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        span: Span,
    ) -> Built<Value> {
        let condition = self.truth(condition);
        let (then, otherwise) = (self.any_value(then), self.any_value(otherwise));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        self.spend(Value::Truth(condition.clone()).size(), span)?;
        let (then, otherwise) = match (then, otherwise) {
            (Value::Set(set), other @ Value::Truth(_)) => (Value::Truth(any(set)), other),
            (one @ Value::Truth(_), Value::Set(set)) => (one, Value::Truth(any(set))),
            both => both,
        };
        if then.kind() != otherwise.kind() {
            let [one, other] = [&then, &otherwise].map(Value::kind);
            return self
                .fail(span, format!("this is {one} or {other}: expected values of one kind"));
        }
        if let Truth::Known(known) = condition {
            return Ok(if known { then } else { otherwise });
        }
        if let (Value::Truth(then), Value::Truth(otherwise)) = (&then, &otherwise) {
            let denied = all_of(vec![not(condition.clone()), otherwise.clone()]);
            return Ok(Value::Truth(either(vec![all_of(vec![condition, then.clone()]), denied])));
        }
        let local = self.local_before(span)?;
        let named = |value| match value {
            Value::Set(value) => {
                Some((Statement::SetLocal { local, value }, Value::Set(Set::Local(local))))
            }
            Value::Number(value) => {
                Some((Statement::NumberLocal { local, value }, Value::Number(Number::Local(local))))
            }
            _ => None,
        };
        let (Some((then, named)), Some((otherwise, _))) = (named(then), named(otherwise)) else {
            return self.fail(span, "expected sets, numbers or conditions, found words");
        };
        self.say_before(otherwise);
        self.say_before(Statement::If { condition, then: vec![then], otherwise: Vec::new() });
        Ok(named)
    }

    /// A name without letters, for a value that statements make before the one that needs it.
    pub(super) fn local_before(&mut self, span: Span) -> Built<usize> {
        if self.before.is_none() {
            return self.fail(
                span,
                "this depends on the position, so that it may only stand within a statement: use `define` instead of \
                 `zone`",
            );
        }
        self.slots += 1;
        Ok(self.slots - 1)
    }

    /// Adds a statement before the one that is made.
    pub(super) fn say_before(&mut self, statement: Statement) {
        self.before.get_or_insert_default().push(statement);
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
        if let (Value::Set(one), Value::Set(other)) = (&one, &other) {
            self.spend(one.size() + other.size(), place)?;
        }
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
