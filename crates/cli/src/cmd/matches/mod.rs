//! `foregone match`: many games between two players, to tell which plays better.
//!
//! Chance decides little: every opening is random, and is played twice, by each player on each side. What remains is
//! said: the points with their interval of 95 % (Wilson 1927).

pub mod grade;
mod player;
mod record;
mod score;

use std::io::Write;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread;
use std::time::Duration;

use foregone::sample::Dice;
use foregone::{AnyGame, Control, Halted, Registry, Session, Side};
use serde::Serialize;

use self::player::{Contestant, Seat, Silent};
use self::record::{Fault, OnIllegal, Played, Record, Settings};
use self::score::Score;
use crate::args::{Memory, Refused, has_folder, number, time};
use crate::progress::Working;
use crate::terminal;

#[derive(clap::Args)]
pub struct Args {
    /// The game, or a file with its rules
    game: String,
    /// A player: easy, medium, hard, perfect, mcts, deepening, alphabeta, minimax, random, first, or "program:COMMAND
    /// ARGUMENTS", which reads a question and writes a move, line by line (docs/json.md)
    #[arg(value_parser = Contestant::parse)]
    player: Contestant,
    /// Its opponent
    #[arg(value_parser = Contestant::parse)]
    opponent: Contestant,
    /// Number of random openings; each is played twice, with the sides exchanged
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = number(1..=100_000_u64))]
    openings: u64,
    /// Number of random moves of an opening
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = number(0..=1_000_u32))]
    plies: u32,
    /// Time for each move of perfect, mcts and deepening; a program is told it
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = time, allow_hyphen_values = true)]
    think: Duration,
    /// How many plies alphabeta and minimax look ahead
    #[arg(long, value_name = "PLIES", default_value_t = 4, value_parser = number(1..=100_u32))]
    depth: u32,
    /// A game that is longer counts as a draw
    #[arg(long, value_name = "PLIES", default_value_t = 500, value_parser = number(1..=100_000_u32))]
    longest: u32,
    /// Seed of the openings and of choices among equally good moves
    #[arg(long, default_value_t = 1, value_parser = number(0_u64..))]
    seed: u64,
    /// What a program's reply does that is no legal move, and one that does not come
    #[arg(long, value_enum, value_name = "WHAT", default_value_t)]
    on_illegal: OnIllegal,
    /// Number of games at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number(1..=1024_u16))]
    threads: u16,
    /// Write each game to this file when it has ended; go on from there if the file has games of the same match
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write JSON, with the moves of all games
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    memory: Memory,
}

/// How long the main thread waits for a game before it looks whether it was asked to stop.
const TICK: Duration = Duration::from_millis(100);

/// How often an opening is drawn anew if the game ends in it.
const DRAWS: u32 = 1_000;

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.game)?;
    let settings = args.settings(&*game);
    args.record.as_deref().map_or(Ok(()), has_folder)?;
    let mut record = Record::open(args.record.as_deref(), &settings)?;
    let games = 2 * args.openings;
    let working = Working::start();
    let contest = Contest { game: &*game, args, control: working.quiet() };
    contest.play(&mut record, games, &working)?;
    drop(working);

    let played = record.played(games);
    let score = Score::of(&played);
    let mut out = terminal::out();
    if args.json {
        let report = Report { settings: &settings, score: &score, games: &played };
        writeln!(out, "{}", serde_json::to_string_pretty(&report)?)?;
    } else {
        writeln!(out, "{}\n", terminal::heading(&*game))?;
        write!(out, "{}", score::table(&settings, &played))?;
    }
    out.flush()?;
    let ended = played.len() as u64;
    anyhow::ensure!(ended == games, "stopped after {ended} of {games} games");
    Ok(())
}

impl Args {
    /// What is equal for all games.
    fn settings(&self, game: &dyn AnyGame) -> Settings {
        Settings {
            game: game.specification(),
            player: self.player.name().to_owned(),
            opponent: self.opponent.name().to_owned(),
            seconds: self.think.as_secs_f64(),
            depth: self.depth,
            plies: self.plies,
            longest: self.longest,
            seed: self.seed,
            on_illegal: self.on_illegal,
        }
    }
}

/// What programs read.
#[derive(Serialize)]
struct Report<'a> {
    #[serde(flatten)]
    settings: &'a Settings,
    #[serde(flatten)]
    score: &'a Score,
    games: &'a [&'a Played],
}

/// A match that is being played.
struct Contest<'a> {
    game: &'a dyn AnyGame,
    args: &'a Args,
    control: Control,
}

