//! Checks files without merging positions: visits everything that can arise as it is, and only
//! looks it up in the file. So the game's symmetry, its banked points and its numbering need not be
//! trusted (`Plain.v`). It takes memory for every position.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;
use std::hash::Hash;

use foregone_record::proof::{Claim, has_to_end, move_like, proof_key};
use foregone_record::read::key_of;
use foregone_record::{Error, Listed, Table, Values};
use foregone_rules::Measure;
use foregone_rules::{Bank, Encode, Game, Indexed, Merged, NoBank, Value, Worth};

use crate::equation::{self, Reached, Said, at_once, showable};
use crate::proofs::{self, End, Entries, ProofVerdict, flaw};
use crate::verdict::{Count, Counts, Fault, Flaw, Tally, Unshown, Verdict};
use crate::{Effort, OnProgress, Progress, check_memory, list_bytes, map_bytes};

const NOT_BANKED: &str = "the value of endless play is not its value without banked points plus the \
                          banked points, so ranks prove nothing";

/// The number of positions between progress reports.
const OFTEN: u64 = 1 << 12;

/// Checks the entries of a table of numbered positions for every position that can arise from the
/// start and that the table covers.
///
/// # Errors
/// As [`dense::check`](crate::dense::check), and if it exceeds the memory limit.
pub fn check_dense<G: Indexed>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    if let Err(why) = showable(table.manifest().values, G::Bank::BANKS) {
        return Ok(Verdict::Unshown(Unshown { why, position: None }));
    }
    let layers = table.manifest().layers.len() as u32;
    let look_up = |state: &G::State| {
        let (layer, index) = game.index(state);
        let Value(banked) = G::Bank::banked(game, state);
        let said = |worth| Said { worth, layer, banked };
        Ok((layer < layers).then_some(table.get(layer, index)?.map(said)))
    };
    let bare = |state: &G::State| G::Bank::unbanked(game, state);
    check_table(game, table, (look_up, bare), measure, effort, on_progress)
}

/// Checks the entries of a table of keyed positions for every position that can arise from the
/// start.
///
/// # Errors
/// As [`keyed::check`](crate::keyed::check), and if it exceeds the memory limit.
pub fn check_keyed<G: Encode<Bank = NoBank>>(
    game: &G,
    table: &Table,
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let size = table.manifest().layers.first().map_or(0, |layer| layer.size);
    let bytes = size.saturating_mul((size_of::<u128>() + size_of::<u16>()) as u64);
    check_memory(bytes, effort)?;
    let (keys, cells, worths) = (table.all_keys()?, table.layer(0)?, table.worths(0));
    let look_up = |state: &G::State| {
        let number = keys.binary_search(&key_of(game, state)).ok();
        let cell = number.map_or(0, |number| usize::from(cells[number]));
        let said = |worth| Said { worth, layer: 0, banked: 0 };
        Ok(Some(cell.checked_sub(1).map(|at| said(worths[at]))))
    };
    let effort = Effort { memory: effort.memory - bytes, ..effort };
    check_table(game, table, (look_up, |state: &G::State| *state), measure, effort, on_progress)
}

/// The reachable positions: those that were found, and those that are not visited yet.
struct Reachable<S> {
    known: HashMap<S, ()>,
    open: Vec<S>,
}

impl<S: Copy + Eq + Hash> Reachable<S> {
    fn from(start: S) -> Reachable<S> {
        Reachable { known: HashMap::from([(start, ())]), open: vec![start] }
    }

    /// Adds a position if it is new.
    fn add(&mut self, state: S, effort: Effort) -> Result<(), Error> {
        let Reachable { known, open } = self;
        if known.len() == known.capacity() || open.len() == open.capacity() {
            check_memory(map_bytes(known, 1) + list_bytes(open, 1), effort)?;
        }
        if let Slot::Vacant(new) = known.entry(state) {
            new.insert(());
            open.push(state);
        }
        Ok(())
    }
}

