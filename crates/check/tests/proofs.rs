//! Proofs that are made by hand, right ones and ones with a single flaw: each flaw is found, for its
//! reason, and nothing else is.

mod common;

use std::collections::HashMap;

use common::{derived, games};
use foregone_check::proofs::{ProofVerdict, check};
use foregone_check::{Effort, plain};
use foregone_record::format::checksum::Checksum;
use foregone_record::format::manifest::{MAX_VALUE, Values};
use foregone_record::proof::{Claim, Entry, ProofManifest, proof_key};
use foregone_record::read::Bytes;
use foregone_record::{Error, Table};
use foregone_rules::games::Mnk;
use foregone_rules::{
    Distance, Encode, Game, Merged, NoBank, Outcome, Side, Symmetry, Value, Worth,
};
use foregone_trial::{Domineering, Forged, Graph};
use serde_json::json;

const FIRST: Side = Side::First;
const SECOND: Side = Side::Second;

/// A position of a graph: the side to move with its moves, or how play ended.
type Node = (Side, Result<&'static [u8], i32>);

fn graph(nodes: &[Node]) -> Graph {
    let moves = |node: &Node| node.1.unwrap_or_default().to_vec();
    Graph {
        moves: nodes.iter().map(moves).collect(),
        turns: nodes.iter().map(|node| node.0).collect(),
        outcomes: nodes.iter().map(|node| node.1.err().map(Outcome)).collect(),
        endless: vec![],
    }
}

fn claim(first: bool, at_least: i32) -> Claim {
    Claim { first, at_least }
}

/// An entry as it lies in a file: its key, its bound with a rank, its move.
type Cells = (u128, Option<Worth>, Option<Worth>);

fn worth(value: i32, plies: u32) -> Option<Worth> {
    Some(Worth::new(Value(value), Distance::Plies(plies)))
}

/// Of a position of a graph, for the first claim: bound, move, rank.
fn entry(state: u8, at_least: i32, mv: i32, rank: u32) -> Cells {
    (proof_key(state.into(), 0), worth(at_least, rank), worth(mv, 0))
}

fn file(claims: &[Claim], entries: &[Cells]) -> Table {
    let mut entries = entries.to_vec();
    entries.sort_unstable_by_key(|(key, ..)| *key);
    let keys: Vec<u128> = entries.iter().map(|(key, ..)| *key).collect();
    let layers = [
        entries.iter().map(|(_, bound, _)| *bound).collect(),
        entries.iter().map(|(.., mv)| *mv).collect(),
    ];
    let claims = claims.to_vec();
    let forged = Forged {
        game: "game",
        fingerprint: Checksum(0),
        values: Values::ScoreDistance,
        layers: &layers,
        keys: Some(&keys),
        proof: Some(ProofManifest { position: None, moves: Vec::new(), claims }),
    };
    Table::read(Bytes(forged.bytes())).unwrap()
}

/// What comes of a proof of the start, merged and plain.
fn verdicts<G: Encode>(game: &G, table: &Table) -> [Result<ProofVerdict<G::State>, Error>; 2] {
    let (effort, root) = (Effort::default(), game.start());
    [
        check(game, table, &root, effort, &|_| true),
        plain::check_proof(game, table, &root, effort, &|_| true),
    ]
}

fn proven<S>(verdict: Result<ProofVerdict<S>, Error>) -> Option<(u64, u64)> {
    match verdict {
        Ok(ProofVerdict::Proven { entries, positions }) => Some((entries, positions)),
        _ => None,
    }
}

fn flaw<S>(verdict: Result<ProofVerdict<S>, Error>) -> (Option<S>, String) {
    match verdict {
        Ok(ProofVerdict::Flawed { position, why }) => (position, why),
        Ok(ProofVerdict::Proven { .. }) => (None, "it is proven".to_owned()),
        Err(error) => (None, error.to_string()),
    }
}

/// The first player wins by the first move, whatever the answer.
fn simple() -> Graph {
    graph(&[
        (FIRST, Ok(&[1, 2])),
        (SECOND, Ok(&[3, 4])),
        (SECOND, Err(-1)),
        (FIRST, Ok(&[5, 6])),
        (FIRST, Err(1)),
        (SECOND, Err(1)),
        (FIRST, Err(-2)),
    ])
}

#[test]
fn each_flaw_is_found_for_its_reason() {
    let game = simple();
    let right = [entry(0, 1, 0, 2), entry(3, 1, 0, 1)];
    let win = [claim(true, 1)];
    for verdict in verdicts(&game, &file(&win, &right)) {
        assert_eq!(proven(verdict), Some((2, 5)));
    }
    // Ranks need not be next to each other, bounds may be larger.
    let other = file(&win, &[entry(0, 1, 0, 9), entry(3, 5, 0, 0)]);
    assert_eq!(proven(verdicts(&game, &other).into_iter().next().unwrap()), None, "it ends with 1");
    let other = file(&win, &[entry(0, 1, 0, 9), entry(3, 1, 0, 0)]);
    assert!(verdicts(&game, &other).map(proven).iter().all(Option::is_some));
    let second = |changed: Cells| vec![right[0], changed];
    let first = |changed: Cells| vec![changed, right[1]];
    for (what, claims, entries, merged, plainly) in [
        ("an entry is missing", &win[..], right[..1].to_vec(), "no move here", "no move here"),
        ("the root is missing", &win, right[1..].to_vec(), "no move here", "no move here"),
        (
            "a bound is too small",
            &win,
            second(entry(3, 0, 0, 1)),
            "the proof claims 0 here, but 1 is needed",
            "it is proven",
        ),
        (
            "a rank stays",
            &win,
            second(entry(3, 1, 0, 2)),
            "its rank does not fall: 2 after 2",
            "its rank does not fall: 2 here",
        ),
        (
            "a rank rises",
            &win,
            second(entry(3, 1, 0, 3)),
            "its rank does not fall: 3 after 2",
            "its rank does not fall: 2 here",
        ),
        (
            "there is no such move",
            &win,
            second(entry(3, 1, 2, 1)),
            "there is no move number 2 here",
            "no legal move here",
        ),
        (
            "the move loses at once",
            &win,
            first(entry(0, 1, 1, 2)),
            "it ends with 1 for the side to move, not at most -1",
            "it ends with -1, but 1 is claimed",
        ),
        (
            "the move loses, and its side would move again",
            &win,
            second(entry(3, 1, 1, 1)),
            "it ends with -2 for the side to move, not at least 1",
            "it ends with -2, but 1 is claimed",
        ),
        (
            "the claim is too large",
            &[claim(true, 2)],
            vec![entry(0, 2, 0, 2), entry(3, 2, 0, 1)],
            "it ends with 1 for the side to move, not at least 2",
            "it ends with 1, but 2 is claimed",
        ),
        (
            "the bound says nothing",
            &win,
            second((right[1].0, Some(Worth::endless(Value(0))), right[1].2)),
            "no claim here",
            "no move here",
        ),
        (
            "the move says nothing",
            &win,
            second(entry(3, 1, -1, 1)),
            "no claim here",
            "no move here",
        ),
        (
            "a bound is missing",
            &win,
            second((right[1].0, None, right[1].2)),
            "an empty entry",
            "an empty entry",
        ),
        (
            "a move is missing",
            &win,
            second((right[1].0, right[1].1, None)),
            "an empty entry",
            "an empty entry",
        ),
        (
            "an entry is not needed",
            &win,
            vec![right[0], right[1], entry(2, 1, 0, 0)],
            "does not need its entry",
            "does not need its entry",
        ),
        (
            "an entry is that of no position",
            &win,
            vec![right[0], right[1], entry(255, 1, 0, 0)],
            "does not need its entry",
            "does not need its entry",
        ),
        (
            "an entry is for no claim",
            &win,
            vec![right[0], right[1], (proof_key(255, 1), worth(1, 0), worth(0, 0))],
            "does not need its entry",
            "does not need its entry",
        ),
        (
            "a key is too large",
            &win,
            vec![right[0], right[1], (512, worth(1, 0), worth(0, 0))],
            "a key that no position has",
            "a key that no position has",
        ),
        ("nothing is claimed", &[], right.to_vec(), "it has no claims", "it has no claims"),
        (
            "three things are claimed",
            &[win[0]; 3],
            right.to_vec(),
            "no claims, or more than two",
            "no claims, or more than two",
        ),
        (
            "no game has such a value",
            &[claim(true, MAX_VALUE as i32 + 1)],
            right.to_vec(),
            "a value that no game has",
            "a value that no game has",
        ),
        (
            "no game has such a loss",
            &[claim(false, -(MAX_VALUE as i32) - 1)],
            right.to_vec(),
            "a value that no game has",
            "a value that no game has",
        ),
        (
            "some game may have such a value",
            &[claim(true, MAX_VALUE as i32)],
            right.to_vec(),
            "but 536870912 is needed",
            "but 536870912 is claimed",
        ),
    ] {
        let found = verdicts(&game, &file(claims, &entries)).map(|verdict| flaw(verdict).1);
        for (found, expected) in found.iter().zip([merged, plainly]) {
            assert!(found.contains(expected), "{what}: {found}, expected {expected}");
        }
    }
    // The place is told, unless the entry is that of no position.
    let place = |entries: &[Cells]| verdicts(&game, &file(&win, entries)).map(|v| flaw(v).0);
    assert_eq!(place(&right[..1]), [Some(3), Some(3)]);
    assert_eq!(place(&[right[0], right[1], entry(2, 1, 0, 0)]), [Some(2), Some(2)]);
    assert_eq!(place(&[right[0], right[1], entry(255, 1, 0, 0)]), [None, None]);
}

#[test]
fn a_table_is_no_proof() {
    let layers = [vec![worth(1, 1)]];
    let forged = Forged {
        game: "game",
        fingerprint: Checksum(0),
        values: Values::ScoreDistance,
        layers: &layers,
        keys: None,
        proof: None,
    };
    let table = Table::read(Bytes(forged.bytes())).unwrap();
    for verdict in verdicts(&simple(), &table) {
        assert!(flaw(verdict).1.contains("it is not a proof"));
    }
}

/// Two claims have entries of their own.
#[test]
fn two_claims_at_once() {
    let game = graph(&[
        (FIRST, Ok(&[1, 2])),
        (SECOND, Ok(&[3, 4])),
        (SECOND, Err(0)),
        (FIRST, Err(0)),
        (FIRST, Err(5)),
    ]);
    let claims = [claim(true, 0), claim(false, 0)];
    let of_second = (proof_key(1, 1), worth(0, 0), worth(0, 0));
    let entries = [entry(0, 0, 0, 0), of_second];
    for verdict in verdicts(&game, &file(&claims, &entries)) {
        assert_eq!(proven(verdict), Some((2, 4 + 4)));
    }
    // Both have to hold.
    let entries = [entry(0, 0, 0, 0), (proof_key(1, 1), worth(0, 0), worth(1, 0))];
    for verdict in verdicts(&game, &file(&claims, &entries)) {
        assert!(proven(verdict).is_none());
    }
    for wrong in [[claim(true, 1), claim(false, 0)], [claim(true, 0), claim(false, 1)]] {
        for verdict in verdicts(&game, &file(&wrong, &[entry(0, 1, 1, 0), of_second])) {
            assert!(proven(verdict).is_none());
        }
    }
}

/// A number has to fall where endless play is worth less than is claimed, and nowhere else: from 0
/// the first player goes to 2 by 1, from where play comes back to 0, or goes on to 4 by 3 and ends.
#[test]
fn play_without_end_may_be_worth_something() {
    let nodes = [
        (FIRST, Ok(&[1][..])),
        (SECOND, Ok(&[2])),
        (FIRST, Ok(&[0, 3])),
        (SECOND, Ok(&[4])),
        (FIRST, Err(2)),
    ];
    // Round and round by 0, 1 and 2; or on from 2.
    let round = [entry(0, 1, 0, 7), entry(2, 1, 0, 7)];
    let on = |first, second| vec![entry(0, 1, 0, first), entry(2, 1, 1, second)];
    for (endless, enough) in [(0, false), (1, true), (2, true), (-3, false)] {
        let game = graph(&nodes).with_endless(endless);
        for verdict in verdicts(&game, &file(&[claim(true, 1)], &round)) {
            match enough {
                true => assert!(proven(verdict).is_some(), "{endless}"),
                false => assert!(flaw(verdict).1.contains("its rank does not fall"), "{endless}"),
            }
        }
        for verdict in verdicts(&game, &file(&[claim(true, 1)], &on(2, 1))) {
            assert!(proven(verdict).is_some(), "{endless}");
        }
        for verdict in verdicts(&game, &file(&[claim(true, 1)], &on(1, 1))) {
            assert_eq!(proven(verdict).is_some(), enough, "{endless}");
        }
    }
    // It matters what endless play is worth where it goes on: in 1 and 2, not in 0, from where
    // nothing leads back.
    let nodes = [(FIRST, Ok(&[1][..])), (SECOND, Ok(&[2])), (FIRST, Ok(&[1]))];
    let round = [entry(0, 1, 0, 7), entry(2, 1, 0, 7)];
    for (endless, enough) in [([0, 1, 1], true), ([1, 0, 0], false)] {
        let endless = endless.map(Outcome).to_vec();
        let game = Graph { endless, ..graph(&nodes) };
        for verdict in verdicts(&game, &file(&[claim(true, 1)], &round)) {
            assert_eq!(proven(verdict).is_some(), enough);
        }
    }
    // The second player may not go round for ever by itself, unless that is enough for the first.
    let nodes = [(FIRST, Ok(&[1][..])), (SECOND, Ok(&[2, 3])), (SECOND, Ok(&[1])), (FIRST, Err(1))];
    for (endless, enough) in [(0, false), (1, true)] {
        let game = graph(&nodes).with_endless(endless);
        for verdict in verdicts(&game, &file(&[claim(true, 1)], &[entry(0, 1, 0, 0)])) {
            match enough {
                true => assert!(proven(verdict).is_some()),
                false => assert!(flaw(verdict).1.contains("can repeat its moves without end")),
            }
        }
    }
}

/// Moves of the other side in a row may come together again; they may come round only where play
/// without end is enough.
#[test]
fn moves_of_the_other_side_in_a_row() {
    let end = (FIRST, Err(1));
    // From 1 by 2 or by 3 to 4, and to the end.
    let together = graph(&[
        (FIRST, Ok(&[1])),
        (SECOND, Ok(&[2, 3])),
        (SECOND, Ok(&[4, 5])),
        (SECOND, Ok(&[4, 5])),
        (SECOND, Ok(&[5])),
        end,
    ]);
    let only = [entry(0, 1, 0, 1)];
    let [merged, plainly] = verdicts(&together, &file(&[claim(true, 1)], &only)).map(proven);
    // What leads to no more such moves is gone through each time.
    assert_eq!((merged, plainly), (Some((1, 10)), Some((1, 6))));
    let round = |result| {
        graph(&[
            (FIRST, Ok(&[1])),
            (SECOND, Ok(&[2, 3])),
            (SECOND, Ok(&[3, 1])),
            (FIRST, Err(result)),
        ])
    };
    for (result, at_least, why) in [
        (1, 1, "repeat its moves"),
        (1, 0, "it is proven"),
        (0, 0, "it is proven"),
        (-1, 0, "it ends with -1"),
        (-1, -1, "it is proven"),
        (1, -1, "it is proven"),
    ] {
        let table = file(&[claim(true, at_least)], &[entry(0, at_least, 0, 1)]);
        for verdict in verdicts(&round(result), &table) {
            let found = flaw(verdict).1;
            assert!(found.contains(why), "{result} {at_least}: {found}");
        }
    }
    // A position in which the other side has no move, and the game is not over.
    let stuck = graph(&[(FIRST, Ok(&[1])), (SECOND, Ok(&[]))]);
    for verdict in verdicts(&stuck, &file(&[claim(true, 0)], &[entry(0, 0, 0, 1)])) {
        assert!(flaw(verdict).1.contains("the game is not over, but there is no move"));
    }
}

/// A side may go round where it claims no win, and moves in a row of its own are followed.
#[test]
fn moves_of_its_own_in_a_row() {
    let game = graph(&[(FIRST, Ok(&[1])), (FIRST, Ok(&[0, 2])), (SECOND, Err(1))]);
    let table = |at_least, mv, ranks: [u32; 2]| {
        let entries = [entry(0, at_least, 0, ranks[0]), entry(1, at_least, mv, ranks[1])];
        file(&[claim(true, at_least)], &entries)
    };
    for verdict in verdicts(&game, &table(1, 1, [7, 6])) {
        assert_eq!(proven(verdict).unwrap().0, 2);
    }
    // Round and round, whatever the ranks are.
    for ranks in [[7, 6], [6, 7], [7, 7], [0, 0]] {
        for verdict in verdicts(&game, &table(0, 0, ranks)) {
            assert_eq!(proven(verdict).unwrap().0, 2);
        }
        for verdict in verdicts(&game, &table(1, 0, ranks)) {
            assert!(flaw(verdict).1.contains("its rank does not fall"));
        }
    }
}

/// A graph whose keys have `bits` bits.
struct Keyed(Graph, u32);

impl Game for Keyed {
    type State = u8;
    type Move = u8;

    fn start(&self) -> u8 {
        self.0.start()
    }
    fn turn(&self, state: &u8) -> Side {
        self.0.turn(state)
    }
    fn outcome(&self, state: &u8) -> Option<Outcome> {
        self.0.outcome(state)
    }
    fn moves(&self, state: &u8) -> impl Iterator<Item = u8> {
        self.0.moves(state)
    }
    fn play(&self, state: &u8, mv: u8) -> u8 {
        self.0.play(state, mv)
    }
}

impl Encode for Keyed {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        self.1
    }
    fn encode(&self, state: &u8) -> u128 {
        u128::from(*state) << (self.1 - 8)
    }
    fn decode(&self, packed: u128) -> u8 {
        self.0.decode(packed >> (self.1 - 8))
    }
}

