//! Native code plays as the plain interpreter does.

use foregone_text::{Loaded, SHIPPED, Text, with_game};
use foregone_trial::texts;

/// Compares native code with the interpreter; whether there is any.
fn hold(loaded: &Loaded, name: &str) -> bool {
    let is_compiled = with_game!(loaded, game => game.compile());
    assert_eq!(loaded.is_as_written().err(), None, "{name}");
    is_compiled
}

#[test]
fn native_code_plays_all_texts_as_the_interpreter() {
    foregone_jit::install();
    for shipped in SHIPPED {
        let text = Text::parse(shipped.source).unwrap();
        assert!(hold(&text.load(&[]).unwrap(), shipped.name), "{}", shipped.name);
    }
}

#[test]
fn native_code_plays_random_texts_as_the_interpreter() {
    foregone_jit::install();
    let mut compiled = 0;
    for seed in 0..150 {
        let text = texts::text(2_000_000 + seed);
        let Ok(loaded) = Text::parse(&text).and_then(|text| text.load(&[])) else { continue };
        compiled += u32::from(hold(&loaded, &text));
    }
    assert!(compiled > 100, "{compiled}");
}

/// Boards of more than 64 cells are left to the machine.
#[test]
fn large_boards_have_no_native_code() {
    foregone_jit::install();
    let text = "game Large\nboard 9 9\npiece stone X O\nstuck draws\nmove\n  choose at in empty\n  put stone on at\n";
    let loaded = Text::parse(text).unwrap().load(&[]).unwrap();
    assert!(!hold(&loaded, text));
}
