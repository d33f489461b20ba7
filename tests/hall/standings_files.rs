//! `flagfall standings` as a user and a script meet it: the table, the words, JSON, refusals.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
};

use serde_json::Value;

use crate::place::{BIN, stderr};

/// Three rounds of four, one bye asked for and one forfeit.
const SWISS: &str = "\
012 Test
142 3
192 FIDE_DUTCH_2026
202 BH/C1,SB
001    1      Alpha                             2400                             2.5    1     3 w 1     2 b 1  0000 - H
001    2      Beta                              2300                             2.0    2     4 b 1     1 w 0     3 b +
001    3      Gamma                             2200                             0.0    4     1 b 0     4 w 0     2 w -
001    4      Delta                             2100                             2.0    3     2 w 0     3 b 1  0000 - U
";

fn standings(arguments: &[&str], input: &str) -> Output {
    let mut program = Command::new(BIN)
        .args(["standings", "-"])
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

#[test]
fn the_table_by_the_list_of_the_file() {
    let output = standings(&[], SWISS);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(
        stdout(&output),
        "#  No  Name   PTS  BH/C1    SB\n\
         1   1  Alpha  2.5    2.0  2.75\n\
         2   2  Beta   2.0    4.5  2.00\n\
         3   4  Delta  2.0    3.5  1.50\n\
         4   3  Gamma  0.0    4.5  0.00\n"
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn every_figure_says_what_it_is_made_of() {
    let output = standings(&["--tiebreaks", "DE,BH", "--explain", "--only", "2"], SWISS);
    let text = stdout(&output);
    for line in [
        "  DE 1.\n    tied: 2, 4; all have met, points among them: 2 – 1, 4 – 0; order: 2, 4\n",
        "    round 3, 3: 0, not played: the own score 2, but no more than the opponent has (16.4)\n",
        "    sum 4.5\n",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let uk = standings(&["--explain", "--lang", "uk"], SWISS);
    assert!(stdout(&uk).contains("не зіграно"), "{}", stdout(&uk));
}

#[test]
fn json_has_values_by_code_and_parts_when_asked() {
    let output = standings(&["--tiebreaks", "BH,TPR", "--json", "--explain"], SWISS);
    let json: Value = serde_json::from_str(&stdout(&output)).unwrap();
    assert_eq!(json["edition"], "2026");
    assert_eq!(json["format"], "swiss");
    assert_eq!(json["tie_breaks"], serde_json::json!(["BH", "TPR"]));
    let first = &json["standings"][0];
    assert_eq!(first["id"], 1);
    assert_eq!(first["points"], 2.5);
    assert_eq!(first["values"]["BH"], 3.5);
    assert_eq!(first["values"]["TPR"], 3050.0);
    assert_eq!(first["figures"][0]["terms"][2]["voluntary"], true);
    let old = standings(&["--tiebreaks", "BH", "--json", "--edition", "2023"], SWISS);
    let json: Value = serde_json::from_str(&stdout(&old)).unwrap();
    assert_eq!(json["standings"][0]["values"]["BH"], 4.5);
}

#[test]
fn what_makes_no_sense_is_refused_with_what_to_do() {
    for (arguments, code, words) in [
        (
            &["--tiebreaks", "BH,BUCH"][..],
            2,
            "unknown tie-break \"BUCH\"; known are",
        ),
        (&["--tiebreaks", "WIN/C1"], 2, "\"C1\" cannot follow WIN"),
        (&["--tiebreaks", "SSSC"], 2, "SSSC is for team events"),
        (&["--only", "9"], 2, "there is no number 9"),
        (&["--round", "5"], 3, "3 is the last"),
        (&["--system", "swis"], 2, "or say swiss"),
    ] {
        let output = standings(arguments, SWISS);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    }
    let unknown = SWISS.replace("BH/C1,SB", "BUCH");
    let output = standings(&[], &unknown);
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("BUCH"), "{}", stderr(&output));
}

#[test]
fn a_withdrawal_from_a_round_robin_is_asked_for() {
    let text = "\
012 Test
142 5
192 FIDE_ROUNDROBIN
001    1      Alpha                             2400                             4.5    1     6 w 1     5 b +     4 w 1     3 b =     2 w 1
001    2      Beta                              2300                             3.0    2     5 w 1     4 b =     3 w 1     6 b =     1 b 0
001    3      Gamma                             2200                             3.0    3     4 w 1     6 b =     2 b 0     1 w =     5 w +
001    4      Delta                             2100                             1.5    4     3 b 0     2 w =     1 b 0     5 w +     6 w 0
001    5      Eps                               2000                             1.0    6     2 b 0     1 w -     6 w 1     4 b -     3 b -
001    6      Zeta                              1900                             2.0    5     1 b 0     3 w =     5 b 0     2 w =     4 b 1
";
    let output = standings(&[], text);
    assert!(
        stderr(&output).contains("say --withdrawn 5"),
        "{}",
        stderr(&output)
    );
    let struck = standings(&["--withdrawn", "5", "--json"], text);
    assert_eq!(stderr(&struck), "");
    let json: Value = serde_json::from_str(&stdout(&struck)).unwrap();
    let rows = json["standings"].as_array().unwrap();
    assert_eq!(
        (&rows[5]["id"], &rows[5]["struck_out"]),
        (&5.into(), &true.into())
    );
    // The win over him does not count, nor those by forfeit.
    assert_eq!(rows[0]["points"], 3.5);
}

#[test]
fn a_table_for_a_spreadsheet_and_a_page_that_prints() {
    let csv = stdout(&standings(&["--csv"], &SWISS.replace("Beta ", "B,ta ")));
    let lines: Vec<&str> = csv.trim_start_matches('\u{feff}').lines().collect();
    assert_eq!(lines[0], "rank,id,name,PTS,BH/C1,SB");
    assert_eq!(lines[2], "2,2,\"B,ta\",2.0,4.5,2.00");
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("table.html");
    let output = standings(
        &[
            "--html",
            page.to_str().unwrap(),
            "--explain",
            "--lang",
            "uk",
        ],
        &SWISS.replace("Alpha   ", "<b>Al&fa"),
    );
    assert!(output.status.success(), "{}", stderr(&output));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<td>&lt;b&gt;Al&amp;fa</td>"), "{page}");
    assert!(page.contains("<th>Місце</th>") && page.contains("не зіграно"));
}
