//! Feeds the reader of tables and proofs bytes as they come, and files that say what they like with
//! checksums that are right: it may answer or refuse, and must neither panic nor take much memory. And
//! proofs that are whole but for what they say: those that are accepted have to be true.
//!
//! `cargo fuzz run reader --fuzz-dir crates/record/fuzz`

#![no_main]

use std::collections::{BTreeMap, HashMap};
use std::sync::{LazyLock, OnceLock};

use arbitrary::Arbitrary;
use foregone_record::format::{
    Contents, HEAD, LayerContents, Values, checksum, derived, fingerprint, fingerprint_listed,
    head, key_of,
};
use foregone_record::keys::{KEYS, KeyContents};
use foregone_record::proof::{Checked, Claim, Entry, ProofContents, check, proof_key};
use foregone_record::table::Bytes;
use foregone_record::{Effort, Table, verify, verify_listed};
use foregone_rules::games::{Kalah, Mnk, ThreeMensMorris};
use foregone_rules::sample::positions;
use foregone_rules::{Args, Family, Game, Packed, Symmetry, Worth};
use libfuzzer_sys::fuzz_target;
use xxhash_rust::xxh3::xxh3_64;

#[derive(Arbitrary, Debug)]
enum Input {
    Bytes(Vec<u8>),
    File {
        layers: Vec<Layer>,
        keys: Option<Part>,
        claims: Option<Vec<(bool, i16)>>,
    },
    Proof {
        game: u8,
        claims: Vec<(bool, i8)>,
        entries: Vec<Said>,
    },
    /// A right proof of tic-tac-toe, some of whose entries say other things.
    Changed {
        claims: Vec<(bool, i8)>,
        entries: Vec<(u8, Option<Said>)>,
    },
}

/// What a proof says of a position: its number among some of the game, the claim, a bound, a move and
/// what is left.
#[derive(Arbitrary, Clone, Copy, Debug)]
struct Said {
    position: u16,
    second: bool,
    at_least: i8,
    mv: u8,
    left: u8,
}

/// Positions of a game, and what the start is worth to the first player.
struct Known<G: Game> {
    game: G,
    keys: Vec<u128>,
    value: i32,
}

impl<G: Family + Packed + Symmetry> Known<G> {
    fn new(given: &[(&str, &str)], value: Option<i32>) -> Known<G> {
        let game = G::create(&Args::new(&G::ABOUT, given.iter().copied()).unwrap()).unwrap();
        let all = positions(&game, 2_000, 1).into_iter();
        let mut keys: Vec<_> = all.map(|sample| key_of(&game, &sample.state)).collect();
        keys.sort_unstable();
        keys.dedup();
        let mut known = HashMap::new();
        let value = value.unwrap_or_else(|| worth(&game, &game.start(), &mut known).value().0);
        Known { game, keys, value }
    }

    fn entry(&self, said: Said) -> (u128, Entry) {
        let key = self.keys[usize::from(said.position) % self.keys.len()];
        let (mv, left) = (said.mv.into(), said.left.into());
        let entry = Entry { at_least: said.at_least.into(), mv, left };
        (proof_key(key, said.second.into()), entry)
    }

    /// Checks such a proof: it may be accepted only where it is true.
    fn check(&self, claims: &[(bool, i8)], entries: BTreeMap<u128, Entry>) {
        let wide: Vec<_> = claims.iter().map(|(first, value)| (*first, (*value).into())).collect();
        let Ok(table) = Table::read(Bytes(proof(&wide, &entries))) else { return };
        let checked = check(&self.game, &table, &self.game.start(), 1 << 20, &|_| true);
        if let Ok(Checked::Proven { .. }) = checked {
            for (first, at_least) in claims {
                let most = if *first { self.value } else { -self.value };
                assert!(i32::from(*at_least) <= most, "{claims:?} {entries:?}");
            }
        }
    }
}

/// What a position is worth by the plain rules, where play cannot loop.
fn worth<G: Game>(game: &G, state: &G::State, known: &mut HashMap<G::State, Worth>) -> Worth {
    if let Some(worth) = known.get(state) {
        return *worth;
    }
    let found = derived(game, state, |child| Some(worth(game, child, known))).unwrap();
    known.insert(*state, found);
    found
}

