//! The daemon around the pure core: transports, journal, MQTT, pages.

pub mod decode;
pub mod handle;
pub mod link;
pub mod record;
pub mod time;
