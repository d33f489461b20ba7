//! Requests from the broker: checked, limited, handed on, answered.
//!
//! A request is a proposal of a machine. Whoever can reach the broker can send one, so sizes and
//! rates are bounded and a retained one, which would come again at every connect, is ignored.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use super::{link::Message, topics::Topics};
use crate::journal::{Journal, Outgoing};

/// Largest payload of a request.
const MAX_SIZE: usize = 8 * 1024;
/// Requests a second in the long run, and at once.
const RATE: f64 = 20.0;
const BURST: f64 = 40.0;
/// Requests that wait for the hub's answer.
const MAX_OPEN: usize = 32;
/// The hub's time to answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// Events in one answer to `replay`.
const REPLAY_LIMIT: u32 = 500;
/// Bytes of events in one answer to `replay`.
const REPLAY_SIZE: usize = 256 * 1024;

/// A request for the hub.
#[derive(Debug)]
pub struct Inbound {
    /// What is asked: the last level of the topic.
    pub verb: String,
    /// The arguments: a JSON object, without `transaction`.
    pub args: Value,
    /// The asker's own mark, returned with the answer: a string or a number.
    pub transaction: Option<Value>,
    /// The answer: data, or why not.
    pub reply: oneshot::Sender<Result<Value, String>>,
}

/// Takes requests of one connection.
pub(super) struct Requests {
    topics: Topics,
    journal: Journal,
    hub: mpsc::Sender<Inbound>,
    open: JoinSet<Outgoing>,
    tokens: f64,
    filled: Instant,
    /// When a refusal for haste was last sent.
    scolded: Option<Instant>,
}

impl Requests {
    pub(super) fn new(topics: Topics, journal: Journal, hub: mpsc::Sender<Inbound>) -> Self {
        Self {
            topics,
            journal,
            hub,
            open: JoinSet::new(),
            tokens: BURST,
            filled: Instant::now(),
            scolded: None,
        }
    }

    /// Takes a message; returns an answer when it can be given at once.
    pub(super) fn take(&mut self, message: &Message) -> Option<Outgoing> {
        let verb = self.topics.verb(&message.topic)?.to_owned();
        if message.retain {
            tracing::warn!(verb, "a retained request is ignored");
            metrics::counter!("flagfall_mqtt_requests_ignored_total").increment(1);
            return None;
        }
        metrics::counter!("flagfall_mqtt_requests_total").increment(1);
        if !self.admit() {
            metrics::counter!("flagfall_mqtt_requests_dropped_total").increment(1);
            let silent = self
                .scolded
                .is_some_and(|then| then.elapsed() < Duration::from_secs(1));
            if silent {
                return None;
            }
            self.scolded = Some(Instant::now());
            return Some(self.refusal(&verb, None, "too many requests"));
        }
        let (transaction, args) = match parse(&message.payload) {
            Ok(parsed) => parsed,
            Err(error) => return Some(self.refusal(&verb, None, &error)),
        };
        if self.open.len() >= MAX_OPEN {
            return Some(self.refusal(&verb, transaction, "the hub is busy, try again"));
        }
        let topics = self.topics.clone();
        if verb == "replay" {
            let journal = self.journal.clone();
            self.open.spawn(async move {
                let answer = replay(&topics, &journal, &args).await;
                response(&topics, &verb, transaction, answer)
            });
            return None;
        }
        let (reply, answer) = oneshot::channel();
        let inbound = Inbound {
            verb: verb.clone(),
            args,
            transaction: transaction.clone(),
            reply,
        };
        if self.hub.try_send(inbound).is_err() {
            return Some(self.refusal(&verb, transaction, "the hub is busy, try again"));
        }
        self.open.spawn(async move {
            let answer = match tokio::time::timeout(PATIENCE, answer).await {
                Ok(Ok(answer)) => answer,
                Ok(Err(_)) => Err(format!("the hub does not know {verb:?}")),
                Err(_) => Err("the hub did not answer in time".to_owned()),
            };
            response(&topics, &verb, transaction, answer)
        });
        None
    }

