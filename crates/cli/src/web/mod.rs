//! The page of `foregone serve`. Every answer depends only on the address; the [`service`] keeps and
//! shares what has been solved.

mod address;
mod api;
mod asked;
mod gate;
mod openapi;
mod problem;
mod query;
mod reply;
mod schema;
mod service;
mod view;
mod visitor;
mod wire;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::State;
use axum::http::{Request, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower_http::catch_panic::CatchPanicLayer;

use self::asked::Asked;
pub use self::gate::Host;
use self::gate::{Gate, Peer};
use self::problem::Problem;
use self::reply::{error_page, is_api, with_headers};
use self::service::NoAnswer;
pub use self::service::{Limits, Service};
use self::view::frame::Reply;
use self::view::{editor, form, page, tree, values};
use self::visitor::{Guests, Visitor};
pub use self::visitor::{Proxies, network};
use self::wire::{Wire, Work};

/// The most open connections; more wait to be accepted. The second limit is for one visitor who is
/// not a trusted proxy.
const CONNECTIONS: usize = 512;
const CONNECTIONS_EACH: usize = CONNECTIONS / 2;

/// Time limits: for sending a request, for a pause in reading the answer, and for answers after the
/// server was told to end.
const SENDING: Duration = Duration::from_secs(10);
const READING: Duration = Duration::from_secs(10);
const ENDING: Duration = Duration::from_secs(3);

/// The most header fields of a request, and the most bytes of its head.
const MOST_FIELDS: usize = 100;
const LONGEST_HEAD: usize = 128 << 10;

/// The page, or the reason for having none.
fn or_why(reply: Result<Reply, NoAnswer>) -> Response {
    reply.map_or_else(NoAnswer::into_response, Reply::into_response)
}

async fn home(State(service): State<Arc<Service>>) -> Response {
    match form::home(&service.registry) {
        Ok(page) => Html(page.into_string()).into_response(),
        Err(error) => error_page(StatusCode::INTERNAL_SERVER_ERROR, "No games", &error.to_string()),
    }
}

async fn play(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<address::Fields>,
) -> Response {
    let mut busy = false;
    if fields.wait == "on" {
        let (worker, wanted) = (service.clone(), fields.clone());
        let quick = service
            .lanes
            .fast(visitor, move |deadline| page::work(&worker, &wanted, true, deadline));
        match quick.await {
            Ok(None) => {}
            Ok(Some(reply)) => return reply.into_response(),
            Err(why) => return why.into_response(),
        }
        let (worker, wanted) = (service.clone(), fields.clone());
        let slow = service
            .lanes
            .worker(visitor, move |deadline| page::work(&worker, &wanted, false, deadline));
        match slow.await {
            Ok(Some(reply)) => return reply.into_response(),
            Err(NoAnswer::Panicked) => return NoAnswer::Panicked.into_response(),
            Ok(None) | Err(NoAnswer::Busy { .. }) => busy = true,
        }
    }
    let worker = service.clone();
    or_why(
        service
            .lanes
            .fast(visitor, move |deadline| page::play(&worker, &fields, busy, deadline))
            .await,
    )
}

async fn begin(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<HashMap<String, String>>,
) -> Response {
    let worker = service.clone();
    or_why(service.lanes.fast(visitor, move |_| form::begin(&worker.registry, &fields)).await)
}

async fn rules(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<editor::Fields>,
) -> Response {
    or_why(service.lanes.fast(visitor, move |_| editor::show(&fields)).await)
}

async fn tree(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<address::Fields>,
) -> Response {
    let worker = service.clone();
    or_why(
        service.lanes.fast(visitor, move |deadline| tree::show(&worker, &fields, deadline)).await,
    )
}

async fn counts(
    State(service): State<Arc<Service>>,
    Extension(visitor): Extension<Visitor>,
    Asked(fields): Asked<address::Fields>,
) -> Response {
    let worker = service.clone();
    or_why(
        service
            .lanes
            .worker(visitor, move |deadline| values::show(&worker, &fields, deadline))
            .await,
    )
}

async fn missing(uri: Uri) -> Response {
    match is_api(&uri) {
        true => Problem::missing().into_response(),
        false => {
            error_page(StatusCode::NOT_FOUND, "There is no such page", "The address leads nowhere.")
        }
    }
}

async fn not_allowed(uri: Uri) -> Response {
    match is_api(&uri) {
        true => Problem::not_allowed().into_response(),
        false => error_page(
            StatusCode::METHOD_NOT_ALLOWED,
            "This page can only be looked at",
            "It answers GET requests alone.",
        ),
    }
}

/// A file inside the binary.
fn asset(kind: &'static str, body: &'static str) -> Response {
    let headers = [(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "max-age=60")];
    (headers, body).into_response()
}

/// All routes.
fn router(service: Arc<Service>, gate: Arc<Gate>) -> Router {
    const STYLE: &str = include_str!("assets/style.css");
    const SCRIPT: &str = include_str!("assets/page.js");
    const HTMX: &str = include_str!("assets/htmx.min.js");
    const ICON: &str = include_str!("assets/icon.svg");
    let script = "text/javascript; charset=utf-8";
    Router::new()
        .route("/", get(home))
        .route("/play", get(play))
        .route("/new", get(begin))
        .route("/rules", get(rules))
        .route("/tree", get(tree))
        .route("/table", get(counts))
        .route("/assets/style.css", get(|| async { asset("text/css; charset=utf-8", STYLE) }))
        .route("/assets/page.js", get(move || async move { asset(script, SCRIPT) }))
        .route("/assets/htmx.min.js", get(move || async move { asset(script, HTMX) }))
        .route("/assets/icon.svg", get(|| async { asset("image/svg+xml", ICON) }))
        .route("/api/v1/", get(openapi::contract))
        .route("/api/v1/openapi.json", get(openapi::contract))
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/show", get(api::show))
        .route("/api/v1/solve", get(api::solve))
        .route("/api/v1/move", get(api::choose))
        .route("/api/v1/tree", get(api::tree))
        .fallback(missing)
        .method_not_allowed_fallback(not_allowed)
        .layer(axum::middleware::from_fn(query::only_known))
        .layer(axum::middleware::from_fn_with_state(gate, gate::guard))
        .layer(CatchPanicLayer::custom(|_| Problem::mistake().into_response()))
        .layer(axum::middleware::map_response(with_headers))
        .with_state(service)
}

/// Serves until Ctrl-C or SIGTERM. Requests must name the address or one of `hosts`, and may come
/// through `proxies`. Calls `ready` with the address that it listens on.
pub fn serve(
    service: Service,
    address: SocketAddr,
    hosts: &[Host],
    proxies: Proxies,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    // Few threads, because each keeps some of the memory that it has freed.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(service.lanes.threads())
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| {
            format!("cannot listen on {address}: choose another --port or --bind")
        })?;
        let gate = Gate::new(listener.local_addr()?, hosts, proxies);
        let end = termination()?;
        ready(listener.local_addr()?);
        accept(listener, Arc::new(service), Arc::new(gate), end).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(ENDING);
    Ok(())
}

