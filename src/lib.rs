//! The daemon around the pure core: transports, journal, MQTT, pages.

pub mod handle;
pub mod journal;
pub mod mqtt;
pub mod time;
