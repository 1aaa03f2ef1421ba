//! Values that others have published, or that took long to find; most take too long for every run of the
//! tests. `cargo test --release -p foregone --test known -- --ignored`, some half an hour;
//! docs/results.md has each with its source, its time and the command.

use foregone::exact::Options;
use foregone::games::{Awari, ConnectFour, DotsAndBoxes, Hex, Kalah, Mnk, Reversi};
use foregone::record::{Table, Values};
use foregone::tables::{Plan, Subject, Technique, build};
use foregone::{
    Args, Control, Exact, Family, Game, Method, Outcome, Registry, Request, Value,
    promise::{Notation, SearchHints},
};
use foregone_trial::Folder;

fn game<F: Family>(given: &[(&str, &str)]) -> F {
    F::create(&Args::new(&F::ABOUT, given.iter().copied()).unwrap()).unwrap()
}

fn value<G: SearchHints>(game: &G) -> i32 {
    let control = Control::default().with_memory(2 << 30);
    let options = Options { threads: 2, ..Options::default() };
    let value = Exact::with(game, &control, options).unwrap().value(&game.start());
    value.unwrap().0
}

/// Every line of the first two tables of docs/results.md, by the method that it names, but for those of more than 100 s,
/// which have tests of their own.
#[test]
#[ignore = "four minutes"]
fn every_line_of_the_results_is_right() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/results.md");
    let (text, registry) = (std::fs::read_to_string(file).unwrap(), Registry::standard());
    let (mut lines, mut long) = (0, Vec::new());
    let tables = text
        .split("<!-- results/make: ")
        .skip(1)
        .take(2)
        .map(|table| table.split("<!-- end -->").next());
    for line in tables.flatten().flat_map(str::lines).filter(|line| line.starts_with("| `")) {
        let game = line.split('`').nth(1).unwrap();
        let seconds = line.split('|').filter_map(|cell| cell.trim().strip_suffix(" s"));
        if seconds
            .map(|text| text.replace(',', "").parse::<f64>().unwrap())
            .any(|time| time > 100.0)
        {
            long.push(game);
            continue;
        }
        let value = line.split('|').nth(2).unwrap().split([':', ',']).next().unwrap().trim();
        let expected = match value {
            "win" => 1,
            "loss" => -1,
            "draw" => 0,
            points => points.parse().unwrap_or_else(|_| panic!("{line}")),
        };
        let method = match line {
            _ if line.contains("--method proof") => Method::Proof,
            _ if line.contains("--value-only") => Method::Auto,
            _ => Method::Search,
        };
        let request = Request::default()
            .with_method(method)
            .with_threads(2)
            .with_moves(false)
            .with_line(false);
        let control = Control::default().with_memory(4 << 30);
        let game = registry.game(game).unwrap();
        let report = game.session().solve(&request, &control);
        assert_eq!((report.value, report.proven), (Some(expected), true), "{line}");
        lines += 1;
    }
    assert!(lines > 50, "{lines}");
    let known = ["kalah(pits=6,stones=5)", "kalah(pits=6,stones=5,capture=nonempty)"];
    assert_eq!(long, [known[0], known[1], "breakthrough(rows=5,columns=5)"]);
}

#[test]
#[ignore = "a minute"]
fn connect_four_7x6_is_won_with_the_last_stone_but_one() {
    assert_eq!(value(&game::<ConnectFour>(&[("score", "stones")])), 1);
    assert_eq!(value(&game::<ConnectFour>(&[])), 1);
}

/// The scores of the seven openings, from the left.
#[test]
#[ignore = "several minutes"]
fn connect_four_7x6_by_column() {
    let game = game::<ConnectFour>(&[("score", "stones")]);
    let control = Control::default().with_memory(4 << 30);
    let options = Options { threads: 2, ..Options::default() };
    let moves = Exact::with(&game, &control, options).unwrap().moves(&game.start()).unwrap();
    let values: Vec<_> = moves.into_iter().map(|(_, Value(value))| value).collect();
    assert_eq!(values, [-2, -1, 0, 1, 0, -1, -2]);
}

/// The value by a search with an endgame table.
fn kalah(given: &[(&str, &str)], threads: usize, memory: u64) -> i32 {
    let game = game::<Kalah>(given);
    let control = Control::default().with_memory(memory);
    let options = Options { threads, ..Options::default() };
    Exact::with_endgame(&game, &control, options).unwrap().value(&game.start()).unwrap().0
}

/// The table of Irving, Donkers and Uiterwijk (2000), and the same boards by the book rule.
#[test]
#[ignore = "a minute"]
fn kalah_by_size() {
    for (pits, stones, capture, expected) in [
        ("4", "4", "always", 2),
        ("5", "4", "always", 12),
        ("5", "4", "nonempty", 10),
        ("5", "5", "always", 2),
        ("5", "5", "nonempty", 2),
        ("6", "3", "always", 2),
        ("6", "4", "always", 10),
        ("6", "4", "nonempty", 8),
    ] {
        let given = [("pits", pits), ("stones", stones), ("capture", capture)];
        assert_eq!(kalah(&given, 2, 4 << 30), expected, "({pits},{stones}) {capture}");
    }
}

#[test]
#[ignore = "three minutes"]
fn kalah_6_5_is_won_by_12() {
    assert_eq!(kalah(&[("stones", "5")], 2, 4 << 30), 12);
}

#[test]
#[ignore = "twenty minutes, and 14 GB"]
fn kalah_6_5_by_the_book_is_won_by_10() {
    assert_eq!(kalah(&[("stones", "5"), ("capture", "nonempty")], 2, 14 << 30), 10);
}

