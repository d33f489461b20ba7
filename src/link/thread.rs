//! The thread on which all ports are served.

use std::{io, thread, time::Duration};

use tokio::{runtime::Builder, sync::oneshot};

/// Before the thread waits for more it rests so long: what comes at many ports meanwhile wakes it once.
/// With a hundred clocks ticking most of an idle hub's work is to wake. It is the most that an observation
/// can be late by; a board's scan takes 200 ms.
const REST: Duration = Duration::from_millis(20);

/// Runs `work` on a thread of its own; the future ends with it. `speed` is that of the hub's time line:
/// the rest is the shorter the faster time runs.
///
/// # Errors
/// When the machine gives no thread or no event queue.
pub fn spawn(
    work: impl Future<Output = ()> + Send + 'static,
    speed: f64,
) -> io::Result<impl Future<Output = ()> + Send> {
    let rest = REST.div_f64(speed.max(1.0));
    let runtime = Builder::new_current_thread()
        .enable_all()
        .on_thread_park(move || thread::sleep(rest))
        .build()?;
    let (ended, end) = oneshot::channel::<()>();
    thread::Builder::new()
        .name("links".to_owned())
        .spawn(move || {
            runtime.block_on(work);
            drop(ended);
        })?;
    Ok(async move {
        // Nothing is ever sent: the sender's end is the word.
        let _ = end.await;
    })
}

#[cfg(test)]
mod tests {
    use std::{
        future,
        sync::{
            Arc,
            atomic::{AtomicU32, Ordering},
        },
    };

    use tokio::sync::Notify;
    use tokio_util::sync::CancellationToken;

    use super::*;

    #[tokio::test]
    async fn work_runs_until_it_ends_and_what_comes_together_wakes_once() {
        let (cancel, bell) = (CancellationToken::new(), Arc::new(Notify::new()));
        let rounds = Arc::new(AtomicU32::new(0));
        let (stop, ring, count) = (cancel.clone(), bell.clone(), rounds.clone());
        let ended = spawn(
            async move {
                tokio::select! {
                    () = stop.cancelled() => {}
                    () = async {
                        loop {
                            ring.notified().await;
                            count.fetch_add(1, Ordering::Relaxed);
                        }
                    } => future::pending().await,
                }
            },
            1.0,
        )
        .unwrap();
        for _ in 0..100 {
            bell.notify_one();
        }
        cancel.cancel();
        ended.await;
        let rounds = rounds.load(Ordering::Relaxed);
        assert!(rounds < 50, "woken {rounds} times");
    }
}
