//! A game whose positions have numbers already: a graph of moves, as other programs and languages have it. It is
//! solved as [`Strong`](super::Strong) solves a game, but nothing is hashed and no position is looked up.

use foregone_rules::{Game, Invalid, Outcome, Side, Worth};

use super::blocks::Blocks;
use super::explore::{FINDING, MAX};
use super::settle::Settling;
use super::step::{Plain, Step, Steps};
use crate::control::{Control, Halted, Pace, Progress};

/// A game as numbered positions. The moves of position `n` lead to `targets[offsets[n]..offsets[n + 1]]`.
///
/// ```
/// use foregone::{Control, Graph, Outcome, Side};
///
/// // Two sticks; a side takes one or two; who takes the last one wins. The positions: two left, one left, none
/// // left after two moves, none left after one.
/// let turns = vec![Side::First, Side::Second, Side::First, Side::Second];
/// let outcomes = vec![None, None, Some(Outcome::win(Side::Second)), Some(Outcome::win(Side::First))];
/// let graph = Graph::new(vec![0, 2, 3, 3, 3], vec![1, 3, 2], turns, outcomes)?;
/// let worths = graph.solve(&Control::default()).unwrap();
/// assert_eq!((worths[0].value().0, worths[0].distance().plies()), (1, Some(1)));
/// # Ok::<(), foregone::Invalid>(())
/// ```
#[derive(Clone, Debug)]
pub struct Graph {
    offsets: Vec<u64>,
    targets: Vec<u32>,
    turns: Vec<Side>,
    outcomes: Vec<Option<Outcome>>,
    endless: Outcome,
}

impl Graph {
    /// A graph, where endless play is a draw. A position has an outcome, or at least one move; moves of one with an
    /// outcome are not used.
    ///
    /// # Errors
    /// If the lists contradict each other: the error says where.
    pub fn new(
        offsets: Vec<u64>,
        targets: Vec<u32>,
        turns: Vec<Side>,
        outcomes: Vec<Option<Outcome>>,
    ) -> Result<Graph, Invalid> {
        let count = turns.len();
        if count == 0 || count as u64 > MAX {
            let expected = format!("at least one position, and at most {MAX}");
            return Err(Invalid::new(format!("{count} positions"), expected));
        }
        if outcomes.len() != count {
            let expected = format!("one for each of the {count} positions");
            return Err(Invalid::new(format!("{} outcomes", outcomes.len()), expected));
        }
        let ends = (offsets.first().copied(), offsets.last().copied());
        if offsets.len() != count + 1 || ends != (Some(0), Some(targets.len() as u64)) {
            let found =
                format!("{} offsets, the last of them {}", offsets.len(), ends.1.unwrap_or(0));
            let expected = format!("{} offsets from 0 to {}", count + 1, targets.len());
            return Err(Invalid::new(found, expected));
        }
        if let Some(at) = offsets.windows(2).position(|pair| pair[0] > pair[1]) {
            let found = format!("offsets that fall after position {at}");
            return Err(Invalid::new(found, "offsets that rise"));
        }
        if let Some(at) = targets.iter().position(|target| *target as usize >= count) {
            let found = format!("target {} at place {at}", targets[at]);
            return Err(Invalid::new(found, format!("the number of a position, below {count}")));
        }
        for (at, outcome) in outcomes.iter().enumerate() {
            match outcome {
                Some(outcome) => check_size(*outcome, &format!("at position {at}"))?,
                None if offsets[at] == offsets[at + 1] => {
                    let found = format!("neither moves nor an outcome at position {at}");
                    return Err(Invalid::new(found, "one of them"));
                }
                _ => {}
            }
        }
        Ok(Graph { offsets, targets, turns, outcomes, endless: Outcome::DRAW })
    }

    /// Sets the outcome of endless play.
    ///
    /// # Errors
    /// If the outcome is larger than [`Outcome::LIMIT`].
    pub fn with_endless(self, endless: Outcome) -> Result<Graph, Invalid> {
        check_size(endless, "for endless play")?;
        Ok(Graph { endless, ..self })
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.turns.len()
    }

    /// The worth of every position by its number, also of those that cannot arise from position 0.
    ///
    /// # Errors
    /// If a limit of `control` is reached, or it is stopped.
    pub fn solve(&self, control: &Control) -> Result<Vec<Worth>, Halted> {
        let count = self.positions();
        if count as u64 > control.positions() {
            return Err(Halted::Positions { limit: control.positions() });
        }
        let moves =
            Blocks::<u64>::bytes_for(count + 1) + Blocks::<Plain>::bytes_for(self.targets.len());
        let taken = moves + 2 * Blocks::<Worth>::bytes_for(count);
        control.check_memory(taken, FINDING, 0)?;
        let mut pace = Pace::new();
        let mut steps =
            Steps { from: Blocks::new(), steps: Blocks::new(), rising: true, even: true };
        let mut worths = Blocks::new();
        for number in 0..count {
            steps.from.push(steps.steps.len() as u64);
            let state = number as u32;
            let mover = self.turns[number];
            match self.outcomes[number] {
                Some(outcome) => worths.push(Worth::finished(outcome, mover)),
                None => {
                    worths.push(Worth::endless(self.endless.value_for(mover)));
                    for &target in self.targets(state) {
                        let again = self.turns[target as usize] == mover;
                        steps.rising &= target > state;
                        steps.steps.push(Plain::new(target, again, 0));
                    }
                }
            }
            if pace.is_up(1 + self.targets(state).len() as u64) {
                let (done, total) = (number as u64, Some(count as u64));
                control.report(Progress { phase: FINDING, done, total, bounds: None })?;
            }
        }
        steps.from.push(steps.steps.len() as u64);
        let endless = |number: usize| self.endless.value_for(self.turns[number]);
        let settling = Settling { taken, steps, worths, endless: &endless, control, pace };
        Ok(settling.settle_all()?.0.iter().copied().collect())
    }

