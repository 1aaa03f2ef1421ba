//! Proofs of right form and right checksums, whatever they say: those that are accepted have to be true.
//! Some have any entries, some are right but for a few.
//!
//! `cargo fuzz run proofs`

#![no_main]

use std::collections::BTreeMap;
use std::sync::LazyLock;

use arbitrary::Arbitrary;
use foregone_check::Effort;
use foregone_check::plain::check_proof;
use foregone_check::proofs::{ProofVerdict, check};
use foregone_fuzz::{file, game};
use foregone_record::Table;
use foregone_record::format::{Values, fingerprint_keyed};
use foregone_record::proof::{Claim, Entry, ProofManifest, proof_key};
use foregone_record::read::{Bytes, key_of};
use foregone_rules::family::Family;
use foregone_rules::games::{Awari, Kalah, Mnk, ThreeMensMorris};
use foregone_rules::sample::positions;
use foregone_rules::{Distance, Encode, Value, Worth};
use libfuzzer_sys::fuzz_target;

#[derive(Arbitrary, Debug)]
struct Input {
    game: u8,
    claims: Vec<(bool, i8)>,
    /// Whether to start from the entries of a right proof of tic-tac-toe.
    from_right: bool,
    entries: Vec<Said>,
    removed: Vec<u8>,
}

/// What a proof says of a position: its number among some of the game, the claim, a bound, a move and a
/// rank.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Said {
    position: u16,
    second: bool,
    at_least: i8,
    mv: u8,
    rank: u8,
}

/// Positions of a game, and what the start is worth to the first player.
struct Known<G> {
    game: G,
    keys: Vec<u128>,
    value: i32,
}

impl<G: Family + Encode> Known<G> {
    fn new(given: &[(&str, &str)]) -> Known<G> {
        let game: G = game(given);
        let all = positions(&game, 2_000, 1).into_iter();
        let mut keys: Vec<_> = all.map(|sample| key_of(&game, &sample.state)).collect();
        keys.sort_unstable();
        keys.dedup();
        let value = foregone_fuzz::worths(&game)[&game.start()].value().0;
        Known { game, keys, value }
    }

    fn entry(&self, said: Said) -> (u128, Entry) {
        let key = self.keys[usize::from(said.position) % self.keys.len()];
        let (mv, rank) = (said.mv.into(), said.rank.into());
        let entry = Entry { at_least: said.at_least.into(), mv, rank };
        (proof_key(key, said.second.into()), entry)
    }

    fn table(&self, claims: &[(bool, i8)], entries: &BTreeMap<u128, Entry>) -> Option<Table> {
        let entries: Vec<_> = entries.iter().take(2048).collect();
        let worth = |value, plies| Some(Worth::new(Value(value), Distance::Plies(plies)));
        let bound = |(_, entry): &(_, &Entry)| worth(entry.at_least, entry.rank);
        let mv = |(_, entry): &(_, &Entry)| worth(entry.mv as i32, 0);
        let layers = [entries.iter().map(bound).collect(), entries.iter().map(mv).collect()];
        let keys: Vec<_> = entries.iter().map(|(key, _)| **key).collect();
        let claim =
            |(first, value): &(bool, i8)| Claim { first: *first, at_least: (*value).into() };
        let claims = claims.iter().map(claim).collect();
        let proof = ProofManifest { position: None, moves: Vec::new(), claims };
        let (print, values) = (fingerprint_keyed(&self.game), Values::ScoreDistance);
        let bytes = file(&self.game, print, values, &layers, Some(&keys), Some(proof));
        Table::read(Bytes(bytes)).ok()
    }

    /// Checks such a proof: it may be accepted only where it is true. Whether it was.
    fn check(&self, claims: &[(bool, i8)], entries: &BTreeMap<u128, Entry>) -> bool {
        let Some(table) = self.table(claims, entries) else { return false };
        let effort = Effort { memory: 1 << 20, ..Effort::default() };
        let start = self.game.start();
        let checked = check(&self.game, &table, &start, effort, &|_| true);
        let plainly = check_proof(&self.game, &table, &start, effort, &|_| true);
        let accepted = [checked, plainly].map(|it| matches!(it, Ok(ProofVerdict::Proven { .. })));
        if accepted.contains(&true) {
            for (first, at_least) in claims {
                let max = if *first { self.value } else { -self.value };
                assert!(i32::from(*at_least) <= max, "{claims:?} {entries:?}");
            }
        }
        accepted.contains(&true)
    }
}

/// The entries of a right proof.
fn right() -> BTreeMap<u128, Entry> {
    let bytes = include_bytes!("../../proofs/tic-tac-toe.proof");
    let table = Table::read(Bytes(bytes)).unwrap();
    let keys = table.all_keys().unwrap().into_iter().enumerate();
    let said = |layer, place: usize| table.get(layer, place as u64).unwrap().unwrap();
    keys.map(|(place, key)| (key, Entry::of(said(0, place), said(1, place)).unwrap())).collect()
}

/// The games of the proofs: one with loops, one with banked points and extra turns, one that loops and
/// banks points.
struct Games {
    tic_tac_toe: Known<Mnk>,
    morris: Known<ThreeMensMorris>,
    kalah: Known<Kalah>,
    awari: Known<Awari>,
    right: BTreeMap<u128, Entry>,
}

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let games = Games {
        tic_tac_toe: Known::new(&[]),
        morris: Known::new(&[]),
        kalah: Known::new(&[("pits", "2"), ("stones", "2")]),
        awari: Known::new(&[("pits", "2"), ("stones", "2")]),
        right: right(),
    };
    // Refusing everything is no checker.
    assert!(games.tic_tac_toe.check(&[(true, 0), (false, 0)], &games.right));
    games
});

fuzz_target!(|input: Input| {
    let Games { tic_tac_toe, morris, kalah, awari, right } = &*GAMES;
    let Input { game, claims, from_right, entries, removed } = &input;
    let said = entries.iter().copied();
    match (game % 4, from_right) {
        (_, true) => {
            let mut changed = right.clone();
            for said in said {
                // Another bound, move and so on in the same position, or in any other.
                let (key, entry) = tic_tac_toe.entry(said);
                let nth = usize::from(said.position / 2) % right.len();
                let own = right.keys().nth(nth).copied().unwrap_or(key);
                changed.insert(if said.position % 2 == 0 { own } else { key }, entry);
            }
            for place in removed {
                let nth = usize::from(*place) % right.len();
                right.keys().nth(nth).and_then(|key| changed.remove(key));
            }
            tic_tac_toe.check(claims, &changed);
        }
        (0, _) => {
            _ = tic_tac_toe.check(claims, &said.map(|said| tic_tac_toe.entry(said)).collect())
        }
        (1, _) => _ = morris.check(claims, &said.map(|said| morris.entry(said)).collect()),
        (2, _) => _ = awari.check(claims, &said.map(|said| awari.entry(said)).collect()),
        _ => _ = kalah.check(claims, &said.map(|said| kalah.entry(said)).collect()),
    }
});
