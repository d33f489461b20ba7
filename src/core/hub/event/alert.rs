//! Alerts in the journal.

use serde::{Deserialize, Serialize};

use crate::hub::view::Severity;

/// What an alert is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlertKind {
    /// A flag fell.
    Flag,
    /// An illegal move stands on the board.
    IllegalMove,
    /// The clock was stopped in the middle of the game.
    ClockStopped,
    /// Somebody calls.
    Call,
    /// Two sources disagree about the result (R-RS-5).
    ResultConflict,
    /// The pieces were swept together and no result was shown.
    ResultMissing,
    /// The board cannot be explained.
    Disturbed,
    /// Moves are missing from the record.
    MovesMissing,
    /// Which of several moves was made?
    WhichMove,
    /// Not a start position.
    WrongSetUp,
    /// Times changed without a decision that explains it (R-CK-5).
    Correction,
    /// An ordered correction is not on the clock after a minute, or the clock runs without it (R-CK-4).
    CorrectionOpen,
    /// Low battery of a clock (R-CK-2).
    ClockBattery,
    /// Low battery of a board.
    DeviceBattery,
    /// A clock was unplugged.
    ClockGone,
    /// The clock's sides do not fit the moves.
    ClockSide,
    /// The clock did not take a press.
    PressMissed,
    /// The time of the side that is not to move runs.
    WrongSideRuns,
    /// The clock has counted other moves than the board.
    MoveCounter,
    /// After a gap the clock shows what play does not explain.
    ClockReplaced,
    /// The clock does what no setting makes right (R-CK-3).
    ClockFault,
    /// A clock is not set to the event's control (R-CK-7).
    WrongSetting,
    /// A board does not talk.
    DeviceLost,
    /// A board serves no table.
    DeviceUnassigned,
    /// Two boards say that they are the same.
    DeviceClash,
    /// A port is in use, or no board answers there.
    Port,
    /// Nobody has started at this table by the default time (R-CD-4).
    NotStarted,
    /// No countdown screen is connected (R-CD-1).
    NoScreen,
    /// The start has come, but the pairing is a draft.
    DraftAtStart,
    /// All results are in: the round can be closed.
    RoundComplete,
    /// The system clock was stepped, or lies behind the journal.
    SystemClock,
    /// The journal could not be written for a while.
    Journal,
    /// The games cannot be written to their files.
    GameFiles,
    /// The list of players has broken lines, or does not fit the running event.
    Players,
}

/// Something about an alert. A raised alert's number is the event's `seq`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum AlertFact {
    /// Raised.
    Raised {
        /// What it is about.
        about: AlertKind,
        /// How pressing.
        severity: Severity,
        /// What happened and what to do.
        text: String,
        /// The proposal whose decision closes it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proposal: Option<u64>,
    },
    /// An arbiter took it.
    Acknowledged {
        /// The alert.
        alert: u64,
        /// Who.
        by: String,
    },
    /// Nobody took it in time.
    Escalated {
        /// The alert.
        alert: u64,
    },
    /// Dealt with, or no longer so.
    Closed {
        /// The alert.
        alert: u64,
        /// Who; `hub` when the cause went away.
        by: String,
    },
}
