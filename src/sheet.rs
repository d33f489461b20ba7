//! The game's page and the event's record, read back from the journal.

use std::collections::BTreeMap;

use flagfall_core::{
    hub::{
        event::Event,
        record::{KINDS, Record},
        sheet::Sheet,
        view::{RecordView, SheetView},
    },
    pairing::words::Language,
};

use crate::{
    handle::AskError,
    journal::{Filter, Journal},
};

/// Events that are read at once.
const PAGE: u32 = 500;

/// Folds the events of a game into its page.
///
/// # Errors
/// When the journal cannot be read.
pub async fn read_back(journal: &Journal, mut sheet: Sheet) -> Result<SheetView, AskError> {
    let (table, round) = sheet.of();
    let filter = Filter {
        table: Some(table.0),
        round: Some(round.0),
        kind: None,
    };
    let mut from = sheet.since();
    loop {
        let records = journal
            .find(&filter, from, PAGE)
            .await
            .map_err(|error| AskError::Unread(error.to_string()))?;
        for record in &records {
            let event: Event = serde_json::from_str(&record.body)
                .map_err(|error| AskError::Unread(format!("event {}: {error}", record.seq)))?;
            sheet.apply(&event);
        }
        match records.last() {
            Some(last) if records.len() == PAGE as usize => from = last.seq + 1,
            _ => return Ok(sheet.finish()),
        }
    }
}

/// Folds the journal into the record of the event.
///
/// # Errors
/// When the journal cannot be read.
pub async fn read_record(
    journal: &Journal,
    language: Language,
) -> Result<Vec<RecordView>, AskError> {
    let unread = |error: String| AskError::Unread(error);
    let mut events: BTreeMap<u64, Event> = BTreeMap::new();
    for kind in KINDS {
        let filter = Filter {
            kind: Some(kind.to_owned()),
            ..Filter::default()
        };
        let mut from = 0;
        loop {
            let records = journal
                .find(&filter, from, PAGE)
                .await
                .map_err(|error| unread(error.to_string()))?;
            for record in &records {
                let event = serde_json::from_str(&record.body)
                    .map_err(|error| unread(format!("event {}: {error}", record.seq)))?;
                events.insert(record.seq, event);
            }
            match records.last() {
                Some(last) if records.len() == PAGE as usize => from = last.seq + 1,
                _ => break,
            }
        }
    }
    let mut record = Record::new(language);
    for event in events.values() {
        record.apply(event);
    }
    Ok(record.finish())
}