impl Symmetry for Keyed {
    fn representative(&self, state: &u8) -> u8 {
        *state
    }
}

#[test]
fn keys_of_all_widths() {
    for bits in [8, 63, 64, 65, 126, 127, 128] {
        let game = Keyed(simple(), bits);
        let entry =
            |state: u8, rank| (game.encode(&state).wrapping_shl(1), worth(1, rank), worth(0, 0));
        let table = file(&[claim(true, 1)], &[entry(0, 2), entry(3, 1)]);
        let checked = check(&game, &table, &0, Effort::default(), &|_| true);
        match (bits, checked) {
            (128, Err(error)) => assert!(error.to_string().contains("at most 127"), "{error}"),
            _ => {
                let verdicts = verdicts(&game, &table).into_iter();
                verdicts.for_each(|verdict| assert_eq!(proven(verdict), Some((2, 5)), "{bits}"));
            }
        }
    }
}

/// The proof that a side gets what the start is worth: of each position the best move.
fn best<G: Encode>(game: &G, side: Side, number: usize) -> Vec<Cells> {
    let mut known = HashMap::new();
    let (mut all, mut open) = (HashMap::new(), vec![game.start()]);
    let mut seen = std::collections::HashSet::new();
    while let Some(state) = open.pop() {
        if game.outcome(&state).is_some() || !seen.insert(state) {
            continue;
        }
        if game.turn(&state) != side {
            open.extend(game.moves(&state).map(|mv| game.play(&state, mv)));
            continue;
        }
        let like = Merged::of(game, &state).state;
        let mover = game.turn(&like);
        let mut value = |child: &G::State| {
            derived(game, child, &mut known).value().seen_from(game.turn(child), mover)
        };
        let reached: Vec<_> = game.moves(&like).map(|mv| game.play(&like, mv)).collect();
        let max = reached.iter().map(&mut value).max().unwrap();
        let mv = reached.iter().position(|child| value(child) == max).unwrap();
        let key = proof_key(game.encode(&like), number);
        all.insert(key, (key, max, mv, like));
        // The same move of the position itself.
        let entry = Entry { at_least: max.0, mv: mv as u32, rank: 0 };
        let mv = foregone_record::proof::move_like(game, &state, &like, entry).unwrap();
        open.push(game.play(&state, mv));
    }
    // How many plies play can take at most.
    fn longest<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, u32>) -> u32 {
        if let Some(plies) = known.get(state) {
            return *plies;
        }
        let plies = match game.outcome(state) {
            Some(_) => 0,
            None => {
                let children: Vec<_> = game.moves(state).map(|mv| game.play(state, mv)).collect();
                1 + children.iter().map(|child| longest(game, child, known)).max().unwrap()
            }
        };
        known.insert(*state, plies);
        plies
    }
    let mut plies = HashMap::new();
    let cells = all.into_values().map(|(key, Value(max), mv, like)| {
        (key, worth(max, longest(game, &like, &mut plies)), worth(mv as i32, 0))
    });
    cells.collect()
}

