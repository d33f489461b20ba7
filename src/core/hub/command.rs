//! What a person, or a machine on a person's behalf, asks of the hub.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{
    event::{BySide, ClaimKind, Outcome},
    staff::Staff,
};
use crate::{
    clock::Change,
    hub::event::{EmergencyKind, HallText, ScreenSettings},
    tournament::Bye,
    types::{Color, DeviceId, PlayerNo, RoundNo, TableNo, color},
};

/// A request with its author. Every command that is carried out becomes an event that names him.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Who asks: a login name, `schedule`, or the name of an event policy.
    pub by: String,
    /// What is asked.
    pub command: Command,
}

/// What can be asked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// A command that may come twice, because its answer was lost, and is carried out once.
    Once {
        /// The asker's own name for this very request.
        key: String,
        /// What is asked; itself no `Once`.
        #[serde(rename = "what")]
        command: Box<Self>,
    },
    /// An arbiter has seen the alert and is on his way.
    AcknowledgeAlert {
        /// The alert.
        alert: u64,
    },
    /// Another arbiter goes in the place of the one who has taken it.
    TakeOverAlert {
        /// The alert.
        alert: u64,
    },
    /// The arbiter who has taken it cannot go: it is open to all again.
    ReleaseAlert {
        /// The alert.
        alert: u64,
    },
    /// The arbiters, their zones and shifts: the whole list anew.
    SetStaff {
        /// All of them.
        staff: Staff,
    },
    /// The matter is dealt with.
    CloseAlert {
        /// The alert.
        alert: u64,
    },
    /// An arbiter decides a proposal (R-AR-4).
    Decide {
        /// The proposal.
        proposal: u64,
        /// Accept or reject.
        accept: bool,
        /// A result other than the proposed one, e.g. `0-1`.
        result: Option<String>,
        /// His reason, for the record.
        note: Option<String>,
    },
    /// An arbiter enters or amends a result.
    SetResult {
        /// The table.
        table: TableNo,
        /// The result, e.g. `1-0`, `1/2-1/2`, `+/-`.
        result: String,
        /// How the game ended (R-RS-3), e.g. `resignation`.
        termination: Option<String>,
        /// His reason, for the record.
        note: Option<String>,
    },
    /// A player or an arbiter calls an arbiter to the table.
    CallArbiter {
        /// The table.
        table: TableNo,
        /// Why.
        note: Option<String>,
    },
    /// Something is claimed at a table.
    Claim {
        /// The table.
        table: TableNo,
        /// What.
        what: ClaimKind,
        /// Whom it is about: who is said to have done it; for a draw or a flag the opponent of who claims.
        #[serde(default, with = "color::option")]
        against: Option<Color>,
        /// In words.
        note: Option<String>,
    },
    /// A protest was handed in (R-RS-11).
    FileProtest {
        /// The table, when it concerns one.
        table: Option<TableNo>,
        /// Whose; `None` for a team or an organiser.
        player: Option<PlayerNo>,
        /// Against what.
        text: String,
        /// It is to be decided within so many minutes.
        minutes: Option<u32>,
    },
    /// A protest was decided.
    DecideProtest {
        /// The protest.
        protest: u64,
        /// How.
        outcome: Outcome,
        /// The deposit was given back.
        deposit_returned: bool,
        /// Why.
        note: Option<String>,
    },
    /// The times of a clock are to be corrected (R-CK-4).
    CorrectClock {
        /// The table.
        table: TableNo,
        /// How and why.
        correction: CorrectionAsked,
    },
    /// An ordered correction is not wanted any more.
    CancelCorrection {
        /// The table.
        table: TableNo,
    },
    /// Something that belongs in the record.
    RecordIncident {
        /// The table, when it concerns one.
        table: Option<TableNo>,
        /// What happened.
        text: String,
    },
    /// Put right what is public already.
    Amend {
        /// What.
        asked: AmendmentAsked,
        /// Why, for the record.
        note: String,
    },
    /// Take a correction back.
    RevertAmendment {
        /// Its number.
        amendment: u64,
        /// Why, for the record.
        note: String,
    },
    /// Pair the next round, or pair it again while it is a draft.
    PairRound,
    /// Change the draft of round 1 as little as those who left, came or asked for byes since ask for
    /// (R-PR-8), in the place of the draft that was paired anew.
    RepairRound,
    /// Who goes on from a level match of a knock-out.
    DecideMatch(MatchDecision),
    /// A player leaves the event; he is not paired any more.
    WithdrawPlayer {
        /// Who.
        player: PlayerNo,
    },
    /// A player who left is paired again.
    ReturnPlayer {
        /// Who.
        player: PlayerNo,
    },
    /// A bye that a player asked for, or an absence that he announced.
    SetBye {
        /// Who.
        player: PlayerNo,
        /// The round, not public yet.
        round: RoundNo,
        /// Which; `None` takes it back.
        bye: Option<Bye>,
    },
    /// Make the draft pairing public.
    PublishRound,
    /// Set the instant of the start.
    ScheduleRound {
        /// The planned start, UTC.
        starts_at: Timestamp,
        /// Confirms a start earlier than the announced one.
        #[serde(default)]
        earlier_confirmed: bool,
    },
    /// Move the start by some seconds, usually ±60 or +300.
    ShiftRound {
        /// Seconds; negative is earlier.
        seconds: i32,
        /// Confirms a start earlier than the announced one.
        #[serde(default)]
        earlier_confirmed: bool,
    },
    /// Start delayed: no number on the screen until released or scheduled anew.
    HoldRound {
        /// What the hall reads.
        reason: Option<String>,
    },
    /// The round starts now (the declared start, from which default time counts).
    StartRound,
    /// Give the boards that are left a fixed time (R-CD-6).
    StartPlayOff {
        /// How long; `None` = as the event says, else five minutes.
        #[serde(default)]
        seconds: Option<u32>,
    },
    /// Say what a screen shows.
    AssignScreen {
        /// The large number on it.
        screen: u16,
        /// What, and how.
        settings: ScreenSettings,
    },
    /// A screen is not one of the hall's any more.
    ForgetScreen {
        /// Its number.
        screen: u16,
    },
    /// A message on all screens that goes by itself.
    ShowMessage {
        /// What it says; `None` takes the one down that stands.
        text: Option<HallText>,
        /// How long it stands.
        #[serde(default)]
        seconds: u32,
    },
    /// All screens black, at most until five minutes before the start.
    BlackOut {
        /// For so long; zero ends it.
        seconds: u32,
    },
    /// The text of the notice page.
    SetNotice {
        /// What it says; `None` takes it down.
        text: Option<HallText>,
    },
    /// The emergency page on all screens.
    RaiseEmergency {
        /// Which.
        about: EmergencyKind,
        /// In the arbiter's words.
        #[serde(default)]
        text: Option<HallText>,
    },
    /// Take the emergency page down.
    EndEmergency,
    /// Close the round; refused while a result is missing.
    CloseRound {
        /// The round meant, so that a second click cannot close the next one.
        round: RoundNo,
    },
    /// Put a device at a table.
    AssignDevice {
        /// The device.
        device: DeviceId,
        /// The table; `None` takes it away.
        table: Option<TableNo>,
    },
    /// Find the board of a table: the next one whose white king is lifted from the start position.
    AwaitKing {
        /// The table.
        table: TableNo,
    },
    /// Tell the hub how a game went on from its record: which of several moves was made that the board
    /// cannot tell apart, or the moves that it missed.
    TellMoves {
        /// The table.
        table: TableNo,
        /// The moves from the end of the record on, UCI.
        moves: Vec<String>,
    },
    /// Say from which position the games start that have not begun: one of the 960 by its number, where the
    /// event plays Chess960, or any position by its FEN (a handicap).
    SetStart {
        /// The table; `None` means all of the round.
        table: Option<TableNo>,
        /// The number, 0 to 959.
        number: Option<u16>,
        /// The position; only one of the two is given.
        fen: Option<String>,
    },
    /// Tell the hub how the board of a table stands.
    SetOrientation {
        /// The table.
        table: TableNo,
        /// White sits at the wire's rank 8.
        turned: bool,
    },
}

