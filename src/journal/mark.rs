//! The number of the last event, kept beside the journal: who loses the journal is told so at the
//! next start.

use std::{
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

/// How often it is written at most.
const EVERY: Duration = Duration::from_secs(3);

/// The file with the number. It does not share the journal's name, so that `rm journal.db*` leaves it.
#[derive(Debug)]
pub(crate) struct Mark {
    path: PathBuf,
    /// What was found at the start.
    found: u64,
    written: Option<(u64, Instant)>,
}

impl Mark {
    /// The mark beside a journal, with what it holds.
    pub(crate) fn beside(journal: &Path) -> Self {
        let path = journal.with_file_name("last-event");
        let text = fs::read_to_string(&path).unwrap_or_default();
        Self {
            found: text.trim().parse().unwrap_or(0),
            path,
            written: None,
        }
    }

    /// An event that was written before this start, though not necessarily the last.
    pub(crate) fn found(&self) -> u64 {
        self.found
    }

    /// Keeps the number of the last durable event, now and then.
    pub(crate) fn keep(&mut self, seq: u64) {
        let due = self
            .written
            .is_none_or(|(old, then)| old != seq && then.elapsed() >= EVERY);
        if due {
            self.write(seq);
        }
    }

    /// Keeps it at once.
    pub(crate) fn write(&mut self, seq: u64) {
        let part = self.path.with_added_extension("part");
        let done =
            fs::write(&part, format!("{seq}\n")).and_then(|()| fs::rename(&part, &self.path));
        // It is only a help: the events themselves are safe without it.
        if let Err(error) = done {
            tracing::debug!(%error, "the last event's number was not kept");
        }
        self.written = Some((seq, Instant::now()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mark_is_there_at_the_next_start() {
        let directory = tempfile::tempdir().unwrap();
        let journal = directory.path().join("journal.db");
        let mut mark = Mark::beside(&journal);
        assert_eq!(mark.found(), 0);
        mark.keep(7);
        assert_eq!(Mark::beside(&journal).found(), 7);
        mark.write(9);
        assert_eq!(Mark::beside(&journal).found(), 9);
    }
}
