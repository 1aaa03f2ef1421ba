//! What single instructions calculate: steps, rays and rows.

use super::program::{Rays, Rows};
use super::word::Word;

/// Visits the numbers of the cells of a set.
#[inline(always)]
pub fn each_cell<S: Word>(mut set: S, mut visit: impl FnMut(u32)) {
    while set != S::ZERO {
        visit(set.lowest());
        set = set.without_lowest();
    }
}

/// The cells that a table gives for each cell of a set.
#[inline]
pub fn step<S: Word>(table: &[S], of: S) -> S {
    let mut all = S::ZERO;
    each_cell(of, |cell| all |= table[cell as usize]);
    all
}

/// Visits the rays of each cell of a set.
pub fn each_ray<S: Word>(from: S, rays: &Rays<S>, mut visit: impl FnMut(&[S])) {
    each_cell(from, |cell| {
        if let Some(rays) = rays.get(cell as usize) {
            rays.iter().for_each(|ray| visit(ray));
        }
    });
}

/// As in the interpreter: what is passed on a ray to an end, and the end.
pub fn behind<S: Word>(ray: &[S], (through, end, max): (S, S, u8)) -> (S, S) {
    let mut passed = S::ZERO;
    for (count, cell) in ray.iter().enumerate() {
        if count > 0 && end & *cell != S::ZERO {
            return (passed, *cell);
        }
        if through & *cell == S::ZERO || count == usize::from(max) {
            break;
        }
        passed |= *cell;
    }
    (S::ZERO, S::ZERO)
}

/// The cells with which a set completes a row.
#[inline]
pub fn completing<S: Word>(rows: &Rows<S>, own: S) -> S {
    if rows.runs.is_empty() {
        let missing = rows.masks.iter().map(|mask| *mask & !own);
        let one = missing.filter(|rest| rest.without_lowest() == S::ZERO);
        return one.fold(S::ZERO, |all, rest| all | rest);
    }
    match rows.length {
        3 => completing_runs::<S, 3>(rows, own),
        4 => completing_runs::<S, 4>(rows, own),
        5 => completing_runs::<S, 5>(rows, own),
        length => rows.runs.iter().fold(S::ZERO, |all, &(from, by)| {
            (0..length).fold(all, |all, gap| {
                let others = (0..length).filter(|at| *at != gap);
                let begins = others.fold(from, |begins, at| begins & own >> (by * at));
                all | begins << (by * gap)
            })
        }),
    }
}

/// As [`completing`], for rows of a length that is known, which takes a third of the time.
#[inline(always)]
fn completing_runs<S: Word, const LENGTH: usize>(rows: &Rows<S>, own: S) -> S {
    rows.runs.iter().fold(S::ZERO, |all, &(from, by)| {
        let own: [S; LENGTH] = std::array::from_fn(|at| own >> (by * at as u32));
        (0..LENGTH).fold(all, |all, gap| {
            let others = (0..LENGTH).filter(|at| *at != gap);
            all | others.fold(from, |begins, at| begins & own[at]) << (by * gap as u32)
        })
    })
}

/// Whether a row is within a set.
#[inline]
pub fn has_row<S: Word>(rows: &Rows<S>, within: S) -> bool {
    if rows.runs.is_empty() {
        return rows.masks.iter().any(|mask| within & *mask == *mask);
    }
    // Each step doubles the length of the rows that are seen, as far as that goes.
    match rows.length {
        3 => rows
            .runs
            .iter()
            .any(|&(from, by)| within & within >> by & within >> (2 * by) & from != S::ZERO),
        4 => rows.runs.iter().any(|&(from, by)| {
            let pairs = within & within >> by;
            pairs & pairs >> (2 * by) & from != S::ZERO
        }),
        length => rows.runs.iter().any(|&(from, by)| {
            (1..length).fold(within & from, |run, at| run & within >> (by * at)) != S::ZERO
        }),
    }
}
