//! What whoever hosts the page relies on: files that browsers keep, compression, health, metrics, logs, a path of its
//! own, other sites, limits, and an end that finishes what has begun.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
#[cfg(unix)]
use std::time::{Duration, Instant};

use crate::server::{Answer, Server};

#[test]
fn files_are_kept_by_their_version() {
    let server = Server::start(&[]);
    // The editor loads two files more than any page.
    let pages = server.get("/").body + &server.get("/rules.html").body;
    let links = pages.split("\"assets/").skip(1).map(|rest| rest.split('"').next().unwrap());
    let links: BTreeSet<_> = links.map(|link| format!("/assets/{link}")).collect();
    assert_eq!(links.len(), foregone_page::assets::ASSETS.len(), "{links:?}");
    for link in links {
        let answer = server.get(&link);
        assert_eq!(answer.status, 200, "{link}");
        assert!(answer.header("cache-control").contains("immutable"), "{link}");
        let tag = answer.header("etag").to_owned();
        let same = server.get_with(&link, &[("if-none-match", &format!("\"x\", {tag}"))]);
        assert_eq!((same.status, same.body.as_str()), (304, ""), "{link}");
        assert_eq!(server.get_with(&link, &[("if-none-match", "W/\"x\"")]).status, 200);
        // Without its version, or with another one, it is asked for again soon.
        let (path, _) = link.split_once('?').unwrap();
        for other in [path.to_owned(), format!("{path}?v=1")] {
            assert_eq!(server.get(&other).header("cache-control"), "max-age=60");
        }
    }
    server.end();
}

/// The head of an answer, and its size.
fn compressed(server: &Server, path: &str, encoding: &str) -> (String, usize) {
    let mut stream = server.connect();
    let headers = format!("Accept-Encoding: {encoding}\r\nConnection: close\r\n");
    stream.write_all(server.request(path, &headers).as_bytes()).unwrap();
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
    (String::from_utf8_lossy(&bytes[..end]).to_lowercase(), bytes.len() - end)
}

#[test]
fn answers_are_compressed_for_those_who_ask() {
    let server = Server::start(&[]);
    for path in ["/", "/assets/style.css", "/api/v1/games"] {
        let (_, plain) = compressed(&server, path, "identity");
        let (head, size) = compressed(&server, path, "gzip, br");
        assert!(head.contains("content-encoding: gzip"), "{head}");
        assert!(head.contains("vary: accept-encoding"), "{head}");
        assert!(size * 2 < plain, "{path}: {size} of {plain}");
    }
    // All that the first page needs.
    let whole = ["/", "/assets/style.css", "/assets/page.js", "/assets/htmx.min.js"];
    let whole: usize = whole.iter().map(|path| compressed(&server, path, "gzip").1).sum();
    assert!(whole < 50_000, "the first page takes {whole} bytes");
    server.end();
}

#[test]
fn health_and_metrics_are_told() {
    let server = Server::start(&[
        "--trusted-proxy",
        "127.0.0.1",
        "--metrics-for",
        "192.0.2.0/24",
        "--metrics-for",
        "2001:db8::5",
    ]);
    let raw = |path: &str, headers: &str| {
        server.raw(format!("GET {path} HTTP/1.1\r\nHost: probe\r\n{headers}\r\n"))
    };
    let health = raw("/healthz", "");
    assert_eq!((health.status, health.body.as_str()), (200, "ok\n"), "whatever host is named");
    server.get("/play?game=kalah");
    server.get("/play?game=kalah(pits=2)&x=1");
    server.get("/api/v1/solve?game=tic-tac-toe");
    server.get("/api/v1/solve?game=nonsense%22");
    let answer = server.get("/metrics");
    assert_eq!(
        answer.header("content-type").split(';').next(),
        Some("application/openmetrics-text")
    );
    for line in [
        "foregone_requests_total{page=\"play\",status=\"200\"} 1",
        "foregone_requests_total{page=\"play\",status=\"400\"} 1",
        "foregone_questions_total{game=\"kalah\"} 2",
        "foregone_questions_total{game=\"unknown\"} 1",
        "foregone_worked_on 0",
    ] {
        assert!(answer.body.lines().any(|each| each == line), "{line}: {}", answer.body);
    }
    assert!(answer.body.contains("process_resident_memory_bytes"));
    // Visitors who come through the proxy are not this machine.
    let from = |ip: &str| server.get_with("/metrics", &[("x-forwarded-for", ip)]).status;
    assert_eq!((from("198.51.100.7"), from("192.0.2.7")), (404, 200));
    assert_eq!((from("2001:db8::5"), from("2001:db8::6"), from("nobody")), (200, 404, 404));
    let both = [("x-forwarded-for", "192.0.2.7"), ("forwarded", "for=198.51.100.7")];
    assert_eq!(
        server.get_with("/metrics", &both).status,
        404,
        "one of the two is the visitor's own"
    );
    assert_eq!(raw("/metrics", "").status, 421, "the host is checked");
    server.end();
}

