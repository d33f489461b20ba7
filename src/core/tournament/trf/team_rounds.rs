//! From the file of a team event to what pairing wants: teams in the place of players.
//!
//! Who met whom follows from the games of the members (`310`, else `013`), from line-ups (`300`) and
//! from forfeits (`330`). A line-up stands in the order of its boards; without one those members
//! play who have a game, in the order of their team.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    convert::{Request, RequestError},
    model::{Abnormal, Cell, Code, Document, Record},
    table::Table,
};
use crate::{
    pairing::{
        Entrant, Forbidden, Input, Presence, Settings, UnpairedKind,
        team::{MATCH_POINTS, TeamMatch, TeamRound, TeamUnpaired, board_colour},
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// What a request knows of teams beside its input, whose history has match points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TeamEvent {
    /// The rounds before the one to pair, with both scores.
    pub rounds: Vec<TeamRound>,
    /// Who plays for each team, by board: the line-up of the round, else the first of its members.
    pub line_ups: BTreeMap<PlayerNo, Vec<Option<PlayerNo>>>,
    /// The colours of the boards of the team that is named first.
    pub colours: Vec<Color>,
    /// Game points of a win on all boards.
    pub full: Points,
}

/// A team as the records have it.
pub(super) struct Members<'a> {
    no: PlayerNo,
    members: &'a [PlayerNo],
}

/// A match as one of its teams sees it.
#[derive(Clone, Copy, Default)]
struct Half {
    opponent: Option<PlayerNo>,
    points: Points,
    played: bool,
    /// The colour on board 1.
    colour: Option<Color>,
}

impl Document {
    /// The teams with their members: `310`, else `013` numbered in their order.
    pub(super) fn team_members(&self) -> Vec<Members<'_>> {
        let records = || self.lines.iter().map(|line| &line.record);
        let new: Vec<_> = records()
            .filter_map(|record| match record {
                Record::Team(team) => Some(Members {
                    no: PlayerNo(team.no),
                    members: &team.members,
                }),
                _ => None,
            })
            .collect();
        if !new.is_empty() {
            return new;
        }
        (1..)
            .map(PlayerNo)
            .zip(records().filter_map(|record| match record {
                Record::OldTeam { members, .. } => Some(members.as_slice()),
                _ => None,
            }))
            .map(|(no, members)| Members { no, members })
            .collect()
    }

    /// The members of each team, in the order of the file; empty without teams.
    pub fn team_groups(&self) -> Vec<Vec<PlayerNo>> {
        let teams = self.team_members();
        teams.iter().map(|team| team.members.to_vec()).collect()
    }

    /// [`Document::request`] for the teams of a team event. The points of the input's history are
    /// match points; the other score is in [`Request::teams`].
    ///
    /// # Errors
    /// As there, and when no team is named or a player stands in two.
    pub fn team_request(&self, round: Option<RoundNo>) -> Result<Request, RequestError> {
        let round = self.request_round(round)?;
        let next = self.round_to_pair();
        let table = Table::new(self);
        self.contradictions(round)?;
        let teams = Teams::new(self, &table)?;
        let rounds: Vec<TeamRound> = (1..round.0)
            .map(|number| teams.round(RoundNo(number)))
            .collect::<Result<_, _>>()?;
        let byes = self.byes_of(round);
        let paired = if round < next {
            Some(teams.round(round)?)
        } else {
            None
        };
        let presence = |team: PlayerNo| {
            let there = match &paired {
                None => !byes.contains_key(&team),
                Some(paired) => {
                    let bye = paired.unpaired.iter().find(|it| it.team == team);
                    bye.is_none_or(|it| it.kind == UnpairedKind::PairingAllocated)
                }
            };
            if there {
                Presence::Present
            } else {
                Presence::Absent
            }
        };
        let mut numbers: Vec<PlayerNo> = teams.list.iter().map(|team| team.no).collect();
        numbers.sort_unstable();
        let players = numbers
            .iter()
            .map(|&no| Entrant {
                no,
                rating: None,
                presence: presence(no),
            })
            .collect();
        let system = self.system();
        let settings = Settings {
            rounds: self.rounds(),
            initial_colour: self.initial_colour(),
            scoring: teams.scoring,
            forbidden: (self.forbidden().into_iter())
                .map(|group| Forbidden {
                    players: group.players,
                    first: group.rounds.map_or(RoundNo(1), |(first, _)| first),
                    last: group.rounds.map(|(_, last)| last),
                })
                .collect(),
            fixed: Vec::new(),
            acceleration: self.acceleration(&numbers, system.as_ref(), &|no| no),
        };
        let (_, history) = crate::pairing::team::TeamSwiss::after(
            &rounds,
            crate::pairing::team::TeamPreferences::default(),
            crate::pairing::team::PrimaryScore::MatchPoints,
        );
        Ok(Request {
            input: Input {
                players,
                history,
                round,
                settings,
            },
            system,
            ids: None,
            teams: Some(TeamEvent {
                line_ups: (teams.list.iter())
                    .map(|team| (team.no, teams.line_up(team, round)))
                    .collect(),
                full: teams.each(Code::Win),
                colours: teams.colours,
                rounds,
            }),
        })
    }

    /// Byes of teams (`240`) in a round.
    fn byes_of(&self, round: RoundNo) -> BTreeMap<PlayerNo, Code> {
        self.announced_byes()
            .filter(|(of, ..)| *of == round)
            .map(|(_, team, kind)| (team, kind.code()))
            .collect()
    }
}

