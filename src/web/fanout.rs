//! One reader of the engine's updates for all pages: merges them into at most ten frames a second
//! and writes each frame as JSON once, however many listen. Without listeners it does not run.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
    time::Duration,
};

use axum::body::Bytes;
use flagfall_core::hub::view::{
    EventView, HallView, Phase, PlayOffView, RoundView, ScreenView as Device, ShowView, TableView,
    Update,
};
use flagfall_core::types::TableNo;
use jiff::Timestamp;
use serde::Serialize;
use tokio::{
    sync::broadcast::{self, error::RecvError},
    time::Instant,
};
use utoipa::ToSchema;

use super::pairings::Pairings;
use crate::handle::Handle;

/// The least time between two frames.
const INTERVAL: Duration = Duration::from_millis(100);
/// Frames a slow listener may be behind before it gets the whole hall again.
const BACKLOG: usize = 32;

/// What a countdown screen is told: no names, nothing of the games.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub(super) struct ScreenView {
    /// The journal's sequence number.
    seq: u64,
    /// The event; absent when it did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<ScreenEvent>,
    /// The round; absent when it did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    round: Option<ScreenRound>,
    /// What the arbiters show on all screens; absent when it did not change.
    #[serde(skip_serializing_if = "Option::is_none")]
    show: Option<ShowView>,
}

/// The event as the screen shows it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ScreenEvent {
    name: String,
    section: String,
    rounds: u16,
    zone: Option<String>,
}

/// The round as the screen shows it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(super) struct ScreenRound {
    number: u16,
    phase: Phase,
    published: bool,
    #[schema(value_type = Option<String>)]
    starts_at: Option<Timestamp>,
    #[schema(value_type = Option<String>)]
    started_at: Option<Timestamp>,
    #[schema(value_type = Option<String>)]
    default_at: Option<Timestamp>,
    until_half: bool,
    #[schema(value_type = Option<String>)]
    next_at: Option<Timestamp>,
    next_about: bool,
    #[schema(value_type = Option<Vec<u16>>)]
    waiting: Option<Vec<TableNo>>,
    #[schema(value_type = Option<String>)]
    photo_until: Option<Timestamp>,
    play_off: Option<PlayOffView>,
    #[schema(value_type = Option<String>)]
    planned_at: Option<Timestamp>,
    /// Games of the round, and how many are open.
    games: u16,
    open: u16,
    held_reason: Option<String>,
}

impl ScreenView {
    fn new(
        seq: u64,
        event: Option<&EventView>,
        round: Option<&RoundView>,
        show: Option<&ShowView>,
    ) -> Self {
        Self {
            seq,
            event: event.map(|event| ScreenEvent {
                name: event.name.clone(),
                section: event.section.clone(),
                rounds: event.rounds,
                zone: event.zone.clone(),
            }),
            round: round.map(|round| ScreenRound {
                number: round.number.0,
                phase: round.phase,
                published: round.published,
                starts_at: round.starts_at,
                started_at: round.started_at,
                default_at: round.default_at,
                until_half: round.until_half,
                next_at: round.next_at,
                next_about: round.next_about,
                waiting: round.waiting.clone(),
                photo_until: round.photo_until,
                play_off: round.play_off.clone(),
                planned_at: round.planned_at,
                games: round.tables,
                open: round.open,
                held_reason: round.held_reason.clone(),
            }),
            show: show.cloned(),
        }
    }
}

/// What listeners get: a change, or the whole hall when changes were missed.
#[derive(Debug)]
enum Content {
    Update(Box<Update>),
    Hall(Arc<HallView>),
}

/// One frame for all listeners; its text is made by the first who needs it.
#[derive(Debug)]
pub(super) struct Frame {
    content: Content,
    hall: OnceLock<Bytes>,
    screen: OnceLock<Option<Bytes>>,
}

impl Frame {
    fn new(content: Content) -> Self {
        Self {
            content,
            hall: OnceLock::new(),
            screen: OnceLock::new(),
        }
    }

    /// The whole hall as a frame.
    pub(super) fn whole(hall: Arc<HallView>) -> Self {
        Self::new(Content::Hall(hall))
    }

    /// The sequence number of the last event in it.
    pub(super) fn seq(&self) -> u64 {
        match &self.content {
            Content::Update(update) => update.seq,
            Content::Hall(hall) => hall.seq,
        }
    }

