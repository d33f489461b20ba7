//! `flagfall generate`: tournaments that nobody played.

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use flagfall_core::tournament::{
    PairingSystem,
    simulate::{Plan, SimulateError, simulate},
    trf::ReportOptions,
};

use super::files;
use crate::exit::Failure;

/// What `flagfall generate` can be told.
#[derive(Debug, Args)]
#[command(after_help = super::help_with_systems("\
The same arguments give the same bytes, on every machine.

Examples:
  flagfall generate --players 60 --rounds 9 --seed 1 > open.trf
  flagfall generate --players 301 --rounds 11 --byes 3 --forfeits 2 --withdrawals 5 --out big.trf
  flagfall generate --players 200 --rounds 9 --baku | flagfall check -
  flagfall generate --players 8 --system knock-out:places=all | flagfall check -

Exit codes: 0 done, 1 it cannot be written, 2 wrong arguments, 3 a system that cannot be played so, 6 a round has no legal pairing: fewer rounds, more players"))]
pub struct GenerateArgs {
    /// Players
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(2..=9999))]
    pub players: u16,
    /// Rounds; without it as many as the system needs, and a Swiss must be told
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub rounds: Option<u16>,
    /// Decides ratings, results and everything else that is left to chance
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
    /// The pairing system, e.g. dutch, round-robin:2 or knock-out:games=2
    #[arg(long, value_name = "NAME[:…]", default_value = "dutch", value_parser = super::read_system)]
    pub system: PairingSystem,
    /// Games that are forfeited, in per cent
    #[arg(long, default_value_t = 0, value_name = "%", value_parser = clap::value_parser!(u8).range(..=100))]
    pub forfeits: u8,
    /// Players of a round with a half-point bye, in per cent
    #[arg(long, default_value_t = 0, value_name = "%", value_parser = clap::value_parser!(u8).range(..=100))]
    pub byes: u8,
    /// Players who leave before the end, in per cent
    #[arg(long, default_value_t = 0, value_name = "%", value_parser = clap::value_parser!(u8).range(..=100))]
    pub withdrawals: u8,
    /// Baku acceleration
    #[arg(long)]
    pub baku: bool,
    /// Write TRF16 with the extensions of other programs rather than TRF26
    #[arg(long)]
    pub trf16: bool,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// Makes up a tournament.
///
/// # Errors
/// When a round has no legal pairing, or the file cannot be written.
pub fn generate(args: &GenerateArgs) -> Result<(), Failure> {
    let system = args.system.clone();
    if system.is_of_teams() {
        return Err(Failure::configuration(anyhow!(
            "{} pairs teams, and only events of players can be made up; choose another --system",
            system.name()
        )));
    }
    if args.baku && !system.is_swiss() {
        return Err(Failure::configuration(anyhow!(
            "only a Swiss can be accelerated: leave --baku out, or choose another --system"
        )));
    }
    let absent = [args.forfeits, args.byes, args.withdrawals];
    if matches!(system, PairingSystem::KnockOut { .. }) && absent.iter().any(|share| *share > 0) {
        return Err(Failure::configuration(anyhow!(
            "who is absent in a knock-out leaves a match that somebody must decide: leave \
             --forfeits, --byes and --withdrawals out"
        )));
    }
    let needed = system.system().rounds(usize::from(args.players));
    let Some(rounds) = args.rounds.or(needed) else {
        return Err(Failure::arguments(anyhow!(
            "{} is played for any number of rounds: say how many with --rounds",
            system.name()
        )));
    };
    let plan = Plan {
        players: args.players,
        rounds,
        seed: args.seed,
        system,
        forfeits: args.forfeits,
        byes: args.byes,
        withdrawals: args.withdrawals,
        baku: args.baku,
    };
    let options = ReportOptions {
        legacy: args.trf16,
        ..ReportOptions::default()
    };
    let document = simulate(&plan, options).map_err(|error| match error {
        SimulateError::Pairing(_) => Failure::no_pairing(error),
        SimulateError::Report(_) | SimulateError::Request(_) => Failure::from(anyhow!(error)),
    })?;
    files::write(args.out.as_deref(), &document.write())
}
