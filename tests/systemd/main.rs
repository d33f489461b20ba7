//! What is installed on a Pi is what systemd and udev understand: units, users, folders, names.
//!
//! The units are checked unchanged, in a root of their own where `/usr/bin/flagfall` is the binary
//! just built.

// Helpers of tests; clippy's own exception covers the test functions only.
#![allow(clippy::unwrap_used)]

mod udev;

use std::{
    fs,
    os::unix::fs::{MetadataExt, PermissionsExt},
    path::{Path, PathBuf},
    process::{Command, Output},
};

use tempfile::TempDir;

const UNITS: [&str; 2] = ["flagfall.service", "flagfall-screen.service"];

#[test]
fn units_are_understood() {
    let root = Root::new();
    for unit in UNITS {
        root.add_unit(unit, &read(unit));
        assert_eq!(root.verify(unit), "", "{unit}");
    }
}

#[test]
fn verification_sees_a_wrong_key_and_a_missing_program() {
    let root = Root::new();
    let text = read("flagfall.service");

    root.add_unit("typo.service", &text.replace("WatchdogSec", "WatchdogSecs"));
    assert!(root.verify("typo.service").contains("WatchdogSecs"));

    root.add_unit("gone.service", &text.replace("/bin/flagfall", "/bin/gone"));
    assert!(root.verify("gone.service").contains("/usr/bin/gone"));
}

#[test]
fn the_daemon_is_exposed_by_at_most_two_points() {
    let output = run(Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--threshold=20", "--no-pager"])
        .arg(file("flagfall.service")));
    assert!(output.status.success(), "{}", text_of(&output));
}

#[test]
fn the_daemon_may_open_what_the_hall_needs_and_no_more() {
    let unit = read("flagfall.service");
    let values = |key: &str| -> Vec<&str> {
        unit.lines()
            .filter_map(|line| line.strip_prefix(key)?.strip_prefix('='))
            .collect()
    };
    assert_eq!(values("Type"), ["notify"]);
    assert_eq!(values("DevicePolicy"), ["closed"]);
    assert_eq!(
        values("DeviceAllow"),
        ["char-ttyUSB rw", "char-ttyACM rw", "char-rfcomm rw"]
    );
    // Drivers that are not loaded at the start are left out of the list of devices.
    for driver in ["usbserial", "cdc_acm", "rfcomm"] {
        let service = format!("modprobe@{driver}.service");
        for key in ["Wants", "After"] {
            assert!(
                values(key).iter().any(|value| value.contains(&service)),
                "{key}={service}"
            );
        }
    }
    // Their absence would be a shut door: see the comments of the unit.
    for key in ["PrivateDevices", "PrivateNetwork", "IPAddressDeny"] {
        assert!(values(key).is_empty(), "{key}");
    }
}

#[test]
fn users_and_folders_are_made() {
    let root = Root::new();
    run_well(
        Command::new("systemd-sysusers")
            .arg(root.option())
            .arg(file("flagfall.sysusers")),
    );
    let passwd = fs::read_to_string(root.path("etc/passwd")).unwrap();
    let id = |name: &str| -> u32 {
        let line = passwd
            .lines()
            .find(|line| line.starts_with(&format!("{name}:")))
            .unwrap_or_else(|| panic!("no user {name}: {passwd}"));
        assert!(line.ends_with("nologin"), "{line}");
        line.split(':').nth(2).unwrap().parse().unwrap()
    };
    let (hub, screen) = (id("flagfall"), id("flagfall-screen"));
    assert_ne!(hub, screen);
    let groups = fs::read_to_string(root.path("etc/group")).unwrap();
    for group in ["dialout", "bluetooth"] {
        assert!(
            groups
                .lines()
                .any(|line| line.starts_with(&format!("{group}:")) && line.ends_with(":flagfall")),
            "{group}: {groups}"
        );
    }

    // Giving folders away is root's business; CI is root.
    if fs::metadata(root.path("")).unwrap().uid() != 0 {
        return;
    }
    let lock = root.path("var/lib/flagfall-screen/profile/SingletonLock");
    fs::create_dir_all(lock.parent().unwrap()).unwrap();
    fs::write(&lock, "").unwrap();
    run_well(
        Command::new("systemd-tmpfiles")
            .args(["--create", "--remove", "--boot"])
            .arg(root.option())
            .arg(file("flagfall.tmpfiles")),
    );
    let folder = |path: &str| {
        let meta = fs::metadata(root.path(path)).unwrap();
        (meta.uid(), meta.permissions().mode() & 0o7777)
    };
    assert_eq!(folder("etc/flagfall"), (0, 0o750));
    assert_eq!(folder("var/lib/flagfall"), (hub, 0o750));
    assert_eq!(folder("var/lib/flagfall-screen"), (screen, 0o700));
    assert!(!lock.exists(), "the lock of a dead browser stays");
}

/// A folder that systemd's tools take for the root of a machine.
struct Root(TempDir);

impl Root {
    fn new() -> Self {
        let root = Self(tempfile::tempdir().unwrap());
        fs::create_dir_all(root.path("etc/systemd/system")).unwrap();
        fs::create_dir_all(root.path("usr/lib/systemd")).unwrap();
        fs::create_dir_all(root.path("usr/bin")).unwrap();
        std::os::unix::fs::symlink("usr/lib", root.path("lib")).unwrap();
        // systemd's own units, which ours name.
        run_well(
            Command::new("cp")
                .args(["--archive", "/usr/lib/systemd/system"])
                .arg(root.path("usr/lib/systemd/")),
        );
        fs::copy(
            env!("CARGO_BIN_EXE_flagfall"),
            root.path("usr/bin/flagfall"),
        )
        .unwrap();
        for program in ["cage", "curl"] {
            fs::copy("/bin/true", root.path("usr/bin").join(program)).unwrap();
        }
        root
    }

    fn path(&self, below: &str) -> PathBuf {
        self.0.path().join(below)
    }

    fn option(&self) -> String {
        format!("--root={}", self.0.path().display())
    }

    fn add_unit(&self, name: &str, text: &str) {
        fs::write(self.path("etc/systemd/system").join(name), text).unwrap();
    }

    /// What `systemd-analyze verify` has to say; nothing when all is well.
    fn verify(&self, unit: &str) -> String {
        let output = run(Command::new("systemd-analyze")
            .args(["verify", "--man=no"])
            .arg(self.option())
            .arg(unit));
        let text = text_of(&output);
        if output.status.success() || !text.is_empty() {
            text
        } else {
            output.status.to_string()
        }
    }
}

/// A file of the folder `systemd/`.
fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("systemd")
        .join(name)
}

fn read(name: &str) -> String {
    fs::read_to_string(file(name)).unwrap()
}

fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|error| {
        panic!(
            "{}: {error}; apt-get install systemd udev",
            command.get_program().display()
        )
    })
}

fn run_well(command: &mut Command) {
    let output = run(command);
    assert!(
        output.status.success() && output.stderr.trim_ascii() == b"" || is_only_talk(&output),
        "{}: {}",
        command.get_program().display(),
        text_of(&output)
    );
}

/// `systemd-sysusers` names on stderr what it creates.
fn is_only_talk(output: &Output) -> bool {
    output.status.success()
        && String::from_utf8_lossy(&output.stderr)
            .lines()
            .all(|line| line.starts_with("Creating "))
}

fn text_of(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
