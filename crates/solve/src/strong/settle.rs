//! Step two of strong solving: computes worths backwards.

use foregone_rules::{Value, Worth};

use super::blocks::Blocks;
use super::step::{Step, Steps};
use crate::control::{Control, Halted, Pace, Progress};

pub(super) const SORTING: &str = "sorting positions";
pub(super) const SETTLING: &str = "working back from the end";

/// The difference between a worth and endless play.
pub(super) fn size(worth: Worth, Value(endless): Value) -> i64 {
    i64::from(worth.value().0) - i64::from(endless)
}

/// The state of step two. It sees only numbers, so that it is compiled once for all games.
pub(super) struct Settling<'c, S> {
    pub steps: Steps<S>,
    pub worths: Blocks<Worth>,
    /// The value of endless play for the mover of each position.
    pub endless: &'c dyn Fn(usize) -> Value,
    pub control: &'c Control,
    /// The memory in use before step two, in bytes.
    pub taken: u64,
    pub pace: Pace,
}

impl<S: Step> Settling<'_, S> {
    /// The worths of all positions; the order in which they were settled, if the value of endless play differs
    /// between positions.
    pub fn settle_all(mut self) -> Result<(Blocks<Worth>, Option<Blocks<u32>>), Halted> {
        let mut settled = None;
        if !self.steps.even {
            settled = Some(self.by_components()?);
        } else if self.steps.rising {
            self.sweep(None)?;
        } else {
            match self.sorted()? {
                Some(order) => self.sweep(Some(&order))?,
                None => self.retrograde()?,
            }
        }
        Ok((self.worths, settled))
    }

    pub fn check_memory(&self, more: u64) -> Result<(), Halted> {
        self.control.check_memory(self.taken + more, SORTING, self.worths.len() as u64)
    }

    /// Reports progress if that is due, after one position and `more` moves.
    #[inline]
    pub fn report(&mut self, phase: &'static str, done: usize, more: usize) -> Result<(), Halted> {
        if self.pace.is_up(1 + more as u64) { self.show(phase, done) } else { Ok(()) }
    }

    #[cold]
    fn show(&self, phase: &'static str, done: usize) -> Result<(), Halted> {
        let total = Some(self.worths.len() as u64);
        self.control.report(Progress { phase, done: done as u64, total, bounds: None })
    }

    /// Settles all positions in reverse topological order; `None` means that the numbers are in
    /// topological order.
    pub fn sweep(&mut self, order: Option<&Blocks<u32>>) -> Result<(), Halted> {
        let count = self.worths.len();
        for done in 0..count {
            let at = count - 1 - done;
            let number = order.map_or(at, |order| order.get(at) as usize);
            let steps = self.steps.of(number);
            let count = steps.len();
            let moves = steps.map(|step| step.worth(self.worths.get(step.number())));
            let endless = (self.endless)(number);
            if let Some(best) = moves.max_by_key(|worth| worth.key(endless)) {
                self.worths.set(number, best);
            }
            self.report(SETTLING, done, count)?;
        }
        Ok(())
    }

    /// The difference between a position's worth for its mover and endless play.
    pub fn size(&self, number: usize) -> i64 {
        size(self.worths.get(number), (self.endless)(number))
    }

    /// The number of steps that lead to each position.
    pub fn arrivals(&mut self) -> Result<Blocks<u32>, Halted> {
        let count = self.worths.len();
        self.check_memory(Blocks::<u32>::bytes_for(count))?;
        let mut arrivals = Blocks::filled(0u32, count);
        for number in 0..count {
            let steps = self.steps.of(number);
            let count = steps.len();
            for step in steps {
                *arrivals.get_mut(step.number()) += 1;
            }
            self.report(SORTING, number, count)?;
        }
        Ok(arrivals)
    }

    /// A topological order of the positions; `None` if the game loops.
    pub fn sorted(&mut self) -> Result<Option<Blocks<u32>>, Halted> {
        let count = self.worths.len();
        self.check_memory(2 * Blocks::<u32>::bytes_for(count))?;
        let mut waiting = self.arrivals()?;
        let mut order = Blocks::new();
        for number in (0..count).filter(|number| waiting.get(*number) == 0) {
            order.push(number as u32);
        }
        let mut at = 0;
        while at < order.len() {
            let number = order.get(at) as usize;
            let steps = self.steps.of(number);
            let count = steps.len();
            for step in steps {
                let left = waiting.get_mut(step.number());
                *left -= 1;
                if *left == 0 {
                    order.push(step.number() as u32);
                }
            }
            self.report(SORTING, at, count)?;
            at += 1;
        }
        Ok((order.len() == count).then_some(order))
    }

    /// The reversed steps: those that lead to each position.
    pub fn backwards(&mut self) -> Result<Steps<S>, Halted> {
        let count = self.worths.len();
        let steps = self.steps.steps.len();
        let size = Blocks::<u64>::bytes_for(count + 1) + Blocks::<S>::bytes_for(steps);
        self.check_memory(size + Blocks::<u32>::bytes_for(count))?;
        let arrivals = self.arrivals()?;
        let mut from = Blocks::new();
        let mut sum = 0;
        for arriving in arrivals.iter() {
            // At first the end of each position's part; filling the part moves it to the beginning.
            sum += u64::from(*arriving);
            from.push(sum);
        }
        from.push(sum);
        let mut back = Blocks::filled(S::new(0, false, 0), steps);
        for number in 0..count {
            let steps = self.steps.of(number);
            let count = steps.len();
            for step in steps {
                let at = from.get_mut(step.number());
                *at -= 1;
                back.set(*at as usize, step.back(number as u32));
            }
            self.report(SORTING, number, count)?;
        }
        Ok(Steps { from, steps: back, rising: false, even: true })
    }

    /// Settles a game that loops.
    pub fn retrograde(&mut self) -> Result<(), Halted> {
        let count = self.worths.len();
        let back = self.backwards()?;
        // For the counts of open moves and the list of settled positions.
        self.check_memory(back.bytes() + 2 * Blocks::<u32>::bytes_for(count))?;
        let mut open: Blocks<u32> = Blocks::new();
        let mut levels = Vec::new();
        for number in 0..count {
            self.report(SORTING, number, 0)?;
            let moves = self.steps.count(number);
            open.push(moves);
            if moves == 0 {
                levels.push(self.size(number).abs());
                // There are few different results, but many finished positions.
                if levels.len() > 1 << 16 {
                    levels.sort_unstable();
                    levels.dedup();
                }
            }
        }
        levels.sort_unstable();
        levels.dedup();
        let mut settled: Blocks<u32> = Blocks::new();
        let mut at = 0;
        for level in levels.into_iter().rev() {
            for number in 0..count {
                self.report(SETTLING, settled.len(), 0)?;
                let finished = self.steps.count(number) == 0;
                if finished && self.size(number).abs() == level {
                    settled.push(number as u32);
                }
            }
            while at < settled.len() {
                let here = settled.get(at) as usize;
                let steps = back.of(here);
                self.report(SETTLING, at, steps.len())?;
                at += 1;
                for step in steps {
                    let before = step.number();
                    let left = open.get_mut(before);
                    if *left == 0 {
                        continue; // settled already
                    }
                    let worth = step.worth(self.worths.get(here));
                    let wins = level > 0 && size(worth, (self.endless)(before)) == level;
                    *left = if wins { 0 } else { *left - 1 };
                    if *left == 0 {
                        self.worths.set(before, worth);
                        settled.push(before as u32);
                    }
                }
            }
        }
        Ok(())
    }
}
