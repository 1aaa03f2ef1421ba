//! Conform itself, which every game is held to its promises with: a game that keeps all promises
//! passes, and each single thing that is broken in it is found, by the name of the promise and for the
//! right reason.

mod toy;

use std::cell::{Cell, RefCell};

use foregone_rules::conform::{Broken, Report};
use foregone_rules::{
    Area, Band, Block, Conform, Drawing, Game, Invalid, Outcome, Scene, Side, Value,
};
use toy::{Kind, Move, State, Toy, Visit, right};

/// What breaks a promise of the right game.
type Change = fn(&mut Toy);

/// The start of the right game.
const START: State = State { left: 5, token: 1, lead: 0, turn: Side::First };

/// Checks the rules and one promise; `Encode` of representatives has a name of its own here.
fn check(toy: &Toy, promise: &str) -> Result<Report, Broken> {
    let conform = Conform::new(toy);
    let conform = match promise {
        "Game" => conform,
        "Notation" => conform.notation(),
        "Picture" => conform.picture(),
        "Acyclic" => conform.acyclic(),
        "Evaluate" => conform.evaluate(),
        "Encode" => conform.encode(),
        "merged" => conform.encode_merged(),
        "Symmetry" => conform.symmetry(),
        "Banked" => conform.banked(),
        "Indexed" => conform.indexed(),
        "Acyclic and Indexed" => conform.measured_numbers(),
        "Banded" => conform.banded(),
        "Order" => conform.order(),
        "SearchHints" => conform.search_hints(),
        "Banded and SearchHints" => conform.endgame(),
        _ => panic!("no promise has this name: {promise}"),
    };
    conform.finish()
}

fn flawed(flaw: Change) -> Toy {
    let mut toy = Toy::new();
    flaw(&mut toy);
    toy
}

/// Asserts that each flaw is found, as breaking the promise and for a reason that says this.
fn found(promise: &str, flaws: &[(&str, Change)]) {
    for (nth, (expected, flaw)) in flaws.iter().enumerate() {
        let Err(broken) = check(&flawed(*flaw), promise) else {
            panic!("{promise}, flaw {nth} ({expected}) was not found");
        };
        let told = if promise == "merged" { "Encode" } else { promise };
        assert_eq!(broken.promise, told, "flaw {nth} ({expected}): {broken}");
        assert!(broken.expected.contains(expected), "flaw {nth} ({expected}): {broken}");
    }
}

/// Asserts that a game that differs from the right one passes, too.
fn passes(promise: &str, change: Change) {
    let report = check(&flawed(change), promise).unwrap_or_else(|broken| panic!("{broken}"));
    assert!(report.promises.len() == 2, "{report}");
}

thread_local! {
    /// How often something was asked.
    static CALLS: Cell<u32> = const { Cell::new(0) };
    /// Numbers that were to be decoded.
    static ASKED: RefCell<Vec<u128>> = const { RefCell::new(Vec::new()) };
}

/// Counts a call; how many there were before.
fn call() -> u32 {
    CALLS.replace(CALLS.get() + 1)
}

#[test]
fn what_keeps_its_promises_passes() {
    let toy = Toy::new();
    let conform = Conform::new(&toy).notation().picture().acyclic().evaluate().encode();
    let conform = conform.encode_merged().symmetry().banked().indexed().measured_numbers();
    let report = conform.banded().order().search_hints().finish().unwrap();
    let promises = "Game, Notation, Picture, Acyclic, Evaluate, Encode, Encode, Symmetry, Banked, \
                    Indexed, Acyclic and Indexed, Banded, Order, SearchHints";
    assert_eq!(report.promises.join(", "), promises);
    assert_eq!(report.to_string(), format!("{promises} hold on {} positions", report.positions));
    assert!(report.positions > 30, "{report}");
    // A position that is met more than once counts once.
    let alone = Conform::sampled(&toy, 1, 1).finish().unwrap();
    assert_eq!(alone.positions, 1);
}

/// All that a type implements is checked with no further word.
#[test]
fn what_is_declared_is_checked() {
    let report = Conform::new(&Toy::new()).declared().finish().unwrap();
    let promises = "Game, Notation, Picture, Acyclic, Evaluate, Order, Symmetry, Banked, Encode, \
                    Indexed, Acyclic and Indexed, Banded, SearchHints, Banded and SearchHints";
    assert_eq!(report.promises.join(", "), promises);
}

/// A game with more positions than can be numbered says so by its sizes; then its numbers are not checked.
/// One less can be.
#[test]
fn layers_that_cannot_be_counted() {
    let checked = |size| {
        let toy = Toy { size, ..Toy::new() };
        let conform = Conform::new(&toy).indexed().measured_numbers().banded();
        conform.finish().unwrap().promises.join(", ")
    };
    assert_eq!(checked(|_, _| u64::MAX), "Game");
    assert_eq!(checked(|_, layer| if layer == 1 { u64::MAX } else { 99 }), "Game");
    assert_eq!(checked(|_, _| u64::MAX - 1), "Game, Indexed, Acyclic and Indexed, Banded");
}

