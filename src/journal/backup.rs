//! A sound copy of the journal while the hub runs.

use std::{
    fs::{self, File},
    io,
    path::Path,
};

use sqlx::{ConnectOptions, sqlite::SqliteConnectOptions};

use super::{Journal, JournalError};

impl Journal {
    /// Writes a copy of the journal to `target`, which appears whole or not at all. Writers go on.
    ///
    /// A file that is there already is an error: a backup never replaces another.
    pub async fn backup(&self, target: impl AsRef<Path>) -> Result<(), JournalError> {
        Self::copy(&self.0.path, target).await
    }

    /// The same for a journal that another process has open.
    pub async fn copy(
        source: impl AsRef<Path>,
        target: impl AsRef<Path>,
    ) -> Result<(), JournalError> {
        let (source, target) = (source.as_ref(), target.as_ref());
        let failed = |error| JournalError::from_io(target, error);
        if target.try_exists().map_err(failed)? {
            return Err(failed(io::ErrorKind::AlreadyExists.into()));
        }
        let part = target.with_added_extension("part");
        match fs::remove_file(&part) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            _ => {}
        }
        let name = part.to_string_lossy();
        // A connection of its own: the readers may not write, and the copy takes its time.
        let mut connection = SqliteConnectOptions::new()
            .filename(source)
            .connect()
            .await
            .map_err(|error| JournalError::from_sqlx(source, &error))?;
        sqlx::query("VACUUM INTO ?")
            .bind(name.as_ref())
            .execute(&mut connection)
            .await
            .map_err(|error| JournalError::from_sqlx(target, &error))?;
        File::open(&part)
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&part, target))
            .map_err(failed)?;
        if let Some(directory) = target.parent().filter(|d| !d.as_os_str().is_empty()) {
            File::open(directory)
                .and_then(|directory| directory.sync_all())
                .map_err(failed)?;
        }
        Ok(())
    }
}
