//! What a single value cannot show: keys that contradict each other, ports listed twice, files that
//! are not there.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

use flagfall_core::protocol::dgt;

use super::{
    Broker, Config, PortPath, Secret,
    document::{Document, Problem, suggest},
};

/// Adds what it finds to `problems` and reads the password from its file.
pub(super) fn check(config: &mut Config, document: &Document<'_>, problems: &mut Vec<Problem>) {
    mqtt(config, document, problems);
    https(config, document, problems);
    ports(config, document, problems);
    games(config, document, problems);
    for (key, patterns) in [
        ("scan", &config.scan.scan),
        ("exclude", &config.scan.exclude),
    ] {
        for (at, pattern) in patterns.iter().enumerate() {
            if !pattern.starts_with('/') {
                problems.push(document.problem(
                    &["ports", key, &at.to_string()],
                    format!("\"{pattern}\" is not a pattern of ports"),
                    "write a whole path like /dev/ttyACM* or /dev/serial/by-id/*",
                ));
            }
        }
    }
    for (key, time) in [
        ("escalate_after", config.alerts.escalate_after),
        ("correction_limit", config.alerts.correction_limit),
    ] {
        if time.0.is_zero() {
            problems.push(document.problem(
                &["alerts", key],
                "0:00 would alert at once",
                "write at least 0:01",
            ));
        }
    }
}

/// The longest delay of a broadcast: longer than any game, and it would never be seen.
const DELAY_MAX: Duration = Duration::from_hours(3);

fn games(config: &Config, document: &Document<'_>, problems: &mut Vec<Problem>) {
    if let Some(dir) = &config.pgn.dir {
        let at = &["pgn", "dir"];
        if !config.pgn.files {
            problems.push(document.problem(
                at,
                "`dir` means nothing with files = false",
                "remove one of the two",
            ));
        } else if dir.exists() && !dir.is_dir() {
            let message = format!("{} is no directory", dir.display());
            problems.push(document.problem(at, message, "correct the path"));
        }
    }
    if config.broadcast.delay.0 > DELAY_MAX {
        problems.push(document.problem(
            &["broadcast", "delay"],
            format!("{} is longer than a game", config.broadcast.delay),
            "write at most 3:00:00; 15:00 is usual",
        ));
    }
}

fn https(config: &Config, document: &Document<'_>, problems: &mut Vec<Problem>) {
    let http = &config.http;
    let mut report = |at: &[&str], message: String, hint: &str| {
        problems.push(document.problem(at, message, hint));
    };
    if http
        .https
        .is_some_and(|https| https.port() == http.listen.port() && https.port() != 0)
    {
        report(
            &["http", "https"],
            "`https` has the port of `listen`".to_owned(),
            "choose another port for one of them, e.g. 8443",
        );
    }
    if http.https.is_none() {
        for (key, given) in [
            ("names", !http.names.is_empty()),
            ("certificate", http.certificate.is_some()),
            ("key", http.key.is_some()),
        ] {
            if given {
                let message = format!("`{key}` means nothing without HTTPS");
                report(
                    &["http", key],
                    message,
                    "write https = \"0.0.0.0:8443\", or remove it",
                );
            }
        }
    } else if http.certificate.is_some() != http.key.is_some() {
        let (key, other) = if http.key.is_some() {
            ("key", "certificate")
        } else {
            ("certificate", "key")
        };
        report(
            &["http", key],
            format!("`{key}` is given without `{other}`"),
            "give both, or neither: then the hub makes its own",
        );
    }
    let is_name = |name: &str| {
        !name.is_empty()
            && name.len() < 254
            && name.split('.').all(|part| {
                !part.is_empty()
                    && part
                        .bytes()
                        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            })
    };
    for (at, name) in http.names.iter().enumerate() {
        if !is_name(name) {
            report(
                &["http", "names", &at.to_string()],
                format!("\"{name}\" is no name of a host"),
                "write it as in hub.local",
            );
        }
    }
    let contact = &config.push.contact;
    if !contact.starts_with("mailto:") && !contact.starts_with("https://") {
        report(
            &["push", "contact"],
            format!("\"{contact}\" is no address that a push service can write to"),
            "write it as in mailto:arbiter@example.org",
        );
    }
    if config.push.on && http.https.is_none() {
        report(
            &["push", "on"],
            "phones let themselves be called only by a page over HTTPS".to_owned(),
            "write https = \"0.0.0.0:8443\" below [http]",
        );
    }
}

