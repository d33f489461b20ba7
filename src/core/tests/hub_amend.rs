//! Corrections of what was public: foreseen, made, in the record, taken back; and that the journal alone
//! gives the same table.

// What is missing in an event that is written here must fail loudly.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{AmendmentAsked, Command, Refused, Request},
        event::{Event, SetUp},
        record::Record,
        state::HallState,
        view::{EventTable, TableState},
    },
    pairing::words::Language,
    tournament::{Bye, EventSettings, Player, event::DefaultTime, standings::CellKind},
    types::{Color, Mono, Now, PlayerNo, RoundNo, TableNo},
};
use jiff::Timestamp;
use proptest::prelude::*;

struct Open {
    hub: Hub,
    journal: Vec<Event>,
    now: Duration,
}

fn at(after: Duration) -> Now {
    Now {
        mono: Mono(after),
        utc: Timestamp::from_second(1_800_000_000 + after.as_secs().cast_signed()).unwrap(),
    }
}

impl Open {
    fn new(players: u16) -> Self {
        let mut settings = EventSettings::new("Open", "open".parse().unwrap(), Some("5+3"));
        settings.system = "dutch".parse().unwrap();
        settings.rounds = Some(5);
        settings.default_time = DefaultTime::None;
        settings.initial_colour = Some(Color::White);
        settings.tie_breaks = ["BH", "SB", "WIN", "DE"]
            .map(|code| code.parse().unwrap())
            .to_vec();
        let players = (1..=players)
            .map(|no| Player {
                rating: Some(2400 - no * 10),
                ..Player::new(PlayerNo(no), format!("Player {no}"))
            })
            .collect();
        let start = at(Duration::ZERO);
        let mut open = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), start),
            journal: Vec::new(),
            now: Duration::ZERO,
        };
        open.set_up(SetUp { settings, players });
        open.ask(Command::PairRound).unwrap();
        open
    }

    fn set_up(&mut self, set_up: SetUp) {
        self.now += Duration::from_secs(1);
        self.hub.handle_set_up(at(self.now), set_up);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        self.now += Duration::from_secs(1);
        let by = "Anna".to_owned();
        let done = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
        done
    }

    fn amend(&mut self, asked: AmendmentAsked) -> Result<u64, Refused> {
        let note = "the slip was read wrongly".to_owned();
        self.ask(Command::Amend { asked, note })?;
        Ok(*self.hub.state().amendments.all.keys().next_back().unwrap())
    }

    fn revert(&mut self, amendment: u64) -> Result<(), Refused> {
        let note = "it was right after all".to_owned();
        self.ask(Command::RevertAmendment { amendment, note })
    }

    /// Publishes and plays the current draft; White wins unless `draws`.
    fn play(&mut self, draws: bool) {
        self.ask(Command::PublishRound).unwrap();
        self.ask(Command::StartRound).unwrap();
        let round = self.hub.state().round().unwrap();
        let number = round.number;
        let tables: Vec<TableNo> = round.games.keys().copied().collect();
        for table in tables {
            let result = if draws { "1/2-1/2" } else { "1-0" }.to_owned();
            self.ask(Command::SetResult {
                table,
                result,
                termination: None,
                note: None,
            })
            .unwrap();
        }
        self.ask(Command::CloseRound { round: number }).unwrap();
    }

    fn table(&self) -> EventTable {
        self.hub.event_table(None).unwrap()
    }

    fn points(&self, no: u16) -> String {
        self.table().line(PlayerNo(no)).unwrap().points.clone()
    }

    fn seats(&self, round: u16, table: u16) -> (u16, u16) {
        let round = &self.hub.state().rounds[usize::from(round) - 1];
        let game = &round.games[&TableNo(table)];
        (game.white.0, game.black.0)
    }

    fn replayed(&self) -> EventTable {
        let mut state = HallState::default();
        for event in &self.journal {
            let text = serde_json::to_string(event).unwrap();
            state.apply(&serde_json::from_str(&text).unwrap());
        }
        let hub = Hub::new(HubSettings::default(), state, at(self.now));
        hub.event_table(None).unwrap()
    }

    fn record(&self, language: Language) -> Vec<String> {
        let mut record = Record::new(language);
        for event in &self.journal {
            record.apply(event);
        }
        let kinds = ["amendment", "result", "list"];
        (record.finish().into_iter())
            .filter(|line| kinds.contains(&line.kind.as_str()))
            .map(|line| format!("{}: {}", line.by, line.text))
            .collect()
    }
}

