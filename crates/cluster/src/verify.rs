//! Checking a table with many processes. After each layer every process sends what it found in its share to
//! process 0, which sends the sum back, each a line of JSON.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::ops::Range;
use std::sync::Mutex;
use std::time::Duration;

use foregone::check::{Finding, Sharing};
use foregone::record::threads::lock;
use serde::{Deserialize, Serialize};

use crate::watch::{Fault, Watch, is_timeout};

/// The longest line in bytes.
const LONGEST: usize = 4096;

/// The time between two looks at whether a process has failed.
const LOOK: Duration = Duration::from_millis(200);

/// A layer, and what was found in it.
#[derive(Serialize, Deserialize)]
struct Found {
    layer: u32,
    finding: Finding,
}

/// One process of many that check a table.
pub struct Checker {
    me: usize,
    /// By process, its share of the work.
    weights: Vec<f64>,
    watch: Watch,
    /// To all others from process 0, to process 0 from all others.
    streams: Mutex<Vec<(usize, TcpStream)>>,
}

impl Checker {
    /// Process `me`, with connections to the others by their numbers. `weights` are the shares of the work.
    ///
    /// # Errors
    /// If a connection cannot be prepared.
    pub fn new(
        me: usize,
        weights: Vec<f64>,
        watch: Watch,
        sockets: Vec<Option<TcpStream>>,
    ) -> io::Result<Checker> {
        let mut streams = Vec::new();
        for (other, stream) in sockets.into_iter().enumerate() {
            if let Some(stream) = stream.filter(|_| me == 0 || other == 0) {
                stream.set_nodelay(true)?;
                stream.set_read_timeout(Some(LOOK))?;
                streams.push((other, stream));
            }
        }
        Ok(Checker { me, weights, watch, streams: Mutex::new(streams) })
    }

    /// Where the share of a process begins, of `size` numbers.
    fn begin(&self, process: usize, size: u64) -> u64 {
        let all: f64 = self.weights.iter().sum();
        match process >= self.weights.len() {
            true => size,
            false => {
                let before: f64 = self.weights[..process].iter().sum();
                size.min((size as f64 * (before / all)) as u64)
            }
        }
    }

    fn send(&self, other: usize, mut stream: &TcpStream, found: &Found) -> Result<(), Fault> {
        let mut line = serde_json::to_vec(found).unwrap_or_default();
        line.push(b'\n');
        stream.write_all(&line).map_err(|error| self.gone(other, &error))
    }

    /// What a process has found in a layer; waits for it.
    fn receive(&self, other: usize, mut stream: &TcpStream, layer: u32) -> Result<Finding, Fault> {
        let mut line = Vec::new();
        loop {
            self.watch.check()?;
            let mut byte = [0];
            match stream.read(&mut byte) {
                Ok(1) if byte[0] != b'\n' && line.len() < LONGEST => line.extend(byte),
                Ok(1) => match serde_json::from_slice(&line) {
                    Ok(Found { layer: of, finding }) if of == layer => return Ok(finding),
                    _ => return Err(self.failed(other, "sends what no process sends")),
                },
                Ok(_) => return Err(self.gone(other, &io::ErrorKind::UnexpectedEof.into())),
                Err(error) if is_timeout(&error) || error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(self.gone(other, &error)),
            }
        }
    }

    /// A connection broke. The watch soon knows why.
    fn gone(&self, other: usize, error: &io::Error) -> Fault {
        self.watch.wait(crate::watch::SILENT);
        self.failed(other, &format!("broke the connection: {error}"))
    }

    /// The fault that ends the check: an earlier one, or this.
    fn failed(&self, other: usize, why: &str) -> Fault {
        self.watch.fail(other, why);
        let fault = Fault { process: other, address: String::new(), why: why.to_owned() };
        self.watch.check().err().unwrap_or(fault)
    }

    fn exchange(&self, layer: u32, own: Finding) -> Result<Finding, Fault> {
        self.watch.begin(layer);
        let streams = lock(&self.streams);
        if self.me > 0 {
            let [(zero, stream)] = &streams[..] else {
                return Err(self.failed(0, "is not connected"));
            };
            self.send(*zero, stream, &Found { layer, finding: own })?;
            return self.receive(*zero, stream, layer);
        }
        let mut sum = own;
        for (other, stream) in &*streams {
            sum = sum.and(self.receive(*other, stream, layer)?);
        }
        let found = Found { layer, finding: sum };
        streams.iter().try_for_each(|(other, stream)| self.send(*other, stream, &found))?;
        Ok(sum)
    }
}

impl Sharing for Checker {
    fn share(&self, size: u64) -> Range<u64> {
        self.begin(self.me, size)..self.begin(self.me + 1, size)
    }

    fn leads(&self, layer: u32) -> bool {
        layer as usize % self.weights.len() == self.me
    }

    fn joined(&self, layer: u32, own: Finding) -> io::Result<Finding> {
        self.exchange(layer, own).map_err(io::Error::other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every number is in one share, whatever the weights.
    #[test]
    fn shares_cover_a_layer() {
        for weights in [vec![1.0], vec![1.0; 7], vec![0.1, 0.7, 3.0], vec![1e-9, 1.0, 1e9]] {
            let watch = Watch::new(0, &[]);
            let checker = |me| {
                let sockets = Vec::new();
                Checker::new(me, weights.clone(), watch.clone(), sockets).unwrap()
            };
            for size in [0, 1, 2, 6, 1000, (1 << 60) + 7] {
                let mut end = 0;
                for share in (0..weights.len()).map(|me| checker(me).share(size)) {
                    assert_eq!(share.start, end);
                    end = share.end;
                }
                assert_eq!(end, size);
            }
            assert_eq!((0..weights.len()).filter(|me| checker(*me).leads(5)).count(), 1);
        }
    }
}
