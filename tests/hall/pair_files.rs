//! `flagfall pair`, `check` and `generate` as a user and a script meet them: output, words, exit codes.

use std::{
    fmt::Write as _,
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::place::{BIN, stderr};

fn flagfall(arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(BIN)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Whoever finds its arguments wrong reads nothing.
    let _ = program.stdin.take().unwrap().write_all(input.as_bytes());
    program.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A file of `players` players before round 1; those in `away` have announced that they miss it.
fn fresh(players: u16, away: &[u16]) -> String {
    let mut text = String::from("012 Test\n142 5\n152 W\n192 FIDE_DUTCH_2026\n");
    for no in 1..=players {
        let name = format!("Player {no}");
        let bye = if away.contains(&no) { "  0000 - Z" } else { "" };
        writeln!(
            text,
            "001 {no:4}      {name:33} {:4}{:28} 0.0 {no:4}{bye}",
            2400 - no * 10,
            ""
        )
        .unwrap();
    }
    text
}

#[test]
fn pairs_come_out_as_other_engines_print_them() {
    let output = flagfall(&["pair", "-"], &fresh(7, &[]));
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "4\n1 4\n5 2\n3 6\n7 0\n");
    assert_eq!(stderr(&output), "");
}

#[test]
fn an_explanation_follows_an_empty_line_in_the_language_asked_for() {
    for (lang, bye, absent) in [
        (
            "en",
            "7 0: The number of players is odd",
            "8: He is absent in this round.",
        ),
        (
            "uk",
            "7 0: Учасників непарна кількість",
            "8: Пропускає цей тур.",
        ),
        (
            "ru",
            "7 0: Участников нечётное число",
            "8: Пропускает этот тур.",
        ),
    ] {
        let input = fresh(8, &[8]);
        let output = flagfall(&["pair", "-", "--explain", "--lang", lang], &input);
        let text = stdout(&output);
        let (pairs, why) = text.split_once("\n\n").unwrap();
        assert_eq!(pairs, "4\n1 4\n5 2\n3 6\n7 0");
        assert!(why.contains(bye) && why.contains(absent), "{why}");
        assert_eq!(why.lines().count(), 5, "three pairs, the bye, the absent");
    }
    let output = flagfall(&["pair", "-", "--json", "--lang", "uk"], &fresh(8, &[8]));
    let object: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(object["round"], 1);
    assert_eq!(object["pairs"][1]["white"], 5);
    assert_eq!(object["pairs"][1]["explanation"]["rule"], "dutch-pair");
    assert_eq!(object["unpaired"][0]["reason"]["kind"], "absent");
}

#[test]
fn what_cannot_be_paired_is_said_in_words_with_its_code() {
    let cases: [(&[&str], String, i32, &str); 10] = [
        (
            &["pair", "-"],
            fresh(4, &[1, 2, 3, 4]),
            6,
            "nobody can be paired in round 1",
        ),
        (
            &["pair", "-"],
            fresh(4, &[1, 2, 3]),
            6,
            "nobody can be paired in round 1",
        ),
        (&["pair", "-"], fresh(1, &[]), 6, "enter at least two"),
        (&["pair", "-"], String::new(), 3, "the file has no players"),
        (
            &["pair", "-", "--round", "3"],
            fresh(4, &[]),
            3,
            "1 is the next",
        ),
        (
            &["pair", "/nowhere/x.trf"],
            String::new(),
            3,
            "cannot read /nowhere/x.trf",
        ),
        (
            &["pair", "-", "--system", "duch"],
            fresh(4, &[]),
            2,
            "dutch-2017",
        ),
        (&["check", "-"], fresh(4, &[]), 3, "nothing to check"),
        (
            &["pair", "-"],
            fresh(4, &[4]).replace("  0000 - Z", "0000 - Z"),
            3,
            "not where the columns should be",
        ),
        (
            &["pair", "-"],
            fresh(4, &[]).replace("FIDE_DUTCH_2026", "CUSTOM_LADDER"),
            3,
            "name one with --system",
        ),
    ];
    for (arguments, input, code, words) in cases {
        let output = flagfall(arguments, &input);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(words), "{arguments:?}: {said}");
        assert_eq!(stdout(&output), "", "{arguments:?}");
    }
    // Four players have met everybody after three rounds.
    let four = ["generate", "--players", "4", "--rounds", "4"];
    let output = flagfall(&four, "");
    assert_eq!(output.status.code(), Some(6), "{}", stderr(&output));
}

