//! Tables of numbered positions in the small: what is held in memory, what is found first, and what is
//! counted.

mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use foregone_check::{
    Count, Counts, Coverage, Effort, Fault, Flaw, Unshown, Verdict, dense, plain,
};
use foregone_record::format::checksum::Checksum;
use foregone_record::read::{Bytes, Source};
use foregone_record::{Error, Listed, Table, Values};
use foregone_rules::Measure;
use foregone_rules::{Acyclic, Distance, Game, Indexed, NoBank, Outcome, Side, Value, Worth};
use foregone_trial::Forged;
use serde_json::json;

use common::shared_verdicts;

/// A stair: each move goes one step down and stays in its column, until the ground is reached. There
/// the columns are won, drawn and lost in turn.
struct Stair {
    steps: u32,
    columns: u64,
}

type Place = (u32, u64);

impl Game for Stair {
    type State = Place;
    type Move = u8;

    fn start(&self) -> Place {
        (self.steps - 1, 0)
    }
    fn turn(&self, _: &Place) -> Side {
        Side::First
    }
    fn outcome(&self, (step, column): &Place) -> Option<Outcome> {
        (*step == 0).then_some(Outcome((column % 3) as i32 - 1))
    }
    fn moves(&self, _: &Place) -> impl Iterator<Item = u8> {
        0..1
    }
    fn play(&self, (step, column): &Place, _: u8) -> Place {
        (step - 1, *column)
    }
}

impl Acyclic for Stair {
    fn progress(&self, (step, _): &Place) -> u32 {
        self.steps - step
    }
}

impl Indexed for Stair {
    type Bank = NoBank;

    fn layers(&self) -> u32 {
        self.steps
    }
    fn size(&self, _: u32) -> u64 {
        self.columns
    }
    fn index(&self, place: &Place) -> (u32, u64) {
        *place
    }
    fn state(&self, layer: u32, index: u64) -> Option<Place> {
        (index < self.columns).then_some((layer, index))
    }
    fn layers_after(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }
}

type Cells = Vec<Vec<Option<Worth>>>;

/// The true table.
fn cells(game: &Stair) -> Cells {
    let worth =
        |step, column| Some(Worth::new(Value((column % 3) as i32 - 1), Distance::Plies(step)));
    (0..game.steps).map(|step| (0..game.columns).map(|c| worth(step, c)).collect()).collect()
}

fn bytes(layers: &Cells, values: Values) -> Vec<u8> {
    let (game, fingerprint) = ("game", Checksum(0));
    Forged { game, fingerprint, values, layers, keys: None, proof: None }.bytes()
}

fn table(layers: &Cells) -> Table {
    Table::read(Bytes(bytes(layers, Values::ScoreDistance))).unwrap()
}

fn verdict(game: &Stair, table: &Table, threads: usize) -> Verdict<Place> {
    let effort = Effort { threads, ..Effort::default() };
    dense::check(game, table, None, effort, &|_| true).unwrap()
}

/// Bytes that count how often they are read.
struct Counted(Vec<u8>, Arc<AtomicU64>);

impl Source for Counted {
    fn size(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }
    fn read(&self, offset: u64, bytes: &mut [u8]) -> std::io::Result<()> {
        self.1.fetch_add(1, Ordering::Relaxed);
        Bytes(&self.0).read(offset, bytes)
    }
}

/// Which layers were held in memory: of the others a block was looked up and kept, and asking for it
/// again reads nothing.
fn held(memory: u64) -> Vec<bool> {
    let game = Stair { steps: 4, columns: 50 };
    let reads = Arc::new(AtomicU64::new(0));
    let source = Counted(bytes(&cells(&game), Values::ScoreDistance), reads.clone());
    let table = Table::read(source).unwrap();
    let effort = Effort { memory, ..Effort::default() };
    assert!(dense::check(&game, &table, None, effort, &|_| true).unwrap().is_right());
    let held = |layer| {
        let before = reads.load(Ordering::Relaxed);
        table.get(layer, 0).unwrap();
        reads.load(Ordering::Relaxed) > before
    };
    (0..4).map(held).collect()
}

