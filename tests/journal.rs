//! The journal on a real disk: crashes, a full disk, a second hub, damage, order.

#![allow(
    clippy::unwrap_used,
    reason = "clippy knows test functions, not their helpers"
)]

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

use flagfall::journal::{Filter, Journal, JournalError, Outgoing, Record};
use jiff::{Timestamp, ToSpan};
use rand::{Rng, SeedableRng, rngs::StdRng};

fn record(seq: u64) -> Record {
    Record {
        seq,
        id: format!("event-{seq}"),
        at: "2026-11-30T10:42:07.318Z".parse::<Timestamp>().unwrap()
            + seq.cast_signed().milliseconds(),
        kind: if seq.is_multiple_of(3) {
            "flag"
        } else {
            "move"
        }
        .to_owned(),
        section: Some("open".to_owned()),
        round: Some(u16::try_from(seq / 50 + 1).unwrap()),
        table: (!seq.is_multiple_of(7)).then(|| u16::try_from(seq % 7).unwrap()),
        body: format!(r#"{{"v":1,"seq":{seq}}}"#),
    }
}

fn message(topic: &str, payload: &str, retain: bool) -> Outgoing {
    Outgoing {
        topic: topic.to_owned(),
        payload: payload.as_bytes().to_vec(),
        retain,
    }
}

#[tokio::test]
async fn what_is_appended_is_read_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("new/data/journal.db");
    let records: Vec<Record> = (1..=200).map(record).collect();
    {
        let journal = Journal::open(&path).await.unwrap();
        assert_eq!(journal.last_seq(), 0);
        journal.append(&records[..1], &[]).await.unwrap();
        journal.append(&records[1..], &[]).await.unwrap();
        journal.close().await;
    }
    let journal = Journal::open(&path).await.unwrap();
    assert_eq!(journal.last_seq(), 200);
    assert_eq!(journal.read(1, 1000).await.unwrap(), records);
    assert_eq!(journal.read(199, 1000).await.unwrap(), records[198..]);
    assert_eq!(journal.read(10, 2).await.unwrap(), records[9..11]);
    let mut all = Vec::new();
    assert_eq!(
        journal.replay(1, |record| all.push(record)).await.unwrap(),
        200
    );
    assert_eq!(all, records);

    for (table, round, kind) in [
        (None, None, None),
        (Some(3), None, None),
        (None, Some(2), None),
        (None, None, Some("flag")),
        (Some(3), Some(2), None),
        (Some(3), None, Some("flag")),
        (None, Some(2), Some("flag")),
        (Some(3), Some(2), Some("flag")),
        (Some(99), None, None),
    ] {
        let filter = Filter {
            table,
            round,
            kind: kind.map(str::to_owned),
        };
        let expected: Vec<Record> = records
            .iter()
            .filter(|r| r.seq >= 20)
            .filter(|r| table.is_none() || r.table == table)
            .filter(|r| round.is_none() || r.round == round)
            .filter(|r| kind.is_none_or(|kind| r.kind == kind))
            .take(15)
            .cloned()
            .collect();
        assert_eq!(
            journal.find(&filter, 20, 15).await.unwrap(),
            expected,
            "{filter:?}"
        );
    }
}

#[tokio::test]
async fn a_gap_or_a_repeat_is_refused_and_nothing_is_written() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
    for wrong in [&[record(2)][..], &[record(1), record(3)], &[record(0)]] {
        let error = journal
            .append(wrong, &[message("t", "x", false)])
            .await
            .unwrap_err();
        assert!(matches!(error, JournalError::Sequence { .. }), "{error}");
    }
    assert_eq!(journal.outbox_len().await.unwrap().0, 0);
    journal.append(&[record(1)], &[]).await.unwrap();
    // The same id under a new number.
    let mut again = record(2);
    again.id = record(1).id;
    let error = journal
        .append(&[again], &[message("t", "x", false)])
        .await
        .unwrap_err();
    assert!(error.to_string().contains("already"), "{error}");
    assert_eq!(journal.outbox_len().await.unwrap().0, 0);
    assert_eq!(journal.last_seq(), 1);
    journal.append(&[record(2)], &[]).await.unwrap();
}

