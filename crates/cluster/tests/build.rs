//! Tables built by several processes are those that one process builds, byte by byte.

mod common;

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::thread;
use std::time::Duration;

use foregone::games::{
    Awari, ConnectFour, DotsAndBoxes, FoxAndHounds, Kalah, Mnk, Nim, NineMensMorris,
    ThreeMensMorris,
};
use foregone::record::Values;
use foregone::record::disk::{Disk, Fault};
use foregone::record::write::{Parts, TableWriter, Target, unfinished};
use foregone::tables::{Failed, blueprint};
use foregone::{
    Game, Outcome, Side,
    promise::{Indexed, NoBank},
};
use foregone_cluster::{Ended, Files, Process, Watch};
use foregone_trial::{Folder, Graph, Hoard, game};

use common::{Case, bands, loops, on_demand};

/// Two ends of a connection.
fn pair() -> [TcpStream; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let one = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    [one, listener.accept().unwrap().0]
}

/// Two ends of a connection on which all arrives late, and in odd pieces.
fn slow_pair() -> [TcpStream; 2] {
    let [one, middle] = pair();
    let [other_middle, other] = pair();
    let ways = [(&middle, &other_middle), (&other_middle, &middle)];
    for (from, to) in ways.map(|(from, to)| (from.try_clone(), to.try_clone())) {
        let (mut from, mut to) = (from.unwrap(), to.unwrap());
        thread::spawn(move || {
            let mut bytes = [0; 1021];
            while let Ok(read @ 1..) = from.read(&mut bytes) {
                thread::sleep(Duration::from_millis(3));
                if to.write_all(&bytes[..read]).is_err() {
                    break;
                }
            }
            let _ = to.shutdown(Shutdown::Write);
        });
    }
    [one, other]
}

