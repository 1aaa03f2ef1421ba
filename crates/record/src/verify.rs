//! Deriving a table again: every position's entry from those of the positions that its moves lead
//! to, by the plain rules. Nothing here is shared with what builds tables.
//!
//! With distances this is a proof, loops or not: wins and losses rest on entries whose distances
//! are smaller, down to positions that are over. Without distances it is one where play cannot loop.

use foregone_rules::{Indexed, Worth};

use crate::format::{Broken, derived};
use crate::table::Table;

/// What came of checking a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every entry is right: so many positions.
    Right(u64),
    /// An entry is wrong.
    Wrong {
        /// The layer of the position, and its number there.
        place: (u32, u64),
        /// The position's debug text.
        position: String,
        /// What the table says.
        stored: Option<Worth>,
        /// What is right by the entries of the positions after it; nothing where there is no such
        /// position at all, or one after it is missing.
        right: Option<Worth>,
    },
}

/// Checks every entry of a table. `progress` hears of each block with how many positions were
/// checked, and may stop.
///
/// # Errors
/// Where the table is damaged.
pub fn verify<G: Indexed>(
    game: &G,
    table: &Table,
    mut progress: impl FnMut(u64) -> bool,
) -> Result<Verdict, Broken> {
    let contents = table.contents();
    let values = contents.values;
    let mut checked = 0;
    for (number, layer) in (0u32..).zip(&contents.layers) {
        if number >= game.layers() || layer.size != game.size(number) {
            let why = format!("layer {number} has another size than the game's rules say");
            return Err(Broken::Damaged(why));
        }
        for block in 0..layer.blocks() {
            let cells = table.block(number, block)?;
            for (index, cell) in (block * layer.cells()..).zip(cells.iter()) {
                let stored = usize::from(*cell).checked_sub(1);
                let stored = stored.map(|at| table.worths(number)[at]);
                let state = game.state(number, index);
                let mut broken = None;
                let right = state.as_ref().and_then(|state| {
                    derived(game, state, |child| {
                        table.probe(game, child).unwrap_or_else(|error| {
                            broken = Some(error);
                            None
                        })
                    })
                });
                if let Some(error) = broken {
                    return Err(error);
                }
                let right = right.map(|worth| values.keep(worth));
                if stored != right {
                    let position = format!("{state:?}");
                    let place = (number, index);
                    return Ok(Verdict::Wrong { place, position, stored, right });
                }
                checked += u64::from(right.is_some());
            }
            if !progress(checked) {
                let stopped = std::io::Error::new(std::io::ErrorKind::Interrupted, "stopped");
                return Err(stopped.into());
            }
        }
    }
    Ok(Verdict::Right(checked))
}
