//! A board that comes and goes, a full disk.

use std::{fs, process::Command, time::Duration};

use flagfall_simulators::{
    clock::TimeControl,
    hall::{Hall, HallConfig, Transport},
    hands::Incidents,
};

use crate::{
    place::{BIN, Place, bodies, count, ports, wait},
    process::Program,
};

async fn hall(speed: f64) -> Hall {
    Hall::start(HallConfig {
        tables: 2,
        seed: 3,
        speed,
        control: TimeControl::fischer(Duration::from_mins(5), Duration::from_secs(3)),
        incidents: Incidents::none(),
        transport: Transport::Tcp {
            addr: "127.0.0.1:0".parse().unwrap(),
        },
        ..HallConfig::default()
    })
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_board_is_found_lost_and_found_again() {
    let hall = hall(1.0).await;
    let place = Place::new(&ports(&hall));
    let daemon = place.start();
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    hall.unplug(2);
    wait(place.http, |_, body| body.contains("\"links_up\":1"));
    hall.plug(2);
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    assert_eq!(daemon.stop(), 0);
    let bodies = bodies(&place.journal()).await;
    assert_eq!(count(&bodies, "device", "found"), 3);
    assert_eq!(count(&bodies, "device", "lost"), 1);
    let alerts: Vec<_> = bodies
        .iter()
        .filter(|body| body["kind"] == "alert")
        .collect();
    assert!(
        alerts
            .iter()
            .any(|alert| alert["about"] == "device-lost" && alert["table"] == 2),
        "{alerts:?}"
    );
    assert_eq!(
        count(&bodies, "alert", "raised"),
        count(&bodies, "alert", "closed")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_told_and_loses_nothing() {
    let hall = hall(1.0).await;
    let place = Place::new(&ports(&hall));
    let data = place.path("data");
    fs::create_dir(&data).unwrap();
    // A disk of our own in a namespace of our own: full from the start, with room after a while.
    let script = format!(
        "set -e; mount -t tmpfs -o size=1m none {data}\n\
         {BIN} --log warn run --config {config} 2>/dev/null & hub=$!\n\
         while ! [ -e {data}/go ]; do sleep 0.05; done\n\
         cat /dev/zero > {data}/filler 2>/dev/null || true\n\
         while ! [ -e {data}/../room ]; do sleep 0.05; done\n\
         rm {data}/filler; touch {data}/../made\n\
         while ! [ -e {data}/../end ]; do sleep 0.05; done\n\
         kill -TERM $hub; wait $hub; cp -r {data} {data}/../kept",
        data = data.display(),
        config = place.config().display(),
    );
    let script = script.replace(
        &format!("{}/go", data.display()),
        &place.path("go").display().to_string(),
    );
    let mut unshare = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    let mut daemon = Program::start(
        unshare
            .args(["--mount", "--pid", "--fork", "--kill-child"])
            .args(["sh", "-c", &script]),
    );
    let touch = |name: &str| fs::write(place.path(name), "").unwrap();

    wait(place.http, |status, body| {
        status == 200 && body.contains("\"links_up\":2")
    });
    touch("go");
    std::thread::sleep(Duration::from_millis(500));
    // Something happens that must be written down.
    hall.unplug(1);
    wait(place.http, |status, body| {
        status == 503 && body.contains("full")
    });
    hall.plug(1);
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    touch("room");
    wait(place.http, |status, _| status == 200);
    touch("end");
    assert!(daemon.0.wait().unwrap().success());

    let bodies = bodies(&place.path("kept/journal.db")).await;
    assert_eq!(count(&bodies, "device", "found"), 3, "{bodies:?}");
    assert_eq!(count(&bodies, "device", "lost"), 1);
    assert!(
        bodies.iter().any(|body| body["about"] == "journal"),
        "{bodies:?}"
    );
}

/// Removed under the hub it is told and written anew; removed between two starts it is told.
#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_is_removed_is_told() {
    let place = Place::with_event("5+3", 2, "");
    let daemon = place.start();
    let data = place.path("data");
    let remove = || {
        for name in ["journal.db", "journal.db-wal", "journal.db-shm"] {
            // Log and index are only there while the hub runs.
            drop(fs::remove_file(data.join(name)));
        }
    };
    remove();
    wait(place.http, |status, body| {
        status == 503 && body.contains("was removed")
    });
    wait(place.http, |status, _| status == 200);
    assert_eq!(daemon.stop(), 0);
    let told = bodies(&place.journal()).await;
    assert_eq!(told[0]["seq"], 1);
    let text = |body: &serde_json::Value| body["text"].as_str().unwrap_or_default().to_owned();
    assert!(told.iter().any(|body| text(body).contains("was removed")));

    let least = told.len();
    remove();
    let daemon = place.start();
    assert_eq!(daemon.stop(), 0);
    let told = bodies(&place.journal()).await;
    let lost = format!("event {least} was written before");
    assert!(
        told.iter().any(|body| text(body).contains(&lost)),
        "{told:?}"
    );
}

/// Of a journal that was cut off nothing is whole: nothing is accepted, and what happens is set aside.
#[tokio::test(flavor = "multi_thread")]
async fn a_journal_that_is_cut_off_stops_everything() {
    let hall = hall(1.0).await;
    let place = Place::new(&ports(&hall));
    let daemon = place.start();
    wait(place.http, |_, body| body.contains("\"links_up\":2"));
    // A write that is under way at this very moment would mend the length again.
    std::thread::sleep(Duration::from_secs(2));
    let log = place.path("data/journal.db-wal");
    fs::File::options()
        .write(true)
        .open(log)
        .unwrap()
        .set_len(0)
        .unwrap();
    wait(place.http, |status, body| {
        status == 503 && body.contains("write-ahead log")
    });
    hall.unplug(1);
    wait(place.http, |_, body| body.contains("\"links_up\":1"));
    std::thread::sleep(Duration::from_millis(500));
    wait(place.http, |status, _| status == 503);
    assert_eq!(daemon.stop(), 0);
    let aside = fs::read_dir(place.path("data"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|end| end == "jsonl"))
        .expect("a file of what was not written");
    let aside = fs::read_to_string(aside).unwrap();
    assert!(aside.contains("\"lost\""), "{aside}");
}
