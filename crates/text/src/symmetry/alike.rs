//! Kinds of pieces that the rules never tell apart, such as the dominoes of both sides in Domineering:
//! positions that differ only in them are alike.
//!
//! At first all kinds are in one class. A question for some kinds splits each class into those that it
//! asks for and the others.

use crate::typed::{Block, Part, Piece, Rules, Set, Statement, Stuck};

/// For each kind of piece the first kind that the rules do not tell from it, mostly itself.
pub(crate) fn alike(rules: &Rules) -> Vec<usize> {
    told_apart(rules, true)
}

/// For each kind of piece the first kind that nothing but the numbers of results tells from it.
pub(crate) fn alike_but_for_results(rules: &Rules) -> Vec<usize> {
    told_apart(rules, false)
}

fn told_apart(rules: &Rules, by_results: bool) -> Vec<usize> {
    let mut classes = Classes { classes: vec![0; rules.layout.pieces], by_results };
    for side in &rules.sides {
        classes.block(&side.moves);
        classes.block(&side.end);
        match &side.stuck {
            Stuck::Never => {}
            Stuck::Ends(block) | Stuck::Passes(block) => classes.block(block),
        }
    }
    classes.part(Part::Number(&rules.endless));
    let mut classes = classes.classes;
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
struct Classes {
    classes: Vec<usize>,
    /// Whether numbers of results ask as well.
    by_results: bool,
}

impl Classes {
    /// The rules ask for pieces of any of these kinds.
    fn ask(&mut self, kinds: &[usize]) {
        let new = self.classes.len();
        let asked =
            |kind: usize, class: usize| if kinds.contains(&kind) { class + new } else { class };
        self.classes =
            self.classes.iter().enumerate().map(|(kind, class)| asked(kind, *class)).collect();
        // The same classes, numbered from 0 again.
        let mut numbers: Vec<usize> = self.classes.clone();
        numbers.sort_unstable();
        numbers.dedup();
        self.classes
            .iter_mut()
            .for_each(|class| *class = numbers.partition_point(|other| other < class));
    }

    fn block(&mut self, block: &Block) {
        for statement in block {
            if self.by_results || !matches!(statement, Statement::Finish(_)) {
                statement.parts().into_iter().for_each(|part| self.part(part));
            }
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
