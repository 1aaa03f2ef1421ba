//! The record of a game: its positions, their values, the mistakes, and a chart.

use std::sync::Arc;
use std::time::{Duration, Instant};

use foregone::any::report::ResultReport;
use foregone::record::words::amount;
use foregone::{AnyGame, Invalid, Outcome, Report, Session, Side, Value, game::Verdict};
use maud::{Markup, html};

use crate::address::Address;
use crate::service::{Deadline, Service};
use crate::slip::Slip;
use crate::words::{Voice, counted_moves, percent, signed};

/// A position of the game and the move that was made there.
pub struct Ply {
    pub turn: Side,
    pub mv: Option<String>,
    pub outcome: Option<Outcome>,
    pub answer: Option<Arc<Report>>,
}

/// A game as far as it has been played.
pub struct Record {
    pub plies: Vec<Ply>,
    /// The session at the position that is shown.
    pub here: Box<dyn Session>,
}

/// How long a game may take to be gone through; a game of 600 moves usually takes some 20 ms.
const PATIENCE: Duration = Duration::from_secs(3);

/// For how long values are looked for on the way. A machine that is busy shows fewer of them, and still the game.
const VALUING: Duration = Duration::from_millis(500);

/// The value of a position as the first player sees it.
struct Level {
    /// In the unit of the game; of a chance, from -1 to 1.
    height: f32,
    proven: bool,
    words: String,
}

impl Record {
    /// Replays an address. With `valued`, positions get values if these are known or quickly found.
    pub fn replay(
        service: &Service,
        game: &dyn AnyGame,
        mut session: Box<dyn Session>,
        address: &Address,
        valued: bool,
        deadline: &Deadline,
    ) -> Result<Record, Invalid> {
        let name = game.specification();
        session.go(address.position.as_deref(), "")?;
        let mut plies = Vec::new();
        let mut here = None;
        let begun = Instant::now();
        for at in 0..=address.moves.len() {
            if begun.elapsed() > PATIENCE {
                let found = format!("{} moves", address.moves.len());
                return Err(Invalid::new(found, "fewer: going through them takes too long"));
            }
            if at == address.at {
                here = Some(session.fork());
            }
            let outcome = session.outcome();
            let in_time = at == address.at || begun.elapsed() < VALUING;
            let answer = match valued && in_time && outcome.is_none() {
                true => service.at_once(&mut *session, &name, deadline).or_else(|| {
                    // Of the position that is shown, all moves are wanted.
                    let value = service.known_value(&*session, &name);
                    value.filter(|_| address.review && at != address.at)
                }),
                false => None,
            };
            let mv = address.moves.get(at);
            // As the game writes it, whatever the visitor typed.
            let written = match mv {
                Some(mv) => {
                    let turn = session.turn();
                    session.play(mv)?;
                    Some((session.played().pop().unwrap_or_default(), turn))
                }
                None => None,
            };
            let turn = written.as_ref().map_or(session.turn(), |(_, turn)| *turn);
            plies.push(Ply { turn, mv: written.map(|(mv, _)| mv), outcome, answer });
        }
        let here = here.unwrap_or(session);
        let mut record = Record { plies, here };
        if address.review {
            record.infer(game.max_value(), address.at);
        }
        Ok(record)
    }

    /// Values that follow from those after them: who made a move with the best result of all had it before.
    fn infer(&mut self, best: i32, shown: usize) {
        for at in (0..self.plies.len().saturating_sub(1)).rev() {
            let ply = &self.plies[at];
            let after = self.after(at).map(|(value, _)| value);
            if ply.answer.is_none() && at != shown && after == Some(Value(best)) {
                let mut known = Report::default();
                (known.value, known.proven) = (Some(best), true);
                self.plies[at].answer = Some(Arc::new(known));
            }
        }
    }

