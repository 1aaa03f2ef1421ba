//! Visitors, who share the server. A visitor is an IPv4 address or the first half of an IPv6 address,
//! because one household or rented machine has all the rest. Behind a trusted proxy it is the address
//! that the proxy names.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use axum::http::{HeaderMap, HeaderName, header};
use ipnet::IpNet;

/// The headers in which proxies name the visitor: the usual one and the standard one.
const USUAL: HeaderName = HeaderName::from_static("x-forwarded-for");
const STANDARD: HeaderName = header::FORWARDED;

/// The header in which the page's script names the tab that it runs in, by a random number.
pub const TAB: HeaderName = HeaderName::from_static("foregone-tab");

/// A visitor, who has a share of the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Visitor(IpAddr);

impl std::fmt::Display for Visitor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl Visitor {
    /// The visitor with an address.
    pub fn at(address: IpAddr) -> Visitor {
        Visitor(match address.to_canonical() {
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
            }
            address => address,
        })
    }
}

/// A tab of a visitor: a class behind one address has many. Whoever names none shares the tab without a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tab {
    pub visitor: Visitor,
    number: u64,
}

impl Tab {
    /// The tab of a request.
    pub fn of(visitor: Visitor, headers: &HeaderMap) -> Tab {
        let number = headers.get(TAB).and_then(|name| name.to_str().ok()?.parse().ok());
        Tab { visitor, number: number.unwrap_or(0) }
    }
}

/// Proxies that are trusted to name the visitor.
#[derive(Clone, Debug, Default)]
pub struct Proxies(Vec<IpNet>);

/// Reads an address or a network of them.
pub fn network(text: &str) -> Result<IpNet, String> {
    let one = || text.parse().map(|address: IpAddr| address.to_canonical().into());
    text.parse::<IpNet>().or_else(|_| one()).map_err(|_| {
        "expected an address or a network, such as 10.0.0.1, 10.0.0.0/8 or fd00::/8".to_owned()
    })
}

impl Proxies {
    pub fn new(networks: &[IpNet]) -> Proxies {
        Proxies(networks.to_vec())
    }

    pub fn trusts(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }

    /// The address that a request over a connection from `peer` comes from, and whether that is certain: a proxy
    /// that is not trusted, or one that names nobody, hides it.
    ///
    /// A proxy writes one of the two headers, and may leave the other as the visitor wrote it. So if
    /// they disagree, both are ignored.
    pub fn asker(&self, peer: IpAddr, headers: &HeaderMap) -> (IpAddr, bool) {
        let usual = listed(headers, &USUAL, |text| split(text, ',').map(address).collect());
        let standard = listed(headers, &STANDARD, |text| split(text, ',').map(node).collect());
        match [usual, standard].map(|all| all.map(|all| self.nearest(peer, &all))) {
            [None, None] => (peer, true),
            _ if !self.trusts(peer) => (peer, false),
            [Some(one), Some(other)] if one != other => (peer, false),
            [Some(one), _] | [_, Some(one)] => one,
        }
    }

    /// The last address that is not of a trusted proxy, and whether it could be read. Anybody may have written what
    /// stands before it, or before a part that cannot be read.
    fn nearest(&self, peer: IpAddr, all: &[Option<IpAddr>]) -> (IpAddr, bool) {
        let mut nearest = peer;
        for address in all.iter().rev() {
            let Some(address) = address else { return (nearest, false) };
            nearest = *address;
            if !self.trusts(nearest) {
                break;
            }
        }
        (nearest, true)
    }
}

/// The elements of all headers with a name, in order; `None` if there is no such header.
fn listed(
    headers: &HeaderMap,
    name: &HeaderName,
    read: impl Fn(&str) -> Vec<Option<IpAddr>>,
) -> Option<Vec<Option<IpAddr>>> {
    let lines = headers.get_all(name).iter();
    let all: Vec<_> = lines.flat_map(|line| line.to_str().map_or(vec![None], &read)).collect();
    (!all.is_empty()).then_some(all)
}

/// The parts of a text between separators outside quotation marks.
fn split(text: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    text.split(move |letter| {
        let outside = !quoted;
        match letter {
            _ if escaped => escaped = false,
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            _ => {}
        }
        outside && letter == separator
    })
}

/// An address, with or without a port.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let with_port = || text.parse::<SocketAddr>().map(|address| address.ip());
    bare.parse().or_else(|_| with_port()).ok().map(|address: IpAddr| address.to_canonical())
}

