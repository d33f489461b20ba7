//! Report files that are broken, odd or contradict themselves: what is said of them.

use flagfall_core::{
    pairing::Presence,
    tournament::trf::{Kind, Notice, Record, RequestError, Severity, read},
    types::{Color, PlayerNo, Points, RoundNo},
};

const TEAMS: &[u8] = include_bytes!("data/trf/grandmommys-cup-trf26.trf");

/// A row: id, points, rounds as `opponent colour result`.
fn row(id: u16, points: &str, rounds: &[&str]) -> String {
    let mut line = format!(
        "001 {id:4} m    {:33} 2000 UKR {:>11} {:10} {points:>4} {id:4}",
        format!("Player, No {id}"),
        "",
        ""
    );
    let cells = rounds
        .iter()
        .map(|round| match round.split(' ').collect::<Vec<_>>()[..] {
            [opponent, colour, result] => format!("  {opponent:>4} {colour} {result}"),
            _ => " ".repeat(10),
        });
    line.extend(cells);
    line + "\n"
}

fn said(text: &str) -> Vec<String> {
    read(text.as_bytes())
        .notices
        .iter()
        .map(Notice::to_string)
        .collect()
}

#[test]
fn both_sides_of_a_game_are_compared() {
    let file = |a: &[&str], b: &[&str], c: &[&str]| {
        format!("{}{}{}", row(4, "", a), row(7, "", b), row(9, "", c))
    };
    for (text, expected) in [
        (
            file(&["", "", "7 w 1"], &["", "", "4 b ="], &[]),
            "line 1, column 119, player 4, round 3, result: \"1 (win)\" is the result here, but player 7 \
             has \"= (draw)\" in line 2; correct one of the two lines",
        ),
        (
            file(&["7 w 1"], &["4 w 0"], &[]),
            "line 1, column 97, player 4, round 1, colour: \"w\" is the colour here, but player 7 has \
             \"w\" in line 2; correct one of the two lines",
        ),
        (
            file(&["7 w 1"], &["9 b 0"], &["7 w 1"]),
            "line 1, column 92, player 4, round 1, opponent: \"7\" is the opponent, but player 7 has \
             \"against 9\" in line 2; correct one of the two lines",
        ),
        (
            file(&["7 w 1"], &["0000 - U"], &[]),
            "line 1, column 92, player 4, round 1, opponent: \"7\" is the opponent, but player 7 has \
             \"U (pairing-allocated bye)\" in line 2; correct one of the two lines",
        ),
        (
            file(&["8 w 1"], &[], &[]),
            "line 1, column 92, player 4, round 1, opponent: \"8\" is the number of no player in the \
             file; correct it, or add the player",
        ),
        (
            file(&["4 w 1"], &[], &[]),
            "line 1, column 92, player 4, round 1, opponent: \"4\" is the player himself; write the \
             opponent's number",
        ),
        (
            file(&["7 w ="], &["4 b 0"], &[]),
            "line 1, column 99, player 4, round 1, result: \"= (draw)\" is the result here, but player \
             7 has \"0 (loss)\" in line 2; correct one of the two lines",
        ),
        (
            file(&["7 - 1"], &["4 - 0"], &[]),
            "line 1, column 97, player 4, round 1, colour: \"-\" is no colour for a game that was \
             played, and player 7 has \"-\" in line 2; write w and b",
        ),
    ] {
        assert_eq!(said(&text), [expected], "{text}");
        let odd = expected.contains("= (draw)\" is");
        let request = read(text.as_bytes()).document.request(None);
        assert_eq!(request.is_ok(), odd, "{text}");
    }
    for good in [
        file(&["7 w 0"], &["4 b 0"], &[]),
        file(&["7 w -"], &["4 b -"], &[]),
        file(&["7 - +"], &["4 - -"], &[]),
        file(&["7 w d"], &["4 b D"], &[]),
        file(&["7 w l"], &["4 b W"], &[]),
    ] {
        assert_eq!(said(&good), [""; 0], "{good}");
    }
}

#[test]
fn points_are_the_sum_of_the_results() {
    let text = row(1, "2.0", &["2 w 1", "0000 - H"]) + &row(2, "0.0", &["1 b 0"]);
    assert_eq!(
        said(&text),
        [
            "line 1, column 81, player 1, points: \"2.0\" are not the sum of the results, \"1.5\"; \
          correct the points or the results"
        ]
    );
    let three = format!(
        "162  W 3.0    D 1.0    L 0.0\n{}{}",
        row(1, "4.0", &["2 w 1", "0000 - H"]),
        row(2, "0.0", &["1 b 0"])
    );
    assert_eq!(said(&three), [""; 0]);
    // Half a point for White, nothing for Black, said in record 299 of either layout.
    for abnormal in [
        "299 =   0.5   0.5    1    1",
        "299 =  0.5  0.5   1    1",
        "299 =         0.5    1    1",
    ] {
        let text = format!(
            "{}{}{abnormal}\n",
            row(1, "0.5", &["2 w ="]),
            row(2, "0.0", &["1 b 0"])
        );
        assert_eq!(said(&text), [""; 0]);
        assert!(
            read(text.as_bytes()).document.lines[2].is_canonical(),
            "{abnormal}"
        );
    }
}

