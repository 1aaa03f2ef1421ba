//! Statements, with the blocks within them.

use super::expression::{expression, is_name};
use super::line::check_even;
use super::parse::{Parsed, Parser, STATEMENTS, needs_children, no_children};
use super::tree::*;
use super::{Line, Token, Tokens};
use crate::problem::{Problem, did_you_mean};

/// What other languages call some statements.
const ELSEWHERE: [(&str, &str); 12] = [
    ("elif", "else if"),
    ("elseif", "else if"),
    ("remove", "clear"),
    ("delete", "clear"),
    ("capture", "clear"),
    ("place", "put"),
    ("drop", "put"),
    ("promote", "put"),
    ("while", "repeat"),
    ("break", "stop"),
    ("select", "choose"),
    ("maximize", "prefer"),
];

/// The most blocks within one another.
const DEEPEST: usize = 24;

impl Parser {
    pub(super) fn block(&mut self, lines: &[Line]) -> Block {
        check_even(lines, lines.first().map_or(0, |line| line.indent), &mut self.problems);
        let mut block = Vec::new();
        for line in lines {
            let mut tokens = Tokens::new(line);
            if let Err(problem) = self.statement(&mut tokens, line, &mut block) {
                self.problems.push(problem);
            }
        }
        block
    }

    /// Parses a statement, and adds it to a block, or to the `if` or `either` before it: one arm for each kind.
    pub(super) fn statement(
        &mut self,
        tokens: &mut Tokens<'_>,
        line: &Line,
        block: &mut Block,
    ) -> Parsed<()> {
        let span = tokens.span();
        let Some(head) = tokens.next() else { return Err(tokens.found("a statement")) };
        let nests = matches!(&head.text[..], "if" | "else" | "either" | "or" | "for" | "repeat");
        if !nests {
            no_children(line)?;
        }
        let kind = match head.text.as_str() {
            "choose" => {
                let name = tokens.new_name("a name for the chosen cell")?;
                tokens.expect("in")?;
                let from = expression(tokens)?;
                let to = if tokens.eat("..") { Some(expression(tokens)?) } else { None };
                StatementKind::Choose { name, from, to }
            }
            "let" => {
                let name = tokens.new_name("a name")?;
                tokens.expect("=")?;
                StatementKind::Let { name, value: expression(tokens)? }
            }
            "require" => StatementKind::Require(expression(tokens)?),
            "prefer" => StatementKind::Prefer(expression(tokens)?),
            "if" => {
                let condition = expression(tokens)?;
                let then = self.body(tokens, line)?;
                StatementKind::If { condition, then, otherwise: Vec::new() }
            }
            "else" => {
                let otherwise = match tokens.peek() {
                    "if" => {
                        let mut inner = Vec::new();
                        self.statement(tokens, line, &mut inner)?;
                        inner
                    }
                    _ => self.body(tokens, line)?,
                };
                return match last_if(block) {
                    Some(place) => {
                        *place = otherwise;
                        Ok(())
                    }
                    None => {
                        Err(Problem::new(span, "`else` needs an `if` before it, indented alike"))
                    }
                };
            }
            "either" => StatementKind::Either(vec![self.alternative(tokens, line)?]),
            "or" => {
                let alternative = self.alternative(tokens, line)?;
                return match block.last_mut().map(|last| &mut last.kind) {
                    Some(StatementKind::Either(all)) => {
                        all.push(alternative);
                        Ok(())
                    }
                    _ => {
                        Err(Problem::new(span, "`or` needs an `either` before it, indented alike"))
                    }
                };
            }
            "for" => {
                let name = tokens.new_name("a name")?;
                tokens.expect("in")?;
                let over = match tokens.eat("ways") {
                    true => Over::Directions(directions(tokens)?),
                    false => Over::Cells(expression(tokens)?),
                };
                StatementKind::For { name, over, body: self.body(tokens, line)? }
            }
            "repeat" => {
                let times = expression(tokens)?;
                StatementKind::Repeat { times, body: self.body(tokens, line)? }
            }
            "stop" => StatementKind::Stop,
            "put" => {
                let owner = if tokens.eat("their") { Owner::Theirs } else { Owner::Mine };
                let piece = tokens.name("the name of a piece")?;
                tokens.expect("on")?;
                StatementKind::Put { owner, piece, on: expression(tokens)? }
            }
            "clear" => StatementKind::Clear(expression(tokens)?),
            "move" => {
                let from = expression(tokens)?;
                tokens.expect("->")?;
                StatementKind::Move { from, to: expression(tokens)? }
            }
            "turn" => {
                let left = match tokens.peek() {
                    "left" => true,
                    "right" => false,
                    _ => return Err(tokens.found("left or right")),
                };
                tokens.next();
                StatementKind::Turn { block: expression(tokens)?, left }
            }
            "again" => StatementKind::Again,
            "pass" => StatementKind::Pass,
            "win" => StatementKind::End(End::Win),
            "lose" => StatementKind::End(End::Lose),
            "draw" => StatementKind::End(End::Draw),
            "score" => StatementKind::Score(expression(tokens)?),
            name if matches!(tokens.peek(), "=" | "+=" | "-=" | "(") && is_name(name) => {
                let cell = match tokens.eat("(") {
                    true => {
                        let cell = expression(tokens)?;
                        tokens.expect(")")?;
                        Some(cell)
                    }
                    false => None,
                };
                let sign = match tokens.peek() {
                    "=" | "+=" | "-=" => tokens.next().cloned(),
                    _ => None,
                };
                let Some(sign) = sign else { return Err(tokens.found("`=`, `+=` or `-=`")) };
                StatementKind::Set { name: head.clone(), cell, sign, value: expression(tokens)? }
            }
            "their" => {
                let message = "found `their`, but a player changes only the own number or count";
                return Err(Problem::new(head.span, message));
            }
            name if matches!(tokens.peek(), "|" | "&" | "-" | "*") && is_name(name) => {
                let sign = tokens.peek();
                let message = format!("to change it, write `{name} = {name} {sign} ...`");
                return Err(Problem::new(tokens.span(), message));
            }
            other => {
                let meant = ELSEWHERE.iter().find(|(word, _)| *word == other);
                let near = match meant {
                    Some((_, ours)) => format!("; did you mean `{ours}`?"),
                    None => did_you_mean(other, STATEMENTS),
                };
                let message = format!(
                    "found `{other}`, expected a statement such as choose, let, if, put, clear or win{near}"
                );
                return Err(Problem::new(head.span, message));
            }
        };
        if !nests {
            tokens.end()?;
        }
        block.push(Statement { kind, span });
        Ok(())
    }

