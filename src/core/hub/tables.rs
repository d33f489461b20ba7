//! The live side of the tables: what devices say, run through tracker and clock model, becomes
//! facts, proposals and alerts. Nothing in here is journalled itself: at a restart it comes back
//! from the moves and from the boards' next dump.

use std::time::Duration;

use shakmaty::{CastlingMode, Chess, Position as _, Setup, uci::UciMove};

use super::{
    Hub,
    alerts::Cause,
    command::Refused,
    decide::name,
    event::{
        AlertKind, BoardFact, BySide, ClockFact, DeviceFact, Fact, FlagOrder, IllegalClaim,
        Proposal, Proposed, SetUp, Times,
    },
    state::Game,
    view::{ClockView, Severity},
    words::{end_of, end_words, man, note_words, reason_words, result_of},
};
use crate::{
    chess::{TrackEvent, Tracker, TrackerSettings, result::Outcome},
    clock::{ClockEvent, ClockModel, ClockSettings, TimeControl},
    protocol::{Battery, ClockSide, DeviceInfo, LostReason, MagicPiece, Observation},
    tournament::{GameResult, Termination},
    types::{Color, DeviceId, Mono, Now, Placement, TableNo},
};

/// A clock that stands still for so long in the middle of a game calls the arbiter; at the end of a
/// game the players need this time to show the result.
const STOP_CALL_AFTER: Duration = Duration::from_secs(15);

/// How often a running clock is written down.
const SAMPLE_EVERY: Duration = Duration::from_mins(1);

/// A battery of a board below this needs somebody.
const BATTERY_LOW: u8 = 20;

/// A table as its device shows it.
#[derive(Debug)]
pub(super) struct LiveTable {
    tracker: Tracker,
    clock: ClockModel,
    /// The last picture on the wire, for a tracker that is armed again.
    wire: Option<Placement>,
    disturbed: bool,
    /// The clock stands still in mid-game since then.
    stopped_at: Option<Mono>,
    sampled_at: Option<Mono>,
    /// A decision that explains the next change of times.
    explains: Option<u64>,
}

impl LiveTable {
    fn new(
        game: Option<&Game>,
        control: Option<&TimeControl>,
        configured_turned: Option<bool>,
    ) -> Self {
        let blitz = control.is_some_and(TimeControl::is_blitz);
        let base = if blitz {
            TrackerSettings::blitz()
        } else {
            TrackerSettings::default()
        };
        let settings = TrackerSettings {
            turned: configured_turned,
            ..base
        };
        let turned = game.and_then(|game| game.turned).or(configured_turned);
        let mut tracker = game
            .filter(|game| game.ready || !game.moves.is_empty())
            .and_then(|game| {
                let moves: Option<Vec<UciMove>> = game
                    .moves
                    .iter()
                    .map(|played| played.uci.parse().ok())
                    .collect();
                // The journal holds only moves that the tracker made, so they are legal.
                Tracker::restore(settings.clone(), None, &moves?, turned).ok()
            })
            .unwrap_or_else(|| Tracker::new(settings));
        if game.is_some_and(|game| game.result.is_some()) {
            tracker.set_result();
        }
        let clock = ClockModel::new(ClockSettings {
            white_side: white_side(turned.unwrap_or(false)),
            control: control.cloned(),
        });
        Self {
            tracker,
            clock,
            wire: None,
            disturbed: false,
            stopped_at: None,
            sampled_at: None,
            explains: None,
        }
    }

    /// What stands on the board as the players see it.
    pub(super) fn seen(&self) -> Option<&Placement> {
        self.tracker.placement()
    }

    pub(super) fn disturbed(&self) -> bool {
        self.disturbed
    }

    pub(super) fn fen(&self) -> String {
        self.tracker.fen()
    }

    pub(super) fn running(&self, now: Now) -> Option<Color> {
        self.clock.current(now.mono)?.running
    }

    pub(super) fn clock_view(&self, now: Now) -> Option<ClockView> {
        let current = self.clock.current(now.mono)?;
        let at = now.utc.checked_sub(current.age).unwrap_or(now.utc);
        Some(ClockView {
            white_ms: current.times.white.as_millis() as u64,
            black_ms: current.times.black.as_millis() as u64,
            running: current.running,
            at,
        })
    }
}

