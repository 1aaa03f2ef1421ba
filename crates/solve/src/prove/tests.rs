use super::*;
use crate::reference;
use foregone_check::Effort;
use foregone_check::plain::check_proof;
use foregone_check::proofs::{ProofVerdict, check};
use foregone_record::Table;
use foregone_record::disk::Disk;
use foregone_record::proof::{Entry, advice, proof_key};
use foregone_record::read::Bytes;
use foregone_rules::games::{Awari, ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, ThreeMensMorris};
use foregone_rules::sample::{Dice, positions};
use foregone_rules::{Game, Merged, Notation, Outcome, Symmetry};
use foregone_trial::{Domineering, Folder, Graph, Hoard, game};
use std::collections::HashMap;
use std::path::Path;

fn begun<G: Encode>(game: &G, file: &Path) -> Begun {
    Begun::new(game, "game", Target::on(Disk::hasty(), file)).unwrap()
}

/// Writes these entries as a proof, whatever is wrong with them.
fn written<G: Encode>(game: &G, claims: &[Claim], all: &[(u128, Entry)], file: &Path) {
    let kept = |(key, entry): &(u128, Entry)| {
        let left = NonZeroU16::new(entry.rank as u16 + 1);
        Kept::new(*key, Note { left, ..Note::new(entry.at_least, entry.mv as usize).unwrap() })
    };
    let all: Vec<_> = all.iter().map(kept).collect();
    begun(game, file).finish(contents(claims.to_vec()), &all).unwrap();
}

fn contents(claims: Vec<Claim>) -> ProofManifest {
    ProofManifest { position: None, moves: Vec::new(), claims }
}

/// What positions are worth, by the plain reference.
struct ByReference<G: Game>(HashMap<G::State, Worth>, bool);

impl<G: Symmetry> Oracle<G> for (&'_ G, &'_ ByReference<G>) {
    fn value(&mut self, state: &G::State) -> Result<(Value, Value), Halted> {
        Ok((self.worth(state).value(), Value(-1000)))
    }

    fn at_least(&mut self, state: &G::State, value: i32) -> Result<bool, Halted> {
        Ok(self.worth(state).value() >= Value(value))
    }

    /// Every other answer takes long.
    fn soon_at_least(&mut self, state: &G::State, value: i32) -> Result<Option<bool>, Halted> {
        let odd = self.worth(state).distance().plies().is_some_and(|plies| plies % 2 == 1);
        Ok(if odd { None } else { Some(self.at_least(state, value)?) })
    }

    fn can_loop(&self) -> bool {
        self.1.1
    }

    fn rank(&mut self, state: &G::State) -> Option<u64> {
        let Distance::Plies(plies) = self.worth(state).distance() else { return None };
        Some(plies.into()).filter(|_| self.1.1)
    }

    fn bytes(&self) -> u64 {
        0
    }
}

trait Knows<G: Game> {
    fn worth(&self, state: &G::State) -> Worth;
}

impl<G: Symmetry> Knows<G> for (&'_ G, &'_ ByReference<G>) {
    fn worth(&self, state: &G::State) -> Worth {
        match self.1.0.get(state) {
            Some(worth) => *worth,
            // One that is alike.
            None => reference::worths(self.0, state)[state],
        }
    }
}

fn verdict<G: Encode>(game: &G, file: &Path, root: &G::State) -> ProofVerdict<G::State> {
    let table = Table::open(file).unwrap();
    table.is_proof_of(game, "game").unwrap();
    check(game, &table, root, Effort::default(), &|_| true).unwrap()
}

