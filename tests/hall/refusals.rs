//! What the program says of a wrong configuration, and of things that are taken or not there.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};

use crate::{
    place::{BIN, Console, Place, stderr, wait},
    process::{Program, free_address},
};

#[test]
fn a_wrong_key_is_named_with_the_nearest_right_one() {
    let place = Place::new("[ports]\nscann = [\"/dev/ttyUSB*\"]\n");
    let output = place.refused();
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("scann") && said.contains("scan"), "{said}");
    assert!(
        said.contains("flagfall.toml:10:"),
        "the line is named: {said}"
    );
}

#[test]
fn a_right_configuration_is_said_to_be_right_whatever_is_logged() {
    let place = Place::new("");
    let output = Command::new(BIN)
        .args(["--log", "warn", "run", "--check", "--config"])
        .arg(place.config())
        .output()
        .unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.ends_with("flagfall.toml is right\n"), "{said:?}");
}

#[test]
fn a_list_with_broken_lines_is_not_right() {
    let place = Place::with_event("5+3", 2, "");
    let list = "name;rating\nA;2000\nB;19oo\nC;1800\nD;99999\nE;\n";
    fs::write(place.path("players.csv"), list).unwrap();
    let output = Command::new(BIN)
        .args(["--log", "off", "run", "--check", "--config"])
        .arg(place.config())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(output.stdout, b"");
    let said = stderr(&output);
    assert!(said.contains("players.csv:3: rating: \"19oo\""), "{said}");
    assert!(said.contains("players.csv:5: rating: \"99999\""), "{said}");
}

