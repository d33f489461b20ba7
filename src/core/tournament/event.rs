//! What an event has set for itself.

use std::{collections::BTreeSet, fmt, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};

pub use super::pairing_system::PairingSystem;
use super::{drawing::Drawing, result::Bye, schedule::Schedule, standings::TieBreak};
use crate::{
    chess::Variant,
    pairing::{Acceleration, Forbidden},
    types::{Color, RoundNo, color, millis},
};

/// The settings of one event (one section of a hall).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EventSettings {
    /// The name that people read.
    pub name: String,
    /// The short name in addresses and topics.
    pub section: SectionId,
    /// The time control as text, e.g. `70 min + 30 s/move`, which [`crate::clock`] reads; `None` =
    /// played without clocks.
    pub time_control: Option<String>,
    /// When an absent player loses (R-CD-4).
    pub default_time: DefaultTime,
    /// The number of rounds; `None` = as many as the system needs.
    pub rounds: Option<u16>,
    /// By which rules the games are played.
    #[serde(default, skip_serializing_if = "Variant::is_standard")]
    pub variant: Variant,
    /// The pairing system.
    pub system: PairingSystem,
    /// The order of the tie-breaks after points.
    pub tie_breaks: Vec<TieBreak>,
    /// Proposals that accept themselves (R-AR-4). Empty: an arbiter decides everything.
    pub accept: BTreeSet<ProposalKind>,
    /// Illegal moves (R-RS-6, R-RS-7).
    pub illegal_moves: IllegalMovePolicy,
    /// When the rounds start.
    pub schedule: Schedule,
    /// A draw may not be agreed before this move (R-RS-9).
    pub no_draw_before_move: Option<u16>,
    /// What happens to the last boards of a round (R-CD-6).
    pub play_off_time: Option<PlayOffTime>,
    /// Photography at the start of round 1 and of the later ones (R-CD-5).
    pub photography: Photography,
    /// A drawn round starts as soon as its time has come, without an arbiter's word.
    pub start_by_itself: bool,
    /// The colour of the first player in round 1; `None` = by lot, where the system asks for it.
    #[serde(with = "color::option", default)]
    pub initial_colour: Option<Color>,
    /// Who must not meet (R-PR-10).
    #[serde(default)]
    pub forbidden: Vec<Forbidden>,
    /// Virtual points in the first rounds.
    #[serde(default)]
    pub acceleration: Acceleration,
    /// What a player may be given who asks to miss a round of a Swiss (C.04.2, 3.3).
    #[serde(default = "RequestedBye::usual")]
    pub byes: BTreeSet<RequestedBye>,
    /// The numbers are drawn before round 1 rather than taken from the list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub drawing: Option<Drawing>,
}

impl EventSettings {
    /// An event of which only name, section and time control are set: a round robin in which an
    /// arbiter decides everything.
    pub fn new(name: impl Into<String>, section: SectionId, time_control: Option<&str>) -> Self {
        Self {
            name: name.into(),
            section,
            time_control: time_control.map(str::to_owned),
            default_time: DefaultTime::default(),
            rounds: None,
            variant: Variant::Standard,
            system: PairingSystem::RoundRobin { cycles: 1 },
            tie_breaks: TieBreak::ROUND_ROBIN.to_vec(),
            accept: BTreeSet::new(),
            illegal_moves: IllegalMovePolicy::default(),
            schedule: Schedule::default(),
            no_draw_before_move: None,
            play_off_time: None,
            photography: Photography::default(),
            start_by_itself: false,
            initial_colour: None,
            forbidden: Vec::new(),
            acceleration: Acceleration::None,
            byes: RequestedBye::usual(),
            drawing: None,
        }
    }

    /// Whether a kind of proposal accepts itself.
    pub fn accepts(&self, kind: ProposalKind) -> bool {
        self.accept.contains(&kind)
    }
}

/// Names a section: lower case letters, digits, hyphens; starts and ends with a letter or digit.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct SectionId(String);

impl SectionId {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SectionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Not a short name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is not a short name; write 1 to 32 lower-case letters a-z, digits and hyphens, e.g. \
     open-a"
)]
pub struct ParseSlugError(pub String);

impl FromStr for SectionId {
    type Err = ParseSlugError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        check_slug(s).map(|()| Self(s.to_owned()))
    }
}

impl From<SectionId> for String {
    fn from(id: SectionId) -> Self {
        id.0
    }
}

impl TryFrom<String> for SectionId {
    type Error = ParseSlugError;

    fn try_from(s: String) -> Result<Self, Self::Error> {
        s.parse()
    }
}

