//! One table as its device shows it now: tracker, clock model, and what the pages were told.

use std::{cell::Cell, collections::BTreeMap, time::Duration};

use shakmaty::{ByColor, CastlingMode, Chess, Setup, uci::UciMove};

use super::{
    correction::Unexplained,
    sight::Known,
    tracker::{BoardTracker, Kind, Picture},
};
use crate::{
    chess::{Start, TrackerSettings, Variant, game::Gap},
    clock::{AgainstBoard, ClockModel, ClockSettings, SettingWatch, TimeControl},
    hub::{event::Times, state::Game, view::ClockView},
    protocol::{ClockSide, Observation},
    types::{Color, Mono, Now, Placement, TableNo},
};

/// A clock that stands still for so long in the middle of a game calls the arbiter; at the end of a
/// game the players need this time to show the result.
pub(super) const STOP_CALL_AFTER: Duration = Duration::from_secs(15);

/// A running clock that does what is expected is told to the pages this often.
const SHOW_EVERY: Duration = Duration::from_secs(10);

/// What whole seconds and the lag of the display may differ from counting.
const SHOW_WITHIN: Duration = Duration::from_millis(1200);

/// A table as its device shows it.
#[derive(Debug)]
pub(in crate::hub) struct LiveTable {
    pub(super) tracker: BoardTracker,
    settings: TrackerSettings,
    /// An arbiter's answer is being written down, even after the result.
    pub(super) answering: bool,
    pub(super) clock: ClockModel,
    /// Whether the clock is set to the event's control, where that is known.
    pub(super) setting: Option<SettingWatch>,
    /// Whether the clock follows the moves.
    pub(super) against: AgainstBoard,
    /// The last picture on the wire, for a tracker that is armed again.
    pub(super) wire: Option<Picture>,
    pub(super) disturbed: bool,
    /// The clock stands still in mid-game since then.
    pub(super) stopped_at: Option<Mono>,
    /// What the clock says just now was read from the board's log after an outage.
    pub(super) recalling: bool,
    /// A decision that explains the next change of times.
    pub(super) explains: Option<u64>,
    /// The last change that nothing has explained.
    pub(super) unexplained: Option<Unexplained>,
    /// A correction that the clock was seen to show: the change itself is told when the clock is left alone.
    pub(super) fulfilled: Option<(u64, Times)>,
    /// Commands of a correction that the clock has not answered.
    pub(super) answers_due: usize,
    /// The clock when the board was last in sight.
    pub(super) known: Option<Known>,
    /// The clock when the whole picture last agreed with what was heard.
    pub(super) agreed: Option<Known>,
    /// The clock as the pages were told last.
    pub(super) shown: Option<(Times, Option<Color>, Mono)>,
}

impl LiveTable {
    pub(super) fn new(
        game: Option<&Game>,
        control: Option<&TimeControl>,
        configured_turned: Option<bool>,
        variant: Variant,
    ) -> Self {
        let blitz = control.is_some_and(TimeControl::is_blitz);
        let base = if blitz {
            TrackerSettings::blitz()
        } else {
            TrackerSettings::default()
        };
        let settings = TrackerSettings {
            turned: configured_turned,
            start: start_of(game, variant),
            ..base
        };
        let turned = game.and_then(|game| game.turned).or(configured_turned);
        let tracker = tracker_of(Kind::default(), game, &settings);
        let learnt = game.and_then(|game| game.white_side);
        let mut clock = ClockModel::new(ClockSettings {
            white_side: learnt.unwrap_or_else(|| white_side(turned.unwrap_or(false))),
            control: control.cloned(),
        });
        if let Some(game) = game {
            clock.set_passed(ByColor {
                white: usize::from(game.periods.white),
                black: usize::from(game.periods.black),
            });
        }
        let told = game.into_iter().flat_map(|game| game.wrong_settings.keys());
        let told: Vec<_> = told.copied().collect();
        let setting = control.map(|control| SettingWatch::new(control.clone()).with_told(told));
        Self {
            tracker,
            settings,
            answering: false,
            clock,
            setting,
            against: AgainstBoard::new(control.cloned()),
            wire: None,
            disturbed: game.is_some_and(|game| game.disturbed && game.result.is_none()),
            known: None,
            agreed: None,
            stopped_at: None,
            recalling: false,
            explains: None,
            unexplained: None,
            fulfilled: None,
            answers_due: 0,
            shown: None,
        }
    }

    /// The board turns out to know something else than was thought: the game so far is taken over.
    pub(super) fn change_kind(&mut self, kind: Kind, game: Option<&Game>) {
        self.tracker = tracker_of(kind, game, &self.settings);
    }

