//! Standings, crosstable and a player's page.

use askama::Template;
use axum::{
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use flagfall_core::{
    hub::view::{CellView, EventLine, EventTable, TableState},
    tournament::standings::CellKind,
    types::{Color, PlayerNo},
};

use super::{asked::Asked, words::Words};
use crate::web::{
    AppState,
    pages::{not_found, page},
    problem::Problem,
};

/// What stands over every page of the event.
pub(super) struct Head {
    pub(super) words: &'static Words,
    /// The address of this page, for the links of the languages.
    pub(super) here: String,
    /// `?lang=uk` where the reader chose it.
    pub(super) query: String,
    pub(super) event: String,
    pub(super) title: String,
    /// `Published`, `Provisional`, `Final`.
    pub(super) badge: &'static str,
    /// The badge as a class.
    pub(super) mark: &'static str,
    /// What the table rests on.
    pub(super) state: String,
    /// What arbiters are told of a draft.
    pub(super) draft: Option<String>,
    pub(super) names: bool,
    pub(super) staff: bool,
    /// Names are for the arbiters who look, not for all.
    pub(super) hidden: bool,
}

impl Head {
    pub(super) fn new(
        state: &AppState,
        asked: &Asked,
        here: &str,
        title: &str,
        table: &EventTable,
    ) -> Self {
        let words = asked.words;
        let (badge, mark) = match table.state {
            TableState::Empty => ("", "empty"),
            TableState::Running { .. } => (words.provisional, "provisional"),
            TableState::Closed => (words.published, "published"),
            TableState::Final => (words.last, "final"),
        };
        let round = table.round;
        Self {
            words,
            here: here.to_owned(),
            query: if asked.chosen {
                format!("?lang={}", words.code())
            } else {
                String::new()
            },
            event: table.event.clone(),
            title: title.to_owned(),
            badge,
            mark,
            state: match table.state {
                TableState::Empty => words.empty.to_owned(),
                TableState::Running { open } => words.running(round, open.into()),
                TableState::Closed | TableState::Final => {
                    format!("{}.", words.after(round, table.rounds))
                }
            } + " "
                + &words.count_players(table.lines.len())
                + ".",
            draft: (table.draft.filter(|_| asked.staff)).map(|draft| words.drafted(draft.0)),
            names: asked.names,
            staff: asked.staff,
            hidden: asked.names && !state.settings.publish_names,
        }
    }
}

/// How a player is called on a page.
pub(super) fn called(line: &EventLine, names: bool, words: &Words) -> String {
    if names {
        line.player.name.clone()
    } else {
        format!("{} {}", words.number, line.player.no)
    }
}

/// A player in a table.
struct Who {
    no: u16,
    name: String,
    title: String,
    rating: String,
    federation: String,
    /// Others bear this name.
    twin: bool,
    note: &'static str,
}

impl Who {
    fn new(line: &EventLine, names: bool, twins: &[&str], words: &Words) -> Self {
        let shown = |text: Option<String>| text.filter(|_| names).unwrap_or_default();
        Self {
            no: line.player.no.0,
            name: called(line, names, words),
            title: shown(line.player.title.map(|title| title.to_string())),
            rating: shown(line.player.rating.map(|rating| rating.to_string())),
            federation: shown(line.player.federation.clone()),
            twin: names && twins.contains(&line.player.name.as_str()),
            note: match line {
                EventLine {
                    struck_out: true, ..
                } => words.struck_out,
                EventLine {
                    withdrawn: true, ..
                } => words.withdrawn,
                _ => "",
            },
        }
    }
}

struct Figure {
    code: String,
    text: String,
    explained: Vec<String>,
}

struct Line {
    place: u16,
    shared: bool,
    who: Who,
    points: String,
    figures: Vec<Figure>,
}

fn line(line: &EventLine, table: &EventTable, names: bool, twins: &[&str], words: &Words) -> Line {
    Line {
        place: line.place,
        shared: line.shared,
        who: Who::new(line, names, twins, words),
        points: line.points.clone(),
        figures: (table.tie_breaks.iter().zip(&line.figures))
            .map(|(code, figure)| Figure {
                code: code.clone(),
                text: figure.text.clone(),
                explained: figure.explained.clone(),
            })
            .collect(),
    }
}

#[derive(Template)]
#[template(path = "event_standings.html")]
struct Standings<'a> {
    head: Head,
    tie_breaks: &'a [String],
    lines: Vec<Line>,
}

/// The event's table; a page that says so before an event is set up.
pub(super) async fn table(
    state: &AppState,
    asked: &Asked,
    explained: bool,
) -> Result<EventTable, Response> {
    let language = explained.then_some(asked.words.language);
    let table = state.handle.event_table(language).await;
    let table = table.map_err(|error| Problem::from(error).into_response())?;
    table.ok_or_else(|| (StatusCode::NOT_FOUND, asked.words.no_event).into_response())
}

