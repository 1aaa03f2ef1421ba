//! The parameters of one game of a family.

use super::about::About;
use super::facts::{Facts, Setting, Valid};
use super::invalid::Invalid;

/// The parameters of one game of a family. Each is checked against its [`Kind`](super::Kind), and has its
/// default if it was not given.
#[derive(Clone, Debug)]
pub struct Args {
    values: Vec<(Setting, String)>,
}

impl Args {
    /// The parameters of a family, with `given` set.
    ///
    /// # Errors
    /// If a name is unknown or given twice, or a value is invalid; the error says what is valid.
    pub fn new<'a>(
        about: &About,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Args, Invalid> {
        Args::of(&Facts::from(about), given)
    }

    /// Like [`new`](Args::new), for a game that a program offers.
    ///
    /// # Errors
    /// As there.
    pub fn of<'a>(
        about: &Facts,
        given: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Args, Invalid> {
        let mut values: Vec<Option<&str>> = vec![None; about.parameters.len()];
        for (name, text) in given {
            let at = about.parameters.iter().position(|parameter| parameter.name == name);
            let Some(at) = at else {
                let names: Vec<_> = about.parameters.iter().map(|each| &each.name[..]).collect();
                let valid = match names.len() {
                    0 => format!("no parameter: {} takes none", about.name),
                    _ => format!("a parameter of {}: {}", about.name, names.join(", ")),
                };
                return Err(Invalid::new(name, valid));
            };
            let parameter = &about.parameters[at];
            if text.is_empty() || !parameter.valid.admits(text) {
                let commas =
                    if text.contains('=') { "; separate parameters by commas" } else { "" };
                let valid = format!("{} to be {}{commas}", parameter.name, parameter.valid);
                return Err(Invalid::new(format!("{name}={text}"), valid));
            }
            if values[at].replace(text).is_some() {
                return Err(Invalid::new(name, format!("each parameter once, not {name} twice")));
            }
        }
        let filled = about.parameters.iter().zip(values).map(|(parameter, value)| {
            (parameter.clone(), value.unwrap_or(&parameter.default).to_owned())
        });
        Ok(Args { values: filled.collect() })
    }

    /// The text of a parameter; empty if it was not given and has no fixed default.
    ///
    /// # Panics
    /// If the family has no such parameter.
    pub fn text(&self, name: &str) -> &str {
        &self.find(name).1
    }

    /// All parameters in order: the name and the text of each.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|(parameter, text)| (&parameter.name[..], &text[..]))
    }

    fn find(&self, name: &str) -> &(Setting, String) {
        let found = self.values.iter().find(|(parameter, _)| parameter.name == name);
        found.unwrap_or_else(|| panic!("no parameter is called {name}"))
    }

    /// The index, from 0, of the word of a parameter of kind [`Kind::Choice`](super::Kind::Choice).
    ///
    /// # Panics
    /// If the family has no such parameter, or it is of another kind.
    pub fn choice(&self, name: &str) -> usize {
        let (parameter, text) = self.find(name);
        let words = if let Valid::Choice(words) = &parameter.valid { &words[..] } else { &[] };
        let at = words.iter().position(|word| word == text);
        at.unwrap_or_else(|| panic!("{name} is not a choice: {text}"))
    }

    /// The number of a parameter of kind [`Kind::Number`](super::Kind::Number).
    ///
    /// # Panics
    /// If the family has no such parameter, or it is of another kind.
    pub fn number(&self, name: &str) -> u32 {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}"))
    }

    /// Whether a parameter of kind [`Kind::Flag`](super::Kind::Flag) is set.
    ///
    /// # Panics
    /// If the family has no such parameter.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}
