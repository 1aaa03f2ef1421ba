//! Tables of keyed positions in the small: a game of one choice, whose table has each kind of flaw, and
//! what checking it takes.

use foregone_check::{Count, Counts, Effort, Fault, Flaw, Unshown, Verdict, keyed, plain};
use foregone_record::format::checksum::Checksum;
use foregone_record::read::Bytes;
use foregone_record::{Error, Table, Values};
use foregone_rules::Measure;
use foregone_rules::{
    Acyclic, Distance, Encode, Game, NoBank, Outcome, Side, Symmetry, Value, Worth,
};
use foregone_trial::Forged;

/// The first player chooses one of the ends, from 1 on; of three one is lost, drawn and won.
struct Choice(u32);

impl Game for Choice {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }
    fn turn(&self, _: &u32) -> Side {
        Side::First
    }
    fn outcome(&self, state: &u32) -> Option<Outcome> {
        (*state > 0).then_some(Outcome((state % 3) as i32 - 1))
    }
    fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
        1..self.0 + 1
    }
    fn play(&self, _: &u32, mv: u32) -> u32 {
        mv
    }
}

impl Acyclic for Choice {
    fn progress(&self, state: &u32) -> u32 {
        u32::from(*state > 0)
    }
}

impl Encode for Choice {
    type Bank = NoBank;

    fn bits(&self) -> u32 {
        32
    }
    fn encode(&self, state: &u32) -> u128 {
        (*state).into()
    }
    /// A key that no position has gives the start.
    fn decode(&self, packed: u128) -> u32 {
        if packed < 1 << 20 { packed as u32 } else { 0 }
    }
}

impl Symmetry for Choice {
    fn representative(&self, state: &u32) -> u32 {
        *state
    }
}

type Entries = Vec<(u128, Option<Worth>)>;

/// The true table.
fn entries(game: &Choice) -> Entries {
    let end = |state: u32| {
        (state.into(), Some(Worth::new(Value((state % 3) as i32 - 1), Distance::Plies(0))))
    };
    let start = (0, Some(Worth::new(Value(1), Distance::Plies(1))));
    [start].into_iter().chain((1..=game.0).map(end)).collect()
}

fn bytes(entries: &Entries, values: Values) -> Vec<u8> {
    let keys: Vec<u128> = entries.iter().map(|(key, _)| *key).collect();
    let keep = |(_, worth): &(u128, Option<Worth>)| worth.map(|worth| values.keep(worth, Value(0)));
    let layers = [entries.iter().map(keep).collect()];
    let (game, fingerprint, keys) = ("game", Checksum(0), Some(&keys[..]));
    Forged { game, fingerprint, values, layers: &layers, keys, proof: None }.bytes()
}

fn table(entries: &Entries, values: Values) -> Table {
    Table::read(Bytes(bytes(entries, values))).unwrap()
}

fn verdict(game: &Choice, entries: &Entries, threads: usize) -> Verdict<u32> {
    let effort = Effort { threads, ..Effort::default() };
    let table = table(entries, Values::ScoreDistance);
    keyed::check(game, &table, None, effort, &|_| true).unwrap()
}

fn flaw(number: impl Into<Option<u64>>, position: Option<u32>, fault: Fault) -> Verdict<u32> {
    let place = number.into().map(|number| (0, number));
    Verdict::False(Flaw::Entry { place, position, fault })
}

#[test]
fn each_position_counts_once() {
    for (ends, wins, draws, losses) in
        [(3, 2, 1, 1), (300, 101, 100, 100), (10_000, 3334, 3334, 3333)]
    {
        let game = Choice(ends);
        let count = Count { wins, draws, endless: 0, losses };
        for threads in [0, 1, 3] {
            let right = Verdict::Right(Counts { layers: vec![count] });
            assert_eq!(verdict(&game, &entries(&game), threads), right);
        }
    }
}

