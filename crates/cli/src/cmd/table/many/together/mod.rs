//! Many processes that build or check one table: `--hosts` and `--processes`.

mod build;
mod children;
mod shown;
mod verify;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::Context;
use foregone::control::Halted;
use foregone::record::format::checksum::Checksum;
use foregone_cluster::{Agreed, Connections, Greeter, Host, Party, Unmet, Watch, hosts};

pub use build::build;
use children::Children;
use shown::Shown;

use crate::args::{Refused, number, time};

#[derive(clap::Args)]
#[command(next_help_heading = "Many processes")]
pub struct Together {
    /// Work together with other processes: a file with the address of each, one host:port a line, and
    /// its weight after it if machines differ
    #[arg(long, value_name = "FILE", group = "many")]
    hosts: Option<PathBuf>,
    /// The number of this process: its place in the file of hosts, from 0 [default: SLURM_PROCID,
    /// JOB_COMPLETION_INDEX, or the number at the end of a Kubernetes pod's name]
    #[arg(long, value_name = "K", requires = "hosts", conflicts_with = "processes",
          value_parser = process)]
    process: Option<usize>,
    /// A file with a secret that all processes share
    #[arg(long, value_name = "FILE", requires = "hosts", conflicts_with = "processes")]
    secret_file: Option<PathBuf>,
    /// How long to wait for the other processes
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = time, requires = "hosts",
          conflicts_with = "processes")]
    patience: Duration,
    /// Work with N processes on this machine
    #[arg(long, value_name = "N", value_parser = number(1..=256_u16),
          group = "many")]
    processes: Option<u16>,
}

/// Longest file of a secret in bytes.
const LONGEST_SECRET: usize = 4096;

/// Longest file of hosts in bytes.
const LONGEST_HOSTS: usize = 1 << 20;

/// How often progress is shown on a terminal.
const OFTEN: Duration = Duration::from_millis(100);

impl Together {
    /// Whether several processes were asked for.
    pub fn wanted(&self) -> bool {
        self.hosts.is_some() || self.processes.is_some_and(|processes| processes > 1)
    }

    /// The processes that were asked for. Those on this machine are not started yet.
    fn team(&self) -> anyhow::Result<Team> {
        if let Some(count) = self.processes {
            let children = Children::prepare(count.into())?;
            let (hosts, secret) = (children.hosts().to_vec(), children.secret());
            let place = Place::new(hosts, 0, secret, self.patience, true);
            return Ok(Team { place, children: Some(children) });
        }
        let file = self.hosts.as_deref().unwrap_or(Path::new(""));
        let named = || format!("the file of hosts, {}", file.display());
        let bytes = bounded(file, LONGEST_HOSTS, &named())?;
        let text = String::from_utf8(bytes)
            .map_err(|_| Refused(format!("{}: expected text in UTF-8", named())))?;
        let hosts = hosts(&text).map_err(|wrong| Refused(format!("{}: {wrong}", named())))?;
        let me = self.process.map_or_else(|| own_number(&|name| std::env::var(name).ok()), Ok)?;
        if me >= hosts.len() {
            let max = hosts.len() - 1;
            let message =
                format!("this is process {me}, but {} names only processes 0 to {max}", named());
            return Err(Refused(message).into());
        }
        let secret = match &self.secret_file {
            Some(file) => secret(file)?,
            None => Vec::new(),
        };
        let alone = |host: &Host| {
            host.address.starts_with("127.") || host.address.starts_with("localhost:")
        };
        if secret.is_empty() && !hosts.iter().all(alone) {
            anstream::eprintln!(
                "note: without --secret-file, whoever reaches the ports of these hosts can take part"
            );
        }
        let place = Place::new(hosts, me, secret, self.patience, false);
        Ok(Team { place, children: None })
    }
}

/// All processes of a job, as one of them sees them.
struct Team {
    place: Place,
    /// The other processes, if this one starts them.
    children: Option<Children>,
}

impl Team {
    /// Why this process cannot take part, if so: it says so at once, and meets the others to tell them.
    fn announced(&self, refusal: Result<(), Refused>) -> Result<Option<Refused>, Refused> {
        match refusal {
            Err(refusal) if self.children.is_none() => {
                let others = "the others hear of it as they come";
                anstream::eprintln!("process {}: {refusal} ({others})", self.place.me);
                Ok(Some(refusal))
            }
            refusal => refusal.map(|()| None),
        }
    }

    /// Starts the other processes on this machine; `command` adds their arguments.
    fn start(&mut self, command: impl Fn(&mut Command)) -> anyhow::Result<()> {
        self.children.as_mut().map_or(Ok(()), |children| children.start(command))
    }

    /// Does this process's work, while `look` shows progress and says whether to go on.
    fn attend<T: Send>(
        &mut self,
        work: impl FnOnce(&Place) -> anyhow::Result<T> + Send,
        mut look: impl FnMut(&Watch) -> Result<(), Halted>,
    ) -> anyhow::Result<T> {
        let Team { place, children } = self;
        let place = &*place;
        let Place { me, watch, .. } = place;
        thread::scope(|scope| {
            let work = scope.spawn(move || work(place));
            while !work.is_finished() {
                thread::sleep(OFTEN);
                if look(watch).is_err() {
                    watch.fail(*me, "was stopped");
                }
                if let Some((child, why)) = children.as_mut().and_then(Children::gone) {
                    watch.fail(child, why);
                }
            }
            let fault = |_| Err(anyhow::anyhow!("internal error: this process panicked"));
            work.join().unwrap_or_else(fault)
        })
    }
}