/// What the start of a game is worth can be shown for both sides at once, and no more than that.
fn both_sides<G: Encode>(game: &G) {
    let start = game.start();
    let Value(value) = derived(game, &start, &mut HashMap::new()).value();
    let entries = [best(game, FIRST, 0), best(game, SECOND, 1)].concat();
    let table = file(&[claim(true, value), claim(false, -value)], &entries);
    for verdict in verdicts(game, &table) {
        assert!(proven(verdict).is_some_and(|(count, _)| count == entries.len() as u64));
    }
    for more in [[value + 1, -value], [value, -value + 1]] {
        let claims = [claim(true, more[0]), claim(false, more[1])];
        for verdict in verdicts(game, &file(&claims, &entries)) {
            let why = flaw(verdict).1;
            assert!(!why.contains("is proven") && !why.contains("does not need"), "{why}");
        }
    }
}

#[test]
fn games_that_merge_and_bank() {
    both_sides(&Mnk::tic_tac_toe());
    both_sides(&games::nim("1-2-3"));
    both_sides(&Domineering::new(3));
    for (pits, stones) in [("1", "2"), ("2", "2"), ("3", "2")] {
        both_sides(&games::kalah(pits, stones));
    }
}

/// Very many positions: of each side first all that it has to look at together, then the ends.
#[derive(Clone, Copy, PartialEq)]
enum Many {
    /// One move of the first player, and many of the second in a row.
    Row,
    /// A choice of the second player, and a move of the first.
    Fan,
}

