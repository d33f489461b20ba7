//! Bytes of a board as what they tell, each with its time.

use std::time::Duration;

use flagfall_core::{
    protocol::{
        Link as _, LinkCounters, Observation, SquareChange,
        board::{Evidence, Sum, Tell, Told},
        dgt::{
            clock::ClockMessage,
            frame::{Dialect, Parser},
            link::{DgtLink, DgtSettings},
            message::Message,
            piece::square,
        },
        families::{Beforehand, Family},
    },
    types::{Mono, Placement},
};

use super::input::Input;
use crate::{decode::FamilyName, record::Recording};

/// Room before the first byte, so that the position before it has stood for a while.
pub const LEAD: Duration = Duration::from_secs(10);

/// What a board told.
#[derive(Debug, Default)]
pub struct Heard {
    /// In order of time, which runs [`LEAD`] ahead of that of the input.
    pub observations: Vec<(Mono, Observation)>,
    /// Counters of the stream.
    pub counters: LinkCounters,
    /// Bytes of an unfinished message at the end.
    pub held: usize,
    /// Changes came before any whole picture: they were taken to start from the assumed one.
    pub assumed: bool,
    /// Lines of tags that no calibration reads.
    pub unread: u64,
    /// What a board told that judges moves itself; nothing of others.
    pub told: Vec<(Mono, Told)>,
}

/// Stamps messages with the time of their read, with their own, or one after the other.
struct Stamps<'a> {
    own: std::slice::Iter<'a, Mono>,
    read_at: Option<Mono>,
    last: Mono,
    next: Mono,
    pace: Duration,
}

impl Stamps<'_> {
    fn stamp(&mut self) -> Mono {
        let said = self.own.next().copied().or(self.read_at);
        let at = said.map_or(self.next, |at| at + LEAD);
        // Time never runs backwards.
        self.last = self.last.max(at);
        self.next = self.last + self.pace;
        self.last
    }
}

/// Hears what the bytes tell. `assumed` is the picture, in the wire's numbering, from which changes start
/// when they come before any whole picture. Without times, messages come `pace` apart.
pub fn hear(
    input: &Input,
    family: FamilyName,
    beforehand: &Beforehand,
    pace: Duration,
    assumed: &Placement,
) -> Heard {
    let ear = Ear {
        heard: Heard::default(),
        stamps: Stamps {
            own: input.message_times.iter(),
            read_at: None,
            last: Mono::ZERO,
            next: Mono::ZERO + LEAD,
            pace,
        },
        men: None,
        sum: Sum::default(),
        assumed,
        judges: matches!(family, FamilyName::Board(family) if family.evidence == Evidence::Moves),
    };
    match (family, &input.recording) {
        (FamilyName::Dgt, Some(recording)) => dgt_recording(recording),
        (FamilyName::Dgt, None) => dgt(input, ear),
        (FamilyName::Board(family), _) => board(input, family, beforehand, ear),
    }
}

/// A recording of the hub goes through the same conversation again.
fn dgt_recording(recording: &Recording) -> Heard {
    let mut heard = Heard::default();
    let mut link = DgtLink::new(DgtSettings::default());
    recording.play(&mut link, |at, observation| {
        heard.observations.push((at + LEAD, observation));
    });
    heard.counters = link.counters();
    heard
}

fn dgt(input: &Input, mut ear: Ear<'_>) -> Heard {
    let mut parser = Parser::new(Dialect::Single);
    for read in &input.reads {
        ear.stamps.read_at = read.at;
        parser.feed(
            read.at.unwrap_or_default(),
            &read.bytes,
            |frame| match Message::decode(frame) {
                Ok(message) => ear.dgt(&message),
                Err(_) => ear.heard.counters.invalid += 1,
            },
        );
    }
    let stream = parser.counters();
    let counters = &mut ear.heard.counters;
    counters.bytes = stream.bytes;
    counters.bytes_dropped = stream.bytes_dropped;
    counters.unfinished = stream.unfinished;
    ear.heard.held = parser.held().len();
    ear.heard
}

fn board(input: &Input, family: &Family, beforehand: &Beforehand, mut ear: Ear<'_>) -> Heard {
    let mut decoder = family.decoder(beforehand);
    for read in &input.reads {
        ear.stamps.read_at = read.at;
        decoder.push(&read.bytes, &mut |message| ear.board(message));
        if family.values {
            decoder.finish(&mut |message| ear.board(message));
            // What is left of a value goes on in no other.
            decoder.reset();
        }
    }
    decoder.finish(&mut |message| ear.board(message));
    ear.heard.counters = decoder.counters();
    ear.heard.held = decoder.held().len();
    ear.heard
}

/// Sums messages up to pictures.
struct Ear<'a> {
    heard: Heard,
    stamps: Stamps<'a>,
    men: Option<Placement>,
    sum: Sum,
    assumed: &'a Placement,
    /// The board judges moves itself.
    judges: bool,
}

impl Ear<'_> {
    fn tell(&mut self, at: Mono, observation: Observation) {
        self.heard.observations.push((at, observation));
    }

    /// A change comes before any picture: the assumed one has stood there.
    fn assume(&mut self, observation: Observation) {
        self.heard.assumed = true;
        self.heard.observations.insert(0, (Mono::ZERO, observation));
    }

    fn dgt(&mut self, message: &Message<'_>) {
        self.heard.counters.messages += 1;
        let at = self.stamps.stamp();
        match message {
            Message::BoardDump(cells) => {
                let placement = cells.placement();
                self.men = Some(placement.clone());
                let change = None;
                self.tell(at, Observation::Placement { placement, change });
            }
            Message::FieldUpdate { index, code } => {
                let Some(square) = square(*index) else {
                    return;
                };
                let mut placement = self.men.take().unwrap_or_else(|| {
                    let (placement, change) = (self.assumed.clone(), None);
                    self.assume(Observation::Placement { placement, change });
                    self.assumed.clone()
                });
                let piece = code.piece();
                match piece {
                    Some(piece) => placement.set_piece_at(square, piece),
                    None => placement.discard_piece_at(square),
                }
                self.men = Some(placement.clone());
                let change = Some(SquareChange { square, piece });
                self.tell(at, Observation::Placement { placement, change });
                if let Some(magic) = code.magic() {
                    self.tell(at, Observation::Magic(magic));
                }
            }
            Message::Clock(ClockMessage::Time(time)) => {
                let reading = time.reading().map(Observation::Clock);
                self.tell(at, reading.unwrap_or(Observation::ClockGone));
            }
            _ => {}
        }
    }

    fn board(&mut self, message: &dyn Tell) {
        let at = self.stamps.stamp();
        let told = message.told();
        self.heard.unread += u64::from(told == Told::Unread);
        if self.judges {
            self.heard.told.push((at, told));
            return;
        }
        if matches!(told, Told::Touched(_)) && self.sum.occupied().is_none() {
            let (occupied, change) = (self.assumed.occupied(), None);
            self.sum.assume(occupied);
            self.assume(Observation::Occupancy { occupied, change });
        }
        if let Some(observation) = self.sum.observe(told) {
            self.tell(at, observation);
        }
    }
}
