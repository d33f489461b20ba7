//! The JSON Schemas of the messages against the messages of whole events, so that neither changes
//! without the other.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use flagfall::{journal::Record, mqtt::Topics};
use flagfall_core::{
    hub::{
        Hub, HubSettings,
        event::{
            EmergencyKind, Event, Fact, HallText, Mark, RoundFact, ScreenFact, ScreenSettings,
            TableTimes, Times,
        },
        state::HallState,
    },
    pairing::knock_out::DecidedBy,
    tournament::PairingSystem,
    types::{Mono, Now, PlayerNo, TableNo},
};
use serde_json::{Value, json};

use crate::{
    long_journal,
    virtual_hall::{HallPlan, VirtualHall},
};

/// Every message of an event with trouble, by the name of its schema.
fn messages() -> BTreeMap<String, Vec<Value>> {
    let plan = HallPlan {
        tables: 12,
        rounds: 2,
        seed: 7,
        fault_every: Some(Duration::from_mins(5)),
        ..long_journal::plan()
    };
    let outcome = VirtualHall::new(plan).run();
    let topics = Topics::new("flagfall", "hall-a", false).unwrap();
    let mut found = BTreeMap::<String, Vec<Value>>::new();
    let mut state = HallState::default();
    for (at, event) in outcome.journal.iter().enumerate() {
        let payload = topics.event_payload(&Record::from(event));
        let name = format!("event-{}", event.kind());
        found.entry(name).or_default().push(payload);
        state.apply(event);
        if at % 50 == 0 {
            let now = Now {
                mono: Mono::ZERO,
                utc: event.at,
            };
            let view = Hub::new(HubSettings::default(), state.clone(), now).hall_view(now);
            for message in topics.states(&view, event.at) {
                let level: Vec<&str> = message.topic.split('/').skip(2).collect();
                let name = match level.as_slice() {
                    ["hall", _, "countdown"] => "countdown",
                    ["round", ..] => "round",
                    ["table", _, "state"] => "table-state",
                    ["table", _, "clock"] => "table-clock",
                    ["alert", _] => "alert",
                    _ => continue,
                };
                let payload = serde_json::from_slice(&message.payload).unwrap();
                found.entry(name.to_owned()).or_default().push(payload);
            }
        }
    }
    found
}

fn schema(name: &str) -> Value {
    let path = directory().join(format!("{name}.json"));
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap()
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/mqtt-schemas")
}

/// What is wrong with a value, with its place. Knows the words that our schemas use, and is stricter
/// than they are: an object's field that is not described is wrong.
fn wrong(schema: &Value, value: &Value, place: &str) -> Vec<String> {
    let types: Vec<&str> = match &schema["type"] {
        Value::String(only) => vec![only],
        Value::Array(types) => types.iter().filter_map(Value::as_str).collect(),
        _ => panic!("{place}: a schema has a type"),
    };
    let fits = types.iter().any(|kind| match *kind {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("{place}: unknown type {other}"),
    });
    if !fits {
        return vec![format!("{place}: {value} is no {types:?}")];
    }
    let mut found = Vec::new();
    if let Some(words) = schema["enum"].as_array()
        && !words.contains(value)
    {
        found.push(format!("{place}: {value} is none of {words:?}"));
    }
    if !schema["const"].is_null() && schema["const"] != *value {
        found.push(format!("{place}: {value} is not {}", schema["const"]));
    }
    if let (Some(least), Some(number)) = (schema["minimum"].as_i64(), value.as_i64())
        && number < least
    {
        found.push(format!("{place}: {number} is below {least}"));
    }
    if schema["format"] == "date-time"
        && let Some(text) = value.as_str()
        && !(text.parse::<jiff::Timestamp>().is_ok() && text.ends_with('Z'))
    {
        found.push(format!("{place}: {text} is no instant in UTC"));
    }
    if let (Some(items), Some(list)) = (schema.get("items"), value.as_array()) {
        for (at, item) in list.iter().enumerate() {
            found.extend(wrong(items, item, &format!("{place}/{at}")));
        }
    }
    if let (Some(known), Some(fields)) = (schema["properties"].as_object(), value.as_object()) {
        for (key, field) in fields {
            match known.get(key) {
                Some(schema) => found.extend(wrong(schema, field, &format!("{place}/{key}"))),
                None => found.push(format!("{place}: {key} is not described")),
            }
        }
        for key in schema["required"].as_array().unwrap() {
            if !fields.contains_key(key.as_str().unwrap()) {
                found.push(format!("{place}: {key} is missing"));
            }
        }
    }
    found
}

