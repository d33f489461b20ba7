//! Whether a side can still mate in the game at a table, for flags and penalties (Laws 6.9 and 7.5.5).

use shakmaty::Position as _;

use super::live::{LiveTable, position_of};
use crate::{
    chess::mate::{Budget, CanMate, WhyNot, can_mate},
    hub::{Hub, decide::name},
    types::{Color, TableNo},
};

/// What is known of a side's chance to mate by any series of legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hub) enum Chance {
    Can,
    Cannot(WhyNot),
    Undecided(Doubt),
}

/// Why it was not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::hub) enum Doubt {
    /// The search took too long.
    TooDeep,
    /// It depends on a move that stands on the board and may not be complete.
    LastMove,
    /// What the game's position is, nobody can say.
    Position {
        /// What stands on the board would not suffice.
        looks_bare: bool,
    },
}

impl Chance {
    /// A draw may rest on this.
    pub(in crate::hub) fn is_excluded(self) -> bool {
        matches!(self, Self::Cannot(_))
    }

    /// For the evidence, after a full stop; empty when there is nothing to explain.
    pub(in crate::hub) fn words(self, side: Color) -> String {
        let side = name(side);
        let not_decided = format!(" It was not decided whether {side} can still mate");
        match self {
            Self::Can => String::new(),
            Self::Cannot(why) => {
                let why = match why {
                    WhyNot::Over => "the game has ended on the board",
                    WhyNot::Material => "the pieces do not suffice",
                    WhyNot::Blocked => "the way is blocked",
                    WhyNot::Exhausted => "every line of moves was tried",
                };
                format!(" {side} cannot mate by any sequence of legal moves: {why}.")
            }
            Self::Undecided(Doubt::TooDeep) => {
                format!("{not_decided}: no such line was found, and none was ruled out.")
            }
            Self::Undecided(Doubt::LastMove) => {
                format!("{not_decided}: it depends on whether the last move was completed.")
            }
            Self::Undecided(Doubt::Position { looks_bare: false }) => {
                format!("{not_decided}: the position is not known for certain.")
            }
            Self::Undecided(Doubt::Position { looks_bare: true }) => format!(
                "{not_decided}: the position is not known for certain. The pieces that stand on \
                 the board would not suffice."
            ),
        }
    }
}

impl Hub {
    /// Whether a side could mate by any series of legal moves from the position of the game.
    pub(in crate::hub) fn mate_chance(&self, table: TableNo, side: Color) -> Chance {
        let ends_unseen = self
            .state
            .game(table)
            .and_then(|game| game.gaps.last())
            .is_some_and(|gap| gap.fen.is_none());
        match self.live.get(table) {
            Some(live) if !ends_unseen => live.mate_chance(side),
            _ => Chance::Undecided(Doubt::Position { looks_bare: false }),
        }
    }
}

impl LiveTable {
    fn mate_chance(&self, side: Color) -> Chance {
        let tracker = &self.tracker;
        if self.disturbed || tracker.placement().is_none() || tracker.has_lost_track() {
            // A piece may be in a hand: what stands there proves nothing.
            let seen = tracker.placement().and_then(position_of);
            let looks_bare = seen.is_some_and(|seen| seen.has_insufficient_material(side));
            return Chance::Undecided(Doubt::Position { looks_bare });
        }
        let judge = |position: &_| match can_mate(position, side, Budget::ARBITER) {
            CanMate::Yes { .. } => Chance::Can,
            CanMate::No(why) => Chance::Cannot(why),
            CanMate::Unknown => Chance::Undecided(Doubt::TooDeep),
        };
        let (settled, standing) = (tracker.position(), tracker.standing_position());
        let chance = judge(settled);
        if standing == settled {
            return chance;
        }
        let after = judge(standing);
        if chance.is_excluded() == after.is_excluded() {
            after
        } else {
            Chance::Undecided(Doubt::LastMove)
        }
    }
}
