//! Tapes: a reader who knows the rules alone makes the proof of one again, and finds that it holds.

use std::collections::HashMap;

use foregone::prove::Tape;
use foregone::record::Table;
use foregone::record::proof::Claim;
use foregone::{Control, Registry, Session, Side, Twin};
use foregone_trial::Folder;

/// Whatever proofs merge: images, kinds of pieces, banked points; and play that loops, sides that move twice or pass.
const GAMES: [&str; 8] = [
    "tic-tac-toe",
    "connect-four(columns=4,rows=4)",
    "kalah(pits=3,stones=2)",
    "three-mens-morris",
    "reversi(size=4)",
    "text:notakto",
    "text:hexapawn",
    "text:kalah(pits=2,stones=2)",
];

/// The numbers of a tape.
fn numbers(tape: &Tape) -> impl Iterator<Item = u32> {
    let mut bytes = tape.entries.iter();
    std::iter::from_fn(move || {
        let (mut number, mut shift) = (0, 0);
        loop {
            let byte = *bytes.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                return Some(number);
            }
        }
    })
}

/// A proof as it is made of a tape.
struct Reader {
    side: Side,
    claimed: i32,
    /// For each position of the side its rank.
    ranks: HashMap<String, u32>,
    /// The positions that come next, each with the rank that it has to be below.
    open: Vec<(Box<dyn Session>, u32)>,
}

impl Reader {
    fn new(claim: &Claim) -> Reader {
        let (ranks, open) = (HashMap::new(), Vec::new());
        Reader { side: claim.side(), claimed: claim.at_least, ranks, open }
    }

    /// Opens the positions of the side that come next, the first one last.
    fn open(&mut self, session: Box<dyn Session>, below: u32, left: usize) {
        if let Some(outcome) = session.outcome() {
            assert!(outcome.value_for(self.side).0 >= self.claimed, "{}", session.position());
        } else if session.turn() == self.side {
            self.open.push((session, below));
        } else {
            assert!(left > 0, "the other side moves too often");
            for mv in session.moves().iter().rev() {
                let mut next = session.fork();
                next.play(mv).unwrap();
                self.open(next, below, left - 1);
            }
        }
    }

    fn read(&mut self, mut session: Box<dyn Session>, tape: &Tape) {
        for at in &tape.moves {
            let mv = session.moves()[*at].clone();
            session.play(&mv).unwrap();
        }
        let has_to_end = session.endless().value_for(self.side).0 < self.claimed;
        self.open(session, tape.most, tape.longest);
        let mut numbers = numbers(tape);
        while let Some((mut session, below)) = self.open.pop() {
            let position = session.position();
            let is_new = !self.ranks.contains_key(&position);
            let rank = match self.ranks.get(&position) {
                Some(rank) => *rank,
                None => {
                    let mv = session.moves()[numbers.next().unwrap() as usize].clone();
                    let rank = numbers.next().unwrap();
                    session.play(&mv).unwrap();
                    rank
                }
            };
            assert!(!has_to_end || rank < below, "{position}");
            self.ranks.insert(position, rank);
            if is_new {
                self.open(session, rank, tape.longest);
            }
        }
        assert_eq!((numbers.next(), self.ranks.len() as u64), (None, tape.count));
    }
}

#[test]
fn a_tape_is_a_proof_for_whoever_knows_the_rules() {
    let (place, registry) = (Folder::new(), Registry::standard());
    for name in GAMES {
        let game = registry.game(name).unwrap();
        let mut session = game.session();
        let first = session.moves()[0].clone();
        session.play(&first).unwrap();
        let file = place.file("some.proof");
        session.prove(&file, Vec::new(), &Control::default()).unwrap();
        let table = Table::open(&file).unwrap();
        let claims = table.manifest().proof.clone().unwrap().claims;
        for (index, claim) in claims.iter().enumerate() {
            let tape = session.tape(&table, index, None, &Control::default()).unwrap().unwrap();
            assert_eq!(tape.moves, [0], "{name}");
            Reader::new(claim).read(game.session(), &tape);
        }
        assert!(session.tape(&table, claims.len(), None, &Control::default()).unwrap().is_none());
        std::fs::remove_file(&file).unwrap();
    }
}

/// Whoever knows the rules of texts alone reads the proofs of games in Rust.
#[test]
fn a_game_in_rust_is_proven_beside_its_twin() {
    let (place, registry) = (Folder::new(), Registry::standard());
    for name in [
        "tic-tac-toe",
        "connect-four(columns=4,rows=4)",
        "kalah(pits=3,stones=2)",
        "three-mens-morris",
        "reversi(size=4)",
        "fox-and-hounds(size=6)",
        "hex(size=3)",
        "hex(columns=4,rows=3)",
        "dots-and-boxes",
        "awari(pits=2,stones=2,slam=void)",
    ] {
        let game = registry.game(name).unwrap();
        let text = registry.game(&format!("text:{}", name.replace(",slam=void", ""))).unwrap();
        let mut twin = Twin::of(&registry, &game.specification()).unwrap();
        let (session, file) = (game.session(), place.file("some.proof"));
        session.prove(&file, Vec::new(), &Control::default()).unwrap();
        let table = Table::open(&file).unwrap();
        let claims = table.manifest().proof.clone().unwrap().claims;
        for (index, claim) in claims.iter().enumerate() {
            let control = Control::default();
            let tape = session.tape(&table, index, Some(&mut twin), &control);
            let tape = tape.unwrap_or_else(|error| panic!("{name}: {error}")).unwrap();
            Reader::new(claim).read(text.session(), &tape);
        }
        std::fs::remove_file(&file).unwrap();
    }
    for name in [
        "fox-and-hounds(stuck=lose)",
        "fox-and-hounds(fox=b)",
        "hex(swap=true)",
        "mnk(columns=4)",
        "awari",
        "nim",
    ] {
        let specification = registry.game(name).unwrap().specification();
        assert!(Twin::of(&registry, &specification).is_none(), "{name}");
    }
}

/// A file may bring rules by which the other side moves again and again.
#[test]
fn rows_of_moves_without_end_are_refused() {
    let rules = "game Again\nboard 1 1\npiece man X O\nnumber n = 0 in 0..1\nstuck draws\nendless draw\nmove\n  either one\n    \
                 n = 1 - n\n    again\n  or two\n    n = n\n    again\n  or go\n    n = 0\n  or resign\n    lose\n";
    let place = Folder::new();
    let game = foregone::any::text_game("again", rules, &[]).unwrap();
    let (session, file) = (game.session(), place.file("again.proof"));
    session.prove(&file, Vec::new(), &Control::default()).unwrap();
    let table = Table::open(&file).unwrap();
    // The first player moves again and again, and the claim of the second says what happens then.
    assert!(session.tape(&table, 1, None, &Control::default()).unwrap().is_none());
}
