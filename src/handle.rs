//! The way from the daemon's edges (web, MQTT, demo) to the engine task that owns the hub.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use flagfall_core::{
    hub::{
        command::{AmendmentAsked, Refused, Request},
        games::{Feed, GamePgn},
        screens::SeenScreens,
        view::{
            AmendmentView, EventFigures, EventTable, GameView, HallView, PairingView, PaperView,
            PlayersView, PublicRound, RecordView, RepairView, SheetView, StandingView, Update,
            WallTable,
        },
    },
    pairing::words::Language,
    tournament::trf::{ReportError, ReportOptions},
    types::{RoundNo, TableNo},
};
use jiff::tz::TimeZone;
use thiserror::Error;
use tokio::sync::{broadcast, mpsc, oneshot};

use crate::screens::{Beat, ScreenGuard, ScreenKey, Screens};

/// Why the engine did not do what was asked.
#[derive(Debug, Error)]
pub enum AskError {
    /// The hub refused the command.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The journal cannot be written, so nothing can be promised.
    #[error("the journal cannot be written: {0}")]
    Journal(String),
    /// The journal cannot be read back.
    #[error("the journal cannot be read: {0}")]
    Unread(String),
    /// The engine is stopping.
    #[error("the hub is stopping")]
    Stopping,
}

/// A question to the engine with the place for its answer.
#[derive(Debug)]
pub enum Ask {
    /// The whole hall.
    Hall(oneshot::Sender<Arc<HallView>>),
    /// The game of a table; of the current round when no round is named.
    Game(TableNo, Option<RoundNo>, oneshot::Sender<Option<GameView>>),
    /// All games of a round as PGN.
    RoundPgn(RoundNo, oneshot::Sender<Option<String>>),
    /// Games of a public round as PGN, each as every one of the feeds tells it.
    GamesPgn(
        RoundNo,
        Vec<TableNo>,
        Vec<Feed>,
        oneshot::Sender<Vec<GamePgn>>,
    ),
    /// The page of a game, read back from the journal; of the current round when no round is named.
    Sheet(
        TableNo,
        Option<RoundNo>,
        oneshot::Sender<Result<Option<SheetView>, AskError>>,
    ),
    /// A round's pairing with the reasons.
    Pairing(RoundNo, Language, oneshot::Sender<Option<PairingView>>),
    /// All players with what they are to the next round.
    Players(oneshot::Sender<PlayersView>),
    /// A round as everybody may see it; `None` while it is not public.
    PublicRound(RoundNo, oneshot::Sender<Option<PublicRound>>),
    /// What a repair of the draft of round 1 would change.
    Repair(oneshot::Sender<Result<RepairView, Refused>>),
    /// The event as a report file; dates are those of the zone.
    Report(
        ReportOptions,
        TimeZone,
        oneshot::Sender<Option<Result<Vec<u8>, ReportError>>>,
    ),
    /// The standings.
    Standings(Option<Language>, oneshot::Sender<Vec<StandingView>>),
    /// The event's table; in a language each figure says what it is made of.
    EventTable(Option<Language>, oneshot::Sender<Option<EventTable>>),
    /// The event in figures.
    EventFigures(oneshot::Sender<EventFigures>),
    /// Who changed and decided what, read back from the journal.
    Record(Language, oneshot::Sender<Result<Vec<RecordView>, AskError>>),
    /// What a correction would do.
    Amendment(
        AmendmentAsked,
        Language,
        oneshot::Sender<Result<AmendmentView, Refused>>,
    ),
    /// What taking a correction back would do.
    Reverted(
        u64,
        Language,
        oneshot::Sender<Result<AmendmentView, Refused>>,
    ),
    /// What is printed for the tables of the current round.
    Paper(oneshot::Sender<Option<PaperView>>),
    /// The wall of boards as it was so long ago.
    Wall(Duration, oneshot::Sender<Vec<WallTable>>),
    /// A command; answered once its events are durable, with the last one's sequence number.
    Command(Request, oneshot::Sender<Result<u64, AskError>>),
}

/// A cheap, cloneable way to the engine.
#[derive(Clone, Debug)]
pub struct Handle {
    asks: mpsc::Sender<Ask>,
    updates: broadcast::Sender<Arc<Update>>,
    screens: Screens,
}

impl Handle {
    /// A handle and the engine's end of it.
    pub fn new(updates: broadcast::Sender<Arc<Update>>) -> (Self, mpsc::Receiver<Ask>) {
        let (asks, receiver) = mpsc::channel(1024);
        (
            Self {
                asks,
                updates,
                screens: Screens::default(),
            },
            receiver,
        )
    }

    async fn ask<T>(&self, make: impl FnOnce(oneshot::Sender<T>) -> Ask) -> Result<T, AskError> {
        let (sender, receiver) = oneshot::channel();
        self.asks
            .send(make(sender))
            .await
            .map_err(|_| AskError::Stopping)?;
        receiver.await.map_err(|_| AskError::Stopping)
    }

    /// The whole hall.
    pub async fn hall(&self) -> Result<Arc<HallView>, AskError> {
        self.ask(Ask::Hall).await
    }

    /// The game of a table; of the current round when no round is named.
    pub async fn game(
        &self,
        table: TableNo,
        round: Option<RoundNo>,
    ) -> Result<Option<GameView>, AskError> {
        self.ask(|reply| Ask::Game(table, round, reply)).await
    }

