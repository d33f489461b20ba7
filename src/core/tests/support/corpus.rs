//! The corpora: tournaments with the reference's pairing of each round.

use std::io::Read as _;

use serde::{Deserialize, de::DeserializeOwned};

/// A tournament.
#[derive(Deserialize)]
pub(crate) struct Tournament {
    pub(crate) id: String,
    pub(crate) cases: Vec<Case>,
}

/// One round of it.
#[derive(Deserialize)]
pub(crate) struct Case {
    pub(crate) round: u16,
    pub(crate) trf: String,
    #[serde(default)]
    pub(crate) pairs: Option<Vec<(u16, u16)>>,
    pub(crate) bye: Option<u16>,
    #[serde(default)]
    pub(crate) impossible: bool,
}

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
