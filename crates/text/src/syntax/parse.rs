//! From lines to a tree. A line that is wrong is reported and left out; parsing goes on.

use super::Tokens;
use super::expression::{expression, is_name, level};
use super::format::{PROSE, is_statement};
use super::line::{Token, check_even, lines, new_name};
use super::test::test;
use super::tree::*;
use crate::problem::{Problem, Span, did_you_mean};

/// The most bytes of a text.
pub const LONGEST: usize = 1 << 16;

/// The most characters of a unit.
const LONGEST_UNIT: usize = 24;

/// The words that begin a line at the top.
pub(crate) const ITEMS: [&str; 19] = [
    "game",
    "about",
    "source",
    "known",
    "unit",
    "sides",
    "parameter",
    "require",
    "board",
    "piece",
    "count",
    "number",
    "mark",
    "way",
    "zone",
    "define",
    "start",
    "move",
    "end",
];

/// More of them.
pub(crate) const OTHERS: [&str; 5] = ["hand", "stuck", "endless", "picture", "test"];

/// The words that begin a statement.
pub(crate) const STATEMENTS: [&str; 21] = [
    "choose", "let", "require", "prefer", "if", "either", "for", "repeat", "stop", "put", "clear",
    "move", "turn", "again", "pass", "win", "lose", "draw", "score", "else", "or",
];

pub(super) type Parsed<T> = Result<T, Problem>;

/// The tree of a text, with everything that is wrong in it.
pub(crate) fn parse(text: &str) -> (Tree, Vec<Problem>) {
    if text.len() > LONGEST {
        let message = format!("the text has {} bytes, expected at most {LONGEST}", text.len());
        return (Tree::default(), vec![Problem::new(Span::default(), message)]);
    }
    let mut parser = Parser { problems: Vec::new(), depth: 0 };
    let lines = lines(text, &mut parser.problems);
    check_even(&lines, 0, &mut parser.problems);
    let mut tree = Tree::default();
    for line in &lines {
        check_letters(line, &mut parser.problems);
        if let Err(problem) = parser.item(line, &mut tree) {
            parser.problems.push(problem);
        }
    }
    (tree, parser.problems)
}

/// Reports letters of other alphabets outside of sentences: some look like others, so that a name could be taken for
/// another one.
fn check_letters(item: &Line, problems: &mut Vec<Problem>) {
    let head = item.tokens.first().map_or("", |token| token.text.as_str());
    if ["game", "unit", "picture", "test"].contains(&head) || PROSE.contains(&head) {
        return;
    }
    // After a colon these have a sentence.
    let has_meaning = matches!(head, "parameter" | "number" | "require");
    let names = item.tokens.iter().take_while(|token| !(has_meaning && token.text == ":"));
    for token in names {
        let other =
            token.text.chars().enumerate().find(|(_, c)| c.is_alphanumeric() && !c.is_ascii());
        if let Some((at, letter)) = other {
            let column = token.span.column + at;
            let message = format!(
                "expected letters a to z, digits and `_` in names, found {}",
                letter.escape_unicode()
            );
            problems.push(Problem::new(Span { column, length: 1, ..token.span }, message));
        }
    }
    item.children.iter().for_each(|line| check_letters(line, problems));
}

pub(super) struct Parser {
    pub problems: Vec<Problem>,
    /// How many blocks are open.
    pub depth: usize,
}

/// Sets what may be said once.
fn once<T>(place: &mut Option<T>, value: T, line: &Line) -> Parsed<()> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => {
            let word = &line.tokens[0];
            Err(Problem::new(word.span, format!("`{}` is there already", word.text)))
        }
    }
}

/// The text of an item: the rest of its line, and the lines below.
fn prose(line: &Line) -> String {
    fn below(lines: &[Line], text: &mut String) {
        for line in lines {
            text.push(' ');
            text.push_str(line.text.trim());
            below(&line.children, text);
        }
    }
    let mut text = line.rest().to_owned();
    below(&line.children, &mut text);
    text.trim().to_owned()
}

