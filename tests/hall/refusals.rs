//! What the program says of a wrong configuration, and of things that are taken or not there.

use std::{fs, process::Command};

use crate::place::{BIN, Place, stderr};

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