/// What can be proven is what the reference says, and nothing else; and every proof is refused
/// when it was tampered with.
fn holds<G: Encode>(game: &G, loops: bool, name: &str) {
    let place = Folder::new();
    let file = &place.file("proof");
    let worths = ByReference::<G>(reference::worths(game, &game.start()), loops);
    let control = Control::default();
    for sample in positions(game, 40, 3) {
        let root = sample.state;
        let value = worths.0[&root].value();
        for side in Side::BOTH {
            let Value(max) = value.seen_from(game.turn(&root), side);
            for (at_least, true_) in [(max, true), (max - 1, true), (max + 1, false)] {
                let claims = vec![Claim { first: side == Side::First, at_least }];
                let mut oracle = (game, &worths);
                let proven =
                    prove(game, &root, contents(claims), &mut oracle, begun(game, file), &control);
                match (proven, true_) {
                    (Err(Unproven::False { .. }), false) => continue,
                    (Ok((_, size)), true) => {
                        let ProofVerdict::Proven { entries, .. } = verdict(game, file, &root)
                        else {
                            panic!("{name}: {:?}", verdict(game, file, &root));
                        };
                        assert_eq!(entries, size.entries);
                    }
                    (other, _) => panic!("{name} {root:?} {at_least} {other:?}"),
                }
            }
        }
    }
    let root = game.start();
    let mut oracle = (game, &worths);
    let claims = super::claims(worths.0[&root].value(), Value(-1000), Side::First);
    prove(game, &root, contents(claims.clone()), &mut oracle, begun(game, file), &control).unwrap();
    let all = entries(game, file);
    let refused = |what: &str, claims: &[Claim], all: &[(u128, Entry)]| {
        written(game, claims, all, file);
        let verdict = verdict(game, file, &root);
        // It names the place, unless that is an entry of no position.
        let place = matches!(verdict, ProofVerdict::Flawed { position: Some(_), .. });
        let none =
            matches!(&verdict, ProofVerdict::Flawed { why, .. } if why.contains("does not need"));
        assert!(place || none, "{name}: {what} {verdict:?}");
    };
    for number in 0..claims.len() {
        let mut more = claims.clone();
        more[number].at_least += 1;
        refused("a claim raised by one", &more, &all);
    }
    let step = all.len() / 50 + 1;
    for at in (0..all.len()).step_by(step) {
        let mut fewer = all.clone();
        fewer.remove(at);
        refused("an entry removed", &claims, &fewer);
        let mut less = all.clone();
        less[at].1.at_least -= 1;
        refused("an entry that claims less", &claims, &less);
        let mut none = all.clone();
        none[at].1.mv = 1000;
        refused("a move that there is not", &claims, &none);
        let mut looping = all.clone();
        looping[at].1.rank += 1000;
        let (key, claim) = (looping[at].0, claims[(looping[at].0 & 1) as usize]);
        let first =
            all.iter().all(|(other, entry)| *other & 1 != key & 1 || entry.rank <= all[at].1.rank);
        if claim.at_least > 0 && !first {
            refused("what is left does not fall", &claims, &looping);
        }
        let mut other = all.clone();
        other[at].0 ^= 2;
        other.sort_unstable_by_key(|(key, _)| *key);
        other.dedup_by_key(|(key, _)| *key);
        refused("another position", &claims, &other);
    }
    // A move that gives away what is claimed.
    let mut lost = 0;
    for at in 0..all.len() {
        let (key, entry) = all[at];
        let state = game.decode(key >> 1);
        let mover = game.turn(&state);
        for (mv, child) in (0..).zip(game.moves(&state).map(|mv| game.play(&state, mv))) {
            let value = oracle.worth(&child).value().seen_from(game.turn(&child), mover);
            if value.0 < entry.at_least && lost < 100 {
                let mut other = all.clone();
                other[at].1.mv = mv;
                refused("a move that loses", &claims, &other);
                lost += 1;
            }
        }
    }
    assert!(lost > 0, "{name}");
}

/// The entries of a proof.
fn entries<G: Encode>(_: &G, file: &Path) -> Vec<(u128, Entry)> {
    let table = Table::open(file).unwrap();
    let cells = [0, 1].map(|layer| table.layer(layer).unwrap());
    let worth =
        |layer: usize, at: usize| table.worths(layer as u32)[usize::from(cells[layer][at]) - 1];
    let entry = |(at, key): (usize, u128)| {
        let (bound, mv) = (worth(0, at), worth(1, at));
        let rank = bound.distance().plies().unwrap();
        (key, Entry { at_least: bound.value().0, mv: mv.value().0 as u32, rank })
    };
    table.all_keys().unwrap().into_iter().enumerate().map(entry).collect()
}

#[test]
fn what_the_reference_says_can_be_proven_and_nothing_else() {
    holds(&game::<Mnk>(&[]), false, "prove-mnk");
    for stuck in ["draw", "pass", "lose"] {
        let fox = game::<FoxAndHounds>(&[("size", "4"), ("stuck", stuck)]);
        holds(&fox, stuck == "pass", &format!("prove-fox-{stuck}"));
    }
    holds(&game::<Nim>(&[("heaps", "2-3-4")]), false, "prove-nim");
    holds(&game::<ThreeMensMorris>(&[]), true, "prove-morris");
    let size = [("columns", "4"), ("rows", "3"), ("line", "3")];
    holds(&game::<ConnectFour>(&size), false, "prove-four");
    holds(&Domineering::new(3), false, "prove-domineering");
    for (capture, end, rest) in [
        ("always", "either", "owner"),
        ("nonempty", "mover", "owner"),
        ("always", "mover", "mover"),
    ] {
        let size = [("pits", "2"), ("stones", "2")];
        let rules = [("capture", capture), ("end", end), ("rest", rest)];
        let kalah = game::<Kalah>(&[&size[..], &rules].concat());
        holds(&kalah, false, &format!("prove-kalah-{capture}-{end}-{rest}"));
    }
}

