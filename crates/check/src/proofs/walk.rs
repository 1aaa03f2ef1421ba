//! The walk through everything that can arise while the side of a claim follows the proof.

use std::collections::HashMap;

use foregone_record::Error;
use foregone_record::proof::{Claim, Entry, has_to_end, proof_key};
use foregone_rules::{Bank, Encode, Merged, Value};

use super::entries::Entries;
use crate::images::{Images, UNLIKE};
use crate::{Effort, OnProgress, Progress, check_memory, list_bytes, map_bytes};

/// A position of the walk, from its mover's view.
#[derive(Clone, Copy)]
struct Node<S> {
    /// The representative.
    state: S,
    /// The mover's value must be at least this if the side of the claim moves, otherwise at most.
    bound: i32,
}

/// The value of endless play in a game that banks points.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Counts {
    /// It is its value without banked points, plus the banked points.
    Banks,
    /// It does not depend on banked points: in games that cannot loop, where it has no meaning.
    Alone,
}

/// A hypothesis about the value of endless play.
struct View<S> {
    counts: Counts,
    /// A position that refutes the hypothesis.
    otherwise: Option<S>,
    /// Where the proof fails under the hypothesis, and why.
    flaw: Option<(S, String)>,
}

/// A step through consecutive moves of the other side.
enum Step<S> {
    /// Make all of its moves in a position.
    Into(Node<S>),
    /// All of its consecutive moves from a position are done.
    Out(Node<S>),
}

/// An entry to follow.
type Followed<S> = (S, Entry);

pub(super) struct Checker<'a, G: Encode> {
    game: &'a G,
    /// If positions are compared with their images.
    images: Option<Images<'a, G>>,
    pub entries: Entries<'a>,
    /// Entries that the walk has come to and that are still to be followed, each once.
    open: Vec<Followed<G::State>>,
    /// Positions that the walk has just come to, in which the side of the claim moves.
    arrived: Vec<Node<G::State>>,
    /// The steps still to do for moves of the other side.
    rows: Vec<Step<G::State>>,
    /// The positions of consecutive moves of the other side, with their bounds, and whether each is
    /// on the current path.
    known: HashMap<(G::State, i32), bool>,
    /// The hypotheses about the value of endless play, if the game banks points.
    views: [View<G::State>; 2],
    pub positions: u64,
    effort: Effort,
    progress: Progress<'a>,
}

/// Why checking ends early.
pub(crate) enum End<S> {
    /// The proof fails, at a position, for a reason.
    Flaw(S, String),
    /// An error, or a stop.
    Error(Error),
}

pub(crate) fn flaw<S, T>(state: S, why: impl Into<String>) -> Result<T, End<S>> {
    Err(End::Flaw(state, why.into()))
}

const COUNTS_OTHERWISE: &str = "the value of endless play here does not follow from its value without \
                                banked points";

/// The number of positions that are looked up together, so that the memory accesses overlap; they
/// take most of the time.
const AT_ONCE: usize = 16;

/// A map larger than this is not reused for the next position.
const LARGE: usize = 1 << 12;

/// The number of positions between checks of progress and memory.
const OFTEN: u64 = 1 << 12;

