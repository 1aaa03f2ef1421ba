//! Kinds of pieces that the rules never tell apart, such as the dominoes of both sides in Domineering:
//! positions that differ only in them are alike.
//!
//! At first all kinds are in one class. A question for some kinds splits each class into those that it
//! asks for and the others.

use crate::typed::{Block, Part, Piece, Rules, Set, Stuck};

/// For each kind of piece the first kind that the rules do not tell from it, mostly itself.
pub(crate) fn alike(rules: &Rules) -> Vec<usize> {
    let mut classes = Classes(vec![0; rules.layout.pieces]);
    for side in &rules.sides {
        classes.block(&side.moves);
        classes.block(&side.end);
        match &side.stuck {
            Stuck::Never => {}
            Stuck::Ends(block) | Stuck::Passes(block) => classes.block(block),
        }
    }
    classes.part(Part::Number(&rules.endless));
    let Classes(mut classes) = classes;
    // If the players are exchanged, alike kinds have to stay alike.
    let mut exchanged = classes.clone();
    for [first, second] in rules.pieces.iter().filter_map(Piece::of_sides) {
        exchanged.swap(first, second);
    }
    let count = classes.len();
    classes.iter_mut().zip(exchanged).for_each(|(class, other)| *class += count * other);
    let first = |class: &usize| classes.iter().position(|other| other == class).unwrap_or(0);
    classes.iter().map(first).collect()
}

/// The class of each kind.
struct Classes(Vec<usize>);

impl Classes {
    /// The rules ask for pieces of any of these kinds.
    fn ask(&mut self, kinds: &[usize]) {
        let new = self.0.len();
        let asked =
            |kind: usize, class: usize| if kinds.contains(&kind) { class + new } else { class };
        self.0 = self.0.iter().enumerate().map(|(kind, class)| asked(kind, *class)).collect();
        // The same classes, numbered from 0 again.
        let mut numbers: Vec<usize> = self.0.clone();
        numbers.sort_unstable();
        numbers.dedup();
        self.0.iter_mut().for_each(|class| *class = numbers.partition_point(|other| other < class));
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            statement.parts().into_iter().for_each(|part| self.part(part));
            statement.blocks().for_each(|block| self.block(block));
        }
    }

    fn part(&mut self, part: Part<'_>) {
        let kind = |set: &Set| if let Set::State(kind) = set { Some(*kind) } else { None };
        match part {
            Part::Set(Set::State(kind)) => self.ask(&[*kind]),
            Part::Set(Set::Union(parts)) => {
                self.ask(&parts.iter().filter_map(kind).collect::<Vec<_>>());
                let others = parts.iter().filter(|part| kind(part).is_none());
                others.for_each(|part| self.part(Part::Set(part)));
            }
            part => part.parts().into_iter().for_each(|part| self.part(part)),
        }
    }
}
