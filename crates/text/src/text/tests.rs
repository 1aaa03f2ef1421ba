//! The shipped texts, and texts that have to be refused.

use std::collections::HashMap;

use foregone_rules::sample::Dice;
use foregone_rules::{Game, Notation, Symmetry};

use super::*;
use crate::budget::Budget;
use crate::{SHIPPED, Shipped};

/// The texts that come with the crate.
fn texts() -> impl Iterator<Item = (String, Text)> {
    SHIPPED.iter().map(|&Shipped { name, source, .. }| {
        let text = Text::parse(source);
        let text = text.unwrap_or_else(|problems| panic!("{}", problems.shown(name)));
        (name.to_owned(), text)
    })
}

#[test]
fn all_texts_are_in_the_list() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    names.sort_unstable();
    assert_eq!(names, SHIPPED.iter().map(|text| text.name).collect::<Vec<_>>());
}

#[test]
fn texts_are_in_the_usual_form() {
    for (name, text) in texts() {
        assert_eq!(text.formatted(), text.source(), "{name}");
        let bare = Text::parse(&text.bare()).unwrap();
        let rules = |text: &Text| {
            let rules = text.rules(&[]).unwrap();
            // No rule depends on the picture.
            format!("{:?}", Rules { largest: None, picture: Default::default(), ..rules })
        };
        assert_eq!(rules(&bare), rules(&text), "{name}");
        assert_eq!(bare.bare(), text.bare(), "{name}");
        assert_eq!(bare.name().replace('è', "e"), name);
    }
}

/// Every word of the language stands in an example of docs/rules.md that is run, and in its grammar.
#[test]
fn the_documentation_has_all_words() {
    let text = include_str!("../../README.md");
    let words = |kinds: &[&str]| {
        let begins = kinds.iter().map(|kind| format!("```{kind}\n")).collect::<Vec<_>>();
        let blocks = begins.iter().flat_map(|begin| text.split(begin.as_str()).skip(1));
        let blocks = blocks.map(|rest| rest.split("```").next().unwrap_or(""));
        let is_letter = |c: char| c.is_alphanumeric() || c == '_';
        let parts = blocks.flat_map(|block| block.split(move |c: char| !is_letter(c)));
        parts.collect::<std::collections::HashSet<_>>()
    };
    let (run, grammar) = (words(&["rules", "words", "ring"]), words(&["grammar"]));
    let functions = typed::FUNCTIONS.iter().map(|(name, _)| *name);
    for word in functions.chain(typed::SETS) {
        assert!(run.contains(word), "no example has `{word}`");
    }
    for word in syntax::ITEMS.into_iter().chain(syntax::OTHERS).chain(syntax::STATEMENTS) {
        assert!(run.contains(word), "no example has `{word}`");
        assert!(grammar.contains(word), "the grammar has no `{word}`");
    }
}

/// The grammar for editors knows all words of the language.
#[test]
fn the_grammar_has_all_words() {
    let grammar = include_str!("../../rules.tmLanguage.json");
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let known: Vec<&str> = grammar.split(|c: char| !is_letter(c)).collect();
    // `\\b` stands before the first word of a list.
    let has = |word: &str| known.contains(&word) || known.contains(&&*format!("b{word}"));
    let functions = typed::FUNCTIONS.iter().map(|(name, _)| *name);
    let words = syntax::ITEMS.into_iter().chain(syntax::OTHERS).chain(syntax::STATEMENTS);
    for word in words.chain(typed::SETS).chain(functions) {
        assert!(has(word), "{word}");
    }
}

/// On other boards these words are names as before.
#[test]
fn names_of_what_is_between_squares_are_free_without_edges() {
    let text = |board: &str| {
        let text = format!(
            "game T\nboard {board}\npiece edges X O\nstuck draws\nmove\n  choose at in empty\n  put edges on at\n"
        );
        let loaded = Text::parse(&text).and_then(|text| text.load(&[]));
        loaded.map(drop).map_err(|problems| problems.to_string())
    };
    assert_eq!(text("2 2"), Ok(()));
    let refused = text("2 2 with edges").unwrap_err();
    assert!(refused.contains("`edges` is a word of the language"), "{refused}");
    let unknown = text("2 2 with walls").unwrap_err();
    assert!(unknown.contains("expected `edges`, found `walls`"), "{unknown}");
}

/// A definition is what it stands for: the rules are the same, step by step.
#[test]
fn definitions_stand_for_expressions() {
    let tree = |source: &str| {
        load(source).unwrap_or_else(|why| panic!("{why}\n{source}")).tree(None).unwrap()
    };
    let before =
        "game Near\nboard 4 3\npiece man X O\nnumber k = 0 in 0..9\nway ahead n s\nstuck loses\n";
    let written = "move\n  choose at in around(mine) & empty | (empty - beside(theirs))\n  put man on at\n  k = k + count(around(at) & mine)\nend\n  if k + 1 > 4 or line(mine, 3): win\n";
    let named = "define close(S, T) = around(S) & T\ndefine own(S) = close(S, mine)\ndefine much = k + 1 > 4\ndefine won = much or line(mine, 3)\nmove\n  choose at in close(mine, empty) | (empty - beside(theirs))\n  put man on at\n  k = k + count(own(at))\nend\n  if won: win\n";
    assert_eq!(tree(&[before, written].concat()), tree(&[before, named].concat()));
    // In random texts, too, every step around a set may be a definition.
    let (mut games, mut used) = (0, 0);
    for seed in 0..300 {
        let source = foregone_trial::texts::text(seed);
        let Ok(game) = load(&source) else { continue };
        games += 1;
        let uses = source.matches("around(").count();
        used += uses;
        let named = source.replace("around(", "close(");
        let place = named.find("way ").unwrap();
        let named = [&named[..place], "define close(S) = around(S)\n", &named[place..]].concat();
        assert_eq!(tree(&named), game.tree(None).unwrap(), "{named}");
    }
    assert!(games > 100 && used > 50, "{games} {used}");
}

