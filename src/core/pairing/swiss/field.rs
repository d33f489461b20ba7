//! The players of a round with everything that the rules ask about them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Colours, Preference, baku_last, baku_points};
use crate::{
    pairing::{
        Acceleration, FixedPair, FormatError, Input, PairingError, Presence, Scoring, UnpairedKind,
        entrants, matching::BitMatrix,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// One round of a player's history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoundRecord {
    /// A game over the board.
    Played {
        /// The index of the opponent.
        opponent: usize,
        /// The own colour.
        colour: Color,
        /// The own points.
        points: Points,
        /// The own pairing score before the round.
        own: Points,
        /// The opponent's pairing score before the round.
        theirs: Points,
    },
    /// Paired, but not played.
    Forfeit {
        /// The index of the opponent.
        opponent: usize,
        /// The own points.
        points: Points,
    },
    /// No opponent.
    Unpaired {
        /// Why.
        kind: UnpairedKind,
        /// The points.
        points: Points,
    },
}

impl RoundRecord {
    /// The points of the round.
    pub const fn points(self) -> Points {
        match self {
            Self::Played { points, .. }
            | Self::Forfeit { points, .. }
            | Self::Unpaired { points, .. } => points,
        }
    }

    /// A game over the board.
    pub const fn is_played(self) -> bool {
        matches!(self, Self::Played { .. })
    }

    /// The index of whom he met over the board.
    pub const fn opponent(self) -> Option<usize> {
        match self {
            Self::Played { opponent, .. } => Some(opponent),
            Self::Forfeit { .. } | Self::Unpaired { .. } => None,
        }
    }

    /// The pairing had him in that round: with an opponent or with its bye.
    pub const fn was_paired(self) -> bool {
        match self {
            Self::Played { .. } | Self::Forfeit { .. } => true,
            Self::Unpaired { kind, .. } => matches!(kind, UnpairedKind::PairingAllocated),
        }
    }
}

/// Meeting somebody with another score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Float {
    /// The opponent had fewer points, or there was none.
    Down,
    /// The opponent had more points.
    Up,
}

/// Which unplayed rounds are downfloats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatRule {
    /// The bye of the pairing, and whatever brought more than a loss (C.04.3 of 2026, 1.4).
    Rewarded,
    /// Every unplayed round (C.04.3 of 2017, A.4).
    AnyUnplayed,
    /// None: only played games float (Dubov, Swiss teams).
    PlayedOnly,
}

/// What takes away the right to the bye, beside having had it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByeBar {
    /// Any round that brought a win's points without a game (C.04.1.4 of 2026).
    WinUnplayed,
    /// A game won by forfeit (2017); full-point byes do not count.
    ForfeitWin,
}

/// A player with what the rules ask about him.
#[derive(Clone, Debug)]
pub struct Player {
    /// The pairing number.
    pub no: PlayerNo,
    /// The rating, if any.
    pub rating: Option<u16>,
    /// Whether he is there.
    pub presence: Presence,
    /// Points awarded so far, byes of announced absence in this round not among them.
    pub score: Points,
    /// Score and virtual points of this round: what pairing goes by.
    pub pairing_score: Points,
    /// The colours of the played games.
    pub colours: Colours,
    /// What he is due, by the general rule ([`Colours::preference`]).
    pub preference: Preference,
    /// The rank among those who count for the parity of the numbers: present now or paired before;
    /// from 1 (rules 1.4). `None` for who was never there.
    pub parity_rank: Option<u32>,
    /// The rounds before this one; index 0 is round 1.
    pub rounds: Vec<RoundRecord>,
}

impl Player {
    /// Whites minus Blacks.
    pub fn colour_difference(&self) -> i32 {
        self.colours.difference()
    }

    /// Games over the board.
    pub fn games_played(&self) -> usize {
        self.colours.as_slice().len()
    }

    /// Rounds without a game over the board.
    pub fn games_missed(&self) -> usize {
        self.rounds.len() - self.games_played()
    }