impl Contest<'_> {
    /// Plays the games that are not on record, several at the same time, until all are or it is stopped.
    fn play(&self, record: &mut Record, games: u64, working: &Working) -> anyhow::Result<()> {
        let open: Vec<u64> = (0..games).filter(|number| !record.has(*number)).collect();
        let next = AtomicU64::new(0);
        let threads = u64::from(self.args.threads).min(open.len() as u64);
        let memory = self.args.memory.limit() / (2 * threads.max(1));
        let (sender, results) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (sender, open, next) = (sender.clone(), &open, &next);
                scope.spawn(move || self.work(open, next, memory, &sender));
            }
            drop(sender);
            let mut failed = None;
            loop {
                let played = record.played(games);
                working.tally(played.len() as u64, games, Score::of(&played).to_string());
                let kept = match results.recv_timeout(TICK) {
                    Ok(game) => game.and_then(|game| record.add(game)),
                    Err(RecvTimeoutError::Timeout) => Ok(()),
                    Err(RecvTimeoutError::Disconnected) => break,
                };
                if let Err(error) = kept {
                    // Games that have begun come to their end.
                    next.store(u64::MAX / 2, Ordering::Relaxed);
                    failed = failed.or(Some(error));
                }
            }
            // The games that are under way when it is stopped are lost.
            match failed {
                Some(error) if !is_stop(&error) => Err(error),
                _ => Ok(()),
            }
        })
    }

    /// One thread: plays games until none is left, or one fails.
    fn work(
        &self,
        open: &[u64],
        next: &AtomicU64,
        memory: u64,
        results: &Sender<anyhow::Result<Played>>,
    ) {
        let contestants = [&self.args.player, &self.args.opponent];
        let mut seats = match contestants.map(|each| Seat::take(each, self.args, memory)) {
            [Ok(one), Ok(other)] => [one, other],
            [Err(error), _] | [_, Err(error)] => {
                let _ = results.send(Err(error));
                return;
            }
        };
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(number) = usize::try_from(at).ok().and_then(|at| open.get(at)) else { return };
            let played = self.one(*number, &mut seats);
            let failed = played.is_err();
            // If nobody listens any more, the match is over.
            if results.send(played).is_err() || failed {
                return;
            }
        }
    }

    /// Plays the game with this number.
    fn one(&self, number: u64, seats: &mut [Seat; 2]) -> anyhow::Result<Played> {
        let opening = self.opening(number / 2)?;
        // The player moves first in games with even numbers.
        let sides = if number.is_multiple_of(2) { [0, 1] } else { [1, 0] };
        let mut session = self.game.open(None, &opening.join(" "))?;
        for seat in seats.iter_mut() {
            seat.begin(self.game, &opening, self.args.seed ^ number)?;
        }
        let (mut moves, mut faults, mut loser) = (Vec::new(), Vec::new(), None);
        while session.outcome().is_none() && moves.len() < self.args.longest as usize {
            let turn = session.turn();
            let seat = &mut seats[sides[turn.index()]];
            let mv = match self.legal(seat, &mut *session) {
                Ok(mv) => mv,
                Err(error) if is_stop(&error) || error.is::<Silent>() || !seat.is_program() => {
                    return Err(error);
                }
                Err(error) if self.args.on_illegal == OnIllegal::Stop => return Err(error),
                Err(error) => {
                    let player = seat.name().to_owned();
                    faults.push(Fault { player, ply: moves.len(), error: format!("{error:#}") });
                    if self.args.on_illegal == OnIllegal::Loss {
                        loser = Some(turn);
                        break;
                    }
                    let legal = session.moves();
                    let mut dice = Dice::new(self.args.seed ^ number ^ moves.len() as u64);
                    let mv = legal[dice.below(legal.len())].clone();
                    session.play(&mv)?;
                    mv
                }
            };
            for seat in seats.iter_mut() {
                seat.play(&mv)?;
            }
            moves.push(mv);
        }
        let outcome = session.outcome().map(|outcome| outcome.0);
        let first = match loser {
            Some(Side::First) => -1,
            Some(Side::Second) => 1,
            None => outcome.unwrap_or(0).signum(),
        };
        let result = if sides[Side::First.index()] == 0 { first } else { -first };
        let version = crate::VERSION.clone();
        Ok(Played { number, opening, moves, outcome, result, faults, version })
    }

    /// Asks a player for its move, and makes it.
    fn legal(&self, seat: &mut Seat, session: &mut dyn Session) -> anyhow::Result<String> {
        let mv = seat.choose(self.game, session, &self.control)?;
        session.play(&mv).map_err(|error| {
            Refused(format!("{} made a move that is not legal: {error}", seat.name()))
        })?;
        Ok(mv)
    }

    /// Random moves from the start after which the game is not over.
    fn opening(&self, number: u64) -> anyhow::Result<Vec<String>> {
        let mut dice = Dice::new(Dice::new(self.args.seed).roll() ^ number);
        for _ in 0..DRAWS {
            let mut session = self.game.session();
            for _ in 0..self.args.plies {
                let moves = session.moves();
                if !moves.is_empty() {
                    session.play(&moves[dice.below(moves.len())])?;
                }
            }
            if session.outcome().is_none() {
                return Ok(session.played());
            }
        }
        let why = format!(
            "all openings of {} plies that were tried end the game: choose fewer --plies",
            self.args.plies
        );
        Err(Refused(why).into())
    }
}

fn is_stop(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(Halted::Stopped { .. }))
}
