use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use super::run::{LONGEST, Run};
use super::shared::{Busy, Shared};
use super::*;
use crate::control::Checkpoint;
use crate::declared::Declared;
use crate::strong::Strong;
use foregone_rules::games::{
    ConnectFour, DotsAndBoxes, FoxAndHounds, Hex, Kalah, Mnk, Nim, QuantumTicTacToe, Reversi,
};
use foregone_rules::promise::Promises;
use foregone_rules::{Acyclic, Args, Candidates, Family, Game, Notation, Outcome, Side, Value};
use foregone_trial::Folder;

fn connect_four(columns: &str, rows: &str, line: &str, score: &str) -> ConnectFour {
    let given = [("columns", columns), ("rows", rows), ("line", line), ("score", score)];
    ConnectFour::create(&Args::new(&ConnectFour::ABOUT, given).unwrap()).unwrap()
}

/// Every n-th position, by one search that remembers from one to the next, in tables of
/// different sizes so that entries are replaced, by one thread and by several.
fn check<G: SearchHints + Clone>(game: &G, every: usize) {
    check_by::<G, OwnHints>(game, every);
}

/// Solves with these hints.
fn check_by<G: Acyclic + Clone, H: Hints<G>>(game: &G, every: usize) {
    let declared = Declared::plain(game.clone()).with(|it| it.acyclic());
    let strong = Strong::solve(game, &Control::default()).unwrap();
    for (memory, threads, endgame, by_proof, step) in [
        (1 << 24, 1, None, false, every),
        (1 << 16, 1, Some(0), false, 13 * every),
        (1 << 20, 2, None, false, 13 * every),
        (1 << 22, 4, Some(3), false, 29 * every),
        (1 << 22, 1, None, true, 7 * every),
        (1 << 16, 2, Some(0), true, 29 * every),
    ] {
        let control = Control::default().with_memory(memory);
        let mut exact =
            Exact::<G, H>::hinted(game, &control, Options { threads, endgame, by_proof }).unwrap();
        let mut distances = Distances::new(&declared, &control, memory, None);
        for (nth, (state, worth)) in strong.iter().step_by(step).enumerate() {
            // Starting threads takes longer than these searches do, so only some have them.
            exact.long = if nth % 3 == 0 { 0 } else { LONG };
            exact.alone = if threads > 1 && nth < 50 { 0 } else { ALONE };
            let at = || format!("{state:?} {memory} {threads} {endgame:?} {by_proof}");
            let Value(value) = worth.value();
            assert_eq!(exact.value(state), Ok(Value(value)), "{}", at());
            if nth % 7 > 0 {
                continue;
            }
            for less in [1, 0, -1] {
                let reached = exact.at_least(state, Value(value - less));
                assert_eq!(reached, Ok(less >= 0), "{}", at());
            }
            if nth % 35 == 0 {
                let plies = distances.plies(&mut exact, state, Value(value)).unwrap();
                assert_eq!(Some(plies), worth.distance().plies(), "{}", at());
                for (max, yes) in [(plies.saturating_sub(1), plies == 0), (plies, true)] {
                    let at_most = distances.at_most(&mut exact, state, Value(value), max);
                    assert_eq!(at_most, Ok(yes), "{}", at());
                }
            }
            let known = (Value(value - 3), Value(value));
            let Proven { low, high, halted } =
                exact.bounds_within(state, known, Some(Value(value + nth as i32 % 5 - 2)));
            assert_eq!((low, high, halted), (worth.value(), worth.value(), None), "{}", at());
        }
    }
}

fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

