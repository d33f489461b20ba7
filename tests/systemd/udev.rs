//! The udev rules, tried on the devices that a hall plugs in.
//!
//! udev 252 cannot check a file without a running daemon, so a strict reader of the part of the
//! language that our rules use stands in; `udevadm verify` (254 and later) has the last word where
//! it exists.

use std::{
    collections::{BTreeMap, BTreeSet},
    process::Command,
};

use super::{file, read, run, text_of};

#[test]
fn udev_itself_accepts_the_rules_where_it_can_check() {
    let version = text_of(&run(Command::new("udevadm").arg("--version")));
    let version: u32 = version.trim().parse().unwrap();
    if version >= 254 {
        let output = run(Command::new("udevadm")
            .arg("verify")
            .arg(file("99-flagfall.rules")));
        assert!(output.status.success(), "{}", text_of(&output));
    }
}

#[test]
fn a_classic_board_has_two_names() {
    let board = Device::tty("ttyUSB0")
        .usb("0403", "6001")
        .env("ID_SERIAL_SHORT", "A9XY1234")
        .env("ID_PATH_TAG", "platform-xhci-usb-0_1_4_1_0");
    let outcome = apply(&board);
    assert_eq!(
        outcome.links(),
        [
            "flagfall/at-platform-xhci-usb-0_1_4_1_0",
            "flagfall/dgt-A9XY1234"
        ]
    );
    assert_eq!(outcome.set["GROUP"], "dialout");
    assert_eq!(outcome.set["MODE"], "0660");
    assert_eq!(outcome.env["ID_MM_PORT_IGNORE"], "1");
}

#[test]
fn boards_without_a_serial_number_do_not_share_a_name() {
    let board = |path: &str| {
        apply(
            &Device::tty("ttyUSB3")
                .usb("0403", "6001")
                .env("ID_PATH_TAG", path),
        )
        .links()
    };
    assert_eq!(board("usb-0_1"), ["flagfall/at-usb-0_1"]);
    assert_eq!(board("usb-0_2"), ["flagfall/at-usb-0_2"]);
}

#[test]
fn a_newer_board_is_a_modem_to_linux_and_named_all_the_same() {
    let board = Device::tty("ttyACM2")
        .usb("045b", "8111")
        .env("ID_SERIAL_SHORT", "3000012345");
    assert_eq!(apply(&board).links(), ["flagfall/dgt-3000012345"]);
}

#[test]
fn a_bluetooth_board_belongs_to_dialout() {
    let outcome = apply(&Device::tty("rfcomm0"));
    assert_eq!(outcome.set["GROUP"], "dialout");
    assert!(outcome.links().is_empty());
}

#[test]
fn modem_manager_keeps_off_the_whole_board() {
    let mut board = Device::tty("1-1.4");
    board.keys.insert("SUBSYSTEM".to_owned(), "usb".to_owned());
    let board = board.env("DEVTYPE", "usb_device").usb("0403", "6001");
    let outcome = apply(&board);
    assert_eq!(outcome.env["ID_MM_DEVICE_IGNORE"], "1");
    assert!(outcome.links().is_empty());
}

#[test]
fn other_devices_are_left_alone() {
    for other in [
        Device::tty("ttyUSB0").usb("10c4", "ea60"),
        Device::tty("ttyACM0").usb("2341", "0043"),
        Device::tty("tty1"),
        Device::tty("ttyS0"),
    ] {
        let outcome = apply(&other.env("ID_SERIAL_SHORT", "1").env("ID_PATH_TAG", "p"));
        assert!(outcome.links().is_empty() && outcome.set.is_empty());
        assert!(!outcome.env.contains_key("ID_MM_DEVICE_IGNORE"));
    }
}

#[test]
fn a_board_that_goes_is_not_renamed() {
    let mut board = Device::tty("ttyUSB0")
        .usb("0403", "6001")
        .env("ID_SERIAL_SHORT", "A9XY1234");
    board.keys.insert("ACTION".to_owned(), "remove".to_owned());
    assert!(apply(&board).links().is_empty());
}

/// A device as udev sees it after `60-serial.rules`.
struct Device {
    keys: BTreeMap<String, String>,
    env: BTreeMap<String, String>,
}

impl Device {
    fn tty(kernel: &str) -> Self {
        let keys = [("ACTION", "add"), ("SUBSYSTEM", "tty"), ("KERNEL", kernel)];
        Self {
            keys: keys
                .map(|(key, value)| (key.to_owned(), value.to_owned()))
                .into(),
            env: BTreeMap::new(),
        }
    }

    fn usb(mut self, vendor: &str, product: &str) -> Self {
        self.keys.insert("SUBSYSTEMS".to_owned(), "usb".to_owned());
        for attribute in ["ATTR", "ATTRS"] {
            for (name, value) in [("idVendor", vendor), ("idProduct", product)] {
                let key = format!("{attribute}{{{name}}}");
                self.keys.insert(key, value.to_owned());
            }
        }
        self
    }

    fn env(mut self, key: &str, value: &str) -> Self {
        self.env.insert(key.to_owned(), value.to_owned());
        self
    }
}

/// What the rules made of a device.
#[derive(Default)]
struct Outcome {
    set: BTreeMap<String, String>,
    env: BTreeMap<String, String>,
    links: BTreeSet<String>,
}

