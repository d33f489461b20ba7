//! The games outside the journal: PGN files, and the feed that a broadcast polls.
//!
//! One task follows the hub. What it writes can all be made again from the journal, so it is in nobody's
//! way: a game is written at most once a second, and nothing is written for a clock that only ticks.

mod files;
mod live;

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    time::Duration,
};

use flagfall_core::{
    hub::{
        Trouble,
        games::Feed,
        view::{HallView, Update},
    },
    types::{RoundNo, TableNo},
};
use jiff::{SignedDuration, Timestamp};
use tokio::{
    sync::{broadcast::error::RecvError, mpsc, watch},
    task::spawn_blocking,
    time::Instant,
};
use tokio_util::sync::CancellationToken;
use tracing::{error, info};

use self::files::Files;
pub use self::live::{Live, LiveRound};
use crate::{engine::JournalStatus, handle::Handle, time::HubClock};

/// A game is looked at so long after it changed.
const LOOK: Duration = Duration::from_secs(1);
/// The live round is written at most this often.
const LIVE_EVERY: Duration = Duration::from_secs(2);
/// A round that is being played is written as a whole at most this often.
const ROUND_EVERY: Duration = Duration::from_secs(30);
/// With a delay, what was held back is looked at again this often.
const BEHIND_EVERY: Duration = Duration::from_secs(5);
/// How long after a failed write the next one is tried.
const RETRY: Duration = Duration::from_secs(10);
/// Games that the engine is asked for at once, so that it is never kept long.
const CHUNK: usize = 16;

/// Where the games go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GamesSettings {
    /// The directory of the PGN files; `None` = none are written.
    pub dir: Option<PathBuf>,
    /// Everybody may read the live round at `/live/round.pgn`.
    pub broadcast: bool,
    /// The live round is shown this much later.
    pub delay: Duration,
    /// Half-moves of a running game that the live round does not show.
    pub held_back: u16,
    /// Players stand in the live round by name.
    pub names: bool,
}

impl GamesSettings {
    /// Whether there is anything to do.
    pub fn wanted(&self) -> bool {
        self.dir.is_some() || self.broadcast
    }

    fn live(&self, now: Timestamp) -> Feed {
        let delay = SignedDuration::try_from(self.delay).unwrap_or_default();
        Feed {
            names: self.names,
            until: (!delay.is_zero()).then(|| now.saturating_sub(delay).unwrap_or(now)),
            held_back: self.held_back,
        }
    }
}

/// What the task works with.
pub(crate) struct Sources {
    pub(crate) handle: Handle,
    pub(crate) clock: HubClock,
    pub(crate) journal: watch::Receiver<JournalStatus>,
    pub(crate) troubles: mpsc::Sender<Trouble>,
    pub(crate) live: watch::Sender<Live>,
}

/// A game as it was told last.
#[derive(Debug, Default)]
struct Told {
    record: String,
    live: String,
}

/// The task.
pub(crate) struct Games {
    settings: GamesSettings,
    sources: Sources,
    section: String,
    /// The newest public round.
    round: Option<RoundNo>,
    told: BTreeMap<TableNo, Told>,
    /// Tables to look at.
    dirty: BTreeSet<TableNo>,
    /// Tables of which something is held back.
    behind: BTreeSet<TableNo>,
    /// The last event that was looked at.
    seq: u64,
    /// Another round may be public.
    round_news: bool,
    files: Files,
    failed: bool,
    /// All was written once, so an alert of the last run is no longer so.
    told_well: bool,
    /// What the journal has from before is being written: it can be written again, so it is not forced
    /// to the disk game by game.
    catching_up: bool,
    look_at: Option<Instant>,
    behind_at: Option<Instant>,
    live_at: Option<Instant>,
    round_at: Option<Instant>,
    retry_at: Option<Instant>,
}

impl Games {
    pub(crate) fn new(settings: GamesSettings, sources: Sources) -> Self {
        Self {
            settings,
            sources,
            section: String::new(),
            round: None,
            told: BTreeMap::new(),
            dirty: BTreeSet::new(),
            behind: BTreeSet::new(),
            seq: 0,
            round_news: false,
            files: Files::default(),
            failed: false,
            told_well: false,
            catching_up: true,
            look_at: None,
            behind_at: None,
            live_at: None,
            round_at: None,
            retry_at: None,
        }
    }

