//! The parts of a game, for given parameters: board, pieces, counts, zones, and the rules of each
//! side.

use std::collections::HashMap;
use std::sync::Arc;

use super::check::{MAX_WORK, steps, ways};
use super::expression::SETS;
use super::tree::*;
use crate::board::{self, Board, Cells};
use crate::budget::Budget;
use crate::choices::MAX_MOVES;
use crate::problem::{Problem, Span, did_you_mean};
use crate::results::never_falls;
use crate::state::Position;
use crate::syntax::{self, Drawn, Expr, Range, Shape, StatementKind, Token, Tree};

/// A game: a text with values for its parameters.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub board: Board,
    pub pieces: Vec<Piece>,
    pub marks: Vec<String>,
    pub counts: Vec<String>,
    /// The names of numbers; those that each side has, one after the other.
    pub numbers: Vec<String>,
    /// The words for ways to move.
    pub labels: Vec<String>,
    pub layout: Layout,
    pub start: Position,
    pub sides: [SideRules; 2],
    /// Whether a move may be preferred to others.
    pub prefers: bool,
    /// What endless play is worth for the first player: a number, or numbers of the position that never
    /// fall, so that they stay the same where play comes back to a position.
    pub endless: Number,
    pub picture: Picture,
    /// The line that makes most of the rules.
    pub largest: Option<Span>,
}

/// How a game is drawn; no rule depends on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Picture {
    pub checkered: bool,
    /// The edges of a rhombus are drawn as those of the players.
    pub edged: bool,
    /// Lines from one cell to another.
    pub lines: Vec<[usize; 2]>,
    /// Of pieces, marks and numbers, by name, the words that say how they are drawn.
    pub looks: HashMap<String, Vec<String>>,
}

impl Rules {
    /// For each set of pieces whether one of them can ever be on the board: it is there at the start,
    /// or some move puts it there.
    pub fn possible(&self) -> Vec<bool> {
        fn put(block: &Block, possible: &mut [bool]) {
            for statement in block {
                if let Statement::Put { set, .. } = statement {
                    possible[*set] = true;
                }
                statement.blocks().for_each(|block| put(block, possible));
            }
        }
        let pieces = &self.start.sets[..self.layout.pieces];
        let mut possible: Vec<bool> = pieces.iter().map(|set| *set != 0).collect();
        for side in &self.sides {
            put(&side.moves, &mut possible);
            put(&side.end, &mut possible);
        }
        possible
    }

    /// The places of numbers that each side has: the first player's, and the second player's.
    pub fn pairs(&self) -> impl Iterator<Item = (usize, usize)> {
        let names = self.numbers.windows(2).enumerate();
        names.filter(|(_, names)| names[0] == names[1]).map(|(at, _)| (at, at + 1))
    }
}

/// A kind of piece.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Piece {
    pub name: String,
    /// The letters of the sides' pieces, or of pieces that belong to no side.
    pub letters: Vec<char>,
    /// The set of each letter.
    pub sets: Vec<usize>,
}

