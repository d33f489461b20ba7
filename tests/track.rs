//! Recorded streams through `flagfall track`: the golden games of all families and the DGT scenarios.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{process::Command, time::Duration};

use flagfall::{
    decode::{FamilyName, parse_hex},
    track::{
        Orientation, Plan,
        game::{By, Game},
        input::{self, Input, Times},
    },
};
use flagfall_core::{
    chess::{TrackEvent, Tracker, TrackerSettings},
    protocol::{
        ClockSide, Touch,
        board::Told,
        certabo::{self, calibration::Calibration, occupancy},
        chesslink, chessnut, chessup,
        dgt::json::hex,
        families::{Beforehand, FAMILIES, Family},
        hos, ichessone, pegasus, square_off,
        stream::Wire as _,
    },
    types::Bitboard,
};
use proptest::prelude::*;
use serde_json::{Value, json};

fn read(path: &str) -> (Vec<Value>, Vec<Input>) {
    let text = std::fs::read_to_string(path).unwrap();
    let vectors = serde_json::from_str(&text).unwrap();
    (vectors, input::read(text.as_bytes(), Times::Auto).unwrap())
}

/// All games of the families whose games we can follow.
fn games() -> Vec<(&'static Family, Value, Input)> {
    let mut games = Vec::new();
    for family in FAMILIES {
        let path = format!("tests/data/boards/{}-games.json", family.name);
        if std::fs::exists(&path).unwrap() {
            let (vectors, inputs) = read(&path);
            assert_eq!(vectors.len(), inputs.len());
            let pairs = vectors.into_iter().zip(inputs);
            games.extend(pairs.map(|(vector, input)| (family, vector, input)));
        }
    }
    assert!(games.len() >= 12);
    games
}

fn moves(game: &Game) -> Vec<&str> {
    let moves = game.record.moves.iter();
    moves.map(|played| played.made.uci.as_str()).collect()
}

/// The moves must not depend on how fast the hands were.
#[test]
fn golden_games_at_every_pace() {
    for (family, vector, input) in &games() {
        for pace in [150, 250, 400, 700, 1000, 2000] {
            let name = format!("{} {} at {pace} ms", family.name, vector["name"]);
            let plan = Plan {
                pace: Duration::from_millis(pace),
                ..Plan::new(FamilyName::Board(family))
            };
            let (heard, games) = plan.track(input).unwrap();
            let game = &games[0];
            let decoded = &vector["decoded"];
            assert_eq!(json!(moves(game)), decoded["moves"], "{name}");
            let placement = game.placement.as_ref().map(ToString::to_string);
            if decoded.get("final_placement").is_some() {
                assert_eq!(json!(placement), decoded["final_placement"], "{name}");
            }
            assert_eq!(heard.counters.bytes_dropped, 0, "{name}");
            assert!(
                !game.unexplained && game.record.illegal.is_empty(),
                "{name}"
            );
        }
    }
}

fn bytes_of(input: &Input) -> Vec<u8> {
    input.reads.iter().flat_map(|r| r.bytes.clone()).collect()
}

/// The same bytes in reads of this size.
fn in_reads(bytes: &[u8], size: usize, start: Option<&str>) -> Input {
    let reads = bytes.chunks(size).map(|bytes| input::Read {
        at: None,
        bytes: bytes.to_vec(),
    });
    Input {
        start: start.map(ToOwned::to_owned),
        reads: reads.collect(),
        ..Input::default()
    }
}

/// However the bytes were split.
#[test]
fn golden_games_split() {
    for (family, vector, input) in &games() {
        let bytes = bytes_of(input);
        for size in [1, 7, bytes.len()] {
            let split = in_reads(&bytes, size, input.start.as_deref());
            let plan = Plan::new(FamilyName::Board(family));
            let (_, games) = plan.track(&split).unwrap();
            let expected = &vector["decoded"]["moves"];
            assert_eq!(&json!(moves(&games[0])), expected, "{}", family.name);
        }
    }
}

