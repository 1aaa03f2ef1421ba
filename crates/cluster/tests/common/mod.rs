//! Games, and the tables that one process builds of them.
#![allow(dead_code, reason = "each test takes what it needs")]

use std::path::Path;

use foregone::record::Values;
use foregone::tables::{Plan, Subject, Technique, build};
use foregone::{
    Control,
    promise::{Banded, Indexed},
};
use foregone_trial::Folder;

/// A game, and how one process solves it.
pub struct Case<G: Indexed> {
    pub game: &'static G,
    pub technique: Technique<G>,
    pub plan: Plan,
}

impl<G: Indexed> Case<G> {
    pub fn new(game: G, technique: Technique<G>, values: Values, layers: Option<u32>) -> Case<G> {
        let plan = Plan { values, layers, threads: 1, all: false };
        Case { game: Box::leak(Box::new(game)), technique, plan }
    }

    pub fn subject(&self) -> Subject<'static, G> {
        Subject::new(self.game, "it")
    }

    /// The file that one process writes.
    pub fn alone(&self, folder: &Folder) -> Vec<u8> {
        self.alone_at(&folder.file("alone"))
    }

    pub fn alone_at(&self, file: &Path) -> Vec<u8> {
        let control = Control::default();
        build(self.subject(), &self.technique, file, &self.plan, &control, &mut |_, _| {}).unwrap();
        std::fs::read(file).unwrap()
    }
}

pub fn on_demand<G: Indexed>(game: G, values: Values) -> Case<G> {
    Case::new(game, Technique::OnDemand, values, None)
}

pub fn bands<G: Banded>(game: G, values: Values, layers: Option<u32>) -> Case<G> {
    Case::new(game, Technique::banded(true), values, layers)
}

pub fn loops<G: Indexed>(game: G, values: Values, layers: u32) -> Case<G> {
    Case::new(game, Technique::Retrograde, values, Some(layers))
}
