//! What is printed: PDF of A4 pages.

use axum::{
    extract::State,
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use flagfall_core::{clock::TimeControl, hub::view::PaperView, pairing::words::Language};
use serde::Deserialize;

use super::extract::{Arbiter, Asked};
use crate::{
    paper::{self, PaperError},
    web::{
        AppState,
        problem::{Problem, ReadErrors},
    },
};

/// In which language, and for which control.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    lang: Option<String>,
    control: Option<String>,
}

/// In which language.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct InLanguage {
    lang: Option<String>,
}

fn language(code: Option<&str>) -> Result<Language, Problem> {
    code.map_or(Ok(Language::English), |code| {
        Language::by_code(code).ok_or_else(|| {
            Problem::invalid(format!("nothing is printed in {code:?}: en, uk or ru"))
        })
    })
}

async fn view(state: &AppState) -> Result<PaperView, Problem> {
    let view = state.handle.paper().await?;
    view.ok_or_else(|| Problem::not_found("event", "that is set up"))
}

/// Drawing hundreds of cards takes a while: beside the other requests.
async fn draw(
    name: &str,
    make: impl FnOnce() -> Result<Vec<u8>, PaperError> + Send + 'static,
) -> Result<Response, Problem> {
    let failed = |why: String| {
        let help = "look at the hub's log, and tell the makers of Flagfall";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, why, help)
    };
    let made = tokio::task::spawn_blocking(make).await;
    let pdf = made
        .map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))?;
    let disposition = HeaderValue::from_str(&format!("inline; filename=\"{name}\""))
        .unwrap_or(HeaderValue::from_static("inline"));
    let kind = HeaderValue::from_static("application/pdf");
    Ok((
        [
            (header::CONTENT_TYPE, kind),
            (header::CONTENT_DISPOSITION, disposition),
        ],
        pdf,
    )
        .into_response())
}

/// How mechanical clocks are set: a dial for each control, the first of which falls at six o'clock
/// (R-CD-7). For the event's control unless another is named.
#[utoipa::path(
    get, path = "/paper/setting-sheet.pdf", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(
        ("control" = Option<String>, Query, description = "A time control, e.g. `90/40:30`"),
        ("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")
    ),
    responses((status = 200, content_type = "application/pdf", body = String), ReadErrors)
)]
pub(super) async fn setting_sheet(
    State(state): State<AppState>,
    _arbiter: Arbiter,
    Asked(Wanted { lang, control }): Asked<Wanted>,
) -> Result<Response, Problem> {
    let language = language(lang.as_deref())?;
    let view = state.handle.paper().await?;
    let (event, own) = view.map_or_else(Default::default, |it| (it.event, it.time_control));
    let text = control.unwrap_or(own);
    let control: TimeControl = text
        .parse()
        .map_err(|error| Problem::invalid(format!("the time control {text:?}: {error}")))?;
    draw("setting-sheet.pdf", move || {
        paper::setting_sheet(&event, &control, language)
    })
    .await
}

/// A card of A5 for each table of the current round, with the code of the table's page.
#[utoipa::path(
    get, path = "/paper/table-cards.pdf", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")),
    responses((status = 200, content_type = "application/pdf", body = String), ReadErrors)
)]
pub(super) async fn table_cards(
    State(state): State<AppState>,
    _arbiter: Arbiter,
    headers: HeaderMap,
    Asked(InLanguage { lang }): Asked<InLanguage>,
) -> Result<Response, Problem> {
    let language = language(lang.as_deref())?;
    let view = view(&state).await?;
    // The name by which the arbiter reached the hub is one by which phones in the hall can.
    let host = headers.get(header::HOST).and_then(|it| it.to_str().ok());
    let site = host.map_or_else(
        || format!("http://{}", state.settings.listen),
        |host| format!("http://{host}"),
    );
    draw("table-cards.pdf", move || {
        paper::table_cards(&view, &site, language)
    })
    .await
}

/// A slip of A6 for each table of the current round, for the result and the signatures.
#[utoipa::path(
    get, path = "/paper/result-slips.pdf", tag = "hall", security(("cookie" = []), ("bearer" = [])),
    params(("lang" = Option<String>, Query, description = "`en`, `uk` or `ru`; English without it")),
    responses((status = 200, content_type = "application/pdf", body = String), ReadErrors)
)]
pub(super) async fn result_slips(
    State(state): State<AppState>,
    _arbiter: Arbiter,
    Asked(InLanguage { lang }): Asked<InLanguage>,
) -> Result<Response, Problem> {
    let language = language(lang.as_deref())?;
    let view = view(&state).await?;
    draw("result-slips.pdf", move || {
        paper::result_slips(&view, language)
    })
    .await
}
