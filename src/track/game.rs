//! What a board told, as games: the trackers and the clock model of the hub, in the time of the recording.

use std::time::Duration;

use flagfall_core::{
    chess::{
        MoveMade, OccupancyTracker, Start, TrackEvent, TrackStatus, Tracker, TrackerSettings,
        Variant,
        game::{GameRecord, Gap, RecordedMove},
        result::{BoardEnd, Outcome},
        tracker::RestoreError,
    },
    clock::{ClockEvent, ClockModel, ClockSettings, Times},
    protocol::{ClockSide, LostReason, MagicPiece, Observation},
    types::{Bitboard, Color, Mono, Placement},
};

/// After the last byte time runs on for so long: the last move settles, kings show their result.
pub const RUN_ON: Duration = Duration::from_mins(1);

/// How a game ended, as far as the board tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The result.
    pub outcome: Outcome,
    /// What shows it.
    pub by: By,
    /// When.
    pub at: Mono,
    /// Half-moves until then.
    pub plies: u16,
}

/// What shows a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum By {
    /// Both kings in the centre.
    Kings,
    /// A result piece of a DGT set.
    ResultPiece,
    /// The position.
    Board(BoardEnd),
}

/// One game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Moves, illegal attempts and gaps, with the times of the clock.
    pub record: GameRecord,
    /// What the tracker found, in order.
    pub found: Vec<(Mono, TrackEvent)>,
    /// What the clock did.
    pub clock: Vec<(Mono, ClockEvent)>,
    /// The results that were shown and not taken back.
    pub shown: Vec<Shown>,
    /// The last half-moves of the record when they stood at the end but could still have been undone, UCI.
    pub provisional: Vec<String>,
    /// The position after the last settled move.
    pub fen: String,
    /// What stood on the board at the end, players' view.
    pub placement: Option<Placement>,
    /// The board is turned by 180°.
    pub turned: Option<bool>,
    /// What the board showed at the end.
    pub status: Option<TrackStatus>,
    /// What stood on the board at the end could not be explained.
    pub unexplained: bool,
}

impl Game {
    /// Whether anything happened that is worth a page.
    pub fn is_empty(&self) -> bool {
        // A clock that is set after a game looks like moves that nobody saw.
        let no_gap = |gap: &Gap| gap.after == 0 && gap.fen.is_none();
        let missing =
            |(_, event): &(_, TrackEvent)| matches!(event, TrackEvent::ResultMissing { .. });
        self.record.moves.is_empty()
            && !self.found.iter().any(missing)
            && self.record.illegal.is_empty()
            && self.record.gaps.iter().all(no_gap)
            && self.shown.is_empty()
            && self.provisional.is_empty()
            && !self.unexplained
    }

    /// The result that everything that shows one agrees on.
    pub fn outcome(&self) -> Option<Outcome> {
        let first = self.shown.first()?.outcome;
        let agreed = self.shown.iter().all(|shown| shown.outcome == first);
        agreed.then_some(first)
    }

    /// How well the game was followed, to choose between two ways to look at it: fewer faults, more
    /// moves.
    pub fn merit(&self) -> (std::cmp::Reverse<usize>, usize) {
        let faults = self.found.iter().filter(|(_, event)| {
            matches!(
                event,
                TrackEvent::Illegal { .. }
                    | TrackEvent::Unexplained { .. }
                    | TrackEvent::Mismatch { .. }
                    | TrackEvent::Gap { .. }
            )
        });
        let faults = faults.count() + usize::from(self.unexplained);
        (std::cmp::Reverse(faults), self.record.moves.len())
    }
}

/// How the games are to be looked at.
#[derive(Clone, Debug, Default)]
pub struct View {
    /// What the tracker is set to.
    pub settings: TrackerSettings,
    /// FEN of the first position; `None` for the usual one.
    pub start: Option<String>,
    /// The board knows occupied squares only.
    pub occupancy: bool,
}

