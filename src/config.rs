//! The configuration of the daemon: `flagfall.toml`, and the event file that it names.
//!
//! Every key is in `config/flagfall.toml` with a comment. A file is read to the end and all problems
//! are reported at once, each with its line and what to do. Relative paths start at the file that
//! names them.

use std::{
    collections::BTreeMap,
    fmt, fs,
    io::{self, Read as _},
    net::SocketAddr,
    os::unix::fs::FileTypeExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use flagfall_core::{
    protocol::registry::{self, Kind},
    types::TableNo,
};
use serde::Deserialize;

use crate::link::families::AUTO;

mod check;
mod document;
mod event;
mod event_file;
mod players;
mod values;

use document::Document;
pub use document::Problem;
pub use event::{Event, PRESETS};
use event_file::EventFile;
pub use values::{
    Broker, BusAddress, Minutes, ParseBrokerError, ParsePortError, PortPath, Secret, Slug,
};

/// The largest configuration file, bytes.
const FILE_MAX: u64 = 1 << 20;

/// The device families that a port may name: `auto`, and every kind that has a serial line.
pub fn families() -> Vec<&'static str> {
    let kinds = registry::kinds().filter(Kind::on_serial);
    let names =
        kinds.flat_map(|kind| std::iter::once(kind.name).chain(kind.aliases.iter().copied()));
    std::iter::once(AUTO).chain(names).collect()
}

/// The configuration, complete and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// The file that it came from.
    pub file: PathBuf,
    /// Who this hub is.
    pub hub: HubConfig,
    /// The pages and the API.
    pub http: HttpConfig,
    /// The broker.
    pub mqtt: MqttConfig,
    /// The event, if one is set up.
    pub event: Option<Event>,
    /// The ports that are named one by one.
    pub ports: Vec<PortConfig>,
    /// The ports that are looked for.
    pub scan: ScanConfig,
    /// Alerts.
    pub alerts: AlertsConfig,
    /// Calls to closed phones.
    pub push: PushConfig,
    /// `[screens]`.
    pub screens: ScreensConfig,
    /// Recording of raw bytes.
    pub record: RecordConfig,
    /// The games as files.
    pub pgn: PgnConfig,
    /// The games for everybody.
    pub broadcast: BroadcastConfig,
    /// The lines of the list of players that were left out. For the log and the console.
    pub warnings: Vec<Problem>,
}

/// `[hub]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HubConfig {
    /// The short name in topics, so that several halls can share a broker.
    pub name: Slug,
    /// Where the journal and everything else that must last is kept.
    pub data_dir: PathBuf,
}

/// `[http]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct HttpConfig {
    /// Address and port of the pages.
    pub listen: SocketAddr,
    /// The same over HTTPS; `None` = not.
    pub https: Option<SocketAddr>,
    /// Names under which the hub is known in the hall, for its certificate.
    pub names: Vec<String>,
    /// A certificate from elsewhere, PEM, with the whole chain; `None` = the hub's own.
    pub certificate: Option<PathBuf>,
    /// Its key, PEM.
    pub key: Option<PathBuf>,
}

/// `[push]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PushConfig {
    /// Whether phones may be called through the push services of their makers.
    pub on: bool,
    /// Whom a push service may write to, as `mailto:` or `https:`.
    pub contact: String,
    /// The hosts that messages may be sent to, or the ends of their names.
    pub services: Vec<String>,
}

impl Default for PushConfig {
    fn default() -> Self {
        Self {
            on: false,
            contact: "mailto:flagfall@localhost".to_owned(),
            services: crate::push::SERVICES.map(str::to_owned).to_vec(),
        }
    }
}

/// `[mqtt]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MqttConfig {
    /// Which broker.
    pub broker: Broker,
    /// Where the embedded broker listens.
    pub listen: SocketAddr,
    /// The user to log in with; the embedded broker asks everybody for him.
    pub user: Option<String>,
    /// His password, from either key.
    pub password: Option<Secret>,
    /// A file whose first line is the password.
    pub password_file: Option<PathBuf>,
    /// Certificates to trust with `mqtts://`, PEM; `None` = those of the system.
    pub ca_file: Option<PathBuf>,
    /// The first part of every topic.
    pub base: Slug,
    /// Whether names of players may appear in messages.
    pub publish_names: bool,
}

