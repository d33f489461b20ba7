//! Reading and writing, and what the reader has to say.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    path::Path,
};

use anyhow::{Context as _, anyhow};
use flagfall_core::tournament::trf::{self, Document, RequestError, Severity};

use crate::exit::Failure;

/// Remarks of one kind are shown up to here.
const SHOWN: usize = 20;

/// A report file of more than this is none, bytes.
const LARGEST: u64 = 256 << 20;

/// Reads a report file, `-` for standard input, and says on stderr what the reader noticed.
pub(super) fn read(path: &Path) -> Result<Document, Failure> {
    let bytes = bytes(path)
        .with_context(|| format!("cannot read {}", path.display()))
        .map_err(Failure::configuration)?;
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
    Ok(reading.document)
}

fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        io::stdin().lock().take(LARGEST).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?
            .take(LARGEST)
            .read_to_end(&mut bytes)?;
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

/// A file from which a round cannot be paired.
pub(super) fn refused(path: &Path, error: &RequestError) -> Failure {
    Failure::configuration(anyhow!("{}: {error}", path.display()))
}
