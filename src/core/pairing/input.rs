//! All that a system may look at.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::PairingError;
use crate::types::{Color, PlayerNo, Points, RoundNo};

/// All that a system may look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    /// Everybody who was ever entered, those who withdrew included.
    pub players: Vec<Entrant>,
    /// The rounds before this one.
    pub history: Vec<PlayedRound>,
    /// The round to pair, from 1.
    pub round: RoundNo,
    /// What the event says about pairing.
    pub settings: Settings,
}

/// What the event says about pairing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings {
    /// The number of rounds of the event; `None` = as many as the system needs.
    pub rounds: Option<u16>,
    /// The colour of the first player in round 1, by lot, where the system leaves it open.
    #[serde(with = "crate::types::color::option", default)]
    pub initial_colour: Option<Color>,
    /// What results are worth.
    #[serde(default)]
    pub scoring: Scoring,
    /// Who must not meet (R-PR-10).
    #[serde(default)]
    pub forbidden: Vec<Forbidden>,
    /// Pairs that stand before the pairing begins.
    #[serde(default)]
    pub fixed: Vec<FixedPair>,
    /// Virtual points (C.04.7).
    #[serde(default)]
    pub acceleration: Acceleration,
}

/// What the event gives for a result. The history carries its own points; the values here decide
/// what *counts* as a win's or a loss's worth (C.04.1.4, C.04.3 1.4 and 1.8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scoring {
    /// A game won.
    pub win: Points,
    /// A game drawn.
    pub draw: Points,
    /// A game lost.
    pub loss: Points,
    /// The pairing-allocated bye.
    pub pab: Points,
    /// A half-point bye.
    pub half_bye: Points,
    /// A full-point bye.
    pub full_bye: Points,
    /// A zero-point bye or absence.
    pub zero_bye: Points,
    /// A game won by forfeit.
    pub forfeit_win: Points,
    /// A game lost by forfeit.
    pub forfeit_loss: Points,
}

impl Scoring {
    /// 1, ½, 0, and the pairing-allocated bye worth a win.
    pub const STANDARD: Self = Self::of(Points::ONE, Points::HALF, Points::ZERO);
    /// 3, 1, 0, and the pairing-allocated bye worth a win.
    pub const FOOTBALL: Self = Self::of(Points(6), Points::ONE, Points::ZERO);

    /// Win, draw and loss as given, byes and forfeits like the games that they stand for.
    pub const fn of(win: Points, draw: Points, loss: Points) -> Self {
        Self {
            win,
            draw,
            loss,
            pab: win,
            half_bye: draw,
            full_bye: win,
            zero_bye: loss,
            forfeit_win: win,
            forfeit_loss: loss,
        }
    }
}

impl Default for Scoring {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// Players of whom no two may meet in some rounds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Forbidden {
    /// The players, two or more.
    pub players: Vec<PlayerNo>,
    /// The first round in which it holds.
    pub first: RoundNo,
    /// The last round in which it holds; `None` = to the end.
    pub last: Option<RoundNo>,
}

impl Forbidden {
    /// Whether it holds in this round.
    pub fn holds_in(&self, round: RoundNo) -> bool {
        self.first <= round && self.last.is_none_or(|last| round <= last)
    }
}

/// A pair that an arbiter sets for one round; everybody else is paired around it. The history is
/// not asked: the arbiter answers for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FixedPair {
    /// The round.
    pub round: RoundNo,
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
}

/// Virtual points: they count for pairing, never for the standings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Acceleration {
    /// None.
    #[default]
    None,
    /// The Baku method (C.04.7). Needs the number of rounds in the settings.
    Baku {
        /// The last member of group A, as it was when round 1 was paired; `None` = from the list as
        /// it stands.
        last: Option<PlayerNo>,
    },
    /// Points written out (TRF 250 or XXA); several entries of a player add up.
    Custom {
        /// The entries.
        points: Vec<VirtualPoints>,
    },
}

/// Virtual points of a run of players in a run of rounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VirtualPoints {
    /// The first player.
    pub first_player: PlayerNo,
    /// The last player.
    pub last_player: PlayerNo,
    /// The first round.
    pub first_round: RoundNo,
    /// The last round.
    pub last_round: RoundNo,
    /// The points.
    pub points: Points,
}

/// A player as pairing sees him.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// The pairing number.
    pub no: PlayerNo,
    /// The rating, if any.
    pub rating: Option<u16>,
    /// Whether he plays in this round.
    pub presence: Presence,
}

impl Entrant {
    /// A player who is there.
    pub const fn present(no: PlayerNo) -> Self {
        Self {
            no,
            rating: None,
            presence: Presence::Present,
        }
    }
}

/// Whether a player takes part in the round to be paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presence {
    /// He plays.
    Present,
    /// He misses this round, announced.
    Absent,
    /// He left the event or was excluded.
    Withdrawn,
}

/// A round of the history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedRound {
    /// Which.
    pub round: RoundNo,
    /// The pairs with what they brought.
    pub games: Vec<PlayedGame>,
    /// Players without an opponent.
    pub unpaired: Vec<UnpairedScore>,
}

/// A pair of the history.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Who had White.
    pub white: PlayerNo,
    /// Who had Black.
    pub black: PlayerNo,
    /// White's points.
    pub white_points: Points,
    /// Black's points.
    pub black_points: Points,
    /// False for a forfeit: then it is no meeting and no colour (C.04.2, 3.4 and 3.5).
    pub played: bool,
}

/// What a player without an opponent was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnpairedScore {
    /// Who.
    pub player: PlayerNo,
    /// The points.
    pub points: Points,
    /// What it was.
    pub kind: UnpairedKind,
}

/// Why a player of the history had no opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum UnpairedKind {
    /// The bye that the pairing gave (TRF `U`).
    PairingAllocated,
    /// A full-point bye (TRF `F`).
    FullPoint,
    /// A half-point bye (TRF `H`).
    HalfPoint,
    /// A zero-point bye, asked for (TRF `Z`).
    ZeroPoint,
    /// Not there: not entered yet, withdrawn or absent (TRF blank or `Z`).
    Absent,
    /// The odd man out of a round robin.
    Rest,
}

/// Checks what every system needs and sorts the entrants by number.
pub(crate) fn entrants(input: &Input) -> Result<Vec<Entrant>, PairingError> {
    if input.players.len() < 2 {
        return Err(PairingError::TooFewPlayers {
            entered: input.players.len(),
        });
    }
    let mut players = BTreeMap::new();
    for entrant in &input.players {
        if players.insert(entrant.no, *entrant).is_some() {
            return Err(PairingError::DuplicateNumber { player: entrant.no });
        }
    }
    let mut rounds = BTreeSet::new();
    for past in &input.history {
        if past.round >= input.round || !rounds.insert(past.round) {
            return Err(PairingError::HistoryOutOfOrder {
                round: input.round,
                found: past.round,
            });
        }
        let named = past
            .games
            .iter()
            .flat_map(|game| [game.white, game.black])
            .chain(past.unpaired.iter().map(|unpaired| unpaired.player));
        for player in named {
            if !players.contains_key(&player) {
                return Err(PairingError::UnknownPlayer {
                    round: past.round,
                    player,
                });
            }
        }
    }
    Ok(players.into_values().collect())
}
