//! `flagfall devices`: what is attached to this machine, and what each device can do.

use std::{
    collections::{BTreeMap, BTreeSet},
    io::{self, Write as _},
    time::Duration,
};

use anyhow::Context as _;
use flagfall_core::protocol::{
    Battery, DeviceInfo, Observation,
    board::Confidence,
    certabo::tags::SharedTags,
    registry::{self, Kind, Probe},
};
use serde_json::json;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    exit::Failure,
    link::{
        LinkEvent, LinkStatus, PortName, PortState, StatusBoard,
        discover::Ports,
        families::{self, AUTO, Wanted},
        supervise::{LinkContext, Links},
    },
    time::HubClock,
};

/// Where serial ports are, the lasting names first.
const USUAL: [&str; 4] = [
    "/dev/serial/by-id/*",
    "/dev/ttyUSB*",
    "/dev/ttyACM*",
    "/dev/rfcomm*",
];

/// Arguments of `flagfall devices`.
#[derive(Debug, clap::Args)]
pub struct DevicesArgs {
    /// Ports: paths, patterns, tcp://host:port; without any, the serial ports of this machine
    pub ports: Vec<String>,
    /// Ports never to open
    #[arg(long, value_name = "PATTERN")]
    pub exclude: Vec<String>,
    /// What is there, if it is known: then nobody else is asked
    #[arg(long, value_name = "FAMILY", default_value = AUTO, value_parser = wanted)]
    pub family: Wanted,
    /// How long to wait for answers
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=600))]
    pub seconds: u64,
    /// Print JSON lines
    #[arg(long)]
    pub json: bool,
    /// List the kinds of devices that are known instead
    #[arg(long, conflicts_with_all = ["ports", "exclude", "seconds"])]
    pub kinds: bool,
}

fn wanted(name: &str) -> Result<Wanted, String> {
    Wanted::named(name).ok_or_else(|| {
        let names: Vec<_> = crate::config::families();
        format!("known are: {}", names.join(", "))
    })
}

/// What was found at one port.
#[derive(Debug, Default)]
struct Found {
    info: Option<DeviceInfo>,
    battery: Option<Battery>,
    clock: bool,
}

/// How often it is looked whether all ports have been asked.
const LOOK: Duration = Duration::from_millis(100);
/// After a device was found it may still tell its battery and its clock.
const MORE: Duration = Duration::from_millis(1500);

/// Lists them.
///
/// # Errors
/// When the output is closed.
pub async fn run(args: DevicesArgs) -> Result<(), Failure> {
    if args.kinds {
        for kind in registry::kinds() {
            say(&kind_line(&kind, args.json)).context("cannot write")?;
        }
        return Ok(());
    }
    let include = if args.ports.is_empty() {
        USUAL.map(str::to_owned).to_vec()
    } else {
        args.ports.clone()
    };
    let ports = Ports {
        include,
        exclude: args.exclude.clone(),
    };
    let names = ports.found();
    if names.is_empty() {
        if !args.json {
            say("no serial ports are here").context("cannot write")?;
        }
        return Ok(());
    }
    let (found, status) = ask(&ports, &names, &args).await?;
    for (port, status) in status.snapshot() {
        if status.shared {
            continue;
        }
        let found = found.get(&port);
        say(&port_line(&port, &status, found, args.json)).context("cannot write")?;
    }
    Ok(())
}

async fn ask(
    ports: &Ports,
    names: &[PortName],
    args: &DevicesArgs,
) -> Result<(BTreeMap<PortName, Found>, StatusBoard), Failure> {
    let clock = HubClock::start(1.0);
    let (events, mut received) = mpsc::channel::<LinkEvent>(256);
    let status = StatusBoard::default();
    let cancel = CancellationToken::new();
    let context = LinkContext {
        clock,
        events,
        quiet: None,
        status: status.clone(),
        serial: BTreeMap::new(),
        record_dir: None,
        cancel: cancel.clone(),
    };
    let families = names
        .iter()
        .map(|name| (name.clone(), args.family))
        .collect();
    let factory = families::links(families, BTreeSet::new(), SharedTags::default(), 1.0);
    let (_links, run) = Links::start(ports.clone(), factory, context);
    let task = tokio::spawn(run);
    let mut found: BTreeMap<PortName, Found> = BTreeMap::new();
    let end = tokio::time::sleep(Duration::from_secs(args.seconds));
    tokio::pin!(end);
    let mut look = tokio::time::interval(LOOK);
    let mut all_since = None;
    loop {
        tokio::select! {
            () = &mut end => break,
            event = received.recv() => match event {
                Some(event) => note(&mut found, event),
                None => break,
            },
            now = look.tick() => {
                let known = status.snapshot();
                let settled = names.iter().all(|name| known.get(name).is_some_and(is_settled));
                let since = *all_since.get_or_insert(now);
                if !settled {
                    all_since = None;
                } else if now.duration_since(since) >= MORE {
                    break;
                }
            }
        }
    }
    // Taken before the end, which closes all ports.
    let seen = StatusBoard::default();
    for (port, status) in status.snapshot() {
        seen.update(&port, |it| *it = status.clone());
    }
    cancel.cancel();
    received.close();
    task.await.context("the ports' task failed")?;
    Ok((found, seen))
}

