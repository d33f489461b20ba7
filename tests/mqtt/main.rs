//! The hub on MQTT against Debian's mosquitto and the embedded broker. Needs the packages
//! `mosquitto` and `mosquitto-clients`, and Python with pip for an independent client.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows test functions, not their helpers"
)]

mod faults;
mod harness;
mod independent;
#[path = "../support/process.rs"]
mod process;
mod requests;
mod topics;