    /// The next answer that is ready; waits for ever when nothing is open.
    pub(super) async fn answer(&mut self) -> Outgoing {
        loop {
            match self.open.join_next().await {
                Some(Ok(answer)) => return answer,
                // A task that panicked has no answer; its asker sees none.
                Some(Err(error)) => tracing::error!(%error, "a request failed"),
                None => std::future::pending().await,
            }
        }
    }

    fn admit(&mut self) -> bool {
        let now = Instant::now();
        let grown = now.duration_since(self.filled).as_secs_f64() * RATE;
        self.tokens = (self.tokens + grown).min(BURST);
        self.filled = now;
        let admitted = self.tokens >= 1.0;
        if admitted {
            self.tokens -= 1.0;
        }
        admitted
    }

    fn refusal(&self, verb: &str, transaction: Option<Value>, error: &str) -> Outgoing {
        response(&self.topics, verb, transaction, Err(error.to_owned()))
    }
}

fn parse(payload: &[u8]) -> Result<(Option<Value>, Value), String> {
    if payload.len() > MAX_SIZE {
        return Err(format!("a request has at most {MAX_SIZE} bytes"));
    }
    let mut args: Map<String, Value> = if payload.is_empty() {
        Map::new()
    } else {
        serde_json::from_slice(payload).map_err(|error| format!("not a JSON object: {error}"))?
    };
    match args.remove("transaction") {
        Some(Value::String(mark)) if mark.len() > 128 => {
            Err("transaction has at most 128 bytes".to_owned())
        }
        None | Some(Value::Null) => Ok((None, Value::Object(args))),
        Some(mark @ (Value::String(_) | Value::Number(_))) => Ok((Some(mark), Value::Object(args))),
        Some(Value::Bool(_) | Value::Array(_) | Value::Object(_)) => {
            Err("transaction is a string or a number".to_owned())
        }
    }
}

fn response(
    topics: &Topics,
    verb: &str,
    transaction: Option<Value>,
    answer: Result<Value, String>,
) -> Outgoing {
    let mut payload = match answer {
        Ok(data) => json!({"status": "ok", "data": data}),
        Err(error) => json!({"status": "error", "error": error, "data": {}}),
    };
    if let Some(transaction) = transaction {
        payload["transaction"] = transaction;
    }
    Outgoing {
        topic: topics.response(verb),
        payload: payload.to_string().into_bytes(),
        retain: false,
    }
}

/// Events again, for a reader that saw a gap in `seq`: `{"from": 812, "limit": 100}`.
async fn replay(topics: &Topics, journal: &Journal, args: &Value) -> Result<Value, String> {
    let from = args["from"]
        .as_u64()
        .filter(|from| *from > 0)
        .ok_or("from must be the number of an event, 1 or more")?;
    let limit = match &args["limit"] {
        Value::Null => 100,
        limit => limit
            .as_u64()
            .and_then(|limit| u32::try_from(limit).ok())
            .filter(|limit| (1..=REPLAY_LIMIT).contains(limit))
            .ok_or_else(|| format!("limit must be 1 to {REPLAY_LIMIT}"))?,
    };
    let records = journal
        .read(from, limit)
        .await
        .map_err(|error| error.to_string())?;
    let mut next = from;
    let mut size = 0;
    let mut events = Vec::new();
    for record in &records {
        size += record.body.len();
        if size > REPLAY_SIZE && !events.is_empty() {
            break;
        }
        events.push(topics.event_payload(record));
        next = record.seq + 1;
    }
    let last = journal.last_seq();
    Ok(json!({
        "from": from,
        "events": events,
        // Where to go on; null when this was all.
        "next": (next <= last).then_some(next),
        "last_seq": last,
    }))
}
