//! A symmetry that is none is found, whatever is wrong with it; and files by symmetries that are right are believed as
//! before.

use foregone_check::{Effort, ProofVerdict, Symmetries, Verdict, keyed, proofs};
use foregone_record::format::checksum::Checksum;
use foregone_record::proof::{Claim, ProofManifest, proof_key};
use foregone_record::read::Bytes;
use foregone_record::{Table, Values};
use foregone_rules::{Distance, Encode, Game, NoBank, Outcome, Side, Symmetry, Value, Worth};
use foregone_trial::Forged;

/// A game of some positions; each odd number from 1 on and the even one after it are mirror images.
#[derive(Clone)]
struct Mirrored {
    moves: Vec<Vec<u8>>,
    /// The result for the first player.
    results: Vec<Option<i32>>,
    second: Vec<u8>,
    endless: Vec<i32>,
    listed: u64,
    /// How many images it says that there are.
    images: u64,
    /// A position that its key does not give back.
    lost: Option<u8>,
}

impl Mirrored {
    /// From 0 one side moves to 1 or 2, then the other one to 3 and 5, or 4 and 6; the first player wins in 3 and 4.
    fn new() -> Mirrored {
        let moves = [vec![1, 2], vec![3, 5], vec![4, 6], vec![], vec![], vec![], vec![]];
        let results = [None, None, None, Some(1), Some(1), Some(0), Some(0)];
        Mirrored {
            moves: moves.into(),
            results: results.into(),
            second: vec![1, 2],
            endless: vec![0; 7],
            listed: 2,
            images: 2,
            lost: None,
        }
    }
}

impl Game for Mirrored {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        0
    }
    fn turn(&self, state: &u8) -> Side {
        if self.second.contains(state) { Side::Second } else { Side::First }
    }
    fn outcome(&self, state: &u8) -> Option<Outcome> {
        self.results[usize::from(*state)].map(Outcome)
    }
    fn moves(&self, state: &u8) -> impl Iterator<Item = u8> {
        self.moves[usize::from(*state)].clone().into_iter()
    }
    fn play(&self, _: &u8, mv: u8) -> u8 {
        mv
    }
    fn endless(&self, state: &u8) -> Outcome {
        Outcome(self.endless[usize::from(*state)])
    }
}

impl Symmetry for Mirrored {
    fn representative(&self, state: &u8) -> u8 {
        if *state == 0 { 0 } else { *state - (*state + 1) % 2 }
    }
    fn images(&self) -> u64 {
        self.images
    }
    fn image(&self, state: &u8, number: u64) -> Option<u8> {
        match (number < self.listed, number, *state) {
            (false, ..) => None,
            (_, 0, state) | (_, _, state @ 0) => Some(state),
            (_, _, state) => Some(if state % 2 == 1 { state + 1 } else { state - 1 }),
        }
    }
}

impl Encode for Mirrored {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        8
    }
    fn encode(&self, state: &u8) -> u128 {
        (*state).into()
    }
    fn decode(&self, code: u128) -> u8 {
        if self.lost == Some(code as u8) { 0 } else { (code as u8).min(6) }
    }
}

fn worth(value: i32, plies: u32) -> Option<Worth> {
    Some(Worth::new(Value(value), Distance::Plies(plies)))
}

fn forged(keys: &[u128], layers: &[Vec<Option<Worth>>], proof: Option<ProofManifest>) -> Table {
    let (fingerprint, values, keys) = (Checksum(0), Values::ScoreDistance, Some(keys));
    let bytes = Forged { game: "game", fingerprint, values, layers, keys, proof }.bytes();
    Table::read(Bytes(bytes)).unwrap()
}

/// The verdict on the table of the game as it seems to be.
fn verdict(game: &Mirrored, symmetries: Symmetries) -> Verdict<u8> {
    let entries = vec![worth(0, 2), worth(0, 1), worth(1, 0), worth(0, 0)];
    let table = forged(&[0, 1, 3, 5], &[entries], None);
    keyed::check(game, &table, None, Effort { symmetries, ..Effort::default() }, &|_| true).unwrap()
}

