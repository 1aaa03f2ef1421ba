//! The tree of a text: what is written, with places, before names and kinds of values are checked.

use super::{Test, Token};
use crate::problem::Span;

/// A whole text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tree {
    pub game: Option<(String, Span)>,
    pub about: String,
    pub source: String,
    pub known: String,
    pub unit: Option<String>,
    pub sides: Option<[Token; 2]>,
    pub parameters: Vec<Parameter>,
    /// What must hold for the parameters, with a message.
    pub requires: Vec<(Expr, String)>,
    pub board: Option<Board>,
    pub pieces: Vec<Piece>,
    pub counts: Vec<Count>,
    pub numbers: Vec<Number>,
    /// Sets of cells that are part of a position.
    pub marks: Vec<Token>,
    pub ways: Vec<Way>,
    pub zones: Vec<Zone>,
    pub defines: Vec<Define>,
    pub start: Option<Start>,
    pub moves: Option<Block>,
    pub end: Option<Block>,
    pub stuck: Option<(Stuck, Span)>,
    pub endless: Option<Statement>,
    pub picture: Vec<Drawn>,
    pub tests: Vec<Test>,
}

/// How a part of the game is drawn; no rule depends on it.
#[derive(Clone, Debug)]
pub(crate) enum Drawn {
    /// Squares are light and dark in turn.
    Checkered,
    /// The upper and lower edges of a rhombus are drawn as the first player's, the others as the second player's.
    Edges,
    /// Cells are points, with lines from these in some directions.
    Lines { from: Expr, ways: Vec<Token> },
    /// A piece, a mark or a number, and how it is drawn.
    As { name: Token, what: Vec<Token> },
}

/// A parameter: a number, or a word.
#[derive(Clone, Debug)]
pub(crate) struct Parameter {
    pub name: Token,
    /// The usual value; of a number, it may be the name of a parameter above.
    pub default: Token,
    pub range: Range,
    pub meaning: String,
}

#[derive(Clone, Debug)]
pub(crate) enum Range {
    Numbers { min: i64, max: i64, step: i64 },
    Words(Vec<Token>),
}

#[derive(Clone, Debug)]
pub(crate) struct Board {
    pub shape: Shape,
    /// The cells that are left out.
    pub without: Option<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Columns, rows, and layers if there are several.
    Rectangle(Vec<Expr>),
    /// Columns and rows of each board, and how many boards stand side by side.
    Copies(Expr, Expr, Expr),
    /// Columns and rows of squares, with the edges between them.
    Edged(Expr, Expr),
    /// Columns and rows, of which the last touches the first: the columns, or both.
    Closed { columns: Expr, rows: Expr, torus: bool },
    /// A rhombus of hexagons: columns and rows.
    Hexagons(Expr, Expr),
    /// A ring of pits; with a store after each half.
    Ring { cells: Expr, stores: bool },
    /// Points and lines, as a drawing.
    Drawing(Vec<Line>),
}

pub(crate) use super::Line;

/// A kind of piece: with a letter for each side, or one letter if it belongs to no side.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub name: Token,
    pub letters: Vec<(char, Span)>,
}

/// A number on every cell.
#[derive(Clone, Debug)]
pub(crate) struct Count {
    pub name: Token,
    pub range: (Expr, Expr),
}

/// A number that is part of a position; if `each`, every side has its own.
#[derive(Clone, Debug)]
pub(crate) struct Number {
    pub name: Token,
    pub start: Expr,
    pub range: (Expr, Expr),
    pub each: bool,
    pub meaning: String,
}

/// A direction with a name, which may differ for the sides.
#[derive(Clone, Debug)]
pub(crate) struct Way {
    pub name: Token,
    pub directions: [Token; 2],
}

/// A set of cells with a name, which may differ for the sides.
#[derive(Clone, Debug)]
pub(crate) struct Zone {
    pub name: Token,
    pub cells: Expr,
    pub second: Option<Expr>,
}

/// An expression with a name, which stands for it wherever the name is used, with other expressions for its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Define {
    pub name: Token,
    pub parameters: Vec<Token>,
    pub body: Expr,
}

#[derive(Clone, Debug)]
pub(crate) enum Start {
    Drawing(Vec<Line>),
    Statements(Block),
}

/// What happens if a side to move has no move.
#[derive(Clone, Debug)]
pub(crate) enum Stuck {
    Loses,
    Draws,
    Wins,
    /// It passes; if the other side cannot move either, these statements say how the game ends.
    Passes(Block),
    Ends(Block),
    Never,
}

pub(crate) type Block = Vec<Statement>;

#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

impl Statement {
    /// Whether there is a choice in it.
    pub fn may_choose(&self) -> bool {
        match &self.kind {
            StatementKind::Choose { .. } | StatementKind::Either(_) => true,
            _ => self.within().any(Statement::may_choose),
        }
    }
}

