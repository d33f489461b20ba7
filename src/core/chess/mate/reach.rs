//! Which squares each man can ever come to, however both sides play.
//!
//! The least sets that are closed under this: a man goes where its kind goes, through every square that
//! is not held by a man who can never leave it; a man can leave his square when he can move or an enemy
//! can come there; a king never steps where an enemy who can never leave strikes. Each legal move keeps
//! within the sets, since whatever they take for fixed has been fixed until then. So they hold too much
//! rather than too little, and what they exclude is excluded.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Rank, Role,
    Square, attacks,
};

/// A man and where he can come to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Man {
    pub(super) piece: Piece,
    origin: Square,
    /// As what he is now.
    pub(super) squares: Bitboard,
    /// As what a pawn becomes: a queen or a knight, which move as everything else does.
    pub(super) promoted: Bitboard,
    loose: bool,
}

impl Man {
    fn anywhere(&self) -> Bitboard {
        self.squares | self.promoted
    }

    fn is_king(&self) -> bool {
        self.piece.role == Role::King
    }
}

/// Where all men can come to.
#[derive(Clone, Debug)]
pub(super) struct Reach {
    pub(super) men: Vec<Man>,
    /// Squares of men who never leave them.
    pub(super) stuck: Bitboard,
}

impl Reach {
    pub(super) fn of(position: &Chess) -> Self {
        let men = position
            .board()
            .iter()
            .map(|(origin, piece)| Man {
                piece,
                origin,
                squares: origin.into(),
                promoted: Bitboard::EMPTY,
                loose: false,
            })
            .collect();
        let mut reach = Self {
            men,
            stuck: position.board().occupied(),
        };
        reach.castle(position);
        let now = position.ep_square(EnPassantMode::Legal);
        while reach.grow(now) {}
        reach
    }

    /// Castling is possible where the right is left and nobody is stuck in the way.
    fn castle(&mut self, position: &Chess) {
        let castles = position.castles();
        for (color, side) in [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ] {
            let Some(rook) = castles.rook(color, side) else {
                continue;
            };
            for man in &mut self.men {
                if man.piece == color.king() {
                    man.squares.add(side.king_to(color));
                    man.loose = true;
                } else if man.origin == rook {
                    man.squares.add(side.rook_to(color));
                    man.loose = true;
                }
            }
        }
    }

    /// One round; whether anything was added.
    fn grow(&mut self, en_passant: Option<Square>) -> bool {
        self.stuck = self.squares_of(|man| !man.loose);
        let mut added = false;
        for color in Color::ALL {
            let ours = self.squares_of(|man| !man.loose && man.piece.color == color);
            let their_king = self.squares_of(|man| !man.loose && man.piece == color.other().king());
            let guarded = self.guarded_by(color.other());
            let prey = self.prey_of(color);
            let skipped = self.skipped_by(color.other(), en_passant);
            let mut struck = Bitboard::EMPTY;
            let stuck = self.stuck;
            for man in self.men.iter_mut().filter(|man| man.piece.color == color) {
                let before = (man.anywhere(), man.loose);
                if man.piece.role == Role::Pawn {
                    let (to, hits) = pawn_targets(man, stuck, prey, skipped);
                    struck |= hits;
                    man.squares |= to & !Bitboard::BACKRANKS;
                    man.promoted |= to & Bitboard::BACKRANKS;
                    let mut to = Bitboard::EMPTY;
                    for from in man.promoted {
                        to |= attacks::queen_attacks(from, stuck) | attacks::knight_attacks(from);
                    }
                    man.promoted |= to & !ours & !their_king;
                    struck |= man.promoted;
                } else {
                    let mut to = Bitboard::EMPTY;
                    for from in man.squares {
                        to |= attacks::attacks(from, man.piece, stuck);
                    }
                    to = to & !ours & !their_king;
                    if man.is_king() {
                        to &= !guarded;
                    }
                    man.squares |= to;
                    struck |= to;
                }
                man.loose |= man.anywhere() != Bitboard::from(man.origin);
                added |= before != (man.anywhere(), man.loose);
            }
            for man in &mut self.men {
                let taken = man.piece.color != color && !man.is_king();
                if taken && !man.loose && struck.contains(man.origin) {
                    man.loose = true;
                    added = true;
                }
            }
        }
        added
    }

