//! Which ports there are: fixed names, and patterns looked up again and again.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Component, Path, PathBuf},
};

use serde::Deserialize;

use super::PortName;

/// How the name of a TCP port begins.
const TCP: &str = "tcp://";

/// The ports to serve.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ports {
    /// Paths, patterns with `*` and `?`, or `tcp://host:port`.
    pub include: Vec<String>,
    /// Paths or patterns that are never opened, whatever name leads to them.
    pub exclude: Vec<String>,
}

impl Ports {
    /// The fixed names, there or not, and what the patterns find, before it is known which of them
    /// lead to one device. Looks only at the directories of patterns: it is asked each second.
    pub(super) fn names(&self) -> Vec<PathBuf> {
        self.include
            .iter()
            .flat_map(|name| {
                if name.starts_with(TCP) {
                    vec![PathBuf::from(name)]
                } else {
                    expand(Path::new(name))
                }
            })
            .collect()
    }

    /// The ports that there are now.
    pub fn found(&self) -> Vec<PortName> {
        self.resolve(self.names())
    }

    /// The ports to serve of these names. Of several names of one device the first counts.
    pub(super) fn resolve(&self, names: Vec<PathBuf>) -> Vec<PortName> {
        let mut devices = BTreeSet::new();
        let mut found = Vec::new();
        for path in names {
            let name = PortName(path.to_string_lossy().into_owned());
            if name.0.starts_with(TCP) {
                if devices.insert(path) {
                    found.push(name);
                }
                continue;
            }
            let device = fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
            if !self.excludes(&path) && !self.excludes(&device) && devices.insert(device) {
                found.push(name);
            }
        }
        found
    }

    fn excludes(&self, path: &Path) -> bool {
        let path = path.to_string_lossy();
        self.exclude.iter().any(|pattern| matches(pattern, &path))
    }
}

/// The devices behind the ports that are served already, so that a second name does not open one
/// twice.
pub(super) fn devices<'a>(
    ports: impl Iterator<Item = &'a PortName>,
) -> BTreeMap<PathBuf, &'a PortName> {
    ports
        .filter_map(|port| Some((fs::canonicalize(&port.0).ok()?, port)))
        .collect()
}

/// Whether a name is a pattern.
fn is_pattern(name: &str) -> bool {
    name.contains(['*', '?'])
}

/// The paths that a pattern finds, sorted; a name without `*` and `?` is itself, there or not.
fn expand(pattern: &Path) -> Vec<PathBuf> {
    let mut found = vec![PathBuf::new()];
    for component in pattern.components() {
        let Component::Normal(name) = component else {
            for path in &mut found {
                path.push(component);
            }
            continue;
        };
        let name = name.to_string_lossy();
        if !is_pattern(&name) {
            for path in &mut found {
                path.push(component);
            }
            continue;
        }
        found = found
            .iter()
            .filter_map(|directory| fs::read_dir(directory).ok())
            .flat_map(|entries| entries.filter_map(Result::ok))
            .filter(|entry| matches(&name, &entry.file_name().to_string_lossy()))
            .map(|entry| entry.path())
            .collect();
        found.sort();
    }
    found
}

/// Whether `*` (any characters) and `?` (one) make the pattern fit.
fn matches(pattern: &str, text: &str) -> bool {
    let (pattern, text): (Vec<char>, Vec<char>) =
        (pattern.chars().collect(), text.chars().collect());
    let (mut p, mut t) = (0, 0);
    // The last star and the place in the text where what follows it was tried.
    let mut star = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(&c) if c == '?' || c == text[t] => {
                p += 1;
                t += 1;
            }
            _ => {
                let Some((at, tried)) = star else {
                    return false;
                };
                star = Some((at, tried + 1));
                p = at + 1;
                t = tried + 1;
            }
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("/dev/ttyUSB*", "/dev/ttyUSB10"));
        assert!(matches("*FTDI*if0?", "usb-FTDI_A6-if00"));
        assert!(matches("**", ""));
        assert!(!matches("/dev/ttyUSB?", "/dev/ttyUSB10"));
        assert!(!matches("a*b", "abc"));
    }

    #[test]
    fn one_device_has_one_name() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name);
        for name in ["ttyUSB0", "ttyUSB1", "ttyUSB2"] {
            fs::write(path(name), "").unwrap();
        }
        fs::create_dir(path("by-id")).unwrap();
        symlink(path("ttyUSB0"), path("by-id/usb-board-a")).unwrap();
        symlink(path("ttyUSB2"), path("by-id/usb-modem")).unwrap();
        let text = |name: &str| path(name).to_string_lossy().into_owned();
        let ports = Ports {
            include: vec![
                text("by-id/*"),
                text("ttyUSB*"),
                text("ttyS9"),
                "tcp://sim:4001".into(),
            ],
            // Excluded by its real name, found by its link.
            exclude: vec![text("ttyUSB2")],
        };
        let found: Vec<_> = ports
            .resolve(ports.names())
            .into_iter()
            .map(|port| port.0)
            .collect();
        assert_eq!(
            found,
            [
                text("by-id/usb-board-a"),
                text("ttyUSB1"),
                text("ttyS9"),
                "tcp://sim:4001".into()
            ]
        );
    }
}
