//! A made-up hall that shows every state a page must be able to draw.

use std::time::Duration;

use flagfall::web::{
    Health,
    health::{JournalHealth, MqttHealth, TimeHealth},
};
use flagfall_core::{
    chess::{IllegalReason, MoveMade},
    hub::view::{
        AlertView, ByeView, ChangeView, ClockView, DeviceView, EntryView, EventView, HallView,
        PairView, PairingView, Phase, PlayerView, PlayersView, ProposalView, PublicRound,
        PublicTable, RepairView, RoundView, SeatView, Severity, SheetView, ShowView, StaffView,
        TablePhase, TableView, UnpairedView, WallTable,
    },
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::{
            AlertFact, AlertKind, BoardFact, BySide, ClockFact, Event, Fact, FlagOrder,
            IllegalClaim, Proposal, Proposed, Reach, ResultSource, SetUp, Times, Verdict,
        },
        state::HallState,
    },
    pairing::{
        UnpairedReason,
        words::{self, Language},
    },
    tournament::{EventSettings, GameResult, Player, Termination, player::Title},
    types::{Color, DeviceId, Mono, Now, PlayerNo, RoundNo, TableNo},
};
use jiff::{SignedDuration, Timestamp};

pub const MOVES: &[(&str, &str)] = &[
    ("e4", "e2e4"),
    ("e5", "e7e5"),
    ("Nf3", "g1f3"),
    ("Nc6", "b8c6"),
    ("Bb5", "f1b5"),
    ("a6", "a7a6"),
    ("Ba4", "b5a4"),
    ("Nf6", "g8f6"),
    ("O-O", "e1g1"),
    ("Be7", "f8e7"),
];
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const SPANISH: &str = "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1RK1";
const ENDGAME: &str = "8/5pk1/3R2p1/7p/1P5P/6P1/r4PK1/8";
const ENDGAME_KINGS: &str = "8/5p2/3R2p1/4k2p/1P2K2P/6P1/r4P2/8";

const NAMES: &[&str] = &[
    "Іваненко, Олександр",
    "Petrosyan-Shevchenko, Maximilian",
    "Коваленко, Марія",
    "Müller, Jürgen",
    "Бондар, Тарас",
    "Łukasiewicz, Zofia",
    "Мельник, Ярослава",
    "O’Brien, Siobhán",
    "Шевчук, Богдан",
    "Novák, Jiří",
    "Ткачук, Соломія",
    "García, Iñigo",
];

pub fn player(no: u16) -> PlayerView {
    PlayerView {
        no: PlayerNo(no),
        name: NAMES[usize::from(no - 1) % NAMES.len()].into(),
        rating: (!no.is_multiple_of(5)).then_some(2500 - no * 17),
    }
}

pub fn health() -> Health {
    Health {
        journal: JournalHealth {
            seq: 4182,
            error: None,
        },
        mqtt: Some(MqttHealth {
            connected: true,
            broker: "mqtt://127.0.0.1:1883".into(),
            outbox: 0,
        }),
        time: TimeHealth {
            synchronised: Some(true),
            source: Some("chrony".into()),
        },
        links_up: 23,
        links: 24,
        speed: 1.0,
    }
}

fn seconds(n: i64) -> SignedDuration {
    SignedDuration::from_secs(n)
}

pub fn round(phase: Phase, starts_in: SignedDuration) -> RoundView {
    let starts_at = Timestamp::now() + starts_in;
    let started = matches!(phase, Phase::Started | Phase::Playing | Phase::Closed);
    RoundView {
        number: RoundNo(2),
        phase,
        published: true,
        planned_at: None,
        starts_at: Some(starts_at),
        started_at: started.then_some(starts_at),
        default_at: started.then(|| starts_at + seconds(900)),
        until_half: false,
        next_at: None,
        next_about: false,
        waiting: None,
        photo_until: started.then(|| starts_at + seconds(300)),
        play_off: None,
        held_reason: (phase == Phase::Held).then(|| "Registration is still open".into()),
        tables: 24,
        open: 20,
        bye: None,
    }
}

/// A round that waits for its start.
pub fn before_the_start(starts_in: SignedDuration) -> HallView {
    let mut hall = playing();
    hall.round = Some(round(Phase::Scheduled, starts_in));
    hall
}