/// On random graphs with loops, extra turns and many results: what holds is proven, what does not
/// is not, and whatever stands in a proof, it is accepted only where its claim holds.
#[test]
fn random_graphs_with_loops_equal_the_reference() {
    let place = Folder::new();
    let file = &place.file("proof");
    let control = Control::default();
    let (mut accepted, mut uneven) = ([0, 0], 0);
    for seed in 0..600 {
        let graph = Graph::new(seed / 4);
        // Play without end is worth nothing, the same everywhere, or in each component something else.
        let graph = match seed % 4 {
            0 => graph,
            1 => graph.with_endless(1),
            2 => graph.with_endless(-2),
            _ => graph.with_loops(seed),
        };
        let root = graph.start();
        let worths = reference::worths(&graph, &root);
        let mut dice = Dice::new(seed);
        for side in Side::BOTH {
            let Value(max) = worths[&root].value().seen_from(graph.turn(&root), side);
            for at_least in max - 1..=max + 1 {
                let claim = Claim { first: side == Side::First, at_least };
                let mut oracle = ByStrong::new(&graph, &root, &control).unwrap();
                uneven += u32::from(!oracle.is_even());
                let proof = contents(vec![claim]);
                let proven =
                    prove(&graph, &root, proof, &mut oracle, begun(&graph, file), &control);
                match proven {
                    Ok(_) if at_least <= max => {
                        let verdict = verdict(&graph, file, &root);
                        assert!(
                            matches!(verdict, ProofVerdict::Proven { .. }),
                            "{seed} {verdict:?}"
                        );
                    }
                    Err(Unproven::False { .. }) if at_least > max => {}
                    other => panic!("{seed} {side:?} {at_least} {other:?}"),
                }
                // Anything: for some of the positions any move, and numbers that may fall.
                let mine = worths.keys().filter(|state| graph.turn(state) == side);
                let entry = |state: &u8| {
                    let mv = dice.below(graph.moves(state).count()) as u32;
                    let rank = dice.below(6) as u32;
                    (proof_key(graph.encode(state), 0), Entry { at_least, mv, rank })
                };
                let mut all: Vec<_> = mine.map(entry).collect();
                all.sort_unstable_by_key(|(key, _)| *key);
                for _ in 0..8 {
                    written(&graph, &[claim], &all, file);
                    let verdict = verdict(&graph, file, &root);
                    if matches!(verdict, ProofVerdict::Proven { .. }) {
                        assert!(at_least <= max, "{seed} {claim:?} {all:?}");
                        accepted[usize::from(claim.at_least > 0)] += 1;
                        break;
                    }
                    // What the proof does not need is taken out, and it is tried again.
                    let ProofVerdict::Flawed { position: Some(state), why } = verdict else {
                        break;
                    };
                    if !why.contains("does not need") {
                        break;
                    }
                    let key = proof_key(graph.encode(&state), 0);
                    all.retain(|(other, _)| *other != key);
                }
            }
        }
    }
    assert!(accepted.iter().all(|count| *count > 20) && uneven > 200, "{accepted:?} {uneven}");
}

