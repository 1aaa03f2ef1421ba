//! The page's server as a running process: what every answer holds, what hostile addresses do, the
//! API against its contract, who may ask, fair turns, work that is given up, a clean end.

mod api;
mod gate;
mod hosting;
mod server;
mod share;
mod wire;

use std::collections::{BTreeSet, HashSet};
use std::io::Write;
use std::process::Command;
use std::time::{Duration, Instant};

use self::server::{Server, below_root};

fn text(html: &str) -> String {
    html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

const PAGES: [&str; 15] = [
    "/",
    "/play?game=tic-tac-toe&moves=5,1&hints=on",
    "/play?game=quantum-tic-tac-toe&moves=1-9,1-9&second=human",
    "/play?game=kalah(pits=2,stones=2)&hints=on&review=on&second=human",
    "/play?game=nothing",
    "/tree?game=tic-tac-toe&moves=1,2,3",
    "/new?game=kalah&p.pits=99",
    "/rules?game=breakthrough",
    "/learn",
    "/learn?lesson=alpha-beta&step=12",
    "/strip?game=kalah&moves=3",
    "/report?game=nim(heaps=1-2-3)",
    "/nowhere",
    "/no/where",
    "/api/v1/games",
];

#[test]
fn every_answer_keeps_the_browser_safe() {
    let server = Server::start(&[]);
    for path in PAGES {
        let answer = server.get(path);
        let header = |name: &str| answer.header(name);
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        assert_eq!(header("x-frame-options"), "DENY");
        // Nothing that the policy would have to allow for.
        for forbidden in ["<style", " style=", " onclick", " onload", "javascript:", "<script>"] {
            assert!(!answer.body.contains(forbidden), "{path}: {forbidden}");
        }
        let up = if path == "/no/where" { "../" } else { "" };
        for script in answer.body.split("<script").skip(1) {
            assert!(script.starts_with(&format!(" src=\"{up}assets/")), "{path}: {script:.40}");
        }
        assert!(answer.body.len() < 190_000, "{path}: {} bytes", answer.body.len());
    }
    let whole = ["/", "/assets/style.css", "/assets/page.js", "/assets/htmx.min.js"];
    let whole: usize = whole.iter().map(|path| server.get(path).body.len()).sum();
    assert!(whole < 270_000, "the first page takes {whole} bytes");
    server.end();
}

#[test]
fn hostile_addresses_are_answered_in_words() {
    let server = Server::start(&["--think", "300ms"]);
    let script = "%3Cscript%3Ealert(1)%3C/script%3E";
    let long = "9".repeat(30_000);
    let many = "1,".repeat(3_000);
    let fields = [
        "game", "position", "moves", "at", "first", "second", "depth", "hints", "review", "pick",
        "stop", "mv", "set", "line", "text", "lesson", "step", "seen", "from", "find", "show",
        "open",
    ];
    let texts = [script, &long, &many, "%00", "%ff%fe", "-1", "18446744073709551616", "%22%27%3E"];
    for page in [
        "/",
        "/play",
        "/tree",
        "/new",
        "/rules",
        "/learn",
        "/strip",
        "/api/v1/solve",
        "/api/v1/show",
        "/api/v1/move",
    ] {
        for field in fields {
            for odd in texts {
                let game = match page {
                    "/" => "",
                    "/learn" if field != "lesson" => "lesson=memory&",
                    "/learn" => "",
                    _ if field == "game" => "",
                    _ => "game=tic-tac-toe&",
                };
                let answer = server.get(&format!("{page}?{game}{field}={odd}"));
                assert!(
                    [200, 303, 400].contains(&answer.status),
                    "{page} {field} {odd:.40}: {}",
                    answer.status
                );
                let is_page = answer.header("content-type").starts_with("text/html");
                assert_eq!(is_page, answer.status != 303 && !page.starts_with("/api"), "{page}");
                assert!(!is_page || !answer.body.contains("<script>alert"), "{page} {field}");
            }
        }
    }
    // The largest there are.
    for game in [
        "mnk(columns=8,rows=8,line=5)",
        "connect-four(columns=8,rows=7)",
        "kalah(pits=8,stones=12)",
        "fox-and-hounds(size=16)",
        "nim(heaps=63-63-63-63-63-63-63-63)",
    ] {
        for hints in ["", "&hints=on&wait=on"] {
            let (_, answer) = server.follow(&format!("/play?game={game}{hints}"));
            assert_eq!(answer.status, 200, "{game}");
        }
        assert_eq!(server.get(&format!("/tree?game={game}")).status, 200, "{game}");
        let (status, report) = server.json(&format!("/api/v1/solve?game={game}"));
        assert_eq!((status, report["game"].is_string()), (200, true), "{game}");
    }
    // What is no request at all.
    for noise in ["\r\n\r\n", "GET\r\n\r\n", "POST / HTTP/1.1\r\nHost: x\r\n\r\n", "\u{0}\u{1}"] {
        let mut stream = server.connect();
        stream.write_all(noise.as_bytes()).unwrap();
    }
    assert_eq!(server.get("/").status, 200);
    server.end();
}

/// One of them ended the server, and another one kept it busy for minutes.
#[test]
fn hostile_rules_in_an_address_end_nothing_and_keep_nobody_waiting() {
    let server = Server::start(&["--think", "1s", "--memory", "64M"]);
    let typed = |rules: &str| form_urlencoded::byte_serialize(rules.as_bytes()).collect::<String>();
    let ask = |rules: &str| server.follow(&format!("/rules?text={}", typed(rules)));
    let (_, page) = ask(include_str!("../../../text/tests/hostile/dirs.rules"));
    assert!(text(&page.body).contains("Line 7: these directions make"), "{}", page.body);
    for rules in [
        include_str!("../../../text/tests/hostile/zones.rules"),
        include_str!("../../../text/tests/hostile/heavy.rules"),
    ] {
        let (address, page) = ask(rules);
        assert_eq!(page.status, 200);
        let name = address.split("game=").nth(1).unwrap();
        let (status, report) = server.json(&format!("/api/v1/solve?game={name}&time=1s"));
        assert!(status == 200 || status == 503, "{status} {report}");
    }
    assert_eq!(server.get("/").status, 200);
    server.end();
}

/// A game of one's own: its rules are checked, stand in the address, and are solved like others.
#[test]
fn rules_in_an_address_are_a_game() {
    let server = Server::start(&["--think", "1s"]);
    let rules = "game Apart\r\nboard 5 1\r\npiece stone X\r\nstuck loses\r\nmove\r\n  choose at in empty - \
                 beside(stone)\r\n  put stone on at\r\n";
    let typed: String = form_urlencoded::byte_serialize(rules.as_bytes()).collect();
    let (address, page) = server.follow(&format!("/rules?text={typed}"));
    assert_eq!(page.status, 200);
    let name = address.split("game=").nth(1).unwrap();
    let shown = text(&page.body);
    assert!(shown.contains("with 5 moves") && shown.contains("Play cannot loop"), "{shown}");
    let (status, report) = server.json(&format!("/api/v1/solve?game={name}"));
    assert_eq!((status, &report["value"]), (200, &serde_json::json!(1)), "{report}");
    let (_, board) = server.follow(&format!("/play?game={name}&hints=on"));
    assert!(board.body.contains("The rules as text"));
    // All mistakes at once, and nothing of it is a page of its own.
    let wrong = typed.replace("stuck", "stuk").replace("empty", "empti%3Cb%3E");
    let (_, page) = server.follow(&format!("/rules?text={wrong}"));
    let shown = text(&page.body);
    assert!(shown.contains("Line 4: ") && shown.contains("did you mean `stuck`?"), "{shown}");
    assert!(!page.body.contains("empti<b>"));
    assert_eq!(server.get("/rules?game=rules:AAAA").status, 400);
    assert_eq!(server.get("/rules?game=kala").status, 400);
    server.end();
}

#[test]
fn unknown_parameters_are_refused_by_name() {
    let server = Server::start(&[]);
    for (path, unknown, nearest) in [
        ("/play?game=nim&secnd=human", "secnd", "second"),
        ("/tree?gane=nim", "gane", "game"),
        ("/table?game=nim&gme=nim", "gme", "game"),
        ("/new?game=kalah&p.pit=2", "p.pit", "p.pits"),
        ("/new?game=kalah&frist=human", "frist", "first"),
        ("/?game=nim", "game", ""),
    ] {
        let answer = server.get(path);
        assert_eq!(answer.status, 400, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        assert!(
            answer.body.contains(&format!("<code>{unknown}</code> is not a parameter of")),
            "{path}"
        );
        let hint = format!("did you mean <code>{nearest}</code>?");
        assert!(nearest.is_empty() || answer.body.contains(&hint), "{path}");
    }
    for (path, unknown) in [
        ("/api/v1/solve?game=nim&metod=strong", "metod"),
        ("/api/v1/show?game=nim&method=strong", "method"),
        ("/api/v1/games?game=nim", "game"),
        ("/api/v1/?x=1", "x"),
    ] {
        let (status, problem) = server.json(path);
        assert_eq!((status, &problem["parameter"]), (400, &unknown.into()), "{path}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.starts_with(&format!("`{unknown}` is not a parameter of /api/v1/")));
        assert_eq!(detail.contains("did you mean `method`?"), unknown == "metod", "{detail}");
    }
    let (status, problem) = server.json("/api/v1/solve?game=nim&game=kalah");
    assert_eq!((status, &problem["parameter"]), (400, &"game".into()));
    // Everything that the page itself sends is known.
    let mut seen = HashSet::<String>::new();
    let mut open = vec!["/play?game=tic-tac-toe&moves=1,2&hints=on&first=random".to_owned()];
    while let Some(path) = open.pop() {
        let (_, answer) = server.follow(&path);
        assert_eq!(answer.status, 200, "{path}");
        let parts = answer.body.split("href=\"").chain(answer.body.split("hx-get=\"")).skip(1);
        let links = parts.filter_map(|link| link.split('"').next());
        // The beginning of a page or an answer is no link.
        let ours = |link: &&str| !link.starts_with("assets/") && !link.starts_with(['<', '{']);
        let fresh = |link: &String| seen.len() < 60 && seen.insert(link.clone());
        open.extend(links.filter(ours).map(text).map(|link| below_root(&link)).filter(fresh));
        // Forms send their fields.
        for form in answer.body.split("<form").skip(1).map(|form| form.split("</form>").next()) {
            let form = form.unwrap();
            // One without an address is the script's.
            let Some(action) = form.split("action=\"").nth(1) else { continue };
            let action = action.split('"').next().unwrap();
            let names = form.split(" name=\"").skip(1).filter_map(|name| name.split('"').next());
            let fields: Vec<_> = names.map(|name| format!("{name}=")).collect();
            let answer = server.get(&format!("/{action}?{}", fields.join("&")));
            assert!(!answer.body.contains("is not a parameter of"), "{action} {fields:?}");
        }
    }
    server.end();
}

/// Everything a person can do, from the start to every end.
#[test]
fn the_perfect_player_cannot_be_beaten_on_the_page() {
    let server = Server::start(&[]);
    let mut open = vec!["/play?game=tic-tac-toe".to_owned()];
    let mut seen = HashSet::new();
    let mut ends = BTreeSet::new();
    while let Some(path) = open.pop() {
        let (address, answer) = server.follow(&path);
        assert_eq!(answer.status, 200, "{path}");
        // The computer chooses among equals, so lines are told apart by what was chosen.
        if !seen.insert(address) || seen.len() > 400 {
            continue;
        }
        let status = answer.body.split("id=\"status\"").nth(1).unwrap();
        let status = status.split('>').nth(1).unwrap().split('<').next().unwrap().to_owned();
        if !status.is_empty() {
            ends.insert(status);
            continue;
        }
        let links = answer.body.split("class=\"place\"").skip(1);
        let links = links.filter_map(|link| link.split("href=\"").nth(1)?.split('"').next());
        let links = links.filter(|link| link.starts_with("play.html"));
        open.extend(links.map(text).map(|link| below_root(&link)));
    }
    assert!(seen.len() > 50, "{}", seen.len());
    assert_eq!(ends.len(), 2, "{ends:?}");
    assert!(ends.contains("O wins: you lost") && ends.contains("Draw"), "{ends:?}");
    server.end();
}

#[test]
fn a_page_reads_moves_as_the_command_does() {
    let server = Server::start(&[]);
    let page = |moves: &str| {
        let path = format!("/play.html?game=connect-four&first=human&second=human&moves={moves}");
        server.get(&path)
    };
    let (together, apart) = (page("445566"), page("4,4,5,5,6,6"));
    assert_eq!((together.status, &together.body), (200, &apart.body));
    assert_eq!(page("448").status, 400);
    server.end();
}

#[test]
fn work_that_nobody_waits_for_is_given_up() {
    let server = Server::start(&["--think", "1m", "--workers", "1"]);
    for _ in 0..3 {
        server.abandon(
            "/play?game=kalah(pits=6,stones=6)&hints=on&wait=on",
            Duration::from_millis(300),
        );
    }
    // The only worker is free again, long before it would have been.
    let started = Instant::now();
    let (status, _) = server.json("/api/v1/move?game=tic-tac-toe");
    assert_eq!(status, 200);
    assert!(started.elapsed() < Duration::from_secs(30));
    // And one that is at work when the server is told to end ends too.
    server.abandon("/api/v1/solve?game=kalah(pits=6,stones=6)", Duration::from_millis(300));
    server.end();
}

#[test]
fn tables_in_a_folder_are_looked_up_in_and_counted() {
    let folder = std::env::temp_dir().join(format!("foregone-tables-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("nim.table");
    let built = Command::new(env!("CARGO_BIN_EXE_foregone"))
        .args(["table", "build", "nim", "-o", file.to_str().unwrap()])
        .output()
        .unwrap();
    assert!(built.status.success());
    // What is no table does not matter.
    std::fs::write(folder.join("other"), "nothing").unwrap();
    let server = Server::start(&["--tables", folder.to_str().unwrap()]);
    let page = server.get("/play?game=nim&hints=on&second=human").body;
    assert!(page.contains("From the table.") && page.contains("table.html?game=nim"), "{page}");
    let counts = server.get("/table?game=nim");
    assert_eq!(counts.status, 200);
    assert!(counts.body.contains("240 positions") && counts.body.contains("longest win"));
    assert_eq!(server.get("/table?game=kalah").status, 400);
    let (_, report) = server.json("/api/v1/solve?game=nim&moves=3:4");
    assert_eq!((&report["method"], &report["result"]), (&"table".into(), &"win".into()));
    server.end();
    let refused = Command::new(env!("CARGO_BIN_EXE_foregone"))
        .args(["serve", "--tables", "/nowhere/at/all"])
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_port_that_is_taken_is_told_of() {
    let server = Server::start(&[]);
    let port = server.address.split(':').nth(1).unwrap();
    let second = Command::new(env!("CARGO_BIN_EXE_foregone"))
        .args(["serve", "--port", port])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(1));
    let error = String::from_utf8(second.stderr).unwrap();
    assert!(error.contains(&format!("cannot listen on 127.0.0.1:{port}")), "{error}");
    server.end();
}