/// Accepts connections until `end` completes.
async fn accept(
    listener: TcpListener,
    service: Arc<Service>,
    gate: Arc<Gate>,
    end: impl Future<Output = ()>,
) {
    let pages = TowerToHyperService::new(router(service.clone(), gate.clone()));
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(SENDING);
    server.max_headers(MOST_FIELDS).max_buf_size(LONGEST_HEAD);
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    let guests = Guests::default();
    let graceful = GracefulShutdown::new();
    let mut end = std::pin::pin!(end);
    loop {
        let permit = tokio::select! {
            permit = connections.clone().acquire_owned() => permit,
            () = &mut end => break,
        };
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut end => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Most likely there are no free file handles: wait for some.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let peer = Peer(peer.ip());
        let most = if gate.proxies.trusts(peer.0) { CONNECTIONS } else { CONNECTIONS_EACH };
        let Some(guest) = guests.welcome(Visitor::at(peer.0), most) else { continue };
        // Answers are small and wait for nothing.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(READING));
        let work = Work::default();
        let stream = TokioIo::new(Wire::new(Box::pin(stream), work.clone()));
        let pages = pages.clone();
        let answers = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(peer);
            let (busy, answer) = (work.begin(), pages.call(request));
            async move {
                let answer = answer.await;
                drop(busy);
                answer
            }
        });
        let connection = server.serve_connection(stream, answers);
        let connection = graceful.watch(connection);
        tokio::spawn(async move {
            let _open = (permit, guest);
            // A closed connection is not an error.
            let _ = connection.await;
        });
    }
    service.lanes.close();
    drop(listener);
    let _ = tokio::time::timeout(ENDING, graceful.shutdown()).await;
}

/// A future that completes at Ctrl-C or at a request to terminate. Both are caught from this call on,
/// not only when the future is first polled: otherwise they could end the process early.
fn termination() -> std::io::Result<impl Future<Output = ()>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(windows)]
    {
        let mut interrupt = tokio::signal::windows::ctrl_c()?;
        Ok(async move {
            interrupt.recv().await;
        })
    }
}
