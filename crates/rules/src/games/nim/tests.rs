use super::*;
use crate::conform::Conform;
use crate::family::specification;
use crate::promise::Notation;

fn nim(heaps: &str) -> Result<Nim, Invalid> {
    Nim::create(&Args::new(&Nim::ABOUT, [("heaps", heaps), ("misere", "true")])?)
}

#[test]
fn keeps_its_promises() {
    for heaps in ["3-4-5", "5-1", "1", "0", "63", "2-2-2-2-2-2-2-2", "0-7-0"] {
        let game = nim(heaps).unwrap();
        assert_eq!(specification(&game), format!("nim(heaps={heaps},misere=true)"));
        let conform = Conform::new(&game).notation().picture().acyclic().symmetry();
        let conform = conform.encode().encode_merged();
        let report = conform.indexed().measured_numbers().finish();
        report.unwrap_or_else(|broken| panic!("{heaps}: {broken}"));
    }
}

#[test]
fn bad_texts_are_refused() {
    for wrong in ["", "-", "3-", "64", "3 4", "1-1-1-1-1-1-1-1-1", "+3", "a"] {
        assert!(nim(wrong).is_err(), "{wrong}");
    }
    let game = nim("3-4-5").unwrap();
    for wrong in ["3-4-5", "3-4 first", "4-4-5 first", "3-4-5 third", "3-4-5-0 first"] {
        assert!(game.parse(wrong).is_err(), "{wrong}");
    }
}
