//! Certabo and Tabutronic boards: serial lines of decimal numbers, over USB (38400 8N1) or BLE.
//!
//! Confidence: high for the lines and lights, medium for BLE.
//!
//! - this module: the boards that read tags (Certabo, Tabutronic Cerno and Spectrum);
//! - [`calibration`]: which tag is which man; [`tags`]: the same for a whole hall;
//! - [`occupancy`]: the boards that only know whether a square is occupied (Tabutronic Sentio and Tactum);
//! - [`leds`]: the lights of them all; [`device`]: how they are found and spoken with.
//!
//! Some firmware breaks its lines after every 64 characters, in the middle of numbers: line feeds are left
//! out wherever they stand. A line ends with a carriage return, with the mark that follows an LED command, or
//! with the beginning of the next.

pub mod calibration;
pub mod device;
pub mod leds;
pub mod occupancy;
pub mod tags;

use serde_json::{Value, json};
use shakmaty::Bitboard;

use self::{
    calibration::{Calibration, Calibrator, Tag},
    tags::SharedTags,
};
use super::{
    LinkCounters,
    board::{Decoder, Say, Tell, Told, View, from_a8},
    stream::{Cut, Stream, Wire},
};
use crate::types::{Piece, Placement, Square};

/// Numbers of a line.
const NUMBERS: usize = 320;

/// What a board with tags says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// The tag over each square, a8 first.
    Tags(Box<[Tag; 64]>),
    /// The mark after an LED command: what kind of lights the board has.
    LedKind {
        /// Coloured ones.
        rgb: bool,
    },
}

/// Cuts a line of so many numbers.
fn numbers<const N: usize>(bytes: &[u8]) -> Cut<[u8; N]> {
    let mut found = [0; N];
    let (mut count, mut number) = (0, None::<u16>);
    for (at, byte) in bytes.iter().enumerate().skip(1) {
        match byte {
            b'0'..=b'9' => {
                let value = number.unwrap_or(0) * 10 + u16::from(byte - b'0');
                if value > 255 || count == N {
                    return Cut::Junk(1);
                }
                number = Some(value);
            }
            b'\n' => {}
            b' ' | b'\r' | b'L' | b'D' | b':' => {
                if let Some(value) = number.take() {
                    found[count] = value as u8;
                    count += 1;
                }
                if *byte != b' ' {
                    let end = if *byte == b'\r' { at + 1 } else { at };
                    return if count == N {
                        Cut::Message(found, end)
                    } else {
                        Cut::Junk(1)
                    };
                }
            }
            _ => return Cut::Junk(1),
        }
    }
    Cut::Partial
}

/// What stands between the lines.
fn between<M>(bytes: &[u8], led_kind: fn(bool) -> M) -> Cut<M> {
    match bytes[0] {
        b'L' => Cut::Message(led_kind(false), 1),
        b'D' => Cut::Message(led_kind(true), 1),
        b'\r' | b'\n' | b' ' => Cut::Filler(1),
        _ => Cut::Junk(1),
    }
}

impl Wire for Line {
    // Three digits and a blank for each number, the line feeds among them, and some room.
    const LONGEST: usize = NUMBERS * 4 + NUMBERS * 4 / 64 + 100;

    fn cut(bytes: &[u8]) -> Cut<Self> {
        if bytes[0] != b':' {
            return between(bytes, |rgb| Self::LedKind { rgb });
        }
        match numbers::<NUMBERS>(bytes) {
            Cut::Message(numbers, len) => {
                let mut tags = Box::new([Tag::EMPTY; 64]);
                for (tag, five) in tags.iter_mut().zip(numbers.chunks_exact(5)) {
                    tag.0.copy_from_slice(five);
                }
                Cut::Message(Self::Tags(tags), len)
            }
            Cut::Partial => Cut::Partial,
            _ => Cut::Junk(1),
        }
    }

    fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Self::Tags(tags) => {
                out.push(b':');
                for number in tags.iter().flat_map(|tag| tag.0) {
                    out.extend(format!("{number} ").bytes());
                }
                out.extend(b"\r\n");
            }
            Self::LedKind { rgb } => out.extend(if *rgb { b"D\r\n" } else { b"L\r\n" }),
        }
    }
}

/// A line with its tags read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// Which man stands where, in the wire's numbering.
    Position {
        /// The men whose tags are known.
        placement: Placement,
        /// Squares with a tag that is nobody's: noise, or a man of another set. They count as empty.
        unknown: Bitboard,
    },
    /// The position for calibration: the start position with a second queen each on d3 and d6.
    Calibration {
        /// Which tag is which man, from this and the frames before it.
        table: Calibration,
        /// Squares with tags of nobody.
        noise: Bitboard,
        /// The tags are those of the calibration so far.
        same: bool,
    },
    /// Tags, but no calibration to read them with.
    Uncalibrated {
        /// Squares with a tag.
        occupied: Bitboard,
    },
    /// See [`Line::LedKind`].
    LedKind {
        /// Coloured lights.
        rgb: bool,
    },
}

