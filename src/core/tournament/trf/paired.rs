//! Who met whom in a round of a report file.

use std::collections::BTreeSet;

use super::{
    model::{Code, Document},
    table::Table,
};
use crate::types::{Color, PlayerNo, RoundNo};

/// A round as the file has it, by the ids of the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Paired {
    /// White and Black, forfeits included.
    pub pairs: BTreeSet<(PlayerNo, PlayerNo)>,
    /// Pairs without colours, as some programs write forfeits; the lower id first.
    pub colourless: BTreeSet<(PlayerNo, PlayerNo)>,
    /// Who had the pairing-allocated bye.
    pub bye: Option<PlayerNo>,
    /// Who had it beside him, which no pairing should give.
    pub more_byes: Vec<PlayerNo>,
}

impl Document {
    /// The pairs of a round (from 1). Empty when the file does not have that round.
    pub fn pairing_of(&self, round: RoundNo) -> Paired {
        let table = Table::new(self);
        let mut paired = Paired::default();
        let at = usize::from(round.0.max(1));
        for &id in table.rows.keys() {
            let cell = table.cell(id, at);
            let Some(opponent) = cell.opponent else {
                if cell.code == Some(Code::Allocated) {
                    match paired.bye {
                        None => paired.bye = Some(id),
                        Some(_) => paired.more_byes.push(id),
                    }
                }
                continue;
            };
            let colour = cell.colour.or_else(|| {
                let theirs = table.rows.contains_key(&opponent);
                let theirs = theirs.then(|| table.cell(opponent, at).colour).flatten();
                theirs.map(Color::other)
            });
            match colour {
                Some(Color::White) => paired.pairs.insert((id, opponent)),
                Some(Color::Black) => paired.pairs.insert((opponent, id)),
                None => paired
                    .colourless
                    .insert((id.min(opponent), id.max(opponent))),
            };
        }
        paired
    }
}
