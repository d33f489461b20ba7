//! A report file as data: lines in their order, each with its record.

use crate::types::{Color, PlayerNo, Points, RoundNo};

pub use super::{
    encoding::{Encoding, LineEnd},
    player::{Cell, Code, Row},
};

/// A report file. What is read and not changed is written again byte for byte, whatever it is;
/// what was changed is written by the standard's columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Document {
    /// How the bytes became text, and become bytes again.
    pub encoding: Encoding,
    /// The file begins with a byte order mark.
    pub bom: bool,
    /// The lines.
    pub lines: Vec<Line>,
}

/// A line of a report file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// What it says. Free to change: the writer sees it.
    pub record: Record,
    /// How it ends.
    pub end: LineEnd,
    pub(super) source: Option<Box<Source>>,
}

/// The bytes of a line that the standard's columns would not give again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Source {
    pub(super) bytes: Vec<u8>,
    /// What was read from them.
    pub(super) record: Record,
}

impl Line {
    /// A new line.
    pub const fn new(record: Record, end: LineEnd) -> Self {
        Self {
            record,
            end,
            source: None,
        }
    }

    /// The line stands by the standard's columns and blanks, or was changed and will.
    pub fn is_canonical(&self) -> bool {
        self.source
            .as_ref()
            .is_none_or(|source| source.record != self.record)
    }
}

/// A record: one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Record {
    /// `001`, or a national list's code in its place: a player with his results.
    Player(Box<Row>),
    /// Records of free text.
    Text {
        /// Which.
        field: TextField,
        /// The text from column 5 on.
        text: String,
    },
    /// `132`: the dates of the rounds, as written; empty where a round has none.
    RoundDates(Vec<String>),
    /// The number of rounds.
    Rounds {
        /// As `XXR`, else as `142`.
        legacy: bool,
        /// How many.
        rounds: u16,
    },
    /// `152`: the colour of the first player in round 1.
    InitialColour(Color),
    /// `XXC`: words of configuration.
    Configuration(Vec<Configuration>),
    /// `162`: points by symbol.
    Scoring(Vec<(char, Points)>),
    /// `362`: match points by symbol (`TW`, `TD`, `TL`).
    TeamScoring(Vec<(String, Points)>),
    /// `BBW` and the like: the points of one thing, as bbpPairings has it.
    BbpPoints(BbpSymbol, Points),
    /// `XXS`: points by code, as JaVaFo has it.
    XxScoring(Vec<(String, Points)>),
    /// `240`: byes granted, those of rounds to come above all.
    Byes {
        /// Full, half or zero points.
        kind: ByeCode,
        /// The round.
        round: RoundNo,
        /// Whose (teams in a team event).
        players: Vec<PlayerNo>,
    },
    /// `250`: virtual points of a range of players in a range of rounds.
    Acceleration(Acceleration),
    /// `XXA`: virtual points of one player by round.
    XxAcceleration {
        /// Whose.
        player: PlayerNo,
        /// Round 1 first.
        points: Vec<Points>,
    },
    /// `260`: players who must not meet in some rounds.
    Forbidden {
        /// The first round.
        first: RoundNo,
        /// The last round.
        last: RoundNo,
        /// All pairs among them.
        players: Vec<PlayerNo>,
    },
    /// `XXP`: players who must not meet at all.
    XxForbidden(Vec<PlayerNo>),
    /// `XXZ`: absent in the round to be paired.
    XxAbsent(Vec<PlayerNo>),
    /// `299`: points that the result does not say.
    Abnormal(Abnormal),
    /// `300`: who played for a team.
    LineUp {
        /// The round.
        round: RoundNo,
        /// The team.
        team: u16,
        /// Against; 0 = none.
        opponent: u16,
        /// By board; `None` = `0`, nobody.
        boards: Vec<Option<PlayerNo>>,
    },
    /// `310`: a team.
    Team(Team),
    /// `013`: a team as TRF16 has it.
    OldTeam {
        /// The name.
        name: String,
        /// The members.
        members: Vec<PlayerNo>,
    },
    /// `320`: pairing-allocated byes of teams.
    TeamByes {
        /// Match points.
        match_points: Option<Points>,
        /// Game points.
        game_points: Option<Points>,
        /// The team of each round, round 1 first.
        teams: Vec<Option<u16>>,
    },
    /// `330`: a match lost by forfeit.
    TeamForfeit {
        /// White's side forfeits.
        white_loses: bool,
        /// Black's side forfeits.
        black_loses: bool,
        /// The round.
        round: RoundNo,
        /// The team with White.
        white: u16,
        /// The team with Black.
        black: u16,
    },
    /// `352`: the colours of a match by board, e.g. `WBWB`.
    BoardColours(String),
    /// `###` and empty lines.
    Comment(String),
    /// A record that we do not know, or a known one that is broken: kept and left alone.
    Other(String),
}

