//! A hall for tests of the pages and the API: a task that answers what the engine would be asked.

// Helpers of tests fail by panicking, as tests do.
#![allow(clippy::unwrap_used)]
// Each test binary uses its own part of this.
#![allow(dead_code)]
// A test crate has no outside, but these modules have.
#![allow(unreachable_pub)]

pub mod picture;
pub mod real;

use std::{
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    body::Body,
    http::{Method, Request as HttpRequest, StatusCode, header},
    response::Response,
};
use flagfall::{
    handle::{Ask, AskError, Handle},
    time::HubClock,
    web::{AppState, Auth, Health, Settings},
};
use flagfall_core::{
    hub::{
        Hub,
        command::{Command, Refused, Request},
        view::{EventFigures, GameView, HallView, MoveView, StandingView, Update},
    },
    types::RoundNo,
};
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use serde_json::Value;
use tokio::{
    net::TcpListener,
    sync::{broadcast, mpsc, watch},
    task::JoinHandle,
};
use tokio_util::sync::CancellationToken;

pub const PIN: &str = "271828";

/// A served hall whose engine is a puppet.
pub struct FakeHall {
    pub address: SocketAddr,
    pub hall: Arc<Mutex<HallView>>,
    pub commands: Arc<Mutex<Vec<Request>>>,
    pub updates: broadcast::Sender<Arc<Update>>,
    pub health: watch::Sender<Health>,
    pub handle: Handle,
    pub clock: HubClock,
    pub cancel: CancellationToken,
    pub server: JoinHandle<()>,
    client: Client<HttpConnector, Body>,
}

impl FakeHall {
    pub async fn start(hall: HallView) -> Self {
        Self::start_with(hall, Auth::with_pin(PIN), 1.0).await
    }

    /// A hub that does not publish names.
    pub async fn start_unnamed(hall: HallView) -> Self {
        let address = "127.0.0.1:0".parse().unwrap();
        Self::serve(address, hall, Auth::with_pin(PIN), 1.0, |settings| {
            settings.publish_names = false;
        })
        .await
    }

    pub async fn start_with(hall: HallView, auth: Auth, speed: f64) -> Self {
        Self::start_at("127.0.0.1:0".parse().unwrap(), hall, auth, speed).await
    }

    pub async fn start_at(address: SocketAddr, hall: HallView, auth: Auth, speed: f64) -> Self {
        Self::serve(address, hall, auth, speed, |_| {}).await
    }

    /// A hub with other settings.
    pub async fn start_changed(
        address: SocketAddr,
        hall: HallView,
        auth: Auth,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        Self::serve(address, hall, auth, 1.0, change).await
    }

    /// A hall with the hub itself behind the pages.
    pub async fn start_hub(
        hub: &Arc<Mutex<Hub>>,
        clock: &HubClock,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let (updates, _) = broadcast::channel(256);
        let (handle, asks) = Handle::new(updates.clone());
        tokio::spawn(real::engine(
            Arc::clone(hub),
            clock.clone(),
            asks,
            updates.clone(),
        ));
        let hall = hub.lock().unwrap().hall_view(clock.now());
        let address = "127.0.0.1:0".parse().unwrap();
        let parts = (handle, updates, clock.clone());
        let hall = Arc::new(Mutex::new(hall));
        let auth = Auth::with_pin(PIN);
        Self::open(address, hall, Arc::default(), parts, auth, change).await
    }

    async fn serve(
        address: SocketAddr,
        hall: HallView,
        auth: Auth,
        speed: f64,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let hall = Arc::new(Mutex::new(hall));
        let commands = Arc::<Mutex<Vec<Request>>>::default();
        let (updates, _) = broadcast::channel(256);
        let (handle, asks) = Handle::new(updates.clone());
        tokio::spawn(engine(
            asks,
            Arc::clone(&hall),
            Arc::clone(&commands),
            updates.clone(),
        ));
        let parts = (handle, updates, HubClock::start(speed));
        Self::open(address, hall, commands, parts, auth, change).await
    }

    async fn open(
        address: SocketAddr,
        hall: Arc<Mutex<HallView>>,
        commands: Arc<Mutex<Vec<Request>>>,
        (handle, updates, clock): (Handle, broadcast::Sender<Arc<Update>>, HubClock),
        auth: Auth,
        change: impl FnOnce(&mut Settings),
    ) -> Self {
        let (health, health_reader) = watch::channel(picture::health());
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let mut settings = Settings {
            listen: address,
            data_dir: std::env::temp_dir(),
            hub: "kyiv-1".into(),
            version: "0.1.0".into(),
            publish_names: true,
            player_notes: Vec::new(),
            authority: None,
            https: None,
            live: None,
        };
        change(&mut settings);
        let state = AppState::new(
            settings,
            handle.clone(),
            clock.clone(),
            auth,
            health_reader,
            None,
        );
        let cancel = CancellationToken::new();
        let server = tokio::spawn(flagfall::web::serve(listener, state, cancel.clone()));
        Self {
            address,
            hall,
            commands,
            updates,
            health,
            handle,
            clock,
            cancel,
            server,
            client: Client::builder(TokioExecutor::new()).build_http(),
        }
    }

    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Changes the hall and tells the pages.
    pub fn change(&self, change: impl FnOnce(&mut HallView) -> Update) {
        let mut hall = self.hall.lock().unwrap();
        hall.seq += 1;
        let mut update = change(&mut hall);
        update.seq = hall.seq;
        // Nobody may be listening.
        let _ = self.updates.send(Arc::new(update));
    }

