//! From the flag byte on the wire to the alert on an arbiter's page: two hundred boards in blitz.
//!
//! The daemon, the boards' sockets and a browser run as they do in a hall. Each clock's flag falls once.
//! What counts is the time from the write of the byte that says so to the frame in which the console
//! shows the table's card. `FLAG_TABLES` changes the number of tables.

#![allow(
    clippy::unwrap_used,
    reason = "a helper that fails is a bench that fails"
)]
#![allow(
    clippy::print_stdout,
    reason = "a figure on the terminal is what this is for"
)]

#[path = "../tests/browser/driver.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod driver;
#[path = "../tests/hall/place.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod place;
#[path = "../tests/support/process.rs"]
#[allow(dead_code, reason = "the tests use all of it")]
mod process;

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    net::SocketAddr,
    sync::{Arc, Mutex},
    time::Duration,
};

use driver::Browser;
use fantoccini::Locator;
use flagfall_simulators::{
    board::{SimBoard, pieces},
    clock::{Button, Side, SimClock, TimeControl},
};
use hdrhistogram::Histogram;
use jiff::Timestamp;
use place::{Console, Place};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::Square;
use tokio::{
    net::{TcpListener, TcpStream},
    sync::watch,
    time::{Instant, sleep_until},
};

/// A minute for each side: all flags fall within a minute as well.
const BASE: Duration = Duration::from_mins(1);
/// Half-moves before the player whose turn it is forgets the clock.
const PLIES: std::ops::Range<usize> = 2..13;
/// The knights go out and home: four half-moves, again and again.
const DANCE: [(Square, Square); 4] = [
    (Square::G1, Square::F3),
    (Square::B8, Square::C6),
    (Square::F3, Square::G1),
    (Square::C6, Square::B8),
];
/// All flags are down by then, if the players ever started.
const PATIENCE: Duration = Duration::from_secs(150);

/// Writes down when the card of each table was first on the screen.
const RECORD: &str = "window.flags = {};
    addEventListener('DOMContentLoaded', () => {
        const look = (element) => {
            const text = element.querySelector?.('h3')?.textContent ?? '';
            const table = /^Table (\\d+)Flag fallen/.exec(text)?.[1];
            if (!table || table in flags) return;
            flags[table] = 0;
            requestAnimationFrame(() => { flags[table] = performance.timeOrigin + performance.now(); });
        };
        new MutationObserver((changes) => {
            for (const { addedNodes } of changes) addedNodes.forEach(look);
        }).observe(document.getElementById('needs-list'), { childList: true });
    });";

/// When each table's flag byte was written, by the system's clock.
type Written = Arc<Mutex<BTreeMap<u16, f64>>>;

fn now_ms() -> f64 {
    Timestamp::now().as_duration().as_secs_f64() * 1000.0
}

/// Finds the byte of a clock message that says that a flag has fallen.
#[derive(Debug, Default)]
struct FlagByte {
    id: u8,
    at: usize,
}

impl FlagByte {
    fn in_bytes(&mut self, bytes: &[u8]) -> bool {
        let mut found = false;
        for &byte in bytes {
            if byte >= 0x80 {
                (self.id, self.at) = (byte, 0);
                continue;
            }
            self.at += 1;
            // Hours of the right and of the left side; a low half of ten marks an answer instead.
            let hours = self.id == 0x8d && (self.at == 3 || self.at == 6);
            found |= hours && byte & 0x0f != 0x0a && byte & 0x50 != 0;
        }
        found
    }
}

struct Table {
    number: u16,
    board: SimBoard,
    started: Instant,
    written: Written,
}

impl Table {
    fn now(&self) -> Duration {
        self.started.elapsed()
    }

    /// Serves the board to the hub for ever; the players start when told.
    async fn run(mut self, listener: TcpListener, mut play: watch::Receiver<bool>) {
        let mut rng = ChaCha8Rng::seed_from_u64(u64::from(self.number));
        let mut left = 0;
        let mut ply = 0;
        let mut next: Option<Instant> = None;
        let mut host: Option<TcpStream> = None;
        let mut flag = FlagByte::default();
        let mut buffer = [0; 1024];
        loop {
            let now = self.now();
            self.board.handle_timeout(now);
            if let (Some(bytes), Some(stream)) = (self.board.poll_transmit(now), &host) {
                if flag.in_bytes(&bytes) {
                    let mut written = self.written.lock().unwrap();
                    written.entry(self.number).or_insert_with(now_ms);
                }
                assert_eq!(
                    stream.try_write(&bytes).unwrap(),
                    bytes.len(),
                    "the hub reads"
                );
            }
            let wake = self.board.poll_timeout().map(|at| self.started + at);
            let wake = wake.into_iter().chain(next).min();
            tokio::select! {
                accepted = listener.accept() => host = accepted.ok().map(|(stream, _)| stream),
                changed = play.changed(), if next.is_none() && left == 0 => {
                    changed.unwrap();
                    let now = self.now();
                    self.board.touch_clock(now, |clock| clock.start(now));
                    self.board.press_button(now, Button::Run);
                    left = rng.random_range(PLIES);
                    next = Some(Instant::now() + Duration::from_millis(rng.random_range(500..4000)));
                }
                read = read(host.as_ref(), &mut buffer) => match read {
                    Some(count) => {
                        let now = self.now();
                        self.board.handle_bytes(now, &buffer[..count]);
                    }
                    None => host = None,
                },
                () = sleep_until(wake.unwrap_or_else(Instant::now)), if wake.is_some() => {
                    if next.is_some_and(|at| at <= Instant::now()) {
                        self.half_move(ply);
                        ply += 1;
                        left -= 1;
                        let thought = Duration::from_millis(rng.random_range(500..4000));
                        // Never again: he thinks until the flag falls.
                        next = (left > 0).then(|| Instant::now() + thought);
                        left = left.max(1);
                    }
                }
            }
        }
    }

