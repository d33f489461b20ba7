//! Touch-move (Laws 4.3): a man that was lifted and put back, and another one that moved then.
//!
//! The board cannot hear “j’adoube”, so this is a remark for the arbiter and never a claim.

use shakmaty::{Chess, Color, Piece, Square, fen::Fen};

use super::{Sheet, move_words, number, position};
use crate::{
    chess::MoveMade,
    hub::{decide::name, event::Event, words::piece_name},
};

/// Men that were lifted and put back since the last move.
#[derive(Clone, Debug)]
pub(super) struct Touched {
    /// The place of its note.
    note: usize,
    /// Half-moves made by then.
    plies: usize,
    men: Vec<(Square, Piece)>,
}

impl Sheet {
    /// Men were lifted and put back.
    pub(super) fn note_touched(&mut self, event: &Event, squares: &[String]) {
        let position: Option<Chess> = position(&self.game)
            .parse::<Fen>()
            .ok()
            .and_then(|fen| fen.into_position(self.game.variant().castling()).ok());
        let man = |name: &String| {
            let square: Square = name.parse().ok()?;
            let piece = shakmaty::Position::board(position.as_ref()?).piece_at(square)?;
            Some((square, piece))
        };
        let men: Vec<_> = squares.iter().filter_map(man).collect();
        let text = if men.len() == squares.len() {
            format!("Lifted and put back: {}.", words(&men))
        } else {
            format!("Lifted and put back: {}.", squares.join(", "))
        };
        self.touched.push(Touched {
            note: self.view.notes.len(),
            plies: self.game.moves.len(),
            men,
        });
        self.note(event, "board", text);
    }

    /// A move was made: was it made with the man that was touched?
    pub(super) fn judge_touched(&mut self, made: &MoveMade) {
        let index = usize::from(made.ply).saturating_sub(1);
        let from: Option<Square> = made.uci.get(..2).and_then(|from| from.parse().ok());
        for touched in std::mem::take(&mut self.touched) {
            let own: Vec<_> = touched
                .men
                .into_iter()
                .filter(|(_, man)| man.color == made.side)
                .collect();
            let moved = own.iter().any(|(square, _)| Some(*square) == from);
            // Whose hand it was is known only where it was this side's turn and man.
            if touched.plies != index || own.is_empty() || moved {
                continue;
            }
            let made_words = move_words(number(&self.game, index), made.side, &made.san);
            if let Some(note) = self.view.notes.get_mut(touched.note) {
                "touch".clone_into(&mut note.kind);
                note.text = format!(
                    "{} was lifted and put back, then {} moved another man: {made_words}. Touch-move is for the \
                     arbiter to judge (Laws 4.2, 4.3).",
                    capital(&words(&own)),
                    name(made.side),
                );
            }
        }
    }
}

/// `White’s knight on g1, Black’s pawn on e5`.
fn words(men: &[(Square, Piece)]) -> String {
    let words = men.iter().map(|(square, man)| {
        let side = Color::fold_wb(man.color, "White", "Black");
        format!("{side}’s {} on {square}", piece_name(man.role))
    });
    words.collect::<Vec<_>>().join(" and ")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + letters.as_str()
}
