//! Where games start: the usual position, one of the 960, or one that an arbiter sets.

use serde::{Deserialize, Serialize};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, Piece, Position, Rank, Role,
    Setup, Square, fen::Fen,
};
use thiserror::Error;

use super::placement::{Seat, WrongHome, difference, home_but_wrong, seat_of, turned};
use crate::types::Placement;

/// How many start positions Chess960 has.
pub const CHESS960: u16 = 960;

/// The knights' places on the five squares that bishops and queen leave free, by the table of Scharnagl.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// By which rules a game is played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Variant {
    /// FIDE Laws, castling from e1 and e8.
    #[default]
    Standard,
    /// FIDE Laws, Guidelines II: the men on the first ranks are drawn. Castling is written as king takes rook in UCI.
    Chess960,
}

impl Variant {
    /// How castling is read and written.
    #[must_use]
    pub fn castling(self) -> CastlingMode {
        match self {
            Self::Standard => CastlingMode::Standard,
            Self::Chess960 => CastlingMode::Chess960,
        }
    }

    /// The usual rules; for records, which leave them out.
    #[must_use]
    pub fn is_standard(&self) -> bool {
        *self == Self::Standard
    }
}

/// Why this is no start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StartError {
    /// The numbers go from 0 to 959.
    #[error("Chess960 has the start positions 0 to 959, not {0}")]
    Number(u16),
    /// The FEN is none, or no legal position.
    #[error("{0:?} is not the FEN of a legal position")]
    Fen(String),
}

/// The position from which games at a table start, and the rules of castling there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Start {
    position: Chess,
    variant: Variant,
    /// Any of the 960 is accepted, since no number was set.
    open: bool,
}

impl Start {
    /// Chess960 without a number: whichever of the 960 the players set up.
    #[must_use]
    pub fn any960() -> Self {
        Self {
            position: Chess::default(),
            variant: Variant::Chess960,
            open: true,
        }
    }

    /// One of the 960 by its number after Scharnagl; 518 is the usual position.
    ///
    /// # Errors
    /// There is no such number.
    pub fn chess960(number: u16) -> Result<Self, StartError> {
        let setup = Setup {
            board: chess960_board(number).ok_or(StartError::Number(number))?,
            castling_rights: Bitboard::EMPTY,
            ..Setup::initial()
        };
        let rooks = setup.board.rooks();
        let setup = Setup {
            castling_rights: rooks,
            ..setup
        };
        let position = setup
            .position(CastlingMode::Chess960)
            .map_err(|_| StartError::Number(number))?;
        Ok(Self {
            position,
            variant: Variant::Chess960,
            open: false,
        })
    }

    /// The position that an arbiter sets.
    ///
    /// # Errors
    /// The text is no FEN, or the position is not legal.
    pub fn from_fen(fen: &str, variant: Variant) -> Result<Self, StartError> {
        let error = || StartError::Fen(fen.to_owned());
        let parsed: Fen = fen.trim().parse().map_err(|_| error())?;
        let position = parsed
            .into_position(variant.castling())
            .map_err(|_| error())?;
        Ok(Self {
            position,
            variant,
            open: false,
        })
    }

    /// The position.
    #[must_use]
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The men as they stand.
    #[must_use]
    pub fn board(&self) -> &Board {
        self.position.board()
    }

