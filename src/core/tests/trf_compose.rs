//! Report files made by the hub: written, read again, compared.

use std::collections::{BTreeMap, BTreeSet};

use flagfall_core::{
    pairing::{Acceleration, Presence, UnpairedKind},
    tournament::{
        EventSettings,
        player::{Player, Sex, Title},
        result::{Awarded, Bye, GameResult, Played},
        schedule::RoundStart,
        trf::{
            Configuration, Document, ForbiddenGroup, LineEnd, Record, Report, ReportError,
            ReportOptions, Scoring, TextField, read,
        },
    },
    types::{Color, PlayerNo, Points, RoundNo},
};
use jiff::tz::TimeZone;
use proptest::prelude::*;

const TRF26: ReportOptions = ReportOptions {
    legacy: false,
    ascii: false,
    line_end: LineEnd::CrLf,
};
const LEGACY: ReportOptions = ReportOptions {
    legacy: true,
    ascii: true,
    line_end: LineEnd::Lf,
};

fn no(no: u16) -> PlayerNo {
    PlayerNo(no)
}

fn report() -> Report {
    let player = |id: u16, name: &str| Player::new(no(id), name);
    let game = |round, white, black, result| Played {
        round: RoundNo(round),
        white: no(white),
        black: no(black),
        result,
    };
    let bye = |round, player, bye| Awarded {
        round: RoundNo(round),
        player: no(player),
        bye,
    };
    Report {
        texts: BTreeMap::from([
            (TextField::Name, "Кубок Києва".to_owned()),
            (TextField::Start, "2026/12/05".to_owned()),
            (TextField::ChiefArbiter, " ".to_owned()),
        ]),
        round_dates: vec!["26/12/05".into(), String::new(), "26/12/06".into()],
        rounds: Some(5),
        initial_colour: Some(Color::Black),
        scoring: Scoring::new(Points(6), Points(2), Points::ZERO),
        system: "FIDE_DUTCH_2026".parse().ok(),
        teams: Vec::new(),
        players: vec![
            Player {
                title: Some(Title::Gm),
                sex: Some(Sex::Female),
                rating: Some(2450),
                federation: Some("UKR".into()),
                fide_id: Some(14_100_000),
                birth: "1990-01-02".parse().ok(),
                ..player(1, "Коваль, Олена")
            },
            Player {
                birth: "2011".parse().ok(),
                ..player(2, "Beta, Bob")
            },
            player(5, "Gamma"),
            player(4, "Delta\r\n001    9"),
        ],
        games: vec![
            game(1, 1, 2, GameResult::WhiteWins),
            game(1, 5, 4, GameResult::DoubleForfeit),
            game(2, 2, 4, GameResult::HalfToWhite),
        ],
        open: vec![(RoundNo(3), no(4), no(1))],
        byes: vec![
            bye(2, 1, Bye::PairingAllocated),
            bye(2, 5, Bye::Half),
            bye(4, 5, Bye::Half),
            bye(4, 2, Bye::Half),
            bye(5, 2, Bye::Zero),
        ],
        forbidden: vec![
            ForbiddenGroup {
                rounds: Some((RoundNo(1), RoundNo(3))),
                players: vec![no(1), no(5), no(4)],
            },
            ForbiddenGroup {
                rounds: None,
                players: vec![no(2), no(5)],
            },
        ],
        virtual_points: [(1, 1, 2), (2, 1, 2), (4, 1, 1), (1, 2, 1)]
            .map(|(player, round, points)| ((no(player), RoundNo(round)), Points(points)))
            .into(),
        ranks: BTreeMap::from([(no(1), 1)]),
    }
}