/// The bytes of the same hands on a board that stands the other way round.
fn turn(family: &Family, bytes: &[u8]) -> Vec<u8> {
    let mut turned = Vec::new();
    let mut decoder = family.decoder(&Beforehand::default());
    let rotate = |squares: Bitboard| Bitboard(squares.0.reverse_bits());
    decoder.push(bytes, &mut |message| match (family.name, message.told()) {
        ("chessnut", Told::Placement(mut placement)) => {
            placement.rotate_180();
            let uptime = Some(7);
            chessnut::Message::Position { placement, uptime }.encode(&mut turned);
        }
        ("chesslink", Told::Placement(mut placement)) => {
            placement.rotate_180();
            chesslink::Message::Position(placement).encode(&mut turned);
        }
        ("ichessone", Told::Placement(mut placement)) => {
            placement.rotate_180();
            ichessone::Message::Position(placement).encode(&mut turned);
        }
        ("tabutronic-sentio", Told::Occupancy(occupied)) => {
            occupancy::Line::Occupancy(rotate(occupied)).encode(&mut turned);
        }
        ("pegasus", Told::Touched(Touch { square, present })) => {
            let square = square.rotate_180();
            pegasus::Message::Update { square, present }.encode(&mut turned);
        }
        ("squareoff", Told::Touched(Touch { square, present })) => {
            let square = square.rotate_180();
            square_off::Message::Update { square, present }.encode(&mut turned);
        }
        (name, told) => panic!("{name}: {told:?}"),
    });
    turned
}

#[test]
fn golden_games_on_a_turned_board() {
    for (family, vector, input) in &games() {
        let bytes = turn(family, &bytes_of(input));
        let turned = in_reads(&bytes, bytes.len(), input.start.as_deref());
        let mut plan = Plan::new(FamilyName::Board(family));
        for orientation in [Orientation::Auto, Orientation::Turned] {
            plan.orientation = orientation;
            let (_, games) = plan.track(&turned).unwrap();
            let name = format!("{} {} {orientation:?}", family.name, vector["name"]);
            let expected = &vector["decoded"]["moves"];
            assert_eq!(&json!(moves(&games[0])), expected, "{name}");
            assert_eq!(games[0].turned, Some(true), "{name}");
        }
    }
}

/// A tag board: calibration, then a game whose placements another family's board told.
#[test]
fn a_game_on_a_tag_board() {
    let text = std::fs::read_to_string("tests/data/boards/certabo-messages.json").unwrap();
    let certabo_vectors: Vec<Value> = serde_json::from_str(&text).unwrap();
    let frame = parse_hex(certabo_vectors[0]["bytes_hex"].as_str().unwrap()).unwrap();
    let table = &certabo_vectors[0]["decoded"]["code_table"];
    let table: Calibration = serde_json::from_value(table.clone()).unwrap();
    let (vectors, inputs) = read("tests/data/boards/chesslink-games.json");
    let at = vectors
        .iter()
        .position(|v| v["name"] == "game_italian_castle");
    let (vector, input) = (&vectors[at.unwrap()], &inputs[at.unwrap()]);
    let mut game = Vec::new();
    let mut other = Family::named("chesslink")
        .unwrap()
        .decoder(&Beforehand::default());
    other.push(&bytes_of(input), &mut |message| {
        if let Told::Placement(placement) = message.told() {
            certabo::line(&placement, &table).encode(&mut game);
        }
    });
    let family = FamilyName::named("certabo").unwrap();
    let expected = &vector["decoded"]["moves"];
    let calibrated = [frame, game.clone()].concat();
    // With the calibration in the stream, and by the start position alone.
    for bytes in [&calibrated, &game] {
        let input = in_reads(bytes, 20, None);
        let (heard, games) = Plan::new(family).track(&input).unwrap();
        assert_eq!(&json!(moves(&games[0])), expected);
        assert_eq!((heard.counters.bytes_dropped, heard.unread), (0, 0));
    }
    // With a calibration that is given.
    let mut plan = Plan::new(family);
    plan.beforehand.calibration = Some(table);
    let (_, games) = plan.track(&in_reads(&game, 999, None)).unwrap();
    assert_eq!(&json!(moves(&games[0])), expected);
}