const MANY: u32 = 20_000;

impl Game for Many {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, state: &u32) -> Side {
        match (*self, *state) {
            (Many::Row, 0) => FIRST,
            (Many::Row, _) => SECOND,
            (Many::Fan, 0) => SECOND,
            (Many::Fan, _) => FIRST,
        }
    }
    fn outcome(&self, state: &u32) -> Option<Outcome> {
        (*state > MANY).then_some(Outcome(0))
    }
    fn moves(&self, state: &u32) -> impl Iterator<Item = u32> {
        if *state == 0 && *self == Many::Fan { 1..MANY + 1 } else { 0..1 }
    }
    fn play(&self, state: &u32, mv: u32) -> u32 {
        match (*state, self) {
            (0, Many::Fan) => mv,
            (_, Many::Fan) => state + MANY,
            (_, Many::Row) => state + 1,
        }
    }
}

impl Encode for Many {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        32
    }
    fn encode(&self, state: &u32) -> u128 {
        (*state).into()
    }
    fn decode(&self, packed: u128) -> u32 {
        packed as u32
    }
}

impl Symmetry for Many {
    fn representative(&self, state: &u32) -> u32 {
        *state
    }
}

/// The least memory with which something can be done.
fn least(done: impl Fn(u64) -> bool) -> u64 {
    let (mut fails, mut does) = (0, 1 << 40);
    assert!(done(does));
    while does - fails > 1 {
        let middle = fails + (does - fails) / 2;
        *(if done(middle) { &mut does } else { &mut fails }) = middle;
    }
    does
}

