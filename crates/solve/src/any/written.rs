//! The rules of a game as a name: `rules:` and the text, compressed. So a link can hold a whole game.

use base64::prelude::{BASE64_URL_SAFE_NO_PAD, Engine};
use foregone_rules::family::Invalid;
use foregone_text::LONGEST;
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec_with_limit;

/// Before the compressed text.
const PREFIX: &str = "rules:";

/// The longest name of rules, in bytes: a page repeats it for each place of a board. The longest text that comes
/// with Foregone takes about 1,060.
const LONGEST_NAME: usize = 1 << 14;

/// The name of a game that holds its rules, for [`Registry::game`](super::Registry::game). With
/// parameters it is written like any other: `rules:...(size=5)`.
///
/// ```
/// let name = foregone::any::name_of_rules("game Apart\nboard 5 1\n");
/// assert_eq!(foregone::any::rules_of_name(&name).unwrap().unwrap(), "game Apart\nboard 5 1\n");
/// ```
pub fn name_of_rules(source: &str) -> String {
    format!("{PREFIX}{}", BASE64_URL_SAFE_NO_PAD.encode(compress_to_vec(source.as_bytes(), 9)))
}

/// The rules in a name; `None` if it holds none.
///
/// # Errors
/// If they cannot be read, are longer than [`LONGEST`], or the name has more than 16,384 bytes.
pub fn rules_of_name(name: &str) -> Option<Result<String, Invalid>> {
    let packed = name.strip_prefix(PREFIX)?;
    let read = || {
        let bytes = BASE64_URL_SAFE_NO_PAD.decode(packed).ok()?;
        String::from_utf8(decompress_to_vec_with_limit(&bytes, LONGEST).ok()?).ok()
    };
    if packed.len() > LONGEST_NAME {
        let expected = format!("rules that are shorter: compressed, at most {LONGEST_NAME} bytes");
        return Some(Err(Invalid::new(format!("{} bytes", packed.len()), expected)));
    }
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
        // A long name, which a page would repeat.
        let mut dice = foregone_rules::sample::Dice::new(1);
        let noise: String = (0..40_000).map(|_| char::from(b'a' + dice.below(26) as u8)).collect();
        let error = rules_of_name(&name_of_rules(&noise)).unwrap().unwrap_err();
        assert!(error.to_string().contains("at most 16384 bytes"), "{error}");
    }
}
