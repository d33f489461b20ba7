//! The journal's files while the hub runs: still there, and still those that were opened.
//!
//! SQLite goes on writing to a file that was removed or cut off under it, and nobody would find what
//! was written there. What it still holds open can be written out anew.

use std::{
    fs::{self, File},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::PoisonError,
};

use sqlx::{Connection as _, Row as _};

use super::{Journal, JournalError, open};

/// Which file a path leads to, and how long it is.
#[derive(Clone, Copy, Debug)]
struct Seen {
    file: (u64, u64),
    length: u64,
}

impl Seen {
    /// Asks the path; a file that was opened and closed here would give up SQLite's locks.
    fn at(path: &Path) -> Option<Self> {
        let found = fs::metadata(path).ok()?;
        Some(Self {
            file: (found.dev(), found.ino()),
            length: found.len(),
        })
    }
}

/// The files as they were when all was well.
#[derive(Debug)]
pub(super) struct Files {
    main: Option<Seen>,
    /// The write-ahead log and its index; SQLite replaces them when nobody has the journal open.
    beside: [Option<Seen>; 2],
}

impl Files {
    pub(super) fn at(path: &Path) -> Self {
        Self {
            main: Seen::at(path),
            beside: beside(path).map(|path| Seen::at(&path)),
        }
    }

    /// What has happened between two looks. None of the files ever gets shorter by SQLite's doing.
    fn fault(&self, now: &Self, writing: bool) -> Option<Fault> {
        let other = |old: Seen, now: Seen| old.file != now.file;
        let shorter = |old: Seen, now: Seen| now.length < old.length;
        if let Some(old) = self.main {
            match now.main {
                None => return Some(Fault::Removed),
                Some(now) if other(old, now) => return Some(Fault::Replaced),
                Some(now) if shorter(old, now) => return Some(Fault::CutOff),
                Some(_) => {}
            }
        }
        let log = self.beside.iter().zip(now.beside).any(|(old, now)| {
            old.is_some_and(|old| now.is_none_or(|now| other(old, now) || shorter(old, now)))
        });
        (writing && log).then_some(Fault::Log)
    }
}

fn beside(path: &Path) -> [PathBuf; 2] {
    ["-wal", "-shm"].map(|end| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        name.into()
    })
}

/// What somebody did to the files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Removed,
    Replaced,
    CutOff,
    Log,
}

impl Journal {
    /// Looks whether the journal is still the file that was opened.
    pub async fn check(&self) -> Result<(), JournalError> {
        let slot = self.0.writer.lock().await;
        self.look(slot.is_some())
    }

    /// The same for who has the writer's lock; `writing` when there is a writer.
    pub(super) fn look(&self, writing: bool) -> Result<(), JournalError> {
        self.fault(writing)
            .map_or(Ok(()), |fault| Err(self.lost(fault)))
    }

    fn fault(&self, writing: bool) -> Option<Fault> {
        let now = Files::at(&self.0.path);
        let mut files = self.0.files.lock().unwrap_or_else(PoisonError::into_inner);
        let fault = files.fault(&now, writing);
        if fault.is_none() {
            *files = now;
        }
        fault
    }

    /// Takes the files as they are now, after a write or with a new writer.
    pub(super) fn note(&self) {
        let now = Files::at(&self.0.path);
        let mut files = self.0.files.lock().unwrap_or_else(PoisonError::into_inner);
        // A file that was exchanged during the write is not ours.
        if files.fault(&now, false).is_none() {
            *files = now;
        }
    }

    /// After an error: writes the journal's files anew if somebody removed them and what was in them
    /// is still held open. Nothing to do is no error.
    pub async fn repair(&self) -> Result<(), JournalError> {
        let mut slot = self.0.writer.lock().await;
        let path = &self.0.path;
        if let Some(fault) = self.fault(slot.is_some()) {
            let part = path.with_added_extension("part");
            {
                let writer = slot.as_mut().ok_or_else(|| self.lost(fault))?;
                let failed = |error| self.error(&error);
                match fault {
                    Fault::Removed => {
                        let file_failed = |error| JournalError::from_io(&part, error);
                        if let Some(directory) = path.parent() {
                            fs::create_dir_all(directory).map_err(file_failed)?;
                        }
                        remove(&part);
                        sqlx::query("VACUUM INTO ?")
                            .bind(part.to_string_lossy().as_ref())
                            .execute(writer)
                            .await
                            .map_err(failed)?;
                        File::open(&part)
                            .and_then(|file| file.sync_all())
                            .map_err(file_failed)?;
                    }
                    Fault::Log => {
                        // Of a log that was cut off this fails: what it held is nowhere else.
                        let busy = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)")
                            .fetch_one(writer)
                            .await
                            .and_then(|row| row.try_get::<i64, _>(0));
                        if busy.map_or(true, |busy| busy != 0) {
                            return Err(self.lost(fault));
                        }
                    }
                    Fault::Replaced | Fault::CutOff => return Err(self.lost(fault)),
                }
            }
            // Who closes an SQLite file last removes its log by name: not that of the new file.
            self.readers().close().await;
            if let Some(writer) = slot.take() {
                writer.close().await.map_err(|error| self.error(&error))?;
            }
            if fault == Fault::Removed {
                if Seen::at(path).is_some() {
                    return Err(self.lost(Fault::Replaced));
                }
                for path in beside(path) {
                    remove(&path);
                }
                fs::rename(&part, path)
                    .and_then(|()| match path.parent() {
                        Some(directory) => File::open(directory)?.sync_all(),
                        None => Ok(()),
                    })
                    .map_err(|error| JournalError::from_io(path, error))?;
                self.0
                    .files
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .main = None;
            }
        }
        if self.readers().is_closed() {
            let writer = self.writer(&mut slot).await?;
            *slot = Some(writer);
            let readers = open::readers(&self.0.options)
                .await
                .map_err(|error| self.error(&error))?;
            *self
                .0
                .readers
                .write()
                .unwrap_or_else(PoisonError::into_inner) = readers;
        }
        Ok(())
    }

    fn lost(&self, fault: Fault) -> JournalError {
        let what = match fault {
            Fault::Removed => "was removed while the hub runs; the hub tries to write it anew",
            Fault::Replaced => {
                "was replaced by another file while the hub runs: stop the hub, put the right file \
                 in its place and start again"
            }
            Fault::CutOff => {
                "was cut off while the hub runs: stop the hub, put the last backup in its place and \
                 start again"
            }
            Fault::Log => {
                "has lost its write-ahead log (-wal) while the hub runs: if this does not pass by \
                 itself, stop the hub, put the last backup in its place and start again"
            }
        };
        JournalError::Lost {
            path: self.0.path.clone(),
            what,
        }
    }

    /// The writer came anew and finds less than was there.
    pub(super) fn shrunk(&self) -> JournalError {
        self.lost(Fault::CutOff)
    }
}

/// Removes what may be there.
fn remove(path: &Path) {
    if let Err(error) = fs::remove_file(path)
        && error.kind() != std::io::ErrorKind::NotFound
    {
        tracing::debug!(path = %path.display(), %error, "a left-over stays");
    }
}
