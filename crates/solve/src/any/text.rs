//! Games from text, for front ends.

use std::sync::Arc;

use foregone_rules::family::{Args, Facts, Invalid, written_specification};
use foregone_text::{PREFIX, Problems, Shipped, Text, TextGame, Word, with_game};

use super::game::AnyGame;
use super::named::{Filed, Named, Rules, Shared};
use crate::declared::Declared;

/// A game that was written as text, under a name, with these parameters.
///
/// ```
/// let rules = "game Apart
/// parameter length = 5 in 1..9
/// board length 1
/// piece stone X
/// stuck loses
/// move
///   choose at in empty - beside(stone)
///   put stone on at
/// ";
/// let game = foregone::text_game("apart", rules, &[("length", "7")])?;
/// assert_eq!(game.specification(), "apart(length=7)");
/// assert_eq!(game.session().moves().len(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// All that is wrong with the text, or what is wrong with the parameters.
pub fn text_game(
    name: &str,
    source: &str,
    given: &[(&str, &str)],
) -> Result<Arc<dyn AnyGame>, TextError> {
    let text = Text::parse(source)?;
    Ok(game(&text, text.facts(name), given)?)
}

/// Why a text is no game.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The text is wrong.
    #[error("{0}")]
    Text(#[from] Problems),
    /// A parameter is wrong.
    #[error("{0}")]
    Parameter(#[from] Invalid),
}

/// The text that comes with the program under this name, and its name in specifications.
pub(super) fn shipped(name: &str, is_taken: impl Fn(&str) -> bool) -> Option<(Text, Facts)> {
    let &Shipped { name: bare, group, source } = foregone_text::shipped(name)?;
    let name = if is_taken(bare) { format!("{PREFIX}{bare}") } else { bare.to_owned() };
    let text = Text::parse(source).ok()?;
    let facts = Facts { group, ..text.facts(&name) };
    Some((text, facts))
}

/// A game from a text.
pub(super) fn game(
    text: &Text,
    facts: Facts,
    given: &[(&str, &str)],
) -> Result<Arc<dyn AnyGame>, Invalid> {
    let args = Args::of(&facts, given.iter().copied())?;
    let pairs: Vec<_> = args.pairs().collect();
    let loaded = text.load(&pairs).map_err(|problems| {
        let why = problems.iter().next().map_or(String::new(), |problem| {
            format!("line {}: {}", problem.span.line + 1, problem.message)
        });
        match given.is_empty() {
            true => Invalid::new(&facts.title, format!("rules that can be played: {why}")),
            false => {
                let found = written_specification(&facts.title, &pairs);
                Invalid::new(found, format!("parameters that go together: {why}"))
            }
        }
    })?;
    let specification = written_specification(&facts.name, &pairs);
    let name = written_specification(&text.name(), &pairs);
    let filed = Filed { name, rules: Some(Rules { text: text.bare(), loaded: loaded.clone() }) };
    let sides = text.sides();
    Ok(with_game!(loaded, game => named(game, facts, specification, filed, sides)))
}

fn named<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>(
    game: TextGame<S, N, R, K, D>,
    facts: Facts,
    specification: String,
    filed: Filed,
    sides: [&str; 2],
) -> Arc<dyn AnyGame> {
    let declared = Declared::plain(game.clone()).with(|promises| game.promise(promises));
    let declared = declared.known_to_the_checker();
    Arc::new(Shared(Arc::new(Named::of(facts, specification, filed, sides, declared))))
}
