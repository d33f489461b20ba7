//! Report files with the peculiarities of the programs that the rule books name (R-PR-12), made by hand from
//! public descriptions: none of the programs was at hand. `docs/programs.md` says what each does.

// What is missing in a file that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::tournament::{
    player::Title,
    standings::{CellKind, Crosstable},
    trf::{StandingsOptions, read, read_players},
};

struct Program {
    name: &'static str,
    bytes: Vec<u8>,
    /// How number 3 passed round 1.
    bye: CellKind,
}

/// A line of a player: the columns of the standard.
fn line(no: u16, title: &str, name: &str, rating: u16, points: &str, rounds: [&str; 2]) -> String {
    let [first, second] = rounds;
    format!(
        "001 {no:>4} m{title:>3} {name:<33} {rating:>4} UKR {:>11} 1990/00/00 {points:>4} {no:>4}  \
         {first:<8}  {second:<8}",
        14_100_000 + u32::from(no)
    )
}

fn file(titles: [&str; 3], names: [&str; 3], bye: &str, points: &str) -> Vec<String> {
    vec![
        "012 Cup of the City".to_owned(),
        "042 2026/11/01".to_owned(),
        "092 Individual: Swiss-System".to_owned(),
        line(
            1,
            titles[0],
            names[0],
            2500,
            "1.5",
            ["   2 w 1", "   3 b ="],
        ),
        line(
            2,
            titles[1],
            names[1],
            2300,
            " 0.0",
            ["   1 b 0", "        "],
        ),
        line(3, titles[2], names[2], 2200, points, [bye, "   1 w ="]),
    ]
}

const ASCII: [&str; 3] = ["Koval, Olena", "Petrenko, Ivan", "Bondar, Petro"];

fn programs() -> Vec<Program> {
    let joined = |lines: Vec<String>, end: &str| (lines.join(end) + end).into_bytes();
    let trimmed = |lines: Vec<String>| -> Vec<String> {
        lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect()
    };
    let western: Vec<u8> = (file(
        ["GM", "", ""],
        ["Müller, Jörg", ASCII[1], ASCII[2]],
        "0000 - H",
        "1.0",
    ))
    .join("\r\n")
    .chars()
    .map(|letter| letter as u8)
    .collect();
    let mut vega = file(["GM", "", ""], ASCII, "0000 - H", "1.0");
    vega.push("XXR 5".to_owned());
    vec![
        Program {
            name: "Swiss-Manager",
            bytes: joined(file(["GM", "", ""], ASCII, "0000 - =", "1.0"), "\r\n"),
            bye: CellKind::Half,
        },
        Program {
            name: "Vega",
            bytes: joined(vega, "\r"),
            bye: CellKind::Half,
        },
        Program {
            name: "Swiss-Chess",
            bytes: western,
            bye: CellKind::Half,
        },
        Program {
            name: "WinSwiss",
            bytes: joined(
                trimmed(file(["g", "", ""], ASCII, "0000 - U", "1.5")),
                "\r\n",
            ),
            bye: CellKind::Allocated,
        },
        Program {
            name: "Swiss Master",
            bytes: joined(trimmed(file(["g", "", ""], ASCII, "0000 - F", "1.5")), "\n"),
            bye: CellKind::Full,
        },
        Program {
            name: "Turnering Service",
            bytes: joined(
                trimmed(file(["GM", "", ""], ASCII, "        ", "0.5")),
                "\r\n",
            ),
            bye: CellKind::Zero,
        },
        Program {
            name: "Tournament Director",
            bytes: joined(
                trimmed(file(["GM", "", ""], ASCII, "0000 - Z", "0.5")),
                "\n",
            ),
            bye: CellKind::Zero,
        },
    ]
}

fn table(bytes: &[u8]) -> Crosstable {
    let reading = read(bytes);
    reading
        .document
        .crosstable(&StandingsOptions::default())
        .unwrap()
        .0
}

#[test]
fn the_files_of_the_named_programs_are_read() {
    for Program { name, bytes, bye } in programs() {
        let list = read_players(&bytes);
        assert!(list.errors.is_empty(), "{name}: {:?}", list.errors);
        assert_eq!(list.players.len(), 3, "{name}");
        assert_eq!(list.players[0].title, Some(Title::Gm), "{name}");
        assert_eq!(list.players[0].rating, Some(2500), "{name}");
        assert_eq!(list.players[1].fide_id, Some(14_100_002), "{name}");
        assert_eq!(list.players[0].birth.unwrap().to_string(), "1990", "{name}");
        if name == "Swiss-Chess" {
            assert_eq!(list.players[0].name, "Müller, Jörg");
        }
        let table = table(&bytes);
        let third = &table.rows()[2];
        assert_eq!(third.cells[0].kind, bye, "{name}");
        assert_eq!(third.cells[1].kind, CellKind::Played, "{name}");
    }
}

#[test]
fn reading_and_writing_loses_nothing_of_them() {
    for Program { name, bytes, .. } in programs() {
        let before = read(&bytes);
        let written = before.document.write();
        let again = read(&written);
        assert_eq!(table(&bytes).rows(), table(&written).rows(), "{name}");
        assert_eq!(
            read_players(&bytes).players,
            read_players(&written).players,
            "{name}"
        );
        assert_eq!(again.document.write(), written, "{name}: writing is steady");
    }
}

#[test]
fn remarks_are_passed_over() {
    let Program { bytes, .. } = programs().remove(0);
    let mut with = bytes.clone();
    with.extend_from_slice(
        "### 2026-11-01T10:00:00Z Anna: Round 1, table 1: result 1-0 → 0-1.\r\n".as_bytes(),
    );
    assert_eq!(read_players(&with).players, read_players(&bytes).players);
    assert!(String::from_utf8_lossy(&read(&with).document.write()).contains("### 2026-11-01"));
}
