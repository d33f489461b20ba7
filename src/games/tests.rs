//! The task with a hub whose journal is told event by event, in tokio's own time.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
};

use flagfall_core::{
    chess::MoveMade,
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::{Event, Fact, SetUp},
        state::HallState,
    },
    tournament::{EventSettings, Player},
    types::{Color, Mono, Now, PlayerNo},
};
use tokio::{sync::broadcast, task::JoinHandle};

use super::*;
use crate::handle::Ask;

const TABLES: u16 = 3;

/// A hub that answers for its games, and the task that follows it.
struct Rig {
    hub: Arc<Mutex<Hub>>,
    updates: broadcast::Sender<Arc<Update>>,
    troubles: mpsc::Receiver<Trouble>,
    live: watch::Receiver<Live>,
    journal: watch::Sender<JournalStatus>,
    cancel: CancellationToken,
    task: JoinHandle<()>,
}

fn now() -> Now {
    Now {
        mono: Mono::ZERO,
        utc: "2026-12-05T08:00:00Z".parse().unwrap(),
    }
}

fn hub() -> Hub {
    let settings = EventSettings::new("Cup", "open".parse().unwrap(), Some("5+3"));
    let players = (1..=TABLES * 2)
        .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
        .collect();
    let mut hub = Hub::new(HubSettings::default(), HallState::default(), now());
    hub.handle_set_up(now(), SetUp { settings, players });
    hub
}

impl Rig {
    fn start(hub: Hub, dir: &Path) -> Self {
        let hub = Arc::new(Mutex::new(hub));
        let (updates, _) = broadcast::channel(64);
        let (handle, mut asks) = Handle::new(updates.clone());
        let answering = Arc::clone(&hub);
        tokio::spawn(async move {
            while let Some(ask) = asks.recv().await {
                let hub = answering.lock().unwrap();
                match ask {
                    Ask::Hall(reply) => drop(reply.send(Arc::new(hub.hall_view(now())))),
                    Ask::GamesPgn(round, tables, feeds, reply) => {
                        drop(reply.send(hub.games_pgn(round, &tables, &feeds)));
                    }
                    other => panic!("the task asks {other:?}"),
                }
            }
        });
        let (journal, journal_status) = watch::channel(JournalStatus::default());
        let (trouble_sender, troubles) = mpsc::channel(8);
        let (sender, live) = watch::channel(Live::default());
        let sources = Sources {
            handle,
            clock: HubClock::start(1.0),
            journal: journal_status,
            troubles: trouble_sender,
            live: sender,
        };
        let settings = GamesSettings {
            dir: Some(dir.to_owned()),
            broadcast: true,
            ..GamesSettings::default()
        };
        let cancel = CancellationToken::new();
        let task = tokio::spawn(Games::new(settings, sources).run(cancel.clone()));
        Self {
            hub,
            updates,
            troubles,
            live,
            journal,
            cancel,
            task,
        }
    }

    fn act(&self, command: Command) {
        let by = "Anna".to_owned();
        let mut hub = self.hub.lock().unwrap();
        hub.handle_request(now(), Request { by, command }).unwrap();
        let update = hub.take_update(now()).unwrap();
        drop(self.updates.send(Arc::new(update)));
    }

    /// The next half-move at a table, as the journal would tell it.
    fn play(&self, table: u16) {
        let mut hub = self.hub.lock().unwrap();
        let mut state = hub.state().clone();
        let ply = state.game(TableNo(table)).unwrap().moves.len() as u16 + 1;
        let (side, uci, san) = match ply % 4 {
            1 => (Color::White, "g1f3", "Nf3"),
            2 => (Color::Black, "g8f6", "Nf6"),
            3 => (Color::White, "f3g1", "Ng1"),
            _ => (Color::Black, "f6g8", "Ng8"),
        };
        let seq = state.seq + 1;
        state.apply(&Event {
            v: 1,
            id: seq.to_string(),
            seq,
            at: now().utc,
            section: None,
            round: Some(RoundNo(1)),
            table: Some(TableNo(table)),
            device: None,
            request: None,
            fact: Fact::Move(MoveMade {
                ply,
                side,
                uci: uci.to_owned(),
                san: san.to_owned(),
                pressed: true,
                inferred: false,
                at: Mono::ZERO,
            }),
        });
        *hub = Hub::new(HubSettings::default(), state, now());
        self.tell(&hub, seq, table);
    }

