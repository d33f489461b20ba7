//! Why a player is not paired, as a sentence.

use std::fmt;

use super::UnpairedReason;

impl fmt::Display for UnpairedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent { opponent: None } => f.write_str("He is absent in this round."),
            Self::Absent {
                opponent: Some(opponent),
            } => write!(
                f,
                "He is absent in this round; the table gives him {}.",
                opponent.player
            ),
            Self::Withdrawn { opponent: None } => f.write_str("He has left the event."),
            Self::Withdrawn {
                opponent: Some(opponent),
            } => write!(
                f,
                "He has left the event; the table gives him {}.",
                opponent.player
            ),
            Self::OpponentMissing { opponent } => write!(
                f,
                "His opponent {}, whom the table gives, is missing.",
                opponent.player
            ),
            Self::KnockedOut { stage, place } => write!(
                f,
                "He has lost in stage {stage} and shares the places from {place} on."
            ),
            Self::GoesOn { stage } => write!(
                f,
                "Nobody stands against him in stage {stage}; he goes on without a game."
            ),
            Self::PlaceSettled { place } => {
                write!(f, "He has played for place {place} and has it.")
            }
            Self::MatchDecided { opponent } => write!(
                f,
                "His match against {opponent} is decided before its last game."
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        pairing::Missed,
        types::{Color, PlayerNo},
    };

    #[test]
    fn reasons_are_sentences() {
        let opponent = Missed {
            player: PlayerNo(4),
            own_colour: Color::White,
        };
        assert_eq!(
            UnpairedReason::OpponentMissing { opponent }.to_string(),
            "His opponent 4, whom the table gives, is missing."
        );
        assert_eq!(
            UnpairedReason::KnockedOut { stage: 2, place: 5 }.to_string(),
            "He has lost in stage 2 and shares the places from 5 on."
        );
    }
}