/// A file with these claims and entries, and nothing wrong with its form.
fn proof(claims: &[(bool, i16)], entries: &BTreeMap<u128, Entry>) -> Vec<u8> {
    let entries: Vec<_> = entries.iter().take(KEYS as usize).collect();
    let part = |plain: Vec<u8>, firsts| Part {
        blocks: vec![zstd::bulk::compress(&plain, 1).unwrap()],
        ends: Vec::new(),
        firsts,
        bytes: None,
    };
    let (mut keys, mut before) = (Vec::new(), 0);
    for (key, _) in &entries {
        let mut rest = **key - before;
        while rest > 127 {
            keys.push(rest as u8 | 128);
            rest >>= 7;
        }
        keys.push(rest as u8);
        before = **key;
    }
    let layer = |worths: Vec<(i16, Option<u32>)>| {
        let cells = (1..=worths.len() as u16).flat_map(u16::to_le_bytes).collect();
        Layer { part: part(cells, Vec::new()), size: worths.len() as u64, wide: true, worths }
    };
    let bounds = entries.iter().map(|(_, entry)| (entry.at_least as i16, Some(entry.left)));
    let moves = entries.iter().map(|(_, entry)| (entry.mv as i16, Some(0)));
    let layers = [layer(bounds.collect()), layer(moves.collect())];
    let firsts = entries.first().map(|(key, _)| **key).into_iter().collect();
    file(&layers, Some(&part(keys, firsts)), Some(claims))
}

/// The entries of a right proof.
fn right() -> BTreeMap<u128, Entry> {
    let table = Table::read(Bytes(include_bytes!("../../../../proofs/tic-tac-toe.proof"))).unwrap();
    let keys = table.all_listed().unwrap().into_iter().enumerate();
    let said = |layer, place: usize| table.get(layer, place as u64).unwrap().unwrap();
    let entry = |(place, key)| {
        let (bound, mv) = (said(0, place), said(1, place).value().0 as u32);
        let left = bound.distance().plies().unwrap();
        (key, Entry { at_least: bound.value().0, mv, left })
    };
    keys.map(entry).collect()
}

/// The games of the proofs: one with loops, one with banked points and extra turns.
struct Games {
    tic_tac_toe: Known<Mnk>,
    morris: Known<ThreeMensMorris>,
    kalah: Known<Kalah>,
    right: BTreeMap<u128, Entry>,
}

static GAMES: LazyLock<Games> = LazyLock::new(|| {
    let games = Games {
        tic_tac_toe: Known::new(&[], None),
        // By strong solving: docs/results.md.
        morris: Known::new(&[], Some(1)),
        kalah: Known::new(&[("pits", "2"), ("stones", "2")], None),
        right: right(),
    };
    // Else nothing would be learnt from what is refused.
    games.tic_tac_toe.check(&[(true, 0), (false, 0)], games.right.clone());
    let table = Table::read(Bytes(proof(&[(true, 0), (false, 0)], &games.right))).unwrap();
    let game = &games.tic_tac_toe.game;
    let checked = check(game, &table, &game.start(), 1 << 20, &|_| true).unwrap();
    assert!(matches!(checked, Checked::Proven { .. }), "{checked:?}");
    games
});

/// Blocks and their entries, and what the contents say of them.
#[derive(Arbitrary, Debug)]
struct Part {
    blocks: Vec<Vec<u8>>,
    /// Where a block is said to end, if not where it does.
    ends: Vec<Option<u64>>,
    /// What its first key is said to be.
    firsts: Vec<u128>,
    /// How many bytes there are said to be, if not as many as there are.
    bytes: Option<u64>,
}

#[derive(Arbitrary, Debug)]
struct Layer {
    part: Part,
    size: u64,
    wide: bool,
    worths: Vec<(i16, Option<u32>)>,
}

impl Part {
    /// The bytes of the blocks, and the entries with right checksums.
    fn written(&self, layer: u32, with_keys: bool) -> (Vec<u8>, Vec<u8>) {
        let (mut blocks, mut entries) = (Vec::new(), Vec::new());
        for (number, block) in self.blocks.iter().enumerate() {
            blocks.extend(block);
            let end = self.ends.get(number).copied().flatten().unwrap_or(blocks.len() as u64);
            entries.extend(end.to_le_bytes());
            entries.extend(checksum(block, layer, number as u64).to_le_bytes());
            if with_keys {
                entries.extend(self.firsts.get(number).copied().unwrap_or(0).to_le_bytes());
            }
        }
        (blocks, entries)
    }
}

