//! Why a player is not paired, as a sentence.

use std::fmt;

use super::{
    UnpairedReason,
    words::{self, Language},
};

impl fmt::Display for UnpairedReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&words::unpaired(self, Language::English))
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
