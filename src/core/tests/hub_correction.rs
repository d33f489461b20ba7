//! Corrections of a clock: ordered with exact figures, sent or set by hand, done when the clock shows them,
//! late after a minute (R-CK-4); and changes that nothing explains (R-CK-5).

#[path = "support/clocked_tables.rs"]
mod clocked_tables;
#[path = "support/hub_table.rs"]
mod hub_table;

use std::time::Duration;

use clocked_tables::SECOND;
use flagfall_core::{
    clock::Change,
    hub::{
        Hub, HubSettings,
        command::{Command, CorrectionAsked, Refused, Request},
        event::{AlertKind, BySide, CorrectionFact, Fact, Way},
        view::CorrectionView,
    },
    protocol::{Added, ClockCommand, ClockCommandOutcome, ClockSide, Observation},
    types::TableNo,
};
use hub_table::{Table, face, kinds};
use shakmaty::{Role, Square};

const TWO_MINUTES: u64 = 120_000;

fn for_black() -> Change {
    Change::Add {
        white_ms: 0,
        black_ms: 120_000,
    }
}

impl Table {
    fn order(&mut self, change: Change) -> Result<(), Refused> {
        let command = Command::CorrectClock {
            table: TableNo(1),
            correction: CorrectionAsked {
                change,
                moves: BySide::default(),
                why: "illegal move by White".to_owned(),
            },
        };
        let by = "Vira".to_owned();
        let now = self.now();
        let done = self.desk.hub.handle_request(now, Request { by, command });
        self.desk.drain();
        done
    }

    fn open(&self) -> Option<CorrectionView> {
        let view = self.desk.hub.table_view(TableNo(1), self.now());
        view.correction
    }

    fn commands(&mut self) -> Vec<ClockCommand> {
        let mut commands = Vec::new();
        while let Some((port, command)) = self.desk.hub.poll_clock_command() {
            assert_eq!(port, "port");
            commands.push(command);
        }
        commands
    }

    fn answers(&mut self, outcome: ClockCommandOutcome) {
        let now = self.now();
        self.desk.see(now, Observation::ClockCommand(outcome));
    }

    fn done(&self) -> Option<Duration> {
        self.facts().find_map(|fact| match fact {
            Fact::CorrectionOrder(CorrectionFact::Done { took, .. }) => Some(*took),
            _ => None,
        })
    }

    /// What explains each change of times, in their order.
    fn explained(&self) -> Vec<bool> {
        let changes = self.facts().filter_map(|fact| match fact {
            Fact::Correction { decision, .. } => Some(decision.is_some()),
            _ => None,
        });
        changes.collect()
    }
}

fn playing() -> Table {
    let mut table = Table::new("5", 300);
    table.start();
    table.plays("e4 e5 Nf3");
    table
}

#[test]
fn a_penalty_is_set_by_hand_from_a_card_with_exact_figures() {
    let mut table = playing();
    table.order(for_black()).unwrap();
    let sent = table.commands();
    let [ClockCommand::SetTimes { left, right, run }] = sent[..] else {
        panic!("{sent:?}");
    };
    assert_eq!(left, table.reading.left.time);
    assert_eq!(right, table.reading.right.time + SECOND * 120);
    assert_eq!(run, Some(ClockSide::Right));
    // It runs in its own option: a clock of a tournament is not set from afar.
    table.answers(ClockCommandOutcome::Refused);
    let card = table.open().unwrap();
    assert_eq!(card.answer.as_deref(), Some("refused"));
    assert_eq!(
        (card.white_ms, card.black_ms),
        (None, None),
        "the time runs"
    );
    assert_eq!((card.white_moves, card.black_moves), (Some(2), Some(1)));
    table.wait(5);
    table.stop();
    let shown = table.reading.right.time;
    let card = table.open().unwrap();
    let must = shown.as_millis() as u64 + TWO_MINUTES;
    assert_eq!(card.black_ms, Some(must));
    table.wait(10);
    // Digit by digit; White's is as it was.
    table.reading.right.time = shown + SECOND * 60;
    table.tell();
    table.wait(2);
    table.reading.right.time = shown + SECOND * 120;
    table.tell();
    assert_eq!(table.done(), Some(SECOND * 17));
    table.wait(5);
    table.start();
    table.wait(3);
    assert_eq!(table.open(), None);
    assert_eq!(table.alerts(), []);
    assert!(table.explained().iter().all(|explained| *explained));
    table.check_journal();
}

#[test]
fn an_order_that_is_not_on_the_clock_after_a_minute_is_an_alert_until_it_is() {
    let mut table = playing();
    table.order(for_black()).unwrap();
    table.wait(59);
    assert_eq!(table.alerts(), []);
    table.wait(2);
    assert_eq!(kinds(&table.alerts()), [AlertKind::CorrectionOpen]);
    table.stop();
    table.reading.right.time += SECOND * 120;
    table.tell();
    table.wait(4);
    assert_eq!(table.alerts(), []);
    assert!(table.done().is_some_and(|took| took > SECOND * 60));
    table.check_journal();
}

#[test]
fn a_clock_that_goes_on_with_other_figures_is_told_and_the_rest_stays_ordered() {
    let mut table = playing();
    table.order(for_black()).unwrap();
    table.stop();
    table.wait(4);
    let shown = table.reading.right.time;
    // Twenty seconds too few.
    table.reading.right.time = shown + SECOND * 100;
    table.tell();
    table.wait(5);
    assert_eq!(table.alerts(), [], "it is still being set");
    table.start();
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::CorrectionOpen]);
    let left = table.open().unwrap();
    assert_eq!((left.add_white_ms, left.add_black_ms), (0, 20_000));
    table.wait(3);
    table.stop();
    table.wait(4);
    table.reading.right.time += SECOND * 20;
    table.tell();
    assert_eq!(table.open(), None);
    assert_eq!(table.alerts(), []);
    table.check_journal();
}

