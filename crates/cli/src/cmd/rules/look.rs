//! How a game looks to its author: random games, and what perfect play leads to if a second is enough to find it, in
//! the game itself or in the smallest one that its parameters allow.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::control::counted;
use foregone::family::Valid;
use foregone::sample::Dice;
use foregone::{AnyGame, Control, Outcome, Report, Request, Session, Side, Value, game::Verdict};
use foregone_page::words::Voice;

/// The random games, the most moves of each, and the most of all, as many as legal moves were found on the way.
const GAMES: usize = 100;
const LONGEST: usize = 300;
const LOOKED: usize = 400_000;

/// A text may make a single move slow.
const PLAYING: Duration = Duration::from_secs(2);

/// What a solution may take.
const SOLVING: Duration = Duration::from_secs(1);
const MEMORY: u64 = 64 << 20;

/// The most moves that are named.
const NAMED: usize = 12;

/// Random games.
pub struct Games {
    /// Moves of each that ended, sorted.
    lengths: Vec<usize>,
    /// Won by the first player, drawn, won by the second.
    results: [usize; 3],
    /// Games that had not ended when they were left.
    open: usize,
    /// The shortest way back to a position that was there before, in words.
    pub back: Option<String>,
}

impl Games {
    /// Games from the position of a session; equal ones whenever they are played.
    pub fn play(session: &dyn Session) -> anyhow::Result<Games> {
        let mut games = Games { lengths: Vec::new(), results: [0; 3], open: 0, back: None };
        let (mut dice, mut looked, mut round) = (Dice::new(1), 0, usize::MAX);
        let begun = Instant::now();
        let goes_on = |looked: usize| looked < LOOKED && begun.elapsed() < PLAYING;
        for _ in 0..GAMES {
            if !goes_on(looked) {
                break;
            }
            let mut game = session.fork();
            let given = game.played().len();
            let mut seen = HashMap::new();
            let mut outcome = game.outcome();
            let mut plies = 0;
            while outcome.is_none() && plies < LONGEST && goes_on(looked) {
                let position = game.position();
                if let Some(before) = seen.insert(position, plies)
                    && plies - before < round
                {
                    round = plies - before;
                    games.back = Some(game.played()[given + before..].join(" "));
                }
                let legal = game.moves();
                if legal.is_empty() {
                    // A text may be wrong in saying that this cannot be.
                    break;
                }
                game.play(&legal[dice.below(legal.len())])?;
                looked += legal.len();
                (plies, outcome) = (plies + 1, game.outcome());
            }
            match outcome {
                Some(Outcome(value)) => {
                    games.lengths.push(plies);
                    games.results[(1 - value.signum()) as usize] += 1;
                }
                None if plies == LONGEST => games.open += 1,
                // There was no time to go on.
                None => {}
            }
        }
        games.lengths.sort_unstable();
        Ok(games)
    }

    /// How long they last and who wins.
    pub fn words(&self, game: &dyn AnyGame) -> String {
        let ended = self.lengths.len() as u64;
        let mut words = counted(ended + self.open as u64, "random game", "random games");
        match self.lengths[..] {
            [least, .., most] if least < most => {
                let median = self.lengths[self.lengths.len() / 2];
                words += &format!(": {least} to {most} moves, half of them at most {median}");
            }
            [moves, ..] => words += &format!(": {}", counted(moves as u64, "move", "moves")),
            [] => {}
        }
        let voice = Voice::on_page(game);
        let [first, drawn, second] = self.results;
        for (count, end) in [
            (first, format!("won by {}", voice.the(Side::First))),
            (drawn, "drawn".to_owned()),
            (second, format!("won by {}", voice.the(Side::Second))),
            (self.open, format!("not at an end after {LONGEST} moves")),
        ] {
            if count > 0 {
                words += &format!("; {count} {end}");
            }
        }
        words + "."
    }
}

/// What perfect play leads to, in the game or in its smallest version: `with` is the game with some parameters.
pub fn solution(
    game: &dyn AnyGame,
    with: impl Fn(&[(&str, &str)]) -> Option<Arc<dyn AnyGame>>,
) -> String {
    let of = |game: &dyn AnyGame| {
        let mut session = game.session();
        let control = Control::default().with_time(SOLVING).with_memory(MEMORY);
        let report = session.solve(&Request::default(), &control);
        (report.proven && session.outcome().is_none()).then(|| told(game, &*session, &report))
    };
    if let Some(words) = of(game) {
        return words;
    }
    let least = game.about().parameters.iter().filter_map(|each| match each.valid {
        Valid::Number { min, .. } => Some((&each.name[..], min.to_string())),
        _ => None,
    });
    let least: Vec<_> = least.collect();
    let given: Vec<_> = least.iter().map(|(name, min)| (*name, &min[..])).collect();
    let small = with(&given).filter(|small| small.specification() != game.specification());
    let found = small.and_then(|small| Some((of(&*small)?, least)));
    let Some((words, least)) = found else {
        return "A second is too short to solve it.".to_owned();
    };
    let least: Vec<_> = least.iter().map(|(name, value)| format!("{name}={value}")).collect();
    format!("A second is too short to solve it. With {}: {words}", least.join(","))
}

/// The value, and the first moves by their results.
fn told(game: &dyn AnyGame, session: &dyn Session, report: &Report) -> String {
    let voice = Voice::new(game, |text, _| text.to_owned());
    let mut words = voice.headline(report, session.turn(), None).unwrap_or_default();
    let (legal, mut settled) = (session.moves().len(), 0);
    for (verdict, name) in [(Verdict::Win, "win"), (Verdict::Draw, "draw"), (Verdict::Loss, "lose")]
    {
        let proven = report.moves.iter().filter(|each| each.result.result.is_some());
        let moves = proven.filter(|each| Value(each.result.value).verdict() == verdict);
        let moves: Vec<&str> = moves.map(|each| &each.mv[..]).collect();
        settled += moves.len();
        if moves.len() == legal {
            return format!("{words} All first moves {name}.");
        }
        if !moves.is_empty() {
            let more = moves.len().checked_sub(NAMED).filter(|more| *more > 0);
            let more = more.map_or(String::new(), |more| format!(", and {more} more"));
            let named = moves[..moves.len().min(NAMED)].join(" ");
            words += &format!(" First moves that {name}: {named}{more}.");
        }
    }
    match legal - settled {
        0 => words,
        open => format!(
            "{words} A second was too short for {}.",
            counted(open as u64, "other", "others")
        ),
    }
}
