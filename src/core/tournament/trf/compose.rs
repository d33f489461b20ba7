//! From the hub's state to a report file.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    ascii,
    model::{
        Abnormal, Acceleration, BbpSymbol, ByeCode, Cell, Code, Configuration, Document, Line,
        Record, Row, Team, TextField,
    },
    query::{ForbiddenGroup, Scoring},
    records as lines,
    report::{Report, ReportError, ReportOptions},
};
use crate::{
    tournament::{
        player::{Birth, Player, Sex},
        result::{Bye, GameResult},
    },
    types::{Color, PlayerNo, Points, RoundNo},
};

impl Report {
    /// The report file.
    ///
    /// # Errors
    /// When a number does not fit the columns, or results contradict the list of players.
    pub fn compose(&self, options: ReportOptions) -> Result<Document, ReportError> {
        let cells = self.cells(options)?;
        let mut records = self.header(options);
        records.extend(self.settings(options));
        // By record code; those of letters come last.
        records.sort_by_cached_key(|record| lines::format(record).get(..3).map(str::to_owned));
        records.extend(self.rows(cells));
        records.extend((1..).zip(&self.teams).map(|(no, (name, members))| {
            let (name, members) = (name.clone(), members.clone());
            if options.legacy {
                Record::OldTeam { name, members }
            } else {
                Record::Team(Team {
                    no,
                    name,
                    members,
                    ..Team::default()
                })
            }
        }));
        records.extend(self.byes_to_come(options));
        records.extend(self.acceleration(options));
        records.extend(self.forbidden.iter().map(|group| match group.rounds {
            _ if options.legacy => Record::XxForbidden(group.players.clone()),
            Some((first, last)) => forbidden(first, last, group),
            None => forbidden(
                RoundNo(1),
                RoundNo(self.rounds.unwrap_or(999).min(999)),
                group,
            ),
        }));
        if !options.legacy {
            records.extend(self.abnormal());
        }
        if options.ascii {
            records.iter_mut().for_each(to_ascii);
        }
        Ok(Document {
            lines: (records.into_iter())
                .map(|record| Line::new(record, options.line_end))
                .collect(),
            ..Document::default()
        })
    }

    fn header(&self, options: ReportOptions) -> Vec<Record> {
        let rated = self
            .players
            .iter()
            .filter(|player| player.rating.is_some())
            .count();
        let mut texts = self.texts.clone();
        texts.insert(TextField::Players, self.players.len().to_string());
        texts.insert(TextField::RatedPlayers, rated.to_string());
        if let Some(system) = &self.system {
            texts.insert(TextField::SystemCode, system.to_string());
        }
        let mut records: Vec<Record> = TextField::ALL
            .into_iter()
            // bbpPairings 6.0.0 stops at a code of 192 that it does not know.
            .filter(|(field, _)| !options.legacy || *field <= TextField::TimeControl)
            .filter_map(|(field, _)| {
                let text = texts.get(&field)?.trim();
                (!text.is_empty()).then(|| Record::Text {
                    field,
                    text: text.to_owned(),
                })
            })
            .collect();
        if self.round_dates.iter().any(|date| !date.is_empty()) {
            records.push(Record::RoundDates(self.round_dates.clone()));
        }
        records
    }

    fn settings(&self, options: ReportOptions) -> Vec<Record> {
        let mut records = Vec::new();
        records.extend(self.rounds.map(|rounds| Record::Rounds {
            legacy: options.legacy,
            rounds,
        }));
        records.extend(self.initial_colour.map(|colour| {
            if options.legacy {
                Record::Configuration(vec![Configuration::InitialColour(colour)])
            } else {
                Record::InitialColour(colour)
            }
        }));
        let s = self.scoring;
        if s == Scoring::STANDARD {
            return records;
        }
        if options.legacy {
            records.extend([
                Record::BbpPoints(BbpSymbol::Win, s.win),
                Record::BbpPoints(BbpSymbol::Draw, s.draw),
                Record::BbpPoints(BbpSymbol::Loss, s.loss),
                Record::BbpPoints(BbpSymbol::ZeroBye, s.zero),
                Record::BbpPoints(BbpSymbol::ForfeitLoss, s.forfeit_loss),
                Record::BbpPoints(BbpSymbol::Allocated, s.allocated),
            ]);
        } else {
            let symbols = [
                ('W', s.win),
                ('D', s.draw),
                ('L', s.loss),
                ('A', s.zero),
                ('P', s.allocated),
            ];
            records.push(Record::Scoring(symbols.to_vec()));
        }
        records
    }