/// Either tracker.
enum Eye {
    Men(Box<Tracker>),
    Occupancy(Box<OccupancyTracker>),
}

macro_rules! either {
    ($eye:expr, $tracker:ident => $do:expr) => {
        match $eye {
            Eye::Men($tracker) => $do,
            Eye::Occupancy($tracker) => $do,
        }
    };
}

/// Plays what a board told through the trackers. There is always one game at least.
///
/// # Errors
/// The position to start from is not legal.
pub fn play(observations: &[(Mono, Observation)], view: &View) -> Result<Vec<Game>, RestoreError> {
    let mut table = Table {
        eye: eye(view, view.start.as_deref())?,
        clock: ClockModel::new(ClockSettings::default()),
        game: Game::default(),
        games: Vec::new(),
        pressed: None,
        occupied: None,
        heard_at: Mono::ZERO,
        now: Mono::ZERO,
    };
    // A record of the usual start position does not name it.
    let fresh = Tracker::new(TrackerSettings::default());
    let usual = either!(&table.eye, tracker => tracker.start() == fresh.start());
    table.game.record.start = view.start.clone().filter(|_| !usual);
    table.game.record.variant = view.settings.start.variant();
    // Whoever stops recording closes the port: nothing was missed by that.
    let heard = match observations {
        [heard @ .., (_, Observation::Lost(LostReason::PortGone))] => heard,
        all => all,
    };
    for (at, observation) in heard {
        table.run_to(*at);
        table.begin_again(view);
        table.hear(observation);
        table.drain();
        table.begin_again(view);
    }
    let end = table.now + RUN_ON;
    table.run_to(end);
    table.begin_again(view);
    table.close();
    let mut games = table.games;
    // Men that were put back after a game are no game.
    let last = games.pop();
    games.retain(|game| !game.is_empty());
    games.extend(last.filter(|last| games.is_empty() || !last.is_empty()));
    Ok(games)
}

fn eye(view: &View, start: Option<&str>) -> Result<Eye, RestoreError> {
    let (settings, turned) = (view.settings.clone(), view.settings.turned);
    Ok(match (view.occupancy, start) {
        (false, None) => Eye::Men(Box::new(Tracker::new(settings))),
        (false, start) => Eye::Men(Box::new(Tracker::restore(settings, start, &[], turned)?)),
        (true, None) => Eye::Occupancy(Box::new(OccupancyTracker::new(settings))),
        (true, start) => {
            let tracker = OccupancyTracker::restore(settings, start, &[], turned)?;
            Eye::Occupancy(Box::new(tracker))
        }
    })
}

struct Table {
    eye: Eye,
    clock: ClockModel,
    game: Game,
    games: Vec<Game>,
    /// A press that no told move has answered for yet.
    pressed: Option<(Color, Times)>,
    occupied: Option<Bitboard>,
    /// When something was heard last.
    heard_at: Mono,
    now: Mono,
}

impl Table {
    /// Lets time pass, waking tracker and clock exactly when they ask for it.
    fn run_to(&mut self, to: Mono) {
        loop {
            let tracker = either!(&self.eye, tracker => tracker.poll_timeout());
            let due = [tracker, self.clock.poll_timeout()]
                .into_iter()
                .flatten()
                .min();
            let Some(due) = due.filter(|due| *due <= to) else {
                break;
            };
            self.now = self.now.max(due);
            either!(&mut self.eye, tracker => tracker.handle_timeout(due));
            self.clock.handle_timeout(due);
            self.drain();
        }
        self.now = self.now.max(to);
    }