/// The opponent, 0 for none, and the players by board.
type LineUp<'a> = (u16, &'a [Option<PlayerNo>]);

/// The teams of a document and what their results are worth.
pub(super) struct Teams<'a> {
    document: &'a Document,
    table: &'a Table<'a>,
    list: Vec<Members<'a>>,
    team_of: BTreeMap<PlayerNo, PlayerNo>,
    line_ups: BTreeMap<(RoundNo, PlayerNo), LineUp<'a>>,
    colours: Vec<Color>,
    scoring: crate::pairing::Scoring,
}

impl<'a> Teams<'a> {
    pub(super) fn new(document: &'a Document, table: &'a Table<'a>) -> Result<Self, RequestError> {
        let teams = document.team_members();
        if teams.len() < 2 {
            return Err(RequestError::NoTeams);
        }
        let mut team_of = BTreeMap::new();
        for team in &teams {
            for &player in team.members {
                if team_of
                    .insert(player, team.no)
                    .is_some_and(|other| other != team.no)
                {
                    return Err(RequestError::TwoTeams { player });
                }
            }
        }
        let mut line_ups = BTreeMap::new();
        let mut colours = None;
        for line in &document.lines {
            match &line.record {
                Record::LineUp {
                    round,
                    team,
                    opponent,
                    boards,
                } => {
                    line_ups.insert((*round, PlayerNo(*team)), (*opponent, boards.as_slice()));
                }
                Record::BoardColours(text) if colours.is_none() && !text.is_empty() => {
                    let of = |letter| match letter {
                        b'W' => Color::White,
                        _ => Color::Black,
                    };
                    colours = Some(text.bytes().map(of).collect());
                }
                _ => {}
            }
        }
        let mut teams = Self {
            document,
            table,
            list: teams,
            team_of,
            line_ups,
            colours: Vec::new(),
            scoring: document.match_scoring(),
        };
        teams.colours = colours.unwrap_or_else(|| {
            let boards = u16::try_from(teams.boards()).unwrap_or(u16::MAX);
            (1..=boards)
                .map(|board| board_colour(Color::White, board))
                .collect()
        });
        Ok(teams)
    }

