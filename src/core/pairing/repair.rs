//! After the draw, before round 1: a withdrawal or a late entry changes the published pairings as
//! little as possible (R-PR-8). A proposal beside pairing the whole round again; an arbiter decides.

mod change;
mod least;

pub use change::{Change, Seat, changes};

use super::{Input, PairingError, RoundPairing, System};
use crate::types::RoundNo;

/// Why there is nothing to repair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RepairError {
    /// Only the pairings of round 1 are repaired.
    #[error(
        "round {round} is not the first: its published pairings stand, except for what C.04.2 4.4 \
         names; change single pairs by hand"
    )]
    NotTheFirstRound {
        /// The round.
        round: RoundNo,
    },
    /// The published pairing is of another round.
    #[error("the published pairing is of round {published}, not of round {round}")]
    OtherRound {
        /// The round of the input.
        round: RoundNo,
        /// The round of the pairing.
        published: RoundNo,
    },
    /// The input contradicts itself, or no legal pairing exists.
    #[error(transparent)]
    Pairing(#[from] PairingError),
}

/// What an arbiter may choose from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposal {
    /// The published pairing with as few changes as possible.
    pub repaired: RoundPairing,
    /// What changes by it.
    pub changes: Vec<Change>,
    /// The whole round paired again, or why that cannot be.
    pub again: Result<RoundPairing, PairingError>,
    /// What changes by pairing again.
    pub changes_again: Vec<Change>,
}

/// Proposes a repair. `input` says who is there now; `published` is what hangs on the wall.
///
/// Pairs of two who are both still there stay, on their boards, with their colours. The others, and
/// whoever came late, are paired among themselves; with an odd number the holder of the bye joins
/// them or the lowest ranked of them has the bye. Colours that were published are kept where they
/// can be. Only where restrictions leave no such pairing, published pairs are given up, from the last
/// board. A board whose pair is gone may stay empty.
///
/// # Errors
/// When it is not about round 1, or no legal pairing exists.
pub fn propose(
    input: &Input,
    published: &RoundPairing,
    system: &dyn System,
) -> Result<Proposal, RepairError> {
    if input.round != RoundNo(1) || !input.history.is_empty() {
        return Err(RepairError::NotTheFirstRound { round: input.round });
    }
    if published.round != input.round {
        return Err(RepairError::OtherRound {
            round: input.round,
            published: published.round,
        });
    }
    let repaired = least::repair(input, published)?;
    let again = system.pair(input);
    Ok(Proposal {
        changes: changes(published, &repaired),
        changes_again: again
            .as_ref()
            .map(|again| changes(published, again))
            .unwrap_or_default(),
        repaired,
        again,
    })
}
