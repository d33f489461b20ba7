//! What boards other than DGT tell, whatever their family, and what their codecs have in common.
//!
//! Facts about these boards come from public sources; none was tried on a device by us. Each family's
//! module says how well its facts are borne out.

use serde_json::{Map, Value, json};
use shakmaty::{Bitboard, Board, File, Rank};

use super::{
    Battery, ClockReading, LinkCounters, Observation, Touch,
    dgt::piece::Cells,
    stream::{Stream, Wire},
};
use crate::types::{Piece, Placement, Role, Square};

/// What the evidence of a family is. An occupancy board can never bear out a promotion, an exchanged
/// pair or the men of the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Which man stands where.
    Placement,
    /// Which squares are occupied.
    Occupancy,
    /// Moves that the board or its application has judged itself.
    Moves,
    /// Times and presses: a clock, which knows nothing of the men.
    Times,
}

/// How well the facts about a family are borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Confidence {
    /// One source, or sources that contradict each other.
    Low,
    /// One program that people use.
    Medium,
    /// Two independent programs agree, or the maker documents it.
    High,
}

/// One thing that a board told. Squares are in the wire's numbering: what the wire calls a8 is
/// `Square::A8`, wherever White sits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Which man stands where.
    Placement(Placement),
    /// Which squares are occupied.
    Occupancy(Bitboard),
    /// One square of an occupancy board changed.
    Touched(Touch),
    /// A move that the board judged itself, in UCI notation; perhaps without what a pawn became.
    Move(String),
    /// What the pawn of the last move became.
    Promoted(Role),
    /// This move was taken back.
    TakenBack(String),
    /// The clock inside the board.
    Clock(ClockReading),
    /// The battery.
    Battery(Battery),
    /// A button of the board, by its number.
    Button(u8),
    /// Firmware version, as the board writes it.
    Version(String),
    /// Serial number, as the board writes it.
    Serial(String),
    /// The position for calibration: tags are being learnt.
    Calibrating,
    /// Tags that no calibration reads.
    Unread,
    /// Nothing that the hub needs: acknowledgements, texts.
    Other,
}

/// What a board told, summed up: lifts and puts of an occupancy board are changes of a whole picture.
#[derive(Clone, Debug, Default)]
pub struct Sum {
    occupied: Option<Bitboard>,
}

impl Sum {
    /// The squares that are occupied, once that is known.
    pub fn occupied(&self) -> Option<Bitboard> {
        self.occupied
    }

    /// Takes a picture for known: changes start from it.
    pub fn assume(&mut self, occupied: Bitboard) {
        self.occupied = Some(occupied);
    }

    /// The link was lost: what is on the board is not known until it tells the whole picture.
    pub fn forget(&mut self) {
        self.occupied = None;
    }

    /// What the hub observes. `None` for what it has no use for, and for a change before any picture: the
    /// picture that the conversation asks for will show it.
    pub fn observe(&mut self, told: Told) -> Option<Observation> {
        Some(match told {
            Told::Placement(placement) => Observation::Placement {
                placement,
                change: None,
            },
            Told::Occupancy(occupied) => {
                self.occupied = Some(occupied);
                Observation::Occupancy {
                    occupied,
                    change: None,
                }
            }
            Told::Touched(touch) => {
                let square = Bitboard::from(touch.square);
                let before = self.occupied?;
                let occupied = if touch.present {
                    before | square
                } else {
                    before & !square
                };
                self.occupied = Some(occupied);
                Observation::Occupancy {
                    occupied,
                    change: Some(touch),
                }
            }
            Told::Clock(reading) => Observation::Clock(reading),
            Told::Battery(battery) => Observation::Battery(battery),
            Told::Move(_) | Told::Promoted(_) | Told::TakenBack(_) => return None,
            Told::Button(_) | Told::Version(_) | Told::Serial(_) => return None,
            Told::Calibrating | Told::Unread | Told::Other => return None,
        })
    }
}

/// A message of a board.
pub trait Tell {
    /// What it tells.
    fn told(&self) -> Told;

    /// All of it, in the form of the golden vectors.
    fn json(&self, view: &mut View) -> Value;

    /// What the host has to say to it at once, as bytes.
    fn answer(&self) -> Option<Vec<u8>> {
        None
    }
}

