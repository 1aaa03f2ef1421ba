//! Who still lives. Each process has a line to process 0, on which both say every second that they live
//! and how far they are. A process that fails says why before it ends; if one only falls silent, or its
//! line breaks, process 0 tells all others. So every process ends within seconds and names the one that
//! failed.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use foregone::record::threads::lock;
use serde::{Deserialize, Serialize};

/// The time between two signs of life.
const BEAT: Duration = Duration::from_secs(1);

/// A process that was silent for so long is taken for dead.
pub const SILENT: Duration = Duration::from_secs(10);

/// The longest message in bytes.
const LONGEST: u64 = 4096;

/// How far a process is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Done {
    /// The numbers that it has solved.
    pub numbers: u64,
    /// The bytes that it has sent to others.
    pub sent: u64,
    /// The microseconds that its workers have waited for others, all together.
    pub waited: u64,
}

impl Done {
    fn and(&self, more: &Done) -> Done {
        Done {
            numbers: self.numbers + more.numbers,
            sent: self.sent + more.sent,
            waited: self.waited + more.waited,
        }
    }
}

/// Why a build ended: the process that failed, and its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("process {process} ({address}) {why}")]
pub struct Fault {
    /// The number of the process.
    pub process: usize,
    /// Its address.
    pub address: String,
    /// What happened to it, as `is gone`.
    pub why: String,
}

/// What is said on a line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Said {
    Alive(Done),
    Failed(Fault),
    /// The build is complete.
    Over(Done),
}

/// What is known of the build.
#[derive(Default)]
struct Known {
    /// By process.
    done: Vec<Done>,
    before: u64,
    layer: u32,
    fault: Option<Fault>,
    over: bool,
    /// Whether layers are finished, so that the same command goes on from there.
    kept: bool,
}

/// The state of a build, shared by the threads of a process.
#[derive(Clone)]
pub struct Watch {
    me: usize,
    addresses: Arc<[String]>,
    known: Arc<(Mutex<Known>, Condvar)>,
}

impl Watch {
    /// For process `me` of those with these addresses.
    pub fn new(me: usize, addresses: &[String]) -> Watch {
        let known = Known { done: vec![Done::default(); addresses.len()], ..Known::default() };
        Watch {
            me,
            addresses: addresses.into(),
            known: Arc::new((Mutex::new(known), Condvar::new())),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        // A panic leaves the data consistent.
        lock(&self.known.0)
    }

    /// Adds to what this process has done.
    pub fn add(&self, more: Done) {
        let done = &mut self.known().done[self.me];
        *done = done.and(&more);
    }

    /// Numbers that were solved before the build began.
    pub fn resume(&self, numbers: u64) {
        self.known().before = numbers;
    }

    /// The numbers that were solved before the build began.
    pub fn before(&self) -> u64 {
        self.known().before
    }

    /// Layers are finished and intact, or were before.
    pub fn keep(&self) {
        self.known().kept = true;
    }

    /// Whether the same command goes on from finished layers.
    pub fn kept(&self) -> bool {
        self.known().kept
    }

    /// A layer is being solved.
    pub fn begin(&self, layer: u32) {
        self.known().layer = layer;
    }

    /// The layer that is being solved.
    pub fn layer(&self) -> u32 {
        self.known().layer
    }

    /// By process, how far it is, as far as this one knows.
    pub fn each(&self) -> Vec<Done> {
        self.known().done.clone()
    }

    /// How far all processes are that this one knows of.
    pub fn done(&self) -> Done {
        let known = self.known();
        known.done.iter().fold(Done::default(), |sum, done| sum.and(done))
    }

    /// The fault that ends the build.
    ///
    /// # Errors
    /// If there is one.
    pub fn check(&self) -> Result<(), Fault> {
        self.known().fault.clone().map_or(Ok(()), Err)
    }

    /// The build failed at a process; only the first fault counts.
    pub fn fail(&self, process: usize, why: impl Into<String>) {
        let address = self.addresses.get(process).cloned().unwrap_or_default();
        self.report(Fault { process, address, why: why.into() });
    }

    fn report(&self, fault: Fault) {
        let mut known = self.known();
        if !known.over {
            known.fault.get_or_insert(fault);
        }
        drop(known);
        self.known.1.notify_all();
    }

    /// The build is complete: what ends from now on ends as it should.
    pub fn complete(&self) {
        self.known().over = true;
        self.known.1.notify_all();
    }

    /// Waits until the build is over or has failed, or for `max`; whether it is over.
    pub fn wait(&self, max: Duration) -> bool {
        let open = |known: &mut Known| !known.over && known.fault.is_none();
        let waited = self.known.1.wait_timeout_while(self.known(), max, open);
        waited.unwrap_or_else(PoisonError::into_inner).0.over
    }

    /// Speaks and listens on the line to a process, until the build is over or has failed.
    ///
    /// # Errors
    /// If the threads cannot be started.
    pub fn line(&self, other: usize, stream: TcpStream) -> io::Result<Line> {
        stream.set_read_timeout(Some(SILENT))?;
        stream.set_write_timeout(Some(SILENT))?;
        let (reader, watch) = (stream.try_clone()?, self.clone());
        let hears = thread::Builder::new()
            .name(format!("hear {other}"))
            .spawn(move || watch.apply(other, reader))?;
        let watch = self.clone();
        let says = thread::Builder::new()
            .name(format!("tell {other}"))
            .spawn(move || watch.notify(other, stream))?;
        Ok(Line { threads: [hears, says] })
    }

    fn notify(&self, other: usize, mut stream: TcpStream) {
        loop {
            let over = self.wait(BEAT);
            let (fault, done) = {
                let known = self.known();
                (known.fault.clone(), known.done[self.me])
            };
            let said = match fault {
                // The process that failed does not need to hear it.
                Some(fault) if fault.process == other => break,
                Some(fault) => Said::Failed(fault),
                None if over => Said::Over(done),
                None => Said::Alive(done),
            };
            let mut line = serde_json::to_vec(&said).unwrap_or_default();
            line.push(b'\n');
            // If the line is broken, the one who listens on it says so.
            if stream.write_all(&line).is_err() || !matches!(said, Said::Alive(_)) {
                break;
            }
        }
        let _ = stream.shutdown(Shutdown::Write);
    }

    fn apply(&self, other: usize, stream: TcpStream) {
        let mut stream = BufReader::new(stream);
        loop {
            let mut line = Vec::new();
            let read = io::Read::take(&mut stream, LONGEST).read_until(b'\n', &mut line);
            match (read, serde_json::from_slice(&line)) {
                (Ok(1..), Ok(Said::Alive(done))) => self.known().done[other] = done,
                (Ok(1..), Ok(Said::Failed(fault))) => return self.report(fault),
                (Ok(1..), Ok(Said::Over(done))) => {
                    self.known().done[other] = done;
                    return;
                }
                (Ok(1..), Err(_)) => return self.fail(other, "sends what no process sends"),
                (Err(error), _) if is_timeout(&error) => {
                    let silent = SILENT.as_secs();
                    return self.fail(other, format!("was silent for {silent} seconds"));
                }
                (Ok(0) | Err(_), _) => return self.fail(other, "is gone"),
            }
        }
    }
}

/// Whether a read took too long.
pub(crate) fn is_timeout(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut)
}