    /// The boards of a match where the file does not say it: those of the longest line-up, else of
    /// the match with most games, else as many as the smallest team has players.
    fn boards(&self) -> usize {
        let line_ups = self.line_ups.values().map(|(_, boards)| boards.len()).max();
        let played = || {
            (1..=self.table.last_round())
                .flat_map(|round| self.list.iter().map(move |team| (round, team)))
                .map(|(round, team)| self.who_played(team, round).len())
                .max()
                .filter(|&boards| boards > 0)
        };
        let members = self.list.iter().map(|team| team.members.len()).min();
        line_ups.or_else(played).or(members).unwrap_or(0).max(1)
    }

    fn who_played(&self, team: &Members<'_>, round: usize) -> Vec<PlayerNo> {
        let plays = |no: PlayerNo| {
            let cell = self.table.cell(no, round);
            let forfeit = matches!(cell.code, Some(Code::ForfeitWin | Code::ForfeitLoss));
            cell.opponent.is_some() || forfeit
        };
        let known = |no: &&PlayerNo| self.table.rows.contains_key(no);
        let members = team.members.iter().filter(known).copied();
        members.filter(|&no| plays(no)).collect()
    }

    /// Who plays on which board of a round to come.
    fn line_up(&self, team: &Members<'_>, round: RoundNo) -> Vec<Option<PlayerNo>> {
        let boards = self.colours.len();
        let mut players: Vec<Option<PlayerNo>> =
            if let Some((_, boards)) = self.line_ups.get(&(round, team.no)) {
                boards.to_vec()
            } else {
                let played = self.who_played(team, usize::from(round.0));
                let players = if played.is_empty() {
                    team.members.to_vec()
                } else {
                    played
                };
                players.into_iter().map(Some).collect()
            };
        players.resize(boards, None);
        players
    }

    /// The numbers of the teams.
    pub(super) fn numbers(&self) -> impl Iterator<Item = PlayerNo> {
        self.list.iter().map(|team| team.no)
    }

    /// What matches are worth.
    pub(super) const fn match_scoring(&self) -> &crate::pairing::Scoring {
        &self.scoring
    }

    /// The boards of a match.
    pub(super) fn boards_of_a_match(&self) -> u16 {
        u16::try_from(self.colours.len()).unwrap_or(u16::MAX)
    }

    /// The games of a team in a round: board, cell, points.
    pub(super) fn games(
        &self,
        team: PlayerNo,
        round: RoundNo,
    ) -> impl Iterator<Item = (u16, Cell, Points)> {
        let at = usize::from(round.0);
        let members = self.list.iter().find(|it| it.no == team);
        let boards: Vec<Option<PlayerNo>> = match self.line_ups.get(&(round, team)) {
            Some((_, boards)) => boards.to_vec(),
            None => members.map_or_else(Vec::new, |members| {
                let played = self.who_played(members, at);
                played.into_iter().map(Some).collect()
            }),
        };
        (1..).zip(boards).filter_map(move |(board, no)| {
            let no = no.filter(|no| self.table.rows.contains_key(no))?;
            let cell = self.table.cell(no, at);
            Some((board, cell, self.table.worth(no, at, cell)))
        })
    }

    fn half(&self, team: &Members<'_>, round: RoundNo) -> Result<Half, RequestError> {
        let at = usize::from(round.0);
        let mut half = Half::default();
        let line_up = self.line_ups.get(&(round, team.no));
        let mut opponents = BTreeSet::new();
        if let Some((opponent @ 1.., _)) = line_up {
            opponents.insert(PlayerNo(*opponent));
        }
        let boards: Vec<Option<PlayerNo>> = match line_up {
            Some((_, boards)) => boards.to_vec(),
            None => (self.who_played(team, at).into_iter()).map(Some).collect(),
        };
        for &no in team.members {
            if !self.table.rows.contains_key(&no) {
                continue;
            }
            let cell: Cell = self.table.cell(no, at);
            let counts = cell.opponent.is_some()
                || matches!(cell.code, Some(Code::ForfeitWin | Code::ForfeitLoss));
            if !counts {
                continue;
            }
            half.points += self.table.worth(no, at, cell);
            let Some(opponent) = cell.opponent else {
                continue;
            };
            opponents.extend(self.team_of.get(&opponent));
            half.played |= cell.code.is_some_and(Code::is_played);
            let board = boards.iter().position(|it| *it == Some(no));
            if half.colour.is_none()
                && let (Some(board), Some(colour)) = (board, cell.colour)
            {
                let first = self.colours.first();
                let same = self.colours.get(board) == first || first.is_none();
                half.colour = Some(if same { colour } else { !colour });
            }
        }
        let mut opponents = opponents.into_iter();
        half.opponent = opponents.next();
        match opponents.next() {
            Some(other) => Err(RequestError::TwoOpponents {
                round,
                team: team.no,
                one: half.opponent.unwrap_or(other),
                other,
            }),
            None => Ok(half),
        }
    }

