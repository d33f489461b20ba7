//! What can be asked.

use std::net::SocketAddr;

use axum::{
    Json,
    extract::{ConnectInfo, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flagfall_core::{
    hub::view::{
        GameView, HallView, PairingView, PlayersView, ProposalView, RecordView, RepairView,
        SheetView, StandingView, TableView,
    },
    pairing::words::Language,
    tournament::trf::{ReportOptions, ascii_name},
    types::{RoundNo, TableNo},
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::extract::{Asked, At, Viewer};
use crate::web::{
    AppState,
    health::HealthReport,
    mine::Who,
    pairings::{Pairings, PairingsView},
    peer,
    problem::{ActErrors, Problem, ReadErrors},
    stream::{self, Kind},
};

/// The hub's time.
#[derive(Debug, Serialize, ToSchema)]
pub(in crate::web) struct TimeNow {
    /// Now, UTC; rounded down to milliseconds so that nobody who counts by it is ahead.
    #[schema(value_type = String, format = DateTime)]
    now: String,
    /// Hub milliseconds in a real millisecond; 1 outside demos.
    rate: f64,
    /// The system clock is synchronised; null when that cannot be known.
    synced: Option<bool>,
    /// The hub's own time zone, e.g. `Europe/Kyiv`, for an event that names none; null when it has
    /// no name.
    zone: Option<String>,
    /// The offset of the hub's own time zone from UTC now, seconds.
    utc_offset: i32,
}

pub(in crate::web) fn time_now(state: &AppState) -> TimeNow {
    let now = state.clock.now().utc;
    let zone = jiff::tz::TimeZone::system();
    TimeNow {
        now: Timestamp::from_millisecond(now.as_millisecond())
            .map_or_else(|_| now.to_string(), |now| format!("{now:.3}")),
        rate: state.clock.speed(),
        synced: state.health.borrow().time.synchronised,
        utc_offset: zone.to_offset(now).seconds(),
        zone: zone.iana_name().map(str::to_owned),
    }
}

/// The hub's time, for pages that count.
#[utoipa::path(get, path = "/time", tag = "service", responses((status = 200, body = TimeNow)))]
pub(super) async fn time(State(state): State<AppState>) -> Json<TimeNow> {
    Json(time_now(&state))
}

/// The whole hall.
#[utoipa::path(
    get, path = "/hall", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = HallView), ReadErrors)
)]
pub(super) async fn hall(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<HallView>, Problem> {
    let hall = state.handle.hall().await?;
    Ok(Json(HallView::clone(&hall)))
}

/// The hall live: `hall` (all of it), then `update`, `health` and `tick` events.
#[utoipa::path(
    get, path = "/hall/stream", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, content_type = "text/event-stream", body = String), ReadErrors)
)]
pub(super) async fn hall_stream(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
    _viewer: Viewer,
) -> Response {
    stream::open(state, Kind::Hall, peer(from), Who::Nobody)
}

/// Which of the rounds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfRound {
    round: Option<RoundNo>,
}

/// The pairings and results of a round that is public, the newest one unless another is named. Names
/// are null unless they are published.
#[utoipa::path(
    get, path = "/pairings", tag = "round",
    params(("round" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "The round; the newest that is public without it")),
    responses((status = 200, body = PairingsView), ReadErrors)
)]
pub(super) async fn pairings(
    State(state): State<AppState>,
    Asked(OfRound { round }): Asked<OfRound>,
) -> Result<Json<PairingsView>, Problem> {
    let mut pairings = Pairings::new(state.settings.publish_names);
    pairings.take_hall(&*state.handle.hall().await?);
    let Some(number) = round else {
        if let Some(earlier) = pairings.missing() {
            pairings.take_earlier(state.handle.public_round(earlier).await?);
        }
        return Ok(Json(pairings.view()));
    };
    match state.handle.public_round(number).await? {
        Some(round) => Ok(Json(pairings.view_of(&round))),
        None => Err(Problem::not_found("public round", number)),
    }
}

