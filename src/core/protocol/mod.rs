//! Bytes to messages to [`Observation`]s, one file a device family.
//!
//! DGT boards have a parser and a conversation of their own in [`dgt`]. The other families are listed in
//! [`families`]; what they have in common is in [`board`], [`stream`] and [`conversation`]. [`registry`] says
//! of all of them how they are recognised and what they can do.

pub mod board;
pub mod certabo;
pub mod chesslink;
pub mod chessnut;
pub mod chessup;
pub mod conversation;
pub mod cpp;
pub mod dgt;
pub mod families;
pub mod hos;
pub mod ichessone;
pub mod open_clock;
pub mod pegasus;
pub mod registry;
pub mod square_off;
pub mod stream;
pub mod wpp;

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::types::{Bitboard, Mono, Piece, Placement, Square, millis};

/// What a device says of itself once it has been identified.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// The family, e.g. `dgt-board`.
    pub family: String,
    /// The long serial number when the device has one, else the short one.
    pub serial: Option<String>,
    /// Firmware version as the device writes it, e.g. `3.10`.
    pub version: Option<String>,
}

/// One side of a clock as its face shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaceReading {
    /// The time shown; whole seconds on a DGT clock.
    #[serde(with = "millis", rename = "time_ms")]
    pub time: Duration,
    /// The flag has fallen and the clock stands at zero.
    pub flag_blocked: bool,
    /// The flag is shown; the clock may run on.
    pub flag_shown: bool,
    /// The sign for a delay or increment is on.
    pub time_per_move: bool,
}

/// A side of the clock as seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockSide {
    /// The left side seen from the front.
    Left,
    /// The right side seen from the front.
    Right,
}

impl ClockSide {
    /// The other side.
    #[must_use]
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// What a clock said at one moment. Left and right are the clock's own, seen from its front.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// The left side.
    pub left: FaceReading,
    /// The right side.
    pub right: FaceReading,
    /// The clock is running (DGT bit D0).
    pub running: bool,
    /// The side whose lever stands high: that side is to move.
    pub lever_high: ClockSide,
    /// The clock reports a low battery.
    pub battery_low: bool,
}

/// The state of a device's own battery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battery {
    /// Charge left, 0–100, when the device knows it.
    pub percent: Option<u8>,
    /// It is on the charger.
    pub charging: bool,
}

/// A button of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockButton {
    /// Back.
    Back,
    /// Minus.
    Minus,
    /// Ok.
    Ok,
    /// Plus.
    Plus,
    /// Run, also called play.
    Run,
}

/// A call at a clock that has buttons for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockCall {
    /// The clock's number for it, for [`ClockCommand::Acknowledge`].
    pub number: u16,
    /// Who called; `None`: both, or not said.
    pub side: Option<ClockSide>,
    /// What for.
    pub what: CallKind,
}

/// What somebody calls for at a clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CallKind {
    /// The arbiter.
    Arbiter,
    /// An illegal move is claimed.
    IllegalMove,
    /// A position for the third time is claimed.
    Threefold,
    /// Fifty moves are claimed.
    FiftyMoves,
    /// A draw is offered.
    DrawOffer,
    /// A flag is claimed.
    Flag,
    /// Something else is claimed.
    OtherClaim,
    /// The players entered that White won.
    WhiteWon,
    /// The players entered a draw.
    Draw,
    /// The players entered that Black won.
    BlackWon,
    /// The players took their result back.
    ResultWithdrawn,
}

impl CallKind {
    /// In English words, after the name of who calls.
    pub fn words(self) -> &'static str {
        match self {
            Self::Arbiter => "calls the arbiter",
            Self::IllegalMove => "claims an illegal move",
            Self::Threefold => "claims a threefold repetition",
            Self::FiftyMoves => "claims fifty moves",
            Self::DrawOffer => "offers a draw",
            Self::Flag => "claims the flag",
            Self::OtherClaim => "claims something",
            Self::WhiteWon => "entered that White won",
            Self::Draw => "entered a draw",
            Self::BlackWon => "entered that Black won",
            Self::ResultWithdrawn => "took the result back",
        }
    }
}