    /// Whether the pairing ever had him.
    pub fn was_ever_paired(&self) -> bool {
        self.rounds.iter().any(|record| record.was_paired())
    }

    /// Whether the bye is barred to him (C.04.1.4; C2).
    pub fn bye_barred(&self, bar: ByeBar, scoring: &Scoring) -> bool {
        self.rounds.iter().any(|record| match *record {
            RoundRecord::Played { .. } => false,
            RoundRecord::Forfeit { points, .. } => points >= scoring.win,
            RoundRecord::Unpaired { kind, points } => match kind {
                UnpairedKind::PairingAllocated => true,
                UnpairedKind::HalfPoint | UnpairedKind::ZeroPoint | UnpairedKind::Absent => false,
                UnpairedKind::FullPoint | UnpairedKind::Rest => {
                    bar == ByeBar::WinUnplayed && points >= scoring.win
                }
            },
        })
    }

    /// His float `back` rounds ago (1 = the last round); nothing before round 1.
    pub fn float(&self, back: usize, rule: FloatRule, scoring: &Scoring) -> Option<Float> {
        let record = self.rounds.len().checked_sub(back)?;
        match *self.rounds.get(record)? {
            RoundRecord::Played { own, theirs, .. } => match own.cmp(&theirs) {
                std::cmp::Ordering::Greater => Some(Float::Down),
                std::cmp::Ordering::Less => Some(Float::Up),
                std::cmp::Ordering::Equal => None,
            },
            record => match rule {
                FloatRule::PlayedOnly => None,
                FloatRule::AnyUnplayed => Some(Float::Down),
                FloatRule::Rewarded => {
                    let allocated = matches!(
                        record,
                        RoundRecord::Unpaired {
                            kind: UnpairedKind::PairingAllocated,
                            ..
                        }
                    );
                    (allocated || record.points() > scoring.loss).then_some(Float::Down)
                }
            },
        }
    }
}

/// Everybody, and who is to be paired.
#[derive(Clone, Debug)]
pub struct Field {
    /// The round.
    pub round: RoundNo,
    /// It is the last one; false when the number of rounds is not known.
    pub last_round: bool,
    /// What results are worth.
    pub scoring: Scoring,
    /// The colour of the first player in round 1; White when no lot was recorded.
    pub initial_colour: Color,
    players: Vec<Player>,
    to_pair: Vec<usize>,
    fixed: Vec<FixedPair>,
    apart: BitMatrix,
}

