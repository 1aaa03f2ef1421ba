//! Answering one question: all threads search until one has the answer, and again with a larger
//! table if it is full.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64};

use foregone_record::threads::{beside, inside, lock};
use foregone_rules::{Game, Value};

use super::guess::Guessing;
use super::hints::Hints;
use super::run::{LONGEST, Run, SHALLOW};
use super::shared::{Busy, Shared};
use super::{Exact, GUESSING, LONG, NEVER, STACK};
use crate::control::{Halted, Progress};

impl<G: Game, H: Hints<G>> Exact<'_, G, H> {
    /// Answers the question whether the value is at least `question`: with a lower bound of at least
    /// `question` if so, with an upper bound below it if not; `None` if that takes more than `max`
    /// positions in all.
    pub(super) fn ask(
        &mut self,
        state: &G::State,
        question: i32,
        proven: Option<(Value, Value)>,
        max: u64,
    ) -> Result<Option<i32>, Halted> {
        let alone = self.nodes + self.alone;
        // Without optimisation only a short line is sure to fit on the stack of the caller.
        let mut longest = if cfg!(debug_assertions) { SHALLOW } else { LONGEST };
        while self.nodes < max {
            let is_alone = self.nodes < alone;
            let (by_proof, leaf, written) = (self.by_proof, self.leaf, self.written);
            let enough = self.enough;
            let Exact { game, control, far, opinions, endgame, threads, nodes, .. } = self;
            let (work, kept, room) = (&mut self.work, &mut self.kept, &self.room);
            let count = if is_alone { 1 } else { threads.len() };
            let shared = Shared::<G::State> {
                control,
                far: far.table(),
                opinions: opinions.table(),
                endgame,
                busy: (count > 1).then(Busy::new),
                over: AtomicBool::new(false),
                nodes: AtomicU64::new(*nodes),
                work: AtomicU64::new(*work),
                enough,
                max: if threads.len() > 1 && is_alone { alone.min(max) } else { max },
                kept: AtomicU64::new(*kept),
                room: *room,
                proven,
                leaf,
            };
            let runs = threads[..count].iter_mut().map(|(near, scratch)| {
                Run::<G, H>::new(game, &shared, near.table(), scratch, written, longest)
            });
            let roomy = cfg!(debug_assertions) && longest == LONGEST;
            let (answer, halted) = run_all(runs, state, question, by_proof, roomy);
            *nodes = shared.nodes.into_inner();
            *work = shared.work.into_inner();
            *kept = shared.kept.into_inner();
            match (answer, halted) {
                (Some(answer), _) => return Ok(Some(answer)),
                (None, Some(Halted::Deep { .. })) if longest < LONGEST => {
                    longest = LONGEST;
                    let (done, total, bounds) = (self.nodes, None, proven);
                    self.control.report(Progress { phase: "searching", done, total, bounds })?;
                }
                (None, Some(halted)) => return Err(halted),
                (None, None) if self.work >= enough => {
                    return Err(Halted::Positions { limit: enough });
                }
                (None, None) if self.kept >= self.room => {
                    // A table of the largest size has no limit on stored positions.
                    // Where entries are many, they push out each other.
                    let grown = self.far.grow();
                    self.room = if grown { self.kept + self.far.entries() / 2 } else { NEVER };
                }
                (None, None) => {}
            }
        }
        Ok(None)
    }

    /// Adds layers to the endgame table, if there is room: those that the game says pay for a search from this
    /// position, and one more whenever the search has taken as long as that one will.
    pub(super) fn add_layers(&mut self, state: &G::State) -> Result<(), Halted> {
        let least = H::endgame(self.game, state);
        let due = self.nodes >= self.more_layers_at;
        let layers = least.max(self.endgame.layers() + u32::from(due));
        if due || layers > self.endgame.layers() { self.solve_layers(layers) } else { Ok(()) }
    }

    /// Adds layers to the endgame table until it has `layers`, if there is room.
    pub(super) fn solve_layers(&mut self, layers: u32) -> Result<(), Halted> {
        self.share_endgame();
        let Exact { game, control, endgame, threads, room_of_endgame, .. } = self;
        let bytes = |layers: u32| H::endgame_bytes(game, layers);
        while endgame.layers() < layers
            && bytes(endgame.layers() + 1) <= *room_of_endgame
            && H::add_layer(game, endgame, threads.len(), control)?
        {}
        self.share_endgame();
        Ok(())
    }

    /// Takes over the endgame table that is kept from other searches, or keeps this one, and says when the next
    /// layer is due.
    pub(super) fn share_endgame(&mut self) {
        let bytes = |layers: u32| H::endgame_bytes(self.game, layers);
        let fits = |layers: u32| bytes(layers) <= self.room_of_endgame;
        if let Some(kept) = self.kept_endgame
            && fits(kept.layers())
        {
            self.endgame.share(kept);
        }
        let next = self.endgame.layers() + 1;
        let size = bytes(next) - bytes(next - 1);
        let more = next > 1 && size > 0 && fits(next);
        let pace = H::endgame_pace(self.game).max(1);
        self.more_layers_at = if more { self.nodes + size / pace } else { NEVER };
    }

    /// A guess of the value; `None` if there is nothing to go by.
    pub(super) fn guess(&mut self, state: &G::State) -> Option<Value> {
        let max = self.long.saturating_mul(GUESSING / LONG);
        let mut guessing = Guessing::<G, H>::new(self.game, &self.endgame, self.control, max);
        let guess = guessing.guess(state);
        self.nodes += guessing.nodes;
        self.work += guessing.nodes;
        guess
    }
}

/// Runs all threads until one has the answer or all have stopped: the answer, and why a thread was
/// halted. The first thread alone may search by proof numbers; it is the caller, unless it has to be `roomy`.
fn run_all<'r, G: Game, H: Hints<G>>(
    mut runs: impl Iterator<Item = Run<'r, G, H>>,
    state: &G::State,
    question: i32,
    by_proof: bool,
    roomy: bool,
) -> (Option<i32>, Option<Halted>) {
    let mut first = runs.next().expect("there is at least one thread");
    let others: Vec<_> = runs.map(|run| Mutex::new((run, None))).collect();
    let other = |nth: usize| {
        let (run, answer) = &mut *lock(&others[nth]);
        *answer = Some(run.ask(state, question));
    };
    let mut answer = None;
    let mut here = || {
        answer = Some(match by_proof {
            true => first.ask_by_proof(state, question),
            false => first.ask(state, question),
        });
    };
    let mut roomily = || match roomy {
        true => with_room(&mut here),
        false => here(),
    };
    // If a thread does not start, the others do its work.
    beside(others.len(), Some(STACK), &other, &mut roomily);
    let mut all = vec![(answer, first.halted)];
    all.extend(others.into_iter().map(|other| {
        let (run, answer) = inside(other);
        (answer, run.halted)
    }));
    let answer = all.iter().find_map(|(answer, _)| answer.as_ref()?.as_ref().ok().copied());
    (answer, all.into_iter().find_map(|(_, halted)| halted))
}

/// Does the work on a stack that is large enough for the longest line of play, even in a build without optimisation.
fn with_room(work: &mut (dyn FnMut() + Send)) {
    let work = Mutex::new(work);
    let run = |_| (*lock(&work))();
    // In a browser there may be no other thread.
    if beside(1, Some(8 * STACK), &run, &mut || {}) == 0 {
        run(0);
    }
}
