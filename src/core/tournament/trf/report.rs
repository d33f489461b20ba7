//! What a report file is made of, and how it is written.

use std::collections::BTreeMap;

use jiff::tz::TimeZone;

use super::{
    model::{LineEnd, TextField},
    query::{ForbiddenGroup, Scoring},
    system::SystemCode,
};
use crate::{
    clock::TimeControl,
    pairing::{Acceleration, Forbidden},
    tournament::{
        event::EventSettings,
        player::Player,
        result::{Awarded, Played},
        schedule::RoundStart,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// What a report says. Whatever is empty is not written.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Header texts, e.g. name, city, dates as `YYYY/MM/DD`; counts of players are made here.
    pub texts: BTreeMap<TextField, String>,
    /// The dates of the rounds as `YY/MM/DD`, round 1 first.
    pub round_dates: Vec<String>,
    /// The number of rounds.
    pub rounds: Option<u16>,
    /// The colour of the first player in round 1.
    pub initial_colour: Option<Color>,
    /// What results are worth.
    pub scoring: Scoring,
    /// The kind of event.
    pub system: Option<SystemCode>,
    /// The players by number.
    pub players: Vec<Player>,
    /// Games with a result.
    pub games: Vec<Played>,
    /// Pairs without a result yet: round, White, Black.
    pub open: Vec<(RoundNo, PlayerNo, PlayerNo)>,
    /// Byes, those of rounds to come included.
    pub byes: Vec<Awarded>,
    /// Who must not meet.
    pub forbidden: Vec<ForbiddenGroup>,
    /// Virtual points: player, round, points.
    pub virtual_points: BTreeMap<(PlayerNo, RoundNo), Points>,
    /// Teams: names and members.
    pub teams: Vec<(String, Vec<PlayerNo>)>,
    /// Places.
    pub ranks: BTreeMap<PlayerNo, u16>,
}

/// How a report is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// TRF16 with `XXR`, `XXC`, `BB…`, `XXA`, `XXP` and byes to come in the columns of their rounds,
    /// none of the records of TRF26.
    pub legacy: bool,
    /// Names and texts in ASCII.
    pub ascii: bool,
    /// How lines end.
    pub line_end: LineEnd,
}

/// What cannot stand in a report file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The columns of a number have four digits.
    #[error("player number {0} does not fit: a report file holds numbers from 1 to 9999")]
    Number(PlayerNo),
    /// A game or bye of somebody who is not in the list.
    #[error("round {round} names player {player}, who is not in the list of players")]
    UnknownPlayer {
        /// The round.
        round: RoundNo,
        /// The number.
        player: PlayerNo,
    },
    /// Two games or byes of one player in one round.
    #[error("player {player} stands twice in round {round}")]
    Twice {
        /// The round.
        round: RoundNo,
        /// The number.
        player: PlayerNo,
    },
    /// Rounds count from 1 to 999.
    #[error("there is no round {0}; rounds count from 1 to 999")]
    Round(RoundNo),
}

impl Report {
    /// What the settings of an event say; the rest is for the caller. Dates are those of `zone`.
    pub fn of_event(settings: &EventSettings, zone: &TimeZone) -> Self {
        let mut texts = BTreeMap::from([(TextField::Name, settings.name.clone())]);
        if let Some(control) = &settings.time_control {
            texts.insert(TextField::TimeControl, control.clone());
            if let Ok(control) = control.parse::<TimeControl>() {
                texts.insert(TextField::TimeControlCode, control.to_pgn());
            }
        }
        let codes: Vec<String> = settings
            .tie_breaks
            .iter()
            .map(ToString::to_string)
            .collect();
        texts.insert(TextField::TieBreaks, codes.join(","));
        let dates: Vec<_> = settings
            .schedule
            .rounds
            .iter()
            .map(|start| match start {
                RoundStart::At { at } => Some(zone.to_datetime(*at).date()),
                RoundStart::ByHand | RoundStart::AfterPrevious { .. } => None,
            })
            .collect();
        if let Some(Some(first)) = dates.first() {
            texts.insert(TextField::Start, first.strftime("%Y/%m/%d").to_string());
        }
        if let Some(Some(last)) = dates.last()
            && settings
                .rounds
                .is_some_and(|rounds| usize::from(rounds) == dates.len())
        {
            texts.insert(TextField::End, last.strftime("%Y/%m/%d").to_string());
        }
        Self {
            texts,
            round_dates: dates
                .into_iter()
                .map(|date| {
                    date.map_or_else(String::new, |date| date.strftime("%y/%m/%d").to_string())
                })
                .collect(),
            rounds: settings.rounds,
            initial_colour: settings.initial_colour,
            system: Some(
                settings
                    .system
                    .code(settings.acceleration != Acceleration::None),
            ),
            forbidden: settings.forbidden.iter().map(forbidden).collect(),
            ..Self::default()
        }
    }
}

/// The whole event, unless it holds from some round or up to some round only.
fn forbidden(group: &Forbidden) -> ForbiddenGroup {
    let always = group.first.0 <= 1 && group.last.is_none();
    ForbiddenGroup {
        rounds: (!always).then(|| (group.first, group.last.unwrap_or(RoundNo(999)))),
        players: group.players.clone(),
    }
}
