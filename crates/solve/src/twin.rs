//! The twin of a game in Rust: the text with the same rules. A program that knows the rules of texts alone, such as the
//! verified checker, reads the proofs and tables of the game in Rust by tapes ([`Tape`](crate::prove::Tape)) for which
//! both are played side by side. It need not trust that: moves of other rules make no proof.

use std::collections::HashMap;

use foregone_record::Error;
use foregone_rules::family::{parse_specification, written_specification};
use foregone_rules::{Game, Outcome, Side};
use foregone_text::{Text, shipped, with_game};

use crate::any::Registry;

/// How a game in Rust calls the cells of its twin, which are a letter and a number from below, or numbers in a ring.
#[derive(Clone, Copy)]
enum Cells {
    /// By the same names.
    Same,
    /// By their columns.
    Columns,
    /// By numbers, row by row from above.
    Numbers,
    /// By numbers, of the cells between those of dots and boxes alone.
    Edges,
    /// By numbers that begin anew for the second player, behind so many stores.
    Pits(usize),
    /// As if the first row were the last one.
    Flipped,
    /// As one sees them from the other side of the board.
    Turned,
}

/// A game in Rust, its twin, and the parameters that its twin does not have, if they are not the usual ones.
type Known = (&'static str, &'static str, Cells, &'static [(&'static str, &'static str)]);

const TWINS: &[Known] = &[
    ("awari", "awari", Cells::Pits(0), &[("slam", "void")]),
    ("connect-four", "connect-four", Cells::Columns, &[]),
    ("dots-and-boxes", "dots-and-boxes", Cells::Edges, &[]),
    ("fox-and-hounds", "fox-and-hounds", Cells::Turned, &[]),
    ("hex", "hex", Cells::Same, &[]),
    ("kalah", "kalah", Cells::Pits(1), &[]),
    ("mnk", "tic-tac-toe", Cells::Numbers, &[("columns", "3"), ("rows", "3"), ("line", "3")]),
    ("reversi", "reversi", Cells::Flipped, &[]),
    ("three-mens-morris", "three-mens-morris", Cells::Numbers, &[]),
];

/// Parameters and their values.
type Pairs<'a> = Vec<(&'a str, &'a str)>;

/// The text with the rules of a game in Rust, and where it is played.
pub struct Twin {
    board: Box<dyn Board>,
    cells: Cells,
    size: [usize; 2],
    tree: String,
}

impl Twin {
    /// The twin of a game with this specification, if `registry` has the game; `None` if no text has its rules.
    pub fn of(registry: &Registry, specification: &str) -> Option<Twin> {
        let (text, cells, given) = find(registry, specification)?;
        let number = |key| given.iter().find(|(name, _)| *name == key)?.1.parse().ok();
        let size = |key| number(key).or(number("size")).or(number("pits")).unwrap_or(3);
        let loaded = text.load(&given).ok()?;
        let tree = loaded.tree(None).ok()?;
        let board = with_game!(loaded, game => Box::new(Positions::new(game)) as Box<dyn Board>);
        Some(Twin { board, cells, size: [size("columns"), size("rows")], tree })
    }

    /// Whether a game has a twin.
    pub fn exists(registry: &Registry, specification: &str) -> bool {
        find(registry, specification).is_some()
    }

    /// Its rules, as [`Loaded::tree`](foregone_text::Loaded::tree) has them.
    pub fn tree(&self) -> &str {
        &self.tree
    }

    /// How the game in Rust calls a move of its twin.
    fn native(&self, mv: &str) -> String {
        let is_of_cell = |c: char| c.is_ascii_alphanumeric();
        let mut native = String::new();
        let mut rest = mv;
        while let Some(at) = rest.find(is_of_cell) {
            let (before, word) = rest.split_at(at);
            let (word, after) = word.split_at(word.find(|c| !is_of_cell(c)).unwrap_or(word.len()));
            native += before;
            native += &self.cell(word).unwrap_or_else(|| word.to_owned());
            rest = after;
        }
        native + rest
    }

    /// How it calls a cell; `None` if the word is another one.
    fn cell(&self, word: &str) -> Option<String> {
        let [columns, rows] = self.size;
        if let Cells::Pits(stores) = self.cells {
            return Some(
                ((word.parse::<usize>().ok()?.checked_sub(1)?) % (columns + stores) + 1)
                    .to_string(),
            );
        }
        let (letter, row) = word.split_at_checked(1)?;
        let column = usize::from(letter.bytes().next()?.checked_sub(b'a')?);
        let row: usize = row.parse().ok()?;
        let named = |column, row| Some(format!("{}{row}", char::from(b'a' + column as u8)));
        match self.cells {
            Cells::Same | Cells::Pits(_) => None,
            Cells::Columns => Some((column + 1).to_string()),
            Cells::Numbers => Some(((rows - row) * columns + column + 1).to_string()),
            Cells::Edges => {
                // Each second cell, since the width of the board is odd.
                let at = (2 * rows + 1 - row) * (2 * columns + 1) + column;
                Some(at.div_ceil(2).to_string())
            }
            Cells::Flipped => named(column, rows + 1 - row),
            Cells::Turned => named(columns - 1 - column, rows + 1 - row),
        }
    }
}

/// The text with the rules of a game, and its parameters.
fn find<'a>(registry: &Registry, specification: &'a str) -> Option<(Text, Cells, Pairs<'a>)> {
    let (name, parameters) = parse_specification(specification).ok()?;
    let (_, text, cells, fixed) = TWINS.iter().find(|(native, ..)| *native == name)?;
    let text = Text::parse(shipped(text)?.source).ok()?;
    let known = text.facts(name).parameters;
    let is_known = |key: &str| known.iter().any(|parameter| parameter.name == key);
    let given: Pairs<'_> = parameters.into_iter().filter(|(key, _)| is_known(key)).collect();
    let usual = written_specification(name, &[&given[..], fixed].concat());
    let is_usual = registry.game(&usual).ok()?.specification() == specification;
    is_usual.then_some((text, *cells, given))
}

