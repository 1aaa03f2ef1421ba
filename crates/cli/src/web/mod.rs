//! The server of `foregone serve`. Every answer depends only on the address; a [`Service`] keeps and shares what
//! has been solved.

mod api;
mod asked;
mod connections;
mod gate;
mod hosting;
mod metrics;
mod openapi;
mod problem;
mod query;
mod queues;
mod reply;
mod visitor;
mod watch;
mod wire;

use std::net::SocketAddr;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::get;
use axum::{Extension, Router};
use foregone::Registry;
use foregone_page::assets::{ASSETS, Asset, CARD};
use foregone_page::route::{Queue, Route};
use foregone_page::service::Service;
use foregone_page::view::frame::{Reply, with_card, wrong_from};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio_io_timeout::TimeoutStream;
use tower::util::option_layer;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use self::connections::{Connection, Connections};
pub use self::gate::Host;
use self::gate::{Gate, Peer};
pub use self::hosting::{BasePath, Hosting, Origin, PublicAddress};
use self::hosting::{Place, Rate};
use self::metrics::{Metrics, Now};
use self::problem::Problem;
pub use self::queues::Limits;
use self::queues::{NoAnswer, Queues};
use self::reply::{answer, error_page, is_api, with_headers};
pub use self::visitor::{Proxies, network};
use self::visitor::{Tab, Visitor};
use self::watch::AskedFrom;
use self::wire::Wire;

/// The most open connections; if there are more, the idlest makes room. The second limit is for one visitor who
/// is not a trusted proxy.
const CONNECTIONS: usize = 512;
const CONNECTIONS_EACH: usize = CONNECTIONS / 2;

/// Time limits: for sending a request, for a pause in reading the answer, and for answers after the
/// server was told to end.
const SENDING: Duration = Duration::from_secs(10);
const READING: Duration = Duration::from_secs(10);
const ENDING: Duration = Duration::from_secs(3);

/// How often visitors who ask no more are forgotten.
const TIDYING: Duration = Duration::from_secs(60);

/// The most header fields of a request, and the most bytes of its head.
const MAX_FIELDS: usize = 100;
const LONGEST_HEAD: usize = 128 << 10;

/// What answers: the service, and whose turn it is.
pub struct Server {
    service: Arc<Service>,
    queues: Queues,
    /// The names of all games.
    games: Vec<String>,
    metrics: Metrics,
    rate: Rate,
    connections: Connections,
    think: Duration,
}

impl Server {
    pub fn new(
        registry: Registry,
        limits: Limits,
        tables: Option<PathBuf>,
        rate: Option<NonZeroU32>,
    ) -> Server {
        let games = registry.names().map(str::to_owned).collect();
        let mut service = Service::new(registry, limits.memory, limits.workers, tables);
        service.api = true;
        Server {
            service: Arc::new(service),
            queues: Queues::new(&limits),
            games,
            metrics: Metrics::new(),
            rate: Rate::new(rate),
            connections: Connections::default(),
            think: limits.think,
        }
    }

    /// What the server is like now.
    fn now(&self) -> Now {
        let (worked_on, waiting) = self.queues.load();
        let (answers, kept) = self.service.kept();
        Now { connections: self.connections.count(), worked_on, waiting, answers, kept }
    }

    /// Answers at once, or has a worker think.
    async fn answer(&self, asker: Tab, route: Route) -> Result<Reply, NoAnswer> {
        let waiting = self.queues.queue();
        let queue = Queue { waiting, full: false };
        let (service, asked) = (self.service.clone(), route.clone());
        let quick =
            self.queues.fast(asker, move |deadline| asked.at_once(&service, queue, deadline));
        if let Some(reply) = quick.await? {
            return Ok(reply);
        }
        let (service, asked) = (self.service.clone(), route.clone());
        let slow = self.queues.worker(asker, move |deadline| asked.think(&service, deadline));
        let why = match slow.await {
            Ok(Some(reply)) => return Ok(reply),
            Err(NoAnswer::Panicked) => return Err(NoAnswer::Panicked),
            Ok(None) => NoAnswer::Busy { again: self.queues.again() },
            Err(busy) => busy,
        };
        let (service, queue) = (self.service.clone(), Queue { waiting, full: true });
        let meanwhile =
            self.queues.fast(asker, move |deadline| route.meanwhile(&service, queue, deadline));
        meanwhile.await?.ok_or(why)
    }
}