    fn squares_of(&self, which: impl Fn(&Man) -> bool) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for man in self.men.iter().filter(|man| which(man)) {
            squares.add(man.origin);
        }
        squares
    }

    /// What the men of this side who never move strike at all times.
    fn guarded_by(&self, color: Color) -> Bitboard {
        let fixed = self
            .men
            .iter()
            .filter(|man| man.piece.color == color && !man.loose);
        fixed.fold(Bitboard::EMPTY, |all, man| {
            // Of a slider only the squares next to it are sure.
            all | attacks::attacks(man.origin, man.piece, Bitboard::FULL)
        })
    }

    /// Where men stand that this side's pawns could take.
    fn prey_of(&self, color: Color) -> Bitboard {
        let men = self
            .men
            .iter()
            .filter(|man| man.piece.color != color && !man.is_king());
        men.fold(Bitboard::EMPTY, |all, man| all | man.anywhere())
    }

    /// Squares that pawns of this side may skip by a double step, so that they can be taken there.
    fn skipped_by(&self, color: Color, now: Option<Square>) -> Bitboard {
        let (home, far) = color.fold_wb((Rank::Second, Rank::Fourth), (Rank::Seventh, Rank::Fifth));
        let mut skipped: Bitboard = now.into_iter().collect();
        for man in &self.men {
            if man.piece == color.pawn() && man.origin.rank() == home {
                let target = Square::from_coords(man.origin.file(), far);
                if man.squares.contains(target) {
                    skipped |=
                        attacks::ray(man.origin, target) & attacks::between(man.origin, target);
                }
            }
        }
        skipped
    }
}

/// Where a pawn can go next, and the squares of men that it can take.
fn pawn_targets(
    man: &Man,
    stuck: Bitboard,
    prey: Bitboard,
    skipped: Bitboard,
) -> (Bitboard, Bitboard) {
    let color = man.piece.color;
    let (forward, third) = color.fold_wb((8, Rank::Third), (-8, Rank::Sixth));
    let step = man.squares.shift(forward) & !stuck;
    let home = Bitboard::from_rank(color.fold_wb(Rank::Second, Rank::Seventh));
    let from_home = (man.squares & home).shift(forward) & !stuck;
    let double = (from_home & Bitboard::from_rank(third)).shift(forward) & !stuck;
    let mut strikes = Bitboard::EMPTY;
    for from in man.squares {
        strikes |= attacks::pawn_attacks(color, from);
    }
    let hits = strikes & prey;
    let passing = strikes & skipped;
    // The victim of a taking en passant stands one step behind the square that it skipped.
    let victims = passing.shift(-forward);
    (step | double | hits | passing, hits | victims)
}

/// Each pawn has an enemy pawn before it on its own file.
pub(super) fn all_opposed(board: &Board) -> bool {
    let (white, black) = (board.pawns() & board.white(), board.pawns() & board.black());
    white.is_subset(fill(black, -8)) && black.is_subset(fill(white, 8))
}

/// Each pawn has a pawn right before it.
pub(super) fn all_rammed(board: &Board) -> bool {
    let pawns = board.pawns();
    (pawns & board.white()).shift(8).is_subset(pawns)
        && (pawns & board.black()).shift(-8).is_subset(pawns)
}

/// All squares ahead of these, upwards (8) or downwards (-8).
fn fill(squares: Bitboard, step: i32) -> Bitboard {
    let mut all = squares;
    for times in [1, 2, 4] {
        all |= all.shift(step * times);
    }
    all
}
