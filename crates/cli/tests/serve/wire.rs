//! What goes over a connection that is no plain question and answer: noise, requests sent ahead,
//! visitors who leave.

use std::io::{BufReader, Write};
use std::time::{Duration, Instant};

use crate::api::{hold_answer, hold_problem};
use crate::server::{Answer, Server};

/// What the parser of requests refuses is no answer of the API's own, but looks like one.
#[test]
fn what_is_no_request_is_answered_with_a_problem() {
    let server = Server::start(&[]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let host = format!("Host: {}\r\n", server.address);
    let requests = [
        (400, "GET\r\n\r\n".to_owned()),
        (400, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned()),
        (400, format!("GET / HTTP/9.9\r\n{host}\r\n")),
        (400, format!("G\u{7f}T / HTTP/1.1\r\n{host}\r\n")),
        (400, format!("GET /api/v1/games HTTP/1.1\r\n{host}no field\r\n\r\n")),
        (400, format!("GET /api/v1/games HTTP/1.1\r\n{host}Content-Length: x\r\n\r\n")),
        (414, format!("GET /api/v1/solve?game={} HTTP/1.1\r\n{host}\r\n", "9".repeat(70_000))),
        (431, format!("GET / HTTP/1.1\r\n{host}{}\r\n", "A: b\r\n".repeat(500))),
        (431, format!("GET / HTTP/1.1\r\n{host}A: {}\r\n\r\n", "b".repeat(3_000_000))),
    ];
    for (status, request) in requests {
        let answer = server.raw(&request);
        hold_problem(&contract, &answer, status, &format!("{request:.60}"));
        assert_eq!(answer.header("connection"), "close");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"));
    }
    // Now behind a valid request.
    let mut stream = server.connect();
    stream.write_all(server.request("/api/v1/games", "").as_bytes()).unwrap();
    stream.write_all(b"nonsense\r\n\r\n").unwrap();
    let mut stream = BufReader::new(stream);
    hold_answer(&contract, "/games", &Answer::read(&mut stream));
    hold_problem(&contract, &Answer::read(&mut stream), 400, "the second");
    server.end();
}

#[test]
fn requests_that_are_sent_ahead_are_answered_in_turn() {
    let server = Server::start(&["--think", "1s"]);
    let paths = [
        "/api/v1/show?game=nim",
        "/api/v1/solve?game=kalah&time=300ms&method=search",
        "/nowhere",
        "/assets/page.js",
    ];
    let all: String = paths.iter().map(|path| server.request(path, "")).collect();
    // In one piece, byte by byte, and with all that may be read ahead.
    for (piece, times) in [(all.len(), 1), (1, 1), (4096, 500)] {
        let mut stream = server.connect();
        let answers = BufReader::new(stream.try_clone().unwrap());
        let sent = if times == 1 { all.clone() } else { all.clone() + &quick(&server, times) };
        let sender = std::thread::spawn(move || {
            sent.as_bytes().chunks(piece).for_each(|piece| stream.write_all(piece).unwrap());
        });
        let mut answers = answers;
        let statuses: Vec<_> = paths.map(|_| Answer::read(&mut answers).status).to_vec();
        assert_eq!(statuses, [200, 200, 404, 200]);
        for _ in 1..times {
            assert_eq!(Answer::read(&mut answers).status, 200);
        }
        sender.join().unwrap();
    }
    server.end();
}

/// One request less than a visitor may have at once.
fn quick(server: &Server, times: usize) -> String {
    let padding = format!("Padding: {}\r\n", "x".repeat(400));
    server.request("/assets/icon.svg", &padding).repeat(times - 1)
}

#[test]
fn work_is_given_up_whatever_was_sent_behind_the_question() {
    let server = Server::start(&["--think", "10m", "--workers", "1"]);
    let hard = server.request("/api/v1/solve?game=kalah(pits=6,stones=6)", "");
    let behind = [
        server.request("/", ""),
        server.request("/", "").repeat(20),
        "GET / HT".to_owned(),
        "\r\n\r\n\r\n".to_owned(),
        "\u{0}noise".to_owned(),
    ];
    for behind in behind {
        server.abandon_raw(hard.clone() + &behind, Duration::from_millis(300));
    }
    // Now it comes later.
    let mut stream = server.connect();
    stream.write_all(hard.as_bytes()).unwrap();
    server.until_working();
    stream.write_all(server.request("/", "").as_bytes()).unwrap();
    drop(stream);
    // The only worker is free again, long before it would have been.
    let started = Instant::now();
    let (status, _) = server.json("/api/v1/solve?game=kalah&time=100ms&method=search");
    assert_eq!(status, 200);
    assert!(started.elapsed() < Duration::from_secs(60));
    server.end();
}
