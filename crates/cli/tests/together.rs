//! Many processes of the command build one table: what becomes of it when processes die, hang, do not
//! belong there or come late.

use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use foregone::record::Table;
use foregone::{Distance, Value, Worth};
use foregone_trial::{Folder, Forged, signal};

/// Longer than anything here takes, on a slow machine.
const LONG: Duration = Duration::from_secs(120);

const PROGRAM: &str = env!("CARGO_BIN_EXE_foregone");

/// Some processes that build one table.
struct Team {
    folder: Folder,
    hosts: Vec<String>,
    game: &'static [&'static str],
}

impl Team {
    /// With addresses that are free.
    fn new(processes: usize, game: &'static [&'static str]) -> Team {
        let folder = Folder::new();
        let listeners: Vec<_> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
        let hosts: Vec<_> =
            listeners.iter().map(|free| free.local_addr().unwrap().to_string()).collect();
        fs::write(folder.file("hosts"), hosts.join("\n")).unwrap();
        fs::write(folder.file("secret"), "sesame\n").unwrap();
        Team { folder, hosts, game }
    }

    fn table(&self) -> PathBuf {
        self.folder.file("it.table")
    }

    /// A process as it should be.
    fn command(&self, process: usize) -> Command {
        self.command_of(Path::new(PROGRAM), process, "secret")
    }

    fn command_of(&self, program: &Path, process: usize, secret: &str) -> Command {
        self.command_to(program, process, secret, &self.table())
    }

    fn command_to(&self, program: &Path, process: usize, secret: &str, table: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(["table", "build"]).args(self.game).arg("-o").arg(table);
        command.arg("--hosts").arg(self.folder.file("hosts"));
        command.arg("--secret-file").arg(self.folder.file(secret));
        command.args(["--process", &process.to_string(), "--patience", "60"]);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn start(&self) -> Vec<Child> {
        (0..self.hosts.len()).map(|process| self.command(process).spawn().unwrap()).collect()
    }

    /// Waits until a layer is finished, or the table is.
    fn layer(&self, layer: u32) -> bool {
        let file = self.folder.file("it.table.part").join(format!("{layer}.json"));
        let begun = Instant::now();
        while !self.table().exists() {
            if file.exists() {
                return true;
            }
            assert!(begun.elapsed() < LONG, "layer {layer} is never finished");
            thread::sleep(Duration::from_millis(1));
        }
        false
    }

    /// The file, when all processes have ended well.
    fn built(&self, children: Vec<Child>) -> Vec<u8> {
        for (process, child) in children.into_iter().enumerate() {
            let output = ended(child);
            let told = said(&output);
            assert!(output.status.success(), "{told}");
            assert!(
                process == 0 || told.ends_with("done; process 0 puts the table together\n"),
                "{told}"
            );
        }
        fs::read(self.table()).unwrap()
    }

    /// The file that one process builds.
    fn alone(&self) -> Vec<u8> {
        let file = self.folder.file("alone");
        let mut command = Command::new(PROGRAM);
        command.args(["table", "build"]).args(self.game).arg("-o").arg(&file);
        assert!(command.output().unwrap().status.success());
        fs::read(file).unwrap()
    }
}