/// A result shown with the magic pieces of a DGT set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MagicPiece {
    /// Code 0x0d.
    Draw,
    /// Code 0x0e.
    WhiteWins,
    /// Code 0x0f.
    BlackWins,
}

/// One fact that a device told, without interpretation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observation {
    /// The device has been identified and talks.
    Found(DeviceInfo),
    /// Nothing was heard for the family's silence limit, or the port went away.
    Lost(LostReason),
    /// The whole picture after a change or a dump, in the wire's numbering: the square that the
    /// wire calls a8 is `Square::A8` here, wherever White sits.
    Placement {
        /// The picture.
        placement: Placement,
        /// The change that led to it; `None` for a dump.
        change: Option<SquareChange>,
    },
    /// Which squares are occupied, after a change or from a dump, on a board that does not know its men.
    /// In the wire's numbering as above.
    Occupancy {
        /// The occupied squares.
        occupied: Bitboard,
        /// The change that led to it; `None` for a dump or a line of a stream.
        change: Option<Touch>,
    },
    /// What happened while the board could not be heard, read from its memory. In order, first what stood
    /// there before; then [`Observation::Placement`] with what stands there now.
    Recalled {
        /// When, about: the memory has no times of day.
        at: Mono,
        /// What.
        what: Recalled,
    },
    /// The board told changes that did not arrive: what it shows now does not follow from what was
    /// heard since then. The whole picture follows.
    Missed {
        /// When what was heard last agreed with the whole picture.
        since: Mono,
    },
    /// A magic piece was put down.
    Magic(MagicPiece),
    /// What the clock shows.
    Clock(ClockReading),
    /// What the clock showed at an earlier moment, told late: the clock keeps what happened while it could
    /// not be heard. In order, and after any [`Observation::Clock`] of an earlier moment.
    ClockAt {
        /// What it showed.
        reading: ClockReading,
        /// When, on the hub's time line, give or take the way to the clock.
        at: Mono,
    },
    /// The moves that the clock has counted on its left and right side, modulo 256.
    ClockMoves {
        /// On its left.
        left: u8,
        /// On its right.
        right: u8,
    },
    /// Somebody called at the clock.
    Called(ClockCall),
    /// The clock was unplugged.
    ClockGone,
    /// A button of the clock.
    Button(ClockButton),
    /// The battery of the device.
    Battery(Battery),
    /// A clock command was carried out, or refused, or never answered.
    ClockCommand(ClockCommandOutcome),
    /// Something on the line that an arbiter or operator should know of, in words.
    Fault(String),
}

/// One thing that a board remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recalled {
    /// The board, in the wire's numbering.
    Board {
        /// The picture.
        placement: Placement,
        /// The change that led to it; `None` for the picture before the loss.
        change: Option<SquareChange>,
    },
    /// The clock: before the loss, then at each press.
    Clock(ClockReading),
}

/// One square's change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareChange {
    /// The square in the wire's numbering.
    pub square: Square,
    /// What stands there now.
    pub piece: Option<Piece>,
}

/// One square's change on a board that knows occupied and empty only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The square in the wire's numbering.
    pub square: Square,
    /// A man was put there; otherwise one was lifted.
    pub present: bool,
}

/// Why a device is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LostReason {
    /// Silent for longer than its family allows.
    Silent,
    /// The port went away.
    PortGone,
    /// The port opened but no such device answered.
    NotADevice,
    /// The hub was started anew and has not heard of it yet.
    HubRestarted,
}

/// How a clock command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockCommandOutcome {
    /// Acknowledged.
    Done,
    /// The clock refused (not in its remote mode).
    Refused,
    /// No answer after three tries.
    Unanswered,
}