/// Visits all positions: the start, and what every move leads to (hypotheses `checked_start` and
/// `checked_closed`). Each must have an entry that follows from the others: hypotheses
/// `checked_answer`, `checked_value`, `checked_progress`, `checked_there`, `checked_over`,
/// `checked_most`, `checked_best`, `checked_delay`, `checked_layers`, `checked_gains`,
/// `checked_even` and `checked_endless` of `Plain.v`.
///
/// `look_up` gives `None` for a position that the table does not cover, and `Some(None)` for one
/// that it covers but has no entry for; `bare` gives the same position without banked points.
fn check_table<G: Game>(
    game: &G,
    table: &Table,
    (look_up, bare): (
        impl Fn(&G::State) -> Result<Option<Option<Said>>, Error>,
        impl Fn(&G::State) -> G::State,
    ),
    measure: Option<Measure<G>>,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<Verdict<G::State>, Error> {
    let (values, listed) = (table.manifest().values, table.listed());
    let progress = Progress::new(on_progress);
    let mut reachable = Reachable::from(game.start());
    let (mut counts, mut tally) = (Counts::default(), Tally::new(values));
    counts.layers.resize(table.manifest().layers.len(), Count::default());
    let mut done = 0u64;
    // A position where the value of endless play does not include banked points, as ranks
    // assume; whether play makes progress everywhere, so that there is no endless play.
    let (mut otherwise, mut all_rise) = (None, true);
    while let Some(state) = reachable.open.pop() {
        done += 1;
        if done.is_multiple_of(OFTEN) {
            progress.add(OFTEN)?;
        }
        let over = game.outcome(&state);
        if let Some(outcome) = over.filter(|_| !listed.is_all()) {
            // The table leaves it out: the rules say what it is worth.
            counts.layers[0].add(Worth::finished(outcome, game.turn(&state)));
            continue;
        }
        if over.is_none() && !(listed == Listed::InPlay && at_once(game, &state).is_some()) {
            for (_, child) in game.successors(&state) {
                reachable.add(child, effort)?;
            }
        }
        let here = match look_up(&state)? {
            None => continue,
            Some(Some(here)) => here,
            Some(None) => {
                let (position, fault) = (Some(state), Fault::Missing);
                return Ok(Verdict::False(Flaw::Entry { place: None, position, fault }));
            }
        };
        // The measure rises, or the move leads to a lower layer.
        let rises = |child: &G::State, layer| {
            let measure = || measure.is_some_and(|of| of(game, child) > of(game, &state));
            layer < here.layer || layer == here.layer && measure()
        };
        // Hypothesis `checked_endless`.
        let [whole, endless] =
            [state, bare(&state)].map(|state| game.endless(&state).value_for(game.turn(&state)));
        if i64::from(whole.0) != i64::from(endless.0) + i64::from(here.banked) {
            otherwise = otherwise.or(Some(state));
        }
        let found = equation::check(game, (values, listed), &state, here, endless, |child| {
            let said: Option<Said> = look_up(child)?.flatten();
            let reached = said.map(|said| Reached { said, rises: rises(child, said.layer) });
            all_rise &= reached.is_none_or(|reached| reached.rises);
            Ok::<_, Error>(reached)
        })?;
        tally.take(done, None, (&state, here.worth), found);
        if let Some((_, flaw)) = tally.flaw {
            return Ok(Verdict::False(flaw));
        }
        counts.layers[here.layer as usize].add(here.worth);
    }
    let mut unshown = tally.unshown.map(|(_, unshown)| unshown);
    if values == Values::ScoreRank && !all_rise && otherwise.is_some() {
        unshown = unshown.or(Some(Unshown { why: NOT_BANKED, position: otherwise }));
    }
    Ok(unshown.map_or(Verdict::Right(counts), Verdict::Unshown))
}

/// Checks a proof about a position. In each position of the claim's side, that side makes the move
/// that corresponds to the proof's move from the representative.
///
/// # Errors
/// As [`proofs::check`].
pub fn check_proof<G: Encode>(
    game: &G,
    table: &Table,
    root: &G::State,
    effort: Effort,
    on_progress: OnProgress<'_>,
) -> Result<ProofVerdict<G::State>, Error> {
    let mut entries = Entries::read(game, table, effort)?;
    let progress = Progress::new(on_progress);
    let mut positions = 0;
    for (number, claim) in proofs::claims(table)?.iter().enumerate() {
        let mut walk = Walk {
            game,
            claim: *claim,
            number,
            entries: &mut entries,
            states: HashMap::new(),
            positions: &mut positions,
            effort,
            progress: &progress,
        };
        match walk.run(root) {
            Ok(()) => {}
            Err(End::Flaw(state, why)) => {
                return Ok(ProofVerdict::Flawed { position: Some(state), why });
            }
            Err(End::Error(error)) => return Err(error),
        }
    }
    let proven = ProofVerdict::Proven { entries: entries.len(), positions };
    Ok(entries.all_needed(game, table)?.unwrap_or(proven))
}

/// A walk through all positions that can arise by following a proof, for one claim.
struct Walk<'a, 'f, G: Encode> {
    game: &'a G,
    claim: Claim,
    number: usize,
    entries: &'a mut Entries<'f>,
    /// The positions that the walk has come to.
    states: HashMap<G::State, At>,
    positions: &'a mut u64,
    effort: Effort,
    progress: &'a Progress<'a>,
}

/// A position of the current path in which the other side moves: its remaining children, and the
/// largest rank reached so far if play has to end.
struct Row<S> {
    state: S,
    children: Vec<S>,
    rank: Option<u32>,
}

/// The state of a position in a walk.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// The other side moves there, and its moves are being followed.
    Entered,
    /// Earlier positions need a rank above this one: the rank of its entry, or the largest rank
    /// after the other side's moves, if play has to end there.
    Done(Option<u32>),
}

