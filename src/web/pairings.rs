//! The pairings as everybody may see them: the rounds that are public, their tables and results. A
//! draft shows nothing, and names are left out unless the settings publish them.

use std::collections::BTreeMap;

use flagfall_core::{
    hub::view::{
        EventView, HallView, Phase, PlayerView, PublicRound, RoundView, TableView, Update,
    },
    types::RoundNo,
};
use jiff::Timestamp;
use serde::Serialize;
use utoipa::ToSchema;

/// The public pairings.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PairingsView {
    /// The event's name; null before the set-up.
    event: Option<String>,
    /// The hall's time zone, when the event names one.
    zone: Option<String>,
    /// The number of rounds.
    rounds: Option<u16>,
    /// The newest round that is public; it and all before it can be asked for.
    latest: Option<u16>,
    /// The round that is paired and not public yet.
    coming: Option<u16>,
    /// The round whose tables these are; null before the first one is public.
    round: Option<u16>,
    /// It is over.
    closed: bool,
    /// The announced start.
    #[schema(value_type = Option<String>)]
    starts_at: Option<Timestamp>,
    /// The declared start.
    #[schema(value_type = Option<String>)]
    started_at: Option<Timestamp>,
    /// The tables by number.
    tables: Vec<PairingLine>,
    /// Who has no opponent in this round.
    bye: Option<PublicPlayer>,
}

/// One table of a round.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PairingLine {
    table: u16,
    white: PublicPlayer,
    black: PublicPlayer,
    /// The confirmed result, e.g. `1-0`.
    result: Option<String>,
}

/// A player as strangers may see him.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub(super) struct PublicPlayer {
    /// Pairing number.
    no: u16,
    /// Name; null when names are not published.
    name: Option<String>,
}

/// What one reader of the pairings has to know to see whether they changed.
#[derive(Debug)]
pub(super) struct Pairings {
    names: bool,
    event: Option<EventView>,
    round: Option<RoundView>,
    tables: BTreeMap<u16, PairingLine>,
    /// The last public round, while the current one is a draft.
    earlier: Option<PublicRound>,
}

impl Pairings {
    /// Nothing yet; `names` are published or not.
    pub(super) fn new(names: bool) -> Self {
        Self {
            names,
            event: None,
            round: None,
            tables: BTreeMap::new(),
            earlier: None,
        }
    }

    /// Takes the whole hall.
    pub(super) fn take_hall(&mut self, hall: &HallView) {
        self.event.clone_from(&hall.event);
        self.round.clone_from(&hall.round);
        self.tables.clear();
        self.take_tables(&hall.tables);
    }

    /// Takes what changed.
    pub(super) fn take_update(&mut self, update: &Update) {
        if update.event.is_some() {
            self.event.clone_from(&update.event);
        }
        if update.round.is_some() {
            self.round.clone_from(&update.round);
        }
        self.take_tables(&update.tables);
    }

    fn take_tables(&mut self, tables: &[TableView]) {
        for view in tables {
            let (Some(white), Some(black)) = (&view.white, &view.black) else {
                self.tables.remove(&view.table.0);
                continue;
            };
            let line = PairingLine {
                table: view.table.0,
                white: self.player(white),
                black: self.player(black),
                result: view.result.clone(),
            };
            self.tables.insert(line.table, line);
        }
    }

    fn player(&self, player: &PlayerView) -> PublicPlayer {
        PublicPlayer {
            no: player.no.0,
            name: self.names.then(|| player.name.clone()),
        }
    }

    fn draft(&self) -> Option<RoundNo> {
        let round = self.round.as_ref().filter(|round| !round.published)?;
        Some(round.number)
    }

    /// The newest round that is public.
    pub(super) fn latest(&self) -> Option<RoundNo> {
        let round = self.round.as_ref()?;
        let latest = match self.draft() {
            None => round.number,
            Some(draft) => RoundNo(draft.0.checked_sub(1)?),
        };
        (latest.0 > 0).then_some(latest)
    }

    /// The earlier round that [`Pairings::view`] needs and does not have: a picture of the hall only
    /// has the tables of the current one.
    pub(super) fn missing(&self) -> Option<RoundNo> {
        self.draft()?;
        let latest = self.latest()?;
        let known = self.earlier.as_ref().map(|earlier| earlier.number);
        (known != Some(latest)).then_some(latest)
    }

    /// Takes the round that was [missing](Pairings::missing).
    pub(super) fn take_earlier(&mut self, round: Option<PublicRound>) {
        self.earlier = round;
    }

    /// What may be shown now: the newest public round.
    pub(super) fn view(&self) -> PairingsView {
        if self.draft().is_some() {
            let latest = self.latest();
            let earlier = self.earlier.as_ref();
            return match earlier.filter(|earlier| Some(earlier.number) == latest) {
                Some(earlier) => self.view_of(earlier),
                None => self.head(),
            };
        }
        let Some(round) = &self.round else {
            return self.head();
        };
        PairingsView {
            round: Some(round.number.0),
            closed: round.phase == Phase::Closed,
            starts_at: round.starts_at,
            started_at: round.started_at,
            tables: self.tables.values().cloned().collect(),
            bye: round.bye.as_ref().map(|player| self.player(player)),
            ..self.head()
        }
    }

    /// The same with the tables of another round that is public.
    pub(super) fn view_of(&self, round: &PublicRound) -> PairingsView {
        PairingsView {
            round: Some(round.number.0),
            closed: round.closed,
            starts_at: round.starts_at,
            started_at: round.started_at,
            tables: (round.tables.iter())
                .map(|table| PairingLine {
                    table: table.table.0,
                    white: self.player(&table.white),
                    black: self.player(&table.black),
                    result: table.result.clone(),
                })
                .collect(),
            bye: round.bye.as_ref().map(|player| self.player(player)),
            ..self.head()
        }
    }

    /// Everything but a round.
    fn head(&self) -> PairingsView {
        let event = self.event.as_ref();
        PairingsView {
            event: event.map(|event| event.name.clone()),
            zone: event.and_then(|event| event.zone.clone()),
            rounds: event.map(|event| event.rounds),
            latest: self.latest().map(|round| round.0),
            coming: self.draft().map(|round| round.0),
            round: None,
            closed: false,
            starts_at: None,
            started_at: None,
            tables: Vec::new(),
            bye: None,
        }
    }
}
