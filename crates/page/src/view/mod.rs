//! What the page shows.

pub mod board;
pub mod clicks;
pub mod editor;
pub mod form;
pub mod frame;
pub mod home;
pub mod page;
mod parts;
mod people;
pub mod progress;
pub mod proof;
pub mod record;
#[cfg(not(target_family = "wasm"))]
pub mod report;
pub mod strip;
pub mod tree;
pub mod values;
