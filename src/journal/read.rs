//! Reading events back: everything for the rebuild, pages of it for the API.

use futures_util::TryStreamExt;
use jiff::Timestamp;

use super::{Journal, JournalError, Record};

/// Which events to read; an empty filter takes all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only of this table.
    pub table: Option<u16>,
    /// Only of this round.
    pub round: Option<u16>,
    /// Only of this kind.
    pub kind: Option<String>,
}

struct Row {
    seq: i64,
    id: String,
    at: i64,
    kind: String,
    section: Option<String>,
    round: Option<u16>,
    table_no: Option<u16>,
    body: String,
}

impl From<Row> for Record {
    fn from(row: Row) -> Self {
        Self {
            seq: row.seq.cast_unsigned(),
            id: row.id,
            at: Timestamp::from_millisecond(row.at).unwrap_or_default(),
            kind: row.kind,
            section: row.section,
            round: row.round,
            table: row.table_no,
            body: row.body,
        }
    }
}

impl Journal {
    /// Events from `from` on, in order, at most `limit`.
    pub async fn read(&self, from: u64, limit: u32) -> Result<Vec<Record>, JournalError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        sqlx::query_as!(
            Row,
            r#"SELECT seq, id, at, kind, section, round AS "round: u16",
                      table_no AS "table_no: u16", body
               FROM events WHERE seq >= ? ORDER BY seq LIMIT ?"#,
            from,
            limit,
        )
        .fetch_all(&self.readers())
        .await
        .map(|rows| rows.into_iter().map(Record::from).collect())
        .map_err(|error| self.error(&error))
    }

    /// Events from `from` on that pass the filter, in order, at most `limit`.
    pub async fn find(
        &self,
        filter: &Filter,
        from: u64,
        limit: u32,
    ) -> Result<Vec<Record>, JournalError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let Filter { table, round, kind } = filter;
        // One statement for each leading index; the rest of the filter is cheap behind it.
        let rows = match (table, round) {
            (Some(table), _) => {
                sqlx::query_as!(
                    Row,
                    r#"SELECT seq, id, at, kind, section, round AS "round: u16",
                              table_no AS "table_no: u16", body
                       FROM events
                       WHERE table_no = ?1 AND seq >= ?2 AND (?3 IS NULL OR round = ?3)
                             AND (?4 IS NULL OR kind = ?4)
                       ORDER BY seq LIMIT ?5"#,
                    table,
                    from,
                    round,
                    kind,
                    limit,
                )
                .fetch_all(&self.readers())
                .await
            }
            (None, Some(round)) => {
                sqlx::query_as!(
                    Row,
                    r#"SELECT seq, id, at, kind, section, round AS "round: u16",
                              table_no AS "table_no: u16", body
                       FROM events
                       WHERE round = ?1 AND seq >= ?2 AND (?3 IS NULL OR kind = ?3)
                       ORDER BY seq LIMIT ?4"#,
                    round,
                    from,
                    kind,
                    limit,
                )
                .fetch_all(&self.readers())
                .await
            }
            (None, None) => match kind {
                None => return self.read(from.cast_unsigned(), limit).await,
                Some(kind) => {
                    sqlx::query_as!(
                        Row,
                        r#"SELECT seq, id, at, kind, section, round AS "round: u16",
                                  table_no AS "table_no: u16", body
                           FROM events WHERE kind = ? AND seq >= ? ORDER BY seq LIMIT ?"#,
                        kind,
                        from,
                        limit,
                    )
                    .fetch_all(&self.readers())
                    .await
                }
            },
        };
        rows.map(|rows| rows.into_iter().map(Record::from).collect())
            .map_err(|error| self.error(&error))
    }

    /// Hands every event from `from` on to `each`, in order, without holding them all in memory.
    /// Returns how many there were.
    pub async fn replay(
        &self,
        from: u64,
        mut each: impl FnMut(Record),
    ) -> Result<u64, JournalError> {
        let from = i64::try_from(from).unwrap_or(i64::MAX);
        let readers = self.readers();
        let mut rows = sqlx::query_as!(
            Row,
            r#"SELECT seq, id, at, kind, section, round AS "round: u16",
                      table_no AS "table_no: u16", body
               FROM events WHERE seq >= ? ORDER BY seq"#,
            from,
        )
        .fetch(&readers);
        let mut count = 0;
        while let Some(row) = rows.try_next().await.map_err(|error| self.error(&error))? {
            each(row.into());
            count += 1;
        }
        Ok(count)
    }
}
