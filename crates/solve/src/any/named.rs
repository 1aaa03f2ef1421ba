//! A game with its name, shared with its sessions.

use std::sync::Arc;

use foregone_rules::family::{About, Family, Invalid, specification};
use foregone_rules::{Game, Written};

use super::game::AnyGame;
use super::play::Play;
use super::session::Session;
use super::tables::AnyTables;
use crate::declared::Declared;
use crate::solver::Solver;
use crate::subject::Subject;

/// A game and what front ends need in addition to its rules.
pub(crate) struct Named<G: Game> {
    pub declared: Arc<Declared<G>>,
    pub about: About,
    pub title: &'static str,
    pub specification: String,
    pub unit: &'static str,
    pub sides: [&'static str; 2],
}

impl<F: Family> Named<F> {
    /// A game of a family.
    pub fn family(declared: Declared<F>) -> Named<F> {
        let (specification, sides) = (specification(&declared.game), declared.game.sides());
        let unit = declared.game.unit();
        let (declared, about) = (declared.into(), F::ABOUT);
        let title = about.title;
        Named { declared, about, title, specification, unit, sides }
    }
}

impl<G: Game> Named<G> {
    /// A game with a name and no description.
    pub fn plain(name: &'static str, declared: Declared<G>) -> Named<G> {
        let about = About::plain(name);
        let (unit, sides) = (about.unit, ["first", "second"]);
        let (declared, specification) = (declared.into(), name.to_owned());
        Named { declared, about, title: name, specification, unit, sides }
    }
}

impl<G: Game> Named<G> {
    /// Replaces the title, unless `title` is `None`.
    pub fn titled(self, title: Option<&'static str>) -> Named<G> {
        Named { title: title.unwrap_or(self.title), ..self }
    }

    /// The game as engines see it.
    pub fn subject(&self) -> Subject<'_, G> {
        let Declared { game, measure, .. } = &*self.declared;
        Subject { game, name: &self.specification, measure: *measure }
    }

    /// A position as text: in the game's notation, or as its debug text.
    pub fn position(&self, state: &G::State) -> String {
        Written::text(self.declared.notation, &self.declared.game, state)
    }
}

/// A [`Named`] game, shared with its sessions.
pub(crate) struct Shared<G: Game>(pub Arc<Named<G>>);

impl<G: Game> AnyGame for Shared<G> {
    fn about(&self) -> &About {
        &self.0.about
    }

    fn title(&self) -> &'static str {
        self.0.title
    }

    fn specification(&self) -> String {
        self.0.specification.clone()
    }

    fn unit(&self) -> &'static str {
        self.0.unit
    }

    fn sides(&self) -> [&'static str; 2] {
        self.0.sides
    }

    fn tables(&self) -> Option<&dyn AnyTables> {
        self.0.declared.tables.as_ref().map(|_| self as &dyn AnyTables)
    }

    fn has_value_search(&self) -> bool {
        self.0.declared.values.is_some()
    }

    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid> {
        Ok(Box::new(Play::open(
            self.0.clone(),
            Solver::new(self.0.declared.clone()),
            position,
            moves,
        )?))
    }
}
