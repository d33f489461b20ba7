//! Ports of several makers, found and told apart: the supervisors on sockets of a simulated hall, and what
//! `flagfall devices` makes of them.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
    time::Duration,
};

use flagfall::{
    link::{
        LinkEvent, PortName, StatusBoard,
        discover::Ports,
        families::{Wanted, links},
        supervise::{LinkContext, Links},
    },
    time::HubClock,
};
use flagfall_core::protocol::{Observation, certabo::tags::SharedTags};
use flagfall_simulators::{
    hall::{Hall, HallConfig, Transport},
    make::Make,
};
use serde_json::Value;
use tokio::{sync::mpsc, time::timeout};
use tokio_util::sync::CancellationToken;

async fn hall(mix: &str, speed: f64) -> Hall {
    let mix: flagfall_simulators::make::Mix = mix.parse().expect("a mix");
    Hall::start(HallConfig {
        tables: mix.tables(),
        mix,
        speed,
        turned_share: 0.0,
        transport: Transport::Tcp {
            addr: "127.0.0.1:0".parse().expect("an address"),
        },
        ..HallConfig::default()
    })
    .await
    .expect("a hall")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whoever_is_at_a_port_is_found_by_what_he_says() {
    let speed = 4.0;
    let hall = hall("dgt:1,certabo:1,millennium:1,bus:3", speed).await;
    let (mut families, mut expected) = (BTreeMap::new(), BTreeSet::new());
    for info in hall.ports() {
        let port = PortName(info.endpoint.to_string());
        // The first two are found by asking and by listening, the others are named.
        let wanted = match info.make {
            Make::Dgt | Make::Certabo => Wanted::Auto,
            make => Wanted::named(make.family()).expect("a family with a line"),
        };
        families.insert(port.clone(), wanted);
        let (port, family) = match info.make {
            Make::Bus => (format!("{port}#{}", info.serial), "dgt-board"),
            Make::Millennium => (port.0, "chesslink"),
            make => (port.0, make.family()),
        };
        expected.insert((port, family.to_owned()));
    }
    let (sender, mut events) = mpsc::channel::<LinkEvent>(256);
    let status = StatusBoard::default();
    let cancel = CancellationToken::new();
    let context = LinkContext {
        clock: HubClock::start(speed),
        events: sender,
        quiet: None,
        status: status.clone(),
        serial: BTreeMap::new(),
        record_dir: None,
        cancel: cancel.clone(),
    };
    let ports = Ports {
        include: families.keys().map(|port| port.0.clone()).collect(),
        exclude: Vec::new(),
    };
    let factory = links(families, BTreeSet::new(), SharedTags::default(), speed);
    let (_links, run) = Links::start(ports, factory, context);
    let task = tokio::spawn(run);
    let mut missing = expected.clone();
    let find_all = async {
        while !missing.is_empty() {
            let event = events.recv().await.expect("the supervisors run");
            assert!(
                !matches!(event.observation, Observation::Lost(_)),
                "{}: {:?}",
                event.port,
                event.observation
            );
            if let Observation::Found(info) = event.observation {
                let found = (event.port.0.clone(), info.family.clone());
                assert!(missing.remove(&found), "{found:?}");
            }
        }
    };
    let found = timeout(Duration::from_secs(40), find_all).await;
    found.unwrap_or_else(|_| panic!("not found: {missing:?}"));
    let devices = status.snapshot();
    let devices = devices.values().filter(|status| !status.shared);
    assert_eq!(
        devices.filter(|it| it.device.is_some()).count(),
        expected.len()
    );
    cancel.cancel();
    while events.recv().await.is_some() {}
    task.await.expect("the supervisors end");
    hall.shutdown().await;
}

fn lines(output: &[u8]) -> Vec<Value> {
    let text = String::from_utf8_lossy(output);
    let lines = text.lines().map(serde_json::from_str);
    lines.map(|line| line.expect("JSON")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_attached_is_listed_with_what_it_can_do() {
    let hall = hall("dgt:2", 4.0).await;
    let ports: Vec<_> = hall.ports();
    let names: Vec<String> = ports.iter().map(|port| port.endpoint.to_string()).collect();
    let arguments = names.clone();
    let output = tokio::task::spawn_blocking(move || {
        Command::new(env!("CARGO_BIN_EXE_flagfall"))
            .args(["devices", "--json", "--seconds", "30"])
            .args(arguments)
            .output()
            .expect("the program runs")
    })
    .await
    .expect("it ends");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let found = lines(&output.stdout);
    assert_eq!(found.len(), 2);
    for port in &ports {
        let name = port.endpoint.to_string();
        let line = found.iter().find(|line| line["port"] == name.as_str());
        let line = line.expect("each port has a line");
        let serial = line["serial"].as_str().unwrap_or_default();
        assert!(serial.ends_with(&port.serial), "{line}");
        assert_eq!(line["family"], "dgt-board");
        assert_eq!(line["clock_seen"], true);
        let can = line["can"].as_array().expect("a list");
        assert!(can.contains(&"placement".into()) && can.contains(&"clock".into()));
    }
    hall.shutdown().await;
}

#[test]
fn the_kinds_are_listed() {
    let output = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["devices", "--kinds", "--json"])
        .output()
        .expect("the program runs");
    let kinds = lines(&output.stdout);
    let named = |name: &str| {
        let kind = kinds.iter().find(|kind| kind["family"] == name);
        kind.unwrap_or_else(|| panic!("{name} is listed")).clone()
    };
    assert_eq!(named("chesslink")["baud"], 38_400);
    assert_eq!(named("tabutronic-sentio")["can"][0], "occupancy");
    assert_eq!(named("certabo")["probe"], "listen");
    assert_eq!(named("dgt-bus")["probe"], "named");
    assert_eq!(named("chessup")["spoken_with"], false);
    let wrong = Command::new(env!("CARGO_BIN_EXE_flagfall"))
        .args(["devices", "--family", "novag"])
        .output()
        .expect("the program runs");
    assert_eq!(wrong.status.code(), Some(2));
}