#[test]
fn what_is_broken_is_told_with_its_place() {
    let toy = flawed(|toy| toy.progress = |_, _| 7);
    let broken = Conform::new(&toy).acyclic().encode().finish().unwrap_err();
    let start = "State { left: 5, token: 1, lead: 0, turn: First }";
    assert_eq!(broken.position, format!("at the start, {start}"));
    assert_eq!((&broken.expected[..], &broken.found[..]), ("progress above 7 after take", "7"));
    let text = format!(
        "Acyclic is broken at the start, {start}: expected progress above 7 after take, found 7"
    );
    assert_eq!(broken.to_string(), text);
    let late = |toy: &mut Toy| {
        toy.evaluate = |_, state| Outcome(if state.left == 3 { i32::MIN } else { 0 })
    };
    let broken = check(&flawed(late), "Evaluate").unwrap_err();
    let (moves, state) = broken.position.strip_prefix("after ").unwrap().split_once(", ").unwrap();
    let play = |state, text: &str| {
        let mv = right::moves(&toy, &state).into_iter().find(|mv| mv.1 == text).unwrap();
        right::play(&toy, &state, mv)
    };
    let there = moves.split(' ').fold(START, play);
    assert_eq!((there.left, format!("{there:?}").as_str()), (3, state));
    // The first promise that is broken is the one that is told.
    let two = |toy: &mut Toy| {
        toy.progress = |_, _| 7;
        toy.bits = |_| 129;
    };
    assert_eq!(
        Conform::new(&flawed(two)).encode().acyclic().finish().unwrap_err().promise,
        "Encode"
    );
}

#[test]
fn broken_rules_are_found() {
    fn worded(text: &'static str) -> Vec<Move> {
        vec![Move(Kind::Take, text)]
    }
    found(
        "Game",
        &[
            ("the first player's turn at the start", |toy| {
                toy.start = |toy| State { turn: Side::Second, ..right::start(toy) };
            }),
            ("a result within", |toy| {
                toy.outcome = |_, state| (state.left == 0).then_some(Outcome(Outcome::LIMIT + 1));
            }),
            ("a result within", |toy| {
                toy.outcome = |_, state| (state.left == 0).then_some(Outcome(-Outcome::LIMIT - 1));
            }),
            ("an outcome of endless play within", |toy| {
                toy.endless = |_, _| Outcome(Outcome::LIMIT + 1);
            }),
            ("an outcome of endless play within", |toy| {
                toy.endless = |_, _| Outcome(i32::MIN);
            }),
            ("one word", |toy| toy.moves = |_, _| worded("")),
            ("one word", |toy| toy.moves = |_, _| worded("a b")),
            ("one word", |toy| toy.moves = |_, _| worded("a,b")),
            ("take to lead each time to", |toy| {
                toy.play =
                    |toy, state, mv| State { lead: call() as i32, ..right::play(toy, state, mv) };
            }),
            ("moves with different texts", |toy| {
                toy.moves = |_, _| [worded("take"), worded("take")].concat();
            }),
            ("successors to be the moves in order", |toy| {
                toy.successors = |toy, state| right::successors(toy, state).split_off(1);
            }),
            ("successors to be the moves in order", |toy| {
                toy.successors = |toy, state| {
                    let all = right::successors(toy, state).into_iter();
                    all.map(|(mv, next)| (mv, State { token: next.token ^ 1, ..next })).collect()
                };
            }),
            ("as many successors as moves", |toy| {
                toy.successors = |toy, state| {
                    let all = right::successors(toy, state);
                    [all.clone(), all].concat()
                };
            }),
            ("each successor to be visited in order", |toy| {
                toy.visited = |toy, state| right::successors(toy, state).split_off(1);
            }),
            ("each successor to be visited in order", |toy| {
                toy.visited = |toy, state| {
                    let all = right::successors(toy, state);
                    [all.clone(), all].concat()
                };
            }),
            ("a legal move", |toy| toy.moves = |_, _| Vec::new()),
        ],
    );
    // The limits themselves are within the range.
    passes("Evaluate", |toy| {
        toy.outcome = |_, state| (state.left == 0).then_some(Outcome(Outcome::LIMIT));
        toy.evaluate = |_, _| Outcome(Outcome::LIMIT);
    });
    passes("Evaluate", |toy| {
        toy.outcome = |_, state| (state.left == 0).then_some(Outcome(-Outcome::LIMIT));
        toy.evaluate = |_, _| Outcome(-Outcome::LIMIT);
    });
}

