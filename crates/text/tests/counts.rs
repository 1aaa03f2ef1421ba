//! The texts play as an independent program in Python does, which was written from their prose:
//! `checkers/texts.py` made the counts in counts.txt.

use foregone_rules::Game;
use foregone_text::{Loaded, Text, shipped};

/// The most lines of play of one length that are followed.
const MAX: u64 = 150_000;

/// The lines of play with each number of plies, and how many of them are over, as far as `expected`
/// goes and they are not too many.
fn counts<G: Game>(game: &G, expected: &[u64]) -> Vec<[u64; 2]> {
    let plies = expected.iter().take_while(|lines| **lines <= MAX).count();
    let mut counts = vec![[0, 0]; plies];
    fn follow<G: Game>(game: &G, state: &G::State, ply: usize, counts: &mut [[u64; 2]]) {
        let Some([lines, over]) = counts.get_mut(ply) else { return };
        *lines += 1;
        match game.outcome(state) {
            Some(_) => *over += 1,
            None => {
                for (_, next) in game.successors(state) {
                    follow(game, &next, ply + 1, counts);
                }
            }
        }
    }
    follow(game, &game.start(), 0, &mut counts);
    counts
}

#[test]
fn texts_play_as_an_independent_program_does() {
    let mut games = 0;
    for line in include_str!("counts.txt").lines() {
        let (game, lists) = line.split_once(": [").unwrap();
        let (name, given) = game.split_once('(').unwrap_or((game, ""));
        let given = given.trim_end_matches(')').split(',');
        let list = |text: &str| -> Vec<u64> {
            let numbers = text.trim_matches(['[', ']']).split(", ");
            numbers.map(|number| number.parse().unwrap()).collect()
        };
        let (lines, over) = lists.split_once("] [").unwrap();
        let (lines, over) = (list(lines), list(over));
        let source = shipped(name).unwrap().source;
        let given: Vec<_> = given.filter_map(|pair| pair.split_once('=')).collect();
        let found = match Text::parse(source).unwrap().load(&given).unwrap() {
            Loaded::Small(game) => counts(&game, &lines),
            Loaded::Large(game) => counts(&game, &lines),
            Loaded::Wide(game) => counts(&game, &lines),
        };
        assert!(found.len() > 2, "{game}");
        for (ply, counts) in found.into_iter().enumerate() {
            assert_eq!(counts, [lines[ply], over[ply]], "{game}, ply {ply}");
        }
        games += 1;
    }
    assert!(games > 35, "{games}");
}
