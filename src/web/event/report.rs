//! The report that closes an event (R-AR-3), ready to print, and the page of corrections; for those who
//! are logged in.

use askama::Template;
use axum::{
    extract::State,
    http::StatusCode,
    response::{IntoResponse, Response},
};
use flagfall_core::hub::view::{EventTable, RecordView, StaffView};
use jiff::{Timestamp, tz::TimeZone};

use super::{
    asked::Asked,
    pages::{Head, called, table},
    words::Words,
};
use crate::web::{AppState, pages::page, problem::Problem};

struct Round {
    number: u16,
    planned: String,
    started: String,
    closed: String,
    games: usize,
    open: usize,
    forfeits: usize,
    unpaired: usize,
}

struct Entry {
    id: u64,
    when: String,
    who: String,
    text: String,
    revertible: bool,
}

#[derive(Template)]
#[template(path = "event_report.html")]
struct Report {
    head: Head,
    facts: Vec<(&'static str, String)>,
    rounds: Vec<Round>,
    results: Vec<(String, usize)>,
    endings: Vec<(&'static str, usize)>,
    staff: Vec<(&'static str, String)>,
    needed: usize,
    present: usize,
    withdrawn: Vec<String>,
    /// Incidents, protests, changes: the heading and its entries.
    records: [(&'static str, Vec<Entry>); 3],
}

#[derive(Template)]
#[template(path = "event_corrections.html")]
struct Corrections {
    head: Head,
    entries: Vec<Entry>,
}

fn shown(at: Timestamp, zone: &TimeZone) -> String {
    zone.to_datetime(at).strftime("%Y-%m-%d %H:%M").to_string()
}

fn entry(line: &RecordView, zone: &TimeZone) -> Entry {
    let place = match (line.round, line.table) {
        (Some(round), Some(table)) if line.kind != "amendment" => format!(" ({round}/{table})"),
        _ => String::new(),
    };
    Entry {
        id: line.id,
        when: shown(line.at, zone),
        who: line.by.clone(),
        text: format!("{}{place}", line.text),
        revertible: line.revertible,
    }
}

/// Everything but who looks: the table, the record, the zone.
struct Material {
    table: EventTable,
    record: Vec<RecordView>,
    staff: StaffView,
    zone: TimeZone,
}

async fn material(state: &AppState, asked: &Asked) -> Result<Material, Response> {
    if !asked.staff {
        return Err((StatusCode::UNAUTHORIZED, asked.words.staff_only).into_response());
    }
    let table = table(state, asked, false).await?;
    let problem = |error| Problem::from(error).into_response();
    let record = state
        .handle
        .record(asked.words.language)
        .await
        .map_err(problem)?;
    let hall = state.handle.hall().await.map_err(problem)?;
    let zone = hall.event.as_ref().and_then(|event| event.zone.clone());
    let zone = zone.and_then(|name| TimeZone::get(&name).ok());
    Ok(Material {
        table,
        record,
        staff: hall.staff.clone(),
        zone: zone.unwrap_or_else(TimeZone::system),
    })
}

fn entries(material: &Material, kinds: &[&str]) -> Vec<Entry> {
    let of_kind = material.record.iter();
    of_kind
        .filter(|line| kinds.contains(&line.kind.as_str()))
        .map(|line| entry(line, &material.zone))
        .collect()
}

pub(super) async fn report(State(state): State<AppState>, asked: Asked) -> Response {
    let material = match material(&state, &asked).await {
        Ok(material) => material,
        Err(response) => return response,
    };
    let figures = match state.handle.event_figures().await {
        Ok(figures) => figures,
        Err(error) => return Problem::from(error).into_response(),
    };
    let words: &'static Words = asked.words;
    let (table, zone) = (&material.table, &material.zone);
    let time = |at: Option<Timestamp>| at.map(|at| shown(at, zone)).unwrap_or_default();
    let average = figures.average_rating.map(|it| it.to_string());
    let federations: Vec<String> = (figures.federations.iter())
        .map(|(federation, count)| format!("{federation} {count}"))
        .collect();
    let facts = [
        (words.system, table.system.clone()),
        (
            words.time_control,
            table.time_control.clone().unwrap_or_default(),
        ),
        (words.tie_breaks, table.tie_breaks.join(", ")),
        (words.players, figures.players.to_string()),
        (words.rated, figures.rated.to_string()),
        (words.average, average.unwrap_or_default()),
        (words.federations, federations.join(", ")),
    ];
    let staffing = &material.staff.staffing;
    let template = Report {
        head: Head::new(&state, &asked, "/report", words.report, table),
        facts: (facts.into_iter())
            .filter(|(_, value)| !value.is_empty())
            .collect(),
        rounds: (figures.rounds.iter())
            .map(|round| Round {
                number: round.number.0,
                planned: time(round.starts_at),
                started: time(round.started_at),
                closed: time(round.closed_at),
                games: round.games,
                open: round.open,
                forfeits: round.forfeits,
                unpaired: round.unpaired,
            })
            .collect(),
        results: (figures.results.iter())
            .map(|(result, count)| (result.to_string(), *count))
            .collect(),
        endings: (figures.terminations.iter())
            .map(|(ending, count)| (words.ending(*ending), *count))
            .collect(),
        staff: (material.staff.members.iter())
            .map(|it| (words.duty(it.member.duty), it.member.name.clone()))
            .collect(),
        needed: staffing.arbiters_needed,
        present: staffing.arbiters,
        withdrawn: (figures.withdrawn.iter())
            .map(|(no, since)| {
                let name = table.line(*no).map(|line| called(line, true, words));
                let name = name.unwrap_or_default();
                format!("{no} {name}, {} {since}", words.since_round)
            })
            .collect(),
        records: [
            (words.incidents, entries(&material, &["incident"])),
            (words.protests, entries(&material, &["protest"])),
            (
                words.changes,
                entries(
                    &material,
                    &["result", "amendment", "player", "list", "settings"],
                ),
            ),
        ],
    };
    page(StatusCode::OK, &template)
}

pub(super) async fn corrections(State(state): State<AppState>, asked: Asked) -> Response {
    let material = match material(&state, &asked).await {
        Ok(material) => material,
        Err(response) => return response,
    };
    let title = asked.words.corrections;
    let template = Corrections {
        head: Head::new(&state, &asked, "/corrections", title, &material.table),
        entries: entries(&material, &["amendment", "result"]),
    };
    page(StatusCode::OK, &template)
}
