//! The daemon put together: journal, engine, MQTT, pages, links; started in this order and stopped
//! in the other.

use std::{
    io::Write as _,
    net::SocketAddr,
    path::Path,
    sync::{Arc, OnceLock},
};

use anyhow::Context as _;
use flagfall_core::{
    hub::{Hub, HubSettings, Trouble, event::SetUp, set_up},
    types::TableNo,
};
use jiff::tz::TimeZone;
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::{
    net::TcpListener,
    sync::{broadcast, mpsc, watch},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tracing::{info, warn};

use crate::{
    addresses,
    config::{Config, ConfigError},
    engine::{Engine, JournalStatus, Latency, Parts},
    exit::Failure,
    forward::Forward,
    games::{Games, Live, Sources},
    handle::Handle,
    journal::{Journal, Mark},
    link::{
        StatusBoard, families,
        quiet::Quiet,
        supervise::{LinkContext, Links},
        tags, thread,
    },
    mqtt::{self, Broker, External, Topics},
    push::Push,
    requests::{self, States},
    time::HubClock,
    watch::{self as watches, Watched},
    web::{
        self, Auth, AuthError,
        tls::{Tls, TlsSettings},
    },
};

mod plan;
mod store;

pub use plan::Plan;
pub use store::backup;
pub(crate) use store::held;
use store::{make_data_dir, open_journal, rebuild};

/// A running hub.
pub struct App {
    /// The way to the engine.
    pub handle: Handle,
    /// The time line.
    pub clock: HubClock,
    /// Where the pages are.
    pub http: SocketAddr,
    /// Where they are over HTTPS.
    pub https: Option<SocketAddr>,
    /// Where the embedded broker is.
    pub broker: Option<SocketAddr>,
    /// From byte to page.
    pub latency: Latency,
    /// The ports.
    pub ports: StatusBoard,
    /// The journal.
    pub journal: Journal,
    cancel: CancellationToken,
    edges: CancellationToken,
    tracker: TaskTracker,
    edge_tracker: TaskTracker,
    mqtt: mqtt::MqttHandle,
}

impl App {
    /// Starts a hub.
    ///
    /// # Errors
    /// When the data directory, an address or the broker's address cannot be had.
    pub async fn start(plan: Plan) -> Result<Self, Failure> {
        let metrics = recorder();
        let journal = open_journal(&plan.data_dir).await?;
        let state = rebuild(&journal).await?;
        let (set_up, list_troubles) = match plan.set_up {
            Some(given) => {
                let fitted = set_up::fit(&state, given, &plan.numbered)
                    .with_context(|| format!("the event in {}", plan.data_dir.display()))
                    .map_err(Failure::configuration)?;
                for note in &fitted.notes {
                    warn!("{note}");
                }
                let troubles = plan.left_out.into_iter().chain(fitted.notes).collect();
                (Some(fitted.set_up), troubles)
            }
            None => (None, Vec::new()),
        };
        let listener = TcpListener::bind(plan.http).await.map_err(|error| {
            let why = addresses::refused(&error, "[http] listen (demo: --http)");
            Failure::taken(anyhow::anyhow!(
                "cannot serve pages on {}: {why}",
                plan.http
            ))
        })?;
        let http = listener.local_addr().context("the page's own address")?;
        let secure = match &plan.https {
            Some(settings) => Some(open_tls(&plan.data_dir, settings).await?),
            None => None,
        };
        let push = match plan.push {
            Some(settings) => Some(Arc::new(
                Push::open(&plan.data_dir, settings).context("phones cannot be called")?,
            )),
            None => None,
        };

        let cancel = CancellationToken::new();
        let edges = CancellationToken::new();
        let (tracker, edge_tracker) = (TaskTracker::new(), TaskTracker::new());
        let (updates, _) = broadcast::channel(256);
        let (handle, asks) = Handle::new(updates.clone());
        let (link_sender, links) = mpsc::channel(4096);
        let quiet = Quiet::default();
        let (trouble_sender, troubles) = mpsc::channel(64);
        let latency = Latency::new().context("the latency record")?;
        let topics = Topics::new(&plan.mqtt.base, &plan.mqtt.hub, plan.mqtt.publish_names)
            .map_err(|error| Failure::configuration(anyhow::Error::from(error)))?;
        let (live_sender, live) = mpsc::channel(1024);
        let (request_sender, requests) = mpsc::channel(64);
        let ports = StatusBoard::default();

        let mqtt = mqtt::spawn(
            plan.mqtt.clone(),
            journal.clone(),
            States::new(handle.clone(), topics.clone(), plan.clock.clone()),
            live,
            request_sender,
            edges.child_token(),
        )
        .await
        .map_err(|error| Failure::taken(anyhow::Error::from(error)))?;

        let tags = tags::open(&plan.data_dir).map_err(Failure::configuration)?;
        let (links_out, serve_links) = Links::start(
            plan.ports.clone(),
            families::links(
                plan.families,
                plan.bluetooth,
                tags.clone(),
                plan.clock.speed(),
            ),
            LinkContext {
                clock: plan.clock.clone(),
                events: link_sender,
                quiet: Some(quiet.clone()),
                status: ports.clone(),
                serial: plan.serial.clone(),
                record_dir: plan.record_dir.clone(),
                cancel: edges.child_token(),
            },
        );

        let now = plan.clock.now();
        let settings = HubSettings {
            ports: plan.port_settings.clone(),
            escalate_after: plan.escalate_after,
            clock_countdown: plan.clock_countdown,
            id_salt: rand::random(),
            zone: zone(set_up.as_ref().or(state.set_up.as_ref())),
        };
        let mut forward = Forward::new(topics, live_sender, mqtt.waker());
        if let Some(set_up) = &state.set_up {
            forward.set_section(set_up.settings.section.to_string());
        }
        let mut hub = Hub::new(settings, state, now);
        if let Some(set_up) = set_up {
            hub.handle_set_up(now, set_up);
            hub.handle_trouble(now, Trouble::Players(list_troubles.join("\n")));
        }
        let seq = journal.last_seq();
        let mark = Mark::beside(journal.path());
        if seq < mark.found() {
            let (ends, least) = (seq, mark.found());
            warn!("the journal ends at event {ends}, but event {least} was written before");
            hub.handle_trouble(now, Trouble::JournalShort { ends, least });
        }
        let (status, journal_status) = watch::channel(JournalStatus { seq, error: None });
        let engine = Engine::new(Parts {
            hub,
            journal: journal.clone(),
            mark,
            clock: plan.clock.clone(),
            handle: handle.clone(),
            asks,
            links,
            quiet,
            troubles,
            updates,
            links_out,
            forward,
            status,
            latency: latency.clone(),
            stopping: edges.clone(),
        });
        tracker.spawn(engine.run(cancel.clone()));
        let serve_links =
            thread::spawn(serve_links, plan.clock.speed()).context("a thread for the ports")?;
        edge_tracker.spawn(serve_links);
        edge_tracker.spawn(tags::keep(tags, plan.data_dir.clone(), edges.child_token()));
        edge_tracker.spawn(requests::serve(
            requests,
            handle.clone(),
            edges.child_token(),
        ));

        let (live, live_rounds) = watch::channel(Live::default());
        let broadcast = plan.games.broadcast.then_some(live_rounds);
        if plan.games.wanted() {
            let sources = Sources {
                handle: handle.clone(),
                clock: plan.clock.clone(),
                journal: journal_status.clone(),
                troubles: trouble_sender.clone(),
                live,
            };
            let games = Games::new(plan.games, sources);
            edge_tracker.spawn(games.run(edges.child_token()));
        }

        let (health_sender, health) = watch::channel(web::Health::default());
        let watched = Watched {
            clock: plan.clock.clone(),
            handle: handle.clone(),
            ports: ports.clone(),
            named: plan.port_settings.keys().cloned().collect(),
            journal: journal_status,
            mqtt: mqtt.status(),
            broker: broker_name(&plan.mqtt.broker),
            troubles: trouble_sender,
            metrics: metrics.clone(),
        };
        edge_tracker.spawn(watches::watch(watched, health_sender, edges.child_token()));

        let settings = web::Settings {
            listen: plan.http,
            data_dir: plan.data_dir.clone(),
            hub: plan.hub.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            publish_names: plan.mqtt.publish_names,
            player_notes: plan.player_notes,
            authority: secure.as_ref().and_then(|(_, tls)| tls.authority.clone()),
            https: secure
                .as_ref()
                .and_then(|(listener, _)| listener.local_addr().ok())
                .map(|address| address.port()),
            live: broadcast,
        };
        let mut pages = web::AppState::new(
            settings,
            handle.clone(),
            plan.clock.clone(),
            plan.auth,
            health,
            metrics,
        );
        if let Some(push) = push {
            pages = pages.with_push(Arc::clone(&push));
            edge_tracker.spawn(push.run(handle.clone(), edges.child_token()));
        }
        let https = secure
            .as_ref()
            .and_then(|(listener, _)| listener.local_addr().ok());
        if let Some((listener, tls)) = secure {
            let cancel = edges.child_token();
            edge_tracker.spawn(web::serve_tls(
                listener,
                tls.acceptor,
                pages.clone(),
                cancel,
            ));
        }
        let page_cancel = edges.child_token();
        edge_tracker.spawn(web::serve(listener, pages, page_cancel));
        let broker = mqtt.embedded_address();
        Ok(Self {
            handle,
            clock: plan.clock,
            http,
            https,
            broker,
            latency,
            ports,
            journal,
            cancel,
            edges,
            tracker,
            edge_tracker,
            mqtt,
        })
    }

    /// Stops the edges, then the engine, which writes what it still has.
    pub async fn stop(self) {
        self.edges.cancel();
        self.edge_tracker.close();
        self.edge_tracker.wait().await;
        self.cancel.cancel();
        self.tracker.close();
        self.tracker.wait().await;
        self.mqtt.stopped().await;
        self.journal.close().await;
    }
}

/// The listener of HTTPS and its certificate.
async fn open_tls(data_dir: &Path, settings: &TlsSettings) -> Result<(TcpListener, Tls), Failure> {
    let tls = Tls::open(data_dir, settings, addresses::own())
        .context("no HTTPS")
        .map_err(Failure::configuration)?;
    let listener = TcpListener::bind(settings.listen).await.map_err(|error| {
        let why = addresses::refused(&error, "[http] https");
        Failure::taken(anyhow::anyhow!(
            "cannot serve pages on {}: {why}",
            settings.listen
        ))
    })?;
    Ok((listener, tls))
}

/// `flagfall run`.
///
/// # Errors
/// With the exit code of what went wrong.
pub async fn run(file: &Path, check: bool) -> Result<(), Failure> {
    let config = Config::load(file)
        .with_context(|| format!("{} cannot be used", file.display()))
        .map_err(Failure::configuration)?;
    for note in config.event.iter().flat_map(|event| &event.notes) {
        if check {
            // Asked for, so it is no matter of the log.
            writeln!(std::io::stdout(), "{note}").context("cannot write")?;
        } else {
            warn!("{note}");
        }
    }
    if check && !config.warnings.is_empty() {
        let lines = ConfigError {
            problems: config.warnings,
        };
        return Err(Failure::configuration(
            anyhow::Error::from(lines).context("lines of the list of players would be left out"),
        ));
    }
    for warning in &config.warnings {
        warn!("{warning}");
    }
    if check {
        writeln!(std::io::stdout(), "{} is right", file.display()).context("cannot write")?;
        return Ok(());
    }
    make_data_dir(&config.hub.data_dir)?;
    let auth = Auth::open(&config.hub.data_dir).map_err(|error| match error {
        AuthError::Damaged { .. } => Failure::configuration(error),
        _ => Failure::from(anyhow::Error::from(error)),
    })?;
    if let Some(code) = auth.setup_code() {
        warn!("no PIN is set yet: open /console and enter the set-up code {code}");
    }
    let plan = plan::plan(config, auth);
    let watched = plan.ports.clone();
    let (broadcasts, named) = (plan.games.broadcast, plan.games.names);
    let app = App::start(plan).await?;
    info!(
        "pages: {}  countdown: /screen  arbiters: /console",
        addresses::pages(app.http).join(" ")
    );
    if let Some(https) = app.https {
        let urls = addresses::pages(https).join(" ").replace("http:", "https:");
        info!("the same over HTTPS: {urls}  its certificate: /flagfall-ca.crt");
    }
    if broadcasts {
        info!(
            "broadcast: /live/round.pgn{}",
            if named {
                ""
            } else {
                ", players by number (publish_names is off)"
            }
        );
    }
    if watched.include.is_empty() {
        warn!(
            "no ports are watched for boards: add [[port]] or [ports] scan to {}",
            file.display()
        );
    } else {
        info!("watched for boards: {}", watched.include.join(" "));
    }
    if let Some(broker) = app.broker {
        info!("embedded MQTT broker: {broker}");
    }
    tell_systemd(&app);
    stop_signal().await;
    info!("stopping");
    drop(sd_notify::notify(&[sd_notify::NotifyState::Stopping]));
    app.stop().await;
    Ok(())
}

/// The hall's time zone: the event's, or where the hub stands.
fn zone(set_up: Option<&SetUp>) -> TimeZone {
    let name = set_up.map_or("", |set_up| &set_up.settings.schedule.zone);
    if name.is_empty() {
        return TimeZone::system();
    }
    TimeZone::get(name).unwrap_or_else(|error| {
        warn!(%error, "the event's time zone is not known here; dates are by UTC");
        TimeZone::UTC
    })
}

/// Ready, and from then on alive as long as the engine answers.
fn tell_systemd(app: &App) {
    drop(sd_notify::notify(&[sd_notify::NotifyState::Ready]));
    let Some(every) = sd_notify::watchdog_enabled() else {
        return;
    };
    let handle = app.handle.clone();
    tokio::spawn(async move {
        let mut tick = tokio::time::interval(every / 3);
        loop {
            tick.tick().await;
            if handle.game(TableNo(0), None).await.is_err() {
                return;
            }
            drop(sd_notify::notify(&[sd_notify::NotifyState::Watchdog]));
        }
    });
}

/// SIGINT or SIGTERM.
pub(crate) async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) = (
        signal(SignalKind::interrupt()),
        signal(SignalKind::terminate()),
    ) else {
        // Without signal handlers the default action ends the process.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}

/// One recorder for the process; several hubs in one test process share it.
fn recorder() -> Option<PrometheusHandle> {
    static RECORDER: OnceLock<Option<PrometheusHandle>> = OnceLock::new();
    const SECONDS: [f64; 11] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0,
    ];
    RECORDER
        .get_or_init(|| {
            PrometheusBuilder::new()
                .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS)
                .and_then(PrometheusBuilder::install_recorder)
                .inspect_err(|error| warn!(%error, "there will be no metrics"))
                .ok()
        })
        .clone()
}

fn broker_name(broker: &Broker) -> String {
    match broker {
        Broker::Embedded { .. } => "embedded".to_owned(),
        Broker::External(External { host, port, .. }) => format!("{host}:{port}"),
    }
}
