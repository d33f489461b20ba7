//! The event file: what an event has set, where its players are, when its rounds start.

use std::{collections::BTreeSet, path::Path};

use flagfall_core::{
    clock::TimeControl,
    pairing::{self, Acceleration, Entrant, Forbidden, Input},
    tournament::{
        EventSettings, Player, SystemError,
        drawing::{Drawing, DrawnBy},
        event::{
            IllegalMovePolicy, PairingSystem, Photography, PlayOffTime, ProposalKind, RequestedBye,
        },
        schedule::{RoundStart, Schedule, local_instant},
        standings::TieBreak,
    },
    types::{Color, PlayerNo, RoundNo},
};
use jiff::tz::TimeZone;

use super::{
    document::{Document, Problem, suggest},
    event_file::{
        AccelerationFile, DrawingFile, EventFile, ForbiddenFile, IllegalMovesFile, PhotographyFile,
        PublishFile, ScheduleFile, Side,
    },
    players::List,
    values::Minutes,
};

/// The presets of the rule books, by name.
pub const PRESETS: [(&str, &str); 4] = [
    ("blitz", include_str!("../../config/presets/blitz.toml")),
    (
        "championship",
        include_str!("../../config/presets/championship.toml"),
    ),
    ("school", include_str!("../../config/presets/school.toml")),
    ("team", include_str!("../../config/presets/team.toml")),
];

/// The largest list of players, bytes: tens of thousands of lines.
const PLAYERS_MAX: u64 = 8 << 20;

/// More players than any section ever had; every one is in each picture of the hall.
const PLAYERS: usize = 2000;

/// The longest name, letters; screens and reports cut off far earlier.
const NAME: usize = 200;

/// An event as its file and its list of players give it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The settings.
    pub settings: EventSettings,
    /// The players that could be read, by number.
    pub players: Vec<Player>,
    /// The numbers that the list of players gives itself, not only by the order of its lines.
    pub numbered: BTreeSet<PlayerNo>,
    /// What is worth a look, but may be as it should: doubled names, a guessed encoding.
    pub notes: Vec<Problem>,
}

/// Loads an event file. The second half of the answer are warnings: lines of the list of players
/// that were left out.
pub(super) fn load(path: &Path) -> Result<(Event, Vec<Problem>), Vec<Problem>> {
    let text = super::read_file(path).map_err(|problem| vec![problem])?;
    let mut document = Document::parse(path, &text)?;
    let (file, mut problems) = document.read::<EventFile>();
    let Some(mut file) = file else {
        return Err(problems);
    };
    if file.file.take().is_some() {
        problems.push(document.problem(
            &["file"],
            "an event file cannot name another one",
            "remove the key",
        ));
    }
    build(file, &document, &[], path, problems)
}

/// Makes the event of its keys, which stand below `at` in the document. `problems` are those found
/// so far: the event is only given when there is none.
pub(super) fn build(
    file: EventFile,
    document: &Document<'_>,
    at: &[&str],
    path: &Path,
    problems: Vec<Problem>,
) -> Result<(Event, Vec<Problem>), Vec<Problem>> {
    let mut builder = Builder {
        document,
        at,
        path,
        problems,
        warnings: Vec::new(),
    };
    let event = builder.event(file);
    match event {
        Some(event) if builder.problems.is_empty() => Ok((event, builder.warnings)),
        Some(_) | None => {
            builder.problems.append(&mut builder.warnings);
            Err(builder.problems)
        }
    }
}

struct Builder<'a> {
    document: &'a Document<'a>,
    at: &'a [&'a str],
    path: &'a Path,
    problems: Vec<Problem>,
    warnings: Vec<Problem>,
}

