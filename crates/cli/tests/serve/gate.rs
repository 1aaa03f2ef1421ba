//! Who may ask: hosts that requests name, and browsers that ask for other sites.

use std::process::Command;

use serde_json::json;

use crate::api::{hold_answer, hold_problem};
use crate::server::Server;

const PATHS: [&str; 6] = [
    "/",
    "/play?game=nim",
    "/assets/page.js",
    "/api/v1/games",
    "/api/v1/show?game=nim",
    "/nowhere",
];

#[test]
fn requests_name_a_host_of_the_server() {
    let server = Server::start(&["--host", "Games.example", "--host", "other.example:8443"]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let port = server.port();
    let ask = |host: &str, path: &str| {
        server.raw(format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n"))
    };
    for host in ["127.0.0.1", "localhost", "LOCALHOST", "[::1]", "[0:0:0:0:0:0:0:1]"] {
        let answer = ask(&format!("Host: {host}:{port}\r\n"), "/play?game=nim");
        assert_eq!(answer.status, 200, "{host}");
    }
    for host in ["games.example", "games.example:443", "GAMES.example:1", "other.example:8443"] {
        assert_eq!(ask(&format!("Host: {host}\r\n"), "/api/v1/games").status, 200, "{host}");
    }
    for host in [
        "evil.example".to_owned(),
        format!("evil.example:{port}"),
        format!("localhost.evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        format!("localhost@evil.example:{port}"),
        format!("evil.example@localhost:{port}"),
        "localhost".to_owned(),
        "127.0.0.1:1".to_owned(),
        "other.example".to_owned(),
        "192.0.2.1".to_owned(),
        String::new(),
        "<b>".to_owned(),
    ] {
        for path in PATHS {
            let answer = ask(&format!("Host: {host}\r\n"), path);
            hold_problem(&contract, &answer, 421, &format!("{host} {path}"));
        }
        let answer = ask(&format!("Host: {host}\r\n"), "/api/v1/solve?game=nim");
        hold_answer(&contract, "/solve", &answer);
    }
    hold_problem(&contract, &ask("", "/"), 400, "no host");
    let two = format!("Host: localhost:{port}\r\nHost: localhost:{port}\r\n");
    hold_problem(&contract, &ask(&two, "/"), 400, "two hosts");
    // An address that is given whole.
    let host = format!("Host: localhost:{port}\r\n");
    assert_eq!(ask(&host, &format!("http://127.0.0.1:{port}/play?game=nim")).status, 200);
    let evil = format!("http://evil.example:{port}/play?game=nim");
    hold_problem(&contract, &ask(&host, &evil), 421, "whole");
    let answer = ask("Host: evil.example\r\n", &format!("http://localhost:{port}/"));
    hold_problem(&contract, &answer, 421, "whole, and another host");
    server.end();
}

#[test]
fn addresses_of_the_machine_are_its_names() {
    let everywhere = Server::start_anywhere(&["--bind", "0.0.0.0"]);
    let port = everywhere.port();
    for (host, status) in [
        (format!("127.0.0.1:{port}"), 200),
        (format!("192.0.2.9:{port}"), 200),
        (format!("localhost:{port}"), 200),
        // The port of a container may be another one outside.
        ("192.0.2.9:1".to_owned(), 200),
        ("localhost:9000".to_owned(), 200),
        (format!("localhost.evil.example:{port}"), 421),
        (format!("evil.example:{port}"), 421),
    ] {
        let answer = everywhere.raw(format!("GET / HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        assert_eq!(answer.status, status, "{host}");
    }
    everywhere.end();
    for odd in ["a b", "http://example.org", "me@example.org"] {
        let refused = Command::new(env!("CARGO_BIN_EXE_foregone"))
            .args(["serve", "--port", "0", "--host", odd])
            .output()
            .unwrap();
        assert_eq!(refused.status.code(), Some(2), "{odd}");
        let error = String::from_utf8(refused.stderr).unwrap();
        assert!(error.contains("expected a name or an address"), "{error}");
    }
}

#[test]
fn a_learning_platform_may_show_pages_in_a_frame() {
    let server = Server::start(&["--frame-ancestors", "https://school.example.org/"]);
    let fields = [
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Mode", "navigate"),
        ("Sec-Fetch-Dest", "iframe"),
    ];
    let page = server.get_with("/play?game=nim", &fields);
    assert_eq!(page.status, 200);
    let policy = page.header("content-security-policy");
    assert!(policy.ends_with("frame-ancestors https://school.example.org"), "{policy}");
    assert_eq!(page.header("x-frame-options"), "");
    assert_eq!(server.get_with("/api/v1/solve?game=nim", &fields).status, 403);
    server.end();
}

#[test]
fn other_sites_lead_to_pages_and_no_further() {
    let server = Server::start(&[]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let ask = |site: &str, mode: &str, dest: &str, path: &str| {
        let fields = [("Sec-Fetch-Site", site), ("Sec-Fetch-Mode", mode), ("Sec-Fetch-Dest", dest)];
        server.get_with(path, &fields)
    };
    let questions = [
        "/api/v1/solve?game=nim",
        "/api/v1/move?game=nim",
        "/api/v1/games",
        "/play?game=nim&hints=on&wait=on",
        "/play?game=nim&w%61it=on",
    ];
    let pages = ["/", "/play?game=nim&hints=on", "/tree?game=nim"];
    for path in questions {
        let kinds = [
            ("no-cors", "image"),
            ("cors", "empty"),
            ("navigate", "document"),
            ("navigate", "iframe"),
        ];
        for (mode, dest) in kinds {
            let answer = ask("cross-site", mode, dest, path);
            hold_problem(&contract, &answer, 403, &format!("{mode} {dest} {path}"));
        }
    }
    hold_answer(&contract, "/solve", &ask("cross-site", "cors", "empty", questions[0]));
    for path in pages {
        assert_eq!(ask("cross-site", "navigate", "document", path).status, 200, "{path}");
        for (mode, dest) in [("no-cors", "script"), ("cors", "empty"), ("navigate", "iframe")] {
            let answer = ask("cross-site", mode, dest, path);
            hold_problem(&contract, &answer, 403, &format!("{mode} {dest} {path}"));
        }
    }
    // The page itself, a person who typed the address, and what is no browser.
    for path in questions.into_iter().chain(pages) {
        for site in ["same-origin", "same-site", "none"] {
            let answer = ask(site, "cors", "empty", path);
            assert!([200, 303].contains(&answer.status), "{site} {path}: {answer:?}");
        }
    }
    server.end();
}

#[test]
fn questions_with_content_are_refused() {
    let server = Server::start(&["--think", "10m", "--workers", "1"]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let hard = "/api/v1/solve?game=kalah(pits=6,stones=6)";
    for fields in ["Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n"] {
        let answer = server.raw(server.request(hard, fields));
        hold_problem(&contract, &answer, 400, fields);
    }
    assert_eq!(server.raw(server.request("/", "Content-Length: 0\r\n")).status, 200);
    assert_eq!(contract["paths"]["/solve"]["get"]["requestBody"], json!(null));
    server.end();
}
