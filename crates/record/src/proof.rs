//! Proofs that a position is worth at least so much to one side: for every position that can arise
//! while that side keeps to the proof, and in which it moves, one move. The other side's every move is
//! answered.
//!
//! The checker starts from the position that the proof is about and believes nothing: each position
//! that it comes to has to be in the proof with a claim as strong as is needed there, its move has to
//! be legal, and play has to end with what is claimed. Where a win is claimed the proof has a number
//! with every position that falls with every move, so that play does end.

use std::collections::HashMap;
use std::fmt;
use std::num::NonZeroU16;

use foregone_rules::{Game, Invalid, Merged, Packed, Side, Symmetry, Value, Worth, Written};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::format::{Broken, state_of};
use crate::notes::Notes;
use crate::table::{MOST_VALUE, Table};
use crate::words::{amount, bytes, counted, grouped, shown};

/// What a proof is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProofContents {
    /// The position, in the game's notation; the start where there is none.
    pub position: Option<String>,
    /// Moves made from there.
    pub moves: Vec<String>,
    /// What is claimed, at most two things.
    pub claims: Vec<Claim>,
}

impl ProofContents {
    /// The position that the proof is about.
    ///
    /// # Errors
    /// Where it says no position of the game.
    pub fn root<G: Game>(
        &self,
        game: &G,
        notation: Option<Written<G>>,
    ) -> Result<G::State, Invalid> {
        let mut state = match (&self.position, notation) {
            (None, _) => game.start(),
            (Some(text), Some(written)) => {
                let state = (written.parse)(game, text)?;
                let usual = (written.format)(game, &state);
                (usual == *text).then_some(state).ok_or_else(|| Invalid::new(text, usual))?
            }
            (Some(text), None) => {
                return Err(Invalid::new(text, "no position, as the game has no notation"));
            }
        };
        for text in &self.moves {
            let over = game.outcome(&state).is_some();
            let found = game.moves(&state).find(|mv| mv.to_string() == *text).filter(|_| !over);
            let mv = found.ok_or_else(|| Invalid::new(text, "a legal move"))?;
            state = game.play(&state, mv);
        }
        Ok(state)
    }

    /// What it says, in words; `unit` is what values count (see
    /// [`About::unit`](foregone_rules::family::About::unit)).
    pub fn words(&self, unit: &str) -> String {
        let mut words = match &self.position {
            None => "from the start".to_owned(),
            Some(position) => format!("from `{}`", shown(position)),
        };
        if !self.moves.is_empty() {
            words += &format!(" after {}", shown(&self.moves.join(" ")));
        }
        for (nth, claim) in self.claims.iter().enumerate() {
            words += if nth > 0 { " and " } else { " " };
            words += &claim.words(unit);
        }
        words
    }
}

/// That a side gets at least so much.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Whether it is the first player.
    pub first: bool,
    /// So much, in the game's unit, seen by that side.
    pub at_least: i32,
}

impl Claim {
    /// The side that it is about.
    pub const fn side(self) -> Side {
        if self.first { Side::First } else { Side::Second }
    }

    /// What it says, in words.
    pub fn words(self, unit: &str) -> String {
        let side = if self.first { "first" } else { "second" };
        let so_much = amount(self.at_least.unsigned_abs(), unit);
        match self.at_least {
            0 => format!("the {side} player does not lose"),
            1 if unit == "result" => format!("the {side} player wins"),
            _ if unit == "result" => format!("the {side} player gets at least {}", self.at_least),
            1.. => format!("the {side} player wins by at least {so_much}"),
            _ => format!("the {side} player loses by at most {so_much}"),
        }
    }

    /// Whether play has to end for it: play without end is worth nothing to either side.
    pub const fn has_to_end(self) -> bool {
        self.at_least > 0
    }
}

/// What a proof says of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The mover gets at least so much, with nothing banked.
    pub at_least: i32,
    /// By the move with this number, in the order in which the rules give them.
    pub mv: u32,
    /// Falls with every move of this side.
    pub left: u32,
}