/// The pairings live: `pairings` events with the newest public round when something changed, and `tick`
/// events. Public.
#[utoipa::path(
    get, path = "/pairings/stream", tag = "round",
    responses((status = 200, content_type = "text/event-stream", body = PairingsView))
)]
pub(super) async fn pairings_stream(
    State(state): State<AppState>,
    ConnectInfo(from): ConnectInfo<SocketAddr>,
) -> Response {
    stream::open(state, Kind::Pairings, peer(from), Who::Nobody)
}

/// One table.
#[utoipa::path(
    get, path = "/tables/{table}", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number")),
    responses((status = 200, body = TableView), ReadErrors)
)]
pub(super) async fn table(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(table): At<TableNo>,
) -> Result<Json<TableView>, Problem> {
    let hall = state.handle.hall().await?;
    hall.tables
        .iter()
        .find(|view| view.table == table)
        .map(|view| Json(view.clone()))
        .ok_or_else(|| Problem::not_found("table", table))
}

/// The moves of a table's game.
#[utoipa::path(
    get, path = "/tables/{table}/game", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number"),
        ("round" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "The round; the current one without it")
    ),
    responses((status = 200, body = GameView), ReadErrors)
)]
pub(super) async fn game(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(table): At<TableNo>,
    Asked(OfRound { round }): Asked<OfRound>,
) -> Result<Json<GameView>, Problem> {
    game_of(&state, table, round).await.map(Json)
}

async fn game_of(
    state: &AppState,
    table: TableNo,
    round: Option<RoundNo>,
) -> Result<GameView, Problem> {
    let game = state.handle.game(table, round).await?;
    game.ok_or_else(|| no_game(table, round))
}

fn no_game(table: TableNo, round: Option<RoundNo>) -> Problem {
    let place = match round {
        Some(round) => format!("{table} in round {round}"),
        None => table.to_string(),
    };
    Problem::not_found("game at table", place)
}

/// A table's game as PGN.
#[utoipa::path(
    get, path = "/tables/{table}/game.pgn", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number"),
        ("round" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "The round; the current one without it")
    ),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), ReadErrors)
)]
pub(super) async fn game_pgn(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(table): At<TableNo>,
    Asked(OfRound { round }): Asked<OfRound>,
) -> Result<Response, Problem> {
    let game = game_of(&state, table, round).await?;
    let name = format!("round{}-table{}.pgn", game.round, game.table);
    Ok(pgn(&name, game.pgn))
}

/// Everything that the journal tells of a table's game: moves with both times and the time of day, what
/// was taken back, flags, pauses, corrections, claims with both positions, alerts, who decided what.
#[utoipa::path(
    get, path = "/tables/{table}/sheet", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("table" = u16, Path, minimum = 0, maximum = 65535, description = "The table's number"),
        ("round" = Option<u16>, Query, minimum = 0, maximum = 65535, description = "The round; the current one without it")
    ),
    responses((status = 200, body = SheetView), ReadErrors)
)]
pub(super) async fn sheet(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(table): At<TableNo>,
    Asked(OfRound { round }): Asked<OfRound>,
) -> Result<Json<SheetView>, Problem> {
    let sheet = state.handle.sheet(table, round).await?;
    sheet.map(Json).ok_or_else(|| no_game(table, round))
}

/// All games of a round as PGN.
#[utoipa::path(
    get, path = "/rounds/{round}/games.pgn", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(("round" = u16, Path, minimum = 0, maximum = 65535, description = "The round's number")),
    responses((status = 200, content_type = "application/x-chess-pgn", body = String), ReadErrors)
)]
pub(super) async fn round_pgn(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(round): At<RoundNo>,
) -> Result<Response, Problem> {
    let games = state.handle.round_pgn(round).await?;
    let games = games.ok_or_else(|| Problem::not_found("round", round))?;
    Ok(pgn(&format!("round{round}.pgn"), games))
}

fn pgn(name: &str, text: String) -> Response {
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("attachment"));
    (
        [
            (
                header::CONTENT_TYPE,
                HeaderValue::from_static("application/x-chess-pgn"),
            ),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        text,
    )
        .into_response()
}

