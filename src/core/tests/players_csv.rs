//! Players from CSV files as they come.

use flagfall_core::{
    tournament::{csv::read_players, player::Player, trf::Encoding},
    types::PlayerNo,
};
use proptest::prelude::*;

#[test]
fn a_broken_line_is_named_and_the_rest_kept() {
    let file = read_players(
        "no;name;rating;fed\n\
         1;Коваль, Олена;2310;UKR\n\
         2;Smith, John;24x0;ENG\n\
         3;;1900;UKR\n\
         4;\"Open quote;1900;UKR\n\
         1;Twice, Number;1800;UKR\n\
         6;Too;1;2;3\n\
         7;Last, One;;\n"
            .as_bytes(),
    );
    let kept: Vec<_> = file
        .players
        .iter()
        .map(|p| (p.no.0, p.name.as_str()))
        .collect();
    assert_eq!(kept, [(1, "Коваль, Олена"), (7, "Last, One")]);
    let errors: Vec<_> = file
        .errors
        .iter()
        .map(|e| (e.line, e.field.as_str()))
        .collect();
    assert_eq!(
        errors,
        [
            (3, "rating"),
            (4, "name"),
            (5, "line"),
            (6, "no"),
            (7, "line")
        ]
    );
    assert_eq!(
        file.errors[0].to_string(),
        "line 3, rating: \"24x0\" is not a whole number; write digits only, or leave it empty"
    );
    assert_eq!(
        file.errors[3].to_string(),
        "line 6, no: \"1\" is already the number of line 2; give one of the two another number"
    );
    assert!(
        file.errors[4]
            .problem
            .contains("5 fields where the header has 4")
    );
}

#[test]
fn separators_spellings_and_bom() {
    for text in [
        "\u{feff}Name,Elo,Fed,Year of birth,Fide-No.\n\"Ana, A\",2100,ukr,1999,14100000\n",
        "ПІБ;Рейтинг;Країна;Рік народження;ID ФІДЕ\r\nAna, A;2100;UKR;1999;14100000\r\n",
        "№\tName\tRtg\tFED\tbirth_year\tFIDE ID\r1\tAna, A\t2100\tUKR\t1999\t14100000",
        "Прізвище;First name;Elo;Fed.;Born;FIDE_ID\nAna;A;2100;UKR;1999;14100000",
    ] {
        let file = read_players(text.as_bytes());
        assert_eq!(file.errors, [], "{text}");
        assert_eq!(file.ignored_columns, Vec::<String>::new(), "{text}");
        let expected = Player {
            rating: Some(2100),
            federation: Some("UKR".into()),
            birth: "1999".parse().ok(),
            fide_id: Some(14_100_000),
            ..Player::new(PlayerNo(1), "Ana, A")
        };
        assert_eq!(file.players, [expected], "{text}");
    }
}

#[test]
fn other_columns_are_left_aside_and_said() {
    let file = read_players(b"name,paid,Elo\nA,yes,0\n\nB,no,1500\n");
    assert_eq!(file.ignored_columns, ["paid"]);
    assert_eq!(file.players[0].rating, None);
    assert_eq!(file.players[1].no, PlayerNo(2));
}

#[test]
fn files_that_are_no_list_of_players() {
    for (bytes, field, problem) in [
        (&b""[..], "line", "is empty"),
        (b"\xff\xfen\0", "line", "is UTF-16"),
        (
            b"Kowal;2310\nSmith;2400\n",
            "header",
            "names no column for the players",
        ),
        (
            b"name;player\nA;B\n",
            "name",
            "is a second column for the same thing",
        ),
    ] {
        let file = read_players(bytes);
        assert_eq!(file.players, []);
        let [error] = &file.errors[..] else {
            panic!("{:?}", file.errors)
        };
        assert_eq!(
            (error.field.as_str(), error.problem.as_str()),
            (field, problem)
        );
    }
}

#[test]
fn old_encodings_are_guessed_and_said() {
    let cyrillic =
        b"\xcf\xb2\xc1;\xd0\xe5\xe9\xf2\xe8\xed\xe3\n\xca\xee\xe2\xe0\xeb\xfc, \xce\xeb\xe5\xed\xe0;2100\n";
    let file = read_players(cyrillic);
    assert_eq!(file.encoding, Encoding::Windows1251);
    assert_eq!(file.errors, []);
    assert_eq!(file.players[0].name, "Коваль, Олена");
    assert_eq!(file.players[0].rating, Some(2100), "the header as well");
    let file = read_players(b"name\nM\xfcller\nOk\n");
    assert_eq!(file.encoding, Encoding::Windows1252);
    assert_eq!(file.players[0].name, "Müller");
    assert_eq!(file.players.len(), 2);
    // Among lines that are UTF-8 one that is not is a broken line.
    let mut mixed = "name\nКоваль\nБондар\n".as_bytes().to_vec();
    mixed.extend(b"M\xfcller\n");
    let file = read_players(&mixed);
    assert_eq!(file.encoding, Encoding::Utf8);
    assert_eq!(file.players.len(), 2);
    assert_eq!(file.errors[0].problem, "is not UTF-8");
    // A byte without a meaning.
    let file = read_players(b"name\n\xca\xee\xe2\xe0\xeb\xfc\n\xca\xee\x98\xe0\xeb\xfc\n");
    assert_eq!(file.players.len(), 1);
    assert_eq!(file.errors[0].problem, "is not Windows-1251");
}

#[test]
fn numbers_fill_the_gaps_that_the_file_leaves() {
    let file = read_players(b"no,name\n,A\n1,B\n,C\n3,D\n");
    let numbers: Vec<_> = file.players.iter().map(|p| p.no.0).collect();
    assert_eq!(numbers, [2, 1, 4, 3]);
}

proptest! {
    #[test]
    fn never_loses_a_line_without_a_word(
        lines in proptest::collection::vec("[a-z\"';,0-9 ]{1,20}", 0..20)
    ) {
        let text = format!("name;rating\n{}", lines.join("\n"));
        let file = read_players(text.as_bytes());
        let written = lines.iter().filter(|line| !line.trim().is_empty()).count();
        prop_assert_eq!(file.players.len() + file.errors.len(), written);
    }

    #[test]
    fn never_panics(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_players(&bytes);
    }
}
