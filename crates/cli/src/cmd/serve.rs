//! `foregone serve`: the page on which to play and analyse.

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

use foregone::Registry;
use ipnet::IpNet;

use crate::args;
use crate::terminal;
use crate::web::{self, Host, Limits, Proxies, Service};

#[derive(clap::Args)]
pub struct Args {
    /// The port to listen on; 0 takes any that is free
    #[arg(long, default_value_t = 8080)]
    port: u16,
    /// The address to listen on; only this machine sees the usual one. At 0.0.0.0 or :: requests may
    /// name any address as their host
    #[arg(long, value_name = "IP", default_value = "127.0.0.1", value_parser = ip)]
    bind: IpAddr,
    /// Another host that requests may name, beside localhost and the address listened on: a name or
    /// an address, with any port, or with one alone (NAME:PORT); can be given several times
    #[arg(long = "host", value_name = "NAME")]
    hosts: Vec<Host>,
    /// A proxy in front of the server, as an address or a network (10.0.0.0/8): visitors, who each
    /// have a share, are then known by X-Forwarded-For or Forwarded; can be given several times
    #[arg(long = "trusted-proxy", value_name = "ADDR", value_parser = web::network)]
    proxies: Vec<IpNet>,
    /// How long to think about a position that is not solved at once
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = args::time)]
    think: Duration,
    /// Memory for all that is solved and kept, such as 512M or 8G [default: 1G]
    #[arg(long, value_name = "SIZE", value_parser = args::size)]
    memory: Option<u64>,
    /// How many hard questions to work on at once; of several workers, one is left for others than
    /// the visitor who has the rest, unless only this machine asks [default: one core is left for
    /// the rest]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    workers: Option<u16>,
    /// Look positions up in the tables in this folder [default: the one that FOREGONE_TABLES names]
    #[arg(long, value_name = "DIR")]
    tables: Option<PathBuf>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

/// An address without a port.
fn ip(text: &str) -> Result<IpAddr, String> {
    text.parse().map_err(|_| match text.parse::<SocketAddr>() {
        Ok(both) => {
            format!("expected an address alone: --bind {} --port {}", both.ip(), both.port())
        }
        Err(_) => "expected an IP address, such as 127.0.0.1, 0.0.0.0 or ::1".to_owned(),
    })
}

pub fn run(registry: Registry, args: &Args) -> anyhow::Result<()> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let workers = args.workers.map_or_else(|| (cores - 1).max(1), usize::from);
    // Where only this machine asks, it is one visitor who may have all.
    let alone = args.bind.is_loopback() && args.proxies.is_empty();
    let share = if alone { workers } else { (workers - 1).max(1) };
    let memory = args.memory.unwrap_or_else(|| args::there(1 << 30));
    let limits = Limits { think: args.think, memory, workers, share };
    let named = || std::env::var_os("FOREGONE_TABLES").map(PathBuf::from);
    let tables = args.tables.clone().or_else(named);
    if let Some(folder) = tables.as_ref().filter(|folder| !folder.is_dir()) {
        let message = format!("{} is no folder that can be read", folder.display());
        return Err(args::Refused(message).into());
    }
    let service = Service::new(registry, limits, tables);
    let address = SocketAddr::new(args.bind, args.port);
    let proxies = Proxies::new(&args.proxies);
    web::serve(service, address, &args.hosts, proxies, |address| {
        let page = format!("http://{address}/");
        // The reader of the output may have gone.
        let _ =
            terminal::say(&format!("Foregone is at {} (Ctrl-C ends it)", terminal::bold(&page)));
        if args.open
            && let Err(error) = open::that_detached(&page)
        {
            terminal::error(&anyhow::Error::new(error).context("no browser could be opened"));
        }
    })
}
