//! The task of one table: sleep, pump bytes, do as told.

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
    pub(super) sim: TableSim,
    pub(super) port: Port,
    pub(super) orders: mpsc::UnboundedReceiver<Order>,
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
    /// Puts the table's port in the hall's list.
    pub(super) fn announce(&self) {
        let config = self.sim.config();
        let Some(endpoint) = self.port.endpoint() else {
            return;
        };
        let info = PortInfo {
            table: config.table,
            endpoint,
            serial: format!("{:05}", self.sim.board().identity().serial),
            turned: config.turned,
        };
        self.shared.book().ports.insert(config.table, info);
    }

    pub(super) async fn run(mut self) {
        let mut buffer = [0; 1024];
        let mut backlog = Vec::new();
        loop {
            let now = self.now();
            backlog.extend(self.sim.poll_transmit(now).unwrap_or_default());
            self.publish();
            if !backlog.is_empty() {
                let written = self.port.try_write(&backlog);
                backlog.drain(..written);
            }
            if backlog.len() > BACKLOG {
                backlog.clear();
                self.port.discard_unread();
            }
            let next = self.sim.poll_timeout().map(|at| self.instant(at));
            let retry = (!backlog.is_empty()).then(|| Instant::now() + RETRY);
            let wake = next.into_iter().chain(retry).min();
            tokio::select! {
                () = self.stop.cancelled() => return,
                order = self.orders.recv() => match order {
                    Some(order) => self.obey(order).await,
                    None => return,
                },
                read = self.port.read(&mut buffer) => match read {
                    Ok(0) => backlog.clear(),
                    Ok(count) => {
                        let now = self.now();
                        self.sim.handle_bytes(now, &buffer[..count]);
                    }
                    Err(error) => {
                        tracing::debug!(table = self.sim.config().table, %error, "port failed");
                        tokio::time::sleep(RETRY).await;
                    }
                },
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {}
            }
        }
    }

    async fn obey(&mut self, order: Order) {
        let now = self.now();
        self.sim.handle_timeout(now);
        let kind = match order {
            Order::BatteryLow(low) => {
                let board = self.sim.board_mut();
                return board.touch_clock(now, |clock| clock.set_battery_low(low));
            }
            Order::ConnectClock(on) => return self.sim.board_mut().connect_clock(now, on),
            Order::SetControl(control) => return self.sim.set_control(now, control),
            Order::Mode25(on) => return self.sim.board_mut().set_mode_25(now, on),
            Order::Play { round, game } => {
                self.sim.start_round(now, round, game);
                return self.keep_truth(round);
            }
            Order::Garbage(count) => {
                self.sim.board_mut().inject_garbage(now, count);
                HallEventKind::Garbage(count)
            }
            Order::Mute(mute) => {
                self.sim.board_mut().set_mute(now, mute);
                HallEventKind::Muted(mute)
            }
            Order::Plug => {
                if let Err(error) = self.port.plug().await {
                    tracing::error!(table = self.sim.config().table, %error, "cannot plug in");
                    return;
                }
                self.sim.board_mut().power_on(now);
                self.announce();
                HallEventKind::Plugged
            }
            Order::Unplug => {
                self.port.unplug();
                self.sim.board_mut().power_off(now);
                HallEventKind::Unplugged
            }
        };
        self.tell(now, kind);
    }

    fn publish(&mut self) {
        while let Some(event) = self.sim.poll_event() {
            self.keep_truth(event.round);
            let kind = HallEventKind::Game {
                round: event.round,
                note: event.note,
            };
            self.tell(event.at, kind);
        }
    }

    fn keep_truth(&self, round: u32) {
        if let Some(truth) = self.sim.truth(round) {
            let finished = truth.finished;
            let key = (round, self.sim.config().table);
            self.shared.book().truths.insert(key, truth.clone());
            if finished {
                self.shared.changed.notify_waiters();
            }
        }
    }

    fn tell(&self, at: Duration, kind: HallEventKind) {
        // Nobody listening is no error.
        let _ = self.shared.events.send(HallEvent {
            at,
            table: self.sim.config().table,
            kind,
        });
    }

    fn now(&self) -> Duration {
        self.started.elapsed().mul_f64(self.speed)
    }

    /// The real instant at which the simulated time is reached.
    fn instant(&self, at: Duration) -> Instant {
        self.started + at.div_f64(self.speed)
    }
}
