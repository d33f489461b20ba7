//! Events: what happened, as the journal keeps it and MQTT forwards it.
//!
//! The wire form is one flat JSON object: the fixed fields of [`Event`] first, then `kind` and the
//! fields of that kind. New fields may appear; none changes meaning under the same `v`.

mod alert;
mod amendment;
mod claim;
mod correction;
mod proposal;
mod screen;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

pub use self::{
    alert::{AlertFact, AlertKind, Evidence, Reach},
    amendment::{Amended, Amendment, Details, Ended},
    claim::{Claim, ClaimKind, ClaimSource, Outcome, ProtestFact},
    correction::{CorrectionFact, CorrectionOrder, Way},
    proposal::{IllegalClaim, Proposal, Proposed, ResultSource, Verdict},
    screen::{
        EmergencyKind, HallText, PlayOff, ScreenContent, ScreenFact, ScreenLanguage,
        ScreenSettings, ScreenTheme, TableTimes,
    },
};
pub use crate::clock::{FlagOrder, OrderUnknown, Times};
use crate::{
    chess::{MoveMade, Variant},
    clock::{TimeControl, WrongKind},
    hub::staff::Staff,
    pairing::{RoundPairing, knock_out::DecidedBy},
    protocol::{ClockSide, DeviceInfo, LostReason},
    tournament::{
        Bye, GameResult, PairingSystem, Player, Termination,
        event::{EventSettings, SectionId},
    },
    types::{Color, DeviceId, PlayerNo, RoundNo, TableNo, color, millis},
};

/// One thing that happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Version of the form.
    pub v: u8,
    /// A ULID: readers drop doubles by it.
    pub id: String,
    /// Counts from 1 without gaps; decides the order, also when the clock was set back.
    pub seq: u64,
    /// When it happened, UTC with milliseconds.
    pub at: Timestamp,
    /// The section, once an event is set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub section: Option<SectionId>,
    /// The round, once there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub round: Option<RoundNo>,
    /// The table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<TableNo>,
    /// The device that said it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceId>,
    /// The request that it comes from, by the asker's own name for it; on the first event of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<RequestKey>,
    /// What happened.
    #[serde(flatten)]
    pub fact: Fact,
}

/// Names a request, so that it is carried out once however often it comes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RequestKey {
    /// Who asked.
    pub by: String,
    /// His name for it.
    pub key: String,
}