    pub async fn send(&self, request: HttpRequest<Body>) -> Response {
        let response = tokio::time::timeout(Duration::from_secs(20), self.client.request(request))
            .await
            .expect("the server answers")
            .expect("the request is answered");
        response.map(Body::new)
    }

    pub fn request(&self, method: Method, path: &str) -> axum::http::request::Builder {
        HttpRequest::builder().method(method).uri(self.url(path))
    }

    pub async fn get(&self, path: &str, token: Option<&str>) -> (StatusCode, Value) {
        let mut request = self.request(Method::GET, path);
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = self.send(request.body(Body::empty()).unwrap()).await;
        (response.status(), json(response).await)
    }

    pub async fn post(&self, path: &str, token: Option<&str>, body: &str) -> (StatusCode, Value) {
        let mut request = self
            .request(Method::POST, path)
            .header(header::CONTENT_TYPE, "application/json");
        if let Some(token) = token {
            request = request.header(header::AUTHORIZATION, format!("Bearer {token}"));
        }
        let response = self
            .send(request.body(Body::from(body.to_owned())).unwrap())
            .await;
        (response.status(), json(response).await)
    }

    /// A bearer token of a logged-in arbiter.
    pub async fn token(&self) -> String {
        let body = format!(r#"{{"pin":"{PIN}","name":"Anna Koval","bearer":true}}"#);
        let (status, answer) = self.post("/api/v1/login", None, &body).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        answer["token"].as_str().unwrap().to_owned()
    }
}

impl Drop for FakeHall {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

pub async fn text(response: Response) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), 4 << 20)
        .await
        .unwrap();
    String::from_utf8(bytes.to_vec()).unwrap()
}

pub async fn json(response: Response) -> Value {
    let text = text(response).await;
    serde_json::from_str(&text).unwrap_or(Value::String(text))
}

/// Every error says what, where and what to do.
pub fn assert_problem(path: &str, status: StatusCode, body: &Value) {
    assert_eq!(body["status"], status.as_u16(), "{path}: {body}");
    assert_eq!(body["instance"], path.split('?').next().unwrap(), "{body}");
    for field in ["title", "detail", "help"] {
        assert!(
            body[field].as_str().is_some_and(|text| !text.is_empty()),
            "{path}: {body}"
        );
    }
}

async fn engine(
    mut asks: mpsc::Receiver<Ask>,
    hall: Arc<Mutex<HallView>>,
    commands: Arc<Mutex<Vec<Request>>>,
    updates: broadcast::Sender<Arc<Update>>,
) {
    while let Some(ask) = asks.recv().await {
        match ask {
            Ask::Hall(reply) => {
                let _ = reply.send(Arc::new(hall.lock().unwrap().clone()));
            }
            Ask::Game(table, round, reply) => {
                let known = hall
                    .lock()
                    .unwrap()
                    .tables
                    .iter()
                    .any(|view| view.table == table);
                let game = known.then(|| GameView {
                    gaps: vec![],
                    table,
                    round: round.unwrap_or(RoundNo(2)),
                    start: None,
                    moves: picture::MOVES
                        .iter()
                        .enumerate()
                        .map(|(ply, (san, uci))| MoveView {
                            san: (*san).into(),
                            uci: (*uci).into(),
                            clock_ms: Some(900_000 - ply as u64 * 7_300),
                        })
                        .collect(),
                    pgn: "[Event \"Kyiv Open\"]\n\n1. e4 *\n".into(),
                });
                let _ = reply.send(game);
            }
            Ask::RoundPgn(round, reply) => {
                let _ = reply.send((round == RoundNo(2)).then(|| "1. e4 *\n".into()));
            }
            Ask::GamesPgn(_, _, _, reply) => {
                let _ = reply.send(Vec::new());
            }
            Ask::Sheet(table, round, reply) => {
                let known = hall
                    .lock()
                    .unwrap()
                    .tables
                    .iter()
                    .any(|view| view.table == table);
                let sheet = known.then(|| picture::sheet(table, round.unwrap_or(RoundNo(2))));
                let _ = reply.send(Ok(sheet));
            }
            Ask::Pairing(round, language, reply) => {
                let _ = reply.send((round == RoundNo(2)).then(|| picture::pairing(language)));
            }
            Ask::Players(reply) => {
                let _ = reply.send(picture::players(&hall.lock().unwrap()));
            }
            Ask::PublicRound(round, reply) => {
                let _ = reply.send((round == RoundNo(1)).then(picture::first_round));
            }
            Ask::Repair(reply) => {
                let _ = reply.send(Ok(picture::repair()));
            }
            Ask::Report(options, _, reply) => {
                let text = if options.legacy { "XXR 9\r" } else { "142 9\r" };
                let _ = reply.send(Some(Ok(text.into())));
            }
            Ask::Standings(explained, reply) => {
                let _ = reply.send(vec![StandingView {
                    place: 1,
                    player: picture::player(1),
                    points: "1.5".into(),
                    tie_breaks: vec![("BH".into(), "2.0".into())],
                    explanations: explained.map(|_| vec![vec!["sum 2.0".into()]]),
                }]);
            }
            Ask::EventTable(_, reply) => {
                let _ = reply.send(None);
            }
            Ask::EventFigures(reply) => {
                let _ = reply.send(EventFigures::default());
            }
            Ask::Record(_, reply) => {
                let _ = reply.send(Ok(Vec::new()));
            }
            Ask::Amendment(_, _, reply) | Ask::Reverted(_, _, reply) => {
                let _ = reply.send(Err(Refused::Conflict("a puppet corrects nothing".into())));
            }
            Ask::Paper(reply) => {
                let _ = reply.send(None);
            }
            Ask::Wall(_, reply) => {
                let _ = reply.send(picture::wall(&hall.lock().unwrap()));
            }
            Ask::Command(request, reply) => {
                // A request with a key is what it asks.
                let request = match request.command {
                    Command::Once { command, .. } => Request {
                        by: request.by,
                        command: *command,
                    },
                    command => Request {
                        by: request.by,
                        command,
                    },
                };
                let result = {
                    let mut hall = hall.lock().unwrap();
                    carry_out(&mut hall, &request.command).map(|mut update| {
                        hall.seq += 1;
                        update.seq = hall.seq;
                        let _ = updates.send(Arc::new(update));
                        hall.seq
                    })
                };
                commands.lock().unwrap().push(request);
                let _ = reply.send(result);
            }
        }
    }
}

