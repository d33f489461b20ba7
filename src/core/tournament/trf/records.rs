//! The records of the event: reading them from columns and putting them back.

use super::{
    columns::Form,
    field::{Fields, parse_points, points_text},
    model::{Abnormal, Acceleration, BbpSymbol, ByeCode, Configuration, Record, TextField},
    player, teams,
};
use crate::types::{Color, PlayerNo, Points, RoundNo};

/// Whether the record code is one of ours.
pub(super) fn is_known(code: &str) -> bool {
    const CODES: [&str; 22] = [
        "001", "013", "132", "142", "152", "162", "240", "250", "260", "299", "300", "310", "320",
        "330", "352", "362", "XXA", "XXC", "XXP", "XXR", "XXS", "XXZ",
    ];
    CODES.contains(&code)
        || TextField::from_code(code).is_some()
        || BbpSymbol::ALL.iter().any(|(_, known)| *known == code)
}

/// Whether the record code stands in place of `001`: a federation's letters before a player.
pub(super) fn is_national(code: &str, fields: &Fields) -> bool {
    code.len() == 3
        && code.bytes().all(|b| b.is_ascii_uppercase())
        && !code.starts_with("XX")
        && !code.starts_with("BB")
        && fields.columns.blank(4)
        && fields.columns.blank(9)
        && !fields.columns.text(15..=47).is_empty()
        && fields
            .columns
            .text(5..=8)
            .parse::<u16>()
            .is_ok_and(|id| id > 0)
}

/// Reads the record of a line; `None` when the code is not known or the record is broken, the
/// latter with a notice.
pub(super) fn parse(code: &str, fields: &mut Fields) -> Option<Record> {
    if let Some(field) = TextField::from_code(code) {
        let text = fields.columns.rest(5).to_owned();
        return Some(Record::Text { field, text });
    }
    if let Some((symbol, _)) = BbpSymbol::ALL.into_iter().find(|(_, known)| *known == code) {
        let hint = "write them as 1.0 in columns 5 to 8";
        let points = fields.required(5..=usize::MAX - 1, "points", hint, parse_points)?;
        return Some(Record::BbpPoints(symbol, points));
    }
    Some(match code {
        "001" => Record::Player(Box::new(player::parse(None, fields)?)),
        "132" => Record::RoundDates(round_dates(fields)),
        "142" | "XXR" => Record::Rounds {
            legacy: code == "XXR",
            rounds: fields.required(
                5..=usize::MAX - 1,
                "number of rounds",
                "correct it, or remove the line",
                |s| match s.parse() {
                    Ok(0) | Err(_) => Err("is not a number from 1".to_owned()),
                    Ok(rounds) => Ok(rounds),
                },
            )?,
        },
        "152" => Record::InitialColour(fields.required(
            5..=usize::MAX - 1,
            "initial colour",
            "write W or B in column 5",
            |s| colour(s).ok_or_else(|| "is neither W nor B".to_owned()),
        )?),
        "XXC" => Record::Configuration(
            fields
                .columns
                .rest(5)
                .split_whitespace()
                .map(configuration)
                .collect(),
        ),
        "162" => Record::Scoring(
            symbols(fields, 1)?
                .into_iter()
                .filter_map(|(symbol, points)| Some((symbol.chars().next()?, points)))
                .collect(),
        ),
        "362" => Record::TeamScoring(symbols(fields, 2)?),
        "XXS" => Record::XxScoring(xx_scoring(fields)?),
        "240" => byes(fields)?,
        "250" => Record::Acceleration({
            fields.gaps(&[9, 14, 18, 22, 27])?;
            Acceleration {
                match_points: fields.points(5..=8, "match points"),
                game_points: fields.points(10..=13, "game points"),
                first_round: RoundNo(fields.number(15..=17, "first round", 1)?),
                last_round: RoundNo(fields.number(19..=21, "last round", 1)?),
                first: PlayerNo(fields.number(23..=26, "first player", 1)?),
                last: PlayerNo(fields.number(28..=31, "last player", 1)?),
            }
        }),
        "XXA" => xx_acceleration(fields)?,
        "260" => {
            fields.gaps(&[8, 12])?;
            Record::Forbidden {
                first: RoundNo(fields.number(5..=7, "first round", 1)?),
                last: RoundNo(fields.number(9..=11, "last round", 1)?),
                players: fields.ids(13, "player")?,
            }
        }
        "XXP" => Record::XxForbidden(fields.free_ids("players")?),
        "XXZ" => Record::XxAbsent(fields.free_ids("players")?),
        "299" => Record::Abnormal(abnormal(fields)?),
        "300" | "310" | "320" | "330" | "352" | "013" => return teams::parse(code, fields),
        _ if is_national(code, fields) => {
            Record::Player(Box::new(player::parse(Some(code), fields)?))
        }
        _ => return None,
    })
}

