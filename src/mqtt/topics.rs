//! Topics and payloads: the hub's public face on the broker.
//!
//! Payloads are JSON with `v` (1), `seq` (the journal's number that they reflect) and `at` (UTC);
//! times are milliseconds, instants RFC 3339. New fields may appear; none changes its meaning under
//! the same `v`. Names of people appear only when the event's settings say so. Alert texts are
//! passed on as the hub wrote them, so they must not name players.

use flagfall_core::{
    hub::view::{AlertView, HallView, Phase, PlayerView, RoundView, TableView},
    types::{TableNo, color},
};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::{Live, MqttError};
use crate::journal::{Outgoing, Record};

/// Fields of an event that tell who a player is.
const PERSONAL: [&str; 8] = [
    // Why some must not meet is their own affair.
    "forbidden",
    "name",
    "rating",
    "title",
    "fide_id",
    "federation",
    "birth",
    "club",
];

/// Builds topics and payloads of one hub.
#[derive(Clone, Debug)]
pub struct Topics {
    prefix: String,
    hub: String,
    publish_names: bool,
}

impl Topics {
    /// Checks the names: lower case letters, digits and hyphens, at most 64.
    pub fn new(base: &str, hub: &str, publish_names: bool) -> Result<Self, MqttError> {
        for (what, name) in [("base", base), ("hub", hub)] {
            let good = !name.is_empty()
                && name.len() <= 64
                && name
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
            if !good {
                return Err(MqttError::Name {
                    what,
                    name: name.to_owned(),
                });
            }
        }
        Ok(Self {
            prefix: format!("{base}/{hub}"),
            hub: hub.to_owned(),
            publish_names,
        })
    }

    /// What every topic of this hub begins with; without the last `/`.
    #[cfg(feature = "embedded-broker")]
    pub(super) fn prefix(&self) -> String {
        self.prefix.clone()
    }

    /// `online` or `offline`: the will.
    pub fn status(&self) -> String {
        format!("{}/status", self.prefix)
    }

    /// Version, start, journal.
    pub fn info(&self) -> String {
        format!("{}/info", self.prefix)
    }

    /// How the hub is.
    pub fn health(&self) -> String {
        format!("{}/health", self.prefix)
    }

    /// Where a request is answered.
    pub fn response(&self, verb: &str) -> String {
        format!("{}/response/{verb}", self.prefix)
    }

    pub(super) fn request_filter(&self) -> String {
        format!("{}/request/+", self.prefix)
    }

    /// Nobody publishes or subscribes here.
    pub(super) fn probe(&self) -> String {
        format!("{}/probe", self.prefix)
    }

