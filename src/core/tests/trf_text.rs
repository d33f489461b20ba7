//! Encodings, line ends and ways to count columns, as report files have them.

use flagfall_core::tournament::trf::{Code, Document, Encoding, Kind, Record, Severity, read};

#[test]
fn encodings_and_line_ends() {
    let name = "Їжакевич, Єлизавета";
    let line = format!("001    1 w    {name:33} 2100 UKR    14100000 1990/01/02  0.0    1");
    let bytes_1251: Vec<u8> = line
        .chars()
        .map(|c| match c {
            'Ї' => 0xaf,
            'Є' => 0xaa,
            'а'..='я' => c as u32 as u8 - 0x30 + 0xe0,
            _ => c as u8,
        })
        .collect();
    let reading = read(&[&bytes_1251, &b"\r"[..], &bytes_1251].concat());
    assert_eq!(reading.document.encoding, Encoding::Windows1251);
    let notices: Vec<_> = reading
        .notices
        .iter()
        .map(|n| (n.severity, n.kind, n.value.as_str()))
        .collect();
    assert_eq!(
        notices,
        [
            (Severity::Info, Kind::Encoding, "Windows-1251"),
            (Severity::Error, Kind::Duplicate, "1")
        ]
    );
    assert_eq!(reading.document.rows().next().unwrap().name, name);

    // A change keeps the encoding, until something does not fit it.
    let mut document = read(&bytes_1251).document;
    let edit = |document: &mut Document, name: &str| {
        if let Record::Player(row) = &mut document.lines[0].record {
            row.name = name.into();
        }
    };
    edit(&mut document, "Ґава");
    assert!(
        document
            .write()
            .windows(4)
            .any(|w| w == b"\xa5\xe0\xe2\xe0")
    );
    edit(&mut document, "Müller");
    assert!(
        String::from_utf8(document.write())
            .unwrap()
            .contains("Müller")
    );
    let mut document = read(&bytes_1251).document;
    document.make_utf8();
    assert_eq!(document.write(), line.as_bytes());

    let mixed = [
        &b"\xef\xbb\xbf012 A\r\n\r022 B\n"[..],
        line.as_bytes(),
        b"\r\n###\r",
    ]
    .concat();
    let reading = read(&mixed);
    assert_eq!(reading.notices, []);
    assert!(reading.document.bom);
    assert_eq!(reading.document.write(), mixed);

    // One name cut in the middle of a letter, in a file that is UTF-8.
    let cut = [line.as_bytes(), b"\n012 \xd0\x9a\xd0\n022 \xd0\x9a"].concat();
    let reading = read(&cut);
    assert_eq!(reading.document.encoding, Encoding::Utf8);
    assert_eq!(reading.notices.len(), 1);
    assert_eq!(
        (reading.notices[0].line, reading.notices[0].severity),
        (2, Severity::Warning)
    );
    assert_eq!(reading.document.write(), cut);
    assert!(read(b"\xff\xfe0\x001\x002\x00").has_errors());
}

#[test]
fn columns_by_bytes_are_found_line_by_line() {
    let name = "Коваль, Олена";
    let rest = "2100 UKR    14100000 1990/01/02  0.5    1  0000 - H";
    let by_characters = format!("001    1 w    {name:33} {rest}");
    let padded = format!("{name}{}", " ".repeat(33 - name.len()));
    let by_bytes = format!("001    2 w    {padded} {rest}");
    let team = format!(
        "310   1 {:32} UKR     2478   14.0   26.5  14     2    1",
        "Україна"
    );
    let team_bytes = format!(
        "310   1 Україна{} UKR     2478   14.0   26.5  14     2    1",
        " ".repeat(32 - 14)
    );
    let reading = read(format!("{by_characters}\n{by_bytes}\n{team}\n{team_bytes}\n").as_bytes());
    for row in reading.document.rows() {
        assert_eq!(
            (row.name.as_str(), row.rating, row.birth.as_str()),
            (name, Some(2100), "1990/01/02")
        );
        assert_eq!(row.cells[0].code, Some(Code::Half));
    }
    for line in &reading.document.lines[2..] {
        let Record::Team(team) = &line.record else {
            panic!("{line:?}")
        };
        assert_eq!(
            (team.name.as_str(), team.members.len(), team.rank),
            ("Україна", 2, Some(14))
        );
    }
    assert_eq!(read(by_bytes.as_bytes()).notices.len(), 1);
    let notice = &reading.notices[0];
    assert_eq!(
        (
            notice.severity,
            notice.kind,
            notice.line,
            notice.value.as_str()
        ),
        (Severity::Info, Kind::Columns, 2, "2")
    );
}
