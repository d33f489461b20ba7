//! The hub on MQTT against Debian's mosquitto and the embedded broker. Needs the packages
//! `mosquitto` and `mosquitto-clients`.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows test functions, not their helpers"
)]

mod faults;
mod harness;
mod requests;
mod topics;
