//! The ways that bytes go, each with what must hold at its end.

use std::time::Duration;

use flagfall::{
    decode::FamilyName,
    track::{
        Plan,
        input::{self, Input, Read, Times},
        report::Report,
    },
};
use flagfall_core::{
    chess::{Start, Tracker, TrackerSettings},
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::{Event, SetUp},
        sheet::Sheet,
        state::HallState,
    },
    protocol::{
        DeviceInfo, Link, Observation,
        board::{Evidence, Sum, Tell, View},
        dgt::{
            frame::{Dialect, Parser},
            link::{DgtLink, DgtSettings},
            message::Message,
            piece::Cells,
        },
        families::{Beforehand, Family},
    },
    tournament::{EventSettings, PairingSystem, Player, event::DefaultTime},
    types::{Mono, Now, Placement, PlayerNo, RoundNo, TableNo},
};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;

use crate::Seen;

/// No family may hold back more than this.
const HELD: usize = 4096;

/// Whether games can be made of what a family tells.
pub(crate) fn plays(family: FamilyName) -> bool {
    !matches!(family, FamilyName::Board(family) if family.evidence == Evidence::Times)
}

/// The bytes in reads of chance.
fn reads<'a>(bytes: &'a [u8], rng: &mut ChaCha8Rng) -> Vec<&'a [u8]> {
    let most = [1, 7, 64, 1000][rng.random_range(0..4)];
    let mut rest = bytes;
    let mut reads = Vec::new();
    while !rest.is_empty() {
        let (read, after) = rest.split_at(rng.random_range(1..=most).min(rest.len()));
        reads.push(read);
        rest = after;
    }
    reads
}

/// What kinds of things there are in some JSON, in short.
fn kinds(value: &Value, seen: &mut Seen) {
    match value {
        Value::Object(fields) => {
            for (key, value) in fields {
                match value {
                    Value::String(word)
                        if ["type", "note", "status", "by", "what", "about"]
                            .contains(&key.as_str()) =>
                    {
                        seen.insert(format!("{key} {word}"));
                    }
                    Value::Null | Value::Bool(false) => {}
                    _ => {
                        seen.insert(key.clone());
                    }
                }
                kinds(value, seen);
            }
        }
        Value::Array(list) => {
            // Many of something are another thing than one.
            seen.insert(format!(
                "{} of them",
                list.len().checked_ilog2().map_or(0, |log| log + 1)
            ));
            let types: Vec<_> = list
                .iter()
                .filter_map(|each| each["type"].as_str())
                .collect();
            for pair in types.windows(2) {
                seen.insert(pair.join(" then "));
            }
            for value in list {
                kinds(value, seen);
            }
        }
        _ => {}
    }
}

fn usual() -> Beforehand {
    Beforehand {
        start_calibrates: true,
        ..Beforehand::default()
    }
}

pub(crate) fn decode(family: &Family, bytes: &[u8], seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let said = |reads: &[&[u8]]| {
        let mut decoder = family.decoder(&usual());
        let mut view = View::default();
        let mut said = Vec::new();
        for read in reads {
            decoder.push(read, &mut |message: &dyn Tell| {
                let _ = message.told();
                said.push(message.json(&mut view));
            });
            assert!(decoder.held().len() <= HELD, "{} hoards", family.name);
        }
        decoder.finish(&mut |message: &dyn Tell| said.push(message.json(&mut view)));
        let counters = decoder.counters();
        assert_eq!(counters.bytes, bytes.len() as u64);
        assert!(counters.bytes_dropped + decoder.held().len() as u64 <= counters.bytes);
        let _ = decoder.stream_json();
        said
    };
    let whole = said(&[bytes]);
    assert_eq!(
        whole,
        said(&reads(bytes, &mut rng)),
        "reads must not matter"
    );
    let _ = family.commands(bytes);
    let mut seen = Seen::new();
    for message in &whole {
        kinds(message, &mut seen);
    }
    seen
}