/// Counters of one link, for the operator's page and the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCounters {
    /// Bytes received.
    pub bytes: u64,
    /// Bytes that belonged to no valid message.
    pub bytes_dropped: u64,
    /// Messages understood.
    pub messages: u64,
    /// Messages with impossible content.
    pub invalid: u64,
    /// Messages of an id that we do not know.
    pub unknown: u64,
    /// Frames that were begun and never finished.
    pub unfinished: u64,
}

/// A conversation with one device: a pure object that the transports, the replay and the tests drive
/// alike. After each `handle_*` call drain [`Link::poll_transmit`] and [`Link::poll_event`], then arm
/// a timer for [`Link::poll_timeout`].
pub trait Link: Send {
    /// The port has just been opened.
    fn handle_open(&mut self, now: Mono);
    /// Bytes came in.
    fn handle_bytes(&mut self, now: Mono, bytes: &[u8]);
    /// What came in was a value of its own and is complete: for transports that carry values, not a stream.
    fn handle_value_end(&mut self, _now: Mono) {}
    /// The time of [`Link::poll_timeout`] has come.
    fn handle_timeout(&mut self, now: Mono);
    /// The port went away.
    fn handle_closed(&mut self, now: Mono);
    /// A command for the clock.
    fn handle_clock_command(&mut self, now: Mono, command: ClockCommand);
    /// The next bytes to write, one command at a time.
    fn poll_transmit(&mut self) -> Option<Vec<u8>>;
    /// The next thing that the device told.
    fn poll_event(&mut self) -> Option<Observation>;
    /// The next thing that one of several devices behind this link told; `None` in place of the part where
    /// the link is one device. Drained instead of [`Link::poll_event`] by whoever can tell them apart.
    fn poll_part_event(&mut self) -> Option<(Option<Part>, Observation)> {
        self.poll_event().map(|seen| (None, seen))
    }
    /// A command for the clock of one of several devices behind this link.
    fn handle_part_command(&mut self, now: Mono, _part: &Part, command: ClockCommand) {
        self.handle_clock_command(now, command);
    }
    /// When [`Link::handle_timeout`] is due.
    fn poll_timeout(&self) -> Option<Mono>;
    /// The link gave up on the port: close it, wait this long, open it again.
    fn poll_reopen(&mut self) -> Option<Duration>;
    /// Counters since the start.
    fn counters(&self) -> LinkCounters;
}

/// One of several devices behind one link: the address of a board on a bus, the serial number of one behind
/// another program. Lasts as long as the device does.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part(pub String);

impl Part {
    /// What separates it from the name of its port.
    pub const MARK: char = '#';
}

/// What the hub may ask of a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockCommand {
    /// Show a short text, optionally with a beep.
    Display {
        /// At most 8 ASCII characters on a DGT 3000.
        text: String,
        /// Beep with it.
        beep: bool,
    },
    /// Take the text away.
    EndDisplay,
    /// Set both times. An open clock takes it unless something has happened at it meanwhile; a DGT clock
    /// only in its remote mode, whatever happened. All that follows is for open clocks: a DGT clock refuses.
    SetTimes {
        /// The left time.
        left: Duration,
        /// The right time.
        right: Duration,
        /// Who runs then; `None`: nobody.
        run: Option<ClockSide>,
    },
    /// Change one time.
    AddTime {
        /// Whose.
        side: ClockSide,
        /// By how many ms; below zero takes away.
        ms: i32,
        /// Why.
        why: Added,
    },
    /// Set a move counter.
    SetMoves {
        /// Whose.
        side: ClockSide,
        /// Moves made.
        moves: u16,
    },
    /// Stop the clock.
    Pause,
    /// Let a side run.
    Resume {
        /// Who.
        side: ClockSide,
    },
    /// A call was seen.
    Acknowledge {
        /// [`ClockCall::number`].
        number: u16,
    },
}

/// Why time is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Added {
    /// A penalty: the opponent gets it.
    Penalty,
    /// Compensation for a disturbance.
    Compensation,
    /// A wrong setting is mended.
    Repair,
}