impl Hub {
    /// Something that a device on a port told.
    pub fn handle_observation(&mut self, now: Now, port: &str, observation: Observation) {
        match observation {
            Observation::Found(info) => return self.handle_found(now, port, info),
            Observation::Lost(reason) => return self.handle_lost(now, port, reason),
            _ => {}
        }
        let Some(device) = self.ports.get(port).cloned() else {
            return;
        };
        self.heard.insert(device.clone(), now.utc);
        let table = self
            .state
            .devices
            .get(&device)
            .and_then(|device| device.table);
        match observation {
            Observation::Fault(detail) => {
                let fact = DeviceFact::Fault {
                    detail,
                    port: port.to_owned(),
                };
                self.emit(now, table, Some(device), Fact::Device(fact));
                return;
            }
            Observation::Battery(battery) => {
                return self.handle_battery(now, table, &device, battery);
            }
            _ => {}
        }
        let Some(table) = table else { return };
        if !self.live.contains_key(&table) {
            self.device_changed(table);
        }
        let Some(live) = self.live.get_mut(&table) else {
            return;
        };
        self.dirty.tables.insert(table);
        match observation {
            Observation::Placement { placement, change } => {
                live.tracker.handle_placement(now.mono, &placement, change);
                live.wire = Some(placement);
                self.drain_tracker(now, table);
            }
            Observation::Clock(reading) => {
                live.clock.handle_reading(now.mono, &reading);
                self.drain_clock(now, table);
            }
            Observation::ClockGone => {
                live.clock.handle_gone(now.mono);
                self.drain_clock(now, table);
            }
            Observation::Magic(piece) => self.handle_magic(now, table, piece),
            Observation::Button(_) | Observation::ClockCommand(_) => {}
            Observation::Found(_)
            | Observation::Lost(_)
            | Observation::Fault(_)
            | Observation::Battery(_) => {}
        }
    }

