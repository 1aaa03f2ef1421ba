//! Pictures of positions: text for a terminal ([`Drawing`]) and shapes for a screen ([`Scene`]).

mod drawing;
mod scene;

pub use drawing::{Cell, Drawing, Grid, Part};
pub use scene::{Area, Ink, Place, Scene, Shape};
