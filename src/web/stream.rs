//! Live streams (server-sent events): the hall for arbiters, the countdown for screens.
//!
//! The first message is the whole state, later ones are changes; a `tick` each few seconds lets a
//! page notice a dead link. A listener that falls behind gets the whole state again.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use axum::{
    body::{Body, Bytes},
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Serialize;
use tokio::{
    sync::{broadcast::error::RecvError, mpsc},
    time::MissedTickBehavior,
};
use tokio_stream::wrappers::ReceiverStream;

use super::{
    AppState,
    api::time_now,
    fanout::{Frame, message},
    mine::{Mine, Who},
    pairings::Pairings,
    problem::Problem,
};
use crate::screens::ScreenGuard;

/// How often a sign of life is sent.
const TICK: Duration = Duration::from_secs(5);
/// How long a page may leave its messages untaken.
const STALL: Duration = Duration::from_secs(30);
/// Streams of one address: a room of phones behind one router, not a flood.
const PER_ADDRESS: usize = 96;
/// Streams of all addresses; below the limit of connections, so that commands still come through.
const IN_ALL: usize = 512;

/// Which stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Hall,
    Screen,
    Pairings,
}

impl Kind {
    fn gauge(self) -> metrics::Gauge {
        let name = match self {
            Self::Hall => "hall",
            Self::Screen => "screen",
            Self::Pairings => "pairings",
        };
        metrics::gauge!("flagfall_web_streams", "stream" => name)
    }
}

/// Counts open streams by address.
#[derive(Debug, Default)]
pub(super) struct Streams(Mutex<BTreeMap<IpAddr, usize>>);

/// One open stream.
#[derive(Debug)]
struct Place {
    streams: Arc<Streams>,
    from: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self
            .streams
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.from) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.from);
            }
        }
    }
}

impl Streams {
    fn take(self: &Arc<Self>, from: IpAddr) -> Option<Place> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let here = open.get(&from).copied().unwrap_or(0);
        if here >= PER_ADDRESS || open.values().sum::<usize>() >= IN_ALL {
            return None;
        }
        open.insert(from, here + 1);
        Some(Place {
            streams: Arc::clone(self),
            from,
        })
    }
}

/// What lives as long as the stream.
struct Guards {
    kind: Kind,
    _place: Place,
    _screen: Option<ScreenGuard>,
}

impl Drop for Guards {
    fn drop(&mut self) {
        self.kind.gauge().decrement(1);
    }
}

/// Opens a stream.
pub(super) fn open(state: AppState, kind: Kind, from: IpAddr, who: Who) -> Response {
    let Some(place) = state.streams.take(from) else {
        return Problem::new(
            StatusCode::TOO_MANY_REQUESTS,
            "too many live pages are open",
            "close some of them and try again",
        )
        .retry_after(10)
        .into_response();
    };
    kind.gauge().increment(1);
    let guards = Guards {
        kind,
        _place: place,
        _screen: (kind == Kind::Screen).then(|| state.handle.screen(who.key().cloned())),
    };
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(async move {
        let cancel = state.cancel.clone();
        let closed = sender.clone();
        tokio::select! {
            () = cancel.cancelled() => {}
            () = closed.closed() => {}
            _ = async {
                match kind {
                    Kind::Pairings => feed_pairings(&state, &sender).await,
                    Kind::Hall | Kind::Screen => feed(&state, kind, who, &sender).await,
                }
            } => {}
        }
        drop(guards);
    });
    let body = Body::from_stream(futures_util::StreamExt::map(
        ReceiverStream::new(receiver),
        Ok::<Bytes, std::convert::Infallible>,
    ));
    (
        [
            (header::CONTENT_TYPE, "text/event-stream"),
            (header::CACHE_CONTROL, "no-cache, no-transform"),
        ],
        body,
    )
        .into_response()
}

