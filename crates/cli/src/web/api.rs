//! The API for programs: the same questions and the same JSON as on the command line.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use foregone::{Halted, Player, Report, Request, TreeRequest};
use foregone_page::address::{DEEPEST, LONGEST};
use foregone_page::players::Who;
use foregone_page::service::{Deadline, Opened, Service};
use serde::{Deserialize, Serialize};

use super::Server;
use super::asked::Asked;
use super::problem::Problem;
use super::visitor::Tab;
use crate::json::{Games, Position};

/// The position that a question is about.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(default)]
pub struct Place {
    /// The game, such as tic-tac-toe or kalah(pits=4,stones=3).
    game: String,
    /// The position, in the game's notation; by default the start.
    position: Option<String>,
    /// Moves to make first, separated by commas or spaces.
    moves: String,
}

/// How to solve.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(default)]
pub struct Solving {
    /// How to solve.
    method: Option<String>,
    /// The depth limit in plies.
    depth: Option<String>,
    /// The time limit, such as 500ms; at most that of the server.
    time: Option<String>,
    /// Find distances too, even if values alone are found faster.
    distances: Option<String>,
    /// Leave out the moves and the line.
    value_only: Option<String>,
}

/// Who chooses a move.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(default)]
pub struct Choosing {
    /// Who chooses.
    player: Option<String>,
    /// How many plies alphabeta and minimax look ahead; by default 4.
    depth: Option<String>,
}

/// How much of a tree to look at.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(test, derive(Serialize))]
#[serde(default)]
pub struct Growing {
    /// The depth in plies; by default 3.
    depth: Option<String>,
}

/// Reads a number of plies; `None` if there is none.
fn depth(text: Option<&str>, least: u32) -> Result<Option<u32>, Problem> {
    let Some(text) = text else { return Ok(None) };
    match text.parse() {
        Ok(depth) if (least..=DEEPEST).contains(&depth) => Ok(Some(depth)),
        _ => {
            let why = format!("expected a number from {least} to {DEEPEST}");
            Err(Problem::parameter("depth", why))
        }
    }
}

/// Reads a flag; `false` if there is none.
fn flag(name: &str, text: Option<&str>) -> Result<bool, Problem> {
    match text {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Problem::parameter(name, "expected `true` or `false`")),
    }
}

type Answer = Result<Response, Problem>;

fn open(service: &Service, place: &Place) -> Result<Opened, Problem> {
    if place.game.is_empty() {
        return Err(Problem::parameter("game", "expected the name of a game, as in `game=nim`"));
    }
    let position = place.position.as_deref().unwrap_or("");
    for (name, text) in [("position", position), ("moves", &place.moves)] {
        if text.len() > LONGEST {
            let why = format!("expected at most {LONGEST} bytes, found {}", text.len());
            return Err(Problem::parameter(name, why));
        }
    }
    let (game, mut session) = service.open(&place.game)?;
    session.go(place.position.as_deref(), &place.moves)?;
    Ok((game, session))
}

/// All games with their parameters.
pub async fn games(State(server): State<Arc<Server>>) -> Answer {
    Ok(Json(Games::of(&server.service.registry)?).into_response())
}

/// A position: the side to move and the legal moves.
pub async fn show(
    State(server): State<Arc<Server>>,
    Extension(asker): Extension<Tab>,
    Asked(place): Asked<Place>,
) -> Answer {
    let worker = server.service.clone();
    let shown = server.queues.fast(asker, move |_| {
        let (game, session) = open(&worker, &place)?;
        Ok::<_, Problem>(Position::of(&*game, &*session))
    });
    Ok(Json(shown.await??).into_response())
}

/// The value of a position and of its moves.
pub async fn solve(
    State(server): State<Arc<Server>>,
    Extension(asker): Extension<Tab>,
    Asked(place): Asked<Place>,
    Asked(asked): Asked<Solving>,
) -> Answer {
    let method = match &asked.method {
        Some(method) => method.parse()?,
        None => foregone::Method::Auto,
    };
    let time = match &asked.time {
        Some(text) => crate::args::time(text).map_err(|why| Problem::parameter("time", why))?,
        None => Duration::MAX,
    };
    let value_only = flag("value_only", asked.value_only.as_deref())?;
    let usual = Request::default().with_estimate(true);
    let request = usual
        .with_method(method)
        .with_depth(depth(asked.depth.as_deref(), 1)?)
        .with_distances(flag("distances", asked.distances.as_deref())?)
        .with_moves(!value_only)
        .with_line(!value_only);
    if request == usual && asked.time.is_none() {
        let (worker, place) = (server.service.clone(), place.clone());
        let known = server.queues.fast(asker, move |deadline| {
            let (game, mut session) = open(&worker, &place)?;
            Ok::<_, Problem>(worker.at_once(&mut *session, &game.specification(), deadline))
        });
        if let Some(answer) = known.await??
            && answer.halted.is_none()
        {
            return Ok(Solved::of(&answer));
        }
    }
    let worker = server.service.clone();
    let work = server.queues.worker(asker, move |deadline| {
        let (_, mut session) = open(&worker, &place)?;
        deadline.end().bring_forward(time);
        let control = worker.control(deadline);
        Ok::<_, Problem>(session.solve(&request, &control))
    });
    solved(&server, &work.await??)
}