    /// The rules.
    #[must_use]
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// Any of the 960 is accepted.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.open
    }

    /// The usual position by the usual rules.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        self.variant == Variant::Standard && self.position == Chess::default()
    }

    /// The position's FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        Fen::from_position(&self.position, EnPassantMode::Legal).to_string()
    }

    /// Its number among the 960, if it is one of them.
    #[must_use]
    pub fn number(&self) -> Option<u16> {
        chess960_number(self.board())
    }

    /// How this start stands on the wire, with the start itself where any of the 960 is accepted.
    pub(super) fn seen_in(&self, wire: &Placement) -> Option<(Seat, Self)> {
        if !self.open {
            return Some((seat_of(wire, self.board())?, self.clone()));
        }
        let normal = chess960_number(wire).map(|number| (Seat::Normal, number));
        let (seat, number) = normal.or_else(|| {
            let number = chess960_number(&turned(wire))?;
            Some((Seat::Turned, number))
        })?;
        let start = Self::chess960(number).ok()?;
        Some((
            seat,
            Self {
                open: true,
                ..start
            },
        ))
    }

    /// Whether men set up so wait for a game: this start, the usual one, or in Chess960 any other.
    pub(super) fn is_set_up(&self, home: &Board, seen: &Placement) -> bool {
        seen == home || *seen == Board::new() || (self.is_another(home, seen))
    }

    /// Whether another of the 960 is set up than `home`, in an event that plays them.
    pub(super) fn is_another(&self, home: &Board, seen: &Placement) -> bool {
        self.variant == Variant::Chess960 && seen != home && chess960_number(seen).is_some()
    }

    /// What is wrong with a full set on its home squares.
    pub(super) fn wrong_home(&self, wire: &Placement) -> Option<WrongHome> {
        if !self.open {
            return home_but_wrong(wire, self.board());
        }
        let wrong = home_but_wrong(wire, &Board::new())?;
        let view = match wrong.seat {
            Seat::Normal => wire.clone(),
            Seat::Turned => turned(wire),
        };
        let squares = not_chess960(&view);
        Some(WrongHome { squares, ..wrong })
    }
}

/// The men of a start position of Chess960.
fn chess960_board(number: u16) -> Option<Board> {
    if number >= CHESS960 {
        return None;
    }
    let mut rank = [None; 8];
    let (rest, light) = (usize::from(number) / 4, usize::from(number) % 4);
    rank[2 * light + 1] = Some(Role::Bishop);
    let (rest, dark) = (rest / 4, rest % 4);
    rank[2 * dark] = Some(Role::Bishop);
    let (knights, queen) = (rest / 6, rest % 6);
    *free(&mut rank).nth(queen)? = Some(Role::Queen);
    let (first, second) = *KNIGHTS.get(knights)?;
    // The second place is counted before the first is taken.
    *free(&mut rank).nth(second)? = Some(Role::Knight);
    *free(&mut rank).nth(first)? = Some(Role::Knight);
    let others = [Role::Rook, Role::King, Role::Rook];
    for (place, role) in free(&mut rank).zip(others) {
        *place = Some(role);
    }
    let mut board = Board::empty();
    for (file, role) in File::ALL.into_iter().zip(rank) {
        let role = role?;
        for color in Color::ALL {
            let man = |role| Piece { color, role };
            let home = Square::from_coords(file, color.backrank());
            let second = Square::from_coords(file, color.relative_rank(Rank::Second));
            board.set_piece_at(home, man(role));
            board.set_piece_at(second, man(Role::Pawn));
        }
    }
    Some(board)
}

fn free(rank: &mut [Option<Role>; 8]) -> impl Iterator<Item = &mut Option<Role>> {
    rank.iter_mut().filter(|place| place.is_none())
}

/// The number of a start position of Chess960 as White sees it; `None` for any other placement.
#[must_use]
pub fn chess960_number(board: &Placement) -> Option<u16> {
    // A placement is asked with every change, and seldom has so many men at home.
    if board.by_piece(Color::White.pawn()) != Bitboard::from(Rank::Second) {
        return None;
    }
    let files = |role: Role| {
        let squares = board.by_piece(role.of(Color::White)) & Bitboard::from(Rank::First);
        squares.into_iter().map(|square| usize::from(square.file()))
    };
    let light = files(Role::Bishop).find(|file| file % 2 == 1)? / 2;
    let dark = files(Role::Bishop).find(|file| file % 2 == 0)? / 2;
    let bishop = |file: usize| file == 2 * light + 1 || file == 2 * dark;
    let queen = files(Role::Queen).next()?;
    let below =
        |file: usize, taken: &dyn Fn(usize) -> bool| (0..file).filter(|f| !taken(*f)).count();
    let queen_place = below(queen, &bishop);
    let taken = |file: usize| bishop(file) || file == queen;
    let mut knights = files(Role::Knight).map(|file| below(file, &taken));
    let pair = (knights.next()?, knights.next()?);
    let code = KNIGHTS.iter().position(|places| *places == pair)?;
    let number = u16::try_from(light + 4 * (dark + 4 * (queen_place + 6 * code))).ok()?;
    // What was not looked at, e.g. that Black's men mirror White's, must agree.
    (chess960_board(number).as_ref() == Some(board)).then_some(number)
}

