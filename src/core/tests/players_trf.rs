//! Players from tournament report files, real and broken.

use flagfall_core::{
    tournament::{
        player::{Player, Sex, Title},
        trf::{Encoding, read_players},
    },
    types::PlayerNo,
};
use proptest::prelude::*;

#[test]
fn a_full_line() {
    let file = read_players(
        b"012 Cup of Kyiv\r\n142 9\r\n222 4200+30\r\n122 70 min\r\n\
          001    1 wWGM Alpha, Ann                        2450 UKR    14100000 1990/01/02  2.0\
          \x20   1     3 w 1  0000 - H\r\n",
    );
    assert_eq!(file.errors, []);
    assert_eq!(file.event.name.as_deref(), Some("Cup of Kyiv"));
    assert_eq!(file.event.rounds, Some(9));
    assert_eq!(file.event.time_control.as_deref(), Some("4200+30"));
    let expected = Player {
        title: Some(Title::Wgm),
        sex: Some(Sex::Female),
        rating: Some(2450),
        federation: Some("UKR".into()),
        fide_id: Some(14_100_000),
        birth: "1990-01-02".parse().ok(),
        ..Player::new(PlayerNo(1), "Alpha, Ann")
    };
    assert_eq!(file.players, [expected]);
}

#[test]
fn a_cyrillic_name_padded_by_characters_or_by_bytes() {
    let name = "Коваль, Олена";
    for padding in [33 - name.chars().count(), 33 - name.len()] {
        let line = format!(
            "001    1 w    {name}{:padding$} 2100 UKR    14100000 1990/01/02  2.0    1",
            ""
        );
        let file = read_players(line.as_bytes());
        assert_eq!(file.errors, [], "{line}");
        assert_eq!(file.players[0].name, name);
        assert_eq!(file.players[0].rating, Some(2100));
        assert_eq!(file.players[0].birth, "1990-01-02".parse().ok());
    }
}

#[test]
fn a_fide_number_may_fill_its_columns() {
    let file = read_players(
        b"001    7 m FM Seven, Sam                        2300 FID 70123454321 1990/00/00",
    );
    assert_eq!(file.errors, []);
    assert_eq!(file.players[0].fide_id, Some(70_123_454_321));
    assert_eq!(file.players[0].birth, "1990".parse().ok());
}

#[test]
fn latin_1_is_guessed_and_said() {
    let file = read_players(b"012 M\xfcnchen Open\r001    1      M\xfcller, J\xf6rg\r");
    assert_eq!(file.encoding, Encoding::Windows1252);
    assert_eq!(file.event.name.as_deref(), Some("München Open"));
    assert_eq!(file.players[0].name, "Müller, Jörg");
}

#[test]
fn broken_lines_name_line_and_column_and_the_rest_is_kept() {
    let file = read_players(
        b"142 many\n\
          001    1      Alpha, Ann                        24x0\n\
          001   xx      Beta, Bob\n\
          001    3\n\
          001    4   zz Delta, Dan\n\
          001    5      Kept, Karl                        1800      \n\
          001    5      Twice, Tom\n\
          001    6      Epsilon, Eve                      1800 UKR    14100000 1990/99/02\n",
    );
    let found: Vec<_> = file
        .errors
        .iter()
        .map(|e| (e.line, e.column, e.field.as_str()))
        .collect();
    assert_eq!(
        found,
        [
            (1, Some(5), "number of rounds"),
            (2, Some(49), "rating"),
            (3, Some(5), "starting rank"),
            (4, Some(15), "name"),
            (5, Some(11), "title"),
            (7, Some(5), "starting rank"),
            (8, Some(70), "birth"),
        ]
    );
    assert_eq!(
        file.errors[1].to_string(),
        "line 2, column 49, rating: \"24x0\" is not a whole number; write digits only in \
         columns 49 to 52"
    );
    assert_eq!(file.players.len(), 1);
}

#[test]
fn what_is_no_matter_of_the_entry_list_is_left_alone() {
    let file = read_players(
        b"240 H xx\n260 1 9\nXXP 1 77\n\
          001    1      Alpha, Ann                        2400                             1.0    x     7 w 1\n",
    );
    assert_eq!(file.errors, []);
    assert_eq!(file.players.len(), 1);
}

#[test]
fn files_from_real_events() {
    for (bytes, name, players, first_rating, rounds) in [
        (
            &include_bytes!("data/trf/lichess-juni-blitz-2020.trf")[..],
            "Juni Blitzschach 5 Plus 0",
            9,
            None,
            9,
        ),
        (
            include_bytes!("data/trf/open-gros-2010-javafo-sample.trf"),
            "XX Open Internacional de Gros",
            52,
            Some(2527),
            9,
        ),
    ] {
        let file = read_players(bytes);
        assert_eq!(file.errors, []);
        assert_eq!(file.event.name.as_deref(), Some(name));
        assert_eq!(file.players.len(), players);
        assert_eq!(file.players[0].rating, first_rating);
        assert_eq!(file.event.rounds, Some(rounds));
        let last = file.players.last().map(|player| usize::from(player.no.0));
        assert_eq!(last, Some(players));
    }
}

#[test]
fn a_file_without_players_is_said_to_be_none() {
    assert_eq!(read_players(b"").errors.len(), 1);
    assert_eq!(read_players(b"name;rating\nA;1\n").errors[0].field, "001");
}

proptest! {
    #[test]
    fn never_panics(
        code in prop_oneof![Just("001"), Just("142"), Just("012"), Just("")],
        bytes in proptest::collection::vec(any::<u8>(), 0..150)
    ) {
        let _ = read_players(&[code.as_bytes(), &bytes].concat());
    }

    #[test]
    fn never_panics_on_text(text in "001 [ 0-9]{4} .{0,80}") {
        let _ = read_players(text.as_bytes());
    }
}