/// A report as an answer; a problem if the run was halted and found nothing.
fn solved(server: &Server, report: &Report) -> Answer {
    let Some(why) = &report.halted else { return Ok(Solved::of(report)) };
    let found = report.value.is_some() || report.bounds.is_some() || !report.moves.is_empty();
    match why {
        Halted::Time { .. } => Ok(Solved::of(report)),
        why if why.is_wrong_request() => Err(Problem::parameter("method", why.to_string())),
        why if found && is_room(why) => Ok(Solved::of(report)),
        why => Err(halted(server, why)),
    }
}

/// What `foregone solve --json` writes, and why the run was halted.
#[derive(Serialize)]
struct Solved<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// Why the result is missing or incomplete, usually because the time limit was reached; null if
    /// the run was not halted.
    halted: Option<String>,
}

impl Solved<'_> {
    fn of(report: &Report) -> Response {
        let halted = report.halted.as_ref().map(Halted::to_string);
        let header = halted.as_ref().and_then(|why| HeaderValue::from_str(why).ok());
        let mut response = Json(Solved { report, halted }).into_response();
        if let Some(why) = header {
            response.headers_mut().insert("foregone-halted", why);
        }
        response
    }
}

/// Whether a run was halted by the server's limits.
fn is_room(why: &Halted) -> bool {
    use Halted::{Endgame, Memory, Table, Thread};
    matches!(why, Memory { .. } | Thread { .. } | Table { .. } | Endgame { .. })
}

/// The problem of a run that was halted without an answer: the question is wrong, a table is damaged,
/// or the server's limits are too small.
fn halted(server: &Server, why: &Halted) -> Problem {
    match why {
        Halted::Loops { .. } | Halted::Deep { .. } | Halted::Positions { .. } => {
            Problem::wrong(why.to_string())
        }
        why if why.is_wrong_request() => Problem::wrong(why.to_string()),
        Halted::Damaged { .. } => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("a table is damaged: {why}"))
        }
        // A game breaks its own rules: asking again does not help.
        Halted::NoMoves { .. } | Halted::Promise { .. } | Halted::Misplayed { .. } => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, why.to_string())
        }
        why => Problem::later(why.to_string(), server.queues.again()),
    }
}

/// The move of a player.
#[derive(Serialize)]
struct Chosen {
    /// The game with all its parameters.
    game: String,
    /// The position, in the game's notation.
    position: String,
    /// Who chose.
    player: &'static str,
    /// The move.
    #[serde(rename = "move")]
    mv: String,
    /// Whether the move is proven to be best.
    proven: bool,
}

/// The move of a player.
pub async fn choose(
    State(server): State<Arc<Server>>,
    Extension(asker): Extension<Tab>,
    Asked(place): Asked<Place>,
    Asked(asked): Asked<Choosing>,
) -> Answer {
    let who = Who::parse(asked.player.as_deref().unwrap_or("perfect"))
        .map_err(|why| Problem::parameter("player", why))?;
    let depth = depth(asked.depth.as_deref(), 1)?.unwrap_or(4);
    let person = || Problem::parameter("player", "a person chooses alone");
    let player = who.player(depth).ok_or_else(person)?;
    let answer =
        move |game, position, mv, proven| Chosen { game, position, player: who.name(), mv, proven };
    let (worker, wanted) = (server.service.clone(), place.clone());
    let known = server.queues.fast(asker, move |deadline| {
        let (game, mut session) = open(&worker, &wanted)?;
        if session.outcome().is_some() {
            return Err(Problem::wrong("the game is over: there is no move to make"));
        }
        let name = game.specification();
        let mv = worker.choose_at_once(player, &*game, &mut *session, deadline);
        Ok(mv.map(|mv| answer(name, session.position(), mv, player == Player::Perfect)))
    });
    if let Some(answer) = known.await?? {
        return Ok(Json(answer).into_response());
    }
    let worker = server.clone();
    let work = server.queues.worker(asker, move |deadline| {
        let (game, mut session) = open(&worker.service, &place)?;
        let (name, position) = (game.specification(), session.position());
        let chosen = worker.service.choose(player, &*game, &mut *session, deadline);
        let (mv, proven) = chosen.map_err(|why| halted(&worker, &why))?;
        Ok::<_, Problem>(answer(name, position, mv, proven))
    });
    Ok(Json(work.await??).into_response())
}