/// Asserts that a figure is another within a tenth.
fn about(figure: u64, expected: usize) {
    let expected = expected as u64;
    assert!((expected * 9 / 10..expected * 11 / 10).contains(&figure), "{figure}, not {expected}");
}

/// A row of the other side's moves is kept as long as it is under way.
#[test]
fn the_memory_of_a_row() {
    let game = Many::Row;
    let table = file(&[claim(true, 0)], &[(0, worth(0, 0), worth(0, 0))]);
    let effort = |memory| Effort { memory, ..Effort::default() };
    let merged = least(|memory| check(&game, &table, &0, effort(memory), &|_| true).is_ok());
    // Of each position on the way: where it was seen, and that it is yet to end. Both grow by doubling,
    // and one that may soon be full counts with another of twice its size.
    let (vector, slots) = (16_384, 32_768);
    let slot = size_of::<((u32, i32), bool)>() + 1;
    about(merged, 3 * vector * size_of::<(bool, u32, i32)>() + slots * slot);
    let plainly =
        least(|memory| plain::check_proof(&game, &table, &0, effort(memory), &|_| true).is_ok());
    about(plainly, 3 * slots / 2 * (size_of::<(u32, u32, u32)>() + 1));
}

/// What is yet to be followed is kept, and so are the entries.
#[test]
fn the_memory_of_many_entries() {
    let game = Many::Fan;
    let entries: Vec<Cells> =
        (1..=MANY).map(|state| (proof_key(state.into(), 0), worth(0, 0), worth(0, 0))).collect();
    let table = file(&[claim(true, 0)], &entries);
    let effort = |memory| Effort { memory, ..Effort::default() };
    for verdict in verdicts(&game, &table) {
        assert_eq!(proven(verdict), Some((MANY.into(), 1 + 2 * u64::from(MANY))));
    }
    let merged = least(|memory| check(&game, &table, &0, effort(memory), &|_| true).is_ok());
    let map = 25_000 * 16;
    // Positions that have arrived, and entries that are open.
    let vector = 32_768;
    about(merged, map + vector * size_of::<(u32, i32)>() + vector * size_of::<(u32, Entry)>());
    let plainly =
        least(|memory| plain::check_proof(&game, &table, &0, effort(memory), &|_| true).is_ok());
    let states = 3 * 32_768 * (size_of::<(u32, u32, u32)>() + 1);
    about(plainly, map + states + vector * size_of::<(u32, u32)>());
}

