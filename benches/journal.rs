//! How fast the journal appends and is read back.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use flagfall::journal::{Journal, Outgoing, Record};
use jiff::Timestamp;
use tokio::runtime::Runtime;

fn record(seq: u64) -> Record {
    Record {
        seq,
        id: format!("01JDZ{seq:021}"),
        at: Timestamp::UNIX_EPOCH,
        kind: "move".to_owned(),
        section: Some("open".to_owned()),
        round: Some(3),
        table: Some(12),
        // About the size of a move's event.
        body: format!("{{\"v\":1,\"seq\":{seq},\"pad\":\"{}\"}}", "x".repeat(230)),
    }
}

fn messages() -> [Outgoing; 2] {
    let payload = vec![b'x'; 250];
    [
        Outgoing {
            topic: "flagfall/hall-a/event/move".to_owned(),
            payload: payload.clone(),
            retain: false,
        },
        Outgoing {
            topic: "flagfall/hall-a/table/12/state".to_owned(),
            payload,
            retain: true,
        },
    ]
}

fn open(runtime: &Runtime, directory: &tempfile::TempDir) -> Journal {
    runtime
        .block_on(Journal::open(directory.path().join("journal.db")))
        .expect("a journal in a temporary directory")
}

fn append(c: &mut Criterion) {
    let runtime = Runtime::new().expect("a runtime");
    let mut group = c.benchmark_group("append");
    for size in [1_u64, 10, 100] {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let journal = open(&runtime, &directory);
        group.throughput(Throughput::Elements(size));
        group.bench_function(size.to_string(), |bencher| {
            bencher.iter(|| {
                let first = journal.last_seq() + 1;
                let records: Vec<Record> = (first..first + size).map(record).collect();
                let outgoing: Vec<Outgoing> = records.iter().flat_map(|_| messages()).collect();
                runtime
                    .block_on(journal.append(&records, &outgoing))
                    .expect("appended");
            });
        });
    }
    group.finish();
}

fn rebuild(c: &mut Criterion) {
    const EVENTS: u64 = 100_000;
    let runtime = Runtime::new().expect("a runtime");
    let directory = tempfile::tempdir().expect("a temporary directory");
    let journal = open(&runtime, &directory);
    for first in (1..EVENTS).step_by(1_000) {
        let records: Vec<Record> = (first..first + 1_000).map(record).collect();
        runtime
            .block_on(journal.append(&records, &[]))
            .expect("appended");
    }
    let mut group = c.benchmark_group("rebuild");
    group.throughput(Throughput::Elements(EVENTS));
    group.sample_size(10);
    group.bench_function("100000", |bencher| {
        bencher.iter(|| {
            runtime
                .block_on(journal.replay(1, |record| {
                    black_box(record);
                }))
                .expect("read")
        });
    });
    runtime.block_on(journal.close());
    group.bench_function("open", |bencher| {
        bencher.iter(|| {
            let journal = open(&runtime, &directory);
            runtime.block_on(journal.close());
        });
    });
    group.finish();
}

criterion_group!(benches, append, rebuild);
criterion_main!(benches);