/// Layers are held as far as they fit, and let go of when no more moves lead there; the verdict is the
/// same.
#[test]
fn layers_in_memory() {
    // Each has 50 cells of two bytes; two are needed at a time.
    assert_eq!(held(200), [true; 4]);
    assert_eq!(held(199), [true, false, true, false]);
    assert_eq!(held(100), [true, false, true, false]);
    assert_eq!(held(99), [false; 4]);
    assert_eq!(held(0), [false; 4]);
}

/// Threads take parts; whatever they find first, the flaw with the lowest number is told.
#[test]
fn the_first_flaw_is_told() {
    let game = Stair { steps: 2, columns: 20_000 };
    let right = cells(&game);
    let counts = |threads| match verdict(&game, &table(&right), threads) {
        Verdict::Right(counts) => counts,
        other => panic!("{other:?}"),
    };
    let each = Count { losses: 6_667, draws: 6_667, wins: 6_666, endless: 0 };
    for threads in [0, 1, 2, 5] {
        assert_eq!(counts(threads), Counts { layers: vec![each; 2] });
    }
    for flaws in [&[5, 4095][..], &[4095, 19_999], &[4096, 19_999], &[19_999], &[9_000, 17_000]] {
        let mut wrong = right.clone();
        flaws.iter().for_each(|at| wrong[1][*at] = Some(Worth::endless(Value(0))));
        for threads in [1, 2] {
            let Verdict::False(Flaw::Entry {
                place,
                position,
                fault: Fault::Wrong { stored, derived, .. },
            }) = verdict(&game, &table(&wrong), threads)
            else {
                panic!("{flaws:?} was not found");
            };
            let at = flaws[0] as u64;
            if threads == 1 || flaws[0] < 4096 {
                assert_eq!((place, position), (Some((1, at)), Some((1, at))));
            }
            assert_eq!(stored, Worth::endless(Value(0)));
            assert_eq!(derived.distance(), Distance::Plies(1));
        }
        // All checkers that share the work report it.
        let alone = verdict(&game, &table(&wrong), 1);
        for shared in shared_verdicts(&game, None, &table(&wrong), 4) {
            assert_eq!(shared, alone);
        }
    }
}

#[test]
fn entries_of_no_position_and_positions_without_an_entry() {
    let game = Stair { steps: 3, columns: 7 };
    let mut without = cells(&game);
    without[1][4] = None;
    let (place, position) = (Some((1, 4)), Some((1, 4)));
    let flaw = Flaw::Entry { place, position, fault: Fault::Missing };
    assert_eq!(verdict(&game, &table(&without), 1), Verdict::False(flaw));
    // The number of a layer's positions is by the rules.
    for columns in [6, 8] {
        let other = cells(&Stair { steps: 3, columns });
        let checked = dense::check(&game, &table(&other), None, Effort::default(), &|_| true);
        assert!(
            matches!(checked, Err(Error::Damaged(why)) if why.contains("does not have the size"))
        );
    }
    let more = cells(&Stair { steps: 4, columns: 7 });
    let checked = dense::check(&game, &table(&more), None, Effort::default(), &|_| true);
    assert!(
        matches!(checked, Err(Error::Damaged(why)) if why.contains("4 layers, and the game has 3"))
    );
    // Fewer layers are a table of fewer.
    let mut fewer = cells(&game);
    fewer.pop();
    let coverage = |layers: &Cells| dense::coverage(&game, &table(layers));
    assert_eq!(coverage(&fewer), Coverage { layers: 2, of: 3, start: false, listed: Listed::All });
    assert_eq!(
        coverage(&cells(&game)),
        Coverage { layers: 3, of: 3, start: true, listed: Listed::All }
    );
    assert!(verdict(&game, &table(&fewer), 1).is_right());
    let plainly = plain::check_dense(&game, &table(&fewer), None, Effort::default(), &|_| true);
    let Ok(Verdict::Right(counts)) = plainly else { panic!("{plainly:?}") };
    assert_eq!(counts.layers.iter().map(|count| count.positions()).collect::<Vec<_>>(), [1, 1]);
}