impl Field {
    /// Checks the input and derives the data.
    ///
    /// # Errors
    /// When the input contradicts itself, or nobody is present.
    pub fn new(input: &Input) -> Result<Self, PairingError> {
        let entrants = entrants(input)?;
        let rounds = input.settings.rounds.unwrap_or(u16::MAX);
        if input.round.0 == 0 || input.round.0 > rounds {
            return Err(PairingError::NoSuchRound {
                round: input.round,
                rounds,
            });
        }
        if let (Acceleration::Baku { .. }, None) =
            (&input.settings.acceleration, input.settings.rounds)
        {
            return Err(FormatError::BakuNeedsRounds.into());
        }
        let index: BTreeMap<PlayerNo, usize> = entrants
            .iter()
            .enumerate()
            .map(|(i, e)| (e.no, i))
            .collect();
        let virtual_points = VirtualTable::new(input, &index);
        let past = usize::from(input.round.0 - 1);
        let mut apart = BitMatrix::new(entrants.len());
        let rounds = histories(input, &index, past, &virtual_points, &mut apart)?;
        for group in &input.settings.forbidden {
            if !group.holds_in(input.round) {
                continue;
            }
            let members: Vec<usize> = group
                .players
                .iter()
                .filter_map(|no| index.get(no).copied())
                .collect();
            for (at, &a) in members.iter().enumerate() {
                for &b in members.iter().skip(at + 1) {
                    apart.set_both(a, b);
                }
            }
        }
        let mut players: Vec<Player> = entrants
            .iter()
            .zip(rounds)
            .enumerate()
            .map(|(i, (entrant, rounds))| {
                let score = rounds.iter().map(|record| record.points()).sum();
                let colours = Colours::new(
                    rounds
                        .iter()
                        .filter_map(|record| match record {
                            RoundRecord::Played { colour, .. } => Some(*colour),
                            _ => None,
                        })
                        .collect(),
                );
                Player {
                    no: entrant.no,
                    rating: entrant.rating,
                    presence: entrant.presence,
                    score,
                    pairing_score: score + virtual_points.of(i, input.round),
                    preference: colours.preference(),
                    colours,
                    parity_rank: None,
                    rounds,
                }
            })
            .collect();
        let mut rank = 0;
        for player in &mut players {
            if player.presence == Presence::Present || player.was_ever_paired() {
                rank += 1;
                player.parity_rank = Some(rank);
            }
        }
        let fixed = fixed_pairs(input, &index, &players)?;
        let mut to_pair: Vec<usize> = (0..players.len())
            .filter(|&i| {
                players[i].presence == Presence::Present
                    && !fixed
                        .iter()
                        .any(|pair| [pair.white, pair.black].contains(&players[i].no))
            })
            .collect();
        to_pair.sort_by_key(|&i| (std::cmp::Reverse(players[i].pairing_score), i));
        if to_pair.is_empty() && fixed.is_empty() || to_pair.len() == 1 && fixed.is_empty() {
            return Err(PairingError::NobodyPresent { round: input.round });
        }
        Ok(Self {
            round: input.round,
            last_round: input.settings.rounds == Some(input.round.0),
            scoring: input.settings.scoring,
            initial_colour: input.settings.initial_colour.unwrap_or(Color::White),
            players,
            to_pair,
            fixed,
            apart,
        })
    }

    /// Everybody who was ever entered, by number.
    pub fn players(&self) -> &[Player] {
        &self.players
    }

    /// The player with this index.
    pub fn player(&self, index: usize) -> &Player {
        &self.players[index]
    }

    /// The indices of the players to pair: pairing score ↓, number ↑. Those in fixed pairs are not
    /// among them.
    pub fn to_pair(&self) -> &[usize] {
        &self.to_pair
    }

    /// The pairs that stand already.
    pub fn fixed(&self) -> &[FixedPair] {
        &self.fixed
    }

    /// The two have met over the board, or must not meet in this round (C1, R-PR-10).
    pub fn apart(&self, a: usize, b: usize) -> bool {
        self.apart.get(a, b)
    }

    /// The bits of [`Self::apart`] of a player, by index.
    pub fn apart_row(&self, index: usize) -> &[u64] {
        self.apart.row(index)
    }

    /// Over half of the points that a player could have so far (C.04.3, 1.8); only when the last
    /// round is paired.
    pub fn is_topscorer(&self, index: usize) -> bool {
        let possible = u32::from(self.scoring.win.0) * u32::from(self.round.0 - 1);
        self.last_round && u32::from(self.players[index].score.0) * 2 > possible
    }

    /// Whether the first has the higher rank: pairing score, then number.
    pub fn ranks_higher(&self, a: usize, b: usize) -> bool {
        let key = |i: usize| (std::cmp::Reverse(self.players[i].pairing_score), i);
        key(a) < key(b)
    }
}

/// Virtual points by player and round.
struct VirtualTable(Vec<Vec<Points>>);

