//! `flagfall check`: every round of a report file, held against the rules and paired again.

use std::{
    cell::OnceCell,
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
};

use anyhow::anyhow;
use clap::Args;
use flagfall_core::{
    pairing::{
        Explanation, RoundPairing,
        check::{self, Finding, Proposed},
        words::{self, Language},
    },
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
Two questions are asked of each round. Does it break a rule that no pairing may break (C.04.1:
nobody twice, no second bye, limits on colours; forbidden pairs)? Such rules are listed as
`broken`; what the last round or an arbiter excuses, and colours given against the preference, as
`note`. And is it the pairing that we would make? If not, `theirs` and `ours` show what differs:
another program, or an arbiter by hand, may have paired so without breaking any rule.

Examples:
  flagfall check open.trf                      one line a round, and every pair that differs
  flagfall check open.trf --explain --lang uk  and why we would pair so, in Ukrainian
  flagfall check open.trf --rules-only         only the rules, nothing is paired again
  flagfall check open.trf --json | jq '.rounds[] | select(.broken) | .findings'

Exit codes: 0 every round is paired as we would, 2 wrong arguments, 3 a file that cannot be
paired from, 5 a round differs, but none breaks a rule, 7 a round breaks a rule")]
pub struct CheckArgs {
    /// The report file (TRF16, TRF26); - for standard input
    pub file: PathBuf,
    #[command(flatten)]
    pub choice: Choice,
    /// Say why we would pair so
    #[arg(long)]
    pub explain: bool,
    /// Only hold the rounds against the rules, do not pair them again
    #[arg(long, conflicts_with = "explain")]
    pub rules_only: bool,
    /// The language of the findings and the explanations
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
    /// Nothing when it was not paired again.
    #[serde(skip_serializing_if = "Option::is_none")]
    same: Option<bool>,
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
    /// It breaks a rule that no pairing may break.
    broken: bool,
    /// The rules that it breaks, excused and lesser ones included.
    findings: Vec<Found>,
    /// Why the bye is ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    bye_text: Option<String>,
}

/// A rule that the pairing of the file breaks.
#[derive(Debug, Serialize)]
struct Found {
    /// No pairing may break it, and nothing excuses it.
    fault: bool,
    article: &'static str,
    text: String,
    #[serde(flatten)]
    finding: Finding,
}

#[derive(Debug, Serialize)]
struct Ours {
    white: PlayerNo,
    black: PlayerNo,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

/// Holds every round of a report file against the rules, and pairs it again.
///
/// # Errors
/// When the file cannot be read or paired from, or a round breaks a rule or differs.
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
    let broken = rounds.iter().filter(|round| round.broken).count();
    let differing = rounds
        .iter()
        .filter(|round| round.same == Some(false))
        .count();
    let text = if args.json {
        let object =
            serde_json::json!({ "rounds": rounds, "differing": differing, "broken": broken });
        format!("{object}\n")
    } else {
        rounds.iter().map(as_text).collect()
    };
    files::write(args.out.as_deref(), text.as_bytes())?;
    if broken > 0 {
        return Err(Failure::rules_broken(anyhow!(
            "{broken} of {} rounds break a rule of pairing",
            rounds.len()
        )));
    }
    if differing > 0 {
        return Err(Failure::wrong_result(anyhow!(
            "{differing} of {} rounds are paired otherwise than we would, but break no rule",
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
    let language: Language = args.lang.into();
    let findings = findings(args, &request, &theirs, system.basic_rules(), language)?;
    let explain = |why: &Explanation| args.explain.then(|| sentence(&request, why, language));
    let mut compared = if args.rules_only {
        unpaired(&request, &theirs, None)
    } else {
        match system.system().pair(&request.input) {
            Ok(ours) => compare(&request, &ours, &theirs, explain),
            Err(error) => unpaired(&request, &theirs, Some(error.to_string())),
        }
    };
    compared.broken = findings.iter().any(|found| found.fault);
    compared.findings = findings;
    Ok(Some(compared))
}

/// A round that we did not pair, because we could not or were not to.
fn unpaired(request: &Request, theirs: &Paired, error: Option<String>) -> Compared {
    let pairs: Vec<_> = theirs.pairs.union(&theirs.colourless).copied().collect();
    // Without an error it was not tried.
    let same = error.is_some().then_some(false);
    Compared {
        round: request.input.round,
        pairs: pairs.len(),
        same,
        ours: Vec::new(),
        theirs: pairs,
        our_bye: None,
        their_bye: theirs.bye,
        players: BTreeSet::new(),
        error,
        broken: false,
        findings: Vec::new(),
        bye_text: None,
    }
}

/// The rules that the pairing of the file breaks.
fn findings(
    args: &CheckArgs,
    request: &Request,
    theirs: &Paired,
    rules: check::Rules,
    language: Language,
) -> Result<Vec<Found>, Failure> {
    let numbers: BTreeMap<PlayerNo, PlayerNo> = request
        .ids
        .iter()
        .flatten()
        .map(|(&no, &id)| (id, no))
        .collect();
    let no = |id: PlayerNo| numbers.get(&id).copied().unwrap_or(id);
    let pairs = |pairs: &BTreeSet<(PlayerNo, PlayerNo)>| {
        pairs.iter().map(|&(a, b)| (no(a), no(b))).collect()
    };
    let proposed = Proposed {
        pairs: pairs(&theirs.pairs),
        colourless: pairs(&theirs.colourless),
        byes: theirs
            .bye
            .iter()
            .chain(&theirs.more_byes)
            .map(|&id| no(id))
            .collect(),
        left_out: Vec::new(),
    };
    let found = check::check(&request.input, &proposed, rules)
        .map_err(|error| Failure::configuration(anyhow!("{}: {error}", args.file.display())))?;
    Ok(found
        .into_iter()
        .map(|finding| {
            let finding = finding.renamed(|no| request.id(no));
            Found {
                fault: finding.is_fault(),
                article: finding.breach.article(),
                text: words::finding(&finding, language),
                finding,
            }
        })
        .collect())
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
        same: Some(
            only_ours.is_empty()
                && only_theirs.is_empty()
                && same_bye
                && theirs.more_byes.is_empty(),
        ),
        ours: only_ours,
        theirs: only_theirs,
        our_bye,
        their_bye: theirs.bye,
        players,
        error: None,
        broken: false,
        findings: Vec::new(),
        bye_text: ours
            .bye
            .as_ref()
            .filter(|_| !same_bye)
            .and_then(|bye| explain(&bye.explanation)),
    }
}

fn as_text(round: &Compared) -> String {
    let number = round.round;
    let mut text = String::new();
    let rules = if round.broken {
        "breaks rules"
    } else {
        "breaks no rule"
    };
    // Lines end up in a string, which never fails.
    if let Some(error) = &round.error {
        let _ = writeln!(
            text,
            "round {number}: the file has {} pairs, {rules}; we have none: {error}",
            round.pairs
        );
    } else if round.same.is_none() {
        let _ = writeln!(text, "round {number}: {rules}, {} pairs", round.pairs);
    } else if round.same == Some(true) {
        let also = if round.broken { ", breaks rules" } else { "" };
        let _ = writeln!(
            text,
            "round {number}: the same, {} pairs{also}",
            round.pairs
        );
    } else {
        let _ = writeln!(
            text,
            "round {number}: differs in {} of {} pairs, {} players; {rules}",
            round.theirs.len(),
            round.pairs,
            round.players.len()
        );
    }
    for found in &round.findings {
        let kind = if found.fault { "broken" } else { "note  " };
        let _ = writeln!(text, "  {kind} {}", found.text);
    }
    if round.same != Some(false) || round.error.is_some() {
        return text;
    }
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