    fn alternative(&mut self, tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Alternative> {
        let label = match tokens.peek() {
            "" | ":" => None,
            _ => Some(tokens.name("a word for this way to move, or the end of the line")?),
        };
        Ok(Alternative { label, body: self.body(tokens, line)? })
    }

    /// The statements after `:` in the same line, or in the lines below.
    fn body(&mut self, tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Block> {
        // Blocks in one line are not counted by their indentation.
        if self.depth == DEEPEST {
            let message = format!("statements are nested more than {DEEPEST} deep");
            return Err(Problem::new(tokens.span(), message));
        }
        self.depth += 1;
        let body = self.inner_body(tokens, line);
        self.depth -= 1;
        body
    }

    fn inner_body(&mut self, tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Block> {
        let colon = tokens.span();
        if !tokens.eat(":") {
            if !tokens.is_done() {
                return Err(tokens.beyond("`:` and a statement, or the end of the line"));
            }
            needs_children(line)?;
            return Ok(self.block(&line.children));
        }
        if tokens.is_done() && !line.children.is_empty() {
            return Err(Problem::new(colon, "remove this `:`, since the statements are below"));
        }
        no_children(line)?;
        let mut block = Vec::new();
        self.statement(tokens, line, &mut block)?;
        tokens.end()?;
        Ok(block)
    }
}

/// The place for the `else` of the `if` that ends a block, or of its last `else if`.
fn last_if(block: &mut Block) -> Option<&mut Block> {
    let StatementKind::If { otherwise, .. } = &mut block.last_mut()?.kind else { return None };
    if otherwise.is_empty() { Some(otherwise) } else { last_if(otherwise) }
}

fn directions(tokens: &mut Tokens<'_>) -> Parsed<Vec<Token>> {
    let mut all = vec![tokens.name("a direction")?];
    while is_name(tokens.peek()) {
        all.push(tokens.name("a direction")?);
    }
    Ok(all)
}