/// `[[port]]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PortConfig {
    /// Where the device is.
    pub path: PortPath,
    /// What it is, one of [`families`].
    #[serde(default = "default_family")]
    pub family: String,
    /// The table that it serves; `None` = assigned on the console.
    pub table: Option<TableNo>,
    /// The tables of the boards of a bus, by address.
    #[serde(default)]
    pub boards: BTreeMap<BusAddress, TableNo>,
    /// The board stands turned by half a circle: White sits where the wire counts the eighth rank.
    /// `None` = found out from the starting position.
    pub turned: Option<bool>,
    /// A serial port over Bluetooth: slower to open and to answer.
    #[serde(default)]
    pub bluetooth: bool,
    /// Level of the DTR line; `None` = as the driver leaves it.
    pub dtr: Option<bool>,
    /// Level of the RTS line; `None` = as the driver leaves it.
    pub rts: Option<bool>,
}

/// `[ports]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScanConfig {
    /// Patterns of serial ports to look at.
    pub scan: Vec<String>,
    /// Patterns of serial ports never to open.
    pub exclude: Vec<String>,
}

/// `[alerts]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlertsConfig {
    /// A call that nobody has taken for so long is called out again, to more arbiters each time (R-AR-2).
    pub escalate_after: Minutes,
    /// A correction of a clock that takes longer is an alert (R-CK-4).
    pub correction_limit: Minutes,
}

/// `[screens]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScreensConfig {
    /// The minutes until the start stand on the DGT clocks, too.
    pub dgt_clocks: bool,
}

/// `[record]`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RecordConfig {
    /// Where the raw bytes of each device are written; `None` = nowhere.
    pub dir: Option<PathBuf>,
}

/// `[pgn]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PgnConfig {
    /// Whether the games are written as files.
    pub files: bool,
    /// Where; `None` = in `pgn` in the data directory.
    pub dir: Option<PathBuf>,
}

/// `[broadcast]`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BroadcastConfig {
    /// Whether everybody may read the live round.
    pub on: bool,
    /// How much later it is shown.
    pub delay: Minutes,
    /// How many half-moves of a running game are not shown.
    pub half_moves_back: u16,
}

/// The keys of `flagfall.toml`.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    hub: HubConfig,
    http: HttpConfig,
    mqtt: MqttConfig,
    event: EventFile,
    port: Vec<PortConfig>,
    ports: ScanConfig,
    alerts: AlertsConfig,
    push: PushConfig,
    screens: ScreensConfig,
    record: RecordConfig,
    pgn: PgnConfig,
    broadcast: BroadcastConfig,
}

/// Everything that is wrong with the configuration.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ConfigError {
    /// At least one problem, by file and line.
    pub problems: Vec<Problem>,
}

impl From<Vec<Problem>> for ConfigError {
    fn from(mut problems: Vec<Problem>) -> Self {
        problems.sort_by(|a, b| (&a.file, a.line).cmp(&(&b.file, b.line)));
        Self { problems }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, problem) in self.problems.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            problem.fmt(f)?;
        }
        Ok(())
    }
}

impl Config {
    /// Reads and checks `flagfall.toml`, the event file and the list of players.
    ///
    /// # Errors
    /// Lists every problem found, with line and hint. Broken lines of the list of players are no
    /// error but warnings, as long as two players are left.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        load(path).map_err(ConfigError::from)
    }
}

impl Event {
    /// Reads and checks an event file by itself. Broken lines of the list of players are returned
    /// as warnings.
    ///
    /// # Errors
    /// Lists every problem found.
    pub fn load(path: &Path) -> Result<(Self, Vec<Problem>), ConfigError> {
        event::load(path).map_err(ConfigError::from)
    }
}

fn load(path: &Path) -> Result<Config, Vec<Problem>> {
    let text = read_file(path).map_err(|problem| vec![problem])?;
    let mut document = Document::parse(path, &text)?;
    let (file, mut problems) = document.read::<File>();
    let Some(file) = file else {
        return Err(problems);
    };

    let mut config = Config {
        file: path.to_owned(),
        hub: file.hub,
        http: file.http,
        mqtt: file.mqtt,
        event: None,
        ports: file.port,
        scan: file.ports,
        alerts: file.alerts,
        push: file.push,
        screens: file.screens,
        record: file.record,
        pgn: file.pgn,
        broadcast: file.broadcast,
        warnings: Vec::new(),
    };
    config.hub.data_dir = beside(path, &config.hub.data_dir);
    config.record.dir = config.record.dir.map(|dir| beside(path, &dir));
    config.pgn.dir = config.pgn.dir.map(|dir| beside(path, &dir));
    config.mqtt.ca_file = config.mqtt.ca_file.map(|file| beside(path, &file));
    for file in [&mut config.http.certificate, &mut config.http.key] {
        *file = file.take().map(|file| beside(path, &file));
    }
    config.mqtt.password_file = config.mqtt.password_file.map(|file| beside(path, &file));
    check::check(&mut config, &document, &mut problems);

    match load_event(file.event, &document, path) {
        Ok(Some((event, warnings))) => {
            config.event = Some(event);
            config.warnings = warnings;
        }
        Ok(None) => {}
        Err(more) => problems.extend(more),
    }
    if problems.is_empty() {
        Ok(config)
    } else {
        Err(problems)
    }
}