fn carry_out(hall: &mut HallView, command: &Command) -> Result<Update, AskError> {
    let missing = |what, id: u64| Refused::NotFound {
        what,
        id: id.to_string(),
    };
    match command {
        Command::Decide { proposal, .. } => {
            let before = hall.proposals.len();
            hall.proposals.retain(|view| view.id != *proposal);
            if hall.proposals.len() == before {
                return Err(missing("proposal", *proposal).into());
            }
            hall.alerts.retain(|view| view.proposal != Some(*proposal));
            Ok(Update {
                proposals: Some(hall.proposals.clone()),
                alerts: Some(hall.alerts.clone()),
                ..Update::default()
            })
        }
        Command::AcknowledgeAlert { alert } => {
            let view = hall.alerts.iter_mut().find(|view| view.id == *alert);
            let view = view.ok_or_else(|| missing("alert", *alert))?;
            view.acknowledged_by = Some("Anna Koval".into());
            Ok(Update {
                alerts: Some(hall.alerts.clone()),
                ..Update::default()
            })
        }
        Command::CloseAlert { alert } => {
            let before = hall.alerts.len();
            hall.alerts.retain(|view| view.id != *alert);
            if hall.alerts.len() == before {
                return Err(missing("alert", *alert).into());
            }
            Ok(Update {
                alerts: Some(hall.alerts.clone()),
                ..Update::default()
            })
        }
        Command::SetResult { table, result, .. } => {
            if !["1-0", "0-1", "1/2-1/2", "+/-", "-/+", "-/-"].contains(&result.as_str()) {
                return Err(Refused::Invalid(format!("{result:?} is no result")).into());
            }
            let view = hall.tables.iter_mut().find(|view| view.table == *table);
            let view = view.ok_or_else(|| missing("table", table.0.into()))?;
            view.result = Some(result.clone());
            Ok(Update {
                tables: vec![view.clone()],
                ..Update::default()
            })
        }
        Command::AssignScreen { screen, settings } => {
            let view = hall.screens.iter_mut().find(|view| view.number == *screen);
            let view = view.ok_or_else(|| missing("screen", (*screen).into()))?;
            view.assigned = true;
            view.settings.clone_from(settings);
            Ok(Update {
                screens: Some(hall.screens.clone()),
                ..Update::default()
            })
        }
        Command::RaiseEmergency { about, .. } => {
            hall.show.emergency = Some(*about);
            Ok(Update {
                show: Some(hall.show.clone()),
                ..Update::default()
            })
        }
        Command::EndEmergency => {
            hall.show.emergency = None;
            Ok(Update {
                show: Some(hall.show.clone()),
                ..Update::default()
            })
        }
        Command::CloseRound { .. } => Err(Refused::Conflict("3 results are missing".into()).into()),
        Command::StartRound => Err(AskError::Journal("no space left on device".into())),
        _ => Ok(Update::default()),
    }
}