/// A page, or a file that pages load.
async fn page(
    State((server, gate)): State<(Arc<Server>, Arc<Gate>)>,
    Extension(asker): Extension<Tab>,
    uri: Uri,
    headers: HeaderMap,
) -> Response {
    let path = uri.path();
    if path.strip_prefix('/') == Some(CARD.0) {
        let kept = (header::CACHE_CONTROL, "max-age=86400");
        return ([(header::CONTENT_TYPE, "image/png"), kept], CARD.1).into_response();
    }
    if let Some(asset) = ASSETS.iter().find(|asset| path.strip_prefix('/') == Some(asset.link.path))
    {
        return file(asset, &uri, &headers);
    }
    match Route::parse(path, uri.query().unwrap_or("")) {
        None => missing(uri).await,
        Some(Err(reply)) => answer(reply),
        Some(Ok(route)) => match server.answer(asker, route).await {
            Ok(reply) => match (reply, &gate.hosting.address) {
                (Reply::Page(page), Some(address)) => {
                    Html(with_card(&page.into_string(), address.as_str())).into_response()
                }
                (reply, _) => answer(reply),
            },
            Err(why) => why.into_response(),
        },
    }
}

/// A file that pages load: for ever, if the address has its version.
fn file(asset: &Asset, uri: &Uri, headers: &HeaderMap) -> Response {
    let version = asset.link.version;
    let whole = uri.query() == Some(&format!("v={version}"));
    let life = if whole { "public, max-age=31536000, immutable" } else { "max-age=60" };
    let tag = format!("W/\"{version}\"");
    let known = headers.get_all(header::IF_NONE_MATCH).iter();
    let known = known.filter_map(|tags| tags.to_str().ok()).flat_map(|tags| tags.split(','));
    let is_known = known.map(str::trim).any(|known| known == tag || known == "*");
    let about = [(header::CACHE_CONTROL, life.to_owned()), (header::ETAG, tag)];
    match is_known {
        true => (StatusCode::NOT_MODIFIED, about).into_response(),
        false => (about, [(header::CONTENT_TYPE, asset.kind)], asset.body).into_response(),
    }
}

/// The metrics, for whoever may read them.
async fn metrics(
    State((server, gate)): State<(Arc<Server>, Arc<Gate>)>,
    Extension(AskedFrom(address)): Extension<AskedFrom>,
    uri: Uri,
) -> Response {
    if !address.is_some_and(|address| gate.hosting.shows_metrics(address)) {
        return missing(uri).await;
    }
    let text = server.metrics.written(&server.now());
    ([(header::CONTENT_TYPE, metrics::CONTENT)], text).into_response()
}

async fn missing(uri: Uri) -> Response {
    match is_api(&uri) {
        true => Problem::missing().into_response(),
        false => error_page(
            StatusCode::NOT_FOUND,
            uri.path(),
            "There is no such page",
            "The address leads nowhere.",
        ),
    }
}

async fn not_allowed(uri: Uri) -> Response {
    match is_api(&uri) {
        true => Problem::not_allowed().into_response(),
        false => error_page(
            StatusCode::METHOD_NOT_ALLOWED,
            uri.path(),
            "This page can only be looked at",
            "It answers GET requests alone.",
        ),
    }
}

/// What is not below the base path leads nowhere.
async fn below_base(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    match request.extensions().get() {
        Some(Place::Root(root)) => Redirect::permanent(root).into_response(),
        Some(Place::Elsewhere) => {
            let root = format!("{}/", gate.hosting.base.as_str());
            let why = format!("Foregone is at {root}.");
            let page = wrong_from(&root, "There is no such page", &why);
            (StatusCode::NOT_FOUND, Html(page.into_string())).into_response()
        }
        _ => next.run(request).await,
    }
}