    fn hear(&mut self, observation: &Observation) {
        let now = self.now;
        self.heard_at = now;
        match observation {
            Observation::Placement { placement, change } => {
                if let Eye::Men(tracker) = &mut self.eye {
                    tracker.handle_placement(now, placement, *change);
                }
            }
            Observation::Occupancy { occupied, change } => {
                self.occupied = Some(*occupied);
                if let Eye::Occupancy(tracker) = &mut self.eye {
                    tracker.handle_occupancy(now, *occupied, *change);
                }
            }
            Observation::Missed { since } => match &mut self.eye {
                Eye::Men(tracker) => tracker.handle_missed(now, *since),
                Eye::Occupancy(tracker) => tracker.handle_outage(now),
            },
            Observation::Lost(_) => {
                self.clock.handle_outage();
                either!(&mut self.eye, tracker => tracker.handle_outage(now));
            }
            Observation::Clock(reading) => self.clock.handle_reading(now, reading),
            Observation::ClockAt { reading, at } => self.clock.handle_reading(*at, reading),
            Observation::ClockGone => self.clock.handle_gone(now),
            Observation::Magic(piece) => self.game.shown.push(Shown {
                outcome: match piece {
                    MagicPiece::Draw => Outcome::Draw,
                    MagicPiece::WhiteWins => Outcome::White,
                    MagicPiece::BlackWins => Outcome::Black,
                },
                by: By::ResultPiece,
                at: now,
                plies: self.game.record.moves.len() as u16,
            }),
            Observation::Found(_)
            | Observation::Button(_)
            | Observation::Battery(_)
            | Observation::ClockCommand(_)
            | Observation::ClockMoves { .. }
            | Observation::Called(_)
            // Recordings are read message by message, without the conversation that asks for the log.
            | Observation::Recalled { .. }
            | Observation::Fault(_) => {}
        }
    }

    fn drain(&mut self) {
        // What the tracker finds may be news for the clock and the other way round.
        loop {
            if let Some(event) = self.clock.poll_event() {
                self.clock_event(event);
            } else if let Some(event) = either!(&mut self.eye, tracker => tracker.poll_event()) {
                self.track_event(event);
            } else {
                break;
            }
        }
    }

    fn clock_event(&mut self, event: ClockEvent) {
        let now = self.now;
        match event {
            ClockEvent::Press { side, times } => {
                self.pressed = Some((side, times));
                either!(&mut self.eye, tracker => tracker.handle_press(now, side));
                // The move that the press bears out is told now, if it was not before.
                while let Some(event) = either!(&mut self.eye, tracker => tracker.poll_event()) {
                    self.track_event(event);
                }
                let last = self.game.record.moves.last();
                // Whoever presses again after a take-back has moved before.
                let pressed_for =
                    last.filter(|last| last.made.side == side && last.times.is_none());
                if let Some(ply) = pressed_for.map(|last| last.made.ply)
                    && self.pressed.take().is_some()
                {
                    self.game.record.set_times(ply, times);
                }
            }
            ClockEvent::Started { .. } | ClockEvent::Restarted { .. } => {
                either!(&mut self.eye, tracker => tracker.handle_clock_running(now, true));
            }
            ClockEvent::Stopped { .. } => {
                either!(&mut self.eye, tracker => tracker.handle_clock_running(now, false));
            }
            _ => {}
        }
        self.game.clock.push((now, event));
    }