    /// The board does not know its men, and so cannot follow a game that starts elsewhere.
    pub(super) fn cannot_follow(&self) -> bool {
        self.tracker.kind() == Kind::Squares && !self.settings.start.is_usual()
    }

    /// Where White sits, as the configuration says.
    pub(super) fn configured_turned(&self) -> Option<bool> {
        self.settings.turned
    }

    fn timeout(&self) -> Option<Mono> {
        let stopped = self.stopped_at.map(|at| at + STOP_CALL_AFTER);
        [
            self.tracker.poll_timeout(),
            self.clock.poll_timeout(),
            self.setting.as_ref().and_then(SettingWatch::poll_timeout),
            stopped,
        ]
        .into_iter()
        .flatten()
        .min()
    }

    /// White's time is on the left of the clock.
    pub(in crate::hub) fn white_left(&self) -> bool {
        self.clock.white_side() == ClockSide::Left
    }

    /// What the last game left on the clock, when nobody has set it since: both times can only have run on
    /// from what was recorded.
    pub(super) fn left_over(&self, ended: Option<Times>, now: Now) -> Option<Times> {
        let shown = self.clock.current(now.mono)?.times;
        let run_on = |ended: &Times| {
            let most = |side| ended.of(side) + Duration::from_secs(2);
            Color::ALL
                .into_iter()
                .all(|side| shown.of(side) <= most(side))
        };
        ended.filter(run_on).map(|_| shown)
    }

    /// Says which side of the clock is White's.
    pub(super) fn set_white_side(&mut self, side: ClockSide) {
        if side != self.clock.white_side() {
            self.clock.set_white_side(side);
            if let Some(watch) = &mut self.setting {
                watch.handle_turned();
            }
        }
    }

    /// The clock told what it has counted.
    pub(super) fn count_moves(&mut self, left: u8, right: u8) {
        let (white, black) = match self.clock.white_side() {
            ClockSide::Left => (left, right),
            ClockSide::Right => (right, left),
        };
        self.against.handle_counters(ByColor { white, black });
    }

    /// The clock is out of sight from now on.
    pub(super) fn lose_clock(&mut self) {
        self.clock.handle_outage();
        self.against.handle_outage();
        if let Some(watch) = &mut self.setting {
            watch.handle_outage();
        }
    }

    /// What stands on the board as the players see it.
    pub(in crate::hub) fn seen(&self) -> Option<&Placement> {
        self.tracker.placement()
    }

    pub(super) fn shows_news(&self, observation: &Observation) -> bool {
        match observation {
            Observation::Clock(_) => false,
            _ => {
                Picture::of(observation).is_none_or(|picture| self.wire.as_ref() != Some(&picture))
            }
        }
    }

    /// Readers of a running clock count for themselves: they are told when it does something else,
    /// and once in a while.
    pub(super) fn clock_shows_news(&self, now: Now) -> bool {
        let Some(current) = self.clock.current(now.mono) else {
            return false;
        };
        let Some((times, running, at)) = self.shown else {
            return true;
        };
        let passed = now.mono.since(at);
        current.running != running
            || (running.is_some() && passed >= SHOW_EVERY)
            || Color::ALL.into_iter().any(|side| {
                let counted = if running == Some(side) {
                    passed
                } else {
                    Duration::ZERO
                };
                let expected = times.of(side).saturating_sub(counted);
                current.times.of(side).abs_diff(expected) > SHOW_WITHIN
            })
    }

    /// The pages are told what the clock shows now.
    pub(in crate::hub) fn clock_is_shown(&mut self, now: Now) {
        self.shown = self
            .clock
            .current(now.mono)
            .map(|current| (current.times, current.running, now.mono));
    }

    pub(in crate::hub) fn disturbed(&self) -> bool {
        self.disturbed
    }

    pub(in crate::hub) fn fen(&self) -> String {
        self.tracker.fen()
    }

    pub(in crate::hub) fn running(&self, now: Now) -> Option<Color> {
        self.clock.current(now.mono)?.running
    }

    pub(in crate::hub) fn clock_view(&self, now: Now) -> Option<ClockView> {
        let current = self.clock.current(now.mono)?;
        let at = now.utc.checked_sub(current.age).unwrap_or(now.utc);
        Some(ClockView {
            white_ms: current.times.white.as_millis() as u64,
            black_ms: current.times.black.as_millis() as u64,
            running: current.running,
            lever: Some(current.to_move),
            at,
        })
    }
}

/// The live tables by number. Whoever takes one to change it makes its next timeout be asked anew;
/// the others' are remembered, since each reading of a clock asks when the hub must wake.
#[derive(Debug, Default)]
pub(in crate::hub) struct LiveTables {
    tables: BTreeMap<TableNo, LiveTable>,
    /// The next timeouts, as far as they are known: apart from the tables, which are large, since
    /// all of them are walked.
    due: BTreeMap<TableNo, Cell<Due>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Due {
    Unknown,
    Never,
    At(Mono),
}

impl LiveTables {
    pub(in crate::hub) fn get(&self, table: TableNo) -> Option<&LiveTable> {
        self.tables.get(&table)
    }

