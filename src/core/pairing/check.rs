//! The basic rules (R-PR-3; C.04.1) held against any pairing: ours, imported, or made by hand.
//!
//! It looks at one round and says which rules it breaks; whether a system would have found a better
//! pairing is a question for that system.

mod breach;
mod colours;

pub use breach::{Breach, Excuse, Finding};

use std::collections::{BTreeMap, BTreeSet};

use super::{
    Input, PairingError, Presence, RoundPairing, UnpairedReason,
    schedule::Meetings,
    swiss::{ByeBar, Field, RoundRecord},
};
use crate::{
    pairing::UnpairedKind,
    types::{PlayerNo, RoundNo},
};

/// A pairing as anybody may have made it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Proposed {
    /// White and Black.
    pub pairs: Vec<(PlayerNo, PlayerNo)>,
    /// Pairs whose colours are not known, as some programs write forfeits.
    pub colourless: Vec<(PlayerNo, PlayerNo)>,
    /// Who has the bye of the pairing.
    pub byes: Vec<PlayerNo>,
    /// Who is left out on purpose: the opponent by the table is missing, the match is decided, he is
    /// out.
    pub left_out: Vec<PlayerNo>,
}

impl Proposed {
    /// All pairs.
    fn met(&self) -> impl Iterator<Item = (PlayerNo, PlayerNo)> {
        self.pairs.iter().chain(&self.colourless).copied()
    }
}

impl From<&RoundPairing> for Proposed {
    fn from(round: &RoundPairing) -> Self {
        Self {
            pairs: round
                .pairs
                .iter()
                .map(|pair| (pair.white, pair.black))
                .collect(),
            colourless: Vec::new(),
            byes: round.bye.iter().map(|bye| bye.player).collect(),
            left_out: round
                .unpaired
                .iter()
                .filter(|unpaired| match unpaired.reason {
                    // Whether he really is away is to be checked.
                    UnpairedReason::Absent { .. } | UnpairedReason::Withdrawn { .. } => false,
                    UnpairedReason::OpponentMissing { .. }
                    | UnpairedReason::KnockedOut { .. }
                    | UnpairedReason::GoesOn { .. }
                    | UnpairedReason::PlaceSettled { .. }
                    | UnpairedReason::MatchDecided { .. } => true,
                })
                .map(|unpaired| unpaired.player)
                .collect(),
        }
    }
}

/// Which rules hold in an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How often two may meet.
    pub meetings: u16,
    /// The limits on colours, with their exceptions.
    pub colours: ColourLimits,
    /// What bars from the bye; nothing where the table gives rests.
    pub bye: Option<ByeBar>,
}

/// The limits on colours: the difference within ±2, no third equal colour running.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColourLimits {
    /// They hold always (Dubov, Burstein, Lim).
    Always,
    /// Not in the last round for pairs with a player who has more than half of the points (C.04.3,
    /// 1.8, C10 and C11).
    LastRoundOverHalf,
    /// The same from half of the points on: the older wording of the national rule book.
    LastRoundHalf,
    /// Not in the last round for pairs of equal score (C.04.4.3, 6).
    LastRoundEqualScores,
    /// They do not hold: fixed schedules, teams, Double-Swiss.
    Never,
}

impl Rules {
    /// The FIDE (Dutch) system of 2026.
    pub const DUTCH: Self = Self {
        meetings: 1,
        colours: ColourLimits::LastRoundOverHalf,
        bye: Some(ByeBar::WinUnplayed),
    };
    /// The FIDE (Dutch) system of 2017.
    pub const DUTCH_2017: Self = Self {
        bye: Some(ByeBar::ForfeitWin),
        ..Self::DUTCH
    };
    /// A Swiss system without an exception in the last round.
    pub const STRICT: Self = Self {
        colours: ColourLimits::Always,
        ..Self::DUTCH
    };
    /// The Lim system.
    pub const LIM: Self = Self {
        colours: ColourLimits::LastRoundEqualScores,
        ..Self::DUTCH
    };
    /// The Swiss team system and the Double-Swiss.
    pub const TEAMS: Self = Self {
        colours: ColourLimits::Never,
        ..Self::DUTCH
    };

    /// A schedule in which everybody meets `meetings` times: round robin, Scheveningen, match
    /// tournament.
    pub const fn schedule(meetings: u16) -> Self {
        Self {
            meetings,
            colours: ColourLimits::Never,
            bye: None,
        }
    }
}

/// Lists every basic rule that the pairing breaks, excused ones included, in the order of the pairs
/// and then of the numbers. An empty list is a correct pairing.
///
/// # Errors
/// When the input itself contradicts itself, so that nothing can be held against it.
pub fn check(
    input: &Input,
    proposed: &Proposed,
    rules: Rules,
) -> Result<Vec<Finding>, PairingError> {
    // Presence and fixed pairs are looked at here; the field gives scores and colours of everybody.
    let mut everybody = input.clone();
    for entrant in &mut everybody.players {
        entrant.presence = Presence::Present;
    }
    everybody.settings.fixed.clear();
    let check = Check {
        field: Field::new(&everybody)?,
        meetings: Meetings::new(input),
        presence: input
            .players
            .iter()
            .map(|entrant| (entrant.no, entrant.presence))
            .collect(),
        input,
        rules,
    };
    let mut findings = Vec::new();
    check.everybody_once(proposed, &mut findings);
    for &(white, black) in &proposed.pairs {
        check.pair(white, black, true, &mut findings);
    }
    for &(one, other) in &proposed.colourless {
        check.pair(one, other, false, &mut findings);
    }
    check.fixed(proposed, &mut findings);
    check.byes(proposed, &mut findings);
    Ok(findings)
}