#[test]
fn broken_notation_is_found() {
    found(
        "Notation",
        &[
            ("one line of text", |toy| toy.format = |toy, state| right::format(toy, state) + "\n"),
            ("one line of text", |toy| toy.format = |toy, state| right::format(toy, state) + "\r"),
            ("to parse to", |toy| toy.parse = |_, text| Err(Invalid::new(text, "nothing"))),
            ("to parse to", |toy| {
                toy.parse =
                    |toy, text| right::parse(toy, text).map(|state| State { lead: 0, ..state });
            }),
            // What comes of a damaged text, a whole or a cut one, is a position as well.
            ("`99 0 0 Second` to parse to Ok(State { left: 99", |toy| {
                toy.parse = |toy, text| {
                    let whole = text.len() >= 9;
                    let nowhere = State { left: 99, token: 0, lead: 0, turn: Side::Second };
                    match right::parse(toy, text).ok().filter(|state| state.left < 99) {
                        None if whole && !text.starts_with("99") => Ok(nowhere),
                        state => state.ok_or_else(|| Invalid::new(text, "a position")),
                    }
                };
            }),
            ("`99 0 0 Second` to parse to Ok(State { left: 99", |toy| {
                toy.parse = |toy, text| {
                    let nowhere = State { left: 99, token: 0, lead: 0, turn: Side::Second };
                    match right::parse(toy, text).ok().filter(|state| state.left < 99) {
                        None if text.len() < 9 => Ok(nowhere),
                        state => state.ok_or_else(|| Invalid::new(text, "a position")),
                    }
                };
            }),
        ],
    );
    // A position may have the empty text.
    passes("Notation", |toy| {
        toy.format = |toy, state| match *state == right::start(toy) {
            true => String::new(),
            false => right::format(toy, state),
        };
        toy.parse = |toy, text| match text {
            "" => Ok(right::start(toy)),
            _ => right::parse(toy, text)
                .ok()
                .filter(|state| *state != right::start(toy))
                .ok_or_else(|| Invalid::new(text, "a position")),
        };
    });
}

/// A scene with another first place.
fn with_area(scene: Scene, change: impl Fn(&mut Area)) -> Scene {
    let mut scene = scene;
    change(&mut scene.places[0].spot);
    scene
}

#[test]
fn broken_pictures_are_found() {
    found(
        "Picture",
        &[
            ("a whole number of rows", |toy| {
                toy.draw = |toy, state| {
                    let Drawing::Grid(mut grid) = right::draw(toy, state) else { unreachable!() };
                    grid.cells.pop();
                    Drawing::Grid(grid)
                };
            }),
            ("a label for each row", |toy| {
                toy.draw = |toy, state| {
                    let Drawing::Grid(mut grid) = right::draw(toy, state) else { unreachable!() };
                    grid.row_labels.pop();
                    Drawing::Grid(grid)
                };
            }),
            ("something to see", |toy| toy.draw = |_, _| Drawing::Lines(vec![" ".to_owned()])),
            ("something to see", |toy| {
                toy.scene = |toy, state| Scene { shapes: Vec::new(), ..right::scene(toy, state) };
            }),
            ("as many places as at the start", |toy| {
                toy.scene = |toy, state| {
                    let mut scene = right::scene(toy, state);
                    scene.places.truncate(if state.left == 3 { 3 } else { 4 });
                    scene
                };
            }),
            ("a place where it is at the start", |toy| {
                toy.scene = |toy, state| {
                    let mut scene = right::scene(toy, state);
                    scene.places[1].area.width -= if state.left == 3 { 0.5 } else { 0.0 };
                    scene
                };
            }),
            ("within the scene", |toy| {
                toy.scene = |toy, state| with_area(right::scene(toy, state), |area| area.x = -0.1);
            }),
            ("within the scene", |toy| {
                toy.scene = |toy, state| with_area(right::scene(toy, state), |area| area.y = -0.1);
            }),
            ("within the scene", |toy| {
                toy.scene =
                    |toy, state| with_area(right::scene(toy, state), |area| area.width = 0.0);
            }),
            ("within the scene", |toy| {
                toy.scene =
                    |toy, state| with_area(right::scene(toy, state), |area| area.height = 0.0);
            }),
            ("within the scene", |toy| {
                toy.scene = |toy, state| with_area(right::scene(toy, state), |area| area.x = 3.5);
            }),
            ("within the scene", |toy| {
                toy.scene = |toy, state| with_area(right::scene(toy, state), |area| area.y = 0.5);
            }),
            // The whole place, as well as where a piece stands.
            ("within the scene", |toy| {
                toy.scene = |toy, state| {
                    let mut scene = right::scene(toy, state);
                    scene.places[0].area.x = -1.0;
                    scene
                };
            }),
            ("as many numbers as at the start", |toy| {
                toy.contents = |toy, state| match state.left {
                    3 => Vec::new(),
                    _ => right::contents(toy, state),
                };
            }),
            ("other numbers for another position", |toy| {
                toy.contents = |_, state| vec![state.left.into(), state.token as i16];
            }),
            ("left to click places of the scene", |toy| {
                toy.clicks = |toy, state, mv| match mv.0 {
                    Kind::Left => vec![0, 4],
                    _ => right::clicks(toy, state, mv),
                };
            }),
            ("wait to click places of the scene", |toy| {
                toy.destination = |_, _, mv| (mv.0 == Kind::Wait).then_some(4);
            }),
            ("right and take to click different places", |toy| {
                toy.clicks = |toy, state, mv| match mv.0 {
                    Kind::Left => right::clicks(toy, state, mv),
                    Kind::Take | Kind::Right => vec![1, 2],
                    Kind::Wait => vec![],
                };
            }),
            ("take to click places that are not among those of right", |toy| {
                toy.clicks = |toy, state, mv| match mv.0 {
                    Kind::Take => vec![state.token.into()],
                    _ => right::clicks(toy, state, mv),
                };
            }),
        ],
    );
    passes("Picture", |toy| toy.draw = |_, _| Drawing::Lines(vec!["text".to_owned()]));
    passes("Picture", |toy| {
        toy.draw = |toy, state| {
            let Drawing::Grid(mut grid) = right::draw(toy, state) else { unreachable!() };
            grid.row_labels.clear();
            Drawing::Grid(grid)
        };
    });
    // Not every game has numbers.
    passes("Picture", |toy| toy.contents = |_, _| Vec::new());
    // The order of the places may tell moves apart.
    passes("Picture", |toy| {
        toy.clicks = |_, _, mv| match mv.0 {
            Kind::Left => vec![3],
            Kind::Take => vec![1, 2],
            Kind::Right => vec![2, 1],
            Kind::Wait => vec![],
        };
    });
    // Any number of moves may be chosen by their texts alone.
    passes("Picture", |toy| toy.clicks = |_, _, _| Vec::new());
}

