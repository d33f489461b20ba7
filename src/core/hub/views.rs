//! Pictures of the hall for pages, the API and MQTT.

use std::{collections::BTreeSet, time::Duration};

use shakmaty::fen::Fen;

use super::{
    Hub,
    event::{Evidence, Proposed, Reach},
    play_off::play_off_view,
    rounds::phase_of,
    state::{Alert, Device, Game, OpenCorrection, OpenProposal, Question, Round},
    tables::{A_MINUTE, LiveTable},
    view::{
        AlertView, ClockView, CorrectionView, DeviceView, EventView, EvidenceView, HallView,
        MemberView, PlayerView, ProposalView, QuestionView, ReadingView, RoundView, StaffView,
        TablePhase, TableView, Update,
    },
    words::san,
};
use crate::types::{Color, DeviceId, Now, PlayerNo, TableNo, color};

impl Hub {
    /// The whole hall.
    pub fn hall_view(&self, now: Now) -> HallView {
        HallView {
            seq: self.state.seq,
            event: self.event_view(),
            round: self.state.round().map(|round| self.round_view(round)),
            earlier: self.earlier_rounds(),
            tables: self
                .all_tables()
                .into_iter()
                .map(|table| self.table_view(table, now))
                .collect(),
            alerts: self.alert_views(),
            proposals: self.proposal_views(),
            devices: self.device_views(),
            screens: self.screen_views(),
            show: self.show_view(now),
            staff: self.staff_view(now),
            protests: self.protest_views(),
        }
    }

    /// What changed since the last call; `None` when nothing did.
    pub fn take_update(&mut self, now: Now) -> Option<Update> {
        let mut dirty = std::mem::take(&mut self.dirty);
        dirty.round |= !dirty.tables.is_empty() && self.tells_waiting();
        for table in &dirty.tables {
            if let Some(live) = self.live.get_mut(*table) {
                live.clock_is_shown(now);
            }
        }
        let update = Update {
            seq: self.state.seq,
            event: dirty.event.then(|| self.event_view()).flatten(),
            round: dirty
                .round
                .then(|| self.state.round().map(|round| self.round_view(round)))
                .flatten(),
            earlier: if dirty.round {
                self.earlier_rounds()
            } else {
                Vec::new()
            },
            tables: dirty
                .tables
                .iter()
                .map(|table| self.table_view(*table, now))
                .collect(),
            alerts: dirty.alerts.then(|| self.alert_views()),
            proposals: dirty.proposals.then(|| self.proposal_views()),
            devices: dirty.devices.then(|| self.device_views()),
            screens: dirty.screens.then(|| self.screen_views()),
            show: dirty.show.then(|| self.show_view(now)),
            staff: dirty.staff.then(|| self.staff_view(now)),
            protests: dirty.protests.then(|| self.protest_views()),
        };
        let empty = Update {
            seq: update.seq,
            ..Update::default()
        };
        (update != empty).then_some(update)
    }

    pub(super) fn all_tables(&self) -> BTreeSet<TableNo> {
        let games = self.state.round().map(|round| round.games.keys().copied());
        let served = self
            .state
            .devices
            .values()
            .filter_map(|device| device.table);
        games.into_iter().flatten().chain(served).collect()
    }

    fn event_view(&self) -> Option<EventView> {
        let set_up = self.state.set_up.as_ref()?;
        Some(EventView {
            name: set_up.settings.name.clone(),
            section: set_up.settings.section.to_string(),
            rounds: self.rounds().unwrap_or_default(),
            players: set_up.players.len() as u16,
            away: self.away(),
            time_control: set_up.settings.time_control.clone().unwrap_or_default(),
            penalty_ms: set_up.settings.illegal_moves.bonus.as_millis() as u64,
            system: set_up.settings.system.name().to_owned(),
            variant: word(set_up.settings.variant),
            zone: Some(&set_up.settings.schedule.zone)
                .filter(|zone| !zone.is_empty())
                .cloned(),
        })
    }

    fn earlier_rounds(&self) -> Vec<RoundView> {
        let rounds = self.state.rounds.split_last();
        rounds.map_or_else(Vec::new, |(_, earlier)| {
            let public = earlier.iter().filter(|round| round.published);
            public.map(|round| self.round_view(round)).collect()
        })
    }

