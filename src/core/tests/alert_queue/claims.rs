//! Claims: evidence, decision, counters, the next penalty, and what follows in later rounds.

use std::time::Duration;

use flagfall_core::{
    chess::placement::{start_position, turned},
    hub::{
        command::{Command, Refused},
        event::{AlertKind, ClaimKind, Proposed},
        view::{NextPenalty, ProposalView, Severity},
    },
    protocol::{CallKind, ClockCall, ClockSide, Observation},
    tournament::{GameResult, PairingSystem, Termination, event::DefaultTime},
    types::{Color, Placement, PlayerNo, TableNo},
};

use crate::hall::{BLACK, Hall, WHITE};

fn claim(hall: &mut Hall, table: u16, what: ClaimKind, against: Option<Color>) {
    let command = Command::Claim {
        table: TableNo(table),
        what,
        against,
        note: None,
    };
    hall.ask("Anna", command).unwrap();
}

/// The only open proposal.
fn proposal(hall: &Hall) -> ProposalView {
    let mut proposals = hall.view().proposals;
    assert_eq!(proposals.len(), 1, "{proposals:#?}");
    proposals.remove(0)
}

fn decide(hall: &mut Hall, accept: bool) {
    let command = Command::Decide {
        proposal: proposal(hall).id,
        accept,
        result: None,
        note: Some("seen".to_owned()),
    };
    hall.ask("Anna", command).unwrap();
}

#[test]
fn the_first_illegal_move_costs_time_and_the_second_the_game() {
    let mut hall = Hall::playing(1, |_| {});
    let white = Some(Color::White);
    claim(&mut hall, 1, ClaimKind::IllegalMove, white);
    let (claimed, alert) = hall.alert(1, AlertKind::IllegalMove);
    assert_eq!(alert.severity, Severity::Call);
    assert!(
        alert
            .text
            .ends_with("None is recorded in this game; the next one gives Black 0:02:00."),
        "{}",
        alert.text
    );
    decide(&mut hall, true);
    assert!(!hall.hub.state().alerts.contains_key(&claimed));

    let penalty = proposal(&hall);
    assert_eq!(penalty.kind, "penalty");
    assert!(
        penalty
            .text
            .contains("Black gets 0:02:00. From 0:02:00 to 0:04:00."),
        "{}",
        penalty.text
    );
    assert!(
        penalty.text.contains("the next one loses it"),
        "{}",
        penalty.text
    );
    decide(&mut hall, true);
    // The clock is set: that explains the new time.
    hall.clock(1, WHITE, BLACK + 120, Some(Color::White));
    assert!(hall.find(1, AlertKind::Correction).is_none());
    let conduct = hall.view().tables[0].conduct.unwrap();
    assert_eq!((conduct.white.illegal, conduct.black.illegal), (1, 0));
    assert_eq!(conduct.white.next, NextPenalty::Loss);
    assert_eq!(conduct.black.next, NextPenalty::Time);
    assert_eq!(conduct.black.bonus_ms, Some(120_000));

    claim(&mut hall, 1, ClaimKind::IllegalMove, white);
    decide(&mut hall, true);
    let loss = proposal(&hall);
    assert_eq!(loss.result.as_deref(), Some("0-1"));
    decide(&mut hall, true);
    let result = hall.hub.state().game(TableNo(1)).unwrap().result;
    assert_eq!(
        result,
        Some((GameResult::BlackWins, Termination::IllegalMoves))
    );
    hall.replays();
}

