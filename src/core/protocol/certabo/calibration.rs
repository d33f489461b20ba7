//! Which tag is which man.
//!
//! A calibration belongs to a set of men, not to a board: in a hall sets are moved between boards, so tables
//! of several sets can be put together. It is taken from the start position, seen by the board the right way
//! round, with a second queen each on d3 and d6.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};
use shakmaty::{Bitboard, Board, Color, Square};

use crate::{
    protocol::board::from_a8,
    types::{Piece, Placement},
};

/// The code of one tag; five zeros, or five times 255, where there is none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub [u8; 5]);

impl Tag {
    /// No tag.
    pub const EMPTY: Self = Self([0; 5]);

    /// Whether there is none.
    pub fn is_empty(self) -> bool {
        self.0 == [0; 5] || self.0 == [255; 5]
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.0.map(|number| number.to_string());
        f.write_str(&numbers.join(" "))
    }
}

/// The position that calibrates.
pub fn position() -> Placement {
    let mut board = Board::new();
    board.set_piece_at(Square::D3, Color::White.queen());
    board.set_piece_at(Square::D6, Color::Black.queen());
    board
}

/// Whether a frame shows the position that calibrates: every man of it has a tag of its own. Then the
/// squares with other tags: noise.
pub(super) fn noise(tags: &[Tag; 64]) -> Option<Bitboard> {
    let men = position().occupied();
    all_different(tags, men)?;
    let others = (0..64).filter(|at| !men.contains(from_a8(*at)) && !tags[*at].is_empty());
    Some(others.map(from_a8).collect())
}

pub(super) fn all_different(tags: &[Tag; 64], men: Bitboard) -> Option<()> {
    let mut seen = Vec::with_capacity(34);
    for (at, tag) in tags.iter().enumerate() {
        if men.contains(from_a8(at)) {
            if tag.is_empty() || seen.contains(tag) {
                return None;
            }
            seen.push(*tag);
        }
    }
    Some(())
}

/// Tags and their men.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Calibration(BTreeMap<Tag, Piece>);

impl Calibration {
    /// The man with this tag.
    pub fn piece(&self, tag: Tag) -> Option<Piece> {
        self.0.get(&tag).copied()
    }

    /// The tags of men of this kind.
    pub fn tags(&self, piece: Piece) -> impl Iterator<Item = Tag> + '_ {
        let of_kind = self.0.iter().filter(move |(_, known)| **known == piece);
        of_kind.map(|(tag, _)| *tag)
    }

    /// How many tags are known.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All tags with their men.
    pub fn iter(&self) -> impl Iterator<Item = (Tag, Piece)> + '_ {
        self.0.iter().map(|(tag, piece)| (*tag, *piece))
    }

    /// Adds the tags of another set.
    pub fn join(&mut self, other: &Self) {
        self.0.extend(&other.0);
    }

    /// From one frame of the position that calibrates.
    pub(super) fn of_frame(tags: &[Tag; 64]) -> Self {
        Self::of(tags, &position())
    }

    /// From a frame of the start position without second queens. `None` when the frame does not show 32
    /// tags at home and nothing else.
    pub(super) fn of_start(tags: &[Tag; 64]) -> Option<Self> {
        let start = Board::new();
        all_different(tags, start.occupied())?;
        let shown = tags.iter().filter(|tag| !tag.is_empty()).count();
        (shown == 32).then(|| Self::of(tags, &start))
    }

    pub(super) fn of(tags: &[Tag; 64], position: &Placement) -> Self {
        let men = tags.iter().enumerate().filter_map(|(at, tag)| {
            let piece = position.piece_at(from_a8(at))?;
            Some((*tag, piece))
        });
        Self(men.collect())
    }
}

/// As a table from men to tags: `{"K": ["59 0 114 113 132"], …}`.
impl Serialize for Calibration {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table: BTreeMap<char, Vec<String>> = BTreeMap::new();
        for (tag, piece) in &self.0 {
            table.entry(piece.char()).or_default().push(tag.to_string());
        }
        table.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Calibration {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = BTreeMap::<char, Vec<String>>::deserialize(deserializer)?;
        let mut tags = BTreeMap::new();
        for (letter, texts) in table {
            let piece = Piece::from_char(letter)
                .ok_or_else(|| D::Error::custom(format!("{letter:?} is no man")))?;
            for text in texts {
                let numbers: Result<Vec<u8>, _> = text.split_whitespace().map(str::parse).collect();
                let tag = numbers.ok().and_then(|numbers| numbers.try_into().ok());
                let tag = tag.ok_or_else(|| {
                    D::Error::custom(format!("{text:?} is no tag: five numbers up to 255"))
                })?;
                tags.insert(Tag(tag), piece);
            }
        }
        Ok(Self(tags))
    }
}

/// Frames that are kept: the newest ones say what stands there.
const FRAMES: usize = 15;

/// Collects frames of the position that calibrates and takes for each square the tag that most of them
/// show: single frames miss tags or invent them.
#[derive(Clone, Debug, Default)]
pub struct Calibrator {
    frames: Vec<[Tag; 64]>,
}

impl Calibrator {
    /// Adds a frame.
    pub fn add(&mut self, tags: &[Tag; 64]) {
        if self.frames.len() == FRAMES {
            self.frames.remove(0);
        }
        self.frames.push(*tags);
    }

    /// How many frames there are. Seven are enough for good sensors.
    pub fn frames(&self) -> usize {
        self.frames.len()
    }

    /// The table so far.
    pub fn table(&self) -> Calibration {
        let mut most = [Tag::EMPTY; 64];
        for (at, tag) in most.iter_mut().enumerate() {
            let mut counts: BTreeMap<Tag, usize> = BTreeMap::new();
            for frame in &self.frames {
                *counts.entry(frame[at]).or_default() += 1;
            }
            let best = counts.into_iter().max_by_key(|(_, count)| *count);
            *tag = best.map_or(Tag::EMPTY, |(tag, _)| tag);
        }
        Calibration::of_frame(&most)
    }
}
