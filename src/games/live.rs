//! The live rounds as who polls them gets them.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hash as _, Hasher as _},
};

use axum::body::Bytes;
use flagfall_core::types::RoundNo;
use jiff::Timestamp;

/// A public round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveRound {
    /// All its games as PGN.
    pub text: Bytes,
    /// Names this text: another text has another tag.
    pub tag: String,
    /// Since when it is so.
    pub changed_at: Timestamp,
}

/// All public rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Live {
    rounds: BTreeMap<RoundNo, LiveRound>,
    newest: Option<RoundNo>,
}

impl Live {
    /// A round, the one that was put last unless another is named.
    pub fn round(&self, number: Option<RoundNo>) -> Option<&LiveRound> {
        self.rounds.get(&number.or(self.newest)?)
    }

    /// Takes a round as it is now; says whether that is news.
    pub fn put(&mut self, round: RoundNo, text: &str, now: Timestamp) -> bool {
        let newer = self.newest != Some(round);
        self.newest = Some(round);
        let known = self.rounds.get(&round);
        if known.is_some_and(|known| known.text == text) {
            return newer;
        }
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let tag = format!("\"{:016x}-{:x}\"", hasher.finish(), text.len());
        let told = LiveRound {
            text: Bytes::copy_from_slice(text.as_bytes()),
            tag,
            changed_at: now,
        };
        self.rounds.insert(round, told);
        true
    }
}