#[test]
fn wrong_definitions_are_named() {
    let wrong = |lines: &str, choice: &str| {
        let source = format!(
            "game Near\nboard 4 3\npiece man X O\nstuck loses\n{lines}\nmove\n  choose at in {choice}\n  put man on at\n"
        );
        load(&source)
            .unwrap_err()
            .iter()
            .map(|problem| problem.message.clone())
            .collect::<Vec<_>>()
            .join("; ")
    };
    for (lines, choice, message) in [
        ("define a = b\ndefine b = a", "a", "is defined by itself"),
        ("define a(S) = a(e(S))", "a(mine)", "is defined by itself"),
        ("define a(S) = e(S)", "a", "expected `a(S)`, found 0 arguments"),
        ("define a(S, T) = S & T", "a(mine)", "expected `a(S, T)`, found 1 argument"),
        ("define a(S, S) = S", "a(mine, mine)", "`S` is there twice"),
        ("define a(mine) = mine", "empty", "`mine` is a word of the language"),
        ("define man = empty", "man", "is the name of something else already"),
        ("define a = nothing", "empty", "nothing is called `nothing`"),
        ("define a(S) = S - other", "a(mine)", "nothing is called `other`"),
        ("define a(S) = S + 1", "a(mine)", "expected"),
        ("define a", "empty", "expected"),
        ("define a(", "empty", "expected"),
    ] {
        let found = wrong(lines, choice);
        assert!(found.contains(message), "{lines}: {found}");
    }
    // A definition sees no name of the block that uses it.
    let source = "game Near\nboard 4 3\npiece man X O\nstuck loses\ndefine a = empty - at\nmove\n  choose at in mine\n  choose to in a\n  move at -> to\n";
    let found = load(source).unwrap_err().to_string();
    assert!(found.contains("nothing is called `at`"), "{found}");
    // Expressions that double at each step are as large as they would be written out.
    let mut lines = String::from("define a0(S) = S | e(S)\n");
    for at in 1..60 {
        lines += &format!("define a{at}(S) = a{}(a{}(S)) | a{}(S)\n", at - 1, at - 1, at - 1);
    }
    assert!(wrong(&lines, "a59(mine)").contains("too large"), "as a text that is too long");
}

/// What people write who know other languages is answered with the words of this one.
#[test]
fn words_of_other_languages_are_answered() {
    for (line, message) in [
        ("m |= at", "write `m = m | ...`"),
        ("let z = none", "`all - all` is a set without cells"),
        ("let z = true", "a test is asked for by itself"),
        ("let z = win", "it is a statement"),
        ("for x in 1..3", "`repeat 3`"),
        ("if at: win else: lose", "begins a line of its own"),
        ("let z = row", "nothing is called `row`: row(number), or row(cell)"),
    ] {
        let source = format!(
            "game Near\nboard 4 3\npiece man X O\nmark m\nstuck loses\nmove\n  choose at in empty\n  put man on at\n  {line}\n"
        );
        let found = load(&source).unwrap_err().to_string();
        assert!(found.contains(message), "{line}: {found}");
    }
}

/// What stands at the top of a text is answered in the words of its author.
#[test]
fn parts_at_the_top_are_answered() {
    for (top, message) in [
        ("board 3 3\nrequire no mine", "depends on the position"),
        ("board 3 3 without mine", "depends on the position"),
        ("board 3 3\nendless draws", "expected draw, win, lose or score"),
        ("board torus 3 3 copies 2", "only a board of columns and rows has edges, or copies"),
        ("board 3 3 copies 2 without column(4)", "counted with the gaps"),
        ("board 3 3\npiece turn T t", "`turn` begins a statement"),
        ("board 3 3\nmark min", "`min` is a word of the language"),
        ("board 3 3\nstart\n  let z = a1\n  choose at in z", "5:3: the start has no choices"),
    ] {
        let source = format!(
            "game Near\n{top}\npiece man X O\nstuck loses\nmove\n  choose at in empty\n  put man on at\n"
        );
        let found = load(&source).unwrap_err().to_string();
        assert!(found.contains(message), "{top}: {found}");
    }
}

