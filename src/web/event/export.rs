//! The event's tables as files.

use axum::{
    extract::{Path, State},
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};

use super::{
    asked::Asked,
    pages::{short, table},
};
use crate::{
    grid::{self, Which},
    paper,
    web::{AppState, pages::not_found, problem::Problem},
};

const XLSX: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

pub(super) async fn file(
    State(state): State<AppState>,
    Path(file): Path<String>,
    asked: Asked,
) -> Response {
    let Some((name, kind)) = file.split_once('.') else {
        return not_found();
    };
    let which = match name {
        "standings" => Which::Standings,
        "crosstable" => Which::Crosstable,
        _ => return not_found(),
    };
    let content = match kind {
        "csv" => "text/csv; charset=utf-8",
        "xlsx" => XLSX,
        "pdf" => "application/pdf",
        _ => return not_found(),
    };
    let table = match table(&state, &asked, false).await {
        Ok(table) => table,
        Err(response) => return response,
    };
    let kind = kind.to_owned();
    let (names, words) = (asked.names, asked.words);
    // A table of thousands takes a while: beside the other requests.
    let made = tokio::task::spawn_blocking(move || {
        let grid = grid::of_event(&table, which, names, words, |cell| short(cell, words));
        match kind.as_str() {
            "csv" => Ok(grid.csv().into_bytes()),
            "xlsx" => grid.xlsx().map_err(|error| error.to_string()),
            _ => paper::table(&grid).map_err(|error| error.to_string()),
        }
    });
    let bytes = match made.await {
        Ok(Ok(bytes)) => bytes,
        Ok(Err(why)) => return failed(why),
        Err(error) => return failed(error.to_string()),
    };
    let disposition = HeaderValue::from_str(&format!("attachment; filename=\"{file}\""));
    let mut response = ([(header::CONTENT_TYPE, content)], bytes).into_response();
    if let Ok(disposition) = disposition {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_DISPOSITION, disposition);
    }
    response
}

fn failed(why: String) -> Response {
    let help = "look at the hub's log, and tell the makers of Flagfall";
    Problem::new(StatusCode::INTERNAL_SERVER_ERROR, why, help).into_response()
}
