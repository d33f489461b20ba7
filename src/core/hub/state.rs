//! The hall as the journal tells it: a fold over events, and nothing else.

mod amend;
mod game;
mod screens;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use jiff::Timestamp;

use crate::{
    hub::{
        claims::is_illegal,
        event::{
            AlertFact, AlertKind, ClockFact, DeviceFact, Event, Evidence, Fact, Mark, Outcome,
            PlayOff, PlayerFact, Proposal, Proposed, ProtestFact, Reach, RequestKey, RoundFact,
            SetUp, Verdict,
        },
        staff::Staff,
        view::Severity,
    },
    pairing::{RoundPairing, knock_out::Decision},
    protocol::{DeviceInfo, open_clock},
    tournament::{Bye, PairingSystem, Player},
    types::{Color, DeviceId, PlayerNo, RoundNo, TableNo},
};

pub(in crate::hub) use self::amend::mirrored;
pub use self::{
    amend::{Amendments, Corrected},
    game::{Attempt, Early, Game, OpenCorrection, PlayedMove, Question},
    screens::{Screen, Screens},
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
    /// The arbiters; they stay when another event begins.
    pub staff: Staff,
    /// All devices that were ever seen.
    pub devices: BTreeMap<DeviceId, Device>,
    /// The tables whose clock says that its battery is low, and since when (R-CK-2).
    pub clock_low: BTreeMap<TableNo, Timestamp>,
    /// Open alerts by number.
    pub alerts: BTreeMap<u64, Alert>,
    /// Open proposals by number.
    pub proposals: BTreeMap<u64, OpenProposal>,
    /// The last decided proposals by number.
    pub decided: BTreeMap<u64, Decided>,
    /// The hall's screens.
    pub screens: Screens,
    /// Protests by number.
    pub protests: BTreeMap<u64, Protest>,
    /// What was public and was put right.
    pub amendments: Amendments,
    /// The last requests that may come again, oldest first.
    pub requests: VecDeque<RequestKey>,
}

