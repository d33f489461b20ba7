//! The corpora are packed: a JSON object a line.

use std::io::Read as _;

use serde::de::DeserializeOwned;

/// The lines of a compressed file.
pub(crate) fn read<T: DeserializeOwned>(packed: &[u8]) -> Vec<T> {
    let mut text = String::new();
    ruzstd::decoding::StreamingDecoder::new(packed)
        .expect("the corpus is zstd")
        .read_to_string(&mut text)
        .expect("the corpus is text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is a tournament"))
        .collect()
}