/// Nothing more is to be expected from this port soon.
fn is_settled(status: &LinkStatus) -> bool {
    match status.state {
        PortState::Open => status.device.is_some(),
        PortState::Closed => status.error.is_some(),
        PortState::Absent => true,
    }
}

fn note(found: &mut BTreeMap<PortName, Found>, event: LinkEvent) {
    let port = found.entry(event.port).or_default();
    match event.observation {
        Observation::Found(info) => port.info = Some(info),
        Observation::Battery(battery) => port.battery = Some(battery),
        Observation::Clock(_) | Observation::ClockAt { .. } => port.clock = true,
        _ => {}
    }
}

fn port_line(port: &PortName, status: &LinkStatus, found: Option<&Found>, as_json: bool) -> String {
    let usb = families::usb_ids(std::path::Path::new(&port.0));
    let info = found.and_then(|found| found.info.as_ref());
    let kind = info.and_then(|info| Kind::named(&info.family));
    let battery = found.and_then(|found| found.battery);
    let clock = found.is_some_and(|found| found.clock);
    let can = kind.map(|kind| kind.can()).unwrap_or_default();
    if as_json {
        return json!({
            "port": port,
            "usb": usb.map(|(vendor, product)| format!("{vendor:04x}:{product:04x}")),
            "family": info.map(|info| &info.family),
            "title": kind.map(|kind| kind.title),
            "serial": info.and_then(|info| info.serial.as_ref()),
            "version": info.and_then(|info| info.version.as_ref()),
            "can": can,
            "confidence": kind.map(|kind| confidence(kind.confidence)),
            "clock_seen": clock,
            "battery": battery,
            "error": error_of(status, info),
        })
        .to_string();
    }
    let Some(info) = info else {
        let why = error_of(status, None).unwrap_or_else(|| "nothing answers".to_owned());
        return format!("{port}  -  {why}");
    };
    let serial = info.serial.iter().map(|serial| format!(" {serial}"));
    let version = info.version.iter().map(|it| format!(", version {it}"));
    let charge = battery.and_then(|battery| battery.percent);
    let charge = charge
        .iter()
        .map(|percent| format!(", battery {percent} %"));
    let no_clock = (kind.is_some_and(|kind| kind.device.can.clock) && !clock)
        .then(|| ", no clock seen".to_owned());
    let more: String = serial
        .chain(version)
        .chain(charge)
        .chain(no_clock)
        .collect();
    format!("{port}  {}{more}  can: {}", info.family, can.join(" "))
}

fn error_of(status: &LinkStatus, info: Option<&DeviceInfo>) -> Option<String> {
    if info.is_some() {
        return None;
    }
    let nothing = match status.state {
        PortState::Absent => "nothing is plugged in",
        PortState::Closed | PortState::Open => "opened, but no device answered",
    };
    Some(status.error.clone().unwrap_or_else(|| nothing.to_owned()))
}

fn kind_line(kind: &Kind, as_json: bool) -> String {
    let recognised = &kind.device.recognised;
    let usb: Vec<String> = recognised
        .usb
        .iter()
        .map(|id| {
            let product = id.product.map_or("*".to_owned(), |it| format!("{it:04x}"));
            format!("{:04x}:{product}", id.vendor)
        })
        .collect();
    let probe = match recognised.probe {
        Probe::Listen => "listen",
        Probe::Ask => "ask",
        Probe::Named => "named",
    };
    let mut links = Vec::new();
    if kind.device.serial.is_some() {
        links.push("serial");
    }
    if kind.device.gatt.is_some() {
        links.push("ble");
    }
    if as_json {
        return json!({
            "family": kind.name, "aliases": kind.aliases, "title": kind.title,
            "can": kind.can(), "confidence": confidence(kind.confidence), "links": links,
            "usb": usb, "names": recognised.names, "probe": probe,
            "baud": kind.device.serial.map(|line| line.baud),
            "service": kind.device.gatt.map(|gatt| gatt.service),
            "spoken_with": kind.device.talk.is_some(),
        })
        .to_string();
    }
    let spoken = if kind.device.talk.is_some() {
        ""
    } else {
        "  (its bytes are read; the hub does not speak with it)"
    };
    format!(
        "{:18} {}; {}; can: {}{spoken}",
        kind.name,
        kind.title,
        links.join(", "),
        kind.can().join(" ")
    )
}

fn confidence(confidence: Confidence) -> &'static str {
    match confidence {
        Confidence::Low => "low",
        Confidence::Medium => "medium",
        Confidence::High => "high",
    }
}

fn say(line: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}")?;
    out.flush()
}
