//! The two halves solve what a build solves in one pass, whatever is at hand.

use std::fmt::Debug;

use foregone_record::{Table, Values};
use foregone_rules::games::{ConnectFour, DotsAndBoxes, FoxAndHounds, Kalah, Mnk, Nim};
use foregone_rules::{Banded, Indexed};
use foregone_trial::{Folder, game};

use super::*;
use crate::control::Control;
use crate::subject::Subject;
use crate::tables::{Plan, Technique, build};

/// All cells so far, of which only some are at hand: of each run of numbers, every other one.
struct Half<'a, C> {
    layers: &'a [Vec<C>],
    run: u64,
}

impl<C: Cell> AtHand<C> for Half<'_, C> {
    fn cell(&self, layer: u32, number: u64) -> Option<C> {
        self.row(layer, number, 1).map(|row| row[0])
    }

    fn row(&self, layer: u32, first: u64, len: u64) -> Option<&[C]> {
        let runs = [first, first + len - 1].map(|number| number / self.run);
        let here = runs[0] == runs[1] && runs[0].is_multiple_of(2);
        let range = first as usize..(first + len) as usize;
        here.then(|| &self.layers[layer as usize][range])
    }
}

/// Solves the layers in halves, and compares them with a table. The number of cells that were asked for.
fn check<K: Kernel>(kernel: &K, table: &Table, hidden: K::Cell, run: u64) -> usize
where
    K::Cell: Debug,
{
    let mut layers: Vec<Vec<K::Cell>> = Vec::new();
    let mut asked = 0;
    for (number, part) in (0..).zip(&table.manifest().layers) {
        layers.push(vec![hidden; part.size as usize]);
        let blocks = kernel.blocks(number);
        for wave in blocks.chunk_by(|one, next| one.wave == next.wave) {
            let solved = wave.iter().map(|block| {
                let hand = Half { layers: &layers, run };
                let part = block.numbers.clone();
                let (begun, asks) = kernel.begin(number, part.clone(), &hand).unwrap();
                let numbers = asks.iter().flat_map(|ask| {
                    let numbers = (ask.first..).step_by(ask.step as usize).take(ask.len as usize);
                    numbers.map(|number| (ask.layer as usize, number as usize))
                });
                let answers: Vec<_> =
                    numbers.map(|(layer, number)| layers[layer][number]).collect();
                asked += answers.len();
                // They go on their way as bytes.
                let mut bytes = Vec::new();
                K::Cell::put(&answers, &mut bytes);
                assert_eq!(bytes.len(), answers.len() * K::Cell::BYTES);
                let mut answers = Vec::new();
                K::Cell::take(&bytes, &mut answers);
                (part.start, kernel.end(number, part, begun, &answers, &hand).unwrap())
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
        }
    }
    asked
}

fn table<G: Indexed>(game: &G, how: &Technique<G>, values: Values, layers: u32) -> Table {
    let folder = Folder::new();
    let plan = Plan { values, layers: Some(layers), threads: 1 };
    let (file, control) = (folder.file("table"), Control::default());
    build(Subject::new(game, "it"), how, &file, &plan, &control, &mut |_, _| {}).unwrap();
    Table::open(&file).unwrap()
}

fn check_points<G: Indexed>(game: &G, values: Values) {
    let table = table(game, &Technique::OnDemand, values, u32::MAX);
    assert!((0..game.layers()).all(|layer| !game.layers_after(layer).contains(&layer)));
    let kernel = Points { subject: Subject::new(game, "it"), values };
    let asked = [1, 7].map(|run| check(&kernel, &table, 0, run));
    assert!(asked[1] > 0 && asked[0] > 0, "{asked:?}");
}

fn check_bands<G: Banded>(game: &G, values: Values, layers: u32) {
    let table = table(game, &Technique::OnDemand, values, layers);
    let mut asked = 0;
    for run in [1, 100, 10_000] {
        if let Some(kernel) = Bands::<G, i8>::new(game, values, layers) {
            asked += check(&kernel, &table, i8::MIN, run);
        }
        let kernel = Bands::<G, i16>::new(game, values, layers).unwrap();
        asked += check(&kernel, &table, i16::MIN, run);
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
