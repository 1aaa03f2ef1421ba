//! Who plays a match: one of our players, or another program.
//!
//! A program is asked over its standard input and answers over its standard output, a line each. It is started once
//! for all games that are played one after the other.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender, TrySendError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use foregone::control::Progress;
use foregone::sample::Dice;
use foregone::{AnyGame, Control, Player, Session};
use foregone_page::players::{Who, choose};
use foregone_page::words::choice;
use serde::Serialize;

use super::{Args, TICK, is_stop};
use crate::args::Refused;

/// What begins the name of a program.
const PROGRAM: &str = "program:";

/// A program may take this much longer than the time to think, since it has to start, too.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a program may take to end when there are no more questions.
const FAREWELL: Duration = Duration::from_secs(1);

/// A program did not answer in time, in seconds.
#[derive(Debug, thiserror::Error)]
#[error("it did not answer within {0} s")]
struct Late(u64);

/// A program that has never answered, or was late too often: all games would end like that.
#[derive(Debug, thiserror::Error)]
#[error(
    "{name} {what}. A program reads a line, writes a line with its move and flushes its output (docs/json.md has an \
     example)"
)]
pub struct Silent {
    name: String,
    what: String,
}

/// So many late answers end a match.
const MAX_LATE: u32 = 3;

/// A player as the command line names it.
#[derive(Clone, Debug)]
pub struct Contestant {
    name: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Ours(Who),
    /// The words of its command.
    Program(Vec<String>),
}

impl Contestant {
    /// Reads the name of a player, or `program:` and a command.
    pub fn parse(text: &str) -> Result<Contestant, String> {
        let kind = match text.strip_prefix(PROGRAM) {
            Some(command) => match shlex::split(command) {
                Some(words) if !words.is_empty() => Kind::Program(words),
                _ => return Err("expected a command after `program:`".to_owned()),
            },
            None if text == Who::Human.name() => {
                return Err("a person cannot play a match: use `play`".to_owned());
            }
            None => {
                let ours = Who::ALL.map(|(name, who, _)| (name, who));
                let ours: Vec<_> = ours.into_iter().filter(|(_, who)| *who != Who::Human).collect();
                Kind::Ours(choice(text, "a player, or program:COMMAND", &ours)?)
            }
        };
        Ok(Contestant { name: text.to_owned(), kind })
    }

    /// A program, by its command.
    pub fn program(command: &str) -> Result<Contestant, String> {
        Contestant::parse(&format!("{PROGRAM}{command}"))
    }

    /// The name, as it is given.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// A player of the games of one thread.
pub struct Seat {
    name: String,
    think: Duration,
    /// How much longer a program may take.
    patience: Duration,
    memory: u64,
    place: Place,
}

enum Place {
    Ours {
        player: Player,
        /// The game, and what the player has found in it.
        session: Option<Box<dyn Session>>,
        dice: Dice,
    },
    Program {
        running: Running,
        /// The words of its command, to start it again.
        words: Vec<String>,
        /// Whether it has ever answered.
        has_answered: bool,
        /// How often it was late.
        late: u32,
    },
}

/// What a program is asked, as a line of JSON.
#[derive(Serialize)]
struct Question<'a> {
    /// The game with all its parameters.
    game: String,
    /// The moves since the start.
    moves: Vec<String>,
    /// The position, in the game's notation.
    position: String,
    /// The side to move, 0 or 1.
    turn: usize,
    /// The legal moves, of which it answers one.
    legal: &'a [String],
    /// The time for it.
    seconds: f64,
}

impl Seat {
    /// Starts a player, with this much memory in bytes.
    pub fn take(contestant: &Contestant, args: &Args, memory: u64) -> anyhow::Result<Seat> {
        let place = match &contestant.kind {
            Kind::Program(words) => {
                let (running, words) = (Running::start(words)?, words.clone());
                Place::Program { running, words, has_answered: false, late: 0 }
            }
            Kind::Ours(who) => {
                let player = who.player(args.depth).context("a person cannot play a match")?;
                Place::Ours { player, session: None, dice: Dice::new(0) }
            }
        };
        let (name, think) = (contestant.name.clone(), args.think);
        Ok(Seat { name, think, patience: PATIENCE, memory, place })
    }

    /// The name of the player.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it is a program, which may reply what is wrong.
    pub fn is_program(&self) -> bool {
        matches!(self.place, Place::Program { .. })
    }

    /// Begins a game: forgets the last one.
    pub fn begin(
        &mut self,
        game: &dyn AnyGame,
        opening: &[String],
        seed: u64,
    ) -> anyhow::Result<()> {
        if let Place::Ours { session, dice, .. } = &mut self.place {
            *session = Some(game.open(None, &opening.join(" "))?);
            *dice = Dice::new(seed);
        }
        Ok(())
    }

    /// The move that it chooses.
    pub fn choose(
        &mut self,
        game: &dyn AnyGame,
        now: &dyn Session,
        control: &Control,
    ) -> anyhow::Result<String> {
        match &mut self.place {
            Place::Ours { player, session, dice } => {
                let session = session.as_mut().context("no game has begun")?;
                let time = player.takes_time().then_some(self.think);
                let limited = control.clone().with_memory(self.memory).with_time(time);
                Ok(choose(*player, &mut **session, dice, &limited)?.choice.mv)
            }
            Place::Program { running, words, has_answered, late } => {
                let question = Question {
                    game: game.specification(),
                    moves: now.played(),
                    position: now.position(),
                    turn: now.turn().index(),
                    legal: &now.moves(),
                    seconds: self.think.as_secs_f64(),
                };
                let question = serde_json::to_string(&question)?;
                let answer = running.ask(question, self.think + self.patience, control);
                match &answer {
                    Ok(_) => *has_answered = true,
                    Err(error) if is_stop(error) => {}
                    Err(error) => {
                        *late += u32::from(error.is::<Late>());
                        let what = match *has_answered {
                            false => format!("did not answer its first question: {error}"),
                            true => format!("did not answer {MAX_LATE} times: {error}"),
                        };
                        if !*has_answered || *late == MAX_LATE {
                            return Err(Silent { name: self.name.clone(), what }.into());
                        }
                    }
                }
                // A late answer must not be taken for that to the next question.
                if answer.as_ref().is_err_and(|error| !is_stop(error)) {
                    *running = Running::start(words)?;
                }
                answer
            }
        }
        .with_context(|| format!("no move from {}", self.name))
    }