impl Outcome {
    fn links(&self) -> Vec<String> {
        self.links.iter().cloned().collect()
    }
}

/// Runs the whole file over a device; panics on anything that udev would refuse or ignore.
fn apply(device: &Device) -> Outcome {
    let text = read("99-flagfall.rules");
    let rules: Vec<Vec<Token>> = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .map(tokens)
        .collect();
    let mut outcome = Outcome {
        env: device.env.clone(),
        ..Outcome::default()
    };
    let mut skip_to: Option<String> = None;
    for rule in &rules {
        let is_label = |label: &String| {
            rule.iter()
                .any(|token| token.key == "LABEL" && token.value == *label)
        };
        if skip_to.as_ref().is_some_and(|label| !is_label(label)) {
            continue;
        }
        skip_to = None;
        let matches = rule
            .iter()
            .filter(|token| token.is_match())
            .all(|token| token.holds(device, &outcome.env));
        if !matches {
            continue;
        }
        for token in rule.iter().filter(|token| !token.is_match()) {
            let value = substitute(&token.value, &outcome.env);
            match (token.key.as_str(), token.operator.as_str()) {
                ("LABEL", "=") => {}
                ("GOTO", "=") => skip_to = Some(value),
                ("SYMLINK", "+=") => {
                    outcome.links.insert(value);
                }
                ("GROUP" | "MODE", "=") => {
                    outcome.set.insert(token.key.clone(), value);
                }
                (key, "=") if key.starts_with("ENV{") => {
                    outcome.env.insert(token.argument().to_owned(), value);
                }
                (key, operator) => panic!("{key}{operator} is no assignment"),
            }
        }
    }
    assert_eq!(skip_to, None, "GOTO without its LABEL");
    outcome
}

struct Token {
    key: String,
    operator: String,
    value: String,
}

impl Token {
    fn is_match(&self) -> bool {
        matches!(self.operator.as_str(), "==" | "!=")
    }

    /// `x` of `KEY{x}`.
    fn argument(&self) -> &str {
        let (_, argument) = self.key.split_once('{').unwrap();
        argument.strip_suffix('}').unwrap()
    }

    fn holds(&self, device: &Device, env: &BTreeMap<String, String>) -> bool {
        let key = self.key.split('{').next().unwrap();
        let actual = match key {
            "ENV" => env.get(self.argument()),
            "ACTION" | "SUBSYSTEM" | "SUBSYSTEMS" | "KERNEL" | "ATTR" | "ATTRS" => {
                device.keys.get(&self.key)
            }
            _ => panic!("{key} is no key to match"),
        };
        let equal = glob(&self.value, actual.map_or("", String::as_str));
        equal == (self.operator == "==")
    }
}

/// The parts of a line: `KEY{argument}operator"value"`, with commas between them.
fn tokens(line: &str) -> Vec<Token> {
    let mut rest = line;
    let mut tokens = Vec::new();
    loop {
        let start = rest
            .find(['=', '!', '+'])
            .unwrap_or_else(|| panic!("no operator: {line}"));
        let (key, tail) = rest.split_at(start);
        let quote = tail.find('"').unwrap_or_else(|| panic!("no value: {line}"));
        let (operator, tail) = tail.split_at(quote);
        let (value, tail) = tail[1..]
            .split_once('"')
            .unwrap_or_else(|| panic!("the value does not end: {line}"));
        assert!(
            ["==", "!=", "=", "+="].contains(&operator),
            "{operator} is no operator: {line}"
        );
        assert!(
            !key.is_empty()
                && key
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_{}".contains(c)),
            "{key} is no key: {line}"
        );
        tokens.push(Token {
            key: key.to_owned(),
            operator: operator.to_owned(),
            value: value.to_owned(),
        });
        if tail.is_empty() {
            return tokens;
        }
        rest = tail
            .strip_prefix(", ")
            .unwrap_or_else(|| panic!("no comma: {line}"));
    }
}

/// `$env{NAME}` in a value.
fn substitute(value: &str, env: &BTreeMap<String, String>) -> String {
    let Some((before, rest)) = value.split_once("$env{") else {
        assert!(!value.contains('$'), "unknown substitution: {value}");
        return value.to_owned();
    };
    let (name, after) = rest.split_once('}').unwrap();
    let inner = env.get(name).map_or("", String::as_str);
    format!("{before}{inner}{}", substitute(after, env))
}

/// Shell patterns as far as the rules use them: `*`, `?`, `[0-9]`.
fn glob(pattern: &str, text: &str) -> bool {
    let mut rest = text.chars();
    if let Some(pattern) = pattern.strip_prefix('*') {
        return text.is_empty() && pattern.is_empty()
            || glob(pattern, text)
            || rest.next().is_some() && glob(&format!("*{pattern}"), rest.as_str());
    }
    if let Some(pattern) = pattern.strip_prefix("[0-9]") {
        return rest.next().is_some_and(|c| c.is_ascii_digit()) && glob(pattern, rest.as_str());
    }
    let mut wanted = pattern.chars();
    match (wanted.next(), rest.next()) {
        (None, None) => true,
        (Some('?'), Some(_)) => glob(wanted.as_str(), rest.as_str()),
        (Some(a), Some(b)) => a == b && glob(wanted.as_str(), rest.as_str()),
        _ => false,
    }
}
