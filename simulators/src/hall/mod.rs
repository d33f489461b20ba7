//! Many tables served on pseudo-terminals or TCP by one process.
//!
//! Each table sleeps until its next instant or until its host writes; an idle table costs nothing. At
//! speed X all simulated times pass X times faster, the pace of the line included.

mod config;
mod port;
mod worker;

pub use config::{HallConfig, Links, Transport};
pub use port::Endpoint;

use std::{
    collections::{BTreeMap, BTreeSet},
    io,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rand::Rng as _;
use tokio::{
    sync::{Notify, broadcast, mpsc},
    time::Instant,
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    clock::TimeControl,
    games,
    hands::Note,
    make::Make,
    seed,
    table::{GameTruth, TableConfig, TableSim},
};

use port::Port;
use worker::{Order, Worker};

/// Why a hall could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum HallError {
    /// A pseudo-terminal, its link or a listener for a table could not be made.
    #[error("cannot open the port of table {table}")]
    Port {
        /// Which table.
        table: u16,
        /// Why.
        source: io::Error,
    },
    /// The speed is not a positive number.
    #[error("the speed must be a positive number, not {0}")]
    Speed(f64),
}

/// Where a table can be reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortInfo {
    /// Table number.
    pub table: u16,
    /// Path (the link, if there is one) or address.
    pub endpoint: Endpoint,
    /// The five digits that the board answers to 45.
    pub serial: String,
    /// White sits at the other side: wire numbers are turned by 180°.
    pub turned: bool,
    /// Who made the board. Tables of a bus share their endpoint.
    pub make: Make,
}

/// Something that happened in the hall.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HallEvent {
    /// Simulated time since the hall was opened.
    pub at: Duration,
    /// Table number.
    pub table: u16,
    /// What.
    pub kind: HallEventKind,
}

/// Kinds of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HallEventKind {
    /// Something in the game of a round.
    Game {
        /// Round number.
        round: u32,
        /// What.
        note: Note,
    },
    /// Bytes that nobody sent were put on the line.
    Garbage(usize),
    /// The board was silenced or heard again.
    Muted(bool),
    /// The cable was plugged in.
    Plugged,
    /// The cable was pulled.
    Unplugged,
}

/// A running hall. Dropping it closes all ports.
#[derive(Debug)]
pub struct Hall {
    shared: Arc<Shared>,
    orders: BTreeMap<u16, mpsc::UnboundedSender<(u16, Order)>>,
    started: Instant,
    speed: f64,
    stop: CancellationToken,
    tasks: TaskTracker,
}

/// What workers report and callers read.
#[derive(Debug)]
pub(crate) struct Shared {
    book: Mutex<Book>,
    changed: Notify,
    events: broadcast::Sender<HallEvent>,
}

#[derive(Debug, Default)]
struct Book {
    ports: BTreeMap<u16, PortInfo>,
    truths: BTreeMap<(u32, u16), GameTruth>,
    rounds: BTreeMap<u32, BTreeSet<u16>>,
}

impl Shared {
    fn book(&self) -> MutexGuard<'_, Book> {
        self.book.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The most boards on one line.
const BUS_LENGTH: usize = 20;
/// Events kept for a listener that is slow to read.
const EVENTS: usize = 4096;

impl Hall {
    /// Opens the ports and sets up all tables. Nobody plays until [`Hall::start_round`].
    pub async fn start(config: HallConfig) -> Result<Self, HallError> {
        if !(config.speed.is_finite() && config.speed > 0.0) {
            return Err(HallError::Speed(config.speed));
        }
        // Read before anybody plays: the first game must not hold up all tables.
        let _ = tokio::task::spawn_blocking(|| games::library().len()).await;
        let shared = Arc::new(Shared {
            book: Mutex::default(),
            changed: Notify::new(),
            events: broadcast::channel(EVENTS).0,
        });
        let started = Instant::now();
        let stop = CancellationToken::new();
        let tasks = TaskTracker::new();
        let mut orders = BTreeMap::new();
        let mut workers = Vec::new();
        let makes = config.mix.makes().chain(std::iter::repeat(Make::Dgt));
        let tables: Vec<(u16, Make)> = (0..config.tables)
            .map(|nth| config.first_table + nth)
            .zip(makes)
            .collect();
        let lines = tables
            .chunk_by(|(_, a), (_, b)| (*a, *b) == (Make::Bus, Make::Bus))
            .flat_map(|string| string.chunks(BUS_LENGTH));
        for (nth, tables) in (0..).zip(lines) {
            let Some(&(table, _)) = tables.first() else {
                continue;
            };
            let port = Port::open(&config, nth, table)
                .await
                .map_err(|source| HallError::Port { table, source })?;
            let sims = tables
                .iter()
                .map(|&(table, make)| {
                    let config = TableConfig {
                        seed: config.seed,
                        table,
                        turned: turned(&config, table),
                        control: config.control.clone(),
                        incidents: config.incidents.clone(),
                        noise: config.noise,
                    };
                    TableSim::of(config, make)
                })
                .collect();
            let (sender, receiver) = mpsc::unbounded_channel();
            for &(table, _) in tables {
                orders.insert(table, sender.clone());
            }
            workers.push(Worker {
                sims,
                port,
                orders: receiver,
                shared: Arc::clone(&shared),
                started,
                speed: config.speed,
                stop: stop.clone(),
            });
        }
        for worker in workers {
            worker.announce();
            tasks.spawn(worker.run());
        }
        tasks.close();
        Ok(Self {
            shared,
            orders,
            started,
            speed: config.speed,
            stop,
            tasks,
        })
    }

