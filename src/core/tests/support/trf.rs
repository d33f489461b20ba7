//! A reader of the report files in the corpora: just enough to pair their next round.

use std::collections::BTreeMap;

use flagfall_core::{
    pairing::{
        Acceleration, Entrant, Forbidden, Input, PlayedGame, PlayedRound, Presence, Scoring,
        Settings, UnpairedKind, UnpairedScore, VirtualPoints,
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

/// The input for pairing `round`.
pub(crate) fn input(text: &str, round: u16) -> Input {
    let mut scoring = Scoring::STANDARD;
    let mut settings = Settings::default();
    let mut virtual_points = Vec::new();
    let mut rows: BTreeMap<u16, &str> = BTreeMap::new();
    for line in text.lines() {
        let Some((code, rest)) = line.split_at_checked(3) else {
            continue;
        };
        match code {
            "001" => {
                rows.insert(number(line, 4..8), line);
            }
            "142" => settings.rounds = Some(rest.trim().parse().expect("rounds")),
            "152" => {
                settings.initial_colour = Some(match rest.trim() {
                    "W" => Color::White,
                    "B" => Color::Black,
                    other => panic!("colour {other}"),
                });
            }
            "162" => {
                let mut pab = None;
                for at in (5..line.len()).step_by(9) {
                    let value = points(line[at + 1..line.len().min(at + 5)].trim());
                    match &line[at..=at] {
                        "W" => {
                            scoring = Scoring {
                                win: value,
                                ..scoring
                            }
                        }
                        "D" => scoring.draw = value,
                        "L" => scoring.loss = value,
                        "P" => pab = Some(value),
                        _ => {}
                    }
                }
                scoring = Scoring::of(scoring.win, scoring.draw, scoring.loss);
                scoring.pab = pab.unwrap_or(scoring.win);
            }
            "XXP" => settings.forbidden.push(Forbidden {
                players: rest
                    .split_whitespace()
                    .map(|no| PlayerNo(no.parse().expect("a number")))
                    .collect(),
                first: RoundNo(1),
                last: None,
            }),
            "XXA" => {
                let player = PlayerNo(number(line, 4..8));
                for (round, at) in (1..).map(RoundNo).zip((9..line.len()).step_by(5)) {
                    virtual_points.push(VirtualPoints {
                        first_player: player,
                        last_player: player,
                        first_round: round,
                        last_round: round,
                        points: points(line[at..line.len().min(at + 4)].trim()),
                    });
                }
            }
            _ => {}
        }
    }
    settings.scoring = scoring;
    if !virtual_points.is_empty() {
        settings.acceleration = Acceleration::Custom {
            points: virtual_points,
        };
    }
    let history = (1..round)
        .map(|past| played_round(&rows, past, &scoring))
        .collect();
    let players = rows
        .iter()
        .map(|(&no, row)| Entrant {
            no: PlayerNo(no),
            rating: row
                .get(48..52)
                .and_then(|rating| rating.trim().parse().ok()),
            presence: match cell(row, round) {
                Some(_) => Presence::Absent,
                None => Presence::Present,
            },
        })
        .collect();
    Input {
        players,
        history,
        round: RoundNo(round),
        settings,
    }
}

fn number(line: &str, columns: std::ops::Range<usize>) -> u16 {
    line[columns].trim().parse().expect("a number")
}

fn points(text: &str) -> Points {
    let value: f64 = text.parse().expect("points");
    Points((value * 2.0).round() as u16)
}

/// Opponent, colour, result of a round.
fn cell(row: &str, round: u16) -> Option<(u16, char, char)> {
    let at = 91 + 10 * (usize::from(round) - 1);
    let cell = row.get(at..at + 8)?;
    let opponent = cell[..4].trim();
    (!opponent.is_empty()).then(|| {
        let mut marks = cell[5..].chars();
        (
            opponent.parse().expect("an opponent"),
            marks.next().expect("a colour"),
            marks.nth(1).expect("a result"),
        )
    })
}

fn played_round(rows: &BTreeMap<u16, &str>, round: u16, scoring: &Scoring) -> PlayedRound {
    let mut past = PlayedRound {
        round: RoundNo(round),
        games: Vec::new(),
        unpaired: Vec::new(),
    };
    let worth = |result: char| match result {
        '1' | 'W' => scoring.win,
        '=' | 'D' => scoring.draw,
        '0' | 'L' => scoring.loss,
        '+' => scoring.forfeit_win,
        '-' => scoring.forfeit_loss,
        other => panic!("result {other}"),
    };
    for (&no, row) in rows {
        let player = PlayerNo(no);
        let Some((opponent, colour, result)) = cell(row, round) else {
            past.unpaired.push(UnpairedScore {
                player,
                points: Points::ZERO,
                kind: UnpairedKind::Absent,
            });
            continue;
        };
        let (kind, points) = match result {
            'U' => (UnpairedKind::PairingAllocated, scoring.pab),
            'F' => (UnpairedKind::FullPoint, scoring.full_bye),
            'H' => (UnpairedKind::HalfPoint, scoring.half_bye),
            'Z' => (UnpairedKind::ZeroPoint, scoring.zero_bye),
            _ => {
                assert_ne!(opponent, 0);
                let is_white = match colour {
                    'w' => true,
                    'b' => false,
                    _ => no < opponent,
                };
                if is_white {
                    let (_, _, other) = cell(rows[&opponent], round).expect("both play");
                    past.games.push(PlayedGame {
                        white: player,
                        black: PlayerNo(opponent),
                        white_points: worth(result),
                        black_points: worth(other),
                        played: !"+-".contains(result) && !"+-".contains(other),
                    });
                }
                continue;
            }
        };
        past.unpaired.push(UnpairedScore {
            player,
            points,
            kind,
        });
    }
    past
}
