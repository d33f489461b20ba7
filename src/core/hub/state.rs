//! The hall as the journal tells it: a fold over events, and nothing else.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;

use crate::{
    chess::{
        MoveMade,
        game::{Gap, IllegalAttempt, sides},
    },
    hub::{
        event::{
            AlertFact, AlertKind, BoardFact, BySide, ClockFact, DeviceFact, Event, Fact, Mark,
            PlayerFact, Proposal, Proposed, ResultSource, RoundFact, SetUp, Times, Verdict,
        },
        view::Severity,
    },
    pairing::{RoundPairing, knock_out::Decision},
    protocol::DeviceInfo,
    tournament::{Bye, GameResult, PairingSystem, Player, Termination},
    types::{Color, DeviceId, PlayerNo, RoundNo, TableNo},
};

/// Everything that the journal's events say.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HallState {
    /// The last event.
    pub seq: u64,
    /// When it was written.
    pub at: Option<Timestamp>,
    /// The event that is played.
    pub set_up: Option<SetUp>,
    /// The initial colour as the lot gave it.
    pub lot: Option<Color>,
    /// The pairing system with what its settings leave open.
    pub settled: Option<PairingSystem>,
    /// Knock-out matches that were level and have been decided.
    pub decisions: Vec<Decision>,
    /// Who left the event and came back: by player, the rounds from which he was away (true) or there
    /// again (false).
    pub departures: BTreeMap<PlayerNo, BTreeMap<RoundNo, bool>>,
    /// Byes that were asked for, and announced absences.
    pub byes: BTreeMap<(RoundNo, PlayerNo), Bye>,
    /// The rounds so far, the current one last.
    pub rounds: Vec<Round>,
    /// All devices that were ever seen.
    pub devices: BTreeMap<DeviceId, Device>,
    /// Open alerts by number.
    pub alerts: BTreeMap<u64, Alert>,
    /// Open proposals by number.
    pub proposals: BTreeMap<u64, OpenProposal>,
    /// The last decided proposals by number.
    pub decided: BTreeMap<u64, Decided>,
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Its number.
    pub number: RoundNo,
    /// Who meets whom.
    pub pairing: RoundPairing,
    /// Who was not there when it was paired.
    pub away: BTreeSet<PlayerNo>,
    /// The draft as it was before players left, came or asked for byes.
    pub before: Option<RoundPairing>,
    /// The games by table.
    pub games: BTreeMap<TableNo, Game>,
    /// The pairing is public.
    pub published: bool,
    /// The planned start.
    pub starts_at: Option<Timestamp>,
    /// The start is delayed, with what the hall reads.
    pub held: Option<Option<String>>,
    /// Marks reached since the start was last set.
    pub marks: BTreeSet<Mark>,
    /// The declared start.
    pub started_at: Option<Timestamp>,
    /// Default time is over.
    pub default_passed: bool,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
}

/// A game of the current or an earlier round.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Who has White.
    pub white: PlayerNo,
    /// Who has Black.
    pub black: PlayerNo,
    /// The start position stood on the board.
    pub ready: bool,
    /// White sits at the wire's rank 8; `None` before the start position was seen.
    pub turned: Option<bool>,
    /// The clock has run.
    pub clock_started: bool,
    /// The moves that are known.
    pub moves: Vec<PlayedMove>,
    /// Where moves are missing.
    pub gaps: Vec<Gap>,
    /// What stands on the board is not understood.
    pub disturbed: bool,
    /// Presses since the last one that answered for a recorded move.
    pub ahead: u16,
    /// The last times that the journal has.
    pub times: Option<Times>,
    /// When they were read.
    pub times_at: Option<Timestamp>,
    /// Whose time ran then; `None` when the clock stood.
    pub to_run: Option<Color>,
    /// Fallen flags, first fallen first.
    pub flags: Vec<Color>,
    /// Illegal moves that an arbiter recorded (R-RS-6).
    pub illegal: BySide<u8>,
    /// What was tried against the rules, recorded or not, for the PGN.
    pub attempts: Vec<IllegalAttempt>,
    /// The result that stands.
    pub result: Option<(GameResult, Termination)>,
    /// What that result rests on, when it was noted.
    pub result_source: Option<ResultSource>,
}