/// Connections between all pairs of some processes.
fn joined(processes: usize, pair: fn() -> [TcpStream; 2]) -> Vec<Vec<Option<TcpStream>>> {
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

/// Some processes with some workers each.
#[derive(Clone, Copy, Debug)]
struct Shape {
    processes: usize,
    threads: usize,
    /// Whether each process has a folder of its own.
    own: bool,
    /// How processes are connected.
    pair: fn() -> [TcpStream; 2],
}

impl Shape {
    const fn new(processes: usize, threads: usize) -> Shape {
        Shape { processes, threads, own: false, pair }
    }
}

impl<G: Indexed> Case<G> {
    /// What becomes of a build by several processes, of which `faulty` has a disk with a fault.
    fn together(
        &self,
        folder: &Folder,
        shape: Shape,
        faulty: Option<(usize, Disk)>,
    ) -> Vec<Result<(), Ended>> {
        let Shape { processes, threads, own, pair } = shape;
        let addresses: Vec<_> = (0..processes).map(|at| format!("host{at}:1")).collect();
        let weights: Vec<_> = (0..processes).map(|nth| 1.0 + nth as f64).collect();
        let lines: Vec<_> = (1..processes).map(|_| pair()).collect();
        let watches: Vec<_> = (0..processes).map(|me| Watch::new(me, &addresses)).collect();
        for (other, [one, two]) in (1..).zip(lines) {
            let _ = watches[0].line(other, one).unwrap();
            let _ = watches[other].line(0, two).unwrap();
        }
        let runs = joined(processes, pair).into_iter().zip(watches).enumerate();
        let runs = runs.map(|(me, (sockets, watch))| {
            let blueprint = blueprint(self.subject(), &self.technique, &self.plan).unwrap();
            let fault = faulty.as_ref().filter(|(at, _)| *at == me);
            let disk = fault.map_or(Disk::hasty(), |(_, disk)| disk.clone());
            let name = if own && me > 0 { format!("own{me}") } else { "table".to_owned() };
            let target = Target::on(disk, &folder.file(&name));
            let (id, print, values) = (blueprint.id, blueprint.fingerprint, blueprint.values);
            let files = match me {
                0 => TableWriter::locked(target, id, print, values)
                    .map(|writer| Files::first(writer, own)),
                _ => Parts::open(target, id, print, values).map(|parts| Files::other(parts, own)),
            };
            let weights = weights.clone();
            let process = move |files| Process { me, threads, weights, watch, files };
            thread::spawn(move || process(files?).build(blueprint, sockets))
        });
        let runs: Vec<_> = runs.collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    }

    fn check(&self) {
        let folder = Folder::new();
        let expected = self.alone(&folder);
        let shape = |(processes, threads, own)| Shape { own, ..Shape::new(processes, threads) };
        let shapes = [
            (1, 1, false),
            (1, 2, false),
            (2, 1, false),
            (2, 2, false),
            (3, 1, false),
            (2, 1, true),
            (3, 2, true),
        ];
        for shape in shapes.map(shape) {
            let folder = Folder::new();
            let ends = self.together(&folder, shape, None);
            assert!(ends.iter().all(Result::is_ok), "{shape:?} {ends:?}");
            let found = std::fs::read(folder.file("table")).unwrap();
            assert!(found == expected, "{shape:?}");
        }
    }
}

#[test]
fn positions_that_lead_to_lower_layers() {
    let distances = Values::ScoreDistance;
    on_demand(game::<ConnectFour>(&[("columns", "4"), ("rows", "3")]), distances).check();
    on_demand(game::<Mnk>(&[]), Values::Wdl).check();
    on_demand(game::<Nim>(&[("heaps", "2-3-4")]), distances).check();
    on_demand(game::<DotsAndBoxes>(&[("columns", "2"), ("rows", "2")]), Values::Score).check();
}

#[test]
fn bands_in_waves() {
    bands(game::<FoxAndHounds>(&[("size", "6")]), Values::ScoreDistance, None).check();
    let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
    bands(kalah, Values::Score, Some(14)).check();
}

#[test]
fn layers_in_which_play_can_loop() {
    loops(game::<ThreeMensMorris>(&[]), Values::ScoreDistance, u32::MAX).check();
    loops(game::<NineMensMorris>(&[]), Values::ScoreDistance, 3).check();
    loops(game::<Awari>(&[]), Values::ScoreRank, 5).check();
}

/// Games that list no predecessors, in which endless play is worth something, or points are banked.
#[test]
fn layers_of_random_games() {
    for seed in 0..4 {
        let graph = Graph::new(seed).with_endless(seed as i32 - 2);
        loops(graph, Values::ScoreDistance, u32::MAX).check();
        let hoard = Hoard::new(seed);
        loops(hoard, Values::ScoreRank, u32::MAX).check();
    }
}

/// A full disk at one process ends all, and says which it was; the same command goes on, and so does one
/// process alone.
#[test]
fn all_end_if_one_fails() {
    let case = on_demand(game::<Mnk>(&[]), Values::Wdl);
    let expected = case.alone(&Folder::new());
    for (own, alone) in [(false, false), (false, true), (true, false)] {
        let shape = Shape { own, ..Shape::new(2, 1) };
        for faulty in 0..2 {
            let folder = Folder::new();
            let disk = Disk::with_fault(40, Fault::Fails);
            let ends = case.together(&folder, shape, Some((faulty, disk)));
            let [own, other] = [faulty, 1 - faulty].map(|at| ends[at].as_ref().unwrap_err());
            let Ended::Failed(Failed::File(error)) = own else { panic!("{own:?}") };
            let Ended::Fault(fault) = other else { panic!("{other:?}") };
            let said = format!("process {faulty} (host{faulty}:1) says: {error}");
            assert_eq!(fault.to_string(), said);
            let found = match alone {
                true => case.alone_at(&folder.file("table")),
                false => {
                    let ends = case.together(&folder, shape, None);
                    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
                    std::fs::read(folder.file("table")).unwrap()
                }
            };
            assert!(found == expected);
        }
    }
}

/// Others, and more of them, go on with what one began; what was damaged meanwhile is built again.
#[test]
fn others_go_on() {
    let case = |layers| {
        let kalah = game::<Kalah>(&[("pits", "3"), ("stones", "3")]);
        bands(kalah, Values::Score, Some(layers))
    };
    let expected = case(14).alone(&Folder::new());
    let folder = Folder::new();
    let shape = |processes| Shape::new(processes, 1);
    // The layers are kept while the table cannot be written.
    let table = folder.file("table");
    std::fs::create_dir(&table).unwrap();
    for (layers, processes) in [(9, 1), (11, 3)] {
        let ends = case(layers).together(&folder, shape(processes), None);
        assert!(ends.iter().all(Result::is_err), "{ends:?}");
    }
    std::fs::remove_dir(&table).unwrap();
    // Layer 10 was written by three processes.
    let share = unfinished(&table).join("10.2.blocks");
    let mut bytes = std::fs::read(&share).unwrap();
    bytes[0] ^= 1;
    std::fs::write(&share, bytes).unwrap();
    let ends = case(14).together(&folder, shape(2), None);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    assert!(std::fs::read(&table).unwrap() == expected);
}

/// Parts in folders of their own belong to one number of processes.
#[test]
fn own_folders_are_not_mixed_up() {
    let case = on_demand(game::<Nim>(&[("heaps", "2-3-4")]), Values::ScoreDistance);
    let folder = Folder::new();
    std::fs::create_dir(folder.file("table")).unwrap();
    let own = |processes| Shape { own: true, ..Shape::new(processes, 1) };
    let ends = case.together(&folder, own(2), None);
    assert!(ends.iter().all(Result::is_err), "the table cannot be written");
    let ends = case.together(&folder, own(3), None);
    let said: Vec<_> = ends.into_iter().map(|end| end.unwrap_err().to_string()).collect();
    assert!(said.iter().any(|said| said.contains("by 2 processes")), "{said:?}");
}

/// Counts down from 9. In a worker it breaks at 5.
#[derive(Debug)]
struct Breaks;

impl Game for Breaks {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        9
    }

    fn turn(&self, state: &u32) -> Side {
        if state.is_multiple_of(2) { Side::Second } else { Side::First }
    }

    fn outcome(&self, state: &u32) -> Option<Outcome> {
        (*state == 0).then_some(Outcome(1))
    }

    fn moves(&self, state: &u32) -> impl Iterator<Item = u32> {
        let thread = thread::current();
        let works = thread.name().is_some_and(|name| name.starts_with("timely"));
        assert!(!works || *state != 5, "this is the error");
        std::iter::once(1)
    }

    fn play(&self, state: &u32, mv: u32) -> u32 {
        state - mv
    }
}