#[test]
fn a_rejected_claim_counts_nothing_and_the_reason_is_kept() {
    let mut hall = Hall::playing(1, |_| {});
    claim(&mut hall, 1, ClaimKind::IllegalMove, Some(Color::Black));
    let open = proposal(&hall).id;
    decide(&mut hall, false);
    assert!(hall.view().tables[0].conduct.is_none());
    let text = serde_json::to_string(&hall.journal).unwrap();
    assert!(text.contains(r#""verdict":"rejected","by":"Anna","note":"seen""#));
    let again = Command::Decide {
        proposal: open,
        accept: true,
        result: None,
        note: None,
    };
    let refused = hall.ask("Petro", again).unwrap_err().to_string();
    assert!(refused.contains("was rejected by Anna"), "{refused}");
}

#[test]
fn three_moves_with_the_wrong_hand_are_one_illegal_move() {
    let mut hall = Hall::playing(1, |_| {});
    for count in 1..=6_u8 {
        claim(&mut hall, 1, ClaimKind::WrongHand, Some(Color::Black));
        decide(&mut hall, true);
        let black = hall.view().tables[0].conduct.unwrap().black;
        assert_eq!((black.hands, black.illegal), (count, count / 3));
        if count == 3 {
            assert_eq!(proposal(&hall).kind, "penalty");
            decide(&mut hall, true);
        }
    }
    assert_eq!(proposal(&hall).result.as_deref(), Some("1-0"));
    hall.replays();
}

#[test]
fn the_rules_of_a_school_event_give_no_time() {
    let mut hall = Hall::playing(1, |event| {
        event.time_control = None;
        event.illegal_moves.bonus = Duration::ZERO;
    });
    claim(&mut hall, 1, ClaimKind::IllegalMove, Some(Color::White));
    decide(&mut hall, true);
    assert!(
        hall.view().proposals.is_empty(),
        "recorded, and that is all"
    );
    claim(&mut hall, 1, ClaimKind::IllegalMove, Some(Color::White));
    assert!(proposal(&hall).text.contains("the next one loses it"));
}

#[test]
fn counters_begin_anew_with_each_round() {
    let mut hall = Hall::playing(4, |_| {});
    claim(&mut hall, 1, ClaimKind::WrongHand, Some(Color::White));
    decide(&mut hall, true);
    next_round(&mut hall, "1-0", None);
    assert!(hall.view().tables[0].conduct.is_none());
}

fn next_round(hall: &mut Hall, result: &str, termination: Option<&str>) {
    let round = hall.hub.state().round().unwrap();
    let (number, tables) = (round.number, round.games.len() as u16);
    for table in 1..=tables {
        let first = table == 1;
        let command = Command::SetResult {
            table: TableNo(table),
            result: if first { result } else { "1/2-1/2" }.to_owned(),
            termination: termination.filter(|_| first).map(str::to_owned),
            note: None,
        };
        hall.ask("Anna", command).unwrap();
    }
    for command in [
        Command::CloseRound { round: number },
        Command::PublishRound,
        Command::StartRound,
    ] {
        hall.ask("Chief", command).unwrap();
    }
}

#[test]
fn a_device_loses_the_game_and_the_player_is_looked_after() {
    let mut hall = Hall::playing(4, |_| {});
    let offender = hall.hub.state().game(TableNo(1)).unwrap().black;
    claim(
        &mut hall,
        1,
        ClaimKind::ElectronicDevice,
        Some(Color::Black),
    );
    assert_eq!(
        proposal(&hall).termination.as_deref(),
        Some("electronic-device")
    );
    decide(&mut hall, true);
    next_round(&mut hall, "1-0", Some("electronic-device"));
    let follow: Vec<String> = (hall.hub.state().alerts.values())
        .filter(|alert| alert.about == AlertKind::FollowUp)
        .map(|alert| alert.text.clone())
        .collect();
    assert_eq!(follow.len(), 1, "{follow:?}");
    assert!(
        follow[0].contains(&format!("player {offender}")),
        "{follow:?}"
    );
    assert!(
        follow[0].contains("electronic device in round 1"),
        "{follow:?}"
    );
}

#[test]
fn more_than_three_times_unfair_is_out_of_the_event() {
    let mut hall = Hall::playing(1, |event| {
        event.system = PairingSystem::RoundRobin { cycles: 8 };
        event.rounds = None;
    });
    let offender = PlayerNo(1);
    for round in 1..=4 {
        let game = hall.hub.state().game(TableNo(1)).unwrap();
        let side = Color::from_white(game.white == offender);
        claim(&mut hall, 1, ClaimKind::UnfairPlay, Some(side));
        decide(&mut hall, true);
        if round < 4 {
            assert!(hall.view().proposals.is_empty(), "round {round}");
            let number = hall.hub.state().round().unwrap().number;
            for command in [
                Command::CloseRound { round: number },
                Command::PublishRound,
                Command::StartRound,
            ] {
                hall.ask("Chief", command).unwrap();
            }
        }
    }
    assert_eq!(proposal(&hall).kind, "disqualify");
    let open = hall.hub.state().proposals.values().next().unwrap();
    let out = Proposed::Disqualify { player: offender };
    assert_eq!(open.proposal.proposed, out);
    decide(&mut hall, true);
    assert!(hall.hub.state().departures.contains_key(&offender));
    hall.replays();
}

#[test]
fn a_button_of_the_clock_is_a_claim_of_that_side() {
    let mut hall = Hall::playing(1, |_| {});
    let mut press = |side, what| {
        let call = ClockCall {
            number: 1,
            side,
            what,
        };
        hall.observe(1, Observation::Called(call));
    };
    press(Some(ClockSide::Right), CallKind::IllegalMove);
    press(None, CallKind::Arbiter);
    press(None, CallKind::OtherClaim);
    let text = proposal(&hall).text;
    assert!(text.starts_with("White is said"), "Black pressed: {text}");
    assert!(hall.find(1, AlertKind::Call).is_some());
    assert!(hall.find(1, AlertKind::Claim).is_some());
    decide(&mut hall, false);
    let mut press = |what| {
        let call = ClockCall {
            number: 2,
            side: None,
            what,
        };
        hall.observe(1, Observation::Called(call));
    };
    press(CallKind::BlackWon);
    assert_eq!(proposal(&hall).result.as_deref(), Some("0-1"));
    let call = ClockCall {
        number: 3,
        side: None,
        what: CallKind::ResultWithdrawn,
    };
    hall.observe(1, Observation::Called(call));
    assert!(hall.view().proposals.is_empty());
}

#[test]
fn a_claimed_draw_says_what_the_record_says() {
    let mut hall = Hall::playing(1, |_| {});
    claim(&mut hall, 1, ClaimKind::Threefold, Some(Color::Black));
    let text = proposal(&hall).text;
    assert!(
        text.contains("White claims the position for the third time"),
        "{text}"
    );
    assert!(text.contains("time number 1: so it is not"), "{text}");
    assert!(hall.find(1, AlertKind::DrawClaim).is_some());
    decide(&mut hall, false);
    claim(&mut hall, 1, ClaimKind::FiftyMoves, Some(Color::White));
    let text = proposal(&hall).text;
    assert!(
        text.contains("0 moves of each side: so it is not"),
        "{text}"
    );
    assert!(text.contains("not his move"), "Black claims: {text}");
}

#[test]
fn claims_that_make_no_sense_are_refused() {
    let mut hall = Hall::playing(2, |_| {});
    let ask = |hall: &mut Hall, table, what, against| {
        let command = Command::Claim {
            table: TableNo(table),
            what,
            against,
            note: None,
        };
        hall.ask("Anna", command).unwrap_err()
    };
    let refused = ask(&mut hall, 1, ClaimKind::UnfairPlay, None);
    assert!(matches!(refused, Refused::Invalid(_)));
    let refused = ask(&mut hall, 1, ClaimKind::Other, None);
    assert!(matches!(refused, Refused::Invalid(_)));
    let refused = ask(&mut hall, 7, ClaimKind::Threefold, None);
    assert!(matches!(refused, Refused::NotFound { .. }));
    let result = Command::SetResult {
        table: TableNo(1),
        result: "1-0".to_owned(),
        termination: None,
        note: None,
    };
    hall.ask("Anna", result).unwrap();
    let refused = ask(&mut hall, 1, ClaimKind::IllegalMove, Some(Color::White));
    assert!(matches!(refused, Refused::Conflict(_)));
    // What a player did may come out later.
    claim(
        &mut hall,
        1,
        ClaimKind::ElectronicDevice,
        Some(Color::White),
    );
}

#[test]
fn pieces_that_stand_reversed_call_the_arbiter() {
    let mut hall = Hall::published(1, |_| {});
    let mut settings = flagfall_core::hub::HubSettings::default();
    let port = flagfall_core::hub::PortSettings {
        table: Some(TableNo(1)),
        turned: Some(false),
    };
    settings.ports.insert("port-1".to_owned(), port);
    hall.restart(settings);
    let stand = |hall: &mut Hall, placement: Placement| {
        let change = None;
        hall.observe(1, Observation::Placement { placement, change });
        hall.wait(5);
    };
    let start = Placement::new();
    assert!(start_position(&turned(&start)).is_some());
    stand(&mut hall, turned(&start));
    let (_, alert) = hall.alert(1, AlertKind::WrongColours);
    assert_eq!(alert.severity, Severity::Call);
    stand(&mut hall, start);
    assert!(hall.find(1, AlertKind::WrongColours).is_none(), "put right");
}

fn players_move(hall: &mut Hall, moves: &[&str]) {
    use shakmaty::{Chess, Position, uci::UciMove};

    let mut position = Chess::default();
    let show = |hall: &mut Hall, position: &Chess| {
        let placement = position.board().clone();
        let change = None;
        hall.observe(1, Observation::Placement { placement, change });
        hall.wait(5);
    };
    show(hall, &position);
    for uci in moves {
        let uci: UciMove = uci.parse().unwrap();
        position.play_unchecked(uci.to_move(&position).unwrap());
        show(hall, &position);
    }
}

#[test]
fn a_draw_before_the_move_that_the_event_allows_is_looked_at_first() {
    let mut hall = Hall::published(1, |event| {
        event.no_draw_before_move = Some(3);
        event.accept = [flagfall_core::tournament::event::ProposalKind::Result].into();
    });
    hall.ask("Chief", Command::StartRound).unwrap();
    players_move(&mut hall, &["e2e4", "e7e5", "g1f3"]);
    assert_eq!(hall.view().tables[0].ply, 3);
    let draw = |note: Option<&str>| Command::SetResult {
        table: TableNo(1),
        result: "1/2-1/2".to_owned(),
        termination: Some("agreement".to_owned()),
        note: note.map(str::to_owned),
    };
    let offer = ClockCall {
        number: 1,
        side: Some(ClockSide::Left),
        what: CallKind::DrawOffer,
    };
    hall.observe(1, Observation::Called(offer));
    assert_eq!(
        hall.alert(1, AlertKind::EarlyDraw).1.severity,
        Severity::Warning
    );
    let alert = hall.alert(1, AlertKind::EarlyDraw).0;
    hall.ask("Anna", Command::CloseAlert { alert }).unwrap();

    let entered = ClockCall {
        what: CallKind::Draw,
        ..offer
    };
    hall.observe(1, Observation::Called(entered));
    let (_, alert) = hall.alert(1, AlertKind::EarlyDraw);
    assert_eq!(alert.severity, Severity::Call);
    assert!(
        alert
            .text
            .contains("move 2: this event allows it from move 3"),
        "{}",
        alert.text
    );
    assert!(proposal(&hall).result.is_some(), "not accepted by itself");
    decide(&mut hall, false);

    let refused = hall.ask("Anna", draw(None)).unwrap_err();
    assert!(
        refused.to_string().contains("say why in a note"),
        "{refused}"
    );
    hall.ask("Anna", draw(Some("Black fell ill"))).unwrap();

    // Move 3 is allowed, and a stalemate, a win or an unknown record are nobody's agreement.
    let mut hall = Hall::published(1, |event| event.no_draw_before_move = Some(3));
    hall.ask("Chief", Command::StartRound).unwrap();
    players_move(&mut hall, &["e2e4", "e7e5", "g1f3", "b8c6"]);
    hall.ask("Anna", draw(None)).unwrap();
}

#[test]
fn each_absent_player_is_asked_for_once_at_default_time() {
    let mut hall = Hall::published(3, |event| {
        event.default_time = DefaultTime::After(Duration::from_mins(10));
    });
    hall.ask("Chief", Command::StartRound).unwrap();
    hall.clock(1, 900, 900, Some(Color::White));
    hall.clock(2, 900, 900, Some(Color::White));
    hall.clock(2, 903, 900, Some(Color::Black));
    hall.clock(3, 900, 900, None);
    hall.wait(599);
    assert!(hall.view().proposals.is_empty());
    hall.wait(2);
    let found: Vec<(u16, Option<String>)> = (hall.view().proposals.into_iter())
        .map(|proposal| (proposal.table.0, proposal.result))
        .collect();
    assert_eq!(
        found,
        [(1, Some("-/+".to_owned())), (2, Some("+/-".to_owned()))]
    );
    let text = &hall.alert(3, AlertKind::NotStarted).1.text;
    assert!(
        text.contains("The clock does not run. Who is absent?"),
        "{text}"
    );
    hall.wait(3600);
    assert_eq!(hall.view().proposals.len(), 2, "asked once");
}

#[test]
fn until_fewer_than_half_play_nobody_is_absent() {
    let mut hall = Hall::published(4, |event| event.default_time = DefaultTime::UntilHalf);
    hall.ask("Chief", Command::StartRound).unwrap();
    hall.clock(4, 300, 300, Some(Color::White));
    for (table, open) in [(1, 3), (2, 2), (3, 1)] {
        hall.wait(600);
        assert!(hall.view().proposals.is_empty(), "{open} are still played");
        let result = Command::SetResult {
            table: TableNo(table),
            result: "1-0".to_owned(),
            termination: None,
            note: None,
        };
        hall.ask("Anna", result).unwrap();
    }
    assert_eq!(proposal(&hall).result.as_deref(), Some("-/+"));
}
