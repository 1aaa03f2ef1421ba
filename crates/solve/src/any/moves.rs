//! Moves as people and servers write them.

use std::borrow::Cow;

use foregone_rules::family::Invalid;

use super::session::Session;

/// The most legal moves of all positions of a text of moves, which are listed and compared with its words: a second or
/// two. A game of 1,000 moves may have 2,000 in each position.
const MAX_LISTED: usize = 1 << 21;

/// The most legal moves that are looked at to read moves without spaces; what takes more is not read.
const MAX_READ: usize = 1 << 16;

/// A position and moves, where one of them is a game as servers for Othello write it (GGF):
/// `(;GM[Othello]BO[8 ---...---- *]B[d3]W[c5//1.2];)`, with the board from which it begins and the moves.
pub(super) fn read_record<'t>(
    position: Option<&'t str>,
    moves: &'t str,
) -> (Option<Cow<'t, str>>, Cow<'t, str>) {
    let given = position.unwrap_or(moves).trim();
    let Some(record) = given.strip_prefix("(;") else {
        return (position.map(Cow::from), moves.into());
    };
    let (mut board, mut made) = (None, String::new());
    for (name, value) in record.split(']').filter_map(|property| property.split_once('[')) {
        match name.trim_matches(|c: char| !c.is_alphanumeric()) {
            "BO" => board = value.split_once(' ').map(|(_, cells)| cells.to_owned().into()),
            "B" | "W" => {
                let mv = value.split('/').next().unwrap_or_default().trim().to_lowercase();
                made += if mv.starts_with("pa") { "pass" } else { &mv };
                made.push(' ');
            }
            _ => {}
        }
    }
    if position.is_some() {
        made += moves;
    }
    (board, made.into())
}

/// Plays moves separated by commas or spaces, with the numbers of moves among them (`1. f6 g7 2. g4`) or without. A
/// word that is not a move is several of them without spaces (`4444`, `f5d6c3`), if that has one reading.
pub(super) fn play_all(session: &mut dyn Session, text: &str) -> Result<(), Invalid> {
    let words = text.split(|c: char| c.is_whitespace() || c == ',');
    let words: Vec<&str> = words.map(without_number).filter(|word| !word.is_empty()).collect();
    let mut listed = 0;
    for word in &words {
        listed += session.moves().len();
        if listed > MAX_LISTED {
            return Err(too_many(words.len()));
        }
        if let Err(refused) = session.play(word) {
            listed += play_run(session, word, refused)?;
        }
    }
    Ok(())
}

fn too_many(moves: usize) -> Invalid {
    Invalid::new(format!("{moves} moves"), "fewer: going through them takes too long")
}

/// Plays moves without spaces; the number of legal moves on the way. `refused` says why they are not one move.
fn play_run(session: &mut dyn Session, run: &str, refused: Invalid) -> Result<usize, Invalid> {
    let letters = run.split("").filter(|letter| !letter.is_empty());
    let (mut played, mut listed) = (0, 0);
    let wrong = letters.into_iter().try_for_each(|letter| {
        listed += session.moves().len();
        if listed > MAX_LISTED {
            return Err(too_many(run.len()));
        }
        session.play(letter).map(|()| played += 1)
    });
    let Err(wrong) = wrong else { return Ok(listed) };
    for _ in 0..played {
        session.undo();
    }
    let mut reading = Reading { left: MAX_READ, ..Reading::default() };
    reading.read(session, run);
    let Reading { found, several, left, longest, .. } = reading;
    match (found.filter(|_| left > 0), several) {
        (Some(_), true) => {
            Err(Invalid::new(run, "spaces between the moves, since they can be read in two ways"))
        }
        (Some(moves), false) => {
            moves.iter().try_for_each(|mv| session.play(mv))?;
            Ok(listed + MAX_READ - left)
        }
        (None, _) if played > 0 => Err(wrong),
        // Not even its begin is a move, so the word was meant as one move.
        (None, _) if longest.is_empty() || left == 0 => Err(refused),
        (None, _) => {
            longest.iter().try_for_each(|mv| session.play(mv))?;
            let rest = &run[longest.iter().map(String::len).sum()..];
            session.play(rest).and(Err(refused))
        }
    }
}

/// A word without the number of a move before it: `12.` and `12...` are nothing, `1.f6` is `f6`.
fn without_number(word: &str) -> &str {
    let rest = word.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.starts_with('.') { rest.trim_start_matches('.') } else { word }
}

/// Reads moves without spaces in all ways, until there are two.
#[derive(Default)]
struct Reading {
    made: Vec<String>,
    found: Option<Vec<String>>,
    several: bool,
    /// The most moves that could be read one after the other.
    longest: Vec<String>,
    left: usize,
}

impl Reading {
    fn read(&mut self, session: &mut dyn Session, rest: &str) {
        if rest.is_empty() {
            self.several |= self.found.is_some();
            self.found = Some(self.made.clone());
            return;
        }
        let legal = session.moves();
        self.left = self.left.saturating_sub(1 + legal.len());
        let mut goes_on = false;
        for text in legal {
            // Letters may be capitals, as where moves have spaces.
            let begins = rest
                .split_at_checked(text.len())
                .filter(|(begin, _)| begin.eq_ignore_ascii_case(&text));
            if let Some((_, rest)) = begins
                && !self.several
                && self.left > 0
                && session.play(&text).is_ok()
            {
                goes_on = true;
                self.made.push(text);
                self.read(session, rest);
                self.made.pop();
                session.undo();
            }
        }
        if !goes_on && self.made.len() > self.longest.len() {
            self.longest.clone_from(&self.made);
        }
    }
}
