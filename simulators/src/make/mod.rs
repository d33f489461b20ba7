//! Boards of other makers over the same squares: what they put on their line.
//!
//! A table keeps the sensors of its board; a `Front` sees what the scan has seen and speaks the language of
//! its maker. Pure objects like the rest, written from the protocols' facts alone.

mod certabo;
mod chesslink;
mod ichessone;
mod sentio;
mod wire;

use std::{fmt, str::FromStr, time::Duration};

use serde::Serialize;

/// Who made a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Make {
    /// DGT, one board on its line, with a clock.
    #[default]
    Dgt,
    /// DGT boards with their clocks, several on one line.
    Bus,
    /// Millennium ChessLink.
    Millennium,
    /// Certabo: tags under the men.
    Certabo,
    /// Tabutronic Sentio: which squares are occupied.
    Sentio,
    /// iChessOne.
    IChessOne,
}

impl Make {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Dgt,
        Self::Bus,
        Self::Millennium,
        Self::Certabo,
        Self::Sentio,
        Self::IChessOne,
    ];

    /// Its name in a mix.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dgt => "dgt",
            Self::Bus => "bus",
            Self::Millennium => "millennium",
            Self::Certabo => "certabo",
            Self::Sentio => "sentio",
            Self::IChessOne => "ichessone",
        }
    }

    /// What the hub has to be told of a port with it: the family in its configuration.
    pub fn family(self) -> &'static str {
        match self {
            Self::Dgt => "dgt-board",
            Self::Bus => "dgt-bus",
            Self::Millennium => "millennium",
            Self::Certabo => "certabo",
            Self::Sentio => "tabutronic-sentio",
            Self::IChessOne => "ichessone",
        }
    }

    /// Whether its boards have a clock that a host can read.
    pub fn has_clock(self) -> bool {
        matches!(self, Self::Dgt | Self::Bus)
    }

    /// The electronics of such a board at a table; `None` for DGT, whose board speaks for itself.
    pub(crate) fn front(self, seed: u64, table: u16) -> Option<Box<dyn Front>> {
        Some(match self {
            Self::Dgt | Self::Bus => return None,
            Self::Millennium => Box::new(chesslink::ChessLink::new(seed, table)),
            Self::Certabo => Box::new(certabo::Certabo::new(seed, table)),
            Self::Sentio => Box::new(sentio::Sentio::new(seed, table)),
            Self::IChessOne => Box::new(ichessone::IChessOne::default()),
        })
    }
}

impl fmt::Display for Make {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Make {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|make| make.name() == text)
            .ok_or_else(|| {
                let names = Self::ALL.map(Self::name).join(", ");
                format!("no boards of \"{text}\"; there are {names}")
            })
    }
}

/// How many boards of which makers: `dgt:60,millennium:10,bus:20`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mix(pub Vec<(Make, u16)>);

impl Mix {
    /// The makers of the tables in their order.
    pub fn makes(&self) -> impl Iterator<Item = Make> + '_ {
        self.0
            .iter()
            .flat_map(|(make, count)| std::iter::repeat_n(*make, usize::from(*count)))
    }

    /// How many tables.
    pub fn tables(&self) -> u16 {
        self.0
            .iter()
            .fold(0_u16, |sum, (_, count)| sum.saturating_add(*count))
    }
}

impl FromStr for Mix {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let part = |part: &str| {
            let (make, count) = part
                .split_once(':')
                .ok_or_else(|| format!("\"{part}\" is not like dgt:60"))?;
            let count: u16 = count
                .trim()
                .parse()
                .ok()
                .filter(|count| *count > 0)
                .ok_or_else(|| format!("\"{count}\" is no number of boards"))?;
            Ok((make.trim().parse()?, count))
        };
        let mix = text.split(',').map(part).collect::<Result<_, String>>();
        mix.map(Self)
    }
}

/// The electronics of a board over its sensors. Cells are piece codes as in [`crate::board::pieces`], in wire
/// order: a8 first.
pub(crate) trait Front: fmt::Debug + Send {
    /// Bytes from the host.
    fn handle_bytes(&mut self, now: Duration, bytes: &[u8]);
    /// What the sensors see now, and time passes.
    fn handle_scan(&mut self, now: Duration, cells: &[u8; 64]);
    /// Bytes that have left the board by `now`.
    fn poll_transmit(&mut self, now: Duration) -> Vec<u8>;
    /// When the board does something next.
    fn poll_timeout(&self) -> Option<Duration>;
    /// Power on, or off: what was on the line is cut.
    fn reset(&mut self, now: Duration);
    /// The first round begins: whatever was on the board for its own sake is put away.
    fn begin(&mut self) {}
}

/// The letter of a piece code, as in FEN; a full stop for none.
fn letter(code: u8) -> u8 {
    *b".PRNBKQprnbkq".get(usize::from(code)).unwrap_or(&b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixes_are_read() {
        let mix: Mix = "dgt:2, bus:3,certabo:1".parse().unwrap();
        assert_eq!(mix.tables(), 6);
        assert_eq!(mix.makes().last(), Some(Make::Certabo));
        assert!("dgt".parse::<Mix>().is_err());
        assert!("dgt:0".parse::<Mix>().is_err());
        assert!("novag:1".parse::<Mix>().unwrap_err().contains("millennium"));
    }
}
