//! One board is one device, whichever of its serial numbers it gives.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a test that fails"
)]

use flagfall_core::{
    hub::{
        Hub, HubSettings,
        command::{Command, Request},
        event::{Event, Fact},
        state::HallState,
    },
    protocol::{DeviceInfo, LostReason, Observation},
    types::{DeviceId, Mono, Now, Placement, TableNo},
};

const PORT: &str = "/dev/ttyUSB0";
const LONG: &str = "0000007765";
const SHORT: &str = "07765";

fn now() -> Now {
    Now {
        mono: Mono::ZERO,
        utc: "2026-12-05T08:00:00Z".parse().unwrap(),
    }
}

fn hub() -> Hub {
    Hub::new(HubSettings::default(), HallState::default(), now())
}

fn find(hub: &mut Hub, port: &str, serial: &str) {
    let info = DeviceInfo {
        family: "dgt-board".to_owned(),
        serial: Some(serial.to_owned()),
        version: Some("1.02".to_owned()),
    };
    hub.handle_observation(now(), port, Observation::Found(info));
}

fn lose(hub: &mut Hub, port: &str) {
    hub.handle_observation(now(), port, Observation::Lost(LostReason::Silent));
}

fn devices(hub: &Hub) -> Vec<(&str, &str)> {
    (hub.state().devices.iter())
        .map(|(id, device)| (id.0.as_str(), device.info.serial.as_deref().unwrap()))
        .collect()
}

fn assign(hub: &mut Hub, id: &str, table: u16) {
    let command = Command::AssignDevice {
        device: DeviceId(id.to_owned()),
        table: Some(TableNo(table)),
    };
    let by = "Vira".to_owned();
    hub.handle_request(now(), Request { by, command }).unwrap();
}

#[test]
fn a_short_serial_number_is_the_end_of_a_long_one() {
    let mut hub = hub();
    find(&mut hub, PORT, LONG);
    assign(&mut hub, "dgt-0000007765", 3);
    lose(&mut hub, PORT);
    find(&mut hub, PORT, SHORT);
    assert_eq!(devices(&hub), [("dgt-0000007765", LONG)]);
    assert_eq!(
        hub.state().devices.values().next().unwrap().table,
        Some(TableNo(3))
    );
    assert!(hub.state().alerts.is_empty(), "{:?}", hub.state().alerts);

    // The same from the journal, after a restart.
    let mut state = HallState::default();
    while let Some(event) = hub.poll_event() {
        state.apply(&event);
    }
    let mut again = Hub::new(HubSettings::default(), state, now());
    find(&mut again, PORT, SHORT);
    assert_eq!(devices(&again), [("dgt-0000007765", LONG)]);
}

#[test]
fn a_long_serial_number_is_found_by_its_end() {
    let mut hub = hub();
    find(&mut hub, PORT, SHORT);
    assign(&mut hub, "dgt-07765", 3);
    for serial in [LONG, SHORT, LONG] {
        lose(&mut hub, PORT);
        find(&mut hub, PORT, serial);
        assert_eq!(devices(&hub), [("dgt-07765", LONG)]);
        assert_eq!(hub.state().device_at(TableNo(3)).unwrap().0.0, "dgt-07765");
    }
    assert!(hub.state().alerts.is_empty(), "{:?}", hub.state().alerts);
}

#[test]
fn a_ghost_of_an_old_journal_does_not_come_back() {
    let mut hub = hub();
    find(&mut hub, PORT, SHORT);
    // As it was written before: a second device on the port.
    let ghost = hub.poll_event().unwrap();
    let mut state = HallState::default();
    state.apply(&ghost);
    let Fact::Device(_) = ghost.fact else {
        panic!("{ghost:?}")
    };
    let real = serde_json::to_string(&ghost).unwrap();
    let real = real
        .replace(SHORT, LONG)
        .replace("\"seq\":1,", "\"seq\":2,");
    state.apply(&serde_json::from_str::<Event>(&real).unwrap());
    assert_eq!(state.devices.len(), 2, "{:?}", state.devices);
    let mut hub = Hub::new(HubSettings::default(), state, now());
    find(&mut hub, PORT, SHORT);
    let online: Vec<&str> = (hub.state().devices.iter())
        .filter(|(_, device)| device.online)
        .map(|(id, _)| id.0.as_str())
        .collect();
    assert_eq!(online, ["dgt-0000007765"]);
}

#[test]
fn other_boards_are_others() {
    let mut hub = hub();
    find(&mut hub, PORT, LONG);
    lose(&mut hub, PORT);
    // Another end, another port, another long number with the same end.
    find(&mut hub, PORT, "07766");
    lose(&mut hub, PORT);
    find(&mut hub, "/dev/ttyUSB1", SHORT);
    find(&mut hub, PORT, "3000107765");
    let ids: Vec<&str> = devices(&hub).into_iter().map(|(id, _)| id).collect();
    assert_eq!(
        ids,
        ["dgt-0000007765", "dgt-07765", "dgt-07766", "dgt-3000107765"]
    );
}

#[test]
fn a_board_that_is_given_to_a_table_is_seen_at_once() {
    let mut hub = hub();
    find(&mut hub, PORT, LONG);
    let placement: Placement = "8/8/8/4k3/8/8/4P3/4K3".parse().unwrap();
    let seen = Observation::Placement {
        placement: placement.clone(),
        change: None,
    };
    hub.handle_observation(now(), PORT, seen);
    assign(&mut hub, "dgt-0000007765", 3);
    let shows = |table| {
        let view = hub.table_view(TableNo(table), now());
        view.seen.unwrap_or(view.position)
    };
    assert_eq!(shows(3), placement.to_string());
    // And at the next one.
    assign(&mut hub, "dgt-0000007765", 4);
    let view = hub.table_view(TableNo(4), now());
    assert_eq!(view.seen.unwrap_or(view.position), placement.to_string());
}