/// A command of the host.
pub trait Order: Wire {
    /// All of it, in the form of the golden vectors.
    fn json(&self) -> Value;

    /// Its name in a list of commands.
    fn name(&self) -> String {
        self.json()["type"].as_str().unwrap_or_default().to_owned()
    }
}

/// Bytes of one board in, messages out.
pub trait Decoder: Send {
    /// Takes bytes and calls `on_message` for every message that they complete.
    fn push(&mut self, bytes: &[u8], on_message: &mut dyn FnMut(&dyn Tell));

    /// Nothing comes any more, or a value is complete: see [`Stream::finish`].
    fn finish(&mut self, on_message: &mut dyn FnMut(&dyn Tell));

    /// Forgets an unfinished message.
    fn reset(&mut self);

    /// The unfinished message.
    fn held(&self) -> &[u8];

    /// Counters since the start.
    fn counters(&self) -> LinkCounters;

    /// What the whole stream was, for families that judge it as one; else its messages say all.
    fn stream_json(&self) -> Option<Value> {
        None
    }
}

/// The decoder of a family whose messages stand for themselves.
#[derive(Debug)]
pub struct Plain<M> {
    stream: Stream,
    messages: std::marker::PhantomData<fn() -> M>,
}

impl<M> Default for Plain<M> {
    fn default() -> Self {
        Self {
            stream: Stream::default(),
            messages: std::marker::PhantomData,
        }
    }
}

impl<M: Wire + Tell> Decoder for Plain<M> {
    fn push(&mut self, bytes: &[u8], on_message: &mut dyn FnMut(&dyn Tell)) {
        self.stream.push(bytes, |message: M| on_message(&message));
    }

    fn finish(&mut self, on_message: &mut dyn FnMut(&dyn Tell)) {
        self.stream.finish(|message: M| on_message(&message));
    }

    fn reset(&mut self) {
        self.stream.reset();
    }

    fn held(&self) -> &[u8] {
        self.stream.held()
    }

    fn counters(&self) -> LinkCounters {
        self.stream.counters()
    }
}

/// The square with this number when a8 comes first and h1 last.
pub(super) fn from_a8(index: usize) -> Square {
    Square::from_coords(file(index % 8), rank(7 - index / 8 % 8))
}

/// The same when a1 comes first, then b1, and h8 last.
pub(super) fn from_a1(index: usize) -> Square {
    Square::from_coords(file(index % 8), rank(index / 8 % 8))
}

/// The same when h8 comes first, then g8, and a1 last.
pub(super) fn from_h8(index: usize) -> Square {
    Square::from_coords(file(7 - index % 8), rank(7 - index / 8 % 8))
}

fn file(index: usize) -> File {
    File::new(index as u32)
}

fn rank(index: usize) -> Rank {
    Rank::new(index as u32)
}

/// Which code stands for which man: letters as in FEN at the place of their code, `.` for empty.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letters(pub(super) &'static [u8; 13]);

impl Letters {
    /// The code of a man.
    pub(super) fn code(self, piece: Option<Piece>) -> u8 {
        let letter = piece.map_or('.', Piece::char);
        let at = self.0.iter().position(|known| char::from(*known) == letter);
        at.unwrap_or_default() as u8
    }

    /// A placement from codes and their squares; `None` when a code is no man's.
    pub(super) fn placement(
        self,
        codes: impl IntoIterator<Item = (Square, u8)>,
    ) -> Option<Placement> {
        let mut board = Placement::empty();
        for (square, code) in codes {
            let letter = *self.0.get(usize::from(code))?;
            if let Some(piece) = Piece::from_char(char::from(letter)) {
                board.set_piece_at(square, piece);
            }
        }
        Some(board)
    }
}

/// The rank bytes of a light pattern or an occupancy, rank 8 first.
pub(super) fn ranks(squares: Bitboard, a_is_bit_7: bool) -> [u8; 8] {
    let mut bytes = squares.0.to_be_bytes();
    if a_is_bit_7 {
        bytes = bytes.map(u8::reverse_bits);
    }
    bytes
}

/// The squares of such rank bytes.
pub(super) fn of_ranks(bytes: [u8; 8], a_is_bit_7: bool) -> Bitboard {
    let plain = if a_is_bit_7 {
        bytes.map(u8::reverse_bits)
    } else {
        bytes
    };
    Bitboard(u64::from_be_bytes(plain))
}

