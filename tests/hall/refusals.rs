//! What the program says of a wrong configuration, and of things that are taken or not there.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
};

use crate::{
    place::{BIN, Place, stderr, wait},
    process::Program,
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