    pub(in crate::hub) fn get_mut(&mut self, table: TableNo) -> Option<&mut LiveTable> {
        let live = self.tables.get_mut(&table)?;
        self.due.insert(table, Cell::new(Due::Unknown));
        Some(live)
    }

    pub(super) fn contains_key(&self, table: TableNo) -> bool {
        self.tables.contains_key(&table)
    }

    pub(super) fn insert(&mut self, table: TableNo, live: LiveTable) {
        self.tables.insert(table, live);
        self.due.insert(table, Cell::new(Due::Unknown));
    }

    pub(super) fn remove(&mut self, table: TableNo) -> Option<LiveTable> {
        self.due.remove(&table);
        self.tables.remove(&table)
    }

    /// The tables that have one, in their order.
    pub(super) fn numbers(&self) -> Vec<TableNo> {
        self.tables.keys().copied().collect()
    }

    /// When the first of them must be looked at.
    pub(super) fn timeout(&self) -> Option<Mono> {
        self.timeouts().map(|(_, at)| at).min()
    }

    /// Those that must be looked at.
    pub(super) fn due(&self, now: Mono) -> Vec<TableNo> {
        self.timeouts()
            .filter(|(_, at)| *at <= now)
            .map(|(table, _)| table)
            .collect()
    }

    fn timeouts(&self) -> impl Iterator<Item = (TableNo, Mono)> {
        self.due.iter().filter_map(|(table, due)| {
            if due.get() == Due::Unknown {
                let timeout = self.tables.get(table).and_then(LiveTable::timeout);
                due.set(timeout.map_or(Due::Never, Due::At));
            }
            match due.get() {
                Due::At(at) => Some((*table, at)),
                Due::Never | Due::Unknown => None,
            }
        })
    }
}

/// From where a game starts: what an arbiter set, else what the event allows.
fn start_of(game: Option<&Game>, variant: Variant) -> Start {
    let set = game
        .and_then(|game| game.start.as_ref())
        .filter(|start| start.set)
        // The journal holds only positions that were legal.
        .and_then(|start| Start::from_fen(&start.fen, start.variant).ok());
    set.unwrap_or_else(|| match variant {
        Variant::Standard => Start::default(),
        Variant::Chess960 => Start::any960(),
    })
}

/// A tracker that goes on with a game of the journal.
fn tracker_of(kind: Kind, game: Option<&Game>, settings: &TrackerSettings) -> BoardTracker {
    let turned = game.and_then(|game| game.turned).or(settings.turned);
    let restored = game
        .filter(|game| game.ready || !game.moves.is_empty())
        .and_then(|game| {
            let moves: Option<Vec<UciMove>> = game
                .moves
                .iter()
                .map(|played| played.uci.parse().ok())
                .collect();
            let gap = |gap: &'_ Gap| Some((gap.after, gap.fen.clone()?));
            let gaps: Vec<_> = game.gaps.iter().filter_map(gap).collect();
            let gaps: Vec<_> = gaps
                .iter()
                .map(|(after, fen)| (*after, fen.as_str()))
                .collect();
            // The journal holds only moves that the tracker made, so they are legal.
            let mut tracker = BoardTracker::restore(
                kind,
                settings.clone(),
                game.start_fen(),
                &moves?,
                &gaps,
                turned,
            )
            .ok()?;
            if game.disturbed {
                tracker.was_disturbed();
            }
            // What happened until the board is seen again is not known.
            tracker.handle_outage(Mono::ZERO);
            Some(tracker)
        });
    let mut tracker = restored.unwrap_or_else(|| BoardTracker::new(kind, settings.clone()));
    let blind = kind == Kind::Squares && !settings.start.is_usual();
    if blind || game.is_some_and(|game| game.result.is_some()) {
        tracker.set_result();
    }
    tracker
}

/// The clock stands at the connector, which is at White's left, its front towards the board: then
/// its left is White (dgt-serial §5).
pub(super) fn white_side(turned: bool) -> ClockSide {
    if turned {
        ClockSide::Right
    } else {
        ClockSide::Left
    }
}

/// A placement with both kings as a position, whoever is to move; `None` while pieces are in the air.
pub(super) fn position_of(placement: &Placement) -> Option<Chess> {
    Color::ALL.into_iter().find_map(|turn| {
        let setup = Setup {
            board: placement.clone(),
            turn,
            ..Setup::empty()
        };
        setup.position(CastlingMode::Standard).ok()
    })
}