pub(crate) fn decode_dgt(bytes: &[u8], seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    for dialect in [Dialect::Single, Dialect::Bus] {
        let said = |reads: &[&[u8]]| {
            let mut parser = Parser::new(dialect);
            let mut said = Vec::new();
            for read in reads {
                parser.feed(Mono::ZERO, read, |frame| {
                    said.push(format!("{:?}", Message::decode(frame)));
                });
                assert!(parser.held().len() <= HELD);
            }
            said
        };
        let whole = said(&[bytes]);
        assert_eq!(
            whole,
            said(&reads(bytes, &mut rng)),
            "reads must not matter"
        );
    }
    let mut parser = Parser::new(Dialect::Single);
    let mut seen = Seen::new();
    parser.feed(Mono::ZERO, bytes, |frame| {
        let words = format!("{:?}", Message::decode(frame));
        seen.insert(
            words
                .chars()
                .filter(|c| !c.is_ascii_digit())
                .take(60)
                .collect(),
        );
    });
    seen
}

/// Every game that `track` makes is legal, and so is what it prints.
fn check_games(plan: &Plan, input: &Input) -> Seen {
    let mut seen = Seen::new();
    let Ok((heard, games)) = plan.track(input) else {
        return seen;
    };
    assert!(!games.is_empty());
    for (number, game) in (1..).zip(&games) {
        let record = &game.record;
        let moves: Vec<_> = record
            .moves
            .iter()
            .map(|played| played.made.uci.parse().unwrap())
            .collect();
        let gaps: Vec<_> = record
            .gaps
            .iter()
            .filter_map(|gap| Some((gap.after, gap.fen.as_deref()?)))
            .collect();
        let start = if record.variant.is_standard() {
            Start::default()
        } else {
            Start::any960()
        };
        let settings = TrackerSettings {
            start,
            ..TrackerSettings::default()
        };
        let again =
            Tracker::restore_with_gaps(settings, record.start.as_deref(), &moves, &gaps, None);
        let again = again.unwrap_or_else(|error| panic!("no legal game is told: {error}"));
        let plies: Vec<u16> = record.moves.iter().map(|played| played.made.ply).collect();
        assert!(plies.iter().copied().eq(1..=plies.len() as u16));
        for (played, made) in record.moves.iter().zip(again.moves()) {
            assert_eq!((&played.made.san, played.made.side), (&made.san, made.side));
        }
        let report = Report {
            game,
            number,
            input,
            heard: &heard,
            family: plan.family.name(),
            title: "fuzz \"\\ ] } ;",
        };
        let object = report.json(true);
        kinds(&object, &mut seen);
        let _ = report.remarks();
        check_pgn(&report.pgn(), record.moves.len());
    }
    seen
}

/// A reader that knows nothing of us finds all moves and no mistake.
fn check_pgn(text: &str, plies: usize) {
    let mut reader = pgn_reader::Reader::new(text.as_bytes());
    let mut found = 0;
    while let Some(count) = reader.read_game(&mut reading::Plies).unwrap() {
        found += count.unwrap_or_else(|error| panic!("{error} in {text}"));
    }
    assert_eq!(found, plies, "{text}");
}

pub(crate) fn track(family: FamilyName, bytes: &[u8], seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let timed = rng.random_bool(0.7);
    let mut at = 0;
    let reads = reads(bytes, &mut rng).into_iter().map(|bytes| {
        at += [0, 40, 300, 2_000, 11_000][rng.random_range(0..5)];
        Read {
            // Time may run backwards in a file.
            at: timed.then(|| Mono::from_millis(at * u64::from(at % 97 != 0))),
            bytes: bytes.to_vec(),
        }
    });
    let input = Input {
        reads: reads.collect(),
        ..Input::default()
    };
    let mut plan = Plan::new(family);
    plan.pace = Duration::from_millis([150, 400, 3_000][seed as usize % 3]);
    plan.blitz = seed.is_multiple_of(2);
    plan.start = match seed % 11 {
        0 => Some("960".to_owned()),
        1 => Some(format!("960:{}", seed % 960)),
        2 => Some("r3k2r/pppq1ppp/8/3pP3/8/8/PPP1QPPP/R3K2R w KQkq d6 0 20".to_owned()),
        _ => None,
    };
    check_games(&plan, &input)
}