impl<G: Encode> Walk<'_, '_, G> {
    /// Visits everything from the root: depth first through consecutive moves of the other side, so
    /// that cycles of these are detected; then from each position of the claim's side.
    fn run(&mut self, root: &G::State) -> Result<(), End<G::State>> {
        let mut open = Vec::new();
        self.reach(*root, &mut open)?;
        while let Some((state, rank)) = open.pop() {
            let like = Merged::of(self.game, &state).state;
            let key = proof_key(self.game.encode(&like), self.number);
            let entry = self.entries.see(key);
            let mv = entry.and_then(|entry| move_like(self.game, &state, &like, entry));
            let Some(mv) = mv else { return flaw(state, "the proof has no legal move here") };
            let max = self.reach(self.game.play(&state, mv), &mut open)?;
            if max.is_some_and(|max| max >= rank) {
                return flaw(state, format!("its rank does not fall: {rank} here"));
            }
        }
        Ok(())
    }

    /// Whether play has to end from a position.
    fn has_to_end(&self, state: &G::State) -> bool {
        let endless = self.game.endless(state).value_for(self.claim.side());
        has_to_end(Value(self.claim.at_least), endless)
    }

    /// Comes to a position and follows the other side's moves from there; positions of the claim's
    /// side go into `open`. Returns the largest rank that is reached.
    fn reach(
        &mut self,
        state: G::State,
        open: &mut Vec<(G::State, u32)>,
    ) -> Result<Option<u32>, End<G::State>> {
        let mut rows: Vec<Row<G::State>> = Vec::new();
        let mut max = self.arrive(state, open, &mut rows)?;
        while let Some(row) = rows.last_mut() {
            let rank = match row.children.pop() {
                Some(child) => self.arrive(child, open, &mut rows)?,
                None => {
                    let Row { state, rank, .. } = *row;
                    self.states.insert(state, At::Done(rank));
                    rows.pop();
                    rank
                }
            };
            match rows.last_mut() {
                Some(row) => row.rank = row.rank.max(rank),
                None => max = max.max(rank),
            }
        }
        Ok(max)
    }

    /// Comes to one position; if the other side moves there, it goes on top of `rows`.
    fn arrive(
        &mut self,
        state: G::State,
        open: &mut Vec<(G::State, u32)>,
        rows: &mut Vec<Row<G::State>>,
    ) -> Result<Option<u32>, End<G::State>> {
        match self.states.get(&state) {
            Some(At::Done(rank)) => return Ok(*rank),
            Some(At::Entered) if self.has_to_end(&state) => {
                return flaw(state, "the other side can repeat its moves without end");
            }
            Some(At::Entered) => return Ok(None),
            None => {}
        }
        *self.positions += 1;
        if self.positions.is_multiple_of(OFTEN) {
            self.progress.add(OFTEN).map_err(End::Error)?;
        }
        if self.states.len() == self.states.capacity() || open.len() == open.capacity() {
            let taken = self.entries.bytes() + map_bytes(&self.states, 1) + list_bytes(open, 1);
            check_memory(taken, self.effort).map_err(End::Error)?;
        }
        let game = self.game;
        if let Some(outcome) = game.outcome(&state) {
            let Value(value) = outcome.value_for(self.claim.side());
            let needed = self.claim.at_least;
            if value < needed {
                return flaw(state, format!("it ends with {value}, but {needed} is claimed"));
            }
            self.states.insert(state, At::Done(None));
            return Ok(None);
        }
        if game.turn(&state) == self.claim.side() {
            let key = proof_key(game.encode(&Merged::of(game, &state).state), self.number);
            let Some(entry) = self.entries.see(key) else {
                return flaw(state, "the proof has no move here");
            };
            // If endless play is enough, nothing has to fall.
            let rank = self.has_to_end(&state).then_some(entry.rank);
            self.states.insert(state, At::Done(rank));
            open.push((state, entry.rank));
            return Ok(rank);
        }
        let children: Vec<_> = game.successors(&state).map(|(_, child)| child).collect();
        if children.is_empty() {
            return flaw(state, "the game is not over, but there is no move");
        }
        self.states.insert(state, At::Entered);
        rows.push(Row { state, children, rank: None });
        Ok(None)
    }
}
