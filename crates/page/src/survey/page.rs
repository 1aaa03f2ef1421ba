//! A survey as a page: in a file, and on the page of a server.

use foregone::AnyGame;
use foregone::show::Scene;
use foregone::survey::Survey;
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::sections;
use crate::draw::svg;

const STYLE: &str = "body{font:1rem/1.5 system-ui,sans-serif;color:#2b2620;background:#fffdf9;max-width:60rem;margin:2rem auto;padding:0 1rem}\
    h1,h2{line-height:1.2}table{border-collapse:collapse;font-variant-numeric:tabular-nums;margin:1rem 0}\
    th,td{text-align:left;padding:.2rem .8rem .2rem 0;border-bottom:1px solid #ddd5c7;vertical-align:top}\
    .known{color:#655d52;white-space:nowrap}.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem 2rem}figure{margin:0;max-width:40rem}figcaption{font-weight:600}\
    .chart text{font:12px system-ui,sans-serif;fill:#655d52}.board{max-width:16rem}.scroll{overflow-x:auto}code{overflow-wrap:anywhere}\
    @media(prefers-color-scheme:dark){body{background:#1b1a18;color:#ece6db}th,td{border-color:#3d3932}\
    .known,.chart text{color:#b0a696;fill:#b0a696}.board,figure:not(.chart){background:#fffdf9;color:#2b2620}}";

/// The survey as a page of its own.
pub fn page(game: &dyn AnyGame, survey: &Survey) -> String {
    let title = format!("{}: what the game is like", survey.title);
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                (body(game, survey, |scene, label| PreEscaped(svg::file(scene, label))))
            }
        }
    };
    page.into_string()
}

/// Draws a board with a label.
type Draw = fn(&Scene, &str) -> Markup;

/// The survey, below a heading.
pub fn body(game: &dyn AnyGame, survey: &Survey, draw: Draw) -> Markup {
    html! {
        p { code { (survey.game) } }
        div.board { (draw(&game.session().scene(), "The start")) }
        @for section in sections(game, survey) {
            h2 { (section.title) }
            @if !section.says.is_empty() {
                div.scroll { table {
                    @for [name, text, known] in &section.says {
                        tr { th scope="row" { (name) } td { (text) } td.known { (known) } }
                    }
                } }
            }
            div.charts {
                // One bar says nothing that the table does not.
                @for chart in section.charts.iter().filter(|chart| chart.bars.len() > 1) { (chart.draw()) }
            }
            @for rows in &section.tables {
                div.scroll { table {
                    @for (at, row) in rows.iter().enumerate() {
                        tr { @for cell in row { @if at == 0 { th { (cell) } } @else { td { (cell) } } } }
                    }
                } }
            }
        }
        @let boards = puzzles(game, survey, draw);
        @if !boards.is_empty() {
            div.charts { @for (caption, board) in &boards { figure { (board) figcaption { (caption) } } } }
        }
        @if let Some(halted) = &survey.halted { p { b { "Incomplete: " } (halted) } }
    }
}

/// The boards of the puzzles, each with its number.
fn puzzles(game: &dyn AnyGame, survey: &Survey, draw: Draw) -> Vec<(String, Markup)> {
    let boards = (1..).zip(&survey.puzzles).filter_map(|(number, puzzle): (u32, _)| {
        let there = game.open(None, &puzzle.moves.join(" ")).ok()?;
        let caption = format!("Puzzle {number}: {} to move", puzzle.to_move);
        Some((caption.clone(), draw(&there.scene(), &caption)))
    });
    boards.collect()
}