fn load_event(
    file: EventFile,
    document: &Document<'_>,
    path: &Path,
) -> Result<Option<(Event, Vec<Problem>)>, Vec<Problem>> {
    let Some(named) = &file.file else {
        if file.is_empty() {
            return Ok(None);
        }
        return event::build(file, document, &["event"], path, Vec::new()).map(Some);
    };
    if !file.is_empty() {
        return Err(vec![document.problem(
            &["event", "file"],
            "[event] names a file and has keys of its own",
            "move the keys into that file, or remove `file`",
        )]);
    }
    let named = beside(path, named);
    if !named.is_file() {
        return Err(vec![document.problem(
            &["event", "file"],
            format!("there is no file {}", named.display()),
            "correct the path, or remove [event]",
        )]);
    }
    event::load(&named).map(Some)
}

/// A path of the configuration: relative ones start beside the file that names them.
fn beside(file: &Path, path: &Path) -> PathBuf {
    file.parent()
        .map_or_else(|| path.to_owned(), |dir| dir.join(path))
}

fn read_file(path: &Path) -> Result<String, Problem> {
    let problem = |message: String, hint: &str| Problem {
        file: path.to_owned(),
        line: None,
        message,
        hint: hint.to_owned(),
    };
    let bytes = read_bounded(path, FILE_MAX)
        .map_err(|error| problem(format!("cannot be read: {error}"), "check the path"))?;
    let text = String::from_utf8(bytes)
        .map_err(|_| problem("is not UTF-8".to_owned(), "save it again as UTF-8"))?;
    Ok(text
        .strip_prefix('\u{feff}')
        .map(str::to_owned)
        .unwrap_or(text))
}

/// Reads a file or a pipe of at most `limit` bytes. A device, which may never end, is refused.
fn read_bounded(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let kind = fs::metadata(path)?.file_type();
    if !kind.is_file() && !kind.is_fifo() {
        return Err(io::Error::other("this is no file"));
    }
    let mut bytes = Vec::new();
    fs::File::open(path)?
        .take(limit + 1)
        .read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        let message = format!("longer than {} MiB", limit >> 20);
        return Err(io::Error::other(message));
    }
    Ok(bytes)
}

fn default_family() -> String {
    AUTO.to_owned()
}

fn slug(text: &'static str) -> Slug {
    text.parse().expect("the defaults are short names")
}

impl Default for HubConfig {
    fn default() -> Self {
        Self {
            name: slug("hall"),
            data_dir: PathBuf::from("data"),
        }
    }
}

impl Default for HttpConfig {
    /// Every interface, since arbiters come with their phones; the pages ask for a login.
    fn default() -> Self {
        Self {
            listen: SocketAddr::from(([0, 0, 0, 0], 8080)),
            https: None,
            names: Vec::new(),
            certificate: None,
            key: None,
        }
    }
}

impl Default for MqttConfig {
    /// The embedded broker on this machine only.
    fn default() -> Self {
        Self {
            broker: Broker::Embedded,
            listen: SocketAddr::from(([127, 0, 0, 1], 1883)),
            user: None,
            password: None,
            password_file: None,
            ca_file: None,
            base: slug("flagfall"),
            publish_names: false,
        }
    }
}

impl Default for PgnConfig {
    fn default() -> Self {
        Self {
            files: true,
            dir: None,
        }
    }
}

impl Default for BroadcastConfig {
    /// Off: the games of a hall are its organiser's.
    fn default() -> Self {
        Self {
            on: false,
            delay: Minutes(Duration::ZERO),
            half_moves_back: 0,
        }
    }
}

impl Default for AlertsConfig {
    fn default() -> Self {
        Self {
            escalate_after: Minutes(Duration::from_mins(1)),
            correction_limit: Minutes(Duration::from_mins(1)),
        }
    }
}