#[test]
fn broken_measures_and_opinions_are_found() {
    found(
        "Acyclic",
        &[
            ("progress above", |toy| toy.progress = |toy, state| right::progress(toy, state) / 4),
            ("progress above", |toy| toy.progress = |_, state| state.left.into()),
            ("fewer than 3 plies left after take", |toy| {
                toy.plies_left = |_, state| Some(u32::from(state.left).max(3))
            }),
            ("fewer than 5 plies left after wait", |toy| {
                toy.plies_left = |_, state| (state.left > 3).then_some(state.left.into())
            }),
        ],
    );
    found(
        "Acyclic and Indexed",
        &[("the progress of the state of its number", |toy| {
            toy.progress = |_, state| state.turn.index() as u32
        })],
    );
    passes("Acyclic", |toy| toy.plies_left = |_, _| None);
    // A promise that is not made is not checked, and not told of.
    let unranked = flawed(|toy| {
        toy.progress = |_, state| u32::from(state.token);
        toy.is_acyclic = |_| false;
    });
    for promise in ["Acyclic", "Acyclic and Indexed"] {
        assert_eq!(check(&unranked, promise).unwrap().promises, ["Game"]);
    }
    found(
        "Evaluate",
        &[
            ("a result within", |toy| toy.evaluate = |_, _| Outcome(Outcome::LIMIT + 1)),
            ("a result within", |toy| toy.evaluate = |_, _| Outcome(-Outcome::LIMIT - 1)),
        ],
    );
    found("Order", &[("the same priority", |toy| toy.order = |_, _, _| call() as i32)]);
}

#[test]
fn broken_codes_are_found() {
    let flaws: [(&str, Change); 5] = [
        ("at most 128 bits", |toy| toy.bits = |_| 129),
        ("a number below 2^27", |toy| toy.bits = |_| 27),
        ("to decode to", |toy| {
            toy.decode = |toy, code| right::decode(toy, code & !(1 << 9));
        }),
        ("to decode to", |toy| toy.encode = |_, _| 0),
        ("to decode to", |toy| toy.encode = |toy, state| right::encode(toy, state) ^ 1 << 25),
    ];
    found("Encode", &flaws);
    found("merged", &flaws);
    // Whole states are encoded, or only those that stand for them.
    let few = |toy: &mut Toy| {
        toy.decode = |toy, code| State { lead: 0, turn: Side::First, ..right::decode(toy, code) };
    };
    passes("merged", few);
    found("Encode", &[("to decode to", few)]);
    passes("Encode", |toy| toy.bits = |_| 128);
}

/// Other numbers are decoded too: each that differs in one bit, and some of any bits; all below the
/// limit.
#[test]
fn any_number_is_unpacked() {
    fn watched(toy: &Toy, code: u128) -> State {
        ASKED.with_borrow_mut(|asked| asked.push(code));
        right::decode(toy, code)
    }
    for (bits, toy) in [
        (33, flawed(|toy| toy.decode = watched)),
        (
            128,
            flawed(|toy| {
                toy.bits = |_| 128;
                toy.decode = watched;
            }),
        ),
    ] {
        check(&toy, "Encode").unwrap();
        let asked = ASKED.take();
        let near = |code: u128| {
            let flipped = |bit: u32| code ^ 1 << bit;
            (0..bits).all(|bit| asked.contains(&flipped(bit)))
        };
        assert!(near(right::encode(&toy, &toy.start())));
        assert!(bits == 128 || asked.iter().all(|code| code >> bits == 0));
        // Numbers of all bits: the words of some differ, and none of these is small.
        let word = |code: u128, at: u32| (code >> (32 * at)) as u32;
        let mixed = |code: &u128| {
            let words: Vec<_> = (0..bits / 32).map(|at| word(*code, at)).collect();
            words.iter().all(|word| *word > 1 << 20) && words.windows(2).all(|w| w[0] != w[1])
        };
        assert!(asked.iter().filter(|code| mixed(code)).count() > 10);
    }
}