    /// Runs until `cancel`, then writes what is left.
    pub(crate) async fn run(mut self, cancel: CancellationToken) {
        let mut updates = self.sources.handle.updates();
        if self.begin().await.is_none() {
            return;
        }
        loop {
            let next = [
                self.look_at,
                self.behind_at,
                self.live_at,
                self.round_at,
                self.retry_at,
            ];
            let next = next.into_iter().flatten().min();
            tokio::select! {
                () = cancel.cancelled() => break,
                update = updates.recv() => match update {
                    Ok(update) => self.take_note(&update),
                    Err(RecvError::Lagged(_)) => self.look_at_all(),
                    Err(RecvError::Closed) => break,
                },
                () = sleep_until(next), if next.is_some() => {
                    if self.work().await.is_none() {
                        break;
                    }
                }
            }
        }
        // The engine stops after this: what happened last is told as well.
        if self.look().await.is_some() {
            self.put_live();
            self.put_round(false);
            self.write().await;
        }
    }

    /// Everything that the journal has; files that are as they must be are left alone.
    async fn begin(&mut self) -> Option<()> {
        let hall = self.sources.handle.hall().await.ok()?;
        self.seq = hall.seq;
        let public = hall.round.iter().filter(|round| round.published);
        let rounds: Vec<(RoundNo, u16)> = hall
            .earlier
            .iter()
            .chain(public)
            .map(|round| (round.number, round.tables))
            .collect();
        self.take_event(&hall);
        for (round, tables) in rounds {
            self.open(round, tables);
            self.look().await?;
            self.put_live();
            self.put_round(true);
        }
        self.write().await;
        self.catching_up = false;
        Some(())
    }

    fn take_event(&mut self, hall: &HallView) {
        if let Some(event) = &hall.event {
            self.section.clone_from(&event.section);
        }
    }

    fn open(&mut self, round: RoundNo, tables: u16) {
        self.round = Some(round);
        self.told.clear();
        self.behind.clear();
        self.dirty = (1..=tables).map(TableNo).collect();
    }

    fn look_at_all(&mut self) {
        self.dirty.extend(self.told.keys());
        self.round_news = true;
        self.look_at.get_or_insert(Instant::now() + LOOK);
    }

    /// A clock that ticks brings no event and so nothing to look at.
    fn take_note(&mut self, update: &Update) {
        if update.seq <= self.seq {
            return;
        }
        self.seq = update.seq;
        if update.round.is_some() {
            self.round_news = true;
            self.dirty.extend(self.told.keys());
        }
        self.dirty
            .extend(update.tables.iter().map(|table| table.table));
        self.look_at.get_or_insert(Instant::now() + LOOK);
    }

    /// What is due. `None` when the hub is gone.
    async fn work(&mut self) -> Option<()> {
        let now = Instant::now();
        let due = |at: &mut Option<Instant>| at.take_if(|at| *at <= now).is_some();
        if due(&mut self.behind_at) {
            self.dirty.append(&mut self.behind);
            self.look_at.get_or_insert(now);
        }
        if due(&mut self.look_at) {
            self.look().await?;
            if std::mem::take(&mut self.round_news) {
                self.next_round().await?;
            }
        }
        if due(&mut self.live_at) {
            self.put_live();
        }
        if due(&mut self.round_at) {
            self.put_round(false);
        }
        due(&mut self.retry_at);
        if self.retry_at.is_none() {
            self.write().await;
        }
        Some(())
    }

    /// A new round is public: the old one is written for the last time.
    async fn next_round(&mut self) -> Option<()> {
        let hall = self.sources.handle.hall().await.ok()?;
        let Some(round) = hall.round.as_ref().filter(|round| round.published) else {
            return Some(());
        };
        if self.round == Some(round.number) {
            return Some(());
        }
        self.dirty.extend(self.told.keys());
        self.look().await?;
        self.put_round(true);
        self.take_event(&hall);
        self.open(round.number, round.tables);
        self.look().await
    }

