//! The values of the configuration that are more than a text or a number.

use std::{fmt, path::PathBuf, str::FromStr, time::Duration};

use flagfall_core::tournament::event::{
    ParseMinutesError, ParseSlugError, check_slug, minutes_text, parse_minutes,
};
use serde::Deserialize;

macro_rules! from_text {
    ($name:ty, $error:ty) => {
        impl TryFrom<String> for $name {
            type Error = $error;

            fn try_from(s: String) -> Result<Self, Self::Error> {
                s.parse()
            }
        }
    };
}

/// A name that can stand in a topic: lower-case letters, digits, hyphens.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Slug(String);

impl Slug {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for Slug {
    type Err = ParseSlugError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        check_slug(s).map(|()| Self(s.to_owned()))
    }
}
from_text!(Slug, ParseSlugError);

/// The address of a board on a bus: its serial number, as far as 14 bits hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct BusAddress(u16);

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no address of a board on a bus: a number from 1 to 16383")]
pub struct ParseAddressError(String);

impl fmt::Display for BusAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}

impl FromStr for BusAddress {
    type Err = ParseAddressError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        s.parse()
            .ok()
            .filter(|address| (1..0x4000).contains(address))
            .map(Self)
            .ok_or_else(|| ParseAddressError(s.to_owned()))
    }
}
from_text!(BusAddress, ParseAddressError);

/// A length of time written `m:ss` or `h:mm:ss`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Minutes(pub Duration);

impl fmt::Display for Minutes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&minutes_text(self.0))
    }
}

impl FromStr for Minutes {
    type Err = ParseMinutesError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        parse_minutes(s).map(Self)
    }
}
from_text!(Minutes, ParseMinutesError);

/// A password. Never shown, not even by `Debug`.
#[derive(Clone, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// Which MQTT broker to publish to.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum Broker {
    /// The one inside the daemon.
    Embedded,
    /// A broker elsewhere.
    External {
        /// Host name or address; an IPv6 address without its brackets.
        host: String,
        /// The port; 1883, or 8883 with TLS, when the address has none.
        port: u16,
        /// `mqtts://`.
        tls: bool,
    },
}

/// Not a broker.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a broker; write embedded, mqtt://host:1883 or mqtts://host:8883 (user and \
     password have keys of their own)"
)]
pub struct ParseBrokerError(pub String);

impl FromStr for Broker {
    type Err = ParseBrokerError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        if s == "embedded" {
            return Ok(Self::Embedded);
        }
        let (tls, rest) = match (s.strip_prefix("mqtt://"), s.strip_prefix("mqtts://")) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => return Err(ParseBrokerError(s.to_owned())),
        };
        let default = if tls { 8883 } else { 1883 };
        let (host, port) = host_port(rest.trim_end_matches('/'), Some(default))
            .ok_or_else(|| ParseBrokerError(s.to_owned()))?;
        Ok(Self::External { host, port, tls })
    }
}
from_text!(Broker, ParseBrokerError);

/// Where a device is reached.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub enum PortPath {
    /// A serial port.
    Serial(PathBuf),
    /// Every serial port that fits a pattern with `*`, `?` or `[ ]`.
    Pattern(String),
    /// A TCP connection, e.g. to a simulator or a serial server.
    Tcp {
        /// Host name or address; an IPv6 address without its brackets.
        host: String,
        /// The port.
        port: u16,
    },
}

impl fmt::Display for PortPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial(path) => path.display().fmt(f),
            Self::Pattern(pattern) => f.write_str(pattern),
            Self::Tcp { host, port } if host.contains(':') => write!(f, "tcp://[{host}]:{port}"),
            Self::Tcp { host, port } => write!(f, "tcp://{host}:{port}"),
        }
    }
}

/// Not a port.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a port; write a path like /dev/serial/by-id/usb-…, a pattern like \
     /dev/ttyACM*, or tcp://host:port"
)]
pub struct ParsePortError(pub String);

impl FromStr for PortPath {
    type Err = ParsePortError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        let error = || ParsePortError(s.to_owned());
        if let Some(rest) = s.strip_prefix("tcp://") {
            let (host, port) = host_port(rest, None).ok_or_else(error)?;
            return Ok(Self::Tcp { host, port });
        }
        if !s.starts_with('/') || s.ends_with('/') {
            return Err(error());
        }
        if s.contains(['*', '?', '[']) {
            return Ok(Self::Pattern(s.to_owned()));
        }
        Ok(Self::Serial(s.into()))
    }
}
from_text!(PortPath, ParsePortError);

/// `host:port`, `[v6]:port`, or without port when there is a default.
fn host_port(s: &str, default: Option<u16>) -> Option<(String, u16)> {
    let (host, port) = match s.strip_prefix('[') {
        Some(v6) => {
            let (host, port) = v6.split_once(']')?;
            host.parse::<std::net::Ipv6Addr>().ok()?;
            (host, port)
        }
        None => match s.find(':') {
            Some(at) => s.split_at(at),
            None => (s, ""),
        },
    };
    let port = match port.strip_prefix(':') {
        Some(port) if port.bytes().all(|b| b.is_ascii_digit()) => port.parse().ok()?,
        None if port.is_empty() => default?,
        Some(_) | None => return None,
    };
    let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b':' | b'_');
    let good = !host.is_empty() && port != 0 && host.bytes().all(plain);
    good.then(|| (host.to_owned(), port))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers() {
        let external = |host: &str, port, tls| {
            Ok(Broker::External {
                host: host.into(),
                port,
                tls,
            })
        };
        for (text, broker) in [
            ("embedded", Ok(Broker::Embedded)),
            ("mqtt://hall", external("hall", 1883, false)),
            (
                "mqtts://mq.example.org/",
                external("mq.example.org", 8883, true),
            ),
            ("mqtt://10.0.0.2:2883", external("10.0.0.2", 2883, false)),
            ("mqtt://[fe80::1]:1883", external("fe80::1", 1883, false)),
        ] {
            assert_eq!(text.parse(), broker, "{text}");
        }
        for bad in [
            "",
            "hall:1883",
            "http://hall",
            "mqtt://",
            "mqtt://a:b",
            "mqtt://a:70000",
            "mqtt://a:0",
            "mqtt://user:pw@hall:1883",
            "mqtt://fe80::1",
            "mqtt://a:",
            "mqtt://a:+1",
        ] {
            assert!(bad.parse::<Broker>().is_err(), "{bad}");
        }
    }

    #[test]
    fn ports() {
        for text in [
            "/dev/ttyACM0",
            "/dev/serial/by-id/usb-DGT*",
            "tcp://h:1",
            "tcp://[::1]:9",
        ] {
            assert_eq!(
                text.parse::<PortPath>().map(|p| p.to_string()),
                Ok(text.to_owned())
            );
        }
        assert!(matches!("/dev/ttyACM*".parse(), Ok(PortPath::Pattern(_))));
        for bad in ["", "ttyACM0", "/dev/", "tcp://h", "tcp://:9", "COM3"] {
            assert!(bad.parse::<PortPath>().is_err(), "{bad}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        assert!(!format!("{:?}", Secret("hunter2".into())).contains("hunter"));
    }
}
