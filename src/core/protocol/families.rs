//! The boards other than DGT, and the clocks, whose messages we understand, each declared once.
//!
//! A family's own file has its `FAMILY`: name, decoder, commands, how it is recognised and spoken with. It is
//! added to the list here; `flagfall decode`, `flagfall track`, the [registry](super::registry) and the hub take
//! it from here.

use serde_json::Value;

use super::{
    board::{Confidence, Decoder, Evidence, Order, Plain},
    certabo::{self, calibration::Calibration},
    chesslink, chessnut, chessup, cpp, hos, ichessone, open_clock, pegasus,
    registry::Device,
    square_off,
    stream::Stream,
    wpp,
};

/// What a decoder must know beforehand.
#[derive(Clone, Debug, Default)]
pub struct Beforehand {
    /// Which tag is which man, on boards that read tags.
    pub calibration: Option<Calibration>,
    /// Without a calibration, the first start position that such a board shows is taken for right.
    pub start_calibrates: bool,
}

/// A family of boards or clocks.
#[derive(Debug)]
pub struct Family {
    /// Its name on the command line and in recordings.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What it is, for people.
    pub title: &'static str,
    /// What its messages bear out.
    pub evidence: Evidence,
    /// How well what we know of it is borne out.
    pub confidence: Confidence,
    /// Each read is a value of its own: only its end closes some messages.
    pub values: bool,
    /// How it is found and spoken with.
    pub device: Device,
    pub(super) decoder: fn(&Beforehand) -> Box<dyn Decoder>,
    pub(super) commands: fn(&[u8]) -> Commands,
}

/// Commands of a host.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Commands {
    /// What they say, in order.
    pub json: Vec<Value>,
    /// Their names.
    pub names: Vec<String>,
    /// Bytes that belong to none.
    pub dropped: u64,
    /// An unfinished one at the end.
    pub rest: Vec<u8>,
}

impl Family {
    /// The family of this name.
    pub fn named(name: &str) -> Option<&'static Self> {
        FAMILIES
            .iter()
            .find(|family| family.name == name || family.aliases.contains(&name))
    }

    /// A decoder for the bytes of one board.
    pub fn decoder(&self, beforehand: &Beforehand) -> Box<dyn Decoder> {
        (self.decoder)(beforehand)
    }

    /// The commands of a host in some bytes.
    pub fn commands(&self, bytes: &[u8]) -> Commands {
        (self.commands)(bytes)
    }
}

/// The commands of a host in some bytes, for [`Family::commands`].
pub(super) fn commands<C: Order>(bytes: &[u8]) -> Commands {
    let mut found = Commands::default();
    let mut stream = Stream::default();
    let mut on_command = |command: C| {
        found.json.push(command.json());
        found.names.push(command.name());
    };
    stream.push(bytes, &mut on_command);
    stream.finish(&mut on_command);
    found.dropped = stream.counters().bytes_dropped;
    found.rest = stream.held().to_vec();
    found
}

/// The decoder of a family whose messages stand for themselves.
pub(super) fn plain<M: super::stream::Wire + super::board::Tell + 'static>(
    _: &Beforehand,
) -> Box<dyn Decoder> {
    Box::new(Plain::<M>::default())
}

/// All of them.
pub const FAMILIES: &[Family] = &[
    chessnut::FAMILY,
    chessnut::MOVE,
    chesslink::FAMILY,
    certabo::device::TAGS,
    certabo::device::OCCUPANCY,
    ichessone::FAMILY,
    pegasus::FAMILY,
    square_off::FAMILY,
    hos::FAMILY,
    chessup::FAMILY,
    cpp::FAMILY,
    wpp::FAMILY,
    open_clock::DEVICE,
];
