//! Reading and writing, and what the reader has to say.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::Path,
};

use anyhow::{Context as _, anyhow};
use flagfall_core::{
    tournament::{
        PairingSystem,
        trf::{self, Notice, Reading, Request, RequestError, Severity},
    },
    types::RoundNo,
};

use crate::exit::Failure;

/// Remarks of one kind are shown up to here.
const SHOWN: usize = 20;

/// A report file of more than this is none, bytes: ten thousand players in thirty rounds have four million.
const LARGEST: u64 = 8 << 20;

/// Reads a report file, `-` for standard input, and says on stderr what the reader noticed.
pub(super) fn read(path: &Path) -> Result<Reading, Failure> {
    let bytes = read_bytes(path)?;
    let reading = trf::read(&bytes);
    for severity in [Severity::Error, Severity::Warning, Severity::Info] {
        let word = match severity {
            Severity::Error => "error: ",
            Severity::Warning => "warning: ",
            Severity::Info => "",
        };
        let of_kind = || reading.notices.iter().filter(|it| it.severity == severity);
        for notice in of_kind().take(SHOWN) {
            say(&format!("{word}{}: {notice}", path.display()));
        }
        let more = of_kind().skip(SHOWN).count();
        if more > 0 {
            say(&format!(
                "{word}{}: and {more} more like these",
                path.display()
            ));
        }
    }
    Ok(reading)
}

/// Reads a file, `-` for standard input.
pub(super) fn read_bytes(path: &Path) -> Result<Vec<u8>, Failure> {
    bytes(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(Failure::configuration)
}

/// A report file has player records.
pub(super) fn is_report(bytes: &[u8]) -> bool {
    let mut lines = bytes.split(|b| matches!(b, b'\r' | b'\n'));
    lines.any(|line| line.starts_with(b"001 "))
}

/// The system that was asked for decides whether the file is read as one of players or of teams.
pub(super) fn name_system(reading: &mut Reading, system: Option<&PairingSystem>) {
    let Some(system) = system else { return };
    if system.is_of_teams() || matches!(system, PairingSystem::Scheveningen { .. }) {
        let baku = reading.document.system().is_some_and(|code| code.baku);
        reading.document.set_system(&system.code(baku));
    }
}

/// The input for a round, the next one when none is named.
///
/// # Errors
/// When the file cannot be paired from, or what the reader had to leave out bears on that round.
pub(super) fn request(
    path: &Path,
    reading: &Reading,
    round: Option<RoundNo>,
) -> Result<Request, Failure> {
    checked(path, reading, reading.document.request(round))
}

/// The same for the teams of a team event.
///
/// # Errors
/// As above.
pub(super) fn team_request(
    path: &Path,
    reading: &Reading,
    round: Option<RoundNo>,
) -> Result<Request, Failure> {
    checked(path, reading, reading.document.team_request(round))
}

fn checked(
    path: &Path,
    reading: &Reading,
    request: Result<Request, RequestError>,
) -> Result<Request, Failure> {
    let request =
        request.map_err(|error| Failure::configuration(anyhow!("{}: {error}", path.display())))?;
    let bears = |notice: &&Notice| {
        notice.severity == Severity::Error
            && notice.round.is_none_or(|it| it <= request.input.round)
    };
    match reading.notices.iter().find(bears) {
        None => Ok(request),
        Some(notice) => Err(Failure::configuration(anyhow!(
            "{}: round {} cannot be paired from what could be read: {notice}; mend the file, do \
             not pair from it as it is",
            path.display(),
            request.input.round
        ))),
    }
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin()
            .lock()
            .take(LARGEST + 1)
            .read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?
            .take(LARGEST + 1)
            .read_to_end(&mut bytes)?;
    }
    if bytes.len() as u64 > LARGEST {
        let words = "it is larger than 8 MiB: no report file is";
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

/// A line on stderr. Whoever read it may be gone.
pub(super) fn say(text: &str) {
    drop(writeln!(io::stderr(), "flagfall: {text}"));
}

/// Writes to a file, or to standard output. A reader who has seen enough is no fault.
pub(super) fn write(out: Option<&Path>, bytes: &[u8]) -> Result<(), Failure> {
    let written = match out.filter(|path| *path != Path::new("-")) {
        Some(path) => {
            fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
        }
        None => match io::stdout()
            .write_all(bytes)
            .and_then(|()| io::stdout().flush())
        {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            other => other.context("cannot write to standard output"),
        },
    };
    Ok(written?)
}