fn table(no: u16) -> TableView {
    let now = Timestamp::now();
    let played = usize::from(no * 3 % 11);
    let (san, uci) = MOVES[played.saturating_sub(1).min(MOVES.len() - 1)];
    TableView {
        table: TableNo(no),
        white: Some(player(no * 2 - 1)),
        black: Some(player(no * 2)),
        draft: false,
        phase: TablePhase::Playing,
        ply: 10 + played as u16,
        last_san: Some(san.into()),
        last_uci: Some(uci.into()),
        turn: if played.is_multiple_of(2) {
            Color::White
        } else {
            Color::Black
        },
        position: SPANISH.into(),
        seen: None,
        disturbed: false,
        gaps: 0,
        question: None,
        start: None,
        result: None,
        termination: None,
        result_source: None,
        clock: Some(ClockView {
            white_ms: 5_400_000 - u64::from(no) * 217_000,
            black_ms: 5_300_000 - u64::from(no) * 191_000,
            running: Some(if played.is_multiple_of(2) {
                Color::White
            } else {
                Color::Black
            }),
            lever: None,
            at: now,
        }),
        flags: vec![],
        flags_unordered: false,
        device: Some(DeviceId(format!("dgt-30001477{no:02}"))),
        online: true,
        heard_at: Some(now),
        alerts: vec![],
        illegal: (0, 0),
        conduct: None,
        correction: None,
    }
}

fn alert(id: u64, kind: &str, severity: Severity, table: Option<u16>, text: &str) -> AlertView {
    AlertView {
        id,
        kind: kind.into(),
        severity,
        table: table.map(TableNo),
        device: None,
        text: text.into(),
        raised_at: Timestamp::now() - seconds(20 * i64::try_from(id).unwrap_or(1)),
        acknowledged_by: None,
        taken_at: None,
        escalated: false,
        reach: Reach::Zone,
        to: vec![],
        proposal: None,
        evidence: None,
    }
}

