//! The two halves solve what a build solves in one pass, whatever is at hand.

use std::fmt::Debug;
use std::sync::Arc;

use foregone_record::{Table, Values};
use foregone_rules::games::{ConnectFour, DotsAndBoxes, FoxAndHounds, Kalah, Mnk, Nim};
use foregone_rules::{Banded, Indexed};
use foregone_trial::{Folder, game};

use super::*;
use crate::control::Control;
use crate::subject::Subject;
use crate::tables::{Plan, Technique, build};

/// Cuts a layer into pieces of `each` numbers, of which every other one is at hand.
fn runs(run: u64) -> impl Fn(u32, u64) -> Vec<Piece> {
    move |_, size| {
        let first = (0..size).step_by(run as usize);
        let numbers = first.map(|first| (first, size.min(first + run)));
        numbers
            .zip(0..)
            .map(|((first, end), nth)| Piece { first, end, wave: 0, holder: nth % 2 })
            .collect()
    }
}

/// Solves by blocks: a block is at hand if its place is not divisible by `each`.
fn blocks<C: Cell>(kernel: &impl Kernel<C>, each: usize) -> impl Fn(u32, u64) -> Vec<Piece> {
    move |layer, _| {
        let mut pieces = layout(kernel.blocks(layer), &[1.0]);
        for (nth, piece) in pieces.iter_mut().enumerate() {
            (piece.wave, piece.holder) = (0, usize::from(nth.is_multiple_of(each)));
        }
        pieces
    }
}

/// A layer of which only some pieces are at hand.
fn some<C: Cell>(cells: &[C], pieces: Vec<Piece>) -> Held<C> {
    let held = Held::new(pieces, 0);
    while let Some(piece) = held.take(0) {
        let numbers = held.numbers(piece);
        held.keep(piece, cells[numbers.start as usize..numbers.end as usize].to_vec());
    }
    let mut meaning = cells.to_vec();
    meaning.sort_unstable();
    meaning.dedup();
    held.finish(meaning)
}

/// Solves the layers in halves, and compares them with a table. The number of cells that were asked for.
fn check<C: Cell + Debug>(
    kernel: &impl Kernel<C>,
    table: &Table,
    hidden: C,
    cut: impl Fn(u32, u64) -> Vec<Piece>,
) -> usize {
    let mut layers: Vec<Vec<C>> = Vec::new();
    let mut lower: Vec<Arc<Held<C>>> = Vec::new();
    let mut asked = 0;
    for (number, part) in (0..).zip(&table.manifest().layers) {
        layers.push(vec![hidden; part.size as usize]);
        let blocks = kernel.blocks(number);
        for wave in blocks.chunk_by(|one, next| one.wave == next.wave) {
            let solved = wave.iter().map(|block| {
                // Nothing of this layer is at hand.
                let here = Arc::new(Held::new(cut(number, part.size), usize::MAX));
                let view = View::new((0..).zip(lower.iter().cloned().chain([here])));
                let numbers = block.numbers.clone();
                let (begun, asks) = kernel.begin(number, numbers.clone(), &view).unwrap();
                let wanted = asks.iter().flat_map(|ask| {
                    let numbers = (ask.first..).step_by(ask.step as usize).take(ask.len as usize);
                    numbers.map(|number| (ask.layer as usize, number as usize))
                });
                let answers: Vec<_> = wanted.map(|(layer, number)| layers[layer][number]).collect();
                asked += answers.len();
                (numbers.start, begun.end(&answers, &view).unwrap())
            });
            let solved: Vec<_> = solved.collect();
            for (start, cells) in solved {
                cells.iter().for_each(|cell| kernel.check(*cell).unwrap());
                layers[number as usize][start as usize..][..cells.len()].copy_from_slice(&cells);
            }
        }
        let expected = table.layer(number).unwrap();
        let worths = part.worths();
        for (cell, expected) in layers[number as usize].iter().zip(expected) {
            let expected = usize::from(expected).checked_sub(1).map(|at| worths[at]);
            assert_eq!(kernel.worth(*cell), expected, "layer {number}");
            assert_eq!(kernel.cell(expected).unwrap(), *cell);
        }
        lower.push(Arc::new(some(&layers[number as usize], cut(number, part.size))));
    }
    asked
}

