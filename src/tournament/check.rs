//! `flagfall check`: every round of a report file, paired again.

use std::{
    cell::OnceCell,
    collections::BTreeSet,
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
};

use anyhow::anyhow;
use clap::Args;
use flagfall_core::{
    pairing::{Explanation, RoundPairing},
    tournament::{
        PairingSystem,
        trf::{Document, Paired, Reading, Request},
    },
    types::{Color, PlayerNo, RoundNo},
};
use serde::Serialize;

use super::{
    Choice, files,
    pair::{Lang, sentence},
};
use crate::exit::Failure;

/// What `flagfall check` can be told.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  flagfall check open.trf                      one line a round, and every pair that differs
  flagfall check open.trf --explain            and why we would pair so
  flagfall check open.trf --json | jq .differing

Exit codes: 0 every round is paired as we would, 2 wrong arguments, 3 a file that cannot be
paired from, 5 a round differs")]
pub struct CheckArgs {
    /// The report file (TRF16, TRF26); - for standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub choice: Choice,
    /// Say why we would pair so
    #[arg(long)]
    pub explain: bool,
    /// The language of the explanations
    #[arg(long, value_enum, default_value = "en")]
    pub lang: Lang,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// A round, ours beside theirs. Players by the ids of the file.
#[derive(Debug, Serialize)]
struct Compared {
    round: RoundNo,
    /// Pairs of the file.
    pairs: usize,
    same: bool,
    /// Pairs that only we have.
    ours: Vec<Ours>,
    /// Pairs that only the file has.
    theirs: Vec<(PlayerNo, PlayerNo)>,
    our_bye: Option<PlayerNo>,
    their_bye: Option<PlayerNo>,
    /// Who meets somebody else, has the other colour, or has or loses the bye.
    players: BTreeSet<PlayerNo>,
    /// Why we have no pairing.
    error: Option<String>,
    /// Why the bye is ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    bye_text: Option<String>,
}

#[derive(Debug, Serialize)]
struct Ours {
    white: PlayerNo,
    black: PlayerNo,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Pairs every round of a report file again.
///
/// # Errors
/// When the file cannot be read or paired from, or a round differs.
pub fn check(args: &CheckArgs) -> Result<(), Failure> {
    let mut reading = files::read(&args.file)?;
    files::name_system(&mut reading, args.choice.system.as_ref());
    let last = reading.document.round_to_pair().0.saturating_sub(1);
    if last == 0 {
        return Err(Failure::configuration(anyhow!(
            "{}: nobody is paired in it yet, so there is nothing to check; `flagfall pair` makes \
             round 1",
            args.file.display()
        )));
    }
    let progress = io::stderr().is_terminal();
    let lot = OnceCell::new();
    let mut rounds = Vec::new();
    for number in 1..=last {
        if progress {
            drop(write!(io::stderr(), "\rround {number} of {last} "));
        }
        let round = check_round(args, &reading, RoundNo(number), &lot);
        if progress {
            // What comes next starts on a clean line.
            drop(write!(io::stderr(), "\r{:28}\r", ""));
        }
        rounds.extend(round?);
    }
    let differing = rounds.iter().filter(|round| !round.same).count();
    let text = if args.json {
        let object = serde_json::json!({ "rounds": rounds, "differing": differing });
        format!("{object}\n")
    } else {
        rounds.iter().map(as_text).collect()
    };
    files::write(args.out.as_deref(), text.as_bytes())?;
    if differing > 0 {
        return Err(Failure::wrong_result(anyhow!(
            "{differing} of {} rounds are paired otherwise than by the rules",
            rounds.len()
        )));
    }
    Ok(())
}

/// `None` when nobody was paired in the round.
fn check_round(
    args: &CheckArgs,
    reading: &Reading,
    number: RoundNo,
    lot: &OnceCell<Option<Color>>,
) -> Result<Option<Compared>, Failure> {
    let document = &reading.document;
    let theirs = document.pairing_of(number);
    if theirs == Paired::default() {
        return Ok(None);
    }
    let mut request = files::request(&args.file, reading, Some(number))?;
    let system = args.choice.system_of(document, &request)?;
    if request.input.settings.initial_colour.is_none() && system.draws_initial_colour() {
        request.input.settings.initial_colour = match args.choice.initial_colour {
            Some(colour) => Some(colour.into()),
            None => *lot.get_or_init(|| initial_colour(document, &system)),
        };
    }
    let language = args.explain.then(|| args.lang.into());
    let explain = |why: &Explanation| language.map(|language| sentence(&request, why, language));
    Ok(Some(match system.system().pair(&request.input) {
        Ok(ours) => compare(&request, &ours, &theirs, explain),
        Err(error) => Compared {
            round: number,
            pairs: theirs.pairs.len() + theirs.colourless.len(),
            same: false,
            ours: Vec::new(),
            theirs: theirs.pairs.union(&theirs.colourless).copied().collect(),
            our_bye: None,
            their_bye: theirs.bye,
            players: BTreeSet::new(),
            error: Some(error.to_string()),
            bye_text: None,
        },
    }))
}

/// The lot as round 1 shows it: the colour with which more pairs are those of the file.
fn initial_colour(document: &Document, system: &PairingSystem) -> Option<Color> {
    let mut request = document.request(Some(RoundNo(1))).ok()?;
    let theirs = document.pairing_of(RoundNo(1));
    // Of two that fit alike the last one is taken.
    [Color::Black, Color::White]
        .into_iter()
        .max_by_key(|colour| {
            request.input.settings.initial_colour = Some(*colour);
            let ours = system.system().pair(&request.input);
            ours.map_or(0, |ours| {
                let pairs = ours.pairs.iter();
                pairs
                    .filter(|pair| {
                        let pair = (request.id(pair.white), request.id(pair.black));
                        theirs.pairs.contains(&pair)
                    })
                    .count()
            })
        })
}

fn compare(
    request: &Request,
    ours: &RoundPairing,
    theirs: &Paired,
    explain: impl Fn(&Explanation) -> Option<String>,
) -> Compared {
    let mut left = theirs.clone();
    let mut only_ours = Vec::new();
    for pair in &ours.pairs {
        let (white, black) = (request.id(pair.white), request.id(pair.black));
        let same = left.pairs.remove(&(white, black))
            || left
                .colourless
                .remove(&(white.min(black), white.max(black)));
        if !same {
            only_ours.push(Ours {
                white,
                black,
                text: explain(&pair.explanation),
            });
        }
    }
    let our_bye = ours
        .bye
        .as_ref()
        .filter(|bye| bye.kind == flagfall_core::pairing::ByeKind::PairingAllocated)
        .map(|bye| request.id(bye.player));
    let only_theirs: Vec<_> = left.pairs.union(&left.colourless).copied().collect();
    let mut players: BTreeSet<PlayerNo> = only_ours
        .iter()
        .flat_map(|pair| [pair.white, pair.black])
        .chain(
            only_theirs
                .iter()
                .flat_map(|(white, black)| [*white, *black]),
        )
        .collect();
    let same_bye = our_bye == theirs.bye;
    if !same_bye {
        players.extend(our_bye.iter().chain(&theirs.bye));
    }
    Compared {
        round: ours.round,
        pairs: theirs.pairs.len() + theirs.colourless.len(),
        same: only_ours.is_empty() && only_theirs.is_empty() && same_bye,
        ours: only_ours,
        theirs: only_theirs,
        our_bye,
        their_bye: theirs.bye,
        players,
        error: None,
        bye_text: ours
            .bye
            .as_ref()
            .filter(|_| !same_bye)
            .and_then(|bye| explain(&bye.explanation)),
    }
}

fn as_text(round: &Compared) -> String {
    let number = round.round;
    if round.same {
        return format!("round {number}: the same, {} pairs\n", round.pairs);
    }
    let mut text = String::new();
    // Lines end up in a string, which never fails.
    if let Some(error) = &round.error {
        let _ = writeln!(
            text,
            "round {number}: the file has {} pairs, we have none: {error}",
            round.pairs
        );
        return text;
    }
    let _ = writeln!(
        text,
        "round {number}: differs in {} of {} pairs, {} players",
        round.theirs.len(),
        round.pairs,
        round.players.len()
    );
    for (white, black) in &round.theirs {
        let _ = writeln!(text, "  theirs {white} {black}");
    }
    for pair in &round.ours {
        let _ = write!(text, "  ours   {} {}", pair.white, pair.black);
        let why = pair.text.as_ref().map(|why| format!(": {why}"));
        let _ = writeln!(text, "{}", why.unwrap_or_default());
    }
    if round.our_bye != round.their_bye {
        let name = |bye: Option<PlayerNo>| bye.map_or("nobody".to_owned(), |no| no.to_string());
        let _ = writeln!(text, "  theirs bye {}", name(round.their_bye));
        let _ = write!(text, "  ours   bye {}", name(round.our_bye));
        let why = round.bye_text.as_ref().map(|why| format!(": {why}"));
        let _ = writeln!(text, "{}", why.unwrap_or_default());
    }
    text
}