    fn track_event(&mut self, event: TrackEvent) {
        if let Some(turned) = either!(&self.eye, tracker => tracker.turned()) {
            // The clock stands at White's left when the board is not turned.
            let white = if turned {
                ClockSide::Right
            } else {
                ClockSide::Left
            };
            self.clock.set_white_side(white);
        }
        let now = self.now;
        self.game.record.apply(&event, None);
        match &event {
            TrackEvent::Move(made) => self.moved(made),
            TrackEvent::Withdrawn {
                from_ply,
                replaced_by,
                ..
            } => {
                self.game.shown.retain(|shown| match shown.by {
                    By::Board(_) => shown.plies < *from_ply,
                    By::Kings | By::ResultPiece => true,
                });
                if let Some(made) = replaced_by {
                    self.moved(made);
                }
            }
            TrackEvent::ResultByKings { outcome, plies, .. } => self.game.shown.push(Shown {
                outcome: *outcome,
                by: By::Kings,
                at: now,
                plies: *plies,
            }),
            TrackEvent::ResultWithdrawn => self.game.shown.retain(|shown| shown.by != By::Kings),
            TrackEvent::GameOver {
                ply,
                outcome,
                reason,
            } => self.game.shown.push(Shown {
                outcome: *outcome,
                by: By::Board(*reason),
                at: now,
                plies: *ply,
            }),
            TrackEvent::Unexplained { .. } => self.game.unexplained = true,
            TrackEvent::Explained | TrackEvent::Gap { fen: Some(_), .. } => {
                self.game.unexplained = false;
            }
            _ => {}
        }
        self.game.found.push((now, event));
    }

    fn moved(&mut self, made: &MoveMade) {
        self.clock.handle_move(made.at, made.side);
        if let Some((side, times)) = self.pressed.take()
            && side == made.side
        {
            self.game.record.set_times(made.ply, times);
        }
    }

    /// When the men stand at the start again after a game, what follows is another one.
    fn begin_again(&mut self, view: &View) {
        let again = |(_, event): &(_, TrackEvent)| matches!(event, TrackEvent::StartAgain { .. });
        if !self.game.found.iter().any(again) {
            return;
        }
        self.close();
        self.clock.rearm();
        self.pressed = None;
        match &mut self.eye {
            Eye::Men(tracker) => tracker.rearm(),
            Eye::Occupancy(tracker) => {
                let mut settings = view.settings.clone();
                settings.turned = tracker.turned();
                **tracker = OccupancyTracker::new(settings);
                if let Some(occupied) = self.occupied {
                    tracker.handle_occupancy(self.now, occupied, None);
                }
            }
        }
        self.drain();
    }

    fn close(&mut self) {
        let mut game = std::mem::take(&mut self.game);
        if let Eye::Men(tracker) = &mut self.eye {
            tracker.handle_end(self.now);
            while let Some(event) = tracker.poll_event() {
                game.record.apply(&event, None);
                game.found.push((self.now, event));
            }
        }
        let status = either!(&self.eye, tracker => tracker.status());
        if matches!(status, TrackStatus::Provisional { .. }) {
            self.take_standing(&mut game);
        }
        game.status = Some(status);
        either!(&self.eye, tracker => {
            game.fen = tracker.fen();
            game.placement = tracker.placement().cloned();
            game.turned = tracker.turned();
        });
        self.games.push(game);
    }

    /// Moves that stand complete on the board when all is over belong to the game, though a later
    /// change could still have undone them.
    fn take_standing(&self, game: &mut Game) {
        let standing = either!(&self.eye, tracker => tracker.standing());
        let settled = game.record.moves.len();
        let gaps: Vec<_> = game
            .record
            .gaps
            .iter()
            .filter_map(|gap| Some((gap.after, gap.fen.as_deref()?)))
            .collect();
        let start = game.record.start.as_deref();
        let rules = match game.record.variant {
            Variant::Standard => Start::default(),
            Variant::Chess960 => Start::any960(),
        };
        let settings = TrackerSettings {
            start: rules,
            ..TrackerSettings::default()
        };
        let whole = Tracker::restore_with_gaps(settings, start, &standing, &gaps, None);
        let same = (game.record.moves.iter().zip(&standing))
            .all(|(played, uci)| played.made.uci == uci.to_string());
        let Some(whole) = whole.ok().filter(|_| same) else {
            return;
        };
        for made in whole.moves().iter().skip(settled) {
            let made = MoveMade {
                at: self.heard_at,
                ..made.clone()
            };
            game.provisional.push(made.uci.clone());
            game.record.moves.push(RecordedMove {
                made,
                times: None,
                spent: None,
            });
        }
    }
}