impl Piece {
    /// The sets of the first and the second player; `None` if the piece belongs to nobody.
    pub fn of_sides(&self) -> Option<[usize; 2]> {
        self.sets[..].try_into().ok()
    }
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Setting {
    Number(i64),
    Word(String),
}

/// The kind of value of a name in a block, with its number among the locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Set,
    Number,
    Truth,
    /// A direction, in a loop over directions.
    Direction(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Local {
    pub name: String,
    pub slot: usize,
    pub kind: Kind,
    pub span: Span,
    /// Whether it is a choice, which has to be used.
    pub chosen: bool,
    pub used: bool,
}

/// What is known while a text is resolved for one side.
pub(super) struct Builder<'a> {
    pub tree: &'a Tree,
    pub settings: &'a HashMap<String, Setting>,
    pub board: Board,
    pub pieces: Vec<Piece>,
    pub layout: Layout,
    /// 0 for the first player.
    pub side: usize,
    pub locals: Vec<Local>,
    /// What stands for the parameters of the definition that is being expanded.
    pub given: Vec<(String, super::expression::Value)>,
    /// The number of slots for locals.
    pub slots: usize,
    /// Statements that make values for the one that is made; `None` outside of statements.
    pub before: Option<Block>,
    pub labels: Vec<String>,
    /// Whether statements may only look at the position.
    pub looking: bool,
    /// Loops around the statement.
    pub loops: usize,
    /// Loops over directions around the statement.
    pub copies: usize,
    /// Whether choices may be made after the statement.
    pub choices_follow: bool,
    /// Names of zones whose cells are being resolved.
    pub within: Vec<String>,
    /// Whether there is no board yet, but parameters alone.
    pub before_positions: bool,
    /// The zones that were resolved, for each side.
    pub zones: HashMap<(usize, usize), Option<Set>>,
    /// The tables that were made, by the numbers of their directions.
    pub tables: Tables,
    pub budget: &'a Budget,
    /// The steps that each line has taken.
    pub taken: HashMap<usize, (u64, Span)>,
    pub problems: Vec<Problem>,
}

/// Tables that depend on the board and on directions alone: each is made once.
#[derive(Default)]
pub(super) struct Tables {
    pub steps: HashMap<Vec<usize>, Arc<[Cells]>>,
    pub rays: HashMap<Directions, Rays>,
    /// By their length, too.
    pub rows: HashMap<(usize, Directions), Arc<[Cells]>>,
}

/// The numbers of some directions; `None` for all.
type Directions = Option<Vec<usize>>;

/// At most this many problems are noted.
const MAX_PROBLEMS: usize = 200;

/// An error that is already among the problems.
#[derive(Debug)]
pub(super) struct Reported;

pub(super) type Built<T> = Result<T, Reported>;

/// The game of a tree with these parameters.
pub(crate) fn build(
    tree: &Tree,
    settings: &HashMap<String, Setting>,
    budget: &Budget,
) -> Result<Rules, Vec<Problem>> {
    let empty = Board::rectangle(1, 1, 1).map_err(|_| Vec::new())?;
    let mut builder = Builder {
        tree,
        settings,
        board: empty,
        pieces: Vec::new(),
        layout: Layout::default(),
        side: 0,
        locals: Vec::new(),
        given: Vec::new(),
        slots: 0,
        before: None,
        labels: Vec::new(),
        looking: false,
        loops: 0,
        copies: 0,
        choices_follow: false,
        within: Vec::new(),
        zones: HashMap::new(),
        before_positions: true,
        tables: Tables::default(),
        budget,
        taken: HashMap::new(),
        problems: Vec::new(),
    };
    let rules = builder.rules();
    match rules {
        Ok(rules) if builder.problems.is_empty() => Ok(rules),
        _ => Err(builder.problems),
    }
}

impl Builder<'_> {
    pub(super) fn fail<T>(&mut self, span: Span, message: impl Into<String>) -> Built<T> {
        // Of very many the first ones are shown.
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(Problem::new(span, message));
        }
        Err(Reported)
    }

    /// Takes steps of the budget.
    pub(super) fn spend(&mut self, steps: u64, span: Span) -> Built<()> {
        if self.budget.is_spent() {
            return Err(Reported);
        }
        self.taken.entry(span.line).or_insert((0, span)).0 += steps;
        match self.budget.take(steps) {
            Some(()) => Ok(()),
            None => self.fail(
                span,
                "here the text becomes too large to be read: with all copies for directions and zones it has more \
                 parts than a text may have",
            ),
        }
    }

    fn rules(&mut self) -> Built<Rules> {
        let tree = self.tree;
        for (condition, message) in &tree.requires {
            if self.known_truth(condition)? {
                continue;
            }
            let message = if message.is_empty() {
                "this does not hold for these parameters"
            } else {
                message
            };
            self.problems.push(Problem::new(condition.span, message));
        }
        if !self.problems.is_empty() {
            return Err(Reported);
        }
        if let Some([first, second]) = &tree.sides {
            for (side, place) in [(first, 0), (second, 1)] {
                let other = [second, first][place];
                let taken = ["first", "second"][1 - place] == side.text || side.text == "draw";
                if taken || place == 1 && side.text == other.text {
                    let message = format!("`{}` cannot be the name of this side", side.text);
                    self.problems.push(Problem::new(side.span, message));
                }
            }
        }
        self.board = self.make_board()?;
        self.before_positions = false;
        self.make_pieces();
        self.make_counts();
        self.check_names();
        self.check_zones();
        self.check_defines();
        let top = Span::default();
        if tree.stuck.is_none() {
            let message = "the text does not say what happens if a side cannot move: add a line `stuck loses`, \
                           `stuck draws`, `stuck wins`, `stuck passes` or `stuck never`";
            self.problems.push(Problem::new(top, message));
        }
        if tree.moves.is_none() {
            self.problems.push(Problem::new(top, "the text has no `move`"));
        }
        let first = self.side_rules(0);
        let second = self.side_rules(1);
        self.side = 0;
        let endless = self.make_endless();
        let picture = self.make_picture();
        let start = self.make_start()?;
        let numbers = tree.numbers.iter().flat_map(|number| {
            let name = number.name.text.clone();
            vec![name; if number.each { 2 } else { 1 }]
        });
        let sides = [first?, second?];
        let prefers =
            |statement: &Statement| statement.any(&|within| matches!(within, Statement::Prefer(_)));
        let rules = Rules {
            prefers: sides.iter().any(|side| side.moves.iter().any(prefers)),
            board: self.board.clone(),
            pieces: self.pieces.clone(),
            marks: tree.marks.iter().map(|mark| mark.text.clone()).collect(),
            counts: tree.counts.iter().map(|count| count.name.text.clone()).collect(),
            numbers: numbers.collect(),
            labels: self.labels.clone(),
            layout: self.layout.clone(),
            start,
            sides,
            endless: endless?,
            picture: picture?,
            largest: self
                .taken
                .values()
                .max_by_key(|(steps, at)| (*steps, at.line))
                .map(|(_, at)| *at),
        };
        match (&tree.endless, never_falls(&rules, &rules.endless)) {
            (Some(endless), false) => self.fail(
                endless.span,
                "endless play needs a worth that stays the same: a number that does not depend on the position, or \
                 numbers that every move leaves as they are or raises",
            ),
            _ => Ok(rules),
        }
    }

    fn make_board(&mut self) -> Built<Board> {
        let Some(board) = &self.tree.board else {
            return self.fail(Span::default(), "the text has no `board`");
        };
        let made = match &board.shape {
            Shape::Closed { columns, rows, torus } => {
                let (columns, rows) = (self.size(columns)?, self.size(rows)?);
                Board::closed(columns, rows, *torus)
            }
            Shape::Rectangle(sizes) => {
                let sizes = sizes.iter().map(|size| self.size(size)).collect::<Built<Vec<_>>>()?;
                Board::rectangle(sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(1))
            }
            Shape::Copies(columns, rows, count) => {
                let (columns, rows) = (self.size(columns)?, self.size(rows)?);
                Board::copies(columns, rows, self.size(count)?)
            }
            Shape::Edged(columns, rows) => {
                let (columns, rows) = (self.size(columns)?, self.size(rows)?);
                Board::edged(columns, rows)
            }
            Shape::Hexagons(columns, rows) => {
                let (columns, rows) = (self.size(columns)?, self.size(rows)?);
                Board::hexagons(columns, rows)
            }
            Shape::Ring { cells, stores } => {
                let cells = self.size(cells)?;
                Board::ring(cells, *stores)
            }
            Shape::Drawing(lines) => match Board::drawing(lines) {
                Ok(board) => Ok(board),
                Err(problems) => {
                    self.problems.extend(problems);
                    return Err(Reported);
                }
            },
        };
        let made = match made {
            Ok(board) => board,
            Err(message) => return self.fail(board.span, message),
        };
        let Some(without) = &board.without else { return Ok(made) };
        let whole = std::mem::replace(&mut self.board, made);
        let left_out = self.known_cells(without);
        let made = std::mem::replace(&mut self.board, whole);
        let left_out = left_out?;
        match left_out & made.all() == made.all() {
            true => self.fail(without.span, "no cell is left"),
            false => Ok(made.without(left_out)),
        }
    }

    /// A size of a board.
    fn size(&mut self, size: &Expr) -> Built<usize> {
        let number = self.known_number(size)?;
        match usize::try_from(number) {
            Ok(number) if number >= 1 => Ok(number),
            _ => self.fail(size.span, format!("expected a size of at least 1, found {number}")),
        }
    }

    fn make_pieces(&mut self) {
        for piece in &self.tree.pieces {
            let sets = (0..piece.letters.len()).map(|nth| self.layout.sets + nth).collect();
            self.layout.sets += piece.letters.len();
            for (letter, span) in &piece.letters {
                if self.set_of_letter(*letter).is_some()
                    || matches!(letter, '.' | '/' | '#' | ' ' | '-')
                    || letter.is_ascii_digit()
                {
                    let message = format!("the letter `{letter}` is taken: choose another");
                    self.problems.push(Problem::new(*span, message));
                }
            }
            if let [(first, _), (second, span)] = piece.letters[..]
                && first == second
            {
                self.problems
                    .push(Problem::new(span, "expected another letter for the second player"));
            }
            let letters = piece.letters.iter().map(|(letter, _)| *letter).collect();
            self.pieces.push(Piece { name: piece.name.text.clone(), letters, sets });
        }
        const MAX: usize = 12;
        self.layout.pieces = self.layout.sets;
        self.layout.sets += self.tree.marks.len();
        if self.layout.sets > MAX {
            let message = format!(
                "the game has more than {MAX} kinds of pieces and marks, both sides counted"
            );
            let marks = self.tree.marks.iter().map(|mark| mark.span);
            let last = self.tree.pieces.iter().map(|piece| piece.name.span).chain(marks).last();
            self.problems.push(Problem::new(last.unwrap_or_default(), message));
        }
    }

    fn make_counts(&mut self) {
        for count in &self.tree.counts {
            let range = self.range(&count.range, [0, 255]).unwrap_or([0, 0]);
            self.layout.counts.push(range);
        }
        for number in &self.tree.numbers {
            let range = self.range(&number.range, [-127, 255]).unwrap_or([0, 0]);
            for _ in 0..if number.each { 2 } else { 1 } {
                self.layout.numbers.push(range);
            }
        }
        const MAX: usize = 32;
        let counts = self.layout.counts.len() * self.board.cells.len() + self.layout.numbers.len();
        if counts > MAX {
            let message =
                format!("a position has {counts} counts and numbers, expected at most {MAX}");
            let numbers = self.tree.numbers.iter().map(|number| number.name.span);
            let last = self.tree.counts.iter().map(|count| count.name.span).chain(numbers).last();
            self.problems.push(Problem::new(last.unwrap_or_default(), message));
        }
    }

    fn range(&mut self, (from, to): &(Expr, Expr), [least, max]: [i64; 2]) -> Built<[i32; 2]> {
        let (low, high) = (self.known_number(from)?, self.known_number(to)?);
        if low > high {
            let message = format!("expected the smaller number first, found {low}..{high}");
            return self.fail(from.span.to(to.span), message);
        }
        if low < least || high > max {
            let message = format!("expected a range within {least}..{max}, found {low}..{high}");
            return self.fail(from.span.to(to.span), message);
        }
        // A position keeps it in a byte.
        if high - low > 255 {
            let message = format!("expected at most 256 numbers, found {low}..{high}");
            return self.fail(from.span.to(to.span), message);
        }
        Ok([low as i32, high as i32])
    }

    /// Reports names that are given twice, or mean something else already.
    fn check_names(&mut self) {
        let tree = self.tree;
        let mut names: Vec<&Token> = Vec::new();
        names.extend(tree.parameters.iter().map(|parameter| &parameter.name));
        names.extend(tree.pieces.iter().map(|piece| &piece.name));
        names.extend(tree.counts.iter().map(|count| &count.name));
        names.extend(tree.numbers.iter().map(|number| &number.name));
        names.extend(&tree.marks);
        names.extend(tree.ways.iter().map(|way| &way.name));
        names.extend(tree.zones.iter().map(|zone| &zone.name));
        names.extend(tree.defines.iter().map(|define| &define.name));
        for (at, name) in names.iter().enumerate() {
            if let Some(other) = names[..at].iter().find(|other| other.text == name.text) {
                let message = format!(
                    "`{}` is the name of something else already (line {})",
                    name.text,
                    other.span.line + 1
                );
                self.problems.push(Problem::new(name.span, message));
            } else if self.is_word(&name.text) {
                let message =
                    format!("`{}` is a word of the language: choose another name", name.text);
                self.problems.push(Problem::new(name.span, message));
            }
        }
        let words = tree.parameters.iter().filter_map(|parameter| match &parameter.range {
            Range::Words(words) => Some(words),
            Range::Numbers { .. } => None,
        });
        for word in words.flatten() {
            let is_taken = names.iter().any(|name| name.text == word.text)
                || SETS.contains(&word.text.as_str());
            if is_taken {
                let message = format!(
                    "`{}` means something else in the rules: choose another word",
                    word.text
                );
                self.problems.push(Problem::new(word.span, message));
            }
        }
        for way in &tree.ways {
            let is_direction = |(name, _): &(&str, Vec<Cells>)| *name == way.name.text;
            if self.board.directions.iter().any(is_direction) {
                let message = format!("`{}` is a direction: choose another name", way.name.text);
                self.problems.push(Problem::new(way.name.span, message));
            }
            for direction in &way.directions {
                // What is wrong is among the problems then.
                let _ = self.direction_cells(direction);
            }
        }
    }

    /// Resolves each definition without parameters for both sides, used or not. What parameters are is known where a
    /// definition is used.
    fn check_defines(&mut self) {
        let tree = self.tree;
        for define in &tree.defines {
            for (at, name) in define.parameters.iter().enumerate() {
                let twice = define.parameters[..at].iter().any(|other| other.text == name.text);
                if twice || self.is_word(&name.text) {
                    let why = if twice { "is there twice" } else { "is a word of the language" };
                    let message = format!("`{}` {why}: choose another name", name.text);
                    self.problems.push(Problem::new(name.span, message));
                }
            }
            for side in 0..2 {
                self.side = side;
                if define.parameters.is_empty() {
                    // What is wrong is among the problems then.
                    let _ = self.expand(define, &[], define.name.span);
                }
            }
        }
        self.side = 0;
    }

    /// Resolves each zone for both sides, used or not.
    fn check_zones(&mut self) {
        for zone in &self.tree.zones {
            for side in 0..2 {
                self.side = side;
                let cells = if side == 1 { zone.second.as_ref() } else { None };
                // What is wrong is among the problems then.
                let _ = self.set(cells.unwrap_or(&zone.cells));
            }
        }
        self.side = 0;
    }

    fn side_rules(&mut self, side: usize) -> Built<SideRules> {
        self.side = side;
        self.slots = 0;
        let none = Vec::new();
        let moves = self.whole_block(self.tree.moves.as_ref().unwrap_or(&none));
        self.looking = true;
        let end = self.whole_block(self.tree.end.as_ref().unwrap_or(&none));
        if let (Ok(moves), Ok(after)) = (&moves, &end) {
            let ways = ways(moves, self.slots, self.board.cells.len(), self.budget);
            if ways.min(MAX_MOVES as u64).saturating_mul(steps(after, self.board.cells.len()))
                > MAX_WORK
            {
                let first = self.tree.end.iter().flatten().next();
                let span = first.map_or(Span::default(), |statement| statement.span);
                let message =
                    "this takes too many steps after each move of a position with so many moves";
                self.problems.push(Problem::new(span, message));
            }
        }
        let finish = |value| Built::Ok(Stuck::Ends(vec![Statement::Finish(Number::Value(value))]));
        let stuck = match &self.tree.stuck {
            None | Some((syntax::Stuck::Never, _)) => Ok(Stuck::Never),
            Some((syntax::Stuck::Loses, _)) => finish(-1),
            Some((syntax::Stuck::Draws, _)) => finish(0),
            Some((syntax::Stuck::Wins, _)) => finish(1),
            Some((syntax::Stuck::Ends(block), _)) => self.whole_block(block).map(Stuck::Ends),
            Some((syntax::Stuck::Passes(block), _)) => self.whole_block(block).map(Stuck::Passes),
        };
        self.looking = false;
        Ok(SideRules { moves: moves?, end: end?, stuck: stuck?, locals: self.slots })
    }

    fn make_endless(&mut self) -> Built<Number> {
        let Some(endless) = &self.tree.endless else { return Ok(Number::Value(0)) };
        match &endless.kind {
            StatementKind::End(end) => Ok(Number::Value(Builder::value_of(*end))),
            StatementKind::Score(value) => self.number(value),
            _ => self.fail(
                endless.span,
                "expected `endless draw`, `win`, `lose` (for the first player) or `score`",
            ),
        }
    }

    fn make_picture(&mut self) -> Built<Picture> {
        let (tree, mut picture) = (self.tree, Picture::default());
        for drawn in &tree.picture {
            match drawn {
                Drawn::Checkered => picture.checkered = true,
                Drawn::Edges => picture.edged = true,
                Drawn::Lines { from, .. } if self.board.shape == board::Shape::Edged => {
                    let message = "a board with edges is drawn as squares and edges, without lines";
                    return self.fail(from.span, message);
                }
                Drawn::Lines { from, ways } => {
                    let from = self.known_cells(from)?;
                    for way in ways {
                        let towards = self.direction_cells(way)?;
                        let pairs = crate::board::cells(from).flat_map(|cell| {
                            crate::board::cells(towards[cell]).map(move |next| [cell, next])
                        });
                        picture.lines.extend(pairs);
                    }
                }
                Drawn::As { name, what } => {
                    let words = what.iter().map(|word| word.text.clone()).collect();
                    self.check_look(name, what)?;
                    picture.looks.insert(name.text.clone(), words);
                }
            }
        }
        Ok(picture)
    }

    /// The neighbours of each cell in a direction of the board.
    fn direction_cells(&mut self, way: &Token) -> Built<Vec<Cells>> {
        let found = self.board.directions.iter().find(|(name, _)| *name == way.text);
        match found {
            Some((_, cells)) => Ok(cells.clone()),
            None => self.no_direction(way),
        }
    }

    fn no_direction<T>(&mut self, way: &Token) -> Built<T> {
        let names: Vec<_> = self.board.directions.iter().map(|(name, _)| *name).collect();
        let near = did_you_mean(&way.text, names.iter().copied());
        let all = names.join(", ");
        let message = format!("no direction is called `{}`; this board has {all}{near}", way.text);
        self.fail(way.span, message)
    }

    /// Reports what cannot be drawn in this way.
    fn check_look(&mut self, name: &Token, what: &[Token]) -> Built<()> {
        let tree = self.tree;
        let word = &what[0].text[..];
        let is_feature = ["large", "dark", "round", "hollow"].contains(&word);
        if let Some(piece) = tree.pieces.iter().find(|piece| piece.name.text == name.text) {
            let is_known = what.len() == 1 && ["cover", "disc", "letter", "mark"].contains(&word);
            let is_sign = |word: &Token| (1..=4).contains(&word.text.chars().count());
            let is_symbol = what.len() == piece.letters.len() && what.iter().all(is_sign);
            return match is_known || is_symbol {
                true => Ok(()),
                false => self.fail(
                    what[0].span,
                    "expected cover, disc, letter or mark, or a sign for each letter of the piece",
                ),
            };
        }
        if tree.marks.iter().any(|mark| mark.text == name.text) {
            return match what.len() == 1 && (is_feature || word == "cover") {
                true => Ok(()),
                false => self.fail(what[0].span, "expected large, dark, round, hollow or cover"),
            };
        }
        if tree.numbers.iter().any(|number| number.name.text == name.text) {
            let marks = |word: &Token| tree.marks.iter().any(|mark| mark.text == word.text);
            return match what.iter().all(marks) {
                true => Ok(()),
                false => self.fail(what[0].span, "expected marks, one for each binary digit"),
            };
        }
        self.fail(name.span, format!("no piece, mark or number is called `{}`", name.text))
    }

    /// Cells that depend on the parameters alone.
    pub(super) fn known_cells(&mut self, expr: &Expr) -> Built<Cells> {
        match self.set(expr)? {
            Set::Cells(cells) => Ok(cells),
            _ => self.fail(
                expr.span,
                "expected cells that do not depend on the position or on what is chosen: write one line for each, \
                 such as `if at == a1: ...`",
            ),
        }
    }

    pub(super) fn known_number(&mut self, expr: &Expr) -> Built<i64> {
        match self.number(expr)? {
            Number::Value(value) => Ok(value),
            _ => self.fail(expr.span, "expected a number that does not depend on the position"),
        }
    }

    fn known_truth(&mut self, expr: &Expr) -> Built<bool> {
        match self.truth(expr)? {
            Truth::Known(value) => Ok(value),
            _ => self.fail(expr.span, "expected a condition on parameters alone"),
        }
    }
}

/// Gives the parameters without a setting their usual one.
pub(crate) fn complete(tree: &Tree, settings: &mut HashMap<String, Setting>) {
    for syntax::Parameter { name, default, range, .. } in &tree.parameters {
        if !settings.contains_key(&name.text) {
            let usual = match (range, default.text.parse(), settings.get(&default.text)) {
                (Range::Words(_), ..) => Setting::Word(default.text.clone()),
                (_, Ok(number), _) => Setting::Number(number),
                (.., other) => other.cloned().unwrap_or(Setting::Number(0)),
            };
            settings.insert(name.text.clone(), usual);
        }
    }
}