/// What is to be put right after it was public.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum AmendmentAsked {
    /// A result, also of a round that is closed.
    Result {
        /// The round.
        round: RoundNo,
        /// The table.
        table: TableNo,
        /// The right result, e.g. `1-0`.
        result: String,
        /// How the game ended; what was said before stays where it still fits.
        #[serde(default)]
        termination: Option<String>,
    },
    /// A game was played with the colours the other way round.
    Colours {
        /// The round.
        round: RoundNo,
        /// The table.
        table: TableNo,
    },
    /// Two players were taken for each other, e.g. because they bear one name.
    Exchange {
        /// The round.
        round: RoundNo,
        /// One.
        first: PlayerNo,
        /// The other.
        second: PlayerNo,
    },
    /// What the list says of a player; what is left out stays.
    Player {
        /// Who.
        player: PlayerNo,
        /// His name.
        #[serde(default)]
        name: Option<String>,
        /// His rating; 0 = none.
        #[serde(default)]
        rating: Option<u16>,
        /// His FIDE number; 0 = none.
        #[serde(default)]
        fide_id: Option<u64>,
        /// Club or school; empty = none.
        #[serde(default)]
        club: Option<String>,
    },
    /// What a round without an opponent is worth.
    Bye {
        /// The round.
        round: RoundNo,
        /// Who.
        player: PlayerNo,
        /// What.
        bye: Bye,
    },
}

/// A correction of a clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CorrectionAsked {
    /// The times.
    pub change: Change,
    /// Moves made, for a clock that counts them; `None` = as the record has it.
    #[serde(default)]
    pub moves: BySide<Option<u16>>,
    /// Why.
    pub why: String,
}

/// Who goes on from a level match of a knock-out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchDecision {
    /// The two.
    pub players: [PlayerNo; 2],
    /// Who goes on; `None` when the lot is to decide.
    pub winner: Option<PlayerNo>,
    /// The hub draws the lot.
    pub by_lot: bool,
    /// He has won a play-off; else the arbiter decides by the rules of the event.
    pub play_off: bool,
}

/// Why a command was not carried out.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refused {
    /// There is no such thing.
    #[error("there is no {what} {id}")]
    NotFound {
        /// `alert`, `proposal`, `table`, `device`.
        what: &'static str,
        /// Its name or number.
        id: String,
    },
    /// It cannot be done in this state.
    #[error("{0}")]
    Conflict(String),
    /// An argument makes no sense.
    #[error("{0}")]
    Invalid(String),
}
