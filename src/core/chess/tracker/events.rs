//! What the tracker says, and what one may set.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    chess::{
        result::{BoardEnd, Outcome},
        start::{Start, Variant},
    },
    types::{Mono, color},
};

/// What one may set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrackerSettings {
    /// Quiet on the board after which a complete move counts as made. 600 ms; 300 ms in blitz.
    pub dwell: Duration,
    /// How long a rook move that may be half a castling waits for the king. 5 s.
    pub castling_hold: Duration,
    /// How long both kings stand in the centre before a result is proposed. 5 s.
    pub result_hold: Duration,
    /// Quiet after which a complete start position counts as set up. 2 s.
    pub start_quiet: Duration,
    /// How long a wrong set-up stands before it is told. 5 s.
    pub wrong_set_up_after: Duration,
    /// How long a set-up stands in which men are missing, or that another start of Chess960 is, before it
    /// is told: somebody may only be at it. 60 s.
    pub lacking_set_up_after: Duration,
    /// How long a forbidden move stands before it is a claim when no clock tells of presses. 3 s.
    pub illegal_after: Duration,
    /// How long a placement may go without explanation before it is told. 10 s.
    pub unexplained_after: Duration,
    /// How long one square must differ before it counts as misread rather than flickering. 1 s.
    pub mismatch_after: Duration,
    /// The board is turned by 180°; `None` decides at the start position.
    pub turned: Option<bool>,
    /// From which position games start, and how they castle.
    pub start: Start,
}

impl Default for TrackerSettings {
    fn default() -> Self {
        Self {
            dwell: Duration::from_millis(600),
            castling_hold: Duration::from_secs(5),
            result_hold: Duration::from_secs(5),
            start_quiet: Duration::from_secs(2),
            wrong_set_up_after: Duration::from_secs(5),
            lacking_set_up_after: Duration::from_mins(1),
            illegal_after: Duration::from_secs(3),
            unexplained_after: Duration::from_secs(10),
            mismatch_after: Duration::from_secs(1),
            turned: None,
            start: Start::default(),
        }
    }
}

impl TrackerSettings {
    /// For games of ten minutes and less a player.
    #[must_use]
    pub fn blitz() -> Self {
        Self {
            dwell: Duration::from_millis(300),
            ..Self::default()
        }
    }
}

/// One move of the record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveMade {
    /// Half-move number, from 1.
    pub ply: u16,
    /// Who moved.
    #[serde(with = "color")]
    pub side: Color,
    /// In UCI notation, e.g. `e7e8q`; castling as the king's move, in Chess960 as king takes rook.
    pub uci: String,
    /// In standard algebraic notation, e.g. `e8=Q+`.
    pub san: String,
    /// The clock's lever bore it out when it was settled.
    #[serde(default)]
    pub pressed: bool,
    /// The board did not show every step: it follows from legality alone, or a square is misread.
    #[serde(default)]
    pub inferred: bool,
    /// When the man was seen on its square. Not part of the record's written form.
    #[serde(skip)]
    pub at: Mono,
}

/// Why a move is against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IllegalReason {
    /// The mover's king stands in check after it.
    KingInCheck,
    /// The man does not move so.
    PieceMovement,
    /// Castling without the right, or through check.
    CastlingForbidden,
    /// A pawn was left on the last rank.
    PawnNotPromoted,
    /// Two men were moved.
    TwoMenMoved,
    /// The other side was to move.
    OutOfTurn,
    /// A rook that a pawn became moved as a queen: perhaps it was meant as one.
    PromotedRookAsQueen,
}

/// For the log: worth keeping, nobody needs to act.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
pub enum Note {
    /// A man was lifted and put back without a move.
    Adjusted {
        /// Squares in algebraic notation.
        squares: Vec<String>,
    },
    /// Castled with the rook first; formally that is a rook move.
    CastledRookFirst {
        /// The castling's half-move number.
        ply: u16,
    },
    /// The pawn taken en passant still stands there.
    EnPassantUnfinished {
        /// The square to clear.
        remove: String,
    },
    /// The clock was pressed though nothing moved.
    PressedWithoutMove {
        /// Who pressed.
        #[serde(with = "color")]
        side: Color,
    },
    /// The position stands for the third time: the side to move may claim.
    Threefold {
        /// Half-move number.
        ply: u16,
    },
    /// Fifty moves by each side without capture or pawn move: the side to move may claim.
    FiftyMoves {
        /// Half-move number.
        ply: u16,
    },
}

