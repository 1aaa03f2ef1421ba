//! What a position looks like: as text for a terminal ([`Drawing`]), as shapes for a screen ([`Scene`]).

mod drawing;
mod scene;

pub use drawing::{Cell, Drawing, Grid};
pub use scene::{Area, Ink, Place, Scene, Shape};
