//! The verified checker (`verified/`) against the plain interpreter of rules: the same positions of all texts that come
//! with Foregone, and of random ones; and it accepts their proofs and tables, and no forged tapes. The variables `FOREGONE` and
//! `VERIFIED` name the two programs; `TEXTS` and `FROM` are as in `random_texts.rs`.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use foregone::text::{Interpreted, Loaded, SHIPPED, Text};
use foregone::{Game, Side};
use foregone_rules::sample::Dice;
use foregone_trial::{Folder, texts};

/// So many positions of each game are compared.
const MAX: usize = 400;

fn program(variable: &str) -> PathBuf {
    PathBuf::from(std::env::var_os(variable).unwrap_or_else(|| panic!("{variable} is not set")))
}

/// The first positions by their distance from the start, as `foregone-verified --walk` prints them; `None` if one has
/// very many moves, which the interpreter lists again for each that it plays.
fn walk<G: Game>(game: &G) -> Option<String> {
    let (mut walk, mut count) = (String::new(), 1);
    let mut open = VecDeque::from([game.start()]);
    while let Some(state) = open.pop_front() {
        let outcome = game.outcome(&state);
        let turn = u8::from(game.turn(&state) == Side::Second);
        let moves = if outcome.is_some() { 0 } else { game.moves(&state).count() };
        if moves > MAX {
            return None;
        }
        let outcome = outcome.map_or("-".into(), |outcome| outcome.0.to_string());
        writeln!(walk, "{outcome} {turn} {moves}").ok()?;
        if moves > 0 && count < MAX {
            let next = game.successors(&state).map(|(_, next)| next).take(MAX - count);
            let before = open.len();
            open.extend(next);
            count += open.len() - before;
        }
    }
    Some(walk)
}

