//! Texts that were made to take all memory or time: the command refuses them with a line, or plays them, under a limit of
//! address space.
#![cfg(unix)]

use std::process::{Command, Output};

use foregone_trial::Folder;

/// Address space in KiB: the program takes some 60 MB of it before it does anything.
const SPACE: u32 = 192 << 10;

/// Seconds of the processor for a run. (A debug build runs all tests of this file in 12.)
const SECONDS: u32 = 30;

/// The command on a file of rules.
fn run(args: &str, rules: &str) -> Output {
    let folder = Folder::new();
    let file = folder.file("hostile.rules");
    std::fs::write(&file, rules).unwrap();
    let line = format!("ulimit -v {SPACE} -t {SECONDS}; exec \"$0\" {args}");
    let mut command = Command::new("sh");
    command.args(["-c", &line, env!("CARGO_BIN_EXE_foregone")]).arg(&file);
    command.output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The text is refused with these words.
fn is_refused(rules: &str, words: &str) {
    let done = run("rules check \"$1\"", rules);
    let error = text(&done.stderr);
    assert!(done.status.code() == Some(2) && error.contains(words), "{:?} {error}", done.status);
    assert!(error.len() < 10_000, "{} bytes", error.len());
}

/// The text is a game, whose first position is solved or not within the time.
fn is_played(rules: &str) {
    let done = run("rules check \"$1\"", rules);
    assert!(done.status.success(), "{}", text(&done.stderr));
    let done = run("solve \"$1\" --time 200ms --memory 16M --json", rules);
    assert!(done.status.code().is_some_and(|code| code <= 3), "{}", text(&done.stderr));
}

const TOP: &str = "game P\nboard 5 5 5\npiece man X O\nstuck loses\n";

/// Lines that begin with this text, one below the other.
fn nested(lines: impl Iterator<Item = String>, last: &str) -> String {
    let mut all = String::new();
    let mut indent = 2;
    for line in lines {
        all += &format!("{}{line}\n", " ".repeat(indent));
        indent += 2;
    }
    all + &format!("{}{last}\n", " ".repeat(indent))
}

#[test]
fn copies_for_directions_are_counted_before_they_are_made() {
    is_refused(
        include_str!("../../text/tests/hostile/dirs.rules"),
        "these directions make 2,176,782,336 copies of a line; at most 1,024",
    );
    for (depth, body) in [(3, 400), (4, 50)] {
        // Fewer copies, of more lines.
        let loops = (0..depth).map(|at| format!("for d{at} in ways n s e w up down"));
        let text = format!("{TOP}move\n  choose at in empty\n{}", nested(loops, "put man on at"));
        let line = text.lines().last().unwrap().to_owned() + "\n";
        let text = text + &line.repeat(body);
        let done = run("rules check \"$1\"", &text);
        assert_eq!(done.status.code(), Some(2), "{depth} {body}: {}", text_of(&done));
    }
    let within_if = nested(
        (0..20).map(|at| {
            if at % 2 == 0 {
                format!("if d{at} == 1 or mine")
            } else {
                format!("for d{at} in ways n s e w")
            }
        }),
        "clear all",
    );
    is_refused(
        &format!("{TOP}move\n  choose at in empty\n  put man on at\n{within_if}"),
        "copies of a line",
    );
}

fn text_of(done: &Output) -> String {
    text(&done.stderr)
}

#[test]
fn zones_of_zones_are_read_once() {
    is_played(include_str!("../../text/tests/hostile/zones.rules"));
    // What depends on the position is written out at each place.
    let zones = |of: &str, last: usize| {
        let mut all = format!("zone z0 = {of}\n");
        for at in 1..=last {
            all += &format!("zone z{at} = n(z{0}) | s(z{0})\n", at - 1);
        }
        format!(
            "game P\nboard 8 8\n{all}piece man X O\nstuck loses\nmove\n  choose at in empty\n  put man on at\nend\n  if z{last} & mine: win\n"
        )
    };
    is_refused(&zones("mine", 39), "becomes too large to be read");
    is_played(&zones("mine", 6));
    // A zone of nothing, again and again: one error.
    is_refused(&zones("nothing", 39), "nothing is called `nothing`");
}

#[test]
fn what_is_derived_has_a_limit() {
    is_played(include_str!("../../text/tests/hostile/heavy.rules"));
    let ifs = |line: &dyn Fn(usize) -> String, board: &str| {
        let lines: String = (2..100).map(|at| line(at) + "\n").collect();
        format!(
            "game P\nboard {board}\npiece man X O\nmark m\nstuck loses\nmove\n  choose at in empty\n{lines}  put man on at\n"
        )
    };
    is_played(&ifs(&|at| format!("  if mine & cell({at}): clear at"), "ring 126"));
    is_played(&ifs(&|at| format!("  if flood(cell({at}), empty) == m: m = m | at"), "10 12"));
    is_played(&ifs(
        &|_| "  if n(mine & e(theirs | w(mine))) & s(mine & w(m)): m = m | at".to_owned(),
        "10 12",
    ));
}

/// Every cell would look along hundreds of lines that pass all others.
#[test]
fn lines_of_a_drawing_have_a_limit() {
    let name = |at: usize| {
        format!("{}{}", char::from(b'a' + (at / 16) as u8), char::from(b'a' + (at % 16) as u8))
    };
    let row = |row: usize| (0..16).map(|at| name(16 * row + at)).collect::<Vec<_>>().join("   ");
    let rows: String = (0..8).map(|at| format!("  {}\n", row(at))).collect();
    let line = |by: usize| (0..128).map(|at| name(at * by % 128)).collect::<Vec<_>>().join(" ");
    let lines: String = (0..60).map(|at| format!("  line {}\n", line(2 * at + 1))).collect();
    let rest = "piece man X O\nstuck loses\nmove\n  choose p in empty\n  require no ray(all - p, empty) & mine\n  put man on p\n";
    is_refused(
        &format!("game Rays\nboard points\n{rows}{lines}{rest}"),
        "straight lines of the board",
    );
    let half = line(1).split(' ').take(80).collect::<Vec<_>>().join(" ");
    is_played(&format!("game Rays\nboard points\n{rows}  line {half}\n{rest}"));
}

#[test]
fn loops_and_ways_have_a_limit() {
    // Nested loops of which each makes the sizes of names grow.
    let loops =
        nested((0..20).map(|at| format!("repeat {}", 1 + at % 2)), "x = n(x) | s(x) | e(x)");
    let text = format!("{TOP}move\n  choose at in empty\n  let x = at\n{loops}  put man on x\n");
    let done = run("rules check \"$1\"", &text);
    assert!(done.status.code().is_some_and(|code| code == 0 || code == 2), "{}", text_of(&done));
    let either: String = (0..300)
        .map(|at| {
            format!(
                "  {} w{at}\n    choose c{at} in {}\n    put man on c{at}\n",
                if at == 0 { "either" } else { "or" },
                "mine | ".repeat(20) + "empty"
            )
        })
        .collect();
    is_refused(&format!("{TOP}move\n{either}"), "more than 64 words");
    let unnamed: String = (0..300)
        .map(|at| {
            format!(
                "  {}\n    choose c{at} in {}\n    put man on c{at}\n",
                if at == 0 { "either" } else { "or" },
                "mine | ".repeat(20) + "empty"
            )
        })
        .collect();
    is_refused(&format!("{TOP}move\n{unnamed}"), "same choices");
}

/// A list of all moves of a position would take a gigabyte.
#[test]
fn moves_of_a_position_have_a_limit() {
    let choices = "choose b in all\n    choose c in all\n    put man on a | b | c\n";
    let top = "game Crowd\nboard 10 10\npiece man X\nnumber n = 0 in 0..1\nstuck draws\nmove\n  choose a in all\n";
    let at_once = format!("{top}  if n < 2\n    {choices}  n = 1\n");
    let crowded = "a position has more than 65,535 moves";
    is_refused(&at_once, crowded);
    let later = format!("{top}  if n == 1\n    {choices}  n = 1\n");
    for line in [
        "rules check \"$1\"",
        "solve \"$1\" --memory 16M",
        "solve \"$1\" --method strong --memory 16M",
        "prove \"$1\" -o \"$1.proof\" --memory 16M",
        "table build \"$1\" -o \"$1.fgt\" --memory 16M",
    ] {
        let done = run(line, &later);
        let error = text_of(&done);
        assert!(!done.status.success() && error.contains(crowded), "{line} {error}");
    }
    // Smaller boards have fewer moves.
    is_played(&later.replace("10 10", "6 6"));
}

#[test]
fn very_many_mistakes_are_few_lines() {
    let names: String = (0..4_000).map(|at| format!("mark m{at}\n")).collect();
    is_refused(
        &format!("{TOP}{names}move\n  choose at in empty\n  put man on at\n"),
        "more than 12 kinds",
    );
    let wrong: String = (0..950)
        .map(|at| format!("  let abcdefgh{at} = mine\n  let z{at} = abcdefgi{at}\n"))
        .collect();
    is_refused(
        &format!("{TOP}move\n  choose at in empty\n{wrong}  put man on at\n"),
        "nothing is called",
    );
    let long = "mine | ".repeat(9_000) + "mine";
    is_refused(&format!("{TOP}move\n  choose at in {long}\n  put man on at\n"), "too long");
}

#[test]
fn looks_at_many_kinds_are_counted() {
    is_played(include_str!("../../text/tests/hostile/kinds.rules"));
}

/// A position is compared with its images only where its moves are few.
#[test]
fn positions_with_many_moves_are_searched_within_the_time() {
    let rules = include_str!("../../text/tests/hostile/long.rules");
    let done = run("solve \"$1\" --method search --depth 4 --time 500ms --json", rules);
    assert!(text(&done.stderr).contains("the time limit was reached"), "{}", text(&done.stderr));
    let moves = "p1-p1-3,".repeat(1000);
    let done = run(&format!("show \"$1\" --moves {moves}"), rules);
    assert!(text(&done.stderr).contains("takes too long"), "{}", text(&done.stderr));
}