/// A game with numbers for the positions that it has come to; the start has the number 0.
trait Board: Send {
    /// The texts of the moves, in the order of the rules, with the positions after them.
    fn moves(&mut self, at: u32) -> Vec<(String, u32)>;

    /// Who is to move, and the result if the game is over.
    fn status(&self, at: u32) -> (Side, Option<Outcome>);

    /// The memory of all positions, in bytes.
    fn bytes(&self) -> u64;
}

struct Positions<G: Game> {
    game: G,
    states: Vec<G::State>,
    numbers: HashMap<G::State, u32>,
}

impl<G: Game> Positions<G> {
    fn new(game: G) -> Positions<G> {
        let start = game.start();
        Positions { game, states: vec![start], numbers: HashMap::from([(start, 0)]) }
    }
}

impl<G: Game> Board for Positions<G> {
    fn moves(&mut self, at: u32) -> Vec<(String, u32)> {
        let Positions { game, states, numbers } = self;
        let state = states[at as usize];
        let mut number = |next| {
            let new = states.len() as u32;
            let number = *numbers.entry(next).or_insert(new);
            if number == new {
                states.push(next);
            }
            number
        };
        game.successors(&state).map(|(mv, next)| (game.move_text(mv), number(next))).collect()
    }

    fn status(&self, at: u32) -> (Side, Option<Outcome>) {
        let state = &self.states[at as usize];
        (self.game.turn(state), self.game.outcome(state))
    }

    fn bytes(&self) -> u64 {
        // Half of a table of hashes may be empty, and it is copied to one of twice the size.
        (self.states.len() * (5 * size_of::<G::State>() + 16)) as u64
    }
}

/// A position of the game, and the number of that of its twin (0 without one).
pub(crate) type At<G> = (<G as Game>::State, u32);

/// The moves of a position, with the positions after them.
pub(crate) type Successors<G> = Vec<(<G as Game>::Move, At<G>)>;

/// The moves of a game in the order in which a tape speaks of them.
pub(crate) struct Order<'t, G> {
    pub game: &'t G,
    /// Whose order it is, if not the game's own.
    pub twin: Option<&'t mut Twin>,
}

impl<G: Game> Order<'_, G> {
    /// The moves, with the positions after them.
    ///
    /// # Errors
    /// If the twin has other moves.
    pub fn successors(&mut self, (state, at): &At<G>) -> Result<Successors<G>, Error> {
        let own = self.game.successors(state);
        let Some(twin) = &mut self.twin else {
            return Ok(own.map(|(mv, next)| (mv, (next, 0))).collect());
        };
        let mut own: HashMap<_, _> = own.map(|each| (self.game.move_text(each.0), each)).collect();
        let differs = || Error::Damaged("its game is played by other rules than the text".into());
        let theirs = twin.board.moves(*at);
        let mut all = Vec::with_capacity(theirs.len());
        for (mv, at) in theirs {
            let (mv, next) = own.remove(&twin.native(&mv)).ok_or_else(differs)?;
            let status = (self.game.turn(&next), self.game.outcome(&next));
            let other = twin.board.status(at);
            if status.1 != other.1 || status.1.is_none() && status.0 != other.0 {
                return Err(differs());
            }
            all.push((mv, (next, at)));
        }
        if own.is_empty() { Ok(all) } else { Err(differs()) }
    }

    /// The memory that the twin needs, in bytes.
    pub fn bytes(&self) -> u64 {
        self.twin.as_ref().map_or(0, |twin| twin.board.bytes())
    }
}