/// A half move of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayedMove {
    /// UCI.
    pub uci: Box<str>,
    /// SAN.
    pub san: Box<str>,
    /// The times after the press.
    pub times: Option<Times>,
}

/// A device.
#[derive(Clone, Debug, PartialEq)]
pub struct Device {
    /// What it says of itself.
    pub info: DeviceInfo,
    /// Where it was last seen.
    pub port: String,
    /// The table that it serves.
    pub table: Option<TableNo>,
    /// It talks.
    pub online: bool,
    /// Charge left, 0–100.
    pub battery: Option<u8>,
}

/// An open alert.
#[derive(Clone, Debug, PartialEq)]
pub struct Alert {
    /// What it is about.
    pub about: AlertKind,
    /// How pressing.
    pub severity: Severity,
    /// Where.
    pub table: Option<TableNo>,
    /// Which device.
    pub device: Option<DeviceId>,
    /// What happened and what to do.
    pub text: String,
    /// When.
    pub raised_at: Timestamp,
    /// Who took it.
    pub acknowledged_by: Option<String>,
    /// Nobody took it in time.
    pub escalated: bool,
    /// The proposal whose decision closes it.
    pub proposal: Option<u64>,
}

/// An open proposal.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenProposal {
    /// Where.
    pub table: TableNo,
    /// What.
    pub proposal: Proposal,
    /// When.
    pub raised_at: Timestamp,
}

/// Who decided a proposal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// How.
    pub verdict: Verdict,
    /// Who, as the event names him.
    pub by: String,
    /// When.
    pub at: Timestamp,
}

/// Decisions remembered for those who come too late.
const DECIDED: usize = 2000;