/// Values alone are shown by a lower layer, or by the game's measure; the first place where neither is
/// seen is told.
#[test]
fn progress() {
    /// All steps in one layer.
    struct Flat(Stair);
    impl Game for Flat {
        type State = Place;
        type Move = u8;
        fn start(&self) -> Place {
            self.0.start()
        }
        fn turn(&self, state: &Place) -> Side {
            self.0.turn(state)
        }
        fn outcome(&self, state: &Place) -> Option<Outcome> {
            self.0.outcome(state)
        }
        fn moves(&self, state: &Place) -> impl Iterator<Item = u8> {
            self.0.moves(state)
        }
        fn play(&self, state: &Place, mv: u8) -> Place {
            self.0.play(state, mv)
        }
    }
    impl Indexed for Flat {
        type Bank = NoBank;
        fn layers(&self) -> u32 {
            1
        }
        fn size(&self, _: u32) -> u64 {
            u64::from(self.0.steps) * self.0.columns
        }
        fn index(&self, (step, column): &Place) -> (u32, u64) {
            (0, u64::from(*step) * self.0.columns + column)
        }
        fn state(&self, _: u32, index: u64) -> Option<Place> {
            Some(((index / self.0.columns) as u32, index % self.0.columns))
        }
    }
    let game = Stair { steps: 3, columns: 6 };
    let kept = |cells: Cells| -> Cells {
        let keep = |worth: Option<Worth>| worth.map(|worth| Values::Score.keep(worth, Value(0)));
        cells.into_iter().map(|layer| layer.into_iter().map(keep).collect()).collect()
    };
    let layers = kept(cells(&game));
    let read = |layers: &Cells| Table::read(Bytes(bytes(layers, Values::Score))).unwrap();
    let effort = Effort::default();
    // Every move leads to a lower layer.
    assert!(dense::check(&game, &read(&layers), None, effort, &|_| true).unwrap().is_right());
    let (flat, one) = (Flat(game), vec![layers.concat()]);
    let measures: [(Option<Measure<Flat>>, bool); 4] = [
        (Some(|flat, state| flat.0.progress(state)), true),
        (None, false),
        (Some(|_, _| 7), false),
        (Some(|_, (step, _)| *step), false),
    ];
    for (measure, is_right) in measures {
        let verdict = dense::check(&flat, &read(&one), measure, effort, &|_| true).unwrap();
        assert_eq!(verdict.is_right(), is_right);
        let plainly = plain::check_dense(&flat, &read(&one), measure, effort, &|_| true).unwrap();
        assert_eq!(plainly.is_right(), is_right);
        if !is_right {
            let Verdict::Unshown(unshown) = verdict else { panic!("{verdict:?}") };
            assert_eq!(unshown.position, Some((1, 0)), "the first that is not over");
        }
    }
}

#[test]
fn checking_a_table_ends_when_it_is_told_to() {
    let game = Stair { steps: 3, columns: 10 };
    let told = std::sync::Mutex::new(Vec::new());
    let goes_on = |done: u64| {
        let mut told = told.lock().unwrap();
        told.push(done);
        told.len() < 2
    };
    let stopped = dense::check(&game, &table(&cells(&game)), None, Effort::default(), &goes_on);
    assert!(
        matches!(stopped, Err(Error::Io(error)) if error.kind() == std::io::ErrorKind::Interrupted)
    );
    assert_eq!(*told.lock().unwrap(), [10, 20]);
}