    /// Asks for the games that may have changed.
    async fn look(&mut self) -> Option<()> {
        let Some(round) = self.round else {
            self.dirty.clear();
            return Some(());
        };
        let dirty: Vec<TableNo> = std::mem::take(&mut self.dirty).into_iter().collect();
        let live = self.settings.live(self.sources.clock.now().utc);
        let mut feeds = vec![Feed::RECORD, live];
        if live.until.is_some() {
            feeds.push(Feed {
                until: None,
                ..live
            });
        }
        let (mut changed, mut live_changed) = (false, false);
        for chunk in dirty.chunks(CHUNK) {
            let games = self
                .sources
                .handle
                .games_pgn(round, chunk.to_vec(), feeds.clone());
            for game in games.await.ok()? {
                let mut texts = game.texts.into_iter();
                let Some(record) = texts.next() else {
                    continue;
                };
                let live = texts.next().unwrap_or_else(|| record.clone());
                if texts.next().is_some_and(|whole| whole != live) {
                    self.behind.insert(game.table);
                }
                let told = self.told.entry(game.table).or_default();
                if told.live != live {
                    told.live = live;
                    live_changed = true;
                }
                if told.record != record {
                    changed = true;
                    if let Some(dir) = &self.settings.dir {
                        let path = dir
                            .join(&self.section)
                            .join(format!("round-{round}"))
                            .join(format!("table-{}.pgn", game.table));
                        let last = game.over && !self.catching_up;
                        self.files.put(path, record.as_str().into(), last);
                    }
                    told.record = record;
                }
            }
        }
        let now = Instant::now();
        if live_changed {
            self.live_at.get_or_insert(now + LIVE_EVERY - LOOK);
        }
        if changed {
            self.round_at.get_or_insert(now + ROUND_EVERY);
        }
        if !self.behind.is_empty() {
            self.behind_at.get_or_insert(now + BEHIND_EVERY);
        }
        Some(())
    }

    /// The live round for who polls it, in memory and as a file.
    fn put_live(&mut self) {
        self.live_at = None;
        let Some(round) = self.round else { return };
        let text = joined(self.told.values().map(|told| told.live.as_str()));
        let mut changed = false;
        self.sources.live.send_if_modified(|live| {
            changed = live.put(round, &text, Timestamp::now());
            changed
        });
        if changed && let Some(dir) = &self.settings.dir {
            self.files.put(dir.join("live.pgn"), text.into(), false);
        }
    }

    fn put_round(&mut self, last: bool) {
        self.round_at = None;
        let (Some(round), Some(dir)) = (self.round, &self.settings.dir) else {
            return;
        };
        if self.told.is_empty() {
            return;
        }
        let text = joined(self.told.values().map(|told| told.record.as_str()));
        let path = dir.join(&self.section).join(format!("round-{round}.pgn"));
        self.files.put(path, text.into(), last);
    }

    async fn write(&mut self) {
        if self.files.is_empty() {
            return;
        }
        // The journal needs the disk more.
        if self.sources.journal.borrow().error.is_some() {
            self.retry_at = Some(Instant::now() + RETRY);
            return;
        }
        let mut files = std::mem::take(&mut self.files);
        let written = spawn_blocking(move || {
            let written = files.write();
            (files, written)
        });
        let Ok((files, written)) = written.await else {
            return;
        };
        self.files = files;
        match written {
            Ok(()) => self.well().await,
            Err((path, error)) => {
                self.retry_at = Some(Instant::now() + RETRY);
                if !self.failed {
                    self.failed = true;
                    error!(path = %path.display(), %error, "the games cannot be written as PGN files");
                    let text = format!(
                        "The games cannot be written as PGN files: {}: {error}. The journal has \
                         them all; the files come as soon as they can be written.",
                        path.display()
                    );
                    // Without an engine there is nobody to tell.
                    drop(self.sources.troubles.send(Trouble::Games(Some(text))).await);
                }
            }
        }
    }

    async fn well(&mut self) {
        self.retry_at = None;
        if self.failed {
            info!("the games are written as PGN files again");
        }
        if self.failed || !self.told_well {
            drop(self.sources.troubles.send(Trouble::Games(None)).await);
        }
        self.failed = false;
        self.told_well = true;
    }
}

/// Games one after the other; each ends with an empty line.
fn joined<'a>(games: impl Iterator<Item = &'a str>) -> String {
    games.collect::<Vec<_>>().join("\n")
}

async fn sleep_until(at: Option<Instant>) {
    if let Some(at) = at {
        tokio::time::sleep_until(at).await;
    }
}

#[cfg(test)]
mod tests;
