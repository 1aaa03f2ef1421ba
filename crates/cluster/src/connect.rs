//! Finding the other processes: each listens on its own address, calls those with lower numbers, and
//! waits for those with higher ones. Strangers are turned away.

use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use crate::greeting::{Greeter, Purpose, Refused};
use crate::hosts::Host;
use crate::watch::{Fault, Line, Watch};

/// The time for a greeting.
const GREETING: Duration = Duration::from_secs(5);

/// The time between two calls.
const AGAIN: Duration = Duration::from_millis(200);

/// Greetings at the same time.
const GUESTS: usize = 64;

/// Connections to all other processes.
pub struct Connections {
    /// For cells, by number of the process; `None` for this one.
    pub data: Vec<Option<TcpStream>>,
    /// For signs of life.
    pub lines: Vec<Line>,
}

/// Why processes did not meet.
#[derive(Debug, thiserror::Error)]
pub enum Unmet {
    /// One did not come, or does not belong here.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Process 0 has completed the table already.
    #[error("the table is complete already")]
    Complete,
}

/// A process among others.
pub struct Party<'a> {
    /// All processes.
    pub hosts: &'a [Host],
    /// How this one greets.
    pub greeter: Arc<Greeter>,
    /// The state of all processes.
    pub watch: &'a Watch,
    /// How long the others may take to come.
    pub patience: Duration,
    /// Called with a sentence about what happens.
    pub note: &'a (dyn Fn(&str) + Sync),
}

/// A connection that has been greeted, or that was refused.
type Guest = (SocketAddr, Result<(usize, Purpose, TcpStream), (Option<usize>, Refused)>);

impl Party<'_> {
    /// Connects all processes.
    ///
    /// If process 0 has completed the table, it waits until all others know.
    ///
    /// # Errors
    /// If one does not come, or does not belong here, or the table is complete.
    pub fn meet(&self) -> Result<Connections, Unmet> {
        let deadline = Instant::now() + self.patience;
        let (send, received) = mpsc::channel();
        let guests = Guests { received: send, count: Arc::default(), done: Arc::default() };
        let mut met = Connections { data: Vec::new(), lines: Vec::new() };
        met.data.resize_with(self.hosts.len(), || None);
        let ended = self.meet_all(&guests, &received, &mut met, deadline);
        guests.done.store(true, Ordering::Relaxed);
        match ended {
            Ok(()) => Ok(met),
            Err(unmet) => {
                // The processes that have connected hear why.
                met.lines.into_iter().for_each(Line::end);
                Err(unmet)
            }
        }
    }

    fn meet_all(
        &self,
        guests: &Guests,
        received: &Receiver<Guest>,
        met: &mut Connections,
        deadline: Instant,
    ) -> Result<(), Unmet> {
        let me = self.greeter.me;
        if me + 1 < self.hosts.len() {
            let cannot = |error| self.fault(me, &format!("cannot listen on its address: {error}"));
            self.listen(guests).map_err(cannot)?;
        }
        if me > 0 {
            let stream = self.call(0, Purpose::Watch, deadline)?;
            met.lines.push(self.line(0, stream)?);
        }
        for other in 0..me {
            met.data[other] = Some(self.call(other, Purpose::Data, deadline)?);
        }
        self.receive(received, met, deadline)?;
        if self.greeter.complete { Err(Unmet::Complete) } else { Ok(()) }
    }

    /// Notes that a process has failed; the fault that ends the build, which may be an earlier one.
    fn fault(&self, process: usize, why: &str) -> Fault {
        self.watch.fail(process, why);
        let address = self.hosts.get(process).map_or(String::new(), |host| host.address.clone());
        let fault = Fault { process, address, why: why.to_owned() };
        self.watch.check().err().unwrap_or(fault)
    }

    fn line(&self, other: usize, stream: TcpStream) -> Result<Line, Fault> {
        self.watch.line(other, stream).map_err(|error| self.fault(other, &format!("has {error}")))
    }

    /// Calls a process until it answers.
    fn call(&self, other: usize, purpose: Purpose, deadline: Instant) -> Result<TcpStream, Unmet> {
        let address = &self.hosts[other].address;
        let mut noted = false;
        loop {
            self.watch.check()?;
            let error = match reach(address).map_err(Refused::Broken).and_then(|stream| {
                let mut timed = Timed::new(&stream);
                self.greeter.call(&mut timed, other, purpose)?;
                timed.end()?;
                Ok(stream)
            }) {
                Ok(stream) => return Ok(stream),
                Err(Refused::Broken(error)) => error,
                Err(Refused::Complete) => return Err(Unmet::Complete),
                Err(refused) => return Err(self.fault(other, &refused.to_string()).into()),
            };
            if Instant::now() >= deadline {
                let patience = self.patience.as_secs();
                let why = format!("did not come in {patience} s: {error}");
                return Err(self.fault(other, &why).into());
            }
            if !noted {
                let unknown = self.unknown(other);
                (self.note)(&format!("waiting for process {other} ({address}){unknown}"));
                noted = true;
            }
            thread::sleep(AGAIN);
        }
    }

    /// Why the name of a process cannot be found, if so.
    fn unknown(&self, process: usize) -> String {
        match self.hosts[process].address.to_socket_addrs() {
            Ok(_) => String::new(),
            Err(error) => format!(", whose name this machine does not know: {error}"),
        }
    }

    /// Listens on this process's address until `done`.
    fn listen(&self, guests: &Guests) -> io::Result<()> {
        let addresses: Vec<_> = self.hosts[self.greeter.me].address.to_socket_addrs()?.collect();
        let listener = TcpListener::bind(&addresses[..])?;
        listener.set_nonblocking(true)?;
        let (greeter, guests) = (Arc::clone(&self.greeter), guests.clone());
        let listen = move || {
            while !guests.done.load(Ordering::Relaxed) {
                match listener.accept() {
                    Ok((stream, from)) => guests.welcome(&greeter, stream, from),
                    // Nobody called, or the caller is gone.
                    Err(_) => thread::sleep(Duration::from_millis(20)),
                }
            }
        };
        thread::Builder::new().name("listen".to_owned()).spawn(listen)?;
        Ok(())
    }

    /// Waits for the processes with higher numbers.
    fn receive(
        &self,
        received: &Receiver<Guest>,
        met: &mut Connections,
        deadline: Instant,
    ) -> Result<(), Fault> {
        let me = self.greeter.me;
        let (mut came, mut noted, mut until) = (BTreeSet::new(), false, None);
        loop {
            if let Err(fault) = self.watch.check() {
                // Process 0 waits a little for the others, so that they hear of it.
                let until = *until.get_or_insert(Instant::now() + GREETING);
                if me > 0 || came.len() + 1 == self.hosts.len() || Instant::now() >= until {
                    return Err(fault);
                }
            }
            let missing = (me + 1..self.hosts.len())
                .find(|other| met.data[*other].is_none() || me == 0 && !came.contains(other));
            let Some(missing) = missing else { return Ok(()) };
            match received.recv_timeout(AGAIN) {
                Ok((_, Ok((other, Purpose::Data, stream)))) => met.data[other] = Some(stream),
                Ok((_, Ok((other, Purpose::Watch, stream)))) => {
                    came.insert(other);
                    match self.greeter.complete {
                        // It knows now, and does not call again.
                        true => met.data[other] = Some(stream),
                        false => met.lines.push(self.line(other, stream)?),
                    }
                }
                Ok((from, Err((claimed, refused)))) => {
                    came.extend(self.refuse(from, claimed, &refused));
                }
                Err(_) if Instant::now() >= deadline => {
                    let patience = self.patience.as_secs();
                    let why = format!("did not come in {patience} s{}", self.unknown(missing));
                    return Err(self.fault(missing, &why));
                }
                Err(_) if !noted => {
                    let address = &self.hosts[missing].address;
                    let unknown = self.unknown(missing);
                    (self.note)(&format!("waiting for process {missing} ({address}){unknown}"));
                    noted = true;
                }
                Err(_) => {}
            }
        }
    }

    /// A caller was refused. If it is a process of this build, the build fails; returns its number.
    fn refuse(&self, from: SocketAddr, claimed: Option<usize>, refused: &Refused) -> Option<usize> {
        let lives_there = |process: usize| {
            let addresses = self.hosts[process].address.to_socket_addrs();
            addresses.is_ok_and(|mut all| all.any(|address| address.ip() == from.ip()))
        };
        let process = claimed.filter(|process| match refused {
            // It knows the secret.
            Refused::Place(_) | Refused::Differs(_) => true,
            Refused::Secret => lives_there(*process),
            _ => false,
        });
        match process {
            Some(process) => self.watch.fail(process, refused.to_string()),
            None => (self.note)(&format!("turned away {from}, who {refused}")),
        }
        process
    }
}

