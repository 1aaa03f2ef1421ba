//! Solves a layer in which play may loop, from the ends back (retrograde analysis, R. Bellman 1965,
//! K. Thompson 1986). Results are settled by size (the difference from endless play, mostly from 0), the
//! largest first, and within a size the soonest first, as [`Strong`](crate::Strong) does with all
//! positions at once. A win in n plies follows from a loss in n - 1. Positions that are never settled
//! are endless play.
//!
//! One pass over the layer finds for each position the best move out of it, and counts the positions of
//! the layer that its moves lead to. From then on no move is looked at again: a settled position tells its
//! predecessors, who lower their counts; when a count reaches 0, all moves are known. Positions that are
//! alike share a number, and two moves may lead to one number; so pairs of numbers are counted, once each,
//! and each pair is told once.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};

use super::Failed;
use super::cell::OPEN;
use super::kernel::{Ask, Edge, Kernel, Settling, View};
use super::work::{PART, Work};
use foregone_record::threads::{inside, lock};

/// Settled positions that a thread takes at a time.
const FEW: u64 = 64;

const LISTING: &str = "listing predecessors";

/// Numbers to settle, by the plies of their results.
type Due = BTreeMap<u32, Vec<u64>>;

/// The cells of a layer; all cells of the layers below are in the view.
pub(super) fn settle(
    kernel: &dyn Kernel<u32>,
    layer: u32,
    view: &View<u32>,
    work: &Work<'_>,
) -> Result<Vec<AtomicU32>, Failed> {
    let size = kernel.size(layer);
    let cells: Vec<AtomicU32> = (0..size).map(|_| AtomicU32::new(OPEN)).collect();
    let store = |first: u64, found: Vec<u32>| {
        let cells = cells[first as usize..].iter().zip(found);
        cells.for_each(|(cell, found)| cell.store(found, Ordering::Relaxed));
    };
    match kernel.settling(layer, 0..size) {
        Some(settling) => {
            let zero = settle_all(&*settling, layer, size, view, work)?;
            work.share(size, PART, &|part| {
                store(part.start, settling.finish(part, zero)?);
                Ok(())
            })?;
        }
        None => work.share(size, PART, &|part| {
            work.report(part.end - part.start)?;
            let (begun, asks) = kernel.begin(layer, part.clone(), view)?;
            are_at_hand(layer, &asks)?;
            store(part.start, begun.end(&[], view)?);
            Ok(())
        })?,
    }
    Ok(cells)
}

/// Settles all numbers; whether endless play is worth 0 everywhere.
fn settle_all(
    settling: &dyn Settling<u32>,
    layer: u32,
    size: u64,
    view: &View<u32>,
    work: &Work<'_>,
) -> Result<bool, Failed> {
    let edges = Mutex::new(Vec::new());
    work.share(size, PART, &|part| {
        work.report(part.end - part.start)?;
        let (begun, asks) = settling.begin(part, view)?;
        are_at_hand(layer, &asks)?;
        begun.end(&[], view)?;
        let mut edges = lock(&edges);
        edges.extend(settling.edges());
        // A full list is copied to one of twice the size; both exist for a moment.
        let bytes = 3 * edges.len() * size_of::<Edge>();
        let solved = work.done.load(Ordering::Relaxed);
        Ok(work.control.check_memory(bytes as u64, LISTING, solved)?)
    })?;
    settling.keep(inside(edges));
    let (sizes, zero) = settling.sizes();
    for each in sizes.into_iter().rev() {
        settle_size(settling, each as i32, size, work)?;
    }
    Ok(zero)
}

/// Settles all results of one size, the soonest first.
fn settle_size(
    settling: &dyn Settling<u32>,
    result: i32,
    size: u64,
    work: &Work<'_>,
) -> Result<(), Failed> {
    let due = Mutex::new(Due::new());
    work.share(size, PART, &|part| {
        let mut here = Due::new();
        settling
            .due(part, result, &mut |plies, number| here.entry(plies).or_default().push(number));
        merge(&due, here);
        Ok(())
    })?;
    let mut due = inside(due);
    while let Some((_, mut found)) = due.pop_first() {
        // Only now, so that the result does not depend on the order of threads.
        found.retain(|number| settling.settle(*number));
        let more = Mutex::new(Due::new());
        work.share(found.len() as u64, FEW, &|part| {
            let mut here = Due::new();
            for number in &found[part.start as usize..part.end as usize] {
                settling.notify(*number, &mut |before, news| {
                    if let Some(plies) = settling.apply(before, news, result) {
                        here.entry(plies).or_default().push(before);
                    }
                })?;
            }
            merge(&more, here);
            Ok(())
        })?;
        merge_into(&mut due, inside(more));
    }
    Ok(())
}

fn merge(due: &Mutex<Due>, here: Due) {
    merge_into(&mut lock(due), here);
}

fn merge_into(due: &mut Due, here: Due) {
    for (plies, more) in here {
        due.entry(plies).or_default().extend(more);
    }
}

/// Fails if moves lead to a layer that the game does not name.
fn are_at_hand(layer: u32, asks: &[Ask]) -> Result<(), Failed> {
    asks.first().map_or(Ok(()), |ask| Err(Failed::After { layer, lower: ask.layer }))
}
