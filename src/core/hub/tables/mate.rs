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
        if standing == *settled {
            return chance;
        }
        let after = judge(&standing);
        if chance.is_excluded() == after.is_excluded() {
            after
        } else {
            Chance::Undecided(Doubt::LastMove)
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Board, Square};

    use super::{
        super::tracker::{BoardTracker, Picture},
        *,
    };
    use crate::{
        chess::{Tracker, TrackerSettings, Variant},
        types::Mono,
    };

    /// A game that stands so, and a board that shows it.
    fn table(fen: &str) -> LiveTable {
        let mut live = LiveTable::new(None, None, Some(false), Variant::Standard);
        let tracker = Tracker::restore(TrackerSettings::default(), Some(fen), &[], Some(false));
        live.tracker = BoardTracker::Men(Box::new(tracker.unwrap()));
        let board = live.tracker.position().board().clone();
        live.tracker
            .handle_picture(Mono::ZERO, &Picture::Men(board.clone()), None);
        live
    }

    fn change(live: &mut LiveTable, at: u64, change: impl FnOnce(&mut Board)) {
        let mut board = live.tracker.placement().unwrap().clone();
        change(&mut board);
        live.tracker
            .handle_picture(Mono::from_millis(at), &Picture::Men(board.clone()), None);
    }

    const ROOK: &str = "8/8/4k3/8/8/8/3R4/K7 w - - 0 1";

    #[test]
    fn a_flag_is_judged_by_the_game() {
        let live = table(ROOK);
        assert_eq!(live.mate_chance(Color::White), Chance::Can);
        let bare = live.mate_chance(Color::Black);
        assert_eq!(bare, Chance::Cannot(WhyNot::Material));
        assert_eq!(
            bare.words(Color::Black),
            " Black cannot mate by any sequence of legal moves: the pieces do not suffice."
        );
        let wall = table("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - - 0 1");
        let blocked = Chance::Cannot(WhyNot::Blocked);
        assert_eq!(wall.mate_chance(Color::White), blocked);
        assert_eq!(wall.mate_chance(Color::Black), blocked);
    }

    /// The only rook is in its player's hand when the opponent's flag falls.
    #[test]
    fn a_man_in_the_hand_is_not_lost() {
        let mut live = table(ROOK);
        change(&mut live, 1000, |board| board.discard_piece_at(Square::D2));
        assert_eq!(live.mate_chance(Color::White), Chance::Can);
    }

    #[test]
    fn a_capture_that_may_not_be_complete_leaves_it_open() {
        let mut live = table("8/8/8/8/8/3k4/3R4/K7 b - - 0 1");
        assert_eq!(live.mate_chance(Color::White), Chance::Can);
        change(&mut live, 1000, |board| {
            board.discard_piece_at(Square::D3);
            board.set_piece_at(Square::D2, Color::Black.king());
        });
        let open = Chance::Undecided(Doubt::LastMove);
        assert_eq!(live.mate_chance(Color::White), open);
        live.tracker.handle_timeout(Mono::from_millis(20_000));
        let bare = Chance::Cannot(WhyNot::Material);
        assert_eq!(live.mate_chance(Color::White), bare);
    }

    #[test]
    fn what_is_not_known_is_not_decided() {
        let mut live = table(ROOK);
        live.disturbed = true;
        let doubt = |looks_bare| Chance::Undecided(Doubt::Position { looks_bare });
        assert_eq!(live.mate_chance(Color::White), doubt(false));
        assert_eq!(live.mate_chance(Color::Black), doubt(true));
        assert!(!live.mate_chance(Color::Black).is_excluded());
        let unseen = LiveTable::new(None, None, None, Variant::Standard);
        assert_eq!(unseen.mate_chance(Color::White), doubt(false));
    }
}
