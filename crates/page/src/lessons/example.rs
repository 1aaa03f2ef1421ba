//! The game of three lessons: a game of tic-tac-toe near its end, small enough to draw its whole tree.

use foregone::{Invalid, Session, Side, show::Scene};
use maud::{Markup, html};

pub use crate::draw::graph::Mark;
use crate::draw::graph::{Board, Graph, Line};
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

    /// The positions with a choice, each after those that its moves lead to.
    pub fn choices(&self) -> Vec<usize> {
        fn visit(tree: &Tree, at: usize, found: &mut Vec<usize>) {
            for child in &tree.0[at].children {
                visit(tree, *child, found);
            }
            if tree.0[at].children.len() > 1 {
                found.push(at);
            }
        }
        let mut found = Vec::new();
        visit(self, 0, &mut found);
        found
    }

    /// The tree as a picture, with what `mark` says of each node.
    pub fn draw(&self, title: &str, mark: impl Fn(usize) -> Mark) -> Markup {
        let board = |(at, node): (usize, &Node)| {
            let mark = mark(at);
            let name = if at == 0 { "start".to_owned() } else { node.path.join(" ") };
            let title = format!("{name}: {}", words(&mark));
            Board {
                scene: node.scene.clone(),
                title,
                row: node.path.len(),
                mark,
                ..Board::default()
            }
        };
        let line = |(to, node): (usize, &Node)| {
            let from = node.parent?;
            Some(Line { from, to, mv: node.mv().to_owned(), class: mark(to).class })
        };
        let nodes = || self.0.iter().enumerate();
        let graph = Graph::tree(nodes().map(board).collect(), nodes().filter_map(line).collect());
        html! {
            figure.diagram.card tabindex="0" {
                figcaption { (title) }
                svg viewBox=(graph.view_box()) role="group" aria-label=(title) { (graph.markup()) }
            }
        }
    }
}

/// A mark in words.
fn words(mark: &Mark) -> String {
    let state = match mark.class {
        "here" => "here",
        "cut" => "left out",
        _ => "",
    };
    [state, mark.label.as_deref().unwrap_or("")].join(" ").trim().to_owned()
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
                let report = session.solve(&Request::default(), &Control::default());
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