fn file(layers: &[Layer], keys: Option<&Part>, claims: Option<&[(bool, i16)]>) -> Vec<u8> {
    let game = Mnk::tic_tac_toe();
    static PRINTS: OnceLock<[u64; 2]> = OnceLock::new();
    let prints = PRINTS.get_or_init(|| [fingerprint(&game), fingerprint_listed(&game)]);
    let print = prints[usize::from(keys.is_some())];
    let mut contents = Contents {
        game: "mnk".to_owned(),
        fingerprint: format!("{print:016x}"),
        values: Values::ScoreDistance,
        layers: Vec::new(),
        keys: None,
        proof: claims.map(|claims| ProofContents {
            position: None,
            moves: Vec::new(),
            claims: claims
                .iter()
                .map(|(first, value)| Claim { first: *first, at_least: (*value).into() })
                .collect(),
        }),
    };
    let mut body = Vec::new();
    for (number, layer) in layers.iter().enumerate() {
        let offset = (HEAD + body.len()) as u64;
        let (blocks, entries) = layer.part.written(number as u32, false);
        contents.layers.push(LayerContents {
            size: layer.size,
            positions: layer.size,
            width: 1 + u8::from(layer.wide),
            offset,
            bytes: layer.part.bytes.unwrap_or(blocks.len() as u64),
            entries: xxh3_64(&entries),
            worths: layer.worths.iter().map(|(value, plies)| ((*value).into(), *plies)).collect(),
        });
        body.extend([blocks, entries].concat());
    }
    if let Some(part) = keys {
        let offset = (HEAD + body.len()) as u64;
        let (blocks, entries) = part.written(u32::MAX, true);
        let bytes = part.bytes.unwrap_or(blocks.len() as u64);
        contents.keys = Some(KeyContents { offset, bytes, entries: xxh3_64(&entries) });
        body.extend([blocks, entries].concat());
    }
    let text = serde_json::to_vec(&contents).expect("contents are plain");
    [&head((HEAD + body.len()) as u64, &text)[..], &body, &text].concat()
}

fuzz_target!(|input: Input| {
    let bytes = match &input {
        Input::Bytes(bytes) => bytes.clone(),
        Input::File { layers, keys, claims } => file(layers, keys.as_ref(), claims.as_deref()),
        Input::Proof { game, claims, entries } => {
            let Games { tic_tac_toe, morris, kalah, .. } = &*GAMES;
            let said = entries.iter().copied();
            match game % 3 {
                0 => tic_tac_toe.check(claims, said.map(|said| tic_tac_toe.entry(said)).collect()),
                1 => morris.check(claims, said.map(|said| morris.entry(said)).collect()),
                _ => kalah.check(claims, said.map(|said| kalah.entry(said)).collect()),
            }
            return;
        }
        Input::Changed { claims, entries } => {
            let Games { tic_tac_toe, right, .. } = &*GAMES;
            let mut changed = right.clone();
            for (place, said) in entries {
                let nth = usize::from(*place) % right.len();
                let Some(key) = right.keys().nth(nth).copied() else { continue };
                match said {
                    // Another bound, move and so on in the same position, or in another.
                    Some(said) if said.position % 2 == 0 => {
                        changed.insert(key, tic_tac_toe.entry(*said).1);
                    }
                    Some(said) => changed.extend([tic_tac_toe.entry(*said)]),
                    None => _ = changed.remove(&key),
                }
            }
            tic_tac_toe.check(claims, changed);
            return;
        }
    };
    let Ok(table) = Table::read(Bytes(bytes)) else { return };
    let game = Mnk::tic_tac_toe();
    for layer in 0..3 {
        for index in [0, 1, 100, 16_383, 16_384, u64::MAX] {
            let _ = table.get(layer, index);
        }
    }
    for key in [0, 1, 1 << 64, u128::MAX] {
        let _ = table.place(key);
        let _ = table.listed(key as u64);
    }
    let effort = Effort { threads: 1, memory: 1 << 20 };
    let _ = verify(&game, &table, effort, &|_| true);
    let _ = verify_listed(&game, &table, effort, &|_| true);
    let _ = check(&game, &table, &game.start(), 1 << 20, &|_| true);
});