#[test]
fn only_spaces_change() {
    let wild = "#  top\n\n\ngame   Wild  thing#x\nparameter n=-1 in -3..3 by 2:how   many, ( x )\n\n\nboard   points\n        a - b\n           #   point\n        c-d\npiece s  X O\nnumber k=min( 2,n+4 ) in 0 .. 9\nstuck loses\nstart\n     X . \n      . O\nmove\n     # cells\n     choose at in( empty )-(a|b)&  - 1\n     if not(no at)and-1<n :clear at\n     move at->a\n";
    let usual = "# top\n\ngame Wild thing  # x\nparameter n = -1 in -3..3 by 2: how many, ( x )\n\nboard points\n  a - b\n  # point\n  c-d\npiece s X O\nnumber k = min(2, n + 4) in 0..9\nstuck loses\nstart\n  X .\n   . O\nmove\n  # cells\n  choose at in (empty) - (a | b) & -1\n  if not (no at) and -1 < n: clear at\n  move at -> a\n";
    assert_eq!(syntax::formatted(wild, true), usual);
    assert_eq!(syntax::formatted(usual, true), usual);
    assert_eq!(syntax::formatted("piece+   s X O\n", true), "piece+ s X O\n");
}

#[test]
fn the_machine_agrees_with_the_interpreter() {
    for (name, text) in texts() {
        let rules = text.rules(&[]).unwrap();
        let large = Large::new(&rules, text.sides()).unwrap().unwrap();
        let wide = Wide::new(&rules, text.sides()).unwrap().unwrap();
        for game in [text.load(&[]).unwrap(), Loaded::Large(large), Loaded::Wide(wide)] {
            let compared = game
                .compare(40, &Budget::unlimited())
                .unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(compared > 20, "{name} {compared}");
        }
    }
}

/// Nodes of the tree, the root included.
fn tree<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 || game.outcome(state).is_some() {
        return 1;
    }
    1 + game.moves(state).map(|mv| tree(game, &game.play(state, mv), depth - 1)).sum::<u64>()
}

#[test]
fn known_numbers_of_positions() {
    // As the games in Rust count them.
    let counts = [
        ("tic-tac-toe", 9, 549_946),
        ("connect-four", 5, 19_608),
        ("fox-and-hounds", 6, 6_801),
        ("kalah", 3, 227),
        ("three-mens-morris", 7, 272_746),
    ];
    for (name, text) in texts() {
        let Some((_, depth, count)) = counts.iter().find(|(each, ..)| *each == name) else {
            continue;
        };
        let nodes = match text.load(&[]).unwrap() {
            Loaded::Small(game) => tree(&game, &game.start(), *depth),
            Loaded::Large(game) => tree(&game, &game.start(), *depth),
            Loaded::Wide(game) => tree(&game, &game.start(), *depth),
        };
        assert_eq!(nodes, *count, "{name}");
    }
}

/// Two rows of pits without stores: what each player has captured lies where the stores are.
#[test]
fn captured_seeds_are_shown_as_stores() {
    fn counts<S: crate::Word, const N: usize, const R: usize, const K: usize, const D: usize>(
        game: &crate::TextGame<S, N, R, K, D>,
    ) -> Vec<u16> {
        let state = game.parse("seeds:3,3,0,1,0,0 captured:4,1 first").unwrap();
        let on_board = crate::picture::on_board(game.rules(), &game.unpack(&state));
        (0..8).map(|nth| on_board.count(nth)).collect()
    }
    let (_, text) = texts().find(|(name, _)| name == "awari").unwrap();
    let found = match text.load(&[]).unwrap() {
        Loaded::Small(game) => counts(&game),
        Loaded::Large(game) => counts(&game),
        Loaded::Wide(game) => counts(&game),
    };
    assert_eq!(found, [3, 3, 0, 4, 1, 0, 0, 1]);
}

/// A table needs that endless play is worth the same everywhere.
#[test]
fn where_endless_play_changes_its_worth_is_found() {
    let changes = |(name, text): (String, Text)| {
        text.load(&[]).unwrap().derived().endless_changes.then_some(name)
    };
    assert_eq!(texts().filter_map(changes).collect::<Vec<_>>(), ["awari"]);
}

#[test]
fn no_text_is_read_in_two_ways() {
    let shown = |(name, text): (String, Text)| Some(text.warnings()?.shown(&name));
    assert_eq!(texts().filter_map(shown).collect::<Vec<_>>(), [""; 0]);
}

/// Who reads the rules knows what each text says of play that never ends.
#[test]
fn rules_in_english_say_what_endless_play_is_worth() {
    let mut silent = Vec::new();
    for (name, text) in texts() {
        let loaded = text.load(&[]).unwrap();
        if with_game!(&loaded, game => !game.cannot_loop()) {
            let about = text.about()[0];
            let says = ["without end", "never caught"].iter().any(|words| about.contains(words));
            silent.extend((!says).then_some(name));
        }
    }
    // Sowing into stores and filling a board end, but the text does not prove it.
    assert_eq!(silent, ["kalah", "ohvalhu", "quarto"]);
}

