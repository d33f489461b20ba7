//! A hall with the hub itself behind the pages, without journal and boards.

use std::sync::{Arc, Mutex};

use flagfall::{handle::Ask, time::HubClock};
use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::SetUp,
        record::Record,
        sheet::Sheet,
        state::HallState,
        view::Update,
    },
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::PlayerNo,
};
use tokio::sync::{broadcast, mpsc};

use super::picture;

/// A Swiss of so many players and five rounds; nothing is paired.
pub fn swiss(clock: &HubClock, players: u16, change: impl FnOnce(&mut EventSettings)) -> Hub {
    let mut settings = EventSettings::new("Kyiv Open", "open".parse().unwrap(), Some("5+3"));
    settings.system = PairingSystem::by_name("dutch").unwrap();
    settings.rounds = Some(5);
    settings.default_time = DefaultTime::None;
    settings.schedule.zone = "Europe/Kyiv".into();
    change(&mut settings);
    let players = (1..=players)
        .map(|no| Player {
            rating: Some(2500 - no * 17),
            ..Player::new(PlayerNo(no), picture::player(no).name)
        })
        .collect();
    let now = clock.now();
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now);
    hub.handle_set_up(now, SetUp { settings, players });
    hub
}

/// What an arbiter asks.
pub fn act(hub: &mut Hub, clock: &HubClock, command: Command) {
    let by = "Anna Koval".to_owned();
    hub.handle_request(clock.now(), Request { by, command })
        .unwrap();
}

/// Pairs, publishes and plays a round: White wins everywhere. It is closed, and the next one a draft.
pub fn play_round(hub: &mut Hub, clock: &HubClock) {
    if hub.state().round().is_none_or(|round| round.published) {
        act(hub, clock, Command::PairRound);
    }
    act(hub, clock, Command::PublishRound);
    act(hub, clock, Command::StartRound);
    let round = hub.state().round().unwrap();
    let number = round.number;
    for table in round.games.keys().copied().collect::<Vec<_>>() {
        let command = Command::SetResult {
            table,
            result: "1-0".into(),
            termination: None,
            note: None,
        };
        act(hub, clock, command);
    }
    act(hub, clock, Command::CloseRound { round: number });
}

/// Answers as the engine does, but for the journal.
pub async fn engine(
    hub: Arc<Mutex<Hub>>,
    clock: HubClock,
    mut asks: mpsc::Receiver<Ask>,
    updates: broadcast::Sender<Arc<Update>>,
) {
    let mut events = Vec::new();
    while let Some(ask) = asks.recv().await {
        let now = clock.now();
        let mut hub = hub.lock().unwrap();
        // What was done to it beside the pages.
        while let Some(event) = hub.poll_event() {
            events.push(event);
        }
        // Who asked may be gone.
        match ask {
            Ask::Hall(reply) => drop(reply.send(Arc::new(hub.hall_view(now)))),
            Ask::Game(table, round, reply) => drop(reply.send(hub.game_view(table, round))),
            Ask::RoundPgn(round, reply) => drop(reply.send(hub.round_pgn(round))),
            Ask::GamesPgn(round, tables, feeds, reply) => {
                drop(reply.send(hub.games_pgn(round, &tables, &feeds)));
            }
            // Without a journal nobody knows what happened.
            Ask::Sheet(table, round, reply) => {
                drop(reply.send(Ok(hub.sheet(table, round).map(Sheet::finish))));
            }
            Ask::Pairing(round, language, reply) => {
                drop(reply.send(hub.pairing_view(round, language)));
            }
            Ask::Players(reply) => drop(reply.send(hub.players_view())),
            Ask::PublicRound(round, reply) => drop(reply.send(hub.public_round(round))),
            Ask::Repair(reply) => drop(reply.send(hub.repair_view())),
            Ask::Report(options, zone, reply) => drop(reply.send(hub.report(options, &zone))),
            Ask::Standings(explained, reply) => {
                drop(reply.send(hub.standings_explained(explained)));
            }
            Ask::EventTable(explained, reply) => drop(reply.send(hub.event_table(explained))),
            Ask::EventFigures(reply) => drop(reply.send(hub.event_figures())),
            Ask::Record(language, reply) => {
                let mut record = Record::new(language);
                for event in &events {
                    record.apply(event);
                }
                drop(reply.send(Ok(record.finish())));
            }
            Ask::Amendment(asked, language, reply) => {
                drop(reply.send(hub.amendment_view(now, &asked, language)));
            }
            Ask::Reverted(number, language, reply) => {
                drop(reply.send(hub.revert_view(now, number, language)));
            }
            Ask::Paper(reply) => drop(reply.send(hub.paper_view())),
            Ask::Wall(delay, reply) => drop(reply.send(hub.wall(now, delay))),
            Ask::Command(request, reply) => {
                let done = hub.handle_request(now, request);
                let seq = hub.state().seq;
                drop(reply.send(done.map(|()| seq).map_err(Into::into)));
            }
        }
        while let Some(event) = hub.poll_event() {
            events.push(event);
        }
        if let Some(update) = hub.take_update(now) {
            // Nobody may be listening.
            let _ = updates.send(Arc::new(update));
        }
    }
}
