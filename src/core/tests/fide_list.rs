//! Rating lists of FIDE in their forms, in pieces of any size, and entries filled from them.

// What is missing in a list that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use flagfall_core::{
    tournament::{
        Player,
        fide_list::{Entry, Filler, ListError, RatingKind, Reader},
        player::{Sex, Title},
    },
    types::PlayerNo,
};
use proptest::prelude::*;

const COMBINED: &str = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA SRtng SGm SK RRtng RGm Rk BRtng BGm BK B-day Flag";
const SINGLE: &str = "ID Number      Name                                                         Fed Sex Tit  WTit OTit           FOA DEC26 Gms K  B-day Flag";

fn combined(
    id: u64,
    name: &str,
    fed: &str,
    sex: &str,
    tit: (&str, &str),
    ratings: [u16; 3],
    year: u16,
) -> String {
    let (title, woman) = tit;
    let [s, r, b] = ratings;
    format!(
        "{id:<15}{name:<61}{fed:<4}{sex:<4}{title:<5}{woman:<5}{:<15}{:<4}{s:<6}{:<4}{:<3}{r:<6}{:<4}{:<3}{b:<6}{:<4}{:<3}{year:<6}{}\r\n",
        "", "", "0", "20", "0", "20", "0", "20", ""
    )
}

fn single(id: u64, name: &str, rating: u16) -> String {
    format!(
        "{id:<15}{name:<61}{:<4}{:<4}{:<5}{:<5}{:<15}{:<4}{rating:<6}{:<4}{:<3}{:<6}{}\n",
        "UKR", "M", "", "", "", "", "0", "20", "1990", ""
    )
}

fn text_list() -> String {
    let mut list = format!("{COMBINED}\r\n");
    list += &combined(
        14_100_010,
        "Koval, Olena",
        "UKR",
        "F",
        ("", "WGM"),
        [2310, 2250, 0],
        2001,
    );
    list += &combined(
        14_100_020,
        "Petrenko, Ivan",
        "UKR",
        "M",
        ("GM", ""),
        [2600, 0, 2555],
        1990,
    );
    list += &combined(
        14_100_030,
        "Petrenko, Ivan",
        "POL",
        "M",
        ("", ""),
        [0, 1500, 0],
        2008,
    );
    list
}

const MARKUP: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<playerslist>\n<player>\n<fideid>14100010</fideid>\n<name>Koval, Olena</name>\n<country>UKR</country>\n<sex>F</sex>\n<title></title>\n<w_title>WGM</w_title>\n<o_title></o_title>\n<foa_title></foa_title>\n<rating>2310</rating>\n<games>0</games>\n<k>20</k>\n<rapid_rating>2250</rapid_rating>\n<blitz_rating>0</blitz_rating>\n<birthday>2001</birthday>\n<flag></flag>\n</player>\n<player><fideid>7</fideid><name>O&apos;Neil &amp; Son</name><country>IRL</country><sex>M</sex><title>IM</title><w_title/><rating></rating><birthday/></player>\n<player><fideid>x</fideid><name>Broken</name></player>\n</playerslist>\n";

/// Everything of a list, in pieces.
fn read(list: &[u8], piece: usize) -> Result<(Vec<String>, u64), ListError> {
    let mut reader = Reader::new();
    let mut seen = Vec::new();
    let mut each = |entry: &Entry<'_>| seen.push(format!("{entry:?}"));
    for piece in list.chunks(piece) {
        reader.feed(piece, &mut each)?;
    }
    reader.finish(&mut each)?;
    let broken = reader.broken;
    Ok((seen, broken))
}

/// The first player of a list, in one line.
fn first(list: &str) -> String {
    let mut found = None;
    let mut reader = Reader::new();
    let mut each = |it: &Entry<'_>| {
        let rating = |rating: Option<u16>| rating.unwrap_or_default();
        found.get_or_insert_with(|| {
            format!(
                "{}|{}|{}|{}|{}|{}|{}|{}|{:?}",
                it.fide_id,
                it.name,
                it.federation,
                it.sex,
                it.title,
                rating(it.standard),
                rating(it.rapid),
                rating(it.blitz),
                it.birth
            )
        });
    };
    reader.feed(list.as_bytes(), &mut each).unwrap();
    reader.finish(&mut each).unwrap();
    found.unwrap()
}

#[test]
fn text_and_markup_say_the_same() {
    let expected = "14100010|Koval, Olena|UKR|F|WGM|2310|2250|0|Some(2001)";
    assert_eq!(first(&text_list()), expected);
    assert_eq!(first(MARKUP), expected);
    let (seen, broken) = read(MARKUP.as_bytes(), 4096).unwrap();
    assert_eq!((seen.len(), broken), (2, 1));
    assert!(seen[1].contains("O'Neil & Son"), "{}", seen[1]);
}

