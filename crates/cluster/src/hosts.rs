//! The processes of a build: a text with the address of one process a line.

use std::collections::HashSet;

/// One process of a build.
#[derive(Clone, Debug, PartialEq)]
pub struct Host {
    /// Where it listens, as `host:port`.
    pub address: String,
    /// Its share of the work, relative to the others: 1 if nothing is said.
    pub weight: f64,
}

/// The largest number of processes.
pub const MAX: usize = 4096;

/// The largest weight.
const HEAVIEST: f64 = 1000.0;

/// A line that is no process.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: found {}, expected {expected}", shown(.found))]
pub struct Wrong {
    /// The number of the line, from 1.
    pub line: usize,
    /// What stands there.
    pub found: String,
    /// What should stand there.
    pub expected: String,
}

/// Reads a text with the address of one process a line, as `host:port`, and a weight after it if the
/// machines differ. Empty lines, and what follows a `#`, have no meaning.
///
/// ```
/// let hosts = foregone_cluster::hosts("one:7000\ntwo:7000 2.5  # twice as fast\n").unwrap();
/// assert_eq!(hosts[1].address, "two:7000");
/// assert_eq!(hosts[1].weight, 2.5);
/// let wrong = foregone_cluster::hosts("one:7000\ntwo\n").unwrap_err();
/// assert_eq!(wrong.to_string(), "line 2: found `two`, expected an address such as `host:7000`");
/// ```
///
/// # Errors
/// The first line that is wrong.
pub fn hosts(text: &str) -> Result<Vec<Host>, Wrong> {
    let (mut hosts, mut known) = (Vec::new(), HashSet::new());
    // Some editors begin a text with this mark.
    let text = text.trim_start_matches('\u{feff}');
    for (line, whole) in (1..).zip(text.lines()) {
        let mut words = whole.split('#').next().unwrap_or("").split_whitespace();
        let Some(address) = words.next() else { continue };
        let wrong =
            |found: &str, expected: String| Wrong { line, found: found.to_owned(), expected };
        let (host, port) = address.rsplit_once(':').unwrap_or_default();
        let port = port.parse::<u16>().ok().filter(|_| !host.is_empty());
        let brackets = host.starts_with('[') && host.ends_with(']');
        let expected = match port {
            _ if address.contains("://") => {
                "an address alone, such as `host:7000`: leave out `http://`"
            }
            _ if address.contains([';', ',']) => "one address a line",
            _ if address.ends_with(':') && whole.contains(": ") => "no space before the port",
            None if !host.is_empty() && is_number(address) => "a port from 1 to 65535",
            None => "an address such as `host:7000`",
            Some(0) => "a port from 1 to 65535",
            Some(_) if host.contains(':') && !brackets => {
                "brackets around an IPv6 address, as in `[::1]:7000`"
            }
            Some(_) => "",
        };
        if !expected.is_empty() {
            return Err(wrong(address, expected.to_owned()));
        }
        let weight = match words.next() {
            None => 1.0,
            Some(word) => {
                let weight = word.parse().ok().filter(|weight| (0.001..=HEAVIEST).contains(weight));
                weight.ok_or_else(|| wrong(word, format!("a weight from 0.001 to {HEAVIEST}")))?
            }
        };
        if let Some(more) = words.next() {
            return Err(wrong(more, "the end of the line".to_owned()));
        }
        if !known.insert(address) {
            return Err(wrong(address, "an address that no other line has".to_owned()));
        }
        if hosts.len() == MAX {
            return Err(wrong(address, format!("at most {MAX} processes")));
        }
        hosts.push(Host { address: address.to_owned(), weight });
    }
    if hosts.is_empty() {
        let line = text.lines().count().max(1);
        let expected = "the address of a process, such as `host:7000`".to_owned();
        return Err(Wrong { line, found: String::new(), expected });
    }
    Ok(hosts)
}

/// What stands in a line, for a message.
fn shown(found: &str) -> String {
    if found.is_empty() { "no process".to_owned() } else { format!("`{found}`") }
}

/// Whether a number follows the last colon.
fn is_number(address: &str) -> bool {
    let port = address.rsplit(':').next().unwrap_or("");
    !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_lines_are_errors() {
        let wrong = |text: &str| hosts(text).unwrap_err().to_string();
        assert_eq!(
            wrong(""),
            "line 1: found no process, expected the address of a process, such as `host:7000`"
        );
        for text in ["host", ":7000", "host:", "host:x"] {
            assert!(wrong(text).contains("expected an address"), "{text}");
        }
        for text in ["host:0", "host:70000"] {
            assert!(wrong(text).contains("expected a port from 1"), "{text}");
        }
        assert!(wrong("http://a:1").contains("leave out `http://`"));
        assert!(wrong("a:1;b:1").contains("one address a line"));
        assert!(wrong("a: 1").contains("no space"));
        assert!(wrong("::1:7000").contains("expected brackets"));
        for text in ["host:1 0", "host:1 -1", "host:1 x", "host:1 NaN", "host:1 1e9"] {
            assert!(wrong(text).contains("expected a weight"), "{text}");
        }
        assert!(wrong("host:1 1 1").contains("the end of the line"));
        assert!(wrong("\n# all\na:1\na:1 2").starts_with("line 4: found `a:1`"));
        let many: String = (0..=MAX).map(|host| format!("h{host}:1\n")).collect();
        assert!(wrong(&many).contains("at most 4096"));
        assert_eq!(hosts("\u{feff}[::1]:7000").unwrap()[0].address, "[::1]:7000");
    }
}
