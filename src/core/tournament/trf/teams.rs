//! The records of team events: line-ups, teams, their byes and forfeits.

use super::{
    columns::{Columns, Form},
    field::{Fields, parse_points},
    model::{Record, Team},
    records::{ids, points},
};
use crate::types::RoundNo;

/// The fields behind a team's name stand where they should.
pub(super) fn fits(columns: &Columns) -> bool {
    let points = |text: &str| text.is_empty() || parse_points(text).is_ok();
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b == b' ');
    [8, 41, 47, 54, 61, 68, 72, 73]
        .iter()
        .all(|&gap| columns.blank(gap))
        && digits(columns.text(48..=53))
        && points(columns.text(55..=60))
        && points(columns.text(62..=67))
        && digits(columns.rest(69))
}

/// Reads one of the team records; `None` with a notice when it is broken.
pub(super) fn parse(code: &str, fields: &mut Fields) -> Option<Record> {
    fields.gaps(match code {
        "300" => &[8, 12, 16],
        "310" => &[8, 41, 47, 54, 61, 68, 72, 73],
        "320" => &[9, 14],
        "330" => &[7, 11, 15],
        _ => &[],
    })?;
    Some(match code {
        "300" => Record::LineUp {
            round: RoundNo(fields.number(5..=7, "round", 1)?),
            team: fields.number(9..=11, "team", 1)?,
            opponent: fields.number(13..=15, "opponent", 0)?,
            boards: (fields.numbers(17, 4, "player")?.into_iter())
                .map(|id| id.map(crate::types::PlayerNo))
                .collect(),
        },
        "310" => Record::Team(Team {
            no: fields.number(5..=7, "team", 1)?,
            name: fields.columns.text(9..=40).to_owned(),
            short: fields.columns.text(42..=46).to_owned(),
            strength: fields.columns.text(48..=53).to_owned(),
            match_points: fields.points(55..=60, "match points"),
            game_points: fields.points(62..=67, "game points"),
            rank: fields.optional(69..=71, "rank", "write digits only", |s| {
                s.parse().map_err(|_| "is not a whole number".to_owned())
            }),
            members: fields.ids(74, "member")?,
        }),
        "320" => Record::TeamByes {
            match_points: fields.points(5..=8, "match points"),
            game_points: fields.points(10..=13, "game points"),
            teams: {
                let mut teams = fields.numbers(15, 3, "team")?;
                teams.truncate(
                    teams
                        .iter()
                        .rposition(Option::is_some)
                        .map_or(0, |at| at + 1),
                );
                teams
            },
        },
        "330" => {
            let (white_loses, black_loses) = fields.required(
                5..=6,
                "forfeit",
                "write +-, -+ or -- in columns 5 and 6",
                |s| match s {
                    "+-" => Ok((false, true)),
                    "-+" => Ok((true, false)),
                    "--" => Ok((true, true)),
                    _ => Err("is no forfeit".to_owned()),
                },
            )?;
            Record::TeamForfeit {
                white_loses,
                black_loses,
                round: RoundNo(fields.number(8..=10, "round", 1)?),
                white: fields.number(12..=14, "team", 1)?,
                black: fields.number(16..=18, "team", 1)?,
            }
        }
        "352" => Record::BoardColours(fields.required(
            5..=usize::MAX - 1,
            "colours",
            "write W and B by board",
            |s| {
                let upper = s.to_ascii_uppercase();
                if upper.bytes().all(|b| matches!(b, b'W' | b'B')) {
                    Ok(upper)
                } else {
                    Err("has other letters than W and B".to_owned())
                }
            },
        )?),
        "013" => Record::OldTeam {
            name: fields.columns.text(5..=36).to_owned(),
            members: fields.ids(37, "member")?,
        },
        _ => return None,
    })
}

/// The line of a team record.
pub(super) fn format(record: &Record) -> String {
    match record {
        Record::LineUp {
            round,
            team,
            opponent,
            boards,
        } => {
            let mut form = Form::new("300");
            form.right(7, &round.to_string());
            form.right(11, &team.to_string());
            form.right(15, &opponent.to_string());
            for (at, player) in boards.iter().enumerate() {
                form.right(20 + 5 * at, &player.map_or(0, |no| no.0).to_string());
            }
            form.finish()
        }
        Record::Team(team) => {
            let mut form = Form::new("310");
            form.right(7, &team.no.to_string());
            form.left(9, &team.name.chars().take(32).collect::<String>());
            form.left(42, &team.short);
            form.right(53, &team.strength);
            points(&mut form, 60, team.match_points);
            points(&mut form, 67, team.game_points);
            if let Some(rank) = team.rank {
                form.right(71, &rank.to_string());
            }
            ids(&mut form, 77, &team.members);
            form.finish()
        }
        Record::OldTeam { name, members } => {
            let mut form = Form::new("013");
            form.left(5, &name.chars().take(32).collect::<String>());
            ids(&mut form, 40, members);
            form.finish()
        }
        Record::TeamByes {
            match_points,
            game_points,
            teams,
        } => {
            let mut form = Form::new("320");
            points(&mut form, 8, *match_points);
            points(&mut form, 13, *game_points);
            for (at, team) in teams.iter().enumerate() {
                if let Some(team) = team {
                    form.right(17 + 4 * at, &team.to_string());
                }
            }
            form.finish()
        }
        Record::TeamForfeit {
            white_loses,
            black_loses,
            round,
            white,
            black,
        } => {
            let sign = |loses: bool| if loses { "-" } else { "+" };
            let mut form = Form::new("330");
            form.left(5, sign(*white_loses));
            form.left(6, sign(*black_loses));
            form.right(10, &round.to_string());
            form.right(14, &white.to_string());
            form.right(18, &black.to_string());
            form.finish()
        }
        Record::BoardColours(colours) => format!("352 {colours}"),
        _ => String::new(),
    }
}
