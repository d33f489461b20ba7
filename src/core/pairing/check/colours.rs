//! The rules on colours (C.04.1, 6 to 8).

use super::{Breach, Check, ColourLimits, Excuse, Finding};
use crate::types::{Color, PlayerNo};

impl Check<'_> {
    /// The colours of a pair, given by index.
    pub(super) fn colours(
        &self,
        white: usize,
        black: usize,
        excuse: Option<&Excuse>,
        findings: &mut Vec<Finding>,
    ) {
        if self.rules.colours == ColourLimits::Never {
            return;
        }
        let excuse = excuse.cloned().or_else(|| {
            let players = self.topscorers([white, black]);
            if !players.is_empty() {
                return Some(Excuse::Topscorers { players });
            }
            let score = |index: usize| self.field.player(index).pairing_score;
            let equal = self.rules.colours == ColourLimits::LastRoundEqualScores
                && self.field.last_round
                && score(white) == score(black);
            equal.then_some(Excuse::EqualScores)
        });
        let mut found = |breach| {
            findings.push(Finding {
                breach,
                excuse: excuse.clone(),
            });
        };
        for (index, colour) in [(white, Color::White), (black, Color::Black)] {
            let own = self.field.player(index);
            let player = own.no;
            if own.colours.repeated() == Some(colour) {
                found(Breach::ThirdColour { player, colour });
            }
            let difference = own.colour_difference() + if colour.is_white() { 1 } else { -1 };
            if difference.abs() > 2 {
                found(Breach::ColourDifference { player, difference });
            }
        }
        if self.rules.colours == ColourLimits::LastRoundEqualScores {
            // The Lim system has an order of its own for who gets the colour.
            return;
        }
        if let Some(breach) = self.priority(white, black) {
            findings.push(Finding {
                breach,
                // The exception of the last round is about the limits only.
                excuse: excuse.filter(|excuse| *excuse == Excuse::SetByArbiter),
            });
        }
    }

    /// Both preferences, then the stronger one.
    fn priority(&self, white: usize, black: usize) -> Option<Breach> {
        let (own, other) = (self.field.player(white), self.field.player(black));
        let (wish, their_wish) = (own.preference, other.preference);
        let denied = wish.colour() == Some(Color::Black);
        let their_denied = their_wish.colour() == Some(Color::White);
        let turned = match (wish.colour(), their_wish.colour()) {
            (Some(_), Some(_)) => denied && their_denied,
            (Some(_), None) => denied,
            (None, Some(_)) => their_denied,
            (None, None) => false,
        };
        if turned {
            return Some(Breach::ColoursTurned {
                white: own.no,
                black: other.no,
            });
        }
        if denied && wish.strength() > their_wish.strength() {
            return Some(Breach::StrongerDenied {
                player: own.no,
                due: Color::Black,
                opponent: other.no,
            });
        }
        if their_denied && their_wish.strength() > wish.strength() {
            return Some(Breach::StrongerDenied {
                player: other.no,
                due: Color::White,
                opponent: own.no,
            });
        }
        None
    }

    /// Those of the two for whom the limits fall away.
    fn topscorers(&self, two: [usize; 2]) -> Vec<PlayerNo> {
        let excused = |&index: &usize| match self.rules.colours {
            ColourLimits::Always | ColourLimits::LastRoundEqualScores | ColourLimits::Never => {
                false
            }
            ColourLimits::LastRoundOverHalf => self.field.is_topscorer(index),
            ColourLimits::LastRoundHalf => {
                let possible =
                    u32::from(self.field.scoring.win.0) * u32::from(self.field.round.0 - 1);
                self.field.last_round && u32::from(self.field.player(index).score.0) * 2 >= possible
            }
        };
        two.iter()
            .filter(|index| excused(index))
            .map(|&index| self.field.player(index).no)
            .collect()
    }
}