/// Any file, as any family.
pub(crate) fn file(bytes: &[u8]) -> Seen {
    let mut seen = Seen::new();
    for times in [Times::Auto, Times::Yes, Times::No] {
        match input::read(bytes, times) {
            Err(error) => {
                let words = format!("{error:#}");
                assert!(!words.is_empty());
                seen.insert(
                    words
                        .chars()
                        .filter(|c| c.is_alphabetic())
                        .take(24)
                        .collect(),
                );
            }
            Ok(inputs) => {
                for input in inputs.iter().take(2) {
                    let family = input.family.unwrap_or(FamilyName::Dgt);
                    if plays(family) {
                        seen.extend(check_games(&Plan::new(family), input));
                    }
                }
            }
        }
    }
    seen
}

/// A hall of one table in the middle of a round.
struct Hall {
    hub: Hub,
    now: u64,
    journal: Vec<Event>,
}

const TABLE: TableNo = TableNo(1);

fn at(ms: u64) -> Now {
    Now {
        mono: Mono::from_millis(ms),
        utc: jiff::Timestamp::from_millisecond(1_800_000_000_000 + ms.cast_signed()).unwrap(),
    }
}

impl Hall {
    fn new(seed: u64) -> Self {
        let control = Some("15+10").filter(|_| !seed.is_multiple_of(3));
        let mut settings = EventSettings::new("Cup", "open".parse().unwrap(), control);
        settings.system = PairingSystem::by_name("dutch").unwrap();
        settings.rounds = Some(1);
        settings.default_time = DefaultTime::None;
        let players = (1..=2)
            .map(|no| Player::new(PlayerNo(no), format!("Player {no}")))
            .collect();
        let mut hall = Self {
            hub: Hub::new(HubSettings::default(), HallState::default(), at(0)),
            now: 0,
            journal: Vec::new(),
        };
        hall.hub.handle_set_up(at(0), SetUp { settings, players });
        for command in [
            Command::PairRound,
            Command::PublishRound,
            Command::StartRound,
        ] {
            hall.ask(command);
        }
        hall
    }

    /// What is refused is refused; nothing else may happen.
    fn ask(&mut self, command: Command) {
        let by = "Vira".to_owned();
        let _ = self
            .hub
            .handle_request(at(self.now), Request { by, command });
        self.drain();
    }

    fn assign(&mut self) {
        let Some(device) = self.hub.state().devices.keys().next().cloned() else {
            return;
        };
        let table = Some(TABLE);
        self.ask(Command::AssignDevice { device, table });
    }

    fn observe(&mut self, observation: Observation) {
        self.hub
            .handle_observation(at(self.now), "port", observation);
        self.drain();
    }

    fn drain(&mut self) {
        while let Some(event) = self.hub.poll_event() {
            self.journal.push(event);
        }
    }

    fn run_to(&mut self, ms: u64) {
        let mut wakes = 0;
        while let Some(due) = self
            .hub
            .poll_timeout()
            .filter(|due| *due <= Mono::from_millis(ms))
        {
            self.now = self.now.max(due.0.as_millis() as u64 + 1);
            self.hub.handle_timeout(at(self.now));
            self.drain();
            wakes += 1;
            assert!(wakes < 100_000, "the hub never sleeps");
        }
        self.now = self.now.max(ms);
    }

