//! The pages' server from outside: the API, logins, live streams, the players and the pairings.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

mod api;
mod event;
#[path = "../fake_hall/mod.rs"]
mod fake_hall;
mod games;
mod login;
mod players;
mod queue;
mod screens;
mod streams;

use fake_hall::{FakeHall, picture};

async fn playing() -> FakeHall {
    FakeHall::start(picture::playing()).await
}
