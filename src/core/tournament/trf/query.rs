//! Questions to a document: what its records say together. TRF26 goes before the extensions where
//! both say the same thing.

use std::collections::BTreeMap;

use super::{
    model::{
        BbpSymbol, ByeCode, Cell, Code, Configuration, Document, Line, LineEnd, Record, Row,
        TextField,
    },
    system::{SystemCode, SystemKind},
};
use crate::types::{Color, PlayerNo, Points, RoundNo};

/// What each result is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scoring {
    /// A game won.
    pub win: Points,
    /// A game drawn.
    pub draw: Points,
    /// A game lost.
    pub loss: Points,
    /// A win by forfeit.
    pub forfeit_win: Points,
    /// A loss by forfeit.
    pub forfeit_loss: Points,
    /// The pairing-allocated bye.
    pub allocated: Points,
    /// A full-point bye.
    pub full: Points,
    /// A half-point bye.
    pub half: Points,
    /// A zero-point bye, absence.
    pub zero: Points,
}

impl Scoring {
    /// 1, ½, 0.
    pub const STANDARD: Self = Self::new(Points::ONE, Points::HALF, Points::ZERO);

    /// Byes and forfeits worth what the games are.
    pub const fn new(win: Points, draw: Points, loss: Points) -> Self {
        Self {
            win,
            draw,
            loss,
            forfeit_win: win,
            forfeit_loss: Points::ZERO,
            allocated: win,
            full: win,
            half: draw,
            zero: Points::ZERO,
        }
    }

    /// What a result brings.
    pub const fn points(&self, code: Code) -> Points {
        match code {
            Code::Win | Code::UnratedWin => self.win,
            Code::Draw | Code::UnratedDraw => self.draw,
            Code::Loss | Code::UnratedLoss => self.loss,
            Code::ForfeitWin => self.forfeit_win,
            Code::ForfeitLoss => self.forfeit_loss,
            Code::Half => self.half,
            Code::Full => self.full,
            Code::Allocated => self.allocated,
            Code::Zero => self.zero,
        }
    }
}

impl Default for Scoring {
    fn default() -> Self {
        Self::STANDARD
    }
}

/// Players who must not meet in some rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForbiddenGroup {
    /// The first and the last round; `None` = the whole event.
    pub rounds: Option<(RoundNo, RoundNo)>,
    /// All pairs among them.
    pub players: Vec<PlayerNo>,
}

impl ForbiddenGroup {
    /// Whether it counts in a round.
    pub fn holds_in(&self, round: RoundNo) -> bool {
        self.rounds
            .is_none_or(|(first, last)| (first..=last).contains(&round))
    }
}

impl Document {
    pub(super) fn numbered(&self) -> impl Iterator<Item = (u32, &Record)> {
        (1..).zip(self.lines.iter().map(|line| &line.record))
    }

    pub(super) fn rows_with_lines(&self) -> impl Iterator<Item = (u32, &Row)> {
        self.numbered().filter_map(|(no, record)| match record {
            Record::Player(row) => Some((no, row.as_ref())),
            _ => None,
        })
    }

