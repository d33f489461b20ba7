//! How fast bytes of boards become frames and messages, over a mix as a hall sends it: one dump to
//! twenty field updates and as many clock messages, in chunks as a port delivers them.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use flagfall_core::{
    protocol::dgt::{
        clock::{ClockMessage, ClockTime, Face},
        frame::{Dialect, Parser},
        message::Message,
        piece::{Cells, Code},
    },
    types::{Mono, Placement},
};

fn mix() -> Vec<u8> {
    let mut bytes = Vec::new();
    while bytes.len() < 1 << 20 {
        Message::BoardDump(Cells::from(&Placement::new())).encode(&mut bytes);
        for number in 0..20u8 {
            let code = Code::new(number % 13).unwrap_or_default();
            Message::FieldUpdate {
                index: number * 3,
                code,
            }
            .encode(&mut bytes);
            let face = Face {
                hours: 1,
                minutes: 29,
                seconds: 59 - number,
                flag_blocked: false,
                time_per_move: true,
                flag_shown: false,
            };
            let time = ClockTime {
                right: Some(face),
                left: Some(face),
                status: 0x0b,
            };
            Message::Clock(ClockMessage::Time(time)).encode(&mut bytes);
        }
        Message::Serial("12345").encode(&mut bytes);
    }
    bytes
}

fn parser(c: &mut Criterion) {
    let bytes = mix();
    let mut group = c.benchmark_group("dgt");
    group.throughput(Throughput::Bytes(bytes.len() as u64));
    for chunk in [16, 256, 4096] {
        group.bench_with_input(BenchmarkId::new("frames", chunk), &chunk, |b, &chunk| {
            let mut parser = Parser::new(Dialect::Single);
            b.iter(|| {
                let mut frames = 0u64;
                for part in bytes.chunks(chunk) {
                    parser.feed(Mono::ZERO, part, |frame| frames += u64::from(frame.id()));
                }
                frames
            });
        });
        group.bench_with_input(BenchmarkId::new("messages", chunk), &chunk, |b, &chunk| {
            let mut parser = Parser::new(Dialect::Single);
            b.iter(|| {
                let mut good = 0u64;
                for part in bytes.chunks(chunk) {
                    parser.feed(Mono::ZERO, part, |frame| {
                        good += u64::from(Message::decode(std::hint::black_box(frame)).is_ok());
                    });
                }
                good
            });
        });
    }
    group.finish();
}

criterion_group!(benches, parser);
criterion_main!(benches);
