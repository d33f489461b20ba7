//! The team exercises of FIDE's technical commission, from the rows of their crosstable.

use std::collections::BTreeMap;

use flagfall_core::{
    tournament::standings::{BoardResult, Cell, CellKind, Crosstable, Edition, Format, Row, Terms},
    types::{Color, PlayerNo, Points},
};
use serde::Deserialize;

use super::Case;

const BOARDS: u16 = 4;

#[derive(Deserialize)]
struct Event {
    rows: BTreeMap<u16, Vec<String>>,
    cases: Vec<Case>,
}

#[test]
fn exercises_of_the_technical_commission() {
    let text = include_str!("../data/tiebreaks/tec-team-swiss.json");
    let event: Event = serde_json::from_str(text).unwrap();
    let mut wrong = Vec::new();
    for case in &event.cases {
        for edition in case.editions() {
            wrong.extend(case.differences(&table(&event, edition)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn table(event: &Event, edition: Edition) -> Crosstable {
    let rounds = event.rows.values().map(Vec::len).max().expect("rows") as u16;
    let rows = event.rows.iter().map(|(&no, cells)| Row {
        no: PlayerNo(no),
        rating: None,
        struck_out: false,
        cells: cells.iter().map(|text| cell(no, text)).collect(),
    });
    let terms = Terms {
        edition,
        ..Terms::teams(Format::Swiss, rounds, BOARDS)
    };
    Crosstable::new(terms, rows.collect())
}

fn cell(team: u16, text: &str) -> Cell {
    let unplayed = |kind, match_points, halves| Cell {
        kind,
        match_points: Points(match_points),
        game_points: Points(halves),
        ..Cell::default()
    };
    match text {
        // The rows do not say who the opponent was to be.
        "+F" => return unplayed(CellKind::ForfeitWin, 4, 2 * BOARDS),
        "-F" => return unplayed(CellKind::ForfeitLoss, 0, 0),
        "PAB" => return unplayed(CellKind::Allocated, 2, BOARDS),
        "HPB" => return unplayed(CellKind::Half, 2, BOARDS),
        "ZPB" => return unplayed(CellKind::Zero, 0, 0),
        _ => {}
    }
    let at = text.find(['w', 'b']).expect("a colour");
    let points: f64 = text[at + 1..].parse().expect("points");
    let halves = (points * 2.0) as u16;
    let opponent: u16 = text[..at].parse().expect("an opponent");
    let colour = if text[at..].starts_with('w') {
        Color::White
    } else {
        Color::Black
    };
    // The exercises tell the boards of one match only.
    let boards = match (team, opponent) {
        (11, 14) => boards([2, 1, 1, 0], colour),
        (14, 11) => boards([0, 1, 1, 2], colour),
        _ => Vec::new(),
    };
    Cell {
        kind: CellKind::Played,
        opponent: Some(PlayerNo(opponent)),
        colour: Some(colour),
        match_points: Points(match halves.cmp(&BOARDS) {
            std::cmp::Ordering::Greater => 4,
            std::cmp::Ordering::Equal => 2,
            std::cmp::Ordering::Less => 0,
        }),
        game_points: Points(halves),
        boards,
    }
}

fn boards(halves: [u16; 4], first: Color) -> Vec<BoardResult> {
    (1..)
        .zip(halves)
        .map(|(board, points)| BoardResult {
            board,
            points: Points(points),
            colour: Some(if board % 2 == 1 { first } else { !first }),
            played: true,
        })
        .collect()
}
