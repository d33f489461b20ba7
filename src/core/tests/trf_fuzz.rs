//! Report files that are huge, cut, mutated, or no report files at all.

use std::fmt::Write;

use flagfall_core::{
    tournament::trf::{Document, Line, LineEnd, read},
    types::RoundNo,
};
use proptest::prelude::*;

const FILES: [&[u8]; 5] = [
    include_bytes!("data/trf/lichess-juni-blitz-2020.trf"),
    include_bytes!("data/trf/lichess-mai-5plus0-2020.trf"),
    include_bytes!("data/trf/karl-mala-gedenkturnier-2005.trf"),
    include_bytes!("data/trf/grandmommys-cup-trf26.trf"),
    include_bytes!("data/trf/open-gros-2010-javafo-sample.trf"),
];

#[test]
fn every_prefix_of_every_line_is_read() {
    for file in FILES {
        let text = std::str::from_utf8(file).unwrap();
        for line in text.lines().step_by(17) {
            for end in 0..=line.len() {
                let cut = &line.as_bytes()[..end];
                assert_eq!(read(cut).document.write(), cut);
            }
        }
    }
}

#[test]
fn a_hundred_thousand_players() {
    let mut text = String::new();
    for id in 1..=100_000 {
        writeln!(text, "001 {id:4}      Player {id}").unwrap();
    }
    let reading = read(text.as_bytes());
    assert_eq!(reading.document.rows().count(), 9_999);
    assert_eq!(reading.notices.len(), 90_001);
    assert!(
        reading.notices[0].to_string().contains("above 9999"),
        "{}",
        reading.notices[0]
    );
    assert_eq!(
        reading.document.request(None).unwrap().input.players.len(),
        9_999
    );
    assert!(reading.document.write() == text.as_bytes());
}

#[test]
fn ten_megabytes_of_one_line() {
    for start in [
        "",
        "001    1      ",
        "013 ",
        "XXP 1 ",
        "132 ",
        "310   1 ",
        "162 ",
        "250 ",
        "012 ",
    ] {
        for filling in ["1", " ", "9999 w 1  ", "ї", "    2 w 1", "\u{0}"] {
            let mut text = start.to_owned();
            text += &filling.repeat(10_000_000 / filling.len());
            let reading = read(text.as_bytes());
            assert!(reading.document.write() == text.as_bytes());
            assert!(
                reading.notices.len() < 3_000,
                "{start}{filling} {}",
                reading.notices.len()
            );
            assert!(
                reading
                    .notices
                    .iter()
                    .all(|notice| notice.value.len() < 200)
            );
        }
    }
}

/// Replaces, removes, doubles and swaps bytes and lines, and cuts the file.
fn mutate(file: &mut Vec<u8>, kind: u8, at: usize, byte: u8) {
    let at = at % file.len().max(1);
    match kind % 7 {
        _ if file.is_empty() => {}
        0 => file[at] = byte,
        1 => {
            file.remove(at);
        }
        2 => file.insert(at, byte),
        3 => file.truncate(at),
        4 => {
            let other = usize::from(byte) * 97 % file.len();
            file.swap(at, other);
        }
        5 => {
            let end = (at + usize::from(byte)).min(file.len());
            let piece = file[at..end].to_vec();
            file.splice(at..at, piece);
        }
        _ => {
            let end = (at + usize::from(byte)).min(file.len());
            file.drain(at..end);
        }
    }
}

fn survives(bytes: &[u8]) {
    let reading = read(bytes);
    assert!(reading.document.write() == bytes);
    for notice in &reading.notices {
        let _ = notice.to_string();
    }
    for round in [None, Some(1), Some(2), Some(u16::MAX)] {
        let _ = reading.document.request(round.map(RoundNo));
    }
    let mut document = reading.document;
    document.make_utf8();
    let again = read(&document.write());
    assert_eq!(again.document.lines.len(), document.lines.len());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn mutated_files(
        file in 0..FILES.len(),
        mutations in proptest::collection::vec((any::<u8>(), any::<usize>(), any::<u8>()), 1..40)
    ) {
        let mut bytes = FILES[file].to_vec();
        for (kind, at, byte) in mutations {
            mutate(&mut bytes, kind, at, byte);
        }
        survives(&bytes);
    }
}

proptest! {
    #[test]
    fn any_bytes(
        code in prop_oneof![
            Just("001"), Just("142"), Just("162"), Just("240"), Just("250"), Just("260"), Just("299"), Just("300"),
            Just("310"), Just("320"), Just("330"), Just("352"), Just("362"), Just("013"), Just("XXA"), Just("XXP"),
            Just("XXZ"), Just("XXS"), Just("BBW"), Just("132"), Just("UKR"), Just("")
        ],
        bytes in proptest::collection::vec(any::<u8>(), 0..150),
        digits in "[ 0-9.+=wb-]{0,120}"
    ) {
        survives(&[code.as_bytes(), &bytes].concat());
        survives(format!("{code} {digits}").as_bytes());
    }

    /// What was read is written by the columns when it is changed, and read again the same.
    #[test]
    fn columns_give_back_what_they_say(
        code in prop_oneof![
            Just("001"), Just("240"), Just("250"), Just("260"), Just("299"), Just("300"), Just("320"), Just("330"),
            Just("XXA"), Just("XXP"), Just("BBW")
        ],
        numbers in "[ 0-9]{4} [ 0-9.HFZ]{3} [ 0-9.]{4} [ 0-9]{3} [ 0-9]{4} [ 0-9]{4}( [ 0-9]{4}){0,6}"
    ) {
        let reading = read(format!("{code} {numbers}").as_bytes());
        let record = reading.document.lines[0].record.clone();
        let fresh = Document {
            lines: vec![Line::new(record.clone(), LineEnd::CrLf)],
            ..Default::default()
        };
        prop_assert_eq!(&read(&fresh.write()).document.lines[0].record, &record);
    }
}