    fn half_move(&mut self, ply: usize) {
        let now = self.now();
        let (from, to) = DANCE[ply % DANCE.len()];
        let man = self.board.placement()[usize::from(pieces::index(from, false))];
        self.board.set_square(now, pieces::index(from, false), 0);
        self.board.set_square(now, pieces::index(to, false), man);
        let side = if ply.is_multiple_of(2) {
            Side::Left
        } else {
            Side::Right
        };
        self.board.press(now, side);
    }
}

/// Bytes from the host; `None` when it has gone.
async fn read(host: Option<&TcpStream>, buffer: &mut [u8]) -> Option<usize> {
    let Some(stream) = host else {
        return std::future::pending().await;
    };
    loop {
        stream.readable().await.ok()?;
        match stream.try_read(buffer) {
            Ok(0) => return None,
            Ok(count) => return Some(count),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => return None,
        }
    }
}

async fn hall(tables: u16, written: &Written, play: &watch::Sender<bool>) -> Vec<SocketAddr> {
    let mut addresses = Vec::new();
    for number in 1..=tables {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        addresses.push(listener.local_addr().unwrap());
        let mut clock = SimClock::new(TimeControl::fischer(BASE, Duration::ZERO));
        clock.reset(Duration::ZERO, Side::Left);
        let table = Table {
            number,
            board: SimBoard::new(1, number, clock, pieces::start(false)),
            started: Instant::now(),
            written: Arc::clone(written),
        };
        tokio::spawn(table.run(listener, play.subscribe()));
    }
    addresses
}

#[tokio::main]
async fn main() {
    let tables = std::env::var("FLAG_TABLES").map_or(200, |text| text.parse().unwrap());
    let written = Written::default();
    let (play, _) = watch::channel(false);
    let mut ports = String::new();
    for (address, table) in hall(tables, &written, &play).await.iter().zip(1_u16..) {
        writeln!(
            ports,
            "[[port]]\npath = \"tcp://{address}\"\ntable = {table}"
        )
        .unwrap();
    }
    let place = Place::with_event("1+0", tables, &ports);
    place.set_pin().await;
    let _daemon = place.start();
    let console = Console::open(place.http);

    let browser = Browser::start().await;
    browser.viewport(390, 844).await;
    browser.at_each_start(&[RECORD]).await;
    let client = &browser.client;
    client
        .goto(&format!("http://{}/console", place.http))
        .await
        .unwrap();
    browser
        .until("the login", "!document.getElementById('gate').hidden")
        .await;
    for (field, text) in [("name", "Anna Koval"), ("pin", "202612")] {
        let css = format!("#gate [name={field}]");
        let input = client.find(Locator::Css(&css)).await.unwrap();
        input.send_keys(text).await.unwrap();
    }
    browser.click("#gate button").await;
    for step in ["pair", "publish", "start"] {
        console.order(&format!("round/{step}"), "{}");
    }
    browser
        .until(
            "all tables",
            &format!("document.querySelectorAll('.card').length === {tables}"),
        )
        .await;
    play.send(true).unwrap();

    let begun = Instant::now();
    let mut shown = 0;
    while shown < usize::from(tables) && begun.elapsed() < PATIENCE {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let count = browser
            .eval("return Object.values(flags).filter(Boolean).length")
            .await;
        shown = count.as_u64().unwrap_or(0) as usize;
    }
    let seen = browser.eval("return flags").await;
    report(tables, &written.lock().unwrap(), &seen);
}

/// Prints the figures; a flag that nobody saw is an error.
fn report(tables: u16, written: &BTreeMap<u16, f64>, seen: &serde_json::Value) {
    let mut times = Histogram::<u64>::new(3).unwrap();
    let mut unseen = Vec::new();
    for (table, at) in written {
        match seen[table.to_string()].as_f64() {
            Some(shown) if shown > 0.0 => times.record((shown - at).max(0.0) as u64).unwrap(),
            _ => unseen.push(*table),
        }
    }
    let first = written.values().copied().fold(f64::INFINITY, f64::min);
    let last = written.values().copied().fold(0.0, f64::max);
    println!(
        "{tables} tables, {} flags within {:.0} s; from the byte to the frame, ms: \
         median {}, p90 {}, p99 {}, most {}",
        written.len(),
        (last - first) / 1000.0,
        times.value_at_quantile(0.5),
        times.value_at_quantile(0.9),
        times.value_at_quantile(0.99),
        times.max(),
    );
    assert_eq!(unseen, [] as [u16; 0], "flags that the page did not show");
    assert_eq!(
        written.len(),
        usize::from(tables),
        "flags that did not fall"
    );
}