impl Event {
    /// The `kind` on the wire.
    pub fn kind(&self) -> &'static str {
        match self.fact {
            Fact::Event(_) => "event",
            Fact::Round(_) => "round",
            Fact::Player(_) => "player",
            Fact::Announce { .. } => "announce",
            Fact::Screen(_) => "screen",
            Fact::Device(_) => "device",
            Fact::Board(_) => "board",
            Fact::Move(_) => "move",
            Fact::Withdrawn { .. } => "withdrawn",
            Fact::Press { .. } => "press",
            Fact::Clock(_) => "clock",
            Fact::Flag { .. } => "flag",
            Fact::Correction { .. } => "correction",
            Fact::CorrectionOrder(_) => "correction-order",
            Fact::Call { .. } => "call",
            Fact::IllegalClaim(_) => "illegal-claim",
            Fact::Proposal(_) => "proposal",
            Fact::Decision { .. } => "decision",
            Fact::Result { .. } => "result",
            Fact::Alert(_) => "alert",
            Fact::Incident { .. } => "incident",
            Fact::Staff { .. } => "staff",
            Fact::Claim(_) => "claim",
            Fact::Protest(_) => "protest",
            Fact::Amendment(_) => "amendment",
        }
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Fact {
    /// The event was set up.
    Event(Box<SetUp>),
    /// Something about the round as a whole.
    Round(RoundFact),
    /// Something about a player.
    Player(PlayerFact),
    /// A mark of the countdown was reached.
    Announce {
        /// Which.
        mark: Mark,
    },
    /// The hall's screens.
    Screen(ScreenFact),
    /// A device.
    Device(DeviceFact),
    /// The board of a table, beside the moves.
    Board(BoardFact),
    /// A legal move was played.
    Move(MoveMade),
    /// Moves from `ply` on were taken back, or the last one corrected.
    Withdrawn {
        /// The first half move that does not count any more, from 1.
        ply: u16,
        /// The move that stands in its place, when the same hand went on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        replaced_by: Option<MoveMade>,
    },
    /// The clock was pressed: the times after half move `ply`.
    Press {
        /// Half moves played.
        ply: u16,
        /// Who pressed.
        #[serde(with = "color")]
        side: Color,
        /// The times.
        #[serde(flatten)]
        times: Times,
        /// Read from the board's log after an outage: when it was pressed is not known.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        recalled: bool,
    },
    /// The clock of a table.
    Clock(ClockFact),
    /// A flag fell (R-CK-1).
    Flag {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// Whether it was the first.
        order: FlagOrder,
        /// The times.
        #[serde(flatten)]
        times: Times,
        /// Who could still mate by any series of legal moves; also where it was not decided.
        mating_material: BySide<bool>,
        /// Why the order is not known, when it is not.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        unknown: Option<OrderUnknown>,
        /// It fell at most so long before it was heard of; absent in old journals.
        #[serde(
            default,
            skip_serializing_if = "Option::is_none",
            rename = "within_ms",
            with = "millis::option"
        )]
        within: Option<Duration>,
        /// The control that it ended, when another one follows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        control: Option<Passed>,
    },
    /// The times were changed by hand (R-CK-4, R-CK-5).
    Correction {
        /// Before.
        before: Times,
        /// After.
        after: Times,
        /// The decision that explains it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        decision: Option<u64>,
    },
    /// A correction of the clock that an arbiter ordered (R-CK-4).
    CorrectionOrder(CorrectionFact),
    /// An arbiter is called to the table.
    Call {
        /// Why: `clock-stopped`, `player` or `arbiter`.
        reason: String,
        /// Words of the caller.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        /// Who called, when a person did.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// A completed move that the rules forbid (R-RS-6).
    IllegalClaim(IllegalClaim),
    /// The hub proposes. The proposal's number is the event's `seq`.
    Proposal(Proposal),
    /// A proposal was decided, by a person or by the event's policy.
    Decision {
        /// The proposal.
        proposal: u64,
        /// Accepted or rejected, or overtaken by something else.
        verdict: Verdict,
        /// Who.
        by: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// A result stands.
    Result {
        /// The result.
        result: GameResult,
        /// How the game ended.
        termination: Termination,
        /// What it rests on; absent in old journals.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        source: Option<ResultSource>,
        /// Who confirmed it.
        by: String,
        /// The proposal that it rests on.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proposal: Option<u64>,
        /// Why, when an arbiter said so.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    },
    /// An alert.
    Alert(AlertFact),
    /// Something that belongs in the record.
    Incident {
        /// What.
        text: String,
        /// Who recorded it.
        by: String,
    },
    /// Something is claimed at a table.
    Claim(Claim),
    /// A protest.
    Protest(ProtestFact),
    /// What was public was put right.
    Amendment(Box<Amendment>),
    /// The arbiters, their zones and shifts.
    Staff {
        /// All of them.
        staff: Staff,
        /// Who said so.
        by: String,
    },
}

/// The event's settings and players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SetUp {
    /// The settings.
    pub settings: EventSettings,
    /// The players by pairing number.
    pub players: Vec<Player>,
}

impl SetUp {
    /// The time control, where the text says one that we know.
    pub fn control(&self) -> Option<TimeControl> {
        self.settings.time_control.as_deref()?.parse().ok()
    }
}

/// Something about a player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum PlayerFact {
    /// He left the event.
    Withdrawn {
        /// Who.
        player: PlayerNo,
        /// The first round that he misses.
        from: RoundNo,
        /// Who recorded it.
        by: String,
    },
    /// He is back.
    Returned {
        /// Who.
        player: PlayerNo,
        /// The first round that he plays.
        from: RoundNo,
        /// Who recorded it.
        by: String,
    },
    /// He misses a round.
    Bye {
        /// Who.
        player: PlayerNo,
        /// The round.
        in_round: RoundNo,
        /// What it is worth; absent when the bye was taken back.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        bye: Option<Bye>,
        /// Who recorded it.
        by: String,
    },
}