    /// The verb of a request's topic.
    pub(super) fn verb<'a>(&self, topic: &'a str) -> Option<&'a str> {
        topic
            .strip_prefix(&self.prefix)?
            .strip_prefix("/request/")
            .filter(|verb| {
                (1..=32).contains(&verb.len())
                    && verb
                        .bytes()
                        .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
            })
    }

    /// The state of a table, without its clock.
    pub fn table_state(&self, table: &TableView, seq: u64, at: Timestamp) -> Outgoing {
        let payload = json!({
            "v": 1, "seq": seq, "at": at,
            "table": table.table,
            "phase": table.phase,
            "white": self.player(table.white.as_ref().filter(|_| !table.draft)),
            "black": self.player(table.black.as_ref().filter(|_| !table.draft)),
            "result": table.result,
            "termination": table.termination,
            "source": table.result_source,
            "certainty": table.result.as_ref().map(|_| "confirmed"),
            "ply": table.ply,
            "turn": color::name(table.turn),
            "last_san": table.last_san,
            "last_uci": table.last_uci,
            "position": table.position,
            "seen": table.seen,
            "disturbed": table.disturbed,
            "gaps": table.gaps,
            "flags": table.flags,
            "illegal": {"white": table.illegal.0, "black": table.illegal.1},
            "conduct": table.conduct,
            "alerts": table.alerts,
            "device": table.device,
        });
        self.state(&format!("table/{}/state", table.table), &payload)
    }

    /// The clock of a table as last read; `None` when none was ever read.
    pub fn table_clock(&self, table: &TableView, seq: u64) -> Option<Outgoing> {
        let clock = table.clock.as_ref()?;
        let mut payload = json!({
            "v": 1, "seq": seq, "at": clock.at,
            "white_ms": clock.white_ms,
            "black_ms": clock.black_ms,
            "running": clock.running.map(color::name),
            "estimate": false,
        });
        if let Some(lever) = clock.lever {
            payload["lever"] = color::name(lever).into();
        }
        Some(self.state(&format!("table/{}/clock", table.table), &payload))
    }

    /// The same for the live channel.
    pub fn live_clock(&self, table: &TableView, seq: u64) -> Option<Live> {
        self.table_clock(table, seq).map(|message| Live {
            topic: message.topic,
            payload: message.payload,
        })
    }

    /// Whether the device that serves a table is talking.
    pub fn availability(&self, table: &TableView) -> Outgoing {
        Outgoing {
            topic: format!("{}/table/{}/availability", self.prefix, table.table),
            payload: if table.online { "online" } else { "offline" }.into(),
            retain: true,
        }
    }

    /// Empties the topics of a table that is no more.
    pub fn table_gone(&self, table: TableNo) -> impl Iterator<Item = Outgoing> + '_ {
        ["state", "clock", "availability"]
            .into_iter()
            .map(move |what| Outgoing {
                topic: format!("{}/table/{table}/{what}", self.prefix),
                payload: Vec::new(),
                retain: true,
            })
    }

    /// What a countdown needs: instants, not ticks.
    pub fn countdown(&self, section: &str, round: &RoundView, seq: u64, at: Timestamp) -> Outgoing {
        let phase = json!(round.phase);
        let payload = json!({
            "v": 1, "seq": seq, "at": at,
            "section": section,
            "round": round.number,
            "phase": phase,
            "text": format!("countdown.{}", phase.as_str().unwrap_or_default()),
            "starts_at": round.starts_at,
            "started_at": round.started_at,
            "default_at": round.default_at,
            "photo_until": round.photo_until,
            "play_off_until": round.play_off.as_ref().map(|it| it.until),
            "held_reason": round.held_reason,
        });
        self.state(&format!("hall/{}/countdown", slug(section)), &payload)
    }

    /// Where a round stands; `None` for a draft, which is nobody's business yet.
    pub fn round(
        &self,
        section: &str,
        round: &RoundView,
        seq: u64,
        at: Timestamp,
    ) -> Option<Outgoing> {
        let closed = round.phase == Phase::Closed;
        round.published.then(|| {
            let payload = json!({
                "v": 1, "seq": seq, "at": at,
                "section": section,
                "round": round.number,
                "paired": true,
                "published": true,
                "open": round.started_at.is_some() && !closed,
                "closed": closed,
                "tables": round.tables,
                "open_tables": round.open,
                "bye": self.player(round.bye.as_ref()),
            });
            self.state(
                &format!("round/{}/{}", slug(section), round.number),
                &payload,
            )
        })
    }

    /// An open alert.
    pub fn alert(&self, alert: &AlertView, seq: u64, at: Timestamp) -> Outgoing {
        let payload = json!({
            "v": 1, "seq": seq, "at": at,
            "id": alert.id,
            "kind": alert.kind,
            "severity": alert.severity,
            "table": alert.table,
            "text": alert.text,
            "raised_at": alert.raised_at,
            "owner": alert.acknowledged_by,
            "taken_at": alert.taken_at,
            "escalated": alert.escalated,
            "reach": alert.reach,
            "to": alert.to,
            "proposal": alert.proposal,
            "evidence": alert.evidence,
        });
        self.state(&format!("alert/{}", alert.id), &payload)
    }

    /// Empties the topic of a closed alert.
    pub fn alert_closed(&self, id: u64) -> Outgoing {
        Outgoing {
            topic: format!("{}/alert/{id}", self.prefix),
            payload: Vec::new(),
            retain: true,
        }
    }

    /// Everything retained that the picture of the hall stands for.
    pub fn states(&self, hall: &HallView, at: Timestamp) -> Vec<Outgoing> {
        let seq = hall.seq;
        let mut all = Vec::new();
        if let (Some(event), Some(round)) = (&hall.event, &hall.round) {
            all.push(self.countdown(&event.section, round, seq, at));
            for round in hall.earlier.iter().chain([round]) {
                all.extend(self.round(&event.section, round, seq, at));
            }
        }
        for table in &hall.tables {
            all.push(self.table_state(table, seq, at));
            all.push(self.availability(table));
            all.extend(self.table_clock(table, seq));
        }
        all.extend(hall.alerts.iter().map(|alert| self.alert(alert, seq, at)));
        all
    }

    /// An event, never retained, on the topic of its kind.
    pub fn event(&self, record: &Record) -> Outgoing {
        Outgoing {
            topic: format!("{}/event/{}", self.prefix, slug(&record.kind)),
            payload: self.event_payload(record).to_string().into_bytes(),
            retain: false,
        }
    }

    /// The event's fixed fields, then what its kind adds.
    pub fn event_payload(&self, record: &Record) -> Value {
        let mut event = Map::new();
        event.insert("v".to_owned(), 1.into());
        event.insert("id".to_owned(), record.id.clone().into());
        event.insert("seq".to_owned(), record.seq.into());
        event.insert("at".to_owned(), json!(record.at));
        event.insert("hub".to_owned(), self.hub.clone().into());
        event.insert("kind".to_owned(), record.kind.clone().into());
        if let Some(section) = &record.section {
            event.insert("section".to_owned(), section.clone().into());
        }
        if let Some(round) = record.round {
            event.insert("round".to_owned(), round.into());
        }
        if let Some(table) = record.table {
            event.insert("table".to_owned(), table.into());
        }
        if let Ok(Value::Object(body)) = serde_json::from_str(&record.body) {
            for (key, value) in body {
                event.entry(key).or_insert(value);
            }
        }
        // A draft is nobody's business yet; once it is public the tables' states tell it.
        if record.kind == "round" {
            event.remove("pairing");
        }
        // By it a screen may ask for the boards.
        if record.kind == "screen" {
            event.remove("key");
        }
        // A phone's own name for what it asked.
        event.remove("request");
        let mut event = Value::Object(event);
        if !self.publish_names {
            strip_personal(&mut event);
        }
        event
    }

    fn player(&self, player: Option<&PlayerView>) -> Option<Value> {
        player.map(|player| {
            if self.publish_names {
                json!({"no": player.no, "name": player.name, "rating": player.rating})
            } else {
                json!({"no": player.no})
            }
        })
    }

    fn state(&self, topic: &str, payload: &Value) -> Outgoing {
        Outgoing {
            topic: format!("{}/{topic}", self.prefix),
            payload: payload.to_string().into_bytes(),
            retain: true,
        }
    }
}

