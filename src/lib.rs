//! The daemon around the pure core: transports, journal, MQTT, pages.

mod addresses;
pub mod app;
pub mod config;
pub mod decode;
pub mod demo;
pub mod devices;
mod engine;
pub mod exit;
mod forward;
pub mod games;
pub mod handle;
pub mod journal;
pub mod link;
pub mod mqtt;
pub mod paper;
mod pulse;
pub mod push;
pub mod record;
mod requests;
pub mod screens;
pub mod sheet;
mod speech;
pub mod time;
pub mod tournament;
pub mod track;
mod watch;
pub mod web;
