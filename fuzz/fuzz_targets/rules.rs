//! Rules as text, whatever they are: an error with a place, or a game that begins.
//!
//! `cargo fuzz run rules`

#![no_main]

use foregone_text::Text;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match Text::parse(source) {
        Err(problems) => {
            assert!(problems.iter().next().is_some());
            let _ = problems.shown("x.rules");
        }
        Ok(text) => {
            if let Ok(game) = text.load(&[]) {
                assert!(!format!("{game:?}").is_empty());
            }
        }
    }
});
