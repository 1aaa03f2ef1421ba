//! Counts of a table: wins, draws and losses by layer, and the longest win.

use std::collections::BTreeMap;

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
    /// Counts positions with a value.
    fn add(&mut self, value: i32, number: u64) {
        match value {
            1.. => self.wins += number,
            0 => self.draws += number,
            _ => self.losses += number,
        }
    }

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
    /// By the plies to the end, if the table has them. Play without end has none.
    pub distances: BTreeMap<u32, Count>,
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
        let (mut done, mut layers, mut distances) = (0, Vec::new(), BTreeMap::new());
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
                count.add(worth.value().0, *number);
                if let Some(plies) = worth.distance().plies().filter(|_| *number > 0) {
                    let count: &mut Count = distances.entry(plies).or_default();
                    count.add(worth.value().0, *number);
                }
            }
            layers.push(count);
        }
        if contents.values != Values::ScoreDistance {
            (longest, distances) = (None, BTreeMap::new());
        }
        let longest = match longest {
            Some((plies, layer, index)) => {
                tables.position(table, layer, index)?.map(|position| (plies, position))
            }
            None => None,
        };
        Ok(Stats { layers, distances, longest })
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
        let row = |name: &str, at: usize, count: &Count| {
            json!({
                name: at, "wins": count.wins, "draws": count.draws, "losses": count.losses,
            })
        };
        let layers = self.layers.iter().enumerate().map(|(at, count)| row("layer", at, count));
        let plies =
            self.distances.iter().map(|(plies, count)| row("plies", *plies as usize, count));
        let longest = self.longest.as_ref();
        json!({
            "game": game,
            "wins": all.wins,
            "draws": all.draws,
            "losses": all.losses,
            "layers": layers.collect::<Vec<_>>(),
            "distances": plies.collect::<Vec<_>>(),
            "longest_win": longest.map(|(plies, position)| json!({"plies": plies, "position": position})),
        })
    }
}
