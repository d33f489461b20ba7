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
        if !source
            .try_exists()
            .map_err(|error| JournalError::from_io(source, error))?
        {
            return Err(JournalError::Missing {
                path: source.to_path_buf(),
            });
        }
        if target.try_exists().map_err(failed)? {
            return Err(JournalError::Exists {
                path: target.to_path_buf(),
            });
        }
        let part = target.with_added_extension("part");
        // An empty file is what SQLite takes for the copy; its own word for a wrong path says less.
        File::create(&part).map_err(|error| unwritable(target, error))?;
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

fn unwritable(target: &Path, error: io::Error) -> JournalError {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such directory".to_owned(),
        io::ErrorKind::PermissionDenied => "you may not write there".to_owned(),
        io::ErrorKind::ReadOnlyFilesystem => "the medium is read-only".to_owned(),
        _ => return JournalError::from_io(target, error),
    };
    JournalError::Target {
        path: target.to_path_buf(),
        why,
    }
}