/// The game tree below a position.
pub async fn tree(
    State(server): State<Arc<Server>>,
    Extension(asker): Extension<Tab>,
    Asked(place): Asked<Place>,
    Asked(asked): Asked<Growing>,
) -> Answer {
    let depth = depth(asked.depth.as_deref(), 0)?.unwrap_or(3);
    let grow = |place: Place| {
        let worker = server.service.clone();
        move |deadline: &Deadline| {
            let (_, session) = open(&worker, &place)?;
            let request = TreeRequest { depth: Some(depth) };
            Ok::<_, Problem>(session.tree(&request, &worker.small(deadline)))
        }
    };
    let mut report = server.queues.fast(asker, grow(place.clone())).await??;
    if matches!(report.halted, Some(Halted::Time { .. })) {
        report = server.queues.worker(asker, grow(place)).await??;
    }
    match &report.halted {
        Some(why) if is_room(why) => {
            let why = format!("there is no room for a tree of {depth} plies, ask for fewer: {why}");
            Err(Problem::later(why, server.queues.again()))
        }
        Some(why) => Err(halted(&server, why)),
        None => Ok(Json(&report).into_response()),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use axum::http::header;

    use super::*;
    use crate::web::Limits;
    use foregone::Registry;

    fn names(read: impl Serialize) -> Vec<String> {
        serde_json::to_value(read).unwrap().as_object().unwrap().keys().cloned().collect()
    }

    #[test]
    fn the_contract_has_the_parameters_that_are_read() {
        let place = names(Place::default());
        let read = [
            ("games", vec![]),
            ("show", place.clone()),
            ("solve", [place.clone(), names(Solving::default())].concat()),
            ("move", [place.clone(), names(Choosing::default())].concat()),
            ("tree", [place, names(Growing::default())].concat()),
            ("openapi.json", vec![]),
        ];
        let mut described: HashMap<_, _> = crate::web::openapi::parameters().collect();
        for (path, mut read) in read {
            let mut described = described.remove(&format!("/api/v1/{path}")).unwrap();
            read.sort();
            described.sort();
            assert_eq!(read, described, "{path}");
        }
        assert!(described.is_empty(), "{described:?}");
    }

    #[test]
    fn the_limits_of_the_server_are_not_the_visitors_fault() {
        let think = Duration::from_millis(2500);
        let limits = Limits { think, memory: 1 << 20, workers: 1, share: 1 };
        let server = Server::new(Registry::standard(), limits, None, None);
        let game = server.service.registry.game("nim").unwrap();
        let mut session = game.session();
        let solved_so = |halted: Halted, found: bool, session: &mut dyn foregone::Session| {
            let mut report = session.solve(&Request::default(), &Default::default());
            report.why = "as requested".to_owned();
            report.halted = Some(halted);
            if !found {
                (report.value, report.bounds, report.moves) = (None, None, Vec::new());
            }
            let response = solved(&server, &report).into_response();
            let again = response.headers().get(header::RETRY_AFTER).cloned();
            (response.status().as_u16(), again.map(|again| again.to_str().unwrap().to_owned()))
        };
        let (phase, done, size, limit) = ("solving", 5, 1 << 40, 1 << 20);
        let room = [
            Halted::Memory { limit, needed: size, phase, done },
            Halted::Thread { stack: size },
            Halted::Table { size },
        ];
        for why in room {
            let none = solved_so(why.clone(), false, &mut *session);
            assert_eq!(none, (503, Some("3".to_owned())), "{why}");
            assert_eq!(solved_so(why, true, &mut *session), (200, None));
        }
        assert_eq!(solved_so(Halted::Time { phase, done }, false, &mut *session), (200, None));
        let stopped = solved_so(Halted::Stopped { phase, done }, false, &mut *session);
        assert_eq!(stopped.0, 503);
        let asked = [
            Halted::NoProof,
            Halted::Deep { limit: 9 },
            Halted::Loops { position: "here".to_owned() },
            Halted::NoTable,
            Halted::NotInTable,
            Halted::NotInBook,
        ];
        for why in asked {
            assert_eq!(solved_so(why.clone(), false, &mut *session), (400, None), "{why}");
        }
        let damaged = Halted::Damaged { why: "a checksum is wrong".to_owned() };
        assert_eq!(solved_so(damaged, false, &mut *session), (500, None));
    }
}