impl Statement {
    /// The statements directly within it.
    fn within(&self) -> Box<dyn Iterator<Item = &Statement> + '_> {
        match &self.kind {
            StatementKind::If { then, otherwise, .. } => Box::new(then.iter().chain(otherwise)),
            StatementKind::Either(all) => Box::new(all.iter().flat_map(|each| &each.body)),
            StatementKind::For { body, .. } | StatementKind::Repeat { body, .. } => {
                Box::new(body.iter())
            }
            _ => Box::new(std::iter::empty()),
        }
    }

    /// The first choice in it.
    pub fn first_choice(&self) -> Option<Span> {
        match &self.kind {
            StatementKind::Choose { .. } => Some(self.span),
            _ => self.within().find_map(Statement::first_choice),
        }
    }

    /// Whether it, or a statement within it, gives a value this name.
    pub fn names(&self, name: &str) -> bool {
        match &self.kind {
            StatementKind::Choose { name: own, .. } | StatementKind::Let { name: own, .. } => {
                own.text == name
            }
            _ => self.within().any(|within| within.names(name)),
        }
    }

    /// The first loop in it.
    pub fn first_loop(&self) -> Option<Span> {
        match &self.kind {
            StatementKind::For { .. } | StatementKind::Repeat { .. } => Some(self.span),
            _ => self.within().find_map(Statement::first_loop),
        }
    }

    /// How many copies loops over directions make of a line within it, at most.
    pub fn copies(&self) -> u64 {
        let within = self.within().map(Statement::copies).max().unwrap_or(1);
        match &self.kind {
            StatementKind::For { over: Over::Directions(directions), .. } => {
                within.saturating_mul(directions.len() as u64)
            }
            _ => within,
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    /// A choice of a cell, or, with a second expression, of a number of a range.
    Choose {
        name: Token,
        from: Expr,
        to: Option<Expr>,
    },
    Let {
        name: Token,
        value: Expr,
    },
    /// `=`, `+=` or `-=`, to a name, or to a count of a cell.
    Set {
        name: Token,
        cell: Option<Expr>,
        sign: Token,
        value: Expr,
    },
    Require(Expr),
    /// Only the moves with the largest number may be made.
    Prefer(Expr),
    If {
        condition: Expr,
        then: Block,
        otherwise: Block,
    },
    Either(Vec<Alternative>),
    For {
        name: Token,
        over: Over,
        body: Block,
    },
    Repeat {
        times: Expr,
        body: Block,
    },
    /// Leaves the innermost loop.
    Stop,
    Put {
        owner: Owner,
        piece: Token,
        on: Expr,
    },
    Clear(Expr),
    /// The pieces and counts of one cell go to another.
    Move {
        from: Expr,
        to: Expr,
    },
    /// The contents of a square block turn by a quarter.
    Turn {
        block: Expr,
        left: bool,
    },
    Again,
    Pass,
    End(End),
    Score(Expr),
}

/// One of several ways to move, with a word for the move's text if its choices do not tell.
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub label: Option<Token>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub(crate) enum Over {
    Cells(Expr),
    Directions(Vec<Token>),
}

/// Whose piece is put.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Owner {
    Mine,
    Theirs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    Win,
    Lose,
    Draw,
}

#[derive(Clone, Debug)]
pub(crate) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExprKind {
    Number(i64),
    Name(String),
    Call {
        name: Token,
        arguments: Vec<Expr>,
    },
    Binary {
        sign: Sign,
        place: Span,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Not(Box<Expr>),
    Negative(Box<Expr>),
    /// One of two values: `then if condition else otherwise`.
    If {
        condition: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Sign {
    Or,
    And,
    Equal,
    Unequal,
    Less,
    Greater,
    AtMost,
    AtLeast,
    /// Union.
    Union,
    /// Difference of sets, or of numbers.
    Minus,
    Plus,
    /// Intersection.
    Both,
    Times,
    Divide,
    Remainder,
}

impl Sign {
    /// All signs by how strongly they bind, the weakest first.
    pub const LEVELS: [&[(&str, Sign)]; 5] = [
        &[("or", Sign::Or)],
        &[("and", Sign::And)],
        &[
            ("==", Sign::Equal),
            ("!=", Sign::Unequal),
            ("<", Sign::Less),
            (">", Sign::Greater),
            ("<=", Sign::AtMost),
            (">=", Sign::AtLeast),
        ],
        &[("|", Sign::Union), ("-", Sign::Minus), ("+", Sign::Plus)],
        &[("&", Sign::Both), ("*", Sign::Times), ("/", Sign::Divide), ("%", Sign::Remainder)],
    ];
}
