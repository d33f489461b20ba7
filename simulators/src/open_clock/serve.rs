//! A clock on a socket, in real time, with two people who press it.

use std::{io, time::Duration};

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    time::Instant,
};

use super::{OpenClock, OpenClockPlan};
use crate::clock::Side;

/// How long the players sit before White's time begins to run, and the next game after a flag.
const BREAK: Duration = Duration::from_secs(10);

/// Plays game after game on one clock and serves whoever connects last. `permit`: the arbiter keeps the clock
/// open for changes.
///
/// # Errors
/// The socket cannot take another connection.
pub async fn serve(
    listener: TcpListener,
    plan: OpenClockPlan,
    permit: bool,
    seed: u64,
) -> io::Result<()> {
    let began = Instant::now();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut clock = OpenClock::new(Duration::ZERO, plan.clone(), rng.random());
    let mut hands = BREAK;
    let mut host: Option<TcpStream> = None;
    let mut buffer = [0; 512];
    loop {
        let now = began.elapsed();
        clock.advance(now);
        if permit {
            clock.hold_buttons(now);
        }
        if now >= hands {
            match clock.running() {
                Some(side) => drop(clock.press(now, side)),
                None if clock.flags().contains(&true) => {
                    clock.set_again(now);
                    hands = now + BREAK;
                }
                None => clock.start(now, Side::Left),
            }
            if clock.running().is_some() {
                hands = now + Duration::from_millis(rng.random_range(800..12_000));
            }
        }
        while let Some(bytes) = clock.poll_transmit() {
            if let Some(stream) = &mut host
                && stream.write_all(&bytes).await.is_err()
            {
                host = None;
            }
        }
        let next = began + clock.next_event().min(hands);
        let read = async {
            match &mut host {
                Some(stream) => stream.read(&mut buffer).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            accepted = listener.accept() => host = Some(accepted?.0),
            read = read => match read {
                Ok(0) | Err(_) => host = None,
                Ok(len) => clock.handle_bytes(began.elapsed(), &buffer[..len]),
            },
            () = tokio::time::sleep_until(next) => {}
        }
    }
}
