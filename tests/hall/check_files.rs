//! `flagfall check` on pairings that somebody made by hand: broken rules are told apart from rounds
//! that are only paired otherwise.

use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Stdio},
};

use serde_json::Value;

use crate::place::BIN;

/// A report file in which every player has these rounds, e.g. `3w1` or `-U` for the bye, with these
/// further records.
fn report(records: &str, players: &[&[&str]]) -> String {
    let mut text = format!("012 Test\n142 9\n152 W\n{records}");
    for (no, rounds) in (1..).zip(players) {
        let mut points = 0;
        let mut cells = String::new();
        for round in *rounds {
            let (opponent, rest) =
                round.split_at(round.find(|c: char| !c.is_ascii_digit()).unwrap());
            let opponent: u16 = opponent.parse().unwrap_or(0);
            let mut signs = rest.chars();
            let (colour, code) = (signs.next().unwrap(), signs.next().unwrap());
            points += match code {
                '1' | 'U' | '+' | 'F' => 2,
                '=' | 'H' => 1,
                _ => 0,
            };
            let opponent = if opponent == 0 {
                "0000".to_owned()
            } else {
                format!("{opponent:4}")
            };
            write!(cells, "  {opponent} {colour} {code}").unwrap();
        }
        let points = format!("{}.{}", points / 2, points % 2 * 5);
        writeln!(
            text,
            "001 {no:4}      {:33} {:4}{:28} {points:>3} {no:4}{cells}",
            format!("Player {no}"),
            2400 - no * 10,
            ""
        )
        .unwrap();
    }
    text
}

/// What `flagfall check -` says of it, and the exit code.
fn check(report: &str, more: &[&str]) -> (String, Option<i32>) {
    let mut program = Command::new(BIN)
        .args(["check", "-"])
        .args(more)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    program
        .stdin
        .take()
        .unwrap()
        .write_all(report.as_bytes())
        .unwrap();
    let output = program.wait_with_output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        !text.is_empty(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    (text, output.status.code())
}

#[test]
fn a_round_paired_by_hand_that_breaks_no_rule_only_differs() {
    let file = report("", &[&["2w1"], &["1b0"], &["4w1"], &["3b0"]]);
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(5), "{text}");
    assert!(
        text.starts_with("round 1: differs in 2 of 2 pairs, 4 players; breaks no rule\n"),
        "{text}"
    );
    assert!(!text.contains("broken"), "{text}");
    let (text, code) = check(&file, &["--rules-only"]);
    assert_eq!(
        (text.as_str(), code),
        ("round 1: breaks no rule, 2 pairs\n", Some(0))
    );
}

#[test]
fn a_rematch_is_a_broken_rule_in_every_language() {
    let file = report(
        "",
        &[
            &["3w1", "3b1"],
            &["4b0", "4w0"],
            &["1b0", "1w0"],
            &["2w1", "2b1"],
        ],
    );
    for (lang, words) in [
        (
            "en",
            "  broken 3 and 1 have met before, in round 1 (C.04.1, 2).",
        ),
        ("uk", "  broken 3 і 1 уже грали, в турі 1 (C.04.1, 2)."),
        ("ru", "  broken 3 и 1 уже играли, в туре 1 (C.04.1, 2)."),
    ] {
        let (text, code) = check(&file, &["--lang", lang]);
        assert_eq!(code, Some(7), "{text}");
        assert!(text.contains(words), "{text}");
    }
    let (text, _) = check(&file, &["--json"]);
    let object: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(object["broken"], 1);
    assert_eq!(object["rounds"][0]["broken"], false);
    let finding = &object["rounds"][1]["findings"][0];
    assert_eq!(finding["fault"], true);
    assert_eq!(finding["article"], "C.04.1, 2");
    assert_eq!(finding["breach"]["breach"], "rematch");
    assert_eq!(finding["breach"]["before"], 1);
}

