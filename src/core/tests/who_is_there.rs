//! Withdrawals, returns and byes as the console shows them, and what strangers see of the rounds.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Refused, Request},
        event::SetUp,
        state::HallState,
        view::{EntryView, PublicRound},
    },
    tournament::{
        Bye, EventSettings, PairingSystem, Player,
        event::{DefaultTime, RequestedBye},
    },
    types::{Mono, Now, PlayerNo, RoundNo},
};

struct Arbiter(Hub);

fn now() -> Now {
    Now {
        mono: Mono::ZERO,
        utc: "2026-12-05T08:00:00Z".parse().unwrap(),
    }
}

impl Arbiter {
    fn new(players: u16, change: impl FnOnce(&mut EventSettings)) -> Self {
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), Some("5+3"));
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(3);
        settings.default_time = DefaultTime::None;
        change(&mut settings);
        let players = (1..=players)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hub = Hub::new(HubSettings::default(), HallState::default(), now());
        hub.handle_set_up(now(), SetUp { settings, players });
        Self(hub)
    }

    fn ask(&mut self, command: Command) -> Result<(), Refused> {
        let by = "Vira".to_owned();
        self.0.handle_request(now(), Request { by, command })
    }

    fn bye(&mut self, player: u16, round: u16, bye: Option<Bye>) -> Result<(), Refused> {
        let (player, round) = (PlayerNo(player), RoundNo(round));
        self.ask(Command::SetBye { player, round, bye })
    }

    fn withdraw(&mut self, player: u16) -> Result<(), Refused> {
        let player = PlayerNo(player);
        self.ask(Command::WithdrawPlayer { player })
    }

    fn bring_back(&mut self, player: u16) -> Result<(), Refused> {
        let player = PlayerNo(player);
        self.ask(Command::ReturnPlayer { player })
    }

    fn play(&mut self) {
        self.ask(Command::PublishRound).unwrap();
        self.ask(Command::StartRound).unwrap();
        let round = self.0.state().round().unwrap();
        let number = round.number;
        for table in round.games.keys().copied().collect::<Vec<_>>() {
            let command = Command::SetResult {
                table,
                result: "1-0".into(),
                termination: None,
                note: None,
            };
            self.ask(command).unwrap();
        }
        self.ask(Command::CloseRound { round: number }).unwrap();
    }

    fn entry(&self, player: u16) -> EntryView {
        let view = self.0.players_view();
        let mut entries = view.players.into_iter();
        entries.find(|it| it.player.no == PlayerNo(player)).unwrap()
    }

    fn outdated(&self) -> Vec<u16> {
        let draft = self.0.players_view().draft.unwrap();
        draft.outdated.iter().map(|player| player.no.0).collect()
    }

    fn public(&self, round: u16) -> Option<PublicRound> {
        self.0.public_round(RoundNo(round))
    }
}

#[test]
fn a_withdrawal_is_shown_with_its_round_and_can_be_undone() {
    let mut hall = Arbiter::new(6, |_| {});
    hall.ask(Command::PairRound).unwrap();
    hall.play();
    hall.withdraw(3).unwrap();
    assert_eq!(hall.entry(3).withdrawn_since, Some(RoundNo(2)));
    assert_eq!(hall.entry(3).seat, None, "the draft is paired anew");
    assert_eq!(hall.outdated(), [0_u16; 0]);
    assert_eq!(hall.0.hall_view(now()).event.unwrap().away, 1);
    hall.bring_back(3).unwrap();
    assert_eq!(hall.entry(3).withdrawn_since, None);
    assert!(!hall.entry(3).seat.unwrap().published);

    hall.withdraw(3).unwrap();
    hall.play();
    // Round 2 is over, he is still away, and comes back for the next one.
    assert_eq!(hall.entry(3).withdrawn_since, Some(RoundNo(2)));
    assert_eq!(hall.0.players_view().next, Some(RoundNo(3)));
    hall.bring_back(3).unwrap();
    assert_eq!(hall.entry(3).withdrawn_since, None);
    let refused = hall.bring_back(3).unwrap_err().to_string();
    assert_eq!(refused, "player 3 has not left the event");
    hall.play();
    assert_eq!(hall.0.players_view().next, None, "no round is left");
}

