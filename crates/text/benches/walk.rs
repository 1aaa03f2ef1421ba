//! How fast games from text are, beside the same games in Rust: walks through all positions up to a
//! depth, a node each. `cargo bench -p foregone-text`.
//!
//! docs/performance.md has the figures.

#![allow(missing_docs)]

use std::convert::Infallible;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use foregone_rules::games::{ConnectFour, Kalah, Mnk};
use foregone_rules::kit::Bits;
use foregone_rules::{Family, Game, Outcome, Side};
use foregone_text::{SHIPPED, Text, shipped, with_game};

fn main() {
    foregone_jit::install();
    divan::main();
}

/// The nodes below a position up to a depth, itself included. As a solver does, it looks at the
/// result of every position.
fn walk<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    let mut nodes = 1;
    let Ok(()) = game.each_successor(state, |_, next| {
        nodes += match black_box(game.outcome(next)) {
            None if depth > 1 => walk(game, next, depth - 1),
            _ => 1,
        };
        Ok::<(), Infallible>(())
    });
    nodes
}

/// Walks a game that was written as text, by the machine or by native code.
fn text(bencher: Bencher, (name, compiled): (&str, bool), depth: u32, nodes: u64) {
    let text = Text::parse(foregone_text::shipped(name).unwrap().source).unwrap();
    let bencher = bencher.counter(ItemsCount::new(nodes));
    with_game!(&text.load(&[]).unwrap(), game => {
        match compiled {
            true => assert!(game.compile()),
            false => game.stay(),
        }
        bencher.bench_local(|| assert_eq!(walk(black_box(game), &game.start(), depth), nodes));
    });
}

/// Walks a game in Rust.
fn native<G: Family>(bencher: Bencher, given: &[(&str, &str)], depth: u32, nodes: u64) {
    let game = G::with(given).unwrap();
    bencher
        .counter(ItemsCount::new(nodes))
        .bench_local(|| assert_eq!(walk(black_box(&game), &game.start(), depth), nodes));
}

#[divan::bench]
fn tic_tac_toe_in_rust(bencher: Bencher) {
    native::<Mnk>(bencher, &[], 9, 549_946);
}

#[divan::bench]
fn tic_tac_toe_as_text(bencher: Bencher) {
    text(bencher, ("tic-tac-toe", false), 9, 549_946);
}

#[divan::bench]
fn tic_tac_toe_compiled(bencher: Bencher) {
    text(bencher, ("tic-tac-toe", true), 9, 549_946);
}

#[divan::bench]
fn connect_four_in_rust(bencher: Bencher) {
    native::<ConnectFour>(bencher, &[], 7, 960_793);
}

#[divan::bench]
fn connect_four_as_text(bencher: Bencher) {
    text(bencher, ("connect-four", false), 7, 960_793);
}

#[divan::bench]
fn connect_four_compiled(bencher: Bencher) {
    text(bencher, ("connect-four", true), 7, 960_793);
}

#[divan::bench]
fn kalah_in_rust(bencher: Bencher) {
    native::<Kalah>(bencher, &[], 8, 702_867);
}

#[divan::bench]
fn kalah_as_text(bencher: Bencher) {
    text(bencher, ("kalah", false), 8, 702_867);
}

#[divan::bench]
fn kalah_compiled(bencher: Bencher) {
    text(bencher, ("kalah", true), 8, 702_867);
}

/// Breakthrough on 5x5, on the words of both sides: the board as bits, row 5 first.
struct Breakthrough;

const LEFT: u32 = 0x0010_8421;
const RIGHT: u32 = 0x0108_4210;

impl Game for Breakthrough {
    type State = ([u32; 2], Side);
    type Move = u16;

    fn start(&self) -> Self::State {
        ([0x3ff << 15, 0x3ff], Side::First)
    }
    fn turn(&self, &(_, side): &Self::State) -> Side {
        side
    }
    fn outcome(&self, &(men, _): &Self::State) -> Option<Outcome> {
        match men {
            [first, second] if first & 0x1f != 0 || second == 0 => Some(Outcome::win(Side::First)),
            [first, second] if second >> 20 != 0 || first == 0 => Some(Outcome::win(Side::Second)),
            _ => None,
        }
    }
    #[inline]
    fn moves(&self, &(men, side): &Self::State) -> impl Iterator<Item = u16> {
        let [own, other] = [men[side.index()], men[side.other().index()]];
        let ahead = move |set: u32| match side {
            Side::First => set >> 5,
            Side::Second => set << 5 & 0x1ff_ffff,
        };
        Bits(own).flat_map(move |from| {
            let man = 1 << from;
            let aside = (man & !LEFT) >> 1 | (man & !RIGHT) << 1;
            let to = ahead(man) & !other | ahead(aside);
            Bits(to & !own).map(move |to| u16::from(from) << 8 | u16::from(to))
        })
    }
    #[inline]
    fn play(&self, &(men, side): &Self::State, mv: u16) -> Self::State {
        let (from, to) = (1 << (mv >> 8), 1 << (mv & 0xff));
        let mut next = men.map(|men| men & !(from | to));
        next[side.index()] |= to;
        (next, side.other())
    }
}

#[divan::bench]
fn breakthrough_in_rust(bencher: Bencher) {
    bencher.counter(ItemsCount::new(315_006u64)).bench_local(|| {
        let game = black_box(&Breakthrough);
        assert_eq!(walk(game, &game.start(), 5), 315_006);
    });
}

#[divan::bench]
fn breakthrough_as_text(bencher: Bencher) {
    text(bencher, ("breakthrough", false), 5, 315_006);
}

#[divan::bench]
fn breakthrough_compiled(bencher: Bencher) {
    text(bencher, ("breakthrough", true), 5, 315_006);
}

/// Parsing, checking and compiling a text.
#[divan::bench(args = SHIPPED.iter().map(|text| text.name), max_time = 0.2)]
fn loading(bencher: Bencher, name: &str) {
    let source = shipped(name).unwrap().source;
    bencher.bench_local(|| Text::parse(black_box(source)).unwrap().load(&[]).unwrap());
}