    /// All games of a round as PGN.
    pub async fn round_pgn(&self, round: RoundNo) -> Result<Option<String>, AskError> {
        self.ask(|reply| Ask::RoundPgn(round, reply)).await
    }

    /// Games of a round as PGN, each as every one of the feeds tells it; none while it is a draft.
    pub async fn games_pgn(
        &self,
        round: RoundNo,
        tables: Vec<TableNo>,
        feeds: Vec<Feed>,
    ) -> Result<Vec<GamePgn>, AskError> {
        self.ask(|reply| Ask::GamesPgn(round, tables, feeds, reply))
            .await
    }

    /// The page of a game, read back from the journal.
    pub async fn sheet(
        &self,
        table: TableNo,
        round: Option<RoundNo>,
    ) -> Result<Option<SheetView>, AskError> {
        self.ask(|reply| Ask::Sheet(table, round, reply)).await?
    }

    /// A round's pairing with the reasons; `None` for a round that is not paired.
    pub async fn pairing(
        &self,
        round: RoundNo,
        language: Language,
    ) -> Result<Option<PairingView>, AskError> {
        self.ask(|reply| Ask::Pairing(round, language, reply)).await
    }

    /// All players with what they are to the next round.
    pub async fn players(&self) -> Result<PlayersView, AskError> {
        self.ask(Ask::Players).await
    }

    /// A round as everybody may see it; `None` while it is not public.
    pub async fn public_round(&self, round: RoundNo) -> Result<Option<PublicRound>, AskError> {
        self.ask(|reply| Ask::PublicRound(round, reply)).await
    }

    /// What a repair of the draft of round 1 would change beside pairing anew.
    pub async fn repair(&self) -> Result<RepairView, AskError> {
        Ok(self.ask(Ask::Repair).await??)
    }

    /// The event as a report file; `None` before one is set up.
    pub async fn report(
        &self,
        options: ReportOptions,
        zone: TimeZone,
    ) -> Result<Option<Result<Vec<u8>, ReportError>>, AskError> {
        self.ask(|reply| Ask::Report(options, zone, reply)).await
    }

    /// The standings; in a language each figure says what it is made of.
    pub async fn standings(
        &self,
        explained: Option<Language>,
    ) -> Result<Vec<StandingView>, AskError> {
        self.ask(|reply| Ask::Standings(explained, reply)).await
    }

    /// The event's table; `None` before an event is set up.
    pub async fn event_table(
        &self,
        explained: Option<Language>,
    ) -> Result<Option<EventTable>, AskError> {
        self.ask(|reply| Ask::EventTable(explained, reply)).await
    }

    /// The event in figures.
    pub async fn event_figures(&self) -> Result<EventFigures, AskError> {
        self.ask(Ask::EventFigures).await
    }

    /// Who changed and decided what, oldest first.
    pub async fn record(&self, language: Language) -> Result<Vec<RecordView>, AskError> {
        self.ask(|reply| Ask::Record(language, reply)).await?
    }

    /// What a correction would do.
    pub async fn amendment(
        &self,
        asked: AmendmentAsked,
        language: Language,
    ) -> Result<AmendmentView, AskError> {
        Ok(self
            .ask(|reply| Ask::Amendment(asked, language, reply))
            .await??)
    }

    /// What taking a correction back would do.
    pub async fn reverted(
        &self,
        number: u64,
        language: Language,
    ) -> Result<AmendmentView, AskError> {
        Ok(self
            .ask(|reply| Ask::Reverted(number, language, reply))
            .await??)
    }

    /// Carries out a command. Returns once its events are durable.
    pub async fn command(&self, request: Request) -> Result<u64, AskError> {
        self.ask(|reply| Ask::Command(request, reply)).await?
    }

    /// Changes from now on. A receiver that lags asks for the whole hall again.
    pub fn updates(&self) -> broadcast::Receiver<Arc<Update>> {
        self.updates.subscribe()
    }

    /// What is printed for the tables of the current round; `None` before an event is set up.
    pub async fn paper(&self) -> Result<Option<PaperView>, AskError> {
        self.ask(Ask::Paper).await
    }

    /// The wall of boards as it was so long ago.
    pub async fn wall(&self, delay: Duration) -> Result<Vec<WallTable>, AskError> {
        self.ask(|reply| Ask::Wall(delay, reply)).await
    }

    /// Registers a screen that listens (R-CD-1).
    pub fn screen(&self, key: Option<ScreenKey>) -> ScreenGuard {
        self.screens.listen(key, Instant::now())
    }

    /// A screen's sign of life.
    pub fn beat(&self, key: &ScreenKey, beat: Beat) {
        self.screens.beat(key, beat, Instant::now());
    }

    /// Screens that listen now.
    pub fn screens(&self) -> usize {
        self.screens.listening()
    }

    /// Which screens are heard.
    pub fn seen_screens(&self) -> SeenScreens {
        self.screens.seen(Instant::now())
    }

    /// Asks a screen to sound its gong.
    pub fn check_sound(&self, key: &str) {
        self.screens.check_sound(key);
    }

    /// How often a screen was asked to.
    pub fn sound_checks(&self, key: &str) -> u32 {
        self.screens.sound_checks(key)
    }
}
