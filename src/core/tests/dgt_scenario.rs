//! The golden scenarios of hands on a DGT board (`tests/data/dgt-scenario.json`).
//!
//! `moves_uci` is what must stand two seconds after the last update, `provisional_uci` must never have
//! become final, and a result must not be proposed before `result_after_ms`.

// The vectors are ours: what is missing in them must fail loudly.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use flagfall_core::{
    chess::{TrackEvent, TrackStatus, Tracker, TrackerSettings, placement::turned},
    protocol::SquareChange,
    types::{Mono, Piece, Placement, Square},
};
use serde_json::Value;

const T0: u64 = 10_000;

struct Run {
    tracker: Tracker,
    events: Vec<(u64, TrackEvent)>,
    now: u64,
}

impl Run {
    fn drain(&mut self) {
        while let Some(event) = self.tracker.poll_event() {
            self.events.push((self.now - T0, event));
        }
    }

    /// Lets time pass, waking the tracker exactly when it asks for it.
    fn advance(&mut self, to: u64) {
        while let Some(due) = self
            .tracker
            .poll_timeout()
            .filter(|due| *due <= Mono::from_millis(to))
        {
            self.now = self.now.max(u64::try_from(due.0.as_millis()).unwrap());
            self.tracker.handle_timeout(due);
            self.drain();
        }
        self.now = to;
    }
}

fn strings(value: &Value) -> Vec<String> {
    let list = value.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .map(|item| item.as_str().unwrap().to_owned())
        .collect()
}

fn play(decoded: &Value) -> (Run, Vec<String>) {
    let start = decoded["start_fen"].as_str().unwrap();
    let is_turned = decoded["orientation"] == "white_at_index_0";
    let tracker = Tracker::restore(TrackerSettings::default(), Some(start), &[], None).unwrap();
    let mut run = Run {
        tracker,
        events: Vec::new(),
        now: 0,
    };
    let view = start.split(' ').next().unwrap();
    let view = Placement::from_ascii_board_fen(view.as_bytes()).unwrap();
    let mut wire = if is_turned { turned(&view) } else { view };
    run.tracker
        .handle_placement(Mono::from_millis(0), &wire, None);
    run.now = T0;
    let mut last = 0;
    for update in decoded["updates"].as_array().unwrap() {
        last = update["t_ms"].as_u64().unwrap();
        run.advance(T0 + last);
        let index = u32::try_from(update["index"].as_u64().unwrap()).unwrap();
        // Index 0 is a8 on the wire.
        let square = Square::new(index).flip_vertical();
        let letter = update["piece"].as_str().unwrap().chars().next().unwrap();
        let piece = Piece::from_char(letter);
        match piece {
            Some(piece) => wire.set_piece_at(square, piece),
            None => wire.discard_piece_at(square),
        }
        let change = SquareChange { square, piece };
        run.tracker
            .handle_placement(Mono::from_millis(T0 + last), &wire, Some(change));
        run.drain();
    }
    run.advance(T0 + last + 2000);
    let standing = run
        .tracker
        .standing()
        .iter()
        .map(ToString::to_string)
        .collect();
    (run, standing)
}

#[test]
fn every_scenario_comes_out_as_written() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/dgt-scenario.json"
    );
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let mut wrong = Vec::new();
    for vector in vectors.as_array().unwrap() {
        let name = vector["name"].as_str().unwrap();
        let decoded = &vector["decoded"];
        for problem in problems(decoded) {
            wrong.push(format!("{name}: {problem}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn problems(decoded: &Value) -> Vec<String> {
    let mut wrong = Vec::new();
    let (mut run, standing) = play(decoded);
    let mut expect = |what: &str, ok: bool, found: &dyn std::fmt::Debug| {
        if !ok {
            wrong.push(format!("{what}, found {found:?}"));
        }
    };
    let status = run.tracker.status();
    if !decoded["moves_uci"].is_null() {
        let expected = strings(&decoded["moves_uci"]);
        expect(
            &format!("moves {expected:?}"),
            standing == expected,
            &standing,
        );
    }
    let seen = run.tracker.placement().unwrap().to_string();
    expect("final placement", seen == decoded["final_placement"], &seen);
    let provisional = strings(&decoded["provisional_uci"]);
    let final_moves: Vec<_> = run
        .events
        .iter()
        .filter_map(|(_, event)| match event {
            TrackEvent::Move(made) => Some(made.uci.clone()),
            _ => None,
        })
        .collect();
    let published = final_moves.iter().any(|uci| provisional.contains(uci));
    expect("provisional moves unpublished", !published, &final_moves);
    if let Some(offending) = decoded["offending"].as_str() {
        let ok = matches!(&status, TrackStatus::Illegal { offending: o, .. } if o == offending);
        expect("illegal status", ok && final_moves.is_empty(), &status);
    }
    if decoded["status"] == "in_hand" {
        let ok = matches!(status, TrackStatus::InHand { .. });
        expect("a man in the hand", ok && final_moves.is_empty(), &status);
    }
    if let Some(committed) = decoded.get("committed") {
        expect(
            "committed moves",
            final_moves == strings(committed),
            &final_moves,
        );
    }
    if decoded["new_game"] == true {
        let again = run
            .events
            .iter()
            .any(|(_, e)| matches!(e, TrackEvent::StartAgain { .. }));
        let missing = run
            .events
            .iter()
            .any(|(_, e)| matches!(e, TrackEvent::ResultMissing { .. }));
        expect(
            "a new game, the old one without a result",
            again && missing,
            &run.events,
        );
    }

    run.advance(T0 + 60_000);
    let result = run.events.iter().find_map(|(at, event)| match event {
        TrackEvent::ResultByKings {
            outcome,
            final_fen,
            plies,
        } => Some((*at, outcome.token(), final_fen.clone(), *plies)),
        _ => None,
    });
    match decoded["result"].as_str() {
        Some(token) => {
            let after = decoded["result_after_ms"].as_u64().unwrap();
            let start = decoded["start_fen"].as_str().unwrap();
            let plies = strings(&decoded["moves_before_result"]).len();
            let ok = result.as_ref().is_some_and(|(at, found, fen, played)| {
                (after..after + 100).contains(at)
                    && *found == token
                    && usize::from(*played) == plies
                    && (plies > 0 || fen == start)
            });
            expect(&format!("result {token} from {after} ms"), ok, &result);
        }
        None => expect("no result", result.is_none(), &result),
    }
    wrong
}

/// What must come to the arbiter from the illegal move: both positions and the reason.
#[test]
fn an_illegal_move_left_standing_becomes_a_claim() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/data/dgt-scenario.json"
    );
    let vectors: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let vector = vectors
        .as_array()
        .unwrap()
        .iter()
        .find(|vector| vector["name"] == "illegal_move_king_stays_in_check")
        .unwrap();
    let (mut run, _) = play(&vector["decoded"]);
    run.advance(T0 + 600 + u64::try_from(Duration::from_secs(3).as_millis()).unwrap());
    let claims: Vec<_> = run
        .events
        .iter()
        .filter(|(_, event)| {
            matches!(event, TrackEvent::Illegal { offending, before, .. }
            if offending == "a1a4" && before == "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1")
        })
        .collect();
    assert_eq!(claims.len(), 1, "{:?}", run.events);
}
