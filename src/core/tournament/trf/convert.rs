//! From a report file to what pairing wants.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    check::{check, round_no},
    model::{Code, Document},
    notice::{Notice, Severity},
    system::SystemCode,
    table::Table,
    team_rounds::TeamEvent,
};
use crate::{
    pairing::{
        Acceleration, Entrant, Forbidden, Input, PairingError, PlayedGame, PlayedRound, Presence,
        RoundPairing, Scoring, Settings, System as _, UnpairedKind, UnpairedScore, VirtualPoints,
        team::{PrimaryScore, TeamSwiss},
    },
    tournament::pairing_system::{PairingSystem, Sides},
    types::{Color, PlayerNo, Points, RoundNo},
};

/// A round of a report file, ready to be paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What the pairing system looks at.
    pub input: Input,
    /// The kind of event, if the file says it (`192`).
    pub system: Option<SystemCode>,
    /// The ids of the file by the numbers of `input`, where `XXC rank` made them differ.
    pub ids: Option<BTreeMap<PlayerNo, PlayerNo>>,
    /// What is known of teams, where the players of `input` are teams.
    pub teams: Option<TeamEvent>,
}

impl Request {
    /// The id in the file of a player of `input`.
    pub fn id(&self, no: PlayerNo) -> PlayerNo {
        let ids = self.ids.as_ref();
        ids.and_then(|ids| ids.get(&no)).copied().unwrap_or(no)
    }

    /// Pairs the round; a Swiss of teams by the scores that it counts.
    ///
    /// # Errors
    /// When no pairing exists.
    pub fn pair(&self, system: &PairingSystem) -> Result<RoundPairing, PairingError> {
        let (
            PairingSystem::TeamSwiss {
                preferences,
                primary,
            },
            Some(teams),
        ) = (system, &self.teams)
        else {
            return system.system().pair(&self.input);
        };
        let (system, history) = TeamSwiss::after(&teams.rounds, *preferences, *primary);
        let mut input = Input {
            history,
            ..self.input.clone()
        };
        if *primary == PrimaryScore::GamePoints {
            let half = Points(teams.full.0 / 2);
            input.settings.scoring = Scoring {
                pab: half,
                ..Scoring::of(teams.full, half, Points::ZERO)
            };
        }
        system.pair(&input)
    }
}

/// A file from which nothing can be paired.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// No player is in it.
    #[error("the file has no players; its players stand in lines that begin with 001")]
    NoPlayers,
    /// It contradicts itself.
    #[error("the file contradicts itself: {}{}", first(.0), more(.0))]
    Contradiction(Vec<Notice>),
    /// A game has no result yet.
    #[error(
        "round {round} is not over: {white} against {black} has no result yet ({open} games open); \
         enter the results first"
    )]
    Open {
        /// The round.
        round: RoundNo,
        /// White of the first open game.
        white: PlayerNo,
        /// Black of the first open game.
        black: PlayerNo,
        /// How many games are open in all rounds before the one to pair.
        open: usize,
    },
    /// There is no such round to pair.
    #[error("round {asked} cannot be paired from this file: {last} is the next")]
    NoSuchRound {
        /// The round that was asked for.
        asked: RoundNo,
        /// The last that can be paired.
        last: RoundNo,
    },
    /// There is no such round to make standings of.
    #[error("round {asked} has not been paired in this file: {last} is the last")]
    NotPaired {
        /// The round that was asked for.
        asked: RoundNo,
        /// The last that was paired.
        last: RoundNo,
    },
    /// Players of a team event: see [`Document::team_request`].
    #[error(
        "this is a team event; `flagfall pair` pairs its teams, its players are not paired or checked \
         one by one"
    )]
    Teams,
    /// A team event without teams.
    #[error(
        "the file names no two teams; teams stand in lines that begin with 310 (TRF26) or 013 (TRF16)"
    )]
    NoTeams,
    /// A player stands in two teams.
    #[error("player {player} stands in two teams; take him out of one")]
    TwoTeams {
        /// Who.
        player: PlayerNo,
    },
    /// The members of a team have played those of two others.
    #[error(
        "in round {round} team {team} has played against team {one} and team {other}; correct the \
         games of that round or the members of the teams"
    )]
    TwoOpponents {
        /// The round.
        round: RoundNo,
        /// The team.
        team: PlayerNo,
        /// One opponent.
        one: PlayerNo,
        /// The other.
        other: PlayerNo,
    },
}

fn first(notices: &[Notice]) -> String {
    notices.first().map(Notice::to_string).unwrap_or_default()
}