#[test]
fn broken_symmetry_is_found() {
    found(
        "Symmetry",
        &[
            ("the representative of a representative", |toy| {
                toy.representative = |_, state| State { turn: state.turn.other(), ..*state };
            }),
            ("the same side to move in the representative", |toy| toy.exchanges = |_| false),
            ("without symmetry every position to stand for itself", |toy| toy.images = |_| 1),
            ("the representative of an image", |toy| {
                toy.image = |toy, state, number| {
                    let image = right::image(toy, state, number)?;
                    Some(State { left: image.left + u8::from(number == 3), ..image })
                };
            }),
            ("the representative to be an image", |toy| {
                toy.image = |_, state, number| (number < 4).then_some(*state);
            }),
            // The first player gets a point more in the end, whoever moves.
            ("the mover's result", |toy| {
                toy.outcome = |toy, state| right::outcome(toy, state).map(|o| Outcome(o.0 + 1));
            }),
            ("the mover's result", |toy| {
                toy.image = |_, state, number| (number == 0).then_some(*state);
                toy.representative = |toy, state| match state.left {
                    0 => State { left: 1, ..right::representative(toy, state) },
                    _ => right::representative(toy, state),
                };
            }),
            ("children like the representative's", |toy| {
                toy.image = |_, state, number| (number == 0).then_some(*state);
                toy.representative = |toy, state| match state.left {
                    1.. => State { token: 0, ..right::representative(toy, state) },
                    0 => right::representative(toy, state),
                };
            }),
            // Endless play is a point more to the first player, whoever moves.
            ("the mover's value of endless play, as in the representative", |toy| {
                toy.endless = |toy, state| Outcome(right::endless(toy, state).0 + 1);
            }),
            // One of two moves that lead to alike positions is missing to the second player.
            ("children like the representative's", |toy| {
                toy.fields = 3;
                toy.start = |_| State { token: 0, ..START };
                toy.moves = |toy, state| {
                    let mut all = right::moves(toy, state);
                    all.retain(|mv| {
                        (state.turn, state.token, mv.0) != (Side::Second, 1, Kind::Left)
                    });
                    all
                };
            }),
            // Who waits moves again, unless it is the second player.
            ("children like the representative's", |toy| {
                toy.play = |toy, state, mv| match (mv.0, state.turn, state.lead) {
                    (Kind::Wait, Side::Second, 0) => {
                        State { turn: Side::First, ..right::play(toy, state, mv) }
                    }
                    _ => right::play(toy, state, mv),
                };
            }),
        ],
    );
    passes("Symmetry", |toy| {
        toy.representative = |_, state| *state;
        toy.exchanges = |_| false;
        toy.image = |_, state, number| (number == 0).then_some(*state);
    });
}

#[test]
fn broken_banks_are_found() {
    found(
        "Banked",
        &[
            ("no points in the position without a bank", |toy| {
                toy.banked = |toy, state| Value(right::banked(toy, state).0 + 1);
            }),
            ("the position without a bank to stay the same", |toy| {
                toy.unbanked = |toy, state| {
                    let token = (state.token + 1) % 4;
                    State { token, ..right::unbanked(toy, state) }
                };
            }),
            ("the same side to move without a bank", |toy| {
                toy.unbanked = |_, state| State { lead: 0, turn: Side::First, ..*state };
            }),
            ("the mover's result without a bank", |toy| {
                toy.outcome = |toy, state| right::outcome(toy, state).map(|o| Outcome(2 * o.0));
            }),
            ("the mover's result without a bank", |toy| {
                toy.unbanked = |toy, state| match state.left {
                    0 => State { lead: 0, token: 0, ..*state },
                    _ => right::unbanked(toy, state),
                };
            }),
            ("the mover's value of endless play without a bank", |toy| {
                toy.endless = |_, _| Outcome::DRAW;
            }),
            ("moves as without a bank", |toy| {
                toy.play = |toy, state, mv| {
                    let then = right::play(toy, state, mv);
                    // Who has points gains more of them.
                    State { lead: then.lead + state.lead.signum(), ..then }
                };
            }),
            ("moves as without a bank", |toy| {
                toy.moves = |toy, state| {
                    let mut all = right::moves(toy, state);
                    all.truncate(if state.lead == 0 { 4 } else { 1 });
                    all
                };
            }),
        ],
    );
}

/// Where play cannot loop, nobody asks what endless play is worth.
#[test]
fn banks_count_in_endless_play_where_there_can_be_any() {
    let toy = flawed(|toy| toy.endless = |_, _| Outcome::DRAW);
    Conform::new(&toy).acyclic().banked().finish().unwrap();
    let looping = flawed(|toy| {
        toy.endless = |_, _| Outcome::DRAW;
        toy.is_acyclic = |_| false;
    });
    let broken = Conform::new(&looping).acyclic().banked().finish().unwrap_err();
    assert_eq!(broken.promise, "Banked");
}

/// The token goes on for ever: no stick is taken.
fn round_and_round(toy: &Toy, state: &State, mv: Move) -> State {
    State { left: state.left, lead: state.lead, ..right::play(toy, state, mv) }
}

#[test]
fn endless_play_has_one_worth_along_a_loop() {
    // It differs from field to field, and by whose turn it is.
    let by_field: fn(&Toy, &State) -> Outcome = |_, state| Outcome(state.token.into());
    let by_turn: fn(&Toy, &State) -> Outcome = |_, state| Outcome::win(state.turn);
    for endless in [by_field, by_turn] {
        let mut toy = Toy::new();
        toy.endless = endless;
        Conform::new(&toy).finish().unwrap();
        toy.play = round_and_round;
        let broken = Conform::new(&toy).finish().unwrap_err();
        assert!(broken.expected.contains("the outcome of endless play at"), "{broken}");
    }
    // It may differ from one loop to another.
    let mut toy = Toy::new();
    toy.endless = |_, state| Outcome(state.left.into());
    toy.play = |toy, state, mv| match mv.0 {
        Kind::Take => right::play(toy, state, mv),
        _ => round_and_round(toy, state, mv),
    };
    Conform::new(&toy).finish().unwrap();
}