/// The key of a position in a proof of several claims, where there is room for it.
pub fn proof_key(packed: u128, claim: usize) -> u128 {
    packed << 1 | claim as u128
}

/// What came of checking a proof; positions are states of the game, or texts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked<S> {
    /// Everything that is claimed holds.
    Proven {
        /// How many positions of the proof there are.
        entries: u64,
        /// How many positions were gone through, the other side's too.
        positions: u64,
    },
    /// It does not.
    Flawed {
        /// The position where it fails; nothing where an entry is that of no position.
        position: Option<S>,
        /// Why.
        why: String,
    },
}

impl<S> Checked<S> {
    /// The same with a text for the position.
    pub fn named(self, name: impl FnOnce(&S) -> String) -> Checked<String> {
        match self {
            Checked::Proven { entries, positions } => Checked::Proven { entries, positions },
            Checked::Flawed { position, why } => {
                Checked::Flawed { position: position.as_ref().map(name), why }
            }
        }
    }
}

impl Checked<String> {
    /// As fields of a report.
    pub fn fields(&self) -> serde_json::Value {
        match self {
            Checked::Proven { entries, positions } => {
                json!({"right": true, "entries": entries, "positions": positions})
            }
            Checked::Flawed { position, why } => {
                json!({"right": false, "position": position, "why": why})
            }
        }
    }
}

impl fmt::Display for Checked<String> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checked::Proven { entries, positions } => write!(
                f,
                "{} checked, {} in the proof",
                counted(*positions, "position", "positions"),
                grouped(*entries)
            ),
            Checked::Flawed { position: Some(position), why } => {
                write!(f, "at `{position}`, {why}")
            }
            Checked::Flawed { position: None, why } => f.write_str(why),
        }
    }
}

/// What a proof says of a position in which the side of a claim (by its number) moves: the move, and
/// the entry. Nothing where it has none.
///
/// # Errors
/// Where the file is damaged.
pub fn advice<G: Packed + Symmetry>(
    game: &G,
    table: &Table,
    claim: usize,
    state: &G::State,
) -> Result<Option<(G::Move, Entry)>, Broken> {
    let like = Merged::of(game, state).state;
    let Some(place) = table.place(proof_key(game.pack(&like), claim))? else { return Ok(None) };
    let (Some(bound), Some(mv)) = (table.get(0, place)?, table.get(1, place)?) else {
        return Ok(None);
    };
    let entry = entry_of(bound, mv);
    // The move is that of the representative: here it is one that leads to a position like that.
    let reached = |from: &G::State, mv| {
        let child = game.play(from, mv);
        let (merged, again) = (Merged::of(game, &child), game.turn(&child) == game.turn(from));
        // What the mover gains, of what is banked.
        let Value(banked) = merged.offset;
        let gained = (if again { banked } else { -banked }) - Merged::of(game, from).offset.0;
        (merged.state, again, gained)
    };
    Ok(entry.and_then(|entry| {
        let told = reached(&like, game.moves(&like).nth(entry.mv as usize)?);
        let mv = game.moves(state).find(|mv| reached(state, *mv) == told)?;
        Some((mv, entry))
    }))
}

fn entry_of(bound: Worth, mv: Worth) -> Option<Entry> {
    let left = bound.distance().plies()?;
    Some(Entry { at_least: bound.value().0, mv: u32::try_from(mv.value().0).ok()?, left })
}

