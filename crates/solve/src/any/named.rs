//! A game with its name, shared with its sessions.

use std::path::Path;
use std::sync::Arc;

use foregone_record::{Error, GameId, Table};
use foregone_rules::family::{About, Facts, Family, Invalid, specification};
use foregone_rules::{Drawing, Game, Value, Written};
use foregone_text::Loaded;

use super::game::AnyGame;
use super::play::{LONGEST_TEXT, Play};
use super::session::Session;
use super::tables::AnyTables;
use crate::book::{BookPlan, BookSize, Verified, shipped};
use crate::control::{Control, Guard};
use crate::declared::Declared;
use crate::solver::Solver;
use crate::subject::{Misplayed, Subject, makes};
use crate::tables::Failed;

/// A game as files of results name it; see [`GameId`].
pub(crate) struct Filed {
    pub name: String,
    pub rules: Option<Rules>,
}

/// The rules of a game from text.
pub(crate) struct Rules {
    pub text: String,
    pub loaded: Loaded,
}

impl Filed {
    /// A game in Rust.
    fn by_name(name: &str) -> Filed {
        Filed { name: name.to_owned(), rules: None }
    }

    pub fn id(&self) -> GameId<'_> {
        let rules = self.rules.as_ref().map(|rules| &rules.text[..]);
        GameId { name: &self.name, rules }
    }

    /// Compares a game from text with its text, before a file rests on it.
    pub fn is_as_written(&self) -> Result<(), Misplayed> {
        match &self.rules {
            Some(rules) => rules.loaded.is_as_written().map(drop).map_err(Misplayed),
            None => Ok(()),
        }
    }

    /// Why no answer of a game from text is to be trusted, in a sentence; `None` if there is no reason.
    pub fn misplayed(&self) -> Option<String> {
        let rules = self.rules.as_ref()?;
        rules.loaded.misplayed().map(str::to_owned)
    }

    /// A control under which a run ends once there is such a reason.
    pub fn guarded(&self, control: &Control) -> Control {
        let guard = self.rules.as_ref().map(|rules| -> Guard {
            let loaded = rules.loaded.clone();
            Arc::new(move || loaded.misplayed().map(str::to_owned))
        });
        control.clone().with_guard(guard)
    }

    /// An error if there is such a reason after a run.
    pub fn well_played(&self) -> Result<(), Misplayed> {
        self.misplayed().map_or(Ok(()), |why| Err(Misplayed(why)))
    }
}

/// A game and what front ends need in addition to its rules.
pub(crate) struct Named<G: Game> {
    pub declared: Arc<Declared<G>>,
    pub about: Facts,
    pub title: String,
    pub specification: String,
    /// The game as files of results name it.
    pub filed: Filed,
    pub unit: String,
    pub sides: [String; 2],
    /// The variant that books are about, if it is another.
    finest: Option<Box<Named<G>>>,
}

impl<F: Family> Named<F> {
    /// A game of a family.
    pub fn family(declared: Declared<F>) -> Named<F> {
        let specification = specification(&declared.game);
        let sides = declared.game.sides().map(str::to_owned);
        let unit = declared.game.unit().to_owned();
        let (declared, about) = (declared.into(), Facts::from(&F::ABOUT));
        let title = about.title.clone();
        let filed = Filed::by_name(&specification);
        Named { declared, about, title, specification, filed, unit, sides, finest: None }
    }

    /// The game, with its finest variant for books.
    pub fn with_finest(self, finest: Option<Named<F>>) -> Named<F> {
        let finest = finest.filter(|finest| finest.specification != self.specification);
        Named { finest: finest.map(Box::new), ..self }
    }
}

impl<G: Game> Named<G> {
    /// A game with a name and no description.
    pub fn plain(name: &'static str, declared: Declared<G>) -> Named<G> {
        let (about, filed) = (Facts::from(&About::plain(name)), Filed::by_name(name));
        Named::of(about, name.to_owned(), filed, ["first", "second"], declared)
    }

    /// A game that a program offers.
    pub fn of(
        about: Facts,
        specification: String,
        filed: Filed,
        sides: [&str; 2],
        declared: Declared<G>,
    ) -> Named<G> {
        let (title, unit) = (about.title.clone(), about.unit.clone());
        let (declared, sides) = (declared.into(), sides.map(str::to_owned));
        Named { declared, about, title, specification, filed, unit, sides, finest: None }
    }
}

impl<G: Game> Named<G> {
    /// Replaces the title, unless `title` is `None`.
    pub fn titled(self, title: Option<&str>) -> Named<G> {
        Named { title: title.map_or(self.title, str::to_owned), ..self }
    }