/// The address for which a proxy asks, in an element of `Forwarded` (RFC 7239).
fn node(element: &str) -> Option<IpAddr> {
    let is_for = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        name.trim().eq_ignore_ascii_case("for").then(|| value.trim().trim_matches('"').to_owned())
    };
    address(&split(element, ';').find_map(is_for)?)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    /// Who asks through 10.0.0.1, where 10.0.0.0/8 and fd00::1 are trusted.
    fn behind(lines: &[(HeaderName, &str)]) -> Visitor {
        let proxies = Proxies::new(&["10.0.0.0/8", "fd00::1"].map(|text| network(text).unwrap()));
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(name, value.parse().unwrap());
        }
        let plain = proxies.asker(ip("192.0.2.9"), &headers);
        assert_eq!(plain, (ip("192.0.2.9"), headers.is_empty()));
        Visitor::at(proxies.asker(ip("::ffff:10.0.0.1"), &headers).0)
    }

    #[test]
    fn who_hides_behind_a_proxy_is_not_this_machine() {
        let proxies = Proxies::new(&[network("127.0.0.1").unwrap()]);
        let from = |lines: &[(HeaderName, &'static str)]| {
            let line = |(name, text): &(HeaderName, &'static str)| {
                (name.clone(), HeaderValue::from_static(text))
            };
            proxies.asker(ip("127.0.0.1"), &lines.iter().map(line).collect())
        };
        let here = (ip("127.0.0.1"), true);
        assert_eq!(from(&[]), here);
        let (usual, standard) = ((USUAL, "192.0.2.1"), (STANDARD, "for=192.0.2.66"));
        assert_eq!(from(std::slice::from_ref(&usual)), (ip("192.0.2.1"), true));
        assert_eq!(from(&[usual, standard]), (here.0, false));
        assert_eq!(from(&[(USUAL, "nonsense")]), (here.0, false));
        assert_eq!(from(&[(USUAL, "nonsense, 127.0.0.1")]), (here.0, false));
        assert_eq!(from(&[(USUAL, "2001:db8::5")]), (ip("2001:db8::5"), true));
    }

    #[test]
    fn the_first_half_of_an_address_of_ipv6_tells_visitors_apart() {
        let at = |text| Visitor::at(ip(text));
        assert_eq!(at("2001:db8:1:2::1"), at("2001:db8:1:2:ffff::9"));
        assert_ne!(at("2001:db8:1:2::1"), at("2001:db8:1:3::1"));
        assert_ne!(at("192.0.2.1"), at("192.0.2.2"));
        assert_eq!(at("::ffff:192.0.2.1"), at("192.0.2.1"));
        assert_ne!(at("::ffff:192.0.2.1"), at("::ffff:192.0.2.2"));
    }

    #[test]
    fn a_proxy_names_the_visitor() {
        let at = |text| Visitor::at(ip(text));
        let (usual, proxy) = (USUAL, at("10.0.0.1"));
        for (listed, visitor) in [
            ("192.0.2.1", at("192.0.2.1")),
            // What stands first is the visitor's own.
            ("192.0.2.66, 192.0.2.1", at("192.0.2.1")),
            ("192.0.2.1, 10.9.9.9,fd00::1", at("192.0.2.1")),
            ("192.0.2.1:4711", at("192.0.2.1")),
            ("2001:db8:1:2::1", at("2001:db8:1:2::")),
            ("[2001:db8:1:2::1]:99", at("2001:db8:1:2::")),
            ("10.2.3.4", at("10.2.3.4")),
            ("192.0.2.1, nonsense, 10.2.3.4", at("10.2.3.4")),
            ("nonsense", proxy),
            ("", proxy),
        ] {
            assert_eq!(behind(&[(usual.clone(), listed)]), visitor, "{listed}");
        }
        assert_eq!(behind(&[]), proxy);
        let two = [(usual.clone(), "192.0.2.1"), (usual, "192.0.2.2")];
        assert_eq!(behind(&two), at("192.0.2.2"));
    }

    #[test]
    fn the_standard_header_is_read_too() {
        let at = |text| Visitor::at(ip(text));
        for (listed, visitor) in [
            ("for=192.0.2.1", at("192.0.2.1")),
            ("for=192.0.2.66, proto=http;For=\"192.0.2.1:80\";by=10.0.0.1", at("192.0.2.1")),
            ("for=\"[2001:db8:1:2::1]:4711\"", at("2001:db8:1:2::")),
            ("for=192.0.2.1;host=\"a,b;\\\"for=1.1.1.1\", for=10.0.0.7", at("192.0.2.1")),
            ("for=192.0.2.1, for=unknown", at("10.0.0.1")),
            ("for=_hidden", at("10.0.0.1")),
            ("host=x", at("10.0.0.1")),
        ] {
            assert_eq!(behind(&[(STANDARD, listed)]), visitor, "{listed}");
        }
        // One that the proxy did not write is the visitor's own.
        let both = |usual, standard| behind(&[(USUAL, usual), (STANDARD, standard)]);
        assert_eq!(both("192.0.2.1", "for=192.0.2.1"), at("192.0.2.1"));
        assert_eq!(both("192.0.2.1", "for=192.0.2.66"), at("10.0.0.1"));
    }

    #[test]
    fn networks_are_addresses_or_ranges_of_them() {
        for (text, inside, outside) in [
            ("10.0.0.1", "10.0.0.1", "10.0.0.2"),
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.1"),
            ("::1", "::1", "::2"),
            ("fd00::/8", "fdff::1", "fe00::1"),
            ("::ffff:10.0.0.1", "10.0.0.1", "10.0.0.2"),
        ] {
            let proxies = Proxies::new(&[network(text).unwrap()]);
            assert!(proxies.trusts(ip(inside)) && !proxies.trusts(ip(outside)), "{text}");
        }
        for odd in ["", "localhost", "10.0.0.0/33", "10.0.0"] {
            assert!(network(odd).unwrap_err().contains("such as 10.0.0.1"), "{odd}");
        }
    }
}