/// Every text keeps what it promises: notation, pictures, clicks, numbers of moves, and codes.
#[test]
fn promises_are_kept() {
    fn check<S: crate::Word, const N: usize, const R: usize, const K: usize, const D: usize>(
        game: &crate::TextGame<S, N, R, K, D>,
    ) -> Result<(), String> {
        let conform = foregone_rules::Conform::new(game).notation().picture();
        let conform = if game.numbering().is_some() { conform.actions() } else { conform };
        let conform = if game.code().is_some() { conform.encode_merged() } else { conform };
        let conform = conform.symmetry();
        let conform = if game.cannot_loop() { conform.acyclic() } else { conform };
        conform.finish().map_err(|flaw| flaw.to_string())?;
        if game.has_hints() {
            // Each position is searched, so they are fewer.
            let fewer = foregone_rules::Conform::sampled(game, 400, 2).acyclic().search_hints();
            fewer.finish().map_err(|flaw| flaw.to_string())?;
        }
        Ok(())
    }
    let mut coded = 0;
    for (name, text) in texts() {
        // On its usual board a search of many positions takes 20 s.
        let given = [("size", "4")];
        let given = if name == "reversi" { &given[..] } else { &[] };
        let kept = match text.load(given).unwrap() {
            Loaded::Small(game) => {
                coded += u32::from(game.code().is_some());
                check(&game)
            }
            Loaded::Large(game) => {
                coded += u32::from(game.code().is_some());
                check(&game)
            }
            Loaded::Wide(game) => check(&game),
        };
        assert_eq!(kept, Ok(()), "{name}");
    }
    assert!(coded > 20, "{coded}");
}

/// Exact search sees a win in one move without making it, and each position of play has a number, which those have that are
/// alike, and no others.
#[test]
fn search_sees_wins_and_tells_positions_apart() {
    fn check<S: crate::Word, const N: usize, const R: usize, const K: usize, const D: usize>(
        game: &crate::TextGame<S, N, R, K, D>,
        name: &str,
    ) -> u32 {
        let (mut dice, mut numbers, mut alike) = (Dice::new(1), HashMap::new(), HashMap::new());
        let mut seen = 0;
        for _ in 0..60 {
            let mut state = game.start();
            while game.outcome(&state).is_none() {
                if game.short_key().is_some() {
                    let least = game.representative(&state);
                    let (number, _) = game.number_of(&state).expect(name);
                    if !game.has_points() {
                        assert_eq!(*numbers.entry(number).or_insert(least), least, "{name}");
                    }
                    assert_eq!(*alike.entry(least).or_insert(number), number, "{name}");
                }
                let next: Vec<_> = game.successors(&state).map(|(_, next)| next).collect();
                if let Some(wins) = game.wins_at_once(&state) {
                    let best = game.max_value();
                    let mut results = next.iter().filter_map(|next| game.outcome(next));
                    let is_won =
                        results.any(|result| result.value_for(game.turn(&state)).0 == best);
                    assert_eq!(wins, is_won, "{name} {}", game.format(&state));
                    seen += u32::from(wins);
                }
                state = next[dice.below(next.len())];
            }
        }
        assert!(seen > 0 || game.wins_at_once(&game.start()).is_none(), "{name}");
        seen
    }
    let mut found = Vec::new();
    for (name, text) in texts() {
        let loaded = text.load(&[]).unwrap();
        if with_game!(&loaded, game => game.cannot_loop() && check(game, &name) > 0) {
            found.push(name);
        }
    }
    let right =
        ["bridg-it", "connect-four", "cylinder-four", "gomoku", "hex", "score-four", "tic-tac-toe"];
    assert_eq!(found, right);
    let bits = |name: &str, given: &[(&str, &str)]| {
        let text = Text::parse(crate::shipped(name).unwrap().source).unwrap();
        with_game!(&text.load(given).unwrap(), game => game.short_key().map(|key| key.bits))
    };
    assert_eq!(bits("dots-and-boxes", &[("columns", "3"), ("rows", "3")]), Some(34));
    assert_eq!(bits("connect-four", &[("columns", "8")]), Some(57));
}

/// A full stack and one with room for one more are not the same where the kinds are not told apart.
#[test]
fn stacks_of_pieces_that_are_alike_have_numbers_of_their_own() {
    let drop = "game Drop\nboard 2 3\npiece disc X O\nstuck loses\nmove\n  choose at in empty & (row(1) | n(mine | \
                theirs))\n  put disc on at\n";
    let loaded = Text::parse(drop).unwrap().load(&[]).unwrap();
    with_game!(&loaded, game => {
        let (mut open, mut numbers) = (vec![game.start()], HashMap::new());
        while let Some(state) = open.pop() {
            let least = game.representative(&state);
            let number = game.number_of(&state).unwrap();
            assert_eq!(*numbers.entry(number).or_insert(least), least, "{}", game.format(&state));
            open.extend(game.successors(&state).map(|(_, next)| next));
        }
        assert!(numbers.len() > 5);
    });
}

/// A name of one cell that comes to hold several steps from all of them.
#[test]
fn a_chosen_cell_can_become_more_cells() {
    let text = Text::parse(
        "game Cross
board points
  a-b-c
  |X|X|
  d-e-f
piece stone X
stuck loses
move
  choose at in empty
  at = at | beside(at) & empty
  put stone on beside(at) - at
  put stone on at & (a | f)
",
    );
    let loaded = text.unwrap().load(&[]).unwrap();
    assert!(loaded.compare(20, &Budget::unlimited()).unwrap() > 20);
}

/// Found by a newcomer: with more, no move was legal, and the game was said to break its rules.
#[test]
fn a_move_has_seven_choices_at_most() {
    let text = |count: usize| {
        let mut source = "game Many\nboard 4 4\npiece s X O\nstuck loses\nstart\n  put X on all - row(1)\n  put O on row(1)\nmove\n".to_owned();
        for at in 0..count {
            source += &format!("  choose c{at} in mine & cell({}, 3)\n  clear c{at}\n", at % 4 + 1);
            source += &format!("  put s on c{at}\n");
        }
        Text::parse(&source)
    };
    assert!(text(7).unwrap().load(&[]).unwrap().compare(3, &Budget::unlimited()).unwrap() > 0);
    let problems = text(8).unwrap_err().to_string();
    assert!(problems.contains("a move has 8 choices here; it may have 7"), "{problems}");
}

