//! Sets, numbers and conditions made as simple as they can be: what is known is calculated.

use std::collections::BinaryHeap;
use std::mem;
use std::sync::Arc;

use super::tree::*;
use crate::board::Cells;

/// Sorts by a heap: there are few, of many types, and the general sort takes four times the room of a module for browsers.
pub(crate) fn sort<T: Ord>(all: &mut Vec<T>) {
    *all = BinaryHeap::from(mem::take(all)).into_sorted_vec();
}

pub(super) fn any(set: Set) -> Truth {
    match set {
        Set::Cells(cells) => Truth::Known(cells != 0),
        set => Truth::Any(set),
    }
}

pub(super) fn not(truth: Truth) -> Truth {
    match truth {
        Truth::Known(known) => Truth::Known(!known),
        Truth::Not(inner) => *inner,
        truth => Truth::Not(Box::new(truth)),
    }
}

pub(super) fn same(one: Set, other: Set) -> Truth {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => Truth::Known(one == other),
        // The operands of a sign that allows their exchange are sorted.
        (one, other) if one <= other => Truth::Same(one, other),
        (one, other) => Truth::Same(other, one),
    }
}

pub(super) fn equal(one: Number, other: Number) -> Truth {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Truth::Known(one == other),
        (one, other) if one <= other => Truth::Equal(one, other),
        (one, other) => Truth::Equal(other, one),
    }
}

pub(super) fn less(one: Number, other: Number) -> Truth {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Truth::Known(one < other),
        (one, other) => Truth::Less(one, other),
    }
}

pub(super) fn all_of(parts: Vec<Truth>) -> Truth {
    joined(parts, false)
}

pub(super) fn either(parts: Vec<Truth>) -> Truth {
    joined(parts, true)
}

/// The conjunction of truths, or, with `decides`, their disjunction.
pub(super) fn joined(parts: Vec<Truth>, decides: bool) -> Truth {
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Truth::Known(known) if known == decides => return part,
            Truth::Known(_) => {}
            Truth::All(inner) if !decides => flat.extend(inner),
            Truth::Either(inner) if decides => flat.extend(inner),
            part => flat.push(part),
        }
    }
    match flat.len() {
        0 => Truth::Known(!decides),
        1 => flat.remove(0),
        _ if decides => Truth::Either(flat),
        _ => Truth::All(flat),
    }
}

pub(super) fn negative(number: Number) -> Number {
    match number {
        Number::Value(value) => Number::Value(value.wrapping_neg()),
        Number::Negative(inner) => *inner,
        number => Number::Negative(Box::new(number)),
    }
}

/// How many cells.
pub(super) fn size(set: Set) -> Number {
    match set {
        Set::Cells(cells) => Number::Value(cells.count_ones().into()),
        set => Number::Size(Box::new(set)),
    }
}

pub(super) fn calculate(sign: Sign, one: Number, other: Number) -> Number {
    match (one, other) {
        (Number::Value(one), Number::Value(other)) => Number::Value(sign.of(one, other)),
        (one, other) => Number::Calculate(sign, Box::new(one), Box::new(other)),
    }
}

pub(super) fn union(parts: Vec<Set>) -> Set {
    let mut known = 0;
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Set::Cells(cells) => known |= cells,
            Set::Union(inner) => {
                for each in inner {
                    match each {
                        Set::Cells(cells) => known |= cells,
                        each => flat.push(each),
                    }
                }
            }
            part => flat.push(part),
        }
    }
    if known != 0 || flat.is_empty() {
        flat.push(Set::Cells(known));
    }
    sort(&mut flat);
    flat.dedup();
    if flat.len() == 1 { flat.remove(0) } else { Set::Union(flat) }
}

pub(super) fn both(parts: Vec<Set>) -> Set {
    let mut known = Cells::MAX;
    let mut flat = Vec::new();
    for part in parts {
        match part {
            Set::Cells(cells) => known &= cells,
            Set::Both(inner) => {
                for each in inner {
                    match each {
                        Set::Cells(cells) => known &= cells,
                        each => flat.push(each),
                    }
                }
            }
            part => flat.push(part),
        }
    }
    if known == 0 || flat.is_empty() {
        return Set::Cells(known);
    }
    if known != Cells::MAX {
        flat.push(Set::Cells(known));
    }
    sort(&mut flat);
    flat.dedup();
    if flat.len() == 1 { flat.remove(0) } else { Set::Both(flat) }
}

pub(super) fn minus(one: Set, other: Set) -> Set {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => Set::Cells(one & !other),
        (one, Set::Cells(0)) => one,
        (Set::Cells(0), _) => Set::Cells(0),
        (one, other) => Set::Minus(Box::new(one), Box::new(other)),
    }
}

pub(super) fn stepped(table: Arc<[Cells]>, of: Set) -> Set {
    fold_set(Set::Step { table, of: Box::new(of) })
}

pub(super) fn rows_within(rows: Arc<[Cells]>, within: Set) -> Set {
    match rows.is_empty() {
        true => Set::Cells(0),
        false => fold_set(Set::Rows { rows, within: Box::new(within) }),
    }
}

/// A set whose parts are known is known.
pub(super) fn fold_set(set: Set) -> Set {
    let known = |part: &Set| matches!(part, Set::Cells(_));
    let folds = match &set {
        Set::Step { of, .. } => known(of),
        Set::Rows { within, .. } => known(within),
        Set::Flood { from, within, .. } => known(from) && known(within),
        Set::Ray { from, through, .. } => known(from) && known(through),
        Set::Between { from, through, to, .. } | Set::Beyond { from, through, to, .. } => {
            known(from) && known(through) && known(to)
        }
        _ => false,
    };
    match folds {
        true => Set::Cells(crate::interpret::known(&set)),
        false => set,
    }
}