#[test]
fn broken_numbers_are_found() {
    found(
        "Indexed",
        &[
            ("the layer of the position", |toy| toy.layer = |_, _| 0),
            ("a layer below 2", |toy| toy.layers = |_| 2),
            ("a number below 6 in layer 2", |toy| toy.size = |_, _| 6),
            ("number 6 of layer 2 to be", |toy| toy.state = |_, _, _| None),
            ("number 6 of layer 2 to be", |toy| {
                toy.merges = |_| false;
                toy.state = |toy, layer, index| {
                    let state = right::state(toy, layer, index)?;
                    Some(State { turn: Side::Second, ..state })
                };
            }),
            ("the state of a number to have it", |toy| {
                toy.state = |toy, layer, index| {
                    let state = right::state(toy, layer, index)?;
                    Some(State { token: 1 - state.token, ..state })
                };
            }),
            ("nothing banked there", |toy| {
                toy.state =
                    |toy, layer, index| Some(State { lead: 1, ..right::state(toy, layer, index)? });
            }),
            ("moves to lead to the same numbers", |toy| {
                toy.index = |_, state| (u32::from(state.left) / 2, u64::from(state.left) % 2 * 4);
            }),
            ("moves to lead to the same numbers", |toy| {
                toy.outcome = |toy, state| right::outcome(toy, state).map(|o| Outcome(2 * o.0));
            }),
            ("predecessors in the same layer", |toy| {
                toy.predecessors = |toy, state| match state.left {
                    0 => Some(vec![*state]),
                    _ => right::predecessors(toy, state),
                };
            }),
            ("predecessors in the same layer", |toy| {
                toy.predecessors =
                    |toy, state| Some(right::earlier(toy, state)).filter(|_| state.left < 4);
            }),
            ("a move from each predecessor", |toy| {
                toy.predecessors = |toy, state| {
                    let wrong = State { left: state.left + 1, lead: state.lead + 9, ..*state };
                    let mut all = right::predecessors(toy, state)?;
                    all.extend((state.left % 2 == 0).then_some(wrong));
                    Some(all)
                };
            }),
            ("among the predecessors of", |toy| {
                toy.predecessors = |toy, state| {
                    right::predecessors(toy, state).map(|all| all[..all.len().min(1)].to_vec())
                };
            }),
            ("one of the layers [2] after", |toy| toy.layers_after = |_, layer| vec![layer]),
            ("rising layers after", |toy| toy.layers_after = |_, layer| vec![layer, 0]),
            // The lowest layer comes first.
            ("one of the layers [0] after", |toy| {
                toy.predecessors = |_, _| None;
                toy.index = |toy, state| {
                    let (layer, index) = right::index(toy, state);
                    (2 - layer, index)
                };
                toy.layer = |toy, state| 2 - right::layer(toy, state);
                toy.state = |toy, layer, index| right::state(toy, 2u32.checked_sub(layer)?, index);
            }),
            ("the states of single numbers", |toy| {
                toy.states = |toy, layer, part| match part.start {
                    0 => Vec::new(),
                    _ => right::states(toy, layer, part),
                };
            }),
            ("the states of single numbers", |toy| {
                toy.states = |toy, layer, part| {
                    let mut all = right::states(toy, layer, part);
                    all.truncate(1);
                    all
                };
            }),
            // No play meets these numbers.
            ("the number of State { left: 5", |toy| {
                toy.state = |toy, layer, index| match index % 2 {
                    0 => right::state(toy, layer, index),
                    _ => (index < right::size(toy, layer)).then_some(START),
                };
            }),
        ],
    );
    passes("Indexed", |toy| toy.predecessors = |_, _| None);
    // A layer may be empty.
    passes("Indexed", |toy| {
        toy.layers = |_| 9;
        toy.size = |toy, layer| if layer < 3 { right::size(toy, layer) } else { 0 };
    });
    // Numbers of single states.
    passes("Indexed", |toy| {
        toy.merges = |_| false;
        toy.size = |_, _| 16;
        toy.index = |_, state| {
            let place = 2 * u64::from(state.token) + state.turn.index() as u64;
            (u32::from(state.left) / 2, u64::from(state.left) % 2 * 8 + place)
        };
        toy.state = |_, layer, index| {
            let left = (2 * u64::from(layer) + index / 8) as u8;
            let (token, turn) = ((index % 8 / 2) as u16, Side::BOTH[index as usize % 2]);
            Some(State { left, token, lead: 0, turn })
        };
    });
}

/// The right bands of a block, each changed before it is visited.
fn changed<'g>(
    toy: &'g Toy,
    layer: u32,
    block: &Block,
    visit: Visit<'_, 'g>,
    change: impl Fn(&mut Band<'g>),
) {
    right::bands(toy, layer, block, &mut |band| {
        let mut band = band.clone();
        change(&mut band);
        visit(&band);
    });
}

