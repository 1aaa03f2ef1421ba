//! What one visitor can keep from another: nothing for long.

#[cfg(unix)]
use std::io::Read;
use std::io::{BufReader, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

#[cfg(unix)]
use crate::api::hold_problem;
use crate::server::{Answer, Server};

/// More questions than may wait.
const MANY: usize = 100;

/// A hard question, each time another.
fn hard(nth: usize) -> String {
    format!("/api/v1/solve?game=kalah(pits=6,stones=6)&moves={}&method=search", nth % 6 + 1)
}

/// Asks more hard questions than are accepted at once; returns the connections.
fn fill(
    server: &Server,
    connect: impl Fn() -> TcpStream,
    headers: impl Fn(usize) -> String,
) -> Vec<TcpStream> {
    let ask = |nth: usize| {
        let mut stream = connect();
        stream.write_all(server.request(&hard(nth), &headers(nth)).as_bytes()).unwrap();
        stream
    };
    let asked: Vec<_> = (0..MANY).map(ask).collect();
    let started = Instant::now();
    while !asked.iter().any(is_refused) {
        assert!(started.elapsed() < Duration::from_secs(60), "the queue is never full");
        std::thread::sleep(Duration::from_millis(20));
    }
    asked
}

/// Whether a question was refused by now.
fn is_refused(stream: &TcpStream) -> bool {
    stream.set_nonblocking(true).unwrap();
    let mut start = [0; 12];
    let seen = stream.peek(&mut start).unwrap_or(0);
    stream.set_nonblocking(false).unwrap();
    &start[..seen] == b"HTTP/1.1 503"
}

/// Asks a hard question; gives the status.
fn ask(server: &Server, mut stream: TcpStream, headers: &str) -> u16 {
    stream.write_all(server.request(&hard(0), headers).as_bytes()).unwrap();
    Answer::read(&mut BufReader::new(stream)).status
}

#[test]
#[cfg(target_os = "linux")]
fn a_visitor_who_asks_much_does_not_lock_out_another() {
    let server = Server::start(&["--think", "2s", "--workers", "1"]);
    let (_, contract) = server.json("/api/v1/openapi.json");
    let asked = fill(&server, || server.connect(), |_| String::new());
    // A long queue of one visitor is that visitor's alone.
    let started = Instant::now();
    assert_eq!(ask(&server, server.connect_from("127.0.0.2"), ""), 200);
    assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    let mut refused = asked.iter().filter(|stream| is_refused(stream));
    let answer = Answer::read(&mut BufReader::new(refused.next().unwrap()));
    hold_problem(&contract, &answer, 503, "the queue is full");
    assert_eq!(answer.header("retry-after"), "2");
    drop(asked);
    server.end();
}

#[test]
fn behind_a_proxy_visitors_are_told_apart_by_what_it_says() {
    let server = Server::start(&[
        "--think",
        "2s",
        "--workers",
        "1",
        "--trusted-proxy",
        "127.0.0.0/8",
        "--trusted-proxy",
        "192.0.2.250",
    ]);
    // What a visitor writes before the proxy does makes no other visitor.
    let greedy = |nth| format!("X-Forwarded-For: 10.0.0.{nth}, 192.0.2.1, 192.0.2.250\r\n");
    let asked = fill(&server, || server.connect(), greedy);
    for who in ["X-Forwarded-For: 192.0.2.2\r\n", "Forwarded: for=\"[2001:db8::1]:80\"\r\n"] {
        let started = Instant::now();
        assert_eq!(ask(&server, server.connect(), who), 200, "{who}");
        assert!(started.elapsed() < Duration::from_secs(60), "{:?}", started.elapsed());
    }
    drop(asked);
    server.end();
}

#[test]
fn without_a_trusted_proxy_its_headers_are_anybodys() {
    let server = Server::start(&["--think", "1m", "--workers", "1"]);
    let forged =
        |nth| format!("X-Forwarded-For: 192.0.2.{nth}\r\nForwarded: for=192.0.2.{nth}\r\n");
    let asked = fill(&server, || server.connect(), forged);
    assert_eq!(ask(&server, server.connect(), &forged(200)), 503);
    drop(asked);
    server.end();
}

#[test]
#[cfg(target_os = "linux")]
fn a_visitor_has_only_a_share_of_the_connections() {
    let server = Server::start(&[]);
    let open: Vec<_> = (0..300).map(|_| server.connect()).collect();
    let mut other = server.connect_from("127.0.0.2");
    other.write_all(server.request("/play?game=nim", "").as_bytes()).unwrap();
    assert_eq!(Answer::read(&mut BufReader::new(other)).status, 200);
    // For those that were too many, the idlest were closed, which are the first.
    let mut first = &open[0];
    assert_eq!(first.read(&mut [0; 1]).unwrap_or(0), 0);
    let mut last = open.last().unwrap();
    last.write_all(server.request("/play?game=nim", "").as_bytes()).unwrap();
    assert_eq!(Answer::read(&mut BufReader::new(last)).status, 200);
    drop(open);
    server.end();
}
