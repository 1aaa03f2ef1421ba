//! Progress of all processes, as process 0 shows it.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use foregone::Control;
use foregone::control::{Halted, Progress, bytes, grouped};
use foregone_cluster::{Done, Watch};
use serde_json::json;

use crate::progress::Working;

/// How often progress is written to a file or a pipe.
const SELDOM: Duration = Duration::from_secs(30);

/// What is shown while processes work.
pub struct Shown {
    phase: &'static str,
    json: bool,
    /// The numbers of all layers, if they are counted.
    numbers: Option<u64>,
    layers: u32,
    started: Instant,
    /// When a line was last written to a file or a pipe.
    told: Instant,
}

impl Shown {
    pub fn new(phase: &'static str, json: bool, numbers: Option<u64>, layers: u32) -> Shown {
        let started = Instant::now();
        Shown { phase, json, numbers, layers, started, told: started }
    }

    /// Shows how far all processes are; whether to go on.
    pub fn show(
        &mut self,
        watch: &Watch,
        control: &Control,
        working: &Working,
    ) -> Result<(), Halted> {
        let all = watch.done();
        let done = watch.before() + all.numbers;
        let (phase, total) = (self.phase, self.numbers);
        control.report(Progress { phase, done, total, bounds: None })?;
        let (layer, layers) = (watch.layer() + 1, self.layers);
        working.note(format!("layer {layer} of {layers}, {} sent", bytes(all.sent)));
        let begun = all.numbers > 0;
        if begun && self.told.elapsed() >= SELDOM && !std::io::stderr().is_terminal() {
            self.told = Instant::now();
            let seconds = self.started.elapsed().as_secs_f64();
            let rate = all.numbers as f64 / seconds.max(0.001);
            let left = self.numbers.map(|total| total.saturating_sub(done) as f64 / rate);
            let left = left.filter(|left| left.is_finite());
            if self.json {
                let Done { sent, waited, .. } = all;
                anstream::eprintln!(
                    "{}",
                    json!({
                        "layer": layer, "layers": layers, "done": done, "numbers": self.numbers,
                        "rate": rate.round(), "sent": sent, "waited_seconds": waited as f64 / 1e6,
                        "seconds": seconds.round(), "left_seconds": left.map(f64::round),
                    })
                );
            } else {
                let left =
                    left.map(|left| humantime::format_duration(Duration::from_secs(left as u64)));
                let left = left.map_or(String::new(), |left| format!(", {left} left"));
                anstream::eprintln!(
                    "layer {layer} of {layers}, {} numbers, {}/s, {} sent{left}",
                    grouped(done),
                    grouped(rate as u64),
                    bytes(all.sent)
                );
            }
        }
        Ok(())
    }
}