#[test]
fn a_change_that_nobody_ordered_is_an_alert_until_it_is_explained() {
    let mut table = playing();
    table.stop();
    table.wait(4);
    table.reading.right.time += SECOND * 120;
    table.tell();
    table.wait(4);
    let alerts = table.alerts();
    assert_eq!(kinds(&alerts), [AlertKind::Correction]);
    assert!(alerts[0].1.contains("Black +0:02:00"), "{alerts:?}");
    assert_eq!(table.explained(), [false]);
    table.start();
    table.wait(20);
    table.order(for_black()).unwrap();
    assert_eq!(table.alerts(), []);
    assert_eq!(table.open(), None, "it is on the clock already");
    assert_eq!(table.commands(), []);
    table.check_journal();
}

#[test]
fn an_open_clock_is_told_what_to_add_and_done_when_it_shows_it() {
    let mut table = playing();
    table.put_open_clock();
    table.wait(2);
    table.order(for_black()).unwrap();
    let black = ClockSide::Right;
    let mut sent = Vec::new();
    while let Some((port, command)) = table.desk.hub.poll_clock_command() {
        assert_eq!(port, "clock");
        sent.push(command);
    }
    let moves = |side, moves| ClockCommand::SetMoves { side, moves };
    assert_eq!(
        sent,
        [
            ClockCommand::AddTime {
                side: black,
                ms: 120_000,
                why: Added::Penalty,
            },
            moves(ClockSide::Left, 2),
            moves(black, 1),
        ]
    );
    table.reading.right.time += SECOND * 120;
    table.wait(3);
    assert_eq!(table.open(), None);
    assert!(table.done().is_some());
    assert_eq!(table.alerts(), []);
    table.check_journal();
}

#[test]
fn exact_times_for_both_sides_and_a_word_of_withdrawal() {
    let mut table = playing();
    let set = Change::Set {
        white_ms: 250_000,
        black_ms: 200_000,
    };
    table.order(set).unwrap();
    let card = table.open().unwrap();
    assert_eq!(
        (card.white_ms, card.black_ms),
        (Some(250_000), Some(200_000))
    );
    let again = table.order(for_black());
    assert!(matches!(again, Err(Refused::Conflict(_))), "{again:?}");
    let now = table.now();
    let withdrawn = Command::CancelCorrection { table: TableNo(1) };
    table.desk.ask(now, withdrawn);
    assert_eq!(table.open(), None);
    table.order(set).unwrap();
    table.stop();
    table.wait(4);
    table.reading.left = face(250);
    table.reading.right = face(200);
    table.tell();
    assert!(table.done().is_some());
    table.wait(4);
    assert_eq!(table.alerts(), []);
    table.check_journal();
}

#[test]
fn an_accepted_illegal_move_orders_its_penalty() {
    let mut table = playing();
    table.plays("Nc6");
    let before = table.position.clone();
    let mut board = shakmaty::Position::board(&before).clone();
    let rook = board.remove_piece_at(Square::A1).unwrap();
    assert_eq!(rook.role, Role::Rook);
    board.set_piece_at(Square::A4, rook);
    table.show_board(&board);
    table.wait(3);
    table.press();
    table.wait(5);
    // The illegal move, and then the time that the opponent gets for it.
    for _ in 0..2 {
        let proposal = *table.desk.hub.state().proposals.keys().next_back().unwrap();
        let decide = Command::Decide {
            proposal,
            accept: true,
            result: None,
            note: None,
        };
        let now = table.now();
        table.desk.ask(now, decide);
    }
    let card = table.open().unwrap();
    assert_eq!((card.add_white_ms, card.add_black_ms), (0, 120_000));
    assert_eq!(card.why, "penalty of White");
    assert_eq!(card.by, "Vira");
    table.check_journal();
}

#[test]
fn an_order_survives_the_hub_and_ends_with_the_game() {
    let mut table = playing();
    table.order(for_black()).unwrap();
    table.commands();
    let state = table.desk.hub.state().clone();
    let mut hub = Hub::new(HubSettings::default(), state, table.now());
    let due = hub.poll_timeout();
    assert!(due.is_some());
    let later = clocked_tables::at(table.now().mono.0 + SECOND * 61);
    hub.handle_timeout(later);
    let open: Vec<_> = hub.state().alerts.values().map(|it| it.about).collect();
    assert!(open.contains(&AlertKind::CorrectionOpen), "{open:?}");
    let entered = Command::SetResult {
        table: TableNo(1),
        result: "1-0".to_owned(),
        termination: None,
        note: None,
    };
    let now = table.now();
    table.desk.ask(now, entered);
    assert_eq!(table.open(), None);
    let ways = table.facts().filter_map(|fact| match fact {
        Fact::CorrectionOrder(CorrectionFact::Ordered(order)) => Some(order.way),
        _ => None,
    });
    assert_eq!(ways.collect::<Vec<_>>(), [Way::Sent]);
    table.check_journal();
}

#[test]
fn orders_that_make_no_sense_are_refused() {
    let mut table = playing();
    let nothing = Change::Add {
        white_ms: 0,
        black_ms: 0,
    };
    let long = Change::Set {
        white_ms: 36_000_000,
        black_ms: 0,
    };
    for change in [nothing, long] {
        assert!(matches!(table.order(change), Err(Refused::Invalid(_))));
    }
    assert_eq!(table.open(), None);
}
