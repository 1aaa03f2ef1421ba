//! The program `foregone-check`, on files that are made here by the plain rules.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use foregone_record::format::{derived, fingerprint_listed, state_of};
use foregone_record::proof::{Claim, ProofContents, proof_key};
use foregone_record::{Building, Values, fingerprint};
use foregone_rules::family::{Args, Family, specification};
use foregone_rules::games::{ForProofs, Nim, provable};
use foregone_rules::sample::{Dice, positions};
use foregone_rules::{Distance, Game, Indexed, Merged, Packed, Symmetry, Value, Worth, Written};
use serde_json::Value as Json;

/// A folder that is gone at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path =
            std::env::temp_dir().join(format!("foregone-check-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run(args: &[&str], file: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_foregone-check")).args(args).arg(file).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn json(output: &Output) -> Json {
    serde_json::from_slice(&output.stdout).unwrap()
}

fn nim() -> Nim {
    Nim::create(&Args::new(&Nim::ABOUT, [("heaps", "1-2-4")]).unwrap()).unwrap()
}

/// What every position is worth, by the plain rules.
fn worths(game: &Nim, state: &<Nim as Game>::State, all: &mut HashMap<String, Worth>) -> Worth {
    let worth = derived(game, state, |child| Some(worths(game, child, all))).unwrap();
    all.insert(format!("{state:?}"), worth);
    worth
}

fn keep(building: &mut Building, layer: u32, all: &[Option<Worth>]) {
    building.keep_each(layer, all.len() as u64, 1, &|at| all[at as usize]).unwrap();
}

/// A table with every position, but that `wrong` is worth another thing.
fn table(file: &Path, wrong: Option<&str>) -> u64 {
    let game = nim();
    let name = specification(&game);
    let mut building =
        Building::open(file, &name, fingerprint(&game), Values::ScoreDistance).unwrap();
    let mut positions = 0;
    let mut known = HashMap::new();
    for layer in 0..game.layers() {
        let worth = |index| {
            let state = game.state(layer, index)?;
            positions += 1;
            let text = (Written::default().format)(&game, &state);
            let right = worths(&game, &state, &mut known);
            Some(if Some(text.as_str()) == wrong { Worth::ENDLESS_DRAW } else { right })
        };
        let all: Vec<_> = (0..game.size(layer)).map(worth).collect();
        keep(&mut building, layer, &all);
    }
    building.finish(game.layers()).unwrap();
    positions
}

/// A proof that the first player wins, by all positions from which the mover does, that can arise; the
/// one that is left out is missing in it.
fn proof(file: &Path, left_out: Option<&str>, spare: bool) -> u64 {
    let game = nim();
    let name = specification(&game);
    let mut known = HashMap::new();
    let mut entries = HashMap::new();
    let mut open = vec![game.start()];
    while let Some(state) = open.pop() {
        let like = Merged::of(&game, &state).state;
        let won = |child: &<Nim as Game>::State, known: &mut HashMap<_, _>| {
            worths(&game, child, known).value() < Value(0)
        };
        if game.outcome(&like).is_some() {
            continue;
        }
        let mv = game.moves(&like).position(|mv| won(&game.play(&like, mv), &mut known)).unwrap();
        let child = game.play(&like, game.moves(&like).nth(mv).unwrap());
        let left: u8 =
            format!("{like:?}").bytes().filter(u8::is_ascii_digit).map(|d| d - b'0').sum();
        entries.insert(proof_key(game.pack(&like), 0), (like, mv as i32, u32::from(left)));
        if game.outcome(&child).is_none() {
            open.extend(game.moves(&child).map(|mv| game.play(&child, mv)));
        }
    }
    let mut entries: Vec<_> = entries.into_iter().collect();
    entries.retain(|(_, (state, ..))| {
        Some((Written::default().format)(&game, state).as_str()) != left_out
    });
    if spare {
        let state = (Written::default().parse)(&game, "0-0-1 second").unwrap();
        entries.push((proof_key(game.pack(&state), 0), (state, 0, 0)));
    }
    entries.sort_unstable_by_key(|(key, _)| *key);
    let print = fingerprint_listed(&game);
    let mut building = Building::open(file, &name, print, Values::ScoreDistance).unwrap();
    let claims = vec![Claim { first: true, at_least: 1 }];
    building.claims(ProofContents { position: None, moves: Vec::new(), claims });
    let bound = |left| Some(Worth::new(Value(1), Distance::Plies(left)));
    let bounds: Vec<_> = entries.iter().map(|(_, (.., left))| bound(*left)).collect();
    keep(&mut building, 0, &bounds);
    let mv = |mv| Some(Worth::new(Value(mv), Distance::Plies(0)));
    let moves: Vec<_> = entries.iter().map(|(_, (_, at, _))| mv(*at)).collect();
    keep(&mut building, 1, &moves);
    building.keep_keys(entries.iter().map(|(key, _)| *key)).unwrap();
    building.finish(2).unwrap();
    entries.len() as u64
}