/// The threads of a line.
pub struct Line {
    threads: [thread::JoinHandle<()>; 2],
}

impl Line {
    /// Waits until the last word is said and heard.
    pub fn end(self) {
        for thread in self.threads {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::time::Instant;

    use super::*;

    fn addresses() -> Vec<String> {
        ["zero:1", "one:1", "two:1"].map(str::to_owned).to_vec()
    }

    /// Process 0 and `others`, joined by lines; the lines of process 0 come first.
    fn joined(others: &[usize]) -> (Watch, Vec<Watch>, Vec<Line>) {
        let zero = Watch::new(0, &addresses());
        let (mut watches, mut lines) = (Vec::new(), Vec::new());
        for other in others {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
            let watch = Watch::new(*other, &addresses());
            lines.push(watch.line(0, stream).unwrap());
            lines.push(zero.line(*other, listener.accept().unwrap().0).unwrap());
            watches.push(watch);
        }
        (zero, watches, lines)
    }

    /// Waits until something holds; it takes as long as a second beat at most.
    fn until(what: impl Fn() -> bool) {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < 3 * SILENT, "it never happened");
            thread::sleep(Duration::from_millis(10));
        }
    }

    #[test]
    fn all_learn_who_failed_and_why() {
        let (zero, others, lines) = joined(&[1, 2]);
        others[0].add(Done { numbers: 5, sent: 70, waited: 1 });
        zero.add(Done { numbers: 2, sent: 0, waited: 2 });
        until(|| zero.done() == Done { numbers: 7, sent: 70, waited: 3 });
        others[1].fail(2, "has no space left on its disk");
        until(|| zero.check().is_err() && others[0].check().is_err());
        let expected = "process 2 (two:1) has no space left on its disk";
        for watch in [&zero, &others[0], &others[1]] {
            assert_eq!(watch.check().unwrap_err().to_string(), expected);
            assert!(!watch.wait(Duration::ZERO));
        }
        lines.into_iter().for_each(Line::end);
    }

    #[test]
    fn who_is_gone_is_named() {
        let (zero, others, _lines) = joined(&[1]);
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let _line = zero.line(2, listener.accept().unwrap().0).unwrap();
        drop(stream);
        until(|| others[0].check().is_err());
        let expected = "process 2 (two:1) is gone";
        assert_eq!(others[0].check().unwrap_err().to_string(), expected);
    }

    #[test]
    fn garbage_on_a_line_is_a_fault() {
        let zero = Watch::new(0, &addresses());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let mut stream = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let _line = zero.line(1, listener.accept().unwrap().0).unwrap();
        stream.write_all(&[b'x'; 2 * LONGEST as usize]).unwrap();
        until(|| zero.check().is_err());
        assert!(zero.check().unwrap_err().to_string().contains("sends what no process sends"));
    }

    #[test]
    fn a_complete_build_ends_quietly() {
        let (zero, others, lines) = joined(&[1, 2]);
        // One is ready a little before the others.
        others[1].complete();
        thread::sleep(Duration::from_millis(100));
        zero.complete();
        others[0].complete();
        lines.into_iter().for_each(Line::end);
        for watch in [&zero, &others[0], &others[1]] {
            watch.check().unwrap();
            assert!(watch.wait(Duration::ZERO));
        }
    }
}
