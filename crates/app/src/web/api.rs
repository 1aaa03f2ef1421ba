//! What programs ask: the same questions as on the command line, the same JSON.

use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use foregone::{Halted, Invalid, Player, Request, TreeRequest};
use serde::Deserialize;
use serde_json::json;

use super::Asked;
use super::address::{DEEPEST, LONGEST};
use super::desk::{Desk, NoAnswer, Opened};
use crate::cmd::{games, show};
use crate::players::Who;

/// The contract, which a test holds against the server.
pub const OPENAPI: &str = include_str!("assets/openapi.json");

/// The fields of a question.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Fields {
    game: String,
    position: Option<String>,
    moves: String,
    method: Option<String>,
    depth: Option<u32>,
    time: Option<String>,
    distances: bool,
    value_only: bool,
    player: Option<String>,
}

/// Why there is no answer.
pub struct Problem(StatusCode, serde_json::Value);

impl Problem {
    fn new(status: StatusCode, message: impl Into<String>) -> Problem {
        Problem(status, json!({ "error": { "message": message.into() } }))
    }

    pub fn missing() -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "there is no such path; see /api/v1/openapi.json")
    }

    pub fn wrong(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, message)
    }
}

impl From<NoAnswer> for Problem {
    fn from(why: NoAnswer) -> Problem {
        match why {
            NoAnswer::Busy => {
                let message = "too many questions are waiting: try again in a few seconds";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, message)
            }
            NoAnswer::Panicked => {
                let message = "the program made a mistake on this question";
                Problem::new(StatusCode::INTERNAL_SERVER_ERROR, message)
            }
        }
    }
}

impl From<Invalid> for Problem {
    fn from(error: Invalid) -> Problem {
        let Invalid { found, expected } = &error;
        let message = error.to_string();
        let error = json!({ "message": message, "found": found, "expected": expected });
        Problem(StatusCode::BAD_REQUEST, json!({ "error": error }))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, Json(self.1)).into_response()
    }
}

type Answer = Result<Response, Problem>;

fn open(desk: &Desk, fields: &Fields) -> Result<Opened, Problem> {
    let position = fields.position.as_deref().unwrap_or("");
    if fields.moves.len().max(position.len()) > LONGEST {
        return Err(Problem::wrong(format!("moves and positions: at most {LONGEST} bytes")));
    }
    let (game, mut session) = desk.open(&fields.game)?;
    session.go(fields.position.as_deref(), &fields.moves)?;
    Ok((game, session))
}

pub async fn contract() -> Response {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI).into_response()
}

pub async fn games(State(desk): State<Arc<Desk>>) -> Answer {
    Ok(Json(games::describe_all(&desk.registry)?).into_response())
}

pub async fn show(State(desk): State<Arc<Desk>>, Asked(fields): Asked<Fields>) -> Answer {
    let worker = desk.clone();
    let shown = desk.quickly(move |_| {
        let (game, session) = open(&worker, &fields)?;
        Ok::<_, Problem>(show::describe(&*game, &*session))
    });
    Ok(Json(shown.await??).into_response())
}

pub async fn solve(State(desk): State<Arc<Desk>>, Asked(fields): Asked<Fields>) -> Answer {
    let method = match &fields.method {
        Some(method) => method.parse()?,
        None => foregone::Method::Auto,
    };
    if fields.depth.is_some_and(|depth| depth == 0 || depth > DEEPEST) {
        return Err(Problem::wrong(format!("depth: expected a number from 1 to {DEEPEST}")));
    }
    let time = match &fields.time {
        Some(text) => {
            crate::line::time(text).map_err(|why| Problem::wrong(format!("time: {why}")))?
        }
        None => Duration::MAX,
    };
    let request = Request {
        method,
        depth: fields.depth,
        distances: fields.distances,
        moves: !fields.value_only,
        line: !fields.value_only,
        ..Request::default()
    };
    if request == Request::default() && fields.time.is_none() {
        let (worker, fields) = (desk.clone(), fields.clone());
        let known = desk.quickly(move |patience| {
            let (game, mut session) = open(&worker, &fields)?;
            Ok::<_, Problem>(worker.at_once(&mut *session, &game.specification(), patience))
        });
        if let Some(answer) = known.await??
            && answer.report.halted.is_none()
        {
            return Ok(Json(&answer.report).into_response());
        }
    }
    let worker = desk.clone();
    let work = desk.slowly(move |patience| {
        let (_, mut session) = open(&worker, &fields)?;
        Ok::<_, Problem>(session.solve(&request, &worker.control(patience, time), None))
    });
    let report = work.await??;
    let mut response = Json(&report).into_response();
    if let Some(halted) = &report.halted
        && let Ok(why) = HeaderValue::from_str(&halted.to_string())
    {
        response.headers_mut().insert("foregone-halted", why);
    }
    Ok(response)
}

pub async fn choose(State(desk): State<Arc<Desk>>, Asked(fields): Asked<Fields>) -> Answer {
    let who = Who::parse(fields.player.as_deref().unwrap_or("perfect"))
        .map_err(|why| Problem::wrong(format!("player: {why}")))?;
    let depth = fields.depth.unwrap_or(4);
    if depth == 0 || depth > DEEPEST {
        return Err(Problem::wrong(format!("depth: expected a number from 1 to {DEEPEST}")));
    }
    let player =
        who.player(depth).ok_or_else(|| Problem::wrong("player: a person chooses alone"))?;
    let told = move |game: &str, position: String, mv: &str, proven: bool| {
        let player = who.name();
        json!({
            "game": game, "position": position, "player": player, "move": mv, "proven": proven,
        })
    };
    let (worker, asked) = (desk.clone(), fields.clone());
    let known = desk.quickly(move |patience| {
        let (game, mut session) = open(&worker, &asked)?;
        if session.outcome().is_some() {
            return Err(Problem::wrong("the game is over: there is no move to make"));
        }
        let name = game.specification();
        let mv = worker.choose_at_once(player, &mut *session, &name, patience);
        Ok(mv.map(|mv| told(&name, session.position(), &mv, player == Player::Perfect)))
    });
    if let Some(answer) = known.await?? {
        return Ok(Json(answer).into_response());
    }
    let worker = desk.clone();
    let work = desk.slowly(move |patience| {
        let (game, mut session) = open(&worker, &fields)?;
        let (name, position) = (game.specification(), session.position());
        let chosen = worker.choose(player, &mut *session, &name, patience);
        let stopped =
            |halted: Halted| Problem::new(StatusCode::SERVICE_UNAVAILABLE, halted.to_string());
        let (mv, proven) = chosen.map_err(stopped)?;
        Ok::<_, Problem>(told(&name, position, &mv, proven))
    });
    Ok(Json(work.await??).into_response())
}

pub async fn tree(State(desk): State<Arc<Desk>>, Asked(fields): Asked<Fields>) -> Answer {
    let depth = fields.depth.unwrap_or(3);
    if depth > DEEPEST {
        return Err(Problem::wrong(format!("depth: expected a number from 0 to {DEEPEST}")));
    }
    let worker = desk.clone();
    let work = desk.quickly(move |patience| {
        let (_, session) = open(&worker, &fields)?;
        let request = TreeRequest { depth: Some(depth) };
        Ok::<_, Problem>(session.tree(&request, &worker.small(patience)))
    });
    let report = work.await??;
    match &report.halted {
        Some(halted) => Err(Problem::wrong(format!("{halted}: ask for fewer plies"))),
        None => Ok(Json(&report).into_response()),
    }
}
