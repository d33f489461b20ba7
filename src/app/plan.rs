//! What a hub is started with, and how the configuration says it.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
    path::PathBuf,
    time::Duration,
};

use flagfall_core::{
    hub::{PortSettings, event::SetUp},
    protocol::Part,
    types::PlayerNo,
};

use crate::{
    config::{self, Config, PortConfig, PortPath, Problem},
    games::GamesSettings,
    link::{
        PortName,
        discover::Ports,
        families::Wanted,
        serial::{ModemLine, SerialSettings},
    },
    mqtt::{self, Broker, External, Login, MqttSettings},
    push::PushSettings,
    time::HubClock,
    web::{Auth, tls::TlsSettings},
};

/// Everything that one hub is started with.
pub struct Plan {
    /// Its short name.
    pub hub: String,
    /// Where the journal is kept.
    pub data_dir: PathBuf,
    /// Where the pages are served.
    pub http: SocketAddr,
    /// The same over HTTPS.
    pub https: Option<TlsSettings>,
    /// Calls to phones whose console is closed.
    pub push: Option<PushSettings>,
    /// The broker.
    pub mqtt: MqttSettings,
    /// The ports to serve.
    pub ports: Ports,
    /// What is known of single ports, by name.
    pub port_settings: BTreeMap<String, PortSettings>,
    /// The serial lines' settings, by port.
    pub serial: BTreeMap<PortName, SerialSettings>,
    /// What the ports have that name it.
    pub families: BTreeMap<PortName, Wanted>,
    /// Ports over Bluetooth.
    pub bluetooth: BTreeSet<PortName>,
    /// Raw bytes of each port are recorded here.
    pub record_dir: Option<PathBuf>,
    /// Where the games go beside the journal.
    pub games: GamesSettings,
    /// When a call that nobody took escalates.
    pub escalate_after: Duration,
    /// The minutes until the start stand on the DGT clocks.
    pub clock_countdown: bool,
    /// The event that is played.
    pub set_up: Option<SetUp>,
    /// The pairing numbers that its list of players gives itself.
    pub numbered: BTreeSet<PlayerNo>,
    /// What was left out of that list, in words for the console.
    pub left_out: Vec<String>,
    /// What was guessed in that list, and what is odd in it, in words for the console.
    pub player_notes: Vec<String>,
    /// The time line.
    pub clock: HubClock,
    /// Who may use the console.
    pub auth: Auth,
}

pub(super) fn plan(config: Config, auth: Auth) -> Plan {
    let mut include: Vec<String> = config
        .ports
        .iter()
        .map(|port| port.path.to_string())
        .collect();
    include.extend(config.scan.scan.iter().cloned());
    let named = || {
        config
            .ports
            .iter()
            .filter(|port| !matches!(port.path, PortPath::Pattern(_)))
    };
    let on_bus = |port: &PortConfig| {
        let name = PortName(port.path.to_string());
        let turned = port.turned;
        port.boards
            .clone()
            .into_iter()
            .map(move |(address, table)| {
                let table = Some(table);
                let settings = PortSettings { table, turned };
                (name.part(&Part(address.to_string())).0, settings)
            })
            .collect::<Vec<_>>()
    };
    let port_settings = named()
        .flat_map(|port| {
            let settings = PortSettings {
                table: port.table,
                turned: port.turned,
            };
            let mut all = on_bus(port);
            all.push((port.path.to_string(), settings));
            all
        })
        .collect();
    let line = |level: Option<bool>| match level {
        None => ModemLine::default(),
        Some(true) => ModemLine::High,
        Some(false) => ModemLine::Low,
    };
    let serial = named()
        .map(|port| {
            let settings = SerialSettings {
                dtr: line(port.dtr),
                rts: line(port.rts),
            };
            (PortName(port.path.to_string()), settings)
        })
        .collect();
    let families = named()
        .filter_map(|port| {
            let wanted = Wanted::named(&port.family)?;
            Some((PortName(port.path.to_string()), wanted))
        })
        .collect();
    let bluetooth = named()
        .filter(|port| port.bluetooth)
        .map(|port| PortName(port.path.to_string()))
        .collect();
    let broker = match config.mqtt.broker {
        config::Broker::Embedded => Broker::Embedded {
            listen: config.mqtt.listen,
            login: config.mqtt.user.map(|user| Login {
                user,
                password: config
                    .mqtt
                    .password
                    .map(|secret| secret.0)
                    .unwrap_or_default(),
            }),
        },
        config::Broker::External { host, port, tls } => Broker::External(External {
            host,
            port,
            tls,
            ca_file: config.mqtt.ca_file,
            user: config.mqtt.user,
            password: config.mqtt.password.map(|secret| secret.0),
        }),
    };
    let hub = config.hub.name.as_str().to_owned();
    let left_out = config
        .warnings
        .iter()
        .map(|line| format!("Left out of the event: {line}"))
        .collect();
    let games = GamesSettings {
        dir: config.pgn.files.then(|| {
            let beside = || config.hub.data_dir.join("pgn");
            config.pgn.dir.unwrap_or_else(beside)
        }),
        broadcast: config.broadcast.on,
        delay: config.broadcast.delay.0,
        held_back: config.broadcast.half_moves_back,
        names: config.mqtt.publish_names,
    };
    let (set_up, numbered, notes) = match config.event {
        Some(event) => {
            let set_up = SetUp {
                settings: event.settings,
                players: event.players,
            };
            (Some(set_up), event.numbered, event.notes)
        }
        None => (None, BTreeSet::new(), Vec::new()),
    };
    Plan {
        mqtt: MqttSettings {
            broker,
            base: config.mqtt.base.as_str().to_owned(),
            hub: hub.clone(),
            client_suffix: mqtt::machine_suffix(),
            publish_names: config.mqtt.publish_names,
        },
        hub,
        data_dir: config.hub.data_dir,
        http: config.http.listen,
        https: config.http.https.map(|listen| TlsSettings {
            listen,
            names: config.http.names,
            files: config.http.certificate.zip(config.http.key),
        }),
        push: config.push.on.then_some(PushSettings {
            contact: config.push.contact,
            services: config.push.services,
        }),
        ports: Ports {
            include,
            exclude: config.scan.exclude,
        },
        port_settings,
        serial,
        families,
        bluetooth,
        record_dir: config.record.dir,
        games,
        escalate_after: config.alerts.escalate_after.0,
        clock_countdown: config.screens.dgt_clocks,
        set_up,
        numbered,
        left_out,
        player_notes: notes.iter().map(Problem::of_file).collect(),
        clock: HubClock::start(1.0),
        auth,
    }
}
