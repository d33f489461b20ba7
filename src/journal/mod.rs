//! The journal: what happened, on disk, before anyone outside is told.
//!
//! One SQLite file holds the events (append-only, numbered without gaps), the outbox of MQTT
//! messages that the broker has not acknowledged, and the list of retained topics that it may hold.
//! Events and their messages are written in one transaction. The journal knows nothing of what an
//! event means.

mod backup;
mod error;
mod files;
mod mark;
mod open;
mod outbox;
mod read;

use std::{
    fs::File,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex as SyncMutex, PoisonError, RwLock,
        atomic::{AtomicU64, Ordering},
    },
    time::Instant,
};

use jiff::Timestamp;
use sqlx::{
    ConnectOptions, Connection, SqliteConnection, SqlitePool, sqlite::SqliteConnectOptions,
};
use tokio::sync::Mutex;

pub(crate) use self::mark::Mark;
pub use self::{error::JournalError, read::Filter};

/// One event as the journal keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its number: 1 for the first, then without gaps. Decides the order, whatever the clock says.
    pub seq: u64,
    /// Its name in the world, unique for ever.
    pub id: String,
    /// When it happened by the hub's clock; kept to the millisecond.
    pub at: Timestamp,
    /// Its kind, e.g. `flag`.
    pub kind: String,
    /// The section it belongs to.
    pub section: Option<String>,
    /// The round it belongs to.
    pub round: Option<u16>,
    /// The table it belongs to.
    pub table: Option<u16>,
    /// The whole event as JSON.
    pub body: String,
}

/// A message for the broker, sent with QoS 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outgoing {
    /// The whole topic.
    pub topic: String,
    /// The payload; empty and retained empties the topic.
    pub payload: Vec<u8>,
    /// A state, which the broker keeps. A newer state of the topic replaces one that waits.
    pub retain: bool,
}

/// The journal of one data directory. Cheap to clone; all clones are the same journal.
#[derive(Clone, Debug)]
pub struct Journal(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// How to connect the writer anew.
    options: SqliteConnectOptions,
    /// Absent after a failure: SQLite may have rolled back by itself, of which sqlx knows nothing.
    writer: Mutex<Option<SqliteConnection>>,
    /// Made anew with the file.
    readers: RwLock<SqlitePool>,
    /// Looked at under the writer's lock.
    files: SyncMutex<files::Files>,
    last_seq: AtomicU64,
    /// Held for the journal's life: keeps a second hub out.
    _lock: File,
}