pub(super) fn no_children(line: &Line) -> Parsed<()> {
    match line.children.first() {
        None => Ok(()),
        Some(child) => {
            let above = line.span.line + 1;
            let message = format!(
                "expected this line indented like line {above}, which takes no lines below"
            );
            Err(Problem::new(child.span, message))
        }
    }
}

pub(super) fn needs_children(line: &Line) -> Parsed<()> {
    match line.children.is_empty() {
        true => Err(Problem::new(line.span, "expected lines below, indented more")),
        false => Ok(()),
    }
}

/// The problem with a line at the top that begins with another word.
fn unknown(head: &Token) -> Problem {
    let other = head.text.as_str();
    let near = did_you_mean(other, ITEMS.into_iter().chain(OTHERS));
    let message = match STATEMENTS.contains(&other) {
        true => format!("`{other}` belongs into `move`, `end` or `start`, indented"),
        false => format!(
            "found `{other}`, expected a word such as game, sides, board, piece, start, move or end{near}"
        ),
    };
    Problem::new(head.span, message)
}

impl Parser {
    /// Reads a line of the first level: one arm for each word that it may begin with.
    fn item(&mut self, line: &Line, tree: &mut Tree) -> Parsed<()> {
        let mut tokens = Tokens::new(line);
        let Some(head) = tokens.next() else { return Ok(()) };
        let word = head.text.as_str();
        let may_nest = [
            "about", "source", "known", "board", "start", "move", "end", "stuck", "endless",
            "picture",
        ];
        let is_known = ITEMS.contains(&word) || OTHERS.contains(&word);
        if is_known && !may_nest.contains(&word) {
            no_children(line)?;
        }
        match word {
            "game" if line.rest().is_empty() => return Err(tokens.found("the name of the game")),
            "game" => return once(&mut tree.game, (line.rest().to_owned(), line.span), line),
            "about" => tree.about = prose(line),
            "source" => tree.source = prose(line),
            "known" => tree.known = prose(line),
            "unit" => {
                // It stands within the sentences of verdicts.
                let unit = line.rest();
                let is_word = |word: &str| word.chars().all(char::is_alphabetic);
                let is_long = unit.chars().count() > LONGEST_UNIT;
                if unit.is_empty() || is_long || !unit.split(' ').all(is_word) {
                    return Err(tokens.found("a word in the plural, such as `stones`"));
                }
                return once(&mut tree.unit, unit.to_owned(), line);
            }
            "sides" => {
                let sides = [
                    tokens.name("the name of the first player")?,
                    tokens.name("the name of the second player")?,
                ];
                tokens.end()?;
                return once(&mut tree.sides, sides, line);
            }
            "parameter" => {
                let parameter = parameter(&mut tokens, line, &tree.parameters)?;
                tree.parameters.push(parameter);
            }
            "require" => {
                let condition = expression(&mut tokens)?;
                let message = meaning(&mut tokens, line)?;
                tree.requires.push((condition, message));
            }
            "board" => {
                let board = self.board(&mut tokens, line)?;
                return once(&mut tree.board, board, line);
            }
            "piece" => tree.pieces.push(piece(line)?),
            "count" => {
                let name = tokens.new_name("the name of what is counted")?;
                tokens.expect("in")?;
                let range = range(&mut tokens)?;
                tokens.end()?;
                tree.counts.push(Count { name, range });
            }
            "number" => tree.numbers.push(number(&mut tokens, line)?),
            "hand" => {
                let start = expression(&mut tokens)?;
                tokens.end()?;
                let zero = Expr { kind: ExprKind::Number(0), span: start.span };
                let range = (zero, start.clone());
                let meaning = String::new();
                tree.numbers.push(Number { name: head.clone(), start, range, each: true, meaning });
            }
            "mark" => {
                tree.marks.push(tokens.new_name("the name of a set of cells")?);
                tokens.end()?;
            }
            "way" => {
                let name = tokens.new_name("the name of a direction")?;
                let first = tokens.name("a direction, such as n or se")?;
                let second = if tokens.is_done() {
                    first.clone()
                } else {
                    tokens.name("the second player's direction")?
                };
                tokens.end()?;
                tree.ways.push(Way { name, directions: [first, second] });
            }
            "zone" => {
                let name = tokens.new_name("the name of a set of cells")?;
                tokens.expect("=")?;
                let cells = expression(&mut tokens)?;
                let second = if tokens.eat(";") { Some(expression(&mut tokens)?) } else { None };
                tokens.end()?;
                tree.zones.push(Zone { name, cells, second });
            }
            "define" => {
                let name = tokens.new_name("the name of an expression")?;
                let mut parameters = Vec::new();
                if tokens.eat("(") {
                    parameters.push(tokens.new_name("the name of a parameter")?);
                    while tokens.eat(",") {
                        parameters.push(tokens.new_name("the name of a parameter")?);
                    }
                    tokens.expect(")")?;
                }
                tokens.expect("=")?;
                let body = expression(&mut tokens)?;
                tokens.end()?;
                tree.defines.push(Define { name, parameters, body });
            }
            "start" => {
                tokens.end()?;
                needs_children(line)?;
                let start = match line.children.iter().any(|child| is_statement(&child.tokens)) {
                    true => Start::Statements(self.block(&line.children)),
                    false => Start::Drawing(line.children.clone()),
                };
                return once(&mut tree.start, start, line);
            }
            "move" => {
                tokens.end()?;
                needs_children(line)?;
                let block = self.block(&line.children);
                return once(&mut tree.moves, block, line);
            }
            "end" => {
                tokens.end()?;
                needs_children(line)?;
                let block = self.block(&line.children);
                return once(&mut tree.end, block, line);
            }
            "picture" => {
                tokens.end()?;
                needs_children(line)?;
                check_even(&line.children, line.children[0].indent, &mut self.problems);
                for line in &line.children {
                    no_children(line)?;
                    tree.picture.push(drawn(line)?);
                }
            }
            "test" => tree.tests.push(test(line)?),
            "stuck" => {
                let stuck = self.stuck(&mut tokens, line)?;
                return once(&mut tree.stuck, (stuck, line.span), line);
            }
            "endless" => {
                no_children(line)?;
                let mut block = Vec::new();
                if matches!(tokens.peek(), "draw" | "win" | "lose" | "score") {
                    self.statement(&mut tokens, line, &mut block)?;
                }
                let Some(statement) = block.pop() else {
                    return Err(tokens.found("draw, win, lose or score"));
                };
                return once(&mut tree.endless, statement, line);
            }
            _ => return Err(unknown(head)),
        }
        Ok(())
    }

