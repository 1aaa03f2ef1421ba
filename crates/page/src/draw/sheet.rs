//! Puzzles as a sheet to print: three boards in a row, each with what is asked below it, and the solutions upside down at
//! the end.

use foregone::Side;
use foregone::show::{Scene, Shape};
use maud::{Markup, html};

use super::svg::{look, shape, view_box};

/// A board of a sheet.
pub struct Problem {
    pub scene: Scene,
    /// Whose turn it is.
    pub mover: Side,
    /// What is asked.
    pub task: String,
    pub solution: String,
}

const COLUMNS: usize = 3;
const BOARD: f32 = 200.0;
const GAP: f32 = 30.0;
/// The space for the task below a board.
const TASK: f32 = 56.0;
const LINE: f32 = 22.0;

/// The sheet as a picture in a file.
pub fn file(title: &str, problems: &[Problem]) -> String {
    let rows = problems.len().div_ceil(COLUMNS) as f32;
    let width = GAP + COLUMNS as f32 * (BOARD + GAP);
    let boards = 60.0 + rows * (BOARD + TASK + GAP);
    let height = boards + LINE * (problems.len() as f32 + 3.0);
    let shown = |number: f32| format!("{number:.0}");
    let one = |(at, problem): (usize, &Problem)| -> Markup {
        let x = GAP + (at % COLUMNS) as f32 * (BOARD + GAP);
        let y = 60.0 + (at / COLUMNS) as f32 * (BOARD + TASK + GAP);
        let middle = shown(x + BOARD / 2.0);
        // A long task takes two lines.
        let (first, second) = problem.task.split_once(" and ").unwrap_or((&problem.task, ""));
        html! {
            svg x=(shown(x)) y=(shown(y)) width=(shown(BOARD)) height=(shown(BOARD)) viewBox=(view_box(&problem.scene)) {
                // With the names of squares, by which solutions say what to play.
                @for each in problem.scene.shapes.iter().filter(|each| !matches!(each, Shape::Typed(..))) { (shape(each)) }
            }
            circle class=(["f-first", "f-second"][problem.mover.index()]) cx=(shown(x + 8.0)) cy=(shown(y + BOARD + 18.0)) r="8" {}
            text.task x=(middle) y=(shown(y + BOARD + 24.0)) { (at + 1) ". " (first) }
            @if !second.is_empty() { text.task x=(middle) y=(shown(y + BOARD + 46.0)) { "and " (second) } }
        }
    };
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox=(format!("0 0 {width:.0} {height:.0}")) width=(shown(width))
            height=(shown(height)) role="img" {
            title { (title) }
            (look())
            style { ".sheet{font-size:26px;fill:#2b2722}.task,.solution{font-size:17px;fill:#2b2722}.task{text-anchor:middle}"
                // On paper without colours the second player's discs have a rim.
                "circle.f-second{stroke:#2b2722;stroke-width:3}svg svg circle.f-second{stroke-width:10}" }
            rect width=(shown(width)) height=(shown(height)) fill="#fff" {}
            text.sheet x=(shown(GAP)) y="38" { (title) }
            @for problem in problems.iter().enumerate() { (one(problem)) }
            g transform=(format!("rotate(180 {:.0} {:.0})", width / 2.0, (boards + height) / 2.0)) {
                text.solution x=(shown(GAP)) y=(shown(boards + LINE)) { "Solutions" }
                @for (at, problem) in problems.iter().enumerate() {
                    text.solution x=(shown(GAP)) y=(shown(boards + LINE * (at as f32 + 2.0))) { (at + 1) ". " (problem.solution) }
                }
            }
        }
    };
    picture.into_string() + "\n"
}
