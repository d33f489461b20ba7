//! The data directory: its journal opened, read back, copied.

use std::path::Path;

use anyhow::Context as _;
use flagfall_core::hub::{event::Event, state::HallState};
use tracing::info;

use crate::{
    exit::Failure,
    journal::{Journal, JournalError},
};

/// `flagfall backup`.
///
/// # Errors
/// When there is no journal, or the copy cannot be written.
pub async fn backup(data_dir: &Path, out: &Path) -> Result<(), Failure> {
    Ok(Journal::copy(data_dir.join(JOURNAL), out)
        .await
        .with_context(|| format!("no backup of {}", data_dir.display()))?)
}

const JOURNAL: &str = "journal.db";

pub(super) fn make_data_dir(data_dir: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(data_dir)
        .with_context(|| format!("cannot make the data directory {}", data_dir.display()))
        .map_err(Failure::configuration)
}

/// The hall that a data directory holds; `None` when there is no journal yet.
///
/// # Errors
/// When a hub has it, or it cannot be read.
pub(crate) async fn held(data_dir: &Path) -> Result<Option<HallState>, Failure> {
    if !data_dir.join(JOURNAL).exists() {
        return Ok(None);
    }
    let journal = open_journal(data_dir).await?;
    let state = rebuild(&journal).await;
    journal.close().await;
    state.map(Some)
}

pub(super) async fn open_journal(data_dir: &Path) -> Result<Journal, Failure> {
    make_data_dir(data_dir)?;
    Journal::open(data_dir.join(JOURNAL))
        .await
        .map_err(|error| {
            let taken = matches!(error, JournalError::Locked { .. });
            let error = anyhow::Error::from(error);
            if taken {
                Failure::taken(error)
            } else {
                Failure::from(error)
            }
        })
}

pub(super) async fn rebuild(journal: &Journal) -> Result<HallState, Failure> {
    let started = std::time::Instant::now();
    let mut state = HallState::default();
    let mut unread = None;
    journal
        .replay(1, |record| {
            match serde_json::from_str::<Event>(&record.body) {
                Ok(event) => state.apply(&event),
                Err(error) => {
                    unread.get_or_insert((record.seq, error));
                }
            }
        })
        .await
        .context("the journal cannot be read back")?;
    if let Some((seq, error)) = unread {
        // A newer Flagfall wrote it: going on would number events twice.
        return Err(Failure::from(anyhow::Error::from(error).context(format!(
            "event {seq} of the journal cannot be understood; was it written by a newer Flagfall?"
        ))));
    }
    if state.seq > 0 {
        info!(
            events = state.seq,
            ms = started.elapsed().as_millis(),
            "the hall is rebuilt"
        );
    }
    Ok(state)
}