    /// The players of the event (`001`) in the order of the file.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows_with_lines()
            .map(|(_, row)| row)
            .filter(|row| row.list.is_none())
    }

    /// A text; of several records of a kind the first that is not empty.
    pub fn text(&self, field: TextField) -> Option<&str> {
        self.lines.iter().find_map(|line| match &line.record {
            Record::Text { field: found, text } if *found == field && !text.is_empty() => {
                Some(text.as_str())
            }
            _ => None,
        })
    }

    /// The number of rounds of the event.
    pub fn rounds(&self) -> Option<u16> {
        let say = |wanted: bool| {
            self.lines.iter().find_map(|line| match line.record {
                Record::Rounds { legacy, rounds } if legacy == wanted => Some(rounds),
                _ => None,
            })
        };
        say(false).or_else(|| say(true))
    }

    /// The colour of the first player in round 1.
    pub fn initial_colour(&self) -> Option<Color> {
        let new = self.lines.iter().find_map(|line| match line.record {
            Record::InitialColour(colour) => Some(colour),
            _ => None,
        });
        new.or_else(|| {
            self.configuration().find_map(|word| match word {
                Configuration::InitialColour(colour) => Some(*colour),
                Configuration::Rank | Configuration::Other(_) => None,
            })
        })
    }

    /// The words of `XXC`.
    pub fn configuration(&self) -> impl Iterator<Item = &Configuration> {
        self.lines.iter().flat_map(|line| match &line.record {
            Record::Configuration(words) => words.as_slice(),
            _ => &[],
        })
    }

    /// `XXC rank`: the rank column is the order of strength, not the id.
    pub fn orders_by_rank(&self) -> bool {
        self.configuration()
            .any(|word| *word == Configuration::Rank)
    }

    /// The kind of event.
    pub fn system(&self) -> Option<SystemCode> {
        self.text(TextField::SystemCode)
            .and_then(|text| text.parse().ok())
    }

    /// The file is paired by `system`, whatever its own record `192` says.
    pub fn set_system(&mut self, system: &SystemCode) {
        let code = |line: &Line| {
            matches!(
                line.record,
                Record::Text {
                    field: TextField::SystemCode,
                    ..
                }
            )
        };
        self.lines.retain(|line| !code(line));
        let record = Record::Text {
            field: TextField::SystemCode,
            text: system.to_string(),
        };
        self.lines.push(Line::new(record, LineEnd::default()));
    }

    /// The file has teams that are paired; then byes, forbidden pairs and acceleration speak of teams.
    /// The teams of a Scheveningen event are sides whose players are paired one by one.
    pub fn is_team_event(&self) -> bool {
        let system = self.system();
        if let Some(SystemCode {
            system: SystemKind::Custom(code),
            ..
        }) = &system
        {
            if code.contains("SCHEVENINGEN") {
                return false;
            }
            if code.split('_').nth(1) == Some("TEAM") {
                return true;
            }
        }
        let team = |code: &SystemCode| matches!(code.system, SystemKind::Team(_));
        system.as_ref().is_some_and(team)
            || (self.lines.iter()).any(|line| matches!(line.record, Record::Team(_)))
    }

    /// What results are worth: `162`, else `BBW` and the like, else `XXS`.
    pub fn scoring(&self) -> Scoring {
        let mut new: BTreeMap<char, Points> = BTreeMap::new();
        let mut bbp: BTreeMap<BbpSymbol, Points> = BTreeMap::new();
        let mut xx: BTreeMap<&str, Points> = BTreeMap::new();
        for line in &self.lines {
            match &line.record {
                Record::Scoring(points) => new.extend(points.iter().copied()),
                Record::BbpPoints(symbol, points) => {
                    bbp.insert(*symbol, *points);
                }
                Record::XxScoring(points) => {
                    xx.extend(
                        points
                            .iter()
                            .map(|(symbol, points)| (symbol.as_str(), *points)),
                    );
                }
                _ => {}
            }
        }
        let first = |words: &[&str]| words.iter().find_map(|word| xx.get(word).copied());
        let base = |symbol: char, bbp_symbol, words: &[&str]| {
            new.get(&symbol)
                .or_else(|| bbp.get(&bbp_symbol))
                .copied()
                .or_else(|| first(words))
        };
        let standard = Scoring::STANDARD;
        let win = base('W', BbpSymbol::Win, &["W", "WW", "BW"]).unwrap_or(standard.win);
        let draw = base('D', BbpSymbol::Draw, &["D", "WD", "BD"]).unwrap_or(standard.draw);
        let loss = base('L', BbpSymbol::Loss, &["L", "WL", "BL"]).unwrap_or(standard.loss);
        let plain = Scoring::new(win, draw, loss);
        Scoring {
            forfeit_win: first(&["FW"]).unwrap_or(plain.forfeit_win),
            forfeit_loss: base('A', BbpSymbol::ForfeitLoss, &["FL"]).unwrap_or(plain.forfeit_loss),
            allocated: base('P', BbpSymbol::Allocated, &["PAB"]).unwrap_or(plain.allocated),
            full: first(&["FPB"]).unwrap_or(plain.full),
            half: first(&["HPB"]).unwrap_or(plain.half),
            zero: base('A', BbpSymbol::ZeroBye, &["ZPB"]).unwrap_or(plain.zero),
            ..plain
        }
    }

    /// The round to be paired: the one after the last in which anybody was paired. A column in
    /// which there are only byes that were asked for announces absences in the round to come.
    pub fn round_to_pair(&self) -> RoundNo {
        let paired = |cell: &Cell| cell.opponent.is_some() || cell.code == Some(Code::Allocated);
        let last = self
            .rows()
            .filter_map(|row| row.cells.iter().rposition(paired))
            .max();
        RoundNo(last.map_or(1, |at| u16::try_from(at + 2).unwrap_or(u16::MAX)))
    }

    /// The byes of record `240`, in the order of the file.
    pub fn announced_byes(&self) -> impl Iterator<Item = (RoundNo, PlayerNo, ByeCode)> {
        self.lines.iter().flat_map(|line| {
            let (kind, round, players): (_, _, &[PlayerNo]) = match &line.record {
                Record::Byes {
                    kind,
                    round,
                    players,
                } => (*kind, *round, players),
                _ => (ByeCode::Zero, RoundNo(0), &[]),
            };
            let players = if round.0 == 0 { &[] } else { players };
            players.iter().map(move |&player| (round, player, kind))
        })
    }

    /// `XXZ`: who is absent in the round to be paired.
    pub fn announced_absent(&self) -> impl Iterator<Item = PlayerNo> {
        self.lines
            .iter()
            .flat_map(|line| match &line.record {
                Record::XxAbsent(players) => players.as_slice(),
                _ => &[],
            })
            .copied()
    }

    /// Who must not meet: `260` if there is any, else `XXP`.
    pub fn forbidden(&self) -> Vec<ForbiddenGroup> {
        let group = |record: &Record, new: bool| match record {
            Record::Forbidden {
                first,
                last,
                players,
            } if new => Some(ForbiddenGroup {
                rounds: Some((*first, *last)),
                players: players.clone(),
            }),
            Record::XxForbidden(players) if !new => Some(ForbiddenGroup {
                rounds: None,
                players: players.clone(),
            }),
            _ => None,
        };
        let groups = |new: bool| -> Vec<_> {
            self.lines
                .iter()
                .filter_map(|line| group(&line.record, new))
                .collect()
        };
        let new = groups(true);
        if new.is_empty() { groups(false) } else { new }
    }

    /// Virtual points by player and round (never 0): `250` if there is any, else `XXA`. In a team
    /// event of teams.
    pub fn virtual_points(&self) -> BTreeMap<(PlayerNo, RoundNo), Points> {
        let teams = self.is_team_event();
        let known: Vec<PlayerNo> = if teams {
            let team = |record: &Record| match record {
                Record::Team(team) => Some(PlayerNo(team.no)),
                _ => None,
            };
            self.lines
                .iter()
                .filter_map(|line| team(&line.record))
                .collect()
        } else {
            self.rows().map(|row| PlayerNo(row.id)).collect()
        };
        let last_round = self.rounds().unwrap_or(0).max(self.round_to_pair().0);
        let mut found = BTreeMap::new();
        let (mut new, mut old) = (false, BTreeMap::new());
        for line in &self.lines {
            match &line.record {
                Record::Acceleration(range) => {
                    new = true;
                    let (first, second) = if teams {
                        (range.match_points, range.game_points)
                    } else {
                        (range.game_points, range.match_points)
                    };
                    let points = first.or(second).unwrap_or_default();
                    for &player in known
                        .iter()
                        .filter(|no| (range.first..=range.last).contains(no))
                    {
                        for round in range.first_round.0..=range.last_round.0.min(last_round) {
                            found.insert((player, RoundNo(round)), points);
                        }
                    }
                }
                Record::XxAcceleration { player, points } => {
                    old.extend(
                        (1..)
                            .map(RoundNo)
                            .zip(points)
                            .map(|(round, p)| ((*player, round), *p)),
                    );
                }
                _ => {}
            }
        }
        let mut points = if new { found } else { old };
        points.retain(|_, points| *points > Points::ZERO);
        points
    }
}