#[tokio::test]
async fn a_clock_set_back_does_not_change_the_order() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j.db");
    let journal = Journal::open(&path).await.unwrap();
    let mut records: Vec<Record> = (1..=4).map(record).collect();
    for late in &mut records[2..] {
        late.at -= 2.hours();
    }
    journal.append(&records, &[]).await.unwrap();
    assert_eq!(journal.read(1, 10).await.unwrap(), records);
    journal.close().await;
    assert_eq!(Journal::open(&path).await.unwrap().last_seq(), 4);
}

#[tokio::test]
async fn a_second_hub_is_refused_until_the_first_is_gone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j.db");
    let first = Journal::open(&path).await.unwrap();
    let error = Journal::open(&path).await.unwrap_err();
    assert!(matches!(error, JournalError::Locked { .. }), "{error}");
    assert!(error.to_string().contains("another hub"), "{error}");
    first.append(&[record(1)], &[]).await.unwrap();
    first.close().await;
    assert_eq!(Journal::open(&path).await.unwrap().last_seq(), 1);
}

/// A program that was just being started has the old hub's files for a moment.
#[tokio::test]
async fn a_lock_that_is_being_given_back_is_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j.db");
    let first = Journal::open(&path).await.unwrap();
    let (second, ()) = tokio::join!(Journal::open(&path), async {
        tokio::task::yield_now().await;
        first.close().await;
    });
    assert_eq!(second.unwrap().last_seq(), 0);
}

#[tokio::test]
async fn a_damaged_file_is_named_and_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j.db");
    let journal = Journal::open(&path).await.unwrap();
    let records: Vec<Record> = (1..=500).map(record).collect();
    journal.append(&records, &[]).await.unwrap();
    journal.close().await;
    let good = std::fs::read(&path).unwrap();

    let mut torn = good.clone();
    // Past the header and the schema: pages of rows and indexes.
    let middle = torn.len() / 2;
    torn[middle..middle + 4096].fill(0xa5);
    for (bad, name) in [
        (torn, "torn"),
        (
            b"this is no database, it is a shopping list".repeat(200),
            "text",
        ),
    ] {
        std::fs::write(&path, &bad).unwrap();
        let error = Journal::open(&path).await.unwrap_err();
        assert!(
            matches!(error, JournalError::Damaged { .. }),
            "{name}: {error}"
        );
        assert!(error.to_string().contains("backup"), "{name}: {error}");
        assert_eq!(std::fs::read(&path).unwrap(), bad, "{name}");
    }
    std::fs::write(&path, &good).unwrap();
    assert_eq!(Journal::open(&path).await.unwrap().last_seq(), 500);
}

#[tokio::test]
async fn a_backup_is_a_journal_and_replaces_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
    let records: Vec<Record> = (1..=50).map(record).collect();
    journal
        .append(&records, &[message("t", "x", true)])
        .await
        .unwrap();
    let copy = directory.path().join("backup.db");
    journal.backup(&copy).await.unwrap();
    assert!(journal.backup(&copy).await.is_err());
    let copy = Journal::open(&copy).await.unwrap();
    assert_eq!(copy.read(1, 100).await.unwrap(), records);
    assert_eq!(copy.outbox_len().await.unwrap().0, 1);
}

#[tokio::test]
async fn the_outbox_keeps_order_and_only_the_newest_state() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
    journal
        .append(
            &[record(1)],
            &[
                message("event/a", "1", false),
                message("state/1", "old", true),
            ],
        )
        .await
        .unwrap();
    journal
        .append(
            &[],
            &[
                message("event/a", "2", false),
                message("state/2", "x", true),
                message("state/1", "new", true),
            ],
        )
        .await
        .unwrap();
    let rows = journal.outbox(0, 10).await.unwrap();
    let payloads: Vec<_> = rows.iter().map(|(_, m)| m.payload.as_slice()).collect();
    assert_eq!(payloads, [&b"1"[..], b"2", b"x", b"new"]);
    assert_eq!(journal.outbox(rows[1].0, 1).await.unwrap(), rows[2..3]);
    let (waiting, age) = journal.outbox_len().await.unwrap();
    assert_eq!(waiting, 4);
    assert!(age.unwrap() < Duration::from_mins(1));
    let ids: Vec<i64> = rows.iter().map(|(id, _)| *id).collect();
    journal.outbox_done(&ids).await.unwrap();
    assert_eq!(journal.outbox_len().await.unwrap(), (0, None));
}

