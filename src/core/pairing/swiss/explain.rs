//! Sentences that the explanations of several systems share.

use std::fmt;

use super::{ByeObstacle, ByeReason, ColourRule, Obstacle, Passed};

/// "5 (they have met), 7 (…)"; nothing for an empty list.
pub(super) fn passed(f: &mut fmt::Formatter<'_>, passed: &[Passed]) -> fmt::Result {
    for (at, passed) in passed.iter().enumerate() {
        if at > 0 {
            f.write_str(", ")?;
        }
        let why = match passed.why {
            Obstacle::Apart => "they have met or must not meet",
            Obstacle::Colours => "both must have the same colour",
            Obstacle::Others => "the other pairs would be worse or impossible",
        };
        write!(f, "{} ({why})", passed.player)?;
    }
    Ok(())
}

/// A sentence about the colours.
pub(super) const fn colour(rule: ColourRule) -> &'static str {
    match rule {
        ColourRule::BothGranted => "Colours: nobody's preference is denied.",
        ColourRule::Stronger => "Colours: the stronger preference was granted.",
        ColourRule::LargerDifference => {
            "Colours: the preference of the player with the larger colour difference was granted."
        }
        ColourRule::LastDifference => {
            "Colours: the other way round than in the last round in which the two had different \
             colours."
        }
        ColourRule::HigherRanked => "Colours: the higher ranked got his preference.",
        ColourRule::InitialColour => {
            "Colours: nobody is due one, so the number of the higher ranked and the lot decide."
        }
        ColourRule::Fixed => "The arbiter set the colours.",
    }
}

impl fmt::Display for ByeReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "The number of players is odd and the bye is given first: to the lowest score ({} \
             here, {} games played)",
            self.score.decimal(),
            self.games
        )?;
        for (at, passed) in self.passed.iter().enumerate() {
            f.write_str(if at == 0 { "; before him came " } else { ", " })?;
            let why = match passed.why {
                ByeObstacle::Barred => "had a bye or a win's points without a game",
                ByeObstacle::Incomplete => "without him the others cannot be paired",
            };
            write!(f, "{} ({why})", passed.player)?;
        }
        f.write_str(".")
    }
}
