//! The bytes of a connection, between the socket and hyper.
//!
//! hyper gets one request at a time. It notices the end of a connection only while it holds no bytes of
//! a next request, so bytes that were sent ahead wait here while a question is worked on.
//!
//! hyper's own answers to bytes that are not a request are replaced by problems.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker, ready};
use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use bytes::{Buf, BytesMut};
use foregone::record::threads::lock;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

use super::connections::Activity;
use super::problem::Problem;
use super::reply::HEADERS;

/// The most bytes that are read ahead while a question is worked on; more wait in the socket.
const AHEAD: usize = 64 << 10;

/// The size of a read, in bytes.
const PIECE: usize = 8 << 10;

/// How long, and how many bytes, are still read after the answer to an invalid request: closing a
/// socket with unread bytes would discard the answer.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: usize = 16 << 20;

/// Whether there is work on a question of a connection.
#[derive(Clone, Debug, Default)]
pub struct Work(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    busy: bool,
    /// The connection, which waits for bytes that were sent ahead.
    waiting: Option<Waker>,
}

/// A question that is worked on, until this is dropped.
pub struct Busy(Work);

impl Work {
    pub fn begin(&self) -> Busy {
        self.state().busy = true;
        Busy(self.clone())
    }

    /// Whether a question is worked on.
    pub fn is_going_on(&self) -> bool {
        self.state().busy
    }

    /// Whether a question is worked on; if so, the task is woken at its end.
    fn is_busy(&self, cx: &Context<'_>) -> bool {
        let mut state = self.state();
        if state.busy {
            state.waiting = Some(cx.waker().clone());
        }
        state.busy
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0)
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let mut state = self.0.state();
        state.busy = false;
        if let Some(waiting) = state.waiting.take() {
            waiting.wake();
        }
    }
}

/// A connection as hyper reads and writes it.
pub struct Wire<S> {
    stream: S,
    work: Work,
    /// Records when bytes go through.
    activity: Activity,
    /// Bytes that were read and not yet taken.
    ahead: BytesMut,
    /// Whether the visitor has sent the last byte.
    ended: bool,
    line: Line,
    /// The number of bytes that hyper has offered and that are not yet written.
    shown: usize,
    /// The bytes to send instead of hyper's own answer, if there is one.
    instead: Option<BytesMut>,
    linger: Option<Pin<Box<Sleep>>>,
    lingered: usize,
}

impl<S: AsyncRead + AsyncWrite + Unpin> Wire<S> {
    pub fn new(stream: S, work: Work, activity: Activity) -> Wire<S> {
        Wire {
            stream,
            work,
            activity,
            ahead: BytesMut::new(),
            ended: false,
            line: Line::Inside,
            shown: 0,
            instead: None,
            linger: None,
            lingered: 0,
        }
    }

    /// Reads a piece, or sees the end.
    fn fill(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut piece = [0; PIECE];
        let mut piece = ReadBuf::new(&mut piece);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut piece))?;
        self.ended = piece.filled().is_empty();
        self.activity.beat();
        self.ahead.extend_from_slice(piece.filled());
        Poll::Ready(Ok(()))
    }

    /// Sends the bytes instead of hyper's own answer.
    fn say_instead(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while let Some(words) = self.instead.as_mut().filter(|words| words.has_remaining()) {
            match ready!(Pin::new(&mut self.stream).poll_write(cx, words))? {
                0 => return Poll::Ready(Err(io::ErrorKind::WriteZero.into())),
                sent => words.advance(sent),
            }
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Wire<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        if this.work.is_busy(cx) {
            while this.ahead.len() < AHEAD && !this.ended {
                ready!(this.fill(cx))?;
            }
            // With room for no more, the end of the question is waited for.
            return if this.ended { Poll::Ready(Ok(())) } else { Poll::Pending };
        }
        if this.ahead.is_empty() && !this.ended {
            ready!(this.fill(cx))?;
        }
        let max = this.ahead.len().min(buf.remaining());
        let taken = this.line.end_of_head(&this.ahead[..max]);
        buf.put_slice(&this.ahead[..taken]);
        this.ahead.advance(taken);
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Wire<S> {
    /// hyper shows an answer whole when it is new, and after that the rest of it with whatever
    /// comes next: so what it says on its own always begins here.
    fn poll_write(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        ready!(this.say_instead(cx))?;
        if this.shown == 0 {
            if let Some(words) = instead_of(buf) {
                this.instead = Some(words);
                return Poll::Ready(Ok(buf.len()));
            }
            this.shown = buf.len();
        }
        let old = this.shown.min(buf.len());
        let sent = ready!(Pin::new(&mut this.stream).poll_write(cx, &buf[..old]))?;
        this.shown -= sent;
        this.activity.beat();
        Poll::Ready(Ok(sent))
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.say_instead(cx))?;
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        ready!(this.say_instead(cx))?;
        if this.linger.is_none() {
            ready!(Pin::new(&mut this.stream).poll_shutdown(cx))?;
            if this.instead.is_none() {
                return Poll::Ready(Ok(()));
            }
        }
        let until = this.linger.get_or_insert_with(|| Box::pin(tokio::time::sleep(LINGER)));
        if until.as_mut().poll(cx).is_ready() {
            return Poll::Ready(Ok(()));
        }
        while !this.ended && this.lingered < LINGER_BYTES {
            this.lingered += this.ahead.len();
            this.ahead.clear();
            ready!(this.fill(cx))?;
        }
        Poll::Ready(Ok(()))
    }
}

/// How much of the end of a head was seen last: an empty line, with or without carriage returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Inside,
    Ended,
    Returned,
}