/// All boards of 1 to 6 pits and 1 to 3 stones in all variants: with an endgame table and without, on one thread
/// and two, in much memory and little.
#[test]
#[ignore = "some minutes"]
fn kalah_is_the_same_with_and_without_an_endgame_table() {
    for size in 0..18 {
        let (pits, stones) = ((size / 3 + 1).to_string(), (size % 3 + 1).to_string());
        for variant in 0..12 {
            let capture = ["always", "nonempty"][variant / 6];
            let end = ["either", "mover"][variant / 3 % 2];
            let rest = ["owner", "mover", "none"][variant % 3];
            let size = [("pits", &pits[..]), ("stones", &stones[..])];
            let rules = [("capture", capture), ("end", end), ("rest", rest)];
            let given = [&size[..], &rules].concat();
            let expected = value(&game::<Kalah>(&given));
            for (threads, memory) in [(1, 1 << 30), (2, 1 << 24), (2, 1 << 20)] {
                assert_eq!(kalah(&given, threads, memory), expected, "{given:?} {memory}");
            }
        }
    }
}

#[test]
#[ignore = "half a minute"]
fn the_first_player_wins_6_5_4() {
    let given = [("columns", "6"), ("rows", "5"), ("line", "4")];
    let game = game::<Mnk>(&given);
    let control = Control::default().with_memory(1 << 30);
    let options = Options { by_proof: true, ..Options::default() };
    let won = Exact::with(&game, &control, options).unwrap().value(&game.start());
    assert_eq!(won, Ok(Value(1)));
}

/// The position that the notes on the score database of Romein and Bal give as an example, and what each
/// of its moves is worth.
#[test]
#[ignore = "two minutes"]
fn awari_with_sixteen_stones_is_worth_what_was_published() {
    let (place, control) = (Folder::new(), Control::default().with_memory(1 << 30));
    let (awari, file) = (game::<Awari>(&[]), place.file("awari.table"));
    let plan = Plan { values: Values::ScoreRank, layers: Some(17), threads: 2, all: false };
    let how = Technique::plain(false);
    build(Subject::new(&awari, "awari"), &how, &file, &plan, &control, &mut |_, _| {}).unwrap();
    let table = Table::open(&file).unwrap();
    let state = awari.parse("1 1 1 1 1 2 0 4 2 3 0 0 0 0 first").unwrap();
    let value = |state| table.probe(&awari, &state).unwrap().unwrap().value();
    assert_eq!(value(state), Value(0));
    let moves = awari.moves(&state).map(|mv| -value(awari.play(&state, mv)).0);
    assert_eq!(moves.collect::<Vec<_>>(), [-1, -1, -2, -2, -2, 0]);
}

/// The first stones that win on 5x5.
#[test]
fn hex_openings_on_5x5() {
    let game = game::<Hex>(&[("size", "5")]);
    let control = Control::default().with_memory(1 << 28);
    let moves = Exact::new(&game, &control).unwrap().moves(&game.start()).unwrap();
    let winning = moves.into_iter().filter(|(_, value)| *value == Value(1));
    let winning: Vec<_> = winning.map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(winning.join(" "), "e1 b2 c2 d2 e2 b3 c3 d3 a4 b4 c4 d4 a5");
    assert_eq!(value(&self::game::<Hex>(&[("size", "5"), ("swap", "true")])), -1);
}

#[test]
fn dots_and_boxes_by_size() {
    for (columns, rows, expected) in [("2", "2", 2), ("4", "2", 2), ("3", "3", -3)] {
        let game = game::<DotsAndBoxes>(&[("columns", columns), ("rows", rows)]);
        assert_eq!(value(&game), expected, "{columns}x{rows}");
    }
}

#[test]
#[ignore = "a minute"]
fn dots_and_boxes_4x3_is_a_draw() {
    assert_eq!(value(&game::<DotsAndBoxes>(&[("columns", "4"), ("rows", "3")])), 0);
}

/// Feinstein's game of perfect play on 6x6 (1993) keeps 16 to 20, from any of its positions on that is
/// asked for.
fn feinstein_keeps_its_value(plies: impl IntoIterator<Item = usize>) {
    let moves = "c2 b4 c5 d2 e4 e3 d1 c1 b1 d5 d6 f4 b3 b2 f3 f2 e2 b6 a4 c6 a6 a2 b5 a5 e6 e5 a3 a1 f5 \
                 f6 pass e1 f1";
    let game = game::<Reversi>(&[]);
    let mut states = vec![game.start()];
    for text in moves.split(' ') {
        let state = states[states.len() - 1];
        let mv = game.moves(&state).find(|mv| mv.to_string() == text).unwrap();
        states.push(game.play(&state, mv));
    }
    assert_eq!(game.outcome(&states[states.len() - 1]), Some(Outcome(-4)));
    let control = Control::default().with_memory(1 << 30);
    let mut exact = Exact::new(&game, &control).unwrap();
    for state in plies.into_iter().map(|plies| states[plies]) {
        let value = exact.value(&state).unwrap();
        assert_eq!(value.outcome_for(game.turn(&state)), Outcome(-4), "{state:?}");
    }
}

#[test]
fn reversi_6x6_from_18_discs_on() {
    feinstein_keeps_its_value((14..32).rev());
}

#[test]
#[ignore = "a minute"]
fn reversi_6x6_from_10_discs_on() {
    feinstein_keeps_its_value((6..14).rev());
}