#[test]
fn a_forfeit_is_no_meeting() {
    let file = report("", &[&["2w+", "2w1"], &["1b-", "1b0"]]);
    let (text, code) = check(&file, &[]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn byes_are_held_against_what_was_scored_without_a_game() {
    let second = report("", &[&["2w1", "2w1"], &["1b0", "1b0"], &["-U", "-U"]]);
    let (text, code) = check(&second, &[]);
    assert_eq!(code, Some(7), "{text}");
    assert!(
        text.contains("broken 3 has the bye again after round 1 (C.04.1, 4)."),
        "{text}"
    );
    let after_forfeit = report("", &[&["3w+", "-U"], &["-U", "3w1"], &["1b-", "2b0"]]);
    let (text, code) = check(&after_forfeit, &["--rules-only"]);
    assert_eq!(code, Some(7), "{text}");
    assert!(
        text.contains(
            "broken 1 has the bye after scoring 1 without a game in round 1 (C.04.1, 4)."
        ),
        "{text}"
    );
    // A half-point bye bars nobody.
    let after_half = report(
        "",
        &[
            &["-H", "-U"],
            &["3w1", "4b1"],
            &["2b0", "-Z"],
            &["-U", "2w0"],
        ],
    );
    let (text, code) = check(&after_half, &["--rules-only"]);
    assert_eq!(code, Some(0), "{text}");
    let two_at_once = report("", &[&["2w1"], &["1b0"], &["-U"], &["-U"]]);
    let (text, code) = check(&two_at_once, &["--rules-only"]);
    assert_eq!(code, Some(7), "{text}");
    assert!(text.contains("2 players have the bye: 3, 4"), "{text}");
}

#[test]
fn forbidden_pairs_hold_in_their_rounds() {
    let players: &[&[&str]] = &[
        &["3w1", "4b1"],
        &["4b0", "3w1"],
        &["1b0", "2b0"],
        &["2w1", "1w0"],
    ];
    let (text, code) = check(
        &report("260 002 009    1    4\n", players),
        &["--rules-only"],
    );
    assert_eq!(code, Some(7), "{text}");
    assert!(
        text.contains(
            "round 2: breaks rules, 2 pairs\n  broken 4 and 1 must not meet in rounds from 2 to 9"
        ),
        "{text}"
    );
    let (text, code) = check(
        &report("260 003 009    1    4\n", players),
        &["--rules-only"],
    );
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn limits_on_colours_fall_for_topscorers_in_the_last_round_only() {
    // Player 1 has White three times, in round 3 of 3 or of 9.
    let players: &[&[&str]] = &[
        &["2w1", "3w1", "4w1"],
        &["1b0", "4w1", "3b0"],
        &["4w1", "1b0", "2w1"],
        &["3b0", "2b0", "1b0"],
    ];
    let open = report("", players);
    let (text, code) = check(&open, &["--rules-only"]);
    assert_eq!(code, Some(7), "{text}");
    for words in [
        "broken 1 has White for the third time running, twice is the limit (C.04.1, 7).",
        "broken 1 has 3 White more than Black, 2 is the limit (C.04.1, 6).",
    ] {
        assert!(text.contains(words), "{text}");
    }
    let last = open.replace("142 9", "142 3");
    let (text, _) = check(&last, &["--rules-only"]);
    assert!(
        text.contains(
            "note   1 has White for the third time running, twice is the limit (C.04.1, 7); allowed \
             in the last round, because of the points of 1."
        ),
        "{text}"
    );
    let (text, code) = check(&last, &["--rules-only", "--system", "dubov"]);
    assert_eq!(code, Some(7), "Dubov has no exception: {text}");
}

#[test]
fn players_are_named_by_the_ids_of_the_file() {
    // The order of strength is the rank column, the other way round.
    let file = report(
        "XXC rank\n",
        &[
            &["3w1", "3b1"],
            &["4b0", "4w0"],
            &["1b0", "1w0"],
            &["2w1", "2b1"],
        ],
    );
    let mut turned = String::new();
    for line in file.lines() {
        match line.get(..8).filter(|start| start.starts_with("001")) {
            Some(start) => {
                let no: u16 = start[4..].trim().parse().unwrap();
                writeln!(turned, "{}{:4}{}", &line[..85], 5 - no, &line[89..]).unwrap();
            }
            None => writeln!(turned, "{line}").unwrap(),
        }
    }
    let (text, code) = check(&turned, &["--rules-only"]);
    assert_eq!(code, Some(7), "{text}");
    assert!(text.contains("3 and 1 have met before"), "{text}");
    assert!(text.contains("2 and 4 have met before"), "{text}");
}
