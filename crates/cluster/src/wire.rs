//! What processes send each other: bytes, in mails from one worker to another.

use std::io;

use foregone::tables::kernel::{Ask, Edge};
use timely::Accountable;
use timely::bytes::arc::Bytes;
use timely::communication::Push;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message as TimelyMessage};
use timely::progress::Stamp;
use unsigned_varint::{decode, encode};

/// A message from one worker to another; timely counts it as one record.
#[derive(Clone, Default)]
pub struct Mail {
    to: usize,
    body: Body,
}

#[derive(Clone)]
enum Body {
    Own(Vec<u8>),
    Wire(Bytes),
}

impl Default for Body {
    fn default() -> Body {
        Body::Own(Vec::new())
    }
}

impl Mail {
    /// A mail to a worker. (Timely wants lengths that are multiples of 8; [`Message`] has its own length.)
    pub fn new(to: usize, mut bytes: Vec<u8>) -> Mail {
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        Mail { to, body: Body::Own(bytes) }
    }

    pub fn bytes(&self) -> &[u8] {
        match &self.body {
            Body::Own(bytes) => bytes,
            Body::Wire(bytes) => bytes,
        }
    }
}

impl Accountable for Mail {
    fn record_count(&self) -> i64 {
        i64::from(!self.bytes().is_empty())
    }
}

impl ContainerBytes for Mail {
    fn from_bytes(bytes: Bytes) -> Mail {
        Mail { to: 0, body: Body::Wire(bytes) }
    }

    fn length_in_bytes(&self) -> usize {
        self.bytes().len()
    }

    fn into_bytes<W: io::Write>(&self, writer: &mut W) {
        // Timely writes into memory of the length above.
        let _ = writer.write_all(self.bytes());
    }
}

/// Brings each mail to whom it is for.
pub struct ByName;

impl Distributor<Mail> for ByName {
    fn partition<T: Clone, P: Push<TimelyMessage<T, Mail>>>(
        &mut self,
        mail: &mut Mail,
        stamp: &Stamp<T>,
        workers: &mut [P],
    ) {
        let to = mail.to;
        TimelyMessage::push_at(mail, stamp.clone(), &mut workers[to]);
    }

    fn flush<T: Clone, P: Push<TimelyMessage<T, Mail>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

/// What a mail says.
#[derive(Debug, PartialEq, Eq)]
pub enum Message<'a> {
    /// A worker asks for cells, and calls its question by a number.
    Asks {
        /// The worker.
        from: usize,
        /// The number of the question.
        question: u64,
        /// What is asked.
        asks: Vec<Ask>,
    },
    /// The cells that were asked for, one ask after the other.
    Answer {
        /// The process that answers.
        from: usize,
        /// The number of the question.
        question: u64,
        /// The cells.
        cells: &'a [u8],
    },
    /// Cells as they are in a file, of the numbers from `first` on, for the process that needs them next.
    Cells {
        /// The first number.
        first: u64,
        /// Places of worths, from 1, or 0.
        cells: Vec<u16>,
    },
    /// What some numbers get by moves to settled ones.
    Told {
        /// What they get, as bits.
        news: u32,
        /// The numbers, in order.
        numbers: Vec<u64>,
    },
    /// Moves within the layer, for the process that holds the numbers that they lead to.
    Edges(Vec<Edge>),
    /// What a process tells all others, at a time when all expect it.
    News {
        /// The process.
        from: usize,
        /// The epoch.
        at: u64,
        /// What it says.
        says: &'a [u8],
    },
}

const ASKS: u8 = 1;
const ANSWER: u8 = 2;
const CELLS: u8 = 3;
const TOLD: u8 = 4;
const EDGES: u8 = 5;
const NEWS: u8 = 6;

/// Appends a number in 1 to 10 bytes.
pub fn put(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend_from_slice(encode::u64(number, &mut encode::u64_buffer()));
}