fn result(round: u16, table: u16, result: &str) -> AmendmentAsked {
    AmendmentAsked::Result {
        round: RoundNo(round),
        table: TableNo(table),
        result: result.to_owned(),
        termination: None,
    }
}

#[test]
fn a_result_is_put_right_after_the_next_round_was_paired_and_back() {
    let mut open = Open::new(8);
    open.play(false);
    open.ask(Command::PublishRound).unwrap();
    let before = open.table();
    assert_eq!(before.state, TableState::Running { open: 4 });
    let (white, black) = open.seats(1, 1);

    let asked = result(1, 1, "0-1");
    let view = open
        .hub
        .amendment_view(at(open.now), &asked, Language::English)
        .unwrap();
    assert_eq!(view.text, "Round 1, table 1: result 1-0 → 0-1.");
    assert_eq!(
        view.consequences,
        ["Round 2 was paired before: its published pairing stays."]
    );
    let changed = |no: u16| {
        let found = view.places.iter().find(|it| it.player.no.0 == no).unwrap();
        (found.points_before.as_str(), found.points_after.as_str())
    };
    assert_eq!(changed(white), ("1.0", "0.0"));
    assert_eq!(changed(black), ("0.0", "1.0"));
    assert_eq!(open.table(), before, "looking changes nothing");

    let pairs = open.hub.state().rounds[1].pairing.clone();
    let number = open.amend(asked.clone()).unwrap();
    assert_eq!(open.points(white), "0.0");
    assert_eq!(open.points(black), "1.0");
    assert_eq!(open.hub.state().rounds[1].pairing, pairs);
    assert_eq!(open.replayed(), open.table());
    let again = open.amend(asked).unwrap_err().to_string();
    assert_eq!(again, "that is what stands already");

    open.revert(number).unwrap();
    assert_eq!(open.table(), before);
    assert!(open.revert(number).is_err(), "only once");
    assert_eq!(open.replayed(), before);
    assert_eq!(
        open.record(Language::English),
        [
            "Anna: Round 1, table 1: result 1-0 → 0-1. Reason: the slip was read wrongly"
                .to_owned(),
            format!(
                "Anna: Correction {number} taken back. Round 1, table 1: result 0-1 → 1-0. Reason: \
                 it was right after all"
            ),
        ]
    );
}

#[test]
fn a_draft_is_paired_anew_from_what_was_put_right() {
    let mut open = Open::new(8);
    open.play(false);
    let draft = open.hub.state().round().unwrap().pairing.clone();
    assert!(!open.hub.state().round().unwrap().published);
    let number = open.amend(result(1, 1, "0-1")).unwrap();
    let anew = open.hub.state().round().unwrap().pairing.clone();
    assert_ne!(anew.pairs, draft.pairs);
    open.revert(number).unwrap();
    assert_eq!(open.hub.state().round().unwrap().pairing.pairs, draft.pairs);
}

#[test]
fn wrong_colours_leave_everybody_his_points() {
    let mut open = Open::new(6);
    open.play(false);
    let before = open.table();
    let (white, black) = open.seats(1, 2);
    let asked = AmendmentAsked::Colours {
        round: RoundNo(1),
        table: TableNo(2),
    };
    let number = open.amend(asked).unwrap();
    assert_eq!(open.seats(1, 2), (black, white));
    assert_eq!(
        (open.points(white), open.points(black)),
        ("1.0".into(), "0.0".into())
    );
    let line = open.table().line(PlayerNo(white)).unwrap().clone();
    assert_eq!(line.cells[0].colour, Some(Color::Black));
    assert_eq!(open.replayed(), open.table());
    open.revert(number).unwrap();
    assert_eq!(open.table(), before);
}

