//! Pictures: boards, graphs of positions, charts.

pub mod bars;
mod chart;
pub mod graph;
pub mod sheet;
pub mod svg;
pub mod tree;