/// Something about the round as a whole.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum RoundFact {
    /// The initial colour was drawn by lot (C.04.3, A.6).
    Lot {
        /// The colour of number 1 in round 1.
        #[serde(with = "color")]
        colour: Color,
        /// By whom.
        by: String,
    },
    /// What the pairing system of the settings leaves open was drawn or laid down: the seed of lots, the
    /// sides.
    Settled {
        /// The system with it.
        system: PairingSystem,
        /// By whom.
        by: String,
    },
    /// A knock-out match that the points of its games left level was decided.
    MatchDecided {
        /// The stage, from 1.
        stage: u16,
        /// Who goes on.
        winner: PlayerNo,
        /// Who does not.
        loser: PlayerNo,
        /// By what.
        how: DecidedBy,
        /// Who recorded it.
        by: String,
    },
    /// Paired; a draft until published.
    Paired {
        /// The pairing.
        pairing: RoundPairing,
        /// Who had it made.
        by: String,
        /// The draft before it no longer held, because somebody left, came or asked for a bye.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        anew: bool,
    },
    /// The pairing is public.
    Published {
        /// By whom.
        by: String,
    },
    /// The start was set, or moved.
    Scheduled {
        /// The planned start.
        starts_at: Timestamp,
        /// By whom.
        by: String,
    },
    /// The start is delayed.
    Held {
        /// What the hall reads.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// By whom.
        by: String,
    },
    /// The arbiter has declared the start.
    Started {
        /// By whom.
        by: String,
    },
    /// Default time is over (R-CD-4).
    DefaultTime,
    /// The boards that are left are given a fixed time (R-CD-6).
    PlayOff {
        /// When it ends.
        until: Timestamp,
        /// Which boards.
        tables: Vec<TableNo>,
        /// By whom.
        by: String,
    },
    /// That time is over: what is open is adjudicated.
    PlayOffOver,
    /// All results are in and the round is closed.
    Closed {
        /// By whom.
        by: String,
    },
}

/// Marks of the countdown, and what is announced after the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// T−15:00: take your seats (R-CD-3).
    Seats,
    /// T−5:00 (R-CD-2).
    FiveMinutes,
    /// T−1:00 (R-CD-2).
    OneMinute,
    /// The planned start.
    Zero,
    /// Photography has ended (R-CD-5); comes after the start.
    PhotoOver,
}

impl Mark {
    /// Those of the countdown, in the order in which they come.
    pub const ALL: [Self; 4] = [Self::Seats, Self::FiveMinutes, Self::OneMinute, Self::Zero];

    /// How long before the start.
    pub const fn before_start(self) -> Duration {
        Duration::from_secs(match self {
            Self::Seats => 15 * 60,
            Self::FiveMinutes => 5 * 60,
            Self::OneMinute => 60,
            Self::Zero | Self::PhotoOver => 0,
        })
    }
}

/// Something about a device.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum DeviceFact {
    /// It talks.
    Found {
        /// What it says of itself.
        info: DeviceInfo,
        /// Where.
        port: String,
    },
    /// It does not talk any more.
    Lost {
        /// Why.
        reason: LostReason,
    },
    /// It serves another table now, or none.
    Assigned {
        /// By whom; `config` for the configuration.
        by: String,
    },
    /// Its battery; journalled at each tenth.
    Battery {
        /// Charge left, 0–100.
        percent: u8,
    },
    /// Another device with the same identity is talking already: this one is not listened to.
    Quarantined {
        /// Where.
        port: String,
    },
    /// Trouble on the line, in words.
    Fault {
        /// What.
        detail: String,
        /// Where.
        port: String,
    },
}

/// The board of a table, beside the moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum BoardFact {
    /// The start position stands.
    Ready {
        /// White sits at the wire's rank 8.
        turned: bool,
    },
    /// The game starts from another position than the usual one; said before `Ready`, and by an arbiter before
    /// the men stand there. Said again it replaces what was said before.
    StartsFrom {
        /// FEN.
        fen: String,
        /// By which rules.
        variant: Variant,
        /// Its number among the 960 of Chess960, if it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<u16>,
        /// Who set it; absent when the board showed it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
    },
    /// Men stand on all home squares of a board that does not know its men: taken for the start
    /// position. From which side is told by the first move.
    ReadyAssumed,
    /// Several moves lead to what the board showed: which was made?
    Question {
        /// The half move that is not known, from 1.
        ply: u16,
        /// The position before it, FEN.
        before: String,
        /// The moves that it may have been, UCI.
        moves: Vec<String>,
    },
    /// An arbiter said how the game went on from the record.
    Answered {
        /// The moves, UCI.
        moves: Vec<String>,
        /// Who.
        by: String,
    },
    /// The question of that half move is answered, by later moves or an arbiter, or is void.
    QuestionClosed {
        /// The half move.
        ply: u16,
    },
    /// Nearly a start position, but not one.
    WrongSetUp {
        /// What is wrong.
        detail: String,
        /// What stands there: first field of a FEN.
        seen: String,
    },
    /// What stands there cannot be explained.
    Disturbed {
        /// What should stand there.
        expected: String,
        /// What does.
        seen: String,
    },
    /// Explained again.
    Restored,
    /// Moves are missing from the record after half move `after`. Said again for the same half move it
    /// replaces what was said before.
    Gap {
        /// Half moves recorded before it.
        after: u16,
        /// FEN of the position from which the game went on, as far as it is known; absent when the game
        /// ended before that.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        fen: Option<String>,
    },
    /// Nothing was missing there: the position before the gap stands on the board again.
    GapClosed {
        /// Half moves recorded before it.
        after: u16,
    },
    /// One square reads otherwise than it must; the game is followed without it.
    Mismatch {
        /// The square as the players see it.
        square: String,
        /// What must stand there, as in FEN; `.` for nothing.
        expected: char,
        /// What the board reports.
        seen: char,
    },
    /// That square reads right again.
    MismatchOver {
        /// The square.
        square: String,
    },
    /// The start position stands again after the game.
    StartAgain,
    /// Something worth a line in the record, e.g. castling with the rook first.
    Note {
        /// What.
        detail: String,
        /// The squares of men that were lifted and put back, if it is about those.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        touched: Vec<String>,
    },
}