impl Builder<'_> {
    fn problem(&mut self, keys: &[&str], message: impl Into<String>, hint: impl Into<String>) {
        let keys: Vec<&str> = self.at.iter().chain(keys).copied().collect();
        self.problems
            .push(self.document.problem(&keys, message, hint));
    }

    fn event(&mut self, file: EventFile) -> Option<Event> {
        let file = self.with_preset(file);
        let players = self.players(file.players.as_deref());
        let List {
            players,
            numbered,
            event_name,
            notes,
        } = players.unwrap_or_default();
        let missing = |builder: &mut Self, key: &str, example: &str| {
            // A value of the wrong type was reported and left out before.
            if builder.document.has(builder.at, key) {
                return;
            }
            builder.problem(
                &[],
                format!("`{key}` is missing"),
                format!("add `{key} = {example}`"),
            );
        };
        if file.players.is_none() {
            missing(self, "players", "\"players.csv\"");
        }
        let name = file
            .name
            .or(event_name)
            .filter(|name| !name.trim().is_empty());
        if name.is_none() {
            missing(self, "name", "\"Autumn Cup\"");
        }
        if let Some(length) = name.as_deref().map(letters)
            && length > NAME
        {
            let message = format!("a name of {length} letters");
            self.problem(&["name"], message, format!("write at most {NAME}"));
        }
        match file.time_control.as_deref() {
            None => missing(self, "time_control", "\"70 min + 30 s/move\""),
            Some("none") => {}
            Some(text) => {
                if let Err(error) = text.parse::<TimeControl>() {
                    self.problem(
                        &["time_control"],
                        format!("\"{text}\" is no time control: {error}"),
                        format!("{}; or \"none\"", error.hint()),
                    );
                }
            }
        }
        let system = self.system(file.system.as_deref(), file.double);
        let system_notes = self.format(&system, &players);
        if let Some(needed) = system.system().rounds(players.len())
            && let Some(rounds) = file.rounds
            && rounds > needed
            && !players.is_empty()
        {
            let message = format!("{} players need {needed} rounds", players.len());
            self.problem(&["rounds"], message, "write less, or remove the key");
        }
        if file.rounds == Some(0) {
            self.problem(
                &["rounds"],
                "an event has at least one round",
                "write 1 or more",
            );
        }
        let play_off = file.play_off.map(|play_off| {
            if !(1..=100).contains(&play_off.after_percent) {
                self.problem(
                    &["play_off", "after_percent"],
                    "is no share",
                    "write 1 to 100",
                );
            }
            PlayOffTime {
                after_percent: play_off.after_percent,
                time: play_off.time.0,
            }
        });
        if system.is_swiss() && file.rounds.is_none() {
            missing(self, "rounds", "9");
        }
        if file.acceleration == Some(AccelerationFile::Baku) && !system.is_swiss() {
            self.problem(
                &["acceleration"],
                "only a Swiss can be accelerated",
                "remove the key",
            );
        }
        let drawing = self.drawing(file.drawing, file.drawing_seed, &system, players.len());
        let forbidden = self.forbidden(file.forbidden.unwrap_or_default(), &players);
        if !system.is_swiss()
            && let Some(byes) = &file.byes
            && byes.iter().any(|worth| *worth != RequestedBye::Zero)
        {
            self.problem(
                &["byes"],
                "only a Swiss gives points to who misses a round",
                "remove the key",
            );
        }
        let mut accept = file.accept.unwrap_or_default();
        match file.publish {
            Some(PublishFile::AtOnce) => {
                accept.insert(ProposalKind::Pairing);
            }
            Some(PublishFile::ByArbiter) if accept.contains(&ProposalKind::Pairing) => {
                self.problem(
                    &["publish"],
                    "`accept` has \"pairing\", which publishes at once",
                    "remove one of them",
                );
            }
            Some(PublishFile::ByArbiter) | None => {}
        }
        let schedule = self.schedule(file.schedule.unwrap_or_default(), file.rounds);
        let illegal_moves = self.illegal_moves(file.illegal_moves.unwrap_or_default());
        let section = file.section.or_else(|| "open".parse().ok())?;
        let default = EventSettings::new(name?, section, None);
        // An absence can be announced in every event.
        let byes = file.byes.map(|mut byes| {
            byes.insert(RequestedBye::Zero);
            byes
        });
        let settings = EventSettings {
            time_control: file.time_control.filter(|text| text != "none"),
            default_time: file.default_time.unwrap_or(default.default_time),
            rounds: file.rounds,
            variant: file.variant.unwrap_or_default(),
            tie_breaks: file.tie_breaks.unwrap_or_else(|| TieBreak::usual(&system)),
            system,
            accept,
            illegal_moves,
            schedule,
            no_draw_before_move: file.no_draw_before_move,
            play_off_time: play_off,
            photography: photography(file.photography.unwrap_or_default()),
            start_by_itself: file.start_by_itself.unwrap_or(false),
            initial_colour: file.initial_colour.map(|side| match side {
                Side::White => Color::White,
                Side::Black => Color::Black,
            }),
            forbidden,
            drawing,
            acceleration: match file.acceleration.unwrap_or_default() {
                AccelerationFile::None => Acceleration::None,
                AccelerationFile::Baku => Acceleration::Baku { last: None },
            },
            byes: byes.unwrap_or(default.byes),
            ..default
        };
        Some(Event {
            settings,
            players,
            numbered,
            notes: notes.into_iter().chain(system_notes).collect(),
        })
    }

    fn system(&mut self, name: Option<&str>, double: Option<bool>) -> PairingSystem {
        let system = match name.unwrap_or("round-robin").parse() {
            Ok(system) => system,
            Err(error) => {
                let (message, hint) = match &error {
                    SystemError::Unknown(name) => (
                        format!("unknown system \"{name}\""),
                        suggest(name, &PairingSystem::names()),
                    ),
                    error => {
                        let text = error.to_string();
                        let (message, hint) = text.split_once("; ").unwrap_or((&text, ""));
                        (message.to_owned(), hint.to_owned())
                    }
                };
                self.problem(&["system"], message, hint);
                PairingSystem::RoundRobin { cycles: 1 }
            }
        };
        match system {
            PairingSystem::RoundRobin { cycles: 1 } if double == Some(true) => {
                PairingSystem::RoundRobin { cycles: 2 }
            }
            _ if double == Some(true) => {
                self.problem(
                    &["double"],
                    "only a round robin is played twice",
                    "remove the key; other systems say it themselves, e.g. \"scheveningen:2\"",
                );
                system
            }
            system => system,
        }
    }

    /// Whether these players can play this format at all, and what is worth knowing beforehand.
    fn format(&mut self, system: &PairingSystem, players: &[Player]) -> Vec<Problem> {
        let name = system.name();
        if system.is_of_teams() {
            let message = format!("{name} pairs teams, which a hub does not know");
            let hint = "use `flagfall pair` with a report file of teams (records 310 or 013)";
            self.problem(&["system"], message, hint);
            return Vec::new();
        }
        if *system == PairingSystem::DoubleSwiss {
            let message =
                format!("{name} pairs matches of two games, a round of a hub is one game");
            let hint = "use `flagfall pair`, or the system \"dutch\"";
            self.problem(&["system"], message, hint);
            return Vec::new();
        }
        if system.is_swiss() || players.len() < 2 {
            return Vec::new();
        }
        let input = Input {
            players: players
                .iter()
                .map(|player| Entrant::present(player.no))
                .collect(),
            history: Vec::new(),
            round: RoundNo(1),
            settings: pairing::Settings::default(),
        };
        match system.settled_for(players, 0).system().pair(&input) {
            Ok(first) => {
                let free: Vec<String> = (first.unpaired.iter())
                    .map(|unpaired| unpaired.player.to_string())
                    .collect();
                if free.is_empty() {
                    return Vec::new();
                }
                let message = format!(
                    "{} players are no power of two: number {} goes on from stage 1 without a game",
                    players.len(),
                    free.join(", ")
                );
                let hint = "the numbers are the seeding; put the list in the order that you mean";
                let keys: Vec<&str> = self.at.iter().copied().chain(["system"]).collect();
                vec![self.document.problem(&keys, message, hint)]
            }
            Err(error) => {
                let text = error.to_string();
                let (message, hint) = text.split_once("; ").unwrap_or((&text, ""));
                self.problem(&["system"], format!("{name}: {message}"), hint);
                Vec::new()
            }
        }
    }

    fn drawing(
        &mut self,
        file: Option<DrawingFile>,
        seed: Option<u64>,
        system: &PairingSystem,
        players: usize,
    ) -> Option<Drawing> {
        let by = match file.unwrap_or_default() {
            DrawingFile::Varma => DrawnBy::Federation,
            DrawingFile::VarmaClub => DrawnBy::Club,
            DrawingFile::List => {
                if seed.is_some() {
                    let hint = "add `drawing = \"varma\"`, or remove the key";
                    self.problem(&["drawing_seed"], "nothing is drawn", hint);
                }
                return None;
            }
        };
        if !matches!(system, PairingSystem::RoundRobin { .. }) {
            let hint = "remove the key, or write `system = \"round-robin\"`";
            self.problem(&["drawing"], "the Varma tables are for round robins", hint);
        }
        if players > 1 && !(9..=24).contains(&players) {
            let message = format!("the Varma tables are for 9 to 24 players, there are {players}");
            self.problem(&["drawing"], message, "remove the key");
        }
        Some(Drawing { by, seed })
    }

    fn forbidden(&mut self, file: Vec<ForbiddenFile>, players: &[Player]) -> Vec<Forbidden> {
        let mut groups = Vec::new();
        for (at, group) in file.into_iter().enumerate() {
            let at = at.to_string();
            let different: BTreeSet<PlayerNo> = group.players.iter().copied().collect();
            if different.len() < 2 {
                let hint = "name two different numbers or more";
                self.problem(&["forbidden", &at, "players"], "nobody is kept apart", hint);
            }
            for no in different {
                if !players.is_empty() && !players.iter().any(|player| player.no == no) {
                    let message = format!("number {no} is not in the list of players");
                    let hint = "correct the number";
                    self.problem(&["forbidden", &at, "players"], message, hint);
                }
            }
            let first = group.first.unwrap_or(1);
            if first == 0 || group.last.is_some_and(|last| last < first) {
                let hint = "rounds count from 1; the last is not before the first";
                self.problem(&["forbidden", &at], "holds in no round", hint);
            }
            groups.push(Forbidden {
                players: group.players,
                first: RoundNo(first),
                last: group.last.map(RoundNo),
            });
        }
        groups
    }

    fn with_preset(&mut self, file: EventFile) -> EventFile {
        let Some(name) = file.preset.clone() else {
            return file;
        };
        let Some((_, text)) = PRESETS.iter().find(|(preset, _)| *preset == name) else {
            let names = PRESETS.map(|(preset, _)| preset);
            self.problem(
                &["preset"],
                format!("unknown preset \"{name}\""),
                suggest(&name, &names),
            );
            return file;
        };
        let preset = Path::new("preset").join(&name);
        let read = Document::parse(&preset, text).map(|mut document| document.read::<EventFile>());
        match read {
            Ok((Some(preset), problems)) => {
                self.problems.extend(problems);
                file.or(preset)
            }
            Ok((None, problems)) | Err(problems) => {
                self.problems.extend(problems);
                file
            }
        }
    }

    /// The players and the name that a report file gives to the event.
    fn players(&mut self, path: Option<&Path>) -> Option<List> {
        let path = super::beside(self.path, path?);
        let bytes = match super::read_bounded(&path, PLAYERS_MAX) {
            Ok(bytes) => bytes,
            Err(error) => {
                let message = format!("cannot read {}: {error}", path.display());
                let hint = "the path is taken from the place of this file";
                self.problem(&["players"], message, hint);
                return None;
            }
        };
        let (list, errors) = List::read(&path, &bytes);
        let players = &list.players;
        let broken = errors.len();
        self.warnings.extend(errors);
        if players.len() < 2 {
            let few = format!("{} has {} players", path.display(), players.len());
            // The lines are named below it.
            let (message, hint) = match broken {
                0 => (few, "an event needs at least two"),
                1 => (
                    format!("{few}, because one line cannot be read"),
                    "correct it: an event needs at least two",
                ),
                lines => (
                    format!("{few}, because {lines} lines cannot be read"),
                    "correct them: an event needs at least two",
                ),
            };
            self.problem(&["players"], message, hint);
        }
        if players.len() > PLAYERS {
            let message = format!("{} has {} players", path.display(), players.len());
            let hint =
                format!("an event has at most {PLAYERS}; give each section a hub of its own");
            self.problem(&["players"], message, hint);
        }
        let long = |player: &&Player| letters(&player.name) > NAME;
        if let Some(player) = players.iter().find(long) {
            let message = format!(
                "{}: the name of player {} has {} letters",
                path.display(),
                player.no,
                letters(&player.name)
            );
            self.problem(&["players"], message, format!("write at most {NAME}"));
        }
        Some(list)
    }

    fn illegal_moves(&mut self, file: IllegalMovesFile) -> IllegalMovePolicy {
        let default = IllegalMovePolicy::default();
        for (key, value) in [
            ("losing", file.losing),
            ("hand_violations", file.hand_violations),
        ] {
            if value == Some(0) {
                self.problem(
                    &["illegal_moves", key],
                    "0 would lose every game",
                    "write 1 or more",
                );
            }
        }
        IllegalMovePolicy {
            losing: file.losing.unwrap_or(default.losing),
            bonus: file.bonus.map_or(default.bonus, |bonus| bonus.0),
            draw_without_mating_material: file
                .draw_without_mating_material
                .unwrap_or(default.draw_without_mating_material),
            hand_violations: file.hand_violations.unwrap_or(default.hand_violations),
        }
    }

    fn schedule(&mut self, file: ScheduleFile, event_rounds: Option<u16>) -> Schedule {
        let zone = self.zone(file.zone.as_deref());
        let starts: Vec<(Vec<String>, String)> = match (file.first_round, file.rounds) {
            (Some(_), Some(_)) => {
                self.problem(
                    &["schedule", "first_round"],
                    "`first_round` and `rounds` both say when round 1 starts",
                    "remove one of them",
                );
                Vec::new()
            }
            (Some(first), None) => vec![(vec!["first_round".to_owned()], first)],
            (None, rounds) => (rounds.unwrap_or_default().into_iter().enumerate())
                .map(|(at, text)| (vec!["rounds".to_owned(), at.to_string()], text))
                .collect(),
        };
        if let Some(rounds @ 1..) = event_rounds
            && starts.len() > usize::from(rounds)
        {
            let message = format!("{} starts for {rounds} rounds", starts.len());
            self.problem(
                &["schedule", "rounds"],
                message,
                "correct the list or `rounds`",
            );
        }
        let mut rounds: Vec<RoundStart> = Vec::new();
        let mut previous = None;
        for (keys, text) in starts {
            let keys: Vec<&str> = std::iter::once("schedule")
                .chain(keys.iter().map(String::as_str))
                .collect();
            match local_instant(&text, zone.as_ref().unwrap_or(&TimeZone::UTC)) {
                Ok(at) => {
                    if file.zone.is_none() && !has_offset(&text) {
                        self.problem(
                            &keys,
                            format!("\"{text}\" is a time of no zone"),
                            "add `zone = \"Europe/Kyiv\"`",
                        );
                    }
                    if previous.is_some_and(|previous| previous >= at) {
                        let message = format!("\"{text}\" is not after the round before");
                        self.problem(&keys, message, "put the rounds in order");
                    }
                    previous = Some(at);
                    rounds.push(RoundStart::At { at });
                }
                Err(error) => self.problem(&keys, error.to_string(), ""),
            }
        }
        let otherwise = file.pause.map_or(RoundStart::ByHand, |Minutes(pause)| {
            RoundStart::AfterPrevious { pause }
        });
        Schedule {
            zone: file.zone.unwrap_or_default(),
            rounds,
            otherwise,
        }
    }

    fn zone(&mut self, name: Option<&str>) -> Option<TimeZone> {
        let name = name?;
        if let Ok(zone) = TimeZone::get(name) {
            return Some(zone);
        }
        let names: Vec<String> = jiff::tz::db()
            .available()
            .map(|name| name.to_string())
            .collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let message = format!("unknown time zone \"{name}\"");
        // Who writes the city alone means the zone that is named after it.
        let city = names.iter().find(|zone| {
            zone.rsplit_once('/')
                .is_some_and(|(_, city)| city.eq_ignore_ascii_case(&name.replace(' ', "_")))
        });
        let hint = city.map_or_else(
            || suggest(name, &names),
            |zone| format!("did you mean `{zone}`?"),
        );
        self.problem(&["schedule", "zone"], message, hint);
        None
    }
}

fn photography(file: PhotographyFile) -> Photography {
    let default = Photography::default();
    Photography {
        first_round: file.first_round.map_or(default.first_round, |time| time.0),
        later_rounds: file
            .later_rounds
            .map_or(default.later_rounds, |time| time.0),
    }
}

fn letters(name: &str) -> usize {
    name.chars().count()
}

/// Whether a time says its own offset: `Z`, or a sign behind the time of day.
fn has_offset(text: &str) -> bool {
    text.split_once(':')
        .is_some_and(|(_, rest)| rest.contains(['Z', 'z', '+', '-']))
}