#[test]
fn a_guessed_encoding_is_said_and_the_list_is_right() {
    let place = Place::with_event("5+3", 2, "system = \"dutch\"\nbyes = [\"full\"]\n");
    // Two names in Windows-1251.
    let list = b"name\n\xca\xee\xe2\xe0\xeb\xfc\n\xc1\xee\xed\xe4\xe0\xf0\n";
    fs::write(place.path("players.csv"), list).unwrap();
    let check = |place: &Place| {
        Command::new(BIN)
            .args(["--log", "off", "run", "--check", "--config"])
            .arg(place.config())
            .output()
            .unwrap()
    };
    let output = check(&place);
    assert!(output.status.success(), "{}", stderr(&output));
    let said = String::from_utf8(output.stdout).unwrap();
    let note = "players.csv: is not UTF-8 and was read as Windows-1251; look at the names";
    assert!(said.contains(note), "{said}");
    assert!(said.ends_with("flagfall.toml is right\n"), "{said}");

    let place = Place::with_event("5+3", 2, "byes = [\"half\"]\n");
    let output = check(&place);
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(
        said.contains("only a Swiss gives points to who misses a round"),
        "{said}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_start_with_broken_lines_is_told_on_the_console() {
    let place = Place::with_event("5+3", 2, "");
    place.set_pin().await;
    fs::write(
        place.path("players.csv"),
        "name;rating\nA;2000\nB;19oo\nC;1800\nD;1700\nE;\n",
    )
    .unwrap();
    let daemon = place.start();
    let hall = Console::open(place.http).get("hall");
    assert_eq!(hall["event"]["players"], 4);
    let alert = &hall["alerts"][0];
    assert_eq!(alert["kind"], "players", "{hall}");
    assert!(
        alert["text"]
            .as_str()
            .unwrap()
            .contains("players.csv:3: rating: \"19oo\""),
        "{alert}"
    );
    assert_eq!(daemon.stop(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_is_read_again_goes_on() {
    let place = Place::with_event("5+3", 2, "");
    place.set_pin().await;
    let daemon = place.start();
    let console = Console::open(place.http);
    console.order("round/pair", "");
    console.order("round/publish", "");
    let white = |hall: &serde_json::Value| hall["tables"][0]["white"].clone();
    let before = console.get("hall");
    assert_eq!(daemon.stop(), 0);

    let text = fs::read_to_string(place.config()).unwrap();
    fs::write(place.config(), text.replace("\"Test\"", "\"Autumn Cup\"")).unwrap();
    fs::write(
        place.path("players.csv"),
        "name\nPlayer 4\nPlayer 2\nPlayer 1\nPlayer 3\n",
    )
    .unwrap();
    let daemon = place.start();
    let after = Console::open(place.http).get("hall");
    assert_eq!(after["event"]["name"], "Autumn Cup");
    assert_eq!(after["round"], before["round"]);
    assert_eq!(white(&after), white(&before));
    assert_eq!(daemon.stop(), 0);

    fs::write(place.config(), text.replace("\"open\"", "\"open-b\"")).unwrap();
    let output = place.refused();
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(
        said.contains("1 round of \"Autumn Cup\"") && said.contains("data_dir"),
        "{said}"
    );
}

#[test]
fn files_that_are_not_what_they_should_be_are_named() {
    let place = Place::new("");
    let data = place.path("data");
    fs::write(&data, "a file").unwrap();
    let output = place.refused();
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(
        said.contains("data directory") && said.contains(&data.display().to_string()),
        "{said}"
    );

    fs::remove_file(&data).unwrap();
    fs::create_dir(&data).unwrap();
    fs::write(data.join("arbiters.json"), "{").unwrap();
    let output = place.refused();
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert_eq!(said.matches("arbiters.json").count(), 1, "{said}");
    assert_eq!(said.matches("EOF").count(), 1, "once is enough: {said}");

    // Read to its end it would fill the memory.
    let output = Command::new(BIN)
        .args(["run", "--config", "/dev/zero"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(3));
    assert!(stderr(&output).contains("no file"), "{}", stderr(&output));
}

#[test]
fn a_hub_without_boards_says_so() {
    let place = Place::new("");
    let mut child = Command::new(BIN)
        .args(["run", "--config"])
        .arg(place.config())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let program = Program(child);
    let said = lines
        .map_while(Result::ok)
        .find(|line| line.contains("for boards"));
    assert!(said.unwrap().contains("no ports are watched"));
    // Whoever read the log has gone; the hub must not mind.
    wait(place.http, |status, _| status == 200);
    assert_eq!(program.stop(), 0);
}

#[test]
fn a_second_hub_on_the_same_data_or_address_is_refused() {
    let place = Place::new("");
    let daemon = place.start();
    let output = place.refused();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(stderr(&output).contains("data"), "{}", stderr(&output));

    let other = Place::new("");
    let text = fs::read_to_string(other.config()).unwrap();
    let text = text.replace(&other.http.to_string(), &place.http.to_string());
    fs::write(other.config(), text).unwrap();
    let output = other.refused();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    assert!(
        stderr(&output).contains(&place.http.to_string()),
        "{}",
        stderr(&output)
    );
    assert_eq!(daemon.stop(), 0);
}

#[test]
fn a_log_filter_that_says_nothing_is_named() {
    for filter in ["loud", "flagfall=loud", "info,verbose", "a=b=c"] {
        let output = Command::new(BIN)
            .args(["--log", filter, "completions", "bash"])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{filter}");
        let said = stderr(&output);
        assert!(said.contains(filter) && said.contains("--log"), "{said}");
    }
    for filter in [
        "info,sqlx=warn",
        "OFF",
        "flagfall::link",
        "flagfall::link=trace",
    ] {
        let output = Command::new(BIN)
            .args(["--log", filter, "completions", "bash"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{filter}");
    }
}

/// Nobody listens there; and a file is no port.
#[test]
fn a_recording_of_a_port_that_refuses_leaves_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("board.jsonl");
    let no_port = directory.path().join("file");
    fs::write(&no_port, "").unwrap();
    for port in [
        format!("tcp://{}", free_address()),
        no_port.display().to_string(),
    ] {
        let output = Command::new(BIN)
            .args(["record", &port, "--seconds", "30", "--out"])
            .arg(&out)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{port}");
        assert!(stderr(&output).contains(&port), "{}", stderr(&output));
        assert!(!out.exists(), "{port}");
    }
}

#[test]
fn a_recording_is_replayed_and_not_decoded() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("board.jsonl");
    let header = r#"{"flagfall_recording":1,"port":"/dev/ttyACM0","family":"dgt-board","started":"2026-12-05T08:00:00Z"}"#;
    fs::write(&file, format!("{header}\n")).unwrap();
    let output = Command::new(BIN)
        .args(["decode", "dgt"])
        .arg(&file)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let wanted = format!("flagfall replay {}", file.display());
    assert!(stderr(&output).contains(&wanted), "{}", stderr(&output));
}

#[test]
fn a_recording_of_a_port_that_is_not_there_is_refused_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("board.jsonl");
    let output = Command::new(BIN)
        .args(["record", "/dev/no-such-port", "--seconds", "30", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("/dev/no-such-port"),
        "{}",
        stderr(&output)
    );
    assert!(!out.exists());
}