    fn handle_found(&mut self, now: Now, port: &str, info: DeviceInfo) {
        let id = device_id(&info, port);
        let elsewhere = self
            .ports
            .iter()
            .any(|(other, it)| *it == id && other != port);
        if elsewhere {
            // Never merged (quirk 45): the first one keeps the name.
            if self.quarantined.insert(port.to_owned()) {
                let fact = DeviceFact::Quarantined {
                    port: port.to_owned(),
                };
                self.emit(now, None, Some(id.clone()), Fact::Device(fact));
                let text = format!(
                    "A second {id} talks on {port}. It is not listened to: unplug one of the two."
                );
                let cause = Cause::of(AlertKind::DeviceClash, None, &id);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            return;
        }
        self.quarantined.remove(port);
        self.ports.insert(port.to_owned(), id.clone());
        self.heard.insert(id.clone(), now.utc);
        let wanted = self
            .settings
            .ports
            .get(port)
            .and_then(|settings| settings.table);
        let known = self.state.devices.get(&id).and_then(|device| device.table);
        let fact = DeviceFact::Found {
            info,
            port: port.to_owned(),
        };
        let table = wanted.or(known);
        self.emit(now, table, Some(id.clone()), Fact::Device(fact));
        self.clear(now, &Cause::of(AlertKind::DeviceLost, known, &id));
        match table {
            Some(table) if known != Some(table) => {
                let fact = DeviceFact::Assigned {
                    by: "config".to_owned(),
                };
                self.emit(now, Some(table), Some(id), Fact::Device(fact));
            }
            Some(_) => {}
            None => {
                let text = format!("{id} on {port} serves no table. Assign it on the console.");
                let cause = Cause::of(AlertKind::DeviceUnassigned, None, &id);
                self.raise(now, cause, Severity::Notice, text, None);
            }
        }
        if let Some(table) = table {
            self.device_changed(table);
        }
    }

    fn handle_lost(&mut self, now: Now, port: &str, reason: LostReason) {
        self.quarantined.remove(port);
        if reason == LostReason::NotADevice && self.settings.ports.contains_key(port) {
            let text =
                "nothing that we know answers on this port; name the right one or exclude it"
                    .to_owned();
            self.handle_port(now, port, Some(text));
        }
        let Some(id) = self.ports.remove(port) else {
            return;
        };
        let table = self.state.devices.get(&id).and_then(|device| device.table);
        self.emit(
            now,
            table,
            Some(id.clone()),
            Fact::Device(DeviceFact::Lost { reason }),
        );
        let at = table.map_or_else(|| "It".to_owned(), |table| format!("Table {table}: {id}"));
        let text = match reason {
            LostReason::Silent => format!("{at} has been silent for 5 s. Look at cable and power."),
            _ => format!("{at} is gone from {port}. Look at cable and power."),
        };
        self.raise(
            now,
            Cause::of(AlertKind::DeviceLost, table, &id),
            Severity::Warning,
            text,
            None,
        );
    }

    fn handle_battery(
        &mut self,
        now: Now,
        table: Option<TableNo>,
        device: &DeviceId,
        battery: Battery,
    ) {
        let Some(percent) = battery.percent else {
            return;
        };
        let before = self
            .state
            .devices
            .get(device)
            .and_then(|device| device.battery);
        if before.is_none_or(|before| before / 10 != percent / 10) {
            let fact = Fact::Device(DeviceFact::Battery { percent });
            self.emit(now, table, Some(device.clone()), fact);
        }
        let cause = Cause::of(AlertKind::DeviceBattery, table, device);
        if percent < BATTERY_LOW && !battery.charging {
            let text = format!("The battery of {device} is at {percent} %.");
            self.raise(now, cause, Severity::Warning, text, None);
        } else {
            self.clear(now, &cause);
        }
    }

    fn handle_magic(&mut self, now: Now, table: TableNo, piece: MagicPiece) {
        let result = match piece {
            MagicPiece::Draw => GameResult::Draw,
            MagicPiece::WhiteWins => GameResult::WhiteWins,
            MagicPiece::BlackWins => GameResult::BlackWins,
        };
        let position = self.position(table);
        let text = "The result was shown with the result piece.".to_owned();
        self.propose_result(now, table, result, Termination::Unknown, position, text);
    }

    /// A game is open here: it has a pairing that is public and no result.
    fn game_open(&self, table: TableNo) -> bool {
        let Some(round) = self.state.round() else {
            return false;
        };
        round.published
            && round.closed_at.is_none()
            && round
                .games
                .get(&table)
                .is_some_and(|game| game.result.is_none())
    }

    fn drain_tracker(&mut self, now: Now, table: TableNo) {
        while let Some(event) = self
            .live
            .get_mut(&table)
            .and_then(|live| live.tracker.poll_event())
        {
            self.handle_track(now, table, event);
        }
    }

    fn handle_track(&mut self, now: Now, table: TableNo, event: TrackEvent) {
        if let TrackEvent::SetUp { turned } = event
            && let Some(live) = self.live.get_mut(&table)
        {
            live.clock.set_white_side(white_side(turned));
        }
        if !self.game_open(table) {
            return;
        }
        match event {
            TrackEvent::SetUp { turned } => {
                self.board(now, table, BoardFact::Ready { turned });
                self.clear_table(now, table, &[AlertKind::WrongSetUp, AlertKind::Disturbed]);
            }
            TrackEvent::WrongSetUp { detail, placement } => {
                let text = format!("Table {table} is set up wrongly: {detail}.");
                self.board(
                    now,
                    table,
                    BoardFact::WrongSetUp {
                        detail,
                        seen: placement,
                    },
                );
                let cause = Cause::at(AlertKind::WrongSetUp, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            TrackEvent::Move(made) => {
                if let Some(live) = self.live.get_mut(&table) {
                    live.clock.handle_move(made.at, made.side);
                }
                self.emit(now, Some(table), None, Fact::Move(made));
                self.clear_table(now, table, &[AlertKind::NotStarted, AlertKind::WrongSetUp]);
                self.drain_clock(now, table);
            }
            TrackEvent::Withdrawn {
                from_ply,
                moves: _,
                replaced_by,
            } => {
                let fact = Fact::Withdrawn {
                    ply: from_ply,
                    replaced_by,
                };
                self.emit(now, Some(table), None, fact);
            }
            TrackEvent::Illegal {
                ply,
                before,
                placement,
                mover,
                offending,
                reasons,
                pressed: _,
            } => {
                let times = self.times(table, now);
                let claim = IllegalClaim {
                    ply,
                    side: mover,
                    offending,
                    before,
                    seen: placement,
                    reasons,
                    times,
                };
                self.handle_illegal(now, table, claim);
            }
            TrackEvent::Unexplained {
                expected,
                seen,
                ambiguous,
                since: _,
            } => {
                self.set_disturbed(table, true);
                let text = if ambiguous {
                    format!("Table {table}: several lines of moves lead to what stands there. Ask.")
                } else {
                    format!("Table {table}: what stands on the board cannot be explained.")
                };
                self.board(now, table, BoardFact::Disturbed { expected, seen });
                let cause = Cause::at(AlertKind::Disturbed, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            TrackEvent::Explained | TrackEvent::IllegalResolved { .. } => {
                self.set_disturbed(table, false);
                self.board(now, table, BoardFact::Restored);
                self.clear_table(now, table, &[AlertKind::Disturbed]);
            }
            TrackEvent::Mismatch {
                square,
                expected,
                seen,
            } => {
                let text = format!(
                    "Table {table}: {square} must show {} and shows {}. Move the piece to the \
                     middle of its square, or look whether it is the right one.",
                    man(expected),
                    man(seen)
                );
                self.board(
                    now,
                    table,
                    BoardFact::Mismatch {
                        square,
                        expected,
                        seen,
                    },
                );
                let cause = Cause::at(AlertKind::Disturbed, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            TrackEvent::MismatchOver { square } => {
                self.board(now, table, BoardFact::MismatchOver { square });
                self.clear_table(now, table, &[AlertKind::Disturbed]);
            }
            TrackEvent::ResultByKings {
                outcome,
                final_fen,
                plies: _,
            } => {
                let words = match outcome {
                    Outcome::White => "White won",
                    Outcome::Black => "Black won",
                    Outcome::Draw => "a draw",
                };
                let text = format!("The kings in the centre say: {words}.");
                let result = result_of(outcome);
                let termination = self.shown_termination(table, result);
                self.propose_result(now, table, result, termination, final_fen, text);
            }
            TrackEvent::ResultWithdrawn => self.shown_result_withdrawn(now, table),
            TrackEvent::ResultMissing { .. } => {
                if self.open_result(table).is_none() {
                    let text = format!(
                        "Table {table}: the pieces were put back and no result was shown. Ask."
                    );
                    let cause = Cause::at(AlertKind::ResultMissing, table);
                    self.raise(now, cause, Severity::Call, text, None);
                }
            }
            TrackEvent::StartAgain { .. } => self.board(now, table, BoardFact::StartAgain),
            TrackEvent::GameOver {
                ply: _,
                outcome,
                reason,
            } => {
                let text = format!(
                    "The position on the board ends the game: {}.",
                    end_words(reason)
                );
                let position = self.position(table);
                let (result, termination) = (result_of(outcome), end_of(reason));
                self.propose_result(now, table, result, termination, position, text);
            }
            TrackEvent::Note(note) => {
                self.board(
                    now,
                    table,
                    BoardFact::Note {
                        detail: note_words(&note),
                    },
                );
            }
        }
    }

    /// The kings went back: it was a slip. What the clock or the position proves stays proposed.
    fn shown_result_withdrawn(&mut self, now: Now, table: TableNo) {
        let shown = self.state.proposals.iter().find(|(_, open)| {
            open.table == table
                && matches!(
                    open.proposal.proposed,
                    Proposed::Result {
                        termination: Termination::Unknown,
                        ..
                    }
                )
        });
        if let Some((number, _)) = shown {
            let number = *number;
            self.overtake(now, table, number);
        }
    }

    fn board(&mut self, now: Now, table: TableNo, fact: BoardFact) {
        self.emit(now, Some(table), None, Fact::Board(fact));
    }

    fn set_disturbed(&mut self, table: TableNo, disturbed: bool) {
        if let Some(live) = self.live.get_mut(&table) {
            live.disturbed = disturbed;
        }
    }

    /// Kings say who won; the journal knows of a fallen flag or a mate.
    fn shown_termination(&self, table: TableNo, result: GameResult) -> Termination {
        let Some(game) = self.state.game(table) else {
            return Termination::Unknown;
        };
        match (game.flags.first(), result.winner()) {
            (Some(first), Some(winner)) if *first == winner.other() => Termination::Flag,
            (Some(_), None) => Termination::FlagNoMatingMaterial,
            _ => Termination::Unknown,
        }
    }

    fn propose_result(
        &mut self,
        now: Now,
        table: TableNo,
        result: GameResult,
        termination: Termination,
        position: String,
        text: String,
    ) {
        if !self.game_open(table) {
            return;
        }
        self.clear_table(now, table, &[AlertKind::ClockStopped]);
        if let Some(live) = self.live.get_mut(&table) {
            live.stopped_at = None;
        }
        let proposal = Proposal {
            proposed: Proposed::Result {
                result,
                termination,
            },
            position,
            seen: self.seen(table),
            times: self.times(table, now),
            text,
        };
        self.propose(
            now,
            table,
            proposal,
            AlertKind::ResultConflict,
            Severity::Notice,
        );
    }

    fn handle_illegal(&mut self, now: Now, table: TableNo, claim: IllegalClaim) {
        self.set_disturbed(table, true);
        let reasons: Vec<&str> = claim
            .reasons
            .iter()
            .map(|reason| reason_words(*reason))
            .collect();
        let side = claim.side;
        let text = format!(
            "{} completed an illegal move, {}: {}.",
            name(side),
            claim.offending,
            reasons.join("; ")
        );
        let proposal = Proposal {
            proposed: Proposed::IllegalMove { side },
            position: claim.before.clone(),
            seen: Some(claim.seen.clone()),
            times: claim.times,
            text,
        };
        self.emit(now, Some(table), None, Fact::IllegalClaim(claim));
        self.propose(now, table, proposal, AlertKind::IllegalMove, Severity::Call);
    }

    fn drain_clock(&mut self, now: Now, table: TableNo) {
        while let Some(event) = self
            .live
            .get_mut(&table)
            .and_then(|live| live.clock.poll_event())
        {
            if self.game_open(table) {
                self.handle_clock(now, table, event);
            }
        }
        self.join(now, table);
        self.sample(now, table);
    }

    /// A clock that was running when it was first heard of has started, whenever that was.
    fn join(&mut self, now: Now, table: TableNo) {
        let round_runs = self
            .state
            .round()
            .is_some_and(|round| round.started_at.is_some());
        let unstarted = self
            .state
            .game(table)
            .is_some_and(|game| !game.clock_started);
        if !round_runs || !unstarted || !self.game_open(table) {
            return;
        }
        let current = self
            .live
            .get(&table)
            .and_then(|live| live.clock.current(now.mono));
        if let Some(current) = current.filter(|current| current.running.is_some()) {
            self.clock_runs(now, table, true);
            self.clock_fact(now, table, ClockFact::Started(current.times));
        }
    }

    fn handle_clock(&mut self, now: Now, table: TableNo, event: ClockEvent) {
        // Until it runs in this game, a clock shows what the last game left or somebody is setting.
        let started = self
            .state
            .game(table)
            .is_some_and(|game| game.clock_started);
        let of_a_game = matches!(
            event,
            ClockEvent::Press { .. }
                | ClockEvent::Stopped { .. }
                | ClockEvent::Flag { .. }
                | ClockEvent::Corrected { .. }
                | ClockEvent::AddedAfterFlag { .. }
                | ClockEvent::SideDoubt { .. }
        );
        if of_a_game && !started {
            return;
        }
        match event {
            ClockEvent::Press { side, times } => {
                if let Some(live) = self.live.get_mut(&table) {
                    live.tracker.handle_press(now.mono, side);
                }
                self.drain_tracker(now, table);
                let ply = self
                    .state
                    .game(table)
                    .map_or(0, |game| game.moves.len() as u16);
                self.emit(now, Some(table), None, Fact::Press { ply, side, times });
            }
            ClockEvent::Started { running: _, times } => {
                self.clock_runs(now, table, true);
                self.clock_fact(now, table, ClockFact::Started(times));
            }
            ClockEvent::Stopped { running: _, times } => {
                self.clock_runs(now, table, false);
                self.clock_fact(now, table, ClockFact::Stopped(times));
                let asks = self.open_result(table).is_none()
                    && self
                        .state
                        .game(table)
                        .is_some_and(|game| game.flags.is_empty());
                if asks && let Some(live) = self.live.get_mut(&table) {
                    live.stopped_at = Some(now.mono);
                }
            }
            ClockEvent::Restarted { running: _, times } => {
                self.clock_runs(now, table, true);
                self.clock_fact(now, table, ClockFact::Restarted(times));
                if let Some(live) = self.live.get_mut(&table) {
                    live.stopped_at = None;
                }
                self.clear_table(now, table, &[AlertKind::ClockStopped]);
            }
            ClockEvent::Flag { side, order, times } => {
                self.handle_flag(now, table, side, order, times);
            }
            ClockEvent::Corrected {
                before,
                after,
                stopped: _,
            } => {
                self.handle_correction(now, table, before, after);
            }
            ClockEvent::AddedAfterFlag { side, added } => {
                self.clock_fact(now, table, ClockFact::AddedAfterFlag { side, added });
                let text = format!(
                    "Table {table}: the clock added {} s to {} after the flag (R-CK-3). \
                     Check the clock's setting.",
                    added.as_secs(),
                    name(side)
                );
                let cause = Cause::at(AlertKind::Correction, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            ClockEvent::BatteryLow => {
                self.clock_fact(now, table, ClockFact::BatteryLow);
                let text = format!(
                    "Table {table}: the clock's battery is low. It runs ten hours more at least."
                );
                let cause = Cause::at(AlertKind::ClockBattery, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            ClockEvent::Gone => {
                self.clock_fact(now, table, ClockFact::Gone);
                let text = format!("Table {table}: the clock is unplugged from the board.");
                let cause = Cause::at(AlertKind::ClockGone, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
            ClockEvent::Back => {
                self.clock_fact(now, table, ClockFact::Back);
                self.clear_table(now, table, &[AlertKind::ClockGone]);
            }
            ClockEvent::SideDoubt { white_side: _ } => {
                self.clock_fact(now, table, ClockFact::SideDoubt);
                let text = format!(
                    "Table {table}: the time that runs is not that of the player to move. \
                     Does the clock stand the wrong way round?"
                );
                let cause = Cause::at(AlertKind::ClockSide, table);
                self.raise(now, cause, Severity::Warning, text, None);
            }
        }
    }

    fn clock_runs(&mut self, now: Now, table: TableNo, runs: bool) {
        if let Some(live) = self.live.get_mut(&table) {
            live.tracker.handle_clock_running(now.mono, runs);
        }
        self.drain_tracker(now, table);
    }

    fn clock_fact(&mut self, now: Now, table: TableNo, fact: ClockFact) {
        self.emit(now, Some(table), None, Fact::Clock(fact));
    }

    /// R-CK-1: the side, and which fell first where that is known.
    fn handle_flag(
        &mut self,
        now: Now,
        table: TableNo,
        side: Color,
        order: FlagOrder,
        times: Times,
    ) {
        let mating_material = BySide {
            white: self.can_mate(table, Color::White),
            black: self.can_mate(table, Color::Black),
        };
        let fact = Fact::Flag {
            side,
            order,
            times,
            mating_material,
        };
        self.emit(now, Some(table), None, fact);
        if let Some(live) = self.live.get_mut(&table) {
            live.stopped_at = None;
        }
        self.clear_table(now, table, &[AlertKind::ClockStopped]);
        match order {
            FlagOrder::First => {
                let opponent = side.other();
                let (result, termination) = if *mating_material.of(opponent) {
                    (GameResult::won_by(opponent), Termination::Flag)
                } else {
                    (GameResult::Draw, Termination::FlagNoMatingMaterial)
                };
                let proposal = Proposal {
                    proposed: Proposed::Result {
                        result,
                        termination,
                    },
                    position: self.position(table),
                    seen: self.seen(table),
                    times: Some(times),
                    text: format!("{}'s flag fell.", name(side)),
                };
                self.propose(now, table, proposal, AlertKind::Flag, Severity::Call);
            }
            FlagOrder::Second => {}
            FlagOrder::Unknown => {
                let text = format!(
                    "Table {table}: both flags are down and it is unknown which fell first. \
                     Look at the clock."
                );
                let cause = Cause::at(AlertKind::Flag, table);
                self.raise(now, cause, Severity::Call, text, None);
            }
        }
    }

    /// R-CK-5: a change of times that no decision explains is an alert.
    fn handle_correction(&mut self, now: Now, table: TableNo, before: Times, after: Times) {
        let decision = self
            .live
            .get_mut(&table)
            .and_then(|live| live.explains.take());
        self.emit(
            now,
            Some(table),
            None,
            Fact::Correction {
                before,
                after,
                decision,
            },
        );
        if decision.is_none() {
            let text = format!(
                "Table {table}: the clock was changed from {} / {} to {} / {}, and no decision \
                 explains it.",
                clock_text(before.white),
                clock_text(before.black),
                clock_text(after.white),
                clock_text(after.black)
            );
            let cause = Cause::at(AlertKind::Correction, table);
            self.raise(now, cause, Severity::Warning, text, None);
        }
    }

    /// An accepted penalty explains the next change of the clock.
    pub(super) fn explain_correction(&mut self, table: TableNo, proposal: u64) {
        if let Some(live) = self.live.get_mut(&table) {
            live.explains = Some(proposal);
        }
    }

    fn sample(&mut self, now: Now, table: TableNo) {
        let Some(live) = self.live.get_mut(&table) else {
            return;
        };
        let Some(current) = live.clock.current(now.mono) else {
            return;
        };
        let due = live
            .sampled_at
            .is_none_or(|at| now.mono.since(at) >= SAMPLE_EVERY);
        if current.running.is_none() || !due {
            return;
        }
        live.sampled_at = Some(now.mono);
        let times = current.times;
        if self.game_open(table) {
            self.clock_fact(now, table, ClockFact::Sample(times));
        }
    }

    /// Whether a side could mate by any series of legal moves, as far as the material shows. What
    /// stands on the board counts, since moves may have been missed.
    pub(super) fn can_mate(&self, table: TableNo, side: Color) -> bool {
        self.live.get(&table).is_none_or(|live| {
            let seen = live.tracker.placement().and_then(position_of);
            let position = seen.as_ref().unwrap_or_else(|| live.tracker.position());
            !position.has_insufficient_material(side)
        })
    }

    pub(super) fn times(&self, table: TableNo, now: Now) -> Option<Times> {
        Some(self.live.get(&table)?.clock.current(now.mono)?.times)
    }

    fn seen(&self, table: TableNo) -> Option<String> {
        Some(self.live.get(&table)?.seen()?.to_string())
    }

    /// A pairing became public: the tables wait for their start positions.
    pub(super) fn arm_tables(&mut self, now: Now) {
        let tables: Vec<TableNo> = self
            .state
            .round()
            .into_iter()
            .flat_map(|round| round.games.keys().copied())
            .collect();
        for table in tables {
            let wire = self.live.remove(&table).and_then(|live| live.wire);
            self.live.insert(table, self.new_live(table));
            self.show(now, table, wire);
        }
    }

    /// After a restart the tables go on from their moves.
    pub(super) fn restore_tables(&mut self) {
        let Some(round) = self.state.round().filter(|round| round.published) else {
            return;
        };
        self.live = round
            .games
            .keys()
            .map(|table| (*table, self.new_live(*table)))
            .collect();
    }

    /// Another device serves the table, or the same one again.
    pub(super) fn device_changed(&mut self, table: TableNo) {
        let live = self.new_live(table);
        self.live.entry(table).or_insert(live);
        self.dirty.tables.insert(table);
    }

    fn new_live(&self, table: TableNo) -> LiveTable {
        let control = self.state.set_up.as_ref().and_then(SetUp::control);
        let port = self
            .settings
            .ports
            .values()
            .find(|port| port.table == Some(table));
        let turned = port.and_then(|port| port.turned);
        LiveTable::new(self.state.game(table), control.as_ref(), turned)
    }

    fn show(&mut self, now: Now, table: TableNo, wire: Option<Placement>) {
        let (Some(wire), Some(live)) = (wire, self.live.get_mut(&table)) else {
            return;
        };
        live.tracker.handle_placement(now.mono, &wire, None);
        live.wire = Some(wire);
        self.drain_tracker(now, table);
    }

    /// A result stands: what the players do with the pieces now is theirs.
    pub(super) fn result_stands(&mut self, table: TableNo) {
        if let Some(live) = self.live.get_mut(&table) {
            live.disturbed = false;
            live.stopped_at = None;
            live.tracker.set_result();
        }
    }

    /// The proposed result was none: the game goes on.
    pub(super) fn result_rejected(&mut self, now: Now, table: TableNo) {
        let wire = self.live.get_mut(&table).and_then(|live| live.wire.take());
        let live = self.new_live(table);
        self.live.insert(table, live);
        self.show(now, table, wire);
    }

    pub(super) fn set_orientation(
        &mut self,
        now: Now,
        table: TableNo,
        turned: bool,
    ) -> Result<(), Refused> {
        let game = self.state.game(table).ok_or_else(|| Refused::NotFound {
            what: "game at table",
            id: table.to_string(),
        })?;
        if !game.moves.is_empty() {
            return Err(Refused::Conflict(format!(
                "the game at table {table} has begun"
            )));
        }
        self.board(now, table, BoardFact::Ready { turned });
        let wire = self.live.get_mut(&table).and_then(|live| live.wire.take());
        self.live.insert(table, self.new_live(table));
        self.show(now, table, wire);
        Ok(())
    }

    pub(super) fn table_timeout(&self) -> Option<Mono> {
        self.live
            .values()
            .flat_map(|live| {
                [
                    live.tracker.poll_timeout(),
                    live.clock.poll_timeout(),
                    live.stopped_at.map(|at| at + STOP_CALL_AFTER),
                ]
            })
            .flatten()
            .min()
    }

    pub(super) fn handle_table_timeouts(&mut self, now: Now) {
        let tables: Vec<TableNo> = self.live.keys().copied().collect();
        for table in tables {
            let Some(live) = self.live.get_mut(&table) else {
                continue;
            };
            if live.tracker.poll_timeout().is_some_and(|at| at <= now.mono) {
                live.tracker.handle_timeout(now.mono);
                self.drain_tracker(now, table);
            }
            let Some(live) = self.live.get_mut(&table) else {
                continue;
            };
            if live.clock.poll_timeout().is_some_and(|at| at <= now.mono) {
                live.clock.handle_timeout(now.mono);
                self.drain_clock(now, table);
            }
            let Some(live) = self.live.get_mut(&table) else {
                continue;
            };
            if live
                .stopped_at
                .is_some_and(|at| at + STOP_CALL_AFTER <= now.mono)
            {
                live.stopped_at = None;
                self.call_for_stopped_clock(now, table);
            }
        }
    }

    fn call_for_stopped_clock(&mut self, now: Now, table: TableNo) {
        if !self.game_open(table) || self.open_result(table).is_some() {
            return;
        }
        let fact = Fact::Call {
            reason: "clock-stopped".to_owned(),
            note: None,
            by: None,
        };
        self.emit(now, Some(table), None, fact);
        let text = format!("Table {table}: the clock was stopped in the middle of the game.");
        let cause = Cause::at(AlertKind::ClockStopped, table);
        self.raise(now, cause, Severity::Call, text, None);
    }
}

/// The clock stands at the connector, which is at White's left, its front towards the board: then
/// its left is White (dgt-serial §5).
fn white_side(turned: bool) -> ClockSide {
    if turned {
        ClockSide::Right
    } else {
        ClockSide::Left
    }
}

/// A placement with both kings as a position, whoever is to move; `None` while pieces are in the air.
fn position_of(placement: &Placement) -> Option<Chess> {
    Color::ALL.into_iter().find_map(|turn| {
        let setup = Setup {
            board: placement.clone(),
            turn,
            ..Setup::empty()
        };
        setup.position(CastlingMode::Standard).ok()
    })
}

fn device_id(info: &DeviceInfo, port: &str) -> DeviceId {
    let family = info.family.split('-').next().unwrap_or_default();
    let name = info.serial.as_deref().unwrap_or(port);
    let slug: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        })
        .collect();
    DeviceId(format!("{family}-{}", slug.trim_matches('-')))
}

/// `h:mm:ss` for people.
fn clock_text(time: Duration) -> String {
    let seconds = time.as_secs();
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
