//! The rules of a game as a name: `rules:` and the text, compressed. So a link can hold a whole game.

use data_encoding::BASE64URL_NOPAD;
use foregone_rules::family::Invalid;
use foregone_text::LONGEST;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Before the compressed text.
const PREFIX: &str = "rules:";

/// The name of a game that holds its rules, for [`Registry::game`](super::Registry::game). With
/// parameters it is written like any other: `rules:...(size=5)`.
///
/// ```
/// let name = foregone::any::name_of_rules("game Apart\nboard 5 1\n");
/// assert_eq!(foregone::any::rules_of_name(&name).unwrap().unwrap(), "game Apart\nboard 5 1\n");
/// ```
pub fn name_of_rules(source: &str) -> String {
    format!("{PREFIX}{}", BASE64URL_NOPAD.encode(&compress_to_vec(source.as_bytes(), 9)))
}

/// The rules in a name; `None` if it holds none.
///
/// # Errors
/// If they cannot be read, or are longer than [`LONGEST`].
pub fn rules_of_name(name: &str) -> Option<Result<String, Invalid>> {
    let packed = name.strip_prefix(PREFIX)?;
    let read = || {
        let bytes = BASE64URL_NOPAD.decode(packed.as_bytes()).ok()?;
        String::from_utf8(decompress_to_vec_with_limit(&bytes, LONGEST).ok()?).ok()
    };
    let wrong = || Invalid::new("rules:...", "the whole of a link with rules");
    Some(read().ok_or_else(wrong))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damaged_names_are_errors() {
        let name = name_of_rules("game Apart\nboard 5 1\n");
        assert!(rules_of_name("kalah").is_none());
        for wrong in [&name[..name.len() - 3], "rules:", "rules:!!", "rules:AAAA"] {
            assert!(rules_of_name(wrong).unwrap().is_err(), "{wrong}");
        }
        // A small name of a very long text.
        let bomb = name_of_rules(&" ".repeat(1 << 20));
        assert!(bomb.len() < 5_000);
        assert!(rules_of_name(&bomb).unwrap().is_err());
    }
}
