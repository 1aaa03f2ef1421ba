//! Games with parameters: their names, their parameters, and the text `name(key=value,...)` that
//! identifies one game of a family.

use std::fmt::{self, Display};

use crate::game::Game;

/// The error of an invalid text from outside: what was found, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The text, or the part of it that is invalid.
    pub found: String,
    /// What is valid.
    pub expected: String,
}

impl Invalid {
    /// An error; it keeps only the beginning of a long text.
    pub fn new(found: impl Into<String>, expected: impl Into<String>) -> Invalid {
        const LONGEST: usize = 80;
        let mut found: String = found.into();
        if let Some((cut, _)) = found.char_indices().nth(LONGEST) {
            found.truncate(cut);
            found.push('…');
        }
        Invalid { found, expected: expected.into() }
    }
}

impl Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "found `{}`, expected {}", printable(&self.found), self.expected)
    }
}

impl std::error::Error for Invalid {}

/// Text from outside, safe to print: control characters and the like are escaped. Quotation marks need not be.
pub fn printable(text: &str) -> String {
    text.escape_debug().to_string().replace("\\\"", "\"").replace("\\'", "'")
}

/// What a game is about, so that a list of games can be read in parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Group {
    /// Pieces are put down until some stand in a line.
    Lines,
    /// Pieces move until some stand in a line.
    Mills,
    /// Seeds are sown around a board of pits.
    Sowing,
    /// A few hunt, and one escapes.
    Hunts,
    /// Two edges of a board are connected.
    Connection,
    /// Whoever holds more at the end wins.
    Territory,
    /// Pieces go ahead, and capture.
    Battles,
    /// Whoever cannot move loses.
    LastMove,
    /// All else.
    #[default]
    Other,
}

impl Group {
    /// All groups, in the order of lists.
    pub const ALL: [Group; 9] = [
        Group::Lines,
        Group::Mills,
        Group::Sowing,
        Group::Hunts,
        Group::Connection,
        Group::Territory,
        Group::Battles,
        Group::LastMove,
        Group::Other,
    ];

    /// The group in words, for a heading.
    pub const fn title(self) -> &'static str {
        match self {
            Group::Lines => "Make a line",
            Group::Mills => "Move into a line",
            Group::Sowing => "Sow and gather",
            Group::Hunts => "Hunt",
            Group::Connection => "Connect two sides",
            Group::Territory => "Hold the most",
            Group::Battles => "Break through or capture",
            Group::LastMove => "Make the last move",
            Group::Other => "Others",
        }
    }
}

/// Facts about a family of games, for its users.
#[derive(Clone, Debug)]
pub struct About {
    /// The name in specifications: lower case, words joined by `-`.
    pub name: &'static str,
    /// The name in headings, such as `Fox and Hounds`.
    pub title: &'static str,
    /// The game in one line.
    pub summary: &'static str,
    /// What it is about.
    pub group: Group,
    /// The rules, a paragraph or more.
    pub rules: &'static str,
    /// How a move is written.
    pub move_notation: &'static str,
    /// How a position is written, with an example.
    pub position_notation: &'static str,
    /// Known results and their sources; empty if there are none.
    pub known: &'static str,
    /// What a value counts, in the plural (`stones`); `result` if it is 1, 0 or -1. Parameters may
    /// change it ([`Family::unit`]).
    pub unit: &'static str,
    /// The parameters.
    pub parameters: &'static [Parameter],
}

impl About {
    /// The facts about a game if only its name is known.
    pub const fn plain(name: &'static str) -> About {
        About {
            name,
            title: name,
            summary: "",
            group: Group::Other,
            rules: "",
            move_notation: "",
            position_notation: "",
            known: "",
            unit: "result",
            parameters: &[],
        }
    }
}

/// A parameter of a family of games.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name in specifications.
    pub name: &'static str,
    /// The valid values.
    pub kind: Kind,
    /// The default value; empty if it depends on the other parameters.
    pub default: &'static str,
    /// Its meaning, in a few words.
    pub meaning: &'static str,
}

impl Parameter {
    /// A whole number from `min` to `max`.
    pub const fn number(
        name: &'static str,
        [min, max]: [u32; 2],
        default: &'static str,
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Number { min, max, step: 1 }, default, meaning }
    }

    /// An even number from `min` to `max`; `min` must be even.
    pub const fn even(
        name: &'static str,
        [min, max]: [u32; 2],
        default: &'static str,
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Number { min, max, step: 2 }, default, meaning }
    }

    /// One of `words`; the first is the default.
    pub const fn choice(
        name: &'static str,
        words: &'static [&'static str],
        meaning: &'static str,
    ) -> Parameter {
        Parameter { name, kind: Kind::Choice(words), default: words[0], meaning }
    }

    /// `true` or `false`.
    pub const fn flag(name: &'static str, default: bool, meaning: &'static str) -> Parameter {
        let default = if default { "true" } else { "false" };
        Parameter { name, kind: Kind::Flag, default, meaning }
    }
}

