//! What the words of a proof mean: its claims, its position, its entries, and which move an entry stands
//! for in a position that is like another.

use foregone_record::Table;
use foregone_record::format::checksum::Checksum;
use foregone_record::format::manifest::Values;
use foregone_record::proof::{
    Claim, Entry, ProofManifest, advice, has_to_end, move_like, proof_key,
};
use foregone_record::read::Bytes;
use foregone_rules::games::{Kalah, Mnk, Nim};
use foregone_rules::sample::positions;
use foregone_rules::{Bank, Distance, Encode, Game, Merged, Notation, Side, Value, Worth, Written};
use foregone_trial::{Domineering, Forged, Hoard, game};

#[test]
fn claims_in_words() {
    let claim = |first, at_least| Claim { first, at_least };
    for (claim, unit, words) in [
        (claim(true, 1), "result", "the first player wins"),
        (claim(false, 1), "result", "the second player wins"),
        (claim(true, 0), "result", "the first player does not lose"),
        (claim(false, 0), "stones", "the second player does not lose"),
        (claim(true, -1), "result", "the first player gets at least a loss"),
        (claim(true, 2), "result", "the first player gets at least 2"),
        (claim(true, 1), "stones", "the first player wins by at least 1 stone"),
        (claim(false, 7), "stones", "the second player wins by at least 7 stones"),
        (claim(false, -1), "stones", "the second player loses by at most 1 stone"),
    ] {
        assert_eq!(claim.words(unit), words);
    }
    // Play without end is worth 0 to either side, so it is enough for a claim of 0.
    let ends = [-1, 0, 1, 2].map(|at_least| has_to_end(Value(at_least), Value(0)));
    assert_eq!(ends, [false, false, true, true]);
    assert_eq!((claim(true, 0).side(), claim(false, 0).side()), (Side::First, Side::Second));
    let (mut proof, all) = (
        ProofManifest { position: None, moves: vec![], claims: vec![claim(true, 0)] },
        vec![claim(true, 2), claim(false, -2)],
    );
    assert_eq!(proof.words("stones", "there"), "from the start the first player does not lose");
    proof.position = Some("1 2\u{1b}".to_owned());
    assert_eq!(proof.words("stones", "there"), "from `1 2\\u{1b}` the first player does not lose");
    // A text says it of a position whose result is not that of its rules.
    proof.position = Some("X. first result:1".to_owned());
    assert_eq!(
        proof.words("stones", "there"),
        "from `X. first result:1`, with this result taken as given, the first player does not lose"
    );
    proof.position = Some("1 2\u{1b}".to_owned());
    (proof.moves, proof.claims) = (vec!["a1".to_owned(), "b2".to_owned()], all);
    assert_eq!(
        proof.words("stones", "there"),
        "from `1 2\\u{1b}` after a1 b2 the first player wins by at least 2 stones and the second \
         player loses by at most 2 stones"
    );
    // Nothing of a position is left out, and nothing in it looks like something else.
    let long = format!("{} ․ second", "a1,".repeat(100));
    let whole = ProofManifest { position: Some(long), moves: vec![], claims: vec![claim(true, 0)] };
    let words = whole.words("stones", "there");
    assert!(words.contains(r"a1, \u{2024} second` the first"), "{words}");
    // Where the moves are too many, the position is told instead.
    let moves = vec!["1-2".to_owned(); 100];
    let proof = ProofManifest { position: None, moves, claims: proof.claims };
    let words =
        "from the start after 100 moves to `there` the first player wins by at least 2 stones";
    assert!(
        proof.words("stones", "there").starts_with(words),
        "{}",
        proof.words("stones", "there")
    );
}

#[test]
fn the_position_of_a_proof() {
    let nim: Nim = game(&[("heaps", "1-2")]);
    let root = |position: Option<&str>, moves: &[&str]| {
        let moves = moves.iter().map(|mv| (*mv).to_owned()).collect();
        let proof = ProofManifest { position: position.map(str::to_owned), moves, claims: vec![] };
        proof.root(&nim, Some(Written::default()))
    };
    let first = |state: &_| nim.moves(state).next().unwrap();
    let start = nim.start();
    assert_eq!(root(None, &[]), Ok(start));
    let (mv, usual) = (first(&start), nim.format(&start));
    let text = mv.to_string();
    let then = nim.play(&start, mv);
    assert_eq!(root(None, &[&text]), Ok(then));
    assert_eq!(root(Some(&usual), &[&text]), Ok(then));
    assert_eq!(root(Some(&nim.format(&then)), &[]), Ok(then));
    // Positions are written in one way.
    let mnk = Mnk::tic_tac_toe();
    let other = mnk.format(&mnk.start()).to_lowercase();
    assert!(mnk.parse(&other).is_ok() && other != mnk.format(&mnk.start()), "{other}");
    let proof = ProofManifest { position: Some(other), moves: vec![], claims: vec![] };
    assert!(proof.root(&mnk, Some(Written::default())).is_err());
    assert!(proof.root(&mnk, None).unwrap_err().expected.contains("no notation"));
    assert!(root(Some("nonsense"), &[]).is_err());
    let wrong = root(None, &["nonsense"]).unwrap_err();
    assert_eq!((wrong.found.as_str(), wrong.expected.as_str()), ("nonsense", "a legal move"));
    // When the game is over, no move is legal, whatever the rules list.
    let mut state = mnk.start();
    let mut moves = Vec::new();
    for square in ["1", "4", "2", "5", "3"] {
        let mv = mnk.moves(&state).find(|mv| mv.to_string() == square).unwrap();
        (state, moves) = (mnk.play(&state, mv), [&moves[..], &[square.to_owned()]].concat());
    }
    let mut proof = ProofManifest { position: None, moves, claims: vec![] };
    assert_eq!(proof.root(&mnk, None), Ok(state));
    assert!(mnk.outcome(&state).is_some());
    let listed = mnk.moves(&state).next().expect("the rules list moves here").to_string();
    proof.moves.push(listed);
    assert!(proof.root(&mnk, None).is_err());
}