/// Found by a newcomer: each was accepted, but played by other rules than it states.
#[test]
fn what_cannot_be_meant_is_refused() {
    let problem = |rest: &str| {
        let text = format!("game T\nboard 3 3\npiece man X O\nstuck draws\n{rest}");
        Text::parse(&text).unwrap_err().to_string()
    };
    let place = "move\n  choose at in empty\n  put man on at\n";
    for wrong in ["clear b2", "again", "require no b2", "put man on b2", "move a1 -> b2"] {
        let problems = problem(&format!("{place}end\n  if mine & b2: {wrong}\n"));
        assert!(problems.contains("only look at the position"), "{wrong}: {problems}");
    }
    for range in ["0..100", "-2..2"] {
        let problems = problem(&format!("{place}  choose k in {range}\n  if k == 1: clear at\n"));
        assert!(problems.contains("only numbers from 0 to 63"), "{problems}");
    }
    let problems = problem(&format!("{place}  let k = 0\n  repeat 300\n    k += 1\n"));
    assert!(problems.contains("at most 256 times; this can be 300"), "{problems}");
    let problems = problem(&format!("{place}  for d in ways n s\n    if d(at) & mine: stop\n"));
    assert!(problems.contains("over directions cannot be left"), "{problems}");
    assert!(problem(&format!("sides X X\n{place}")).contains("cannot be the name"));
    assert!(problem(&format!("sides second first\n{place}")).contains("cannot be the name"));
    assert!(problem(&format!("way n s n\n{place}")).contains("is a direction"));
}

/// Mistakes of newcomers: each is told at its own place.
#[test]
fn what_was_meant_is_guessed() {
    let place = "move\n  choose at in empty\n  put man on at\n";
    for (wrong, expected) in [
        (
            "end\n  if mine & b2 win\n",
            "9:16: expected `:` and a statement, or the end of the line, found `win`",
        ),
        ("end\n  if count(mine) = 3: win\n", "9:18: found `=`; to compare, write `==`"),
        (
            "end\n  if mine & b2:\n    win\n",
            "9:15: remove this `:`, since the statements are below",
        ),
        ("finish\n  if mine & b2: win\n", "8:1: found `finish`, expected a word such as"),
        ("way up n\n  way down s\n", "9:3: expected this line indented like line 8, which"),
        ("moves\n  put man on b2\n", "did you mean `move`?"),
    ] {
        let text = format!("game T\nboard 3 3\npiece man X O\nstuck draws\n{place}{wrong}");
        let problems = Text::parse(&text).unwrap_err().to_string();
        assert!(problems.contains(expected), "{wrong}: {problems}");
    }
}

/// Blocks in one line nest as those in several.
#[test]
fn deep_nesting_is_refused_and_quick() {
    let text = |depth: usize| {
        let ifs = "if mine: ".repeat(depth);
        Text::parse(&format!(
            "game T\nboard 3 3\npiece man X O\nstuck draws\nmove\n  choose at in empty\n  put man on at\n  {ifs}win\n"
        ))
    };
    assert!(text(20).unwrap().load(&[]).is_ok());
    for depth in [25, 100, 5_000] {
        assert!(text(depth).unwrap_err().to_string().contains("nested more than 24 deep"));
    }
}

#[test]
fn a_piece_goes_from_one_cell_to_one_cell() {
    let text = Text::parse(
        "game T\nboard 3 3\npiece man X O\nstuck draws\nstart\n  put X on a1 | b1\nmove\n  choose at in empty\n  \
             move mine -> at\n",
    );
    let loaded = text.unwrap().load(&[]).unwrap();
    assert_eq!(loaded.compare(5, &Budget::unlimited()), Ok(0), "two men do not go to one cell");
}

#[test]
fn large_scores_count_as_the_largest() {
    let text = Text::parse(
        "game T\nboard 2 1\npiece man X O\nstuck draws\nmove\n  choose at in empty\n  put man on at\nend\n  \
             score 3000000\n",
    );
    assert_eq!(text.unwrap().load(&[]).unwrap().compare(3, &Budget::unlimited()), Ok(2));
}

#[test]
fn a_number_fits_into_a_byte() {
    let text = |range: &str| {
        let rest = "board 3 1\npiece x X\nstuck loses\nmove\n  choose at in empty\n  put x on at";
        Text::parse(&format!("game Numbers\nnumber n = 0 in {range}\n{rest}\n  n = 255\n"))
    };
    assert!(text("0..255").unwrap().load(&[]).unwrap().compare(5, &Budget::unlimited()).is_ok());
    let problems = text("-127..255").unwrap_err().to_string();
    assert!(problems.contains("at most 256 numbers"), "{problems}");
}

