//! The registry of games: names, aliases and parameters.

use std::sync::Arc;

use foregone_record::GameId;
use foregone_rules::family::{About, Args, Facts, Family, Invalid, parse_specification};
use foregone_rules::games::{Alias, EachFamily};
use foregone_rules::promise::Declare;
use foregone_text::SHIPPED;

use crate::any::game::AnyGame;
use crate::any::named::{Named, Shared};
use crate::any::nearest::did_you_mean;
use crate::any::text::{self, TextError};
use crate::any::written::rules_of_name;
use crate::declared::Declared;

/// Makes a game; the second argument is the title of the alias it was requested by.
type Make = Box<dyn Fn(&Args, Title) -> Result<Arc<dyn AnyGame>, Invalid> + Send + Sync>;
type Title = Option<&'static str>;

/// A family of games that can be requested by name.
struct Entry {
    about: Facts,
    make: Make,
}

/// The games that a program knows.
///
/// ```
/// use foregone::Registry;
///
/// let registry = Registry::standard();
/// let game = registry.game("kalah(pits=3)").unwrap();
/// assert_eq!(
///     game.specification(),
///     "kalah(pits=3,stones=4,capture=always,end=either,rest=owner)"
/// );
/// let error = registry.game("kalar").err().unwrap();
/// assert!(error.to_string().contains("did you mean `kalah`?"));
/// ```
#[derive(Default)]
pub struct Registry {
    entries: Vec<Entry>,
    aliases: Vec<Alias>,
    /// Whether the texts that come with the program are games too.
    texts: bool,
}

impl Registry {
    /// A registry without games.
    pub fn empty() -> Registry {
        Registry::default()
    }

    /// The games that Foregone comes with.
    // To compile all of them takes most of a build's time; unit tests make do with the games that they name.
    #[cfg(not(test))]
    pub fn standard() -> Registry {
        let mut registry = Registry { texts: true, ..Registry::empty() };
        foregone_rules::games::each(&mut registry);
        registry
    }

    /// Adds a family of games with parameters.
    ///
    /// # Panics
    /// If a game or an alias has that name already.
    pub fn family<F: Family + Declare>(self) -> Registry {
        self.family_by(|game: F| Declared::new(game))
    }

    fn family_by<F: Family>(self, declare: fn(F) -> Declared<F>) -> Registry {
        let make = move |args: &Args, title: Title| -> Result<Arc<dyn AnyGame>, Invalid> {
            let declared = declare(F::create(args)?);
            let finest = declared.finer.as_ref();
            let finest = finest.map(|finer| declare((finer.finest)(&declared.game)));
            let named = Named::family(declared).with_finest(finest.map(Named::family));
            Ok(Arc::new(Shared(Arc::new(named.titled(title)))))
        };
        self.with(Entry { about: Facts::from(&F::ABOUT), make: Box::new(make) })
    }

    /// Adds a game without parameters by its name.
    ///
    /// # Panics
    /// If a game or an alias has that name already.
    pub fn game_named<G: Declare>(
        self,
        name: &'static str,
        make: impl Fn() -> G + Send + Sync + 'static,
    ) -> Registry {
        let make = move |_: &Args, title: Title| -> Result<Arc<dyn AnyGame>, Invalid> {
            let named = Named::plain(name, Declared::new(make()));
            Ok(Arc::new(Shared(Arc::new(named.titled(title)))))
        };
        self.with(Entry { about: Facts::from(&About::plain(name)), make: Box::new(make) })
    }

    /// Panics if a name is taken: a registry is built once at program start, so this is a bug in
    /// the program and appears at once.
    fn refuse_taken(&self, name: &str) {
        assert!(
            !self.is_taken(name),
            "the name `{name}` is in the registry already: give the game another name"
        );
    }

    fn with(mut self, entry: Entry) -> Registry {
        self.refuse_taken(&entry.about.name);
        self.entries.push(entry);
        self
    }

    /// Adds another name for a game, with some of its parameters set.
    ///
    /// # Panics
    /// If a game or an alias has that name already.
    pub fn alias(self, name: &'static str, stands_for: &'static str) -> Registry {
        self.with_alias(Alias { name, title: name, stands_for })
    }

    fn with_alias(mut self, alias: Alias) -> Registry {
        self.refuse_taken(alias.name);
        self.aliases.push(alias);
        self
    }

    /// The descriptions of the families, in the order they were added.
    pub fn families(&self) -> impl Iterator<Item = &Facts> {
        self.entries.iter().map(|entry| &entry.about)
    }

