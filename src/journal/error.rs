//! What can go wrong with the journal, in words that say what to do.

use std::{io, path::Path, path::PathBuf};

use thiserror::Error;

/// Why the journal could not do what was asked.
#[derive(Debug, Error)]
pub enum JournalError {
    /// No room on the disk. Nothing was written; free space and try again.
    #[error("the disk that holds {path} is full: free some space, the hub goes on by itself then")]
    DiskFull {
        /// The journal.
        path: PathBuf,
    },
    /// The disk does not read or write, though it has room.
    #[error("the disk that holds {path} fails ({detail}): copy the data away and change the disk")]
    Disk {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        detail: String,
    },
    /// Another hub has this data directory.
    #[error("another hub is running on {path}: stop it, or give this one its own data directory")]
    Locked {
        /// The journal.
        path: PathBuf,
    },
    /// The file is not a sound journal.
    #[error(
        "the journal {path} is damaged ({detail}): keep the file for rescue, move it away, and put \
         the last backup in its place"
    )]
    Damaged {
        /// The journal.
        path: PathBuf,
        /// What was found.
        detail: String,
    },
    /// The file was written by a newer Flagfall.
    #[error("the journal {path} was written by a newer version of Flagfall: install that version")]
    Newer {
        /// The journal.
        path: PathBuf,
    },
    /// Somebody took the file away from under the hub.
    #[error("the journal {path} {what}")]
    Lost {
        /// The journal.
        path: PathBuf,
        /// What happened and what to do.
        what: &'static str,
    },
    /// The events to append do not go on from the last one.
    #[error("the journal expects event {expected} next, not {found}")]
    Sequence {
        /// The number that comes next.
        expected: u64,
        /// The number that was given.
        found: u64,
    },
    /// There is nothing to copy.
    #[error("there is no journal {path}: name the data directory of a hub that has run")]
    Missing {
        /// Where it should be.
        path: PathBuf,
    },
    /// A backup never replaces another file.
    #[error("there is a file {path} already: give the copy another name")]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The copy cannot be written there.
    #[error("cannot write {path}: {why}")]
    Target {
        /// The copy.
        path: PathBuf,
        /// Why, in words.
        why: String,
    },
    /// The file or its directory cannot be used.
    #[error("cannot use {path}: {error}")]
    File {
        /// What cannot be used.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Anything else from the database.
    #[error("the journal {path} failed: {detail}")]
    Other {
        /// The journal.
        path: PathBuf,
        /// What the database said.
        detail: String,
    },
}

// Primary result codes of SQLite (sqlite.org/rescode.html); the extended code keeps them in its low byte.
const BUSY: i32 = 5;
const LOCKED: i32 = 6;
const IOERR: i32 = 10;
const CORRUPT: i32 = 11;
const FULL: i32 = 13;
const CANTOPEN: i32 = 14;
const NOTADB: i32 = 26;

/// Less room than this counts as a full disk when SQLite only says "disk I/O error": it does so when
/// the write-ahead log's index cannot grow.
const ROOM: u64 = 256 * 1024;

impl JournalError {
    pub(super) fn from_sqlx(path: &Path, error: &sqlx::Error) -> Self {
        let path = path.to_path_buf();
        let detail = error.to_string();
        let code = match error {
            sqlx::Error::Database(error) => error
                .code()
                .and_then(|code| code.parse::<i32>().ok())
                .map(|code| code & 0xff),
            sqlx::Error::Io(error) if error.kind() == io::ErrorKind::StorageFull => Some(FULL),
            _ => None,
        };
        match code {
            Some(FULL) => Self::DiskFull { path },
            Some(IOERR | CANTOPEN) if room(&path) < ROOM => Self::DiskFull { path },
            Some(IOERR) => Self::Disk { path, detail },
            Some(BUSY | LOCKED) => Self::Locked { path },
            Some(CORRUPT | NOTADB) => Self::Damaged { path, detail },
            _ => Self::Other { path, detail },
        }
    }

    pub(super) fn from_io(path: &Path, error: io::Error) -> Self {
        let path = path.to_path_buf();
        if error.kind() == io::ErrorKind::StorageFull {
            Self::DiskFull { path }
        } else {
            Self::File { path, error }
        }
    }
}

/// Bytes that may still be written beside the journal; "plenty" when the system does not say.
fn room(path: &Path) -> u64 {
    let directory = path.parent().unwrap_or(path);
    nix::sys::statvfs::statvfs(directory).map_or(u64::MAX, |disk| {
        disk.blocks_available().saturating_mul(disk.fragment_size())
    })
}