/// The squares that keep 32 men on their home ranks from being one of the 960. Where one side's men could
/// be, the other's are wrong.
fn not_chess960(view: &Placement) -> Vec<Square> {
    if chess960_number(view).is_some() {
        return Vec::new();
    }
    let mirrored = |side: Color| {
        let mut whole = view.clone();
        for square in view.by_color(side) {
            if let Some(man) = view.piece_at(square) {
                whole.set_piece_at(square.flip_vertical(), man.role.of(side.other()));
            }
        }
        whole
    };
    let [by_white, by_black] = [Color::White, Color::Black].map(mirrored);
    let unlike = |whole: &Placement| difference(view, whole);
    let possible = |whole: &Placement| chess960_number(whole).is_some();
    let squares = match (possible(&by_white), possible(&by_black)) {
        (true, false) => unlike(&by_white),
        (false, true) => unlike(&by_black),
        _ => unlike(&by_white) | unlike(&by_black),
    };
    if squares.any() {
        return squares.into_iter().collect();
    }
    // Both sides alike, and yet no such position: a man too many, bishops of one colour, or the king.
    let back = view.by_color(Color::White) & Bitboard::from(Rank::First);
    let pawns = back & view.pawns();
    let bishops = back & view.bishops();
    let wrong = if pawns.any() {
        pawns | (Bitboard::from(Rank::Second) & !view.pawns())
    } else if bishops.count() == 2 && (bishops & Bitboard::LIGHT_SQUARES).count() != 1 {
        bishops
    } else {
        back & (view.kings() | view.rooks())
    };
    wrong.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Board::from_ascii_board_fen(fen.as_bytes()).unwrap()
    }

    #[test]
    fn the_numbers_are_those_of_scharnagl() {
        let rank = |number| {
            let fen = Start::chess960(number).unwrap().fen();
            fen.split([' ', '/']).nth(7).unwrap().to_owned()
        };
        assert_eq!(rank(518), "RNBQKBNR");
        assert_eq!(rank(0), "BBQNNRKR");
        assert_eq!(rank(959), "RKRNNQBB");
        assert_eq!(rank(534), "RNBKQBNR");
        assert_eq!(Start::chess960(960), Err(StartError::Number(960)));
        for number in 0..CHESS960 {
            assert_eq!(Start::chess960(number).unwrap().number(), Some(number));
        }
        assert_eq!(
            Start::chess960(518).unwrap().position(),
            Start::default().position()
        );
    }

    #[test]
    fn only_mirrored_positions_with_the_king_between_rooks_have_a_number() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR",
            "rnqbkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNQBKBNR",
            "krnbqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQBNR",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
            "8/8/8/8/8/8/8/8",
        ] {
            assert_eq!(chess960_number(&board(fen)), None, "{fen}");
        }
    }

    #[test]
    fn what_is_wrong_is_told_by_squares() {
        let start = Start::any960();
        let wrong = |fen: &str| {
            let wrong = start.wrong_home(&board(fen)).unwrap();
            let names: Vec<_> = wrong.squares.iter().map(ToString::to_string).collect();
            names.join(" ")
        };
        assert_eq!(wrong("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR"), "");
        // White's men could not stand so.
        assert_eq!(
            wrong("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNKRR"),
            "f1 g1"
        );
        // Either could.
        assert_eq!(
            wrong("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBNQNRKR"),
            "c1 d1 c8 d8"
        );
        assert_eq!(
            wrong("bqbnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQBNNRKR"),
            "a1 c1"
        );
        assert_eq!(
            wrong("krnbqbnr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQBNR"),
            "d1 f1"
        );
        assert_eq!(
            wrong("krnbqnbr/pppppppp/8/8/8/8/PPPPPPPP/KRNBQNBR"),
            "a1 b1 h1"
        );
    }

    #[test]
    fn a_start_by_fen_may_lack_a_man() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq - 0 1";
        let start = Start::from_fen(fen, Variant::Standard).unwrap();
        assert_eq!((start.fen().as_str(), start.number()), (fen, None));
        assert!(!start.is_usual());
        assert!(Start::from_fen("8/8/8/8/8/8/8/8 w - - 0 1", Variant::Standard).is_err());
    }
}
