//! How long visitors wait: 200 of them play tic-tac-toe against the perfect player with hints on,
//! each making a move a second, alone and beside one who asks for the largest boards without end.
//! Besides: how soon the server answers after it was started, and how long the first page takes.
//!
//! Run with `cargo bench -p foregone-cli`; arguments are the number of visitors and the seconds.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A visitor's connection, kept open.
struct Visitor {
    reader: BufReader<TcpStream>,
    address: String,
}

impl Visitor {
    fn new(address: &str) -> Visitor {
        let stream = TcpStream::connect(address).expect("the server is there");
        stream.set_nodelay(true).expect("a socket");
        Visitor { reader: BufReader::new(stream), address: address.to_owned() }
    }

    /// The status, where it leads, and the page.
    fn get(&mut self, path: &str) -> (u16, Option<String>, String) {
        let host = &self.address;
        write!(self.reader.get_mut(), "GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n").expect("sent");
        let (mut status, mut length, mut location) = (0, 0, None);
        let mut line = String::new();
        loop {
            line.clear();
            self.reader.read_line(&mut line).expect("an answer");
            let text = line.trim_end();
            if let Some(rest) = text.strip_prefix("HTTP/1.1 ") {
                status = rest[..3].parse().expect("a status");
            }
            match text.split_once(": ") {
                Some(("content-length", value)) => length = value.parse().expect("a length"),
                Some(("location", value)) => location = Some(value.to_owned()),
                _ if text.is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        self.reader.read_exact(&mut body).expect("a whole answer");
        (status, location, String::from_utf8(body).expect("text"))
    }
}

fn start() -> (Child, String, Duration) {
    let began = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_foregone"))
        .args(["serve", "--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
    let address = address.expect("an address").to_owned();
    Visitor::new(&address).get("/assets/icon.svg");
    (child, address, began.elapsed())
}

/// One game after the other, a move a second, until the time is up: how long each answer took.
fn play(address: &str, nth: usize, until: Instant) -> Vec<Duration> {
    let mut visitor = Visitor::new(address);
    let mut times = Vec::new();
    let mut path = "/play?game=tic-tac-toe&hints=on".to_owned();
    let mut pick = nth;
    std::thread::sleep(Duration::from_millis(nth as u64 * 5 % 1000));
    while Instant::now() < until {
        let began = Instant::now();
        // A move and the computer's answer, as the visitor sees them: the redirect counts too.
        let mut answer = visitor.get(&path);
        while let Some(location) = answer.1 {
            answer = visitor.get(&location);
        }
        times.push(began.elapsed());
        assert_eq!(answer.0, 200, "{path}");
        let open: Vec<_> = answer.2.split("class=\"place\" id=\"place-").skip(1).collect();
        let links =
            open.iter().filter_map(|place| place.split("href=\"").nth(1)?.split('"').next());
        let links: Vec<String> = links.map(|link| link.replace("&amp;", "&")).collect();
        pick = pick.wrapping_mul(31).wrapping_add(7);
        path = match links.get(pick % links.len().max(1)) {
            Some(link) if link.contains("moves") => link.clone(),
            _ => "/play?game=tic-tac-toe&hints=on".to_owned(),
        };
        std::thread::sleep(Duration::from_secs(1).saturating_sub(began.elapsed()));
    }
    times
}

/// Asks for the largest boards, several at a time, until told to stop.
fn pester(address: &str, enough: &AtomicBool) {
    let games = ["mnk(columns=8,rows=8,line=5)", "kalah(pits=8,stones=12)", "connect-four"];
    std::thread::scope(|scope| {
        for nth in 0..8 {
            scope.spawn(move || {
                while !enough.load(Ordering::Relaxed) {
                    let mut visitor = Visitor::new(address);
                    let game = games[nth % games.len()];
                    visitor
                        .get(&format!("/play?game={game}&hints=on&wait=on&moves={}", nth % 3 + 1));
                    visitor.get(&format!("/tree?game={game}"));
                }
            });
        }
    });
}

fn report(what: &str, mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what:<28} {} answers: median {:?}, 99th percentile {:?}, longest {:?}",
        times.len(),
        at(0.5),
        at(0.99),
        at(1.0)
    );
    at(0.99)
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|arg| arg.parse().ok()).collect();
    let visitors = numbers.first().copied().unwrap_or(200);
    let seconds = numbers.get(1).copied().unwrap_or(10);
    let (mut child, address, ready) = start();
    println!("ready to answer after          {ready:?}");
    let firsts = (0..100).map(|_| {
        let began = Instant::now();
        Visitor::new(&address).get("/");
        began.elapsed()
    });
    report("first page", firsts.collect());
    let all = || -> Vec<Duration> {
        let until = Instant::now() + Duration::from_secs(seconds as u64);
        std::thread::scope(|scope| {
            let address = &address;
            let threads: Vec<_> =
                (0..visitors).map(|nth| scope.spawn(move || play(address, nth, until))).collect();
            threads.into_iter().flat_map(|thread| thread.join().expect("no error")).collect()
        })
    };
    let alone = report(&format!("{visitors} visitors"), all());
    let enough = AtomicBool::new(false);
    let beside = std::thread::scope(|scope| {
        scope.spawn(|| pester(&address, &enough));
        std::thread::sleep(Duration::from_secs(1));
        let times = all();
        enough.store(true, Ordering::Relaxed);
        times
    });
    let beside = report("the same beside a hostile one", beside);
    println!("99th percentile, beside / alone: {:.2}", beside.as_secs_f64() / alone.as_secs_f64());
    let _ = child.kill();
    let _ = child.wait();
}
