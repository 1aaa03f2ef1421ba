//! Counts of a table: wins, draws and losses by layer, and the longest win.

use foregone::Halted;
use foregone::any::AnyTables;
use foregone::record::{Error, Table, Values};
use serde_json::json;

/// The counts of a layer, for the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl Count {
    pub fn total(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Each result with its count.
    pub fn parts(self) -> [(&'static str, u64); 3] {
        [("win", self.wins), ("draw", self.draws), ("loss", self.losses)]
    }
}

/// The counts of a table.
pub struct Stats {
    pub layers: Vec<Count>,
    /// The longest win in plies, and a position with it.
    pub longest: Option<(u32, String)>,
}

/// Why a table could not be counted.
#[derive(Debug, thiserror::Error)]
pub enum Uncounted {
    #[error(transparent)]
    Error(#[from] Error),
    #[error(transparent)]
    Halted(#[from] Halted),
}

impl Stats {
    /// Counts a table. `on_progress` gets the finished and the total number of numbers; its error stops
    /// the count.
    pub fn count(
        tables: &dyn AnyTables,
        table: &Table,
        on_progress: impl Fn(u64, u64) -> Result<(), Halted>,
    ) -> Result<Stats, Uncounted> {
        let contents = table.manifest();
        let total = contents.layers.iter().map(|layer| layer.size).sum();
        let (mut done, mut layers) = (0, Vec::new());
        let mut longest: Option<(u32, u32, u64)> = None;
        for (number, layer) in (0u32..).zip(&contents.layers) {
            let worths = table.worths(number);
            // For each cell, how long a win it stands for.
            let wins =
                worths.iter().map(|worth| worth.distance().plies().filter(|_| worth.value().0 > 0));
            let wins: Vec<_> = std::iter::once(None).chain(wins).collect();
            let mut counts = vec![0u64; wins.len()];
            for block in 0..layer.blocks() {
                let cells = table.block(number, block)?;
                for (at, cell) in cells.iter().enumerate() {
                    counts[usize::from(*cell)] += 1;
                    let plies = wins[usize::from(*cell)];
                    if plies > longest.map(|(plies, ..)| plies) {
                        let index = block * layer.cells() + at as u64;
                        longest = plies.map(|plies| (plies, number, index));
                    }
                }
                done += cells.len() as u64;
                on_progress(done, total)?;
            }
            let mut count = Count::default();
            for (worth, number) in worths.iter().zip(&counts[1..]) {
                match worth.value().0 {
                    1.. => count.wins += number,
                    0 => count.draws += number,
                    _ => count.losses += number,
                }
            }
            layers.push(count);
        }
        let longest = longest.filter(|_| contents.values == Values::ScoreDistance);
        let longest = match longest {
            Some((plies, layer, index)) => {
                tables.position(table, layer, index)?.map(|position| (plies, position))
            }
            None => None,
        };
        Ok(Stats { layers, longest })
    }

    /// All layers together.
    pub fn all(&self) -> Count {
        self.layers.iter().fold(Count::default(), |all, layer| Count {
            wins: all.wins + layer.wins,
            draws: all.draws + layer.draws,
            losses: all.losses + layer.losses,
        })
    }

    pub fn json(&self, game: &str) -> serde_json::Value {
        let all = self.all();
        let layer = |(at, count): (usize, &Count)| {
            json!({
                "layer": at, "wins": count.wins, "draws": count.draws, "losses": count.losses,
            })
        };
        let longest = self.longest.as_ref();
        json!({
            "game": game,
            "wins": all.wins,
            "draws": all.draws,
            "losses": all.losses,
            "layers": self.layers.iter().enumerate().map(layer).collect::<Vec<_>>(),
            "longest_win": longest.map(|(plies, position)| json!({"plies": plies, "position": position})),
        })
    }
}
