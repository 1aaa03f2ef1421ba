//! The server as a running process, and what a visitor can do: ask, go away, ask from elsewhere.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use foregone_trial::signal;
use serde_json::Value;

/// Longer than any answer takes, even on a slow machine.
const PATIENCE: Duration = Duration::from_secs(120);

pub struct Server {
    child: Child,
    pub address: String,
    agent: ureq::Agent,
}

#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: String,
}

impl Answer {
    /// The text of a header; empty if there is none.
    pub fn header(&self, name: &str) -> &str {
        let found = self.headers.iter().find(|(header, _)| header == name);
        found.map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// The body as JSON.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Reads an answer from a connection.
    pub fn read(stream: &mut impl BufRead) -> Answer {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            assert!(stream.read_line(&mut line).unwrap() > 0, "the answer breaks off: {lines:?}");
            match line.trim_end() {
                "" => break,
                line => lines.push(line.to_owned()),
            }
        }
        let status = lines[0].split(' ').nth(1).unwrap().parse().unwrap();
        let header = |line: &String| {
            let (name, value) = line.split_once(": ").unwrap();
            (name.to_lowercase(), value.to_owned())
        };
        let headers: Vec<_> = lines[1..].iter().map(header).collect();
        let mut answer = Answer { status, headers, body: String::new() };
        let mut body = vec![0; answer.header("content-length").parse().unwrap()];
        stream.read_exact(&mut body).unwrap();
        answer.body = String::from_utf8(body).unwrap();
        answer
    }
}

/// A link of a page directly below the root, from the root.
pub fn below_root(link: &str) -> String {
    format!("/{}", link.trim_start_matches("./"))
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        let server = Server::start_anywhere(args);
        assert!(server.address.starts_with("127.0.0.1:"), "only this machine sees it");
        server
    }

    /// Starts a server; the arguments may name its address.
    pub fn start_anywhere(args: &[&str]) -> Server {
        Server::start_logging(args, Stdio::inherit())
    }

    /// Starts a server that writes its log elsewhere.
    pub fn start_logging(args: &[&str], log: Stdio) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_foregone"))
            .args(["serve", "--port", "0"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.split("http://").nth(1).unwrap().split('/').next().unwrap().to_owned();
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .timeout_global(Some(PATIENCE))
            .build();
        Server { child, address, agent: config.into() }
    }

    pub fn port(&self) -> u16 {
        self.address.rsplit(':').next().unwrap().parse().unwrap()
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_with(path, &[])
    }

    /// Asks with header fields besides.
    pub fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = self.agent.get(format!("http://{}{path}", self.address));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let mut response = request.call().unwrap_or_else(|error| panic!("{path}: {error}"));
        let headers = response
            .headers()
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned()));
        Answer {
            status: response.status().as_u16(),
            headers: headers.collect(),
            body: String::from_utf8_lossy(&response.body_mut().read_to_vec().unwrap()).into_owned(),
        }
    }

    /// Follows redirects; returns the last address, too.
    pub fn follow(&self, path: &str) -> (String, Answer) {
        let mut path = path.to_owned();
        for _ in 0..20 {
            let answer = self.get(&path);
            match answer.header("location") {
                "" => return (path, answer),
                location => path = below_root(location),
            }
        }
        panic!("{path} leads nowhere");
    }

    pub fn json(&self, path: &str) -> (u16, Value) {
        let answer = self.get(path);
        (answer.status, answer.json())
    }

    /// A connection of its own.
    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port())).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// A connection from another address of this machine.
    #[cfg(target_os = "linux")]
    pub fn connect_from(&self, ip: &str) -> TcpStream {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        let stream = runtime.block_on(async {
            let socket = tokio::net::TcpSocket::new_v4().unwrap();
            socket.bind(std::net::SocketAddr::new(ip.parse().unwrap(), 0)).unwrap();
            socket.connect(std::net::SocketAddr::from(([127, 0, 0, 1], self.port()))).await.unwrap()
        });
        let stream = stream.into_std().unwrap();
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// The text of a request.
    pub fn request(&self, path: &str, headers: &str) -> String {
        format!("GET {path} HTTP/1.1\r\nHost: {}\r\n{headers}\r\n", self.address)
    }

    /// What is answered to any bytes.
    pub fn raw(&self, bytes: impl AsRef<[u8]>) -> Answer {
        let mut stream = self.connect();
        // The server may have seen enough before all is sent.
        let _ = stream.write_all(bytes.as_ref());
        Answer::read(&mut BufReader::new(stream))
    }

    /// Sends a request and goes away without an answer.
    pub fn abandon(&self, path: &str, after: Duration) {
        self.abandon_raw(self.request(path, ""), after);
    }

    /// Sends any bytes and goes away without an answer.
    pub fn abandon_raw(&self, bytes: impl AsRef<[u8]>, after: Duration) {
        let mut stream = self.connect();
        stream.write_all(bytes.as_ref()).unwrap();
        stream.set_read_timeout(Some(after)).unwrap();
        let nothing = stream.read(&mut [0; 16]);
        assert!(nothing.is_err(), "it was answered at once");
    }

    /// Waits until a worker is busy with a question.
    pub fn until_working(&self) {
        let busy = |line: &str| line == "foregone_worked_on 1";
        let started = Instant::now();
        while !self.get("/metrics").body.lines().any(busy) {
            assert!(started.elapsed() < Duration::from_secs(60), "no worker is busy");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Waits until nobody can connect.
    pub fn until_closed(&self) {
        let started = Instant::now();
        while TcpStream::connect(("127.0.0.1", self.port())).is_ok() {
            assert!(started.elapsed() < Duration::from_secs(20), "it takes new connections");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Tells it to end.
    pub fn terminate(&self) {
        signal(&self.child, "TERM");
    }

    pub fn end(self) {
        self.terminate();
        self.ended();
    }

    /// Waits until it has ended.
    pub fn ended(mut self) {
        let started = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(started.elapsed() < Duration::from_secs(20), "it does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
        // Windows has no signals, at which it would tidy up.
        assert!(self.child.wait().unwrap().success() || cfg!(windows));
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
