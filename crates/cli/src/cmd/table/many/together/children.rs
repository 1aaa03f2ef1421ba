//! Further processes of this program on this machine, for `foregone table build --processes`.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use foregone_cluster::Host;
use tempfile::TempDir;

/// How long children may take to end by themselves.
const LEAVING: Duration = Duration::from_secs(3);

/// Processes 1 and up.
pub struct Children {
    hosts: Vec<Host>,
    secret: String,
    /// The file of hosts and the secret.
    folder: TempDir,
    children: Vec<Option<Child>>,
}

impl Children {
    /// Finds addresses for `processes` processes, this one included.
    pub fn prepare(processes: usize) -> anyhow::Result<Children> {
        let listeners: Result<Vec<_>, _> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect();
        let addresses: Result<Vec<_>, _> =
            listeners?.iter().map(|listener| Ok(listener.local_addr()?.to_string())).collect();
        let addresses = addresses.map_err(|error: std::io::Error| error)?;
        let folder = TempDir::new()?;
        let secret = foregone_cluster::secret()?;
        fs::write(folder.path().join("hosts"), addresses.join("\n"))?;
        let mut file = tempfile::Builder::new().prefix("secret").tempfile_in(folder.path())?;
        file.write_all(secret.as_bytes())?;
        file.persist(folder.path().join("secret"))?;
        let host = |address| Host { address, weight: 1.0 };
        let hosts = addresses.into_iter().map(host).collect();
        Ok(Children { hosts, secret, folder, children: Vec::new() })
    }

    pub fn hosts(&self) -> &[Host] {
        &self.hosts
    }

    pub fn secret(&self) -> Vec<u8> {
        self.secret.clone().into_bytes()
    }

    /// Starts the other processes; `command` gives the arguments that all have.
    pub fn start(&mut self, command: impl Fn(&mut Command)) -> anyhow::Result<()> {
        let file = |name: &str| -> PathBuf { self.folder.path().join(name) };
        for process in 1..self.hosts.len() {
            let mut other = Command::new(std::env::current_exe()?);
            command(&mut other);
            other.arg("--hosts").arg(file("hosts")).arg("--secret-file").arg(file("secret"));
            other.arg("--process").arg(process.to_string());
            other.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
            self.children.push(Some(other.spawn()?));
        }
        Ok(())
    }

    /// A process that has ended with an error, and why.
    pub fn gone(&mut self) -> Option<(usize, String)> {
        for (process, place) in (1..).zip(&mut self.children) {
            let Some(child) = place else { continue };
            let Ok(Some(status)) = child.try_wait() else { continue };
            let said = place.take().and_then(|child| child.stderr).map(last_line);
            if !status.success() {
                let why = said.filter(|said| !said.is_empty());
                return Some((
                    process,
                    why.map_or_else(
                        || format!("has ended ({status})"),
                        |why| format!("says: {why}"),
                    ),
                ));
            }
        }
        None
    }
}

/// The last line of what a process wrote.
fn last_line(from: impl Read) -> String {
    let mut text = Vec::new();
    let _ = from.take(1 << 16).read_to_end(&mut text);
    let text = String::from_utf8_lossy(&text);
    text.lines().last().unwrap_or("").trim_start_matches("error: ").to_owned()
}

impl Drop for Children {
    /// Waits until all have ended, and kills those that take too long.
    fn drop(&mut self) {
        let deadline = Instant::now() + LEAVING;
        for child in self.children.iter_mut().flatten() {
            while Instant::now() < deadline && matches!(child.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(20));
            }
            if matches!(child.try_wait(), Ok(None)) {
                let _ = child.kill();
            }
            let _ = child.wait();
        }
    }
}