/// The values that a parameter can take.
#[derive(Clone, Debug)]
pub enum Kind {
    /// A whole number.
    Number {
        /// The smallest valid number.
        min: u32,
        /// The largest valid number.
        max: u32,
        /// The difference between valid numbers; at least 1.
        step: u32,
    },
    /// One of these words.
    Choice(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// Other text; the description says what is valid.
    Text(&'static str),
}

/// What a program knows of a game that it offers: the same as [`About`], but owned, since a game may
/// come from a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts {
    /// See [`About::name`].
    pub name: String,
    /// See [`About::title`].
    pub title: String,
    /// See [`About::summary`].
    pub summary: String,
    /// See [`About::group`].
    pub group: Group,
    /// See [`About::rules`].
    pub rules: String,
    /// See [`About::move_notation`].
    pub move_notation: String,
    /// See [`About::position_notation`].
    pub position_notation: String,
    /// See [`About::known`].
    pub known: String,
    /// See [`About::unit`].
    pub unit: String,
    /// The parameters.
    pub parameters: Vec<Setting>,
}

/// A parameter of a game that a program offers: the same as [`Parameter`], but owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Its name in specifications.
    pub name: String,
    /// The valid values.
    pub valid: Valid,
    /// The default value; empty if it depends on the other parameters.
    pub default: String,
    /// Its meaning, in a few words.
    pub meaning: String,
}

/// The values that a parameter can take: the same as [`Kind`], but owned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Valid {
    /// A whole number.
    Number {
        /// The smallest valid number.
        min: i64,
        /// The largest valid number.
        max: i64,
        /// The difference between valid numbers; at least 1.
        step: i64,
    },
    /// One of these words.
    Choice(Vec<String>),
    /// `true` or `false`.
    Flag,
    /// Other text; the description says what is valid.
    Text(String),
}

impl From<&About> for Facts {
    fn from(about: &About) -> Facts {
        let setting = |parameter: &Parameter| Setting {
            name: parameter.name.to_owned(),
            valid: match parameter.kind {
                Kind::Number { min, max, step } => {
                    Valid::Number { min: min.into(), max: max.into(), step: step.into() }
                }
                Kind::Choice(words) => {
                    Valid::Choice(words.iter().map(|&word| word.to_owned()).collect())
                }
                Kind::Flag => Valid::Flag,
                Kind::Text(valid) => Valid::Text(valid.to_owned()),
            },
            default: parameter.default.to_owned(),
            meaning: parameter.meaning.to_owned(),
        };
        Facts {
            name: about.name.to_owned(),
            title: about.title.to_owned(),
            summary: about.summary.to_owned(),
            group: about.group,
            rules: about.rules.to_owned(),
            move_notation: about.move_notation.to_owned(),
            position_notation: about.position_notation.to_owned(),
            known: about.known.to_owned(),
            unit: about.unit.to_owned(),
            parameters: about.parameters.iter().map(setting).collect(),
        }
    }
}

impl Display for Valid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Valid::Number { min, max, step: 1 } => write!(f, "a number from {min} to {max}"),
            Valid::Number { min, max, step } => {
                let step = usize::try_from(*step).unwrap_or(1);
                let all = (*min..=*max).step_by(step).map(|number| number.to_string());
                write!(f, "one of {}", all.collect::<Vec<_>>().join(", "))
            }
            Valid::Choice(words) => write!(f, "one of {}", words.join(", ")),
            Valid::Flag => f.write_str("true or false"),
            Valid::Text(valid) => f.write_str(valid),
        }
    }
}

impl Valid {
    fn admits(&self, text: &str) -> bool {
        match self {
            Valid::Number { min, max, step } => {
                let admits = |number: i64| {
                    (*min..=*max).contains(&number) && number.abs_diff(*min) % *step as u64 == 0
                };
                let digits = text.strip_prefix('-').unwrap_or(text);
                digits.bytes().all(|byte| byte.is_ascii_digit()) && text.parse().is_ok_and(admits)
            }
            Valid::Choice(words) => words.iter().any(|word| word == text),
            Valid::Flag => matches!(text, "true" | "false"),
            Valid::Text(_) => true,
        }
    }
}

/// The parameters of one game of a family. Each is checked against its [`Kind`], and has its
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

    /// The index, from 0, of the word of a parameter of kind [`Kind::Choice`].
    ///
    /// # Panics
    /// If the family has no such parameter, or it is of another kind.
    pub fn choice(&self, name: &str) -> usize {
        let (parameter, text) = self.find(name);
        let words = if let Valid::Choice(words) = &parameter.valid { &words[..] } else { &[] };
        let at = words.iter().position(|word| word == text);
        at.unwrap_or_else(|| panic!("{name} is not a choice: {text}"))
    }

    /// The number of a parameter of kind [`Kind::Number`].
    ///
    /// # Panics
    /// If the family has no such parameter, or it is of another kind.
    pub fn number(&self, name: &str) -> u32 {
        let text = self.text(name);
        text.parse().unwrap_or_else(|_| panic!("{name} is not a number: {text}"))
    }

    /// Whether a parameter of kind [`Kind::Flag`] is set.
    ///
    /// # Panics
    /// If the family has no such parameter.
    pub fn flag(&self, name: &str) -> bool {
        self.text(name) == "true"
    }
}

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

    /// The values of all parameters of this game, in the order of [`About::parameters`].
    /// [`create`](Family::create) makes the same game from them.
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

/// The name with its parameters, `name(key=value,...)`; only the name if there are none.
pub fn written_specification(name: &str, parameters: &[(&str, &str)]) -> String {
    let pairs: Vec<_> = parameters.iter().map(|(name, value)| format!("{name}={value}")).collect();
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
    fn errors_show_quotation_marks_as_they_are_and_nothing_invisible() {
        assert_eq!(printable("say \"it's\"\u{7}\u{202e}"), "say \"it's\"\\u{7}\\u{202e}");
        assert_eq!(printable(r#"a\"b\\'"#), r#"a\\"b\\\\'"#);
    }

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

    #[test]
    fn errors_keep_long_texts_short_and_control_characters_harmless() {
        let error = Invalid::new("\u{1b}[2J".repeat(100), "less").to_string();
        assert!(error.chars().count() < 700 && !error.contains('\u{1b}'), "{error}");
    }
}
