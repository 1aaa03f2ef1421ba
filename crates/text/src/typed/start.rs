//! The start of a game, from a drawing or from statements.

use super::build::{Builder, Built};
use super::parts::has_choice;
use super::tree::Statement;
use crate::board::{Shape, bit};
use crate::interpret;
use crate::problem::{Span, did_you_mean};
use crate::state::Position;
use crate::syntax::{Line, Start};

impl Builder<'_> {
    pub(super) fn make_start(&mut self) -> Built<Position> {
        let mut position = Position::empty(&self.layout, self.board.cells.len());
        let mut at = 0;
        for number in &self.tree.numbers {
            let value = self.known_number(&number.start)?;
            for _ in 0..if number.each { 2 } else { 1 } {
                // Without a range, which was an error.
                let Some([least, max]) = self.layout.numbers.get(at).copied() else { continue };
                if value < least.into() || value > max.into() {
                    return self.fail(
                        number.start.span,
                        format!("{value} is not between {least} and {max}"),
                    );
                }
                position.numbers[at] = value as i32;
                at += 1;
            }
        }
        match &self.tree.start {
            None => {}
            Some(Start::Drawing(lines)) => self.drawing(lines, &mut position)?,
            Some(Start::Statements(statements)) => {
                if let Some(chosen) = statements.iter().find_map(|each| each.first_choice()) {
                    return self.fail(chosen, "the start has no choices");
                }
                self.slots = 0;
                let block = self.whole_block(statements)?;
                let place = statements.first().map_or(Span::default(), |first| first.span);
                if has_choice(&block) {
                    return self.fail(place, "the start has no choices");
                }
                let of_moves =
                    |within: &Statement| matches!(within, Statement::Prefer(_) | Statement::Again);
                if block.iter().any(|statement| statement.any(&of_moves)) {
                    return self
                        .fail(place, "`prefer` and `again` are for moves, not for the start");
                }
                let made = interpret::run_plainly(&block, self.slots, &self.layout, &position);
                match made {
                    Some(made) => position = made,
                    None => {
                        let message = "the start brings a count or number out of its range, or asks for \
                                       what does not hold";
                        return self.fail(place, message);
                    }
                }
            }
        }
        Ok(position)
    }

    /// Words in the order of the cells: letters of pieces, `.`, numbers.
    fn drawing(&mut self, lines: &[Line], position: &mut Position) -> Built<()> {
        let mut words = Vec::new();
        fn collect(lines: &[Line], words: &mut Vec<crate::syntax::Token>) {
            for line in lines {
                words.extend(line.words());
                collect(&line.children, words);
            }
        }
        collect(lines, &mut words);
        let count = self.board.cells.len();
        if words.len() != count {
            let span = lines.first().map_or(Span::default(), |line| line.span);
            let joined = words.iter().any(|word| word.text.chars().count() > 1);
            let spaces = if joined { ", with spaces between them" } else { "" };
            let message = format!(
                "the drawing has {} places, expected {count} for these parameters: one for each cell, row by row from the \
                 top{spaces}",
                words.len()
            );
            return self.fail(span, message);
        }
        // Its lines are the rows, where a board has rows.
        let row_of = |line: usize| {
            words.iter().zip(&self.board.cells).find(|(word, _)| word.span.line == line)
        };
        let apart = words.iter().zip(&self.board.cells).find(|(word, cell)| {
            row_of(word.span.line).is_some_and(|(_, first)| first.row != cell.row)
        });
        if let (Some((word, cell)), Shape::Rectangle { .. } | Shape::Edged) =
            (apart, self.board.shape)
        {
            let message = format!(
                "this is the place of {}, which is in another row: each row is a line",
                cell.name
            );
            return self.fail(word.span, message);
        }
        let mut fine = Ok(());
        for (cell, word) in words.iter().enumerate() {
            if let Ok(number) = word.text.parse::<i32>() {
                match self.layout.counts.first() {
                    Some([least, max]) if (*least..=*max).contains(&number) => {
                        position.counts[0][cell] = number
                    }
                    Some([least, max]) => {
                        fine = self
                            .fail(word.span, format!("{number} is not between {least} and {max}"));
                    }
                    None => fine = self.fail(word.span, "the game has no `count` for this number"),
                }
                continue;
            }
            let mut letters = word.text.chars();
            let letter = letters.next().filter(|_| letters.next().is_none());
            match letter.and_then(|letter| self.set_of_letter(letter)) {
                Some(set) => position.sets[set] |= bit(cell),
                None if word.text == "." => {}
                None => {
                    let letters: Vec<String> = self
                        .pieces
                        .iter()
                        .flat_map(|piece| &piece.letters)
                        .map(char::to_string)
                        .collect();
                    let near = did_you_mean(&word.text, letters.iter().map(String::as_str));
                    let message = format!(
                        "expected `.` or the letter of a piece, found `{}`{near}",
                        word.text
                    );
                    fine = self.fail(word.span, message);
                }
            }
        }
        fine
    }
}
