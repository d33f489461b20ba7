//! Messages that wait for the broker, and the retained topics that it may hold.

use std::time::Duration;

use jiff::Timestamp;
use sqlx::{Connection, SqliteConnection};

use super::{Journal, JournalError, Outgoing};

/// Puts messages into the outbox, within the caller's transaction.
pub(super) async fn insert(
    transaction: &mut SqliteConnection,
    outgoing: &[Outgoing],
) -> Result<(), sqlx::Error> {
    let now = Timestamp::now().as_millisecond();
    for message in outgoing {
        let Outgoing {
            topic,
            payload,
            retain,
        } = message;
        if *retain {
            // Only the newest state counts: an hour without a broker must not become an hour of old states.
            sqlx::query!("DELETE FROM outbox WHERE topic = ? AND retain = 1", topic)
                .execute(&mut *transaction)
                .await?;
        }
        let id = sqlx::query!(
            "INSERT INTO outbox (topic, payload, retain, at) VALUES (?, ?, ?, ?)",
            topic,
            payload,
            retain,
            now,
        )
        .execute(&mut *transaction)
        .await?
        .last_insert_rowid();
        if *retain {
            let emptied_by = payload.is_empty().then_some(id);
            sqlx::query!(
                "INSERT INTO retained (topic, emptied_by) VALUES (?1, ?2)
                 ON CONFLICT (topic) DO UPDATE SET emptied_by = ?2",
                topic,
                emptied_by,
            )
            .execute(&mut *transaction)
            .await?;
        }
    }
    Ok(())
}

impl Journal {
    /// Waiting messages in order, those after row `after` (0 = from the first), at most `limit`.
    pub async fn outbox(
        &self,
        after: i64,
        limit: u32,
    ) -> Result<Vec<(i64, Outgoing)>, JournalError> {
        let rows = sqlx::query!(
            r#"SELECT id, topic, payload, retain AS "retain: bool" FROM outbox
               WHERE id > ? ORDER BY id LIMIT ?"#,
            after,
            limit,
        )
        .fetch_all(&self.readers())
        .await
        .map_err(|error| self.error(&error))?;
        Ok(rows
            .into_iter()
            .map(|row| {
                let outgoing = Outgoing {
                    topic: row.topic,
                    payload: row.payload,
                    retain: row.retain,
                };
                (row.id, outgoing)
            })
            .collect())
    }

    /// The broker has acknowledged these rows.
    pub async fn outbox_done(&self, ids: &[i64]) -> Result<(), JournalError> {
        let mut slot = self.0.writer.lock().await;
        self.look(slot.is_some())?;
        let mut writer = self.writer(&mut slot).await?;
        let result: Result<(), sqlx::Error> = async {
            let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
            for id in ids {
                sqlx::query!("DELETE FROM outbox WHERE id = ?", id)
                    .execute(&mut *transaction)
                    .await?;
                sqlx::query!("DELETE FROM retained WHERE emptied_by = ?", id)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        }
        .await;
        result.map_err(|error| self.error(&error))?;
        self.note();
        *slot = Some(writer);
        Ok(())
    }

    /// How many messages wait, and how long the oldest has.
    pub async fn outbox_len(&self) -> Result<(u64, Option<Duration>), JournalError> {
        let row = sqlx::query!(
            r#"SELECT count(*) AS "waiting!: i64",
                      (SELECT at FROM outbox ORDER BY id LIMIT 1) AS "oldest: i64"
               FROM outbox"#
        )
        .fetch_one(&self.readers())
        .await
        .map_err(|error| self.error(&error))?;
        let now = Timestamp::now().as_millisecond();
        // The clock may have been set back since.
        let age = row
            .oldest
            .map(|at| Duration::from_millis(now.saturating_sub(at).max(0).cast_unsigned()));
        Ok((row.waiting.cast_unsigned(), age))
    }

    /// Topics at which the broker may hold a message of ours and that no waiting message empties.
    pub async fn retained(&self) -> Result<Vec<String>, JournalError> {
        sqlx::query_scalar!("SELECT topic FROM retained WHERE emptied_by IS NULL ORDER BY topic")
            .fetch_all(&self.readers())
            .await
            .map_err(|error| self.error(&error))
    }

    /// Remembers topics before something retained is published there past the outbox.
    pub async fn remember_retained(&self, topics: &[String]) -> Result<(), JournalError> {
        let mut slot = self.0.writer.lock().await;
        self.look(slot.is_some())?;
        let mut writer = self.writer(&mut slot).await?;
        let result: Result<(), sqlx::Error> = async {
            let mut transaction = writer.begin_with("BEGIN IMMEDIATE").await?;
            for topic in topics {
                sqlx::query!("INSERT OR IGNORE INTO retained (topic) VALUES (?)", topic)
                    .execute(&mut *transaction)
                    .await?;
            }
            transaction.commit().await
        }
        .await;
        result.map_err(|error| self.error(&error))?;
        self.note();
        *slot = Some(writer);
        Ok(())
    }
}