    /// Where the tables are, by number. A replugged pty without link has a new path.
    pub fn ports(&self) -> Vec<PortInfo> {
        self.shared.book().ports.values().cloned().collect()
    }

    /// Simulated time since the hall was opened.
    pub fn now(&self) -> Duration {
        self.started.elapsed().mul_f64(self.speed)
    }

    /// The players of these tables start their clocks and play a game chosen by seed, round and table.
    pub fn start_round(&self, round: u32, tables: &[u16]) {
        for &table in tables {
            self.play(table, round, None);
        }
    }

    /// One table plays the game with this number in [`crate::games::library`], or a chosen one.
    pub fn play(&self, table: u16, round: u32, game: Option<usize>) {
        if self.order(table, Order::Play { round, game }) {
            let mut book = self.shared.book();
            book.rounds.entry(round).or_default().insert(table);
            book.truths.remove(&(round, table));
        }
    }

    /// What was really played so far.
    pub fn truth(&self, round: u32, table: u16) -> Option<GameTruth> {
        self.shared.book().truths.get(&(round, table)).cloned()
    }

    /// The same for all tables of a round, by table number.
    pub fn truths(&self, round: u32) -> Vec<GameTruth> {
        let book = self.shared.book();
        book.truths
            .range((round, 0)..=(round, u16::MAX))
            .map(|(_, truth)| truth.clone())
            .collect()
    }

    /// Whether all tables of the round have finished: results shown and pieces set up again.
    pub fn round_finished(&self, round: u32) -> bool {
        let book = self.shared.book();
        let done = |&table: &u16| {
            book.truths
                .get(&(round, table))
                .is_some_and(|truth| truth.finished)
        };
        book.rounds
            .get(&round)
            .is_some_and(|tables| tables.iter().all(done))
    }

    /// Waits for [`Hall::round_finished`].
    pub async fn wait_round(&self, round: u32) {
        loop {
            let changed = self.shared.changed.notified();
            if self.round_finished(round) {
                return;
            }
            changed.await;
        }
    }

    /// Pulls the cable of a table: the port vanishes, the board loses power, people play on. On a bus it is the
    /// cable of all its boards.
    pub fn unplug(&self, table: u16) {
        self.order(table, Order::Unplug);
    }

    /// Plugs it in again: a new port (behind the same link or address) and a board in idle mode.
    pub fn plug(&self, table: u16) {
        self.order(table, Order::Plug);
    }

    /// Puts random bytes on the line.
    pub fn garbage(&self, table: u16, count: usize) {
        self.order(table, Order::Garbage(count));
    }

    /// A mute board neither hears nor speaks, though its port is open.
    pub fn silence(&self, table: u16, mute: bool) {
        self.order(table, Order::Mute(mute));
    }

    /// Pulls (`false`) or restores (`true`) the cable between board and clock.
    pub fn connect_clock(&self, table: u16, connected: bool) {
        self.order(table, Order::ConnectClock(connected));
    }

    /// Turns the clock's low-battery sign on or off.
    pub fn battery_low(&self, table: u16, low: bool) {
        self.order(table, Order::BatteryLow(low));
    }

    /// Somebody sets the clock of a table to another time control, for the games to come.
    pub fn set_control(&self, table: u16, control: TimeControl) {
        self.order(table, Order::SetControl(control));
    }

    /// Puts the clock in mode 25, in which the host may set it, or back in its own option.
    pub fn mode_25(&self, table: u16, on: bool) {
        self.order(table, Order::Mode25(on));
    }

    /// Everything that happens from here on. A slow listener loses the oldest events.
    pub fn events(&self) -> broadcast::Receiver<HallEvent> {
        self.shared.events.subscribe()
    }

    /// Closes all ports, removes the links and waits until that is done.
    pub async fn shutdown(self) {
        self.stop.cancel();
        self.tasks.wait().await;
    }

    fn order(&self, table: u16, order: Order) -> bool {
        self.orders
            .get(&table)
            .is_some_and(|sender| sender.send((table, order)).is_ok())
    }
}

impl Drop for Hall {
    fn drop(&mut self) {
        self.stop.cancel();
    }
}

fn turned(config: &HallConfig, table: u16) -> bool {
    seed::rng(config.seed, &[SEATING, u64::from(table)])
        .random_bool(config.turned_share.clamp(0.0, 1.0))
}

const SEATING: u64 = 0x0073_6561_7473;
