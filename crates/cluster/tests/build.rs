//! Layers solved by several processes are those that one process solves.

use std::collections::BTreeMap;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use foregone::games::{ConnectFour, DotsAndBoxes, FoxAndHounds, Kalah, Mnk, Nim};
use foregone::record::{Table, Values};
use foregone::tables::kernel::{Bands, Kernel, Points};
use foregone::tables::{Failed, Plan, Subject, Technique, build};
use foregone::{Banded, Control, Indexed, Worth};
use foregone_cluster::{Build, Ended, Watch};
use foregone_trial::{Folder, game};

/// Two ends of a connection.
fn pair() -> [TcpStream; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    [one, listener.accept().unwrap().0]
}

/// Connections between all pairs of some processes.
fn joined(processes: usize) -> Vec<Vec<Option<TcpStream>>> {
    let mut all: Vec<Vec<Option<TcpStream>>> = Vec::new();
    for other in 0..processes {
        let pairs: Vec<_> = all.iter().map(|_| pair()).collect();
        let mut own = Vec::new();
        for (sockets, [one, two]) in all.iter_mut().zip(pairs) {
            sockets[other] = Some(one);
            own.push(Some(two));
        }
        own.resize_with(processes, || None);
        all.push(own);
    }
    all
}

/// By layer: the worths that occur, and by number the worth.
type Solved = BTreeMap<u32, (Vec<Worth>, BTreeMap<u64, Option<Worth>>)>;

/// Solves all layers of a game by some processes with some workers each.
fn solved<G: Indexed, K: Kernel + Send + 'static>(
    game: &'static G,
    kernel: impl Fn() -> K,
    layers: u32,
    weights: &[f64],
    threads: usize,
) -> Result<Solved, Vec<Ended>> {
    let all = Arc::new(Mutex::new(Solved::new()));
    let addresses: Vec<_> = (0..weights.len()).map(|at| format!("host{at}:1")).collect();
    let sockets = joined(weights.len());
    let runs = sockets.into_iter().enumerate().map(|(me, sockets)| {
        let (found, meaning) = (Arc::clone(&all), kernel());
        let build = Build {
            kernel: kernel(),
            after: Box::new(|layer| game.layers_after(layer)),
            layers: 0..layers,
            me,
            threads,
            weights: weights.to_vec(),
            watch: Watch::new(me, &addresses),
            finish: Box::new(move |finished| {
                let mut all = found.lock().unwrap();
                let (worths, cells) = all.entry(finished.layer).or_default();
                *worths = finished.worths.to_vec();
                for (first, row) in finished.held.rows() {
                    cells.extend((first..).zip(row.iter().map(|cell| meaning.worth(*cell))));
                }
                Ok(())
            }),
        };
        thread::spawn(move || build.run(sockets))
    });
    let runs: Vec<_> = runs.collect();
    let ends: Vec<_> = runs.into_iter().filter_map(|run| run.join().unwrap().err()).collect();
    match ends.is_empty() {
        true => Ok(Arc::into_inner(all).unwrap().into_inner().unwrap()),
        false => Err(ends),
    }
}

/// The number of processes and of workers of each.
const SHAPES: [(usize, usize); 5] = [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)];

fn check<G: Indexed, K: Kernel + Send + 'static>(
    game: &'static G,
    kernel: impl Fn() -> K,
    values: Values,
    layers: u32,
) {
    let folder = Folder::new();
    let plan = Plan { values, layers: Some(layers), threads: 1 };
    let (file, control) = (folder.file("table"), Control::default());
    let subject = Subject::new(game, "it");
    build(subject, &Technique::OnDemand, &file, &plan, &control, &mut |_, _| {}).unwrap();
    let table = Table::open(&file).unwrap();
    let layers = table.manifest().layers.len() as u32;
    for (processes, threads) in SHAPES {
        let weights: Vec<_> = (0..processes).map(|nth| 1.0 + nth as f64).collect();
        let solved = solved(game, &kernel, layers, &weights, threads).unwrap();
        for (number, part) in (0..layers).zip(&table.manifest().layers) {
            let (worths, cells) = &solved[&number];
            assert_eq!(*worths, part.worths(), "{processes}x{threads} layer {number}");
            let expected = table.layer(number).unwrap().into_iter();
            let expected = expected.map(|cell| Some(worths[usize::from(cell).checked_sub(1)?]));
            assert!(cells.values().copied().eq(expected), "{processes}x{threads} layer {number}");
        }
    }
}

fn check_points<G: Indexed + Sync>(game: G, values: Values) {
    let game: &'static G = Box::leak(Box::new(game));
    check(game, || Points { subject: Subject::new(game, "it"), values }, values, u32::MAX);
}

fn check_bands<G: Banded + Sync>(game: G, values: Values, layers: u32) {
    let game: &'static G = Box::leak(Box::new(game));
    let kernel = || Bands::<G, i16>::new(game, values, layers).unwrap();
    check(game, kernel, values, layers);
}

#[test]
fn processes_solve_what_one_solves() {
    let distances = Values::ScoreDistance;
    check_points(game::<ConnectFour>(&[("columns", "4"), ("rows", "3")]), distances);
    check_points(game::<Mnk>(&[]), Values::Wdl);
    check_points(game::<Nim>(&[("heaps", "2-3-4")]), distances);
    check_points(game::<DotsAndBoxes>(&[("columns", "2"), ("rows", "2")]), Values::Score);
    check_bands(game::<FoxAndHounds>(&[("size", "6")]), distances, u32::MAX);
    check_bands(game::<Kalah>(&[("pits", "3"), ("stones", "3")]), Values::Score, 14);
}

/// An error at one process ends all, and says which it was.
#[test]
fn all_end_if_one_fails() {
    let game: &'static Mnk = Box::leak(Box::new(game::<Mnk>(&[])));
    let addresses = ["host0:1", "host1:1"].map(str::to_owned);
    let mut ends = Vec::new();
    let mut sockets = joined(2);
    for (me, line) in pair().into_iter().enumerate() {
        let sockets = std::mem::take(&mut sockets[me]);
        let watch = Watch::new(me, &addresses);
        let _ = watch.line(1 - me, line).unwrap();
        let build = Build {
            kernel: Points { subject: Subject::new(game, "it"), values: Values::Wdl },
            after: Box::new(|layer| game.layers_after(layer)),
            layers: 0..game.layers(),
            me,
            threads: 1,
            weights: vec![1.0; 2],
            watch,
            finish: Box::new(move |finished| match (me, finished.layer) {
                (1, 4) => Err(Failed::Layers),
                _ => Ok(()),
            }),
        };
        ends.push(thread::spawn(move || build.run(sockets)));
    }
    let ends: Vec<_> = ends.into_iter().map(|end| end.join().unwrap().unwrap_err()).collect();
    assert!(matches!(&ends[1], Ended::Failed(Failed::Layers)), "{:?}", ends[1]);
    let Ended::Fault(fault) = &ends[0] else { panic!("{:?}", ends[0]) };
    assert_eq!(fault.to_string(), format!("process 1 (host1:1) says: {}", Failed::Layers));
}
