//! Colours and what a player is due (C.04.1.6–8, C.04.2 3.4).

use serde::{Deserialize, Serialize};

use crate::types::Color;

/// The colour history of a player: played games only, the oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Colours(Vec<Color>);

impl Colours {
    /// From the colours of the played games, the oldest first.
    pub fn new(colours: Vec<Color>) -> Self {
        Self(colours)
    }

    /// The played games' colours, the oldest first.
    pub fn as_slice(&self) -> &[Color] {
        &self.0
    }

    /// Whites minus Blacks.
    pub fn difference(&self) -> i32 {
        self.0
            .iter()
            .map(|colour| if colour.is_white() { 1 } else { -1 })
            .sum()
    }

    /// The colour of the last played game.
    pub fn last(&self) -> Option<Color> {
        self.0.last().copied()
    }

    /// The colour of the last two played games, when they had the same.
    pub fn repeated(&self) -> Option<Color> {
        match self.0.as_slice() {
            [.., before, last] if before == last => Some(*last),
            _ => None,
        }
    }

    /// What the player is due. Difference and run may contradict each other only after pairings made
    /// by hand; then the difference decides.
    pub fn preference(&self) -> Preference {
        let difference = self.difference();
        let mends = if difference > 0 {
            Color::Black
        } else {
            Color::White
        };
        match (difference.abs(), self.repeated(), self.last()) {
            (2.., ..) => Preference::Absolute(mends),
            (_, Some(twice), _) => Preference::Absolute(!twice),
            (1, ..) => Preference::Strong(mends),
            (_, _, Some(last)) => Preference::Mild(!last),
            (_, _, None) => Preference::None,
        }
    }

    /// The colours that the two had in the most recent round, counted from the end of both
    /// histories, in which they differed: (own, theirs).
    pub fn last_difference(&self, other: &Self) -> Option<(Color, Color)> {
        self.0
            .iter()
            .rev()
            .zip(other.0.iter().rev())
            .find(|(own, theirs)| own != theirs)
            .map(|(own, theirs)| (*own, *theirs))
    }
}

/// A colour preference, with its strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preference {
    /// No game played: any colour does.
    None,
    /// As many Whites as Blacks: the other than last time.
    Mild(#[serde(with = "crate::types::color")] Color),
    /// One more of the other colour.
    Strong(#[serde(with = "crate::types::color")] Color),
    /// Two more of the other colour, or it twice running.
    Absolute(#[serde(with = "crate::types::color")] Color),
}

impl Preference {
    /// The colour wanted.
    pub const fn colour(self) -> Option<Color> {
        match self {
            Self::None => None,
            Self::Mild(colour) | Self::Strong(colour) | Self::Absolute(colour) => Some(colour),
        }
    }

    /// Absolute.
    pub const fn is_absolute(self) -> bool {
        matches!(self, Self::Absolute(_))
    }

    /// Strong or absolute.
    pub const fn is_strong(self) -> bool {
        matches!(self, Self::Strong(_) | Self::Absolute(_))
    }

    /// 0 none, 1 mild, 2 strong, 3 absolute.
    pub const fn strength(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Mild(_) => 1,
            Self::Strong(_) => 2,
            Self::Absolute(_) => 3,
        }
    }
}

/// The rule that gave a pair its colours (C.04.3, 5.2 and its likes in the other systems).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ColourRule {
    /// Both get what they are due (5.2.1).
    BothGranted,
    /// The stronger preference wins (5.2.2).
    Stronger,
    /// Both absolute: the larger colour difference wins (5.2.2).
    LargerDifference,
    /// The other way round than in the last round in which they had different colours (5.2.3).
    LastDifference,
    /// The higher ranked gets what he is due (5.2.4).
    HigherRanked,
    /// Nobody is due a colour: the number of the higher ranked and the lot decide (5.2.5).
    InitialColour,
    /// An arbiter set it.
    Fixed,
}