impl VirtualTable {
    fn new(input: &Input, index: &BTreeMap<PlayerNo, usize>) -> Self {
        let rounds = usize::from(input.round.0);
        let mut table = vec![vec![Points::ZERO; rounds]; index.len()];
        match &input.settings.acceleration {
            Acceleration::None => {}
            Acceleration::Baku { last } => {
                let last = last
                    .or_else(|| {
                        let members = baku_last(index.len());
                        index.keys().nth(members.checked_sub(1)?).copied()
                    })
                    .unwrap_or(PlayerNo(0));
                let all = input.settings.rounds.unwrap_or(0);
                for (_, &i) in index.range(..=last) {
                    for (round, points) in (1..).zip(&mut table[i]) {
                        *points = baku_points(all, RoundNo(round), &input.settings.scoring);
                    }
                }
            }
            Acceleration::Custom { points } => {
                for entry in points {
                    if entry.first_player > entry.last_player {
                        continue;
                    }
                    for (_, &i) in index.range(entry.first_player..=entry.last_player) {
                        for (round, points) in (1..).zip(&mut table[i]) {
                            if entry.first_round.0 <= round && round <= entry.last_round.0 {
                                *points += entry.points;
                            }
                        }
                    }
                }
            }
        }
        Self(table)
    }

    fn of(&self, player: usize, round: RoundNo) -> Points {
        self.0[player][usize::from(round.0) - 1]
    }
}

/// The rounds of everybody, and who met whom.
fn histories(
    input: &Input,
    index: &BTreeMap<PlayerNo, usize>,
    past: usize,
    virtual_points: &VirtualTable,
    apart: &mut BitMatrix,
) -> Result<Vec<Vec<RoundRecord>>, PairingError> {
    let absent = RoundRecord::Unpaired {
        kind: UnpairedKind::Absent,
        points: Points::ZERO,
    };
    let mut rounds = vec![vec![absent; past]; index.len()];
    let mut scores = vec![Points::ZERO; index.len()];
    let mut history: Vec<_> = input.history.iter().collect();
    history.sort_by_key(|past| past.round);
    for past in history {
        let Some(at) = usize::from(past.round.0).checked_sub(1) else {
            continue;
        };
        let mut seen = vec![false; index.len()];
        let mut enter = |no: PlayerNo| {
            let i = index[&no];
            if std::mem::replace(&mut seen[i], true) {
                return Err(PairingError::TwiceInRound {
                    round: past.round,
                    player: no,
                });
            }
            Ok(i)
        };
        for game in &past.games {
            let (white, black) = (enter(game.white)?, enter(game.black)?);
            if game.played {
                apart.set_both(white, black);
            }
            for (own, other, colour, points) in [
                (white, black, Color::White, game.white_points),
                (black, white, Color::Black, game.black_points),
            ] {
                rounds[own][at] = if game.played {
                    RoundRecord::Played {
                        opponent: other,
                        colour,
                        points,
                        own: scores[own] + virtual_points.of(own, past.round),
                        theirs: scores[other] + virtual_points.of(other, past.round),
                    }
                } else {
                    RoundRecord::Forfeit {
                        opponent: other,
                        points,
                    }
                };
            }
        }
        for unpaired in &past.unpaired {
            let i = enter(unpaired.player)?;
            rounds[i][at] = RoundRecord::Unpaired {
                kind: unpaired.kind,
                points: unpaired.points,
            };
        }
        for (score, rounds) in scores.iter_mut().zip(&rounds) {
            *score += rounds[at].points();
        }
    }
    Ok(rounds)
}

/// The fixed pairs of this round, checked.
fn fixed_pairs(
    input: &Input,
    index: &BTreeMap<PlayerNo, usize>,
    players: &[Player],
) -> Result<Vec<FixedPair>, PairingError> {
    let mut seen = Vec::new();
    let mut fixed: Vec<FixedPair> = input
        .settings
        .fixed
        .iter()
        .filter(|pair| pair.round == input.round)
        .copied()
        .collect();
    for pair in &fixed {
        for no in [pair.white, pair.black] {
            let present = index
                .get(&no)
                .is_some_and(|&i| players[i].presence == Presence::Present);
            if !present || seen.contains(&no) || pair.white == pair.black {
                return Err(PairingError::FixedPairUnusable {
                    white: pair.white,
                    black: pair.black,
                });
            }
            seen.push(no);
        }
    }
    fixed.sort_by_key(|pair| (pair.white, pair.black));
    Ok(fixed)
}