#[test]
fn verdicts_in_words() {
    let coverage =
        |layers, of, start| Coverage { layers, of, start, listed: Listed::All }.to_string();
    assert_eq!(coverage(1, 1, true), "the whole game");
    assert_eq!(coverage(3, 3, true), "all 3 layers");
    assert_eq!(coverage(1, 3, false), "layer 0 of 3 alone, not the start");
    assert_eq!(coverage(2, 3, true), "layers 0 to 1 of 3");
    assert_eq!(
        Coverage { layers: 1, of: 2, start: true, listed: Listed::All }.fields(),
        json!({"layers": 1, "of": 2, "start": true})
    );
    let count = Count { wins: 1, draws: 20, endless: 300, losses: 4_000 };
    assert_eq!(count.positions(), 4_321);
    assert_eq!(count.to_string(), "1 won, 20 drawn, 300 endless, 4,000 lost");
    assert_eq!(Count { endless: 0, ..count }.to_string(), "1 won, 20 drawn, 4,000 lost");
    let counts = Counts { layers: vec![count, count, count] };
    let total = Count { wins: 3, draws: 60, endless: 900, losses: 12_000 };
    assert_eq!(counts.total(), total);
    let right: Verdict<String> = Verdict::Right(counts);
    assert_eq!(
        right.to_string(),
        "12,963 positions checked, all right (3 won, 60 drawn, 900 endless, 12,000 lost)"
    );
    let layer = json!({"positions": 4321, "wins": 1, "draws": 20, "endless": 300, "losses": 4000});
    assert_eq!(
        right.fields(),
        json!({
            "verdict": "right", "positions": 12963, "wins": 3, "draws": 60, "endless": 900,
            "losses": 12000, "layers": [layer, layer, layer],
        })
    );
    let worth = |value, plies| Worth::new(Value(value), Distance::Plies(plies));
    let flaw = |position, place, fault| Flaw::Entry { place, position, fault };
    let named = |verdict: Verdict<u8>| verdict.named(|state| format!("no. {state}"));
    let (stored, derived) = (worth(2, 3), worth(0, 1));
    let fault = |values| Fault::Wrong { values, stored, derived };
    let entry = named(Verdict::False(flaw(Some(7), Some((1, 9)), fault(Values::ScoreDistance))));
    let told = |values| fault(values).to_string();
    assert_eq!(told(Values::Wdl), "the table says win, but draw follows from the moves");
    assert_eq!(told(Values::Score), "the table says +2, but 0 follows from the moves");
    let ranks = "the table says +2 with rank 3, but 0 with rank 1 follows from the moves";
    assert_eq!(told(Values::ScoreRank), ranks);
    assert_eq!(
        entry.to_string(),
        "at `no. 7`, number 9 of layer 1: the table says +2 in 3 plies, but 0 in 1 ply follows from the \
         moves"
    );
    assert_eq!(
        entry.fields(),
        json!({
            "verdict": "false", "why": entry.to_string(), "position": "no. 7", "layer": 1,
            "index": 9, "stored": "+2 in 3 plies", "derived": "0 in 1 ply",
        })
    );
    for (position, place, fault, text) in [
        (Some(7), None, Fault::Missing, "at `no. 7`: the position has no entry"),
        (
            None,
            Some((1, 9)),
            Fault::NoPosition,
            "number 9 of layer 1: the entry belongs to no position",
        ),
        (Some(7), None, Fault::Open, "at `no. 7`: a move leads to a position that has no entry"),
        (Some(7), None, Fault::Stuck, "at `no. 7`: the game is not over, but there is no move"),
        (
            Some(7),
            Some((0, 3)),
            Fault::Unreached,
            "at `no. 7`, number 3 of layer 0: no play from the start leads to the position",
        ),
    ] {
        let verdict = named(Verdict::False(flaw(position, place, fault)));
        assert_eq!(verdict.to_string(), text);
        assert_eq!(verdict.fields()["derived"], json!(null));
    }
    let count = named(Verdict::False(Flaw::Count { layer: 1, stated: 2_000, counted: 3_000 }));
    let text = "the file states 2,000 positions in layer 1, but there are 3,000";
    assert_eq!(count.to_string(), text);
    assert_eq!(
        count.fields(),
        json!({"verdict": "false", "why": text, "layer": 1, "stated": 2000, "counted": 3000})
    );
    let unshown = named(Verdict::Unshown(Unshown { why: "why", position: Some(7) }));
    assert_eq!(unshown.to_string(), "cannot be shown to be right: why (seen at `no. 7`)");
    assert_eq!(unshown.fields(), json!({"verdict": "unshown", "why": "why", "position": "no. 7"}));
    let unshown = named(Verdict::Unshown(Unshown { why: "why", position: None }));
    assert_eq!(unshown.to_string(), "cannot be shown to be right: why");
    assert!([&entry, &count, &unshown].iter().all(|verdict| !verdict.is_right()));
    assert!(right.is_right());
}
