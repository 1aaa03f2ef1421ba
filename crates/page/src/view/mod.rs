//! What the page shows.

pub mod board;
mod clicks;
pub mod editor;
pub mod form;
pub mod frame;
pub mod page;
mod parts;
pub mod record;
pub mod tree;
pub mod values;