fn more(notices: &[Notice]) -> String {
    match notices.len() {
        0 | 1 => String::new(),
        all => format!(" (and {} more places)", all - 1),
    }
}

impl Document {
    /// The input for pairing a round: the next one, or an earlier one as it was before it was
    /// paired. For an earlier round those are present who were paired in it.
    ///
    /// # Errors
    /// When the file has no players, is a team event, contradicts itself before that round or has
    /// open games before it, or when the round lies further ahead than the next.
    pub fn request(&self, round: Option<RoundNo>) -> Result<Request, RequestError> {
        if self.is_team_event() {
            return Err(RequestError::Teams);
        }
        let next = self.round_to_pair();
        let round = self.request_round(round)?;
        let table = Table::new(self);
        if table.rows.is_empty() {
            return Err(RequestError::NoPlayers);
        }
        self.contradictions(round)?;
        let numbers = self.numbers(&table);
        let number = |id: PlayerNo| {
            numbers
                .as_ref()
                .and_then(|n| n.get(&id))
                .copied()
                .unwrap_or(id)
        };
        let history = history(&table, round, &number)?;
        let absent: BTreeSet<PlayerNo> = self.announced_absent().collect();
        let mut players: Vec<Entrant> = table
            .rows
            .iter()
            .map(|(&id, (_, row))| Entrant {
                no: number(id),
                rating: row.rating.filter(|&rating| rating > 0),
                presence: presence(&table, id, round, next, &absent),
            })
            .collect();
        players.sort_by_key(|entrant| entrant.no);
        let system = self.system();
        let settings = Settings {
            rounds: self.rounds(),
            initial_colour: self.initial_colour(),
            scoring: self.pairing_scoring(),
            forbidden: self
                .forbidden()
                .into_iter()
                .map(|group| Forbidden {
                    players: group.players.into_iter().map(number).collect(),
                    first: group.rounds.map_or(RoundNo(1), |(first, _)| first),
                    last: group.rounds.map(|(_, last)| last),
                })
                .collect(),
            fixed: Vec::new(),
            acceleration: {
                let mut ids: Vec<PlayerNo> = table.rows.keys().copied().collect();
                ids.sort_by_key(|&id| number(id));
                self.acceleration(&ids, system.as_ref(), &number)
            },
        };
        Ok(Request {
            input: Input {
                players,
                history,
                round,
                settings,
            },
            system,
            ids: numbers.map(|numbers| numbers.into_iter().map(|(id, no)| (no, id)).collect()),
            teams: None,
        })
    }

    /// The round asked for, or the next one.
    pub(super) fn request_round(&self, asked: Option<RoundNo>) -> Result<RoundNo, RequestError> {
        let last = self.round_to_pair();
        let asked = asked.unwrap_or(last);
        if asked.0 == 0 || asked > last {
            return Err(RequestError::NoSuchRound { asked, last });
        }
        Ok(asked)
    }

    /// What contradicts itself before a round.
    pub(super) fn contradictions(&self, round: RoundNo) -> Result<(), RequestError> {
        let contradictions: Vec<Notice> = check(self)
            .into_iter()
            .filter(|notice| {
                notice.severity == Severity::Error && notice.round.is_none_or(|r| r < round)
            })
            .collect();
        if contradictions.is_empty() {
            Ok(())
        } else {
            Err(RequestError::Contradiction(contradictions))
        }
    }

    /// The two teams of the file as the sides of a Scheveningen event, by the numbers of a request.
    pub fn sides(&self, request: &Request) -> Option<Sides> {
        let mut groups = self.team_groups();
        for no in groups.iter_mut().flatten() {
            let numbers = request.ids.iter().flatten();
            *no = numbers
                .map(|(no, id)| (*id, *no))
                .find(|(id, _)| id == no)
                .map_or(*no, |it| it.1);
        }
        let players: Vec<PlayerNo> = request.input.players.iter().map(|it| it.no).collect();
        Sides::of_groups(&groups, &players)
    }

    /// Numbers by id, when the rank column is the order.
    fn numbers(&self, table: &Table) -> Option<BTreeMap<PlayerNo, PlayerNo>> {
        if !self.orders_by_rank() {
            return None;
        }
        let mut order: Vec<(u16, PlayerNo)> = table
            .rows
            .iter()
            .map(|(&id, (_, row))| (row.rank.filter(|&rank| rank > 0).unwrap_or(u16::MAX), id))
            .collect();
        order.sort_unstable();
        Some(
            order
                .into_iter()
                .map(|(_, id)| id)
                .zip((1..).map(PlayerNo))
                .collect(),
        )
    }