/// What a process left behind; it must end in time.
fn ended(mut child: Child) -> Output {
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > LONG {
            child.kill().unwrap();
            panic!("a process does not end: {}", said(&child.wait_with_output().unwrap()));
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// A build of a second or two.
const KALAH: &[&str] = &["kalah(pits=6,stones=3)", "--layers", "15"];

/// A short one.
const FOX: &[&str] = &["fox-and-hounds(size=6)"];

#[test]
fn processes_on_this_machine_build_the_same_file() {
    let team = Team::new(1, &["awari(stones=4)", "--layers", "9"]);
    let expected = team.alone();
    let mut command = Command::new(PROGRAM);
    command.args(["table", "build"]).args(team.game).arg("-o").arg(team.table());
    let output = command.args(["--processes", "3", "--threads", "2", "--json"]).output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let processes = report["processes"].as_array().unwrap();
    let numbers = processes.iter().map(|process| process["numbers"].as_u64().unwrap());
    assert_eq!(numbers.sum::<u64>(), report["numbers"].as_u64().unwrap(), "{report:#}");
    assert!(fs::read(team.table()).unwrap() == expected);
}

/// Ten times a process is killed, each time in another layer; the others say who it was, and the same
/// command goes on.
#[test]
fn a_killed_process_is_named_and_the_build_goes_on() {
    let team = Team::new(3, KALAH);
    let mut killed = 0;
    for (at, layer) in (4..14).enumerate() {
        let mut children = team.start();
        if !team.layer(layer) {
            break;
        }
        let victim = at % 3;
        signal(&children[victim], "KILL");
        killed += 1;
        ended(children.remove(victim));
        for child in children {
            let output = ended(child);
            assert!(!output.status.success());
            let said = said(&output);
            // Whether its line or its data is missed first.
            let named = said.contains(&format!("process {victim} ({})", team.hosts[victim]));
            assert!(named && said.contains("the same command goes on"), "{said}");
        }
    }
    assert_eq!(killed, 10);
    assert!(team.built(team.start()) == team.alone());
}

#[cfg(unix)]
#[test]
fn a_hanging_process_is_named() {
    let team = Team::new(3, KALAH);
    let mut children = team.start();
    assert!(team.layer(3));
    signal(&children[1], "STOP");
    let hanging = children.remove(1);
    for child in children {
        let said = said(&ended(child));
        let expected = format!("process 1 ({}) was silent for 10 seconds", team.hosts[1]);
        assert!(said.contains(&expected), "{said}");
    }
    signal(&hanging, "KILL");
    ended(hanging);
}

/// Starts a program that may have been written a moment ago. Other tests start processes, which have its file
/// open for writing until they have begun; until then the system does not run it.
fn spawned(command: &mut Command) -> Child {
    let begun = Instant::now();
    loop {
        match command.spawn() {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                assert!(begun.elapsed() < LONG, "{error}");
                thread::sleep(Duration::from_millis(10));
            }
            child => return child.unwrap(),
        }
    }
}

/// Everyone who was started with `odd` as process 2 ends, and says why.
fn refused(team: &Team, mut odd: Command, expected: &str) {
    let mut children = vec![spawned(&mut odd)];
    children.extend([0, 1].map(|process| team.command(process).spawn().unwrap()));
    let begun = Instant::now();
    for (at, child) in children.into_iter().enumerate() {
        let output = ended(child);
        let said = said(&output);
        assert!(!output.status.success() && said.contains(expected), "{at}: {said}");
        // The one that came for nothing names whom it called.
        let named = if at == 0 { "process 0 (" } else { "process 2 (" };
        assert!(said.contains(named), "{at}: {said}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "they waited for each other");
}

#[test]
fn whoever_does_not_belong_there_is_named() {
    let team = Team::new(3, FOX);
    fs::write(team.folder.file("other"), "open\n").unwrap();
    refused(&team, team.command_of(Path::new(PROGRAM), 2, "other"), "has another secret");
    // Another build of the program: one byte more.
    let program = team.folder.file("program");
    fs::copy(PROGRAM, &program).unwrap();
    fs::OpenOptions::new().append(true).open(&program).unwrap().write_all(&[0]).unwrap();
    refused(&team, team.command_of(&program, 2, "secret"), "has another build of the program");
    let with = |name: &str, value: &str| {
        let mut odd = team.command(2);
        odd.args([name, value]);
        odd
    };
    refused(&team, with("--threads", "2"), "has another number of threads");
    refused(&team, with("--values", "wdl"), "has another job: a build of fox-and-hounds");
}

/// A stray request at the beginning is turned away.
/// All processes end within seconds, and say this.
fn all_say(children: Vec<Child>, expected: &str) {
    let begun = Instant::now();
    for child in children {
        let output = ended(child);
        let said = said(&output);
        assert!(!output.status.success() && said.contains(expected), "{said}");
        assert!(!said.contains("the same command goes on"), "nothing is finished: {said}");
    }
    assert!(begun.elapsed() < Duration::from_secs(30), "they waited for each other");
}

#[test]
fn a_refusal_reaches_the_others() {
    let team = Team::new(2, FOX);
    fs::write(team.table(), "mine").unwrap();
    all_say(team.start(), "exists already");
    assert_eq!(fs::read(team.table()).unwrap(), b"mine");
    fs::remove_file(team.table()).unwrap();
    let mut poor = team.command(1);
    let children =
        vec![poor.args(["--memory", "1M"]).spawn().unwrap(), team.command(0).spawn().unwrap()];
    all_say(children, "process 1 needs ");
    assert!(!team.table().exists());
}

#[test]
fn folders_that_are_not_one_are_noticed_before_anything_is_solved() {
    let team = Team::new(2, FOX);
    let (others, program) = (Folder::new(), Path::new(PROGRAM));
    let mut other = team.command_to(program, 1, "secret", &others.file("it.table"));
    let children = vec![team.command(0).spawn().unwrap(), other.spawn().unwrap()];
    all_say(children, "differs from process 0's directory");
    assert!(team.built(team.start()) == team.alone());
}

#[test]
fn force_replaces_unfinished_layers_of_another_table() {
    let team = Team::new(2, KALAH);
    let children = team.start();
    assert!(team.layer(2));
    children.iter().for_each(|child| signal(child, "KILL"));
    children.into_iter().for_each(|child| drop(ended(child)));
    let other = Team { folder: Folder::new(), hosts: Vec::new(), game: FOX };
    let build = |more: &[&str]| {
        let mut build = Command::new(PROGRAM);
        build.args(["table", "build"]).args(other.game).arg("-o").arg(team.table());
        build.args(["--processes", "2"]).args(more).output().unwrap()
    };
    let refused = said(&build(&[]));
    assert!(refused.contains("delete it, or use --force"), "{refused}");
    assert!(build(&["--force"]).status.success());
    assert!(fs::read(team.table()).unwrap() == other.alone());
}

/// Whoever waits in vain leaves nothing behind that says which table belongs there.
#[test]
fn a_start_in_vain_leaves_nothing() {
    let team = Team::new(2, FOX);
    let mut alone = Command::new(PROGRAM);
    alone.args(["table", "build"]).args(team.game).arg("-o").arg(team.table());
    alone.arg("--hosts").arg(team.folder.file("hosts"));
    let output = alone.args(["--process", "0", "--patience", "1"]).output().unwrap();
    assert!(said(&output).contains("did not come in 1 s"), "{}", said(&output));
    assert!(!team.folder.file("it.table.part").exists());
}

#[test]
fn strangers_are_turned_away() {
    let team = Team::new(2, &["kalah(pits=4,stones=2)"]);
    let first = team.command(0).spawn().unwrap();
    let begun = Instant::now();
    let mut stranger = loop {
        match TcpStream::connect(&team.hosts[0]) {
            Ok(stranger) => break stranger,
            Err(_) => assert!(begun.elapsed() < LONG),
        }
    };
    stranger.write_all(b"GET / HTTP/1.1\r\nHost: one\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    let _ = stranger.read_to_end(&mut answer);
    assert!(answer.is_empty(), "{answer:?}");
    let second = team.command(1).spawn().unwrap();
    assert!(ended(second).status.success());
    let output = ended(first);
    assert!(output.status.success());
    let said = said(&output);
    assert!(said.contains("turned away 127.0.0.1:"), "{said}");
    assert!(said.contains("is another program, not a process of this build"), "{said}");
}

/// Files without an end are not read whole.
#[cfg(unix)]
#[test]
fn endless_files_are_refused() {
    let team = Team::new(2, FOX);
    let zero = Path::new("/dev/zero");
    let with = |hosts: &Path, secret: &Path| {
        let mut command = Command::new(PROGRAM);
        command.args(["table", "build"]).args(team.game).arg("-o").arg(team.table());
        command.args(["--process", "0", "--hosts"]).arg(hosts).arg("--secret-file").arg(secret);
        said(&ended(command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()))
    };
    let hosts = team.folder.file("hosts");
    assert!(with(&hosts, zero).contains("expected at most 4096 bytes"));
    assert!(with(zero, &hosts).contains("expected at most 1048576 bytes"));
    assert!(!team.folder.file("it.table.part").exists());
}

/// When the table is complete, the same command says so, to all.
#[test]
fn a_complete_table_is_left_alone() {
    let team = Team::new(2, &["kalah(pits=4,stones=2)"]);
    let file = team.built(team.start());
    assert!(team.built(team.start()) == file);
}

/// The table of a team with one false entry.
fn falsify(file: &Path) {
    let table = Table::open(file).unwrap();
    let manifest = table.manifest().clone();
    let layer = |layer: u32| {
        let numbers = 0..manifest.layers[layer as usize].size;
        numbers.map(|number| table.get(layer, number).unwrap()).collect::<Vec<_>>()
    };
    let mut layers: Vec<_> = (0..manifest.layers.len() as u32).map(layer).collect();
    let last = layers[9].iter().rposition(Option::is_some).unwrap();
    let (game, fingerprint) = (&*manifest.game, manifest.fingerprint);
    let values = manifest.values;
    layers[9][last] = Some(values.keep(Worth::new(Value(-5), Distance::Plies(3)), Value(0)));
    let forged = Forged { game, fingerprint, values, layers: &layers, keys: None, proof: None };
    fs::write(file, forged.bytes()).unwrap();
}

/// Many processes that check a table say what one says.
#[test]
fn many_check_as_one() {
    let team = Team::new(3, &["kalah(pits=4,stones=2)"]);
    team.built(team.start());
    let check = |process: Option<usize>| {
        let mut command = Command::new(PROGRAM);
        command.args(["table", "verify"]).arg(team.table());
        if let Some(process) = process {
            command.arg("--hosts").arg(team.folder.file("hosts"));
            command.arg("--secret-file").arg(team.folder.file("secret"));
            command.args(["--process", &process.to_string(), "--patience", "60"]);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().unwrap()
    };
    let together = || (0..3).map(|process| check(Some(process))).collect::<Vec<_>>();
    let right = ended(check(None));
    for (process, output) in together().into_iter().map(ended).enumerate() {
        assert!(output.status.success(), "{}", said(&output));
        // Process 0 speaks for all.
        assert_eq!(output.stdout.is_empty(), process > 0);
        assert!(process > 0 || output.stdout == right.stdout);
    }
    let mut children = Command::new(PROGRAM);
    children.args(["table", "verify", "--processes", "2", "--json"]).arg(team.table());
    let output = children.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["verdict"], "right");
    falsify(&team.table());
    let alone = ended(check(None));
    assert!(said(&alone).contains("of layer 9: the table says"), "{}", said(&alone));
    for output in together().into_iter().map(ended) {
        assert_eq!(output.status.code(), alone.status.code());
        let last = said(&output);
        assert_eq!(last.lines().last(), said(&alone).lines().last());
    }
}

/// The tasks that `table steps` lists, each run by a shell as a scheduler would, build the same file.
#[cfg(unix)]
#[test]
fn tasks_build_the_same_file() {
    let team = Team::new(1, &["kalah(pits=3,stones=3)"]);
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", said(&output));
        String::from_utf8(output.stdout).unwrap()
    };
    let mut steps = Command::new(PROGRAM);
    steps.args(["table", "steps"]).args(team.game).arg("-o").arg(team.table());
    let steps = run(steps.args(["--shards", "2", "--uncut", "3000"]));
    assert!(steps.lines().any(|line| line.starts_with("2\t")), "{steps}");
    let folder = Path::new(PROGRAM).parent().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap());
    for line in steps.lines() {
        let (tasks, command) = line.split_once('\t').unwrap();
        for task in 0..tasks.parse().unwrap() {
            let task: i32 = task;
            let mut shell = Command::new("sh");
            shell.args(["-c", command]).env("PATH", &path).env("TASK", task.to_string());
            run(&mut shell);
        }
    }
    assert!(fs::read(team.table()).unwrap() == team.alone());
    // A scheduler may run them again.
    let mut join = Command::new(PROGRAM);
    join.args(["table", "join"]).args(team.game).arg("-o").arg(team.table());
    assert_eq!(run(join.args(["--layer", "3"])), "layer 3 was done already\n");
    // What is there and is another table stays as it is.
    let mut other = Command::new(PROGRAM);
    other.args(["table", "build", "nim", "--layer", "0", "-o"]).arg(team.table());
    let refused = said(&other.output().unwrap());
    assert!(refused.contains("exists already, and is not this table"), "{refused}");
    assert!(!team.folder.file("it.table.part").exists());
}

/// Each kernel is asked for blocks of a layer that is too large to be looked through, and bytes are near those that real
/// builds sent (docs/cluster.md).
#[test]
fn plans_of_large_tables_count_what_machines_ask() {
    let bytes = |args: &[&str]| {
        let done = Command::new(PROGRAM).args(["table", "plan", "--json"]).args(args).output();
        let done = done.unwrap();
        assert!(done.status.success(), "{args:?}: {}", String::from_utf8_lossy(&done.stderr));
        let plan: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
        plan["sent"].as_f64().unwrap() / plan["numbers"].as_f64().unwrap()
    };
    for (game, machines) in [
        ("kalah(pits=6,stones=6)", "64"),
        ("fox-and-hounds(size=14)", "16"),
        ("connect-four", "256"),
        ("awari", "64"),
        ("nine-mens-morris", "64"),
    ] {
        let each = bytes(&[game, "--machines", machines, "--time", "1s"]);
        assert!((0.5..60.0).contains(&each), "{game}: {each}");
    }
    let each =
        bytes(&["kalah(pits=6,stones=4)", "--layers", "16", "--machines", "8", "--time", "5s"]);
    assert!((4.66 * 0.7..4.66 * 1.3).contains(&each), "{each}");
}
