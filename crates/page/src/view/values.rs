//! The contents of a table, as a chart and in numbers.

use foregone::control::grouped;
use maud::html;

use super::frame::{Reply, frame, wrong};
use crate::address::{Address, Fields};
use crate::service::{Deadline, Service};
use crate::stats::Stats;
use crate::words::counted_moves;

pub fn show(service: &Service, fields: &Fields, deadline: &Deadline) -> Reply {
    let refuse = |why: &str| Reply::Wrong(wrong("There is nothing to count", why, None));
    let game = match service.open(&fields.game) {
        Ok((game, _)) => game,
        Err(error) => return refuse(&error.to_string()),
    };
    let name = service.registry.title(&*game);
    let (Some(tables), Some(table)) = (game.tables(), service.table(&*game)) else {
        return refuse("There is no table of this game here.");
    };
    let control = service.control(deadline);
    let on_progress = |done, total| {
        let phase = "counting";
        control.report(foregone::Progress { phase, done, total: Some(total), bounds: None })
    };
    let stats = match Stats::count(tables, &table, on_progress) {
        Ok(stats) => stats,
        Err(error) => return refuse(&error.to_string()),
    };
    let all = stats.all();
    let body = html! {
        div.intro {
            h1 { "All positions of " (name) }
            p {
                (grouped(all.total())) " positions, for the side to move: " (grouped(all.wins))
                " won, " (grouped(all.draws)) " drawn, " (grouped(all.losses)) " lost."
            }
            @if let Some((plies, position)) = &stats.longest {
                @let address = Address {
                    position: Some(position.clone()),
                    hints: true,
                    ..Address::new(fields.game.clone())
                };
                p { "The longest win takes " (counted_moves(*plies)) ": "
                    a href=(address.link()) { (position) } }
            }
            p { a.button href=(Address::new(fields.game.clone()).link()) { "To the board" } }
        }
        figure.chart.card {
            figcaption { "What part of each layer is won, drawn and lost, and how large it is; games end in layer 0" }
            svg viewBox="0 0 600 240" role="group" aria-label="Chart of the table by layer" {
                (stats.chart())
            }
        }
        div.card { table.values {
            thead { tr { th { "layer" } th { "positions" } th { "won" } th { "drawn" } th { "lost" } } }
            tbody {
                @for (at, count) in stats.layers.iter().enumerate() {
                    tr {
                        td { (at) } td { (grouped(count.total())) } td { (grouped(count.wins)) }
                        td { (grouped(count.draws)) } td { (grouped(count.losses)) }
                    }
                }
            }
        } }
    };
    Reply::Page(frame(&format!("All positions of {name}"), None, &body))
}
