//! A paired round of teams, as text and as JSON.

use std::fmt::Write as _;

use flagfall_core::{
    pairing::{
        Pair, RoundPairing,
        team::{BoardPair, boards_by},
        words::{self, Language},
    },
    tournament::trf::TeamEvent,
};
use serde_json::json;

/// The boards of a pair of teams.
fn boards(teams: &TeamEvent, pair: &Pair) -> Vec<BoardPair> {
    let line_up = |team| teams.line_ups.get(&team).map_or(&[] as &[_], Vec::as_slice);
    boards_by(line_up(pair.white), line_up(pair.black), &teams.colours)
}

pub(super) fn as_text(
    teams: &TeamEvent,
    paired: &RoundPairing,
    explain: Option<Language>,
) -> String {
    let mut text = format!(
        "{}\n",
        paired.pairs.len() + usize::from(paired.bye.is_some())
    );
    let (mut games, mut why) = (String::new(), String::new());
    // Lines end up in a string, which never fails.
    for pair in &paired.pairs {
        let (white, black) = (pair.white, pair.black);
        let _ = writeln!(text, "{white} {black}");
        for board in boards(teams, pair) {
            let [own, other] = [board.white, board.black].map(|no| no.map_or(0, |no| no.0));
            let _ = writeln!(games, "{white} {black} {} {own} {other}", board.board);
        }
        if let Some(language) = explain {
            let sentence = words::explain(&pair.explanation, language);
            let _ = writeln!(why, "{white} {black}: {sentence}");
        }
    }
    if let Some(bye) = &paired.bye {
        let _ = writeln!(text, "{} 0", bye.player);
        if let Some(language) = explain {
            let sentence = words::explain(&bye.explanation, language);
            let _ = writeln!(why, "{} 0: {sentence}", bye.player);
        }
    }
    if let Some(language) = explain {
        for unpaired in &paired.unpaired {
            let reason = words::unpaired(&unpaired.reason, language);
            let _ = writeln!(why, "{}: {reason}", unpaired.player);
        }
    }
    for part in [games, why] {
        if !part.is_empty() {
            text.push('\n');
            text.push_str(&part);
        }
    }
    text
}

pub(super) fn as_json(
    teams: &TeamEvent,
    paired: &RoundPairing,
    system: &str,
    language: Language,
) -> String {
    let pairs: Vec<_> = (paired.pairs.iter())
        .map(|pair| {
            json!({
                "match": pair.board,
                "white": pair.white,
                "black": pair.black,
                "boards": boards(teams, pair),
                "text": words::explain(&pair.explanation, language),
                "explanation": pair.explanation,
            })
        })
        .collect();
    let bye = paired.bye.as_ref().map(|bye| {
        json!({
            "team": bye.player,
            "kind": bye.kind,
            "text": words::explain(&bye.explanation, language),
            "explanation": bye.explanation,
        })
    });
    let unpaired: Vec<_> = (paired.unpaired.iter())
        .map(|unpaired| {
            json!({
                "team": unpaired.player,
                "reason": unpaired.reason,
                "text": words::unpaired(&unpaired.reason, language),
            })
        })
        .collect();
    let object = json!({
        "round": paired.round,
        "system": system,
        "pairs": pairs,
        "bye": bye,
        "unpaired": unpaired,
    });
    format!("{object}\n")
}
