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

use foregone_rules::games::Parse;
use foregone_rules::{Game, Invalid, Packed, Reduce, Side, Value, Worth};
use serde::{Deserialize, Serialize};

use crate::format::Broken;
use crate::table::{MOST_VALUE, Table};

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
    pub fn root<G: Game>(&self, game: &G, parse: Option<Parse<G>>) -> Result<G::State, Invalid> {
        let mut state = match (&self.position, parse) {
            (None, _) => game.start(),
            (Some(text), Some(parse)) => parse(game, text)?,
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
}

impl fmt::Display for ProofContents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.position {
            None => f.write_str("from the start")?,
            Some(position) => write!(f, "from `{position}`")?,
        }
        if !self.moves.is_empty() {
            write!(f, " after {}", self.moves.join(" "))?;
        }
        for (nth, Claim { first, at_least }) in self.claims.iter().enumerate() {
            let side = if *first { "first" } else { "second" };
            let and = if nth > 0 { " and" } else { "" };
            write!(f, "{and} the {side} player gets at least {at_least}")?;
        }
        Ok(())
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

/// What came of checking a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// Everything that is claimed holds.
    Proven {
        /// How many positions of the proof there are.
        entries: u64,
        /// How many positions were gone through, the other side's too.
        positions: u64,
    },
    /// It does not.
    Flawed {
        /// The position where it fails, as debug text.
        position: String,
        /// Why.
        why: String,
    },
}

