//! `foregone play`: a game between people or computer players, on a terminal or a pipe.

use std::borrow::Cow;
use std::collections::HashMap;
use std::io::{self, IsTerminal, Write};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use foregone::any::LONGEST_TEXT;
use foregone::sample::Dice;
use foregone::{AnyGame, Halted, Invalid, Player, Registry, Report, Request, Session, Side};

use super::solve;
use crate::args::{Memory, Place, number, time};
use crate::progress::{Working, keep_last_words};
use crate::tables::Consult;
use crate::terminal;
use foregone_page::players::{Chosen, Who, choose};
use foregone_page::words::{Voice, counted_plies};

/// A game without people ends when a position occurs this many times.
const ROUNDS: u32 = 3;

#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    place: Place,
    /// The first player: human, easy, medium, hard, perfect, mcts (Monte Carlo tree search), deepening (looks ahead as
    /// far as --think allows), alphabeta, minimax, random or first (the first legal move)
    #[arg(long, value_name = "PLAYER", default_value = "human", value_parser = Who::parse)]
    first: Who,
    /// The second player
    #[arg(long, value_name = "PLAYER", default_value = "perfect", value_parser = Who::parse)]
    second: Who,
    /// How many plies alphabeta and minimax look ahead
    #[arg(long, value_name = "PLIES", default_value_t = 4,
          value_parser = number(1..=100_u32))]
    depth: u32,
    /// Time limit for each move of perfect, mcts and deepening and for hints, such as 10s; if perfect finds
    /// no proven move in half of it, mcts gets the rest
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = time,
          allow_hyphen_values = true)]
    think: Duration,
    /// Show the value of every move
    #[arg(long)]
    hints: bool,
    /// Seed for the choice among equally good moves [default: different each time]
    #[arg(long, value_parser = number(0_u64..))]
    seed: Option<u64>,
    #[command(flatten)]
    memory: Memory,
    #[command(flatten)]
    consult: Consult,
}

const HELP: &str = "type a move, or: hint (the value of each move), moves (the legal ones), \
                    undo, board, quit";

/// What a line from the person asks for.
enum Wish {
    Moved,
    Undo,
    Quit,
}

/// A game that is being played.
struct Match<'a> {
    game: &'a dyn AnyGame,
    session: Box<dyn Session>,
    args: &'a Args,
    players: [Option<Player>; 2],
    dice: Dice,
    out: anstream::AutoStream<io::StdoutLock<'static>>,
}

pub fn run(registry: &Registry, args: &Args) -> anyhow::Result<()> {
    let game = crate::args::game(registry, &args.place.game)?;
    let session = args.consult.open(&*game, &args.place)?;
    let clock = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let dice = Dice::new(args.seed.unwrap_or(clock.as_nanos() as u64));
    let players = [args.first, args.second].map(|who| who.player(args.depth));
    let out = terminal::out();
    let mut played = Match { game: &*game, session, args, players, dice, out };
    writeln!(played.out, "{}", terminal::heading(&*game))?;
    let voice = Voice::new(&*game, terminal::side);
    for (side, player) in Side::BOTH.into_iter().zip(players) {
        let name = voice.name(side);
        let player = player.map_or("human".to_owned(), |player| player.to_string());
        writeln!(played.out, "  {name}: {player}")?;
    }
    if players.contains(&None) {
        writeln!(played.out, "{}", terminal::dim(HELP))?;
    }
    played.play()
}

