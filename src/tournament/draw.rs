//! `flagfall draw`: the numbers of a round robin by restricted drawing.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::{Args, ValueEnum};
use flagfall_core::tournament::{
    csv,
    drawing::{DrawnBy, draw_numbers, drawing_text},
    trf,
};
use serde_json::json;

use super::files;
use crate::exit::Failure;

/// What `flagfall draw` can be told.
#[derive(Debug, Args)]
#[command(after_help = "\
Output: a line `number id name` for each player, ids as the file has them; after an empty line every step of
the drawing. The same seed draws the same again. In an event file: drawing = \"varma\".

Examples:
  flagfall draw players.csv --seed 20261205
  flagfall draw closed.trf --by club --seed 7 --json

Exit codes: 0 drawn, 2 wrong arguments, 3 a list that cannot be read or drawn from")]
pub struct DrawArgs {
    /// The list of players: CSV with a header line, or a report file; - for standard input
    pub file: PathBuf,
    /// Decides the lots; thrown dice or the time will do, so that nobody has chosen it
    #[arg(long, value_name = "N")]
    pub seed: u64,
    /// Who must not meet in the last three rounds
    #[arg(long, value_enum, default_value = "federation")]
    pub by: By,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// What makes two players compatriots.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum By {
    /// One federation
    Federation,
    /// One club
    Club,
}

impl From<By> for DrawnBy {
    fn from(by: By) -> Self {
        match by {
            By::Federation => Self::Federation,
            By::Club => Self::Club,
        }
    }
}

/// Draws numbers.
///
/// # Errors
/// When the list cannot be read, or there is no table for so many players.
pub fn draw(args: &DrawArgs) -> Result<(), Failure> {
    let bytes = files::read_bytes(&args.file)?;
    let (players, errors) = if files::is_report(&bytes) {
        let file = trf::read_players(&bytes);
        (file.players, file.errors)
    } else {
        let file = csv::read_players(&bytes);
        (file.players, file.errors)
    };
    if let Some(error) = errors.first() {
        return Err(Failure::configuration(anyhow!(
            "{}: {error}",
            args.file.display()
        )));
    }
    let (drawn, drawing) = draw_numbers(&players, args.by.into(), args.seed)
        .map_err(|error| Failure::configuration(anyhow!("{}: {error}", args.file.display())))?;
    let steps = drawing_text(&players, &drawing);
    // The drawing names players by their place in the list.
    let mut ids: Vec<(u16, usize)> = drawing.numbers().into_iter().zip(0..).collect();
    ids.sort_unstable();
    let rows = || {
        drawn
            .iter()
            .zip(&ids)
            .map(|(player, (_, at))| (player, players[*at].no))
    };
    let text = if args.json {
        let numbers: Vec<_> = rows()
            .map(|(player, id)| json!({ "number": player.no, "id": id, "name": player.name }))
            .collect();
        let object = json!({
            "seed": args.seed,
            "numbers": numbers,
            "drawing": drawing,
            "text": steps,
        });
        format!("{object}\n")
    } else {
        let lines: Vec<String> = rows()
            .map(|(player, id)| format!("{} {id} {}", player.no, player.name))
            .collect();
        format!("{}\n\n{}\n", lines.join("\n"), steps.join("\n"))
    };
    files::write(args.out.as_deref(), text.as_bytes())
}