    fn round_view(&self, round: &Round) -> RoundView {
        let default_at = round.started_at.and_then(|started| {
            started
                .checked_add(self.default_time().filter(|time| !time.is_zero())?)
                .ok()
        });
        let next_at = self.next_start(round);
        RoundView {
            number: round.number,
            phase: phase_of(round, &self.skipped_marks),
            published: round.published,
            planned_at: self.planned_start(),
            starts_at: round.starts_at,
            started_at: round.started_at,
            default_at,
            until_half: self.until_half(round),
            next_at,
            next_about: next_at.is_some() && self.next_is_reckoned(round),
            waiting: self.waiting_tables(round),
            photo_until: self.photo_until(round),
            play_off: play_off_view(round),
            held_reason: round.held.clone().flatten(),
            tables: round.games.len() as u16,
            open: round.open_tables().count() as u16,
            bye: round
                .pairing
                .bye
                .as_ref()
                .map(|bye| self.player_view(bye.player)),
        }
    }

    pub(super) fn player_view(&self, no: PlayerNo) -> PlayerView {
        let player = self.state.player(no);
        PlayerView {
            no,
            name: player.map_or_else(|| format!("Player {no}"), |player| player.name.clone()),
            rating: player.and_then(|player| player.rating),
        }
    }

    /// One table.
    pub fn table_view(&self, table: TableNo, now: Now) -> TableView {
        let game = self.state.game(table);
        let live = self.live.get(table);
        let device = self.state.device_at(table);
        let last = game.and_then(|game| game.moves.last());
        let position = self.placement(table);
        TableView {
            table,
            white: game.map(|game| self.player_view(game.white)),
            black: game.map(|game| self.player_view(game.black)),
            draft: self.state.round().is_some_and(|round| !round.published),
            phase: self.table_phase(table, game),
            ply: game.map_or(0, |game| game.moves.len() as u16),
            last_san: last.map(|played| played.san.to_string()),
            last_uci: last.map(|played| played.uci.to_string()),
            turn: game.map_or(Color::White, Game::turn),
            start: game
                .and_then(|game| game.start.as_ref())
                .map(|start| start.fen.clone()),
            // After the result the pieces are the players' own again.
            seen: live
                .filter(|_| game.is_none_or(|game| game.result.is_none()))
                .and_then(LiveTable::seen)
                .map(ToString::to_string)
                .filter(|seen| *seen != position),
            position,
            disturbed: live.is_some_and(LiveTable::disturbed),
            gaps: game.map_or(0, |game| game.gaps.len() as u16),
            question: game
                .and_then(|game| game.question.as_ref())
                .map(question_view),
            result: game
                .and_then(|game| game.result)
                .map(|(result, _)| result.as_str().to_owned()),
            termination: game
                .and_then(|game| game.result)
                .map(|(_, termination)| word(termination)),
            result_source: game.and_then(|game| game.result_source).map(word),
            clock: self.clock_view(table, now),
            flags: game
                .map(|game| {
                    game.flags
                        .iter()
                        .map(|side| color::name(*side).to_owned())
                        .collect()
                })
                .unwrap_or_default(),
            flags_unordered: game.is_some_and(|game| game.flags_unordered),
            device: device.map(|(id, _)| id.clone()),
            online: device.is_some_and(|(_, device)| device.online),
            heard_at: device.and_then(|(id, _)| self.heard.get(id).copied()),
            alerts: self
                .state
                .alerts
                .iter()
                .filter(|(_, alert)| alert.table == Some(table))
                .map(|(number, _)| *number)
                .collect(),
            illegal: game.map_or((0, 0), |game| (game.illegal.white, game.illegal.black)),
            conduct: self.conduct_view(table),
            correction: game
                .and_then(|game| game.correction.as_ref())
                .map(|open| correction_view(open, live.is_none_or(LiveTable::white_left))),
        }
    }

    fn table_phase(&self, table: TableNo, game: Option<&Game>) -> TablePhase {
        let Some(game) = game else {
            return TablePhase::Unused;
        };
        if game.result.is_some() {
            TablePhase::Finished
        } else if self.open_result(table).is_some() {
            TablePhase::Deciding
        } else if !game.moves.is_empty() || game.clock_started {
            TablePhase::Playing
        } else if game.ready {
            TablePhase::Ready
        } else {
            TablePhase::Waiting
        }
    }

    fn clock_view(&self, table: TableNo, now: Now) -> Option<ClockView> {
        if let Some(view) = self.live.get(table).and_then(|live| live.clock_view(now)) {
            return Some(view);
        }
        // Nothing was read since the hub was started: what the journal has, with its age.
        let game = self.state.game(table)?;
        let times = game.times?;
        Some(ClockView {
            white_ms: times.white.as_millis() as u64,
            black_ms: times.black.as_millis() as u64,
            running: None,
            lever: None,
            at: self.state.at?,
        })
    }

