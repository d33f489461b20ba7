//! Serial lines: 8N1, raw, exclusive, as fast as the device wants.

use std::{io, path::Path};

use flagfall_core::protocol::registry::SerialLine;
use serde::Deserialize;
use tokio_serial::{ErrorKind, SerialPort as _, SerialStream};

use super::{PortName, port::OpenError};

/// What to do with a modem line after opening.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ModemLine {
    /// As the kind of device wants it.
    #[default]
    Usual,
    /// Raise it; what most boards are used to.
    High,
    /// Pull it down: a string of boards on one RS-232 line wants both lines so.
    Low,
    /// Leave it as the driver has it.
    Leave,
}

impl ModemLine {
    fn level(self, usual: bool) -> Option<bool> {
        match self {
            Self::Usual => Some(usual),
            Self::High => Some(true),
            Self::Low => Some(false),
            Self::Leave => None,
        }
    }
}

/// Settings of a serial line that may differ from hall to hall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SerialSettings {
    /// Data terminal ready.
    pub dtr: ModemLine,
    /// Request to send.
    pub rts: ModemLine,
}

/// Opens a serial line with `TIOCEXCL` and a file lock, so that a second hub is refused even when
/// both run as root.
pub async fn open(
    name: &PortName,
    path: &Path,
    settings: SerialSettings,
    line: SerialLine,
) -> Result<SerialStream, OpenError> {
    // Opening an RFCOMM device waits for the radio.
    let path = path.to_string_lossy().into_owned();
    let port = name.clone();
    tokio::task::spawn_blocking(move || open_blocking(&port, &path, settings, line))
        .await
        .map_err(|error| OpenError::io(name, io::Error::other(error)))?
}

fn open_blocking(
    name: &PortName,
    path: &str,
    settings: SerialSettings,
    line: SerialLine,
) -> Result<SerialStream, OpenError> {
    use io::ErrorKind::{NotFound, PermissionDenied, ResourceBusy};

    let builder = tokio_serial::new(path, line.baud).exclusive(true);
    let mut stream = SerialStream::open(&builder).map_err(|error| match error.kind {
        // What the library makes of a lock or an exclusive mark that somebody else holds.
        ErrorKind::NoDevice => OpenError::Held(name.clone()),
        ErrorKind::Io(kind @ (NotFound | PermissionDenied | ResourceBusy)) => {
            OpenError::io(name, io::Error::new(kind, error.description))
        }
        _ if !is_terminal(path) => OpenError::NotSerial(name.clone()),
        ErrorKind::Io(kind) => OpenError::io(name, io::Error::new(kind, error.description)),
        ErrorKind::InvalidInput | ErrorKind::Unknown => {
            OpenError::io(name, io::Error::other(error.description))
        }
    })?;
    // Pseudo-terminals have no modem lines (ENOTTY), and some adapters only pretend to.
    if let Some(level) = settings.dtr.level(line.modem_high) {
        let _ = stream.write_data_terminal_ready(level);
    }
    if let Some(level) = settings.rts.level(line.modem_high) {
        let _ = stream.write_request_to_send(level);
    }
    Ok(stream)
}

/// Looked at only after a failure: opening a line twice may move its modem lines.
fn is_terminal(path: &str) -> bool {
    use std::{io::IsTerminal as _, os::unix::fs::OpenOptionsExt as _};

    let flags = nix::fcntl::OFlag::O_NONBLOCK | nix::fcntl::OFlag::O_NOCTTY;
    std::fs::File::options()
        .read(true)
        .custom_flags(flags.bits())
        .open(path)
        .is_ok_and(|file| file.is_terminal())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_no_serial_line_is_called_so() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let directory = tempfile::tempdir().unwrap();
        for path in [Path::new("/dev/null"), file.path(), directory.path()] {
            let name = PortName(path.display().to_string());
            let line = SerialLine {
                baud: 9600,
                modem_high: true,
            };
            let opened = open(&name, path, SerialSettings::default(), line).await;
            let error = opened.err().map(|error| error.to_string());
            assert_eq!(error, Some(format!("{name} is no serial port")));
        }
    }
}