/// All processes, and which of them this is.
struct Place {
    hosts: Vec<Host>,
    me: usize,
    secret: Vec<u8>,
    patience: Duration,
    /// Whether to leave out notes on what it waits for, and that it is done.
    quiet: bool,
    watch: Watch,
}

impl Place {
    fn new(hosts: Vec<Host>, me: usize, secret: Vec<u8>, patience: Duration, quiet: bool) -> Place {
        let addresses: Vec<_> = hosts.iter().map(|host| host.address.clone()).collect();
        Place { watch: Watch::new(me, &addresses), hosts, me, secret, patience, quiet }
    }

    fn is_first(&self) -> bool {
        self.me == 0
    }

    /// By process, its share of the work.
    fn weights(&self) -> Vec<f64> {
        self.hosts.iter().map(|host| host.weight).collect()
    }

    /// What all processes have to agree on; `job` says what they do.
    fn agreed(&self, job: String, threads: u16) -> anyhow::Result<Agreed> {
        let program = std::fs::read(std::env::current_exe()?)?;
        let host = |host: &Host| format!("{} {}", host.address, host.weight);
        let hosts: Vec<_> = self.hosts.iter().map(host).collect();
        Ok(Agreed {
            program: format!("{} ({})", env!("CARGO_PKG_VERSION"), Checksum::of(&program)),
            job,
            // Long lists would not fit into a greeting.
            hosts: match hosts.len() {
                ..=8 => hosts.join(", "),
                count => format!("{count}, checksum {}", Checksum::of(hosts.join(",").as_bytes())),
            },
            threads: threads.into(),
        })
    }

    /// Tells people where the work of this process stands.
    fn note(&self, text: &str) {
        if !self.quiet {
            anstream::eprintln!("process {}: {text}", self.me);
        }
    }

    /// Meets the others. `complete` says that the work is done already.
    fn meet(&self, agreed: Agreed, complete: bool) -> Result<Connections, Unmet> {
        let Place { hosts, me, secret, patience, watch, .. } = self;
        let secret = secret.clone();
        let greeter = Greeter { me: *me, processes: hosts.len(), secret, agreed, complete };
        let note = |text: &str| self.note(text);
        let greeter = std::sync::Arc::new(greeter);
        Party { hosts, greeter, watch, patience: *patience, note: &note }.meet()
    }
}

/// Reads a file of at most `max` bytes.
fn bounded(file: &Path, max: usize, named: &str) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let read = File::open(file).and_then(|file| file.take(max as u64 + 1).read_to_end(&mut bytes));
    read.with_context(|| named.to_owned())?;
    match bytes.len() > max {
        true => Err(Refused(format!("{named}: expected at most {max} bytes")).into()),
        false => Ok(bytes),
    }
}

/// A secret from a file, without the end of its last line.
fn secret(file: &Path) -> anyhow::Result<Vec<u8>> {
    let named = format!("the secret file {}", file.display());
    let mut secret = bounded(file, LONGEST_SECRET, &named)?;
    while secret.last().is_some_and(|byte| matches!(byte, b'\n' | b'\r')) {
        secret.pop();
    }
    match secret.trim_ascii().is_empty() {
        true => Err(Refused(format!("{named}: expected a secret, found nothing")).into()),
        false => Ok(secret),
    }
}

/// Reads the number of a process.
fn process(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "expected the number of a process, from 0".to_owned())
}

/// The number of this process, as a scheduler tells it.
fn own_number(variable: &dyn Fn(&str) -> Option<String>) -> Result<usize, Refused> {
    for name in ["SLURM_PROCID", "JOB_COMPLETION_INDEX"] {
        // Some schedulers set what they do not use.
        if let Some(text) = variable(name).filter(|text| !text.is_empty()) {
            let wrong = || Refused(format!("{name} is `{text}`, expected the number of a process"));
            return text.parse().map_err(|_| wrong());
        }
    }
    let pod = variable("KUBERNETES_SERVICE_HOST").and_then(|_| variable("HOSTNAME"));
    let ordinal = pod.and_then(|name| name.rsplit_once('-')?.1.parse().ok());
    ordinal.ok_or_else(|| {
        Refused(
            "which process is this? use --process K (0 is the first of the file of hosts)".into(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedulers_tell_the_number() {
        let number = |given: &[(&str, &str)]| {
            let given: Vec<_> =
                given.iter().map(|(name, text)| (name.to_string(), text.to_string())).collect();
            own_number(&move |name| {
                given.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone())
            })
        };
        assert_eq!(number(&[("SLURM_PROCID", "3")]).unwrap(), 3);
        assert_eq!(number(&[("JOB_COMPLETION_INDEX", "0"), ("SLURM_PROCID", "")]).unwrap(), 0);
        let pod = [("KUBERNETES_SERVICE_HOST", "10.0.0.1"), ("HOSTNAME", "solver-12")];
        assert_eq!(number(&pod).unwrap(), 12);
        // A host of that name is no pod.
        assert!(number(&pod[1..]).unwrap_err().0.contains("--process"));
        assert!(number(&[("SLURM_PROCID", "x")]).unwrap_err().0.contains("SLURM_PROCID is `x`"));
        assert!(number(&[]).is_err());
    }
}
