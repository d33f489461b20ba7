//! Report files of real events and of the pairing corpora: read, checked, written again.

use std::{fs::File, io::BufReader, path::Path};

use flagfall_core::{
    tournament::trf::{Document, Record, read},
    types::{Color, PlayerNo, Points, RoundNo},
};
use serde::Deserialize;

const REAL: [(&str, &[u8]); 5] = [
    (
        "lichess-juni-blitz-2020",
        include_bytes!("data/trf/lichess-juni-blitz-2020.trf"),
    ),
    (
        "lichess-mai-5plus0-2020",
        include_bytes!("data/trf/lichess-mai-5plus0-2020.trf"),
    ),
    (
        "karl-mala-gedenkturnier-2005",
        include_bytes!("data/trf/karl-mala-gedenkturnier-2005.trf"),
    ),
    (
        "grandmommys-cup-trf26",
        include_bytes!("data/trf/grandmommys-cup-trf26.trf"),
    ),
    (
        "open-gros-2010-javafo-sample",
        include_bytes!("data/trf/open-gros-2010-javafo-sample.trf"),
    ),
];

#[test]
fn real_files_are_written_byte_for_byte() {
    for (name, bytes) in REAL {
        let reading = read(bytes);
        for notice in &reading.notices {
            println!("{name}: {notice}");
        }
        let canonical = reading
            .document
            .lines
            .iter()
            .filter(|line| line.is_canonical())
            .count();
        println!(
            "{name}: {canonical} of {} lines canonical",
            reading.document.lines.len()
        );
        for line in reading
            .document
            .lines
            .iter()
            .filter(|line| !line.is_canonical())
            .take(5)
        {
            println!("  {:?}", line.record);
        }
        assert!(reading.document.write() == bytes, "{name}");
    }
}

#[derive(Deserialize)]
struct Tournament {
    id: String,
    n: usize,
    rounds_total: u16,
    initial: String,
    cases: Vec<Case>,
    final_trf: Option<String>,
}

#[derive(Deserialize)]
struct Case {
    round: u16,
    trf: String,
}

fn corpus(name: &str) -> Vec<Tournament> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/pairing/{name}.jsonl.zst"));
    let file = BufReader::new(File::open(&path).unwrap());
    let text = ruzstd::decoding::StreamingDecoder::new(file).unwrap();
    serde_json::Deserializer::from_reader(BufReader::new(text))
        .into_iter()
        .map(Result::unwrap)
        .collect()
}

#[test]
fn every_text_of_the_corpora() {
    for (name, texts) in [
        ("dutch-2026", 5_624),
        ("dutch-2017", 3_949),
        ("burstein-2026", 1_288),
        ("burstein-legacy", 766),
        ("dubov-2026", 1_106),
        ("trf26-sample", 275),
    ] {
        let mut seen = 0;
        for tournament in corpus(name) {
            for case in &tournament.cases {
                check(&tournament, &case.trf, Some(case.round));
                seen += 1;
            }
            if let Some(text) = &tournament.final_trf {
                check(&tournament, text, None);
                seen += 1;
            }
        }
        assert_eq!(seen, texts, "{name}");
    }
}

/// One text: nothing to remark, the same bytes again, and a request for the right round in which
/// everybody's history adds up to his points.
fn check(tournament: &Tournament, text: &str, round: Option<u16>) {
    let at = format!("{} {round:?}", tournament.id);
    let reading = read(text.as_bytes());
    assert_eq!(reading.notices, [], "{at}");
    let document = reading.document;
    assert!(document.write() == text.as_bytes(), "{at}");
    for line in &document.lines {
        // Rounds filled up with zeros, as Gacrux takes them, are the only thing not our own way.
        let padded = matches!(line.record, Record::Byes { .. } | Record::Forbidden { .. });
        assert!(line.is_canonical() || padded, "{at}: {:?}", line.record);
    }
    let request = document.request(None).unwrap();
    let input = &request.input;
    if let Some(round) = round {
        assert_eq!(input.round, RoundNo(round), "{at}");
    }
    assert_eq!(input.players.len(), tournament.n, "{at}");
    assert_eq!(input.settings.rounds, Some(tournament.rounds_total), "{at}");
    let initial = if tournament.initial == "w" {
        Color::White
    } else {
        Color::Black
    };
    assert_eq!(input.settings.initial_colour, Some(initial), "{at}");
    assert_points(&document, &at);
}

fn assert_points(document: &Document, at: &str) {
    let input = document.request(None).unwrap().input;
    let scoring = document.scoring();
    let pending = usize::from(input.round.0) - 1;
    for row in document.rows() {
        let no = PlayerNo(row.id);
        let mut sum: Points = input
            .history
            .iter()
            .flat_map(|round| {
                let games = round.games.iter().flat_map(|game| {
                    [
                        (game.white, game.white_points),
                        (game.black, game.black_points),
                    ]
                });
                let unpaired = round
                    .unpaired
                    .iter()
                    .map(|score| (score.player, score.points));
                games.chain(unpaired).filter(|&(player, _)| player == no)
            })
            .map(|(_, points)| points)
            .sum();
        for code in row.cells.iter().skip(pending).filter_map(|cell| cell.code) {
            sum += scoring.points(code);
        }
        assert_eq!(row.points, Some(sum), "{at}: {no}");
    }
}