/// What the tracker found. Proposals and facts; decisions are the arbiter's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum TrackEvent {
    /// The start position stands and is quiet; a game may begin.
    SetUp {
        /// The board is turned by 180°.
        turned: bool,
    },
    /// The game starts from this position and not from the usual one; [`TrackEvent::SetUp`] follows. It holds
    /// until another is told.
    StartsFrom {
        /// FEN.
        fen: String,
        /// By which rules.
        variant: Variant,
        /// Its number among the 960 of Chess960, if it is one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        number: Option<u16>,
    },
    /// Men stand on all home squares of a board that does not know them, and that looks the same from
    /// both sides: a game may begin. [`TrackEvent::SetUp`] follows with the first move.
    StartAssumed,
    /// A full set stands on the home squares, but not as it must; or men are missing from it for long.
    WrongSetUp {
        /// What is wrong, in words: `d1/e1 exchanged`, `b1 empty`.
        detail: String,
        /// Players' view.
        placement: String,
    },
    /// A move was made.
    Move(MoveMade),
    /// Moves already told are taken back or corrected: forget every ply from `from_ply` on, then
    /// add `replaced_by`. An end told for one of these plies is void.
    Withdrawn {
        /// The first half-move that no longer stands.
        from_ply: u16,
        /// The moves taken away, UCI.
        moves: Vec<String>,
        /// The corrected move, when the same hand went on.
        replaced_by: Option<MoveMade>,
    },
    /// A completed move that the rules forbid: a claim for the arbiter (R-RS-6).
    Illegal {
        /// The half-move that was to be made.
        ply: u16,
        /// FEN of the last legal position.
        before: String,
        /// What stands on the board, players' view.
        placement: String,
        /// Who made it.
        #[serde(with = "color")]
        mover: Color,
        /// From and to square, e.g. `a1a4`.
        offending: String,
        /// Everything that is wrong with it.
        reasons: Vec<IllegalReason>,
        /// The clock was pressed.
        pressed: bool,
    },
    /// What stands on the board is legal again.
    IllegalResolved {
        /// The last legal position was restored; otherwise a legal move was made.
        restored: bool,
    },
    /// Several moves lead to what was seen, and nothing since has told which was made: an arbiter must.
    /// The game is followed meanwhile. Another question replaces the one before.
    Question {
        /// The half-move that is not known.
        ply: u16,
        /// FEN of the position before it.
        before: String,
        /// The moves that it may have been, UCI.
        moves: Vec<String>,
    },
    /// The question of this half-move has found its answer, or is void.
    QuestionClosed {
        /// The half-move.
        ply: u16,
    },
    /// What stands on the board follows from nothing that is known.
    Unexplained {
        /// What should stand, players' view.
        expected: String,
        /// What stands, players' view.
        seen: String,
        /// Several lines of legal moves lead there; an arbiter must say which.
        ambiguous: bool,
        /// Presses of the clock in turn that no move has answered for.
        #[serde(default)]
        presses: u16,
        /// Since when.
        #[serde(skip)]
        since: Mono,
    },
    /// The board is understood again.
    Explained,
    /// Moves are missing from the record after this half-move. A second one for the same half-move
    /// replaces the first.
    Gap {
        /// Half-moves recorded before it.
        after: u16,
        /// FEN of the position from which the game went on; castling and the number of moves as far as
        /// they are known. `None` when the game ended before it was known.
        fen: Option<String>,
    },
    /// Nothing was missing: the position before the gap stands on the board again.
    GapClosed {
        /// Half-moves recorded before it.
        after: u16,
    },
    /// One square reads otherwise than it must; tracking goes on without it.
    Mismatch {
        /// The square, players' view.
        square: String,
        /// What must stand there, as in FEN; `.` for nothing.
        expected: char,
        /// What the board reports.
        seen: char,
    },
    /// That square reads right again.
    MismatchOver {
        /// The square, players' view.
        square: String,
    },
    /// The kings show a result (R-RS-1).
    ResultByKings {
        /// The result.
        outcome: Outcome,
        /// The position before the kings moved (R-RS-4).
        final_fen: String,
        /// Half-moves played until then.
        plies: u16,
    },
    /// The kings went back to the game's position: it was a slip.
    ResultWithdrawn,
    /// The men went back to the start position and nobody showed a result.
    ResultMissing {
        /// The last position (R-RS-4).
        final_fen: String,
        /// Half-moves played.
        plies: u16,
    },
    /// The start position stands again after a game; tracking waits for [`super::Tracker::rearm`].
    StartAgain {
        /// Half-moves of the game that is over.
        plies: u16,
    },
    /// The board proves that the game is over.
    GameOver {
        /// The half-move that ended it.
        ply: u16,
        /// The result.
        outcome: Outcome,
        /// Why.
        reason: BoardEnd,
    },
    /// For the log.
    Note(Note),
}

/// What the tracker makes of the board at this moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "status", rename_all = "kebab-case")]
pub enum TrackStatus {
    /// No placement has come yet.
    NoBoard,
    /// Waiting for the start position.
    Waiting,
    /// The board shows the position of the record.
    AtRest,
    /// A complete move stands that could still be undone by letting go.
    Provisional {
        /// That move and any before it that are not settled, UCI.
        moves: Vec<String>,
    },
    /// One or two men are off the board.
    InHand {
        /// Their squares.
        squares: Vec<String>,
    },
    /// A legal move lacks its last step (en passant victim, promotion, castling rook).
    Unfinished {
        /// That move, UCI.
        uci: String,
    },
    /// The board shows an earlier position of the game.
    TakenBack {
        /// Half-moves that would remain.
        plies: u16,
    },
    /// A forbidden move stands on the board.
    Illegal {
        /// From and to square, e.g. `a1a4`.
        offending: String,
        /// Everything that is wrong with it.
        reasons: Vec<IllegalReason>,
    },
    /// One square reads otherwise than it must.
    Mismatch {
        /// The square, players' view.
        square: String,
        /// What must stand there, as in FEN; `.` for nothing.
        expected: char,
        /// What the board reports.
        seen: char,
    },
    /// More squares differ than one move explains.
    Disturbed {
        /// How many squares differ.
        squares: u8,
    },
    /// Several moves may have been made; an arbiter is asked.
    Asking {
        /// The half-move that is not known.
        ply: u16,
        /// The moves that it may have been, UCI.
        moves: Vec<String>,
    },
    /// Both kings stand in the centre.
    KingsShow {
        /// The result that they show.
        outcome: Outcome,
    },
    /// The start position stands again after moves were played.
    StartAgain,
    /// The game is over for the tracker.
    Closed,
}
