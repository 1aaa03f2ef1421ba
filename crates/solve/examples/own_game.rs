//! A game of one's own, from its rules alone to all features: Domineering, on the kit for boards.
//!
//! The players take turns to put a domino on two empty squares, the first player upright, the second player
//! flat. Who cannot move loses (Göran Andersson, about 1973). On 4x4 the first player wins, as on 6x6 and
//! 8x8 (D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik, "Solving 8x8 Domineering", 2000).
//!
//! `cargo run --release --example own_game`

use foregone::kit::{Board, Cells, EncodedByCells, Number, OnBoard, Piece, SymmetricAsBoard};
use foregone::{
    Conform, Control, Game, Outcome, Registry, Request, Side,
    promise::{Acyclic, NoBank},
};

const COLUMNS: u32 = 4;
const ROWS: u32 = 4;

/// The squares that are covered, a bit each, row by row; and the side to move.
type State = (u64, Side);

struct Domineering(Board);

impl Domineering {
    fn new() -> Domineering {
        let half = Piece::new('D', "half of a domino", None);
        let board = Board::squares(COLUMNS as usize, ROWS as usize).pieces([half]);
        // A square has more symmetries than its mirror image, but dominoes may not be turned: with
        // `rectangular` here, `Conform` tells of a position where that goes wrong.
        Domineering(board.mirrored())
    }

    /// The two squares of a domino whose upper or left half is on a square.
    fn domino(side: Side, square: u32) -> u64 {
        match side {
            Side::First => 1 << square | 1 << (square + COLUMNS),
            Side::Second => 0b11 << square,
        }
    }
}

// The rules: nothing else has to be said.
impl Game for Domineering {
    type State = State;
    type Move = Number;

    fn start(&self) -> State {
        (0, Side::First)
    }

    fn turn(&self, (_, side): &State) -> Side {
        *side
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        self.moves(state).next().is_none().then(|| Outcome::win(state.1.other()))
    }

    fn moves(&self, &(covered, side): &State) -> impl Iterator<Item = Number> {
        let fits = move |square: &u32| match side {
            Side::First => square / COLUMNS + 1 < ROWS,
            Side::Second => square % COLUMNS + 1 < COLUMNS,
        };
        let free = move |square: &u32| covered & Domineering::domino(side, *square) == 0;
        (0..COLUMNS * ROWS).filter(fits).filter(free).map(|square| Number(square as u8))
    }

    fn play(&self, &(covered, side): &State, Number(square): Number) -> State {
        (covered | Domineering::domino(side, square.into()), side.other())
    }
}

// What stands where: from it come texts, pictures, clicks, codes and symmetries.
impl OnBoard for Domineering {
    fn board(&self) -> &Board {
        &self.0
    }

    fn cells(&self, &(covered, side): &State) -> Cells {
        Cells::new(side).with(0, covered)
    }

    fn state_of(&self, cells: &Cells) -> Result<State, String> {
        Ok((cells.set(0) as u64, cells.turn))
    }

    fn move_cells(&self, &(_, side): &State, Number(square): Number) -> Vec<usize> {
        let other = if side == Side::First { COLUMNS } else { 1 };
        vec![square.into(), usize::from(square) + other as usize]
    }
}

impl SymmetricAsBoard for Domineering {}

impl EncodedByCells for Domineering {
    type Bank = NoBank;
}

// Play cannot loop: with this promise values can be searched for.
impl Acyclic for Domineering {
    fn progress(&self, (covered, _): &State) -> u32 {
        covered.count_ones()
    }
}

foregone::declare!(Domineering);

fn main() {
    // Every promise is held against the rules, on positions met in random play.
    let report = Conform::new(&Domineering::new()).declared().finish();
    println!("{}", report.unwrap_or_else(|broken| panic!("{broken}")));

    // Behind a name the game has all that others have: sessions, tables, proofs, and with the function
    // `run` of the crate foregone-cli the whole command line and the page.
    let registry = Registry::standard().game_named("domineering", Domineering::new);
    let game = registry.game("domineering").unwrap();
    let mut session = game.session();
    let report = session.solve(&Request::default(), &Control::default());
    println!("{} to move: {:?} in {:?} plies", report.to_move, report.result, report.distance);
    assert_eq!(report.result.as_deref(), Some("win"));
    for mv in &report.line {
        session.play(mv).unwrap();
        println!("{mv}\n{}", session.drawing());
    }
}