#[tokio::test]
async fn a_retained_topic_is_forgotten_when_its_emptying_is_acknowledged() {
    let directory = tempfile::tempdir().unwrap();
    let journal = Journal::open(directory.path().join("j.db")).await.unwrap();
    let send = async |topic, payload| {
        journal
            .append(&[], &[message(topic, payload, true)])
            .await
            .unwrap();
        journal.outbox(0, 100).await.unwrap().last().unwrap().0
    };
    journal
        .remember_retained(&["a".to_owned(), "c".to_owned()])
        .await
        .unwrap();
    let first = send("b", "x").await;
    journal.outbox_done(&[first]).await.unwrap();
    assert_eq!(journal.retained().await.unwrap(), ["a", "b", "c"]);

    let emptying = send("a", "").await;
    assert_eq!(journal.retained().await.unwrap(), ["b", "c"]);
    // Used again before the broker has answered: it is remembered again, and stays so.
    let again = send("a", "y").await;
    journal.outbox_done(&[emptying]).await.unwrap();
    journal.outbox_done(&[again]).await.unwrap();
    assert_eq!(journal.retained().await.unwrap(), ["a", "b", "c"]);

    let emptying = send("b", "").await;
    journal.outbox_done(&[emptying]).await.unwrap();
    assert_eq!(journal.retained().await.unwrap(), ["a", "c"]);
}

/// Set where a test has started itself again: the directory or file that it works on.
const CHILD: &str = "FLAGFALL_TEST_JOURNAL";

/// Really full: a file system of 1 MB, which a namespace of its own gives anybody the right to mount.
#[test]
fn a_full_disk_loses_nothing_and_goes_on_when_there_is_room() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    if let Some(disk) = std::env::var_os(CHILD) {
        runtime.block_on(fill(Path::new(&disk)));
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let test = "a_full_disk_loses_nothing_and_goes_on_when_there_is_room";
    let mut unshare = Command::new("unshare");
    if !nix::unistd::geteuid().is_root() {
        unshare.args(["--user", "--map-root-user"]);
    }
    let output = unshare
        .arg("--mount")
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, directory.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{output:?}"
    );
}

async fn fill(disk: &Path) {
    let status = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"])
        .arg(disk)
        .status()
        .unwrap();
    assert!(status.success());
    let path = disk.join("j.db");
    let ballast = disk.join("ballast");
    std::fs::write(&ballast, vec![1; 300_000]).unwrap();
    let journal = Journal::open(&path).await.unwrap();
    let mut seq = 0;
    let error = loop {
        let mut next = record(seq + 1);
        next.body = "x".repeat(2_000);
        match journal
            .append(&[next], &[message("event/x", "x", false)])
            .await
        {
            Ok(()) => seq += 1,
            Err(error) => break error,
        }
        assert!(seq < 10_000, "the disk never got full");
    };
    assert!(matches!(error, JournalError::DiskFull { .. }), "{error}");
    assert!(seq > 10, "only {seq} events fitted");
    assert_eq!(journal.last_seq(), seq);
    assert_eq!(journal.read(1, 10_000).await.unwrap().len() as u64, seq);
    assert!(
        journal.append(&[record(seq + 1)], &[]).await.is_err() || journal.last_seq() == seq + 1
    );
    let seq = journal.last_seq();

    std::fs::remove_file(&ballast).unwrap();
    journal.append(&[record(seq + 1)], &[]).await.unwrap();
    journal.close().await;
    let journal = Journal::open(&path).await.unwrap();
    assert_eq!(journal.read(1, 10_000).await.unwrap().len() as u64, seq + 1);
}

/// The process that the next test kills: appends groups and says which are durable.
#[allow(clippy::print_stdout, reason = "the parent reads it")]
async fn append_until_killed(path: &Path) {
    let journal = Journal::open(path).await.unwrap();
    loop {
        let first = journal.last_seq() + 1;
        let records: Vec<Record> = (first..=first + first % 5).map(record).collect();
        let messages: Vec<Outgoing> = records
            .iter()
            .map(|r| message("event/x", &r.seq.to_string(), false))
            .collect();
        journal.append(&records, &messages).await.unwrap();
        println!("durable {}", journal.last_seq());
    }
}

