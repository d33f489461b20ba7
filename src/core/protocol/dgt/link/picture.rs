//! The board as the sum of its messages.

use crate::{
    protocol::{
        MagicPiece, Observation, SquareChange,
        dgt::piece::{Cells, Code, square},
    },
    types::Placement,
};

/// The squares as last heard; unknown before the first dump.
#[derive(Debug, Default)]
pub(in crate::protocol::dgt) struct Picture {
    known: Option<(Cells, Placement)>,
}

impl Picture {
    pub(in crate::protocol::dgt) fn forget(&mut self) {
        self.known = None;
    }

    pub(in crate::protocol::dgt) fn is_known(&self) -> bool {
        self.known.is_some()
    }

    /// All squares, once they are known.
    pub(in crate::protocol::dgt) fn cells(&self) -> Option<Cells> {
        self.known.as_ref().map(|(cells, _)| *cells)
    }

    /// Whether a dump shows what was heard so far; the first one does.
    pub(in crate::protocol::dgt) fn agrees(&self, dump: &Cells) -> bool {
        self.known.as_ref().is_none_or(|(cells, _)| cells == dump)
    }

    /// Whether this change is that of another board than ours: what is told to be gone was not there.
    pub(in crate::protocol::dgt) fn denies(&self, index: u8, code: Code) -> bool {
        let before = |(cells, _): &(Cells, Placement)| cells.0.get(usize::from(index)).copied();
        code == Code::EMPTY && self.known.as_ref().and_then(before) == Some(Code::EMPTY)
    }

    /// The picture as an observation without a change.
    pub(in crate::protocol::dgt) fn observation(&self) -> Option<Observation> {
        self.known
            .as_ref()
            .map(|(_, placement)| Observation::Placement {
                placement: placement.clone(),
                change: None,
            })
    }

    /// One square changed. `None` before the first dump, which will show it anyhow.
    pub(in crate::protocol::dgt) fn update(
        &mut self,
        index: u8,
        code: Code,
    ) -> Option<Observation> {
        let (cells, placement) = self.known.as_mut()?;
        let square = square(index)?;
        cells.0[usize::from(index)] = code;
        let piece = code.piece();
        match piece {
            Some(piece) => placement.set_piece_at(square, piece),
            None => placement.discard_piece_at(square),
        }
        Some(Observation::Placement {
            placement: placement.clone(),
            change: Some(SquareChange { square, piece }),
        })
    }

    /// A dump: it wins over the sum of the changes. Returns magic pieces that are new.
    pub(in crate::protocol::dgt) fn dump(&mut self, new: Cells) -> Vec<MagicPiece> {
        let before = |at: usize| {
            self.known
                .as_ref()
                .map_or(Code::EMPTY, |(cells, _)| cells.0[at])
        };
        let magic = new
            .0
            .iter()
            .enumerate()
            .filter(|&(at, code)| before(at) != *code)
            .filter_map(|(_, code)| code.magic())
            .collect();
        self.known = Some((new, new.placement()));
        magic
    }
}