    fn board(&mut self, tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Board> {
        let shape = match tokens.peek() {
            "hexagons" => {
                tokens.next();
                Shape::Hexagons(size(tokens)?, size(tokens)?)
            }
            closed @ ("cylinder" | "torus") => {
                let torus = closed == "torus";
                tokens.next();
                Shape::Closed { columns: size(tokens)?, rows: size(tokens)?, torus }
            }
            "ring" => {
                tokens.next();
                let cells = size(tokens)?;
                let stores = tokens.eat("with");
                if stores {
                    tokens.expect("stores")?;
                }
                Shape::Ring { cells, stores }
            }
            "points" => {
                tokens.next();
                needs_children(line)?;
                Shape::Drawing(line.children.clone())
            }
            sizes if sizes.split_once('x').is_some_and(|(one, _)| one.parse::<u32>().is_ok()) => {
                let message =
                    format!("write the sizes as two numbers: `board {}`", sizes.replace('x', " "));
                return Err(Problem::new(line.span, message));
            }
            _ => {
                let (columns, rows) = (size(tokens)?, size(tokens)?);
                match tokens.peek() {
                    "with" => {
                        tokens.next();
                        tokens.expect("edges")?;
                        Shape::Edged(columns, rows)
                    }
                    "copies" => {
                        tokens.next();
                        Shape::Copies(columns, rows, size(tokens)?)
                    }
                    layers if tokens.is_done() || layers == "without" => {
                        Shape::Rectangle(vec![columns, rows])
                    }
                    _ => Shape::Rectangle(vec![columns, rows, size(tokens)?]),
                }
            }
        };
        if !matches!(shape, Shape::Drawing(_)) {
            no_children(line)?;
        }
        if matches!(tokens.peek(), "with" | "copies") {
            let message = "only a board of columns and rows has edges, or copies: `board 5 5 with edges`, `board 5 5 \
                           copies 2`";
            return Err(Problem::new(tokens.span(), message));
        }
        let without = if tokens.eat("without") { Some(expression(tokens)?) } else { None };
        tokens.end()?;
        Ok(Board { shape, without, span: line.span })
    }

    fn stuck(&mut self, tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Stuck> {
        let expected =
            "loses, draws, wins, passes, never, or lines below that say how the game ends";
        let word = tokens.peek();
        if !word.is_empty() {
            tokens.next();
        }
        tokens.end()?;
        if !matches!(word, "" | "passes") {
            no_children(line)?;
        }
        Ok(match word {
            "loses" => Stuck::Loses,
            "draws" => Stuck::Draws,
            "wins" => Stuck::Wins,
            "never" => Stuck::Never,
            "passes" => {
                if line.children.is_empty() {
                    let message = "expected lines below that say how the game ends if neither side can move, such as `draw`";
                    return Err(Problem::new(line.span, message));
                }
                Stuck::Passes(self.block(&line.children))
            }
            "" => {
                needs_children(line)?;
                Stuck::Ends(self.block(&line.children))
            }
            other => {
                let near = did_you_mean(other, ["loses", "draws", "wins", "passes", "never"]);
                return Err(Problem::new(
                    line.span,
                    format!("found `stuck {other}`, expected {expected}{near}"),
                ));
            }
        })
    }
}

/// The meaning of a line, after a colon.
fn meaning(tokens: &mut Tokens<'_>, line: &Line) -> Parsed<String> {
    if !tokens.eat(":") {
        tokens.end()?;
        return Ok(String::new());
    }
    let text: String = line.text.chars().skip(tokens.span().column).collect();
    Ok(text.trim().to_owned())
}

fn parameter(tokens: &mut Tokens<'_>, line: &Line, before: &[Parameter]) -> Parsed<Parameter> {
    let name = tokens.new_name("the name of the parameter")?;
    tokens.expect("=")?;
    let minus = (tokens.peek() == "-").then(|| tokens.next().cloned()).flatten();
    let Some(mut default) = tokens.next().cloned() else {
        return Err(tokens.found("the usual value"));
    };
    if let Some(minus) = &minus {
        let span = minus.span.to(default.span);
        default = Token { text: format!("-{}", default.text), span };
    }
    tokens.expect("in")?;
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    let range = if is_number(&default.text) || is_number(tokens.peek()) {
        let min = whole(tokens)?;
        tokens.expect("..")?;
        let max = whole(tokens)?;
        let step = if tokens.eat("by") { whole(tokens)? } else { 1 };
        // The usual value is a number, or as that of a parameter before.
        let holds =
            |number: i64| step > 0 && (min..=max).contains(&number) && (number - min) % step == 0;
        let other = before.iter().find(|other| other.name.text == default.text);
        let fits = match other.map(|other| &other.range) {
            Some(Range::Numbers { min, max, step }) => {
                holds(*min) && holds(*max) && (min == max || holds(min + step))
            }
            _ => default.text.parse().is_ok_and(holds),
        };
        if !fits {
            let message = match is_number(&default.text) {
                true => "expected `name = usual in smallest..largest`, with the usual value in the range".to_owned(),
                false => format!(
                    "expected the usual value: a number, or the name of a parameter above whose numbers are all in \
                     this range, found `{}`",
                    default.text
                ),
            };
            return Err(Problem::new(default.span, message));
        }
        Range::Numbers { min, max, step }
    } else {
        let mut words = Vec::new();
        while is_name(tokens.peek()) {
            words.push(tokens.name("a word")?);
        }
        if !words.iter().any(|word| word.text == default.text) {
            let message = format!("expected one of the words after `in`, found `{}`", default.text);
            return Err(Problem::new(default.span, message));
        }
        Range::Words(words)
    };
    Ok(Parameter { name, default, range, meaning: meaning(tokens, line)? })
}

/// A number that is written out.
fn whole(tokens: &mut Tokens<'_>) -> Parsed<i64> {
    let sign = if tokens.eat("-") { -1 } else { 1 };
    match tokens.peek().parse::<u32>() {
        Ok(number) => {
            tokens.next();
            Ok(sign * i64::from(number))
        }
        Err(_) => Err(tokens.found("a whole number")),
    }
}

fn number(tokens: &mut Tokens<'_>, line: &Line) -> Parsed<Number> {
    let name = tokens.new_name("the name of a number")?;
    tokens.expect("=")?;
    let start = expression(tokens)?;
    tokens.expect("in")?;
    let range = range(tokens)?;
    let each = tokens.eat("each");
    Ok(Number { name, start, range, each, meaning: meaning(tokens, line)? })
}

fn range(tokens: &mut Tokens<'_>) -> Parsed<(Expr, Expr)> {
    let from = expression(tokens)?;
    tokens.expect("..")?;
    Ok((from, expression(tokens)?))
}

fn piece(line: &Line) -> Parsed<Piece> {
    let words = line.words();
    let name = words.get(1).filter(|name| is_name(&name.text));
    let Some(name) = name.cloned() else {
        return Err(Problem::new(line.span, "expected `piece name letter letter`"));
    };
    let letters = words[2..].iter().map(|word| {
        let mut letters = word.text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if !joins_others(letter) => Ok((letter, word.span)),
            _ => {
                Err(Problem::new(word.span, format!("expected one letter, found `{}`", word.text)))
            }
        }
    });
    let letters: Vec<_> = letters.collect::<Parsed<_>>()?;
    new_name(&name)?;
    match letters.len() {
        1 | 2 => Ok(Piece { name, letters }),
        _ => {
            let message = "expected a letter for each player, or one letter for a piece of neither";
            Err(Problem::new(line.span, message))
        }
    }
}

/// A line of `picture`.
fn drawn(line: &Line) -> Parsed<Drawn> {
    let mut tokens = Tokens::new(line);
    match tokens.peek() {
        "checkered" => {
            tokens.next();
            tokens.end()?;
            Ok(Drawn::Checkered)
        }
        "edges" => {
            tokens.next();
            tokens.end()?;
            Ok(Drawn::Edges)
        }
        "lines" => {
            tokens.next();
            let from = size(&mut tokens)?;
            let mut ways = vec![tokens.name("a direction, such as n or se")?];
            while !tokens.is_done() {
                ways.push(tokens.name("a direction")?);
            }
            Ok(Drawn::Lines { from, ways })
        }
        _ => {
            let mut words = line.words();
            if words.len() < 3 || words[1].text != "as" {
                let message =
                    "expected `checkered`, `edges`, `lines SET DIRECTIONS` or `name as ...`";
                return Err(Problem::new(line.span, message));
            }
            let what = words.split_off(2);
            Ok(Drawn::As { name: words.swap_remove(0), what })
        }
    }
}

/// Whether a character is drawn on the one before it.
fn joins_others(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}')
}

/// A size of a board: a number, a name, or an expression in brackets, as two sizes stand side by
/// side.
fn size(tokens: &mut Tokens<'_>) -> Parsed<Expr> {
    let size = level(tokens, Sign::LEVELS.len() - 1, 0)?;
    match tokens.peek() {
        "+" | "-" => {
            let message =
                "write brackets around a size that is calculated: `board (size + 1) size`";
            Err(Problem::new(tokens.span(), message))
        }
        _ => Ok(size),
    }
}
