//! `flagfall players`: a list of players read, filled from the rating list of FIDE, and written.

use std::{
    fs,
    io::{self, Read},
    path::{Path, PathBuf},
};

use anyhow::{Context, anyhow};
use clap::{Args, ValueEnum};
use flagfall_core::tournament::{
    Player, csv,
    fide_list::{Entry, Filler, RatingKind, Reader},
    player::{Sex, number_by_strength},
    trf,
};

use super::files;
use crate::{
    exit::Failure,
    grid::{Cell, Grid},
    workbook,
};

/// What `flagfall players` can be told.
#[derive(Debug, Args)]
#[command(after_help = "\
Reads CSV (comma, semicolon or tab; UTF-8, Windows-1251 or 1252), XLSX and report files (TRF). The names
of the columns may be Ukrainian, Russian or English: Прізвище, Рейтинг, Клуб, fide id, rating …
Lines that cannot be read are named with their number and left out.

The rating list is that of ratings.fide.com, unpacked: players_list_foa.txt, standard_dec26frl.txt,
players_list_xml_foa.xml and the like. Who has a FIDE number is found by it, others by name (also across
the alphabets) where only one in the list bears it and federation and year of birth do not contradict.
Names stay as they are written; the rating of who is found is the list's.

Examples:
  flagfall players entries.xlsx                                        what is in it
  flagfall players entries.csv --fide players_list_foa.txt --out players.csv
  flagfall players entries.xlsx --fide players_list.xml --rating rapid --by-strength --out players.xlsx
  flagfall players old-event.trf --out players.csv

Exit codes: 0 done, 1 it cannot be written, 2 wrong arguments, 3 a file that cannot be read")]
pub struct PlayersArgs {
    /// The list of players; - for standard input
    pub file: PathBuf,
    /// The rating list of FIDE, text or XML
    #[arg(long, value_name = "LIST")]
    pub fide: Option<PathBuf>,
    /// Which rating is taken from a list that has several
    #[arg(long, value_enum, default_value = "standard")]
    pub rating: Kind,
    /// Number the players anew: rating, title, name
    #[arg(long)]
    pub by_strength: bool,
    /// Write here, CSV or by its name XLSX; without it CSV to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A kind of rating.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Standard
    Standard,
    /// Rapid
    Rapid,
    /// Blitz
    Blitz,
}

impl From<Kind> for RatingKind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Standard => Self::Standard,
            Kind::Rapid => Self::Rapid,
            Kind::Blitz => Self::Blitz,
        }
    }
}

/// How much of a list is read at once.
const PIECE: usize = 1 << 20;

/// Runs it.
///
/// # Errors
/// When a file cannot be read or written.
pub fn players(args: &PlayersArgs) -> Result<(), Failure> {
    let shown = args.file.display();
    let bytes = files::read_bytes(&args.file)?;
    let (mut players, errors) = if workbook::is_workbook(&bytes) {
        let file = workbook::players(&bytes)
            .map_err(|error| Failure::configuration(anyhow!("{shown}: {error}")))?;
        (file.players, file.errors)
    } else if files::is_report(&bytes) {
        let file = trf::read_players(&bytes);
        (file.players, file.errors)
    } else {
        let file = csv::read_players(&bytes);
        (file.players, file.errors)
    };
    for error in &errors {
        files::say(&format!("{shown}: {error}"));
    }
    if players.is_empty() {
        return Err(Failure::configuration(anyhow!("{shown}: no players in it")));
    }
    if let Some(list) = &args.fide {
        fill(&mut players, list, args.rating.into()).map_err(Failure::configuration)?;
    }
    if args.by_strength {
        number_by_strength(&mut players);
    }
    let grid = grid(&players);
    let xlsx = (args.out.as_ref()).and_then(|path| path.extension());
    let written = if xlsx.is_some_and(|end| end.eq_ignore_ascii_case("xlsx")) {
        grid.xlsx().map_err(anyhow::Error::from)?
    } else {
        grid.csv().into_bytes()
    };
    files::write(args.out.as_deref(), &written)
}

/// Fills the entries from a list that is read in pieces.
fn fill(players: &mut [Player], list: &Path, kind: RatingKind) -> anyhow::Result<()> {
    let shown = list.display();
    let mut file = fs::File::open(list).with_context(|| format!("cannot read {shown}"))?;
    let mut filler = Filler::new(players, kind);
    let mut reader = Reader::new();
    let mut each = |entry: &Entry<'_>| filler.take(entry);
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece) {
            Ok(0) => break,
            Ok(read) => reader
                .feed(&piece[..read], &mut each)
                .map_err(|error| anyhow!("{shown} {error}"))?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error).context(format!("cannot read {shown}")),
        }
    }
    reader
        .finish(&mut each)
        .map_err(|error| anyhow!("{shown} {error}"))?;
    let (listed, broken) = (reader.players, reader.broken);
    let filled = filler.fill(players);
    for note in &filled.notes {
        files::say(note);
    }
    let of = players.len();
    files::say(&format!(
        "{} of {of} players found among {listed} in {shown}",
        filled.found
    ));
    if broken > 0 {
        files::say(&format!("{shown}: {broken} records could not be read"));
    }
    Ok(())
}

/// The list with the names of its columns as [`csv::read_players`] knows them.
fn grid(players: &[Player]) -> Grid {
    let head = [
        "no",
        "name",
        "title",
        "rating",
        "federation",
        "birth",
        "fide id",
        "sex",
        "club",
    ];
    let text = |text: Option<String>| Cell::Text(text.unwrap_or_default());
    let number = |number: Option<String>| Cell::of(number.unwrap_or_default());
    let rows = players.iter().map(|player| {
        vec![
            Cell::Number(player.no.to_string()),
            Cell::Text(player.name.clone()),
            text(player.title.map(|it| it.to_string())),
            number(player.rating.map(|it| it.to_string())),
            text(player.federation.clone()),
            text(player.birth.map(|it| it.to_string())),
            number(player.fide_id.map(|it| it.to_string())),
            text(player.sex.map(|sex| {
                match sex {
                    Sex::Male => "m",
                    Sex::Female => "w",
                }
                .to_owned()
            })),
            text(player.club.clone()),
        ]
    });
    Grid {
        head: head.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        ..Grid::default()
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::types::PlayerNo;

    use super::*;

    #[test]
    fn what_is_written_is_read_again_whole() {
        let mut player = Player::new(PlayerNo(2), "Ґаламаґа, \"Їжак\"; син");
        player.title = "WIM".parse().ok();
        player.rating = Some(2111);
        player.federation = Some("UKR".into());
        player.birth = "2001-05-06".parse().ok();
        player.fide_id = Some(14_100_000);
        player.sex = Some(Sex::Female);
        player.club = Some("Авангард, Київ".into());
        let all = [player, Player::new(PlayerNo(1), "Only Name")];
        let grid = grid(&all);
        assert_eq!(csv::read_players(grid.csv().as_bytes()).players, all);
        let book = workbook::players(&grid.xlsx().unwrap()).unwrap();
        assert_eq!((book.players, book.errors), (all.to_vec(), vec![]));
    }
}
