//! Runs the golden files: known facts of each game, written so that people can read and add them.
//!
//! A line says what to check. It is about the game and the position of the lines before it. `#` begins a
//! comment.
//!
//! ```text
//! game SPECIFICATION      the start of a game
//! position TEXT           a position of it
//! play M1 M2 => TEXT      moves from there, and the position they lead to
//! legal M1 M2             the legal moves, all of them, in any order
//! picture                 the next lines, each after `|`: the board without its two-space indent
//! over OUTCOME            the game is over, with this outcome for the first player
//! value V in N            the value for the side to move and the plies to it
//! value V endless         a draw by endless play
//! best M1 M2              all best moves
//! nodes N0 N1 ...         nodes of the tree, ply by ply
//! positions N0 N1 ...     different positions, ply by ply
//! symmetric N0 N1 ...     the same up to symmetry
//! ended N0 N1 ...         games that end at each ply
//! merged N0 N1 ...        the same, symmetric moves counted as one
//! ```

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use foregone::{Control, Registry, Report, Request, Session, TreeRequest};

struct Run {
    registry: Registry,
    game: String,
    session: Box<dyn Session>,
}

fn same<T: PartialEq + Debug>(expected: T, found: T) -> Result<(), String> {
    if expected == found { Ok(()) } else { Err(format!("expected {expected:?}, found {found:?}")) }
}

fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

impl Run {
    fn solve(&mut self) -> Report {
        let control = Control::default().with_memory(6 << 30);
        let report = self.session.solve(&Request::default().with_distances(true), &control);
        assert!(report.proven, "{:?}", report.halted);
        report
    }

    /// A position, which must be the same when it is read from its own text.
    fn open(&mut self, position: Option<&str>) -> Result<(), String> {
        let game = self.registry.game(&self.game).map_err(|error| error.to_string())?;
        self.session = game.open(position, "").map_err(|error| error.to_string())?;
        let text = self.session.position();
        let again = game.open(Some(&text), "").map_err(|error| error.to_string())?;
        same(text, again.position())
    }

    fn counts(
        &self,
        numbers: &str,
        count: fn(&foregone::any::report::PlyReport) -> u128,
    ) -> Result<(), String> {
        let numbers: Vec<u128> = numbers.split_whitespace().map(|n| n.parse().unwrap()).collect();
        let depth = Some(numbers.len() as u32 - 1);
        let tree = self.session.tree(&TreeRequest { depth }, &Control::default());
        same(numbers, tree.plies.iter().map(count).collect())
    }

    fn check(&mut self, verb: &str, rest: &str) -> Result<(), String> {
        match verb {
            "game" => {
                self.game = rest.to_owned();
                self.open(None)
            }
            "position" => self.open(Some(rest)),
            "play" => {
                let (moves, position) = rest.split_once(" => ").ok_or("no =>")?;
                for mv in moves.split_whitespace() {
                    self.session.play(mv).map_err(|error| error.to_string())?;
                }
                let position = position.to_owned();
                same(position.clone(), self.session.position())?;
                self.open(Some(&position))
            }
            "legal" => same(words(rest), self.session.moves().into_iter().collect()),
            "over" => {
                let outcome = self.session.outcome().map(|outcome| outcome.0);
                same(rest.parse().ok(), outcome)
            }
            "value" => {
                let report = self.solve();
                let found = match (report.value, report.distance) {
                    (Some(value), Some(plies)) => format!("{value} in {plies}"),
                    (Some(value), None) if report.endless => format!("{value} endless"),
                    other => format!("{other:?}"),
                };
                same(rest.to_owned(), found)
            }
            "best" => same(words(rest), self.solve().best.into_iter().collect()),
            "nodes" => self.counts(rest, |ply| ply.nodes),
            "positions" => self.counts(rest, |ply| ply.positions.into()),
            "symmetric" => self.counts(rest, |ply| ply.up_to_symmetry.unwrap().into()),
            "ended" => self.counts(rest, |ply| ply.finished),
            "merged" => self.counts(rest, |ply| ply.finished_up_to_symmetry.unwrap()),
            _ => Err("no such check".into()),
        }
    }
}

/// Checks every line of a golden file, and gives their number.
fn run(file: &Path) -> usize {
    let registry = Registry::standard();
    let session = registry.game("nim").unwrap().session();
    let mut run = Run { registry, game: String::new(), session };
    let text = std::fs::read_to_string(file).unwrap();
    let mut checked = 0;
    let mut lines = text.lines().enumerate().peekable();
    while let Some((at, line)) = lines.next() {
        let line = line.split(" #").next().unwrap_or("").trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        let result = if verb == "picture" {
            let mut picture = Vec::new();
            while let Some((_, line)) = lines.next_if(|(_, line)| line.starts_with('|')) {
                picture.push(line[1..].to_owned());
            }
            let drawn = run.session.drawing().to_string();
            same(picture, drawn.lines().map(str::to_owned).collect())
        } else {
            run.check(verb, rest.trim())
        };
        if let Err(message) = result {
            panic!("{}:{}: {line}\n{message}", file.display(), at + 1);
        }
        checked += 1;
    }
    checked
}

macro_rules! golden {
    ($($name:ident $file:literal),* $(,)?) => {
        $(#[test]
        fn $name() {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
            assert!(run(&folder.join($file)) >= 5);
        })*

        #[test]
        fn every_family_has_a_golden_file() {
            let files = [$($file),*];
            for about in Registry::standard().families() {
                let file = format!("{}.txt", about.name);
                assert!(files.contains(&file.as_str()), "{file} is missing");
            }
        }
    };
}

golden! {
    mnk "mnk.txt",
    connect_four "connect-four.txt",
    fox_and_hounds "fox-and-hounds.txt",
    kalah "kalah.txt",
    awari "awari.txt",
    quantum_tic_tac_toe "quantum-tic-tac-toe.txt",
    three_mens_morris "three-mens-morris.txt",
    nim "nim.txt",
    nine_mens_morris "nine-mens-morris.txt",
    reversi "reversi.txt",
    hex "hex.txt",
    dots_and_boxes "dots-and-boxes.txt",
}
