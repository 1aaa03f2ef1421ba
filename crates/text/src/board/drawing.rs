//! Boards of points and lines, read from a drawing.

use super::{Board, COMPASS, Cell, MAX_CELLS, MAX_COLUMNS, Ray, Shape, Sketch, bit, name_of};
use crate::problem::{Problem, Span};
use crate::syntax::{Line, Token};

/// A point of a drawing.
struct Point {
    token: Token,
    x: usize,
    y: usize,
}

/// The squares of the lengths of all straight lines of a drawing have at most this sum. (A rectangle of 11x11 points has
/// 5,300.)
const MAX_LOOKS: usize = 1 << 13;

impl Board {
    /// Points and lines: rows with points, joined by `-`, `|`, `\`, `/`, `X` and `+`, then lists of
    /// points on a line.
    pub fn drawing(lines: &[Line]) -> Result<Board, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut flat = Vec::new();
        flatten(lines, &mut flat);
        let (lists, rows): (Vec<&Line>, Vec<&Line>) =
            flat.into_iter().partition(|line| line.tokens[0].text == "line");
        let Some(top) = rows.first().map(|line| line.span.line) else {
            let span = lines.first().map_or(Span::default(), |line| line.span);
            return Err(vec![Problem::new(span, "expected rows with points before the lines")]);
        };
        let mut points = Vec::new();
        let mut grid: Vec<Vec<char>> = Vec::new();
        for line in &rows {
            let y = line.span.line - top;
            grid.resize(grid.len().max(y + 1), Vec::new());
            grid[y] = line.text.chars().collect();
            points.extend(points_of(line, y, &mut problems));
        }
        let nameless = points.iter().all(|point: &Point| point.token.text == "o");
        let place = |point: &Point| [point.x, point.y, point.token.span.length];
        let places = points.iter().map(place).collect();
        let points = match named(points, &mut problems) {
            points if problems.is_empty() => points,
            _ => return Err(problems),
        };
        let mut straight = drawn_lines(&points, &grid);
        for list in lists {
            straight.extend(listed(list, &points, &mut problems));
        }
        // Each point of a line looks along it.
        let looks: usize = straight.iter().map(|line| line.len() * line.len()).sum();
        if looks > MAX_LOOKS {
            let message = "the straight lines of the board are too many, or too long";
            problems.push(Problem::new(
                lines.last().map_or(Span::default(), |line| line.span),
                message,
            ));
        }
        match problems.is_empty() {
            true => {
                let sketch = Some(Sketch { rows: grid, places, nameless });
                Ok(Board { sketch, ..Board::of_points(&points, straight) })
            }
            false => Err(problems),
        }
    }

    /// A board of points; `lines` are straight.
    fn of_points(points: &[Point], lines: Vec<Vec<u8>>) -> Board {
        let ranks = |of: fn(&Point) -> usize| {
            let mut all: Vec<usize> = points.iter().map(of).collect();
            all.sort_unstable();
            all.dedup();
            all
        };
        let (xs, ys) = (ranks(|point| point.x), ranks(|point| point.y));
        let place = |all: &[usize], at: usize| all.iter().position(|each| *each == at).unwrap_or(0);
        let cell = |point: &Point| Cell {
            name: point.token.text.clone(),
            column: place(&xs, point.x),
            row: place(&ys, point.y),
        };
        let board_cells: Vec<Cell> = points.iter().map(cell).collect();
        let towards = |from: u8, to: u8| {
            let (from, to) = (&points[usize::from(from)], &points[usize::from(to)]);
            let sign = |a: usize, b: usize| (b as isize - a as isize).signum();
            let by = [sign(from.x, to.x), sign(from.y, to.y)];
            COMPASS.iter().position(|(_, each)| *each == by).unwrap_or(0)
        };
        let mut directions: Vec<_> =
            COMPASS.iter().map(|(name, _)| (*name, vec![0; points.len()])).collect();
        let mut rays: Vec<Vec<Ray>> = vec![Vec::new(); points.len()];
        for line in &lines {
            for backwards in [false, true] {
                let mut line = line.clone();
                if backwards {
                    line.reverse();
                }
                for (at, from) in line.iter().enumerate() {
                    let Some(next) = line.get(at + 1) else { continue };
                    let direction = towards(*from, *next);
                    directions[direction].1[usize::from(*from)] |= bit((*next).into());
                    let ray = Ray { direction, cells: line[at + 1..].to_vec() };
                    rays[usize::from(*from)].push(ray);
                }
            }
        }
        Board {
            shape: Shape::Points,
            columns: xs.len(),
            rows: ys.len(),
            cells: board_cells,
            directions,
            edges: (0..COMPASS.len()).collect(),
            rays,
            lines,
            sketch: None,
        }
    }
}

fn flatten<'a>(lines: &'a [Line], all: &mut Vec<&'a Line>) {
    for line in lines {
        all.push(line);
        flatten(&line.children, all);
    }
}