    pub(super) fn round(&self, round: RoundNo) -> Result<TeamRound, RequestError> {
        let mut halves = BTreeMap::new();
        for team in &self.list {
            halves.insert(team.no, self.half(team, round)?);
        }
        // What only one of the two says is so.
        let said: Vec<(PlayerNo, PlayerNo)> = (halves.iter())
            .filter_map(|(team, half)| Some((half.opponent?, *team)))
            .collect();
        for (team, opponent) in said {
            if let Some(half) = halves.get_mut(&team) {
                half.opponent.get_or_insert(opponent);
            }
        }
        let mut matches = Vec::new();
        let mut met = BTreeSet::new();
        for (white, black, loses) in self.forfeits(round) {
            let points = [white, black].map(|team| halves.get(&team).map(|half| half.points));
            let side = |loses: bool, code_won: Code, code_lost: Code| {
                if loses { code_lost } else { code_won }
            };
            let codes = loses.map(|loses| side(loses, Code::ForfeitWin, Code::ForfeitLoss));
            let match_points = [white, black].map(|team| {
                let at = usize::from(team == black);
                let usual = match codes[at] {
                    Code::ForfeitWin => self.scoring.forfeit_win,
                    _ => self.scoring.forfeit_loss,
                };
                self.abnormal(team, codes[at], round).0.unwrap_or(usual)
            });
            matches.push(TeamMatch {
                white,
                black,
                match_points,
                game_points: points.map(Option::unwrap_or_default),
                played: false,
            });
            met.extend([white, black]);
        }
        for (&team, half) in &halves {
            let Some(opponent) = half.opponent else {
                continue;
            };
            if met.contains(&team) || met.contains(&opponent) {
                continue;
            }
            let theirs = halves.get(&opponent).copied().unwrap_or_default();
            let colour = half.colour.or(theirs.colour.map(Color::other));
            let white_first = colour.is_none_or(Color::is_white);
            let (white, black, points) = if white_first {
                (team, opponent, [half.points, theirs.points])
            } else {
                (opponent, team, [theirs.points, half.points])
            };
            let played = half.played || theirs.played;
            matches.push(TeamMatch::from_games(
                white,
                black,
                points,
                played,
                &self.scoring,
            ));
            met.extend([team, opponent]);
        }
        let byes = self.document.byes_of(round);
        let allocated = self.allocated(round);
        let unpaired = (self.list.iter())
            .filter(|team| !met.contains(&team.no))
            .map(|team| self.unpaired(team.no, round, &byes, allocated))
            .collect();
        Ok(TeamRound {
            round,
            matches,
            unpaired,
        })
    }

    fn forfeits(&self, round: RoundNo) -> Vec<(PlayerNo, PlayerNo, [bool; 2])> {
        let records = self.document.lines.iter().map(|line| &line.record);
        records
            .filter_map(|record| match record {
                Record::TeamForfeit {
                    white_loses,
                    black_loses,
                    round: of,
                    white,
                    black,
                } if *of == round => Some((
                    PlayerNo(*white),
                    PlayerNo(*black),
                    [*white_loses, *black_loses],
                )),
                _ => None,
            })
            .collect()
    }