#[test]
fn a_right_table_is_right_and_a_wrong_one_names_the_position() {
    let folder = Folder::new("table");
    let file = folder.file("right");
    let positions = table(&file, None);
    let checked = run(&[], &file);
    let words =
        format!("nim(heaps=1-2-4,misere=false): {positions} positions checked, all right\n");
    assert_eq!((checked.status.code(), text(&checked.stdout)), (Some(0), words));
    let report = json(&run(&["--json", "--threads", "2"], &file));
    assert_eq!((&report["right"], &report["positions"]), (&true.into(), &positions.into()));
    let file = folder.file("wrong");
    table(&file, Some("1-0-2 second"));
    let checked = run(&[], &file);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stderr);
    assert!(said.contains("wrong entry for `1-0-2 second`"), "{said}");
    assert!(said.contains("the table says 0 without end, the rules say +1 in 3 plies"), "{said}");
    assert_eq!(json(&run(&["--json"], &file))["position"], "1-0-2 second");
}

#[test]
fn a_right_proof_is_right_and_a_wrong_one_names_the_position() {
    let folder = Folder::new("proof");
    let file = folder.file("right");
    let entries = proof(&file, None, false);
    let checked = run(&[], &file);
    let said = text(&checked.stdout);
    assert_eq!(checked.status.code(), Some(0), "{} {said}", text(&checked.stderr));
    assert!(said.contains("proven that from the start the first player wins"), "{said}");
    assert_eq!(json(&run(&["--json"], &file))["entries"], entries);
    let file = folder.file("fewer");
    assert_eq!(proof(&file, Some("0-0-1 first"), false), entries - 1);
    let checked = run(&[], &file);
    assert_eq!(checked.status.code(), Some(1));
    let said = text(&checked.stderr);
    assert!(said.contains("not proven"), "{said}");
    assert!(said.contains("at `0-0-1 first`, the proof has no move here"), "{said}");
    assert_eq!(json(&run(&["--json"], &file))["position"], "0-0-1 first");
    let file = folder.file("more");
    assert_eq!(proof(&file, None, true), entries + 1);
    let said = text(&run(&[], &file).stderr);
    assert!(said.contains("at `0-0-1 second`, the proof does not need its entry"), "{said}");
}

#[test]
fn requests_are_checked_and_a_closed_pipe_is_no_harm() {
    let folder = Folder::new("requests");
    let file = folder.file("table");
    table(&file, None);
    let code = |args: &[&str], file: &Path| run(args, file).status.code();
    assert_eq!(code(&["--help"], &file), Some(0));
    assert_eq!(code(&["--memory", "1G", "--threads=2"], &file), Some(0));
    for wrong in [
        &["--threads", "0"][..],
        &["--threads", "x"],
        &["--memory", "much"],
        &["--colour"],
        &["another"],
    ] {
        assert_eq!(code(wrong, &file), Some(2), "{wrong:?}");
    }
    let none = Command::new(env!("CARGO_BIN_EXE_foregone-check")).output().unwrap();
    assert_eq!(none.status.code(), Some(2));
    assert_eq!(code(&[], &folder.file("missing")), Some(2));
    assert_eq!(code(&[], &folder.0), Some(2));
    assert!(json(&run(&["--json"], &folder.file("missing")))["right"].is_null());
    std::fs::write(folder.file("other"), "FOREGONE, or so it says").unwrap();
    assert_eq!(code(&[], &folder.file("other")), Some(1));
    let mut unread = Command::new(env!("CARGO_BIN_EXE_foregone-check"))
        .arg(&file)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(unread.stdout.take());
    let ended = unread.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), text(&ended.stderr)), (Some(0), String::new()));
}

/// Keys stand in files: whichever comes in, a game gives a position or none.
#[test]
fn any_key_may_come_in() {
    struct Keys(&'static str);

    impl ForProofs for Keys {
        type Output = usize;

        fn with<F: Family + Packed + Symmetry>(self, notation: Option<Written<F>>) -> usize {
            let game = F::create(&Args::new(&F::ABOUT, []).unwrap()).unwrap();
            let mut dice = Dice::new(7);
            let mut word = || dice.below(usize::MAX) as u128;
            let samples = positions(&game, 300, 3);
            let near = samples.into_iter().flat_map(|sample| {
                let key = game.pack(&Merged::of(&game, &sample.state).state);
                (0..game.bits().min(127)).map(move |bit| key ^ 1 << bit)
            });
            let mut keys: Vec<u128> = near.collect();
            keys.extend((0..5_000).map(|_| word() << 64 | word()));
            let bits = game.bits();
            keys.extend((0..5_000).map(|_| (word() << 64 | word()) >> (128 - bits)));
            let states: Vec<_> = keys.iter().filter_map(|key| state_of(&game, *key)).collect();
            // What is said of them is somebody's text, and no panic.
            states
                .iter()
                .for_each(|state| assert!(!Written::text(notation, &game, state).is_empty()));
            assert!(!states.is_empty(), "{}", self.0);
            states.len()
        }
    }

    for name in [
        "mnk",
        "connect-four",
        "fox-and-hounds",
        "kalah",
        "nim",
        "quantum-tic-tac-toe",
        "nine-mens-morris",
        "three-mens-morris",
    ] {
        assert!(provable(name, Keys(name)).is_some(), "{name}");
    }
}