    /// The proven value of a move, for the side that made it, and its plies if they are known.
    fn after(&self, at: usize) -> Option<(Value, Option<u32>)> {
        let (turn, next) = (self.plies[at].turn, &self.plies[at + 1]);
        match (next.outcome, next.answer.as_deref()) {
            (Some(outcome), _) => Some((outcome.value_for(turn), Some(1))),
            (None, Some(after)) if after.proven => {
                let value = Value(after.value?).seen_from(next.turn, turn);
                Some((value, after.distance.map(|plies| plies + 1)))
            }
            _ => None,
        }
    }

    /// After how many moves the position that is shown was on the board before; `None` if it is new.
    pub fn came_before(&self) -> Option<usize> {
        let mut session = self.here.fork();
        let here = session.position();
        let mut moves = session.played().len();
        while session.undo() {
            moves -= 1;
            if session.position() == here {
                return Some(moves);
            }
        }
        None
    }

    /// The last ply whose value is missing: what is known of later ones may tell those before.
    pub fn missing(&self) -> Option<usize> {
        self.plies.iter().rposition(|ply| ply.answer.is_none() && ply.outcome.is_none())
    }

    /// What a move gave away, by the values of moves or of the position after it.
    fn slip(&self, at: usize, mv: &str) -> Option<Slip> {
        let answer = self.plies[at].answer.as_deref().filter(|answer| answer.proven)?;
        if !answer.moves.is_empty() {
            return Slip::of(answer, mv);
        }
        Slip::between((Value(answer.value?), answer.distance), self.after(at)?)
    }

    /// The value of a position as the first player sees it.
    fn value(&self, at: usize) -> Option<Level> {
        let ply = &self.plies[at];
        let of = |value: i32, proven| {
            let sign = if proven { "" } else { "≈" };
            Level { height: value as f32, proven, words: format!("{sign}{}", signed(value)) }
        };
        if let Some(outcome) = ply.outcome {
            return Some(of(outcome.0, true));
        }
        let report = ply.answer.as_ref()?;
        if let Some(chance) = report.chance().filter(|_| report.unit == "result") {
            let chance = if ply.turn == Side::First { chance } else { 1.0 - chance };
            let height = (2.0 * chance - 1.0) as f32;
            return Some(Level { height, proven: false, words: percent(chance) });
        }
        Some(of(Value(report.value?).outcome_for(ply.turn).0, report.proven))
    }

    /// The moves played, each with what it was worth and what it gave away.
    pub fn list(&self, voice: Voice<'_>, address: &Address) -> Markup {
        let moves = self.plies.iter().enumerate().filter(|(_, ply)| ply.mv.is_some());
        let first = moves.clone().find(|(at, ply)| {
            let slip = ply.mv.as_ref().and_then(|mv| self.slip(*at, mv));
            address.player(ply.turn).is_none() && slip.is_some()
        });
        html! {
            @if let Some((at, _)) = first {
                p id="first-slip" { a href=(address.seen_at(at + 1).link()) { "The first mistake is move " (at + 1) } }
            }
            ol.record aria-label="Moves played" {
                @for (at, ply) in moves {
                    @let mv = ply.mv.as_deref().unwrap_or_default();
                    @let slip = self.slip(at, mv);
                    @let current = at + 1 == address.at;
                    li.now[current] {
                        button form="here" name="at" value=(at + 1)
                            aria-current=[current.then_some("step")] {
                            span.mover.first[ply.turn == Side::First].second[ply.turn == Side::Second] {
                                (voice.name(ply.turn))
                            }
                            " " b { (mv) }
                        }
                        @if address.guesses.contains(&at) { " " small { "not proven" } }
                        @if let Some(slip) = slip {
                            @let (sign, words) = slip.say(voice.unit, voice.counted);
                            " " span.slip title=(words) { (sign) " " small { (words) } }
                            @if address.player(ply.turn).is_none() {
                                // Without hints, which would tell.
                                @let again = Address { hints: false, ..address.back_to(at) };
                                " " a.retry href=(again.link()) { "try again" }
                            }
                        }
                        @if let Some(level) = self.value(at + 1).filter(|_| address.hints) {
                            @let seen = format!("seen by {}", voice.the(Side::First));
                            " " span.after title=(seen) { (level.words) }
                        }
                    }
                }
            }
        }
    }