#[test]
fn checking_ends_when_it_is_told_to() {
    let game = Many::Row;
    let table = file(&[claim(true, 0)], &[(0, worth(0, 0), worth(0, 0))]);
    let stopped = |error: Error| match error {
        Error::Io(error) => error.kind() == std::io::ErrorKind::Interrupted,
        _ => false,
    };
    let told = std::sync::Mutex::new(Vec::new());
    let goes_on = |done: u64| {
        let mut told = told.lock().unwrap();
        told.push(done);
        told.len() < 3
    };
    let effort = Effort::default();
    assert!(check(&game, &table, &0, effort, &goes_on).is_err_and(stopped));
    assert_eq!(std::mem::take(&mut *told.lock().unwrap()), [4096, 8192, 12288]);
    assert!(plain::check_proof(&game, &table, &0, effort, &goes_on).is_err_and(stopped));
    assert_eq!(*told.lock().unwrap(), [4096, 8192, 12288]);
}

/// Just as much memory as is needed is enough.
#[test]
fn the_memory_of_entries() {
    let (game, table) =
        (simple(), file(&[claim(true, 1)], &[entry(0, 1, 0, 2), entry(3, 1, 0, 1)]));
    let with = |memory| {
        let effort = Effort { memory, ..Effort::default() };
        check(&game, &table, &0, effort, &|_| true)
    };
    let needed = least(|memory| with(memory).is_ok());
    let Err(error) = with(needed - 1) else { panic!("it is less") };
    let text =
        format!("takes at least {needed} bytes of memory, with a limit of {} bytes", needed - 1);
    assert!(error.to_string().contains(&text), "{error}");
}

#[test]
fn verdicts_in_words() {
    let text = |state: &u8| format!("no. {state}");
    let proven = ProofVerdict::Proven { entries: 2_000, positions: 3_000 }.named(text);
    assert!(proven.is_proven());
    assert_eq!(proven.to_string(), "3,000 positions checked, 2,000 in the proof");
    let fields = json!({"verdict": "right", "entries": 2000, "positions": 3000});
    assert_eq!(proven.fields(), fields);
    let flawed = |position| ProofVerdict::Flawed { position, why: "why".to_owned() }.named(text);
    assert!(!flawed(Some(7)).is_proven());
    assert_eq!(flawed(Some(7)).to_string(), "at `no. 7`, why");
    assert_eq!(flawed(None).to_string(), "why");
    let fields = json!({"verdict": "false", "position": "no. 7", "why": "why"});
    assert_eq!(flawed(Some(7)).fields(), fields);
}
