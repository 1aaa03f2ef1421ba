//! A survey of a game in words, tables and charts: what a terminal prints and a page shows is said once.

use foregone::control::{counted, grouped};
use foregone::record::words::amount;
use foregone::sort::by_rank;
use foregone::survey::{Flow, Lengths, Played, Ply, Survey, Whole};
use foregone::{AnyGame, Side};

use crate::draw::bars::{Chart, large, percent};
use crate::words::{KEEPS, Voice, capital, counted_plies, is_best_line};

mod page;

pub use self::page::{body, page};

/// A part of a survey.
pub struct Section {
    /// Its heading.
    pub title: &'static str,
    /// What is so: a name, what is said, and how it is known.
    pub says: Vec<[String; 3]>,
    /// Tables, the first row of each its head.
    pub tables: Vec<Vec<Vec<String>>>,
    charts: Vec<Chart>,
}

const EXACT: &str = "exact";

/// The colours of the first player, of draws, of the second player, and of what belongs to nobody.
const COLOURS: [&str; 4] = ["#0b6fa4", "#a9a9b9", "#b84a10", "#7a3fa0"];

/// The longest list of words.
const MAX_WORDS: usize = 24;

/// The longest table of plies.
const MAX_PLIES: usize = 200;

fn estimate(games: u64) -> String {
    format!("estimate ({})", counted(games, "game", "games"))
}

/// A list that ends with how many were left out.
fn listed(words: &[String]) -> String {
    let more = words.len().saturating_sub(MAX_WORDS);
    let shown = words[..words.len() - more].join(", ");
    if more > 0 { format!("{shown}, and {more} more") } else { shown }
}

/// The most moves that lead to a puzzle and are written down; else it is the position.
const LEADING: usize = 24;

struct Words<'a> {
    game: &'a dyn AnyGame,
    survey: &'a Survey,
}

/// All that a survey says.
pub fn sections(game: &dyn AnyGame, survey: &Survey) -> Vec<Section> {
    let words = Words { game, survey };
    let mut all = vec![words.result()];
    if let Some(whole) = &survey.whole {
        all.extend([words.size(whole), words.decisions(whole)]);
    }
    if let (None, Some(expected)) = (&survey.whole, survey.expected) {
        let text =
            format!("at least some {}, more than the limit of this report", grouped(expected));
        let says = vec![["Positions".to_owned(), text, String::new()]];
        all.push(words.section("How large it is", says));
    }
    all.extend([words.length(), words.skill()]);
    if let Some(whole) = &survey.whole {
        all.extend([words.rules(whole), words.plies(whole)]);
    }
    all.push(words.puzzles());
    all.retain(|section| !section.says.is_empty() || !section.tables.is_empty());
    all
}

