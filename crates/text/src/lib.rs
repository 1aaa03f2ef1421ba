//! Games written as text: a language for the rules of board games, and what follows from them.
//!
//! A text says what the board is, which pieces there are, how they stand at the start, what a move
//! is and when the game ends. [`Text::parse`] reads it and reports everything that is wrong;
//! [`Text::load`] makes a [`Game`](foregone_rules::Game) of it.
//!
//! On the way it becomes a tree with places ([`syntax`]), then rules in which names, kinds of values
//! and parameters are resolved ([`typed`]), then instructions for a small machine ([`machine`]). A
//! plain interpreter of the rules ([`interpret`]) says what they mean; the machine is held against
//! it.
#![allow(rustdoc::private_intra_doc_links, reason = "the way of a text is told to its readers")]

mod actions;
mod board;
mod budget;
mod choices;
mod code;
mod compare;
mod fault;
mod game;
mod interpret;
mod interpreted;
mod key;
#[doc(hidden)]
pub mod machine;
#[doc(hidden)]
pub mod native;
mod notation;
mod picture;
mod points;
mod problem;
mod progress;
mod promises;
mod reach;
mod results;
mod shipped;
mod state;
mod symmetry;
mod syntax;
mod text;
mod typed;
mod vary;
mod win;
mod words;

pub use choices::Choices;
pub use game::{Derived, Large, Small, TextGame, Wide};
pub use interpreted::Interpreted;
pub use machine::Word;
pub use problem::{Problem, Problems, Span};
pub use progress::RaisedBy;
pub use shipped::{PREFIX, SHIPPED, Shipped, shipped};
pub use syntax::{Expected, LONGEST, Test};
pub use text::{Loaded, Text, load};
pub use vary::{nameless, vary};

/// The document of the language, in Markdown: tables of its words and examples of each.
pub const DOCUMENT: &str = include_str!("../README.md");

/// A TextMate grammar that colours texts, as JSON.
pub const GRAMMAR: &str = include_str!("../rules.tmLanguage.json");