#[test]
fn broken_bands_are_found() {
    found(
        "Banded",
        &[
            ("a value of at most 0 to either side in layer 0", |toy| {
                toy.max_value_in = |_, layers| i32::from(layers > 1) * 99
            }),
            ("endless play with nothing banked to be", |toy| {
                toy.endless = |_, state| Outcome(state.lead + 1);
            }),
            ("blocks of earlier waves to come first", |toy| {
                toy.blocks = |toy, layer| {
                    let mut blocks = right::blocks(toy, layer);
                    blocks.reverse();
                    blocks
                };
            }),
            ("a block of numbers from 0 on", |toy| {
                toy.blocks = |_, _| vec![Block { wave: 0, numbers: 1..8, places: 1, region: 0 }];
            }),
            ("a block of numbers from 4 on", |toy| {
                toy.blocks = |toy, layer| {
                    let mut blocks = right::blocks(toy, layer);
                    blocks[1].numbers.start += 1;
                    blocks
                };
            }),
            ("a block of numbers from 4 on", |toy| {
                toy.blocks = |toy, layer| {
                    let empty = Block { wave: 0, numbers: 4..4, places: 1, region: 0 };
                    let [first, second] = right::blocks(toy, layer).try_into().unwrap();
                    vec![first, empty, second]
                };
            }),
            ("the total of numbers in the blocks to be", |toy| {
                toy.blocks = |toy, layer| right::blocks(toy, layer)[..1].to_vec();
            }),
            ("bands of all numbers of a block", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    right::bands(toy, layer, block, &mut |band| {
                        if band.missing.is_empty() {
                            visit(band);
                        }
                    });
                };
            }),
            ("bands of all numbers of a block", |toy| toy.bands = |_, _, _, _| ()),
            ("a line of Block", |toy| {
                toy.blocks = |toy, layer| {
                    let mut blocks = right::blocks(toy, layer);
                    blocks.iter_mut().for_each(|block| block.places = 3);
                    blocks
                };
            }),
            ("a line of Block", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.nth += 2);
                };
            }),
            ("a line of Block", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.len = 1);
                };
            }),
            ("target places to be a line of a block", |toy| toy.across = |_| false),
            ("target places to be a line of a block", |toy| {
                toy.across = |_| false;
                toy.bands = |toy, layer, block, visit| {
                    let left = 2 * layer as u8 + (block.numbers.start / right::width(toy)) as u8;
                    right::narrow(toy, left, 2, &mut |band| {
                        let mut band = band.clone();
                        let targets = band.moves.iter_mut().flat_map(|mv| &mut mv.to);
                        targets.for_each(|to| to.line.across = true);
                        visit(&band);
                    });
                };
            }),
            ("each number once", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    right::bands(toy, layer, block, visit);
                    right::bands(toy, layer, block, visit);
                };
            }),
            ("is missing", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.missing = vec![0, 1]);
                };
            }),
            ("is missing", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.missing.truncate(1));
                };
            }),
            ("the result of number 2 of layer 0", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.over.truncate(1));
                };
            }),
            ("the result of number 2 of layer 0", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.over.iter_mut().for_each(|(_, value)| value.0 = 0);
                    });
                };
            }),
            ("the result of number 4 of layer", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.over.push((0, Value(0)));
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| _ = band.loose.pop());
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.loose.iter_mut().for_each(|loose| loose.gain += 1);
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.moves.iter_mut().for_each(|mv| mv.passes = true);
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.moves.iter_mut().for_each(|mv| mv.gain = 1);
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.moves.truncate(1));
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.ways.iter_mut().for_each(|way| way.gain = 1);
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.splits.iter_mut().for_each(|split| split.passes = false);
                    });
                };
            }),
            ("a way from each of 2 places", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        let splits = band.splits.iter_mut();
                        splits.for_each(|split| split.which = &split.which[..1]);
                    });
                };
            }),
            ("a way from each of 2 places", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.splits.iter_mut().for_each(|split| split.to = &split.to[..1]);
                    });
                };
            }),
            ("one of 1 ways from each place", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.splits.iter_mut().for_each(|split| split.ways.end = 1);
                    });
                };
            }),
            ("one of 0 ways from each place", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| band.ways.truncate(1));
                };
            }),
            ("targets below 1", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        let targets = band.moves.iter_mut().flat_map(|mv| &mut mv.to);
                        targets.for_each(|to| to.line.len = 1);
                    });
                };
            }),
            ("target places to be a line of a block", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        let targets = band.moves.iter_mut().flat_map(|mv| &mut mv.to);
                        targets.for_each(|to| to.line.len += 100);
                    });
                };
            }),
            ("target places to be a line of a block", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        let targets = band.moves.iter_mut().flat_map(|mv| &mut mv.to);
                        targets.for_each(|to| to.block += 2);
                    });
                };
            }),
            ("the moves of number", |toy| {
                toy.bands = |toy, layer, block, visit| {
                    changed(toy, layer, block, visit, |band| {
                        band.moves.iter_mut().for_each(|mv| mv.to = None);
                    });
                };
            }),
            ("to lead to earlier waves", |toy| {
                toy.blocks = |toy, layer| {
                    let mut blocks = right::blocks(toy, layer);
                    blocks[1].wave = 0;
                    blocks
                };
            }),
            ("to lead to earlier waves", |toy| {
                // One block, which moves lead to from itself.
                toy.across = |_| false;
                toy.blocks = |_, _| vec![Block { wave: 0, numbers: 0..8, places: 2, region: 0 }];
                toy.bands = |toy, layer, _, visit| {
                    for odd in [0, 1] {
                        right::narrow(toy, 2 * layer as u8 + odd, 2, &mut |band| {
                            let mut band = band.clone();
                            band.nth += 2 * u32::from(odd);
                            for to in band.moves.iter_mut().flat_map(|mv| &mut mv.to) {
                                to.line.nth += 2 * std::mem::take(&mut to.block);
                            }
                            visit(&band);
                        });
                    }
                };
            }),
        ],
    );
    let banked = flawed(|toy| {
        toy.start = |_| State { lead: 100, ..START };
        toy.max_value_in = |_, _| -1;
    });
    assert_eq!(check(&banked, "Banded").unwrap_err().found, "0", "what is banked is left out");
}

