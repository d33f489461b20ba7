//! The daemon around the pure core: transports, journal, MQTT, pages.

pub mod handle;
pub mod time;
pub mod web;