/// Games that bank points and loop. Their positions are merged, and checked plainly, too.
#[test]
fn random_games_that_bank_points_equal_the_reference() {
    let place = Folder::new();
    let file = &place.file("proof");
    let control = Control::default();
    let (mut accepted, mut behind) = (0, 0);
    for seed in 0..300 {
        let hoard = Hoard::new(seed / 3);
        let hoard = match seed % 3 {
            0 => hoard,
            1 => hoard.with_endless(1),
            _ => hoard.with_loops(seed),
        };
        let root = hoard.start();
        let worths = reference::worths(&hoard, &root);
        let mut dice = Dice::new(seed);
        for side in Side::BOTH {
            let Value(max) = worths[&root].value().seen_from(hoard.turn(&root), side);
            for at_least in max - 1..=max + 1 {
                let claim = Claim { first: side == Side::First, at_least };
                let mut oracle = ByStrong::new(&hoard, &root, &control).unwrap();
                let proven = prove(
                    &hoard,
                    &root,
                    contents(vec![claim]),
                    &mut oracle,
                    begun(&hoard, file),
                    &control,
                );
                match proven {
                    Ok(_) if at_least <= max => {
                        let verdict = verdict(&hoard, file, &root);
                        assert!(verdict.is_proven(), "{seed} {verdict:?}");
                        let table = Table::open(file).unwrap();
                        let plainly =
                            check_proof(&hoard, &table, &root, Effort::default(), &|_| true);
                        assert!(plainly.unwrap().is_proven(), "{seed}");
                        behind += u32::from(at_least < 0);
                    }
                    Err(Unproven::False { .. }) if at_least > max => {}
                    other => panic!("{seed} {side:?} {at_least} {other:?}"),
                }
                // Anything.
                let bare = |state: &&_| Merged::of(&hoard, *state).state == **state;
                let mine = worths.keys().filter(bare).filter(|state| hoard.turn(state) == side);
                let entry = |state: &_| {
                    let mv = dice.below(hoard.moves(state).count()) as u32;
                    let (rank, more) = (dice.below(6) as u32, dice.below(4) as i32 - 1);
                    let key = proof_key(hoard.encode(state), 0);
                    (key, Entry { at_least: at_least + more, mv, rank })
                };
                let mut all: Vec<_> = mine.map(entry).collect();
                all.sort_unstable_by_key(|(key, _)| *key);
                for _ in 0..8 {
                    written(&hoard, &[claim], &all, file);
                    let verdict = verdict(&hoard, file, &root);
                    if verdict.is_proven() {
                        assert!(at_least <= max, "{seed} {claim:?} {all:?}");
                        accepted += 1;
                        break;
                    }
                    let ProofVerdict::Flawed { position: Some(state), why } = verdict else {
                        break;
                    };
                    if !why.contains("does not need") {
                        break;
                    }
                    let key = proof_key(hoard.encode(&state), 0);
                    all.retain(|(other, _)| *other != key);
                }
            }
        }
    }
    assert!(accepted > 20 && behind > 100, "{accepted} {behind}");
}

/// A move that wins less, but sooner, may lead round and round: of 0, from where 1 is the way to 5 at
/// last, and 2 lets the second player choose between 3 at once and 0 again.
#[test]
fn a_lesser_win_may_come_sooner_and_go_round() {
    let (first, second) = (Side::First, Side::Second);
    let graph = Graph {
        moves: vec![vec![1, 2], vec![3], vec![0, 6], vec![4], vec![5], vec![], vec![]],
        turns: vec![first, second, second, first, second, first, first],
        outcomes: [None, None, None, None, None, Some(5), Some(3)].map(|o| o.map(Outcome)).to_vec(),
        endless: vec![],
    };
    let place = Folder::new();
    let file = &place.file("proof");
    let control = Control::default();
    for at_least in 1..=5 {
        let mut oracle = ByStrong::new(&graph, &0, &control).unwrap();
        let claims = vec![Claim { first: true, at_least }];
        prove(&graph, &0, contents(claims), &mut oracle, begun(&graph, file), &control).unwrap();
        let verdict = verdict(&graph, file, &0);
        assert!(verdict.is_proven(), "{at_least} {verdict:?}");
    }
}

/// A claim so large that bounds on the way would go round is refused, whatever is banked.
#[test]
fn claims_that_no_game_has_are_refused() {
    let place = Folder::new();
    let file = &place.file("proof");
    let kalah = game::<Kalah>(&[("pits", "1"), ("stones", "1")]);
    let root = kalah.parse("1 0 1 9 first").unwrap();
    let entry = |at_least| {
        let key = proof_key(kalah.encode(&Merged::of(&kalah, &root).state), 0);
        vec![(key, Entry { at_least, mv: 0, rank: 0 })]
    };
    for at_least in [i32::MAX, i32::MAX - 5, i32::MIN] {
        for first in [true, false] {
            let claim = Claim { first, at_least };
            written(&kalah, &[claim], &entry(-1000), file);
            let table = Table::open(file).unwrap();
            let checked = check(&kalah, &table, &root, Effort::default(), &|_| true);
            assert!(!matches!(checked, Ok(ProofVerdict::Proven { .. })), "{at_least} {checked:?}");
        }
    }
}