/// A round in full swing.
pub fn playing() -> HallView {
    let now = Timestamp::now();
    let mut tables: Vec<TableView> = (1..=24).map(table).collect();
    for (no, result, how) in [
        (4, "1-0", "resignation"),
        (9, "1/2-1/2", "agreement"),
        (13, "0-1", "checkmate"),
        (22, "+/-", "forfeit"),
    ] {
        let table = &mut tables[no - 1];
        table.phase = TablePhase::Finished;
        table.result = Some(result.into());
        table.termination = Some(how.into());
        if let Some(clock) = &mut table.clock {
            clock.running = None;
        }
    }
    let flagged = &mut tables[6];
    flagged.flags = vec!["white".into()];
    flagged.alerts = vec![3];
    flagged.clock = Some(ClockView {
        white_ms: 0,
        black_ms: 41_300,
        running: None,
        lever: Some(Color::White),
        at: now,
    });
    let kings = &mut tables[11];
    kings.phase = TablePhase::Deciding;
    kings.position = ENDGAME.into();
    kings.seen = Some(ENDGAME_KINGS.into());
    let silent = &mut tables[16];
    silent.online = false;
    silent.heard_at = Some(now - seconds(75));
    silent.alerts = vec![2];
    tables[2].disturbed = true;
    tables[2].seen = Some("r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5N2/PPPP1PPP/RNBQ1R2".into());
    tables[19].clock = Some(ClockView {
        white_ms: 14_700,
        black_ms: 52_000,
        running: Some(Color::White),
        lever: Some(Color::White),
        at: now,
    });
    tables[20].phase = TablePhase::Waiting;
    tables[20].ply = 0;
    tables[20].last_san = None;
    tables[20].last_uci = None;
    tables[20].position = START.into();

    let mut flag = alert(
        3,
        "flag",
        Severity::Call,
        Some(7),
        "White’s flag fell first, after 41 moves of Black. Stop the clock and see whether Black can mate.",
    );
    flag.escalated = true;
    flag.reach = Reach::Chief;
    let mut clock = alert(
        5,
        "clock-stopped",
        Severity::Call,
        Some(15),
        "The clock was stopped by hand: the players want an arbiter.",
    );
    clock.acknowledged_by = Some("Петро Сич".into());
    let mut claim = alert(
        6,
        "illegal-move",
        Severity::Call,
        Some(3),
        "White’s king has left the board at his move 9.",
    );
    claim.proposal = Some(12);
    let mut unassigned = alert(
        9,
        "device-unassigned",
        Severity::Warning,
        None,
        "dgt-3000147799 on /dev/ttyUSB25 serves no table. Assign it on the console.",
    );
    unassigned.device = Some(DeviceId("dgt-3000147799".into()));
    HallView {
        seq: 4182,
        earlier: Vec::new(),
        event: Some(EventView {
            name: "Kyiv Open 2026".into(),
            section: "open".into(),
            rounds: 9,
            players: 48,
            away: 0,
            time_control: "90+30".into(),
            penalty_ms: 120_000,
            system: "round-robin".into(),
            variant: "standard".into(),
            zone: Some("Europe/Kyiv".into()),
        }),
        round: Some(round(Phase::Playing, seconds(-4200))),
        alerts: vec![
            alert(
                2,
                "device-lost",
                Severity::Warning,
                Some(17),
                "The board has said nothing for 75 s. Look at its cable; the game goes on.",
            ),
            flag,
            clock,
            claim,
            unassigned,
            alert(
                1,
                "battery",
                Severity::Notice,
                Some(18),
                "Battery at 12 %: change it before the next round.",
            ),
        ],
        proposals: vec![
            ProposalView {
                id: 11,
                kind: "result".into(),
                table: TableNo(12),
                white: tables[11].white.clone(),
                black: tables[11].black.clone(),
                result: Some("1-0".into()),
                termination: Some("resignation".into()),
                text: "Both kings stand in the centre: White’s on e4, Black’s on e5, for 5 s."
                    .into(),
                position: format!("{ENDGAME} b - - 0 41"),
                seen: Some(ENDGAME_KINGS.into()),
                white_ms: Some(612_400),
                black_ms: Some(31_900),
                raised_at: now - seconds(38),
            },
            ProposalView {
                id: 12,
                kind: "illegal-move".into(),
                table: TableNo(3),
                white: tables[2].white.clone(),
                black: tables[2].black.clone(),
                result: None,
                termination: None,
                text: "Black pressed the clock; no legal move leads to what stands on the board."
                    .into(),
                position: format!("{SPANISH} w kq - 2 6"),
                seen: tables[2].seen.clone(),
                white_ms: Some(1_812_000),
                black_ms: Some(1_790_500),
                raised_at: now - seconds(12),
            },
        ],
        screens: Vec::new(),
        show: ShowView::default(),
        devices: (1..=24)
            .map(|no| DeviceView {
                device: DeviceId(format!("dgt-30001477{no:02}")),
                family: "dgt-board".into(),
                version: Some("1.8".into()),
                port: format!("/dev/ttyUSB{no}"),
                table: Some(TableNo(no)),
                online: no != 17,
                battery: (no > 15).then_some(if no == 18 { 12 } else { 80 }),
            })
            .collect(),
        staff: StaffView::default(),
        protests: vec![],
        tables,
    }
}

/// The players of the hall; number 2 has left, 3 misses the next round.
pub fn players(hall: &HallView) -> PlayersView {
    let seat = |no: u16| {
        let table = &hall.tables[usize::from((no - 1) / 2)];
        let white = !no.is_multiple_of(2);
        let opponent = if white { &table.black } else { &table.white };
        SeatView {
            round: RoundNo(2),
            published: true,
            table: table.table,
            color: if white { "white" } else { "black" }.into(),
            opponent: opponent.clone().unwrap(),
            begun: table.ply > 0,
            result: table.result.clone(),
        }
    };
    PlayersView {
        next: Some(RoundNo(3)),
        rounds: Some(9),
        byes: vec!["half".into(), "zero".into()],
        draft: None,
        players: (1..=48)
            .map(|no| EntryView {
                player: player(no),
                withdrawn_since: (no == 2).then_some(RoundNo(2)),
                byes: (no == 3)
                    .then(|| ByeView {
                        round: RoundNo(3),
                        worth: "half".into(),
                        open: true,
                    })
                    .into_iter()
                    .collect(),
                seat: Some(seat(no)),
            })
            .collect(),
    }
}

/// Round 1, which is over.
pub fn first_round() -> PublicRound {
    PublicRound {
        number: RoundNo(1),
        starts_at: None,
        started_at: None,
        closed: true,
        tables: vec![PublicTable {
            table: TableNo(1),
            white: player(1),
            black: player(3),
            result: Some("0-1".into()),
        }],
        bye: None,
    }
}