/// Without hints the same is found: from codes and moves alone.
#[test]
fn codes_are_hints_enough() {
    for misere in ["false", "true"] {
        check_by::<Nim, ByCode>(&game(&[("heaps", "3-4-5"), ("misere", misere)]), 1);
        let size = [("columns", "4"), ("rows", "3"), ("line", "3"), ("misere", misere)];
        check_by::<Mnk, ByCode>(&game(&size), 97);
    }
    for score in ["result", "stones"] {
        check_by::<_, ByCode<InOrder>>(&connect_four("4", "3", "3", score), 29);
    }
    // Points that are banked are left out of codes, and sides take turns again.
    check_by::<Kalah, ByCode>(&game(&[("pits", "3"), ("stones", "2")]), 1);
    check_by::<Kalah, ByCode<InOrder>>(&game(&[("pits", "2"), ("stones", "4")]), 1);
    // Codes of more than 64 bits are not remembered.
    let wide: Mnk = game(&[("columns", "33"), ("rows", "1"), ("line", "2")]);
    let control = Control::default();
    let mut exact = Exact::<_, ByCode>::hinted(&wide, &control, Options::default()).unwrap();
    assert_eq!(exact.value(&wide.start()), Ok(Value(1)));
}

#[test]
fn kalah_equals_strong_solving_in_all_variants() {
    for capture in ["always", "nonempty"] {
        for end in ["either", "mover"] {
            for rest in ["owner", "mover", "none"] {
                let variant = |pits, stones| -> Kalah {
                    let size = [("pits", pits), ("stones", stones)];
                    let rules = [("capture", capture), ("end", end), ("rest", rest)];
                    game(&[&size[..], &rules].concat())
                };
                for (pits, stones, step) in
                    [("3", "3", 31), ("4", "2", 31), ("2", "5", 5), ("1", "12", 1)]
                {
                    check(&variant(pits, stones), step);
                    check_by::<_, WithEndgame>(&variant(pits, stones), step);
                }
            }
        }
    }
}

#[test]
fn other_games_equal_strong_solving() {
    for misere in ["false", "true"] {
        check::<Mnk>(&game(&[("misere", misere)]), 1);
        let size = [("columns", "4"), ("rows", "3"), ("line", "3"), ("misere", misere)];
        check::<Mnk>(&game(&size), 17);
    }
    for stuck in ["draw", "lose"] {
        for (size, step) in [("4", 1), ("6", 13)] {
            let game = game::<FoxAndHounds>(&[("size", size), ("stuck", stuck)]);
            check(&game, step);
            check_by::<_, WithEndgame>(&game, step);
        }
        let usual = game::<FoxAndHounds>(&[("stuck", stuck)]);
        let control = Control::default();
        let value = Exact::new(&usual, &control).unwrap().value(&usual.start());
        assert_eq!(value, Ok(Value(-1)), "the hounds win");
    }
    for empties in ["nobody", "winner"] {
        check::<Reversi>(&game(&[("size", "4"), ("empties", empties)]), 53);
    }
}

/// With hints and without: sides move again and bank what they get.
#[test]
fn dots_and_boxes_equals_strong_solving() {
    for (columns, rows) in [("1", "1"), ("3", "1"), ("2", "2")] {
        let game = game::<DotsAndBoxes>(&[("columns", columns), ("rows", rows)]);
        check(&game, 1);
        check_by::<_, ByCode<InOrder>>(&game, 11);
        check_by::<_, ByCode>(&game, 31);
    }
}

#[test]
fn hex_equals_strong_solving_and_search_without_hints() {
    for swap in ["false", "true"] {
        check::<Hex>(&game(&[("size", "2"), ("swap", swap)]), 1);
        check::<Hex>(&game(&[("size", "3"), ("swap", swap)]), 5);
        let hex = game::<Hex>(&[("size", "4"), ("swap", swap)]);
        let control = Control::default().with_memory(1 << 26);
        let options = Options { threads: 1, ..Options::default() };
        let moves = Exact::with(&hex, &control, options).unwrap().moves(&hex.start()).unwrap();
        let plain =
            Exact::<_, ByCode>::hinted(&hex, &control, options).unwrap().moves(&hex.start());
        let texts = |moves: Vec<(_, Value)>| -> Vec<_> {
            moves.into_iter().map(|(mv, Value(value))| format!("{mv} {value}")).collect()
        };
        assert_eq!(texts(moves), texts(plain.unwrap()));
    }
}