    /// The last round in which anybody is paired; byes behind it are announcements.
    fn last_round(&self) -> RoundNo {
        let games = self.games.iter().map(|game| game.round);
        let open = self.open.iter().map(|(round, ..)| *round);
        let allocated = self
            .byes
            .iter()
            .filter(|awarded| awarded.bye == Bye::PairingAllocated);
        games
            .chain(open)
            .chain(allocated.map(|awarded| awarded.round))
            .max()
            .unwrap_or(RoundNo(0))
    }

    fn cells(&self, options: ReportOptions) -> Result<BTreeMap<PlayerNo, Vec<Cell>>, ReportError> {
        let mut cells: BTreeMap<PlayerNo, Vec<Cell>> = self
            .players
            .iter()
            .map(|player| (player.no, Vec::new()))
            .collect();
        if let Some(&no) = cells.keys().find(|no| !(1..=9999).contains(&no.0)) {
            return Err(ReportError::Number(no));
        }
        let mut enter = |round: RoundNo, player: PlayerNo, cell: Cell| {
            if !(1..=999).contains(&round.0) {
                return Err(ReportError::Round(round));
            }
            let row = cells
                .get_mut(&player)
                .ok_or(ReportError::UnknownPlayer { round, player })?;
            let at = usize::from(round.0) - 1;
            row.resize(row.len().max(at + 1), Cell::BLANK);
            if !row[at].is_blank() {
                return Err(ReportError::Twice { round, player });
            }
            row[at] = cell;
            Ok(())
        };
        for game in &self.games {
            let (white, black) = codes(game.result);
            for (player, opponent, colour, code) in [
                (game.white, game.black, Color::White, white),
                (game.black, game.white, Color::Black, black),
            ] {
                let cell = Cell {
                    opponent: Some(opponent),
                    colour: Some(colour),
                    code: Some(code),
                };
                enter(game.round, player, cell)?;
            }
        }
        for &(round, white, black) in &self.open {
            for (player, opponent, colour) in
                [(white, black, Color::White), (black, white, Color::Black)]
            {
                let cell = Cell {
                    opponent: Some(opponent),
                    colour: Some(colour),
                    code: None,
                };
                enter(round, player, cell)?;
            }
        }
        let last = self.last_round();
        for awarded in &self.byes {
            if options.legacy || awarded.round <= last {
                enter(
                    awarded.round,
                    awarded.player,
                    Cell::bye(bye_code(awarded.bye)),
                )?;
            }
        }
        Ok(cells)
    }

    fn rows(&self, mut cells: BTreeMap<PlayerNo, Vec<Cell>>) -> Vec<Record> {
        let mut players: Vec<&Player> = self.players.iter().collect();
        players.sort_by_key(|player| player.no);
        players
            .into_iter()
            .map(|player| {
                let cells = cells.remove(&player.no).unwrap_or_default();
                let points: Points = cells
                    .iter()
                    .filter_map(|cell| cell.code)
                    .map(|code| self.scoring.points(code))
                    .sum();
                Record::Player(Box::new(Row {
                    list: None,
                    id: player.no.0,
                    sex: player.sex.map(|sex| match sex {
                        Sex::Male => 'm',
                        Sex::Female => 'w',
                    }),
                    title: player
                        .title
                        .map(|title| title.to_string())
                        .unwrap_or_default(),
                    name: player.name.clone(),
                    rating: player.rating,
                    federation: player.federation.clone().unwrap_or_default(),
                    number: player.fide_id.map(|id| id.to_string()).unwrap_or_default(),
                    birth: player.birth.map(birth).unwrap_or_default(),
                    points: Some(points),
                    rank: self.ranks.get(&player.no).copied(),
                    cells,
                }))
            })
            .collect()
    }

    fn byes_to_come(&self, options: ReportOptions) -> Vec<Record> {
        let last = self.last_round();
        let mut groups: BTreeMap<(RoundNo, ByeCode), BTreeSet<PlayerNo>> = BTreeMap::new();
        for awarded in self
            .byes
            .iter()
            .filter(|awarded| awarded.round > last && !options.legacy)
        {
            let kind = match awarded.bye {
                Bye::Full | Bye::PairingAllocated => ByeCode::Full,
                Bye::Half => ByeCode::Half,
                Bye::Rest | Bye::Zero => ByeCode::Zero,
            };
            groups
                .entry((awarded.round, kind))
                .or_default()
                .insert(awarded.player);
        }
        groups
            .into_iter()
            .map(|((round, kind), players)| Record::Byes {
                kind,
                round,
                players: players.into_iter().collect(),
            })
            .collect()
    }