#[test]
fn a_file_of_each_family() {
    let text = |options| String::from_utf8(report().compose(options).unwrap().write()).unwrap();
    let new = "012 Кубок Києва\r\n042 2026/12/05\r\n062 4\r\n072 1\r\n132                                                                                        26/12/05            26/12/06\r\n142 5\r\n152 B\r\n162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0\r\n192 FIDE_DUTCH_2026\r\n\
        001    1 w GM Коваль, Олена                     2450 UKR    14100000 1990/01/02  6.0    1     2 w 1  0000 - U     4 b\r\n\
        001    2      Beta, Bob                                              2011/00/00  1.0          1 b 0     4 w =\r\n\
        001    4      Delta  001    9                                                    0.0          5 b -     2 b 0     1 w\r\n\
        001    5      Gamma                                                              1.0          4 w -  0000 - H\r\n\
        240 H   4    2    5\r\n240 Z   5    2\r\n250       1.0   1   1    1    2\r\n250       0.5   1   1    4    4\r\n250       0.5   2   2    1    1\r\n260   1   3    1    5    4\r\n260   1   5    2    5\r\n\
        299 =         1.0    2    2\r\n";
    assert_eq!(text(TRF26), new);
    let old = "012 Kubok Kyieva\n042 2026/12/05\n062 4\n072 1\n132                                                                                        26/12/05            26/12/06\n\
        BBD  1.0\nBBF  0.0\nBBL  0.0\nBBU  3.0\nBBW  3.0\nBBZ  0.0\nXXC black1\nXXR 5\n\
        001    1 w GM Koval, Olena                      2450 UKR    14100000 1990/01/02  6.0    1     2 w 1  0000 - U     4 b\n\
        001    2      Beta, Bob                                              2011/00/00  2.0          1 b 0     4 w =            0000 - H  0000 - Z\n\
        001    4      Delta  001    9                                                    0.0          5 b -     2 b 0     1 w\n\
        001    5      Gamma                                                              2.0          4 w -  0000 - H            0000 - H\n\
        XXA    1  1.0  0.5\nXXA    2  1.0\nXXA    4  0.5\nXXP 1 5 4\nXXP 2 5\n";
    assert_eq!(text(LEGACY), old);
    assert_eq!(read(new.as_bytes()).notices, []);
    // The older family has no record for half a point against nothing.
    assert_eq!(read(old.as_bytes()).notices.len(), 1);
    for text in [new, old] {
        assert!(
            read(text.as_bytes())
                .document
                .lines
                .iter()
                .all(flagfall_core::tournament::trf::Line::is_canonical)
        );
    }
}

#[test]
fn both_families_ask_for_the_same_pairing() {
    let mut report = report();
    report.open.clear();
    report.forbidden.truncate(0);
    report.forbidden.push(ForbiddenGroup {
        rounds: None,
        players: vec![no(2), no(5)],
    });
    let input = |options| {
        let bytes = report.compose(options).unwrap().write();
        read(&bytes).document.request(None).unwrap().input
    };
    let (new, mut old) = (input(TRF26), input(LEGACY));
    assert_eq!(new.round, RoundNo(3));
    // 260 names the last round, XXP does not.
    assert_eq!(new.settings.forbidden[0].last, Some(RoundNo(5)));
    old.settings.forbidden[0].last = Some(RoundNo(5));
    assert_eq!(new, old);
    assert_eq!(new.history[0].games.len(), 2);
    assert!(!new.history[0].games[1].played);
    assert_eq!(
        (
            new.history[1].games[0].white_points,
            new.history[1].games[0].black_points
        ),
        (Points(2), Points(0))
    );
    let unpaired: Vec<_> = new.history[1]
        .unpaired
        .iter()
        .map(|score| (score.player.0, score.kind, score.points))
        .collect();
    assert_eq!(
        unpaired,
        [
            (1, UnpairedKind::PairingAllocated, Points(6)),
            (5, UnpairedKind::HalfPoint, Points(2))
        ]
    );
    assert!(
        new.players
            .iter()
            .all(|entrant| entrant.presence == Presence::Present)
    );
    let Acceleration::Custom { points } = &new.settings.acceleration else {
        panic!()
    };
    assert_eq!(points.len(), 3);
}