impl Indexed for Breaks {
    type Bank = NoBank;

    fn layers(&self) -> u32 {
        10
    }

    fn size(&self, _: u32) -> u64 {
        1
    }

    fn index(&self, state: &u32) -> (u32, u64) {
        (*state, 0)
    }

    fn state(&self, layer: u32, _: u64) -> Option<u32> {
        Some(layer)
    }
}

#[test]
fn a_worker_that_panics_ends_all() {
    let case = on_demand(Breaks, Values::ScoreDistance);
    let ends = case.together(&Folder::new(), Shape::new(2, 2), None);
    for end in ends {
        let said = end.unwrap_err().to_string();
        assert!(
            said.starts_with("process 1 (host1:1) has an internal error: a worker panicked"),
            "{said}"
        );
    }
}

#[test]
fn a_slow_network_changes_nothing() {
    let shape = Shape { pair: slow_pair, ..Shape::new(3, 1) };
    let kalah = bands(game::<Kalah>(&[("pits", "2"), ("stones", "2")]), Values::Score, None);
    let awari = loops(game::<Awari>(&[("stones", "1")]), Values::ScoreRank, 3);
    let folder = Folder::new();
    let ends = kalah.together(&folder, shape, None);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    assert!(std::fs::read(folder.file("table")).unwrap() == kalah.alone(&folder));
    let folder = Folder::new();
    let ends = awari.together(&folder, shape, None);
    assert!(ends.iter().all(Result::is_ok), "{ends:?}");
    assert!(std::fs::read(folder.file("table")).unwrap() == awari.alone(&folder));
}