    /// The team with the pairing-allocated bye of a round, with both scores where they are written.
    fn allocated(&self, round: RoundNo) -> Option<(PlayerNo, Option<Points>, Option<Points>)> {
        let at = usize::from(round.0).checked_sub(1)?;
        let mut records = self.document.lines.iter().map(|line| &line.record);
        records.find_map(|record| match record {
            Record::TeamByes {
                match_points,
                game_points,
                teams,
            } => {
                let team = teams.get(at).copied().flatten()?;
                Some((PlayerNo(team), *match_points, *game_points))
            }
            _ => None,
        })
    }

    fn unpaired(
        &self,
        team: PlayerNo,
        round: RoundNo,
        byes: &BTreeMap<PlayerNo, Code>,
        allocated: Option<(PlayerNo, Option<Points>, Option<Points>)>,
    ) -> TeamUnpaired {
        let usual = |code: Code| match code {
            Code::Full => (UnpairedKind::FullPoint, self.scoring.full_bye, Code::Win),
            Code::Half => (UnpairedKind::HalfPoint, self.scoring.half_bye, Code::Draw),
            _ => (UnpairedKind::ZeroPoint, self.scoring.zero_bye, Code::Zero),
        };
        let (code, (kind, match_points, worth), written) = match (byes.get(&team), allocated) {
            (_, Some((holder, matches, games))) if holder == team => {
                let kind = UnpairedKind::PairingAllocated;
                (
                    Code::Allocated,
                    (kind, self.scoring.pab, Code::Draw),
                    (matches, games),
                )
            }
            (Some(&code), _) => (code, usual(code), (None, None)),
            (None, _) => {
                let absent = (UnpairedKind::Absent, self.scoring.zero_bye, Code::Zero);
                (Code::Zero, absent, (None, None))
            }
        };
        let abnormal = self.abnormal(team, code, round);
        TeamUnpaired {
            team,
            kind,
            match_points: abnormal.0.or(written.0).unwrap_or(match_points),
            game_points: abnormal.1.or(written.1).unwrap_or_else(|| self.each(worth)),
        }
    }

    /// Game points of this result on all boards.
    fn each(&self, code: Code) -> Points {
        let scoring = self.document.scoring();
        let boards = u16::try_from(self.colours.len()).unwrap_or(u16::MAX);
        Points(scoring.points(code).0.saturating_mul(boards))
    }

    /// Match and game points that record `299` gives a team instead of the usual ones.
    fn abnormal(
        &self,
        team: PlayerNo,
        code: Code,
        round: RoundNo,
    ) -> (Option<Points>, Option<Points>) {
        let records = self.document.lines.iter().map(|line| &line.record);
        let found = records.filter_map(|record| match record {
            Record::Abnormal(abnormal) => Some(abnormal),
            _ => None,
        });
        let speaks = |abnormal: &&Abnormal| {
            abnormal.code == code.sign()
                && abnormal.round.is_none_or(|of| of == round)
                && (abnormal.players.is_empty() || abnormal.players.contains(&team))
        };
        let found = found.into_iter().find(speaks);
        found.map_or((None, None), |it| (it.match_points, it.game_points))
    }
}

impl Document {
    /// Match points: `362`, else 2, 1, 0. The bye is worth what `320` says, else a draw.
    fn match_scoring(&self) -> crate::pairing::Scoring {
        let mut scoring = MATCH_POINTS;
        let mut bye = None;
        for line in &self.lines {
            match &line.record {
                Record::TeamScoring(points) => {
                    let of = |symbol: &str| {
                        let found = points.iter().find(|(own, _)| own == symbol);
                        found.map(|(_, points)| *points)
                    };
                    let win = of("TW").unwrap_or(scoring.win);
                    let draw = of("TD").unwrap_or(scoring.draw);
                    let loss = of("TL").unwrap_or(scoring.loss);
                    scoring = crate::pairing::Scoring::of(win, draw, loss);
                    scoring.pab = draw;
                }
                Record::TeamByes { match_points, .. } => bye = bye.or(*match_points),
                _ => {}
            }
        }
        scoring.pab = bye.unwrap_or(scoring.pab);
        scoring
    }
}