fn mqtt(config: &mut Config, document: &Document<'_>, problems: &mut Vec<Problem>) {
    let mqtt = &mut config.mqtt;
    let mut report = |key: &str, message: String, hint: &str| {
        problems.push(document.problem(&["mqtt", key], message, hint));
    };
    let (http, listen) = (config.http.listen, mqtt.listen);
    let overlap = http.port() == listen.port()
        && http.port() != 0
        && (http.ip() == listen.ip() || http.ip().is_unspecified() || listen.ip().is_unspecified());
    if mqtt.broker == Broker::Embedded && overlap {
        report(
            "listen",
            format!("{listen} is taken by the pages ([http] listen = \"{http}\")"),
            "choose another port for one of them",
        );
    }
    if mqtt.password.is_some() && mqtt.password_file.is_some() {
        report(
            "password_file",
            "`password` and `password_file` both give the password".to_owned(),
            "remove one of them",
        );
    }
    if let Some(file) = &mqtt.password_file {
        match super::read_bounded(file, super::FILE_MAX)
            .and_then(|bytes| String::from_utf8(bytes).map_err(io::Error::other))
        {
            Ok(text) => {
                let first = text.lines().next().unwrap_or_default();
                if first.is_empty() {
                    let message = format!("the first line of {} is empty", file.display());
                    report("password_file", message, "write the password there");
                } else if mqtt.password.is_none() {
                    mqtt.password = Some(Secret(first.to_owned()));
                }
            }
            Err(error) => {
                let message = format!("cannot read {}: {error}", file.display());
                report(
                    "password_file",
                    message,
                    "correct the path, or the rights of the file",
                );
            }
        }
    }
    if mqtt.password.is_some() && mqtt.user.is_none() {
        let key = if mqtt.password_file.is_some() {
            "password_file"
        } else {
            "password"
        };
        report(
            key,
            "a password without a user".to_owned(),
            "add `user = …`",
        );
    }
    // An external broker may know users without passwords; here a user is the lock of the door.
    let open = mqtt
        .password
        .as_ref()
        .is_none_or(|secret| secret.0.is_empty());
    let unread = mqtt.password.is_none() && mqtt.password_file.is_some();
    if mqtt.broker == Broker::Embedded && mqtt.user.is_some() && open && !unread {
        report(
            if mqtt.password.is_some() {
                "password"
            } else {
                "user"
            },
            "a user without a password keeps nobody out".to_owned(),
            "add `password = …` or `password_file = …`, or remove `user`",
        );
    }
    if mqtt.user.as_deref() == Some("") {
        report(
            "user",
            "an empty user".to_owned(),
            "write a name, or remove the key",
        );
    }
    let tls = matches!(mqtt.broker, Broker::External { tls: true, .. });
    if let Some(file) = &mqtt.ca_file {
        if !tls {
            let message = "`ca_file` means nothing without TLS".to_owned();
            report(
                "ca_file",
                message,
                "write broker = \"mqtts://…\", or remove `ca_file`",
            );
        } else if !file.is_file() {
            let message = format!("there is no file {}", file.display());
            report("ca_file", message, "correct the path");
        }
    }
}

fn ports(config: &Config, document: &Document<'_>, problems: &mut Vec<Problem>) {
    let mut paths: BTreeMap<PortPath, usize> = BTreeMap::new();
    let mut tables = BTreeMap::new();
    for (at, port) in config.ports.iter().enumerate() {
        let index = at.to_string();
        let families = super::families();
        if !families.contains(&port.family.as_str()) {
            problems.push(document.problem(
                &["port", &index, "family"],
                format!("unknown device family \"{}\"", port.family),
                suggest(&port.family, &families),
            ));
        }
        if let Some(first) = paths.insert(real(&port.path), at) {
            problems.push(document.problem(
                &["port", &index, "path"],
                format!(
                    "{} is the same port as that of [[port]] {}",
                    port.path,
                    first + 1
                ),
                "remove one of the two",
            ));
        }
        if !port.boards.is_empty() && port.family != dgt::BUS.name {
            problems.push(document.problem(
                &["port", &index, "boards"],
                "`boards` are the tables of a bus",
                "write family = \"dgt-bus\", or `table = …` for one board",
            ));
        }
        if port.family == dgt::BUS.name && port.table.is_some() {
            problems.push(document.problem(
                &["port", &index, "table"],
                "a bus serves several tables",
                "write boards = { 01025 = 12 }: addresses and their tables",
            ));
        }
        for (address, table) in &port.boards {
            let key = ["port", &index, "boards"];
            if table.0 == 0 {
                problems.push(document.problem(
                    &key,
                    "there is no table 0",
                    "tables are numbered from 1",
                ));
            }
            if let Some(first) = tables.insert((*table, port.family.clone()), at) {
                problems.push(document.problem(
                    &key,
                    format!(
                        "the table {table} of board {address} is also that of [[port]] {}",
                        first + 1
                    ),
                    "give one of the two another table",
                ));
            }
        }
        let Some(table) = port.table else { continue };
        if table.0 == 0 {
            problems.push(document.problem(
                &["port", &index, "table"],
                "there is no table 0",
                "tables are numbered from 1",
            ));
        }
        if matches!(port.path, PortPath::Pattern(_)) {
            problems.push(document.problem(
                &["port", &index, "table"],
                format!(
                    "{} may fit several ports, which cannot all be table {table}",
                    port.path
                ),
                "name the port without * ? [ ], or remove `table`",
            ));
        }
        if let Some(first) = tables.insert((table, port.family.clone()), at) {
            problems.push(document.problem(
                &["port", &index, "table"],
                format!("table {table} is also that of [[port]] {}", first + 1),
                "give one of the two another table",
            ));
        }
    }
}

/// The port behind its links, so that two names of one port are seen as one.
fn real(path: &PortPath) -> PortPath {
    match path {
        PortPath::Serial(path) => PortPath::Serial(resolved(path)),
        PortPath::Tcp { host, port } => PortPath::Tcp {
            host: same_host(host),
            port: *port,
        },
        PortPath::Pattern(_) => path.clone(),
    }
}

/// A port that is not plugged in has no file, but mostly a directory.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| {
        let directory = path.parent().and_then(|it| fs::canonicalize(it).ok());
        match (directory, path.file_name()) {
            (Some(directory), Some(name)) => directory.join(name),
            _ => path.to_owned(),
        }
    })
}

fn same_host(host: &str) -> String {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    if host == "localhost" {
        return "127.0.0.1".to_owned();
    }
    let address = host.parse::<std::net::IpAddr>();
    address.map_or(host, |address| address.to_canonical().to_string())
}