impl HallState {
    /// Takes one event in.
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        self.at = Some(event.at);
        match &event.fact {
            Fact::Event(set_up) => self.apply_set_up(set_up),
            Fact::Round(fact) => self.apply_round(event, fact),
            Fact::Player(fact) => self.apply_player(fact),
            Fact::Announce { mark } => {
                if let Some(round) = self.rounds.last_mut() {
                    round.marks.insert(*mark);
                }
            }
            Fact::Device(fact) => self.apply_device(event, fact),
            Fact::Proposal(proposal) => {
                if let Some(table) = event.table {
                    let open = OpenProposal {
                        table,
                        proposal: proposal.clone(),
                        raised_at: event.at,
                    };
                    self.proposals.insert(event.seq, open);
                }
            }
            Fact::Decision {
                proposal,
                verdict,
                by,
                ..
            } => {
                let decided = Decided {
                    verdict: *verdict,
                    by: by.clone(),
                    at: event.at,
                };
                self.apply_decision(*proposal, decided);
            }
            Fact::Alert(fact) => self.apply_alert(event, fact),
            Fact::Board(_)
            | Fact::Move(_)
            | Fact::Withdrawn { .. }
            | Fact::Press { .. }
            | Fact::Clock(_)
            | Fact::Flag { .. }
            | Fact::Correction { .. }
            | Fact::IllegalClaim(_)
            | Fact::Result { .. } => {
                if let Some(game) = self.game_of_mut(event) {
                    game.apply(event);
                }
            }
            Fact::Call { .. } | Fact::Incident { .. } => {}
        }
    }

    fn apply_set_up(&mut self, set_up: &SetUp) {
        if self
            .set_up
            .as_ref()
            .is_some_and(|old| old.settings.section != set_up.settings.section)
        {
            self.begin_anew();
        }
        self.set_up = Some(set_up.clone());
    }

    fn apply_player(&mut self, fact: &PlayerFact) {
        match fact {
            PlayerFact::Withdrawn { player, from, .. } => {
                let turns = self.departures.entry(*player).or_default();
                turns.insert(*from, true);
            }
            PlayerFact::Returned { player, from, .. } => {
                let turns = self.departures.entry(*player).or_default();
                turns.insert(*from, false);
            }
            PlayerFact::Bye {
                player,
                in_round,
                bye,
                ..
            } => {
                match bye {
                    Some(bye) => self.byes.insert((*in_round, *player), *bye),
                    None => self.byes.remove(&(*in_round, *player)),
                };
            }
        }
    }

    /// Another event begins: its rounds are its own; devices stay where they are.
    fn begin_anew(&mut self) {
        self.rounds.clear();
        self.lot = None;
        self.settled = None;
        self.decisions.clear();
        self.departures.clear();
        self.byes.clear();
        self.proposals.clear();
        self.decided.clear();
        self.alerts.retain(|_, alert| alert.table.is_none());
    }

    fn apply_round(&mut self, event: &Event, fact: &RoundFact) {
        if let RoundFact::Lot { colour, .. } = fact {
            self.lot = Some(*colour);
            return;
        }
        if let RoundFact::Settled { system, .. } = fact {
            self.settled = Some(system.clone());
            return;
        }
        if let RoundFact::MatchDecided {
            stage,
            winner,
            loser,
            how,
            ..
        } = fact
        {
            self.decisions.push(Decision {
                stage: Some(*stage),
                winner: *winner,
                loser: *loser,
                by: *how,
            });
            return;
        }
        if let RoundFact::Paired { pairing, anew, .. } = fact {
            let last = self.rounds.last();
            // Old journals may hold several events of one section.
            if last.is_some_and(|last| pairing.round < last.number) {
                self.begin_anew();
            }
            let draft = self
                .rounds
                .last()
                .is_some_and(|last| last.number == pairing.round);
            let old = if draft { self.rounds.pop() } else { None };
            let mut round = Round::new(pairing.clone());
            round.away = self.away(round.number);
            if let Some(old) = old {
                if *anew {
                    round.before = old.before.or(Some(old.pairing));
                }
                round.starts_at = old.starts_at;
                round.held = old.held;
                round.marks = old.marks;
            }
            self.rounds.push(round);
            return;
        }
        let Some(round) = self.rounds.last_mut() else {
            return;
        };
        match fact {
            RoundFact::Lot { .. }
            | RoundFact::Settled { .. }
            | RoundFact::MatchDecided { .. }
            | RoundFact::Paired { .. } => {}
            RoundFact::Published { .. } => round.published = true,
            RoundFact::Scheduled { starts_at, .. } => {
                round.starts_at = Some(*starts_at);
                round.held = None;
                round.marks.clear();
            }
            RoundFact::Held { reason, .. } => round.held = Some(reason.clone()),
            RoundFact::Started { .. } => {
                round.started_at = Some(event.at);
                round.held = None;
            }
            RoundFact::DefaultTime => round.default_passed = true,
            RoundFact::Closed { .. } => round.closed_at = Some(event.at),
        }
    }

    fn apply_device(&mut self, event: &Event, fact: &DeviceFact) {
        let Some(id) = &event.device else { return };
        match fact {
            DeviceFact::Found { info, port } => {
                let known = self.devices.entry(id.clone()).or_insert_with(|| Device {
                    info: info.clone(),
                    port: port.clone(),
                    table: None,
                    online: true,
                    battery: None,
                });
                known.info.clone_from(info);
                known.port.clone_from(port);
                known.online = true;
            }
            DeviceFact::Lost { .. } => {
                if let Some(device) = self.devices.get_mut(id) {
                    device.online = false;
                }
            }
            DeviceFact::Assigned { .. } => {
                // A table is served by one device.
                for other in self.devices.values_mut() {
                    if event.table.is_some() && other.table == event.table {
                        other.table = None;
                    }
                }
                if let Some(device) = self.devices.get_mut(id) {
                    device.table = event.table;
                }
            }
            DeviceFact::Battery { percent } => {
                if let Some(device) = self.devices.get_mut(id) {
                    device.battery = Some(*percent);
                }
            }
            DeviceFact::Quarantined { .. } | DeviceFact::Fault { .. } => {}
        }
    }

    fn apply_decision(&mut self, number: u64, decided: Decided) {
        let Some(open) = self.proposals.remove(&number) else {
            return;
        };
        let verdict = decided.verdict;
        self.decided.insert(number, decided);
        if self.decided.len() > DECIDED {
            self.decided.pop_first();
        }
        if let Proposed::IllegalMove { side } = open.proposal.proposed
            && verdict == Verdict::Accepted
            && let Some(game) = self.game_mut(open.table)
        {
            *game.illegal.of_mut(side) += 1;
        }
    }

    fn apply_alert(&mut self, event: &Event, fact: &AlertFact) {
        match fact {
            AlertFact::Raised {
                about,
                severity,
                text,
                proposal,
            } => {
                let alert = Alert {
                    about: *about,
                    severity: *severity,
                    table: event.table,
                    device: event.device.clone(),
                    text: text.clone(),
                    raised_at: event.at,
                    acknowledged_by: None,
                    escalated: false,
                    proposal: *proposal,
                };
                self.alerts.insert(event.seq, alert);
            }
            AlertFact::Acknowledged { alert, by } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.acknowledged_by = Some(by.clone());
                }
            }
            AlertFact::Escalated { alert } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.escalated = true;
                }
            }
            AlertFact::Closed { alert, .. } => {
                self.alerts.remove(alert);
            }
        }
    }

    fn game_of_mut(&mut self, event: &Event) -> Option<&mut Game> {
        // The round of the event, so that a result amended later finds its game.
        let number = event.round?;
        let round = self
            .rounds
            .iter_mut()
            .rev()
            .find(|round| round.number == number)?;
        round.games.get_mut(&event.table?)
    }

    /// The initial colour: as the event sets it, else by lot; `None` while neither is known.
    pub fn initial_colour(&self) -> Option<Color> {
        let set = self.set_up.as_ref()?.settings.initial_colour;
        set.or(self.lot)
    }

    /// Whether a player has left the event when a round is played.
    pub fn has_left(&self, player: PlayerNo, round: RoundNo) -> bool {
        let turns = self.departures.get(&player);
        turns
            .and_then(|turns| turns.range(..=round).next_back())
            .is_some_and(|(_, left)| *left)
    }

    /// The first round that a player misses who has left when a round is played.
    pub fn left_since(&self, player: PlayerNo, round: RoundNo) -> Option<RoundNo> {
        let turns = self.departures.get(&player)?;
        let (since, left) = turns.range(..=round).next_back()?;
        left.then_some(*since)
    }

    /// Everybody who has left the event when a round is played, or misses that round.
    pub fn away(&self, round: RoundNo) -> BTreeSet<PlayerNo> {
        let players = self.set_up.iter().flat_map(|set_up| &set_up.players);
        players
            .map(|player| player.no)
            .filter(|no| self.has_left(*no, round) || self.byes.contains_key(&(round, *no)))
            .collect()
    }

    /// The current round.
    pub fn round(&self) -> Option<&Round> {
        self.rounds.last()
    }

    /// The game of a table in the current round.
    pub fn game(&self, table: TableNo) -> Option<&Game> {
        self.round()?.games.get(&table)
    }

    fn game_mut(&mut self, table: TableNo) -> Option<&mut Game> {
        self.rounds.last_mut()?.games.get_mut(&table)
    }

    /// A player by number.
    pub fn player(&self, no: PlayerNo) -> Option<&Player> {
        self.set_up
            .as_ref()?
            .players
            .iter()
            .find(|player| player.no == no)
    }

    /// The device that serves a table.
    pub fn device_at(&self, table: TableNo) -> Option<(&DeviceId, &Device)> {
        self.devices
            .iter()
            .find(|(_, device)| device.table == Some(table))
    }
}

