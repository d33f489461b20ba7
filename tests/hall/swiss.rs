//! A Swiss in the hub, nine rounds of a hundred tables: each round is legal, and it is what
//! `flagfall pair` makes of the report file that the hub writes.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write as _,
    process::{Command, Stdio},
    time::Duration,
};

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command as HubCommand, Refused, Request},
        event::{Event, Fact, RoundFact, SetUp},
        state::HallState,
    },
    pairing::{Acceleration, Forbidden, words::Language},
    tournament::{
        Bye, EventSettings, PairingSystem, Player,
        event::{DefaultTime, ProposalKind, RequestedBye},
        trf::ReportOptions,
    },
    types::{Mono, Now, PlayerNo, RoundNo, TableNo},
};
use jiff::tz::TimeZone;

use crate::place::BIN;

const PLAYERS: u16 = 201;
const ROUNDS: u16 = 9;

struct Event100 {
    hub: Hub,
    journal: Vec<Event>,
    now: Duration,
    chance: u64,
}

impl Event100 {
    fn new(change: impl FnOnce(&mut EventSettings)) -> Self {
        let mut settings = EventSettings::new("Swiss", "open".parse().unwrap(), Some("5+3"));
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(ROUNDS);
        settings.default_time = DefaultTime::None;
        settings.byes.insert(RequestedBye::Full);
        change(&mut settings);
        let players = (1..=PLAYERS)
            .map(|no| Player {
                rating: Some(2600 - no * 5),
                ..Player::new(PlayerNo(no), format!("Player {no}"))
            })
            .collect();
        let mut event = Self {
            hub: Hub::new(
                HubSettings::default(),
                HallState::default(),
                at(Duration::ZERO),
            ),
            journal: Vec::new(),
            now: Duration::ZERO,
            chance: 7,
        };
        let now = event.tick();
        event.hub.handle_set_up(now, SetUp { settings, players });
        event.drain();
        event
    }