    /// What an arbiter may do at any time.
    fn meddle(&mut self, rng: &mut ChaCha8Rng) {
        let proposal = self.hub.state().proposals.keys().next().copied();
        let question = self.hub.table_view(TABLE, at(self.now)).question;
        let command = match rng.random_range(0..6) {
            0 => Command::SetResult {
                table: TABLE,
                result: ["1-0", "0-1", "1/2-1/2", "*"][rng.random_range(0..4)].to_owned(),
                termination: None,
                note: None,
            },
            1 => Command::SetStart {
                table: Some(TABLE),
                number: None,
                fen: Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned()),
            },
            2 => Command::TellMoves {
                table: TABLE,
                moves: question.map_or_else(
                    || vec!["e2e4".to_owned()],
                    |question| vec![question.moves[0].uci.clone()],
                ),
            },
            3 => Command::SetOrientation {
                table: TABLE,
                turned: rng.random(),
            },
            _ => match proposal {
                Some(proposal) => Command::Decide {
                    proposal,
                    accept: rng.random(),
                    result: None,
                    note: None,
                },
                None => return,
            },
        };
        self.ask(command);
    }

    /// What must hold whatever was heard.
    fn check(mut self) -> Seen {
        let end = self.now + 120_000;
        self.run_to(end);
        let mut seen = Seen::new();
        // The journal tells the same as the hub knows.
        let mut fold = HallState::default();
        let mut before = String::new();
        for event in &self.journal {
            let text = serde_json::to_string(event).unwrap();
            let again: Event = serde_json::from_str(&text).unwrap();
            let twice = serde_json::to_string(&again).unwrap();
            assert_eq!(twice, text, "an event is read as it was written");
            fold.apply(&again);
            let value: Value = serde_json::from_str(&text).unwrap();
            let state = value["state"].as_str().unwrap_or_default();
            let name = format!("{} {state}", event.kind());
            seen.insert(format!("{before} then {name}"));
            before = name;
            kinds(&value, &mut seen);
        }
        assert_eq!(&fold, self.hub.state(), "the journal tells another hall");
        let view = self.hub.hall_view(at(self.now));
        assert!(serde_json::to_string(&view).is_ok());
        let game = self.hub.game_view(TABLE, None).unwrap();
        check_pgn(&game.pgn, game.moves.len());
        let mut sheet = self.hub.sheet(TABLE, None).unwrap();
        self.journal
            .iter()
            .for_each(|event| Sheet::apply(&mut sheet, event));
        let sheet = sheet.finish();
        let standing = sheet.moves.iter().filter(|mv| mv.withdrawn_at.is_none());
        assert!(
            standing
                .map(|mv| &mv.uci)
                .eq(game.moves.iter().map(|mv| &mv.uci)),
            "the page tells another game"
        );
        assert_eq!(sheet.round, RoundNo(1));
        // After a restart the same game goes on.
        let again = Hub::new(HubSettings::default(), fold, at(self.now));
        let same = again.game_view(TABLE, None).unwrap();
        assert_eq!(same.moves, game.moves);
        seen
    }
}

/// A DGT board through its conversation.
pub(crate) fn hall_dgt(bytes: &[u8], seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut hall = Hall::new(seed);
    let mut link = DgtLink::new(DgtSettings::CABLE);
    link.handle_open(at(0).mono);
    // Whatever it is asked at first, it says who it is; a board that does not is no board.
    let mut hello = Vec::new();
    Message::Serial("12345").encode(&mut hello);
    Message::LongSerial("3000112345").encode(&mut hello);
    Message::Version { main: 3, sub: 10 }.encode(&mut hello);
    Message::BoardDump(Cells::from(&Placement::new())).encode(&mut hello);
    for _ in 0..60 {
        let until = hall.now + 100;
        hall.run_to(until);
        link.handle_timeout(at(until).mono);
        if link.poll_transmit().is_some() {
            link.handle_bytes(at(until).mono, &hello);
        }
        relay(&mut link, &mut hall);
    }
    assert!(
        hall.hub.state().device_at(TABLE).is_some(),
        "the board is found"
    );
    for read in reads(bytes, &mut rng) {
        let pause = [0, 20, 250, 1_100, 7_000][rng.random_range(0..5)];
        let until = hall.now + pause;
        let mut wakes = 0;
        while let Some(due) = link.poll_timeout().filter(|due| *due <= at(until).mono) {
            hall.run_to(due.0.as_millis() as u64);
            link.handle_timeout(at(hall.now).mono.max(due));
            relay(&mut link, &mut hall);
            wakes += 1;
            assert!(wakes < 10_000, "the link never sleeps");
        }
        hall.run_to(until);
        if rng.random_bool(0.01) {
            link.handle_closed(at(hall.now).mono);
            link.handle_open(at(hall.now).mono);
        }
        link.handle_bytes(at(hall.now).mono, read);
        relay(&mut link, &mut hall);
        if rng.random_bool(0.02) {
            hall.meddle(&mut rng);
        }
    }
    hall.check()
}

