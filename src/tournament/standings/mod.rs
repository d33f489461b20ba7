//! `flagfall standings`: the table of a report file, each figure with its parts.

use std::{collections::BTreeSet, fmt::Write as _, path::PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use flagfall_core::{
    tournament::{
        PairingSystem,
        standings::{
            Code, Crosstable, Detail, Edition, Format, Score, Standing, TieBreak, standings, words,
        },
        trf::{Document, Known, StandingsOptions},
    },
    types::{PlayerNo, RoundNo},
};
use serde_json::json;

mod export;

use super::{files, pair::Lang};
use crate::exit::Failure;

/// What `flagfall standings` can be told.
#[derive(Debug, Args)]
#[command(after_help = "\
Tie-breaks are the codes of FIDE (C.07), applied one after the other to those still tied:
  PTS MPTS GPTS MPvGP  points; match points, game points, the other of the two
  BH FB AOB            Buchholz, the same with the last round drawn, the mean of the opponents
  SB ESB EMMSB EGGSB … Sonneborn-Berger; for teams by opponent's and own match or game points
  DE EDE EDET EDEBB …  direct encounter; for teams on both scores, then by boards
  WIN WON BPG BWG REP  rounds worth a win, games won, Black, won with Black, rounds elected to play
  PS KS STD            sum of the running score, Koya, the score by 1-1/2-0
  ARO TPR PTP APRO APPO RTNG TPN      ratings; rating and number of the list
  SSSC BC TBR BBE      teams: strength of schedule, board count, top and bottom boards
Behind a code: :MP :GP (which score), /C1 /C2 /M1 /M2 (cuts, medians), /L60 /L+1 (limit of KS), /K3
(divisor of SSSC), /P (forfeits as games), /F (last round drawn), /R (the other way round).

Without --tiebreaks the list of the file (212, 202) is taken, else that of the rule book: Swiss BH,
BH/C1, WIN; round robin SB, WIN, DE; teams MPvGP, WIN. Points come first unless the list begins with
PTS, MPTS or GPTS. Rounds that were not played count by the rules of C.07, 15 and 16.

Examples:
  flagfall standings open.trf                               the table
  flagfall standings open.trf --tiebreaks DE,BH/C1,BH,WIN   by another list
  flagfall standings open.trf --explain --only 7 --lang uk  how the figures of 7 come about
  flagfall standings club.trf --system round-robin --withdrawn 5
  flagfall standings open.trf --html table.html --explain   a page whose figures open
  flagfall standings open.trf --csv > table.csv             for a spreadsheet
  flagfall standings open.trf --xlsx t.xlsx --pdf t.pdf --lang uk
  flagfall standings open.trf --json | jq '.standings[0].values'

Exit codes: 0 done, 2 wrong arguments, 3 a file from which no table can be made")]
pub struct StandingsArgs {
    /// The report file (TRF16, TRF26); - for standard input
    pub file: PathBuf,
    /// The tie-breaks in their order, e.g. BH/C1,BH,DE,WIN
    #[arg(long, value_name = "CODE,…", value_parser = read_list)]
    pub tiebreaks: Option<List>,
    /// Say for each figure what it is made of
    #[arg(long)]
    pub explain: bool,
    /// Show only these players or teams; places stay those of the whole table
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub only: Vec<u16>,
    /// The system, where the file does not say it: swiss, round-robin or any that `pair` knows
    #[arg(long, value_name = "NAME", value_parser = read_kind)]
    pub system: Option<Kind>,
    /// The text of C.07; without it by the start of the event (042), 2026 from 1 March 2026 on
    #[arg(long, value_enum, value_name = "YEAR")]
    pub edition: Option<RuleBook>,
    /// After this round; the last that was paired without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub round: Option<u16>,
    /// Who withdrew from a round robin: before half of his games nothing of him counts
    #[arg(long, value_name = "ID,…", value_delimiter = ',')]
    pub withdrawn: Vec<u16>,
    /// The rating of who has none; without it unrated opponents are left out of rating tie-breaks
    #[arg(long, value_name = "RATING")]
    pub unrated: Option<u16>,
    /// The players of a team event, one by one
    #[arg(long)]
    pub players: bool,
    /// The language of the explanations
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub json: bool,
    /// Print comma-separated values for a spreadsheet
    #[arg(long, conflicts_with = "explain")]
    pub csv: bool,
    /// Write a page that needs nothing else and prints to this file too
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a workbook to this file too
    #[arg(long, value_name = "FILE")]
    pub xlsx: Option<PathBuf>,
    /// Write a PDF that prints on A4 to this file too
    #[arg(long, value_name = "FILE")]
    pub pdf: Option<PathBuf>,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A text of C.07.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RuleBook {
    /// In force since 1 March 2026
    #[value(name = "2026")]
    Fide2026,
    /// In force before, of 2023 with the changes of 2024
    #[value(name = "2023", alias = "2024")]
    Fide2023,
}

/// An ordered list; a type of its own, so that it is read as one argument.
#[derive(Clone, Debug)]
pub struct List(Vec<TieBreak>);

/// The kind of event, and of whom.
#[derive(Clone, Debug)]
pub struct Kind {
    format: Format,
    system: Option<PairingSystem>,
}

fn read_list(text: &str) -> Result<List, String> {
    let list = TieBreak::list(text).map_err(|error| error.to_string())?;
    if list.is_empty() {
        return Err("name one tie-break at least, e.g. BH/C1,BH".to_owned());
    }
    Ok(List(list))
}

fn read_kind(text: &str) -> Result<Kind, String> {
    if text == "swiss" {
        return Ok(Kind {
            format: Format::Swiss,
            system: None,
        });
    }
    let system: PairingSystem = text
        .parse()
        .map_err(|error| format!("{error}; or say swiss"))?;
    Ok(Kind {
        format: Format::of(&system),
        system: Some(system),
    })
}

/// The table that is printed.
struct Sheet<'a> {
    document: &'a Document,
    table: Crosstable,
    known: Known,
    order: Vec<TieBreak>,
    rows: Vec<Standing>,
}

/// Prints the standings of a report file.
///
/// # Errors
/// When the file cannot be read, contradicts itself, or names a tie-break that is not known.
pub fn print(args: &StandingsArgs) -> Result<(), Failure> {
    let mut reading = files::read(&args.file)?;
    let named = args.system.as_ref().and_then(|kind| kind.system.as_ref());
    files::name_system(&mut reading, named);
    let document = &reading.document;
    let wrong = |error: String| Failure::configuration(anyhow!("{}: {error}", args.file.display()));
    let options = StandingsOptions {
        format: args.system.as_ref().map(|kind| kind.format),
        edition: args.edition.map(|edition| match edition {
            RuleBook::Fide2026 => Edition::Fide2026,
            RuleBook::Fide2023 => Edition::Fide2023,
        }),
        round: args.round.map(RoundNo),
        withdrawn: args.withdrawn.iter().copied().map(PlayerNo).collect(),
        unrated: args.unrated,
    };
    let teams = document.is_team_event() && !args.players;
    let (table, known) = if teams {
        document.team_crosstable(&options)
    } else {
        document.crosstable(&options)
    }
    .map_err(|error| wrong(error.to_string()))?;
    let numbers: BTreeSet<u16> = table.rows().iter().map(|row| row.no.0).collect();
    if let Some(id) = (args.only.iter().chain(&args.withdrawn)).find(|id| !numbers.contains(id)) {
        return Err(Failure::arguments(anyhow!(
            "there is no number {id} in {}",
            args.file.display()
        )));
    }
    let of_file = || {
        document
            .tie_breaks()
            .map_err(|error| wrong(error.to_string()))
    };
    let order = match &args.tiebreaks {
        Some(List(list)) => list.clone(),
        None if document.is_team_event() && !teams => usual(&table),
        None => of_file()?.unwrap_or_else(|| usual(&table)),
    };
    if let Some(code) = order.iter().find(|code| code.is_of_teams() && !teams) {
        return Err(Failure::arguments(anyhow!(
            "{code} is for team events; leave it out of --tiebreaks"
        )));
    }
    let detail = if args.explain {
        Detail::Terms
    } else {
        Detail::Values
    };
    let sheet = Sheet {
        document,
        rows: standings(&table, &order, detail),
        table,
        known,
        order,
    };
    sheet.remark(args);
    if let Some(path) = &args.html {
        files::write(Some(path), export::html(&sheet, args).as_bytes())?;
    }
    if args.xlsx.is_some() || args.pdf.is_some() {
        let grid = export::grid(&sheet, args);
        if let Some(path) = &args.xlsx {
            files::write(Some(path), &grid.xlsx().map_err(anyhow::Error::from)?)?;
        }
        if let Some(path) = &args.pdf {
            let pdf = crate::paper::table(&grid).map_err(anyhow::Error::from)?;
            files::write(Some(path), &pdf)?;
        }
    }
    let text = if args.json {
        sheet.as_json(args)
    } else if args.csv {
        export::csv(&sheet, args)
    } else {
        sheet.as_text(args)
    };
    files::write(args.out.as_deref(), text.as_bytes())
}

/// The list of the rule book (R-ST-4, R-ST-5, R-ST-6).
fn usual(table: &Crosstable) -> Vec<TieBreak> {
    let terms = table.terms();
    match (terms.matches, terms.format) {
        (Some(_), _) => TieBreak::TEAMS.to_vec(),
        (None, Format::Swiss) => TieBreak::SWISS.to_vec(),
        (None, Format::Predetermined) => TieBreak::ROUND_ROBIN.to_vec(),
    }
}

impl Sheet<'_> {
    /// What an arbiter may want to say that the file does not.
    fn remark(&self, args: &StandingsArgs) {
        match self.known {
            Known::AllMet => files::say(
                "the file does not say how it was paired; everybody has met everybody, so it counts \
                 as a round robin (else say --system swiss)",
            ),
            Known::Told | Known::Written | Known::Assumed => {}
        }
        if self.table.terms().format == Format::Predetermined && args.withdrawn.is_empty() {
            for (no, played, each) in self.table.looks_withdrawn() {
                files::say(&format!(
                    "{no} has played {played} of {each} games and none of the last ones; if he \
                     withdrew, say --withdrawn {no}: then his games do not count"
                ));
            }
        }
        let rated = |code: Code| {
            matches!(
                code,
                Code::OpponentsRating
                    | Code::Performance
                    | Code::Perfect
                    | Code::OpponentsPerformance
                    | Code::OpponentsPerfect
            )
        };
        let unrated = (self.table.rows().iter()).filter(|row| row.rating.is_none());
        let unrated = unrated.count();
        if unrated > 0 && args.unrated.is_none() && self.order.iter().any(|it| rated(it.code)) {
            files::say(&format!(
                "without a rating: {unrated}; rating tie-breaks leave them out unless --unrated gives \
                 them one"
            ));
        }
    }

    fn shown(&self, args: &StandingsArgs) -> impl Iterator<Item = &Standing> {
        let only: BTreeSet<u16> = args.only.iter().copied().collect();
        (self.rows.iter()).filter(move |row| only.is_empty() || only.contains(&row.player.0))
    }

    fn name(&self, args: &StandingsArgs, no: PlayerNo) -> String {
        let team = self.document.is_team_event() && !args.players;
        self.document.name_of(no, team).unwrap_or_default()
    }

    /// The list begins with points that the table shows anyway.
    fn columns(&self) -> impl Iterator<Item = (usize, TieBreak)> {
        let first = self
            .order
            .first()
            .filter(|first| first.code == Code::Points);
        let skip = usize::from(first.is_some());
        self.order.iter().copied().enumerate().skip(skip)
    }

    /// The table as cells, the heads first.
    fn lines(&self, args: &StandingsArgs, heads: &[&str; 3]) -> Vec<Vec<String>> {
        let mut head: Vec<String> = heads.iter().map(|head| (*head).to_owned()).collect();
        head.push(self.points_name().to_owned());
        head.extend(self.columns().map(|(_, code)| code.to_string()));
        let line = |row: &Standing| {
            let place = if row.struck_out {
                "–".to_owned()
            } else {
                row.rank.to_string()
            };
            let mut line = vec![place, row.player.to_string(), self.name(args, row.player)];
            line.push(row.points.decimal(1));
            line.extend(self.columns().map(|(at, code)| {
                let figure = row.figures.get(at);
                figure.map_or_else(String::new, |figure| figure.text(code))
            }));
            line
        };
        std::iter::once(head)
            .chain(self.shown(args).map(line))
            .collect()
    }

    fn as_text(&self, args: &StandingsArgs) -> String {
        let lines = self.lines(args, &["#", "No", "Name"]);
        let mut text = columns(&lines);
        if args.explain {
            for row in self.shown(args) {
                let name = self.name(args, row.player);
                // Lines end up in a string, which never fails.
                let _ = writeln!(text, "\n{} {name}", row.player);
                for (code, figure) in self.order.iter().zip(&row.figures) {
                    let _ = writeln!(text, "  {code} {}", figure.text(*code));
                    for line in words::explain(*code, figure, args.lang.into()) {
                        let _ = writeln!(text, "    {line}");
                    }
                }
            }
        }
        text
    }

    fn points_name(&self) -> &'static str {
        let terms = self.table.terms();
        let first = self
            .order
            .first()
            .filter(|first| first.code == Code::Points);
        let score = first.and_then(|first| first.score).unwrap_or(terms.primary);
        match (terms.matches, score) {
            (None, _) => "PTS",
            (Some(_), Score::Match) => "MPTS",
            (Some(_), Score::Game) => "GPTS",
        }
    }

    fn as_json(&self, args: &StandingsArgs) -> String {
        let terms = self.table.terms();
        let rows: Vec<_> = self
            .shown(args)
            .map(|row| {
                let values: serde_json::Map<String, serde_json::Value> = (self.order.iter())
                    .zip(&row.figures)
                    .map(|(code, figure)| (code.to_string(), json!(figure.value)))
                    .collect();
                let mut object = json!({
                    "rank": row.rank,
                    "shared": row.shared,
                    "id": row.player,
                    "name": self.name(args, row.player),
                    "points": row.points,
                    "games": row.games,
                    "struck_out": row.struck_out,
                    "values": values,
                });
                if args.explain {
                    let figures: Vec<_> = (self.order.iter().zip(&row.figures))
                        .map(|(code, figure)| {
                            json!({
                                "code": code.to_string(),
                                "value": figure.value,
                                "terms": figure.terms,
                                "how": figure.how,
                                "text": words::explain(*code, figure, args.lang.into()),
                            })
                        })
                        .collect();
                    object["figures"] = json!(figures);
                }
                object
            })
            .collect();
        let order: Vec<String> = self.order.iter().map(ToString::to_string).collect();
        let object = json!({
            "of": if terms.matches.is_some() { "teams" } else { "players" },
            "format": terms.format,
            "edition": terms.edition,
            "rounds": terms.rounds,
            "planned_rounds": terms.planned,
            "points": self.points_name(),
            "tie_breaks": order,
            "standings": rows,
        });
        format!("{object}\n")
    }
}

/// Left-aligned names, right-aligned numbers.
fn columns(lines: &[Vec<String>]) -> String {
    let count = lines.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count)
        .map(|column| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for line in lines {
        let cells = line.iter().zip(&widths).enumerate();
        let cells: Vec<String> = cells
            .map(|(column, (cell, &width))| {
                if column == 2 {
                    format!("{cell:<width$}")
                } else {
                    format!("{cell:>width$}")
                }
            })
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}
