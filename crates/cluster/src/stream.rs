//! A connection for cells, as timely uses it. Timely's threads panic if a connection breaks. Here they wait
//! instead, until the build has ended: the [`Watch`] names the process that failed.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::networking::MessageHeader;

use crate::watch::Watch;

/// A connection that is closed for so long, while the build goes on, is broken.
const CLOSED: Duration = Duration::from_secs(10);

/// The last message of timely on a connection: a header of zeros.
const FAREWELL: usize = size_of::<MessageHeader>();

/// A connection to a process.
pub struct Wire {
    stream: TcpStream,
    other: usize,
    watch: Watch,
    /// How many of the last bytes that were read are zeros, up to [`FAREWELL`].
    zeros: usize,
}

impl Wire {
    pub fn new(stream: TcpStream, other: usize, watch: Watch) -> Wire {
        // A barrier is a few small messages that wait for each other. Without this, which only costs
        // packets, each takes up to 40 ms.
        let _ = stream.set_nodelay(true);
        Wire { stream, other, watch, zeros: 0 }
    }

    /// Waits until the build is complete. If it fails, it never returns: what timely would do with half
    /// of a stream is a panic.
    fn closed(&self, why: &str) {
        if !self.watch.wait(CLOSED) {
            self.watch.fail(self.other, why);
            loop {
                std::thread::park();
            }
        }
    }
}

impl Read for Wire {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.stream.read(bytes) {
                Ok(0) if self.zeros == FAREWELL => {}
                Ok(0) => self.closed("has closed its connection"),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => self.closed(&format!("cannot be heard: {error}")),
                Ok(read) => {
                    let zeros = bytes[..read].iter().rev().take_while(|byte| **byte == 0).count();
                    let before = if zeros == read { self.zeros } else { 0 };
                    self.zeros = (before + zeros).min(FAREWELL);
                    return Ok(read);
                }
            }
            return Ok(0);
        }
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        loop {
            match self.stream.write(bytes) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Ok(written @ 1..) => return Ok(written),
                Ok(0) => self.closed("takes nothing more"),
                Err(error) => self.closed(&format!("cannot be reached: {error}")),
                #[allow(
                    unreachable_patterns,
                    reason = "the compiler does not see that 1.. and 0 are all"
                )]
                Ok(_) => {}
            }
            if self.watch.wait(Duration::ZERO) {
                return Ok(bytes.len());
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        let stream = self.stream.try_clone()?;
        Ok(Wire::new(stream, self.other, self.watch.clone()))
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        // The other side may be gone already.
        let _ = self.stream.shutdown(how);
        Ok(())
    }
}