    fn acceleration(&self, options: ReportOptions) -> Vec<Record> {
        let mut by_player: BTreeMap<PlayerNo, Vec<Points>> = BTreeMap::new();
        let mut runs: Vec<Acceleration> = Vec::new();
        let order: BTreeSet<PlayerNo> = self.players.iter().map(|player| player.no).collect();
        let rounds: BTreeSet<RoundNo> = self
            .virtual_points
            .keys()
            .map(|&(_, round)| round)
            .collect();
        for &round in &rounds {
            let mut before = Points::ZERO;
            for &no in &order {
                let value = self
                    .virtual_points
                    .get(&(no, round))
                    .copied()
                    .unwrap_or_default();
                if value > Points::ZERO {
                    let row = by_player.entry(no).or_default();
                    row.resize(usize::from(round.0.clamp(1, 999)) - 1, Points::ZERO);
                    row.push(value);
                    match runs.last_mut() {
                        Some(run) if before == value => run.last = no,
                        _ => runs.push(Acceleration {
                            match_points: None,
                            game_points: Some(value),
                            first_round: round,
                            last_round: round,
                            first: no,
                            last: no,
                        }),
                    }
                }
                before = value;
            }
        }
        if options.legacy {
            let record = |(player, points)| Record::XxAcceleration { player, points };
            by_player.into_iter().map(record).collect()
        } else {
            runs.into_iter().map(Record::Acceleration).collect()
        }
    }

    /// Half a point for one side only: said, so that nobody takes it for a slip.
    fn abnormal(&self) -> Vec<Record> {
        self.games
            .iter()
            .filter_map(|game| {
                let player = match game.result {
                    GameResult::HalfToWhite => game.white,
                    GameResult::HalfToBlack => game.black,
                    _ => return None,
                };
                Some(Record::Abnormal(Abnormal {
                    code: Code::Draw.sign(),
                    match_points: None,
                    game_points: Some(self.scoring.draw),
                    round: Some(game.round),
                    players: vec![player],
                    sample_columns: false,
                }))
            })
            .collect()
    }
}

fn forbidden(first: RoundNo, last: RoundNo, group: &ForbiddenGroup) -> Record {
    Record::Forbidden {
        first,
        last,
        players: group.players.clone(),
    }
}

/// The codes of White and Black.
pub(super) const fn codes(result: GameResult) -> (Code, Code) {
    match result {
        GameResult::WhiteWins => (Code::Win, Code::Loss),
        GameResult::BlackWins => (Code::Loss, Code::Win),
        GameResult::Draw => (Code::Draw, Code::Draw),
        GameResult::BothLose => (Code::Loss, Code::Loss),
        GameResult::HalfToWhite => (Code::Draw, Code::Loss),
        GameResult::HalfToBlack => (Code::Loss, Code::Draw),
        GameResult::WhiteByForfeit => (Code::ForfeitWin, Code::ForfeitLoss),
        GameResult::BlackByForfeit => (Code::ForfeitLoss, Code::ForfeitWin),
        GameResult::DoubleForfeit => (Code::ForfeitLoss, Code::ForfeitLoss),
    }
}

const fn bye_code(bye: Bye) -> Code {
    match bye {
        Bye::PairingAllocated => Code::Allocated,
        Bye::Full => Code::Full,
        Bye::Half => Code::Half,
        Bye::Rest | Bye::Zero => Code::Zero,
    }
}

/// `1990/01/02`; a year alone as `1990/00/00`.
fn birth(birth: Birth) -> String {
    let (month, day) = birth.month_day.unwrap_or((0, 0));
    format!("{:04}/{month:02}/{day:02}", birth.year)
}

fn to_ascii(record: &mut Record) {
    match record {
        Record::Player(row) => {
            row.name = ascii::transliterate(&row.name);
            row.federation = ascii::transliterate(&row.federation);
        }
        Record::Text { text, .. } => *text = ascii::transliterate(text),
        _ => {}
    }
}