/// What a proof says of a position in which the side of a claim (by its number) moves: the move, and
/// the entry. Nothing where it has none.
///
/// # Errors
/// Where the file is damaged.
pub fn advice<G: Packed + Reduce>(
    game: &G,
    table: &Table,
    claim: usize,
    state: &G::State,
) -> Result<Option<(G::Move, Entry)>, Broken> {
    let like = game.reduce(state).state;
    let Some(place) = table.place(proof_key(game.pack(&like), claim))? else { return Ok(None) };
    let (Some(bound), Some(mv)) = (table.get(0, place)?, table.get(1, place)?) else {
        return Ok(None);
    };
    let entry = entry_of(bound, mv);
    // The move is that of the representative: here it is one that leads to a position like that.
    let reached = |from: &G::State, mv| {
        let child = game.play(from, mv);
        (game.reduce(&child).state, game.turn(&child) == game.turn(from))
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

/// A position on the way, seen by its mover.
struct Node<S> {
    /// The representative.
    state: S,
    /// Whether the side moves that the claim is about.
    mine: bool,
    /// Then its value has to be at least this; else at most.
    bound: i32,
}

/// Positions in which the side of a claim moves, and what is left has to be less than.
type Open<S> = Vec<(Node<S>, u32)>;

/// Keys by their hash, to find them quickly: places plus one.
struct Finder {
    keys: Vec<u128>,
    slots: Vec<u32>,
    shift: u32,
}

impl Finder {
    fn new(keys: Vec<u128>) -> Finder {
        let bits = (2 * keys.len().max(1)).next_power_of_two().trailing_zeros().max(1);
        let mut finder = Finder { keys, slots: vec![0; 1 << bits], shift: 64 - bits };
        for place in 0..finder.keys.len() {
            let mut slot = finder.slot(finder.keys[place]);
            while finder.slots[slot] != 0 {
                slot = (slot + 1) % finder.slots.len();
            }
            finder.slots[slot] = place as u32 + 1;
        }
        finder
    }

    fn slot(&self, key: u128) -> usize {
        let mixed =
            (key as u64 ^ ((key >> 64) as u64).rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> self.shift) as usize
    }

    fn find(&self, key: u128) -> Option<usize> {
        let mut slot = self.slot(key);
        loop {
            let place = (self.slots[slot] as usize).checked_sub(1)?;
            if self.keys[place] == key {
                return Some(place);
            }
            slot = (slot + 1) % self.slots.len();
        }
    }
}

/// Checks a proof about a position. `heard` is told again and again how many positions were gone
/// through, and says whether to go on.
///
/// # Errors
/// Where the file is damaged, is no proof, or needs more memory than so many bytes; or it was stopped.
pub fn check<G: Packed + Reduce>(
    game: &G,
    table: &Table,
    root: &G::State,
    memory: u64,
    heard: &dyn Fn(u64) -> bool,
) -> Result<Checked, Broken> {
    let damaged = |why: &str| Broken::Damaged(why.to_owned());
    let contents = table.contents();
    let (Some(proof), Some(_), [bounds, moves]) =
        (&contents.proof, &contents.keys, &contents.layers[..])
    else {
        return Err(damaged("it is no proof"));
    };
    let size = bounds.size;
    // Keys, their hash table, two cells and a bit.
    let needed = size.saturating_mul(16 + 16 + 4 + 1);
    if needed > memory {
        let why = format!("checking it takes {needed} bytes, and {memory} are allowed");
        return Err(std::io::Error::new(std::io::ErrorKind::OutOfMemory, why).into());
    }
    if moves.size != size || size >= u64::from(u32::MAX) || game.bits() > 127 {
        return Err(damaged("its parts do not fit together"));
    }
    if proof.claims.is_empty() || proof.claims.len() > 2 {
        return Err(damaged("it claims nothing, or too much"));
    }
    // Bounds on the way are this and what is banked: none of them can go round.
    if proof.claims.iter().any(|claim| claim.at_least.unsigned_abs() > MOST_VALUE) {
        return Err(damaged("it claims what no game has"));
    }
    let keys = table.all_listed()?;
    let cells = [table.layer(0)?, table.layer(1)?];
    let checker =
        Checker { game, table, finder: Finder::new(keys), cells, seen: vec![false; size as usize] };
    checker.run(&proof.claims, root, heard)
}

struct Checker<'a, G: Packed + Reduce> {
    game: &'a G,
    table: &'a Table,
    finder: Finder,
    cells: [Vec<u16>; 2],
    seen: Vec<bool>,
}

/// Why a proof fails, and where.
struct Flaw<S>(S, String);

impl<G: Packed + Reduce> Checker<'_, G> {
    fn entry(&self, place: usize) -> Option<Entry> {
        let worth = |layer: u32, cells: &[u16]| {
            let cell = usize::from(*cells.get(place)?).checked_sub(1)?;
            self.table.worths(layer).get(cell).copied()
        };
        entry_of(worth(0, &self.cells[0])?, worth(1, &self.cells[1])?)
    }

    fn run(
        mut self,
        claims: &[Claim],
        root: &G::State,
        heard: &dyn Fn(u64) -> bool,
    ) -> Result<Checked, Broken> {
        let (mut positions, mut told) = (0, 0);
        for (number, claim) in claims.iter().enumerate() {
            let value = Value(claim.at_least);
            let mine = self.game.turn(root) == claim.side();
            let first = self.node(root, mine, value.0);
            let mut open = Vec::new();
            let mut flaw = self.come_to(first, u32::MAX, *claim, &mut open, &mut positions);
            while let (Ok(()), Some((node, left))) = (&flaw, open.pop()) {
                if positions / (1 << 16) > told {
                    told = positions / (1 << 16);
                    if !heard(positions) {
                        let stopped = std::io::ErrorKind::Interrupted;
                        return Err(std::io::Error::new(stopped, "stopped").into());
                    }
                }
                flaw = self.visit(node, left, number, *claim, &mut open, &mut positions);
            }
            if let Err(Flaw(state, why)) = flaw {
                return Ok(Checked::Flawed { position: format!("{state:?}"), why });
            }
        }
        match self.seen.iter().position(|seen| !seen) {
            Some(place) => Ok(Checked::Flawed {
                position: format!("key {}", self.finder.keys[place]),
                why: "the proof does not need it: no play that it allows leads there".to_owned(),
            }),
            None => Ok(Checked::Proven { entries: self.seen.len() as u64, positions }),
        }
    }

    /// A position as it is come to: of the side of the claim at least `worth` is asked for it.
    fn node(&self, state: &G::State, mine: bool, worth: i32) -> Node<G::State> {
        let reduced = self.game.reduce(state);
        let value = if mine { worth } else { -worth };
        Node { state: reduced.state, mine, bound: value - reduced.offset.0 }
    }

    /// Comes to a position: where the game is over, that has to be worth what is needed; where the
    /// other side moves, all of its answers are come to, and what the side of the claim has to move
    /// in is put with what is open.
    fn come_to(
        &self,
        node: Node<G::State>,
        left: u32,
        claim: Claim,
        open: &mut Open<G::State>,
        positions: &mut u64,
    ) -> Result<(), Flaw<G::State>> {
        let game = self.game;
        let mut rows = vec![(node, false)];
        // Where the other side moves again: the positions that it has come to so, and whether it is
        // in a row that goes through them.
        let mut known: HashMap<(G::State, i32), bool> = HashMap::new();
        while let Some((node, done)) = rows.pop() {
            let Node { state, mine, bound } = node;
            if done {
                known.insert((state, bound), false);
                continue;
            }
            *positions += 1;
            let mover = game.turn(&state);
            if let Some(outcome) = game.outcome(&state) {
                let Value(value) = outcome.value_for(mover);
                if if mine { value < bound } else { value > bound } {
                    let asked = if mine { "at least" } else { "at most" };
                    let why =
                        format!("it ends with {value} for who would move, not {asked} {bound}");
                    return Err(Flaw(state, why));
                }
                continue;
            }
            if mine {
                open.push((Node { state, mine, bound }, left));
                continue;
            }
            match known.get(&(state, bound)) {
                Some(true) if claim.has_to_end() => {
                    let why = "the other side can move round and round without end";
                    return Err(Flaw(state, why.to_owned()));
                }
                Some(_) => continue,
                None => {}
            }
            let begun = rows.len();
            for mv in game.moves(&state) {
                let child = game.play(&state, mv);
                let again = game.turn(&child) == mover;
                let next = self.node(&child, !again, -bound);
                rows.push((next, false));
                if again && known.insert((state, bound), true).is_none() {
                    rows.insert(begun, (Node { state, mine, bound }, true));
                }
            }
        }
        Ok(())
    }

    /// Follows the proof in a position that is not over, in which the side of the claim moves.
    fn visit(
        &mut self,
        node: Node<G::State>,
        left: u32,
        number: usize,
        claim: Claim,
        open: &mut Open<G::State>,
        positions: &mut u64,
    ) -> Result<(), Flaw<G::State>> {
        let Node { state, bound, .. } = node;
        let game = self.game;
        let Some(place) = self.finder.find(proof_key(game.pack(&state), number)) else {
            return Err(Flaw(state, "the proof has no move here".to_owned()));
        };
        let Some(entry) = self.entry(place) else {
            return Err(Flaw(state, "the proof has no claim here".to_owned()));
        };
        if entry.at_least < bound {
            let why = format!("the proof claims {} here, and {bound} are needed", entry.at_least);
            return Err(Flaw(state, why));
        }
        if claim.has_to_end() && entry.left >= left {
            let why = format!("what is left does not fall: {} after {left}", entry.left);
            return Err(Flaw(state, why));
        }
        if std::mem::replace(&mut self.seen[place], true) {
            return Ok(());
        }
        let Some(mv) = game.moves(&state).nth(entry.mv as usize) else {
            return Err(Flaw(state, format!("there is no move number {} here", entry.mv)));
        };
        let child = game.play(&state, mv);
        let again = game.turn(&child) == game.turn(&state);
        let next = self.node(&child, again, entry.at_least);
        self.come_to(next, entry.left, claim, open, positions)
    }
}