impl Journal {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.0.path
    }

    /// The number of the last event; 0 when there is none.
    pub fn last_seq(&self) -> u64 {
        self.0.last_seq.load(Ordering::Acquire)
    }

    /// Writes events and messages in one transaction; on disk when it returns.
    ///
    /// `seq` must go on from [`Journal::last_seq`] without a gap. On an error nothing was written and
    /// the same call may be tried again. A dropped future leaves it open whether it was written;
    /// `last_seq` tells after the next write.
    pub async fn append(
        &self,
        records: &[Record],
        outgoing: &[Outgoing],
    ) -> Result<(), JournalError> {
        if records.is_empty() && outgoing.is_empty() {
            return Ok(());
        }
        let started = Instant::now();
        let mut slot = self.0.writer.lock().await;
        self.look(slot.is_some())?;
        let mut writer = self.writer(&mut slot).await?;
        let result = self.write(&mut writer, records, outgoing).await;
        if let Err(JournalError::Sequence { .. }) | Ok(()) = result {
            *slot = Some(writer);
        }
        match &result {
            Ok(()) => {
                self.note();
                if let Some(last) = records.last() {
                    self.0.last_seq.store(last.seq, Ordering::Release);
                }
                metrics::counter!("flagfall_journal_events_total").increment(records.len() as u64);
                metrics::counter!("flagfall_journal_commits_total").increment(1);
                metrics::histogram!("flagfall_journal_append_seconds").record(started.elapsed());
            }
            Err(_) => metrics::counter!("flagfall_journal_errors_total").increment(1),
        }
        result
    }

    async fn write(
        &self,
        writer: &mut SqliteConnection,
        records: &[Record],
        outgoing: &[Outgoing],
    ) -> Result<(), JournalError> {
        for (expected, record) in (self.last_seq() + 1..).zip(records) {
            if record.seq != expected {
                return Err(JournalError::Sequence {
                    expected,
                    found: record.seq,
                });
            }
        }
        let result: Result<(), sqlx::Error> = async {
            let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
            for record in records {
                let seq = record.seq.cast_signed();
                let at = record.at.as_millisecond();
                sqlx::query!(
                    "INSERT INTO events (seq, id, at, kind, section, round, table_no, body)
                     VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    seq,
                    record.id,
                    at,
                    record.kind,
                    record.section,
                    record.round,
                    record.table,
                    record.body,
                )
                .execute(&mut *transaction)
                .await?;
            }
            outbox::insert(&mut transaction, outgoing).await?;
            transaction.commit().await
        }
        .await;
        result.map_err(|error| self.error(&error))
    }

    /// The writer, taken out of its place; whoever took it puts it back when all went well. So a
    /// failed or dropped write never leaves a connection in an unknown state behind.
    async fn writer(
        &self,
        slot: &mut Option<SqliteConnection>,
    ) -> Result<SqliteConnection, JournalError> {
        if let Some(writer) = slot.take() {
            return Ok(writer);
        }
        let result: Result<_, sqlx::Error> = async {
            let mut writer = self.0.options.connect().await?;
            let last = open::last_seq(&mut writer).await?;
            Ok((writer, last))
        }
        .await;
        let (writer, last) = result.map_err(|error| self.error(&error))?;
        if last < self.last_seq() {
            return Err(self.shrunk());
        }
        self.note();
        self.0.last_seq.store(last, Ordering::Release);
        Ok(writer)
    }

    /// Closes the file when this is the last clone, and waits until it is closed.
    pub async fn close(self) {
        if let Some(inner) = Arc::into_inner(self.0) {
            let readers = inner.readers.into_inner();
            readers
                .unwrap_or_else(PoisonError::into_inner)
                .close()
                .await;
            if let Some(writer) = inner.writer.into_inner()
                && let Err(error) = writer.close().await
            {
                tracing::warn!(%error, "the journal did not close cleanly; nothing is lost");
            }
        }
    }

    fn readers(&self) -> SqlitePool {
        let readers = self.0.readers.read();
        readers.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn error(&self, error: &sqlx::Error) -> JournalError {
        JournalError::from_sqlx(&self.0.path, error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// SQLite's own way to be full, for machines where no small disk can be mounted.
    #[tokio::test]
    async fn a_full_disk_is_named_and_passes() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
        limit(&journal, "PRAGMA max_page_count = 1").await;
        let record = |seq| Record {
            seq,
            id: format!("id-{seq}"),
            at: Timestamp::UNIX_EPOCH,
            kind: "test".to_owned(),
            section: None,
            round: None,
            table: None,
            body: "x".repeat(20_000),
        };
        let error = journal.append(&[record(1)], &[]).await.unwrap_err();
        assert!(matches!(error, JournalError::DiskFull { .. }), "{error}");
        assert_eq!(journal.last_seq(), 0);

        // The writer came anew and so without the limit.
        journal.append(&[record(1)], &[]).await.unwrap();
        assert_eq!(journal.read(1, 10).await.unwrap().len(), 1);
    }

    async fn limit(journal: &Journal, pragma: &'static str) {
        let mut writer = journal.0.writer.lock().await;
        let writer = writer.as_mut().unwrap();
        sqlx::query(pragma).execute(writer).await.unwrap();
    }

    #[tokio::test]
    async fn events_cannot_be_changed_or_removed() {
        let directory = tempfile::tempdir().unwrap();
        let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
        let mut writer = journal.0.writer.lock().await;
        let writer = writer.as_mut().unwrap();
        let insert = |seq: u32, id: &str| {
            format!("INTO events (seq, id, at, kind, body) VALUES ({seq}, '{id}', 0, 'k', '{{}}')")
        };
        for (statement, refusal) in [
            (format!("INSERT {}", insert(1, "a")), None),
            (format!("INSERT {}", insert(3, "c")), Some("no gaps")),
            (format!("INSERT {}", insert(2, "a")), Some("already")),
            (format!("REPLACE {}", insert(1, "b")), Some("no gaps")),
            (format!("REPLACE {}", insert(2, "a")), Some("already")),
            (
                "UPDATE events SET kind = 'x'".to_owned(),
                Some("append-only"),
            ),
            ("DELETE FROM events".to_owned(), Some("append-only")),
            (format!("INSERT {}", insert(2, "b")), None),
        ] {
            let result = sqlx::query(sqlx::AssertSqlSafe(statement.clone()))
                .execute(&mut *writer)
                .await
                .map_err(|error| error.to_string());
            match (refusal, result) {
                (None, result) => assert!(result.is_ok(), "{statement}: {result:?}"),
                (Some(refusal), result) => {
                    let error = result.expect_err(&statement);
                    assert!(error.contains(refusal), "{statement}: {error}");
                }
            }
        }
    }
}
