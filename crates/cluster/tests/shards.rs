//! Tables that tasks build shard by shard are those that one process builds, byte by byte.

mod common;

use std::fs;

use foregone::games::{ConnectFour, FoxAndHounds, Kalah, Mnk, Nim, NineMensMorris};
use foregone::record::Values;
use foregone::record::write::{Parts, TableWriter, unfinished};
use foregone::tables::{blueprint, build_layer};
use foregone::{Control, promise::Indexed};
use foregone_cluster::{Broken, Step, Tasks, steps};
use foregone_trial::{Folder, game};

use common::{Case, bands, loops, on_demand};

impl<G: Indexed> Case<G> {
    /// Does something as a task of its own.
    fn task<T>(&self, folder: &Folder, work: impl FnOnce(&Tasks<'_>, &Parts) -> T) -> T {
        let blueprint = blueprint(self.subject(), &self.technique, &self.plan).unwrap();
        let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
        let parts = Parts::open(&folder.file("table"), id, print, values).unwrap();
        let tasks = Tasks { blueprint: &blueprint, threads: 2, control: &Control::default() };
        work(&tasks, &parts)
    }

    fn join(&self, folder: &Folder, layer: u32) -> Result<bool, Broken> {
        self.task(folder, |tasks, parts| {
            let foregone::tables::kernel::Blueprint { id, fingerprint, values, .. } =
                *tasks.blueprint;
            let file = folder.file("table");
            let writer = TableWriter::of_layer(&file, id, fingerprint, values, layer, &[]);
            let joined = tasks.join(&mut writer?, layer);
            assert!(joined.is_err() || parts.shards(layer)?.is_empty());
            joined
        })
    }

    fn shard(
        &self,
        folder: &Folder,
        at: (u32, Option<u32>),
        shard: (usize, usize),
    ) -> Result<bool, Broken> {
        self.task(folder, |tasks, parts| tasks.solve(parts, at, shard))
    }

    fn whole(&self, folder: &Folder, layer: u32) {
        let (file, control) = (folder.file("table"), Control::default());
        build_layer(self.subject(), &self.technique, &file, &self.plan, layer, &control).unwrap();
    }

    /// Builds the table by tasks, `of` in each step at most.
    fn by_tasks(&self, folder: &Folder, of: usize) {
        let blueprint = blueprint(self.subject(), &self.technique, &self.plan).unwrap();
        for step in steps(&blueprint) {
            match step {
                Step::Whole { layer } => self.whole(folder, layer),
                Step::Shards { layer, wave } => {
                    // In an odd order.
                    for place in (0..of).rev() {
                        let solved = self.shard(folder, (layer, Some(wave)), (place, of)).unwrap();
                        assert!(solved);
                    }
                }
                Step::Join { layer } => assert!(self.join(folder, layer).unwrap()),
            }
        }
        self.finish(folder);
    }

    /// Puts the table together.
    fn finish(&self, folder: &Folder) {
        let blueprint = blueprint(self.subject(), &self.technique, &self.plan).unwrap();
        let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
        let writer = TableWriter::open(&folder.file("table"), id, print, values).unwrap();
        writer.finish(blueprint.layers).unwrap();
    }

    fn check(&self) {
        let expected = self.alone(&Folder::new());
        for of in [1, 3] {
            let folder = Folder::new();
            self.by_tasks(&folder, of);
            assert!(fs::read(folder.file("table")).unwrap() == expected, "{of}");
        }
    }
}

#[test]
fn positions_that_lead_to_lower_layers() {
    let distances = Values::ScoreDistance;
    on_demand(game::<ConnectFour>(&[("columns", "4"), ("rows", "3")]), distances).check();
    on_demand(game::<Mnk>(&[]), Values::Wdl).check();
}

#[test]
fn bands_in_waves() {
    bands(game::<FoxAndHounds>(&[("size", "6")]), Values::ScoreDistance, None).check();
    let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
    bands(kalah, Values::Score, Some(14)).check();
}

/// Layers in which play can loop are solved whole.
#[test]
fn layers_in_which_play_can_loop() {
    let morris = loops(game::<NineMensMorris>(&[]), Values::ScoreDistance, 2);
    morris.check();
    let folder = Folder::new();
    let refused = morris.shard(&folder, (0, None), (0, 2));
    assert!(matches!(refused, Err(Broken::Whole(0))), "{refused:?}");
}

/// What is missing is named; what is done is not done again; what is damaged is.
#[test]
fn tasks_in_any_order_and_again() {
    let bands_of = |layers| {
        let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
        bands(kalah, Values::Score, Some(layers))
    };
    let case = bands_of(8);
    let folder = Folder::new();
    let said = |broken: Result<bool, Broken>| broken.unwrap_err().to_string();
    for layer in 0..5 {
        case.whole(&folder, layer);
        case.whole(&folder, layer);
    }
    assert_eq!(said(case.shard(&folder, (8, None), (0, 2))), "the table has only layers 0 to 7");
    let waves = said(case.shard(&folder, (5, None), (0, 2)));
    assert!(waves.starts_with("layer 5 has ") && waves.contains("--wave"), "{waves}");
    let count: u32 =
        waves.split(' ').find_map(|word| word.parse().ok().filter(|n| *n > 5)).unwrap();
    assert!(matches!(case.join(&folder, 5), Err(Broken::Unsolved(5))));
    assert!(case.shard(&folder, (5, Some(0)), (1, 2)).unwrap());
    assert_eq!(said(case.join(&folder, 5)), "of layer 5, shard 0/2 of wave 0 is missing");
    // Later waves lead to earlier ones.
    let early = (1..count).rev().find_map(|wave| {
        case.shard(&folder, (5, Some(wave)), (0, 1)).err().map(|broken| broken.to_string())
    });
    let early = early.unwrap();
    assert!(early.contains("is not solved: solve the waves before it first"), "{early}");
    assert!(!case.shard(&folder, (5, Some(0)), (1, 2)).unwrap(), "it is solved already");
    let file = unfinished(&folder.file("table")).join("5.0.1-of-2.cells");
    let mut bytes = fs::read(&file).unwrap();
    let middle = bytes.len() - 20;
    bytes[middle] ^= 1;
    fs::write(&file, &bytes).unwrap();
    assert!(case.shard(&folder, (5, Some(0)), (1, 2)).unwrap(), "it was damaged");
    let all = (0..count).flat_map(|wave| [(wave, 0), (wave, 1)]);
    let solved =
        all.filter(|(wave, place)| case.shard(&folder, (5, Some(*wave)), (*place, 2)).unwrap());
    assert_eq!(solved.count() as u32, 2 * count - 1);
    // The cells themselves are checked when they are read.
    let mut bytes = fs::read(&file).unwrap();
    bytes[1] ^= 1;
    fs::write(&file, &bytes).unwrap();
    let damaged = said(case.join(&folder, 5));
    assert!(damaged.contains("5.0.1-of-2.cells is damaged"), "{damaged}");
    assert!(case.shard(&folder, (5, Some(0)), (1, 2)).unwrap(), "it is solved again");
    assert!(case.join(&folder, 5).unwrap());
    // So is a layer that was damaged when it was finished.
    assert!(!case.shard(&folder, (5, Some(0)), (0, 1)).unwrap());
    let file = unfinished(&folder.file("table")).join("5.0.blocks");
    let mut bytes = fs::read(&file).unwrap();
    bytes[1] ^= 1;
    fs::write(&file, &bytes).unwrap();
    assert_eq!(
        said(case.join(&folder, 5)),
        "layer 5 is not solved, or damaged: `foregone table steps` lists the tasks"
    );
    for wave in 0..count {
        assert!(case.shard(&folder, (5, Some(wave)), (0, 1)).unwrap());
    }
    assert!(case.join(&folder, 5).unwrap());
    // What is solved of higher layers stays when a table of fewer layers is put together.
    assert!(case.shard(&folder, (6, Some(0)), (0, 2)).unwrap());
    bands_of(6).finish(&folder);
    let layers = said(bands_of(7).shard(&folder, (6, Some(0)), (0, 2)));
    assert!(layers.contains("for a table of 8 layers, not 7"), "{layers}");
    assert!(!case.shard(&folder, (6, Some(0)), (0, 2)).unwrap(), "it is still there");
    // A table of another game has other shards.
    let nim = on_demand(game::<Nim>(&[("heaps", "2-3-4")]), Values::ScoreDistance);
    let other = Folder::new();
    assert!(nim.shard(&other, (0, None), (0, 1)).unwrap());
    assert_eq!(
        said(nim.shard(&other, (1, None), (0, 1))),
        "layer 0 is not finished, and moves lead to it: solve and join it first"
    );
    assert!(nim.join(&other, 0).unwrap());
    assert!(!nim.join(&other, 0).unwrap(), "it is joined already");
}