/// All routes.
fn router(server: Arc<Server>, gate: Arc<Gate>) -> Router {
    // Pages tell themselves which paths there are.
    let both = (server.clone(), gate.clone());
    let page = get(page).with_state(both.clone());
    let framed = gate.hosting.framed();
    let checked = Router::new()
        .route("/", page.clone())
        .route("/{page}", page.clone())
        .route("/assets/{file}", page)
        .route(openapi::ROOTS[0], get(openapi::contract))
        .route(openapi::ROOTS[1], get(openapi::contract))
        .route("/api/v1/openapi.json", get(openapi::contract))
        .route("/api/v1/games", get(api::games))
        .route("/api/v1/show", get(api::show))
        .route("/api/v1/solve", get(api::solve))
        .route("/api/v1/move", get(api::choose))
        .route("/api/v1/tree", get(api::tree))
        .route("/metrics", get(metrics).with_state(both.clone()))
        .fallback(missing)
        .method_not_allowed_fallback(not_allowed)
        .layer(from_fn(query::only_known))
        .layer(from_fn_with_state(gate.clone(), below_base))
        .layer(from_fn_with_state(gate.clone(), gate::guard))
        .layer(CatchPanicLayer::custom(|_| Problem::mistake().into_response()))
        .layer(from_fn_with_state(both, watch::watch))
        // Scripts of other sites may read why they get no answer, too.
        .layer(option_layer(gate.hosting.cors()))
        .with_state(server);
    // Whoever looks whether the server lives need not know its names.
    checked
        .route("/healthz", get(|| async { "ok\n" }))
        .layer(map_response(move |response| {
            let framed = framed.clone();
            async move { with_headers(framed.as_ref(), response) }
        }))
        .layer(CompressionLayer::new())
}

/// Serves until Ctrl-C or SIGTERM. What has begun by then is finished, unless the signal comes again. Calls
/// `ready` with the address that it listens on.
pub fn serve(
    server: Server,
    address: SocketAddr,
    hosting: Hosting,
    ready: impl FnOnce(SocketAddr),
) -> anyhow::Result<()> {
    // Few threads, because each keeps some of the memory that it has freed.
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .max_blocking_threads(server.queues.threads())
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address).await.with_context(|| {
            format!("cannot listen on {address}: choose another --port or --bind")
        })?;
        let gate = Gate::new(listener.local_addr()?, hosting);
        let end = termination()?;
        ready(listener.local_addr()?);
        accept(listener, Arc::new(server), Arc::new(gate), end).await;
        anyhow::Ok(())
    })?;
    runtime.shutdown_timeout(ENDING);
    Ok(())
}

/// Accepts connections until `end` completes.
async fn accept(
    listener: TcpListener,
    server: Arc<Server>,
    gate: Arc<Gate>,
    end: impl Future<Output = ()>,
) {
    let pages = TowerToHyperService::new(router(server.clone(), gate.clone()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(SENDING);
    http.max_headers(MAX_FIELDS).max_buf_size(LONGEST_HEAD);
    let graceful = GracefulShutdown::new();
    let mut tidy = tokio::time::interval(TIDYING);
    let mut end = std::pin::pin!(end);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = tidy.tick() => {
                server.rate.tidy();
                continue;
            }
            () = &mut end => break,
        };
        let Ok((stream, peer)) = accepted else {
            // Most likely there are no free file handles: wait for some.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let peer = Peer(peer.ip());
        let trusted = gate.hosting.proxies.trusts(peer.0);
        let max = if trusted { CONNECTIONS } else { CONNECTIONS_EACH };
        let visitor = Visitor::at(peer.0);
        let connection = server.connections.accept(visitor, max, CONNECTIONS);
        // Answers are small and wait for nothing.
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(READING));
        let Connection { work, activity, .. } = &connection;
        let stream = TokioIo::new(Wire::new(Box::pin(stream), work.clone(), activity.clone()));
        let (pages, work, gate) = (pages.clone(), work.clone(), gate.clone());
        let answers = service_fn(move |mut request: hyper::Request<Incoming>| {
            request.extensions_mut().insert(peer);
            let busy = work.begin();
            match gate.hosting.base.place(request.uri()) {
                Place::Here(uri) => *request.uri_mut() = uri,
                elsewhere => drop(request.extensions_mut().insert(elsewhere)),
            }
            let answer = pages.call(request);
            async move {
                let answer = answer.await;
                drop(busy);
                answer
            }
        });
        let served = graceful.watch(http.serve_connection(stream, answers));
        tokio::spawn(async move {
            // A closed connection is not an error.
            tokio::select! {
                _ = served => {}
                () = connection.activity.stops() => {}
            }
        });
    }
    drop(listener);
    // What has begun may take as long as any question.
    let finished = tokio::time::timeout(server.think + ENDING, graceful.shutdown());
    match termination() {
        Ok(again) => tokio::select! {
            _ = finished => {}
            () = again => {}
        },
        Err(_) => drop(finished.await),
    }
    server.queues.close();
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