impl Round {
    fn new(pairing: RoundPairing) -> Self {
        let games = pairing
            .pairs
            .iter()
            .map(|pair| (TableNo(pair.board), Game::new(pair.white, pair.black)))
            .collect();
        Self {
            number: pairing.round,
            pairing,
            away: BTreeSet::new(),
            before: None,
            games,
            published: false,
            starts_at: None,
            held: None,
            marks: BTreeSet::new(),
            started_at: None,
            default_passed: false,
            closed_at: None,
        }
    }

    /// Tables without a result.
    pub fn open_tables(&self) -> impl Iterator<Item = TableNo> + '_ {
        self.games
            .iter()
            .filter(|(_, game)| game.result.is_none())
            .map(|(table, _)| *table)
    }
}

impl Game {
    fn new(white: PlayerNo, black: PlayerNo) -> Self {
        Self {
            white,
            black,
            ready: false,
            turned: None,
            clock_started: false,
            moves: Vec::new(),
            gaps: Vec::new(),
            disturbed: false,
            ahead: 0,
            times: None,
            times_at: None,
            to_run: None,
            flags: Vec::new(),
            illegal: BySide::default(),
            attempts: Vec::new(),
            result: None,
            result_source: None,
        }
    }

    fn apply(&mut self, event: &Event) {
        let before = self.times;
        self.apply_fact(&event.fact);
        if self.times != before || matches!(event.fact, Fact::Press { .. } | Fact::Clock(_)) {
            self.times_at = Some(event.at);
        }
    }

