//! What is wrong with a text from outside.

use std::fmt::{self, Display};

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_show_quotation_marks_as_they_are_and_nothing_invisible() {
        assert_eq!(printable("say \"it's\"\u{7}\u{202e}"), "say \"it's\"\\u{7}\\u{202e}");
        assert_eq!(printable(r#"a\"b\\'"#), r#"a\\"b\\\\'"#);
    }

    #[test]
    fn errors_keep_long_texts_short_and_control_characters_harmless() {
        let error = Invalid::new("\u{1b}[2J".repeat(100), "less").to_string();
        assert!(error.chars().count() < 700 && !error.contains('\u{1b}'), "{error}");
    }
}