#[test]
fn links_that_people_send_have_a_picture() {
    let server = Server::start(&["--address", "https://example.org/games"]);
    let card = r#"<meta property="og:image" content="https://example.org/games/assets/card.png">"#;
    for page in ["/", "/play.html?game=nim"] {
        assert_eq!(server.get(page).body.matches(card).count(), 1, "{page}");
    }
    let picture = server.get("/assets/card.png");
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/png"));
    assert!(!Server::start(&[]).get("/").body.contains("og:image"), "its address is not known");
}

#[test]
fn the_page_may_be_below_a_path() {
    let server = Server::start(&["--base-path", "/games/"]);
    let root = server.get("/games");
    assert_eq!((root.status, root.header("location")), (308, "/games/"));
    let page = server.get("/games/");
    assert_eq!(page.status, 200);
    let link = page.body.split("href=\"play.html").nth(1).unwrap().split('"').next().unwrap();
    let play = server.get(&format!("/games/play.html{}", link.replace("&amp;", "&")));
    assert!(play.status == 200 && play.body.contains("id=\"status\""));
    assert_eq!(server.get("/games/assets/style.css").status, 200);
    assert_eq!(server.get("/games/api/v1/show?game=nim").status, 200);
    assert_eq!(server.get("/games/healthz").body, "ok\n");
    let moved = server.get("/games/play?game=tic-tac-toe&second=human&mv=5");
    assert!(moved.header("location").starts_with("play.html?"), "{moved:?}");
    for elsewhere in ["/", "/play?game=nim", "/gamesome"] {
        let answer = server.get(elsewhere);
        assert_eq!(answer.status, 404);
        assert!(answer.body.contains("Foregone is at /games/"), "{}", answer.body);
        assert!(answer.body.contains("href=\"/games/index.html\""), "{}", answer.body);
        assert_eq!(answer.header("x-frame-options"), "DENY");
        // An answer to HEAD has no body, so the next answer begins after its head.
        let mut stream = server.connect();
        let head = server.request(elsewhere, "").replacen("GET", "HEAD", 1);
        let next = server.request("/games/healthz", "Connection: close\r\n");
        stream.write_all((head + &next).as_bytes()).unwrap();
        let mut both = String::new();
        stream.read_to_string(&mut both).unwrap();
        let (head, next) = both.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 404") && next.starts_with("HTTP/1.1 200"), "{both}");
    }
    server.end();
}