/// The messages of a HOS board are text of hex digits: a file of them needs `--raw`.
#[test]
fn a_game_on_a_board_with_its_own_clock() {
    let (vectors, inputs) = read("tests/data/boards/chesslink-games.json");
    let at = vectors
        .iter()
        .position(|v| v["name"] == "game_italian_castle");
    let mut text = Vec::new();
    let mut seconds = 0;
    let mut other = Family::named("chesslink")
        .unwrap()
        .decoder(&Beforehand::default());
    other.push(&bytes_of(&inputs[at.unwrap()]), &mut |message| {
        if let Told::Placement(placement) = message.told() {
            hos::Message::Position(placement.clone()).encode(&mut text);
            seconds += 1;
            let clock = hos::Clock {
                left: [0, 4, 59 - seconds],
                right: [0, 5, 0],
                running: true,
                counting: ClockSide::Left,
            };
            let upper_ranks = placement;
            hos::Message::Clock { clock, upper_ranks }.encode(&mut text);
        }
    });
    let (code, pgn, said) = flagfall(&["--family", "hos", "--raw"], &text);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(
        pgn.ends_with("\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O *\n\n"),
        "{pgn}"
    );
}

/// Values of a board that judges moves itself, one a read.
fn values(family: &str, values: &[Vec<u8>]) -> Game {
    let reads = values.iter().map(|bytes| input::Read {
        at: None,
        bytes: bytes.clone(),
    });
    let input = Input {
        reads: reads.collect(),
        ..Input::default()
    };
    let family = Family::named(family).unwrap();
    let (_, mut games) = Plan::new(FamilyName::Board(family)).track(&input).unwrap();
    assert_eq!(games.len(), 1);
    games.remove(0)
}

fn lines(text: &str) -> Vec<Vec<u8>> {
    text.lines().map(|line| line.as_bytes().to_vec()).collect()
}

#[test]
fn a_chessup_repeats_moves_and_tells_promotions_behind_them() {
    let wire = |message: &chessup::Message| {
        let mut bytes = Vec::new();
        message.encode(&mut bytes);
        bytes
    };
    let made = |uci: &str| {
        let square = |at: &str| at.parse().unwrap();
        wire(&chessup::Message::Move {
            from: square(&uci[..2]),
            to: square(&uci[2..]),
        })
    };
    let mut told: Vec<_> = [
        "h2h4", "h2h4", "g7g5", "h4g5", "h7h6", "g5h6", "g8f6", "h6h7", "h8g8", "h7h8",
    ]
    .map(made)
    .into();
    let knight = shakmaty::Role::Knight.of(shakmaty::Color::White);
    told.push(wire(&chessup::Message::Promotion(knight)));
    told.push(wire(&chessup::Message::Promotion(knight)));
    told.push(made("d7d5"));
    let game = values("chessup", &told);
    assert_eq!(moves(&game)[7..], ["h8g8", "h7h8n", "d7d5"]);
    assert!(game.record.illegal.is_empty() && game.record.gaps.is_empty() && !game.unexplained);

    // Nothing is made up where the board does not say what the pawn became, until it shows its men.
    told.truncate(10);
    told.push(made("d7d5"));
    let game = values("chessup", &told);
    assert_eq!(moves(&game).last(), Some(&"h8g8"));
    assert!(game.unexplained && game.record.gaps.len() == 1);
    let after = "rnbqkbrR/pppppp2/5n2/8/8/8/PPPPPPP1/RNBQKBNR";
    let after = flagfall_core::types::Placement::from_ascii_board_fen(after.as_bytes()).unwrap();
    told.truncate(10);
    told.push(wire(&chessup::Message::Position(after)));
    told.push(made("d7d5"));
    let game = values("chessup", &told);
    assert_eq!(moves(&game)[8..], ["h7h8r", "d7d5"]);
}

#[test]
fn an_open_board_takes_back_and_comes_in_the_middle_of_a_game() {
    let start = "sync rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w\n";
    let game = values(
        "cpp",
        &lines(&format!(
            "{start}move e2e4\nmove e7e5\nundo e7e5\nmove c7c5\nmove e1e3\nmove g1f3\n"
        )),
    );
    assert_eq!(moves(&game), ["e2e4", "c7c5", "g1f3"]);
    assert_eq!(game.record.illegal[0].offending, "e1e3");
    // The first man that moves says whose turn it is.
    let middle = "sync r3k2r/8/8/8/8/8/8/R3K2R\nmove e8g8\nmove e1c1\n";
    let game = values("cpp", &lines(middle));
    assert_eq!(moves(&game), ["e8g8", "e1c1"]);
    let start = game.record.start.as_deref();
    assert_eq!(start, Some("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"));
    // Moves were missed.
    let missed = "move e2e4\nsync rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R\nmove b8c6\n";
    let game = values("cpp", &lines(missed));
    assert_eq!(moves(&game), ["e2e4", "b8c6"]);
    assert_eq!(game.record.gaps[0].after, 1);
}

