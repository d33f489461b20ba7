//! The daemon around the pure core: transports, journal, MQTT, pages.

pub mod config;
pub mod decode;
pub mod demo;
pub mod handle;
pub mod journal;
pub mod link;
pub mod mqtt;
pub mod record;
pub mod time;
pub mod web;
