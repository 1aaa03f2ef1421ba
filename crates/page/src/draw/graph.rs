//! Boards joined by moves, as a picture: game trees, graphs of positions, proofs.

use std::cmp::Ordering;

use foregone::{Side, show::Scene};
use maud::{Markup, html};

use super::svg::{look, shapes, view_box};

/// A board of a [`Graph`].
#[derive(Default)]
pub struct Board {
    pub scene: Scene,
    /// What the board is called where it cannot be seen.
    pub title: String,
    /// Its row, from the top.
    pub row: usize,
    /// The side to move, whose colour the frame has.
    pub turn: Option<Side>,
    pub mark: Mark,
    /// Where a click leads, and one on what is written below.
    pub link: Option<String>,
    pub below: Option<String>,
    /// The number of moves that are hidden.
    pub hidden: usize,
}

/// How a board is drawn.
#[derive(Clone, Debug, Default)]
pub struct Mark {
    /// `here`, `path`, `seen`, `cut` or nothing.
    pub class: &'static str,
    /// `win`, `draw`, `loss`, `first`, `second` or nothing: the colour of what is written below it.
    pub kind: &'static str,
    /// What is written below it.
    pub label: Option<String>,
}

/// A move from one board to another.
pub struct Line {
    pub from: usize,
    pub to: usize,
    pub mv: String,
    /// As of a [`Mark`].
    pub class: &'static str,
}

/// Boards in rows, and the moves between them.
pub struct Graph {
    boards: Vec<Board>,
    lines: Vec<Line>,
    /// The column of each board, in units of a board.
    columns: Vec<f32>,
    is_tree: bool,
}

/// The most boards that a picture has room for.
pub const MAX: usize = 600;

const STEP: f32 = 130.0;
const BOARD: f32 = 104.0;
/// The space for what is written below a board.
const LABEL: f32 = 44.0;
/// The space for moves, between two rows.
const BETWEEN: f32 = 68.0;

/// The look of a picture in a file; the page has it in its style sheet.
const LOOK: &str = "line.branch{stroke:#c9bda8;stroke-width:3}line.path,line.here{stroke:#0b6fa4}\
    line.cut{stroke-dasharray:6 8}\
    .below,.mv{paint-order:stroke;stroke:#fffdf8;stroke-width:8px;fill:#2b2722;font-size:22px;text-anchor:middle}\
    .below.win{fill:#1c6b3a}.below.loss{fill:#a12a2a}.below.draw{fill:#5b5b6b}\
    .below.first{fill:#0b6fa4}.below.second{fill:#c4571a}.mv{fill:#5c5245;font-size:20px}\
    .node>rect{fill:#fffdf8;stroke:#c9bda8;stroke-width:3}.path>rect,.seen>rect{stroke:#6b5a43}\
    .first>rect{stroke:#0b6fa4}.second>rect{stroke:#c4571a}.here>rect{stroke:#0b6fa4;stroke-width:7}.cut{opacity:.45}";

impl Graph {
    /// A tree: each board but the first stands below the one from which a line leads to it, after its brothers, and
    /// above the middle of those below it. Subtrees are as near to each other as their rows allow (Reingold and
    /// Tilford, Tidier drawings of trees, 1981).
    pub fn tree(boards: Vec<Board>, lines: Vec<Line>) -> Graph {
        let mut children = vec![Vec::new(); boards.len()];
        lines.iter().for_each(|line| children[line.from].push(line.to));
        // Each board before those below it.
        let mut order = vec![0];
        let mut at = 0;
        while let Some(board) = order.get(at) {
            order.extend(&children[*board]);
            at += 1;
        }
        // Columns count from that of the board above; the first and last ones of a subtree's rows from its first board.
        let mut columns = vec![0.0; boards.len()];
        let mut subtrees = vec![Vec::<[f32; 2]>::new(); boards.len()];
        for at in order.iter().rev() {
            let mut rows = Vec::<[f32; 2]>::new();
            for child in &children[*at] {
                let own = std::mem::take(&mut subtrees[*child]);
                let apart = rows.iter().zip(&own).map(|(before, own)| before[1] - own[0] + 1.0);
                let by = apart.fold(0.0, f32::max);
                columns[*child] = by;
                for (row, columns) in
                    own.iter().map(|row| row.map(|column| column + by)).enumerate()
                {
                    match rows.get_mut(row) {
                        Some(before) => before[1] = columns[1],
                        None => rows.push(columns),
                    }
                }
            }
            let middle = children[*at].last().map_or(0.0, |last| columns[*last] / 2.0);
            children[*at].iter().for_each(|child| columns[*child] -= middle);
            let below = rows.iter().map(|row| row.map(|column| column - middle));
            subtrees[*at] = std::iter::once([0.0; 2]).chain(below).collect();
        }
        columns[0] = subtrees[0].iter().fold(0.0, |most: f32, row| most.max(-row[0]));
        for at in order {
            for child in &children[at] {
                columns[*child] += columns[at];
            }
        }
        Graph { boards, lines, columns, is_tree: true }
    }

