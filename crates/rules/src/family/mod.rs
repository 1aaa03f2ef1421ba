//! Games with parameters: their names, their parameters, and the text `name(key=value,...)` that
//! identifies one game of a family.

mod about;
mod args;
mod facts;
mod invalid;

pub use about::{About, Group, Kind, Parameter};
pub use args::Args;
pub use facts::{Facts, Setting, Valid};
pub use invalid::{Invalid, printable};

use crate::game::Game;

/// Games that differ only in their parameters.
///
/// ```
/// use foregone_rules::{About, Args, Family, Invalid, Parameter};
/// # use foregone_rules::{Game, Outcome, Side};
///
/// /// A pile of sticks, from which each side takes one to `most`; who takes the last one wins.
/// struct Sticks {
///     sticks: u32,
///     most: u32,
/// }
/// # impl Game for Sticks {
/// #     type State = (u32, Side);
/// #     type Move = u32;
/// #     fn start(&self) -> Self::State {
/// #         (self.sticks, Side::First)
/// #     }
/// #     fn turn(&self, state: &Self::State) -> Side {
/// #         state.1
/// #     }
/// #     fn outcome(&self, state: &Self::State) -> Option<Outcome> {
/// #         (state.0 == 0).then(|| Outcome::win(state.1.other()))
/// #     }
/// #     fn moves(&self, state: &Self::State) -> impl Iterator<Item = u32> {
/// #         1..=state.0.min(self.most)
/// #     }
/// #     fn play(&self, state: &Self::State, take: u32) -> Self::State {
/// #         (state.0 - take, state.1.other())
/// #     }
/// # }
///
/// impl Family for Sticks {
///     const ABOUT: About = About {
///         name: "sticks",
///         title: "Sticks",
///         summary: "take sticks from a pile, the last one wins",
///         rules: "The players take turns to take sticks. Who takes the last one wins.",
///         move_notation: "how many sticks are taken",
///         parameters: &[
///             Parameter::number("sticks", [1, 99], "21", "sticks at the start"),
///             Parameter::number("most", [1, 9], "3", "the most sticks that a move takes"),
///         ],
///         ..About::plain("sticks")
///     };
///
///     fn create(args: &Args) -> Result<Sticks, Invalid> {
///         Ok(Sticks { sticks: args.number("sticks"), most: args.number("most") })
///     }
///
///     fn arguments(&self) -> Vec<String> {
///         vec![self.sticks.to_string(), self.most.to_string()]
///     }
/// }
///
/// assert_eq!(Sticks::with(&[("most", "5")]).unwrap().sticks, 21);
/// ```
pub trait Family: Game + Sized {
    /// Facts about the family.
    const ABOUT: About;

    /// The game with these parameters.
    ///
    /// # Errors
    /// If the parameters, each valid by itself, do not go together.
    fn create(args: &Args) -> Result<Self, Invalid>;

    /// The game with the parameters `given`; all others have their defaults.
    ///
    /// ```
    /// use foregone_rules::{Family, games::ConnectFour};
    ///
    /// let small = ConnectFour::with(&[("columns", "5"), ("rows", "4")]).unwrap();
    /// assert!(ConnectFour::with(&[("colums", "5")]).is_err());
    /// # let _ = small;
    /// ```
    ///
    /// # Errors
    /// If a name is unknown or given twice, a value is invalid, or the values do not go together;
    /// the error says what is valid.
    fn with(given: &[(&str, &str)]) -> Result<Self, Invalid> {
        Self::create(&Args::new(&Self::ABOUT, given.iter().copied())?)
    }

    /// The values of all parameters of this game, in the order of [`About::parameters`]; empty if the others
    /// imply it. [`create`](Family::create) makes the same game from them.
    fn arguments(&self) -> Vec<String>;

    /// What the values of this game count; see [`About::unit`].
    fn unit(&self) -> &'static str {
        Self::ABOUT.unit
    }

    /// The names of the first and the second player, a word each.
    fn sides(&self) -> [&'static str; 2] {
        ["first", "second"]
    }
}

/// The name of a game with all its parameters, `name(key=value,...)`; only the name if it has no
/// parameters.
pub fn specification<F: Family>(game: &F) -> String {
    let pairs = F::ABOUT.parameters.iter().zip(game.arguments());
    let pairs: Vec<_> = pairs.map(|(parameter, text)| (parameter.name, text)).collect();
    let pairs: Vec<_> = pairs.iter().map(|(name, text)| (*name, &text[..])).collect();
    written_specification(F::ABOUT.name, &pairs)
}

/// The name with its parameters, `name(key=value,...)`, without those whose value is empty; only the name if
/// there are none.
pub fn written_specification(name: &str, parameters: &[(&str, &str)]) -> String {
    let given = parameters.iter().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<_> = given.map(|(name, value)| format!("{name}={value}")).collect();
    match pairs.is_empty() {
        true => name.to_owned(),
        false => format!("{name}({})", pairs.join(",")),
    }
}

/// A name and its parameters, in the written order.
pub type Call<'a> = (&'a str, Vec<(&'a str, &'a str)>);

/// Parses `name(key=value,...)`; the brackets are optional, and spaces are ignored.
///
/// # Errors
/// If the text is not of that form.
pub fn parse_specification(text: &str) -> Result<Call<'_>, Invalid> {
    let form = "a game as `name` or `name(key=value,...)`";
    let text = text.trim();
    let Some((name, rest)) = text.split_once('(') else {
        return match text.contains([')', ',', '=']) || text.is_empty() {
            true => Err(Invalid::new(text, form)),
            false => Ok((text, Vec::new())),
        };
    };
    let inside = rest.strip_suffix(')').ok_or_else(|| Invalid::new(text, form))?;
    let pairs = inside.split(',').filter(|_| !inside.trim().is_empty());
    let pairs = pairs.map(|pair| {
        let (key, value) = pair.split_once('=').ok_or_else(|| {
            Invalid::new(pair.trim(), format!("key=value between the brackets of {}", name.trim()))
        })?;
        Ok((key.trim(), value.trim()))
    });
    Ok((name.trim(), pairs.collect::<Result<_, Invalid>>()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specifications_come_apart() {
        assert_eq!(parse_specification(" nim ").unwrap(), ("nim", vec![]));
        assert_eq!(parse_specification("nim()").unwrap(), ("nim", vec![]));
        assert_eq!(
            parse_specification("mnk( rows = 4 ,line=3)").unwrap(),
            ("mnk", vec![("rows", "4"), ("line", "3")])
        );
        for wrong in ["", "mnk(rows=4", "mnk(rows)", "mnk(rows=4,)", "mnk)", "a=b"] {
            assert!(parse_specification(wrong).is_err(), "{wrong}");
        }
    }
}