/// The points of a row: names of letters and digits.
fn points_of(line: &Line, y: usize, problems: &mut Vec<Problem>) -> Vec<Point> {
    let mut points: Vec<Point> = Vec::new();
    let mut last = None;
    for (x, character) in line.text.chars().enumerate() {
        let span = Span { line: line.span.line, column: x, length: 1 };
        match character {
            // A crossing of diagonals.
            'X' => last = None,
            c if c.is_alphanumeric() => {
                match points.last_mut().filter(|_| last == Some(x.wrapping_sub(1))) {
                    Some(point) => {
                        point.token.text.push(c);
                        point.token.span.length += 1;
                    }
                    None => points.push(Point { token: Token { text: c.into(), span }, x, y }),
                }
                last = Some(x);
            }
            ' ' | '-' | '|' | '\\' | '/' | '+' => {}
            _ => problems
                .push(Problem::new(span, "expected points (letters, digits) and - | \\ / X +")),
        }
    }
    points
}

/// Points with names: where all are `o`, by column and row.
fn named(mut points: Vec<Point>, problems: &mut Vec<Problem>) -> Vec<Point> {
    if points.len() > MAX_CELLS {
        let span = points[MAX_CELLS].token.span;
        problems.push(Problem::new(span, format!("the board has more than {MAX_CELLS} points")));
        return points;
    }
    if points.iter().all(|point| point.token.text == "o") {
        let mut xs: Vec<usize> = points.iter().map(|point| point.x).collect();
        let mut ys: Vec<usize> = points.iter().map(|point| point.y).collect();
        for all in [&mut xs, &mut ys] {
            all.sort_unstable();
            all.dedup();
        }
        if let Some(point) = points.first().filter(|_| xs.len() > MAX_COLUMNS) {
            let message =
                format!("expected at most {MAX_COLUMNS} columns, or names instead of `o`");
            problems.push(Problem::new(point.token.span, message));
            return points;
        }
        for point in &mut points {
            let column = xs.iter().position(|x| *x == point.x).unwrap_or(0);
            let row = ys.iter().position(|y| *y == point.y).unwrap_or(0);
            point.token.text = name_of(column, ys.len() - 1 - row);
        }
    }
    for (at, point) in points.iter().enumerate() {
        let name = &point.token.text;
        if points[..at].iter().any(|other| other.token.text == *name) {
            let message = format!(
                "two points are called `{name}`; name all of them `o`, or each another name"
            );
            problems.push(Problem::new(point.token.span, message));
        }
    }
    points
}

/// The lines between the points of a drawing, as long as possible.
fn drawn_lines(points: &[Point], grid: &[Vec<char>]) -> Vec<Vec<u8>> {
    let at = |x: usize, y: usize| grid.get(y).and_then(|row| row.get(x)).copied().unwrap_or(' ');
    let point_at = |x: usize, y: usize| {
        let covers = |point: &Point| {
            point.y == y && (point.x..point.x + point.token.span.length).contains(&x)
        };
        points.iter().position(covers)
    };
    let mut lines = Vec::new();
    for (signs, by) in [("-+", [1isize, 0]), ("|+", [0, 1]), ("\\X", [1, 1]), ("/X", [-1, 1])] {
        let next = |from: usize| {
            let (mut x, mut y) = (points[from].x, points[from].y);
            if by == [1, 0] {
                x += points[from].token.span.length - 1;
            }
            let mut drawn = false;
            loop {
                x = x.checked_add_signed(by[0])?;
                y = y.checked_add_signed(by[1])?;
                if let Some(to) = point_at(x, y) {
                    return drawn.then_some(to);
                }
                drawn = true;
                signs.contains(at(x, y)).then_some(())?;
            }
        };
        let all: Vec<Option<usize>> = (0..points.len()).map(next).collect();
        for start in (0..points.len()).filter(|start| !all.contains(&Some(*start))) {
            let line: Vec<u8> =
                std::iter::successors(Some(start), |at| all[*at]).map(|at| at as u8).collect();
            if line.len() > 1 {
                lines.push(line);
            }
        }
    }
    lines
}

/// A line that is listed: `line a b c`.
fn listed(list: &Line, points: &[Point], problems: &mut Vec<Problem>) -> Vec<Vec<u8>> {
    let mut line: Vec<u8> = Vec::new();
    for token in &list.tokens[1..] {
        match points.iter().position(|point| point.token.text == token.text) {
            Some(point) if !line.contains(&(point as u8)) => line.push(point as u8),
            Some(_) => problems.push(Problem::new(token.span, "the point is on the line already")),
            None => {
                let near = crate::problem::did_you_mean(
                    &token.text,
                    points.iter().map(|point| &point.token.text[..]),
                );
                problems.push(Problem::new(
                    token.span,
                    format!("no point is called `{}`{near}", token.text),
                ));
            }
        }
    }
    if line.len() < 2 && problems.is_empty() {
        problems.push(Problem::new(list.span, "expected at least two points on a line"));
    }
    vec![line]
}