/// Records that hold text from column 5 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextField {
    /// `012`.
    Name,
    /// `022`.
    City,
    /// `032`.
    Federation,
    /// `042`.
    Start,
    /// `052`.
    End,
    /// `062`: number of players.
    Players,
    /// `072`: number of rated players.
    RatedPlayers,
    /// `082`: number of teams.
    Teams,
    /// `092`: the kind of event in words.
    Kind,
    /// `102`.
    ChiefArbiter,
    /// `112`.
    DeputyArbiter,
    /// `122`: the time control in words.
    TimeControl,
    /// `172`: how the starting order was made.
    StartingOrder,
    /// `182`: the program.
    Program,
    /// `192`: the kind of event as a code, see [`super::SystemCode`].
    SystemCode,
    /// `202`: the tie-breaks after points.
    TieBreaks,
    /// `212`: the order of the standings.
    Standings,
    /// `222`: the time control as a code.
    TimeControlCode,
}

impl TextField {
    /// All of them with their record codes.
    pub const ALL: [(Self, &'static str); 18] = [
        (Self::Name, "012"),
        (Self::City, "022"),
        (Self::Federation, "032"),
        (Self::Start, "042"),
        (Self::End, "052"),
        (Self::Players, "062"),
        (Self::RatedPlayers, "072"),
        (Self::Teams, "082"),
        (Self::Kind, "092"),
        (Self::ChiefArbiter, "102"),
        (Self::DeputyArbiter, "112"),
        (Self::TimeControl, "122"),
        (Self::StartingOrder, "172"),
        (Self::Program, "182"),
        (Self::SystemCode, "192"),
        (Self::TieBreaks, "202"),
        (Self::Standings, "212"),
        (Self::TimeControlCode, "222"),
    ];

    /// The record code.
    pub fn code(self) -> &'static str {
        Self::ALL
            .iter()
            .find(|(field, _)| *field == self)
            .map_or("", |(_, code)| code)
    }

    /// The field of a record code.
    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .iter()
            .find(|(_, known)| *known == code)
            .map(|(field, _)| *field)
    }
}

/// A word of `XXC`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Configuration {
    /// `rank`: the order is that of the rank column, not of the ids.
    Rank,
    /// `white1`, `black1`: the colour of the first player in round 1.
    InitialColour(Color),
    /// A word that we do not know.
    Other(String),
}

/// What a `BB` record gives points for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BbpSymbol {
    /// `BBW`.
    Win,
    /// `BBD`.
    Draw,
    /// `BBL`.
    Loss,
    /// `BBZ`: zero-point bye.
    ZeroBye,
    /// `BBF`: forfeit loss.
    ForfeitLoss,
    /// `BBU`: pairing-allocated bye.
    Allocated,
}

impl BbpSymbol {
    /// All of them with their record codes.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Win, "BBW"),
        (Self::Draw, "BBD"),
        (Self::Loss, "BBL"),
        (Self::ZeroBye, "BBZ"),
        (Self::ForfeitLoss, "BBF"),
        (Self::Allocated, "BBU"),
    ];
}

/// The kinds of bye that record `240` announces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ByeCode {
    /// `F`.
    Full,
    /// `H`.
    Half,
    /// `Z`.
    Zero,
}

impl ByeCode {
    /// As a result code.
    pub const fn code(self) -> Code {
        match self {
            Self::Full => Code::Full,
            Self::Half => Code::Half,
            Self::Zero => Code::Zero,
        }
    }
}

/// Record `250`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Acceleration {
    /// Virtual match points, of team events.
    pub match_points: Option<Points>,
    /// Virtual game points; those of individual events.
    pub game_points: Option<Points>,
    /// The first round.
    pub first_round: RoundNo,
    /// The last round.
    pub last_round: RoundNo,
    /// The first player or team.
    pub first: PlayerNo,
    /// The last player or team.
    pub last: PlayerNo,
}

/// Record `299`. Without round and players: everywhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Abnormal {
    /// The result code whose points differ.
    pub code: char,
    /// Match points instead.
    pub match_points: Option<Points>,
    /// Game points instead.
    pub game_points: Option<Points>,
    /// In this round only.
    pub round: Option<RoundNo>,
    /// Of these players or teams only.
    pub players: Vec<PlayerNo>,
    /// The columns of the TEC's sample file (points from 7 and 12), not of the standard.
    pub sample_columns: bool,
}

/// Record `310`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Team {
    /// The number, from 1.
    pub no: u16,
    /// The name.
    pub name: String,
    /// The name in five letters.
    pub short: String,
    /// Strength factor, as written.
    pub strength: String,
    /// Match points.
    pub match_points: Option<Points>,
    /// Game points.
    pub game_points: Option<Points>,
    /// The place.
    pub rank: Option<u16>,
    /// The members by board.
    pub members: Vec<PlayerNo>,
}
