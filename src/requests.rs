//! What comes in by MQTT, and what the publisher asks of the engine.

use flagfall_core::hub::command::{Command, Request};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use crate::{
    handle::Handle,
    journal::Outgoing,
    mqtt::{Inbound, StateSource, Topics},
    time::HubClock,
    watch::synchronised,
};

/// The name under which a machine's request stands in the record.
const BY: &str = "mqtt";

/// What a machine may ask. Decisions on games are not among it (R-AR-4): they need a person at the
/// console. The start of the round is: a key at the arbiter's table may say it.
const VERBS: [&str; 8] = [
    "acknowledge-alert",
    "call-arbiter",
    "record-incident",
    "shift-round",
    "hold-round",
    "start-round",
    "show-message",
    "black-out",
];

/// Carries out what machines ask.
pub(crate) async fn serve(
    mut requests: mpsc::Receiver<Inbound>,
    handle: Handle,
    cancel: CancellationToken,
) {
    loop {
        let request = tokio::select! {
            () = cancel.cancelled() => return,
            request = requests.recv() => match request {
                Some(request) => request,
                None => return,
            },
        };
        let answer = carry_out(&handle, &request.verb, request.args).await;
        // The asker may have gone.
        drop(request.reply.send(answer));
    }
}

async fn carry_out(handle: &Handle, verb: &str, args: Value) -> Result<Value, String> {
    if !VERBS.contains(&verb) {
        return Err(format!(
            "{verb} cannot be asked by MQTT; what can: {}, replay. \
             Decisions belong to an arbiter at the console",
            VERBS.join(", ")
        ));
    }
    let command = command(verb, args)?;
    let request = Request {
        by: BY.to_owned(),
        command,
    };
    let seq = handle
        .command(request)
        .await
        .map_err(|error| error.to_string())?;
    Ok(json!({ "seq": seq }))
}

fn command(verb: &str, args: Value) -> Result<Command, String> {
    let Value::Object(mut fields) = args else {
        return Err("the arguments must be a JSON object".to_owned());
    };
    fields.insert("command".to_owned(), verb.into());
    read(Value::Object(fields))
}

fn read<T: DeserializeOwned>(value: Value) -> Result<T, String> {
    serde_json::from_value(value).map_err(|error| error.to_string())
}

/// The retained states as they are now.
pub(crate) struct States {
    handle: Handle,
    topics: Topics,
    clock: HubClock,
}

impl States {
    pub(crate) fn new(handle: Handle, topics: Topics, clock: HubClock) -> Self {
        Self {
            handle,
            topics,
            clock,
        }
    }
}

impl StateSource for States {
    async fn states(&self) -> Option<Vec<Outgoing>> {
        let hall = self.handle.hall().await.ok()?;
        Some(self.topics.states(&hall, self.clock.now().utc))
    }

    fn synced(&self) -> bool {
        synchronised().0 == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_moves_holds_and_says_the_start_and_decides_nothing() {
        let moved = command("shift-round", json!({ "seconds": -60 })).unwrap();
        let expected = Command::ShiftRound {
            seconds: -60,
            // An earlier time needs a second word, from a machine too.
            earlier_confirmed: false,
        };
        assert_eq!(moved, expected);
        for (verb, args) in [
            ("hold-round", json!({ "reason": "Registration is open" })),
            ("start-round", json!({})),
            (
                "show-message",
                json!({ "text": { "uk": "Увага" }, "seconds": 60 }),
            ),
            ("black-out", json!({ "seconds": 0 })),
        ] {
            assert!(VERBS.contains(&verb), "{verb}");
            assert!(command(verb, args).is_ok(), "{verb}");
        }
        for verb in ["decide", "set-result", "raise-emergency", "publish-round"] {
            assert!(!VERBS.contains(&verb), "{verb} needs a person");
        }
    }
}
