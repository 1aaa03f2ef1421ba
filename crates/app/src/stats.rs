//! What a table holds, counted: wins, draws and losses by layer, the longest win; and a chart of it.

use foregone::Halted;
use foregone::any::AnyTables;
use foregone::record::{Error, Table, Values};
use maud::{Markup, html};
use serde_json::json;

use crate::words::share;

/// What there is in a layer, for the side to move.
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

    fn parts(self) -> [(&'static str, u64); 3] {
        [("win", self.wins), ("draw", self.draws), ("loss", self.losses)]
    }
}

/// A table, counted.
pub struct Stats {
    pub layers: Vec<Count>,
    /// The longest win in plies, and a position that has it.
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
    /// Counts a table; `heard` is told how many numbers are done, of how many, and may stop.
    pub fn count(
        tables: &dyn AnyTables,
        table: &Table,
        heard: impl Fn(u64, u64) -> Result<(), Halted>,
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
                heard(done, total)?;
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

    /// A bar for each layer: what part of it is won, drawn and lost, above how many positions it
    /// has beside the largest.
    pub fn chart(&self) -> Markup {
        const WIDTH: f32 = 600.0;
        const SHARES: f32 = 150.0;
        const SIZES: f32 = 60.0;
        const LEFT: f32 = 40.0;
        let step = (WIDTH - LEFT) / self.layers.len().max(1) as f32;
        let most = self.layers.iter().map(|count| count.total()).max().unwrap_or(1).max(1);
        let shown = |number: f32| format!("{number:.1}");
        let every = self.layers.len().div_ceil(15).max(1);
        html! {
            g class="shares" {
                @for (at, count) in self.layers.iter().enumerate() {
                    @let x = LEFT + at as f32 * step;
                    @let whole = count.total().max(1) as f32;
                    @let mut top = 0.0;
                    @for (kind, number) in count.parts() {
                        @let height = number as f32 / whole * SHARES;
                        @let from = top;
                        @let () = top += height;
                        @if number > 0 {
                            rect class={ "bar " (kind) } x=(shown(x)) y=(shown(from))
                                width=(shown(step * 0.86)) height=(shown(height)) {
                                title { "layer " (at) ": " (share(number, count.total())) " " (kind) }
                            }
                        }
                    }
                    @let height = count.total() as f32 / most as f32 * SIZES;
                    rect class="bar size" x=(shown(x)) y=(shown(SHARES + 12.0 + SIZES - height))
                        width=(shown(step * 0.86)) height=(shown(height)) {
                        title { "layer " (at) ": " (count.total()) " positions" }
                    }
                    @if at % every == 0 {
                        text class="tick" x=(shown(x)) y=(shown(SHARES + SIZES + 26.0)) { (at) }
                    }
                }
                text class="tick" x="0" y="12" { "won" }
                text class="tick" x="0" y=(shown(SHARES - 3.0)) { "lost" }
                text class="tick" x="0" y=(shown(SHARES + SIZES + 10.0)) { "size" }
                text class="tick" x="0" y=(shown(SHARES + SIZES + 26.0)) { "layer" }
            }
        }
    }

    /// The chart as a file of its own, with its colours.
    pub fn file(&self, game: &str) -> String {
        let style = "text{font:12px system-ui,sans-serif;fill:#5c5245}.win{fill:#1c6b3a}\
                     .draw{fill:#a9a9b9}.loss{fill:#a12a2a}.size{fill:#0b6fa4}";
        let picture = html! {
            svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 600 240" role="img" {
                title { "What " (game) " is worth, by layer" }
                style { (style) }
                (self.chart())
            }
        };
        picture.into_string() + "\n"
    }
}