struct Check<'a> {
    field: Field,
    meetings: Meetings,
    presence: BTreeMap<PlayerNo, Presence>,
    input: &'a Input,
    rules: Rules,
}

impl Check<'_> {
    fn index(&self, no: PlayerNo) -> Option<usize> {
        self.field
            .players()
            .binary_search_by_key(&no, |player| player.no)
            .ok()
    }

    fn is_fixed(&self, white: PlayerNo, black: PlayerNo) -> bool {
        self.input.settings.fixed.iter().any(|fixed| {
            fixed.round == self.input.round && (fixed.white, fixed.black) == (white, black)
        })
    }

    /// Everybody who is there once, nobody else.
    fn everybody_once(&self, proposed: &Proposed, findings: &mut Vec<Finding>) {
        let mut times: BTreeMap<PlayerNo, u16> = BTreeMap::new();
        let seated = proposed.met().flat_map(|(w, b)| [w, b]);
        for player in seated.chain(proposed.byes.iter().copied()) {
            *times.entry(player).or_default() += 1;
        }
        for (&player, &times) in &times {
            match self.presence.get(&player) {
                None => findings.push(Breach::Unknown { player }.into()),
                Some(Presence::Present) => {}
                Some(presence) => findings.push(
                    Breach::NotThere {
                        player,
                        withdrawn: *presence == Presence::Withdrawn,
                    }
                    .into(),
                ),
            }
            if times > 1 {
                findings.push(Breach::Repeated { player, times }.into());
            }
        }
        let left_out: BTreeSet<PlayerNo> = proposed.left_out.iter().copied().collect();
        for (&player, &presence) in &self.presence {
            if presence == Presence::Present
                && !times.contains_key(&player)
                && !left_out.contains(&player)
            {
                findings.push(Breach::Missing { player }.into());
            }
        }
    }

    fn pair(&self, white: PlayerNo, black: PlayerNo, coloured: bool, findings: &mut Vec<Finding>) {
        if white == black {
            findings.push(Breach::AgainstHimself { player: white }.into());
            return;
        }
        let excuse = self.is_fixed(white, black).then_some(Excuse::SetByArbiter);
        let mut found = |breach| {
            findings.push(Finding {
                breach,
                excuse: excuse.clone(),
            });
        };
        if let Some((times, before)) = self.meetings.of(white, black)
            && times >= self.rules.meetings
        {
            found(Breach::Rematch {
                white,
                black,
                before,
                times,
            });
        }
        for group in &self.input.settings.forbidden {
            let names = |player| group.players.contains(&player);
            if group.holds_in(self.input.round) && names(white) && names(black) {
                found(Breach::Forbidden {
                    white,
                    black,
                    first: group.first,
                    last: group.last,
                });
            }
        }
        if let (true, Some(white), Some(black)) = (coloured, self.index(white), self.index(black)) {
            self.colours(white, black, excuse.as_ref(), findings);
        }
    }

    /// Pairs that an arbiter set stand as he set them.
    fn fixed(&self, proposed: &Proposed, findings: &mut Vec<Finding>) {
        for fixed in &self.input.settings.fixed {
            if fixed.round == self.input.round
                && !proposed.pairs.contains(&(fixed.white, fixed.black))
            {
                findings.push(
                    Breach::FixedPairMissing {
                        white: fixed.white,
                        black: fixed.black,
                    }
                    .into(),
                );
            }
        }
    }

    fn byes(&self, proposed: &Proposed, findings: &mut Vec<Finding>) {
        let mut players = proposed.byes.clone();
        players.sort_unstable();
        if players.len() > 1 {
            findings.push(
                Breach::SeveralByes {
                    players: players.clone(),
                }
                .into(),
            );
        }
        let seated: BTreeSet<PlayerNo> = proposed
            .met()
            .flat_map(|(w, b)| [w, b])
            .chain(players.iter().copied())
            .collect();
        if let (true, Some(_), Some(&player)) = (
            seated.len().is_multiple_of(2),
            self.rules.bye,
            players.first(),
        ) {
            let paired = seated.len();
            findings.push(Breach::ByeOfEven { player, paired }.into());
        }
        let Some(bar) = self.rules.bye else { return };
        for player in players {
            if let Some(index) = self.index(player) {
                findings.extend(self.barred(index, bar).map(Finding::from));
            }
        }
    }

    /// C.04.1.4.
    fn barred(&self, index: usize, bar: ByeBar) -> Option<Breach> {
        let own = self.field.player(index);
        if !own.bye_barred(bar, &self.field.scoring) {
            return None;
        }
        let rounds = (1..).map(RoundNo).zip(&own.rounds);
        let had = rounds.clone().find(|(_, record)| {
            let kind = UnpairedKind::PairingAllocated;
            matches!(record, RoundRecord::Unpaired { kind: own, .. } if *own == kind)
        });
        let player = own.no;
        if let Some((round, _)) = had {
            return Some(Breach::SecondBye { player, round });
        }
        // What is worth a win without a game.
        rounds
            .filter(|(_, record)| !record.is_played())
            .find(|(_, record)| record.points() >= self.field.scoring.win)
            .map(|(round, record)| Breach::ByeBarred {
                player,
                round,
                points: record.points(),
            })
    }
}
