//! The corpora: tournaments as JSON objects, one a line, packed; their rounds with the answers of the
//! programs of reference.

use std::{collections::BTreeSet, io::Read as _};

use flagfall_core::{
    pairing::{PairingError, RoundPairing},
    types::PlayerNo,
};
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

impl Case {
    /// What is wrong with our answer, if anything. `id` is the number that the file uses.
    pub(crate) fn difference(
        &self,
        paired: Result<RoundPairing, PairingError>,
        id: impl Fn(PlayerNo) -> u16,
    ) -> Option<String> {
        let paired = match paired {
            Ok(paired) => paired,
            Err(PairingError::Impossible { .. }) if self.impossible => return None,
            Err(error) => return Some(error.to_string()),
        };
        if self.impossible {
            return Some("paired, but no legal pairing exists".into());
        }
        let ours: BTreeSet<(u16, u16)> = (paired.pairs.iter())
            .map(|pair| (id(pair.white), id(pair.black)))
            .collect();
        let theirs: BTreeSet<(u16, u16)> = self.pairs.iter().flatten().copied().collect();
        let bye = paired.bye.map(|bye| id(bye.player));
        (ours != theirs || bye != self.bye).then(|| {
            format!(
                "ours {:?}, theirs {:?}; bye {bye:?}, theirs {:?}",
                ours.difference(&theirs).collect::<Vec<_>>(),
                theirs.difference(&ours).collect::<Vec<_>>(),
                self.bye
            )
        })
    }
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

/// Every round of a corpus must be without a difference; so many are paired, so many impossible.
pub(crate) fn compare(
    packed: &[u8],
    rounds: [usize; 2],
    difference: impl Fn(&Case) -> Option<String>,
) {
    let tournaments: Vec<Tournament> = read(packed);
    let mut wrong = Vec::new();
    let mut counts = [0, 0];
    for tournament in &tournaments {
        for case in &tournament.cases {
            counts[usize::from(case.impossible)] += 1;
            if let Some(difference) = difference(case) {
                let (id, round) = (&tournament.id, case.round);
                wrong.push(format!("{id} round {round}: {difference}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rounds differ\n{}",
        wrong.len(),
        counts[0] + counts[1],
        wrong.join("\n")
    );
    assert_eq!(counts, rounds);
}