/// Every byte of a proof that is changed, and every length that it is cut to, is seen.
#[test]
fn no_damage_goes_unseen() {
    let place = Folder::new();
    let file = &place.file("proof");
    let fox = game::<FoxAndHounds>(&[("size", "4")]);
    let worths = ByReference(reference::worths(&fox, &fox.start()), false);
    let value = worths.0[&fox.start()].value();
    let claims = super::claims(value, Value(-1), Side::First);
    let mut oracle = (&fox, &worths);
    let control = Control::default();
    let start = fox.start();
    prove(&fox, &start, contents(claims), &mut oracle, begun(&fox, file), &control).unwrap();
    let bytes = std::fs::read(file).unwrap();
    let read = |bytes: Vec<u8>| -> bool {
        let Ok(table) = Table::read(Bytes(bytes)) else { return false };
        let checked = || {
            table.is_proof_of(&fox, "game")?;
            check(&fox, &table, &start, Effort::default(), &|_| true)
        };
        matches!(checked(), Ok(ProofVerdict::Proven { .. }))
    };
    assert!(read(bytes.clone()));
    for at in 0..bytes.len() {
        for bit in 0..8 {
            let mut other = bytes.clone();
            other[at] ^= 1 << bit;
            assert!(!read(other), "bit {bit} of byte {at}");
        }
        assert!(!read(bytes[..at].to_vec()), "cut to {at} bytes");
    }
    // Other rules.
    let other = game::<FoxAndHounds>(&[("size", "4"), ("stuck", "lose")]);
    assert!(Table::open(file).unwrap().is_proof_of(&other, "game").is_err());
}

/// Whoever follows a proof gets what it claims, with stones banked on the way too.
#[test]
fn advice_leads_to_what_is_claimed() {
    let place = Folder::new();
    let file = &place.file("proof");
    let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
    let worths = ByReference(reference::worths(&kalah, &kalah.start()), false);
    let control = Control::default();
    let mut dice = Dice::new(1);
    for sample in positions(&kalah, 20, 2) {
        let root = sample.state;
        let mut oracle = (&kalah, &worths);
        let told =
            prove(&kalah, &root, contents(Vec::new()), &mut oracle, begun(&kalah, file), &control);
        let (told, _) = told.unwrap();
        assert_eq!(told.claims.len(), 2);
        let table = Table::open(file).unwrap();
        for (number, claim) in told.claims.iter().enumerate().cycle().take(40) {
            let mut state = root;
            while kalah.outcome(&state).is_none() {
                let mv = match kalah.turn(&state) == claim.side() {
                    true => advice(&kalah, &table, number, &state).unwrap().unwrap().0,
                    false => {
                        let moves: Vec<_> = kalah.moves(&state).collect();
                        moves[dice.below(moves.len())]
                    }
                };
                state = kalah.play(&state, mv);
            }
            let got = kalah.outcome(&state).unwrap().value_for(claim.side());
            assert!(got.0 >= claim.at_least, "{claim:?} {got:?}");
        }
    }
}

/// In awari every bound that a side can get is proven, in all positions met in some games, and no more; play
/// without end is worth what was captured.
#[test]
fn awari_is_proven_of_what_the_reference_says() {
    let place = Folder::new();
    let file = &place.file("proof");
    let control = Control::default();
    let mut endless = 0;
    for (pits, stones, slam) in
        [("1", "5", "void"), ("2", "2", "forbidden"), ("2", "2", "void"), ("3", "1", "forbidden")]
    {
        let awari = game::<Awari>(&[("pits", pits), ("stones", stones), ("slam", slam)]);
        let worths = reference::worths(&awari, &awari.start());
        for root in positions(&awari, 40, 3).into_iter().map(|sample| sample.state) {
            endless += u32::from(worths[&root].is_endless());
            for side in Side::BOTH {
                let Value(max) = worths[&root].value().seen_from(awari.turn(&root), side);
                for at_least in max - 1..=max + 1 {
                    let claims = vec![Claim { first: side == Side::First, at_least }];
                    let mut oracle = ByStrong::new(&awari, &root, &control).unwrap();
                    let into = begun(&awari, file);
                    let proven =
                        prove(&awari, &root, contents(claims), &mut oracle, into, &control);
                    match proven {
                        Ok(_) if at_least <= max => {
                            assert!(verdict(&awari, file, &root).is_proven(), "{root:?}");
                            let table = Table::open(file).unwrap();
                            let effort = Effort::default();
                            let plainly = check_proof(&awari, &table, &root, effort, &|_| true);
                            assert!(plainly.unwrap().is_proven(), "{root:?}");
                        }
                        Err(Unproven::False { .. }) if at_least > max => {}
                        other => panic!("{root:?} {side:?} {at_least} {other:?}"),
                    }
                }
            }
        }
    }
    assert!(endless > 20, "{endless}");
}