impl<'a, G: Encode> Checker<'a, G> {
    pub fn new(
        game: &'a G,
        images: Option<Images<'a, G>>,
        entries: Entries<'a>,
        effort: Effort,
        on_progress: OnProgress<'a>,
    ) -> Checker<'a, G> {
        let view = |counts| View { counts, otherwise: None, flaw: None };
        Checker {
            game,
            images,
            entries,
            open: Vec::new(),
            arrived: Vec::new(),
            rows: Vec::new(),
            known: HashMap::new(),
            views: [Counts::Banks, Counts::Alone].map(view),
            positions: 0,
            effort,
            progress: Progress::new(on_progress),
        }
    }

    /// Checks the claim with index `number`.
    pub fn claim(
        &mut self,
        number: usize,
        claim: Claim,
        root: &G::State,
    ) -> Result<(), End<G::State>> {
        let mine = self.game.turn(root) == claim.side();
        if self.images.as_ref().is_some_and(|images| !images.has(root)) {
            return flaw(*root, UNLIKE);
        }
        // Hypothesis `checked_root`.
        self.come_to(root, mine, claim.at_least, claim)?;
        self.look_up(u32::MAX, number, claim)?;
        while let Some((state, entry)) = self.open.pop() {
            let game = self.game;
            self.is_alike(&state)?;
            // Hypothesis `checked_entry`: its move exists, and is followed.
            let Some(mv) = game.moves(&state).nth(entry.mv as usize) else {
                return flaw(state, format!("there is no move number {} here", entry.mv));
            };
            let child = game.play(&state, mv);
            let again = game.turn(&child) == game.turn(&state);
            self.come_to(&child, again, entry.at_least, claim)?;
            self.look_up(entry.rank, number, claim)?;
        }
        Ok(())
    }

    /// Checks whether to stop, and the memory limit.
    fn go_on(&self) -> Result<(), End<G::State>> {
        let more = OFTEN as usize;
        let taken = self.entries.bytes()
            + list_bytes(&self.open, more)
            + list_bytes(&self.arrived, more)
            + list_bytes(&self.rows, more)
            + map_bytes(&self.known, more);
        let memory = check_memory(taken, self.effort);
        memory.and_then(|()| self.progress.add(OFTEN)).map_err(End::Error)
    }

    /// Checks that a representative is like its images.
    fn is_alike(&self, state: &G::State) -> Result<(), End<G::State>> {
        match self.images.as_ref().is_none_or(|images| images.are_alike(state)) {
            true => Ok(()),
            false => flaw(*state, UNLIKE),
        }
    }

    /// The node of a position in which the side of the claim must get at least `worth`.
    fn node(&self, state: &G::State, mine: bool, worth: i32) -> Node<G::State> {
        let merged = Merged::of(self.game, state);
        let value = if mine { worth } else { -worth };
        let Value(offset) = merged.offset;
        Node { state: merged.state, bound: value - offset }
    }

    /// Comes to a position. If the game is over, the outcome must reach the bound; if the side of
    /// the claim moves, the position has arrived; if the other side moves, all of its moves are
    /// made.
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

    /// Comes to one position; returns it if the other side moves there.
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
        if G::Bank::BANKS {
            let Value(banked) = G::Bank::banked(self.game, state);
            if banked != 0 {
                self.see_endless(state, &node.state, banked);
            }
        }
        let Node { state, bound } = node;
        match self.game.outcome(&state) {
            // The outcome must reach the bound (`come_to` in `Proofs.v`).
            Some(outcome) => {
                let Value(value) = outcome.value_for(self.game.turn(&state));
                if if mine { value >= bound } else { value <= bound } {
                    return Ok(None);
                }
                let relation = if mine { "at least" } else { "at most" };
                flaw(
                    state,
                    format!("it ends with {value} for the side to move, not {relation} {bound}"),
                )
            }
            None if mine => {
                self.arrived.push(node);
                Ok(None)
            }
            None => Ok(Some(node)),
        }
    }

    /// Comes to all positions that the other side's moves lead to (hypotheses `checked_answer` and `checked_answers`),
    /// and detects cycles of its consecutive moves (hypothesis `checked_rows`).
    fn answer(&mut self, node: Node<G::State>, claim: Claim) -> Result<(), End<G::State>> {
        let Node { state, bound } = node;
        if !self.known.is_empty() {
            match self.known.get(&(state, bound)) {
                Some(true) => {
                    let why = || "the other side can repeat its moves without end".to_owned();
                    return self.goes_on(node, false, claim, why);
                }
                Some(false) => return Ok(()),
                None => {}
            }
        }
        self.is_alike(&state)?;
        let game = self.game;
        let (mover, begun) = (game.turn(&state), self.rows.len());
        let mut stuck = true;
        for (_, child) in game.successors(&state) {
            stuck = false;
            let again = game.turn(&child) == mover;
            // The bound for the side of the claim: an upper bound for the mover is a lower bound
            // for it.
            if let Some(next) = self.arrive(&child, !again, -bound)? {
                self.rows.push(Step::Into(next));
            }
        }
        if stuck {
            return flaw(state, "the game is not over, but there is no move");
        }
        if self.rows.len() > begun {
            self.known.insert((state, bound), true);
            self.rows.insert(begun, Step::Out(node));
        }
        Ok(())
    }

    /// Handles a position from which play may go on without end, for the reason `why`: a flaw,
    /// unless endless play is enough for the side of the claim.
    fn goes_on(
        &mut self,
        Node { state, bound }: Node<G::State>,
        mine: bool,
        claim: Claim,
        why: impl FnOnce() -> String,
    ) -> Result<(), End<G::State>> {
        let Value(endless) = self.game.endless(&state).value_for(self.game.turn(&state));
        let [endless, needed] = [endless, bound].map(|value| if mine { value } else { -value });
        if !G::Bank::BANKS {
            return match has_to_end(Value(needed), Value(endless)) {
                true => flaw(state, why()),
                false => Ok(()),
            };
        }
        let fails = |counts| match counts {
            Counts::Banks => has_to_end(Value(needed), Value(endless)),
            Counts::Alone => has_to_end(Value(claim.at_least), Value(endless)),
        };
        let open = |view: &&mut View<_>| view.otherwise.is_none() && view.flaw.is_none();
        let views = self.views.iter_mut().filter(open);
        let mut failing = views.filter(|view| fails(view.counts)).peekable();
        if failing.peek().is_none() {
            return Ok(());
        }
        let why = why();
        failing.for_each(|view| view.flaw = Some((state, why.clone())));
        self.ends()
    }

    /// Succeeds while the proof holds under a hypothesis that is not refuted.
    pub fn ends(&self) -> Result<(), End<G::State>> {
        if self.views.iter().any(|view| view.otherwise.is_none() && view.flaw.is_none()) {
            return Ok(());
        }
        let failing = |counts: bool| {
            let views = self.views.iter().filter(move |view| counts == view.otherwise.is_none());
            views.filter_map(|view| view.flaw.as_ref())
        };
        let why = || COUNTS_OTHERWISE.to_owned();
        let otherwise = self.views.iter().filter_map(|view| Some((view.otherwise?, why())));
        // A flaw under a hypothesis that holds; or under a refuted one; or both hypotheses are
        // refuted.
        let first = failing(true).chain(failing(false)).cloned().chain(otherwise).next();
        first.map_or(Ok(()), |(state, why)| flaw(state, why))
    }

    /// Tests the hypotheses about endless play on a position with banked points and its
    /// representative. (Positions that are over do not matter.)
    fn see_endless(&mut self, state: &G::State, like: &G::State, banked: i32) {
        let [here, there] = [state, like].map(|state| {
            let Value(endless) = self.game.endless(state).value_for(self.game.turn(state));
            i64::from(endless)
        });
        for view in &mut self.views {
            let counted = if view.counts == Counts::Banks { banked } else { 0 };
            if view.otherwise.is_none()
                && here != there + i64::from(counted)
                && self.game.outcome(like).is_none()
            {
                view.otherwise = Some(*state);
            }
        }
    }

    /// Looks up the arrived positions in the proof, after an entry of rank `rank`: each entry must
    /// be strong enough, and new ones become open.
    fn look_up(&mut self, rank: u32, number: usize, claim: Claim) -> Result<(), End<G::State>> {
        while !self.arrived.is_empty() {
            let mut some = [None; AT_ONCE];
            for place in &mut some {
                let Some(node) = self.arrived.pop() else { break };
                let key = proof_key(self.game.encode(&node.state), number);
                *place = Some((node, key, self.entries.get(key)));
            }
            for (Node { state, bound }, key, stored) in some.into_iter().flatten() {
                let Some(stored) = stored else {
                    return flaw(state, "the proof has no move here");
                };
                let Some(entry) = self.entries.entry(stored) else {
                    return flaw(state, "the proof has no claim here");
                };
                // Its bound is strong enough, and its rank has fallen (`come_to` in `Proofs.v`).
                if entry.at_least < bound {
                    let claimed = entry.at_least;
                    let why = format!("the proof claims {claimed} here, but {bound} is needed");
                    return flaw(state, why);
                }
                if entry.rank >= rank {
                    let why = || format!("its rank does not fall: {} after {rank}", entry.rank);
                    self.goes_on(Node { state, bound }, true, claim, why)?;
                }
                // A position may occur twice among those looked up together.
                if !stored.seen && self.entries.mark(key) {
                    self.open.push((state, entry));
                }
            }
        }
        Ok(())
    }
}
