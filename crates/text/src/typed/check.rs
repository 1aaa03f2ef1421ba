//! What a block can do: how many choices it makes, how many steps it takes, and whether two ways to
//! move can be told apart by their choices.

use super::tree::*;
use crate::board::MOST_CELLS;
use crate::interpret::MOST_TIMES;

/// The least and the largest number of choices in a block.
pub(crate) fn choices(block: &[Statement]) -> [usize; 2] {
    let sum = |[a, b]: [usize; 2], [c, d]: [usize; 2]| [a + c, b + d];
    let of = |statement: &Statement| match statement {
        Statement::Choose { .. } | Statement::Pick { .. } => [1, 1],
        Statement::If { then, otherwise, .. } => {
            let ([a, b], [c, d]) = (choices(then), choices(otherwise));
            [a.min(c), b.max(d)]
        }
        Statement::Either { alternatives, labels } => {
            let all = alternatives.iter().map(|each| choices(each));
            let [least, most] = all.fold([usize::MAX, 0], |[a, b], [c, d]| [a.min(c), b.max(d)]);
            let label = usize::from(!labels.is_empty());
            [least.saturating_add(label), most + label]
        }
        Statement::For { body, .. } => [0, MOST_CELLS * choices(body)[1]],
        Statement::Repeat { times, body } => match times {
            Number::Value(times) => {
                choices(body).map(|count| count * (*times).clamp(0, MOST_TIMES) as usize)
            }
            _ => [0, MOST_TIMES as usize * choices(body)[1]],
        },
        _ => [0, 0],
    };
    block.iter().map(of).fold([0, 0], sum)
}

/// At most this many statements run for one move.
pub(super) const MOST_STEPS: u64 = 1 << 18;

/// The largest number of statements that run for one move.
pub(super) fn steps(block: &[Statement]) -> u64 {
    let of = |statement: &Statement| match statement {
        Statement::If { then, otherwise, .. } => 1 + steps(then).max(steps(otherwise)),
        Statement::Either { alternatives, .. } => {
            1 + alternatives.iter().map(|each| steps(each)).max().unwrap_or(0)
        }
        Statement::For { body, .. } => 1 + steps(body).saturating_mul(MOST_CELLS as u64),
        Statement::Repeat { times, body } => {
            let times = if let Number::Value(times) = times { *times } else { MOST_TIMES };
            1 + steps(body).saturating_mul(times.clamp(0, MOST_TIMES) as u64)
        }
        _ => 1,
    };
    block.iter().map(of).fold(0, u64::saturating_add)
}

/// Whether the choices of two ways to move always differ; `follows` if more choices may follow.
pub(super) fn differ(one: &[Statement], other: &[Statement], follows: bool, pieces: usize) -> bool {
    let ([a, b], [c, d]) = (choices(one), choices(other));
    if !follows && (b < c || d < a) {
        return true;
    }
    match (first_choice(one), first_choice(other)) {
        (Some(one), Some(other)) => apart(one, other, pieces),
        _ => false,
    }
}

/// The cells of the first choice, if it is always the same.
fn first_choice(block: &[Statement]) -> Option<&Set> {
    let first = block.iter().find(|statement| choices(std::slice::from_ref(statement))[1] > 0)?;
    match first {
        Statement::Choose { from, .. } => Some(from),
        _ => None,
    }
}

/// Whether two sets surely have no cell in common. The first `pieces` sets of a position never have
/// one.
fn apart(one: &Set, other: &Set, pieces: usize) -> bool {
    match (one, other) {
        (Set::Cells(one), Set::Cells(other)) => one & other == 0,
        (Set::State(one), Set::State(other)) => one != other && *one < pieces && *other < pieces,
        (Set::Union(parts), other) | (other, Set::Union(parts)) => {
            parts.iter().all(|part| apart(part, other, pieces))
        }
        (Set::Both(parts), other) | (other, Set::Both(parts)) => {
            parts.iter().any(|part| apart(part, other, pieces))
        }
        (Set::Minus(kept, without), other) | (other, Set::Minus(kept, without)) => {
            apart(kept, other, pieces) || within(other, without)
        }
        (Set::Full { of, .. }, other) | (other, Set::Full { of, .. }) => apart(of, other, pieces),
        (Set::Rows { within, .. }, other) | (other, Set::Rows { within, .. }) => {
            apart(within, other, pieces)
        }
        _ => false,
    }
}

/// Whether a set is surely part of another.
fn within(one: &Set, other: &Set) -> bool {
    one == other
        || match (one, other) {
            (Set::Cells(one), Set::Cells(other)) => one & !other == 0,
            (Set::Union(parts), other) => parts.iter().all(|part| within(part, other)),
            (one, Set::Union(parts)) => parts.iter().any(|part| within(one, part)),
            (Set::Both(parts), other) => parts.iter().any(|part| within(part, other)),
            (Set::Minus(kept, _), other) => within(kept, other),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_different_pieces_are_apart() {
        let (mine, theirs) = (Set::State(0), Set::State(1));
        let both = Set::Union(vec![mine.clone(), theirs.clone()]);
        let empty = Set::Minus(Box::new(Set::Cells(511)), Box::new(both.clone()));
        assert!(apart(&mine, &theirs, 2));
        assert!(!apart(&mine, &theirs, 1), "a mark may be anywhere");
        assert!(apart(&empty, &mine, 2) && apart(&both, &empty, 2));
        assert!(!apart(&mine, &mine, 2) && !apart(&both, &mine, 2));
        let corner = Set::Both(vec![Set::Cells(1), mine.clone()]);
        assert!(apart(&corner, &Set::Both(vec![Set::Cells(6), mine]), 2));
    }
}