    /// A clock ticks: news for pages, and no event.
    fn tick(&self) {
        let hub = self.hub.lock().unwrap();
        self.tell(&hub, hub.state().seq, 1);
    }

    fn tell(&self, hub: &Hub, seq: u64, table: u16) {
        let update = Update {
            seq,
            tables: vec![hub.table_view(TableNo(table), now())],
            ..Update::default()
        };
        drop(self.updates.send(Arc::new(update)));
    }

    async fn stop(self) {
        self.cancel.cancel();
        self.task.await.unwrap();
    }
}

fn started() -> Hub {
    let mut hub = hub();
    for command in [
        Command::PairRound,
        Command::PublishRound,
        Command::StartRound,
    ] {
        let by = "Anna".to_owned();
        hub.handle_request(now(), Request { by, command }).unwrap();
    }
    hub
}

async fn a_while(seconds: u64) {
    tokio::time::sleep(Duration::from_secs(seconds)).await;
}

/// A file of whole games; `Err` says what is broken.
fn read(text: &str) -> Result<(), String> {
    let games: Vec<&str> = text.split("[Event ").skip(1).collect();
    if games.len() != usize::from(TABLES) {
        return Err(format!("{} games in {text:?}", games.len()));
    }
    let cut_off =
        |game: &&&str| !game.trim_end().ends_with(" *") && !game.trim_end().ends_with("\n*");
    if let Some(broken) = games.iter().find(cut_off) {
        return Err(format!("a game is cut off: {broken:?}"));
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn whoever_reads_while_games_are_played_finds_whole_games() {
    let directory = tempfile::tempdir().unwrap();
    let rig = Rig::start(started(), directory.path());
    a_while(5).await;
    let stop = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = ["live.pgn", "open/round-1.pgn"]
        .map(|name| {
            let (path, stop) = (directory.path().join(name), Arc::clone(&stop));
            std::thread::spawn(move || {
                let mut reads = 0;
                while !stop.load(Ordering::Relaxed) {
                    let text = fs::read_to_string(&path).expect("it is never away");
                    read(&text)?;
                    reads += 1;
                }
                Ok::<usize, String>(reads)
            })
        })
        .into();
    for at in 0..120 {
        rig.play(at % TABLES + 1);
        a_while(1).await;
    }
    a_while(60).await;
    stop.store(true, Ordering::Relaxed);
    for reader in readers {
        assert!(reader.join().unwrap().unwrap() > 10);
    }
    let live = fs::read_to_string(directory.path().join("live.pgn")).unwrap();
    let moves = |text: &str| {
        text.split_whitespace()
            .filter(|word| word.starts_with('N'))
            .count()
    };
    assert_eq!(moves(&live), 120);
    assert!(live.contains("[White \"Player"), "{live}");
    let round = rig.live.borrow().round(None).unwrap().clone();
    assert_eq!(round.text, live, "the address and the file say the same");
    let game = fs::read_to_string(directory.path().join("open/round-1/table-2.pgn")).unwrap();
    assert_eq!(moves(&game), 40);
    let whole = fs::read_to_string(directory.path().join("open/round-1.pgn")).unwrap();
    assert_eq!(moves(&whole), 120);
    rig.stop().await;
}

#[tokio::test(start_paused = true)]
async fn nothing_is_written_for_a_clock_that_ticks() {
    let directory = tempfile::tempdir().unwrap();
    let rig = Rig::start(started(), directory.path());
    a_while(40).await;
    let inode = |name: &str| fs::metadata(directory.path().join(name)).unwrap().ino();
    let names = ["live.pgn", "open/round-1.pgn", "open/round-1/table-1.pgn"];
    let before = names.map(inode);
    for _ in 0..30 {
        rig.tick();
        a_while(10).await;
    }
    assert_eq!(names.map(inode), before);
    // Nor are files written anew that are right at the next start.
    let hub = Hub::new(
        HubSettings::default(),
        rig.hub.lock().unwrap().state().clone(),
        now(),
    );
    rig.stop().await;
    let rig = Rig::start(hub, directory.path());
    a_while(40).await;
    assert_eq!(names.map(inode), before);
    rig.play(1);
    a_while(40).await;
    let after = names.map(inode);
    assert!(
        names
            .iter()
            .zip(before.iter().zip(after))
            .all(|(_, (before, after))| *before != after)
    );
    rig.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_disk_that_cannot_be_written_is_told_once_and_passes() {
    let directory = tempfile::tempdir().unwrap();
    let dir = directory.path().join("pgn");
    fs::write(&dir, "in the way").unwrap();
    let mut rig = Rig::start(started(), &dir);
    a_while(60).await;
    for _ in 0..5 {
        rig.play(1);
        a_while(20).await;
    }
    let Some(Trouble::Games(Some(text))) = rig.troubles.recv().await else {
        panic!("nothing was told");
    };
    assert!(
        text.contains("live.pgn") && text.contains("journal has them all"),
        "{text}"
    );
    assert!(rig.troubles.try_recv().is_err(), "told once");

    // The journal cannot be written either: it comes first.
    fs::remove_file(&dir).unwrap();
    rig.journal
        .send_modify(|status| status.error = Some("full".to_owned()));
    a_while(60).await;
    assert!(!dir.exists());
    rig.journal.send_modify(|status| status.error = None);
    a_while(60).await;
    assert_eq!(rig.troubles.recv().await, Some(Trouble::Games(None)));
    let game = fs::read_to_string(dir.join("open/round-1/table-1.pgn")).unwrap();
    assert!(game.contains("3. Nf3"), "{game}");
    rig.stop().await;
}

#[tokio::test(start_paused = true)]
async fn a_draft_is_nowhere_until_it_is_public() {
    let directory = tempfile::tempdir().unwrap();
    let rig = Rig::start(hub(), directory.path());
    rig.act(Command::PairRound);
    a_while(60).await;
    assert!(fs::read_dir(directory.path()).unwrap().next().is_none());
    assert!(rig.live.borrow().round(None).is_none());
    rig.act(Command::PublishRound);
    a_while(60).await;
    let live = fs::read_to_string(directory.path().join("live.pgn")).unwrap();
    assert_eq!(
        live.matches("[Termination \"unplayed\"]").count(),
        usize::from(TABLES)
    );
    rig.act(Command::StartRound);
    for table in 1..=TABLES {
        rig.act(Command::SetResult {
            table: TableNo(table),
            result: ["1-0", "+/-", "0-0"][usize::from(table - 1)].to_owned(),
            termination: None,
            note: None,
        });
    }
    // The next round is drafted at once.
    rig.act(Command::CloseRound { round: RoundNo(1) });
    a_while(60).await;
    let live = fs::read_to_string(directory.path().join("live.pgn")).unwrap();
    assert!(
        live.contains("[Round \"1.1\"]") && !live.contains("[Round \"2."),
        "{live}"
    );
    for words in [
        "[Result \"1-0\"]\n[Board \"1\"]\n[TimeControl \"300+3\"]\n[Termination \"normal\"]\n\n1-0",
        "[Termination \"forfeit\"]\n[TerminationReason \"no-show\"]\n\n1-0",
        "[Termination \"normal\"]\n\n{Result 0-0} *",
    ] {
        assert!(live.contains(words), "{words}: {live}");
    }
    rig.act(Command::PublishRound);
    a_while(60).await;
    assert!(
        rig.live
            .borrow()
            .round(None)
            .unwrap()
            .text
            .starts_with(b"[Event")
    );
    let live = fs::read_to_string(directory.path().join("live.pgn")).unwrap();
    assert!(
        live.contains("[Round \"2.1\"]") && !live.contains("[Round \"1."),
        "{live}"
    );
    let old = rig.live.borrow().round(Some(RoundNo(1))).unwrap().clone();
    let first = fs::read_to_string(directory.path().join("open/round-1.pgn")).unwrap();
    assert!(first.contains("1-0") && !old.text.is_empty());
    rig.stop().await;
}