/// Whether a text can stand in a topic or an address.
///
/// # Errors
/// Names the text and what is allowed.
pub fn check_slug(s: &str) -> Result<(), ParseSlugError> {
    let allowed = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    let edge = |b: Option<u8>| b.is_some_and(|b| b != b'-');
    let good =
        s.len() <= 32 && s.bytes().all(allowed) && edge(s.bytes().next()) && edge(s.bytes().last());
    if good {
        Ok(())
    } else {
        Err(ParseSlugError(s.to_owned()))
    }
}

/// When an absent player loses, counted from the declared start (R-CD-4).
///
/// Text: `0:00`, `5:00`, `1:00:00`, `until-half`, `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum DefaultTime {
    /// After this time; zero = who is not there at the start has lost. Whole seconds.
    After(Duration),
    /// Until fewer than half of the games are still being played.
    UntilHalf,
    /// The hub never proposes it; the arbiter sees to it.
    None,
}

impl Default for DefaultTime {
    /// The Laws (6.7.1): if nothing is said, 0.
    fn default() -> Self {
        Self::After(Duration::ZERO)
    }
}

impl fmt::Display for DefaultTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(time) => f.pad(&minutes_text(*time)),
            Self::UntilHalf => f.pad("until-half"),
            Self::None => f.pad("none"),
        }
    }
}

/// Not a default time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a default time; write 0:00, 15:00, 1:00:00, until-half or none")]
pub struct ParseDefaultTimeError(pub String);

impl FromStr for DefaultTime {
    type Err = ParseDefaultTimeError;

    fn from_str(s: &str) -> Result<Self, Self::Err> {
        match s.trim() {
            "until-half" => Ok(Self::UntilHalf),
            "none" => Ok(Self::None),
            text => parse_minutes(text)
                .map(Self::After)
                .map_err(|_| ParseDefaultTimeError(s.to_owned())),
        }
    }
}

impl From<DefaultTime> for String {
    fn from(time: DefaultTime) -> Self {
        time.to_string()
    }
}

impl TryFrom<String> for DefaultTime {
    type Error = ParseDefaultTimeError;

    fn try_from(s: String) -> Result<Self, Self::Error> {
        s.parse()
    }
}

/// Not a length of time.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a length of time; write minutes and seconds like 15:00, or 1:30:00")]
pub struct ParseMinutesError(pub String);

/// Reads `m:ss` or `h:mm:ss`.
///
/// # Errors
/// Names the text and the form.
pub fn parse_minutes(text: &str) -> Result<Duration, ParseMinutesError> {
    let error = || ParseMinutesError(text.to_owned());
    let digits = |part: &str, most: usize| {
        let good =
            !part.is_empty() && part.len() <= most && part.bytes().all(|b| b.is_ascii_digit());
        good.then(|| part.parse::<u64>().ok())
            .flatten()
            .ok_or_else(error)
    };
    let sixtieth = |part: &str| {
        digits(part, 2).and_then(|n| {
            if n < 60 && part.len() == 2 {
                Ok(n)
            } else {
                Err(error())
            }
        })
    };
    let parts: Vec<&str> = text.trim().split(':').collect();
    let seconds = match parts[..] {
        [minutes, seconds] => digits(minutes, 4)? * 60 + sixtieth(seconds)?,
        [hours, minutes, seconds] => {
            digits(hours, 3)? * 3600 + sixtieth(minutes)? * 60 + sixtieth(seconds)?
        }
        _ => return Err(error()),
    };
    Ok(Duration::from_secs(seconds))
}

/// Writes what [`parse_minutes`] reads; parts of a second are dropped.
pub fn minutes_text(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

/// What the hub proposes and an arbiter decides (design rule 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalKind {
    /// A result shown by the kings or proved by the position.
    Result,
    /// A fallen flag.
    Flag,
    /// An illegal move claimed.
    IllegalMove,
    /// A forfeit of an absent player.
    Forfeit,
    /// A penalty.
    Penalty,
    /// Closing a round whose last result is in.
    CloseRound,
    /// Publishing the draft of the next round.
    Pairing,
}

/// What a round is worth that a player asks to miss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestedBye {
    /// The points of a draw.
    Half,
    /// Nothing.
    Zero,
    /// The points of a win. No rule of FIDE gives it to who asks: an event must say so.
    Full,
}

impl RequestedBye {
    /// Where the event says nothing.
    fn usual() -> BTreeSet<Self> {
        BTreeSet::from([Self::Half, Self::Zero])
    }
}

impl From<RequestedBye> for Bye {
    fn from(worth: RequestedBye) -> Self {
        match worth {
            RequestedBye::Half => Self::Half,
            RequestedBye::Zero => Self::Zero,
            RequestedBye::Full => Self::Full,
        }
    }
}