/// A draft of one pair, with a bye and somebody who is absent.
pub fn pairing(language: Language) -> PairingView {
    let why = words::unpaired(&UnpairedReason::Absent { opponent: None }, language);
    PairingView {
        round: RoundNo(2),
        published: false,
        system: "dutch".into(),
        initial_colour: Some("white".into()),
        pairs: vec![PairView {
            board: 1,
            white: player(1),
            black: player(2),
            why: "Bracket 1.".into(),
        }],
        bye: Some(UnpairedView {
            player: player(3),
            points: "1".into(),
            why: "The number of players is odd.".into(),
        }),
        unpaired: vec![UnpairedView {
            player: player(4),
            points: "0".into(),
            why,
        }],
    }
}

/// A draft whose second player has left.
pub fn repair() -> RepairView {
    let change = ChangeView {
        player: player(2),
        board_only: false,
        before: "Black against 1 on board 1".into(),
        after: "not playing".into(),
    };
    RepairView {
        round: RoundNo(1),
        repair: vec![change.clone()],
        anew: vec![change.clone(), change],
    }
}

/// A game in which everything happens that the page of a game can show, told by the journal's events.
pub fn sheet(table: TableNo, round: RoundNo) -> SheetView {
    let start: Timestamp = "2026-11-30T15:00:00Z".parse().unwrap();
    let mut settings = EventSettings::new("Kyiv Open 2026", "open".parse().unwrap(), Some("90+30"));
    settings.schedule.zone = "Europe/Kyiv".into();
    settings.rounds = Some(9);
    let players = (1..=48)
        .map(|no| Player {
            rating: player(no).rating,
            title: (no == 2 * table.0).then_some(Title::Wgm),
            ..Player::new(PlayerNo(no), player(no).name)
        })
        .collect();
    let now = Now {
        mono: Mono::ZERO,
        utc: start,
    };
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
    hub.handle_set_up(now, SetUp { settings, players });
    for command in [
        Command::PairRound,
        Command::PublishRound,
        Command::StartRound,
    ] {
        let by = "Anna Koval".to_owned();
        hub.handle_request(now, Request { by, command }).unwrap();
    }
    let mut sheet = hub.sheet(table, None).unwrap();
    let mut seq = hub.state().seq;
    let mut tell = |after: i64, fact: Fact| {
        seq += 1;
        sheet.apply(&Event {
            v: 1,
            id: seq.to_string(),
            seq,
            at: start + seconds(after),
            section: None,
            round: Some(RoundNo(1)),
            table: Some(table),
            device: Some(DeviceId("dgt-3000147703".into())),
            request: None,
            fact,
        });
        seq
    };
    let times = |white: u64, black: u64| Times {
        white: Duration::from_secs(white),
        black: Duration::from_secs(black),
    };
    let made = |ply: u16, san: &str, uci: &str| MoveMade {
        ply,
        side: if ply.is_multiple_of(2) {
            Color::Black
        } else {
            Color::White
        },
        uci: uci.into(),
        san: san.into(),
        pressed: true,
        inferred: ply == 8,
        at: Mono::ZERO,
    };
    tell(-300, Fact::Board(BoardFact::Ready { turned: false }));
    tell(5, Fact::Clock(ClockFact::Started(times(5400, 5400))));
    let (mut at, mut left) = (5, [5400_u64, 5400]);
    for (ply, (san, uci)) in (1..).zip(MOVES) {
        let thought = u64::from(ply) * 17 % 90 + 4;
        at += thought.cast_signed();
        let mine = usize::from(ply % 2 == 0);
        left[mine] = left[mine] + 30 - thought;
        tell(at - 1, Fact::Move(made(ply, san, uci)));
        let side = made(ply, san, uci).side;
        let times = times(left[0], left[1]);
        let recalled = false;
        tell(
            at,
            Fact::Press {
                ply,
                side,
                times,
                recalled,
            },
        );
        if ply == 4 {
            tell(at + 1, Fact::Clock(ClockFact::Stopped(times)));
            let reason = "clock-stopped".to_owned();
            let (note, by) = (None, None);
            tell(at + 16, Fact::Call { reason, note, by });
            let raised = AlertFact::Raised {
                about: AlertKind::ClockStopped,
                severity: Severity::Call,
                text: "Table 3: the clock was stopped in the middle of the game.".into(),
                proposal: None,
                evidence: None,
                to: vec![],
            };
            let alert = tell(at + 16, Fact::Alert(raised));
            let by = "Петро Сич".to_owned();
            tell(at + 25, Fact::Alert(AlertFact::Acknowledged { alert, by }));
            tell(
                at + 60,
                Fact::Incident {
                    text: "The board was cleaned; both agreed to wait.".into(),
                    by: "Петро Сич".into(),
                },
            );
            tell(at + 95, Fact::Clock(ClockFact::Restarted(times)));
            at += 95;
        }
        if ply == 6 {
            tell(
                at + 4,
                Fact::Withdrawn {
                    ply: 6,
                    replaced_by: Some(made(6, "h6", "h7h6")),
                },
            );
            tell(
                at + 9,
                Fact::Withdrawn {
                    ply: 6,
                    replaced_by: Some(made(6, "a6", "a7a6")),
                },
            );
        }
    }
    let claim = IllegalClaim {
        ply: 11,
        side: Color::White,
        offending: "f1f3".into(),
        before: format!("{SPANISH} w kq - 4 6"),
        seen: "r1bqk2r/1pppbppp/p1n2n2/4p3/B3P3/5R2/PPPP1PPP/RNBQ2K1".into(),
        reasons: vec![IllegalReason::PieceMovement],
        times: Some(times(left[0], left[1])),
    };
    let proposal = |proposed, text: &str| Proposal {
        proposed,
        position: claim.before.clone(),
        seen: Some(claim.seen.clone()),
        times: claim.times,
        text: text.into(),
    };
    tell(at + 70, Fact::IllegalClaim(claim.clone()));
    let side = Color::White;
    let illegal = proposal(Proposed::IllegalMove { side }, "");
    let illegal = tell(at + 70, Fact::Proposal(illegal));
    let decision = |proposal, verdict, note: Option<&str>| Fact::Decision {
        proposal,
        verdict,
        by: "Anna Koval".into(),
        note: note.map(str::to_owned),
    };
    tell(
        at + 130,
        decision(illegal, Verdict::Accepted, Some("first one")),
    );
    tell(at + 135, Fact::Board(BoardFact::Restored));
    let before = times(left[0], left[1]);
    let after = times(left[0], left[1] + 120);
    tell(
        at + 160,
        Fact::Correction {
            before,
            after,
            decision: Some(illegal),
        },
    );
    let mating_material = BySide {
        white: true,
        black: true,
    };
    let times = times(0, left[1] + 100);
    let order = FlagOrder::First;
    tell(
        at + 5400,
        Fact::Flag {
            side,
            order,
            times,
            mating_material,
            unknown: None,
            within: None,
            control: None,
        },
    );
    let (result, termination) = (GameResult::BlackWins, Termination::Flag);
    let mut flag = proposal(
        Proposed::Result {
            result,
            termination,
        },
        "White’s flag fell.",
    );
    (flag.seen, flag.times) = (None, Some(times));
    let flag = tell(at + 5400, Fact::Proposal(flag));
    tell(at + 5460, decision(flag, Verdict::Accepted, None));
    tell(
        at + 5460,
        Fact::Result {
            result,
            termination,
            source: Some(ResultSource::Clock),
            by: "Anna Koval".into(),
            proposal: Some(flag),
            note: None,
        },
    );
    let mut view = sheet.finish();
    (view.round, view.rounds) = (round, vec![RoundNo(1), RoundNo(2)]);
    view
}

/// The games as a screen in the foyer shows them.
pub fn wall(hall: &HallView) -> Vec<WallTable> {
    let told = |view: &TableView| {
        let clock = view.clock.as_ref();
        Some(WallTable {
            table: view.table,
            white: view.white.clone()?,
            black: view.black.clone()?,
            position: view.position.clone(),
            last_uci: view.last_uci.clone(),
            white_ms: clock.map(|clock| clock.white_ms),
            black_ms: clock.map(|clock| clock.black_ms),
            running: clock.and_then(|clock| clock.running),
            result: view.result.clone(),
        })
    };
    hall.tables.iter().filter_map(told).collect()
}