pub(super) async fn standings(State(state): State<AppState>, asked: Asked) -> Response {
    let table = match table(&state, &asked, true).await {
        Ok(table) => table,
        Err(response) => return response,
    };
    let twins = table.namesakes();
    let lines = (table.lines.iter())
        .map(|it| line(it, &table, asked.names, &twins, asked.words))
        .collect();
    let title = asked.words.standings;
    let template = Standings {
        head: Head::new(&state, &asked, "/standings", title, &table),
        tie_breaks: &table.tie_breaks,
        lines,
    };
    page(StatusCode::OK, &template)
}

/// A round in the crosstable, as short as it can be said: `12w1`, `+`, `½`.
pub(super) fn short(cell: &CellView, words: &Words) -> String {
    let colour = match cell.colour {
        Some(Color::White) => match words.code() {
            "en" => "w",
            _ => "б",
        },
        Some(Color::Black) => match words.code() {
            "en" => "b",
            _ => "ч",
        },
        None => "",
    };
    let score = cell.score.as_deref().unwrap_or("");
    match (cell.kind, cell.opponent) {
        (CellKind::Played, Some(no)) => format!("{no}{colour}{score}"),
        (CellKind::ForfeitWin, Some(no)) => format!("{no}{colour}+"),
        (CellKind::ForfeitLoss, Some(no)) => format!("{no}{colour}–"),
        (CellKind::Open, Some(no)) => format!("{no}{colour}"),
        (CellKind::Rest | CellKind::Open, _) => String::new(),
        (CellKind::Zero, _) => "–".to_owned(),
        (_, _) => format!("({score})"),
    }
}

struct CrossLine {
    line: Line,
    cells: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "event_cross.html")]
struct Cross<'a> {
    head: Head,
    rounds: Vec<u16>,
    tie_breaks: &'a [String],
    lines: Vec<CrossLine>,
}

pub(super) async fn crosstable(State(state): State<AppState>, asked: Asked) -> Response {
    let table = match table(&state, &asked, false).await {
        Ok(table) => table,
        Err(response) => return response,
    };
    let words = asked.words;
    let twins = table.namesakes();
    let lines = (table.lines.iter())
        .map(|it| CrossLine {
            line: line(it, &table, asked.names, &twins, words),
            cells: (it.cells.iter())
                .map(|cell| (short(cell, words), words.cell(cell.kind).to_owned()))
                .collect(),
        })
        .collect();
    let template = Cross {
        head: Head::new(&state, &asked, "/crosstable", words.crosstable, &table),
        rounds: (1..=table.round).collect(),
        tie_breaks: &table.tie_breaks,
        lines,
    };
    page(StatusCode::OK, &template)
}

struct GameLine {
    round: u16,
    table: Option<u16>,
    colour: &'static str,
    opponent: Option<(u16, String)>,
    score: String,
    note: &'static str,
}

#[derive(Template)]
#[template(path = "event_player.html")]
struct PlayerPage {
    head: Head,
    line: Line,
    club: String,
    games: Vec<GameLine>,
    /// The round that is played or comes next for him, in large letters.
    now: Option<GameLine>,
}

pub(super) async fn player(
    State(state): State<AppState>,
    Path(no): Path<String>,
    asked: Asked,
) -> Response {
    let table = match table(&state, &asked, true).await {
        Ok(table) => table,
        Err(response) => return response,
    };
    let words = asked.words;
    let found = (no.parse().ok()).and_then(|no| table.line(PlayerNo(no)));
    let Some(found) = found else {
        return not_found();
    };
    let game = |cell: &CellView| GameLine {
        round: cell.round.0,
        table: cell.table.map(|table| table.0),
        colour: match cell.colour {
            Some(Color::White) => words.white,
            Some(Color::Black) => words.black,
            None => "",
        },
        opponent: cell.opponent.map(|no| {
            let line = table.line(no);
            let name = line.map(|line| called(line, asked.names, words));
            (no.0, name.unwrap_or_default())
        }),
        score: cell.score.clone().unwrap_or_default(),
        note: words.cell(cell.kind),
    };
    let now = (found.cells.last())
        .filter(|cell| cell.kind == CellKind::Open && cell.opponent.is_some())
        .map(game);
    let twins = table.namesakes();
    let title = called(found, asked.names, words);
    let here = format!("/player/{}", found.player.no);
    let template = PlayerPage {
        head: Head::new(&state, &asked, &here, &title, &table),
        line: line(found, &table, asked.names, &twins, words),
        club: (found.player.club.clone().filter(|_| asked.names)).unwrap_or_default(),
        games: found.cells.iter().map(game).collect(),
        now,
    };
    page(StatusCode::OK, &template)
}
