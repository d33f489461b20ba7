//! `flagfall run` as an operator meets it: what it says of a wrong configuration, of things that are
//! taken, of a board that comes and goes, of a full disk.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use std::{
    fmt::Write as _,
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};

use flagfall::journal::Journal;
use flagfall_simulators::{
    clock::TimeControl,
    hall::{Hall, HallConfig, Transport},
    hands::Incidents,
};
use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

const BIN: &str = env!("CARGO_BIN_EXE_flagfall");

struct Daemon(Child);

impl Daemon {
    /// Asks it to stop and waits.
    fn stop(mut self) -> i32 {
        kill(Pid::from_raw(self.0.id().cast_signed()), Signal::SIGTERM).unwrap();
        self.0.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        // It may have ended already.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn free_port() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
}

struct Place {
    directory: tempfile::TempDir,
    http: SocketAddr,
}

impl Place {
    /// A directory with a configuration; `ports` is TOML.
    fn new(ports: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let (http, mqtt) = (free_port(), free_port());
        let text = format!(
            "[hub]\nname = \"hall-a\"\ndata_dir = \"data\"\n[http]\nlisten = \"{http}\"\n\
             [mqtt]\nbroker = \"embedded\"\nlisten = \"{mqtt}\"\n{ports}"
        );
        fs::write(directory.path().join("flagfall.toml"), text).unwrap();
        Self { directory, http }
    }

    fn config(&self) -> PathBuf {
        self.directory.path().join("flagfall.toml")
    }

    fn journal(&self) -> PathBuf {
        self.directory.path().join("data/journal.db")
    }

    fn start(&self) -> Daemon {
        let child = Command::new(BIN)
            .args(["--log", "warn", "run", "--config"])
            .arg(self.config())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let daemon = Daemon(child);
        wait(self.http, |status, _| status == 200);
        daemon
    }

    fn refused(&self) -> Output {
        Command::new(BIN)
            .args(["run", "--config"])
            .arg(self.config())
            .output()
            .unwrap()
    }
}

/// The state of health: status and body.
fn health(http: SocketAddr) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(http).ok()?;
    stream
        .set_read_timeout(Some(Duration::from_secs(5)))
        .unwrap();
    write!(
        stream,
        "GET /healthz HTTP/1.1\r\nHost: {http}\r\nConnection: close\r\n\r\n"
    )
    .ok()?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).ok()?;
    Some((answer.split(' ').nth(1)?.parse().ok()?, answer))
}

fn wait(http: SocketAddr, wanted: impl Fn(u16, &str) -> bool) {
    let started = Instant::now();
    let mut last = None;
    while started.elapsed() < Duration::from_mins(1) {
        last = health(http);
        if last
            .as_ref()
            .is_some_and(|(status, body)| wanted(*status, body))
        {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the hub never got there: {last:?}");
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

async fn bodies(journal: &Path) -> Vec<serde_json::Value> {
    let journal = Journal::open(journal).await.unwrap();
    let mut bodies = Vec::new();
    journal
        .replay(1, |record| {
            bodies.push(serde_json::from_str(&record.body).unwrap());
        })
        .await
        .unwrap();
    journal.close().await;
    bodies
}

fn count(bodies: &[serde_json::Value], kind: &str, state: &str) -> usize {
    bodies
        .iter()
        .filter(|body| body["kind"] == kind && body["state"] == state)
        .count()
}

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
    let data = place.directory.path().join("data");
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
    let daemon = Daemon(child);
    let said = lines
        .map_while(Result::ok)
        .find(|line| line.contains("for boards"));
    assert!(said.unwrap().contains("no ports are watched"));
    // Whoever read the log has gone; the hub must not mind.
    wait(place.http, |status, _| status == 200);
    assert_eq!(daemon.stop(), 0);
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

async fn hall(speed: f64) -> Hall {
    Hall::start(HallConfig {
        tables: 2,
        seed: 3,
        speed,
        control: TimeControl::fischer(Duration::from_mins(5), Duration::from_secs(3)),
        incidents: Incidents::none(),
        transport: Transport::Tcp {
            addr: "127.0.0.1:0".parse().unwrap(),
        },
        ..HallConfig::default()
    })
    .await
    .unwrap()
}

fn ports(hall: &Hall) -> String {
    let mut text = String::new();
    for port in hall.ports() {
        let (path, table) = (port.endpoint, port.table);
        writeln!(text, "[[port]]\npath = \"{path}\"\ntable = {table}").unwrap();
    }
    text
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_found_lost_and_found_again() {
    let hall = hall(1.0).await;
    let place = Place::new(&ports(&hall));
    let daemon = place.start();
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    hall.unplug(2);
    wait(place.http, |_, body| body.contains("\"links_up\":1"));
    hall.plug(2);
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    assert_eq!(daemon.stop(), 0);
    let bodies = bodies(&place.journal()).await;
    assert_eq!(count(&bodies, "device", "found"), 3);
    assert_eq!(count(&bodies, "device", "lost"), 1);
    let alerts: Vec<_> = bodies
        .iter()
        .filter(|body| body["kind"] == "alert")
        .collect();
    assert!(
        alerts
            .iter()
            .any(|alert| alert["about"] == "device-lost" && alert["table"] == 2),
        "{alerts:?}"
    );
    assert_eq!(
        count(&bodies, "alert", "raised"),
        count(&bodies, "alert", "closed")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_loses_nothing() {
    let hall = hall(1.0).await;
    let place = Place::new(&ports(&hall));
    let data = place.directory.path().join("data");
    fs::create_dir(&data).unwrap();
    // A disk of our own in a namespace of our own: full from the start, with room after a while.
    let script = format!(
        "set -e; mount -t tmpfs -o size=1m none {data}\n\
         {BIN} --log warn run --config {config} & hub=$!\n\
         while ! [ -e {data}/go ]; do sleep 0.05; done\n\
         cat /dev/zero > {data}/filler 2>/dev/null || true\n\
         while ! [ -e {data}/../room ]; do sleep 0.05; done\n\
         rm {data}/filler; touch {data}/../made\n\
         while ! [ -e {data}/../end ]; do sleep 0.05; done\n\
         kill -TERM $hub; wait $hub; cp -r {data} {data}/../kept",
        data = data.display(),
        config = place.config().display(),
    );
    let script = script.replace(
        &format!("{}/go", data.display()),
        &place.directory.path().join("go").display().to_string(),
    );
    let mut unshare = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    let child = unshare.args(["--mount", "sh", "-c", &script]).spawn();
    let mut daemon = Daemon(child.expect("unshare of util-linux is installed"));
    let touch = |name: &str| fs::write(place.directory.path().join(name), "").unwrap();

    wait(place.http, |status, body| {
        status == 200 && body.contains("\"links_up\":2")
    });
    touch("go");
    std::thread::sleep(Duration::from_millis(500));
    // Something happens that must be written down.
    hall.unplug(1);
    wait(place.http, |status, body| {
        status == 503 && body.contains("full")
    });
    hall.plug(1);
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    touch("room");
    wait(place.http, |status, _| status == 200);
    touch("end");
    assert!(daemon.0.wait().unwrap().success());

    let bodies = bodies(&place.directory.path().join("kept/journal.db")).await;
    assert_eq!(count(&bodies, "device", "found"), 3, "{bodies:?}");
    assert_eq!(count(&bodies, "device", "lost"), 1);
    assert!(
        bodies.iter().any(|body| body["about"] == "journal"),
        "{bodies:?}"
    );
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
            &address(free_port()),
        ])
        .args(["--mqtt", &address(free_port())])
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
