//! What programs ask: the same questions as on the command line, the same JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use foregone::{Halted, Player, Report, Request, TreeRequest};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::address::{DEEPEST, LONGEST};
use super::problem::Problem;
use super::query::Asked;
use super::service::{Deadline, Opened, Service};
use super::visitor::Visitor;
use crate::cmd::games::Games;
use crate::cmd::show::Position;
use crate::players::Who;

/// The contract, which a test holds against the server.
pub const OPENAPI: &str = include_str!("assets/openapi.json");

/// Every path of the contract with the names of its parameters.
pub fn parameters() -> Vec<(String, Vec<String>)> {
    // The text is the program's own, and tests read it.
    let contract: Value = serde_json::from_str(OPENAPI).unwrap_or_default();
    let paths = contract["paths"].as_object().into_iter().flatten();
    let of = |(path, item): (&String, &Value)| {
        let all = item["get"]["parameters"].as_array().into_iter().flatten();
        let names = all.filter_map(|each| Some(each["name"].as_str()?.to_owned()));
        (format!("/api/v1{path}"), names.collect())
    };
    paths.map(of).collect()
}

/// The fields of a question as they come in.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Fields {
    game: String,
    position: Option<String>,
    moves: String,
    method: Option<String>,
    depth: Option<String>,
    time: Option<String>,
    distances: Option<String>,
    value_only: Option<String>,
    player: Option<String>,
}

impl Fields {
    /// How many plies; `None` if nothing is said.
    fn depth(&self, least: u32) -> Result<Option<u32>, Problem> {
        let Some(text) = &self.depth else { return Ok(None) };
        match text.parse() {
            Ok(depth) if (least..=DEEPEST).contains(&depth) => Ok(Some(depth)),
            _ => {
                let why = format!("expected a number from {least} to {DEEPEST}");
                Err(Problem::parameter("depth", why))
            }
        }
    }
}

/// Whether something is asked for; it is not if nothing is said.
fn flag(name: &str, text: Option<&str>) -> Result<bool, Problem> {
    match text {
        None | Some("false") => Ok(false),
        Some("true") => Ok(true),
        Some(_) => Err(Problem::parameter(name, "expected `true` or `false`")),
    }
}

type Answer = Result<Response, Problem>;

fn open(service: &Service, fields: &Fields) -> Result<Opened, Problem> {
    let position = fields.position.as_deref().unwrap_or("");
    for (name, text) in [("position", position), ("moves", &fields.moves)] {
        if text.len() > LONGEST {
            let why = format!("expected at most {LONGEST} bytes, found {}", text.len());
            return Err(Problem::parameter(name, why));
        }
    }
    let (game, mut session) = service.open(&fields.game)?;
    session.go(fields.position.as_deref(), &fields.moves)?;
    Ok((game, session))
}

pub async fn contract() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

pub async fn games(State(service): State<Arc<Service>>) -> Answer {
    Ok(Json(Games::of(&service.registry)?).into_response())
}

pub async fn show(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<Fields>,
) -> Answer {
    let worker = service.clone();
    let shown = service.lanes.fast(visitor, move |_| {
        let (game, session) = open(&worker, &fields)?;
        Ok::<_, Problem>(Position::of(&*game, &*session))
    });
    Ok(Json(shown.await??).into_response())
}

pub async fn solve(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<Fields>,
) -> Answer {
    let method = match &fields.method {
        Some(method) => method.parse()?,
        None => foregone::Method::Auto,
    };
    let time = match &fields.time {
        Some(text) => crate::args::time(text).map_err(|why| Problem::parameter("time", why))?,
        None => Duration::MAX,
    };
    let value_only = flag("value_only", fields.value_only.as_deref())?;
    let request = Request {
        method,
        depth: fields.depth(1)?,
        distances: flag("distances", fields.distances.as_deref())?,
        moves: !value_only,
        line: !value_only,
        ..Request::default()
    };
    if request == Request::default() && fields.time.is_none() {
        let (worker, fields) = (service.clone(), fields.clone());
        let known = service.lanes.fast(visitor, move |deadline| {
            let (game, mut session) = open(&worker, &fields)?;
            Ok::<_, Problem>(worker.at_once(&mut *session, &game.specification(), deadline))
        });
        if let Some(answer) = known.await??
            && answer.report.halted.is_none()
        {
            return Ok(Solved::of(&answer.report));
        }
    }
    let worker = service.clone();
    let work = service.lanes.worker(visitor, move |deadline| {
        let (_, mut session) = open(&worker, &fields)?;
        let control = worker.control(deadline).with_time(time.min(deadline.left()));
        Ok::<_, Problem>(session.solve(&request, &control, None))
    });
    solved(&service, &work.await??)
}

/// A report as an answer; a problem if the run was halted and what it found is none.
fn solved(service: &Service, report: &Report) -> Answer {
    let Some(why) = &report.halted else { return Ok(Solved::of(report)) };
    let found = report.value.is_some() || report.bounds.is_some() || !report.moves.is_empty();
    match why {
        Halted::Time { .. } => Ok(Solved::of(report)),
        why if why.is_wrong_request() => Err(Problem::parameter("method", why.to_string())),
        why if found && is_room(why) => Ok(Solved::of(report)),
        why => Err(halted(service, why)),
    }
}

/// A report with what the command line says beside it.
#[derive(Serialize)]
struct Solved<'r> {
    #[serde(flatten)]
    report: &'r Report,
    /// Why there is no result, or only a part of one.
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

/// Whether a run was halted for lack of room, which is the server's limit.
fn is_room(why: &Halted) -> bool {
    use Halted::{Endgame, Memory, Table, Thread};
    matches!(why, Memory { .. } | Thread { .. } | Table { .. } | Endgame { .. })
}