#[test]
fn moves_of_text_boards_become_pgn() {
    let text = b"H101     1.2MY_SERIAL\nMB f2f3\nMB e7e5\nMB g2g4\nMB d8h4\nGE\n";
    let (code, pgn, said) = flagfall(&["--family", "wpp", "--raw"], text);
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(pgn.ends_with("1. f3 e5 2. g4 Qh4# 0-1\n\n"), "{pgn}");
    let (code, _, said) = flagfall(&["--family", "wpp", "--raw"], b"H101     1.2MY_SERIAL\n");
    assert_eq!(code, Some(5), "{said}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// Whatever bytes come: no panic, and what is told as a game is legal.
    #[test]
    fn damaged_games_stay_legal(
        at in 0_usize..12,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        lost in proptest::collection::vec(any::<prop::sample::Index>(), 0..10),
    ) {
        let (family, _, input) = games().swap_remove(at);
        let mut bytes = bytes_of(&input);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        for at in lost {
            bytes.remove(at.index(bytes.len()));
        }
        let damaged = in_reads(&bytes, 64, input.start.as_deref());
        let (_, games) = Plan::new(FamilyName::Board(family)).track(&damaged).unwrap();
        for game in games {
            let moves = game.record.moves.iter().map(|played| played.made.uci.parse().unwrap());
            let moves: Vec<_> = moves.collect();
            let gaps = game.record.gaps.iter().filter_map(|gap| Some((gap.after, gap.fen.as_deref()?)));
            let gaps: Vec<_> = gaps.collect();
            let start = game.record.start.as_deref();
            let settings = TrackerSettings::default();
            let legal = Tracker::restore_with_gaps(settings, start, &moves, &gaps, None);
            prop_assert!(legal.is_ok(), "{:?}", legal.err());
        }
    }
}

#[test]
fn dgt_scenarios() {
    let (vectors, inputs) = read("tests/data/dgt-scenario.json");
    for (vector, input) in vectors.iter().zip(&inputs) {
        let name = vector["name"].as_str().unwrap();
        let decoded = &vector["decoded"];
        let (_, games) = Plan::new(FamilyName::Dgt).track(input).unwrap();
        let game = &games[0];
        if !decoded["moves_uci"].is_null() {
            assert_eq!(json!(moves(game)), decoded["moves_uci"], "{name}");
        }
        let placement = game.placement.as_ref().map(ToString::to_string);
        assert_eq!(json!(placement), decoded["final_placement"], "{name}");
        let shown = game.shown.iter().find(|shown| shown.by == By::Kings);
        let shown = shown.map(|shown| shown.outcome.token());
        assert_eq!(json!(shown), decoded["result"], "{name}");
        if let Some(offending) = decoded["offending"].as_str() {
            assert_eq!(game.record.illegal[0].offending, offending);
        }
        if decoded["new_game"] == true {
            let missing =
                |(_, event): &(_, TrackEvent)| matches!(event, TrackEvent::ResultMissing { .. });
            assert!(game.found.iter().any(missing) && games.len() == 1, "{name}");
        }
    }
}

/// Nobody says how the board stands: the changes make sense one way round only.
#[test]
fn a_turned_board_is_found_out_from_its_changes() {
    let (vectors, inputs) = read("tests/data/dgt-scenario.json");
    let (vector, input) = vectors
        .iter()
        .zip(inputs)
        .find(|(vector, _)| vector["name"] == "rotated_first_move")
        .unwrap();
    let unsaid = Input {
        turned: None,
        ..input
    };
    let mut plan = Plan::new(FamilyName::Dgt);
    let (_, games) = plan.track(&unsaid).unwrap();
    assert_eq!(json!(moves(&games[0])), vector["decoded"]["moves_uci"]);
    assert_eq!(games[0].turned, Some(true));
    // Said wrongly, nothing is made up.
    plan.orientation = Orientation::Normal;
    let (_, games) = plan.track(&unsaid).unwrap();
    assert!(moves(&games[0]).is_empty() && games[0].unexplained);
}

/// A dump with the start position, a DGT clock with presses, the moves and the kings in the centre.
fn dgt_lines() -> String {
    let men = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let codes = ".PRNBKQprnbkq";
    let mut dump = "0 86 00 43".to_owned();
    for c in men.chars().filter(|c| *c != '/') {
        let blanks = c.to_digit(10).map_or(1, |n| n as usize);
        let code = codes.find(c).unwrap_or(0);
        dump.extend(std::iter::repeat_n(format!(" {code:02x}"), blanks));
    }
    // Right side first: hours, minutes, seconds; status: D0 it runs, D1 the right side is to move.
    let clock = |t, right: &str, left: &str, status: u8| {
        format!("{t} 8d 00 0a {right} {left} {status:02x}\n")
    };
    let update = |t, index: u8, code: u8| format!("{t} 8e 00 05 {index:02x} {code:02x}\n");
    [
        format!("{dump}\n"),
        clock(100, "00 05 00", "00 05 00", 0x00),
        clock(3000, "00 05 00", "00 04 59", 0x01),
        update(4000, 52, 0),
        update(4500, 36, 1),
        // White, at the left, has pressed.
        clock(5200, "00 05 00", "00 04 57", 0x03),
        update(7000, 12, 0),
        update(7500, 28, 7),
        clock(8100, "00 04 56", "00 04 57", 0x01),
        // Agreed: both kings, one after the other.
        update(9000, 60, 0),
        update(9800, 4, 0),
        update(10_500, 35, 5),
        update(11_000, 27, 11),
        clock(11_500, "00 04 56", "00 04 53", 0x00),
    ]
    .concat()
}

fn flagfall(args: &[&str], content: &[u8]) -> (Option<i32>, String, String) {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("board-7.txt");
    std::fs::write(&file, content).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .arg("track")
        .args(args)
        .arg(file)
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (
        output.status.code(),
        text(output.stdout),
        text(output.stderr),
    )
}

#[test]
fn a_game_with_a_clock_on_the_command_line() {
    let content = dgt_lines();
    let (code, pgn, said) = flagfall(&["--family", "dgt"], content.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    assert!(
        pgn.contains("1. e4 {[%clk 0:04:57]} 1... e5 {[%clk 0:04:56]}"),
        "{pgn}"
    );
    let (code, json, _) = flagfall(&["--family", "dgt", "--json", "--pgn"], content.as_bytes());
    assert_eq!(code, Some(0));
    let game: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(game["moves"][0]["san"], "e4");
    assert_eq!(game["moves"][0]["t_ms"], 4500);
    assert_eq!(game["moves"][1]["times"]["black_ms"], 296_000);
    assert_eq!(game["pgn"], pgn);
    assert_eq!(game["bytes_dropped"], 0);
}

/// The port is closed when the recording stops: no move was missed by that, as it would be by a cable that
/// comes off in mid-game.
#[test]
fn the_end_of_a_recording_is_no_outage() {
    let dump = {
        let lines = dgt_lines();
        lines.lines().next().unwrap()[2..].to_owned()
    };
    let header = "{\"flagfall_recording\":1,\"port\":\"p\",\"family\":\"dgt-board\",\
                  \"started\":\"2026-11-30T10:00:00Z\"}\n{\"t_ms\":0,\"dir\":\"open\"}";
    let mut lines = vec![header.to_owned()];
    for (t, hex) in [
        (600, "91 00 08 30 37 37 36 33"),
        (700, "93 00 05 01 08"),
        (1700, &dump),
        (6000, "8e 00 05 34 00"),
        (6500, "8e 00 05 24 01"),
        (7500, "91 00 08 30 37 37 36 33"),
    ] {
        lines.push(json!({"t_ms": t, "dir": "rx", "hex": hex}).to_string());
    }
    lines.push("{\"t_ms\":8000,\"dir\":\"closed\"}\n".to_owned());
    let (code, pgn, said) = flagfall(&[], lines.join("\n").as_bytes());
    assert_eq!((code, said.as_str()), (Some(0), ""));
    assert!(pgn.ends_with("\n\n1. e4 *\n\n"), "{pgn}");
}

/// A recording as `flagfall record` writes it names its family and the day.
#[test]
fn a_recording_needs_no_family() {
    let mut lines = vec![
        "{\"flagfall_recording\":1,\"port\":\"/dev/ttyUSB0\",\"family\":\"tabutronic-sentio\",\
         \"started\":\"2026-11-30T10:00:00Z\"}"
            .to_owned(),
        "{\"t_ms\":0,\"dir\":\"open\"}".to_owned(),
    ];
    for (t, line) in [
        (500, ":255 255 0 0 0 0 255 255 \r\n"),
        (3000, ":255 255 0 0 0 0 247 255 \r\n"),
        (3600, "::255 255 0 0 8 0 247 255 \r\n"),
    ] {
        let hex = hex(line.as_bytes());
        lines.push(json!({"t_ms": t, "dir": "rx", "hex": hex}).to_string());
    }
    let recording = lines.join("\n") + "\n";
    let (code, pgn, said) = flagfall(&[], recording.as_bytes());
    assert_eq!(code, Some(0), "{said}");
    assert!(pgn.contains("[Date \"2026.11.30\"]"), "{pgn}");
    assert!(pgn.ends_with("\n\n1. e4 *\n\n"), "{pgn}");
    assert!(said.contains("1 bytes belong to no message"), "{said}");
}

#[test]
fn exit_codes_tell_what_was_wrong() {
    let e4 = "0 8e 00 05 34 00\n600 8e 00 05 24 01\n";
    // Which board?
    assert_eq!(flagfall(&[], e4.as_bytes()).0, Some(2));
    let start = ["--family", "dgt", "--start", "8/8/8/8/8/8/8/8 w - - 0 1"];
    assert_eq!(flagfall(&start, e4.as_bytes()).0, Some(2));
    // A clock makes no moves.
    assert_eq!(flagfall(&["--family", "open-clock"], b"6f 6b").0, Some(2));
    // A file that is nothing.
    assert_eq!(flagfall(&["--family", "dgt"], b"{\"flagfall").0, Some(3));
    let (code, _, said) = flagfall(&["--family", "dgt"], b"[{\"a\": 1}]");
    assert!(
        code == Some(3) && said.contains("no entry has bytes"),
        "{said}"
    );
    let (code, _, said) = flagfall(&["--family", "dgt"], b"");
    assert!(
        code == Some(5) && said.contains("no bytes of a board"),
        "{said}"
    );
    let fallen = b"100 8e 00 05 34 00\n50 8e 00 05 24 01\n";
    let (code, _, said) = flagfall(&["--family", "dgt"], fallen);
    assert!(code == Some(3) && said.contains("--times yes"), "{said}");
    // Another board's bytes.
    let (code, _, said) = flagfall(&["--family", "chessnut"], e4.as_bytes());
    assert_eq!(code, Some(5));
    assert!(said.contains("is the family right?"), "{said}");
    // Two men are put where no move leads.
    let wild = "0 8e 00 05 34 00\n100 8e 00 05 33 00\n900 8e 00 05 14 01\n1500 8e 00 05 13 01\n";
    let (code, _, said) = flagfall(&["--family", "dgt"], wild.as_bytes());
    assert_eq!(code, Some(5), "{said}");
    let both = ["--family", "dgt", "--orientation", "white"];
    assert_eq!(flagfall(&both, e4.as_bytes()).0, Some(0));
}

/// Kings in the centre, then the men back to the start: two games in one stream.
#[test]
fn a_stream_may_hold_more_than_one_game() {
    let (vectors, inputs) = read("tests/data/boards/chessnut-games.json");
    let at = |name: &str| vectors.iter().position(|v| v["name"] == name).unwrap();
    let first = &inputs[at("game_italian_castle")];
    let second = &inputs[at("game_scotch_captures")];
    // The men stand at the start for a while, 400 ms a frame.
    let (start, second_game) = second.reads.split_first().unwrap();
    let reads = first
        .reads
        .iter()
        .chain(std::iter::repeat_n(start, 10))
        .chain(second_game)
        .cloned()
        .collect();
    let both = Input {
        reads,
        ..Input::default()
    };
    let chessnut = FamilyName::named("chessnut").unwrap();
    let (_, games) = Plan::new(chessnut).track(&both).unwrap();
    let found: Vec<_> = games.iter().map(|game| json!(moves(game))).collect();
    let expected = [at("game_italian_castle"), at("game_scotch_captures")]
        .map(|at| vectors[at]["decoded"]["moves"].clone());
    assert_eq!(found, expected);
    assert!(
        games
            .iter()
            .all(|game| game.shown.iter().all(|s| s.by != By::Kings))
    );
}
