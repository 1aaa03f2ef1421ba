//! The picture: small marks on their squares, pairs joined by lines, the cycle that is to collapse marked.

use super::{LINES, Move, QuantumTicTacToe, SQUARES, State};
use crate::game::{Game, Side};
use crate::kit::{Bits, LETTERS};
use crate::promise::Picture;
use crate::show::{Area, Cell, Drawing, Grid, Ink, Scene, Shape};

impl Picture for QuantumTicTacToe {
    /// Classical marks are letters with their number (`X3`), spooky ones are small (`x3`), at most
    /// three to a line. The squares that a collapse may choose have a question mark, free ones
    /// their number on the last line.
    fn draw(&self, state: &State) -> Drawing {
        let over = self.outcome(state).is_some();
        let cell = |square: usize| {
            let mut marks: Vec<(usize, bool)> = Vec::new();
            for (at, squares) in state.marks.iter().enumerate() {
                if squares >> square & 1 == 1 {
                    marks.push((at, squares.count_ones() == 1));
                }
            }
            if let [(at, true)] = marks[..] {
                let text = format!("{}{}", LETTERS[at % 2], at + 1);
                return Cell::owned(text, Side::BOTH[at % 2]);
            }
            let spooky =
                |(at, _): &(usize, bool)| format!("{}{}", LETTERS[at % 2].to_lowercase(), at + 1);
            let lines =
                marks.chunks(3).map(|chunk| chunk.iter().map(spooky).collect::<Vec<_>>().join(" "));
            let mut lines: Vec<String> = lines.collect();
            let chosen =
                state.collapsing && state.marks[usize::from(state.made) - 1] >> square & 1 == 1;
            let target = !over && (chosen || !state.collapsing);
            let name = if chosen { format!("@{}?", square + 1) } else { (square + 1).to_string() };
            if target {
                lines.push(name);
            }
            Cell { text: lines.join("\n"), target, ..Cell::default() }
        };
        Drawing::Grid(Grid::new(3, (0..usize::from(SQUARES)).map(cell).collect()))
    }

    /// Spooky marks have the same corner of every square, each pair joined by a line; those of a
    /// cycle that is to collapse stand out.
    fn scene(&self, state: &State) -> Scene {
        let mut scene = Scene::board(3, 3, &[], &[]);
        let cycle = if state.collapsing { state.cycle() } else { 0 };
        let corner = |scene: &Scene, square: u8, at: usize| {
            let Area { x, y, .. } = scene.square(usize::from(square) % 3, usize::from(square) / 3);
            Area::new(x + 0.05 + 0.3 * (at % 3) as f32, y + 0.05 + 0.3 * (at / 3) as f32, 0.3, 0.3)
        };
        for square in 0..usize::from(SQUARES) {
            let area = scene.square(square % 3, square / 3);
            scene.shapes.push(Shape::Plate(area.within(0.02), 0.06, Ink::Square));
            let on = |at: &usize| state.marks[*at] >> square & 1 == 1;
            let names = (0..usize::from(SQUARES)).filter(on).map(|at| {
                let spooky = if state.marks[at].count_ones() == 2 { "spooky " } else { "" };
                format!("{spooky}{}{}", LETTERS[at % 2], at + 1)
            });
            let names: Vec<String> = names.collect();
            let what = if names.is_empty() { "empty".to_owned() } else { names.join(" ") };
            let corner = Area { x: area.x + 0.78, y: area.y + 0.74, ..area };
            if !state.marks.iter().any(|marks| *marks == 1 << square) {
                scene.corner(corner, (square + 1).to_string());
            }
            scene.place(format!("{}, {what}", square + 1), area, what != "empty");
        }
        let spooky = (0..usize::from(SQUARES)).filter(|at| state.marks[*at].count_ones() == 2);
        for at in spooky.clone() {
            let ends: Vec<_> =
                Bits(state.marks[at]).map(|square| corner(&scene, square, at).middle()).collect();
            let (width, ink) = match cycle >> at & 1 {
                1 => (0.05, Ink::Mark),
                _ => (0.02, Ink::Of(Side::BOTH[at % 2])),
            };
            scene.shapes.push(Shape::Line(ends[0], ends[1], width, ink));
        }
        for at in spooky {
            for square in Bits(state.marks[at]) {
                let side = Side::BOTH[at % 2];
                let middle = corner(&scene, square, at).middle();
                scene.shapes.push(Shape::Disc(middle, 0.14, Ink::Square));
                if cycle >> at & 1 == 1 {
                    scene.shapes.push(Shape::Ring(middle, 0.14, 0.03, Ink::Mark));
                }
                let text = format!("{}{}", LETTERS[at % 2].to_lowercase(), at + 1);
                scene.shapes.push(Shape::Text(middle, 0.19, text, Ink::Of(side)));
            }
        }
        for (at, marks) in state.marks.iter().enumerate().filter(|(_, m)| m.count_ones() == 1) {
            let square = marks.trailing_zeros() as usize;
            let (area, side) = (scene.square(square % 3, square / 3), Side::BOTH[at % 2]);
            scene.mark(area, side);
            let [x, y] = [area.x + 0.85, area.y + 0.84];
            let number = (at + 1).to_string();
            scene.shapes.push(Shape::Text([x, y], 0.2, number, Ink::Of(side)));
        }
        let classical = |side: usize| {
            let of_side = state.marks.iter().skip(side).step_by(2);
            of_side.filter(|marks| marks.count_ones() == 1).fold(0, |all, marks| all | marks)
        };
        for line in LINES {
            if [0, 1].iter().any(|side| classical(*side) & line == line) {
                let ends = [line.trailing_zeros(), line.ilog2()];
                let [from, to] = ends.map(|square| scene.places[square as usize].area);
                scene.through(from, to);
            }
        }
        scene
    }

    /// For each move the squares with its mark, then whether a collapse is to be chosen.
    fn contents(&self, state: &State, out: &mut Vec<i16>) {
        for (at, marks) in state.marks.iter().enumerate() {
            out.extend((0..9).map(|square| [1, -1][at % 2] * (marks >> square & 1) as i16));
        }
        out.push(state.collapsing.into());
    }

    fn clicks(&self, _: &State, mv: Move) -> Vec<usize> {
        match mv {
            Move::Pair(a, b) => vec![a.into(), b.into()],
            Move::Collapse(square) | Move::Last(square) => vec![square.into()],
        }
    }

    /// A collapse, mark by mark.
    fn steps(&self, state: &State, mv: Move) -> Vec<Scene> {
        let mut steps = Vec::new();
        if let Move::Collapse(square) = mv {
            let mut next = State { collapsing: false, ..*state };
            next.collapse(square, |state| steps.push(self.scene(&state)));
        }
        steps
    }

    /// A collapse is chosen by what it leaves.
    fn choose_by_preview(&self, state: &State) -> bool {
        state.collapsing
    }
}