/// The line of a record by the standard's columns.
pub(super) fn format(record: &Record) -> String {
    match record {
        Record::Player(row) => player::format(row),
        Record::Text { field, text } => {
            let mut form = Form::new(field.code());
            form.left(5, text);
            form.finish()
        }
        Record::RoundDates(dates) => {
            let mut form = Form::new("132");
            for (round, date) in (1..).zip(dates) {
                form.left(player::cell_column(round), date);
            }
            form.finish()
        }
        Record::Rounds { legacy, rounds } => {
            format!("{} {rounds}", if *legacy { "XXR" } else { "142" })
        }
        Record::InitialColour(colour) => {
            format!("152 {}", if colour.is_white() { "W" } else { "B" })
        }
        Record::Configuration(words) => {
            let words: Vec<&str> = words
                .iter()
                .map(|word| match word {
                    Configuration::Rank => "rank",
                    Configuration::InitialColour(Color::White) => "white1",
                    Configuration::InitialColour(Color::Black) => "black1",
                    Configuration::Other(word) => word,
                })
                .collect();
            format!("XXC {}", words.join(" "))
        }
        Record::Scoring(points) => {
            let mut form = Form::new("162");
            for (at, (symbol, points)) in points.iter().enumerate() {
                form.left(6 + 9 * at, &symbol.to_string());
                form.right(10 + 9 * at, &points_text(*points));
            }
            form.finish()
        }
        Record::TeamScoring(points) => {
            let mut form = Form::new("362");
            for (at, (symbol, points)) in points.iter().enumerate() {
                form.left(5 + 9 * at, symbol);
                form.right(10 + 9 * at, &points_text(*points));
            }
            form.finish()
        }
        Record::BbpPoints(symbol, points) => {
            let code = BbpSymbol::ALL.iter().find(|(known, _)| known == symbol);
            let mut form = Form::new(code.map_or("", |(_, code)| code));
            form.right(8, &points_text(*points));
            form.finish()
        }
        Record::XxScoring(points) => {
            let words: Vec<String> = points
                .iter()
                .map(|(symbol, points)| format!("{symbol}={}", points_text(*points)))
                .collect();
            format!("XXS {}", words.join(" "))
        }
        Record::Byes {
            kind,
            round,
            players,
        } => {
            let mut form = Form::new("240");
            form.left(5, kind.code().sign().encode_utf8(&mut [0; 4]));
            form.right(9, &round.to_string());
            ids(&mut form, 14, players);
            form.finish()
        }
        Record::Acceleration(acceleration) => {
            let mut form = Form::new("250");
            points(&mut form, 8, acceleration.match_points);
            points(&mut form, 13, acceleration.game_points);
            form.right(17, &acceleration.first_round.to_string());
            form.right(21, &acceleration.last_round.to_string());
            form.right(26, &acceleration.first.to_string());
            form.right(31, &acceleration.last.to_string());
            form.finish()
        }
        Record::XxAcceleration { player, points } => {
            let mut form = Form::new("XXA");
            form.right(8, &player.to_string());
            for (at, value) in points.iter().enumerate() {
                form.right(13 + 5 * at, &points_text(*value));
            }
            form.finish()
        }
        Record::Forbidden {
            first,
            last,
            players,
        } => {
            let mut form = Form::new("260");
            form.right(7, &first.to_string());
            form.right(11, &last.to_string());
            ids(&mut form, 16, players);
            form.finish()
        }
        Record::XxForbidden(players) => free_ids("XXP", players),
        Record::XxAbsent(players) => free_ids("XXZ", players),
        Record::Abnormal(abnormal) => {
            let [match_end, game_end, round_end, first] = abnormal_columns(abnormal.sample_columns);
            let mut form = Form::new("299");
            form.left(5, &abnormal.code.to_string());
            points(&mut form, match_end, abnormal.match_points);
            points(&mut form, game_end, abnormal.game_points);
            if let Some(round) = abnormal.round {
                form.right(round_end, &round.to_string());
            }
            ids(&mut form, first + 3, &abnormal.players);
            form.finish()
        }
        Record::LineUp { .. }
        | Record::Team(_)
        | Record::OldTeam { .. }
        | Record::TeamByes { .. }
        | Record::TeamForfeit { .. }
        | Record::BoardColours(_) => teams::format(record),
        Record::Comment(text) | Record::Other(text) => text.clone(),
    }
}

