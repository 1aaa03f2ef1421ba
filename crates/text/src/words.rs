//! Positions and moves in words, by the names of cells, pieces and ways to move.

use crate::board::cells;
use crate::choices::{Choice, Choices};
use crate::state::Position;
use crate::typed::Rules;

/// A move: its choices joined by `-`.
pub(crate) fn move_in_words(rules: &Rules, mv: Choices) -> String {
    let choice = |choice| match choice {
        Choice::Cell(cell) => {
            rules.board.cells.get(usize::from(cell)).map(|cell| cell.name.clone())
        }
        Choice::Number(number) => Some(number.to_string()),
        Choice::Label(label) => rules.labels.get(usize::from(label)).cloned(),
    };
    match mv.len() {
        0 => "pass".to_owned(),
        _ => mv.iter().filter_map(choice).collect::<Vec<_>>().join("-"),
    }
}

/// A position: the cells of each piece and mark, counts, numbers, and the side to move.
pub(crate) fn position_in_words(rules: &Rules, position: &Position) -> String {
    let names = |set| {
        let names: Vec<_> = cells(set).map(|cell| rules.board.cells[cell].name.as_str()).collect();
        names.join(",")
    };
    let numbers = |all: &[i32]| all.iter().map(i32::to_string).collect::<Vec<_>>().join(",");
    let mut parts = Vec::new();
    for piece in &rules.pieces {
        for (letter, set) in piece.letters.iter().zip(&piece.sets) {
            parts.push(format!("{letter}:{}", names(position.sets[*set])));
        }
    }
    for (mark, set) in rules.marks.iter().zip(&position.sets[rules.layout.pieces..]) {
        parts.push(format!("{mark}:{}", names(*set)));
    }
    for (count, on_cells) in rules.counts.iter().zip(&position.counts) {
        parts.push(format!("{count}:{}", numbers(on_cells)));
    }
    for (name, number) in rules.numbers.iter().zip(&position.numbers) {
        parts.push(format!("{name}:{number}"));
    }
    parts.push(["first", "second"][position.turn].to_owned());
    parts.extend(position.result.map(|result| format!("result:{result}")));
    parts.join(" ")
}