fn run(program: &Path, args: &[&std::ffi::OsStr], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may end without reading all.
    let mut pipe = child.stdin.take().unwrap();
    let input = input.to_vec();
    let writer = std::thread::spawn(move || drop(pipe.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[derive(Debug, Default)]
struct Counts {
    games: usize,
    proofs: usize,
    tables: usize,
    forged: usize,
    refused: usize,
}

/// Holds a text against both programs.
fn hold(text: &str, folder: &Folder, seed: u64, counts: &mut Counts) {
    let Ok(loaded) = Text::parse(text).and_then(|text| text.load(&[])) else { return };
    let walk = match &loaded {
        Loaded::Small(game) => walk(&Interpreted::new(game.clone())),
        Loaded::Large(game) => walk(&Interpreted::new(game.clone())),
        Loaded::Wide(game) => walk(&Interpreted::new(game.clone())),
    };
    let (Some(walk), Ok(tree)) = (walk, loaded.tree(None)) else { return };
    let [rules, proof, tree_file] =
        ["some.rules", "some.proof", "some.tree"].map(|name| folder.file(name));
    std::fs::write(&tree_file, &tree).unwrap();
    let verified = program("VERIFIED");
    let most = MAX.to_string();
    let found = run(&verified, &["--walk".as_ref(), most.as_ref(), tree_file.as_ref()], b"");
    if tree.contains("Prefer(") {
        // A word to which `Tree.v` gives no meaning: it is refused.
        assert!(found.status.code() == Some(1) && found.stdout.is_empty(), "{found:?}\n{text}");
        return;
    }
    assert_eq!(String::from_utf8_lossy(&found.stdout), walk, "{seed}\n{text}\n{found:?}");
    counts.games += 1;
    if seed == 0 {
        return;
    }

    std::fs::write(&rules, text).unwrap();
    let foregone = program("FOREGONE");
    // The tape of what the program makes of the rules.
    let tape_of = |command: &[&str]| {
        let args: Vec<_> = command.iter().map(AsRef::as_ref).collect();
        let made = run(&foregone, &[&args[..], &[proof.as_ref(), rules.as_ref()]].concat(), b"");
        let args = ["explain", "--format", "tape"].map(AsRef::as_ref);
        let tape = made.status.success().then(|| {
            let tape = run(&foregone, &[&args[..], &[proof.as_ref()]].concat(), b"");
            tape.status.success().then_some(tape.stdout)
        });
        tape.flatten()
    };
    let accepts = |tape: &[u8]| {
        let said = run(&verified, &["-".as_ref()], tape);
        let ended = said.status.code();
        assert!(ended == Some(0) || ended == Some(1), "{seed}: {said:?}\n{text}");
        ended == Some(0)
    };
    let mut dice = Dice::new(seed);

    let table = tape_of(&["table", "build", "--force", "--memory", "16M", "-o"]);
    if let Some(table) = table.filter(|table| table.len() < 1 << 20) {
        assert!(accepts(&table), "{seed}: a table is refused\n{text}");
        counts.tables += 1;
        // Nothing but the truth is accepted.
        let lines = table.split(|byte| *byte == b'\n').take(3).map(|line| line.len() + 1);
        let begin = lines.sum::<usize>();
        for _ in 0..4 {
            let mut forged = table.clone();
            if begin < forged.len() {
                let at = begin + dice.below(forged.len() - begin);
                forged[at] ^= 1 << dice.below(8);
                assert!(!accepts(&forged), "{seed}: byte {at} of a table is changed\n{text}");
                counts.forged += 1;
            }
        }
    }

    let Some(tape) = tape_of(&["prove", "--force", "--time", "1s", "-o"]) else { return };
    assert!(accepts(&tape), "{seed}: a proof is refused\n{text}");
    counts.proofs += 1;

    // A tape with another byte: what is accepted still claims what the proof claims, or less.
    let claim = |tape: &[u8]| {
        let lines: Vec<_> = tape.split(|byte| *byte == b'\n').take(3).map(<[u8]>::to_vec).collect();
        lines
    };
    for _ in 0..4 {
        let mut forged = tape.clone();
        let at = dice.below(forged.len());
        forged[at] = u8::try_from(dice.below(256)).unwrap();
        counts.forged += 1;
        if claim(&forged) == claim(&tape) {
            // Only entries differ.
            counts.refused += usize::from(!accepts(&forged));
        } else {
            let _ = accepts(&forged);
        }
    }
    for raise in [1, 2, 1000] {
        let text = String::from_utf8_lossy(&claim(&tape)[2]).into_owned();
        let mut words: Vec<_> = text.split(' ').map(str::to_owned).collect();
        words[2] = (words[2].parse::<i64>().unwrap() + raise).to_string();
        let forged = replaced(&tape, text.as_bytes(), words.join(" ").as_bytes());
        counts.forged += 1;
        counts.refused += 1;
        assert!(!accepts(&forged), "{seed}: a claim raised by {raise}\n{text}");
    }
}

/// Sowing from two cells is no move.
const SOWS_FROM_TWO: &str = "game Sowing
board ring 4
count seeds in 0..8
stuck loses
start
  seeds(cell(1)) = 1
  seeds(cell(2)) = 1
move
  choose n in 0..1
  let from = cell(1)
  if n == 1
    from = cell(1) | cell(2)
  let last = sow(from)
  if n == 1: win
  lose
";

/// The smallest number by -1 is 0.
const SMALLEST: &str = "game Smallest
board 2 2
piece mark X O
number big = 1 in 0..1
stuck draws
move
  choose at in empty
  put mark on at
  let b = big
  repeat 63
    b = b + b
  if b / (0 - big) < 0: win
  lose
";

/// Rules that do not say how play ends where somebody is stuck.
const NEVER_STUCK: &str = "game Dead end
board 2 1
piece mark X O
stuck never
move
  choose at in empty
  put mark on at
";

/// The bytes with the first of some bytes replaced.
fn replaced(all: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let at = all.windows(from.len()).position(|window| window == from).unwrap();
    [&all[..at], to, &all[at + from.len()..]].concat()
}

#[test]
#[ignore = "needs what verified/build makes"]
fn the_verified_checker_agrees_with_the_interpreter() {
    let number = |name: &str, usual: u64| {
        std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
    };
    let (wanted, from) = (number("TEXTS", 200), number("FROM", 1));
    let (folder, mut counts) = (Folder::new(), Counts::default());
    for shipped in SHIPPED {
        hold(shipped.source, &folder, 0, &mut counts);
    }
    assert_eq!(counts.games, SHIPPED.len());
    for text in [SOWS_FROM_TWO, SMALLEST] {
        hold(text, &folder, from, &mut counts);
    }
    let stuck = Text::parse(NEVER_STUCK).unwrap().load(&[]).unwrap().tree(None).unwrap();
    let tape = format!(
        "tape 1\nrules {stuck}\nclaim second 1 moves [0] longest 1 most 1 entries 1 bytes 2\n\0\0"
    );
    let said = run(&program("VERIFIED"), &["-".as_ref()], tape.as_bytes());
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    for seed in from..from + wanted {
        hold(&texts::text(seed), &folder, seed, &mut counts);
    }
    println!("{counts:?}");
    let part = usize::try_from(wanted).unwrap() / 10;
    assert!(
        counts.games > 4 * part
            && counts.proofs > 2 * part
            && counts.tables > part
            && counts.refused > 6 * part,
        "{counts:?}"
    );
}