/// In which language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InLanguage {
    lang: Option<String>,
}

fn language(code: &str) -> Result<Language, Problem> {
    Language::by_code(code)
        .ok_or_else(|| Problem::invalid(format!("no sentences in {code:?}: en, uk or ru")))
}

/// Who meets whom in a round, and why; a draft too. Everybody who is not paired is in it with the
/// reason.
#[utoipa::path(
    get, path = "/rounds/{round}/pairing", tag = "round", security(("cookie" = []), ("bearer" = [])),
    params(
        ("round" = u16, Path, minimum = 0, maximum = 65535, description = "The round's number"),
        ("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")
    ),
    responses((status = 200, body = PairingView), ReadErrors)
)]
pub(super) async fn pairing(
    State(state): State<AppState>,
    _viewer: Viewer,
    At(round): At<RoundNo>,
    Asked(InLanguage { lang }): Asked<InLanguage>,
) -> Result<Json<PairingView>, Problem> {
    let language = lang.as_deref().map(language).transpose()?;
    let language = language.unwrap_or_default();
    let pairing = state.handle.pairing(round, language).await?;
    pairing
        .map(Json)
        .ok_or_else(|| Problem::not_found("pairing of round", round))
}

/// The players, and what somebody should know of the list that they came from.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct PlayersPage {
    #[serde(flatten)]
    players: PlayersView,
    /// What was guessed in the list of players, and what is odd in it: one sentence each.
    notes: Vec<String>,
}

/// All players: who has left, who misses which round, where they play, and whether a draft still fits
/// them.
#[utoipa::path(
    get, path = "/players", tag = "round", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = PlayersPage), ReadErrors)
)]
pub(super) async fn players(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<PlayersPage>, Problem> {
    Ok(Json(PlayersPage {
        players: state.handle.players().await?,
        notes: state.settings.player_notes.clone(),
    }))
}

/// What a repair of the draft of round 1 changes, beside what pairing anew changes: for everybody whose
/// opponent, colour, bye or board is another than in the draft before somebody left, came or asked for a
/// bye. 409 says why there is nothing to repair.
#[utoipa::path(
    get, path = "/round/repair", tag = "round", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = RepairView), ActErrors)
)]
pub(super) async fn repair_offer(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<RepairView>, Problem> {
    Ok(Json(state.handle.repair().await?))
}

/// How a report is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReportForm {
    #[serde(default)]
    trf16: bool,
    #[serde(default)]
    ascii: bool,
}

/// The event so far as a tournament report file (TRF26). A draft is not in it. Who changed what after
/// publication stands at its end in remarks (`###`).
#[utoipa::path(
    get, path = "/report.trf", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("trf16" = Option<bool>, Query, description = "TRF16 with the extensions of other programs rather than TRF26"),
        ("ascii" = Option<bool>, Query, description = "Names in ASCII")
    ),
    responses((status = 200, content_type = "text/plain", body = String), ReadErrors)
)]
pub(super) async fn report(
    State(state): State<AppState>,
    _viewer: Viewer,
    Asked(ReportForm { trf16, ascii }): Asked<ReportForm>,
) -> Result<Response, Problem> {
    let options = ReportOptions {
        legacy: trf16,
        ascii,
        ..ReportOptions::default()
    };
    let zone = jiff::tz::TimeZone::system();
    let report = state.handle.report(options, zone).await?;
    let report = report.ok_or_else(|| Problem::not_found("report", "of an event"))?;
    let bytes = report.map_err(|error| {
        Problem::new(
            StatusCode::CONFLICT,
            error.to_string(),
            "correct the list of players",
        )
    })?;
    let bytes = if trf16 {
        bytes
    } else {
        with_record(bytes, &state.handle.record(Language::English).await?, ascii)
    };
    Ok((
        [
            (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
            (
                header::CONTENT_DISPOSITION,
                "attachment; filename=\"report.trf\"",
            ),
        ],
        bytes,
    )
        .into_response())
}

/// A report with the integrity record: remarks that every reader passes over.
fn with_record(mut report: Vec<u8>, record: &[RecordView], ascii: bool) -> Vec<u8> {
    const CHANGES: [&str; 6] = [
        "published",
        "result",
        "amendment",
        "player",
        "list",
        "settings",
    ];
    // Lines end as the report's do.
    let end = match report.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
        Some(at) if report[at..].starts_with(b"\r\n") => "\r\n",
        Some(at) if report[at] == b'\r' => "\r",
        Some(_) => "\n",
        None => "\r\n",
    };
    for line in record
        .iter()
        .filter(|line| CHANGES.contains(&line.kind.as_str()))
    {
        let by = if line.by.is_empty() {
            "configuration"
        } else {
            &line.by
        };
        let text = format!(
            "### {} {by}: {}",
            line.at,
            line.text.replace(['\r', '\n'], " ")
        );
        let text = if ascii { ascii_name(&text) } else { text };
        report.extend_from_slice(text.as_bytes());
        report.extend_from_slice(end.as_bytes());
    }
    report
}