impl Tell for Reading {
    fn told(&self) -> Told {
        match self {
            Self::Position { placement, .. } => Told::Placement(placement.clone()),
            Self::Uncalibrated { .. } => Told::Unread,
            Self::Calibration { .. } => Told::Calibrating,
            Self::LedKind { .. } => Told::Other,
        }
    }

    fn json(&self, view: &mut View) -> Value {
        match self {
            Self::Position { placement, unknown } => {
                let mut position = view.position_json(placement, Say::TurnedAndRaw);
                if !unknown.is_empty() {
                    position.insert("unknown_tags".into(), json!(wire_names(*unknown)));
                }
                position.into()
            }
            Self::Calibration { table, noise, same } => json!({
                "type": "calibration_frame", "placement": calibration::position().to_string(),
                "code_table": table, "noise_squares": wire_names(*noise),
                "codes_equal_calibration": same,
            }),
            Self::Uncalibrated { occupied } => json!({
                "type": "tags", "squares": wire_names(*occupied),
                "note": "no calibration: which tag is which man is not known",
            }),
            Self::LedKind { rgb } => json!({"type": "led_kind", "rgb": rgb}),
        }
    }
}

/// Names of squares in the order of the wire.
fn wire_names(squares: Bitboard) -> Vec<String> {
    let all = (0..64).map(from_a8);
    all.filter(|square| squares.contains(*square))
        .map(|square| square.to_string())
        .collect()
}

/// Reads the lines of one board with a calibration: one that was given, or the one of the calibration
/// position when the board shows it.
#[derive(Debug, Default)]
pub struct TagDecoder {
    stream: Stream,
    reader: Reader,
}

#[derive(Debug, Default)]
struct Reader {
    calibrator: Calibrator,
    table: Option<Calibration>,
    from_start: bool,
    shared: Option<SharedTags>,
}

impl TagDecoder {
    /// A decoder for a set of men that is known. With `from_start` and no calibration the first start
    /// position that the board shows is taken for right, and calibrates.
    pub fn new(table: Option<Calibration>, from_start: bool) -> Self {
        Self {
            stream: Stream::default(),
            reader: Reader {
                table,
                from_start,
                ..Reader::default()
            },
        }
    }

    /// A decoder for a board of a hall: it reads with the tags that all boards have learnt, and teaches them.
    pub fn sharing(tags: SharedTags) -> Self {
        Self {
            stream: Stream::default(),
            reader: Reader {
                shared: Some(tags),
                ..Reader::default()
            },
        }
    }
}

impl Reader {
    fn read(&mut self, line: Line) -> Reading {
        let tags = match line {
            Line::Tags(tags) => tags,
            Line::LedKind { rgb } => return Reading::LedKind { rgb },
        };
        if let Some(noise) = calibration::noise(&tags) {
            let before = self.table.clone();
            self.calibrator.add(&tags);
            let table = self.calibrator.table();
            let same = before.is_none_or(|before| before == Calibration::of_frame(&tags));
            if let Some(shared) = &self.shared {
                shared.join(&table);
            }
            self.table = Some(table.clone());
            return Reading::Calibration { table, noise, same };
        }
        if self.table.is_none() && self.from_start {
            self.table = Calibration::of_start(&tags);
        }
        if let Some(shared) = &self.shared {
            shared.learn_start(&tags);
        }
        let occupied = || tags.iter().enumerate().filter(|(_, tag)| !tag.is_empty());
        let shared = self.shared.as_ref().filter(|shared| !shared.is_empty());
        if self.table.is_none() && shared.is_none() {
            return Reading::Uncalibrated {
                occupied: occupied().map(|(at, _)| from_a8(at)).collect(),
            };
        }
        let own = |tag| self.table.as_ref().and_then(|table| table.piece(tag));
        let known = |tag| own(tag).or_else(|| shared.and_then(|shared| shared.piece(tag)));
        let mut placement = Placement::empty();
        let mut unknown = Bitboard::EMPTY;
        for (at, tag) in occupied() {
            match known(*tag) {
                Some(piece) => placement.set_piece_at(from_a8(at), piece),
                None => unknown |= Bitboard::from(from_a8(at)),
            }
        }
        Reading::Position { placement, unknown }
    }
}

impl Decoder for TagDecoder {
    fn push(&mut self, bytes: &[u8], on_message: &mut dyn FnMut(&dyn Tell)) {
        let reader = &mut self.reader;
        self.stream
            .push(bytes, |line| on_message(&reader.read(line)));
    }

    fn finish(&mut self, on_message: &mut dyn FnMut(&dyn Tell)) {
        let reader = &mut self.reader;
        self.stream.finish(|line| on_message(&reader.read(line)));
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

/// A line that shows a placement, for boards that are played by a program.
pub fn line(placement: &Placement, table: &Calibration) -> Line {
    let mut tags = Box::new([Tag::EMPTY; 64]);
    let mut used: Vec<Tag> = Vec::new();
    for (at, tag) in tags.iter_mut().enumerate() {
        let square: Square = from_a8(at);
        let piece: Option<Piece> = placement.piece_at(square);
        let free = piece.and_then(|piece| table.tags(piece).find(|tag| !used.contains(tag)));
        if let Some(free) = free {
            used.push(free);
            *tag = free;
        }
    }
    Line::Tags(tags)
}
