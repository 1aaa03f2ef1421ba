//! Rules as text, whatever they are: an error with a place, or a game that the machine plays as the interpreter does,
//! whose usual form is the same game.
//!
//! `cargo fuzz run rules`

#![no_main]

use foregone_rules::{Encode, Game, Merged, Notation};
use foregone_text::{Loaded, Text, TextGame, Word};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|source: &str| {
    match Text::parse(source) {
        Err(problems) => {
            assert!(problems.iter().next().is_some());
            let _ = problems.shown("x.rules");
        }
        Ok(text) => {
            let bare = Text::parse(&text.bare()).expect("the usual form is the same game");
            assert_eq!(bare.bare(), text.bare());
            let Ok(loaded) = text.load(&[]) else { return };
            // The machine, and what was derived, agree with the interpreter for some steps.
            if let Err(why) = loaded.is_as_written() {
                assert!(why.starts_with("no move is left"), "{why}");
            }
            match &loaded {
                Loaded::Small(game) => play(game),
                Loaded::Large(game) => play(game),
                Loaded::Wide(game) => play(game),
            }
        }
    }
});

/// The first moves, and some after each first one.
fn play<S: Word, const N: usize, const R: usize, const K: usize, const D: usize>(
    game: &TextGame<S, N, R, K, D>,
) {
    let start = game.start();
    for mv in game.moves(&start).take(8) {
        let mut state = game.play(&start, mv);
        for _ in 0..3 {
            let written = game.format(&state);
            assert_eq!(game.parse(&written).as_ref(), Ok(&state), "{written}");
            if game.bits() > 0 {
                let merged = Merged::of(game, &state).state;
                assert_eq!(game.decode(game.encode(&merged)), merged, "{written}");
            }
            if game.outcome(&state).is_some() {
                break;
            }
            let Some(mv) = game.moves(&state).last() else { break };
            state = game.play(&state, mv);
        }
    }
}
