//! `flagfall pair`: the pairs of a round, as other engines print them.

use std::{fmt::Write as _, path::PathBuf};

use clap::{Args, ValueEnum};
use flagfall_core::{
    pairing::{
        Explanation, RoundPairing,
        words::{self, Language},
    },
    tournament::trf::Request,
    types::RoundNo,
};
use serde_json::json;

use super::{Choice, files, teams};
use crate::exit::Failure;

/// What `flagfall pair` can be told.
#[derive(Debug, Args)]
#[command(after_help = super::help_with_systems("\
Output: the number of pairs, then `white black` a line by the ids of the file; a bye is `id 0` and
counts as a pair. Remarks about the file go to stderr.

A file of teams (310, or 013 with --system team-…) gives pairs of teams by their numbers, the team with
White on board 1 first. After an empty line come the boards, `team team board white black`: who plays
stands in 300 for this round, else the first members of the team; 0 is nobody.

Examples:
  flagfall pair open.trf                         the next round, by the system that the file names
  flagfall pair open.trf --round 5               round 5 as it was before it was paired
  flagfall pair open.trf --explain --lang uk     and why, in Ukrainian
  flagfall pair - --json < open.trf              from standard input, as one JSON object
  flagfall pair old.trf --system dutch --rules 2017
  flagfall pair cup.trf --system knock-out:places=3,decided=5/4
  flagfall pair league.trf --system team-round-robin:2

Exit codes: 0 paired, 2 wrong arguments, 3 a file that cannot be paired from, 6 no pairing exists"))]
pub struct PairArgs {
    /// The report file (TRF16, TRF26); - for standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub choice: Choice,
    /// The round to pair; the next one without it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=999))]
    pub round: Option<u16>,
    /// After an empty line, say why: for every pair, the bye, and everybody who is not paired
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

/// A language of explanations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// Ukrainian
    Uk,
    /// Russian
    Ru,
}

impl From<Lang> for Language {
    fn from(lang: Lang) -> Self {
        match lang {
            Lang::En => Self::English,
            Lang::Uk => Self::Ukrainian,
            Lang::Ru => Self::Russian,
        }
    }
}

/// Pairs a round of a report file.
///
/// # Errors
/// When the file cannot be read or paired from, or no pairing exists.
pub fn pair(args: &PairArgs) -> Result<(), Failure> {
    let mut reading = files::read(&args.file)?;
    files::name_system(&mut reading, args.choice.system.as_ref());
    let round = args.round.map(RoundNo);
    let mut request = if reading.document.is_team_event() {
        files::team_request(&args.file, &reading, round)?
    } else {
        files::request(&args.file, &reading, round)?
    };
    let system = args.choice.system_of(&reading.document, &request)?;
    if system.draws_initial_colour() && request.input.settings.initial_colour.is_none() {
        let colour = args.choice.initial_colour.map(Into::into);
        if colour.is_none() && request.input.round == RoundNo(1) {
            files::say(
                "the file does not say who has White first (152, or XXC white1); number 1 gets \
                 White: draw the lot and say --initial-colour",
            );
        }
        request.input.settings.initial_colour = colour;
    }
    let paired = request.pair(&system).map_err(Failure::no_pairing)?;
    let language = args.lang.into();
    let explain = args.explain.then_some(language);
    let text = match (&request.teams, args.json) {
        (None, true) => as_json(&request, &paired, system.name(), language),
        (None, false) => as_text(&request, &paired, explain),
        (Some(teams), true) => teams::as_json(teams, &paired, system.name(), language),
        (Some(teams), false) => teams::as_text(teams, &paired, explain),
    };
    files::write(args.out.as_deref(), text.as_bytes())
}

fn as_text(request: &Request, paired: &RoundPairing, explain: Option<Language>) -> String {
    let mut text = format!(
        "{}\n",
        paired.pairs.len() + usize::from(paired.bye.is_some())
    );
    let mut why = String::new();
    // Lines end up in a string, which never fails.
    for pair in &paired.pairs {
        let (white, black) = (request.id(pair.white), request.id(pair.black));
        let _ = writeln!(text, "{white} {black}");
        if let Some(language) = explain {
            let sentence = sentence(request, &pair.explanation, language);
            let _ = writeln!(why, "{white} {black}: {sentence}");
        }
    }
    if let Some(bye) = &paired.bye {
        let player = request.id(bye.player);
        let _ = writeln!(text, "{player} 0");
        if let Some(language) = explain {
            let sentence = sentence(request, &bye.explanation, language);
            let _ = writeln!(why, "{player} 0: {sentence}");
        }
    }
    if let Some(language) = explain {
        for unpaired in &paired.unpaired {
            let reason = words::unpaired(&unpaired.reason, language);
            let _ = writeln!(why, "{}: {reason}", request.id(unpaired.player));
        }
        text.push('\n');
        text.push_str(&why);
    }
    text
}

fn as_json(request: &Request, paired: &RoundPairing, system: &str, language: Language) -> String {
    let pairs: Vec<_> = paired
        .pairs
        .iter()
        .map(|pair| {
            json!({
                "board": pair.board,
                "white": request.id(pair.white),
                "black": request.id(pair.black),
                "text": sentence(request, &pair.explanation, language),
                "explanation": pair.explanation,
            })
        })
        .collect();
    let bye = paired.bye.as_ref().map(|bye| {
        json!({
            "player": request.id(bye.player),
            "kind": bye.kind,
            "text": sentence(request, &bye.explanation, language),
            "explanation": bye.explanation,
        })
    });
    let unpaired: Vec<_> = paired
        .unpaired
        .iter()
        .map(|unpaired| {
            json!({
                "player": request.id(unpaired.player),
                "reason": unpaired.reason,
                "text": words::unpaired(&unpaired.reason, language),
            })
        })
        .collect();
    let mut object = json!({
        "round": paired.round,
        "system": system,
        "pairs": pairs,
        "bye": bye,
        "unpaired": unpaired,
    });
    if let Some(ids) = &request.ids {
        // Explanations name players by their place in the order of strength.
        object["ids"] = json!(ids);
    }
    format!("{object}\n")
}

/// The sentence. Where the order of strength is not that of the ids, it says what its numbers are.
pub(super) fn sentence(request: &Request, why: &Explanation, language: Language) -> String {
    let mut text = words::explain(why, language);
    if request.ids.is_some() {
        text.push(' ');
        text.push_str(words::numbers_are_ranks(language));
    }
    text
}