#[test]
fn other_sites_may_be_allowed_to_ask() {
    let server = Server::start(&["--cors", "https://a.example"]);
    let ask = |path: &str, origin: &str| {
        server.get_with(
            path,
            &[("origin", origin), ("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "cors")],
        )
    };
    let right = ask("/api/v1/show?game=nim", "https://a.example");
    assert_eq!(right.status, 200);
    assert_eq!(right.header("access-control-allow-origin"), "https://a.example");
    let wrong = ask("/api/v1/show?game=nim", "https://b.example");
    assert_eq!((wrong.status, wrong.header("access-control-allow-origin")), (403, ""));
    assert_eq!(ask("/play?game=nim", "https://a.example").status, 403, "the API alone");
    let refused = ask("/api/v1/show?gaem=nim", "https://a.example");
    assert_eq!(refused.status, 400);
    assert_eq!(refused.header("access-control-allow-origin"), "https://a.example");
    let asks = "OPTIONS /api/v1/show?game=nim HTTP/1.1\r\nHost: HOST\r\nOrigin: https://a.example\r\n\
                Access-Control-Request-Method: GET\r\n\r\n";
    let may = server.raw(asks.replace("HOST", &server.address));
    assert_eq!(may.header("access-control-allow-origin"), "https://a.example");
    server.end();
    let server = Server::start(&[]);
    let answer = server.get("/api/v1/show?game=nim");
    assert_eq!(answer.header("access-control-allow-origin"), "");
    server.end();
}

#[test]
fn a_visitor_who_asks_too_often_has_to_wait() {
    let server = Server::start(&["--rate", "2"]);
    let answers: Vec<Answer> = (0..30).map(|_| server.get("/api/v1/show?game=nim")).collect();
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 429).collect();
    assert!((1..=10).contains(&refused.len()), "{}", refused.len());
    assert!(refused[0].header("retry-after").parse::<u32>().unwrap() >= 1);
    assert!(refused[0].body.contains("too many requests"));
    // People get a page.
    let pages: Vec<Answer> = (0..30).map(|_| server.get("/play?game=nim")).collect();
    let page = pages.iter().find(|answer| answer.status == 429).unwrap();
    assert!(page.header("content-type").starts_with("text/html"), "{}", page.body);
    assert!(page.body.contains("Too many requests") && page.body.contains("ask again in"));
    assert!(page.header("retry-after").parse::<u32>().unwrap() >= 1);
    // What pages load counts, too: it is compressed for each who asks.
    assert!((0..30).any(|_| server.get("/assets/icon.svg").status == 429));
    server.end();
}

#[test]
fn requests_are_logged() {
    let place = foregone_trial::Folder::new();
    let path = place.file("log");
    let file = std::fs::File::create(&path).unwrap();
    let server = Server::start_logging(&["--log", "json", "--think", "2s"], Stdio::from(file));
    server.get("/play?game=nim");
    server.get("/api/v1/solve?game=kalah&time=1500ms&method=search");
    server.end();
    let log = BufReader::new(std::fs::File::open(&path).unwrap());
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    let field = |at: usize, name: &str| lines[at][name].clone();
    assert_eq!(lines.len(), 2);
    assert_eq!((field(0, "path"), field(0, "status")), ("/play".into(), 200.into()));
    assert_eq!((field(0, "query"), field(0, "level")), ("game=nim".into(), "INFO".into()));
    assert_eq!((field(1, "message"), field(1, "level")), ("slow request".into(), "WARN".into()));
    assert!(field(1, "ms").as_f64().unwrap() >= 1000.0);
}

#[cfg(unix)]
#[test]
fn what_has_begun_is_finished() {
    let server = Server::start(&["--think", "3s"]);
    let mut stream = server.connect();
    let question = server.request("/api/v1/solve?game=kalah&time=2s&method=search", "");
    stream.write_all(question.as_bytes()).unwrap();
    server.until_working();
    server.terminate();
    let answer = Answer::read(&mut BufReader::new(stream));
    assert_eq!(answer.status, 200);
    assert!(answer.json()["seconds"].as_f64().unwrap() > 1.0, "{}", answer.body);
    server.ended();
    // A second signal ends it at once.
    let server = Server::start(&["--think", "60s"]);
    let mut stream = server.connect();
    let question = server.request("/api/v1/solve?game=kalah(stones=6)&time=50s&method=search", "");
    stream.write_all(question.as_bytes()).unwrap();
    server.until_working();
    let begun = Instant::now();
    server.terminate();
    server.until_closed();
    server.end();
    assert!(begun.elapsed() < Duration::from_secs(20));
}

#[test]
fn connections_that_never_read_keep_nobody_out() {
    let server = Server::start(&["--rate", "0"]);
    let requests = server.request("/", "").repeat(40);
    let open: Vec<_> = (0..560)
        .map(|_| {
            let mut stream = server.connect();
            stream.set_nonblocking(true).unwrap();
            // As much as fits.
            let _ = stream.write(requests.as_bytes());
            stream
        })
        .collect();
    for _ in 0..20 {
        let mut stream = server.connect();
        stream.write_all(server.request("/healthz", "").as_bytes()).unwrap();
        assert_eq!(Answer::read(&mut BufReader::new(stream)).status, 200);
    }
    assert_eq!(server.get("/play?game=tic-tac-toe").status, 200);
    drop(open);
    server.end();
}