/// Callers, each greeted on a thread of its own.
#[derive(Clone)]
struct Guests {
    received: Sender<Guest>,
    count: Arc<AtomicUsize>,
    /// All have come.
    done: Arc<AtomicBool>,
}

impl Guests {
    fn welcome(&self, greeter: &Arc<Greeter>, stream: TcpStream, from: SocketAddr) {
        // Others call again.
        if self.count.fetch_add(1, Ordering::Relaxed) >= GUESTS {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let (greeter, guests) = (Arc::clone(greeter), self.clone());
        let greet = move || {
            let _ = guests.received.send((from, greeted(&greeter, stream)));
            guests.count.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().spawn(greet).is_err() {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Greets a caller.
fn greeted(
    greeter: &Greeter,
    stream: TcpStream,
) -> Result<(usize, Purpose, TcpStream), (Option<usize>, Refused)> {
    let broken = |error| (None, Refused::Broken(error));
    stream.set_nonblocking(false).map_err(broken)?;
    let mut timed = Timed::new(&stream);
    let (other, purpose) = greeter.listen(&mut timed)?;
    timed.end().map_err(broken)?;
    Ok((other, purpose, stream))
}

/// Connects to the first of a process's addresses that answers.
fn reach(address: &str) -> io::Result<TcpStream> {
    let mut last = None;
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, GREETING) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| io::Error::from(io::ErrorKind::AddrNotAvailable)))
}

/// A connection on which all must be said within the time for a greeting.
struct Timed<'a> {
    stream: &'a TcpStream,
    deadline: Instant,
}

impl<'a> Timed<'a> {
    fn new(stream: &'a TcpStream) -> Timed<'a> {
        Timed { stream, deadline: Instant::now() + GREETING }
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        match self.deadline.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(io::Error::from(io::ErrorKind::TimedOut)),
            left => Ok(Some(left)),
        }
    }

    fn end(&self) -> io::Result<()> {
        self.stream.set_read_timeout(None)?;
        self.stream.set_write_timeout(None)
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        (&mut &*self.stream).read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        (&mut &*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