fn relay(link: &mut DgtLink, hall: &mut Hall) {
    while link.poll_transmit().is_some() {}
    let _ = link.poll_reopen();
    while let Some(observation) = link.poll_event() {
        let found = matches!(observation, Observation::Found(_));
        hall.observe(observation);
        if found {
            hall.assign();
        }
    }
}

/// Any other board: what its decoder tells.
pub(crate) fn hall(family: &Family, bytes: &[u8], seed: u64) -> Seen {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut hall = Hall::new(seed);
    hall.observe(Observation::Found(DeviceInfo {
        family: family.name.to_owned(),
        serial: Some("12345".to_owned()),
        version: None,
    }));
    hall.assign();
    let mut decoder = family.decoder(&usual());
    let mut sum = Sum::default();
    sum.assume(Placement::new().occupied());
    for read in reads(bytes, &mut rng) {
        let until = hall.now + [0, 40, 400, 2_000, 11_000][rng.random_range(0..5)];
        hall.run_to(until);
        let mut told = Vec::new();
        decoder.push(read, &mut |message: &dyn Tell| told.push(message.told()));
        for told in told {
            if let Some(observation) = sum.observe(told) {
                hall.observe(observation);
            }
        }
        if rng.random_bool(0.02) {
            hall.meddle(&mut rng);
        }
        if rng.random_bool(0.01) {
            hall.observe(Observation::Missed {
                since: at(hall.now.saturating_sub(900)).mono,
            });
        }
    }
    hall.check()
}

/// A reader of PGN.
mod reading {
    use std::ops::ControlFlow;

    use pgn_reader::{RawTag, SanPlus, Visitor};
    use shakmaty::{CastlingMode, Chess, Position as _, fen::Fen};

    pub(super) struct Plies;

    pub(super) struct Tags {
        fen: Option<String>,
        mode: CastlingMode,
    }

    impl Visitor for Plies {
        type Tags = Tags;
        type Movetext = (Result<Chess, String>, usize);
        type Output = Result<usize, String>;

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
            let mode = CastlingMode::Standard;
            ControlFlow::Continue(Tags { fen: None, mode })
        }

        fn tag(
            &mut self,
            tags: &mut Tags,
            name: &[u8],
            value: RawTag<'_>,
        ) -> ControlFlow<Self::Output> {
            match name {
                b"FEN" => tags.fen = Some(value.decode_utf8_lossy().into_owned()),
                b"Variant" => tags.mode = CastlingMode::Chess960,
                _ => {}
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Self::Movetext> {
            let start = match tags.fen {
                None => Ok(Chess::default()),
                Some(text) => text
                    .parse::<Fen>()
                    .map_err(|error| error.to_string())
                    .and_then(|fen| {
                        fen.into_position(tags.mode)
                            .map_err(|error| format!("{text}: {error}"))
                    }),
            };
            ControlFlow::Continue((start, 0))
        }

        fn san(&mut self, text: &mut Self::Movetext, san: SanPlus) -> ControlFlow<Self::Output> {
            if let Ok(position) = &mut text.0 {
                match san.san.to_move(position) {
                    Ok(mv) => {
                        position.play_unchecked(mv);
                        text.1 += 1;
                    }
                    Err(error) => text.0 = Err(format!("{san}: {error}")),
                }
            }
            ControlFlow::Continue(())
        }

        fn end_game(&mut self, (position, plies): Self::Movetext) -> Self::Output {
            position.map(|_| plies)
        }
    }
}
