//! Bytes of the boards other than DGT, as JSON.

use std::{fs, path::Path};

use anyhow::Context as _;
use flagfall_core::protocol::{
    board::{Decoder, Tell, View},
    dgt::json::hex,
    families::{Beforehand, Family},
};
use serde_json::{Value, json};

use super::{Decoded, unfinished};

/// Reads what boards of a kind need to be known beforehand.
///
/// # Errors
/// The file cannot be read or is no table of tags.
pub fn beforehand(calibration: Option<&Path>) -> anyhow::Result<Beforehand> {
    let Some(path) = calibration else {
        return Ok(Beforehand::default());
    };
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let whole: Value =
        serde_json::from_str(&text).with_context(|| format!("{} is no JSON", path.display()))?;
    // A line of `flagfall decode certabo` holds the table, so it may be given as it is.
    let table = whole.get("code_table").unwrap_or(&whole);
    let calibration = serde_json::from_value(table.clone())
        .with_context(|| format!("{} is no table of tags", path.display()))?;
    Ok(Beforehand {
        calibration: Some(calibration),
        ..Beforehand::default()
    })
}

/// Reads the bytes of one board.
pub struct BoardReader {
    decoder: Box<dyn Decoder>,
    view: View,
}

impl BoardReader {
    /// A reader that has not read anything.
    pub fn new(family: &Family, beforehand: &Beforehand) -> Self {
        Self {
            decoder: family.decoder(beforehand),
            view: View::default(),
        }
    }

    /// The messages that these bytes complete.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Value> {
        let mut lines = Vec::new();
        let view = &mut self.view;
        let on_message = &mut |message: &dyn Tell| lines.push(message.json(view));
        self.decoder.push(bytes, on_message);
        lines
    }

    /// The messages that only the end completes.
    fn last(&mut self) -> Vec<Value> {
        let mut lines = Vec::new();
        let view = &mut self.view;
        let on_message = &mut |message: &dyn Tell| lines.push(message.json(view));
        self.decoder.finish(on_message);
        lines
    }

    /// What an operator should know at the end.
    fn remarks(&self) -> Vec<String> {
        remarks(self.decoder.counters().bytes_dropped, self.decoder.held())
    }

    /// The last messages, and what is left over.
    pub fn end(mut self) -> Decoded {
        Decoded {
            lines: self.last(),
            remarks: self.remarks(),
        }
    }
}

fn remarks(dropped: u64, held: &[u8]) -> Vec<String> {
    let dropped = (dropped > 0).then(|| format!("{dropped} bytes belong to no message"));
    dropped.into_iter().chain(unfinished(held)).collect()
}

/// Decodes bytes of a board.
pub fn from_board(family: &Family, bytes: &[u8], beforehand: &Beforehand, stream: bool) -> Decoded {
    let mut reader = BoardReader::new(family, beforehand);
    let mut lines = reader.take(bytes);
    lines.extend(reader.last());
    if stream {
        let sequence = || {
            json!({
                "type": "sequence", "messages": lines,
                "skipped_bytes": reader.decoder.counters().bytes_dropped,
                "leftover_hex": hex(reader.decoder.held()),
            })
        };
        lines = vec![reader.decoder.stream_json().unwrap_or_else(sequence)];
    }
    Decoded {
        lines,
        remarks: reader.remarks(),
    }
}

/// Decodes bytes of a host.
pub fn from_host(family: &Family, bytes: &[u8], stream: bool) -> Decoded {
    let found = family.commands(bytes);
    let lines = if stream {
        vec![json!({
            "type": "sequence", "commands": found.names, "messages": found.json,
            "skipped_bytes": found.dropped, "leftover_hex": hex(&found.rest),
        })]
    } else {
        found.json
    };
    Decoded {
        lines,
        remarks: remarks(found.dropped, &found.rest),
    }
}
