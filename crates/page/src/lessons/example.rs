//! The game of three lessons: a game of tic-tac-toe near its end, small enough to draw its whole tree.

use foregone::{Invalid, Scene, Session, Side};
use maud::{Markup, html};

use crate::draw::svg;
use crate::service::Service;

pub const GAME: &str = "tic-tac-toe";

/// X is to move: one move draws, the others lose, and both sides can still win.
pub const POSITION: &str = "..X/XOO/.OX X";

/// A position of the tree.
pub struct Node {
    pub parent: Option<usize>,
    pub children: Vec<usize>,
    /// The moves that lead here.
    pub path: Vec<String>,
    pub turn: Side,
    /// The result, as X sees it, if the game is over.
    pub outcome: Option<i32>,
    /// The minimax value, as X sees it.
    pub value: i32,
    scene: Scene,
}

impl Node {
    /// The last move.
    pub fn mv(&self) -> &str {
        self.path.last().map_or("", String::as_str)
    }

    /// Whether one value is better than another for the side to move.
    pub fn prefers(&self, value: i32, other: i32) -> bool {
        if self.turn == Side::First { value > other } else { value < other }
    }
}

/// The whole tree, each position before those that its moves lead to.
pub struct Tree(pub Vec<Node>);

impl Tree {
    pub fn grow(service: &Service) -> Result<Tree, Invalid> {
        let (_, mut session) = service.open(GAME)?;
        session.go(Some(POSITION), "")?;
        let mut tree = Tree(Vec::new());
        tree.add(None, &*session)?;
        Ok(tree)
    }

    fn add(&mut self, parent: Option<usize>, session: &dyn Session) -> Result<usize, Invalid> {
        let at = self.0.len();
        let outcome = session.outcome().map(|outcome| outcome.0);
        self.0.push(Node {
            parent,
            children: Vec::new(),
            path: session.played(),
            turn: session.turn(),
            outcome,
            value: outcome.unwrap_or(0),
            scene: session.scene(),
        });
        for mv in session.moves() {
            let mut next = session.fork();
            next.play(&mv)?;
            let child = self.add(Some(at), &*next)?;
            self.0[at].children.push(child);
        }
        let values: Vec<i32> =
            self.0[at].children.iter().map(|child| self.0[*child].value).collect();
        let node = &mut self.0[at];
        let best = match node.turn {
            Side::First => values.iter().max(),
            Side::Second => values.iter().min(),
        };
        node.value = best.copied().unwrap_or(node.value);
        Ok(at)
    }

    /// The node that these moves lead to.
    pub fn find(&self, path: &[String]) -> Option<usize> {
        self.0.iter().position(|node| node.path == path)
    }

    /// The positions in which the game is over, from the left.
    pub fn ends(&self) -> Vec<usize> {
        (0..self.0.len()).filter(|at| self.0[*at].outcome.is_some()).collect()
    }

    /// The positions that are not over, each after those that its moves lead to.
    pub fn inner(&self) -> Vec<usize> {
        fn visit(tree: &Tree, at: usize, found: &mut Vec<usize>) {
            for child in &tree.0[at].children {
                visit(tree, *child, found);
            }
            if tree.0[at].outcome.is_none() {
                found.push(at);
            }
        }
        let mut found = Vec::new();
        visit(self, 0, &mut found);
        found
    }

    /// The column of each node, in units of a board.
    fn columns(&self) -> Vec<f32> {
        let mut columns = vec![0.0; self.0.len()];
        let mut next = 0.0;
        for (at, node) in self.0.iter().enumerate() {
            if node.children.is_empty() {
                columns[at] = next;
                next += 1.0;
            }
        }
        for at in (0..self.0.len()).rev() {
            if let [first, .., last] = self.0[at].children[..] {
                columns[at] = (columns[first] + columns[last]) / 2.0;
            } else if let [only] = self.0[at].children[..] {
                columns[at] = columns[only];
            }
        }
        columns
    }