    /// The value of every position, the first player's wins above; `None` if too few are known.
    pub fn chart(&self, voice: Voice<'_>, address: &Address) -> Option<Markup> {
        const WIDTH: f32 = 600.0;
        const HEIGHT: f32 = 160.0;
        const EDGE: f32 = 14.0;
        // The room for the numbers of the axis.
        const LEFT: f32 = 40.0;
        let values: Vec<_> = (0..self.plies.len()).map(|at| self.value(at)).collect();
        if self.plies.len() < 2 || values.iter().flatten().count() < 2 {
            return None;
        }
        let max = values.iter().flatten().map(|level| level.height.abs()).fold(1.0, f32::max);
        let step = (WIDTH - LEFT - EDGE) / (self.plies.len() - 1) as f32;
        let point = |at: usize, level: &Level| {
            let y = HEIGHT / 2.0 - level.height / max * (HEIGHT / 2.0 - EDGE);
            (LEFT + at as f32 * step, y)
        };
        let known = || {
            let all = values.iter().enumerate();
            all.filter_map(|(at, level)| Some((at, level.as_ref()?)))
        };
        // A line for each stretch without gaps.
        let mut lines: Vec<String> = Vec::new();
        let mut last = None;
        for (at, level) in known() {
            let (x, y) = point(at, level);
            match lines.last_mut() {
                Some(line) if last == at.checked_sub(1) => *line += &format!(" {x:.1},{y:.1}"),
                _ => lines.push(format!("{x:.1},{y:.1}")),
            }
            last = Some(at);
        }
        let said = |at: usize, level: &Level| {
            let after = match at.checked_sub(1).and_then(|at| self.plies[at].mv.as_deref()) {
                Some(mv) => format!("{at}. {mv}"),
                None => "start".to_owned(),
            };
            format!("{after}: {} for {}", level.words, voice.the(Side::First))
        };
        Some(html! {
            figure.chart {
                figcaption { "Value over the game, seen by " (voice.the(Side::First)) }
                svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="group"
                    aria-label="Chart of the value after each move" {
                    line.axis x1=(LEFT) x2=(WIDTH) y1=(HEIGHT / 2.0) y2=(HEIGHT / 2.0) {}
                    text.tick x="2" y=(EDGE + 4.0) { (signed(max as i32)) }
                    text.tick x="2" y=(HEIGHT - EDGE + 4.0) { (signed(-max as i32)) }
                    @for line in &lines { polyline points=(line) {} }
                    @for (at, level) in known() {
                        @let (x, y) = point(at, level);
                        circle.now[at == address.at].guess[!level.proven] role="img"
                            aria-label=(said(at, level)) cx=(format!("{x:.1}"))
                            cy=(format!("{y:.1}")) r="5" { title { (said(at, level)) } }
                    }
                }
            }
        })
    }
}

/// What a result means for its mover: `wins in 5 moves`, `draws`, `loses by 3 stones`, `about +3`.
pub fn result_words(result: &ResultReport, unit: &str) -> String {
    if result.result.is_none() {
        let unit = if unit == "result" { String::new() } else { format!(" {unit}") };
        return format!("about {}{unit}, not proven", signed(result.value));
    }
    let mut words = match Value(result.value).verdict() {
        Verdict::Win => "wins",
        Verdict::Draw => "draws",
        Verdict::Loss => "loses",
    }
    .to_owned();
    if unit != "result" && result.value != 0 {
        words += &format!(" by {}", amount(result.value.unsigned_abs(), unit));
    }
    match result.distance {
        Some(plies) => words += &format!(" in {}", counted_moves(plies)),
        None if result.endless => words += " by endless play",
        None => {}
    }
    words
}
