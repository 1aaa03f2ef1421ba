//! Bars over numbers, as a picture of a survey.

use foregone::control::grouped;
use maud::{Markup, html};

/// Bars over numbers, one upon the other.
pub struct Chart {
    pub title: String,
    /// What the numbers below the bars are.
    pub axis: &'static str,
    /// Each number, with the height of each part.
    pub bars: Vec<(u32, Vec<f64>)>,
    /// The names of the parts, and their colours.
    pub parts: Vec<(String, &'static str)>,
    /// Whether the heights are shares of a whole.
    pub shares: bool,
}

/// A share, exactly enough to be told from nothing.
pub fn percent(share: f64) -> String {
    match share * 100.0 {
        tiny if tiny > 0.0 && tiny < 0.1 => "< 0.1 %".to_owned(),
        small if small > 0.0 && small < 10.0 => format!("{small:.1} %"),
        percent => format!("{percent:.0} %"),
    }
}

/// A count that may be larger than whole numbers.
pub fn large(count: f64) -> String {
    match count < 1e15 {
        true => grouped(count as u64),
        false => {
            format!("{:.2}·10^{}", count / 10f64.powf(count.log10().floor()), count.log10().floor())
        }
    }
}

impl Chart {
    pub fn draw(&self) -> Markup {
        const WIDTH: f64 = 600.0;
        const HEIGHT: f64 = 160.0;
        let sums = self.bars.iter().map(|(_, parts)| parts.iter().sum::<f64>());
        let max = sums.fold(f64::MIN_POSITIVE, f64::max);
        let (low, high) =
            (self.bars.first().map_or(0, |bar| bar.0), self.bars.last().map_or(0, |bar| bar.0));
        let step = WIDTH / f64::from(high - low + 1);
        let every = (high - low + 1).div_ceil(16);
        let shown = |number: f64| format!("{number:.1}");
        let size = |height: f64| if self.shares { percent(height) } else { large(height) };
        html! {
            figure.chart {
                figcaption { (self.title) }
                svg viewBox={ "-80 -8 " (WIDTH + 80.0) " " (HEIGHT + 44.0) } role="img" aria-label=(self.title) {
                    text x="-8" y="4" text-anchor="end" { (size(max)) }
                    text x="-8" y=(HEIGHT) text-anchor="end" { "0" }
                    @for (at, parts) in &self.bars {
                        @let x = f64::from(at - low) * step;
                        @let mut top = HEIGHT;
                        @for (height, (name, colour)) in parts.iter().zip(&self.parts) {
                            @let () = top -= height / max * HEIGHT;
                            @if *height > 0.0 {
                                rect x=(shown(x)) y=(shown(top)) width=(shown(step * 0.86)) height=(shown(height / max * HEIGHT)) fill=(colour) {
                                    title { (at) " " (if *at == 1 { self.axis.replacen("moves", "move", 1) } else { self.axis.to_owned() }) ": " (name) " " (size(*height)) }
                                }
                            }
                        }
                        @if (at - low) % every == 0 {
                            text x=(shown(x + step * 0.43)) y=(HEIGHT + 16.0) text-anchor="middle" { (at) }
                        }
                    }
                    text x="0" y=(HEIGHT + 33.0) {
                        (self.axis) @for (name, colour) in &self.parts { "  " tspan fill=(colour) { "■" } " " (name) }
                    }
                }
            }
        }
    }
}
