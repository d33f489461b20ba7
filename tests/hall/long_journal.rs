//! The journal of a long event: nine rounds of a hundred tables with faults.

use std::{path::Path, time::Duration};

use flagfall::journal::{Journal, Record};
use flagfall_core::hub::event::Event;
use flagfall_simulators::{board::Noise, hands::Incidents};

use crate::virtual_hall::{Faults, HallPlan};

/// `HALL_SEED=5 cargo test --test hall` looks at another hall.
pub(crate) fn seed(usual: u64) -> u64 {
    std::env::var("HALL_SEED").map_or(usual, |seed| seed.parse().unwrap())
}

pub(crate) fn plan() -> HallPlan {
    HallPlan {
        tables: 100,
        rounds: 9,
        seed: seed(42),
        incidents: Incidents::default(),
        noise: Noise::none(),
        first_game: None,
        base: Duration::from_mins(5),
        increment: Duration::from_secs(3),
        fault_every: Some(Duration::from_secs(20)),
        faults: Faults::CutsAndNoise,
        trace: Vec::new(),
    }
}

/// Writes events as the hub does, only in larger groups.
pub(crate) async fn write(journal: &Path, events: &[Event]) {
    let journal = Journal::open(journal).await.unwrap();
    for group in events.chunks(1_000) {
        let records: Vec<Record> = group.iter().map(Record::from).collect();
        journal.append(&records, &[]).await.unwrap();
    }
    journal.close().await;
}
