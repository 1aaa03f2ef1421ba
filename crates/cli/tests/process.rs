//! What only shows in a running process: standard input, signals, a pipe that is closed early.

use std::io::Write;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
#[cfg(unix)]
use std::time::{Duration, Instant};

use foregone_trial::Folder;

fn foregone(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_foregone"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs a command with something typed into it.
fn typed(args: &[&str], input: &[u8]) -> (Output, String) {
    let mut child = foregone(args);
    // A command that has ended does not read on.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    (output, text)
}

#[test]
fn a_game_is_played_over_a_pipe() {
    let play = ["play", "tic-tac-toe", "--second", "human"];
    let (output, text) = typed(&play, b"5\n1\n3\n7\n4\n6\n2\n8\n9\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.ends_with("Draw\nwhat each move was worth: foregone review tic-tac-toe --moves 5,1,3,7,4,6,2,8,9\n"), "{text}");
    assert!(!text.contains('\u{1b}'), "no colours on a pipe");
    assert!(output.stderr.is_empty());
}

#[test]
fn the_computer_answers_and_undo_takes_both_moves_back() {
    let play = ["play", "tic-tac-toe", "--second", "first", "--seed", "1"];
    let (output, text) = typed(&play, b"5\nundo\n1\nundo\nundo\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("O plays 1\n") && text.contains("O plays 2\n"), "{text}");
    assert!(text.contains("there is no move to undo"), "{text}");
}

#[test]
fn hints_moves_help_and_nonsense_are_answered() {
    let (output, text) = typed(
        &["play", "tic-tac-toe", "--moves", "1,2", "--second", "first"],
        b"hint\nmoves\nhelp\nfoo\n\n99\n",
    );
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("*     5     win "), "{text}");
    assert!(text.contains("  3 4 5 6 7 8 9\n"), "{text}");
    assert!(text.contains("type a move, or: hint"), "{text}");
    assert!(text.contains("found `foo`, expected a legal move after 2: 3, 4, 5"), "{text}");
}

#[test]
fn moves_are_typed_as_people_write_them() {
    let people = ["play", "tic-tac-toe", "--second", "human"];
    let (_, text) = typed(&people, b"1. 5 1\n2. 3\n7 4\nquit\n");
    assert!(text.contains("--moves 5,1,3,7,4"), "{text}");
    let (_, text) =
        typed(&["play", "tic-tac-toe", "--second", "first"], b"1. 5\n2 3\n2. 9\nquit\n");
    assert!(text.contains("expected one move: the computer makes its own"), "{text}");
    assert!(text.contains("--moves 5,1,9,2"), "{text}");
}

#[test]
fn odd_bytes_and_endless_lines_do_no_harm() {
    let mut input = vec![0xff; 300_000];
    input.extend(b"1:1\n\0\n\xc3\x28\nquit\n");
    let (output, text) = typed(&["play", "nim", "--second", "random"], &input);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text.matches("expected a legal move").count(), 3, "one for each line");
}

#[test]
fn where_no_perfect_move_is_found_in_time_play_goes_on() {
    let play = [
        "play",
        "connect-four(columns=8)",
        "--first",
        "perfect",
        "--think",
        "1",
        "--second",
        "human",
    ];
    let (output, text) = typed(&play, b"quit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("X finds no proven move (the time limit was reached while"), "{text}");
    assert!(text.contains("X plays "), "{text}");
}

#[test]
fn a_hint_that_cannot_be_proven_in_time_is_an_opinion() {
    let play = ["play", "connect-four(columns=8)", "--second", "random", "--think", "1"];
    let (output, text) = typed(&play, b"hint\nquit\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("no proven values: the time limit was reached while"), "{text}");
    assert!(text.contains("Estimates from looking "), "{text}");
    assert_eq!(text.matches(" %").count(), 8, "a chance for every move: {text}");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let mut child = foregone(&["tree", "tic-tac-toe", "--json"]);
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_search_that_runs_out_of_time_tells_what_is_proven() {
    let solve = ["solve", "connect-four(score=stones)", "--method", "search", "--time", "200ms"];
    let (output, text) = typed(&solve, b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("Not proven: value between -18 and +18 stones for X."), "{text}");
    assert!(
        String::from_utf8_lossy(&output.stderr)
            .contains("the time limit was reached while searching")
    );
    let (_, text) = typed(&[&solve[..], &["--json"]].concat(), b"");
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(report["proven"], false);
    assert_eq!(report["value"], serde_json::Value::Null);
    assert_eq!(report["bounds"], serde_json::json!([-18, 18]));
}

#[test]
fn where_nothing_is_proven_in_time_there_are_estimates() {
    let solve = ["solve", "nine-mens-morris", "--time", "2s"];
    let (output, text) = typed(&solve, b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(text.contains("Not proven: by random games, X has a chance of "), "{text}");
    assert!(text.contains("from random games:\n  best  move  result  chance"), "{text}");
    assert_eq!(text.matches(" %\n").count(), 24, "{text}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(error.contains("the time limit was reached while finding positions"), "{error}");
    let (output, text) = typed(&[&solve[..], &["--json"]].concat(), b"");
    assert_eq!(output.status.code(), Some(1));
    let report: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&report["proven"], &report["result"]), (&false.into(), &serde_json::Value::Null));
    assert!(report["lookahead"].as_u64().is_some_and(|plies| plies > 0), "{text}");
    let moves = report["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 24);
    assert!(moves.iter().all(|each| each["value"] == 0 && each["result"].is_null()), "{text}");
    let chances = moves.iter().map(|each| each["chance"].as_f64().unwrap());
    assert!(chances.into_iter().all(|chance| (0.0..=1.0).contains(&chance)), "{text}");
}

/// Waits until a process catches a signal, where the system tells that.
#[cfg(unix)]
fn until_caught(child: &Child, signal: &str) {
    let bit = match signal {
        "INT" => 1 << (2 - 1),
        _ => 1 << (15 - 1),
    };
    let status = format!("/proc/{}/status", child.id());
    let caught = || {
        let text = std::fs::read_to_string(&status).ok()?;
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    };
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(60) {
        match caught() {
            Some(mask) if mask & bit != 0 => return,
            Some(_) => std::thread::sleep(Duration::from_millis(5)),
            // No such file: long enough on any machine.
            None => return std::thread::sleep(Duration::from_secs(2)),
        }
    }
    panic!("{signal} is not caught");
}

#[cfg(unix)]
#[test]
fn ctrl_c_or_a_polite_kill_ends_long_work_and_tells_what_is_known() {
    let phases = [("strong", "finding positions"), ("search", "searching")];
    let signals = ["INT", "TERM"];
    let all = phases.iter().flat_map(|phase| signals.map(|signal| (*phase, signal)));
    for ((method, phase), name) in all {
        let child = foregone(&["solve", "connect-four", "--method", method, "--json"]);
        until_caught(&child, name);
        foregone_trial::signal(&child, name);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{method} {name}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("\"proven\": false") && text.trim_end().ends_with('}'), "{text}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(&format!("stopped while {phase}, after ")), "{error}");
    }
}

/// Stopped and begun again until it is done; the answer is that of one run.
#[cfg(unix)]
#[test]
fn a_search_with_a_checkpoint_goes_on() {
    let folder = Folder::new();
    let file = folder.file("kept").to_str().unwrap().to_owned();
    let game = "kalah(pits=4,stones=4)";
    let solve = ["solve", game, "--method", "search", "--value-only", "--endgame", "0", "--json"];
    let report =
        |output: &Output| -> serde_json::Value { serde_json::from_slice(&output.stdout).unwrap() };
    let (output, _) = typed(&solve, b"");
    let whole = report(&output);
    let kept = [&solve[..], &["--checkpoint", &file]].concat();
    let positions = |report: &serde_json::Value| report["nodes"].as_u64().unwrap();
    let mut before = 0;
    for stopped in 0..30 {
        let child = foregone(&kept);
        std::thread::sleep(Duration::from_millis(300));
        foregone_trial::signal(&child, "INT");
        let output = child.wait_with_output().unwrap();
        let report = report(&output);
        assert!(positions(&report) >= before, "{stopped}: {report}");
        before = positions(&report);
        if output.status.success() {
            assert_eq!(report["value"], whole["value"]);
            break;
        }
    }
    // On the slowest machine the last one is not stopped.
    let (output, _) = typed(&kept, b"");
    assert!(output.status.success());
    assert_eq!(report(&output)["value"], whole["value"]);
    let mut other = kept.clone();
    other[1] = "kalah(pits=4,stones=3)";
    let (output, _) = typed(&other, b"");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(
        error.contains("cannot be used: it is for another job, `kalah(pits=4,stones=4,"),
        "{error}"
    );
}

/// The pictures in the documentation are what the commands beside them write.
#[test]
fn the_pictures_of_positions_are_up_to_date() {
    for (file, show) in [
        (
            "quantum-tic-tac-toe",
            ["show", "quantum-tic-tac-toe", "--moves", "1-9 1-5 3-5 2-3 3-9", "--format", "svg"],
        ),
        ("kalah", ["show", "kalah", "--moves", "3,1", "--format", "svg"]),
    ] {
        let path = format!("{}/../../docs/pictures/{file}.svg", env!("CARGO_MANIFEST_DIR"));
        let (_, picture) = typed(&show, b"");
        assert_eq!(std::fs::read_to_string(path).unwrap(), picture, "{file}");
        assert!(picture.starts_with("<svg xmlns") && picture.ends_with("</svg>\n"));
    }
}

#[test]
fn the_manual_has_a_page_for_each_verb() {
    let folder = Folder::new();
    let pages = folder.file("man");
    let (done, _) = typed(&["man", "-o", pages.to_str().unwrap()], b"");
    assert!(done.status.success());
    for page in ["foregone.1", "foregone-solve.1", "foregone-table-build.1"] {
        let text = std::fs::read_to_string(pages.join(page)).unwrap();
        assert!(text.contains(".SH OPTIONS"), "{page}: {text}");
    }
}

/// Killed at any moment, the same command goes on, and the table comes out the same.
#[test]
fn a_table_survives_being_killed() {
    let folder = std::env::temp_dir().join(format!("foregone-killed-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let build = |name: &str| foregone(&["table", "build", "fox-and-hounds", "-o", &file(name)]);
    assert!(build("whole").wait().unwrap().success());
    let finished = || {
        let files = std::fs::read_dir(folder.join("parts.part")).into_iter().flatten();
        let layer = |name: &str| name.ends_with(".json") && name != "table.json";
        files.filter(|file| layer(file.as_ref().unwrap().file_name().to_str().unwrap())).count()
    };
    let mut killed = 0;
    loop {
        let before = finished();
        let mut child = build("parts");
        // As soon as some more layers are finished, whatever it is at then.
        let over = loop {
            if let Some(status) = child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                break true;
            }
            if finished() > before + killed % 3 {
                break false;
            }
        };
        if over {
            break;
        }
        // SIGKILL: nothing can be tidied up.
        child.kill().unwrap();
        child.wait().unwrap();
        killed += 1;
        // It may have been done just then.
        if std::path::Path::new(&file("parts")).exists() {
            break;
        }
    }
    // Mostly a dozen times; on a machine with much else to do, the build may get further before it is seen.
    assert!(killed > 0);
    let [whole, parts] = ["whole", "parts"].map(|name| std::fs::read(file(name)).unwrap());
    assert!(whole == parts, "the same bytes");
    let (output, text) = typed(&["table", "verify", &file("parts"), "--threads", "2"], b"");
    assert_eq!(output.status.code(), Some(0));
    // The first page of the checker shows this verdict.
    let (_, verdict) = text.trim_end().split_once(": ").unwrap();
    assert!(verdict.starts_with("2,013,760 positions checked, all right ("), "{text}");
    assert!(include_str!("../../check/README.md").contains(verdict), "{text}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A disk that is full: a file may not grow beyond a limit. What is finished is kept, and the same
/// command goes on where there is room.
#[cfg(unix)]
#[test]
fn a_full_disk_is_told_of_and_loses_nothing() {
    let folder = std::env::temp_dir().join(format!("foregone-full-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$@\"";
    let full = Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_foregone")])
        .args(["table", "build", "fox-and-hounds", "-o", &file("parts")])
        .output()
        .unwrap();
    let text = String::from_utf8(full.stderr).unwrap();
    assert_eq!(full.status.code(), Some(1), "{text}");
    assert!(text.contains("not finished; run the same command again to continue"), "{text}");
    assert!(text.contains("too large"), "{text}");
    let parts = folder.join("parts.part");
    let names = std::fs::read_dir(&parts).unwrap().map(|file| file.unwrap().file_name());
    let names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    assert!(names.iter().any(|name| name == "5.json"), "what is finished is kept: {names:?}");
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "the rest takes no room: {names:?}");
    assert!(!folder.join("parts").exists(), "nothing half-written is taken for whole");
    for name in ["parts", "whole"] {
        let build = foregone(&["table", "build", "fox-and-hounds", "-o", &file(name)]);
        assert!(build.wait_with_output().unwrap().status.success());
    }
    let [whole, parts] = ["whole", "parts"].map(|name| std::fs::read(file(name)).unwrap());
    assert!(whole == parts, "the same bytes");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Whatever the other side does, the proof answers, to the end.
#[test]
fn a_proof_is_walked_through() {
    let file = std::env::temp_dir().join(format!("foregone-walk-{}.proof", std::process::id()));
    let path = file.to_str().unwrap();
    let made = foregone(&["prove", "fox-and-hounds(size=4)", "-o", path, "--force"]);
    assert!(made.wait_with_output().unwrap().status.success());
    let walk = ["explain", path];
    let (output, text) = typed(&walk, b"d4-c3\nc3-b4\nundo\nnonsense\nc3-b4\nb4-a3\na3-b4\n");
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("the second player wins (the hounds); you move for the fox"), "{text}");
    assert!(text.contains("found `nonsense`"), "{text}");
    assert!(text.trim_end().ends_with("Hounds win"), "{text}");
    // Where the proof's side moves first there is nothing of yours to take back yet.
    let hounds_first = "fox-and-hounds(size=4,first=hounds)";
    let made = foregone(&["prove", hounds_first, "-o", path, "--force"]);
    assert!(made.wait_with_output().unwrap().status.success());
    let (_, text) = typed(&["explain", path], b"undo\nquit\n");
    assert!(text.contains("there is no move to undo"), "{text}");
    std::fs::remove_file(&file).unwrap();
}

/// Killed when the table is whole and only tidying up is left, the same command does that.
#[test]
fn what_is_left_of_a_whole_table_is_tidied_up() {
    let folder = std::env::temp_dir().join(format!("foregone-tidy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("table");
    let path = file.to_str().unwrap();
    let build = |more: &[&str]| {
        let made = foregone(&[&["table", "build", "nim", "-o", path], more].concat());
        made.wait_with_output().unwrap().status.code()
    };
    assert_eq!(build(&[]), Some(0));
    let whole = std::fs::read(&file).unwrap();
    let contents = foregone::record::Table::open(&file).unwrap().manifest().clone();
    let part = folder.join("table.part");
    let leave = || {
        std::fs::create_dir_all(&part).unwrap();
        std::fs::write(part.join("finished"), serde_json::to_vec(&contents).unwrap()).unwrap();
        std::fs::write(part.join("3.blocks"), "a layer").unwrap();
    };
    leave();
    assert_eq!((build(&[]), part.exists()), (Some(0), false));
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    // Of another request it is no end.
    leave();
    assert_eq!((build(&["--layers", "2"]), part.exists()), (Some(2), false));
    assert_eq!(build(&[]), Some(2), "nothing was unfinished");
    assert_eq!(std::fs::read(&file).unwrap(), whole);
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Whoever leaves a game by Ctrl-C can go on with it.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_told() {
    let mut play = foregone(&["play", "tic-tac-toe", "--second", "human"]);
    // It stays open, as a terminal does.
    let mut input = play.stdin.take().unwrap();
    input.write_all(b"5\n1\n").unwrap();
    let mut shown = String::new();
    let mut out = BufReader::new(play.stdout.take().unwrap());
    while shown.matches("to move").count() < 3 {
        assert!(out.read_line(&mut shown).unwrap() > 0, "{shown}");
    }
    foregone_trial::signal(&play, "INT");
    let ended = play.wait_with_output().unwrap();
    drop(input);
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(told.contains("foregone review tic-tac-toe --moves 5,1"), "{told}");
}

/// A program is graded against four opponents, and its first mistake is one, by the truth.
#[cfg(unix)]
#[test]
fn a_program_is_graded_and_its_first_mistake_named() {
    let folder = Folder::new();
    let script = folder.file("first.sh");
    let answer = r#"while read -r line; do rest=${line#*\"legal\":[\"}; echo "${rest%%\"*}"; done"#;
    std::fs::write(&script, answer).unwrap();
    let program = format!("sh {}", script.display());
    let grade = |more: &[&str]| {
        let args = ["grade", "--game", "tic-tac-toe", "--program", &program, "--openings", "4"];
        let output = foregone(&[&args, more].concat()).wait_with_output().unwrap();
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert!(output.status.success(), "{texts:?}");
        texts
    };
    let [text, errors] = grade(&[]);
    assert_eq!(errors, "");
    assert!(text.contains("Where it first lost what it had: against"), "{text}");
    let [json, _] = grade(&["--json"]);
    let report: serde_json::Value = serde_json::from_str(&json).unwrap();
    let levels = report["opponents"].as_array().unwrap();
    let names: Vec<_> = levels.iter().map(|level| level["opponent"].as_str().unwrap()).collect();
    assert_eq!(names, ["easy", "medium", "hard", "perfect"]);
    let perfect = &levels[3];
    assert_eq!((perfect["won"].as_i64(), perfect["games"].as_array().unwrap().len()), (Some(0), 8));
    let game = foregone::Registry::standard().game("tic-tac-toe").unwrap();
    for level in levels.iter().filter(|level| !level["mistake"].is_null()) {
        let mistake = &level["mistake"];
        let moves: Vec<String> = serde_json::from_value(mistake["moves"].clone()).unwrap();
        let mut session = game.open(None, &moves.join(" ")).unwrap();
        let control = foregone::Control::default();
        let report = session.solve(&foregone::Request::default(), &control);
        let value = |mv: &str| report.moves.iter().find(|each| each.mv == mv).unwrap().result.value;
        let (played, best) =
            (mistake["move"].as_str().unwrap(), mistake["best"][0].as_str().unwrap());
        assert_eq!(played, session.moves()[0], "the program takes the first move");
        assert!(value(played) < value(best) && Some(value(best)) == report.value, "{mistake}");
    }
    assert!(!perfect["mistake"].is_null(), "{json}");
}

/// A program that answers the first legal move plays as `first` does, and a match that was cut off goes on.
#[cfg(unix)]
#[test]
fn a_program_plays_a_match_that_goes_on() {
    let folder = Folder::new();
    let script = folder.file("first.sh");
    let answer = r#"while read -r line; do rest=${line#*\"legal\":[\"}; echo "${rest%%\"*}"; done; echo bye >&2"#;
    std::fs::write(&script, answer).unwrap();
    let record = folder.file("record").to_str().unwrap().to_owned();
    let play = |player: &str, more: &[&str]| {
        let args = ["match", "connect-four", player, "random", "--plies", "2", "--openings", "3"];
        let output = foregone(&[&args, more].concat()).wait_with_output().unwrap();
        let texts = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), texts)
    };
    let program = format!("program:sh {}", script.display());
    let (code, [ours, errors]) = play("first", &["--json"]);
    assert_eq!(code, Some(0), "{errors}");
    let (code, [theirs, errors]) = play(&program, &["--json", "--record", &record]);
    assert_eq!((code, &errors[..]), (Some(0), "bye\n"));
    let games = |text: &str| {
        let all: serde_json::Value = serde_json::from_str(text).unwrap();
        (all["games"].clone(), all["points"].clone())
    };
    assert_eq!(games(&ours), games(&theirs));
    assert_eq!(games(&ours).0.as_array().unwrap().len(), 6);

    // Three games and a half: the others are played again.
    let whole = std::fs::read_to_string(&record).unwrap();
    let lines: Vec<_> = whole.split_inclusive('\n').collect();
    assert_eq!(lines.len(), 7);
    let version = concat!(r#""version":""#, env!("CARGO_PKG_VERSION"));
    assert!(lines[1..].iter().all(|line| line.contains(version)), "{whole}");
    std::fs::write(&record, [&lines[..4].concat(), &lines[4][..lines[4].len() / 2]].concat())
        .unwrap();
    let (code, [again, _]) = play(&program, &["--json", "--record", &record]);
    assert_eq!((code, again), (Some(0), theirs));
    assert_eq!(std::fs::read_to_string(&record).unwrap(), whole);

    for damaged in ["no match\n", "no match", &format!("{}{{}}\n", lines[0])] {
        std::fs::write(&record, damaged).unwrap();
        let (code, [_, errors]) = play(&program, &["--record", &record]);
        assert_eq!(code, Some(2), "{errors}");
        assert_eq!(std::fs::read_to_string(&record).unwrap(), damaged);
    }
    // Such a file is never read to its end.
    if cfg!(target_os = "linux") {
        let (code, [_, errors]) = play("first", &["--record", "/dev/full"]);
        assert_eq!(code, Some(2));
        assert!(errors.contains("/dev/full: not a regular file"), "{errors}");
    }
    let stop = ["--on-illegal", "stop"];
    // One that never answers ends the match in any case.
    for more in [&stop[..], &[]] {
        let (code, [_, errors]) = play("program:true", more);
        assert_eq!(code, Some(1));
        assert!(errors.contains("first question: the program has ended"), "{errors}");
    }
    // Neither an endless stream of lines nor a program that never reads holds it up.
    let (code, [_, errors]) = play("program:yes", &stop);
    assert_eq!(code, Some(2));
    assert!(errors.contains("program:yes made a move that is not legal: found `y`"), "{errors}");
}

/// What a program replies is data: games are lost by a wrong reply, or go on with a random move, and both are counted.
#[cfg(unix)]
#[test]
fn wrong_replies_of_programs_are_counted() {
    let games = |player: &str, more: &[&str]| {
        let args = ["match", "tic-tac-toe", player, "random", "--plies", "2", "--openings", "3"];
        let output = foregone(&[&args[..], more].concat()).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let json = |player: &str, more: &[&str]| -> serde_json::Value {
        serde_json::from_str(&games(player, &[more, &["--json"]].concat())).unwrap()
    };
    // A program that has ended is started again for the next game.
    for player in ["program:yes", "program:head -n 1"] {
        let all = json(player, &[]);
        assert_eq!((&all["lost"], all["games"].as_array().unwrap().len()), (&6.into(), 6));
        for game in all["games"].as_array().unwrap() {
            let fault = &game["faults"][0];
            assert_eq!(fault["player"], player);
            assert_eq!(fault["ply"], game["moves"].as_array().unwrap().len());
            assert_eq!(game["outcome"], serde_json::Value::Null);
        }
    }
    let text = games("program:yes", &[]);
    assert!(text.contains("program:yes: 6 wrong replies, each lost the game."), "{text}");
    let first = "game 1, 0 moves after the opening: program:yes made a move";
    assert!(text.contains(first), "{text}");
    // Nothing is said of the strength of a program that has made no legal move.
    let args = ["grade", "--game", "tic-tac-toe", "--program", "yes", "--openings", "1"];
    let graded = foregone(&args).wait_with_output().unwrap();
    let graded = String::from_utf8(graded.stdout).unwrap();
    assert!(graded.ends_with("It lost every game by a reply that is no legal move.\n"), "{graded}");
    // With random moves instead, every move of its own is one, and games come to their ends.
    let all = json("program:yes", &["--on-illegal", "count"]);
    for (number, game) in all["games"].as_array().unwrap().iter().enumerate() {
        let (moves, faults) =
            (game["moves"].as_array().unwrap(), game["faults"].as_array().unwrap());
        assert_eq!(faults.len(), (moves.len() + usize::from(number % 2 == 0)) / 2, "{game}");
        assert!(game["outcome"].is_number());
    }
}