    fn apply_fact(&mut self, fact: &Fact) {
        match fact {
            Fact::Board(BoardFact::Ready { turned }) => {
                self.ready = true;
                self.turned = Some(*turned);
                // The start position again in mid-game is a game begun anew (quirk 21).
                self.moves.clear();
                self.gaps.clear();
                self.disturbed = false;
            }
            Fact::Board(BoardFact::Disturbed { .. }) => self.disturbed = true,
            Fact::Board(BoardFact::Restored) => self.disturbed = false,
            Fact::Board(BoardFact::Gap { after, fen }) => {
                self.disturbed = false;
                self.ahead = 0;
                Gap::add(&mut self.gaps, *after, fen.clone());
            }
            Fact::Board(BoardFact::GapClosed { after }) => {
                self.gaps.retain(|gap| gap.after != *after);
            }
            Fact::Move(made) => self.push(made),
            Fact::Withdrawn { ply, replaced_by } => {
                self.moves.truncate(usize::from(*ply).saturating_sub(1));
                self.gaps.retain(|gap| gap.after < *ply);
                if let Some(made) = replaced_by {
                    self.push(made);
                }
            }
            Fact::IllegalClaim(claim) => {
                self.disturbed = true;
                self.attempts.push(IllegalAttempt {
                    ply: claim.ply,
                    side: claim.side,
                    offending: claim.offending.clone(),
                    placement: claim.seen.clone(),
                });
            }
            Fact::Press { ply, side, times } => {
                self.times = Some(*times);
                self.to_run = Some(side.other());
                let index = usize::from(*ply).checked_sub(1);
                let mover = index.and_then(|index| self.sides().nth(index));
                // A press after moves that were missed belongs to none that is recorded.
                if mover == Some(*side) && self.ahead == 0 {
                    if let Some(played) = index.and_then(|index| self.moves.get_mut(index)) {
                        played.times = Some(*times);
                    }
                } else {
                    self.ahead = self.ahead.saturating_add(1);
                }
            }
            Fact::Clock(fact) => match fact {
                ClockFact::Started(times) | ClockFact::Restarted(times) => {
                    self.clock_started = true;
                    self.times = Some(*times);
                }
                ClockFact::Stopped(times) => {
                    self.times = Some(*times);
                    self.to_run = None;
                }
                ClockFact::Sample(times) => self.times = Some(*times),
                ClockFact::Gone
                | ClockFact::Back
                | ClockFact::BatteryLow
                | ClockFact::SideDoubt
                | ClockFact::AddedAfterFlag { .. } => {}
            },
            Fact::Flag { side, times, .. } => {
                self.times = Some(*times);
                if !self.flags.contains(side) {
                    self.flags.push(*side);
                }
            }
            Fact::Correction { after, .. } => {
                self.times = Some(*after);
                // A time put back takes the fallen flag with it.
                self.flags.retain(|side| after.of(*side).is_zero());
            }
            Fact::Result {
                result,
                termination,
                source,
                ..
            } => {
                self.result = Some((*result, *termination));
                self.result_source = *source;
            }
            Fact::Board(_)
            | Fact::Event(_)
            | Fact::Round(_)
            | Fact::Player(_)
            | Fact::Announce { .. }
            | Fact::Device(_)
            | Fact::Call { .. }
            | Fact::Proposal(_)
            | Fact::Decision { .. }
            | Fact::Alert(_)
            | Fact::Incident { .. } => {}
        }
    }

    fn push(&mut self, made: &MoveMade) {
        self.ahead = 0;
        self.moves.truncate(usize::from(made.ply).saturating_sub(1));
        let (uci, san) = (made.uci.as_str().into(), made.san.as_str().into());
        self.moves.push(PlayedMove {
            uci,
            san,
            times: None,
        });
    }

    /// Who made each of the moves, and then who is to move.
    pub fn sides(&self) -> impl Iterator<Item = Color> + '_ {
        sides(None, &self.gaps)
    }

    /// The side to move by the moves that are known.
    pub fn turn(&self) -> Color {
        self.sides().nth(self.moves.len()).unwrap_or(Color::White)
    }
}