#[test]
fn byes_of_the_next_round_make_absent() {
    let mut report = report();
    report.open = vec![(RoundNo(3), no(4), no(1))];
    let bytes = report.compose(TRF26).unwrap().write();
    let text = String::from_utf8(bytes)
        .unwrap()
        .replace("     4 b\r", "     4 b 1\r")
        .replace("     1 w\r", "     1 w 0\r");
    let mut document = read(text.as_bytes()).document;
    let presence = |document: &Document| -> Vec<_> {
        let input = document.request(None).unwrap().input;
        assert_eq!(input.round, RoundNo(4));
        input
            .players
            .iter()
            .filter(|e| e.presence == Presence::Absent)
            .map(|e| e.no.0)
            .collect()
    };
    assert_eq!(presence(&document), [2, 5]);
    document
        .lines
        .push(flagfall_core::tournament::trf::Line::new(
            Record::XxAbsent(vec![no(1)]),
            LineEnd::Lf,
        ));
    assert_eq!(presence(&document), [1, 2, 5]);
    // Round 3 as it was before it was paired: who had nothing in it was not there.
    let input = document.request(Some(RoundNo(3))).unwrap().input;
    let present: Vec<_> = input
        .players
        .iter()
        .filter(|e| e.presence == Presence::Present)
        .map(|e| e.no.0)
        .collect();
    assert_eq!((present, input.history.len()), (vec![1, 4], 2));
}

#[test]
fn the_rank_column_as_order() {
    let mut report = report();
    report.open.clear();
    report.ranks = BTreeMap::from([(no(1), 3), (no(2), 1), (no(4), 4), (no(5), 2)]);
    let mut document = report.compose(TRF26).unwrap();
    document
        .lines
        .push(flagfall_core::tournament::trf::Line::new(
            Record::Configuration(vec![Configuration::Rank]),
            LineEnd::CrLf,
        ));
    let request = read(&document.write()).document.request(None).unwrap();
    let ids: Vec<u16> = (1..=4).map(|n| request.id(no(n)).0).collect();
    assert_eq!(ids, [2, 5, 1, 4]);
    assert_eq!(request.input.players[2].rating, Some(2450));
    let game = request.input.history[0]
        .games
        .iter()
        .find(|game| game.played)
        .unwrap();
    assert_eq!((game.white, game.black), (no(3), no(1)));
    assert_eq!(request.input.settings.forbidden[1].players, [no(1), no(2)]);
}

#[test]
fn what_a_report_cannot_hold() {
    let mut report = report();
    report.players.push(Player::new(no(10_000), "Many"));
    assert_eq!(report.compose(TRF26), Err(ReportError::Number(no(10_000))));
    report.players.pop();
    report.byes.push(Awarded {
        round: RoundNo(1),
        player: no(2),
        bye: Bye::Full,
    });
    assert_eq!(
        report.compose(TRF26),
        Err(ReportError::Twice {
            round: RoundNo(1),
            player: no(2)
        })
    );
    report.byes.last_mut().unwrap().player = no(77);
    assert_eq!(
        report.compose(TRF26),
        Err(ReportError::UnknownPlayer {
            round: RoundNo(1),
            player: no(77)
        })
    );
    report.byes.last_mut().unwrap().round = RoundNo(0);
    assert_eq!(report.compose(TRF26), Err(ReportError::Round(RoundNo(0))));
}

#[test]
fn an_event_of_ours() {
    let mut settings = EventSettings::new("Open", "open".parse().unwrap(), Some("90/40+30:30+30"));
    settings.rounds = Some(3);
    settings.schedule.rounds = ["2026-12-05T08:00Z", "2026-12-05T23:30Z"]
        .map(|at| RoundStart::At {
            at: at.parse().unwrap(),
        })
        .to_vec();
    let report = Report::of_event(&settings, &TimeZone::fixed(jiff::tz::offset(2)));
    let text = String::from_utf8(report.compose(TRF26).unwrap().write()).unwrap();
    assert_eq!(
        text,
        "012 Open\r\n042 2026/12/05\r\n062 0\r\n072 0\r\n122 90/40+30:30+30\r\n132                                                                                        26/12/05  26/12/06\r\n142 3\r\n192 BERGER_ROUNDROBIN\r\n202 SB,WIN,DE\r\n222 40/5400+30:1800+30\r\n"
    );
}