    /// The game as engines see it.
    pub fn subject(&self) -> Subject<'_, G> {
        let Declared { game, measure, notation, .. } = &*self.declared;
        Subject { game, id: self.filed.id(), measure: *measure, written: *notation }
    }

    /// The variant that books of the game are about: its values say most.
    pub fn of_books(&self) -> &Named<G> {
        self.finest.as_deref().unwrap_or(self)
    }

    /// A position as text: in the game's notation, or as its debug text.
    pub fn position(&self, state: &G::State) -> String {
        Written::text(self.declared.notation, &self.declared.game, state)
    }

    /// The position that a text describes.
    pub fn parse(&self, text: &str) -> Result<G::State, Invalid> {
        match self.declared.notation {
            _ if text.len() > LONGEST_TEXT => {
                Err(Invalid::new(text, format!("at most {LONGEST_TEXT} bytes")))
            }
            Some(written) => (written.parse)(&self.declared.game, text),
            None => Err(Invalid::new(text, "no position: the game has no notation for positions")),
        }
    }

    /// Appends what stands on the board as numbers.
    pub fn contents(&self, state: &G::State, out: &mut Vec<i16>) {
        if let Some(contents) = self.declared.picture.as_ref().and_then(|picture| picture.contents)
        {
            contents(&self.declared.game, state, out);
        }
    }

    /// A position as a picture for a terminal.
    pub fn drawing(&self, state: &G::State) -> Drawing {
        match self.declared.picture.as_ref().and_then(|picture| picture.draw) {
            Some(draw) => draw(&self.declared.game, state),
            None => Drawing::Lines(vec![format!("{state:?}")]),
        }
    }
}

/// A [`Named`] game, shared with its sessions.
pub(crate) struct Shared<G: Game>(pub Arc<Named<G>>);

impl<G: Game> AnyGame for Shared<G> {
    fn about(&self) -> &Facts {
        &self.0.about
    }

    fn title(&self) -> &str {
        &self.0.title
    }

    fn specification(&self) -> String {
        self.0.specification.clone()
    }

    fn id(&self) -> GameId<'_> {
        self.0.filed.id()
    }

    fn unit(&self) -> &str {
        &self.0.unit
    }

    fn sides(&self) -> [&str; 2] {
        self.0.sides.each_ref().map(String::as_str)
    }

    fn tables(&self) -> Option<&dyn AnyTables> {
        self.0.declared.tables.as_ref().map(|_| self as &dyn AnyTables)
    }

    fn has_value_search(&self) -> bool {
        self.0.declared.values.is_some()
    }

    fn has_endgame(&self) -> bool {
        let declared = &self.0.declared;
        declared.values.is_some_and(|values| values.has_endgame(&declared.game))
    }

    fn build_book(
        &self,
        target: &Path,
        plan: BookPlan,
        control: &Control,
    ) -> Result<BookSize, Failed> {
        makes()?;
        let (named, control) = (self.0.of_books(), &self.0.filed.guarded(control));
        named.filed.is_as_written()?;
        let books = named.declared.books.ok_or(Failed::NoBook)?;
        let size =
            books.build((&named.declared, named.filed.id()), &target.into(), plan, control)?;
        named.filed.well_played()?;
        Ok(size)
    }

    fn verify_book(
        &self,
        book: &Table,
        sample: Option<usize>,
        threads: usize,
        control: &Control,
    ) -> Result<Verified, Failed> {
        makes()?;
        let (named, control) = (self.0.of_books(), &self.0.filed.guarded(control));
        let books = named.declared.books.ok_or(Failed::NoBook)?;
        let of = (&*named.declared, named.filed.id());
        let (positions, wrong) = books.verify(of, book, sample, threads, control)?;
        named.filed.well_played()?;
        let wrong = wrong.map(|(state, stored, found)| {
            let stored = stored.map_or("nothing".to_owned(), |Value(stored)| stored.to_string());
            let position = named.position(&state);
            format!("at `{position}` the book says {stored}, but the value is {}", found.0)
        });
        Ok(Verified { positions, wrong })
    }

    fn is_book(&self, book: &Table) -> Result<(), Error> {
        let named = self.0.of_books();
        let none = Error::Kind { found: "a book", expected: "a table" };
        named.declared.books.ok_or(none)?.is_of(&named.declared.game, named.filed.id(), book)
    }

    fn is_proof(&self, table: &Table) -> bool {
        let proofs = self.0.declared.proofs;
        proofs.is_some_and(|proofs| proofs.is_of(self.0.subject(), table).is_ok())
    }

    fn actions(&self) -> Option<usize> {
        let (count, _) = self.0.declared.actions?;
        Some(count(&self.0.declared.game))
    }

    fn max_value(&self) -> i32 {
        self.0.declared.game.max_value()
    }

    fn open(&self, position: Option<&str>, moves: &str) -> Result<Box<dyn Session>, Invalid> {
        let mut solver = Solver::new(self.0.declared.clone());
        if let Some(book) = shipped(self.0.of_books().filed.id()) {
            solver.consult(book);
        }
        Ok(Box::new(Play::open(self.0.clone(), solver, position, moves)?))
    }
}