/// What an illegal move costs (R-RS-6, R-RS-7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IllegalMovePolicy {
    /// The illegal move with which the game is lost.
    pub losing: u8,
    /// Added to the opponent's time for each one before.
    #[serde(with = "millis", rename = "bonus_ms")]
    pub bonus: Duration,
    /// The game is drawn instead when the opponent cannot mate.
    pub draw_without_mating_material: bool,
    /// So many moves with the wrong hand count as one illegal move.
    pub hand_violations: u8,
}

impl Default for IllegalMovePolicy {
    /// The Laws for standard play: two minutes, then the game.
    fn default() -> Self {
        Self {
            losing: 2,
            bonus: Duration::from_mins(2),
            draw_without_mating_material: true,
            hand_violations: 3,
        }
    }
}

/// The end of a round without clocks (R-CD-6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayOffTime {
    /// Offered once this share of the games has ended, in per cent.
    pub after_percent: u8,
    /// The time that the rest is given; then adjudication.
    #[serde(with = "millis", rename = "time_ms")]
    pub time: Duration,
}

/// How long photography is allowed at the start of a round (R-CD-5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Photography {
    /// In round 1.
    #[serde(with = "millis", rename = "first_round_ms")]
    pub first_round: Duration,
    /// In every later round.
    #[serde(with = "millis", rename = "later_rounds_ms")]
    pub later_rounds: Duration,
}

impl Photography {
    /// For one round.
    pub fn of(self, round: RoundNo) -> Duration {
        if round.0 <= 1 {
            self.first_round
        } else {
            self.later_rounds
        }
    }
}

impl Default for Photography {
    fn default() -> Self {
        Self {
            first_round: Duration::from_mins(10),
            later_rounds: Duration::from_mins(5),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn default_times() {
        for (text, time) in [
            ("0:00", DefaultTime::After(Duration::ZERO)),
            ("5:00", DefaultTime::After(Duration::from_mins(5))),
            ("1:00:00", DefaultTime::After(Duration::from_hours(1))),
            ("until-half", DefaultTime::UntilHalf),
            ("none", DefaultTime::None),
        ] {
            assert_eq!(text.parse(), Ok(time));
            assert_eq!(time.to_string(), text);
        }
        assert_eq!(
            "90:00".parse(),
            Ok(DefaultTime::After(Duration::from_mins(90)))
        );
        for bad in [
            "",
            "5",
            "5:0",
            "5:60",
            "1:60:00",
            "-1:00",
            "+5:00",
            "5:00:00:00",
            "half",
        ] {
            assert_eq!(
                bad.parse::<DefaultTime>(),
                Err(ParseDefaultTimeError(bad.into()))
            );
        }
    }

    #[test]
    fn short_names() {
        for good in ["open", "open-a", "u12", "1"] {
            assert_eq!(
                good.parse::<SectionId>().map(String::from),
                Ok(good.to_owned())
            );
        }
        for bad in [
            "",
            "Open",
            "open a",
            "-a",
            "a-",
            "відкритий",
            "a/b",
            &"a".repeat(33),
        ] {
            assert!(bad.parse::<SectionId>().is_err(), "{bad}");
        }
    }

    #[test]
    fn settings_survive_the_journal() {
        let mut settings =
            EventSettings::new("Кубок", "open".parse().unwrap(), Some("70 min + 30 s/move"));
        settings.default_time = DefaultTime::UntilHalf;
        settings.accept = [ProposalKind::Result, ProposalKind::CloseRound].into();
        settings.play_off_time = Some(PlayOffTime {
            after_percent: 80,
            time: Duration::from_mins(5),
        });
        let json = serde_json::to_string(&settings).unwrap();
        assert!(
            json.contains(r#""accept":["result","close-round"]"#),
            "{json}"
        );
        assert!(
            json.contains(r#""system":{"name":"round-robin","cycles":1}"#),
            "{json}"
        );
        assert_eq!(
            serde_json::from_str::<EventSettings>(&json).unwrap(),
            settings
        );
        assert!(settings.accepts(ProposalKind::Result) && !settings.accepts(ProposalKind::Flag));
    }

    #[test]
    fn photography_by_round() {
        let photography = Photography::default();
        assert_eq!(photography.of(RoundNo(1)), Duration::from_mins(10));
        assert_eq!(photography.of(RoundNo(2)), Duration::from_mins(5));
    }

    proptest! {
        #[test]
        fn lengths_of_time_round_trip(seconds in 0_u64..1_000_000) {
            let time = Duration::from_secs(seconds);
            prop_assert_eq!(parse_minutes(&minutes_text(time)), Ok(time));
        }
    }
}