/// The problem of a run that was halted without an answer: the question's fault, a damaged table's,
/// or that of the server's limits.
fn halted(service: &Service, why: &Halted) -> Problem {
    match why {
        Halted::Loops { .. } | Halted::Deep { .. } | Halted::Positions { .. } => {
            Problem::wrong(why.to_string())
        }
        why if why.is_wrong_request() => Problem::wrong(why.to_string()),
        Halted::Damaged { .. } => {
            Problem::new(StatusCode::INTERNAL_SERVER_ERROR, format!("a table is damaged: {why}"))
        }
        // A game of somebody's own breaks its rules: no later try helps.
        Halted::NoMoves { .. } => Problem::new(StatusCode::INTERNAL_SERVER_ERROR, why.to_string()),
        why => Problem::later(why.to_string(), service.lanes.again()),
    }
}

/// The move that a player would make.
#[derive(Serialize)]
struct Chosen {
    /// The game with all its parameters.
    game: String,
    /// The position, in the game's notation.
    position: String,
    /// Who chose.
    player: &'static str,
    #[serde(rename = "move")]
    mv: String,
    /// Whether the move is proven to be best.
    proven: bool,
}

pub async fn choose(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<Fields>,
) -> Answer {
    let who = Who::parse(fields.player.as_deref().unwrap_or("perfect"))
        .map_err(|why| Problem::parameter("player", why))?;
    let depth = fields.depth(1)?.unwrap_or(4);
    let person = || Problem::parameter("player", "a person chooses alone");
    let player = who.player(depth).ok_or_else(person)?;
    let answer =
        move |game, position, mv, proven| Chosen { game, position, player: who.name(), mv, proven };
    let (worker, asked) = (service.clone(), fields.clone());
    let known = service.lanes.fast(visitor, move |deadline| {
        let (game, mut session) = open(&worker, &asked)?;
        if session.outcome().is_some() {
            return Err(Problem::wrong("the game is over: there is no move to make"));
        }
        let name = game.specification();
        let mv = worker.choose_at_once(player, &mut *session, &name, deadline);
        Ok(mv.map(|mv| answer(name, session.position(), mv, player == Player::Perfect)))
    });
    if let Some(answer) = known.await?? {
        return Ok(Json(answer).into_response());
    }
    let worker = service.clone();
    let work = service.lanes.worker(visitor, move |deadline| {
        let (game, mut session) = open(&worker, &fields)?;
        let (name, position) = (game.specification(), session.position());
        let chosen = worker.choose(player, &mut *session, &name, deadline);
        let (mv, proven) = chosen.map_err(|why| halted(&worker, &why))?;
        Ok::<_, Problem>(answer(name, position, mv, proven))
    });
    Ok(Json(work.await??).into_response())
}

pub async fn tree(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<Fields>,
) -> Answer {
    let depth = fields.depth(0)?.unwrap_or(3);
    let grow = |fields: Fields| {
        let worker = service.clone();
        move |deadline: &Deadline| {
            let (_, session) = open(&worker, &fields)?;
            let request = TreeRequest { depth: Some(depth) };
            Ok::<_, Problem>(session.tree(&request, &worker.small(deadline)))
        }
    };
    let mut report = service.lanes.fast(visitor, grow(fields.clone())).await??;
    if matches!(report.halted, Some(Halted::Time { .. })) {
        report = service.lanes.worker(visitor, grow(fields)).await??;
    }
    match &report.halted {
        Some(why) if is_room(why) => {
            let why = format!("there is no room for a tree of {depth} plies, ask for fewer: {why}");
            Err(Problem::later(why, service.lanes.again()))
        }
        Some(why) => Err(halted(&service, why)),
        None => Ok(Json(&report).into_response()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::Limits;
    use foregone::{Method, Registry};

    /// The names that the contract has for a parameter of a path.
    fn names(path: &str, parameter: &str) -> Vec<String> {
        let contract: Value = serde_json::from_str(OPENAPI).unwrap();
        let parameters = contract["paths"][path]["get"]["parameters"].as_array().unwrap();
        let found = parameters.iter().find(|each| each["name"] == parameter).unwrap();
        serde_json::from_value(found["schema"]["enum"].clone()).unwrap()
    }

    #[test]
    fn the_contract_names_every_method_and_player() {
        assert_eq!(names("/solve", "method"), Method::ALL.map(|(name, _)| name));
        let players = Who::ALL.into_iter().filter(|(_, who, _)| who.player(1).is_some());
        assert_eq!(names("/move", "player"), players.map(|(name, ..)| name).collect::<Vec<_>>());
    }

    #[test]
    fn the_limits_of_the_server_are_not_the_visitors_fault() {
        let think = Duration::from_millis(2500);
        let limits = Limits { think, memory: 1 << 20, workers: 1, share: 1 };
        let service = Service::new(Registry::standard(), limits, None);
        let game = service.registry.game("nim").unwrap();
        let mut session = game.open(None, "").unwrap();
        let solved_so = |halted: Halted, found: bool, session: &mut dyn foregone::Session| {
            let mut report = session.solve(&Request::default(), &Default::default(), None);
            report.why = "as requested".to_owned();
            report.halted = Some(halted);
            if !found {
                (report.value, report.bounds, report.moves) = (None, None, Vec::new());
            }
            let response = solved(&service, &report).into_response();
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
        ];
        for why in asked {
            assert_eq!(solved_so(why.clone(), false, &mut *session), (400, None), "{why}");
        }
        let damaged = Halted::Damaged { why: "a checksum is wrong".to_owned() };
        assert_eq!(solved_so(damaged, false, &mut *session), (500, None));
    }
}