impl Line {
    /// How many of the bytes come before the next request: all, if no head ends in them.
    fn end_of_head(&mut self, bytes: &[u8]) -> usize {
        for (at, byte) in bytes.iter().enumerate() {
            *self = match (*self, byte) {
                (Line::Inside, b'\n') => Line::Ended,
                (Line::Ended, b'\r') => Line::Returned,
                (Line::Ended | Line::Returned, b'\n') => {
                    *self = Line::Inside;
                    return at + 1;
                }
                _ => Line::Inside,
            };
        }
        bytes.len()
    }
}

/// A problem instead of hyper's own answer to an invalid request; `None` if the bytes are another
/// answer. Hyper's own answers have no body, and lack a header that all of ours have.
fn instead_of(answer: &[u8]) -> Option<BytesMut> {
    let text = std::str::from_utf8(answer).ok()?;
    let (head, body) = text.strip_prefix("HTTP/1.")?.split_once("\r\n\r\n")?;
    let ours = |(name, _): &(HeaderName, HeaderValue)| head.contains(name.as_str());
    if !body.is_empty() || HEADERS.iter().any(ours) {
        return None;
    }
    let status: StatusCode = head.split(' ').nth(1)?.parse().ok()?;
    let detail = match status {
        StatusCode::URI_TOO_LONG => {
            "the address is too long: at most 65534 bytes are read, and rules as text are a part of it"
        }
        StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => {
            "the header fields are too many or too long: at most 100 are read, and 128 KiB in all"
        }
        status if status.is_client_error() => "this is no request of HTTP/1.1 that can be read",
        _ => return None,
    };
    let (kind, body) = Problem::new(status, detail).written();
    let no_length = |line: &&str| !line.starts_with(header::CONTENT_LENGTH.as_str());
    let lines: Vec<&str> = head.split("\r\n").filter(no_length).collect();
    let mut whole = BytesMut::from("HTTP/1.");
    whole.extend_from_slice(lines.join("\r\n").as_bytes());
    let length = HeaderValue::from(body.len());
    for (name, value) in
        [(header::CONTENT_TYPE, kind), (header::CONTENT_LENGTH, length)].into_iter().chain(HEADERS)
    {
        whole.extend_from_slice(format!("\r\n{name}: ").as_bytes());
        whole.extend_from_slice(value.as_bytes());
    }
    whole.extend_from_slice(b"\r\n\r\n");
    whole.extend_from_slice(body.as_bytes());
    Some(whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_end_at_empty_lines_however_they_are_cut() {
        let two = "GET / HTTP/1.1\r\nA: b\r\n\r\nGET /x HTTP/1.1\n\nrest";
        let first = two.find("GET /x").unwrap();
        let second = two.find("rest").unwrap();
        for cut in 1..two.len() {
            let mut line = Line::Inside;
            let mut ends = Vec::new();
            for (from, piece) in [(0, &two[..cut]), (cut, &two[cut..])] {
                let mut at = 0;
                while at < piece.len() {
                    at += line.end_of_head(&piece.as_bytes()[at..]);
                    ends.push(from + at);
                }
            }
            assert!(ends.contains(&first) && ends.contains(&second), "{cut}: {ends:?}");
        }
    }

    #[test]
    fn only_hypers_own_words_are_replaced() {
        let own = "HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\n\
                   content-length: 0\r\n\r\n";
        let words = instead_of(own.as_bytes()).unwrap();
        let words = std::str::from_utf8(&words).unwrap();
        let (head, body) = words.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\n"), "{head}");
        assert!(head.contains("connection: close") && !head.contains("content-length: 0"));
        assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
        assert!(body.starts_with('{') && body.contains("\"status\":431"), "{body}");
        for other in [
            "HTTP/1.1 100 Continue\r\n\r\n",
            "HTTP/1.1 404 Not Found\r\nx-frame-options: DENY\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 404 Not Found\r\nx-frame-options: DENY\r\ncontent-length: 2\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\n\r\nHTTP/1.1 400 Bad Request",
            "some text of a page",
            "\u{0}",
        ] {
            assert!(instead_of(other.as_bytes()).is_none(), "{other}");
        }
    }
}