/// Checks a proof about a position. `heard` is told again and again how many positions were gone
/// through, and says whether to go on.
///
/// # Errors
/// Where the file is damaged, is no proof, or needs more memory than so many bytes; or it was stopped.
pub fn check<G: Packed + Symmetry>(
    game: &G,
    table: &Table,
    root: &G::State,
    memory: u64,
    heard: &dyn Fn(u64) -> bool,
) -> Result<Checked<G::State>, Broken> {
    let damaged = |why: &str| Broken::Damaged(why.to_owned());
    let contents = table.contents();
    let (Some(proof), Some(_), [bounds, moves]) =
        (&contents.proof, &contents.keys, &contents.layers[..])
    else {
        return Err(damaged("it is no proof"));
    };
    let size = bounds.size;
    let bits = game.bits() + 1;
    // The entries, and their cells while these are read.
    let needed = Notes::<Stored>::bytes_of(bits, size).saturating_add(size.saturating_mul(4));
    if needed > memory {
        let why = more_memory(needed, memory);
        return Err(std::io::Error::new(std::io::ErrorKind::OutOfMemory, why).into());
    }
    if moves.size != size || bits > 128 {
        return Err(damaged("its parts do not fit together"));
    }
    if proof.claims.is_empty() || proof.claims.len() > 2 {
        return Err(damaged("it claims nothing, or too much"));
    }
    // Bounds on the way are this and what is banked: none of them can go round.
    if proof.claims.iter().any(|claim| claim.at_least.unsigned_abs() > MOST_VALUE) {
        return Err(damaged("it claims what no game has"));
    }
    let entries = stored(table, bits, size)?;
    let mut checker = Checker {
        game,
        table,
        entries,
        open: Vec::new(),
        arrived: Vec::new(),
        rows: Vec::new(),
        known: HashMap::new(),
        positions: 0,
        memory,
        heard,
    };
    checker.run(&proof.claims, root)
}

fn more_memory(needed: u64, memory: u64) -> String {
    format!("checking it takes {} of memory, and {} are allowed", bytes(needed), bytes(memory))
}

/// The cells of an entry, and whether it was come to.
#[derive(Clone, Copy)]
struct Stored {
    bound: NonZeroU16,
    mv: NonZeroU16,
    seen: bool,
}

/// All entries by their keys.
fn stored(table: &Table, bits: u32, size: u64) -> Result<Notes<Stored>, Broken> {
    let [bounds, moves] = [table.layer(0)?, table.layer(1)?];
    let mut entries = Notes::with_room(bits, size as usize);
    let mut cells = bounds.into_iter().zip(moves);
    let mut last = None;
    table.each_listed(|key| {
        let (bound, mv) = cells.next().unwrap_or_default();
        let (Some(bound), Some(mv)) = (NonZeroU16::new(bound), NonZeroU16::new(mv)) else {
            return Err(Broken::Damaged("it has an entry that says nothing".to_owned()));
        };
        last = Some(key);
        entries.put(key, Stored { bound, mv, seen: false });
        Ok(())
    })?;
    match last.is_some_and(|key| bits < 128 && key >> bits != 0) {
        true => Err(Broken::Damaged("it has a key that no position has".to_owned())),
        false => Ok(entries),
    }
}

/// A position on the way, seen by its mover.
#[derive(Clone, Copy)]
struct Node<S> {
    /// The representative.
    state: S,
    /// The mover's value has to be at least this, where the side of the claim moves; else at most.
    bound: i32,
}

/// What to do of the other side's moves.
enum Step<S> {
    /// Gives its answers in a position.
    Into(Node<S>),
    /// All that comes of its moving again in one is done.
    Out(Node<S>),
}

/// An entry that is to be followed.
type Followed<S> = (S, Entry);

struct Checker<'a, G: Packed + Symmetry> {
    game: &'a G,
    table: &'a Table,
    entries: Notes<Stored>,
    /// Entries that were come to and are yet to be followed, each once.
    open: Vec<Followed<G::State>>,
    /// Positions just come to, in which the side of the claim moves.
    arrived: Vec<Node<G::State>>,
    /// The other side's moves that are under way.
    rows: Vec<Step<G::State>>,
    /// Where the other side moves again: the positions that it has come to so, with their bounds, and
    /// whether it is in a row that goes through them.
    known: HashMap<(G::State, i32), bool>,
    positions: u64,
    memory: u64,
    heard: &'a dyn Fn(u64) -> bool,
}

/// Why checking ends before all is checked.
enum End<S> {
    /// The proof fails, at a position, for a reason.
    Flaw(S, String),
    /// It may not go on.
    Broken(Broken),
}