/// Whether figures are explained.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Explained {
    explain: Option<String>,
}

/// The standings.
#[utoipa::path(
    get, path = "/standings", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("explain" = Option<String>, Query,
         description = "`en`, `uk` or `ru`: each figure says in it what it is made of")
    ),
    responses((status = 200, body = [StandingView]), ReadErrors)
)]
pub(super) async fn standings(
    State(state): State<AppState>,
    _viewer: Viewer,
    Asked(Explained { explain }): Asked<Explained>,
) -> Result<Json<Vec<StandingView>>, Problem> {
    let explained = explain.as_deref().map(language).transpose()?;
    Ok(Json(state.handle.standings(explained).await?))
}

/// Open proposals, oldest first.
#[utoipa::path(
    get, path = "/proposals", tag = "decisions", security(("cookie" = []), ("bearer" = [])),
    responses((status = 200, body = [ProposalView]), ReadErrors)
)]
pub(super) async fn proposals(
    State(state): State<AppState>,
    _viewer: Viewer,
) -> Result<Json<Vec<ProposalView>>, Problem> {
    Ok(Json(state.handle.hall().await?.proposals.clone()))
}

/// This document.
#[utoipa::path(
    get, path = "/api/openapi.json", tag = "service",
    responses((status = 200, content_type = "application/json", body = Object))
)]
pub(super) async fn openapi(State(state): State<AppState>) -> Response {
    (
        [(header::CONTENT_TYPE, "application/json")],
        // One copy for everybody, however many take their time.
        state.openapi,
    )
        .into_response()
}

/// Whether the hub can do its work, and what is wrong.
#[utoipa::path(
    get, path = "/healthz", tag = "service",
    responses(
        (status = 200, description = "It can", body = HealthReport),
        (status = 503, description = "It cannot", body = HealthReport)
    )
)]
pub(super) async fn healthz(State(state): State<AppState>) -> Response {
    let health = state.health.borrow().clone();
    let (ok, problems) = health.problems();
    let report = HealthReport {
        ok,
        hub: state.settings.hub.clone(),
        version: state.settings.version.clone(),
        problems,
        health,
    };
    let status = if ok {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    (status, Json(report)).into_response()
}

/// Figures for Prometheus.
#[utoipa::path(
    get, path = "/metrics", tag = "service",
    responses(
        (status = 200, content_type = "text/plain", body = String),
        (status = 404, description = "Figures are not kept", content_type = "application/problem+json", body = Problem)
    )
)]
pub(super) async fn metrics(State(state): State<AppState>) -> Result<Response, Problem> {
    let metrics = state.metrics.as_ref().ok_or_else(|| {
        Problem::new(
            StatusCode::NOT_FOUND,
            "this hub keeps no figures",
            "turn metrics on in the configuration",
        )
    })?;
    Ok((
        [(header::CONTENT_TYPE, "text/plain; version=0.0.4")],
        metrics.render(),
    )
        .into_response())
}