    /// It replaces all that was sent before.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.content, Content::Hall(_))
    }

    /// Tells a reader of the pairings what is new.
    pub(super) fn tell(&self, pairings: &mut Pairings) {
        match &self.content {
            Content::Update(update) => pairings.take_update(update),
            Content::Hall(hall) => pairings.take_hall(hall),
        }
    }

    /// The hall's screens, when something about them changed.
    pub(super) fn screens(&self) -> Option<&[Device]> {
        match &self.content {
            Content::Update(update) => update.screens.as_deref(),
            Content::Hall(hall) => Some(&hall.screens),
        }
    }

    /// For the console: an SSE message.
    pub(super) fn for_hall(&self) -> Bytes {
        self.hall
            .get_or_init(|| match &self.content {
                Content::Update(update) => message("update", update),
                Content::Hall(hall) => message("hall", hall.as_ref()),
            })
            .clone()
    }

    /// For a countdown screen: an SSE message, when it concerns one.
    pub(super) fn for_screen(&self) -> Option<Bytes> {
        self.screen
            .get_or_init(|| match &self.content {
                Content::Update(update)
                    if update.event.is_none()
                        && update.round.is_none()
                        && update.show.is_none() =>
                {
                    None
                }
                Content::Update(update) => {
                    let (event, round) = (update.event.as_ref(), update.round.as_ref());
                    let view = ScreenView::new(update.seq, event, round, update.show.as_ref());
                    Some(message("screen", &view))
                }
                Content::Hall(hall) => {
                    let (event, round) = (hall.event.as_ref(), hall.round.as_ref());
                    let view = ScreenView::new(hall.seq, event, round, Some(&hall.show));
                    Some(message("screen", &view))
                }
            })
            .clone()
    }
}

/// An SSE message; JSON has no line breaks, so one data line carries it.
pub(super) fn message(event: &str, data: &impl Serialize) -> Bytes {
    let mut text = format!("event: {event}\ndata: ").into_bytes();
    if serde_json::to_writer(&mut text, data).is_err() {
        tracing::error!(event, "a view cannot be written as JSON");
        return Bytes::new();
    }
    text.extend_from_slice(b"\n\n");
    text.into()
}

/// Gives listeners the frames.
#[derive(Debug)]
pub(super) struct Fanout {
    handle: Handle,
    frames: Mutex<Option<broadcast::Sender<Arc<Frame>>>>,
}

impl Fanout {
    pub(super) fn new(handle: Handle) -> Self {
        Self {
            handle,
            frames: Mutex::new(None),
        }
    }

    /// Frames from now on. Ask for the hall after this call: then nothing falls between the two.
    pub(super) fn listen(self: &Arc<Self>) -> broadcast::Receiver<Arc<Frame>> {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = frames.as_ref() {
            return sender.subscribe();
        }
        let (sender, receiver) = broadcast::channel(BACKLOG);
        let updates = self.handle.updates();
        tokio::spawn(pump(Arc::clone(self), updates, sender.clone()));
        *frames = Some(sender);
        receiver
    }

    /// Ends the pump when nobody listens any more.
    fn is_deserted(&self, sender: &broadcast::Sender<Arc<Frame>>) -> bool {
        let mut frames = self.frames.lock().unwrap_or_else(PoisonError::into_inner);
        let deserted = sender.receiver_count() == 0;
        if deserted {
            *frames = None;
        }
        deserted
    }

    fn close(&self) {
        *self.frames.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

async fn pump(
    fanout: Arc<Fanout>,
    mut updates: broadcast::Receiver<Arc<Update>>,
    frames: broadcast::Sender<Arc<Frame>>,
) {
    let mut pending = Pending::default();
    let mut due = None;
    let mut last = Instant::now();
    loop {
        let wake = due.unwrap_or_else(|| Instant::now() + Duration::from_secs(1));
        let content = tokio::select! {
            update = updates.recv() => match update {
                Ok(update) => {
                    pending.merge(&update);
                    due.get_or_insert_with(|| Instant::now().max(last + INTERVAL));
                    continue;
                }
                Err(RecvError::Lagged(missed)) => {
                    tracing::debug!(missed, "pages missed updates and get the whole hall");
                    let Ok(hall) = fanout.handle.hall().await else { break };
                    pending = Pending::default();
                    Content::Hall(hall)
                }
                Err(RecvError::Closed) => break,
            },
            () = tokio::time::sleep_until(wake) => {
                if fanout.is_deserted(&frames) {
                    return;
                }
                if due.is_none() {
                    continue;
                }
                Content::Update(Box::new(std::mem::take(&mut pending).into_update()))
            }
        };
        due = None;
        last = Instant::now();
        // Fails when nobody listens; the next turn notices.
        let _ = frames.send(Arc::new(Frame::new(content)));
    }
    fanout.close();
}

/// Updates merged: of each table and part the latest.
#[derive(Debug, Default)]
struct Pending {
    update: Update,
    tables: BTreeMap<u16, TableView>,
}

impl Pending {
    fn merge(&mut self, update: &Update) {
        self.update.seq = self.update.seq.max(update.seq);
        for table in &update.tables {
            self.tables.insert(table.table.0, table.clone());
        }
        replace(&mut self.update.event, update.event.as_ref());
        replace(&mut self.update.round, update.round.as_ref());
        replace(&mut self.update.alerts, update.alerts.as_ref());
        replace(&mut self.update.proposals, update.proposals.as_ref());
        replace(&mut self.update.devices, update.devices.as_ref());
        replace(&mut self.update.screens, update.screens.as_ref());
        replace(&mut self.update.show, update.show.as_ref());
        replace(&mut self.update.staff, update.staff.as_ref());
        replace(&mut self.update.protests, update.protests.as_ref());
    }

    fn into_update(self) -> Update {
        Update {
            tables: self.tables.into_values().collect(),
            ..self.update
        }
    }
}

fn replace<T: Clone>(part: &mut Option<T>, new: Option<&T>) {
    if let Some(new) = new {
        *part = Some(new.clone());
    }
}
