//! What whoever hosts the page decides: who may ask, from where, how often, and below which path.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, Method, Uri, header};
use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use ipnet::IpNet;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::gate::Host;
use super::problem::Problem;
use super::reply::{POLICY, is_api};
use super::visitor::{Proxies, Visitor};

/// What whoever hosts the page decides.
#[derive(Clone, Debug, Default)]
pub struct Hosting {
    /// Hosts that requests may name besides the own ones.
    pub hosts: Vec<Host>,
    pub proxies: Proxies,
    /// The sites whose scripts may ask the API.
    pub origins: Vec<Origin>,
    /// The sites that may show the page in a frame, as a learning platform does.
    pub frames: Vec<Origin>,
    pub base: BasePath,
    /// The address of the pages, for links that people send.
    pub address: Option<PublicAddress>,
    /// Who may read the metrics, besides this machine.
    pub metrics: Vec<IpNet>,
}

/// The path below which the page is, without a slash at its end; empty for the root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BasePath(String);

impl FromStr for BasePath {
    type Err = String;

    fn from_str(text: &str) -> Result<BasePath, String> {
        let path = text.trim_end_matches('/');
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-._~".contains(letter);
        let parts = || path.split('/').skip(1);
        let plain = parts().all(|part| !part.is_empty() && part.chars().all(is_plain));
        let dots = parts().any(|part| part == "." || part == "..");
        if path.is_empty() || path.starts_with('/') && plain && !dots {
            return Ok(BasePath(path.to_owned()));
        }
        Err("expected a path, such as /games".to_owned())
    }
}

/// The address of the pages as others see it, with a slash at its end, such as `https://example.org/games/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicAddress(String);

impl FromStr for PublicAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<PublicAddress, String> {
        match web_address(text) {
            Some(_) => Ok(PublicAddress(format!("{}/", text.trim_end_matches('/')))),
            None => {
                Err("expected an address of the web, such as https://example.org/games".to_owned())
            }
        }
    }
}

impl PublicAddress {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// An address of the web without a user, a query or a fragment.
fn web_address(text: &str) -> Option<Uri> {
    let uri = text.parse::<Uri>().ok()?;
    let is_web = matches!(uri.scheme_str(), Some("http" | "https")) && uri.query().is_none();
    (is_web && !text.contains(['@', '#'])).then_some(uri)
}

/// Where the address of a request leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To this address below the root of the page.
    Here(Uri),
    /// To the root, whose slash is missing.
    Root(String),
    Elsewhere,
}

impl BasePath {
    pub fn place(&self, uri: &Uri) -> Place {
        let Some(rest) = uri.path().strip_prefix(&self.0) else { return Place::Elsewhere };
        if self.0.is_empty() {
            return Place::Here(uri.clone());
        }
        if rest.is_empty() {
            return Place::Root(format!("{}/", self.0));
        }
        let query = uri.query().map_or(String::new(), |query| format!("?{query}"));
        let mut parts = uri.clone().into_parts();
        parts.path_and_query = format!("{rest}{query}").parse().ok();
        match (rest.starts_with('/'), Uri::from_parts(parts)) {
            (true, Ok(below)) => Place::Here(below),
            _ => Place::Elsewhere,
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// A site whose scripts may ask the API, such as `https://example.org`; `*` for any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin(HeaderValue);

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let text = text.trim_end_matches('/');
        let whole = web_address(text).is_some_and(|uri| uri.path() == "/");
        match HeaderValue::from_str(text) {
            Ok(value) if whole || text == "*" => Ok(Origin(value)),
            _ => Err("expected the origin of a site, such as https://example.org, or *".to_owned()),
        }
    }
}

impl Origin {
    fn is(&self, origin: &HeaderValue) -> bool {
        self.0 == "*" || self.0 == origin
    }
}

impl Hosting {
    /// Whether scripts of the site that a request comes from may ask the API.
    pub fn lets_ask(&self, headers: &HeaderMap) -> bool {
        let Some(origin) = headers.get(header::ORIGIN) else { return false };
        self.origins.iter().any(|may| may.is(origin))
    }

    /// What tells browsers so; `None` if no site may ask.
    pub fn cors(&self) -> Option<CorsLayer> {
        if self.origins.is_empty() {
            return None;
        }
        let origins = self.origins.clone();
        let may_ask = move |origin: &HeaderValue, asked: &Parts| {
            is_api(&asked.uri) && origins.iter().any(|may| may.is(origin))
        };
        let origins = AllowOrigin::predicate(may_ask);
        Some(CorsLayer::new().allow_origin(origins).allow_methods([Method::GET, Method::HEAD]))
    }

