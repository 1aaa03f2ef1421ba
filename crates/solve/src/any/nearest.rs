//! The nearest word, for error messages.

/// A question with the word nearest to `text`; empty if none is near.
pub fn did_you_mean(text: &str, words: &[&str]) -> String {
    let likeness = |word: &&&str| (strsim::jaro_winkler(text, word) * 1e6) as u64;
    match words.iter().max_by_key(likeness) {
        Some(word) if likeness(&word) > 750_000 => format!("; did you mean `{word}`?"),
        _ => String::new(),
    }
}