#[test]
fn a_made_up_tournament_is_the_same_again_and_checks() {
    let arguments = [
        "generate",
        "--players",
        "40",
        "--rounds",
        "7",
        "--seed",
        "9",
        "--byes",
        "4",
        "--forfeits",
        "4",
        "--withdrawals",
        "8",
    ];
    let first = flagfall(&arguments, "");
    assert!(first.status.success(), "{}", stderr(&first));
    assert_eq!(first.stdout, flagfall(&arguments, "").stdout);
    let report = stdout(&first);
    let checked = flagfall(&["check", "-"], &report);
    assert!(checked.status.success(), "{}", stdout(&checked));
    assert_eq!(stdout(&checked).matches("the same").count(), 7);
    // The older rules pair some round otherwise, or the check would not look.
    let mut differing = 0;
    for seed in ["1", "2", "3"] {
        let mut other = arguments;
        other[6] = seed;
        let report = stdout(&flagfall(&other, ""));
        let arguments = ["check", "-", "--rules", "2017", "--json"];
        let checked = flagfall(&arguments, &report);
        let object: Value = serde_json::from_str(&stdout(&checked)).unwrap();
        let rounds = object["differing"].as_u64().unwrap();
        assert_eq!(checked.status.code(), Some(if rounds > 0 { 5 } else { 0 }));
        differing += rounds;
    }
    assert!(differing > 0);
}

#[test]
fn a_swapped_colour_is_found_with_the_players() {
    let report = stdout(&flagfall(
        &["generate", "--players", "6", "--rounds", "1"],
        "",
    ));
    let swapped: String = report
        .lines()
        .map(|line| {
            let line = if line.starts_with("001") {
                line.replace(" w ", " x ")
                    .replace(" b ", " w ")
                    .replace(" x ", " b ")
            } else {
                line.to_owned()
            };
            line + "\n"
        })
        .collect();
    let arguments = ["check", "-", "--explain"];
    let output = flagfall(&arguments, &swapped);
    assert_eq!(output.status.code(), Some(5), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.starts_with("round 1: differs in 3 of 3 pairs, 6 players; breaks no rule\n"),
        "{text}"
    );
    assert_eq!(text.matches("  theirs ").count(), 3, "{text}");
    assert!(
        text.contains("  ours   ") && text.contains("Bracket 1"),
        "{text}"
    );
}

#[test]
fn completions_know_the_commands() {
    let script = stdout(&flagfall(&["completions", "bash"], ""));
    for word in ["pair)", "check)", "generate)", "--explain", "--withdrawals"] {
        assert!(script.contains(word), "{word}");
    }
}

/// A knock-out after its first stage, of which one match is level.
const CUP: &str = "\
012 Cup
142 2
192 CUSTOM_KNOCKOUT
001    1      One                               2400                             1.0    1     4 w 1
001    2      Two                               2300                             0.5    2     3 b =
001    3      Three                             2200                             0.5    3     2 w =
001    4      Four                              2100                             0.0    4     1 b 0
";

#[test]
fn a_knock_out_goes_on_once_everybody_is_decided() {
    let output = flagfall(&["pair", "-"], CUP);
    assert_eq!(output.status.code(), Some(6));
    let said = stderr(&output);
    assert!(said.contains("nobody has won 2 v 3 of stage 1"), "{said}");
    let output = flagfall(
        &["pair", "-", "--system", "knock-out:decided=3/2", "--json"],
        CUP,
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let object: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(object["system"], "knock-out");
    // Three has had White and One too: the lot decides, and the seed is 0.
    let pair = &object["pairs"][0];
    let two = [&pair["white"], &pair["black"]];
    assert!(
        two.contains(&&Value::from(1)) && two.contains(&&Value::from(3)),
        "{pair}"
    );
    let places = "knock-out:places=all,decided=3/2";
    let output = flagfall(&["pair", "-", "--system", places], CUP);
    assert!(stdout(&output).starts_with("2\n"), "{}", stdout(&output));
}

#[test]
fn systems_are_named_with_their_parameters_or_refused_in_words() {
    for (system, said) in [
        (
            "knockout",
            "there is no system \"knockout\"; there are dutch, ",
        ),
        (
            "match",
            "a match needs to know when it ends; write e.g. match:12",
        ),
        ("round-robin:0", "cycles cannot be \"0\"; write 1 to 99"),
        ("dutch:2", "write only dutch"),
        ("scheveningen:sides=1-3", "sides cannot be \"1-3\""),
    ] {
        let output = flagfall(&["pair", "-", "--system", system], CUP);
        assert_eq!(output.status.code(), Some(2), "{system}");
        assert!(
            stderr(&output).contains(said),
            "{system}: {}",
            stderr(&output)
        );
    }
    let output = flagfall(&["pair", "-", "--system", "team-swiss"], CUP);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("names no two teams"),
        "{}",
        stderr(&output)
    );
    let help = stdout(&flagfall(&["pair", "--help"], ""));
    for words in ["knock-out:places=3", "match-tournament", "primary="] {
        assert!(help.contains(words), "{words}");
    }
}

