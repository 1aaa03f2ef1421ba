//! What a program says about the games that it offers: owned, since a game may come from a file.

use std::fmt::{self, Display};

use super::about::{About, Group, Kind, Parameter};

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
    pub(super) fn admits(&self, text: &str) -> bool {
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
