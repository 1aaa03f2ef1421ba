//! Pieces that are points: nothing but the final score asks for them, and none leaves the board. What is on the board
//! is then an offset to the value, and what can still come bounds it (dots and boxes).

use crate::board::Cells;
use crate::machine::{Word, Words};
use crate::reach::Reach;
use crate::symmetry::alike_but_for_results;
use crate::typed::{Block, Number, Rules, Set, SideRules, Sign, Statement, Stuck, apart};

/// The kinds of pieces that are points of the first and of the second player, and the cells where they may come to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Points {
    pub sets: [usize; 2],
    pub cells: Cells,
}

/// The same, for positions of words.
#[derive(Clone, Debug)]
pub(crate) struct Banked<S> {
    sets: [usize; 2],
    cells: S,
    /// For each set its word, the cells that it may hold, and those that it always holds.
    bounds: Vec<(usize, S, S)>,
}

impl<S: Word> Banked<S> {
    pub fn new(rules: &Rules, points: &Points, reach: &Reach) -> Banked<S> {
        let held = reach.sets.iter().zip(&rules.start.sets).enumerate();
        let bounds = held.map(|(set, (held, start))| {
            let free = if set < rules.layout.pieces { reach.changing } else { Cells::MAX };
            (Words::SETS + set, S::from_cells(held & free), S::from_cells(start & !free))
        });
        Banked {
            sets: points.sets.map(|set| Words::SETS + set),
            cells: S::from_cells(points.cells),
            bounds: bounds.collect(),
        }
    }

    /// Whether play from the start may lead to such a position: else nothing is known of what can still come.
    #[inline]
    pub fn fits<const N: usize>(&self, state: &[S; N]) -> bool {
        self.bounds.iter().all(|(word, free, always)| state[*word] & !*free == *always)
    }

    /// The most points that can still come.
    #[inline]
    pub fn left<const N: usize>(&self, state: &[S; N]) -> i32 {
        let [first, second] = self.sets;
        (self.cells & !(state[first] | state[second])).count() as i32
    }

    /// How many more points the first player has.
    #[inline]
    pub fn lead<const N: usize>(&self, state: &[S; N]) -> i32 {
        let [first, second] = self.sets.map(|set| state[set].count() as i32);
        first - second
    }

    /// Makes all points the first player's; how many more were the first player's.
    #[inline]
    pub fn take<const N: usize>(&self, state: &mut [S; N]) -> i32 {
        let lead = self.lead(state);
        let [first, second] = self.sets;
        let others = std::mem::replace(&mut state[second], S::ZERO);
        state[first] |= others;
        lead
    }
}

/// `None` if there are none, or if the rules do not show it.
pub(crate) fn points(rules: &Rules, reach: &Reach) -> Option<Points> {
    let scores = [0, 1].map(|side: usize| score(&rules.sides[side]));
    let [Some(sets), Some(other)] = scores else { return None };
    let [first, second] = sets;
    let alike = alike_but_for_results(rules);
    let are_points = other == [second, first]
        && alike[first] == alike[second]
        && rules.sides.iter().all(|side| only_adds(side, sets, rules.layout.pieces));
    are_points.then(|| Points { sets, cells: reach.sets[first] | reach.sets[second] })
}

/// The kinds of pieces whose numbers, one minus the other, are each result of a side.
fn score(side: &SideRules) -> Option<[usize; 2]> {
    fn collect<'r>(block: &'r Block, all: &mut Vec<&'r Number>) {
        for statement in block {
            if let Statement::Finish(number) = statement {
                all.push(number);
            }
            statement.blocks().for_each(|block| collect(block, all));
        }
    }
    let mut all = Vec::new();
    collect(&side.moves, &mut all);
    collect(&side.end, &mut all);
    if let Stuck::Ends(block) | Stuck::Passes(block) = &side.stuck {
        // Without a result the end is a draw.
        let [Statement::Finish(number)] = &block[..] else { return None };
        all.push(number);
    }
    let Number::Calculate(Sign::Minus, own, other) = *all.first()? else { return None };
    match (&**own, &**other) {
        (Number::Size(own), Number::Size(other)) => match (&**own, &**other) {
            (Set::State(own), Set::State(other)) if all.iter().all(|each| each == &all[0]) => {
                Some([*own, *other])
            }
            _ => None,
        },
        _ => None,
    }
}

/// Whether a side never takes such pieces away, and puts them where none are, as the last change of its move.
fn only_adds(side: &SideRules, sets: [usize; 2], pieces: usize) -> bool {
    let mut adds = Adds { side, sets, pieces, added: false };
    adds.block(&side.moves) && adds.block(&side.end)
}

struct Adds<'r> {
    side: &'r SideRules,
    sets: [usize; 2],
    pieces: usize,
    /// Whether some were put.
    added: bool,
}

impl Adds<'_> {
    fn block(&mut self, block: &Block) -> bool {
        block.iter().all(|statement| {
            let own = match statement {
                Statement::Put { set, on } => {
                    let may = !self.added && self.is_apart(on);
                    self.added |= self.sets.contains(set);
                    may
                }
                Statement::Clear(on) => !self.added && self.is_apart(on),
                // What is in a loop is done after itself.
                Statement::For { body, .. } | Statement::Repeat { body, .. } => {
                    !body.iter().any(|statement| statement.any(&|within| within.effect().pieces))
                }
                statement => !statement.effect().pieces,
            };
            own && statement.blocks().all(|block| self.block(block))
        })
    }

    /// Whether cells surely hold none of these pieces: a name means what it was given, if it was given once.
    fn is_apart(&self, on: &Set) -> bool {
        let meant = match on {
            Set::Local(local) => match self.given(*local) {
                Some(meant) => meant,
                None => return false,
            },
            on => on,
        };
        self.sets.iter().all(|set| apart(meant, &Set::State(*set), self.pieces))
    }

    /// What a name is given; `None` if that is not one set.
    fn given(&self, local: usize) -> Option<&Set> {
        fn collect<'r>(block: &'r Block, local: usize, all: &mut Vec<Option<&'r Set>>) {
            for statement in block {
                if statement.effect().local == Some(local) {
                    all.push(match statement {
                        Statement::Choose { from: set, .. }
                        | Statement::SetLocal { value: set, .. } => Some(set),
                        _ => None,
                    });
                }
                statement.blocks().for_each(|block| collect(block, local, all));
            }
        }
        let mut all = Vec::new();
        collect(&self.side.moves, local, &mut all);
        collect(&self.side.end, local, &mut all);
        if let [Some(set)] = all[..] { Some(set) } else { None }
    }
}
