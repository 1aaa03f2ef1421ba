//! The chart of a table: the shares of wins, draws and losses in each layer.

use maud::{Markup, html};

use crate::stats::Stats;
use crate::words::share;

impl Stats {
    /// A bar for each layer with its wins, draws and losses, above a bar for its number of positions.
    pub fn chart(&self) -> Markup {
        const WIDTH: f32 = 600.0;
        const SHARES: f32 = 150.0;
        const SIZES: f32 = 60.0;
        const LEFT: f32 = 40.0;
        let step = (WIDTH - LEFT) / self.layers.len().max(1) as f32;
        let max = self.layers.iter().map(|count| count.total()).max().unwrap_or(1).max(1);
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
                    @let height = count.total() as f32 / max as f32 * SIZES;
                    rect class="bar size" x=(shown(x)) y=(shown(SHARES + 12.0 + SIZES - height))
                        width=(shown(step * 0.86)) height=(shown(height)) {
                        title { "layer " (at) ": " (count.total()) " positions" }
                    }
                    @if at % every == 0 {
                        text class="tick" x=(shown(x)) y=(shown(SHARES + SIZES + 26.0)) { (at) }
                    }
                }
                text class="tick" x="0" y="12" { "won" }
                text class="tick" x="0" y=(shown(SHARES / 2.0 + 4.0)) { "drawn" }
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
