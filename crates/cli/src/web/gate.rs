//! Which requests are answered. A page of any site can make a browser send requests to this server, so
//! two things are checked first. The request must name a host of this server: a site whose own name
//! resolves to this machine (DNS rebinding) cannot fake that. And the browser must not say that
//! another site asks.
//!
//! Refusals are problems, for pages too.

use std::net::{IpAddr, SocketAddr};
use std::str::FromStr;
use std::sync::Arc;

use axum::body::HttpBody;
use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::Response;

use super::hosting::Hosting;
use super::problem::Problem;
use super::reply::is_api;

/// The port of a request without one.
const USUAL_PORT: u16 = 80;

/// The address of the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// A host that requests may name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Host {
    name: Name,
    /// `None` for all ports.
    port: Option<u16>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Name {
    Ip(IpAddr),
    /// In lower case.
    Text(String),
}

impl Name {
    fn of(authority: &Authority) -> Name {
        let host = authority.host();
        let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        match address.unwrap_or(host).parse::<IpAddr>() {
            Ok(ip) => Name::Ip(ip.to_canonical()),
            Err(_) => Name::Text(host.to_ascii_lowercase()),
        }
    }
}

impl FromStr for Host {
    type Err = String;

    /// Reads a name or an address, with or without a port.
    fn from_str(text: &str) -> Result<Host, String> {
        let expected = "expected a name or an address, such as example.org, example.org:8443 or \
                        [::1]:8080";
        let authority = Authority::from_str(text).map_err(|_| expected.to_owned())?;
        let plain = !authority.host().is_empty() && !text.contains('@') && !text.ends_with(':');
        match plain {
            true => Ok(Host { name: Name::of(&authority), port: authority.port_u16() }),
            false => Err(expected.to_owned()),
        }
    }
}

/// The hosts that requests may name, and the trusted proxies.
#[derive(Clone, Debug)]
pub struct Gate {
    pub hosting: Hosting,
    hosts: Vec<Host>,
    /// Whether any IP address may belong to this machine.
    any_address: bool,
}

impl Gate {
    /// The gate of a server that listens on `address`.
    pub fn new(listens: SocketAddr, hosting: Hosting) -> Gate {
        let port = listens.port();
        let of = |name| Host { name, port: Some(port) };
        let loopback = [IpAddr::from([127, 0, 0, 1]), IpAddr::from([0, 0, 0, 0, 0, 0, 0, 1])];
        let own = [
            of(Name::Ip(listens.ip().to_canonical())),
            of(Name::Text("localhost".to_owned())),
            of(Name::Ip(loopback[0])),
            of(Name::Ip(loopback[1])),
        ];
        let hosts = own.into_iter().chain(hosting.hosts.iter().cloned()).collect();
        Gate { hosting, hosts, any_address: listens.ip().is_unspecified() }
    }

    /// Whether this is a host of the server.
    fn knows(&self, authority: &Authority) -> bool {
        let name = Name::of(authority);
        let port = authority.port_u16().unwrap_or(USUAL_PORT);
        // In a container, the port outside may be another one; no other site can have such a name.
        let is_local = name == Name::Text("localhost".to_owned());
        let address = self.any_address && (is_local || matches!(name, Name::Ip(_)));
        let named = |host: &Host| host.name == name && host.port.is_none_or(|only| only == port);
        let no_user = !authority.as_str().contains('@');
        no_user && (address || self.hosts.iter().any(named))
    }

    /// Refuses requests that name another host.
    fn check_host(&self, uri: &Uri, headers: &HeaderMap) -> Result<(), Problem> {
        let mut all = headers.get_all(header::HOST).iter();
        let (Some(host), None) = (all.next(), all.next()) else {
            return Err(Problem::wrong("expected exactly one header field Host"));
        };
        let host = Authority::try_from(host.as_bytes()).ok();
        let known = host.as_ref().is_some_and(|host| self.knows(host));
        // A complete address in the request line takes precedence over the header.
        if known && uri.authority().is_none_or(|authority| self.knows(authority)) {
            return Ok(());
        }
        let detail = "the request names a host that this server does not have: use the address that \
                      `foregone serve` printed, or start it with --host NAME";
        Err(Problem::new(StatusCode::MISDIRECTED_REQUEST, detail))
    }
}