/// Something for each side.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BySide<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> BySide<T> {
    /// One side's.
    pub const fn of(&self, side: Color) -> &T {
        match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        }
    }

    /// One side's, to change.
    pub const fn of_mut(&mut self, side: Color) -> &mut T {
        match side {
            Color::White => &mut self.white,
            Color::Black => &mut self.black,
        }
    }
}

/// The end of a period that is not the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// Moves that had to be made by then.
    pub needed: u16,
    /// Moves completed by the record; `None` when it does not know them all.
    pub made: Option<u16>,
}

impl Passed {
    /// All moves were made in time.
    pub fn in_time(self) -> bool {
        self.made.is_some_and(|made| made >= self.needed)
    }

    pub(in crate::hub) fn words(self) -> Option<String> {
        let made = self.made?;
        let needed = self.needed;
        Some(format!(" The record has {made} of {needed} moves."))
    }
}

/// How a clock does not follow the moves of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Disagreement {
    /// Both sides have moved without a press that the clock took.
    PressMissed {
        /// Whose time runs.
        #[serde(with = "color")]
        running: Color,
    },
    /// The time of the side that is not to move runs.
    WrongSide {
        /// Whose time runs.
        #[serde(with = "color")]
        running: Color,
    },
    /// The clock has counted other moves than the board.
    MoveCount {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// Moves by the clock.
        clock: u16,
        /// Moves by the board.
        board: u16,
    },
}

/// Something about a clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum ClockFact {
    /// It runs, for the first time in this game.
    Started(Times),
    /// It was stopped.
    Stopped(Times),
    /// It runs again.
    Restarted(Times),
    /// It was unplugged; the last times stand.
    Gone,
    /// It is plugged in again.
    Back,
    /// What came back shows times that play does not explain.
    Replaced {
        /// What the clock showed before.
        before: Times,
        /// What it shows now.
        after: Times,
    },
    /// Low battery: it runs at least ten hours more (R-CK-2).
    BatteryLow,
    /// The battery was changed.
    BatteryGood,
    /// The next period of a side began.
    Period {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// Which, from 1.
        period: usize,
        /// What it brought.
        #[serde(with = "millis", rename = "added_ms")]
        added: Duration,
        /// The times.
        #[serde(flatten)]
        times: Times,
    },
    /// The clock does not follow the moves of the board.
    AgainstBoard(Disagreement),
    /// It follows them again.
    AgreesWithBoard,
    /// By the first moves the clock stands the other way round.
    Turned {
        /// The side of the clock that is White's.
        white: ClockSide,
    },
    /// Whose time falls does not fit whose move it is. Old journals only: see `Turned`.
    SideDoubt,
    /// Time was added to a side whose flag is down (R-CK-3).
    AddedAfterFlag {
        /// Whose.
        #[serde(with = "color")]
        side: Color,
        /// How much.
        #[serde(with = "millis", rename = "added_ms")]
        added: Duration,
    },
    /// It is not set to the event's control (R-CK-7).
    WrongSetting {
        /// What is wrong.
        what: WrongKind,
        /// In words, with the figures.
        text: String,
    },
    /// That is right now.
    SettingRight {
        /// What was wrong.
        what: WrongKind,
    },
    /// Once a minute while it runs.
    Sample(Times),
}
