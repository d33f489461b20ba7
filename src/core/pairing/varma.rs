//! Restricted drawing of numbers by the Varma tables (R-PR-7; C.05 annex): compatriots draw from one
//! envelope, so that they do not meet in the last three rounds of a round robin.

mod draw;
mod order;

pub use draw::{Candidate, Contingent, Drawn, LateMeeting, VarmaDraw, VarmaError, draw};

use serde::{Deserialize, Serialize};

/// One of the four large envelopes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Envelope {
    /// The largest.
    A,
    /// The second.
    B,
    /// The third.
    C,
    /// The one with the last number.
    D,
}

impl Envelope {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::A, Self::B, Self::C, Self::D];
}

impl std::fmt::Display for Envelope {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Debug::fmt(self, f)
    }
}

/// The tables for 10, 12 … 24 players; with one player less the last number stays out.
const TABLES: [[&[u16]; 4]; 8] = [
    [&[3, 4, 8], &[5, 7, 9], &[1, 6], &[2, 10]],
    [&[4, 5, 9, 10], &[1, 2, 7], &[6, 8, 12], &[3, 11]],
    [&[4, 5, 6, 11, 12], &[1, 2, 8, 9], &[7, 10, 13], &[3, 14]],
    [
        &[5, 6, 7, 12, 13, 14],
        &[1, 2, 3, 9, 10],
        &[8, 11, 15],
        &[4, 16],
    ],
    [
        &[5, 6, 7, 8, 14, 15, 16],
        &[1, 2, 3, 10, 11, 12],
        &[9, 13, 17],
        &[4, 18],
    ],
    [
        &[6, 7, 8, 9, 15, 16, 17, 18],
        &[1, 2, 3, 11, 12, 13, 14],
        &[5, 10, 19],
        &[4, 20],
    ],
    [
        &[6, 7, 8, 9, 10, 17, 18, 19, 20],
        &[1, 2, 3, 4, 12, 13, 14, 15],
        &[11, 16, 21],
        &[5, 22],
    ],
    [
        &[6, 7, 8, 9, 10, 11, 19, 20, 21, 22],
        &[1, 2, 3, 4, 13, 14, 15, 16, 17],
        &[12, 18, 23],
        &[5, 24],
    ],
];

/// The numbers in the envelopes A to D for a number of players from 9 to 24; nothing for others.
pub fn envelopes(players: u16) -> Option<[Vec<u16>; 4]> {
    if !(9..=24).contains(&players) {
        return None;
    }
    let table = TABLES.get(usize::from((players - 9) / 2))?;
    Some(table.map(|numbers| {
        numbers
            .iter()
            .copied()
            .filter(|&number| number <= players)
            .collect()
    }))
}