/// Names of squares in the order of the alphabet.
pub(super) fn names(squares: Bitboard) -> Vec<String> {
    let mut names: Vec<_> = squares.into_iter().map(|s| s.to_string()).collect();
    names.sort();
    names
}

/// Which squares are occupied, as JSON.
pub(super) fn occupancy_json(occupied: Bitboard) -> Value {
    json!({"type": "occupancy", "occupied": names(occupied)})
}

/// One changed square of an occupancy board, as JSON.
pub(super) fn touched_json(square: Square, present: bool) -> Value {
    json!({"type": "field_update", "square": square.to_string(), "present": present})
}

/// A battery, as JSON.
pub(super) fn battery_json(percent: u8, charging: bool) -> Value {
    json!({"type": "battery", "percent": percent, "charging": charging})
}

/// How the board stands, for whoever reads the messages: White's men may be on its far side.
///
/// The start position decides; before it, many pawns at home on the wrong side do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct View {
    turned: bool,
}

/// When a family's JSON says how the board stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Say {
    /// When it is turned.
    Turned,
    /// When it is turned, and what the wire said.
    TurnedAndRaw,
    /// The same, and at the start position in any case.
    StartToo,
}

impl View {
    /// A placement as the players see it, as JSON.
    pub(super) fn position_json(&mut self, wire: &Placement, say: Say) -> Map<String, Value> {
        let cells = Cells::from(wire);
        let start = Cells::from(&Board::new());
        let at_start = cells == start || cells.turned() == start;
        if at_start {
            self.turned = cells != start;
        } else if cells.looks_turned() {
            self.turned = true;
        } else if cells.turned().looks_turned() {
            self.turned = false;
        }
        let mut players = wire.clone();
        if self.turned {
            players.rotate_180();
        }
        let mut object = Map::new();
        object.insert("type".into(), json!("position"));
        object.insert("placement".into(), json!(players.to_string()));
        let shown = self.turned || (at_start && say == Say::StartToo);
        if shown {
            object.insert("board_rotated".into(), json!(self.turned));
            if say != Say::Turned {
                object.insert("placement_raw".into(), json!(wire.to_string()));
            }
        }
        object
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_summed_up_from_the_first_picture() {
        let mut sum = Sum::default();
        let lift = Told::Touched(Touch {
            square: Square::E2,
            present: false,
        });
        assert_eq!(sum.observe(lift.clone()), None);
        sum.observe(Told::Occupancy(Board::new().occupied()));
        let Some(Observation::Occupancy { occupied, change }) = sum.observe(lift.clone()) else {
            panic!("a picture");
        };
        assert_eq!(
            occupied,
            Board::new().occupied() & !Bitboard::from(Square::E2)
        );
        assert_eq!(Told::Touched(change.unwrap()), lift);
        sum.forget();
        assert_eq!(sum.observe(lift), None);
    }

    #[test]
    fn the_start_position_turns_what_follows() {
        let mut wire = Board::new();
        wire.rotate_180();
        let mut view = View::default();
        let start = view.position_json(&wire, Say::Turned);
        assert_eq!(start["board_rotated"], true);
        // A bare position says nothing by itself: the board has not been turned since.
        let bare = Placement::from_ascii_board_fen(b"4k3/8/8/8/8/8/8/R3K3").unwrap();
        let later = view.position_json(&bare, Say::TurnedAndRaw);
        assert_eq!(later["placement"], "3K3R/8/8/8/8/8/8/3k4");
        assert_eq!(later["placement_raw"], "4k3/8/8/8/8/8/8/R3K3");
        let mut fresh = View::default();
        assert_eq!(
            fresh.position_json(&bare, Say::Turned)["placement"],
            "4k3/8/8/8/8/8/8/R3K3"
        );
    }

    #[test]
    fn ranks_are_read_from_either_side() {
        let corner = Bitboard::from(Square::A8);
        assert_eq!(ranks(corner, false), [1, 0, 0, 0, 0, 0, 0, 0]);
        assert_eq!(ranks(corner, true), [0x80, 0, 0, 0, 0, 0, 0, 0]);
        for a_is_bit_7 in [false, true] {
            let start = Board::new().occupied() | corner;
            assert_eq!(of_ranks(ranks(start, a_is_bit_7), a_is_bit_7), start);
        }
    }
}