    fn targets(&self, state: u32) -> &[u32] {
        let at = state as usize;
        &self.targets[self.offsets[at] as usize..self.offsets[at + 1] as usize]
    }
}

impl Game for Graph {
    /// The number of a position.
    type State = u32;
    /// The place of a move among those of its position.
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn turn(&self, state: &u32) -> Side {
        self.turns[*state as usize]
    }

    fn outcome(&self, state: &u32) -> Option<Outcome> {
        self.outcomes[*state as usize]
    }

    fn moves(&self, state: &u32) -> impl Iterator<Item = u32> {
        0..self.targets(*state).len() as u32
    }

    fn play(&self, state: &u32, mv: u32) -> u32 {
        self.targets(*state)[mv as usize]
    }

    fn endless(&self, _: &u32) -> Outcome {
        self.endless
    }
}

fn check_size(Outcome(outcome): Outcome, place: &str) -> Result<(), Invalid> {
    if outcome.unsigned_abs() <= Outcome::LIMIT as u32 {
        return Ok(());
    }
    let expected = format!("an outcome from -{0} to {0}", Outcome::LIMIT);
    Err(Invalid::new(format!("outcome {outcome} {place}"), expected))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use foregone_trial as trial;

    /// The graph of a random game, all positions, also those that cannot arise.
    fn numbered(random: &trial::Graph) -> Graph {
        let mut offsets = vec![0];
        let mut targets = Vec::new();
        for (moves, outcome) in random.moves.iter().zip(&random.outcomes) {
            let moves = if outcome.is_none() { &moves[..] } else { &[] };
            targets.extend(moves.iter().map(|target| u32::from(*target)));
            offsets.push(targets.len() as u64);
        }
        let graph = Graph::new(offsets, targets, random.turns.clone(), random.outcomes.clone());
        let endless = random.endless.first().copied().unwrap_or(Outcome::DRAW);
        graph.unwrap().with_endless(endless).unwrap()
    }

    #[test]
    fn every_position_of_a_graph_is_worth_what_the_reference_says() {
        for seed in 0..600 {
            let mut random = trial::Graph::new(seed).with_endless([0, 0, 1, -2][seed as usize % 4]);
            if seed % 3 == 0 {
                random = random.without_loops();
            }
            let graph = numbered(&random);
            let worths = graph.solve(&Control::default()).unwrap();
            for state in 0..graph.positions() as u32 {
                let expected = reference::worths(&graph, &state)[&state];
                assert_eq!(worths[state as usize], expected, "seed {seed}, position {state}");
            }
        }
    }

    #[test]
    fn lists_that_contradict_each_other_are_refused() {
        let side = Side::First;
        let over = Some(Outcome::DRAW);
        let refused =
            |offsets: &[u64], targets: &[u32], turns: usize, outcomes: &[Option<Outcome>]| {
                let graph =
                    Graph::new(offsets.into(), targets.into(), vec![side; turns], outcomes.into());
                graph.unwrap_err().to_string()
            };
        let says = |text: String, part: &str| assert!(text.contains(part), "{text}");
        says(refused(&[0], &[], 0, &[]), "at least one position");
        says(refused(&[0, 0], &[], 1, &[]), "0 outcomes");
        says(refused(&[0], &[], 1, &[over]), "2 offsets from 0 to 0");
        says(refused(&[0, 1], &[], 1, &[over]), "the last of them 1");
        says(refused(&[0, 1, 0, 1], &[0], 3, &[over; 3]), "fall after position 1");
        says(refused(&[0, 1], &[1], 1, &[None]), "target 1 at place 0");
        says(refused(&[0, 0], &[], 1, &[None]), "neither moves nor an outcome at position 0");
        says(refused(&[0, 0], &[], 1, &[Some(Outcome(i32::MIN))]), "-2147483648 at position 0");
    }

    #[test]
    fn outcomes_may_be_as_large_as_the_limit() {
        // Position 0 may go round for ever or end.
        let graph = |outcome, endless| {
            let outcomes = vec![None, Some(Outcome(outcome))];
            Graph::new(vec![0, 2, 2], vec![0, 1], vec![Side::First; 2], outcomes)?
                .with_endless(Outcome(endless))
        };
        for max in [Outcome::LIMIT, -Outcome::LIMIT] {
            for (outcome, endless) in [(max, 0), (0, max), (max, -max)] {
                let graph = graph(outcome, endless).unwrap();
                let worths = graph.solve(&Control::default()).unwrap();
                assert_eq!(worths[0], reference::worths(&graph, &0)[&0], "{outcome}, {endless}");
                assert_eq!(worths[0].value().0, outcome.max(endless));
            }
            let more = max + max.signum();
            assert!(graph(more, 0).is_err() && graph(0, more).is_err());
        }
    }

    #[test]
    fn limits_hold() {
        let graph = numbered(&trial::Graph::new(5));
        let halted = graph.solve(&Control::default().with_positions(1)).unwrap_err();
        assert!(matches!(halted, Halted::Positions { limit: 1 }));
        let halted = graph.solve(&Control::default().with_memory(10)).unwrap_err();
        assert!(matches!(halted, Halted::Memory { .. }));
    }
}