    /// The tree as a picture, with what `mark` says of each node.
    pub fn draw(&self, title: &str, mark: impl Fn(usize) -> Mark) -> Markup {
        const STEP: f32 = 130.0;
        const ROW: f32 = 216.0;
        // The value stands between a board and its moves.
        const VALUE: f32 = 44.0;
        const BOARD: f32 = 104.0;
        let columns = self.columns();
        let depth = |at: usize| self.0[at].path.len() as f32;
        let corner = |at: usize| (columns[at] * STEP + 13.0, depth(at) * ROW + 4.0);
        let width = columns.iter().fold(0.0, |most: f32, column| most.max(*column)) * STEP + STEP;
        let height = (0..self.0.len()).map(depth).fold(0.0, f32::max) * ROW + 150.0;
        let shown = |number: f32| format!("{number:.0}");
        html! {
            figure.diagram.card tabindex="0" {
                figcaption { (title) }
                svg viewBox={ "0 -6 " (shown(width)) " " (shown(height + 6.0)) } role="group" aria-label=(title) {
                    @for (at, node) in self.0.iter().enumerate() {
                        @let (x, y) = corner(at);
                        @let mark = mark(at);
                        @if let Some(parent) = node.parent {
                            @let (from_x, from_y) = corner(parent);
                            line class={ "branch " (mark.class) } x1=(shown(from_x + BOARD / 2.0))
                                y1=(shown(from_y + BOARD + VALUE)) x2=(shown(x + BOARD / 2.0)) y2=(shown(y)) {}
                            @let aside = if x < from_x { -16.0 } else { 16.0 };
                            text.branch x=(shown(from_x + (x - from_x) * 0.5 + BOARD / 2.0 + aside))
                                y=(shown((from_y + BOARD + VALUE + y) / 2.0 + 8.0)) { (node.mv()) }
                        }
                    }
                    @for (at, node) in self.0.iter().enumerate() {
                        @let (x, y) = corner(at);
                        @let mark = mark(at);
                        g class={ "node " (mark.class) } {
                            rect x=(shown(x - 4.0)) y=(shown(y - 4.0)) width=(shown(BOARD + 8.0))
                                height=(shown(BOARD + 8.0)) rx="10" {}
                            svg x=(shown(x)) y=(shown(y)) width=(shown(BOARD)) height=(shown(BOARD))
                                viewBox=(svg::view_box(&node.scene)) role="img"
                                aria-label={ (if at == 0 { "start".to_owned() } else { node.path.join(" ") }) ": " (mark.words()) } {
                                (svg::shapes(&node.scene))
                            }
                            @if let Some(label) = &mark.label {
                                text.value x=(shown(x + BOARD / 2.0)) y=(shown(y + BOARD + 32.0)) { (label) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// How a node is drawn.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// `here`, `path`, `seen`, `cut` or nothing.
    pub class: &'static str,
    /// What is written below it.
    pub label: Option<String>,
}

impl Mark {
    fn words(&self) -> String {
        let state = match self.class {
            "here" => "here",
            "cut" => "left out",
            _ => "",
        };
        [state, self.label.as_deref().unwrap_or("")].join(" ").trim().to_owned()
    }
}

/// A value with its sign.
pub fn signed(value: i32) -> String {
    crate::words::signed(value)
}

/// What a value means.
pub const fn meaning(value: i32) -> &'static str {
    match value {
        1.. => "X wins",
        0 => "a draw",
        _ => "O wins",
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::service;
    use super::*;
    use foregone::{Control, Request};

    #[test]
    fn values_are_those_of_the_solver() {
        let tree = Tree::grow(&service()).unwrap();
        let (_, mut session) = service().open(GAME).unwrap();
        for node in &tree.0 {
            session.go(Some(POSITION), &node.path.join(" ")).unwrap();
            if node.outcome.is_none() {
                let report = session.solve(&Request::default(), &Control::default(), None);
                let value = report.value.unwrap();
                assert_eq!(if node.turn == Side::First { value } else { -value }, node.value);
            }
        }
        // All kinds of results occur, and the picture is small.
        let ends: Vec<_> = tree.ends().iter().map(|at| tree.0[*at].value).collect();
        assert!([-1, 0, 1].iter().all(|value| ends.contains(value)), "{ends:?}");
        assert_eq!(tree.0[0].value, 0);
        assert!(tree.0.len() < 20);
    }
}
