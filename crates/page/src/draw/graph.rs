//! Boards joined by moves, as a picture.

use foregone::Scene;
use maud::html;

use super::svg::{look, shape, view_box};

/// Boards in rows, joined by lines with moves, for a file.
pub fn graph(boards: &[GraphBoard], lines: &[GraphLine], title: &str) -> String {
    const SIZE: [f32; 2] = [76.0, 110.0];
    const BOARD: f32 = 60.0;
    let rows = boards.iter().map(|board| board.row + 1).max().unwrap_or(0);
    let in_row = |row: usize| boards.iter().filter(|board| board.row == row).count();
    let widest = (0..rows).map(in_row).max().unwrap_or(0);
    let width = SIZE[0] * widest as f32;
    let height = SIZE[1] * rows as f32;
    let mut taken = vec![0; rows];
    let spot = |board: &GraphBoard| {
        let nth = taken[board.row];
        taken[board.row] += 1;
        let gap = width / in_row(board.row) as f32;
        [(nth as f32 + 0.5) * gap, (board.row as f32 + 0.5) * SIZE[1]]
    };
    let spots: Vec<[f32; 2]> = boards.iter().map(spot).collect();
    let picture = html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (width) " " (height) }
            width=(width) height=(height) role="img" {
            title { (title) }
            (look())
            @for (from, to, _) in lines {
                @let ([x1, y1], [x2, y2]) = (spots[*from], spots[*to]);
                line x1=(x1.round()) y1=(y1.round()) x2=(x2.round()) y2=(y2.round())
                    stroke=(if boards[*from].kept { "#1a7f37" } else { "#8c959f" })
                    stroke-width=(if boards[*from].kept { "2.5" } else { "1" }) {}
            }
            @for (from, to, mv) in lines {
                @let ([x1, y1], [x2, y2]) = (spots[*from], spots[*to]);
                text x=(((x1 + 2.0 * x2) / 3.0).round()) y=(((y1 + 2.0 * y2) / 3.0 - 8.0).round())
                    font-size="10" text-anchor="middle" fill="#57606a" stroke="#fff"
                    stroke-width="4" paint-order="stroke" { (mv) }
            }
            @for (board, [x, y]) in boards.iter().zip(&spots) {
                svg x=((x - BOARD / 2.0).round()) y=((y - BOARD / 2.0).round()) width=(BOARD)
                    height=(BOARD) viewBox=(view_box(&board.scene)) {
                    title { (board.title) }
                    @for each in &board.scene.shapes { (shape(each)) }
                }
            }
        }
    };
    picture.into_string() + "\n"
}

/// A line of a [`graph`]: from which board to which, and the move.
pub type GraphLine = (usize, usize, String);

/// A board of a [`graph`].
pub struct GraphBoard {
    /// The picture and its title.
    pub scene: Scene,
    pub title: String,
    /// Its row, from the top.
    pub row: usize,
    /// Whether the proof moves here, so that only one line leaves it.
    pub kept: bool,
}