/// A round.
#[derive(Clone, Debug, PartialEq)]
pub struct Round {
    /// Its number.
    pub number: RoundNo,
    /// The event with which it began: what it tells of earlier rounds of its number is another's.
    pub since: u64,
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
    /// The fixed time that the last boards were given.
    pub play_off: Option<PlayOff>,
    /// When it was closed.
    pub closed_at: Option<Timestamp>,
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

impl Device {
    /// It is a clock by itself: a table may have one besides its board.
    pub fn is_clock(&self) -> bool {
        self.info.family == open_clock::FAMILY
    }
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
    /// Who has taken it.
    pub owner: Option<String>,
    /// When he took it.
    pub taken_at: Option<Timestamp>,
    /// How far it has gone while nobody took it.
    pub reach: Reach,
    /// Whom it goes to; none: all.
    pub to: Vec<String>,
    /// The proposal whose decision closes it.
    pub proposal: Option<u64>,
    /// What stood at the table, where no proposal has it.
    pub evidence: Option<Box<Evidence>>,
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

/// A protest (R-RS-11).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Protest {
    /// The table, when it concerns one.
    pub table: Option<TableNo>,
    /// The round in which it was handed in.
    pub round: Option<RoundNo>,
    /// Whose.
    pub player: Option<PlayerNo>,
    /// Against what.
    pub text: String,
    /// When it was handed in.
    pub filed_at: Timestamp,
    /// Who recorded it.
    pub filed_by: String,
    /// Until when it is to be decided.
    pub due_at: Option<Timestamp>,
    /// How it ended.
    pub decided: Option<ProtestEnd>,
}

/// How a protest ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtestEnd {
    /// How.
    pub outcome: Outcome,
    /// The deposit was given back.
    pub deposit_returned: bool,
    /// Why.
    pub note: Option<String>,
    /// Who recorded it.
    pub by: String,
    /// When.
    pub at: Timestamp,
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
/// Requests remembered: what a hall of phones keeps for an hour without a network.
const REQUESTS: usize = 5000;

impl HallState {
    /// Takes one event in.
    pub fn apply(&mut self, event: &Event) {
        self.seq = event.seq;
        self.at = Some(event.at);
        if let Some(request) = &event.request {
            if self.requests.len() >= REQUESTS {
                self.requests.pop_front();
            }
            self.requests.push_back(request.clone());
        }
        match &event.fact {
            Fact::Event(set_up) => self.apply_set_up(set_up),
            Fact::Round(fact) => self.apply_round(event, fact),
            Fact::Player(fact) => self.apply_player(fact),
            Fact::Announce { mark } => {
                if let Some(round) = self.rounds.last_mut() {
                    round.marks.insert(*mark);
                }
            }
            Fact::Screen(fact) => self.screens.apply(fact),
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
            Fact::Clock(ClockFact::BatteryLow) => {
                if let Some(table) = event.table {
                    self.clock_low.entry(table).or_insert(event.at);
                }
            }
            Fact::Clock(ClockFact::BatteryGood) => {
                if let Some(table) = event.table {
                    self.clock_low.remove(&table);
                }
            }
            Fact::Board(_)
            | Fact::Move(_)
            | Fact::Withdrawn { .. }
            | Fact::Press { .. }
            | Fact::Clock(_)
            | Fact::Flag { .. }
            | Fact::Correction { .. }
            | Fact::CorrectionOrder(_)
            | Fact::IllegalClaim(_)
            | Fact::Result { .. } => {
                if let Some(game) = self.game_of_mut(event) {
                    game.apply(event);
                }
            }
            Fact::Staff { staff, .. } => self.staff = staff.clone(),
            Fact::Protest(fact) => self.apply_protest(event, fact),
            Fact::Amendment(amendment) => self.apply_amendment(event.seq, amendment),
            Fact::Call { .. } | Fact::Claim(_) | Fact::Incident { .. } => {}
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
        let mut set_up = set_up.clone();
        self.amendments.correct(&mut set_up);
        self.set_up = Some(set_up);
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
        self.protests.clear();
        self.amendments = Amendments::default();
        self.alerts
            .retain(|_, alert| alert.table.is_none() && alert.about != AlertKind::Protest);
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
            let mut round = Round::new(pairing.clone(), event.seq);
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
            RoundFact::PlayOff { until, tables, .. } => {
                round.play_off = Some(PlayOff {
                    until: *until,
                    tables: tables.iter().copied().collect(),
                    over: false,
                });
            }
            RoundFact::PlayOffOver => {
                if let Some(play_off) = &mut round.play_off {
                    play_off.over = true;
                }
            }
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
                // A table is served by one board and one clock.
                let clock = self.devices.get(id).is_some_and(Device::is_clock);
                for other in self.devices.values_mut() {
                    let same_kind = other.is_clock() == clock;
                    if same_kind && event.table.is_some() && other.table == event.table {
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
        let policy = self.set_up.as_ref().map(|it| it.settings.illegal_moves);
        let Some(game) = self.game_mut(open.table) else {
            return;
        };
        match (open.proposal.proposed, verdict) {
            (Proposed::IllegalMove { side }, Verdict::Accepted) => {
                let illegal = game.illegal.of_mut(side);
                *illegal = illegal.saturating_add(1);
            }
            (Proposed::IllegalMove { side }, Verdict::Rejected) => {
                game.acquit(side, open.proposal.seen.as_deref());
            }
            (Proposed::HandViolation { side }, Verdict::Accepted) => {
                let hands = game.hands.of_mut(side);
                *hands = hands.saturating_add(1);
                if policy.is_some_and(|policy| is_illegal(policy, *hands)) {
                    let illegal = game.illegal.of_mut(side);
                    *illegal = illegal.saturating_add(1);
                }
            }
            _ => {}
        }
    }

    fn apply_protest(&mut self, event: &Event, fact: &ProtestFact) {
        match fact {
            ProtestFact::Filed {
                player,
                text,
                due_at,
                by,
            } => {
                let protest = Protest {
                    table: event.table,
                    round: event.round,
                    player: *player,
                    text: text.clone(),
                    filed_at: event.at,
                    filed_by: by.clone(),
                    due_at: *due_at,
                    decided: None,
                };
                self.protests.insert(event.seq, protest);
            }
            ProtestFact::Decided {
                protest,
                outcome,
                deposit_returned,
                note,
                by,
            } => {
                if let Some(protest) = self.protests.get_mut(protest) {
                    protest.decided = Some(ProtestEnd {
                        outcome: *outcome,
                        deposit_returned: *deposit_returned,
                        note: note.clone(),
                        by: by.clone(),
                        at: event.at,
                    });
                }
            }
        }
    }

    fn apply_alert(&mut self, event: &Event, fact: &AlertFact) {
        match fact {
            AlertFact::Raised {
                about,
                severity,
                text,
                proposal,
                evidence,
                to,
            } => {
                let alert = Alert {
                    about: *about,
                    severity: *severity,
                    table: event.table,
                    device: event.device.clone(),
                    text: text.clone(),
                    raised_at: event.at,
                    owner: None,
                    taken_at: None,
                    reach: Reach::Zone,
                    to: to.clone(),
                    proposal: *proposal,
                    evidence: evidence.clone(),
                };
                self.alerts.insert(event.seq, alert);
            }
            AlertFact::Acknowledged { alert, by } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.owner = Some(by.clone());
                    alert.taken_at = Some(event.at);
                }
            }
            AlertFact::Released { alert, .. } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.owner = None;
                    alert.taken_at = None;
                }
            }
            AlertFact::Escalated { alert, reach, to } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.reach = *reach;
                    alert.to.clone_from(to);
                }
            }
            AlertFact::Routed { alert, to } => {
                if let Some(alert) = self.alerts.get_mut(alert) {
                    alert.to.clone_from(to);
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

    /// The device that serves a table: its board, or else its clock.
    pub fn device_at(&self, table: TableNo) -> Option<(&DeviceId, &Device)> {
        self.devices
            .iter()
            .filter(|(_, device)| device.table == Some(table))
            .min_by_key(|(_, device)| device.is_clock())
    }
}

impl Round {
    fn new(pairing: RoundPairing, since: u64) -> Self {
        let games = pairing
            .pairs
            .iter()
            .map(|pair| (TableNo(pair.board), Game::new(pair.white, pair.black)))
            .collect();
        Self {
            number: pairing.round,
            since,
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
            play_off: None,
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
