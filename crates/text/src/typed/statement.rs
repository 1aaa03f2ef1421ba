//! Statements and blocks, and the names in them.

use std::sync::Arc;

use super::build::{Builder, Built, Kind, Local, Reported};
use super::check::{MAX_OPEN, MAX_STEPS, MAX_WORK, choices, differ, open, steps, work};
use super::expression::Value;
use super::tree::*;
use crate::board::{Cells, cells};
use crate::choices::{LARGEST, MAX_CHOICES, MAX_LABELS};
use crate::interpret::MAX_TIMES;
use crate::problem::{Span, did_you_mean, grouped};
use crate::results::{ALL, bounds};
use crate::syntax::{self, Expr, ExprKind, Over, Owner, StatementKind, Token};

/// Directions may make at most this many copies of a line. (The shipped texts make up to 16.)
const MAX_COPIES: u64 = 1 << 10;

impl Builder<'_> {
    /// A block with names of its own.
    pub(super) fn whole_block(&mut self, block: &[syntax::Statement]) -> Built<Block> {
        self.locals.clear();
        self.choices_follow = false;
        let made = self.block(block);
        self.locals.clear();
        let made = made?;
        let first = block.first().map_or(Span::default(), |statement| statement.span);
        let [least, _] = choices(&made);
        if least > MAX_CHOICES {
            let message = format!("a move has {least} choices here; it may have {MAX_CHOICES}");
            return self.fail(first, message);
        }
        let cells = self.board.cells.len();
        let taken = steps(&made, cells);
        if taken > MAX_STEPS {
            let [taken, max] = [taken, MAX_STEPS].map(grouped);
            let first = block.iter().find_map(syntax::Statement::first_loop).unwrap_or(first);
            let message = format!(
                "one move may take {taken} steps, of which at most {max} are allowed: each loop takes as many times its lines as \
                 it runs, over cells {cells} times; use fewer loops within one another"
            );
            return self.fail(first, message);
        }
        if open(&made) > MAX_OPEN {
            let message = "too many `either` without words can follow one another: give them words";
            return self.fail(first, message);
        }
        self.spend(made.iter().map(Statement::size).sum(), first)?;
        if work(&made, self.slots, self.board.cells.len(), self.budget) > MAX_WORK {
            let first = block.iter().find_map(syntax::Statement::first_choice).unwrap_or(first);
            self.spend(1, first)?;
            let message = "these choices can be made in too many ways to try them all: choose less often, or \
                           from smaller sets, such as the cells around one cell";
            return self.fail(first, message);
        }
        Ok(made)
    }

    /// The statements of a block. All are looked at, even if one is wrong.
    fn block(&mut self, block: &[syntax::Statement]) -> Built<Block> {
        let before = self.locals.len();
        let mut all = Vec::new();
        let mut fine = true;
        let follow = self.choices_follow;
        let last = block.iter().rposition(syntax::Statement::may_choose);
        for (at, statement) in block.iter().enumerate() {
            self.choices_follow = follow || last.is_some_and(|last| at < last);
            fine &= self.statement(statement, &mut all).is_ok();
        }
        self.choices_follow = follow;
        for local in self.locals.split_off(before) {
            if local.chosen && !local.used {
                let message =
                    format!("the choice `{}` changes nothing: use it or leave it out", local.name);
                let _: Built<()> = self.fail(local.span, message);
                fine = false;
            }
        }
        if fine { Ok(all) } else { Err(Reported) }
    }

    /// The body of a loop: its own choices may follow its choices.
    fn loop_body(&mut self, body: &[syntax::Statement]) -> Built<Block> {
        let follow = self.choices_follow;
        self.choices_follow |= body.iter().any(syntax::Statement::may_choose);
        self.loops += 1;
        let made = self.block(body);
        self.loops -= 1;
        self.choices_follow = follow;
        made
    }

    /// A new name, with a slot for its value.
    fn define(&mut self, name: &Token, kind: Kind, chosen: bool) -> Built<usize> {
        let tree = self.tree;
        let taken = self.is_word(&name.text)
            || self.settings.contains_key(&name.text)
            || tree.pieces.iter().any(|piece| piece.name.text == name.text)
            || tree.counts.iter().any(|count| count.name.text == name.text)
            || tree.numbers.iter().any(|number| number.name.text == name.text)
            || tree.marks.iter().any(|mark| mark.text == name.text)
            || tree.zones.iter().any(|zone| zone.name.text == name.text)
            || tree.ways.iter().any(|way| way.name.text == name.text)
            || self.locals.iter().any(|local| local.name == name.text);
        if taken {
            return self
                .fail(name.span, format!("`{}` is the name of something else already", name.text));
        }
        let slot = self.slots;
        self.slots += 1;
        let local =
            Local { name: name.text.clone(), slot, kind, span: name.span, chosen, used: false };
        self.locals.push(local);
        Ok(slot)
    }

    fn statement(&mut self, statement: &syntax::Statement, all: &mut Block) -> Built<()> {
        let before = all.len();
        self.spend(1, statement.span)?;
        let around = self.before.replace(Vec::new());
        let made = self.make_statement(statement, all);
        let hoisted = std::mem::replace(&mut self.before, around);
        all.splice(before..before, hoisted.unwrap_or_default());
        made?;
        match self.looking && all[before..].iter().any(|made| made.effect().does_something()) {
            true => {
                let message =
                    "`end` and `stuck` only look at the position: this belongs into `move`";
                self.fail(statement.span, message)
            }
            false => Ok(()),
        }
    }

    /// Reports a number that is known to leave a range.
    fn within(&mut self, number: &Number, range: [i64; 2], span: Span, limit: &str) -> Built<()> {
        let [low, high] = bounds(&self.layout, self.board.cells.len(), number);
        let [least, max] = range.map(i128::from);
        match [low, high] == ALL || low >= least && high <= max {
            true => Ok(()),
            false => {
                let found = if low == high { format!("{low}") } else { format!("{low}..{high}") };
                let message = format!("{limit}; this can be {found}");
                self.fail(span, message)
            }
        }
    }

    /// A statement with its names resolved: one arm for each kind.
    fn make_statement(&mut self, statement: &syntax::Statement, all: &mut Block) -> Built<()> {
        let made = match &statement.kind {
            StatementKind::Choose { name, from, to: None } => {
                let from = self.set(from);
                let local = self.define(name, Kind::Set, true);
                Statement::Choose { local: local?, from: from? }
            }
            StatementKind::Choose { name, from, to: Some(to) } => {
                let spans = [from.span, to.span];
                let (from, to) = (self.number(from), self.number(to));
                let local = self.define(name, Kind::Number, true);
                let (from, to) = (from?, to?);
                let limit = "only numbers from 0 to 63 can be chosen";
                self.within(&from, [0, LARGEST], spans[0], limit)?;
                self.within(&to, [i64::MIN, LARGEST], spans[1], limit)?;
                Statement::Pick { local: local?, from, to }
            }
            StatementKind::Let { name, value } => return self.let_statement(name, value, all),
            StatementKind::Set { name, cell, sign, value } => {
                return self.set_statement(name, cell.as_ref(), sign, value, all);
            }
            StatementKind::Require(condition) => match self.truth(condition)? {
                Truth::Known(true) => return Ok(()),
                truth => Statement::Require(truth),
            },
            StatementKind::Prefer(expr) => match self.number(expr)? {
                Number::Value(value) if !(0..=MAX_PREFERRED).contains(&value) => {
                    let message =
                        format!("expected a number from 0 to {MAX_PREFERRED}, found {value}");
                    return self.fail(expr.span, message);
                }
                number => Statement::Prefer(number),
            },
            StatementKind::If { condition, then, otherwise } => {
                let condition = self.truth(condition);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                match condition? {
                    // Both were checked; one is left out for these parameters.
                    Truth::Known(known) => {
                        all.extend(if known { then? } else { otherwise? });
                        return Ok(());
                    }
                    condition => Statement::If { condition, then: then?, otherwise: otherwise? },
                }
            }
            StatementKind::Either(alternatives) => self.either(alternatives, statement.span)?,
            StatementKind::For { name, over: Over::Cells(over), body } => {
                let over = self.set(over)?;
                let before = self.locals.len();
                let local = self.define(name, Kind::Set, false)?;
                let body = self.loop_body(body);
                self.locals.truncate(before);
                Statement::For { local, over, body: body? }
            }
            StatementKind::For { name, over: Over::Directions(directions), body } => {
                // One copy of the body for each direction.
                if self.copies == 0 {
                    self.check_copies(statement)?;
                }
                self.copies += 1;
                let made = self.each_direction(name, directions, body, all);
                self.copies -= 1;
                return made;
            }
            StatementKind::Repeat { times, body } => {
                let span = times.span;
                let times = self.number(times)?;
                self.within(&times, [i64::MIN, MAX_TIMES], span, "a loop runs at most 256 times")?;
                let body = self.loop_body(body);
                Statement::Repeat { times, body: body? }
            }
            StatementKind::Stop if self.loops == 0 => {
                return self.fail(
                    statement.span,
                    "`stop` leaves a loop over cells or a `repeat`, and there is none around it; a `for` over \
                     directions cannot be left, since it is written out for each",
                );
            }
            StatementKind::Stop => Statement::Stop,
            StatementKind::Put { owner, piece, on } => {
                let set = self.piece_to_put(*owner, piece);
                let on = self.set(on)?;
                Statement::Put { set: set?, on }
            }
            StatementKind::Clear(set) => Statement::Clear(self.set(set)?),
            StatementKind::Move { from, to } => {
                let (from, to) = (self.set(from), self.set(to));
                Statement::Move { from: from?, to: to? }
            }
            StatementKind::Turn { block, left } => {
                let cells = self.known_cells(block)?;
                Statement::Permute { table: self.turn(cells, *left, block.span)? }
            }
            StatementKind::Again => Statement::Again,
            StatementKind::Pass => return Ok(()),
            StatementKind::End(end) => Statement::Finish(Number::Value(Builder::value_of(*end))),
            StatementKind::Score(value) => Statement::Finish(self.number(value)?),
        };
        all.push(made);
        Ok(())
    }

    /// Reports directions within directions that make too many copies of the lines below them.
    fn check_copies(&mut self, statement: &syntax::Statement) -> Built<()> {
        let copies = statement.copies();
        match copies > MAX_COPIES {
            true => {
                let (copies, max) = (grouped(copies), grouped(MAX_COPIES));
                let message =
                    format!("these directions make {copies} copies of a line; at most {max}");
                self.fail(statement.span, message)
            }
            false => Ok(()),
        }
    }

    /// The body of a loop over directions, once for each.
    fn each_direction(
        &mut self,
        name: &Token,
        directions: &[Token],
        body: &[syntax::Statement],
        all: &mut Block,
    ) -> Built<()> {
        let follow = self.choices_follow;
        let may_choose = body.iter().any(syntax::Statement::may_choose);
        for (at, direction) in directions.iter().enumerate() {
            // The copies for the directions behind it follow.
            self.choices_follow = follow || may_choose && at + 1 < directions.len();
            let Some(number) = self.direction(&direction.text) else {
                let names = self.board.directions.iter().map(|(name, _)| *name);
                let near = did_you_mean(&direction.text, names);
                let message = format!("no direction is called `{}`{near}", direction.text);
                return self.fail(direction.span, message);
            };
            let before = self.locals.len();
            self.define(name, Kind::Direction(number), false)?;
            let body = self.block(body);
            self.locals.truncate(before);
            all.extend(body?);
        }
        self.choices_follow = follow;
        Ok(())
    }

    fn let_statement(&mut self, name: &Token, value: &Expr, all: &mut Block) -> Built<()> {
        if let Some((from, skip)) = sowing(value) {
            let sown = self.sow(from, skip, value.span)?;
            let local = self.define(name, Kind::Set, false)?;
            all.push(sown(local));
            return Ok(());
        }
        // What the value is decides what the name is.
        let made = match self.any_value(value)? {
            Value::Set(value) => {
                Statement::SetLocal { local: self.define(name, Kind::Set, false)?, value }
            }
            Value::Number(value) => {
                Statement::NumberLocal { local: self.define(name, Kind::Number, false)?, value }
            }
            Value::Truth(value) => {
                Statement::TruthLocal { local: self.define(name, Kind::Truth, false)?, value }
            }
            Value::Word(word) => {
                return self.fail(
                    value.span,
                    format!("expected a set, a number or a condition, found the word `{word}`"),
                );
            }
        };
        all.push(made);
        Ok(())
    }

    fn set_statement(
        &mut self,
        name: &Token,
        cell: Option<&Expr>,
        sign: &Token,
        value: &Expr,
        all: &mut Block,
    ) -> Built<()> {
        let adds = match sign.text.as_str() {
            "+=" => Some(Sign::Plus),
            "-=" => Some(Sign::Minus),
            _ => None,
        };
        let changed = |before: Number, value: Number| match adds {
            Some(sign) => Number::Calculate(sign, Box::new(before), Box::new(value)),
            None => value,
        };
        if let Some(cell) = cell {
            let count = self.tree.counts.iter().position(|count| count.name.text == name.text);
            let Some(count) = count else {
                let names = self.tree.counts.iter().map(|count| count.name.text.as_str());
                let near = did_you_mean(&name.text, names);
                return self.fail(name.span, format!("no `count` is called `{}`{near}", name.text));
            };
            let cell = self.set(cell)?;
            let value = self.number(value)?;
            // Each cell changes by itself, so the old number is that of the cell.
            all.push(Statement::SetCount { count, cell, change: adds, value });
            return Ok(());
        }
        if let Some(local) = self.locals.iter().rev().find(|local| local.name == name.text) {
            let (local, kind) = (local.slot, local.kind);
            if let Some((from, skip)) =
                sowing(value).filter(|_| kind == Kind::Set && adds.is_none())
            {
                let sown = self.sow(from, skip, value.span)?;
                all.push(sown(local));
                return Ok(());
            }
            all.push(match kind {
                Kind::Set if adds.is_none() => {
                    Statement::SetLocal { local, value: self.set(value)? }
                }
                Kind::Truth if adds.is_none() => {
                    Statement::TruthLocal { local, value: self.truth(value)? }
                }
                Kind::Number => {
                    let value = self.number(value)?;
                    Statement::NumberLocal { local, value: changed(Number::Local(local), value) }
                }
                _ => {
                    return self
                        .fail(sign.span, "only numbers are added to; sets are joined by `|`");
                }
            });
            return Ok(());
        }
        if let Some(mark) = self.tree.marks.iter().position(|mark| mark.text == name.text) {
            if adds.is_some() {
                return self.fail(sign.span, "sets are joined by `|`, as in `seen = seen | at`");
            }
            let value = self.set(value)?;
            all.push(Statement::Mark { set: self.layout.pieces + mark, value });
            return Ok(());
        }
        let expr = Expr { kind: ExprKind::Name(name.text.clone()), span: name.span };
        match self.any_value(&expr)? {
            Value::Number(Number::State(number)) => {
                let value = self.number(value)?;
                all.push(Statement::SetNumber {
                    number,
                    value: changed(Number::State(number), value),
                });
                Ok(())
            }
            _ => self.fail(
                name.span,
                format!("`{}` cannot be changed; `let` makes a new name", name.text),
            ),
        }
    }

    fn sow(
        &mut self,
        from: &Expr,
        skip: Option<&Expr>,
        span: Span,
    ) -> Built<impl FnOnce(usize) -> Statement + use<>> {
        if self.layout.counts.len() != 1
            || !matches!(self.board.shape, crate::board::Shape::Ring { .. })
        {
            return self.fail(span, "`sow` needs a ring and one `count`");
        }
        let place = from.span;
        let from = self.set(from)?;
        if let Set::Cells(cells) = from
            && cells.count_ones() != 1
        {
            let count = cells.count_ones();
            return self.fail(place, format!("`sow` begins from one cell, this set has {count}"));
        }
        let skip = match skip {
            Some(skip) => self.set(skip)?,
            None => Set::Cells(0),
        };
        let count = self.board.cells.len();
        let next: Arc<[u8]> = (0..count).map(|cell| ((cell + 1) % count) as u8).collect();
        Ok(move |local| Statement::Sow { local, count: 0, from, skip, next })
    }

    fn piece_to_put(&mut self, owner: Owner, piece: &Token) -> Built<usize> {
        let named = self.pieces.iter().find(|each| each.name == piece.text);
        if let Some(named) = named {
            let sets = named.sets.clone();
            return match (sets[..].len(), owner) {
                (1, Owner::Theirs) => {
                    self.fail(piece.span, format!("`{}` belongs to no side", piece.text))
                }
                (1, Owner::Mine) => Ok(sets[0]),
                (_, Owner::Mine) => Ok(sets[self.side]),
                (_, Owner::Theirs) => Ok(sets[1 - self.side]),
            };
        }
        let mut letters = piece.text.chars();
        if let (Some(letter), None, Owner::Mine) = (letters.next(), letters.next(), owner)
            && let Some(set) = self.set_of_letter(letter)
        {
            return Ok(set);
        }
        let near = did_you_mean(&piece.text, self.pieces.iter().map(|piece| piece.name.as_str()));
        self.fail(piece.span, format!("no piece is called `{}`{near}", piece.text))
    }

    /// A quarter turn of a square block of cells.
    fn turn(&mut self, block: Cells, left: bool, span: Span) -> Built<Arc<[u8]>> {
        let places: Vec<_> =
            cells(block).map(|cell| (cell, self.board.cells[cell].clone())).collect();
        let bounds = |of: fn(&crate::board::Cell) -> usize| {
            let all = places.iter().map(|(_, cell)| of(cell));
            all.clone().min().zip(all.max()).unwrap_or((0, 0))
        };
        let ((x0, x1), (y0, y1)) = (bounds(|cell| cell.column), bounds(|cell| cell.row));
        let mut table: Vec<u8> = (0..self.board.cells.len() as u8).collect();
        let mut whole = x1 - x0 == y1 - y0 && !places.is_empty();
        for (cell, place) in &places {
            let (x, y) = (place.column - x0, place.row - y0);
            let (x, y) =
                if left { (y, (x1 - x0).wrapping_sub(x)) } else { ((y1 - y0).wrapping_sub(y), x) };
            let to = places.iter().find(|(_, other)| other.column == x0 + x && other.row == y0 + y);
            match to {
                Some((to, _)) => table[*cell] = *to as u8,
                None => whole = false,
            }
        }
        match whole {
            true => Ok(table.into()),
            false => self.fail(span, "`turn` needs a square block of cells"),
        }
    }

    fn either(&mut self, alternatives: &[syntax::Alternative], span: Span) -> Built<Statement> {
        if alternatives.len() < 2 {
            return self.fail(span, "`either` needs an `or` after it, indented alike");
        }
        let mut bodies = Vec::new();
        let mut fine = true;
        for alternative in alternatives {
            match self.block(&alternative.body) {
                Ok(body) => bodies.push(body),
                Err(Reported) => fine = false,
            }
        }
        if !fine {
            return Err(Reported);
        }
        let labels: Vec<_> = alternatives.iter().filter_map(|each| each.label.as_ref()).collect();
        if labels.is_empty() {
            let pieces = self.layout.pieces;
            for (at, one) in bodies.iter().enumerate() {
                if !bodies[..at]
                    .iter()
                    .all(|other| differ(one, other, self.choices_follow, pieces, self.budget))
                {
                    let message = "two of these ways can have the same choices: give each a word, as in \
                                   `either drop` and `or slide`";
                    return self.fail(span, message);
                }
            }
            return Ok(Statement::Either { alternatives: bodies, labels: Vec::new() });
        }
        if labels.len() < alternatives.len() {
            return self.fail(span, "expected a word after each `either` and `or`, or after none");
        }
        if let Some(at) = (1..labels.len())
            .find(|at| labels[..*at].iter().any(|other| other.text == labels[*at].text))
        {
            return self.fail(labels[at].span, format!("`{}` is there already", labels[at].text));
        }
        let mut numbers = Vec::new();
        for label in labels {
            let known = self.labels.iter().position(|other| *other == label.text);
            if known.is_none() {
                self.labels.push(label.text.clone());
            }
            if self.labels.len() > MAX_LABELS {
                return self.fail(
                    label.span,
                    format!("the text has more than {MAX_LABELS} words for ways to move"),
                );
            }
            numbers.push(known.unwrap_or(self.labels.len() - 1) as u8);
        }
        Ok(Statement::Either { alternatives: bodies, labels: numbers })
    }
}

/// The arguments of `sow(from, skip)`.
fn sowing(value: &Expr) -> Option<(&Expr, Option<&Expr>)> {
    match &value.kind {
        ExprKind::Call { name, arguments } if name.text == "sow" => match &arguments[..] {
            [from] => Some((from, None)),
            [from, skip] => Some((from, Some(skip))),
            _ => None,
        },
        _ => None,
    }
}