#[test]
fn a_right_symmetry_is_believed() {
    for symmetries in [Symmetries::ByFile, Symmetries::Trusted, Symmetries::Checked] {
        assert!(verdict(&Mirrored::new(), symmetries).is_right(), "{symmetries:?}");
    }
    // Without a list of its symmetries all positions are visited: each is looked up by its representative.
    let unlisted = Mirrored { listed: 1, ..Mirrored::new() };
    assert!(verdict(&unlisted, Symmetries::Checked).is_right());
    // No play leads to what such a table says beside.
    let mut lonely = Mirrored::new();
    lonely.moves[1] = vec![3];
    lonely.moves[2] = vec![4];
    for listed in [1, 2] {
        let game = Mirrored { listed, ..lonely.clone() };
        let entries = vec![worth(1, 2), worth(-1, 1), worth(1, 0), worth(0, 0)];
        let table = forged(&[0, 1, 3, 5], &[entries], None);
        let effort = Effort { symmetries: Symmetries::Checked, ..Effort::default() };
        let verdict = keyed::check(&game, &table, None, effort, &|_| true).unwrap();
        assert!(matches!(verdict, Verdict::False(_)), "{verdict:?}");
    }
}

/// Each is a game in which mirror images are not alike; if they are trusted to be, a false table is believed.
#[test]
fn a_wrong_symmetry_is_found_and_not_the_table_believed() {
    let right = Mirrored::new();
    let changed = |change: &dyn Fn(&mut Mirrored)| {
        let mut game = right.clone();
        change(&mut game);
        game
    };
    let flaws: [(&str, Mirrored); 9] = [
        ("a result", changed(&|game| game.results[4] = Some(-1))),
        ("a result of the other kind", changed(&|game| game.results[6] = Some(1))),
        ("a move more", changed(&|game| game.moves[2].push(0))),
        ("a move less", changed(&|game| game.moves[2].truncate(1))),
        ("another move", changed(&|game| game.moves[2] = vec![4, 4])),
        ("the side to move", changed(&|game| game.second = vec![1])),
        ("an end", changed(&|game| game.results[2] = Some(0))),
        ("a key", changed(&|game| game.lost = Some(1))),
        ("no symmetry, but positions are merged", changed(&|game| game.images = 1)),
    ];
    for (what, game) in flaws {
        assert!(verdict(&game, Symmetries::Trusted).is_right(), "{what} is seen without its image");
        assert!(matches!(verdict(&game, Symmetries::Checked), Verdict::Unshown(_)), "{what}");
        let unlisted = Mirrored { listed: 1, ..game };
        let only_by_images = [
            "a key",
            "another move",
            "a move less",
            "a move more",
            "no symmetry, but positions are merged",
        ];
        if !only_by_images.contains(&what) {
            assert!(!verdict(&unlisted, Symmetries::Checked).is_right(), "{what}, all visited");
        }
    }
}

#[test]
fn a_proof_by_a_wrong_symmetry_is_refused() {
    let claim = Claim { first: true, at_least: 0 };
    let manifest = ProofManifest { position: None, moves: Vec::new(), claims: vec![claim] };
    let layers = [vec![worth(0, 1)], vec![worth(0, 0)]];
    let proof = forged(&[proof_key(0, 0)], &layers, Some(manifest));
    let verdict = |game: &Mirrored, symmetries| {
        let effort = Effort { symmetries, ..Effort::default() };
        proofs::check(game, &proof, &0, effort, &|_| true).unwrap()
    };
    assert!(matches!(verdict(&Mirrored::new(), Symmetries::Checked), ProofVerdict::Proven { .. }));
    let (mut result, mut endless) = (Mirrored::new(), Mirrored::new());
    result.results[4] = Some(-1);
    endless.endless[2] = -1;
    for wrong in [result, endless] {
        assert!(matches!(verdict(&wrong, Symmetries::Trusted), ProofVerdict::Proven { .. }));
        assert!(matches!(verdict(&wrong, Symmetries::Checked), ProofVerdict::Flawed { .. }));
    }
}