/// Cells come back from answers, whatever is asked.
fn check_answers<C: Cell + Debug>(cells: &[C]) {
    let pieces = [(0, 7), (7, 8), (8, cells.len() as u64)];
    let piece = |(first, end)| Piece { first, end, wave: 0, holder: 0 };
    let held = || {
        let held = Held::new(pieces.map(piece).to_vec(), 0);
        while let Some(piece) = held.take(0) {
            let numbers = held.numbers(piece);
            held.keep(piece, cells[numbers.start as usize..numbers.end as usize].to_vec());
        }
        held
    };
    let mut meaning = cells.to_vec();
    meaning.sort_unstable();
    meaning.dedup();
    let size = cells.len() as u64;
    for held in [held(), held().finish(meaning)] {
        assert!(held.cell(size).is_none());
        assert!(cells.iter().zip(0..).all(|(cell, number)| held.cell(number) == Some(*cell)));
        let mut bytes = Vec::new();
        for (first, step) in [(0, 1), (3, 1), (0, 3), (6, 2), (size - 1, 9)] {
            let len = (size - first).div_ceil(step);
            bytes.clear();
            assert!(held.answer(&Ask { layer: 0, step, first, len }, &mut bytes));
            let (mut received, mut rest) = (vec![cells[0]; len as usize], &bytes[..]);
            assert!(held.received(&mut rest, &mut received));
            let expected: Vec<_> =
                cells[first as usize..].iter().step_by(step as usize).copied().collect();
            assert_eq!((received, rest), (expected, &[][..]));
            let mut received = vec![cells[0]; len as usize];
            assert!(!held.received(&mut &bytes[1..], &mut received));
            // More than there is.
            for len in [len + 1, u64::MAX] {
                assert!(!held.answer(&Ask { layer: 0, step, first, len }, &mut Vec::new()));
            }
        }
    }
}

#[test]
fn answers_are_what_was_asked_for() {
    check_answers(&(-50..100).rev().collect::<Vec<i8>>());
    check_answers(&(0..1000).map(|at| at % 130 - 64).collect::<Vec<i16>>());
    check_answers(&(0..1000).map(|at| at % 700 - 350).collect::<Vec<i16>>());
    check_answers(&(0..1000).map(|at| (at % 200) << 9).collect::<Vec<u32>>());
    check_answers(&(0..1000).map(|at| (at % 500) << 9).collect::<Vec<u32>>());
}

fn table<G: Indexed>(game: &G, how: &Technique<G>, values: Values, layers: u32) -> Table {
    let folder = Folder::new();
    let plan = Plan { values, layers: Some(layers), threads: 1, all: false };
    let (file, control) = (folder.file("table"), Control::default());
    build(Subject::new(game, "it"), how, &file, &plan, &control, &mut |_, _| {}).unwrap();
    Table::open(&file).unwrap()
}

fn check_points<G: Indexed>(game: &G, values: Values) {
    let table = table(game, &Technique::OnDemand, values, u32::MAX);
    assert!((0..game.layers()).all(|layer| !game.layers_after(layer).contains(&layer)));
    let kernel = Points { subject: Subject::new(game, "it"), values };
    let asked = [1, 7].map(|run| check(&kernel, &table, 0, runs(run)));
    assert!(asked[1] > 0 && asked[0] > 0, "{asked:?}");
}

fn check_bands<G: Banded>(game: &G, values: Values, layers: u32) {
    let table = table(game, &Technique::OnDemand, values, layers);
    let mut asked = 0;
    for each in [1, 2, 5] {
        if let Some(kernel) = Bands::<G, i8>::new(game, values, layers) {
            asked += check(&kernel, &table, i8::MIN, blocks(&kernel, each));
        }
        let kernel = Bands::<G, i16>::new(game, values, layers).unwrap();
        asked += check(&kernel, &table, i16::MIN, blocks(&kernel, each));
    }
    assert!(asked > 0);
}

#[test]
fn halves_solve_what_one_pass_solves() {
    for values in [Values::Wdl, Values::ScoreDistance] {
        check_points(&game::<ConnectFour>(&[("columns", "3"), ("rows", "4")]), values);
        check_points(&game::<Mnk>(&[]), values);
        check_points(&game::<Nim>(&[("heaps", "2-3-4")]), values);
        for size in ["4", "6"] {
            check_bands(&game::<FoxAndHounds>(&[("size", size)]), values, u32::MAX);
        }
    }
    let boxes = [("columns", "2"), ("rows", "2")];
    check_points(&game::<DotsAndBoxes>(&boxes), Values::Score);
    for capture in ["always", "nonempty"] {
        let given = [("pits", "4"), ("stones", "3"), ("capture", capture)];
        check_bands(&game::<Kalah>(&given), Values::Score, 9);
    }
}

#[test]
fn rows_are_joined() {
    let ask = |first, step, len| Ask { layer: 1, step, first, len };
    let rows =
        [ask(9, 1, 1), ask(3, 1, 3), ask(6, 1, 2), ask(4, 1, 1), ask(0, 5, 3), ask(10, 5, 2)];
    let (asks, begins) = joined(&rows);
    assert_eq!(asks, [ask(3, 1, 5), ask(9, 1, 1), ask(0, 5, 4)]);
    assert_eq!(begins, [5, 0, 3, 1, 6, 8]);
    assert_eq!(joined(&[]), (Vec::new(), Vec::new()));
}