    fn alert_views(&self) -> Vec<AlertView> {
        let view = |(id, alert): (u64, &Alert)| AlertView {
            id,
            kind: word(alert.about),
            severity: alert.severity,
            table: alert.table,
            device: alert.device.clone(),
            text: alert.text.clone(),
            raised_at: alert.raised_at,
            acknowledged_by: alert.owner.clone(),
            taken_at: alert.taken_at,
            escalated: alert.reach > Reach::Zone,
            reach: alert.reach,
            to: alert.to.clone(),
            proposal: alert.proposal,
            evidence: alert.evidence.as_deref().map(evidence_view),
        };
        self.queue().into_iter().map(view).collect()
    }

    fn staff_view(&self, now: Now) -> StaffView {
        let staff = &self.state.staff;
        StaffView {
            level: staff.level,
            members: (staff.members.iter())
                .map(|member| MemberView {
                    on_duty: member.is_on_duty(now.utc),
                    member: member.clone(),
                })
                .collect(),
            staffing: self.staffing(now),
        }
    }

    fn proposal_views(&self) -> Vec<ProposalView> {
        self.state
            .proposals
            .iter()
            .map(|(id, open)| self.proposal_view(*id, open))
            .collect()
    }

    fn proposal_view(&self, id: u64, open: &OpenProposal) -> ProposalView {
        let game = self.state.game(open.table);
        let proposal = &open.proposal;
        let (kind, result, termination) = match proposal.proposed {
            Proposed::Result {
                result,
                termination,
            } => ("result", Some(result), Some(word(termination))),
            Proposed::IllegalMove { .. } => ("illegal-move", None, None),
            Proposed::Forfeit { result } => ("forfeit", Some(result), None),
            Proposed::HandViolation { .. } => ("hand-violation", None, None),
            Proposed::Penalty { .. } => ("penalty", None, None),
            Proposed::Disqualify { .. } => ("disqualify", None, None),
        };
        ProposalView {
            id,
            kind: kind.to_owned(),
            table: open.table,
            white: game.map(|game| self.player_view(game.white)),
            black: game.map(|game| self.player_view(game.black)),
            result: result.map(|result| result.as_str().to_owned()),
            termination,
            text: proposal.text.clone(),
            position: proposal.position.clone(),
            seen: proposal.seen.clone(),
            white_ms: proposal.times.map(|times| times.white.as_millis() as u64),
            black_ms: proposal.times.map(|times| times.black.as_millis() as u64),
            raised_at: open.raised_at,
        }
    }

    fn device_views(&self) -> Vec<DeviceView> {
        let view = |(id, device): (&DeviceId, &Device)| DeviceView {
            device: id.clone(),
            family: device.info.family.clone(),
            version: device.info.version.clone(),
            port: device.port.clone(),
            table: device.table,
            online: device.online,
            battery: device.battery,
        };
        self.state.devices.iter().map(view).collect()
    }

    /// The position by the moves played: FEN.
    pub(super) fn position(&self, table: TableNo) -> String {
        self.live
            .get(table)
            .map_or_else(|| Fen::default().to_string(), LiveTable::fen)
    }

    fn placement(&self, table: TableNo) -> String {
        let fen = self.position(table);
        fen.split(' ').next().unwrap_or_default().to_owned()
    }
}

fn evidence_view(evidence: &Evidence) -> EvidenceView {
    let ms = |side| {
        let times = evidence.times?;
        Some(times.of(side).as_millis() as u64)
    };
    EvidenceView {
        ply: evidence.ply,
        position: evidence.position.clone(),
        seen: evidence.seen.clone(),
        white_ms: ms(Color::White),
        black_ms: ms(Color::Black),
    }
}

fn question_view(question: &Question) -> QuestionView {
    let reading = |uci: &String| ReadingView {
        uci: uci.clone(),
        san: san(&question.before, uci),
    };
    QuestionView {
        ply: question.ply,
        moves: question.moves.iter().map(reading).collect(),
    }
}

/// The word on the wire of a value that is one.
pub(super) fn word(value: impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn correction_view(open: &OpenCorrection, white_left: bool) -> CorrectionView {
    let order = &open.order;
    let target = open.target();
    let add = |side| order.change.of(side, open.base.unwrap_or(order.shown));
    let ms = |time: Duration| time.as_millis() as u64;
    CorrectionView {
        id: open.number,
        by: order.by.clone(),
        why: order.why.clone(),
        ordered_at: open.at,
        due_at: open.at.checked_add(A_MINUTE).unwrap_or(open.at),
        add_white_ms: add(Color::White),
        add_black_ms: add(Color::Black),
        white_ms: target.map(|target| ms(target.white)),
        black_ms: target.map(|target| ms(target.black)),
        white_moves: order.moves.white,
        black_moves: order.moves.black,
        white_left,
        way: word(order.way),
        answer: open.answer.map(word),
    }
}