    fn tick(&mut self) -> Now {
        self.now += Duration::from_secs(1);
        at(self.now)
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    fn ask(&mut self, command: HubCommand) -> Result<(), Refused> {
        let now = self.tick();
        let by = "arbiter".to_owned();
        let done = self.hub.handle_request(now, Request { by, command });
        self.drain();
        done
    }

    fn random(&mut self, below: u64) -> u64 {
        self.chance ^= self.chance << 13;
        self.chance ^= self.chance >> 7;
        self.chance ^= self.chance << 17;
        self.chance % below
    }

    /// Plays the round that is public.
    fn play(&mut self) {
        self.ask(HubCommand::StartRound).unwrap();
        let round = self.hub.state().round().unwrap();
        let tables: Vec<TableNo> = round.games.keys().copied().collect();
        for table in tables {
            let result = match self.random(100) {
                0..=44 => "1-0",
                45..=69 => "1/2-1/2",
                70..=96 => "0-1",
                97 => "+/-",
                98 => "-/+",
                _ => "-/-",
            };
            self.ask(HubCommand::SetResult {
                table,
                result: result.to_owned(),
                termination: None,
                note: None,
            })
            .unwrap();
        }
    }

    fn close(&mut self) {
        let round = self.hub.state().round().unwrap().number;
        self.ask(HubCommand::CloseRound { round }).unwrap();
    }

    /// What the hub has drafted, as `flagfall pair` prints it.
    fn draft(&self) -> (BTreeSet<(u16, u16)>, Option<u16>) {
        let pairing = &self.hub.state().round().unwrap().pairing;
        let pairs = pairing.pairs.iter();
        (
            pairs.map(|pair| (pair.white.0, pair.black.0)).collect(),
            pairing.bye.as_ref().map(|bye| bye.player.0),
        )
    }

    fn report(&self, legacy: bool) -> Vec<u8> {
        let options = ReportOptions {
            legacy,
            ..ReportOptions::default()
        };
        self.hub.report(options, &TimeZone::UTC).unwrap().unwrap()
    }
}

fn at(mono: Duration) -> Now {
    let start: jiff::Timestamp = "2026-12-05T08:00:00Z".parse().unwrap();
    Now {
        mono: Mono(mono),
        utc: start + mono,
    }
}

/// The pairs and the bye that the program makes of a report file.
fn pair(report: &[u8]) -> (BTreeSet<(u16, u16)>, Option<u16>) {
    let mut program = Command::new(BIN)
        .args(["pair", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program.stdin.take().unwrap().write_all(report).unwrap();
    let output = program.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert_eq!(said, "", "a report of ours has nothing to remark on");
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    let count: usize = lines.next().unwrap().parse().unwrap();
    let mut pairs = BTreeSet::new();
    let mut bye = None;
    for line in lines {
        let (white, black) = line.split_once(' ').unwrap();
        match (white.parse().unwrap(), black.parse().unwrap()) {
            (player, 0) => bye = Some(player),
            pair => drop(pairs.insert(pair)),
        }
    }
    assert_eq!(count, pairs.len() + usize::from(bye.is_some()));
    (pairs, bye)
}

fn nine_rounds(mut event: Event100, legacy: bool) -> Event100 {
    let mut met = BTreeSet::new();
    let mut had_bye = BTreeSet::new();
    event.ask(HubCommand::PairRound).unwrap();
    for number in 1..=ROUNDS {
        if number == 3 {
            event
                .ask(HubCommand::WithdrawPlayer {
                    player: PlayerNo(17),
                })
                .unwrap();
        }
        if number == 6 {
            event
                .ask(HubCommand::ReturnPlayer {
                    player: PlayerNo(17),
                })
                .unwrap();
        }
        let asked = [
            (2, 5, Bye::Half),
            (4, 60, Bye::Full),
            (4, 61, Bye::Zero),
            (7, 5, Bye::Half),
        ];
        for (round, player, bye) in asked {
            // Said a round ahead, so that it stands in the report before its round is paired.
            if round == number + 1 || round == number {
                let command = HubCommand::SetBye {
                    player: PlayerNo(player),
                    round: RoundNo(round),
                    bye: Some(bye),
                };
                event.ask(command).unwrap();
            }
        }
        let (pairs, bye) = event.draft();
        assert_eq!(
            (pairs.clone(), bye),
            pair(&event.report(legacy)),
            "round {number}"
        );
        let unpaired = event.hub.state().round().unwrap().pairing.unpaired.clone();
        let mut seen = BTreeSet::new();
        for player in (pairs.iter().flat_map(|(white, black)| [*white, *black]))
            .chain(bye)
            .chain(unpaired.iter().map(|unpaired| unpaired.player.0))
        {
            assert!(seen.insert(player), "round {number}: {player} stands twice");
        }
        assert_eq!(seen.len(), usize::from(PLAYERS), "round {number}");
        assert!(
            bye.is_none_or(|player| had_bye.insert(player)),
            "a second bye"
        );
        for away in asked.iter().filter(|(round, ..)| *round == number) {
            assert!(
                unpaired.iter().any(|it| it.player.0 == away.1),
                "round {number}"
            );
        }
        assert_eq!(
            unpaired.iter().any(|it| it.player == PlayerNo(17)),
            (3..6).contains(&number)
        );
        event.ask(HubCommand::PublishRound).unwrap();
        event.play();
        for game in event.hub.state().round().unwrap().games.values() {
            let (result, _) = game.result.unwrap();
            let pair = (game.white.min(game.black), game.white.max(game.black));
            assert!(!met.contains(&pair), "round {number}: {pair:?} met before");
            if result.is_played() {
                met.insert(pair);
            }
        }
        event.close();
    }
    event
}

#[test]
fn nine_rounds_are_legal_and_the_report_pairs_the_same() {
    let event = nine_rounds(Event100::new(|_| {}), false);
    let lots: Vec<&Event> = event
        .journal
        .iter()
        .filter(|event| matches!(event.fact, Fact::Round(RoundFact::Lot { .. })))
        .collect();
    assert_eq!(lots.len(), 1, "the lot is drawn once");
    let mut again = HallState::default();
    for event in &event.journal {
        let text = serde_json::to_string(event).unwrap();
        again.apply(&serde_json::from_str(&text).unwrap());
    }
    assert_eq!(&again, event.hub.state());
    // Half a point for each half-point bye: 5 had two and the file says so.
    let report = String::from_utf8(event.report(false)).unwrap();
    let row = report
        .lines()
        .find(|line| line.starts_with("001    5 "))
        .unwrap();
    assert_eq!(row.matches("0000 - H").count(), 2, "{row}");
    let mut check = Command::new(BIN)
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    check
        .stdin
        .take()
        .unwrap()
        .write_all(report.as_bytes())
        .unwrap();
    let output = check.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert_eq!(
        said.matches("the same").count(),
        usize::from(ROUNDS),
        "{said}"
    );
}

#[test]
fn acceleration_forbidden_pairs_and_the_older_form_go_through_the_file() {
    let apart = [PlayerNo(1), PlayerNo(101)];
    let event = Event100::new(|settings| {
        settings.acceleration = Acceleration::Baku { last: None };
        settings.initial_colour = Some(flagfall_core::types::Color::Black);
        settings.forbidden = vec![Forbidden {
            players: apart.to_vec(),
            first: RoundNo(1),
            last: None,
        }];
    });
    let event = nine_rounds(event, false);
    assert!(
        !event
            .journal
            .iter()
            .any(|event| matches!(event.fact, Fact::Round(RoundFact::Lot { .. }))),
        "no lot where the event says it"
    );
    for round in &event.hub.state().rounds {
        for game in round.games.values() {
            assert!(!(apart.contains(&game.white) && apart.contains(&game.black)));
        }
    }
}

#[test]
fn an_open_table_is_named_and_a_draft_is_held_back() {
    let mut event = Event100::new(|_| {});
    event.ask(HubCommand::PairRound).unwrap();
    let now = event.tick();
    assert!(event.hub.table_view(TableNo(1), now).draft);
    event.ask(HubCommand::PublishRound).unwrap();
    assert!(!event.hub.table_view(TableNo(1), now).draft);
    let refused = event.ask(HubCommand::PairRound).unwrap_err().to_string();
    assert!(
        refused.contains("results are missing at tables 1, 2, 3"),
        "{refused}"
    );
    let refused = event.ask(HubCommand::SetBye {
        player: PlayerNo(1),
        round: RoundNo(1),
        bye: Some(Bye::Half),
    });
    assert!(matches!(refused, Err(Refused::Conflict(_))), "{refused:?}");
    let unknown = event.ask(HubCommand::WithdrawPlayer {
        player: PlayerNo(999),
    });
    assert!(
        matches!(unknown, Err(Refused::NotFound { .. })),
        "{unknown:?}"
    );
    let view = |language| event.hub.pairing_view(RoundNo(1), language).unwrap();
    let (english, ukrainian) = (view(Language::English), view(Language::Ukrainian));
    assert_eq!(english.pairs.len(), 100);
    assert!(
        english.pairs[0].why.starts_with("Bracket 1 "),
        "{:?}",
        english.pairs[0]
    );
    assert!(
        ukrainian.pairs[0].why.starts_with("Група 1 "),
        "{:?}",
        ukrainian.pairs[0]
    );
    assert!(english.bye.is_some() && english.initial_colour.is_some());
}

#[test]
fn nobody_there_is_said_in_words() {
    let mut event = Event100::new(|settings| {
        settings.accept.insert(ProposalKind::Pairing);
    });
    for no in 2..=PLAYERS {
        event
            .ask(HubCommand::WithdrawPlayer {
                player: PlayerNo(no),
            })
            .unwrap();
    }
    let refused = event.ask(HubCommand::PairRound).unwrap_err().to_string();
    assert!(
        refused.contains("nobody can be paired in round 1"),
        "{refused}"
    );
    for no in 2..=PLAYERS {
        event
            .ask(HubCommand::ReturnPlayer {
                player: PlayerNo(no),
            })
            .unwrap();
    }
    event.ask(HubCommand::PairRound).unwrap();
    event.ask(HubCommand::PublishRound).unwrap();
    event.play();
    event.close();
    let round = event.hub.state().round().unwrap();
    assert!(
        round.number == RoundNo(2) && round.published,
        "at once, as the event says"
    );
    // A bye of one round does not reach into the standings before that round is public.
    let points: BTreeMap<PlayerNo, String> = event
        .hub
        .standings()
        .into_iter()
        .map(|line| (line.player.no, line.points))
        .collect();
    assert_eq!(points.len(), usize::from(PLAYERS));
}
