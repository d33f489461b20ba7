//! Pages and API: what people see of the hall and how they act on it.
//!
//! Nothing is decided here. Reads and commands go through [`Handle`] to the engine; pages are
//! shells without data that fill themselves from the same API that scripts use. Everything a page
//! needs comes from this binary.

mod api;
mod assets;
pub mod auth;
pub(crate) mod event;
mod fanout;
mod guard;
pub mod health;
mod listen;
mod live;
mod mine;
mod pages;
mod pairings;
mod problem;
mod stream;
pub mod tls;

use std::{
    collections::BTreeMap,
    net::{IpAddr, SocketAddr},
    path::PathBuf,
    sync::Arc,
};

use axum::{Router, body::Bytes, extract::DefaultBodyLimit, middleware};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::{net::TcpListener, sync::watch};
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower_http::compression::{
    CompressionLayer,
    predicate::{DefaultPredicate, NotForContentType, Predicate},
};

use crate::{games::Live, handle::Handle, push::Push, time::HubClock};

pub use auth::{Asker, Auth, AuthError};
pub use health::Health;
pub use problem::Problem;

/// The largest request body, bytes: the longest note an arbiter types is far below it.
const BODY_LIMIT: usize = 16 * 1024;

/// What the pages and the API are told at start.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen.
    pub listen: SocketAddr,
    /// Where the hash of the PIN is kept.
    pub data_dir: PathBuf,
    /// The hub's name, as in its MQTT topics.
    pub hub: String,
    /// The version of the program.
    pub version: String,
    /// Names of players are shown to everybody.
    pub publish_names: bool,
    /// What somebody should know of the list of players, for the console: one sentence each.
    pub player_notes: Vec<String>,
    /// The certificate that phones must trust for HTTPS, PEM; `None` without one of the hub's own.
    pub authority: Option<String>,
    /// The port of HTTPS.
    pub https: Option<u16>,
    /// The rounds that everybody may read; `None` unless the organiser has turned the broadcast on.
    pub live: Option<watch::Receiver<Live>>,
}

/// What every request can reach.
#[derive(Clone, Debug)]
pub struct AppState {
    handle: Handle,
    clock: HubClock,
    auth: Arc<Auth>,
    health: watch::Receiver<Health>,
    metrics: Option<PrometheusHandle>,
    fanout: Arc<fanout::Fanout>,
    streams: Arc<stream::Streams>,
    settings: Arc<Settings>,
    /// Announcements that were spoken, by their words.
    spoken: Arc<tokio::sync::Mutex<BTreeMap<&'static str, Bytes>>>,
    openapi: Bytes,
    open: listen::Open,
    push: Option<Arc<Push>>,
    cancel: CancellationToken,
}

impl AppState {
    /// Gathers what the requests need. `metrics` renders `/metrics`; without it the page says so.
    pub fn new(
        settings: Settings,
        handle: Handle,
        clock: HubClock,
        auth: Auth,
        health: watch::Receiver<Health>,
        metrics: Option<PrometheusHandle>,
    ) -> Self {
        Self {
            fanout: Arc::new(fanout::Fanout::new(handle.clone())),
            streams: Arc::default(),
            handle,
            clock,
            auth: Arc::new(auth),
            health,
            metrics,
            settings: Arc::new(settings),
            spoken: Arc::default(),
            openapi: Bytes::new(),
            open: listen::Open::default(),
            push: None,
            cancel: CancellationToken::new(),
        }
    }
}

impl AppState {
    /// Lets pages ask to be called while they are closed.
    #[must_use]
    pub fn with_push(mut self, push: Arc<Push>) -> Self {
        self.push = Some(push);
        self
    }
}

/// The same over HTTPS, beside it.
pub async fn serve_tls(
    listener: TcpListener,
    acceptor: TlsAcceptor,
    mut state: AppState,
    cancel: CancellationToken,
) {
    state.cancel = cancel.clone();
    let open = Arc::clone(&state.open);
    let app = router(state).layer(middleware::map_response(guard::secure_cookies));
    let patience = listen::Patience::HALL;
    listen::serve(listener, Some(acceptor), app, open, patience, cancel).await;
}

/// Serves until `cancel`; live streams end at once then, other requests get five seconds.
pub async fn serve(listener: TcpListener, mut state: AppState, cancel: CancellationToken) {
    state.cancel = cancel.clone();
    let open = Arc::clone(&state.open);
    let patience = listen::Patience::HALL;
    listen::serve(listener, None, router(state), open, patience, cancel).await;
}

/// The OpenAPI document of the API as JSON.
pub fn openapi_json() -> String {
    let (_, document) = api::router().split_for_parts();
    document.to_json().unwrap_or_default()
}

fn router(mut state: AppState) -> Router {
    let (api, document) = api::router().split_for_parts();
    state.openapi = document.to_json().unwrap_or_default().into();
    let compress = CompressionLayer::new().compress_when(
        DefaultPredicate::new().and(NotForContentType::const_new("text/event-stream")),
    );
    Router::new()
        .merge(api)
        .merge(pages::router())
        .merge(event::router())
        .merge(assets::router())
        .fallback(guard::not_found)
        .method_not_allowed_fallback(guard::method_not_allowed)
        .layer(DefaultBodyLimit::max(BODY_LIMIT))
        .layer(middleware::from_fn(guard::same_origin))
        .layer(middleware::from_fn(guard::headers))
        .layer(compress)
        .with_state(state)
}

/// The address by which guesses and streams are counted: an IPv6 host owns a whole /64.
fn peer(address: SocketAddr) -> IpAddr {
    match address.ip().to_canonical() {
        IpAddr::V6(ip) => {
            let [a, b, c, d, ..] = ip.segments();
            IpAddr::V6([a, b, c, d, 0, 0, 0, 0].into())
        }
        ip @ IpAddr::V4(_) => ip,
    }
}
