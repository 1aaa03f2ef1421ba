//! A game tree as a report: counts at each ply, and the cost of searching it.

use foregone_rules::Game;

use super::play::Play;
use super::report::{NodeReport, PlyReport, SearchReport, TreeReport, TreeRequest};
use super::session::Session;
use crate::control::{Control, Halted};
use crate::search::Opinion;
use crate::tree::{Census, Tree, TreeValue};

/// The most nodes of a tree that is built.
const LARGEST_TREE: u128 = 1_000_000;

/// The most plies of a tree that is built.
const DEEPEST_TREE: u32 = 500;

/// A tree counted ply by ply.
struct Counted {
    plies: Vec<PlyReport>,
    /// Whether these are all plies.
    complete: bool,
    /// Whether the tree fits into memory, with a report of each node.
    small: bool,
    halted: Option<Halted>,
}

impl<G: Game> Play<G> {
    /// Examines the tree below the position; see [`Session::tree`].
    pub(super) fn report_tree(&self, request: &TreeRequest, control: &Control) -> TreeReport {
        let Counted { plies, complete, small, halted } = self.count(request, control);
        let depth = plies.len().saturating_sub(1) as u32;
        let mut report = TreeReport {
            game: self.named.specification.clone(),
            position: self.position(),
            sides: self.named.sides.clone(),
            depth,
            complete: complete && halted.is_none(),
            plies,
            tree: None,
            minimax: None,
            alphabeta: None,
            halted,
        };
        if small && report.halted.is_none() {
            let declared = &self.named.declared;
            let tree = Tree::from(self.game(), *self.state()).cut(depth);
            let opinion = |state: &G::State| {
                let endless = || self.game().endless(state);
                declared.opinion.map_or_else(endless, |opinion| opinion(self.game(), state))
            };
            let report_of = |found: TreeValue<G::Move>| SearchReport {
                best: found.best.map(|mv| self.game().move_text(mv)),
                value: found.outcome.0,
                nodes: found.nodes,
            };
            report.minimax = Some(report_of(tree.minimax(&opinion)));
            report.alphabeta = Some(report_of(tree.alpha_beta(&opinion)));
            report.tree = Some(self.node(None, &tree));
        }
        report
    }

    /// Counts the tree ply by ply, as deep as was asked for, or as is useful.
    fn count(&self, request: &TreeRequest, control: &Control) -> Counted {
        let declared = &self.named.declared;
        let mut counted = Counted { plies: Vec::new(), complete: true, small: true, halted: None };
        let mut nodes = 0u128;
        // Every node exists twice: in the searched tree and in the report.
        let node = size_of::<Tree<'_, G>>() + size_of::<G::Move>() + size_of::<NodeReport>() + 64;
        let room = u128::from(control.memory()) / node as u128;
        let census = Census::new(self.game(), *self.state(), declared.symmetry, control);
        let census = match declared.notation {
            Some(written) => census.with_notation(written),
            None => census,
        };
        for ply in census {
            let ply = match ply {
                Ok(ply) => ply,
                Err(reason) => {
                    counted.halted = Some(reason);
                    break;
                }
            };
            let number = counted.plies.len() as u32;
            let sum = nodes.saturating_add(ply.nodes);
            let enough = match request.depth {
                Some(depth) => number > depth,
                None => number > 1 && (sum > LARGEST_TREE || number > DEEPEST_TREE),
            };
            if enough {
                counted.complete = false;
                break;
            }
            nodes = sum;
            counted.small &= sum <= room.min(LARGEST_TREE) && number <= DEEPEST_TREE;
            counted.plies.push(PlyReport {
                ply: number,
                nodes: ply.nodes,
                positions: ply.positions,
                up_to_symmetry: ply.merged.map(|merged| merged.positions),
                finished: ply.finished,
                finished_up_to_symmetry: ply.merged.map(|merged| merged.finished),
            });
        }
        counted
    }

    fn node(&self, mv: Option<G::Move>, tree: &Tree<'_, G>) -> NodeReport {
        let outcome = tree.outcome();
        let judge = |opinion: Opinion<G>| opinion(self.game(), tree.state());
        NodeReport {
            mv: mv.map(|mv| self.game().move_text(mv)),
            to_move: self.side(tree.turn()),
            outcome: outcome.map(|outcome| outcome.0),
            value: outcome.or_else(|| self.named.declared.opinion.map(judge)).map(|value| value.0),
            pruned: !tree.looked_at(),
            children: tree
                .children()
                .iter()
                .map(|(mv, child)| self.node(Some(*mv), child))
                .collect(),
        }
    }
}