/// What a move gains, where it leads to but for that and what is alike, and whether its side moves again.
fn reached<G: Encode>(game: &G, from: &G::State, mv: G::Move) -> (G::State, bool, i32) {
    let child = game.play(from, mv);
    let (turn, mover) = (game.turn(&child), game.turn(from));
    let now = G::Bank::banked(game, &child).seen_from(turn, mover).0;
    (Merged::of(game, &child).state, turn == mover, now - G::Bank::banked(game, from).0)
}

/// In each position the move of an entry for its representative leads to the same.
fn moves_are_like<G: Encode>(game: &G, seed: u64) {
    for sample in positions(game, 500, seed) {
        let (state, like) = (sample.state, Merged::of(game, &sample.state).state);
        if game.outcome(&state).is_some() {
            continue;
        }
        for (nth, mv) in (0..).zip(game.moves(&like)) {
            let entry = Entry { at_least: 0, mv: nth, rank: 0 };
            let found = move_like(game, &state, &like, entry).expect("a move that is like it");
            assert_eq!(reached(game, &state, found), reached(game, &like, mv), "{state:?}");
        }
        let none = Entry { at_least: 0, mv: game.moves(&like).count() as u32, rank: 0 };
        assert!(move_like(game, &state, &like, none).is_none());
    }
}

#[test]
fn the_move_of_an_entry_in_a_position_that_is_alike() {
    moves_are_like(&game::<Kalah>(&[("pits", "3"), ("stones", "2")]), 1);
    moves_are_like(&Domineering::new(4), 2);
    moves_are_like(&Mnk::tic_tac_toe(), 3);
    (0..20).for_each(|seed| moves_are_like(&Hoard::new(seed), seed));
}

#[test]
fn an_entry_is_what_its_two_worths_say() {
    let worth = |value, plies| Worth::new(Value(value), Distance::Plies(plies));
    let entry = Entry { at_least: -3, mv: 2, rank: 7 };
    assert_eq!(Entry::of(worth(-3, 7), worth(2, 0)), Some(entry));
    assert_eq!(Entry::of(Worth::endless(Value(0)), worth(2, 0)), None);
    assert_eq!(Entry::of(worth(-3, 7), worth(-1, 0)), None);
    // Keys of the two claims lie side by side.
    assert_eq!([proof_key(5, 0), proof_key(5, 1)], [10, 11]);
}

#[test]
fn advice_is_what_the_entry_says() {
    let kalah: Kalah = game(&[("pits", "2"), ("stones", "2")]);
    let worth = |value, plies| Some(Worth::new(Value(value), Distance::Plies(plies)));
    let key = |state: &_, claim| proof_key(kalah.encode(&Merged::of(&kalah, state).state), claim);
    let start = kalah.start();
    let other = kalah.play(&start, kalah.moves(&start).next().unwrap());
    let mut all = [
        (key(&start, 0), worth(3, 9), worth(1, 0)),
        (key(&start, 1), worth(4, 8), worth(0, 0)),
        (key(&other, 0), worth(5, 7), None),
        (key(&other, 1), worth(5, 7), worth(100, 0)),
    ];
    all.sort_unstable_by_key(|(key, ..)| *key);
    let layers = [all.map(|(_, bound, _)| bound).to_vec(), all.map(|(.., mv)| mv).to_vec()];
    let claims = vec![Claim { first: true, at_least: 3 }];
    let forged = Forged {
        game: "game",
        fingerprint: Checksum(0),
        values: Values::ScoreDistance,
        layers: &layers,
        keys: Some(&all.map(|(key, ..)| key)),
        proof: Some(ProofManifest { position: None, moves: vec![], claims }),
    };
    let table = Table::read(Bytes(forged.bytes())).unwrap();
    let told = |claim, state| advice(&kalah, &table, claim, state).unwrap();
    let nth = |nth| kalah.moves(&start).nth(nth).unwrap();
    assert!(told(0, &start) == Some((nth(1), Entry { at_least: 3, mv: 1, rank: 9 })));
    assert!(told(1, &start) == Some((nth(0), Entry { at_least: 4, mv: 0, rank: 8 })));
    assert!(told(0, &other).is_none(), "its move is missing");
    assert!(told(1, &other).is_none(), "there is no such move");
    let third = kalah.play(&start, nth(1));
    assert!(told(0, &third).is_none(), "there is no such entry");
}
