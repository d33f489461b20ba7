//! Opening: the lock, the file's health, migrations, one writer and a pool of readers.

use std::{
    fs::{self, File, TryLockError},
    path::Path,
    sync::{Arc, Mutex as SyncMutex, RwLock, atomic::AtomicU64},
    time::Duration,
};

use sqlx::{
    ConnectOptions, SqliteConnection, SqlitePool,
    migrate::{MigrateError, Migrator},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use tokio::{sync::Mutex, time::sleep};

use super::{Inner, Journal, JournalError, files::Files};

/// So often, this far apart, a taken lock is tried again.
const LOCK_TRIES: u32 = 20;
const LOCK_WAIT: Duration = Duration::from_millis(50);

static MIGRATIONS: Migrator = sqlx::migrate!("src/journal/migrations");

impl Journal {
    /// Opens the journal, creating the file and its directory when they are not there.
    ///
    /// Refuses when another hub has it, when the file is damaged, or when it was written by a newer
    /// version.
    pub async fn open(path: impl AsRef<Path>) -> Result<Self, JournalError> {
        let path = path.as_ref();
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(|e| JournalError::from_io(directory, e))?;
        }
        let lock = lock(path).await?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .busy_timeout(Duration::from_secs(5))
            .journal_mode(SqliteJournalMode::Wal)
            // NORMAL would lose the last commits in a power cut.
            .synchronous(SqliteSynchronous::Full)
            // A commit that meets a checkpoint pays for it: keep the log short.
            .pragma("wal_autocheckpoint", "500");
        let failed = |error| JournalError::from_sqlx(path, &error);

        let mut writer = options
            .clone()
            .create_if_missing(true)
            .connect()
            .await
            .map_err(failed)?;
        check(path, &mut writer).await?;
        MIGRATIONS
            .run_direct(None, &mut writer, false)
            .await
            .map_err(|error| match error {
                MigrateError::Execute(error) => failed(error),
                MigrateError::VersionMissing(_) => JournalError::Newer {
                    path: path.to_path_buf(),
                },
                other => JournalError::Damaged {
                    path: path.to_path_buf(),
                    detail: other.to_string(),
                },
            })?;
        let last = last_seq(&mut writer).await.map_err(failed)?;
        let readers = readers(&options).await.map_err(failed)?;
        tracing::info!(path = %path.display(), last, "journal opened");
        Ok(Self(Arc::new(Inner {
            path: path.to_path_buf(),
            options,
            writer: Mutex::new(Some(writer)),
            readers: RwLock::new(readers),
            files: SyncMutex::new(Files::at(path)),
            last_seq: AtomicU64::new(last),
            _lock: lock,
        })))
    }
}

pub(super) async fn readers(options: &SqliteConnectOptions) -> Result<SqlitePool, sqlx::Error> {
    SqlitePoolOptions::new()
        .max_connections(4)
        .connect_with(
            options
                .clone()
                .pragma("query_only", "ON")
                .row_buffer_size(512),
        )
        .await
}

pub(super) async fn last_seq(writer: &mut SqliteConnection) -> Result<u64, sqlx::Error> {
    sqlx::query_scalar!(r#"SELECT coalesce(max(seq), 0) AS "last!: i64" FROM events"#)
        .fetch_one(writer)
        .await
        .map(i64::cast_unsigned)
}

/// Takes the file beside the journal. The system gives it back when the process ends, however it ends.
/// SQLite's own exclusive mode would shut out our readers too. A hub that has just ended, and whatever it
/// was about to start, may hold it for a moment longer.
async fn lock(path: &Path) -> Result<File, JournalError> {
    let name = path.with_added_extension("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&name)
        .map_err(|e| JournalError::from_io(&name, e))?;
    let mut tries = 0;
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(TryLockError::WouldBlock) if tries < LOCK_TRIES => {
                tries += 1;
                sleep(LOCK_WAIT).await;
            }
            Err(TryLockError::WouldBlock) => {
                return Err(JournalError::Locked {
                    path: path.to_path_buf(),
                });
            }
            Err(TryLockError::Error(error)) => return Err(JournalError::from_io(&name, error)),
        }
    }
}

async fn check(path: &Path, writer: &mut SqliteConnection) -> Result<(), JournalError> {
    let found: String = sqlx::query_scalar("PRAGMA quick_check(1)")
        .fetch_one(writer)
        .await
        .map_err(|error| JournalError::from_sqlx(path, &error))?;
    if found == "ok" {
        Ok(())
    } else {
        Err(JournalError::Damaged {
            path: path.to_path_buf(),
            detail: found,
        })
    }
}