#[tokio::test]
async fn killed_at_any_point_nothing_acknowledged_is_lost() {
    if let Some(path) = std::env::var_os(CHILD) {
        append_until_killed(Path::new(&path)).await;
    }
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("j.db");
    let mut random = StdRng::seed_from_u64(1);
    let mut before = 0;
    for round in 0..50 {
        let acknowledged = run_and_kill(&path, &mut random);
        let journal = Journal::open(&path).await.unwrap();
        let last = journal.last_seq();
        assert!(
            last >= acknowledged,
            "round {round}: {last} < {acknowledged}"
        );
        assert!(last > before, "round {round}: nothing was appended");
        before = last;
        let mut seq = 0;
        journal
            .replay(1, |found| {
                seq += 1;
                assert_eq!(found, record(seq), "round {round}");
            })
            .await
            .unwrap();
        assert_eq!(seq, last, "round {round}");
        // Events and their messages came together or not at all.
        assert_eq!(journal.outbox_len().await.unwrap().0, last, "round {round}");
        journal.close().await;
    }
}

/// Lets the child work for a random while, kills it, returns the last event that it called durable.
fn run_and_kill(path: &Path, random: &mut StdRng) -> u64 {
    let test = "killed_at_any_point_nothing_acknowledged_is_lost";
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut acknowledged = 0;
    let mut take = |line: Option<std::io::Result<String>>| {
        let Some(Ok(line)) = line else { return false };
        if let Some((_, seq)) = line.split_once("durable ") {
            acknowledged = seq.parse().unwrap();
        }
        true
    };
    for _ in 0..random.random_range(5..40) {
        assert!(take(lines.next()), "the child ended by itself");
    }
    std::thread::sleep(Duration::from_micros(random.random_range(0..4_000)));
    child.kill().unwrap();
    while take(lines.next()) {}
    child.wait().unwrap();
    acknowledged
}

fn beside(path: &Path, end: &str) -> std::path::PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

/// What is removed under the hub is noticed before anything is acknowledged, and written anew.
#[tokio::test]
async fn removed_files_are_noticed_and_written_anew() {
    for ends in [
        &["", "-wal", "-shm"][..],
        &[""],
        &["-wal"],
        &["-shm"],
        &["-wal", "-shm"],
    ] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.db");
        let journal = Journal::open(&path).await.unwrap();
        journal
            .append(&[record(1)], &[message("a/b", "x", true)])
            .await
            .unwrap();
        assert_eq!(journal.read(1, 10).await.unwrap().len(), 1);
        for end in ends {
            std::fs::remove_file(beside(&path, end)).unwrap();
        }
        let error = journal.check().await.unwrap_err();
        assert!(matches!(error, JournalError::Lost { .. }), "{error}");
        journal.append(&[record(2)], &[]).await.unwrap_err();

        journal.repair().await.unwrap();
        journal.append(&[record(2)], &[]).await.unwrap();
        assert_eq!(journal.read(1, 10).await.unwrap().len(), 2, "{ends:?}");
        journal.close().await;
        let journal = Journal::open(&path).await.unwrap();
        assert_eq!(journal.last_seq(), 2, "{ends:?}");
        assert_eq!(journal.outbox(0, 10).await.unwrap().len(), 1);
    }
}

/// What was cut off or exchanged cannot be had again: nothing is accepted.
#[tokio::test]
async fn a_journal_that_was_cut_off_accepts_nothing() {
    for end in ["", "-wal", "other"] {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("journal.db");
        let journal = Journal::open(&path).await.unwrap();
        journal.append(&[record(1)], &[]).await.unwrap();
        if end == "other" {
            std::fs::remove_file(&path).unwrap();
            std::fs::write(&path, "something").unwrap();
        } else {
            let file = std::fs::File::options()
                .write(true)
                .open(beside(&path, end))
                .unwrap();
            file.set_len(0).unwrap();
        }
        for _ in 0..2 {
            let error = journal.append(&[record(2)], &[]).await.unwrap_err();
            assert!(matches!(error, JournalError::Lost { .. }), "{end}: {error}");
            journal.repair().await.unwrap_err();
        }
        assert_eq!(journal.last_seq(), 1);
    }
}