fn put_all<const N: usize>(bytes: &mut Vec<u8>, numbers: [u64; N]) {
    numbers.into_iter().for_each(|number| put(bytes, number));
}

/// Takes a number from the front.
pub fn get(bytes: &mut &[u8]) -> Option<u64> {
    let (number, rest) = decode::u64(bytes).ok()?;
    *bytes = rest;
    Some(number)
}

/// A difference as a number that is small if the difference is.
const fn folded(difference: i64) -> u64 {
    (difference << 1 ^ difference >> 63) as u64
}

const fn unfolded(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// An answer as bytes; `cells` appends the cells to the message, and says whether it can.
pub fn answer_to(
    from: usize,
    question: u64,
    cells: impl FnOnce(&mut Vec<u8>) -> bool,
) -> Option<Vec<u8>> {
    let mut bytes = vec![ANSWER];
    put_all(&mut bytes, [from as u64, question]);
    // The length follows when it is known.
    let at = bytes.len();
    bytes.extend([0; 8]);
    let can = cells(&mut bytes);
    let length = (bytes.len() - at - 8) as u64;
    bytes[at..at + 8].copy_from_slice(&length.to_le_bytes());
    can.then_some(bytes)
}

impl Message<'_> {
    /// The message as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        match self {
            Message::Asks { from, question, asks } => {
                bytes.push(ASKS);
                put_all(&mut bytes, [*from as u64, *question, asks.len() as u64]);
                // Neighbours mostly have the same layer and step. Then only the distance from the end of
                // the one before is written, and the length.
                let (mut layer, mut step, mut end) = (0, 0, 0);
                for ask in asks {
                    if (ask.layer, ask.step) != (layer, step) {
                        (layer, step, end) = (ask.layer, ask.step, 0);
                        put_all(&mut bytes, [0, layer.into(), step]);
                    }
                    put(&mut bytes, ask.len);
                    put(&mut bytes, folded(ask.first.wrapping_sub(end) as i64));
                    end = ask.first + if step == 1 { ask.len } else { 0 };
                }
            }
            Message::Answer { from, question, cells } => {
                let copy = |bytes: &mut Vec<u8>| {
                    bytes.extend_from_slice(cells);
                    true
                };
                bytes.extend(answer_to(*from, *question, copy).unwrap_or_default());
            }
            Message::Cells { first, cells } => {
                bytes.push(CELLS);
                let wide = cells.iter().any(|cell| *cell > u8::MAX.into());
                put_all(&mut bytes, [*first, cells.len() as u64, wide.into()]);
                match wide {
                    true => bytes.extend(cells.iter().flat_map(|cell| cell.to_le_bytes())),
                    false => bytes.extend(cells.iter().map(|cell| *cell as u8)),
                }
            }
            Message::Told { news, numbers } => {
                bytes.push(TOLD);
                put_all(&mut bytes, [u64::from(*news), numbers.len() as u64]);
                let mut last = 0;
                for number in numbers {
                    put(&mut bytes, number.wrapping_sub(last));
                    last = *number;
                }
            }
            Message::Edges(edges) => {
                bytes.push(EDGES);
                put(&mut bytes, edges.len() as u64);
                for edge in edges {
                    put_all(&mut bytes, [edge.to, edge.from, u64::from(edge.passes)]);
                }
            }
            Message::News { from, at, says } => {
                bytes.push(NEWS);
                put_all(&mut bytes, [*from as u64, *at, says.len() as u64]);
                bytes.extend_from_slice(says);
            }
        }
        bytes
    }

    /// The message that some bytes are; `None` if they are none. What follows it has no meaning.
    pub fn of_bytes(bytes: &[u8]) -> Option<Message<'_>> {
        let (kind, mut rest) = bytes.split_first()?;
        let rest = &mut rest;
        match *kind {
            ASKS => {
                let (from, question) = (get(rest)? as usize, get(rest)?);
                let count = get(rest)?;
                // Each takes at least two bytes.
                let mut asks = Vec::with_capacity(count.min(rest.len() as u64 / 2) as usize);
                let (mut layer, mut step, mut end) = (0, 0, 0u64);
                for _ in 0..count {
                    let mut len = get(rest)?;
                    if len == 0 {
                        (layer, step, end) = (u32::try_from(get(rest)?).ok()?, get(rest)?, 0);
                        len = get(rest)?;
                    }
                    let first = end.wrapping_add(unfolded(get(rest)?) as u64);
                    if len == 0 || step == 0 {
                        return None;
                    }
                    asks.push(Ask { layer, step, first, len });
                    end = if step == 1 { first.checked_add(len)? } else { first };
                }
                Some(Message::Asks { from, question, asks })
            }
            ANSWER => {
                let (from, question) = (get(rest)? as usize, get(rest)?);
                let (length, cells) = rest.split_first_chunk()?;
                let length = usize::try_from(u64::from_le_bytes(*length)).ok()?;
                Some(Message::Answer { from, question, cells: cells.get(..length)? })
            }
            CELLS => {
                let (first, count) = (get(rest)?, usize::try_from(get(rest)?).ok()?);
                let cells = match get(rest)? {
                    0 => rest.get(..count)?.iter().map(|cell| u16::from(*cell)).collect(),
                    _ => {
                        let bytes = rest.get(..count.checked_mul(2)?)?.as_chunks().0;
                        bytes.iter().map(|cell| u16::from_le_bytes(*cell)).collect()
                    }
                };
                Some(Message::Cells { first, cells })
            }
            TOLD => {
                let (news, count) = (u32::try_from(get(rest)?).ok()?, get(rest)?);
                let (mut numbers, mut last) = (Vec::new(), 0u64);
                for _ in 0..count {
                    last = last.wrapping_add(get(rest)?);
                    numbers.push(last);
                }
                Some(Message::Told { news, numbers })
            }
            EDGES => {
                let mut edges = Vec::new();
                for _ in 0..get(rest)? {
                    let (to, from, passes) = (get(rest)?, get(rest)?, get(rest)? != 0);
                    edges.push(Edge { to, from, passes });
                }
                Some(Message::Edges(edges))
            }
            NEWS => {
                let (from, at, length) = (get(rest)? as usize, get(rest)?, get(rest)?);
                Some(Message::News { from, at, says: rest.get(..usize::try_from(length).ok()?)? })
            }
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_come_back() {
        let ask = |layer, step, first, len| Ask { layer, step, first, len };
        let asks = vec![
            ask(3, 1, 1_000_000, 5),
            ask(3, 1, 1_000_005, 1),
            ask(3, 1, 7, 300),
            ask(3, 9, 0, 2),
            ask(3, 9, 4, 2),
            ask(4, 1, u64::MAX >> 1, 1),
        ];
        let messages = [
            Message::Asks { from: 3, question: 9, asks },
            Message::Asks { from: 0, question: 0, asks: Vec::new() },
            Message::Answer { from: 2, question: 1 << 40, cells: b"cells" },
            Message::Cells { first: 1 << 33, cells: vec![0, 7, u16::MAX] },
            Message::Cells { first: 3, cells: vec![0, 7, 255] },
            Message::Told { news: u32::MAX, numbers: vec![3, 3, 900, 1 << 40] },
            Message::Edges(vec![Edge { to: 1 << 34, from: 0, passes: true }]),
            Message::News { from: 3, at: 1 << 20, says: b"" },
        ];
        for message in messages {
            let mail = Mail::new(0, message.to_bytes());
            assert_eq!(Message::of_bytes(mail.bytes()).as_ref(), Some(&message));
            // A message that is cut short is none.
            let bytes = message.to_bytes();
            for cut in 0..bytes.len() {
                assert_eq!(Message::of_bytes(&bytes[..cut]), None, "{message:?} {cut}");
            }
        }
        assert_eq!(Message::of_bytes(&[9, 9]), None);
    }
}
