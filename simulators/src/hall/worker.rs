//! The task of one line, with one table or the tables of a bus: sleep, pump bytes, do as told.

use std::{sync::Arc, time::Duration};

use tokio::{
    sync::mpsc,
    time::{Instant, sleep_until},
};
use tokio_util::sync::CancellationToken;

use super::{HallEvent, HallEventKind, PortInfo, Shared, port::Port};
use crate::{clock::TimeControl, table::TableSim};

/// What the hall tells a table.
#[derive(Debug)]
pub(super) enum Order {
    BatteryLow(bool),
    ConnectClock(bool),
    Garbage(usize),
    Mode25(bool),
    Mute(bool),
    Play { round: u32, game: Option<usize> },
    Plug,
    SetControl(TimeControl),
    Unplug,
}

pub(super) struct Worker {
    /// The tables on this line; all hear what the host says.
    pub(super) sims: Vec<TableSim>,
    pub(super) port: Port,
    pub(super) orders: mpsc::UnboundedReceiver<(u16, Order)>,
    pub(super) shared: Arc<Shared>,
    pub(super) started: Instant,
    pub(super) speed: f64,
    pub(super) stop: CancellationToken,
}

/// Unread bytes beyond this mean that nobody listens.
const BACKLOG: usize = 16 * 1024;
/// How long to wait before trying again when the host takes no more.
const RETRY: Duration = Duration::from_millis(20);

impl Worker {
    /// Puts the tables' port in the hall's list.
    pub(super) fn announce(&self) {
        let Some(endpoint) = self.port.endpoint() else {
            return;
        };
        for sim in &self.sims {
            let config = sim.config();
            let info = PortInfo {
                table: config.table,
                endpoint: endpoint.clone(),
                serial: format!("{:05}", sim.board().identity().serial),
                turned: config.turned,
                make: sim.make(),
            };
            self.shared.book().ports.insert(config.table, info);
        }
    }

    fn first_table(&self) -> u16 {
        self.sims.first().map_or(0, |sim| sim.config().table)
    }

    pub(super) async fn run(mut self) {
        let mut buffer = [0; 1024];
        let mut backlog = Vec::new();
        loop {
            let now = self.now();
            for sim in &mut self.sims {
                backlog.extend(sim.poll_transmit(now).unwrap_or_default());
            }
            self.publish();
            if !backlog.is_empty() {
                let written = self.port.try_write(&backlog);
                backlog.drain(..written);
            }
            if backlog.len() > BACKLOG {
                backlog.clear();
                self.port.discard_unread();
            }
            let next = self.sims.iter().filter_map(TableSim::poll_timeout).min();
            let next = next.map(|at| self.instant(at));
            let retry = (!backlog.is_empty()).then(|| Instant::now() + RETRY);
            let wake = next.into_iter().chain(retry).min();
            tokio::select! {
                () = self.stop.cancelled() => return,
                order = self.orders.recv() => match order {
                    Some((table, order)) => self.obey(table, order).await,
                    None => return,
                },
                read = self.port.read(&mut buffer) => match read {
                    Ok(0) => backlog.clear(),
                    Ok(count) => {
                        let now = self.now();
                        for sim in &mut self.sims {
                            sim.handle_bytes(now, &buffer[..count]);
                        }
                    }
                    Err(error) => {
                        tracing::debug!(table = self.first_table(), %error, "port failed");
                        tokio::time::sleep(RETRY).await;
                    }
                },
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {}
            }
        }
    }

    async fn obey(&mut self, table: u16, order: Order) {
        let now = self.now();
        match order {
            Order::Plug => return self.plug(now).await,
            Order::Unplug => {
                self.port.unplug();
                for sim in &mut self.sims {
                    sim.board_mut().power_off(now);
                }
                return self.tell_all(now, &HallEventKind::Unplugged);
            }
            _ => {}
        }
        let Some(sim) = self.sims.iter_mut().find(|sim| sim.config().table == table) else {
            return;
        };
        sim.handle_timeout(now);
        let board = sim.board_mut();
        let kind = match order {
            Order::BatteryLow(low) => {
                return board.touch_clock(now, |clock| clock.set_battery_low(low));
            }
            Order::ConnectClock(on) => return board.connect_clock(now, on),
            Order::SetControl(control) => return sim.set_control(now, control),
            Order::Mode25(on) => return board.set_mode_25(now, on),
            Order::Play { round, game } => {
                sim.start_round(now, round, game);
                return self.keep_truth(table, round);
            }
            Order::Garbage(count) => {
                board.inject_garbage(now, count);
                HallEventKind::Garbage(count)
            }
            Order::Mute(mute) => {
                board.set_mute(now, mute);
                HallEventKind::Muted(mute)
            }
            Order::Plug | Order::Unplug => return,
        };
        self.tell(now, table, kind);
    }

    async fn plug(&mut self, now: Duration) {
        if let Err(error) = self.port.plug().await {
            tracing::error!(table = self.first_table(), %error, "cannot plug in");
            return;
        }
        for sim in &mut self.sims {
            sim.handle_timeout(now);
            sim.board_mut().power_on(now);
        }
        self.announce();
        self.tell_all(now, &HallEventKind::Plugged);
    }

    fn publish(&mut self) {
        let mut events = Vec::new();
        for sim in &mut self.sims {
            while let Some(event) = sim.poll_event() {
                events.push((sim.config().table, event));
            }
        }
        for (table, event) in events {
            self.keep_truth(table, event.round);
            let kind = HallEventKind::Game {
                round: event.round,
                note: event.note,
            };
            self.tell(event.at, table, kind);
        }
    }

    fn keep_truth(&self, table: u16, round: u32) {
        let sim = self.sims.iter().find(|sim| sim.config().table == table);
        if let Some(truth) = sim.and_then(|sim| sim.truth(round)) {
            let finished = truth.finished;
            self.shared
                .book()
                .truths
                .insert((round, table), truth.clone());
            if finished {
                self.shared.changed.notify_waiters();
            }
        }
    }

    fn tell_all(&self, at: Duration, kind: &HallEventKind) {
        for sim in &self.sims {
            self.tell(at, sim.config().table, kind.clone());
        }
    }

    fn tell(&self, at: Duration, table: u16, kind: HallEventKind) {
        // Nobody listening is no error.
        let _ = self.shared.events.send(HallEvent { at, table, kind });
    }

    fn now(&self) -> Duration {
        self.started.elapsed().mul_f64(self.speed)
    }

    /// The real instant at which the simulated time is reached.
    fn instant(&self, at: Duration) -> Instant {
        self.started + at.div_f64(self.speed)
    }
}
