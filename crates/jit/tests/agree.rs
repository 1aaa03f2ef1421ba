//! Native code plays as the plain interpreter does.

use foregone_text::{Loaded, SHIPPED, Text, with_game};
use foregone_trial::texts;

/// Compares native code with the interpreter; whether there is any.
fn hold(loaded: &Loaded, name: &str) -> bool {
    let is_compiled = with_game!(loaded, game => game.compile());
    // Code that plays otherwise is never used, which would hide it here.
    assert!(
        is_compiled || with_game!(loaded, game => game.native_agrees()) != Some(false),
        "native code plays otherwise: {name}"
    );
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
    for seed in 0..200 {
        let text = texts::text(2_000_000 + seed);
        let Ok(loaded) = Text::parse(&text).and_then(|text| text.load(&[])) else { continue };
        compiled += u32::from(hold(&loaded, &text));
    }
    assert!(compiled > 130, "{compiled}");
}

/// What a statement changes may be what it is given: these cells are read before.
#[test]
fn pieces_change_sides_all_at_once() {
    foregone_jit::install();
    for put in [
        "put X on O",
        "put O on X",
        "put their man on mine",
        "put man on theirs",
        "put man on mine",
        "clear X",
        "clear mine",
        "put man on X | O",
    ] {
        let text = format!(
            "game P\nboard 3 2\npiece man X O\nstuck passes\n  score count(O)\nstart\n  put O on a1\n  put X on c2\nmove\n  \
             choose at in beside(mine) & empty\n  put man on at\n  choose n in 0..1\n  if n == 1\n    {put}\n"
        );
        let loaded = Text::parse(&text).unwrap().load(&[]).unwrap();
        assert!(hold(&loaded, &text));
    }
}

/// Boards of more than 64 cells are left to the machine.
#[test]
fn large_boards_have_no_native_code() {
    foregone_jit::install();
    let text = "game Large\nboard 9 9\npiece stone X O\nstuck draws\nmove\n  choose at in empty\n  put stone on at\n";
    let loaded = Text::parse(text).unwrap().load(&[]).unwrap();
    assert!(!hold(&loaded, text));
}
