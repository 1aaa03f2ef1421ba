//! A proof as a tape: its moves alone, in the order in which a walk from the root comes to the positions. Whoever knows
//! the rules makes the proof of it, in any form of his own: `verified/` does. So nothing is said of how positions are
//! written, which of them are alike, and how many points are banked. For readers of texts a game in Rust goes beside its
//! [`Twin`](crate::Twin), in whose order moves are counted then.

use std::collections::HashSet;

use foregone_record::Error;
use foregone_record::proof::{Claim, Entry};
use foregone_rules::Game;

use super::Unproven;
use crate::control::{Control, Progress};
use crate::twin::{At, Order};

/// The most moves that the other side makes one after the other: more than in any game that people play, and few enough
/// for a walk that calls itself. A file may bring rules by which there is no end of them.
const LONGEST: usize = 1_000;

/// The most positions to which they lead.
const WIDEST: u32 = 1 << 20;

/// A tape of one claim, or of a table ([`AnyTables::tape`](crate::any::AnyTables::tape)), which has `count` and `entries`
/// alone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Tape {
    /// The moves to the root from where the proof begins, each by its number in the order of the rules, from 0.
    pub moves: Vec<usize>,
    /// The most moves that the other side makes one after the other.
    pub longest: usize,
    /// Greater than the rank of every entry.
    pub most: u32,
    /// The number of entries.
    pub count: u64,
    /// The entries: of each the number of its move and its rank, in seven bits a byte, the lowest first; the highest bit
    /// says that more follow. Of a table: the value (2n for n, 2n - 1 for -n) and the plies plus 1 (0 without end).
    pub entries: Vec<u8>,
}

impl Tape {
    pub(crate) fn push(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.entries.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.entries.push(number as u8);
    }
}

/// The tape of a claim; `advice` has its entries, and `line` is where the proof begins, with the positions to its root.
/// `None` if an entry is missing, or the other side moves too often in a row.
///
/// The walk: positions are open, the first of them is taken. It is left out if it was there before. Else its entry is
/// written, and the positions in which the side moves next are opened in front of all others, in the order of the moves.
pub(crate) fn tape<G: Game>(
    order: Order<'_, G>,
    advice: impl Fn(&G::State) -> Result<Option<(G::Move, Entry)>, Error>,
    claim: Claim,
    line: &[G::State],
    control: &Control,
) -> Result<Option<Tape>, Unproven> {
    let mut tape = Tape::default();
    let mut walk = Walk { order, claim, open: Vec::new(), longest: 0, left: 0 };
    let Some((start, line)) = line.split_first() else { return Ok(None) };
    let mut root = (*start, 0);
    for state in line {
        let moves = walk.order.successors(&root)?;
        let at = moves.iter().position(|(_, next)| next.0 == *state);
        let Some(at) = at else { return Ok(None) };
        tape.moves.push(at);
        root = moves[at].1;
    }
    walk.open(&root)?;
    let mut known = HashSet::new();
    // Half of a table of this kind may be empty, and it is copied to one of twice the size.
    let each = 3 * size_of::<At<G>>() as u64 + 8;
    while let Some(state) = walk.open.pop() {
        if walk.longest > LONGEST {
            return Ok(None);
        }
        if !known.insert(state) {
            continue;
        }
        if tape.count.is_multiple_of(Control::INTERVAL) {
            let phase = "walking through the proof";
            let bytes = each * (tape.count + walk.open.len() as u64) + walk.order.bytes();
            control.check_memory(bytes, phase, tape.count)?;
            control.report(Progress { phase, done: tape.count, total: None, bounds: None })?;
        }
        let Some((mv, entry)) = advice(&state.0)? else { return Ok(None) };
        let moves = walk.order.successors(&state)?;
        let Some(at) = moves.iter().position(|each| each.0 == mv) else { return Ok(None) };
        tape.push(at as u32);
        tape.push(entry.rank);
        tape.most = tape.most.max(entry.rank.saturating_add(1));
        tape.count += 1;
        walk.open(&moves[at].1)?;
    }
    tape.longest = walk.longest;
    Ok((walk.longest <= LONGEST).then_some(tape))
}

struct Walk<'t, G: Game> {
    order: Order<'t, G>,
    claim: Claim,
    /// Positions of the side, the first one last.
    open: Vec<At<G>>,
    longest: usize,
    /// The positions that may still be looked at after a move.
    left: u32,
}

impl<G: Game> Walk<'_, G> {
    /// Opens the positions in which the side moves next.
    fn open(&mut self, state: &At<G>) -> Result<(), Error> {
        let from = self.open.len();
        self.left = WIDEST;
        self.open_after(state, 0)?;
        self.open[from..].reverse();
        Ok(())
    }

    /// Those in order, where the other side has made some moves.
    fn open_after(&mut self, state: &At<G>, made: usize) -> Result<(), Error> {
        self.longest = self.longest.max(made);
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.longest = LONGEST + 1;
        }
        let game = self.order.game;
        if self.longest > LONGEST || game.outcome(&state.0).is_some() {
            return Ok(());
        }
        if game.turn(&state.0) == self.claim.side() {
            self.open.push(*state);
            return Ok(());
        }
        let next = self.order.successors(state)?;
        next.iter().try_for_each(|(_, next)| self.open_after(next, made + 1))
    }
}
