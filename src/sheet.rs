//! The game's page read back from the journal.

use flagfall_core::hub::{event::Event, sheet::Sheet, view::SheetView};

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
