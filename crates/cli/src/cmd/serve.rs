//! `foregone serve`: the page on which to play and analyse.

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use foregone::Registry;
use foregone::any::name_of_rules;
use foregone_page::address::Address;
use foregone_page::view::editor;
use ipnet::IpNet;

use crate::args;
use crate::terminal;
use crate::web::{self, BasePath, Host, Hosting, Limits, Origin, Proxies, PublicAddress, Server};

#[derive(clap::Args)]
pub struct Args {
    /// A game to begin with, or a file with rules, which the editor shows
    game: Option<String>,
    /// The port to listen on; 0 for any free port
    #[arg(long, default_value_t = 8080, value_parser = args::number(0..=u16::MAX))]
    port: u16,
    /// The address to listen on; the default can be reached only from this machine. With 0.0.0.0 or
    /// ::, the host of a request may be any IP address
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", value_parser = ip)]
    bind: IpAddr,
    /// A host that requests may name, besides localhost and the address to listen on: a name or an
    /// address, for all ports, or for one (NAME:PORT); can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<Host>,
    /// A proxy in front of the server, as an address or a network (10.0.0.0/8): its header
    /// X-Forwarded-For or Forwarded tells visitors apart; can be given several times
    #[arg(long = "trusted-proxy", value_name = "ADDR", value_parser = web::network)]
    proxies: Vec<IpNet>,
    /// Time limit for a question that cannot be answered at once, such as 10s
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = args::time)]
    think: Duration,
    /// Memory limit for all questions and stored results, such as 512M or 8G [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = args::size)]
    memory: Option<u64>,
    /// Number of hard questions to work on at the same time. One visitor gets all workers but one,
    /// or all if the server can be reached only from this machine [default: one for each core]
    #[arg(long, value_name = "N", value_parser = args::number(1..=1024_u16))]
    workers: Option<u16>,
    /// A folder of tables to look positions up in [default: the value of FOREGONE_TABLES]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Write every request to the standard error, slow ones as warnings
    #[arg(long, value_name = "FORMAT")]
    log: Option<LogFormat>,
    /// The path below which the page is, such as /games, if a proxy does not take it away
    #[arg(long, value_name = "PATH", default_value = "/", hide_default_value = true)]
    base_path: BasePath,
    /// The address of the page as others see it, such as https://example.org/games: links that people send then have a
    /// picture
    #[arg(long, value_name = "URL")]
    address: Option<PublicAddress>,
    /// A site whose scripts may ask the API, such as https://example.org, or *; can be given several times
    #[arg(long = "cors", value_name = "ORIGIN")]
    origins: Vec<Origin>,
    /// A site that may show the page in a frame, such as a learning platform: https://example.org; can be given several
    /// times
    #[arg(long = "frame-ancestors", value_name = "ORIGIN")]
    frames: Vec<Origin>,
    /// The most requests a second of one visitor; 0 for no limit [default: 0 if only this machine can ask, otherwise
    /// 50]
    #[arg(long, value_name = "N", value_parser = args::number(0_u32..))]
    rate: Option<u32>,
    /// Who may read /metrics besides this machine, as an address or a network; can be given several times
    #[arg(long = "metrics-for", value_name = "ADDR", value_parser = web::network)]
    metrics: Vec<IpNet>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

/// How requests are written to the log.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum LogFormat {
    /// A line for people
    Text,
    /// A JSON object a line
    Json,
}

/// The requests a second of one visitor, if others can ask.
const RATE: u32 = 50;

fn log(format: LogFormat) {
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr).with_target(false);
    match format {
        LogFormat::Text => log.with_ansi(std::io::stderr().is_terminal()).init(),
        LogFormat::Json => log.json().flatten_event(true).init(),
    }
}

/// An address without a port.
fn ip(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| match text.parse::<SocketAddr>() {
        Ok(both) => {
            format!(
                "expected an address without a port: use --bind {} --port {}",
                both.ip(),
                both.port()
            )
        }
        Err(_) => "expected an IP address, such as 127.0.0.1, 0.0.0.0 or ::1".to_owned(),
    })
}