/// Ids in columns of four, the first ending in column `last`.
pub(super) fn ids(form: &mut Form, last: usize, players: &[PlayerNo]) {
    for (at, player) in players.iter().enumerate() {
        form.right(last + 5 * at, &player.to_string());
    }
}

pub(super) fn points(form: &mut Form, last: usize, points: Option<Points>) {
    if let Some(points) = points {
        form.right(last, &points_text(points));
    }
}

fn free_ids(code: &str, players: &[PlayerNo]) -> String {
    players
        .iter()
        .fold(code.to_owned(), |line, player| format!("{line} {player}"))
}

fn colour(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "w" | "white" => Some(Color::White),
        "b" | "black" => Some(Color::Black),
        _ => None,
    }
}

fn configuration(word: &str) -> Configuration {
    match word.to_ascii_lowercase().as_str() {
        "rank" => Configuration::Rank,
        "white1" => Configuration::InitialColour(Color::White),
        "black1" => Configuration::InitialColour(Color::Black),
        _ => Configuration::Other(word.to_owned()),
    }
}

/// Dates in the columns of the rounds; what does not stand there is kept with the source.
fn round_dates(fields: &Fields) -> Vec<String> {
    (1..=player::MOST_ROUNDS)
        .map(player::cell_column)
        .take_while(|&column| column <= fields.columns.len())
        .map(|column| fields.columns.text(column..=column + 9).to_owned())
        .collect()
}

/// Symbols with their points, every nine columns: the symbol ends in column 6, the points in 10.
fn symbols(fields: &mut Fields, width: usize) -> Option<Vec<(String, Points)>> {
    let mut found = Vec::new();
    let mut column = 7 - width;
    while column <= fields.columns.len() {
        let symbol = fields
            .columns
            .text(column..=column + width - 1)
            .to_ascii_uppercase();
        let gap = column + width + 4;
        if symbol.len() != width
            || !symbol.bytes().all(|b| b.is_ascii_alphabetic())
            || !fields.columns.blank(gap)
        {
            fields.shifted(column..=gap, "this symbol and those behind it");
            return None;
        }
        let columns = column + width..=column + width + 3;
        let hint =
            "write the symbol in column 6 and its points in 7 to 10, the next ones nine columns on";
        found.push((
            symbol,
            fields.required(columns, "points", hint, parse_points)?,
        ));
        column += 9;
    }
    Some(found)
}