    /// Hears of a move.
    pub fn play(&mut self, mv: &str) -> anyhow::Result<()> {
        if let Place::Ours { session: Some(session), .. } = &mut self.place {
            session.play(mv)?;
        }
        Ok(())
    }
}

/// A program that is running.
struct Running {
    child: Child,
    /// `None` when there are no more.
    questions: Option<SyncSender<String>>,
    /// Whether a question waits for its answer.
    asked: Arc<AtomicBool>,
    answers: Receiver<String>,
}

impl Running {
    fn start(words: &[String]) -> anyhow::Result<Running> {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| Refused(format!("cannot start {}: {error}", words[0])))?;
        let mut input = child.stdin.take().context("the program has no input")?;
        let output = child.stdout.take().context("the program has no output")?;
        // Both wait for a program that need not read or write, so that nobody else has to.
        let (questions, waiting) = mpsc::sync_channel::<String>(1);
        thread::spawn(move || {
            // A program that has ended does not read; that it does not answer says more.
            while let Ok(question) = waiting.recv()
                && writeln!(input, "{question}").and_then(|()| input.flush()).is_ok()
            {}
        });
        let (sender, answers) = mpsc::channel();
        let asked = Arc::new(AtomicBool::new(false));
        let open = asked.clone();
        thread::spawn(move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = Vec::new();
                let max = foregone::any::LONGEST_TEXT as u64;
                let read = (&mut output).take(max).read_until(b'\n', &mut line);
                if !matches!(read, Ok(1..)) {
                    return;
                }
                // What it says without being asked is no answer.
                if open.swap(false, Ordering::Relaxed) {
                    let line = String::from_utf8_lossy(&line).trim().to_owned();
                    if sender.send(line).is_err() {
                        return;
                    }
                }
            }
        });
        Ok(Running { child, questions: Some(questions), asked, answers })
    }

    /// The answer to a question, if it comes within the time and nobody stops it.
    fn ask(
        &mut self,
        question: String,
        patience: Duration,
        control: &Control,
    ) -> anyhow::Result<String> {
        self.asked.store(true, Ordering::Relaxed);
        if let Some(questions) = &self.questions
            && let Err(TrySendError::Full(_)) = questions.try_send(question)
        {
            anyhow::bail!("the program does not read its questions");
        }
        let until = Instant::now() + patience;
        loop {
            match self.answers.recv_timeout(TICK) {
                Ok(answer) => return Ok(answer),
                Err(RecvTimeoutError::Disconnected) => {
                    anyhow::bail!("the program has ended or closed its output")
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() > until => {
                    return Err(Late(patience.as_secs()).into());
                }
                Err(RecvTimeoutError::Timeout) => {
                    let phase = "waiting for a program";
                    control.report(Progress { phase, done: 0, total: None, bounds: None })?;
                }
            }
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // At the end of its input it may still have something to say. It may also have ended by itself.
        self.questions = None;
        let until = Instant::now() + FAREWELL;
        while matches!(self.child.try_wait(), Ok(None)) && Instant::now() < until {
            thread::sleep(TICK / 10);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use foregone::Registry;

    use super::*;

    /// A program that has never answered ends the match; one that has is late, and is started again, twice.
    #[test]
    fn a_program_that_never_answers_is_told_from_one_that_is_late() {
        let game = Registry::standard().game("tic-tac-toe").unwrap();
        let control = Control::default();
        let ask = |command: &str, times: usize| {
            let words = shlex::split(command).unwrap();
            let running = Running::start(&words).unwrap();
            let mut seat = Seat {
                name: command.to_owned(),
                think: Duration::ZERO,
                patience: Duration::from_secs(60),
                memory: 1 << 20,
                place: Place::Program { running, words, has_answered: false, late: 0 },
            };
            for _ in 1..times {
                seat.choose(&*game, &*game.session(), &control).unwrap();
            }
            seat.patience = if command == "true" { seat.patience } else { Duration::ZERO };
            [(); 3].map(|()| seat.choose(&*game, &*game.session(), &control).unwrap_err())
        };
        for command in ["sleep 1000", "true"] {
            let [never, ..] = ask(command, 1);
            assert!(never.is::<Silent>(), "{never:#}");
            assert!(never.to_string().contains("did not answer its first question"), "{never}");
        }
        // It answers once, however often it is started.
        let folder = tempfile::tempdir().unwrap();
        let once = folder.path().join("once").display().to_string();
        let script = format!("read line; mkdir {once} && echo 5; exec sleep 1000");
        let [later, _, last] = ask(&format!("sh -c {script:?}"), 2);
        assert!(!later.is::<Silent>(), "{later:#}");
        assert!(format!("{later:#}").contains("it did not answer within 0 s"), "{later:#}");
        assert!(last.is::<Silent>() && last.to_string().contains("3 times"), "{last:#}");
    }
}
