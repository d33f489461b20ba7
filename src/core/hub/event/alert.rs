//! Alerts in the journal.

use serde::{Deserialize, Serialize};

use crate::{clock::Times, hub::view::Severity};

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
    /// A board that is known at one table shows itself at another.
    DeviceMoved,
    /// Two boards say that they are the same.
    DeviceClash,
    /// A port is in use, or no board answers there.
    Port,
    /// Nobody has started at this table by the default time (R-CD-4).
    NotStarted,
    /// No countdown screen is connected (R-CD-1).
    NoScreen,
    /// A screen of the hall does not say that it lives.
    ScreenSilent,
    /// So many games are over that the rest may be given a fixed time (R-CD-6).
    PlayOffTime,
    /// That time is over at a table (R-CD-6).
    Adjudicate,
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
    /// A draw is claimed: the third time, fifty moves (9.2, 9.3 of the Laws).
    DrawClaim,
    /// Something else is claimed at the table.
    Claim,
    /// A draw before the move from which the event allows it (R-RS-9).
    EarlyDraw,
    /// The pieces stand reversed, or the players sit with each other's colours (R-PR-11).
    WrongColours,
    /// Moves with the wrong hand, or with both (R-RS-7).
    HandViolation,
    /// A penalty is to be given (R-RS-6).
    Penalty,
    /// Unfair play, or an electronic device (R-RS-8).
    Conduct,
    /// A player of whom something was recorded in an earlier round plays again (R-RS-8).
    FollowUp,
    /// A protest waits for its outcome (R-RS-11).
    Protest,
    /// Fewer arbiters are on duty than the rule book asks for (R-AR-1).
    Staffing,
}

impl AlertKind {
    /// All kinds, in the order of their declaration.
    pub const ALL: [Self; 48] = [
        Self::Flag,
        Self::IllegalMove,
        Self::ClockStopped,
        Self::Call,
        Self::ResultConflict,
        Self::ResultMissing,
        Self::Disturbed,
        Self::MovesMissing,
        Self::WhichMove,
        Self::WrongSetUp,
        Self::Correction,
        Self::CorrectionOpen,
        Self::ClockBattery,
        Self::DeviceBattery,
        Self::ClockGone,
        Self::ClockSide,
        Self::PressMissed,
        Self::WrongSideRuns,
        Self::MoveCounter,
        Self::ClockReplaced,
        Self::ClockFault,
        Self::WrongSetting,
        Self::DeviceLost,
        Self::DeviceUnassigned,
        Self::DeviceMoved,
        Self::DeviceClash,
        Self::Port,
        Self::NotStarted,
        Self::NoScreen,
        Self::ScreenSilent,
        Self::PlayOffTime,
        Self::Adjudicate,
        Self::DraftAtStart,
        Self::RoundComplete,
        Self::SystemClock,
        Self::Journal,
        Self::GameFiles,
        Self::Players,
        Self::DrawClaim,
        Self::Claim,
        Self::EarlyDraw,
        Self::WrongColours,
        Self::HandViolation,
        Self::Penalty,
        Self::Conduct,
        Self::FollowUp,
        Self::Protest,
        Self::Staffing,
    ];
}

/// How far the call for an arbiter has gone (R-AR-2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// To whoever has the table in his zone.
    #[default]
    Zone,
    /// Once more, and to the neighbour.
    Neighbour,
    /// To the chief arbiter and his deputies as well.
    Chief,
}

impl Reach {
    const fn chief() -> Self {
        Self::Chief
    }
}

/// What stood at the table when an alert was raised (R-RS-4).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Half moves recorded.
    pub ply: u16,
    /// The position by the moves played: FEN.
    pub position: String,
    /// What stood on the board, when it was something else: first field of a FEN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seen: Option<String>,
    /// The times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
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
        /// What stood at the table, where no proposal has it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<Box<Evidence>>,
        /// The arbiters whom it goes to; none: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<String>,
    },
    /// An arbiter took it; from whoever had it before.
    Acknowledged {
        /// The alert.
        alert: u64,
        /// Who.
        by: String,
    },
    /// Who had taken it gave it back.
    Released {
        /// The alert.
        alert: u64,
        /// Who.
        by: String,
    },
    /// Nobody took it in time.
    Escalated {
        /// The alert.
        alert: u64,
        /// How far it goes now; absent in old journals, where the chief was the only step.
        #[serde(default = "Reach::chief")]
        reach: Reach,
        /// All whom it goes to now; none: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<String>,
    },
    /// The zones are others now: who is asked instead.
    Routed {
        /// The alert.
        alert: u64,
        /// All whom it goes to now; none: all.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        to: Vec<String>,
    },
    /// Dealt with, or no longer so.
    Closed {
        /// The alert.
        alert: u64,
        /// Who; `hub` when the cause went away.
        by: String,
    },
}

impl AlertFact {
    /// Which alert it is about, when it stands in the event of that number.
    pub const fn number(&self, seq: u64) -> u64 {
        match self {
            Self::Raised { .. } => seq,
            Self::Acknowledged { alert, .. }
            | Self::Released { alert, .. }
            | Self::Escalated { alert, .. }
            | Self::Routed { alert, .. }
            | Self::Closed { alert, .. } => *alert,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_kinds_are_listed_once() {
        assert!(AlertKind::ALL.is_sorted_by(|a, b| a < b));
        let last = AlertKind::Staffing;
        assert_eq!(last as usize + 1, AlertKind::ALL.len());
    }
}