    /// The best known name of a game, however it was requested: that of an alias for exactly these
    /// parameters, or that of its family.
    pub fn title<'g>(&self, game: &'g dyn AnyGame) -> &'g str {
        let alias = self.called(&game.specification());
        alias.map_or(&game.about().title, |alias| alias.title)
    }

    /// The alias for a game with exactly these parameters; `None` if there is none.
    pub fn called(&self, specification: &str) -> Option<&Alias> {
        let same = |alias: &&Alias| {
            alias.stands_for.contains('(')
                && self.game(alias.name).is_ok_and(|game| game.specification() == specification)
        };
        self.aliases.iter().find(same)
    }

    /// The aliases.
    pub fn aliases(&self) -> &[Alias] {
        &self.aliases
    }

    /// The names of the games that come as text and have no game in Rust of the same name.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        let names = SHIPPED.iter().map(|text| text.name);
        names.filter(|_| self.texts).filter(|name| !self.is_taken(name))
    }

    /// All names that stand for a game: of families, aliases and texts.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let families = self.families().map(|about| about.name.as_str());
        families.chain(self.aliases.iter().map(|alias| alias.name)).chain(self.texts())
    }

    fn is_taken(&self, name: &str) -> bool {
        self.entries.iter().any(|entry| entry.about.name == name)
            || self.aliases.iter().any(|alias| alias.name == name)
    }

    /// The game described by a text like `name(key=value,...)`.
    ///
    /// # Errors
    /// If there is no such game. The error says what was expected, and the nearest name.
    pub fn game(&self, text: &str) -> Result<Arc<dyn AnyGame>, Invalid> {
        let (name, given) = parse_specification(text)?;
        if self.texts
            && let Some(rules) = rules_of_name(name)
        {
            return text::text_game(name, &rules?, &given).map_err(|error| match error {
                TextError::Parameter(invalid) => invalid,
                TextError::Text(problems) => {
                    let first = problems.iter().next();
                    let why = first.map_or(String::new(), |problem| {
                        format!("; line {}: {}", problem.span.line + 1, problem.message)
                    });
                    Invalid::new("rules with errors", format!("rules without errors{why}"))
                }
            });
        }
        let alias = self.aliases.iter().find(|alias| alias.name == name);
        let (name, preset) = match alias {
            Some(alias) => parse_specification(alias.stands_for)?,
            None => (name, Vec::new()),
        };
        let entry = self.entries.iter().find(|entry| entry.about.name == name);
        if self.texts
            && entry.is_none()
            && let Some((text, facts)) = text::shipped(name, |name| self.is_taken(name))
        {
            let names: Vec<_> = facts.parameters.iter().map(|each| each.name.clone()).collect();
            return text::game(&text, facts, &given).map_err(|error| nearest_key(error, &names));
        }
        let entry = entry.ok_or_else(|| self.unknown(name))?;
        // Given parameters override those of the alias.
        let preset =
            preset.into_iter().filter(|(key, _)| given.iter().all(|(each, _)| each != key));
        let pairs: Vec<_> = preset.chain(given.iter().copied()).collect();
        let args = Args::of(&entry.about, pairs).map_err(|error| {
            let names: Vec<_> =
                entry.about.parameters.iter().map(|each| each.name.clone()).collect();
            nearest_key(error, &names)
        })?;
        (entry.make)(&args, alias.map(|alias| alias.title))
    }

    /// The game of a table or a proof: by the rules that the file carries, or by its name.
    ///
    /// # Errors
    /// If there is no such game, or the rules are wrong.
    pub fn game_of_file(&self, id: GameId<'_>) -> Result<Arc<dyn AnyGame>, TextError> {
        let Some(rules) = id.rules else { return Ok(self.game(id.name)?) };
        let (name, given) = parse_specification(id.name)?;
        text::text_game(name, rules, &given)
    }

    fn unknown(&self, name: &str) -> Invalid {
        let names: Vec<_> = self.names().collect();
        let expected = match did_you_mean(name, &names) {
            near if near.is_empty() => {
                let some = names.iter().take(5).copied().collect::<Vec<_>>().join(", ");
                format!("one of {} games, such as {some}", names.len())
            }
            near => format!("a game{near}"),
        };
        Invalid::new(name, expected)
    }
}

/// The error of a parameter, with the nearest name if there is none of that name.
fn nearest_key(error: Invalid, names: &[String]) -> Invalid {
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let hint = match error.found.contains('=') || names.contains(&error.found.as_str()) {
        true => String::new(),
        false => did_you_mean(&error.found, &names),
    };
    Invalid { expected: error.expected + &hint, ..error }
}

impl EachFamily for Registry {
    fn family<F: Family + Declare>(&mut self, aliases: &[Alias]) {
        let registry = std::mem::take(self).family_by(|game: F| {
            Declared::plain(game).with(|declared| F::declare(declared)).known_to_the_checker()
        });
        *self = aliases.iter().fold(registry, |registry, alias| registry.with_alias(*alias));
    }
}