/// Of blocks with very many bands the first are looked at, and that of the position.
#[test]
fn blocks_with_many_bands() {
    passes("Banded", |toy| toy.fields = 2_000);
    let first = |toy: &mut Toy| {
        toy.fields = 2_000;
        toy.bands = |toy, layer, block, visit| {
            changed(toy, layer, block, visit, |band| {
                if band.nth < 64 {
                    band.moves.truncate(1);
                }
            });
        };
    };
    let own = |toy: &mut Toy| {
        toy.fields = 2_000;
        toy.bands = |toy, layer, block, visit| {
            changed(toy, layer, block, visit, |band| {
                if band.nth > 950 {
                    band.moves.truncate(1);
                }
            });
        };
    };
    found("Banded", &[("the moves of number", first), ("the moves of number", own)]);
    let without = |toy: &mut Toy| {
        toy.fields = 2_000;
        toy.bands = |toy, layer, block, visit| {
            right::bands(toy, layer, block, &mut |band| {
                if band.nth < 950 {
                    visit(band);
                }
            });
        };
    };
    found("Banded", &[("bands of all numbers of a block", without)]);
}

/// Conform takes little time: 300 positions, and no layer of more than 2^21 numbers.
#[test]
fn large_layers_and_many_positions() {
    fn counted<'g>(toy: &'g Toy, layer: u32, block: &Block, visit: Visit<'_, 'g>) {
        call();
        right::bands(toy, layer, block, visit);
    }
    let many = flawed(|toy| {
        toy.sticks = 30;
        toy.bands = counted;
    });
    assert!(check(&many, "Banded").unwrap().positions > 300);
    assert_eq!(CALLS.replace(0), 300);
    let large = flawed(|toy| {
        toy.size = |_, _| (1 << 21) + 1;
        toy.bands = counted;
    });
    assert!(check(&large, "Banded").is_ok());
    assert_eq!(CALLS.get(), 0);
    found(
        "Banded",
        &[("the total of numbers in the blocks to be", |toy| toy.size = |_, _| 1 << 21)],
    );
}

#[test]
fn broken_foresight_is_found() {
    found(
        "SearchHints",
        &[
            ("a history slot below 3", |toy| toy.history_slots = |_| 3),
            ("a key below 2^3", |toy| toy.key_bits = |_| 3),
            ("a key below 2^0", |toy| toy.key_bits = |_| 0),
            ("a key below 2^65", |toy| toy.key_bits = |_| 65),
            ("quick bounds around", |toy| toy.quick_bounds = |_, _| (Value(99), Value(100))),
            ("quick bounds around", |toy| toy.quick_bounds = |_, _| (Value(-100), Value(-99))),
            ("the same value as", |toy| {
                toy.key = |toy, state| Some((state.left.into(), right::banked(toy, state)));
            }),
            ("which has the same key", |toy| {
                toy.key = |toy, state| Some((right::key(toy, state)?.0, Value(0)));
            }),
            ("bounds around", |toy| toy.bounds_and_moves = |_, _, _| (Value(99), Value(100))),
            ("bounds around", |toy| toy.bounds_and_moves = |_, _, _| (Value(-100), Value(-99))),
            ("bounds around", |toy| toy.bounds_and_moves = |_, _, _| (Value(0), Value(0))),
            ("a priority within ±2^20", |toy| toy.priority = |_, _, _| (1 << 20) + 1),
            ("the best of the listed moves", |toy| {
                toy.bounds_and_moves = |toy, state, list| {
                    right::moves(toy, state).into_iter().skip(1).for_each(|mv| list.push(0, mv));
                    right::quick_bounds(toy, state)
                };
            }),
        ],
    );
    found(
        "Banded and SearchHints",
        &[("at most 3 layers", |toy| toy.endgame = |toy, _| right::layers(toy) + 1)],
    );
    passes("SearchHints", |toy| toy.key_bits = |_| 64);
    // Without keys and hints there is less to check.
    passes("SearchHints", |toy| {
        toy.key = |_, _| None;
        toy.quick_bounds = |_, _| (Value(i32::MIN), Value(i32::MAX));
    });
    // Values that plain search does not find at once are not asked for.
    passes("SearchHints", |toy| {
        toy.sticks = 30;
        toy.key_bits = |_| 6;
    });
}