/// Sends until the page goes (`None`) or the engine stops.
async fn feed(state: &AppState, kind: Kind, who: Who, sender: &mpsc::Sender<Bytes>) -> Option<()> {
    let mut mine = Mine::new(who);
    let mut frames = state.fanout.listen();
    let mut health = state.health.clone();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut seq = whole(state, kind, &mut mine, sender).await?;
    let mut has_health = kind == Kind::Hall;
    if has_health {
        health.mark_changed();
    }
    loop {
        tokio::select! {
            frame = frames.recv() => match frame {
                // What is older than the whole hall that was sent is in it already.
                Ok(frame) if frame.seq() < seq => {}
                Ok(frame) => {
                    if frame.is_whole() {
                        seq = frame.seq();
                    }
                    send(state, &frame, kind, &mut mine, sender).await?;
                }
                Err(RecvError::Lagged(_)) => seq = whole(state, kind, &mut mine, sender).await?,
                Err(RecvError::Closed) => return None,
            },
            changed = health.changed(), if has_health => {
                if changed.is_err() {
                    has_health = false;
                    continue;
                }
                let report = health.borrow_and_update().clone();
                let text = message("health", &HealthMessage { hub: &state.settings.hub, report });
                push(sender, text).await?;
            }
            _ = tick.tick() => {
                if let Some(text) = mine.again(state) {
                    push(sender, text).await?;
                }
                push(sender, message("tick", &time_now(state))).await?;
            }
        }
    }
}

/// Sends the public pairings whenever something of them changed.
async fn feed_pairings(state: &AppState, sender: &mpsc::Sender<Bytes>) -> Option<()> {
    let mut frames = state.fanout.listen();
    let mut tick = tokio::time::interval(TICK);
    tick.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pairings = Pairings::new(state.settings.publish_names);
    pairings.take_hall(&*state.handle.hall().await.ok()?);
    let mut shown = None;
    loop {
        if let Some(round) = pairings.missing() {
            pairings.take_earlier(state.handle.public_round(round).await.ok()?);
        }
        let view = pairings.view();
        if shown.as_ref() != Some(&view) {
            push(sender, message("pairings", &view)).await?;
            shown = Some(view);
        }
        tokio::select! {
            frame = frames.recv() => match frame {
                Ok(frame) => frame.tell(&mut pairings),
                Err(RecvError::Lagged(_)) => pairings.take_hall(&*state.handle.hall().await.ok()?),
                Err(RecvError::Closed) => return None,
            },
            _ = tick.tick() => push(sender, message("tick", &time_now(state))).await?,
        }
    }
}

#[derive(Serialize)]
struct HealthMessage<'a> {
    hub: &'a str,
    #[serde(flatten)]
    report: super::Health,
}

async fn whole(
    state: &AppState,
    kind: Kind,
    mine: &mut Mine,
    sender: &mpsc::Sender<Bytes>,
) -> Option<u64> {
    let frame = Frame::whole(state.handle.hall().await.ok()?);
    send(state, &frame, kind, mine, sender).await?;
    Some(frame.seq())
}

/// Gives up on a page that takes nothing for half a minute; it comes back when it can.
async fn push(sender: &mpsc::Sender<Bytes>, text: Bytes) -> Option<()> {
    tokio::time::timeout(STALL, sender.send(text))
        .await
        .ok()?
        .ok()
}

async fn send(
    state: &AppState,
    frame: &Frame,
    kind: Kind,
    mine: &mut Mine,
    sender: &mpsc::Sender<Bytes>,
) -> Option<()> {
    if let Some(text) = mine.news(state, frame.screens()) {
        push(sender, text).await?;
    }
    let text = match kind {
        Kind::Hall => Some(frame.for_hall()),
        Kind::Screen => frame.for_screen(),
        // Their stream has its own feed.
        Kind::Pairings => None,
    };
    match text {
        Some(text) => push(sender, text).await,
        None => Some(()),
    }
}
