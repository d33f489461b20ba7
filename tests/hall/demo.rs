//! `flagfall demo`.

use std::{net::SocketAddr, process::Command};

use crate::{
    place::{BIN, stderr},
    process::free_address,
};

/// Between two rounds the demo's arbiter once entered the last round's results again.
#[test]
fn a_demo_of_two_rounds_finds_what_was_played() {
    let address = |port: SocketAddr| port.to_string();
    let output = Command::new(BIN)
        .args([
            "demo", "--tables", "4", "--rounds", "2", "--speed", "90", "--seed", "3",
        ])
        .args([
            "--exit-when-done",
            "--json",
            "--http",
            &address(free_address()),
        ])
        .args(["--mqtt", &address(free_address())])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let sum: serde_json::Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(sum["rounds_closed"], 2, "{sum}");
    assert_eq!(sum["results_confirmed"], 8, "{sum}");
    assert_eq!(sum["results_asked"], 0, "{sum}");
    assert_eq!(sum["wrong_results"], 0, "{sum} {}", stderr(&output));
    assert!(sum["moves"].as_u64().unwrap() > 100, "{sum}");
}