/// Words exchanged, lines left out or doubled, letters changed: an error, or a game that begins.
#[test]
fn damaged_texts_are_errors_or_games() {
    let mut dice = Dice::new(5);
    let sources: Vec<String> = texts().map(|(_, text)| text.source().to_owned()).collect();
    let words: Vec<&str> = sources.iter().flat_map(|source| source.split_whitespace()).collect();
    let (mut wrong, mut right) = (0, 0);
    for source in &sources {
        for _ in 0..120 {
            let mut lines: Vec<String> = source.lines().map(str::to_owned).collect();
            for _ in 0..1 + dice.below(2) {
                let at = dice.below(lines.len());
                let word = words[dice.below(words.len())];
                match dice.below(4) {
                    0 => drop(lines.remove(at)),
                    1 => lines.insert(at, lines[dice.below(lines.len())].clone()),
                    2 => {
                        let mut parts: Vec<&str> = lines[at].split(' ').collect();
                        let place = dice.below(parts.len());
                        parts[place] = word;
                        lines[at] = parts.join(" ");
                    }
                    _ => {
                        let mut letters: Vec<char> = lines[at].chars().collect();
                        let place = dice.below(letters.len().max(1));
                        if let Some(letter) = letters.get_mut(place) {
                            *letter = ['(', ')', '9', '-', '|', 'é', '\t', '#'][dice.below(8)];
                        }
                        lines[at] = letters.into_iter().collect();
                    }
                }
                if lines.is_empty() {
                    break;
                }
            }
            match Text::parse(&lines.join("\n")) {
                Ok(text) => {
                    right += 1;
                    if let Ok(Loaded::Small(game)) = text.load(&[]) {
                        game.moves(&game.start()).take(100).count();
                    }
                }
                Err(problems) => {
                    wrong += 1;
                    assert!(problems.iter().count() > 0);
                    assert!(problems.shown("x").len() < 20_000);
                }
            }
        }
    }
    assert!(wrong > 500 && right > 100, "{wrong} {right}");
}

#[test]
fn moves_and_positions_have_words() {
    let (_, text) = texts().find(|(name, _)| name == "wild-tic-tac-toe").unwrap();
    let Loaded::Small(game) = text.load(&[]).unwrap() else { panic!("it is small") };
    let start = game.start();
    let first = game.moves(&start).next().unwrap();
    assert_eq!(game.move_text(first), "cross-a3");
    let after = game.play(&start, first);
    assert_eq!(game.format(&after), "X../.../... second");
    let (_, kalah) = texts().find(|(name, _)| name == "kalah").unwrap();
    let Loaded::Small(game) = kalah.load(&[("pits", "2")]).unwrap() else { panic!("it is small") };
    assert_eq!(game.format(&game.start()), "seeds:4,4,0,4,4,0 first");
}

#[test]
fn values_of_parameters_are_checked() {
    let (_, text) = texts().find(|(name, _)| name == "reversi").unwrap();
    let wrong = |given: &[(&str, &str)]| text.load(given).unwrap_err().to_string();
    assert!(wrong(&[("sise", "4")]).contains("did you mean `size`?"));
    assert!(wrong(&[("size", "5")]).contains("a number from 4 to 8 in steps of 2"));
    let (_, kalah) = texts().find(|(name, _)| name == "kalah").unwrap();
    let problems = kalah.load(&[("capture", "maybe")]).unwrap_err().to_string();
    assert!(problems.contains("one of always, nonempty, never"), "{problems}");
}

/// A number that a parameter makes may be that of no cell; one that is written out has to be right.
#[test]
fn a_parameter_may_name_no_cell() {
    let text = |cell: &str| {
        format!(
            "game T\nboard 3 1\nparameter rock = 0 in 0..3\npiece man X O\nstuck loses\nmove\n  choose at in empty - {cell}\n  put man on at\n"
        )
    };
    let moves = |rock: &str| {
        let text = Text::parse(&text("cell(rock)")).unwrap();
        let loaded = text.load(&[("rock", rock)]).unwrap();
        with_game!(loaded, game => game.moves(&game.start()).count())
    };
    assert_eq!((moves("0"), moves("2")), (3, 2));
    for (wrong, why) in [
        ("cell(4)", "no cell 4; the last is 3"),
        ("cell(-1)", "no cell -1"),
        ("row(2)", "no row 2; the last is 1"),
    ] {
        let problems = load(&text(wrong)).unwrap_err().to_string();
        assert!(problems.contains(why), "{problems}");
    }
}

/// A name by which a statement begins would make lines that are read in two ways.
#[test]
fn names_begin_no_statement() {
    let text = |line: &str, statement: &str| {
        format!(
            "game T\nboard 3 1\npiece man X O\n{line}\nstuck loses\nmove\n  choose at in empty\n  put man on at\n{statement}"
        )
    };
    for (line, statement, place) in [
        ("number turn = 0 in 0..9", "  turn += 1\n", 3),
        ("parameter stop = 1 in 1..2", "", 3),
        ("define again(S) = around(S)", "", 3),
        ("mark pass", "", 3),
        ("", "  let score = count(mine)\n", 8),
    ] {
        let problems = Text::parse(&text(line, statement)).unwrap_err();
        let first = problems.iter().next().unwrap();
        assert!(first.message.contains("begins a statement"), "{first:?}");
        assert_eq!(first.span.line, place);
    }
    let words = Text::parse(&text("parameter way_out = all in all some", "")).unwrap_err();
    assert!(words.iter().next().unwrap().message.contains("`all` means something else"));
}