#[test]
fn records_of_both_families_should_agree() {
    let text = format!(
        "142 9\nXXR 7\n152 W\nXXC black1\n162  W 1.0    D 0.5    P 0.5\nBBU  1.0\n{}",
        row(1, "0.0", &[])
    );
    let document = read(text.as_bytes()).document;
    let notices = said(&text);
    assert_eq!(notices.len(), 3, "{notices:?}");
    assert_eq!(
        notices[0],
        "line 2, column 5, number of rounds: \"7\" is said here, but \"9\" in line 1; correct one of them; TRF26's record counts"
    );
    assert_eq!(
        (document.rounds(), document.initial_colour()),
        (Some(9), Some(Color::White))
    );
    assert_eq!(document.scoring().allocated, Points::HALF);
}

#[test]
fn a_broken_field_costs_only_itself() {
    let text = row(1, "1.0", &["2 w 1", "3 x 1", "2 q"]).replace("2000", "abcd")
        + &row(2, "0.0", &["1 b 0"])
        + &row(3, "0.0", &["", "1 b 0"]);
    let reading = read(text.as_bytes());
    let found: Vec<_> = reading
        .notices
        .iter()
        .map(|n| {
            (
                n.line,
                n.column,
                n.player.map(|no| no.0),
                n.round.map(|r| r.0),
                n.field,
                n.value.as_str(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (1, Some(49), Some(1), None, "rating", "abcd"),
            (1, Some(81), Some(1), None, "points", "1.0"),
            (1, Some(107), Some(1), Some(2), "colour", "x"),
        ]
    );
    let row = reading.document.rows().next().unwrap();
    assert_eq!(
        (row.rating, row.name.as_str(), row.cells.len()),
        (None, "Player, No 1", 2)
    );
    assert_eq!(reading.document.rows().count(), 3);
    assert_eq!(reading.document.write(), text.as_bytes());
}

#[test]
fn shifted_columns_are_said_and_not_read_as_something_else() {
    let good = row(1, "1.0", &["2 w 1", "3 w 1", "0000 - H"]);
    let (head, tail) = good.split_at(91);
    let shifted = format!("{head} {tail}");
    let reading = read(shifted.as_bytes());
    let notice = &reading.notices[1];
    assert_eq!(
        (notice.kind, notice.column, notice.round),
        (Kind::Columns, Some(92), Some(RoundNo(1)))
    );
    assert_eq!(reading.document.rows().next().unwrap().cells, []);
    // The name too long by one: everything behind it is in doubt.
    let long = good.replace("Player, No 1 ", "Player, No 1  ");
    let reading = read(long.as_bytes());
    assert_eq!(
        (reading.notices[0].kind, reading.notices[0].column),
        (Kind::Columns, Some(48))
    );
    assert!(reading.has_errors());
}

#[test]
fn codes_of_either_case_and_byes_of_other_programs() {
    let text = row(1, "", &["0000 - 1", "2 W w", "0000 - h"])
        + &row(2, "", &["0000 - =", "1 B l", "0000 - +"])
        + &row(3, "", &["0000 - 0", "0000 - -", "0000 - 1"])
        + &row(4, "", &["", "0000 - u", "0000 - F"])
        + &row(5, "", &["6 w =", "6 w 0", "6 w -"])
        + &row(6, "", &["5 b =", "5 b 1", "5 b +"]);
    let reading = read(text.as_bytes());
    assert_eq!(reading.notices, []);
    let request = reading.document.request(None).unwrap();
    assert_eq!(request.input.round, RoundNo(4));
    let kinds: Vec<Vec<_>> = (request.input.history.iter())
        .map(|round| {
            round
                .unpaired
                .iter()
                .map(|score| format!("{} {:?} {}", score.player, score.kind, score.points))
                .collect()
        })
        .collect();
    // One win alone is the bye of the pairing, two are given ones.
    assert_eq!(
        kinds[0],
        [
            "1 PairingAllocated 1",
            "2 HalfPoint ½",
            "3 ZeroPoint 0",
            "4 Absent 0"
        ]
    );
    assert_eq!(kinds[1], ["3 ZeroPoint 0", "4 PairingAllocated 1"]);
    assert_eq!(
        kinds[2],
        [
            "1 HalfPoint ½",
            "2 FullPoint 1",
            "3 FullPoint 1",
            "4 FullPoint 1"
        ]
    );
    assert_eq!(request.input.history[1].games.len(), 2);
    assert!(request.input.history[1].games[0].played);
}

/// In the round to come there are no games yet, so a lone full point is no bye of the pairing.
#[test]
fn a_full_point_in_the_round_to_come_is_an_absence() {
    for sign in ["+", "1", "F", "H", "Z", "-"] {
        let bye = format!("0000 - {sign}");
        let text =
            row(1, "", &["2 w 1", &bye]) + &row(2, "", &["1 b 0"]) + &row(3, "", &["0000 - U"]);
        let input = read(text.as_bytes()).document.request(None).unwrap().input;
        assert_eq!(input.round, RoundNo(2), "{sign}");
        let absent: Vec<_> = (input.players.iter())
            .filter(|entrant| entrant.presence == Presence::Absent)
            .map(|entrant| entrant.no.0)
            .collect();
        assert_eq!(absent, [1], "{sign}");
    }
}

#[test]
fn titles_and_births_of_old_files() {
    for (title, birth) in [
        ("g  ", "1990      "),
        (" GM", "1990.00.00"),
        ("GM ", "0000/00/00"),
        (" wf", "02.01.1990"),
    ] {
        let line = format!(
            "001    1 w{title} {:33}    0 UKR           0 {birth}",
            "Player, No 1"
        );
        assert_eq!(said(&line), [""; 0]);
        assert!(
            read(line.as_bytes())
                .document
                .rows()
                .next()
                .unwrap()
                .player()
                .title
                .is_some()
        );
    }
}

#[test]
fn hostile_numbers() {
    let text = row(1, "", &[])
        + &row(1, "", &[])
        + "001 12345 m    Five, Digits\n001    0      Zero\n001   -1      Minus\n001 99999\n0010001      Glued\nXXR9\n";
    let reading = read(text.as_bytes());
    let found: Vec<_> = reading
        .notices
        .iter()
        .map(|n| (n.line, n.kind, n.severity))
        .collect();
    assert_eq!(
        found,
        [
            (2, Kind::Duplicate, Severity::Error),
            (3, Kind::Field, Severity::Error),
            (4, Kind::Field, Severity::Error),
            (5, Kind::Field, Severity::Error),
            (6, Kind::Field, Severity::Error),
            (7, Kind::Columns, Severity::Error),
            (8, Kind::Columns, Severity::Error),
        ]
    );
    assert!(matches!(
        reading.document.request(None),
        Err(RequestError::Contradiction(_))
    ));
    assert_eq!(reading.document.write(), text.as_bytes());
}

#[test]
fn what_cannot_be_paired_is_said() {
    let request = |text: &str| read(text.as_bytes()).document.request(None);
    assert_eq!(request("012 Nobody\n"), Err(RequestError::NoPlayers));
    let open = row(1, "", &["2 w "]) + &row(2, "", &["1 b "]);
    assert_eq!(
        request(&open),
        Err(RequestError::Open {
            round: RoundNo(1),
            white: PlayerNo(1),
            black: PlayerNo(2),
            open: 1
        })
    );
    let half = row(1, "", &["2 w 1"]) + &row(2, "", &["1 b "]);
    assert!(matches!(request(&half), Err(RequestError::Open { .. })));
    let document = read((row(1, "", &["2 w 1"]) + &row(2, "", &["1 b 0"])).as_bytes()).document;
    assert_eq!(
        document.request(Some(RoundNo(3))),
        Err(RequestError::NoSuchRound {
            asked: RoundNo(3),
            last: RoundNo(2)
        })
    );
    assert!(document.request(Some(RoundNo(0))).is_err());
    assert_eq!(read(TEAMS).document.request(None), Err(RequestError::Teams));
}

#[test]
fn unknown_records_and_captions_are_kept_and_left_alone() {
    let text = format!(
        "### a comment  \n\nDDD SSSS sTTT NNNNNNNNNNN\n999 what is this\nXYZ\n001\n\tx\nZZZ    1 m  A {:33} 1900 KYI      L01854 1990\n{}",
        "Player, National",
        row(1, "0.0", &[])
    );
    let reading = read(text.as_bytes());
    assert_eq!(reading.document.write(), text.as_bytes());
    assert_eq!(reading.notices.len(), 1, "{:?}", reading.notices);
    assert_eq!(reading.notices[0].line, 6);
    assert_eq!(reading.document.rows().count(), 1);
    let Record::Player(row) = &reading.document.lines[7].record else {
        panic!()
    };
    assert_eq!(
        (row.list.as_deref(), row.title.as_str(), row.number.as_str()),
        (Some("ZZZ"), "A", "L01854")
    );
}