/// Any tournament: each round a random matching with any result, the rest byes of any kind.
fn tournaments() -> impl Strategy<Value = Report> {
    let names = "[A-ZÀ-ÖА-ЯҐЄІЇ][a-zа-яґєії' -]{0,40}";
    (
        proptest::collection::btree_map(
            1_u16..=9999,
            (names, proptest::option::of(1000_u16..2900)),
            2..14,
        ),
        proptest::collection::vec(proptest::collection::vec(any::<(u16, u8)>(), 14), 0..6),
        any::<bool>(),
    )
        .prop_map(|(players, rounds, three)| {
            let ids: Vec<PlayerNo> = players.keys().copied().map(PlayerNo).collect();
            let mut report = Report {
                rounds: Some(9),
                initial_colour: Some(Color::White),
                scoring: if three {
                    Scoring::new(Points(6), Points(2), Points(0))
                } else {
                    Scoring::STANDARD
                },
                players: players
                    .into_iter()
                    .map(|(id, (name, rating))| Player {
                        rating,
                        ..Player::new(PlayerNo(id), name.trim())
                    })
                    .collect(),
                ..Report::default()
            };
            for (round, draws) in (1..).map(RoundNo).zip(&rounds) {
                let mut free: BTreeSet<PlayerNo> = ids.iter().copied().collect();
                for (&player, &(partner, result)) in ids.iter().zip(draws) {
                    if !free.remove(&player) {
                        continue;
                    }
                    let others: Vec<PlayerNo> = free.iter().copied().collect();
                    if let Some(&other) = others.get(usize::from(partner) % (others.len() + 1)) {
                        free.remove(&other);
                        let result = GameResult::ALL[usize::from(result) % GameResult::ALL.len()];
                        report.games.push(Played {
                            round,
                            white: player,
                            black: other,
                            result,
                        });
                    } else if result % 5 < 4 {
                        let bye = [Bye::PairingAllocated, Bye::Full, Bye::Half, Bye::Zero]
                            [usize::from(result % 5)];
                        report.byes.push(Awarded { round, player, bye });
                    }
                }
            }
            report
        })
}

proptest! {
    #[test]
    fn every_report_is_read_as_it_was_meant(report in tournaments()) {
        let bytes = report.compose(TRF26).unwrap().write();
        let reading = read(&bytes);
        prop_assert_eq!(&reading.notices, &[]);
        prop_assert!(reading.document.lines.iter().all(flagfall_core::tournament::trf::Line::is_canonical));
        let input = reading.document.request(None).unwrap().input;
        for (entrant, player) in input.players.iter().zip(&report.players) {
            prop_assert_eq!((entrant.no, entrant.rating), (player.no, player.rating));
        }
        let games: BTreeSet<_> = input.history.iter().flat_map(|round| {
            round.games.iter().map(|game| (round.round, game.white, game.black, game.played))
        }).collect();
        let expected: BTreeSet<_> = report.games.iter()
            .map(|game| (game.round, game.white, game.black, game.result.is_played()))
            .collect();
        prop_assert_eq!(games, expected);
        // The order in which players and results are given is nothing to the file.
        let mut turned = report.clone();
        turned.games.reverse();
        turned.byes.reverse();
        turned.players.reverse();
        let again: String = String::from_utf8(turned.compose(TRF26).unwrap().write()).unwrap();
        let sorted = |text: &str| -> BTreeSet<String> { text.lines().map(str::to_owned).collect() };
        prop_assert_eq!(sorted(&again), sorted(std::str::from_utf8(&bytes).unwrap()));
    }
}