impl Words<'_> {
    fn name(&self, side: Side) -> String {
        Voice::on_page(self.game).name(side)
    }

    fn section(&self, title: &'static str, says: Vec<[String; 3]>) -> Section {
        Section { title, says, tables: Vec::new(), charts: Vec::new() }
    }

    /// Who gets a value for the first player.
    fn winner(&self, value: i32) -> String {
        let points = self.points(value);
        match value.signum() {
            0 => "a draw".to_owned(),
            sign => {
                let side = if sign > 0 { Side::First } else { Side::Second };
                format!("{}{points}", Voice::on_page(self.game).wins(side))
            }
        }
    }

    fn points(&self, value: i32) -> String {
        match (self.survey.unit.as_str(), value.unsigned_abs()) {
            ("result", _) | (_, 0) => String::new(),
            (unit, points) => format!(" by {}", amount(points, unit)),
        }
    }

    fn result(&self) -> Section {
        let start = &self.survey.start;
        let after = |plies: Option<u32>| {
            plies.map_or(String::new(), |plies| format!(", after {}", counted_plies(plies)))
        };
        let (text, known) = match (start.value, start.bounds) {
            (Some(value), _) => (self.winner(value) + &after(start.plies), EXACT),
            (None, Some([low @ (1..), _])) => (self.winner(low) + " or more", EXACT),
            (None, Some([_, high @ (..=-1)])) => (self.winner(high) + " or more", EXACT),
            (None, Some([(0..), _])) => {
                (format!("{} does not lose", self.name(Side::First)), EXACT)
            }
            (None, Some([_, (..=0)])) => {
                (format!("{} does not lose", self.name(Side::Second)), EXACT)
            }
            (None, _) => ("not known".to_owned(), ""),
        };
        let mut says = vec![["With perfect play".to_owned(), text, known.to_owned()]];
        if start.value.is_some() && !start.line.is_empty() {
            // Where all positions are known, play without end has no plies.
            let is_best = self.survey.whole.is_some()
                || is_best_line(&self.survey.unit, start.value, start.plies);
            let name = if is_best { "A line of best play" } else { KEEPS };
            let line = listed(&start.line) + if start.goes_on { ", …" } else { "" };
            says.push([name.to_owned(), line, EXACT.to_owned()]);
        }
        let mut values: Vec<i32> = start.moves.iter().filter_map(|mv| mv.value).collect();
        by_rank(&mut values, &|value| -i64::from(*value));
        values.dedup();
        for value in values {
            let of = start.moves.iter().filter(|mv| mv.value == Some(value));
            let plies = |plies: u32| format!(" ({plies})");
            let moves: Vec<String> = of
                .map(|mv| format!("{}{}", mv.mv, mv.plies.map_or(String::new(), plies)))
                .collect();
            let name = format!("First moves: {}", self.winner(value));
            let text = format!("{} of {}: {}", moves.len(), start.moves.len(), listed(&moves));
            says.push([name, text, EXACT.to_owned()]);
        }
        let mut open: Vec<_> = start.moves.iter().filter(|mv| mv.value.is_none()).collect();
        open.sort_by(|a, b| b.chance.unwrap_or(0.0).total_cmp(&a.chance.unwrap_or(0.0)));
        if !open.is_empty() {
            let chance = |chance: f64| format!(" {}", percent(chance));
            let moves: Vec<String> = open
                .iter()
                .map(|mv| format!("{}{}", mv.mv, mv.chance.map_or(String::new(), chance)))
                .collect();
            let name = "First moves: not known, chance to win".to_owned();
            says.push([name, listed(&moves), "estimate (random games)".to_owned()]);
        }
        if let Some(pie) = &self.survey.pie {
            let who = match pie.value {
                0 => "a draw".to_owned(),
                value => format!("the player who may change sides wins{}", self.points(value)),
            };
            says.push([
                "With the pie rule".to_owned(),
                format!("{who}, after {}", listed(&pie.moves)),
                EXACT.to_owned(),
            ]);
        }
        self.section("Who wins", says)
    }

    fn size(&self, whole: &Whole) -> Section {
        let alike = whole
            .alike
            .map_or(String::new(), |alike| format!(" ({} up to symmetry)", grouped(alike)));
        let mut says = vec![[
            "Positions".to_owned(),
            format!("{}{alike}", grouped(whole.positions)),
            EXACT.to_owned(),
        ]];
        let loops =
            if whole.loops { "play can come to a position again" } else { "every game ends" };
        says.push(["Loops".to_owned(), loops.to_owned(), EXACT.to_owned()]);
        if let Some(games) = whole.games {
            let nodes = whole
                .all
                .lines
                .map_or(String::new(), |nodes| format!("; the tree has {} nodes", large(nodes)));
            says.push([
                "Different games".to_owned(),
                format!("{}{nodes}", large(games)),
                EXACT.to_owned(),
            ]);
        }
        says.push([
            "Moves to choose from".to_owned(),
            format!("{:.1} on average", whole.all.branching()),
            EXACT.to_owned(),
        ]);
        let [won, drawn, lost] =
            whole.all.results.map(|count| percent(count as f64 / whole.positions as f64));
        let text = format!(
            "{} wins {won}, drawn {drawn}, {} wins {lost}",
            self.name(Side::First),
            self.name(Side::Second)
        );
        says.push(["Of all positions".to_owned(), text, EXACT.to_owned()]);
        if let Some(longest) = &whole.longest {
            let text = format!(
                "{}, {}",
                counted_plies(longest.plies),
                match longest.moves.is_empty() {
                    true => "from the start".to_owned(),
                    false => format!("after {}", longest.moves.join(" ")),
                }
            );
            says.push(["Longest win".to_owned(), text, EXACT.to_owned()]);
        }
        self.section("How large it is", says)
    }

    fn decisions(&self, whole: &Whole) -> Section {
        let [only, free] = whole.all.only_and_free();
        let exact = || EXACT.to_owned();
        let mut says = vec![
            [
                "Exactly one move is good".to_owned(),
                format!("in {} of the positions with a choice", percent(only)),
                exact(),
            ],
            ["Every move is good".to_owned(), format!("in {} of them", percent(free)), exact()],
            [
                "Moves that give away value".to_owned(),
                format!("{} of all moves there", percent(whole.all.risk())),
                exact(),
            ],
        ];
        let random = &whole.random;
        if random.open < 0.01 {
            // Without points, a mistake changes who wins.
            let turns = match (random.turns - random.mistakes).abs() < 0.05 {
                true => String::new(),
                false => format!("; the winner changes {:.1} times", random.turns),
            };
            let text = format!("{:.1} mistakes a game{turns}", random.mistakes);
            says.push(["Random play".to_owned(), text, exact()]);
        }
        for played in &self.survey.players {
            if let Some(judged) = played.judged.filter(|_| played.player != "random") {
                let text = format!(
                    "{:.1} mistakes a game (in {} of the positions where one is possible); decided after {} of the game",
                    judged.mistakes,
                    percent(judged.errors),
                    percent(judged.decided)
                );
                says.push([
                    format!("{} play", capital(played.player)),
                    text,
                    estimate(played.games.into()),
                ]);
            }
        }
        self.section("Decisions", says)
    }

    fn length(&self) -> Section {
        let head = [
            "play",
            "moves",
            "median",
            "from - to",
            &self.name(Side::First),
            "draw",
            &self.name(Side::Second),
            "source",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let row = |name: &str, length: &Lengths, results: [f64; 3], known: String| {
            let [first, draw, second] = results.map(percent);
            let range = format!("{} - {}", length.shortest, length.longest);
            vec![
                name.to_owned(),
                format!("{:.1}", length.mean),
                length.median.to_string(),
                range,
                first,
                draw,
                second,
                known,
            ]
        };
        let mut charts = Vec::new();
        let mut chart = |name: &str, length: &Lengths| {
            charts.push(Chart {
                title: format!("Length of games: {name} play"),
                axis: "moves",
                bars: length.shares.iter().map(|(plies, share)| (*plies, vec![*share])).collect(),
                parts: vec![("share of the games".to_owned(), COLOURS[3])],
                shares: true,
            })
        };
        if let Some(whole) = &self.survey.whole {
            let flows: [(&str, &Flow); 2] =
                [("perfect", &whole.perfect), ("random", &whole.random)];
            for (name, flow) in flows {
                // Play that goes on in loops has no length.
                if flow.open < 0.01 {
                    rows.push(row(name, &flow.length, flow.results, EXACT.to_owned()));
                    chart(name, &flow.length);
                }
            }
        }
        let known = rows.iter().any(|row| row[0] == "random");
        for played in
            self.survey.players.iter().filter(|played| !(known && played.player == "random"))
        {
            rows.push(row(
                played.player,
                &played.length,
                played.results,
                counted(played.games.into(), "game", "games"),
            ));
            chart(played.player, &played.length);
        }
        let tables = if rows.len() > 1 { vec![rows] } else { Vec::new() };
        Section {
            title: "How long games last, and who wins them",
            says: Vec::new(),
            tables,
            charts,
        }
    }

    fn skill(&self) -> Section {
        let of = |played: &Played| {
            let [low, high] = played.interval.map(percent);
            let name = format!("{}, when {} plays itself", self.name(Side::First), played.player);
            [
                name,
                format!("{} of the points, {low} to {high}", percent(played.points)),
                estimate(played.games.into()),
            ]
        };
        let strongest = self.survey.players.last().map(of);
        let rungs = self.survey.ladder.iter().map(|rung| {
            let [low, high] = rung.interval.map(percent);
            let text = format!("{} of the points, {low} to {high}", percent(rung.points));
            [
                format!("{} against {}", capital(rung.player), rung.opponent),
                text,
                estimate(rung.games.into()),
            ]
        });
        self.section("How much skill pays", rungs.chain(strongest).collect())
    }

    fn rules(&self, whole: &Whole) -> Section {
        let words = |of: &dyn Fn(u64, u64) -> bool| -> Vec<String> {
            let kinds = whole.kinds.iter().filter(|kind| of(kind.good, kind.needed));
            kinds.map(|kind| kind.word.clone()).collect()
        };
        let known = if whole.positions > 20_000 { "sample of 20,000 positions" } else { EXACT };
        let never = words(&|good, _| good == 0);
        let needless = words(&|good, needed| good > 0 && needed == 0);
        let mut kinds: Vec<_> = whole.kinds.iter().filter(|kind| kind.needed > 0).collect();
        by_rank(&mut kinds, &|kind| -(kind.needed as i64));
        let most =
            kinds.iter().take(3).map(|kind| format!("{} ({})", kind.word, kind.needed)).collect();
        let says = [
            ("Most often the only good one", most),
            ("Never the only good one", needless),
            ("Never good", never),
        ];
        let says = says.into_iter().filter(|(_, words)| !words.is_empty());
        self.section(
            "Cells and kinds of moves",
            says.map(|(name, words)| [name.to_owned(), listed(&words), known.to_owned()]).collect(),
        )
    }

    fn plies(&self, whole: &Whole) -> Section {
        let head = [
            "after",
            "positions",
            "moves",
            &self.name(Side::First),
            "draw",
            &self.name(Side::Second),
            "one good",
            "wrong",
        ];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        let share = |part: u64, of: u64| {
            if of == 0 { "-".to_owned() } else { percent(part as f64 / of as f64) }
        };
        // Of very long games, only how they begin.
        for ply in whole.plies.iter().take(MAX_PLIES) {
            let Ply { positions, over, results, choices, only, choosable, wrong, .. } = *ply;
            let moves =
                if positions > over { format!("{:.1}", ply.branching()) } else { "-".to_owned() };
            let [first, draw, second] = results.map(|count| share(count, positions));
            rows.push(vec![
                ply.ply.to_string(),
                grouped(positions),
                moves,
                first,
                draw,
                second,
                share(only, choices),
                share(wrong, choosable),
            ]);
        }
        if let Some(more @ 1..) = whole.plies.len().checked_sub(MAX_PLIES) {
            let words = format!("and {}", counted(more as u64, "ply more", "plies more"));
            rows.push(
                std::iter::once(words).chain((1..head.len()).map(|_| String::new())).collect(),
            );
        }
        let bars = |of: &dyn Fn(&Ply) -> Vec<f64>| {
            whole.plies.iter().map(|ply| (ply.ply, of(ply))).collect()
        };
        let chart =
            |title: &str, parts: Vec<(String, &'static str)>, of: &dyn Fn(&Ply) -> Vec<f64>| {
                let shares = parts[0].0 != "positions";
                Chart { title: title.to_owned(), axis: "moves made", bars: bars(of), parts, shares }
            };
        let winners = vec![
            (format!("{} wins", self.name(Side::First)), COLOURS[0]),
            ("draw".to_owned(), COLOURS[1]),
            (format!("{} wins", self.name(Side::Second)), COLOURS[2]),
        ];
        let ratio = |part: u64, of: u64| part as f64 / of.max(1) as f64;
        let charts = vec![
            chart("Who wins the positions", winners, &|ply| {
                ply.results.map(|count| ratio(count, ply.positions)).to_vec()
            }),
            chart("Number of positions", vec![("positions".to_owned(), COLOURS[3])], &|ply| {
                vec![ply.positions as f64]
            }),
            chart(
                "Choices with one good move",
                vec![("share of the choices".to_owned(), COLOURS[3])],
                &|ply| vec![ratio(ply.only, ply.choices)],
            ),
        ];
        Section { title: "Move by move", says: Vec::new(), tables: vec![rows], charts }
    }

    fn puzzles(&self) -> Section {
        let says = self.survey.puzzles.iter().enumerate().map(|(at, puzzle)| {
            let task = puzzle.task(&self.name(puzzle.side(self.game)));
            let moves = match puzzle.moves.len() {
                0 => "at the start".to_owned(),
                1..=LEADING => format!("after {}", puzzle.moves.join(" ")),
                _ => format!("at {}", puzzle.position),
            };
            [
                format!("{}.", at + 1),
                format!("{task} ({moves}): {}", puzzle.solution),
                EXACT.to_owned(),
            ]
        });
        self.section("Puzzles: one move is right", says.collect())
    }
}