#[test]
fn who_changes_somebody_tells_the_pages() {
    let mut hall = Arbiter::new(4, |_| {});
    hall.0.take_update(now());
    hall.bye(2, 1, Some(Bye::Zero)).unwrap();
    let update = hall.0.take_update(now()).unwrap();
    assert_eq!(update.event.unwrap().away, 1);
}

#[test]
fn a_bye_is_worth_what_the_event_grants() {
    let mut hall = Arbiter::new(6, |_| {});
    assert_eq!(hall.0.players_view().byes, ["half", "zero"]);
    let refused = hall.bye(1, 1, Some(Bye::Full)).unwrap_err().to_string();
    assert!(refused.contains("only half and zero"), "{refused}");
    for other in [Bye::Rest, Bye::PairingAllocated] {
        assert!(hall.bye(1, 1, Some(other)).is_err(), "{other:?}");
    }
    hall.bye(1, 2, Some(Bye::Half)).unwrap();
    let byes = hall.entry(1).byes;
    assert_eq!(
        (byes[0].round, byes[0].worth.as_str()),
        (RoundNo(2), "half")
    );
    assert!(byes[0].open);
    hall.bye(1, 2, None).unwrap();
    assert_eq!(hall.entry(1).byes, []);

    let mut generous = Arbiter::new(6, |settings| {
        settings.byes.insert(RequestedBye::Full);
    });
    generous.bye(1, 1, Some(Bye::Full)).unwrap();
    // By a table everybody has his opponents: only an absence can be announced.
    let mut table = Arbiter::new(6, |settings| {
        settings.system = PairingSystem::RoundRobin { cycles: 1 };
        settings.rounds = None;
    });
    assert_eq!(table.0.players_view().byes, ["zero"]);
    assert!(table.bye(1, 1, Some(Bye::Half)).is_err());
    table.bye(1, 1, Some(Bye::Zero)).unwrap();
}

#[test]
fn a_bye_that_was_taken_stays_and_is_closed() {
    let mut hall = Arbiter::new(6, |_| {});
    hall.bye(1, 1, Some(Bye::Half)).unwrap();
    hall.ask(Command::PairRound).unwrap();
    hall.ask(Command::PublishRound).unwrap();
    assert!(!hall.entry(1).byes[0].open);
    let refused = hall.bye(1, 1, None).unwrap_err().to_string();
    assert!(refused.contains("rounds 2 to 3"), "{refused}");
}

#[test]
fn a_draft_that_could_not_be_paired_anew_is_out_of_date() {
    let mut hall = Arbiter::new(2, |_| {});
    hall.ask(Command::PairRound).unwrap();
    assert_eq!(hall.outdated(), [0_u16; 0]);
    hall.withdraw(2).unwrap();
    hall.withdraw(1).unwrap();
    assert_eq!(hall.entry(1).withdrawn_since, Some(RoundNo(1)));
    let outdated = hall.outdated();
    assert!(!outdated.is_empty(), "nobody is left to pair");
    // It fits again when they are back.
    hall.bring_back(1).unwrap();
    hall.bring_back(2).unwrap();
    assert_eq!(hall.outdated(), [0_u16; 0]);
}

#[test]
fn strangers_see_public_rounds_only_and_the_earlier_ones_with_their_results() {
    let mut hall = Arbiter::new(5, |_| {});
    assert_eq!(hall.public(1), None);
    hall.ask(Command::PairRound).unwrap();
    assert_eq!(hall.public(1), None, "a draft");
    hall.ask(Command::PublishRound).unwrap();
    let open = hall.public(1).unwrap();
    assert_eq!(open.tables.len(), 2);
    assert!(open.bye.is_some() && !open.closed);
    assert!(open.tables.iter().all(|table| table.result.is_none()));
    hall.ask(Command::StartRound).unwrap();
    for table in open.tables {
        let command = Command::SetResult {
            table: table.table,
            result: "1/2-1/2".into(),
            termination: None,
            note: None,
        };
        hall.ask(command).unwrap();
    }
    hall.ask(Command::CloseRound { round: RoundNo(1) }).unwrap();
    // The next one is drafted now.
    assert_eq!(hall.0.state().round().unwrap().number, RoundNo(2));
    let first = hall.public(1).unwrap();
    assert!(first.closed);
    let drawn =
        |table: &flagfall_core::hub::view::PublicTable| table.result.as_deref() == Some("1/2-1/2");
    assert!(first.tables.iter().all(drawn));
    assert_eq!(hall.public(2), None);
}
