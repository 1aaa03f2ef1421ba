//! Whose rules a file was checked by. A file may bring any rules under any name, so a verdict says whether they are
//! the ones that come with Foregone.

use foregone_rules::Family;
use foregone_rules::games::{Alias, EachFamily, each};
use foregone_rules::promise::Declare;
use foregone_text::{SHIPPED, Text, shipped};

/// Whose rules a file was checked by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Provenance {
    /// The rules in Rust that come with this program: the file carries none.
    BuiltIn,
    /// The file carries the text that comes with this program under its name.
    Shipped,
    /// The file carries rules under a name that no game of this program has.
    Own,
    /// The file carries other rules than those that come with this program under its name.
    Differs,
}

impl Provenance {
    /// Whose rules these are; a file may carry none.
    pub(crate) fn of(rules: Option<&Text>) -> Provenance {
        let Some(text) = rules else { return Provenance::BuiltIn };
        let name = text.name();
        match shipped(&name).map(|shipped| Text::parse(shipped.source)) {
            Some(Ok(shipped)) if shipped.bare() == text.bare() => Provenance::Shipped,
            _ if is_taken(&name) => Provenance::Differs,
            _ => Provenance::Own,
        }
    }

    /// As a field of a report: `built-in`, `shipped`, `own` or `differs`.
    pub const fn name(self) -> &'static str {
        match self {
            Provenance::BuiltIn => "built-in",
            Provenance::Shipped => "shipped",
            Provenance::Own => "own",
            Provenance::Differs => "differs",
        }
    }

    /// In words, after "by".
    pub fn words(self, name: &str) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match self {
            Provenance::BuiltIn | Provenance::Shipped => {
                format!("the rules that come with Foregone {version} under this name")
            }
            Provenance::Own => "rules of your own, which the file carries".to_owned(),
            Provenance::Differs => format!(
                "rules that the file carries, NOT the rules that come with Foregone under the name {name}, or a like one"
            ),
        }
    }
}

/// Whether a game of this program has a name with the same letters and digits, or is also called so.
fn is_taken(name: &str) -> bool {
    let mut names = Names { letters: letters(name), is_one: false };
    SHIPPED.iter().for_each(|shipped| names.compare(shipped.name));
    each(&mut names);
    names.is_one
}

/// The letters and digits of a name: a text that is called so should not pass for a game that is called nearly so.
fn letters(name: &str) -> String {
    let name = name.chars().flat_map(char::to_lowercase);
    name.filter(|c| c.is_alphanumeric()).collect()
}

/// Whether a name is one of those of games.
struct Names {
    letters: String,
    is_one: bool,
}

impl Names {
    fn compare(&mut self, name: &str) {
        self.is_one |= letters(name) == self.letters;
    }
}

impl EachFamily for Names {
    fn family<F: Family + Declare>(&mut self, aliases: &[Alias]) {
        self.compare(F::ABOUT.name);
        aliases.iter().for_each(|alias| self.compare(alias.name));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_games_are_taken_and_so_are_their_aliases() {
        let whose = |title: &str| {
            let rules = format!(
                "game {title}\nboard 1 1\npiece stone X\nstuck draws\nmove\n  choose at in empty\n  put stone on at\n"
            );
            Provenance::of(Some(&Text::parse(&rules).unwrap()))
        };
        for title in [
            "Hex",
            "Kalah",
            "Kalaha",
            "Oware",
            "Hexapawn",
            "TicTacToe",
            "Bagh Chal",
            "misere tictac toe",
        ] {
            assert_eq!(whose(title), Provenance::Differs, "{title}");
        }
        assert_eq!(whose("Lone"), Provenance::Own);
        for shipped in SHIPPED {
            let text = Text::parse(shipped.source).unwrap();
            assert_eq!(Provenance::of(Some(&text)), Provenance::Shipped, "{}", shipped.name);
        }
        assert_eq!(Provenance::of(None), Provenance::BuiltIn);
    }
}