/// A value by a condition is the same as a statement that chooses.
#[test]
fn conditions_choose_values() {
    let with = |value: &str, before: &str| {
        let text = format!(
            "game T\nboard 4 3\npiece man X O\nnumber k = 0 in 0..9\nstuck loses\nmove\n{before}  choose at in {value}\n  put man on at\n  k = k + 1 if k < 9 else 9\n"
        );
        let loaded = load(&text).unwrap_or_else(|why| panic!("{why}"));
        let mut all = Vec::new();
        with_game!(loaded, game => {
            let mut open = vec![(game.start(), 0)];
            while let Some((state, ply)) = open.pop() {
                all.push(format!("{state:?}"));
                if ply < 3 {
                    open.extend(game.successors(&state).map(|(_, next)| (next, ply + 1)));
                }
            }
        });
        all
    };
    let chosen = with("beside(mine) & empty if mine else row(k + 1) - man", "");
    let said = with(
        "there",
        "  let there = row(1) - man\n  if k == 1: there = row(2) - man\n  if mine: there = beside(mine) & empty\n",
    );
    assert!(chosen.len() > 20);
    assert_eq!(chosen, said);
    let named = with(
        "wanted",
        "  let wanted = cell(index(b2) + k) | column(column(c1) + k)\n  wanted = wanted & empty\n",
    );
    assert!(named.len() > 20);
    let zone = "game T\nboard 3 1\npiece man X O\nzone near = mine if mine else all\nstuck loses\nmove\n  choose at in near & empty\n  put man on at\n";
    let why = load(zone).unwrap_err().to_string();
    assert!(why.contains("use `define`"), "{why}");
}

#[test]
fn numbers_may_be_negative_and_are_written_together() {
    let text = |change: &str, letter: &str| {
        Text::parse(&format!(
            "game T\nparameter n = -2 in -3..3\nboard 3 1\npiece s X {letter}\nnumber k = n in -5..5 each\n\
             stuck loses\nmove\n  choose at in empty\n  put s on at\n  {change}\n"
        ))
    };
    let own = text("k += 1", "O").unwrap();
    let Loaded::Small(game) = own.load(&[]).unwrap() else { panic!("it is small") };
    let after = game.play(&game.start(), game.moves(&game.start()).next().unwrap());
    assert_eq!(game.format(&after), "X.. k:-1,-2 second");
    assert_eq!(game.parse("x.. k:-1,-2 second"), Ok(after));
    for wrong in ["k:-1", "k:1,2,3", "k:-1,-9", "k:"] {
        assert!(game.parse(&format!("X.. {wrong} second")).is_err(), "{wrong}");
    }
    assert!(own.load(&[("n", "-3")]).is_ok());
    let problems = own.load(&[("n", "-4")]).unwrap_err().to_string();
    assert!(problems.contains("a number from -3 to 3"), "{problems}");
    let problems = text("their k += 1", "O").unwrap_err().to_string();
    assert!(problems.contains("changes only the own number"), "{problems}");
    assert!(text("k += 1", "-").unwrap_err().to_string().contains("`-` is taken"));
    let problems = Text::parse("game T\rboard 3 1\r").unwrap_err().to_string();
    assert!(problems.contains("carriage return"), "{problems}");
}

/// Found by random texts, all of them: the machine wrote a set before it had read it.
#[test]
fn sets_are_read_before_they_are_written() {
    let text = |moves: &str| {
        Text::parse(&format!(
            "game T\nboard 3 1\npiece man X O\npiece king K k\nmark m\nstuck loses\nstart\n  put X on a1\n  \
             put O on b1\nmove\n  choose at in empty\n  put man on at\n{moves}"
        ))
    };
    for moves in
        ["  put king on X\n", "  put their man on mine\n", "  m = X | O | m\n  put king on m\n"]
    {
        assert!(
            text(moves).unwrap().load(&[]).unwrap().compare(20, &Budget::unlimited()).unwrap() > 0
        );
    }
}

/// Found by a reviewer: the third cell from `a1` is reached only while `d1` is no man.
#[test]
fn what_is_beyond_may_be_less_with_more_pieces() {
    let text = Text::parse(
        "game Four\nboard 5 1\npiece man X O\nstuck loses\nendless draw\nstart\n  put X on b1\n  put O on c1\n\
         move\n  if beyond(a1, man, empty, e) & d1\n    either stay\n      pass\n    or out\n      put man on d1\n      \
         lose\n  else\n    choose at in empty\n    put man on at\n",
    );
    let Ok(Loaded::Small(game)) = text.unwrap().load(&[]) else { panic!("it is small") };
    assert!(!game.cannot_loop());
}

#[test]
fn a_player_who_cannot_move_is_noticed() {
    let text = Text::parse(
        "game T\nboard 2 1\npiece s X O\nstuck never\nmove\n  choose at in empty\n  put s on at\n",
    );
    let why = text.unwrap().load(&[]).unwrap().compare(1, &Budget::unlimited()).unwrap_err();
    assert!(why.contains("no move is left") && why.contains("stuck never"), "{why}");
}

