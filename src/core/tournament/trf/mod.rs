//! Tournament report files: TRF16, the extensions of JaVaFo and bbpPairings, TRF26.
//!
//! [`read`] makes a [`Document`] of any bytes and says in [`Notice`]s what it guessed, what it
//! could not read and where the file contradicts itself. [`Document::write`] gives the same bytes
//! again; what was changed is written by the standard's columns. Columns count characters; a line
//! whose names were padded by bytes is recognised by the fields behind the name.

mod ascii;
mod check;
mod columns;
mod compose;
mod convert;
mod encoding;
mod field;
mod model;
mod notice;
mod paired;
mod player;
mod players;
mod query;
mod reader;
mod records;
mod report;
mod standings;
mod system;
mod table;
mod team_rounds;
mod team_standings;
mod teams;
mod writer;

pub use ascii::transliterate as ascii_name;
pub use check::check;
pub use convert::{Request, RequestError};
pub(in crate::tournament) use encoding::guess;
pub use model::{
    Abnormal, Acceleration, BbpSymbol, ByeCode, Cell, Code, Configuration, Document, Encoding,
    Line, LineEnd, Record, Row, Team, TextField,
};
pub use notice::{Kind, Notice, Other, Severity};
pub use paired::Paired;
pub use players::{TrfEvent, TrfPlayers, read_players};
pub use query::{ForbiddenGroup, Scoring};
pub use reader::{Reading, read};
pub use report::{Report, ReportError, ReportOptions};
pub use standings::{Known, StandingsOptions};
pub use system::{SystemCode, SystemKind};
pub use team_rounds::TeamEvent;