fn xx_scoring(fields: &mut Fields) -> Option<Vec<(String, Points)>> {
    fields.required(
        5..=usize::MAX - 1,
        "scoring",
        "write it as W=1.0 D=0.5",
        |s| {
            s.split_whitespace()
                .map(|word| {
                    let (symbol, points) = word
                        .split_once('=')
                        .ok_or_else(|| format!("has no points for {word}"))?;
                    Ok((symbol.to_ascii_uppercase(), parse_points(points)?))
                })
                .collect()
        },
    )
}

fn byes(fields: &mut Fields) -> Option<Record> {
    let kind = fields.required(
        5..=5,
        "kind of bye",
        "write F, H or Z in column 5",
        |s| match s {
            "F" | "f" => Ok(ByeCode::Full),
            "H" | "h" => Ok(ByeCode::Half),
            "Z" | "z" => Ok(ByeCode::Zero),
            _ => Err("is no kind of bye".to_owned()),
        },
    )?;
    fields.gaps(&[6, 10])?;
    Some(Record::Byes {
        kind,
        round: RoundNo(fields.number(7..=9, "round", 1)?),
        players: fields.ids(11, "player")?,
    })
}

fn xx_acceleration(fields: &mut Fields) -> Option<Record> {
    fields.gaps(&[9])?;
    let player = PlayerNo(fields.number(5..=8, "player", 1)?);
    fields.player = Some(player);
    let mut points = Vec::new();
    let mut column = 10;
    while column <= fields.columns.len() {
        let value = fields.columns.text(column..=column + 3);
        if !fields.columns.blank(column + 4) {
            fields.shifted(column..=column + 4, "these points and those behind them");
            return None;
        }
        points.push(if value.is_empty() {
            Points::ZERO
        } else {
            fields.points(column..=column + 3, "virtual points")?
        });
        column += 5;
    }
    Some(Record::XxAcceleration { player, points })
}

/// Where match points, game points and round end and where the players begin.
const fn abnormal_columns(sample: bool) -> [usize; 4] {
    if sample {
        [10, 15, 19, 21]
    } else {
        [11, 17, 22, 24]
    }
}

/// The standard and the TEC's sample put the fields into different columns: whichever fits.
fn abnormal(fields: &mut Fields) -> Option<Abnormal> {
    let gaps: [&[usize]; 2] = [&[6, 7, 12, 13, 18, 19, 23], &[6, 11, 16, 20]];
    let parses = |fields: &Fields, end: usize| {
        let text = fields.columns.text(end - 3..=end);
        text.is_empty() || parse_points(text).is_ok()
    };
    let fits = |sample: bool| {
        let [match_end, game_end, round_end, _] = abnormal_columns(sample);
        gaps[usize::from(sample)]
            .iter()
            .all(|&gap| fields.columns.blank(gap))
            && parses(fields, match_end)
            && parses(fields, game_end)
            && fields
                .columns
                .text(round_end - 2..=round_end)
                .bytes()
                .all(|b| b.is_ascii_digit())
    };
    let sample_columns = !fits(false) && fits(true);
    if !fits(sample_columns) {
        fields.shifted(5..=31, "the record");
        return None;
    }
    let [match_end, game_end, round_end, first] = abnormal_columns(sample_columns);
    let code = fields.required(5..=5, "result", "write the result code in column 5", |s| {
        s.chars()
            .next()
            .map(|c| c.to_ascii_uppercase())
            .ok_or_else(String::new)
    })?;
    let round = match fields.columns.text(round_end - 2..=round_end) {
        "" => None,
        _ => Some(RoundNo(fields.number(
            round_end - 2..=round_end,
            "round",
            1,
        )?)),
    };
    Some(Abnormal {
        code,
        match_points: fields.points(match_end - 3..=match_end, "match points"),
        game_points: fields.points(game_end - 3..=game_end, "game points"),
        round,
        players: fields.ids(first, "player")?,
        sample_columns,
    })
}
