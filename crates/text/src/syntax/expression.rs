//! Expressions: signs by how strongly they bind, calls, names and numbers.

use super::Tokens;
use super::parse::Parsed;
use super::tree::*;
use crate::problem::Problem;

/// Expressions are nested at most this deep.
const DEEPEST: u32 = 48;

pub(super) fn expression(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    whole(tokens, 0)
}

/// An expression, and perhaps the condition that chooses between it and another one.
fn whole(tokens: &mut Tokens<'_>, depth: u32) -> Parsed<Expr> {
    let then = level(tokens, 0, depth)?;
    if !tokens.eat("if") {
        return Ok(then);
    }
    let condition = level(tokens, 0, depth)?;
    tokens.expect("else")?;
    let otherwise = whole(tokens, depth + 1)?;
    let span = then.span.to(otherwise.span);
    let [condition, then, otherwise] = [condition, then, otherwise].map(Box::new);
    Ok(Expr { kind: ExprKind::If { condition, then, otherwise }, span })
}

/// An expression of signs that bind at least as strongly as those of a level.
pub(super) fn level(tokens: &mut Tokens<'_>, at: usize, depth: u32) -> Parsed<Expr> {
    if depth > DEEPEST {
        return Err(Problem::new(tokens.span(), "the expression is nested too deep"));
    }
    let Some(signs) = Sign::LEVELS.get(at) else { return atom(tokens, depth) };
    // `no` and `not` bind more weakly than comparisons.
    if at == 2 && matches!(tokens.peek(), "no" | "not") {
        let span = tokens.span();
        tokens.next();
        let inner = level(tokens, at, depth + 1)?;
        let span = span.to(inner.span);
        return Ok(Expr { kind: ExprKind::Not(Box::new(inner)), span });
    }
    let mut left = level(tokens, at + 1, depth)?;
    let mut length = 0;
    while let Some((_, sign)) = signs.iter().find(|(text, _)| *text == tokens.peek()) {
        length += 1;
        if length > 200 {
            return Err(Problem::new(tokens.span(), "the expression is too long"));
        }
        let place = tokens.span();
        tokens.next();
        let right = level(tokens, at + 1, depth)?;
        let span = left.span.to(right.span);
        let (left_box, right) = (Box::new(left), Box::new(right));
        let kind = ExprKind::Binary { sign: *sign, place, left: left_box, right };
        left = Expr { kind, span };
        if at == 2 {
            break;
        }
    }
    Ok(left)
}

fn atom(tokens: &mut Tokens<'_>, depth: u32) -> Parsed<Expr> {
    let span = tokens.span();
    let found = tokens.found("a set, a number or a name");
    let Some(token) = tokens.next() else { return Err(found) };
    match token.text.as_str() {
        "(" => {
            let inner = whole(tokens, depth + 1)?;
            tokens.expect(")")?;
            Ok(inner)
        }
        "-" => {
            let inner = level(tokens, Sign::LEVELS.len() - 1, depth + 1)?;
            let span = span.to(inner.span);
            Ok(Expr { kind: ExprKind::Negative(Box::new(inner)), span })
        }
        word if word.bytes().all(|byte| byte.is_ascii_digit()) => match word.parse::<u32>() {
            Ok(number) => Ok(Expr { kind: ExprKind::Number(number.into()), span }),
            Err(_) => Err(Problem::new(span, format!("{word} is too large"))),
        },
        // `their men`: the other player's number.
        "their" if is_name(tokens.peek()) => {
            let name = tokens.name("a name")?;
            let kind = ExprKind::Name(format!("their {}", name.text));
            Ok(Expr { kind, span: span.to(name.span) })
        }
        word if is_name(word) && tokens.peek() == "(" => {
            tokens.next();
            let mut arguments = vec![whole(tokens, depth + 1)?];
            while tokens.eat(",") {
                arguments.push(whole(tokens, depth + 1)?);
            }
            let end = tokens.span();
            tokens.expect(")")?;
            let kind = ExprKind::Call { name: token.clone(), arguments };
            Ok(Expr { kind, span: span.to(end) })
        }
        word if is_name(word) => Ok(Expr { kind: ExprKind::Name(word.to_owned()), span }),
        _ => Err(found),
    }
}

pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_')
}