impl Match<'_> {
    fn play(&mut self) -> anyhow::Result<()> {
        let ended = self.rounds();
        let line = self.line();
        keep_last_words(String::new());
        if !line.is_empty() {
            writeln!(self.out, "{}", terminal::dim(&line))?;
        }
        ended
    }

    /// How to look at the moves so far; empty if there are none.
    fn line(&self) -> String {
        let moves = self.session.played();
        if moves.is_empty() {
            return String::new();
        }
        let Place { game, position, .. } = &self.args.place;
        let mut words = vec!["foregone", "review", game];
        words.extend(position.iter().flat_map(|position| ["--position", position]));
        let moves = moves.join(",");
        words.extend(["--moves", &moves]);
        let words: Vec<_> = words.into_iter().map(quoted).collect();
        format!("what each move was worth: {}", words.join(" "))
    }

    /// Moves of both sides, until the game is over or somebody leaves it.
    fn rounds(&mut self) -> anyhow::Result<()> {
        let mut seen: HashMap<String, u32> = HashMap::new();
        loop {
            keep_last_words(self.line());
            self.show()?;
            if self.session.outcome().is_some() {
                return Ok(());
            }
            let Some(player) = self.players[self.session.turn().index()] else {
                match self.ask()? {
                    Wish::Moved => {}
                    Wish::Undo => self.undo()?,
                    Wish::Quit => return Ok(()),
                }
                continue;
            };
            let times = seen.entry(self.session.position()).or_default();
            *times += 1;
            if *times >= ROUNDS && !self.players.contains(&None) {
                writeln!(self.out, "  stopped: this position has occurred {ROUNDS} times")?;
                return Ok(());
            }
            self.answer(player)?;
        }
    }

    fn show(&mut self) -> io::Result<()> {
        let voice = Voice::new(self.game, terminal::side);
        write!(self.out, "\n{}", terminal::position(&*self.session, voice))?;
        self.out.flush()
    }

    /// A move of the computer.
    fn answer(&mut self, player: Player) -> anyhow::Result<()> {
        let turn = self.session.turn();
        let voice = Voice::new(self.game, terminal::side);
        let Chosen { choice, instead } = self.choose(player)?;
        if let Some((halted, from)) = instead {
            let finds = voice.does(turn, "find");
            writeln!(self.out, "\n{finds} no proven move ({halted}); its move comes from {from}")?;
        }
        let scored = self.game.unit() != "result";
        let thought = choice.result.filter(|_| self.args.hints).map(|result| {
            let mut words = solve::cells(&result, scored, false);
            words.truncate(1 + usize::from(scored));
            if scored {
                words[1] += &format!(" {}", self.game.unit());
            }
            match result.distance {
                Some(plies) => words.push(format!("in {}", counted_plies(plies))),
                None if result.endless => words.push("endless".to_owned()),
                None => {}
            }
            format!("  ({})", words.join(" "))
        });
        writeln!(
            self.out,
            "\n{} {}{}",
            voice.does(turn, "play"),
            terminal::bold(&choice.mv),
            thought.unwrap_or_default()
        )?;
        self.session.play(&choice.mv)?;
        Ok(())
    }

    fn choose(&mut self, player: Player) -> Result<Chosen, Halted> {
        let working = Working::start();
        let control = self.args.memory.control(&working);
        let control = control.with_time(player.takes_time().then_some(self.args.think));
        choose(player, &mut *self.session, &mut self.dice, &control)
    }

    /// Reads lines until one changes the game or ends it.
    fn ask(&mut self) -> anyhow::Result<Wish> {
        if self.args.hints {
            self.hint()?;
        }
        let prompt = io::stdin().is_terminal();
        loop {
            if prompt {
                write!(self.out, "move> ")?;
                self.out.flush()?;
            }
            let Some(line) = terminal::read_line()? else {
                writeln!(self.out)?;
                return Ok(Wish::Quit);
            };
            let line = line.trim();
            let is_move = self.session.moves().iter().any(|mv| mv == line);
            let command = if is_move { String::new() } else { line.to_lowercase() };
            match command.as_str() {
                "" if !is_move => {}
                "quit" | "q" | "exit" => return Ok(Wish::Quit),
                "undo" | "u" => return Ok(Wish::Undo),
                "hint" | "hints" | "h" => self.hint()?,
                "board" | "b" => self.show()?,
                "help" | "?" => writeln!(self.out, "{HELP}")?,
                "moves" | "m" => write!(self.out, "{}", terminal::wrap(self.session.moves()))?,
                _ => match self.play_line(line) {
                    Ok(()) => return Ok(Wish::Moved),
                    Err(error) => writeln!(self.out, "{error}; help lists the commands")?,
                },
            }
        }
    }

    /// Makes a person's move, or several where a person is to move again, written as people do: `5`, `1. 5`, `f6 g7`.
    fn play_line(&mut self, line: &str) -> Result<(), Invalid> {
        let Err(refused) = self.session.play(line) else { return Ok(()) };
        let before = self.session.played();
        let position = self.args.place.position.as_deref();
        let all = format!("{} {line}", before.join(" "));
        let can_be_read = position.is_some() || self.session.began_at_start();
        if !can_be_read || all.len() > LONGEST_TEXT {
            return Err(refused);
        }
        self.session.go(position, &all)?;
        let made = self.session.played().len() - before.len();
        let mut of_person = made > 0;
        for _ in 0..made {
            self.session.undo();
            of_person &= self.players[self.session.turn().index()].is_none();
        }
        match of_person {
            true => self.session.go(position, &all),
            false => Err(Invalid::new(line, "one move: the computer makes its own")),
        }
    }

    /// Undoes moves until a person is to move.
    fn undo(&mut self) -> io::Result<()> {
        let mut undone = self.session.undo();
        if !undone {
            return writeln!(self.out, "there is no move to undo");
        }
        while undone && self.players[self.session.turn().index()].is_some() {
            undone = self.session.undo();
        }
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let report = self.ask_for_hint();
        let Some(halted) = &report.halted else {
            return Ok(write!(self.out, "{}", solve::moves(&report))?);
        };
        writeln!(self.out, "no proven values: {halted}")?;
        if let Some(depth) = report.lookahead {
            write!(self.out, "{}{}", solve::estimated(depth, &report), solve::moves(&report))?;
        }
        Ok(())
    }

    /// The value of every move, or estimates.
    fn ask_for_hint(&mut self) -> Report {
        let working = Working::start();
        let control = self.args.memory.control(&working);
        let control = control.with_time(self.args.think);
        let request = Request::default().with_line(false).with_estimate(true);
        self.session.solve(&request, &control)
    }
}

/// A word as a shell takes it, in double quotes if they are enough: the shells of Windows know no others.
fn quoted(word: &str) -> Cow<'_, str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:/".contains(c);
    match word {
        _ if word.chars().all(plain) => word.into(),
        _ if !word.contains(['"', '$', '`', '\\', '!']) => format!("\"{word}\"").into(),
        // No argument of a program has a zero byte, which alone cannot be quoted.
        _ => shlex::try_quote(word).unwrap_or(word.into()),
    }
}