#[test]
fn formats_are_made_up_and_check_the_same() {
    for (system, players, rounds) in [
        ("knock-out:places=all", "6", 3),
        ("knock-out:games=2,seed=9", "12", 8),
        ("scheveningen:2", "10", 10),
        ("match:8,all=yes,turn=yes", "2", 8),
        ("match-tournament:4", "5", 20),
        ("round-robin:3", "4", 9),
    ] {
        let made = flagfall(&["generate", "--players", players, "--system", system], "");
        assert!(made.status.success(), "{system}: {}", stderr(&made));
        let file = stdout(&made);
        let checked = flagfall(&["check", "-"], &file);
        assert!(checked.status.success(), "{system}: {}", stdout(&checked));
        assert_eq!(
            stdout(&checked).matches("the same").count(),
            rounds,
            "{system}"
        );
    }
    let output = flagfall(&["generate", "--players", "8"], "");
    assert_eq!(
        output.status.code(),
        Some(2),
        "a Swiss has no number of rounds of its own"
    );
    let output = flagfall(
        &[
            "generate",
            "--players",
            "8",
            "--rounds",
            "3",
            "--system",
            "team-swiss",
        ],
        "",
    );
    assert!(
        stderr(&output).contains("only events of players"),
        "{}",
        stderr(&output)
    );
}

/// Three teams of two before round 1; the second plays with its reserve.
const TEAMS: &str = "\
012 League
142 3
152 W
192 FIDE_TEAM_TYPEA_MP_GP
352 WB
001   11      A1                                2400                             0.0    1
001   12      A2                                2300                             0.0    2
001   21      B1                                2200                             0.0    3
001   22      B2                                2100                             0.0    4
001   23      B3                                2050                             0.0    5
001   31      C1                                2000                             0.0    6
001   32      C2                                1900                             0.0    7
300   1   2   0   21   23
310   1 Alpha                            A                            1   11   12
310   2 Beta                             B                            2   21   22   23
310   3 Gamma                            C                            3   31   32
";

#[test]
fn teams_are_paired_with_their_boards() {
    let output = flagfall(&["pair", "-", "--explain"], TEAMS);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let parts: Vec<&str> = text.split("\n\n").collect();
    assert_eq!(parts[0], "2\n1 2\n3 0");
    assert_eq!(parts[1], "1 2 1 11 21\n1 2 2 23 12");
    assert!(parts[2].contains("3 0: The number is odd"), "{text}");
    let table = ["pair", "-", "--json", "--system", "team-round-robin:2"];
    let output = flagfall(&table, TEAMS);
    let object: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(object["system"], "team-round-robin");
    assert_eq!(object["bye"]["team"], 1);
    assert_eq!(object["pairs"][0]["white"], 2);
    assert_eq!(
        object["pairs"][0]["boards"][1],
        serde_json::json!({"board": 2, "white": 32, "black": 23})
    );
    let output = flagfall(&["pair", "-", "--system", "dutch"], TEAMS);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("say --system team-swiss"),
        "{}",
        stderr(&output)
    );
    // The same teams as sides of a Scheveningen event: there players are paired.
    let two: Vec<String> = (TEAMS.lines())
        .filter(|line| {
            let gone = ["Gamma", " C1", " C2", " B3"];
            !line.starts_with("300") && !gone.iter().any(|words| line.contains(words))
        })
        .map(|line| line.replace("   23", ""))
        .collect();
    let two = two.join("\n");
    let output = flagfall(&["pair", "-", "--system", "scheveningen"], &two);
    assert_eq!(stdout(&output), "2\n11 21\n22 12\n", "{}", stderr(&output));
}

#[test]
fn numbers_are_drawn_and_the_seed_repeats_them() {
    let list: Vec<String> = (1..=10)
        .map(|no| format!("Player {no:02},F{:02}", no % 4))
        .collect();
    let list = format!("name,club\n{}\n", list.join("\n"));
    let draw = |seed: &str| flagfall(&["draw", "-", "--by", "club", "--seed", seed], &list);
    let output = draw("7");
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let (numbers, steps) = text.split_once("\n\n").unwrap();
    for (number, line) in (1..=10).zip(numbers.lines()) {
        assert!(line.starts_with(&format!("{number} ")), "{text}");
        let (id, name) = line.split_once(' ').unwrap().1.split_once(' ').unwrap();
        assert_eq!(name, format!("Player {:02}", id.parse::<u16>().unwrap()));
    }
    assert!(
        steps.starts_with("Numbers drawn by the Varma tables, seed 7."),
        "{text}"
    );
    assert_eq!(stdout(&draw("7")), text);
    assert_ne!(stdout(&draw("8")), text);
    let few = flagfall(&["draw", "-", "--seed", "1"], "name\nA\nB\n");
    assert_eq!(few.status.code(), Some(3));
    assert!(
        stderr(&few).contains("for 9 to 24 players"),
        "{}",
        stderr(&few)
    );
}

#[test]
fn a_file_that_is_too_large_is_no_report() {
    let output = flagfall(&["pair", "-"], &"001    1\n".repeat(1 << 20));
    assert_eq!(output.status.code(), Some(3));
    assert!(
        stderr(&output).contains("larger than 8 MiB"),
        "{}",
        stderr(&output)
    );
}

#[test]
fn two_texts_or_the_text_of_another_system_are_wrong_arguments() {
    for (arguments, words) in [
        (["--system", "dutch-2017", "--rules", "2026"], "two texts"),
        (["--system", "dubov", "--rules", "2017"], "this is dubov"),
    ] {
        let output = flagfall(&[&["pair", "-"], &arguments[..]].concat(), &fresh(8, &[]));
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
}