#[test]
fn each_flaw_is_found() {
    let game = Choice(10_000);
    let right = entries(&game);
    let stored = Worth::endless(Value(0));
    let wrong = Some(stored);
    let instead = |derived: Option<Worth>| Fault::Wrong {
        values: Values::ScoreDistance,
        stored,
        derived: derived.unwrap(),
    };
    for threads in [1, 2] {
        // Of several, the first.
        for flaws in [&[1][..], &[70, 9_000], &[4_096, 4_097], &[9_999], &[10_000]] {
            let mut all = right.clone();
            flaws.iter().for_each(|at| all[*at].1 = wrong);
            let first = flaws[0];
            let fault = instead(right[first].1);
            let expected = flaw(first as u64, Some(first as u32), fault);
            assert_eq!(verdict(&game, &all, threads), expected);
        }
        // The start is checked first.
        let mut all = right.clone();
        (all[0].1, all[7].1) = (wrong, wrong);
        assert_eq!(verdict(&game, &all, threads), flaw(0, Some(0), instead(right[0].1)));
        // One to which a move leads is missing.
        for at in [1, 64, 9_999] {
            let mut fewer = right.clone();
            fewer.remove(at);
            assert_eq!(verdict(&game, &fewer, threads), flaw(0, Some(0), Fault::Open));
        }
        assert_eq!(
            verdict(&game, &right[1..].to_vec(), threads),
            flaw(None, Some(0), Fault::Missing)
        );
        // One to which no play leads, of a position or of none.
        let mut more = right.clone();
        more.push((20_000, wrong));
        assert_eq!(verdict(&game, &more, threads), flaw(10_001, Some(20_000), Fault::Unreached));
        more[10_001].0 = 1 << 30;
        assert_eq!(verdict(&game, &more, threads), flaw(10_001, None, Fault::NoPosition));
    }
    for ends in [62, 63, 64, 65, 127, 128] {
        let game = Choice(ends);
        let mut more = entries(&game);
        more.push((20_000, wrong));
        let expected = flaw(u64::from(ends) + 1, Some(20_000), Fault::Unreached);
        assert_eq!(verdict(&game, &more, 1), expected);
    }
    // An entry that says nothing.
    let game = Choice(100);
    let mut all = entries(&game);
    all[80].1 = None;
    assert_eq!(verdict(&game, &all, 1), flaw(0, Some(0), Fault::Open));
    all[0].1 = None;
    assert_eq!(verdict(&game, &all, 1), flaw(0, Some(0), Fault::Missing));
    // What the file states of itself is refused where it is read.
    let bytes = bytes(&entries(&game), Values::ScoreDistance);
    for (stated, why) in
        [(100, "more keys than positions"), (102, "more positions than there can be")]
    {
        let mut manifest = table(&entries(&game), Values::ScoreDistance).manifest().clone();
        manifest.layers[0].positions = stated;
        let head = foregone_record::format::Head::decode(bytes.first_chunk().unwrap()).unwrap();
        let text = serde_json::to_vec(&manifest).unwrap();
        let other = foregone_record::format::Head::of(head.offset, &text).encode();
        let file = [&other[..], &bytes[other.len()..head.offset as usize], &text].concat();
        let Err(error) = Table::read(Bytes(file)) else { panic!("it was read") };
        assert!(error.to_string().contains(why), "{error}");
    }
}

/// Values alone are shown by the game's measure of progress.
#[test]
fn progress() {
    let game = Choice(100);
    let measures: [(Option<Measure<Choice>>, bool); 4] = [
        (Some(Choice::progress), true),
        (None, false),
        (Some(|_, _| 7), false),
        (Some(|_, state| u32::from(*state == 0)), false),
    ];
    for (measure, is_right) in measures {
        for values in [Values::Wdl, Values::Score] {
            let table = table(&entries(&game), values);
            let effort = Effort::default();
            for verdict in [
                keyed::check(&game, &table, measure, effort, &|_| true).unwrap(),
                plain::check_keyed(&game, &table, measure, effort, &|_| true).unwrap(),
            ] {
                assert_eq!(verdict.is_right(), is_right);
                if !is_right {
                    let Verdict::Unshown(Unshown { why, position }) = verdict else { panic!() };
                    assert!(position == Some(0) && why.contains("no measure"));
                }
            }
        }
    }
}

#[test]
fn a_table_without_keys() {
    let (game, fingerprint, values) = ("game", Checksum(0), Values::Score);
    let layers = [vec![None]];
    let forged = Forged { game, fingerprint, values, layers: &layers, keys: None, proof: None };
    let table = Table::read(Bytes(forged.bytes())).unwrap();
    let checked = keyed::check(&Choice(1), &table, None, Effort::default(), &|_| true);
    assert!(matches!(checked, Err(Error::Damaged(why)) if why == "it lists no keys"));
}

/// The least memory with which something can be done.
fn least(done: impl Fn(u64) -> bool) -> u64 {
    let (mut fails, mut does) = (0, 1 << 40);
    while does - fails > 1 {
        let middle = fails + (does - fails) / 2;
        *(if done(middle) { &mut does } else { &mut fails }) = middle;
    }
    does
}

#[test]
fn memory_and_progress() {
    let game = Choice(20_000);
    let table = table(&entries(&game), Values::ScoreDistance);
    let effort = |memory| Effort { memory, ..Effort::default() };
    let merged =
        least(|memory| keyed::check(&game, &table, None, effort(memory), &|_| true).is_ok());
    // Of each position a key, its cell, and less than a byte; and a list of what follows the start, which
    // is there twice when it last grows.
    assert_eq!(merged, 20_001 * (16 + 2 + 1) + (1 + 32_768 + 16_384) * 4, "{merged}");
    let plainly =
        least(|memory| plain::check_keyed(&game, &table, None, effort(memory), &|_| true).is_ok());
    // Keys and cells; positions that are known, and those that are open, both of which grow by doubling.
    let expected = 20_001 * (16 + 2) + (16_384 + 32_768) * (4 + 1) + (16_384 + 32_768) * 4;
    assert!((expected * 4 / 5..expected * 5 / 4).contains(&plainly), "{plainly}");
    let told = std::sync::Mutex::new(Vec::new());
    let goes_on = |done: u64| {
        let mut told = told.lock().unwrap();
        told.push(done);
        told.len() < 2
    };
    let effort = Effort::default();
    assert!(keyed::check(&game, &table, None, effort, &goes_on).is_err());
    assert_eq!(std::mem::take(&mut *told.lock().unwrap()), [1, 20_001]);
    assert!(plain::check_keyed(&game, &table, None, effort, &goes_on).is_err());
    assert_eq!(*told.lock().unwrap(), [4_096, 8_192]);
}