fn flaw<S, T>(state: S, why: impl Into<String>) -> Result<T, End<S>> {
    Err(End::Flaw(state, why.into()))
}

/// So many answers are looked up at once: the time goes to memory, and these looks overlap.
const AT_ONCE: usize = 16;

/// A map larger than this is not worth keeping for the next position.
const LARGE: usize = 1 << 12;

/// After so many positions it is looked at whether to go on.
const OFTEN: u64 = 1 << 12;

impl<G: Packed + Symmetry> Checker<'_, G> {
    fn run(&mut self, claims: &[Claim], root: &G::State) -> Result<Checked<G::State>, Broken> {
        for (number, claim) in claims.iter().enumerate() {
            match self.claim(number, *claim, root) {
                Ok(()) => {}
                Err(End::Flaw(state, why)) => {
                    return Ok(Checked::Flawed { position: Some(state), why });
                }
                Err(End::Broken(broken)) => return Err(broken),
            }
        }
        let unseen = |key: &u128| self.entries.get(*key).is_some_and(|entry| !entry.seen);
        let mut first = None;
        self.table.each_listed(|key| {
            first = first.or(Some(key).filter(unseen));
            Ok(())
        })?;
        Ok(match first {
            None => Checked::Proven { entries: self.entries.len(), positions: self.positions },
            Some(key) => {
                let position = state_of(self.game, key >> 1);
                let why = "the proof does not need its entry: no play that it allows leads there";
                Checked::Flawed { position, why: why.to_owned() }
            }
        })
    }

    /// Checks a claim, by its number.
    fn claim(&mut self, number: usize, claim: Claim, root: &G::State) -> Result<(), End<G::State>> {
        let mine = self.game.turn(root) == claim.side();
        self.come_to(root, mine, claim.at_least, claim)?;
        self.look_up(u32::MAX, number, claim)?;
        while let Some((state, entry)) = self.open.pop() {
            let game = self.game;
            let Some(mv) = game.moves(&state).nth(entry.mv as usize) else {
                return flaw(state, format!("there is no move number {} here", entry.mv));
            };
            let child = game.play(&state, mv);
            let again = game.turn(&child) == game.turn(&state);
            self.come_to(&child, again, entry.at_least, claim)?;
            self.look_up(entry.left, number, claim)?;
        }
        Ok(())
    }

    /// Whether to go on, and with what memory.
    fn go_on(&self) -> Result<(), End<G::State>> {
        let io = |kind, why: String| Err(End::Broken(std::io::Error::new(kind, why).into()));
        if !(self.heard)(self.positions) {
            return io(std::io::ErrorKind::Interrupted, "stopped".to_owned());
        }
        let taken = self.entries.bytes() as usize
            + self.open.capacity() * size_of::<Followed<G::State>>()
            + self.arrived.capacity() * size_of::<Node<G::State>>()
            + self.rows.capacity() * size_of::<Step<G::State>>()
            + self.known.capacity() * size_of::<((G::State, i32), bool)>();
        match taken as u64 > self.memory {
            true => io(std::io::ErrorKind::OutOfMemory, more_memory(taken as u64, self.memory)),
            false => Ok(()),
        }
    }

    /// A position, as its mover sees it, of which the side of the claim has to get at least `worth`.
    fn node(&self, state: &G::State, mine: bool, worth: i32) -> Node<G::State> {
        let merged = Merged::of(self.game, state);
        let value = if mine { worth } else { -worth };
        Node { state: merged.state, bound: value - merged.offset.0 }
    }

    /// Comes to a position: where the game is over, that has to be worth what is needed; where the
    /// side of the claim moves, it has arrived; where the other side moves, all of its answers are come
    /// to.
    fn come_to(
        &mut self,
        state: &G::State,
        mine: bool,
        worth: i32,
        claim: Claim,
    ) -> Result<(), End<G::State>> {
        if let Some(node) = self.arrive(state, mine, worth)? {
            self.rows.push(Step::Into(node));
        }
        while let Some(step) = self.rows.pop() {
            match step {
                Step::Into(node) => self.answer(node, claim)?,
                Step::Out(Node { state, bound }) => {
                    self.known.insert((state, bound), false);
                }
            }
        }
        match self.known.capacity() > LARGE {
            true => self.known = HashMap::new(),
            false => self.known.clear(),
        }
        Ok(())
    }

    /// Comes to one position; one in which the other side moves is given back.
    #[inline]
    fn arrive(
        &mut self,
        state: &G::State,
        mine: bool,
        worth: i32,
    ) -> Result<Option<Node<G::State>>, End<G::State>> {
        self.positions += 1;
        if self.positions.is_multiple_of(OFTEN) {
            self.go_on()?;
        }
        let node = self.node(state, mine, worth);
        let Node { state, bound } = node;
        match self.game.outcome(&state) {
            Some(outcome) => {
                let Value(value) = outcome.value_for(self.game.turn(&state));
                if if mine { value >= bound } else { value <= bound } {
                    return Ok(None);
                }
                let asked = if mine { "at least" } else { "at most" };
                flaw(state, format!("it ends with {value} for who would move, not {asked} {bound}"))
            }
            None if mine => {
                self.arrived.push(node);
                Ok(None)
            }
            None => Ok(Some(node)),
        }
    }

    /// Comes to all positions that the other side's moves lead to.
    fn answer(&mut self, node: Node<G::State>, claim: Claim) -> Result<(), End<G::State>> {
        let Node { state, bound } = node;
        if !self.known.is_empty() {
            match self.known.get(&(state, bound)) {
                Some(true) if claim.has_to_end() => {
                    return flaw(state, "the other side can move round and round without end");
                }
                Some(_) => return Ok(()),
                None => {}
            }
        }
        let game = self.game;
        let (mover, begun) = (game.turn(&state), self.rows.len());
        for mv in game.moves(&state) {
            let child = game.play(&state, mv);
            let again = game.turn(&child) == mover;
            // Of the side of the claim: what the mover has at most, the other has at least.
            if let Some(next) = self.arrive(&child, !again, -bound)? {
                self.rows.push(Step::Into(next));
            }
        }
        if self.rows.len() > begun {
            self.known.insert((state, bound), true);
            self.rows.insert(begun, Step::Out(node));
        }
        Ok(())
    }

    fn entry(&self, stored: Stored) -> Option<Entry> {
        let worth = |layer: u32, cell: NonZeroU16| {
            self.table.worths(layer).get(usize::from(cell.get()) - 1).copied()
        };
        entry_of(worth(0, stored.bound)?, worth(1, stored.mv)?)
    }

    /// Looks up what the proof says of the positions that have arrived, after one with so much `left`:
    /// enough for each, and those not seen before are open.
    fn look_up(&mut self, left: u32, number: usize, claim: Claim) -> Result<(), End<G::State>> {
        while !self.arrived.is_empty() {
            let mut some = [None; AT_ONCE];
            for place in &mut some {
                let Some(node) = self.arrived.pop() else { break };
                let key = proof_key(self.game.pack(&node.state), number);
                *place = Some((node, key, self.entries.get(key)));
            }
            for (Node { state, bound }, key, stored) in some.into_iter().flatten() {
                let Some(stored) = stored else {
                    return flaw(state, "the proof has no move here");
                };
                let Some(entry) = self.entry(stored) else {
                    return flaw(state, "the proof has no claim here");
                };
                if entry.at_least < bound {
                    let claimed = entry.at_least;
                    let why = format!("the proof claims {claimed} here, and {bound} are needed");
                    return flaw(state, why);
                }
                if claim.has_to_end() && entry.left >= left {
                    let why = format!("what is left does not fall: {} after {left}", entry.left);
                    return flaw(state, why);
                }
                // Of those that were looked up together one may be there twice.
                let seen = |stored: &mut Stored| std::mem::replace(&mut stored.seen, true);
                if !stored.seen && !self.entries.get_mut(key).is_some_and(seen) {
                    self.open.push((state, entry));
                }
            }
        }
        Ok(())
    }
}