/// Refuses requests of other sites through a browser, except links to pages, and questions of sites that may ask
/// the API. A link may not start work (`wait`), which only our pages ask for.
fn check_site(uri: &Uri, headers: &HeaderMap, hosting: &Hosting) -> Result<(), Problem> {
    let says = |name: &str, value: &str| headers.get(name).is_some_and(|text| text == value);
    let free = uri.path().starts_with("/assets/") || is_api(uri) && hosting.lets_ask(headers);
    if free || !says("sec-fetch-site", "cross-site") {
        return Ok(());
    }
    let framed = says("sec-fetch-dest", "iframe") && !hosting.frames.is_empty();
    let whole =
        framed || says("sec-fetch-dest", "document") || headers.get("sec-fetch-dest").is_none();
    let link = says("sec-fetch-mode", "navigate") && whole;
    let query = uri.query().unwrap_or_default();
    let works = form_urlencoded::parse(query.as_bytes()).any(|(name, _)| name == "wait");
    match link && !is_api(uri) && !works {
        true => Ok(()),
        false => Err(Problem::new(
            StatusCode::FORBIDDEN,
            "another site asks for this through a browser: other sites may only link to pages",
        )),
    }
}

/// Refuses requests with content: no question has any, and it would hide the end of the connection.
fn check_content(request: &Request) -> Result<(), Problem> {
    // Browsers ask by OPTIONS whether a site may ask.
    let asks = [Method::GET, Method::HEAD, Method::OPTIONS].contains(request.method());
    match asks && !request.body().is_end_stream() {
        true => Err(Problem::wrong(
            "a request must have no content: put the parameters into the address",
        )),
        false => Ok(()),
    }
}

/// Checks a request.
pub async fn guard(
    State(gate): State<Arc<Gate>>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    gate.check_host(request.uri(), request.headers())?;
    check_site(request.uri(), request.headers(), &gate.hosting)?;
    check_content(&request)?;
    Ok(next.run(request).await)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knows(gate: &Gate, host: &str) -> bool {
        host.parse().is_ok_and(|host| gate.knows(&host))
    }

    #[test]
    fn only_names_of_the_server_are_known() {
        let gate = Gate::new("192.0.2.7:8080".parse().unwrap(), Hosting::default());
        for host in ["192.0.2.7:8080", "localhost:8080", "LocalHost:8080", "[::1]:8080"] {
            assert!(knows(&gate, host), "{host}");
        }
        for host in [
            "192.0.2.7",
            "192.0.2.8:8080",
            "localhost",
            "localhost:80",
            "localhost.example:8080",
            "example:8080",
            "localhost:8080@example:8080",
            "a@localhost:8080",
            "",
            ":8080",
        ] {
            assert!(!knows(&gate, host), "{host}");
        }
        // Port 80 need not be named.
        let gate = Gate::new("127.0.0.1:80".parse().unwrap(), Hosting::default());
        assert!(knows(&gate, "localhost") && knows(&gate, "127.0.0.1:80"));
    }

    #[test]
    fn other_names_can_be_added() {
        let others = ["Example.org", "example.net:8443", "[2001:db8::1]:443"];
        let others: Vec<Host> = others.iter().map(|host| host.parse().unwrap()).collect();
        let gate = Gate::new(
            "127.0.0.1:8080".parse().unwrap(),
            Hosting { hosts: others.clone(), ..Hosting::default() },
        );
        for host in ["example.org", "EXAMPLE.ORG:9", "example.net:8443", "[2001:db8:0::1]:443"] {
            assert!(knows(&gate, host), "{host}");
        }
        for host in ["example.net", "example.net:8080", "a.example.org", "[2001:db8::1]"] {
            assert!(!knows(&gate, host), "{host}");
        }
        for odd in ["", "a b", "http://example.org", "a/b", "me@example.org", "example.org:"] {
            assert!(odd.parse::<Host>().is_err(), "{odd}");
        }
    }

    #[test]
    fn any_address_is_known_where_all_are_listened_at() {
        for listens in ["0.0.0.0:8080", "[::]:8080"] {
            let gate = Gate::new(listens.parse().unwrap(), Hosting::default());
            assert!(knows(&gate, "192.0.2.7:8080") && knows(&gate, "[2001:db8::1]:8080"));
            // In a container, the port outside may be another one.
            assert!(knows(&gate, "192.0.2.7:81") && knows(&gate, "localhost:9000"));
            assert!(!knows(&gate, "example.org:8080") && !knows(&gate, "localhost.example:8080"));
        }
    }
}