    /// The policy of answers that some sites may show in a frame; `None` if none may.
    pub fn framed(&self) -> Option<HeaderValue> {
        let sites: Vec<_> = self.frames.iter().filter_map(|site| site.0.to_str().ok()).collect();
        let none = "frame-ancestors 'none'";
        let framed = POLICY.replace(none, &format!("frame-ancestors {}", sites.join(" ")));
        HeaderValue::from_str(&framed).ok().filter(|_| !sites.is_empty())
    }

    /// Whether the metrics may be read from an address.
    pub fn shows_metrics(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        address.is_loopback() || self.metrics.iter().any(|network| network.contains(&address))
    }
}

/// The rate at which each visitor may ask.
#[derive(Clone)]
pub struct Rate(Option<Arc<DefaultKeyedRateLimiter<Visitor>>>);

/// How many seconds' requests may come at once: thirty pupils open the page at the same moment, with eight requests each.
const BURST: u32 = 6;

/// At least this many requests may come at once, since a page asks for its style and its scripts.
const PAGE: u32 = 20;

impl Rate {
    pub fn new(rate: Option<NonZeroU32>) -> Rate {
        let limiter = |rate: NonZeroU32| {
            let burst = rate.get().saturating_mul(BURST).max(PAGE);
            let burst = NonZeroU32::new(burst).unwrap_or(rate);
            Arc::new(RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)))
        };
        Rate(rate.map(limiter))
    }

    /// Counts a request.
    ///
    /// # Errors
    /// If the visitor has asked too often.
    pub fn check(&self, visitor: Visitor) -> Result<(), Problem> {
        let Some(limiter) = &self.0 else { return Ok(()) };
        limiter.check_key(&visitor).map_err(|until| {
            let again = until.wait_time_from(DefaultClock::default().now());
            Problem::often(again.max(Duration::from_secs(1)))
        })
    }

    /// Forgets visitors who have not asked for a while.
    pub fn tidy(&self) {
        if let Some(limiter) = &self.0 {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_path_is_taken_away() {
        let base: BasePath = "/games/".parse().unwrap();
        let place = |path: &'static str| base.place(&Uri::from_static(path));
        let here = |path: &'static str| Place::Here(Uri::from_static(path));
        assert_eq!(place("/games/play.html?game=nim"), here("/play.html?game=nim"));
        assert_eq!(place("/games/"), here("/"));
        assert_eq!(place("/games"), Place::Root("/games/".to_owned()));
        assert_eq!(place("/gamesome"), Place::Elsewhere);
        assert_eq!(place("/play.html"), Place::Elsewhere);
        let root: BasePath = "/".parse().unwrap();
        assert_eq!(root.place(&Uri::from_static("/x?y")), here("/x?y"));
        for odd in ["games", "/a//b", "/a?b", "/..", "/a b", "/ä"] {
            assert!(odd.parse::<BasePath>().unwrap_err().contains("such as /games"), "{odd}");
        }
    }

    #[test]
    fn public_addresses_are_of_the_web() {
        for (text, address) in [
            ("https://example.org", "https://example.org/"),
            ("http://localhost:3000/games/", "http://localhost:3000/games/"),
        ] {
            assert_eq!(text.parse::<PublicAddress>().unwrap().as_str(), address);
        }
        for odd in ["example.org", "ftp://x", "https://a@b", "https://a/?b", "https://a/#b", ""] {
            assert!(odd.parse::<PublicAddress>().is_err(), "{odd}");
        }
    }

    #[test]
    fn origins_are_sites() {
        for right in ["https://example.org", "http://localhost:3000/", "*"] {
            assert!(right.parse::<Origin>().is_ok(), "{right}");
        }
        for odd in ["example.org", "https://example.org/x", "ftp://x", "https://a@b", "", "null"] {
            assert!(odd.parse::<Origin>().is_err(), "{odd}");
        }
        let hosting =
            Hosting { origins: vec!["https://a.org".parse().unwrap()], ..Hosting::default() };
        let from = |origin: &'static str| {
            let headers = [(header::ORIGIN, HeaderValue::from_static(origin))];
            hosting.lets_ask(&HeaderMap::from_iter(headers))
        };
        assert!(from("https://a.org") && !from("https://b.org") && !from("http://a.org"));
        assert!(!hosting.lets_ask(&HeaderMap::new()));
    }

    #[test]
    fn each_visitor_has_a_rate() {
        let rate = Rate::new(NonZeroU32::new(2));
        let [one, other] = [1, 2].map(|number| Visitor::at([192, 0, 2, number].into()));
        let allowed = (0..100).filter(|_| rate.check(one).is_ok()).count();
        assert!((PAGE as usize..40).contains(&allowed), "{allowed}");
        assert!(rate.check(other).is_ok());
        assert!((0..100).all(|_| Rate::new(None).check(one).is_ok()));
    }
}