/// Letters of other alphabets look like those of names: `homo2.rules` has a Cyrillic one.
#[test]
fn names_have_ascii_letters_alone() {
    let problems = Text::parse(include_str!("../../tests/hostile/homo2.rules")).unwrap_err();
    let problems = problems.to_string();
    assert!(problems.contains("found \\u{435}"), "{problems}");
    // Sentences may be in any language.
    let text = "game Мельница\nabout Тоже игра.\nunit очки\nparameter size = 3 in 3..4: поле\nrequire size < 9: мало\n\
                board size size\npiece stone ♔ ♚\nstuck loses\nmove\n  choose at in empty\n  put stone on at\n";
    assert_eq!(Text::parse(text).map(drop).map_err(|problems| problems.to_string()), Ok(()));
    for (from, to) in [("stone", "stоne"), ("♔", "О"), ("size", "sizе"), ("at", "аt")] {
        assert!(Text::parse(&text.replace(from, to)).is_err(), "{to}");
    }
}

/// Characters that cannot be seen, or that change the order of others, would make a text look like another one.
#[test]
fn invisible_characters_are_refused() {
    let text = "game Lone\nabout One stone.\nboard 1 1\npiece stone X\nstuck loses\nmove\n  choose at in empty\n  put \
                stone on at\n";
    assert!(Text::parse(text).is_ok());
    for hidden in ['\u{202e}', '\u{2028}', '\u{200b}', '\u{feff}', '\u{1b}', '\u{85}', '\u{3164}'] {
        for (from, to) in [
            ("Lone", format!("Lo{hidden}ne")),
            ("One", format!("{hidden}One")),
            ("X", format!("{hidden} O")),
        ] {
            let problems = Text::parse(&text.replacen(from, &to, 1)).unwrap_err().shown("x");
            assert!(problems.contains("invisible character"), "{problems}");
            assert!(!problems.contains(hidden), "{problems}");
        }
    }
    // A letter is drawn in a cell of its own.
    assert!(Text::parse(&text.replace('X', "\u{301}")).is_err());
}

/// The name that a file of results has for its rules is that under which they come with Foregone.
#[test]
fn shipped_texts_are_called_like_their_files() {
    for shipped in SHIPPED {
        assert_eq!(Text::parse(shipped.source).unwrap().name(), shipped.name);
    }
}

/// Found by a hostile reader: numbers that are known wrap as others do.
#[test]
fn the_smallest_number_can_be_negated() {
    let text = "game N\nboard 2 1\npiece mark X O\nstuck wins\nmove\n  choose at in empty\n  put mark on at\nend\n  \
                if -(0 - 1048576 * 1048576 * 1048576 * 8) < 0: win\n";
    assert!(Text::parse(text).unwrap().load(&[]).is_ok());
}

/// The choices of the copies for other directions follow those of one.
#[test]
fn ways_in_a_loop_over_directions_have_different_choices() {
    let text = |directions: &str| {
        let rules = format!(
            "game Dup\nboard 2 2\npiece stone X\nstuck draws\nmove\n  let done = 0\n  for d in ways {directions}\n    either\n      \
             choose at in row(1)\n      require done == 0\n      done = 1\n      put stone on d(at)\n    or\n      pass\n  \
             require done == 1\n"
        );
        Text::parse(&rules)
    };
    let problems = text("s n").unwrap_err().to_string();
    assert!(problems.contains("same choices"), "{problems}");
    assert!(text("n").is_ok());
}

#[test]
fn a_unit_is_a_word() {
    let text = |unit: &str| {
        let rules = format!(
            "game One\nboard 1 1\npiece stone X\nunit {unit}\nstuck draws\nmove\n  choose at in empty\n  put stone on at\n"
        );
        Text::parse(&rules)
    };
    assert!(text("stones").is_ok() && text("white stones").is_ok());
    for unit in ["stone; 1,283 positions checked", "stones\u{2800}", "a word of more than twenty"] {
        let problems = text(unit).unwrap_err().to_string();
        assert!(problems.contains("a word in the plural"), "{problems}");
    }
}

/// A number can be usual as that of a parameter above; the range has to hold all of the other's numbers.
#[test]
fn a_parameter_is_as_another_if_it_is_not_given() {
    let source = |parameters: &str| {
        format!(
            "game G\n{parameters}\nboard columns rows\npiece man X\nstuck loses\nmove\n  choose at in empty\n  put man on at\n"
        )
    };
    let text =
        Text::parse(&source("parameter columns = 3 in 2..4\nparameter rows = columns in 1..9"))
            .unwrap();
    let rows = |given: &[(&str, &str)]| text.settings(given).unwrap()["rows"].clone();
    for (given, expected) in [
        (&[][..], 3),
        (&[("columns", "4")], 4),
        (&[("rows", "1"), ("columns", "2")], 1),
        (&[("columns", "2"), ("rows", "")], 2),
    ] {
        assert_eq!(rows(given), typed::Setting::Number(expected), "{given:?}");
    }
    let [columns, rows] = &text.facts("g").parameters[..] else { panic!() };
    assert_eq!((&columns.default[..], &rows.default[..]), ("3", ""));
    for wrong in [
        "parameter columns = 3 in 2..4\nparameter rows = columns in 1..3",
        "parameter columns = 3 in 1..4\nparameter rows = columns in 1..9 by 2",
        "parameter rows = columns in 1..9\nparameter columns = 3 in 2..4",
        "parameter columns = 3 in 2..4\nparameter rows = rows in 1..9",
        "parameter columns = 3 in 2..4\nparameter how = a in a b\nparameter rows = how in 1..9",
    ] {
        let problems = Text::parse(&source(wrong)).unwrap_err().to_string();
        assert!(problems.contains("the name of a parameter above"), "{wrong}: {problems}");
    }
}
