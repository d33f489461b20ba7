//! The hub on MQTT against Debian's mosquitto and the embedded broker. Needs the packages
//! `mosquitto` and `mosquitto-clients`.

mod faults;
mod harness;
mod requests;
mod topics;
