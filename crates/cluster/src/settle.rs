//! Settling a layer whose moves may stay in it, ply by ply: see `foregone::tables::kernel::Settling`. All
//! processes settle the same ply at the same time, and tell each other in batches.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use foregone::record::threads::lock;
use foregone::tables::kernel::{Cell, Edge, Held, Seen, Settling};

use crate::build::Ended;
use crate::wire::Message;
use crate::worker::Worker;

/// The numbers in one mail.
const BATCH: usize = 1 << 14;

/// Numbers for one process, by what they get.
type Batches = BTreeMap<(usize, u32), Vec<u64>>;

impl<C: Cell> Worker<'_, C> {
    /// Whether a layer is settled ply by ply; prepares it.
    pub fn settles(&mut self, layer: u32, held: &Held<C>) -> bool {
        let me = self.build.me;
        let mine = || held.pieces().filter(|piece| piece.holder == me);
        let first = mine().map(|piece| piece.first).min().unwrap_or(0);
        let end = mine().map(|piece| piece.end).max().unwrap_or(0);
        let mut settling = lock(&self.shared.settling);
        if settling.is_none() {
            *settling = self.build.kernel.settling(layer, first..end).map(Arc::from);
        }
        self.settling = settling.clone().map(|settling| (settling, 0));
        self.settling.is_some()
    }

    /// Solves the layer; the cells that occur in what this worker has finished.
    pub fn settle(&mut self, held: &Held<C>) -> Result<Seen<C>, Ended> {
        let Some((settling, _)) = self.settling.clone() else { return Err(self.protocol_error()) };
        // All have the layer before questions arrive.
        self.barrier()?;
        self.look(held, &*settling)?;
        let (sizes, zero) = self.sizes(&*settling)?;
        for size in sizes.into_iter().rev() {
            self.settle_size(held, &settling, size)?;
        }
        held.rewind();
        self.barrier()?;
        let mut seen = Seen::default();
        while let Some(piece) = held.take(0) {
            let cells = settling.finish(held.numbers(piece), zero)?;
            seen.note(&cells);
            held.keep(piece, cells);
            self.pump(Duration::ZERO)?;
        }
        self.settling = None;
        drop(settling);
        self.barrier()?;
        *lock(&self.shared.settling) = None;
        Ok(seen)
    }

    /// Looks at all moves.
    fn look(&mut self, held: &Held<C>, settling: &dyn Settling<C>) -> Result<(), Ended> {
        self.blocks(
            held,
            0,
            |numbers, view| settling.begin(numbers, view),
            |worker, _, _| worker.send_edges(held, settling.edges()),
        )?;
        self.barrier_of_all()
    }

    /// Sends each move to the process that holds the number it leads to.
    fn send_edges(&mut self, held: &Held<C>, edges: Vec<Edge>) -> Result<(), Ended> {
        let mut all: BTreeMap<usize, Vec<Edge>> = BTreeMap::new();
        for edge in edges {
            let (holder, _) = held.holder(edge.to).ok_or_else(|| self.protocol_error())?;
            all.entry(holder).or_default().push(edge);
        }
        for (holder, edges) in all {
            self.send(self.opposite(holder), &Message::Edges(edges));
        }
        Ok(())
    }

    /// All sizes that occur anywhere, and whether endless play is worth 0 everywhere.
    fn sizes(&mut self, settling: &dyn Settling<C>) -> Result<(BTreeSet<i32>, bool), Ended> {
        let says = self.is_leader().then(|| {
            let (sizes, zero) = settling.sizes();
            let sizes = sizes.into_iter().flat_map(u32::to_le_bytes);
            [u8::from(zero)].into_iter().chain(sizes).collect::<Vec<_>>()
        });
        let (mut sizes, mut zero) = (BTreeSet::new(), true);
        for (_, says) in self.exchange(says.as_deref())? {
            let Some((own, rest)) = says.split_first() else { return Err(self.protocol_error()) };
            zero &= *own == 1;
            sizes.extend(rest.as_chunks().0.iter().map(|size| u32::from_le_bytes(*size) as i32));
        }
        Ok((sizes, zero))
    }

    /// Settles all results of one size, the soonest first.
    fn settle_size(
        &mut self,
        held: &Held<C>,
        settling: &Arc<dyn Settling<C>>,
        size: i32,
    ) -> Result<(), Ended> {
        held.rewind();
        self.settling = Some((Arc::clone(settling), size));
        // All know the size before news arrives.
        self.barrier()?;
        while let Some(piece) = held.take(0) {
            let due = &mut self.due;
            settling.due(held.numbers(piece), size, &mut |plies, number| {
                due.entry(plies).or_default().push(number);
            });
        }
        loop {
            let soonest = self.due.keys().next().copied().map(u64::from);
            let Some(plies) = self.exchange_numbers(soonest)?.into_iter().min() else {
                return Ok(());
            };
            let found = self.due.remove(&(plies as u32)).unwrap_or_default();
            self.notify(held, &**settling, size, found)?;
            self.barrier()?;
        }
    }

    /// Settles numbers, and tells their predecessors.
    fn notify(
        &mut self,
        held: &Held<C>,
        settling: &dyn Settling<C>,
        size: i32,
        found: Vec<u64>,
    ) -> Result<(), Ended> {
        let (me, mut batches, mut lost) = (self.build.me, Batches::new(), false);
        for (nth, number) in found.into_iter().enumerate() {
            if !settling.settle(number) {
                continue;
            }
            let mut full = Vec::new();
            settling.notify(number, &mut |to, news| match held.holder(to) {
                Some((holder, _)) if holder == me => {
                    let due = settling.apply(to, news, size);
                    self.add_due(due, to);
                }
                Some((holder, _)) => {
                    let batch = batches.entry((holder, news.bits())).or_default();
                    batch.push(to);
                    if batch.len() == BATCH {
                        full.push((holder, news.bits()));
                    }
                }
                None => lost = true,
            })?;
            if lost {
                return Err(self.protocol_error());
            }
            for key in full {
                let batch = batches.remove(&key).unwrap_or_default();
                self.send_batch(key, batch);
            }
            if nth % 64 == 0 {
                self.pump(Duration::ZERO)?;
            }
        }
        for (key, batch) in batches {
            self.send_batch(key, batch);
        }
        Ok(())
    }

    fn send_batch(&mut self, (holder, news): (usize, u32), mut numbers: Vec<u64>) {
        numbers.sort_unstable();
        self.send(self.opposite(holder), &Message::Told { news, numbers });
    }
}