    /// Boards spread evenly over their rows.
    pub fn rows(boards: Vec<Board>, lines: Vec<Line>) -> Graph {
        let mut sizes = vec![0; boards.iter().map(|board| board.row + 1).max().unwrap_or(0)];
        boards.iter().for_each(|board| sizes[board.row] += 1);
        let widest = sizes.iter().copied().max().unwrap_or(0) as f32;
        let mut taken = vec![0; sizes.len()];
        let column = |board: &Board| {
            taken[board.row] += 1;
            (taken[board.row] as f32 - 0.5) * widest / sizes[board.row] as f32 - 0.5
        };
        let columns = boards.iter().map(column).collect();
        Graph { boards, lines, columns, is_tree: false }
    }

    pub fn boards(&self) -> &[Board] {
        &self.boards
    }

    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The space below each board.
    fn label(&self) -> f32 {
        if self.boards.iter().any(|board| board.mark.label.is_some()) { LABEL } else { 8.0 }
    }

    /// The width and the height.
    pub fn size(&self) -> [f32; 2] {
        let columns = self.columns.iter().fold(0.0, |max: f32, column| max.max(*column)) + 1.0;
        let rows = self.boards.iter().map(|board| board.row + 1).max().unwrap_or(0) as f32;
        [columns * STEP, rows * (BOARD + self.label() + BETWEEN) - BETWEEN + 8.0]
    }

    /// The upper left corner of a board.
    fn corner(&self, at: usize) -> (f32, f32) {
        let row = self.boards[at].row as f32;
        (self.columns[at] * STEP + 13.0, row * (BOARD + self.label() + BETWEEN) + 4.0)
    }

    /// The middle of the first board, from the left.
    pub fn root(&self) -> f32 {
        self.corner(0).0 + BOARD / 2.0
    }

    /// Where a line begins, where it ends, and where its move stands: between rows from edge to edge, near the lower
    /// board, where the lines of one board are apart, and right above it where no other line leads to it; within a
    /// row from middle to middle.
    fn ends(&self, line: &Line) -> [(f32, f32); 3] {
        let [(x, y), (to_x, to_y)] = [self.corner(line.from), self.corner(line.to)];
        let half = BOARD / 2.0;
        let below = BOARD + self.label();
        let (up, down, part, lower) =
            match self.boards[line.to].row.cmp(&self.boards[line.from].row) {
                Ordering::Greater if self.is_tree => (below, 0.0, 1.0, -12.0),
                Ordering::Greater => (below, 0.0, 0.66, 7.0),
                Ordering::Less => (0.0, below, 0.34, 7.0),
                Ordering::Equal => (half, half, 0.5, 7.0),
            };
        let [from, to] = [(x + half, y + up), (to_x + half, to_y + down)];
        let at = |from: f32, to: f32| from + (to - from) * part;
        [from, to, (at(from.0, to.0), at(from.1, to.1) + lower)]
    }

    /// What its `viewBox` is.
    pub fn view_box(&self) -> String {
        let [width, height] = self.size();
        format!("0 -6 {width:.0} {:.0}", height + 6.0)
    }

    /// The picture, to be put into an `svg` with this [`view_box`](Graph::view_box).
    pub fn markup(&self) -> Markup {
        let shown = |number: f32| format!("{number:.0}");
        html! {
            @for line in &self.lines {
                @let [(x, y), (to_x, to_y), _] = self.ends(line);
                line class={ "branch " (line.class) } x1=(shown(x)) y1=(shown(y)) x2=(shown(to_x)) y2=(shown(to_y)) {}
            }
            @for line in &self.lines {
                @let [.., (x, y)] = self.ends(line);
                text.mv x=(shown(x)) y=(shown(y)) { (line.mv) }
            }
            @for (at, board) in self.boards.iter().enumerate() {
                @let (x, y) = self.corner(at);
                @let turn = board.turn.map_or("", |turn| [" first", " second"][turn.index()]);
                @let picture = html! {
                    rect x=(shown(x - 4.0)) y=(shown(y - 4.0)) width=(shown(BOARD + 8.0))
                        height=(shown(BOARD + 8.0)) rx="10" {}
                    svg x=(shown(x)) y=(shown(y)) width=(shown(BOARD)) height=(shown(BOARD))
                        viewBox=(view_box(&board.scene)) role="img" aria-label=(board.title) {
                        (shapes(&board.scene))
                    }
                };
                g class={ "node " (board.mark.class) (turn) } {
                    @match &board.link {
                        Some(link) => a href=(link) { (picture) },
                        None => (picture),
                    }
                    @if board.hidden > 0 {
                        text.mv x=(shown(x + BOARD - 6.0)) y=(shown(y + BOARD + 9.0)) { "+" (board.hidden) }
                    }
                    @if let Some(label) = &board.mark.label {
                        // As wide as there is room for.
                        @let size = (STEP * 1.7 / label.chars().count() as f32).min(22.0);
                        @let text = html! {
                            text class={ "below " (board.mark.kind) } x=(shown(x + BOARD / 2.0))
                                y=(shown(y + BOARD + 32.0)) font-size=[(size < 22.0).then(|| shown(size))] { (label) }
                        };
                        @match &board.below {
                            Some(link) => a href=(link) { (text) },
                            None => (text),
                        }
                    }
                }
            }
        }
    }

    /// The picture as a file of its own.
    pub fn file(&self, title: &str) -> String {
        let [width, height] = self.size();
        let picture = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox=(self.view_box())
                width=(format!("{:.0}", width * 0.6)) height=(format!("{:.0}", height * 0.6)) role="img" {
                title { (title) }
                (look())
                style { (maud::PreEscaped(LOOK)) }
                (self.markup())
            }
        };
        picture.into_string() + "\n"
    }
}