/// A level of a topic made of any short id.
fn slug(id: &str) -> String {
    id.chars()
        .map(|c| {
            let c = c.to_ascii_lowercase();
            if c.is_ascii_alphanumeric() { c } else { '-' }
        })
        .collect()
}

fn strip_personal(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|key, _| !PERSONAL.contains(&key.as_str()));
            fields.values_mut().for_each(strip_personal);
        }
        Value::Array(items) => items.iter_mut().for_each(strip_personal),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use flagfall_core::{
        hub::{
            event::Reach,
            view::{ClockView, EventView, Severity, ShowView, StaffView, TablePhase},
        },
        types::{Color, PlayerNo, RoundNo, TableNo},
    };

    use super::*;

    fn hall() -> HallView {
        let player = |no| PlayerView {
            no: PlayerNo(no),
            name: "Somebody Known".to_owned(),
            rating: Some(2345),
        };
        let table = TableView {
            table: TableNo(12),
            white: Some(player(5)),
            black: Some(player(6)),
            draft: false,
            phase: TablePhase::Playing,
            ply: 3,
            last_san: Some("e4".to_owned()),
            last_uci: Some("e2e4".to_owned()),
            turn: Color::Black,
            position: "8/8/8/8/8/8/8/8".to_owned(),
            seen: None,
            disturbed: false,
            gaps: 0,
            question: None,
            start: None,
            result: None,
            termination: None,
            result_source: None,
            clock: Some(ClockView {
                white_ms: 1_500,
                black_ms: 2_500,
                running: Some(Color::Black),
                lever: Some(Color::White),
                at: Timestamp::UNIX_EPOCH,
            }),
            flags: vec!["white".to_owned()],
            flags_unordered: false,
            device: None,
            online: false,
            heard_at: None,
            alerts: vec![7],
            illegal: (1, 0),
            conduct: None,
            correction: None,
        };
        HallView {
            seq: 812,
            earlier: Vec::new(),
            event: Some(EventView {
                name: "Cup".to_owned(),
                section: "Open A".to_owned(),
                rounds: 3,
                players: 4,
                away: 0,
                time_control: "15+10".to_owned(),
                penalty_ms: 120_000,
                system: "round-robin".to_owned(),
                variant: "standard".to_owned(),
                zone: None,
            }),
            round: Some(RoundView {
                number: RoundNo(3),
                phase: Phase::Last5,
                published: true,
                planned_at: None,
                starts_at: Some(Timestamp::UNIX_EPOCH),
                started_at: None,
                default_at: None,
                until_half: false,
                next_at: None,
                next_about: false,
                waiting: None,
                photo_until: None,
                play_off: None,
                held_reason: None,
                tables: 2,
                open: 2,
                bye: Some(player(9)),
            }),
            tables: vec![table],
            alerts: vec![AlertView {
                id: 7,
                device: None,
                kind: "flag".to_owned(),
                severity: Severity::Call,
                table: Some(TableNo(12)),
                text: "White's flag fell at table 12.".to_owned(),
                raised_at: Timestamp::UNIX_EPOCH,
                acknowledged_by: None,
                taken_at: None,
                escalated: false,
                reach: Reach::Zone,
                to: Vec::new(),
                proposal: None,
                evidence: None,
            }],
            proposals: Vec::new(),
            devices: Vec::new(),
            screens: Vec::new(),
            show: ShowView::default(),
            staff: StaffView::default(),
            protests: Vec::new(),
        }
    }

    #[test]
    fn a_hall_becomes_retained_topics_without_names() {
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        let states = topics.states(&hall(), Timestamp::UNIX_EPOCH);
        let found: Vec<&str> = states.iter().map(|state| state.topic.as_str()).collect();
        let expected = [
            "flagfall/hall-a/hall/open-a/countdown",
            "flagfall/hall-a/round/open-a/3",
            "flagfall/hall-a/table/12/state",
            "flagfall/hall-a/table/12/availability",
            "flagfall/hall-a/table/12/clock",
            "flagfall/hall-a/alert/7",
        ];
        assert_eq!(found, expected);
        for state in &states {
            assert!(state.retain, "{}", state.topic);
            let text = str::from_utf8(&state.payload).unwrap();
            assert!(
                !text.contains("Somebody") && !text.contains("2345"),
                "{text}"
            );
            if state.topic.ends_with("availability") {
                assert_eq!(text, "offline");
                continue;
            }
            let payload: Value = serde_json::from_str(text).unwrap();
            assert_eq!(
                (&payload["v"], &payload["seq"]),
                (&json!(1), &json!(812)),
                "{text}"
            );
            assert_eq!(payload["at"], "1970-01-01T00:00:00Z", "{text}");
        }
        let payload = |n: usize| serde_json::from_slice::<Value>(&states[n].payload).unwrap();
        assert_eq!(payload(0)["text"], "countdown.last5");
        assert_eq!(payload(1)["open"], false);
        assert_eq!(payload(2)["white"], json!({"no": 5}));
        assert_eq!(payload(2)["turn"], "black");
        assert_eq!(payload(4)["running"], "black");
        assert_eq!(payload(4)["white_ms"], 1_500);
        assert_eq!(payload(4)["lever"], "white");
    }

    #[test]
    fn a_lever_that_was_not_read_is_left_out_and_a_result_says_where_it_is_from() {
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        let mut table = hall().tables.remove(0);
        if let Some(clock) = &mut table.clock {
            clock.lever = None;
        }
        table.result = Some("1-0".to_owned());
        table.result_source = Some("board".to_owned());
        let payload =
            |message: Outgoing| -> Value { serde_json::from_slice(&message.payload).unwrap() };
        let clock = payload(topics.table_clock(&table, 1).unwrap());
        assert!(clock.get("lever").is_none(), "{clock}");
        let state = payload(topics.table_state(&table, 1, Timestamp::UNIX_EPOCH));
        assert_eq!(state["source"], "board");
    }

    #[test]
    fn names_are_published_only_when_asked_for_and_drafts_never() {
        let topics = Topics::new("flagfall", "hall-a", true).unwrap();
        let mut hall = hall();
        let state = topics.table_state(&hall.tables[0], 1, Timestamp::UNIX_EPOCH);
        let payload: Value = serde_json::from_slice(&state.payload).unwrap();
        assert_eq!(payload["white"]["name"], "Somebody Known");
        let table = &mut hall.tables[0];
        table.draft = true;
        let state = topics.table_state(table, 1, Timestamp::UNIX_EPOCH);
        let payload: Value = serde_json::from_slice(&state.payload).unwrap();
        assert!(payload["white"].is_null() && payload["black"].is_null());
        if let Some(round) = &mut hall.round {
            round.published = false;
            assert_eq!(topics.round("open", round, 1, Timestamp::UNIX_EPOCH), None);
        }
    }

    #[test]
    fn only_plain_names_make_topics() {
        for bad in ["", "Hall", "a/b", "a+", "#", "halle ä", "a b"] {
            assert!(Topics::new("flagfall", bad, false).is_err(), "{bad:?}");
            assert!(Topics::new(bad, "hall", false).is_err(), "{bad:?}");
        }
        let topics = Topics::new("flagfall", "hall-a", false).unwrap();
        assert_eq!(topics.verb("flagfall/hall-a/request/call"), Some("call"));
        assert_eq!(topics.verb("flagfall/hall-a/request/Ca ll"), None);
        assert_eq!(topics.verb("flagfall/hall-ab/request/call"), None);
    }
}