    fn pairing_scoring(&self) -> Scoring {
        let scoring = self.scoring();
        Scoring {
            win: scoring.win,
            draw: scoring.draw,
            loss: scoring.loss,
            pab: scoring.allocated,
            half_bye: scoring.half,
            full_bye: scoring.full,
            zero_bye: scoring.zero,
            forfeit_win: scoring.forfeit_win,
            forfeit_loss: scoring.forfeit_loss,
        }
    }

    /// Points written out go before the method that the code names.
    pub(super) fn acceleration(
        &self,
        ids: &[PlayerNo],
        system: Option<&SystemCode>,
        number: &impl Fn(PlayerNo) -> PlayerNo,
    ) -> Acceleration {
        let points = self.virtual_points();
        if points.is_empty() {
            return if system.is_some_and(|code| code.baku) {
                Acceleration::Baku { last: None }
            } else {
                Acceleration::None
            };
        }
        let last = points
            .keys()
            .map(|&(_, round)| round)
            .max()
            .unwrap_or(RoundNo(0));
        let mut runs: Vec<VirtualPoints> = Vec::new();
        for round in (1..=last.0).map(RoundNo) {
            let mut before = Points::ZERO;
            for &id in ids {
                let value = points.get(&(id, round)).copied().unwrap_or_default();
                match runs.last_mut() {
                    _ if value == Points::ZERO => {}
                    Some(run) if value == before => run.last_player = number(id),
                    _ => runs.push(VirtualPoints {
                        first_player: number(id),
                        last_player: number(id),
                        first_round: round,
                        last_round: round,
                        points: value,
                    }),
                }
                before = value;
            }
        }
        Acceleration::Custom { points: runs }
    }
}

fn presence(
    table: &Table,
    id: PlayerNo,
    round: RoundNo,
    next: RoundNo,
    absent: &BTreeSet<PlayerNo>,
) -> Presence {
    let cell = table.cell(id, usize::from(round.0));
    let present = match (cell.opponent, cell.code) {
        (Some(_), _) | (None, Some(Code::Allocated)) => true,
        (None, Some(_)) => false,
        (None, None) => round == next && !absent.contains(&id),
    };
    if present {
        Presence::Present
    } else {
        Presence::Absent
    }
}

fn history(
    table: &Table,
    before: RoundNo,
    number: &impl Fn(PlayerNo) -> PlayerNo,
) -> Result<Vec<PlayedRound>, RequestError> {
    let mut history = Vec::new();
    let mut open: Vec<(RoundNo, PlayerNo, PlayerNo)> = Vec::new();
    for round in 1..usize::from(before.0) {
        let mut played = PlayedRound {
            round: round_no(round),
            games: Vec::new(),
            unpaired: Vec::new(),
        };
        for &id in table.rows.keys() {
            let cell = table.cell(id, round);
            let Some(opponent) = cell.opponent else {
                played.unpaired.push(UnpairedScore {
                    player: number(id),
                    points: table.worth(id, round, cell),
                    kind: match cell.code {
                        Some(Code::Allocated) => UnpairedKind::PairingAllocated,
                        Some(Code::Full) => UnpairedKind::FullPoint,
                        Some(Code::Half) => UnpairedKind::HalfPoint,
                        Some(_) => UnpairedKind::ZeroPoint,
                        None => UnpairedKind::Absent,
                    },
                });
                continue;
            };
            // Both sides agree, as was checked: the lower id speaks for the pair.
            if id > opponent {
                continue;
            }
            let theirs = table.cell(opponent, round);
            let mine_is_white = match (cell.colour, theirs.colour) {
                (Some(colour), _) => colour == Color::White,
                (None, Some(colour)) => colour == Color::Black,
                (None, None) => true,
            };
            let ((white, white_cell), (black, black_cell)) = if mine_is_white {
                ((id, cell), (opponent, theirs))
            } else {
                ((opponent, theirs), (id, cell))
            };
            let (Some(white_code), Some(_)) = (white_cell.code, black_cell.code) else {
                open.push((round_no(round), white, black));
                continue;
            };
            played.games.push(PlayedGame {
                white: number(white),
                black: number(black),
                white_points: table.worth(white, round, white_cell),
                black_points: table.worth(black, round, black_cell),
                played: white_code.is_played(),
            });
        }
        history.push(played);
    }
    match open.first() {
        Some(&(round, white, black)) => Err(RequestError::Open {
            round,
            white,
            black,
            open: open.len(),
        }),
        None => Ok(history),
    }
}
