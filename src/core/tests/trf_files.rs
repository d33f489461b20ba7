//! Report files of real events and of the pairing corpora: read, checked, written again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::BufReader,
};

use flagfall_core::{
    pairing::{Input, Presence},
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
    // Lichess leaves the opponent of a bye blank where the standard writes 0000.
    for ((name, bytes), own_way) in REAL.into_iter().zip([9, 7, 0, 0, 0]) {
        let reading = read(bytes);
        assert_eq!(reading.notices, [], "{name}");
        let lines = &reading.document.lines;
        let kept = lines.iter().filter(|line| !line.is_canonical()).count();
        assert_eq!(kept, own_way, "{name}");
        assert!(reading.document.write() == bytes, "{name}");
    }
}

#[test]
fn real_files_ask_for_a_round() {
    for ((name, bytes), expected) in REAL.into_iter().zip([
        Some((9, 10)),
        Some((13, 11)),
        Some((284, 8)),
        None,
        Some((52, 5)),
    ]) {
        let document = read(bytes).document;
        assert_eq!(document.is_team_event(), expected.is_none(), "{name}");
        let Some((players, round)) = expected else {
            continue;
        };
        let input = document.request(None).unwrap().input;
        assert_eq!(
            (input.players.len(), input.round),
            (players, RoundNo(round)),
            "{name}"
        );
        assert_points(&document, name);
    }
}

#[test]
fn a_team_event_of_trf26() {
    let document = read(REAL[3].1).document;
    let count = |wanted: fn(&Record) -> bool| {
        document
            .lines
            .iter()
            .filter(|line| wanted(&line.record))
            .count()
    };
    assert_eq!(count(|record| matches!(record, Record::Team(_))), 50);
    assert_eq!(count(|record| matches!(record, Record::OldTeam { .. })), 50);
    assert_eq!(count(|record| matches!(record, Record::LineUp { .. })), 141);
    assert_eq!(
        count(|record| matches!(record, Record::TeamForfeit { .. })),
        22
    );
    assert_eq!(count(|record| matches!(record, Record::Byes { .. })), 18);
    assert_eq!(count(|record| matches!(record, Record::Acceleration(_))), 4);
    assert_eq!(count(|record| matches!(record, Record::Abnormal(_))), 2);
    assert_eq!(document.rows().count(), 249);
    assert_eq!(document.rounds(), Some(14));
    // Match points, of teams 1 and 2 in round 1, of all up to 25 in round 7.
    let points = document.virtual_points();
    assert_eq!(points.get(&(PlayerNo(1), RoundNo(1))), Some(&Points(4)));
    assert_eq!(points.get(&(PlayerNo(3), RoundNo(1))), None);
    assert_eq!(points.get(&(PlayerNo(25), RoundNo(7))), Some(&Points(2)));
    assert_eq!(document.forbidden()[0].players, [1, 11, 16].map(PlayerNo));
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
    pairs: Option<Vec<(u16, u16)>>,
    bye: Option<u16>,
}

fn corpus(name: &str) -> Vec<Tournament> {
    let path = format!(
        "{}/tests/data/pairing/{name}.jsonl.zst",
        env!("CARGO_MANIFEST_DIR")
    );
    let file = BufReader::new(File::open(&path).expect(&path));
    let text = ruzstd::decoding::StreamingDecoder::new(file).expect("a zstd frame");
    serde_json::Deserializer::from_reader(BufReader::new(text))
        .into_iter()
        .map(|tournament| tournament.expect("a tournament"))
        .collect()
}

fn request(document: &Document, round: Option<RoundNo>) -> Input {
    document.request(round).expect("a round to pair").input
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
            let last = tournament
                .final_trf
                .as_deref()
                .map(|text| check(&tournament, text));
            seen += usize::from(last.is_some());
            for case in &tournament.cases {
                let input = check_case(&tournament, case);
                seen += 1;
                let Some(last) = &last else { continue };
                // The finished file still knows how this round was before it was paired.
                let then = request(last, Some(input.round));
                assert_eq!(
                    then.history, input.history,
                    "{} {}",
                    tournament.id, case.round
                );
                if case.pairs.is_some() {
                    assert_eq!(
                        then.players, input.players,
                        "{} {}",
                        tournament.id, case.round
                    );
                }
            }
        }
        assert_eq!(seen, texts, "{name}");
    }
}

/// One text: nothing to remark, the same bytes again, and histories that add up to the points.
fn check(tournament: &Tournament, text: &str) -> Document {
    let at = &tournament.id;
    let reading = read(text.as_bytes());
    assert_eq!(reading.notices, [], "{at}");
    let document = reading.document;
    assert!(document.write() == text.as_bytes(), "{at}");
    for line in &document.lines {
        // Rounds filled up with zeros, as Gacrux takes them, are the only thing not our own way.
        let padded = matches!(line.record, Record::Byes { .. } | Record::Forbidden { .. });
        assert!(line.is_canonical() || padded, "{at}: {:?}", line.record);
    }
    assert_points(&document, at);
    document
}

/// A text before a round: it asks for that round, with those present who were paired.
fn check_case(tournament: &Tournament, case: &Case) -> Input {
    let at = format!("{} round {}", tournament.id, case.round);
    let input = request(&check(tournament, &case.trf), None);
    assert_eq!(input.round, RoundNo(case.round), "{at}");
    assert_eq!(input.players.len(), tournament.n, "{at}");
    assert_eq!(input.settings.rounds, Some(tournament.rounds_total), "{at}");
    let initial = if tournament.initial == "w" {
        Color::White
    } else {
        Color::Black
    };
    assert_eq!(input.settings.initial_colour, Some(initial), "{at}");
    if let Some(pairs) = &case.pairs {
        let paired: BTreeSet<u16> = pairs
            .iter()
            .flat_map(|&(white, black)| [white, black])
            .chain(case.bye)
            .collect();
        let present: BTreeSet<u16> = (input.players.iter())
            .filter(|entrant| entrant.presence == Presence::Present)
            .map(|entrant| entrant.no.0)
            .collect();
        assert_eq!(present, paired, "{at}");
    }
    input
}

/// The same tournaments in the records of TRF26 alone and in those of both families.
#[test]
fn both_families_say_the_same() {
    let twins: BTreeMap<String, Tournament> = corpus("dutch-2026")
        .into_iter()
        .map(|twin| (twin.id.clone(), twin))
        .collect();
    let mut compared = 0;
    for tournament in corpus("trf26-sample") {
        let twin = &twins[tournament.id.trim_end_matches("-trf26")];
        for case in &tournament.cases {
            let new = read(case.trf.as_bytes()).document;
            let Some(other) = twin.cases.iter().find(|other| other.round == case.round) else {
                continue;
            };
            let both = read(other.trf.as_bytes()).document;
            let (new, mut both) = (request(&new, None), request(&both, None));
            // 260 names the last round, XXP does not.
            for forbidden in &mut both.settings.forbidden {
                forbidden.last = new.settings.rounds.map(RoundNo);
            }
            assert_eq!(new, both, "{} {}", tournament.id, case.round);
            compared += 1;
        }
    }
    assert_eq!(compared, 275);
}

fn assert_points(document: &Document, at: &str) {
    let input = request(document, None);
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