/// The whole game has too many positions for strong solving in a test.
#[test]
fn quantum_positions_equal_strong_solving() {
    let game = game::<QuantumTicTacToe>(&[]);
    let control = Control::default();
    let mut exact = Exact::new(&game, &control).unwrap();
    let late = |state: &_| game.outcome(state).is_none() && Acyclic::progress(&game, state) >= 11;
    let samples = foregone_rules::sample::positions(&game, 800, 11);
    let mut checked = 0;
    for sample in samples.into_iter().filter(|sample| late(&sample.state)) {
        let strong = Strong::solve_from(&game, &sample.state, &control).unwrap();
        let expected = strong.worth(&sample.state).unwrap().value();
        assert_eq!(exact.value(&sample.state), Ok(expected), "{:?}", sample.state);
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn the_first_player_wins_half_a_point_of_quantum_tic_tac_toe_from_opposite_corners() {
    let game = game::<QuantumTicTacToe>(&[]);
    let control = Control::default().with_memory(1 << 28);
    let mut exact =
        Exact::with(&game, &control, Options { threads: 2, ..Options::default() }).unwrap();
    for (mv, value) in exact.moves(&game.start()).unwrap() {
        let corners = ["1-9", "3-7"].contains(&mv.to_string().as_str());
        assert_eq!(value, Value(i32::from(corners)), "{mv}");
    }
}

#[test]
fn threads_agree_where_they_have_much_to_do() {
    let game = connect_four("6", "5", "4", "stones");
    let mut alone = None;
    for (threads, memory) in [(1, 1 << 26), (1, 1 << 20), (2, 1 << 22), (4, 1 << 26)] {
        let control = Control::default().with_memory(memory);
        let mut exact =
            Exact::with(&game, &control, Options { threads, ..Options::default() }).unwrap();
        let values: Vec<_> = exact.moves(&game.start()).unwrap();
        let values: Vec<_> = values.into_iter().map(|(_, value)| value).collect();
        assert_eq!(values.iter().max(), Some(&Value(0)));
        assert_eq!(*alone.get_or_insert(values.clone()), values, "{threads}");
    }
}

/// A thread that searches below a position which another has answered meanwhile goes back there.
#[test]
fn a_thread_leaves_what_another_has_answered() {
    let game = connect_four("6", "5", "4", "stones");
    let (start, control) = (game.start(), Control::default());
    let mut exact = Exact::new(&game, &control).unwrap();
    let Exact { far, opinions, endgame, threads, .. } = &mut exact;
    let shared = Shared {
        control: &control,
        far: far.table(),
        opinions: opinions.table(),
        endgame,
        busy: Some(Busy::new()),
        over: AtomicBool::new(false),
        nodes: AtomicU64::new(0),
        max: NEVER,
        work: AtomicU64::new(0),
        enough: NEVER,
        kept: AtomicU64::new(0),
        room: NEVER,
        proven: None,
        leaf: None,
    };
    let (near, scratch) = &mut threads[0];
    let mut run = Run::<_, OwnHints>::new(&game, &shared, near.table(), scratch, None, LONGEST);
    let [open, answered] = [0, 1].map(|nth| {
        let mv = game.moves(&start).nth(nth).unwrap();
        run.memo(&game.play(&start, mv))
    });
    run.keep(answered, (3, i32::MAX), 1);
    // Another question about that position is still open.
    run.scratch.path = vec![(open, 1), (answered, 4), (answered, 3), (open, 1)];
    assert!(run.search(&start, None, 1, 0).is_err());
    assert_eq!((run.answered, run.nodes), (Some(2), 1024));
}

#[test]
fn proof_numbers_do_without_keys() {
    // A board of more than 32 squares has none.
    for size in [("6", "6"), ("11", "3")] {
        let given = [("columns", size.0), ("rows", size.1), ("line", "3")];
        let game = game::<Mnk>(&given);
        let control = Control::default().with_memory(1 << 20);
        let options = Options { by_proof: true, ..Options::default() };
        let value = Exact::with(&game, &control, options).unwrap().value(&game.start());
        assert_eq!(value, Ok(Value(1)));
    }
}

#[test]
fn tables_beyond_the_memory_are_refused() {
    let game = connect_four("7", "6", "4", "result");
    let control = Control::default().with_memory(1 << 60);
    let refused = Exact::new(&game, &control).err();
    assert!(matches!(refused, Some(Halted::Table { size }) if size > 1 << 50), "{refused:?}");
    let control = Control::default().with_memory(1 << 20);
    let kalah = self::game::<Kalah>(&[]);
    let options = Options { endgame: Some(20), ..Options::default() };
    let refused = Exact::with_endgame(&kalah, &control, options).err();
    assert!(matches!(refused, Some(Halted::Endgame { left: 20, .. })), "{refused:?}");
}

#[test]
fn an_endgame_table_spares_most_positions() {
    let kalah = game::<Kalah>(&[("pits", "5"), ("stones", "3")]);
    let control = Control::default().with_memory(1 << 28);
    let mut plain = Exact::new(&kalah, &control).unwrap();
    let mut exact = Exact::with_endgame(&kalah, &control, Options::default()).unwrap();
    // This search is short.
    exact.long = 0;
    assert_eq!(exact.value(&kalah.start()), plain.value(&kalah.start()));
    assert!(exact.endgame.layers() > 8, "{}", exact.endgame.layers());
    assert!(2 * exact.nodes() < plain.nodes(), "{} {}", exact.nodes(), plain.nodes());
    // Without room it does without.
    let control = Control::default().with_memory(1 << 12);
    let mut small = Exact::with_endgame(&kalah, &control, Options::default()).unwrap();
    small.long = 0;
    assert_eq!(small.value(&kalah.start()), exact.value(&kalah.start()));
    assert!(small.endgame.layers() < 6, "{}", small.endgame.layers());
}

#[test]
fn stones_left_tell_the_distance() {
    // With scores in stones a win is worth the winner's stones left, so a quick one more.
    let stones = connect_four("4", "4", "3", "stones");
    let result = connect_four("4", "4", "3", "result");
    let strong = Strong::solve(&result, &Control::default()).unwrap();
    let control = Control::default().with_memory(1 << 22);
    let mut exact = Exact::new(&stones, &control).unwrap();
    for (state, worth) in strong.iter() {
        let Some(plies) = worth.distance().plies() else { panic!("it ends") };
        let value = exact.value(state).unwrap();
        assert_eq!(value.verdict(), worth.value().verdict());
        if worth.value() != Value(0) {
            let placed = foregone_rules::Acyclic::progress(&result, state);
            let (winner, total) = (placed + plies - 1, 16);
            // The winner has put down every second stone, the last one included.
            let left = (total + 1 - winner % 2) / 2 - winner / 2;
            assert_eq!(value.0.unsigned_abs(), left, "{}", result.format(state));
        }
    }
}

#[test]
fn all_moves_are_valued() {
    let game = connect_four("5", "4", "4", "stones");
    let control = Control::default().with_memory(1 << 22);
    let mut exact = Exact::new(&game, &control).unwrap();
    let moves = exact.moves(&game.start()).unwrap();
    let strong = Strong::solve(&game, &control.clone().with_memory(1 << 31)).unwrap();
    for (mv, value) in moves {
        let child = strong.worth(&game.play(&game.start(), mv)).unwrap();
        assert_eq!(value, Value(-child.value().0), "{mv}");
    }
}

/// Nothing but a long way to go.
struct Countdown;

impl Game for Countdown {
    type State = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        5_000
    }

    fn turn(&self, state: &u32) -> Side {
        Side::BOTH[*state as usize % 2]
    }

    fn outcome(&self, state: &u32) -> Option<Outcome> {
        (*state == 0).then_some(Outcome::DRAW)
    }

    fn moves(&self, _: &u32) -> impl Iterator<Item = u32> {
        std::iter::once(1)
    }

    fn play(&self, state: &u32, less: u32) -> u32 {
        state - less
    }
}

impl Acyclic for Countdown {
    fn progress(&self, state: &u32) -> u32 {
        self.start() - state
    }
}

impl SearchHints for Countdown {
    fn key_bits(&self) -> u32 {
        13
    }

    fn key(&self, state: &u32) -> Option<(u64, Value)> {
        Some(((*state).into(), Value(0)))
    }

    fn near_end(&self, _: &u32) -> bool {
        false
    }

    fn history_slots(&self) -> usize {
        1
    }

    fn history_slot(&self, _: &u32, _: u32) -> usize {
        0
    }

    fn bounds_and_moves(&self, _: &u32, moves: &mut Candidates<'_, u32>) -> (Value, Value) {
        moves.push(0, 1);
        (Value(-1), Value(1))
    }
}

/// On the stack of a test, which is a quarter of the usual one.
#[test]
fn a_line_that_is_too_long_is_told_of_before_the_stack_ends() {
    for by_proof in [false, true] {
        let control = Control::default().with_memory(1 << 20);
        let options = Options { by_proof, ..Options::default() };
        let mut exact = Exact::with(&Countdown, &control, options).unwrap();
        let deep = exact.value(&Countdown.start());
        assert!(matches!(deep, Err(Halted::Deep { .. })), "{by_proof}: {deep:?}");
        assert_eq!(exact.value(&1_900), Ok(Value(0)), "{by_proof}");
    }
}

#[test]
fn it_stops_when_told() {
    let game = connect_four("7", "6", "4", "result");
    let control = Control::default().with_memory(1 << 20);
    let control = control.with_time(Duration::from_millis(20));
    let halted = Exact::new(&game, &control).unwrap().value(&game.start());
    assert!(matches!(halted, Err(Halted::Time { phase: "searching", .. })));
}

#[test]
fn within_a_time_limit_bounds_come_before_the_endgame_table() {
    let game = some_kalah();
    let control = Control::default().with_memory(1 << 22).with_time(Duration::from_secs(3600));
    let start = game.start();
    // The bounds after some positions, and the layers of the table then.
    let after = |positions| {
        let mut exact = Exact::with_endgame(&game, &control, Options::default()).unwrap();
        exact.long = 1 << 12;
        exact.allow(positions);
        let Proven { low, high, .. } = exact.bounds(&start);
        (low, high, exact.endgame.layers())
    };
    let (least, max, _) = after(0);
    let seen: Vec<_> = (0..60).map(|step| after(step << 12)).collect();
    assert!(seen.iter().any(|(low, high, layers)| low < high && *layers > 0), "{seen:?}");
    for (low, high, layers) in seen {
        assert!(layers == 0 || (low > least && high < max), "{low:?} {high:?} {layers}");
    }
}

/// A search of Kalah that is kept in a file.
fn kept_search(file: &std::path::Path, job: &str) -> Control {
    let checkpoint = Checkpoint { file: file.to_owned(), job: job.to_owned(), rules: None };
    Control::default().with_memory(1 << 22).with_checkpoint(checkpoint)
}

/// Kalah with 5 pits and 3 stones.
fn some_kalah() -> Kalah {
    let given = [("pits", "5"), ("stones", "3"), ("capture", "nonempty")];
    Kalah::create(&Args::new(&Kalah::ABOUT, given).unwrap()).unwrap()
}

#[test]
fn a_search_that_is_halted_again_and_again_goes_on_from_its_checkpoint() {
    let (game, folder) = (some_kalah(), Folder::new());
    let (start, file) = (game.start(), folder.file("kept"));
    let plain = Control::default().with_memory(1 << 22);
    for endgame in [Some(0), None] {
        let options = Options { endgame, ..Options::default() };
        let mut whole = Exact::with_endgame(&game, &plain, options).unwrap();
        whole.long = 1 << 11;
        let value = whole.value(&start).unwrap();
        let control = kept_search(&file, "kalah");
        let share = whole.work() / 6;
        let (mut runs, mut before) = (0, (ANY_VALUE, 0));
        loop {
            let mut exact = Exact::with_endgame(&game, &control, options).unwrap();
            exact.long = 1 << 11;
            exact.allow(share);
            let Proven { low, high, halted } = exact.bounds(&start);
            let ((least, max), nodes) = before;
            assert!(least <= low && high <= max && nodes < exact.nodes(), "run {runs}");
            before = ((low, high), exact.nodes());
            runs += 1;
            match halted {
                None => break,
                Some(halted) => assert!(matches!(halted, Halted::Positions { .. }), "{halted}"),
            }
        }
        assert_eq!(before.0, (value, value));
        assert!((3..20).contains(&runs), "{runs} runs");
        // The answer is kept, too.
        let mut again = Exact::with_endgame(&game, &control, options).unwrap();
        again.allow(0);
        assert_eq!((again.value(&start), again.nodes()), (Ok(value), before.1));
        std::fs::remove_file(&file).unwrap();
    }
}

#[test]
fn only_a_sound_checkpoint_of_the_same_job_is_used() {
    let (game, folder) = (some_kalah(), Folder::new());
    let (start, file) = (game.start(), folder.file("kept"));
    let control = kept_search(&file, "kalah");
    let mut exact = Exact::new(&game, &control).unwrap();
    exact.allow(30_000);
    assert!(exact.value(&start).is_err());
    let sound = std::fs::read(&file).unwrap();
    let refused = |control: &Control, expected: &str| {
        let before = std::fs::read(&file).unwrap();
        let mut exact = Exact::new(&game, control).unwrap();
        let proven = exact.bounds(&start);
        let why = proven.halted.map(|halted| halted.to_string()).unwrap_or_default();
        assert!(why.contains(expected), "{why}");
        assert_eq!(exact.nodes(), 0);
        assert_eq!(std::fs::read(&file).unwrap(), before, "it is not replaced");
    };
    refused(&kept_search(&file, "chess"), "for another job, `kalah`");
    let mut damaged = vec![Vec::new(), b"hello".to_vec(), sound[..sound.len() - 1].to_vec()];
    damaged.extend((0..sound.len()).step_by(sound.len() / 50).map(|at| {
        let mut bytes = sound.clone();
        bytes[at] ^= 0x10;
        bytes
    }));
    damaged.push([&sound[..], &zstd::encode_all(&[0; 12][..], 1).unwrap()].concat());
    for bytes in damaged {
        std::fs::write(&file, bytes).unwrap();
        refused(&control, "cannot be used: it is ");
    }
    let rules = Some("1 + 1".to_owned());
    let checkpoint = Checkpoint { file: file.clone(), job: "kalah".to_owned(), rules };
    std::fs::write(&file, &sound).unwrap();
    refused(&control.clone().with_checkpoint(checkpoint), "other rules");
    // Whoever repairs the checksum can still not change the keys, the format or the number of entries.
    let text = zstd::decode_all(&sound[..]).unwrap();
    let line = text.iter().position(|byte| *byte == b'\n').unwrap();
    let head = String::from_utf8(text[..line].to_vec()).unwrap();
    let number = |name: &str| {
        let (_, rest) = head.split_once(&format!("\"{name}\":")).unwrap();
        rest[..rest.find([',', '}']).unwrap()].to_owned()
    };
    for (name, new, expected) in [
        ("keys", "7", "another version"),
        ("format", "9", "another version"),
        ("entries", "4000000000", "its first line cannot be right"),
        ("low", "1000", "its first line cannot be right"),
        ("high", "-1000", "its first line cannot be right"),
        ("entries", "60000000", "holds more than fits"),
        ("positions", "18446744073709551615", "its first line cannot be right"),
        ("entries", "1", "too long"),
    ] {
        let old = format!("\"{name}\":{}", number(name));
        let head = head.replace(&old, &format!("\"{name}\":{new}"));
        let text = [head.as_bytes(), &text[line..]].concat();
        std::fs::write(&file, zstd::encode_all(&text[..], 1).unwrap()).unwrap();
        refused(&control, expected);
    }
    // Bounds that contradict the game.
    let old = format!("\"low\":{},\"high\":{}", number("low"), number("high"));
    let odd = head.replace(&old, "\"low\":100,\"high\":200");
    let text = [odd.as_bytes(), &text[line..]].concat();
    std::fs::write(&file, zstd::encode_all(&text[..], 1).unwrap()).unwrap();
    refused(&control, "its first line cannot be right");
    // No folder, no checkpoint; it says so before it searches.
    let nowhere = kept_search(&folder.file("none").join("kept"), "kalah");
    let mut exact = Exact::new(&game, &nowhere).unwrap();
    let halted = exact.value(&start).unwrap_err();
    assert!(matches!(halted, Halted::Unkept { .. }), "{halted}");
    assert_eq!(exact.nodes(), 0);
}