/// The address of a game below the root, or of the editor with the rules of a file.
fn first_page(registry: &Registry, game: Option<&str>) -> anyhow::Result<String> {
    let Some(text) = game else { return Ok(String::new()) };
    match args::file_and_parameters(text)? {
        // It may have mistakes, which the editor shows.
        (file, _) if file.ends_with(args::ENDING) => {
            Ok(editor::link(&name_of_rules(&args::read_rules(file)?)))
        }
        _ => Ok(Address::new(args::game(registry, text)?.specification()).link()),
    }
}

pub fn run(registry: Registry, args: &Args) -> anyhow::Result<()> {
    let first = first_page(&registry, args.game.as_deref())?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map_or(cores, usize::from);
    // If only this machine can ask, it is one visitor, who may have all workers.
    let alone = args.bind.is_loopback() && args.proxies.is_empty();
    let share = if alone { workers } else { (workers - 1).max(1) };
    let memory = args.memory.unwrap_or_else(|| args::at_most_all(1 << 30));
    let limits = Limits { think: args.think, memory, workers, share };
    let named =
        || std::env::var_os("FOREGONE_TABLES").filter(|it| !it.is_empty()).map(PathBuf::from);
    let tables = args.tables.clone().or_else(named);
    if let Some(folder) = tables.as_ref().filter(|folder| !folder.is_dir()) {
        let message = format!("{} is not a folder", folder.display());
        return Err(args::Refused(message).into());
    }
    if let Some(format) = args.log {
        log(format);
    }
    let rate = NonZeroU32::new(args.rate.unwrap_or(if alone { 0 } else { RATE }));
    let server = Server::new(registry, limits, tables, rate);
    let address = SocketAddr::new(args.bind, args.port);
    let hosting = Hosting {
        hosts: args.hosts.clone(),
        proxies: Proxies::new(&args.proxies),
        origins: args.origins.clone(),
        frames: args.frames.clone(),
        base: args.base_path.clone(),
        address: args.address.clone(),
        metrics: args.metrics.clone(),
    };
    web::serve(server, address, hosting, |mut address| {
        let others = address.ip().is_unspecified().then(seen_from_outside).flatten();
        // A browser cannot go to "all addresses".
        address.set_ip(match address.ip() {
            IpAddr::V4(Ipv4Addr::UNSPECIFIED) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(Ipv6Addr::UNSPECIFIED) => Ipv6Addr::LOCALHOST.into(),
            one => one,
        });
        let page = |address| format!("http://{address}{}/{first}", args.base_path.as_str());
        let others = others.map(|ip| page(SocketAddr::new(ip, address.port())));
        let others = others.map_or(String::new(), |page| format!(", for other machines at {page}"));
        let page = page(address);
        let bold = terminal::bold(&page);
        // The output may be closed.
        let _ = terminal::say(&format!("Foregone is at {bold}{others} (Ctrl-C ends it)"));
        if args.open
            && let Err(error) = open::that_detached(&page)
        {
            terminal::error(
                &anyhow::Error::new(error)
                    .context("cannot open a browser: open the address yourself"),
            );
        }
    })
}

/// The address of this machine on its network, by which it would send something outside; nothing is sent.
fn seen_from_outside() -> Option<IpAddr> {
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    // An address that is kept for examples.
    socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_is_shown_and_a_file_edited() {
        let registry = Registry::standard();
        let first = |text: &str| first_page(&registry, Some(text));
        assert_eq!(first_page(&registry, None).unwrap(), "");
        assert!(first("kalah(pits=3)").unwrap().starts_with("play.html?game=kalah%28pits%3D3"));
        assert!(first("kala").unwrap_err().to_string().contains("kalah"));
        let folder = foregone_trial::Folder::new();
        let file = folder.file("my.rules");
        std::fs::write(&file, "game Mine\nboard 3 3\n# not finished").unwrap();
        assert!(first(file.to_str().unwrap()).unwrap().starts_with("rules.html?game=rules%3A"));
        assert!(first("missing.rules").is_err());
    }
}
