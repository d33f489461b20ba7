//! The event's table as the pages and the files of results show it.

use std::collections::BTreeMap;

use jiff::Timestamp;

use crate::{
    tournament::{GameResult, Player, Termination, standings::CellKind},
    types::{Color, PlayerNo, RoundNo, TableNo},
};

/// What the table rests on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableState {
    /// No round is public yet.
    Empty,
    /// A round is being played; so many of its games are open.
    Running {
        /// Games without a result.
        open: u16,
    },
    /// The last public round is closed, more follow.
    Closed,
    /// The last round of the event is closed.
    Final,
}

/// The standings with everything that a page tells of the event. A draft is not in it.
#[derive(Clone, Debug, PartialEq)]
pub struct EventTable {
    /// The event's name.
    pub event: String,
    /// The section's short name.
    pub section: String,
    /// The pairing system, e.g. `dutch`.
    pub system: String,
    /// The time control as written in the set-up.
    pub time_control: Option<String>,
    /// Rounds to be played, where that is known.
    pub rounds: Option<u16>,
    /// The newest round that is public; 0 before the first.
    pub round: u16,
    /// What the table rests on.
    pub state: TableState,
    /// The round that is paired and not public; for arbiters only.
    pub draft: Option<RoundNo>,
    /// The tie-breaks by FIDE code, in their order.
    pub tie_breaks: Vec<String>,
    /// Everybody, best first.
    pub lines: Vec<EventLine>,
}

impl EventTable {
    /// The line of a player.
    pub fn line(&self, player: PlayerNo) -> Option<&EventLine> {
        self.lines.iter().find(|line| line.player.no == player)
    }

    /// Names that more than one player bears.
    pub fn namesakes(&self) -> Vec<&str> {
        let mut bearers: BTreeMap<&str, u16> = BTreeMap::new();
        for line in &self.lines {
            *bearers.entry(line.player.name.as_str()).or_default() += 1;
        }
        let shared = bearers.into_iter().filter(|(_, bearers)| *bearers > 1);
        shared.map(|(name, _)| name).collect()
    }
}

/// One player's line.
#[derive(Clone, Debug, PartialEq)]
pub struct EventLine {
    /// The place, from 1.
    pub place: u16,
    /// Others have the same.
    pub shared: bool,
    /// Who, with everything that the list of players says of him.
    pub player: Player,
    /// He has left the event.
    pub withdrawn: bool,
    /// Left so early that nothing of him counts (R-ST-1).
    pub struck_out: bool,
    /// Points, e.g. `2.5`.
    pub points: String,
    /// The tie-breaks in their order.
    pub figures: Vec<FigureView>,
    /// His rounds, the first one first; as many as are public.
    pub cells: Vec<CellView>,
}

/// A tie-break of a player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FigureView {
    /// As the table shows it.
    pub text: String,
    /// What it is made of, in words; empty unless asked for.
    pub explained: Vec<String>,
}

/// What a player did in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellView {
    /// The round.
    pub round: RoundNo,
    /// What happened.
    pub kind: CellKind,
    /// Against whom.
    pub opponent: Option<PlayerNo>,
    /// His colour.
    pub colour: Option<Color>,
    /// His points, e.g. `½`; none while the game is open.
    pub score: Option<String>,
    /// Where he played.
    pub table: Option<TableNo>,
}

/// What closes an event (R-AR-3), as far as the state tells it; the record of changes, incidents and
/// protests comes from the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFigures {
    /// Players entered.
    pub players: usize,
    /// With a rating.
    pub rated: usize,
    /// The mean of the ratings, rounded.
    pub average_rating: Option<u16>,
    /// Players by federation; who has none is not in it.
    pub federations: BTreeMap<String, usize>,
    /// Who left, and from which round on.
    pub withdrawn: BTreeMap<PlayerNo, RoundNo>,
    /// The public rounds.
    pub rounds: Vec<RoundFigures>,
    /// Results of all public rounds.
    pub results: BTreeMap<GameResult, usize>,
    /// How the games ended.
    pub terminations: BTreeMap<Termination, usize>,
}

/// A round in figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundFigures {
    /// Which.
    pub number: RoundNo,
    /// The announced start.
    pub starts_at: Option<Timestamp>,
    /// The declared start.
    pub started_at: Option<Timestamp>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
    /// Games.
    pub games: usize,
    /// Of these without a result.
    pub open: usize,
    /// Decided without play.
    pub forfeits: usize,
    /// Players without an opponent.
    pub unpaired: usize,
}