#[test]
fn every_message_fits_its_schema() {
    let messages = messages();
    for (name, list) in &messages {
        let schema = schema(name);
        for message in list {
            let found = wrong(&schema, message, name);
            assert!(found.is_empty(), "{found:#?} in {message}");
        }
    }
    for needed in ["countdown", "round", "table-state", "table-clock", "alert"] {
        assert!(messages.contains_key(needed), "no {needed} was seen");
    }
    let events: BTreeSet<&String> = (messages.keys())
        .filter(|name| name.starts_with("event-"))
        .collect();
    assert!(events.len() >= 16, "too few kinds were seen: {events:?}");
}

#[test]
fn what_does_not_fit_is_found() {
    let schema = schema("event-result");
    let good = json!({
        "v": 1, "id": "01M9", "seq": 8, "at": "2026-12-05T08:19:11.36Z", "hub": "hall-a",
        "kind": "result", "table": 2, "result": "1-0", "termination": "mate", "source": "board",
        "by": "Anna",
    });
    assert_eq!(wrong(&schema, &good, "result"), Vec::<String>::new());
    for (key, bad) in [
        ("v", json!(2)),
        ("seq", json!(-1)),
        ("at", json!("2026-12-05 08:19")),
        ("result", json!("2-0")),
        ("by", Value::Null),
        ("rating", json!(2345)),
    ] {
        let mut message = good.clone();
        message[key] = bad;
        assert_eq!(wrong(&schema, &message, "result").len(), 1, "{key}");
    }
    let mut message = good;
    message.as_object_mut().unwrap().remove("by");
    assert_eq!(wrong(&schema, &message, "result").len(), 1);
}

/// What a hall of boards does not do by itself.
#[test]
fn the_facts_of_formats_fit_their_schema() {
    let schema = schema("event-round");
    let system: PairingSystem = "knock-out:places=3,seed=7".parse().unwrap();
    let by = "Anna".to_owned();
    let facts = [
        RoundFact::Settled {
            system,
            by: by.clone(),
        },
        RoundFact::MatchDecided {
            stage: 1,
            winner: PlayerNo(3),
            loser: PlayerNo(6),
            how: DecidedBy::Lot { seed: 5 },
            by,
        },
    ];
    for fact in facts {
        let mut message = serde_json::to_value(Fact::Round(fact)).unwrap();
        let head = json!({
            "v": 1, "id": "01M9", "seq": 8, "at": "2026-12-05T08:19:11.36Z", "hub": "hall-a",
        });
        let fields = message.as_object_mut().unwrap();
        fields.extend(head.as_object().unwrap().clone());
        assert_eq!(wrong(&schema, &message, "round"), Vec::<String>::new());
    }
}

/// What nobody does in a hall of boards alone.
#[test]
fn the_facts_of_screens_and_of_the_last_boards_fit_their_schemas() {
    let by = "Anna".to_owned();
    let until: jiff::Timestamp = "2026-12-05T08:20:00Z".parse().unwrap();
    let text = HallText {
        uk: "Увага".to_owned(),
        ..HallText::default()
    };
    let times = Times {
        white: Duration::from_secs(61),
        black: Duration::ZERO,
    };
    let screens = [
        ScreenFact::Assigned {
            screen: 3,
            key: "kept-to-ourselves".to_owned(),
            settings: ScreenSettings::default(),
            by: by.clone(),
        },
        ScreenFact::Forgotten {
            screen: 3,
            by: by.clone(),
        },
        ScreenFact::Message {
            text: Some(text.clone()),
            until: Some(until),
            by: by.clone(),
        },
        ScreenFact::Blackout {
            until: None,
            by: by.clone(),
        },
        ScreenFact::Notice {
            text: None,
            by: by.clone(),
        },
        ScreenFact::Emergency {
            about: EmergencyKind::Other,
            text: Some(text),
            clocks: vec![TableTimes {
                table: TableNo(7),
                times,
            }],
            by: by.clone(),
        },
        ScreenFact::EmergencyOver { by: by.clone() },
    ];
    let rounds = [
        RoundFact::PlayOff {
            until,
            tables: vec![TableNo(4)],
            by,
        },
        RoundFact::PlayOffOver,
    ];
    let facts = (screens.into_iter().map(Fact::Screen)).chain(rounds.into_iter().map(Fact::Round));
    for fact in facts.chain([Fact::Announce {
        mark: Mark::PhotoOver,
    }]) {
        let event = Event {
            v: 1,
            id: "01M9".to_owned(),
            seq: 8,
            at: until,
            section: None,
            round: None,
            table: None,
            device: None,
            request: None,
            fact,
        };
        for names in [true, false] {
            let topics = Topics::new("flagfall", "hall-a", names).unwrap();
            let message = topics.event_payload(&Record::from(&event));
            let name = format!("event-{}", event.kind());
            let found = wrong(&schema(&name), &message, &name);
            assert_eq!(found, Vec::<String>::new(), "{message}");
            assert!(!message.to_string().contains("kept-to-ourselves"));
        }
    }
}