#[test]
fn two_of_one_name_are_put_in_their_places() {
    let mut open = Open::new(8);
    open.play(false);
    let (white, _) = open.seats(1, 1);
    let (_, other) = open.seats(1, 2);
    let before = open.table();
    let exchange = |first, second| AmendmentAsked::Exchange {
        round: RoundNo(1),
        first: PlayerNo(first),
        second: PlayerNo(second),
    };
    let number = open.amend(exchange(white, other)).unwrap();
    assert_eq!(open.seats(1, 1).0, other);
    assert_eq!(open.points(other), "1.0");
    assert_eq!(open.points(white), "0.0");
    assert_eq!(open.replayed(), open.table());
    // The first of two can only be taken back after the second.
    let (third, _) = open.seats(1, 3);
    let second = open.amend(exchange(white, third)).unwrap();
    assert!(matches!(open.revert(number), Err(Refused::Conflict(_))));
    open.revert(second).unwrap();
    open.revert(number).unwrap();
    assert_eq!(open.table(), before);
    let (white, black) = open.seats(1, 1);
    assert!(matches!(
        open.amend(exchange(white, black)),
        Err(Refused::Conflict(_))
    ));
}

#[test]
fn a_wrong_rating_found_in_round_3_keeps_the_numbers_and_outlives_the_list() {
    let mut open = Open::new(8);
    open.play(false);
    open.play(true);
    open.ask(Command::PublishRound).unwrap();
    let pairs = open.hub.state().rounds.clone();
    let listed = open.hub.state().set_up.clone().unwrap();
    let asked = AmendmentAsked::Player {
        player: PlayerNo(8),
        name: None,
        rating: Some(2555),
        fide_id: None,
        club: None,
    };
    let number = open.amend(asked).unwrap();
    let rating = |open: &Open| open.table().line(PlayerNo(8)).unwrap().player.rating;
    assert_eq!(rating(&open), Some(2555));
    assert_eq!(open.hub.state().rounds, pairs);
    // The file still says the old one, as after a restart.
    let seq = open.hub.state().seq;
    open.set_up(listed.clone());
    assert_eq!(open.hub.state().seq, seq, "nothing new");
    assert_eq!(rating(&open), Some(2555));
    // The file was put right too, and further.
    let mut right = listed.clone();
    right.players[7].rating = Some(2560);
    open.set_up(right);
    assert_eq!(rating(&open), Some(2560));
    assert!(matches!(open.revert(number), Err(Refused::Conflict(_))));
    assert_eq!(open.replayed(), open.table());
    assert_eq!(
        open.record(Language::Ukrainian),
        [
            "Anna: 8 Player 8: рейтинг 2320 → 2555. Підстава: the slip was read wrongly",
            ": 8 Player 8: рейтинг 2555 → 2560.",
        ]
    );
}

#[test]
fn who_was_withdrawn_by_mistake_comes_back_with_the_worth_of_what_he_missed() {
    let mut open = Open::new(7);
    open.play(false);
    open.ask(Command::WithdrawPlayer {
        player: PlayerNo(3),
    })
    .unwrap();
    open.play(false);
    open.ask(Command::ReturnPlayer {
        player: PlayerNo(3),
    })
    .unwrap();
    let missed = open.table().line(PlayerNo(3)).unwrap().cells[1].clone();
    assert_eq!(missed.kind, CellKind::Zero);
    let before = open.table();
    let asked = AmendmentAsked::Bye {
        round: RoundNo(2),
        player: PlayerNo(3),
        bye: Bye::Half,
    };
    let number = open.amend(asked).unwrap();
    let cell = open.table().line(PlayerNo(3)).unwrap().cells[1].clone();
    assert_eq!(
        (cell.kind, cell.score.as_deref()),
        (CellKind::Half, Some("½"))
    );
    assert_eq!(open.replayed(), open.table());
    open.revert(number).unwrap();
    assert_eq!(open.table(), before);
}

