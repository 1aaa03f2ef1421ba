//! Feeds every parser of texts what people may type: game specifications, positions, moves. They may
//! refuse it, and what they accept they write so that it is read again as the same.
//!
//! `cargo fuzz run texts`

#![no_main]

use std::sync::LazyLock;

use foregone::Registry;
use libfuzzer_sys::fuzz_target;

static REGISTRY: LazyLock<Registry> = LazyLock::new(Registry::standard);

fuzz_target!(|input: (u8, String, String, String)| {
    let (kind, specification, position, moves) = input;
    let names: Vec<_> = REGISTRY.families().map(|about| about.name.clone()).collect();
    let name = &names[usize::from(kind) % names.len()];
    let _ = REGISTRY.game(&specification);
    let game = match REGISTRY.game(&format!("{name}({specification})")) {
        Ok(game) => {
            let again = REGISTRY.game(&game.specification()).expect("what it calls itself is read");
            assert_eq!(again.specification(), game.specification());
            game
        }
        Err(_) => REGISTRY.game(name).expect("every game has defaults"),
    };
    let Ok(session) = game.open(Some(&position), &moves) else {
        let _ = game.open(None, &moves);
        return;
    };
    let text = session.position();
    let again = game.open(Some(&text), "").expect("what it writes is read");
    assert_eq!(again.position(), text);
});