#[test]
fn a_single_list_is_known_by_its_month() {
    let list = format!("{SINGLE}\n{}", single(5, "One, Only", 1801));
    assert!(first(&list).contains("|1801|"), "{}", first(&list));
    // The last line without its end.
    assert_eq!(read(list.trim_end().as_bytes(), 50).unwrap().0.len(), 1);
}

#[test]
fn letters_that_are_not_ascii_do_not_move_the_columns() {
    let list = format!("{SINGLE}\n{}", single(5, "Núñez, José", 1801));
    assert!(first(&list).contains("|Núñez, José|"), "{}", first(&list));
    assert!(first(&list).contains("|1801|"), "{}", first(&list));
    // The same in Latin-1.
    let bytes: Vec<u8> = list.chars().map(|letter| letter as u8).collect();
    let (seen, _) = read(&bytes, 999).unwrap();
    assert!(
        seen[0].contains("José") && seen[0].contains("1801"),
        "{}",
        seen[0]
    );
}

#[test]
fn what_is_no_list_is_refused() {
    for text in ["", "  \n", "name;rating\nA;1\n", "PK\u{3}\u{4} zip"] {
        assert_eq!(
            read(text.as_bytes(), 7).unwrap_err(),
            ListError::Unknown,
            "{text}"
        );
    }
    let endless = format!("<playerslist><player>{}", "x".repeat(200_000));
    assert_eq!(
        read(endless.as_bytes(), 1000).unwrap_err(),
        ListError::Endless
    );
}

fn filled(players: &mut [Player], kind: RatingKind) -> Vec<String> {
    let mut filler = Filler::new(players, kind);
    let mut reader = Reader::new();
    let list = text_list();
    let mut each = |entry: &Entry<'_>| filler.take(entry);
    reader.feed(list.as_bytes(), &mut each).unwrap();
    reader.finish(&mut each).unwrap();
    filler.fill(players).notes
}

#[test]
fn entries_are_filled_by_number_and_by_name() {
    let player = |no, name: &str| Player::new(PlayerNo(no), name);
    let mut players = [
        Player {
            fide_id: Some(14_100_020),
            rating: Some(2590),
            ..player(1, "Petrenko Ivan")
        },
        player(2, "Коваль, Олена"),
        player(3, "Petrenko, Ivan"),
        Player {
            federation: Some("POL".into()),
            ..player(4, "Ivan Petrenko")
        },
        Player {
            fide_id: Some(99),
            ..player(5, "Nobody, Here")
        },
        Player {
            fide_id: Some(14_100_010),
            ..player(6, "Bondar, Petro")
        },
        player(7, "Unknown, Beginner"),
    ];
    let notes = filled(&mut players, RatingKind::Standard);
    assert_eq!(
        (players[0].rating, players[0].title),
        (Some(2600), Some(Title::Gm))
    );
    let olena = &players[1];
    assert_eq!(
        (olena.fide_id, olena.rating),
        (Some(14_100_010), Some(2310))
    );
    assert_eq!(
        (olena.sex, olena.title),
        (Some(Sex::Female), Some(Title::Wgm))
    );
    assert_eq!(
        olena.name, "Коваль, Олена",
        "the name stays as it was written"
    );
    assert_eq!(players[2].fide_id, None, "two bear the name");
    assert_eq!(players[3].fide_id, Some(14_100_030));
    assert_eq!((players[4].fide_id, players[4].rating), (Some(99), None));
    assert_eq!(players[6].fide_id, None);
    for said in [
        "Petrenko Ivan: rating 2590 became 2600, as in the list",
        "Petrenko, Ivan: 2 in the list bear this name (14100020, 14100030); give the FIDE number",
        "Nobody, Here: FIDE number 99 is not in the list",
        "Bondar, Petro: FIDE number 14100010 is Koval, Olena in the list; check the number",
    ] {
        assert!(notes.iter().any(|note| note == said), "{said}: {notes:#?}");
    }
    let mut rapid = [player(1, "Koval Olena")];
    filled(&mut rapid, RatingKind::Rapid);
    assert_eq!(rapid[0].rating, Some(2250));
}

proptest! {
    #[test]
    fn pieces_do_not_matter(piece in 1_usize..400) {
        for list in [text_list().as_bytes(), MARKUP.as_bytes()] {
            prop_assert_eq!(read(list, piece), read(list, usize::MAX));
        }
    }

    #[test]
    fn no_bytes_are_a_fault(bytes in prop::collection::vec(any::<u8>(), 0..400), header in any::<bool>()) {
        let mut list = if header { format!("{COMBINED}\n").into_bytes() } else { b"<playerslist>".to_vec() };
        list.extend(bytes);
        prop_assert!(read(&list, 64).is_ok());
    }
}
