//! The boards other than DGT, and the clocks, whose messages we understand, each declared once.
//!
//! A family is added here with its name, its decoder and its commands; `flagfall decode` and
//! `flagfall track` take it from here.

use serde_json::Value;

use super::{
    board::{Confidence, Decoder, Evidence, Order, Plain},
    certabo::{self, calibration::Calibration},
    chesslink, chessnut, chessup, cpp, hos, ichessone, open_clock, pegasus, square_off,
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
    decoder: fn(&Beforehand) -> Box<dyn Decoder>,
    commands: fn(&[u8]) -> Commands,
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

fn commands<C: Order>(bytes: &[u8]) -> Commands {
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

fn plain<M: super::stream::Wire + super::board::Tell + 'static>(
    _: &Beforehand,
) -> Box<dyn Decoder> {
    Box::new(Plain::<M>::default())
}

fn tags(beforehand: &Beforehand) -> Box<dyn Decoder> {
    let table = beforehand.calibration.clone();
    Box::new(certabo::TagDecoder::new(table, beforehand.start_calibrates))
}

/// All of them.
pub const FAMILIES: &[Family] = &[
    Family {
        name: "chessnut",
        aliases: &["chessnut-air", "chessnut-pro", "chessnut-go"],
        title: "Chessnut Air, Air+, Pro and Go",
        evidence: Evidence::Placement,
        confidence: Confidence::High,
        values: false,
        decoder: plain::<chessnut::Message>,
        commands: commands::<chessnut::Command>,
    },
    Family {
        name: "chessnut-move",
        aliases: &[],
        title: "Chessnut Move",
        evidence: Evidence::Placement,
        confidence: Confidence::High,
        values: false,
        decoder: plain::<chessnut::Message>,
        commands: commands::<chessnut::Command>,
    },
    Family {
        name: "chesslink",
        aliases: &["millennium"],
        title: "Millennium ChessLink, Exclusive, Supreme Tournament 55, eONE, King Performance",
        evidence: Evidence::Placement,
        confidence: Confidence::High,
        values: false,
        decoder: plain::<chesslink::Message>,
        commands: commands::<chesslink::Command>,
    },
    Family {
        name: "certabo",
        aliases: &["tabutronic", "tabutronic-cerno", "tabutronic-spectrum"],
        title: "Certabo; Tabutronic Cerno and Spectrum",
        evidence: Evidence::Placement,
        confidence: Confidence::High,
        values: false,
        decoder: tags,
        commands: commands::<certabo::leds::Command>,
    },
    Family {
        name: "tabutronic-sentio",
        aliases: &["sentio", "tactum", "tabutronic-tactum"],
        title: "Tabutronic Sentio and Tactum",
        evidence: Evidence::Occupancy,
        confidence: Confidence::High,
        values: false,
        decoder: plain::<certabo::occupancy::Line>,
        commands: commands::<certabo::leds::Command>,
    },
    Family {
        name: "ichessone",
        aliases: &[],
        title: "iChessOne",
        evidence: Evidence::Placement,
        confidence: Confidence::Medium,
        values: false,
        decoder: plain::<ichessone::Message>,
        commands: commands::<ichessone::Command>,
    },
    Family {
        name: "pegasus",
        aliases: &["dgt-pegasus"],
        title: "DGT Pegasus",
        evidence: Evidence::Occupancy,
        confidence: Confidence::High,
        values: false,
        decoder: plain::<pegasus::Message>,
        commands: commands::<pegasus::Command>,
    },
    Family {
        name: "squareoff",
        aliases: &["square-off"],
        title: "Square Off Pro",
        evidence: Evidence::Occupancy,
        confidence: Confidence::Medium,
        values: false,
        decoder: plain::<square_off::Message>,
        commands: commands::<square_off::Command>,
    },
    Family {
        name: "hos",
        aliases: &["zmartfun"],
        title: "HOS Sensory, ZmartFun",
        evidence: Evidence::Placement,
        confidence: Confidence::Medium,
        values: false,
        decoder: plain::<hos::Message>,
        commands: commands::<hos::Command>,
    },
    Family {
        name: "chessup",
        aliases: &[],
        title: "ChessUp 1 and 2",
        evidence: Evidence::Moves,
        confidence: Confidence::Medium,
        values: true,
        decoder: plain::<chessup::Message>,
        commands: commands::<chessup::Command>,
    },
    Family {
        name: "cpp",
        aliases: &[],
        title: "open boards with the Chess Peripheral Protocol",
        evidence: Evidence::Moves,
        confidence: Confidence::High,
        values: true,
        decoder: plain::<cpp::Message>,
        commands: commands::<cpp::Command>,
    },
    Family {
        name: "wpp",
        aliases: &[],
        title: "boards with the WhitePawn Protocol",
        evidence: Evidence::Moves,
        confidence: Confidence::Low,
        values: false,
        decoder: plain::<wpp::Message>,
        commands: commands::<wpp::Command>,
    },
    Family {
        name: open_clock::FAMILY,
        aliases: &[],
        title: "clocks with the open clock profile",
        evidence: Evidence::Times,
        confidence: Confidence::High,
        values: false,
        decoder: open_clock::decoder,
        commands: open_clock::commands,
    },
];
