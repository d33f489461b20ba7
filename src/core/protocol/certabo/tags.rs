//! The men's tags of a whole hall.
//!
//! A calibration belongs to a set of men, and sets are moved between boards: what one board has learnt holds
//! for all. The start position teaches tags that nobody knows; those that are known show meanwhile whether
//! the board stands turned. A first set without any known tag must stand as the board expects it, White's men
//! on the wire's first and second rank.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shakmaty::Board;

use super::calibration::{Calibration, Tag, all_different};
use crate::types::Piece;

/// Tags that all boards of a hall share.
#[derive(Clone, Debug, Default)]
pub struct SharedTags(Arc<Mutex<Known>>);

#[derive(Debug, Default)]
struct Known {
    table: Calibration,
    /// Grows with each change.
    version: u64,
}

impl SharedTags {
    /// Tags that are known beforehand.
    pub fn new(table: Calibration) -> Self {
        Self(Arc::new(Mutex::new(Known { table, version: 0 })))
    }

    /// The man with this tag.
    pub fn piece(&self, tag: Tag) -> Option<Piece> {
        self.lock().table.piece(tag)
    }

    /// Whether no tag is known.
    pub fn is_empty(&self) -> bool {
        self.lock().table.is_empty()
    }

    /// Adds the tags of a set.
    pub fn join(&self, table: &Calibration) {
        let mut known = self.lock();
        let before = known.table.clone();
        known.table.join(table);
        known.version += u64::from(known.table != before);
    }

    /// All of them, if there are others than at `version`; and their version.
    pub fn newer_than(&self, version: u64) -> Option<(Calibration, u64)> {
        let known = self.lock();
        (known.version != version).then(|| (known.table.clone(), known.version))
    }

    /// A frame that may show the start position: tags in it that nobody knows are learnt. Tags that are known
    /// and stand elsewhere than at home mean another position, and nothing is learnt.
    pub(super) fn learn_start(&self, tags: &[Tag; 64]) {
        let start = Board::new();
        let shown = tags.iter().filter(|tag| !tag.is_empty()).count();
        if shown != 32 || all_different(tags, start.occupied()).is_none() {
            return;
        }
        let mut turned = start.clone();
        turned.rotate_180();
        let table = [&start, &turned]
            .into_iter()
            .map(|position| Calibration::of(tags, position))
            .find(|table| self.agrees(table));
        if let Some(table) = table {
            self.join(&table);
        }
    }

    fn agrees(&self, table: &Calibration) -> bool {
        let known = self.lock();
        table
            .iter()
            .all(|(tag, piece)| known.table.piece(tag).is_none_or(|it| it == piece))
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        // A panic elsewhere leaves at worst a table without its last set behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{protocol::board::from_a8, types::Placement};

    /// Each man's tag is made of its home square and the set's number.
    fn frame(position: &Placement, set: u8) -> [Tag; 64] {
        let mut tags = [Tag::EMPTY; 64];
        for (at, tag) in tags.iter_mut().enumerate() {
            if position.piece_at(from_a8(at)).is_some() {
                *tag = Tag([1, 2, 3, set, at as u8]);
            }
        }
        tags
    }

    #[test]
    fn a_set_learnt_at_one_board_is_known_at_all() {
        let (tags, start) = (SharedTags::default(), Board::new());
        let elsewhere = tags.clone();
        tags.learn_start(&frame(&start, 1));
        let white_king = Tag([1, 2, 3, 1, 60]);
        assert_eq!(elsewhere.piece(white_king).map(Piece::char), Some('K'));
        let (table, version) = elsewhere.newer_than(0).unwrap();
        assert_eq!((table.len(), version), (32, 1));
        tags.learn_start(&frame(&start, 1));
        assert!(tags.newer_than(1).is_none(), "nothing new");
        tags.learn_start(&frame(&start, 2));
        assert_eq!(tags.newer_than(1).map(|(table, _)| table.len()), Some(64));
    }

    #[test]
    fn an_exchanged_pair_teaches_nothing() {
        let (tags, start) = (SharedTags::default(), Board::new());
        tags.learn_start(&frame(&start, 1));
        let mut exchanged = frame(&start, 1);
        exchanged.swap(59, 60);
        tags.learn_start(&exchanged);
        assert_eq!(
            tags.piece(Tag([1, 2, 3, 1, 60])).map(Piece::char),
            Some('K')
        );
        assert!(tags.newer_than(1).is_none());
    }

    #[test]
    fn a_spare_man_is_learnt_on_a_turned_board() {
        let (tags, start) = (SharedTags::default(), Board::new());
        tags.learn_start(&frame(&start, 1));
        let mut turned = frame(&start, 1);
        turned.reverse();
        // The king of White, at the far side now, is a spare one.
        turned[3] = Tag([9; 5]);
        tags.learn_start(&turned);
        assert_eq!(tags.piece(Tag([9; 5])).map(Piece::char), Some('K'));
    }
}
