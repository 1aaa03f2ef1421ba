//! Shorter ways to the same: what depends on one cell alone becomes a table, and whether there is a
//! move at all is often one calculation with sets, instead of one for each choice.

use crate::board::{Cells, bit};
use crate::interpret;
use crate::typed::{Block, Set, Statement, Truth};

/// The one name that a set depends on, if it depends on nothing else.
pub(super) fn only_local(set: &Set) -> Option<usize> {
    fn collect(set: &Set, local: &mut Option<usize>) -> bool {
        match set {
            Set::State(_) | Set::Full { .. } => false,
            Set::Local(at) => *local.get_or_insert(*at) == *at,
            set => set.parts().into_iter().all(|part| collect(part, local)),
        }
    }
    let mut local = None;
    if collect(set, &mut local) { local } else { None }
}

/// What a set that depends on one name alone is for each cell, and last for no cell.
pub(super) fn tabulated(set: &Set, local: usize, cells: usize) -> Vec<Cells> {
    let of = |value| {
        let mut set = set.clone();
        replace(&mut set, local, &Set::Cells(value));
        interpret::known(&set)
    };
    (0..cells).map(|cell| of(bit(cell))).chain([of(0)]).collect()
}

/// Whether a set for several cells is the union of the sets for each of them.
fn adds_up(set: &Set, local: usize) -> bool {
    if !set.mentions(local) {
        return true;
    }
    let free = |set: &Set| !set.mentions(local);
    match set {
        Set::Local(_) => true,
        Set::Cells(_) | Set::State(_) | Set::Rows { .. } => false,
        Set::Union(parts) => parts.iter().all(|part| adds_up(part, local)),
        Set::Both(parts) => {
            parts.iter().filter(|part| !free(part)).count() == 1
                && parts.iter().all(|part| adds_up(part, local))
        }
        Set::Minus(one, other) => free(other) && adds_up(one, local),
        Set::Step { of, .. } | Set::Full { of, .. } => adds_up(of, local),
        Set::Flood { from, within, .. } => free(within) && adds_up(from, local),
        Set::Ray { from, through, .. } => free(through) && adds_up(from, local),
        Set::Between { from, through, to, .. } | Set::Beyond { from, through, to, .. } => {
            free(through) && free(to) && adds_up(from, local)
        }
    }
}

/// Whether a set that [adds up](adds_up) is empty for no cell.
fn begins_empty(set: &Set, local: usize) -> bool {
    match set {
        Set::Local(at) => *at == local,
        Set::Cells(_) | Set::State(_) | Set::Rows { .. } => false,
        Set::Union(parts) => parts.iter().all(|part| begins_empty(part, local)),
        Set::Both(parts) => parts.iter().any(|part| begins_empty(part, local)),
        Set::Minus(of, _) | Set::Step { of, .. } | Set::Full { of, .. } => begins_empty(of, local),
        Set::Flood { from, .. }
        | Set::Ray { from, .. }
        | Set::Between { from, .. }
        | Set::Beyond { from, .. } => begins_empty(from, local),
    }
}

/// Puts a set in place of a name.
fn replace(set: &mut Set, local: usize, by: &Set) {
    match set {
        Set::Local(at) if *at == local => *set = by.clone(),
        set => set.parts_mut().into_iter().for_each(|part| replace(part, local, by)),
    }
}

/// The statements that show whether there is a move, given those that show whether a move is legal:
/// as few choices as possible. Names that hold several cells then are added to `several`.
pub(super) fn any_move(block: &Block, several: &mut Vec<usize>) -> Block {
    let mut block = block.clone();
    match block.last_mut() {
        Some(Statement::Either { alternatives, .. }) => {
            alternatives.iter_mut().for_each(|each| *each = any_move(each, several));
        }
        Some(Statement::If { then, otherwise, .. }) => {
            *then = any_move(then, several);
            *otherwise = any_move(otherwise, several);
        }
        _ => {}
    }
    loop {
        match &block[..] {
            [.., Statement::Choose { from, .. }] => {
                let some = Statement::Require(Truth::Any(from.clone()));
                block.pop();
                block.push(some);
            }
            [.., Statement::Choose { local, from }, Statement::Require(Truth::Any(set))]
                if adds_up(set, *local) =>
            {
                let (local, from, mut set) = (*local, from.clone(), set.clone());
                let shows_none = begins_empty(&set, local);
                block.truncate(block.len() - 2);
                let value = match from {
                    Set::State(_) => {
                        replace(&mut set, local, &from);
                        from
                    }
                    from => {
                        several.push(local);
                        block.push(Statement::SetLocal { local, value: from });
                        Set::Local(local)
                    }
                };
                if !shows_none {
                    block.push(Statement::Require(Truth::Any(value)));
                }
                block.push(Statement::Require(Truth::Any(set)));
                return block;
            }
            _ => return block,
        }
    }
}