#[test]
fn what_cannot_be_put_right_is_refused_with_a_way_out() {
    let mut open = Open::new(6);
    open.play(false);
    let draft = open.amend(result(2, 1, "1-0")).unwrap_err().to_string();
    assert_eq!(draft, "round 2 is a draft: pair it again instead");
    for asked in [result(1, 9, "1-0"), result(7, 1, "1-0")] {
        assert!(matches!(open.amend(asked), Err(Refused::NotFound { .. })));
    }
    assert!(matches!(
        open.amend(result(1, 1, "2-0")),
        Err(Refused::Invalid(_))
    ));
    let seq = open.hub.state().seq;
    let asked = result(1, 1, "0-1");
    let silent = open.ask(Command::Amend {
        asked,
        note: " ".to_owned(),
    });
    assert!(matches!(silent, Err(Refused::Invalid(_))), "needs a reason");
    assert_eq!(open.hub.state().seq, seq);
}

#[test]
fn every_sentence_is_there_in_three_languages() {
    let mut open = Open::new(7);
    open.play(false);
    open.ask(Command::PublishRound).unwrap();
    let asked = [
        result(1, 1, "0-1"),
        AmendmentAsked::Colours {
            round: RoundNo(1),
            table: TableNo(2),
        },
        AmendmentAsked::Exchange {
            round: RoundNo(1),
            first: PlayerNo(1),
            second: PlayerNo(2),
        },
        AmendmentAsked::Player {
            player: PlayerNo(4),
            name: Some("Player 5".to_owned()),
            rating: Some(2001),
            fide_id: Some(14_100_000),
            club: Some("Kyiv".to_owned()),
        },
        AmendmentAsked::Bye {
            round: RoundNo(1),
            player: PlayerNo(7),
            bye: Bye::Zero,
        },
    ];
    for asked in asked {
        let view = |language| open.hub.amendment_view(at(open.now), &asked, language);
        let [en, uk, ru] = [Language::English, Language::Ukrainian, Language::Russian]
            .map(|language| view(language).unwrap());
        assert_eq!(en.consequences.len(), uk.consequences.len());
        for (en, (uk, ru)) in [&en.text].into_iter().chain(&en.consequences).zip(
            ([&uk.text].into_iter().chain(&uk.consequences))
                .zip([&ru.text].into_iter().chain(&ru.consequences)),
        ) {
            assert!(en != uk && en != ru, "{en}");
            for text in [uk, ru] {
                let cyrillic = |letter: char| ('а'..='я').contains(&letter);
                assert!(text.chars().any(cyrillic), "{text}");
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Whatever is put right and taken back in whatever order: the journal gives the same table.
    #[test]
    fn the_journal_gives_the_same_table(
        steps in prop::collection::vec((0_u8..6, 1_u16..4, 1_u16..5, 1_u16..9, 1_u16..9), 1..12)
    ) {
        let mut open = Open::new(8);
        open.play(false);
        open.play(true);
        open.ask(Command::PublishRound).unwrap();
        let first = open.table();
        let mut made = Vec::new();
        for (kind, round, table, one, other) in steps {
            let asked = match kind {
                0 => result(round, table, "0-1"),
                1 => result(round, table, "1/2-1/2"),
                2 => AmendmentAsked::Colours { round: RoundNo(round), table: TableNo(table) },
                3 => AmendmentAsked::Exchange {
                    round: RoundNo(round), first: PlayerNo(one), second: PlayerNo(other),
                },
                4 => AmendmentAsked::Player {
                    player: PlayerNo(one), name: None, rating: Some(1000 + other), fide_id: None,
                    club: None,
                },
                _ => {
                    if let Some(last) = made.pop() {
                        open.revert(last).unwrap();
                    }
                    continue;
                }
            };
            if let Ok(number) = open.amend(asked) {
                made.push(number);
            }
            prop_assert_eq!(open.replayed(), open.table());
        }
        // All the way back, last first.
        while let Some(last) = made.pop() {
            open.revert(last).unwrap();
        }
        prop_assert_eq!(open.table(), first);
    }
}
